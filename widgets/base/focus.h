// The keyboard in every window: what Tab and Enter do, where one sees that it is, who has it while a part is made anew,
// and what Qt remembers.
//
// It is seen only after a key that goes somewhere (Tab, a shortcut, an arrow), and no longer after the mouse: a ring of
// 2 pixels of ink around the control, with 2 of its ground between. A field turns its own edge instead, however it got
// the keyboard; what has places of its own (a picture, a list) marks its place.
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <QWidget>
#include <functional>

class QKeyEvent;

namespace headlight {

// What Tab reaches in a window or a part of it, as the eye goes: what stands above comes first, in a line what stands
// at the left, and what is one part of the window is gone through before the next.
QList<QWidget*> in_eye_order(QWidget* part);

// A widget with this property marks the place of the keyboard itself, while keyboard_is_seen().
inline constexpr auto kMarksItself = "headlightMarksItself";
// Whoever has the keyboard shows it.
bool keyboard_is_seen();

// A filter of the application, which Style installs. Tab follows the eye wherever widgets were made or moved, so that
// nobody else calls setTabOrder(), and Enter presses what has the keyboard, as Space does.
class Keyboard : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  bool eventFilter(QObject* watched, QEvent* event) override;
  // Letters that choose an entry are underlined only then.
  static bool alt_is_down();

 private:
  bool press(QWidget* widget, QKeyEvent* event);
  bool go_on(QWidget* from, QEvent* tab, bool back);
  void see(bool seen);
  void place_ring();
  bool tabbing_ = false;
  QPointer<QWidget> has_it_, ring_;
};

// While a part of a window is filled anew: who had the keyboard in it has it afterwards, too; where that is gone or
// off, `else_to`, or what stands at its place.
class KeepKeyboard {
 public:
  explicit KeepKeyboard(QWidget* part, std::function<QWidget*()> else_to = nullptr);
  ~KeepKeyboard();
  KeepKeyboard(const KeepKeyboard&) = delete;
  KeepKeyboard& operator=(const KeepKeyboard&) = delete;

 private:
  QPointer<QWidget> part_, had_;
  std::function<QWidget*()> else_to_;
  qsizetype place_ = -1;  // of the keyboard; -1: it was elsewhere
};

// Before a widget gets another parent (QEvent::ParentAboutToChange). Each widget keeps which of those in it had the
// keyboard last, and Qt has it forgotten around the place from where that one is deleted, but not always around the
// place where it was before: the next Tab in a scroll area there then follows a pointer to nothing. (The filter of
// MainWindow calls this.) For the same reason a page is deleted where it stands, not after takeWidget().
void forget_keyboard_in(const QWidget& moved);

}  // namespace headlight
