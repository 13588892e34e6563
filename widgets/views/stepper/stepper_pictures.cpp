// What goes into an operation and what comes out, as rows of a name and a picture, fitted into the height that there
// is.

#include <QGridLayout>
#include <QLabel>
#include <QResizeEvent>
#include <algorithm>

#include "widgets/base/controls.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/text_button.h"
#include "widgets/base/theme.h"
#include "widgets/text/number_words.h"
#include "widgets/views/stepper/stepper_parts.h"
#include "widgets/views/stepper/stepper_view.h"

namespace headlight {

namespace {

constexpr int kLeastTall = 44, kLeastHistory = 64, kTallHistory = 150;

TensorView* picture(QWidget* parent) {
  auto* matrix = new TensorView(parent);
  matrix->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  return matrix;
}

bool is_tall(const TensorView* matrix) {
  return matrix->content().values.defined() && matrix->content().values.rank() >= 2;
}

// The slider says roughly how fast it goes; the number beside it goes where there is no room for both.
void fit_speed(const QWidget* controls, QLabel* number) {
  int needed = controls->minimumSizeHint().width();
  if (number->isHidden()) needed += number->minimumWidth() + 2;
  const QMargins around = controls->parentWidget()->layout()->contentsMargins();
  number->setVisible(needed <= controls->parentWidget()->width() - around.left() - around.right());
}

}  // namespace

StepperView::InputPanel StepperView::build_input() {
  QWidget* box = grid_->parentWidget();
  InputPanel panel;
  panel.name = new TextButton(box);
  panel.name->setFont(theme().ui_font(type::kSource));
  panel.matrix = picture(box);
  const auto place = static_cast<int>(inputs_.size());
  grid_->addWidget(panel.name, 1 + place, 0, Qt::AlignVCenter);
  grid_->addWidget(panel.matrix, 1 + place, 1);
  connect(panel.name, &TextButton::clicked, this, [this, place] { set_position(nth(inputs_, place).entry); });
  connect(panel.matrix, &TensorView::numberActivated, this,
          [this, place](qint64 cell) { open_cell(nth(inputs_, place).entry, cell); });
  return panel;
}

QWidget* StepperView::build_pictures() {
  auto* box = new QWidget(this);
  grid_ = new QGridLayout(box);
  grid_->setContentsMargins(0, 0, 0, 0);
  grid_->setHorizontalSpacing(6);
  grid_->setVerticalSpacing(3);
  grid_->setColumnStretch(1, 1);
  given_ = new QLabel(box);
  given_->setTextFormat(Qt::PlainText);
  given_->setWordWrap(true);
  grid_->addWidget(given_, 0, 0, 1, 2);
  auto* line = new QFrame(box);
  line->setFrameShape(QFrame::HLine);
  line->setFrameShadow(QFrame::Plain);
  line->setForegroundRole(QPalette::Mid);
  const auto name = [&] {
    auto* button = new TextButton(box);
    button->setFocusPolicy(Qt::NoFocus);
    button->setCursor(Qt::ArrowCursor);
    return button;
  };
  result_name_ = name();
  history_name_ = name();
  result_ = picture(box);
  history_ = picture(box);
  const int below = 1 + kMostInputs;
  grid_->addWidget(line, below, 0, 1, 2);
  grid_->addWidget(result_name_, below + 1, 0, Qt::AlignVCenter);
  grid_->addWidget(result_, below + 1, 1);
  grid_->addWidget(history_name_, below + 2, 0, Qt::AlignTop);
  grid_->addWidget(history_, below + 2, 1);
  connect(result_, &TensorView::numberActivated, this, [this](qint64 cell) { open_cell(position_, cell); });
  connect(history_, &TensorView::numberActivated, this, [this](qint64 cell) {
    const Index columns = shown_history_.content.values.columns();
    open_cell(nth(shown_history_.entries, cell / columns), cell % columns);
  });
  return box;
}

void StepperView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_pictures();
}

// Vectors take one row of numbers; matrices share the height that is left, so that inputs and result are seen together.
void StepperView::fit_pictures() {
  fit_speed(controls_, speed_label_);
  site_->setVisible(height() >= 300 * theme().font_scale());  // in a low panel its line belongs to the numbers
  if (position_ < 0) return;
  // The same at most steps, so that nothing jumps while playing: room for the longer titles, but never half the panel.
  int long_title = qRound(text_width(QStringLiteral("LSTM pre-activation"), result_name_->font())) + 12;
  const auto make_room = [&](const TextButton* name) {
    if (!name->isHidden()) long_title = std::max(long_title, name->sizeHint().width());
  };
  for (const InputPanel& panel : inputs_) make_room(panel.name);
  for (const TextButton* name : {result_name_, history_name_}) make_room(name);
  const int names = std::min(long_title, std::max(80, width() * 38 / 100));
  std::vector<TensorView*> tall;
  int used = std::max(heading_->sizeHint().height(), heading_->heightForWidth(body_->width())) +
             30;  // with the line and the gaps
  const auto place = [&](TextButton* name, TensorView* matrix) {
    name->setFixedWidth(names);
    if (is_tall(matrix)) {
      tall.push_back(matrix);
      used += 3;
    } else {
      const int height = std::max(matrix->minimumSizeHint().height() + 3, name->sizeHint().height());
      matrix->setFixedHeight(height);
      used += height + 3;
    }
  };
  for (const InputPanel& panel : inputs_)
    if (!panel.matrix->isHidden()) place(panel.name, panel.matrix);
  if (!given_->isHidden()) used += given_->sizeHint().height() + 3;
  place(result_name_, result_);
  const int available = scroll_->height() - used;
  const auto share = [&] {
    const auto n = std::max<int>(1, static_cast<int>(tall.size()));
    for (TensorView* matrix : tall)
      matrix->setFixedHeight(std::max(std::min(kLeastTall, matrix->sizeHint().height()),
                                      std::min(available / n, matrix->sizeHint().height())));
  };
  history_name_->setFixedWidth(names);
  // The earlier steps stay in sight where there is room, else they wait below.
  const auto with_history = static_cast<int>(tall.size()) + 1;
  if (!history_->isHidden()) {
    if (available / with_history >= kLeastHistory)
      tall.push_back(history_);
    else
      history_->setFixedHeight(std::min(kTallHistory, history_->sizeHint().height()));
  }
  share();
  scroll_->adjust();
}

void StepperView::refresh_inputs(const std::vector<int>& inputs) {
  const std::size_t shown = std::min<std::size_t>(inputs.size(), kMostInputs);
  while (inputs_.size() < shown) inputs_.push_back(build_input());
  const Index step = (*trace_)[position_].site.step;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    InputPanel& panel = inputs_[i];
    panel.name->setVisible(i < shown);
    panel.matrix->setVisible(i < shown);
    if (i >= shown) continue;
    // Of many inputs (all encoder states) the first ones and the last one are shown.
    const int entry = i + 1 == shown ? inputs.back() : inputs[i];
    panel.entry = entry;
    const Site& site = (*trace_)[entry].site;
    const QString shape = QString::fromStdString((*trace_)[entry].value.shape().text());
    const bool elsewhere = site.step >= 0 && site.step != step;
    const QString part = part_in_words(site.text);
    const QString about = part.isEmpty() ? shape : QStringLiteral("%1 · %2").arg(part, shape);
    panel.name->set_lines(site_title(*site.kind),
                          elsewhere ? tr("step %1 · %2").arg(counted(site.step), about) : about);
    panel.name->setToolTip(wrapped_tooltip(tr("Go to %1").arg(QString::fromStdString(site.text))));
    panel.matrix->set_content(tensor_content(*trace_, entry, labels_));
  }
  given_->setVisible(inputs.empty());
  given_->setText(tr("made from weights alone, or given"));
}

void StepperView::refresh_history() {
  const Site& site = (*trace_)[position_].site;
  const std::string kind = without_indices(site.text) + part_in_words(site.text).toStdString();
  if (kind != history_kind_) {
    history_kind_ = kind;
    shown_history_ = site_history(*trace_, position_, labels_);
    history_->set_content(shown_history_.content);
  }
  const bool shown = shown_history_.entries.size() > 1;
  history_->setVisible(shown);
  history_name_->setVisible(shown);
  if (!shown) return;
  const auto row = std::ranges::find(shown_history_.entries, position_);
  const auto rows = row - shown_history_.entries.begin() + 1;
  history_->show_rows(static_cast<int>(rows));
  const QString count = tr("%1 of %2 steps").arg(QString::number(rows), QString::number(shown_history_.entries.size()));
  history_name_->set_lines(tr("so far"), count);
  history_name_->setToolTip(wrapped_tooltip(with_colon(shown_history_.content.title, count)));
}

}  // namespace headlight
