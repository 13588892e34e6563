// How a lesson's question is answered: a control for each kind, and what the answer is worth beside the truth.
#pragma once

#include <QWidget>
#include <optional>

#include "app/lessons/lesson.h"
#include "app/lessons/lesson_progress.h"

namespace headlight {

struct Result;

// What an answer can name in this run.
struct AnswerFacts {
  std::vector<std::pair<int, QString>> source, output;  // tokens and steps, with their place
  std::vector<int> blanks;                              // the padding behind the text
  std::optional<NumberList> weights;                    // of a choice of tokens
  Places over;                                          // of a drawn row
  static AnswerFacts of(const Result& result);          // its tokens and steps
  // Of a drawn curve: its bars stand at even parts of what a training reads.
  static AnswerFacts of_curve(double reads, int points);
  QString token(int place) const;
  QString step(int place) const;
};

class AnswerField : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  // What it shows, which can be the answer without a change; nothing: there is none yet.
  virtual std::optional<ExpressionValue> value() const = 0;
  virtual bool is_given() const { return value().has_value(); }  // by somebody's hand
  virtual void set(const ExpressionValue& value) = 0;
  // After the reveal: nothing can be changed any more, and what is right is marked. `given`: somebody answered with it.
  virtual void reveal(const ExpressionValue& truth, bool given) = 0;
  // It says at the reveal what the answer was beside the truth: it stays in sight then.
  virtual bool compares() const { return false; }
  // A place of the picture: clicked, or where its keyboard cursor is.
  virtual void pick(std::optional<int>, std::optional<int>, bool /*clicked*/) {}

 signals:
  void changed();
};

AnswerField* make_answer_field(const LessonStep& step, const StepWords& words, const AnswerFacts& facts,
                               QWidget* parent);

// "A U G", "57 %", "Nothing in particular".
QString answer_text(const ExpressionValue& value, const LessonStep& step, const StepWords& words,
                    const AnswerFacts& facts);
// Right, or close enough to go on, or to be looked at again. What distance_text() says agrees with it.
Worth worth_of(const ExpressionValue& answer, const ExpressionValue& truth, const LessonStep& step,
               const AnswerFacts& facts);
// How close an answer is: "Right.", "12 points off.", "What you chose gets 97 % of the attention."
QString distance_text(const ExpressionValue& answer, const ExpressionValue& truth, const LessonStep& step,
                      const AnswerFacts& facts);

}  // namespace headlight
