// The output view and its table.
#include <QAbstractItemModelTester>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "image_test.h"
#include "sample_result.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/tables/matrix_model.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/views/output/output_view.h"

namespace headlight::test_output_view {

namespace {

// A result that writes words; the first alternative of each step is a long one.
std::shared_ptr<const Result> words_result() {
  const QStringList words = {"la",    "fille", "voit", "la", "grande", "maison", "anticonstitutionnellement",
                             "rouge", "<eos>"};
  sample::Options options;
  options.output = std::string(static_cast<std::size_t>(words.size()), '1');
  auto made = std::make_shared<Result>(*sample::result(options));
  for (int i = 0; i < words.size(); ++i) {
    OutputStep& step = made->steps[static_cast<std::size_t>(i)];
    step.text = words[i].toStdString();
    const std::vector<std::string> top = {step.text, "ressemblent", "il", "<unk>", "zèbres"};
    for (std::size_t k = 0; k < top.size(); ++k) step.top[k].text = top[k];
  }
  made->output = words.join(' ').toStdString();
  return made;
}

}  // namespace

class TestOutputView : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    Theme::instance().set_mode(Theme::Mode::light);
    Theme::instance().set_font_scale(1);
  }

  void percentages_never_lie_about_certainty() {
    QCOMPARE(percent(1), QString("100 %"));
    QCOMPARE(percent(0), QString("0 %"));
    QCOMPARE(percent(0.99999), QString("> 99.9 %"));
    QCOMPARE(percent(0.9986), QString("99.9 %"));
    QCOMPARE(percent(0.0001), QString("< 0.1 %"));
    QCOMPARE(percent(0.6249), QString("62.5 %"));
    QCOMPARE(percent(std::nan("")), QString("NaN"));
  }

  void the_table_keeps_the_rules_of_item_models() {
    OutputModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.set_result(sample::result());
    sample::Options shorter;
    shorter.output = "12";
    model.set_result(sample::result(shorter));
    model.set_result(sample::result(shorter));
    model.set_result(nullptr);
    QCOMPARE(model.rowCount(), 0);
  }

  void the_matrix_table_keeps_the_rules_too() {
    MatrixModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.set_matrix(2, 3, {1, 2, 3, 4, 5, 6});
    model.set_labels({{"a", false, {}}, {"b", false, {}}}, {{"x", false, {}}, {"y", false, {}}, {"z", false, {}}});
    QSignalSpy reset(&model, &MatrixModel::modelReset), changed(&model, &MatrixModel::dataChanged);
    model.set_matrix(2, 3, {6, 5, 4, 3, 2, 1});
    QCOMPARE(reset.size(), 0);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(model.index(1, 0).data().toString(), QString("3"));
    QCOMPARE(model.index(1, 0).data(Qt::ToolTipRole).toString(), QStringLiteral("b, x: 3"));
    model.set_matrix(1, 1, {0.123456789f});
    QCOMPARE(reset.size(), 1);
    QCOMPARE(model.index(0, 0).data().toString(), QString("0.1235"));
    model.set_matrix(0, 0, {});
  }

  void the_table_tells_tokens_and_probabilities() {
    OutputModel model;
    model.set_result(sample::result());
    QCOMPARE(model.rowCount(), 10);
    QCOMPARE(model.index(4, OutputModel::kToken).data().toString(), QString("-"));
    QCOMPARE(model.index(6, OutputModel::kProbability).data().toString(), QString("62.0 %"));
    const QModelIndex first = model.index(0, OutputModel::kFirstCandidate);
    QCOMPARE(first.data().toString(), QString("1"));
    QCOMPARE(first.siblingAtColumn(OutputModel::kFirstCandidate + 1).data().toString(), QString("99.9 %"));
    QCOMPARE(table_value(first.siblingAtColumn(OutputModel::kFirstCandidate + 1)).typeId(), QMetaType::Double);
    QCOMPARE(model.headerData(OutputModel::kFirstCandidate, Qt::Horizontal).toString(), QString("choice 1"));
  }

  void hover_and_click_are_linked_by_step() {
    Selection selection;
    OutputView view(&selection);
    view.set_result(sample::result());
    show_at(view, {440, 270});
    QSignalSpy candidate(&view, &OutputView::candidateActivated);
    QTest::mouseMove(view.viewport(), view.output_layout().chip_rect(3).center().toPoint());
    QTRY_COMPARE(selection.hovered_step(), std::optional(3));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.output_layout().chip_rect(4).center().toPoint());
    QCOMPARE(selection.state().step, std::optional(4));
    QVERIFY(candidate.isEmpty());
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                      view.output_layout().candidate_rect(6, 1).center().toPoint());
    const auto result = sample::result();
    QCOMPARE(candidate.last(), (QVariantList{6, static_cast<int>(result->steps[6].top[1].id)}));
    SelectionState elsewhere;
    elsewhere.step = 9;
    selection.set(elsewhere);
    QCOMPARE(view.cursor().step, 9);
  }

  void works_with_the_keyboard_alone() {
    Selection selection;
    OutputView view(&selection);
    view.set_result(sample::result());
    show_at(view, {440, 270});
    view.setFocus(Qt::TabFocusReason);
    QSignalSpy candidate(&view, &OutputView::candidateActivated);
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(view.cursor(), (OutputHit{0, -1}));
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Return);
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(view.cursor(), (OutputHit{1, 1}));
    QTest::keyClick(&view, Qt::Key_Return);
    QCOMPARE(candidate.size(), 1);
    QTest::keyClick(&view, Qt::Key_End);
    QCOMPARE(view.cursor(), (OutputHit{9, 1}));
    QCOMPARE(selection.state().step, std::optional(9));
    for (int i = 0; i < 9; ++i) QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(view.cursor(), (OutputHit{9, 4}));
    QVERIFY(view.accessibleDescription().contains("Choice 5 of step 10"));
  }

  void words_and_percentages_stay_apart_at_every_letter_size() {
    for (const double scale : {1.0, 1.5, 2.0}) {
      Theme::instance().set_font_scale(scale);
      Selection selection;
      OutputView view(&selection);
      view.set_result(words_result());
      show_at(view, {440, 400});
      const QFontMetricsF token(Theme::instance().text_font(false)), chip(Theme::instance().text_font(false, 1.35));
      const QFontMetricsF number(Theme::instance().ui_font(type::kHead));
      const double beside = number.horizontalAdvance("99.9") + number.horizontalAdvance("0");
      for (int step = 0; step < 9; ++step) {
        const double width = view.output_layout().column_rect(step).width();
        QVERIFY(width >= token.horizontalAdvance("ressemblent") + beside);  // the longest of most columns
        if (step != 6) QVERIFY(width >= chip.horizontalAdvance(words_result()->steps[std::size_t(step)].text.c_str()));
      }
      // 25 letters are elided to about 14.
      QVERIFY(view.output_layout().column_rect(6).width() < chip.horizontalAdvance(QString(21, 'n')));
      QVERIFY(view.place_tooltip({6, 0}).contains("anticonstitutionnellement"));
    }
  }

  void the_cursor_stays_in_sight() {
    Selection selection;
    OutputView view(&selection);
    view.set_result(words_result());
    show_at(view, {300, 270});
    QVERIFY(view.output_layout().width > 2 * 300);
    const auto seen = [&](int step) {
      const double left = view.horizontalScrollBar()->value();
      const QRectF column = view.output_layout().column_rect(step);
      return column.left() >= left && column.right() <= left + view.viewport()->width();
    };
    QVERIFY(seen(0) && !seen(8));
    view.setFocus(Qt::TabFocusReason);
    for (int step = 0; step < 9; ++step) {
      QTest::keyClick(&view, Qt::Key_Right);
      QVERIFY(seen(step));
    }
    QTest::keyClick(&view, Qt::Key_Home);
    QVERIFY(seen(0));
    SelectionState elsewhere;  // another view chose a step
    elsewhere.step = 7;
    selection.set(elsewhere);
    QVERIFY(seen(7));
  }

  void an_exported_picture_has_all_columns() {
    QTemporaryDir folder;
    Selection selection;
    OutputView view(&selection);
    view.set_result(words_result());
    show_at(view, {300, 270});
    write_figure(view.figure(), folder.filePath("out.png"));
    const QImage picture(folder.filePath("out.png"));
    QVERIFY(picture.width() >= view.output_layout().width);
  }

  void steps_to_come_cannot_be_activated() {
    Selection selection;
    OutputView view(&selection);
    view.set_result(sample::result());
    view.set_visible_steps(3);
    show_at(view, {440, 270});
    QSignalSpy candidate(&view, &OutputView::candidateActivated);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                      view.output_layout().candidate_rect(6, 1).center().toPoint());
    QVERIFY(candidate.isEmpty());
    QVERIFY(view.place_tooltip({6, 1}).contains("not been computed"));
  }

  void tooltips_teach() {
    Selection selection;
    OutputView view(&selection);
    view.set_result(sample::result());
    QVERIFY(view.place_tooltip({6, -1}).startsWith(QStringLiteral("Step 7 wrote ‘9’ with probability 62.0 %.")));
    QVERIFY(view.place_tooltip({6, 0}).contains("This one was written."));
    QVERIFY(view.place_tooltip({6, 1}).contains("Click to write this token instead"));
    QCOMPARE(view.place_tooltip({}), QString());
  }

  void shorter_and_empty_results_are_harmless() {
    Selection selection;
    OutputView view(&selection);
    show_at(view, {440, 270});
    QTest::keyClick(&view, Qt::Key_Right);
    view.set_result(sample::result());
    SelectionState state;
    state.step = 9;
    selection.set(state);
    sample::Options shorter;
    shorter.output = "12";
    view.set_result(sample::result(shorter));
    QCOMPARE(view.cursor(), OutputHit{});
    view.grab();
    view.set_result(nullptr);
    view.grab();
    QCOMPARE(view.output_layout().steps, 0);
  }

  void exports() {
    QTemporaryDir folder;
    Selection selection;
    OutputView view(&selection);
    view.set_result(sample::result());
    view.resize(440, 270);
    write_figure(view.figure(), folder.filePath("out.csv"));
    QFile file(folder.filePath("out.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readLine().startsWith("step,output,probability,choice 1,probability 1"));
    QVERIFY(file.readLine().startsWith("0,1,0.9986,1,0.9986,0,"));
    write_figure(view.figure(), folder.filePath("out.svg"));
    QVERIFY(QFileInfo(folder.filePath("out.svg")).size() > 500);
  }

  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void pictures() {
    QFETCH(bool, dark);
    const QString mode = dark ? "dark" : "light";
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    Selection selection;
    OutputView view(&selection);
    view.set_result(sample::result());
    view.set_visible_steps(9);
    show_at(view, {420, 260});
    SelectionState state;
    state.step = 6;
    selection.set(state);
    selection.hover(std::nullopt, 2);
    COMPARE_IMAGE(view, "output_" + mode);
    sample::Options shorter;
    shorter.output = "12 4";
    view.set_visible_steps(-1);
    view.set_result(sample::result(shorter));
    COMPARE_IMAGE(view, "output_wide_" + mode);
    view.set_result(words_result());
    show_at(view, {820, 260});
    COMPARE_IMAGE(view, "output_words_" + mode);
    Theme::instance().set_font_scale(2);
    show_at(view, {820, 480});
    COMPARE_IMAGE(view, "output_words_large_" + mode);
  }
};

HEADLIGHT_WIDGET_TEST(TestOutputView)

}  // namespace headlight::test_output_view

#include "test_output_view.moc"
