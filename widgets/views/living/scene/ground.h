// The ground of the living map on the screen: pictures of it are made by a worker, where that takes more than a frame,
// and kept, together with those of LivingDetails in at most 64 MB. What is not there yet is drawn as it was before,
// moved and stretched, so that no movement waits; only files wait.
#pragma once

#include <QHashFunctions>
#include <QObject>
#include <optional>
#include <utility>

#include "model/core/cancel.h"
#include "model/core/work_queue.h"
#include "widgets/views/living/scene/scene.h"
#include "widgets/views/living/scene/tile_cache.h"

namespace headlight {

// A picture of the ground at one camera.
struct LivingTile {
  quint64 content = 0;  // of what; another number for everything but the camera
  LivingCamera camera;
  QRectF body;  // of the view
  double ratio = 1;
  QRectF sight() const { return body.translated(camera.scroll); }
  bool operator==(const LivingTile&) const = default;
};

}  // namespace headlight

template <>
struct std::hash<headlight::LivingTile> {
  std::size_t operator()(const headlight::LivingTile& tile) const {
    return static_cast<std::size_t>(qHashMulti(0, tile.content, tile.camera.depth, tile.camera.lanes,
                                               tile.camera.scroll.x(), tile.camera.scroll.y(), tile.ratio));
  }
};

namespace headlight {

class LivingGround : public QObject {
  Q_OBJECT
 public:
  explicit LivingGround(QObject* parent = nullptr);
  ~LivingGround() override;

  // In coordinates of the page. `wait`: sharp, however long that takes. Else what there is, and ready() when there is
  // better.
  void paint(QPainter& painter, const LivingScene& scene, quint64 content, bool wait);
  bool is_sharp() const { return sharp_; }  // what was painted last
  qint64 bytes() const { return tiles_.bytes(); }
  void forget();  // another model, other colours: nothing of before may be seen any more

 signals:
  void ready();

 private:
  struct Wanted {
    LivingTile tile;
    LivingScene scene;
  };
  QImage draw_now(const LivingScene& scene, const LivingTile& tile);
  bool paint_before(QPainter& painter, const LivingTile& tile);
  void ask_for(const LivingTile& tile, const LivingScene& scene);
  void begin();
  void arrived(const LivingTile& tile, const QImage& image);

  WorkQueue queue_;
  TileCache<LivingTile> tiles_;
  std::optional<LivingTile> last_, drawn_;  // painted last; what the worker draws
  std::optional<Wanted> next_;              // what it draws then
  CancelToken cancel_;
  quint64 content_ = 0;
  bool sharp_ = true;
  double slowness_ = 1;  // milliseconds of the processor for each that the scene reckons with
};

}  // namespace headlight
