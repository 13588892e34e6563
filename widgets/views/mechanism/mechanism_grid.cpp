#include "widgets/views/mechanism/mechanism_grid.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/canvas/text_columns.h"

namespace headlight {

using State = MechanismGridData::State;
using Part = MechanismGridHit::Part;

void MechanismGridModel::set_table(const MechanismGridData* table) {
  data_ = table;
  std::vector<float> values;
  for (const State state : table->states) values.push_back(state == State::on ? 1.0f : 0.0f);
  set_corner(QLatin1String(""));  // labels without a name of their own
  set_matrix(table->rows, table->columns, std::move(values));
  set_labels(table->row_labels, table->column_labels);
}

QVariant MechanismGridModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const State state = data_->at(index.row(), index.column());
  if (role == Qt::DisplayRole) return state == State::absent ? QString() : state == State::on ? tr("on") : tr("off");
  if (role == Qt::EditRole) return state == State::absent ? QVariant() : MatrixModel::data(index, role);
  if (role == Qt::ToolTipRole && data_->words) return data_->words(index.row(), index.column());
  return {};
}

namespace {
QFont label_font() { return theme().token_font(type::kText); }
}  // namespace

MechanismGrid::MechanismGrid(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) {}

void MechanismGrid::set_table(MechanismGridData table) {
  data_ = std::move(table);
  model_.set_table(&data_);
  if (cursor_.y() >= data_.rows || cursor_.x() >= data_.columns) cursor_ = {-1, -1};
  if (cursor_.x() < 0 && data_.rows > 0) cursor_ = {0, 0};
  lay_out();
  announce();
}

QSizeF MechanismGrid::arrange(QSizeF view) {
  const double line = QFontMetricsF(label_font()).height(), scale = theme().font_scale();
  MechanismGridLayout::Metrics m;
  m.view = view;
  m.rows = data_.rows;
  m.columns = data_.columns;
  m.row_label = std::ceil(widest_label(data_.row_labels, label_font())) + 2;
  m.column_label = std::ceil(widest_label(data_.column_labels, label_font())) + 2;
  m.line = line;
  m.least = std::ceil(std::max(14.0, 0.9 * line));
  m.most = std::max(m.least, std::round(34 * scale));
  layout_ = MechanismGridLayout::of(m);
  return {layout_.width, layout_.height};
}

QString MechanismGrid::place_tooltip(const MechanismGridHit& place) const {
  if (place.part == Part::cell && data_.words) return data_.words(place.row, place.column);
  const auto name = [](const std::vector<AxisLabel>& labels, int at) { return nth(labels, at).words(); };
  if (place.part == Part::row) return tr("%1: click to switch the whole row.").arg(name(data_.row_labels, place.row));
  if (place.part == Part::column)
    return tr("%1: click to switch the whole column.").arg(name(data_.column_labels, place.column));
  return {};
}

QString MechanismGrid::description() const {
  return cursor_.x() < 0 ? QString() : place_tooltip({Part::cell, cursor_.y(), cursor_.x()});
}

void MechanismGrid::set_cursor(int row, int column) {
  if (row < 0 || column < 0 || row >= data_.rows || column >= data_.columns || cursor_ == QPoint(column, row)) return;
  cursor_ = {column, row};
  QRectF cell = layout_.cell_rect(row, column);  // of the first ones also their labels
  if (column == 0) cell.setLeft(0);
  if (row == 0) cell.setTop(0);
  reveal(cell, 4);
  choice_changed();
}

void MechanismGrid::go_to(int row, int column) {
  if (data_.rows == 0) return;
  set_cursor(std::clamp(row, 0, data_.rows - 1), std::clamp(column, 0, data_.columns - 1));
  emit cursorMoved(cursor_.y(), cursor_.x());
}

// Of a row or column with anything on, all goes off.
void MechanismGrid::switch_line(int row, int column) {
  bool any_on = false;
  for (int i = 0; i < (row >= 0 ? data_.columns : data_.rows); ++i)
    any_on = any_on || data_.at(row >= 0 ? row : i, row >= 0 ? i : column) == State::on;
  if (row >= 0) return emit rowSwitched(row, !any_on);
  emit columnSwitched(column, !any_on);
}

void MechanismGrid::drag_over(QPoint cell) {
  if (dragged_.contains(cell) || data_.at(cell.y(), cell.x()) == State::absent) return;
  dragged_.append(cell);
  viewport()->update();
}

void MechanismGrid::press_place(const MechanismGridHit& place) {
  if (place.part == Part::row) return switch_line(place.row, -1);
  if (place.part == Part::column) return switch_line(-1, place.column);
  if (place.part != Part::cell) return;
  go_to(place.row, place.column);
  drags_on_ = data_.at(place.row, place.column) == State::off;
  dragged_to_ = {place.column, place.row};
  drag_over(dragged_to_);
}

void MechanismGrid::drag(QPointF point) {
  const MechanismGridHit place = layout_.place_at(point);
  if (!dragged_.isEmpty() && place.part == Part::cell) {
    // A fast mouse tells of some points of its way only; the cells between them are on it, too.
    const QPoint to(place.column, place.row), from = dragged_to_;
    const int steps = std::max(std::abs(to.x() - from.x()), std::abs(to.y() - from.y()));
    for (int i = 1; i <= steps; ++i) {
      const double way = static_cast<double>(i) / steps;
      drag_over({static_cast<int>(std::lround(from.x() + way * (to.x() - from.x()))),
                 static_cast<int>(std::lround(from.y() + way * (to.y() - from.y())))});
    }
    dragged_to_ = to;
  }
  hover(point);
}

void MechanismGrid::release(QPointF) {
  if (dragged_.isEmpty()) return;
  const QList<QPoint> cells = std::exchange(dragged_, {});
  emit cellsSwitched(cells, drags_on_);
  viewport()->update();
}

void MechanismGrid::hover_changed() {
  const bool cell = hovered().part == Part::cell;
  emit cellHovered(cell ? hovered().row : -1, cell ? hovered().column : -1);
}

QRectF MechanismGrid::cursor_rect() const {
  return layout_.rows == 0 ? QRectF() : layout_.cell_rect(std::max(0, cursor_.y()), std::max(0, cursor_.x()));
}

bool MechanismGrid::go(int right, int down) {
  go_to(cursor_.y() + down, cursor_.x() + right);
  return true;
}

bool MechanismGrid::press_key(const QKeyEvent& event) {
  const int row = cursor_.y(), column = cursor_.x();
  if (event.key() != Qt::Key_Space || row < 0) return false;
  if (event.modifiers() & Qt::ShiftModifier)
    switch_line(row, -1);
  else if (event.modifiers() & Qt::ControlModifier)
    switch_line(-1, column);
  else if (data_.at(row, column) != State::absent)
    emit cellsSwitched({cursor_}, data_.at(row, column) == State::off);
  return true;
}

void MechanismGrid::paint_labels(QPainter& painter, const QRectF& sight) const {
  painter.setFont(label_font());
  const auto ink = [&](const AxisLabel& label, bool current) {
    painter.setPen(!current && label.muted ? theme().muted_text() : theme().text());
  };
  for (int row = 0; row < layout_.rows; ++row) {
    const QRectF rect = layout_.row_label(row);
    if (rect.bottom() < sight.top() || rect.top() > sight.bottom()) continue;
    const AxisLabel& label = nth(data_.row_labels, row);
    ink(label, hasFocus() && row == cursor_.y());
    write_line(painter, rect, kRight, label.text);
  }
  for (int column = 0; column < layout_.columns; ++column) {
    const QRectF rect = layout_.column_label(column);
    if (rect.right() < sight.left() || rect.left() > sight.right()) continue;
    const AxisLabel& label = nth(data_.column_labels, column);
    ink(label, hasFocus() && column == cursor_.x());
    if (layout_.upright) {
      draw_text(painter, rect, static_cast<int>(Qt::AlignHCenter | Qt::AlignBottom | Qt::TextSingleLine), label.text);
      continue;
    }
    painter.save();
    painter.translate(rect.center().x(), rect.bottom());
    painter.rotate(-90);
    write_line(painter, {0, -rect.width() / 2, rect.height(), rect.width()}, kLeft, label.text);
    painter.restore();
  }
}

QColor MechanismGrid::colour_of(int row, int column) const {
  if (data_.effects.empty()) return theme().weight(0.55);
  double largest = 0;
  for (const double each : data_.effects)
    if (std::isfinite(each)) largest = std::max(largest, std::abs(each));
  const double effect = nth(data_.effects, row * data_.columns + column);
  return std::isfinite(effect) && largest > 0 ? theme().signed_value(effect / largest) : theme().background();
}

// On is filled, off is empty and crossed out: told apart without colours, too.
void MechanismGrid::paint_cell(QPainter& painter, int row, int column) const {
  const QRectF rect = layout_.cell_rect(row, column).adjusted(1.5, 1.5, -1.5, -1.5);
  State state = data_.at(row, column);
  if (state == State::absent) return draw_dot(painter, rect.center(), 1.2, theme().grid());
  if (dragged_.contains({column, row})) state = drags_on_ ? State::on : State::off;
  const bool edited = data_.is_edited(row, column);
  const QColor line = edited ? theme().edited() : theme().grid();
  draw_box(painter, rect, 3, QPen(line, edited ? 2 : 1),
           state == State::on ? colour_of(row, column) : theme().background());
  if (state == State::on) return;
  const QRectF cross = rect.adjusted(4, 4, -4, -4);
  draw_line(painter, cross.topLeft(), cross.bottomRight(), QPen(edited ? theme().edited() : theme().muted_text(), 1.4));
  painter.drawLine(cross.topRight(), cross.bottomLeft());
}

void MechanismGrid::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (layout_.rows == 0) return;
  painter.setRenderHint(QPainter::Antialiasing);
  paint_labels(painter, sight);
  const auto first = [](double from, double cell) { return static_cast<int>(std::floor(from / cell)); };
  const int top = std::clamp(first(sight.top() - layout_.corner.y(), layout_.cell), 0, layout_.rows);
  const int bottom = std::clamp(first(sight.bottom() - layout_.corner.y(), layout_.cell) + 1, 0, layout_.rows);
  const int left = std::clamp(first(sight.left() - layout_.corner.x(), layout_.cell), 0, layout_.columns);
  const int right = std::clamp(first(sight.right() - layout_.corner.x(), layout_.cell) + 1, 0, layout_.columns);
  for (int row = top; row < bottom; ++row)
    for (int column = left; column < right; ++column) paint_cell(painter, row, column);
  if (!marks) return;
  const auto mark = [&](const QRectF& rect, const QColor& colour, double width) {
    draw_box(painter, rect, 3, QPen(colour, width));
  };
  if (hovered().part == Part::cell) mark(layout_.cell_rect(hovered().row, hovered().column), theme().hover(), 1.5);
  if (hovered().part == Part::row) mark(layout_.row_label(hovered().row), theme().hover(), 1);
  if (hovered().part == Part::column) mark(layout_.column_label(hovered().column), theme().hover(), 1);
}

}  // namespace headlight
