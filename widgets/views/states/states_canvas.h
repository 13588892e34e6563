// A cell along its time: a picture for each of its gates and states, and below it one unit as lines, with its
// arithmetic written out. For convolutions also the cone of what a position sees.
//
// A click chooses a unit and a step, in the cone a layer and a position; left and right the step, up and down the unit,
// Space the next picture, Ctrl+up and Ctrl+down another layer or cell; Enter opens the number.
#pragma once

#include <QImage>
#include <memory>

#include "widgets/canvas/place_canvas.h"
#include "widgets/matrix/cell_picture.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/states/states_layout.h"
#include "widgets/views/states/states_words.h"

namespace headlight {

struct StatesCursor {
  int track = 0, place = 0;
  Index unit = 0;
  bool operator==(const StatesCursor&) const = default;
};

class StatesCanvas : public PlaceCanvas<StatesHit> {
  Q_OBJECT
 public:
  enum class Order { index, change, openness };
  // The layers of convolutions of the cell's side: how far the gates of each are open on the average, by place.
  struct Cone {
    Index kernel = 0;  // 0: no convolutions
    bool causal = false;
    std::vector<std::vector<double>> openness;
  };

  explicit StatesCanvas(QWidget* parent = nullptr);

  void set_cell(std::shared_ptr<const StateCell> cell, Cone cone);  // null: nothing
  const StateCell* cell() const { return cell_.get(); }
  void set_order(Order order);
  Order order() const { return order_; }
  const std::vector<Index>& units() const { return units_; }  // as they stand from top to bottom
  const StatesCursor& cursor() const { return cursor_; }
  void set_cursor(StatesCursor cursor);  // the nearest that there is; does not emit
  void set_hover_place(int place);       // marked from outside; -1: none
  const StatesLayout& states_layout() const { return layout_; }

  // The unit that a cell of a picture shows: of those that share it the most extreme one, a gate's farthest from ½.
  Index unit_shown(int track, int place, int row) const;
  ReceptiveCone cone() const;  // of the layer and place under the mouse, else of the chosen ones
  QString cone_text() const;   // "position 5 of layer 3 sees 7 tokens"
  QString description() const override;
  QString place_tooltip(const StatesHit& place) const override;

 signals:
  void moved(const headlight::StatesCursor& cursor);
  void opened(const headlight::StatesCursor& cursor);
  void placeHovered(int place);  // -1: left
  void layer_wanted(int layer, int place);
  void other_cell_wanted(int by);
  void arranged();  // another number of units may share a row now

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  void forget() override { pictures_.assign(cell_ ? cell_->tracks.size() : 0, {}); }
  QString name() const override;
  StatesHit place_at(QPointF point) const override { return layout_.place_at(point); }
  void press_place(const StatesHit& place) override;
  void open_place(const StatesHit& place) override;
  void hover_changed() override;
  Qt::CursorShape pointer(const StatesHit& place) const override;
  void drag(QPointF point) override { press(point, {}); }
  bool go(int right, int down) override;
  bool go_to_other(int by) override;
  bool activate() override;
  bool press_space() override;

 private:
  struct Picture {
    QImage image;
    CellScale scale;
    std::vector<double> means;
  };
  struct Node {
    int place = 0, layer = 0;
  };
  Node cone_node() const;
  void sort_units();
  void choose(StatesCursor cursor);
  int row_of(Index unit) const { return rank_[static_cast<std::size_t>(unit)] / layout_.units_of_row; }
  QString value_text(const StatesCursor& at) const;
  QStringList arithmetic() const;
  double arithmetic_height(double width) const;
  const Picture& picture(int track) const;
  void paint_panel(QPainter& painter, int track) const;
  void paint_marks(QPainter& painter, int track) const;
  void paint_chart(QPainter& painter) const;
  void paint_legend(QPainter& painter) const;
  void paint_cone(QPainter& painter) const;
  void paint_cone_edges(QPainter& painter, const ReceptiveCone& cone) const;
  QPen track_pen(int track, double width) const;

  std::shared_ptr<const StateCell> cell_;
  Cone cone_;
  Order order_ = Order::index;
  std::vector<Index> units_;
  std::vector<int> rank_;  // of a unit in units_
  std::vector<AxisLabel> labels_, fed_;
  StatesCursor cursor_;
  int hover_place_ = -1;
  StatesLayout layout_;
  mutable std::vector<Picture> pictures_;  // made when they are first painted
};

}  // namespace headlight
