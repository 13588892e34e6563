// Answers that are typed: which forms are the same, what is never taken, which letters are marked; and that what is
// said of an answer agrees with what it counts for.

#include <QTest>

#include "app/classroom/answers/lesson_answers.h"
#include "app/classroom/answers/typed_answer.h"
#include "tests/test_program.h"

namespace headlight::test_typed_answers {

class TestTypedAnswers : public QObject {
  Q_OBJECT

 private slots:
  void forms_data() {
    QTest::addColumn<QString>("mine");
    QTest::addColumn<QString>("truth");
    QTest::addColumn<bool>("same");
    const auto row = [](const char* name, const char* mine, const char* truth, bool same) {
      QTest::newRow(name) << QString::fromUtf8(mine) << QString::fromUtf8(truth) << same;
    };
    row("itself", "1983-08-23", "1983-08-23", true);
    row("slashes", "1983/08/23", "1983-08-23", true);
    row("dots", "1983.08.23", "1983-08-23", true);
    row("in Chinese", "1983年08月23日", "1983-08-23", true);
    row("wide digits", "１９８３－０８－２３", "1983-08-23", true);
    row("another dash", "1983–08−23", "1983-08-23", true);
    row("spaces within", " 1983 - 08 - 23 ", "1983-08-23", true);
    row("capitals", "Voici Le Chien", "voici le chien", true);
    row("full stop", "voici le chien", "voici le chien.", true);
    row("quotes", "“kasa”", "kasa", true);
    row("digits apart", "3 1 4", "314", true);
    row("more spaces", "la  kasa", "la kasa", true);
    row("no padding", "1983-8-23", "1983-08-23", false);
    row("a letter", "1983-08-24", "1983-08-23", false);
    row("the other order", "23-08-1983", "1983-08-23", false);
    row("nothing between", "19830823", "1983-08-23", false);
    row("words run together", "lakasa", "la kasa", false);
    row("a number", "3-14", "3.14", false);
    row("sign", "5", "-5", false);
    row("accent", "cote", "coté", false);
    row("only a stop", ".", "a", false);
  }
  void forms() {
    QFETCH(QString, mine);
    QFETCH(QString, truth);
    QFETCH(bool, same);
    QCOMPARE(is_same_answer(mine, truth), same);
  }

  void letters_data() {
    QTest::addColumn<QString>("mine");
    QTest::addColumn<QString>("truth");
    QTest::addColumn<QString>("marks");  // + right, x wrong, _ missing
    QTest::newRow("right") << "314"
                           << "314"
                           << "+++";
    QTest::newRow("one") << "1983-07-23"
                         << "1983-08-23"
                         << "++++++x+++";
    QTest::newRow("missing") << "1983-8-23"
                             << "1983-08-23"
                             << "+++++_++++";
    QTest::newRow("too many") << "3114"
                              << "314"
                              << "+x++";
    QTest::newRow("none") << "abc"
                          << "314"
                          << "xxx";
    QTest::newRow("slashes") << "1983/08/24"
                             << "1983-08-23"
                             << "+++++++++x";
  }
  void letters() {
    QFETCH(QString, mine);
    QFETCH(QString, truth);
    QFETCH(QString, marks);
    QString found, typed;
    for (const TypedLetter& each : typed_letters(mine, truth)) {
      found += each.kind == TypedLetter::Kind::right ? '+' : each.kind == TypedLetter::Kind::wrong ? 'x' : '_';
      if (each.kind != TypedLetter::Kind::missing) typed += each.letter;
    }
    QCOMPARE(found, marks);
    QCOMPARE(typed.size(), mine.size());
  }

  void what_is_said_agrees_with_what_it_counts_for() {
    LessonStep step;
    step.kind = LessonStep::Kind::predict;
    step.answer.kind = LessonAnswer::Kind::number;
    step.answer.unit = "%";
    const auto said = [&](double mine) { return distance_text(mine, 57., step, {}); };
    const auto worth = [&](double mine) { return worth_of(mine, 57., step, {}); };
    QCOMPARE(said(57), QStringLiteral("Right."));
    QVERIFY(worth(57) == Worth::right && worth(60) == Worth::close && worth(20) == Worth::wrong);
    QCOMPARE(said(60), QStringLiteral("Close: 3 points off."));
    QCOMPARE(said(20), QStringLiteral("37 points off."));
    step.answer.kind = LessonAnswer::Kind::text;
    const auto of_text = [&](const char* mine) {
      return distance_text(std::string(mine), std::string("1983-08-23"), step, {});
    };
    QCOMPARE(of_text("1983-08-23"), QStringLiteral("Right."));
    QCOMPARE(of_text("1983/08/23"), QStringLiteral("Right: it is taken as 1983-08-23."));
    QCOMPARE(of_text("1983-07-23"), QStringLiteral("9 of 10 letters are right."));
  }

  // Whoever chooses everything has all of the attention, and is not right.
  void everything_is_no_answer() {
    LessonStep step;
    step.kind = LessonStep::Kind::predict;
    step.answer.kind = LessonAnswer::Kind::tokens;
    AnswerFacts facts;
    facts.weights = NumberList{{4}, {0.02, 0.9, 0.05, 0.03}, true};
    const Places truth{Places::Of::source, {1}, {}}, all{Places::Of::source, {0, 1, 2, 3}, {}};
    QVERIFY(worth_of(all, truth, step, facts) == Worth::close && worth_of(truth, truth, step, facts) == Worth::right);
    QCOMPARE(distance_text(all, truth, step, facts),
             QStringLiteral("What you chose gets 100 % of the attention. What is marked gets 90 % alone."));
  }
};

HEADLIGHT_WIDGET_TEST(TestTypedAnswers)

}  // namespace headlight::test_typed_answers

#include "test_typed_answers.moc"
