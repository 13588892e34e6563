// Geometry of the guesses at hidden words: a card for each, with a bar for each guess. Pure: no window.
#pragma once

#include <QRectF>

namespace headlight {

struct GuessHit {
  int card = -1;
  int rank = -1;  // guess, best first; -1: the sentence above them
  bool operator==(const GuessHit&) const = default;
};

struct GuessesLayout {
  struct Metrics {
    double width = 0;
    double line = 22;                      // of a guess, and of each line above the guesses
    double margin = 8, side = 8, gap = 8;  // above and below, at the sides, between cards
    double inset = 8;                      // inside a card
    double smallest_card = 230, largest_card = 420;
  };
  static constexpr int kLinesAbove = 2;  // the sentence, and how sure the model is
  int cards = 0, guesses = 0, columns = 1;
  double card_width = 0, card_height = 0;
  double width = 0, height = 0;  // of everything
  Metrics metrics;

  static GuessesLayout of(int cards, int guesses, const Metrics& metrics);
  QRectF card(int card) const;
  QRectF sentence(int card) const;
  QRectF certainty(int card) const;
  QRectF guess(int card, int rank) const;
  GuessHit place_at(QPointF point) const;
};

}  // namespace headlight
