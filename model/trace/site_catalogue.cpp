// The catalogue of sites: one row for each kind of intermediate value.

#include <deque>
#include <map>
#include <mutex>
#include <tuple>

#include "model/trace/site_rows.h"

namespace headlight {

namespace {

using Role = SiteKind::Role;

SiteKind::Side side_of_pattern(std::string_view pattern) {
  return pattern.starts_with("encoder.")   ? SiteKind::Side::encoder
         : pattern.starts_with("decoder.") ? SiteKind::Side::decoder
                                           : SiteKind::Side::input;
}

Role role_of(std::string_view pattern) {
  struct Row {
    const char* ending;
    Role role;
  };
  static constexpr Row kRows[] = {
      {"input.src.ids", Role::source},
      {".input.id", Role::written},
      {".embed.out", Role::embedding},
      {"encoder.channels", Role::embedding},
      {"attn.keep", Role::keep},
      {"attention.keep", Role::keep},
      {"attn.scores", Role::scores},
      {"attention.scores", Role::scores},
      {"attn.head.scores", Role::scores},
      {"attn.weights", Role::weights},
      {"attention.weights", Role::weights},
      {"attn.head.weights", Role::weights},
      {"attn.head.out", Role::head_out},
      {".attn_mean", Role::mean},
      {"memory.origin", Role::origin},
      {".output.probs", Role::probabilities},
  };
  for (const Row& row : kRows)
    if (pattern.ends_with(row.ending)) return row.role;
  return Role::other;
}

}  // namespace

const char* kept(std::string text) {
  static auto* texts = new std::deque<std::string>;
  return texts->emplace_back(std::move(text)).c_str();
}

void add_rows(std::vector<SiteKind>& sites, const std::string& place, const std::vector<Axis>& axes,
              const std::vector<SiteRow>& rows) {
  for (const SiteRow& row : rows) {
    std::vector<Axis> all = axes;
    all.push_back(row.axis);
    sites.push_back({kept(place + row.leaf), std::move(all), row.title, row.formula, row.paper, row.help, row.derived});
  }
}

const std::vector<SiteKind>& site_catalogue() {
  static const std::vector<SiteKind> rows = [] {
    std::vector<SiteKind> all;
    for (auto part : {recurrent_sites(), conv_sites(), memory_sites(), transformer_sites()})
      all.insert(all.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
    for (SiteKind& kind : all) {
      kind.side = side_of_pattern(kind.pattern);
      kind.role = role_of(kind.pattern);
    }
    return all;
  }();
  return rows;
}

const SiteKind* worded(const SiteKind& kind, const SiteWords& words) {
  using Key = std::tuple<const SiteKind*, std::string, const char*, const char*>;
  static std::mutex mutex;
  static auto* known = new std::map<Key, SiteKind>;
  const std::lock_guard lock(mutex);
  const auto [row, added] = known->try_emplace(Key{&kind, words.formula, words.help, words.paper}, kind);
  if (added) {
    row->second.formula = std::get<std::string>(row->first).c_str();
    if (words.help) row->second.help = words.help;
    if (words.paper) row->second.paper = words.paper;
  }
  return &row->second;
}

}  // namespace headlight
