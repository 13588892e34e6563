// Where everything of the living map stands. Each family of models lays itself out (layout_*.cpp); what is drawn, lies
// under the mouse and is exported follows from the places that are given here. Pure: no window.
//
// Coordinates are those of a page, which the camera stretches; what is seen of it is moved by LivingCamera::scroll.
// Titles and head pictures stand above it and move sideways only; names and next words stand beside it.
#pragma once

#include <QRectF>
#include <QString>
#include <vector>

#include "widgets/views/living/scene/band.h"
#include "widgets/views/living/scene/camera.h"
#include "widgets/views/living/scene/stack.h"

namespace headlight {

inline constexpr double kMargin = 24, kPercent = 50;  // pixels: of the page; of a share that is written

struct LivingMetrics {
  QSizeF view;
  LivingCamera camera;
  double line = 17, small = 14;  // heights of lines of text
  double names = 70, next = 60;  // the widest word read, the widest one written
  int chosen = -1;               // lane; -1: none
  bool pictures = true;          // of the heads
  QSizeF corner = {0, 0};        // at the upper right, of a control: headings end beside it, lanes below it
};

struct LivingRow {
  double y = 0, bed = 0;  // middle and thickness; bed 0: this lane is not on the page
  double pitch = 0;       // from a lane to the next
  double x0 = 0, x1 = 0;  // where its bed begins and ends
  double name_right = 0;  // the right edge of its name, where the page is not moved
  bool has_next = false;  // what it gives is written at the right
  bool named = true;      // its name stands at name_right
  int folded = 1;         // lanes that it stands for: blanks
};

// A station: bands run from x0 to x1, where its states are made of them.
struct LivingStop {
  double x0 = 0, x1 = 0, after = 0;  // after: where the next one begins
  bool shown = false;
  bool upright = false;  // the river runs down or up the page: x0, x1 are its left and right
};

struct LivingPicture {
  QRectF rect;
  int station = -1, part = -1;
  Index head = -1;  // -1: the largest of all heads
  bool numbered = true;
  bool fixed = false;  // does not move with the page
};

// The real numbers of a state, as colours; of an MLP with a router the shares of its experts.
struct LivingStrip {
  QRectF rect;  // of the page
  int station = -1, lane = -1;
};

// A step of a river that runs along the text: it keeps a part of itself, and writes the rest.
struct RiverStep {
  QRectF rect;  // of the page
  bool up = false;
  double written = 0;                       // 0 .. 1 of its width
  double before = 0, after = 0, wrote = 0;  // of the output
  int station = -1, lane = -1;
};

struct LivingScene;
struct LaneBand;

struct LivingTitle {
  enum class What {
    layer,
    encoder_layer,
    decoder_layer,
    mlp,
    canals,
    read,
    next,
    cross_heads,
    text,
    encoder,
    decoder,
    states,
    beside,  // what was looked up and the state, of a step
    attention,
    controller,
    memory
  };
  What what = What::layer;
  Index layer = -1;
  int station = -1;  // whose shares it tells
  QRectF rect;
  bool fixed = false;    // does not move sideways
  bool scrolls = false;  // moves with the lanes too
};

struct LivingLayout {
  LivingMetrics metrics;
  QRectF body;                    // of the view: where the page is seen
  QSizeF fixed = {0, 0};          // pixels of the page that do not stretch
  std::vector<LivingRow> rows;    // by lane
  std::vector<LivingStop> stops;  // by station
  std::vector<LivingPicture> pictures;
  std::vector<LivingTitle> titles;
  double next_x = 0;    // of the view: where next words begin
  double divider = -1;  // of the page: between what was given and what was written; -1: nothing is
  bool beds = true;     // lanes have one from their beginning to their end
  std::vector<LivingStrip> strips;
  // Recurrent: where the states stand, what decides an output begins, and its numbers stand.
  std::pair<double, double> states, beside;
  double bars = 0;
  QRectF key, words;  // of the view: the key of the colours, and the line beside it
  double slot = 0;    // height of the room under the chosen lane

  LivingSizes sizes() const;
  LivingCamera::Room room() const { return {body.size(), fixed}; }
  QPointF to_page(QPointF point) const { return point + metrics.camera.scroll; }
  QPointF to_view(QPointF point) const { return point - metrics.camera.scroll; }
  // Lane whose row is at this height of the page; -1: none.
  int lane_at(QPointF page) const;
};

class LivingPlan {
 public:
  virtual ~LivingPlan() = default;
  virtual LivingLayout arrange(const LivingMap& map, const LivingMetrics& metrics) const = 0;
  // The bands of a state, on the page.
  virtual Band band(const LivingMap& map, const LivingLayout& layout, int station, Index row,
                    const StackPiece& piece) const = 0;
  // Where the numbers behind a state stand when one comes near, on the page; of a memory one for all its slots (row 0).
  // Empty: nowhere.
  virtual QRectF inside(const LivingMap&, const LivingLayout&, int /*station*/, Index /*row*/) const { return {}; }
  // Where rivers run along the text: their steps, and what leads to and from them, of one lane or all (-1). False:
  // lanes run from left to right, station by station.
  virtual bool rivers(const LivingScene&, int /*lane*/, std::vector<RiverStep>*, std::vector<LaneBand>*) const {
    return false;
  }
};

// The line at the bottom: the key of the colours, and words beside it.
double footer_height(const LivingMetrics& metrics);
void put_footer(LivingLayout& layout);
// Of the column with what is written and how sure; the corner is above it.
double next_width(const LivingMetrics& metrics);
// What would stand at this height of that column, or lower.
double below_corner(const LivingMetrics& metrics, double y);

// Whether a river is read against the order of the text.
bool runs_up(const LivingStation& station);

// Null: its box diagram serves.
const LivingPlan* living_plan(LivingMap::Family family);

// The families, each in a file of its own.
extern const LivingPlan& kStackedPlan;    // layers from left to right
extern const LivingPlan& kRecurrentPlan;  // rivers along the text
extern const LivingPlan& kMemoryPlan;     // canals beside a controller

}  // namespace headlight
