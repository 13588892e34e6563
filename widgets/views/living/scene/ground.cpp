#include "widgets/views/living/scene/ground.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "model/core/clock.h"

namespace headlight {

namespace {

constexpr double kAtOnce = 8;  // milliseconds: drawn in the frame itself

}  // namespace

LivingGround::LivingGround(QObject* parent) : QObject(parent) {}

LivingGround::~LivingGround() {
  cancel_.cancel();
  queue_.clear();
  queue_.wait();
}

void LivingGround::forget() {
  cancel_.cancel();
  next_.reset();
  last_.reset();
  tiles_.clear();
  content_ = 0;  // of nothing: what the worker has begun is too late
}

QImage LivingGround::draw_now(const LivingScene& scene, const LivingTile& tile) {
  const double began = thread_seconds();
  QImage image = scene.ground(tile.sight(), tile.ratio);
  slowness_ = std::clamp(1e3 * (thread_seconds() - began) / std::max(0.5, scene.cost(tile.ratio)), 0.3, 20.0);
  tiles_.put(tile, image);
  return image;
}

void LivingGround::paint(QPainter& painter, const LivingScene& scene, quint64 content, bool wait) {
  LivingTile tile{content, scene.layout.metrics.camera, QRectF(scene.layout.body.toAlignedRect()),
                  painter.deviceTransform().m11()};
  if (tile.body.isEmpty()) return;
  // On the largest screens a picture with all their points would not be kept.
  if (!wait)
    tile.ratio = std::min(tile.ratio, std::sqrt(0.9 * static_cast<double>(kTileBudget) / sizeof(QRgb) /
                                                (tile.body.width() * tile.body.height())));
  content_ = content;
  QImage image;
  if (const QImage* kept = tiles_.find(tile))
    image = *kept;
  else if (wait || scene.cost(tile.ratio) * slowness_ <= kAtOnce)
    image = draw_now(scene, tile);
  sharp_ = !image.isNull();
  if (sharp_) {
    painter.drawImage(tile.sight(), image);
    last_ = tile;
    return;
  }
  ask_for(tile, scene);
  if (!paint_before(painter, tile)) scene.paint_coarse(painter, tile.sight());
}

// A point at (v + scroll) / stretch of the page stays where it is.
bool LivingGround::paint_before(QPainter& painter, const LivingTile& tile) {
  const QImage* image = last_ && last_->ratio == tile.ratio ? tiles_.find(*last_) : nullptr;
  if (!image) return false;
  const LivingCamera &is = tile.camera, &was = last_->camera;
  const double across = is.depth / was.depth, down = is.lanes / was.lanes;
  const QPointF corner(last_->body.left() + was.scroll.x() * across, last_->body.top() + was.scroll.y() * down);
  painter.drawImage(QRectF(corner, QSizeF(last_->body.width() * across, last_->body.height() * down)), *image);
  return true;
}

// A picture of the same that has begun is finished: it is nearer than the one before. One of something else is not.
void LivingGround::ask_for(const LivingTile& tile, const LivingScene& scene) {
  if (drawn_ && drawn_->content != tile.content) cancel_.cancel();
  if (drawn_ == tile) {
    next_.reset();
    return;
  }
  next_ = Wanted{tile, scene};
  if (!drawn_) begin();
}

void LivingGround::begin() {
  const Wanted wanted = *std::exchange(next_, std::nullopt);
  drawn_ = wanted.tile;
  cancel_ = CancelToken::make();
  queue_.start([this, wanted, cancel = cancel_] {
    QImage image;
    try {
      image = wanted.scene.ground(wanted.tile.sight(), wanted.tile.ratio, cancel);
    } catch (const Cancelled&) {
    }
    QMetaObject::invokeMethod(
        this, [this, tile = wanted.tile, image] { arrived(tile, image); }, Qt::QueuedConnection);
  });
}

void LivingGround::arrived(const LivingTile& tile, const QImage& image) {
  drawn_.reset();
  if (!image.isNull() && tile.content == content_) {
    tiles_.put(tile, image);
    last_ = tile;
    emit ready();
  }
  if (next_ && !drawn_) begin();
}

}  // namespace headlight
