// What is found by which words, and in which order: worked out by hand on small lists.

#include <QTest>

#include "app/find/index.h"
#include "app/find/words.h"
#include "tests/test_program.h"

namespace headlight::test_find_index {

namespace {

FindEntry entry(FindKind kind, const char* title, const char* second = "", const char* words = "",
                const char* text = "") {
  return {
      kind, QString::fromUtf8(title), QString::fromUtf8(second), QString::fromUtf8(words), QString::fromUtf8(text), {},
      {}};
}

QStringList titles(const FindIndex& index, const QString& typed) {
  QStringList all;
  const Found found = index.find(typed);
  if (found.nearest >= 0) all << "nearest: " + index[found.nearest].title;
  for (const Found::Group& group : found.groups)
    for (const int at : group.entries) all << index[at].title;
  return all;
}

}  // namespace

class TestFindIndex : public QObject {
  Q_OBJECT

 private slots:
  void capitals_accents_and_signs_do_not_matter_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("hyphen") << "Multi-Head Attention"
                            << " multi head attention";
    QTest::newRow("accents") << QString::fromUtf8("Où est l’été?") << " ou est l ete";
    QTest::newRow("accents of their own") << QString::fromUtf8("e\u0301te\u0301") << " ete";
    QTest::newRow("a site") << "decoder.step[5].attn_out"
                            << " decoder step 5 attn out";
    QTest::newRow("letters and characters")
        << QString::fromUtf8("Softmax（归一化）的") << QString::fromUtf8(" softmax 归一化 的");
    QTest::newRow("wide letters") << QString::fromUtf8("ＧＲＵ") << " gru";
    QTest::newRow("signs") << "- … ?"
                           << "";
  }
  void capitals_accents_and_signs_do_not_matter() {
    QFETCH(QString, text);
    QFETCH(QString, words);
    QCOMPARE(folded(text), words);
  }

  // The whole title, its beginning, words that stand together, words in another order; then what stands beside it, what
  // else it is called, and what is said of it.
  void titles_come_before_other_words() {
    const FindIndex index({entry(FindKind::action, "A", "", "", "About the dark mode of things."),
                           entry(FindKind::action, "B", "", "dark mode"), entry(FindKind::action, "C", "dark mode"),
                           entry(FindKind::action, "Mode that is dark"), entry(FindKind::action, "The dark mode"),
                           entry(FindKind::action, "Dark mode, always"), entry(FindKind::action, "Dark mode"),
                           entry(FindKind::action, "Something else")});
    QCOMPARE(titles(index, "dark mode"),
             QStringList({"Dark mode", "Dark mode, always", "The dark mode", "Mode that is dark", "C", "B", "A"}));
    QCOMPARE(index.find("dark mode").count, 7);
  }

  void the_beginning_of_each_word_is_enough_in_any_order() {
    const FindIndex index(
        {entry(FindKind::action, "Export the picture"), entry(FindKind::action, "Exploit picturesque")});
    QCOMPARE(titles(index, "pict exp"), QStringList({"Export the picture", "Exploit picturesque"}));
    QCOMPARE(titles(index, "  PICTURE   export "), QStringList("Export the picture"));
    QVERIFY(index.find("xport").nearest >= 0);  // not inside of a word
  }

  void equals_stay_in_their_order() {
    std::vector<FindEntry> all;
    for (int i = 0; i < 5; ++i) all.push_back(entry(FindKind::number, qPrintable(QString("step[%1].score").arg(i))));
    QCOMPARE(titles(FindIndex(std::move(all)), "score"),
             QStringList({"step[0].score", "step[1].score", "step[2].score", "step[3].score", "step[4].score"}));
  }

  // What is found by other words stands in the groups behind.
  void groups_whose_rows_show_the_word_come_first() {
    const FindIndex index({entry(FindKind::glossary, "Softmax"), entry(FindKind::setting, "Colours", "", "softmax"),
                           entry(FindKind::lesson, "Score, softmax, sum"), entry(FindKind::model, "M", "", "softmax"),
                           entry(FindKind::lesson, "Soft or hard", "", "softmax")});
    QCOMPARE(titles(index, "softmax"), QStringList({"Score, softmax, sum", "Soft or hard", "Softmax", "Colours", "M"}));
  }

  void steps_of_lessons_stand_behind_the_lessons() {
    std::vector<FindEntry> all = {entry(FindKind::lesson, "Attention is shared out"),
                                  entry(FindKind::lesson, "Looking back", "", "attention")};
    all[0].minor = true;
    const FindIndex index(std::move(all));
    QCOMPARE(titles(index, "attention"), QStringList({"Looking back", "Attention is shared out"}));
    QCOMPARE(titles(index, ""), QStringList("Looking back"));  // and are not offered unasked
    // Not each of them by the name of the lesson alone, which stands beside it.
    std::vector<FindEntry> steps = {entry(FindKind::lesson, "Shared out", "Looking back, step 1"),
                                    entry(FindKind::lesson, "Compared", "Looking back, step 2"),
                                    entry(FindKind::lesson, "Looking back")};
    steps[0].minor = steps[1].minor = true;
    const FindIndex named(std::move(steps));
    QCOMPARE(titles(named, "looking back"), QStringList("Looking back"));
    QCOMPARE(titles(named, "looking compared"), QStringList("Compared"));
  }

  void chinese_words_are_found_inside() {
    const FindIndex index({entry(FindKind::action, "改动归一化的方式"),
                           entry(FindKind::glossary, "Softmax", "", "归一化"),
                           entry(FindKind::glossary, "温度", "归一化之前先除以它")});
    // What explains it comes before what one does with it.
    QCOMPARE(titles(index, "归一化"), QStringList({"温度", "Softmax", "改动归一化的方式"}));
    QCOMPARE(titles(index, "softmax归一"), QStringList("Softmax"));
    QCOMPARE(titles(index, "归一花"), QStringList({"nearest: Softmax"}));
  }

  void what_has_a_hyphen_is_also_one_word() {
    const FindIndex index({entry(FindKind::glossary, "Multi-head attention")});
    for (const char* typed : {"multi-head", "multihead", "multi head", "Multi‐Head"})
      QCOMPARE(index.find(QString::fromUtf8(typed)).nearest, -1);
  }

  void nothing_has_the_name_so_the_nearest_is_offered_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("nearest");
    QTest::newRow("left out") << "sofmax"
                              << "Softmax";
    QTest::newRow("put in") << "softtmax"
                            << "Softmax";
    QTest::newRow("changed places") << "sfotmax"
                                    << "Softmax";
    QTest::newRow("the beginning") << "temprat"
                                   << "Temperature of all";
    QTest::newRow("another name") << "normalisasion"
                                  << "Softmax";
    QTest::newRow("two words") << "temperture al"
                               << "Temperature of all";
  }
  void nothing_has_the_name_so_the_nearest_is_offered() {
    QFETCH(QString, typed);
    QFETCH(QString, nearest);
    const FindIndex index({entry(FindKind::lesson, "Score, softmax, sum"),
                           entry(FindKind::glossary, "Temperature of all"),
                           entry(FindKind::glossary, "Softmax", "", "normalisation")});
    const Found found = index.find(typed);
    QVERIFY(found.nearest >= 0);
    QCOMPARE(index[found.nearest].title, nearest);
  }

  // What a title says so is near before what has it as another name; and not more than a handful of each.
  void what_else_is_near_follows() {
    const FindIndex index({entry(FindKind::lesson, "Score, softmax, sum"),
                           entry(FindKind::action, "Change the softmax"), entry(FindKind::glossary, "Softmax")});
    QCOMPARE(titles(index, "sofmax"), QStringList({"nearest: Softmax", "Score, softmax, sum", "Change the softmax"}));
    QCOMPARE(index.find("sofmax").count, 3);
    const Found none = index.find("qqqqqqq");
    QVERIFY(none.nearest < 0 && none.groups.empty() && none.count == 0);
    const Found unknown = index.find("zz");
    QVERIFY(unknown.nearest < 0 && unknown.groups.empty());
  }

  void signs_are_found_as_they_are() {
    const FindIndex index({entry(FindKind::token, "-"), entry(FindKind::token, "a-b"), entry(FindKind::token, ".")});
    QCOMPARE(titles(index, "-"), QStringList({"-", "a-b"}));
  }

  void of_nothing_typed_there_is_something_of_each_kind() {
    std::vector<FindEntry> all;
    for (const FindKind kind : {FindKind::token, FindKind::setting, FindKind::lesson, FindKind::number})
      for (int i = 0; i < 9; ++i) all.push_back(entry(kind, "x"));
    const Found found = FindIndex(std::move(all)).find(" ");
    QCOMPARE(found.count, 36);
    QCOMPARE(found.groups.size(), std::size_t{2});  // tokens and numbers only by their names
    QVERIFY(found.groups[0].kind == FindKind::lesson && found.groups[1].kind == FindKind::setting);
    QVERIFY(found.groups[0].entries.size() < 9 && found.groups[0].all == 9);
  }

  void long_groups_are_cut_and_say_how_many_there_are() {
    std::vector<FindEntry> all;
    for (int i = 0; i < 200; ++i) all.push_back(entry(FindKind::number, "weights"));
    for (const FindKind kind : {FindKind::lesson, FindKind::glossary}) all.push_back(entry(kind, "Weights"));
    const Found found = FindIndex(std::move(all)).find("weights");
    QCOMPARE(found.count, 202);
    QCOMPARE(found.groups.size(), std::size_t{3});
    QCOMPARE(found.groups[2].all, 200);
    QCOMPARE(found.groups[2].entries.size(), std::size_t{3});
  }

  // What explains a word, what one does with it, what is inside of a run; and a whole name is meant.
  void a_word_leads_to_what_explains_it() {
    std::vector<FindEntry> all = {entry(FindKind::action, "Mask: which may look"),
                                  entry(FindKind::picture, "Mechanism", "", "mask hide"),
                                  entry(FindKind::picture, "Ribbons", "", "", "The mask is not shown."),
                                  entry(FindKind::glossary, "Mask"),
                                  entry(FindKind::token, "mask"),
                                  entry(FindKind::action, "Explain"),
                                  entry(FindKind::picture, "How it came about", "", "explain why"),
                                  entry(FindKind::glossary, "BLEU", "", "", "And why it is no verdict.")};
    for (int i = 0; i < 9; ++i)
      all.push_back(entry(FindKind::number, qPrintable(QString("step[%1].scores_masked").arg(i))));
    const FindIndex index(std::move(all));
    QCOMPARE(titles(index, "mask"),
             QStringList({"Mask", "Mechanism", "Ribbons", "Mask: which may look", "mask", "step[0].scores_masked",
                          "step[1].scores_masked", "step[2].scores_masked"}));
    QCOMPARE(titles(index, "scores_masked").size(), 9);
    QCOMPARE(titles(index, "explain"), QStringList({"Explain", "How it came about"}));
    QCOMPARE(titles(index, "why"), QStringList("How it came about"));
  }

  void what_was_typed_is_marked_in_the_title() {
    using Parts = QList<std::pair<int, int>>;
    QCOMPARE(found_parts("Score, softmax, sum", "softm"), Parts({{7, 5}}));
    QCOMPARE(found_parts("Score, softmax, sum", "sum score"), Parts({{0, 5}, {16, 3}}));
    QCOMPARE(found_parts(QString::fromUtf8("改动归一化的方式"), QString::fromUtf8("归一化")), Parts({{2, 3}}));
    QCOMPARE(found_parts("decoder.step[5].attention", "step 5"), Parts({{8, 4}, {13, 1}}));
    QCOMPARE(found_parts("Alignment", "map"), Parts());
  }

  void students_words_lead_to_their_concepts() {
    QVERIFY(words_for({"softmax"}).contains(QString::fromUtf8("归一化")));
    QVERIFY(words_of("view:heads").contains("multi-head"));
    QVERIFY(words_of("page:mask").contains("causal"));
    QVERIFY(!words_of("view:alignment").contains('+'));  // each names a concept that there is
    QVERIFY(words_of("no such thing").isEmpty() && words_for({"no such thing"}).isEmpty());
  }
};

HEADLIGHT_TEST(TestFindIndex)

}  // namespace headlight::test_find_index

#include "test_find_index.moc"
