// Changing weights in the ribbons, as a person does, and what was changed there: weights, heads that are off, masks.

#include <QAction>
#include <QMouseEvent>
#include <QTest>
#include <QToolTip>

#include "app/window/main_window.h"
#include "model/analysis/masks.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/views/ribbons/ribbons_view.h"

namespace headlight::test_ribbons_changes {

class TestRibbonsChanges : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  void open(const char* model, const char* source, const char* way) {
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
    QVERIFY(window_->panels().raise("ribbons"));
    settle();
  }
  RibbonsView* view() { return window_->findChild<RibbonsView*>(); }
  RibbonsCanvas* canvas() { return view()->canvas(); }
  int row_of(Index head) {  // of the layer that is chosen
    const auto& heads = canvas()->heads();
    return static_cast<int>(std::ranges::find(heads, RibbonsCanvas::Head{canvas()->head().map, head}) - heads.begin());
  }
  QPoint at_cell(int row, int column) {
    return canvas()->viewport_point(canvas()->ribbons_layout().cell(row, column).center()).toPoint();
  }
  // Drags up by so many pixels.
  void drag(QPoint at, int up) {
    QWidget* seen = canvas()->viewport();
    const auto move = [&](QPoint to) {
      QMouseEvent event(QEvent::MouseMove, to, seen->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
      QCoreApplication::sendEvent(seen, &event);
    };
    QTest::mousePress(seen, Qt::LeftButton, {}, at);
    move(at - QPoint(0, up / 2));
    move(at - QPoint(0, up));
    QTest::mouseRelease(seen, Qt::LeftButton, {}, at - QPoint(0, up));
    settle();
  }
  // As a person who has chosen a word: what is asked stays when the model runs again.
  void ask(const SelectionState& word) {
    window_->selection().set(word);
    settle();
  }
  double weight(int column) { return canvas()->weight(canvas()->head(), column); }
  double sum() {
    double all = 0;
    for (int column = 0; column < canvas()->columns(); ++column) all += weight(column);
    return all;
  }

 private slots:
  void cleanup() { window_.reset(); }

  void a_chosen_number_is_dragged() {
    open("date-attention", "May 5, 2001", "look");
    ask({{}, 4, {}, {}});
    const double before = weight(2);
    drag(at_cell(0, 2), 24);  // the press chooses it
    QVERIFY(window_->result()->interventions.empty());
    QCOMPARE(canvas()->chosen(), (MapCell{4, 2}));
    drag(at_cell(0, 2), 36);  // 120 pixels are the whole of a weight
    QCOMPARE(window_->result()->interventions.size(), std::size_t{1});
    QVERIFY(std::abs(weight(2) - std::min(1.0, before + 0.3)) < 0.011);
    QVERIFY(std::abs(sum() - 1) < 1e-4);
    window_->actions()["undo"]->trigger();  // all of the drag is one step
    settle();
    QVERIFY(window_->result()->interventions.empty());
    QVERIFY(std::abs(weight(2) - before) < 1e-6);
    // The keys do the same.
    canvas()->setFocus();
    QTest::keyClick(canvas(), Qt::Key_Up, Qt::ShiftModifier);
    settle();
    QVERIFY(std::abs(weight(2) - (before + 0.05)) < 0.0051);
  }

  void in_change_any_number_of_any_head() {
    open("date-transformer", "May 5, 2001", "change");
    ask({{}, 3, {}, {}});
    const int row = row_of(2);
    QVERIFY(canvas()->head().head != 2);
    const double before = canvas()->weight({canvas()->head().map, 2}, 1);
    drag(at_cell(row, 1), 60);
    QCOMPARE(canvas()->head().head, Index(2));
    QCOMPARE(window_->result()->interventions.size(), std::size_t{1});
    QVERIFY(window_->result()->interventions.front().site.find("head[2]") != std::string::npos);
    QVERIFY(std::abs(weight(1) - std::min(1.0, before + 0.5)) < 0.011);
    QVERIFY(std::abs(sum() - 1) < 1e-4);
  }

  void a_ribbon_is_dragged_too() {
    open("date-attention", "May 5, 2001", "look");
    ask({{}, 0, {}, {}});
    int best = 0;
    for (int column = 0; column < canvas()->columns(); ++column)
      if (weight(column) > weight(best)) best = column;
    const auto on_ribbon = [&] {  // half of the way, where few others are
      const QPainterPath path = canvas()->ribbons_layout().ribbon(0, best);
      return canvas()->viewport_point(path.pointAtPercent(0.5)).toPoint();
    };
    QTest::mouseClick(canvas()->viewport(), Qt::LeftButton, {}, on_ribbon());
    settle();
    QCOMPARE(canvas()->chosen(), (MapCell{0, best}));
    QVERIFY(window_->selection().state().cell);
    const double before = weight(best);
    drag(on_ribbon(), -36);
    QVERIFY(std::abs(weight(best) - (before - 0.3)) < 0.011);
  }

  void where_it_cannot_be_it_says_why() {
    open("story-gpt", "anna sees", "change");
    ask({0, {}, {}, {}});
    drag(at_cell(0, 0), 24);  // the first token sees only itself
    QVERIFY(window_->result()->interventions.empty());
    QVERIFY2(QToolTip::text().contains("only one token"), qPrintable(QToolTip::text()));
    QVERIFY(canvas()->place_tooltip({RibbonsHit::Part::cell, 0, 0}).contains("only one token"));
    drag(at_cell(0, 1), 24);
    QVERIFY2(QToolTip::text().contains("comes later"), qPrintable(QToolTip::text()));
    // Blanks that stand together are no single weight.
    open("date-attention", "May 5, 2001", "change");
    QVERIFY(canvas()->is_folded());
    drag(at_cell(0, canvas()->columns() - 1), 24);
    QVERIFY(window_->result()->interventions.empty());
    QVERIFY2(QToolTip::text().contains("padding stands together"), qPrintable(QToolTip::text()));
  }

  void a_head_that_is_off_looks_off() {
    open("story-gpt", "anna sees", "look");
    ask({1, {}, {}, {}});
    const auto row_picture = [&](int row) {
      const RibbonsLayout& layout = canvas()->ribbons_layout();
      return canvas()->grab(
          QRectF(canvas()->viewport_point(layout.cell(row, 0).topLeft()), layout.cell(row, 0).size()).toRect());
    };
    const RibbonsCanvas::Head first = canvas()->heads()[0], second = canvas()->heads()[1];
    const AttentionMap& map = *canvas()->maps()[static_cast<std::size_t>(second.map)];
    const QImage one = row_picture(0).toImage(), two = row_picture(1).toImage();
    window_->session().change_interventions(head_off(*window_->result(), map.kind, map.layer, second.head), {});
    settle();
    QVERIFY(row_picture(1).toImage() != two);
    QCOMPARE(row_picture(0).toImage(), one);
    QCOMPARE(canvas()->picks(second), QString("switched off"));
    QVERIFY(canvas()->picks(first) != QString("switched off"));
    QVERIFY(canvas()->place_tooltip({RibbonsHit::Part::name, -1, 1}).contains("switched off"));
  }

  void what_is_masked_looks_masked() {
    open("date-attention", "May 5, 2001", "look");
    ask({{}, 3, {}, {}});
    QVERIFY(!canvas()->is_masked(canvas()->head(), 2));
    const auto picture = [&] {
      const QRectF cell = canvas()->ribbons_layout().cell(0, 2);
      return canvas()->grab(QRectF(canvas()->viewport_point(cell.topLeft()), cell.size()).toRect()).toImage();
    };
    const EditChange hide = hide_token(*window_->result(), 2);
    window_->session().change_interventions(hide.added, hide.withdrawn);
    settle();
    QVERIFY(canvas()->is_masked(canvas()->head(), 2) && !canvas()->is_masked(canvas()->head(), 1));
    QVERIFY(canvas()->place_tooltip({RibbonsHit::Part::cell, 2, 0}).contains("mask hides it"));
    // No tile, not even an empty one: what lies there is all of one colour.
    const QImage masked = picture();
    for (int x = 2; x < masked.width() - 2; ++x)
      QCOMPARE(masked.pixelColor(x, masked.height() / 2), masked.pixelColor(2, masked.height() / 2));
  }
};

HEADLIGHT_WIDGET_TEST(TestRibbonsChanges)

}  // namespace headlight::test_ribbons_changes

#include "test_ribbons_changes.moc"
