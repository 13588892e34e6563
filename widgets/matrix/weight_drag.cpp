#include "widgets/matrix/weight_drag.h"

#include <QCursor>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "widgets/base/selection.h"
#include "widgets/base/tip.h"
#include "widgets/base/view_requests.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr double kPixelsForAll = 120;  // a drag from weight 0 to weight 1
constexpr double kKeyStep = 0.05;
constexpr int kStillAClick = 5;

double in_hundredths(double weight) { return std::round(100 * std::clamp(weight, 0.0, 1.0)) / 100; }

}  // namespace

WeightDrag::WeightDrag(Picture picture, Selection* selection, ViewRequests* requests)
    : QObject(picture.canvas), picture_(std::move(picture)), selection_(selection), requests_(requests) {
  picture_.canvas->installEventFilter(this);              // keys
  picture_.canvas->viewport()->installEventFilter(this);  // the mouse
}

WeightDrag::WeightDrag(Heatmap* heatmap, Selection* selection, ViewRequests* requests)
    : WeightDrag(
          {heatmap,
           [heatmap](QPointF point) -> std::optional<MapCell> {
             const auto cell = heatmap->heatmap_layout().cell_at(point);
             return cell ? std::optional(MapCell{cell->row, cell->column}) : std::nullopt;
           },
           [heatmap] {
             const HeatmapCell cell = heatmap->selected_cell();
             return MapCell{cell.row, cell.column};
           },
           [heatmap](const MapCell& cell) { return static_cast<double>(heatmap->value(cell.row, cell.column)); }},
          selection, requests) {
  heatmap->set_pointer([this](const HeatmapCell& cell) {
    return can_drag({cell.row, cell.column}) ? Qt::SizeVerCursor : Qt::ArrowCursor;
  });
}

void WeightDrag::show(std::shared_ptr<const AttentionMap> map, Index head, bool stored) {
  map_ = std::move(map);
  head_ = map_ && map_->heads == 1 ? 0 : head;
  stored_ = stored;
}

bool WeightDrag::has(int row, int column) const {
  return map_ && row >= 0 && row < map_->row_count() && column >= 0 && column < map_->column_count();
}

bool WeightDrag::follows(const MapCell& cell) const {
  if (!requests_ || !has(cell.row, cell.column)) return false;
  return selection_->changing() || picture_.chosen() == cell;
}

bool WeightDrag::can_drag(const MapCell& cell) const {
  return follows(cell) && obstacle(cell.row, cell.column).isEmpty();
}

QString WeightDrag::hint(const MapCell& cell) const {
  if (!follows(cell)) return {};
  const QString why = obstacle(cell.row, cell.column);
  return why.isEmpty() ? tr("Drag it up or down to change this weight.") : why;
}

QString WeightDrag::obstacle(int row, int column) const {
  if (!has(row, column)) return tr("The padding stands together: click it to see each place.");
  if (stored_) return tr("This attention was stored: there is no model that could run again.");
  switch (weight_obstacle(*map_, head_, row, column)) {
    case WeightObstacle::none:
      break;
    case WeightObstacle::merged:
      return tr("Weights of whole words are only shown: turn ‘Whole words’ off to change one.");
    case WeightObstacle::derived:
      return tr("A mean is only shown, nothing is computed from it. Choose a layer above and change its weight.");
    case WeightObstacle::largest:
      return tr("The largest weight of several heads is only shown. Choose a head, or the mean of them.");
    case WeightObstacle::later:
      return tr("This token comes later: from here nothing of it can be seen.");
    case WeightObstacle::masked:
      return tr("A mask hides this token from here: show it again first.");
    case WeightObstacle::alone:
      return tr("Here is only one token to look at, so it has all the weight.");
  }
  return {};
}

QString WeightDrag::hidden(int row, int column) const {
  if (!has(row, column)) return {};
  if (map_->has(row, column) && nth(map_->kept_columns(row), column)) return {};
  const bool causal = map_->kind == AttentionMap::Kind::decoder_self && column > map_->source(row).column;
  return causal ? tr("This token comes later: from here nothing of it can be seen.")
                : tr("A mask hides this token from here.");
}

void WeightDrag::explain(const QString& why) const {
  QWidget* picture = picture_.canvas->viewport();
  const QPoint mouse = picture->mapFromGlobal(QCursor::pos());
  const auto cell = picture_.at(mouse);
  show_tip(plain_tooltip(why), picture, mouse, [&](QPoint at) { return picture_.at(at) == cell; });
}

void WeightDrag::set(int row, int column, double value) {
  if (!requests_ || !map_) return;
  if (const QString why = obstacle(row, column); !why.isEmpty()) return explain(why);
  const std::vector<Intervention> pins = weight_pins(*map_, head_, row, column, value);
  if (pins.size() == 1)
    emit requests_->edit(pins.front());
  else
    emit requests_->edits(pins, {});
}

void WeightDrag::ask(int row, int column) {
  if (!requests_ || !map_) return;
  if (const QString why = obstacle(row, column); !why.isEmpty()) return explain(why);
  emit requests_->weight(picture_.weight({row, column}),
                         [this, row, column](double value) { set(row, column, value); });
}

void WeightDrag::add_actions(QMenu* menu, int row, int column) {
  if (!requests_ || !has(row, column)) return;
  const QString why = obstacle(row, column);
  QAction* edit = menu->addAction(tr("Set this weight…"), this, [=, this] { ask(row, column); });
  edit->setShortcut(Qt::Key_F2);
  edit->setToolTip(why.isEmpty() ? tr("Give this weight another value and see how the output changes.")
                                 : plain_tooltip(why));
  edit->setEnabled(why.isEmpty());
  if (!why.isEmpty()) return;
  menu->addAction(tr("Give it &all the weight"), this, [=, this] { set(row, column, 1); })
      ->setToolTip(tr("This row reads this token alone."));
}

// Up is more. A press that does not move stays a click.
bool WeightDrag::mouse(QEvent* event) {
  const auto* mouse = static_cast<QMouseEvent*>(event);
  const QPointF point = mouse->position();
  if (event->type() == QEvent::MouseButtonPress) {
    row_ = -1;
    dragging_ = false;
    if (mouse->button() != Qt::LeftButton || mouse->modifiers() != Qt::NoModifier) return false;
    const auto cell = picture_.at(point);
    pressed_ = point;
    if (!cell || (!follows(*cell) && !(selection_->changing() && map_ && requests_))) return false;
    row_ = cell->row;
    column_ = cell->column;
    return false;
  }
  // A click where a row cannot look says why nothing happens.
  if (event->type() == QEvent::MouseButtonRelease && !dragging_ && mouse->button() == Qt::LeftButton &&
      (point - pressed_).manhattanLength() < kStillAClick)
    if (const auto cell = picture_.at(point))
      if (const QString why = hidden(cell->row, cell->column); !why.isEmpty()) explain(why);
  if (row_ < 0) return false;
  if (event->type() == QEvent::MouseMove) {
    if (!(mouse->buttons() & Qt::LeftButton)) return false;
    if (!dragging_ && (point - pressed_).manhattanLength() < kStillAClick) return true;
    if (const QString why = obstacle(row_, column_); !why.isEmpty()) {
      if (!std::exchange(dragging_, true)) explain(why);
      return true;
    }
    if (!std::exchange(dragging_, true)) {
      weight_ = picture_.weight({row_, column_});
      selection_->set(MapCursor(*map_, head_).selection_at({row_, column_}));
      picture_.canvas->viewport()->setCursor(Qt::SizeVerCursor);
    }
    set(row_, column_, in_hundredths(weight_ + (pressed_.y() - point.y()) / kPixelsForAll));
    return true;
  }
  row_ = -1;
  return std::exchange(dragging_, false);
}

bool WeightDrag::key(QEvent* event) {
  const auto* key = static_cast<QKeyEvent*>(event);
  const MapCell cell = picture_.chosen();
  if (!map_ || cell.row < 0 || cell.column < 0) return false;
  if (key->key() == Qt::Key_F2) {
    ask(cell.row, cell.column);
    return true;
  }
  const bool up = key->key() == Qt::Key_Up;
  if (!(key->modifiers() & (Qt::ShiftModifier | Qt::AltModifier)) || (!up && key->key() != Qt::Key_Down)) return false;
  set(cell.row, cell.column, in_hundredths(picture_.weight(cell) + (up ? kKeyStep : -kKeyStep)));
  return true;
}

bool WeightDrag::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseMove:
    case QEvent::MouseButtonRelease:
      return watched == picture_.canvas->viewport() && mouse(event);
    case QEvent::KeyPress:
      return watched == picture_.canvas && key(event);
    default:
      return false;
  }
}

}  // namespace headlight
