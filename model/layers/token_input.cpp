#include "model/layers/token_input.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "model/layers/feed_forward.h"
#include "model/ops/basic.h"
#include "model/ops/positions.h"
#include "model/trace/site_sentences.h"

namespace headlight {

Shape TokenInput::table_shape(const TokenInputSettings& s, Index vocabulary) {
  if (s.projection != TokenInputSettings::Projection::none) return {vocabulary, s.embedding_size};
  return {vocabulary, s.positions == Positions::concat ? s.model - s.position_size : s.model};
}

TokenInput::TokenInput(const ParameterBuilder& side, const TokenInputSettings& s, Tensor table)
    : settings_(s), table_(std::move(table)) {
  if (s.positions == Positions::learned)
    learned_ = (side / "pos").make("W", {s.max_positions, s.width()}, s.position_init);
  if (s.token_types > 0) types_ = (side / "type").make("W", {s.token_types, s.width()}, s.position_init);
  if (s.norm) norm_.emplace(side / "embed" / "norm", *s.norm, s.width());
  if (s.projection == TokenInputSettings::Projection::none) return;
  W_project_ = (side / "embed").make("W_project", {s.embedding_size, s.model}, Init::glorot());
  if (s.projection_bias) b_project_ = (side / "embed").make("b_project", {s.model}, Init::zeros());
}

Tensor TokenInput::positions_of(const Tensor& ids, Index first, const Tensor& shift) const {
  const auto padding = static_cast<Scalar>(settings_.padding);
  const Index batch = ids.dim(0), count = ids.dim(1);
  Tensor positions({batch, count});
  for (Index n = 0; n < batch; ++n) {
    Scalar at = static_cast<Scalar>(first) - (shift.defined() ? shift[n] : Scalar(0));
    for (Index t = 0; t < count; ++t) {
      const bool counts = settings_.padding < 0 || ids[n * count + t] != padding;
      positions[n * count + t] = counts ? std::max(Scalar(0), at) : Scalar(-1);
      at += counts ? 1 : 0;
    }
  }
  return positions;
}

Tensor TokenInput::not_counted(const Tensor& ids) const {
  if (settings_.padding < 0) return {};
  Tensor counts = Tensor::zeros({ids.dim(0)});
  for (Index i = 0; i < ids.size(); ++i)
    if (ids[i] == static_cast<Scalar>(settings_.padding)) counts[i / ids.dim(1)] += 1;
  return counts;
}

// The rows of each position [N x L x d], or undefined where positions do not enter here.
Tensor TokenInput::position_rows(const Tensor& positions) const {
  const Positions kind = settings_.positions;
  if (!are_rows(kind)) return {};
  Tensor at = positions;
  if (settings_.offset > 0) {
    at = positions.clone();
    at.array() += static_cast<Scalar>(settings_.offset);
  }
  const Index last = at.size() == 0 ? 0 : static_cast<Index>(at.array().maxCoeff());
  if (kind == Positions::learned) {
    if (last >= settings_.max_positions)
      throw UsageError("this text needs position " + std::to_string(last + 1) + "; the model has learned " +
                       std::to_string(settings_.max_positions) + " positions (max_positions): shorten the text");
    return embedding(at, learned_);
  }
  const Index width = kind == Positions::concat ? settings_.position_size : settings_.width();
  const Sinusoid layout = kind == Positions::sinusoid_t2t      ? Sinusoid::t2t
                          : kind == Positions::sinusoid_halves ? Sinusoid::halves
                                                               : Sinusoid::pairs;
  Tensor table = sinusoid_table(last + 1, width, layout);
  if (settings_.position_scale != 1) table.array() *= static_cast<Scalar>(settings_.position_scale);
  if (settings_.padding >= 0) table.matrix().row(settings_.offset - 1).setZero();
  return embedding(at, table);
}

// As many were masked in the training of such a model as 12 of 100 tokens, and the sums are kept at that size.
Tensor TokenInput::with_dropped(const Tensor& token, const Tensor& ids, const Tensor& keep) const {
  constexpr double kSeen = 0.88;
  const auto dropped = static_cast<Scalar>(settings_.dropped);
  const Index batch = ids.dim(0), count = ids.dim(1);
  Tensor stays(ids.shape()), factors({batch});
  for (Index n = 0; n < batch; ++n) {
    double tokens = 0, masked = 0;
    for (Index i = n * count; i < (n + 1) * count; ++i) {
      stays[i] = ids[i] == dropped ? 0 : 1;
      tokens += keep.defined() && keep[i] == 0 ? 0 : 1;
      masked += ids[i] == dropped ? 1 : 0;
    }
    factors[n] = static_cast<Scalar>(kSeen / (1 - masked / tokens));
  }
  return scale_rows(mask_rows(token, stays), factors);
}

Tensor TokenInput::projected(const Tensor& x, const SitePath& side, const Tap& tap) const {
  return tap(side, "embed.projected", linear(x, W_project_, b_project_));
}

Tensor TokenInput::operator()(const Tensor& ids, const Tensor& positions, const Tensor& keep, const SitePath& side,
                              const Pass& pass, const Tensor& types) const {
  const Tap& tap = pass.tap;
  Tensor token = embedding(ids, table_);
  const double factor = settings_.embedding_scale > 0 ? settings_.embedding_scale
                        : settings_.scale_embeddings  ? std::sqrt(settings_.model)
                                                      : 1;
  if (factor != 1) token = scale(token, static_cast<Scalar>(factor));
  using Projection = TokenInputSettings::Projection;
  char given[32];
  std::snprintf(given, sizeof given, "%.6g · ", settings_.embedding_scale);
  std::string formula = (settings_.embedding_scale > 0 ? given
                         : settings_.scale_embeddings  ? "√d · "
                                                       : "") +
                        std::string("E[id]");
  if (settings_.dropped >= 0) {
    token = with_dropped(token, ids, keep);
    formula = "0.88 / (1 − m) · " + formula;
  }
  Tensor x = tap(side, "embed.token", token, [&] { return SiteWords{formula}; });
  if (settings_.projection == Projection::tokens) {
    x = projected(x, side, tap);
    formula += " W";
  }
  if (norm_ && settings_.norm_of_tokens) {
    x = (*norm_)(x, keep, SitePath(SitePath(side, "embed"), "token_norm"), pass);
    formula = "norm(" + formula + ")";
  }
  if (Tensor rows = position_rows(positions); rows.defined()) {
    rows = tap(side, "embed.position", rows, [&] {
      return SiteWords{position_formula(), settings_.padding < 0 ? nullptr : sentences::kPlaceWithoutPadding};
    });
    x = settings_.positions == Positions::concat ? concat(x, rows) : add(x, rows);
  }
  if (types_.defined())
    x = add(x, tap(side, "embed.type", embedding(types.defined() ? types : Tensor::zeros(ids.shape()), types_)));
  const auto words = [&] {
    const std::string at = position_formula();
    if (settings_.positions == Positions::concat) {
      formula = "[" + formula + " ; " + at + "]";
    } else if (!at.empty()) {
      formula += " + " + at;
    }
    if (types_.defined()) formula += types.defined() ? " + T[k]" : " + T[0]";
    return SiteWords{"x = " + formula, at.empty() ? nullptr : sentences::kTokenAndPlace,
                     "Vaswani et al. 2017, section 3.4"};
  };
  x = norm_ && !settings_.norm_of_tokens ? (*norm_)(x, keep, SitePath(side, "embed"), pass)
                                         : tap(side, "embed.out", x, words);
  if (settings_.projection == Projection::sum) x = projected(x, side, tap);
  return dropped(x, settings_.dropout, pass);
}

std::string TokenInput::position_formula() const {
  const Positions kind = settings_.positions;
  if (!are_rows(kind)) return {};
  const std::string at = settings_.offset > 0 ? "[p + " + std::to_string(settings_.offset) + "]" : "[p]";
  if (kind == Positions::learned) return "P" + at;
  return (settings_.position_scale != 1 ? "α PE" : "PE") + at;
}

}  // namespace headlight
