#include "widgets/views/compare/compare_tokens.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"

namespace headlight {

using Change = PlacePair::Change;

CompareTokens::CompareTokens(Selection* selection, QWidget* parent)
    : Canvas(Layout::scrolled, parent), selection_(selection) {
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(selection_, &Selection::changed, this, [this](const SelectionState& state) {
    cursor_ = column_of(state.step);
    choice_changed();
  });
  connect(selection_, &Selection::hovered, this, [this] { viewport()->update(); });
  lay_out();
}

void CompareTokens::set_results(std::shared_ptr<const Result> before, std::shared_ptr<const Result> after) {
  before_ = std::move(before);
  after_ = std::move(after);
  places_.clear();
  if (before_ && after_) places_ = token_places(*before_, *after_).output;
  cursor_ = column_of(selection_->state().step);
  lay_out();
  announce();
}

const OutputStep* CompareTokens::step(bool after, int column) const {
  if (column < 0 || column >= static_cast<int>(places_.size())) return nullptr;
  const PlacePair& place = nth(places_, column);
  const Index at = after ? place.after : place.before;
  return at < 0 ? nullptr : &nth((after ? after_ : before_)->steps, at);
}

int CompareTokens::column_of(std::optional<int> wanted) const {
  for (std::size_t i = 0; wanted && i < places_.size(); ++i)
    if (places_[i].after == *wanted) return static_cast<int>(i);
  return -1;
}

QString CompareTokens::summary() const {
  const auto differ = std::ranges::count_if(places_, [](const PlacePair& place) { return !place.same; });
  if (places_.empty()) return tr("Neither run wrote anything.");
  if (differ == 0) return tr("Both write the same.");
  return tr("%1 of %2 tokens differ.").arg(differ).arg(places_.size());
}

QString CompareTokens::description(int column) const {
  const OutputStep *a = step(false, column), *b = step(true, column);
  const auto said = [](const OutputStep& one) {
    return tr("%1 with probability %2").arg(quoted(one.text), percent(one.probability));
  };
  if (!a && !b) return {};
  if (!a) return tr("Only B writes a token here: %1.").arg(said(*b));
  if (!b) return tr("Only A writes a token here: %1.").arg(said(*a));
  const bool same = nth(places_, column).same;
  return (same ? tr("Both write the same token: A %1, B %2.") : tr("They differ: A writes %1, B %2."))
      .arg(said(*a), said(*b));
}

QString CompareTokens::description() const {
  return cursor_ >= 0 ? description(cursor_) : tr("No step selected. Arrow keys choose one.");
}

QSizeF CompareTokens::arrange(QSizeF) {
  const QFontMetricsF tokens(theme().token_font());
  CompareTokensLayout::Metrics m;
  m.chip = std::ceil(tokens.height() + 4);
  m.mark = std::ceil(tokens.height() * 0.7);
  m.label = std::ceil(text_width(QStringLiteral("B"), theme().ui_font()) + 6);
  m.smallest = std::ceil(text_width(QStringLiteral("00"), theme().token_font()) + 8);
  m.largest *= theme().font_scale();
  std::vector<double> widths;
  for (int i = 0; i < static_cast<int>(places_.size()); ++i) {
    double width = 0;
    for (const bool after : {false, true})
      if (const OutputStep* one = step(after, i)) {
        const TokenText token = token_text(one->text);
        width = std::max(width, text_width(token.text, font_of(token)));
      }
    widths.push_back(width);
  }
  layout_ = CompareTokensLayout::of(widths, m);
  updateGeometry();
  return {layout_.width, layout_.height};
}

QSize CompareTokens::sizeHint() const {
  const int bar = layout_.width * scale() > width() ? horizontalScrollBar()->sizeHint().height() : 0;
  return {300, static_cast<int>(std::ceil(layout_.height * scale())) + bar};
}

void CompareTokens::select(int column) {
  if (places_.empty()) return;
  cursor_ = std::clamp(column, 0, static_cast<int>(places_.size()) - 1);
  const auto at = static_cast<std::size_t>(cursor_);
  const QRectF whole = layout_.columns[at].whole();
  reveal({whole.left(), 0, whole.width(), 0});
  if (places_[at].after >= 0) {
    SelectionState state;
    state.source_token = selection_->state().source_token;
    state.step = static_cast<int>(places_[at].after);
    const int here = cursor_;
    selection_->set(state);
    cursor_ = here;
  }
  choice_changed();
}

void CompareTokens::press(QPointF point, Qt::KeyboardModifiers) {
  if (const int column = layout_.column_at(point); column >= 0) select(column);
}

Qt::CursorShape CompareTokens::hover(QPointF point) {
  const int column = layout_.column_at(point);
  const Index at = column < 0 ? -1 : nth(places_, column).after;
  selection_->hover({}, unless_none(at));
  return Qt::ArrowCursor;
}

QRectF CompareTokens::cursor_rect() const {
  if (layout_.columns.empty()) return {};
  return nth(layout_.columns, std::clamp(cursor_, 0, static_cast<int>(layout_.columns.size()) - 1)).whole();
}

bool CompareTokens::go(int right, int) {
  if (right != 0) select(cursor_ + right);
  return right != 0;
}

void CompareTokens::paint(QPainter& painter, const QRectF&, bool marks) const {
  painter.setRenderHint(QPainter::Antialiasing);
  write(painter, layout_.label_before, kLeft, QStringLiteral("A"), theme().ui_font(), theme().muted_text());
  draw_text(painter, layout_.label_after, kLeft, QStringLiteral("B"));
  const int hovered = column_of(selection_->hovered_step());
  for (int i = 0; i < static_cast<int>(places_.size()); ++i) {
    for (const bool after : {false, true}) paint_token(painter, i, after);
    paint_mark(painter, i);
    if (!marks || (i != cursor_ && i != hovered)) continue;
    draw_box(painter, nth(layout_.columns, i).whole().adjusted(-1.5, -1.5, 1.5, 1.5), 4,
             QPen(i == cursor_ ? theme().accent() : theme().hover(), 1.2));
  }
}

// The surer the run was of a token, the fuller the line below it.
void CompareTokens::paint_token(QPainter& painter, int column, bool after) const {
  const QRectF rect = after ? nth(layout_.columns, column).after : nth(layout_.columns, column).before;
  const OutputStep* one = step(after, column);
  const bool differs = !nth(places_, column).same;
  draw_box(painter, rect.adjusted(0.5, 0.5, -0.5, -0.5), 3,
           !one ? QPen(theme().muted_text(), 1, Qt::DotLine)
                : QPen(differs ? theme().edited() : theme().grid(), differs ? 1.6 : 1));
  if (!one) return;
  const TokenText token = token_text(one->text);
  const double sure = std::clamp(one->probability, 0.0, 1.0);
  painter.fillRect(QRectF(rect.left() + 3, rect.bottom() - 3, (rect.width() - 6) * (std::isnan(sure) ? 0 : sure), 2),
                   theme().weight(0.62));
  QFont font = font_of(token);
  font.setWeight((differs && !token.stand_in) ? QFont::DemiBold : QFont::Normal);
  write_line(painter, rect.adjusted(2, 0, -2, -3), kCentre, token.text, font,
             token.stand_in ? theme().muted_text() : theme().text(), Qt::ElideMiddle);
}

// A diamond: another token; pointing down: only B has it; pointing up: only A has it.
void CompareTokens::paint_mark(QPainter& painter, int column) const {
  const Change change = nth(places_, column).change();
  if (change == Change::kept) return;
  const QRectF rect = nth(layout_.columns, column).mark;
  const double r = rect.height() * 0.32;
  const QPointF c = rect.center();
  QPolygonF shape;
  if (change == Change::changed)
    shape << c + QPointF(0, -r) << c + QPointF(r, 0) << c + QPointF(0, r) << c + QPointF(-r, 0);
  else
    shape << c + QPointF(-r, change == Change::inserted ? -r : r) << c + QPointF(r, change == Change::inserted ? -r : r)
          << c + QPointF(0, change == Change::inserted ? r : -r);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().edited());
  painter.drawPolygon(shape);
}

}  // namespace headlight
