// What the output views say about a result in words, and the texts that they ask the window for.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

// Whether the model guesses the hidden words of a text instead of writing one.
bool guesses_hidden_words(const Result& result);

// The text that these tokens of an output spell, in reading order and without the end sign; `ids` are in the order in
// which the model writes them.
QString spelled(const Result& result, std::vector<TokenId> ids);

// The output with another token at one step, as a target to force. The end sign ends it there; where it stood, the text
// grows by a token. Nothing when no text is left, or only a part of a character is at a place.
std::optional<QString> with_candidate(const Result& result, int step, TokenId id);

// The source with one of its tokens (an index of Result::tokens) replaced by another.
QString with_guess(const Result& result, int token, TokenId id);

// "‘cat’", or the name of what cannot be seen: "space".
QString quoted(const std::string& token);
// The output up to a step with another token there, for the model to go on from; empty: it cannot be spelled.
QString beginning_with(const Result& result, int step, TokenId token);

// The same for a whole text; of an empty one, that it is.
QString quoted_text(const QString& text);

// Whether the output up to a step, with another token there, would end with a part of a character, which no text can
// be; and what is said of that.
bool is_half_character(const Result& result, int step, TokenId token);
QString half_character_note();

}  // namespace headlight
