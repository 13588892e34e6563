// Opens session files in the window as a user would, and ends as the command line does: 0, or 2 with what the window
// says. tests/attack/sessions.py makes the files.
//   fuzz_session open FILE    opens it, types, takes it back, and saves what is there to FILE.saved.headlight
//   fuzz_session save FILE    what a new window saves

#include <QApplication>
#include <QEventLoop>
#include <QSettings>
#include <QStandardPaths>
#include <QTimer>
#include <cstdio>

#include "app/cli/platform.h"
#include "app/document/model_list.h"
#include "app/jobs/session_opener.h"
#include "app/messages.h"
#include "app/panels/message_banner.h"
#include "app/window/main_window.h"
#include "widgets/base/utf8_text.h"

using namespace headlight;

namespace {

// Until the window has shown the result of a run, or has said that there is none; or its refusal to open a file.
void wait_for(MainWindow& window, const std::function<void()>& what, bool refusal = false) {
  QEventLoop loop;
  QObject::connect(&window, &MainWindow::resultShown, &loop, &QEventLoop::quit);
  QObject::connect(&window, &MainWindow::runFailed, &loop, [&](const QString& message) {
    say("headlight: warning: " + message.toStdString());  // as the banner does
    loop.quit();
  });
  QTimer look;
  QObject::connect(&look, &QTimer::timeout, &loop, [&] {
    if (refusal && window.views().banner()->isVisible()) loop.quit();
  });
  what();
  look.start(20);
  loop.exec();
  for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
}

bool can_be_opened(const QString& path) {
  try {
    open_session(path);
    return true;
  } catch (const Error&) {
    return false;
  }
}

int open(MainWindow& window, const QString& path) {
  const bool opens = can_be_opened(path);
  wait_for(
      window, [&] { window.open_session_file(path); }, !opens);
  if (!opens) {
    std::fprintf(stderr, "headlight: %s\n", qUtf8Printable(window.views().banner()->message()));
    return 2;
  }
  if (window.views().banner()->isVisible())
    std::fprintf(stderr, "headlight: warning: %s\n", qUtf8Printable(window.views().banner()->message()));
  const QString source = from_utf8(window.session().document().source);
  wait_for(window, [&] { window.session().set_source(source + "1"); });
  wait_for(window, [&] { window.session().undo_stack().undo(); });
  window.resize(700, 500);
  QCoreApplication::processEvents();
  save_session(window.session_state(), path + ".saved.headlight");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  take_over_qt_messages();
  QStandardPaths::setTestModeEnabled(true);
  const std::unique_ptr<QApplication> application = make_offscreen_application();
  const QString mode = QString::fromLocal8Bit(argc == 3 ? argv[1] : ""), path = QString::fromLocal8Bit(argv[argc - 1]);
  try {
    MainWindow window(MainWindow::Remember::no);
    wait_for(window, [&] {
      window.start(first_document({}));
      window.show();
    });
    if (mode == "open") return open(window, path);
    save_session(window.session_state(), path);
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "headlight: %s\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    std::fputs("headlight: not enough memory\n", stderr);
    return 2;
  }
}
