// Encoders that tell where tokens stand by their distance: rows of distances, tokens that enter as zeros, frequencies
// of a file, what stands in the trace, and what is refused by its name.

#include <cmath>
#include <map>

#include "model/io/formats/families/family.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/npz.h"
#include "model/layers/rotary.h"
#include "model/ops/positions.h"
#include "model/trace/trace.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/model/transformer_models.h"
#include "tests/test_program.h"

namespace headlight::test_encoder_families {

using namespace headlight::testing;

namespace {

fs::path families_elsewhere() { return made_elsewhere().parent_path() / "models" / "families"; }

std::vector<TokenId> ids_of(const Tensor& tensor) {
  std::vector<TokenId> ids;
  for (Index i = 0; i < tensor.size(); ++i) ids.push_back(static_cast<TokenId>(tensor[i]));
  return ids;
}

double peak_of(const Tensor& x) { return static_cast<double>(x.array().abs().maxCoeff()); }

}  // namespace

class TestEncoderFamilies : public QObject {
  Q_OBJECT
 private slots:
  void values_are_those_of_the_library_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"mpnet", "deberta-v2-conv", "deberta-v3", "nomic_bert", "camembert", "esm2", "eurobert"})
      QTest::newRow(name) << QString(name);
  }
  // Within 1e-5 of the largest value.
  void values_are_those_of_the_library() {
    QFETCH(QString, name);
    const fs::path folder = families_elsewhere() / name.toStdString();
    if (!fs::exists(folder)) QSKIP("the material is not there");
    const auto model = open_pretrained(folder);
    std::map<std::string, std::map<std::string, Tensor>> cases;
    for (const NamedTensor& array : read_npz(folder / "reference.npz")) {
      const std::size_t point = array.name.find('.');
      cases[array.name.substr(0, point)][array.name.substr(point + 1)] = array.value;
    }
    int compared = 0;
    for (auto& [number, arrays] : cases) {
      std::vector<TokenId> types;
      if (arrays.count("token_type_ids")) types = ids_of(arrays["token_type_ids"]);
      std::map<std::string, Tensor> found;
      for (const NamedTensor& value : model->run(ids_of(arrays.at("input_ids")), types, {}, {}))
        found[value.name] = value.value;
      for (const auto& [key, expected] : arrays) {
        if (key.ends_with("_ids")) continue;
        QVERIFY2(found.count(key), key.c_str());
        QVERIFY2(found[key].shape() == expected.shape(), key.c_str());
        Tensor difference = found[key].clone();
        difference.array() -= expected.array();
        QVERIFY2(peak_of(difference) <= 1e-5 * peak_of(expected), key.c_str());
        ++compared;
      }
    }
    QVERIFY(compared >= 12);
  }

  void rows_of_distances_data() {
    QTest::addColumn<int>("distance");
    QTest::addColumn<int>("buckets");
    QTest::addColumn<int>("longest");
    QTest::addColumn<int>("row");
    const auto add = [](int buckets, int longest, std::initializer_list<std::pair<int, int>> list) {
      for (const auto& [distance, row] : list)
        QTest::newRow(qPrintable(QString("%1 of %2").arg(distance).arg(buckets)))
            << distance << buckets << longest << row;
    };
    // By hand: span 8, half 4, 3 steps between 4 and 63. 5/4: ⌈3 ln 1.25 / ln 15.75⌉ = 1; 11/4: 2; 26/4: 3.
    add(8, 64,
        {{0, 8}, {4, 12}, {-4, 4}, {5, 13}, {10, 13}, {11, 14}, {25, 14}, {26, 15}, {63, 15}, {-63, 1}, {-99, 0}});
    add(0, 8, {{0, 8}, {7, 15}, {8, 15}, {-8, 0}, {-20, 0}});
    // At the powers of 4 between 4 and 256 the quotients are whole: 16 is 1, 64 is 2, 17 is 2.
    add(8, 257, {{16, 13}, {17, 14}, {64, 14}, {65, 15}});
  }
  void rows_of_distances() {
    QFETCH(int, distance);
    QFETCH(int, buckets);
    QFETCH(int, longest);
    QFETCH(int, row);
    QCOMPARE(DistanceRows({8, buckets, longest}).of(distance), Index{row});
  }

  // Of T5 with 20 buckets up to 160, 10, 20 and 80 are exact powers, and its own float32 gives these.
  void buckets_are_rounded_as_the_library_does() {
    for (const auto& [distance, bucket] : {std::pair(10, 6), {20, 7}, {80, 9}, {11, 6}, {79, 8}})
      QCOMPARE(relative_bucket(-distance, true, 20, 160), Index{bucket});
  }

  // Two heads of three tokens, rows for distances −2 … 2.
  void numbers_by_distance() {
    const DistanceRows rows{4, 0, 4};
    QCOMPARE(rows.first(3), Index{2});
    QCOMPARE(rows.count(3), Index{5});
    Tensor x({2, 3, 5});
    for (Index i = 0; i < x.size(); ++i) x[i] = static_cast<Scalar>(i);
    const Tensor of_queries = by_distance(x, rows, false), of_keys = by_distance(x, rows, true);
    for (Index h = 0; h < 2; ++h)
      for (Index t = 0; t < 3; ++t)
        for (Index j = 0; j < 3; ++j) {
          const Index cell = (h * 3 + t) * 3 + j;
          QCOMPARE(of_queries[cell], static_cast<Scalar>((h * 3 + t) * 5 + t - j + 2));
          QCOMPARE(of_keys[cell], static_cast<Scalar>((h * 3 + j) * 5 + t - j + 2));
        }
  }

  void frequencies_of_a_file() {
    Rotary rotary;
    rotary.size = 4;
    rotary.scaling.kind = RotaryScaling::Kind::listed;
    rotary.scaling.frequencies = {0.5, 0.25};
    QCOMPARE(rotary.frequencies(100), (std::vector<double>{0.5, 0.25}));
  }

  // Of four tokens one is masked: it is zero, the others are multiplied by 0.88 / 0.75.
  void masked_tokens_enter_as_zeros() {
    const Json settings{{"model_type", "encoder_only"}, {"positions", "none"}, {"norm_place", "pre"}};
    Json dropping = settings;
    dropping["dropped_token"] = 3;
    const auto embedded = [](const Json& config) {
      const auto model = filled_transformer(config);
      Recorder recorder({}, {});
      Tensor ids({4, 1});
      const Scalar given[] = {4, 3, 2, 4};
      std::copy_n(given, 4, ids.data());
      model->begin(Source(ids), Pass(recorder.tap()));
      return recorder.finish({})->value("encoder.embed.token");
    };
    const Tensor plain = embedded(settings), dropped = embedded(dropping);
    const Index d = plain.columns();
    for (Index i = 0; i < plain.size(); ++i) {
      const double expected = i / d == 1 ? 0 : static_cast<double>(plain[i]) * 0.88 / 0.75;
      QVERIFY(std::abs(static_cast<double>(dropped[i]) - expected) < 1e-6);
    }
  }

  // (q · k + c2p + p2c) · factor is the score, with the parts as they stand in the trace.
  void scores_stand_in_their_parts() {
    const Json config{
        {"model_type", "encoder_only"},
        {"positions", "none"},
        {"score_scale", 0.25},
        {"disentangled", {{"span", 4}, {"buckets", 4}, {"longest", 9}, {"norm", true}, {"shared", false}}},
        {"convolution", {{"kernel", 3}, {"activation", "gelu"}}}};
    const auto model = filled_transformer(config);
    Recorder recorder({}, {});
    Tensor ids({7, 1});
    for (Index i = 0; i < 7; ++i) ids[i] = static_cast<Scalar>(i % 5);
    model->begin(Source(ids), Pass(recorder.tap()));
    const auto trace = recorder.finish({});
    const auto value = [&](const char* leaf) {
      return trace->value(std::string("encoder.layer[0].self_attn.head.") + leaf);
    };
    const Tensor raw = value("scores_raw"), c2p = value("c2p"), p2c = value("p2c"), scores = value("scores");
    QVERIFY(raw.defined() && c2p.defined() && p2c.defined() && scores.defined());
    QVERIFY(peak_of(c2p) > 0 && peak_of(p2c) > 0);
    for (Index i = 0; i < scores.size(); ++i) QVERIFY(std::abs((raw[i] + c2p[i] + p2c[i]) / 4 - scores[i]) < 1e-5);
    for (const char* site : {"pre", "act", "residual", "norm.out"})
      QVERIFY(trace->value(std::string("encoder.convolution.") + site).defined());
  }

  void refused_data() {
    QTest::addColumn<QString>("config");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, QByteArray config, QByteArray said) {
      QTest::newRow(name) << QString::fromUtf8(config).replace('\'', '"') << QString::fromUtf8(said);
    };
    const QByteArray sizes =
        "'vocab_size': 9, 'hidden_size': 8, 'num_attention_heads': 2, 'num_hidden_layers': 1, 'intermediate_size': 6, ";
    const auto deberta = [&](const char* name, const char* more, const char* said) {
      row(name, "{'model_type': 'deberta-v2', " + sizes + more + "}", said);
    };
    deberta("a kind of score", "'relative_attention': true, 'pos_att_type': 'c2p|p2p'",
            "pos_att_type: scores of the kind \"p2p\" are not implemented");
    deberta("a norm of distances", "'relative_attention': true, 'norm_rel_ebd': 'rms'",
            "norm_rel_ebd: \"rms\" is not implemented");
    deberta("buckets beyond the distances",
            "'relative_attention': true, 'position_buckets': 20, 'max_relative_positions': 6",
            "must be 0, or at least 2 and less than twice");
    deberta("an even kernel", "'conv_kernel_size': 4", "\"kernel\" of \"convolution\" must be odd, found 4");
    deberta("groups of the convolution", "'conv_kernel_size': 3, 'conv_groups': 2",
            "with conv_groups 2 do not run here");
    deberta("narrow embeddings", "'embedding_size': 4", "embedding_size: expected hidden_size 8, found 4");
    row("few buckets", "{'model_type': 'mpnet', " + sizes + "'relative_attention_num_buckets': 16}",
        "relative_attention_num_buckets: expected at least 32, found 16");
    row("two names that differ", "{'model_type': 'nomic_bert', " + sizes + "'n_inner': 7}",
        "intermediate_size 6 and n_inner 7 are one setting: expected the same");
    row("biases", "{'model_type': 'nomic_bert', " + sizes + "'qkv_proj_bias': true}",
        "with qkv_proj_bias true do not run here");
    row("a mask without a number", "{'model_type': 'esm', " + sizes + "'pad_token_id': 1, 'token_dropout': true}",
        "mask_token_id: missing");
    row("folding", "{'model_type': 'esm', " + sizes + "'is_folding_model': true}",
        "with is_folding_model true do not run here");
    row("relative keys", "{'model_type': 'esm', " + sizes + "'position_embedding_type': 'relative_key'}",
        "with position_embedding_type \"relative_key\" do not run here");
    row("a part of each head", "{'model_type': 'eurobert', " + sizes + "'partial_rotary_factor': 0.5}",
        "partial_rotary_factor: heads that are turned in part are not known of this family");
  }
  void refused() {
    QFETCH(QString, config);
    QFETCH(QString, said);
    const QString found = QString::fromStdString(families::why_not(Json::parse(config.toStdString())));
    QVERIFY2(found.contains(said), qPrintable(found));
  }
};

HEADLIGHT_TEST(TestEncoderFamilies)

}  // namespace headlight::test_encoder_families

#include "test_encoder_families.moc"
