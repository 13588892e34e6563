#include "app/find/index.h"

#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "model/text/nearest.h"

namespace headlight {

namespace {

constexpr int kMostOfGroup = 6, kMostOfFew = 14, kMostSites = 3, kFirstOnes = 4, kNearOfGroup = 2, kMostNear = 6;
// Tiers: up to where it is seen why it was found, what is only mentioned in a sentence, and what was not found.
constexpr int kVisible = 4, kMentioned = 6, kLast = 7;
constexpr int kMinor = 10;

enum class Script { none, letters, characters };

bool is_han(QChar c) {
  return (c >= QChar(0x3040) && c <= QChar(0x30ff)) || (c >= QChar(0x3400) && c <= QChar(0x9fff)) || c.isSurrogate();
}

// Each character with the place that it came from.
void fold(const QString& text, QString& to, std::vector<int>* places) {
  Script before = Script::none;
  const auto add = [&](QChar c, int place) {
    if (c.isMark()) return;
    const Script script = is_han(c) ? Script::characters : c.isLetterOrNumber() ? Script::letters : Script::none;
    if (script != Script::none) {
      if (script != before) {
        to += QLatin1Char(' ');
        if (places) places->push_back(place);
      }
      to += c.toLower();
      if (places) places->push_back(place);
    }
    before = script;
  };
  for (int i = 0; i < text.size(); ++i) {
    const QChar c = text[i];
    if (c.unicode() < 0x80 || is_han(c))
      add(c, i);
    else
      for (const QChar each : QString(c).normalized(QString::NormalizationForm_KD)) add(each, i);
  }
}

// What has a hyphen is also written as one word.
QString joined(const QString& text) {
  return text.contains(QLatin1Char('-')) ? folded(QString(text).remove(QLatin1Char('-'))) : QString();
}

// The words that were typed, as they are looked for: letters only where a word begins.
QStringList needles(const QString& typed) {
  QStringList words = folded(typed).split(QLatin1Char(' '), Qt::SkipEmptyParts);
  for (QString& word : words)
    if (!is_han(word[0])) word.prepend(QLatin1Char(' '));
  return words;
}

bool tells_enough(const QString& needle) { return needle.size() >= (is_han(needle[0]) ? 2 : 5); }

// Letters of any script as bytes: which they are does not matter, only which are the same.
std::string coded(QStringView word, QString& alphabet) {
  std::string made;
  for (const QChar c : word) {
    if (!alphabet.contains(c)) alphabet += c;
    made += static_cast<char>(alphabet.indexOf(c));
  }
  return made;
}

// How near two words are; nothing: they are not.
std::optional<int> slips(const QString& typed, const QString& word) {
  constexpr int kLongest = 60;  // what is longer is no word
  const int most = static_cast<int>(typed.size()) / 3;
  if (most == 0 || typed.size() > kLongest) return std::nullopt;
  QString alphabet;
  const std::string mine = coded(typed, alphabet);
  const auto slips_to = [&](QStringView other) {
    return static_cast<int>(slips_between(mine, coded(other, alphabet)));
  };
  int best = most + 1;
  if (std::abs(word.size() - typed.size()) <= most) best = slips_to(word);
  // The beginning of a longer word.
  if (word.size() > typed.size() + 1 && typed.size() >= 4)
    for (const qsizetype length : {typed.size(), typed.size() + 1})
      best = std::min(best, 1 + slips_to(QStringView(word).left(length)));
  return best <= most ? std::optional(best) : std::nullopt;
}

struct Ranked {
  int tier = 0, entry = 0;
};

// Who types a word wants to learn what it is before doing something with it; but the whole name of an action means it.
int section_of(FindKind kind, int best) {
  if (kind == FindKind::token || kind == FindKind::number) return 3;
  if (best >= kMentioned) return 2;
  return kind <= FindKind::glossary || best == 0 ? 0 : 1;
}

// Within a section the groups whose hits are seen in their rows come first, then those that were found by other words.
Found grouped(std::vector<Ranked> ranked, const std::vector<FindEntry>& entries, bool sites) {
  constexpr int kKinds = static_cast<int>(FindKind::number) + 1;
  std::ranges::stable_sort(ranked, {}, &Ranked::tier);
  std::vector<Found::Group> groups(kKinds);
  std::array<int, kKinds> best = {};
  Found found;
  found.count = static_cast<int>(ranked.size());
  for (const Ranked& each : ranked) {
    const FindKind kind = entries[static_cast<std::size_t>(each.entry)].kind;
    const auto at = static_cast<std::size_t>(kind);
    groups[at].kind = kind;
    if (groups[at].entries.empty()) best[at] = each.tier;
    groups[at].entries.push_back(each.entry);
  }
  std::erase_if(groups, [](const Found::Group& group) { return group.entries.empty(); });
  std::ranges::stable_sort(groups, {}, [&](const Found::Group& group) {
    const int tier = best[static_cast<std::size_t>(group.kind)];
    return std::pair(section_of(group.kind, tier), tier > kVisible);
  });
  found.groups = std::move(groups);
  const int most = found.groups.size() <= 2 ? kMostOfFew : kMostOfGroup;
  for (Found::Group& group : found.groups) {
    group.all = static_cast<int>(group.entries.size());
    const bool few = group.kind == FindKind::number && !sites && found.groups.size() > 1;
    group.entries.resize(static_cast<std::size_t>(std::min(group.all, few ? kMostSites : most)));
  }
  return found;
}

}  // namespace

QString folded(const QString& text) {
  QString made;
  made.reserve(text.size() + 8);
  fold(text, made, nullptr);
  return made;
}

QList<std::pair<int, int>> found_parts(const QString& title, const QString& typed) {
  QString text;
  std::vector<int> places;
  fold(title, text, &places);
  QList<std::pair<int, int>> parts;
  for (const QString& needle : needles(typed)) {
    const qsizetype at = text.indexOf(needle);
    if (at < 0) continue;
    const auto first = static_cast<std::size_t>(at + (needle.startsWith(QLatin1Char(' ')) ? 1 : 0));
    const int from = places[first], to = places[static_cast<std::size_t>(at + needle.size() - 1)];
    parts << std::pair(from, to - from + 1);
  }
  std::ranges::sort(parts);
  return parts;
}

FindIndex::FindIndex(std::vector<FindEntry> entries) : entries_(std::move(entries)) {
  QHash<QString, QString> known;  // the same words stand at every step
  const auto once = [&](const QString& text) {
    if (text.isEmpty()) return QString();
    QString& made = known[text];
    if (made.isEmpty()) made = folded(text) + joined(text);
    return made;
  };
  folded_.reserve(entries_.size());
  for (const FindEntry& each : entries_)
    folded_.push_back({folded(each.title), once(each.second), once(each.words) + joined(each.title), once(each.text)});
}

Found FindIndex::find(const QString& typed) const {
  const QString plain = typed.trimmed();
  if (plain.isEmpty()) return first_ones();
  const QString whole = folded(plain);
  const QStringList wanted = needles(plain);
  const auto tier_of = [&](std::size_t at) {
    if (wanted.isEmpty()) {  // signs only
      const QString& title = entries_[at].title;
      return title == plain ? 0 : title.contains(plain) ? 2 : kLast;
    }
    const Folded& in = folded_[at];
    if (in.title == whole) return 0;
    if (in.title.startsWith(whole)) return 1;
    if (in.title.contains(whole)) return 2;
    int tier = 3;
    bool own = !entries_[at].minor;  // a step has the name of its lesson beside it
    for (const QString& each : wanted) {
      const int here = in.title.contains(each)                        ? 3
                       : in.second.contains(each)                     ? kVisible
                       : in.words.contains(each)                      ? 5
                       : tells_enough(each) && in.text.contains(each) ? 6
                                                                      : kLast;
      tier = std::max(tier, here);
      own = own || here != kVisible;
    }
    return own ? tier : kLast;
  };
  // A site is asked for by a sign that only the names of sites have.
  static const QRegularExpression kSiteSigns(QStringLiteral("[._\\[]"));
  std::vector<Ranked> ranked;
  for (std::size_t at = 0; at < entries_.size(); ++at)
    if (const int tier = tier_of(at); tier < kLast)
      ranked.push_back({tier + (entries_[at].minor ? kMinor : 0), static_cast<int>(at)});
  return ranked.empty() ? near(wanted) : grouped(std::move(ranked), entries_, plain.contains(kSiteSigns));
}

Found FindIndex::first_ones() const {
  Found found;
  found.count = size();
  for (const FindKind kind :
       {FindKind::lesson, FindKind::picture, FindKind::action, FindKind::setting, FindKind::model}) {
    Found::Group group{kind, {}, 0};
    for (int at = 0; at < size(); ++at)
      if (const FindEntry& entry = (*this)[at]; entry.kind == kind && !entry.minor && entry.off.isEmpty()) {
        ++group.all;
        if (group.entries.size() < kFirstOnes) group.entries.push_back(at);
      }
    if (group.all > 0) found.groups.push_back(std::move(group));
  }
  return found;
}

// Each word that was typed and the nearest of an entry's words; those that have the fewest slips in all.
Found FindIndex::near(const QStringList& words) const {
  constexpr int kNone = 100;  // for a word that is near nothing
  Found found;
  if (words.isEmpty()) return found;
  std::vector<QHash<QString, int>> known(static_cast<std::size_t>(words.size()));
  const auto cost_in = [&](qsizetype word, const QString& field) {
    int best = kNone;
    QHash<QString, int>& costs = known[static_cast<std::size_t>(word)];
    for (const QString& each : field.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
      auto cost = costs.find(each);
      if (cost == costs.end()) {
        const QString typed = words[word].trimmed();
        cost = costs.insert(each, (' ' + each).contains(words[word]) ? 0 : slips(typed, each).value_or(kNone));
      }
      best = std::min(best, *cost);
    }
    return best;
  };
  std::vector<std::pair<int, int>> near;
  for (int at = 0; at < size(); ++at) {
    const Folded& in = folded_[static_cast<std::size_t>(at)];
    int cost = 0;
    bool any = false;
    for (qsizetype word = 0; word < words.size(); ++word) {
      const int title = cost_in(word, in.title), others = cost_in(word, in.words);
      // A title that is near goes before another name that is.
      cost += std::min(4 * title, 4 * others + 1);
      any = any || std::min(title, others) < kNone;
    }
    const auto length = static_cast<int>(in.title.count(QLatin1Char(' ')));
    if (any) near.emplace_back((cost + ((*this)[at].minor ? kMinor : 0)) * 64 + std::min(length, 63), at);
  }
  if (near.empty()) return found;
  std::ranges::stable_sort(near, {}, [](const auto& each) { return each.first; });
  const int most = near.front().first / 64 + 2;
  found.nearest = near.front().second;
  found.count = 1;
  for (std::size_t i = 1; i < near.size() && near[i].first / 64 <= most && found.count < kMostNear; ++i) {
    const FindKind kind = (*this)[near[i].second].kind;
    auto group = std::ranges::find(found.groups, kind, &Found::Group::kind);
    if (group == found.groups.end()) group = found.groups.insert(group, {kind, {}, 0});
    if (group->entries.size() >= kNearOfGroup) continue;
    group->entries.push_back(near[i].second);
    ++group->all;
    ++found.count;
  }
  std::ranges::stable_sort(found.groups, {}, &Found::Group::kind);
  return found;
}

}  // namespace headlight
