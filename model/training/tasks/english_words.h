// The words of a small English that knows agreement, relative clauses and pronouns.
#pragma once

#include <string>
#include <vector>

namespace headlight::english {

// What nouns are, and so what can be done to them and said of them.
enum Sort : unsigned { kPerson = 1, kAnimal = 2, kThing = 4, kHolder = 8 /* has keys */, kAll = 7 };

struct Name {
  const char* word;
  char gender;  // 'f' or 'm'
};

struct Noun {
  const char *one, *many;
  char gender;  // 'f', 'm', 'n'
  unsigned sort;
};

struct Adjective {
  const char* word;
  unsigned sort;  // of which nouns it is said
};

struct Verb {
  const char *one, *many, *past;
  unsigned object;  // what it can be done to; 0: it has no object
  unsigned subject = kPerson;
  bool at_a_spot = false;  // "hides it under the bed", but not "carries it under the bed"
};

struct Place {
  const char *preposition, *noun;
};

const std::vector<Name>& names();
const std::vector<Noun>& nouns();
const std::vector<Adjective>& looks();      // size, age and colour: stand before a noun
const std::vector<Adjective>& qualities();  // are said of it: "the key is heavy"
const std::vector<Verb>& verbs();           // with an object
const std::vector<Verb>& doings();          // without
const std::vector<Place>& places();         // where somebody can be
const std::vector<Place>& spots();          // where a thing can be put
const std::vector<std::string>& times();    // of any tense: "in the morning"
// Every word that can be said, each once.
std::vector<std::string> all_words();

// The verbs that the grammar knows by name.
inline const Verb kBe{"is", "are", "", 0}, kGo{"goes", "go", "went", 0}, kGive{"gives", "give", "gave", kThing},
    kSay{"says", "say", "said", 0}, kThink{"thinks", "think", "thought", 0}, kDo{"does", "do", "did", 0};

}  // namespace headlight::english
