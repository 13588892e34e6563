// Colours in OKLab, a space in which equal distances look equally large (Ottosson 2020). For colour maps.
#pragma once

#include <QColor>
#include <vector>

namespace headlight {

struct OkLab {
  double lightness = 0, a = 0, b = 0;
};

OkLab to_oklab(const QColor& colour);
QColor from_oklab(const OkLab& lab);
double distance(const OkLab& x, const OkLab& y);

// `size` colours along the straight lines between the anchors, each as far from the last as every other: a colour map
// in which equal differences of a value look equally large.
std::vector<QColor> even_colours(const std::vector<QColor>& anchors, int size);

}  // namespace headlight
