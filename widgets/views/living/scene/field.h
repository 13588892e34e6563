// Thousands of bands as one picture. Each adds its exact area to every pixel that it covers, however thin it is, so
// that none is left out: where bands lie over each other, what they cover adds up.
#pragma once

#include <QImage>
#include <array>
#include <functional>
#include <span>
#include <vector>

namespace headlight {

// The edges of a band at the left and the right end of its gap, in pixels of the picture, and how deep its colour is
// there.
struct FieldBand {
  float top0 = 0, bottom0 = 0, top1 = 0, bottom1 = 0;
  float depth0 = 0, depth1 = 0;  // 0 .. 1
};

// Column by column: `cover` is what the bands cover of each pixel (1: all of it once), `depth` the same times their
// depths. `from` .. `to`: where the gap begins and ends, of which the picture shows columns 0 .. width. Columns come in
// any order and from several threads. What lies above or below the picture is left out.
using FieldColumn = std::function<void(int x, std::span<const float> cover, std::span<const float> depth)>;
// `fade`: at which part of the way the depth is that of the right end.
void field_columns(std::span<const FieldBand> bands, double from, double to, int width, int height,
                   const FieldColumn& column, double fade = 1);

// 256 colours for depths 0 .. 1, premultiplied.
using FieldColours = std::array<QRgb, 256>;
// The field as a picture that lies over its ground: cover becomes opacity, at most 1, and the mean depth the colour.
QImage field_image(std::span<const FieldBand> bands, double from, double to, QSize size, const FieldColours& colours,
                   double fade = 1);

// Columns times bands: what drawing a field costs.
inline double field_cost(std::size_t bands, int width) { return static_cast<double>(bands) * width; }

}  // namespace headlight
