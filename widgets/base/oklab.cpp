// OKLab conversions and evenly spaced colour maps.
#include "widgets/base/oklab.h"

#include <algorithm>
#include <cmath>

namespace headlight {
namespace {

double linear_of(double srgb) { return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4); }

double srgb_of(double linear) {
  const double x = std::clamp(linear, 0.0, 1.0);
  return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
}

OkLab mixed(const OkLab& x, const OkLab& y, double t) {
  return {x.lightness + t * (y.lightness - x.lightness), x.a + t * (y.a - x.a), x.b + t * (y.b - x.b)};
}

}  // namespace

OkLab to_oklab(const QColor& colour) {
  const double r = linear_of(colour.redF()), g = linear_of(colour.greenF()), b = linear_of(colour.blueF());
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

QColor from_oklab(const OkLab& lab) {
  const double l = std::pow(lab.lightness + 0.3963377774 * lab.a + 0.2158037573 * lab.b, 3);
  const double m = std::pow(lab.lightness - 0.1055613458 * lab.a - 0.0638541728 * lab.b, 3);
  const double s = std::pow(lab.lightness - 0.0894841775 * lab.a - 1.2914855480 * lab.b, 3);
  const auto channel = [](double linear) { return static_cast<int>(std::lround(255 * srgb_of(linear))); };
  return QColor(channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
}

double distance(const OkLab& x, const OkLab& y) { return std::hypot(x.lightness - y.lightness, x.a - y.a, x.b - y.b); }

std::vector<QColor> even_colours(const std::vector<QColor>& anchors, int size) {
  std::vector<OkLab> points;
  for (const QColor& anchor : anchors) points.push_back(to_oklab(anchor));
  std::vector<double> travelled{0};  // on the way from the first anchor to each
  for (std::size_t i = 1; i < points.size(); ++i)
    travelled.push_back(travelled.back() + distance(points[i - 1], points[i]));
  std::vector<QColor> colours;
  std::size_t piece = 1;
  for (int i = 0; i < size; ++i) {
    const double way = travelled.back() * i / (size - 1);
    while (piece + 1 < points.size() && travelled[piece] < way) ++piece;
    const double t = (way - travelled[piece - 1]) / (travelled[piece] - travelled[piece - 1]);
    colours.push_back(from_oklab(mixed(points[piece - 1], points[piece], t)));
  }
  return colours;
}

}  // namespace headlight
