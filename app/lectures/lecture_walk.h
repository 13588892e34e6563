// Walking through a lecture list: its entries are shown one after the other, as PageDown and PageUp lead.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <functional>

#include "app/lectures/lecture_table.h"

namespace headlight {

class Classroom;
class LectureDialog;
struct LessonPlace;

class LectureWalk : public QObject {
  Q_OBJECT
 public:
  // `shown`: what the window shows, as a step. `present`: begins to present the window.
  LectureWalk(Classroom* classroom, std::function<std::optional<LectureEntry>()> shown, std::function<void()> present,
              QWidget* window);

  void show_list();
  void open(const QString& path);                      // the list of a file; failed() says what is wrong with it
  bool may_leave(const std::function<void()>& go_on);  // see LectureDialog
  LectureTable* table() { return &table_; }
  LectureDialog* dialog();
  void go(int entry);
  // How far one is from the plan in an entry that began `used` minutes after entry `from` did; negative: ahead.
  static int behind(const Lecture& lecture, int from, int entry, double used);

 signals:
  void failed(const QString& message);

 private:
  bool leads() const;  // the lesson that is open is an entry, or was one
  std::optional<LessonPlace> comes(const LessonPlace& here, int direction) const;
  std::shared_ptr<const Lesson> load(const QString& lesson) const;
  void entry_shown();
  void list_changed();
  void tell_time();
  void begin();

  Classroom* classroom_;
  std::function<std::optional<LectureEntry>()> shown_;
  std::function<void()> present_;
  QWidget* window_;
  QPointer<LectureDialog> dialog_;
  LectureTable table_;
  int at_ = 0;                        // where the entry stands that is shown, or stood before it was taken out
  int begun_from_ = 0, entered_ = 0;  // keys: of the first entry that was shown, and of the one that is
  QString shown_words_;               // of an own step, as they were shown
  QElapsedTimer since_begin_, since_entry_;
  QTimer second_;
};

}  // namespace headlight
