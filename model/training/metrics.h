// Quality of outputs: BLEU and alignment error rate, from tokens and links alone.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "model/training/tasks/task.h"

namespace headlight {

using Words = std::vector<std::string>;

// BLEU-4 of a whole corpus (Papineni et al. 2002, section 2.3): counts are summed over all sentences, each n-gram of an
// output counts at most as often as it stands in one of its references, and outputs that are shorter than the
// references are punished.
struct Bleu {
  double score = 0;                     // 0 .. 100
  std::array<double, 4> precision{};    // of n-grams, 0 .. 1, after smoothing
  std::array<Index, 4> right{}, all{};  // n-grams found in a reference, and in all
  double brevity_penalty = 0;
  Index length = 0, reference_length = 0;  // tokens; of the reference whose length is closest to the output's
};

enum class BleuSmoothing {
  none,         // no 4-gram right: 0, as in the paper
  exponential,  // the k-th order without a right n-gram counts as 1 / (2^k · all) (Chen & Cherry 2014, technique 3)
};

// `references[i]`: one or more for output i.
Bleu corpus_bleu(const std::vector<Words>& outputs, const std::vector<std::vector<Words>>& references,
                 BleuSmoothing smoothing = BleuSmoothing::exponential);

// Alignment error rate (Och & Ney 2003, section 5.1), summed over a corpus.
struct AlignmentQuality {
  Index found = 0;           // |A|: links of the model
  Index sure = 0;            // |S|: links that a person was sure of
  Index right_sure = 0;      // |A ∩ S|
  Index right_possible = 0;  // |A ∩ P|, P ⊇ S: links that may stand or not

  // Adds one sentence. `possible` need not repeat what is sure; no link stands twice.
  void add(const std::vector<Link>& found_links, const std::vector<Link>& sure_links,
           const std::vector<Link>& possible = {});
  // 1 − (|A ∩ S| + |A ∩ P|) / (|A| + |S|); 0 when there is nothing to align.
  double error_rate() const;
};

}  // namespace headlight
