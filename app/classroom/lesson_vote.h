// How many hands a room shows for each answer: a bar for each, on which the first vote is an outline and the vote after
// talking is filled; what is right is told at the reveal. The hands are typed beside the bars, or elsewhere.
#pragma once

#include <QWidget>
#include <array>
#include <map>
#include <vector>

#include "app/lessons/lesson.h"

class QGridLayout;
class QLabel;
class QPainter;
class QPushButton;
class QSpinBox;

namespace headlight {

class LessonVote : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kMostHands = 999;
  using Hands = std::map<QString, std::array<int, 2>>;  // of the ids of the answers, in both rounds
  struct Answer {
    std::string id;
    QString words;
  };
  // What a room votes on: the choices; of a question without any, who has it right and who has not.
  static std::vector<Answer> answers_of(const LessonStep& step, const StepWords& words);
  static QString right_of(const LessonStep& step, const ExpressionValue& truth);  // its id
  static std::array<QString, 2> rounds();                                         // their names

  // With the hands that were counted before.
  LessonVote(const LessonStep& step, const StepWords& words, const Hands& counted, QWidget* parent = nullptr);
  Hands hands() const;
  void set_hands(const Hands& hands);  // counted elsewhere
  int round() const { return round_; }
  void set_round(int round);
  void set_fields_shown(bool shown);
  void focus_first();
  void reveal(const std::string& right);
  // How many were right; empty when that is not told (no `right`), or nobody voted.
  static QString summary(const Hands& hands, const QString& right);
  QString summary() const { return summary(hands(), QString::fromStdString(right_)); }
  static int all_of(const Hands& hands, std::size_t round);
  static int most_of(const Hands& hands);  // that any answer has
  // "17", or "17 → 41" where the room has voted twice.
  static QString counted(const std::array<int, 2>& hands, const std::array<int, 2>& all);
  // As long as its share of `most`: the outline of the first round over what the second has filled.
  static void paint_bars(QPainter& painter, const QRectF& place, const std::array<int, 2>& hands, int most, bool right);

 signals:
  void changed();
  void roomWanted();  // another class: its votes are its own

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Row {
    std::string id;
    QLabel* name = nullptr;
    QWidget *mark = nullptr, *bars = nullptr;
    std::array<QSpinBox*, 2> hands{};
  };
  void add_head(QGridLayout* grid);
  void add_row(QGridLayout* grid, const Answer& answer, const Hands& counted);
  QSpinBox* add_field(const Row& row, const QString& name, int round, int hands);
  void add_foot(QGridLayout* grid);
  void show_fields();
  void restyle();
  void describe();
  void paint_legend(QPainter& painter) const;

  std::vector<Row> rows_;
  QLabel* now_ = nullptr;
  QWidget *legend_ = nullptr, *foot_ = nullptr;
  QPushButton *again_ = nullptr, *room_ = nullptr;
  std::string right_;
  int round_ = 0;
  bool fields_ = true;
};

}  // namespace headlight
