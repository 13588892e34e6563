// Writing on as generate() does it: greedy, drawn and beams by hand, and every case that the library computed.

#include <QTest>
#include <cmath>
#include <map>

#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "model/core/random.h"
#include "model/decode/writing.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/json_file.h"
#include "model/io/npz.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_writing {

using namespace headlight::testing;
namespace fs = std::filesystem;
using Ids = std::vector<TokenId>;

namespace {

// Three tokens, 2 ends a text. What follows depends on the last token alone.
class Chain : public Following {
 public:
  explicit Chain(std::map<TokenId, std::vector<double>> rows) : rows_(std::move(rows)) {}
  Tensor after(const std::vector<Ids>& texts, const std::vector<Index>& from) override {
    Tensor logits({static_cast<Index>(texts.size()), 3});
    for (std::size_t k = 0; k < texts.size(); ++k) {
      for (std::size_t id = 0; id < 3; ++id)
        logits[static_cast<Index>(k * 3 + id)] = static_cast<Scalar>(std::log(rows_.at(texts[k].back())[id]));
      // The text that it goes on from was asked for in the call before.
      const Ids before(texts[k].begin(), texts[k].end() - 1);
      if (!last_.empty() && last_.at(static_cast<std::size_t>(from[k])) != before) fits = false;
    }
    last_ = texts;
    return logits;
  }
  bool fits = true;

 private:
  std::map<TokenId, std::vector<double>> rows_;
  std::vector<Ids> last_;
};

Chain example() { return Chain({{0, {.5, .3, .2}}, {1, {.1, .1, .8}}}); }

WritingSettings settings(const char* json) {
  return WritingSettings::from_json(parse_json(QString(json).replace('\'', '"').toStdString(), "x"), "F.json");
}

WrittenTexts write(const char* json, std::optional<std::size_t> told = {}, std::uint64_t seed = 1) {
  Chain model = example();
  WritingTask task;
  task.prompt = {0};
  task.seed = seed;
  task.told = told;
  WrittenTexts made = write_on(model, task, settings(json));
  if (!model.fits) throw UsageError("the rows of a text went astray");
  return made;
}

std::vector<Ids> texts_of(const WrittenTexts& written) {
  std::vector<Ids> all;
  for (const auto& sequence : written.sequences) all.push_back(sequence.ids);
  return all;
}

bool near(double a, double b, double tolerance = 1e-6) { return std::abs(a - b) < tolerance; }

fs::path folder_of(const Json& c) {
  const fs::path material = made_elsewhere().parent_path() / "models" / "sampling";
  return c.contains("folder") ? material / c["folder"].get<std::string>()
                              : made_elsewhere().parent_path().parent_path() / c["model"].get<std::string>();
}

}  // namespace

class TestWriting : public QObject {
  Q_OBJECT

 private slots:
  void greedy_by_hand() {
    QCOMPARE(texts_of(write("{'eos_token_id': 2, 'max_new_tokens': 3}")), (std::vector<Ids>{{0, 0, 0}}));
    // 0 may not come twice in a row behind 0: 0.3 for 1, then 0.8 for the end.
    QCOMPARE(texts_of(write("{'eos_token_id': 2, 'max_new_tokens': 9, 'suppress_tokens': [0]}")),
             (std::vector<Ids>{{1, 2}}));
    QCOMPARE(texts_of(write("{'max_length': 3}")), (std::vector<Ids>{{0, 0}}));  // the prompt counts
    QCOMPARE(texts_of(write("{'max_length': 3, 'max_new_tokens': 1}")), (std::vector<Ids>{{0}}));
    QCOMPARE(texts_of(write("{}")).front().size(), std::size_t(20));
  }

  // Two beams, an end mark. log P: [2] .2, [0] .5, [1] .3; then [0 0] .25, [1 2] .24, [0 1] .15, [0 2] .1.
  void beams_by_hand() {
    const char* two = "{'eos_token_id': 2, 'num_beams': 2, 'num_return_sequences': 2, 'max_new_tokens': 2%1}";
    const auto with = [&](const char* more) { return write(QString(two).arg(more).toUtf8().constData()); };
    // [2] is the third of the first step: it is not among the first two, and falls. At the length [0 0] is finished
    // too.
    const WrittenTexts plain = with("");
    QCOMPARE(texts_of(plain), (std::vector<Ids>{{0, 0}, {1, 2}}));
    QVERIFY(near(*plain.sequences[0].score, std::log(.25) / 2) && near(*plain.sequences[1].score, std::log(.24) / 2));
    const WrittenTexts sums = with(", 'length_penalty': 0.0");
    QVERIFY(near(*sums.sequences[0].score, std::log(.25)));
    using Fate = BeamHypothesis::Fate;
    const auto& steps = plain.beams->steps;
    QCOMPARE(steps.size(), std::size_t(2));
    QVERIFY(steps[0].hypotheses[0].fate == Fate::alive && steps[0].hypotheses[2].fate == Fate::pruned);
    QVERIFY(near(steps[0].hypotheses[2].logp, std::log(.2)) && near(plain.beams->cut_below(0), std::log(.3)));
    QVERIFY(steps[1].hypotheses[0].fate == Fate::truncated && steps[1].hypotheses[1].fate == Fate::finished);
    QCOMPARE(steps[1].hypotheses[1].parent, 1);
  }

  // One beam more: [2] ends at once.
  void when_beams_are_over() {
    const auto with = [](const char* more) {
      return write(QString("{'eos_token_id': 2, 'num_beams': 3, 'num_return_sequences': 3, 'max_new_tokens': 8%1}")
                       .arg(more)
                       .toUtf8()
                       .constData());
    };
    // [1 2] .24, [2] .2, then [0 0 … 1 2] .5 · .24 = .12 and [0 2] .1: three are finished after three steps.
    const WrittenTexts early = with(", 'early_stopping': true, 'length_penalty': 0.0");
    QCOMPARE(texts_of(early), (std::vector<Ids>{{1, 2}, {2}, {0, 1, 2}}));
    QVERIFY(near(*early.sequences[2].score, std::log(.12)));
    QCOMPARE(early.beams->steps.size(), std::size_t(3));
    // Sums only fall: [0 0 0] .125 could still beat .12 in one step more, and does not.
    QCOMPARE(texts_of(with(", 'length_penalty': 0.0")), texts_of(early));
    QVERIFY(with(", 'length_penalty': 0.0").beams->steps.size() > 3);
    // A long text is worth more: for the longest that could come of it, the search goes on.
    const std::size_t so_far = with(", 'length_penalty': 2.0").beams->steps.size(),
                      farthest = with(", 'length_penalty': 2.0, 'early_stopping': 'never'").beams->steps.size();
    QVERIFY(so_far <= farthest);
  }

  void drawn_by_hand() {
    const char* drawn = "{'do_sample': true, 'max_new_tokens': 6, 'eos_token_id': 2, 'num_return_sequences': 2}";
    const WrittenTexts one = write(drawn, kAllLeft, 5), again = write(drawn, {}, 5);
    QCOMPARE(texts_of(one), texts_of(again));
    QVERIFY(texts_of(write(drawn, {}, 6)) != texts_of(one) || texts_of(write(drawn, {}, 7)) != texts_of(one));
    // Cumulative .5 .8 1 behind 0, .1 .2 1 behind 1.
    TokenId last = 0;
    QCOMPARE(one.choices.size(), one.sequences[0].ids.size());
    QVERIFY(near(one.choices[0].u, Random(5, Random::Stream::sample).uniform()));
    for (std::size_t t = 0; t < one.choices.size(); ++t) {
      const double u = one.choices[t].u, low = last == 0 ? .5 : .1, high = last == 0 ? .8 : .2;
      QCOMPARE(one.choices[t].chosen, TokenId(u < low ? 0 : u < high ? 1 : 2));
      last = one.sequences[0].ids[t];
      QCOMPARE(one.choices[t].chosen, last);
    }
  }

  void what_is_told() {
    const WrittenTexts made =
        write("{'do_sample': true, 'top_k': 2, 'suppress_tokens': [0], 'min_p': 0.9, 'max_new_tokens': 1}", 1);
    const TokenChoice& choice = made.choices.at(0);
    const std::vector<std::tuple<std::string, Index, TokenId, double>> expected = {
        {"logits", 3, 0, .5}, {"suppress_tokens", 2, 1, .6}, {"top_k", 2, 1, .6}, {"min_p", 1, 1, 1}};
    QCOMPARE(choice.stages.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const auto& [name, left, first, probability] = expected[i];
      QCOMPARE(choice.stages[i].name, name);
      QCOMPARE(choice.stages[i].left, left);
      QCOMPARE(choice.stages[i].ids, (Ids{first}));  // one of each was asked for
      QVERIFY(near(choice.stages[i].probabilities[0], probability));
    }
    QCOMPARE(choice.taken_by(0)->name, std::string("suppress_tokens"));
    QCOMPARE(choice.taken_by(2)->name, std::string("min_p"));
    QVERIFY(!choice.taken_by(1) && !choice.taken_by(9));
    // What was taken and is forced then is there again.
    const WrittenTexts forced = write("{'suppress_tokens': [1], 'forced_bos_token_id': 0, 'max_new_tokens': 1}", 9);
    QVERIFY(!forced.choices.at(0).taken_by(0));
    QCOMPARE(forced.choices[0].taken_by(2)->name, std::string("forced_bos_token_id"));
  }

  void what_is_refused() {
    const auto said = [](const char* json) { return message_of<Error>([&] { write(json); }); };
    QCOMPARE(said("{'num_beams': 2, 'do_sample': true}"),
             QString("num_beams: expected 1 together with do_sample; beams that are drawn are not implemented"));
    QCOMPARE(said("{'num_return_sequences': 2}"),
             QString("num_return_sequences: expected at most num_beams, 1, or do_sample, found 2"));
    QCOMPARE(said("{'max_length': 1}"),
             QString("max_length: it counts the 1 tokens that are there: expected more, or max_new_tokens, found 1"));
    QCOMPARE(said("{'num_beams': 0}"), QString("F.json: num_beams: expected a whole number from 1 to 256, found 0"));
    QCOMPARE(said("{'early_stopping': 'soon'}"),
             QString("F.json: early_stopping: expected true, false or \"never\", found \"soon\""));
    QCOMPARE(said("{'do_sample': true, 'suppress_tokens': [0, 1, 2]}"),
             QString("sampling: the model gives no token a probability"));
  }

  void as_the_library() {
    SKIP_WITHOUT_MATERIAL();
    const fs::path material = made_elsewhere().parent_path() / "models" / "sampling";
    if (!fs::exists(material / "models.json")) QSKIP("there is no shared/models/sampling");
    std::map<std::string, Tensor> stages;
    for (NamedTensor& each : read_npz(material / "models.npz")) stages[each.name] = each.value;
    std::map<std::string, int> kinds;
    for (const Json& c : read_json(material / "models.json", 1u << 24)) {
      const std::string name = c.at("case"), kind = c.at("kind");
      const auto model = open_pretrained(folder_of(c));
      WritingTask task;
      task.told = kAllLeft;
      const WrittenTexts made = model->written(c.at("ids").get<Ids>(), c.at("settings"), "F.json", task);
      if (kind == "greedy") QVERIFY2(made.sequences.at(0).ids == c.at("output_ids").get<Ids>(), name.c_str());
      if (kind == "beams") {
        QVERIFY2(texts_of(made) == c.at("sequences").get<std::vector<Ids>>(), name.c_str());
        for (std::size_t i = 0; i < made.sequences.size(); ++i)
          QVERIFY2(near(*made.sequences[i].score, c["scores"][i].get<double>(), 2e-5), name.c_str());
      }
      const std::vector<ChoiceStage>& found = made.choices.at(0).stages;
      QCOMPARE(found.size(), c.at("first_step").size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        const std::string key = name + "." + std::to_string(i) + "." + c["first_step"][i].get<std::string>();
        QCOMPARE(name + "." + std::to_string(i) + "." + found[i].name, key);
        const ChoiceStage wanted = stage_of(found[i].name, stages.at(key));
        QCOMPARE(found[i].left, wanted.left);
        std::map<TokenId, double> shares;
        for (std::size_t k = 0; k < wanted.ids.size(); ++k) shares[wanted.ids[k]] = wanted.probabilities[k];
        for (std::size_t k = 0; k < found[i].ids.size(); ++k)
          QVERIFY2(shares.contains(found[i].ids[k]) && near(found[i].probabilities[k], shares[found[i].ids[k]], 1e-5),
                   key.c_str());
      }
      ++kinds[kind];
    }
    QCOMPARE(kinds["greedy"] + kinds["beams"] + kinds["sample"], 26);
  }
};

HEADLIGHT_TEST(TestWriting)

}  // namespace headlight::test_writing

#include "test_writing.moc"
