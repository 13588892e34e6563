// Tokenizers without a tokenizer.json: the parts that the libraries put together for each class, from its old files.

#include <algorithm>
#include <set>
#include <sstream>

#include "model/core/errors.h"
#include "model/io/formats/pretrained_tokenizer.h"
#include "model/io/json_file.h"
#include "model/io/text_file.h"
#include "model/text/utf8.h"

namespace headlight {

namespace fs = std::filesystem;
using namespace pretrained;

namespace {

using Parts = pretrained::Tokenizer::Parts;
using Merges = std::vector<std::pair<std::string, std::string>>;

constexpr std::uint64_t kMaxText = 64u << 20, kMaxConfig = 16u << 20;
constexpr const char* kSpace = "\xe2\x96\x81";  // ▁
constexpr const char* kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

bool is_there(const fs::path& path) {
  std::error_code none;
  return fs::exists(path, none);
}

// tokenizer_config.json, and config.json where that does not say the class.
class Options {
 public:
  explicit Options(const fs::path& folder) {
    if (is_there(folder / "tokenizer_config.json")) json_ = read_python_json(folder / "tokenizer_config.json", kMaxConfig);
    if (!json_.is_object()) json_ = Json::object();
    if (is_there(folder / "config.json")) config_ = read_python_json(folder / "config.json", kMaxConfig);
    if (!config_.is_object()) config_ = Json::object();
  }
  // "T5" of "T5Tokenizer" and "T5TokenizerFast".
  std::string family() const {
    std::string name = text(json_, "tokenizer_class");
    for (const char* ending : {"Fast", "Tokenizer"})
      if (name.ends_with(ending)) name.resize(name.size() - std::string_view(ending).size());
    if (!name.empty() && name != "PreTrained") return name;
    static const std::unordered_map<std::string, const char*> by_type = {{"roberta", "Roberta"},
                                                                         {"bart", "Bart"},
                                                                         {"qwen2", "Qwen2"},
                                                                         {"qwen3", "Qwen2"},
                                                                         {"t5", "T5"},
                                                                         {"mt5", "T5"},
                                                                         {"xlm-roberta", "XLMRoberta"},
                                                                         {"albert", "Albert"},
                                                                         {"llama", "Llama"},
                                                                         {"mistral", "Llama"},
                                                                         {"phi3", "Llama"},
                                                                         {"gemma", "Gemma"},
                                                                         {"gemma2", "Gemma"},
                                                                         {"gemma3_text", "Gemma"},
                                                                         {"marian", "Marian"},
                                                                         {"gpt2", "GPT2"},
                                                                         {"opt", "OPT"}};
    const auto found = by_type.find(text(config_, "model_type"));
    return found == by_type.end() ? std::string() : found->second;
  }
  // A token is a text or an object with its content.
  std::string token(const char* key, const char* fallback) const {
    const auto found = json_.find(key);
    if (found == json_.end()) return fallback;
    if (found->is_string()) return found->get<std::string>();
    return found->is_object() ? text(*found, "content") : std::string();
  }
  bool flag(const char* key, bool fallback) const {
    const auto found = json_.find(key);
    return found != json_.end() && found->is_boolean() ? found->get<bool>() : fallback;
  }
  std::optional<bool> optional_flag(const char* key) const {
    const auto found = json_.find(key);
    return found != json_.end() && found->is_boolean() ? std::optional(found->get<bool>()) : std::nullopt;
  }
  std::int64_t number(const char* key, std::int64_t fallback, std::int64_t most) const {
    const auto found = json_.find(key);
    return found != json_.end() && found->is_number_unsigned()
               ? std::min<std::int64_t>(
                     most, static_cast<std::int64_t>(std::min<std::uint64_t>(found->get<std::uint64_t>(), INT32_MAX)))
               : fallback;
  }

 private:
  static std::string text(const Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
  }
  Json json_, config_;
};

TokenNumber number_of(const SubwordModel& model, const std::string& token, const std::string& where) {
  if (const std::optional<TokenNumber> id = model.find(token)) return *id;
  throw FormatError(where + ": the special token \"" + token + "\" is not in the vocabulary");
}
TemplatePiece special(const SubwordModel& model, const std::string& token, const std::string& where, int type_id = 0) {
  return {-1, {{number_of(model, token, where), token}}, type_id};
}
TemplatePiece first_text() { return {0, {}, 0}; }
TemplatePiece second_text(int type_id) { return {1, {}, type_id}; }

// Those of these tokens that the vocabulary has.
void add_special(Parts& parts, std::initializer_list<std::string> tokens, const std::string& with_lstrip = {}) {
  std::set<std::string> seen;
  for (const std::string& token : tokens)
    if (const std::optional<TokenNumber> id = parts.model->find(token);
        id && !token.empty() && seen.insert(token).second)
      parts.added.push_back({*id, token, false, token == with_lstrip, false, false, true});
}

std::vector<std::string> read_lines(const fs::path& path) {
  std::vector<std::string> lines;
  std::istringstream stream(read_text_file(path, kMaxText));
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

pretrained::Vocabulary read_numbers(const fs::path& path) {
  const Json json = read_python_json(path, kMaxText, {2, 4'000'000, 4'000'001});
  if (!json.is_object()) throw FormatError(path.string() + ": expected an object of tokens and their numbers");
  pretrained::Vocabulary vocabulary;
  for (const auto& [token, id] : json.items()) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() > INT32_MAX)
      throw FormatError(path.string() + ": expected a number of a token from 0 on, found " +
                        id.dump(-1, ' ', true).substr(0, 40));
    vocabulary.emplace(token, id.get<TokenNumber>());
  }
  return vocabulary;
}

Parts from_word_list(const fs::path& path, const Options& options) {
  pretrained::Vocabulary vocabulary;
  const std::vector<std::string> lines = read_lines(path);
  for (std::size_t i = 0; i < lines.size(); ++i) vocabulary[lines[i]] = static_cast<TokenNumber>(i);
  const std::string where = path.string();
  const std::string cls = options.token("cls_token", "[CLS]"), sep = options.token("sep_token", "[SEP]");
  Parts parts;
  parts.normalizer = bert_normalizer({true, options.flag("tokenize_chinese_chars", true),
                                      options.flag("do_lower_case", true), options.optional_flag("strip_accents")});
  parts.pre_tokenizer = bert_words();
  parts.model = word_piece(std::move(vocabulary), {options.token("unk_token", "[UNK]"), "##", 100}, where);
  parts.post_processor =
      by_template({special(*parts.model, cls, where), first_text(), special(*parts.model, sep, where)},
                  {special(*parts.model, cls, where), first_text(), special(*parts.model, sep, where), second_text(1),
                   special(*parts.model, sep, where, 1)});
  parts.decoder = decode_word_piece("##", true);
  add_special(parts, {options.token("pad_token", "[PAD]"), options.token("unk_token", "[UNK]"), cls, sep,
                      options.token("mask_token", "[MASK]")});
  return parts;
}

Merges read_merges(const fs::path& path) {
  Merges merges;
  for (const std::string& line : read_lines(path)) {
    if (line.empty() || line.starts_with("#version")) continue;
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || line.find(' ', space + 1) != std::string::npos)
      throw FormatError(path.string() + ": expected two tokens on a line, found \"" + line.substr(0, 60) + "\"");
    merges.emplace_back(line.substr(0, space), line.substr(space + 1));
  }
  return merges;
}

Parts from_merges(const fs::path& folder, const Options& options) {
  const std::string where = (folder / "vocab.json").string(), family = options.family();
  const bool roberta = family == "Roberta" || family == "Bart" || family == "MBart" || family == "Longformer";
  const bool qwen = family == "Qwen2";
  Parts parts;
  parts.model = byte_pair(read_numbers(folder / "vocab.json"), read_merges(folder / "merges.txt"), {}, where);
  if (qwen) {
    parts.normalizer = to_normal_form(NormalForm::nfc);
    parts.pre_tokenizer = in_sequence(std::vector<PreTokenizer>{
        split(regular_expression(kQwen2, where), SplitKind::isolated, false), byte_level(false, false)});
  } else {
    parts.pre_tokenizer = byte_level(options.flag("add_prefix_space", false), true);
  }
  parts.decoder = decode_byte_level();
  const std::string bos = options.token("bos_token", roberta ? "<s>" : family == "OPT" ? "</s>" : "<|endoftext|>");
  if (roberta) {
    const std::string cls = options.token("cls_token", "<s>"), sep = options.token("sep_token", "</s>");
    const std::string mask = options.token("mask_token", "<mask>");
    parts.post_processor =
        roberta_processing({sep, number_of(*parts.model, sep, where)}, {cls, number_of(*parts.model, cls, where)}, true,
                           options.flag("add_prefix_space", false));
    add_special(parts, {cls, "<pad>", sep, "<unk>", mask}, mask);
    return parts;
  }
  if (options.flag("add_bos_token", family == "OPT"))
    parts.post_processor = by_template(
        {special(*parts.model, bos, where), first_text()},
        {special(*parts.model, bos, where), first_text(), special(*parts.model, bos, where), second_text(1)});
  add_special(parts, {bos, options.token("eos_token", "<|endoftext|>"), options.token("unk_token", "<|endoftext|>"),
                      options.token("pad_token", ""), "<|im_start|>", "<|im_end|>"});
  return parts;
}

// Every split of a piece into two pieces, the best score first: what the training merged.
Merges merges_of(const PieceModel& model) {
  struct Split {
    std::string left, right;
    double score;
    std::size_t left_length, right_length;
  };
  std::unordered_map<std::string, TokenNumber> numbers;
  for (std::size_t i = 0; i < model.pieces.size(); ++i) numbers[model.pieces[i].text] = static_cast<TokenNumber>(i);
  constexpr std::size_t kMaxSplits = 20'000'000, kLongest = 1000;
  std::vector<Split> all;
  for (const PieceModel::Piece& piece : model.pieces) {
    std::vector<std::size_t> places;
    for_each_character(piece.text, [&](char32_t, std::size_t at, std::size_t) { places.push_back(at); });
    if (places.size() > kLongest) continue;
    const std::size_t first = all.size();
    for (std::size_t i = 1; i < places.size(); ++i) {
      Split split{piece.text.substr(0, places[i]), piece.text.substr(places[i]), piece.score, i, places.size() - i};
      if (numbers.count(split.left) && numbers.count(split.right)) all.push_back(std::move(split));
    }
    std::stable_sort(all.begin() + static_cast<std::ptrdiff_t>(first), all.end(), [&](const Split& a, const Split& b) {
      return std::pair(numbers[a.left], numbers[a.right]) < std::pair(numbers[b.left], numbers[b.right]);
    });
    if (all.size() > kMaxSplits) break;
  }
  std::stable_sort(all.begin(), all.end(), [](const Split& a, const Split& b) {
    return std::tuple(a.score, a.left_length, a.right_length) > std::tuple(b.score, b.left_length, b.right_length);
  });
  Merges merges;
  for (Split& split : all) merges.emplace_back(std::move(split.left), std::move(split.right));
  return merges;
}

Decoder spaces_and_bytes(bool strips) {
  std::vector<Decoder> steps{decode_replace(literal(kSpace), " "), decode_bytes(), decode_fuse()};
  if (strips) steps.push_back(decode_strip(' ', 1, 0));
  return in_sequence(std::move(steps));
}

// Llama 2 and its like; Gemma.
Parts from_byte_pairs(const fs::path& path, const PieceModel& model, const Options& options) {
  const std::string where = path.string();
  const bool gemma = options.family() == "Gemma", legacy = options.flag("legacy", true);
  pretrained::Vocabulary vocabulary;
  for (std::size_t i = 0; i < model.pieces.size(); ++i) vocabulary[model.pieces[i].text] = static_cast<TokenNumber>(i);
  Parts parts;
  BpeSettings settings;
  settings.unknown = options.token("unk_token", "<unk>");
  settings.fuse_unknown = settings.byte_fallback = true;
  parts.model = byte_pair(std::move(vocabulary), merges_of(model), std::move(settings), where);
  if (gemma) {
    parts.normalizer = replaced(literal(" "), kSpace);
    parts.pre_tokenizer = split(literal(" "), SplitKind::merged_with_previous, false);
  } else if (legacy) {
    std::vector<Normalizer> steps;
    if (model.add_dummy_prefix) steps.push_back(prepended(kSpace));
    steps.push_back(replaced(literal(" "), kSpace));
    parts.normalizer = in_sequence(std::move(steps));
  } else {
    parts.pre_tokenizer = metaspace(kSpace, model.add_dummy_prefix ? Prepend::first : Prepend::never, false);
  }
  parts.decoder = spaces_and_bytes(!gemma);
  const std::string bos = options.token("bos_token", gemma ? "<bos>" : "<s>"),
                    eos = options.token("eos_token", gemma ? "<eos>" : "</s>");
  std::vector<TemplatePiece> single{first_text()}, second{second_text(1)};
  if (options.flag("add_bos_token", true)) {
    single.insert(single.begin(), special(*parts.model, bos, where));
    second.insert(second.begin(), special(*parts.model, bos, where, 1));
  }
  if (options.flag("add_eos_token", false)) {
    single.push_back(special(*parts.model, eos, where));
    second.push_back(special(*parts.model, eos, where, 1));
  }
  std::vector<TemplatePiece> pair = single;
  pair.insert(pair.end(), second.begin(), second.end());
  parts.post_processor = by_template(std::move(single), std::move(pair));
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    const PieceModel::Piece& piece = model.pieces[i];
    const bool control = piece.type == 3;
    if (!piece.text.empty() && (control || piece.type == 4))
      parts.added.push_back({static_cast<TokenNumber>(i), piece.text, false, false, false, false, control});
  }
  return parts;
}

// T5, XLM-R, ALBERT.
Parts from_unigram(const fs::path& path, const PieceModel& model, const Options& options) {
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
  const Normalizer map = precompiled_map(model.character_map, false, where);
  if (albert) {
    std::vector<Normalizer> steps{replaced(literal("``"), "\""), replaced(literal("''"), "\"")};
    if (!options.flag("keep_accents", false))
      steps.insert(steps.end(), {to_normal_form(NormalForm::nfkd), without_accents()});
    if (options.flag("do_lower_case", true)) steps.push_back(lower_casing());
    steps.insert(steps.end(), {map, replaced(regular_expression(" {2,}", where), " ")});
    parts.normalizer = in_sequence(std::move(steps));
  } else {
    parts.normalizer = in_sequence(
        std::vector<Normalizer>{map, stripped(false, true), replaced(regular_expression(" {2,}", where), kSpace)});
  }
  parts.pre_tokenizer = metaspace(kSpace, Prepend::always, true);
  parts.decoder = decode_metaspace(kSpace, true);
  const auto token = [&](const std::string& text, int type_id = 0) {
    return special(*parts.model, text, where, type_id);
  };
  if (t5) {
    const std::string eos = options.token("eos_token", "</s>");
    parts.post_processor =
        by_template({first_text(), token(eos)}, {first_text(), token(eos), second_text(0), token(eos)});
    add_special(parts, {options.token("pad_token", "<pad>"), eos, options.token("unk_token", "<unk>")});
    for (std::int64_t i = 0; i < options.number("extra_ids", 100, 10'000); ++i)
      add_special(parts, {"<extra_id_" + std::to_string(i) + ">"});
  } else if (xlm) {
    parts.post_processor =
        by_template({token("<s>"), first_text(), token("</s>")},
                    {token("<s>"), first_text(), token("</s>"), token("</s>"), second_text(0), token("</s>")});
    add_special(parts, {"<s>", "<pad>", "</s>", "<unk>", "<mask>"}, "<mask>");
  } else {
    parts.post_processor =
        by_template({token("[CLS]"), first_text(), token("[SEP]")},
                    {token("[CLS]"), first_text(), token("[SEP]"), second_text(1), token("[SEP]", 1)});
    add_special(parts, {"<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"}, "[MASK]");
  }
  return parts;
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
  std::vector<SubToken> tokenize(const std::string& piece) const override {
    std::vector<SubToken> tokens = pieces_->tokenize(piece);
    for (SubToken& token : tokens) {
      const std::optional<TokenNumber> id = find(token.text);
      token.id = id.value_or(unknown_);
      if (!id) token.text = "<unk>";
    }
    return tokens;
  }
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
  parts.normalizer = sentencepiece_normalizer(model, where);
  parts.decoder = decode_metaspace(kSpace, true);
  const TemplatePiece end = special(*parts.model, "</s>", where);
  parts.post_processor = by_template({first_text(), end}, {first_text(), second_text(0), end});
  add_special(parts, {"</s>", "<unk>", "<pad>"});
  return parts;
}

}  // namespace

std::shared_ptr<const pretrained::Tokenizer> open_tokenizer(const fs::path& path, bool target) {
  const fs::path folder = snapshot_of(path);
  const auto made = [](Parts parts) { return std::make_shared<const pretrained::Tokenizer>(std::move(parts)); };
  if (is_there(folder / "source.spm") && is_there(folder / "vocab.json")) return made(from_two_sides(folder, target));
  if (is_there(folder / "tokenizer.json")) return read_tokenizer_json(folder / "tokenizer.json");
  const Options options(folder);
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
