#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/decode/run.h"
#include "widgets/base/hatch.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/canvas/same_names.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/ribbons/ribbons_canvas.h"

namespace headlight {

namespace {

constexpr double kNamed = 0.1;  // ribbons that have a number

}  // namespace

void RibbonsCanvas::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (maps_.empty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  const double left = std::max(0.0, sight.left());
  const auto chosen = static_cast<std::size_t>(std::ranges::find(heads_, head_) - heads_.begin());
  if (chosen < layout_.rows.size()) {
    QRectF row = layout_.rows[chosen];
    if (layout_.beside) row.setRight(layout_.side(row).right());
    draw_box(painter, row, 5, Qt::NoPen, tokens().wash);
  }
  if (const int own = own_column(); is_self() && own >= 0 && !layout_.rows.empty())
    painter.fillRect(
        layout_.others.cell(own, layout_.arcs.bottom(), layout_.rows.back().bottom() - layout_.arcs.bottom()),
        tokens().wash);
  paint_ribbons(painter, marks);
  paint_lines(painter, marks);
  paint_rows(painter, marks);
  // Names stay where they are seen, on paper.
  if (left > 0) painter.fillRect(QRectF(left, 0, layout_.metrics.name, layout_.height), tokens().paper);
  paint_names(painter, left, marks);
  if (layout_.beside) paint_side(painter);
}

RibbonsCanvas::Drawn RibbonsCanvas::drawn() const {
  const int own = own_column();
  if (own < 0 || own >= (layout_.two_lines() ? layout_.own : layout_.others).count()) return {};
  Drawn found{(layout_.two_lines() ? layout_.own : layout_.others).centre(own), {}, {}, {}};
  for (int i = 0; i < columns() && i < layout_.others.count(); ++i) {
    const double value = weight(head_, i);
    found.names.push_back(headlight::is_folded(nth(labels_, i)) ? QString() : nth(labels_, i).text);
    found.to.push_back(layout_.others.centre(i));
    found.weights.push_back(std::isfinite(value) && !(is_self() && i == own) ? value : 0);
  }
  return found;
}

// Ribbons of the same token glide: their ends move, their weight becomes another. What is new or gone has its place,
// and no weight before or after.
void RibbonsCanvas::paint_between(QPainter& painter, const Motion::Frame& frame) const {
  Motion::fade(painter, frame);
  const Drawn now = drawn();
  if (before_.names.empty() || now.names.empty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(viewport_point({0, 0}));
  painter.scale(scale(), scale());
  painter.fillRect(layout_.arcs, tokens().paper);
  painter.setBrush(Qt::NoBrush);
  const auto draw = [&](double to, double weight) {
    if (weight < RibbonsLayout::kFaintest) return;
    painter.setPen(QPen(theme().weight(0.12 + 0.88 * std::min(1.0, weight)), layout_.thickness(weight), Qt::SolidLine,
                        Qt::FlatCap));
    painter.drawPath(layout_.ribbon(std::lerp(before_.from, now.from, frame.way), to));
  };
  std::vector<double> was = before_.weights, is = now.weights;
  for (const auto& [i, j] : same_names(before_.names, now.names)) {
    draw(std::lerp(nth(before_.to, i), nth(now.to, j), frame.way),
         std::lerp(std::exchange(nth(was, i), 0), std::exchange(nth(is, j), 0), frame.way));
  }
  for (std::size_t i = 0; i < was.size(); ++i) draw(before_.to[i], was[i] * (1 - frame.way));
  for (std::size_t j = 0; j < is.size(); ++j) draw(now.to[j], is[j] * frame.way);
}

void RibbonsCanvas::paint_ribbons(QPainter& painter, bool marks) const {
  const int own = own_column();
  if (own < 0) return;
  std::vector<int> order(columns_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](int a, int b) {  // the strongest last, on top
    const double x = weight(head_, a), y = weight(head_, b);
    return (std::isnan(x) ? -1 : x) < (std::isnan(y) ? -1 : y);
  });
  painter.setBrush(Qt::NoBrush);
  for (const int to : order) {
    const double value = weight(head_, to);
    if (!(value >= RibbonsLayout::kFaintest) || std::isinf(value) || (is_self() && to == own)) continue;
    const QPainterPath path = layout_.ribbon(own, to);
    const QColor colour = theme().weight(0.12 + 0.88 * std::min(1.0, value));
    const bool over = marks && hovered().part == RibbonsHit::Part::ribbon && hovered().column == to;
    if (over || cell_of(to) == chosen_) {  // apart from it by paper, as the ring of a cell
      const double width = layout_.thickness(value);
      painter.setPen(QPen(over ? tokens().ink : tokens().accent, width + 6, Qt::SolidLine, Qt::FlatCap));
      painter.drawPath(path);
      painter.setPen(QPen(tokens().paper, width + 2.5, Qt::SolidLine, Qt::FlatCap));
      painter.drawPath(path);
    }
    painter.setPen(QPen(colour, layout_.thickness(value), Qt::SolidLine, Qt::FlatCap));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
  }
  std::ranges::reverse(order);
  paint_shares(painter, order, own);
  if (change(head_).off) paint_off(painter, layout_.arcs);
}

// Over all ribbons, the strongest first, each where neither another number nor a stronger ribbon is: they lie close
// together in their middle and apart at their ends.
void RibbonsCanvas::paint_shares(QPainter& painter, const std::vector<int>& strongest_first, int own) const {
  std::vector<QRectF> taken;
  std::vector<QPainterPath> stronger;
  const auto is_free = [&](const QRectF& place) {
    return place.top() >= layout_.arcs.top() - 2 &&
           std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(place); }) &&
           std::ranges::none_of(stronger, [&](const QPainterPath& ribbon) { return ribbon.intersects(place); });
  };
  for (const int to : strongest_first) {
    const double value = weight(head_, to), thick = layout_.thickness(value);
    if (!(value >= kNamed) || std::isinf(value) || (is_self() && to == own)) continue;
    const bool inside = thick >= QFontMetricsF(theme().ui_font()).height();
    const QFont font = inside ? bold_font(type::kTitle) : theme().ui_font(type::kSource);
    const QString text = short_share(value);
    const double high = QFontMetricsF(font).height(), wide = text_width(text, font), beside = (thick + wide) / 2 + 3;
    const QPainterPath path = layout_.ribbon(own, to);
    const auto found = [&]() -> std::optional<QRectF> {
      for (const double way : {0.5, 0.66, 0.34, 0.8, 0.88, 0.2}) {
        const QRectF on(path.pointAtPercent(way) - QPointF(wide, high) / 2, QSizeF(wide, high));
        const QList<QRectF> places = inside ? QList{on}
                                            : QList{on.translated(0, -(thick + high) / 2 - 1), on.translated(beside, 0),
                                                    on.translated(-beside, 0)};
        if (const auto free = std::ranges::find_if(places, is_free); free != places.end()) return *free;
      }
      return {};
    }();
    if (found) {
      taken.push_back(*found);
      if (inside)
        write(painter, found->adjusted(-2, 0, 2, 0), kCentre, text, font,
              Theme::readable_on(theme().weight(0.12 + 0.88 * std::min(1.0, value))));
      else
        draw_halo(painter, {found->left(), found->top() + QFontMetricsF(font).ascent()}, text, font, tokens().ink,
                  tokens().paper);
    }
    QPainterPathStroker stroker;
    stroker.setWidth(thick);
    stronger.push_back(stroker.createStroke(path));
  }
}

void RibbonsCanvas::paint_lines(QPainter& painter, bool marks) const {
  const int own = own_column();
  const auto hovered_in = [&](bool other) {
    if (!marks) return -1;
    const RibbonsHit& place = hovered();
    if (!other) return place.part == RibbonsHit::Part::own ? place.column : -1;
    return place.part == RibbonsHit::Part::other || place.part == RibbonsHit::Part::cell ? place.column : -1;
  };
  if (!own_labels_.empty())
    own_head_.paint(painter, layout_.own, own_labels_, layout_.arcs.top() - own_head_.height - 2, own,
                    hovered_in(false));
  head_line_.paint(painter, layout_.others, labels_, layout_.arcs.bottom() + 2, is_self() ? own : -1, hovered_in(true));
  if (!marks || hovered_outside_.index < 0) return;
  // A token that is pointed at in another view.
  const bool below = is_self() || hovered_outside_.side != (token_.side == Side::key ? Side::key : Side::query);
  const auto underline = [&](const QRectF& rect) {
    draw_line(painter, {rect.left() + 4, rect.bottom() - 1}, {rect.right() - 4, rect.bottom() - 1},
              QPen(tokens().ink, 2));
  };
  if (!below) return underline(layout_.own_token(hovered_outside_.index));
  const int key = is_self() && hovered_outside_.side == Side::query
                      ? static_cast<int>(std::max<Index>(0, map().source(hovered_outside_.index).column))
                      : hovered_outside_.index;
  for (int i = 0; i < columns(); ++i)
    if (nth(columns_, i).front() == key) underline(layout_.other_token(i));
}

void RibbonsCanvas::paint_rows(QPainter& painter, bool marks) const {
  for (int r = 0; r < static_cast<int>(heads_.size()); ++r) {
    const Head& head = nth(heads_, r);
    const Change& changed = change(head);
    const bool here = head == head_;
    for (int c = 0; c < columns(); ++c) {
      const double value = weight(head, c);
      const QRectF cell = layout_.cell(r, c);
      if (is_dropped(head, c)) {
        QPainterPath outside;
        outside.addRect(cell.adjusted(1, 1, -1, -1));
        draw_not_kept(painter, outside);
      }
      if (std::isnan(value) || is_masked(head, c)) continue;  // it cannot look there
      const MapCell at = cell_of(c);
      if (std::isinf(value))
        draw_hatch(painter, cell, theme().hatch(), 6);
      else
        draw_tile(painter, cell, here && value < 0.03 ? tokens().wash : theme().weight(value), short_share(value),
                  here && value > 0.5);
      if (marks && hovered() == RibbonsHit{RibbonsHit::Part::cell, c, r}) draw_ring(painter, cell, tokens().ink, 1.4);
      if (std::ranges::binary_search(changed.weights, std::pair<Index, Index>(at.row, at.column)))
        draw_edited_dot(painter, cell);
      if (here && at == chosen_ && at.column >= 0) draw_ring(painter, cell, tokens().accent);
    }
    if (changed.off && columns() > 0) paint_off(painter, layout_.cell(r, 0) | layout_.cell(r, columns() - 1));
  }
}

bool RibbonsCanvas::is_dropped(const Head& head, int column) const {
  const auto [row, key] = cell_of(column);
  return row >= 0 && key >= 0 && is_masked(head, column) && nth(maps_, head.map)->is_dropped(row, key);
}

// Beside the names of heads that share a key and value head.
void RibbonsCanvas::paint_brackets(QPainter& painter, double left) const {
  const QPen pen(tokens().ink2, 1);
  for (int r = 0; r < static_cast<int>(heads_.size()); ++r) {
    const Head& head = nth(heads_, r);
    const auto shared = static_cast<int>(nth(maps_, head.map)->shared());
    if (shared < 2 || head.head % shared != 0) continue;
    const QRectF first = nth(layout_.rows, r), last = nth(layout_.rows, r + shared - 1);
    const double x = left + layout_.metrics.name - 5, top = first.top() + 3, bottom = last.bottom() - 3;
    draw_line(painter, {x, top}, {x, bottom}, pen);
    draw_line(painter, {x, top}, {x + 3, top}, pen);
    draw_line(painter, {x, bottom}, {x + 3, bottom}, pen);
  }
}

QRectF RibbonsCanvas::cursor_rect() const {
  return maps_.empty() || own_column() < 0 ? QRectF() : layout_.own_token(own_column());
}

void RibbonsCanvas::paint_names(QPainter& painter, double left, bool marks) const {
  const Tokens& t = tokens();
  const double margin = layout_.metrics.margin, wide = 600;
  const QFont title_font = bold_font(type::kQuestion);
  const double line = QFontMetricsF(title_font).height();
  write(painter, QRectF(left + margin, 2, wide, line), kLeft, title(), title_font, t.ink);
  write(painter, QRectF(left + margin, 2 + line, wide, QFontMetricsF(theme().ui_font()).height() + 2), kLeft,
        question(), theme().ui_font(), t.ink2);
  for (int r = 0; r < static_cast<int>(heads_.size()); ++r) {
    const Head& head = nth(heads_, r);
    const QRectF row = nth(layout_.rows, r).translated(left, 0);
    const bool here = head == head_, over = marks && hovered().part == RibbonsHit::Part::name && hovered().row == r;
    if (head.head == 0)
      write(painter, QRectF(left + margin, row.top(), wide, row.height()), kLeft,
            layer_name(nth(maps_, head.map)->layer), theme().ui_font(type::kSource), t.ink2);
    QFont font = here ? bold_font() : theme().ui_font();
    font.setUnderline(over);
    write(painter, QRectF(left, row.top(), layout_.metrics.name - 10, row.height()), kRight, head_name(head.head), font,
          here ? t.accent : t.ink);
  }
  paint_brackets(painter, left);
}

void RibbonsCanvas::paint_side(QPainter& painter) const {
  const Tokens& t = tokens();
  const QRectF line = layout_.side(QRectF(0, layout_.arcs.bottom(), 0, layout_.metrics.line));
  write(painter, line, kLeft, token_.side == Side::key ? tr("who it is") : tr("what it picks"),
        theme().ui_font(type::kSource), t.ink2);
  for (int r = 0; r < static_cast<int>(heads_.size()); ++r) {
    const bool here = nth(heads_, r) == head_;
    write_line(painter, layout_.side(nth(layout_.rows, r)), kLeft, picks(nth(heads_, r)),
               here ? bold_font() : theme().ui_font(), here ? t.ink : t.ink2);
  }
  if (candidates_.empty()) return;
  const double pitch = std::ceil(1.8 * QFontMetricsF(theme().ui_font()).height());
  const int count = std::min<int>(3, static_cast<int>(candidates_.size()));
  double y = layout_.arcs.bottom() - (count + 1) * pitch;
  const auto part = [&](double height) { return layout_.beside_ribbons(y, height); };
  write(painter, part(pitch), kLeft, candidates_title_, theme().ui_font(type::kSource), t.ink2);
  const double number = text_width(QStringLiteral("100.0"), theme().ui_font());
  for (int i = 0; i < count; ++i) {
    y += pitch;
    const Candidate& each = nth(candidates_, i);
    const QRectF row = part(pitch);
    const double word = row.width() - number - 90;
    write_line(painter, QRectF(row.left(), row.top(), word, pitch), kLeft, token_text(each.text).text,
               i == 0 ? bold_font(type::kTitle) : theme().ui_font(), i == 0 ? t.ink : t.ink2);
    draw_share_bar(painter, QRectF(row.left() + word + 6, row.center().y() - 3, 70, 6), each.probability,
                   theme().weight(0.68));
    write(painter, QRectF(row.right() - number - 8, row.top(), number, pitch), kRight, bare_percent(each.probability),
          theme().ui_font(), t.ink);
  }
}

}  // namespace headlight
