#include "widgets/views/local_window_canvas.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "widgets/base/theme.h"
#include "widgets/base/token_text.h"
#include "widgets/items/attention_words.h"
#include "widgets/items/trace_labels.h"

namespace headlight {

using Part = LocalWindowPlace::Part;

LocalWindowCanvas::LocalWindowCanvas(QWidget* parent) : QAbstractScrollArea(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  viewport()->setMouseTracking(true);
  connect(&Theme::instance(), &Theme::changed, this, &LocalWindowCanvas::arrange);
  announce();
}

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
  arrange();
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

void LocalWindowCanvas::arrange() {
  const Theme& theme = Theme::instance();
  const QFontMetricsF words(theme.ui_font(0.9)), tokens(theme.token_font(0.9));
  LocalWindowLayout::Metrics m;
  m.view = viewport()->size();
  m.line = std::ceil(words.height() + 1);
  m.token_line = std::ceil(tokens.height() + 3);
  m.label = 18 + std::max(words.horizontalAdvance(tr("before")), words.horizontalAdvance(tr("after")));
  for (const HeatmapLabel& label : written_) m.label = std::max(m.label, tokens.horizontalAdvance(label.text) + 10);
  m.positions = static_cast<int>(tokens_.size());
  m.steps = static_cast<int>(written_.size());
  layout_ = LocalWindowLayout::of(m);
  const auto set = [](QScrollBar* bar, double whole, int page) {
    bar->setRange(0, std::max(0, static_cast<int>(std::ceil(whole)) - page));
    bar->setPageStep(page);
    bar->setSingleStep(20);
  };
  set(verticalScrollBar(), layout_.height, viewport()->height());
  set(horizontalScrollBar(), layout_.width, viewport()->width());
  viewport()->update();
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

void LocalWindowCanvas::announce() {
  const QString name =
      windows_ ? tr("Windows of local attention, %1 steps over %2 positions").arg(written_.size()).arg(tokens_.size())
               : tr("Windows of local attention, none");
  QString text = sentence();
  if (windows_ && position_ >= 0) text += ' ' + position_sentence(position_) + '.';
  if (name != accessibleName()) setAccessibleName(name);
  if (text != accessibleDescription()) setAccessibleDescription(text);
}

QPointF LocalWindowCanvas::scrolled(QPointF point) const {
  return point + QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
}

void LocalWindowCanvas::resizeEvent(QResizeEvent*) { arrange(); }

void LocalWindowCanvas::mouseMoveEvent(QMouseEvent* event) {
  const LocalWindowPlace place = layout_.place_at(scrolled(event->position()));
  viewport()->setCursor(place.part == Part::none ? Qt::ArrowCursor : Qt::PointingHandCursor);
  if (place.step == hovered_step_ && place.position == hovered_position_) return;
  set_hover(place.step, place.position);
  emit hovered(place.step, place.position);
}

void LocalWindowCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !windows_) return;
  const LocalWindowPlace place = layout_.place_at(scrolled(event->position()));
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

void LocalWindowCanvas::keyPressEvent(QKeyEvent* event) {
  const auto many = static_cast<int>(tokens_.size());
  switch (event->key()) {
    case Qt::Key_Up:
      return walk(-1, 0);
    case Qt::Key_Down:
      return walk(1, 0);
    case Qt::Key_Left:
      return walk(0, -1);
    case Qt::Key_Right:
      return walk(0, 1);
    case Qt::Key_Home:
      set_place(step_, 0);
      return walk(0, -many);
    case Qt::Key_End:
      set_place(step_, many - 1);
      return walk(0, many);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return walk(0, 0);
    default:
      event->ignore();
  }
}

void LocalWindowCanvas::focusInEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusInEvent(event);
  viewport()->update();
}

void LocalWindowCanvas::focusOutEvent(QFocusEvent* event) {
  QAbstractScrollArea::focusOutEvent(event);
  viewport()->update();
}

void LocalWindowCanvas::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    arrange();
    announce();
  }
  QAbstractScrollArea::changeEvent(event);
}

bool LocalWindowCanvas::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Leave && (hovered_step_ >= 0 || hovered_position_ >= 0)) {
    set_hover(-1, -1);
    emit hovered(-1, -1);
  }
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const LocalWindowPlace place = layout_.place_at(scrolled(help->pos()));
  QString text;
  if (windows_ && place.part == Part::bars)
    text = position_sentence(place.position) + '\n' +
           tr("Light bar: the softmax among the positions of the window. Dark bar: the same times the Gaussian, which "
              "favours what is near the middle; it is not scaled up again, so the dark bars add up to less than 1.");
  else if (windows_ && place.part == Part::path)
    text = tr("Step %1 writes ‘%2’; its window stands at %3.")
               .arg(QString::number(place.step), written_[static_cast<std::size_t>(place.step)].name,
                    QString::number(windows_->steps[static_cast<std::size_t>(place.step)].centre, 'f', 2)) +
           '\n' +
           (windows_->predicted
                ? tr("The model predicts from its own state where to look. In languages of like word order the dots "
                     "go down to the right.")
                : tr("The window moves on by one position in each step, whatever the text."));
  else if (windows_)
    text = sentence();
  QToolTip::showText(help->globalPos(), plain_tooltip(text), viewport());
  return true;
}

QSize LocalWindowCanvas::picture_size() const {
  return {static_cast<int>(std::ceil(layout_.width)), static_cast<int>(std::ceil(layout_.height))};
}

}  // namespace headlight
