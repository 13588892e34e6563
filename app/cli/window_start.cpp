// Chooses the platform, makes the application, and either shows the window or draws it.

#include "app/cli/window_start.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QScreen>
#include <QSocketNotifier>
#include <QStandardPaths>
#include <QTimer>
#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>
#include <utility>

#include "app/appearance.h"
#include "app/cli/interruption.h"
#include "app/cli/platform.h"
#include "app/cli/printed/text_picture.h"
#include "app/cli/render/shown_window.h"
#include "app/cli/unused_options.h"
#include "app/dialogs/tensor_window.h"
#include "app/document/model_list.h"
#include "app/jobs/no_threads.h"
#include "app/language.h"
#include "app/lectures/lecture_walk.h"
#include "app/lessons/lecture.h"
#include "app/text/source_bar.h"
#include "app/window/main_window.h"
#include "app/window/start_page.h"
#include "model/io/model_folder.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

// A place for the picture of a machine without a display: a folder of the user's, else the current one. What others
// have laid there under that name, a link too, is taken away and not written through.
QString first_view_path() {
  QString folder = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation);
  if (!QDir().mkpath(folder) || !QFileInfo(folder).isWritable()) folder = QDir::currentPath();
  const QString path = folder + "/first-view.png";
  if (QFileInfo(path).isSymLink() && !QFile::remove(path))
    throw FileError("cannot write " + bytes_of(path) + ": it is a link of somebody else's");
  return path;
}

int draw_first_view(const Document& document) {
  MainWindow window(MainWindow::Remember::no);
  show_and_wait(window, document);
  const QString path = first_view_path();
  write_figure(shown_by(&window, window.windowTitle()), path);
  std::cout << text_picture(*window.result()) << "\nThere is no display here, so the window was drawn into a picture:\n"
            << path.toStdString() << "\n";
  return 0;
}

Document wanted_document(const WindowCommand& command, const UserSettings* settings) {
  std::string name = command.model;
  QString text;
  const std::string last = settings ? bytes_of(settings->last_model()) : std::string();
  if (std::error_code none; name.empty() && std::filesystem::is_directory(last, none)) {
    name = last;
    text = settings->last_source();
  }
  Document document;
  try {
    document = first_document(name);
  } catch (const Error&) {
    if (!command.model.empty() || name.empty()) throw;
    document = first_document({});  // the folder of the last time is not a model any more
    text.clear();
  }
  if (!text.isEmpty()) document.source = text.toStdString();
  if (command.source) document.source = *command.source;
  if (command.source || !command.second.empty()) document.second = command.second;
  if (command.target) document.target = *command.target;
  return document;
}

constexpr int kFramed = 150;  // milliseconds until a new window has its frame

// What the window manager puts around it must fit on the screen, too; it is known only when it is there.
void fit_with_frame(MainWindow& window) {
  QTimer::singleShot(kFramed, &window, [&window] {
    const QRect screen = window.screen()->availableGeometry();
    const QSize around = window.frameSize() - window.size(), room = screen.size() - around;
    if (window.windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen)) return;
    if (window.width() <= room.width() && window.height() <= room.height()) return;
    window.resize(window.size().boundedTo(room));
    if (!screen.contains(QRect(window.frameGeometry().topLeft(), window.size() + around)))
      window.move(screen.topLeft());
  });
}

// Until it is closed, or a signal asks the program to end: nobody can answer a question then. A second one ends it at
// once. What was asked to end does so by the signal, as scripts expect.
int run_window(std::unique_ptr<MainWindow> window) {
  const Interruptible asked;
  {
    const QSocketNotifier told(asked.descriptor(), QSocketNotifier::Read);
    QObject::connect(&told, &QSocketNotifier::activated, window.get(), [&window] {
      window->end();
      QCoreApplication::exit();
    });
    QApplication::exec();
  }
  window.reset();
  if (asked.token().cancelled()) end_interrupted();
  return 0;
}

}  // namespace

bool begins_with_start(const WindowCommand& command, const UserSettings& settings) {
  const bool first = settings.last_model().isEmpty() && !settings.layout();
  return command.model.empty() && !command.source && !command.target && (first || settings.start_page());
}

int window_command(const WindowCommand& command) {
  const auto application = make_window_application();
  if (command.no_threads) compute_without_threads();
  if (!has_display()) {
    Theme::instance().set_mode(Theme::Mode::light);
    return draw_first_view(wanted_document(command, nullptr));
  }
  std::signal(SIGPIPE, SIG_IGN);  // a pipe that somebody exports into may lose its reader; that ends no work
  const UserSettings settings;
  const bool first = begins_with_start(command, settings);
  apply_appearance(settings);
  auto shown = std::make_unique<MainWindow>(MainWindow::Remember::yes);
  MainWindow& window = *shown;
  const bool is_training = QFileInfo(path_text(command.model)).suffix() == kTrainingSuffix;
  const bool is_session = QFileInfo(path_text(command.model)).suffix() == kSessionSuffix;
  // A file of weights has a window of its own, in front of the model that would be there without it; what cannot even
  // be listed is told here.
  const bool weights =
      !is_session && !is_training && !command.model.empty() && is_only_looked_at(path_text(command.model));
  if (weights) format_of(command.model)->contents(command.model);
  tell_unused(command, is_session ? "a session" : is_training ? "a training" : weights ? "a file of weights" : nullptr);
  const bool went_on = command.model.empty() && window.restore_left_behind();
  if (!went_on)
    window.start(is_session || weights || is_training ? first_document({}) : wanted_document(command, &settings));
  if (is_session)
    window.open_session_file(path_text(command.model));
  else if (!went_on)
    window.offer_left_behind();
  if (first && !went_on) window.start_page().open();
  window.show();
  window.views().source_bar()->focus_source();
  fit_with_frame(window);
  if (weights) window.open_model(path_text(command.model));
  if (is_training) window.open_recording(path_text(std::filesystem::absolute(command.model)));
  return run_window(std::move(shown));
}

int lesson_window(const LessonCommand& command) {
  const auto application = make_window_application();
  if (!has_display())
    throw UsageError("a lesson opens in a window, and there is no display here; --check plays it without one");
  if (command.no_threads) compute_without_threads();
  std::signal(SIGPIPE, SIG_IGN);
  const UserSettings settings;
  apply_appearance(settings);
  if (!command.language.empty()) choose_language(QString::fromStdString(command.language));
  auto shown = std::make_unique<MainWindow>(MainWindow::Remember::yes);
  MainWindow& window = *shown;
  window.start(first_document({}));
  window.show();
  if (is_lecture(command.lesson)) {
    window.open_lecture(path_text(std::filesystem::absolute(command.lesson)));
    if (command.step > 0) window.lecture().go(command.step - 1);
  } else {
    window.open_lesson(path_text(command.lesson), command.step - 1);
  }
  fit_with_frame(window);
  return run_window(std::move(shown));
}

}  // namespace headlight
