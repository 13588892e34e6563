// Walking through a lecture list: its entries are shown one after the other, as PageDown and PageUp lead.
#pragma once

#include <QObject>
#include <QPointer>
#include <functional>

#include "app/lectures/lecture_table.h"

namespace headlight {

class Classroom;
class LectureDialog;

class LectureWalk : public QObject {
  Q_OBJECT
 public:
  // `shown`: what the window shows, as a step. `present`: begins to present the window.
  LectureWalk(Classroom* classroom, std::function<std::optional<LectureEntry>()> shown, std::function<void()> present,
              QWidget* window);

  void show_list();
  void open(const QString& path);  // the list of a file; failed() says what is wrong with it
  LectureTable* table() { return &table_; }
  LectureDialog* dialog();
  void go(int entry);

 signals:
  void failed(const QString& message);

 private:
  std::optional<int> entry_of(const QString& lesson) const;
  static QString name_of(int entry);
  Classroom* classroom_;
  std::function<std::optional<LectureEntry>()> shown_;
  std::function<void()> present_;
  QWidget* window_;
  QPointer<LectureDialog> dialog_;
  LectureTable table_;
};

}  // namespace headlight
