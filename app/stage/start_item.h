// A thing to choose on the page of the start, and in the list of lessons there.
#pragma once

#include <QAbstractButton>

namespace headlight {

// One thing to choose: what it is, and at its right end a word about it; below it where there is no room.
class StartItem : public QAbstractButton {
  Q_OBJECT
 public:
  StartItem(const QString& title, const QString& line, QWidget* parent);
  QString line() const { return line_; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  bool one_line(int width) const;
  QString line_;
};

}  // namespace headlight
