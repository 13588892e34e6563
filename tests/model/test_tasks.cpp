// The generated data: what a date looks like, that sums are sums, and that no test input is ever trained on.

#include <QRegularExpression>
#include <QSet>
#include <QtTest>
#include <chrono>

#include "model/training/optimiser.h"
#include "model/training/tasks/task.h"
#include "tests/test_program.h"

namespace headlight::test_tasks {

namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }

// An own reading of the surface forms, month names first; independent of the generator.
QString read_date(QString source) {
  static const QStringList months = {"jan", "feb", "mar", "apr", "may", "jun",
                                     "jul", "aug", "sep", "oct", "nov", "dec"};
  source = source.toLower();
  const auto numbers = [&] {
    QList<int> found;
    static const QRegularExpression digits("\\d+");
    for (auto i = digits.globalMatch(source); i.hasNext();) found << i.next().captured().toInt();
    return found;
  }();
  int year = 0, month = 0, day = 0;
  for (int m = 0; m < 12; ++m)
    if (QRegularExpression("\\b" + months[m]).match(source).hasMatch()) month = m + 1;
  if (month) {
    day = numbers.value(0);
    year = numbers.value(1);
  } else if (source.contains('.')) {
    day = numbers.value(0), month = numbers.value(1), year = numbers.value(2);
  } else if (numbers.value(0) > 999) {
    year = numbers.value(0), month = numbers.value(1), day = numbers.value(2);
  } else {
    month = numbers.value(0), day = numbers.value(1), year = numbers.value(2);
  }
  return QString("%1-%2-%3").arg(year, 4, 10, QChar('0')).arg(month, 2, 10, QChar('0')).arg(day, 2, 10, QChar('0'));
}

}  // namespace

class TestTasks : public QObject {
  Q_OBJECT

 private slots:
  void no_test_input_is_trained_on_data() {
    QTest::addColumn<QString>("name");
    for (const Task& task : tasks()) QTest::newRow(task.name.c_str()) << text(task.name);
  }
  void no_test_input_is_trained_on() {
    QFETCH(QString, name);
    const Task& task = find_task(name.toStdString());
    const TaskData small = generate(task, 1'000, 200), large = generate(task, 5'000, 500);
    QCOMPARE(small.train.size(), 1'000u);
    QCOMPARE(large.test.size(), 500u);
    const auto input = [&](const Example& e) { return text(task.distinct_targets ? e.target : e.source); };
    // The test part does not depend on the sizes, so that a model can be evaluated later with any of them.
    QSet<QString> held_out;
    for (std::size_t i = 0; i < large.test.size(); ++i) {
      held_out.insert(input(large.test[i]));
      if (i < 200) QCOMPARE(input(large.test[i]), input(small.test[i]));
    }
    QCOMPARE(held_out.size(), 500);
    QSet<QString> trained;
    for (const Example& example : large.train) {
      QVERIFY2(!held_out.contains(input(example)), example.source.c_str());
      trained.insert(input(example));
    }
    QCOMPARE(trained.size(), 5'000);
  }
  void same_seed_same_data() {
    const Task& task = find_task("date");
    const TaskData a = generate(task, 100, 10, 3), b = generate(task, 100, 10, 3), c = generate(task, 100, 10, 4);
    QCOMPARE(text(a.train[99].source), text(b.train[99].source));
    QVERIFY(a.train[99].source != c.train[99].source);
  }
  void too_many_examples_are_refused() {
    Task task = find_task("addition");
    task.draw = [](Random& random) { return Example{std::to_string(random.below(5)), "0000"}; };
    try {
      generate(task, 100, 10);
      QFAIL("nothing was thrown");
    } catch (const UsageError& error) {
      QCOMPARE(QString(error.what()),
               QString("the task 'addition' has only about 5 distinct examples; ask for fewer than 110"));
    }
  }

  void dates_mean_what_they_say_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("last");
    QTest::newRow("book") << "date" << 1970 << 2017;
    QTest::newRow("wide") << "date_wide" << 1950 << 2049;
  }
  void dates_mean_what_they_say() {
    QFETCH(QString, name);
    QFETCH(int, first);
    QFETCH(int, last);
    for (const Example& example : generate(find_task(name.toStdString()), 5'000, 100).train) {
      QString read = read_date(text(example.source));
      if (read.startsWith("00")) {  // two digits of a year: the century that lies in the range
        const int yy = read.mid(2, 2).toInt();
        read.replace(0, 2, 1900 + yy >= first ? "19" : "20");
      }
      QCOMPARE(text(example.target), read);
      const int year = read.left(4).toInt();
      QVERIFY(year >= first && year <= last);
      QVERIFY(example.source.size() <= 29);
    }
  }
  // models.md 8.1: a quarter numeric, a quarter with a weekday; of the texts half in title case.
  void dates_of_the_book_are_mixed_as_in_the_book() {
    int numeric = 0, weekday = 0, upper = 0, lower = 0;
    const TaskData data = generate(find_task("date"), 20'000, 10);
    for (const Example& example : data.train) {
      const QString source = text(example.source);
      numeric += source.contains('/');
      weekday += source.count(',') == 2;
      upper += !source.contains('/') && source == source.toUpper();
      lower += !source.contains('/') && source == source.toLower();
    }
    const double n = 20'000;
    // Numeric forms are drawn as often, but have the fewest distinct inputs.
    QVERIFY2(std::abs(numeric / n - 0.22) < 0.04, std::to_string(numeric / n).c_str());
    QVERIFY(std::abs(weekday / n - 0.25) < 0.03);
    QVERIFY(std::abs(upper / n - 0.19) < 0.02);
    QVERIFY(std::abs(lower / n - 0.19) < 0.02);
  }
  // Every digit that is written has its letters, and they tell the same number; beside them stand only signs and the
  // weekday.
  void fields_of_dates_are_where_they_say_data() { dates_mean_what_they_say_data(); }
  void fields_of_dates_are_where_they_say() {
    QFETCH(QString, name);
    static const QStringList months = {"jan", "feb", "mar", "apr", "may", "jun",
                                       "jul", "aug", "sep", "oct", "nov", "dec"};
    for (const Example& example : generate(find_task(name.toStdString()), 3'000, 10).train) {
      QString rest = text(example.source).toLower();
      QMap<QString, QString> written;
      QString covered(10, '-');
      for (const TextField& field : example.fields) {
        const auto at = static_cast<int>(field.source), count = static_cast<int>(field.source_count);
        QString letters = text(example.source).mid(at, count).toLower();
        rest.replace(at, count, QString(count, ' '));
        letters.remove(QRegularExpression("(?<=\\d)(st|nd|rd|th)$"));
        written[text(field.name)] = letters;
        for (Index t = field.target; t < field.target + field.target_count; ++t) covered[static_cast<int>(t)] = 'x';
      }
      QCOMPARE(covered, QString("xxxx-xx-xx"));
      const QStringList right = text(example.target).split('-');
      QVERIFY2(right[0].endsWith(written["year"]) && written["year"].size() >= 2, example.source.c_str());
      const QString month = written["month"];
      const int number = month[0].isDigit() ? month.toInt() : static_cast<int>(months.indexOf(month.left(3))) + 1;
      QCOMPARE(number, right[1].toInt());
      QCOMPARE(written["day"].toInt(), right[2].toInt());
      rest.remove(QRegularExpression("[a-z]+day,"));
      QVERIFY2(!QRegularExpression("[a-z0-9]").match(rest).hasMatch(), example.source.c_str());
    }
  }
  void weekdays_are_right() {
    int seen = 0;
    for (const Example& example : generate(find_task("date_wide"), 3'000, 10).train) {
      const QString source = text(example.source).toLower();
      if (!source.contains("day,")) continue;
      const QDate date = QDate::fromString(text(example.target), Qt::ISODate);
      QVERIFY(source.startsWith(QLocale(QLocale::English).dayName(date.dayOfWeek()).toLower() + ","));
      ++seen;
    }
    QVERIFY(seen > 100);
  }
  void sums_are_sums() {
    bool short_in_train = false, short_in_test = false;
    const TaskData data = generate(find_task("addition"), 45'000, 5'000);
    for (const auto* part : {&data.train, &data.test})
      for (const Example& example : *part) {
        const QStringList numbers = text(example.source).split('+');
        QCOMPARE(numbers.size(), 2);
        QCOMPARE(numbers[0].toInt() + numbers[1].toInt(), text(example.target).trimmed().toInt());
        QCOMPARE(example.target.size(), 4u);
        (part == &data.train ? short_in_train : short_in_test) |= example.source.size() == 3;
      }
    QVERIFY(short_in_train);  // "5+7" has to be learned as well
    QVERIFY(short_in_test);
  }

  // What holds for every task: the texts are spelled with its vocabulary, and the links point at tokens.
  void texts_and_links_fit_data() { no_test_input_is_trained_on_data(); }
  void texts_and_links_fit() {
    QFETCH(QString, name);
    const Task& task = find_task(name.toStdString());
    const TaskData data = generate(task, 1'500, 150);
    std::vector<const Example*> examples;
    for (const auto* part : {&data.train, &data.test})
      for (const Example& example : *part) {
        examples.push_back(&example);
        if (task.text.longest_source > 0)
          QVERIFY(static_cast<Index>(task.text.source.split(example.source).size()) <= task.text.longest_source);
      }
    for (const TestSet& set : data.outside) {
      QVERIFY2(set.examples.size() >= 100, set.name.c_str());
      for (const Example& example : set.examples) examples.push_back(&example);
    }
    for (const Example* example : examples) {
      const auto source = task.text.source.split(example->source), target = task.text.target.split(example->target);
      QVERIFY((!source.empty() || task.text.source_bos) && !target.empty());
      for (const TextToken& token : source) QVERIFY2(!token.unknown, (token.text + " in " + example->source).c_str());
      for (const TextToken& token : target) QVERIFY2(!token.unknown, (token.text + " in " + example->target).c_str());
      for (const Link& link : example->alignment) {
        QVERIFY(link.source >= 0 && link.source < static_cast<Index>(source.size()));
        QVERIFY(link.target >= 0 && link.target < static_cast<Index>(target.size()));
      }
      std::vector<TokenId> ids;
      for (const TextToken& token : target) ids.push_back(*token.id);
      QCOMPARE(text(task.text.target.join(ids)), text(example->target));
    }
    // What is offered to start from can be read.
    QVERIFY(!task.examples.empty() && !task.title.empty() && !task.description.empty());
    for (const std::string& example : task.examples)
      for (const TextToken& token : task.text.source.split(example)) QVERIFY2(!token.unknown, example.c_str());
    QVERIFY(task.outside.empty() || !task.grouped_by.empty());
  }
  void digits_are_copied_reversed_and_sorted_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"copy", "reverse", "sort"}) QTest::newRow(name) << name;
  }
  void digits_are_copied_reversed_and_sorted() {
    QFETCH(QString, name);
    const TaskData data = generate(find_task(name.toStdString()), 5'000, 500);
    QCOMPARE(data.outside.size(), std::size_t{10});
    QSet<int> lengths;
    const auto check = [&](const Example& example) {
      std::string expected = example.source;
      if (name == "reverse") std::reverse(expected.begin(), expected.end());
      if (name == "sort") std::sort(expected.begin(), expected.end());
      QCOMPARE(text(example.target), text(expected));
      QCOMPARE(example.alignment.size(), example.source.size());
      QSet<Index> used;
      for (const Link& link : example.alignment) {
        QCOMPARE(example.source[static_cast<std::size_t>(link.source)],
                 example.target[static_cast<std::size_t>(link.target)]);
        used.insert(link.source);
        if (name == "copy") QCOMPARE(link.source, link.target);
        if (name == "reverse") QCOMPARE(link.source + link.target + 1, static_cast<Index>(example.source.size()));
      }
      QCOMPARE(used.size(), static_cast<int>(example.source.size()));
      QCOMPARE(example.group, static_cast<int>(example.source.size()));
    };
    for (const Example& example : data.train) {
      check(example);
      lengths.insert(example.group);
    }
    QCOMPARE(lengths, (QSet<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    for (std::size_t i = 0; i < 10; ++i) {
      const TestSet& set = data.outside[i];
      QCOMPARE(text(set.name), QString("length-%1").arg(11 + i));
      QCOMPARE(set.examples.size(), std::size_t{200});
      for (const Example& example : set.examples) {
        check(example);
        QCOMPARE(example.source.size(), 11 + i);
      }
    }
  }
  void a_glimpse_finds_its_cell() {
    for (const Example& example : generate(find_task("glimpse"), 2'000, 100).train) {
      const QStringList words = text(example.source).split(' ');
      QCOMPARE(words.size(), 17);
      const int row = words[16].mid(1, 1).toInt(), column = words[16].mid(3, 1).toInt();
      QVERIFY(words[16].size() == 4 && row >= 1 && row <= 4 && column >= 1 && column <= 4);
      QCOMPARE(text(example.target), words[4 * (row - 1) + column - 1]);
      QVERIFY(example.alignment == (std::vector<Link>{{4 * (row - 1) + column - 1, 0}}));
    }
  }
  void the_bank_is_told_by_its_cue() {
    const QStringList shore = {"river", "lake", "canal", "stream"},
                      money = {"savings", "credit", "investment", "mortgage"};
    const TaskData data = generate(find_task("bank"), 5'000, 200);
    QSet<int> distances;
    const auto check = [&](const Example& example) {
      const QStringList words = text(example.source).split(' ');
      QCOMPARE(words.count("bank"), 1);
      int cue = -1, cues = 0;
      for (int i = 0; i < words.size(); ++i)
        if (shore.contains(words[i]) || money.contains(words[i])) ++cues, cue = i;
      QCOMPARE(cues, 1);
      QCOMPARE(text(example.target), QString(shore.contains(words[cue]) ? "shore" : "money"));
      QCOMPARE(static_cast<int>(std::abs(words.indexOf("bank") - cue)), example.group);
      QVERIFY(example.alignment == (std::vector<Link>{{cue, 0}}));
    };
    for (const Example& example : data.train) {
      check(example);
      distances.insert(example.group);
    }
    QCOMPARE(distances, (QSet<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
    for (std::size_t i = 0; i < data.outside.size(); ++i) {
      QCOMPARE(text(data.outside[i].name), QString("distance-%1").arg(13 + i));
      for (const Example& example : data.outside[i].examples) {
        check(example);
        QCOMPARE(example.group, static_cast<int>(13 + i));
      }
    }
  }

  void clipping_keeps_the_direction() {
    std::vector<Tensor> gradients = {Tensor::vector({3, 0}), Tensor::vector({4})};
    QCOMPARE(global_norm(gradients), 5.0);
    QCOMPARE(clip_global_norm(gradients, 10), 5.0);
    QCOMPARE(gradients[1][0], Scalar(4));
    QCOMPARE(clip_global_norm(gradients, 1), 5.0);
    QVERIFY(std::abs(static_cast<double>(gradients[0][0]) - 0.6) < 1e-6);
    QVERIFY(std::abs(static_cast<double>(gradients[1][0]) - 0.8) < 1e-6);
  }
};

HEADLIGHT_TEST(TestTasks)

}  // namespace headlight::test_tasks

#include "test_tasks.moc"
