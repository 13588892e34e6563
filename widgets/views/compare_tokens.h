// The outputs of two runs above each other, place by place, with how they differ: by shape as well as by colour.
//
// Click or arrow keys select a step of the newer run; hover marks it everywhere.
#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <vector>

#include "model/analysis/difference.h"
#include "widgets/base/selection.h"
#include "widgets/views/compare_layout.h"

namespace headlight {

class CompareTokens : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit CompareTokens(Selection* selection, QWidget* parent = nullptr);

  // Null: nothing is shown.
  void set_results(std::shared_ptr<const Result> before, std::shared_ptr<const Result> after);
  const std::vector<PlacePair>& places() const { return places_; }
  const CompareTokensLayout& tokens_layout() const { return layout_; }
  QString summary() const;                // "2 of 10 tokens differ"
  QString description(int column) const;  // in words, with both probabilities
  void paint_picture(QPainter& painter) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void arrange();
  void announce();
  void select(int column);
  int column_of(std::optional<int> step) const;
  const OutputStep* step(bool after, int column) const;  // null: none there
  QPointF scrolled(QPointF point) const;
  void paint(QPainter& painter, bool marks) const;
  void paint_token(QPainter& painter, int column, bool after) const;
  void paint_mark(QPainter& painter, int column) const;

  Selection* selection_;
  std::shared_ptr<const Result> before_, after_;
  std::vector<PlacePair> places_;
  CompareTokensLayout layout_;
  int cursor_ = -1;
};

}  // namespace headlight
