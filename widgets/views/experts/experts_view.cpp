#include "widgets/views/experts/experts_view.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <algorithm>
#include <utility>

#include "widgets/base/controls.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

ExpertsView::ExpertsView(const ViewContext& context, QWidget* parent) : ViewPanel(context, parent) {
  QHBoxLayout* row = bar_row();
  row->addWidget(layer_box_ = choice_box(bar(), 10));
  row->addStretch(1);
  build(canvas_ = new ExpertsCanvas(this), {620, 460});
  set_table(&table_);
  connect(layer_box_, &QComboBox::activated, this, &ExpertsView::show_layer);
  connect(canvas_, &ExpertsCanvas::moved, this, &ExpertsView::select);
  connect(canvas_, &ExpertsCanvas::opened, this, [this](int at_row, int expert) {
    const auto [entry, cell] = number_at(at_row, expert);
    if (entry >= 0) emit requests_->open(entry, cell);
  });
  connect(canvas_, &ExpertsCanvas::other_layer_wanted, this, [this](int by) { show_layer(layer_ + by); });
  connect(selection_, &Selection::changed, this, &ExpertsView::follow_selection);
  show_experts();
}

void ExpertsView::refresh() {
  layers_ = run() ? expert_layers(*result()) : std::vector<ExpertLayer>{};
  layer_ = layers_.empty() ? -1 : 0;
  for (std::size_t i = 0; i < layers_.size(); ++i)
    if (layers_[i].layer <= wanted_) layer_ = static_cast<int>(i);
  show_choices();
  show_experts();
  follow_selection();
}

void ExpertsView::show_layer(int layer) {
  if (layers_.empty()) return;
  layer_ = std::clamp(layer, 0, static_cast<int>(layers_.size()) - 1);
  wanted_ = nth(layers_, layer_).layer;
  show_choices();
  show_experts();
}

QVariantMap ExpertsView::own_choices() const { return {{QStringLiteral("layer"), static_cast<qlonglong>(wanted_)}}; }

void ExpertsView::set_own_choices(const QVariantMap& choices) {
  wanted_ = std::clamp<Index>(choices.value(QStringLiteral("layer")).toLongLong(), 0, 1 << 16);
  if (run()) refresh();
}

void ExpertsView::show_choices() {
  layer_box_->clear();
  for (const ExpertLayer& each : layers_) layer_box_->addItem(layer_name(each.layer));
  layer_box_->setCurrentIndex(layer_);
  bar()->setVisible(layers_.size() > 1);
}

std::vector<AxisLabel> ExpertsView::names() const {
  std::vector<AxisLabel> all;
  const QStringList& own = run()->labels().own;
  for (std::size_t i = 0; i < shown_->rows.size(); ++i) {
    AxisLabel label;
    label.text = static_cast<qsizetype>(i) < own.size() ? own[static_cast<qsizetype>(i)] : QString::number(i + 1);
    all.push_back(std::move(label));
  }
  return all;
}

void ExpertsView::show_experts() {
  describe(layer_box_, tr("Layer whose experts are shown"), tr("Ctrl+Up and Ctrl+Down go to the next one."));
  shown_ = layer_ >= 0 ? std::make_shared<const ExpertLayer>(nth(layers_, layer_)) : nullptr;
  show_message(shown_ ? QString()
                      : reason(tr("Type a source to see which experts work on its tokens."),
                               tr("This model has no experts: each layer has one feed-forward network for all "
                                  "tokens. Open a mixture of experts, such as Mixtral or OLMoE.")));
  canvas_->set_layer(shown_, shown_ ? names() : std::vector<AxisLabel>{});
  set_note(canvas_->sentence());
  show_table();
}

void ExpertsView::show_table() {
  if (!shown_) return table_.clear();
  const auto count = static_cast<int>(shown_->experts);
  const auto row = [shown = shown_, count](int line) -> const ExpertRow& { return nth(shown->rows, line / count); };
  table_.set(static_cast<int>(shown_->rows.size()) * count,
             {ColumnTable::counting(tr("place"), [count](int line) { return line / count; }),
              {tr("token"), [all = names(), count](int line) { return nth(all, line / count).text; }},
              ColumnTable::counting(tr("expert"), [count](int line) { return line % count; }),
              {tr("router logit"), [row, count](int line) { return nth(row(line).logits, line % count); }},
              {tr("share"), [row, count](int line) -> QVariant {
                 const ExpertRow& now = row(line);
                 const bool chosen = std::ranges::count(now.experts, Index{line % count}) > 0;
                 return chosen ? QVariant(now.share_of(line % count)) : QVariant();
               }}});
}

void ExpertsView::retranslate() {
  show_choices();
  show_experts();
}

std::pair<int, Index> ExpertsView::number_at(int at_row, int expert) const {
  if (!shown_) return {-1, 0};
  const ExpertRow& row = nth(shown_->rows, at_row);
  const auto found = std::ranges::find(row.experts, Index{expert});
  const auto k = static_cast<Index>(row.experts.size());
  if (found == row.experts.end()) return {row.logits_entry, row.row * shown_->experts + expert};
  return {row.shares_entry, row.row * k + (found - row.experts.begin())};
}

void ExpertsView::select(int row, int expert) {
  set_note(canvas_->sentence());
  const auto [entry, cell] = number_at(row, expert);
  if (entry < 0) return;
  selecting_ = true;
  selection_->set(selection_of(*result()->trace, entry, cell, run()->labels(), selection_->state()));
  selecting_ = false;
}

// A number of a router that was chosen elsewhere.
void ExpertsView::follow_selection() {
  const SelectionState& state = selection_->state();
  if (selecting_ || !shown_ || !is_fresh() || !state.entry || !state.cell) return;
  for (std::size_t i = 0; i < layers_.size(); ++i)
    for (std::size_t r = 0; r < layers_[i].rows.size(); ++r) {
      const ExpertRow& row = layers_[i].rows[r];
      const auto n = static_cast<qint64>(row.logits.size()), k = static_cast<qint64>(row.experts.size());
      const bool of_logits = *state.entry == row.logits_entry && *state.cell / n == row.row,
                 of_shares = (*state.entry == row.shares_entry || *state.entry == row.experts_entry) &&
                             *state.cell / k == row.row;
      if (!of_logits && !of_shares) continue;
      if (static_cast<int>(i) != layer_) show_layer(static_cast<int>(i));
      const auto expert = of_logits ? *state.cell % n : row.experts[static_cast<std::size_t>(*state.cell % k)];
      canvas_->set_place(static_cast<int>(r), static_cast<int>(expert));
      set_note(canvas_->sentence());
      return;
    }
}

ColourKey ExpertsView::colour_key() const { return {shown_ ? ColourKey::Kind::shares : ColourKey::Kind::none}; }

}  // namespace headlight
