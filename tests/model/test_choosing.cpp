// Choosing a token: stages by hand, and every case that the library computed.

#include <QTest>
#include <cmath>
#include <map>

#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "model/decode/choosing.h"
#include "model/io/json_file.h"
#include "model/io/npz.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_choosing {

using namespace headlight::testing;
namespace fs = std::filesystem;

namespace {

fs::path material() { return made_elsewhere().parent_path() / "models" / "sampling"; }

Tensor tensor_of(std::initializer_list<double> values) {
  Tensor made({static_cast<Index>(values.size())});
  Index i = 0;
  for (const double value : values) made[i++] = static_cast<Scalar>(value);
  return made;
}

// Which tokens are left behind all stages.
std::vector<TokenId> left(Tensor scores, const Json& settings, const std::vector<TokenId>& ids = {},
                          std::size_t prompt = 0) {
  const std::vector<TokenId> none;
  scores = scores.clone();
  choose(scores, {ids, prompt, none, std::nullopt}, ChoosingSettings::from_json(settings, "test"));
  std::vector<TokenId> found;
  for (Index i = 0; i < scores.size(); ++i)
    if (!std::isinf(scores[i])) found.push_back(static_cast<TokenId>(i));
  return found;
}

using Ids = std::vector<TokenId>;

bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= 2e-5 * std::max(1.0, std::abs(b));
}

}  // namespace

class TestChoosing : public QObject {
  Q_OBJECT

 private slots:
  // Probabilities .5 .25 .125 .0625 .0625.
  void by_hand() {
    const Tensor halves = tensor_of({std::log(.5), std::log(.25), std::log(.125), std::log(.0625), std::log(.0625)});
    QCOMPARE(left(halves, {{"do_sample", true}, {"top_k", 2}}), (Ids{0, 1}));
    QCOMPARE(left(halves, {{"do_sample", true}, {"top_k", 4}}),
             (Ids{0, 1, 2, 3, 4}));  // the fifth ties with the fourth
    QCOMPARE(left(halves, {{"do_sample", true}, {"top_p", 0.8}}), (Ids{0, 1, 2}));
    QCOMPARE(left(halves, {{"do_sample", true}, {"min_p", 0.4}}), (Ids{0, 1}));
    QCOMPARE(left(halves, {{"do_sample", true}, {"epsilon_cutoff", 0.1}}), (Ids{0, 1, 2}));
    QCOMPARE(left(halves, {{"top_k", 1}}), (Ids{0, 1, 2, 3, 4}));  // nothing is drawn
    QCOMPARE(left(halves, {{"suppress_tokens", {0, 3}}}), (Ids{1, 2, 4}));
    QCOMPARE(left(halves, {{"no_repeat_ngram_size", 2}}, {3, 1, 3}), (Ids{0, 2, 3, 4}));  // 1 came behind 3
    QCOMPARE(left(halves, {{"bad_words_ids", {{3, 2}, {4}}}}, {1, 3}), (Ids{0, 1, 3}));
    QCOMPARE(left(halves, {{"min_new_tokens", 2}, {"eos_token_id", 1}}, {3, 3}, 1), (Ids{0, 2, 3, 4}));
    QCOMPARE(left(halves, {{"min_new_tokens", 2}, {"eos_token_id", 1}}, {3, 3, 3}, 1), (Ids{0, 1, 2, 3, 4}));
    QCOMPARE(left(halves, {{"forced_bos_token_id", 2}}, {4}), (Ids{2}));
  }

  // OpenAI's: new tokens alone, by how often and by whether.
  void penalties_by_hand() {
    Tensor scores = tensor_of({1, -1, 2});
    const Ids ids = {0, 1, 1, 2}, none;
    const auto settings = ChoosingSettings::from_json(
        {{"repetition_penalty", 2}, {"frequency_penalty", 0.5}, {"presence_penalty", 1}}, "test");
    std::vector<std::string> names;
    choose(scores, {ids, 1, none, std::nullopt}, settings,
           [&](const char* name, const Tensor&) { names.emplace_back(name); });
    QCOMPARE(names, (std::vector<std::string>{"repetition_penalty", "frequency_penalty", "presence_penalty"}));
    QCOMPARE(scores[0], Scalar(0.5));               // 1/2; was given
    QCOMPARE(scores[1], Scalar(-2 - 2 * 0.5 - 1));  // twice
    QCOMPARE(scores[2], Scalar(1 - 0.5 - 1));
  }

  void wrong_settings_are_named() {
    for (const auto& [key, value] : {std::pair<const char*, Json>{"top_p", 2},
                                     {"temperature", 0},
                                     {"top_k", -1},
                                     {"bad_words_ids", 3},
                                     {"eos_token_id", "x"},
                                     {"sequence_bias", {{1}}}}) {
      try {
        ChoosingSettings::from_json({{key, value}}, "F.json");
        QFAIL(key);
      } catch (const FormatError& error) {
        QVERIFY2(std::string(error.what()).find(std::string("F.json: ") + key) == 0, error.what());
      }
    }
  }

  void as_the_library() {
    SKIP_WITHOUT_MATERIAL();
    std::map<std::string, Tensor> logits, stages;
    for (NamedTensor& each : read_npz(material() / "logits.npz")) logits[each.name] = each.value;
    for (NamedTensor& each : read_npz(material() / "stages.npz")) stages[each.name] = each.value;
    std::size_t compared = 0;
    for (const Json& c : read_json(material() / "cases.json", 1u << 24)) {
      const Ids ids = c.at("prefix"), encoder = c.value("encoder", Ids());
      std::optional<std::size_t> most;
      if (c.contains("max_length")) most = c["max_length"].get<std::size_t>();
      Tensor scores = logits.at(c.at("key").get<std::string>()).clone();
      std::size_t place = 0;
      const auto compare = [&](const std::string& name, const Tensor& found) {
        const std::string key = c.at("case").get<std::string>() + "." + std::to_string(place) + "." + name;
        QVERIFY2(place < c.at("stages").size() && c["stages"][place]["name"] == name, key.c_str());
        ++place;
        const Tensor& wanted = stages.at(key);
        for (Index i = 0; i < wanted.size(); ++i)
          QVERIFY2(same(static_cast<double>(found[i]), static_cast<double>(wanted[i])),
                   (key + " " + std::to_string(i) + ": " + std::to_string(found[i]) + ", expected " +
                    std::to_string(wanted[i]))
                       .c_str());
        ++compared;
      };
      compare("logits", scores);
      choose(scores, {ids, c.value("prompt", ids.size()), encoder, most},
             ChoosingSettings::from_json(c.at("settings"), "case"), compare);
      QCOMPARE(place, c.at("stages").size());
      if (c.contains("most")) QCOMPARE(largest_of(scores), c["most"].get<TokenId>());
    }
    QVERIFY(compared > 180);
  }
};

HEADLIGHT_TEST(TestChoosing)

}  // namespace headlight::test_choosing

#include "test_choosing.moc"
