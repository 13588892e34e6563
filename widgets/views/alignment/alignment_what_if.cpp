// What the menu of a cell of the alignment changes: scores, what a step may see, tokens.

#include <QMenu>
#include <algorithm>
#include <cmath>

#include "widgets/base/ask.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/what_if_menu.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/matrix/weight_drag.h"
#include "widgets/views/alignment/alignment_view.h"

namespace headlight {

namespace {
// The scores that a row of weights was made from, −1.
int scores_entry(const Trace& trace, int weights) {
  const std::string scores = sibling(trace[weights].site.text, SiteKind::Role::scores);
  return scores.empty() ? -1 : trace.find(scores);
}
}  // namespace

void AlignmentView::set_score(int row, int column) {
  const Trace& trace = *map_->trace;
  const TraceEntry& scores = trace[scores_entry(trace, map_->entry(row))];
  Intervention edit;
  edit.site = scores.site.text;
  edit.cell = map_->cell(0, row, column);
  const double now = static_cast<double>(scores.value[edit.cell]);
  constexpr double kMost = 1e6;
  ask_for_number(this,
                 {tr("Set score"), tr("Score of this pair: larger is better, the weights follow."),
                  std::isfinite(now) ? now : 0, -kMost, kMost},
                 [this, edit](double value) mutable {
                   edit.value = static_cast<Scalar>(value);
                   emit requests_->edit(edit);
                 });
}

void AlignmentView::add_what_if(QMenu* menu, int row, int column) {
  if (!requests_ || !is_cell(row, column) || map_->is_merged()) return;
  const int token = nth(map_->columns, column).token;
  if (map_->heads == 1 && drag_->obstacle(row, column).isEmpty()) {
    QAction* score = menu->addAction(tr("Set the s&core…"), this, [=, this] { set_score(row, column); });
    score->setEnabled(scores_entry(*map_->trace, map_->entry(row)) >= 0);
    score->setToolTip(tr("Change what the weights are made from: the softmax shares out anew."));
  }
  for (const AttentionMask& mask : AttentionMask::of(*result(), run()->maps())) {
    if (mask.kind() != AttentionMap::Kind::cross) continue;
    const auto& columns = mask.map().columns;
    const auto found = std::ranges::find_if(columns, [&](const AttentionToken& c) { return c.token == token; });
    if (found == columns.end()) continue;
    const Index layer = map_->layer >= 0 ? map_->layer : AttentionMask::kAllLayers, seen = found - columns.begin();
    const bool open = mask.state(layer, row, seen) == AttentionMask::State::open;
    add_change(menu, open ? tr("This &step may not look at it") : tr("This &step may look at it again"),
               tr("This step may not look at this token."), mask.set(layer, row, seen, !open), requests_);
  }
  menu->addSeparator();
  add_token_actions(menu, *result(), token, requests_);
}

}  // namespace headlight
