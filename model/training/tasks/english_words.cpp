#include "model/training/tasks/english_words.h"

#include <set>

#include "model/text/words.h"

namespace headlight::english {

const std::vector<Name>& names() {
  static const std::vector<Name> rows = {{"anna", 'f'}, {"mary", 'f'},  {"lucy", 'f'},  {"emma", 'f'},
                                         {"nina", 'f'}, {"clara", 'f'}, {"tom", 'm'},   {"peter", 'm'},
                                         {"jack", 'm'}, {"paul", 'm'},  {"david", 'm'}, {"oscar", 'm'}};
  return rows;
}

const std::vector<Noun>& nouns() {
  static const std::vector<Noun> rows = {
      {"girl", "girls", 'f', kPerson},      {"woman", "women", 'f', kPerson},
      {"queen", "queens", 'f', kPerson},    {"sister", "sisters", 'f', kPerson},
      {"boy", "boys", 'm', kPerson},        {"man", "men", 'm', kPerson},
      {"king", "kings", 'm', kPerson},      {"brother", "brothers", 'm', kPerson},
      {"dog", "dogs", 'n', kAnimal},        {"cat", "cats", 'n', kAnimal},
      {"horse", "horses", 'n', kAnimal},    {"bird", "birds", 'n', kAnimal},
      {"fox", "foxes", 'n', kAnimal},       {"rabbit", "rabbits", 'n', kAnimal},
      {"key", "keys", 'n', kThing},         {"box", "boxes", 'n', kThing | kHolder},
      {"letter", "letters", 'n', kThing},   {"book", "books", 'n', kThing},
      {"picture", "pictures", 'n', kThing}, {"lamp", "lamps", 'n', kThing},
      {"hat", "hats", 'n', kThing},         {"apple", "apples", 'n', kThing},
      {"flower", "flowers", 'n', kThing},   {"coin", "coins", 'n', kThing},
      {"map", "maps", 'n', kThing},         {"cup", "cups", 'n', kThing},
      {"ball", "balls", 'n', kThing},       {"bell", "bells", 'n', kThing},
      {"basket", "baskets", 'n', kThing},   {"cabinet", "cabinets", 'n', kHolder},
      {"door", "doors", 'n', kHolder},      {"house", "houses", 'n', kHolder},
  };
  return rows;
}

const std::vector<Adjective>& looks() {
  static const std::vector<Adjective> rows = {{"old", kAll | kHolder},
                                              {"small", kAll | kHolder},
                                              {"big", kAll | kHolder},
                                              {"young", kPerson | kAnimal},
                                              {"new", kThing | kHolder},
                                              {"red", kThing | kHolder},
                                              {"green", kThing | kHolder},
                                              {"blue", kThing},
                                              {"white", kThing | kAnimal | kHolder},
                                              {"black", kThing | kAnimal | kHolder}};
  return rows;
}

const std::vector<Adjective>& qualities() {
  static const std::vector<Adjective> rows = {{"happy", kPerson | kAnimal},
                                              {"sad", kPerson},
                                              {"tired", kPerson | kAnimal},
                                              {"hungry", kPerson | kAnimal},
                                              {"angry", kPerson},
                                              {"late", kPerson},
                                              {"heavy", kThing},
                                              {"broken", kThing},
                                              {"clean", kThing},
                                              {"expensive", kThing},
                                              {"beautiful", kThing},
                                              {"useful", kThing}};
  return rows;
}

const std::vector<Verb>& verbs() {
  constexpr unsigned kAlive = kPerson | kAnimal;
  static const std::vector<Verb> rows = {
      {"sees", "see", "saw", kAll, kAlive, true},
      {"finds", "find", "found", kAll, kAlive, true},
      {"likes", "like", "liked", kAll, kAlive},
      {"follows", "follow", "followed", kAlive, kAlive},
      {"watches", "watch", "watched", kAlive, kAlive},
      {"hears", "hear", "heard", kAlive, kAlive},
      {"wants", "want", "wanted", kThing | kAnimal},
      {"carries", "carry", "carried", kThing | kAnimal},
      {"draws", "draw", "drew", kAll},
      {"buys", "buy", "bought", kThing | kAnimal},
      {"sells", "sell", "sold", kThing | kAnimal},
      {"loses", "lose", "lost", kThing, kPerson, true},
      {"hides", "hide", "hid", kThing, kPerson, true},
      {"takes", "take", "took", kThing},
      {"brings", "bring", "brought", kThing | kAnimal},
      {"feeds", "feed", "fed", kAnimal},
      {"meets", "meet", "met", kPerson},
      {"knows", "know", "knew", kPerson},
      {"remembers", "remember", "remembered", kAll},
  };
  return rows;
}

const std::vector<Verb>& doings() {
  constexpr unsigned kAlive = kPerson | kAnimal;
  static const std::vector<Verb> rows = {
      {"sleeps", "sleep", "slept", 0, kAlive},   {"waits", "wait", "waited", 0, kAlive},
      {"runs", "run", "ran", 0, kAlive},         {"sits", "sit", "sat", 0, kAlive},
      {"plays", "play", "played", 0, kAlive},    {"lives", "live", "lived", 0, kAlive},
      {"sings", "sing", "sang", 0, kPerson},     {"laughs", "laugh", "laughed", 0, kPerson},
      {"dances", "dance", "danced", 0, kPerson}, {"works", "work", "worked", 0, kPerson},
  };
  return rows;
}

const std::vector<Place>& places() {
  static const std::vector<Place> rows = {{"in", "garden"}, {"in", "kitchen"}, {"in", "forest"},  {"in", "village"},
                                          {"in", "school"}, {"at", "market"},  {"at", "station"}, {"near", "river"},
                                          {"on", "bridge"}, {"on", "hill"},    {"in", "street"},  {"behind", "church"}};
  return rows;
}

const std::vector<Place>& spots() {
  static const std::vector<Place> rows = {{"on", "table"},    {"under", "bed"},   {"in", "drawer"},  {"behind", "door"},
                                          {"on", "shelf"},    {"under", "chair"}, {"in", "cabinet"}, {"near", "window"},
                                          {"behind", "tree"}, {"in", "bag"}};
  return rows;
}

const std::vector<std::string>& times() {
  static const std::vector<std::string> rows = {"in the morning", "in the evening", "at night",  "at noon",
                                                "in winter",      "in summer",      "on monday", "on sunday"};
  return rows;
}

std::vector<std::string> all_words() {
  std::set<std::string> words = {"a",  "an", "the",  "two", "three", "many",  "some", "and", "who",    "that",
                                 "to", "of", "from", "he",  "she",   "it",    "they", "him", "her",    "them",
                                 ".",  "is", "are",  "was", "were",  "there", "then", "not", "because"};
  for (const Name& name : names()) words.insert(name.word);
  for (const Noun& noun : nouns()) words.insert({noun.one, noun.many});
  for (const auto* rows : {&looks(), &qualities()})
    for (const Adjective& adjective : *rows) words.insert(adjective.word);
  for (const auto* rows : {&verbs(), &doings()})
    for (const Verb& verb : *rows) words.insert({verb.one, verb.many, verb.past});
  for (const Verb& verb : {kGo, kGive, kSay, kThink, kDo}) words.insert({verb.one, verb.many, verb.past});
  for (const auto* rows : {&places(), &spots()})
    for (const Place& place : *rows) words.insert({place.preposition, place.noun});
  for (const std::string& time : times())
    for (const Word& word : split_words(time)) words.insert(time.substr(word.begin, word.end - word.begin));
  return {words.begin(), words.end()};
}

}  // namespace headlight::english
