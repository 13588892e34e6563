// What is drawn of a map at one camera: an unchanging snapshot, so that a worker can draw it while the window goes on.
// Window, worker and files draw it alike. The ground (beds, every ribbon by field.h, lanes) is a picture that is kept;
// the strongest ribbons and all words are drawn each time.
#pragma once

#include <QImage>
#include <memory>

#include "model/core/cancel.h"
#include "widgets/views/living/scene/ink.h"
#include "widgets/views/living/scene/layout.h"

class QPainter;

namespace headlight {

// A lane on its way: what is carried on inside a station, or the bed between two.
struct LaneBand {
  Band band;
  double flow0 = 0, flow1 = 0, fade = 1;  // fade: at which part of the way the flow is flow1
  int station = -1;
  int lane = -1;
  bool ribbon = false;  // in the colours of ribbons: what serves other outputs stays seen
  LivingShare share{};  // that it is, beside a river; station -1: it is a lane
};
struct WrittenBand {
  Band band;
  double flow = 0;
  LivingShare share;
};

struct LivingScene {
  std::shared_ptr<const LivingMap> map;
  std::shared_ptr<const LivingStack> stack;
  std::shared_ptr<const LivingFlow> flow;  // null: nothing is chosen
  const LivingPlan* plan = nullptr;
  LivingLayout layout;
  LivingInk ink;
  int chosen = -1;                   // lane that a wash lies under; -1: none
  std::vector<LivingShare> current;  // the strongest ribbons, which lie on the others; the strongest comes first

  bool has_flow() const { return flow != nullptr; }
  // How much of the output runs through a state; 0 where nothing is chosen.
  double at(int station, int lane) const;
  double flow_of(const LivingShare& share) const;
  // Depths of colours.
  double lane_depth(double through) const;
  double ribbon_depth(double through) const;
  double written_depth(double through) const;

  // On the page. Lanes and what is written by the steps themselves; of one lane, or of all (-1).
  std::vector<LaneBand> lane_bands(int lane = -1) const;
  std::vector<WrittenBand> written_bands(int lane = -1) const;
  // One piece of a bed.
  Band band(const LivingShare& share) const;
  // All that crosses from lane to lane at a station, in pixels of a picture that begins at `corner` of the page.
  std::vector<FieldBand> ribbons(int station, QPointF corner, double ratio) const;
  bool crosses(int station, const LivingPart& part) const;
  std::vector<RiverStep> river_steps(int lane = -1) const;
  double pairs(int station) const;  // how many that are

  // Beds, ribbons and lanes: what does not change while the mouse moves. `sight`: of the page; in points of the view.
  void paint_ground(QPainter& painter, const QRectF& sight, double ratio, const CancelToken& cancel = {}) const;
  void paint_current(QPainter& painter, const QRectF& sight) const;
  // Both on paper, of ratio points for each pixel. Throws Cancelled.
  QImage ground(const QRectF& sight, double ratio, const CancelToken& cancel = {}) const;
  double cost(double ratio) const;  // of ground(), in milliseconds, roughly
  // Where nothing else is there yet: empty beds, and the strongest ribbons.
  void paint_coarse(QPainter& painter, const QRectF& sight) const;
  // The same with paths, for files; ribbons stay a picture, of this many points for each pixel.
  void paint_vectors(QPainter& painter, double ratio) const;
  void paint_lane(QPainter& painter, int lane) const;
  void paint_written(QPainter& painter, const WrittenBand& band) const;
  void paint_ribbon(QPainter& painter, const LivingShare& share) const;

 private:
  void paint_wash(QPainter& painter, const QRectF& sight) const;  // under the chosen lane
  void paint_beds(QPainter& painter, const QRectF& sight) const;
  void paint_banks(QPainter& painter, const QRectF& sight) const;  // of the other lanes
  void paint_band(QPainter& painter, const LaneBand& band) const;
  void paint_river(QPainter& painter, const RiverStep& step) const;
};

}  // namespace headlight
