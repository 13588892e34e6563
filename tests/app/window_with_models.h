// A window that opens what other libraries wrote, for the tests of that.
#pragma once

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <memory>

#include "app/document/model_list.h"
#include "app/window/main_window.h"
#include "tests/app/fixture.h"

namespace headlight::testing {

// Has shown the run of a small model of ours that is made in this folder.
inline std::unique_ptr<MainWindow> window_with_a_run(const QTemporaryDir& models) {
  auto made = std::make_unique<MainWindow>(MainWindow::Remember::no);
  QSignalSpy shown(made.get(), &MainWindow::resultShown);
  made->start(first_document(small_model_folder(models).toStdString()));
  made->show();
  if (!shown.wait(20000)) qFatal("the first run was not shown");
  return made;
}

// Whether what lies there is opened and run.
inline bool opens(MainWindow& window, const QString& path) {
  QSignalSpy shown(&window, &MainWindow::resultShown), failed(&window, &MainWindow::runFailed);
  window.open_model(path);
  return shown.wait(20000) && failed.isEmpty();
}

}  // namespace headlight::testing
