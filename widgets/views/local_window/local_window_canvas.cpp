#include "widgets/views/local_window/local_window_canvas.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/theme.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

using Part = LocalWindowHit::Part;

LocalWindowCanvas::LocalWindowCanvas(QWidget* parent) : Canvas(Layout::scrolled, parent) { announce(); }

void LocalWindowCanvas::set_windows(std::shared_ptr<const LocalWindows> windows) {
  windows_ = std::move(windows);
  tokens_.clear();
  written_.clear();
  if (windows_) {
    for (const AttentionToken& token : windows_->tokens) tokens_.push_back(axis_label(token));
    for (const AttentionToken& row : windows_->rows) written_.push_back(axis_label(row, true));
  }
  step_ = std::clamp(step_, 0, std::max(0, static_cast<int>(written_.size()) - 1));
  if (position_ >= static_cast<int>(tokens_.size())) position_ = -1;
  hovered_step_ = hovered_position_ = -1;
  lay_out();
  announce();
}

void LocalWindowCanvas::set_place(int step, int position) {
  if (!windows_) return;
  step_ = std::clamp(step, 0, static_cast<int>(written_.size()) - 1);
  position_ = std::clamp(position, -1, static_cast<int>(tokens_.size()) - 1);
  announce();
  viewport()->update();
}

void LocalWindowCanvas::set_hover(int step, int position) {
  if (step == hovered_step_ && position == hovered_position_) return;
  hovered_step_ = step;
  hovered_position_ = position;
  viewport()->update();
}

QSizeF LocalWindowCanvas::arrange(QSizeF view) {
  const Theme& theme = Theme::instance();
  const QFontMetricsF words(theme.ui_font(0.9)), tokens(theme.token_font(0.9));
  LocalWindowLayout::Metrics m;
  m.view = view;
  m.line = std::ceil(words.height() + 1);
  m.token_line = std::ceil(tokens.height() + 3);
  m.label = 18 + std::max(words.horizontalAdvance(tr("before")), words.horizontalAdvance(tr("after")));
  for (const AxisLabel& label : written_) m.label = std::max(m.label, tokens.horizontalAdvance(label.text) + 10);
  m.positions = static_cast<int>(tokens_.size());
  m.steps = static_cast<int>(written_.size());
  layout_ = LocalWindowLayout::of(m);
  return {layout_.width, layout_.height};
}

QString LocalWindowCanvas::sentence() const {
  if (!windows_) return {};
  const LocalWindowStep& step = now();
  const QString name = written_[static_cast<std::size_t>(step_)].name, centre = QString::number(step.centre, 'f', 2),
                first = QString::number(step.first), last = QString::number(step.last);
  if (!windows_->predicted)
    return tr("‘%1’: the window at p = %2 reads positions %3 to %4.").arg(name, centre, first, last);
  return tr("‘%1’: the window at p = %2 reads positions %3 to %4; the Gaussian leaves %5.")
      .arg(name, centre, first, last, QString::number(step.kept(), 'f', 2));
}

QString LocalWindowCanvas::position_sentence(int position) const {
  const auto at = static_cast<std::size_t>(position);
  const LocalWindowStep& step = now();
  const QString name = tr("position %1, ‘%2’").arg(position).arg(tokens_[at].name);
  if (!step.inside[at]) return tr("%1: outside the window, so it cannot be read").arg(name);
  if (step.gaussian.empty()) return tr("%1: weight %2").arg(name, short_number(step.weights[at]));
  return tr("%1: %2 before, × Gaussian %3 = %4")
      .arg(name, short_number(step.before[at]), short_number(step.gaussian[at]), short_number(step.weights[at]));
}

QString LocalWindowCanvas::name() const {
  return windows_
             ? tr("Windows of local attention, %1 steps over %2 positions").arg(written_.size()).arg(tokens_.size())
             : tr("Windows of local attention, none");
}

QString LocalWindowCanvas::description() const {
  return windows_ && position_ >= 0 ? sentence() + ' ' + position_sentence(position_) + '.' : sentence();
}

Qt::CursorShape LocalWindowCanvas::hover(QPointF point) {
  const LocalWindowHit place = layout_.place_at(point);
  if (place.step != hovered_step_ || place.position != hovered_position_) {
    set_hover(place.step, place.position);
    emit hovered(place.step, place.position);
  }
  return place.part == Part::none ? Qt::ArrowCursor : Qt::PointingHandCursor;
}

void LocalWindowCanvas::press(QPointF point, Qt::KeyboardModifiers) {
  if (!windows_) return;
  const LocalWindowHit place = layout_.place_at(point);
  if (place.part == Part::path) {
    set_place(place.step, position_);
    emit step_chosen(step_);
  } else if (place.part == Part::bars) {
    set_place(step_, place.position);
    emit weight_chosen(step_, position_);
  }
}

void LocalWindowCanvas::walk(int steps, int positions) {
  if (!windows_) return;
  const int position = position_ < 0 ? static_cast<int>(std::lround(now().centre)) - positions : position_;
  set_place(step_ + steps, positions == 0 ? position_ : std::max(0, position + positions));
  if (position_ < 0)
    emit step_chosen(step_);
  else
    emit weight_chosen(step_, position_);
}

bool LocalWindowCanvas::go(int right, int down) {
  if (std::abs(right) == kEnd) set_place(step_, right < 0 ? 0 : static_cast<int>(tokens_.size()) - 1);
  walk(down, right);
  return windows_ != nullptr;
}

QString LocalWindowCanvas::tooltip(QPointF point) const {
  if (!windows_) return {};
  const LocalWindowHit place = layout_.place_at(point);
  if (place.part == Part::bars)
    return position_sentence(place.position) + '\n' +
           tr("Light bar: the softmax among the positions of the window. Dark bar: the same times the Gaussian, which "
              "favours what is near the middle; it is not scaled up again, so the dark bars add up to less than 1.");
  if (place.part != Part::path) return sentence();
  return tr("Step %1 writes ‘%2’; its window stands at %3.")
             .arg(QString::number(place.step), written_[static_cast<std::size_t>(place.step)].name,
                  QString::number(windows_->steps[static_cast<std::size_t>(place.step)].centre, 'f', 2)) +
         '\n' +
         (windows_->predicted ? tr("The model predicts from its own state where to look. In languages of like word "
                                   "order the dots go down to the right.")
                              : tr("The window moves on by one position in each step, whatever the text."));
}

}  // namespace headlight
