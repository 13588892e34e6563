// What a course says to its teacher: the plan, and the notes of each of its lessons, in a window of its own.
#pragma once

#include <QDialog>

namespace headlight {

struct Course;

class ClassPlan : public QDialog {
  Q_OBJECT
 public:
  explicit ClassPlan(const Course& course, QWidget* parent = nullptr);

 signals:
  void followed(const QString& target);  // of a link in its words
};

}  // namespace headlight
