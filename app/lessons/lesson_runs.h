// The runs of a lesson's states: each is made once, and shared by all conditions. For one thread at a time.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "app/document/session.h"
#include "app/lessons/lesson.h"

namespace headlight {

// What a chart measured, or what was recorded.
struct ChartResult {
  std::vector<ChartSeries> series;
  bool live = true;                            // false: the recorded one
  bool histogram = false;                      // y counts what fell between one x and the next
  std::map<std::string, double> sliders = {};  // where they stand; each series is then one number, at x = 0,
                                               // or a curve
  std::vector<ChartSeries> bars = {};          // of a curve: a number for each of its points, by their place
  std::map<std::string, double> here = {};     // what its curves say where the slider "x" stands
};

class LessonRuns : public OtherRuns {
 public:
  explicit LessonRuns(std::shared_ptr<const Lesson> lesson);

  const Lesson& lesson() const { return *lesson_; }
  // Of the jobs that follow.
  void set_cancel(const CancelToken& cancel) { cancel_ = cancel; }

  // The document of a state. Throws FileError for a model that is not there, and what loading it throws.
  std::shared_ptr<const Document> document(const SessionState& state);
  // What the expressions of a step mean: its state's run; without a model, of nothing.
  ExpressionScope scope(int step);
  ExpressionScope solved(int step);  // of act: with its solution
  // Of a document as it is now, with what is chosen.
  ExpressionScope scope(int step, const Document& document, const SelectionState& selection,
                        std::shared_ptr<const Result> result = nullptr);
  ExpressionScope scope_of(int step, const SessionState& state);
  // Steps of the output that are asked for after this step of the lesson, in the same run: what is shown before must
  // not give them away.
  std::vector<int> asked_later(int step);

  // Measures; `progress` is told from 0 to 1, on this thread. Kept for y(). Throws Cancelled, and Error.
  const ChartResult& measure(int step, const std::function<void(double)>& progress = nullptr);
  // The chart of a step with its sliders there; as it was first where a slider is not named. Not kept.
  ChartResult slid(int step, const std::map<std::string, double>& sliders);
  // Instead of a measurement that takes too long.
  const ChartResult& use_recorded(int step);
  // A run that was measured elsewhere.
  void keep(int step, ChartResult result) { charts_[step] = std::move(result); }
  const ChartResult* chart(int step) const;

  ExpressionScope at(const std::string& step) override;
  ExpressionScope done_at(const std::string& step) override;
  ExpressionScope with(const ExpressionScope& scope, const std::string& key, const ExpressionValue& value) override;
  double chart_value(int step, const std::string& series, double x,
                     const std::map<std::string, double>& sliders) override;
  double exact_match(const std::string& model, int examples) override;
  double error_rate(const std::string& model, int examples) override;

  // Of steps that show a training (lesson_training.cpp): with what is told, and what is seen before that; null: there
  // is none. Throw FileError for a recording that is missing, and UsageError for a moment that it lacks.
  std::shared_ptr<const ShownTraining> training(int step);
  std::shared_ptr<const ShownTraining> training_before(int step);
  std::shared_ptr<const Recording> recording(const std::string& name) override;

  std::shared_ptr<const ModelBundle> model(const SessionState::Model& model);
  std::shared_ptr<const ModelBundle> model_named(const std::string& name);
  const CancelToken& cancel() const { return cancel_; }

 private:
  ExpressionScope run(std::shared_ptr<const Document> document, int step);
  std::shared_ptr<const ShownTraining> training(int step, const Expression& at);
  bool same_run(int step, int other) const;
  int named(const std::string& step) const;  // throws UsageError where there is none

  std::shared_ptr<const Lesson> lesson_;
  CancelToken cancel_;
  std::map<std::string, std::shared_ptr<const ModelBundle>> models_;
  std::map<std::string, std::shared_ptr<const Recording>> recordings_;
  std::map<int, std::shared_ptr<const ShownTraining>> trainings_;
  std::map<int, ExpressionScope> scopes_, solved_;
  std::map<int, ChartResult> charts_;
  std::vector<std::pair<std::shared_ptr<const Document>, std::shared_ptr<const AnalysedRun>>> recent_;
  std::map<std::pair<std::string, int>, double> matches_, errors_;
  std::set<int> measuring_;  // a chart whose values ask for it would measure without end
};

// The first of these places, as it is selected in the window.
SelectionState selected(const Places& places);
// What a step selects in a run; nothing where that names no place.
SelectionState selected(const LessonStep& step, const ExpressionScope& scope);
// Of a chart of curves (lesson_curve.cpp): what its expressions mean, and its curves and bars there.
void give_points(const LessonChart& chart, ExpressionScope& scope);
void draw_curves(const LessonChart& chart, ExpressionScope scope, ChartResult& made, const CancelToken& cancel);
// Makes a chart's series (lesson_chart.cpp).
ChartResult measure_chart(LessonRuns& runs, int step, const std::function<void(double)>& progress);

}  // namespace headlight
