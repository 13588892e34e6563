// The living map of a long text, made and drawn by workers: the window goes on meanwhile, what was there stays until
// the new is there, the newest run wins, and what is kept has a bound.
#include <QSignalSpy>
#include <QTest>
#include <atomic>

#include "image_test.h"
#include "model/analysis/living/map.h"
#include "model/decode/run.h"
#include "model/models/registry.h"
#include "tests/test_program.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/living_maker.h"
#include "widgets/views/living/view.h"
#include "widgets/views/origins/origins_view.h"

namespace headlight::test_living_ground {

namespace {

// A decoder with drawn weights, of as many tokens as asked for.
std::shared_ptr<const Result> run_of(int count, int first = 2) {
  static const auto model = [] {
    auto bundle = std::make_shared<ModelBundle>();
    std::vector<std::string> tokens;
    for (int i = 0; i < 100; ++i) tokens.push_back("t" + std::to_string(i));
    bundle->text.source = bundle->text.target = Tokenizer(Vocabulary(tokens));
    bundle->text.target_length = 1;
    bundle->model = make_model({{"model_type", "decoder_only"},
                                {"source_vocabulary_size", 100},
                                {"target_vocabulary_size", 100},
                                {"model_size", 24},
                                {"heads", 4},
                                {"ff_size", 48},
                                {"decoder_layers", 6},
                                {"activation", "gelu"},
                                {"norm_place", "pre"},
                                {"positions", "learned"},
                                {"max_positions", 300}},
                               1);
    return bundle;
  }();
  Request request;
  request.model = model;
  for (int i = 0; i < count; ++i) request.ids.push_back(4 + (first + i * 7) % 90);
  return std::make_shared<const Result>(run(request));
}

struct Shown {
  explicit Shown(QSize size = {1200, 800}) { show_at(view, size); }
  void wait_until_sharp() {
    QTRY_VERIFY_WITH_TIMEOUT((view.viewport()->repaint(), view.is_sharp()), 60'000);
    QTest::qWait(20);
  }
  QImage picture(double ratio = 1) {
    QImage image(view.size() * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    view.render(&image);
    return image;
  }
  Selection selection;
  ViewRequests requests;
  LivingView view{ViewContext{&selection, &requests}};
};

LivingScene scene_of(LivingView& view) { return view.scene(); }

}  // namespace

class TestLivingGround : public QObject {
  Q_OBJECT

 private slots:
  void what_was_there_stays_until_the_new_is_there() {
    const auto before = run_of(80), after = run_of(90);
    QVERIFY(LivingMaker::is_long(AnalysedRun(before)));
    Shown shown;
    shown.view.set_result(before);
    QVERIFY(!shown.view.map());  // nothing has waited for it
    shown.wait_until_sharp();
    QCOMPARE(shown.view.map()->result, before);
    const QImage was = shown.picture();
    shown.view.set_result(after);
    QCOMPARE(shown.view.map()->result, before);
    QVERIFY(!shown.view.is_sharp());
    QCOMPARE(shown.picture(), was);
    shown.wait_until_sharp();
    QCOMPARE(shown.view.map()->result, after);
    QVERIFY(shown.picture() != was);
  }

  void the_newest_run_wins() {
    Shown shown;
    QSignalSpy taken(&shown.view, &LivingView::choiceChanged);
    std::shared_ptr<const Result> last;
    for (int i = 0; i < 5; ++i) shown.view.set_result(last = run_of(80, i));
    shown.wait_until_sharp();
    QCOMPARE(shown.view.map()->result, last);
    QCOMPARE(taken.count(), 1);
    shown.view.set_result(run_of(80, 9));
    shown.view.set_result(nullptr);  // the text is gone: nothing comes late
    QTest::qWait(300);
    QVERIFY(!shown.view.map());
  }

  // Who is cancelled leaves nothing behind, and who asks then has the map.
  void a_cancelled_map_is_made_anew() {
    const AnalysedRun run(run_of(80));
    const CancelToken token = CancelToken::make();
    token.cancel();
    QVERIFY_THROWS_EXCEPTION(Cancelled, run.living(token));
    const auto map = run.living();
    QVERIFY(map);
    QCOMPARE(run.living(token), map);  // it is made: nothing is left to be cancelled
  }

  // A run that is not wanted any more is not computed to its end. (The worker may have been fast, once.)
  void a_stale_run_is_not_gone_on_with() {
    std::atomic<int> made = 0;
    int given_up = 0;
    for (int round = 0; round < 5 && given_up == 0; ++round) {
      made = 0;
      {
        LivingMaker maker;
        maker.start(std::make_shared<const AnalysedRun>(run_of(290, round)), [&](const auto&, const CancelToken&) {
          ++made;
          return LivingMaker::Done();
        });
        round % 2 == 0 ? maker.stop()
                       : maker.start(std::make_shared<const AnalysedRun>(run_of(60)),
                                     [](const auto&, const CancelToken&) { return LivingMaker::Done(); });
      }
      given_up += made == 0 ? 1 : 0;
    }
    QVERIFY(given_up > 0);
  }

  void a_file_has_the_newest_run() {
    const auto after = run_of(90);
    Shown shown;
    shown.view.set_result(run_of(80));
    shown.wait_until_sharp();
    shown.view.set_result(after);
    QVERIFY(shown.view.map()->result != after);
    shown.view.figure();
    QCOMPARE(shown.view.map()->result, after);
  }

  void where_it_comes_from_does_not_wait_either() {
    Selection selection;
    ViewRequests requests;
    OriginsView view{ViewContext{&selection, &requests}};
    view.resize(376, 600);
    view.show();
    SelectionState state;
    state.step = 0;
    selection.set(state);
    const auto result = run_of(80);
    view.set_result(result);
    QCOMPARE(view.choice().lane, -1);
    QTRY_COMPARE_WITH_TIMEOUT(view.choice().lane, living_map(result)->lane_of_step(0), 60'000);
    QVERIFY(view.list()->isVisible());
  }

  // What a worker draws is what is drawn at once for a file; until then the picture of before is moved.
  void a_worker_draws_the_same_picture() {
    Shown shown;
    shown.view.set_result(run_of(64));
    shown.wait_until_sharp();
    shown.view.choose({63, -1});
    shown.wait_until_sharp();
    for (const double ratio : {1.0, 2.0}) {
      LivingGround by_worker, at_once;
      const LivingScene scene = scene_of(shown.view);
      const auto painted = [&](LivingGround& ground, bool wait) {
        QImage image(shown.view.size() * ratio, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.scale(ratio, ratio);
        painter.translate(-scene.layout.metrics.camera.scroll);
        ground.paint(painter, scene, 1, wait);
        return image;
      };
      const QImage expected = painted(at_once, true);
      QSignalSpy ready(&by_worker, &LivingGround::ready);
      const QImage first = painted(by_worker, false);
      if (!by_worker.is_sharp()) {
        QVERIFY(first != expected);
        QVERIFY(ready.wait(60'000));
      }
      QCOMPARE(painted(by_worker, false), expected);
      QVERIFY(by_worker.is_sharp());
    }
  }

  // A picture with all points of the largest screens is more than may be kept: it has fewer.
  void the_largest_screens_become_sharp_too() {
    Shown shown;
    shown.view.set_result(run_of(20));
    shown.wait_until_sharp();
    LivingGround ground;
    QImage image(QSize(1200, 800) * 6, QImage::Format_RGB32);
    const auto paint = [&] {
      QPainter painter(&image);
      painter.scale(6, 6);
      ground.paint(painter, shown.view.scene(), 1, false);
    };
    QSignalSpy ready(&ground, &LivingGround::ready);
    paint();
    QVERIFY(!ground.is_sharp());
    QVERIFY(ready.wait(60'000));
    paint();
    QVERIFY(ground.is_sharp());
    QVERIFY(ground.bytes() > 0 && ground.bytes() <= kTileBudget);
  }

  void the_same_camera_is_the_same_picture_again() {
    Shown shown;
    shown.view.set_result(run_of(64));
    shown.wait_until_sharp();
    const QImage was = shown.picture();
    shown.view.zoom(1.5, {600, 400});
    shown.wait_until_sharp();
    QVERIFY(shown.picture() != was);
    shown.view.show_all();
    shown.wait_until_sharp();
    QCOMPARE(shown.picture(), was);
  }

  // The promise of the design is 64 MB, whatever is zoomed, chosen and typed.
  void what_is_kept_has_a_bound() {
    constexpr qint64 kPromised = 64LL << 20;
    Shown shown({1600, 900});
    qint64 most = 0;
    shown.view.set_result(run_of(60));
    shown.wait_until_sharp();
    for (int i = 0; i < 6; ++i) {  // each is 16 MB of points, or what of them the map has
      if (i == 3) shown.view.choose({20, -1});
      shown.view.zoom(1.2, {300 + 50.0 * i, 400});
      for (int turn = 0; turn < 100; ++turn) {
        shown.picture(2);
        most = std::max(most, shown.view.cached_bytes());
        if (shown.view.is_sharp()) break;
        QTest::qWait(50);
      }
    }
    QVERIFY2(most > (30 << 20), qPrintable(QString::number(most)));
    QVERIFY2(most <= kPromised, qPrintable(QString::number(most)));
  }
};

HEADLIGHT_WIDGET_TEST(TestLivingGround)

}  // namespace headlight::test_living_ground

#include "test_living_ground.moc"
