#include "model/decode/choosing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace headlight {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMostFinite = std::numeric_limits<float>::max();
constexpr Scalar kGone = -std::numeric_limits<Scalar>::infinity();

// What a stage works on.
struct Choosing {
  Tensor& scores;
  const ChoosingPlace& place;
  const ChoosingSettings& settings;

  Index count() const { return scores.size(); }
  bool is_token(TokenId id) const { return id >= 0 && id < scores.size(); }
  void forbid(TokenId id) {
    if (is_token(id)) scores[id] = kGone;
  }
  void forbid(const std::vector<TokenId>& ids) {
    for (const TokenId id : ids) forbid(id);
  }
  template <class Goes>
  void drop(const Goes& goes) {
    for (TokenId id = 0; id < scores.size(); ++id)
      if (goes(id)) scores[id] = kGone;
  }
};

// Whether the last token of `word` would complete it here.
bool completes(const std::vector<TokenId>& word, const std::vector<TokenId>& ids) {
  return word.size() == 1 ||
         (!word.empty() && word.size() - 1 <= ids.size() &&
          std::equal(word.begin(), word.end() - 1, ids.end() - static_cast<std::ptrdiff_t>(word.size() - 1)));
}

void add_bias(Choosing& c) {
  for (const auto& [word, bias] : c.settings.sequence_bias)
    if (completes(word, c.place.ids) && c.is_token(word.back())) c.scores[word.back()] += static_cast<Scalar>(bias);
}

// What has been there is made less probable.
void discourage(Choosing& c, const std::vector<TokenId>& seen, double penalty) {
  for (const TokenId id : std::set<TokenId>(seen.begin(), seen.end())) {
    if (!c.is_token(id)) continue;
    const auto x = static_cast<double>(c.scores[id]);
    c.scores[id] = static_cast<Scalar>(x < 0 ? x * penalty : x / penalty);
  }
}

// Of new tokens: less by so much for each time, or for once and for all.
void take_off(Choosing& c, double penalty, bool each_time) {
  std::vector<TokenId> fresh(
      c.place.ids.begin() + static_cast<std::ptrdiff_t>(std::min(c.place.prompt, c.place.ids.size())),
      c.place.ids.end());
  if (!each_time) {
    std::sort(fresh.begin(), fresh.end());
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
  }
  for (const TokenId id : fresh)
    if (c.is_token(id)) c.scores[id] -= static_cast<Scalar>(penalty);
}

// Nothing that came behind the last size − 1 tokens somewhere in `text`.
void forbid_repeated(Choosing& c, const std::vector<TokenId>& text, Index size) {
  const auto n = static_cast<std::size_t>(size);
  const std::vector<TokenId>& ids = c.place.ids;
  if (ids.size() + 1 < n || text.size() < n) return;
  const auto tail = ids.end() - static_cast<std::ptrdiff_t>(n - 1);
  for (std::size_t at = 0; at + n <= text.size(); ++at)
    if (std::equal(tail, ids.end(), text.begin() + static_cast<std::ptrdiff_t>(at))) c.forbid(text[at + n - 1]);
}

void forbid_words(Choosing& c) {
  const std::vector<TokenId>& ends = c.settings.eos_token_id;
  for (const std::vector<TokenId>& word : c.settings.bad_words_ids) {
    if (word.size() == 1 && std::find(ends.begin(), ends.end(), word[0]) != ends.end()) continue;
    if (completes(word, c.place.ids)) c.forbid(word.back());
  }
}

void force(Choosing& c, const std::vector<TokenId>& only, bool now) {
  if (!now) return;
  c.scores.array().setConstant(kGone);
  for (const TokenId id : only)
    if (c.is_token(id)) c.scores[id] = 0;
}

void make_valid(Choosing& c) {
  constexpr auto kMost = static_cast<Scalar>(kMostFinite);
  for (Index i = 0; i < c.count(); ++i)
    c.scores[i] = std::isnan(c.scores[i]) ? 0 : std::clamp(c.scores[i], -kMost, kMost);
}

void hasten_end(Choosing& c) {
  const auto [begins, factor] = *c.settings.exponential_decay_length_penalty;
  const auto behind =
      static_cast<double>(c.place.ids.size()) - static_cast<double>(c.place.prompt) - static_cast<double>(begins);
  if (behind <= 0) return;
  for (const TokenId end : c.settings.eos_token_id)
    if (c.is_token(end) && std::isfinite(c.scores[end]))
      c.scores[end] +=
          static_cast<Scalar>(std::abs(static_cast<double>(c.scores[end])) * (std::pow(factor, behind) - 1));
}

// The first new token, or the one behind that which is forced.
bool is_first(const Choosing& c) {
  const bool forced = c.place.prompt <= 1 && !c.settings.forced_bos_token_id.empty();
  return c.place.ids.size() == c.place.prompt + (forced ? 1 : 0);
}

// By falling score, lower ids first among equals.
std::vector<TokenId> falling(const Tensor& scores) {
  std::vector<TokenId> ids(static_cast<std::size_t>(scores.size()));
  std::iota(ids.begin(), ids.end(), 0);
  std::stable_sort(ids.begin(), ids.end(), [&](TokenId a, TokenId b) { return scores[a] > scores[b]; });
  return ids;
}

double entropy_of(const std::vector<double>& shares) {
  double sum = 0;
  for (const double p : shares)
    if (p > 0) sum -= p * std::log(p);
  return sum;
}

void keep_top_h(Choosing& c, double share) {
  constexpr std::size_t kLooked = 100;
  std::vector<TokenId> top = falling(c.scores);
  top.resize(std::min(top.size(), kLooked));
  Tensor of_top({static_cast<Index>(top.size())});
  for (std::size_t i = 0; i < top.size(); ++i) of_top[static_cast<Index>(i)] = c.scores[top[i]];
  const std::vector<double> p = shares_of(of_top);
  const double limit = share * entropy_of(p);
  std::set<TokenId> kept = {top.front()};
  double sum = 0;
  for (std::size_t i = 0; i < top.size(); ++i) {
    if (p[i] > 0) sum -= p[i] * std::log(p[i]);
    if (sum <= limit) kept.insert(top[i]);
  }
  c.drop([&](TokenId id) { return !kept.contains(id); });
}

// 0 leaves the largest alone. Below what the library takes, quotients have no place in a number: there only distances
// to the largest count.
void divide(Choosing& c, double temperature) {
  constexpr double kLeast = 1e-6, kMost = std::numeric_limits<Scalar>::max();
  const TokenId largest = largest_of(c.scores);
  if (temperature == 0) return c.drop([&](TokenId id) { return id != largest; });
  const double from = temperature < kLeast ? static_cast<double>(c.scores[largest]) : 0;
  for (Index i = 0; i < c.count(); ++i)
    if (std::isfinite(c.scores[i]))
      c.scores[i] =
          static_cast<Scalar>(std::clamp((static_cast<double>(c.scores[i]) - from) / temperature, -kMost, kMost));
}

// All that tie with the k-th stay, or those with lower ids until there are k.
void keep_top_k(Choosing& c, Index k) {
  if (!c.settings.ties_stay) {
    const std::vector<TokenId> order = falling(c.scores);
    for (auto i = static_cast<std::size_t>(k); i < order.size(); ++i) c.forbid(order[i]);
    return;
  }
  std::vector<Scalar> sorted(c.scores.data(), c.scores.data() + c.count());
  const auto place = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(k, c.count()) - 1);
  std::nth_element(sorted.begin(), place, sorted.end(), std::greater<>());
  const Scalar least = *place;
  c.drop([&](TokenId id) { return c.scores[id] < least; });
}

// From the least probable on, as long as what goes has at most 1 − p together; the largest stays.
void keep_top_p(Choosing& c, double share) {
  const std::vector<double> p = shares_of(c.scores);
  const std::vector<TokenId> order = falling(c.scores);
  double sum = 0;
  for (std::size_t i = order.size(); i-- > 1;)
    if ((sum += p[static_cast<std::size_t>(order[i])]) <= 1 - share) c.forbid(order[i]);
}

void keep_min_p(Choosing& c, double share) {
  const std::vector<double> p = shares_of(c.scores);
  const double least = share * *std::max_element(p.begin(), p.end());
  c.drop([&](TokenId id) { return p[static_cast<std::size_t>(id)] < least; });
}

// Those whose surprise is nearest to the entropy, up to the first at which they have `mass` together (Meister et al.
// 2023); what ties with it stays.
void keep_typical(Choosing& c, double mass) {
  const std::vector<double> p = shares_of(c.scores);
  const double entropy = entropy_of(p);
  const auto far = [&](TokenId id) {
    const double share = p[static_cast<std::size_t>(id)];
    return share > 0 ? std::abs(-std::log(share) - entropy) : kInfinity;
  };
  std::vector<TokenId> order(p.size());
  std::iota(order.begin(), order.end(), 0);
  std::vector<double> distance;
  for (const TokenId id : order) distance.push_back(far(id));
  std::stable_sort(order.begin(), order.end(), [&](TokenId a, TokenId b) {
    return distance[static_cast<std::size_t>(a)] < distance[static_cast<std::size_t>(b)];
  });
  double sum = 0;
  std::size_t last = 0;
  for (; last + 1 < order.size(); ++last)
    if ((sum += p[static_cast<std::size_t>(order[last])]) >= mass) break;
  const double farthest = distance[static_cast<std::size_t>(order[last])];
  c.drop([&](TokenId id) { return distance[static_cast<std::size_t>(id)] > farthest && id != order.front(); });
}

// What ties with the largest stays.
void cut_below(Choosing& c, const std::vector<double>& p, double least) {
  const Scalar largest = c.scores[largest_of(c.scores)];
  c.drop([&](TokenId id) { return p[static_cast<std::size_t>(id)] < least && c.scores[id] < largest; });
}

// (Hewitt et al. 2022)
void cut_eta(Choosing& c, double eta) {
  const std::vector<double> p = shares_of(c.scores);
  cut_below(c, p, std::min(eta, std::sqrt(eta) * std::exp(-entropy_of(p))));
}

// What is finite stays finite, also where its share is too small for a number.
void normalise(Choosing& c) {
  const auto largest = static_cast<double>(c.scores[largest_of(c.scores)]);
  double sum = 0;
  for (Index i = 0; i < c.count(); ++i) sum += std::exp(static_cast<double>(c.scores[i]) - largest);
  for (Index i = 0; i < c.count(); ++i)
    c.scores[i] = static_cast<Scalar>(std::max(static_cast<double>(c.scores[i]) - largest - std::log(sum),
                                               c.scores[i] == kGone ? -kInfinity : -kMostFinite));
}

struct Stage {
  const char* name;
  bool (*acts)(const ChoosingSettings& s);
  void (*change)(Choosing& c);
};

using S = const ChoosingSettings&;

const std::vector<Stage>& stages() {
  static const std::vector<Stage> rows = {
      {"sequence_bias", [](S s) { return !s.sequence_bias.empty(); }, add_bias},
      {"encoder_repetition_penalty", [](S s) { return s.encoder_repetition_penalty != 1; },
       [](Choosing& c) { discourage(c, c.place.encoder, 1 / c.settings.encoder_repetition_penalty); }},
      {"repetition_penalty", [](S s) { return s.repetition_penalty != 1; },
       [](Choosing& c) { discourage(c, c.place.ids, c.settings.repetition_penalty); }},
      {"frequency_penalty", [](S s) { return s.frequency_penalty != 0; },
       [](Choosing& c) { take_off(c, c.settings.frequency_penalty, true); }},
      {"presence_penalty", [](S s) { return s.presence_penalty != 0; },
       [](Choosing& c) { take_off(c, c.settings.presence_penalty, false); }},
      {"no_repeat_ngram_size", [](S s) { return s.no_repeat_ngram_size > 0; },
       [](Choosing& c) { forbid_repeated(c, c.place.ids, c.settings.no_repeat_ngram_size); }},
      {"encoder_no_repeat_ngram_size", [](S s) { return s.encoder_no_repeat_ngram_size > 0; },
       [](Choosing& c) { forbid_repeated(c, c.place.encoder, c.settings.encoder_no_repeat_ngram_size); }},
      {"bad_words_ids", [](S s) { return !s.bad_words_ids.empty(); }, forbid_words},
      {"min_length", [](S s) { return s.min_length > 0 && !s.min_new_tokens && !s.eos_token_id.empty(); },
       [](Choosing& c) {
         if (static_cast<Index>(c.place.ids.size()) < c.settings.min_length) c.forbid(c.settings.eos_token_id);
       }},
      {"min_new_tokens", [](S s) { return s.min_new_tokens.value_or(0) > 0 && !s.eos_token_id.empty(); },
       [](Choosing& c) {
         if (static_cast<Index>(c.place.ids.size()) - static_cast<Index>(c.place.prompt) < *c.settings.min_new_tokens)
           c.forbid(c.settings.eos_token_id);
       }},
      {"forced_bos_token_id", [](S s) { return !s.forced_bos_token_id.empty(); },
       [](Choosing& c) { force(c, c.settings.forced_bos_token_id, c.place.ids.size() == 1); }},
      {"forced_eos_token_id", [](S s) { return !s.forced_eos_token_id.empty(); },
       [](Choosing& c) {
         force(c, c.settings.forced_eos_token_id, c.place.max_length && c.place.ids.size() + 1 == *c.place.max_length);
       }},
      {"remove_invalid_values", [](S s) { return s.remove_invalid_values; }, make_valid},
      {"exponential_decay_length_penalty", [](S s) { return s.exponential_decay_length_penalty.has_value(); },
       hasten_end},
      {"suppress_tokens", [](S s) { return s.suppress_tokens.has_value(); },
       [](Choosing& c) { c.forbid(*c.settings.suppress_tokens); }},
      {"begin_suppress_tokens", [](S s) { return s.begin_suppress_tokens.has_value(); },
       [](Choosing& c) {
         if (is_first(c)) c.forbid(*c.settings.begin_suppress_tokens);
       }},
      {"temperature", [](S s) { return s.do_sample && s.temperature != 1; },
       [](Choosing& c) { divide(c, c.settings.temperature); }},
      {"top_h", [](S s) { return s.do_sample && s.top_h.has_value(); },
       [](Choosing& c) { keep_top_h(c, *c.settings.top_h); }},
      {"top_k", [](S s) { return s.do_sample && s.top_k > 0; }, [](Choosing& c) { keep_top_k(c, c.settings.top_k); }},
      {"top_p", [](S s) { return s.do_sample && s.top_p < 1; }, [](Choosing& c) { keep_top_p(c, c.settings.top_p); }},
      {"min_p", [](S s) { return s.do_sample && s.min_p.has_value(); },
       [](Choosing& c) { keep_min_p(c, *c.settings.min_p); }},
      {"typical_p", [](S s) { return s.do_sample && s.typical_p < 1; },
       [](Choosing& c) { keep_typical(c, c.settings.typical_p); }},
      {"epsilon_cutoff", [](S s) { return s.do_sample && s.epsilon_cutoff > 0 && s.epsilon_cutoff < 1; },
       [](Choosing& c) { cut_below(c, shares_of(c.scores), c.settings.epsilon_cutoff); }},
      {"eta_cutoff", [](S s) { return s.do_sample && s.eta_cutoff > 0 && s.eta_cutoff < 1; },
       [](Choosing& c) { cut_eta(c, c.settings.eta_cutoff); }},
      {"renormalize_logits", [](S s) { return s.renormalize_logits; }, normalise},
  };
  return rows;
}

}  // namespace

const std::vector<const char*>& choosing_stages() {
  static const std::vector<const char*> names = [] {
    std::vector<const char*> all;
    for (const Stage& stage : stages()) all.push_back(stage.name);
    return all;
  }();
  return names;
}

std::vector<double> shares_of(const Tensor& scores) {
  double largest = -kInfinity;
  for (Index i = 0; i < scores.size(); ++i) largest = std::max(largest, static_cast<double>(scores[i]));
  std::vector<double> shares(static_cast<std::size_t>(scores.size()));
  Eigen::Map<Eigen::ArrayXd> all(shares.data(), scores.size());
  all = ConstArrayMap(scores.data(), scores.size()).cast<double>() - largest;
  all = all.exp();  // apart, so that it is made of many at once
  // Of many at once what is next to nothing is not quite 0, and what is no number may become one.
  constexpr double kLeast = -708;
  for (Index i = 0; i < scores.size(); ++i)
    if (const double x = static_cast<double>(scores[i]) - largest; !(x >= kLeast))
      shares[static_cast<std::size_t>(i)] = std::isnan(x) ? x : 0;
  all /= all.sum();
  return shares;
}

TokenId largest_of(const Tensor& scores) {
  Index best = 0;
  for (Index i = 1; i < scores.size(); ++i)
    if (scores[i] > scores[best] || std::isnan(scores[best])) best = i;
  return static_cast<TokenId>(best);
}

void choose(Tensor& scores, const ChoosingPlace& place, const ChoosingSettings& settings,
            const std::function<void(const char* stage, const Tensor& scores)>& after) {
  Choosing c{scores, place, settings};
  for (const Stage& stage : stages()) {
    if (!stage.acts(settings)) continue;
    stage.change(c);
    if (after) after(stage.name, scores);
  }
}

}  // namespace headlight
