// The list of what differs: settings, decoding, a forced output and edits, in plain words, each taken back by its row.
#include <QAbstractItemModelTester>
#include <QListView>
#include <QSignalSpy>
#include <QTest>

#include "app/panels/edits_panel.h"
#include "model/io/model_folder.h"
#include "model/models/variant.h"
#include "tests/test_program.h"
#include "tests/widgets/image_test.h"
#include "tests/widgets/recorded_text.h"
#include "widgets/text/edit_words.h"
#include "widgets/text/switch_words.h"

namespace headlight::test_edits_panel {

namespace {

std::shared_ptr<const Result> run_of(const char* model, std::vector<Intervention> edits = {}) {
  Request request;
  request.model = load_model(model);
  request.source = model == std::string("date-transformer") ? "21 NOV 2026" : request.model->examples.front();
  request.interventions = std::move(edits);
  request.capture.explain = false;
  return std::make_shared<const Result>(run(request));
}

Differences all_kinds() {
  Differences all;
  all.model = variant(load_model("date-attention"), {{"attention.score", "general"}, {"attention.temperature", 2.5}});
  all.decode.kind = DecodeSettings::Kind::beam;
  all.target = "2026-11-21";
  all.edits = {parse_intervention("decoder.step[2].attention.weights[3]~0.8"),
               parse_intervention("decoder.step[40].attention.scores[3]=-inf")};
  all.result = run_of("date-attention", all.edits);
  return all;
}

}  // namespace

class TestEditsPanel : public QObject {
  Q_OBJECT

 private slots:
  void words_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("edit");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* model, const char* edit, const char* expected) {
      QTest::newRow(edit) << model << edit << expected;
    };
    // "November 21, 2026" is read backwards and filled up to 29: 'N' is at place 28.
    row("date-attention", "decoder.step[2].attention.weights[28]~0.8", "output 3 looks at ‘N’: 0.8");
    row("date-attention", "decoder.step[0].attention.scores[28]=-inf", "output 1 does not look at ‘N’");
    row("date-attention", "decoder.step[*].attention.scores[:,28]=-inf", "nobody looks at ‘N’");
    row("date-attention", "decoder.step[*].attention.scores[|~j-i|>2]=-inf", "everybody looks at most 2 tokens away");
    row("date-attention", "encoder.embed.out[28,:]=0", "‘N’ is erased: its embedding is 0");
    row("date-attention", "decoder.init.h*2", "initial hidden state times 2");
    row("date-transformer", "encoder.layer[*].self_attn.keep[:,0]=0", "nobody looks at ‘2’");
    row("date-transformer", "encoder.layer[1].self_attn.keep[2,:]=0", "layer 2: ‘␣’ looks at nothing");
    row("date-transformer", "encoder.layer[*].self_attn.keep[j-i>0]=0", "nobody looks ahead");
    row("date-transformer", "encoder.layer[1].self_attn.head[2].out=0", "head 3 of layer 2 (encoder) is switched off");
    row("date-transformer", "decoder.step[*].layer[0].cross_attn.head[0].scores=0",
        "head 1 of layer 1 (cross-attention) looks at everything evenly");
    row("story-gpt", "decoder.step[0].layer[1].self_attn.head[0].weights[2]~0.75",
        "‘cabinet’ looks at ‘keys’: 0.75 (layer 2, head 1)");
    row("story-gpt", "decoder.layer[*].self_attn.keep[0,1]=1", "‘<bos>’ may look at ‘the’");
  }
  void words() {
    QFETCH(QString, model);
    QFETCH(QString, edit);
    QFETCH(QString, expected);
    const auto result = run_of(qPrintable(model));
    QCOMPARE(edit_in_words(parse_intervention(edit.toStdString()), result.get()), expected);
    QVERIFY(!edit_in_words(parse_intervention(edit.toStdString()), nullptr).isEmpty());
  }

  void settings_in_words() {
    const Differences all = all_kinds();
    QCOMPARE(setting_in_words(*all.model, "attention.score"), QString("Score: dot → general"));
    QCOMPARE(setting_in_words(*all.model, "attention.temperature"), QString("Temperature: 1 → 2.5"));
    QVERIFY(untrained_in_words(*all.model).contains("W_a [128 x 128]"));
    QVERIFY(untrained_in_words(*load_model("date-attention")).isEmpty());
  }

  void sentences_are_whole() {
    const auto result = run_of("story-gpt");
    Differences differences;
    differences.model = load_model("story-gpt");
    differences.result = result;
    differences.edits = {parse_intervention("decoder.step[0].layer[1].self_attn.head[0].weights[2]~0.75")};
    EditsPanel panel;
    panel.set_differences(differences);
    show_at(panel, {230, 260});
    const QRect narrow = panel.list()->visualRect(panel.list()->model()->index(0, 0));
    const QFontMetrics metrics(panel.list()->font());
    QVERIFY(narrow.height() >= 2 * metrics.height());
    QString text;
    for (const RecordedText& each : texts_of(panel.list()->viewport())) text += each.text + ' ';
    QVERIFY2(!text.contains(u'…') && text.contains("head 1)"), qPrintable(text));
    show_at(panel, {700, 260});
    QVERIFY(panel.list()->visualRect(panel.list()->model()->index(0, 0)).height() < narrow.height());
  }

  void each_row_takes_itself_back() {
    EditsPanel panel;
    panel.set_differences(all_kinds());
    show_at(panel, {320, 260});
    QListView* list = panel.list();
    const auto at = [list](int row) { return list->model()->index(row, 0); };
    QStringList rows;
    for (int i = 0; i < list->model()->rowCount(); ++i) rows << at(i).data().toString();
    QCOMPARE(rows.size(), 6);
    QCOMPARE(rows[0], QString("Score: dot → general"));
    QCOMPARE(rows[2], QString("Decoding: beam search, 4 hypotheses"));
    QCOMPARE(rows[3], QString("You wrote the output: 2026-11-21"));
    QVERIFY(!rows[4].contains("not reached") && rows[5].contains("(not reached)"));
    QVERIFY(at(4).data(Qt::ToolTipRole).toString().contains("decoder.step[2].attention.weights[3]~0.8"));
    QSignalSpy settings(&panel, &EditsPanel::settingRemoved), decoding(&panel, &EditsPanel::decodingReset),
        target(&panel, &EditsPanel::targetRemoved);
    std::vector<std::vector<Intervention>> edits;
    connect(&panel, &EditsPanel::removeRequested, this, [&](const auto& removed) { edits.push_back(removed); });
    for (int i = 0; i < rows.size(); ++i) {
      list->setCurrentIndex(at(i));
      QTest::keyClick(list, Qt::Key_Delete);
    }
    QCOMPARE(settings.size(), 2);
    QCOMPARE(settings[0][0].toString(), QString("attention.score"));
    QCOMPARE(decoding.size(), 1);
    QCOMPARE(target.size(), 1);
    QCOMPARE(edits.size(), std::size_t{2});
    QVERIFY(edits[1] == std::vector<Intervention>{all_kinds().edits[1]});
    // The cross at the end of a row; the rest of the row only selects it.
    const QRect row = list->visualRect(at(1));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, row.center());
    QCOMPARE(settings.size(), 2);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, {row.right() - EditsDelegate::kEdge - row.height() / 2, row.center().y()});
    QCOMPARE(settings.size(), 3);
    QCOMPARE(settings.last()[0].toString(), QString("attention.temperature"));
  }

  // A row used to be a widget with a button, and to look for itself among all that were not reached.
  void as_many_rows_as_a_run_can_have_edits() {
    Differences many;
    many.result = run_of("date-attention");
    for (std::size_t i = 0; i < kMaxEdits; ++i)
      many.edits.push_back(parse_intervention("decoder.step[" + std::to_string(i % 100) + "].attention.scores[" +
                                              std::to_string(i / 100) + "]=-inf"));
    EditsPanel panel;
    show_at(panel, {320, 260});
    panel.set_differences(many);
    QCOMPARE(panel.list()->model()->rowCount(), static_cast<int>(kMaxEdits));
    QVERIFY(!panel.grab().isNull());
    QVERIFY(panel.findChildren<QWidget*>().size() < 50);
    const QModelIndex last = panel.list()->model()->index(static_cast<int>(kMaxEdits) - 1, 0);
    QVERIFY(last.data().toString().startsWith("Output 100 does not look at"));
    std::vector<Intervention> removed;
    connect(&panel, &EditsPanel::removeRequested, this, [&](const auto& edits) { removed = edits; });
    QTest::keyClick(panel.list(), Qt::Key_End);
    QTest::keyClick(panel.list(), Qt::Key_Delete);
    QVERIFY(removed == std::vector<Intervention>{many.edits.back()});
  }

  // Also where a bar to scroll with takes a part of their width.
  void wrapped_cards_stand_apart() {
    EditsPanel panel;
    panel.set_differences(all_kinds());
    show_at(panel, {320, 240});
    QCoreApplication::processEvents();
    QRectF before;
    int wrapped = 0;
    const QWidget* view = panel.list()->viewport();
    for (const RecordedText& each : texts_of(panel.list()->viewport())) {
      if (each.place.top() > view->height()) continue;
      QVERIFY2(each.place.top() >= before.bottom() - 1 || each.place.top() == before.top(), qPrintable(each.text));
      before = each.place;
      ++wrapped;
    }
    QVERIFY(wrapped > 3);
  }

  void the_rows_are_a_model() {
    EditsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.set(all_kinds());
    QCOMPARE(model.rowCount(), 6);
    model.set({});
    QCOMPARE(model.rowCount(), 0);
  }

  void nothing_differs() {
    EditsPanel panel;
    Differences none;
    none.model = load_model("date-attention");
    panel.set_differences(none);
    QCOMPARE(panel.list()->model()->rowCount(), 0);
    QVERIFY(!panel.list()->isVisibleTo(&panel));
  }

  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void pictures() {
    QFETCH(bool, dark);
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    EditsPanel panel;
    panel.set_differences(all_kinds());
    show_at(panel, {320, 240});
    COMPARE_IMAGE(panel, QString("differences_") + (dark ? "dark" : "light"));
  }
};

HEADLIGHT_WIDGET_TEST(TestEditsPanel)

}  // namespace headlight::test_edits_panel

#include "test_edits_panel.moc"
