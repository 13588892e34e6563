// What stands inside of a state when one comes near: a card in its bed with the shares of its parts as a bar and the
// real numbers that it was computed from. Where a card stands follows from the camera alone; how near one is decides
// only whether it is drawn, so that nothing moves when it opens. Pure: no window.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "model/analysis/living/inside.h"
#include "widgets/views/living/scene/scene.h"

namespace headlight {

// A number of a card.
struct LivingNumber {
  int value = -1;  // of LivingInside::values
  Index row = 0, column = 0;
  bool operator==(const LivingNumber&) const = default;
};

struct LivingCard {
  int station = -1, lane = -1;
  Index row = 0;      // of the station
  QRectF rect, bar;   // of the page; the bar of shares is at the bottom, empty where there is none
  QRectF grid;        // where the numbers stand
  double names = 0;   // pixels left of the grid for the names of rows
  double margin = 0;  // pixels of the grid in front of the slots of a memory
  std::shared_ptr<const LivingInside> inside;

  QSizeF cell() const;                            // of most numbers
  QRectF cells(const LivingValues& value) const;  // of the page: all of them
  QRectF cell_of(const LivingNumber& number) const;
  // The number at a point of the page; value -1: none.
  LivingNumber at(QPointF page) const;

 private:
  double x_of(double column) const;
};

// What a state is made of, as pieces of its bar: heads by themselves.
struct LivingSharePiece {
  enum class What { carried, head, other_lanes, written, start };
  What what = What::carried;
  Index head = -1;
  LivingShare share;
  double size = 0, flow = 0;  // 0 .. 1 of the positive parts; of the chosen output
};
struct LivingShareBar {
  std::vector<LivingSharePiece> pieces;
  double against = 0;  // the sum of the negative shares
};

// Values are found once, for as long as a map is shown. Not for several threads.
class LivingInsides {
 public:
  void clear();
  std::shared_ptr<const LivingInside> of(const LivingMap& map, int station, Index row);
  LivingShareBar bar(const LivingScene& scene, int station, Index row);

 private:
  std::map<std::pair<int, Index>, std::shared_ptr<const LivingInside>> made_;
  std::map<std::pair<int, int>, std::vector<double>> heads_;  // by station and part: positive shares [Q x H]
};

// The card of a state; no rect where it has none.
LivingCard living_card(const LivingScene& scene, LivingInsides& insides, int station, Index row);
// Those that are seen in a part of the page.
std::vector<LivingCard> living_cards(const LivingScene& scene, LivingInsides& insides, const QRectF& sight);
// How far cards have faded in, 0 .. 1, where the level has them.
double living_card_opacity(const LivingSizes& sizes, LivingLevel level);

}  // namespace headlight
