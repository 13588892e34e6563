// The computation map: the architecture of any model, drawn from the trace of its run, from the whole down to one
// number. Boxes are groups and values, links what each value was computed from; the nearer one comes, the more a box
// shows: its title, what is inside, its shape, its numbers as colours, and the numbers.
//
// A drag moves the map, a click selects, a double click goes into a box. Arrows go to the next box in that direction
// (of a value that is seen large: to its next number); Enter goes into the box, of a value to its numbers; Escape or
// Backspace comes out again; Ctrl+up and Ctrl+down show the step before or after.
#pragma once

#include <QHash>
#include <QImage>
#include <QVariantAnimation>
#include <memory>
#include <optional>

#include "model/analysis/flow.h"
#include "model/decode/run.h"
#include "widgets/base/selection.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/text/trace_labels.h"
#include "widgets/views/map/map_layout.h"
#include "widgets/views/map/map_picture.h"
#include "widgets/views/map/map_table.h"

namespace headlight {

class MapView : public CanvasView {
  Q_OBJECT
 public:
  explicit MapView(const ViewContext& context, QWidget* parent = nullptr);

  static bool offers(const AnalysedRun& run);

  const Flow& flow() const { return flow_; }
  const MapLayout& map() const { return map_; }
  double scale() const { return camera_.scale; }
  bool is_open(int node) const;
  // While somebody steps through the run: what comes after this trace entry is not computed yet, and muted. -1: all of
  // it is there.
  void set_computed(int entry);
  bool is_computed(int node) const;
  QRectF screen(const QRectF& map) const;  // where it is in this widget
  int place_at(QPointF point) const;       // node of the flow; -1: none

  // The box under the keyboard; of a value that is seen large, one of its numbers.
  int cursor() const { return cursor_; }
  std::optional<Index> cell() const { return cell_; }
  void go_to(int node);  // shows a box as large as fits
  void go_to_cell();     // of the value at the cursor: large enough to read
  void zoom(double factor, QPointF around) override;
  void show_all() override { go_to(0); }

  QSize sizeHint() const override { return {900, 420}; }
  QSize minimumSizeHint() const override { return {220, 150}; }

 protected:
  void refresh() override;
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString empty_text() const override;
  void forget() override;
  QString name() const override;
  QString description() const override;
  QString tooltip(QPointF point) const override;
  Qt::CursorShape hover(QPointF point) override;
  void leave() override;
  void press(QPointF point, Qt::KeyboardModifiers) override;
  void drag(QPointF point) override;
  void release(QPointF point) override;
  void open_at(QPointF point) override;
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool go_to_other(int by) override;
  bool activate() override;
  bool press_key(const QKeyEvent& event) override;
  QPointF zoom_centre() const override { return area().center(); }
  void pan(QPointF pixels) override;

 private:
  // What is seen: the map's point in the middle, and pixels for a map unit.
  struct Camera {
    QPointF centre;
    double scale = 1;
  };
  struct Picture {
    CellScale scale;
    QImage image;
  };
  enum class Light { none, selected, input, output };
  struct Crumb {
    int node = 0;
    QString text;
    QRectF rect;
  };

  // The flow (map_view.cpp)
  void take_trace();
  bool take_steps();  // from the selection; whether they changed
  void follow_selection();
  void mark_selection();
  int find_like(const Flow& before, int node) const;
  QString title(int node) const;

  // The camera (map_camera.cpp)
  QRectF area() const;  // for the map, below the way to the cursor
  QPointF to_map(QPointF point) const { return camera_.centre + (point - area().center()) / camera_.scale; }
  Camera camera_for(int node) const;
  void set_camera(const Camera& camera);
  void fly(const Camera& camera);
  void reveal(int node);  // moves the map so that a box is seen
  double text_scale() const;
  void lay_map();  // for the shape of this widget

  // Input (map_input.cpp)
  void choose(int node, std::optional<Index> cell);
  bool go_to_cell(int right, int down);
  void go_to_end(bool last);
  void show_cell(Index cell);
  void come_out();
  std::optional<Index> cell_at(int node, QPointF point) const;

  // Painting (map_paint.cpp)
  void paint_box(QPainter& painter, int node, int depth) const;
  void paint_whole_box(QPainter& painter, int node, int depth) const;
  QColor paint_group(QPainter& painter, int node, const QRectF& rect, int depth) const;  // its ground
  void paint_title(QPainter& painter, int node, const QRectF& rect, const QColor& fill) const;
  void paint_closed(QPainter& painter, int node, const QRectF& rect) const;
  void paint_links(QPainter& painter, int group) const;
  void paint_leaf(QPainter& painter, int node, const QRectF& rect) const;
  void paint_value(QPainter& painter, const TraceEntry& entry, int index, const MapGrid& grid) const;
  void paint_numbers(QPainter& painter, const TraceEntry& entry, const MapGrid& grid, const QRect& cells,
                     const CellScale& scale) const;
  void paint_crumbs(QPainter& painter) const;
  std::vector<Crumb> crumbs() const;
  MapGrid grid_of(int node, const QRectF& rect) const;
  void light_up();

  std::shared_ptr<const Result> result_;  // of run(), which the camera goes by
  FlowSteps steps_;
  Flow flow_;
  MapLayout map_;
  TraceLabels labels_;
  QString model_name_;
  MapTable table_;

  Camera camera_;
  int computed_ = -1;
  int shown_ = 0;  // what the camera was last sent to; -1: moved by hand since
  QVariantAnimation flight_;
  Camera from_, to_;

  int cursor_ = 0, hover_ = -1;
  std::optional<Index> cell_;
  std::string marked_;             // the selected value that the cursor was last sent to
  std::vector<Light> light_;       // by node
  std::vector<Light> link_light_;  // by link
  std::optional<QPointF> pressed_;
  bool dragged_ = false;

  mutable QHash<int, Picture> pictures_;  // by entry
  mutable qint64 budget_ = 0;             // numbers that may still be looked at while this frame is painted
};

}  // namespace headlight
