#include "widgets/views/living/camera.h"

#include <algorithm>

namespace headlight {

namespace {

constexpr double kKept = 0.85;  // of a border: the level stays when one goes back a little

bool reaches(const LivingSizes& sizes, const LivingSizes& least, double part) {
  return sizes.lane >= part * least.lane && sizes.layer >= part * least.layer &&
         sizes.number.width() >= part * least.number.width() && sizes.number.height() >= part * least.number.height();
}

}  // namespace

void LivingCamera::keep(QSizeF view) {
  scroll.setX(std::clamp(scroll.x(), 0.0, std::max(0.0, view.width() * (depth - 1))));
  scroll.setY(std::clamp(scroll.y(), 0.0, std::max(0.0, view.height() * (lanes - 1))));
}

void LivingCamera::zoom(double factor, QPointF point, Along along, QSizeF view, QPointF most) {
  const auto stretch = [&](double& size, double most_size, double at, double old) {
    const double before = size;
    size = std::clamp(size * factor, 1.0, std::max(1.0, most_size));
    return (old + at) * size / before - at;
  };
  if (along != Along::lanes) scroll.setX(stretch(depth, most.x(), point.x(), scroll.x()));
  if (along != Along::depth) scroll.setY(stretch(lanes, most.y(), point.y(), scroll.y()));
  keep(view);
}

void LivingCamera::pan(QPointF pixels, QSizeF view) {
  scroll -= pixels;
  keep(view);
}

LivingSizes living_sizes(LivingLevel level) {
  switch (level) {
    case LivingLevel::model:
      break;
    case LivingLevel::lanes:
      return {14, 0};
    case LivingLevel::layer:
      return {40, 480};
    case LivingLevel::word:
      return {120, 480};
    case LivingLevel::cell:
      return {120, 480, {40, 18}};
  }
  return {};
}

LivingLevel living_level(const LivingSizes& sizes, LivingLevel before) {
  LivingLevel level = LivingLevel::model;
  for (const LivingLevel next : {LivingLevel::lanes, LivingLevel::layer, LivingLevel::word, LivingLevel::cell}) {
    if (!reaches(sizes, living_sizes(next), next <= before ? kKept : 1)) break;
    level = next;
  }
  return level;
}

}  // namespace headlight
