// What a model says about itself, against its configuration and the literature.
#include <QTest>

#include "model/core/errors.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_traits {

class TestTraits : public QObject {
  Q_OBJECT

 private slots:
  // Recurrent networks continue texts since 2010 (Mikolov et al.) and translate since 2014 (Cho et al., arXiv 1406).
  void every_architecture_says_when_it_was_published() {
    for (const Architecture& row : architectures()) {
      const Published& at = row.published;
      QVERIFY2(at.year >= (std::string(row.name) == "recurrent_lm" ? 2010 : 2014) && at.year <= 2026 && at.month >= 1 &&
                   at.month <= 12,
               row.name);
      QVERIFY2(std::string(at.authors).ends_with("et al."), row.name);
      QVERIFY2(std::string(row.paper).starts_with(at.authors), row.name);
    }
  }

  void defaults_are_completed_data() {
    QTest::addColumn<QString>("name");
    for (const Architecture& row : architectures()) QTest::newRow(row.name) << row.name;
  }
  // A description names only what differs; its traits are those of the model that is made of it.
  void defaults_are_completed() {
    QFETCH(QString, name);
    Json config = {{"model_type", name.toStdString()}, {"source_vocabulary_size", 16}, {"target_vocabulary_size", 16}};
    config["reverse_target"] = true;
    const ModelTraits described = described_traits(config), made = make_model(config, 1)->traits();
    for (const ModelTraits& traits : {described, made}) {
      QCOMPARE(traits.architecture, name.toStdString());
      QCOMPARE(traits.target_vocabulary, Index(16));
      QVERIFY(traits.writes_reversed && traits.published.year > 0);
    }
    const Json& defaults = find_architecture(name.toStdString()).defaults;
    QCOMPARE(described.reads_reversed, defaults.value("reverse_source", false));
    QCOMPARE(made.reads_reversed, described.reads_reversed);
    QCOMPARE(made.width, described.width);
    QCOMPARE(made.positions, described.positions);
    QCOMPARE(made.kind == ModelTraits::Kind::decoder_only, name == "decoder_only" || name == "recurrent_lm");
    QCOMPARE(made.kind == ModelTraits::Kind::encoder_only, name == "encoder_only");
    QCOMPARE(made.kernel_size > 0, name == "convs2s");
  }

  void settings_decide() {
    Json config = {{"model_type", "attn_seq2seq"}, {"source_vocabulary_size", 5}, {"target_vocabulary_size", 7}};
    QVERIFY(!described_traits(config).local_attention);
    config["attention.reach"] = "local_p";
    config["attention.half_width"] = 3;
    QVERIFY(described_traits(config).local_attention);
    QCOMPARE(described_traits(config).half_width, Index(3));
    config["model_type"] = "gpt";
    QVERIFY_THROWS_EXCEPTION(UsageError, described_traits(config));
    config["model_type"] = "transformer";  // it has no setting of that name
    QVERIFY_THROWS_EXCEPTION(FormatError, described_traits(config));
  }
};

HEADLIGHT_TEST(TestTraits)

}  // namespace headlight::test_traits

#include "test_traits.moc"
