// The bar above a panel: its name (where no tab says it already), what it shows in one sentence, and two buttons.
#pragma once

#include <QWidget>

class QDockWidget;
class QLabel;
class QToolButton;

namespace headlight {

class DockTitle : public QWidget {
  Q_OBJECT
 public:
  explicit DockTitle(QDockWidget* dock);
  void set_text(const QString& name, const QString& help);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void fit();
  void recolour();

  QDockWidget* dock_;
  QString text_, help_;
  QLabel *name_, *sentence_;
  QToolButton *float_, *close_;
};

}  // namespace headlight
