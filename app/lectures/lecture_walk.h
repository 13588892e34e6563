// Walking through a lecture list: its entries are shown one after the other, as PageDown and PageUp lead.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>

#include "app/lectures/lecture_table.h"

namespace headlight {

class LectureDialog;
class Classroom;
struct TaughtWindow;

class LectureWalk : public QObject {
  Q_OBJECT
 public:
  // `present`: begins to present the window.
  LectureWalk(Classroom* classroom, std::function<std::optional<LectureEntry>()> shown, std::function<void()> present,
              QWidget* window);

  void show_list();
  // Reads the list and shows it; failed() says what is wrong with it.
  void open(const QString& path);
  LectureTable* table() { return &table_; }
  int entry() const { return table_.now(); }  // that is shown; -1: none
  // Opens an entry at its first step, or at its last where one comes from behind.
  bool go(int entry, bool from_behind = false);
  // "3 of 9: No peeking, 4 of 10 minutes"; empty: no list is walked through.
  QString where() const;

 signals:
  void failed(const QString& message);

 private:
  LectureDialog* dialog();
  Classroom* classroom_;
  std::function<std::optional<LectureEntry>()> shown_;
  std::function<void()> present_;
  QWidget* window_;
  QPointer<LectureDialog> dialog_;
  LectureTable table_;
  QElapsedTimer since_;  // the entry began
  bool opening_ = false;
};

}  // namespace headlight
