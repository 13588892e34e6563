#include <QTest>
#include "image_test.h"
#include "model/io/model_folder.h"
#include "widgets/views/map_view.h"
#include "widgets/base/view_requests.h"
#include <chrono>
using namespace headlight;
class TestMapView : public QObject {
  Q_OBJECT
 private slots:
  void look() {
    const QStringList only = qEnvironmentVariable("MAP_ONLY").split(',', Qt::SkipEmptyParts);
    for (const auto& [name, text] : std::initializer_list<std::pair<const char*, const char*>>{{"date-attention", "3 May 2021"}, {"grammar-bahdanau", "the dog sleeps ."}, {"toy-mt-convs2s", "the cat sees a dog"}, {"copy-ntm", "1 0 1"}, {"date-transformer", "3 May 2021"}, {"masked-bert", "the [MASK] sleeps ."}, {"story-gpt", "once upon a time"}, {"toy-mt-deep", "the cat sees a dog"}}) {
      if (!only.isEmpty() && !only.contains(name)) continue;
      Request r; r.model = load_model(name); r.source = text;
      auto result = std::make_shared<Result>(run(r));
      Selection s; ViewRequests q;
      MapView v(ViewContext{&s, &q});
      auto t0 = std::chrono::steady_clock::now();
      const auto lap = [&](const char* what) { auto t = std::chrono::steady_clock::now(); qInfo("%s %s %.2f ms", name, what, std::chrono::duration<double, std::milli>(t - t0).count()); t0 = std::chrono::steady_clock::now(); };
      auto f = flow_of(*result->trace); lap("flow");
      auto m = MapLayout::of(f); lap("layout");
      v.set_result(result);
      for (const QSize size : {QSize(1400, 900), QSize(900, 420), QSize(360, 240)}) {
        show_at(v, size);
        v.grab().save(QString("/tmp/h1/%1-%2.png").arg(name).arg(size.width()));
      }
      show_at(v, {1400, 900});
      for (const char* site : {"decoder.step[1].attention.scores", "decoder.step[1].layer[1].self_attn.head.weights", "encoder.step[1].lstm.c","encoder.layer[1].self_attn.head.weights"}) {
        const int e = result->trace->find(site);
        if (e < 0) continue;
        SelectionState st; st.entry = e; s.set(st);
        v.go_to(v.flow().nodes[v.cursor()].parent); QTest::qWait(300);
        t0 = std::chrono::steady_clock::now(); v.grab(); lap("paint");
        v.grab().save(QString("/tmp/h1/%1-sel.png").arg(name));
        QTest::keyClick(&v, Qt::Key_Return); QTest::qWait(300);
        v.grab().save(QString("/tmp/h1/%1-leaf.png").arg(name));
        QTest::keyClick(&v, Qt::Key_Return); QTest::qWait(300);
        v.grab().save(QString("/tmp/h1/%1-cell.png").arg(name));
        break;
      }
      v.set_result(result); v.go_to(0); QTest::qWait(300);
      t0 = std::chrono::steady_clock::now(); v.set_result(result); lap("set_result"); v.grab(); lap("paint all");
    }
  }
};
QTEST_MAIN(TestMapView)
#include "test_map_view.moc"
