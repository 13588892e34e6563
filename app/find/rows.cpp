#include "app/find/rows.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "app/find/preview.h"
#include "app/parts.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

int at_scale(int pixels) { return qRound(pixels * Theme::instance().font_scale()); }
QFont row_font() { return Theme::instance().ui_font(); }
QFont second_font() { return Theme::instance().ui_font(type::kSource); }

// In a box of 16 × 16: a book, a picture, a flash, a box, a cube, a letter, two sliders, a token.
QPainterPath sign_of(FindKind kind) {
  QPainterPath path;
  const auto line = [&](std::initializer_list<QPointF> points, bool closed = false) {
    path.moveTo(*points.begin());
    for (const QPointF& each : points) path.lineTo(each);
    if (closed) path.closeSubpath();
  };
  switch (kind) {
    case FindKind::lesson:
      line({{8, 4.5},
            {5.5, 3.2},
            {2, 3.2},
            {2, 12.2},
            {5.5, 12.2},
            {8, 13.5},
            {10.5, 12.2},
            {14, 12.2},
            {14, 3.2},
            {10.5, 3.2},
            {8, 4.5},
            {8, 13.5}});
      break;
    case FindKind::picture:
      path.addRoundedRect(2, 3, 12, 10, 1.5, 1.5);
      line({{3, 11.5}, {6, 8}, {8.5, 10.5}, {10.5, 8.5}, {13, 11}});
      break;
    case FindKind::action:
      line({{9, 1.8}, {3.5, 9}, {7.5, 9}, {7, 14.2}, {12.5, 7}, {8.5, 7}}, true);
      break;
    case FindKind::model:
      path.addRoundedRect(3, 3, 10, 10, 2, 2);
      line({{6, 6}, {10, 6}});
      line({{6, 10}, {10, 10}});
      break;
    case FindKind::number:
      line({{8, 1.8}, {13.4, 4.9}, {13.4, 11.1}, {8, 14.2}, {2.6, 11.1}, {2.6, 4.9}}, true);
      line({{2.6, 4.9}, {8, 8}, {13.4, 4.9}});
      line({{8, 8}, {8, 14.2}});
      break;
    case FindKind::glossary:
      line({{4, 11}, {8, 2.5}, {12, 11}});
      line({{5.4, 8}, {10.6, 8}});
      line({{3, 13.8}, {13, 13.8}});
      break;
    case FindKind::setting:
      line({{2, 5}, {8, 5}});
      line({{12, 5}, {14, 5}});
      path.addEllipse(QPointF(10, 5), 2, 2);
      line({{2, 11}, {4, 11}});
      line({{8, 11}, {14, 11}});
      path.addEllipse(QPointF(6, 11), 2, 2);
      break;
    case FindKind::token:
      path.addRoundedRect(2, 4, 12, 8, 2, 2);
      break;
  }
  return path;
}

void draw_kind(QPainter& painter, const QRectF& box, FindKind kind, const QColor& ink) {
  painter.save();
  painter.translate(box.topLeft());
  painter.scale(box.width() / 16, box.height() / 16);
  painter.setPen(QPen(ink, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(sign_of(kind));
  painter.restore();
}

// The parts that were typed are demi-bold; what has no room is cut off at its end.
void write_title(QPainter& painter, QRectF room, const FindRow& row, const QColor& ink) {
  double wide = 0;
  qsizetype at = 0;
  std::vector<std::pair<QString, bool>> pieces;
  const auto add = [&](qsizetype to, bool strong) {
    if (to <= at) return;
    pieces.emplace_back(row.title.mid(at, to - at), strong);
    wide += text_width(pieces.back().first, strong ? strong_font() : row_font());
    at = to;
  };
  for (const auto& [from, count] : row.parts) {
    add(from, false);
    add(from + count, true);
  }
  add(row.title.size(), false);
  if (wide > room.width()) return write_line(painter, room, kLeft, row.title, row_font(), ink);
  for (const auto& [text, strong] : pieces) {
    const QFont font = strong ? strong_font() : row_font();
    write(painter, room, kLeft, text, font, ink);
    room.setLeft(room.left() + text_width(text, font));
  }
}

}  // namespace

void FindRows::set_rows(std::vector<FindRow> rows) {
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

int FindRows::next(int row, int direction) const {
  for (row += direction; row >= 0 && row < rowCount(); row += direction)
    if (!(*this)[row].heading) return row;
  return -1;
}

int FindRows::height() const {
  int high = 0;
  for (const FindRow& row : rows_) high += FindRowDelegate::height_of(row);
  return high;
}

int FindRows::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant FindRows::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const FindRow& row = (*this)[index.row()];
  if (role == Qt::DisplayRole) return row.title;
  if (role == Qt::AccessibleTextRole)
    return row.heading ? row.title : QStringLiteral("%1. %2. %3").arg(row.title, kind_name(row.kind), row.second);
  return {};
}

Qt::ItemFlags FindRows::flags(const QModelIndex& index) const {
  return (*this)[index.row()].heading ? Qt::NoItemFlags : Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

int FindRowDelegate::height_of(const FindRow& row) {
  const int least = QFontMetrics(row.heading ? second_font() : row_font()).height();
  return std::max(at_scale(row.heading ? 26 : 28), least + space::kTight);
}

QSize FindRowDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
  return {10, height_of((*static_cast<const FindRows*>(index.model()))[index.row()])};
}

void FindRowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Tokens& t = tokens();
  const FindRow& row = (*static_cast<const FindRows*>(index.model()))[index.row()];
  const QRectF rect = option.rect;
  const bool chosen = option.state & QStyle::State_Selected, hovered = option.state & QStyle::State_MouseOver;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  if (row.heading) {
    write_line(*painter, rect.adjusted(at_scale(10), at_scale(4), -at_scale(10), 0), kLeft, row.title, second_font(),
               t.ink2);
    painter->restore();
    return;
  }
  if (chosen || hovered) draw_box(*painter, rect, radius::kButton, QPen(Qt::NoPen), chosen ? t.press : t.well);
  const QColor quiet = chosen ? t.ink : t.ink2;
  const double side = at_scale(16);
  draw_kind(*painter, QRectF(rect.left() + at_scale(10), rect.center().y() - side / 2, side, side), row.kind, quiet);
  QRectF room = rect.adjusted(at_scale(38), 0, -at_scale(14), 0);
  // What stands at the right takes what the title leaves, and a third at least.
  const double title = text_width(row.title, strong_font());
  const double second = std::min(text_width(row.second, second_font()) + 1,
                                 std::max(room.width() - title - space::kMedium, room.width() / 3));
  write_line(*painter, QRectF(room.right() - second, room.top(), second, room.height()), kRight, row.second,
             second_font(), quiet);
  room.setRight(room.right() - second - space::kMedium);
  write_title(*painter, room, row, row.off ? t.ink2 : t.ink);
  painter->restore();
}

}  // namespace headlight
