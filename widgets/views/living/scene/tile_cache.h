// Pictures that took time, until others need their room.
#pragma once

#include <QImage>
#include <list>
#include <unordered_map>

namespace headlight {

inline constexpr qint64 kTileBudget = 48LL << 20;  // bytes; 64 MB with LivingDetails::kMost

// The least recently used go first. `Key` has std::hash and ==.
template <class Key>
class TileCache {
 public:
  explicit TileCache(qint64 budget = kTileBudget) : budget_(budget) {}

  // Null: it is not there. Until the next put() or clear().
  const QImage* find(const Key& key) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    tiles_.splice(tiles_.begin(), tiles_, found->second);
    return &found->second->image;
  }
  void put(const Key& key, QImage image) {
    if (const auto found = by_key_.find(key); found != by_key_.end()) drop(found->second);
    if (image.sizeInBytes() > budget_) return;
    bytes_ += image.sizeInBytes();
    tiles_.push_front({key, std::move(image)});
    by_key_[key] = tiles_.begin();
    while (bytes_ > budget_) drop(std::prev(tiles_.end()));
  }
  void clear() {
    tiles_.clear();
    by_key_.clear();
    bytes_ = 0;
  }
  qint64 bytes() const { return bytes_; }
  int count() const { return static_cast<int>(tiles_.size()); }

 private:
  struct Tile {
    Key key;
    QImage image;
  };
  void drop(typename std::list<Tile>::iterator tile) {
    bytes_ -= tile->image.sizeInBytes();
    by_key_.erase(tile->key);
    tiles_.erase(tile);
  }

  qint64 budget_, bytes_ = 0;
  std::list<Tile> tiles_;  // the one used last comes first
  std::unordered_map<Key, typename std::list<Tile>::iterator> by_key_;
};

}  // namespace headlight
