#include "widgets/views/origins/origins_list.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "model/core/scalar.h"
#include "widgets/base/focus.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tip.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr double kBar = 68, kLeastBar = 12, kGap = 12;
constexpr double kPlace = 6;  // between a name and which one it is

// As dark as the flow in the picture.
QColor bar_colour(double share) { return theme().weight(std::pow(std::clamp(share, 0.0, 1.0), 0.42)); }

}  // namespace

OriginsList::OriginsList(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setProperty(kMarksItself, true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void OriginsList::set_rows(std::vector<OriginRow> rows, const QString& first, const QString& second,
                           const QString& third) {
  rows_ = std::move(rows);
  first_ = first;
  second_ = second;
  third_ = third;
  hovered_ = -1;
  current_ = std::clamp(current_, 0, std::max(0, static_cast<int>(rows_.size()) - 1));
  updateGeometry();
  update();
}

double OriginsList::line() const { return std::ceil(QFontMetricsF(theme().ui_font()).height()) + 8; }

QRectF OriginsList::row_rect(int row) const {
  const bool below = row < static_cast<int>(rows_.size()) && nth(rows_, row).summed;
  return {0, line() * (row + 1) + (below ? 5 : 0), static_cast<double>(width()), line()};
}

QSize OriginsList::sizeHint() const {
  return {330, static_cast<int>(std::ceil(line() * static_cast<double>(rows_.size() + 1) + 6))};
}

int OriginsList::row_at(QPointF point) const {
  for (int i = 0; i < static_cast<int>(rows_.size()); ++i)
    if (row_rect(i).contains(point)) return i;
  return -1;
}

void OriginsList::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Tokens& t = tokens();
  const QFont font = theme().ui_font(), small = theme().ui_font(type::kHead);
  // Each column has what it needs; the bars have the rest, and where that is too little, names are shortened.
  const auto figure = [](const OriginRow& row) {
    return row.figure.isEmpty() ? QStringLiteral("%1 %").arg(row.percent) : row.figure;
  };
  double widest = text_width(first_, small), number = text_width(second_, small), words = text_width(third_, small);
  for (const OriginRow& row : rows_) {
    const QFont own = row.chosen ? bold_font() : font;
    widest =
        std::max(widest, text_width(row.name, own) + (row.place.isEmpty() ? 0 : kPlace + text_width(row.place, small)));
    number = std::max(number, text_width(figure(row), own));
    if (!row.summed) words = std::max(words, text_width(row.way, theme().ui_font(type::kSource)));
  }
  const double right = width() - kHang, room = right - kHang - number - words - 3 * kGap;
  const double names = std::min(std::ceil(widest) + 2, std::max(0.38 * width(), room - kLeastBar));
  const double figures = kHang + names + kGap + std::ceil(number), bar = figures + kGap;
  const double bars = std::clamp(room - names, kLeastBar, kBar), way = bar + bars + kGap;
  const double high = line();
  write_line(painter, {kHang, 0, names, high}, kLeft, first_, small, t.ink2);
  write(painter, {0, 0, figures, high}, kRight, second_, small, t.ink2);
  write_line(painter, {way, 0, right - way, high}, kLeft, third_, small, t.ink2);
  double most = 0.01;
  for (const OriginRow& row : rows_) most = std::max(most, row.share);
  bool lined = false;
  for (int i = 0; i < static_cast<int>(rows_.size()); ++i) {
    const OriginRow& row = nth(rows_, i);
    const QRectF rect = row_rect(i);
    if (row.summed && !lined) draw_line(painter, {kHang, rect.top() - 2}, {right, rect.top() - 2}, QPen(t.line, 1));
    lined = lined || row.summed;
    if (row.chosen) draw_box(painter, rect.adjusted(0, 1, -1, -1), 5, Qt::NoPen, t.wash);
    if (i == current_ && hasFocus() && keyboard_is_seen())
      draw_box(painter, rect.adjusted(1, 1, -2, -1), 5, QPen(t.ink, 2));
    if (i == hovered_ && row.lane >= 0) draw_box(painter, rect.adjusted(0.5, 1, -1, -1), 5, QPen(t.ink, 1));
    QFont own = row.chosen ? bold_font() : font;
    if (row.special) own = special_font(own);
    const double place = row.place.isEmpty() ? 0 : kPlace + text_width(row.place, small);
    const double wide = std::min(text_width(row.name, own), std::max(0.0, names - place));
    write_line(painter, {kHang, rect.top(), wide + 2, high}, kLeft, row.name, own,
               row.chosen   ? t.accent
               : row.summed ? t.ink2
                            : t.ink);
    if (!row.place.isEmpty())
      write(painter, {kHang + wide + kPlace, rect.top(), place, high}, kLeft, row.place, small, t.ink2);
    write(painter, {0, rect.top(), figures, high}, kRight, figure(row), row.chosen ? bold_font() : font,
          row.summed ? t.ink2 : t.ink);
    if (row.summed) {
      write_line(painter, {bar, rect.top(), right - bar, high}, kLeft, row.way, small, t.ink2);
      continue;
    }
    const double length = std::max(2.0, bars * row.share / most);
    draw_box(painter, {bar, rect.center().y() - 4, length, 8}, std::min(4.0, length / 2), Qt::NoPen,
             bar_colour(row.share));
    write_line(painter, {way, rect.top(), right - way, high}, kLeft, row.way, theme().ui_font(type::kSource), t.ink2);
  }
}

void OriginsList::mousePressEvent(QMouseEvent* event) {
  const int row = row_at(event->position());
  if (event->button() == Qt::LeftButton && row >= 0 && nth(rows_, row).lane >= 0)
    emit laneClicked(nth(rows_, row).lane);
}

void OriginsList::mouseMoveEvent(QMouseEvent* event) {
  const int row = row_at(event->position());
  if (row == hovered_) return;
  hovered_ = row;
  emit laneHovered(row >= 0 ? nth(rows_, row).lane : -1);
  update();
}

// Up and down from row to row, Enter goes to its lane.
void OriginsList::keyPressEvent(QKeyEvent* event) {
  const int last = static_cast<int>(rows_.size()) - 1;
  switch (event->key()) {
    case Qt::Key_Down:
      return go_to_row(std::min(last, current_ + 1));
    case Qt::Key_Up:
      return go_to_row(std::max(0, current_ - 1));
    case Qt::Key_Home:
      return go_to_row(0);
    case Qt::Key_End:
      return go_to_row(last);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      if (current_ <= last && nth(rows_, current_).lane >= 0) emit laneClicked(nth(rows_, current_).lane);
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void OriginsList::go_to_row(int row) {
  if (row < 0 || row >= static_cast<int>(rows_.size())) return;
  current_ = row;
  const OriginRow& at = nth(rows_, row);
  setAccessibleDescription(
      QStringLiteral("%1 %2: %3. %4")
          .arg(at.name, at.place, at.figure.isEmpty() ? QStringLiteral("%1 %").arg(at.percent) : at.figure, at.way));
  emit laneHovered(at.lane);
  update();
}

void OriginsList::focusInEvent(QFocusEvent*) { go_to_row(current_); }

void OriginsList::focusOutEvent(QFocusEvent*) {
  emit laneHovered(-1);
  update();
}

void OriginsList::leaveEvent(QEvent*) {
  hovered_ = -1;
  emit laneHovered(-1);
  update();
}

bool OriginsList::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const int row = row_at(help->pos());
  if (row < 0) return true;
  const OriginRow& at = nth(rows_, row);
  const QString figure = at.figure.isEmpty() ? QStringLiteral("%1 %").arg(100 * at.share, 0, 'f', 2) : at.figure;
  show_tip(plain_tooltip(QStringLiteral("%1 %2  %3\n%4").arg(at.name, at.place, figure, at.way).simplified()), this,
           help->pos(), [&](QPoint point) { return row_at(point) == row; });
  return true;
}

}  // namespace headlight
