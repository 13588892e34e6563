// What a model that guesses hidden words puts in their place: a card for each hidden word, with its sentence, the most
// probable words, and how sure the model is.
//
// A click or Enter on a guess writes it into the text. Up and down go from guess to guess, left and right from card to
// card.
#pragma once

#include <optional>
#include <vector>

#include "model/decode/run.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/views/output/output_guesses_layout.h"

namespace headlight {

// A hidden word of a result.
struct HiddenWord {
  int step = 0, token = 0;         // of Result::steps, Result::tokens
  std::vector<Candidate> guesses;  // words that can be written, best first
  std::optional<double> entropy;   // in nats, of all guesses; none when the run was not recorded
};
std::vector<HiddenWord> hidden_words(const Result& result);

class GuessesView : public PlaceCanvas<GuessHit, CanvasView> {
  Q_OBJECT
 public:
  explicit GuessesView(const ViewContext& context, QWidget* parent = nullptr);
  ~GuessesView() override;

  static bool offers(const Result& result);

  const GuessesLayout& guesses_layout() const { return layout_; }
  GuessHit cursor() const { return cursor_; }
  QString place_tooltip(const GuessHit& place) const override;

  QSize sizeHint() const override { return {440, 280}; }
  QSize minimumSizeHint() const override { return {220, 140}; }

 protected:
  void refresh() override;
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString empty_text() const override;
  void forget() override { show_table(); }
  QString name() const override;
  QString description() const override;
  GuessHit place_at(QPointF point) const override { return layout_.place_at(point); }
  void press_place(const GuessHit& place) override;
  void hover_changed() override;
  bool is_pressable(const GuessHit& place) const override { return place.rank >= 0; }
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool activate() override;

 private:
  void show_table();
  void move_cursor(GuessHit place);
  void choose(const GuessHit& place);
  void paint_sentence(QPainter& painter, const QRectF& rect, const HiddenWord& word) const;
  void paint_guess(QPainter& painter, const QRectF& rect, const HiddenWord& word, int rank) const;

  std::vector<HiddenWord> words_;
  ColumnTable table_;  // a line for each guess
  GuessesLayout layout_;
  GuessHit cursor_;
};

// "quite sure: like a choice among 2.1 words": of an entropy in nats.
QString certainty_in_words(double entropy);

}  // namespace headlight
