// tokenizer.json: each part by its "type", with all of its settings. What is not known is named, never left out.

#include <algorithm>
#include <cmath>

#include "model/core/errors.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/formats/tokenizers/tokenizer_config.h"
#include "model/io/json_file.h"

namespace headlight {

using namespace pretrained;

namespace {

constexpr std::uint64_t kMaxTokenizer = 256u << 20;
constexpr JsonLimits kLimits{64, 4'000'000, 12'000'000};
constexpr std::size_t kMaxSteps = 100;

// One object of the file and the way to it, so that errors name both.
class Part {
 public:
  Part(const Json& json, std::string file, std::string where)
      : json_(&json), file_(std::move(file)), where_(std::move(where)), s_(json, file_, where_) {}

  std::string type() const { return s_.text("type"); }
  std::string where() const { return file_ + ": " + where_; }
  bool has(const char* key) const { return s_.has(key) && !s_.at(key).is_null(); }
  const Json& at(const char* key) const { return s_.at(key); }
  std::string text(const char* key) const { return s_.text(key); }
  std::string text(const char* key, const char* fallback) const { return has(key) ? s_.text(key) : fallback; }
  bool flag(const char* key, bool fallback) const {
    if (!has(key)) return fallback;
    if (!at(key).is_boolean())
      s_.fail(key, "expected true or false, found " + at(key).dump(-1, ' ', true).substr(0, 60));
    return at(key).get<bool>();
  }
  std::int64_t number(const char* key, std::int64_t least, std::int64_t most, std::int64_t fallback) const {
    return has(key) ? s_.integer(key, least, most) : fallback;
  }
  Part part(const char* key) const { return {s_.at(key), file_, where_ + "." + key}; }
  std::vector<Part> list(const char* key) const {
    const Json& list = s_.at(key);
    if (!list.is_array()) s_.fail(key, "expected a list");
    if (list.size() > kMaxSteps) s_.fail(key, "expected at most " + std::to_string(kMaxSteps) + " parts, found more");
    std::vector<Part> parts;
    for (std::size_t i = 0; i < list.size(); ++i)
      parts.emplace_back(list[i], file_, where_ + "." + key + "[" + std::to_string(i) + "]");
    return parts;
  }
  // Throws when there is another key: it may change the tokens.
  void only(std::initializer_list<const char*> keys) const {
    for (const auto& item : json_->items())
      if (item.key() != "type" && std::find(keys.begin(), keys.end(), item.key()) == keys.end())
        s_.fail(item.key(), "this setting of " + (s_.has("type") ? type() : "it") + " is not known");
  }
  [[noreturn]] void fail(const char* key, const std::string& what) const { s_.fail(key, what); }
  [[noreturn]] void unsupported(const char* kind) const {
    throw FormatError(where() + ": unsupported " + kind + " \"" + type() + "\"");
  }
  const Json& json() const { return *json_; }

 private:
  const Json* json_;
  std::string file_, where_;
  Settings s_;
};

std::string literal_text(const Part& part, const char* key) {
  constexpr std::size_t kLongest = 10'000;  // a long one is looked for at each place of a text
  std::string text = part.text(key);
  if (text.size() > kLongest) part.fail(key, "expected at most " + std::to_string(kLongest) + " bytes");
  return text;
}
// {"String": "..."} or {"Regex": "..."}.
Pattern read_pattern(const Part& part) {
  const Part pattern = part.part("pattern");
  if (pattern.has("String")) return literal(literal_text(pattern, "String"));
  return regular_expression(pattern.text("Regex"), pattern.where());
}

std::string from_base64(const std::string& text, const Part& part) {
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) part.fail("precompiled_charsmap", "expected base64");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xff);
  }
  return bytes;
}

template <typename Step, typename Read>
std::vector<Step> steps(const Part& part, const char* key, Read read) {
  part.only({key});
  std::vector<Step> all;
  for (const Part& each : part.list(key)) all.push_back(read(each));
  return all;
}

Normalizer read_normalizer(const Part& part) {
  const std::string type = part.type();
  if (type == "Sequence") return in_sequence(steps<Normalizer>(part, "normalizers", read_normalizer));
  if (type == "BertNormalizer") {
    part.only({"clean_text", "handle_chinese_chars", "strip_accents", "lowercase"});
    BertNormalizing settings{
        part.flag("clean_text", true), part.flag("handle_chinese_chars", true), part.flag("lowercase", true), {}};
    if (part.has("strip_accents")) settings.strip_accents = part.flag("strip_accents", true);
    return bert_normalizer(settings);
  }
  if (type == "Replace") {
    part.only({"pattern", "content"});
    return replaced(read_pattern(part), part.text("content"));
  }
  if (type == "Prepend") {
    part.only({"prepend"});
    return prepended(part.text("prepend"));
  }
  if (type == "Strip") {
    part.only({"strip_left", "strip_right"});
    return stripped(part.flag("strip_left", true), part.flag("strip_right", true));
  }
  if (type == "Precompiled") {
    part.only({"precompiled_charsmap"});
    return precompiled_map(from_base64(part.text("precompiled_charsmap", ""), part), false, part.where());
  }
  part.only({});
  if (type == "NFC") return to_normal_form(NormalForm::nfc);
  if (type == "NFD") return to_normal_form(NormalForm::nfd);
  if (type == "NFKC") return to_normal_form(NormalForm::nfkc);
  if (type == "NFKD") return to_normal_form(NormalForm::nfkd);
  if (type == "Lowercase") return lower_casing();
  if (type == "StripAccents") return without_accents();
  if (type == "Nmt") return nmt();
  if (type == "ByteLevel") return bytes_as_characters();
  part.unsupported("normalizer");
}

SplitKind split_kind(const Part& part) {
  static constexpr std::pair<const char*, SplitKind> kinds[] = {{"Removed", SplitKind::removed},
                                                                {"Isolated", SplitKind::isolated},
                                                                {"MergedWithPrevious", SplitKind::merged_with_previous},
                                                                {"MergedWithNext", SplitKind::merged_with_next},
                                                                {"Contiguous", SplitKind::contiguous}};
  const std::string name = part.text("behavior", "Isolated");
  for (const auto& [known, kind] : kinds)
    if (name == known) return kind;
  part.fail("behavior", "unsupported behaviour \"" + name + "\"");
}

Prepend prepend_of(const Part& part) {
  const bool add = part.flag("add_prefix_space", true);  // of older files
  const std::string name = part.text("prepend_scheme", add ? "always" : "never");
  if (name == "always") return Prepend::always;
  if (name == "first") return Prepend::first;
  if (name != "never") part.fail("prepend_scheme", "unsupported scheme \"" + name + "\"");
  return Prepend::never;
}

std::string replacement(const Part& part) {
  const std::string text = part.text("replacement");
  if (std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }) != 1)
    part.fail("replacement", "expected one character, found \"" + text.substr(0, 60) + "\"");
  return text;
}

PreTokenizer read_pre_tokenizer(const Part& part) {
  const std::string type = part.type();
  if (type == "Sequence") return in_sequence(steps<PreTokenizer>(part, "pretokenizers", read_pre_tokenizer));
  if (type == "Split") {
    part.only({"pattern", "behavior", "invert"});
    return split(read_pattern(part), split_kind(part), part.flag("invert", false));
  }
  if (type == "ByteLevel") {
    part.only({"add_prefix_space", "trim_offsets", "use_regex"});
    return byte_level(part.flag("add_prefix_space", true), part.flag("use_regex", true));
  }
  if (type == "Metaspace") {
    part.only({"replacement", "prepend_scheme", "split", "add_prefix_space", "str_rep"});
    return metaspace(replacement(part), prepend_of(part), part.flag("split", true));
  }
  if (type == "Digits") {
    part.only({"individual_digits"});
    return split(characters(is_numeric),
                 part.flag("individual_digits", false) ? SplitKind::isolated : SplitKind::contiguous, false);
  }
  if (type == "Punctuation") {
    part.only({"behavior"});
    return split(characters(is_punctuation), split_kind(part), false);
  }
  if (type == "CharDelimiterSplit") {
    part.only({"delimiter"});
    return split(literal(literal_text(part, "delimiter")), SplitKind::removed, false);
  }
  if (type == "FixedLength") {
    part.only({"length"});
    return of_length(static_cast<std::size_t>(part.number("length", 1, 1'000'000, 5)));
  }
  part.only({});
  if (type == "BertPreTokenizer") return bert_words();
  if (type == "WhitespaceSplit") return split(characters(is_white_space), SplitKind::removed, false);
  if (type == "Whitespace") return words_and_signs();
  if (type == "UnicodeScripts") return by_script();
  part.unsupported("pre-tokenizer");
}

Vocabulary read_vocabulary(const Part& part) {
  const Json& json = part.at("vocab");
  if (!json.is_object()) part.fail("vocab", "expected an object of tokens and their numbers");
  Vocabulary vocabulary;
  vocabulary.reserve(json.size());
  for (const auto& [token, id] : json.items()) vocabulary.emplace(token, token_number(id, part.where() + ".vocab"));
  return vocabulary;
}

std::vector<std::pair<std::string, std::string>> read_merges(const Part& part) {
  const Json& json = part.at("merges");
  if (!json.is_array()) part.fail("merges", "expected a list");
  std::vector<std::pair<std::string, std::string>> merges;
  merges.reserve(json.size());
  for (const Json& merge : json) {
    const bool pair = merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string();
    const std::string text = merge.is_string() ? merge.get<std::string>() : std::string();
    if (text.starts_with("#version")) continue;  // the first line of merges.txt
    const std::size_t space = text.find(' ');
    if (!pair && (space == std::string::npos || text.find(' ', space + 1) != std::string::npos))
      part.fail("merges", "expected two tokens, found " + merge.dump(-1, ' ', true).substr(0, 60));
    merges.emplace_back(pair ? merge[0].get<std::string>() : text.substr(0, space),
                        pair ? merge[1].get<std::string>() : text.substr(space + 1));
  }
  return merges;
}

std::shared_ptr<const SubwordModel> read_unigram(const Part& part) {
  part.only({"unk_id", "vocab", "byte_fallback"});
  const Json& json = part.at("vocab");
  if (!json.is_array() || json.empty()) part.fail("vocab", "expected a list of pieces and their scores");
  std::vector<std::pair<std::string, double>> pieces;
  pieces.reserve(json.size());
  for (const Json& piece : json) {
    if (!piece.is_array() || piece.size() != 2 || !piece[0].is_string() || !piece[1].is_number() ||
        !std::isfinite(piece[1].get<double>()))
      part.fail("vocab", "expected a piece and its score, found " + piece.dump(-1, ' ', true).substr(0, 60));
    pieces.emplace_back(piece[0].get<std::string>(), piece[1].get<double>());
  }
  std::optional<TokenNumber> unknown;
  if (part.has("unk_id")) unknown = part.number("unk_id", 0, kMaxTokenNumber, 0);
  return unigram(std::move(pieces), unknown, part.flag("byte_fallback", false), part.where());
}

// Older files do not say the type of the model: its settings tell it.
std::string model_type(const Part& part) {
  if (part.has("type")) return part.type();
  return part.has("merges")                     ? "BPE"
         : part.has("unk_id")                   ? "Unigram"
         : part.has("max_input_chars_per_word") ? "WordPiece"
                                                : "WordLevel";
}

std::shared_ptr<const SubwordModel> read_model(const Part& part) {
  const std::string type = model_type(part);
  if (type == "Unigram") return read_unigram(part);
  if (type == "WordPiece") {
    part.only({"unk_token", "continuing_subword_prefix", "max_input_chars_per_word", "vocab"});
    return word_piece(read_vocabulary(part),
                      {part.text("unk_token", "[UNK]"), part.text("continuing_subword_prefix", "##"),
                       static_cast<std::size_t>(part.number("max_input_chars_per_word", 0, 1'000'000, 100))},
                      part.where());
  }
  if (type == "WordLevel") {
    part.only({"unk_token", "vocab"});
    return word_level(read_vocabulary(part), part.text("unk_token", "<unk>"), part.where());
  }
  if (type != "BPE") part.unsupported("model");
  part.only({"dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "fuse_unk", "byte_fallback",
             "ignore_merges", "vocab", "merges"});
  if (part.has("dropout") && !(part.at("dropout").is_number() && part.at("dropout").get<double>() == 0))
    part.fail("dropout", "merges that are left out by chance are not supported");
  BpeSettings settings;
  if (part.has("unk_token")) settings.unknown = part.text("unk_token");
  settings.prefix = part.text("continuing_subword_prefix", "");
  settings.suffix = part.text("end_of_word_suffix", "");
  settings.fuse_unknown = part.flag("fuse_unk", false);
  settings.byte_fallback = part.flag("byte_fallback", false);
  settings.ignore_merges = part.flag("ignore_merges", false);
  return byte_pair(read_vocabulary(part), read_merges(part), std::move(settings), part.where());
}

std::vector<TemplatePiece> read_template(const Part& part, const char* key) {
  std::vector<TemplatePiece> pieces;
  for (const Part& each : part.list(key)) {
    const bool is_text = each.has("Sequence");
    const Part inner = each.part(is_text ? "Sequence" : "SpecialToken");
    TemplatePiece piece;
    piece.type_id = static_cast<int>(inner.number("type_id", 0, 1'000'000, 0));
    if (is_text) {
      const std::string id = inner.text("id");
      if (id != "A" && id != "B") inner.fail("id", "expected A or B, found \"" + id + "\"");
      piece.sequence = id == "A" ? 0 : 1;
    } else {
      const std::string id = inner.text("id");
      const Part token = part.part("special_tokens").part(id.c_str());
      const Json &ids = token.at("ids"), &texts = token.at("tokens");
      if (!ids.is_array() || !texts.is_array() || ids.size() != texts.size() || ids.size() > kMaxSteps)
        token.fail("ids", "expected as many numbers as there are tokens");
      for (std::size_t i = 0; i < ids.size(); ++i) {
        if (!texts[i].is_string()) token.fail("tokens", "expected texts");
        piece.tokens.emplace_back(token_number(ids[i], token.where() + ".ids"), texts[i].get<std::string>());
      }
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::pair<std::string, TokenNumber> read_token(const Part& part, const char* key) {
  const Json& json = part.at(key);
  if (!json.is_array() || json.size() != 2 || !json[0].is_string()) part.fail(key, "expected a token and its number");
  return {json[0].get<std::string>(), token_number(json[1], part.where() + "." + key)};
}

PostProcessor read_post_processor(const Part& part) {
  const std::string type = part.type();
  if (type == "Sequence") return in_sequence(steps<PostProcessor>(part, "processors", read_post_processor));
  if (type == "TemplateProcessing") {
    part.only({"single", "pair", "special_tokens"});
    return by_template(read_template(part, "single"), read_template(part, "pair"));
  }
  if (type == "ByteLevel") {
    part.only({"add_prefix_space", "trim_offsets", "use_regex"});
    if (!part.flag("trim_offsets", true)) return [](std::vector<Encoding> texts, bool) { return texts; };
    return trimming_offsets(part.flag("add_prefix_space", true));
  }
  if (type == "BertProcessing") {
    part.only({"sep", "cls"});
    return bert_processing(read_token(part, "sep"), read_token(part, "cls"));
  }
  if (type == "RobertaProcessing") {
    part.only({"sep", "cls", "trim_offsets", "add_prefix_space"});
    return roberta_processing(read_token(part, "sep"), read_token(part, "cls"), part.flag("trim_offsets", true),
                              part.flag("add_prefix_space", true));
  }
  part.unsupported("post-processor");
}

Decoder read_decoder(const Part& part) {
  const std::string type = part.type();
  if (type == "Sequence") return in_sequence(steps<Decoder>(part, "decoders", read_decoder));
  if (type == "ByteLevel") {
    part.only({"add_prefix_space", "trim_offsets", "use_regex"});
    return decode_byte_level();
  }
  if (type == "WordPiece") {
    part.only({"prefix", "cleanup"});
    return decode_word_piece(part.text("prefix", "##"), part.flag("cleanup", true));
  }
  if (type == "Metaspace") {
    part.only({"replacement", "prepend_scheme", "split", "add_prefix_space", "str_rep"});
    return decode_metaspace(replacement(part), prepend_of(part) != Prepend::never);
  }
  if (type == "Replace") {
    part.only({"pattern", "content"});
    return decode_replace(read_pattern(part), part.text("content"));
  }
  if (type == "Strip") {
    part.only({"content", "start", "stop"});
    const std::u32string content = AlignedText(part.text("content")).characters();
    if (content.size() != 1) part.fail("content", "expected one character");
    return decode_strip(content[0], static_cast<std::size_t>(part.number("start", 0, 1000, 0)),
                        static_cast<std::size_t>(part.number("stop", 0, 1000, 0)));
  }
  if (type == "BPEDecoder") {
    part.only({"suffix"});
    return decode_suffix(part.text("suffix", "</w>"));
  }
  if (type == "CTC") {
    part.only({"pad_token", "word_delimiter_token", "cleanup"});
    return decode_ctc(part.text("pad_token", "<pad>"), part.text("word_delimiter_token", "|"),
                      part.flag("cleanup", true));
  }
  part.only({});
  if (type == "ByteFallback") return decode_bytes();
  if (type == "Fuse") return decode_fuse();
  part.unsupported("decoder");
}

// Their numbers follow from their order, whatever the file says.
void read_added(const Json& root, const std::string& file, pretrained::Tokenizer::Parts& parts) {
  const auto list = root.find("added_tokens");
  if (list == root.end() || list->is_null()) return;
  if (!list->is_array()) throw FormatError(file + ": added_tokens: expected a list");
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Part part((*list)[i], file, "added_tokens[" + std::to_string(i) + "]");
    part.only({"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"});
    if (part.number("id", 0, kMaxTokenNumber, -1) < 0) part.fail("id", "missing");
    parts.added.add({part.text("content"), part.flag("single_word", false), part.flag("lstrip", false),
                     part.flag("rstrip", false), part.flag("normalized", false), part.flag("special", false)},
                    *parts.model);
  }
}

// What tokenizer_config.json says otherwise of the parts that have such a setting, in the file as it was read.
void change(Json& root, const char* key, const std::function<void(Json& part)>& as_said) {
  if (const auto part = root.find(key); part != root.end() && part->is_object()) as_said(*part);
}
bool is_of_type(const Json& part, const char* type) {
  return part.is_object() && part.contains("type") && part.at("type") == type;
}

void set_prefix_space(Json& root, bool add, bool legacy) {
  for (const char* key : {"pre_tokenizer", "decoder"})
    change(root, key, [&](Json& part) {
      if (is_of_type(part, "ByteLevel")) part["add_prefix_space"] = add;
      if (!is_of_type(part, "Metaspace")) return;
      const Json scheme = part.value("prepend_scheme", Json("always"));
      part.erase("add_prefix_space");
      part["prepend_scheme"] = !add ? Json("never") : scheme != "never" ? scheme : Json(legacy ? "always" : "first");
    });
  change(root, "post_processor", [&](Json& part) {
    if (is_of_type(part, "RobertaProcessing")) part["add_prefix_space"] = add;
  });
  if (add) return;
  const auto drop = [&](const char* key, const char* list, const char* type) {
    change(root, key, [&](Json& part) {
      if (!is_of_type(part, "Sequence") || !part.contains(list) || !part.at(list).is_array()) return;
      Json kept = Json::array();
      for (const Json& step : part.at(list))
        if (!is_of_type(step, type)) kept.push_back(step);
      part[list] = std::move(kept);
    });
  };
  drop("normalizer", "normalizers", "Prepend");
  drop("decoder", "decoders", "Strip");
}

void set_as_said(Json& root, const TokenizerConfig& config) {
  if (const auto add = config.optional_flag("add_prefix_space"))
    set_prefix_space(root, *add, config.flag("legacy", true));
  if (config.family().empty()) return;  // only the classes of BERT look at these
  for (const auto& [theirs, ours] : {std::pair("do_lower_case", "lowercase"),
                                     {"strip_accents", "strip_accents"},
                                     {"tokenize_chinese_chars", "handle_chinese_chars"}})
    if (const auto said = config.optional_flag(theirs))
      change(root, "normalizer", [&, &key = ours](Json& part) {
        if (is_of_type(part, "BertNormalizer")) part[key] = *said;
      });
}

}  // namespace

std::shared_ptr<const pretrained::Tokenizer> read_tokenizer_json(const std::filesystem::path& path,
                                                                 const TokenizerConfig* beside) {
  Json root = read_python_json(path, kMaxTokenizer, kLimits);
  const std::string file = path.string();
  const Settings settings(root, file);
  // Truncation and padding are for training in batches: a text that somebody types stays whole.
  settings.allow_only({"version", "truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "model",
                       "post_processor", "decoder"});
  if (settings.has("version") && settings.at("version") != "1.0") settings.fail("version", "expected \"1.0\"");
  const auto present = [&](const char* key) { return settings.has(key) && !settings.at(key).is_null(); };
  const auto part = [&](const char* key) { return Part(settings.at(key), file, key); };
  if (beside) set_as_said(root, *beside);
  pretrained::Tokenizer::Parts parts;
  if (present("normalizer")) parts.normalizer = read_normalizer(part("normalizer"));
  if (present("pre_tokenizer")) parts.pre_tokenizer = read_pre_tokenizer(part("pre_tokenizer"));
  parts.model = read_model(part("model"));
  if (present("post_processor")) parts.post_processor = read_post_processor(part("post_processor"));
  if (present("decoder")) parts.decoder = read_decoder(part("decoder"));
  read_added(root, file, parts);
  if (beside) beside->add_tokens(parts, {});
  return std::make_shared<const pretrained::Tokenizer>(std::move(parts));
}

}  // namespace headlight
