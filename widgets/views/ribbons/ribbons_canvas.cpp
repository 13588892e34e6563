#include "widgets/views/ribbons/ribbons_canvas.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "widgets/base/ink.h"
#include "widgets/base/oklab.h"
#include "widgets/base/theme.h"
#include "widgets/matrix/cell_picture.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

using Side = RibbonsHit::Side;

Side other(Side side) { return side == Side::query ? Side::key : Side::query; }

QFont token_font() { return Theme::instance().token_font(0.95); }

}  // namespace

RibbonsCanvas::RibbonsCanvas(QWidget* parent) : Canvas(Layout::scrolled, parent) { announce(); }

void RibbonsCanvas::set_map(std::shared_ptr<const AttentionMap> map, std::vector<Index> heads) {
  map_ = std::move(map);
  heads_ = map_ ? std::move(heads) : std::vector<Index>{};
  weights_.clear();
  queries_.clear();
  keys_.clear();
  if (map_) {
    for (const Index head : heads_) weights_.push_back(map_->matrix(head));
    queries_ = row_labels(*map_);
    keys_ = column_labels(*map_);
  }
  const auto known = [&](const RibbonsHit& place) {
    return place.index < static_cast<int>(place.side == Side::query ? queries_.size() : keys_.size());
  };
  if (!known(cursor_)) cursor_ = {};
  if (!known(hover_)) hover_ = {};
  limit_lines();
  lay_out();
  announce();
}

void RibbonsCanvas::limit_lines() {
  std::vector<double> drawn;
  for (const Tensor& weights : weights_)
    for (Index i = 0; i < weights.size(); ++i)
      if (const auto w = static_cast<double>(weights[i]); w >= kFaintestRibbon) drawn.push_back(w);
  faintest_ = kFaintestRibbon;
  if (drawn.size() <= kMostLines) return;
  std::nth_element(drawn.begin(), drawn.begin() + kMostLines, drawn.end(), std::greater<>());
  faintest_ = std::nextafter(drawn[kMostLines], 2.0);  // equal ones go together
}

QSizeF RibbonsCanvas::arrange(QSizeF view) {
  const QFontMetricsF metrics(token_font());
  RibbonsLayout::Metrics m;
  m.width = view.width();
  m.line = std::ceil(metrics.height() + 4);
  m.header = std::ceil(QFontMetricsF(Theme::instance().ui_font(0.9)).height() + 6);
  m.query = widest_label(queries_, token_font());
  m.key = widest_label(keys_, token_font());
  layout_ = RibbonsLayout::of(static_cast<int>(queries_.size()), static_cast<int>(keys_.size()), m);
  return {layout_.width, layout_.height};
}

const AxisLabel& RibbonsCanvas::label(const RibbonsHit& place) const {
  return (place.side == Side::query ? queries_ : keys_)[static_cast<std::size_t>(place.index)];
}

RibbonsHit RibbonsCanvas::isolated() const { return hover_.index >= 0 ? hover_ : cursor_; }

void RibbonsCanvas::set_cursor(RibbonsHit place) {
  const int count = place.side == Side::query ? layout_.queries : place.side == Side::key ? layout_.keys : 0;
  if (place.index >= count || place.index < 0) place = {};
  if (place == cursor_) return;
  cursor_ = place;
  if (place.index >= 0) {
    QRectF rect = layout_.token(place);
    rect.setTop(place.index == 0 ? 0 : rect.top() - layout_.metrics.header);
    reveal({0, rect.top(), 0, rect.height()}, layout_.metrics.margin);
  }
  announce();
  viewport()->update();
}

void RibbonsCanvas::set_hover(RibbonsHit place) {
  const int count = place.side == Side::query ? layout_.queries : place.side == Side::key ? layout_.keys : 0;
  if (place.index >= count || place.index < 0) place = {};
  if (place == hover_) return;
  hover_ = place;
  viewport()->update();
}

double RibbonsCanvas::weight(int query, int key) const {
  double largest = 0;
  for (const Tensor& weights : weights_)
    largest = std::max(largest, static_cast<double>(weights[static_cast<Index>(query) * weights.columns() + key]));
  return largest;
}

// One head has the colour of all weights. Several go once around the circle of hues at one lightness, so that none
// looks stronger than another.
QColor RibbonsCanvas::head_colour(Index head) const {
  const Theme& theme = Theme::instance();
  if (heads_.size() < 2) return theme.weight(0.78);
  const bool dark = theme.mode() == Theme::Mode::dark;
  const double angle = 2 * M_PI * (0.08 + static_cast<double>(head) / static_cast<double>(heads_.size()));
  return from_oklab({dark ? 0.76 : 0.58, 0.13 * std::cos(angle), 0.13 * std::sin(angle)});
}

QString RibbonsCanvas::description(const RibbonsHit& place) const {
  if (!map_ || place.index < 0) return {};
  const bool from = place.side == Side::query;
  const auto& others = from ? keys_ : queries_;
  std::vector<int> order(others.size());
  std::iota(order.begin(), order.end(), 0);
  const auto strength = [&](int i) { return from ? weight(place.index, i) : weight(i, place.index); };
  const auto shown = std::min<std::size_t>(5, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [&](int a, int b) { return strength(a) > strength(b); });
  QStringList lines{(from ? tr("%1 looks at:") : tr("%1 is looked at by:")).arg(label(place).name)};
  for (std::size_t i = 0; i < shown; ++i)
    if (strength(order[i]) > 0)
      lines << QStringLiteral("%1  %2").arg(others[static_cast<std::size_t>(order[i])].name,
                                            QString::number(strength(order[i]), 'f', 3));
  if (heads_.size() > 1) lines << tr("(the largest weight of all heads)");
  return lines.join('\n');
}

QString RibbonsCanvas::name() const {
  return map_ ? tr("Attention as lines, %1 tokens that look, %2 tokens that are looked at")
                    .arg(layout_.queries)
                    .arg(layout_.keys)
              : tr("Attention as lines, empty");
}

QString RibbonsCanvas::description() const {
  return cursor_.index >= 0 ? description(cursor_) : tr("No token selected. Arrow keys choose one.");
}

void RibbonsCanvas::paint(QPainter& painter, const QRectF& sight, bool) const {
  if (!map_) return;
  const Theme& theme = Theme::instance();
  painter.setRenderHint(QPainter::Antialiasing);
  paint_lines(painter, sight);
  paint_tokens(painter, sight);
  for (const Side side : {Side::query, Side::key}) {
    QRectF line = layout_.header(side);
    const QRectF list = layout_.token({side, 0});
    const bool left = side == Side::query;
    left ? line.setRight(list.right()) : line.setLeft(list.left());
    write_line(painter, line, left ? kTopRight : kTopLeft, left ? row_caption(*map_) : column_caption(*map_),
               theme.ui_font(0.9), theme.muted_text());
  }
  if (weights_.size() > 1) paint_legend(painter);
}

// The numbers of the heads in their colours, above the lines; as many as there is room for.
void RibbonsCanvas::paint_legend(QPainter& painter) const {
  const QRectF lines = layout_.lines();
  const QFontMetricsF metrics(painter.font());
  const double each = metrics.horizontalAdvance(QStringLiteral("00")) + 14;
  const auto shown = std::min<int>(static_cast<int>(heads_.size()), static_cast<int>(lines.width() / each));
  double x = lines.center().x() - shown * each / 2;
  for (int h = 0; h < shown; ++h, x += each) {
    const QRectF place(x, layout_.metrics.margin, each, metrics.height());
    draw_box(painter, QRectF(x, place.center().y() - 4, 8, 8), 2, Qt::NoPen, head_colour(h));
    painter.setPen(Theme::instance().muted_text());
    painter.drawText(place.adjusted(11, 0, 0, 0), kLeft, QString::number(heads_[static_cast<std::size_t>(h)] + 1));
  }
}

void RibbonsCanvas::paint_lines(QPainter& painter, const QRectF& sight) const {
  const RibbonsHit only = isolated();
  const auto heads = static_cast<int>(weights_.size());
  painter.setBrush(Qt::NoBrush);
  for (int h = 0; h < heads; ++h) {
    const Tensor& weights = weights_[static_cast<std::size_t>(h)];
    const QColor colour = head_colour(h);
    for (int row = 0; row < layout_.queries; ++row) {
      if (only.side == Side::query && only.index != row) continue;
      const double from = layout_.start(row).y();
      for (int column = 0; column < layout_.keys; ++column) {
        if (only.side == Side::key && only.index != column) continue;
        const auto share = static_cast<double>(weights[static_cast<Index>(row) * weights.columns() + column]);
        const double opacity = ribbon_opacity(share, heads);
        if (opacity <= 0 || (only.index < 0 && share < faintest_)) continue;
        const double to = layout_.end(column).y();
        if (std::max(from, to) < sight.top() || std::min(from, to) > sight.bottom()) continue;
        QColor ink = colour;
        ink.setAlphaF(static_cast<float>(opacity));
        // Lines of several heads between the same tokens stand beside each other.
        const double beside =
            heads > 1 ? (h - (heads - 1) / 2.0) * std::min(2.2, 0.7 * layout_.metrics.line / heads) : 0;
        painter.setPen(QPen(ink, only.index >= 0 ? 2.4 : 1.8));
        painter.drawPath(layout_.ribbon(row, column).translated(0, beside));
      }
    }
  }
}

void RibbonsCanvas::paint_tokens(QPainter& painter, const QRectF& sight) const {
  const Theme& theme = Theme::instance();
  const QFont font = token_font();
  const RibbonsHit only = isolated();
  for (const Side side : {Side::query, Side::key}) {
    const int count = side == Side::query ? layout_.queries : layout_.keys;
    for (int i = 0; i < count; ++i) {
      const RibbonsHit place{side, i};
      const QRectF rect = layout_.token(place);
      if (!rect.intersects(sight)) continue;
      const AxisLabel& text = label(place);
      QColor ink = text.muted ? theme.muted_text() : theme.text();
      if (only.index >= 0 && only.side == other(side)) {  // how much of the isolated token's weight
        const double share = side == Side::key ? weight(only.index, i) : weight(i, only.index);
        const QColor fill = theme.weight(share);
        draw_box(painter, rect.adjusted(0, 1, 0, -1), 3, Qt::NoPen, fill);
        if (share > 0.02) ink = Theme::readable_on(fill);
      }
      if (place == only || place == cursor_)
        draw_box(painter, rect.adjusted(1, 1, -1, -1), 3,
                 QPen(place == cursor_ ? theme.accent() : theme.hover(), place == cursor_ && hasFocus() ? 2 : 1.2));
      const double inset = layout_.metrics.padding;
      write_line(painter, rect.adjusted(inset, 0, -inset, 0), side == Side::query ? kRight : kLeft, text.text,
                 text.special ? special_font(font) : font,
                 text.special && ink == theme.text() ? theme.muted_text() : ink, Qt::ElideMiddle);
    }
  }
}

Qt::CursorShape RibbonsCanvas::hover(QPointF point) {
  const RibbonsHit place = layout_.place_at(point);
  if (place != hover_) {
    set_hover(place);
    emit hovered(place);
  }
  return place.index >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor;
}

void RibbonsCanvas::press(QPointF point, Qt::KeyboardModifiers) {
  const RibbonsHit place = layout_.place_at(point), before = cursor_;
  set_cursor(place);
  emit chosen(place, before);
}

void RibbonsCanvas::walk(int down, Side side) {
  const RibbonsHit before = cursor_;
  const int count = side == Side::query ? layout_.queries : layout_.keys;
  if (count == 0) return;
  set_hover({});
  set_cursor({side, before.index < 0 ? 0 : std::clamp(before.index + down, 0, count - 1)});
  emit chosen(cursor_, {});
}

// The lists stand upright: first and last are those of the list.
bool RibbonsCanvas::go(int right, int down) {
  const Side side = cursor_.side == Side::none ? Side::query : cursor_.side;
  if (std::abs(right) == kEnd)
    walk(right, side);
  else if (right != 0)
    walk(0, right < 0 ? Side::query : Side::key);
  else
    walk(down, side);
  return true;
}

bool RibbonsCanvas::activate() {
  if (cursor_.index < 0) return false;
  emit chosen(cursor_, {});
  return true;
}

bool RibbonsCanvas::press_key(const QKeyEvent& event) {
  if (event.key() != Qt::Key_Escape || cursor_.index < 0) return false;
  set_cursor({});
  emit chosen({}, {});
  return true;
}

QString RibbonsCanvas::tooltip(QPointF point) const {
  const RibbonsHit place = layout_.place_at(point);
  return place.index >= 0 ? description(place) : QString();
}

}  // namespace headlight
