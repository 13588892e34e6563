// What a model that guesses hidden words puts in their place: a card for each hidden word, with its sentence, the most
// probable words, and how sure the model is.
//
// A click or Enter on a guess writes it into the text. Up and down go from guess to guess, left and right from card to
// card.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/decode/run.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/result_view.h"
#include "widgets/views/output/output_guesses_layout.h"

namespace headlight {

// A hidden word of a result.
struct HiddenWord {
  int step = 0, token = 0;         // of Result::steps, Result::tokens
  std::vector<Candidate> guesses;  // words that can be written, best first
  std::optional<double> entropy;   // in nats, of all guesses; none when the run was not recorded
};
std::vector<HiddenWord> hidden_words(const Result& result);

class GuessesView : public Canvas, public ResultView {
  Q_OBJECT
 public:
  explicit GuessesView(const ViewContext& context, QWidget* parent = nullptr);
  ~GuessesView() override;

  static bool offers(const Result& result);

  const GuessesLayout& guesses_layout() const { return layout_; }
  GuessHit cursor() const { return cursor_; }
  QString place_tooltip(const GuessHit& place) const;

  QSize sizeHint() const override { return {440, 280}; }
  QSize minimumSizeHint() const override { return {220, 140}; }

 protected:
  void refresh() override;
  Figure drawn() override;
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString empty_text() const override;
  QString name() const override;
  QString description() const override;
  QString tooltip(QPointF point) const override;
  Qt::CursorShape hover(QPointF point) override;
  void leave() override;
  void press(QPointF point, Qt::KeyboardModifiers) override;
  bool go(int right, int down) override;
  bool activate() override;
  void showEvent(QShowEvent* event) override;

 private:
  void show_table();
  GuessesLayout layout_for(double width) const;
  void paint(QPainter& painter, const GuessesLayout& layout, bool marks) const;
  void move_cursor(GuessHit place);
  void choose(const GuessHit& place);
  void paint_sentence(QPainter& painter, const QRectF& rect, const HiddenWord& word) const;
  void paint_guess(QPainter& painter, const QRectF& rect, const HiddenWord& word, int rank) const;

  ViewContext context_;
  std::vector<HiddenWord> words_;
  ColumnTable table_;  // a line for each guess
  GuessesLayout layout_;
  GuessHit cursor_, hover_;
};

// "quite sure: like a choice among 2.1 words": of an entropy in nats.
QString certainty_in_words(double entropy);

}  // namespace headlight
