// What a class writes with a word bank: short English sentences and their German, in which the verb changes its place:
// it comes behind "heute", and of the past its second part comes last. The right alignment is known. There are 6,912.
#include <algorithm>

#include "model/training/tasks/bilingual.h"
#include "model/training/tasks/draw.h"
#include "model/training/tasks/task.h"

namespace headlight {

namespace {

struct ClassWords {
  std::vector<std::string> english, german;
};
const std::vector<ClassWords> kWho = {{{"anna"}, {"anna"}},
                                      {{"tom"}, {"tom"}},
                                      {{"my", "brother"}, {"mein", "bruder"}},
                                      {{"our", "teacher"}, {"unsere", "lehrerin"}},
                                      {{"mia"}, {"mia"}},
                                      {{"paul"}, {"paul"}},
                                      {{"the", "girl"}, {"das", "mädchen"}},
                                      {{"the", "child"}, {"das", "kind"}}};
struct ClassVerb {
  const char *now, *then, *jetzt, *damals;  // "sees", "saw", "sieht", "gesehen"
};
const std::vector<ClassVerb> kActs = {
    {"sees", "saw", "sieht", "gesehen"},       {"buys", "bought", "kauft", "gekauft"},
    {"paints", "painted", "malt", "gemalt"},   {"finds", "found", "findet", "gefunden"},
    {"sells", "sold", "verkauft", "verkauft"}, {"brings", "brought", "bringt", "gebracht"}};
struct ClassWord {
  const char *english, *german;
};
const std::vector<ClassWord> kHow = {{"old", "alte"}, {"red", "rote"},   {"small", "kleine"},
                                     {"new", "neue"}, {"cold", "kalte"}, {"green", "grüne"}};
const std::vector<ClassWord> kWhat = {{"house", "haus"}, {"car", "auto"},    {"book", "buch"},  {"picture", "bild"},
                                      {"boat", "boot"},  {"horse", "pferd"}, {"bread", "brot"}, {"bicycle", "fahrrad"}};

Example draw_class_sentence(Random& random) {
  const ClassWords& who = pick(kWho, random);
  const std::uint32_t time = random.below(3);  // none, today, yesterday
  const ClassVerb& verb = pick(kActs, random);
  const ClassWord &how = pick(kHow, random), &what = pick(kWhat, random);
  int meaning = 0;
  Phrase subject, object, sentence;
  for (std::size_t i = 0; i < who.english.size(); ++i) {
    ++meaning;
    subject.source.emplace_back(who.english[i], meaning);
    subject.target.emplace_back(who.german[i], meaning);
  }
  for (const ClassWord& word : {ClassWord{"the", "das"}, how, what}) {
    ++meaning;
    object.source.emplace_back(word.english, meaning);
    object.target.emplace_back(word.german, meaning);
  }
  const int when = ++meaning, act = ++meaning;
  if (time > 0) {
    sentence.source.emplace_back(time == 1 ? "today" : "yesterday", when);
    sentence.target.emplace_back(time == 1 ? "heute" : "gestern", when);
    sentence.target.emplace_back(time == 1 ? verb.jetzt : "hat", act);
  }
  append(sentence.source, subject.source);
  sentence.source.emplace_back(time == 2 ? verb.then : verb.now, act);
  append(sentence.source, object.source);
  append(sentence.target, subject.target);
  if (time == 0) sentence.target.emplace_back(verb.jetzt, act);
  append(sentence.target, object.target);
  if (time == 2) sentence.target.emplace_back(verb.damals, act);
  return example_of(sentence);
}

}  // namespace

Task class_task() {
  std::vector<std::string> source = {"the", "today", "yesterday"}, target = {"das", "heute", "gestern", "hat"};
  const auto add = [](std::vector<std::string>& to, const std::string& word) {
    if (std::find(to.begin(), to.end(), word) == to.end()) to.push_back(word);
  };
  for (const ClassWords& who : kWho) {
    for (const std::string& word : who.english) add(source, word);
    for (const std::string& word : who.german) add(target, word);
  }
  for (const ClassVerb& verb : kActs) {
    for (const char* word : {verb.now, verb.then}) add(source, word);
    for (const char* word : {verb.jetzt, verb.damals}) add(target, word);
  }
  for (const auto* list : {&kHow, &kWhat})
    for (const ClassWord& word : *list) {
      add(source, word.english);
      add(target, word.german);
    }
  Task task{"class",
            "Sentences of a class",
            "Translates short English sentences into German, where the verb has another place: after 'heute' it comes "
            "second, and of what was yesterday its second part comes last.",
            rules_with_end(TokenizerKind::words, source, target, true),
            {"yesterday anna saw the old house", "today my brother buys the red car", "the girl finds the small book",
             "yesterday our teacher sold the green boat"},
            draw_class_sentence};
  task.text.source_eos = true;
  task.text.longest_source = 7;
  task.learned = learned_sentences(Learned::Kind::sentence, task.examples, "today anna sees the elephant");
  return task;
}

}  // namespace headlight
