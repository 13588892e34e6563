// What a task says of itself is what it draws: no drawn example is called a misfit, and what is called right is what
// the example has for its target.

#include <QTest>

#include "model/text/tokenizer.h"
#include "model/training/tasks/task.h"
#include "tests/test_program.h"

namespace headlight::test_learned {

class TestLearned : public QObject {
  Q_OBJECT

 private slots:
  void no_drawn_example_is_a_misfit_data() {
    QTest::addColumn<QString>("name");
    for (const Task& task : tasks())
      if (task.learned.misfit) QTest::newRow(task.name.c_str()) << QString::fromStdString(task.name);
  }
  void no_drawn_example_is_a_misfit() {
    QFETCH(QString, name);
    const Task& task = find_task(name.toStdString());
    Random random(5, Random::Stream::data);
    for (int i = 0; i < 3000; ++i) {
      const Example example = task.draw(random);
      QVERIFY2(task.learned.misfit(example.source) == Misfit::none, example.source.c_str());
      // And what it begins with is at most not finished.
      const std::string begun = example.source.substr(0, example.source.size() / 2);
      const Misfit of_begun = task.learned.misfit(begun);
      QVERIFY2(of_begun == Misfit::none || of_begun == Misfit::unfinished, begun.c_str());
    }
  }

  // The same date in every form, read back by the forms: fourteen different texts, all drawn by the task.
  void dates_come_in_all_forms() {
    const Learned& wide = learned_by("date_wide");
    QCOMPARE(wide.first, 1950);
    QCOMPARE(wide.last, 2049);
    QCOMPARE(wide.forms, 14);
    std::set<std::string> texts = {"November 3, 2016"};
    for (const Learned::Text& each : wide.tries("November 3, 2016")) {
      QCOMPARE(each.right, std::string("2016-11-03"));
      QVERIFY2(wide.misfit(each.text) == Misfit::none, each.text.c_str());
      texts.insert(each.text);
    }
    const std::set<std::string> expected = {"11/3/16",
                                            "11/3/2016",
                                            "11/03/2016",
                                            "Nov 3, 2016",
                                            "November 3, 2016",
                                            "Thursday, November 3, 2016",
                                            "3 November 2016",
                                            "3 Nov 2016",
                                            "2016/11/3",
                                            "2016-11-03",
                                            "3.11.2016",
                                            "03.11.2016",
                                            "November 3rd, 2016",
                                            "November 3 2016"};
    QCOMPARE(texts, expected);
    QVERIFY(wide.misfit(wide.beyond("November 3, 2016").text) == Misfit::form);
    QCOMPARE(wide.beyond("November 3, 2016").right, std::string("2016-11-03"));
  }

  void dates_outside_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("misfit");
    const auto row = [](const char* text, Misfit misfit) { QTest::newRow(text) << text << static_cast<int>(misfit); };
    row("November 22, 2026", Misfit::none);
    row("NOVEMBER 22, 2026", Misfit::none);
    row("november 22, 2026", Misfit::none);
    row("Sunday, November 22, 2026", Misfit::none);
    row("12/31/49", Misfit::none);
    row("1/1/50", Misfit::none);
    row("20261122", Misfit::form);
    row("nOvember 22, 2026", Misfit::form);  // letters as nobody draws them
    row("1/02/26", Misfit::form);            // one zero in front
    row("22nd November 2026", Misfit::form);
    row("22-11-2026", Misfit::form);
    row("see you", Misfit::other);
    row("hello 2001", Misfit::other);
    row("5 may", Misfit::unfinished);
    row("may the 5th", Misfit::form);
    row("31415926", Misfit::form);
    row("November 22, 1949", Misfit::year);
    row("2050-01-01", Misfit::year);
    row("February 30, 2026", Misfit::day);
    row("2026-02-29", Misfit::day);
    row("2028-02-29", Misfit::none);
    row("13/1/26", Misfit::day);
    row("Monday, November 22, 2026", Misfit::weekday);
    row("November 22nd, 2026", Misfit::none);
    row("November 22th, 2026", Misfit::form);
    row("Nov", Misfit::unfinished);
    row("November 2", Misfit::unfinished);
    row("2026-1", Misfit::unfinished);
    row("wedn", Misfit::unfinished);
    row("", Misfit::none);
  }
  void dates_outside() {
    QFETCH(QString, text);
    QFETCH(int, misfit);
    QCOMPARE(static_cast<int>(learned_by("date_wide").misfit(text.toStdString())), misfit);
  }

  void the_book_has_fewer_years_and_forms() {
    const Learned& book = learned_by("date");
    QCOMPARE(book.forms, 4);
    QVERIFY(book.misfit("8/14/05") == Misfit::none);
    QVERIFY(book.misfit("8/14/25") == Misfit::year);
    QVERIFY(book.misfit("2005-08-14") == Misfit::form);
  }

  void sums_and_grids_data() {
    QTest::addColumn<QString>("task");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("misfit");
    const auto row = [](const char* task, const char* text, Misfit misfit) {
      QTest::addRow("%s: %s", task, text) << task << text << static_cast<int>(misfit);
    };
    row("addition", "0+999", Misfit::none);
    row("addition", "12+", Misfit::unfinished);
    row("addition", "12", Misfit::unfinished);
    row("addition", "1234+1", Misfit::form);
    row("addition", "012+1", Misfit::form);
    row("addition", "1+2+3", Misfit::form);
    row("copy", "2026", Misfit::none);
    row("copy", "May 5", Misfit::form);
    row("glimpse", "a b c d e f g h i j a b c d e f R2C3", Misfit::none);
    row("glimpse", "a b c d e f g h i j a b c d e f", Misfit::unfinished);
    row("glimpse", "a b c r2c3", Misfit::form);
    row("glimpse", "a b c d e f g h i j a b c d e f r5c1", Misfit::form);
  }
  void sums_and_grids() {
    QFETCH(QString, task);
    QFETCH(QString, text);
    QFETCH(int, misfit);
    QCOMPARE(static_cast<int>(learned_by(task.toStdString()).misfit(text.toStdString())), misfit);
  }

  // What is offered to try is one of its texts, what is shown as strange is none, and what is called right is right.
  void tries_are_its_own_data() {
    QTest::addColumn<QString>("name");
    for (const Task& task : tasks())
      if (task.learned.tries) QTest::newRow(task.name.c_str()) << QString::fromStdString(task.name);
  }
  void tries_are_its_own() {
    QFETCH(QString, name);
    const Task& task = find_task(name.toStdString());
    const auto odd = [&](const std::string& text) {
      const std::vector<TextToken> tokens = task.text.source.split(text);
      return std::any_of(tokens.begin(), tokens.end(), [](const TextToken& token) { return token.unknown; }) ||
             (task.learned.misfit && task.learned.misfit(text) != Misfit::none) ||
             (task.text.longest_source > 0 && static_cast<Index>(tokens.size()) > task.text.longest_source);
    };
    QVERIFY(!task.learned.tries({}).empty());
    for (const Learned::Text& each : task.learned.tries({})) QVERIFY2(!odd(each.text), each.text.c_str());
    if (task.learned.beyond) QVERIFY2(odd(task.learned.beyond({}).text), task.learned.beyond({}).text.c_str());
  }

  void what_is_right_is_right() {
    const auto right = [](const char* task, const char* text) -> std::string {
      for (const Learned::Text& each : learned_by(task).tries({}))
        if (each.text == text) return each.right;
      return "not offered";
    };
    QCOMPARE(right("addition", "999+1"), std::string("1000"));
    QCOMPARE(right("copy", "31415926"), std::string("31415926"));
    QCOMPARE(right("reverse", "31415926"), std::string("62951413"));
    QCOMPARE(right("sort", "31415926"), std::string("11234569"));
    // Row 2, column 2 of j j j j / j a j j / ...
    QCOMPARE(right("glimpse", "j j j j j a j j j j j j j j j j r2c2"), std::string("a"));
    QCOMPARE(learned_by("bits_copy").beyond({}).right, std::string("Longer than it was trained on"));
  }

  void nobody_knows_what_others_learned() {
    QVERIFY(learned_by("").kind == Learned::Kind::unknown);
    QVERIFY(learned_by("something else").kind == Learned::Kind::unknown);
    QVERIFY(learned_by("pairs").kind == Learned::Kind::pairs);
  }
};

HEADLIGHT_TEST(TestLearned)

}  // namespace headlight::test_learned

#include "test_learned.moc"
