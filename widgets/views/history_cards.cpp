#include "widgets/views/history_cards.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace headlight {

namespace {

// When an architecture was first published (arXiv, or the conference), for the order of the cards.
struct Published {
  std::string_view architecture;
  int year, month;
  const char* paper;
};
constexpr Published kPublished[] = {
    {"seq2seq_peeky", 2014, 6, "Cho et al."},
    {"seq2seq", 2014, 9, "Sutskever et al."},
    {"bahdanau", 2014, 9, "Bahdanau et al."},
    {"bahdanau_m30k", 2014, 9, "Bahdanau et al."},
    {"ntm", 2014, 10, "Graves et al."},
    {"hard_attention", 2015, 2, "Xu et al."},
    {"attn_seq2seq", 2015, 8, "Luong et al."},
    {"luong", 2015, 8, "Luong et al."},
    {"gnmt", 2016, 9, "Wu et al."},
    {"convs2s", 2017, 5, "Gehring et al."},
    {"transformer", 2017, 6, "Vaswani et al."},
    {"decoder_only", 2018, 6, "Radford et al."},
    {"encoder_only", 2018, 10, "Devlin et al."},
};

const Published& published(const Json& config) {
  static constexpr Published kUnknown{"", 9999, 0, ""};
  const std::string architecture = config.value("model_type", std::string());
  const auto found = std::find_if(std::begin(kPublished), std::end(kPublished),
                                  [&](const Published& row) { return row.architecture == architecture; });
  return found == std::end(kPublished) ? kUnknown : *found;
}

// Luong et al. go from global attention to local attention in one paper.
bool is_local(const Json& config) { return config.value("attention.reach", std::string("global")) != "global"; }

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
  std::vector<Row> rows{{{open.model, open.model->model->config()}, true}};
  for (const ModelDescription& model : models)
    if (model.bundle->folder != open.model->folder && suits(*model.bundle, *open.model, open.source))
      rows.push_back({model, false});
  const auto place = [](const Row& row) {
    const Published& at = published(row.model.config);
    return std::tuple(at.year, at.month, at.architecture, is_local(row.model.config), row.model.bundle->order,
                      row.model.bundle->name);
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return place(a) < place(b); });
  std::vector<HistoryCard> cards;
  for (Row& row : rows) {
    const Published& at = published(row.model.config);
    cards.push_back({std::move(row.model.bundle), at.month > 0 ? at.year : 0, at.paper, row.open});
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
