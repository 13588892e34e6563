// Three heatmaps with one cursor: A, B, and what changed from A to B.
#pragma once

#include <QWidget>
#include <array>

#include "widgets/base/selection.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/compare/compare_layout.h"
#include "widgets/views/compare/compare_subject.h"

namespace headlight {

class ComparePictures : public QWidget {
  Q_OBJECT
 public:
  explicit ComparePictures(Selection* selection, QWidget* parent = nullptr);

  void set_compared(Compared compared, quint64 generation);
  void set_titles(const QString& a, const QString& b);
  const Compared& compared() const { return compared_; }
  Heatmap* heatmap(int which) const { return maps_[static_cast<std::size_t>(which)]; }  // A, B, B - A
  QString change_text() const;                                                          // the largest change in words
  // All three beside each other, whatever there is room for on the screen.
  void paint_picture(QPainter& painter, QSizeF size) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void arrange();
  ComparePicturesLayout layout_for(QSizeF size, bool all) const;
  void show_titles();
  void select(int row, int column);
  void hover(int row, int column);
  void follow_selection();
  void follow_hover();
  void paint_titles(QPainter& painter, const ComparePicturesLayout& layout) const;

  Selection* selection_;
  Compared compared_;
  std::array<Heatmap*, 3> maps_;
  std::array<QString, 3> titles_;
  QString title_a_, title_b_;
  ComparePicturesLayout layout_;
};

}  // namespace headlight
