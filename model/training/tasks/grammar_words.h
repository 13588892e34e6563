// The words of the English-French grammar.
#pragma once

#include <string>
#include <vector>

namespace headlight::grammar {

// What nouns are, and so what can be done to them and said of them.
enum Sort : unsigned {
  kPerson = 1,
  kAnimal = 2,
  kText = 4,        // is read and signed
  kPlace = 8,       // is visited
  kThing = 16,      // is bought and sold
  kBuilding = 32,   // is built
  kOpening = 64,    // is opened and closed
  kAbstract = 128,  // policy, market
  kOwned = 256,     // "my friend", but not "my king"
};

struct Noun {
  const char *english, *english_plural, *french, *french_plural;
  char gender;  // 'm' or 'f'
  unsigned sort;
};

struct Adjective {
  const char* english;
  const char *m, *f, *m_plural, *f_plural;
  bool before;    // French places it before the noun
  int place;      // in English the higher one stands nearer to the noun
  unsigned sort;  // of nouns that it is said of
};

struct Verb {
  const char *english_singular, *english_base, *english_past, *english_participle;
  const char *french_singular, *french_plural, *french_participle;
  unsigned object;  // sorts of nouns
};

struct Month {
  const char *english, *french;
};

const std::vector<Noun>& nouns();
const std::vector<Adjective>& adjectives();
const std::vector<Verb>& verbs();
const std::vector<Month>& months();

}  // namespace headlight::grammar
