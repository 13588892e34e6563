// Tokenizers without a tokenizer.json: the parts that the libraries put together for each class, from its old files.

#include <algorithm>

#include "model/core/budget.h"
#include "model/core/effort.h"
#include "model/io/file.h"
#include "model/io/formats/adapters/adapter.h"
#include "model/io/formats/gguf/gguf_tokenizer.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/formats/tokenizers/tokenizer_config.h"
#include "model/io/json_file.h"
#include "model/io/text_file.h"
#include "model/text/utf8.h"

namespace headlight {

namespace fs = std::filesystem;
using namespace pretrained;

namespace {

using Parts = pretrained::Tokenizer::Parts;
using Merges = std::vector<std::pair<std::string, std::string>>;

constexpr std::uint64_t kMaxText = 64u << 20;
constexpr const char* kSpace = "\xe2\x96\x81";  // ▁
constexpr const char* kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

TokenNumber number_of(const Parts& parts, const std::string& token, const std::string& where) {
  if (const std::optional<TokenNumber> id = parts.find(token)) return *id;
  throw FormatError(where + ": the special token \"" + token + "\" is not in the vocabulary");
}
TemplatePiece special(const Parts& parts, const std::string& token, const std::string& where, int type_id = 0) {
  return {-1, {{number_of(parts, token, where), token}}, type_id};
}
TemplatePiece first_text() { return {0, {}, 0}; }
TemplatePiece second_text(int type_id) { return {1, {}, type_id}; }

// Signs that the vocabulary may have beside those of its class.
void add_known(Parts& parts, const std::string& token) {
  if (parts.model->find(token)) parts.added.add({token, false, false, false, false, true}, *parts.model);
}

pretrained::Vocabulary read_numbers(const fs::path& path) {
  const Json json = read_python_json(path, kMaxText, {2, 4'000'000, 4'000'001});
  if (!json.is_object()) throw FormatError(path.string() + ": expected an object of tokens and their numbers");
  pretrained::Vocabulary vocabulary;
  for (const auto& [token, id] : json.items()) vocabulary.emplace(token, token_number(id, path.string()));
  return vocabulary;
}

Parts from_word_list(const fs::path& path, const TokenizerConfig& options) {
  pretrained::Vocabulary vocabulary;
  const std::vector<std::string> lines = read_lines(path, kMaxText);
  for (std::size_t i = 0; i < lines.size(); ++i) vocabulary[lines[i]] = static_cast<TokenNumber>(i);
  const std::string where = path.string(), unknown = options.token("unk_token", "[UNK]");
  Parts parts;
  parts.normalizer = bert_normalizer({true, options.flag("tokenize_chinese_chars", true),
                                      options.flag("do_lower_case", true), options.optional_flag("strip_accents")});
  parts.pre_tokenizer = bert_words();
  parts.model = word_piece(std::move(vocabulary), {unknown, "##", 100}, where);
  parts.decoder = decode_word_piece("##", true);
  options.add_tokens(parts, named_tokens({{"unk_token", "[UNK]"},
                                          {"sep_token", "[SEP]"},
                                          {"pad_token", "[PAD]"},
                                          {"cls_token", "[CLS]"},
                                          {"mask_token", "[MASK]"}}));
  const TemplatePiece cls = special(parts, options.token("cls_token", "[CLS]"), where);
  const std::string sep = options.token("sep_token", "[SEP]");
  const TemplatePiece end = special(parts, sep, where), second_end = special(parts, sep, where, 1);
  parts.post_processor = by_template({cls, first_text(), end}, {cls, first_text(), end, second_text(1), second_end});
  return parts;
}

Merges read_merges(const fs::path& path) {
  Merges merges;
  for (const std::string& line : read_lines(path, kMaxText)) {
    if (line.empty() || line.starts_with("#version")) continue;
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || line.find(' ', space + 1) != std::string::npos)
      throw FormatError(path.string() + ": expected two tokens on a line, found \"" + line.substr(0, 60) + "\"");
    merges.emplace_back(line.substr(0, space), line.substr(space + 1));
  }
  return merges;
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

Decoder spaces_and_bytes(bool strips) {
  std::vector<Decoder> steps{decode_replace(literal(kSpace), " "), decode_bytes(), decode_fuse()};
  if (strips) steps.push_back(decode_strip(' ', 1, 0));
  return in_sequence(std::move(steps));
}

// Llama 2 and its like; Gemma.
Parts from_byte_pairs(const fs::path& path, const PieceModel& model, const TokenizerConfig& options) {
  const std::string where = path.string();
  const bool gemma = options.family() == "Gemma", legacy = options.flag("legacy", true);
  const bool prefix_space = options.flag("add_prefix_space", model.add_dummy_prefix);
  pretrained::Vocabulary vocabulary;
  for (std::size_t i = 0; i < model.pieces.size(); ++i) vocabulary[model.pieces[i].text] = static_cast<TokenNumber>(i);
  Parts parts;
  BpeSettings settings;
  settings.unknown = options.token("unk_token", "<unk>");
  settings.fuse_unknown = settings.byte_fallback = true;
  parts.model = byte_pair(std::move(vocabulary), merges_of(model, where), std::move(settings), where);
  if (gemma) {
    parts.normalizer = replaced(literal(" "), kSpace);
    parts.pre_tokenizer = split(literal(" "), SplitKind::merged_with_previous, false);
  } else if (legacy) {
    std::vector<Normalizer> steps;
    if (prefix_space) steps.push_back(prepended(kSpace));
    steps.push_back(replaced(literal(" "), kSpace));
    parts.normalizer = in_sequence(std::move(steps));
  } else {
    parts.pre_tokenizer = metaspace(kSpace, prefix_space ? Prepend::first : Prepend::never, false);
  }
  parts.decoder = spaces_and_bytes(!gemma && options.flag("add_prefix_space", true));
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    const PieceModel::Piece& piece = model.pieces[i];
    const bool control = piece.type == 3;
    if (control || piece.type == 4) parts.added.add({piece.text, false, false, false, false, control}, *parts.model);
  }
  const std::string bos = options.token("bos_token", gemma ? "<bos>" : "<s>"),
                    eos = options.token("eos_token", gemma ? "<eos>" : "</s>");
  options.add_tokens(parts, named_tokens({{"bos_token", bos}, {"eos_token", eos}, {"unk_token", "<unk>"}}));
  std::vector<TemplatePiece> single{first_text()}, second{second_text(1)};
  if (options.flag("add_bos_token", true)) {
    single.insert(single.begin(), special(parts, bos, where));
    second.insert(second.begin(), special(parts, bos, where, 1));
  }
  if (options.flag("add_eos_token", false)) {
    single.push_back(special(parts, eos, where));
    second.push_back(special(parts, eos, where, 1));
  }
  std::vector<TemplatePiece> pair = single;
  pair.insert(pair.end(), second.begin(), second.end());
  parts.post_processor = by_template(std::move(single), std::move(pair));
  return parts;
}

Normalizer unigram_normalizer(const PieceModel& model, const TokenizerConfig& options, bool albert,
                              const std::string& where) {
  const Normalizer map = precompiled_map(model.character_map, false, where);
  if (!albert)
    return in_sequence(
        std::vector<Normalizer>{map, stripped(false, true), replaced(regular_expression(" {2,}", where), kSpace)});
  std::vector<Normalizer> steps{replaced(literal("``"), "\""), replaced(literal("''"), "\"")};
  if (!options.flag("keep_accents", false))
    steps.insert(steps.end(), {to_normal_form(NormalForm::nfkd), without_accents()});
  if (options.flag("do_lower_case", true)) steps.push_back(lower_casing());
  steps.insert(steps.end(), {map, replaced(regular_expression(" {2,}", where), " ")});
  return in_sequence(std::move(steps));
}

// T5, XLM-R, ALBERT.
Parts from_unigram(const fs::path& path, const PieceModel& model, const TokenizerConfig& options) {
  const std::string where = path.string(), family = options.family();
  std::vector<std::pair<std::string, double>> pieces;
  const bool xlm = family == "XLMRoberta", albert = family == "Albert", t5 = !xlm && !albert;
  std::optional<TokenNumber> unknown;
  if (xlm) {  // numbers as in fairseq: four of its own, then the pieces from the fourth on
    for (const char* token : {"<s>", "<pad>", "</s>", "<unk>"}) pieces.emplace_back(token, 0.0);
    for (std::size_t i = 3; i < model.pieces.size(); ++i)
      pieces.emplace_back(model.pieces[i].text, model.pieces[i].score);
    pieces.emplace_back("<mask>", 0.0);
    unknown = 3;
  } else {
    for (std::size_t i = 0; i < model.pieces.size(); ++i) {
      pieces.emplace_back(model.pieces[i].text, model.pieces[i].score);
      if (model.pieces[i].type == 2) unknown = static_cast<TokenNumber>(i);
    }
    if (t5)
      for (std::int64_t i = options.number("extra_ids", 100, 10'000); i-- > 0;)
        pieces.emplace_back("<extra_id_" + std::to_string(i) + ">", 0.0);
  }
  Parts parts;
  parts.model = unigram(std::move(pieces), unknown, false, where);
  parts.normalizer = unigram_normalizer(model, options, albert, where);
  const bool prefix_space = options.flag("add_prefix_space", true);
  parts.pre_tokenizer = metaspace(kSpace, prefix_space ? Prepend::always : Prepend::never, true);
  parts.decoder = decode_metaspace(kSpace, prefix_space);
  const auto token = [&](const std::string& text, int type_id = 0) { return special(parts, text, where, type_id); };
  if (t5) {
    for (std::int64_t i = 0; i < options.number("extra_ids", 100, 10'000); ++i)
      add_known(parts, "<extra_id_" + std::to_string(i) + ">");
    options.add_tokens(parts, named_tokens({{"eos_token", "</s>"}, {"unk_token", "<unk>"}, {"pad_token", "<pad>"}}));
    const TemplatePiece eos = token(options.token("eos_token", "</s>"));
    parts.post_processor = by_template({first_text(), eos}, {first_text(), eos, second_text(0), eos});
    return parts;
  }
  const std::string cls = xlm ? "<s>" : "[CLS]", sep = xlm ? "</s>" : "[SEP]";
  options.add_tokens(parts, named_tokens({{"bos_token", cls},
                                          {"eos_token", sep},
                                          {"unk_token", "<unk>"},
                                          {"sep_token", sep},
                                          {"pad_token", "<pad>"},
                                          {"cls_token", cls},
                                          {"mask_token", xlm ? "<mask>" : "[MASK]"}},
                                         true));
  const std::string start = options.token("cls_token", cls), end = options.token("sep_token", sep);
  parts.post_processor =
      xlm ? by_template({token(start), first_text(), token(end)},
                        {token(start), first_text(), token(end), token(end), second_text(0), token(end)})
          : by_template({token(start), first_text(), token(end)},
                        {token(start), first_text(), token(end), second_text(1), token(end, 1)});
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
class Renumbered : public SubwordModel {
 public:
  Renumbered(const PieceModel& model, pretrained::Vocabulary vocabulary, const std::string& where)
      : vocabulary_(std::move(vocabulary)) {
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
    for (const auto& [token, id] : vocabulary_) texts_[id] = &token;
    const auto found = vocabulary_.find("<unk>");
    if (found == vocabulary_.end()) throw FormatError(where + ": the vocabulary has no \"<unk>\"");
    unknown_ = found->second;
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
  std::optional<TokenNumber> find(const std::string& token) const override {
    const auto found = vocabulary_.find(token);
    return found == vocabulary_.end() ? std::nullopt : std::optional(found->second);
  }
  const std::string* text(TokenNumber id) const override {
    const auto found = texts_.find(id);
    return found == texts_.end() ? nullptr : found->second;
  }
  TokenNumber size() const override { return static_cast<TokenNumber>(vocabulary_.size()); }

 private:
  pretrained::Vocabulary vocabulary_;
  std::unordered_map<TokenNumber, const std::string*> texts_;
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

Merges merges_of(const PieceModel& model, const std::string& where, std::vector<std::uint32_t>* ranks) {
  struct Split {
    TokenNumber left, right;
    double score;
    std::size_t left_length, right_length;
  };
  std::unordered_map<std::string_view, TokenNumber> numbers;
  for (std::size_t i = 0; i < model.pieces.size(); ++i) numbers[model.pieces[i].text] = static_cast<TokenNumber>(i);
  constexpr std::size_t kLongest = 1000;
  const Effort effort(where + ": finding its merges", 30, SIZE_MAX);
  std::vector<Split> all;
  double bytes = 0;
  for (const PieceModel::Piece& piece : model.pieces) {
    std::vector<std::size_t> places;
    for_each_character(piece.text, [&](char32_t, std::size_t at, std::size_t) { places.push_back(at); });
    if (places.size() > kLongest) continue;
    const std::size_t first = all.size();
    for (std::size_t i = 1; i < places.size(); ++i) {
      Effort::spend(piece.text.size());
      const std::string_view text = piece.text;
      const auto left = numbers.find(text.substr(0, places[i])), right = numbers.find(text.substr(places[i]));
      if (left == numbers.end() || right == numbers.end()) continue;
      bytes += static_cast<double>(sizeof(Split) + sizeof(Merges::value_type) + text.size());
      within_budget(bytes, budget::kUnpacked, where + ": merging its pieces",
                    "most of them are made of each other, which no training does");
      all.push_back({left->second, right->second, piece.score, i, places.size() - i});
    }
    std::sort(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(),
              [](const Split& a, const Split& b) { return std::pair(a.left, a.right) < std::pair(b.left, b.right); });
  }
  std::stable_sort(all.begin(), all.end(), [](const Split& a, const Split& b) {
    return std::tuple(a.score, a.left_length, a.right_length) > std::tuple(b.score, b.left_length, b.right_length);
  });
  const auto text = [&](TokenNumber id) { return model.pieces[static_cast<std::size_t>(id)].text; };
  Merges merges;
  for (const Split& split : all) {
    merges.emplace_back(text(split.left), text(split.right));
    if (!ranks) continue;
    const bool same = merges.size() > 1 && all[merges.size() - 2].score == split.score;
    ranks->push_back(same ? ranks->back() : static_cast<std::uint32_t>(merges.size() - 1));
  }
  return merges;
}

std::shared_ptr<const pretrained::Tokenizer> open_tokenizer(const fs::path& given, bool target) {
  const fs::path path = base_of(given);  // an adapter's folder may have one too, of the same texts
  if (is_gguf(path)) return gguf_tokenizer(GgufFile(path));
  const fs::path folder = snapshot_of(path);
  const auto made = [](Parts parts) { return std::make_shared<const pretrained::Tokenizer>(std::move(parts)); };
  if (is_there(folder / "source.spm") && is_there(folder / "vocab.json")) return made(from_two_sides(folder, target));
  const TokenizerConfig options(folder);
  if (is_there(folder / "tokenizer.json")) return read_tokenizer_json(folder / "tokenizer.json", &options);
  if (is_there(folder / "vocab.json") && is_there(folder / "merges.txt")) return made(from_merges(folder, options));
  for (const char* name : {"spiece.model", "sentencepiece.bpe.model", "tokenizer.model"}) {
    const fs::path file = folder / name;
    if (!is_there(file)) continue;
    const PieceModel model = read_piece_model(file);
    return made(model.model_type == 2 ? from_byte_pairs(file, model, options) : from_unigram(file, model, options));
  }
  if (is_there(folder / "vocab.txt")) return made(from_word_list(folder / "vocab.txt", options));
  throw FileError(folder.string() +
                  ": there is no tokenizer: expected tokenizer.json, vocab.txt, vocab.json with merges.txt, or a "
                  "sentencepiece model");
}

}  // namespace headlight
