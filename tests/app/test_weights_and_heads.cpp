// Changing weights and heads in the window, as a person does: drags in every kind of attention, what cannot be changed
// says why, a head that is off is one row of the list and looks off where it is shown.

#include <QAction>
#include <QDir>
#include <QListView>
#include <QTest>
#include <QToolTip>

#include "app/panels/edits_panel.h"
#include "app/window/main_window.h"
#include "model/analysis/masks.h"
#include "model/analysis/weights.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/heads/heads_view.h"

namespace headlight::test_weights_and_heads {

class TestWeightsAndHeads : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  void open(const char* model, const char* source, const char* way = "look") {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = load_model(model);
    document.source = source;
    window_->resize(1280, 800);
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
    window_->actions()[way]->trigger();
    settle();
  }
  static void move(QWidget* widget, QPoint position, Qt::MouseButtons buttons = Qt::LeftButton) {
    QMouseEvent event(QEvent::MouseMove, position, widget->mapToGlobal(position), Qt::NoButton, buttons, {});
    QCoreApplication::sendEvent(widget, &event);
  }
  // Drags a cell by so many pixels up.
  void drag(Heatmap* map, int row, int column, int up) {
    QWidget* seen = map->viewport();
    const QPoint at = map->heatmap_layout().cell_rect(row, column).center().toPoint();
    QTest::mousePress(seen, Qt::LeftButton, {}, at);
    move(seen, at - QPoint(0, up / 2));
    move(seen, at - QPoint(0, up));
    QTest::mouseRelease(seen, Qt::LeftButton, {}, at - QPoint(0, up));
    settle();
  }
  double row_sum(const Heatmap* map, int row) {
    double sum = 0;
    for (int column = 0; column < map->columns(); ++column) sum += static_cast<double>(map->value(row, column));
    return sum;
  }
  HeadsView* heads() { return window_->findChild<HeadsView*>(); }

 private slots:
  void cleanup() { window_.reset(); }

  // Every row of every attention of every architecture: what a pin asks for is what the run has, in all heads of a
  // layer when their mean was asked for, and the row sums to what it did.
  void every_row_can_be_changed_data() {
    QTest::addColumn<QString>("model");
    for (const char* model : {"date-attention", "date-transformer", "story-gpt", "masked-bert", "tatoeba-bahdanau",
                              "toy-mt-local", "toy-mt-luong", "grammar-convs2s", "glimpse-hard", "copy-transformer"})
      QTest::newRow(model) << model;
  }
  void every_row_can_be_changed() {
    QFETCH(QString, model);
    Request request;
    request.model = load_model(model.toStdString());
    request.source = request.model->examples.front();
    const Result plain = run(request);
    int changed = 0;
    for (const AttentionMap& map : attention_maps(plain))
      for (const Index head : {Index{0}, AttentionMap::kMean})
        for (Index row = 0; row < map.row_count(); row += std::max<Index>(1, map.row_count() / 3)) {
          Index column = 0;
          while (column < map.column_count() && weight_obstacle(map, head, row, column) != WeightObstacle::none)
            ++column;
          if (column == map.column_count()) continue;
          request.interventions = weight_pins(map, head, row, column, 0.375);
          const Result after = run(request);
          for (const AttentionMap& again : attention_maps(after)) {
            if (again.kind != map.kind || again.layer != map.layer || row >= again.row_count()) continue;
            if (again.kind == AttentionMap::Kind::summary) continue;
            for (Index h = 0; h < (head < 0 ? map.heads : 1); ++h) {
              QVERIFY(std::abs(static_cast<double>(again.weight(h, row, column)) - 0.375) < 1e-6);
              double sum = 0, before = 0;
              for (Index c = 0; c < again.column_count(); ++c) sum += static_cast<double>(again.weight(h, row, c));
              for (Index c = 0; c < map.column_count(); ++c) before += static_cast<double>(map.weight(h, row, c));
              QVERIFY2(std::abs(sum - before) < 1e-4, qPrintable(QString::number(sum)));
            }
            const auto marked = edited_weights(again, head, request.interventions);
            QVERIFY(marked == (std::vector<std::pair<Index, Index>>{{row, column}}));
            ++changed;
          }
        }
    QVERIFY(changed > 0);
  }

  void a_chosen_square_is_dragged_and_in_change_any_square() {
    open("date-attention", "May 5, 2001");
    Heatmap* map = window_->views().alignment()->heatmap();
    const double before = static_cast<double>(map->value(4, 2)), sum = row_sum(map, 4);
    drag(map, 4, 2, 60);  // not chosen: the picture would move, were it larger than its place
    QVERIFY(window_->result()->interventions.empty());
    QTest::mouseClick(map->viewport(), Qt::LeftButton, {}, map->heatmap_layout().cell_rect(4, 2).center().toPoint());
    settle();
    drag(map, 4, 2, 60);
    QVERIFY(std::abs(static_cast<double>(map->value(4, 2)) - std::min(1.0, before + 0.5)) < 0.011);
    QVERIFY(std::abs(row_sum(map, 4) - sum) < 1e-4);
    window_->actions()["undo"]->trigger();  // all of the drag is one step
    settle();
    QVERIFY(window_->result()->interventions.empty());
    window_->actions()["change"]->trigger();
    settle();
    QVERIFY2(window_->status().caption().contains("Drag a square"), qPrintable(window_->status().caption()));
    const double other = static_cast<double>(map->value(1, 1));
    drag(map, 1, 1, 30);
    QVERIFY(std::abs(static_cast<double>(map->value(1, 1)) - (other + 0.25)) < 0.011);
    QVERIFY(window_->selection().state().cell);
  }

  void gpt_is_dragged_too_and_says_why_where_it_cannot_be() {
    open("story-gpt", "anna sees", "change");
    window_->panels().raise("heads");
    settle();
    heads()->open({1, 0});
    settle();
    Heatmap* map = heads()->heatmap();
    drag(map, 1, 0, 24);
    QCOMPARE(window_->result()->interventions.size(), std::size_t{1});
    const double now = static_cast<double>(map->value(1, 0));
    QVERIFY(std::abs(now - static_cast<double>(window_->result()->interventions.front().value)) < 1e-6);
    window_->actions()["undo"]->trigger();
    settle();
    drag(map, 0, 0, 24);  // the first token sees only itself
    QVERIFY(window_->result()->interventions.empty());
    QVERIFY2(QToolTip::text().contains("only one token"), qPrintable(QToolTip::text()));
    drag(map, 0, 1, 24);
    QVERIFY2(QToolTip::text().contains("comes later"), qPrintable(QToolTip::text()));
  }

  void a_head_that_is_off_is_one_row_and_looks_off() {
    open("story-gpt", "anna sees", "change");
    window_->panels().raise("heads");
    settle();
    heads()->open({});  // all of them
    settle();
    const QImage before = heads()->grid()->grab().toImage();
    const auto off = head_off(*window_->result(), AttentionMap::Kind::decoder_self, 0, 1);
    QVERIFY(off.size() > 1);  // of the prompt, and of every step
    window_->session().change_interventions(off, {});
    settle();
    QAbstractItemModel* list = window_->views().edits()->list()->model();
    QCOMPARE(list->rowCount(), 1);
    QVERIFY2(list->index(0, 0).data().toString().contains("switched off"),
             qPrintable(list->index(0, 0).data().toString()));
    QVERIFY(heads()->model().is_off(0, 1) && !heads()->model().is_off(0, 0));
    QVERIFY(heads()->grid()->place_tooltip(heads()->grid()->place_of({0, 1})).startsWith("Switched off"));
    // Its thumbnail is another one now, that of its neighbour is not.
    const QImage after = heads()->grid()->grab().toImage();
    const auto part = [&](const QImage& image, int head) {
      const HeadsHit place = heads()->grid()->place_of({0, head});
      return image.copy(heads()->grid()->heads_layout().thumb(place.row, place.column).toRect());
    };
    QVERIFY(part(before, 1) != part(after, 1));
    QCOMPARE(part(before, 0), part(after, 0));
    QVERIFY(heads()->table()->index(1, 2).data().toString().contains("off"));
    // Taking the row back takes all of it back.
    window_->views().edits()->list()->setCurrentIndex(list->index(0, 0));
    QTest::keyClick(window_->views().edits()->list(), Qt::Key_Delete);
    settle();
    QVERIFY(window_->session().document().interventions.empty());
  }

  // What a mask hides is no 0: neither in the picture nor in its table.
  void what_is_masked_looks_masked() {
    open("date-attention", "May 5, 2001");
    AlignmentView* view = window_->views().alignment();
    const EditChange hide = hide_token(*window_->result(), 2);
    window_->session().change_interventions(hide.added, hide.withdrawn);
    settle();
    const QModelIndex cell = view->heatmap()->table_model()->index(3, 2);
    QCOMPARE(cell.data().toString(), QString("hidden"));
    QVERIFY(view->heatmap()->readout(3, 2).contains("cannot be seen"));
  }
};

HEADLIGHT_WIDGET_TEST(TestWeightsAndHeads)

}  // namespace headlight::test_weights_and_heads

#include "test_weights_and_heads.moc"
