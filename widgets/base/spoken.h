// What a screen reader hears without being asked.
#pragma once

#include <QObject>
#include <QString>

class QAccessibleInterface;
class QWidget;

namespace headlight {

// Says what nobody has the keyboard on: a new output, the answer of a lesson. Qt 6.4 has no announcements; a
// notification that appears is read by every reader.
class Spoken : public QObject {
  Q_OBJECT
 public:
  static Spoken& instance();
  // `from`: what it is about; says nothing where that has no window.
  void say(const QWidget* from, const QString& text);
  // The keyboard is on another place inside of a widget: readers say what gets the focus, not what changes its name.
  static void focus(QAccessibleInterface* place);

 signals:
  void said(const QString& text);

 protected:
  // Tooltips stand in for descriptions, and some are HTML: what is read of them is their text.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  Spoken();
};

}  // namespace headlight
