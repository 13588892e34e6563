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

namespace headlight::test_memory_view {

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

  void parts_stand_apart_at_every_size() {
    for (const QSizeF size : {QSizeF(300, 180), QSizeF(640, 420), QSizeF(1400, 900)})
      for (const int steps : {3, 40})
        for (const int rows : {1, 14, 200}) {
          MemoryLayout::Metrics m;
          m.view = size;
          m.steps = steps;
          m.reads = steps / 2;
          m.rows = rows;
          m.columns = 20;
          const MemoryLayout layout = MemoryLayout::of(m);
          QList<QRectF> all = {layout.token(0), layout.words(), layout.number(0, rows - 1), layout.number(19, rows - 1),
                               layout.erase(0), layout.add(19)};
          for (int stage = 0; stage < MemoryLayout::kStages; ++stage)
            all << layout.stage(stage, rows - 1) << layout.stage_words(stage);
          all << layout.heads(steps - 1, rows - 1) << layout.heads(0, rows - 1);
          for (int i = 0; i < all.size(); ++i) {
            QVERIFY(all[i].width() >= 5 && all[i].height() >= 5);
            QVERIFY(QRectF(0, 0, layout.width, layout.height).contains(all[i]));
            for (int j = 0; j < i; ++j) QVERIFY(!all[i].intersects(all[j]));
          }
          QVERIFY(layout.row_height >= m.least_row && layout.row_height <= m.most_row);
          for (const int step : {0, m.reads - 1, m.reads, steps - 1}) {
            QCOMPARE(layout.place_at(layout.token(step).center()), (MemoryHit{Part::token, step, -1, -1, -1}));
            QCOMPARE(layout.place_at(layout.heads(step, rows - 1).center()),
                     (MemoryHit{Part::heads, step, rows - 1, -1, -1}));
          }
          QCOMPARE(layout.place_at(layout.stage(2, 0).center()), (MemoryHit{Part::stage, -1, 0, -1, 2}));
          QCOMPARE(layout.place_at(layout.number(7, rows - 1).center()),
                   (MemoryHit{Part::memory, -1, rows - 1, 7, -1}));
          QCOMPARE(layout.place_at(layout.erase(3).center()), (MemoryHit{Part::erase, -1, -1, 3, -1}));
          QCOMPARE(layout.place_at(layout.add(4).center()), (MemoryHit{Part::add, -1, -1, 4, -1}));
          QCOMPARE(layout.place_at({0, 0}), MemoryHit{});
        }
  }

  // What stands in the picture and below it, reckoned here from the trace of the bundled machine.
  void what_is_said_of_a_run_is_so() {
    Request request;
    request.model = load_model("sample_models/copy-ntm");
    request.source = "Hello";
    const auto result = std::make_shared<const Result>(run(request));
    auto view = shown(result, {1200, 640});
    const MemoryCanvas& canvas = *view->canvas();
    std::vector<std::string> places;
    for (int i = 0; i < 6; ++i) places.push_back("encoder.step[" + std::to_string(i) + "]");
    const std::size_t reads = places.size();
    for (std::size_t i = 0; i < result->steps.size(); ++i) places.push_back("decoder.step[" + std::to_string(i) + "]");
    const auto value = [&](std::size_t step, const char* leaf) {
      return result->trace->value(places[step] + ".memory.head[0]." + leaf);
    };
    const Tensor last = value(places.size() - 1, "write.M"), first = canvas.memory()->memory(-1).value;
    const Index slots_of_memory = last.dim(0), width = last.dim(1);
    std::vector<int> used;
    for (Index slot = 0; slot < slots_of_memory; ++slot) {
      bool here = false;
      for (std::size_t step = 0; step < places.size(); ++step)
        here = here || value(step, "write.w")[slot] >= 0.05F || value(step, "read.w")[slot] >= 0.05F;
      for (Index i = 0; i < width; ++i)
        here = here || std::abs(last[slot * width + i] - first[(slot * width + i) % first.size()]) >= 0.05F;
      if (here) used.push_back(static_cast<int>(slot));
    }
    QVERIFY(canvas.shown_slots() == used);
    QVERIFY(used.size() < static_cast<std::size_t>(slots_of_memory) / 2);
    QVERIFY2(canvas.sentences().last().contains(QString("1 to %1").arg(used.front())),
             qPrintable(canvas.sentences().join('|')));
    // Behind a slot: the output that was written while the reading head was there.
    const std::vector<int> looked_up = looked_up_at(*canvas.memory(), 0);
    int letters = 0;
    for (Index slot = 0; slot < slots_of_memory; ++slot) {
      int found = -1;
      for (std::size_t step = reads; step < places.size(); ++step)
        if (value(step, "read.w")[slot] >= 0.5F) found = static_cast<int>(step);
      QCOMPARE(looked_up[static_cast<std::size_t>(slot)], found);
      letters += found >= 0 ? 1 : 0;
    }
    QCOMPARE(letters, 5);
    // Nobody reads what is written during the output.
    bool read_again = false;
    for (std::size_t step = reads; step < places.size(); ++step)
      for (std::size_t later = step + 1; later < places.size(); ++later)
        for (Index slot = 0; slot < slots_of_memory; ++slot)
          read_again = read_again || (value(step, "write.w")[slot] >= 0.5F && value(later, "read.w")[slot] >= 0.1F);
    QCOMPARE(canvas.sentences().first().contains("never reads"), !read_again);
    QVERIFY(!read_again);
    // The slot of the title is that with the most of the head.
    const Tensor w = value(static_cast<std::size_t>(canvas.cursor().step), "read.w");
    Index best = 0;
    w.array().maxCoeff(&best);
    QCOMPARE(Index(canvas.cursor().slot), best);
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
    QVERIFY(memory_stage(all, 0).sentence.contains("Slot 3"));
    QVERIFY(memory_stage(all, 0).is_signed);
    QCOMPARE(memory_stage(all, 1).name, QStringLiteral("content, β = 12.00"));
    QVERIFY(memory_stage(all, 1).sentence.contains("slot 3 gets nearly everything"));
    QVERIFY(memory_stage(all, 2).sentence.contains("where it was at the last step"));
    QCOMPARE(memory_stage(all, 3).sentence, QStringLiteral("It moves one slot on."));
    QVERIFY(memory_stage(all, 4).sentence.contains("0.70 of it is on slot 2"));
    all.gate = 0.95;
    all.shift = {0.97, 0.02, 0.01};
    QCOMPARE(memory_stage(all, 2).sentence, QStringLiteral("It goes to what it found."));
    QCOMPARE(memory_stage(all, 3).sentence, QStringLiteral("It moves one slot back."));
    all.shift = {0.3, 0.4, 0.3};
    all.content = weighting({0.25F, 0.25F, 0.25F, 0.25F});
    QCOMPARE(memory_stage(all, 3).sentence, QStringLiteral("It spreads to its neighbours."));
    QCOMPARE(memory_stage(all, 1).sentence, QStringLiteral("The search finds nothing that stands out."));
    // The few words below the bars.
    QCOMPARE(memory_stage_words(all, 0), QStringLiteral("nothing stands out"));
    QCOMPARE(memory_stage_words(all, 1), QStringLiteral("5 % where it was"));
    QCOMPARE(memory_stage_words(all, 2), QStringLiteral("40 % in place"));
    QCOMPARE(memory_stage_words(all, 3), QStringLiteral("to the power 3.0"));
    all.shift = {0.75, 0.2, 0.05};
    QCOMPARE(memory_stage_words(all, 2), QStringLiteral("75 % one slot up"));
    all.content = weighting({0.1F, 0.5F, 0.4F});
    QCOMPARE(memory_stage_words(all, 0), QStringLiteral("slot 2 stands out"));
  }

  void the_keyboard_and_the_slider_go_through_time() {
    const auto result = sample::machine_run();
    auto view = shown(result);
    MemoryCanvas* canvas = view->canvas();
    QSignalSpy opened(&requests_, &ViewRequests::open);
    canvas->set_cursor({});
    QTest::keyClick(canvas, Qt::Key_Right);
    QCOMPARE(canvas->cursor().step, 1);
    QTest::keyClick(canvas, Qt::Key_Space);
    QVERIFY(canvas->head().writes);
    QTest::keyClick(canvas, Qt::Key_Home, Qt::ControlModifier);
    QTest::keyClick(canvas, Qt::Key_Right);
    for (int i = 0; i < 20; ++i) QTest::keyClick(canvas, Qt::Key_Up);
    QTest::keyClick(canvas, Qt::Key_Down);
    const int second = canvas->shown_slots()[1];
    QCOMPARE(canvas->cursor().slot, second);
    QCOMPARE(selection_.state().source_token, 1);
    QCOMPARE(selection_.state().entry, result->trace->find("encoder.step[1].memory.head[0].write.w"));
    QCOMPARE(selection_.state().cell, qint64(second));
    QTest::keyClick(canvas, Qt::Key_End);
    QCOMPARE(selection_.state().step, 5);
    auto* slider = view->findChild<QSlider*>();
    QCOMPARE(slider->value(), 11);  // five tokens, the delimiter, six outputs
    slider->setValue(5);
    QCOMPARE(canvas->cursor().step, 5);
    QVERIFY(!selection_.state().step && !selection_.state().source_token);  // the delimiter is no token
    QVERIFY(canvas->accessibleDescription().startsWith("step 6: the source has ended."));
    QTest::keyClick(canvas, Qt::Key_Return);
    QCOMPARE(opened.last(), (QVariantList{result->trace->find("encoder.step[5].memory.head[0].write.w"),
                                          qint64(canvas->cursor().slot)}));
    const Tensor w = result->trace->value("encoder.step[5].memory.head[0].read.w");
    Index best = 0;
    w.array().maxCoeff(&best);
    QVERIFY(canvas->accessibleDescription().contains(
        QString("read head: most on slot %1 (%2)").arg(best + 1).arg(static_cast<double>(w[best]), 0, 'f', 3)));
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
    const int row = 3;
    const auto slot = static_cast<qint64>(canvas->shown_slots()[row]);
    click(layout.heads(7, row).center());
    const std::string step = "decoder.step[1].memory.head[1].";
    const float reads = result->trace->value(step + "read.w")[slot],
                writes = result->trace->value(step + "write.w")[slot];
    QCOMPARE(selection_.state().entry, result->trace->find(step + (writes > reads ? "write.w" : "read.w")));
    QCOMPARE(selection_.state().cell, slot);
    QCOMPARE(selection_.state().step, 1);
    click(layout.number(2, row).center());
    QCOMPARE(selection_.state().entry, result->trace->find("decoder.step[1].memory.head[1].write.M"));
    QCOMPARE(selection_.state().cell, slot * 5 + 2);
    click(layout.erase(2).center());
    QCOMPARE(selection_.state().entry, result->trace->find("decoder.step[1].memory.head[1].write.erase"));
    QCOMPARE(selection_.state().cell, qint64(2));
    cursor = canvas->cursor();
    cursor.head = 2;
    canvas->set_cursor(cursor);
    click(layout.stage(0, row).center());
    QCOMPARE(selection_.state().entry, result->trace->find("decoder.step[1].memory.head[1].read.w_content"));
    QCOMPARE(selection_.state().cell, slot);
    click(layout.token(0).center());
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

  // Found by random events: the step's name was widened, and so shown anew, while its step was the longer run's.
  void a_shorter_run_comes_while_the_last_step_is_shown() {
    auto view = shown(sample::machine_run());
    view->show_step(11);
    // Room for a longer name moves the slider's label, which asks for the step while the new run comes in.
    for (auto* label : view->findChildren<QLabel*>()) label->setMinimumWidth(0), label->resize(1, label->height());
    view->set_result(sample::machine_run(Json::object(), "ab"));
    QCOMPARE(view->canvas()->cursor().step, 8);
  }

  void large_fonts_and_small_windows() {
    Theme::instance().set_font_scale(2.5);
    auto view = shown(sample::machine_run(), {360, 240});
    QVERIFY(view->canvas()->memory_layout().row_height > 20);
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
    auto view = shown(std::make_shared<Result>(run(request)), {1000, 660});
    view->show_step(17);
    COMPARE_IMAGE(*view, "memory_" + theme);
  }
};

HEADLIGHT_WIDGET_TEST(TestMemoryView)

}  // namespace headlight::test_memory_view

#include "test_memory_view.moc"
