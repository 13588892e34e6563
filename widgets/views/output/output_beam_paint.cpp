// Painting the tree.
#include "widgets/views/output/output_beam_paint.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/selection.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"
#include "widgets/views/output/output_beam_view.h"
#include "widgets/views/output/output_layout.h"

namespace headlight {

namespace {

using Fate = BeamHypothesis::Fate;

QFont small_number_font() { return theme().ui_font(type::kHead); }
QFont box_font() { return theme().ui_font(type::kSource); }
QFont token_font(bool winner, bool word = false) {
  QFont font = theme().text_font(!word);
  font.setWeight(winner ? QFont::DemiBold : QFont::Normal);
  return font;
}

constexpr double kInset = 6;        // inside a box
constexpr double kMarkGap = 5;      // before the mark of a fate
constexpr int kLongestInBox = 12;   // longer ones are elided, in digits
constexpr int kLongestOutput = 40;  // the same in the list

double mark_size() { return std::ceil(QFontMetricsF(small_number_font()).height() * 0.6); }

double token_width(const std::string& token) {
  const QString text = token_text(token).text;
  const QFont font = token_font(true, text.size() > 1);
  return std::min(text_width(text, font), kLongestInBox * text_width(QStringLiteral("0"), font));
}

QString output_of(const Result& result, int ended) {
  return shown_text(spelled(result, nth(result.beam->best, ended).tokens).toStdString());
}

// A cross for what was dropped, a hook for what is finished, three dots for what ended otherwise.
void paint_mark(QPainter& painter, const QRectF& rect, Fate fate) {
  if (fate == Fate::alive) return;
  painter.setBrush(Qt::NoBrush);
  if (fate == Fate::pruned) {
    painter.drawLine(rect.topLeft(), rect.bottomRight());
    painter.drawLine(rect.topRight(), rect.bottomLeft());
  } else if (fate == Fate::finished) {
    painter.drawPolyline(QPolygonF({rect.topLeft() + QPointF(0, rect.height() * 0.55),
                                    rect.topLeft() + QPointF(rect.width() * 0.38, rect.height() * 0.95),
                                    rect.topRight() + QPointF(0, rect.height() * 0.05)}));
  } else {
    painter.setBrush(painter.pen().color());
    for (const double x : {0.1, 0.5, 0.9})
      painter.drawEllipse(QPointF(rect.left() + rect.width() * x, rect.center().y()), 0.6, 0.6);
  }
}

}  // namespace

BeamLayout::Metrics beam_metrics() {
  BeamLayout::Metrics metrics;
  const double scale = theme().font_scale();
  metrics.box_height = std::ceil(QFontMetricsF(token_font(true)).height() + 7);
  metrics.header = std::ceil(QFontMetricsF(small_number_font()).height() + 6);
  metrics.link = std::round(22 * std::sqrt(scale));
  metrics.smallest_list = std::ceil(14 * text_width(QStringLiteral("0"), token_font(true)));
  metrics.smallest_tree *= scale;
  return metrics;
}

std::vector<double> beam_widths(const Result& result) {
  std::vector<double> widths;
  const QFont numbers = small_number_font();
  const double space = text_width(QStringLiteral("0"), numbers);
  for (const BeamStep& step : result.beam->steps) {
    double token = 0, number = 0;
    for (const BeamHypothesis& hypothesis : step.hypotheses) {
      token = std::max(token, token_width(result.model->target_vocabulary().text(hypothesis.token)));
      number = std::max(number, text_width(log_text(hypothesis.logp), numbers));
    }
    widths.push_back(std::ceil(2 * kInset + token + space + number + kMarkGap + mark_size()));
  }
  return widths;
}

double beam_list_width(const Result& result) {
  const QFont written = token_font(true), numbers = small_number_font();
  double text = 0, number = 0;
  for (int i = 0; i < static_cast<int>(result.beam->best.size()); ++i) {
    text = std::max(text, text_width(output_of(result, i), written));
    const double score = nth(result.beam->best, i).score;
    number = std::max(number, text_width(log_text(score), numbers));
  }
  text = std::min(text, kLongestOutput * text_width(QStringLiteral("0"), written));
  return std::ceil(text + number + text_width(QStringLiteral("16   "), numbers) + 4 * kInset + 16);
}

double beam_caption_height() { return std::ceil(QFontMetricsF(box_font()).height() + 10); }

void BeamView::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  paint(painter, layout_, sight, marks);
}

void BeamView::paint_fixed(QPainter& painter) const {
  paint_caption(painter, QRectF(0, viewport()->height() - footer(), viewport()->width(), footer()));
}

void BeamView::paint(QPainter& painter, const BeamLayout& layout, const QRectF& sight, bool marks) const {
  painter.setRenderHint(QPainter::Antialiasing);
  const std::vector<int> lit = lit_path();
  painter.setFont(small_number_font());
  const auto column = [&](std::optional<int> step, const QColor& colour) {
    if (!marks || !step || *step >= static_cast<int>(layout.lefts.size())) return;
    QColor inside = colour;
    inside.setAlphaF(0.08f);
    QRectF rect = layout.header(*step);
    rect.setBottom(layout.height - layout.metrics.margin);
    draw_box(painter, rect.adjusted(-4, 0, 4, 4), 5, Qt::NoPen, inside);
  };
  column(selection_->state().step, theme().accent());
  column(selection_->hovered_step(), theme().hover());
  painter.setPen(theme().muted_text());
  for (int step = 0; step < static_cast<int>(layout.lefts.size()); ++step) {
    const QRectF header = layout.header(step);
    const double least = tree()->cut_below(step);
    const QString cut = std::isfinite(least) ? tr("%1 · cut below %2").arg(counted(step), log_text(least)) : QString();
    const bool fits = !cut.isEmpty() && text_width(cut, small_number_font()) <= header.width();
    draw_text(painter, header, kCentre, fits ? cut : counted(step));
  }
  // A search of many beams is far larger than what is seen of it.
  paint_links(painter, layout, lit, sight);
  for (std::size_t step = 0; step < layout.order.size(); ++step)
    for (const int place : layout.order[step])
      if (place >= 0 && sight.intersects(layout.box(static_cast<int>(step), place)))
        paint_box(painter, layout, static_cast<int>(step), place, lit[step] == place);
  paint_list(painter, layout, hypothesis_of(hovered() == BeamHit{} ? cursor_ : hovered()));
}

void BeamView::paint_links(QPainter& painter, const BeamLayout& layout, const std::vector<int>& lit,
                           const QRectF& sight) const {
  painter.setBrush(Qt::NoBrush);
  const auto on = [](const std::vector<int>& path, std::size_t step, int place) {
    return step < path.size() && path[step] == place;
  };
  // What is lit comes last, on top.
  for (const int pass : {0, 1, 2})
    for (std::size_t step = 0; step < layout.order.size(); ++step)
      for (const int place : layout.order[step]) {
        if (place < 0) continue;
        const BeamHypothesis& shown = hypothesis(static_cast<int>(step), place);
        const int kind = on(lit, step, place) ? 2 : on(layout.winner, step, place) ? 1 : 0;
        if (kind != pass) continue;
        const QRectF box = layout.box(static_cast<int>(step), place);
        const QRectF from = step == 0 ? box : layout.box(static_cast<int>(step) - 1, shown.parent);
        if (!sight.intersects(box.united(from))) continue;
        const bool dropped = shown.fate == Fate::pruned;
        painter.setPen(kind == 2   ? QPen(theme().accent(), 2)
                       : kind == 1 ? QPen(theme().weight(0.62), 2.4)
                                   : QPen(dropped ? theme().grid() : theme().hatch(), dropped ? 1 : 1.3));
        painter.drawPath(layout.link(static_cast<int>(step), place, shown.parent));
      }
  draw_dot(painter, layout.start(), 4, theme().weight(0.62));
}

void BeamView::paint_box(QPainter& painter, const BeamLayout& layout, int step, int place, bool lit) const {
  const BeamHypothesis& shown = hypothesis(step, place);
  const auto at = static_cast<std::size_t>(step);
  const bool winner = at < layout.winner.size() && layout.winner[at] == place;
  const bool dropped = shown.fate == Fate::pruned;
  const QRectF rect = layout.box(step, place).adjusted(0.5, 0.5, -0.5, -0.5);
  const QColor fill = winner ? theme().weight(0.62) : dropped ? theme().background() : theme().weight(0.14);
  const QColor ink = winner ? Theme::readable_on(fill) : dropped ? theme().muted_text() : theme().text();
  draw_box(painter, rect, 5,
           QPen(lit       ? theme().accent()
                : dropped ? theme().grid()
                          : theme().hatch(),
                lit ? 2 : 1, dropped && !lit ? Qt::DashLine : Qt::SolidLine),
           fill);
  const double mark = mark_size();
  QRectF inside = rect.adjusted(kInset, 0, -kInset, 0);
  const QRectF mark_rect(inside.right() - mark * 0.9, inside.center().y() - mark * 0.45, mark * 0.9, mark * 0.9);
  painter.setPen(QPen(dropped ? theme().hatch() : ink, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  paint_mark(painter, mark_rect, shown.fate);
  inside.setRight(mark_rect.left() - kMarkGap);
  const QString number = log_text(shown.logp);
  write(painter, inside, kRight, number, small_number_font(), winner ? ink : theme().muted_text());
  inside.setRight(inside.right() - text_width(number, small_number_font()));
  const TokenText token = token_text(result()->model->target_vocabulary().text(shown.token));
  write_line(painter, inside, kLeft, token.text, token_font(winner && !token.stand_in, token.text.size() > 1), ink);
}

void BeamView::paint_list(QPainter& painter, const BeamLayout& layout, const BeamHit& lit) const {
  const QRectF ground(layout.list_left, 0, layout.list_width,
                      std::max(layout.height, (viewport()->height() + verticalScrollBar()->maximum()) / scale()));
  painter.fillRect(ground, theme().background());
  draw_line(painter, ground.topLeft(), ground.bottomLeft(), QPen(theme().grid(), 1));
  const QRectF header = layout.list_header();
  const QString score = tr("score");
  const QFont small = small_number_font();
  write(painter, header.adjusted(0, 0, -kInset, 0), kRight, score, small_number_font(), theme().muted_text());
  write_line(painter, header.adjusted(kInset, 0, -text_width(score, small) - 2 * kInset, 0), kLeft,
             tr("finished, best first"));
  for (int i = 0; i < layout.ended; ++i) {
    const BeamEnd& end = nth(tree()->best, i);
    const QRectF rect = layout.list_row(i).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool is_lit = lit == BeamHit{end.step, end.place, -1};
    const QColor fill = i == 0 ? theme().weight(0.62) : theme().background();
    const QColor ink = i == 0 ? Theme::readable_on(fill) : theme().text();
    if (i == 0 || is_lit) draw_box(painter, rect, 5, is_lit ? QPen(theme().accent(), 2) : QPen(Qt::NoPen), fill);
    const QRectF inside = rect.adjusted(kInset, 0, -kInset, 0);
    const QString number = log_text(end.score);
    write(painter, inside, kRight, number, small_number_font(), i == 0 ? ink : theme().muted_text());
    draw_text(painter, inside, kLeft, QString::number(i + 1));
    QRectF text = inside.adjusted(text_width(QStringLiteral("16 "), small), 0, 0, 0);
    text.setRight(inside.right() - text_width(number, small) - kInset);
    write_line(painter, text, kLeft, output_of(*result(), i),
               token_font(i == 0, result()->model->text.target.kind() != TokenizerKind::characters), ink,
               Qt::ElideMiddle);
  }
}

void BeamView::paint_caption(QPainter& painter, const QRectF& rect) const {
  painter.fillRect(rect, theme().background());
  draw_line(painter, rect.topLeft(), rect.topRight(), QPen(theme().grid(), 1));
  const double side = OutputLayout::side_of(rect.width());
  write_line(painter, rect.adjusted(side, 0, -side, 0), kLeft, caption(), box_font(), theme().text());
}

}  // namespace headlight
