// Texts that people and programs really paste, and worse: what every field, view, file and argument has to take.
#pragma once

#include <QChar>
#include <QList>
#include <QString>
#include <array>

namespace headlight::testing {

struct OddText {
  const char* name;
  QString text;
};

// The first and the last character of every general category of Unicode.
inline QString one_of_every_category() {
  std::array<std::array<char32_t, 2>, 30> found{};
  for (char32_t c = 1; c <= 0x10ffff; ++c) {
    auto& [first, last] = found[static_cast<std::size_t>(QChar::category(c))];
    if (first == 0) first = c;
    last = c;
  }
  QString text;
  for (const auto& both : found)
    for (const char32_t c : both)
      if (c != 0) text += QString::fromUcs4(&c, 1);
  return text;
}

inline QList<OddText> odd_texts() {
  QString halves = "5/5/99 ";
  for (const int half : {0xd800, 0xdbff, 0xdc00, 0xdfff, 0xd83d}) halves += QChar(half);
  return {
      {"a mark of the byte order within", QStringLiteral("5/5\ufeff/99")},
      {"a mark of the byte order in front", QStringLiteral("\ufeff5/5/99")},
      {"nothing but a mark of the byte order", QStringLiteral("\ufeff")},
      {"every category", one_of_every_category()},
      {"no characters", QStringLiteral("5\ufffe/\uffff5 \U0001fffe\U0010ffff \ufdd0")},
      {"halves of characters", halves},
      {"a hundred marks on a letter", "e" + QString(100, QChar(0x301)) + " 5"},
      {"a mark alone", QStringLiteral("\u0301 5")},
      {"bidi", QStringLiteral("\u202ea 5\u202c \u2066\u05e9\u05dc\u2069 \u200f\u061c \u0663")},
      {"zero width", QStringLiteral("a\u200bb\u200cc\u200dd\u2060 \u200d")},
      {"emoji", QStringLiteral("\U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f1e9 \u2764\ufe0f\ufe0f \U0001f3fd")},
      {"zeros and controls", QStringLiteral("5\0/5\x1b[31m\x7f\u0085\n\t\r99").leftJustified(20)},
      {"lines", QStringLiteral("a\u2028b\u2029c\v\f5")},
      {"one long word", QString(4000, 'x')},
      {"looks like rich text", "<b>5</b> &amp; <img src=\"x\"> %1 %2 %n &Amp"},
      {"spaces", QStringLiteral(" \u00a0\u3000  ")},
  };
}

}  // namespace headlight::testing
