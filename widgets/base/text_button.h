// A flat button of one or two lines of plain text, at its left edge, shortened in the middle where there is no room; or
// they go on below.
#pragma once

#include <QAbstractButton>

namespace headlight {

class TextButton : public QAbstractButton {
  Q_OBJECT
 public:
  explicit TextButton(QWidget* parent = nullptr);
  // The second line is smaller and muted; empty: there is none.
  void set_lines(const QString& first, const QString& second = {});
  void set_menu_arrow(bool shown);
  void set_wrapped();  // each of the two: as many lines as it needs
  QSize sizeHint() const override;
  int heightForWidth(int width) const override;
  QSize minimumSizeHint() const override { return {40, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  QFont small_font() const;

  QString second_;
  bool arrow_ = false, wrapped_ = false;
};

}  // namespace headlight
