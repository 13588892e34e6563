#include "model/recording/probing.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "model/analysis/attention_maps.h"
#include "model/decode/run.h"
#include "model/io/half.h"
#include "model/recording/live_training.h"

namespace headlight {

namespace {

constexpr Index kWritten = 60;        // tokens that an open-ended model goes on writing
constexpr double kTemperature = 0.8;  // of them

Result run_probe(const ModelBundle& bundle, const std::string& source, bool trace, const CancelToken& cancel) {
  Request request;
  request.model = {std::shared_ptr<const ModelBundle>(), &bundle};  // as long as this call lasts
  request.source = source;
  request.trace = trace;
  request.capture = {attention_sites(), false};
  request.cancel = cancel;
  return run(request);
}

// Tokens of the source that were typed and read: no padding, no signs around the text.
std::vector<int> typed_tokens(const Result& result) {
  std::vector<int> typed;
  for (std::size_t i = 0; i < result.tokens.size(); ++i) {
    const TextToken& token = result.tokens[i];
    if (result.position_of_token[i] >= 0 && !token.padding && token.begin < token.end)
      typed.push_back(static_cast<int>(i));
  }
  return typed;
}

// The steps that wrote the output, in reading order: no end sign, and no spaces that fill up a fixed length.
std::vector<int> written_steps(const Result& result) {
  const TextRules& text = result.model->text;
  std::vector<int> steps;
  for (std::size_t t = 0; t < result.steps.size(); ++t)
    if (result.steps[t].id != text.eos) steps.push_back(static_cast<int>(t));
  if (result.model->model->traits().writes_reversed) std::reverse(steps.begin(), steps.end());
  while (!text.eos && !steps.empty() && result.steps[static_cast<std::size_t>(steps.back())].text == " ")
    steps.pop_back();
  return steps;
}

bool is_recorded(const AttentionMap& map, const std::vector<AttentionMap>& all) {
  using Kind = AttentionMap::Kind;
  const auto has = [&](Kind kind) {
    return std::any_of(all.begin(), all.end(), [&](const AttentionMap& other) { return other.kind == kind; });
  };
  if (has(Kind::cross)) return map.kind == Kind::cross;
  return map.kind == (has(Kind::decoder_self) ? Kind::decoder_self : Kind::encoder_self);
}

// "decoder.step[3].attention.weights" without its step.
std::string site_without_step(const AttentionMap& map) {
  std::string name = (*map.trace)[map.entry(0)].site.text;
  constexpr std::string_view kStep = "step[";
  const std::size_t begin = name.find(kStep);
  if (begin == std::string::npos) return name;
  const std::size_t end = name.find("].", begin);
  return end == std::string::npos ? name : name.erase(begin, end + 2 - begin);
}

Index row_of_step(const AttentionMap& map, const Result& result, int step) {
  for (Index r = 0; r < map.row_count(); ++r)
    if (map.rows[static_cast<std::size_t>(r)].step == step) return r;
  // What reads and writes at the same places has no steps of its own.
  const auto at = static_cast<std::size_t>(step);
  if (map.kind != AttentionMap::Kind::encoder_self || at >= result.token_of_position.size()) return -1;
  for (Index r = 0; r < map.row_count(); ++r)
    if (map.rows[static_cast<std::size_t>(r)].token == result.token_of_position[at]) return r;
  return -1;
}

// Columns of the map for the tokens that were read, and of a text that looks at itself while it is written also for
// those that were written: each is read at the step behind. −1: none.
std::vector<Index> columns_of(const AttentionMap& map, const std::vector<int>& typed, const std::vector<int>& steps) {
  const auto find = [&](const auto& is_it) {
    const auto found = std::find_if(map.columns.begin(), map.columns.end(), is_it);
    return found == map.columns.end() ? Index{-1} : static_cast<Index>(found - map.columns.begin());
  };
  std::vector<Index> columns;
  for (const int token : typed) columns.push_back(find([&](const AttentionToken& c) { return c.token == token; }));
  if (map.kind == AttentionMap::Kind::decoder_self)
    for (const int step : steps) columns.push_back(find([&](const AttentionToken& c) { return c.step == step + 1; }));
  return columns;
}

// As a file keeps it, so that what was read again is the same.
Scalar as_half(Scalar weight) {
  return std::isfinite(weight) ? static_cast<Scalar>(from_half(to_half(static_cast<double>(weight)))) : Scalar(0);
}

Tensor picture(const AttentionMap& map, Index head, const Result& result, const std::vector<int>& typed,
               const std::vector<int>& steps) {
  const std::vector<Index> columns = columns_of(map, typed, steps);
  Tensor weights = Tensor::zeros({static_cast<Index>(steps.size()), static_cast<Index>(columns.size())});
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const Index row = row_of_step(map, result, steps[t]);
    for (std::size_t c = 0; row >= 0 && c < columns.size(); ++c)
      if (columns[c] >= 0)
        weights[static_cast<Index>(t * columns.size() + c)] = as_half(map.weight(head, row, columns[c]));
  }
  return weights;
}

}  // namespace

std::vector<RecordedMap> maps_of(const ModelBundle& bundle, const std::string& source) {
  const Result result = run_probe(bundle, source, true, {});
  const std::vector<AttentionMap> all = attention_maps(result);
  std::vector<RecordedMap> maps;
  for (const AttentionMap& map : all) {
    if (!is_recorded(map, all)) continue;
    for (Index head = 0; head < map.heads; ++head)
      maps.push_back({site_without_step(map), static_cast<int>(map.layer), map.heads > 1 ? static_cast<int>(head) : -1,
                      map.is_self()});
  }
  return maps;
}

Probe read_probe(const ModelBundle& bundle, Probe probe) {
  const Result result = run_probe(bundle, probe.source, false, {});
  probe.source_tokens.clear();
  probe.target_tokens.clear();
  for (const int token : typed_tokens(result))
    probe.source_tokens.push_back(result.tokens[static_cast<std::size_t>(token)].text);
  for (const TextToken& token : bundle.text.target.split(probe.target))
    probe.target_tokens.push_back(token.id && !token.unknown ? bundle.target_vocabulary().text(*token.id) : token.text);
  return probe;
}

std::string goes_on_writing(const ModelBundle& bundle, const std::string& start, const CancelToken& cancel) {
  ModelBundle longer = bundle;
  longer.text.target_length = kWritten;
  Request request;
  request.model = {std::shared_ptr<const ModelBundle>(), &longer};
  request.source = start;
  request.trace = false;
  request.decode.kind = DecodeSettings::Kind::sample;
  request.decode.sampling.temperature = kTemperature;
  request.cancel = cancel;
  return run(request).output;
}

ProbeRun ask_recording(const Recording& recording, const Probe& probe, int moment, const CancelToken& cancel) {
  return ask_model(*model_at(recording, moment), probe, recording.maps, cancel, recording.longest);
}

ProbeRun ask_model(const ModelBundle& bundle, const Probe& probe, const std::vector<RecordedMap>& maps,
                   const CancelToken& cancel, Index longest) {
  const Index limit = bundle.text.target_length;  // 0: as the source has it
  if (longest > 0 && (limit > longest || (limit == 0 && bundle.text.eos))) {
    ModelBundle shorter = bundle;
    shorter.text.target_length = longest;
    return ask_model(shorter, probe, maps, cancel, longest);
  }
  const Probe read = probe.target_tokens.empty() && !probe.target.empty() ? read_probe(bundle, probe) : probe;
  const Result result = run_probe(bundle, probe.source, !maps.empty(), cancel);
  const std::vector<int> typed = typed_tokens(result);
  std::vector<int> steps = written_steps(result);
  // The step that only an end sign may take is no word.
  if (longest > 0 && bundle.text.eos && static_cast<Index>(steps.size()) > longest)
    steps.resize(static_cast<std::size_t>(longest));
  ProbeRun made;
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const OutputStep& step = result.steps[static_cast<std::size_t>(steps[t])];
    const bool right = read.target.empty() || (t < read.target_tokens.size() && read.target_tokens[t] == step.text);
    made.output.push_back({step.text, step.probability, right});
  }
  const std::vector<AttentionMap> all = maps.empty() ? std::vector<AttentionMap>() : attention_maps(result);
  for (const RecordedMap& wanted : maps) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const AttentionMap& map) {
      return site_without_step(map) == wanted.name && wanted.head < static_cast<int>(map.heads);
    });
    made.attention.push_back(found == all.end()
                                 ? Tensor::zeros({static_cast<Index>(steps.size()), static_cast<Index>(typed.size())})
                                 : picture(*found, std::max(0, wanted.head), result, typed, steps));
  }
  return made;
}

}  // namespace headlight
