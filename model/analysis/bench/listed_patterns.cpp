#include "model/analysis/bench/listed_patterns.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "model/analysis/word_groups.h"
#include "model/core/errors.h"
#include "model/text/pretrained/unicode.h"
#include "model/text/utf8.h"

namespace headlight {

namespace {

// Whether a token is punctuation of Unicode alone: what a text writes with symbols is none.
bool is_only_punctuation(const std::string& token) {
  std::string_view text = token;
  for (const std::string_view mark : {"##", "▁", "Ġ", " "})
    if (text.starts_with(mark) && text.size() > mark.size()) text.remove_prefix(mark.size());
  constexpr std::string_view kSymbols = "$+<=>^`|~";
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = code_point_length(text, i);
    const std::string_view letter = text.substr(i, length);
    if (length == 0 || !pretrained::is_punctuation(code_point(letter)) || kSymbols.find(letter) != kSymbols.npos)
      return false;
    i += length;
  }
  return !text.empty();
}

// The weights of one layer [H x T x T].
Tensor weights_of(const AttentionMap& map) {
  Tensor weights{Shape({map.heads, map.row_count(), map.column_count()})};
  Index at = 0;
  for (Index head = 0; head < map.heads; ++head)
    for (Index row = 0; row < map.row_count(); ++row)
      for (Index column = 0; column < map.column_count(); ++column) weights[at++] = map.weight(head, row, column);
  return weights;
}

}  // namespace

PatternText pattern_text(std::vector<TokenId> ids, const std::vector<std::string>& words, std::vector<Index> special) {
  PatternText made{std::move(ids), {}, std::move(special)};
  for (std::size_t i = 1; i < words.size(); ++i)
    if (std::ranges::count(made.special, static_cast<Index>(i)) > 0 || is_only_punctuation(words[i]))
      made.separators.push_back(static_cast<Index>(i));
  return made;
}

PatternText pattern_text(const std::vector<std::string>& words) {
  std::map<std::string, TokenId> numbers;
  std::vector<TokenId> ids;
  std::vector<Index> special;
  for (std::size_t i = 0; i < words.size(); ++i) {
    ids.push_back(numbers.try_emplace(words[i], static_cast<TokenId>(numbers.size())).first->second);
    if (words[i].empty()) ids.back() = -1 - static_cast<TokenId>(i);  // of no text: like no other
    if (is_special_token(words[i])) special.push_back(static_cast<Index>(i));
  }
  return pattern_text(std::move(ids), words, std::move(special));
}

PatternText pattern_text(const TextReader& reader, const TextIds& text) {
  return pattern_text(text.ids, reader.words(text.ids), reader.special(text.ids));
}

ListedReader::ListedReader(std::shared_ptr<const ModelBundle> bundle) : bundle_(std::move(bundle)) {
  if (!bundle_->stored) reader_ = std::make_shared<const TextReader>(bundle_);
}

ListedReader::Text ListedReader::read(const std::string& text, const std::string& second, const std::string& written,
                                      const CancelToken& cancel) const {
  TextIds ids = reader_->ids_of(text, second, written);
  const Reading reading = reader_->read(ids, TextReader::Keep::weights, {}, cancel);
  for (const SideReading& side : reading.sides) {
    if (side.kind == AttentionMap::Kind::cross) continue;
    if (side.kind == AttentionMap::Kind::decoder_self && !ids.fed.empty()) ids = TextIds{ids.fed, {}, {}};
    Text made{reader_->words(ids.ids), {{}, true, side.causal}, pattern_text(*reader_, ids), side.kind};
    for (const LayerReading& layer : side.layers) made.maps.layers.push_back(layer.weights);
    return made;
  }
  throw UsageError(bundle_->name + ": no text looks at itself here");
}

ListedReader::Text ListedReader::read_stored(std::size_t at, const CancelToken& cancel) const {
  Request request;
  request.model = bundle_;
  request.source = std::to_string(at);
  request.cancel = cancel;
  const Result result = bundle_->stored->run(request);
  Text made;
  for (const AttentionMap& map : attention_maps(result)) {
    if (!map.is_self() || map.row_count() != map.column_count() || !map.within_shares()) continue;
    if (made.maps.layers.empty()) {
      made.kind = map.kind;
      for (const AttentionToken& token : map.columns) made.words.push_back(token.text);
    }
    if (map.kind == made.kind) made.maps.layers.push_back(weights_of(map));
    made.maps.causal = map.row_count() > 1 && !map.has(0, 1);
  }
  if (made.maps.layers.empty()) throw UsageError(bundle_->name + ": no text looks at itself here");
  made.pattern = pattern_text(made.words);
  return made;
}

}  // namespace headlight
