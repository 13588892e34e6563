// The part of a heatmap that QCustomPlot does: the colour map and its buffered layers. No other file includes it.
#pragma once

#include <QWidget>
#include <functional>
#include <memory>

namespace headlight {

struct HeatmapScene;
struct HeatmapLayout;

class HeatmapPlot {
 public:
  // What the plot asks for and tells.
  struct Hooks {
    std::function<void(QPainter&)> paint_frame, paint_marks;
    std::function<void()> before_paint, after_paint;
  };
  HeatmapPlot(QWidget* parent, Hooks hooks);
  ~HeatmapPlot();

  QWidget* widget() const;
  void set_values(const HeatmapScene& scene, const HeatmapLayout& layout);
  bool fits(const HeatmapScene& scene,
            const HeatmapLayout& layout) const;  // the values are reduced as this layout needs them
  void set_colours(const HeatmapScene& scene);
  void set_geometry(const HeatmapLayout& layout);
  void draw(bool now);        // everything; `now`: onto the screen before this returns
  void draw_marks(bool now);  // only what follows the mouse and the cursor

 private:
  struct Private;
  std::unique_ptr<Private> d_;
};

}  // namespace headlight
