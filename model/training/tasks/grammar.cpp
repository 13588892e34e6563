// English sentences and their French translations, from a grammar of our own.
// Order and agreement of adjectives, elision, negation, pronouns before the verb, the passive, dates: what makes
// alignments cross, as in "the european economic area" -> "la zone économique européenne" (Bahdanau et al. 2015, figure
// 3). The right alignment is known.
#include <algorithm>
#include <set>

#include "model/text/utf8.h"
#include "model/training/tasks/bilingual.h"
#include "model/training/tasks/draw.h"
#include "model/training/tasks/grammar_words.h"
#include "model/training/tasks/task.h"

namespace headlight {

namespace {

using grammar::Adjective;
using grammar::Noun;
using grammar::Verb;

struct Person {
  const char *english, *french;
  bool feminine, plural;
};
const std::vector<Person> kSubjects = {
    {"he", "il", false, false}, {"she", "elle", true, false}, {"they", "ils", false, true}};
const std::vector<Person> kObjects = {
    {"him", "le", false, false}, {"her", "la", true, false}, {"them", "les", false, true}};

// Every h of these words is mute.
bool starts_with_vowel(const std::string& word) {
  const std::string first = word.substr(0, std::max<std::size_t>(1, code_point_length(word, 0)));
  static const std::set<std::string> vowels = {"a", "e", "i", "o", "u", "h", "é", "è", "ê", "â", "î", "ô", "û"};
  return vowels.count(first) > 0;
}
std::string elided(const std::string& word, const std::string& next) {
  return starts_with_vowel(next) ? word.substr(0, word.size() - 1) + "'" : word;
}
std::string article_of(const std::string& next) {
  return std::string("aeiou").find(next[0]) != std::string::npos && !next.starts_with("eu") ? "an" : "a";
}
const char* agreeing(const Adjective& a, bool feminine, bool plural) {
  return plural ? (feminine ? a.f_plural : a.m_plural) : (feminine ? a.f : a.m);
}
std::string participle(const Verb& verb, bool feminine, bool plural) {
  return std::string(verb.french_participle) + (feminine ? "e" : "") + (plural ? "s" : "");
}

// A group around a noun, or a pronoun.
struct Nominal : Phrase {
  bool feminine = false, plural = false;
  unsigned sort = 0;  // of the noun
};

enum Determiner : unsigned { kThe = 1, kA = 2, kThis = 4, kMy = 8, kTwo = 16, kAnyDeterminer = 31 };

class Sentence {
 public:
  explicit Sentence(Random& random) : random_(random) {}

  Example draw() {
    const std::uint32_t kind = random_.below(100);
    Phrase sentence = kind < 24   ? statement()
                      : kind < 46 ? passive()
                      : kind < 58 ? negation()
                      : kind < 72 ? copula()
                      : kind < 82 ? pronoun()
                                  : past();
    both(sentence, ".", ".");
    return example_of(sentence);
  }

 private:
  void both(Phrase& to, const std::string& english, const std::string& french) {
    const int meaning = ++meaning_;
    to.source.emplace_back(english, meaning);
    to.target.emplace_back(french, meaning);
  }
  static void add(Phrase& to, const Phrase& more) {
    append(to.source, more.source);
    append(to.target, more.target);
  }

  // Those that are, or are said of, one of these sorts.
  template <class Row>
  static std::vector<const Row*> of_sorts(const std::vector<Row>& rows, unsigned sorts) {
    std::vector<const Row*> fitting;
    for (const Row& row : rows)
      if (row.sort & sorts) fitting.push_back(&row);
    return fitting;
  }
  static std::vector<const Adjective*> said_of(unsigned sort) { return of_sorts(grammar::adjectives(), sort); }

  // One or two adjectives that are said of such nouns, in English order; of two, at most one stands before the noun in
  // French.
  std::vector<const Adjective*> qualities(const Noun& noun, int most) {
    const std::vector<const Adjective*> fitting = said_of(noun.sort & ~static_cast<unsigned>(grammar::kOwned));
    std::vector<const Adjective*> chosen;
    const std::uint32_t draw = random_.below(20);
    const int count = std::min(most, draw < 7 ? 0 : draw < 14 ? 1 : 2);
    if (count == 0 || fitting.empty()) return chosen;
    chosen.push_back(pick(fitting, random_));
    if (count == 2) {
      const Adjective* other = pick(fitting, random_);
      if (other->place != chosen[0]->place && !(other->before && chosen[0]->before)) chosen.push_back(other);
    }
    std::sort(chosen.begin(), chosen.end(), [](const auto* a, const auto* b) { return a->place < b->place; });
    return chosen;
  }

  Determiner determiner(const Noun& noun, unsigned allowed) {
    for (;;) {
      const std::uint32_t draw = random_.below(100);
      const Determiner chosen = draw < 45 ? kThe : draw < 70 ? kA : draw < 82 ? kThis : draw < 92 ? kMy : kTwo;
      if ((chosen & allowed) && (chosen != kMy || (noun.sort & grammar::kOwned))) return chosen;
    }
  }

  // Determiner, adjectives and noun: "a young american actress" -> "une jeune actrice américaine".
  Nominal group(unsigned sorts, int most_adjectives = 2, unsigned allowed = kAnyDeterminer) {
    const Noun& head = *pick(of_sorts(grammar::nouns(), sorts), random_);
    const std::vector<const Adjective*> chosen = qualities(head, most_adjectives);
    const Determiner which = determiner(head, allowed);
    Nominal group;
    group.feminine = head.gender == 'f';
    group.sort = head.sort & ~static_cast<unsigned>(grammar::kOwned);
    group.plural = which == kTwo || (which != kA && chance(0.25, random_));
    Phrase rest;
    Marked after;
    for (const Adjective* adjective : chosen) {
      const int meaning = ++meaning_;
      rest.source.emplace_back(adjective->english, meaning);
      const std::string word = agreeing(*adjective, group.feminine, group.plural);
      // Those that follow the noun stand in the opposite order.
      if (adjective->before) {
        rest.target.emplace_back(word, meaning);
      } else {
        after.insert(after.begin(), {word, meaning});
      }
    }
    both(rest, group.plural ? head.english_plural : head.english, group.plural ? head.french_plural : head.french);
    append(rest.target, after);
    determine(group, which, rest.source[0].first, rest.target[0].first);
    add(group, rest);
    return group;
  }

  void determine(Nominal& group, Determiner which, const std::string& english_next, const std::string& next) {
    const bool f = group.feminine, plural = group.plural, vowel = starts_with_vowel(next);
    switch (which) {
      case kThe:
        return both(group, "the", plural ? "les" : elided(f ? "la" : "le", next));
      case kA:
        return both(group, article_of(english_next), f ? "une" : "un");
      case kThis:
        return both(group, plural ? "these" : "this", plural ? "ces" : f ? "cette" : vowel ? "cet" : "ce");
      case kMy:
        return both(group, "my", plural ? "mes" : f && !vowel ? "ma" : "mon");
      default:
        return both(group, "two", "deux");
    }
  }

  Nominal subject() {
    if (chance(0.35, random_)) {
      const Person& person = pick(kSubjects, random_);
      Nominal nominal;
      nominal.feminine = person.feminine;
      nominal.plural = person.plural;
      both(nominal, person.english, person.french);
      return nominal;
    }
    return group(grammar::kPerson, 1);
  }

  // "in august 1992" -> "en août 1992", "on 14 july 1992" -> "le 14 juillet 1992".
  void add_date(Phrase& to) {
    const grammar::Month& month = pick(grammar::months(), random_);
    const std::string year = std::to_string(1950 + random_.below(80));
    const double kind = random_.uniform();
    if (kind < 0.3) {
      const std::string day = std::to_string(2 + random_.below(27));
      both(to, "on", "le");
      both(to, day, day);
    } else {
      both(to, "in", "en");
    }
    if (kind < 0.75) both(to, month.english, month.french);
    both(to, year, year);
  }

  Phrase statement() {
    Nominal sentence = subject();
    const Verb& verb = pick(grammar::verbs(), random_);
    both(sentence, sentence.plural ? verb.english_base : verb.english_singular,
         sentence.plural ? verb.french_plural : verb.french_singular);
    add(sentence, group(verb.object));
    return sentence;
  }

  // "he does not see the dog" -> "il ne voit pas le chien". (After "pas", "un" would become "de".)
  Phrase negation() {
    Nominal sentence = subject();
    const Verb& verb = pick(grammar::verbs(), random_);
    const std::string french = sentence.plural ? verb.french_plural : verb.french_singular;
    const int no = ++meaning_, doing = ++meaning_;
    append(sentence.source, {{sentence.plural ? "do" : "does", 0}, {"not", no}, {verb.english_base, doing}});
    append(sentence.target, {{elided("ne", french), no}, {french, doing}, {"pas", no}});
    add(sentence, group(verb.object, 2, kThe | kThis | kMy));
    return sentence;
  }

  // "they saw the bridge" -> "ils ont vu le pont".
  Phrase past() {
    Nominal sentence = subject();
    const Verb& verb = pick(grammar::verbs(), random_);
    const int doing = ++meaning_;
    sentence.source.emplace_back(verb.english_past, doing);
    append(sentence.target, {{sentence.plural ? "ont" : "a", doing}, {verb.french_participle, doing}});
    add(sentence, group(verb.object));
    if (chance(0.5, random_)) add_date(sentence);
    return sentence;
  }

  // "she likes him" -> "elle l'aime".
  Phrase pronoun() {
    Nominal sentence = subject();
    const Verb* verb = nullptr;
    do {
      verb = &pick(grammar::verbs(), random_);
    } while (!(verb->object & grammar::kPerson));
    const std::string french = sentence.plural ? verb->french_plural : verb->french_singular;
    const Person& object = pick(kObjects, random_);
    const int doing = ++meaning_, whom = ++meaning_;
    append(sentence.source,
           {{sentence.plural ? verb->english_base : verb->english_singular, doing}, {object.english, whom}});
    append(sentence.target, {{object.plural ? object.french : elided(object.french, french), whom}, {french, doing}});
    return sentence;
  }

  // "the agreement on the european economic area was signed in august 1992"
  Phrase passive() {
    const Verb* verb = nullptr;
    do {
      verb = &pick(grammar::verbs(), random_);
    } while (verb->french_participle == std::string("voulu"));
    const bool about = verb->object & grammar::kText && chance(0.5, random_);
    Nominal sentence = group(about ? static_cast<unsigned>(grammar::kText) : verb->object);
    if (about) {
      both(sentence, "on", "sur");
      add(sentence, group(grammar::kAbstract, 2, kThe));
    }
    const bool plural = sentence.plural;
    const int was = ++meaning_;
    sentence.source.emplace_back(plural ? "were" : "was", was);
    append(sentence.target, {{plural ? "ont" : "a", was}, {"été", was}});
    both(sentence, verb->english_participle, participle(*verb, sentence.feminine, plural));
    if (chance(0.35, random_)) {
      both(sentence, "by", "par");
      add(sentence, group(grammar::kPerson, 1));
    }
    if (chance(0.6, random_)) add_date(sentence);
    return sentence;
  }

  // "these doors are green" -> "ces portes sont vertes"
  Phrase copula() {
    const unsigned sorts = grammar::kAnimal | grammar::kPlace | grammar::kThing | grammar::kBuilding;
    Nominal sentence = group(chance(0.3, random_) ? grammar::kPerson : sorts, 1, kThe | kThis | kMy | kTwo);
    both(sentence, sentence.plural ? "are" : "is", sentence.plural ? "sont" : "est");
    std::vector<const Adjective*> fitting;
    for (const Adjective* row : said_of(sentence.sort)) {
      const auto is_this = [&](const auto& word) { return word.first == row->english; };
      // "the bank is economic" is no good sentence.
      if (row->place < 3 && std::none_of(sentence.source.begin(), sentence.source.end(), is_this))
        fitting.push_back(row);
    }
    const Adjective& quality = *pick(fitting, random_);
    both(sentence, quality.english, agreeing(quality, sentence.feminine, sentence.plural));
    return sentence;
  }

  Random& random_;
  int meaning_ = 0;
};

// Every word that the grammar can say.
struct Lexicon {
  std::set<std::string> source = {"the", "a",   "an",   "this", "these", "my", "two", "do", "does",
                                  "not", "was", "were", "is",   "are",   "by", "on",  "in", "."};
  std::set<std::string> target = {"le",  "la",  "l'",  "les",  "un",   "une", "ce", "cet", "cette",
                                  "ces", "mon", "ma",  "mes",  "deux", "ne",  "n'", "pas", "a",
                                  "ont", "été", "est", "sont", "par",  "sur", "en", "."};
  Lexicon() {
    for (const Noun& n : grammar::nouns()) {
      source.insert({n.english, n.english_plural});
      target.insert({n.french, n.french_plural});
    }
    for (const Adjective& a : grammar::adjectives()) {
      source.insert(a.english);
      target.insert({a.m, a.f, a.m_plural, a.f_plural});
    }
    for (const Verb& v : grammar::verbs()) {
      source.insert({v.english_singular, v.english_base, v.english_past, v.english_participle});
      target.insert({v.french_singular, v.french_plural});
      for (const bool feminine : {false, true})
        for (const bool plural : {false, true}) target.insert(participle(v, feminine, plural));
    }
    for (const auto* people : {&kSubjects, &kObjects})
      for (const Person& p : *people) {
        source.insert(p.english);
        target.insert(p.french);
      }
    for (const grammar::Month& m : grammar::months()) {
      source.insert(m.english);
      target.insert(m.french);
    }
    for (int n = 2; n <= 28; ++n) numbers(n);
    for (int year = 1950; year < 2030; ++year) numbers(year);
  }
  void numbers(int n) {
    source.insert(std::to_string(n));
    target.insert(std::to_string(n));
  }
};

}  // namespace

Task grammar_task() {
  const Lexicon lexicon;
  Task task{"grammar",
            "English to French",
            "Translates simple English sentences into French: adjectives move behind their noun and agree with it, "
            "pronouns stand before the verb, 'not' becomes two words.",
            rules_with_end(TokenizerKind::words, {lexicon.source.begin(), lexicon.source.end()},
                           {lexicon.target.begin(), lexicon.target.end()}, true),
            {"the agreement on the european economic area was signed in august 1992.",
             "she does not like the small black dog.", "they see him.", "the young american actress bought a red car.",
             "these doors are green."},
            [](Random& random) { return Sentence(random).draw(); }};
  task.text.source_eos = true;
  task.text.longest_source = 20;
  task.learned = learned_sentences(Learned::Kind::sentence, task.examples, "she sees the old elephant.");
  return task;
}

}  // namespace headlight
