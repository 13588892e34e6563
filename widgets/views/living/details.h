// What the living map shows beside its ground: the small pictures of heads, what each head brought, states as colours.
// Of a long text that takes time, so that a worker makes it; what was there before stays until it is ready.
#pragma once

#include <QImage>
#include <QObject>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "model/core/work_queue.h"
#include "widgets/views/living/scene/scene.h"

namespace headlight {

class LivingDetails : public QObject {
  Q_OBJECT
 public:
  static constexpr qint64 kMost = 12LL << 20;  // bytes of pictures, of two maps

  struct Heads {
    std::vector<QImage> heads;
    QImage largest;  // of all heads
  };

  explicit LivingDetails(QObject* parent = nullptr);
  ~LivingDetails() override;

  // Of this station and part of it. Null: not yet, ready() when they are there. `wait`: however long it takes.
  const Heads* heads(const LivingScene& scene, int station, int part, bool wait);
  // What each head brings of the state of a lane; empty: nothing, or not yet.
  const std::vector<double>& brought(const LivingScene& scene, int lane, int station, int part, bool wait);
  // The numbers of a state, one point each.
  const QImage& strip(const LivingScene& scene, const LivingStrip& strip);

  void another_map();   // pictures stay until those of the new one are there
  void another_lane();  // chosen
  void forget();        // nothing of before may be seen any more
  qint64 bytes() const;

 signals:
  void ready();

 private:
  using Place = std::pair<int, int>;  // station and part, or station and lane
  template <class T>
  struct Kept {
    T value;
    quint64 of = 0;  // generation of the map or of the lane
  };
  template <class T>
  using All = std::map<Place, Kept<T>>;
  template <class T, class Make>
  const T* get(All<T>& all, std::set<Place>& asked, quint64 of, const quint64& now, Place place, bool at_once,
               Make make);

  WorkQueue queue_;
  quint64 map_ = 1, lane_ = 1;
  All<Heads> heads_;
  All<std::vector<double>> brought_;
  All<QImage> strips_;
  std::set<Place> asked_heads_, asked_brought_;
};

// How many heads of a station's attention share a key-value head; 1: each has its own.
Index living_shared_heads(const LivingMap& map, int station);

}  // namespace headlight
