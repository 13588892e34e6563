#include "widgets/views/choosing/choosing_branches.h"

#include <QVariantMap>
#include <algorithm>
#include <cmath>

#include "model/core/json_library.h"
#include "widgets/base/utf8_text.h"
#include "widgets/views/choosing/choosing_step.h"

namespace headlight {

namespace {

constexpr qsizetype kMostText = 100'000;
constexpr qsizetype kMostTokens = 4096;

std::size_t in_common(const ChoosingBranch& a, const ChoosingBranch& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a.ids, b.ids).in1 - a.ids.begin());
}

ChoosingBranch branch_of(const Result& result) {
  ChoosingBranch made;
  made.of = ChoosingBranches::text_of(result);
  for (const OutputStep& step : result.steps) {
    made.ids.push_back(step.id);
    made.probabilities.push_back(step.probability);
  }
  made.said = std::min(forced_steps(result), static_cast<int>(made.ids.size()));
  if (result.target) made.beginning = from_utf8(*result.target);
  return made;
}

}  // namespace

// Runs whose values were changed are of another model, so to say.
QString ChoosingBranches::text_of(const Result& result) {
  QStringList parts{from_utf8(result.model->name), from_utf8(result.source), from_utf8(result.second)};
  for (const Intervention& edit : result.interventions) parts << from_utf8(to_text(edit));
  if (result.model->trained) parts << from_utf8(result.model->model->config().dump());
  return parts.join(QChar(0x1f));
}

bool ChoosingBranches::add(const Result& result) {
  ChoosingBranch now = branch_of(result);
  if (now.ids.empty()) return false;
  const bool another = last_.of == now.of && last_.ids != now.ids;
  const bool known = std::ranges::any_of(all_, [&](const ChoosingBranch& each) { return each.of == now.of; });
  if (another) keep(last_);
  if (another || known) keep(now);
  last_ = std::move(now);
  return another;
}

void ChoosingBranches::keep(ChoosingBranch branch) {
  const auto same = std::ranges::find_if(
      all_, [&](const ChoosingBranch& each) { return each.of == branch.of && each.ids == branch.ids; });
  if (same != all_.end()) {
    *same = std::move(branch);
    return;
  }
  if (all_.size() >= kMost) all_.erase(all_.begin());
  all_.push_back(std::move(branch));
}

void ChoosingBranches::remove(int branch) {
  if (branch < 0 || branch >= static_cast<int>(all_.size())) return;
  if (nth(all_, branch).ids == last_.ids) last_ = {};
  all_.erase(all_.begin() + branch);
}

int ChoosingBranches::find(const Result& result) const {
  const ChoosingBranch wanted = branch_of(result);
  const auto found = std::ranges::find_if(
      all_, [&](const ChoosingBranch& each) { return each.of == wanted.of && each.ids == wanted.ids; });
  return found == all_.end() ? -1 : static_cast<int>(found - all_.begin());
}

std::vector<ChoosingBranchLine> ChoosingBranches::lines(const QString& of) const {
  struct Made {
    ChoosingBranchLine line;  // parent: its place among these
    std::vector<int> below;
  };
  std::vector<Made> made;
  for (int branch = 0; branch < static_cast<int>(all_.size()); ++branch) {
    const ChoosingBranch& at = nth(all_, branch);
    if (at.of != of) continue;
    ChoosingBranchLine line{branch, 0, -1, 0, -1};
    // Of those with as much in common, the first.
    for (int other = 0; other < static_cast<int>(made.size()); ++other) {
      const auto common = static_cast<int>(in_common(nth(all_, nth(made, other).line.branch), at));
      if (line.parent < 0 || common > line.from) line.parent = other, line.from = common;
    }
    for (std::size_t t = static_cast<std::size_t>(std::max(line.from, at.said)); t < at.ids.size(); ++t)
      if (line.least < 0 || at.probabilities[t] < nth(at.probabilities, line.least)) line.least = static_cast<int>(t);
    if (line.parent >= 0) {
      line.depth = nth(made, line.parent).line.depth + 1;
      made[static_cast<std::size_t>(line.parent)].below.push_back(static_cast<int>(made.size()));
    }
    made.push_back({line, {}});
  }
  // From the first one down.
  std::vector<ChoosingBranchLine> lines;
  const auto put = [&](const auto& self, int at, int parent) -> void {
    ChoosingBranchLine line = nth(made, at).line;
    line.parent = parent;
    const int here = static_cast<int>(lines.size());
    lines.push_back(line);
    for (const int below : nth(made, at).below) self(self, below, here);
  };
  if (!made.empty()) put(put, 0, -1);
  return lines;
}

QVariantList ChoosingBranches::written() const {
  QVariantList list;
  for (const ChoosingBranch& branch : all_) {
    QVariantList ids, probabilities;
    for (const TokenId id : branch.ids) ids << id;
    for (const double p : branch.probabilities) probabilities << p;
    list << QVariantMap{{QStringLiteral("of"), branch.of},
                        {QStringLiteral("ids"), ids},
                        {QStringLiteral("probabilities"), probabilities},
                        {QStringLiteral("said"), branch.said},
                        {QStringLiteral("beginning"), branch.beginning}};
  }
  return list;
}

void ChoosingBranches::read(const QVariantList& written) {
  all_.clear();
  last_ = {};
  for (const QVariant& each : written) {
    const QVariantMap map = each.toMap();
    ChoosingBranch branch;
    branch.of = map.value(QStringLiteral("of")).toString();
    branch.beginning = map.value(QStringLiteral("beginning")).toString();
    const QVariantList ids = map.value(QStringLiteral("ids")).toList(),
                       probabilities = map.value(QStringLiteral("probabilities")).toList();
    if (ids.isEmpty() || ids.size() != probabilities.size() || ids.size() > kMostTokens ||
        branch.of.size() > kMostText || branch.beginning.size() > kMostText)
      continue;
    for (const QVariant& id : ids) branch.ids.push_back(std::max(0, id.toInt()));
    for (const QVariant& p : probabilities) {
      const double value = p.toDouble();
      branch.probabilities.push_back(std::isfinite(value) ? std::clamp(value, 0.0, 1.0) : 0);
    }
    branch.said = std::clamp(map.value(QStringLiteral("said")).toInt(), 0, static_cast<int>(branch.ids.size()));
    keep(std::move(branch));
  }
}

}  // namespace headlight
