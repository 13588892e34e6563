// Mouse and keyboard of the computation map.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/views/map_view.h"
#include "widgets/views/map_words.h"

namespace headlight {

namespace {

constexpr double kStep = 1.35;        // of the keys + and -
constexpr double kPointableCell = 5;  // pixels: smaller numbers cannot be pointed at
constexpr double kDrag = 4;           // pixels: less is a click

}  // namespace

std::optional<Index> MapView::cell_at(int node, QPointF point) const {
  if (node < 0 || !flow_.nodes[static_cast<std::size_t>(node)].is_leaf()) return {};
  const MapGrid grid = grid_of(node, screen(map_.boxes[static_cast<std::size_t>(node)].rect));
  if (std::min(grid.cell_width(), grid.cell_height()) < kPointableCell) return {};
  const Index cell = grid.cell_at(point);
  return cell < 0 ? std::nullopt : std::optional(cell);
}

QString MapView::tip_at(QPointF point) const {
  if (flow_.nodes.empty()) return {};
  for (const Crumb& crumb : crumbs())
    if (crumb.rect.contains(point)) return map_help(*result_->trace, flow_, crumb.node, labels_, title(0));
  const int node = place_at(point);
  if (node <= 0) return {};
  if (const auto cell = cell_at(node, point))
    return cell_words(*result_->trace, flow_.nodes[static_cast<std::size_t>(node)].entry, *cell, labels_);
  return map_help(*result_->trace, flow_, node, labels_, title(0));
}

// A value is selected everywhere; a group only here.
void MapView::choose(int node, std::optional<Index> cell) {
  if (node < 0 || node >= static_cast<int>(flow_.nodes.size())) return;
  cursor_ = node;
  cell_ = cell;
  const int entry = flow_.nodes[static_cast<std::size_t>(node)].entry;
  if (entry >= 0) selection_->set(selection_of(*result_->trace, entry, cell, labels_, selection_->state()));
  light_up();
  announce();
  update();
}

void MapView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || flow_.nodes.empty()) return;
  pressed_ = event->position();
  dragged_ = false;
}

void MapView::mouseMoveEvent(QMouseEvent* event) {
  if (flow_.nodes.empty()) return;
  if (pressed_) {
    const QPointF way = event->position() - *pressed_;
    if (!dragged_ && std::hypot(way.x(), way.y()) < kDrag) return;
    dragged_ = true;
    pressed_ = event->position();
    flight_.stop();
    shown_ = -1;
    setCursor(Qt::ClosedHandCursor);
    return set_camera({camera_.centre - way / camera_.scale, camera_.scale});
  }
  const int node = place_at(event->position());
  bool on_crumb = false;
  for (const Crumb& crumb : crumbs()) on_crumb = on_crumb || crumb.rect.contains(event->position());
  setCursor(node > 0 || on_crumb ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (node == hover_) return;
  hover_ = node;
  const int entry = node > 0 ? flow_.nodes[static_cast<std::size_t>(node)].entry : -1;
  const Site* site = entry >= 0 ? &(*result_->trace)[entry].site : nullptr;
  if (site && site->step >= 0 && side_of(site->text) == 1)
    selection_->hover({}, static_cast<int>(site->step));
  else
    selection_->hover({}, {});
  update();
}

void MapView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !pressed_) return;
  pressed_.reset();
  if (dragged_) {
    unsetCursor();
    return;
  }
  for (const Crumb& crumb : crumbs())
    if (crumb.rect.contains(event->position())) {
      choose(crumb.node, {});
      return go_to(crumb.node);
    }
  const int node = place_at(event->position());
  if (node >= 0) choose(node, cell_at(node, event->position()));
}

void MapView::mouseDoubleClickEvent(QMouseEvent* event) {
  const int node = place_at(event->position());
  if (node < 0) return;
  const auto cell = cell_at(node, event->position());
  choose(node, cell);
  if (cell && shown_ == node) return go_to_cell();
  go_to(node);
}

void MapView::leaveEvent(QEvent*) {
  hover_ = -1;
  selection_->hover({}, {});
  update();
}

void MapView::wheelEvent(QWheelEvent* event) {
  zoom(std::pow(1.0015, event->angleDelta().y()), event->position());
  event->accept();
}

// To the nearest box in that direction among those around, from the inside out.
void MapView::move(int right, int down) {
  if (move_cell(right, down)) return;
  for (int at = cursor_; at > 0; at = flow_.nodes[static_cast<std::size_t>(at)].parent) {
    const QRectF here = map_.boxes[static_cast<std::size_t>(at)].rect;
    int best = -1;
    double shortest = 0;
    for (const int each :
         flow_.nodes[static_cast<std::size_t>(flow_.nodes[static_cast<std::size_t>(at)].parent)].children) {
      const QRectF there = map_.boxes[static_cast<std::size_t>(each)].rect;
      const double ahead = right > 0   ? there.left() - here.right()
                           : right < 0 ? here.left() - there.right()
                           : down > 0  ? there.top() - here.bottom()
                                       : here.top() - there.bottom();
      if (each == at || ahead < -1) continue;
      const QPointF way = there.center() - here.center();
      const double distance = ahead + 2 * std::abs(right != 0 ? way.y() : way.x());
      if (best >= 0 && distance >= shortest) continue;
      best = each;
      shortest = distance;
    }
    if (best < 0) continue;
    reveal(best);
    return choose(best, {});
  }
  if (cursor_ == 0 && flow_.nodes[0].children.size() > 0) choose(flow_.nodes[0].children[0], {});
}

bool MapView::move_cell(int right, int down) {
  const FlowNode& leaf = flow_.nodes[static_cast<std::size_t>(cursor_)];
  if (!cell_ || !leaf.is_leaf()) return false;
  const QRectF rect = screen(map_.boxes[static_cast<std::size_t>(cursor_)].rect);
  const MapGrid grid = grid_of(cursor_, rect);
  if (std::min(grid.cell_width(), grid.cell_height()) < kPointableCell) return false;
  const QRectF here = grid.cell(*cell_);
  const QPointF there = here.center() + QPointF(right * here.width(), down * here.height());
  if (const Index next = grid.cell_at(there); next >= 0) {
    choose(cursor_, next);
    if (!area().contains(grid.cell(next))) {
      flight_.stop();
      shown_ = -1;
      set_camera({camera_.centre + (there - here.center()) / camera_.scale, camera_.scale});
    }
  }
  return true;
}

void MapView::show_step(int by) {
  const std::string place = flow_.place(cursor_);
  const bool encoder = side_of(place) == 0;
  SelectionState state = selection_->state();
  Index last = -1;
  for (const FlowNode& node : flow_.nodes)
    if (node.step >= 0 && (side_of((*result_->trace)[node.first].site.text) == 0) == encoder) last = node.steps - 1;
  if (last < 0) return;
  const Index step = std::clamp<Index>((encoder ? flow_.shown.encoder : flow_.shown.decoder) + by, 0, last);
  const int entry = flow_.nodes[static_cast<std::size_t>(cursor_)].entry;
  const int there = entry < 0 ? -1 : result_->trace->find(at_step((*result_->trace)[entry].site.text, step));
  if (there >= 0) {
    state = selection_of(*result_->trace, there, {}, labels_, state);
  } else {
    state.entry.reset();
    state.cell.reset();
  }
  if (encoder && step < static_cast<Index>(labels_.token_of_position.size()))
    state.source_token = labels_.token_of_position[static_cast<std::size_t>(step)];
  if (!encoder) state.step = static_cast<int>(step);
  selection_->set(state);
}

// From a number to its value, and from a box to the one around it.
void MapView::come_out() {
  if (cell_) {
    choose(cursor_, {});
    return go_to(cursor_);
  }
  const int around = std::max(0, flow_.nodes[static_cast<std::size_t>(cursor_)].parent);
  choose(around, {});
  go_to(around);
}

void MapView::keyPressEvent(QKeyEvent* event) {
  if (flow_.nodes.empty()) return QWidget::keyPressEvent(event);
  const FlowNode& here = flow_.nodes[static_cast<std::size_t>(cursor_)];
  switch (event->key()) {
    case Qt::Key_Left:
      return move(-1, 0);
    case Qt::Key_Right:
      return move(1, 0);
    case Qt::Key_Up:
      return move(0, -1);
    case Qt::Key_Down:
      return move(0, 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(kStep, area().center());
    case Qt::Key_Minus:
      return zoom(1 / kStep, area().center());
    case Qt::Key_Home:
      return go_to(0);
    case Qt::Key_PageUp:
      return show_step(-1);
    case Qt::Key_PageDown:
      return show_step(1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (!here.is_leaf()) {
        go_to(cursor_);
        if (!here.children.empty()) choose(here.children[0], {});
        return;
      }
      if (shown_ != cursor_ && !cell_) return go_to(cursor_);
      if (!cell_) choose(cursor_, 0);
      return go_to_cell();
    case Qt::Key_Escape:
    case Qt::Key_Backspace:
      if (cursor_ == 0 && shown_ == 0) break;
      return come_out();
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

void MapView::focusInEvent(QFocusEvent*) { update(); }
void MapView::focusOutEvent(QFocusEvent*) { update(); }

}  // namespace headlight
