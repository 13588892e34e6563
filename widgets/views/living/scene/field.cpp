#include "widgets/views/living/scene/field.h"

#include <algorithm>

#include "model/core/parallel.h"
#include "widgets/views/living/scene/band.h"

namespace headlight {

namespace {

// Columns that are made together: of a gap of 512 tokens the bands are 3 MB, which are read once for all of them.
constexpr int kTogether = 8;

// What begins at a pixel: a part of it alone (`cover`, and the same times its depth), and all pixels from here on
// (`on`), which a running sum adds up. So each band costs the same, however high it is, and its area is exact.
struct Pixel {
  float cover = 0, depth = 0, on = 0, depth_on = 0;
};

inline void add(Pixel* pixels, float top, float bottom, float depth) {
  const auto first = static_cast<int>(top), last = static_cast<int>(bottom);
  if (first == last) {  // most are thinner than a pixel
    pixels[first].cover += bottom - top;
    pixels[first].depth += (bottom - top) * depth;
    return;
  }
  const float above = static_cast<float>(first + 1) - top, below = bottom - static_cast<float>(last);
  pixels[first].cover += above;
  pixels[first].depth += above * depth;
  pixels[last].cover += below;
  pixels[last].depth += below * depth;
  if (last == first + 1) return;
  pixels[first + 1].on += 1;
  pixels[first + 1].depth_on += depth;
  pixels[last].on -= 1;
  pixels[last].depth_on -= depth;
}

}  // namespace

void field_columns(std::span<const FieldBand> bands, double from, double to, int width, int height,
                   const FieldColumn& column, double fade) {
  if (bands.empty() || width <= 0 || height <= 0 || to <= from) return;
  const auto high = static_cast<float>(height);
  const auto size = static_cast<std::size_t>(height) + 1;
  const Index groups = (width + kTogether - 1) / kTogether;
  const Index grain = std::max<Index>(1, static_cast<Index>(4e6 / field_cost(bands.size(), kTogether)));
  parallel_for(groups, std::min<Index>(2, grain), [&](Index begin, Index end) {
    std::vector<Pixel> pixels(kTogether * size);
    std::vector<float> cover(static_cast<std::size_t>(height)), depths(cover.size());
    for (Index group = begin; group < end; ++group) {
      // Columns beyond the ends of the gap have nothing.
      int xs[kTogether], count = 0;
      float ways[kTogether] = {}, tints[kTogether] = {};
      for (int x = static_cast<int>(group) * kTogether; x < std::min<Index>(width, (group + 1) * kTogether); ++x) {
        const double u = (static_cast<double>(x) + 0.5 - from) / (to - from);
        if (u < 0 || u > 1) continue;
        xs[count] = x;
        ways[count] = static_cast<float>(band_way(u));
        tints[count++] = static_cast<float>(std::min(1.0, u / fade));
      }
      if (count == 0) continue;
      std::ranges::fill(pixels, Pixel{});
      for (const FieldBand& band : bands) {
        float tops[kTogether], bottoms[kTogether], depth[kTogether];
        for (int c = 0; c < kTogether; ++c) {
          tops[c] = std::clamp(band.top0 + (band.top1 - band.top0) * ways[c], 0.0F, high);
          bottoms[c] = std::clamp(band.bottom0 + (band.bottom1 - band.bottom0) * ways[c], 0.0F, high);
          depth[c] = band.depth0 + (band.depth1 - band.depth0) * tints[c];
        }
        for (int c = 0; c < count; ++c)
          if (bottoms[c] > tops[c])
            add(pixels.data() + static_cast<std::size_t>(c) * size, tops[c], bottoms[c], depth[c]);
      }
      for (int c = 0; c < count; ++c) {
        const Pixel* of = pixels.data() + static_cast<std::size_t>(c) * size;
        float on = 0, depth_on = 0;
        for (std::size_t y = 0; y < cover.size(); ++y) {
          on += of[y].on;
          depth_on += of[y].depth_on;
          cover[y] = std::max(0.0F, on + of[y].cover);
          depths[y] = std::max(0.0F, depth_on + of[y].depth);
        }
        column(xs[c], cover, depths);
      }
    }
  });
}

QImage field_image(std::span<const FieldBand> bands, double from, double to, QSize size, const FieldColours& colours,
                   double fade) {
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  if (image.isNull()) return image;
  image.fill(Qt::transparent);
  auto* pixels = reinterpret_cast<QRgb*>(image.bits());
  const std::ptrdiff_t stride = image.bytesPerLine() / static_cast<std::ptrdiff_t>(sizeof(QRgb));
  field_columns(
      bands, from, to, size.width(), size.height(),
      [&](int x, std::span<const float> cover, std::span<const float> depth) {
        for (std::size_t y = 0; y < cover.size(); ++y) {
          if (cover[y] < 0.002F) continue;
          const float mean = std::clamp(depth[y] / cover[y], 0.0F, 1.0F);
          const QRgb colour = nth(colours, mean * 255 + 0.5F);
          const auto opacity = static_cast<unsigned>(std::min(1.0F, cover[y]) * 255 + 0.5F);
          const auto part = [&](int channel) { return (static_cast<unsigned>(channel) * opacity + 127) / 255; };
          pixels[static_cast<std::ptrdiff_t>(y) * stride + x] =
              qRgba(static_cast<int>(part(qRed(colour))), static_cast<int>(part(qGreen(colour))),
                    static_cast<int>(part(qBlue(colour))), static_cast<int>(part(qAlpha(colour))));
        }
      },
      fade);
  return image;
}

}  // namespace headlight
