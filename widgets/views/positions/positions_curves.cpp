// Curves of the positions view: the angles of a pair over positions that a model learned and did not learn from, and
// what is added to the scores of each head by distance.
#include <QComboBox>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/views/positions/positions_view.h"

namespace headlight {

namespace {

constexpr Index kPoints = 241;

// Of kRotaryScalingNames, with the paper that has it.
QString scaling_words(const RotaryAngles& angles) {
  const QString factor = short_number(angles.factor, 3);
  if (angles.scaling == "linear")
    return PositionsView::tr("linear: all positions are pressed together, by %1 (Chen et al. 2023)").arg(factor);
  if (angles.scaling == "dynamic")
    return PositionsView::tr("dynamic: the base grows with the text once it is longer, factor %1 (Peng et al. 2023)")
        .arg(factor);
  if (angles.scaling == "llama3")
    return PositionsView::tr("llama3: slow pairs are pressed together by %1, quick ones stay (Llama 3.1)").arg(factor);
  if (angles.scaling == "yarn")
    return PositionsView::tr("yarn: slow pairs are pressed together by %1, along a ramp (Peng et al. 2023)")
        .arg(factor);
  if (angles.scaling == "longrope")
    return PositionsView::tr("longrope: each pair by a factor of its own, another in long texts (Ding et al. 2024)");
  return PositionsView::tr("not scaled for long texts");
}

}  // namespace

void PositionsView::show_angles(bool show) {
  if (angles_shown_ == show) return;
  angles_shown_ = show;
  show_choices();
  update_numbers();
}

RotaryAngles PositionsView::angles() const {
  if (!rotation_ || !run()) return {};
  return rotary_angles(*result(), layer_, pair_, static_cast<Index>(rotation_->positions.back()), kPoints);
}

QString PositionsView::angles_caption() const {
  const RotaryAngles all = angles();
  QString text = tr("turns of numbers %1 and %2, by position; %3")
                     .arg(counted(rotation_->first(pair_)), counted(rotation_->second(pair_)), scaling_words(all));
  if (all.trained > 0) text += tr("; upright: it learned from %1 positions").arg(all.trained);
  return text;
}

// Dashed, what it would be without scaling; level, the largest angle that it had learned.
void PositionsView::paint_angles(QPainter& painter) const {
  const RotaryAngles all = angles();
  if (all.positions.empty()) return;
  paint_caption(painter, layout_.similarity_caption, angles_caption());
  const auto turns = [](std::vector<double> angles) {
    for (double& each : angles) each /= 2 * M_PI;
    return angles;
  };
  CurvePlot plot;
  plot.left = 0;
  plot.right = all.positions.back();
  plot.bottom = 0;
  plot.curves = {{all.positions, turns(all.plain), QPen(theme().edited(), 1.2, Qt::DashLine)},
                 {all.positions, turns(all.scaled), QPen(table_colour(1), 1.8)}};
  plot.top = std::max(1e-9, std::max(plot.curves[0].y.back(), plot.curves[1].y.back())) * 1.05;
  if (all.trained > 0) {
    plot.uprights = {{static_cast<double>(all.trained), QPen(theme().muted_text(), 1.4, Qt::DashLine)}};
    const double known = all.plain.back() / all.positions.back() * static_cast<double>(all.trained) / (2 * M_PI);
    plot.curves.insert(plot.curves.begin(), {{0, plot.right}, {known, known}, QPen(theme().grid(), 1.2)});
  }
  PlotCurve rows{{}, {}, Qt::NoPen, 2.2, theme().muted_text()};
  for (int row = 0; row < static_cast<int>(rotation_->rows()); ++row) {
    rows.x.push_back(row_position(row));
    rows.y.push_back(row_position(row) * rotation_->turn(pair_) / (2 * M_PI));
  }
  plot.curves.push_back(rows);
  plot.curves.push_back({{nth(rows.x, position_)}, {nth(rows.y, position_)}, Qt::NoPen, 4, theme().accent()});
  paint_curve_plot(plot, painter, layout_.similarity);
}

// --- what is added to scores

void PositionsView::take_biases() {
  biases_ = run() ? distance_biases(*result()) : std::vector<DistanceBias>{};
  if (biases_.empty()) return;
  table_ = std::clamp(table_, 0, static_cast<int>(biases_.size()) - 1);
  pair_ = std::clamp(pair_, 0, static_cast<int>(nth(biases_, table_).heads()) - 1);
  position_ = std::clamp(position_, 0, static_cast<int>(nth(biases_, table_).distances.size()) - 1);
}

QString PositionsView::bias_description() const {
  const DistanceBias& bias = nth(biases_, table_);
  const auto at = static_cast<std::size_t>(position_);
  QString text = tr("%1, %2: to a score at distance %3, %4 is added.")
                     .arg(bias.decoder ? tr("Decoder") : tr("Encoder"), head_name(pair_),
                          short_number(bias.distances[at], 4), short_number(bias.at(pair_, at), 3));
  if (bias.slopes && bias.distances.size() > 1)
    text += ' ' + tr("Its slope is %1.").arg(short_number(bias.at(pair_, 1) - bias.at(pair_, 0), 4));
  return text;
}

void PositionsView::paint_biases(QPainter& painter) const {
  const DistanceBias& bias = nth(biases_, table_);
  const QFont small = theme().ui_font(type::kSource);
  const double line = QFontMetricsF(small).height(), wide = viewport()->width() / scale(),
               high = viewport()->height() / scale();
  const auto words = [&](int row, const QString& text, const QColor& colour) {
    write_line(painter, QRectF(space::kMargin, space::kSmall + row * line, wide - 2 * space::kMargin, line), kLeft,
               text, small, colour);
  };
  words(0,
        bias.slopes
            ? tr("What is added to the scores of each head by distance: straight lines (ALiBi, Press et al. 2022)")
            : tr("What is added to the scores of each head by distance: learned (Raffel et al. 2020)"),
        tokens().ink);
  words(1, bias_description(), tokens().ink2);
  CurvePlot plot;
  plot.left = bias.distances.front() - 0.5;
  plot.right = bias.distances.back() + 0.5;
  const double lowest = static_cast<double>(bias.values.array().minCoeff()),
               highest = static_cast<double>(bias.values.array().maxCoeff()), room = 0.05 * (highest - lowest) + 1e-6;
  plot.bottom = lowest - room;
  plot.top = highest + room;
  plot.uprights = {{0, QPen(theme().grid(), 1)}};
  const auto curve = [&](Index head, const QPen& pen) {
    PlotCurve made{bias.distances, {}, pen};
    for (std::size_t i = 0; i < bias.distances.size(); ++i) made.y.push_back(bias.at(head, i));
    plot.curves.push_back(std::move(made));
  };
  for (Index head = 0; head < bias.heads(); ++head)
    if (head != pair_) curve(head, QPen(theme().weight(0.45), 1.2));
  curve(pair_, QPen(theme().accent(), 2));
  plot.curves.push_back({{nth(bias.distances, position_)},
                         {bias.at(pair_, static_cast<std::size_t>(position_))},
                         Qt::NoPen,
                         4,
                         theme().accent()});
  const double top = space::kSmall + 2 * line + space::kLarge;
  paint_curve_plot(plot, painter,
                   QRectF(2.0 * space::kMargin, top, wide - 3.0 * space::kMargin, high - top - 2 * line));
}

}  // namespace headlight
