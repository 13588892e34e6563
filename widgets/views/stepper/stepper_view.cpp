#include "widgets/views/stepper/stepper_view.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <cmath>

#include "widgets/base/controls.h"
#include "widgets/base/text_button.h"
#include "widgets/views/stepper/stepper_parts.h"

namespace headlight {

namespace {

// The speed slider is even in the logarithm: 0 .. 100 means kSlowest .. kFastest steps per second.
double speed_at(int place) {
  return StepperView::kSlowest * std::pow(StepperView::kFastest / StepperView::kSlowest, place / 100.0);
}
int place_of_speed(double speed) {
  return static_cast<int>(std::lround(100 * std::log(speed / StepperView::kSlowest) /
                                      std::log(StepperView::kFastest / StepperView::kSlowest)));
}

}  // namespace

void StepperView::set_selection(Selection* selection) {
  if (selection_) selection_->disconnect(this);
  selection_ = selection;
  if (!selection_) return;
  connect(selection_, &Selection::changed, this, &StepperView::follow);
  follow(selection_->state());
}

void StepperView::set_trace(std::shared_ptr<const Trace> trace, TraceLabels labels) {
  const std::string place = trace_ && position_ >= 0 ? (*trace_)[position_].site.text : std::string();
  const bool at_end = !trace_ || position_ + 1 >= trace_->size();
  const qint64 cell = result_->current_cell();
  trace_ = std::move(trace);
  labels_ = std::move(labels);
  history_kind_.clear();
  const int size = trace_ ? trace_->size() : 0;
  if (size == 0) {
    pause();
    position_ = -1;
  } else {
    position_ = at_end || place.empty() ? -1 : trace_->find(place);
    // A step that the new input does not have: the last value of the same kind.
    if (position_ < 0 && !at_end)
      for (int i = 0; i < size; ++i)
        if (without_indices((*trace_)[i].site.text) == without_indices(place)) position_ = i;
    if (position_ < 0) position_ = size - 1;
  }
  refresh();
  if (!stale_ && position_ >= 0 && cell >= 0 && cell < (*trace_)[position_].value.size())
    result_->set_current_cell(cell);
  emit stepChanged(position_);
  emit attentionRowsChanged(trace_ && growing_ ? attention_rows(*trace_, position_) : -1);
}

void StepperView::set_position(int entry) {
  if (trace_ && trace_->size() > 0) move_to(std::clamp(entry, 0, trace_->size() - 1), Cause::stepping);
}

void StepperView::move_to(int entry, Cause cause) {
  if (!trace_ || entry < 0 || entry >= trace_->size()) return;
  const bool moved = entry != position_;
  position_ = entry;
  growing_ = cause == Cause::stepping && entry + 1 < trace_->size();
  if (moved) refresh();
  if (cause == Cause::stepping && selection_) {
    publishing_ = true;
    selection_->set(selection_of(*trace_, entry, std::nullopt, labels_, selection_->state()));
    publishing_ = false;
  }
  if (moved) emit stepChanged(entry);
  emit attentionRowsChanged(growing_ ? attention_rows(*trace_, entry) : -1);
}

void StepperView::follow(const SelectionState& state) {
  if (publishing_ || !trace_ || !state.entry || *state.entry < 0 || *state.entry >= trace_->size()) return;
  // Somebody looks at another number: that ends a performance, it is no part of it.
  if (*state.entry != position_) {
    pause();
    move_to(*state.entry, Cause::selection);
  }
  if (!stale_)
    result_->set_current_cell(state.cell && *state.cell < (*trace_)[position_].value.size() ? *state.cell : -1);
}

void StepperView::open_cell(int entry, qint64 cell) {
  if (!trace_ || entry < 0) return;
  if (!selection_) return move_to(entry, Cause::selection);
  selection_->set(selection_of(*trace_, entry, static_cast<Index>(cell), labels_, selection_->state()));
}

// The place where the next (or previous) big step ends: the end of the encoder, then the end of each output step.
int StepperView::landmark(int direction) const {
  const auto group = [this](int i) -> Index {
    const Site& site = (*trace_)[i].site;
    return site.step >= 0 && site.kind->side == SiteKind::Side::decoder ? site.step : -1;
  };
  const int size = trace_->size();
  for (int i = position_ + direction; i >= 0 && i < size; i += direction)
    if (i + 1 == size || group(i) != group(i + 1)) return i;
  return direction > 0 ? size - 1 : 0;
}

int StepperView::written_rows() const {
  Index rows = 0;
  for (int i = 0; trace_ && i < trace_->size(); ++i) {
    const Site& site = (*trace_)[i].site;
    if (site.kind->side == SiteKind::Side::decoder) rows = std::max(rows, site.step + 1);
  }
  return static_cast<int>(rows);
}

void StepperView::show_rows(int count) {
  if (!trace_) return;
  if (count >= written_rows()) return set_position(trace_->size() - 1);
  int last = 0;
  for (int i = 0; i < trace_->size(); ++i) {
    const Site& site = (*trace_)[i].site;
    if (site.kind->side == SiteKind::Side::decoder && site.step >= 0 && site.step < count) last = i;
  }
  set_position(last);
}

void StepperView::leave() {
  pause();
  if (trace_ && trace_->size() > 0) move_to(trace_->size() - 1, Cause::selection);
}

void StepperView::last() {
  if (trace_) set_position(trace_->size() - 1);
}

void StepperView::next() {
  if (!trace_ || position_ + 1 >= trace_->size()) return;
  set_position(stride_ == Stride::value ? position_ + 1 : landmark(1));
}

void StepperView::previous() {
  if (!trace_ || position_ <= 0) return;
  set_position(stride_ == Stride::value ? position_ - 1 : landmark(-1));
}

void StepperView::play() {
  if (!trace_ || trace_->size() < 2 || playing()) return;
  if (position_ + 1 >= trace_->size()) first();
  timer_.start(static_cast<int>(std::lround(1000 / speed_)));
  set_icons();
  emit playingChanged(true);
}

void StepperView::pause() {
  if (!playing()) return;
  timer_.stop();
  set_icons();
  emit playingChanged(false);
}

// Another kind of step has its own speed: a room follows outputs slowly, single operations are many.
void StepperView::set_stride(Stride stride) {
  if (stride != stride_) set_speed(stride == Stride::value ? kForAnExpert : kForARoom);
  stride_ = stride;
  stride_box_->setCurrentIndex(stride == Stride::value ? 0 : 1);
}

void StepperView::set_speed(double steps_per_second) {
  speed_ = std::clamp(steps_per_second, kSlowest, kFastest);
  if (playing()) timer_.setInterval(static_cast<int>(std::lround(1000 / speed_)));
  if (std::abs(speed_at(speed_slider_->value()) - speed_) > 0.02 * speed_) {
    const QSignalBlocker blocker(speed_slider_);
    speed_slider_->setValue(place_of_speed(speed_));
  }
  speed_label_->setText(tr("%1 / s").arg(speed_, 0, 'g', 2));
}

QVariantMap StepperView::choices() const {
  return {{QStringLiteral("stride"), stride_ == Stride::value ? QStringLiteral("value") : QStringLiteral("output")},
          {QStringLiteral("speed"), speed_}};
}

void StepperView::set_choices(const QVariantMap& choices) {
  const QString stride = choices.value(QStringLiteral("stride")).toString();
  if (!stride.isEmpty()) set_stride(stride == QLatin1String("value") ? Stride::value : Stride::output_step);
  const double speed = choices.value(QStringLiteral("speed")).toDouble();
  if (std::isfinite(speed) && speed > 0) set_speed(speed);
}

std::span<const StepperView::KeyRow> StepperView::key_table() {
  using C = Command;
  static constexpr Key kSteps[] = {{Qt::Key_Left, false, C::previous}, {Qt::Key_Right, false, C::next}};
  static constexpr Key kEnds[] = {{Qt::Key_Home, false, C::first}, {Qt::Key_End, false, C::last}};
  static constexpr Key kPlay[] = {{Qt::Key_Space, false, C::play}};
  static constexpr Key kRowKeys[] = {{Qt::Key_PageUp, false, C::row_before}, {Qt::Key_PageDown, false, C::row_behind}};
  static constexpr Key kSpeed[] = {{Qt::Key_Up, true, C::faster}, {Qt::Key_Down, true, C::slower}};
  static constexpr std::array kRows = {
      KeyRow{"← / →", QT_TR_NOOP("In ‘Every operation’: one step back or on"), kSteps},
      KeyRow{"Home / End", QT_TR_NOOP("In ‘Every operation’: to the first or the last operation"), kEnds},
      KeyRow{"Space", QT_TR_NOOP("In ‘Every operation’: play and pause"), kPlay},
      KeyRow{"PageUp / PageDown", QT_TR_NOOP("In ‘Every operation’: to the token written before or next"), kRowKeys},
      KeyRow{"Ctrl+↑ / Ctrl+↓", QT_TR_NOOP("In ‘Every operation’: faster or slower"), kSpeed},
  };
  return kRows;
}

void StepperView::obey(Command command) {
  constexpr double kFaster = 1.5;
  switch (command) {
    case Command::previous:
      return previous();
    case Command::next:
      return next();
    case Command::first:
      return first();
    case Command::last:
      return last();
    case Command::play:
      return toggle_play();
    case Command::row_before:
      return set_position(landmark(-1));
    case Command::row_behind:
      return set_position(landmark(1));
    case Command::slower:
      return set_speed(speed_ / kFaster);
    case Command::faster:
      return set_speed(speed_ * kFaster);
  }
}

void StepperView::keyPressEvent(QKeyEvent* event) {
  const bool control = event->modifiers() & Qt::ControlModifier;
  for (const KeyRow& row : key_table())
    for (const Key& each : row.bindings)
      if (each.key == event->key() && (!each.control || control)) return obey(each.command);
  QWidget::keyPressEvent(event);
}

// --- showing

void StepperView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!stale_) return;
  refresh();
  if (selection_) follow(selection_->state());
}

// Not while it is hidden in a window: it costs more than the run.
void StepperView::refresh() {
  stale_ = window()->isVisible() && !isVisible();
  if (stale_) return;
  const bool any = position_ >= 0;
  controls_->setEnabled(any);
  body_->setVisible(any);
  empty_->setVisible(!any);
  refresh_controls();
  if (!any) return;
  refresh_texts();
  result_->set_content(tensor_content(*trace_, position_, labels_));
  result_->set_current_cell(-1);
  refresh_history();
  fit_pictures();
}

void StepperView::refresh_controls() {
  const int size = trace_ ? trace_->size() : 0;
  first_->setEnabled(position_ > 0);
  previous_->setEnabled(position_ > 0);
  next_->setEnabled(position_ >= 0 && position_ + 1 < size);
  last_->setEnabled(position_ >= 0 && position_ + 1 < size);
  const QSignalBlocker blocker(position_slider_);
  position_slider_->setRange(0, std::max(0, size - 1));
  position_slider_->setValue(std::max(0, position_));
  count_->setText(size == 0 ? QString() : tr("operation %1 of %2").arg(position_ + 1).arg(size));
  keep_room(count_);
}

QString StepperView::flow_text(const std::vector<int>& inputs) const {
  const TraceEntry& entry = (*trace_)[position_];
  const QString shape = QString::fromStdString(entry.value.shape().text());
  if (alias_of(*trace_, position_) >= 0) {
    const Site& same = (*trace_)[inputs.front()].site;
    return tr("the same numbers as %1").arg(QString::fromStdString(same.text));
  }
  const Op* op = operation_before_edit(*trace_, position_);
  QStringList from;
  for (const int i : inputs) from << QString::fromStdString((*trace_)[i].value.shape().text());
  if (from.size() > kMostInputs) from = QStringList{from.first(), QStringLiteral("…"), from.last()};
  QStringList weights;
  for (const std::string& name : parameters_of(*trace_, position_)) weights << QString::fromStdString(name);
  const QString name = op ? QString::fromUtf8(op->id) : tr("given");
  QString text = from.isEmpty() ? tr("%1: → %2").arg(name, shape)
                                : tr("%1: %2 → %3").arg(name, from.join(QStringLiteral(", ")), shape);
  if (!weights.isEmpty()) text += tr("   with the weights %1").arg(weights.join(QStringLiteral(", ")));
  if (entry.edited) text += tr("   then changed by you");
  return text;
}

void StepperView::refresh_texts() {
  const TraceEntry& entry = (*trace_)[position_];
  const std::vector<int> inputs = inputs_of(*trace_, position_);
  const QString step = step_in_words(entry.site, labels_);
  const QString title = site_in_words(entry.site);
  title_->setText(step.isEmpty() ? title : QStringLiteral("%1 – %2").arg(title, step));
  site_->setText(QString::fromStdString(entry.site.text) + (entry.edited ? tr("  (changed by you)") : QString()));
  help_->setText(site_help(*entry.site.kind));
  const Op* op = operation_before_edit(*trace_, position_);
  QString formula = QString::fromUtf8(entry.site.kind->formula);
  if (formula.isEmpty() && op) formula = QString::fromUtf8(op->formula);
  formula_->setText(formula_markup(formula));
  formula_->setAccessibleName(formula);
  formula_->setVisible(!formula.isEmpty());
  QString paper = QString::fromUtf8(entry.site.kind->paper);
  if (paper.isEmpty() && op) paper = QString::fromUtf8(op->paper);
  const QString flow = flow_text(inputs);
  flow_->setText(paper.isEmpty() ? flow : QStringLiteral("%1 · %2").arg(flow, paper));
  result_name_->set_lines(site_title(*entry.site.kind), QString::fromStdString(entry.value.shape().text()));
  refresh_inputs(inputs);
}

}  // namespace headlight
