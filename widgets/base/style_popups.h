// What opens over a window: menus, lists of combo boxes, popovers, tooltips. Each is a sheet with round corners and a
// soft shadow. Where nobody puts windows together (no compositor), nothing can be seen through: corners are square
// then, and there is a line around.
#pragma once

#include <QObject>
#include <QPoint>
#include <optional>

class QPainter;
class QRect;
class QRectF;
class QStyleOption;
class QWidget;

namespace headlight {

class Popups : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  // Whether windows are put together with what is below them; asked of the desktop, or as a test has it.
  static bool composed();
  static void set_composed(std::optional<bool> composed);
  // Makes a sheet of it if it is one of these. It must not be a window yet: a popover of ours calls ensurePolished() when
  // it is made.
  void adopt(QWidget* widget);
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QPoint tip_at_;  // where a tooltip was put
};

// Around the sheet within its window; 0: nothing is drawn there.
int shadow_room(const QWidget* widget);
// Below a sheet, which is painted next.
void draw_shadow(QPainter* painter, const QRectF& sheet, double corner);
void draw_sheet(QPainter* painter, const QRect& window, const QWidget* widget, double corner);
void draw_menu_item(QPainter* painter, const QStyleOption* option, const QWidget* widget);
// As large as its words, tick and keys need.
QSize menu_item_size(const QStyleOption* option, const QSize& words);

}  // namespace headlight
