// A small invented language to translate into.
// models.md 8.1: adjectives change places with their noun and agree with it, two words become one, and in clauses the
// verb moves from the end to the middle. The right alignment is known.
#include "model/training/tasks/bilingual.h"
#include "model/training/tasks/draw.h"
#include "model/training/tasks/task.h"

namespace headlight {

namespace {

// Nouns that end in -a are feminine, in -o masculine; articles and adjectives agree.
struct Pair {
  const char *source, *target;
};
const std::vector<Pair> kBeings = {{"man", "omo"},  {"woman", "dama"}, {"girl", "nina"},  {"boy", "nino"},
                                   {"dog", "kano"}, {"cat", "gata"},   {"horse", "kavo"}, {"bird", "vola"}};
const std::vector<Pair> kThings = {{"house", "kasa"},    {"tree", "arbo"},        {"apple", "poma"},
                                   {"bread", "pano"},    {"garden", "jardo"},     {"book", "libro"},
                                   {"flower", "flora"},  {"river", "riva"},       {"letter", "karta"},
                                   {"picture", "bildo"}, {"apple tree", "pomero"}};
const std::vector<Pair> kAdjectives = {{"red", "ros"},  {"big", "grand"}, {"small", "pik"},   {"old", "vek"},
                                       {"new", "nov"},  {"black", "ner"}, {"white", "blank"}, {"good", "bon"},
                                       {"tall", "alt"}, {"young", "jun"}};
const std::vector<Pair> kVerbs = {{"sees", "veda"},   {"likes", "ama"},    {"finds", "trova"},  {"buys", "kompra"},
                                  {"draws", "traca"}, {"knows", "konosa"}, {"wants", "desira"}, {"shows", "montra"}};
const std::vector<Pair> kSayings = {{"says", "dixa"}, {"thinks", "pensa"}, {"hopes", "spera"}};
const std::vector<Pair> kLinks = {{"that", "ke"}, {"because", "porke"}, {"when", "kando"}};
const std::vector<Pair> kAdverbs = {{"today", "oji"}, {"here", "aki"}, {"often", "sovente"}, {"again", "ankora"}};

class ToySentence {
 public:
  explicit ToySentence(Random& random) : random_(random) {}

  Example draw() {
    Phrase sentence = noun_phrase(kBeings);
    switch (random_.below(4)) {
      case 0: {  // the girl says that the dog the red apple sees -> ... ke lo kano veda la poma rosa
        add(sentence, word(pick(kSayings, random_)));
        add(sentence, word(kLinks[0]));
        add(sentence, clause(noun_phrase(kBeings), true));
        break;
      }
      case 1: {  // ... because the dog the red apple sees
        sentence = clause(std::move(sentence), false);
        add(sentence, word(kLinks[1 + random_.below(2)]));
        add(sentence, clause(noun_phrase(kBeings), true));
        break;
      }
      default:
        sentence = clause(std::move(sentence), false);
        if (chance(0.4, random_)) add(sentence, word(pick(kAdverbs, random_)));
    }
    return example_of(sentence);
  }

 private:
  static void add(Phrase& to, const Phrase& more) {
    append(to.source, more.source);
    append(to.target, more.target);
  }
  Phrase word(const Pair& pair) {
    const int meaning = ++meaning_;
    return {{{pair.source, meaning}}, {{pair.target, meaning}}};
  }

  Phrase noun_phrase(const std::vector<Pair>& nouns) {
    const Pair& noun = pick(nouns, random_);
    const std::string target = noun.target, ending(1, target.back());
    const bool definite = chance(0.65, random_);
    const Pair article = definite ? Pair{"the", ending == "a" ? "la" : "lo"} : Pair{"a", ending == "a" ? "una" : "uno"};
    Phrase phrase = word(article), adjectives;
    const std::uint32_t count = random_.below(10);
    for (std::uint32_t i = 0, last = 99; i < (count < 4 ? 0 : count < 8 ? 1 : 2); ++i) {
      std::uint32_t which = random_.below(static_cast<std::uint32_t>(kAdjectives.size()));
      if (which == last) which = (which + 1) % static_cast<std::uint32_t>(kAdjectives.size());
      last = which;
      const Phrase adjective = word(kAdjectives[which]);
      append(adjectives.source, adjective.source);
      // The adjective that stands nearest to the noun stays nearest: the order turns round.
      adjectives.target.insert(adjectives.target.begin(),
                               {adjective.target[0].first + ending, adjective.target[0].second});
    }
    append(phrase.source, adjectives.source);
    const int meaning = ++meaning_;
    const std::string source = noun.source;
    const std::size_t space = source.find(' ');
    phrase.source.emplace_back(source.substr(0, space), meaning);
    if (space != std::string::npos) phrase.source.emplace_back(source.substr(space + 1), meaning);  // two words, one
    phrase.target.emplace_back(target, meaning);
    append(phrase.target, adjectives.target);
    return phrase;
  }

  // Subject, verb, object; in the source the verb of a dependent clause comes last, and "not" stands after the verb of
  // a main clause.
  Phrase clause(Phrase subject, bool dependent) {
    const Phrase verb = word(pick(kVerbs, random_)), object = noun_phrase(chance(0.25, random_) ? kBeings : kThings);
    const Phrase no = chance(0.15, random_) ? word({"not", "no"}) : Phrase{};
    append(subject.target, no.target);
    append(subject.target, verb.target);
    append(subject.target, object.target);
    if (dependent) {
      append(subject.source, object.source);
      append(subject.source, no.source);
      append(subject.source, verb.source);
    } else {
      append(subject.source, verb.source);
      append(subject.source, no.source);
      append(subject.source, object.source);
    }
    return subject;
  }

  Random& random_;
  int meaning_ = 0;
};

}  // namespace

Task toy_mt_task() {
  std::vector<std::string> source = {"the", "a", "not"}, target = {"lo", "la", "uno", "una", "no"};
  for (const auto* list : {&kBeings, &kThings, &kVerbs, &kSayings, &kLinks, &kAdverbs})
    for (const Pair& pair : *list) {
      if (std::string(pair.source).find(' ') == std::string::npos) source.emplace_back(pair.source);
      target.emplace_back(pair.target);
    }
  for (const Pair& adjective : kAdjectives) {
    source.emplace_back(adjective.source);
    for (const char* ending : {"o", "a"}) target.emplace_back(std::string(adjective.target) + ending);
  }
  Task task{"toy_mt",
            "A small language",
            "Translates from English words in an order of their own (in clauses after 'that', 'because' and 'when' the "
            "verb comes last) into an invented language, where adjectives follow their noun and agree with it.",
            rules_with_end(TokenizerKind::words, source, target, true),
            {"the girl sees the big red house", "the man says that the dog the white cat sees",
             "a boy finds not the old apple tree today", "the woman buys a book because the girl a letter wants"},
            [](Random& random) { return ToySentence(random).draw(); }};
  task.text.source_eos = true;
  task.text.longest_source = 23;
  task.learned = learned_sentences(Learned::Kind::sentence, task.examples, "the girl sees the elephant");
  return task;
}

}  // namespace headlight
