// An option that is given and changes nothing is told; two that contradict each other are refused.

#include <QTemporaryDir>
#include <QTest>

#include "tests/app/fixture.h"
#include "tests/app/program.h"
#include "tests/test_program.h"

namespace headlight::test_unused_options {

class TestUnusedOptions : public QObject {
  Q_OBJECT

  QTemporaryDir models_, scratch_;

  testing::Outcome headlight(const QStringList& arguments) const {
    return testing::run_program(arguments, {{"HEADLIGHT_MODELS", models_.path()}}, scratch_.path());
  }
  static QString family(const char* name) { return QString(HEADLIGHT_TEST_DATA) + "/families/" + name; }
  static QString stored() { return QString(HEADLIGHT_TEST_DATA) + "/captured/encoder.npz"; }

 private slots:
  void initTestCase() {
    QVERIFY2(!testing::program().isEmpty(), "set by ctest");
    small_model_folder(models_, "attn_seq2seq");
  }

  void what_changes_nothing_is_told_data() {
    QTest::addColumn<QStringList>("line");
    QTest::addColumn<QStringList>("told");  // options
    const auto row = [](const QStringList& line, const QStringList& told) {
      QTest::newRow(qPrintable(line.join(' ').right(70))) << line << told;
    };
    const QStringList date = {"run", "attn_seq2seq", "--source", "5/3/99"};
    row(date, {});
    row(date + QStringList{"--beam", "3"}, {"--beam"});
    row(date + QStringList{"--beam", "3", "--decode", "beam"}, {});
    row(date + QStringList{"--decode", "beam", "--length-norm", "power"}, {"--length-norm"});
    row(date + QStringList{"--decode", "beam", "--length-norm", "power", "--alpha", "1"}, {});
    row(date + QStringList{"--temperature", "2", "--top-k", "3", "--top-p", "0.5", "--seed", "7"},
        {"--temperature", "--top-k", "--top-p", "--seed"});
    row(date + QStringList{"--decode", "sample", "--top-k", "3", "--seed", "7"}, {});
    row(date + QStringList{"--decode", "sample", "--temperature", "0", "--top-k", "3"}, {"--top-k"});
    row(date + QStringList{"--decode", "sample", "--target", "1999-05-03"}, {"--decode"});
    row(date + QStringList{"--new-tokens", "3", "--target-ids", "1", "--names", "headlight"},
        {"--new-tokens", "--target-ids", "--names"});
    const QStringList gpt2 = {"run", family("gpt2"), "--ids", "3,4"};
    row(gpt2, {});
    row(gpt2 + QStringList{"--new-tokens", "2"}, {});
    row(gpt2 + QStringList{"--choose", family("gpt2") + "/config.json", "--seed", "3"}, {});
    row(date + QStringList{"--choose", "x.json"}, {"--choose"});
    row(gpt2 + QStringList{"--names", "headlight"}, {"--names"});
    row(gpt2 + QStringList{"--names", "headlight", "--dump", "x.npz"}, {});
    row(gpt2 + QStringList{"--beam", "3", "--temperature", "2", "--seed", "1"}, {"--beam", "--temperature", "--seed"});
    const QStringList picture = {"render", "attn_seq2seq", "--source", "5/3/99", "--view", "alignment", "--out"};
    row(picture + QStringList{"x.svg"}, {});
    row(picture + QStringList{"x.svg", "--scale", "2"}, {"--scale"});
    row(picture + QStringList{"x.csv", "--theme", "dark", "--size", "300x200"}, {"--theme", "--size"});
    row(picture + QStringList{"x.png", "--frames", "steps", "--level", "2"}, {"--frames", "--level"});
    row(picture + QStringList{"x.png", "--step", "1"}, {});
    row({"render", "attn_seq2seq", "--source", "5/3/99", "--view", "states", "--step", "1", "--out", "x.png"},
        {"--step"});
    row({"render", "attn_seq2seq", "--source", "5/3/99", "--view", "window", "--step", "1", "--out", "x.png"},
        {"--step"});
    row({"run", stored(), "--source", "0", "--new-tokens", "3", "--beam", "2", "--seed", "5"},
        {"--new-tokens", "--beam", "--seed"});
    row({"compare", family("gpt2"), family("gpt2"), "--by", "epoch", "--theme", "dark"}, {"--by", "--theme"});
    row({"experiment", "scaling", "--trials", "2", "--epochs", "3", "--format", "png", "--quiet"},
        {"--epochs", "--format"});
    row({"lesson", "--list", "--paper", "a4", "--step", "2", "--no-threads"}, {"--paper", "--step", "--no-threads"});
  }
  void what_changes_nothing_is_told() {
    QFETCH(QStringList, line);
    QFETCH(QStringList, told);
    const testing::Outcome outcome = headlight(line);
    QVERIFY2(outcome.status == 0, qPrintable(outcome.error));
    QStringList lines = outcome.error.split('\n', Qt::SkipEmptyParts), found;
    for (const QString& each : lines) {
      QVERIFY2(each.startsWith("headlight: warning: "), qPrintable(each));
      QVERIFY2(each.contains(" is not used: "), qPrintable(each));
      found << each.mid(20).section(' ', 0, 0);
    }
    QStringList wanted = told;
    wanted.sort();
    found.sort();
    QCOMPARE(found, wanted);
  }

  void contradictions_are_refused() {
    const auto refused = [&](const QStringList& line, const QString& said) {
      const testing::Outcome outcome = headlight(line);
      QCOMPARE(outcome.status, 2);
      QVERIFY2(testing::is_one_line(outcome.error) && outcome.error.contains(said), qPrintable(outcome.error));
    };
    refused({"run", family("gpt2"), "--ids", "3,4", "--source", "hello"}, "--ids and --source: expected one of them");
    refused({"run", family("bert-mlm"), "--ids", "3,4", "--second", "hello"},
            "--ids and --second: expected one of them");
    refused({"render", stored(), "--text", "0", "--source", "0", "--view", "window", "--out", "x.png"},
            "--text and --source: expected one of them");
  }

  // Of a line that is wrong, only what is wrong is said.
  void a_wrong_line_is_one_line() {
    const testing::Outcome outcome =
        headlight({"run", "attn_seq2seq", "--source", "5/3/99", "--beam", "3", "--edit", "nonsense"});
    QCOMPARE(outcome.status, 2);
    QVERIFY2(testing::is_one_line(outcome.error), qPrintable(outcome.error));
  }
};

HEADLIGHT_CORE_TEST(TestUnusedOptions)

}  // namespace headlight::test_unused_options

#include "test_unused_options.moc"
