// The inspector: from a probability back to a weight and to an input, edits, copies, history.

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <cmath>
#include <map>

#include "model/ops/basic.h"
#include "tests/test_program.h"
#include "tests/widgets/trace_fixture.h"
#include "widgets/base/text_button.h"
#include "widgets/base/theme.h"
#include "widgets/text/explanation_text.h"
#include "widgets/views/inspector/inspector_view.h"

using namespace headlight;

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

Explanation explanation_of_kind(Explanation::Kind kind, std::vector<double> values) {
  Explanation e;
  e.kind = kind;
  for (const double value : values)
    e.terms.push_back({"x", value, {{Tensor::vector({static_cast<Scalar>(value)}), 0}}});
  return e;
}

}  // namespace

class TestInspector : public QObject {
  Q_OBJECT
 private slots:
  void cleanup() { Theme::instance().set_font_scale(1); }
  void model_obeys_the_rules();
  void terms_by_position_and_magnitude();
  void result_lines();
  void from_a_probability_to_a_weight_and_an_input();
  void click_opens_a_factor();
  void places_are_short();
  void a_share_stands_among_its_rivals();
  void a_share_stays_in_sight();
  void columns_fit_the_width_data();
  void columns_fit_the_width();
  void places_are_whole_at_every_letter_size_data();
  void places_are_whole_at_every_letter_size();
  void the_field_holds_the_present_number();
  void the_way_here_is_a_menu();
  void every_cell_opens();
  void history_goes_back_and_forward();
  void linked_with_the_selection();
  void keeps_the_number_while_typing();
  void edits_by_keyboard();
  void edits_that_cannot_be();
  void an_edited_number_says_so();
  void copies_are_computable();
};

void TestInspector::model_obeys_the_rules() {
  ExplanationModel model;
  QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  const Result result = small_result("abc");
  model.set_explanation(result.trace, result.trace->explain(result.trace->find("encoder.step[1].lstm.pre"), 0));
  QVERIFY(model.rowCount() > 4);
  QCOMPARE(model.factors(), 2);
  model.set_order(ExplanationModel::Order::magnitude);
  model.set_explanation(result.trace, {});
  QCOMPARE(model.rowCount(), 0);
}

void TestInspector::terms_by_position_and_magnitude() {
  ExplanationModel model;
  const Result result = small_result("abc");
  model.set_explanation(result.trace, explanation_of_kind(Explanation::Kind::sum, {0.5, -2, 1, NAN}));
  const auto order = [&] {
    QList<int> rows;
    for (int i = 0; i < model.rowCount(); ++i) rows << model.index(i, 0).data(ExplanationModel::kTermRole).toInt();
    return rows;
  };
  QCOMPARE(order(), (QList<int>{0, 1, 2, 3}));
  model.set_order(ExplanationModel::Order::magnitude);
  QCOMPARE(order(), (QList<int>{3, 1, 2, 0}));
  const int value = model.value_column();
  QCOMPARE(model.index(1, value).data(ExplanationModel::kShareRole).toDouble(), -1.0);
  QCOMPARE(model.index(3, value).data(ExplanationModel::kShareRole).toDouble(), 0.25);
  QCOMPARE(model.index(1, value).data().toString(), QStringLiteral("−2"));
}

void TestInspector::result_lines() {
  Explanation e = explanation_of_kind(Explanation::Kind::sum, {0.5, 0.25});
  e.recomputed = 0.75;
  QCOMPARE(result_line(e), QStringLiteral("0.5 + 0.25 = 0.75"));
  e = explanation_of_kind(Explanation::Kind::function_of_sum, {1, 0.2345});
  e.function = "σ";
  e.recomputed = 0.774602;  // 1 / (1 + exp(-1.2345)) = 0.77460...
  QCOMPARE(result_line(e), QStringLiteral("σ(1.234) = 0.7746"));
  for (Term& term : e.terms) term.cells = {{Tensor::full({1}, static_cast<Scalar>(term.value)), 0}};
  e.terms.pop_back();  // 1 is left
  const std::vector<std::pair<const char*, QString>> functions = {{"σ", "1 / (1 + np.exp(-(1)))"},
                                                                  {"tanh", "np.tanh(1)"},
                                                                  {"exp", "np.exp(1)"},
                                                                  {"relu", "np.maximum(1, 0)"},
                                                                  {"softplus", "np.logaddexp(1, 0)"},
                                                                  {"silu", "(lambda x: x / (1 + np.exp(-x)))(1)"},
                                                                  {"1/√", "1 / np.sqrt(1)"}};
  for (const auto& [function, numpy] : functions) {
    e.function = function;
    QCOMPARE(numpy_expression(e), numpy);
  }
  e = explanation_of_kind(Explanation::Kind::share, {1, 3});
  e.terms[0].label = "exp(s − max)";
  e.recomputed = 0.25;
  QCOMPARE(result_line(e), QStringLiteral("exp(0) / 4 = 0.25"));
}

void TestInspector::from_a_probability_to_a_weight_and_an_input() {
  const Result result = small_result("abc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.show();
  QVERIFY(shows(view, QStringLiteral("Click any number")));
  view.open(result.trace->find("decoder.step[1].output.probs"), 2);
  QVERIFY(shows(view, QStringLiteral("output probabilities of step 1")));
  QVERIFY(shows(view, QStringLiteral("token '1' [2]")));
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
  QVERIFY(shows(view, QStringLiteral("of the vocabulary is 'c'")));  // the encoder reads from the end
}

void TestInspector::click_opens_a_factor() {
  const Result result = small_result("abc");
  InspectorView view;
  view.resize(600, 500);
  view.set_trace(result.trace, trace_labels(result));
  view.show();
  view.open(result.trace->find("decoder.step[1].attention.weights"), 2);
  const QModelIndex place = view.model()->index(2, 1);
  QTest::mouseClick(view.table()->viewport(), Qt::LeftButton, {}, view.table()->visualRect(place).center());
  QCOMPARE(shown(view), std::string("decoder.step[1].attention.scores[2]"));
}

void TestInspector::places_are_short() {
  const Result result = small_result("abc");
  const Trace& trace = *result.trace;
  const TraceLabels labels = trace_labels(result);
  const auto place = [&](const char* site, Index index) {
    const int entry = trace.find(site);
    return short_place({Location::Kind::activation, entry, site, trace[entry].value.shape(), index}, trace, labels);
  };
  // The encoder reads from the end: position 0 is 'c'.
  QCOMPARE(place("decoder.step[1].attention.scores", 2), QStringLiteral("a · scores[2]"));
  QCOMPARE(place("encoder.step[0].lstm.h", 1), QStringLiteral("c · h[1]"));
  QCOMPARE(place("decoder.step[1].lstm.h", 1), QStringLiteral("step 1 · h[1]"));
  const Shape states = trace.value("encoder.states").shape();
  QCOMPARE(place("encoder.states", states[1] + 1), QStringLiteral("b · states[1, 1]"));
  QCOMPARE(short_place({Location::Kind::parameter, -1, "decoder.lstm.Wx", {4, 8}, 9}, trace, labels),
           QStringLiteral("lstm.Wx[1, 1]"));
}

void TestInspector::a_share_stands_among_its_rivals() {
  const Result result = small_result("abc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.open(result.trace->find("decoder.step[1].attention.weights"), 1);
  const ExplanationModel& model = *view.model();
  QCOMPARE(model.rowCount(), 3);
  QCOMPARE(model.own_row(), 1);
  for (int row = 0; row < 3; ++row) {
    QCOMPARE(model.index(row, 1).data(ExplanationModel::kOwnRole).toBool(), row == 1);
    QVERIFY(model.index(row, 1)
                .data(ExplanationModel::kPlaceRole)
                .toString()
                .endsWith(QStringLiteral("scores[%1]").arg(row)));
  }
  view.open(result.trace->find("encoder.step[1].lstm.pre"), 2);
  QCOMPARE(model.own_row(), -1);  // a sum is of all its terms
  QVERIFY(model.index(0, 2).data(ExplanationModel::kTimesRole).toBool());
}

// However small its table becomes, or large again: where it stands does not depend on how it was before.
void TestInspector::a_share_stays_in_sight() {
  const Result result = small_result("abcabcabcabcabcabcabcabcabcabc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.resize(420, 800);
  view.show();
  view.open(result.trace->find("decoder.step[1].attention.weights"), 20);
  const QModelIndex own = view.model()->index(20, view.model()->value_column());
  QCOMPARE(view.model()->own_row(), 20);
  std::map<int, QRect> places;
  for (const int height : {800, 480, 560, 400, 480, 340, 400, 800, 560, 340, 800}) {
    view.resize(420, height);
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();  // labels that go or come: a second layout
    const QRect place = view.table()->visualRect(own);
    QVERIFY2(view.table()->viewport()->rect().contains(place), qPrintable(QString::number(height)));
    QCOMPARE(places.emplace(height, place).first->second, place);
  }
}

void TestInspector::columns_fit_the_width_data() {
  QTest::addColumn<QString>("site");
  QTest::addColumn<int>("width");
  for (const QLatin1String site : {QLatin1String("decoder.step[1].attention.weights"),
                                   QLatin1String("encoder.step[1].lstm.pre"), QLatin1String("encoder.step[1].lstm.c")})
    for (const int width : {260, 350, 700})
      QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(site).arg(width))) << QString(site) << width;
}

void TestInspector::places_are_whole_at_every_letter_size_data() {
  QTest::addColumn<QString>("site");
  QTest::addColumn<int>("width");
  QTest::addColumn<double>("scale");
  for (const QLatin1String site : {QLatin1String("decoder.step[1].attention.weights"),
                                   QLatin1String("encoder.step[1].lstm.pre"), QLatin1String("encoder.step[1].lstm.c")})
    for (const auto& [width, scale] : {std::pair(300, 1.0), std::pair(400, 1.5), std::pair(480, 2.0)})
      QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(site).arg(width))) << QString(site) << width << scale;
}

void TestInspector::columns_fit_the_width() {
  QFETCH(QString, site);
  QFETCH(int, width);
  const Result result = small_result("abc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.resize(width, 700);
  view.show();
  view.open(result.trace->find(site.toStdString()), 1);
  int used = 0;
  for (int c = 0; c < view.model()->columnCount(); ++c) used += view.table()->columnWidth(c);
  QVERIFY2(used <= view.table()->viewport()->width(), qPrintable(QString::number(used)));
  for (int c = 1; c < view.model()->columnCount(); ++c) QVERIFY(view.table()->columnWidth(c) >= 40);
}

// What stands in a cell, on as many lines as the rows have, is not shortened.
void TestInspector::places_are_whole_at_every_letter_size() {
  QFETCH(QString, site);
  QFETCH(int, width);
  QFETCH(double, scale);
  Theme::instance().set_font_scale(scale);
  const Result result = small_result("abc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.resize(width, 900);
  view.show();
  view.open(result.trace->find(site.toStdString()), 1);
  const QFont font = view.table()->font();
  QFont small = font;
  small.setPointSizeF(font.pointSizeF() * 0.88);
  const QFontMetrics metrics(small);
  const int row = view.table()->rowHeight(0);
  QVERIFY(view.model()->rowCount() > 1);
  for (int r = 0; r < view.model()->rowCount(); ++r)
    for (int c = 1; c < view.model()->value_column(); ++c) {
      const QString place = view.model()->index(r, c).data(ExplanationModel::kPlaceRole).toString();
      const int room = view.table()->columnWidth(c) - 10, line = QFontMetrics(small).height();
      const int lines = (row - QFontMetrics(font).height()) / line;  // for the place
      if (lines == 0) {
        const QString number = QStringLiteral("× ") + view.model()->index(r, c).data().toString();
        QVERIFY2(QFontMetrics(font).horizontalAdvance(place + number) <= room, qPrintable(place));
        continue;
      }
      // The words stay whole: the longest fits into a line, and there are enough lines for them.
      static const QRegularExpression gap(QStringLiteral("(?<= · )|(?<=\\.)(?=\\w)|(?=\\[)"));
      for (const QString& word : place.split(gap, Qt::SkipEmptyParts))
        QVERIFY2(metrics.horizontalAdvance(word.trimmed()) <= room,
                 qPrintable(QString("%1 in %2").arg(word).arg(room)));
      QVERIFY2(metrics.horizontalAdvance(place) <= lines * room, qPrintable(place));
    }
}

void TestInspector::the_field_holds_the_present_number() {
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

void TestInspector::the_way_here_is_a_menu() {
  const Result result = small_result("abc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.resize(700, 500);
  view.show();
  view.open(result.trace->find("decoder.step[1].attention.weights"), 2);
  view.open(result.trace->find("decoder.step[1].attention.scores"), 2);
  QCOMPARE(view.crumbs()->text(), QStringLiteral("a · weights[2] › a · scores[2]"));
  QTimer::singleShot(0, &view, [] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu);
    QCOMPARE(menu->actions().size(), 2);
    QVERIFY(menu->actions()[0]->isChecked());
    menu->actions()[1]->trigger();
    menu->close();
  });
  view.crumbs()->click();
  QCOMPARE(shown(view), std::string("decoder.step[1].attention.weights[2]"));
  QVERIFY(view.can_go_forward());
}

void TestInspector::every_cell_opens() {
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

void TestInspector::history_goes_back_and_forward() {
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

void TestInspector::linked_with_the_selection() {
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
  QVERIFY(selection.state().cell == 0);  // the first of the rivals
  QVERIFY(selection.state().step == 2);
  view.back();
  QVERIFY(selection.state().entry == state.entry);
  state.cell = 1000;  // no such cell
  selection.set(state);
  QCOMPARE(shown(view), std::string("decoder.step[2].attention.weights[1]"));
}

void TestInspector::keeps_the_number_while_typing() {
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

void TestInspector::edits_by_keyboard() {
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
  QVERIFY(shows(view, QStringLiteral("'abc' is not a number")));
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

void TestInspector::edits_that_cannot_be() {
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

void TestInspector::an_edited_number_says_so() {
  const Result before = small_result("abc");
  const Result after = small_result("abc", {parse_intervention("decoder.step[1].attention.scores[2]=3")});
  InspectorView view;
  view.set_trace(after.trace, trace_labels(after));
  view.show();
  view.open(after.trace->find("decoder.step[1].attention.scores"), 2);
  const double was = static_cast<double>(before.trace->value("decoder.step[1].attention.scores")[2]);
  QVERIFY(shows(view, QStringLiteral("set by you; before it was %1").arg(exact_number(was))));
  view.open(after.trace->find("decoder.step[1].attention.scores"), 1);
  QVERIFY(!shows(view, QStringLiteral("set by you;")));
}

void TestInspector::copies_are_computable() {
  const Result result = small_result("abc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.open(result.trace->find("encoder.step[1].lstm.pre"), 2);
  view.copy_numpy();
  const QString numpy = QGuiApplication::clipboard()->text();
  QVERIFY(numpy.startsWith(QStringLiteral("np.dot([")));
  QVERIFY(!numpy.contains(QLatin1Char('\n')));
  QVERIFY(numpy.contains(QStringLiteral("# encoder.step[1].lstm.pre[2] = ")));
  view.copy_text();
  const QString text = QGuiApplication::clipboard()->text();
  QVERIFY(text.contains(QStringLiteral("encoder.lstm.Wh[0, 2]")));
  QVERIFY(text.contains(QStringLiteral("A = x Wx + h′ Wh + b")));
  view.open(result.trace->find("encoder.step[1].lstm.gate.f"), 2);
  QVERIFY(view.numpy_text().startsWith(QStringLiteral("1 / (1 + np.exp(-(")));
  view.open(result.trace->find("decoder.step[1].attention.weights"), 2);
  QVERIFY(view.numpy_text().startsWith(QStringLiteral("(lambda s: np.exp(s[0] - s.max())")));
}

HEADLIGHT_WIDGET_TEST(TestInspector)
#include "test_inspector.moc"
