#include <QTest>
#include <QElapsedTimer>
#include "image_test.h"
#include "model/io/model_folder.h"
#include "widgets/views/memory_view.h"
using namespace headlight;
class TestMemoryView : public QObject {
  Q_OBJECT
 private slots:
  void look() {
    const QStringList only = qEnvironmentVariable("LOOK").split(' ', Qt::SkipEmptyParts);
    for (const QString& spec : only) {
      const QStringList f = spec.split(':');  // model:w:h:step:dark:scale
      Theme::instance().set_mode(f[4] == "1" ? Theme::Mode::dark : Theme::Mode::light);
      Theme::instance().set_font_scale(f[5].toDouble());
      Request request;
      request.model = load_model("sample_models/" + f[0].toStdString());
      request.source = request.model->examples[1];
      auto result = std::make_shared<Result>(run(request));
      Selection selection;
      ViewRequests requests;
      MemoryView view(ViewContext{&selection, &requests});
      view.set_result(result);
      show_at(view, {f[1].toInt(), f[2].toInt()});
      view.show_step(f[3].toInt());
      QCoreApplication::processEvents();
      QElapsedTimer t; t.start();
      view.canvas()->viewport()->repaint();
      const double cold = t.nsecsElapsed() / 1e6; t.restart();
      view.set_result(std::make_shared<Result>(*result));
      const double take = t.nsecsElapsed() / 1e6; t.restart();
      view.canvas()->viewport()->repaint();
      qInfo() << spec << view.canvas()->accessibleDescription() << cold << take << t.nsecsElapsed() / 1e6;
      view.grab().save("/tmp/h3_look/memory_" + QString(spec).replace(':', '_') + ".png");
    }
  }
};
QTEST_MAIN(TestMemoryView)
#include "test_memory_view.moc"
