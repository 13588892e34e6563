// A chart of curves among points: the points as dark as their share, the place that is asked, and below it a bar for
// each point.
#pragma once

#include <QRectF>
#include <QSize>
#include <QString>

#include "app/lessons/lesson_runs.h"

class QPainter;

namespace headlight {

// In the rectangle (0, 0, size).
void paint_lesson_curve(const ChartResult& result, const LessonChart& chart, const StepWords& words, QPainter& painter,
                        QSize size);
// The x below a point of that picture.
double asked_at(const LessonChart& chart, const StepWords& words, QSize size, double left);
// Its numbers: what is asked and what is said there, points and bars.
QString curve_in_words(const ChartResult& result, const LessonChart& chart, const StepWords& words);
QString chart_word(const StepWords& words, const std::string& key, const std::string& fallback = {});

}  // namespace headlight
