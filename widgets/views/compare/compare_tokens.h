// The outputs of two runs above each other, place by place, with how they differ: by shape as well as by colour.
//
// A click or the cursor selects a step of the newer run; hover marks it everywhere.
#pragma once

#include <memory>
#include <vector>

#include "model/analysis/difference.h"
#include "widgets/base/selection.h"
#include "widgets/canvas/canvas.h"
#include "widgets/views/compare/compare_layout.h"

namespace headlight {

class CompareTokens : public Canvas {
  Q_OBJECT
 public:
  explicit CompareTokens(Selection* selection, QWidget* parent = nullptr);

  // Null: nothing is shown.
  void set_results(std::shared_ptr<const Result> before, std::shared_ptr<const Result> after);
  const std::vector<PlacePair>& places() const { return places_; }
  const CompareTokensLayout& tokens_layout() const { return layout_; }
  QString summary() const;                // "2 of 10 tokens differ"
  QString description(int column) const;  // in words, with both probabilities

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

 protected:
  QSizeF arrange(QSizeF view) override;
  void paint(QPainter& painter, const QRectF& sight, bool marks) const override;
  QString name() const override { return tr("Outputs of A and B: %1").arg(summary()); }
  QString description() const override;
  QString tooltip(QPointF point) const override { return description(layout_.column_at(point)); }
  Qt::CursorShape hover(QPointF point) override;
  void press(QPointF point, Qt::KeyboardModifiers) override;
  QRectF cursor_rect() const override;
  bool go(int right, int down) override;

 private:
  void select(int column);
  int column_of(std::optional<int> step) const;
  const OutputStep* step(bool after, int column) const;  // null: none there
  void paint_token(QPainter& painter, int column, bool after) const;
  void paint_mark(QPainter& painter, int column) const;

  Selection* selection_;
  std::shared_ptr<const Result> before_, after_;
  std::vector<PlacePair> places_;
  CompareTokensLayout layout_;
  int cursor_ = -1;
};

}  // namespace headlight
