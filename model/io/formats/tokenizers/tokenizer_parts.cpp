// What the old files of tokenizers have in common, and those without a sentencepiece model that no library reads fast:
// letters, and merges with marks.

#include "model/io/formats/tokenizers/tokenizer_parts.h"

#include <algorithm>

#include "model/core/errors.h"
#include "model/io/json_file.h"
#include "model/io/text_file.h"
#include "model/text/pretrained/table_model.h"

namespace headlight {

namespace fs = std::filesystem;
using namespace pretrained;

namespace tokenizer_parts {

TokenNumber number_of(const Parts& parts, const std::string& token, const std::string& where) {
  if (const std::optional<TokenNumber> id = parts.find(token)) return *id;
  throw FormatError(where + ": the special token \"" + token + "\" is not in the vocabulary");
}
TemplatePiece special(const Parts& parts, const std::string& token, const std::string& where, int type_id) {
  return {-1, {{number_of(parts, token, where), token}}, type_id};
}
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

namespace {

constexpr std::string_view kEnd = "</w>", kGoesOn = "@@";

// Byte pairs that are stored with a mark where the word goes on, and merged with one where it ends. A piece that is not
// in the vocabulary is unknown by itself.
class MarkedPairs : public pretrained::TableModel {
 public:
  MarkedPairs(pretrained::Vocabulary vocabulary, const Merges& merges, const std::string& unknown,
              const std::string& where)
      : TableModel(std::move(vocabulary), where) {
    pretrained::Vocabulary inner{{"", 0}};
    const auto add = [&](const std::string& piece) { inner.emplace(piece, static_cast<TokenNumber>(inner.size())); };
    for (const auto& [token, id] : vocabulary_) {
      const bool goes_on = token.ends_with(kGoesOn) && token.size() > kGoesOn.size();
      add(goes_on ? token.substr(0, token.size() - kGoesOn.size()) : token + std::string(kEnd));
    }
    for (const auto& [left, right] : merges) {
      add(left);
      add(right);
      add(left + right);
    }
    BpeSettings settings;
    settings.unknown = "";
    settings.suffix = kEnd;
    pairs_ = byte_pair(std::move(inner), merges, std::move(settings), where);
    unknown_ = unknown_number(unknown);
  }

  std::vector<SubToken> tokenize(const std::string& piece, WordCut* cut) const override {
    std::vector<SubToken> tokens = pairs_->tokenize(piece, cut);
    for (SubToken& token : tokens) {
      token.text = piece.substr(token.first, token.last - token.first);
      if (token.last < piece.size()) token.text += kGoesOn;
      token.id = find(token.text).value_or(unknown_);
    }
    if (cut && !cut->steps.empty()) {
      std::vector<CutPiece>& last = cut->steps.back().pieces;
      last.clear();
      for (const SubToken& token : tokens) last.push_back({token.text, token.id == unknown_});
    }
    return tokens;
  }
  std::optional<TokenNumber> unknown() const override { return unknown_; }

 private:
  std::shared_ptr<const SubwordModel> pairs_;
  TokenNumber unknown_ = 0;
};

// Words with the end of a line behind them; signs stand apart, an apostrophe on both sides; lower case.
PreTokenizer marked_words(const std::string& where) {
  std::vector<Normalizer> steps;
  for (const char* sign : {".", ",", "!", "?", "(", ")"})
    steps.push_back(replaced(literal(sign), std::string(" ") + sign));
  steps.insert(steps.end(), {replaced(literal("'"), " ' "), replaced(regular_expression("\\s{2,}", where), " "),
                             replaced(literal("\n"), " __newln__"), lower_casing()});
  const auto apart = [normalise = in_sequence(std::move(steps))](const AlignedText& text) {
    AlignedText changed = text;
    normalise(changed);
    return Pieces{changed};
  };
  return in_sequence(std::vector<PreTokenizer>{split(regular_expression("\\S+\\n?", where), SplitKind::removed, true),
                                               apart, split(literal(" "), SplitKind::removed, false)});
}

}  // namespace

Parts from_marked_merges(const fs::path& folder, const TokenizerConfig& options) {
  const std::string where = (folder / "merges.txt").string();
  Parts parts;
  parts.model =
      std::make_shared<const MarkedPairs>(read_numbers(folder / "vocab.json"), read_merges(folder / "merges.txt"),
                                          options.token("unk_token", "__unk__"), where);
  parts.pre_tokenizer = marked_words(where);
  parts.decoder = [](Texts tokens) {
    std::string text;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool joins = tokens[i].ends_with(kGoesOn) && i + 1 < tokens.size();
      text += joins ? tokens[i].substr(0, tokens[i].size() - kGoesOn.size()) : tokens[i];
      if (!joins && i + 1 < tokens.size()) text += ' ';
    }
    return Texts{text};
  };
  options.add_tokens(
      parts,
      named_tokens(
          {{"bos_token", "__start__"}, {"eos_token", "__end__"}, {"unk_token", "__unk__"}, {"pad_token", "__null__"}}));
  return parts;
}

// Every token of the vocabulary is looked for in the text, the longest first; what is between them is unknown.
Parts from_letters(const fs::path& path, const TokenizerConfig& options) {
  pretrained::Vocabulary vocabulary;
  const std::vector<std::string> lines = read_lines(path, kMaxText);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t first = lines[i].find_first_not_of(" \t\r"), last = lines[i].find_last_not_of(" \t\r");
    vocabulary[first == std::string::npos ? std::string() : lines[i].substr(first, last - first + 1)] =
        static_cast<TokenNumber>(i);
  }
  const std::string where = path.string();
  std::vector<std::pair<TokenNumber, std::string>> letters;
  for (const auto& [token, id] : vocabulary) letters.emplace_back(id, token);
  std::sort(letters.begin(), letters.end());
  Parts parts;
  parts.model = word_level(std::move(vocabulary), options.token("unk_token", "<unk>"), where);
  parts.pre_tokenizer = split(characters(is_white_space), SplitKind::removed, false);
  options.add_tokens(parts, named_tokens({{"eos_token", "<eos>"},
                                          {"unk_token", "<unk>"},
                                          {"pad_token", "<pad>"},
                                          {"cls_token", "<cls>"},
                                          {"mask_token", "<mask>"}}));
  for (const auto& [id, letter] : letters)
    if (!parts.added.find(letter)) parts.added.add({letter, false, false, false, false, false}, *parts.model);
  const TemplatePiece cls = special(parts, options.token("cls_token", "<cls>"), where),
                      eos = special(parts, options.token("eos_token", "<eos>"), where);
  parts.post_processor = by_template({cls, first_text(), eos}, {cls, first_text(), eos, second_text(0), eos});
  return parts;
}

}  // namespace tokenizer_parts

}  // namespace headlight
