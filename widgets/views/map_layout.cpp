#include "widgets/views/map_layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "widgets/views/map_layers.h"

namespace headlight {

namespace {

constexpr double kChannel = 12;  // between links that lead back, below or beside the boxes
constexpr double kRound = 9;     // of their corners

// A way along straight lines with round corners.
QPainterPath rounded(const std::vector<QPointF>& points) {
  QPainterPath path(points.front());
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const QPointF before = points[i - 1] - points[i], after = points[i + 1] - points[i];
    const double a = std::hypot(before.x(), before.y()), b = std::hypot(after.x(), after.y());
    const double r = std::min({kRound, a / 2, b / 2});
    if (r <= 0) continue;
    path.lineTo(points[i] + before * (r / a));
    path.quadTo(points[i], points[i] + after * (r / b));
  }
  path.lineTo(points.back());
  return path;
}

// What is known of a group while the map is made.
struct Group {
  bool down = false;
  LayeredGroup layers;
  std::vector<std::pair<int, int>> ends;  // of the links that lead on, by index of the child; -1: the border
  std::vector<int> ids;                   // the same links, in MapLayout::links
  std::vector<int> back;                  // links that lead back
  QSizeF size;
};

class Maker {
 public:
  Maker(const Flow& flow, const MapLayout::Metrics& metrics) : flow_(flow), groups_(flow.nodes.size()) {
    map_.metrics = metrics;
    map_.boxes.resize(flow.nodes.size());
    index_.resize(flow.nodes.size());
    for (const FlowNode& node : flow.nodes)
      for (std::size_t k = 0; k < node.children.size(); ++k)
        index_[static_cast<std::size_t>(node.children[k])] = static_cast<int>(k);
  }

  MapLayout make() {
    for (const FlowEdge& edge : flow_.edges) take(edge);
    for (int i = static_cast<int>(flow_.nodes.size()) - 1; i >= 0; --i) measure(i);  // children first
    map_.boxes[0].rect = QRectF(QPointF(), group(0).size);
    for (int i = 0; i < static_cast<int>(flow_.nodes.size()); ++i)
      if (!node(i).is_leaf()) place(i);
    return std::move(map_);
  }

 private:
  const FlowNode& node(int i) const { return flow_.nodes[static_cast<std::size_t>(i)]; }
  Group& group(int i) { return groups_[static_cast<std::size_t>(i)]; }
  MapBox& box(int i) { return map_.boxes[static_cast<std::size_t>(i)]; }

  // The links that an edge takes: out of the groups around its beginning, across, and into those around its end.
  void take(const FlowEdge& edge) {
    std::vector<int> from = flow_.path(edge.from), to = flow_.path(edge.to);
    std::size_t common = 0;
    while (common < from.size() && common < to.size() && from[common] == to[common]) ++common;
    if (edge.from == edge.to) --common;
    std::vector<int> way;
    for (std::size_t i = from.size() - 1; i > common; --i) way.push_back(link(from[i - 1], from[i], from[i - 1], edge));
    way.push_back(link(from[common - 1], from[common], to[common], edge));
    for (std::size_t i = common; i + 1 < to.size(); ++i) way.push_back(link(to[i], to[i], to[i + 1], edge));
    map_.ways.push_back(std::move(way));
  }

  int link(int in, int from, int to, const FlowEdge& edge) {
    const auto [found, fresh] = known_.try_emplace({in, from, to}, static_cast<int>(map_.links.size()));
    if (fresh) {
      MapLink made;
      made.group = in;
      made.from = from;
      made.to = to;
      made.other_step = true;
      made.back = from != in && to != in && index_[static_cast<std::size_t>(from)] >= index_[static_cast<std::size_t>(to)];
      map_.links.push_back(std::move(made));
      Group& around = group(in);
      if (map_.links.back().back) {
        around.back.push_back(found->second);
      } else {
        const auto end = [&](int i) { return i == in ? LayeredGroup::kOutside : index_[static_cast<std::size_t>(i)]; };
        around.ends.emplace_back(end(from), end(to));
        around.ids.push_back(found->second);
      }
    }
    MapLink& taken = map_.links[static_cast<std::size_t>(found->second)];
    taken.other_step = taken.other_step && edge.other_step;
    return found->second;
  }

  void measure(int i) {
    Group& here = group(i);
    const MapLayout::Metrics& m = map_.metrics;
    if (node(i).is_leaf()) {
      here.size = {m.leaf_width, m.leaf_height};
      return;
    }
    int height = 0;
    for (const int each : node(i).children) height = std::max(height, height_[each]);
    height_[i] = height + 1;
    box(i).header = i == 0 ? 0 : m.header * std::pow(m.header_growth, height);
    double best = -1;
    for (const bool down : {false, true}) {
      std::vector<LayeredGroup::Box> boxes;
      for (const int each : node(i).children) {
        const QSizeF size = group(each).size;
        boxes.push_back(down ? LayeredGroup::Box{size.height(), size.width()}
                             : LayeredGroup::Box{size.width(), size.height()});
      }
      const double wide = 1 + 0.35 * height;
      LayeredGroup made = LayeredGroup::of(boxes, here.ends, {(down ? 24 : 32) * wide, 14 * wide, 12});
      const double channels = here.back.empty() ? 0 : kChannel * static_cast<double>(here.back.size());
      const QSizeF size = (down ? QSizeF(made.breadth + channels, made.length) : QSizeF(made.length, made.breadth + channels)) +
                          QSizeF(2 * m.padding, 2 * m.padding + box(i).header);
      const double off = std::abs(std::log(size.width() / size.height() / m.aspect));
      if (best >= 0 && off >= best) continue;
      best = off;
      here.layers = std::move(made);
      here.down = down;
      here.size = size;
    }
    box(i).down = here.down;
  }

  // Places the boxes within a group whose own place is known, and lays the links between them.
  void place(int i) {
    Group& here = group(i);
    const MapLayout::Metrics& m = map_.metrics;
    const QPointF corner = box(i).rect.topLeft() + QPointF(m.padding, m.padding + box(i).header);
    for (std::size_t k = 0; k < node(i).children.size(); ++k) {
      const int each = node(i).children[k];
      const QSizeF size = group(each).size;
      const double along = here.layers.along[k], across = here.layers.across[k];
      const QPointF at = here.down ? QPointF(across - size.width() / 2, along) : QPointF(along, across - size.height() / 2);
      box(each).rect = QRectF(corner + at, size);
      set_ends(each, here.down);
    }
    for (std::size_t k = 0; k < here.ids.size(); ++k) lay(here, i, static_cast<int>(k), corner);
    for (std::size_t k = 0; k < here.back.size(); ++k) lay_back(here, i, here.back[k], static_cast<int>(k), corner);
  }

  // Links arrive in the direction of the group around; where the inside flows the other way, in a corner, so that they
  // can turn.
  void set_ends(int i, bool down) {
    MapBox& b = box(i);
    b.arrives_down = down;
    const QRectF& r = b.rect;
    const double turn = map_.metrics.padding / 2;
    const bool turns = !node(i).is_leaf() && b.down != down;
    const double header = node(i).is_leaf() ? 0 : b.header;
    if (down) {
      b.in = {turns ? r.left() + turn : r.center().x(), r.top()};
      b.out = {turns ? r.right() - turn : r.center().x(), r.bottom()};
    } else {
      b.in = {r.left(), turns ? r.top() + header + turn : (r.top() + header + r.bottom()) / 2};
      b.out = {r.right(), turns ? r.bottom() - turn : (r.top() + header + r.bottom()) / 2};
    }
  }

  // A curve that leaves and arrives along the flow of the group; from or to a border it may have to turn once.
  static void curve(QPainterPath& path, QPointF to, bool leaves_down, bool arrives_down) {
    const QPointF from = path.currentPosition();
    if (leaves_down != arrives_down) {
      const QPointF corner = leaves_down ? QPointF(from.x(), to.y()) : QPointF(to.x(), from.y());
      path.cubicTo(from + (corner - from) * 0.8, to + (corner - to) * 0.8, to);
    } else if (leaves_down) {
      const double middle = (from.y() + to.y()) / 2;
      path.cubicTo({from.x(), middle}, {to.x(), middle}, to);
    } else {
      const double middle = (from.x() + to.x()) / 2;
      path.cubicTo({middle, from.y()}, {middle, to.y()}, to);
    }
  }

  void lay(Group& here, int i, int k, QPointF corner) {
    MapLink& link = map_.links[static_cast<std::size_t>(here.ids[static_cast<std::size_t>(k)])];
    const auto point = [&](double along, double across) {
      return corner + (here.down ? QPointF(across, along) : QPointF(along, across));
    };
    const bool enters = link.from == i, leaves = link.to == i;
    QPainterPath path(enters ? box(i).in : box(link.from).out);
    bool down = enters ? box(i).arrives_down : here.down;
    if (!enters) {  // straight to where its layer ends
      const int from = index_[static_cast<std::size_t>(link.from)];
      const QPointF end = point(here.layers.layer_end[static_cast<std::size_t>(from)], 0);
      path.lineTo(here.down ? QPointF(path.currentPosition().x(), end.y()) : QPointF(end.x(), path.currentPosition().y()));
    }
    for (const LayeredGroup::Pass& pass : here.layers.passes[static_cast<std::size_t>(k)]) {
      curve(path, point(pass.begin, pass.across), down, here.down);
      down = here.down;
      path.lineTo(point(pass.end, pass.across));
    }
    curve(path, leaves ? box(i).out : box(link.to).in, down, leaves ? box(i).arrives_down : here.down);
    link.path = std::move(path);
  }

  void lay_back(Group& here, int i, int id, int channel, QPointF corner) {
    MapLink& link = map_.links[static_cast<std::size_t>(id)];
    const QPointF from = box(link.from).out, to = box(link.to).in;
    const int at = index_[static_cast<std::size_t>(link.from)];
    const double end = here.layers.layer_end[static_cast<std::size_t>(at)] + kChannel / 2 + 3 * (channel % 3);
    const double beyond = here.layers.breadth + kChannel * (channel + 1);
    const QRectF r = box(i).rect;
    const double step = kChannel / 2 + 3 * (channel % 3);
    if (here.down) {
      const double x = std::min(corner.x() + beyond, r.right() - 4), y = corner.y() + end;
      link.path = rounded({from, {from.x(), y}, {x, y}, {x, to.y() - step}, {to.x(), to.y() - step}, to});
    } else {
      const double y = std::min(corner.y() + beyond, r.bottom() - 4), x = corner.x() + end;
      link.path = rounded({from, {x, from.y()}, {x, y}, {to.x() - step, y}, {to.x() - step, to.y()}, to});
    }
  }

  const Flow& flow_;
  MapLayout map_;
  std::vector<Group> groups_;
  std::vector<int> index_;  // of a node among its siblings
  std::map<int, int> height_;
  std::map<std::tuple<int, int, int>, int> known_;
};

}  // namespace

MapLayout MapLayout::of(const Flow& flow, const Metrics& metrics) { return Maker(flow, metrics).make(); }

double MapLayout::opens_at(const Flow& flow, int node, double text) const {
  const MapBox& box = boxes[static_cast<std::size_t>(node)];
  if (flow.nodes[static_cast<std::size_t>(node)].is_leaf() || box.header <= 0) return 0;
  return metrics.smallest_header * text / box.header;
}

bool MapLayout::is_open(const Flow& flow, int node, double scale, double text) const {
  return !flow.nodes[static_cast<std::size_t>(node)].is_leaf() && scale >= opens_at(flow, node, text);
}

int MapLayout::shown(const Flow& flow, int node, double scale, double text) const {
  for (const int at : flow.path(node))
    if (at == node || !is_open(flow, at, scale, text)) return at;
  return node;
}

int MapLayout::place_at(const Flow& flow, QPointF point, double scale, double text) const {
  if (boxes.empty() || !boxes[0].rect.contains(point)) return -1;
  int at = 0;
  for (bool inside = true; inside && is_open(flow, at, scale, text);) {
    inside = false;
    for (const int each : flow.nodes[static_cast<std::size_t>(at)].children)
      if (boxes[static_cast<std::size_t>(each)].rect.contains(point)) {
        at = each;
        inside = true;
        break;
      }
  }
  return at;
}

}  // namespace headlight
