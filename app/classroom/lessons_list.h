// The courses and their lessons, with what is done; and a short form of it for the start page.
#pragma once

#include <QDialog>

class QComboBox;
class QMenu;
class QPushButton;
class QVBoxLayout;

namespace headlight {

class LessonProgress;
class TextButton;
struct Course;
struct ListedLesson;
struct OwnLesson;

// The lesson to go on with, or else the first that is not done, and the way to all: a column of the start page.
class LessonsColumn : public QWidget {
  Q_OBJECT
 public:
  explicit LessonsColumn(const LessonProgress* progress, QWidget* parent = nullptr);
  void refresh();  // when it is seen: until then nobody needs the lessons

 signals:
  void chosen(const QString& lesson);
  void allWanted();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void fill();
  const LessonProgress* progress_;
  QVBoxLayout* rows_;
};

// Each course with its plan for the teacher, each lesson with what can be printed of it; those of one's own below.
class LessonsDialog : public QDialog {
  Q_OBJECT
 public:
  explicit LessonsDialog(LessonProgress* progress, QWidget* parent = nullptr);

 signals:
  void chosen(const QString& lesson);
  void folderWanted();
  void worksheetWanted(const QString& lesson);
  void slidesWanted(const QString& lesson);
  void followed(const QString& target);          // of a link in a plan
  void languageChosen(const QString& language);  // of lessons; empty: that of the window

 private:
  void fill();
  void fill_languages();
  void add_title(const QString& title, const QString& summary, const Course* course);
  void add_lesson(const ListedLesson& lesson);
  void add_own(const OwnLesson& own);
  QMenu* add_row(TextButton* button, const QString& title, const QString& lesson);
  void choose(const QString& lesson);
  QString state_of(const QString& name, int minutes, int steps) const;
  QStringList titles_begun() const;
  LessonProgress* progress_;
  QComboBox* language_;
  QWidget* body_ = nullptr;
  QPushButton* forget_ = nullptr;
};

}  // namespace headlight
