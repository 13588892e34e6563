// What the units of a cell know after each token: eight that tell something as bars on the columns of the text, one of
// them opened into its addition, and all of them as a map, a line each.
//
// A click on a unit or on a line of the map opens it. Left and right choose the place, up and down the unit, Space a
// row of the opened one, Shift with up and down a line of the map, Ctrl+up and Ctrl+down another layer or cell; Enter
// opens the number.
#pragma once

#include <QImage>
#include <memory>

#include "widgets/canvas/place_canvas.h"
#include "widgets/matrix/cells.h"
#include "widgets/views/states/states_layout.h"
#include "widgets/views/states/states_words.h"

namespace headlight {

struct StatesCursor {
  int track = 0;  // of the cell
  int place = 0;  // of the cell
  Index unit = 0;
  bool operator==(const StatesCursor&) const = default;
};

class StatesCanvas : public PlaceCanvas<StatesHit> {
  Q_OBJECT
 public:
  // What a place of a convolution sees.
  struct Cone {
    Index kernel = 0;  // 0: no convolutions
    bool causal = false;
  };

  explicit StatesCanvas(QWidget* parent = nullptr);

  void set_cell(std::shared_ptr<const StateCell> cell, Cone cone);  // null: nothing
  const StateCell* cell() const { return cell_.get(); }
  const StatesCursor& cursor() const { return cursor_; }
  void set_cursor(StatesCursor cursor);  // the nearest that there is, which opens its unit; does not emit
  void set_hover_place(int place);       // marked from outside; -1: none
  const StatesLayout& states_layout() const { return layout_; }

  // Units in groups as they stand from top to bottom, and all of them as the lines of the map.
  struct Group {
    QString title;
    std::vector<Index> units;
  };
  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<Index>& map_order() const { return telling_.order; }
  // The places that are shown: of several paddings, the one read last stands for all.
  const std::vector<int>& places() const { return places_; }
  bool is_folded() const { return folded_ >= 0; }
  void set_unfolded(bool unfolded);

  ReceptiveCone cone() const;  // of the chosen place
  QString cone_text() const;   // "position 5 of layer 3 sees 7 tokens"
  QString description() const override;
  QString place_tooltip(const StatesHit& place) const override;
  double largest() const { return largest_; }  // of the numbers, for the colours

 signals:
  void moved(const headlight::StatesCursor& cursor);
  void opened(const headlight::StatesCursor& cursor);
  void placeHovered(int place);  // -1: left
  void other_cell_wanted(int by);

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  void forget() override { map_ = {}; }
  QString name() const override;
  StatesHit place_at(QPointF point) const override { return layout_.place_at(point, held(sight())); }
  void press_place(const StatesHit& place) override;
  void open_place(const StatesHit& place) override;
  void hover_changed() override;
  void drag(QPointF point) override;
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool go_to_other(int by) override;
  bool activate() override;
  bool press_space() override;
  bool press_key(const QKeyEvent& event) override;

 private:
  int column() const;  // of the chosen place; -1: it is folded away
  int place_of(int column) const { return nth(places_, column); }
  Index unit_at(int shown) const;
  void find_groups();
  void find_places();
  StatesCursor nearest(StatesCursor cursor) const;
  void choose(StatesCursor cursor);
  double held(const QRectF& sight) const;  // how far names go along, so that they stay in sight
  QString value_text(const StatesCursor& at) const;
  QString direction_text() const;       // of a cell that reads from the end
  static constexpr double kArrow = 40;  // room for the arrow behind it
  void paint_units(QPainter& painter, const QRectF& sight, bool marks) const;
  void paint_bars(QPainter& painter, Index unit, const QRectF& row, bool numbered, bool marks) const;
  void paint_story(QPainter& painter, bool marks) const;
  void paint_names(QPainter& painter, double left, bool marks) const;
  void paint_map(QPainter& painter, bool marks) const;
  void paint_about(QPainter& painter) const;

  std::shared_ptr<const StateCell> cell_;
  Cone cone_;
  TellingUnits telling_;
  std::vector<Group> groups_;
  std::vector<int> places_;
  int folded_ = -1;                         // column that stands for several; -1: none
  bool unfolded_ = false, chosen_ = false;  // chosen_: a person has opened a unit
  std::vector<AxisLabel> labels_;
  std::vector<StoryRow> story_;
  double largest_ = 1;  // of the numbers that bars show
  StatesCursor cursor_;
  int hover_place_ = -1;
  ColumnHead head_;
  StatesLayout layout_;
  mutable QImage map_;  // made when it is first painted
};

}  // namespace headlight
