// The output of a run with the way it was chosen: the controls of decoding above, below them the tokens of each step,
// the tree of a beam search, or the guesses at hidden words.
//
// The tree and the guesses are shown by themselves where a run has them; a switch goes over to the list of steps and
// back. Pages are brought up to date when they are seen.
#pragma once

#include "widgets/canvas/view_panel.h"

class QStackedWidget;

namespace headlight {

class BeamView;
class DecodingBar;
class GuessesView;
class OutputView;
class Segments;

class OutputPanel : public ViewPanel {
  Q_OBJECT
 public:
  enum class Page { list, tree, guesses };
  explicit OutputPanel(const ViewContext& context, QWidget* parent = nullptr);

  // Steps from `count` on are shown as not written yet (stepping); -1: all.
  void set_visible_steps(int count);
  // The list, or what is there instead; another run that lacks the page shows its list.
  void show_list(bool list);
  Page page() const { return page_; }
  DecodingBar* decoding_bar() const { return decoding_; }
  OutputView* list() const { return list_; }
  BeamView* tree() const { return tree_; }
  GuessesView* guesses() const { return guesses_; }

 protected:
  void refresh() override;
  void retranslate() override;
  QVariantMap own_choices() const override;
  void set_own_choices(const QVariantMap& choices) override;
  Figure picture() override;  // of the page that is shown

 private:
  void show_page();
  void force(int step, int token_id);
  bool ends(int step, int token_id) const;
  void write(int step, int token_id, bool only_here);
  void open_menu(int step, int token_id, const QPoint& global_position);

  bool list_wanted_ = false;
  Page page_ = Page::list;
  DecodingBar* decoding_;
  OutputView* list_;
  BeamView* tree_;
  GuessesView* guesses_;
  QStackedWidget* pages_;
  QWidget* choice_;
  Segments* page_choice_;
};

}  // namespace headlight
