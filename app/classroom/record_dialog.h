// Makes a lesson from what the window shows: a state becomes a step that shows or asks, words are typed in both
// languages side by side. It stands beside the picture that it records.
#pragma once

#include <QDockWidget>
#include <array>
#include <functional>
#include <vector>

#include "app/classroom/taught_window.h"
#include "app/lessons/lesson_recording.h"

class QBoxLayout;
class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace headlight {

class RecordDialog : public QDockWidget {
  Q_OBJECT
 public:
  explicit RecordDialog(const TaughtWindow& window);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  // The fields of one language.
  struct Words {
    const char* language;
    QLineEdit* title;
    QPlainTextEdit *text, *question, *choices, *reveal;
    std::string rest;  // of the chosen step: what has no field
  };
  QPlainTextEdit* editor(const QString& name);
  std::string folder() const;
  void save_title(const Words& words) const;
  StepParts typed(const Words& words) const;
  StepParts own_words(const Words& words) const;
  bool is_typed(const Words& words) const;
  void show_kind();
  void show_parts(Words& words, const StepParts& parts);
  void clear_words();
  void choose_folder();
  void record();
  void read();
  void show_words();
  void choose_step(int row);
  QStringList all_typed() const;  // into words of steps
  void save_words();
  void move(int by);
  void remove();
  void bring_back();
  void preview();
  // Runs something that writes; says what is wrong.
  template <class Work>
  bool tried(const Work& work);

  TaughtWindow window_;
  QLineEdit* folder_;
  QComboBox* kind_;
  QLabel* about_;
  std::array<Words, 2> words_;
  QList<QWidget*> of_questions_, of_choices_;  // rows
  QList<QBoxLayout*> pairs_;                   // of the two languages
  QListWidget* steps_;
  QPushButton *save_, *up_, *down_, *remove_, *preview_;
  QPushButton* bring_back_;
  LessonTexts removed_;  // the lesson before a step was removed; empty: nothing to bring back
  QLabel* said_;
  QStringList as_shown_;  // what was typed when a step was shown or written
  int shown_ = -1;        // row of that step
  std::vector<std::function<void()>> texts_;
};

}  // namespace headlight
