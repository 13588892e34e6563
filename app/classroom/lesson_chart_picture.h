// What a chart step of a lesson measured, as it is drawn: in the lesson, on paper and on slides. Lines over numbers or
// words; or sliders, with a bar for each number that follows from them, or curves (lesson_curve_picture.h).
#pragma once

#include <QWidget>
#include <map>
#include <string>

#include "app/lessons/lesson_runs.h"

class QDoubleSpinBox;
class QGridLayout;
class QSlider;

namespace headlight {

// In the rectangle (0, 0, size).
void paint_lesson_chart(const ChartResult& result, const LessonChart& chart, const StepWords& words, QPainter& painter,
                        QSize size);

// What it needs at least, in letters of usual size.
double lesson_chart_height(const LessonChart& chart);

// The lines of a chart; its numbers are its description.
class LessonChartPicture : public QWidget {
  Q_OBJECT
 public:
  explicit LessonChartPicture(QWidget* parent);
  void set(const ChartResult& result, const LessonChart& chart, const StepWords& words);

 signals:
  void asked(double x);  // the line in a picture of curves is dragged there

 protected:
  void paintEvent(QPaintEvent*) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  void fit();
  double scale() const;
  bool asks() const;
  void ask(const QMouseEvent& event);
  std::optional<ChartResult> result_;
  LessonChart chart_;
  StepWords words_;
};

// Sliders and their bars. A number with the name of a slider stands beside it.
class LessonSliders : public QWidget {
  Q_OBJECT
 public:
  LessonSliders(const LessonChart& chart, const StepWords& words, QWidget* parent);
  void show_result(const ChartResult& result);  // sliders that are held stay where they are
  std::map<std::string, double> values() const;
  void move(const std::string& name, double value);

 signals:
  void moved();

 private:
  struct Row {
    LessonChart::Slider slider;
    QSlider* control;
    QDoubleSpinBox* field;
  };
  QWidget* add_bar(QGridLayout* grid, int row, const QString& name);

  std::vector<Row> rows_;
  std::map<std::string, QWidget*> bars_;
  bool showing_ = false;
};

}  // namespace headlight
