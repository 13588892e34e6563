// How many hands a room shows for each answer, before and after it has talked; bars beside what is true at the reveal.
#pragma once

#include <QWidget>
#include <vector>

#include "app/lessons/lesson.h"

class QSpinBox;

namespace headlight {

class LessonVote : public QWidget {
  Q_OBJECT
 public:
  explicit LessonVote(const StepWords& words, QWidget* parent = nullptr);
  void reveal(const std::string& right);
  // Hands for the right answer and hands in all, of the first vote (0) or the second (1).
  std::pair<int, int> result(int round) const;
  QString summary() const;  // empty before the reveal, or when nobody voted

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
