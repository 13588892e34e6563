#include <algorithm>
#include <cmath>

#include "app/cli/analyse/methods.h"
#include "app/cli/printed/text_format.h"
#include "model/analysis/bench/attention_flow.h"
#include "model/analysis/bench/head_effect.h"
#include "model/analysis/bench/head_tree.h"
#include "model/analysis/bench/listed_patterns.h"
#include "model/analysis/bench/norms.h"
#include "model/analysis/bench/repeated.h"
#include "model/analysis/bench/rollout.h"
#include "model/core/clock.h"
#include "model/core/errors.h"

namespace headlight {

namespace {

using MapKind = AttentionMap::Kind;
using Keep = TextReader::Keep;

// One number for each head, of each kind of attention, over texts.
struct SideTotals {
  std::string side;
  Index layers = 0, heads = 0;
  OverTexts numbers;
};
constexpr const char* kTotals[] = {"entropy_normalised", "max",        "distance",     "mass_self",    "mass_previous",
                                   "mass_next",          "mass_first", "mass_special", "most_received"};
constexpr std::size_t kTotalCount = std::size(kTotals);

double mean_of(const NumberArray& array, std::size_t head, std::size_t rows) {
  double sum = 0;
  for (std::size_t t = 0; t < rows; ++t) sum += array.values[head * rows + t];
  return rows > 0 ? sum / static_cast<double>(rows) : 0;
}

// [head][kTotals], flat.
std::vector<double> totals_of(const HeadSummaries& all, std::size_t heads) {
  std::vector<double> numbers;
  const std::size_t rows = all.entropy.values.size() / heads, keys = all.received.values.size() / heads;
  for (std::size_t h = 0; h < heads; ++h) {
    for (const NumberArray* each : {&all.entropy_normalised, &all.max, &all.distance})
      numbers.push_back(mean_of(*each, h, rows));
    for (const NumberArray* each : {&all.self, &all.previous, &all.next, &all.first, &all.special})
      numbers.push_back(each->values[h]);
    const auto first = all.received.values.begin() + static_cast<std::ptrdiff_t>(h * keys);
    numbers.push_back(*std::max_element(first, first + static_cast<std::ptrdiff_t>(keys)));
  }
  return numbers;
}

std::string prefix_of(const std::vector<SideTotals>& sides, const SideTotals& side) {
  return sides.size() > 1 ? side.side + "." : std::string();
}

void put_totals(AnalysisRun& run, const std::vector<SideTotals>& sides) {
  ExperimentTable& table = run.result().table;
  table = {"summary", {"attention", "layer", "head"}, {}};
  const bool list = run.is_list();
  for (const char* name : kTotals) {
    table.columns.emplace_back(name);
    if (list) table.columns.push_back(std::string(name) + "_sd");
  }
  for (const SideTotals& side : sides) {
    const std::vector<double> mean = side.numbers.mean(), sd = side.numbers.sd();
    const std::vector<Index> shape = {side.layers, side.heads, static_cast<Index>(kTotalCount)};
    run.result().arrays.push_back({prefix_of(sides, side) + "mean", shape, mean});
    if (list) run.result().arrays.push_back({prefix_of(sides, side) + "sd", shape, sd});
    for (Index head = 0; head < side.layers * side.heads; ++head) {
      auto& row = table.rows.emplace_back();
      row.emplace_back(side.side);
      row.emplace_back(run.counted(head / side.heads));
      row.emplace_back(run.counted(head % side.heads));
      for (std::size_t k = 0; k < kTotalCount; ++k) {
        const std::size_t at = static_cast<std::size_t>(head) * kTotalCount + k;
        row.emplace_back(mean[at]);
        if (list) row.emplace_back(sd[at]);
      }
    }
  }
}

// A sentence about tokens that many heads rest on.
void tell_sinks(AnalysisRun& run, const std::vector<std::string>& words, const NumberArray& shares) {
  constexpr double kMany = 0.2;
  for (std::size_t key = 0; key < std::min(words.size(), shares.values.size()); ++key)
    if (shares.values[key] >= kMany)
      run.result().notes.push_back(format("%.0f %% of the heads give '%s' (token %zu) more than .3: it is a sink",
                                          100 * shares.values[key], words[key].c_str(), key));
}

// Adds arrays behind a name.
void put(AnalysisRun& run, const std::string& name, const std::vector<DoubleMatrix>& matrices) {
  if (!matrices.empty()) run.result().arrays.push_back(stacked(name, {static_cast<Index>(matrices.size())}, matrices));
}

std::vector<std::string> source_words(const AnalysisRun& run, const TextIds& ids) {
  return run.reader().words(ids.ids);
}

// Row by row the three largest columns.
void table_of_rows(AnalysisRun& run, const DoubleMatrix& matrix, const std::vector<std::string>& rows,
                   const std::vector<std::string>& columns, const std::string& name) {
  ExperimentTable& table = run.result().table;
  table = {name, {"token", "word", "most", "share", "second", "share_2", "third", "share_3"}, {}};
  for (Index t = 0; t < matrix.rows(); ++t) {
    std::vector<Index> order;
    for (Index j = 0; j < matrix.cols(); ++j) order.push_back(j);
    std::ranges::stable_sort(order, std::greater(), [&](Index j) { return matrix(t, j); });
    auto& row = table.rows.emplace_back();
    row.emplace_back(static_cast<double>(t));
    row.emplace_back(rows[static_cast<std::size_t>(t)]);
    for (std::size_t k = 0; k < 3; ++k) {
      const bool has = k < order.size();
      row.emplace_back(has ? columns[static_cast<std::size_t>(order[k])] : std::string());
      row.emplace_back(has ? matrix(t, order[k]) : 0.0);
    }
  }
}

// The stack of an encoder and a decoder as one, or of one side, with the words of its nodes.
struct Stack {
  std::vector<DoubleMatrix> maps, raw;
  std::vector<std::string> nodes;
  Index source = 0;  // nodes of the source in front of the decoder's own
  bool causal = false;
};
Stack stack_of(const AnalysisRun& run, const TextIds& ids, const Reading& reading) {
  if (reading.sides.empty() || run.reader().by_steps())
    throw UsageError(
        "of models with layers of self-attention only; of a step of this one its attention is all there "
        "is, and the states already mix their neighbours");
  Stack stack;
  stack.nodes = source_words(run, ids);
  const std::vector<DoubleMatrix> first = mean_maps(reading.sides.front());
  const SideReading *decoder = reading.side(MapKind::decoder_self), *cross = reading.side(MapKind::cross);
  if (reading.sides.size() > 1 && decoder && cross) {
    stack.source = static_cast<Index>(stack.nodes.size());
    for (const std::string& word : run.reader().words(ids.fed, true)) stack.nodes.push_back(word);
    stack.maps = joint_maps(first, mean_maps(*decoder), mean_maps(*cross));
    stack.raw = joint_maps(first, mean_maps(*decoder), mean_maps(*cross), false);
    return stack;
  }
  stack.causal = reading.sides.front().causal;
  const bool sinks = std::ranges::any_of(reading.sides.front().layers, has_sink);
  if (sinks) stack.nodes.emplace_back("(no token)");
  for (const DoubleMatrix& map : first) {
    stack.raw.push_back(sinks ? with_sink(map) : map);
    stack.maps.push_back(with_residual(stack.raw.back()));
  }
  return stack;
}

}  // namespace

void analyse_summary(AnalysisRun& run) {
  std::vector<SideTotals> sides;
  const double start = steady_seconds();
  double runs = 0;
  const std::size_t done = run.each_text([&](std::size_t i) {
    const AnalysedText text = run.text(i);
    const double before = steady_seconds();
    const Reading reading = run.reader().read(text.ids, Keep::weights, {}, run.cancel());
    runs += steady_seconds() - before;
    if (reading.sides.empty()) throw UsageError("this model has no attention that is measured here");
    std::size_t at = 0;
    for (const SideReading& side : reading.sides) {
      if (!run.wants(side)) continue;
      const HeadMaps maps = run.maps(side);
      const HeadSummaries all = head_summaries(maps,
                                               side.kind == MapKind::decoder_self && !text.ids.fed.empty()
                                                   ? std::vector<Index>()
                                                   : run.reader().special(text.ids.ids),
                                               run.cancel());
      const auto layers = static_cast<Index>(side.layers.size()), heads = maps.heads();
      if (at == sides.size()) sides.push_back({side_kind(side.kind), layers, heads, OverTexts()});
      sides[at++].numbers.add(totals_of(all, static_cast<std::size_t>(layers * heads)));
      if (run.is_list()) continue;
      const std::string prefix = run.side_prefix(reading, side);
      for (const NumberArray* array : all.all()) {
        run.result().arrays.push_back(*array);
        run.result().arrays.back().name = prefix + array->name;
      }
      const DoubleMatrix js = head_divergences(maps, run.cancel());
      run.result().arrays.push_back(as_array(prefix + "js", js));
      run.result().arrays.push_back(as_array(prefix + "js_linkage", average_linkage(js, run.cancel())));
      run.result().arrays.push_back(as_array(prefix + "js_map", on_two_axes(js)));
      if (side.kind != MapKind::decoder_self || text.ids.fed.empty())
        tell_sinks(run, source_words(run, text.ids), all.sink_share);
    }
  });
  if (sides.empty()) throw UsageError("--side " + run.command().side + ": this model has no such attention");
  put_totals(run, sides);
  if (const double all = steady_seconds() - start; done > 1 && !run.command().quiet)
    run.result().notes.push_back(format("%zu texts in %.2f s, of which the runs alone %.2f s (%.2f times)", done, all,
                                        runs, all / std::max(1e-9, runs)));
}

void analyse_norm(AnalysisRun& run) {
  const AnalysedText text = run.text(0);
  const Reading reading = run.reader().read(text.ids, Keep::all, {}, run.cancel());
  if (reading.sides.empty()) throw UsageError("this model has no attention that is measured here");
  ExperimentTable& table = run.result().table;
  table = {"norm", {"attention", "layer", "head", "value_length", "brought_length", "weight_off_first"}, {}};
  if (run.reader().by_steps()) {
    run.result().arrays.push_back(as_array("afx", brought_to_readout(reading.sides.front().layers.front())));
    return;
  }
  double off = 0;
  for (const SideReading& side : reading.sides) {
    if (!run.wants(side)) continue;
    const BroughtByTokens all = brought_by_tokens(side, run.cancel());
    off = std::max(off, all.off);
    const std::string prefix = run.side_prefix(reading, side);
    put(run, prefix + "fx", all.fx);
    put(run, prefix + "afx", all.afx);
    NumberArray& afx = run.result().arrays.back();
    const Index heads = side.layers.front().heads(), rows = afx.shape[1] / heads;
    afx.shape = {afx.shape[0], heads, rows, afx.shape[2]};
    put(run, prefix + "sum_afx", all.sum_afx);
    put(run, prefix + "sub_norm", all.sub_norm);
    put(run, prefix + "res", all.res);
    put(run, prefix + "resln", all.resln);
    put(run, prefix + "mixing", all.mixing);
    put(run, prefix + "alti", all.alti);
    put(run, prefix + "sink", all.sink);
    if (side.kind != MapKind::cross)
      run.result().arrays.push_back(as_array(prefix + "alti_rollout", rollout(all.alti).back()));
    for (std::size_t l = 0; l < side.layers.size(); ++l)
      for (Index h = 0; h < heads; ++h) {
        const DoubleMatrix brought = all.afx[l].middleRows(h * rows, rows);
        const DoubleMatrix a = slice_of(side.layers[l].weights, h);
        table.rows.push_back({std::string(side_kind(side.kind)), run.counted(side.layers[l].layer), run.counted(h),
                              all.fx[l].row(h).mean(), brought.rowwise().sum().mean(), 1 - a.col(0).mean()});
      }
  }
  run.result().notes.push_back(
      format("the parts and biases add up to what each layer has computed within %.1e of its largest number", off));
}

void analyse_rollout(AnalysisRun& run) {
  const AnalysedText text = run.text(0);
  const Reading reading = run.reader().read(text.ids, Keep::weights, {}, run.cancel());
  const Stack stack = stack_of(run, text.ids, reading);
  const std::vector<DoubleMatrix> all = rollout(stack.maps);
  put(run, "rollout", all);
  put(run, "raw", rollout(stack.raw));
  if (stack.causal) run.result().arrays.push_back(as_array("over_even", over_even(all)));
  const DoubleMatrix own = all.back().bottomRows(all.back().rows() - stack.source);
  table_of_rows(run, own, {stack.nodes.begin() + stack.source, stack.nodes.end()}, stack.nodes, "rollout");
  run.result().notes.emplace_back("no values, no MLPs: where attention could have come from, not what was used");
}

void analyse_flow(AnalysisRun& run) {
  const AnalysedText text = run.text(0);
  const Reading reading = run.reader().read(text.ids, Keep::weights, {}, run.cancel());
  const Stack stack = stack_of(run, text.ids, reading);
  const auto count = static_cast<Index>(stack.nodes.size()) - stack.source;
  std::vector<Index> rows;
  if (!run.command().rows.empty()) rows = places_of_option(run.command().rows, "--rows");
  for (Index row = 0; run.command().rows.empty() && row < count; ++row) rows.push_back(row);
  DoubleMatrix flows(static_cast<Index>(rows.size()), stack.maps.front().rows());
  std::vector<std::string> words;
  std::size_t done = 0;
  for (const Index row : rows) {
    try {
      flows.row(static_cast<Index>(done)) = attention_flow(stack.maps, {stack.source + row}, run.cancel());
    } catch (const Cancelled&) {
      run.interrupted_after(done, rows.size(), "rows");
      break;
    }
    words.push_back(stack.nodes[static_cast<std::size_t>(stack.source + row)]);
    run.progress(++done, rows.size(), "rows");
  }
  flows.conservativeResize(static_cast<Index>(done), Eigen::NoChange);
  run.result().arrays.push_back(as_array("flow", flows));
  table_of_rows(run, flows, words, stack.nodes, "flow");
  run.result().notes.emplace_back("no values, no MLPs: where attention could have come from, not what was used");
}

void analyse_repeated(AnalysisRun& run) {
  const AnalyseCommand& command = run.command();
  const RepeatedScores scores = repeated_scores(
      run.reader(), repeated_texts(run.reader(), {command.length, command.repeats, command.seed}), run.cancel());
  ExperimentTable& table = run.result().table;
  table = {"repeated", {"layer", "head"}, {}};
  const std::pair<const char*, const DoubleMatrix*> all[] = {{"induction", &scores.induction},
                                                             {"duplicate", &scores.duplicate},
                                                             {"previous", &scores.previous},
                                                             {"next", &scores.next},
                                                             {"first", &scores.first}};
  for (const auto& [name, matrix] : all)
    if (matrix->size() > 0) {
      table.columns.emplace_back(name);
      run.result().arrays.push_back(as_array(name, *matrix));
    }
  run.result().arrays.push_back({"chance", {2}, {scores.chance_of_copies, scores.chance}});
  for (Index l = 0; l < scores.previous.rows(); ++l)
    for (Index h = 0; h < scores.previous.cols(); ++h) {
      auto& row = table.rows.emplace_back();
      row.emplace_back(run.counted(l));
      row.emplace_back(run.counted(h));
      for (const auto& [name, matrix] : all)
        if (matrix->size() > 0) row.emplace_back((*matrix)(l, h));
    }
  run.result().about["random_texts"] = scores.texts;
  run.result().notes.push_back(
      format("even rows would give %.4f to copies and %.4f to the others; this is what heads do on noise, not in text",
             scores.chance_of_copies, scores.chance));
}

void analyse_patterns(AnalysisRun& run) {
  PatternsOverTexts all;
  std::string side_name;
  run.each_text([&](std::size_t i) {
    if (run.bundle()->stored) {
      const ListedReader::Text text = ListedReader(run.bundle()).read_stored(i, run.cancel());
      all.add(text.maps, text.pattern);
      side_name = side_kind(text.kind);
      return;
    }
    const AnalysedText text = run.text(i);
    const Reading reading = run.reader().read(text.ids, Keep::weights, {}, run.cancel());
    for (const SideReading& side : reading.sides) {
      if (side.kind == MapKind::cross || !run.wants(side)) continue;
      const bool fed = side.kind == MapKind::decoder_self && !text.ids.fed.empty();
      all.add(run.maps(side), pattern_text(run.reader(), fed ? TextIds{text.ids.fed, {}, {}} : text.ids));
      side_name = side_kind(side.kind);
      return;
    }
    throw UsageError("patterns: of self-attention only");
  });
  const PatternsOverTexts::Found found = all.found();
  for (const NumberArray* array :
       {&found.mean, &found.sd, &found.count, &found.even, &found.unlike, &found.most_unlike, &found.kind})
    run.result().arrays.push_back(*array);
  ExperimentTable& table = run.result().table;
  table = {"patterns", {"attention", "layer", "head", "pattern"}, {}};
  for (const char* name : kPatternNames) table.columns.emplace_back(name);
  table.columns.emplace_back("most_unlike_text");
  const Index heads = found.kind.shape[1];
  for (std::size_t head = 0; head < found.kind.values.size(); ++head) {
    auto& row = table.rows.emplace_back();
    row.emplace_back(side_name);
    row.emplace_back(run.counted(static_cast<Index>(head) / heads));
    row.emplace_back(run.counted(static_cast<Index>(head) % heads));
    row.emplace_back(std::string(kPatternWords[static_cast<std::size_t>(found.kind.values[head])]));
    for (std::size_t k = 0; k < kPatternNames.size(); ++k)
      row.emplace_back(found.mean.values[head * kPatternNames.size() + k]);
    row.emplace_back(found.most_unlike.values[head]);
  }
  run.result().notes.push_back(
      format("names: broad from an entropy of %.1f, else the largest share from %.1f, one word "
             "from %.1f, else mixed",
             kBroad, kShareOfPattern, kShareOfPattern));
}

void analyse_rank(AnalysisRun& run) {
  if (run.command().pair.empty()) throw UsageError("--pair is required");
  const std::vector<Index> pair = places_of_option(run.command().pair, "--pair");
  if (pair.size() != 2) throw UsageError("--pair: expected QUERY,KEY, found '" + run.command().pair + "'");
  const AnalysedText text = run.text(0);
  const Reading reading = run.reader().read(text.ids, Keep::all, {}, run.cancel());
  ExperimentTable& table = run.result().table;
  table = {"rank", {"attention", "layer", "head", "weight", "brought_length"}, {}};
  bool any = false;
  for (const SideReading& side : reading.sides) {
    if (!run.wants(side) || pair[0] >= side.layers.front().weights.dim(1) ||
        pair[1] >= side.layers.front().weights.dim(2))
      continue;
    any = true;
    DoubleMatrix weights(static_cast<Index>(side.layers.size()), side.layers.front().heads()), lengths = weights;
    for (std::size_t l = 0; l < side.layers.size(); ++l)
      for (Index h = 0; h < side.layers[l].heads(); ++h) {
        const LayerReading& layer = side.layers[l];
        const auto at = static_cast<Index>(l);
        const Index rows = layer.weights.dim(1), keys = layer.weights.dim(2);
        weights(at, h) = static_cast<double>(layer.weights[(h * rows + pair[0]) * keys + pair[1]]);
        const bool brings = layer.values.defined() && layer.W_o.defined();
        lengths(at, h) = brings ? weights(at, h) * head_vectors(layer, h).row(pair[1]).norm() : std::nan("");
        table.rows.push_back({std::string(side_kind(side.kind)), run.counted(layer.layer), run.counted(h),
                              weights(at, h), lengths(at, h)});
      }
    run.result().arrays.push_back(as_array(run.side_prefix(reading, side) + "weight", weights));
    run.result().arrays.push_back(as_array(run.side_prefix(reading, side) + "brought_length", lengths));
  }
  if (!any) throw UsageError("--pair " + run.command().pair + ": this text has no such pair of tokens");
  std::ranges::stable_sort(table.rows, std::greater(), [](const auto& row) { return std::get<double>(row[3]); });
  const std::vector<std::string> words = source_words(run, text.ids);
  const auto word = [&](Index i) {
    return i < static_cast<Index>(words.size()) ? words[static_cast<std::size_t>(i)] : "?";
  };
  run.result().notes.push_back("where heads look from '" + word(pair[0]) + "' at '" + word(pair[1]) + "', not why");
}

}  // namespace headlight
