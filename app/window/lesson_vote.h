// How many hands a room shows for each answer, before and after it has talked; bars beside what is true at the reveal.
#pragma once

#include <QWidget>
#include <array>
#include <map>
#include <vector>

#include "app/lessons/lesson.h"

class QSpinBox;

namespace headlight {

class LessonVote : public QWidget {
  Q_OBJECT
 public:
  using Hands = std::map<QString, std::array<int, 2>>;  // of the ids of the choices, in both rounds
  // With the hands that were counted before.
  LessonVote(const StepWords& words, const Hands& counted, QWidget* parent = nullptr);
  Hands hands() const;
  void reveal(const std::string& right);
  // Hands for the right answer and hands in all, of the first vote (0) or the second (1).
  std::pair<int, int> result(int round) const;
  QString summary() const;  // empty before the reveal, or when nobody voted

 signals:
  void changed();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Row {
    std::string id;
    QWidget* bars = nullptr;
    std::array<QSpinBox*, 2> hands{};
  };
  std::vector<Row> rows_;
  std::string right_;
};

}  // namespace headlight
