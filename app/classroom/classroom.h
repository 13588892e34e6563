// The lesson that is open: shows its steps in the window, waits for answers, looks at what the learner does, and says
// where a claim does not hold here.
//
// Its files: classroom.cpp goes from step to step, classroom_stage.cpp is the lesson in front of a room (what comes
// next, votes, the teacher's window), classroom_work.cpp computes beside the window (facts of a step, answers, what is
// done), classroom_charts.cpp measures, classroom_overlay.cpp says what is closed and lit over the views,
// classroom_links.cpp where links lead and what is printed. Beside the views stands a LessonPanel with an AnswerField,
// a LessonVote, a chart (lesson_chart_picture.h) or sliders.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "app/classroom/answers/lesson_answers.h"
#include "app/classroom/lesson_overlay.h"
#include "app/classroom/taught_window.h"
#include "app/jobs/latest.h"
#include "app/lessons/lesson_progress.h"

class QDockWidget;

namespace headlight {

class GlossaryDialog;
class LessonPanel;
class LessonRuns;
class LessonTrainingPage;
class SpeakerWindow;
struct Checked;
struct Lesson;
struct LessonStep;
struct Result;
struct StepWords;

// A step of a lesson. `lesson`: as it is opened, by name or folder.
struct LessonPlace {
  static constexpr int kLast = std::numeric_limits<int>::max();  // the last step, however many there are
  QString lesson;
  int step = 0;
  bool operator==(const LessonPlace&) const = default;
};
// Leads through lessons in another order than that of their courses. It has names of its own for them.
struct LessonOrder {
  std::function<bool(const QString& lesson)> has;
  // What comes after a place (1), or came before it (-1), of the lesson that is open; none: nothing.
  std::function<std::optional<LessonPlace>(const LessonPlace& here, int direction)> comes;
  std::function<std::shared_ptr<const Lesson>(const QString& lesson)> load;  // throws FileError, FormatError
  std::function<QString(const QString& lesson)> title;
  std::function<int(const QString& lesson)> minutes;    // planned there
  std::function<QString(const QString& lesson)> place;  // where it stands in the order, in words
};

class Classroom : public QObject {
  Q_OBJECT
 public:
  struct Facts;  // classroom_facts.h
  struct Measured;
  static constexpr int kNarrow = 1100;  // pixels: below, the lesson is a strip on top
  // Nothing is kept where `progress` is empty.
  Classroom(const TaughtWindow& window, const QString& progress);
  ~Classroom() override;

  // A bundled lesson, or a folder. `step` from 0; negative: where one stopped. Says what is wrong with a folder.
  void open(const QString& name_or_folder, int step = -1);
  // `as`: what it was opened as, where that is not its name.
  void open(const std::shared_ptr<const Lesson>& lesson, int step = -1, const QString& as = {});
  void close();  // the window is as it was before
  bool is_open() const { return lesson_ != nullptr; }
  bool asks() const;       // a prediction is open
  bool covers() const;     // something is closed until the prediction is answered
  bool withholds() const;  // something of the run is asked for, here or on a later page
  bool waits() const;      // a prediction, or a chart with a question, that was not shown yet
  int step() const { return step_; }
  const Lesson* lesson() const { return lesson_.get(); }
  const QString& opened_as() const { return opened_; }  // its name, its folder, or that of an order
  LessonPanel* panel() const { return panel_; }
  LessonOverlay* overlay() const { return overlay_; }
  LessonTrainingPage* training() const { return training_; }  // over the views, of a step that shows one
  LessonProgress& progress() { return progress_; }

  // What the bar says of it, the longest first; none: no lesson is open, or the learner has left the rails.
  QStringList titles() const;

  // What comes next (1), or came before (-1): steps, then lessons of the course; or what the order says that leads.
  std::optional<LessonPlace> comes(int direction) const;
  void set_order(LessonOrder order) { order_ = std::move(order); }
  bool measuring() const { return measuring_ >= 0; }

  void go(int step);
  void next();
  void back();
  void forward();                      // of a remote: shows what waits, else the next step
  void follow(const QString& target);  // a link of a text
  void vote();                         // of a room that one presents to: the first, then another one
  void show_word(const QString& id);   // of the glossary, also without a lesson
  void explore(bool on);               // leaves the rails, or comes back to the step as it was
  bool exploring() const;
  void set_presenting(bool on);
  void run_shown();  // the window shows another run
  void retranslate();
  // Written in the colours of paper: of the open lesson, or of this one. Throw FileError.
  enum class Print { worksheet, slides, my_answers };
  void print(Print what, const QString& path, const QString& lesson = {});
  static QString key_path(QString path);  // of a worksheet's answers, beside it
  void fit();                             // to the size of the window

 signals:
  void failed(const QString& message);
  void shown(int step);  // all that the step needs is there
  void revealed(int step);
  void languageWanted(const QString& language);  // of the lessons
  void changed();                                // opened, closed, another step, on the rails or off them

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  using Values = std::map<std::string, ExpressionValue>;
  void make_widgets();
  void forget_runs();
  bool is_led() const { return order_.has && order_.has(opened_); }
  void go_on(const std::optional<LessonPlace>& to);
  bool holds_measurement();
  bool has_run() const;  // that the words of the step speak of
  LessonOverlay::Picture picture() const;
  const QWidget* widget_of(const LinkTarget& target) const;
  std::vector<int> closed_steps() const;
  QString withheld_output() const;
  void cover();
  static std::shared_ptr<const Facts> facts_of(LessonRuns& runs, int step, const CancelToken& cancel);
  void show_facts(const std::shared_ptr<const Facts>& facts);
  // What does not hold on this machine.
  static QStringList notes_of(const std::vector<std::pair<const Expectation*, Checked>>& failed,
                              const StepWords& words);
  void show_words();
  void fill_panel();
  GivenAnswer tell_answer();  // in the panel; what is to be kept of it
  void show_views();
  void show_choices();
  void show_training();
  void answer(bool known);
  void pick_name(const QWidget* clicked, QPointF point);
  void show_answer(const std::optional<ExpressionValue>& given, const Values& values);
  QString right_choice() const;
  void tell_done(const Values& values);
  void look();  // whether it is done; what general conditions say
  void measure();
  void measure_on();
  void stop_measuring();
  void show_chart();
  void show_measured(const Measured& made);
  void take_measured(int step, const std::shared_ptr<const Measured>& made);
  static std::shared_ptr<const Measured> measured(LessonRuns& runs, int step, const CancelToken& cancel,
                                                  const std::function<void(double)>& progress);
  void slide(const std::map<std::string, double>& sliders);
  void open_notes();
  void make_notes();
  void show_notes();
  void free_keyboard();  // no frame of the keyboard stands on the wall
  void fit_notes();      // where they stand while one presents
  void look_ahead();
  void show_vote();
  void keep_vote(const std::map<QString, std::array<int, 2>>& hands);
  void begin_room(bool another);
  std::optional<QRect> notes_place(QSize size) const;  // on a screen without the window; none: there is no such screen
  static QSize notes_size();
  void show_target(const ExpressionValue& value);
  const LessonStep& here() const;
  const StepWords& words() const;  // of the step
  void want_number(const ExpressionValue& value);
  void open_number();
  void finish();  // the last page
  double most_of_stage() const;
  std::function<std::optional<std::string>(const TextSpan&)> value_of(Values values) const;

  TaughtWindow window_;
  LessonProgress progress_;
  std::shared_ptr<const Lesson> lesson_;
  std::shared_ptr<LessonRuns> runs_;
  QString name_, opened_;
  LessonOrder order_;
  int step_ = 0;
  std::shared_ptr<const Facts> facts_;
  bool revealed_ = false, look_again_ = false, spot_ = false, presenting_ = false;
  bool arrived_ = true;  // the run that the words speak of, once
  bool at_end_ = false;  // behind the last step
  std::optional<ExpressionValue> given_;
  std::optional<LinkTarget> number_;  // opens when the run of the step is there
  Values told_;                   // with the answer, or when it was done
  Values slid_;                   // of a chart with sliders, until they are moved
  std::map<int, std::shared_ptr<const Measured>> charts_;
  int measuring_ = -1, waits_to_measure_ = -1;  // steps
  double measured_part_ = 0;
  bool said_measuring_ = false;
  QStringList notes_;  // of a prediction: they would give it away before the answer
  QPointer<QDockWidget> dock_;
  LessonPanel* panel_ = nullptr;  // of the dock
  QPointer<SpeakerWindow> notes_window_;
  bool notes_wanted_ = false;  // also when nobody presents
  std::shared_ptr<LessonRuns> ahead_runs_;
  std::shared_ptr<const Facts> ahead_;  // of the next step
  QString room_;                        // the class that votes
  QPointer<GlossaryDialog> glossary_;
  LessonOverlay* overlay_ = nullptr;  // of the stage
  LessonTrainingPage* training_ = nullptr;
  QByteArray layout_before_, layout_shown_;
  QVariantMap choices_before_, choices_shown_;  // of the pictures: which layer, which head
  LessonPlace presented_from_;                  // where presenting began
  QString presented_;                           // the lesson that the clock runs for
  std::shared_ptr<const struct Document> document_before_;
  QElapsedTimer clicked_, gone_;
  BackgroundThread thread_, measurer_, looker_;
};

}  // namespace headlight
