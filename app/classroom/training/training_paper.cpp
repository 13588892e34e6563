// A training at its moment, on paper and on slides.

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>

#include "app/classroom/training/lesson_training.h"
#include "app/lab/lab_picture.h"
#include "app/lab/line/time_line.h"
#include "app/lab/two_runs_words.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

constexpr int kRow = 26, kHead = 40, kLineHeight = 150, kLeastLine = 110;  // pixels
constexpr double kShareOfLine = 0.36;                                      // of a picture with its time line

void lay_out_unseen(QWidget& widget, QSize size) {
  widget.setFont(Theme::instance().ui_font());
  widget.setAttribute(Qt::WA_DontShowOnScreen);
  widget.resize(size);
  widget.show();
  QCoreApplication::sendPostedEvents();
}

using Cells = std::vector<ProbeDifference::Cell>;

// Of two beside each other: the squares that differ, as in the window.
Cells outlined_of(const LabShown& shown, const ShownTraining& told) {
  RunsCompared both;
  both.map = shown.map();
  for (std::size_t side = 0; side < both.runs.size(); ++side) {
    const auto probe = static_cast<std::size_t>(told.probe);
    both.runs[side] = told.runs[side];
    both.moments[side] = told.moments[side];
    both.probes[side] = &told.runs[side]->probes[probe];
    both.tried[side] = &told.runs[side]->at(told.moments[side]).probes[probe];
  }
  return squares_between(both).cells;
}

void paint_picture_of(QPainter& painter, LabShown& shown, int side, const Cells& outlined, const QRectF& place) {
  LabPicture picture(&shown, side);
  picture.set_outlined(outlined);
  lay_out_unseen(picture, place.size().toSize());
  const Figure figure = picture.figure();
  if (figure.size.isEmpty()) return;
  const double scale = std::min({1.0, place.width() / figure.size.width(), place.height() / figure.size.height()});
  painter.save();
  painter.translate(place.topLeft());
  painter.scale(scale, scale);
  painter.setClipRect(QRectF(QPointF(), figure.size));
  figure.paint(painter);
  painter.restore();
}

}  // namespace

double lesson_training_height(const ShownTraining& shown) {
  std::size_t rows = 1;
  for (const auto& run : shown.runs)
    for (const auto& moment : run->moments)
      if (static_cast<std::size_t>(shown.probe) < moment->probes.size())
        rows = std::max(rows, moment->probes[static_cast<std::size_t>(shown.probe)].output.size());
  return kHead + kRow * static_cast<double>(std::min<std::size_t>(rows, 12)) + kLineHeight;
}

void paint_lesson_training(QPainter& painter, QSize size, const LessonStep& step, const ShownTraining& shown,
                           bool told) {
  LabShown runs;
  std::vector<LabShown::Run> all;
  for (const auto& run : shown.runs) all.push_back(run);
  if (told) runs.set_thin(shown.thin);
  runs.show(all);
  runs.set_probe(shown.probe);
  runs.go_to(shown.moments[0]);
  if (all.size() > 1) runs.set_together(static_cast<LabShown::Together>(step.training.together));
  // Before the answer the time line would tell what comes.
  const bool with_line = told && step.training.curves;
  const int line_high = with_line ? std::max(kLeastLine, static_cast<int>(kShareOfLine * size.height())) : 0;
  const double wide = size.width() / static_cast<double>(all.size());
  const Cells outlined = all.size() == 2 ? outlined_of(runs, shown) : Cells();
  for (std::size_t side = 0; side < all.size(); ++side)
    paint_picture_of(painter, runs, static_cast<int>(side), outlined,
                     QRectF(wide * static_cast<double>(side), 0, wide - space::kMedium, size.height() - line_high));
  if (!with_line) return;
  TimeLine line(&runs);
  lay_out_unseen(line, QSize(size.width(), line_high));
  painter.save();
  painter.translate(0, size.height() - line_high);
  line.paint_moment(painter, QSizeF(size.width(), line_high));
  painter.restore();
}

}  // namespace headlight
