// Layers over the text, and how much each state moves an output or another state. As tiles, with the mean of each layer
// beside them; as dots, with the ways on which tokens can reach the chosen one; or, of the inputs alone, as a curve.
//
// Left and right choose the token, up and down the layer, Ctrl+up and Ctrl+down another output; Enter opens the first
// number of the state.
#pragma once

#include <memory>

#include "model/analysis/influence.h"
#include "widgets/canvas/place_canvas.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/influence/influence_layout.h"

namespace headlight {

enum class InfluenceMode { layers, lags, cone };

// What the picture is made from.
struct InfluencePicture {
  std::shared_ptr<const LivingMap> map;
  std::vector<int> rows;         // stations, from top to bottom
  std::vector<AxisLabel> lanes;  // by lane of the map
  StateAt of;                    // whose derivatives they are; without a station the score of what its lane wrote
  StateNumbers numbers;          // influences(); empty: they are not there yet
  std::vector<double> means;     // layer_means()
  struct Curve {
    int station = -1;
    std::vector<double> values;  // by lane: of its embedding
  };
  std::vector<Curve> curves;  // of lags: the chosen layer, and the same one in the other direction
  std::shared_ptr<const StateLinks> links;
  ReceptiveField field;  // of cones

  const LivingStation& station(int row) const { return nth(map->stations, nth(rows, row)); }
  double number(int row, int lane) const;  // NaN: there is none
  int steps(int row, int lane) const;      // -1: it cannot get there
};

class InfluenceCanvas : public PlaceCanvas<InfluenceHit> {
  Q_OBJECT
 public:
  static constexpr int kMostWays = 4000;  // that are drawn; those that move most

  InfluenceCanvas(InfluenceMode mode, QWidget* parent);

  InfluenceMode mode() const { return mode_; }
  // Null: nothing. The cursor stays on its layer and token, as far as there are such.
  void set_picture(InfluenceMode mode, std::shared_ptr<const InfluencePicture> picture);
  const InfluencePicture* picture() const { return picture_.get(); }
  const InfluenceLayout& influence_layout() const { return layout_; }
  StateAt cursor() const;
  void set_cursor(StateAt state);  // does not emit
  void set_hovered_lane(int lane);
  QString sentence() const;  // of the whole picture
  QString description() const override;
  QString place_tooltip(const InfluenceHit& place) const override;

 signals:
  void moved(const headlight::StateAt& state);  // by a person
  void opened(const headlight::StateAt& state);
  void lane_chosen(int lane);  // at its name
  void lane_hovered(int lane);
  void other_output_wanted(int by);

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  InfluenceHit place_at(QPointF point) const override {
    return picture_ ? layout_.place_at(point, std::max(0.0, sight().left())) : InfluenceHit{};
  }
  void press_place(const InfluenceHit& place) override;
  void open_place(const InfluenceHit& place) override;
  void hover_changed() override { emit lane_hovered(hovered().lane); }
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool go_to_other(int by) override;
  bool activate() override;

 private:
  int lanes() const { return picture_ ? static_cast<int>(picture_->lanes.size()) : 0; }
  int rows() const { return picture_ ? static_cast<int>(picture_->rows.size()) : 0; }
  void choose(int row, int lane);
  double shade(double number) const;  // 0 to 1
  QString state_name(int row, int lane) const;
  QString asked_name() const;  // of what is moved
  QString number_sentence(int row, int lane) const;
  void paint_tiles(QPainter& painter, bool marks) const;
  void paint_means(QPainter& painter) const;
  void paint_cone(QPainter& painter, bool marks) const;
  void paint_ways(QPainter& painter) const;
  void paint_curves(QPainter& painter, bool marks) const;
  void paint_distances(QPainter& painter) const;
  void paint_scale(QPainter& painter, double top, double bottom) const;
  void paint_names(QPainter& painter, double left, bool marks) const;

  InfluenceMode mode_;
  std::shared_ptr<const InfluencePicture> picture_;
  double largest_ = 0;
  int row_ = 0, lane_ = 0, hovered_lane_ = -1;
  ColumnHead head_;
  InfluenceLayout layout_;
};

}  // namespace headlight
