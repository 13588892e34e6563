#include "widgets/canvas/what_if_menu.h"

#include <QCoreApplication>
#include <QMenu>
#include <algorithm>
#include <optional>
#include <utility>

#include "model/analysis/bench/listed_number.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/captioned.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

struct WhatIfMenuWords {
  Q_DECLARE_TR_FUNCTIONS(WhatIfMenu)
};

bool has(const Result& result, const Intervention& edit) {
  return std::ranges::find(result.interventions, edit) != result.interventions.end();
}

bool has_all(const Result& result, const std::vector<Intervention>& edits) {
  return !edits.empty() && std::ranges::all_of(edits, [&](const Intervention& edit) { return has(result, edit); });
}

// Makes the edits, or takes them back where they are there.
void add_toggle(QMenu* menu, const QString& on, const QString& off, const QString& help, const Result& result,
                const std::vector<Intervention>& edits, ViewRequests* requests) {
  const bool there = has_all(result, edits);
  add_change(menu, there ? off : on, help, there ? EditChange{{}, edits} : EditChange{edits, {}}, requests);
}

}  // namespace

void add_change(QMenu* menu, const QString& text, const QString& help, EditChange change, ViewRequests* requests) {
  QAction* action = menu->addAction(text);
  action->setToolTip(plain_tooltip(help));
  action->setEnabled(!change.empty());
  QObject::connect(action, &QAction::triggered, requests,
                   [requests, change = std::move(change)] { emit requests->edits(change.added, change.withdrawn); });
}

namespace {

// The same tokens in the map as the run has it, which may have been folded, or put together in words; none: they are
// not there.
std::optional<std::pair<Index, Index>> place_in(const AttentionMap& map, const AttentionMap& shown, int row,
                                                int column) {
  if (row < 0 || column < 0 || row >= shown.row_count() || column >= shown.column_count()) return std::nullopt;
  const auto find = [](const std::vector<AttentionToken>& axis, const AttentionToken& wanted) {
    const auto found = std::ranges::find_if(
        axis, [&](const AttentionToken& each) { return each.token == wanted.token && each.step == wanted.step; });
    return found == axis.end() ? Index{-1} : static_cast<Index>(found - axis.begin());
  };
  const Index query = find(map.rows, nth(shown.rows, row)), key = find(map.columns, nth(shown.columns, column));
  if (query < 0 || key < 0 || !map.has(query, key)) return std::nullopt;
  return std::pair(query, key);
}

}  // namespace

namespace {

using PairOfHeads = std::pair<AttentionMap::Kind, std::pair<Index, Index>>;

// Of several heads; none: there is nothing to rank.
std::optional<PairOfHeads> pair_in(const AnalysedRun& run, const ShownAttention& shown, int row, int column) {
  Index heads = 0;
  std::optional<PairOfHeads> found;
  for (const AttentionMap& map : run.maps()) {
    if (!shown.map || map.kind != shown.map->kind || map.kind == AttentionMap::Kind::summary) continue;
    heads += map.heads;
    if (map.layer != shown.map->layer) continue;
    if (const auto place = place_in(map, *shown.map, row, column)) found = PairOfHeads{map.kind, *place};
  }
  return heads < 2 ? std::nullopt : found;
}

}  // namespace

void rank_heads(const AnalysedRun& run, const ShownAttention& shown, int row, int column, ViewRequests* requests) {
  if (const auto pair = pair_in(run, shown, row, column); pair && requests)
    emit requests->rankHeads(pair->first, pair->second.first, pair->second.second);
}

void add_rank_action(QMenu* menu, const AnalysedRun& run, const ShownAttention& shown, int row, int column,
                     ViewRequests* requests) {
  const auto pair = pair_in(run, shown, row, column);
  if (!pair || !requests) return;
  QAction* action = menu->addAction(WhatIfMenuWords::tr("&Rank all heads by this"));
  action->setShortcut(QKeySequence(Qt::Key_R));
  action->setToolTip(plain_tooltip(
      WhatIfMenuWords::tr("How much each head looks from the one token at the other, and what it brings.")));
  QObject::connect(action, &QAction::triggered, requests, [pair, requests] {
    emit requests->rankHeads(pair->first, pair->second.first, pair->second.second);
  });
}

void add_head_over_texts(QMenu* menu, const HeadPlace& head, Selection* selection, ViewRequests* requests) {
  if (!requests || head.kind == AttentionMap::Kind::cross || head.kind == AttentionMap::Kind::summary || head.head < 0)
    return;
  QAction* action = menu->addAction(WhatIfMenuWords::tr("This head over my &texts…"));
  action->setToolTip(plain_tooltip(WhatIfMenuWords::tr("What it looks at in each text of the list of texts.")));
  QObject::connect(action, &QAction::triggered, requests, [=] {
    selection->set_head(head);
    emit requests->overTexts({});
  });
}

void add_weight_over_texts(QMenu* menu, const Result& result, const SelectionState& place, ViewRequests* requests) {
  if (!requests || !result.trace || !place.entry || !place.cell) return;
  const TraceEntry& entry = (*result.trace)[*place.entry];
  const ListedNumber number = listed_number(entry.site, entry.value.shape(), static_cast<Index>(*place.cell));
  QAction* action = menu->addAction(WhatIfMenuWords::tr("This &weight over my texts…"));
  action->setToolTip(
      plain_tooltip(WhatIfMenuWords::tr("The weight at this place, in each text of the list of texts.")));
  QObject::connect(action, &QAction::triggered, requests, [=] { emit requests->overTexts(number); });
}

void add_token_actions(QMenu* menu, const Result& result, int token, ViewRequests* requests) {
  if (!result.trace || token < 0 || token >= static_cast<int>(result.tokens.size())) return;
  const QString name = token_text(nth(result.tokens, token).text).text;
  const auto blank = blank_token(result, token);
  add_toggle(menu, WhatIfMenuWords::tr("E&rase ‘%1’").arg(name), WhatIfMenuWords::tr("Bring ‘%1’ &back").arg(name),
             WhatIfMenuWords::tr("Set the embedding of this token to 0, as if nothing stood there."), result,
             blank ? std::vector<Intervention>{*blank} : std::vector<Intervention>{}, requests);
  EditChange hide = hide_token(result, token);
  const bool hidden = hide.empty();
  if (hidden) hide = hide_token(result, token, true);
  add_change(menu,
             hidden ? WhatIfMenuWords::tr("All may look at ‘%1’ &again").arg(name)
                    : WhatIfMenuWords::tr("&Nobody may look at ‘%1’").arg(name),
             WhatIfMenuWords::tr("Nothing may look at this token any more; what was read of it elsewhere stays."),
             std::move(hide), requests);
}

void add_head_actions(QMenu* menu, const Result& result, const AttentionMap& map, Index head, ViewRequests* requests) {
  if (head < 0) return;
  const bool heads = (*result.trace)[map.entry(0)].site.kind->of_heads();
  if (heads)
    add_toggle(menu, WhatIfMenuWords::tr("Switch this head &off"), WhatIfMenuWords::tr("Switch this head &on"),
               WhatIfMenuWords::tr("The output of the head is set to zero; the rest of the model goes on without it."),
               result, head_off(result, map.kind, map.layer, head), requests);
  if (heads && map.shared() > 1) add_group_actions(menu, result, map, head / map.shared(), requests);
  add_toggle(
      menu,
      heads ? WhatIfMenuWords::tr("Set every weight of this head &even")
            : WhatIfMenuWords::tr("Set every weight &even"),
      WhatIfMenuWords::tr("Let it choose its weights &again"),
      WhatIfMenuWords::tr("All scores become 0, so that the weights are the same for everything it may look at."),
      result, head_even(result, map.kind, map.layer, head), requests);
}

void add_group_actions(QMenu* menu, const Result& result, const AttentionMap& map, Index group,
                       ViewRequests* requests) {
  const QString heads = heads_of_group(group, map.shared());
  const QString help = WhatIfMenuWords::tr(
      "They share one key-value head: what is cut there is cut for all of them. The queries stay as they are.");
  add_toggle(menu, WhatIfMenuWords::tr("Cut the &keys of %1").arg(heads),
             WhatIfMenuWords::tr("Give %1 their &keys back").arg(heads), help, result,
             group_off(result, map, group, false), requests);
  add_toggle(menu, WhatIfMenuWords::tr("Cut the &values of %1").arg(heads),
             WhatIfMenuWords::tr("Give %1 their &values back").arg(heads), help, result,
             group_off(result, map, group, true), requests);
}

}  // namespace headlight
