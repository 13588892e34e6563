#include "widgets/views/living/field.h"

#include <algorithm>
#include <cmath>

#include "model/core/parallel.h"
#include "widgets/views/living/band.h"

namespace headlight {

namespace {

// A step in what is covered, at a place between two pixels: `change` from there on. A running sum of all steps gives
// what each pixel is covered by, exactly.
struct Steps {
  float cover = 0, depth = 0;
};

inline void step_at(Steps* steps, float place, float change, float deep) {
  const auto pixel = static_cast<int>(place);
  const float beyond = place - static_cast<float>(pixel), rest = 1 - beyond;
  steps[pixel].cover += change * rest;
  steps[pixel].depth += deep * rest;
  steps[pixel + 1].cover += change * beyond;
  steps[pixel + 1].depth += deep * beyond;
}

}  // namespace

void field_columns(std::span<const FieldBand> bands, double from, double to, int width, int height,
                   const FieldColumn& column, double fade) {
  if (bands.empty() || width <= 0 || height <= 0 || to <= from) return;
  const auto high = static_cast<float>(height);
  const Index grain = std::max<Index>(1, std::min<Index>(16, static_cast<Index>(4e6 / field_cost(bands.size(), 1))));
  parallel_for(width, grain, [&](Index first, Index last) {
    std::vector<Steps> steps(static_cast<std::size_t>(height) + 2);
    std::vector<float> cover(static_cast<std::size_t>(height)), depths(cover.size());
    for (Index x = first; x < last; ++x) {
      const double u = (static_cast<double>(x) + 0.5 - from) / (to - from);
      if (u < 0 || u > 1) continue;
      const auto way = static_cast<float>(band_way(u)), tint = static_cast<float>(std::min(1.0, u / fade));
      std::fill(steps.begin(), steps.end(), Steps{});
      for (const FieldBand& band : bands) {
        const float top = std::clamp(band.top0 + (band.top1 - band.top0) * way, 0.0F, high);
        const float bottom = std::clamp(band.bottom0 + (band.bottom1 - band.bottom0) * way, 0.0F, high);
        if (bottom <= top) continue;
        const float depth = band.depth0 + (band.depth1 - band.depth0) * tint;
        step_at(steps.data(), top, 1, depth);
        step_at(steps.data(), bottom, -1, -depth);
      }
      Steps sum;
      for (std::size_t y = 0; y < cover.size(); ++y) {
        sum.cover += steps[y].cover;
        sum.depth += steps[y].depth;
        cover[y] = std::max(0.0F, sum.cover);
        depths[y] = std::max(0.0F, sum.depth);
      }
      column(static_cast<int>(x), cover, depths);
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
          const QRgb colour = colours[static_cast<std::size_t>(std::lround(mean * 255))];
          const auto opacity = static_cast<unsigned>(std::lround(std::min(1.0F, cover[y]) * 255));
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
