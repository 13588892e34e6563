// What if this way were cut: what the view of origins would cut, and what that truly did.
#include <QLabel>
#include <QPushButton>
#include <algorithm>
#include <cmath>

#include "widgets/base/controls.h"
#include "widgets/base/view_requests.h"
#include "widgets/text/effect_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/origins/origins_view.h"

namespace headlight {

namespace {

// A share comes from the picture, which may still show the run before, or already the next one.
bool fits(const LivingMap& map, const LivingShare& share) {
  if (share.station < 0 || share.station >= static_cast<int>(map.stations.size())) return false;
  const LivingStation& station = nth(map.stations, share.station);
  if (share.part < 0 || share.part >= static_cast<int>(station.parts.size()) || share.row >= station.count)
    return false;
  const LivingPart& part = nth(station.parts, share.part);
  return share.column < part.columns && share.head < part.heads;  // -1: none, or all
}

}  // namespace

// What is lit in the picture, where the map that is shown here has it; else the strongest.
std::optional<LivingShare> OriginsView::to_be_cut() const {
  return ribbon_ && fits(*map_, *ribbon_) ? ribbon_ : strongest();
}

std::optional<LivingShare> OriginsView::strongest() const {
  if (!flow_) return std::nullopt;
  std::optional<LivingShare> best;
  double most = 0;
  for (int s = 0; s < static_cast<int>(map_->stations.size()); ++s) {
    const LivingStation& station = nth(map_->stations, s);
    for (int i = 0; i < static_cast<int>(station.parts.size()); ++i) {
      const LivingPart& part = nth(station.parts, i);
      const Tensor& through = nth(nth(flow_->parts, s), i);
      if (!part.dense() || part.heads <= 0 || !through.defined()) continue;
      for (Index k = 0; k < through.size(); ++k)
        if (static_cast<double>(through[k]) > most && part.first_column + static_cast<int>(k % part.columns) !=
                                                          station.first + static_cast<int>(k / part.columns)) {
          most = static_cast<double>(through[k]);
          best = LivingShare{s, i, k / part.columns, k % part.columns, -1};
        }
    }
  }
  return best;
}

bool OriginsView::is_cut() const {
  if (!made_ || !map_) return false;
  const auto& edits = map_->result->interventions;
  return std::ranges::all_of(made_->edits,
                             [&](const Intervention& edit) { return std::ranges::find(edits, edit) != edits.end(); });
}

void OriginsView::show_cut() {
  if (!map_ || !flow_) return;
  cut_title_->setText(tr("What if this were cut?"));
  if (is_cut()) {
    const TrueChange change = true_change(*made_->before, made_->choice, *map_->result);
    what_->setText(made_->words);
    true_->setText(std::isnan(change.before) ? tr("Cut: %1").arg(effect_words(*made_->before->result, *map_->result))
                   : std::isnan(change.after)
                       ? tr("Cut: there is no such output any more.")
                       : tr("Cut: %1 was %2 % sure, now %3 %.")
                             .arg(in_quotes(token_text(nth(made_->before->lanes, made_->choice.lane).written).text),
                                  bare_percent(change.before), bare_percent(change.after)));
    true_->show();
    cut_->setText(tr("Put it back"));
    cut_->setEnabled(true);
    cut_->show();
    return;
  }
  true_->hide();
  true_->clear();
  const std::optional<LivingShare> share = to_be_cut();
  const bool possible = share && !cut_of(*map_, *share).empty();
  what_->setText(share ? share_words(*share) : tr("Nothing crosses from one word to another here."));
  cut_->setText(tr("Cut it"));
  cut_->setEnabled(possible);
  cut_->setVisible(share.has_value());
  cut_->setToolTip(
      wrapped_tooltip(tr("Takes this way out, runs again, and shows what it truly did. Ctrl+Z puts it back.")));
}

void OriginsView::cut() {
  if (!map_ || !flow_) return;
  if (is_cut()) {
    const std::vector<Intervention> edits = made_->edits;
    emit requests_->edits({}, edits);
    return;
  }
  const std::optional<LivingShare> share = to_be_cut();
  if (!share) return;
  std::vector<Intervention> edits = cut_of(*map_, *share);
  if (edits.empty()) return;
  made_ = Cut{map_, choice_, *share, share_words(*share), edits};
  emit requests_->edits(edits, {});
}

}  // namespace headlight
