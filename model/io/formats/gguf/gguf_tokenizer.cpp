#include "model/io/formats/gguf/gguf_tokenizer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/core/ascii.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"

namespace headlight {

using namespace pretrained;

namespace {

constexpr const char* kWordSign = "\xe2\x96\x81";  // ▁
const std::string kFront = "tokenizer.ggml.";

enum TokenType { kUnknown = 2, kControl = 3, kOfUser = 4, kUnused = 5 };

// What the file says of its tokens.
struct Tokens {
  explicit Tokens(const GgufFile& given);
  std::optional<std::uint64_t> id(const char* key) const;
  bool flag(const char* key, bool fallback) const { return file->truth(kFront + key).value_or(fallback); }
  bool is_cut_out(std::size_t i) const { return types[i] == kUnknown || types[i] == kControl || types[i] == kOfUser; }
  pretrained::Vocabulary vocabulary() const;

  const GgufFile* file;
  std::string where, model;
  std::vector<std::string> texts;
  std::vector<int> types;
  std::vector<double> scores;  // empty: none
};

Tokens::Tokens(const GgufFile& given) : file(&given), where(given.where()) {
  const auto named = file->text(kFront + "model");
  if (!named || !file->has(kFront + "tokens"))
    throw FileError(where + ": there is no tokenizer: expected tokenizer.ggml.model and tokenizer.ggml.tokens");
  model = *named;
  texts = file->texts(kFront + "tokens");
  const auto as_many = [&](const char* key, std::size_t count) {
    if (count != texts.size() && file->has(kFront + key))
      file->fail(kFront + key, "expected as many as there are tokens, " + std::to_string(texts.size()) + ", found " +
                                   std::to_string(count));
  };
  const std::vector<double> said = file->numbers(kFront + "token_type");
  as_many("token_type", said.size());
  types.assign(texts.size(), 1);
  for (std::size_t i = 0; i < said.size(); ++i)
    types[i] = said[i] >= 0 && said[i] < 100 ? static_cast<int>(said[i]) : 1;
  scores = file->numbers(kFront + "scores");
  as_many("scores", scores.size());
}

std::optional<std::uint64_t> Tokens::id(const char* key) const {
  const auto found = file->whole(kFront + key);
  if (found && *found >= texts.size())
    file->fail(kFront + key,
               "expected a token of " + std::to_string(texts.size()) + ", found " + std::to_string(*found));
  return found;
}

pretrained::Vocabulary Tokens::vocabulary() const {
  pretrained::Vocabulary all;
  for (std::size_t i = 0; i < texts.size(); ++i) all.emplace(texts[i], static_cast<TokenNumber>(i));
  return all;
}

// What is looked for in a text before anything else; Phi-3's take the blanks behind them.
void add_signs(const Tokens& tokens, pretrained::Tokenizer::Parts& parts) {
  const std::string name = lower_ascii(tokens.file->text("general.name").value_or(std::string()));
  const bool phi = name.find("phi-3") != name.npos || name.find("phi3") != name.npos;
  for (std::size_t i = 0; i < tokens.texts.size(); ++i) {
    if (!tokens.is_cut_out(i)) continue;
    const std::string& text = tokens.texts[i];
    const bool strips = phi && tokens.types[i] != kUnknown && text != "<s>" && text != "<|endoftext|>";
    parts.added.add({text, false, false, strips, false, tokens.types[i] != kOfUser}, *parts.model,
                    static_cast<TokenNumber>(i));
  }
}

// The tokens in front of a text and behind it.
void add_template(const Tokens& tokens, pretrained::Tokenizer::Parts& parts, bool begins, bool ends) {
  const bool bert = tokens.model == "bert";
  const auto piece = [&](const char* key, int type_id) -> std::optional<TemplatePiece> {
    const auto id = tokens.id(key);
    if (!id) return {};
    return TemplatePiece{-1, {{static_cast<TokenNumber>(*id), tokens.texts[static_cast<std::size_t>(*id)]}}, type_id};
  };
  std::vector<TemplatePiece> single, pair;
  const char* first_key = bert && tokens.file->has(kFront + "cls_token_id") ? "cls_token_id" : "bos_token_id";
  const char* last_key = bert ? "seperator_token_id" : "eos_token_id";
  const auto first = piece(first_key, 0), last = piece(last_key, 0), second_last = piece(last_key, bert ? 1 : 0);
  if (tokens.flag("add_bos_token", begins) && first) single.push_back(*first);
  single.push_back({0, {}, 0});
  const bool with_end = bert || tokens.flag("add_eos_token", ends);
  if (with_end && last) single.push_back(*last);
  pair = single;
  if (tokens.flag("add_bos_token", begins) && first && !bert) pair.push_back(*first);
  pair.push_back({1, {}, bert ? 1 : 0});
  if (with_end && second_last) pair.push_back(*second_last);
  parts.post_processor = by_template(std::move(single), std::move(pair));
}

// Pairs of neighbours with the best score merge first; what is left and no token becomes bytes.
pretrained::Tokenizer::Parts by_scores(const Tokens& tokens) {
  if (tokens.scores.empty()) tokens.file->fail(kFront + "scores", "missing");
  PieceModel model;
  for (std::size_t i = 0; i < tokens.texts.size(); ++i)
    model.pieces.push_back(
        {tokens.texts[i], std::isfinite(tokens.scores[i]) ? tokens.scores[i] : -1e30, tokens.types[i]});
  pretrained::Tokenizer::Parts parts;
  BpeSettings settings;
  settings.byte_fallback = settings.fuse_unknown = true;
  for (std::size_t i = 0; i < tokens.texts.size() && !settings.unknown; ++i)
    if (tokens.types[i] == kUnknown) settings.unknown = tokens.texts[i];
  const auto merges = merges_of(model, tokens.where, &settings.ranks);
  parts.model = byte_pair(tokens.vocabulary(), merges, std::move(settings), tokens.where);
  const bool prefix = tokens.flag("add_space_prefix", true);
  std::vector<Normalizer> steps;
  if (prefix) steps.push_back(prepended(kWordSign));
  steps.push_back(replaced(literal(" "), kWordSign));
  parts.normalizer = in_sequence(std::move(steps));
  std::vector<Decoder> back{decode_replace(literal(kWordSign), " "), decode_bytes(), decode_fuse()};
  if (prefix) back.push_back(decode_strip(' ', 1, 0));
  parts.decoder = in_sequence(std::move(back));
  add_signs(tokens, parts);
  add_template(tokens, parts, true, false);
  return parts;
}

pretrained::Tokenizer::Parts by_merges(const Tokens& tokens) {
  const auto pre = tokens.file->text(kFront + "pre");
  const gguf::CutRule* rule = gguf::cut_rule(pre);
  if (!rule) tokens.file->fail(kFront + "pre", "the way \"" + pre->substr(0, 60) + "\" to cut a text is not known");
  pretrained::Tokenizer::Parts parts;
  const pretrained::Vocabulary known = tokens.vocabulary();
  std::vector<std::pair<std::string, std::string>> merges;
  BpeSettings settings;
  settings.ignore_merges = rule->whole;
  std::uint32_t rank = 0;
  for (const std::string& merge : tokens.file->texts(kFront + "merges")) {
    const std::size_t blank = merge.find(' ', 1);
    if (blank == merge.npos)
      tokens.file->fail(kFront + "merges", "expected two tokens, found \"" + merge.substr(0, 60) + "\"");
    const std::string left = merge.substr(0, blank), right = merge.substr(blank + 1);
    // Of tokens that were left out of the file nothing is made.
    if (known.contains(left) && known.contains(right) && known.contains(left + right)) {
      merges.emplace_back(left, right);
      settings.ranks.push_back(rank);
    }
    ++rank;
  }
  parts.model = byte_pair(known, merges, std::move(settings), tokens.where);
  std::vector<PreTokenizer> steps;
  for (const char* expression : rule->expressions)
    steps.push_back(split(regular_expression(expression, tokens.where), SplitKind::isolated, false));
  steps.push_back(byte_level(false, false));
  parts.pre_tokenizer = in_sequence(std::move(steps));
  parts.decoder = decode_byte_level();
  add_signs(tokens, parts);
  add_template(tokens, parts, rule->begins, false);
  return parts;
}

// The file marks where a word begins, the parts where it goes on.
pretrained::Tokenizer::Parts by_words(const Tokens& tokens) {
  constexpr std::size_t kLongestWord = 100'000;
  const std::string sign = kWordSign;
  pretrained::Vocabulary vocabulary;
  const auto word = [&](std::size_t i) {
    const std::string& text = tokens.texts[i];
    if (tokens.types[i] != 1) return text;
    return text.starts_with(sign) ? text.substr(sign.size()) : "##" + text;
  };
  for (std::size_t i = 0; i < tokens.texts.size(); ++i) vocabulary.emplace(word(i), static_cast<TokenNumber>(i));
  const auto unknown = tokens.id("unknown_token_id");
  if (!unknown) tokens.file->fail(kFront + "unknown_token_id", "missing");
  pretrained::Tokenizer::Parts parts;
  parts.normalizer = bert_normalizer({true, true, tokens.flag("normalizer.lowercase", true), {}});
  parts.pre_tokenizer = bert_words();
  parts.model =
      word_piece(std::move(vocabulary), {word(static_cast<std::size_t>(*unknown)), "##", kLongestWord}, tokens.where);
  parts.decoder = decode_word_piece("##", true);
  add_signs(tokens, parts);
  add_template(tokens, parts, true, true);
  return parts;
}

// The best sum of scores, over texts normalised by the map of the file.
pretrained::Tokenizer::Parts by_best_sum(const Tokens& tokens) {
  if (tokens.scores.empty()) tokens.file->fail(kFront + "scores", "missing");
  std::vector<std::pair<std::string, double>> pieces;
  std::optional<TokenNumber> unknown;
  double best = -1e30;
  for (std::size_t i = 0; i < tokens.texts.size(); ++i) {
    if (!std::isfinite(tokens.scores[i]))
      tokens.file->fail(kFront + "scores", "expected numbers, found NaN or infinity");
    if (tokens.types[i] == 1) best = std::max(best, tokens.scores[i]);
  }
  for (std::size_t i = 0; i < tokens.texts.size(); ++i) {
    const int type = tokens.types[i];
    const bool is_read = type == 1 || type == kOfUser || type == 6;
    if (type == kUnknown && !unknown) unknown = static_cast<TokenNumber>(i);
    // What a user defined wins against everything else.
    const double score = type == kOfUser ? static_cast<double>(tokens.texts[i].size()) * best - 0.1 : tokens.scores[i];
    pieces.emplace_back(is_read ? tokens.texts[i] : std::string(), score);
  }
  std::string map;
  for (const double byte : tokens.file->numbers(kFront + "precompiled_charsmap"))
    map += static_cast<char>(static_cast<unsigned char>(static_cast<int>(byte) & 255));
  pretrained::Tokenizer::Parts parts;
  parts.model = unigram(std::move(pieces), unknown, false, tokens.where);
  const bool prefix = tokens.flag("add_space_prefix", true);
  std::vector<Normalizer> steps;
  if (!map.empty()) steps.push_back(precompiled_map(map, true, tokens.where));
  if (tokens.flag("remove_extra_whitespaces", true)) {
    steps.push_back(replaced(regular_expression("\\A +| +\\z", tokens.where), ""));
    steps.push_back(replaced(regular_expression(" {2,}", tokens.where), " "));
  }
  steps.push_back(replaced(literal(" "), kWordSign));
  if (prefix) steps.push_back(prepended(kWordSign));
  parts.normalizer = in_sequence(std::move(steps));
  parts.decoder = decode_metaspace(kWordSign, prefix);
  add_signs(tokens, parts);
  add_template(tokens, parts, false, true);
  return parts;
}

}  // namespace

std::shared_ptr<const pretrained::Tokenizer> gguf_tokenizer(const GgufFile& file) {
  static constexpr std::pair<const char*, pretrained::Tokenizer::Parts (*)(const Tokens&)> kinds[] = {
      {"llama", by_scores}, {"gpt2", by_merges}, {"bert", by_words}, {"t5", by_best_sum}};
  const Tokens tokens(file);
  for (const auto& [name, parts] : kinds)
    if (tokens.model == name) return std::make_shared<const pretrained::Tokenizer>(parts(tokens));
  file.fail(kFront + "model", "the tokenizer \"" + tokens.model.substr(0, 60) + "\" is not known");
}

GgufTemplates gguf_templates(const GgufFile& file) {
  GgufTemplates found;
  const std::string key = "tokenizer.chat_template";
  if (const auto usual = file.text(key)) found.templates["default"] = *usual;
  for (const auto& [name, value] : file.values())
    if (name.starts_with(key + ".")) found.templates[name.substr(key.size() + 1)] = file.text(name).value_or(value);
  const std::vector<std::string> tokens = file.texts(kFront + "tokens");
  for (const auto& [theirs, here] : {std::pair("bos_token", "bos_token_id"),
                                     {"eos_token", "eos_token_id"},
                                     {"unk_token", "unknown_token_id"},
                                     {"pad_token", "padding_token_id"},
                                     {"sep_token", "seperator_token_id"},
                                     {"cls_token", "cls_token_id"},
                                     {"mask_token", "mask_token_id"}})
    if (const auto id = file.whole(kFront + here); id && *id < tokens.size())
      found.special[theirs] = tokens[static_cast<std::size_t>(*id)];
  return found;
}

}  // namespace headlight
