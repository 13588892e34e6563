// Heads that look for what came before, on random tokens that are said twice: first, r_1 … r_n, r_1 … r_n (Olsson et
// al. 2022). What a head does on noise; not in text.
#pragma once

#include "model/analysis/bench/reading.h"

namespace headlight {

struct RepeatedSettings {
  Index length = 24, rows = 4;  // n tokens, in how many texts
  std::uint64_t seed = 1;
};

struct RepeatedScores {
  DoubleMatrix induction, duplicate, previous, next, first;  // [L x H]; not defined for every model: empty
  double chance_of_copies = 0, chance = 0;  // what even rows would give: of induction and duplicate, of the others
  std::vector<std::vector<TokenId>> texts;
};

// Random texts of tokens that are no signs. Throws UsageError where the model has too few positions or a window that is
// too short: it names the limit.
std::vector<std::vector<TokenId>> repeated_texts(const TextReader& reader, const RepeatedSettings& settings);
// Of these texts, which have one length 2 n + 1. Encoders: previous, next and duplicate alone.
RepeatedScores repeated_scores(const TextReader& reader, const std::vector<std::vector<TokenId>>& texts,
                               const CancelToken& cancel = {});

}  // namespace headlight
