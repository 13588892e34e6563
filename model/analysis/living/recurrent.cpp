// The family of recurrent models: shares, vectors and cuts.

#include "model/analysis/living/recurrent.h"

namespace headlight::living_recurrent {

LivingPart RecurrentRule::edge_part(const LivingMap& map, const Edge& edge, const LivingStation& station,
                                    Tensor share) const {
  LivingPart part;
  part.kind = edge.kind;
  part.from = edge.from;
  part.share = std::move(share);
  for (int r = 0; r < station.count; ++r) {
    int number = -1;
    const int row = source_row(edge, r, &number);
    part.from_lane.push_back(row < 0 ? -1 : map.stations[at(number)].first + row);
    if (number != edge.from && part.from_each.empty()) part.from_each.assign(at(station.count), edge.from);
    if (number != edge.from) part.from_each[at(r)] = number;
  }
  return part;
}

// <q, sum> / <sum, sum> of every edge, and of the bias.
std::vector<LivingPart> RecurrentRule::edge_parts(const LivingMap& map, const Node& node,
                                                  const LivingStation& station) const {
  const Tensor& s = node.sum.defined() ? node.sum : node.state;
  std::vector<LivingPart> parts;
  for (const Edge& edge : node.edges)
    parts.push_back(edge_part(map, edge, station, living::shares_of(values(edge, s.rows(), s.columns()), s)));
  if (!node.bias.defined()) return parts;
  Tensor bias(s.shape());
  for (Index r = 0; r < s.rows(); ++r)
    Eigen::Map<Vec>(bias.data() + r * s.columns(), s.columns()) = bias_row(node.bias, r);
  parts.push_back(living::bias(living::shares_of(bias, s)));
  return parts;
}

void RecurrentRule::share_out(LivingMap& map, int number) const {
  LivingStation& station = map.stations[at(number)];
  const Node& node = nodes_[at(number)];
  if (station.kind == Station::readout || station.kind == Station::embedding) return;
  if (node.over >= 0) {  // what was looked up
    Tensor share({U_, S_});
    for (Index t = 0; t < U_; ++t) {
      const Vec s = row(node.state, t);
      const double whole = product(s, s);
      for (Index j = 0; j < S_; ++j)
        share[t * S_ + j] = whole > 0 ? static_cast<Scalar>(static_cast<double>(node.alpha[t * S_ + j]) *
                                                            product(row(outward(node.over), j), s) / whole)
                                      : Scalar(0);
    }
    station.parts.push_back(living::dense(Kind::attention, node.over, map.range(Side::source), std::move(share)));
    station.parts.back().heads = 1;
    station.parts.back().place = "decoder.attention";
    return;
  }
  if (!node.river) {
    station.parts = edge_parts(map, node, station);
    return;
  }
  station.candidate = edge_parts(map, node, station);
  const Index H = node.state.columns();
  Tensor kept = Tensor::zeros(node.state.shape()), start = kept.clone();
  std::vector<int> from_lane, start_lane;
  bool starts = false;
  for (Index r = 0; r < station.count; ++r) {
    const int earlier = node.earlier[at(r)];
    from_lane.push_back(earlier < 0 ? -1 : station.first + earlier);
    start_lane.push_back(-1);
    if (earlier >= 0) {
      Eigen::Map<Vec>(kept.data() + r * H, H) = row(node.keep, r).cwiseProduct(row(node.state, earlier));
    } else if (node.start_memory >= 0) {
      starts = true;
      start_lane.back() = map.stations[at(node.start_memory)].first;
      Eigen::Map<Vec>(start.data() + r * H, H) =
          row(node.keep, r).cwiseProduct(row(nodes_[at(node.start_memory)].state, 0));
    }
  }
  station.parts.push_back(living::lane_by_lane(Kind::carried, number, from_lane, living::shares_of(kept, node.state)));
  station.parts.push_back(living::lane_by_lane(Kind::written, -1, std::vector<int>(at(station.count), -1),
                                               living::shares_of(node.written, node.state)));
  if (starts)
    station.parts.push_back(
        living::lane_by_lane(Kind::start, node.start_memory, start_lane, living::shares_of(start, node.state)));
}

Tensor RecurrentRule::state_vector(const LivingMap& map, int station, Index r) const {
  const Node& node = nodes_.at(at(station));
  if (map.stations[at(station)].kind == Station::readout) {
    std::vector<Tensor> shares = row_of_shares(map);
    return Tensor::full({1}, static_cast<Scalar>(score_parts(map, r, token_of(map, r, -1), shares, 0)));
  }
  const Tensor& s = node.river || !node.sum.defined() ? node.state : node.sum;
  return s.view(r * s.columns(), {s.columns()});
}

Tensor RecurrentRule::part_vector(const LivingMap& map, const LivingShare& share) const {
  const LivingStation& station = map.stations.at(at(share.station));
  const LivingPart& part = station.parts.at(at(share.part));
  const Node& node = nodes_[at(share.station)];
  if (station.kind == Station::readout) {
    Tensor score = state_vector(map, share.station, share.row).clone();
    score[0] *= share.column >= 0 && part.dense() ? part.share[share.row * part.columns + share.column]
                                                  : static_cast<Scalar>(part.total(share.row));
    return score;
  }
  Vec q;
  if (part.dense()) {
    q = Vec::Zero(station.units);
    for (Index j = 0; j < S_; ++j)
      if (share.column < 0 || share.column == j) q += node.alpha[share.row * S_ + j] * row(outward(node.over), j);
  } else if (!node.river) {
    const Tensor& s = node.sum.defined() ? node.sum : node.state;
    q = part.kind == Kind::bias ? Vec(bias_row(node.bias, share.row))
                                : value(node.edges[at(share.part)], share.row, s.columns());
  } else if (part.kind == Kind::written) {
    q = row(node.written, share.row);
  } else {
    const int earlier = node.earlier[at(share.row)];
    q = Vec::Zero(node.state.columns());
    if (part.kind == Kind::carried && earlier >= 0)
      q = row(node.keep, share.row).cwiseProduct(row(node.state, earlier));
    if (part.kind == Kind::start && earlier < 0)
      q = row(node.keep, share.row).cwiseProduct(row(nodes_[at(node.start_memory)].state, 0));
  }
  return living::copied(q);
}

std::vector<Intervention> RecurrentRule::cut(const LivingMap& map, const LivingShare& share) const {
  const LivingStation& station = map.stations.at(at(share.station));
  const LivingPart& part = station.parts.at(at(share.part));
  if (!part.dense()) return {};
  // A hard choice is cut where it is made.
  const std::string step = living::decoder_step(share.row) + "attention.";
  const bool hard = map.result->trace->find(step + "sample.onehot") >= 0;
  const LivingSites::At at_step{step + (hard ? "sample.onehot" : "weights"), 0, true};
  return {living::zeroed(at_step, share.column < 0 ? -1 : sites_.key(Side::source, share.column))};
}

namespace {

bool knows(const Result& result) {
  if (result.model->model->traits().kind != ModelTraits::Kind::encoder_decoder) return false;
  const std::string step = living::last_step(result);
  const auto has_cell = [&](const char* leaf) {
    return living::has_all(result, step, {leaf}) || living::has_all(result, step + "layer[0].", {leaf});
  };
  return (has_cell("lstm.c") || has_cell("gru.cand") || has_cell("rnn.pre")) &&
         living::has_all(result, "encoder.", {"states", "embed.out"}) && living::has_all(result, step, {"embed.out"});
}

}  // namespace

}  // namespace headlight::living_recurrent

namespace headlight {

const LivingFamily kLivingRecurrent{living_recurrent::knows, living::make_by<living_recurrent::RecurrentRule>};

}  // namespace headlight
