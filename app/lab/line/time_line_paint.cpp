#include "app/lab/line/time_line_paint.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/lab/line/story_words.h"
#include "app/parts.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

struct TimeLineTexts {
  Q_DECLARE_TR_FUNCTIONS(TimeLineTexts)
};

constexpr double kGoal = 0.95;  // of "both at 95 %"
constexpr double kTick = 4;     // pixels at 100 %

double at_scale(double pixels) { return pixels * theme().font_scale(); }
double pen_width(double width) { return theme().line(width * std::max(1.0, theme().font_scale())); }

QColor looking_colour() { return theme().weight(0.7); }  // blue is the model's

QPen curve_pen(const TimeCurve& curve) {
  const Tokens& t = tokens();
  switch (curve.kind) {
    case LineKind::guess:
      return {t.edge, pen_width(1.6), Qt::DashLine, Qt::RoundCap, Qt::RoundJoin};
    case LineKind::thin:
      return {t.edge, theme().line(1), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin};
    case LineKind::trained:
      return {t.ink2, pen_width(1.2), Qt::DashLine, Qt::FlatCap, Qt::RoundJoin};
    case LineKind::looks:
      return {looking_colour(), pen_width(2), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin};
    case LineKind::unseen:
    case LineKind::perplexity:
      break;
  }
  return {t.ink, pen_width(2.2), curve.side == 1 ? Qt::DashLine : Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin};
}

QString value_words(double value, bool log) {
  if (std::isnan(value)) return QStringLiteral("–");
  return log ? short_number(value, 3) : share_words(value);
}

QFont legend_font(const LegendLine& line) { return line.strong ? strong_font(type::kSource) : word_font(); }

double end_of(const TimeLineContent& content, LineKind kind, int side = 0) {
  const TimeCurve* curve = content.curve(kind, side);
  return curve ? curve->points.back().y() : std::numeric_limits<double>::quiet_NaN();
}

// Of a training that is alone.
void add_own_lines(std::vector<LegendLine>& lines, const TimeLineContent& content, const Moment& now) {
  const Tokens& t = tokens();
  if (content.curve(LineKind::perplexity))
    lines.push_back({TimeLineTexts::tr("perplexity"), value_words(now.perplexity, true),
                     content.characters
                         ? TimeLineTexts::tr("Among how many characters it hesitates, on text that it never saw: the "
                                             "exponential of the mean loss of a character.")
                         : TimeLineTexts::tr("Among how many tokens it hesitates, on text that it never saw: the "
                                             "exponential of the mean loss of a token."),
                     t.ink, true, end_of(content, LineKind::perplexity)});
  if (content.curve(LineKind::unseen))
    lines.push_back({TimeLineTexts::tr("right on unseen"), value_words(now.right_unseen, false),
                     TimeLineTexts::tr("How many of the sentences that it never saw have an output that is all right."),
                     t.ink, true, end_of(content, LineKind::unseen)});
  if (content.curve(LineKind::looks))
    lines.push_back(
        {looking_words(content.links_known),
         value_words(content.links_known ? now.looks_right : now.concentration, false),
         content.links_known
             ? TimeLineTexts::tr("How many words of the output look most at the word that they come from.")
             : TimeLineTexts::tr("The largest weight of a row of attention, on average. Which word would be the right "
                                 "one is not known here."),
         looking_colour(), true, end_of(content, LineKind::looks)});
  if (content.curve(LineKind::trained))
    lines.push_back({TimeLineTexts::tr("right on trained"), value_words(now.right_trained, false),
                     TimeLineTexts::tr("The same of sentences that it is trained on (dashed)."), t.ink2, false,
                     end_of(content, LineKind::trained)});
  if (!content.bars.empty())
    lines.push_back({TimeLineTexts::tr("loss"), is_measured(now.loss) ? short_number(now.loss, 2) : QStringLiteral("–"),
                     TimeLineTexts::tr("How surprised it is by a right token, on average since the moment before "
                                       "(bars; the highest is the largest loss)."),
                     t.ink2, false, content.low});
}

void add_other_lines(std::vector<LegendLine>& lines, const LabShown& shown, const TimeLineContent& content,
                     double read) {
  const Tokens& t = tokens();
  for (const TimeCurve& curve : content.curves) {
    if (curve.kind == LineKind::guess)
      lines.push_back({TimeLineTexts::tr("your guess"), value_words(value_at(curve.points, read), content.log),
                       TimeLineTexts::tr("The curve that was drawn before the start."), t.ink2, false,
                       curve.points.back().y()});
    if (curve.kind != LineKind::thin) continue;
    const Recording& run = *shown.thin()[static_cast<std::size_t>(curve.side)];
    if (run.title == shown.runs()[0]->title) continue;  // the heading says that they are other seeds
    lines.push_back({from_utf8(run.title), value_words(value_at(curve.points, read), content.log),
                     TimeLineTexts::tr("Another training, to compare with."), t.ink2, false, curve.points.back().y()});
  }
}

}  // namespace

std::vector<LegendLine> legend_lines(const LabShown& shown, const TimeLineContent& content,
                                     const std::vector<int>& moments) {
  std::vector<LegendLine> lines;
  if (shown.empty() || moments.empty()) return lines;
  const Moment& now = shown.runs()[0]->at(moments[0]);
  if (content.two) {
    const LineKind kind = content.log ? LineKind::perplexity : LineKind::unseen;
    for (int side = 0; side < 2; ++side) {
      const Moment& at = shown.runs()[static_cast<std::size_t>(side)]->at(moments[static_cast<std::size_t>(side)]);
      const QString name = side_name(shown, side);
      lines.push_back({side == 1 ? TimeLineTexts::tr("%1 (dashed)").arg(name) : name,
                       value_words(content.log ? at.perplexity : at.right_unseen, content.log),
                       content.log ? TimeLineTexts::tr("Its perplexity on text that it never saw.")
                                   : TimeLineTexts::tr("How many of the sentences that it never saw have an output "
                                                       "that is all right."),
                       tokens().ink, true, end_of(content, kind, side)});
    }
  } else {
    add_own_lines(lines, content, now);
  }
  add_other_lines(lines, shown, content, static_cast<double>(now.read));
  return lines;
}

double legend_width(const std::vector<LegendLine>& lines) {
  double width = text_width(TimeLineTexts::tr("sentences read"), digit_font());
  for (const LegendLine& line : lines) {
    const QFont font = legend_font(line);
    // Wide enough for all values, so that nothing moves with the handle.
    width = std::max(width, text_width(line.name, font) + space::kSmall +
                                std::max(text_width(line.value, font), text_width(QStringLiteral("100 %"), font)));
  }
  return std::ceil(width);
}

namespace {

// Beside the ends of their curves, moved apart where they would touch.
std::vector<QRectF> places_beside(const TimeLineLayout& layout, const std::vector<LegendLine>& lines) {
  const double high = Theme::line_height(word_font());
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto y = [&](std::size_t line) {
    return std::isnan(lines[line].y) ? layout.plot.bottom() : layout.y(lines[line].y);
  };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return y(a) < y(b); });
  std::vector<double> tops;
  for (const std::size_t line : order)
    tops.push_back(std::max(y(line) - high / 2, tops.empty() ? -1e9 : tops.back() + high));
  // What went too far down pushes the others up.
  double most = layout.plot.bottom() + high / 2;
  for (std::size_t i = tops.size(); i-- > 0; most = tops[i]) tops[i] = std::min(tops[i], most - high);
  std::vector<QRectF> places(lines.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    if (tops[i] >= layout.heading.bottom())
      places[order[i]] = QRectF(layout.legend.left(), tops[i], layout.legend.width(), high);
  return places;
}

std::vector<QRectF> places_in_line(const TimeLineLayout& layout, const std::vector<LegendLine>& lines) {
  std::vector<QRectF> places;
  double left = layout.legend.left();
  bool room = !layout.legend.isNull();
  for (const LegendLine& line : lines) {
    const QFont font = legend_font(line);
    const double width = text_width(line.name, font) + space::kTight + text_width(line.value, font);
    room = room && left + width <= layout.legend.right();
    places.push_back(room ? QRectF(left, layout.legend.top(), width, layout.legend.height()) : QRectF());
    left += width + space::kMedium;
  }
  return places;
}

void paint_axes(QPainter& painter, const TimeLineContent& content, const TimeLineLayout& layout) {
  const Tokens& t = tokens();
  const QRectF& plot = layout.plot;
  const double high = Theme::line_height(digit_font());
  for (const auto& tick : layout.y_ticks) {
    const double y = std::round(layout.y(tick.value)) + 0.5;
    draw_line(painter, {plot.left(), y}, {plot.right(), y}, QPen(t.line, space::kHair));
    write(painter, {0, y - high / 2, plot.left() - space::kSmall, high}, kRight, tick.text, digit_font(), t.ink2);
  }
  for (const auto& tick : layout.x_ticks) {
    const double x = layout.x(tick.value);
    draw_line(painter, {x, plot.bottom()}, {x, plot.bottom() + at_scale(kTick)}, QPen(t.edge, space::kHair));
    if (layout.numbers.isNull()) continue;
    const double width = text_width(tick.text, digit_font());
    write(painter, {x - width / 2, layout.numbers.top(), width, layout.numbers.height()}, kCentre, tick.text,
          digit_font(), t.ink2);
  }
  if (!layout.wide || layout.numbers.isNull() || layout.x_ticks.empty()) return;
  const auto& last = layout.x_ticks.back();
  const double left =
      std::max(layout.legend.left(), layout.x(last.value) + text_width(last.text, digit_font()) / 2 + space::kMedium);
  write(painter, {left, layout.numbers.top(), layout.size.width() - left, layout.numbers.height()}, kLeft,
        content.characters ? TimeLineTexts::tr("characters read") : TimeLineTexts::tr("sentences read"), digit_font(),
        t.ink2);
}

void paint_bars(QPainter& painter, const TimeLineContent& content, const TimeLineLayout& layout) {
  constexpr double kMost = 0.4;  // of the height of the plot: the curves stand before them
  for (const auto& bar : content.bars) {
    const double from = layout.x(bar.from), to = layout.x(bar.to);
    const double height = kMost * layout.plot.height() * bar.height;
    painter.fillRect(QRectF(from, layout.plot.bottom() - height, std::max(0.5, to - from - space::kHair), height),
                     tokens().press);
  }
}

void paint_curves(QPainter& painter, const TimeLineContent& content, const TimeLineLayout& layout) {
  painter.save();
  // A guess may go on where the training ended early.
  painter.setClipRect(layout.plot.adjusted(-space::kTight, -space::kTight, space::kTight, space::kTight));
  painter.setBrush(Qt::NoBrush);
  for (const TimeCurve& curve : content.curves) {
    QPolygonF points;
    for (const QPointF& point : curve.points) points << QPointF(layout.x(point.x()), layout.y(point.y()));
    painter.setPen(curve_pen(curve));
    if (points.size() == 1)
      draw_dot(painter, points[0], pen_width(2), curve_pen(curve).color());
    else
      painter.drawPolyline(points);
  }
  painter.restore();
  if (!content.two || content.log) return;
  const double y = layout.y(kGoal);
  draw_line(painter, {layout.plot.left(), y}, {layout.plot.right(), y},
            QPen(tokens().ink2, space::kHair, Qt::DashLine));
}

void paint_triangle(QPainter& painter, const TimeLineLayout& layout, double read, const QColor& colour) {
  const double x = layout.x(read), top = layout.triangles, half = layout.triangle / 2;
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawPolygon(QPolygonF{{x, top}, {x + half, top + layout.triangle}, {x - half, top + layout.triangle}});
}

void paint_marks(QPainter& painter, const TimeLineContent& content, const TimeLineLayout& layout) {
  const Tokens& t = tokens();
  const auto tick = [&](double read, const QColor& colour) {
    const double x = layout.x(read);
    draw_line(painter, {x, layout.plot.bottom()}, {x, layout.plot.bottom() + 2 * at_scale(kTick)},
              QPen(colour, theme().line(1)));
  };
  for (const auto& change : content.changes) tick(change.second, t.edge);
  for (std::size_t i = 0; i < content.marks.size(); ++i) {
    const auto& mark = content.marks[i];
    const auto& word = layout.words[i];
    if (word.place.isNull()) {
      tick(mark.read, t.ink);
      continue;
    }
    if (word.above)
      draw_line(painter, {layout.x(mark.read), word.place.bottom()}, {layout.x(mark.read), layout.plot.bottom()},
                QPen(t.line, space::kHair));
    paint_triangle(painter, layout, mark.read, t.ink);
    write(painter, word.place, kCentre, word.text, digit_font(), t.ink);
  }
}

void paint_words_on_paper(QPainter& painter, const QRectF& place, const QString& text, const QFont& font,
                          const QColor& colour) {
  const QRectF around = place.adjusted(-space::kTight, 0, space::kTight, 0);
  painter.fillRect(around, theme().background());
  write_line(painter, around, kCentre, text, font, colour);
}

// Right of where the numbers end, or left of it where there is more room.
void paint_failure(QPainter& painter, const TimeLineContent& content, const TimeLineLayout& layout,
                   const QString& words) {
  const double x = layout.x(content.failed), size = at_scale(12), high = Theme::line_height(word_font());
  const double y = layout.plot.center().y();
  draw_line(painter, {x, layout.plot.top()}, {x, layout.plot.bottom()}, QPen(tokens().bad, theme().line(1)));
  const double width = text_width(words, word_font()), whole = size + space::kTight + width;
  const bool right = x + space::kSmall + whole <= layout.plot.right() || x < layout.plot.center().x();
  const double left = right ? x + space::kSmall : std::max(layout.plot.left(), x - space::kSmall - whole);
  painter.fillRect(QRectF(left, y - high / 2, whole, high), theme().background());
  draw_sign(painter, {left, y - size / 2, size, size}, Sign::close, tokens().bad);
  write_line(painter,
             {left + size + space::kTight, y - high / 2, std::min(width, layout.size.width() - left - size), high},
             kLeft, words, word_font(), tokens().bad);
}

void paint_heading(QPainter& painter, const TimeLineContent& content, const TimeLineLayout& layout,
                   const TimeLineHeading& heading) {
  const Tokens& t = tokens();
  const QFont font = strong_font();
  const double title = std::ceil(text_width(heading.title, font));
  QRectF place = layout.heading;
  write(painter, place, kLeft, heading.title, font, t.ink);
  place.setLeft(place.left() + title + space::kLarge);
  if (!layout.wide && content.reads > 0) {
    const QString unit =
        content.characters ? TimeLineTexts::tr("characters read →") : TimeLineTexts::tr("sentences read →");
    const double width = text_width(unit, digit_font());
    const double facts = text_width(heading.facts, word_font());
    if (facts + width + space::kLarge <= place.width()) write(painter, place, kRight, unit, digit_font(), t.ink2);
  }
  write_line(painter, place, kLeft, heading.facts, word_font(), t.ink2);
}

void paint_legend(QPainter& painter, const TimeLineLayout& layout, const std::vector<LegendLine>& lines) {
  const std::vector<QRectF> places = legend_places(layout, lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (places[i].isNull()) continue;
    const QFont font = legend_font(lines[i]);
    const double gap = layout.wide ? space::kSmall : space::kTight;
    const double name = text_width(lines[i].name, font) + gap;
    write(painter, places[i], kLeft, lines[i].name, font, lines[i].colour);
    write(painter, places[i].adjusted(name, 0, 0, 0), kLeft, lines[i].value, font, lines[i].colour);
  }
}

void paint_handle(QPainter& painter, const LabShown& shown, const TimeLineContent& content,
                  const TimeLineLayout& layout, const std::vector<int>& moments, int side) {
  const QColor accent = tokens().accent;
  const auto read = [&](int of) {
    const auto at = static_cast<std::size_t>(of);
    return static_cast<double>(shown.runs()[at]->at(moments[at]).read);
  };
  const double x = layout.x(read(side));
  draw_line(painter, {x, layout.knob}, {x, layout.plot.bottom()}, QPen(accent, pen_width(1.8)));
  draw_dot(painter, {x, layout.knob}, layout.knob_radius, accent);
  if (!content.two) return;
  const QString name = side_name(shown, side);
  const double width = text_width(name, digit_font()), gap = layout.knob_radius + space::kSmall;
  const bool first = read(side) < read(1 - side) || (read(0) == read(1) && side == 0);
  const bool left = first || (read(0) != read(1) && x + gap + width > layout.plot.right());
  const double at = left ? x - gap - width : x + gap;
  write(painter, {at, layout.knob - layout.knob_radius, width, 2 * layout.knob_radius}, kCentre, name, digit_font(),
        accent);
}

}  // namespace

std::vector<QRectF> legend_places(const TimeLineLayout& layout, const std::vector<LegendLine>& lines) {
  return layout.wide ? places_beside(layout, lines) : places_in_line(layout, lines);
}

void paint_time_line(QPainter& painter, const TimeLineContent& content, const TimeLineLayout& layout,
                     const QString& prompt, const QString& failure) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  paint_axes(painter, content, layout);
  paint_bars(painter, content, layout);
  paint_curves(painter, content, layout);
  paint_marks(painter, content, layout);
  if (!std::isnan(content.failed)) paint_failure(painter, content, layout, failure);
  if (!prompt.isEmpty()) {
    const QFont font = theme().ui_font(type::kTitle);
    const double width = std::min(text_width(prompt, font), layout.plot.width());
    const double high = Theme::line_height(font);
    paint_words_on_paper(painter,
                         {layout.plot.center().x() - width / 2, layout.plot.center().y() - high / 2, width, high},
                         prompt, font, tokens().ink2);
  }
  painter.restore();
}

void paint_moment_marks(QPainter& painter, const LabShown& shown, const TimeLineContent& content,
                        const TimeLineLayout& layout, const TimeLineHeading& heading, const std::vector<int>& moments) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  paint_heading(painter, content, layout, heading);
  paint_legend(painter, layout, legend_lines(shown, content, moments));
  for (std::size_t i = 0; !moments.empty() && i < content.marks.size(); ++i) {
    const auto& mark = content.marks[i];
    if (mark.moment != moments[0] || layout.words[i].place.isNull()) continue;
    paint_triangle(painter, layout, mark.read, tokens().accent);
    paint_words_on_paper(painter, layout.words[i].place, layout.words[i].text, strong_font(type::kHead),
                         tokens().accent);
  }
  for (int side = 0; side < static_cast<int>(moments.size()); ++side)
    paint_handle(painter, shown, content, layout, moments, side);
  painter.restore();
}

}  // namespace headlight
