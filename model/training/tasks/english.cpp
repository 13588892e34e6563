#include "model/training/tasks/english.h"

#include <algorithm>
#include <optional>

#include "model/core/ascii.h"
#include "model/training/tasks/draw.h"
#include "model/training/tasks/english_words.h"

namespace headlight::english {

namespace {

// Somebody or something that the text speaks of.
struct Who {
  Sentence first, again;  // "two small keys", then "the keys"
  bool plural = false;
  char gender = 'n';
  unsigned sort = kThing;
};

void add(Sentence& to, const Sentence& more) { to.insert(to.end(), more.begin(), more.end()); }

Sentence joined(std::initializer_list<Sentence> parts) {
  Sentence all;
  for (const Sentence& part : parts) add(all, part);
  return all;
}

bool starts_with_vowel(const std::string& word) { return std::string("aeiou").find(word[0]) != std::string::npos; }

std::string subject_pronoun(const Who& who) {
  return who.plural ? "they" : who.gender == 'f' ? "she" : who.gender == 'm' ? "he" : "it";
}
std::string object_pronoun(const Who& who) {
  return who.plural ? "them" : who.gender == 'f' ? "her" : who.gender == 'm' ? "him" : "it";
}

class Teller {
 public:
  explicit Teller(Random& random) : random_(random), past_(chance(0.35, random)) {}

  std::vector<Sentence> tell(int sentences) {
    std::vector<Sentence> text;
    const std::uint32_t opening = random_.below(100);
    for (int s = 0; s < sentences; ++s) {
      const int kind = s == 0 ? 0 : unused_kind();
      const State before = state_;
      Sentence sentence;
      do {
        state_ = before;
        sentence = s == 0 ? open(opening) : go_on(kind);
      } while (sentence.size() < kShortestSentence || sentence.size() > kLongestSentence);
      sentence.emplace_back(".");
      text.push_back(std::move(sentence));
    }
    return text;
  }

 private:
  struct State {
    std::optional<Who> hero, other, object;  // none: not in the text so far
  };

  template <class Row>
  const Row& pick_if(const std::vector<Row>& rows, auto fits) {
    std::vector<const Row*> fitting;
    for (const Row& row : rows)
      if (fits(row)) fitting.push_back(&row);
    return *pick(fitting, random_);
  }

  // ---- Words that agree ----

  std::string form(const Verb& verb, bool plural) const {
    if (&verb == &kBe) return past_ ? (plural ? "were" : "was") : plural ? verb.many : verb.one;
    return past_ ? verb.past : plural ? verb.many : verb.one;
  }
  const Verb& verb(unsigned subject, unsigned object) {
    return pick_if(verbs(), [&](const Verb& v) { return (v.subject & subject) && (v.object & object); });
  }
  std::string quality(unsigned sort) {
    return pick_if(qualities(), [&](const Adjective& a) { return (a.sort & sort) != 0; }).word;
  }
  Sentence somewhere(const std::vector<Place>& where) {
    const Place& place = pick(where, random_);
    return {place.preposition, "the", place.noun};
  }
  Sentence place_of(unsigned sort) { return somewhere(sort & kThing ? spots() : places()); }
  Sentence time() { return words_in(pick(times(), random_)); }
  // Where such a thing is done to such an object.
  Sentence place_of(const Verb& verb, const Who& object) {
    return verb.at_a_spot ? place_of(object.sort) : somewhere(places());
  }
  // Nothing, a place, or a time.
  Sentence tail(const Verb& verb, const Who& object) {
    const std::uint32_t draw = random_.below(10);
    return draw < 3 ? Sentence{} : draw < 7 ? place_of(verb, object) : time();
  }

  // ---- Who and what ----

  Who named(char gender) {
    const std::string name = pick_if(names(), [&](const Name& n) { return n.gender == gender; }).word;
    return {{name}, {name}, false, gender, kPerson};
  }
  Who anybody() { return named(chance(0.5, random_) ? 'f' : 'm'); }
  Who two_named() {
    const Who first = named('f'), second = named('m');
    const Sentence both = joined({first.first, {"and"}, second.first});
    return {both, both, true, 'n', kPerson};
  }
  Who group(unsigned sorts, bool definite) {
    const Noun& noun = pick_if(nouns(), [&](const Noun& n) { return (n.sort & sorts) != 0; });
    Who who;
    who.plural = chance(0.4, random_);
    who.gender = noun.gender;
    who.sort = noun.sort;
    const std::string word = who.plural ? noun.many : noun.one;
    Sentence rest;
    if (chance(0.5, random_))
      rest.push_back(pick_if(looks(), [&](const Adjective& a) { return (a.sort & noun.sort) != 0; }).word);
    rest.push_back(word);
    static const std::vector<std::string> counts = {"two", "three", "many", "some"};
    const std::string article = starts_with_vowel(rest[0]) ? "an" : "a";
    who.first = joined({{definite ? "the" : who.plural ? pick(counts, random_) : article}, rest});
    who.again = {"the", word};
    return who;
  }
  Who somebody() {
    const std::uint32_t draw = random_.below(10);
    return draw < 5 ? anybody() : draw < 6 ? two_named() : group(kPerson, chance(0.5, random_));
  }
  // Something whose pronoun cannot be taken for that of the others.
  Who something(unsigned sorts) {
    for (;;) {
      Who who = group(sorts, chance(0.2, random_));
      const auto is_same = [&](const std::optional<Who>& other) {
        return other && object_pronoun(*other) == object_pronoun(who);
      };
      if (!is_same(state_.hero) && !is_same(state_.other) && !is_same(state_.object)) return who;
    }
  }

  // What stands between a noun and its verb: "to the old cabinet", "that the boy finds", "who lives near the river".
  Sentence modifier(const Who& who) {
    const std::string& noun = who.again.back();
    const double kind = random_.uniform();
    if (kind < 0.5 && noun.starts_with("key")) return joined({{"to"}, group(kHolder, true).first});
    if (kind < 0.5 && noun.starts_with("letter")) return joined({{"from"}, group(kPerson, true).first});
    if (kind < 0.5 && noun.starts_with("picture")) return joined({{"of"}, group(kPerson | kAnimal, true).first});
    const std::string relative = who.sort & kPerson ? "who" : "that";
    if (kind < 0.35) return place_of(who.sort);
    if (kind < 0.65 && !(who.sort & kThing)) {
      if (chance(0.3, random_)) return joined({{relative}, doing(who), place_of(who.sort)});
      const Who object = group(kAll, chance(0.5, random_));
      return joined({{relative, form(verb(who.sort, object.sort), who.plural)}, object.first});
    }
    const Who subject = chance(0.5, random_) ? anybody() : group(kPerson, true);
    return joined({{"that"}, subject.first, {form(verb(kPerson, who.sort), subject.plural)}});
  }
  Sentence doing(const Who& who) {
    return {form(pick_if(doings(), [&](const Verb& v) { return (v.subject & who.sort) != 0; }), who.plural)};
  }

  // ---- First sentences ----

  Sentence open(std::uint32_t kind) {
    if (kind < 40) return meet_object();
    if (kind < 52) return there_is();
    if (kind < 80) return describe();
    return meet_other();
  }

  // "in the morning anna finds two old keys in the drawer"
  Sentence meet_object() {
    state_.hero = somebody();
    state_.object = something(kAll);
    Sentence subject = state_.hero->first;
    if (subject[0] == "the" && chance(0.5, random_)) add(subject, modifier(*state_.hero));
    const Verb& does = verb(state_.hero->sort, state_.object->sort);
    const Sentence sentence = joined({subject, {form(does, state_.hero->plural)}, state_.object->first});
    return chance(0.2, random_) ? joined({time(), sentence}) : joined({sentence, tail(does, *state_.object)});
  }
  // "there are many coins under the bed"
  Sentence there_is() {
    state_.object = group(kAll, false);
    return joined({{"there", form(kBe, state_.object->plural)}, state_.object->first, place_of(state_.object->sort)});
  }
  // "the keys to the old cabinet are on the table"
  Sentence describe() {
    Who who = group(kAll, true);
    Sentence subject = joined({who.first, modifier(who)});
    const bool thing = who.sort & kThing;
    (thing ? state_.object : state_.hero) = who;
    const std::uint32_t draw = random_.below(4);
    if (draw == 0) return joined({subject, {form(kBe, who.plural)}, place_of(who.sort)});
    if (draw == 1 && !thing) return joined({subject, doing(who), place_of(who.sort)});
    return joined({subject, {form(kBe, who.plural), quality(who.sort)}});
  }
  // "anna sees tom in the kitchen"
  Sentence meet_other() {
    const char gender = chance(0.5, random_) ? 'f' : 'm';
    state_.hero = named(gender);
    state_.other = named(gender == 'f' ? 'm' : 'f');
    return joined({state_.hero->first,
                   {form(verb(kPerson, kPerson), false)},
                   state_.other->first,
                   chance(0.6, random_) ? somewhere(places()) : time()});
  }

  // ---- Sentences that go on from what was said ----

  enum Kind { kPut, kSaidOf, kBecause, kGiveTo, kGoTo, kSayThat, kNot, kMeets, kDoing, kKinds };

  // Each kind stands once in a text.
  int unused_kind() {
    for (;;) {
      const int kind = static_cast<int>(random_.below(kKinds));
      const bool person = !state_.hero || state_.hero->sort & kPerson;
      const bool thing = !state_.object || state_.object->sort & kThing;
      const bool fits = (kind != kGiveTo || (person && thing)) && (kind != kSayThat || person);
      if (used_ & (1u << kind) || !fits) continue;
      used_ |= 1u << kind;
      return kind;
    }
  }

  Sentence go_on(int kind) {
    if (!state_.hero) return enter_hero();
    if (!state_.object) return enter_object();
    const Who &hero = *state_.hero, &object = *state_.object;
    const std::string he = subject_pronoun(hero), it = object_pronoun(object);
    const auto does = [&](const Verb& v) { return form(v, hero.plural); };
    const Verb& any = verb(hero.sort, object.sort);
    switch (kind) {
      case kPut:
        return joined({{he, does(any), it}, chance(0.7, random_) ? place_of(any, object) : time()});
      case kSaidOf:
        return said_of(object);
      case kBecause:
        return because(hero, object);
      case kGiveTo:
        return joined({{he, does(kGive), it, "to"}, receiver().first});
      case kGoTo:
        return {"then", he, does(kGo), "to", "the", pick(places(), random_).noun};
      case kSayThat:
        return joined({{he, does(chance(0.5, random_) ? kSay : kThink), "that"}, said_of(object)});
      case kNot:
        return joined({hero.again,
                       {does(kDo), "not", any.many},
                       chance(0.5, random_) ? object.again : Sentence{it},
                       tail(any, object)});
      case kMeets: {
        const Who met = something(kPerson | kAnimal);
        return joined({{he, does(verb(hero.sort, met.sort))}, met.first, modifier(met)});
      }
      default:
        return joined({chance(0.5, random_) ? hero.again : Sentence{he}, doing(hero), somewhere(places()),
                       chance(0.3, random_) ? time() : Sentence{}});
    }
  }

  // "peter takes it at noon": who acts on what was there
  Sentence enter_hero() {
    do {
      state_.hero = anybody();
    } while (object_pronoun(*state_.hero) == object_pronoun(*state_.object));
    const Verb& does = verb(kPerson, state_.object->sort);
    return joined(
        {state_.hero->first, {form(does, false), object_pronoun(*state_.object)}, tail(does, *state_.object)});
  }
  // "he carries a red box": the second person of the text, if there is one, acts from here on
  Sentence enter_object() {
    if (state_.other) std::swap(state_.hero, state_.other);
    const Who& hero = *state_.hero;
    state_.object = something(kThing | kAnimal);
    const Verb& does = verb(hero.sort, state_.object->sort);
    return joined({{subject_pronoun(hero), form(does, hero.plural)}, state_.object->first, tail(does, *state_.object)});
  }
  Sentence said_of(const Who& who) { return joined({who.again, {form(kBe, who.plural), quality(who.sort)}}); }
  Sentence because(const Who& hero, const Who& object) {
    static const std::vector<std::string> good = {"finds", "likes", "sees"}, bad = {"remembers", "follows", "loses"};
    const bool happy = chance(0.5, random_) || !(hero.sort & kPerson);
    const auto fits = [&](const Verb& v) {
      const auto& reasons = happy ? good : bad;
      return (v.subject & hero.sort) && (v.object & object.sort) &&
             std::find(reasons.begin(), reasons.end(), v.one) != reasons.end();
    };
    const std::string he = subject_pronoun(hero);
    return {he,
            form(kBe, hero.plural),
            happy ? "happy" : "sad",
            "because",
            he,
            form(pick_if(verbs(), fits), hero.plural),
            object_pronoun(object)};
  }
  // The second person of the text, or somebody new.
  Who receiver() {
    if (state_.other) return *state_.other;
    for (;;) {
      const Who who = anybody();
      if (std::find(state_.hero->first.begin(), state_.hero->first.end(), who.first[0]) == state_.hero->first.end())
        return who;
    }
  }

  Random& random_;
  bool past_;
  unsigned used_ = 0;
  State state_;
};

}  // namespace

std::vector<Sentence> draw_text(Random& random, int sentences) { return Teller(random).tell(sentences); }

}  // namespace headlight::english
