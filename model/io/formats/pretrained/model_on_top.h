// A model of another library with what stands on top of its last states, as one model: what it writes are classes.
#pragma once

#include <memory>
#include <optional>

#include "model/io/formats/families/top.h"
#include "model/models/model.h"

namespace headlight {

// How its values become steps of a run: one class for the text, yes or no for each class of it, one class for each
// token, or where an answer begins and ends.
enum class StepsOf { text, several, tokens, answer };
StepsOf steps_of(const families::OnTop& top);

// The logits of a step are those of the classes; of a single number for each token (replaced or not) 0 stands beside
// it; of several classes step c chooses between 2 c, not of this class, and 2 c + 1, of it; of an answer they are of
// the places of the text, `places` in all. With `reads_again` the states are those of a decoder behind an encoder,
// which reads that token (kLastToken: the text's own last one) and the text; `top` may be none then, and there are no
// steps. Shares the weights of `model`.
constexpr TokenId kLastToken = -1;
std::shared_ptr<const Model> model_on_top(std::shared_ptr<const Model> model, const families::OnTop& top, Index places,
                                          std::optional<TokenId> reads_again = {});

}  // namespace headlight
