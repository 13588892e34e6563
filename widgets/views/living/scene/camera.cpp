#include "widgets/views/living/scene/camera.h"

#include <algorithm>
#include <cmath>

namespace headlight {

namespace {

constexpr double kKept = 0.85;  // of a border: the level stays when one goes back a little

bool reaches(const LivingSizes& sizes, const LivingSizes& least, double part) {
  return sizes.lane >= part * least.lane && sizes.layer >= part * least.layer &&
         sizes.number.width() >= part * least.number.width() && sizes.number.height() >= part * least.number.height();
}

}  // namespace

void LivingCamera::keep(const Room& room) {
  const auto most = [](double view, double fixed, double stretch) {
    return std::max(0.0, (view - fixed) * stretch + fixed - view);
  };
  scroll.setX(std::clamp(std::round(scroll.x()), 0.0, most(room.view.width(), room.fixed.width(), depth)));
  scroll.setY(std::clamp(std::round(scroll.y()), 0.0, most(room.view.height(), room.fixed.height(), lanes)));
}

void LivingCamera::zoom(double factor, QPointF point, Along along, const Room& room, QPointF most, QPointF above) {
  const auto stretch = [&](double& size, double most_size, double at, double old, double fixed) {
    const double before = size;
    size = std::clamp(size * factor, 1.0, std::max(1.0, most_size));
    return (old + at - fixed) * size / before + fixed - at;
  };
  if (along != Along::lanes) scroll.setX(stretch(depth, most.x(), point.x(), scroll.x(), above.x()));
  if (along != Along::depth) scroll.setY(stretch(lanes, most.y(), point.y(), scroll.y(), above.y()));
  keep(room);
}

void LivingCamera::pan(QPointF pixels, const Room& room) {
  scroll -= pixels;
  keep(room);
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
