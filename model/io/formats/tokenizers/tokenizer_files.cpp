// Tokenizers without a tokenizer.json: the parts that the libraries put together for each class, from its old files.

#include <algorithm>

#include "model/core/budget.h"
#include "model/core/effort.h"
#include "model/io/file.h"
#include "model/io/formats/adapters/adapter.h"
#include "model/io/formats/gguf/gguf_tokenizer.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/formats/tokenizers/tokenizer_parts.h"
#include "model/io/json_file.h"
#include "model/io/text_file.h"
#include "model/text/pretrained/table_model.h"
#include "model/text/utf8.h"

namespace headlight {

namespace fs = std::filesystem;
using namespace pretrained;

namespace {

using namespace tokenizer_parts;

constexpr const char* kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

Parts from_word_list(const fs::path& path, const TokenizerConfig& options) {
  pretrained::Vocabulary vocabulary;
  const std::vector<std::string> lines = read_lines(path, kMaxText);
  for (std::size_t i = 0; i < lines.size(); ++i) vocabulary[lines[i]] = static_cast<TokenNumber>(i);
  const std::string where = path.string(), unknown = options.token("unk_token", "[UNK]");
  const bool mpnet = options.family() == "MPNet";  // between RoBERTa's signs
  const std::string first = mpnet ? "<s>" : "[CLS]", last = mpnet ? "</s>" : "[SEP]";
  Parts parts;
  parts.normalizer = bert_normalizer({true, options.flag("tokenize_chinese_chars", true),
                                      options.flag("do_lower_case", true), options.optional_flag("strip_accents")});
  parts.pre_tokenizer = bert_words();
  parts.model = word_piece(std::move(vocabulary), {unknown, "##", 100}, where);
  parts.decoder = decode_word_piece("##", true);
  options.add_tokens(parts, named_tokens({{"unk_token", "[UNK]"},
                                          {"sep_token", last},
                                          {"pad_token", mpnet ? "<pad>" : "[PAD]"},
                                          {"cls_token", first},
                                          {"mask_token", mpnet ? "<mask>" : "[MASK]"}},
                                         mpnet));
  const TemplatePiece cls = special(parts, options.token("cls_token", first), where);
  const std::string sep = options.token("sep_token", last);
  const TemplatePiece end = special(parts, sep, where), second_end = special(parts, sep, where, 1);
  if (mpnet) {
    parts.post_processor = by_template({cls, first_text(), end}, {cls, first_text(), end, end, second_text(0), end});
    return parts;
  }
  parts.post_processor = by_template({cls, first_text(), end}, {cls, first_text(), end, second_text(1), second_end});
  return parts;
}

Parts from_merges(const fs::path& folder, const TokenizerConfig& options) {
  const std::string where = (folder / "vocab.json").string(), family = options.family();
  const bool roberta = family == "Roberta" || family == "Bart" || family == "MBart" || family == "Longformer";
  const bool qwen = family == "Qwen2", prefix_space = options.flag("add_prefix_space", false);
  Parts parts;
  parts.model = byte_pair(read_numbers(folder / "vocab.json"), read_merges(folder / "merges.txt"), {},
                          (folder / "merges.txt").string());
  if (qwen) {
    parts.normalizer = to_normal_form(NormalForm::nfc);
    parts.pre_tokenizer = in_sequence(std::vector<PreTokenizer>{
        split(regular_expression(kQwen2, where), SplitKind::isolated, false), byte_level(prefix_space, false)});
  } else {
    parts.pre_tokenizer = byte_level(prefix_space, true);
  }
  parts.decoder = decode_byte_level();
  if (roberta) {
    options.add_tokens(parts, named_tokens({{"bos_token", "<s>"},
                                            {"eos_token", "</s>"},
                                            {"unk_token", "<unk>"},
                                            {"sep_token", "</s>"},
                                            {"pad_token", "<pad>"},
                                            {"cls_token", "<s>"},
                                            {"mask_token", "<mask>"}},
                                           true));
    const std::string cls = options.token("cls_token", "<s>"), sep = options.token("sep_token", "</s>");
    parts.post_processor = roberta_processing({sep, number_of(parts, sep, where)}, {cls, number_of(parts, cls, where)},
                                              true, prefix_space);
    return parts;
  }
  const std::string start = family == "OPT" ? "</s>" : "<|endoftext|>";
  NamedTokens named = named_tokens({{"eos_token", start}, {"unk_token", start}});
  if (!qwen) named.merge(named_tokens({{"bos_token", start}}));
  if (family == "OPT") named.merge(named_tokens({{"pad_token", "<pad>"}}));
  options.add_tokens(parts, named);
  for (const char* token : {"<|im_start|>", "<|im_end|>"}) add_known(parts, token);
  if (options.flag("add_bos_token", family == "OPT")) {
    const TemplatePiece bos = special(parts, options.token("bos_token", start), where);
    parts.post_processor = by_template({bos, first_text()}, {bos, first_text(), bos, second_text(1)});
  }
  return parts;
}

// Bytes of ">>fra<<" in front of a text, which says what it is translated to; 0: there is none.
std::size_t language_code(std::string_view text) {
  const std::size_t end = text.starts_with(">>") ? text.find("<<") : text.npos;
  return end == text.npos ? 0 : end + 2;
}
// Leaves the code as it is.
Normalizer behind_language_code(Normalizer normalizer) {
  return [normalizer = std::move(normalizer)](AlignedText& text) {
    const std::size_t code = language_code(text.text());
    if (code == 0) return normalizer(text);
    AlignedText rest = text.slice(code, text.text().size());
    normalizer(rest);
    text = text.slice(0, code);
    text.add_behind(rest);
  };
}
Pieces language_code_apart(const AlignedText& text) {
  const std::size_t code = language_code(text.text()), end = text.text().size();
  if (code == 0 || code == end) return {text};
  return {text.slice(0, code), text.slice(code, end)};
}

// Pieces of a sentencepiece model under the numbers of a vocabulary of its own (Marian).
class Renumbered : public pretrained::TableModel {
 public:
  Renumbered(const PieceModel& model, pretrained::Vocabulary vocabulary, const std::string& where)
      : TableModel(std::move(vocabulary), where) {
    std::vector<std::pair<std::string, double>> pieces;
    std::optional<TokenNumber> unknown;
    double best = -1e30;
    for (const PieceModel::Piece& piece : model.pieces)
      if (piece.type == 1) best = std::max(best, piece.score);
    for (std::size_t i = 0; i < model.pieces.size(); ++i) {
      const PieceModel::Piece& piece = model.pieces[i];
      const bool is_read = piece.type == 1 || piece.type == 4 || piece.type == 6;
      if (piece.type == 2) unknown = static_cast<TokenNumber>(i);
      // What a user defined wins against everything else.
      pieces.emplace_back(is_read ? piece.text : std::string(),
                          piece.type == 4 ? static_cast<double>(piece.text.size()) * best - 0.1 : piece.score);
    }
    pieces_ = unigram(std::move(pieces), unknown, false, where);
    unknown_ = unknown_number("<unk>");
  }
  std::vector<SubToken> tokenize(const std::string& piece, WordCut* cut) const override {
    const bool whole = language_code(piece) == piece.size();
    std::vector<SubToken> tokens =
        whole ? std::vector{SubToken{0, piece, 0, piece.size()}} : pieces_->tokenize(piece, cut);
    for (SubToken& token : tokens) {
      const std::optional<TokenNumber> id = find(token.text);
      token.id = id.value_or(unknown_);
      if (!id) token.text = "<unk>";
    }
    if (!cut) return tokens;
    if (whole) cut->steps.emplace_back();
    cut->steps.back().pieces.clear();
    for (const SubToken& token : tokens) cut->steps.back().pieces.push_back({token.text, token.id == unknown_});
    return tokens;
  }
  std::optional<TokenNumber> unknown() const override { return unknown_; }

 private:
  std::shared_ptr<const SubwordModel> pieces_;
  TokenNumber unknown_ = 0;
};

// As sentencepiece itself normalises: the longest match of its map, runs of spaces as one, none at the ends.
Normalizer sentencepiece_normalizer(const PieceModel& model, const std::string& where) {
  std::vector<Normalizer> steps{precompiled_map(model.character_map, true, where)};
  if (model.remove_extra_spaces) {
    steps.push_back(replaced(regular_expression("\\A +", where), ""));
    steps.push_back(replaced(regular_expression(" {2,}", where), " "));
  }
  if (model.escape_spaces) steps.push_back(replaced(literal(" "), kSpace));
  if (model.add_dummy_prefix) steps.push_back(prepended(kSpace));
  if (model.remove_extra_spaces)
    steps.push_back(replaced(regular_expression(std::string("(?:") + kSpace + "| )+\\z", where), ""));
  return in_sequence(std::move(steps));
}

Parts from_two_sides(const fs::path& folder, bool target) {
  const fs::path path = folder / (target ? "target.spm" : "source.spm");
  const std::string where = path.string();
  const PieceModel model = read_piece_model(path);
  const fs::path own = folder / "target_vocab.json";
  Parts parts;
  parts.model = std::make_shared<const Renumbered>(
      model, read_numbers(target && is_there(own) ? own : folder / "vocab.json"), where);
  parts.normalizer = behind_language_code(sentencepiece_normalizer(model, where));
  parts.pre_tokenizer = language_code_apart;
  parts.decoder = decode_metaspace(kSpace, true);
  const TokenizerConfig options(folder);
  options.add_tokens(parts, named_tokens({{"eos_token", "</s>"}, {"unk_token", "<unk>"}, {"pad_token", "<pad>"}}),
                     true);
  const TemplatePiece end = special(parts, options.token("eos_token", "</s>"), where);
  parts.post_processor = by_template({first_text(), end}, {first_text(), second_text(0), end});
  return parts;
}

}  // namespace

std::shared_ptr<const pretrained::Tokenizer> open_tokenizer(const fs::path& given, bool target) {
  const fs::path path = base_of(given);  // an adapter's folder may have one too, of the same texts
  if (is_gguf(path)) return gguf_tokenizer(GgufFile(path));
  const fs::path folder = snapshot_of(path);
  const auto made = [](Parts parts) { return std::make_shared<const pretrained::Tokenizer>(std::move(parts)); };
  if (is_there(folder / "source.spm") && is_there(folder / "vocab.json")) return made(from_two_sides(folder, target));
  const TokenizerConfig options(folder);
  if (is_there(folder / "tokenizer.json")) return read_tokenizer_json(folder / "tokenizer.json", &options);
  const bool merges = is_there(folder / "vocab.json") && is_there(folder / "merges.txt");
  if (merges && options.family() == "BlenderbotSmall") return made(from_marked_merges(folder, options));
  if (merges) return made(from_merges(folder, options));
  for (const char* name : {"spiece.model", "sentencepiece.bpe.model", "spm.model", "tokenizer.model"}) {
    const fs::path file = folder / name;
    if (!is_there(file)) continue;
    const PieceModel model = read_piece_model(file);
    return made(from_pieces(file, model, options));
  }
  if (is_there(folder / "vocab.txt") && options.family() == "Esm")
    return made(from_letters(folder / "vocab.txt", options));
  if (is_there(folder / "vocab.txt")) return made(from_word_list(folder / "vocab.txt", options));
  throw FileError(folder.string() +
                  ": there is no tokenizer: expected tokenizer.json, vocab.txt, vocab.json with merges.txt, or a "
                  "sentencepiece model");
}

}  // namespace headlight
