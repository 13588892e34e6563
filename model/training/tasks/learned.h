// What the examples of a task are like: which texts its models have learned to read, what is right for a text, and what
// a text lacks to be one of them. Each task says it in its own file, from the tables that its examples are drawn from
// (tests/model/test_learned.cpp holds every drawn example against it).
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace headlight {

// Why a text is none that the task could have drawn.
enum class Misfit {
  none,
  unfinished,  // the beginning of one
  form,        // none of its forms
  other,       // nothing of the kind, in no form
  day,         // a date that no calendar has
  weekday,     // of another date
  year         // outside of the years that it draws
};

struct Learned {
  enum class Kind { unknown, date, sum, digits, characters, grid, sentence, pairs, story, hidden_words };
  struct Text {
    std::string text, right;  // empty: nobody can say what is right
  };
  Kind kind = Kind::unknown;
  int first = 0, last = 0;  // years; digits of a number; lengths
  int forms = 0;            // in which a date is written
  // Why the text is none of them; empty: of sentences the vocabulary alone says that.
  std::function<Misfit(const std::string& text)> misfit = {};
  // Texts to try, the most telling first: in other forms than `like` what that one says, where it is one of them.
  std::function<std::vector<Text>(const std::string& like)> tries = {};
  // A text that is none of them.
  std::function<Text(const std::string& like)> beyond = {};
};

// By the name of a task; of one that is not known here, the kind is unknown.
const Learned& learned_by(const std::string& task);

}  // namespace headlight
