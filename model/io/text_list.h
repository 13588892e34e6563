// Lists of texts, for whatever runs a model on many: one reader of all their forms.
//
//   .txt    a text in each line; empty lines count for nothing
//   .tsv    text TAB label TAB …, or, where a first line names its columns (text, second, label, target, …), by those
//   .jsonl  in each line a text, a pair [text, second], or {"text": …, "second": …, "label": …, "target": …}
//   else    JSON: a list of the same
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/text/listed_text.h"

namespace headlight {

inline constexpr std::size_t kMostListedTexts = 1'000'000, kMostListedBytes = 64 << 10;  // of one text

// Throws FileError, and FormatError "FILE:17: …" for what is no text, broken UTF-8, more than kMostListedBytes, more
// texts than kMostListedTexts, or none at all.
std::vector<ListedText> read_text_list(const std::filesystem::path& path);
// The same from memory; the ending of `name` says which form it is.
std::vector<ListedText> parse_text_list(std::string_view bytes, const std::string& name);

}  // namespace headlight
