// The memory view: layout, what it says, choosing by mouse, slider and keys, export, pictures.
#include <QFile>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "image_test.h"
#include "model/core/errors.h"
#include "model/io/model_folder.h"
#include "small_runs.h"
#include "tests/test_program.h"
#include "widgets/views/memory/memory_view.h"

using namespace headlight;

namespace {

using Part = MemoryHit::Part;

MemoryValue weighting(std::vector<Scalar> values) { return {Tensor::vector(values), -1}; }

}  // namespace

class TestMemoryView : public QObject {
  Q_OBJECT

  Selection selection_;
  ViewRequests requests_;
  std::unique_ptr<MemoryView> shown(std::shared_ptr<const Result> result, QSize size = {900, 560}) {
    auto view = std::make_unique<MemoryView>(ViewContext{&selection_, &requests_});
    view->set_result(std::move(result));
    show_at(*view, size);
    return view;
  }

 private slots:
  void init() {
    Theme::instance().set_mode(Theme::Mode::light);
    selection_.set({});
  }
  void cleanup() { Theme::instance().set_font_scale(1); }

  void pictures_stand_apart_at_every_size() {
    for (const QSizeF size : {QSizeF(300, 180), QSizeF(640, 420), QSizeF(1400, 900)})
      for (const int steps : {3, 40})
        for (const int slot_count : {4, 64, 2000}) {
          MemoryLayout::Metrics m;
          m.view = size;
          const MemoryLayout layout = MemoryLayout::of(steps, slot_count, 20, m);
          QList<QRectF> all = {layout.tape_in,        layout.tape_out,    layout.writing_caption, layout.writing,
                               layout.reading,        layout.erase,       layout.reading_caption, layout.add,
                               layout.memory,         layout.write_bars,  layout.memory_caption,  layout.read_bars,
                               layout.stages_caption, layout.bars_caption};
          for (const MemoryLayout::Stage& stage : layout.stages) all << stage.words << stage.picture;
          for (int i = 0; i < all.size(); ++i) {
            QVERIFY(all[i].width() > 10 && all[i].height() > 5);
            QVERIFY(QRectF(0, 0, layout.width, layout.height).contains(all[i]));
            for (int j = 0; j < i; ++j) QVERIFY(!all[i].intersects(all[j]));
          }
          QVERIFY(layout.memory.height() >= m.smallest_picture);
          QCOMPARE(layout.rows(layout.memory),
                   (slot_count + layout.slots_of_row(layout.memory) - 1) / layout.slots_of_row(layout.memory));
          if (slot_count == 4) QCOMPARE(layout.slots_of_row(layout.writing), 1);
          if (slot_count == 2000) QVERIFY(layout.slots_of_row(layout.writing) > 1);
          const QRectF row = layout.slot_row(layout.writing, slot_count - 1);
          const MemoryHit last = layout.place_at({layout.step_x(layout.writing, steps - 1), row.center().y()});
          QVERIFY(last.part == Part::writing && last.step == steps - 1);
          QVERIFY(slot_count - last.slot <= layout.slots_of_row(layout.writing));
          const QRectF stage = layout.stages[3].picture;
          QCOMPARE(layout.place_at(layout.slot_column(stage, 2).center()), (MemoryHit{Part::stage, -1, 2, -1, 3}));
          QCOMPARE(layout.place_at(layout.add.topLeft() + QPointF(1, 1)), (MemoryHit{Part::add, -1, -1, 0, -1}));
        }
  }

  void stages_in_words() {
    MemoryAddressing all;
    all.beta = 12;
    all.gate = 0.05;
    all.gamma = 3;
    all.shift = {0.01, 0.02, 0.97};
    all.similarity = weighting({-1, 0.5F, 0.9F});
    all.content = weighting({0.01F, 0.04F, 0.95F});
    all.gated = all.shifted = weighting({1, 0, 0});
    all.weighting = weighting({0.1F, 0.7F, 0.2F});
    QVERIFY(memory_stage(all, 0).sentence.contains("Slot 2"));
    QVERIFY(memory_stage(all, 0).is_signed);
    QCOMPARE(memory_stage(all, 1).name, QStringLiteral("content, β = 12.00"));
    QVERIFY(memory_stage(all, 1).sentence.contains("slot 2 gets nearly everything"));
    QVERIFY(memory_stage(all, 2).sentence.contains("where it was at the last step"));
    QCOMPARE(memory_stage(all, 3).sentence, QStringLiteral("It moves one slot on."));
    QVERIFY(memory_stage(all, 4).sentence.contains("0.70 of it is on slot 1"));
    all.gate = 0.95;
    all.shift = {0.97, 0.02, 0.01};
    QCOMPARE(memory_stage(all, 2).sentence, QStringLiteral("It goes to what it found."));
    QCOMPARE(memory_stage(all, 3).sentence, QStringLiteral("It moves one slot back."));
    all.shift = {0.3, 0.4, 0.3};
    all.content = weighting({0.25F, 0.25F, 0.25F, 0.25F});
    QCOMPARE(memory_stage(all, 3).sentence, QStringLiteral("It spreads to its neighbours."));
    QCOMPARE(memory_stage(all, 1).sentence, QStringLiteral("The search finds nothing that stands out."));
  }

  void the_keyboard_and_the_slider_go_through_time() {
    const auto result = sample::machine_run();
    auto view = shown(result);
    MemoryCanvas* canvas = view->canvas();
    QSignalSpy opened(&requests_, &ViewRequests::open);
    canvas->set_cursor({});
    QTest::keyClick(canvas, Qt::Key_Right);
    QTest::keyClick(canvas, Qt::Key_Down);
    QTest::keyClick(canvas, Qt::Key_Space);
    QCOMPARE(canvas->cursor().step, 1);
    QCOMPARE(canvas->cursor().slot, 1);
    QVERIFY(canvas->head().writes);
    QCOMPARE(selection_.state().source_token, 1);
    QCOMPARE(selection_.state().entry, result->trace->find("encoder.step[1].memory.head[0].write.w"));
    QCOMPARE(selection_.state().cell, qint64(1));
    QTest::keyClick(canvas, Qt::Key_End);
    QCOMPARE(selection_.state().step, 5);
    auto* slider = view->findChild<QSlider*>();
    QCOMPARE(slider->value(), 11);  // five tokens, the delimiter, six outputs
    slider->setValue(5);
    QCOMPARE(canvas->cursor().step, 5);
    QVERIFY(!selection_.state().step && !selection_.state().source_token);  // the delimiter is no token
    QVERIFY(canvas->accessibleDescription().startsWith("step 5: the source has ended."));
    QTest::keyClick(canvas, Qt::Key_Return);
    QCOMPARE(opened.last(), (QVariantList{result->trace->find("encoder.step[5].memory.head[0].write.w"), qint64(1)}));
    const Tensor w = result->trace->value("encoder.step[5].memory.head[0].read.w");
    Index best = 0;
    w.array().maxCoeff(&best);
    QVERIFY(canvas->accessibleDescription().contains(
        QString("read head: most on slot %1 (%2)").arg(best).arg(static_cast<double>(w[best]), 0, 'f', 3)));
  }

  void clicks_choose_numbers() {
    const auto result = sample::machine_run({{"memory.heads", 2}});
    auto view = shown(result, {1000, 700});
    MemoryCanvas* canvas = view->canvas();
    const MemoryLayout& layout = canvas->memory_layout();
    const auto click = [&](QPointF at) { QTest::mouseClick(canvas->viewport(), Qt::LeftButton, {}, at.toPoint()); };
    MemoryCursor cursor;
    cursor.head = 2;  // the second pair's
    canvas->set_cursor(cursor);
    click({layout.step_x(layout.reading, 7), layout.slot_row(layout.reading, 9).center().y()});
    QCOMPARE(selection_.state().entry, result->trace->find("decoder.step[1].memory.head[1].read.w"));
    QCOMPARE(selection_.state().cell, qint64(9));
    QCOMPARE(selection_.state().step, 1);
    click({layout.memory.left() + layout.memory.width() * 2.5 / 5, layout.slot_row(layout.memory, 4).center().y()});
    QCOMPARE(selection_.state().entry, result->trace->find("decoder.step[1].memory.head[1].write.M"));
    QCOMPARE(selection_.state().cell, qint64(4 * 5 + 2));
    click(layout.erase.center());
    QCOMPARE(selection_.state().entry, result->trace->find("decoder.step[1].memory.head[1].write.erase"));
    QCOMPARE(selection_.state().cell, qint64(2));
    click(layout.slot_column(layout.stages[1].picture, 3).center());
    QCOMPARE(selection_.state().entry, result->trace->find("decoder.step[1].memory.head[1].read.w_content"));
    QCOMPARE(selection_.state().cell, qint64(3));
    click({layout.step_x(layout.tape_in, 0), layout.tape_in.center().y()});
    QCOMPARE(canvas->cursor().step, 0);
    SelectionState state;
    state.step = 3;
    selection_.set(state);
    QCOMPARE(canvas->cursor().step, 6 + 3);
    selection_.set({4, {}, {}, {}});
    QCOMPARE(canvas->cursor().step, 4);
  }

  void exports_emptiness_and_hiding() {
    QTemporaryDir folder;
    MemoryView empty(ViewContext{&selection_, &requests_});
    QVERIFY_EXCEPTION_THROWN(empty.export_to(folder.filePath("x.png")), UsageError);
    const auto result = sample::machine_run();
    auto view = shown(result);
    for (const char* name : {"m.png", "m.svg", "m.pdf", "m.csv"}) {
      view->export_to(folder.filePath(name));
      QVERIFY(QFile(folder.filePath(name)).size() > 500);
    }
    QFile file(folder.filePath("m.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readLine(), QByteArray("step,token,slot,read_1,write_1,M0,M1,M2,M3,M4\r\n"));
    const QList<QByteArray> fields = file.readLine().trimmed().split(',');
    QCOMPARE(fields[4].toFloat(),
             static_cast<float>(result->trace->value("encoder.step[0].memory.head[0].write.w")[0]));
    QCOMPARE(fields[5].toFloat(),
             static_cast<float>(result->trace->value("encoder.step[0].memory.head[0].write.M")[0]));
    QCOMPARE(view->table()->rowCount(), 12 * 12);  // steps, slots
    view->hide();
    view->set_result(sample::machine_run(Json::object(), "ab"));
    QCOMPARE(view->canvas()->memory()->step_count(), 12);
    view->show();
    QCOMPARE(view->canvas()->memory()->step_count(), 9);
    view->set_result(sample::recurrent_run());
    QVERIFY(!view->canvas()->isVisible());
    QVERIFY(!MemoryView::offers(*sample::recurrent_run()));
    QVERIFY(MemoryView::offers(*result));
  }

  void large_fonts_and_small_windows() {
    Theme::instance().set_font_scale(2.5);
    auto view = shown(sample::machine_run(), {360, 240});
    QVERIFY(view->canvas()->memory_layout().memory.height() > 20);
    view->grab();
    QEvent language(QEvent::LanguageChange);
    QCoreApplication::sendEvent(view.get(), &language);
    QVERIFY(!view->canvas()->accessibleName().isEmpty());
  }

  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void pictures() {  // of the bundled machine: one with random weights points everywhere
    QFETCH(bool, dark);
    const QString theme = dark ? "dark" : "light";
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    Request request;
    request.model = load_model("sample_models/copy-ntm");
    request.source = "Turing machine";
    auto view = shown(std::make_shared<Result>(run(request)), {760, 520});
    MemoryCursor cursor;
    cursor.slot = 55;
    view->canvas()->set_cursor(cursor);
    view->show_step(17);
    COMPARE_IMAGE(*view, "memory_" + theme);
  }
};

HEADLIGHT_WIDGET_TEST(TestMemoryView)
#include "test_memory_view.moc"
