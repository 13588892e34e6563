// What can be found by its name, and how: pure data and a pure ranking, without widgets.
//
// A title counts for more than what stands beside it, that more than what else a thing is called, and a sentence about
// it least. What explains a word stands before what one does with it, and the insides of a run stand last. Words stand
// in any order, the beginning of each is enough; capitals, accents and signs do not matter.
// Chinese has no spaces: there a word is found inside of another. Where nothing has all the words, the nearest is
// offered.
#pragma once

#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>
#include <utility>
#include <vector>

namespace headlight {

// In the order of the groups.
enum class FindKind { lesson, picture, glossary, action, setting, model, token, number };

struct FindEntry {
  FindKind kind = FindKind::action;
  QString title, second;  // at the left of its row, and at the right
  QString words;          // what else it is called, in any language
  QString text;           // sentences about it
  QString off;            // why it cannot be had now; empty: it can
  QString id;             // of what opens, in the terms of its kind
  int at = -1;            // the step of a lesson, the entry of a trace, the place of a token
  bool minor = false;     // shown only when it is asked for, behind the others of its kind
};

struct Found {
  struct Group {
    FindKind kind = FindKind::action;
    std::vector<int> entries;  // the best first, as many as are shown
    int all = 0;
  };
  std::vector<Group> groups;
  int nearest = -1;  // nothing has the name: the entry that is nearest to it; the groups hold the others that are near
  int count = 0;     // of all that was found, or is near
};

class FindIndex {
 public:
  FindIndex() = default;
  explicit FindIndex(std::vector<FindEntry> entries);
  const FindEntry& operator[](int i) const { return entries_[static_cast<std::size_t>(i)]; }
  int size() const { return static_cast<int>(entries_.size()); }
  // Of nothing typed: something of each kind, so that one sees what there is.
  Found find(const QString& typed) const;

 private:
  // As folded() makes them.
  struct Folded {
    QString title, second, words, text;
  };
  Found first_ones() const;
  Found near(const QStringList& words) const;

  std::vector<FindEntry> entries_;
  std::vector<Folded> folded_;
};

// In small letters, without accents and signs, each word behind a space: " multi head attention". Where letters meet
// Chinese characters a word ends.
QString folded(const QString& text);
// The parts of a title that were typed: places and lengths.
QList<std::pair<int, int>> found_parts(const QString& title, const QString& typed);

}  // namespace headlight
