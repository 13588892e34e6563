#include "widgets/views/map/map_layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "widgets/views/map/map_layers.h"

namespace headlight {

namespace {

constexpr double kChannel = 12;  // between links that lead back, below or beside the boxes
constexpr double kRound = 9;     // of their corners

// Goes on along straight lines with round corners.
void go(QPainterPath& path, std::vector<QPointF> points) {
  points.insert(points.begin(), path.currentPosition());
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const QPointF before = points[i - 1] - points[i], after = points[i + 1] - points[i];
    const double a = std::hypot(before.x(), before.y()), b = std::hypot(after.x(), after.y());
    const double r = std::min({kRound, a / 2, b / 2});
    if (r <= 0) continue;
    path.lineTo(points[i] + before * (r / a));
    path.quadTo(points[i], points[i] + after * (r / b));
  }
  path.lineTo(points.back());
}

// What is known of a group while the map is made.
struct Group {
  std::vector<int> children;  // in an order in which as little as possible leads back
  bool down = false;
  LayeredGroup layers;
  std::vector<int> links;                 // all of them
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
  }

  MapLayout make() {
    for (const FlowEdge& edge : flow_.edges) take(edge);
    for (int i = 0; i < static_cast<int>(flow_.nodes.size()); ++i) order(i);
    for (int id = 0; id < static_cast<int>(map_.links.size()); ++id) sort_link(id);
    for (int i = static_cast<int>(flow_.nodes.size()) - 1; i >= 0; --i) measure(i);  // children first
    map_.boxes[0].rect = QRectF(QPointF(), group(0).size);
    for (int i = 0; i < static_cast<int>(flow_.nodes.size()); ++i)
      if (!node(i).is_leaf()) place(i);
    return std::move(map_);
  }

 private:
  const FlowNode& node(int i) const { return nth(flow_.nodes, i); }
  Group& group(int i) { return nth(groups_, i); }
  MapBox& box(int i) { return nth(map_.boxes, i); }

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
      map_.links.push_back(std::move(made));
      group(in).links.push_back(found->second);
    }
    MapLink& taken = nth(map_.links, found->second);
    taken.other_step = taken.other_step && edge.other_step;
    return found->second;
  }

  // What everything else waits for comes first; where all wait for each other, what is computed first. What comes from
  // another step is waited for only where there is a choice.
  void order(int i) {
    Group& here = group(i);
    std::vector<int> left = node(i).children;
    const auto waits = [&](int child, bool also_other_steps) {
      return std::ranges::any_of(here.links, [&](int id) {
        const MapLink& link = nth(map_.links, id);
        return link.to == child && link.from != child && link.from != i && (also_other_steps || !link.other_step) &&
               std::ranges::find(left, link.from) != left.end();
      });
    };
    while (!left.empty()) {
      auto next = std::ranges::find_if(left, [&](int child) { return !waits(child, true); });
      if (next == left.end()) next = std::ranges::find_if(left, [&](int child) { return !waits(child, false); });
      if (next == left.end()) next = left.begin();
      nth(index_, *next) = static_cast<int>(here.children.size());
      here.children.push_back(*next);
      left.erase(next);
    }
  }

  void sort_link(int id) {
    MapLink& link = nth(map_.links, id);
    const auto end = [&](int i) { return i == link.group ? LayeredGroup::kOutside : nth(index_, i); };
    const int from = end(link.from), to = end(link.to);
    link.back = from >= 0 && to >= 0 && from >= to;
    Group& around = group(link.group);
    if (link.back) {
      around.back.push_back(id);
    } else {
      around.ends.emplace_back(from, to);
      around.ids.push_back(id);
    }
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
      for (const int each : here.children) {
        const QSizeF size = group(each).size;
        boxes.push_back(down ? LayeredGroup::Box{size.height(), size.width()}
                             : LayeredGroup::Box{size.width(), size.height()});
      }
      const double wide = 1 + 0.35 * height;
      LayeredGroup made = LayeredGroup::of(boxes, here.ends, {(down ? 24 : 32) * wide, 14 * wide, 12});
      const double channels = here.back.empty() ? 0 : kChannel * static_cast<double>(here.back.size());
      const QSizeF size =
          (down ? QSizeF(made.breadth + channels, made.length) : QSizeF(made.length, made.breadth + channels)) +
          QSizeF(2 * m.padding, 2 * m.padding + box(i).header);
      const double off = std::abs(std::log(size.width() / size.height() / (i == 0 ? m.aspect : m.group_aspect)));
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
    for (std::size_t k = 0; k < here.children.size(); ++k) {
      const int each = here.children[k];
      const QSizeF size = group(each).size;
      const double along = here.layers.along[k], across = here.layers.across[k];
      const QPointF at =
          here.down ? QPointF(across - size.width() / 2, along) : QPointF(along, across - size.height() / 2);
      box(each).rect = QRectF(corner + at, size);
      set_ends(each, here.down);
    }
    for (std::size_t k = 0; k < here.ids.size(); ++k) lay(here, i, static_cast<int>(k), corner);
    for (std::size_t k = 0; k < here.back.size(); ++k) lay_back(here, i, here.back[k], static_cast<int>(k), corner);
  }

  // Links arrive and leave in the middle of a side, in the direction of the group around.
  void set_ends(int i, bool down) {
    MapBox& b = box(i);
    const QRectF& r = b.rect;
    b.arrives_down = down;
    b.in = down ? QPointF(r.center().x(), r.top()) : QPointF(r.left(), r.center().y());
    b.out = down ? QPointF(r.center().x(), r.bottom()) : QPointF(r.right(), r.center().y());
  }

  // A curve that leaves and arrives along the flow of the group.
  static void curve(QPainterPath& path, QPointF to, bool down) {
    const QPointF from = path.currentPosition();
    const QPointF middle = (from + to) / 2;
    if (down)
      path.cubicTo({from.x(), middle.y()}, {to.x(), middle.y()}, to);
    else
      path.cubicTo({middle.x(), from.y()}, {middle.x(), to.y()}, to);
  }

  // From the border of a group to `to` within; where the inside flows the other way, around the corner before it.
  void come_in(QPainterPath& path, int i, QPointF to) {
    const MapBox& b = box(i);
    if (b.arrives_down == b.down) return curve(path, to, b.down);
    const double turn = map_.metrics.padding / 2, left = b.rect.left() + turn, top = b.rect.top() + b.header + turn;
    if (b.down)
      go(path, {{left, b.in.y()}, {left, top}, {to.x(), top}, to});
    else
      go(path, {{b.in.x(), top}, {left, top}, {left, to.y()}, to});
  }

  void go_out(QPainterPath& path, int i) {
    const MapBox& b = box(i);
    if (b.arrives_down == b.down) return curve(path, b.out, b.down);
    const QPointF from = path.currentPosition();
    const double turn = map_.metrics.padding / 2, right = b.rect.right() - turn, bottom = b.rect.bottom() - turn;
    if (b.down)
      go(path, {{from.x(), bottom}, {right, bottom}, {right, b.out.y()}, b.out});
    else
      go(path, {{right, from.y()}, {right, bottom}, {b.out.x(), bottom}, b.out});
  }

  void lay(Group& here, int i, int k, QPointF corner) {
    MapLink& link = nth(map_.links, nth(here.ids, k));
    const auto point = [&](double along, double across) {
      return corner + (here.down ? QPointF(across, along) : QPointF(along, across));
    };
    const bool enters = link.from == i, leaves = link.to == i;
    QPainterPath path(enters ? box(i).in : box(link.from).out);
    if (!enters) {  // straight to where its layer ends
      const int from = nth(index_, link.from);
      const QPointF end = point(nth(here.layers.layer_end, from), 0), at = path.currentPosition();
      path.lineTo(here.down ? QPointF(at.x(), end.y()) : QPointF(end.x(), at.y()));
    }
    bool inside = !enters;
    const auto on = [&](QPointF to) {
      if (inside)
        curve(path, to, here.down);
      else
        come_in(path, i, to);
      inside = true;
    };
    for (const LayeredGroup::Pass& pass : nth(here.layers.passes, k)) {
      on(point(pass.begin, pass.across));
      path.lineTo(point(pass.end, pass.across));
    }
    if (leaves)
      go_out(path, i);
    else
      arrive(path, here, link.to, corner, on);
    link.path = std::move(path);
  }

  // To the beginning of the layer of a box between the boxes, and then straight on.
  template <class On>
  void arrive(QPainterPath& path, const Group& here, int to, QPointF corner, const On& on) {
    const QPointF in = box(to).in;
    const double begin = nth(here.layers.layer_begin, nth(index_, to));
    on(here.down ? QPointF(in.x(), corner.y() + begin) : QPointF(corner.x() + begin, in.y()));
    path.lineTo(in);
  }

  void lay_back(Group& here, int i, int id, int channel, QPointF corner) {
    MapLink& link = nth(map_.links, id);
    const QPointF from = box(link.from).out, to = box(link.to).in;
    const int at = nth(index_, link.from);
    const double end = nth(here.layers.layer_end, at) + kChannel / 2 + 3 * (channel % 3);
    const double beyond = here.layers.breadth + kChannel * (channel + 1);
    const QRectF r = box(i).rect;
    QPainterPath path(from);
    const double begin = nth(here.layers.layer_begin, nth(index_, link.to));
    const double before = begin - kChannel / 2 - 3 * (channel % 3);
    if (here.down) {
      const double x = std::min(corner.x() + beyond, r.right() - 4), y = corner.y() + end;
      go(path, {{from.x(), y}, {x, y}, {x, corner.y() + before}, {to.x(), corner.y() + before}, to});
    } else {
      const double y = std::min(corner.y() + beyond, r.bottom() - 4), x = corner.x() + end;
      go(path, {{x, from.y()}, {x, y}, {corner.x() + before, y}, {corner.x() + before, to.y()}, to});
    }
    link.path = std::move(path);
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
  const MapBox& box = nth(boxes, node);
  if (nth(flow.nodes, node).is_leaf() || box.header <= 0) return 0;
  return metrics.smallest_header * text / box.header;
}

bool MapLayout::is_open(const Flow& flow, int node, double scale, double text) const {
  return !nth(flow.nodes, node).is_leaf() && scale >= opens_at(flow, node, text);
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
    for (const int each : nth(flow.nodes, at).children)
      if (nth(boxes, each).rect.contains(point)) {
        at = each;
        inside = true;
        break;
      }
  }
  return at;
}

}  // namespace headlight
