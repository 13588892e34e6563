// What the pictures of the window show of a run, and what mouse and keyboard do in them; the table beside them;
// languages and colours.

#include <QClipboard>
#include <QInputDialog>
#include <QSettings>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "app/appearance.h"
#include "app/language.h"
#include "app/stage/first_selection.h"
#include "app/stage/panel_frame.h"
#include "app/text/output_column.h"
#include "model/analysis/attention_maps.h"
#include "tests/app/small_window.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/tables/table_pane.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/explain/explain_canvas.h"
#include "widgets/views/explain/explain_view.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/stepper/stepper_view.h"
#include "widgets/views/tokens/token_strip.h"

namespace headlight::test_window_pictures {

class TestWindowPictures : public QObject, testing::SmallWindow {
  Q_OBJECT

 private slots:
  void initTestCase() { make_models(); }
  void init() { QSettings().clear(); }
  void cleanup() { put_away(); }

  void everything_is_filled_at_the_start() {
    open();
    QVERIFY(window_->views().alignment()->map_shown());
    QCOMPARE(window_->views().tokens()->token_count(), static_cast<int>(window_->result()->tokens.size()));
    QCOMPARE(window_->views().source_bar()->output(), QString::fromStdString(window_->result()->output));
    QCOMPARE(window_->views().column()->rows().size(), window_->result()->steps.size());
    // Nothing is chosen, and nothing stands beside the picture, before somebody asks.
    QCOMPARE(window_->selection().state(), SelectionState());
    QVERIFY(!window_->panels().is_seen("inspector") && !window_->panels().is_seen("steps"));
  }

  void captions_grow_with_the_window() {
    open();
    for (const int wide : {1280, 1920, 1280}) {
      window_->resize(wide, 900);
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      QCOMPARE(Theme::instance().ui_font(type::kSource) == Theme::instance().ui_font(), wide == 1920);
    }
  }

  // Each token of the output stands behind its row, also in a window of another size.
  void the_output_stands_behind_its_rows() {
    open();
    for (const QSize& size : {QSize(1280, 800), QSize(1024, 700)}) {
      window_->resize(size);
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      const Heatmap* cells = window_->views().alignment()->heatmap();
      const OutputColumn* column = window_->views().column();
      const auto rows = column->rows();
      QCOMPARE(static_cast<int>(rows.size()), cells->rows());
      for (const OutputColumn::Row& row : rows) {
        const double here = column->mapTo(window_.get(), row.rect.center().toPoint()).y();
        const QPointF cell = cells->heatmap_layout().cell_rect(row.step, 0).center();
        QVERIFY(std::abs(here - cells->mapTo(window_.get(), cell.toPoint()).y()) <= 1);
      }
    }
  }

  void a_click_opens_this_number_and_arrows_only_choose() {
    open();
    const auto seen = [this] {
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      return window_->panels().is_seen("inspector");
    };
    Heatmap* cells = window_->views().alignment()->heatmap();
    const auto click = [&](int row, int column) {
      QTest::mouseClick(cells->viewport(), Qt::LeftButton, {},
                        cells->heatmap_layout().cell_rect(row, column).center().toPoint());
    };
    cells->setFocus();
    QTest::keyClick(cells, Qt::Key_Down);
    QVERIFY(window_->selection().state().cell && !seen());
    click(2, 3);
    QVERIFY(seen());
    QCOMPARE(window_->selection().state().step, std::optional<int>(2));
    QVERIFY(window_->views().inspector()->shown().has_value());
    // Closed by hand it stays closed, until somebody asks.
    emit window_->panels().frame("inspector")->closed();
    QVERIFY(!seen());
    click(1, 1);
    QVERIFY(!seen());
    QTest::keyClick(cells, Qt::Key_Return);
    QVERIFY(seen());
  }

  void the_caption_says_what_to_do() {
    open();
    for (const ViewRow& row : view_table()) {
      if (!window_->panels().raise(row.name) || window_->panels().front() != row.name) continue;
      QVERIFY2(window_->status().caption().endsWith(translated_view_text(row.todo)), row.name);
      QVERIFY2(row.todo[0], row.name);
    }
  }

  // The four steps stand on the columns of the picture, and each of their numbers is one click from its arithmetic.
  void an_output_is_explained_in_four_steps() {
    open();
    trigger("explain");
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
    ExplainView* view = window_->views().explanation();
    const auto& rows = view->canvas()->rows();
    QVERIFY(rows && rows->rows.size() == 4);
    const Heatmap* cells = window_->views().alignment()->heatmap();
    for (int column = 0; column < cells->columns(); ++column) {
      const double above = cells->mapToGlobal(cells->heatmap_layout().cell_rect(0, column).center().toPoint()).x();
      const double below = view->canvas()->mapToGlobal(view->canvas()->number_rect({1, column}).center().toPoint()).x();
      QVERIFY2(std::abs(above - below) <= 1, qPrintable(QString::number(column)));
    }
    for (int row = 0; row < 4; ++row) {
      QTest::mouseClick(view->canvas()->viewport(), Qt::LeftButton, {},
                        view->canvas()->number_rect({row, 0}).center().toPoint());
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      const auto shown = window_->views().inspector()->shown();
      QVERIFY(shown);
      QCOMPARE(shown->entry, rows->rows[static_cast<std::size_t>(row)].entry);
      QCOMPARE(shown->index, rows->rows[static_cast<std::size_t>(row)].numbers[0].cell);
    }
    const int step = view->step();
    view->walk(1);
    QCOMPARE(view->step(), step + 1);
    QVERIFY2(view->heading().contains(QString::number(step + 2)), qPrintable(view->heading()));
  }

  // Stepping leaves rows out, and says so; a new text is a new run, of which everything is there.
  void stepping_ends_when_somebody_types() {
    open();
    trigger("explain");
    window_->panels().raise("steps");
    StepperView* stepper = window_->views().stepper();
    stepper->first();
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
    const Heatmap* map = window_->views().alignment()->heatmap();
    QCOMPARE(map->visible_rows(), 0);
    QVERIFY2(window_->status().caption().contains("0 of"), qPrintable(window_->status().caption()));
    window_->session().set_source("June 7, 1999");
    settle();
    QCOMPARE(map->visible_rows(), -1);
    stepper->first();
    QCOMPARE(map->visible_rows(), 0);
    QTest::mouseClick(window_->status().show_all(), Qt::LeftButton);
    QCOMPARE(map->visible_rows(), -1);
    QVERIFY(!window_->status().caption().contains("Stopped"));
  }

  void arrows_in_the_alignment_move_the_selection() {
    open();
    window_->activateWindow();
    while (!window_->views().alignment()->isAncestorOf(QApplication::focusWidget()))
      QTest::keyClick(window_.get(), Qt::Key_F8);
    for (const auto key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Right})
      QTest::keyClick(QApplication::focusWidget(), key);
    const SelectionState before = window_->selection().state();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
    const SelectionState after = window_->selection().state();
    QVERIFY(after.step.has_value());
    QCOMPARE(*after.step, *before.step - 1);
  }

  void the_numbers_open_as_a_table() {
    open();
    window_->activateWindow();
    Heatmap* map = window_->views().alignment()->heatmap();
    map->setFocus();
    QTest::keyClick(map, Qt::Key_T, Qt::ControlModifier);
    TablePane* pane = window_->panels().table_pane("alignment");
    QVERIFY(pane && pane->isVisible());
    QTableView* cells = pane->cells();
    QVERIFY(cells->hasFocus());
    QVERIFY(cells->accessibleName().contains("Alignment"));
    const QAbstractItemModel* table = cells->model();
    QCOMPARE(table->rowCount(), map->rows());
    QCOMPARE(table->columnCount(), map->columns());
    QCOMPARE(table->index(2, 3).data(Qt::EditRole).toFloat(), map->value(2, 3));
    // Sorted by a column, the largest first.
    cells->setCurrentIndex(table->index(0, 3));
    QTest::keyClick(cells, Qt::Key_S);
    QTest::keyClick(cells, Qt::Key_S);
    std::vector<float> values;
    for (int row = 0; row < map->rows(); ++row) values.push_back(map->value(row, 3));
    QCOMPARE(table->index(0, 3).data(Qt::EditRole).toFloat(), *std::ranges::max_element(values));
    // Copied for a spreadsheet: a line of titles, then every row.
    QTest::keyClick(cells, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(cells, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), map->rows() + 1);
    QCOMPARE(lines[1].count('\t'), map->columns());
    // It follows the text, in its order, and speaks Chinese.
    window_->session().set_source("21 NOV 2026");
    settle();
    QCOMPARE(table->columnCount(), map->columns());
    set_language("zh_CN");
    QCoreApplication::processEvents();
    QVERIFY(cells->accessibleName().contains(QStringLiteral("表格")));
    QTest::keyClick(cells, Qt::Key_Escape);
    QVERIFY(!window_->panels().table_pane("alignment"));
    QVERIFY(map->hasFocus());
    // From where the keyboard is in no picture: of the picture in front.
    trigger("focus_source");
    trigger("show_table");
    QVERIFY(window_->panels().table_pane("alignment"));
    trigger("show_table");
    QVERIFY(!window_->panels().table_pane("alignment"));
  }

  void maps_are_made_once_for_a_result() {
    open();
    int seen = 0;
    for (const ViewRow& row : view_table()) {
      // One stays in the window; the history runs other models.
      if (row.name == QLatin1String("alignment") || row.name == QLatin1String("history")) continue;
      if (!window_->panels().is_offered(row.name)) continue;
      window_->panels().set_out(row.name, true);
      QVERIFY(window_->panels().is_seen(row.name));
      ++seen;
    }
    QVERIFY(seen > 5);
    window_->views().compare()->set_reference(CompareView::Reference::before);  // another model has maps of its own
    settle();
    QTest::qWait(200);  // the list of the compare view is sorted a moment later
    const std::size_t before = attention_maps_made();
    window_->session().set_source("21 NOV 2026");
    settle();
    QTest::qWait(200);
    QCOMPARE(attention_maps_made() - before, std::size_t(1));
  }

  void the_language_changes_while_it_runs() {
    open();
    trigger("language_zh_CN");
    QTRY_COMPARE(window_->actions()["undo"]->text(), QString::fromUtf8("撤销(&U)"));
    QVERIFY(window_->panels().frame("outputs")->title() != "Output");
    trigger("language_en");
    QTRY_COMPARE(window_->actions()["undo"]->text(), QString("&Undo"));
    QCOMPARE(window_->panels().frame("outputs")->title(), QString("Output"));
  }

  void colours_and_text_size_change_while_it_runs() {
    open();
    trigger("theme_light");
    trigger("theme");
    QCOMPARE(Theme::instance().mode(), Theme::Mode::dark);
    trigger("theme");
    QCOMPARE(Theme::instance().mode(), Theme::Mode::light);
    trigger("larger");
    QVERIFY(Theme::instance().font_scale() > 1);
    trigger("normal_size");
    QCOMPARE(Theme::instance().font_scale(), 1.0);
    QCOMPARE(next_font_scale(2.5, 1), 2.5);
    QCOMPARE(next_font_scale(0.75, -1), 0.75);
  }

  void the_dialog_of_a_weight_fits_beside_the_picture() {
    open();
    window_->selection().set(first_selection(*window_->result()));
    Heatmap* cells = window_->views().alignment()->heatmap();
    cells->setFocus();
    QTest::keyClick(cells, Qt::Key_Down);
    QTest::keyClick(cells, Qt::Key_F2);
    auto* dialog = window_->findChild<QInputDialog*>();
    QVERIFY(dialog);
    QVERIFY2(dialog->width() < 600, qPrintable(QString::number(dialog->width())));
    dialog->reject();
  }
};

HEADLIGHT_WIDGET_TEST(TestWindowPictures)

}  // namespace headlight::test_window_pictures

#include "test_window_pictures.moc"
