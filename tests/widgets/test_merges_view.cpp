// The view of word pieces: layout, words, keyboard, table and what it says.

#include <QApplication>
#include <QTest>

#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/base/selection.h"
#include "widgets/views/merges/merges_view.h"

namespace headlight::test_merges_view {

namespace {

// The model of words reads bytes pairs instead: rules 1: l + o, 2: lo + w.
std::shared_ptr<const Result> read_by_pairs(const std::string& text) {
  auto bundle = std::make_shared<ModelBundle>(*load_model("tatoeba-transformer"));
  const std::vector<std::string> tokens =
      with_special_tokens({"l", "l</w>", "o", "o</w>", "w", "w</w>", "s", "s</w>", "lo", "low"});
  bundle->text.source = Tokenizer(Vocabulary(tokens), TokenizerKind::bpe, false, {{"l", "o"}, {"lo", "w"}});
  auto result = std::make_shared<Result>();
  result->model = bundle;
  result->source = text;
  result->tokens = bundle->text.source.split(text);
  return result;
}

}  // namespace

class TestMergesView : public QObject {
  Q_OBJECT

 private slots:
  // Two characters of 30 pixels; an arc over both and one over each need two lines.
  void arcs_stand_on_the_first_free_line() {
    MergesNeeds needs;
    needs.words = {20};
    needs.rows = {{10, 10}, {30}};
    needs.arcs = {{0, 1}, {0, 2}, {1, 2}};
    needs.arc = 30;
    const MergesLayout made = MergesLayout::of(needs, 400);
    QCOMPARE(made.arcs.size(), std::size_t{3});
    QCOMPARE(made.arcs[0].top(), made.arcs[2].top());
    QVERIFY(made.arcs[1].top() > made.arcs[0].bottom());
    QCOMPARE(made.arcs[2].left() - made.arcs[0].left(), 30.0);
    QVERIFY(made.rows[1].pieces[0].top() > made.arcs[1].bottom());
    const MergesPlace arc{MergesPlace::Kind::arc, -1, 1};
    QVERIFY(made.place_at(made.rect(arc).center()) == arc);
    QVERIFY(made.place_at({-5, -5}) == MergesPlace{});
  }

  void steps_by_keyboard() {
    Selection selection;
    MergesView view({&selection, nullptr});
    view.resize(640, 400);
    view.show();
    view.set_result(read_by_pairs("lows slow"));
    QCOMPARE(view.cuts().size(), std::size_t{2});
    QCOMPARE(view.word(), 0);
    // l o w s, lo w s, low s.
    QVERIFY((view.cursor() == MergesPlace{MergesPlace::Kind::piece, 2, 0}));
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY((view.cursor() == MergesPlace{MergesPlace::Kind::piece, 2, 1}));
    QTest::keyClick(&view, Qt::Key_Up);
    QTest::keyClick(&view, Qt::Key_Up);
    QTest::keyClick(&view, Qt::Key_Up);
    QVERIFY((view.cursor() == MergesPlace{MergesPlace::Kind::piece, 0, 1}));
    // The o is merged next, the w is not.
    QVERIFY(view.place_tooltip({MergesPlace::Kind::piece, 0, 1}).contains(QStringLiteral("merged in the next step")));
    QVERIFY(!view.place_tooltip({MergesPlace::Kind::piece, 0, 2}).contains(QStringLiteral("merged in the next step")));
    QVERIFY(view.place_tooltip({MergesPlace::Kind::piece, 1, 0}).contains(QStringLiteral("Rule 1")));
    QTest::keyClick(&view, Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(view.word(), 1);
    QVERIFY(selection.state().source_token.has_value());
    QVERIFY(view.accessibleName().contains(QStringLiteral("slow")));
  }

  void type_grows_where_there_is_room() {
    MergesView view;
    view.resize(240, 120);
    view.show();
    view.set_result(read_by_pairs("lows slow"));
    const double small = view.merges_layout().rows.back().pieces.front().height();
    view.resize(1200, 800);
    QApplication::processEvents();
    const double large = view.merges_layout().rows.back().pieces.front().height();
    QVERIFY2(large > 1.2 * small && large < 1.7 * small, qPrintable(QString("%1, %2").arg(small).arg(large)));
  }

  // "low" of "slow" ends the word: no rule has w</w>.
  void table_and_selection() {
    Selection selection;
    MergesView view({&selection, nullptr});
    view.show();
    view.set_result(read_by_pairs("lows slow"));
    const QAbstractItemModel& table = *view.table();
    QCOMPARE(table.rowCount(), 3);
    QCOMPARE(table.index(1, 1).data().toString(), QStringLiteral("l + o"));
    QCOMPARE(table.index(2, 2).data().toString(), QStringLiteral("low s"));
    SelectionState last;
    last.source_token = 3;  // low s | s lo w: "lo"
    selection.set(last);
    QCOMPARE(view.word(), 1);
    QCOMPARE(table.rowCount(), 2);
    QCOMPARE(table.index(1, 2).data().toString(), QStringLiteral("s lo w"));
    view.set_result(nullptr);
    QCOMPARE(table.rowCount(), 0);
  }
};

HEADLIGHT_WIDGET_TEST(TestMergesView)

}  // namespace headlight::test_merges_view

#include "test_merges_view.moc"
