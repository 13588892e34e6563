// Mouse and keyboard of the computation map.
#include <QKeyEvent>
#include <algorithm>
#include <cmath>

#include "widgets/views/map/map_view.h"
#include "widgets/views/map/map_words.h"

namespace headlight {

namespace {

constexpr double kPointableCell = 5;  // pixels: smaller numbers cannot be pointed at
constexpr double kDrag = 4;           // pixels: less is a click

}  // namespace

std::optional<Index> MapView::cell_at(int node, QPointF point) const {
  if (node < 0 || !nth(flow_.nodes, node).is_leaf()) return {};
  const MapGrid grid = grid_of(node, screen(nth(map_.boxes, node).rect));
  if (std::min(grid.cell_width(), grid.cell_height()) < kPointableCell) return {};
  const Index cell = grid.cell_at(point);
  return cell < 0 ? std::nullopt : std::optional(cell);
}

QString MapView::tooltip(QPointF point) const {
  if (flow_.nodes.empty()) return {};
  for (const Crumb& crumb : crumbs())
    if (crumb.rect.contains(point)) return map_help(*result_->trace, flow_, crumb.node, labels_, title(0));
  const int node = place_at(point);
  if (node <= 0) return {};
  if (const auto cell = cell_at(node, point))
    return cell_words(*result_->trace, nth(flow_.nodes, node).entry, *cell, labels_);
  return map_help(*result_->trace, flow_, node, labels_, title(0));
}

// A value is selected everywhere; a group only here.
void MapView::choose(int node, std::optional<Index> cell) {
  if (node < 0 || node >= static_cast<int>(flow_.nodes.size())) return;
  cursor_ = node;
  cell_ = cell;
  const int entry = nth(flow_.nodes, node).entry;
  if (entry >= 0) selection_->set(selection_of(*result_->trace, entry, cell, labels_, selection_->state()));
  light_up();
  choice_changed();
}

void MapView::press(QPointF point, Qt::KeyboardModifiers) {
  if (flow_.nodes.empty()) return;
  pressed_ = point;
  dragged_ = false;
}

void MapView::drag(QPointF point) {
  if (!pressed_) return;
  const QPointF way = point - *pressed_;
  if (!dragged_ && std::hypot(way.x(), way.y()) < kDrag) return;
  dragged_ = true;
  pressed_ = point;
  viewport()->setCursor(Qt::ClosedHandCursor);
  pan(way);
}

void MapView::pan(QPointF pixels) {
  flight_.stop();
  shown_ = -1;
  set_camera({camera_.centre - pixels / camera_.scale, camera_.scale});
}

Qt::CursorShape MapView::hover(QPointF point) {
  if (flow_.nodes.empty()) return Qt::ArrowCursor;
  const int node = place_at(point);
  bool on_crumb = false;
  for (const Crumb& crumb : crumbs()) on_crumb = on_crumb || crumb.rect.contains(point);
  if (node != hover_) {
    hover_ = node;
    const int entry = node > 0 ? nth(flow_.nodes, node).entry : -1;
    const Site* site = entry >= 0 ? &(*result_->trace)[entry].site : nullptr;
    if (site && site->step >= 0 && side_of(site->text) == 1)
      selection_->hover({}, static_cast<int>(site->step));
    else
      selection_->hover({}, {});
    viewport()->update();
  }
  return node > 0 || on_crumb ? Qt::PointingHandCursor : Qt::ArrowCursor;
}

void MapView::leave() {
  hover_ = -1;
  selection_->hover({}, {});
  viewport()->update();
}

void MapView::release(QPointF point) {
  if (!pressed_) return;
  pressed_.reset();
  if (dragged_) return viewport()->setCursor(hover(point));
  for (const Crumb& crumb : crumbs())
    if (crumb.rect.contains(point)) {
      choose(crumb.node, {});
      return go_to(crumb.node);
    }
  const int node = place_at(point);
  if (node >= 0) choose(node, cell_at(node, point));
}

void MapView::open_at(QPointF point) {
  const int node = place_at(point);
  if (node < 0) return;
  const auto cell = cell_at(node, point);
  choose(node, cell);
  if (cell && shown_ == node) return go_to_cell();
  go_to(node);
}

// To the nearest box in that direction among those around, from the inside out.
QRectF MapView::cursor_rect() const {
  if (flow_.nodes.empty() || map_.boxes.empty()) return {};
  const QRectF box = screen(nth(map_.boxes, std::max(0, cursor_)).rect);
  const MapGrid grid = cell_ ? grid_of(cursor_, box) : MapGrid();
  return (grid.columns > 0 ? grid.cell(*cell_) : box) & area();
}

bool MapView::go(int right, int down) {
  if (flow_.nodes.empty()) return false;
  if (std::abs(right) == kEnd) {
    go_to_end(right > 0);
    return true;
  }
  if (std::abs(down) > 1) {  // a page
    pan({0, -std::copysign(0.9 * area().height(), down)});
    return true;
  }
  if (go_to_cell(right, down)) return true;
  for (int at = cursor_; at > 0; at = nth(flow_.nodes, at).parent) {
    const QRectF here = nth(map_.boxes, at).rect;
    int best = -1;
    double shortest = 0;
    for (const int each : nth(flow_.nodes, nth(flow_.nodes, at).parent).children) {
      const QRectF there = nth(map_.boxes, each).rect;
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
    choose(best, {});
    return true;
  }
  if (cursor_ == 0 && flow_.nodes[0].children.size() > 0) choose(flow_.nodes[0].children[0], {});
  return true;
}

// Of a number: of its row; of a box: of those beside it.
void MapView::go_to_end(bool last) {
  if (cell_) {
    const MapGrid grid = grid_of(cursor_, screen(nth(map_.boxes, cursor_).rect));
    const auto row = static_cast<Index>(std::lround((grid.cell(*cell_).top() - grid.rect.top()) / grid.cell_height()));
    Index column = last ? grid.columns - 1 : 0;
    while (last && column > 0 && grid.at(row, column) < 0) --column;
    if (const Index end = grid.at(row, column); end >= 0) show_cell(end);
    return;
  }
  const int parent = std::max(0, nth(flow_.nodes, cursor_).parent);
  const std::vector<int>& beside = nth(flow_.nodes, parent).children;
  if (beside.empty()) return;
  const int end = last ? beside.back() : beside.front();
  reveal(end);
  choose(end, {});
}

// Moves the map as far as needed to see the number.
void MapView::show_cell(Index cell) {
  const MapGrid grid = grid_of(cursor_, screen(nth(map_.boxes, cursor_).rect));
  const QRectF there = grid.cell(cell);
  const QPointF way = grid.cell(*cell_).center() - there.center();
  choose(cursor_, cell);
  if (!area().contains(there)) pan(way);
}

bool MapView::go_to_cell(int right, int down) {
  const FlowNode& leaf = nth(flow_.nodes, cursor_);
  if (!cell_ || !leaf.is_leaf()) return false;
  const MapGrid grid = grid_of(cursor_, screen(nth(map_.boxes, cursor_).rect));
  if (std::min(grid.cell_width(), grid.cell_height()) < kPointableCell) return false;
  const QRectF here = grid.cell(*cell_);
  const QPointF there = here.center() + QPointF(right * here.width(), down * here.height());
  if (const Index next = grid.cell_at(there); next >= 0) show_cell(next);
  return true;
}

// The step before or after.
bool MapView::go_to_other(int by) {
  if (flow_.nodes.empty()) return false;
  const std::string place = flow_.place(cursor_);
  const bool encoder = side_of(place) == 0;
  SelectionState state = selection_->state();
  Index last = -1;
  for (const FlowNode& node : flow_.nodes)
    if (node.step >= 0 && (side_of((*result_->trace)[node.first].site.text) == 0) == encoder) last = node.steps - 1;
  if (last < 0) return false;
  const Index step = std::clamp<Index>((encoder ? flow_.shown.encoder : flow_.shown.decoder) + by, 0, last);
  const int entry = nth(flow_.nodes, cursor_).entry;
  const int there = entry < 0 ? -1 : result_->trace->find(at_step((*result_->trace)[entry].site.text, step));
  if (there >= 0) {
    state = selection_of(*result_->trace, there, {}, labels_, state);
  } else {
    state.entry.reset();
    state.cell.reset();
  }
  if (encoder && step < static_cast<Index>(labels_.token_of_position.size()))
    state.source_token = nth(labels_.token_of_position, step);
  if (!encoder) state.step = static_cast<int>(step);
  selection_->set(state);
  return true;
}

// From a number to its value, and from a box to the one around it.
void MapView::come_out() {
  if (cell_) {
    choose(cursor_, {});
    return go_to(cursor_);
  }
  const int around = std::max(0, nth(flow_.nodes, cursor_).parent);
  choose(around, {});
  go_to(around);
}

bool MapView::activate() {
  if (flow_.nodes.empty()) return false;
  const FlowNode& here = nth(flow_.nodes, cursor_);
  if (!here.is_leaf()) {
    go_to(cursor_);
    if (!here.children.empty()) choose(here.children[0], {});
  } else if (shown_ != cursor_ && !cell_) {
    go_to(cursor_);
  } else {
    if (!cell_) choose(cursor_, 0);
    go_to_cell();
  }
  return true;
}

bool MapView::press_key(const QKeyEvent& event) {
  if (event.key() != Qt::Key_Escape && event.key() != Qt::Key_Backspace) return false;
  if (flow_.nodes.empty() || (cursor_ == 0 && shown_ == 0)) return false;
  come_out();
  return true;
}

}  // namespace headlight
