// Tokenizers as other libraries store them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/text/pretrained/tokenizer.h"

namespace headlight {

// The tokenizer of a folder (also of a hub's cache): tokenizer.json, else the old files (vocab.txt; vocab.json and
// merges.txt; a sentencepiece model). `target`: that of the other side, of models that have two. Throws FileError and
// FormatError with file, key, what was expected and what was found; a part that we lack is named.
std::shared_ptr<const pretrained::Tokenizer> open_tokenizer(const std::filesystem::path& folder, bool target = false);

// tokenizer.json, and what the files beside it say of it.
class TokenizerConfig;
std::shared_ptr<const pretrained::Tokenizer> read_tokenizer_json(const std::filesystem::path& path,
                                                                 const TokenizerConfig* beside = nullptr);

// A sentencepiece model: what its protobuf message says.
struct PieceModel {
  struct Piece {
    std::string text;
    double score = 0;
    int type = 1;  // 1 normal, 2 unknown, 3 control, 4 user-defined, 5 unused, 6 byte
  };
  std::vector<Piece> pieces;
  int model_type = 1;  // 1 unigram, 2 byte pairs
  std::string character_map;
  bool add_dummy_prefix = true, remove_extra_spaces = true, escape_spaces = true;
};
PieceModel read_piece_model(const std::filesystem::path& path);
PieceModel parse_piece_model(std::string_view bytes, const std::string& name);

// Every split of a piece into two pieces, the best score first: what the training merged. `ranks`: equal ones for equal
// scores. Throws FormatError "WHERE: ...".
std::vector<std::pair<std::string, std::string>> merges_of(const PieceModel& model, const std::string& where,
                                                           std::vector<std::uint32_t>* ranks = nullptr);

// models--ORG--NAME of a hub's cache stands for the snapshot that refs/main names; any other folder for itself. Throws
// FileError and FormatError.
std::filesystem::path snapshot_of(const std::filesystem::path& folder);

}  // namespace headlight
