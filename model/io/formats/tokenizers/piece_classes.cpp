// Tokenizers of a sentencepiece model alone: the parts that the libraries put together for each class.

#include <algorithm>

#include "model/core/budget.h"
#include "model/core/effort.h"
#include "model/core/errors.h"
#include "model/io/formats/tokenizers/tokenizer_parts.h"

namespace headlight {

namespace fs = std::filesystem;
using namespace pretrained;
using namespace tokenizer_parts;

namespace {

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

// What a class keeps of the numbers of the pieces: tokens of its own in front of them, of which one stands for what is
// unknown, and how many pieces it leaves out.
struct Numbering {
  std::vector<std::pair<std::string, double>> front;
  std::size_t skipped = 0;
  std::optional<TokenNumber> unknown;
  std::vector<std::string> behind;
};

// Those of fairseq: XLM-R, CamemBERT, mBART, NLLB; those of Pegasus; T5's behind the pieces.
Numbering numbering_of(const PieceModel& model, const TokenizerConfig& options) {
  const std::string family = options.family();
  Numbering n;
  if (family == "XLMRoberta" || options.has_languages()) {
    n = {{{"<s>", 0}, {"<pad>", 0}, {"</s>", 0}, {"<unk>", 0}}, 3, 3, {}};
    if (options.has_languages()) n.behind = options.further();
    n.behind.emplace_back("<mask>");
    return n;
  }
  if (family == "Camembert")
    return {
        {{"<s>NOTUSED", 0}, {"<pad>", 0}, {"</s>NOTUSED", 0}, {"<unk>", 0}, {"<unk>NOTUSED", -100}}, 1, 3, {"<mask>"}};
  const auto unknown = std::ranges::find(model.pieces, 2, &PieceModel::Piece::type);
  if (unknown != model.pieces.end()) n.unknown = static_cast<TokenNumber>(unknown - model.pieces.begin());
  if (family == "Pegasus") {
    const std::int64_t offset = options.number("offset", 103, 100'000);
    for (const char* key : {"pad_token", "eos_token"})
      n.front.emplace_back(options.token(key, key[0] == 'p' ? "<pad>" : "</s>"), 0);
    if (offset > 1)
      for (const auto& token : {std::string("<mask_1>"), options.token("mask_token", "<mask_2>")})
        n.front.emplace_back(token, 0);
    for (std::int64_t i = 2; i < offset; ++i) n.front.emplace_back("<unk_" + std::to_string(i) + ">", -100);
    n.skipped = 2;
    if (n.unknown) *n.unknown += static_cast<TokenNumber>(n.front.size()) - 2;
  } else if (family != "Albert" && family != "DebertaV2") {
    for (std::int64_t i = options.number("extra_ids", 100, 10'000); i-- > 0;)
      n.behind.push_back("<extra_id_" + std::to_string(i) + ">");
  }
  return n;
}

Normalizer unigram_normalizer(const PieceModel& model, const TokenizerConfig& options, const std::string& where) {
  const Normalizer map = precompiled_map(model.character_map, false, where);
  const std::string family = options.family();
  const bool lower = options.flag("do_lower_case", family == "Albert");
  std::vector<Normalizer> steps;
  if (family == "DebertaV2") {
    if (lower) steps.push_back(lower_casing());
    steps.insert(steps.end(), {stripped(true, true), map, replaced(regular_expression(" {2,}", where), " ")});
  } else if (family == "Albert") {
    steps = {replaced(literal("``"), "\""), replaced(literal("''"), "\"")};
    if (!options.flag("keep_accents", false))
      steps.insert(steps.end(), {to_normal_form(NormalForm::nfkd), without_accents()});
    if (lower) steps.push_back(lower_casing());
    steps.insert(steps.end(), {map, replaced(regular_expression(" {2,}", where), " ")});
  } else {
    steps = {map, stripped(false, true), replaced(regular_expression(" {2,}", where), kSpace)};
  }
  return in_sequence(std::move(steps));
}

// T5 and Pegasus end a text with a sign; the languages of mBART and NLLB stand in front of it or behind that sign.
void end_text(Parts& parts, const TokenizerConfig& options, const std::string& where) {
  const std::string family = options.family();
  const TemplatePiece eos = special(parts, options.token("eos_token", "</s>"), where), a = first_text(),
                      b = second_text(0);
  if (options.has_languages()) {
    const TemplatePiece code = special(parts, options.text("src_lang", family == "Nllb" ? "eng_Latn" : "en_XX"), where);
    const bool behind = family == "MBart" || (family == "Nllb" && options.flag("legacy_behaviour", false));
    parts.post_processor =
        behind ? by_template({a, eos, code}, {a, b, eos, code}) : by_template({code, a, eos}, {code, a, b, eos});
  } else if (family == "Pegasus") {
    parts.post_processor = by_template({a, eos}, {a, b, eos});
  } else {
    parts.post_processor = by_template({a, eos}, {a, eos, b, eos});
  }
}

// RoBERTa's signs, or BERT's.
void enclose_text(Parts& parts, const TokenizerConfig& options, bool roberta, const std::string& where) {
  const TemplatePiece cls = special(parts, options.token("cls_token", roberta ? "<s>" : "[CLS]"), where);
  const std::string sep = options.token("sep_token", roberta ? "</s>" : "[SEP]");
  const TemplatePiece end = special(parts, sep, where);
  parts.post_processor = roberta
                             ? by_template({cls, first_text(), end}, {cls, first_text(), end, end, second_text(0), end})
                             : by_template({cls, first_text(), end},
                                           {cls, first_text(), end, second_text(1), special(parts, sep, where, 1)});
}

// The signs of a class, as they are where no file says it.
NamedTokens signs_of(const std::string& family, bool roberta) {
  if (family == "Pegasus")
    return named_tokens(
        {{"eos_token", "</s>"}, {"unk_token", "<unk>"}, {"pad_token", "<pad>"}, {"mask_token", "<mask_2>"}});
  const bool bert = family == "Albert" || family == "DebertaV2";
  if (!roberta && !bert) return named_tokens({{"eos_token", "</s>"}, {"unk_token", "<unk>"}, {"pad_token", "<pad>"}});
  const std::string cls = bert ? "[CLS]" : "<s>", sep = bert ? "[SEP]" : "</s>";
  const bool deberta = family == "DebertaV2";
  return named_tokens({{"bos_token", cls},
                       {"eos_token", sep},
                       {"unk_token", deberta ? "[UNK]" : "<unk>"},
                       {"sep_token", sep},
                       {"pad_token", deberta ? "[PAD]" : "<pad>"},
                       {"cls_token", cls},
                       {"mask_token", bert ? "[MASK]" : "<mask>"}},
                      !deberta);
}

// Merges under the numbers of a class (NLLB), else the best path.
std::shared_ptr<const SubwordModel> numbered_model(const PieceModel& model, const Numbering& numbering,
                                                   const std::string& where) {
  std::vector<std::pair<std::string, double>> pieces = numbering.front;
  for (std::size_t i = numbering.skipped; i < model.pieces.size(); ++i)
    pieces.emplace_back(model.pieces[i].text, model.pieces[i].score);
  for (const std::string& token : numbering.behind) pieces.emplace_back(token, 0.0);
  if (model.model_type != 2) return unigram(std::move(pieces), numbering.unknown, false, where);
  pretrained::Vocabulary vocabulary;
  for (std::size_t i = 0; i < pieces.size(); ++i) vocabulary.emplace(pieces[i].first, static_cast<TokenNumber>(i));
  BpeSettings settings;
  settings.unknown = "<unk>";
  settings.fuse_unknown = true;
  return byte_pair(std::move(vocabulary), merges_of(model, where), std::move(settings), where);
}

// T5, XLM-R, ALBERT and their like.
Parts from_numbered(const fs::path& path, const PieceModel& model, const TokenizerConfig& options) {
  const std::string where = path.string(), family = options.family();
  const bool languages = options.has_languages(), roberta = family == "XLMRoberta" || family == "Camembert",
             bert = family == "Albert" || family == "DebertaV2";
  const Numbering numbering = numbering_of(model, options);
  Parts parts;
  parts.model = numbered_model(model, numbering, where);
  parts.normalizer = unigram_normalizer(model, options, where);
  const bool prefix_space = options.flag("add_prefix_space", true);
  std::vector<PreTokenizer> steps;
  if (family == "Pegasus") steps.push_back(split(characters(is_white_space), SplitKind::removed, false));
  if (options.flag("split_by_punct", false) && family == "DebertaV2")
    steps.push_back(split(characters(is_punctuation), SplitKind::isolated, false));
  steps.push_back(metaspace(kSpace, prefix_space ? Prepend::always : Prepend::never, true));
  parts.pre_tokenizer = in_sequence(std::move(steps));
  parts.decoder = decode_metaspace(kSpace, prefix_space);
  if (!roberta && !bert && !languages)
    for (std::int64_t i = 0; i < options.number("extra_ids", 100, 10'000); ++i)
      add_known(parts, "<extra_id_" + std::to_string(i) + ">");
  if (family == "Pegasus")
    for (std::size_t i = 2; i < numbering.front.size(); ++i) add_known(parts, numbering.front[i].first);
  options.add_tokens(parts, signs_of(family, roberta || languages));
  if (roberta || bert)
    enclose_text(parts, options, roberta, where);
  else
    end_text(parts, options, where);
  return parts;
}

}  // namespace

namespace tokenizer_parts {

Parts from_pieces(const fs::path& path, const PieceModel& model, const TokenizerConfig& options) {
  if (options.family() == "M2M100")
    throw FormatError(path.string() +
                      ": tokenizers of the class M2M100Tokenizer are not implemented without a "
                      "tokenizer.json");
  const bool merges = model.model_type == 2 && !options.has_languages();
  return merges ? from_byte_pairs(path, model, options) : from_numbered(path, model, options);
}

}  // namespace tokenizer_parts

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

}  // namespace headlight
