// A word of the glossary: what it means, the words that it is explained with, and the lessons that use it.
#pragma once

#include <QDialog>

#include "app/lessons/lesson.h"

namespace headlight {

class LessonText;

class GlossaryDialog : public QDialog {
  Q_OBJECT
 public:
  explicit GlossaryDialog(QWidget* parent);
  void show_entry(const GlossaryEntry& entry);
  QString words() const;
  QString entry() const { return entry_; }

 signals:
  void followed(const QString& target);

 private:
  void write_entry(const GlossaryEntry& entry);

  LessonText *title_, *text_, *used_;
  QString entry_;
};

}  // namespace headlight
