// A and B side by side with one cursor, and on wish what changed from A to B.
#pragma once

#include <QWidget>
#include <array>

#include "widgets/base/selection.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/compare/compare_layout.h"
#include "widgets/views/compare/compare_subject.h"

namespace headlight {

// Above a picture: which run it is, what is known of it, and what it wrote, with what is another one marked.
struct CompareTitle {
  struct Token {
    QString text;
    bool same = true;
  };
  QString name, detail;
  std::vector<Token> output;
  bool spaced = false;  // between the tokens
};

class ComparePictures : public QWidget {
  Q_OBJECT
 public:
  explicit ComparePictures(Selection* selection, QWidget* parent = nullptr);

  void set_compared(Compared compared, quint64 generation);
  void set_titles(CompareTitle a, CompareTitle b);
  const CompareTitle& title(int which) const { return which == 0 ? title_a_ : title_b_; }
  void set_difference_shown(bool shown);
  bool difference_shown() const { return difference_; }
  const Compared& compared() const { return compared_; }
  Heatmap* heatmap(int which) const { return nth(maps_, which); }  // A, B, B - A
  QString change_text() const;                                     // the largest change in words
  // Two, or all three with their difference, beside each other, whatever there is room for on the screen.
  void paint_picture(QPainter& painter, QSizeF size) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();
  ComparePicturesLayout layout_for(QSizeF size, bool all) const;
  void show_titles();
  void select(int row, int column);
  void hover(int row, int column);
  void follow_selection();
  void follow_hover();
  // Of the line above a picture: its height, and what it needs to be whole.
  static double title_height();
  static double output_width(const CompareTitle& title);
  static double title_width(const CompareTitle& title, const QString& name);
  // `keys`: with the colours that nothing else explains.
  void paint_titles(QPainter& painter, const ComparePicturesLayout& layout, bool keys) const;
  static double paint_key(QPainter& painter, const QRectF& line, const Heatmap& map);
  void paint_title(QPainter& painter, const CompareTitle& title, const QString& name, const QRectF& rect) const;

  Selection* selection_;
  Compared compared_;
  std::array<Heatmap*, 3> maps_;
  std::array<QString, 3> titles_;
  CompareTitle title_a_, title_b_;
  bool difference_ = false;
  ComparePicturesLayout layout_;
};

}  // namespace headlight
