// Stepping: the order, what each step shows, playing, and the place that is kept when the user types.

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include "tests/test_program.h"
#include "tests/widgets/trace_fixture.h"
#include "widgets/matrix/operation_inputs.h"
#include "widgets/views/stepper/stepper_view.h"

namespace headlight::test_stepper {

namespace {

bool shows(const StepperView& view, const QString& text) {
  for (const QLabel* label : view.findChildren<QLabel*>())
    if (label->text().contains(text) || label->accessibleName().contains(text)) return true;
  return false;
}

std::string site_of(const Result& result, int entry) { return (*result.trace)[entry].site.text; }

}  // namespace

class TestStepper : public QObject {
  Q_OBJECT
 private slots:
  void inputs_tell_where_values_come_from();
  void history_grows_by_step();
  void walks_forward_and_back();
  void walks_by_output_step();
  void keyboard_only();
  void tells_operation_formula_and_shapes();
  void attention_rows_grow();
  void layers_have_rows_and_histories_of_their_own();
  void inputs_and_result_are_seen_together_data();
  void inputs_and_result_are_seen_together();
  void rests_while_it_is_hidden();
  void earlier_steps_grow_row_by_row();
  void plays_and_stops_at_the_end();
  void keeps_the_place_while_typing();
  void linked_with_the_selection();
  void without_a_trace();
};

void TestStepper::inputs_tell_where_values_come_from() {
  const Result result = small_result("abc");
  const Trace& trace = *result.trace;
  const auto names = [&](const char* site) {
    QStringList list;
    for (const int i : inputs_of(trace, trace.find(site))) list << QString::fromStdString(trace[i].site.text);
    return list;
  };
  QCOMPARE(names("decoder.step[1].attention.weights"), QStringList{"decoder.step[1].attention.scores"});
  QCOMPARE(names("decoder.step[1].attention.query"), QStringList{"decoder.step[1].lstm.h"});
  QCOMPARE(names("decoder.step[1].lstm.gate.f"), QStringList{"decoder.step[1].lstm.pre"});
  const QStringList cell = names("encoder.step[1].lstm.c");
  for (const char* site : {"encoder.step[1].lstm.gate.f", "encoder.step[0].lstm.c", "encoder.step[1].lstm.cand.g",
                           "encoder.step[1].lstm.gate.i"})
    QVERIFY2(cell.contains(QLatin1String(site)), site);
  const QStringList context = names("decoder.step[1].attention.context");
  QVERIFY(context.contains(QStringLiteral("decoder.step[1].attention.weights")));
  QVERIFY(context.contains(QStringLiteral("encoder.states")));
  QVERIFY(names("input.src.ids").isEmpty());
  const auto weights = parameters_of(trace, trace.find("encoder.step[1].lstm.pre"));
  for (const char* name : {"encoder.lstm.Wx", "encoder.lstm.Wh", "encoder.lstm.b"})
    QVERIFY2(std::find(weights.begin(), weights.end(), name) != weights.end(), name);
}

void TestStepper::history_grows_by_step() {
  const Result result = small_result("abc");
  const Trace& trace = *result.trace;
  const int entry = trace.find("decoder.step[2].attention.weights");
  const SiteHistory history = site_history(trace, entry, trace_labels(result));
  QCOMPARE(history.entries.size(), 4U);
  QCOMPARE(history.content.values.shape(), (Shape{4, 3}));
  for (Index j = 0; j < 3; ++j) QCOMPARE(history.content.values[2 * 3 + j], trace[entry].value[j]);
  QVERIFY(site_history(trace, trace.find("encoder.states"), {}).empty());
}

void TestStepper::walks_forward_and_back() {
  const Result result = small_result("abc");
  StepperView view;
  view.set_stride(StepperView::Stride::value);
  view.set_trace(result.trace, trace_labels(result));
  QCOMPARE(view.position(), result.trace->size() - 1);  // everything is computed
  view.first();
  std::vector<int> seen{view.position()};
  connect(&view, &StepperView::stepChanged, this, [&](int entry) { seen.push_back(entry); });
  for (int i = 0; i < result.trace->size() + 3; ++i) view.next();
  QCOMPARE(static_cast<int>(seen.size()), result.trace->size());
  for (int i = 0; i < result.trace->size(); ++i) QCOMPARE(seen[static_cast<std::size_t>(i)], i);
  view.previous();
  QCOMPARE(view.position(), result.trace->size() - 2);
  view.first();
  view.previous();
  QCOMPARE(view.position(), 0);
}

void TestStepper::walks_by_output_step() {
  const Result result = small_result("abc");
  StepperView view;
  view.set_trace(result.trace, trace_labels(result));
  view.set_stride(StepperView::Stride::output_step);
  view.first();
  view.next();  // to the end of the encoder
  QVERIFY(site_of(result, view.position() + 1).rfind("decoder.step[0]", 0) == 0);
  for (int t = 0; t < 4; ++t) {
    view.next();
    QCOMPARE(site_of(result, view.position()), "decoder.step[" + std::to_string(t) + "].output.probs");
  }
  QCOMPARE(view.position(), result.trace->size() - 1);
  view.previous();
  QCOMPARE(site_of(result, view.position()), std::string("decoder.step[2].output.probs"));
}

void TestStepper::keyboard_only() {
  const Result result = small_result("abc");
  StepperView view;
  view.set_stride(StepperView::Stride::value);
  view.set_trace(result.trace, trace_labels(result));
  QTest::keyClick(&view, Qt::Key_Home);
  QCOMPARE(view.position(), 0);
  QTest::keyClick(&view, Qt::Key_Right);
  QTest::keyClick(&view, Qt::Key_Right);
  QCOMPARE(view.position(), 2);
  QTest::keyClick(&view, Qt::Key_Left);
  QCOMPARE(view.position(), 1);
  QTest::keyClick(&view, Qt::Key_End);
  QCOMPARE(view.position(), result.trace->size() - 1);
  QTest::keyClick(&view, Qt::Key_PageUp);
  QCOMPARE(site_of(result, view.position()), std::string("decoder.step[2].output.probs"));
  const double speed = view.speed();
  QTest::keyClick(&view, Qt::Key_Up, Qt::ControlModifier);
  QVERIFY(view.speed() > speed);
  QTest::keyClick(&view, Qt::Key_Space);
  QVERIFY(view.playing());
  QTest::keyClick(&view, Qt::Key_Space);
  QVERIFY(!view.playing());
  // Also from a picture: its keys are those of all painted views, and Space is not one of them.
  auto* matrix = view.findChild<TensorView*>();
  QTest::keyClick(matrix, Qt::Key_Right);
  QVERIFY(matrix->current_cell() >= 0);
  QTest::keyClick(matrix, Qt::Key_Space);
  QVERIFY(view.playing());
}

void TestStepper::tells_operation_formula_and_shapes() {
  const Result result = small_result("abc");
  StepperView view;
  view.set_trace(result.trace, trace_labels(result));
  const int entry = result.trace->find("decoder.step[1].attention.weights");
  view.set_position(entry);
  QVERIFY(shows(view, QStringLiteral("operation %1 of %2").arg(entry + 1).arg(result.trace->size())));
  QVERIFY(shows(view, QStringLiteral("softmax: [3] → [3]")));
  QVERIFY(shows(view, QStringLiteral("a_j = exp(s_j) / Σ_k exp(s_k)")));
  QVERIFY(shows(view, QStringLiteral("Luong et al. 2015, eq. 7")));
  QVERIFY(shows(view, QStringLiteral("decoder.step[1].attention.weights")));
  QVERIFY(shows(view, QStringLiteral("shares that add up to 1")));
  view.set_position(result.trace->find("decoder.step[1].attention.query"));
  QVERIFY(shows(view, QStringLiteral("the same numbers as decoder.step[1].lstm.h")));
  for (int i = 0; i < result.trace->size(); ++i) view.set_position(i);  // every kind of site can be shown
}

void TestStepper::attention_rows_grow() {
  const Result result = small_result("abc");
  StepperView view;
  view.set_trace(result.trace, trace_labels(result));
  QSignalSpy rows(&view, &StepperView::attentionRowsChanged);
  view.first();
  QCOMPARE(rows.last()[0].toInt(), 0);
  view.set_position(result.trace->find("decoder.step[1].attention.scores"));
  QCOMPARE(rows.last()[0].toInt(), 1);
  view.next();
  QCOMPARE(rows.last()[0].toInt(), 2);
  view.last();
  QCOMPARE(rows.last()[0].toInt(), -1);  // everything is there
}

// Two steps of a model that attends in two layers: the rows of the alignment are those of the mean, and what a layer
// did before is not mixed with what the other layer did.
void TestStepper::layers_have_rows_and_histories_of_their_own() {
  Recorder recorder(Capture{{}, false}, {});
  const SitePath decoder("decoder");
  for (const Index t : {0, 1}) {
    const SitePath step(decoder, "step", t);
    for (const Index l : {0, 1}) {
      const SitePath layer(step, "layer", l);
      recorder.tap()(SitePath(layer, "attn"), "weights", Tensor::vector({static_cast<Scalar>(10 * l + t), 0}));
    }
    recorder.tap()(step, "attn_mean", Tensor::vector({1, 0}));
  }
  const auto trace = recorder.finish({});
  QCOMPARE(attention_rows(*trace, trace->find("decoder.step[0].layer[1].attn.weights")), 0);
  QCOMPARE(attention_rows(*trace, trace->find("decoder.step[0].attn_mean")), 1);
  QCOMPARE(attention_rows(*trace, trace->find("decoder.step[1].attn_mean")), 2);
  const int entry = trace->find("decoder.step[1].layer[1].attn.weights");
  const SiteHistory history = site_history(*trace, entry, {});
  QCOMPARE(history.entries, (std::vector<int>{trace->find("decoder.step[0].layer[1].attn.weights"), entry}));
  QCOMPARE(static_cast<double>(history.content.values[0]), 10.0);
  QCOMPARE(static_cast<double>(history.content.values[2]), 11.0);
  QCOMPARE(history.content.title, QString("attention weights (layer 2) of all steps"));
  QCOMPARE(tensor_content(*trace, entry, {}).title, QString("attention weights (layer 2) of step 2"));
}

void TestStepper::inputs_and_result_are_seen_together_data() {
  QTest::addColumn<QString>("site");
  for (const char* site :
       {"attention.scores", "attention.weights", "attention.weighted", "attention.context", "lstm.h", "output.probs"})
    QTest::addRow("%s", site) << QStringLiteral("decoder.step[1].") + QLatin1String(site);
}

void TestStepper::inputs_and_result_are_seen_together() {
  QFETCH(QString, site);
  const Result result = small_result("abc");
  StepperView view;
  view.resize(478, 275);  // in a window of 1280 × 800
  view.set_trace(result.trace, trace_labels(result));
  view.show();
  view.set_position(result.trace->find(site.toStdString()));
  QCoreApplication::processEvents();
  QCoreApplication::processEvents();
  const std::size_t inputs = inputs_of(*result.trace, view.position()).size();
  std::size_t seen = 0;
  for (const TensorView* matrix : view.findChildren<TensorView*>()) {
    if (matrix->isHidden() || !matrix->isVisible()) continue;
    const QRect area(matrix->mapTo(&view, QPoint(0, 0)), matrix->size());
    seen += view.rect().contains(area);
  }
  QVERIFY2(seen >= inputs + 1, qPrintable(QStringLiteral("%1 of %2").arg(seen).arg(inputs + 1)));
}

void TestStepper::rests_while_it_is_hidden() {
  const Result first = small_result("abc"), second = small_result("ab");
  QWidget window;
  StepperView view(&window);
  view.hide();
  window.show();
  view.set_trace(first.trace, trace_labels(first));
  const auto labels = [&] {
    QStringList texts;
    for (const QLabel* label : view.findChildren<QLabel*>()) texts << label->text();
    return texts;
  };
  const QStringList before = labels();
  view.set_trace(second.trace, trace_labels(second));
  QCOMPARE(labels(), before);
  view.show();
  QVERIFY(labels() != before);
  StepperView seen;
  seen.set_trace(second.trace, trace_labels(second));
  QStringList expected;
  for (const QLabel* label : seen.findChildren<QLabel*>()) expected << label->text();
  QCOMPARE(labels(), expected);
}

void TestStepper::earlier_steps_grow_row_by_row() {
  const Result result = small_result("abc");
  StepperView view;
  view.resize(700, 600);
  view.set_trace(result.trace, trace_labels(result));
  view.show();
  for (int t = 0; t < 4; ++t) {
    view.set_position(result.trace->find("decoder.step[" + std::to_string(t) + "].attention.weights"));
    int rows = -1;
    for (const TensorView* matrix : view.findChildren<TensorView*>())
      if (matrix->isVisible() && matrix->visible_rows() >= 0) rows = matrix->visible_rows();
    QCOMPARE(rows, t + 1);
  }
}

void TestStepper::plays_and_stops_at_the_end() {
  const Result result = small_result("a");
  StepperView view;
  view.set_stride(StepperView::Stride::value);
  view.set_trace(result.trace, trace_labels(result));
  view.set_speed(1000);
  QCOMPARE(view.speed(), StepperView::kFastest);
  view.set_speed(0.01);
  QCOMPARE(view.speed(), StepperView::kSlowest);
  view.set_speed(60);
  view.set_position(result.trace->size() - 6);
  std::vector<int> seen;
  connect(&view, &StepperView::stepChanged, this, [&](int entry) { seen.push_back(entry); });
  view.play();
  QVERIFY(view.playing() && seen.empty());  // playing does not block: no step has been made yet
  QTRY_VERIFY(!view.playing());
  QCOMPARE(seen.size(), 5U);
  QCOMPARE(view.position(), result.trace->size() - 1);
  view.play();  // at the end: from the start
  QVERIFY(view.playing());
  QCOMPARE(view.position(), 0);
}

void TestStepper::keeps_the_place_while_typing() {
  const Result shorter = small_result("ab"), longer = small_result("abcab");
  StepperView view;
  view.set_trace(shorter.trace, trace_labels(shorter));
  view.set_trace(longer.trace, trace_labels(longer));
  QCOMPARE(view.position(), longer.trace->size() - 1);  // who was at the end stays at the end
  view.set_position(longer.trace->find("decoder.step[1].attention.scores"));
  view.set_trace(shorter.trace, trace_labels(shorter));
  QCOMPARE(site_of(shorter, view.position()), std::string("decoder.step[1].attention.scores"));
  view.set_trace(longer.trace, trace_labels(longer));
  view.set_position(longer.trace->find("encoder.step[4].lstm.c"));
  view.set_trace(shorter.trace, trace_labels(shorter));  // there is no fifth token: the last one
  QCOMPARE(site_of(shorter, view.position()), std::string("encoder.step[1].lstm.c"));
}

void TestStepper::linked_with_the_selection() {
  const Result result = small_result("abc");
  Selection selection;
  StepperView view;
  view.set_stride(StepperView::Stride::value);
  view.set_selection(&selection);
  view.set_trace(result.trace, trace_labels(result));
  QSignalSpy rows(&view, &StepperView::attentionRowsChanged);
  const int weights = result.trace->find("decoder.step[1].attention.weights");
  SelectionState state;
  state.entry = weights;
  state.cell = 2;
  selection.set(state);
  QCOMPARE(view.position(), weights);
  QCOMPARE(rows.last()[0].toInt(), -1);  // looking is not stepping: nothing disappears
  QVERIFY(selection.state() == state);
  view.next();
  QVERIFY(selection.state().entry == weights + 1);
  QVERIFY(selection.state().step == 1);
  // An encoder step marks the token that it reads. The encoder reads from the end.
  view.set_position(result.trace->find("encoder.step[0].lstm.h"));
  QVERIFY(selection.state().source_token == 2);
  // An entry that does not exist is left alone.
  state.entry = 100000;
  selection.set(state);
  QCOMPARE(view.position(), result.trace->find("encoder.step[0].lstm.h"));
}

void TestStepper::without_a_trace() {
  StepperView view;
  view.next();
  view.play();
  QTest::keyClick(&view, Qt::Key_Home);
  QCOMPARE(view.position(), -1);
  const Result result = small_result("abc");
  view.set_trace(result.trace, trace_labels(result));
  view.set_trace(nullptr, {});
  QCOMPARE(view.position(), -1);
}

HEADLIGHT_WIDGET_TEST(TestStepper)

}  // namespace headlight::test_stepper

#include "test_stepper.moc"
