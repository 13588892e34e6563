// Changing the weights of an attention map that a picture shows: by a drag up or down, by keys, or by a number.
#pragma once

#include <QObject>
#include <QPointF>
#include <functional>
#include <optional>

#include "model/analysis/weights.h"
#include "widgets/canvas/map_cursor.h"

class QMenu;

namespace headlight {

class Canvas;
class Heatmap;
class Selection;
class ViewRequests;

// The weight that is chosen follows a plain drag; while the person is changing things (Selection::changing), any
// does, and what is seen moves with the middle button or Shift and the wheel. Shift with the up and down keys does the
// same, F2 asks for the number. Where a weight cannot be changed, it says why.
class WeightDrag : public QObject {
  Q_OBJECT
 public:
  // Where the weights of a head are in a picture. Points are those of its viewport.
  struct Picture {
    Canvas* canvas;
    std::function<std::optional<MapCell>(QPointF)> at;  // a column of -1: several together
    std::function<MapCell()> chosen;
    std::function<double(const MapCell&)> weight;
  };
  WeightDrag(Picture picture, Selection* selection, ViewRequests* requests);
  WeightDrag(Heatmap* heatmap, Selection* selection, ViewRequests* requests);

  // What the picture shows; null: nothing that has weights.
  void show(std::shared_ptr<const AttentionMap> map, Index head, bool stored = false);
  // Why this weight cannot be changed; empty: it can.
  QString obstacle(int row, int column) const;
  // Why nothing is seen there; empty: there is a weight.
  QString hidden(int row, int column) const;
  bool can_drag(const MapCell& cell) const;
  // What a drag of it does, or why it does nothing; empty: it is not chosen.
  QString hint(const MapCell& cell) const;
  void set(int row, int column, double value);
  void ask(int row, int column);  // for the number
  // "Set this weight…", "Give it all the weight".
  void add_actions(QMenu* menu, int row, int column);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool has(int row, int column) const;
  bool follows(const MapCell& cell) const;  // a plain drag
  void explain(const QString& why) const;
  bool mouse(QEvent* event);
  bool key(QEvent* event);

  Picture picture_;
  Selection* selection_;
  ViewRequests* requests_;
  std::shared_ptr<const AttentionMap> map_;
  Index head_ = 0;
  bool stored_ = false;
  int row_ = -1, column_ = -1;  // whose weight the mouse has
  QPointF pressed_;
  double weight_ = 0;  // when it was pressed
  bool dragging_ = false;
};

}  // namespace headlight
