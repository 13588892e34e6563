// What tokenizers without a tokenizer.json are put together from: of each kind of old file the parts of its class.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/formats/tokenizers/tokenizer_config.h"

namespace headlight::tokenizer_parts {

using Parts = pretrained::Tokenizer::Parts;
using Merges = std::vector<std::pair<std::string, std::string>>;

inline constexpr std::uint64_t kMaxText = 64u << 20;
inline constexpr const char* kSpace = "\xe2\x96\x81";  // ▁

// Of a token that the vocabulary has to have; throws FormatError "WHERE: ...".
pretrained::TokenNumber number_of(const Parts& parts, const std::string& token, const std::string& where);
pretrained::TemplatePiece special(const Parts& parts, const std::string& token, const std::string& where,
                                  int type_id = 0);
inline pretrained::TemplatePiece first_text() { return {0, {}, 0}; }
inline pretrained::TemplatePiece second_text(int type_id) { return {1, {}, type_id}; }
// A sign that the vocabulary may have beside those of its class.
void add_known(Parts& parts, const std::string& token);

pretrained::Vocabulary read_numbers(const std::filesystem::path& path);  // {"token": 0, ...}
Merges read_merges(const std::filesystem::path& path);                   // two tokens a line

// A sentencepiece model, of the class that the files beside it name.
Parts from_pieces(const std::filesystem::path& path, const PieceModel& model, const TokenizerConfig& options);
// Merges whose pieces end with "@@" where the word goes on (Blenderbot's small model).
Parts from_marked_merges(const std::filesystem::path& folder, const TokenizerConfig& options);
// A letter a token (ESM).
Parts from_letters(const std::filesystem::path& path, const TokenizerConfig& options);

}  // namespace headlight::tokenizer_parts
