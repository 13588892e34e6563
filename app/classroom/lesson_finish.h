// The last page of a lesson: what was right, what may be tried again, and the next lesson.
#pragma once

#include <QWidget>
#include <vector>

#include "app/lessons/lesson_progress.h"

namespace headlight {

struct FinishedLesson {
  struct Asked {
    int step = 0;
    QString question, distance;
    Worth worth = Worth::unsaid;
  };
  std::vector<Asked> asked;
  QString next;  // the title of the next lesson; empty: there is none
  int minutes = 0;
};

class LessonFinish : public QWidget {
  Q_OBJECT
 public:
  LessonFinish(const FinishedLesson& lesson, QWidget* parent);
  QString words() const { return said_.join(QLatin1Char('\n')); }

 signals:
  void again(int step);
  void nextWanted();

 private:
  void add_line(const QString& text, double size, bool strong = false);
  void add_button(const QString& first, const QString& second, const QString& name, int step);

  QStringList said_;
};

}  // namespace headlight
