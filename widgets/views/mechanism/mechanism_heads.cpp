#include "widgets/views/mechanism/mechanism_heads.h"

#include <QCheckBox>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "widgets/base/controls.h"
#include "widgets/base/flow_layout.h"
#include "widgets/base/tokens.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/attention_chooser.h"
#include "widgets/canvas/head_bench.h"
#include "widgets/canvas/target_chip.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

AttentionChooser::Maps maps_with_heads(const AnalysedRun& run) {
  AttentionChooser::Maps maps = AttentionChooser::all_but_summaries(run);
  std::erase_if(maps, [](const AttentionMap* map) { return !(*map->trace)[map->entry(0)].site.kind->of_heads(); });
  return maps;
}

}  // namespace

MechanismHeads::MechanismHeads(const ViewContext& context, QWidget* parent)
    : QWidget(parent), requests_(context.requests), bench_(context.bench ? context.bench : new HeadBench(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::kMargin, space::kSmall, space::kMargin, space::kTight);
  auto* bar = new QHBoxLayout;
  column->addLayout(bar);
  chooser_ = new AttentionChooser(
      {.maps = maps_with_heads, .layers = false, .heads = AttentionChooser::Heads::none, .words = false},
      context.selection, bar);
  bar->addStretch(1);
  auto* asked = new QWidget(this);
  auto* line = new FlowLayout(asked, space::kSmall, space::kTight);
  line->addWidget(effects_ = new QCheckBox(asked));
  line->addWidget(chip_ = new TargetChip(bench_, asked));
  column->addWidget(asked);
  connect(effects_, &QCheckBox::toggled, this, &MechanismHeads::show_grid);
  connect(bench_, &HeadBench::changed, this, [this] {
    if (effects_->isChecked() && isVisible()) show_grid();
  });
  note_ = plain_label(this);
  grid_ = new MechanismGrid(this);
  column->addWidget(grid_, 1);
  column->addWidget(note_);
  setFocusProxy(grid_);
  connect(chooser_, &AttentionChooser::changed, this, &MechanismHeads::show_grid);
  connect(grid_, &MechanismGrid::cellsSwitched, this, &MechanismHeads::request);
  connect(grid_, &MechanismGrid::rowSwitched, this, [this](int row, bool on) {
    QList<QPoint> cells;
    for (int c = 0; c < grid_->shown().columns; ++c) cells << QPoint(c, row);
    request(cells, on);
  });
  connect(grid_, &MechanismGrid::columnSwitched, this, [this](int c, bool on) {
    QList<QPoint> cells;
    for (int row = 0; row < grid_->shown().rows; ++row) cells << QPoint(c, row);
    request(cells, on);
  });
  const auto retranslate = [this] {
    chooser_->retranslate();
    chip_->retranslate();
    effects_->setText(tr("&Effect when off"));
    effects_->setToolTip(wrapped_tooltip(
        tr("Runs the text again without each head, and colours it by how much the target changes: blue less, brown "
           "more. Later layers repair: effects understate what a head does.")));
    show_grid();
  };
  retranslates(this, retranslate);
  retranslate();
}

bool MechanismHeads::offers(const Result& result) {
  return result.trace && std::ranges::any_of(result.trace->entries(), [](const TraceEntry& entry) {
           return entry.site.kind->role == SiteKind::Role::weights && entry.site.kind->of_heads();
         });
}

void MechanismHeads::set_run(std::shared_ptr<const AnalysedRun> run) {
  run_ = run;
  result_ = run ? run->result() : nullptr;
  effects_->setVisible(run && HeadBench::offers(*run));
  chip_->set_run(run);
  chooser_->set_run(std::move(run));
  show_grid();
}

void MechanismHeads::set_kind(AttentionMap::Kind kind) {
  chooser_->choose(kind, {}, 0);
  show_grid();
}

void MechanismHeads::show_grid() {
  note_->setText(
      tr("Click a head to switch it off: its output is set to zero. A label switches a whole row or column. Most heads "
         "can be switched off without harm, a few cannot."));
  shown_ = chooser_->maps_of_kind();
  const bool coloured = effects_->isChecked() && run_ && HeadBench::offers(*run_);
  chip_->setVisible(coloured);
  if (coloured) bench_->effects(run_);
  MechanismGridData table;
  table.rows = static_cast<int>(shown_.size());
  for (const AttentionMap& map : shown_) table.columns = std::max(table.columns, static_cast<int>(map.heads));
  for (int row = 0; row < table.rows; ++row) {
    const AttentionMap& map = nth(shown_, row);
    table.row_labels.push_back({layer_name(map.layer), false, {}});
    for (int column = 0; column < table.columns; ++column) {
      const bool off = column < map.heads && is_head_off(*result_, map.kind, map.layer, column);
      table.states.push_back(column >= map.heads ? MechanismGridData::State::absent
                             : off               ? MechanismGridData::State::off
                                                 : MechanismGridData::State::on);
      table.edited.push_back(off ? 1 : 0);
      if (coloured) table.effects.push_back(column < map.heads ? effect_of(map, column) : std::nan(""));
    }
  }
  for (int column = 0; column < table.columns; ++column)
    table.column_labels.push_back({counted(column), false, head_name(column)});
  table.name = tr("Heads as switches: %1").arg(kind_name(chooser_->kind()));
  table.words = [this](int row, int column) { return words(row, column); };
  grid_->set_table(std::move(table));
}

QString MechanismHeads::words(int row, int column) const {
  const AttentionMap& map = nth(shown_, row);
  const QString head = head_place(map, column);
  const QString text = is_head_off(*result_, map.kind, map.layer, column)
                           ? tr("%1 is switched off: its output is 0.").arg(head)
                           : tr("%1 is on. Click or press Space to switch it off.").arg(head);
  const double effect = effects_->isChecked() ? effect_of(map, column) : std::nan("");
  if (std::isnan(effect)) return text;
  const HeadEffects& all = *bench_->known_effects(*run_);
  const QString number = plain_number(all.base + effect, 4), change = plain_number(effect, 4);
  if (all.texts == 0) return text + ' ' + tr("Without it the target is %1 (%2).").arg(number, change);
  const auto at = std::ranges::find(all.heads, HeadPlace{map.kind, map.layer, column}) - all.heads.begin();
  return text + ' ' +
         tr("Without it the target is %1 ± %2 (%3) over %4 texts.")
             .arg(number, plain_number(nth(all.sd, at), 4), change)
             .arg(all.texts);
}

double MechanismHeads::effect_of(const AttentionMap& map, Index head) const {
  const auto known = run_ ? bench_->known_effects(*run_) : nullptr;
  if (!known) return std::nan("");
  const auto at = std::ranges::find(known->heads, HeadPlace{map.kind, map.layer, head}) - known->heads.begin();
  return at < static_cast<std::ptrdiff_t>(known->without.size()) ? nth(known->without, at) - known->base : std::nan("");
}

void MechanismHeads::request(const QList<QPoint>& cells, bool on) {
  EditChange change;
  for (const QPoint& cell : cells) {
    const AttentionMap& map = nth(shown_, cell.y());
    if (cell.x() >= map.heads || is_head_off(*result_, map.kind, map.layer, cell.x()) != on) continue;
    std::vector<Intervention> edits = head_off(*result_, map.kind, map.layer, cell.x());
    if (on)
      change.join({{}, std::move(edits)});
    else
      change.join({std::move(edits), {}});
  }
  if (!change.empty()) emit requests_->edits(change.added, change.withdrawn);
}

// Where there is little room, it belongs to the grid.
void MechanismHeads::resizeEvent(QResizeEvent*) { note_->setVisible(height() > 16 * fontMetrics().height()); }

}  // namespace headlight
