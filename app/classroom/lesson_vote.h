// How many hands a room shows for each answer, before and after it has talked; bars beside what is true at the reveal.
#pragma once

#include <QWidget>
#include <array>
#include <map>
#include <vector>

#include "app/lessons/lesson.h"

class QPainter;
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
  // How many were right; empty when that is not told (no `right`), or nobody voted.
  static QString summary(const Hands& hands, const QString& right);
  QString summary() const { return summary(hands(), QString::fromStdString(right_)); }
  static int all_of(const Hands& hands, std::size_t round);
  // The shares of both rounds, one below the other.
  static void paint_bars(QPainter& painter, const QRectF& place, const std::array<int, 2>& hands,
                         const std::array<int, 2>& all);

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
