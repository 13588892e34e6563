#include "app/lab/line/time_line_layout.h"

#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "app/language.h"
#include "model/recording/story.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

// Pixels at 100 % of the type.
constexpr double kGoodPlot = 104, kLeastPlot = 36, kKnob = 14, kHit = 24, kTriangle = 9;
constexpr double kWide = 1000;           // from this width on the names of the curves stand right of them
constexpr double kBetweenTicks = 96;     // at least, along the axis of examples
constexpr double kMostWords = 0.3;       // of the plot's width, of the words of one moment
constexpr double kHighestUnknown = 100;  // of an axis of perplexities before anything ran

double scaled(double pixels) { return pixels * theme().font_scale(); }

bool perplexities(const Recording& run) {
  bool any = false;
  for (const auto& moment : run.moments) {
    if (is_measured(moment->right_unseen)) return false;
    any = any || is_measured(moment->perplexity);
  }
  return any;
}

bool knows_links(const Recording& run) {
  return std::ranges::any_of(run.moments, [](const auto& moment) { return is_measured(moment->looks_right); });
}

double last_read(const Recording& run) {
  const double seen = run.moments.empty() ? 0 : static_cast<double>(run.moments.back()->read);
  return run.whole ? seen : std::max(static_cast<double>(run.reads), seen);
}

TimeCurve curve_of(const Recording& run, LineKind kind, int side, double Moment::*value) {
  TimeCurve curve{kind, side, {}};
  for (const auto& moment : run.moments)
    if (const double at = (*moment).*value; std::isfinite(at))
      curve.points.emplace_back(static_cast<double>(moment->read), at);
  return curve;
}

void add_curve(TimeLineContent& content, TimeCurve curve) {
  if (!curve.points.empty()) content.curves.push_back(std::move(curve));
}

// The loss of a moment is that of all updates since the one before.
void add_bars(TimeLineContent& content, const Recording& run) {
  double most = 0;
  for (const auto& moment : run.moments)
    if (std::isfinite(moment->loss)) most = std::max(most, moment->loss);
  if (most <= 0) return;
  for (int i = 1; i < run.count(); ++i)
    if (const double loss = run.at(i).loss; std::isfinite(loss))
      content.bars.push_back(
          {static_cast<double>(run.at(i - 1).read), static_cast<double>(run.at(i).read), loss / most});
}

// From and to such powers and their halves and fifths that all values lie between them.
void fit_log(TimeLineContent& content) {
  double least = kHighestUnknown, most = 1;
  bool any = false;
  for (const TimeCurve& curve : content.curves)
    for (const QPointF& point : curve.points) {
      least = std::min(least, point.y()), most = std::max(most, point.y());
      any = true;
    }
  if (!any) least = 1, most = kHighestUnknown;
  const auto round = [](double value, bool up) {
    const double decade = std::pow(10, std::floor(std::log10(std::max(value, 1.0))));
    constexpr std::array kSteps = {1.0, 2.0, 5.0, 10.0};
    if (up) return decade * *std::ranges::find_if(kSteps, [&](double step) { return step * decade >= value - 1e-9; });
    double found = decade;
    for (const double step : kSteps)
      if (step * decade <= value + 1e-9) found = step * decade;
    return found;
  };
  content.low = round(least, false), content.high = std::max(round(most, true), 2 * content.low);
}

void add_story(TimeLineContent& content, const Recording& run, int probe) {
  if (probe >= static_cast<int>(run.probes.size())) return;
  for (const Mark& mark : marks(run, probe)) {
    const QString word = token_text(mark.word).text;
    if (!content.marks.empty() && content.marks.back().moment == mark.moment)
      content.marks.back().word += QLatin1Char(' ') + word;
    else
      content.marks.push_back({mark.moment, static_cast<double>(run.at(mark.moment).read), word});
  }
  for (const int moment : other_changes(run, probe))
    content.changes.emplace_back(moment, static_cast<double>(run.at(moment).read));
}

}  // namespace

const TimeCurve* TimeLineContent::curve(LineKind kind, int side) const {
  const auto found =
      std::ranges::find_if(curves, [&](const TimeCurve& each) { return each.kind == kind && each.side == side; });
  return found == curves.end() ? nullptr : &*found;
}

TimeLineContent time_line_content(const LabShown& shown, const TimeLinePlan& plan, const std::vector<QPointF>& guess) {
  TimeLineContent content;
  const auto& runs = shown.runs();
  const bool begun = !shown.empty();
  content.two = begun && runs.size() > 1 && !runs[1]->moments.empty();
  content.log = begun ? perplexities(*runs[0]) : plan.perplexity;
  content.characters = begun ? runs[0]->settings.task == "text" : plan.characters;
  content.links_known = begun && knows_links(*runs[0]);
  content.reads = begun ? last_read(*runs[0]) : plan.reads;
  double Moment::*const score = content.log ? &Moment::perplexity : &Moment::right_unseen;
  if (!guess.empty()) content.curves.push_back({LineKind::guess, 0, guess});
  if (begun) {
    for (int i = 0; i < static_cast<int>(shown.thin().size()); ++i)
      add_curve(content, curve_of(*shown.thin()[static_cast<std::size_t>(i)], LineKind::thin, i, score));
    if (content.two) {
      content.reads = std::max(content.reads, last_read(*runs[1]));
    } else {
      add_bars(content, *runs[0]);
      add_story(content, *runs[0], shown.probe());
      if (!content.log) {
        add_curve(content, curve_of(*runs[0], LineKind::trained, 0, &Moment::right_trained));
        add_curve(content, curve_of(*runs[0], LineKind::looks, 0,
                                    content.links_known ? &Moment::looks_right : &Moment::concentration));
      }
    }
    const LineKind kind = content.log ? LineKind::perplexity : LineKind::unseen;
    for (int side = content.two ? 1 : 0; side >= 0; --side)
      add_curve(content, curve_of(*runs[static_cast<std::size_t>(side)], kind, side, score));
    if (runs[0]->failure) content.failed = static_cast<double>(runs[0]->moments.back()->read);
  }
  if (content.log) fit_log(content);
  return content;
}

double value_at(const std::vector<QPointF>& points, double read) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].x() == read) return points[i].y();
    if (i == 0 || points[i].x() < read || points[i - 1].x() > read) continue;
    const double part = (read - points[i - 1].x()) / (points[i].x() - points[i - 1].x());
    return points[i - 1].y() + part * (points[i].y() - points[i - 1].y());
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double guess_error(const std::vector<QPointF>& guess, const TimeCurve& curve, bool log) {
  double sum = 0;
  int count = 0;
  for (const QPointF& point : guess) {
    const double came = value_at(curve.points, point.x());
    if (std::isnan(came)) continue;
    sum += std::abs(log ? std::log(point.y() / came) : point.y() - came);
    ++count;
  }
  if (count == 0) return std::numeric_limits<double>::quiet_NaN();
  return log ? std::exp(sum / count) : sum / count;
}

// --- where it stands

double TimeLineLayout::read_at(double x) const {
  return std::clamp(reads * (x - plot.left()) / std::max(1.0, plot.width()), 0.0, reads);
}

double TimeLineLayout::y(double value) const {
  const double part = log ? std::log(std::max(value, 1e-9) / low) / std::log(high / low) : (value - low) / (high - low);
  return plot.bottom() - plot.height() * std::clamp(part, 0.0, 1.0);
}

double TimeLineLayout::value_at(double y) const {
  const double part = std::clamp((plot.bottom() - y) / std::max(1.0, plot.height()), 0.0, 1.0);
  return log ? low * std::pow(high / low, part) : low + part * (high - low);
}

QRectF TimeLineLayout::knob_box(double read) const {
  return {x(read) - knob_radius, knob - knob_radius, 2 * knob_radius, 2 * knob_radius};
}

namespace {

struct Row {
  QRectF* place = nullptr;  // null: it is kept in `height` only
  double height = 0;
  bool there = true;
};

double line_of(const QFont& font) { return Theme::line_height(font); }

// From above: heading, legend of narrow ones, words above, the knob, the plot, triangles, words below, numbers. What
// has no room goes: the words of marks first, those above before those below, then the numbers, then the legend.
void place_rows(TimeLineLayout& layout) {
  const double text = line_of(theme().ui_font()), small = line_of(digit_font()), source = line_of(word_font());
  const double tip = scaled(kTriangle) + 2, knob = scaled(kKnob) + 2 * space::kHair;
  Row above{&layout.words_above, small}, below{&layout.words_below, small}, numbers{&layout.numbers, small};
  Row legend{&layout.legend, source, !layout.wide};
  const auto rest = [&] {
    double room = layout.size.height() - text - knob - tip - 2 * space::kTight;
    for (const Row* row : {&above, &below, &numbers, &legend}) room -= row->there ? row->height : 0;
    return room;
  };
  for (Row* row : {&above, &below, &numbers, &legend})
    if (rest() < scaled(kLeastPlot)) row->there = false;
  const double plot = std::max(1.0, rest());
  const double width = layout.size.width() - 2 * space::kMargin;
  double top = 0;
  const auto put = [&](const Row& row) {
    if (row.there) *row.place = QRectF(space::kMargin, top, width, row.height);
    top += row.there ? row.height : 0;
  };
  layout.heading = QRectF(space::kMargin, 0, width, text);
  top = text;
  if (!layout.wide) put(legend);
  top += space::kTight;
  put(above);
  layout.knob = top + knob / 2;
  top += knob + space::kTight;
  layout.plot.setTop(top);
  layout.plot.setHeight(plot);
  top += plot;
  layout.triangles = top + space::kHair;
  layout.triangle = scaled(kTriangle);
  top += tip;
  put(below);
  put(numbers);
}

void place_columns(TimeLineLayout& layout, double legend_width) {
  double names = 0;
  for (const auto& tick : layout.y_ticks) names = std::max(names, text_width(tick.text, digit_font()));
  const double left = space::kMargin + names + space::kSmall;
  const double last = layout.x_ticks.empty() ? 0 : text_width(layout.x_ticks.back().text, digit_font()) / 2;
  const double right = layout.wide ? legend_width + space::kMargin + space::kMedium
                                   : std::max<double>(space::kMargin, last + space::kTight);
  const double width = std::max(1.0, layout.size.width() - left - right);
  layout.plot.setLeft(left);
  layout.plot.setWidth(width);
  if (layout.wide)
    layout.legend = QRectF(layout.plot.right() + space::kMedium, layout.plot.top(), legend_width, layout.plot.height());
}

std::vector<TimeLineLayout::Tick> value_ticks(const TimeLineContent& content, double height) {
  std::vector<TimeLineLayout::Tick> ticks;
  if (!content.log) {
    for (const double share : {0.0, 0.5, 1.0}) ticks.push_back({share, share_percent(share)});
    return ticks;
  }
  for (double decade = 1; decade <= content.high; decade *= 10)
    for (const double step : {1.0, 2.0, 5.0})
      if (const double at = step * decade; at >= content.low - 1e-9 && at <= content.high + 1e-9)
        ticks.push_back({at, short_number(at)});
  // Where they would stand too near, every second one goes, and the first stays.
  const auto room = static_cast<std::size_t>(std::max(2.0, height / line_of(digit_font()) / 1.2));
  while (ticks.size() > room) {
    std::vector<TimeLineLayout::Tick> fewer;
    for (std::size_t i = 0; i < ticks.size(); i += 2) fewer.push_back(ticks[i]);
    if (fewer.size() == ticks.size()) break;
    ticks = std::move(fewer);
  }
  return ticks;
}

// A step of at most two digits that divides the whole; else 1, 2 or 5 times a power of ten.
double read_step(double reads, int most) {
  for (int parts = most; parts >= 2; --parts) {
    double step = reads / parts;
    if (step != std::floor(step)) continue;
    while (step >= 100 && std::fmod(step, 10) == 0) step /= 10;
    if (step < 100) return reads / parts;
  }
  const double decade = std::pow(10, std::floor(std::log10(reads / most)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * decade * most >= reads) return std::max(1.0, step * decade);
  return std::max(1.0, 10 * decade);
}

std::vector<TimeLineLayout::Tick> read_ticks(double reads, double width) {
  std::vector<TimeLineLayout::Tick> ticks;
  if (reads <= 0) return ticks;
  const int most = std::max(1, static_cast<int>(width / scaled(kBetweenTicks)));
  const double step = most == 1 ? reads : read_step(reads, std::min(most, 6));
  const QLocale locale(current_language());
  for (double at = 0; at <= reads + 1e-6; at += step)
    ticks.push_back({at, locale.toString(static_cast<qlonglong>(std::llround(at)))});
  return ticks;
}

// Words of marks stand below, those without room above, then nowhere: such a mark is a tick.
void place_words(TimeLineLayout& layout, const TimeLineContent& content) {
  double below = -1e9, above = -1e9;  // where the last words end
  const double gap = scaled(6);
  for (const auto& mark : content.marks) {
    TimeLineLayout::Word word;
    word.text = elided_text(mark.word, digit_font(), Qt::ElideRight, kMostWords * layout.plot.width());
    const double width = text_width(word.text, digit_font());
    const double left = std::max(0.0, std::min(layout.x(mark.read) - width / 2, layout.size.width() - width));
    if (!layout.words_below.isNull() && left >= below + gap) {
      word.place = QRectF(left, layout.words_below.top(), width, layout.words_below.height());
      below = left + width;
    } else if (!layout.words_above.isNull() && left >= above + gap) {
      word.place = QRectF(left, layout.words_above.top(), width, layout.words_above.height());
      word.above = true;
      above = left + width;
    }
    layout.words.push_back(word);
  }
}

}  // namespace

TimeLineLayout lay_out_time_line(const TimeLineContent& content, QSizeF size, double legend_width) {
  TimeLineLayout layout;
  layout.size = size;
  layout.wide = size.width() >= scaled(kWide);
  layout.reads = content.reads > 0 ? content.reads : 1;
  layout.log = content.log, layout.low = content.low, layout.high = content.high;
  layout.knob_radius = scaled(kKnob) / 2, layout.hit = scaled(kHit) / 2;
  place_rows(layout);
  layout.y_ticks = value_ticks(content, layout.plot.height());
  layout.x_ticks = read_ticks(content.reads, size.width());
  place_columns(layout, legend_width);
  place_words(layout, content);
  return layout;
}

double least_time_line_height() {
  const double rows = line_of(theme().ui_font()) + line_of(digit_font());
  return std::max(scaled(kGoodPlot), rows + scaled(kKnob + kTriangle + kLeastPlot) + 3 * space::kTight);
}

double good_time_line_height() {
  return line_of(theme().ui_font()) + 3 * line_of(digit_font()) + scaled(kKnob + kTriangle + kGoodPlot) +
         3 * space::kTight;
}

}  // namespace headlight
