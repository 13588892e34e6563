// How the tokenizer of the model cuts a word of the text, step by step: which pair is merged next, which pieces were
// tried, or which path through the pieces is the most probable.
//
// A click chooses a word or a piece; up and down the steps, left and right the pieces, Ctrl with up and down the words.
#pragma once

#include <vector>

#include "model/text/word_cut.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/captioned.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/views/merges/merges_layout.h"

namespace headlight {

class MergesView : public PlaceCanvas<MergesPlace, CanvasView>, public Captioned {
  Q_OBJECT
 public:
  explicit MergesView(const ViewContext& context = {}, QWidget* parent = nullptr);

  const std::vector<WordCut>& cuts() const { return cuts_; }
  int word() const { return word_; }
  void choose_word(int word);  // nearest that there is
  MergesPlace cursor() const { return cursor_; }
  const MergesLayout& merges_layout() const { return layout_; }
  QString place_tooltip(const MergesPlace& place) const override;
  ColourKey colour_key() const override { return {}; }
  QString caption() const override;

  QSize sizeHint() const override { return {640, 400}; }

 protected:
  void refresh() override;
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString empty_text() const override;
  void forget() override { show_table(); }
  QString name() const override;
  QString description() const override;
  MergesPlace place_at(QPointF point) const override { return layout_.place_at(point); }
  void press_place(const MergesPlace& place) override;
  QRectF cursor_rect() const override { return layout_.rect(cursor_); }
  bool go(int right, int down) override;
  bool go_to_other(int step) override;

 private:
  using Kind = MergesPlace::Kind;
  using Rule = WordCut::Rule;

  const WordCut* cut() const;
  void follow_selection();
  void show_word(int word);
  void show_table();
  void move_to(const MergesPlace& place);
  bool is_made(int row, int piece) const;
  bool is_next(int row, int piece) const;  // of the pair, or pairs, that the next step merges
  bool on_best_path(int arc) const;
  const CutPiece* piece(const MergesPlace& place) const;
  QString piece_text(const CutPiece& piece) const;
  QString label(int row) const;   // which rule
  QString what(int row) const;    // what it did
  QString behind(int row) const;  // what it is worth
  QString title() const;
  QString rule_words() const;
  QString step_words(int row) const;
  MergesNeeds needs(double width) const;
  QFont piece_font() const;
  void paint_words(QPainter& painter) const;
  void paint_row(QPainter& painter, int row) const;
  void paint_piece(QPainter& painter, int row, int piece) const;
  void paint_arc(QPainter& painter, int arc) const;

  std::vector<WordCut> cuts_;
  bool begins_ = false;       // they are of the beginning of a long text only
  int word_ = 0, first_ = 0;  // that is chosen; the first that is shown
  MergesPlace cursor_;
  MergesLayout layout_;
  double zoom_ = 1;  // of all type: where there is room
  ColumnTable table_;
};

}  // namespace headlight
