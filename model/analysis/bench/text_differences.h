// How differently the heads of two models look at many texts.
#pragma once

#include <functional>
#include <vector>

#include "model/analysis/bench/reading.h"
#include "model/text/listed_text.h"

namespace headlight {

struct HeadDifferences {
  std::vector<HeadPlace> heads;  // that both have
  std::vector<double> mean, sd;  // bits: divergence of the rows of a text on the average, then over the texts
  Index texts = 0, of_texts = 0;
  Index left_out = 0;  // of these, that both cut into different numbers of tokens, or that one cannot read
};
// Tells what there is after each text. Throws UsageError and Cancelled.
void differences_over_texts(const TextReader& first, const TextReader& second, const std::vector<ListedText>& texts,
                            const std::function<void(const HeadDifferences&)>& tell, const CancelToken& cancel = {});

}  // namespace headlight
