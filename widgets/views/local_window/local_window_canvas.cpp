#include "widgets/views/local_window/local_window_canvas.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>

#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

using Part = LocalWindowHit::Part;

LocalWindowCanvas::LocalWindowCanvas(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) { announce(); }

void LocalWindowCanvas::set_windows(std::shared_ptr<const LocalWindows> windows) {
  windows_ = std::move(windows);
  tokens_.clear();
  written_.clear();
  reversed_ = false;
  if (windows_) {
    const auto& tokens = windows_->tokens;
    reversed_ = tokens.size() > 1 && tokens.front().token > tokens.back().token;
    for (const AttentionToken& token : tokens) tokens_.push_back(axis_label(token));
    if (reversed_) std::ranges::reverse(tokens_);
    for (const AttentionToken& row : windows_->rows) written_.push_back(axis_label(row, true));
  }
  step_ = std::clamp(step_, 0, std::max(0, static_cast<int>(written_.size()) - 1));
  if (position_ >= count()) position_ = -1;
  hovered_step_ = hovered_position_ = -1;
  if (held_ && (!windows_ || held_->step >= static_cast<int>(written_.size()))) held_.reset();
  lay_out();
  announce();
}

void LocalWindowCanvas::set_place(int step, int position) {
  if (!windows_) return;
  step_ = std::clamp(step, 0, static_cast<int>(written_.size()) - 1);
  position_ = std::clamp(position, -1, count() - 1);
  QRectF shown = layout_.step(step_);
  if (position_ >= 0) {
    const QRectF tile = layout_.tile(step_, column_of(position_));
    shown =
        QRectF(tile.left() - layout_.metrics.name, shown.top(), tile.width() + layout_.metrics.name, shown.height());
  } else {
    shown.setWidth(0);
  }
  reveal(shown);
  choice_changed();
}

void LocalWindowCanvas::set_hover(int step, int position) {
  if (step == hovered_step_ && position == hovered_position_) return;
  hovered_step_ = step;
  hovered_position_ = position;
  viewport()->update();
}

QSizeF LocalWindowCanvas::arrange(QSizeF view) {
  layout_ = {};
  if (!windows_) return {};
  const QFontMetricsF words(theme().ui_font()), small(theme().ui_font(type::kSource));
  const double scale = theme().font_scale();
  LocalWindowLayout::Metrics m;
  m.view = view;
  m.shares = column_shares(tokens_);
  m.steps = static_cast<int>(written_.size());
  m.margin = view.width() < 500 * scale ? space::kSmall : space::kMargin;
  double widest = small.horizontalAdvance(tr("place"));
  for (const AxisLabel& label : written_) widest = std::max(widest, text_width(label.text, bold_font(type::kQuestion)));
  m.name = std::ceil(std::min(m.margin + widest + 14, std::max(60.0, 0.3 * view.width())));
  m.side = std::ceil(190 * scale);
  m.tile = std::ceil(words.height() + 8);
  m.hill = std::ceil(1.6 * words.height());
  m.least_column = 14 * scale;
  m.most_column = 150 * scale;
  layout_ = LocalWindowLayout::of(m);
  head_ = ColumnHead::of(layout_.columns, tokens_, are_letters(tokens_) ? type::kQuestion : 1.4, 96 * scale);
  head_.height = std::max(head_.height, std::ceil(small.height()));
  m.head = std::ceil(std::max(head_.height + small.height() + 6, 2 * small.height() + 8));
  layout_ = LocalWindowLayout::of(m);
  return {layout_.width, layout_.height};
}

// --- words. Places are counted from 1, in the order of the text.

QString LocalWindowCanvas::short_sentence() const {
  if (!windows_) return {};
  const LocalWindowStep& step = at(step_);
  const QString place = QString::number(column_of(step.centre) + 1, 'f', 1);
  const Index width = windows_->settings.half_width;
  if (width == 1)
    return windows_->predicted
               ? tr("It expects place %1 and looks no further than one place from there.").arg(place)
               : tr("Its window has moved on to place %1, and reaches one place to each side.").arg(place);
  if (!windows_->predicted)
    return tr("Its window has moved on to place %1, and reaches %2 places to each side.").arg(place).arg(width);
  return tr("It expects place %1 and looks no further than %2 places from there.").arg(place).arg(width);
}

QString LocalWindowCanvas::sentence() const {
  if (!windows_) return {};
  const QString text = tr("‘%1’: %2").arg(nth(written_, step_).words(), short_sentence());
  if (!windows_->predicted) return text;
  return text + ' ' + tr("%1 % of its attention comes through.").arg(100 * at(step_).kept(), 0, 'f', 0);
}

QString LocalWindowCanvas::position_sentence(int step_index, int position) const {
  const auto place = static_cast<std::size_t>(position);
  const LocalWindowStep& step = at(step_index);
  const int column = column_of(position);
  const QString name = tr("place %1, ‘%2’").arg(column + 1).arg(nth(tokens_, column).words());
  if (!step.inside[place]) return tr("%1: outside the window, so it cannot be read").arg(name);
  if (step.gaussian.empty()) return tr("%1: weight %2").arg(name, short_number(step.weights[place]));
  return tr("%1: %2 before, × bell %3 = %4")
      .arg(name, short_number(step.before[place]), short_number(step.gaussian[place]),
           short_number(step.weights[place]));
}

QString LocalWindowCanvas::name() const {
  return windows_ ? tr("Windows of local attention, %1 steps over %2 tokens").arg(written_.size()).arg(tokens_.size())
                  : tr("Windows of local attention, none");
}

QString LocalWindowCanvas::description() const {
  return windows_ && position_ >= 0 ? sentence() + ' ' + position_sentence(position_) + '.' : sentence();
}

QString LocalWindowCanvas::place_tooltip(const LocalWindowHit& place) const {
  if (!windows_) return {};
  switch (place.part) {
    case Part::tile:
      return position_sentence(place.step, position_of(place.column)) + '\n' +
             tr("The softmax shares out the attention among the places of the window; the bell then takes away from "
                "what is far from its top, and gives it to nobody. So a row adds up to less than 1.");
    case Part::hill:
    case Part::name:
      return tr("Step %1 writes ‘%2’; its window stands at place %3.")
                 .arg(QString::number(place.step + 1), nth(written_, place.step).words(),
                      QString::number(column_of(at(place.step).centre) + 1, 'f', 2)) +
             '\n' +
             (windows_->predicted
                  ? tr("The model says where it expects the token before it looks. Drag the bell to move it.")
                  : tr("The window moves on by one token in each step, whatever the text."));
    case Part::share:
      return tr("The weights of step %1 add up to %2: the rest is lost on the slopes of the bell.")
          .arg(place.step + 1)
          .arg(short_number(at(place.step).kept()));
    case Part::tokens:
      return nth(tokens_, place.column).words();
    case Part::none:
      break;
  }
  return sentence();
}

// --- mouse and keys

void LocalWindowCanvas::hover_changed() {
  const int position = hovered().column >= 0 ? position_of(hovered().column) : -1;
  set_hover(hovered().step, position);
  emit hovered_at(hovered().step, position);
}

Qt::CursorShape LocalWindowCanvas::pointer(const LocalWindowHit& place) const {
  if (place.part == Part::none) return Qt::ArrowCursor;
  return place.part == Part::hill && windows_->predicted ? Qt::SizeHorCursor : Qt::PointingHandCursor;
}

void LocalWindowCanvas::press(QPointF point, Qt::KeyboardModifiers) {
  const LocalWindowHit place = place_at(point);
  if (place.step < 0) return;
  if (place.part == Part::tile && nth(at(place.step).inside, position_of(place.column))) {
    set_place(place.step, position_of(place.column));
    emit weight_chosen(step_, position_);
    return;
  }
  set_place(place.step, -1);
  emit step_chosen(step_);
  if (place.part == Part::hill && windows_->predicted)
    held_ = Held{place.step, layout_.column_of(point.x()) - column_of(at(place.step).centre), false};
}

void LocalWindowCanvas::drag(QPointF point) {
  if (held_ && windows_) move_hill(held_->step, layout_.column_of(point.x()) - held_->offset);
}

// In tenths of a place, and not beyond the text.
void LocalWindowCanvas::move_hill(int step, double column) {
  const double wanted = std::round(10 * std::clamp(column, 0.0, count() - 1.0)) / 10;
  const double now = column_of(at(step).centre);
  if (std::abs(wanted - now) >= 0.05) emit hill_moved(step, column_of(wanted));
}

QRectF LocalWindowCanvas::cursor_rect() const {
  if (!windows_ || written_.empty()) return {};
  return position_ < 0 ? layout_.step(step_) : layout_.tile(step_, column_of(position_));
}

bool LocalWindowCanvas::go(int right, int down) {
  if (!windows_) return false;
  int column = position_ < 0 ? -1 : column_of(position_);
  if (column < 0 && right != 0) column = static_cast<int>(std::lround(column_of(at(step_).centre))) - right;
  if (std::abs(right) == kEnd)
    column = right < 0 ? 0 : count() - 1;
  else if (right != 0)
    column = std::clamp(column + right, 0, count() - 1);
  set_place(step_ + down, column < 0 ? -1 : position_of(column));
  if (position_ < 0)
    emit step_chosen(step_);
  else
    emit weight_chosen(step_, position_);
  return true;
}

bool LocalWindowCanvas::press_key(const QKeyEvent& event) {
  const bool left = event.key() == Qt::Key_Left, right = event.key() == Qt::Key_Right;
  if (!windows_ || !windows_->predicted || !(event.modifiers() & Qt::ShiftModifier) || (!left && !right)) return false;
  move_hill(step_, column_of(at(step_).centre) + (left ? -0.5 : 0.5));
  return true;
}

}  // namespace headlight
