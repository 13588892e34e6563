#include "widgets/views/memory_view.h"

#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>

#include "model/core/errors.h"
#include "widgets/base/export.h"

namespace headlight {

MemoryView::MemoryView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  bar_ = new QWidget(this);
  message_ = new QLabel(this);
  for (QWidget* each : std::initializer_list<QWidget*>{bar_, message_}) {
    each->setAutoFillBackground(true);
    each->setBackgroundRole(QPalette::Base);
  }
  auto* row = new QHBoxLayout(bar_);
  row->setContentsMargins(8, 4, 8, 2);
  head_box_ = new QComboBox(bar_);
  slider_ = new QSlider(Qt::Horizontal, bar_);
  slider_->setMinimumWidth(60);
  step_ = new QLabel(bar_);
  step_->setTextFormat(Qt::PlainText);
  step_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  step_->installEventFilter(this);
  row->addWidget(head_box_);
  row->addWidget(slider_, 3);
  row->addWidget(step_, 2);
  canvas_ = new MemoryCanvas(this);
  message_->setTextFormat(Qt::PlainText);
  message_->setWordWrap(true);
  message_->setForegroundRole(QPalette::PlaceholderText);
  message_->setAlignment(Qt::AlignCenter);
  message_->setMargin(32);
  column->addWidget(bar_);
  column->addWidget(canvas_, 1);
  column->addWidget(message_, 1);
  setFocusProxy(canvas_);
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
  connect(canvas_, &MemoryCanvas::hovered, this, &MemoryView::hover);
  connect(context_.selection, &Selection::changed, this, &MemoryView::follow_selection);
  connect(context_.selection, &Selection::hovered, this, &MemoryView::follow_hover);
  show_texts();
  show_bar();
}

void MemoryView::set_result(std::shared_ptr<const Result> result) {
  result_ = std::move(result);
  taken_ = false;
  if (isVisible()) take_run();
}

void MemoryView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  take_run();
  follow_selection();
}

// The name of the step is cut to the room that it has.
bool MemoryView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == step_ && event->type() == QEvent::Resize) show_bar();
  return QWidget::eventFilter(watched, event);
}

void MemoryView::take_run() {
  if (taken_) return;
  taken_ = true;
  auto run = std::make_shared<const MemoryRun>(result_ ? MemoryRun(*result_) : MemoryRun());
  run_ = run->empty() ? nullptr : std::move(run);
  canvas_->set_run(run_);
  show_texts();
  show_bar();
}

void MemoryView::show_step(int step) {
  MemoryCursor cursor = canvas_->cursor();
  cursor.step = step;
  canvas_->set_cursor(cursor);
  show_bar();
}

void MemoryView::show_bar() {
  bar_->setVisible(run_ != nullptr);
  canvas_->setVisible(run_ != nullptr);
  message_->setVisible(run_ == nullptr);
  if (!run_) return;
  const QSignalBlocker blocked(slider_);
  head_box_->clear();
  for (const MemoryHeadName head : run_->heads()) head_box_->addItem(memory_head_name(head, run_->pairs()));
  head_box_->setCurrentIndex(canvas_->cursor().head);
  slider_->setRange(0, run_->step_count() - 1);
  const int step = canvas_->cursor().step;
  slider_->setValue(step);
  const QString name = memory_step_name(run_->steps()[static_cast<std::size_t>(step)], step);
  step_->setText(step_->fontMetrics().elidedText(name, Qt::ElideRight, step_->width()));
}

void MemoryView::show_texts() {
  head_box_->setAccessibleName(tr("Head whose way to its place is shown"));
  head_box_->setToolTip(
      tr("A head points at slots of the memory: the read head fetches from there, the write head "
         "changes them. Space goes to the next one."));
  slider_->setAccessibleName(tr("Step of the machine"));
  slider_->setToolTip(tr("First the machine reads the source, then it writes. Left and Right go step by step."));
  message_->setText(!result_ ? tr("Type a source to see what the machine writes into its memory.")
                    : !result_->trace
                        ? tr("This run was not recorded, so there is no memory to show.")
                        : tr("This model has no memory beside its network: choose a Neural Turing Machine "
                             "to see one."));
}

MatrixModel* MemoryView::table_model() {
  take_run();
  if (!run_) {
    table_.set_matrix(0, 0, {});
    return &table_;
  }
  const Tensor values = run_->memory(canvas_->cursor().step).value;
  table_.set_matrix(static_cast<int>(run_->slot_count()), static_cast<int>(run_->width()),
                    std::vector<float>(values.data(), values.data() + values.size()));
  QStringList rows;
  for (Index slot = 0; slot < run_->slot_count(); ++slot) rows << tr("slot %1").arg(slot);
  table_.set_labels(rows, {});
  return &table_;
}

void MemoryView::select() {
  if (!run_) return;
  show_bar();
  const MemoryStep& step = run_->steps()[static_cast<std::size_t>(canvas_->cursor().step)];
  SelectionState state;
  if (step.token >= 0) state.source_token = step.token;
  if (step.step >= 0) state.step = step.step;
  if (const auto [entry, cell] = canvas_->chosen(); entry >= 0) {
    state.entry = entry;
    state.cell = cell;
  }
  context_.selection->set(state);
}

void MemoryView::open() {
  select();
  if (const auto [entry, cell] = canvas_->chosen(); entry >= 0) emit context_.requests->open(entry, cell);
}

void MemoryView::hover(int step) {
  if (!run_ || step < 0) return context_.selection->hover({}, {});
  const MemoryStep& at = run_->steps()[static_cast<std::size_t>(step)];
  context_.selection->hover(at.token >= 0 ? std::optional(at.token) : std::nullopt,
                            at.step >= 0 ? std::optional(at.step) : std::nullopt);
}

void MemoryView::follow_selection() {
  if (!run_ || !taken_) return;
  const SelectionState& state = context_.selection->state();
  int step = state.entry ? run_->step_of(*state.entry) : -1;
  if (step < 0) step = run_->step_at(state.source_token.value_or(-1), state.step.value_or(-1));
  if (step >= 0) show_step(step);
}

void MemoryView::follow_hover() {
  if (!run_ || !taken_ || canvas_->underMouse()) return;
  canvas_->set_hover_step(
      run_->step_at(context_.selection->hovered_token().value_or(-1), context_.selection->hovered_step().value_or(-1)));
}

void MemoryView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    show_texts();
    show_bar();
  }
  QWidget::changeEvent(event);
}

// A line for each slot at each step: the weighting of every head, then what the slot holds after the step.
QByteArray MemoryView::csv() const {
  const auto heads = run_->heads();
  QString text = "step,token,slot";
  for (const MemoryHeadName head : heads)
    text += QStringLiteral(",%1_%2").arg(head.writes ? "write" : "read").arg(head.pair + 1);
  for (Index column = 0; column < run_->width(); ++column) text += QStringLiteral(",M%1").arg(column);
  text += "\r\n";
  for (int step = 0; step < run_->step_count(); ++step) {
    const QString token = csv_field(memory_step_label(run_->steps()[static_cast<std::size_t>(step)]).text);
    std::vector<Tensor> weightings;
    for (const MemoryHeadName head : heads) weightings.push_back(run_->weighting(head, step).value);
    const Tensor memory = run_->memory(step).value;
    for (Index slot = 0; slot < run_->slot_count(); ++slot) {
      text += QStringLiteral("%1,%2,%3").arg(QString::number(step), token, QString::number(slot));
      for (const Tensor& weighting : weightings) text += ',' + csv_number(static_cast<double>(weighting[slot]));
      for (Index column = 0; column < run_->width(); ++column)
        text += ',' + csv_number(static_cast<double>(memory[slot * run_->width() + column]));
      text += "\r\n";
    }
  }
  return text.toUtf8();
}

void MemoryView::export_to(const QString& path) const {
  if (!run_) throw UsageError(message_->text().toStdString());
  if (QFileInfo(path).suffix().compare("csv", Qt::CaseInsensitive) == 0) return export_bytes(path, csv());
  PictureOptions options;
  options.title = canvas_->accessibleName();
  export_picture(
      path, canvas_->picture_size(), [this](QPainter& painter) { canvas_->paint_picture(painter); }, options);
}

}  // namespace headlight
