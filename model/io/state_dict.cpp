#include "model/io/state_dict.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <unordered_set>

namespace headlight {

namespace {

constexpr std::size_t kMostParts = 8;        // of a front
constexpr std::size_t kMostCompared = 2000;  // names of a file by which fronts are found
constexpr std::size_t kMostFronts = 24;

// Parts of names that wrap a model or a piece of it, wherever they stand.
bool wraps(std::string_view part) {
  static const std::unordered_set<std::string_view> parts = {"module",          "_module",
                                                             "_orig_mod",       "_fsdp_wrapped_module",
                                                             "_fpw_module",     "_checkpoint_wrapped_module",
                                                             "_forward_module", "_original_forward_module"};
  return parts.contains(part);
}
// What stands in front of a whole model besides.
bool is_around(std::string_view part) {
  static const std::unordered_set<std::string_view> parts = {
      "model",     "_model",    "net",        "network",  "state_dict", "model_state_dict", "model_state",
      "ema_model", "model_ema", "base_model", "backbone", "pl_module",  "weights"};
  return wraps(part) || parts.contains(part);
}
bool is_around_all(std::string_view front) {
  for (std::size_t at = 0; at < front.size();) {
    const std::size_t end = front.find('.', at);
    if (!is_around(front.substr(at, end - at))) return false;
    at = end + 1;
  }
  return true;
}

// Calls with each front that a name has, from the empty one on: "", "a.", "a.b." of "a.b.weight".
template <class Take>
void for_each_front(std::string_view name, const Take& take) {
  std::size_t end = 0;
  for (std::size_t parts = 0; parts <= kMostParts; ++parts) {
    take(name.substr(0, end));
    end = name.find('.', end);
    if (end == name.npos) return;
    ++end;
  }
}

// Of a file with very many names, some from all over it.
std::vector<std::string_view> some_of(const std::vector<std::string>& names) {
  std::vector<std::string_view> some;
  const std::size_t step = std::max<std::size_t>(1, names.size() / kMostCompared);
  for (std::size_t i = 0; i < names.size(); i += step) some.push_back(names[i]);
  return some;
}

// The empty one, and those that many names have.
std::vector<std::string> frequent_fronts(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, std::size_t> counts;
  for (const std::string& name : names) for_each_front(name, [&](std::string_view front) { ++counts[front]; });
  std::vector<std::pair<std::string_view, std::size_t>> sorted(counts.begin(), counts.end());
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second
                                : std::pair(a.first.size(), a.first) < std::pair(b.first.size(), b.first);
  });
  std::vector<std::string> fronts;
  for (const auto& [front, count] : sorted)
    if (fronts.size() < kMostFronts && (front.empty() || count * 8 >= names.size())) fronts.emplace_back(front);
  return fronts;
}

}  // namespace

std::string plain_name(const std::string& name, bool whole) {
  if (name.ends_with('.')) return name;
  std::string plain;
  bool in_front = !whole;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find('.', at), name.size());
    const std::string_view part = std::string_view(name).substr(at, end - at);
    const bool is_wrapper = wraps(part) && end < name.size();
    in_front = in_front && is_wrapper;
    if (!is_wrapper || in_front) plain.append(part).append(end < name.size() ? "." : "");
    at = end + 1;
  }
  return plain;
}

std::vector<std::string> plain_names(const TensorFile& file) {
  std::unordered_map<std::string, int> count;
  std::vector<std::string> names;
  for (const TensorEntry& tensor : file.tensors()) ++count[names.emplace_back(plain_name(tensor.name))];
  for (std::size_t i = 0; i < names.size(); ++i)
    if (count[names[i]] > 1) names[i] = file.tensors()[i].name;
  return names;
}

std::string without_numbers(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) || c == '#' || c == '%' || c == '@';
    if (!digit)
      text += c;
    else if (!text.ends_with('#'))
      text += '#';
  }
  return text;
}

std::optional<std::string> number_in_name(const std::string& pattern, const std::string& name) {
  const std::size_t at = pattern.find('#');
  if (at == std::string::npos) return pattern == name ? std::optional(std::string()) : std::nullopt;
  const std::string behind = pattern.substr(at + 1);
  if (name.size() < pattern.size() || !name.starts_with(pattern.substr(0, at)) || !name.ends_with(behind)) return {};
  std::string number = name.substr(at, name.size() - at - behind.size());
  return number.find_first_not_of("0123456789") == number.npos ? std::optional(number) : std::nullopt;
}

NameFront front_of(const std::vector<std::string>& names, const std::function<bool(std::string_view)>& known) {
  std::unordered_map<std::string_view, std::size_t> counts;
  for (const std::string& name : names)
    for_each_front(name, [&](std::string_view front) {
      if (known(std::string_view(name).substr(front.size()))) ++counts[front];
    });
  NameFront best;
  for (const auto& [front, count] : counts)
    if (count > best.known || (count == best.known && std::pair(front.size(), front) <
                                                          std::pair(best.text.size(), std::string_view(best.text))))
      best = {std::string(front), count, {}};
  for (const auto& [front, count] : counts)
    if (count == best.known && !front.starts_with(best.text)) best.rival = front;
  return best;
}

std::pair<std::string, std::string> common_fronts(const std::vector<std::string>& first,
                                                  const std::vector<std::string>& second) {
  const std::unordered_set<std::string_view> others(second.begin(), second.end());
  const std::vector<std::string_view> some = some_of(first);
  const std::vector<std::string> fronts = frequent_fronts(first), other_fronts = frequent_fronts(second);
  std::pair<std::string, std::string> best;
  std::size_t most = 0;
  std::string other;
  for (const std::string& here : fronts)
    for (const std::string& there : other_fronts) {
      if (here != there && !is_around_all(here) && !is_around_all(there)) continue;
      std::size_t common = 0;
      for (const std::string_view name : some) {
        if (!name.starts_with(here)) continue;
        other.assign(there).append(name.substr(here.size()));
        common += others.contains(other);
      }
      if (common > most) most = common, best = {here, there};
    }
  return best;
}

}  // namespace headlight
