#include "widgets/views/heads/heads_measures.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "model/core/scalar.h"
#include "widgets/base/controls.h"
#include "widgets/base/flow_layout.h"
#include "widgets/base/segments.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/head_bench.h"
#include "widgets/canvas/target_chip.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

constexpr int kMostUnits = 1 << 20;

// Farthest from 0 first, or the largest; what is not there yet last.
std::vector<int> sorted_heads(const MeasuredHeads& measured) {
  std::vector<int> order(measured.heads.size());
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&](int i) {
    const double value = nth(measured.values, i);
    return std::isnan(value) ? -1e300 : measured.is_effect ? std::abs(value) : value;
  };
  std::ranges::stable_sort(order, [&](int x, int y) { return rank(x) > rank(y); });
  return order;
}

}  // namespace

HeadsMeasures::HeadsMeasures(HeadBench* bench, QWidget* parent)
    : QWidget(parent), bench_(bench), grid_(new Heatmap(this)), list_(new HeadList(this)) {
  QVBoxLayout* column = column_in(this, space::kTight);
  column->setContentsMargins(space::kMargin, space::kTight, space::kMargin, space::kTight);
  column->addWidget(title_ = text_label(this));
  build_header();
  auto* beside = new QHBoxLayout;
  beside->setSpacing(space::kMargin);
  auto* left = new QVBoxLayout;
  left->addWidget(grid_, 1);
  chips_ = new QWidget(this);
  new FlowLayout(chips_, space::kSmall, space::kTight);
  left->addWidget(chips_);
  beside->addLayout(left, 3);
  beside->addWidget(list_, 2);
  column->addWidget(asking_);
  column->addLayout(beside, 1);
  column->addWidget(note_ = plain_label(this));
  note_->setWordWrap(true);
  const auto choose = [this](int row, int cell) {
    if (const HeadPlace* head = head_at(row, cell)) emit headChosen(*head);
  };
  connect(grid_, &Heatmap::cellActivated, this, choose);
  connect(grid_, &Heatmap::contextMenuRequested, this, [this](int row, int cell, const QPoint& global) {
    if (const HeadPlace* head = head_at(row, cell)) emit menuRequested(*head, global);
  });
  connect(list_, &HeadList::headChosen, this, &HeadsMeasures::headChosen);
  connect(list_, &HeadList::menuRequested, this, &HeadsMeasures::menuRequested);
  retranslate();
}

// What an effect is asked with, and how far it is.
void HeadsMeasures::build_header() {
  asking_ = new QWidget(this);
  auto* line = new FlowLayout(asking_, space::kSmall, space::kTight);
  line->addWidget(chip_ = new TargetChip(bench_, asking_));
  line->addWidget(off_ = new Segments(asking_));
  line->addWidget(text_ = new QLineEdit(asking_));
  line->addWidget(unit_ = new QSpinBox(asking_));
  line->addWidget(progress_ = text_label(asking_, false));
  line->addWidget(stop_ = new QPushButton(asking_));
  set_ink(progress_, &Tokens::ink2);
  unit_->setRange(1, kMostUnits);
  connect(off_, &Segments::chosen, this, [this](int at) {
    HeadBench::Asked asked = bench_->asked();
    asked.off = static_cast<HeadOff>(at);
    bench_->ask(asked);
  });
  connect(text_, &QLineEdit::editingFinished, this, &HeadsMeasures::ask_text);
  connect(unit_, &QSpinBox::valueChanged, this, [this](int unit) {
    HeadBench::Asked asked = bench_->asked();
    if (!asked.target) return;
    asked.target->unit = unit - 1;
    bench_->ask(asked);
  });
  connect(stop_, &QPushButton::clicked, this, [this] { bench_->is_measuring() ? bench_->stop() : bench_->resume(); });
}

void HeadsMeasures::ask_text() {
  HeadBench::Asked asked = bench_->asked();
  const bool similar = asked.target && asked.target->kind == Target::Kind::similarity;
  (similar ? asked.second : asked.other) = bytes_of(text_->text());
  if (similar && asked.off == HeadOff::other) asked.other = asked.second;
  bench_->ask(asked);
}

void HeadsMeasures::set_run(std::shared_ptr<const AnalysedRun> run) { chip_->set_run(std::move(run)); }

void HeadsMeasures::retranslate() {
  off_->set_choices({{tr("zero"), tr("What the head has found becomes zeros.")},
                     {tr("mean"), tr("Its mean over the tokens of this text takes the place.")},
                     {tr("other text"), tr("What it finds in another text takes the place.")}});
  off_->set_words(tr("What takes the place of a head's findings"),
                  tr("Zeros are unlike anything the model has learned; a mean or another text is milder."));
  text_->setPlaceholderText(tr("Another text …"));
  describe(text_, tr("Another text"), tr("The second text of a similarity, and what a head finds instead."));
  describe(unit_, tr("Unit of the embedding"), {});
  chip_->retranslate();
  show_asking();
}

const HeadPlace* HeadsMeasures::head_at(int row, int column) const {
  if (row < 0 || column < 0 || row >= static_cast<int>(layers_.size())) return nullptr;
  const auto found = std::ranges::find_if(
      measured_.heads, [&](const HeadPlace& head) { return head.layer == nth(layers_, row) && head.head == column; });
  return found == measured_.heads.end() ? nullptr : &*found;
}

void HeadsMeasures::show(MeasuredHeads measured) {
  measured_ = std::move(measured);
  title_->setText(measured_.title);
  show_asking();
  show_grid();
  show_chips();
  show_list();
  show_table();
  set_chosen(chosen_);
}

void HeadsMeasures::show_asking() {
  asking_->setVisible(measured_.is_effect);
  if (!measured_.is_effect) return;
  const HeadBench::Asked& asked = bench_->asked();
  const bool similar = asked.target && asked.target->kind == Target::Kind::similarity;
  off_->set_current(static_cast<int>(asked.off));
  text_->setVisible(similar || asked.off == HeadOff::other);
  if (!text_->hasFocus()) text_->setText(from_utf8(similar ? asked.second : asked.other));
  unit_->setVisible(asked.target && asked.target->kind == Target::Kind::unit);
  if (asked.target) {
    const QSignalBlocker quiet(unit_);
    unit_->setValue(static_cast<int>(asked.target->unit) + 1);
  }
  const HeadBench::Progress far = bench_->progress();
  const bool listed = bench_->is_over_texts();
  QString text;
  if (bench_->is_measuring())
    text = far.of == 0            ? tr("Measuring …")
           : far.seconds_left < 0 ? (listed ? tr("%1 of %2 texts") : tr("%1 of %2 heads")).arg(far.done).arg(far.of)
                                  : (listed ? tr("%1 of %2 texts, %3 s to go") : tr("%1 of %2 heads, %3 s to go"))
                                        .arg(far.done)
                                        .arg(far.of)
                                        .arg(std::ceil(far.seconds_left));
  else if (bench_->was_stopped())
    text =
        (listed ? tr("Stopped after %1 of %2 texts.") : tr("Stopped after %1 of %2 heads.")).arg(far.done).arg(far.of);
  progress_->setText(text);
  stop_->setText(bench_->is_measuring() ? tr("&Stop") : tr("Go &on"));
  stop_->setVisible(bench_->is_measuring() || bench_->was_stopped());
}

void HeadsMeasures::show_grid() {
  layers_.clear();
  Index heads = 0;
  for (const HeadPlace& head : measured_.heads) {
    if (layers_.empty() || layers_.back() != head.layer) layers_.push_back(head.layer);
    heads = std::max(heads, head.head + 1);
  }
  const auto rows = static_cast<int>(layers_.size()), columns = static_cast<int>(heads);
  std::vector<float> values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), 0);
  std::vector<bool> hidden(values.size(), true);
  for (std::size_t i = 0; i < measured_.heads.size(); ++i) {
    const HeadPlace& head = measured_.heads[i];
    const auto row = std::ranges::find(layers_, head.layer) - layers_.begin();
    const auto at = static_cast<std::size_t>(row * columns + head.head);
    if (std::isnan(measured_.values[i]) || (only_ && measured_.patterns[i] != only_)) continue;
    values[at] = static_cast<float>(measured_.values[i]);
    hidden[at] = false;
  }
  const bool shares = !measured_.is_effect && std::ranges::none_of(values, [](float value) { return value > 1; });
  grid_->set_range(measured_.is_effect ? Heatmap::Range::symmetric
                   : shares            ? Heatmap::Range::unit
                                       : Heatmap::Range::automatic);
  grid_->set_matrix(rows, columns, std::move(values));
  grid_->set_hidden(std::move(hidden));
  std::vector<AxisLabel> layer_labels, head_labels;
  for (const Index layer : layers_) layer_labels.push_back({layer_name(layer), false, layer_name(layer), false});
  for (Index head = 0; head < heads; ++head) head_labels.push_back({counted(head), false, head_name(head), false});
  grid_->set_labels(std::move(layer_labels), std::move(head_labels));
  grid_->set_captions(tr("layer"), tr("head"), measured_.value);
  grid_->set_subject(measured_.title);
}

QString HeadsMeasures::deviation(int at) const {
  return measured_.sds.empty() ? QString() : QStringLiteral(" ± ") + plain_number(nth(measured_.sds, at), 4);
}

ColourKey HeadsMeasures::colour_key() const {
  if (measured_.heads.empty() || grid_->range() == Heatmap::Range::automatic) return {};
  return {measured_.is_effect ? ColourKey::Kind::signs : ColourKey::Kind::shares, grid_->colour_scale().high};
}

QString HeadsMeasures::figure(double value) const {
  return std::isnan(value)     ? QString()
         : measured_.is_effect ? (value > 0 ? QStringLiteral("+") : QString()) + plain_number(value, 4)
                               : plain_number(value, 3);
}

void HeadsMeasures::show_list() {
  std::vector<HeadListRow> rows;
  for (const int i : sorted_heads(measured_)) {
    if (only_ && nth(measured_.patterns, i) != only_) continue;
    const double value = nth(measured_.values, i);
    HeadListRow row{nth(measured_.heads, i), head_place(nth(measured_.heads, i)), figure(value), {}, {}, value};
    if (!measured_.seconds.empty() && !std::isnan(nth(measured_.seconds, i)))
      row.second = plain_number(nth(measured_.seconds, i), measured_.is_effect ? 4 : 2) + deviation(i);
    if (const auto& pattern = nth(measured_.patterns, i)) row.words = pattern_name(*pattern);
    rows.push_back(std::move(row));
  }
  const bool named = std::ranges::any_of(measured_.patterns, [](const auto& each) { return each.has_value(); });
  list_->set_rows(std::move(rows), {tr("head"), measured_.value, measured_.second, named ? tr("looks at") : QString()},
                  tr("Heads, sorted: %1").arg(measured_.title));
}

// How many heads look at what: a click leaves these alone.
void HeadsMeasures::show_chips() {
  std::map<Pattern, int> counts;
  for (const auto& pattern : measured_.patterns)
    if (pattern) ++counts[*pattern];
  if (only_ && !counts.contains(*only_)) only_.reset();
  qDeleteAll(chips_->findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly));
  const auto add = [&](const QString& text, int count, std::optional<Pattern> only) {
    auto* chip = new QToolButton(chips_);
    chip->setText(QStringLiteral("%1 %2").arg(text).arg(count));
    chip->setCheckable(true);
    chip->setChecked(only == only_);
    chip->setToolTip(wrapped_tooltip(
        tr("Named by the largest share from %1 on; broad from an entropy of %2 on.").arg(".5", ".9")));
    connect(chip, &QToolButton::clicked, this, [this, only] {
      only_ = only_ == only ? std::nullopt : only;
      QMetaObject::invokeMethod(
          this, [this] { show(measured_); }, Qt::QueuedConnection);
    });
    chips_->layout()->addWidget(chip);
    chip->show();
  };
  chips_->setVisible(counts.size() > 1);
  if (counts.size() < 2) return;
  add(tr("all"), static_cast<int>(measured_.heads.size()), {});
  for (const auto& [pattern, count] : counts) add(pattern_name(pattern), count, pattern);
}

void HeadsMeasures::show_table() {
  const auto shown = std::make_shared<const MeasuredHeads>(measured_);
  std::vector<ColumnTable::Column> columns{
      ColumnTable::place(tr("layer"), [shown](int row) { return static_cast<int>(nth(shown->heads, row).layer); }),
      ColumnTable::place(tr("head"), [shown](int row) { return static_cast<int>(nth(shown->heads, row).head); }),
      {tr("pattern"), [shown](int row) {
         const auto& pattern = nth(shown->patterns, row);
         return pattern ? QVariant(pattern_name(*pattern)) : QVariant();
       }}};
  const auto add = [&](const QString& title, const std::vector<double> MeasuredHeads::*numbers) {
    columns.push_back({title, [shown, numbers](int row) {
                         const double value = nth((*shown).*numbers, row);
                         return std::isnan(value) ? QVariant() : QVariant(value);
                       }});
  };
  add(measured_.value, &MeasuredHeads::values);
  if (!measured_.seconds.empty()) add(measured_.second, &MeasuredHeads::seconds);
  if (!measured_.sds.empty()) {
    add(tr("deviation"), &MeasuredHeads::sds);
    add(tr("first in texts"), &MeasuredHeads::firsts);
  }
  table_.set(static_cast<int>(measured_.heads.size()), std::move(columns));
}

void HeadsMeasures::set_chosen(const std::optional<HeadPlace>& head) {
  chosen_ = head;
  list_->set_chosen(head);
  const auto here = head ? std::ranges::find(measured_.heads, *head) : measured_.heads.end();
  const bool known = here != measured_.heads.end();
  grid_->set_selected_cell(known ? static_cast<int>(std::ranges::find(layers_, head->layer) - layers_.begin()) : -1,
                           known ? static_cast<int>(head->head) : -1);
  const QString said = sentence();
  note_->setText(said.isEmpty() ? measured_.note : said + ' ' + measured_.note);
}

// What is said of the chosen head, or of the first.
QString HeadsMeasures::sentence() const {
  if (!measured_.is_effect || measured_.seconds.empty()) return {};
  const auto order = sorted_heads(measured_);
  if (order.empty() || std::isnan(nth(measured_.values, order.front()))) return {};
  const auto here = chosen_ ? std::ranges::find(measured_.heads, *chosen_) : measured_.heads.end();
  const int at = here == measured_.heads.end() ? order.front() : static_cast<int>(here - measured_.heads.begin());
  if (std::isnan(nth(measured_.values, at))) return {};
  const QString effects = plain_number(nth(measured_.seconds, at), 4) + deviation(at);
  QString said =
      tr("Without %1: %2 (%3).").arg(head_place(nth(measured_.heads, at)), effects, figure(nth(measured_.values, at)));
  if (!measured_.firsts.empty())
    said += ' ' + tr("It comes first in %1 of %2 texts.").arg(nth(measured_.firsts, at)).arg(measured_.texts);
  return at == order.front() && !bench_->is_measuring() && !bench_->was_stopped()
             ? said + ' ' +
                   (measured_.firsts.empty() ? tr("No other head is worth as much.")
                                             : tr("On the mean no other head is worth as much."))
             : said;
}

}  // namespace headlight
