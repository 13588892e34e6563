// Slips and suggestions, counted by hand.

#include <QTest>

#include "model/text/nearest.h"
#include "tests/test_program.h"

namespace headlight::test_nearest {

class TestNearest : public QObject {
  Q_OBJECT
 private slots:
  void slips_by_hand_data() {
    QTest::addColumn<QString>("a");
    QTest::addColumn<QString>("b");
    QTest::addColumn<int>("slips");
    QTest::newRow("the same") << "heads"
                              << "heads" << 0;
    QTest::newRow("nothing") << ""
                             << "" << 0;
    QTest::newRow("from nothing") << ""
                                  << "run" << 3;
    QTest::newRow("left out") << "date-atention"
                              << "date-attention" << 1;
    QTest::newRow("put in") << "runn"
                            << "run" << 1;
    QTest::newRow("changed") << "drrk"
                             << "dark" << 1;
    QTest::newRow("neighbours") << "trian"
                                << "train" << 1;
    QTest::newRow("kitten, Levenshtein's own") << "kitten"
                                               << "sitting" << 3;
    QTest::newRow("no letter is touched twice") << "ca"
                                                << "abc" << 3;  // Damerau's other distance says 2
  }
  void slips_by_hand() {
    QFETCH(QString, a);
    QFETCH(QString, b);
    QFETCH(int, slips);
    QCOMPARE(static_cast<int>(slips_between(a.toStdString(), b.toStdString())), slips);
    QCOMPARE(static_cast<int>(slips_between(b.toStdString(), a.toStdString())), slips);
  }

  void what_is_meant() {
    const std::vector<std::string> known = {"alignment", "heads", "query-key", "run"};
    QCOMPARE(nearest("alignmnt", known), std::string("alignment"));
    QCOMPARE(nearest("quer", known), std::string("query-key"));  // its beginning
    QCOMPARE(nearest("head", known), std::string("heads"));
    QCOMPARE(nearest("ruin", known), std::string("run"));
    for (const char* far : {"", "x", "he", "window", "heatmaps"}) QCOMPARE(nearest(far, known), std::string());
    QCOMPARE(nearest(std::string(100'000, 'a'), known), std::string());
    QCOMPARE(nearest("run", {}), std::string());
  }

  void ends_of_messages() {
    QCOMPARE(did_you_mean("haeds", {"heads"}), std::string("; did you mean 'heads'?"));
    QCOMPARE(did_you_mean("x", {"heads"}), std::string());
    QCOMPARE(did_you_mean_or("known: ", "haeds", {"heads", "run"}), std::string("; did you mean 'heads'?"));
    QCOMPARE(did_you_mean_or("known: ", "x", {"heads", "run"}), std::string("; known: heads, run"));
    const std::string many = did_you_mean_or("known: ", "x", std::vector<std::string>(1000, "a-name-of-twenty-abc"));
    QVERIFY(many.size() < 400);
    QVERIFY(many.ends_with(" more"));
  }
};

HEADLIGHT_TEST(TestNearest)

}  // namespace headlight::test_nearest

#include "test_nearest.moc"
