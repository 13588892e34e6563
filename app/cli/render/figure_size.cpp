#include "app/cli/render/figure_size.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "app/cli/printed/text_format.h"
#include "app/messages.h"
#include "widgets/base/theme.h"
#include "widgets/export/export.h"

namespace headlight {

namespace {

constexpr double kPointsOfBody = type::kBody * 72 / 96;
constexpr double kLeastTold = 0.98;  // of the size that was asked for; below it is said

QSize room_of(double width, double height) {
  const auto side = [](double length) { return std::clamp(qRound(length), 16, static_cast<int>(kLongestSide)); };
  return {side(width), side(height)};
}

// The picture in the middle of a paper of that size, `zoom` times as large.
Figure on_paper(Figure figure, QSize paper, double zoom) {
  const QSizeF drawn = QSizeF(figure.size) * zoom;
  const QPointF corner((paper.width() - drawn.width()) / 2, (paper.height() - drawn.height()) / 2);
  if (paper == figure.size && zoom == 1) return figure;
  figure.paint = [paint = figure.paint, corner, zoom](QPainter& painter) {
    painter.save();
    painter.translate(corner);
    painter.scale(zoom, zoom);
    paint(painter);
    painter.restore();
  };
  figure.size = paper;
  return figure;
}

}  // namespace

Figure sized_figure(const RenderCommand& command, const std::function<Figure(QSize)>& laid_out) {
  const bool whole = command.has("--size"), wide = command.figure_width.has_value();
  const double letters = command.font_points ? *command.font_points / kPointsOfBody : 1;
  if (!whole && !wide && letters == 1) return laid_out({command.width, command.height});
  const double width = wide ? *command.figure_width : command.width;
  const double height = whole || !wide ? command.height : width;
  const auto shown = [&](QSize room) { return whole || !wide ? laid_out(room) : without_margins(laid_out(room)); };
  // What stands around a picture in its panel, and margins that are cut, is room for it as well.
  QSize room = room_of(width / letters, height / letters);
  const QSize wanted = room;
  Figure figure = shown(room);
  if (wide && !whole)
    room.rwidth() += wanted.width() - figure.size.width();
  else
    room += wanted - figure.size;
  room = room_of(room.width(), room.height());
  if (room != wanted) figure = shown(room);
  double zoom = std::min(letters, width / figure.size.width());
  if (whole || !wide) zoom = std::min(zoom, height / figure.size.height());
  if (command.font_points && zoom < kLeastTold * letters)
    say(format("headlight: the picture does not fit with text of %.1f pt: its text is %.1f pt", letters * kPointsOfBody,
               zoom * kPointsOfBody));
  const double high = whole || !wide ? height : std::ceil(figure.size.height() * zoom);
  return on_paper(std::move(figure), room_of(width, high), zoom);
}

}  // namespace headlight
