#include "widgets/views/mechanism/mechanism_mask.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/base/controls.h"
#include "widgets/base/selection.h"
#include "widgets/base/tokens.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/map_cursor.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

using State = MechanismGridData::State;

MechanismMask::MechanismMask(const ViewContext& context, QWidget* parent)
    : QWidget(parent), selection_(context.selection), requests_(context.requests) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::kMargin, space::kSmall, space::kMargin, space::kTight);
  auto* bar = new QHBoxLayout;
  for (QComboBox** box : {&kind_box_, &layer_box_}) {
    bar->addWidget(*box = choice_box(this, 7));
  }
  preset_button_ = new QToolButton(this);
  preset_button_->setPopupMode(QToolButton::InstantPopup);
  presets_ = new QMenu(preset_button_);
  presets_->setToolTipsVisible(true);
  preset_button_->setMenu(presets_);
  bar->addWidget(preset_button_);
  bar->addStretch(1);
  grid_ = new MechanismGrid(this);
  note_ = plain_label(this);
  column->addLayout(bar);
  column->addWidget(grid_, 1);
  column->addWidget(note_);
  setFocusProxy(grid_);
  connect(kind_box_, &QComboBox::activated, this, [this](int at) {
    set_mask(static_cast<AttentionMap::Kind>(kind_box_->itemData(at).toInt()), AttentionMask::kAllLayers);
  });
  connect(layer_box_, &QComboBox::activated, this,
          [this](int at) { set_mask(kind_, static_cast<Index>(layer_box_->itemData(at).toInt())); });
  connect(presets_, &QMenu::aboutToShow, this, &MechanismMask::fill_presets);
  connect(grid_, &MechanismGrid::cellsSwitched, this, [this](const QList<QPoint>& cells, bool on) {
    EditChange change;
    for (const QPoint& cell : cells) change.join(mask()->set(layer_, cell.y(), cell.x(), on));
    request(change);
  });
  connect(grid_, &MechanismGrid::rowSwitched, this,
          [this](int row, bool on) { request(mask()->set_row(layer_, row, on)); });
  connect(grid_, &MechanismGrid::columnSwitched, this,
          [this](int at, bool on) { request(mask()->set_column(layer_, at, on)); });
  connect(grid_, &MechanismGrid::cursorMoved, this, &MechanismMask::select);
  connect(grid_, &MechanismGrid::cellHovered, this, [this](int row, int at) {
    if (mask()) cursor().hover({row, at}, selection_);
  });
  connect(selection_, &Selection::changed, this, &MechanismMask::follow_selection);
  retranslates(this, [this] {
    show_choices();
    show_grid();
  });
}

bool MechanismMask::offers(const Result& result) {
  return result.trace && std::ranges::any_of(result.trace->entries(), [](const TraceEntry& entry) {
           const SiteKind& kind = *entry.site.kind;
           return kind.role == SiteKind::Role::keep || (kind.role == SiteKind::Role::scores && !kind.of_heads());
         });
}

const AttentionMask* MechanismMask::mask() const {
  for (const AttentionMask& each : masks_)
    if (each.kind() == kind_) return &each;
  return nullptr;
}

void MechanismMask::set_run(std::shared_ptr<const AnalysedRun> run) {
  result_ = run ? run->result() : nullptr;
  masks_ = run ? AttentionMask::of(*result_, run->maps()) : std::vector<AttentionMask>{};
  set_mask(kind_, layer_);
}

void MechanismMask::set_mask(AttentionMap::Kind kind, Index layer) {
  kind_ = kind;
  if (!mask() && !masks_.empty()) kind_ = masks_.front().kind();
  const std::vector<Index> layers = mask() ? mask()->layers() : std::vector<Index>{};
  layer_ = std::ranges::find(layers, layer) == layers.end() ? AttentionMask::kAllLayers : layer;
  show_choices();
  show_grid();
}

void MechanismMask::show_choices() {
  kind_box_->clear();
  for (const AttentionMask& each : masks_) kind_box_->addItem(kind_name(each.kind()), static_cast<int>(each.kind()));
  kind_box_->setCurrentIndex(kind_box_->findData(static_cast<int>(kind_)));
  kind_box_->setToolTip(plain_tooltip(kind_help(kind_)));
  kind_box_->setAccessibleName(tr("Kind of attention that is masked"));
  kind_box_->setVisible(masks_.size() > 1);
  layer_box_->clear();
  layer_box_->addItem(tr("all layers"), static_cast<int>(AttentionMask::kAllLayers));
  const std::vector<Index> layers = mask() ? mask()->layers() : std::vector<Index>{};
  for (const Index layer : layers)
    if (layer >= 0) layer_box_->addItem(layer_name(layer), static_cast<int>(layer));
  layer_box_->setCurrentIndex(layer_box_->findData(static_cast<int>(layer_)));
  describe(layer_box_, tr("Layers that are masked"),
           tr("A mask of all layers keeps a token from being seen at all. In one layer alone, what it says "
              "can still come through the others."));
  layer_box_->setVisible(layers.size() > 1);
  preset_button_->setText(tr("Masks"));
  preset_button_->setToolTip(tr("Ready-made masks, and back to the mask of the model"));
  preset_button_->setEnabled(mask() != nullptr);
  note_->setText(
      tr("Filled: the token of the row may look at the token of the column. Click or drag to change it, or "
         "click a label for a whole row or column."));
}

void MechanismMask::show_grid() {
  MechanismGridData table;
  table.words = [this](int row, int column) { return words(row, column); };
  table.name = tr("Mask: who may look at what");
  if (const AttentionMask* at = mask()) {
    const AttentionMap& map = at->map();
    table.rows = static_cast<int>(map.row_count());
    table.columns = static_cast<int>(map.column_count());
    table.row_labels = row_labels(map);
    table.column_labels = column_labels(map);
    for (int row = 0; row < table.rows; ++row)
      for (int column = 0; column < table.columns; ++column) {
        const AttentionMask::State state = at->state(layer_, row, column);
        table.states.push_back(state == AttentionMask::State::absent ? State::absent
                               : state == AttentionMask::State::open ? State::on
                                                                     : State::off);
        table.edited.push_back(state != AttentionMask::State::absent && at->is_edited(layer_, row, column) ? 1 : 0);
      }
  }
  grid_->set_table(std::move(table));
  follow_selection();
}

QString MechanismMask::words(int row, int column) const {
  const auto name = [](const AxisLabel& label) { return in_quotes(label.words()); };
  const MechanismGridData& table = grid_->shown();
  const QString looks = name(nth(table.row_labels, row)), seen = name(nth(table.column_labels, column));
  const State state = table.at(row, column);
  if (state == State::absent) return tr("%1 comes before %2 is there.").arg(looks, seen);
  const QString what =
      state == State::on ? tr("%1 may look at %2.").arg(looks, seen) : tr("%1 may not look at %2.").arg(looks, seen);
  return table.is_edited(row, column) ? what + ' ' + tr("Changed by you.") : what;
}

void MechanismMask::request(const EditChange& change) {
  if (!change.empty()) emit requests_->edits(change.added, change.withdrawn);
}

void MechanismMask::fill_presets() {
  presets_->clear();
  const AttentionMask* at = mask();
  if (!at) return;
  const bool backwards = kind_ == AttentionMap::Kind::cross && result_->model->model->traits().reads_reversed;
  const auto add = [&](const QString& text, const QString& help, const EditChange& change) {
    QAction* action = presets_->addAction(text, this, [this, change] { request(change); });
    action->setToolTip(plain_tooltip(help));
    action->setEnabled(!change.empty());
  };
  const auto band = [&](const QString& text, const QString& help, Intervention::Band limits) {
    limits.from_end = backwards;
    add(text, help, at->set_band(layer_, limits));
  };
  add(tr("None but the model's own"), tr("Take back every change of this mask."), at->as_trained(layer_));
  presets_->addSeparator();
  band(tr("Causal: nobody looks ahead"), tr("Each row sees only columns up to its own place."), {0, false, false});
  for (const Index width : {1, 2, 4})
    band(tr("Window: at most %1 away").arg(width), tr("Each row sees only columns near its own place."),
         {width, true, false});
  band(tr("Only the diagonal"), tr("Each row sees only the column at its own place."), {0, true, false});
  presets_->addSeparator();
  const QPoint cursor = grid_->cursor();
  if (cursor.x() < 0) return;
  const QString token = nth(grid_->shown().column_labels, cursor.x()).text;
  add(tr("Nobody may look at ‘%1’").arg(token), tr("Nobody may look at this token."),
      at->set_column(layer_, cursor.x(), false));
}

// Between tokens: a mask has no number of the trace.
MapCursor MechanismMask::cursor() const { return {mask()->map().rows, mask()->map().columns}; }

void MechanismMask::select(int row, int column) {
  if (mask()) selection_->set(cursor().selection_at({row, column}));
}

void MechanismMask::follow_selection() {
  const QPoint now = grid_->cursor();
  if (!mask() || now.x() < 0) return;
  const MapCell place = cursor().find(selection_->state());
  grid_->set_cursor(place.row < 0 ? now.y() : place.row, place.column < 0 ? now.x() : place.column);
}

// Where there is little room, it belongs to the grid.
void MechanismMask::resizeEvent(QResizeEvent*) { note_->setVisible(height() > 16 * fontMetrics().height()); }

}  // namespace headlight
