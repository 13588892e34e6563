#include "app/cli/printed/result_json.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/analysis/alignment.h"
#include "model/analysis/cost/kv_cache.h"
#include "model/analysis/living/map.h"
#include "model/core/json_library.h"

namespace headlight {

namespace {

// Numbers that are none have no JSON form; null says so honestly.
Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json token_json(const Result& result, std::size_t i) {
  const TextToken& token = result.tokens[i];
  Json json{{"text", token.text}, {"begin", token.begin}, {"end", token.end}};
  json["id"] = token.id ? Json(*token.id) : Json(nullptr);
  json["padding"] = token.padding;
  if (!result.second.empty()) json["sentence"] = token.sentence;
  if (result.model->text.token_types > 0) json["type_id"] = token.type;
  json["position"] = result.position_of_token[i] >= 0 ? Json(result.position_of_token[i]) : Json(nullptr);
  return json;
}

Json step_json(const OutputStep& step) {
  Json json{
      {"id", step.id}, {"text", step.text}, {"probability", json_number(step.probability)}, {"top", Json::array()}};
  for (const Candidate& candidate : step.top)
    json["top"].push_back(
        {{"id", candidate.id}, {"text", candidate.text}, {"probability", json_number(candidate.probability)}});
  return json;
}

Json alignment_json(const Alignment& alignment) {
  if (alignment.empty()) return nullptr;
  Json rows = Json::array();
  for (Index t = 0; t < alignment.weights.rows(); ++t) {
    Json row = Json::array();
    for (Index s = 0; s < alignment.weights.columns(); ++s)
      row.push_back(json_number(static_cast<double>(alignment.weights[t * alignment.weights.columns() + s])));
    rows.push_back(std::move(row));
  }
  return {{"rows", alignment.row_labels}, {"columns", alignment.column_labels}, {"weights", std::move(rows)}};
}

const std::map<BeamHypothesis::Fate, const char*> kFates = {{BeamHypothesis::Fate::alive, "alive"},
                                                            {BeamHypothesis::Fate::finished, "finished"},
                                                            {BeamHypothesis::Fate::truncated, "truncated"},
                                                            {BeamHypothesis::Fate::stopped, "stopped"},
                                                            {BeamHypothesis::Fate::pruned, "pruned"}};

// What each input word and each written word brought to a step; null for a model that has no living map.
Json origins_json(const LivingMap* map, int step) {
  const int lane = map ? map->lane_of_step(step) : -1;
  if (lane < 0) return nullptr;
  Json origins = Json::array();
  for (const LivingOrigin& origin : living_origins(*map, living_flow(*map, {lane, -1}))) {
    if (!(origin.share > 0)) continue;
    Json json{{"text", nullptr}, {"token", nullptr}, {"step", nullptr}};
    if (origin.lane >= 0) {
      const LivingLane& from = map->lanes[static_cast<std::size_t>(origin.lane)];
      json["text"] = from.text;
      if (from.token >= 0)
        json["token"] = from.token;
      else if (from.side == LivingLane::Side::target && from.step > 0)
        json["step"] = from.step - 1;  // it was written there, and fed to the next one
    }
    json["share"] = json_number(origin.share);
    json["percent"] = origin.percent;
    origins.push_back(std::move(json));
  }
  return origins;
}

}  // namespace

Json beam_json(const BeamTree& tree, const Vocabulary* vocabulary) {
  Json steps = Json::array(), best = Json::array();
  for (const BeamStep& step : tree.steps) {
    Json hypotheses = Json::array();
    for (const BeamHypothesis& h : step.hypotheses) {
      Json row{{"token", h.token}};
      if (vocabulary) row["text"] = vocabulary->text(h.token);
      row.update(Json{{"parent", h.parent},
                      {"logp", json_number(h.logp)},
                      {"score", json_number(h.score)},
                      {"fate", kFates.at(h.fate)}});
      row["attention"] = Json::array();
      for (const double a : h.attention) row["attention"].push_back(json_number(a));
      hypotheses.push_back(std::move(row));
    }
    steps.push_back(std::move(hypotheses));
  }
  for (const BeamEnd& end : tree.best) {
    Json tokens = Json::array();
    for (const TokenId id : end.tokens) tokens.push_back(vocabulary ? Json(vocabulary->text(id)) : Json(id));
    best.push_back({{"tokens", std::move(tokens)},
                    {"logp", json_number(end.logp)},
                    {"score", json_number(end.score)},
                    {"truncated", end.truncated}});
  }
  return {{"steps", std::move(steps)}, {"best", std::move(best)}};
}

Json steps_json(const std::shared_ptr<const Result>& run) {
  Json steps = Json::array();
  const auto map = living_map(run);
  for (std::size_t t = 0; t < run->steps.size(); ++t) {
    steps.push_back(step_json(run->steps[t]));
    steps.back()["origins"] = origins_json(map.get(), static_cast<int>(t));
  }
  return steps;
}

Json cache_of_settings(const Json& settings, std::size_t ids, std::size_t target, std::size_t written,
                       const std::string& type) {
  const auto shape = cache_shape(settings);
  if (!shape) return nullptr;
  const std::size_t read = !shape->reads_source ? ids : std::max<std::size_t>(target, 1);
  return cache_json(*shape, static_cast<Index>(read + (written > 0 ? written - 1 : 0)), static_cast<Index>(ids), type);
}

Json result_json(const std::shared_ptr<const Result>& run) {
  const Result& result = *run;
  Json json{{"model", result.model->name}, {"source", result.source}, {"output", result.output}};
  if (!result.second.empty()) json["second"] = result.second;
  json["tokens"] = Json::array();
  for (std::size_t i = 0; i < result.tokens.size(); ++i) json["tokens"].push_back(token_json(result, i));
  json["steps"] = steps_json(run);
  json["alignment"] = alignment_json(alignment(result));
  if (result.beam) json["beam"] = beam_json(*result.beam, &result.model->target_vocabulary());
  if (const auto shape = cache_shape(result); shape && !result.steps.empty())
    json["cache"] = cache_json(*shape, tokens_read(result, static_cast<Index>(result.steps.size()) - 1),
                               static_cast<Index>(result.token_of_position.size()), result.model->number_type);
  json["notes"] = Json::array();
  for (const RunNote& note : result.notes) json["notes"].push_back(note_text(note));
  json["seconds"] = result.seconds;
  return json;
}

}  // namespace headlight
