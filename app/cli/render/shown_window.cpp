#include "app/cli/render/shown_window.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QPainter>

#include "app/window/main_window.h"
#include "model/core/errors.h"

namespace headlight {

void show_and_wait(MainWindow& window, const Document& document) {
  QEventLoop loop;
  QString problem;
  QObject::connect(&window, &MainWindow::resultShown, &loop, &QEventLoop::quit);
  QObject::connect(&window, &MainWindow::runFailed, &loop, [&](const QString& message) {
    problem = message;
    loop.quit();
  });
  window.start(document);
  window.show();
  loop.exec();
  if (!problem.isEmpty()) throw UsageError(problem.toStdString());
  for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();  // layouts and queued paints
}

Figure shown_by(QWidget* widget, const QString& title) {
  return {widget->size(),
          [widget](QPainter& painter) {
            widget->render(&painter, QPoint(), QRegion(), QWidget::DrawWindowBackground | QWidget::DrawChildren);
          },
          title, nullptr};
}

}  // namespace headlight
