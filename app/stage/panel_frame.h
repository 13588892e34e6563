// A panel in its slot: its name, a menu of what can be done with it and a way to close it, above what it shows. In the
// place of the picture it has no head; taken out, it is a window.
#pragma once

#include <QWidget>

#include "app/stage/panel_host.h"

class QLabel;
class QMenu;
class QToolButton;

namespace headlight {

class ViewPanel;

class PanelFrame : public QWidget {
  Q_OBJECT
 public:
  explicit PanelFrame(QWidget* panel);
  PanelHost* host() const { return host_; }
  void set_head(bool shown);
  // Of its name and of the controls below it, so that they stand above what they belong to.
  void set_margin(int left);
  // The controls of this view stand beside its name, where there is room for them.
  void set_controls(ViewPanel* of) { controls_of_ = of; }
  // Lines of text that are to be seen of it below a picture, where both find no room.
  void set_lines_below(int lines) { lines_below_ = lines; }
  int lines_below() const { return lines_below_; }
  bool has_head() const;
  int above_picture() const;  // pixels that the controls of its view take
  void set_title(const QString& title, const QString& help);
  QString title() const;
  QMenu* menu() const { return menu_; }  // of its head; filled when it opens
  QSize sizeHint() const override { return host_->sizeHint(); }

 signals:
  void closed();  // its button, or that of its window

 protected:
  void closeEvent(QCloseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void recolour();
  void place_controls();

  PanelHost* host_;
  QWidget* head_;
  QLabel* title_;
  QToolButton *more_, *close_;
  QMenu* menu_;
  ViewPanel* controls_of_ = nullptr;
  int margin_;
  int lines_below_ = 0;
};

}  // namespace headlight
