// How a model knows the order of its tokens: on the columns of the text two numbers of each place as waves, the numbers
// that change most, and how alike two places are; what was learned stands beside the rule. Of rotary positions: the
// queries of a head before and after, a pair of them as two hands of a clock, and the product with a key by distance.
//
// A click or a drag chooses a place and a number; left and right the place, up and down the number; Space goes to the
// next table. Of rotations, up and down choose the position, left and right the pair, Shift with up and down the key;
// A turns between the products and the angles by position, which long texts press together. What is added to scores by
// distance is a line for each head: up and down choose the head, left and right the distance.
#pragma once

#include <QImage>
#include <memory>
#include <optional>

#include "model/analysis/distance_bias.h"
#include "model/analysis/position_tables.h"
#include "model/analysis/rotations.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/captioned.h"
#include "widgets/tables/matrix_model.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/positions/places_layout.h"
#include "widgets/views/positions/positions_layout.h"

class QComboBox;

namespace headlight {

class PositionsView : public CanvasView, public Captioned {
  Q_OBJECT
 public:
  explicit PositionsView(const ViewContext& context = {}, QWidget* parent = nullptr);

  // Whether positions enter the model as rows of a table, or turn its queries and keys.
  static bool offers(const AnalysedRun& run);
  void set_tables(std::vector<PositionTable> tables);
  void set_rotation(RotaryHead head);  // keeps what is chosen
  void choose_head(const RotaryLayer& layer, int head);
  bool is_empty() const { return tables_.empty() && biases_.empty(); }
  const std::vector<PositionTable>& tables() const { return tables_; }

  int table() const { return table_; }
  int position() const { return position_; }
  int pair() const { return pair_; }
  void choose(int table, int position, int pair);  // nearest that there are

  // Of a rotation: the head that is shown, and the row whose key meets the query; null and -1 of tables.
  bool shows_angles() const { return angles_shown_; }
  void show_angles(bool show);
  const std::vector<DistanceBias>& biases() const { return biases_; }
  const RotaryHead* rotation() const { return rotation_ ? &*rotation_ : nullptr; }
  int key() const;
  ColourKey colour_key() const override;
  void choose_key(int row);

  const PositionsLayout& positions_layout() const { return layout_; }  // of a rotation
  // Of tables: the numbers that have a line, the two that are waves, and what is said of a table.
  const PlacesLayout& places_layout() const { return places_; }
  const std::vector<int>& numbers() const { return order_; }
  int wave_number(int wave) const;
  QString table_sentence(const PositionTable& table) const;
  std::vector<double> likeness(const PositionTable& table) const;
  QColor table_colour(int table) const;  // of its line and its hand
  QString description() const override;  // of what is chosen

  QSize sizeHint() const override { return {620, 420}; }

 signals:
  void chosen(int table, int position, int pair);

 protected:
  void refresh() override;
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString empty_text() const override { return is_empty() ? description() : QString(); }
  void forget() override;
  QString name() const override;
  QString tooltip(QPointF point) const override;
  Qt::CursorShape hover(QPointF point) override;
  void press(QPointF point, Qt::KeyboardModifiers) override;
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  void drag(QPointF point) override;
  void release(QPointF) override { dragged_ = {}; }
  bool press_key(const QKeyEvent& event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void update_numbers();
  void drag_to(const PositionsHit& place, QPointF point);
  const PositionTable& active() const { return nth(tables_, table_); }
  QString table_name(const PositionTable& table) const;
  const QImage& picture(int table) const;
  double value(Index position, bool second) const;  // of the chosen pair in the chosen table
  void paint_table(QPainter& painter, int table) const;
  void paint_caption(QPainter& painter, const QRectF& rect, const QString& text) const;
  void paint_frame(QPainter& painter, const QRectF& rect, double top, double bottom) const;
  void paint_row_names(QPainter& painter, const QRectF& rect, int rows) const;

  // Tables (positions_places.cpp)
  void find_places();
  int slow_number() const;
  QString wave_words(int wave) const;
  QString numbers_title() const;
  QString numbers_words() const;
  QString likeness_words() const;
  std::vector<int> panels() const;
  QSizeF arrange_places(QSizeF view);
  void paint_places(QPainter& painter) const;
  void paint_panel(QPainter& painter, int index, int table) const;
  const std::vector<AxisLabel>& labels_of(int table) const { return nth(labels_, table); }
  void press_places(QPointF point);
  QString places_tooltip(const PlacesHit& hit) const;

  // Rotations (positions_rotary.cpp)
  QWidget* build_choices();
  void show_choices();
  void place_choices();
  void take_rotation();
  double row_position(int row) const { return nth(rotation_->positions, row); }
  QString row_name(int row) const;
  QString angle_words() const;
  QString rotation_description() const;
  QString rotation_tooltip(const PositionsHit& place) const;
  int row_at_distance(int distance) const;  // whose key is nearest to it
  void paint_rotation(QPainter& painter) const;
  void paint_products(QPainter& painter) const;

  // Angles and biases (positions_curves.cpp)
  RotaryAngles angles() const;
  QString angles_caption() const;
  void paint_angles(QPainter& painter) const;
  void take_biases();
  QString bias_description() const;
  void paint_biases(QPainter& painter) const;

  std::shared_ptr<const ModelBundle> model_;  // whose tables these are
  std::vector<PositionTable> tables_;
  int table_ = 0, position_ = 0, pair_ = 0;
  std::optional<RotaryHead> rotation_;
  std::vector<RotaryLayer> layers_;
  RotaryLayer layer_;
  int head_ = 0, key_ = 0;
  QWidget* choices_ = nullptr;
  QComboBox *layer_box_ = nullptr, *head_box_ = nullptr, *picture_box_ = nullptr;
  bool angles_shown_ = false;
  std::vector<DistanceBias> biases_;  // of a model that adds to its scores; table_ says whose
  PositionsLayout layout_;
  PositionsHit dragged_;
  MatrixModel numbers_;                         // of the chosen table
  int count_ = 0;                               // places that are shown
  std::vector<std::vector<AxisLabel>> labels_;  // of each table: what stands at them
  std::vector<int> order_;
  int trained_ = 0;                       // places that the model was trained on; 0: not known
  std::vector<ColumnHead> column_heads_;  // of the panels, all as high as the highest
  PlacesLayout places_;
  mutable std::vector<QImage> pictures_;
};

}  // namespace headlight
