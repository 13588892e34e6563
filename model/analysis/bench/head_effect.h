// What a head is worth: the run again without what it has found (analysis.md 11). Later layers repair: effects
// understate importance.
#pragma once

#include <functional>

#include "model/analysis/bench/reading.h"

namespace headlight {

// What stands in the place of a head's findings.
enum class HeadOff {
  zero,
  mean,  // over all tokens of all texts of a list
  other  // those of another text, place by place where lengths agree, else their mean
};
inline constexpr const char* kHeadOffNames[] = {"zero", "mean", "other"};

// The findings of a text's heads, or their mean over texts: what replaces them.
class HeadFindings {
 public:
  static HeadFindings none() { return {}; }
  // Over every token of every text.
  static HeadFindings mean_of(const TextReader& reader, const std::vector<TextIds>& texts,
                              const CancelToken& cancel = {});
  static HeadFindings of(const TextReader& reader, const TextIds& other, const CancelToken& cancel = {});
  // In a text whose head has so many rows; undefined: zeros.
  Tensor value(const HeadPlace& at, Index rows) const;

 private:
  struct Side {
    AttentionMap::Kind kind;
    std::vector<std::pair<Index, Tensor>> layers;  // [H x T x k] or [H x 1 x k]
  };
  std::vector<Side> sides_;
};

// All heads of a text's reading, in order.
std::vector<HeadPlace> heads_of(const Reading& reading);

// Runs the text again without each of these heads in turn.
void without_each_head(const TextReader& reader, const TextIds& text, const std::vector<HeadPlace>& heads,
                       const HeadFindings& instead, const std::function<void(std::size_t, const Reading&)>& use,
                       const CancelToken& cancel = {});

// Sums of a number for each head over texts: mean, population deviation, and how often a head comes first.
class OverTexts {
 public:
  explicit OverTexts(bool least_first = false) : least_first_(least_first) {}
  void add(const std::vector<double>& values);
  Index texts() const { return texts_; }
  std::vector<double> mean() const { return mean_; }
  std::vector<double> sd() const;
  std::vector<double> first() const { return first_; }  // in how many texts it is the farthest

 private:
  bool least_first_;  // the smallest number comes first (a cosine), else the largest change
  Index texts_ = 0;
  std::vector<double> mean_, squares_, first_;
};

}  // namespace headlight
