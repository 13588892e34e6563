// Which page is shown, and what a click on a candidate means.
#include "widgets/views/output/output_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QStackedWidget>
#include <algorithm>

#include "widgets/base/controls.h"
#include "widgets/base/segments.h"
#include "widgets/base/tokens.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"
#include "widgets/views/output/output_beam_view.h"
#include "widgets/views/output/output_decoding_bar.h"
#include "widgets/views/output/output_guesses.h"
#include "widgets/views/output/output_view.h"

namespace headlight {

OutputPanel::OutputPanel(const ViewContext& context, QWidget* parent) : ViewPanel(context, parent) {
  decoding_ = new DecodingBar(context.requests, bar());
  choice_ = new QWidget(bar());
  auto* buttons = row_in(choice_, 0);
  buttons->setContentsMargins(space::kMargin, 4, space::kMargin, 2);
  buttons->addWidget(page_choice_ = new Segments(choice_));
  QHBoxLayout* top = bar_row();
  top->setContentsMargins(space::kMargin, 0, 0, 0);
  top->setSpacing(0);
  top->addWidget(decoding_, 1);
  top->addWidget(choice_, 0, Qt::AlignTop | Qt::AlignRight);
  pages_ = new QStackedWidget(this);
  pages_->addWidget(list_ = new OutputView(context.selection, pages_));
  pages_->addWidget(tree_ = new BeamView(context, pages_));
  pages_->addWidget(guesses_ = new GuessesView(context, pages_));
  build(pages_, {440, 320});
  connect(list_, &OutputView::candidateActivated, this, &OutputPanel::force);
  connect(list_, &OutputView::menuRequested, this, &OutputPanel::open_menu);
  connect(page_choice_, &Segments::chosen, this, [this](int at) { show_list(at == 1); });
  show_page();
}

void OutputPanel::refresh() {
  if (result()) decoding_->set_result(*result());
  tree_->take(run());
  guesses_->take(run());
  show_page();
}

void OutputPanel::show_list(bool list) {
  list_wanted_ = list;
  show_page();
}

void OutputPanel::show_page() {
  const bool masked = result() && GuessesView::offers(*result());
  const bool beam = result() && BeamView::offers(*result());
  const bool choice = masked || beam;
  page_ = !choice || list_wanted_ ? Page::list : masked ? Page::guesses : Page::tree;
  decoding_->setVisible(!masked);
  choice_->setVisible(choice);
  page_choice_->set_choices(
      {{masked ? tr("guesses") : tr("tree"), masked ? tr("A card for each hidden word, with what the model guesses.")
                                                    : tr("All that the beam search tried, step by step.")},
       {tr("list"), tr("The most probable tokens of each step.")}});
  page_choice_->set_words(tr("How the output is shown"), {});
  page_choice_->set_current(page_ == Page::list ? 1 : 0);
  // The list works at once when it gets a result: only what is seen gets one.
  if (page_ == Page::list && list_->table_model()->result() != result())
    list_->set_result(run() ? run()->result() : nullptr);
  QWidget* shown = page_ == Page::list   ? static_cast<QWidget*>(list_)
                   : page_ == Page::tree ? static_cast<QWidget*>(tree_)
                                         : guesses_;
  if (pages_->currentWidget() != shown) {
    const bool focus = pages_->currentWidget()->hasFocus();
    pages_->setCurrentWidget(shown);
    if (focus) shown->setFocus();
  }
  set_keyboard_target(shown);
  set_table(page_ == Page::list   ? list_->table_model()
            : page_ == Page::tree ? static_cast<QAbstractItemModel*>(tree_->table())
                                  : guesses_->table());
}

void OutputPanel::set_visible_steps(int count) { list_->set_visible_steps(count); }

// Another token from there on, or there alone; where words are guessed, the text with the guess in it.
void OutputPanel::force(int step, int token_id) { write(step, token_id, false); }

void OutputPanel::write(int step, int token_id, bool only_here) {
  const auto at = static_cast<std::size_t>(step);
  if (!result() || step < 0 || at >= result()->steps.size()) return;
  if (GuessesView::offers(*result())) {
    if (at < result()->token_of_position.size())
      emit requests_->source(with_guess(*result(), result()->token_of_position[at], token_id));
  } else if (const QString beginning =
                 only_here || ends(step, token_id) ? QString() : beginning_with(*result(), step, token_id);
             !beginning.isEmpty()) {
    emit requests_->beginning(beginning);
  } else if (!only_here && is_half_character(*result(), step, token_id)) {
    return;
  } else if (const auto text = with_candidate(*result(), step, token_id)) {
    emit requests_->target(text);
  }
}

// The sign of the end: nothing can go on from it.
bool OutputPanel::ends(int step, int token_id) const {
  const auto& top = nth(result()->steps, step).top;
  const auto chosen = std::ranges::find(top, token_id, &Candidate::id);
  return chosen != top.end() && token_text(chosen->text).special;
}

void OutputPanel::open_menu(int step, int token_id, const QPoint& global_position) {
  if (!result() || GuessesView::offers(*result())) return;
  const auto& top = nth(result()->steps, step).top;
  const auto chosen = std::ranges::find(top, token_id, &Candidate::id);
  if (chosen == top.end()) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const QString name = quoted(chosen->text).replace('&', QStringLiteral("&&"));
  menu->setToolTipsVisible(true);
  QAction* from =
      menu->addAction(tr("Write %1 from here on").arg(name), this, [=, this] { write(step, token_id, false); });
  if (is_half_character(*result(), step, token_id)) {
    from->setEnabled(false);
    from->setToolTip(half_character_note());
  }
  menu->addAction(tr("Write %1 only here, the rest stays").arg(name), this, [=, this] { write(step, token_id, true); });
  connect(menu->addAction(tr("log p over my &texts…")), &QAction::triggered, requests_,
          [this] { emit requests_->overTexts(ListedNumber{}); });
  add_panel_actions(menu);
  menu->popup(global_position);
}

QVariantMap OutputPanel::own_choices() const {
  return list_wanted_ ? QVariantMap{{QStringLiteral("list"), true}} : QVariantMap();
}

void OutputPanel::set_own_choices(const QVariantMap& choices) {
  list_wanted_ = choices.value(QStringLiteral("list")).toBool();
}

void OutputPanel::retranslate() { show_page(); }

Figure OutputPanel::picture() {
  return page_ == Page::tree ? tree_->figure() : page_ == Page::guesses ? guesses_->figure() : list_->figure();
}

}  // namespace headlight
