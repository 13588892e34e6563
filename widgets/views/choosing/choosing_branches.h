// Outputs that were seen for one text, as a tree: each stands below the one that it has most tokens in common with.
// Pure: no window.
#pragma once

#include <QString>
#include <QVariantList>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

struct ChoosingBranch {
  QString of;                         // which text of which model: outputs of others are another tree
  std::vector<TokenId> ids;           // that were written
  std::vector<double> probabilities;  // of each
  int said = 0;                       // tokens that a person said beforehand
  QString beginning;                  // what they spell
};

// A line of the tree.
struct ChoosingBranchLine {
  int branch = 0;              // of the list
  int depth = 0, parent = -1;  // parent: a line above; -1: none
  int from = 0;                // the first token that is another than the parent's
  int least = -1;              // the token behind that with the least probability; -1: there is none
};

class ChoosingBranches {
 public:
  static constexpr std::size_t kMost = 24;  // the oldest goes

  static QString text_of(const Result& result);  // ChoosingBranch::of
  // Takes in an output. Whether it is of the same text as the one before and another output: both stay then.
  bool add(const Result& result);
  void remove(int branch);
  const std::vector<ChoosingBranch>& all() const { return all_; }
  // The tree of the outputs of this text, the oldest first.
  std::vector<ChoosingBranchLine> lines(const QString& of) const;
  int find(const Result& result) const;  // -1: it is not there

  // For sessions; reading believes nothing.
  QVariantList written() const;
  void read(const QVariantList& written);

 private:
  void keep(ChoosingBranch branch);

  std::vector<ChoosingBranch> all_;
  ChoosingBranch last_;
};

}  // namespace headlight
