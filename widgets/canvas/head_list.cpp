#include "widgets/canvas/head_list.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "model/core/scalar.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"

namespace headlight {

namespace {

constexpr double kBarLeast = 32, kBarMost = 140, kBarHeight = 8;

}  // namespace

HeadList::HeadList(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) {}

void HeadList::set_rows(std::vector<HeadListRow> rows, const QStringList& titles, const QString& name) {
  rows_ = std::move(rows);
  titles_ = titles;
  name_ = name;
  cursor_ = std::clamp(cursor_, 0, std::max(0, static_cast<int>(rows_.size()) - 1));
  low_ = high_ = 0;
  for (const HeadListRow& row : rows_)
    if (std::isfinite(row.value)) {
      low_ = std::min(low_, row.value);
      high_ = std::max(high_, row.value);
    }
  lay_out_at_once();
  choice_changed();
}

void HeadList::set_chosen(const std::optional<HeadPlace>& head) {
  if (std::exchange(chosen_, head) == head) return;
  for (int i = 0; head && i < static_cast<int>(rows_.size()); ++i)
    if (nth(rows_, i).head == *head) {
      cursor_ = i;
      reveal(row_rect(i));
    }
  choice_changed();
}

double HeadList::line() const { return std::ceil(QFontMetricsF(theme().ui_font()).height()) + space::kSmall; }

QRectF HeadList::row_rect(int row) const { return {0, line() * (row + 1), wide_, line()}; }

// Each column has what it needs; the bars have the rest.
void HeadList::measure() {
  const QFont font = bold_font(), small = theme().ui_font(type::kHead);
  double name = text_width(titles_.value(0), small), figure = text_width(titles_.value(1), small),
         second = text_width(titles_.value(2), small), words = text_width(titles_.value(3), small);
  for (const HeadListRow& row : rows_) {
    name = std::max(name, text_width(row.name, font));
    figure = std::max(figure, text_width(row.figure, font));
    second = std::max(second, text_width(row.second, font));
    words = std::max(words, text_width(row.words, theme().ui_font(type::kSource)));
  }
  at_.figure = space::kSmall + name + space::kMedium + figure;
  at_.bar = at_.figure + space::kMedium;
  const double behind = (second > 0 ? space::kMedium + second : 0) + (words > 0 ? space::kMedium + words : 0);
  at_.bar_end = at_.bar + std::clamp(wide_ - at_.bar - behind - space::kSmall, kBarLeast, kBarMost);
  at_.second = at_.bar_end + (second > 0 ? space::kMedium + second : 0);
  at_.words = at_.second + space::kMedium;
  at_.end = at_.words + words + space::kSmall;
}

QSizeF HeadList::arrange(QSizeF view) {
  wide_ = view.width();
  measure();
  wide_ = std::max(wide_, at_.end);
  return {at_.end, line() * static_cast<double>(rows_.size() + 1) + space::kTight};
}

void HeadList::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (rows_.empty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  const QFont small = theme().ui_font(type::kHead);
  const double high = line();
  const QColor ink = tokens().ink2;
  write(painter, {space::kSmall, 0, at_.figure, high}, kLeft, titles_.value(0), small, ink);
  write(painter, {0, 0, at_.figure, high}, kRight, titles_.value(1), small, ink);
  write(painter, {0, 0, at_.second, high}, kRight, titles_.value(2), small, ink);
  write(painter, {at_.words, 0, wide_ - at_.words, high}, kLeft, titles_.value(3), small, ink);
  for (int i = 0; i < static_cast<int>(rows_.size()); ++i)
    if (row_rect(i).intersects(sight)) paint_row(painter, i, marks);
}

void HeadList::paint_row(QPainter& painter, int row, bool marks) const {
  const HeadListRow& at = nth(rows_, row);
  const Tokens& t = tokens();
  const QRectF rect = row_rect(row);
  const double top = rect.top(), high = rect.height();
  const bool chosen = chosen_ == at.head;
  const QFont font = chosen ? bold_font() : theme().ui_font();
  if (chosen) draw_box(painter, rect.adjusted(0, 1, -1, -1), radius::kButton, Qt::NoPen, t.wash);
  if (marks && hovered().row == row) draw_box(painter, rect.adjusted(0.5, 1, -1, -1), radius::kButton, QPen(t.ink, 1));
  write(painter, {space::kSmall, top, at_.figure, high}, kLeft, at.name, font, chosen ? t.accent : t.ink);
  write(painter, {0, top, at_.figure, high}, kRight, at.figure, font, t.ink);
  paint_bar(painter, {at_.bar, rect.center().y() - kBarHeight / 2, at_.bar_end - at_.bar, kBarHeight}, at.value);
  write(painter, {0, top, at_.second, high}, kRight, at.second, font, t.ink);
  write_line(painter, {at_.words, top, wide_ - at_.words - space::kSmall, high}, kLeft, at.words,
             theme().ui_font(type::kSource), t.ink2);
}

// From the place of 0: signed numbers go to both sides.
void HeadList::paint_bar(QPainter& painter, const QRectF& room, double value) const {
  const double span = high_ - low_;
  if (!(span > 0) || !std::isfinite(value)) return;
  const double zero = room.left() - low_ / span * room.width(), length = std::abs(value) / span * room.width();
  const QRectF bar(value < 0 ? zero - length : zero, room.top(), std::max(1.0, length), room.height());
  const double share = value / std::max(high_, -low_);
  const QColor colour = low_ < 0 ? theme().signed_value(std::copysign(std::max(0.5, std::abs(share)), share))
                                 : theme().weight(std::max(0.5, share));
  draw_box(painter, bar, std::min(kBarHeight / 2, bar.width() / 2), Qt::NoPen, colour);
}

HeadListHit HeadList::place_at(QPointF point) const {
  const int row = static_cast<int>(std::floor(point.y() / line())) - 1;
  return {point.x() >= 0 && point.x() <= wide_ && row >= 0 && row < static_cast<int>(rows_.size()) ? row : -1};
}

QString HeadList::place_tooltip(const HeadListHit& place) const {
  return place.row < 0 ? QString() : nth(rows_, place.row).help;
}

QString HeadList::description() const {
  if (cursor_ >= static_cast<int>(rows_.size())) return {};
  const HeadListRow& row = nth(rows_, cursor_);
  QStringList parts{row.name, row.figure, row.second, row.words};
  parts.removeAll(QString());
  return parts.join(QStringLiteral(", "));
}

void HeadList::press_place(const HeadListHit& place) {
  cursor_ = place.row;
  activate();
}

QRectF HeadList::cursor_rect() const { return rows_.empty() ? QRectF() : row_rect(cursor_); }

bool HeadList::go(int, int down) {
  if (rows_.empty()) return false;
  cursor_ = std::clamp(cursor_ + down, 0, static_cast<int>(rows_.size()) - 1);
  reveal(row_rect(cursor_));
  choice_changed();
  return true;
}

bool HeadList::activate() {
  if (cursor_ >= static_cast<int>(rows_.size())) return false;
  emit headChosen(nth(rows_, cursor_).head);
  return true;
}

bool HeadList::menu(std::optional<QPointF> point, const QPoint& global) {
  const HeadListHit place = point ? place_at(*point) : HeadListHit{rows_.empty() ? -1 : cursor_};
  if (place.row < 0) return false;
  emit menuRequested(nth(rows_, place.row).head,
                     point ? global : viewport()->mapToGlobal(viewport_point(row_rect(place.row).center()).toPoint()));
  return true;
}

}  // namespace headlight
