#include "widgets/views/memory/memory_view.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <algorithm>
#include <cmath>

#include "widgets/base/controls.h"
#include "widgets/base/shaped_text.h"

namespace headlight {

MemoryView::MemoryView(const ViewContext& context, QWidget* parent) : ViewPanel(context, parent) {
  QHBoxLayout* row = bar_row();
  row->addWidget(head_box_ = new QComboBox(bar()));
  row->addWidget(slider_ = new QSlider(Qt::Horizontal, bar()), 3);
  row->addWidget(step_ = new QLabel(bar()), 2);
  head_box_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  slider_->setMinimumWidth(60);
  step_->setTextFormat(Qt::PlainText);
  step_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  step_->installEventFilter(this);
  build(canvas_ = new MemoryCanvas(this), {700, 480});
  set_table(&table_);
  connect(head_box_, &QComboBox::activated, this, [this](int at) {
    MemoryCursor cursor = canvas_->cursor();
    cursor.head = at;
    cursor.part = MemoryCursor::Part::weighting;
    canvas_->set_cursor(cursor);
    select();
  });
  connect(slider_, &QSlider::valueChanged, this, [this](int step) {
    show_step(step);
    select();
  });
  connect(canvas_, &MemoryCanvas::moved, this, &MemoryView::select);
  connect(canvas_, &MemoryCanvas::opened, this, &MemoryView::open);
  connect(canvas_, &MemoryCanvas::stepHovered, this, &MemoryView::hover);
  connect(selection_, &Selection::changed, this, &MemoryView::follow_selection);
  connect(selection_, &Selection::hovered, this, &MemoryView::follow_hover);
  show_texts();
  show_bar();
}

// The name of the step is cut to the room that it has.
bool MemoryView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == step_ && event->type() == QEvent::Resize) show_bar();
  return QWidget::eventFilter(watched, event);
}

void MemoryView::refresh() {
  auto memory = std::make_shared<const MemoryRun>(run() ? MemoryRun(*result()) : MemoryRun());
  memory_ = memory->empty() ? nullptr : std::move(memory);
  canvas_->set_run(memory_);  // first: all below asks for its step, and this run may have fewer
  // Room for the longest name, so that none is cut beside the slider.
  int widest = 0;
  for (int step = 0; memory_ && step < memory_->step_count(); ++step)
    widest = std::max(
        widest,
        static_cast<int>(std::ceil(text_width(memory_step_name(nth(memory_->steps(), step), step), step_->font()))));
  step_->setMinimumWidth(std::min(widest + 2, 30 * step_->fontMetrics().averageCharWidth()));
  retranslate();
  follow_selection();
}

void MemoryView::show_step(int step) {
  canvas_->show_step(step);
  show_bar();
}

void MemoryView::show_bar() {
  bar()->setVisible(memory_ != nullptr);
  if (!memory_) return;
  const QSignalBlocker blocked(slider_);
  head_box_->clear();
  for (const MemoryHeadName head : memory_->heads()) head_box_->addItem(memory_head_name(head, memory_->pairs()));
  head_box_->setCurrentIndex(canvas_->cursor().head);
  slider_->setRange(0, memory_->step_count() - 1);
  const int step = canvas_->cursor().step;
  slider_->setValue(step);
  const QString name = memory_step_name(nth(memory_->steps(), step), step);
  step_->setText(elided_text(name, step_->font(), Qt::ElideRight, step_->width()));
}

void MemoryView::show_texts() {
  describe(head_box_, tr("Head whose way to its place is shown"),
           tr("A head points at slots of the memory: the read head fetches from there, the write head "
              "changes them. Space goes to the next one."));
  describe(slider_, tr("Step of the machine"),
           tr("First the machine reads the source, then it writes. Left and Right go step by step."));
  show_message(memory_ ? QString()
                       : reason(tr("Type a source to see what the machine writes into its memory."),
                                tr("This model has no memory beside its network: choose a Neural Turing Machine "
                                   "to see one.")));
}

void MemoryView::select() {
  if (!memory_) return;
  show_bar();
  const MemoryStep& step = nth(memory_->steps(), canvas_->cursor().step);
  SelectionState state;
  state.source_token = unless_none(step.token);
  state.step = unless_none(step.step);
  if (const auto [entry, cell] = canvas_->chosen(); entry >= 0) {
    state.entry = entry;
    state.cell = cell;
  }
  selection_->set(state);
}

void MemoryView::open() {
  select();
  if (const auto [entry, cell] = canvas_->chosen(); entry >= 0) emit requests_->open(entry, cell);
}

void MemoryView::hover(int step) {
  if (!memory_ || step < 0) return selection_->hover({}, {});
  const MemoryStep& at = nth(memory_->steps(), step);
  selection_->hover(unless_none(at.token), unless_none(at.step));
}

void MemoryView::follow_selection() {
  if (!memory_ || !is_fresh()) return;
  const SelectionState& state = selection_->state();
  int step = state.entry ? memory_->step_of(*state.entry) : -1;
  if (step < 0) step = memory_->step_at(state.source_token.value_or(-1), state.step.value_or(-1));
  if (step >= 0) show_step(step);
}

void MemoryView::follow_hover() {
  if (!memory_ || !is_fresh() || canvas_->underMouse()) return;
  canvas_->set_hover_step(
      memory_->step_at(selection_->hovered_token().value_or(-1), selection_->hovered_step().value_or(-1)));
}

void MemoryView::retranslate() {
  show_texts();
  show_bar();
  show_table();
}

void MemoryView::show_table() {
  if (!memory_) return table_.clear();
  const auto count = static_cast<int>(memory_->slot_count());
  const auto width = memory_->width();
  const auto column = [&](const QString& title, auto value) {
    return ColumnTable::Column{title, [memory = memory_, count, value](int line) {
                                 return QVariant(value(*memory, line / count, static_cast<Index>(line % count)));
                               }};
  };
  std::vector<ColumnTable::Column> columns = {
      ColumnTable::counting(tr("step"), [count](int line) { return line / count; }),
      column(tr("token"),
             [](const MemoryRun& of, int step, Index) { return memory_step_label(nth(of.steps(), step)).text; }),
      ColumnTable::counting(tr("slot"), [count](int line) { return line % count; })};
  for (const MemoryHeadName head : memory_->heads())
    columns.push_back(column((head.writes ? tr("write_%1") : tr("read_%1")).arg(head.pair + 1),
                             [head](const MemoryRun& of, int step, Index slot) {
                               return static_cast<double>(of.weighting(head, step).value[slot]);
                             }));
  for (Index at = 0; at < width; ++at)
    columns.push_back(column(QStringLiteral("M%1").arg(at), [at, width](const MemoryRun& of, int step, Index slot) {
      return static_cast<double>(of.memory(step).value[slot * width + at]);
    }));
  table_.set(memory_->step_count() * count, std::move(columns));
}

}  // namespace headlight
