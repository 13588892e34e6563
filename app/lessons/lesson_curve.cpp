// Charts of curves among points: what a lesson says of them, and what they are where the sliders stand.

#include "app/lessons/lesson_runs.h"
#include "app/lessons/lesson_values.h"
#include "model/core/json_library.h"
#include "model/io/json_file.h"

namespace headlight {

namespace {

constexpr std::size_t kMostPoints = 400, kMostRows = 4;
constexpr const char* kAsked = "x";  // the slider that says where the bars ask

double at_place(const LessonChart::Curve& curve, int k) {
  return curve.from + (curve.to - curve.from) * k / (curve.points - 1);
}

ChartSeries bars_of(const NamedExpression& each, const ExpressionScope& scope, const CancelToken& cancel) {
  const ExpressionValue found = each.expression.evaluate(scope, cancel);
  const auto* list = std::get_if<NumberList>(&found);
  if (!list || list->values.size() != scope.data_x.size())
    throw UsageError("the bars '" + each.name + "': expected a list of " + std::to_string(scope.data_x.size()) +
                     " numbers, one for each point, found " +
                     (list ? std::to_string(list->values.size()) + " numbers" : std::string(kind_text(found))));
  ChartSeries made{each.name, {}, list->values};
  for (std::size_t i = 0; i < list->values.size(); ++i) made.x.push_back(static_cast<double>(i));
  return made;
}

}  // namespace

void LessonValues::read_curve(const Settings& at, LessonChart::Curve& curve) {
  const Settings x = at.object("x");
  x.allow_only({"from", "to", "points"});
  for (const char* key : {"from", "to"}) needed(x, key);
  curve.from = number(x, "from", -1e6, 1e6, curve.from);
  curve.to = number(x, "to", -1e6, 1e6, curve.to);
  if (!(curve.to > curve.from)) x.fail("to", "expected more than 'from'");
  curve.points = static_cast<int>(x.integer("points", 2, 401, curve.points));
  if (at.has("data")) {
    for (const Json& point : list(at, "data", 1, kMostPoints)) {
      if (!point.is_array() || point.size() != 2 || !point[0].is_number() || !point[1].is_number())
        at.fail("data", "expected points [x, y]");
      curve.data_x.push_back(point[0].get<double>());
      curve.data_y.push_back(point[1].get<double>());
    }
  }
  curve.bars = named(at, "bars", kMostRows);
  if (!curve.bars.empty() && curve.data_x.empty()) at.fail("bars", "expected 'data', the points that have them");
}

void give_points(const LessonChart& chart, ExpressionScope& scope) {
  scope.data_x = chart.curve.data_x;
  scope.data_y = chart.curve.data_y;
}

void draw_curves(const LessonChart& chart, ExpressionScope scope, ChartResult& made, const CancelToken& cancel) {
  give_points(chart, scope);
  for (const NamedExpression& each : chart.y) {
    ChartSeries series{each.name, {}, {}};
    for (int k = 0; k < chart.curve.points; ++k) {
      scope.x = at_place(chart.curve, k);
      series.x.push_back(*scope.x);
      series.y.push_back(each.expression.number(scope, cancel));
    }
    made.series.push_back(std::move(series));
  }
  scope.x.reset();
  if (const auto asked = made.sliders.find(kAsked); asked != made.sliders.end()) scope.x = asked->second;
  for (const NamedExpression& each : chart.curve.bars) made.bars.push_back(bars_of(each, scope, cancel));
  if (!scope.x) return;
  for (const NamedExpression& each : chart.y) made.here[each.name] = each.expression.number(scope, cancel);
}

}  // namespace headlight
