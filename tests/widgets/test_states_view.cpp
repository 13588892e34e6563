#include <QTest>
#include <QElapsedTimer>
#include "image_test.h"
#include "model/io/model_folder.h"
#include "widgets/views/states_view.h"
using namespace headlight;
class TestStatesView : public QObject {
  Q_OBJECT
 private slots:
  void look() {
    const QStringList only = qEnvironmentVariable("LOOK").split(' ', Qt::SkipEmptyParts);
    for (const QString& spec : only) {
      const QStringList f = spec.split(':');  // model:w:h:cell:dark:scale
      Theme::instance().set_mode(f[4] == "1" ? Theme::Mode::dark : Theme::Mode::light);
      Theme::instance().set_font_scale(f[5].toDouble());
      Request request;
      request.model = load_model("sample_models/" + f[0].toStdString());
      request.source = request.model->examples[0];
      auto result = std::make_shared<Result>(run(request));
      Selection selection;
      ViewRequests requests;
      StatesView view(ViewContext{&selection, &requests});
      view.set_result(result);
      show_at(view, {f[1].toInt(), f[2].toInt()});
      view.show_cell(f[3].toInt());
      view.canvas()->set_cursor({1, 4, 17});
      QCoreApplication::processEvents();
      QElapsedTimer t; t.start();
      view.canvas()->viewport()->repaint();
      const double cold = t.nsecsElapsed() / 1e6; t.restart();
      view.set_result(std::make_shared<Result>(*result));
      const double take = t.nsecsElapsed() / 1e6; t.restart();
      view.canvas()->viewport()->repaint();
      qInfo() << spec << view.accessibleName() << view.canvas()->accessibleDescription() << cold << take << t.nsecsElapsed() / 1e6;
      view.grab().save("/tmp/h3_look/states_" + QString(spec).replace(':', '_') + ".png");
    }
  }
};
QTEST_MAIN(TestStatesView)
#include "test_states_view.moc"
