// The ways of the inspector: from a probability back to a weight and to an input, its history, the selection, new runs,
// edits.

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QTest>
#include <cmath>

#include "model/io/model_folder.h"
#include "model/ops/basic.h"
#include "tests/test_program.h"
#include "tests/widgets/trace_fixture.h"
#include "widgets/base/text_button.h"
#include "widgets/base/theme.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/inspector/inspector_words.h"

namespace headlight::test_inspector_ways {

namespace {

bool shows(const InspectorView& view, const QString& text) {
  for (const QLabel* label : view.findChildren<QLabel*>())
    if (label->isVisibleTo(&view) && (label->text().contains(text) || label->accessibleName() == text)) return true;
  return false;
}

std::string shown(const InspectorView& view) { return view.shown() ? view.shown()->text() : std::string(); }

// Opens the first factor whose place begins with `name`, as a person would: with the keyboard.
bool open_factor(InspectorView& view, const std::string& name) {
  ExplanationModel& model = *view.model();
  for (int row = 0; row < model.rowCount(); ++row) {
    for (int column = 1; column < model.value_column(); ++column) {
      const QModelIndex index = model.index(row, column);
      const Cell* cell = model.cell(index);
      if (!cell || index.data(ExplanationModel::kFactorRole).toInt() < 0) continue;
      if (model.location(*cell).name.rfind(name, 0) != 0) continue;
      view.table()->setCurrentIndex(index);
      QTest::keyClick(view.table(), Qt::Key_Return);
      return true;
    }
  }
  return false;
}

// Types over what the field holds.
void type_over(InspectorView& view, const QString& text) {
  view.edit_field()->selectAll();
  QTest::keyClicks(view.edit_field(), text);
}

}  // namespace

class TestInspectorWays : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { Theme::instance().set_font_scale(1); }
  void from_a_probability_to_a_weight_and_an_input();
  void a_click_selects_and_a_double_click_goes_in();
  void back_comes_to_the_same_place();
  void says_where_it_goes();
  void the_field_holds_the_present_number();
  void the_way_here_is_a_menu();
  void every_cell_opens();
  void history_goes_back_and_forward();
  void linked_with_the_selection();
  void keeps_the_number_while_typing();
  void keeps_head_row_and_column_while_typing();
  void edits_by_keyboard();
  void edits_that_cannot_be();
};

void TestInspectorWays::from_a_probability_to_a_weight_and_an_input() {
  const Result result = small_result("abc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.model()->set_order(ExplanationModel::Order::position);  // the way does not depend on the weights
  view.show();
  QVERIFY(shows(view, QStringLiteral("Click any number")));
  view.open(result.trace->find("decoder.step[1].output.probs"), 2);
  QVERIFY(shows(view, QStringLiteral("Output probabilities of step 2")));
  QVERIFY(shows(view, QStringLiteral("token ‘1’ (3)")));
  QVERIFY(shows(view, QStringLiteral("p = softmax(z)")));
  QVERIFY(open_factor(view, "decoder.step[1].output.logits"));
  QVERIFY(open_factor(view, "decoder.affine.W"));
  QVERIFY(view.shown()->kind == Location::Kind::parameter);
  QVERIFY(shows(view, QStringLiteral("A weight, learned in training")));
  QCOMPARE(view.model()->rowCount(), 0);  // a leaf
  // The other way leads over the context and the encoder to the token that was typed.
  view.back();
  for (const char* site : {"decoder.step[1].readout", "decoder.step[1].attention.context", "encoder.states",
                           "encoder.step", "encoder.step", "encoder.step", "encoder.embed.out", "input.src.ids"})
    QVERIFY2(open_factor(view, site), (shown(view) + " -> " + site).c_str());
  view.open(result.trace->find("encoder.step[0].lstm.pre"), 1);
  QVERIFY(open_factor(view, "encoder.embed.out"));
  QVERIFY(open_factor(view, "input.src.ids"));
  QCOMPARE(shown(view), std::string("input.src.ids[0]"));
  QVERIFY(shows(view, QStringLiteral("of the vocabulary is ‘c’")));  // the encoder reads from the end
}

void TestInspectorWays::a_click_selects_and_a_double_click_goes_in() {
  const Result result = small_result("abc");
  InspectorView view;
  view.resize(600, 700);
  view.set_trace(result.trace, trace_labels(result));
  view.show();
  view.open(result.trace->find("decoder.step[1].attention.weights"), 2);
  const QModelIndex place = view.model()->index(1, 1);
  const std::string there = view.model()->location(*view.model()->cell(place)).text();
  const QPoint at = view.table()->visualRect(place).center();
  QTest::mouseClick(view.table()->viewport(), Qt::LeftButton, {}, at);
  QCOMPARE(shown(view), std::string("decoder.step[1].attention.weights[2]"));
  QCOMPARE(view.table()->currentIndex(), place);
  QTest::mouseDClick(view.table()->viewport(), Qt::LeftButton, {}, at);
  QCOMPARE(shown(view), there);
  QVERIFY(there.starts_with("decoder.step[1].attention.scores["));
  // The whole term leads to its first number.
  view.back();
  view.table()->setCurrentIndex(view.model()->index(1, view.model()->value_column()));
  QTest::keyClick(view.table(), Qt::Key_Return);
  QCOMPARE(shown(view), there);
}

void TestInspectorWays::back_comes_to_the_same_place() {
  const Result result = small_result("abcabcabcabcabcabcabcabcabcabc");
  InspectorView view;
  view.resize(420, 560);
  view.set_trace(result.trace, trace_labels(result));
  view.show();
  view.open(result.trace->find("decoder.step[1].attention.weights"), 20);
  QScrollBar* bar = view.table()->verticalScrollBar();
  QCOMPARE(bar->value(), 0);  // the list starts at the term in question
  const QModelIndex far = view.model()->index(25, 1);
  view.table()->setCurrentIndex(far);
  view.table()->scrollTo(far);
  const int scrolled = bar->value();
  QVERIFY(scrolled > 0);
  QTest::keyClick(view.table(), Qt::Key_Return);
  QVERIFY(shown(view).starts_with("decoder.step[1].attention.scores["));
  QCOMPARE(bar->value(), 0);
  view.back();
  QCOMPARE(view.table()->currentIndex().row(), 25);
  QCOMPARE(bar->value(), scrolled);
  // A new run of the same text leaves it there.
  view.set_trace(result.trace, trace_labels(result));
  QCOMPARE(bar->value(), scrolled);
}

void TestInspectorWays::says_where_it_goes() {
  const Result result = small_result("abc");
  InspectorView view;
  view.resize(420, 800);
  view.set_trace(result.trace, trace_labels(result));
  view.show();
  const int weights = result.trace->find("decoder.step[1].attention.weights");
  QCOMPARE(consumers_of(*result.trace, weights, 1),
           (std::vector<int>{result.trace->find("decoder.step[1].attention.context")}));
  view.open(weights, 2);
  const QString share =
      QString::number(100 * static_cast<double>(result.trace->value("decoder.step[1].attention.weights")[2]), 'f', 0);
  QVERIFY(shows(view, share + " % of the"));
  QLabel* links = nullptr;
  for (QLabel* label : view.findChildren<QLabel*>())
    if (label->text().contains("href")) links = label;
  QVERIFY(links && links->isVisible());
  emit links->linkActivated(QString::number(result.trace->find("decoder.step[1].attention.context")));
  QCOMPARE(shown(view), std::string("decoder.step[1].attention.context[0]"));
  view.back();
  const int probabilities = result.trace->find("decoder.step[1].output.probs");
  QVERIFY(links->text().contains(QString("href=\"%1\"").arg(probabilities)));
  emit links->linkActivated(QString::number(probabilities));
  Index best = 0;
  (*result.trace)[probabilities].value.array().maxCoeff(&best);
  QCOMPARE(shown(view), "decoder.step[1].output.probs[" + std::to_string(best) + "]");
}

void TestInspectorWays::the_field_holds_the_present_number() {
  const Result longer = small_result("abcab"), shorter = small_result("abc");
  InspectorView view;
  view.set_trace(longer.trace, trace_labels(longer));
  view.resize(300, 700);
  view.show();
  view.open(longer.trace->find("decoder.step[1].attention.scores"), 2);
  const auto now = [&] { return static_cast<Scalar>(view.model()->explanation().value); };
  QCOMPARE(view.edit_field()->text().toFloat(), now());
  QVERIFY(view.edit_field()->width() >= 110);
  view.set_trace(shorter.trace, trace_labels(shorter));
  QCOMPARE(view.edit_field()->text().toFloat(), now());
  // What is being typed is not overwritten by a new run, but it does not go to another number.
  type_over(view, QStringLiteral("12"));
  view.set_trace(longer.trace, trace_labels(longer));
  QCOMPARE(view.edit_field()->text(), QStringLiteral("12"));
  view.open(longer.trace->find("decoder.step[1].attention.scores"), 1);
  QCOMPARE(view.edit_field()->text().toFloat(), now());
  view.edit_kinds()->setCurrentIndex(view.edit_kinds()->findData(int(Intervention::Kind::scale)));
  QCOMPARE(view.edit_field()->text(), QStringLiteral("1"));
}

void TestInspectorWays::the_way_here_is_a_menu() {
  const Result result = small_result("abc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.resize(700, 500);
  view.show();
  view.open(result.trace->find("decoder.step[1].attention.weights"), 2);
  view.open(result.trace->find("decoder.step[1].attention.scores"), 2);
  QCOMPARE(view.crumbs()->text(), QStringLiteral("a, place 1 · weights › a, place 1 · scores"));
  view.crumbs()->click();
  auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  QVERIFY(menu);
  QCOMPARE(menu->actions().size(), 2);
  QVERIFY(menu->actions()[0]->isChecked());
  menu->actions()[1]->trigger();
  menu->close();
  QCOMPARE(shown(view), std::string("decoder.step[1].attention.weights[2]"));
  QVERIFY(view.can_go_forward());
}

void TestInspectorWays::every_cell_opens() {
  const Result result = small_result("ab");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  for (int entry = 0; entry < result.trace->size(); ++entry) {
    for (const Index cell : {Index(0), (*result.trace)[entry].value.size() - 1}) {
      view.open(entry, cell);
      QVERIFY(view.shown());
      const Explanation& e = view.model()->explanation();
      const double scale = 1 + std::abs(e.value);
      QVERIFY2(std::abs(e.recomputed - e.value) < 1e-5 * scale, shown(view).c_str());
    }
  }
}

void TestInspectorWays::history_goes_back_and_forward() {
  const Result result = small_result("abc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.show();
  QVERIFY(!view.can_go_back());
  view.open(result.trace->find("decoder.step[1].attention.weights"), 0);
  view.open(result.trace->find("decoder.step[1].attention.weights"), 0);  // the same: no new entry
  QVERIFY(!view.can_go_back());
  view.open(result.trace->find("decoder.step[1].attention.scores"), 1);
  QTest::keyClick(&view, Qt::Key_Left, Qt::AltModifier);
  QCOMPARE(shown(view), std::string("decoder.step[1].attention.weights[0]"));
  QTest::keyClick(view.table(), Qt::Key_Right, Qt::AltModifier);
  QCOMPARE(shown(view), std::string("decoder.step[1].attention.scores[1]"));
  view.back();
  view.open(result.trace->find("encoder.states"), 5);
  QVERIFY(!view.can_go_forward());
  QVERIFY(view.can_go_back());
}

void TestInspectorWays::linked_with_the_selection() {
  const Result result = small_result("abc");
  Selection selection;
  InspectorView view;
  view.set_selection(&selection);
  view.set_trace(result.trace, trace_labels(result));
  SelectionState state;
  state.entry = result.trace->find("decoder.step[2].attention.weights");
  state.cell = 1;
  selection.set(state);
  QCOMPARE(shown(view), std::string("decoder.step[2].attention.weights[1]"));
  QVERIFY(open_factor(view, "decoder.step[2].attention.scores"));
  QVERIFY(selection.state().entry == result.trace->find("decoder.step[2].attention.scores"));
  QVERIFY(selection.state().cell == 1);  // its own score stands first
  QVERIFY(selection.state().step == 2);
  view.back();
  QVERIFY(selection.state().entry == state.entry);
  state.cell = 1000;  // no such cell
  selection.set(state);
  QCOMPARE(shown(view), std::string("decoder.step[2].attention.weights[1]"));
}

void TestInspectorWays::keeps_the_number_while_typing() {
  const Result longer = small_result("abcab"), shorter = small_result("ab");
  InspectorView view;
  view.set_trace(longer.trace, trace_labels(longer));
  view.show();
  const int entry = longer.trace->find("decoder.step[1].attention.weights");
  view.open(entry, 1);
  view.set_trace(shorter.trace, trace_labels(shorter));
  QCOMPARE(shown(view), std::string("decoder.step[1].attention.weights[1]"));
  QCOMPARE(view.model()->explanation().value,
           static_cast<double>(shorter.trace->value("decoder.step[1].attention.weights")[1]));
  view.set_trace(longer.trace, trace_labels(longer));
  view.open(entry, 4);
  view.set_trace(shorter.trace, trace_labels(shorter));
  QVERIFY(!view.shown());
  QVERIFY(shows(view, QStringLiteral("does not exist for the present input")));
  view.set_trace(longer.trace, trace_labels(longer));
  QCOMPARE(shown(view), std::string("decoder.step[1].attention.weights[4]"));
  view.set_trace(nullptr, {});
  QVERIFY(!view.shown());
}

void TestInspectorWays::keeps_head_row_and_column_while_typing() {
  Request request;
  request.model = load_model("masked-bert");
  request.source = "the old cat sleeps on a red [MASK] .";
  const Result longer = run(request);
  request.source = "the old cat sleeps .";
  const Result shorter = run(request);
  InspectorView view;
  view.set_trace(longer.trace, trace_labels(longer));
  view.show();
  const std::string site = "encoder.layer[1].self_attn.head.weights";
  const Shape before = longer.trace->value(site).shape(), after = shorter.trace->value(site).shape();
  QVERIFY(before.rank() == 3 && before[1] > after[1]);
  view.open(longer.trace->find(site), (2 * before[1] + 3) * before[2] + 1);
  QCOMPARE(shown(view), site + "[2, 3, 1]");
  view.set_trace(shorter.trace, trace_labels(shorter));
  QCOMPARE(shown(view), site + "[2, 3, 1]");
  QCOMPARE(static_cast<Scalar>(view.model()->explanation().value),
           shorter.trace->value(site)[(2 * after[1] + 3) * after[2] + 1]);
  view.set_trace(longer.trace, trace_labels(longer));
  view.open(longer.trace->find(site), (2 * before[1] + before[1] - 1) * before[2]);
  view.set_trace(shorter.trace, trace_labels(shorter));  // has not got that row, though it has as many numbers
  QVERIFY(!view.shown());
}

void TestInspectorWays::edits_by_keyboard() {
  const Result result = small_result("abc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.resize(350, 700);
  view.show();
  std::vector<Intervention> edits;
  connect(&view, &InspectorView::editRequested, this, [&](const Intervention& edit) { edits.push_back(edit); });
  view.open(result.trace->find("decoder.step[1].attention.weights"), 2);
  QVERIFY(shows(view, QStringLiteral("others are rescaled")));
  type_over(view, QStringLiteral("0.9"));
  QTest::keyClick(view.edit_field(), Qt::Key_Return);
  QCOMPARE(edits.size(), 1U);
  QVERIFY(edits[0] == parse_intervention("decoder.step[1].attention.weights[2]~0.9"));  // pinned by default
  // Not a number: nothing happens, and it is said.
  type_over(view, QStringLiteral("abc"));
  QTest::keyClick(view.edit_field(), Qt::Key_Return);
  QCOMPARE(edits.size(), 1U);
  QVERIFY(shows(view, QStringLiteral("‘abc’ is not a number")));
  // A state is set.
  view.open(result.trace->find("encoder.step[1].lstm.h"), 3);
  type_over(view, QStringLiteral("-1,5"));
  QTest::keyClick(view.edit_field(), Qt::Key_Return);
  QVERIFY(edits.size() == 2 && edits[1] == parse_intervention("encoder.step[1].lstm.h[3]=-1.5"));
  view.edit_kinds()->setCurrentIndex(view.edit_kinds()->findData(int(Intervention::Kind::zero)));
  QVERIFY(!view.edit_field()->isEnabled());
  QTest::keyClick(view.edit_button(), Qt::Key_Space);
  QVERIFY(edits.size() == 3 && edits[2].kind == Intervention::Kind::zero && edits[2].cell == 3);
}

void TestInspectorWays::edits_that_cannot_be() {
  const Result result = small_result("abc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.show();
  view.open(result.trace->find("decoder.step[1].output.probs"), 0);
  QVERIFY(!view.edit_button()->isEnabled());
  QVERIFY(shows(view, QStringLiteral("nothing is computed from it")));
  view.open(result.trace->find("input.src.ids"), 0);
  QVERIFY(!view.edit_button()->isEnabled());
  QVERIFY(shows(view, QStringLiteral("typing another text")));
  view.open(result.trace->find("decoder.step[1].output.logits"), 0);
  QVERIFY(view.edit_button()->isEnabled());
  QVERIFY(open_factor(view, "decoder.affine.b"));
  QVERIFY(!view.edit_button()->isEnabled());
}

HEADLIGHT_WIDGET_TEST(TestInspectorWays)

}  // namespace headlight::test_inspector_ways

#include "test_inspector_ways.moc"
