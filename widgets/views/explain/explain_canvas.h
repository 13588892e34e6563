// The four steps as rows of cells below each other, on the columns of the picture above them.
#pragma once

#include <optional>

#include "widgets/canvas/place_canvas.h"
#include "widgets/canvas/text_columns.h"
#include "widgets/text/axis_label.h"
#include "widgets/views/explain/explain_rows.h"

namespace headlight {

struct ExplainHit {
  int row = -1, number = -1;
  bool operator==(const ExplainHit&) const = default;
};

class ExplainCanvas : public PlaceCanvas<ExplainHit> {
  Q_OBJECT
 public:
  explicit ExplainCanvas(Selection* selection, QWidget* parent = nullptr);
  void set_rows(std::optional<ExplainRows> rows);
  const std::optional<ExplainRows>& rows() const { return rows_; }
  // Where the columns of the picture above are, from the left edge of this widget; empty: they are spread evenly.
  void set_columns(std::vector<std::pair<double, double>> columns);
  QRectF number_rect(const ExplainHit& place) const;
  QString place_tooltip(const ExplainHit& place) const override;
  // The tokens of the columns, for a picture that stands alone: on the screen they are over the picture above. Its
  // height, 0: no row stands on tokens; and painted with its bottom there.
  double tokens_height() const;
  void paint_tokens(QPainter& painter) const;
  // Whether they stand here already, for the picture above has other columns.
  bool shows_tokens() const { return columns_.empty() && row_of_tokens() >= 0 && !labels_.empty(); }
  QString sentence(const ExplainRows::Row& row) const;
  static QString title(ExplainRows::Kind kind);
  QSize sizeHint() const override { return {640, 320}; }

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override;
  QString description() const override;
  ExplainHit place_at(QPointF point) const override;
  void press_place(const ExplainHit& place) override { choose(place); }
  void hover_changed() override;
  bool is_pressable(const ExplainHit&) const override { return false; }
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;
  bool activate() override;
  QString empty_text() const override;

 private:
  void choose(const ExplainHit& place);
  std::optional<ExplainHit> chosen() const;
  int row_of_tokens() const;  // the first that stands on them; -1: none
  TextColumns token_columns() const;
  std::vector<AxisLabel> token_labels() const;
  QString number_text(const ExplainRows::Row& row, double value) const;
  void paint_row(QPainter& painter, int row, bool marks) const;
  void place_candidates();
  int shown(const ExplainRows::Row& row) const;  // of its numbers; candidates are left out where there is no room
  void paint_candidates(QPainter& painter, int row) const;

  Selection* selection_;
  std::optional<ExplainRows> rows_;
  std::vector<AxisLabel> labels_;
  std::vector<std::pair<double, double>> columns_;
  std::vector<double> candidates_;  // where each that is shown begins, and where the last ends
  double width_ = 0, top_ = 0, heading_ = 0, strip_ = 0, pitch_ = 0, bar_ = 0;
};

}  // namespace headlight
