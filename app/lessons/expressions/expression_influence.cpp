// Functions of what can reach what, and of scores split into tokens and positions.

#include <algorithm>
#include <array>

#include "app/lessons/expressions/expression_evaluator.h"
#include "model/analysis/influence.h"
#include "model/analysis/living/score_split.h"
#include "model/text/nearest.h"

namespace headlight::expressions {

namespace {

using LaneSide = LivingLane::Side;

const std::vector<std::string> kSides = {"encoder", "decoder"};
// As in ScoreSplit::parts; the last one is all of it.
const std::vector<std::string> kScoreParts = {"token-token",       "token-position", "position-token",
                                              "position-position", "rest",           "score"};

std::vector<int> lanes_at(const LivingMap& map, const Places& at) {
  std::vector<int> lanes;
  for (const int each : at.at) {
    const int lane = at.of == Places::Of::source ? map.lane_of_token(each) : map.lane_of_step(each);
    if (lane >= 0) lanes.push_back(lane);
  }
  return lanes;
}

}  // namespace

const LivingMap& Evaluator::living(const Node& node) const {
  trace(node);
  const std::shared_ptr<const LivingMap>& map = scope_.run->living(cancel_);
  if (!map || map->stations.empty()) fail(node, "of this model nobody knows what its states are made of");
  return *map;
}

std::size_t Evaluator::one_of(const Node& node, const std::vector<std::string>& names) const {
  const std::string found = text(node);
  const auto at = std::ranges::find(names, found);
  if (at == names.end())
    fail(node, "there is no '" + found.substr(0, 40) + "'" + did_you_mean_or("known: ", found, names));
  return static_cast<std::size_t>(at - names.begin());
}

// reach(side, layer), of the state in the middle, or of these places; path(side, layer, from, on).
ExpressionValue Evaluator::reach(const Node& node) const {
  const LivingMap& map = living(node);
  const auto side = one_of(*node.children[0], kSides) == 0 ? LaneSide::source : LaneSide::target;
  const int layer = whole(*node.children[1], 0, 1000), station = layer_station(map, side, layer);
  if (station < 0) fail(*node.children[1], "this model has no such layer there");
  const LivingStation& states = map.stations[static_cast<std::size_t>(station)];
  std::vector<int> from = {states.first + states.count / 2};
  if (node.children.size() > 2) from = lanes_at(map, row_places(*node.children[2]));
  std::erase_if(from, [&](int lane) { return !states.has(lane); });
  if (from.empty()) absent(node, "no state of this layer belongs to these places");
  const std::vector<int> on =
      node.children.size() > 3 ? lanes_at(map, row_places(*node.children[3])) : std::vector<int>();
  const StateLinks links(map, scope_.run->maps());
  int most = 0;
  for (const int lane : from) {
    const ReceptiveField field = receptive_field(map, links, {station, lane});
    if (node.children.size() < 4) most = std::max(most, field.inputs);
    for (const int input : on) {
      const int at = map.embedding(map.lanes[static_cast<std::size_t>(input)].side);
      const LivingStation& inputs = map.stations.at(static_cast<std::size_t>(at));
      const int steps = field.steps[static_cast<std::size_t>(at)][static_cast<std::size_t>(input - inputs.first)];
      if (steps < 0) absent(node, "this token cannot reach that state");
      most = std::max(most, steps);
    }
  }
  return static_cast<double>(most);
}

// score_part(part, from, on, layer, head): the mean over the pairs, and over the heads where none is named.
ExpressionValue Evaluator::score_part(const Node& node) const {
  const LivingMap& map = living(node);
  const std::size_t part = one_of(*node.children[0], kScoreParts);
  const Places from = row_places(*node.children[1]), on = row_places(*node.children[2]);
  if (node.children.size() > 3 && whole(*node.children[3], 0, 1000) > 0)
    fail(*node.children[3], "only scores of layer 0 split: above, positions are mixed into everything");
  const std::vector<LaneSide> sides = split_sides(*map.result);
  const LaneSide side =
      from.of == Places::Of::source && map.embedding(LaneSide::source) >= 0 ? LaneSide::source : LaneSide::target;
  if (std::ranges::find(sides, side) == sides.end())
    fail(node, "this model adds no positions to its tokens there, so that its scores do not split");
  const int wanted = node.children.size() > 4 ? whole(*node.children[4], 0, 1000) : -1;
  const int first = map.range(side).first;
  double sum = 0;
  int pairs = 0;
  for (Index head = std::max(wanted, 0); wanted < 0 || head == wanted; ++head) {
    const std::optional<ScoreSplit> split = score_split(map, side, head);
    if (!split) break;
    const Tensor& values = part < ScoreSplit::kParts ? split->parts[part] : split->scores;
    for (const int row : lanes_at(map, from))
      for (const int column : lanes_at(map, on)) {
        if (row < first || column < first || row - first >= values.rows() || column - first >= values.columns() ||
            (side == LaneSide::target && column > row))
          continue;
        sum += static_cast<double>(values[(row - first) * values.columns() + column - first]);
        ++pairs;
      }
  }
  if (pairs == 0) absent(node, "no score of the first layer belongs to these places");
  return sum / pairs;
}

}  // namespace headlight::expressions
