#include "model/analysis/telling_units.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight {

namespace {

constexpr std::size_t kMostPlaces = 64;  // that likeness is reckoned from

enum class Sort { digit, letter, other };

Sort sort_of(const StatePlace& place) {
  if (place.text.size() != 1 || place.padding) return Sort::other;
  const char c = place.text.front();
  if (c >= '0' && c <= '9') return Sort::digit;
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? Sort::letter : Sort::other;
}

struct Means {
  double digits = 0, letters = 0;
  int digit_count = 0, letter_count = 0, high_digits = 0, high_letters = 0, low_digits = 0, low_letters = 0;
};

Means means_of(const StateCell& cell, const std::vector<int>& places, Index unit) {
  const int track = shown_track(cell);
  Means means;
  for (const int place : places) {
    const auto value = static_cast<double>(cell.value(track, place, unit));
    switch (sort_of(cell.places[static_cast<std::size_t>(place)])) {
      case Sort::digit:
        means.digits += value, ++means.digit_count;
        (value > 0 ? means.high_digits : means.low_digits) += 1;
        break;
      case Sort::letter:
        means.letters += value, ++means.letter_count;
        (value > 0 ? means.high_letters : means.low_letters) += 1;
        break;
      case Sort::other:
        break;
    }
  }
  if (means.digit_count > 0) means.digits /= means.digit_count;
  if (means.letter_count > 0) means.letters /= means.letter_count;
  return means;
}

// The first `count` units that are in none of the lists, by a key, largest first.
std::vector<Index> best(const std::vector<double>& key, std::size_t count, const std::vector<Index>& taken) {
  std::vector<Index> units(key.size());
  std::iota(units.begin(), units.end(), Index{0});
  std::erase_if(units, [&](Index unit) { return std::ranges::find(taken, unit) != taken.end(); });
  std::ranges::stable_sort(
      units, [&](Index a, Index b) { return key[static_cast<std::size_t>(a)] > key[static_cast<std::size_t>(b)]; });
  units.resize(std::min(count, units.size()));
  return units;
}

// Centred and of length 1 along at most kMostPlaces places [units x places]; zeros where a unit never changes.
std::vector<std::vector<float>> profiles(const StateCell& cell, const std::vector<int>& places) {
  const std::size_t count = std::min(kMostPlaces, places.size());
  const int track = shown_track(cell);
  std::vector<std::vector<float>> all;
  for (Index unit = 0; unit < cell.units; ++unit) {
    std::vector<float> one(count);
    for (std::size_t i = 0; i < count; ++i) one[i] = cell.value(track, places[i * places.size() / count], unit);
    const float mean =
        std::accumulate(one.begin(), one.end(), 0.0F) / static_cast<float>(std::max<std::size_t>(1, count));
    float length = 0;
    for (float& each : one) each -= mean, length += each * each;
    for (float& each : one) each = length > 1e-12F ? each / std::sqrt(length) : 0;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

int shown_track(const StateCell& cell) {
  const int h = cell.track("h");
  return h >= 0 ? h : static_cast<int>(cell.tracks.size()) - 1;
}

TellingUnits telling_units(const StateCell& cell, const std::vector<int>& places, std::size_t telling,
                           std::size_t moving, std::size_t still) {
  TellingUnits found;
  const auto units = static_cast<std::size_t>(cell.units);
  const int track = shown_track(cell);
  std::vector<double> tells(units), moves(units), stays(units);
  bool both = false;
  for (std::size_t u = 0; u < units; ++u) {
    const auto unit = static_cast<Index>(u);
    const Means means = means_of(cell, places, unit);
    both = means.digit_count >= 2 && means.letter_count >= 2;
    tells[u] = std::abs(means.digits - means.letters);
    double sum = 0, before = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto value = static_cast<double>(cell.value(track, places[i], unit));
      if (i > 0) moves[u] += std::abs(value - before);
      sum += before = value;
    }
    stays[u] = 1e9;
    for (const int place : places)
      stays[u] = std::min(stays[u], static_cast<double>(cell.value(track, place, unit)) * (sum < 0 ? -1 : 1));
  }
  if (both) found.digits = best(tells, telling, {});
  std::vector<Index> taken = found.digits;
  found.moving = best(moves, moving + (both ? 0 : telling), taken);
  taken.insert(taken.end(), found.moving.begin(), found.moving.end());
  if (places.size() > 1) found.still = best(stays, still, taken);
  if (units == 0) return found;

  const auto profile = profiles(cell, places);
  std::vector<bool> placed(units, false);
  std::size_t last = static_cast<std::size_t>(both ? found.digits.front() : found.moving.front());
  for (std::size_t n = 0; n < units; ++n) {
    placed[last] = true;
    found.order.push_back(static_cast<Index>(last));
    double most = -2;
    std::size_t next = last;
    for (std::size_t u = 0; u < units; ++u) {
      if (placed[u]) continue;
      const auto like =
          static_cast<double>(std::inner_product(profile[u].begin(), profile[u].end(), profile[last].begin(), 0.0F));
      if (like > most) most = like, next = u;
    }
    last = next;
  }
  return found;
}

UnitHabit unit_habit(const StateCell& cell, const std::vector<int>& places, Index unit) {
  const Means m = means_of(cell, places, unit);
  if (m.digit_count < 2 || m.letter_count < 2) return UnitHabit::none;
  const auto most = [](int part, int whole) { return 5 * part >= 4 * whole; };
  if (most(m.low_letters, m.letter_count) && most(m.high_digits, m.digit_count)) return UnitHabit::minus_letters;
  if (most(m.high_letters, m.letter_count) && most(m.low_digits, m.digit_count)) return UnitHabit::minus_digits;
  return m.digits > m.letters ? UnitHabit::more_digits : UnitHabit::more_letters;
}

}  // namespace headlight
