#include "widgets/views/map/map_layers.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "model/core/scalar.h"

namespace headlight {

namespace {

using Link = std::pair<int, int>;

template <class T>
auto& at(std::vector<T>& list, int i) {
  return nth(list, i);
}
template <class T>
const auto& at(const std::vector<T>& list, int i) {
  return nth(list, i);
}

// Boxes, the two ends outside, and the places where links pass a layer.
struct Cell {
  int rank = 0;
  double breadth = 0, thickness = 0, across = 0, order = 0;
  bool passes = false;
  std::vector<int> before, after;  // neighbours in the layers beside
};

class Layers {
 public:
  Layers(const std::vector<LayeredGroup::Box>& boxes, const std::vector<Link>& links,
         const LayeredGroup::Spaces& spaces)
      : count_(static_cast<int>(boxes.size())), spaces_(spaces), links_(links) {
    cells_.resize(boxes.size() + 2);
    for (int i = 0; i < count_; ++i) {
      at(cells_, i).breadth = at(boxes, i).breadth;
      at(cells_, i).thickness = at(boxes, i).thickness;
      at(cells_, i).order = i;
    }
    for (Link& link : links_) {
      if (link.first == LayeredGroup::kOutside) link.first = source();
      if (link.second == LayeredGroup::kOutside) link.second = sink();
    }
    rank();
    lay_trunks();
    order();
    place();
  }

  LayeredGroup group() const {
    LayeredGroup made;
    std::vector<double> begin(layers_.size()), end(layers_.size());
    double along = 0, low = 0, high = 0;
    bool any = false;
    for (std::size_t r = 0; r < layers_.size(); ++r) {
      double thickness = 0;
      for (const int i : layers_[r]) thickness = std::max(thickness, at(cells_, i).thickness);
      const bool border = r == 0 || r + 1 == layers_.size();  // the two ends outside take no room
      begin[r] = along;
      end[r] = along + thickness;
      if (!border) along += thickness + (r + 2 < layers_.size() ? spaces_.along : 0);
      for (const int i : layers_[r]) {
        if (i == source() || i == sink()) continue;
        const Cell& cell = at(cells_, i);
        low = any ? std::min(low, cell.across - cell.breadth / 2) : cell.across - cell.breadth / 2;
        high = any ? std::max(high, cell.across + cell.breadth / 2) : cell.across + cell.breadth / 2;
        any = true;
      }
    }
    made.length = along;
    made.breadth = high - low;
    for (int i = 0; i < count_; ++i) {
      const Cell& cell = at(cells_, i);
      made.along.push_back((at(begin, cell.rank) + at(end, cell.rank) - cell.thickness) / 2);
      made.layer_begin.push_back(at(begin, cell.rank));
      made.layer_end.push_back(at(end, cell.rank));
      made.across.push_back(cell.across - low);
    }
    for (const Link& link : links_) {
      std::vector<LayeredGroup::Pass> passes;
      for (int r = at(cells_, link.first).rank + 1; r < at(cells_, link.second).rank; ++r)
        passes.push_back({at(begin, r), at(end, r), at(cells_, trunks_.at({link.first, r})).across - low});
      made.passes.push_back(std::move(passes));
    }
    return made;
  }

 private:
  int source() const { return count_; }
  int sink() const { return count_ + 1; }

  // The longest way from the beginning; what nothing leads to stands right before what it is needed for.
  void rank() {
    std::vector<bool> reached(static_cast<std::size_t>(count_), false);
    for (int i = 0; i < count_; ++i) at(cells_, i).rank = 1;
    for (int i = 0; i < count_; ++i)
      for (const Link& link : links_)
        if (link.second == i) {
          nth(reached, i) = true;
          if (link.first < count_) at(cells_, i).rank = std::max(at(cells_, i).rank, at(cells_, link.first).rank + 1);
        }
    int last = 0;
    for (int i = count_ - 1; i >= 0; --i) {
      if (!nth(reached, i)) {
        int nearest = -1;
        for (const Link& link : links_)
          if (link.first == i && link.second < count_)
            nearest = nearest < 0 ? at(cells_, link.second).rank : std::min(nearest, at(cells_, link.second).rank);
        if (nearest > 0) at(cells_, i).rank = nearest - 1;
      }
      last = std::max(last, at(cells_, i).rank);
    }
    at(cells_, source()).rank = 0;
    at(cells_, sink()).rank = last + 1;
    for (const int end : {source(), sink()}) {
      at(cells_, end).breadth = spaces_.trunk;
      at(cells_, end).order = count_ / 2.0;
    }
    layers_.resize(static_cast<std::size_t>(last + 2));
    for (int i = 0; i < count_ + 2; ++i) at(layers_, at(cells_, i).rank).push_back(i);
  }

  // A link over several layers passes between their boxes; all that start at one box share their way.
  void lay_trunks() {
    for (const Link& link : links_) {
      int before = link.first;
      for (int r = at(cells_, link.first).rank + 1; r <= at(cells_, link.second).rank; ++r) {
        int here = link.second;
        if (r < at(cells_, link.second).rank) {
          const auto [found, fresh] = trunks_.try_emplace({link.first, r}, static_cast<int>(cells_.size()));
          here = found->second;
          if (fresh) {
            Cell pass;
            pass.rank = r;
            pass.breadth = spaces_.trunk;
            pass.order = at(cells_, link.first).order;
            pass.passes = true;
            cells_.push_back(pass);
            at(layers_, r).push_back(here);
          }
        }
        auto& after = at(cells_, before).after;
        if (std::ranges::find(after, here) == after.end()) {
          after.push_back(here);
          at(cells_, here).before.push_back(before);
        }
        before = here;
      }
    }
  }

  void number(const std::vector<int>& layer) {
    for (std::size_t k = 0; k < layer.size(); ++k)
      at(cells_, layer[k]).order = static_cast<double>(k) - (static_cast<double>(layer.size()) - 1) / 2;
  }

  void order() {
    for (const auto& layer : layers_) number(layer);
    for (int sweep = 0; sweep < 8; ++sweep) {
      const bool forward = sweep % 2 == 0;
      for (std::size_t k = 0; k < layers_.size(); ++k) {
        auto& layer = layers_[forward ? k : layers_.size() - 1 - k];
        std::map<int, double> middle;
        for (const int i : layer) {
          const auto& beside = forward ? at(cells_, i).before : at(cells_, i).after;
          double sum = 0;
          for (const int other : beside) sum += at(cells_, other).order;
          middle[i] = beside.empty() ? at(cells_, i).order : sum / static_cast<double>(beside.size());
        }
        std::ranges::stable_sort(layer, [&](int a, int b) { return middle[a] < middle[b]; });
        number(layer);
      }
    }
  }

  void place() {
    for (auto& layer : layers_) {
      double top = 0;
      for (const int i : layer) {
        at(cells_, i).across = top + at(cells_, i).breadth / 2;
        top += at(cells_, i).breadth + spaces_.across;
      }
      for (const int i : layer) at(cells_, i).across -= (top - spaces_.across) / 2;
    }
    for (int sweep = 0; sweep < 120; ++sweep)
      for (std::size_t k = 0; k < layers_.size(); ++k) settle(layers_[sweep % 2 == 0 ? k : layers_.size() - 1 - k]);
  }

  // Moves the cells of a layer as near to the middle of their neighbours as their order and their sizes allow: least
  // squares, by pooling those that would overlap (Ayer et al. 1955).
  void settle(const std::vector<int>& layer) {
    struct Pool {
      double sum = 0, weight = 0;
      int count = 0;
      double value() const { return sum / weight; }
    };
    std::vector<Pool> pools;
    std::vector<double> offset;
    for (std::size_t k = 0; k < layer.size(); ++k) {
      const Cell& cell = at(cells_, layer[k]);
      offset.push_back(k == 0 ? 0
                              : offset.back() + (cell.breadth + at(cells_, layer[k - 1]).breadth) / 2 + spaces_.across);
      double sum = 0, count = 0;
      for (const auto* beside : {&cell.before, &cell.after})
        for (const int other : *beside) {
          // Long ways are straight, and what feeds only one box stands right before it.
          const bool alike = cell.passes == at(cells_, other).passes;
          const double weight = alike ? 4 : 0.5;
          sum += weight * at(cells_, other).across;
          count += weight;
        }
      const double wish = count > 0 ? sum / count : cell.across, weight = cell.passes ? 0.5 : 1;
      pools.push_back({weight * (wish - offset.back()), weight, 1});
      while (pools.size() > 1 && pools[pools.size() - 2].value() > pools.back().value()) {
        const Pool last = pools.back();
        pools.pop_back();
        pools.back() = {pools.back().sum + last.sum, pools.back().weight + last.weight,
                        pools.back().count + last.count};
      }
    }
    std::size_t k = 0;
    for (const Pool& pool : pools)
      for (int i = 0; i < pool.count; ++i, ++k) at(cells_, layer[k]).across = pool.value() + offset[k];
  }

  int count_;
  LayeredGroup::Spaces spaces_;
  std::vector<Link> links_;
  std::vector<Cell> cells_;
  std::vector<std::vector<int>> layers_;
  std::map<std::pair<int, int>, int> trunks_;  // (where a link starts, layer) -> cell
};

}  // namespace

LayeredGroup LayeredGroup::of(const std::vector<Box>& boxes, const std::vector<Link>& links, const Spaces& spaces) {
  return Layers(boxes, links, spaces).group();
}

}  // namespace headlight
