// Runs a model and draws what a view, or the window, shows of the run.

#include "app/cli/render/render_command.h"

#include <QApplication>
#include <QEventLoop>
#include <algorithm>

#include "app/cli/analyse/progress.h"
#include "app/cli/interruption.h"
#include "app/cli/overrides.h"
#include "app/cli/platform.h"
#include "app/cli/render/asked_head.h"
#include "app/cli/render/figure_size.h"
#include "app/cli/render/shown_window.h"
#include "app/cli/unused_options.h"
#include "app/document/about_run.h"
#include "app/jobs/side_runs.h"
#include "app/language.h"
#include "app/presentation/stepping_animation.h"
#include "app/stage/first_selection.h"
#include "app/stage/map_panel.h"
#include "app/stage/view_table.h"
#include "app/window/main_window.h"
#include "model/core/json_library.h"
#include "model/io/model_folder.h"
#include "model/io/text_list.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/export/animation.h"
#include "widgets/text/number_words.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/history/history_view.h"
#include "widgets/views/living/view.h"

namespace headlight {

namespace {

// What a picture is drawn of, and how a session shows it.
struct Shown {
  Document document;
  std::optional<SessionState> session;
  QString out;
};

UsageError nothing_to_show(const RenderCommand& command, const Document& document) {
  return UsageError("'" + document.model->name + "' has nothing to show in the view '" + command.view + "'");
}

// The stepping as an animation of what a widget shows. Throws FileError.
void save_animation(MainWindow& window, QWidget* view, const RenderCommand& command, const QString& out) {
  const auto frames =
      command.frames == "operations" ? SteppingAnimation::Frames::operations : SteppingAnimation::Frames::steps;
  SteppingAnimation animation(window.views().stepper(), &window.selection(), view, out, frames);
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
void render_window(const RenderCommand& command, const Shown& asked) {
  MainWindow window(MainWindow::Remember::no);
  window.resize(command.width, command.height);
  window.panels().reset_layout();
  if (asked.session) {
    window.views().set_choices(asked.session->views);
    if (!asked.session->layout.state.isEmpty()) window.panels().restore_session(asked.session->layout.state);
  }
  show_and_wait(window, asked.document);
  check_reached(*window.result());
  say_notes(*window.result());
  if (asked.session) window.selection().set(selection_in(asked.session->selection, *window.result()));
  QWidget* drawn = &window;
  QString title = window.windowTitle();
  if (command.view != "window") {
    const WindowPanels::Picture picture = window.panels().picture(QString::fromStdString(command.view));
    if (!picture.view) throw nothing_to_show(command, asked.document);
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
  if (AnimationWriter::means_animation(asked.out)) return save_animation(window, drawn, command, asked.out);
  const auto laid_out = [&](QSize room) {
    drawn->resize(room);
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
    return shown_by(drawn, title);
  };
  write_figure(with_about(sized_figure(command, laid_out), *window.result(), asked.out), asked.out, command.scale);
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

// What is selected in the picture: what was asked for, else what the session has, else what a newcomer is shown. That
// has no meaning in a figure of weights, but a view of one number needs one.
void select(Selection& selection, const RenderCommand& command, const Shown& asked, const Result& result) {
  static constexpr const char* kWhole[] = {"alignment", "outputs"};
  if (asked.session)
    selection.set(selection_in(asked.session->selection, result));
  else if (std::ranges::find(kWhole, command.view) == std::end(kWhole))
    selection.set(first_selection(result));
  if (!command.step) return;
  const auto steps = static_cast<int>(result.steps.size());
  if (*command.step >= steps)
    throw UsageError("--step: the output has " + std::to_string(steps) + " steps, counted from 0, not step " +
                     std::to_string(*command.step));
  SelectionState chosen;
  chosen.step = static_cast<int>(*command.step);
  selection.set(chosen);
}

// Views that make further runs, or list models, as the window serves them.
void serve_view(QWidget* widget, const Session& session) {
  if (auto* compare = qobject_cast<CompareView*>(widget)) {
    serve(compare);
    if (session.has_differences()) compare->set_reference(CompareView::Reference::trained);  // there is no run before
  }
  if (auto* history = qobject_cast<HistoryView*>(widget)) {
    serve(history);
    history->set_models(described_models());
  }
}

// A view by itself: there is no window, and nothing waits.
void render_view(const ViewRow& row, const RenderCommand& command, const Shown& asked) {
  Session session;
  session.start(asked.document);
  Request request = session.request();
  const Interruptible interruptible;
  request.cancel = interruptible.token();
  const auto result = std::make_shared<const Result>(run(request));
  check_reached(*result);
  say_notes(*result);
  const auto shown = analysed(result);
  if (row.offers && !row.offers(*shown)) throw nothing_to_show(command, asked.document);
  Selection selection;
  ViewRequests requests;
  select(selection, command, asked, *result);
  const std::unique_ptr<ResultView> view(row.make({&selection, &requests}, nullptr));
  QWidget* widget = view->widget();
  widget->setAccessibleName(translated_view_text(row.title));
  if (asked.session) {
    selection.set_whole_words(asked.session->views.value(QStringLiteral("whole_words")).toBool());
    view->set_choices(asked.session->views.value(QLatin1String(row.name)).toMap());
  }
  serve_view(widget, session);
  if (asks_head(command)) choose_asked_head(command, *shown, selection, *view);
  widget->setFont(Theme::instance().ui_font());
  widget->setAttribute(Qt::WA_DontShowOnScreen);
  widget->setMinimumSize(1, 1);  // a figure may be narrower than the bar of its panel
  widget->resize(command.width, command.height);
  view->take(shown);
  widget->show();
  QCoreApplication::sendPostedEvents();  // layouts and scroll bars of what the run made visible
  if (auto* map = qobject_cast<MapPanel*>(widget); map && command.level) {
    (void)view->figure();  // of a long text it is made now
    map->living()->go_to_level(static_cast<LivingLevel>(*command.level));
  }
  const auto laid_out = [&](QSize room) {
    widget->resize(room);
    QCoreApplication::sendPostedEvents();
    return view->figure();
  };
  write_figure(with_about(sized_figure(command, laid_out), *result, asked.out), asked.out, command.scale);
}

void render_one(const RenderCommand& command, const Shown& asked) {
  const auto rows = view_table();
  const auto row = std::ranges::find(rows, command.view, &ViewRow::name);
  if (row == rows.end() || AnimationWriter::means_animation(asked.out))
    render_window(command, asked);
  else
    render_view(*row, command, asked);
}

// The model or the session that was named, with what the line says itself.
Shown asked_for(const RenderCommand& command) {
  Shown asked;
  Document& document = asked.document;
  if (auto session = session_named(command.model)) {
    document = {session->state.inputs(), session->model, session->state.settings};
    asked.session = std::move(session->state);
  } else {
    document.open(load_model(command.model));
  }
  with_settings(document.model, command.settings);  // says what is wrong with them
  Json settings = *document.settings;
  settings.update(parse_settings(command.settings));
  document.settings = settings;
  if (command.text && command.texts.empty() && !document.model->stored)
    throw UsageError("--text: '" + document.model->name +
                     "' is a model; only stored attention and --texts have numbered texts");
  if (command.text && command.texts.empty())
    document.source = std::to_string(*command.text);
  else if (!asked.session || command.has("--source"))
    document.source = command.texts.empty() ? chosen_text(*document.model, command.source) : command.source;
  if (!asked.session || command.has("--second")) document.second = command.second;
  if (command.target) document.target = *command.target;
  for (Intervention& edit : edits_of(command.edits)) document.interventions.push_back(std::move(edit));
  asked.out = path_text(command.out);
  return asked;
}

constexpr const char* kNumber = "%04d";  // in the name of the files of a list: the number of the text

// A picture of each text of the list, or of the one that --text names.
void render_texts(const RenderCommand& command, Shown asked) {
  const std::vector<ListedText> texts = read_text_list(command.texts);
  if (asked.document.model->stored) throw UsageError("--texts: stored attention has its own texts");
  const qsizetype place = asked.out.indexOf(QLatin1String(kNumber));
  if (!command.text && place < 0)
    throw UsageError("--texts: expected a name with " + std::string(kNumber) + " for --out, found '" + command.out +
                     "'; or --text N, which chooses one of them");
  if (command.text && static_cast<std::size_t>(*command.text) >= texts.size())
    throw UsageError("--text: " + command.texts + " has " + std::to_string(texts.size()) +
                     " texts, counted from 0, not text " + std::to_string(*command.text));
  const std::size_t first = command.text.value_or(0), end = command.text ? first + 1 : texts.size();
  const QString name = asked.out;
  Progress progress(texts.size() == 1 || command.text);
  for (std::size_t i = first; i < end; ++i) {
    asked.document.source = texts[i].text;
    asked.document.second = texts[i].second.empty() ? command.second : texts[i].second;
    if (!texts[i].target.empty()) asked.document.target = texts[i].target;
    if (!command.text) asked.out = QString(name).replace(place, 4, QString("%1").arg(i, 4, 10, QChar('0')));
    try {
      render_one(command, asked);
    } catch (const Cancelled&) {
      throw Interrupted("interrupted after " + std::to_string(i) + " of " + std::to_string(texts.size()) +
                        " texts, whose pictures are written");
    } catch (const UsageError& error) {
      throw UsageError(command.texts + ":" + std::to_string(texts[i].line) + ": " + error.what());
    }
    progress.tell(i + 1 - first, end - first, "texts");
  }
}

}  // namespace

int render_command(const RenderCommand& command) {
  refuse_contradictions(command);
  const auto application = make_offscreen_application();
  set_language(QString::fromStdString(command.language));
  set_first_number(command.count_from);
  Theme::instance().set_mode(command.theme == "dark" ? Theme::Mode::dark : Theme::Mode::light);
  const Shown asked = asked_for(command);
  if (command.texts.empty())
    render_one(command, asked);
  else
    render_texts(command, asked);
  tell_unused(command, *asked.document.model);
  return 0;
}

}  // namespace headlight
