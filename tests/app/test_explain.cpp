// The four steps of an output, for every bundled model: each number is that of the trace, and they belong together.

#include <QDir>
#include <QImage>
#include <QPainter>
#include <QTest>
#include <cmath>

#include "app/stage/first_selection.h"
#include "model/io/model_folder.h"
#include "tests/bare_encoder.h"
#include "tests/test_program.h"
#include "tests/widgets/recorded_text.h"
#include "widgets/base/selection.h"
#include "widgets/base/theme.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/token_text.h"
#include "widgets/views/explain/explain_canvas.h"
#include "widgets/views/explain/explain_rows.h"
#include "widgets/views/explain/explain_view.h"

namespace headlight::test_explain {

class TestExplain : public QObject {
  Q_OBJECT
 private slots:
  void numbers_are_those_of_the_trace_data() {
    QTest::addColumn<QString>("model");
    for (const QString& name : QDir("sample_models").entryList(QDir::Dirs | QDir::NoDotAndDotDot))
      if (QFile::exists("sample_models/" + name + "/model.safetensors")) QTest::newRow(qPrintable(name)) << name;
  }
  void numbers_are_those_of_the_trace() {
    QFETCH(QString, model);
    Request request;
    request.model = load_model(model.toStdString());
    request.source = request.model->examples.empty() ? "a b c" : request.model->examples.front();
    const auto run_of = analysed(std::make_shared<const Result>(run(request)));
    const Result& result = *run_of->result();
    QVERIFY(!result.steps.empty());
    const int step = static_cast<int>(result.steps.size()) / 2;
    const auto rows = ExplainRows::of(*run_of, step, {});
    QVERIFY(rows && !rows->rows.empty());
    QCOMPARE(rows->written, result.steps[static_cast<std::size_t>(step)].text);
    for (const ExplainRows::Row& row : rows->rows) {
      double sum = 0;
      for (const ExplainRows::Number& number : row.numbers) {
        if (number.cell < 0) continue;
        sum += number.value;
        if (row.entry < 0) continue;
        QCOMPARE(number.value, static_cast<double>((*result.trace)[row.entry].value[number.cell]));
      }
      if (row.kind == ExplainRows::Kind::share) QVERIFY2(sum < 1 + 1e-3, qPrintable(QString::number(sum)));
      if (row.kind == ExplainRows::Kind::choose)
        QVERIFY2(sum > 0.3 && sum < 1 + 1e-3, qPrintable(QString::number(sum)));
    }
  }

  // Of a model that guesses hidden words, the hidden one is explained, with the attention of its own place.
  void a_hidden_word_has_its_steps() {
    Request request;
    request.model = load_model("masked-bert");
    request.source = "the keys to the old cabinet [MASK] on the table .";
    const auto analysed_run = analysed(std::make_shared<const Result>(run(request)));
    const SelectionState first = first_selection(*analysed_run->result());
    QCOMPARE(first.step, std::optional<int>(6));
    const auto rows = ExplainRows::of(*analysed_run, *first.step, {});
    QVERIFY(rows && rows->hidden && rows->of_words);
    QCOMPARE(rows->rows.size(), std::size_t{4});
    const ExplainRows::Row& share = rows->rows[1];
    QCOMPARE(share.kind, ExplainRows::Kind::share);
    // Row 6 of head 1 of the last layer [H x S x S].
    const Tensor weights = (*analysed_run->result()->trace)[share.entry].value;
    const auto length = static_cast<Index>(share.numbers.size());
    double sum = 0;
    for (Index i = 0; i < length; ++i) {
      QCOMPARE(share.numbers[static_cast<std::size_t>(i)].cell, 6 * length + i);
      sum += static_cast<double>(weights[6 * length + i]);
    }
    QVERIFY(std::abs(sum - 1) < 1e-5);
    QVERIFY(!ExplainRows::of(*analysed_run, 2, {})->hidden);
  }

  // A model that only reads has its words explained: the one that looks with the chosen weight, else the chosen one.
  void a_model_that_writes_nothing_explains_its_words() {
    const QTemporaryDir folder;
    Request request;
    request.model = load_model(testing::bare_encoder(folder).string());
    request.source = "7 9 12 31";
    const auto result = std::make_shared<const Result>(run(request));
    QVERIFY(result->steps.empty());
    Selection selection;
    ViewRequests requests;
    ExplainView view({&selection, &requests});
    view.resize(900, 340);
    view.set_result(result);
    view.show();
    view.bring_up_to_date();
    const auto rows = [&] { return *view.canvas()->rows(); };
    QVERIFY(view.canvas()->rows());
    QCOMPARE(rows().steps, 4);
    QCOMPARE(rows().rows.size(), std::size_t(3));  // compare, share out, mix: nothing is chosen
    view.walk(2);
    QCOMPARE(rows().step, 2);
    QCOMPARE(rows().written, result->tokens[2].text);
    QVERIFY2(view.heading().contains("word 3 of 4") && view.heading().contains("layer 3 · head 1"),
             qPrintable(view.heading()));
    const int entry = result->trace->find("encoder.layer[2].self_attn.head.weights");
    const Tensor weights = (*result->trace)[entry].value;
    for (Index i = 0; i < 4; ++i) {
      QCOMPARE(rows().rows[1].numbers[static_cast<std::size_t>(i)].cell, 2 * 4 + i);
      QCOMPARE(rows().rows[1].numbers[static_cast<std::size_t>(i)].value, static_cast<double>(weights[2 * 4 + i]));
    }
    SelectionState state;
    state.entry = entry;
    state.cell = 16 + 1 * 4 + 3;  // head 2: the second word looks at the last
    state.source_token = 3;
    selection.set(state);
    QCOMPARE(rows().step, 1);
    QCOMPARE(rows().head, Index(1));
    QCOMPARE(rows().rows[1].numbers.front().cell, 16 + 1 * 4);
  }

  // Words that can be chosen are written whole.
  void candidates_are_whole() {
    Request request;
    request.model = load_model("tatoeba-bahdanau");
    request.source = "Did you clean your room?";
    const auto analysed_run = analysed(std::make_shared<const Result>(run(request)));
    Selection selection;
    ExplainCanvas canvas(&selection);
    canvas.resize(860, 300);
    canvas.set_rows(ExplainRows::of(*analysed_run, 3, {}));
    canvas.show();
    QVERIFY(QTest::qWaitForWindowExposed(&canvas));
    TextRecorder recorder(canvas.size());
    {
      QPainter painter(&recorder);
      canvas.paint_picture(painter);
    }
    const std::string& word = canvas.rows()->candidates.front();
    QVERIFY(word.size() > 5);
    bool whole = false;
    for (const RecordedText& each : recorder.texts()) {
      QVERIFY2(!each.text.contains(QChar(0x2026)), qPrintable(each.text));
      whole = whole || each.text == QString::fromStdString(word);
    }
    QVERIFY(whole);
  }

  // On the screen the tokens stand over the picture above; a picture for a file has them itself.
  void a_file_names_its_columns() {
    Request request;
    request.model = load_model("date-attention");
    request.source = "November 22, 2026";
    const auto result = std::make_shared<const Result>(run(request));
    Selection selection;
    ViewRequests requests;
    ExplainView view({&selection, &requests});
    view.resize(900, 340);
    view.set_result(result);
    view.show();
    view.bring_up_to_date();
    QVERIFY(view.canvas()->tokens_height() > 20);
    // So does a picture below one that has other columns.
    QVERIFY(view.canvas()->shows_tokens());
    QCOMPARE(view.figure().size, view.canvas()->picture_size());
    const int high = view.canvas()->picture_size().height();
    std::vector<std::pair<double, double>> columns;
    for (std::size_t i = 0; i < view.canvas()->rows()->columns.size(); ++i)
      columns.emplace_back(50 + 20 * static_cast<double>(i), 69 + 20 * static_cast<double>(i));
    view.canvas()->set_columns(columns);
    QVERIFY(!view.canvas()->shows_tokens());
    QVERIFY(view.canvas()->picture_size().height() <= high);
    QCOMPARE(view.figure().size.height(),
             view.canvas()->picture_size().height() + static_cast<int>(std::ceil(view.canvas()->tokens_height())));
    const auto drawn = [&] {
      const Figure now = view.figure();
      QImage image(now.size, QImage::Format_RGB32);
      image.fill(Theme::instance().background());
      QPainter painter(&image);
      now.paint(painter);
      painter.end();
      return image.copy(0, 0, image.width(), static_cast<int>(view.canvas()->tokens_height()));
    };
    const QImage before = drawn();
    request.source = "December 22, 2026";
    view.set_result(std::make_shared<const Result>(run(request)));
    QVERIFY(drawn() != before);                // the labels are those of the text
    request.model = load_model("date-plain");  // nothing stands on tokens
    view.set_result(std::make_shared<const Result>(run(request)));
    QCOMPARE(view.canvas()->tokens_height(), 0.0);
    QCOMPARE(view.figure().size, view.canvas()->picture_size());
  }

  // Words are longer than the letters of a date.
  void candidates_are_written_whole() {
    Request request;
    request.model = load_model("story-gpt");
    request.source = request.model->examples.front();
    Selection selection;
    ViewRequests requests;
    ExplainView view({&selection, &requests});
    view.resize(840, 340);
    view.set_result(std::make_shared<const Result>(run(request)));
    view.show();
    view.bring_up_to_date();
    QVERIFY(view.canvas()->rows());
    const auto written = [&] {
      QStringList texts;
      for (const RecordedText& each : texts_of(view.canvas()->viewport())) texts << each.text;
      return texts;
    };
    const std::vector<std::string> candidates = view.canvas()->rows()->candidates;
    QVERIFY(candidates.size() > 5);
    // As many as there is room for, the most probable ones; those that stand there are whole.
    for (const auto& [width, least] : {std::pair(840, 5), {640, 4}, {360, 1}}) {
      view.resize(width, 340);
      QCoreApplication::processEvents();
      const QStringList texts = written();
      for (int i = 0; i < least; ++i)
        QVERIFY2(texts.contains(token_text(candidates[static_cast<std::size_t>(i)]).text), qPrintable(texts.join('|')));
      if (width < 400) QVERIFY(!texts.contains(token_text(candidates.back()).text));
      for (const QString& each : texts) QVERIFY2(!each.contains(QChar(0x2026)), qPrintable(each));
    }
  }

  // Luong et al. 2015, equation 7: the shares are the softmax of the scores, and the context is their sum of states.
  void the_steps_follow_from_each_other() {
    Request request;
    request.model = load_model("date-attention");
    request.source = "November 22, 2026";
    const auto run_of = analysed(std::make_shared<const Result>(run(request)));
    const auto rows = ExplainRows::of(*run_of, 5, {});
    QVERIFY(rows);
    QCOMPARE(rows->rows.size(), std::size_t(4));
    const auto &scores = rows->rows[0].numbers, &shares = rows->rows[1].numbers, &mix = rows->rows[2].numbers;
    double largest = -1e30, sum = 0;
    for (const auto& score : scores) largest = std::max(largest, score.value);
    for (const auto& score : scores) sum += std::exp(score.value - largest);
    const Trace& trace = *run_of->result()->trace;
    std::vector<double> context(mix.size());
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double share = std::exp(scores[i].value - largest) / sum;
      QVERIFY(std::abs(share - shares[i].value) < 1e-5);
      const Tensor states = trace.value("encoder.states");
      for (std::size_t unit = 0; states.defined() && unit < context.size(); ++unit)
        context[unit] +=
            share *
            static_cast<double>(states[shares[i].cell * static_cast<Index>(context.size()) + static_cast<Index>(unit)]);
    }
    if (trace.find("encoder.states") >= 0)
      for (std::size_t unit = 0; unit < context.size(); ++unit)
        QVERIFY2(std::abs(context[unit] - mix[unit].value) < 1e-4, qPrintable(QString::number(unit)));
    QCOMPARE(rows->candidates.front(), rows->written);
    // Folded, the blanks are one column with all of their shares.
    const auto folded = ExplainRows::of(*run_of, 5, {}, true);
    QVERIFY(folded && folded->columns.size() < rows->columns.size());
    QCOMPARE(folded->columns.size(), folded->rows[1].numbers.size());
    double whole = 0;
    for (const auto& each : folded->rows[1].numbers) whole += each.value;
    QVERIFY(std::abs(whole - 1) < 1e-5);
    QCOMPARE(folded->rows[1].numbers.back().cell, Index(-1));
  }
};

HEADLIGHT_WIDGET_TEST(TestExplain)

}  // namespace headlight::test_explain

#include "test_explain.moc"
