// What the model wrote, each token behind its row of the picture with how sure the model was; below each other, where
// the picture has no rows of the output.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "widgets/base/selection.h"

class QMenu;

namespace headlight {

class RowPicture;
class ViewRequests;
struct Result;

class OutputColumn : public QWidget {
  Q_OBJECT
 public:
  OutputColumn(Selection* selection, ViewRequests* requests, QWidget* parent = nullptr);
  // Pictures with rows of the output: the tokens stand beside those of the first one that is seen.
  void follow(RowPicture* picture);
  void set_result(std::shared_ptr<const Result> result);
  void set_visible_steps(int count);  // later ones were not written yet (stepping); -1: all
  // Rows that are seen now, from the top, each with its output step.
  struct Row {
    int step = 0;
    QRectF rect;
    bool operator==(const Row&) const = default;
  };
  std::vector<Row> rows() const;
  QRectF chosen_row() const;       // empty: none
  void set_covered(bool covered);  // a lesson asks for it: nothing is told of it
  // Of a vector that stands for the text as a whole, which of its numbers is there; -1: none.
  int number_at(QPointF point) const;
  // The tokens that a step could have written, to be written instead: from there on, or there only.
  void fill_menu(QMenu* menu, int step) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {0, 0}; }

 signals:
  // This output, the model going on after it.
  void beginningWanted(const QString& text) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  std::optional<int> step_at(QPointF point) const;
  static QString head_of(const Result& result);
  QRectF ground_of(const QRectF& row) const;
  QRectF vector_place(const std::vector<Row>& shown) const;
  QRectF numbers_place(const QRectF& place) const;
  void paint_vector(QPainter& painter, const QRectF& place, bool whole) const;
  double line_height() const;
  void measure();
  void announce();

  std::vector<RowPicture*> pictures_;
  Selection* selection_;
  ViewRequests* requests_;
  std::shared_ptr<const Result> result_;
  int visible_steps_ = -1;
  bool covered_ = false;
  double widest_ = 0;  // of the tokens
  QSize hint_;         // that what stands around was last laid out for
};

}  // namespace headlight
