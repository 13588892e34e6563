#include "widgets/views/living/details.h"

#include <algorithm>
#include <cmath>

#include "model/analysis/head_groups.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

constexpr int kFew = 40;  // lanes: made in the frame itself

bool is_small(const LivingScene& scene) { return static_cast<int>(scene.map->lanes.size()) <= kFew; }

// Points along a side of a picture: 128, or fewer where there are very many of them.
Index side_of(const LivingScene& scene) {
  double pictures = 1;
  for (const LivingPicture& each : scene.layout.pictures) pictures += each.head < 0 ? 0 : 1;
  const double room = static_cast<double>(LivingDetails::kMost) / (2 * sizeof(QRgb) * pictures);
  return static_cast<Index>(std::clamp(std::floor(std::sqrt(room)), 8.0, 128.0));
}

LivingDetails::Heads heads_of(const LivingMap& map, const LivingInk& ink, int station, int part, Index most) {
  LivingDetails::Heads made;
  const Tensor weights = head_weights(map, station, part);
  const LivingStation& state = nth(map.stations, station);
  const Index rows = state.count, columns = nth(state.parts, part).columns;
  const Index high = std::min(rows, most), wide = std::min(columns, most);
  const auto image_of = [&](const std::vector<float>& values) {
    QImage image(static_cast<int>(wide), static_cast<int>(high), QImage::Format_RGB32);
    for (Index r = 0; r < high; ++r) {
      auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(r)));
      for (Index c = 0; c < wide; ++c) line[c] = ink.at(static_cast<double>(nth(values, r * wide + c))).rgb();
    }
    return image;
  };
  std::vector<float> largest(static_cast<std::size_t>(high * wide));
  for (Index h = 0; h < weights.dim(0); ++h) {
    std::vector<float> values(largest.size());
    for (Index r = 0; r < rows; ++r) {
      const Scalar* from = weights.data() + (h * rows + r) * columns;
      float* to = values.data() + r * high / rows * wide;
      for (Index c = 0; c < columns; ++c) {
        float& at = to[c * wide / columns];
        at = std::max(at, static_cast<float>(from[c]));
      }
    }
    for (std::size_t k = 0; k < values.size(); ++k) largest[k] = std::max(largest[k], values[k]);
    made.heads.push_back(image_of(values));
  }
  made.largest = image_of(largest);
  return made;
}

std::vector<double> brought_by(const LivingMap& map, int lane, int station, int part) {
  std::vector<double> sums;
  const LivingStation& state = nth(map.stations, station);
  if (!state.has(lane)) return sums;
  const Index columns = nth(state.parts, part).columns, row = lane - state.first;
  const Tensor shares = head_shares(map, station, part);
  for (Index h = 0; shares.defined() && h < shares.dim(0); ++h) {
    double sum = 0;
    for (Index c = 0; c < columns; ++c)
      sum += std::max(0.0, static_cast<double>(shares[(h * state.count + row) * columns + c]));
    sums.push_back(sum);
  }
  return sums;
}

QImage shares_of_experts(const Tensor& shares, int row) {
  const double most = std::max(1e-9, static_cast<double>(shares.matrix().maxCoeff()));
  QImage image(static_cast<int>(shares.columns()), 1, QImage::Format_RGB32);
  for (Index k = 0; k < shares.columns(); ++k)
    image.setPixelColor(static_cast<int>(k), 0,
                        theme().weight(static_cast<double>(shares[row * shares.columns() + k]) / most));
  return image;
}

}  // namespace

LivingDetails::LivingDetails(QObject* parent) : QObject(parent) {}

LivingDetails::~LivingDetails() {
  queue_.clear();
  queue_.wait();
}

void LivingDetails::another_map() {
  ++map_;
  asked_heads_.clear();
  strips_.clear();
  another_lane();
  queue_.clear();
}

void LivingDetails::another_lane() {
  ++lane_;
  asked_brought_.clear();
  brought_.clear();
}

void LivingDetails::forget() {
  another_map();
  heads_.clear();
}

// `of`: the generation that is wanted, `now` the one there is when the worker is done.
template <class T, class Make>
const T* LivingDetails::get(All<T>& all, std::set<Place>& asked, quint64 of, const quint64& now, Place place,
                            bool at_once, Make make) {
  const auto known = all.find(place);
  if (known != all.end() && known->second.of == of) return &known->second.value;
  if (at_once) return &(all[place] = {make(), of}).value;
  if (asked.insert(place).second)
    queue_.start([this, &all, &now, of, place, make = std::move(make)] {
      T made = make();
      QMetaObject::invokeMethod(
          this,
          [this, &all, &now, of, place, made = std::move(made)] {
            if (of != now) return;
            all[place] = {made, of};
            emit ready();
          },
          Qt::QueuedConnection);
    });
  return known != all.end() ? &known->second.value : nullptr;
}

const LivingDetails::Heads* LivingDetails::heads(const LivingScene& scene, int station, int part, bool wait) {
  return get(heads_, asked_heads_, map_, map_, {station, part}, wait || is_small(scene),
             [map = scene.map, ink = scene.ink, station, part, most = side_of(scene)] {
               return heads_of(*map, ink, station, part, most);
             });
}

const std::vector<double>& LivingDetails::brought(const LivingScene& scene, int lane, int station, int part,
                                                  bool wait) {
  static const std::vector<double> none;
  const std::vector<double>* found =
      get(brought_, asked_brought_, lane_, lane_, {station, part}, wait || is_small(scene),
          [map = scene.map, lane, station, part] { return brought_by(*map, lane, station, part); });
  return found ? *found : none;
}

const QImage& LivingDetails::strip(const LivingScene& scene, const LivingStrip& strip) {
  const Place place(strip.station, strip.lane);
  const auto known = strips_.find(place);
  if (known != strips_.end()) return known->second.value;
  const LivingStation& station = nth(scene.map->stations, strip.station);
  if (station.experts.defined())
    return (strips_[place] = {shares_of_experts(station.experts, strip.lane - station.first), map_}).value;
  const Trace& trace = *scene.map->result->trace;
  const auto row = static_cast<std::size_t>(strip.lane - station.first);
  const auto values_of = [&](std::size_t of) -> const Scalar* {
    const LivingPlace& at = station.places[of];
    if (at.entry >= 0) return trace[at.entry].value.data() + at.first;
    return station.own.defined() ? station.own.data() + static_cast<Index>(of) * station.units : nullptr;
  };
  double most = 1e-9;  // of the station: all its rows have one scale
  for (std::size_t of = 0; of < station.places.size(); ++of)
    if (const Scalar* values = values_of(of))
      for (Index k = 0; k < station.units; ++k) most = std::max(most, std::abs(static_cast<double>(values[k])));
  QImage image(static_cast<int>(std::max<Index>(1, station.units)), 1, QImage::Format_RGB32);
  image.fill(tokens().bed);
  if (row < station.places.size())
    if (const Scalar* values = values_of(row))
      for (Index k = 0; k < station.units; ++k)
        image.setPixelColor(static_cast<int>(k), 0, theme().signed_value(static_cast<double>(values[k]) / most));
  return (strips_[place] = {image, map_}).value;
}

qint64 LivingDetails::bytes() const {
  qint64 sum = 0;
  for (const auto& [place, each] : heads_) {
    sum += each.value.largest.sizeInBytes();
    for (const QImage& head : each.value.heads) sum += head.sizeInBytes();
  }
  for (const auto& [place, each] : strips_) sum += each.value.sizeInBytes();
  return sum;
}

Index living_shared_heads(const LivingMap& map, int station) {
  const LivingStation& at = nth(map.stations, station);
  if (!map.result || !map.result->trace || at.layer < 0) return 1;
  const bool encoder = nth(map.lanes, at.first).side == LivingLane::Side::source && map.result->prompt == 0;
  return shared_heads(*map.result->trace, encoder, at.layer);
}

}  // namespace headlight
