// The sizes, letters and languages at which nothing in the window may be cut: rows of test data.
#pragma once

#include <QSize>
#include <QTest>
#include <memory>

#include "app/language.h"
#include "app/window/main_window.h"
#include "widgets/base/theme.h"

namespace headlight::testing {

inline constexpr QSize kClippingSizes[] = {QSize(1024, 700), QSize(1280, 800), QSize(1920, 1080), QSize(2560, 1440)};

// Columns "size", "type" and "language", over the first `sizes` of them.
inline void add_clipping_grid(int sizes = 3) {
  QTest::addColumn<QSize>("size");
  QTest::addColumn<double>("type");
  QTest::addColumn<QString>("language");
  for (int i = 0; i < sizes; ++i)
    for (const double type : {1.0, 1.25, 1.5, 2.0})
      for (const char* language : {"en", "zh_CN"})
        QTest::addRow("%d x %d, %.0f %%, %s", kClippingSizes[i].width(), kClippingSizes[i].height(), 100 * type,
                      language)
            << kClippingSizes[i] << type << QString::fromLatin1(language);
}

// The window of such a row, with a run of `model` in it; null when there was none within a minute.
inline std::unique_ptr<MainWindow> clipping_window(std::shared_ptr<const ModelBundle> model) {
  QFETCH(QSize, size);
  QFETCH(double, type);
  QFETCH(QString, language);
  Theme::instance().set(Theme::Mode::light, type);
  set_language(language);
  auto window = std::make_unique<MainWindow>(MainWindow::Remember::no);
  Document document;
  document.model = std::move(model);
  document.source = "November 22, 2026";
  window->resize(size);
  window->start(document);
  window->show();
  return QTest::qWaitFor([&] { return !window->worker().busy(); }, 60000) ? std::move(window) : nullptr;
}

inline void no_clipping_window() {
  Theme::instance().set(Theme::Mode::light, 1);
  set_language("en");
}

}  // namespace headlight::testing
