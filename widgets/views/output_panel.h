// The output of a run with the way it was chosen: the controls of decoding above, below them the tokens of each step,
// the tree of a beam search, or the guesses at hidden words.
//
// The tree and the guesses are shown by themselves where a run has them; two buttons go over to the list of steps and
// back. Pages are brought up to date when they are seen.
#pragma once

#include <QWidget>
#include <memory>

#include "widgets/base/result_view.h"

class QStackedLayout;

namespace headlight {

class BeamView;
class ChoiceButton;
class DecodingBar;
class GuessesView;
class OutputView;

class OutputPanel : public QWidget, public ResultView {
  Q_OBJECT
 public:
  enum class Page { list, tree, guesses };
  explicit OutputPanel(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const Result&) { return true; }
  void set_result(std::shared_ptr<const Result> result) override;
  void export_to(const QString& path) const override;  // what is shown

  // Steps from `count` on are shown as not written yet (stepping); -1: all.
  void set_visible_steps(int count);
  // The list, or what is there instead; another run that lacks the page shows its list.
  void show_list(bool list);
  Page page() const { return page_; }
  DecodingBar* bar() const { return bar_; }
  OutputView* list() const { return list_; }
  BeamView* tree() const { return tree_; }
  GuessesView* guesses() const { return guesses_; }

  QSize sizeHint() const override { return {440, 320}; }

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void take();
  void show_page();
  void show_texts();
  void force(int step, int token_id);

  ViewContext context_;
  std::shared_ptr<const Result> result_;
  bool taken_ = true, list_wanted_ = false;
  Page page_ = Page::list;
  DecodingBar* bar_;
  OutputView* list_;
  BeamView* tree_;
  GuessesView* guesses_;
  QStackedLayout* pages_;
  QWidget *top_, *choice_;
  ChoiceButton *special_button_, *list_button_;
};

}  // namespace headlight
