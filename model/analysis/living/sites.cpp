// The lanes of a run, and the values of its sites by lane.

#include <algorithm>
#include <numeric>

#include "model/analysis/living/rule.h"

namespace headlight {

namespace {

std::string at_step(const std::string& side, Index step, const std::string& leaf) {
  return side + "step[" + std::to_string(step) + "]." + leaf;
}

bool in_order(const std::vector<Index>& positions) {
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (positions[i] != static_cast<Index>(i)) return false;
  return true;
}

}  // namespace

LivingSites::LivingSites(const LivingMap& map) : trace_(map.result->trace) {
  source_ = map.range(Side::source);
  target_ = map.range(Side::target);
  prompt_ = map.result->prompt;
  for (const bool target : {false, true}) {
    const auto [first, count] = target ? target_ : source_;
    lane_[target].assign(static_cast<std::size_t>(count), 0);
    for (int i = 0; i < count; ++i) {
      const Index position = map.lanes[static_cast<std::size_t>(first + i)].position;
      position_[target].push_back(position);
      if (position < count) lane_[target][static_cast<std::size_t>(position)] = i;
    }
  }
  for (const NamedTensor& parameter : trace_->parameters()) parameters_[parameter.name] = parameter.value;
}

Tensor LivingSites::parameter(const std::string& name) const {
  const auto found = parameters_.find(name);
  return found == parameters_.end() ? Tensor() : found->second;
}

std::optional<LivingSites::At> LivingSites::at(Side side, Index row, const std::string& leaf) const {
  const Index position = key(side, row);
  At found;
  if (side == Side::source) {
    found = {"encoder." + leaf, position, false};
  } else if (position < prompt_) {
    found = {"decoder." + leaf, position, false};
  } else {
    found = {at_step("decoder.", position - prompt_, leaf), 0, true};
  }
  if (trace_->find(found.site) < 0) return {};
  return found;
}

LivingPlace LivingSites::place(Side side, Index row, const std::string& leaf) const {
  const auto found = at(side, row, leaf);
  if (!found) return {};
  const int entry = trace_->find(found->site);
  const Tensor& value = (*trace_)[entry].value;
  return {entry, found->step ? 0 : found->row * value.columns()};
}

bool LivingSites::edited(Side side, Index row, const std::string& leaf) const {
  const auto found = at(side, row, leaf);
  return found && (*trace_)[trace_->find(found->site)].edited;
}

Tensor LivingSites::by_lane(Side side, const Tensor& value) const {
  const auto& positions = position_[side == Side::target];
  const auto count = static_cast<Index>(positions.size());
  if (!value.defined() || in_order(positions)) return value;
  const Index width = value.columns(), blocks = value.size() / std::max<Index>(1, count * width);
  Tensor out(value.shape());
  for (Index b = 0; b < blocks; ++b)
    for (Index i = 0; i < count; ++i)
      std::copy_n(value.data() + (b * count + positions[static_cast<std::size_t>(i)]) * width, width,
                  out.data() + (b * count + i) * width);
  return out;
}

Tensor LivingSites::rows(Side side, const std::string& leaf) const {
  const Index lanes = count(side);
  if (lanes == 0) return {};
  if (side == Side::source) {
    const Tensor whole = trace_->value("encoder." + leaf);
    if (!whole.defined() || whole.size() % lanes != 0) return {};
    return by_lane(side, whole.view(0, {lanes, whole.size() / lanes}));
  }
  Tensor all;
  const Tensor begin = prompt_ > 0 ? trace_->value("decoder." + leaf) : Tensor();
  Index width = begin.defined() ? begin.size() / prompt_ : 0;
  for (Index i = 0; i < lanes; ++i) {
    const Index position = key(side, i);
    Tensor one;
    if (position < prompt_) {
      if (!begin.defined()) return {};
    } else {
      one = trace_->value(at_step("decoder.", position - prompt_, leaf));
      if (!one.defined()) return {};
      if (width == 0) width = one.size();
      if (one.size() != width) return {};
    }
    if (!all.defined()) all = Tensor({lanes, width});
    std::copy_n(one.defined() ? one.data() : begin.data() + position * width, width, all.data() + i * width);
  }
  return all;
}

Tensor LivingSites::steps(Side side, const std::string& place, const std::string& leaf) const {
  Tensor all;
  const Index lanes = count(side);
  for (Index i = 0; i < lanes; ++i) {
    const Tensor one = trace_->value(at_step(place + ".", key(side, i), leaf));
    if (!one.defined() || (all.defined() && one.size() != all.columns())) return {};
    if (!all.defined()) all = Tensor({lanes, one.size()});
    std::copy_n(one.data(), one.size(), all.data() + i * one.size());
  }
  return all;
}

Tensor LivingSites::heads(Side side, const std::string& leaf) const {
  const Index lanes = count(side);
  if (lanes == 0) return {};
  if (side == Side::source) {
    const Tensor whole = trace_->value("encoder." + leaf);
    if (!whole.defined() || whole.rank() != 3 || whole.dim(1) != lanes) return {};
    return by_lane(side, whole);
  }
  Tensor all;
  const Tensor begin = prompt_ > 0 ? trace_->value("decoder." + leaf) : Tensor();
  if (begin.defined() && begin.rank() != 3) return {};
  for (Index i = 0; i < lanes; ++i) {
    const Index position = key(side, i);
    const bool first = position < prompt_;
    const Tensor one = first ? begin : trace_->value(at_step("decoder.", position - prompt_, leaf));
    if (!one.defined()) return {};
    const Index width = one.columns(), heads = first ? one.dim(0) : one.size() / width;
    if (!all.defined()) all = Tensor({heads, lanes, width});
    if (heads != all.dim(0) || width != all.dim(2)) return {};
    for (Index h = 0; h < heads; ++h)
      std::copy_n(one.data() + (first ? h * one.dim(1) + position : h) * width, width,
                  all.data() + (h * lanes + i) * width);
  }
  return all;
}

LivingSites::Weights LivingSites::weight_rows(Side side, const std::string& leaf, Side columns) const {
  const Index lanes = count(side), keys = count(columns);
  Weights found;
  if (lanes == 0 || keys == 0) return found;
  const Tensor whole = side == Side::source ? trace_->value("encoder." + leaf)
                       : prompt_ > 0        ? trace_->value("decoder." + leaf)
                                            : Tensor();
  if (whole.defined() && whole.rank() != 3) return found;
  for (Index i = 0; i < lanes; ++i) {
    const Index position = key(side, i);
    const bool at_once = side == Side::source || position < prompt_;
    const Tensor one = at_once ? whole : trace_->value(at_step("decoder.", position - prompt_, leaf));
    if (!one.defined()) return {};
    const Index width = one.columns(), heads = at_once ? one.dim(0) : one.size() / width;
    if (found.heads == 0) found.heads = heads;
    if (heads != found.heads || width > keys || (at_once && position >= one.dim(1))) return {};
    found.rows.push_back({one.data() + (at_once ? position * width : 0), at_once ? one.dim(1) * width : width, width});
    if (!at_once) found.values.push_back(one);
  }
  if (whole.defined()) found.values.push_back(whole);
  return found;
}

Tensor LivingSites::weights(Side side, const std::string& leaf, Side columns) const {
  const Weights found = weight_rows(side, leaf, columns);
  if (found.rows.empty()) return {};
  const Index lanes = count(side), keys = count(columns);
  const auto& lane_of = lane_[columns == Side::target];
  Tensor all = Tensor::zeros({found.heads, lanes, keys});
  for (Index i = 0; i < lanes; ++i) {
    const WeightRow& row = found.rows[static_cast<std::size_t>(i)];
    for (Index h = 0; h < found.heads; ++h) {
      const Scalar* from = row.first + h * row.stride;
      Scalar* to = all.data() + (h * lanes + i) * keys;
      for (Index k = 0; k < row.keys; ++k) to[lane_of[static_cast<std::size_t>(k)]] = from[k];
    }
  }
  return all;
}

}  // namespace headlight
