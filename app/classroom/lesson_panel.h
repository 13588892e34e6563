// The lesson beside the views: text, question and answer, what was right, and the way through the steps.
#pragma once

#include <QWidget>
#include <array>
#include <map>

#include "app/classroom/answers/lesson_answers.h"
#include "app/classroom/lesson_text.h"
#include "app/lessons/lesson_runs.h"

class QBoxLayout;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace headlight {

class LessonDots;
class LessonFinish;
struct FinishedLesson;

class LessonPanel : public QWidget {
  Q_OBJECT
 public:
  explicit LessonPanel(QWidget* parent = nullptr);

  void set_title(const QString& title);
  // Those that the lesson has; `shown`: that of its words, `wanted`: that which was chosen.
  void set_languages(const QStringList& all, const QString& shown, const QString& wanted);
  // A new step: nothing is answered. `value` knows the values of its words.
  void show_step(const LessonStep& step, const StepWords& words, int at, int count, LessonText::Value value);
  void leave_step();  // its lesson goes
  // What a prediction is asked with; before, it cannot be answered.
  void set_answer_field(AnswerField* field);
  AnswerField* answer_field() const { return field_; }
  // After an answer, or when something was done.
  // `right`: the id of a choice; else empty.
  void reveal(const QString& mine, const QString& truth, const QString& distance, LessonText::Value value,
              const std::string& right = {});
  void set_done(LessonText::Value value);
  // The last page, until a step is shown again.
  void show_finish(const FinishedLesson& lesson);
  // What does not hold on this machine, and what general conditions say of the learner's own text.
  void set_notes(const QStringList& notes);
  void set_chart(const ChartResult* chart, double progress, const QString& note);  // null: not measured yet
  // A room's vote, with the hands that were counted before: in place of the choices, while presenting.
  void show_vote(const std::map<QString, std::array<int, 2>>& counted);
  class LessonVote* vote() const {
    return vote_;
  }  // null: the room does not vote
  void set_exploring(bool exploring);
  bool exploring() const { return exploring_; }
  // Sources, at the end.
  void set_sources(const QStringList& sources);
  // While presenting: the words alone, and a room can vote.
  void set_presenting(bool presenting);
  void set_strip(bool strip);  // on top of a narrow window, or while presenting: two columns
  // For those who have no mouse at hand: the next lines that have no room yet. False: all is seen.
  bool scroll_on();
  int strip_height() const;  // that all of a strip needs; within a step it only grows
  void retranslate();
  QWidget* next_stop() const;  // for the keyboard, when what had it is done
  void show_hints(int count);
  int hints_shown() const { return hints_; }
  QString all_text() const;  // what is read, for tests and for the screen reader
  void speak_step() const;   // its words, to a screen reader

 signals:
  void back();
  void next();
  void exploreToggled();
  void answered(bool known);  // false: we do not know
  void followed(const QString& target);
  void chosen(int step);
  void measureToggled();  // start, or stop
  void slid(const std::map<std::string, double>& sliders);
  void closed();
  void heightChanged();  // of a strip
  void notesWanted();
  void voteWanted();  // the first, or another one
  void languageChosen(const QString& language);
  void voted(const std::map<QString, std::array<int, 2>>& hands);
  void roomWanted();  // another class

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void lay_out();
  void connect_parts();
  void show_answers();
  void place_after();
  void show_after();
  void say_distance();
  void fit_buttons();
  void fit_head();
  void fit_columns();
  void fill_main();

  QLabel* title_;
  QPushButton *explore_, *show_, *unknown_, *hint_, *skip_, *measure_;
  QToolButton *close_, *language_;
  QScrollArea* scroll_;
  QWidget *body_, *answer_place_, *left_, *right_, *after_;
  QBoxLayout *columns_, *answer_rows_;
  QHBoxLayout *head_, *below_head_, *foot_;
  LessonText *text_, *question_, *hints_text_, *reveal_;
  QLabel *how_, *mine_, *truth_, *distance_, *notes_, *chart_note_, *sources_, *fallback_;
  class LessonChartPicture* chart_;
  class LessonSliders* sliders_ = nullptr;
  QProgressBar* progress_;
  QPushButton *back_, *next_;
  LessonDots* dots_;
  QPushButton *vote_button_, *notes_button_;
  class LessonVote* vote_ = nullptr;
  AnswerField* field_ = nullptr;
  LessonFinish* finish_ = nullptr;
  const LessonStep* step_ = nullptr;
  StepWords words_;
  LessonText::Value value_;
  int at_ = 0, count_ = 0, hints_ = 0;
  QString own_distance_;
  std::string told_right_;  // of a vote, once it is told
  mutable int highest_ = 0;
  bool tells_after_ = false;      // what stands afterwards is to be seen
  bool other_languages_ = false;  // than the interface has
  bool exploring_ = false, revealed_ = false, strip_ = false, presenting_ = false;
};

}  // namespace headlight
