// What only the teacher sees of a lesson: the notes of this step with its answer, what comes next, and, while a lesson
// is presented on another screen, the wall small, the remote, the hands of the room, the clock and the plan.
#pragma once

#include <QDialog>
#include <QElapsedTimer>
#include <QPixmap>
#include <QTimer>

#include "app/classroom/lesson_text.h"
#include "app/classroom/lesson_vote.h"
#include "app/presentation/presenter.h"

class QBoxLayout;
class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QSpinBox;

namespace headlight {

// A window, small; painted again while it is seen, and never more than a small part of the time.
class WallPicture : public QWidget {
 public:
  WallPicture(QWidget* wall, QWidget* parent);
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return {640, heightForWidth(640)}; }

 protected:
  void paintEvent(QPaintEvent*) override;
  void showEvent(QShowEvent*) override { take(); }

 private:
  void take();
  QWidget* wall_;
  QPixmap picture_;
  QTimer again_;
};

class SpeakerWindow : public QDialog {
  Q_OBJECT
 public:
  // Words with their values, and what is right; empty where nothing is asked.
  struct Words {
    RichText text;
    LessonValue value;
    QString answer;
  };
  struct Notes {
    QString lesson, place;  // its title, and which step this is
    Words now, next;        // `now`: what is to be said
    QString next_title;     // of another lesson that comes next
    QStringList steps;      // how each begins
    int at = 0, minutes = 0;
  };

  SpeakerWindow(QWidget* wall, QWidget* parent);
  void set_notes(const Notes& notes);
  // Empty: there is nothing to vote on.
  void set_vote(const std::vector<LessonVote::Answer>& answers, const LessonVote::Hands& hands);
  // `type`: the scale of letters at which the teacher reads.
  void set_presenting(bool on, double type);
  void begin();  // the time that is planned runs from here
  void focus_vote(int round);
  QString words() const;  // all that is read
  // How far one is from a plan of as many minutes for each step; negative: ahead. Whole minutes.
  static int behind(double used, int minutes, int at, int steps);
  static int behind(double used, double from, double to);  // of a part that is planned from there to there

 signals:
  void acted(Presenter::Act act);
  void counted(const LessonVote::Hands& hands);
  void roomWanted();

 private:
  struct Field {
    QString id;
    std::array<QSpinBox*, 2> hands{};
  };
  void add_head();
  void add_remote();
  void add_notes();
  void make_fields();
  QLabel* label(double size, bool strong = false);
  QFont font_of(double size, bool strong) const;
  void fit();
  void tell_time();

  QLabel *lesson_, *place_, *clock_, *used_, *plan_, *notes_title_, *answer_, *notes_, *next_title_, *next_,
      *next_answer_, *steps_, *votes_title_;
  QProgressBar* bar_;
  QWidget *head_, *left_, *remote_, *votes_ = nullptr;
  WallPicture* wall_;
  QScrollArea* scroll_;
  QBoxLayout *columns_, *beside_;
  QPushButton* room_;
  std::vector<std::pair<QLabel*, std::pair<double, bool>>> labels_;
  std::vector<Field> fields_;
  std::vector<LessonVote::Answer> answers_;
  Notes shown_;
  QTimer second_;
  QElapsedTimer since_;
  double type_ = 1;
  bool presenting_ = false;
};

}  // namespace headlight
