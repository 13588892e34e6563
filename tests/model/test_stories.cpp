// The small English: an own reader of its sentences checks that verbs agree with their subjects over what stands
// between them and that pronouns refer to something; and the two tasks that are made of it.

#include <QMap>
#include <QSet>
#include <QtTest>

#include "model/training/batch.h"
#include "model/training/tasks/english.h"
#include "model/training/tasks/english_words.h"
#include "model/training/tasks/task.h"
#include "tests/test_program.h"

namespace headlight::test_stories {

namespace {

// Written down again, so that a slip in the generator's tables is found.
const QStringList kOne = {"girl",   "woman", "queen",   "sister", "boy",    "man",     "king",   "brother",
                          "dog",    "cat",   "horse",   "bird",   "fox",    "rabbit",  "key",    "box",
                          "letter", "book",  "picture", "lamp",   "hat",    "apple",   "flower", "coin",
                          "map",    "cup",   "ball",    "bell",   "basket", "cabinet", "door",   "house"};
const QSet<QString> kWomen = {"girl", "woman", "queen", "sister"}, kMen = {"boy", "man", "king", "brother"};
const QSet<QString> kFemale = {"anna", "mary", "lucy", "emma", "nina", "clara"},
                    kMale = {"tom", "peter", "jack", "paul", "david", "oscar"};
const QSet<QString> kAdjectives = {"old",   "small",  "big",   "young",     "new",       "red",    "green", "blue",
                                   "white", "black",  "happy", "sad",       "tired",     "hungry", "angry", "late",
                                   "heavy", "broken", "clean", "expensive", "beautiful", "useful"};
const QSet<QString> kPrepositions = {"in", "at", "near", "on", "behind", "under"};
// Base and past; the singular is made by the rule of spelling.
const QMap<QString, QString> kVerbs = {{"see", "saw"},
                                       {"find", "found"},
                                       {"like", "liked"},
                                       {"follow", "followed"},
                                       {"watch", "watched"},
                                       {"hear", "heard"},
                                       {"want", "wanted"},
                                       {"carry", "carried"},
                                       {"draw", "drew"},
                                       {"buy", "bought"},
                                       {"sell", "sold"},
                                       {"lose", "lost"},
                                       {"hide", "hid"},
                                       {"take", "took"},
                                       {"bring", "brought"},
                                       {"feed", "fed"},
                                       {"meet", "met"},
                                       {"know", "knew"},
                                       {"remember", "remembered"},
                                       {"sleep", "slept"},
                                       {"wait", "waited"},
                                       {"run", "ran"},
                                       {"sit", "sat"},
                                       {"play", "played"},
                                       {"live", "lived"},
                                       {"sing", "sang"},
                                       {"laugh", "laughed"},
                                       {"dance", "danced"},
                                       {"work", "worked"},
                                       {"go", "went"},
                                       {"give", "gave"},
                                       {"say", "said"},
                                       {"think", "thought"},
                                       {"do", "did"}};
const QSet<QString> kNoObject = {"sleep", "wait", "run", "sit", "play", "live", "sing", "laugh", "dance", "work"};

QString singular_of(const QString& base) {
  if (base == "carry") return "carries";
  if (base == "go" || base == "do") return base + "es";
  return base + (base.endsWith("ch") ? "es" : "s");
}
QString plural_of(const QString& one) {
  if (one == "woman") return "women";
  if (one == "man") return "men";
  return one + (one.endsWith('x') ? "es" : "s");
}

// Who a group of words speaks of.
struct Meant {
  bool plural = false;
  char gender = 'n';
};

// Reads one sentence from its start to its end, or says where it is stuck.
class Reader {
 public:
  Reader(const english::Sentence& words, bool past) : past_(past) {
    for (const std::string& word : words) words_ << QString::fromStdString(word);
    for (const QString& one : kOne) {
      const char gender = kWomen.contains(one) ? 'f' : kMen.contains(one) ? 'm' : 'n';
      nouns_[one] = {false, gender};
      nouns_[plural_of(one)] = {true, gender};
    }
    for (auto row = kVerbs.begin(); row != kVerbs.end(); ++row) {
      bases_[singular_of(row.key())] = row.key();
      bases_[row.key()] = row.key();
      bases_[row.value()] = row.key();
    }
  }

  // Empty: a sentence of good English. `known` is what the text spoke of before; new mentions are added.
  QString wrong(QList<Meant>& known) {
    known_ = &known;
    try {
      sentence();
      expect(".");
      if (at_ != words_.size()) stuck("the end");
    } catch (const QString& problem) {
      return problem + ": " + words_.join(' ');
    }
    return {};
  }
  int agreements_over_words = 0;  // verbs that do not stand beside the noun they agree with

 private:
  QString next() const { return words_.value(at_); }
  [[noreturn]] void stuck(const QString& expected) const {
    throw QString("expected " + expected + " at " + QString::number(at_) + ", found '" + next() + "'");
  }
  void expect(const QString& word) {
    if (next() != word) stuck(word);
    ++at_;
  }
  bool skip(const QString& word) { return next() == word && ++at_ > 0; }

  void sentence() {
    time();
    if (skip("there")) {
      const int be = at_++;
      const Meant meant = group();
      check_be(be, meant.plural);
      if (!place()) stuck("a place");
      return;
    }
    if (skip("then")) {
      const Meant who = pronoun();
      verb(who.plural, "go");
      expect("to");
      return noun_after_the();
    }
    clause();
    place();
    time();
  }

  void clause() {
    const int begin = at_;
    const Meant who = subject();
    const bool far = at_ - begin > 3;
    const QString word = next();
    if (QSet<QString>{"is", "are", "was", "were"}.contains(word)) {
      agreements_over_words += far && !past_;
      check_be(at_++, who.plural);
      if (!skip_adjective() && !place()) stuck("an adjective or a place");
      if (!skip("because")) return;
      const Meant again = pronoun();
      if (again.plural != who.plural) stuck("the same pronoun");
      verb(again.plural, {});
      pronoun_object();
      return;
    }
    const QString base = bases_.value(word);
    agreements_over_words += far && !past_;
    verb(who.plural, {});
    if (base == "do") {
      expect("not");
      if (bases_.value(next()) != next()) stuck("the plain form of a verb");
      ++at_;
      object();
    } else if (base == "give") {
      pronoun_object();
      expect("to");
      name();
    } else if (base == "say" || base == "think") {
      expect("that");
      clause();
    } else if (!kNoObject.contains(base)) {
      object();
    }
  }

  Meant subject() { return is_pronoun(next()) ? pronoun() : group(); }
  void object() {
    if (next() == "it" || next() == "them" || next() == "him" || next() == "her") return pronoun_object();
    group();
  }

  // A name, two names, or a noun with what belongs to it.
  Meant group() {
    if (kFemale.contains(next()) || kMale.contains(next())) {
      const Meant first = name();
      if (!skip("and")) return first;
      name();
      return mentioned({true, 'n'});
    }
    const QString determiner = next();
    ++at_;
    const QString after = next();
    skip_adjective();
    if (!nouns_.contains(next())) stuck("a noun");
    const Meant meant = nouns_[words_[at_++]];
    if (determiner == "a" || determiner == "an") {
      if (meant.plural) stuck("a singular noun before here");
      if (QString("aeiou").contains(after[0]) != (determiner == "an")) stuck("the other article");
    } else if (determiner != "the" && !QSet<QString>{"two", "three", "many", "some"}.contains(determiner)) {
      stuck("a determiner");
    } else if (determiner != "the" && !meant.plural) {
      stuck("a plural noun before here");
    }
    mentioned(meant);
    modifiers(meant);
    return meant;
  }

  void modifiers(const Meant& head) {
    const QString noun = words_[at_ - 1];
    if ((noun.startsWith("key") && skip("to")) || (noun.startsWith("letter") && skip("from")) ||
        (noun.startsWith("picture") && skip("of"))) {
      group();
    } else if (next() == "who" || next() == "that") {
      const bool who = next() == "who";
      ++at_;
      if (is_verb(next())) {  // "who sees the dog"
        if (who == (head.gender == 'n')) stuck("who of persons, that of others");
        const QString base = bases_[next()];
        verb(head.plural, {});
        if (kNoObject.contains(base)) {
          if (!place()) stuck("a place");
        } else {
          group();
        }
      } else {  // "that the boy sees"
        verb(group().plural, {});
      }
    } else if (kPrepositions.contains(next()) && words_.value(at_ + 1) == "the") {
      const int before = at_;
      place();
      if (next() == ".") at_ = before;  // of the sentence
    }
  }

  Meant name() {
    if (kFemale.contains(next())) return ++at_, mentioned({false, 'f'});
    if (kMale.contains(next())) return ++at_, mentioned({false, 'm'});
    stuck("a name");
  }
  static bool is_pronoun(const QString& word) { return QSet<QString>{"he", "she", "it", "they"}.contains(word); }
  Meant pronoun() {
    static const QMap<QString, Meant> meant = {
        {"he", {false, 'm'}}, {"she", {false, 'f'}}, {"it", {false, 'n'}}, {"they", {true, 'n'}}};
    if (!meant.contains(next())) stuck("a pronoun");
    return referred(meant[words_[at_++]]);
  }
  void pronoun_object() {
    static const QMap<QString, Meant> meant = {
        {"him", {false, 'm'}}, {"her", {false, 'f'}}, {"it", {false, 'n'}}, {"them", {true, 'n'}}};
    if (!meant.contains(next())) stuck("a pronoun");
    referred(meant[words_[at_++]]);
  }
  Meant mentioned(const Meant& meant) {
    known_->append(meant);
    return meant;
  }
  Meant referred(const Meant& meant) {
    const bool there = std::any_of(known_->begin(), known_->end(), [&](const Meant& m) {
      return m.plural == meant.plural && (m.plural || m.gender == meant.gender);
    });
    if (!there) stuck("something that the pronoun before here goes back to");
    return meant;
  }

  bool is_verb(const QString& word) const { return bases_.contains(word); }
  void verb(bool plural, const QString& base) {
    const QString found = bases_.value(next());
    if (found.isEmpty() || (!base.isEmpty() && found != base)) stuck("a verb");
    if (next() != (past_ ? kVerbs[found] : plural ? found : singular_of(found))) stuck("another form of the verb");
    ++at_;
  }
  void check_be(int at, bool plural) const {
    const QString expected = past_ ? (plural ? "were" : "was") : plural ? "are" : "is";
    if (words_.value(at) != expected) throw QString("expected " + expected + ", found " + words_.value(at));
  }
  bool skip_adjective() { return kAdjectives.contains(next()) && ++at_ > 0; }
  bool place() {
    if (!kPrepositions.contains(next()) || words_.value(at_ + 1) != "the" || is_time()) return false;
    ++at_;
    noun_after_the();
    return true;
  }
  void noun_after_the() {
    expect("the");
    ++at_;
  }
  bool is_time() const {
    static const QSet<QString> times = {"morning", "evening", "night", "noon", "winter", "summer", "monday", "sunday"};
    return times.contains(words_.value(at_ + 1)) || (next() == "in" && times.contains(words_.value(at_ + 2)));
  }
  void time() {
    if (is_time()) at_ += words_.value(at_ + 1) == "the" ? 3 : 2;
  }

  QStringList words_;
  QMap<QString, Meant> nouns_;
  QMap<QString, QString> bases_;
  bool past_;
  int at_ = 0;
  QList<Meant>* known_ = nullptr;
};

bool in_the_past(const std::vector<english::Sentence>& text) {
  QSet<QString> past = {"was", "were"};
  for (const QString& word : kVerbs) past.insert(word);
  for (const english::Sentence& sentence : text)
    for (const std::string& word : sentence)
      if (past.contains(QString::fromStdString(word))) return true;
  return false;
}

std::vector<std::string> tokens(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<std::string> all;
  for (const TextToken& token : tokenizer.split(text)) all.push_back(token.text);
  return all;
}

}  // namespace

class TestStories : public QObject {
  Q_OBJECT

 private slots:
  void every_sentence_is_good_english() {
    Random random(3, Random::Stream::data);
    int far = 0, pronouns = 0, relative = 0, past_texts = 0;
    QSet<QString> said;
    for (int i = 0; i < 4'000; ++i) {
      const auto text = english::draw_text(random, 1 + i % english::kMostSentences);
      QCOMPARE(text.size(), static_cast<std::size_t>(1 + i % english::kMostSentences));
      const bool past = in_the_past(text);
      past_texts += past;
      QList<Meant> known;
      for (const english::Sentence& sentence : text) {
        QVERIFY(sentence.size() >= 5 && sentence.size() <= 17);  // with the point
        Reader reader(sentence, past);
        const QString wrong = reader.wrong(known);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        far += reader.agreements_over_words;
        for (const std::string& word : sentence) {
          said.insert(QString::fromStdString(word));
          relative += word == "who";
          pronouns += word == "he" || word == "she" || word == "they" || word == "it" || word == "them";
        }
      }
    }
    QVERIFY2(far > 300 && pronouns > 2'000 && relative > 200 && past_texts > 1'000 && past_texts < 2'000,
             qPrintable(QString("%1 %2 %3 %4").arg(far).arg(pronouns).arg(relative).arg(past_texts)));
    QVERIFY2(said.size() > 200, qPrintable(QString::number(said.size())));
    // Nothing is said that is not in the vocabulary, and hardly anything is in it that is never said.
    const std::vector<std::string> all = english::all_words();
    for (const QString& word : said) QVERIFY(std::find(all.begin(), all.end(), word.toStdString()) != all.end());
    QVERIFY(static_cast<std::size_t>(said.size()) >= all.size() - 3);
  }
  // The reader itself: it has to refuse what is wrong.
  void wrong_sentences_are_found_data() {
    QTest::addColumn<QString>("sentence");
    for (const char* sentence :
         {"the keys to the old cabinet is heavy .", "the girl who see the dogs runs in the garden .",
          "the dogs that the boy follow run in the garden .", "anna find a key .", "anna finds a old key .",
          "anna finds two key .", "she finds a key .", "anna finds a key and ."})
      QTest::newRow(sentence) << sentence;
  }
  void wrong_sentences_are_found() {
    QFETCH(QString, sentence);
    english::Sentence words;
    for (const QString& word : sentence.split(' ')) words.push_back(word.toStdString());
    QList<Meant> known;
    QVERIFY(!Reader(words, false).wrong(known).isEmpty());
  }

  void stories_are_read_back() {
    const Task& task = find_task("story");
    QVERIFY(task.text.source_bos && task.text.eos && task.text.source.vocabulary().size() > 150);
    const TaskData data = generate(task, 1'000, 100);
    QSet<QString> trained;
    for (const Example& example : data.train) {
      QVERIFY(example.source.empty() && example.counted.empty());
      trained.insert(QString::fromStdString(example.target));
      const auto words = tokens(task.text.target, example.target);
      QCOMPARE(static_cast<int>(std::count(words.begin(), words.end(), ".")), example.group);
      QVERIFY(static_cast<Index>(words.size()) <= task.text.target_length);
      for (const TextToken& token : task.text.target.split(example.target)) QVERIFY(!token.unknown);
    }
    QCOMPARE(trained.size(), 1'000);
    for (const Example& example : data.test) QVERIFY(!trained.contains(QString::fromStdString(example.target)));
    const Batch batch = Dataset(task, data.test).batch(std::vector<std::uint32_t>{0, 1});
    QVERIFY(batch.source.ids.shape() == Shape({1, 2}));
    QCOMPARE(static_cast<TokenId>(batch.source.ids[0]), task.text.bos);
    for (const std::string& prompt : task.examples)
      for (const TextToken& token : task.text.source_tokens(prompt)) QVERIFY(!token.unknown);
  }

  // Devlin et al. 2019: 15 % are chosen; of those 80 % are hidden, 10 % another word, 10 % as they are.
  void hidden_words_are_those_that_count() {
    const Task& task = find_task("masked");
    const TaskData data = generate(task, 6'000, 300);
    double words = 0, chosen = 0, hidden = 0, same = 0;
    for (const Example& example : data.train) {
      const auto source = tokens(task.text.source, example.source), target = tokens(task.text.target, example.target);
      QCOMPARE(source.size(), target.size());
      QCOMPARE(example.counted.size(), target.size());
      QVERIFY(std::count(example.counted.begin(), example.counted.end(), true) >= 1);
      for (std::size_t i = 0; i < target.size(); ++i) {
        QVERIFY(target[i] != kMask);
        if (!example.counted[i]) {
          QCOMPARE(source[i], target[i]);
          continue;
        }
        QVERIFY(target[i] != ".");
        ++chosen;
        hidden += source[i] == kMask;
        same += source[i] == target[i];
      }
      words +=
          static_cast<double>(target.size() - static_cast<std::size_t>(std::count(target.begin(), target.end(), ".")));
    }
    QVERIFY2(std::abs(hidden / chosen - 0.8) < 0.02, qPrintable(QString::number(hidden / chosen)));
    QVERIFY2(std::abs(same / chosen - 0.1) < 0.02, qPrintable(QString::number(same / chosen)));
    // A little over 15 %, because at least one word of every text is chosen.
    QVERIFY2(chosen / words > 0.14 && chosen / words < 0.19, qPrintable(QString::number(chosen / words)));
    QSet<QString> trained;
    for (const Example& example : data.train) trained.insert(QString::fromStdString(example.target));
    QCOMPARE(trained.size(), 6'000);
    for (const Example& example : data.test) QVERIFY(!trained.contains(QString::fromStdString(example.target)));
  }
  void hidden_words_are_as_many_as_the_source() {
    const Task& task = find_task("masked");
    QVERIFY(!task.text.eos && task.text.mask && task.text.target_limit(7) == 7);
    const Dataset data(task, generate(task, 50, 20).test);
    const Batch batch = data.batch(std::vector<std::uint32_t>{0, 1, 2});
    QCOMPARE(batch.targets.dim(1), batch.source.ids.dim(0));
    QVERIFY(batch.mask.array().sum() < static_cast<Scalar>(batch.mask.size()) / 2);
    for (const std::string& example : task.examples) {
      int masks = 0;
      for (const TextToken& token : task.text.source_tokens(example)) {
        QVERIFY2(!token.unknown, example.c_str());
        masks += token.id == task.text.mask;
      }
      QVERIFY(masks > 0);
    }
  }
  void the_same_seed_gives_the_same_stories() {
    for (const char* name : {"story", "masked"}) {
      const TaskData a = generate(find_task(name), 50, 5, 3), b = generate(find_task(name), 50, 5, 3),
                     c = generate(find_task(name), 50, 5, 4);
      QCOMPARE(a.train[49].target, b.train[49].target);
      QVERIFY(a.train[49].counted == b.train[49].counted);
      QVERIFY(a.train[49].target != c.train[49].target);
    }
  }
};

HEADLIGHT_TEST(TestStories)

}  // namespace headlight::test_stories

#include "test_stories.moc"
