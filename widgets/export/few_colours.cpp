// Choosing 256 colours.
#include "widgets/export/few_colours.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

#include "model/core/scalar.h"

namespace headlight {
namespace {

constexpr std::size_t kMost = 256;

// False when there are more than 256 colours.
bool exact(const QImage& image, FewColours& result) {
  std::unordered_map<QRgb, uchar> known;
  QRgb last = 0;
  uchar index = 0;
  for (int y = 0; y < image.height(); ++y) {
    const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
    for (int x = 0; x < image.width(); ++x) {
      const QRgb colour = line[x] | 0xff000000;
      if (known.empty() || colour != last) {
        const auto [place, fresh] = known.try_emplace(colour, static_cast<uchar>(known.size()));
        if (known.size() > kMost) return false;
        if (fresh) result.colours.push_back(colour);
        index = place->second;
        last = colour;
      }
      result.pixels.push_back(index);
    }
  }
  return true;
}

// Colours that agree in the first six bits of each channel.
struct Bucket {
  double count = 0;
  std::array<double, 3> mean{};  // the sum while pixels are counted
};

std::uint32_t bucket_of(QRgb c) {
  return static_cast<std::uint32_t>((qRed(c) >> 2) << 12 | (qGreen(c) >> 2) << 6 | qBlue(c) >> 2);
}

struct Box {
  std::vector<std::uint32_t> members;  // indices of buckets
  std::array<double, 3> mean{};
  std::size_t widest = 0;  // the channel of the largest variance
  double error = 0;        // the sum of squared distances along it

  Box(const std::vector<Bucket>& buckets, std::vector<std::uint32_t> of) : members(std::move(of)) {
    double count = 0;
    for (const std::uint32_t i : members) {
      count += buckets[i].count;
      for (std::size_t c = 0; c < 3; ++c) mean[c] += buckets[i].count * buckets[i].mean[c];
    }
    for (double& each : mean) each /= count;
    for (std::size_t c = 0; c < 3; ++c) {
      double sum = 0;
      for (const std::uint32_t i : members) {
        const double distance = buckets[i].mean[c] - mean[c];
        sum += buckets[i].count * distance * distance;
      }
      if (sum > error) {
        error = sum;
        widest = c;
      }
    }
  }
};

std::vector<Box> cut(const std::vector<Bucket>& buckets) {
  std::vector<std::uint32_t> all(buckets.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint32_t>(i);
  std::vector<Box> boxes;
  boxes.emplace_back(buckets, std::move(all));
  while (boxes.size() < kMost) {
    const auto worst = std::ranges::max_element(boxes, [](const Box& a, const Box& b) { return a.error < b.error; });
    if (worst->error <= 0) break;
    std::vector<std::uint32_t> low, high;
    for (const std::uint32_t i : worst->members)
      (buckets[i].mean[worst->widest] <= worst->mean[worst->widest] ? low : high).push_back(i);
    *worst = Box(buckets, std::move(low));
    boxes.emplace_back(buckets, std::move(high));
  }
  return boxes;
}

void nearly(const QImage& image, FewColours& result) {
  std::vector<std::int32_t> place(std::size_t{1} << 18, -1);
  std::vector<Bucket> buckets;
  for (int y = 0; y < image.height(); ++y) {
    const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
    for (int x = 0; x < image.width(); ++x) {
      std::int32_t& at = place[bucket_of(line[x])];
      if (at < 0) {
        at = static_cast<std::int32_t>(buckets.size());
        buckets.emplace_back();
      }
      Bucket& bucket = nth(buckets, at);
      bucket.count += 1;
      bucket.mean[0] += qRed(line[x]);
      bucket.mean[1] += qGreen(line[x]);
      bucket.mean[2] += qBlue(line[x]);
    }
  }
  for (Bucket& bucket : buckets)
    for (double& channel : bucket.mean) channel /= bucket.count;
  std::vector<uchar> box_of(buckets.size());
  for (const Box& box : cut(buckets)) {
    for (const std::uint32_t i : box.members) box_of[i] = static_cast<uchar>(result.colours.size());
    result.colours.push_back(qRgb(qRound(box.mean[0]), qRound(box.mean[1]), qRound(box.mean[2])));
  }
  for (int y = 0; y < image.height(); ++y) {
    const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
    for (int x = 0; x < image.width(); ++x) result.pixels.push_back(nth(box_of, place[bucket_of(line[x])]));
  }
}

}  // namespace

FewColours few_colours(const QImage& picture) {
  const QImage image = picture.convertToFormat(QImage::Format_RGB32);
  FewColours result;
  result.width = image.width();
  result.height = image.height();
  result.pixels.reserve(static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height()));
  if (exact(image, result)) return result;
  result.colours.clear();
  result.pixels.clear();
  nearly(image, result);
  return result;
}

}  // namespace headlight
