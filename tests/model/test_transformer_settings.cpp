// Transformers in float32: dropout, initial values, where positions end, and the errors of their settings.

#include <set>

#include "model/core/budget.h"
#include "model/core/random.h"
#include "tests/model/transformer_models.h"
#include "tests/test_program.h"

namespace headlight::test_transformer_settings {

using namespace headlight::testing;

namespace {

double variance_of(const Tensor& tensor) {
  double square = 0;
  for (const double x : doubles(tensor)) square += x * x;
  return square / static_cast<double>(tensor.size());
}

}  // namespace

class TestTransformerSettings : public QObject {
  Q_OBJECT
 private slots:
  void dropout_needs_training_and_draws_data();
  void dropout_needs_training_and_draws();
  void random_offsets_data();
  void random_offsets();
  void initial_values_data();
  void initial_values();
  void positions_end();
  void refused_settings_data();
  void refused_settings();
  void more_than_a_machine_holds();
};

void TestTransformerSettings::dropout_needs_training_and_draws_data() {
  QTest::addColumn<std::string>("type");
  QTest::addColumn<QString>("setting");
  QTest::addColumn<int>("draws");
  // N = 2, S = 4, d = 6, H = 2, f = 4, T = 3 (masked words: 4); one draw for each number that may be dropped.
  QTest::newRow("rows") << std::string("transformer") << "dropout"
                        << 2 * 6 * (4 * (1 + 2) + 3 * (1 + 3));  // embeddings and sublayers
  QTest::newRow("weights") << std::string("transformer") << "attention_dropout" << 2 * 2 * (4 * 4 + 3 * 3 + 3 * 4);
  QTest::newRow("activations") << std::string("transformer") << "activation_dropout" << 2 * 4 * (4 + 3);
  QTest::newRow("masked words") << std::string("encoder_only") << "dropout" << 2 * 6 * 4 * (1 + 2);
  QTest::newRow("language model") << std::string("decoder_only") << "dropout" << 2 * 6 * (4 + 3) * (1 + 2);
}

void TestTransformerSettings::dropout_needs_training_and_draws() {
  QFETCH(std::string, type);
  QFETCH(QString, setting);
  QFETCH(int, draws);
  const auto model = filled_transformer({{"model_type", type}, {setting.toStdString(), 0.4}});
  const PaddedSentences batch(model->config());
  const auto run = [&](std::uint64_t seed, bool training) {
    Random random(seed, Random::Stream::dropout);
    Pass pass;
    pass.random = &random;
    pass.training = training;
    auto values = doubles(model->begin(batch.source(), pass)->advance(batch.fed, pass));
    values.push_back(static_cast<double>(random.counter()));
    return values;
  };
  const std::vector<double> first = run(1, true), still = run(1, false);
  QCOMPARE(first.back(), static_cast<double>(draws));
  QCOMPARE(still.back(), 0.0);
  QCOMPARE(run(1, true), first);
  QVERIFY(run(2, true) != first);
  auto plain = doubles(model->begin(batch.source(), {})->advance(batch.fed, {}));
  plain.push_back(0);
  QCOMPARE(still, plain);
  QVERIFY(first != plain);
}

void TestTransformerSettings::random_offsets_data() {
  QTest::addColumn<std::string>("type");
  QTest::newRow("masked words") << std::string("encoder_only");
  QTest::newRow("language model") << std::string("decoder_only");
}

// In training a text begins up to `random_offset` positions later (Dehghani et al. 2019), all of it alike.
void TestTransformerSettings::random_offsets() {
  QFETCH(std::string, type);
  const auto model = filled_transformer({{"model_type", type}, {"positions", "sinusoid"}, {"random_offset", 2}});
  std::vector<std::vector<double>> expected;
  for (const int offset : {0, 1, 2})
    expected.push_back(doubles(
        logits_of(*filled_transformer({{"model_type", type}, {"positions", "sinusoid"}, {"position_offset", offset}}),
                  kSource, kFed)));
  QCOMPARE(doubles(logits_of(*model, kSource, kFed)), expected[0]);
  std::set<std::size_t> met;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}) {
    Random random(seed, Random::Stream::dropout);
    Pass pass;
    pass.random = &random;
    pass.training = true;
    const std::vector<double> got = doubles(model->begin(column_of(kSource), pass)->advance(column_of(kFed), pass));
    std::size_t offset = 0;
    while (offset < 3 && !difference(got, expected[offset], 1e-5).isEmpty()) ++offset;
    QVERIFY2(offset < 3, qPrintable(QString("seed %1: no one offset explains it").arg(seed)));
    met.insert(offset);
  }
  QCOMPARE(met.size(), std::size_t{3});
}

void TestTransformerSettings::initial_values_data() {
  QTest::addColumn<std::string>("init");
  QTest::addColumn<QString>("parameter");
  QTest::addColumn<double>("variance");
  const auto row = [](const char* init, const char* parameter, double variance) {
    QTest::newRow(qPrintable(QString("%1 %2").arg(init, parameter)))
        << std::string(init) << QString(parameter) << variance;
  };
  // Uniform in ±√(6 / (in + out)): variance 2 / (in + out) (Glorot & Bengio 2010); embeddings N(0, 1/d).
  row("glorot", "encoder.embed.W", 1.0 / 64);
  row("glorot", "decoder.embed.W", 1.0 / 64);
  row("glorot", "encoder.layer[1].self_attn.W_q", 2.0 / 128);
  row("glorot", "decoder.layer[0].cross_attn.W_v", 2.0 / 128);
  row("glorot", "decoder.layer[1].self_attn.W_o", 2.0 / 128);
  row("glorot", "encoder.layer[0].ffn.W1", 2.0 / 192);
  row("glorot", "decoder.layer[0].ffn.W2", 2.0 / 192);
  for (const char* parameter : {"encoder.embed.W", "encoder.layer[1].self_attn.W_q", "decoder.layer[0].ffn.W2"})
    row("normal", parameter, 0.03 * 0.03);
}

void TestTransformerSettings::initial_values() {
  QFETCH(std::string, init);
  QFETCH(QString, parameter);
  QFETCH(double, variance);
  const auto model = make_model({{"model_type", "transformer"},
                                 {"source_vocabulary_size", 200},
                                 {"target_vocabulary_size", 150},
                                 {"init", init},
                                 {"init_deviation", 0.03}},
                                7);
  const Tensor* value = model->parameters().find(parameter.toStdString());
  QVERIFY(value);
  // Four deviations of an estimate from n draws of a Gaussian; a uniform one varies less.
  QVERIFY(std::abs(variance_of(*value) / variance - 1) < 4 * std::sqrt(2.0 / static_cast<double>(value->size())));
  for (const Parameter& p : model->parameters().all()) {
    const std::string leaf = p.name.substr(p.name.rfind('.') + 1);
    if (leaf.starts_with("b_") || leaf == "b1" || leaf == "b2" || leaf == "b" || leaf == "beta")
      QCOMPARE(variance_of(p.value), 0.0);
    if (leaf == "gamma") QCOMPARE(doubles(p.value), std::vector<double>(static_cast<std::size_t>(p.value.size()), 1.0));
  }
}

void TestTransformerSettings::positions_end() {
  const auto model = filled_transformer({{"positions", "learned"}, {"max_positions", 4}});
  const auto known = [](int wanted) {
    return QString("this text needs position %1; the model has learned 4 positions (max_positions): shorten the text")
        .arg(wanted);
  };
  QCOMPARE(message_of<UsageError>([&] { model->begin(column_of({1, 2, 3, 4, 0}), {}); }), known(5));
  const auto decoding = model->begin(column_of({1, 2, 3, 4}), {});
  decoding->advance(column_of({1, 2, 3}), {});
  QCOMPARE(message_of<UsageError>([&] { decoding->advance(column_of({1, 2}), {}); }), known(5));
  QVERIFY(decoding->advance(column_of({1}), {}).shape() == Shape({1, 1, 5}));  // nothing was lost by the refusal
  const auto shifted = filled_transformer({{"positions", "learned"}, {"max_positions", 4}, {"position_offset", 2}});
  shifted->begin(column_of({1, 2}), {});
  QCOMPARE(message_of<UsageError>([&] { shifted->begin(column_of({1, 2, 3}), {}); }), known(5));
  const auto writer =
      filled_transformer({{"model_type", "decoder_only"}, {"positions", "learned"}, {"max_positions", 4}});
  const auto writing = writer->begin(column_of({1, 2, 3}), {});
  writing->advance(column_of({1}), {});
  QCOMPARE(message_of<UsageError>([&] { writing->advance(column_of({1}), {}); }), known(5));
}

void TestTransformerSettings::refused_settings_data() {
  QTest::addColumn<QString>("setting");
  QTest::addColumn<QString>("message");
  QTest::newRow("heads") << "{'heads':4}"
                         << "\"heads\" 4 must divide \"model_size\" 6, or \"head_size\" must be given";
  QTest::newRow("groups") << "{'heads':6,'key_value_heads':4}"
                          << "\"key_value_heads\" 4 must divide \"heads\" 6";
  QTest::newRow("more groups than heads") << "{'key_value_heads':3}"
                                          << "\"key_value_heads\" must be a whole number from 0 to 2, found 3";
  QTest::newRow("rotary") << "{'positions':'rotary'}"
                          << "rotary positions need an even head size, found 3";
  QTest::newRow("a scaling that is not known")
      << "{'positions':'rotary','head_size':4,'rotary_scaling':{'type':'wonder'}}"
      << "\"type\" must be one of none, linear, llama3, yarn, longrope, dynamic, listed; found "
         "\"wonder\"";
  QTest::newRow("a base that cannot grow")
      << "{'positions':'rotary','head_size':2,'rotary_scaling':{'type':'dynamic','original':4}}"
      << "\"rotary_scaling\" of type \"dynamic\" needs more than one pair that is turned";
  QTest::newRow("no place for a token") << "{'positions':'learned','position_offset':4,'max_positions':4}"
                                        << "\"position_offset\" 4 must be less than \"max_positions\" 4";
  QTest::newRow("padding without a row of its own")
      << "{'positions':'learned','position_padding':1}"
      << "\"position_padding\" needs \"learned\" positions or sinusoids and a \"position_offset\": the row in front is its own";
  QTest::newRow("norms of a batch") << "{'norm':'batch','norm_scale':false}"
                                    << "\"norm_scale\" false does not go with \"norm\" \"batch\"";
  QTest::newRow("factors of other pairs")
      << "{'positions':'rotary','head_size':4,'rotary_scaling':{'type':'longrope','short_factors':[1]}}"
      << "\"short_factors\" must be a list of 2 numbers, one for each pair that is turned, found [1]";
  QTest::newRow("a key of a scaling") << "{'positions':'rotary','head_size':4,'rotary_scaling':{'wonder':1}}"
                                      << "\"wonder\" is not a setting of \"rotary_scaling\"";
  QTest::newRow("windows of other layers") << "{'model_type':'encoder_only','layer_windows':[1,2,3]}"
                                           << "\"layer_windows\" must have a number for each of the 1 layers, found 3";
  QTest::newRow("parameters of a later layer")
      << "{'model_type':'encoder_only','encoder_layers':2,'shared_layers':[1,1]}"
      << "\"shared_layers\": layer 0 must have its own parameters or those of an earlier layer that has its own, found "
         "1";
  QTest::newRow("narrow embeddings") << "{'embedding_size':4}"
                                     << "\"embedding_size\" 4 needs an \"embedding_projection\" to model_size 6";
  QTest::newRow("odd sinusoids") << "{'model_size':7,'heads':7}"
                                 << "sinusoids need an even \"model_size\", found 7";
  QTest::newRow("one table") << "{'tie':'all','target_vocabulary_size':6}"
                             << "one embedding table for both sides needs vocabularies of one size, found 5 and 6: set "
                                "\"tie\" to \"decoder\" or \"none\"";
  QTest::newRow("one text") << "{'model_type':'decoder_only','target_vocabulary_size':6}"
                            << "one embedding table for both sides needs vocabularies of one size, found 5 and 6";
  QTest::newRow("narrow table") << "{'positions':'concat','position_size':2}"
                                << "\"positions\" \"concat\" makes embeddings narrower than the model: set \"tie\" to "
                                   "\"none\"";
  QTest::newRow("no room for tokens") << "{'positions':'concat','position_size':6,'tie':'none'}"
                                      << "\"positions\" \"concat\" needs an even \"position_size\" from 2 to less than "
                                         "model_size 6, found 6";
  QTest::newRow("identity") << "{'identity_projections':true,'head_size':4}"
                            << QString::fromUtf8(
                                   "\"identity_projections\" needs heads · head_size = model_size, and as many "
                                   "key_value_heads as heads");
  QTest::newRow("buckets")
      << "{'positions':'relative','relative_buckets':7}"
      << "\"relative_buckets\" must be even and less than twice \"relative_distance\", found 7 and "
         "128";
  QTest::newRow("norm") << "{'norm':'group'}"
                        << "\"norm\" must be one of layer, rms, batch; found \"group\"";
  QTest::newRow("huge") << "{'model_size':1000000000}"
                        << "\"model_size\" must be a whole number from 1 to 65536, found 1000000000";
  QTest::newRow("many layers") << "{'decoder_layers':100000}"
                               << "\"decoder_layers\" must be a whole number from 1 to 512, found 100000";
  QTest::newRow("no heads") << "{'heads':0}"
                            << "\"heads\" must be a whole number from 1 to 1024, found 0";
  QTest::newRow("negative window") << "{'window':-1}"
                                   << "\"window\" must be a whole number from 0 to 1000000, found -1";
  QTest::newRow("a prompt without a prompt") << "{'prompt':'continue'}"
                                             << "\"prompt\" is not a setting of transformer";
}

// Every size is within its bounds; all together make more than 10^13 numbers, of which none is taken.
void TestTransformerSettings::more_than_a_machine_holds() {
  const Json huge = settings_of("{'model_size':65536,'heads':64,'ff_size':262144,'encoder_layers':512}");
  const QString message = message_of<BudgetError>([&] { make_model(tiny_transformer(huge), 1); });
  QCOMPARE(message,
           QString("a model of 26457436913664 weights takes 106 TB of memory, at most 1.0 GB are taken: make it "
                   "smaller (ff_size is 262144)"));
}

void TestTransformerSettings::refused_settings() {
  QFETCH(QString, setting);
  QFETCH(QString, message);
  QCOMPARE(message_of<FormatError>([&] { make_model(tiny_transformer(settings_of(setting)), 1); }), message);
}

HEADLIGHT_TEST(TestTransformerSettings)

}  // namespace headlight::test_transformer_settings

#include "test_transformer_settings.moc"
