// The tasks of the Neural Turing Machine: what is asked for, written again here, and vocabularies that are bits.

#include <QSet>
#include <QtTest>

#include "model/text/utf8.h"
#include "model/training/batch.h"
#include "model/training/tasks/task.h"
#include "tests/test_program.h"

namespace headlight::test_machine_tasks {

namespace {

// Characters of a text by Qt's reading of UTF-8; all of ours are one UTF-16 unit.
QString text(const std::string& s) { return QString::fromStdString(s); }

std::vector<Example> drawn(const char* name) { return generate(find_task(name), 3'000, 100).train; }

}  // namespace

class TestMachineTasks : public QObject {
  Q_OBJECT
 private slots:
  void vocabularies_are_bits_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("size");
    QTest::newRow("bits_copy") << "bits_copy" << 64;
    QTest::newRow("bits_copy_8") << "bits_copy_8" << 256;
    QTest::newRow("repeat_copy") << "repeat_copy" << 64;
    QTest::newRow("assoc_recall") << "assoc_recall" << 64;
  }
  void vocabularies_are_bits() {
    QFETCH(QString, name);
    QFETCH(int, size);
    const Task& task = find_task(name.toStdString());
    for (const Tokenizer& side : {task.text.source, task.text.target}) {
      QCOMPARE(side.vocabulary().size(), Index{size});
      for (const std::string& token : side.vocabulary().tokens()) {
        QVERIFY(is_utf8(token));
        QCOMPARE(text(token).size(), 1);
        QVERIFY(text(token)[0].isPrint());
      }
    }
    QVERIFY(!task.text.pad);
    // Everything that is drawn and shown can be read.
    std::vector<Example> examples = generate(task, 500, 50).train;
    const Dataset data(task, examples);
    for (const std::string& example : task.examples)
      for (const TextToken& token : task.text.source_tokens(example)) QVERIFY2(token.id, example.c_str());
    for (const OutsideRange& range : task.outside) {
      Random random(1, Random::Stream::data, 0);
      QVERIFY(Dataset(task, {range.draw(random)}).source_width() > task.text.longest_source);
    }
  }
  void copies_data() {
    QTest::addColumn<QString>("name");
    QTest::newRow("6 bits") << "bits_copy";
    QTest::newRow("8 bits") << "bits_copy_8";
  }
  void copies() {
    QFETCH(QString, name);
    QSet<int> lengths;
    QSet<QChar> used;
    for (const Example& example : drawn(name.toUtf8().constData())) {
      QCOMPARE(text(example.target), text(example.source));
      const auto length = static_cast<int>(text(example.source).size());
      QCOMPARE(example.group, length);
      QCOMPARE(example.alignment.size(), static_cast<std::size_t>(length));
      lengths.insert(length);
      for (const QChar c : text(example.source)) used.insert(c);
    }
    QCOMPARE(lengths.size(), 20);
    QVERIFY(!lengths.contains(0) && !lengths.contains(21));
    QCOMPARE(static_cast<Index>(used.size()), find_task(name.toStdString()).text.source.vocabulary().size());
  }
  void repeats() {
    QSet<int> lengths, counts;
    for (const Example& example : drawn("repeat_copy")) {
      const QString source = text(example.source), what = source.chopped(1);
      const int times = source.last(1).toInt();
      QCOMPARE(text(example.target), what.repeated(times));
      QVERIFY(!source.contains('.') && !source.contains(' '));
      QCOMPARE(example.group, static_cast<int>(what.size()));
      for (const Link& link : example.alignment)
        QCOMPARE(source[static_cast<int>(link.source)], text(example.target)[static_cast<int>(link.target)]);
      QCOMPARE(example.alignment.size(), example.target.size());
      lengths.insert(example.group);
      counts.insert(times);
    }
    QCOMPARE(lengths, QSet<int>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    QCOMPARE(counts, QSet<int>({1, 2, 3, 4, 5, 6, 7, 8, 9}));
    // The full stop that ends the output is its end sign.
    const Task& task = find_task("repeat_copy");
    const Batch batch = Dataset(task, {{"ab2", "abab", {}, 2}}).batch(std::vector<std::uint32_t>{0}, 0, 1);
    QCOMPARE(batch.targets.dim(1), Index{5});
    QCOMPARE(task.text.target.vocabulary().text(static_cast<TokenId>(batch.targets[4])), std::string("."));
  }
  void recall() {
    QSet<int> sizes, asked_places;
    for (const Example& example : drawn("assoc_recall")) {
      const QStringList parts = text(example.source).split('.');
      QCOMPARE(parts.size(), 2);
      const QStringList items = parts[0].split(' ');
      QCOMPARE(QSet<QString>(items.begin(), items.end()).size(), items.size());
      for (const QString& item : items) QCOMPARE(item.size(), 3);
      const auto asked = static_cast<int>(items.indexOf(parts[1]));
      QVERIFY(asked >= 0 && asked + 1 < items.size());
      QCOMPARE(text(example.target), items[asked + 1]);
      QCOMPARE(example.group, static_cast<int>(items.size()));
      for (const Link& link : example.alignment)
        QCOMPARE(text(example.source)[static_cast<int>(link.source)],
                 text(example.target)[static_cast<int>(link.target)]);
      QCOMPARE(example.alignment.size(), 3u);
      sizes.insert(example.group);
      asked_places.insert(asked);
    }
    QCOMPARE(sizes, QSet<int>({2, 3, 4, 5, 6}));
    QCOMPARE(asked_places, QSet<int>({0, 1, 2, 3, 4}));
  }
};

HEADLIGHT_TEST(TestMachineTasks)

}  // namespace headlight::test_machine_tasks

#include "test_machine_tasks.moc"
