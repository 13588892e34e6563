#include "widgets/views/memory/memory_canvas.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"

namespace headlight {

using Part = MemoryHit::Part;

namespace {

// "0 to 47, 62, 63"
QString ranges_text(const std::vector<int>& numbers) {
  QStringList parts;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    if (end > i + 1)
      parts << MemoryCanvas::tr("%1 to %2").arg(counted(numbers[i]), counted(numbers[end]));
    else
      for (std::size_t k = i; k <= end; ++k) parts << counted(numbers[k]);
    i = end + 1;
  }
  return parts.join(MemoryCanvas::tr(", "));
}

}  // namespace

MemoryCanvas::MemoryCanvas(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) { announce(); }

void MemoryCanvas::set_run(std::shared_ptr<const MemoryRun> run) {
  const bool first = !run_;
  run_ = run && !run->empty() ? std::move(run) : nullptr;
  hover_step_ = -1;
  set_hovered({});
  labels_.clear();
  slots_ = run_ ? used_slots(*run_) : std::vector<int>{};
  if (run_)
    for (const MemoryStep& step : run_->steps()) labels_.push_back(memory_step_label(step));
  MemoryCursor cursor = cursor_;
  if (first && run_) {  // the middle of what it writes
    const auto& steps = run_->steps();
    const auto writes = std::ranges::find(steps, MemoryStep::Kind::writes, &MemoryStep::kind) - steps.begin();
    cursor.step = static_cast<int>((writes + run_->step_count()) / 2);
    cursor.slot = slot_of(cursor);
  }
  set_cursor(cursor);
  lay_out();
  announce();
}

int MemoryCanvas::slot_of(const MemoryCursor& cursor) const {
  const int step = std::clamp(cursor.step, 0, run_->step_count() - 1);
  const auto heads = run_->heads();
  const auto head = std::min(static_cast<std::size_t>(std::max(0, cursor.head)), heads.size() - 1);
  return static_cast<int>(strongest_slot(run_->weighting(heads[head], step).value));
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
  if (move_mark(cursor_, cursor)) announce();
}

void MemoryCanvas::show_step(int step) {
  if (!run_) return;
  MemoryCursor cursor = cursor_;
  cursor.step = std::clamp(step, 0, run_->step_count() - 1);
  if (cursor.step != cursor_.step) cursor.slot = slot_of(cursor);
  set_cursor(cursor);
}

void MemoryCanvas::set_hover_step(int step) {
  if (!run_ || step >= run_->step_count()) step = -1;
  move_mark(hover_step_, step);
}

MemoryHeadName MemoryCanvas::head() const {
  const auto heads = run_->heads();
  return heads[std::min(static_cast<std::size_t>(cursor_.head), heads.size() - 1)];
}

int MemoryCanvas::row() const {
  const auto at = std::ranges::find(slots_, cursor_.slot);
  return at == slots_.end() ? -1 : static_cast<int>(at - slots_.begin());
}

// The likeness to the key comes before the stages that have a part of the picture.
MemoryStage MemoryCanvas::stage(int which) const {
  return memory_stage(run_->addressing(head(), cursor_.step), which + 1);
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
      return {stage(cursor_.stage).value.entry, cursor_.slot};
    case MemoryCursor::Part::weighting:
      break;
  }
  return {run_->weighting(head(), cursor_.step).entry, cursor_.slot};
}

void MemoryCanvas::choose(MemoryCursor cursor) {
  if (!run_) return;
  set_cursor(cursor);
  const QRectF shown = layout_.heads(cursor_.step, std::max(0, row()));
  reveal({shown.left() - layout_.metrics.name, shown.top(), shown.width() + layout_.metrics.name, shown.height()}, 20);
  emit moved(cursor_);
}

QString MemoryCanvas::description() const {
  if (!run_) return tr("This model has no memory beside its network.");
  QStringList parts{memory_step_name(nth(run_->steps(), cursor_.step), cursor_.step) + '.'};
  for (const MemoryHeadName each : run_->heads()) {
    const Tensor weighting = run_->weighting(each, cursor_.step).value;
    const Index best = strongest_slot(weighting);
    parts << tr("%1: most on slot %2 (%3), %4 on slot %5.")
                 .arg(memory_head_name(each, run_->pairs()), counted(best),
                      plain_number(static_cast<double>(weighting[best]), 3),
                      plain_number(static_cast<double>(weighting[cursor_.slot]), 3), counted(cursor_.slot));
  }
  if (cursor_.part == MemoryCursor::Part::memory)
    parts << tr("Memory, slot %1, number %2: %3.")
                 .arg(counted(cursor_.slot), counted(cursor_.column),
                      plain_number(static_cast<double>(
                                       run_->memory(cursor_.step).value[cursor_.slot * run_->width() + cursor_.column]),
                                   3));
  for (int which = 0; which < MemoryLayout::kStages; ++which) parts << stage(which).sentence;
  return (parts + sentences()).join(' ');
}

QString MemoryCanvas::name() const {
  return run_ ? tr("Memory of %1 slots of %2 numbers, %3 steps")
                    .arg(run_->slot_count())
                    .arg(run_->width())
                    .arg(run_->step_count())
              : tr("Memory, none");
}

QString MemoryCanvas::kept_text() const {
  std::vector<int> kept;
  for (int slot = 0; slot < static_cast<int>(run_->slot_count()); ++slot)
    if (!std::ranges::binary_search(slots_, slot)) kept.push_back(slot);
  if (kept.empty()) return {};
  return kept.size() == 1 ? tr("Slot %1 stays as it was.").arg(counted(kept.front()))
                          : tr("Slots %1 stay as they were.").arg(ranges_text(kept));
}

QStringList MemoryCanvas::sentences() const {
  QStringList all;
  if (!run_) return all;
  if (run_->steps().back().kind == MemoryStep::Kind::writes && !reads_what_it_writes_last(*run_, head().pair))
    all << tr("What it writes down while it looks up, it never reads.");
  if (const QString kept = kept_text(); !kept.isEmpty()) all << kept;
  return all;
}

QSizeF MemoryCanvas::arrange(QSizeF view) {
  layout_ = {};
  if (!run_) return {};
  const QFontMetricsF words(theme().ui_font()), small(theme().ui_font(type::kSource)), title(bold_font(type::kTitle));
  const double scale = theme().font_scale();
  MemoryLayout::Metrics m;
  m.view = view;
  m.steps = run_->step_count();
  m.reads = static_cast<int>(std::ranges::count_if(
      run_->steps(), [](const MemoryStep& step) { return step.kind != MemoryStep::Kind::writes; }));
  m.rows = static_cast<int>(slots_.size());
  m.columns = static_cast<int>(run_->width());
  m.title = std::ceil(title.height() + small.height() + 6);
  m.token = std::ceil(QFontMetricsF(theme().token_font(type::kQuestion)).height() + 8);
  m.margin = view.width() < 700 * scale ? space::kSmall : space::kMargin;
  m.name = std::ceil(m.margin + words.horizontalAdvance(tr("slot %1").arg(run_->slot_count())) + 12);
  m.letter = std::ceil(30 * scale);
  m.vector = std::ceil(13 * scale);
  m.foot = std::ceil(5 * small.height() + 12);
  m.least_row = std::ceil(words.height() + 1);
  m.most_row = std::ceil(3.2 * words.height());
  m.least_step = 14 * scale;
  m.most_step = 66 * scale;
  for (int which = 0; which < MemoryLayout::kStages; ++which)
    m.stage_words = std::max(m.stage_words, text_width(memory_stage_title(which), bold_font(type::kSource)) - 8);
  m.most_stage = std::max(m.stage_words, 130 * scale);
  m.least_number = 5 * scale;
  m.most_number = 19 * scale;
  layout_ = MemoryLayout::of(m);
  return {layout_.width, layout_.height};
}

// What a click there chooses.
MemoryCursor MemoryCanvas::at_place(const MemoryHit& place) const {
  MemoryCursor next = cursor_;
  if (place.row >= 0) next.slot = nth(slots_, place.row);
  if (place.step >= 0) next.step = place.step;
  const auto use_head = [&](bool writes) {
    const auto heads = run_->heads();
    for (std::size_t i = 0; i < heads.size(); ++i)
      if (heads[i] == MemoryHeadName{head().pair, writes}) next.head = static_cast<int>(i);
  };
  if (place.part == Part::token) {
    next.slot = slot_of(next);
    next.part = MemoryCursor::Part::weighting;
  }
  if (place.part == Part::heads) {  // the head that is more there
    const Index slot = next.slot;
    const double writes = static_cast<double>(run_->weighting({head().pair, true}, next.step).value[slot]);
    const double reads = static_cast<double>(run_->weighting({head().pair, false}, next.step).value[slot]);
    if (std::max(writes, reads) >= 0.02) use_head(writes > reads);
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
  return next;
}

void MemoryCanvas::hover_changed() {
  set_hover_step(hovered().step);
  emit stepHovered(hovered().step);
}

QRectF MemoryCanvas::cursor_rect() const {
  if (!run_ || slots_.empty()) return {};
  const int at = std::max(0, row());
  switch (cursor_.part) {
    case MemoryCursor::Part::memory:
      return layout_.number(cursor_.column, at);
    case MemoryCursor::Part::erase:
      return layout_.erase(cursor_.column);
    case MemoryCursor::Part::add:
      return layout_.add(cursor_.column);
    case MemoryCursor::Part::stage:
      return layout_.stage(cursor_.stage, at);
    case MemoryCursor::Part::weighting:
      break;
  }
  return layout_.heads(cursor_.step, at);
}

bool MemoryCanvas::go(int right, int down) {
  if (!run_ || slots_.empty()) return false;
  MemoryCursor next = cursor_;
  next.step = std::clamp(next.step + right, 0, run_->step_count() - 1);
  if (next.step != cursor_.step && std::abs(right) != kEnd) next.slot = slot_of(next);
  if (down != 0) {
    const auto above = std::ranges::lower_bound(slots_, next.slot) - slots_.begin();
    const auto last = static_cast<std::ptrdiff_t>(slots_.size()) - 1;
    next.slot = nth(slots_, std::clamp<std::ptrdiff_t>(above + down, 0, last));
  }
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
  next.slot = slot_of(next);
  choose(next);
  return true;
}

QString MemoryCanvas::place_tooltip(const MemoryHit& place) const {
  if (!run_ || place.part == Part::none) return {};
  const MemoryCursor at = at_place(place);
  const QString step = memory_step_name(nth(run_->steps(), at.step), at.step);
  const auto heads = run_->heads();
  const MemoryHeadName head = nth(heads, at.head);
  switch (place.part) {
    case Part::token:
      return step + '\n' +
             tr("First the machine reads the source, token by token; then it is told nothing more, and writes from "
                "its memory.");
    case Part::memory:
      return tr("Memory after %1: slot %2, number %3 is %4.")
                 .arg(step, counted(at.slot), counted(at.column),
                      plain_number(
                          static_cast<double>(run_->memory(at.step).value[at.slot * run_->width() + at.column]), 3)) +
             '\n' + tr("Each row is a slot. The write head wipes and adds; the read head averages the slots.");
    case Part::erase:
      return tr("Erase vector: which numbers of the slots are wiped out where the write head points (1 wipes, 0 "
                "keeps). "
                "Number %1: %2.")
          .arg(counted(at.column),
               plain_number(static_cast<double>(run_->erase(head.pair, at.step).value[at.column]), 3));
    case Part::add:
      return tr("Add vector: what is written to the slots where the write head points. Number %1: %2.")
          .arg(counted(at.column),
               plain_number(static_cast<double>(run_->add(head.pair, at.step).value[at.column]), 3));
    case Part::stage: {
      const MemoryStage shown = stage(place.stage);
      return shown.name + '\n' + shown.sentence + '\n' +
             tr("Slot %1: %2.")
                 .arg(counted(at.slot), plain_number(static_cast<double>(shown.value.value[at.slot]), 4)) +
             '\n' + shown.help;
    }
    default:
      break;
  }
  return tr("%1, %2: %3 on slot %4.")
             .arg(memory_head_name(head, run_->pairs()), step,
                  plain_number(static_cast<double>(run_->weighting(head, at.step).value[at.slot]), 4),
                  counted(at.slot)) +
         '\n' +
         tr("A machine that copies writes along the slots while it reads, and reads along the same slots while it "
            "writes.");
}

}  // namespace headlight
