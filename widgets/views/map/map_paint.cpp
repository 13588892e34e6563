// Painting of the computation map: boxes, links, values as colours and numbers, and the way to the cursor.
#include <QPainter>
#include <QPainterPath>
#include <QTimer>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/matrix/cells.h"
#include "widgets/text/number_words.h"
#include "widgets/views/map/map_view.h"
#include "widgets/views/map/map_words.h"

namespace headlight {

namespace {

constexpr qint64 kNumbersOfAFrame = 400'000;  // that are looked at for pictures; the rest follows in the next frames
constexpr QSize kSmallPicture(240, 96);       // of a value whose numbers are not told apart
constexpr double kSeparateCell = 2;           // pixels: larger numbers are fields of their own
constexpr double kFar = 40;                   // pixels beyond the view that are still drawn

QColor mixed(const QColor& a, const QColor& b, double share) {
  const auto part = [share](int x, int y) { return static_cast<int>(std::lround(x + (y - x) * share)); };
  return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

QColor output_colour() { return theme().weight(0.72); }

QFont leaf_font(double scale) { return theme().ui_font(std::clamp(0.95 * scale, type::kHead, type::kText)); }

void write(QPainter& painter, const QRectF& rect, int flags, const QString& text) {
  const QFontMetricsF metrics(painter.font());
  if (rect.width() < metrics.averageCharWidth() * 3) return;  // a letter and dots say nothing
  draw_text(painter, rect, flags | static_cast<int>(Qt::TextSingleLine),
            elided_text(text, painter.font(), Qt::ElideRight, std::ceil(rect.width())));
}

}  // namespace

MapGrid MapView::grid_of(int node, const QRectF& rect) const {
  const TraceEntry& entry = (*result_->trace)[nth(flow_.nodes, node).entry];
  const double line = QFontMetricsF(leaf_font(rect.width() / map_.metrics.leaf_width)).height();
  const double lines = rect.height() >= 2 * line + 9 ? 2 : rect.height() >= line + 2 ? 1 : 0;
  const double inset = std::min(5.0, rect.width() * 0.04);
  const QRectF room = rect.adjusted(inset, lines * line + 2, -inset, -std::min(4.0, 0.08 * rect.height()));
  return room.height() < 4 ? MapGrid() : MapGrid::of(entry.value.shape(), room);
}

void MapView::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  budget_ = kNumbersOfAFrame;
  painter.fillRect(sight, theme().background());
  painter.setRenderHint(QPainter::Antialiasing);
  painter.save();
  painter.setClipRect(area());
  paint_links(painter, 0);
  for (const int each : flow_.nodes[0].children) paint_box(painter, each, 1);
  painter.restore();
  paint_crumbs(painter);
  if (!marks) return;
  if (budget_ < 0) QTimer::singleShot(0, viewport(), [seen = viewport()] { seen->update(); });
}

// What is not computed yet lies under a veil, a group with all that is in it.
void MapView::paint_box(QPainter& painter, int node, int depth) const {
  paint_whole_box(painter, node, depth);
  const int parent = nth(flow_.nodes, node).parent;
  if (is_computed(node) || !is_computed(parent)) return;
  QColor veil = theme().background();
  veil.setAlphaF(0.68F);
  const QRectF seen = area().adjusted(-kFar, -kFar, kFar, kFar);
  const double cards = nth(flow_.nodes, node).steps > 1 ? std::min(8.0, 16 * camera_.scale) : 0;
  const QRectF rect = screen(nth(map_.boxes, node).rect).adjusted(-2, -2, 2 + cards, 2 + cards);
  if (rect.intersects(seen)) painter.fillRect(rect.intersected(seen), veil);
}

void MapView::paint_whole_box(QPainter& painter, int node, int depth) const {
  const QRectF rect = screen(nth(map_.boxes, node).rect);
  const QRectF seen = area().adjusted(-kFar, -kFar, kFar, kFar);
  if (!rect.intersects(seen)) return;
  if (nth(flow_.nodes, node).is_leaf()) return paint_leaf(painter, node, rect);
  const QColor fill = paint_group(painter, node, rect, depth);
  if (!is_open(node)) return paint_closed(painter, node, rect);
  paint_links(painter, node);
  paint_title(painter, node, rect, fill);
  for (const int each : nth(flow_.nodes, node).children) paint_box(painter, each, depth + 1);
}

QColor MapView::paint_group(QPainter& painter, int node, const QRectF& rect, int depth) const {
  const FlowNode& here = nth(flow_.nodes, node);
  const Light light = nth(light_, node);
  QColor fill = depth % 2 == 1 ? theme().panel() : theme().background();
  if (depth == 1)  // what reads and what writes are told apart at first sight
    fill = mixed(fill, theme().signed_value(side_of(here.name) == 0 ? -0.6 : side_of(here.name) == 1 ? 0.6 : 0), 0.09);
  QPen border(mixed(theme().muted_text(), theme().background(), 0.55), 1);
  if (node == hover_) border = QPen(theme().hover(), 1.4);
  if (light == Light::output) border = QPen(output_colour(), 1.6);
  if (light == Light::input) border = QPen(theme().text(), 1.6);
  if (node == cursor_) border = QPen(theme().accent(), 2.4);
  const QRectF seen = rect.intersected(area().adjusted(-kFar, -kFar, kFar, kFar));
  const double round = std::min(8.0, rect.height() / 4);
  painter.setBrush(fill);
  painter.setPen(border);
  // Many equal steps lie on each other like cards.
  if (here.steps > 1)
    for (const double behind : {2.0, 1.0}) {
      const double shift = behind * std::min(4.0, 8 * camera_.scale);
      painter.drawRoundedRect(seen.translated(shift, shift), round, round);
    }
  painter.drawRoundedRect(seen, round, round);
  return fill;
}

// On a ground of its own: a link may come in behind it. The title of a group that reaches beyond the view stays in
// sight.
void MapView::paint_title(QPainter& painter, int node, const QRectF& rect, const QColor& fill) const {
  const double header = nth(map_.boxes, node).header * camera_.scale;
  QFont font = theme().ui_font(std::clamp(header / 20, type::kHead, type::kTitle));
  font.setWeight(QFont::DemiBold);
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  const double left =
      std::max(rect.left(), area().left()) + std::clamp(map_.metrics.padding * camera_.scale, 5.0, 12.0);
  const double right = std::min(rect.right(), area().right()) - 6;
  const QString text = title(node);
  const double width = std::min(right - left, text_width(text, font) + 1);
  if (width <= 0) return;
  const QRectF line(left, rect.top() + std::max(1.0, (header - metrics.height()) / 2 + 1), width, metrics.height());
  painter.fillRect(line, fill);
  painter.setPen(theme().text());
  write(painter, line, kLeft, text);
}

void MapView::paint_closed(QPainter& painter, int node, const QRectF& rect) const {
  painter.setPen(theme().text());
  const QString text = title(node);
  QFont font = theme().ui_font(type::kSource);
  font.setWeight(QFont::DemiBold);
  painter.setFont(font);
  const QFontMetricsF metrics(font);
  const QRectF inside = rect.adjusted(5, 2, -5, -2);
  const int result = result_of(*result_->trace, flow_, node);
  const QString shape = result < 0 ? QString() : shape_words((*result_->trace)[result].value.shape());
  const QRectF needed = metrics.boundingRect(inside, static_cast<int>(Qt::AlignCenter | Qt::TextWordWrap), text);
  const bool wraps = needed.height() <= inside.height() && needed.width() <= inside.width();
  const double height = wraps ? needed.height() : metrics.height();
  const bool room = height + metrics.height() <= inside.height();
  if (height > rect.height() + 2) return;
  const QRectF words(inside.left(), rect.center().y() - (height + (room ? metrics.height() : 0)) / 2, inside.width(),
                     height);
  if (wraps)
    draw_text(painter, words, static_cast<int>(Qt::AlignCenter | Qt::TextWordWrap), text);
  else
    write(painter, words, kCentre, text);
  if (!room) return;
  painter.setFont(theme().ui_font(type::kHead));
  painter.setPen(theme().muted_text());
  write(painter, QRectF(inside.left(), words.bottom(), inside.width(), metrics.height()), kCentre, shape);
}

void MapView::paint_links(QPainter& painter, int group) const {
  const QRectF seen = area().adjusted(-kFar, -kFar, kFar, kFar);
  QTransform to_screen;
  to_screen.translate(area().center().x(), area().center().y());
  to_screen.scale(camera_.scale, camera_.scale);
  to_screen.translate(-camera_.centre.x(), -camera_.centre.y());
  const QColor plain = mixed(theme().text(), theme().background(), 0.5);
  for (const Light wanted : {Light::none, Light::output, Light::input})
    for (std::size_t i = 0; i < map_.links.size(); ++i) {
      const MapLink& link = map_.links[i];
      if (link.group != group || link_light_[i] != wanted) continue;
      const QPainterPath path = to_screen.map(link.path);
      if (!path.controlPointRect().adjusted(-1, -1, 1, 1).intersects(seen)) continue;
      QPen pen(wanted == Light::input    ? theme().text()
               : wanted == Light::output ? output_colour()
                                         : plain,
               wanted == Light::none ? std::clamp(1.5 * camera_.scale, 0.8, 1.6) : 2.2);
      if (link.other_step && camera_.scale < 20) pen.setDashPattern({4, 3});
      painter.setPen(pen);
      painter.setBrush(Qt::NoBrush);
      painter.drawPath(path);
      if (link.to == group) continue;
      const double size = std::clamp(7 * camera_.scale, 3.5, 7.0);  // the tip at the box
      const QPointF tip = path.currentPosition();
      const bool down = nth(map_.boxes, link.to).arrives_down;
      const QPointF back = down ? QPointF(0, -size) : QPointF(-size, 0);
      const QPointF side = down ? QPointF(size / 2, 0) : QPointF(0, size / 2);
      painter.setPen(Qt::NoPen);
      painter.setBrush(pen.color());
      painter.drawPolygon(QPolygonF({tip, tip + back + side, tip + back - side}));
    }
}

void MapView::paint_leaf(QPainter& painter, int node, const QRectF& rect) const {
  const int index = nth(flow_.nodes, node).entry;
  const TraceEntry& entry = (*result_->trace)[index];
  const Light light = nth(light_, node);
  const QColor faint = mixed(theme().muted_text(), theme().background(), 0.45);
  QPen border(faint, 1);
  if (entry.site.kind->derived) border.setDashPattern({2, 2});
  if (entry.edited) border = QPen(theme().edited(), 1.8);
  if (node == hover_) border = QPen(theme().hover(), 1.6);
  if (light == Light::output) border = QPen(output_colour(), 2);
  if (light == Light::input) border = QPen(theme().text(), 1.8);
  if (node == cursor_) border = QPen(theme().accent(), 3);
  const QRectF seen = rect.intersected(area().adjusted(-kFar, -kFar, kFar, kFar));
  const double round = std::min(5.0, rect.height() / 4);
  draw_box(painter, seen, round, border,
           node == cursor_ ? mixed(theme().background(), theme().accent(), 0.14) : theme().background());
  const QFont font = leaf_font(camera_.scale);
  const QFontMetricsF metrics(font);
  const double line = metrics.height();
  painter.setFont(font);
  const double left = std::max(rect.left(), area().left()) + std::min(5.0, rect.width() * 0.04);
  const auto write_line = [&](int number, const QString& text) {
    write(painter,
          QRectF(QPointF(left, rect.top() + 2 + number * line),
                 QPointF(std::min(rect.right(), seen.right()) - 3, rect.top() + 2 + (number + 1) * line)),
          kLeft, text);
  };
  painter.setPen(theme().text());
  if (rect.height() >= line + 2) write_line(0, title(node));
  painter.setPen(theme().muted_text());
  if (rect.height() >= 2 * line + 9) write_line(1, shape_words(entry.value.shape()));
  const MapGrid grid = grid_of(node, rect);
  if (grid.columns > 0) paint_value(painter, entry, index, grid);
  if (node != cursor_ || !cell_ || grid.columns == 0) return;
  const QRectF cell = grid.cell(*cell_);
  draw_box(painter, cell.adjusted(-1, -1, 1, 1), 0, QPen(theme().accent(), 2));
}

void MapView::paint_value(QPainter& painter, const TraceEntry& entry, int index, const MapGrid& grid) const {
  const auto columns = static_cast<int>(grid.columns), rows = static_cast<int>(grid.rows);
  auto known = pictures_.find(index);
  if (known == pictures_.end()) {
    if (budget_ < 0) return;  // the next frame
    budget_ -= entry.value.size();
    Picture made;
    made.scale = CellScale::of(entry.value);
    made.image = map_picture(entry.value, grid, made.scale, QRect(0, 0, columns, rows), kSmallPicture);
    known = pictures_.insert(index, std::move(made));
  }
  const Picture& picture = *known;
  const bool whole = columns <= kSmallPicture.width() && rows <= kSmallPicture.height();
  if (entry.value.rank() > 1 && (whole || grid.cell_width() < kSeparateCell || grid.cell_height() < kSeparateCell)) {
    paint_cells(painter, grid.rect, picture.image);
    if (!whole) return;
  }
  const QRectF seen = grid.rect.intersected(area());
  if (seen.isEmpty()) return;
  const auto from = [](double distance, double size) { return static_cast<int>(distance / size); };
  QRect cells;
  cells.setCoords(from(seen.left() - grid.rect.left(), grid.cell_width()),
                  from(seen.top() - grid.rect.top(), grid.cell_height()),
                  std::min(columns - 1, from(seen.right() - grid.rect.left(), grid.cell_width())),
                  std::min(rows - 1, from(seen.bottom() - grid.rect.top(), grid.cell_height())));
  if (entry.value.rank() <= 1 || !whole) {
    const QSize pixels(std::max(1, static_cast<int>(seen.width())), std::max(1, static_cast<int>(seen.height())));
    const QRectF place(grid.rect.left() + cells.left() * grid.cell_width(),
                       grid.rect.top() + cells.top() * grid.cell_height(), cells.width() * grid.cell_width(),
                       cells.height() * grid.cell_height());
    paint_cells(painter, place, map_picture(entry.value, grid, picture.scale, cells, pixels));
  }
  if (grid.tiles > 1 && grid.rect.width() / static_cast<double>(grid.tiles) > 12) {  // heads stand apart
    painter.setPen(QPen(theme().background(), 2));
    for (Index tile = 1; tile < grid.tiles; ++tile) {
      const double x =
          grid.rect.left() + grid.rect.width() * static_cast<double>(tile) / static_cast<double>(grid.tiles);
      painter.drawLine(QPointF(x, seen.top()), QPointF(x, seen.bottom()));
    }
  }
  paint_numbers(painter, entry, grid, cells, picture.scale);
}

void MapView::paint_numbers(QPainter& painter, const TraceEntry& entry, const MapGrid& grid, const QRect& cells,
                            const CellScale& scale) const {
  const QFont font = theme().ui_font(type::kHead);
  const QFontMetricsF metrics(font);
  const double needed = text_width(QStringLiteral("−0.0000"), font);
  if (grid.cell_width() < needed + 4 || grid.cell_height() < metrics.height()) return;
  painter.setFont(font);
  for (int row = cells.top(); row <= cells.bottom(); ++row)
    for (int column = cells.left(); column <= cells.right(); ++column) {
      const Index index = grid.at(row, column);
      if (index < 0) continue;
      const auto number = static_cast<double>(entry.value[index]);
      const QRectF cell = grid.cell(index);
      painter.setPen(Theme::readable_on(scale.colour(number)));
      if (cell.height() < 3 * metrics.height()) {
        draw_text(painter, cell, kCentre, short_number(number));
        continue;
      }
      const QPointF middle = cell.center();
      draw_text(painter, QRectF(cell.left(), middle.y() - metrics.height(), cell.width(), metrics.height()), kCentre,
                short_number(number));
      painter.setOpacity(0.75);  // which one it is
      write(painter, QRectF(cell.left() + 2, middle.y(), cell.width() - 4, metrics.height()),
            static_cast<int>(Qt::AlignCenter), cell_place(entry, index, labels_));
      painter.setOpacity(1);
    }
}

// The way from the model to the cursor; where there is no room for all of it, its end.
std::vector<MapView::Crumb> MapView::crumbs() const {
  const QFontMetricsF metrics(theme().ui_font(type::kSource));
  const double gap = metrics.horizontalAdvance(QStringLiteral(" › ")), height = area().top();
  std::vector<Crumb> made;
  for (const int node : flow_.path(cursor_)) made.push_back({node, title(node), {}});
  if (const int entry = nth(flow_.nodes, cursor_).entry; cell_ && entry >= 0)
    made.push_back({cursor_, cell_place((*result_->trace)[entry], *cell_, labels_), {}});
  const std::size_t all = made.size();
  double wide = 0;
  for (Crumb& crumb : made) {
    crumb.rect = QRectF(0, 0, metrics.horizontalAdvance(crumb.text) + 2, height);
    wide += crumb.rect.width() + gap;
  }
  while (made.size() > 1 && wide - gap > width() - 16) {
    wide -= made[0].rect.width() + gap;
    made.erase(made.begin());
  }
  double x = 8 + (made.size() < all ? metrics.horizontalAdvance(QStringLiteral("… ")) : 0);
  for (Crumb& crumb : made) {
    crumb.rect.moveLeft(x);
    if (crumb.rect.right() > area().right() - 4) crumb.rect.setRight(area().right() - 4);
    x += crumb.rect.width() + gap;
  }
  return made;
}

void MapView::paint_crumbs(QPainter& painter) const {
  const QRectF bar(0, 0, area().width(), area().top());
  painter.fillRect(bar, theme().panel());
  draw_line(painter, bar.bottomLeft(), bar.bottomRight(), theme().grid());
  const QFont font = theme().ui_font(type::kSource);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  const std::vector<Crumb> way = crumbs();
  double end = 8;
  painter.setPen(theme().muted_text());
  if (way.front().rect.left() > 8)
    draw_text(painter, QRectF(8, 0, 40, bar.height()), static_cast<int>(Qt::AlignVCenter), QStringLiteral("…"));
  for (const Crumb& crumb : way) {
    const bool last = &crumb == &way.back();
    painter.setPen(last ? theme().text() : theme().muted_text());
    write(painter, crumb.rect, kLeft, crumb.text);
    end = crumb.rect.right();
    if (last) break;
    draw_text(painter, QRectF(end, 0, 60, bar.height()), kLeft, QStringLiteral(" › "));
  }
  // What the colours of the links say, where there is room.
  const std::pair<QString, QColor> signs[] = {{tr("computed from"), theme().text()}, {tr("used by"), output_colour()}};
  double room = 8;
  for (const auto& [text, colour] : signs) room += metrics.horizontalAdvance(text) + 34;
  if (cursor_ <= 0 || area().right() - room < end + 24) return;
  double x = area().right() - room;
  for (const auto& [text, colour] : signs) {
    draw_line(painter, QPointF(x, bar.center().y()), QPointF(x + 16, bar.center().y()), QPen(colour, 2.2));
    write(painter, {x + 20, 0, metrics.horizontalAdvance(text) + 2, bar.height()}, kLeft, text, font,
          theme().muted_text());
    x += metrics.horizontalAdvance(text) + 34;
  }
}

}  // namespace headlight
