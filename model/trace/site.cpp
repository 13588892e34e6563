#include "model/trace/site.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "model/core/errors.h"

namespace headlight {

void SitePath::add_to(std::string& text) const {
  if (parent) {
    parent->add_to(text);
    text += '.';
  }
  text += name;
  if (index < 0) return;
  char number[24];
  text += '[';
  text.append(number, std::to_chars(number, number + sizeof number, index).ptr);
  text += ']';
}

std::string SitePath::text() const {
  std::string text;
  add_to(text);
  return text;
}

// Each value of a run has one: it is allocated once.
std::string SitePath::text(std::string_view leaf) const {
  constexpr std::size_t kUsual = 64;  // letters
  std::string text;
  text.reserve(kUsual);
  add_to(text);
  text += '.';
  text += leaf;
  return text;
}

namespace {

// Writes a name without its indices to a place with room for all of it; where it ends.
char* write_plain(std::string_view text, char* to) {
  bool inside = false;
  for (const char c : text) {
    if (c == '[') inside = true;
    if (!inside) *to++ = c;
    if (c == ']') inside = false;
  }
  return to;
}

}  // namespace

std::string without_indices(std::string_view text) {
  std::string plain(text.size(), '\0');
  plain.resize(static_cast<std::size_t>(write_plain(text, plain.data()) - plain.data()));
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

// Each value of a run asks: nothing is allocated for it.
const SiteKind* find_site_kind(std::string_view text) {
  constexpr std::size_t kLongest = 512;  // of names of sites by far
  static const auto* by_pattern = [] {
    auto* map = new std::unordered_map<std::string_view, const SiteKind*>;
    for (const SiteKind& kind : site_catalogue()) map->emplace(kind.pattern, &kind);
    return map;
  }();
  if (text.size() > kLongest) return nullptr;
  char plain[kLongest];
  const auto found =
      by_pattern->find(std::string_view(plain, static_cast<std::size_t>(write_plain(text, plain) - plain)));
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
  const SiteKind* kind = find_site_kind(text);
  if (!kind)
    throw UsageError("there is no site '" + std::string(text) + "'; `headlight inspect MODEL` lists the sites");
  return site_of(std::string(text), *kind);
}

Site site_of(std::string name, const SiteKind& kind) {
  Site site;
  site.text = std::move(name);
  site.kind = &kind;
  const std::string_view text = site.text;
  const auto index_after = [&](std::string_view word) -> Index {
    const std::size_t at = text.find(word);
    Index value = -1;
    if (at != std::string_view::npos) std::from_chars(text.data() + at + word.size(), text.data() + text.size(), value);
    return value;
  };
  site.layer = index_after("layer[");
  site.step = index_after("step[");
  site.head = index_after("head[");
  return site;
}

}  // namespace headlight
