#include "model/trace/site.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "model/core/errors.h"

namespace headlight {

std::string SitePath::text() const {
  std::string text = parent ? parent->text() + "." : std::string();
  text += name;
  if (index >= 0) text += "[" + std::to_string(index) + "]";
  return text;
}

std::string without_indices(std::string_view text) {
  std::string plain;
  bool inside = false;
  for (const char c : text) {
    if (c == '[') inside = true;
    if (!inside) plain += c;
    if (c == ']') inside = false;
  }
  return plain;
}

HeadSite::HeadSite(std::string_view site) {
  constexpr std::string_view kHead = ".head[";
  const std::size_t at = site.rfind(kHead);
  if (at == std::string_view::npos) return;
  const std::size_t begin = at + kHead.size(), end = site.find(']', begin);
  const auto read = std::from_chars(site.data() + begin, site.data() + std::min(end, site.size()), index);
  if (end == std::string_view::npos || read.ec != std::errc() || read.ptr != site.data() + end || index < 0) return;
  all = std::string(site.substr(0, begin - 1)) + std::string(site.substr(end + 1));
}

const SiteKind* find_site_kind(std::string_view text) {
  static const auto* by_pattern = [] {
    auto* map = new std::unordered_map<std::string, const SiteKind*>;
    for (const SiteKind& kind : site_catalogue()) map->emplace(kind.pattern, &kind);
    return map;
  }();
  const auto found = by_pattern->find(without_indices(text));
  return found == by_pattern->end() ? nullptr : found->second;
}

std::string sibling(std::string_view site, SiteKind::Role role) {
  const auto after = [&](std::string_view word) {
    const std::size_t at = site.rfind(word);
    return at == std::string_view::npos ? at : at + word.size();
  };
  std::size_t place = after("attn.");  // of "self_attn.", too
  if (place == std::string_view::npos) place = after("attention.");
  if (place == std::string_view::npos) return {};
  // Heads share the mask of their attention; the rest stands at their own place.
  const std::size_t own = site.rfind('.') + 1;
  const char* leaf = role == SiteKind::Role::keep       ? "keep"
                     : role == SiteKind::Role::scores   ? "scores"
                     : role == SiteKind::Role::weights  ? "weights"
                     : role == SiteKind::Role::head_out ? "out"
                                                        : nullptr;
  if (!leaf) return {};
  for (const std::size_t end : {own, place}) {
    std::string found = std::string(site.substr(0, end)) + leaf;
    if (const SiteKind* kind = find_site_kind(found); kind && kind->role == role) return found;
  }
  return {};
}

bool is_self_attention(std::string_view site) { return site.find(".self_attn.") != std::string_view::npos; }

Site parse_site(std::string_view text) {
  Site site;
  site.text = text;
  site.kind = find_site_kind(text);
  if (!site.kind) throw UsageError("there is no site '" + site.text + "'; `headlight inspect MODEL` lists the sites");
  const auto index_after = [&](std::string_view name) -> Index {
    const std::size_t at = text.find(name);
    Index value = -1;
    if (at != std::string_view::npos) std::from_chars(text.data() + at + name.size(), text.data() + text.size(), value);
    return value;
  };
  site.layer = index_after("layer[");
  site.step = index_after("step[");
  site.head = index_after("head[");
  return site;
}

}  // namespace headlight
