// What-if gestures: a dragged weight, the menus of cells, tokens and heads, and what each of them asks for.
#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "image_test.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/heads/heads_view.h"
#include "widgets/views/tokens/token_strip.h"

namespace headlight::test_what_if {

using Kind = Intervention::Kind;

namespace {

std::shared_ptr<const Result> run_of(const char* model, std::vector<Intervention> edits = {}) {
  Request request;
  request.model = load_model(model);
  request.source = request.model->examples.front();
  request.interventions = std::move(edits);
  request.capture.explain = false;
  return std::make_shared<const Result>(run(request));
}

struct Asked {
  std::vector<Intervention> edits, added, withdrawn;
  explicit Asked(ViewRequests& requests) {
    QObject::connect(&requests, &ViewRequests::edit, [this](const Intervention& edit) { edits.push_back(edit); });
    QObject::connect(&requests, &ViewRequests::edits, [this](const auto& more, const auto& less) {
      added = more;
      withdrawn = less;
    });
  }
};

void press_menu_key(QWidget* widget) {
  QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(1, 1), widget->mapToGlobal(QPoint(1, 1)));
  QCoreApplication::sendEvent(widget, &event);
}

// The entry of the newest menu below `owner` that begins so (without its accelerator).
QAction* entry(QWidget& owner, const QString& start) {
  const auto menus = owner.findChildren<QMenu*>();
  if (menus.isEmpty()) return nullptr;
  for (QAction* action : menus.last()->actions())
    if (QString(action->text()).remove('&').startsWith(start)) return action;
  return nullptr;
}

}  // namespace

class TestWhatIf : public QObject {
  Q_OBJECT

  // Declared before the views, which only borrow it.
  Selection selection_;
  ViewRequests requests_;

  void move_mouse(QWidget* widget, QPoint position) {
    QMouseEvent event(QEvent::MouseMove, position, widget->mapToGlobal(position), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(widget, &event);
  }

 private slots:
  void cleanup() {
    selection_.set({});
    requests_.disconnect();
  }

  // 60 points up are half of all the weight; it never leaves 0 to 1.
  void a_weight_is_dragged() {
    AlignmentView view({&selection_, &requests_});
    const auto result = run_of("date-attention");
    view.set_result(result);
    show_at(view, {700, 420});
    Asked asked(requests_);
    Heatmap* heatmap = view.heatmap();
    QWidget* seen = heatmap->viewport();
    const QPoint at = heatmap->heatmap_layout().cell_rect(4, 2).center().toPoint();
    const double before = static_cast<double>(heatmap->value(4, 2));
    QTest::mousePress(seen, Qt::LeftButton, {}, at);  // not chosen: a drag moves the picture
    move_mouse(seen, at - QPoint(0, 60));
    QTest::mouseRelease(seen, Qt::LeftButton, {}, at - QPoint(0, 60));
    QVERIFY(asked.edits.empty());
    QTest::mouseClick(seen, Qt::LeftButton, {}, at);
    QTest::mousePress(seen, Qt::LeftButton, {}, at);
    QVERIFY(asked.edits.empty());
    move_mouse(seen, at - QPoint(0, 60));
    QCOMPARE(asked.edits.size(), std::size_t{1});
    const Intervention& edit = asked.edits.back();
    QCOMPARE(edit.site, std::string("decoder.step[4].attention.weights"));
    QCOMPARE(edit.cell, Index{result->position_of_token[2]});
    QVERIFY(edit.kind == Kind::pin);
    QVERIFY(std::abs(static_cast<double>(edit.value) - std::min(1.0, before + 0.5)) < 0.006);
    move_mouse(seen, at - QPoint(0, 600));
    QCOMPARE(asked.edits.back().value, Scalar(1));
    move_mouse(seen, at + QPoint(0, 600));
    QCOMPARE(asked.edits.back().value, Scalar(0));
    QTest::mouseRelease(seen, Qt::LeftButton, {}, at);
    const std::size_t asked_for = asked.edits.size();
    move_mouse(seen, at);
    QCOMPARE(asked.edits.size(), asked_for);
  }

  void a_weight_is_moved_by_keys() {
    AlignmentView view({&selection_, &requests_});
    view.set_result(run_of("date-attention"));
    show_at(view, {700, 420});
    Asked asked(requests_);
    view.heatmap()->set_selected_cell(3, 3);
    const double before = static_cast<double>(view.heatmap()->value(3, 3));
    QTest::keyClick(view.heatmap(), Qt::Key_Up, Qt::ShiftModifier);
    QCOMPARE(asked.edits.size(), std::size_t{1});
    QVERIFY(std::abs(static_cast<double>(asked.edits[0].value) - std::min(1.0, before + 0.05)) < 0.006);
    QCOMPARE(view.heatmap()->selected_cell().row, 3);
  }

  void the_menu_of_a_cell() {
    AlignmentView view({&selection_, &requests_});
    const auto result = run_of("date-attention");
    view.set_result(result);
    show_at(view, {700, 420});
    Asked asked(requests_);
    view.heatmap()->set_selected_cell(2, 1);
    press_menu_key(view.heatmap());
    QVERIFY(entry(view, "Give it all the weight"));
    entry(view, "Give it all the weight")->trigger();
    QVERIFY(asked.edits.back().kind == Kind::pin && asked.edits.back().value == 1);
    QVERIFY(entry(view, "Set the score")->isEnabled());
    entry(view, "This step may not look at it")->trigger();
    QCOMPARE(asked.added.size(), std::size_t{1});
    const std::string place = std::to_string(result->position_of_token[1]);
    QCOMPARE(to_text(asked.added[0]), "decoder.step[2].attention.scores[" + place + "]=-inf");
    entry(view, "Erase ‘o’")->trigger();
    QCOMPARE(to_text(asked.added[0]), "encoder.embed.out[" + place + ",:]=0");
    entry(view, "Nobody may look at ‘o’")->trigger();
    QCOMPARE(to_text(asked.added[0]), "decoder.step[*].attention.scores[:," + place + "]=-inf");
  }

  // The mean over heads is computed from nothing that could be set; its cells can still be hidden.
  void the_menu_of_a_mean() {
    AlignmentView view({&selection_, &requests_});
    view.set_result(run_of("date-transformer"));
    show_at(view, {700, 420});
    Asked asked(requests_);
    view.heatmap()->set_selected_cell(2, 1);
    press_menu_key(view.heatmap());
    QVERIFY(!entry(view, "Give it all the weight"));
    entry(view, "This step may not look at it")->trigger();
    QCOMPARE(to_text(asked.added[0]), std::string("decoder.step[2].layer[*].cross_attn.keep[1]=0"));
  }

  void the_menu_of_a_token() {
    TokenStrip strip(&selection_);
    strip.set_requests(&requests_);
    const auto plain = run_of("date-transformer");
    strip.set_result(plain);
    show_at(strip, {600, 80});
    Asked asked(requests_);
    SelectionState state;
    state.source_token = 3;
    selection_.set(state);
    press_menu_key(&strip);
    QVERIFY(entry(strip, "Erase"));
    entry(strip, "Erase")->trigger();
    QCOMPARE(to_text(asked.added[0]), std::string("encoder.embed.out[3,:]=0"));
    const auto edits = asked.added;
    strip.set_result(run_of("date-transformer", edits));
    press_menu_key(&strip);
    QVERIFY(entry(strip, "Bring"));
    entry(strip, "Bring")->trigger();
    QVERIFY(asked.added.empty() && asked.withdrawn == edits);
  }

  void the_menu_of_a_head() {
    HeadsView view({&selection_, &requests_});
    view.set_result(run_of("date-transformer"));
    show_at(view, {700, 420});
    view.set_kind(AttentionMap::Kind::cross);
    Asked asked(requests_);
    view.grid()->set_cursor({1, 2});
    press_menu_key(view.grid());
    QVERIFY(entry(view, "Switch this head off"));
    entry(view, "Switch this head off")->trigger();
    QCOMPARE(to_text(asked.added.at(0)), std::string("decoder.step[*].layer[1].cross_attn.head[2].out=0"));
    entry(view, "Set every weight of this head even")->trigger();
    QCOMPARE(to_text(asked.added.at(0)), std::string("decoder.step[*].layer[1].cross_attn.head[2].scores=0"));
  }
};

HEADLIGHT_WIDGET_TEST(TestWhatIf)

}  // namespace headlight::test_what_if

#include "test_what_if.moc"
