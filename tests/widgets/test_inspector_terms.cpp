// What the inspector writes about a number: its terms in their order, results, sentences, places, columns, copies.

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QRegularExpression>
#include <QTableView>
#include <QTest>
#include <cmath>
#include <map>

#include "model/io/model_folder.h"
#include "model/ops/basic.h"
#include "tests/test_program.h"
#include "tests/widgets/recorded_text.h"
#include "tests/widgets/trace_fixture.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/text/explanation_text.h"
#include "widgets/text/number_words.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/inspector/inspector_words.h"

namespace headlight::test_inspector_terms {

namespace {

bool shows(const InspectorView& view, const QString& text) {
  for (const QLabel* label : view.findChildren<QLabel*>())
    if (label->isVisibleTo(&view) && (label->text().contains(text) || label->accessibleName() == text)) return true;
  return false;
}

Explanation explanation_of_kind(Explanation::Kind kind, std::vector<double> values) {
  Explanation e;
  e.kind = kind;
  for (const double value : values)
    e.terms.push_back({"x", value, {{Tensor::vector({static_cast<Scalar>(value)}), 0}}});
  return e;
}

}  // namespace

class TestInspectorTerms : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { Theme::instance().set_font_scale(1); }
  void model_obeys_the_rules();
  void terms_by_position_and_magnitude();
  void result_lines();
  void a_share_says_where_it_stands();
  void the_question_names_both_tokens();
  void places_are_short();
  void a_share_stands_among_its_rivals();
  void a_share_stays_in_sight();
  void columns_fit_the_width_data();
  void columns_fit_the_width();
  void places_are_whole_at_every_letter_size_data();
  void places_are_whole_at_every_letter_size();
  void links_take_the_colour_of_the_theme();
  void an_edited_number_says_so();
  void numbers_stand_on_one_line_below_their_heads();
  void copies_are_computable();
};

void TestInspectorTerms::model_obeys_the_rules() {
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

void TestInspectorTerms::terms_by_position_and_magnitude() {
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

void TestInspectorTerms::result_lines() {
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
                                                                  {"relu2", "np.maximum(1, 0)**2"},
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
  // Its score is 1, and exp(1 − max) is 1: it is the largest itself.
  QCOMPARE(result_line(e), QStringLiteral("exp(1 − 1) ÷ 4 = 0.25"));
  e = explanation_of_kind(Explanation::Kind::share, {-2});
  e.terms[0].label = "exp(s − max)";
  e.terms[0].value = std::exp(-1);  // of a largest score of -1
  e.recomputed = 1;
  QCOMPARE(result_line(e), QStringLiteral("exp(−2 − (−1)) ÷ 0.3679 = 1"));
}

// By the terms alone, made here.
void TestInspectorTerms::a_share_says_where_it_stands() {
  const auto said = [](std::vector<double> values) {
    return share_sentence(explanation_of_kind(Explanation::Kind::share, std::move(values)));
  };
  QCOMPARE(said({1, 0.02, 0.01}), QStringLiteral("Its score is the highest of all 3, so it gets nearly everything."));
  QCOMPARE(said({1, 0.9}), QStringLiteral("Its score is the highest of all 2, so it gets the largest share."));
  QCOMPARE(said({0.5, 1, 0}), QStringLiteral("One other score is higher, and gets a larger share."));
  QCOMPARE(said({0.5, 1, 0.8}), QStringLiteral("2 other scores are higher, and get larger shares."));
  QCOMPARE(said({1, 1, 0.5}), QStringLiteral("One other score is as high, and gets the same share."));
  QCOMPARE(said({1, 1, 1}), QStringLiteral("2 other scores are as high, and get the same share."));
  QCOMPARE(said({0.001, 1}), QStringLiteral("One other score is higher, so that next to nothing is left for it."));
  QCOMPARE(said({0.001, 1, 1}), QStringLiteral("2 other scores are higher, so that next to nothing is left for it."));
  QCOMPARE(said({0, 1}), QStringLiteral("It has no part in the sum, so it gets nothing."));
  QCOMPARE(said({NAN, 1}), QString());
  QCOMPARE(said({1}), QString());
  QCOMPARE(share_sentence(explanation_of_kind(Explanation::Kind::sum, {1, 2})), QString());
}

void TestInspectorTerms::the_question_names_both_tokens() {
  const Result result = small_result("abc");
  const TraceLabels labels = trace_labels(result);
  const auto question = [&](const char* site, Index cell) {
    return question_of(*result.trace, result.trace->find(site), cell, labels);
  };
  // The encoder reads from the end: position 2 is 'a'.
  const QString written = labels.written[1];
  QCOMPARE(question("decoder.step[1].attention.weights", 2), QStringLiteral("How much ‘%1’ looks at ‘a’").arg(written));
  QCOMPARE(question("decoder.step[1].attention.scores", 0),
           QStringLiteral("How well ‘c’ fits what ‘%1’ asks for").arg(written));
  QVERIFY(question("decoder.step[1].output.probs", 2).startsWith("Output probabilities of step 2"));
  QVERIFY(cell_in_words(*result.trace, result.trace->find("decoder.step[1].attention.weights"), 2, labels)
              .endsWith("‘a’ at place 1 (the model reads it as number 3)"));
}

void TestInspectorTerms::places_are_short() {
  const Result result = small_result("abc");
  const Trace& trace = *result.trace;
  const TraceLabels labels = trace_labels(result);
  const auto place = [&](const char* site, Index index) {
    const int entry = trace.find(site);
    return short_place({Location::Kind::activation, entry, site, trace[entry].value.shape(), index}, trace, labels);
  };
  // The encoder reads from the end: position 0 is 'c'.
  QCOMPARE(place("decoder.step[1].attention.scores", 2), QStringLiteral("a, place 1 · scores"));
  QCOMPARE(place("encoder.step[0].lstm.h", 1), QStringLiteral("c · h[1]"));
  QCOMPARE(place("decoder.step[1].lstm.h", 1), QStringLiteral("step 2 · h[1]"));
  const Shape states = trace.value("encoder.states").shape();
  QCOMPARE(place("encoder.states", states[1] + 1), QStringLiteral("b, place 2 · states[1, 1]"));
  QCOMPARE(short_place({Location::Kind::parameter, -1, "decoder.lstm.Wx", {4, 8}, 9}, trace, labels),
           QStringLiteral("lstm.Wx[1, 1]"));

  // Of many heads: who asks, whom it looks at, and which head; a token that stands there twice with its place.
  Request request;
  request.model = load_model("sample_models/masked-bert");
  request.source = "tom sees the [MASK] in the garden";
  const Result masked = run(request);
  const int weights = masked.trace->find("encoder.layer[1].self_attn.head.weights");
  QVERIFY(weights >= 0);
  const Shape shape = (*masked.trace)[weights].value.shape();
  const TraceLabels words = trace_labels(masked);
  const auto cell = [&](Index head, Index query, Index key) {
    return short_place({Location::Kind::activation, weights, (*masked.trace)[weights].site.text, shape,
                        (head * shape[1] + query) * shape[2] + key},
                       *masked.trace, words);
  };
  const Index tom = words.source.indexOf("tom"), the = words.source.indexOf("the");
  QVERIFY(tom >= 0 && the >= 0);
  QCOMPARE(cell(2, tom, tom + 1), QStringLiteral("tom → sees · layer 2 · head 3 · weights"));
  QCOMPARE(cell(0, tom, the), QStringLiteral("tom → the, place %1 · layer 2 · head 1 · weights").arg(the + 1));
}

void TestInspectorTerms::a_share_stands_among_its_rivals() {
  const Result result = small_result("abc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.open(result.trace->find("decoder.step[1].attention.weights"), 1);
  const ExplanationModel& model = *view.model();
  QCOMPARE(model.rowCount(), 3);
  // It stands first, then the others: the largest first, or in the order of the text.
  QCOMPARE(model.own_row(), 0);
  const auto place = [&](int row) { return model.index(row, 1).data(ExplanationModel::kPlaceRole).toString(); };
  QCOMPARE(place(0), QStringLiteral("b, place 2 · scores"));
  for (int row = 0; row < 3; ++row) QCOMPARE(model.index(row, 1).data(ExplanationModel::kOwnRole).toBool(), row == 0);
  view.model()->set_order(ExplanationModel::Order::position);
  QCOMPARE(place(0), QStringLiteral("b, place 2 · scores"));
  QCOMPARE(place(1), QStringLiteral("a, place 1 · scores"));
  QCOMPARE(place(2), QStringLiteral("c, place 3 · scores"));
  view.open(result.trace->find("encoder.step[1].lstm.pre"), 2);
  QCOMPARE(model.own_row(), -1);  // a sum is of all its terms
  QVERIFY(model.index(0, 2).data(ExplanationModel::kTimesRole).toBool());
}

// However small its table becomes, or large again: where it stands does not depend on how it was before.
void TestInspectorTerms::a_share_stays_in_sight() {
  const Result result = small_result("abcabcabcabcabcabcabcabcabcabc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.resize(420, 800);
  view.show();
  view.open(result.trace->find("decoder.step[1].attention.weights"), 20);
  const QModelIndex own = view.model()->index(0, view.model()->value_column());
  QCOMPARE(view.model()->own_row(), 0);
  std::map<int, QRect> places;
  for (const int height : {800, 480, 560, 400, 480, 340, 400, 800, 560, 340, 800}) {
    view.resize(420, height);
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();  // labels that go or come: a second layout
    const QRect place = view.table()->visualRect(own);
    QVERIFY2(view.table()->viewport()->rect().contains(place), qPrintable(QString::number(height)));
    QCOMPARE(places.emplace(height, place).first->second, place);
  }
}

void TestInspectorTerms::columns_fit_the_width_data() {
  QTest::addColumn<QString>("site");
  QTest::addColumn<int>("width");
  for (const QLatin1String site : {QLatin1String("decoder.step[1].attention.weights"),
                                   QLatin1String("encoder.step[1].lstm.pre"), QLatin1String("encoder.step[1].lstm.c")})
    for (const int width : {260, 350, 700})
      QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(site).arg(width))) << QString(site) << width;
}

void TestInspectorTerms::places_are_whole_at_every_letter_size_data() {
  QTest::addColumn<QString>("site");
  QTest::addColumn<int>("width");
  QTest::addColumn<double>("scale");
  for (const QLatin1String site : {QLatin1String("decoder.step[1].attention.weights"),
                                   QLatin1String("encoder.step[1].lstm.pre"), QLatin1String("encoder.step[1].lstm.c")})
    for (const auto& [width, scale] : {std::pair(300, 1.0), std::pair(400, 1.5), std::pair(480, 2.0)})
      QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(site).arg(width))) << QString(site) << width << scale;
}

void TestInspectorTerms::columns_fit_the_width() {
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
void TestInspectorTerms::places_are_whole_at_every_letter_size() {
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
      static const QRegularExpression gap(QStringLiteral("(?<= · )|(?<=, )(?=\\p{L})|(?<=\\.)(?=\\w)|(?=\\[)"));
      for (const QString& word : place.split(gap, Qt::SkipEmptyParts))
        QVERIFY2(metrics.horizontalAdvance(word.trimmed()) <= room,
                 qPrintable(QString("%1 in %2").arg(word).arg(room)));
      QVERIFY2(metrics.horizontalAdvance(place) <= lines * room, qPrintable(place));
    }
}

// A label keeps the colour of its links when it is given the same text again.
void TestInspectorTerms::links_take_the_colour_of_the_theme() {
  const Result result = small_result("abc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.resize(350, 700);
  view.show();
  view.open(result.trace->find("decoder.step[1].attention.weights"), 2);
  const auto has_link_colour = [&] {
    for (QLabel* label : view.findChildren<QLabel*>()) {
      if (!label->text().contains("<a href")) continue;
      const QImage image = label->grab().toImage();
      const QColor link = tokens().ink;
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
          const QColor at = image.pixelColor(x, y);
          if (std::abs(at.red() - link.red()) + std::abs(at.green() - link.green()) +
                  std::abs(at.blue() - link.blue()) <
              60)
            return true;
        }
    }
    return false;
  };
  QVERIFY(has_link_colour());
  Theme::instance().set(Theme::Mode::dark, 1);
  const bool dark = has_link_colour();
  Theme::instance().set(Theme::Mode::light, 1);
  QVERIFY(dark);
}

void TestInspectorTerms::an_edited_number_says_so() {
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

// All numbers of a row stand on one line, and the heads of their columns over them.
void TestInspectorTerms::numbers_stand_on_one_line_below_their_heads() {
  const Result result = small_result("abc");
  InspectorView view;
  view.set_trace(result.trace, trace_labels(result));
  view.resize(420, 800);
  view.show();
  view.open(result.trace->find("decoder.step[1].attention.weights"), 2);
  const int value = view.model()->value_column();
  QVERIFY(value > 1 && view.model()->rowCount() > 1);
  // In the first row of a column, or its head.
  const auto find = [&](QWidget* in, int column) {
    const double left = view.table()->columnViewportPosition(column), right = left + view.table()->columnWidth(column);
    QRectF last;
    for (const RecordedText& each : texts_of(in))
      if (each.place.center().y() < view.table()->rowHeight(0) && each.place.center().x() > left &&
          each.place.right() < right && each.place.right() > last.right())
        last = each.place;
    return last;
  };
  QWidget *cells = view.table()->viewport(), *titles = view.table()->horizontalHeader()->viewport();
  const QRectF number = find(cells, 1), product = find(cells, value);
  QVERIFY(number.isValid() && product.isValid());
  QVERIFY(std::abs(number.center().y() - product.center().y()) < 0.5);
  QVERIFY(std::abs(number.right() - find(titles, 1).right()) < 1.5);
  QVERIFY(std::abs(product.right() - find(titles, value).right()) < 1.5);
}

void TestInspectorTerms::copies_are_computable() {
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

HEADLIGHT_WIDGET_TEST(TestInspectorTerms)

}  // namespace headlight::test_inspector_terms

#include "test_inspector_terms.moc"
