#include "widgets/views/memory/memory_canvas.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/theme.h"

namespace headlight {

using Part = MemoryHit::Part;

MemoryCanvas::MemoryCanvas(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) { announce(); }

void MemoryCanvas::set_run(std::shared_ptr<const MemoryRun> run) {
  const bool first = !run_;
  run_ = run && !run->empty() ? std::move(run) : nullptr;
  hover_step_ = -1;
  reads_.clear();
  writes_.clear();
  if (run_)
    for (const MemoryStep& step : run_->steps()) {
      const bool writes = step.kind == MemoryStep::Kind::writes;
      reads_.push_back(writes ? AxisLabel{} : memory_step_label(step));
      writes_.push_back(writes ? memory_step_label(step) : AxisLabel{});
    }
  MemoryCursor cursor = cursor_;
  if (first && run_) cursor.slot = static_cast<int>(strongest_slot(run_->weighting(run_->heads().front(), 0).value));
  set_cursor(cursor);
  forget();
  lay_out();
  announce();
}

void MemoryCanvas::set_cursor(MemoryCursor cursor) {
  if (run_) {
    const auto within = [](int value, Index count) { return std::clamp(value, 0, static_cast<int>(count) - 1); };
    cursor.step = within(cursor.step, run_->step_count());
    cursor.head = within(cursor.head, static_cast<Index>(run_->heads().size()));
    cursor.slot = within(cursor.slot, run_->slot_count());
    cursor.column = within(cursor.column, run_->width());
    cursor.stage = within(cursor.stage, MemoryLayout::kStages);
  }
  if (cursor == cursor_) return;
  if (run_ && run_->heads()[static_cast<std::size_t>(cursor.head)].pair != head().pair) writing_ = reading_ = {};
  cursor_ = cursor;
  announce();
  viewport()->update();
}

void MemoryCanvas::set_hover_step(int step) {
  if (!run_ || step >= run_->step_count()) step = -1;
  if (step == hover_step_) return;
  hover_step_ = step;
  viewport()->update();
}

MemoryHeadName MemoryCanvas::head() const {
  const auto heads = run_->heads();
  return heads[std::min(static_cast<std::size_t>(cursor_.head), heads.size() - 1)];
}

std::pair<int, Index> MemoryCanvas::chosen() const {
  if (!run_) return {-1, 0};
  switch (cursor_.part) {
    case MemoryCursor::Part::memory:
      return {run_->memory(cursor_.step).entry, cursor_.slot * run_->width() + cursor_.column};
    case MemoryCursor::Part::erase:
      return {run_->erase(head().pair, cursor_.step).entry, cursor_.column};
    case MemoryCursor::Part::add:
      return {run_->add(head().pair, cursor_.step).entry, cursor_.column};
    case MemoryCursor::Part::stage:
      return {memory_stage(run_->addressing(head(), cursor_.step), cursor_.stage).value.entry, cursor_.slot};
    case MemoryCursor::Part::weighting:
      break;
  }
  return {run_->weighting(head(), cursor_.step).entry, cursor_.slot};
}

void MemoryCanvas::choose(MemoryCursor cursor) {
  if (!run_) return;
  set_cursor(cursor);
  const double x = layout_.step_x(layout_.writing, cursor_.step);
  reveal({x - 30, 0, 60, 0}, 0);
  emit moved(cursor_);
}

QString MemoryCanvas::description() const {
  if (!run_) return tr("This model has no memory beside its network.");
  QStringList parts{memory_step_name(run_->steps()[static_cast<std::size_t>(cursor_.step)], cursor_.step) + '.'};
  for (const MemoryHeadName each : run_->heads()) {
    const Tensor weighting = run_->weighting(each, cursor_.step).value;
    const Index best = strongest_slot(weighting);
    parts << tr("%1: most on slot %2 (%3), %4 on slot %5.")
                 .arg(memory_head_name(each, run_->pairs()), QString::number(best),
                      fixed_number(static_cast<double>(weighting[best])),
                      fixed_number(static_cast<double>(weighting[cursor_.slot])), QString::number(cursor_.slot));
  }
  if (cursor_.part == MemoryCursor::Part::memory)
    parts << tr("Memory, slot %1, number %2: %3.")
                 .arg(cursor_.slot)
                 .arg(cursor_.column)
                 .arg(fixed_number(static_cast<double>(
                     run_->memory(cursor_.step).value[cursor_.slot * run_->width() + cursor_.column])));
  const MemoryAddressing all = run_->addressing(head(), cursor_.step);
  for (int stage = 1; stage < MemoryLayout::kStages; ++stage) parts << memory_stage(all, stage).sentence;
  return parts.join(' ');
}

QString MemoryCanvas::name() const {
  return run_ ? tr("Memory of %1 slots of %2 numbers, %3 steps")
                    .arg(run_->slot_count())
                    .arg(run_->width())
                    .arg(run_->step_count())
              : tr("Memory, none");
}

QSizeF MemoryCanvas::arrange(QSizeF view) {
  layout_ = {};
  if (!run_) return {};
  const Theme& theme = Theme::instance();
  const QFontMetricsF small(theme.token_font(0.85)), words(theme.ui_font(0.9)), names(theme.ui_font(0.82));
  const double scale = theme.font_scale();
  MemoryLayout::Metrics m;
  m.view = view;
  m.caption = std::ceil(words.height() + 3);
  m.line = std::ceil(small.height() + 1);
  m.widest = std::max(widest_label(reads_, theme.token_font(0.85)), widest_label(writes_, theme.token_font(0.85)));
  m.most_tokens = std::ceil(50 * scale);
  m.side = std::ceil(std::max(names.horizontalAdvance(tr("reads")), names.horizontalAdvance(tr("writes"))) + 8);
  m.vector = std::ceil(11 * scale);
  m.smallest_width = 200 * scale;
  m.words = std::ceil(330 * scale);
  layout_ =
      MemoryLayout::of(run_->step_count(), static_cast<int>(run_->slot_count()), static_cast<int>(run_->width()), m);
  writing_ = reading_ = {};  // of as many points as there is room
  return {layout_.width, layout_.height};
}

// What a click there chooses. Of the slots that share a row, the one with the most.
MemoryCursor MemoryCanvas::at_place(const MemoryHit& place) const {
  MemoryCursor next = cursor_;
  if (place.step >= 0) next.step = place.step;
  const auto use_head = [&](bool writes) {
    const auto heads = run_->heads();
    for (std::size_t i = 0; i < heads.size(); ++i)
      if (heads[i] == MemoryHeadName{head().pair, writes}) next.head = static_cast<int>(i);
  };
  const bool writes = place.part == Part::writing || place.part == Part::write_bars;
  if (writes || place.part == Part::reading || place.part == Part::read_bars) {
    use_head(writes);
    next.part = MemoryCursor::Part::weighting;
  }
  if (place.column >= 0) {
    next.column = place.column;
    next.part = place.part == Part::memory  ? MemoryCursor::Part::memory
                : place.part == Part::erase ? MemoryCursor::Part::erase
                                            : MemoryCursor::Part::add;
  }
  if (place.part == Part::stage) {
    next.part = MemoryCursor::Part::stage;
    next.stage = place.stage;
  }
  if (place.slot < 0) return next;
  next.slot = place.slot;
  if (place.part == Part::stage || place.part == Part::memory) return next;
  const Tensor weighting = run_->weighting({head().pair, writes}, next.step).value;
  const int shared = layout_.slots_of_row(writes ? layout_.writing : layout_.reading);
  for (int slot = place.slot; slot < std::min(layout_.slot_count, place.slot + shared); ++slot)
    if (weighting[slot] > weighting[next.slot]) next.slot = slot;
  return next;
}

void MemoryCanvas::hover_changed() {
  set_hover_step(hovered().step);
  emit stepHovered(hovered().step);
}

Qt::CursorShape MemoryCanvas::pointer(const MemoryHit& place) const {
  return place.part == Part::none ? Qt::ArrowCursor : Qt::CrossCursor;
}

bool MemoryCanvas::go(int right, int down) {
  if (!run_) return false;
  MemoryCursor next = cursor_;
  next.step += right;
  next.slot += down;
  choose(next);
  return true;
}

bool MemoryCanvas::activate() {
  if (run_) emit opened();
  return run_ != nullptr;
}

bool MemoryCanvas::press_space() {
  if (!run_) return false;
  MemoryCursor next = cursor_;
  next.head = (next.head + 1) % static_cast<int>(run_->heads().size());
  choose(next);
  return true;
}

QString MemoryCanvas::place_tooltip(const MemoryHit& place) const {
  if (place.part == Part::none) return {};
  const MemoryCursor at = at_place(place);
  const QString step = memory_step_name(run_->steps()[static_cast<std::size_t>(at.step)], at.step);
  const auto heads = run_->heads();
  const MemoryHeadName head = heads[static_cast<std::size_t>(at.head)];
  switch (place.part) {
    case Part::tape:
      return step + '\n' +
             tr("First the machine reads the source, token by token; then it is told nothing more, and writes from "
                "its memory.");
    case Part::memory:
      return tr("Memory after %1: slot %2, number %3 is %4.")
                 .arg(step, QString::number(at.slot), QString::number(at.column),
                      fixed_number(
                          static_cast<double>(run_->memory(at.step).value[at.slot * run_->width() + at.column]))) +
             '\n' + tr("Each row is a slot. The write head wipes and adds; the read head averages the slots.");
    case Part::erase:
      return tr("Erase vector: which numbers of the slots are wiped out where the write head points (1 wipes, 0 "
                "keeps). "
                "Number %1: %2.")
          .arg(at.column)
          .arg(fixed_number(static_cast<double>(run_->erase(head.pair, at.step).value[at.column])));
    case Part::add:
      return tr("Add vector: what is written to the slots where the write head points. Number %1: %2.")
          .arg(at.column)
          .arg(fixed_number(static_cast<double>(run_->add(head.pair, at.step).value[at.column])));
    case Part::stage: {
      const MemoryStage stage = memory_stage(run_->addressing(head, at.step), place.stage);
      QString text = stage.name + '\n' + stage.sentence;
      if (place.slot >= 0)
        text +=
            '\n' +
            tr("Slot %1: %2.").arg(place.slot).arg(fixed_number(static_cast<double>(stage.value.value[place.slot]), 4));
      return text + '\n' + stage.help;
    }
    default:
      break;
  }
  return tr("%1, %2: %3 on slot %4.")
             .arg(memory_head_name(head, run_->pairs()), step,
                  fixed_number(static_cast<double>(run_->weighting(head, at.step).value[at.slot]), 4),
                  QString::number(at.slot)) +
         '\n' +
         tr("A machine that copies writes along the slots while it reads, and reads along the same slots while it "
            "writes.");
}

}  // namespace headlight
