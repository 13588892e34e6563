#include "model/analysis/bench/repeated.h"

#include <algorithm>

#include "model/analysis/word_groups.h"
#include "model/core/json_library.h"
#include "model/core/random.h"

namespace headlight {

namespace {

// The mean weight `back` keys before the query, over the queries from `from` to 2 n (back < 0: that of the first key).
double mean_back(const ConstMatrixMap& a, Index from, Index back) {
  double sum = 0;
  Index count = 0;
  for (Index q = from; q < a.rows(); ++q) {
    const Index key = back < 0 ? 0 : q - back;
    if (key < 0 || key >= a.cols()) continue;
    sum += static_cast<double>(a(q, key));
    ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : 0;
}

double mean_next(const ConstMatrixMap& a) {
  double sum = 0;
  for (Index q = 0; q + 1 < a.rows(); ++q) sum += static_cast<double>(a(q, q + 1));
  return a.rows() > 1 ? sum / static_cast<double>(a.rows() - 1) : 0;
}

double even_share(Index from, Index rows, bool causal) {
  double sum = 0;
  for (Index q = from; q < rows; ++q) sum += 1 / static_cast<double>(causal ? q + 1 : rows);
  return rows > from ? sum / static_cast<double>(rows - from) : 0;
}

Index shortest_window(const Json& config) {
  Index least = config.value("window", Index(0));
  for (const Json& window : config.value("layer_windows", Json::array()))
    if (const auto w = window.get<Index>(); w > 0 && (least == 0 || w < least)) least = w;
  return least;
}

}  // namespace

std::vector<std::vector<TokenId>> repeated_texts(const TextReader& reader, const RepeatedSettings& settings) {
  const ModelBundle& bundle = reader.bundle();
  const Index n = settings.length, most = bundle.text.most_source;
  const std::string asked = "repeated random tokens: " + std::to_string(n) + " tokens twice";
  if (most > 0 && 2 * n + 1 > most)
    throw UsageError(asked + " are more than the " + std::to_string(most) + " positions of this model");
  if (const Index window = shortest_window(bundle.model->config()); window > 0 && window < n)
    throw UsageError(asked + " are farther apart than the window of " + std::to_string(window) + " tokens");
  const std::vector<std::string>& tokens = bundle.source_vocabulary().tokens();
  std::vector<TokenId> usual;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (!is_special_token(tokens[i]) && !is_byte_piece(tokens[i])) usual.push_back(static_cast<TokenId>(i));
  if (static_cast<Index>(usual.size()) < n)
    throw UsageError(asked + ": the vocabulary has " + std::to_string(usual.size()) + " that are no signs");
  const std::vector<TokenId> added = reader.ids_of(bundle.examples.empty() ? "a" : bundle.examples.front()).ids;
  const std::vector<Index> signs = reader.special(added);
  const TokenId first = !signs.empty() && signs.front() == 0 ? added.front()
                        : bundle.text.eos                    ? *bundle.text.eos
                                                             : bundle.text.bos;
  Random random(settings.seed, Random::Stream::init);
  std::vector<std::vector<TokenId>> texts;
  for (Index row = 0; row < settings.rows; ++row) {
    std::vector<TokenId> drawn;
    for (Index i = 0; i < n; ++i) {  // the first n of a shuffled list
      const Index left = static_cast<Index>(usual.size()) - i;
      std::swap(usual[static_cast<std::size_t>(i)],
                usual[static_cast<std::size_t>(i + random.below(static_cast<std::uint32_t>(left)))]);
      drawn.push_back(usual[static_cast<std::size_t>(i)]);
    }
    std::vector<TokenId>& text = texts.emplace_back(1, first);
    for (int twice = 0; twice < 2; ++twice) text.insert(text.end(), drawn.begin(), drawn.end());
  }
  return texts;
}

RepeatedScores repeated_scores(const TextReader& reader, const std::vector<std::vector<TokenId>>& texts,
                               const CancelToken& cancel) {
  if (reader.by_steps() || reader.writes_after_encoder())
    throw UsageError("repeated random tokens: of models that read one text with heads of self-attention");
  RepeatedScores scores;
  scores.texts = texts;
  for (const std::vector<TokenId>& text : texts) {
    const Reading reading = reader.read({text, {}, {}}, TextReader::Keep::weights, {}, cancel);
    if (reading.sides.empty()) throw UsageError("this model has no heads of self-attention");
    const SideReading& side = reading.sides.front();
    const auto layers = static_cast<Index>(side.layers.size()), heads = side.layers.front().heads(),
               rows = static_cast<Index>(text.size()), n = (rows - 1) / 2;
    const double share = 1 / static_cast<double>(texts.size());
    for (DoubleMatrix* sum : {&scores.duplicate, &scores.previous}) {
      if (sum->size() == 0) *sum = DoubleMatrix::Zero(layers, heads);
    }
    for (DoubleMatrix* sum : {&scores.induction, &scores.first})
      if (side.causal && sum->size() == 0) *sum = DoubleMatrix::Zero(layers, heads);
    if (!side.causal && scores.next.size() == 0) scores.next = DoubleMatrix::Zero(layers, heads);
    for (Index l = 0; l < layers; ++l)
      for (Index h = 0; h < heads; ++h) {
        const Tensor& weights = side.layers[static_cast<std::size_t>(l)].weights;
        const ConstMatrixMap a(weights.data() + h * rows * rows, rows, rows);
        scores.duplicate(l, h) += share * mean_back(a, n + 1, n);
        scores.previous(l, h) += share * mean_back(a, 2, 1);
        if (side.causal) scores.induction(l, h) += share * mean_back(a, n + 1, n - 1);
        if (side.causal) scores.first(l, h) += share * mean_back(a, 2, -1);
        if (!side.causal) scores.next(l, h) += share * mean_next(a);
      }
    scores.chance_of_copies = even_share(n + 1, rows, side.causal);
    scores.chance = even_share(2, rows, side.causal);
  }
  return scores;
}

}  // namespace headlight
