// The courses and their lessons, with what is done; and a short form of it for the start page.
#pragma once

#include <QDialog>

class QPushButton;
class QVBoxLayout;

namespace headlight {

class LessonProgress;

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

class LessonsDialog : public QDialog {
  Q_OBJECT
 public:
  explicit LessonsDialog(LessonProgress* progress, QWidget* parent = nullptr);

 signals:
  void chosen(const QString& lesson);
  void folderWanted();

 private:
  void fill();
  QStringList titles_begun() const;
  LessonProgress* progress_;
  QWidget* body_ = nullptr;
  QPushButton* forget_ = nullptr;
};

}  // namespace headlight
