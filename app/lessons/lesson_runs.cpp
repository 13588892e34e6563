#include "app/lessons/lesson_runs.h"

#include <algorithm>
#include <cmath>

#include "app/document/session_file.h"
#include "app/lessons/lesson_words.h"
#include "model/core/json_library.h"
#include "model/io/model_folder.h"
#include "model/models/variant.h"
#include "model/text/nearest.h"
#include "model/training/test_data.h"
#include "widgets/base/selection.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"

namespace headlight {

namespace {

constexpr std::size_t kKept = 64;  // runs with one change

std::shared_ptr<const AnalysedRun> run_of(const Document& document, const CancelToken& cancel) {
  Request request;
  request.inputs() = document.inputs();
  request.model = document.settings.empty() ? document.model : variant(document.model, *document.settings);
  request.cancel = cancel;
  return analysed(std::make_shared<const Result>(run(request)));
}

}  // namespace

LessonRuns::LessonRuns(std::shared_ptr<const Lesson> lesson) : lesson_(std::move(lesson)) {}

std::shared_ptr<const ModelBundle> LessonRuns::model(const SessionState::Model& model) {
  const std::string name = bytes_of(model.name);
  std::string relative = bytes_of(model.relative);
  // "./copy-plain": in the lesson's own folder.
  if (relative.empty() && name.starts_with("./")) relative = name.substr(2);
  auto& kept = models_[relative + "\n" + name];
  if (!kept) {
    // A name, never a path: no lesson opens what lies elsewhere.
    if (relative.empty()) {
      std::vector<std::string> known;
      for (const std::filesystem::path& folder : bundled_models()) {
        known.push_back(folder.filename().string());
        if (known.back() == name) kept = load_model(folder.string(), {.progress = {}, .cancel = cancel_});
      }
      if (!kept)
        throw FileError("there is no bundled model '" + name + "'" + did_you_mean_or("bundled models: ", name, known));
    } else {
      kept = load_model(folder_in(lesson_->folder, relative).string(), {.progress = {}, .cancel = cancel_});
    }
  }
  return kept;
}

std::shared_ptr<const ModelBundle> LessonRuns::model_named(const std::string& name) {
  SessionState::Model wanted;
  wanted.name = QString::fromStdString(name);
  return model(wanted);
}

std::shared_ptr<const Document> LessonRuns::document(const SessionState& state) {
  Document made{state.inputs(), model(state.model), state.settings};
  return std::make_shared<const Document>(std::move(made));
}

ExpressionScope LessonRuns::run(std::shared_ptr<const Document> document, int step) {
  ExpressionScope scope;
  scope.run = run_of(*document, cancel_);
  scope.document = std::move(document);
  scope.step = step;
  scope.others = this;
  return scope;
}

ExpressionScope LessonRuns::scope_of(int step, const SessionState& state) {
  ExpressionScope scope = run(document(state), step);
  scope.selection = std::make_shared<const SelectionState>(selection_in(state.selection, *scope.run->result()));
  return scope;
}

ExpressionScope LessonRuns::scope(int step) {
  const LessonStep& wanted = lesson_->steps[static_cast<std::size_t>(step)];
  if (!wanted.state) {
    ExpressionScope none;
    none.step = step;
    none.others = this;
    none.training = training(step);
    return none;
  }
  auto found = scopes_.find(step);
  if (found == scopes_.end()) {
    // Steps that show the same share their run.
    for (const auto& [other, made] : scopes_)
      if (same_run(step, other) &&
          lesson_->steps[static_cast<std::size_t>(other)].state->selection == wanted.state->selection) {
        ExpressionScope same = made;
        same.step = step;
        same.training = training(step);
        return scopes_.emplace(step, same).first->second;
      }
    found = scopes_.emplace(step, scope_of(step, *wanted.state)).first;
    found->second.training = training(step);
  }
  return found->second;
}

bool LessonRuns::same_run(int step, int other) const {
  const auto &one = lesson_->steps[static_cast<std::size_t>(step)].state,
             &two = lesson_->steps[static_cast<std::size_t>(other)].state;
  return one && two && one->inputs() == two->inputs() && one->model == two->model && one->settings == two->settings;
}

std::vector<int> LessonRuns::asked_later(int step) {
  std::set<int> asked, told;
  for (int other = 0; other < static_cast<int>(lesson_->steps.size()); ++other) {
    const LessonStep& there = lesson_->steps[static_cast<std::size_t>(other)];
    if (!there.asks() || there.closed.empty() || !same_run(step, other)) continue;
    const ExpressionScope run = scope(other);
    Places closed;
    try {
      closed = there.closed.places(run, cancel_);
    } catch (const ExpressionError&) {  // told when that step is there
    }
    if (closed.of != Places::Of::output) continue;
    // Where all is closed no row is asked for, but something of the whole.
    if (other > step)
      asked.insert(closed.at.begin(), closed.at.end());
    else if (closed.at.size() < run.run->result()->steps.size())
      told.insert(closed.at.begin(), closed.at.end());
  }
  std::vector<int> later;
  std::ranges::set_difference(asked, told, std::back_inserter(later));
  return later;
}

ExpressionScope LessonRuns::solved(int step) {
  auto found = solved_.find(step);
  if (found == solved_.end())
    found = solved_.emplace(step, scope_of(step, *lesson_->steps[static_cast<std::size_t>(step)].solution)).first;
  return found->second;
}

ExpressionScope LessonRuns::scope(int step, const Document& document, const SelectionState& selection,
                                  std::shared_ptr<const Result> result) {
  ExpressionScope scope;
  scope.step = step;
  scope.others = this;
  scope.document = std::make_shared<const Document>(document);
  scope.run = result ? analysed(std::move(result)) : run_of(document, cancel_);
  scope.selection = std::make_shared<const SelectionState>(selection);
  return scope;
}

int LessonRuns::named(const std::string& step) const {
  const int at = lesson_->step(step);
  if (at < 0) throw UsageError("there is no step '" + step.substr(0, 60) + "'");
  return at;
}

ExpressionScope LessonRuns::at(const std::string& step) { return scope(named(step)); }
ExpressionScope LessonRuns::done_at(const std::string& step) {
  const int at = named(step);
  if (!lesson_->steps[static_cast<std::size_t>(at)].solution)
    throw UsageError("the step '" + step + "' has nothing to do");
  return solved(at);
}

ExpressionScope LessonRuns::with(const ExpressionScope& scope, const std::string& key, const ExpressionValue& value) {
  Document document = *scope.document;
  const auto text = [&]() -> const std::string& {
    if (const auto* is = std::get_if<std::string>(&value)) return *is;
    throw UsageError("with(\"" + key + "\", ...): expected a text");
  };
  if (key == "source") {
    document.source = text();
  } else if (key == "target") {
    document.target = text();
  } else if (key == "edits") {
    const Intervention edit = parse_intervention(text());
    std::erase_if(document.interventions, [&](const Intervention& each) { return same_cells(each, edit); });
    document.interventions.push_back(edit);
  } else if (key == "seed") {
    const double* seed = std::get_if<double>(&value);
    if (!seed || *seed < 0 || *seed != std::floor(*seed) || *seed > 1e15)
      throw UsageError("with(\"seed\", ...): expected a whole number");
    document.seed = static_cast<std::uint64_t>(*seed);
  } else {
    Json settings = *document.settings;
    if (const double* number = std::get_if<double>(&value))
      settings[key] = *number == std::floor(*number) && std::abs(*number) < 1e15
                          ? Json(static_cast<std::int64_t>(*number))
                          : Json(*number);
    else if (const bool* truth = std::get_if<bool>(&value))
      settings[key] = *truth;
    else
      settings[key] = text();
    document.settings = settings;
  }
  for (const auto& [known, run] : recent_)
    if (*known == document) {
      ExpressionScope found = scope;
      found.document = known;
      found.run = run;
      return found;
    }
  ExpressionScope made = run(std::make_shared<const Document>(std::move(document)), scope.step);
  if (recent_.size() >= kKept) recent_.erase(recent_.begin());
  recent_.emplace_back(made.document, made.run);
  made.selection = scope.selection;
  return made;
}

double LessonRuns::exact_match(const std::string& name, int examples) {
  const auto key = std::pair(name, examples);
  if (const auto found = matches_.find(key); found != matches_.end()) return found->second;
  const std::shared_ptr<const ModelBundle> bundle = model_named(name);
  const TestData data = test_data(*bundle, {.task = {}, .files = {}, .limit = examples});
  const Dataset dataset(bundle->text, data.examples, bundle->model->traits().writes_reversed);
  return matches_[key] = evaluate(*bundle->model, dataset, cancel_).exact_match;
}

double LessonRuns::error_rate(const std::string& name, int examples) {
  const auto key = std::pair(name, examples);
  if (const auto found = errors_.find(key); found != errors_.end()) return found->second;
  const std::shared_ptr<const ModelBundle> bundle = model_named(name);
  const TestData data = test_data(*bundle, {.task = {}, .files = {}, .limit = examples});
  return errors_[key] = evaluate_alignment(*bundle->model, bundle->text, data.examples, cancel_).error_rate();
}

const ChartResult* LessonRuns::chart(int step) const {
  const auto found = charts_.find(step);
  return found == charts_.end() ? nullptr : &found->second;
}

const ChartResult& LessonRuns::measure(int step, const std::function<void(double)>& progress) {
  if (const ChartResult* made = chart(step); made && made->live) return *made;
  const LessonStep& here = lesson_->steps[static_cast<std::size_t>(step)];
  if (here.kind != LessonStep::Kind::chart) throw UsageError("the step '" + here.id + "' has no chart");
  if (!measuring_.insert(step).second)
    throw UsageError("the chart of the step '" + here.id + "' asks for its own values");
  struct Measured {
    std::set<int>& all;
    int step;
    ~Measured() { all.erase(step); }
  } const measured{measuring_, step};
  return charts_[step] = measure_chart(*this, step, progress);
}

ChartResult LessonRuns::slid(int step, const std::map<std::string, double>& wanted) {
  const LessonChart& chart = lesson_->steps[static_cast<std::size_t>(step)].chart;
  ExpressionScope scope = this->scope(step);
  ChartResult made;
  for (const LessonChart::Slider& each : chart.sliders) {
    const auto found = wanted.find(each.name);
    const double value = found == wanted.end() ? each.start.number(scope, cancel_) : found->second;
    made.sliders[each.name] = std::clamp(value, each.from, each.to);
  }
  scope.sliders = made.sliders;
  if (chart.measure == LessonChart::Measure::curve) {
    draw_curves(chart, std::move(scope), made, cancel_);
    return made;
  }
  for (const NamedExpression& each : chart.y)
    made.series.push_back({each.name, {0}, {each.expression.number(scope, cancel_)}});
  return made;
}

const ChartResult& LessonRuns::use_recorded(int step) {
  return charts_[step] = {lesson_->steps[static_cast<std::size_t>(step)].chart.recorded, false, false};
}

double LessonRuns::chart_value(int step, const std::string& name, double x,
                               const std::map<std::string, double>& sliders) {
  if (!chart(step)) measure(step);
  const LessonChart& asked = lesson_->steps[static_cast<std::size_t>(step)].chart;
  const ChartResult all = sliders.empty() ? *chart(step) : slid(step, sliders);
  // A curve has a value anywhere.
  const auto curve = std::ranges::find(asked.y, name, &NamedExpression::name);
  if (asked.measure == LessonChart::Measure::curve && curve != asked.y.end()) {
    ExpressionScope there = scope(step);
    there.sliders = all.sliders;
    give_points(asked, there);
    there.x = x;
    return curve->expression.number(there, cancel_);
  }
  const ChartSeries* series = nullptr;
  for (const auto* some : {&all.bars, &all.series})
    for (const ChartSeries& each : *some)
      if (each.name == name) series = &each;
  if (!series) throw UsageError("the chart has no series '" + name + "'");
  for (std::size_t i = 0; i < series->x.size(); ++i)
    if (std::abs(series->x[i] - x) < 1e-9) return series->y[i];
  throw UsageError("the series '" + name + "' has no value at " + value_text(ExpressionValue(x)));
}

SelectionState selected(const Places& places) {
  SelectionState state;
  if (!places.cells.empty()) {
    state.step = places.cells.front().first;
    state.source_token = places.cells.front().second;
  } else if (!places.at.empty()) {
    (places.of == Places::Of::output ? state.step : state.source_token) = places.at.front();
  }
  return state;
}

SelectionState selected(const LessonStep& step, const ExpressionScope& scope) {
  if (step.select.empty()) return scope.selection ? *scope.selection : SelectionState();
  try {
    const ExpressionValue value = step.select.evaluate(scope);
    const auto* places = std::get_if<Places>(&value);
    return places ? selected(*places) : SelectionState();
  } catch (const NotInThisRun&) {
    return {};
  }
}

}  // namespace headlight
