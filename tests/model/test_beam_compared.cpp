// Beam search beside trying everything and beside greedy decoding, also on every architecture (models.md 6.3).

#include <functional>
#include <limits>
#include <optional>

#include "model/core/json_library.h"
#include "model/decode/beam.h"
#include "model/models/registry.h"
#include "model/ops/softmax.h"
#include "tests/model/beam_script.h"
#include "tests/test_program.h"

namespace headlight::test_beam_compared {

using beams::beam, beams::Ids, beams::kTokens, beams::kTolerance, beams::Script, beams::search, beams::some_attention,
    beams::some_probabilities;

namespace {

// All texts up to max_len, by their score; a text is cut at max_len. The logits that a model gives after a prefix come
// from `advance`.
struct Everything {
  std::function<std::vector<double>(const Ids&)> log_probability, attention;
  BeamSettings settings;
  BeamTokens tokens;
  double best = -std::numeric_limits<double>::infinity();
  Ids best_tokens;
  int count = 0;

  void grow(const Ids& prefix, double logp, const std::vector<double>& sums) {
    const std::vector<double> lp = log_probability(prefix);
    std::vector<double> added = sums;
    if (attention) {
      const std::vector<double> a = attention(prefix);
      added.resize(a.size(), 0);
      for (std::size_t j = 0; j < a.size(); ++j) added[j] += a[j];
    }
    for (TokenId id = 0; id < static_cast<TokenId>(lp.size()); ++id) {
      if (std::find(tokens.never.begin(), tokens.never.end(), id) != tokens.never.end()) continue;
      Ids text = prefix;
      text.push_back(id);
      const double total = logp + lp[static_cast<std::size_t>(id)];
      const bool ends = tokens.end && id == *tokens.end;
      if (!ends && static_cast<Index>(text.size()) < settings.max_len) {
        grow(text, total, added);
        continue;
      }
      ++count;
      const double score =
          total / length_penalty(settings, static_cast<Index>(text.size())) + coverage_penalty(settings, added);
      if (score > best) {
        best = score;
        best_tokens = text;
      }
    }
  }
};

// Every architecture of the registry, with eight tokens on both sides (an NTM writes three bits).
std::unique_ptr<Model> any_model(const QString& architecture) {
  Json config = {
      {"model_type", architecture.toStdString()}, {"source_vocabulary_size", 8}, {"target_vocabulary_size", 8}};
  const Json defaults = find_architecture(architecture.toStdString()).defaults;
  for (const char* key : {"hidden_size", "embedding_size", "model_size"})
    if (defaults.contains(key)) config[key] = 8;
  if (defaults.contains("memory.slots")) config["memory.slots"] = 6;
  auto model = make_model(config, 3);
  // Large enough that no two texts are about equally likely.
  for (Parameter& parameter : model->parameters().all()) parameter.value.array() *= Scalar(2.5);
  return model;
}
void add_architectures() {
  QTest::addColumn<QString>("architecture");
  for (const Architecture& row : architectures()) QTest::newRow(row.name) << QString(row.name);
}

Ids greedy(Decoding& decoding, const BeamTokens& tokens, Index max_len) {
  Ids text;
  TokenId last = tokens.start;
  while (static_cast<Index>(text.size()) < max_len && last != tokens.end) {
    const Tensor logits = decoding.advance(Tensor::full({1, 1}, static_cast<Scalar>(last)), Pass());
    std::optional<TokenId> best;
    for (TokenId id = 0; id < logits.size(); ++id)
      if (std::find(tokens.never.begin(), tokens.never.end(), id) == tokens.never.end() &&
          (!best || logits[id] > logits[*best]))
        best = id;
    text.push_back(last = *best);
  }
  return text;
}

}  // namespace

class TestBeamCompared : public QObject {
  Q_OBJECT

 private slots:
  void a_wide_beam_tries_everything_data();
  void a_wide_beam_tries_everything();
  void a_wide_beam_on_a_model_data();
  void a_wide_beam_on_a_model();
  void width_1_is_greedy();
  void width_1_is_greedy_on_models_data();
  void width_1_is_greedy_on_models();
};

void TestBeamCompared::a_wide_beam_tries_everything_data() {
  QTest::addColumn<double>("alpha");
  QTest::addColumn<double>("beta");
  QTest::addColumn<int>("norm");
  QTest::newRow("plain") << 0.0 << 0.0 << static_cast<int>(LengthNorm::none);
  QTest::newRow("length") << 0.6 << 0.0 << static_cast<int>(LengthNorm::wu16);
  QTest::newRow("length and coverage") << 0.6 << 0.4 << static_cast<int>(LengthNorm::wu16);
  QTest::newRow("mean and coverage") << 1.0 << 0.2 << static_cast<int>(LengthNorm::power);
}

// models.md 6.3: V = 4, T = 4, B = V^T.
void TestBeamCompared::a_wide_beam_tries_everything() {
  QFETCH(double, alpha);
  QFETCH(double, beta);
  QFETCH(int, norm);
  for (int example = 0; example < 8; ++example) {
    const auto rule = [example](Ids prefix) {
      prefix.insert(prefix.begin(), example);
      return some_probabilities(prefix, 4);
    };
    BeamSettings settings = beam(256, 4);
    settings.alpha = alpha;
    settings.beta = beta;
    settings.length_norm = static_cast<LengthNorm>(norm);
    Everything all;
    all.log_probability = [&](const Ids& prefix) {
      std::vector<double> lp = rule(prefix);
      for (double& x : lp) x = std::log(x);
      return lp;
    };
    all.attention = some_attention;
    all.settings = settings;
    all.tokens = kTokens;
    all.grow({}, 0, {});
    QCOMPARE(all.count, 1 + 2 + 4 + 8 * 3);
    const BeamTree tree = search(rule, settings, kTokens, some_attention);
    QCOMPARE(tree.best[0].tokens, all.best_tokens);
    QVERIFY(std::abs(tree.best[0].score - all.best) < 2 * kTolerance);
  }
}

void TestBeamCompared::a_wide_beam_on_a_model_data() { add_architectures(); }

void TestBeamCompared::a_wide_beam_on_a_model() {
  QFETCH(QString, architecture);
  const auto model = any_model(architecture);
  const Tensor source = Tensor::of({4, 1}, {3, 1, 4, 1});
  Everything all;
  all.log_probability = [&](const Ids& prefix) {
    const auto decoding = model->begin(source, Pass());
    Tensor logits = decoding->advance(Tensor::full({1, 1}, 0), Pass());
    for (const TokenId id : prefix) logits = decoding->advance(Tensor::full({1, 1}, static_cast<Scalar>(id)), Pass());
    return log_probabilities(logits, 0);
  };
  all.settings = beam(512, 3);
  all.settings.alpha = 0.6;
  all.tokens = kTokens;
  all.grow({}, 0, {});
  const auto decoding = model->begin(source, Pass());
  const BeamTree tree = beam_search(*decoding, all.settings, all.tokens);
  QCOMPARE(tree.best[0].tokens, all.best_tokens);
  QVERIFY(std::abs(tree.best[0].score - all.best) < 1e-5);
}

// models.md 15.1, I8
void TestBeamCompared::width_1_is_greedy() {
  for (int example = 0; example < 20; ++example) {
    const auto rule = [example](Ids prefix) {
      prefix.insert(prefix.begin(), example);
      return some_probabilities(prefix, 6);
    };
    Script script(rule);
    QCOMPARE(search(rule, beam(1, 8)).best[0].tokens, greedy(script, kTokens, 8));
  }
}

void TestBeamCompared::width_1_is_greedy_on_models_data() { add_architectures(); }

void TestBeamCompared::width_1_is_greedy_on_models() {
  QFETCH(QString, architecture);
  const auto model = any_model(architecture);
  const Index longest = architecture == "encoder_only" ? 3 : 6;  // it writes one token for each of the source
  for (int first = 0; first < 7; ++first) {
    const Tensor source = Tensor::of({3, 1}, {static_cast<Scalar>(first), 2, 5});
    const auto one = model->begin(source, Pass()), other = model->begin(source, Pass());
    QCOMPARE(beam_search(*one, beam(1, longest), kTokens).best[0].tokens, greedy(*other, kTokens, longest));
  }
}

HEADLIGHT_TEST(TestBeamCompared)

}  // namespace headlight::test_beam_compared

#include "test_beam_compared.moc"
