#include "model/analysis/living/arithmetic.h"

#include <cmath>

#include "model/analysis/living/rule.h"

namespace headlight {

namespace {

using Kind = LivingPart::Kind;

// What a part is called among the terms of an explanation.
const char* symbol(Kind kind) {
  switch (kind) {
    case Kind::carried:
      return "carried on";
    case Kind::attention:
      return "attention";
    case Kind::written:
      return "written";
    case Kind::token:
      return "token";
    case Kind::position:
      return "position";
    case Kind::recurrent:
      return "state before";
    case Kind::tap:
      return "tap";
    case Kind::state:
      return "state";
    case Kind::context:
      return "context";
    case Kind::start:
      return "start";
    case Kind::bias:
      return "bias";
    case Kind::other:
      return "other";
  }
  return "";
}

Tensor one_number(double value) {
  Tensor tensor({1});
  tensor[0] = static_cast<Scalar>(value);
  return tensor;
}

}  // namespace

Explanation explain_product(const LivingMap& map, const LivingShare& share) {
  static const Op kProduct{"share product", "⟨q, s⟩ = Σ_u q_u s_u", "", nullptr, nullptr};
  const Tensor q = part_vector(map, share), s = state_vector(map, share.station, share.row);
  Explanation made;
  made.op = &kProduct;
  made.kind = Explanation::Kind::sum;
  if (!q.defined()) return made;
  for (Index u = 0; u < q.size(); ++u) {
    const Cell of_part{q, u}, of_state{s, u};
    const double value = q.size() == 1 ? of_part.value() : of_part.value() * of_state.value();
    made.terms.push_back({q.size() == 1 ? "q" : "q·s", value, {of_part, of_state}});
    made.value += value;
  }
  if (q.size() == 1) made.terms[0].cells.pop_back();  // part of a score: a number already
  made.recomputed = made.value;
  return made;
}

LivingArithmetic living_arithmetic(const LivingMap& map, const LivingShare& share) {
  static const Op kShare{"share", "share(q) = ⟨q, s⟩ / ⟨s, s⟩", "", nullptr, nullptr};
  const LivingStation& station = map.stations.at(at_place(share.station));
  const LivingPart& part = station.parts.at(at_place(share.part));
  const Tensor s = state_vector(map, share.station, share.row);
  const bool number = s.size() == 1;  // a score: its parts are numbers already
  const double whole = number ? static_cast<double>(s[0]) : living::dot(s.data(), s.data(), s.size());
  const auto product = [&](const LivingShare& one) {
    const Tensor q = part_vector(map, one);
    return number ? static_cast<double>(q[0]) : living::dot(q.data(), s.data(), s.size());
  };
  LivingArithmetic made;
  Explanation& said = made.share;
  said.op = &kShare;
  said.kind = Explanation::Kind::share;
  const auto add = [&](const std::string& of, double value, const std::optional<LivingShare>& behind) {
    said.terms.push_back({number ? of : "⟨" + of + ", s⟩", value, {{one_number(value), 0}}});
    made.behind.push_back(behind);
  };
  const bool apart = part.dense() && share.column >= 0;
  std::string name = symbol(part.kind);
  if (apart) name += " " + map.lanes[at_place(part.first_column) + static_cast<std::size_t>(share.column)].text;
  if (share.head >= 0) name += ", head " + std::to_string(share.head + 1);
  const bool other = part.kind == Kind::other;  // there is no vector of what is left
  const double mine = other ? part.total(share.row) * whole : product(share);
  add(name, mine, other ? std::nullopt : std::optional(share));
  for (int p = 0; p < static_cast<int>(station.parts.size()); ++p) {
    const LivingPart& each = station.parts[at_place(p)];
    const bool same = p == share.part;
    if (same && !apart && share.head < 0) continue;
    // What is left of the same part: its other lanes and heads.
    double value = each.total(share.row) * whole;
    if (same) value -= mine;
    if (same && std::abs(value) == 0) continue;
    const bool whole_part = !same && each.kind != Kind::other;
    add(same ? std::string("rest of ") + symbol(each.kind) : symbol(each.kind), value,
        whole_part ? std::optional(LivingShare{share.station, p, share.row, -1, -1}) : std::nullopt);
  }
  double sum = 0;
  for (const Term& term : said.terms) sum += term.value;
  said.recomputed = sum != 0 ? mine / sum : 0;
  said.value = share.head >= 0 ? (whole != 0 ? mine / whole : 0)
               : apart         ? part.at(share.row, share.column)
                               : part.total(share.row);
  return made;
}

Explanation explain_share(const LivingMap& map, const LivingShare& share) {
  return living_arithmetic(map, share).share;
}

}  // namespace headlight
