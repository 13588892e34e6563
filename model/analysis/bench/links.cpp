#include "model/analysis/bench/links.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "model/analysis/alignment.h"
#include "model/analysis/word_groups.h"
#include "model/core/errors.h"
#include "model/decode/run.h"

namespace headlight {

namespace {

constexpr Index kMostWord = 100'000;

Index word_number(std::string_view text, const std::string& part) {
  Index number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0 || number > kMostWord)
    throw UsageError("expected a link as 0-1, source and target words from 0, found '" + part.substr(0, 40) + "'");
  return number;
}

}  // namespace

KnownLinks parse_links(const std::string& line) {
  KnownLinks known;
  std::istringstream parts(line);
  for (std::string part; parts >> part;) {
    const std::size_t at = part.find_first_of("-p?");
    if (at == part.npos) word_number("", part);
    const WordLink link{word_number(std::string_view(part).substr(0, at), part),
                        word_number(std::string_view(part).substr(at + 1), part)};
    if (part[at] == '-') known.sure.insert(link);
    known.possible.insert(link);
  }
  return known;
}

std::string links_text(const WordLinks& links) {
  std::vector<WordLink> sorted(links.begin(), links.end());
  std::ranges::sort(sorted, {}, [](const WordLink& link) { return std::pair(link.second, link.first); });
  std::string text;
  for (const WordLink& link : sorted)
    text += (text.empty() ? "" : " ") + std::to_string(link.first) + "-" + std::to_string(link.second);
  return text;
}

DoubleMatrix between_words(const DoubleMatrix& weights, const WordTokens& target, const WordTokens& source) {
  DoubleMatrix words = DoubleMatrix::Zero(static_cast<Index>(target.size()), static_cast<Index>(source.size()));
  for (std::size_t t = 0; t < target.size(); ++t)
    for (std::size_t s = 0; s < source.size(); ++s)
      for (const Index row : target[t])
        for (const Index key : source[s])
          words(static_cast<Index>(t), static_cast<Index>(s)) +=
              weights(row, key) / static_cast<double>(target[t].size());
  return words;
}

WordLinks links_of(const DoubleMatrix& weights, LinkRule rule, double threshold) {
  WordLinks links;
  for (Index t = 0; t < weights.rows() && weights.cols() > 0; ++t) {
    if (rule == LinkRule::threshold) {
      for (Index s = 0; s < weights.cols(); ++s)
        if (weights(t, s) > threshold) links.insert({s, t});
      continue;
    }
    Index best = 0;
    weights.row(t).maxCoeff(&best);
    Index back = t;
    if (rule == LinkRule::intersection) weights.col(best).maxCoeff(&back);
    if (back == t) links.insert({best, t});
  }
  return links;
}

void LinkErrors::add(const WordLinks& links, const KnownLinks& known) {
  found += static_cast<double>(links.size());
  sure += static_cast<double>(known.sure.size());
  for (const WordLink& link : links) {
    found_sure += known.sure.contains(link);
    found_possible += known.possible.contains(link);
  }
}

bool is_linked_word(std::string_view word) {
  return word.find_first_not_of(" \t\n\r") != word.npos && !is_special_token(word);
}

WordLinks links_of_run(const Result& result) {
  const std::vector<AttentionMap> maps = attention_maps(result);
  const bool reads_source = std::ranges::any_of(
      maps, [](const AttentionMap& map) { return map.kind == AttentionMap::Kind::cross; });  // not only its own text
  const Alignment all = reads_source ? alignment(result, maps, -1, true) : Alignment();
  std::vector<Index> rows, columns;
  for (std::size_t row = 0; row < all.row_labels.size(); ++row)
    if (is_linked_word(all.row_labels[row])) rows.push_back(static_cast<Index>(row));
  for (std::size_t column = 0; column < all.column_labels.size(); ++column)
    if (const int token = all.token_of_column[column]; token >= 0 &&
                                                       !result.tokens[static_cast<std::size_t>(token)].padding &&
                                                       is_linked_word(all.column_labels[column]))
      columns.push_back(static_cast<Index>(column));
  if (all.empty() || columns.empty()) throw UsageError("no output attends to the text by itself: there are no links");
  DoubleMatrix weights(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j)
      weights(static_cast<Index>(i), static_cast<Index>(j)) =
          static_cast<double>(all.weights[rows[i] * all.weights.columns() + columns[j]]);
  return links_of(weights, LinkRule::argmax);
}

}  // namespace headlight
