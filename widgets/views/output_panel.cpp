// Which page is shown, and what a click on a candidate means.
#include "widgets/views/output_panel.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "widgets/base/choice_button.h"
#include "widgets/base/view_requests.h"
#include "widgets/items/output_text.h"
#include "widgets/views/output_beam_view.h"
#include "widgets/views/output_decoding_bar.h"
#include "widgets/views/output_guesses.h"
#include "widgets/views/output_view.h"

namespace headlight {

OutputPanel::OutputPanel(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context) {
  top_ = new QWidget(this);
  top_->setAutoFillBackground(true);
  top_->setBackgroundRole(QPalette::Base);
  bar_ = new DecodingBar(context.requests, top_);
  choice_ = new QWidget(top_);
  auto* buttons = new QHBoxLayout(choice_);
  buttons->setContentsMargins(8, 4, 8, 2);
  buttons->setSpacing(0);
  auto* group = new QButtonGroup(this);
  for (ChoiceButton** each : {&special_button_, &list_button_}) {
    *each = new ChoiceButton(choice_);
    group->addButton(*each);
    buttons->addWidget(*each);
  }
  auto* top = new QHBoxLayout(top_);
  top->setContentsMargins(0, 0, 0, 0);
  top->setSpacing(0);
  top->addWidget(bar_, 1);
  top->addWidget(choice_, 0, Qt::AlignTop | Qt::AlignRight);
  list_ = new OutputView(context.selection, this);
  tree_ = new BeamView(context, this);
  guesses_ = new GuessesView(context, this);
  pages_ = new QStackedLayout;
  for (QWidget* page : std::initializer_list<QWidget*>{list_, tree_, guesses_}) pages_->addWidget(page);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(top_);
  column->addLayout(pages_, 1);
  connect(list_, &OutputView::candidateActivated, this, &OutputPanel::force);
  connect(group, &QButtonGroup::buttonClicked, this,
          [this](const QAbstractButton* button) { show_list(button == list_button_); });
  show_texts();
  show_page();
}

void OutputPanel::set_result(std::shared_ptr<const Result> result) {
  result_ = std::move(result);
  taken_ = false;
  if (isVisible()) take();
}

void OutputPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  take();
}

void OutputPanel::take() {
  if (taken_) return;
  taken_ = true;
  if (result_) bar_->set_result(*result_);
  tree_->set_result(result_);
  guesses_->set_result(result_);
  show_page();
}

void OutputPanel::show_list(bool list) {
  list_wanted_ = list;
  show_page();
}

void OutputPanel::show_page() {
  const bool masked = result_ && GuessesView::offers(*result_);
  const bool beam = result_ && BeamView::offers(*result_);
  const bool choice = masked || beam;
  page_ = !choice || list_wanted_ ? Page::list : masked ? Page::guesses : Page::tree;
  bar_->setVisible(!masked);
  choice_->setVisible(choice);
  special_button_->setText(masked ? tr("guesses") : tr("tree"));
  special_button_->setToolTip(masked ? tr("A card for each hidden word, with what the model guesses.")
                                     : tr("All that the beam search tried, step by step."));
  (page_ == Page::list ? list_button_ : special_button_)->setChecked(true);
  // The list works at once when it gets a result: only what is seen gets one.
  if (page_ == Page::list && list_->table_model()->result() != result_.get()) list_->set_result(result_);
  QWidget* shown = page_ == Page::list   ? static_cast<QWidget*>(list_)
                   : page_ == Page::tree ? static_cast<QWidget*>(tree_)
                                         : guesses_;
  if (pages_->currentWidget() != shown) {
    const bool focus = pages_->currentWidget()->hasFocus();
    pages_->setCurrentWidget(shown);
    if (focus) shown->setFocus();
  }
  setFocusProxy(shown);
}

void OutputPanel::set_visible_steps(int count) { list_->set_visible_steps(count); }

// The same output with one token exchanged; where words are guessed, the text with the guess in it.
void OutputPanel::force(int step, int token_id) {
  const auto at = static_cast<std::size_t>(step);
  if (!result_ || step < 0 || at >= result_->steps.size()) return;
  if (GuessesView::offers(*result_)) {
    if (at < result_->token_of_position.size())
      emit context_.requests->source(with_guess(*result_, result_->token_of_position[at], token_id));
  } else if (const auto text = with_candidate(*result_, step, token_id)) {
    emit context_.requests->target(text);
  }
}

void OutputPanel::show_texts() {
  list_button_->setText(tr("list"));
  list_button_->setToolTip(tr("The most probable tokens of each step."));
}

void OutputPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    show_texts();
    show_page();
  }
  QWidget::changeEvent(event);
}

void OutputPanel::export_to(const QString& path) const {
  if (page_ == Page::tree) return tree_->export_to(path);
  if (page_ == Page::guesses) return guesses_->export_to(path);
  list_->export_to(path);
}

}  // namespace headlight
