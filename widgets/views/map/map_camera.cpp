// Which part of the map is seen, and how one gets from one part to another.
#include <QStyle>
#include <algorithm>
#include <cmath>

#include "widgets/base/theme.h"
#include "widgets/views/map/map_view.h"

namespace headlight {

namespace {

constexpr double kLargestScale = 1200;
constexpr double kMargin = 24;        // pixels around what is shown
constexpr double kReadableCell = 72;  // pixels: width of a number that one has gone to

}  // namespace

double MapView::text_scale() const { return theme().font_scale(); }

QRectF MapView::area() const {
  const double top = std::ceil(QFontMetricsF(theme().ui_font(type::kSource)).height()) + 8;
  return {0, top, static_cast<double>(width()), std::max(1.0, height() - top)};
}

QRectF MapView::screen(const QRectF& map) const {
  const QPointF corner = area().center() + (map.topLeft() - camera_.centre) * camera_.scale;
  return {corner, map.size() * camera_.scale};
}

bool MapView::is_open(int node) const { return map_.is_open(flow_, node, camera_.scale, text_scale()); }

int MapView::place_at(QPointF point) const {
  return area().contains(point) ? map_.place_at(flow_, to_map(point), camera_.scale, text_scale()) : -1;
}

MapView::Camera MapView::camera_for(int node) const {
  if (map_.boxes.empty()) return {};
  const QRectF rect = nth(map_.boxes, node).rect, room = area();
  const double wide = std::max(1.0, room.width() - 2 * kMargin), high = std::max(1.0, room.height() - 2 * kMargin);
  double scale = std::min(wide / rect.width(), high / rect.height());
  if (node == 0) return {rect.center(), std::min(scale, 1.5)};
  // A group that would not show its inside as a whole shows its beginning.
  scale = std::max(scale, map_.opens_at(flow_, node, text_scale()) * 1.001);
  QPointF centre = rect.center();
  if (rect.width() * scale > wide + 1) centre.setX(rect.left() + wide / scale / 2);
  if (rect.height() * scale > high + 1) centre.setY(rect.top() + high / scale / 2);
  return {centre, scale};
}

void MapView::set_camera(const Camera& camera) {
  camera_ = camera;
  viewport()->update();
}

void MapView::fly(const Camera& camera) {
  flight_.stop();
  const int duration = style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this);
  if (!isVisible() || duration <= 0) return set_camera(camera);
  from_ = camera_;
  to_ = camera;
  flight_.setDuration(std::min(duration, 200));
  flight_.start();
}

void MapView::zoom(double factor, QPointF around) {
  if (map_.boxes.empty()) return;
  flight_.stop();
  const double smallest = 0.6 * camera_for(0).scale;
  const double scale = std::clamp(camera_.scale * factor, std::min(smallest, kLargestScale), kLargestScale);
  const QPointF fixed = to_map(around);
  shown_ = -1;
  set_camera({fixed - (around - area().center()) / scale, scale});
}

void MapView::go_to(int node) {
  if (node < 0 || node >= static_cast<int>(map_.boxes.size())) return;
  shown_ = node;
  fly(camera_for(node));
}

void MapView::go_to_cell() {
  const FlowNode& leaf = nth(flow_.nodes, cursor_);
  if (!leaf.is_leaf() || !cell_) return;
  const QRectF rect = nth(map_.boxes, cursor_).rect;
  const auto grid_at = [&](double scale) { return grid_of(cursor_, QRectF(QPointF(), rect.size() * scale)); };
  double scale = camera_for(cursor_).scale;
  for (int i = 0; i < 3; ++i)  // the title above the numbers does not grow with them
    if (const double width = grid_at(scale).cell_width(); width > 0)
      scale = std::clamp(scale * kReadableCell * text_scale() / width, camera_for(cursor_).scale, kLargestScale);
  const QPointF centre = rect.topLeft() + grid_at(scale).cell(*cell_).center() / scale;
  shown_ = -1;
  fly({centre, scale});
}

void MapView::reveal(int node) {
  if (map_.boxes.empty()) return;
  const Camera& camera = flight_.state() == QAbstractAnimation::Running ? to_ : camera_;
  const int box = map_.shown(flow_, node, camera.scale, text_scale());
  const QRectF rect = nth(map_.boxes, box).rect;
  const QSizeF half = area().size() / camera.scale / 2;
  const auto moved = [](double low, double high, double middle, double reach) {
    if (high - low > 2 * reach) return low <= middle && middle <= high ? middle : (low + high) / 2;
    return std::clamp(middle, high - reach, low + reach);
  };
  const QPointF centre(moved(rect.left(), rect.right(), camera.centre.x(), half.width()),
                       moved(rect.top(), rect.bottom(), camera.centre.y(), half.height()));
  if (centre == camera.centre) return;
  shown_ = -1;
  fly({centre, camera.scale});
}

void MapView::lay_map() {
  // In steps, so that the map does not jump while the window is drawn wider.
  const double step = std::log(1.5), wish = std::log(std::clamp(area().width() / area().height(), 0.8, 3.4));
  MapLayout::Metrics metrics;
  metrics.aspect = std::exp(std::round(wish / step) * step);
  map_ = MapLayout::of(flow_, metrics);
}

QSizeF MapView::arrange(QSizeF view) {
  if (flow_.nodes.empty()) return view;
  const double before = map_.metrics.aspect;
  lay_map();
  if (map_.metrics.aspect != before) {
    light_up();
    shown_ = std::max(0, shown_);
  }
  if (shown_ >= 0) {
    flight_.stop();
    set_camera(camera_for(shown_));
  }
  return view;
}

}  // namespace headlight
