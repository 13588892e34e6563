// Chooses the platform, makes the application, and either shows the window or draws it.

#include "app/cli/window_start.h"

#include <QApplication>
#include <QDir>
#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <QPainter>
#include <QScreen>
#include <QStandardPaths>
#include <QTimer>
#include <algorithm>
#include <csignal>
#include <iostream>

#include "app/appearance.h"
#include "app/cli/overrides.h"
#include "app/cli/platform.h"
#include "app/cli/printed/text_picture.h"
#include "app/cli/unused_options.h"
#include "app/dialogs/tensor_window.h"
#include "app/document/model_list.h"
#include "app/jobs/side_runs.h"
#include "app/language.h"
#include "app/lectures/lecture_walk.h"
#include "app/lessons/lecture.h"
#include "app/presentation/stepping_animation.h"
#include "app/stage/first_selection.h"
#include "app/stage/map_panel.h"
#include "app/stage/view_table.h"
#include "app/text/source_bar.h"
#include "app/window/main_window.h"
#include "app/window/start_page.h"
#include "model/core/json_library.h"
#include "model/io/model_folder.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/history/history_view.h"
#include "widgets/views/living/view.h"

namespace headlight {

namespace {

// Runs the document of the window and waits until it is shown. Throws Error when the run fails.
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

UsageError nothing_to_show(const RenderCommand& command, const Document& document) {
  return UsageError("'" + document.model->name + "' has nothing to show in the view '" + command.view + "'");
}

// What a widget shows, as it is on the screen.
Figure shown_by(QWidget* widget, const QString& title) {
  return {widget->size(),
          [widget](QPainter& painter) {
            widget->render(&painter, QPoint(), QRegion(), QWidget::DrawWindowBackground | QWidget::DrawChildren);
          },
          title, nullptr};
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

// The stepping as an animation of what a widget shows. Throws FileError.
void save_animation(MainWindow& window, QWidget* view, const RenderCommand& command) {
  const auto frames =
      command.frames == "operations" ? SteppingAnimation::Frames::operations : SteppingAnimation::Frames::steps;
  SteppingAnimation animation(window.views().stepper(), &window.selection(), view, path_text(command.out), frames);
  animation.set_scale(command.scale);
  QEventLoop loop;
  QString problem;
  QObject::connect(&animation, &SteppingAnimation::finished, &loop, [&](const QString& text) {
    problem = text;
    loop.quit();
  });
  animation.start();
  loop.exec();
  if (!problem.isEmpty()) throw FileError(problem.toStdString());
}

// What the main window shows of a panel of numbers, or of itself.
void render_window(const RenderCommand& command, const Document& document) {
  MainWindow window(MainWindow::Remember::no);
  window.resize(command.width, command.height);
  window.panels().reset_layout();
  show_and_wait(window, document);
  check_reached(*window.result());
  say_notes(*window.result());
  const QString path = path_text(command.out);
  const bool animated = AnimationWriter::means_animation(path);
  QWidget* drawn = &window;
  QString title = window.windowTitle();
  if (command.view != "window") {
    const WindowPanels::Picture picture = window.panels().picture(QString::fromStdString(command.view));
    if (!picture.view) throw nothing_to_show(command, document);
    // As for a picture of it (render_view).
    if (command.view == "alignment" || command.view == "outputs") window.selection().set({});
    window.panels().raise(picture.name);
    QCoreApplication::processEvents();
    drawn = picture.view;
    drawn->setParent(nullptr);
    drawn->resize(command.width, command.height);
    drawn->setAttribute(Qt::WA_DontShowOnScreen);
    drawn->show();
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
    title = drawn->accessibleName();
  }
  if (animated) return save_animation(window, drawn, command);
  write_figure(shown_by(drawn, title), path, command.scale);
}

// Makes the runs that a view wants beside the main one, at once.
template <class View>
void serve(View* view) {
  QObject::connect(view, &View::runsWanted, view, [view](const std::vector<Request>& requests) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      Request request = requests[i];
      if (!request.model->model) request.model = load_model(request.model->folder.string());
      view->set_run(static_cast<int>(i), std::make_shared<const Result>(run(request)));
    }
  });
}

constexpr int kFramed = 150;  // milliseconds until a new window has its frame

// A view by itself: there is no window, and nothing waits.
void render_view(const ViewRow& row, const RenderCommand& command, const Document& document) {
  Session session;
  session.start(document);
  const auto result = std::make_shared<const Result>(run(session.request()));
  check_reached(*result);
  say_notes(*result);
  const auto shown = analysed(result);
  if (row.offers && !row.offers(*shown)) throw nothing_to_show(command, document);
  Selection selection;
  ViewRequests requests;
  // What the window selects for a newcomer has no meaning in a figure, but a view of one number needs one.
  if (command.view != "alignment" && command.view != "outputs") selection.set(first_selection(*result));
  if (command.step) {
    const auto steps = static_cast<int>(result->steps.size());
    if (*command.step >= steps)
      throw UsageError("--step: the output has " + std::to_string(steps) + " steps, counted from 0, not step " +
                       std::to_string(*command.step));
    SelectionState chosen;
    chosen.step = static_cast<int>(*command.step);
    selection.set(chosen);
  }
  const std::unique_ptr<ResultView> view(row.make({&selection, &requests}, nullptr));
  QWidget* widget = view->widget();
  widget->setAccessibleName(translated_view_text(row.title));
  if (auto* compare = qobject_cast<CompareView*>(widget)) {
    serve(compare);
    if (session.has_differences()) compare->set_reference(CompareView::Reference::trained);  // there is no run before
  }
  if (auto* history = qobject_cast<HistoryView*>(widget)) {
    serve(history);
    history->set_models(described_models());
  }
  widget->setFont(Theme::instance().ui_font());
  widget->setAttribute(Qt::WA_DontShowOnScreen);
  widget->resize(command.width, command.height);
  view->take(shown);
  widget->show();
  QCoreApplication::sendPostedEvents();  // layouts and scroll bars of what the run made visible
  if (auto* map = qobject_cast<MapPanel*>(widget); map && command.level) {
    (void)view->figure();  // of a long text it is made now
    map->living()->go_to_level(static_cast<LivingLevel>(*command.level));
  }
  write_figure(view->figure(), path_text(command.out), command.scale);
}

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

}  // namespace

bool begins_with_start(const WindowCommand& command, const UserSettings& settings) {
  const bool first = settings.last_model().isEmpty() && !settings.layout();
  return command.model.empty() && !command.source && !command.target && (first || settings.start_page());
}

int window_command(const WindowCommand& command) {
  const auto application = make_window_application();
  if (!has_display()) {
    Theme::instance().set_mode(Theme::Mode::light);
    return draw_first_view(wanted_document(command, nullptr));
  }
  std::signal(SIGPIPE, SIG_IGN);  // a pipe that somebody exports into may lose its reader; that ends no work
  const UserSettings settings;
  const bool first = begins_with_start(command, settings);
  apply_appearance(settings);
  MainWindow window(MainWindow::Remember::yes);
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
  return QApplication::exec();
}

int lesson_window(const LessonCommand& command) {
  const auto application = make_window_application();
  if (!has_display())
    throw UsageError("a lesson opens in a window, and there is no display here; --check plays it without one");
  std::signal(SIGPIPE, SIG_IGN);
  const UserSettings settings;
  apply_appearance(settings);
  if (!command.language.empty()) choose_language(QString::fromStdString(command.language));
  MainWindow window(MainWindow::Remember::yes);
  window.start(first_document({}));
  window.show();
  if (is_lecture(command.lesson)) {
    window.open_lecture(path_text(std::filesystem::absolute(command.lesson)));
    if (command.step > 0) window.lecture().go(command.step - 1);
  } else {
    window.open_lesson(path_text(command.lesson), command.step - 1);
  }
  fit_with_frame(window);
  return QApplication::exec();
}

int render_command(const RenderCommand& command) {
  refuse_contradictions(command);
  const auto application = make_offscreen_application();
  set_language(QString::fromStdString(command.language));
  Theme::instance().set_mode(command.theme == "dark" ? Theme::Mode::dark : Theme::Mode::light);
  Document document;
  document.open(load_model(command.model));
  with_settings(document.model, command.settings);  // says what is wrong with them
  Json settings = *document.settings;
  settings.update(parse_settings(command.settings));
  document.settings = settings;
  document.source = command.text ? std::to_string(*command.text) : chosen_text(*document.model, command.source);
  document.second = command.second;
  if (command.text && !document.model->stored)
    throw UsageError("--text: '" + document.model->name + "' is a model; only stored attention has numbered texts");
  if (command.target) document.target = *command.target;
  document.interventions = edits_of(command.edits);
  const auto rows = view_table();
  const auto row = std::ranges::find(rows, command.view, &ViewRow::name);
  if (row == rows.end() || AnimationWriter::means_animation(path_text(command.out)))
    render_window(command, document);
  else
    render_view(*row, command, document);
  tell_unused(command, *document.model);
  return 0;
}

}  // namespace headlight
