#include "model/trace/edit_index.h"

#include <algorithm>

#include "model/trace/site.h"

namespace headlight {

EditIndex::EditIndex(const std::vector<std::string>& sites) {
  for (std::size_t i = 0; i < sites.size(); ++i) {
    any_star_ = any_star_ || sites[i].find('*') != std::string::npos;
    by_name_[sites[i]].push_back({i, -1});
    if (const HeadSite head(sites[i]); !head.all.empty()) by_name_[head.all].push_back({i, head.index});
  }
}

namespace {

// Calls f(name) for the name with each of its indices as it is and as a star: few, for a name has up to three.
template <class F>
void each_name(std::string name, std::size_t from, bool stars, const F& f) {
  const std::size_t at = stars ? name.find('[', from) : std::string::npos;
  if (at == std::string::npos) return f(name);
  each_name(name, at + 1, stars, f);
  each_name(name.replace(at, name.find(']', at) - at, "[*"), at + 1, stars, f);
}

}  // namespace

std::vector<EditIndex::Match> EditIndex::of(std::string_view site) const {
  std::vector<Match> found;
  if (by_name_.empty()) return found;
  each_name(std::string(site), 0, any_star_, [&](const std::string& name) {
    if (const auto here = by_name_.find(name); here != by_name_.end())
      found.insert(found.end(), here->second.begin(), here->second.end());
  });
  std::ranges::sort(found, {}, &Match::edit);
  return found;
}

}  // namespace headlight
