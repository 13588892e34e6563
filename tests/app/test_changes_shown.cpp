// What a change made of the run is seen where one looks: in the output, in the picture, and in a sentence beside it.
// And rows that are compared show all that they give away.

#include <QLabel>
#include <QTest>
#include <cmath>
#include <set>

#include "app/language.h"
#include "app/panels/edits_panel.h"
#include "app/text/changed_output.h"
#include "app/text/output_column.h"
#include "app/text/source_bar.h"
#include "app/window/main_window.h"
#include "model/analysis/attention_maps.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/text/effect_words.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/compare/compare_subject.h"

namespace headlight::test_changes_shown {

namespace {

using Kind = OutputPart::Kind;

QString told(const std::vector<OutputPart>& parts) {
  QString text;
  for (const OutputPart& part : parts)
    text += part.kind == Kind::same ? part.text
                                    : QStringLiteral("%1%2%1").arg(part.kind == Kind::now ? '+' : '-').arg(part.text);
  return text;
}

std::shared_ptr<const Result> run_of(const std::string& text, std::vector<Intervention> edits = {}) {
  Request request;
  request.model = load_model("date-attention");
  request.source = text;
  request.interventions = std::move(edits);
  return std::make_shared<const Result>(run(request));
}

}  // namespace

class TestChangesShown : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  QString parts() { return told(window_->views().source_bar()->output_parts()); }
  QString effect() { return window_->views().edits()->effect(); }
  AlignmentView* alignment() { return window_->views().alignment(); }

 private slots:
  void initTestCase() { load_resources(); }
  void cleanup() {
    window_.reset();
    Theme::instance().set(Theme::Mode::light, 1);
  }

  void parts_of_an_output_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("now");
    QTest::addColumn<bool>("characters");
    QTest::addColumn<QString>("expected");
    QTest::newRow("one digit") << "2026-11-22"
                               << "2026-21-22" << true << "2026--1-+2+1-22";
    QTest::newRow("a run of them") << "1999"
                                   << "1834" << true << "1-999-+834+";
    QTest::newRow("longer") << "ab"
                            << "abc" << true << "ab+c+";
    QTest::newRow("shorter") << "abc"
                             << "ab" << true << "ab-c-";
    QTest::newRow("words") << "the cat sees"
                           << "the dog sees" << false << "the-cat-+dog+sees";
    QTest::newRow("not latin") << QString::fromUtf8("\xF0\x9F\x98\x80z") << QString::fromUtf8("\xF0\x9F\x98\x80y")
                               << true << QString::fromUtf8("\xF0\x9F\x98\x80-z-+y+");
    QTest::newRow("nothing before") << ""
                                    << "a" << true << "+a+";
  }
  void parts_of_an_output() {
    QFETCH(QString, before);
    QFETCH(QString, now);
    QFETCH(bool, characters);
    QTEST(told(changed_output(before, now, characters)), "expected");
    // Without what was struck out it is the output itself.
    QString rest;
    for (const OutputPart& part : changed_output(before, now, characters))
      if (part.kind != Kind::before) rest += part.text;
    QCOMPARE(rest.remove(' '), QString(now).remove(' '));
  }

  void a_change_is_seen_in_output_picture_and_words() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = load_model("date-attention");
    document.source = "November 22, 2026";
    window_->resize(1280, 800);
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
    QCOMPARE(parts(), QString());
    QCOMPARE(effect(), QString());
    QCOMPARE(alignment()->moved(), 0);
    // The month is read from the year's first digit: output 6, which was the month's first.
    const AttentionMap* map = alignment()->map_shown();
    Index column = -1;
    for (Index each = 0; each < map->column_count(); ++each)
      if (map->columns[static_cast<std::size_t>(each)].token == 13) column = each;
    const Intervention edit =
        parse_intervention("decoder.step[5].attention.weights[" +
                           std::to_string(map->key_of_column[static_cast<std::size_t>(column)]) + "]~1");
    window_->session().add_intervention(edit);
    settle();
    const auto before = run_of("November 22, 2026"), after = run_of("November 22, 2026", {edit});
    QVERIFY(before->output != after->output);
    QCOMPARE(QString::fromStdString(window_->result()->output), QString::fromStdString(after->output));
    QTRY_COMPARE(parts(), told(changed_output(QString::fromStdString(before->output),
                                              QString::fromStdString(after->output), true)));
    QVERIFY(effect().contains(QString::fromStdString(before->output)));
    // A dot on each weight that differs by two hundredths, but not on the one that was changed.
    const auto weights = [](const Result& result) { return attention_maps(result).front(); };
    const AttentionMap one = weights(*before), two = weights(*after);
    int moved = 0;
    for (Index row = 0; row < two.row_count(); ++row)
      for (Index each = 0; each < two.column_count(); ++each)
        if (!two.columns[static_cast<std::size_t>(each)].padding && !(row == 5 && each == column) &&
            std::abs(static_cast<double>(two.weight(0, row, each)) - static_cast<double>(one.weight(0, row, each))) >=
                0.02)
          ++moved;
    // And one on each sum of padding.
    const auto padding = [](const AttentionMap& of, Index row) {
      double sum = 0;
      for (Index each = 0; each < of.column_count(); ++each)
        if (of.columns[static_cast<std::size_t>(each)].padding) sum += static_cast<double>(of.weight(0, row, each));
      return sum;
    };
    for (Index row = 0; row < two.row_count(); ++row) moved += std::abs(padding(two, row) - padding(one, row)) >= 0.02;
    QVERIFY(moved > 3);
    QCOMPARE(alignment()->moved(), moved);
    QVERIFY(effect().contains("dot") && effect().contains("0.02"));
    // The dot of a square that fell to nothing is not covered by the tint of the chosen row and column.
    const Heatmap& cells = *alignment()->heatmap();
    HeatmapCell fallen;
    for (const HeatmapCell& cell : cells.moved_cells())
      if (cells.value(cell.row, cell.column) < 0.005) fallen = cell;
    QVERIFY(fallen.row >= 0);
    const auto violet = [&] {
      const QRectF cell = cells.heatmap_layout().cell_rect(fallen.row, fallen.column);
      const QImage image = alignment()->heatmap()->viewport()->grab().toImage();
      int found = 0;
      for (int y = static_cast<int>(cell.top()); y < cell.bottom(); ++y)
        for (int x = static_cast<int>(cell.center().x()); x < cell.right(); ++x)
          found += image.pixelColor(x, y) == Theme::instance().edited() ? 1 : 0;
      return found;
    };
    const int dots = violet();
    QVERIFY(dots > 0);
    SelectionState chosen;
    chosen.step = fallen.row;
    window_->selection().set(chosen);
    settle();
    QVERIFY(violet() > 0);
    // Another text: the run without the change is computed beside it.
    window_->session().set_source("May 5, 2001");
    settle();
    const auto other = run_of("May 5, 2001");
    QTRY_VERIFY(effect().contains(window_->result()->output == other->output ? "stays the same"
                                                                             : QString::fromStdString(other->output)));
    window_->session().clear_differences();
    settle();
    QCOMPARE(parts(), QString());
    QCOMPARE(effect(), QString());
    QCOMPARE(alignment()->moved(), 0);
  }

  // The sentence follows from both runs: the output and how sure it is, or what stands for the text as a whole.
  void the_effect_is_that_of_both_runs() {
    const auto sure = [](const Result& result) {
      double product = 1;
      for (const OutputStep& step : result.steps) product *= step.probability;
      return QString::number(100 * product, 'f', 1) + " %";
    };
    const auto before = run_of("May 5, 2001");
    for (const char* weight : {"0.2", "0.6"}) {
      const auto now =
          run_of("May 5, 2001", {parse_intervention("decoder.step[2].attention.weights[3]~" + std::string(weight))});
      const QString words = effect_words(*before, *now);
      if (before->output != now->output)
        QVERIFY2(words.contains(QString::fromStdString(before->output)), qPrintable(words));
      else
        QVERIFY2(words.contains("stays the same") && (sure(*before) == sure(*now) || words.contains(sure(*now))),
                 qPrintable(words));
    }
    QVERIFY(effect_words(*before, *before).startsWith("The output stays the same"));
    // An embedding: (3, 4) and (4, 3) have a cosine of 24/25.
    Result silent = *before, moved = *before;
    silent.steps.clear(), moved.steps.clear();
    silent.output = moved.output = "";
    silent.vectors = {{TextVector::Kind::sentence, Tensor::vector({3, 4})}};
    moved.vectors = {{TextVector::Kind::sentence, Tensor::vector({4, 3})}};
    QVERIFY2(effect_words(silent, moved).contains("0.9600"), qPrintable(effect_words(silent, moved)));
    QVERIFY(effect_words(silent, silent).contains("stays the same"));
    moved.vectors = {{TextVector::Kind::sentence, Tensor::vector({3, 4.0001F})}};
    QVERIFY(effect_words(silent, moved).contains("> 0.9999"));  // almost the same is not the same
    silent.vectors = {{TextVector::Kind::score, Tensor::vector({2})}};
    moved.vectors = {{TextVector::Kind::score, Tensor::vector({-1})}};
    QVERIFY2(effect_words(silent, moved).contains("was 2") && effect_words(silent, moved).contains(QChar(0x2212)),
             qPrintable(effect_words(silent, moved)));
  }

  // What was one choice in a menu is taken back by one step.
  void another_beginning_is_one_step() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = load_model("date-attention");
    document.source = "May 5, 2001";
    window_->start(document);
    settle();
    const Document before = window_->session().document();
    emit window_->views().column()->beginningWanted("204");
    settle();
    QCOMPARE(window_->session().document().target, std::optional<std::string>("204"));
    QVERIFY(window_->session().document().prefix);
    window_->session().undo_stack().undo();
    settle();
    QCOMPARE(window_->session().document().target, before.target);
    QCOMPARE(window_->session().document().prefix, before.prefix);
    window_->session().undo_stack().redo();
    settle();
    QVERIFY(window_->session().document().prefix && window_->session().document().target);
  }

  // Padding stands in one column behind the others: a row adds up to 1 in both pictures.
  void rows_that_are_compared_add_up() {
    const auto a = analysed(run_of("November 22, 2026")), b = analysed(run_of("May 5, 2001"));
    const Compared compared = compare(*a, *b, {});
    const Index columns = compared.table.before.columns();
    QCOMPARE(columns, static_cast<Index>(compared.columns.labels.size()));
    QVERIFY(compared.columns.labels.back().text.endsWith(')'));
    for (const auto& [values, after] : {std::pair{compared.table.before, false}, {compared.table.after, true}})
      for (Index row = 0; row < values.rows(); ++row) {
        const PlacePair& place = compared.table.rows[static_cast<std::size_t>(row)];
        if ((after ? place.after : place.before) < 0) continue;
        double sum = 0;
        for (Index column = 0; column < columns; ++column)
          if (const auto value = static_cast<double>(values[row * columns + column]); std::isfinite(value))
            sum += value;
        QVERIFY2(std::abs(sum - 1) < 1e-4, qPrintable(QString::number(sum)));
      }
    // It is a sum, and no number of the trace.
    QVERIFY(!compared.cell(0, static_cast<int>(columns) - 1));
    QVERIFY(compared.cell(0, 0) || compared.table.rows.front().after < 0 || compared.table.columns.front().after < 0);
  }
};

HEADLIGHT_WIDGET_TEST(TestChangesShown)

}  // namespace headlight::test_changes_shown

#include "test_changes_shown.moc"
