// Heads in the window, of real models: what stands where, and what is folded.

#include <QAction>
#include <QPushButton>
#include <QTest>

#include "app/text/output_column.h"
#include "app/text/output_line.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/text/output_text.h"
#include "widgets/views/heads/heads_view.h"
#include "widgets/views/stepper/stepper_view.h"

namespace headlight::test_heads_shown {

class TestHeadsShown : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  void open(const char* model, const char* source, QSize size = {1280, 800}) {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = load_model(model);
    document.source = source;
    window_->resize(size);
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
    window_->actions()["look"]->trigger();
    settle();
    window_->panels().raise("heads");
    settle();
  }
  HeadsView* heads() { return window_->findChild<HeadsView*>(); }
  static QRect in(const QWidget* widget, const QWidget* window) {
    return {widget->mapTo(window, QPoint()), widget->size()};
  }

 private slots:
  void cleanup() { window_.reset(); }

  // Of a text that goes on, all heads stand where none of its rows can look, and on nothing that is painted.
  void all_heads_stand_in_the_free_corner_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QSize>("size");
    for (const QSize& size : {QSize(1280, 800), QSize(1024, 700), QSize(1920, 1080)})
      for (const char* text : {"anna sees tom in the garden. he", "tom in the garden. he carries a red box. he gives"})
        QTest::addRow("%d %zu", size.width(), strlen(text)) << QString(text) << size;
  }
  void all_heads_stand_in_the_free_corner() {
    QFETCH(QString, text);
    QFETCH(QSize, size);
    open("story-gpt", text.toUtf8(), size);
    const Heatmap* cells = heads()->heatmap();
    const HeatmapLayout& layout = cells->heatmap_layout();
    QVERIFY(layout.column_style == HeatmapLayout::ColumnLabels::stairs);
    QCOMPARE(cells->width(), heads()->width());
    const QRect grid = in(heads()->grid(), window_.get());
    const QPoint origin = cells->viewport()->mapTo(window_.get(), QPoint());
    QVERIFY(grid.width() > 200 && grid.height() > 100);
    QCOMPARE(layout.column_labels.size(), static_cast<std::size_t>(layout.columns));
    for (int i = 0; i < layout.columns; ++i) {
      const QRectF label = layout.column_labels[static_cast<std::size_t>(i)].rect.translated(origin);
      QVERIFY2(!label.intersects(QRectF(grid)), qPrintable(QString::number(i)));
      for (int column = 0; column <= i; ++column)
        QVERIFY(!layout.cell_rect(i, column).translated(origin).intersects(QRectF(grid)));
    }
    // The large picture follows a click on a small one.
    const HeadChoice before = heads()->opened();
    QTest::mouseClick(heads()->grid()->viewport(), Qt::LeftButton, {},
                      heads()->grid()->heads_layout().thumb(0, before.head == 1 ? 2 : 1).center().toPoint());
    settle();
    QVERIFY(!(heads()->opened() == before) && heads()->opened().map == 0);
  }

  // Seen larger, the head has the whole room; larger letters move what stands in the corner.
  void the_corner_is_left_when_it_is_not_free() {
    open("story-gpt", "tom in the garden. he carries a red box. he gives");
    Heatmap* cells = heads()->heatmap();
    QVERIFY(heads()->grid()->isVisible());
    cells->zoom(2, QPointF(200, 400));
    for (int i = 0; i < 10; ++i) QCoreApplication::processEvents();
    QTRY_VERIFY(!heads()->grid()->isVisible());
    QCOMPARE(cells->width(), heads()->width());
    cells->reset_view();
    QTRY_VERIFY(heads()->grid()->isVisible());
    for (const double scale : {1.5, 1.0}) {
      Theme::instance().set_font_scale(scale);
      settle();
      const QRect grid = in(heads()->grid(), window_.get());
      const QPoint origin = cells->viewport()->mapTo(window_.get(), QPoint());
      if (!heads()->grid()->isVisible()) continue;
      for (const HeatmapLayout::Label& label : cells->heatmap_layout().column_labels)
        QVERIFY(!label.rect.translated(origin).intersects(QRectF(grid)));
    }
    QVERIFY(heads()->grid()->isVisible());
  }

  // What it writes next stands beside the row that writes it.
  void the_output_stands_on_the_rows_of_a_head_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("text");
    QTest::newRow("goes on") << "story-gpt"
                             << "anna sees tom in the garden. he";
    QTest::newRow("guesses") << "masked-bert"
                             << "the keys to the old cabinet [MASK] on the table.";
  }
  void the_output_stands_on_the_rows_of_a_head() {
    QFETCH(QString, model);
    QFETCH(QString, text);
    open(model.toUtf8(), text.toUtf8());
    const auto result = window_->result();
    const AttentionMap* map = heads()->map_shown();
    const OutputColumn* column = window_->views().column();
    const auto rows = column->rows();
    QCOMPARE(rows.size(), result->steps.size());
    int compared = 0;
    for (int row = 0; row < static_cast<int>(map->row_count()); ++row) {
      const AttentionToken& token = map->rows[static_cast<std::size_t>(row)];
      const int step = guesses_hidden_words(*result) ? token.token : token.step;
      const auto found = std::ranges::find(rows, step, &OutputColumn::Row::step);
      if (step < 0 || found == rows.end()) continue;
      const double here = column->mapTo(window_.get(), found->rect.center().toPoint()).y();
      const QPointF cell = heads()->heatmap()->heatmap_layout().cell_rect(row, 0).center();
      QVERIFY(std::abs(here - heads()->heatmap()->viewport()->mapTo(window_.get(), cell.toPoint()).y()) <= 1);
      ++compared;
    }
    QCOMPARE(compared, static_cast<int>(rows.size()));
  }

  // While a run is gone through, what was not written yet is not there.
  void rows_that_are_not_written_are_empty() {
    open("story-gpt", "anna sees tom in the garden. he");
    window_->panels().raise("steps");
    window_->views().stepper()->first();
    settle();
    const auto& rows = heads()->map_shown()->rows;
    const auto given = std::ranges::count_if(rows, [](const AttentionToken& row) { return row.step < 0; });
    QVERIFY(given > 0 && given < static_cast<Index>(rows.size()));
    QCOMPARE(heads()->heatmap()->visible_rows(), static_cast<int>(given));
    QTest::mouseClick(window_->status().show_all(), Qt::LeftButton);
    QCOMPARE(heads()->heatmap()->visible_rows(), -1);
  }

  // Blanks behind a text are one column, with what each row gives them; a click shows each.
  void blanks_are_folded() {
    open("date-transformer", "May 5, 2001");
    heads()->set_kind(AttentionMap::Kind::encoder_self);
    heads()->open({1, 0});
    settle();
    const AttentionMap& whole = heads()->model().maps()[1];
    const auto blanks = std::ranges::count_if(whole.columns, &AttentionToken::padding);
    QVERIFY(blanks > 2);
    Heatmap* cells = heads()->heatmap();
    const auto letters = static_cast<int>(whole.column_count() - blanks);
    QCOMPARE(cells->rows(), letters);
    QCOMPARE(cells->columns(), letters + 1);
    for (int row = 0; row < letters; ++row) {
      double sum = 0, folded = 0;
      for (int column = 0; column <= letters; ++column) sum += static_cast<double>(cells->value(row, column));
      QVERIFY(std::abs(sum - 1) < 1e-5);
      for (Index column = 0; column < whole.column_count(); ++column)
        if (whole.columns[static_cast<std::size_t>(column)].padding)
          folded += static_cast<double>(whole.weight(0, row, column));
      QVERIFY(std::abs(folded - static_cast<double>(cells->value(row, letters))) < 1e-5);
    }
    // The small pictures leave them out, too.
    const HeadsLayout& small = heads()->grid()->heads_layout();
    QVERIFY(std::abs(small.thumb_width / small.thumb_height - 1) < 0.1);
    QTest::mouseClick(cells->viewport(), Qt::LeftButton, {},
                      cells->heatmap_layout().cell_rect(2, letters).center().toPoint());
    settle();
    QCOMPARE(cells->columns(), static_cast<int>(whole.column_count()));
    QVERIFY(heads()->choices().value("padding").toBool());  // kept with the session
    heads()->set_show_padding(false);
    QCOMPARE(cells->columns(), letters + 1);
  }

  // Words are written in the type of the interface, characters in a fixed pitch.
  void letters_of_the_texts_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<bool>("fixed");
    QTest::newRow("date-attention") << "date-attention" << true;
    QTest::newRow("story-gpt") << "story-gpt" << false;
    QTest::newRow("toy-mt-luong") << "toy-mt-luong" << false;
  }
  void letters_of_the_texts() {
    QFETCH(QString, model);
    QFETCH(bool, fixed);
    const auto bundle = load_model(model.toStdString());
    open(model.toUtf8(), bundle->examples.front().c_str());
    const auto pitch = [](const QFont& font) {
      return QFontMetrics(font).horizontalAdvance("iiii") == QFontMetrics(font).horizontalAdvance("mmmm");
    };
    QCOMPARE(pitch(window_->views().source_bar()->source_field()->font()), fixed);
    QCOMPARE(window_->findChild<OutputLine*>("output")->characters(), fixed);
  }
};

HEADLIGHT_WIDGET_TEST(TestHeadsShown)

}  // namespace headlight::test_heads_shown

#include "test_heads_shown.moc"
