// Widgets in lines, as words in a text: what does not fit goes to the next line.
#pragma once

#include <QLayout>

namespace headlight {

class FlowLayout : public QLayout {
 public:
  explicit FlowLayout(QWidget* parent, int horizontal_gap = 12, int vertical_gap = 3);
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override { items_ << item; }
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override { return items_.value(index); }
  QLayoutItem* takeAt(int index) override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
  void setGeometry(const QRect& rect) override;
  QSize sizeHint() const override;
  QSize minimumSize() const override;

 private:
  int arrange(const QRect& rect, bool place) const;  // the height

  QList<QLayoutItem*> items_;
  int horizontal_gap_, vertical_gap_;
};

}  // namespace headlight
