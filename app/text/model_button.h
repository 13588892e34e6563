// The model that runs, as a button: its name, and where it comes from, or how many changes of the person it has.
#pragma once

#include <QAbstractButton>

namespace headlight {

class ModelButton : public QAbstractButton {
 public:
  explicit ModelButton(QWidget* parent);
  void set_texts(const QString& title, const QString& below, bool changed);
  void set_one_line(bool one_line);  // the second line behind the first one
  bool one_line() const { return one_line_; }
  QSize sizeHint() const override { return size_in(one_line_); }
  QSize size_in(bool one_line) const;
  QSize minimumSizeHint() const override { return sizeHint(); }
  // A long name leaves room for the text: the rest of it is in the hint.
  void set_most(int width) { setMaximumWidth(std::max(width, 120)); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString below_;
  bool changed_ = false, one_line_ = false;
};

}  // namespace headlight
