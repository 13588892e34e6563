// What the charts of lessons measure.

#include <algorithm>
#include <cmath>

#include "app/lessons/lesson_runs.h"
#include "model/experiments/experiment.h"
#include "model/text/graphemes.h"
#include "model/training/test_data.h"
#include "widgets/canvas/analysed_run.h"

namespace headlight {

namespace {

using Progress = std::function<void(double)>;

void tell(const Progress& progress, double done) {
  if (progress) progress(done);
}

// Of each length as many examples as asked for.
ChartResult exact_match(LessonRuns& runs, const LessonChart& chart, const Progress& progress) {
  ChartResult made;
  for (std::size_t k = 0; k < chart.models.size(); ++k) {
    const auto model = runs.model_named(chart.models[k]);
    TestData data = test_data(*model, {.task = chart.task, .files = {}});
    std::map<int, int> taken;
    const auto keep = [&](std::vector<Example>& examples) {
      std::erase_if(examples, [&](const Example& example) {
        const int group = data.task->grouped_by.empty()
                              ? static_cast<int>(model->text.source.split(example.source).size())
                              : example.group;
        return ++taken[group] > chart.examples;
      });
    };
    keep(data.examples);
    for (TestSet& set : data.outside) keep(set.examples);
    ChartSeries series{chart.models[k], {}, {}};
    for (const GroupQuality& group : quality_by_group(*model, data, runs.cancel())) {
      series.x.push_back(group.group);
      series.y.push_back(group.exact_match);
    }
    made.series.push_back(std::move(series));
    tell(progress, static_cast<double>(k + 1) / static_cast<double>(chart.models.size()));
  }
  return made;
}

ChartResult time_by_length(LessonRuns& runs, const LessonChart& chart, int step, const Progress& progress) {
  ChartResult made;
  const std::string text = runs.lesson().steps[static_cast<std::size_t>(step)].state->source;
  double done = 0;
  for (const std::string& name : chart.models) {
    Request request;
    request.model = runs.model_named(name);
    request.cancel = runs.cancel();
    request.trace = false;
    ChartSeries series{name, {}, {}};
    for (const int length : chart.lengths) {
      request.source = text_of_length(request.model->text.source, text, length);
      double best = INFINITY;
      for (int i = 0; i < chart.repeats; ++i) best = std::min(best, run(request).seconds);
      series.x.push_back(length);
      series.y.push_back(1000 * best);
      tell(progress, ++done / static_cast<double>(chart.models.size() * chart.lengths.size()));
    }
    made.series.push_back(std::move(series));
  }
  return made;
}

ChartResult empty_series(const LessonChart& chart) {
  ChartResult made;
  for (const NamedExpression& each : chart.y) made.series.push_back({each.name, {}, {}});
  return made;
}

void add_point(ChartResult& made, const LessonChart& chart, const ExpressionScope& scope, double x,
               const std::string& label, const CancelToken& cancel) {
  for (std::size_t k = 0; k < chart.y.size(); ++k) {
    double y = 0;
    try {
      y = chart.y[k].expression.number(scope, cancel);
    } catch (const NotInThisRun&) {
      continue;  // of another output, say
    }
    made.series[k].x.push_back(x);
    made.series[k].y.push_back(y);
    made.series[k].labels.push_back(label);
  }
}

ChartResult sweep(LessonRuns& runs, const LessonChart& chart, int step, const Progress& progress) {
  ChartResult made = empty_series(chart);
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    const LessonChart::Point& point = chart.points[i];
    add_point(made, chart, runs.scope_of(step, point.state), point.x, point.label, runs.cancel());
    tell(progress, static_cast<double>(i + 1) / static_cast<double>(chart.points.size()));
  }
  for (ChartSeries& series : made.series)
    if (std::ranges::all_of(series.labels, &std::string::empty)) series.labels.clear();
  return made;
}

ChartResult seeds(LessonRuns& runs, const LessonChart& chart, int step, const Progress& progress) {
  std::vector<std::vector<double>> drawn(chart.y.size());
  SessionState state = *runs.lesson().steps[static_cast<std::size_t>(step)].state;
  for (int seed = 1; seed <= chart.runs; ++seed) {
    state.seed = static_cast<std::uint64_t>(seed);
    const ExpressionScope scope = runs.scope_of(step, state);
    for (std::size_t k = 0; k < chart.y.size(); ++k)
      drawn[k].push_back(chart.y[k].expression.number(scope, runs.cancel()));
    tell(progress, static_cast<double>(seed) / chart.runs);
  }
  ChartResult made = empty_series(chart);
  made.histogram = true;
  double least = INFINITY, most = -INFINITY;
  for (const auto& each : drawn) {
    least = std::min(least, std::ranges::min(each));
    most = std::max(most, std::ranges::max(each));
  }
  const double width = most > least ? (most - least) / chart.bins : 1;
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    for (int bin = 0; bin < chart.bins; ++bin) {
      made.series[k].x.push_back(least + width * (bin + 0.5));
      made.series[k].y.push_back(0);
    }
    for (const double value : drawn[k])
      ++made.series[k]
            .y[static_cast<std::size_t>(std::clamp(static_cast<int>((value - least) / width), 0, chart.bins - 1))];
  }
  return made;
}

ChartResult by_token(LessonRuns& runs, const LessonChart& chart, int step, const Progress& progress) {
  ChartResult made = empty_series(chart);
  ExpressionScope scope = runs.scope(step);
  const Result& result = *scope.run->result();
  std::vector<std::pair<int, std::string>> at;
  if (chart.of_output)
    for (std::size_t i = 0; i < result.steps.size(); ++i) at.emplace_back(static_cast<int>(i), result.steps[i].text);
  else
    for (std::size_t i = 0; i < result.tokens.size(); ++i)
      if (!result.tokens[i].padding && result.tokens[i].begin < result.tokens[i].end)
        at.emplace_back(static_cast<int>(i), result.tokens[i].text);
  for (std::size_t k = 0; k < at.size(); ++k) {
    scope.i = at[k].first;
    add_point(made, chart, scope, at[k].first, at[k].second, runs.cancel());
    tell(progress, static_cast<double>(k + 1) / static_cast<double>(at.size()));
  }
  return made;
}

ChartResult experiment(LessonRuns& runs, const LessonChart& chart, const Progress& progress) {
  ExperimentOptions options;
  options.trials = chart.trials;
  options.limit = chart.limit;
  options.cancel = runs.cancel();
  double told = 0;
  options.progress = [&](const std::string&) { tell(progress, 1 - 1 / (1 + 0.2 * ++told)); };
  const ExperimentResult result = find_experiment(chart.experiment).run(options);
  std::string known;
  for (const ExperimentChart& each : result.charts) {
    known += (known.empty() ? "" : ", ") + each.name;
    if (each.name != chart.chart && !chart.chart.empty()) continue;
    ChartResult made;
    for (const ExperimentSeries& series : each.series) made.series.push_back({series.name, series.x, series.y});
    return made;
  }
  throw UsageError("the experiment '" + chart.experiment + "' has no chart '" + chart.chart + "'; it has " + known);
}

}  // namespace

ChartResult measure_chart(LessonRuns& runs, int step, const Progress& progress) {
  using Measure = LessonChart::Measure;
  const LessonChart& chart = runs.lesson().steps[static_cast<std::size_t>(step)].chart;
  switch (chart.measure) {
    case Measure::exact_match:
      return exact_match(runs, chart, progress);
    case Measure::time:
      return time_by_length(runs, chart, step, progress);
    case Measure::sweep:
      return sweep(runs, chart, step, progress);
    case Measure::seeds:
      return seeds(runs, chart, step, progress);
    case Measure::tokens:
      return by_token(runs, chart, step, progress);
    case Measure::experiment:
      return experiment(runs, chart, progress);
    case Measure::sliders:
    case Measure::curve:
      return runs.slid(step, {});
  }
  return {};
}

}  // namespace headlight
