// The view of split scores: its numbers add up, its words say so, keys and layout.

#include <QApplication>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "image_test.h"
#include "model/core/json_library.h"
#include "tests/test_program.h"
#include "tests/widgets/recorded_text.h"
#include "tests/widgets/small_runs.h"
#include "widgets/views/score_parts/score_parts_view.h"

namespace headlight::test_score_parts_view {

namespace {

struct Shown {
  Selection selection;
  ViewRequests requests;
  ScorePartsView view{{&selection, &requests}};

  explicit Shown(const std::shared_ptr<const Result>& result) {
    view.set_result(result);
    show_at(view, {640, 420});
  }
};

std::shared_ptr<const Result> transformer_run() {
  return sample::small_run({{"model_type", "transformer"}, {"model_size", 8}, {"heads", 2}, {"ff_size", 8}});
}

}  // namespace

class TestScorePartsView : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  // The table: query, key, four parts (and the rest, where there is one), their sum.
  void lines_add_up() {
    Shown shown(transformer_run());
    QAbstractItemModel* table = shown.view.table();
    QCOMPARE(table->rowCount(), 25);
    for (int line = 0; line < table->rowCount(); ++line) {
      double sum = 0;
      const int last = table->columnCount() - 1;
      const auto score = [&] { return table->index(line, last).data(Qt::EditRole).toDouble(); };
      for (int column = 2; column < last; ++column) sum += table->index(line, column).data(Qt::EditRole).toDouble();
      QVERIFY2(std::abs(sum - score()) < 1e-4, qPrintable(QString("%1, %2").arg(sum).arg(score())));
    }
  }

  // The sum stands behind the others in the order of the maps.
  void the_score_is_that_of_the_run() {
    const auto result = transformer_run();
    Shown shown(result);
    const SplitHead* head = shown.view.canvas()->head();
    QVERIFY(head);
    const Tensor scores = result->trace->value("encoder.layer[0].self_attn.head[0].scores");
    for (int row = 0; row < 5; ++row)
      for (int column = 0; column < 5; ++column)
        QVERIFY(std::abs(head->value(ScorePartsCanvas::kSum, row, column) -
                         static_cast<double>(scores[row * 5 + column])) < 1e-6);
  }

  void keys_go_from_pair_to_pair() {
    Shown shown(transformer_run());
    ScorePartsCanvas& canvas = *shown.view.canvas();
    QTest::keyClick(&canvas, Qt::Key_Home, Qt::ControlModifier);
    QTest::keyClick(&canvas, Qt::Key_Right);
    QTest::keyClick(&canvas, Qt::Key_Down);
    QTest::keyClick(&canvas, Qt::Key_Down);
    QCOMPARE(canvas.row(), 2);
    QCOMPARE(canvas.column(), 1);
    QVERIFY(canvas.sentence().contains("token · token"));
    QVERIFY(shown.selection.state().source_token == 1);
  }

  // Over each of the upper maps and beside each of the left ones, also where many are shown in little room.
  void rows_and_columns_have_names() {
    Shown shown(transformer_run());
    for (const QSize size : {QSize(640, 420), QSize(1280, 760)}) {
      shown.view.resize(size);
      QApplication::processEvents();
      const ScorePartsLayout& layout = shown.view.canvas()->parts_layout();
      const std::vector<RecordedText> texts = texts_of(shown.view.canvas());
      std::ptrdiff_t names = 0;
      for (int map = 0; map < ScorePartsLayout::kMaps; ++map)
        if (shown.view.canvas()->shows(map)) names += (layout.is_upper(map) ? 1 : 0) + (layout.is_left(map) ? 1 : 0);
      for (const char* token : {"a", "b", "c", "d", "e"})
        QCOMPARE(std::ranges::count(texts, QLatin1String(token), &RecordedText::text), names);
    }
  }

  // It is worked out beside the window: nobody is asked for a text meanwhile.
  void a_long_text_is_not_asked_for() {
    std::string text;
    for (int i = 0; i < 12; ++i) text += "abcde";
    Shown shown(
        sample::small_run({{"model_type", "transformer"}, {"model_size", 8}, {"heads", 2}, {"ff_size", 8}}, text));
    QCOMPARE(shown.view.message(), QString());
    QTRY_VERIFY(shown.view.canvas()->head());
    QCOMPARE(shown.view.canvas()->head()->row_count(), 60);
  }

  void others_say_why_there_is_nothing() {
    Shown shown(sample::recurrent_run());
    QVERIFY(!shown.view.message().isEmpty());
  }

  // Also where there are more rows than fit: cells are no squares, so that no side stays empty.
  void maps_use_their_room() {
    for (const int tokens : {7, 12, 21}) {
      ScorePartsLayout::Metrics m;
      m.view = {1850, 870};
      m.rows = m.columns = tokens;
      m.head = 40;
      const ScorePartsLayout layout = ScorePartsLayout::of(m);
      QVERIFY2(layout.width > 0.85 * m.view.width() && layout.height > 0.85 * m.view.height(),
               qPrintable(QString("%1 tokens: %2 x %3").arg(tokens).arg(layout.width).arg(layout.height)));
      QVERIFY(layout.width <= m.view.width() + 1 && layout.height <= m.view.height() + 1);
    }
  }

  void maps_stand_apart_at_every_size() {
    for (const QSizeF size : {QSizeF(640, 440), QSizeF(1280, 700), QSizeF(320, 500)}) {
      ScorePartsLayout::Metrics m;
      m.view = size;
      m.rows = m.columns = 9;
      const ScorePartsLayout layout = ScorePartsLayout::of(m);
      for (int a = 0; a < ScorePartsLayout::kMaps; ++a) {
        QCOMPARE(layout.place_at(layout.cell_rect(a, 4, 7).center()), (ScorePartsHit{a, 4, 7}));
        for (int b = 0; b < a; ++b) QVERIFY(!layout.map(a).united(layout.title(a)).intersects(layout.map(b)));
      }
    }
  }
};

HEADLIGHT_WIDGET_TEST(TestScorePartsView)

}  // namespace headlight::test_score_parts_view

#include "test_score_parts_view.moc"
