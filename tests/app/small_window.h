// The whole window with the run of a small model, for the tests of what is done in it.
#pragma once

#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "app/appearance.h"
#include "app/language.h"
#include "app/text/source_bar.h"
#include "app/window/main_window.h"
#include "tests/app/fixture.h"
#include "widgets/base/theme.h"

namespace headlight::testing {

// Beside QObject, a base of the class of a test; its slots call `make_models` and `put_away`.
struct SmallWindow {
  QTemporaryDir models_;
  std::unique_ptr<MainWindow> window_;

  void make_models() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("HeadlightTest");
    QCoreApplication::setApplicationName("HeadlightTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, models_.path());
    qputenv("HEADLIGHT_MODELS", models_.path().toUtf8());
    small_model_folder(models_, "attn_seq2seq");
    small_model_folder(models_, "seq2seq");
    load_resources();
    Theme::instance().set(Theme::Mode::light, 1);  // with the style of the program from the beginning on
  }
  void put_away() {
    window_.reset();
    set_language("en");
  }

  void open(const QString& source = "May 5, 2001", MainWindow::Remember remember = MainWindow::Remember::no) {
    window_ = std::make_unique<MainWindow>(remember);
    Document document;
    document.model = small_model();
    document.source = source.toStdString();
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    QCoreApplication::processEvents();
  }
  SourceField* field() { return window_->views().source_bar()->source_field(); }
  std::string shown() { return window_->result() ? window_->result()->source : "nothing"; }
  void trigger(const char* id) { window_->actions()[id]->trigger(); }
};

}  // namespace headlight::testing
