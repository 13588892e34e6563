// A text that was typed as an answer, beside what is right: the same in another form is right, and of another text the
// letters that are right are known.
#pragma once

#include <QString>
#include <vector>

namespace headlight {

// As it is compared. The same are: capitals and small letters; digits and letters of any width; any dash as a hyphen; a
// date's digits with / . - or 年月日 between them; more or fewer spaces (none, where what is right has none); quotes
// around all of it; a full stop at the end of words. Everything else counts: 1983-8-23 is not 1983-08-23.
QString comparable(const QString& text, bool has_spaces);
bool is_same_answer(const QString& mine, const QString& truth);

struct TypedLetter {
  enum class Kind { right, wrong, missing } kind = Kind::right;
  QString letter;  // of a missing one: that which is right
  bool operator==(const TypedLetter&) const = default;
};
// Each letter of `mine`, and where one of `truth` is missing between them; with as few that are not right as possible.
std::vector<TypedLetter> typed_letters(const QString& mine, const QString& truth);

}  // namespace headlight
