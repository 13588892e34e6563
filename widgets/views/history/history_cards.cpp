#include "widgets/views/history/history_cards.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace headlight {

namespace {

bool suits(const ModelBundle& model, const ModelBundle& open, const std::string& text) {
  if (!model.task.empty() && model.task == open.task) return true;
  const Tokenizer& tokenizer = model.text.source;
  if (tokenizer.kind() == TokenizerKind::characters) return false;
  const std::vector<TextToken> tokens = tokenizer.split(text);
  return !tokens.empty() && std::ranges::none_of(tokens, [](const TextToken& token) { return token.unknown; });
}

}  // namespace

std::vector<HistoryCard> history_cards(const std::vector<ModelDescription>& models, const Result& open) {
  struct Row {
    ModelDescription model;
    bool open;
  };
  std::vector<Row> rows{{{open.model, open.model->model->traits()}, true}};
  for (const ModelDescription& model : models)
    if (model.bundle->folder != open.model->folder && suits(*model.bundle, *open.model, open.source))
      rows.push_back({model, false});
  // Luong et al. go from global attention to local attention in one paper.
  const auto place = [](const Row& row) {
    const ModelTraits& traits = row.model.traits;
    return std::tuple(traits.published.year, traits.published.month, traits.architecture, traits.local_attention,
                      row.model.bundle->order, row.model.bundle->name);
  };
  std::ranges::stable_sort(rows, [&](const Row& a, const Row& b) { return place(a) < place(b); });
  std::vector<HistoryCard> cards;
  for (Row& row : rows) {
    const Published& at = row.model.traits.published;
    cards.push_back({std::move(row.model.bundle), at.year, at.authors, row.open});
  }
  return cards;
}

std::vector<std::string> output_tokens(const Result& result) {
  std::vector<std::string> texts;
  for (const OutputStep& step : result.steps) texts.push_back(step.text);
  return texts;
}

std::vector<std::string> common_output(const std::vector<const Result*>& results) {
  std::map<std::vector<std::string>, int> votes;
  for (const Result* result : results)
    if (!result->steps.empty()) ++votes[output_tokens(*result)];
  std::vector<std::string> best;
  int most = 0;
  for (const Result* result : results) {
    const std::vector<std::string> tokens = output_tokens(*result);
    const auto found = votes.find(tokens);
    if (found == votes.end() || found->second <= most) continue;
    most = found->second;
    best = tokens;
  }
  return best;
}

std::vector<PlacePair> agreement(const std::vector<std::string>& common, const Result& result) {
  return aligned(common, output_tokens(result));
}

}  // namespace headlight
