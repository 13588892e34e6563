// Document -> request -> result -> views, and what the window itself does.

#include "app/window/main_window.h"

#include <QApplication>
#include <QScreen>
#include <QTextDocumentFragment>
#include <utility>

#include "app/classroom/classroom.h"
#include "app/classroom/lessons_list.h"
#include "app/dialogs/adapter_dialog.h"
#include "app/dialogs/open_folder.h"
#include "app/dialogs/tensor_window.h"
#include "app/document/learned_texts.h"
#include "app/document/model_hash.h"
#include "app/document/run_texts.h"
#include "app/document/variants.h"
#include "app/find/finder.h"
#include "app/lab/lab.h"
#include "app/lectures/lecture_walk.h"
#include "app/lessons/lesson.h"
#include "app/messages.h"
#include "app/panels/message_banner.h"
#include "app/presentation/presentation.h"
#include "app/presentation/presenter.h"
#include "app/stage/first_selection.h"
#include "app/stage/panel_frame.h"
#include "app/stage/panel_host.h"
#include "app/stage/stage.h"
#include "app/text/chat_rows.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/version.h"
#include "app/window/start_page.h"
#include "model/io/formats/adapters/adapter_format.h"
#include "model/io/formats/pretrained/pretrained_folder.h"
#include "model/io/model_folder.h"
#include "model/models/variant.h"
#include "widgets/base/ask.h"
#include "widgets/base/spoken.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/captioned.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/compare/compare_view.h"

namespace headlight {

namespace {
const QString kLabInFront = QStringLiteral("front");
constexpr QSize kFrame(16, 48);  // about what a window system puts around a window; known only once it is there
}  // namespace

MainWindow::MainWindow(Remember remember, RunWorker::Runner runner, ModelLoader::Loader loader, QWidget* parent)
    : QMainWindow(parent),
      remember_(remember),
      runs_(std::move(runner), std::move(loader)),
      appearance_(&actions_, remember == Remember::yes) {
  Spoken::instance();  // before anything has a tooltip
  setObjectName(QStringLiteral("main"));
  setAcceptDrops(true);
  // A picture has its size whatever screen there is (or none); a window must fit on its screen, with its frame.
  const QSize wanted(1280, 800);
  resize(remember_ == Remember::yes ? wanted.boundedTo(screen()->availableSize() - kFrame) : wanted);
  files_ = new SessionFiles(this, &actions_, remember_ == Remember::yes,
                            [this] { return has_kept_model() ? std::optional(session_state()) : std::nullopt; });
  panels_ = new WindowPanels(this);
  views_ = new DocumentViews(this, panels_, &selection_);
  views_->serve(&runs_);
  status_ = new StatusPanel(actions_["stop"], panels_->stage());
  panels_->stage()->set_caption(status_);
  start_ = new StartPage({panels_->stage(), panels_, views_->source_bar(), status_, &actions_, &files_->recent()});
  bar_ = new TopBar(this);
  setMenuWidget(bar_);  // from now on nobody calls menuBar(): it would make another one
  exports_ = new Exports(this, actions_, *panels_, views_->stepper(), &selection_);
  menus_.emplace(bar_->menus(), actions_, *panels_, files_->recent());
  connect_runs();
  connect_actions();
  connect_panels();
  connect_sessions();
  connect_presenter();
  connect_lessons();
  connect_finder();
  connect_lab();
  if (remember_ == Remember::yes)
    if (const auto layout = settings_.layout()) {
      restoreGeometry(layout->geometry);
      panels_->restore_state(layout->state);
      panels_->keep_front();
    }
  if (remember_ == Remember::yes) take_choices(settings_.views());
  qApp->installEventFilter(this);
  retranslate();
  update_actions();
  views_->source_bar()->source_field()->setFocus(Qt::OtherFocusReason);
}

MainWindow::~MainWindow() {
  // What runs goes before the views; nothing may reach them from now on. What is saved is saved while all is there.
  ending_.begin();
  runs_.disconnect(this);
  runs_.stop_all();
  delete std::exchange(classroom_, nullptr);
  delete std::exchange(lab_, nullptr);
  session().disconnect();
  session().undo_stack().disconnect(this);
  delete std::exchange(files_, nullptr);
}

void MainWindow::open_model(const QString& name_or_path) {
  leave_lab();
  if (is_adapter(bytes_of(name_or_path))) return ask_for_base(name_or_path);
  if (!is_only_looked_at(name_or_path)) return runs_.open_model(name_or_path);
  look_at(name_or_path);
}

// An adapter alone does not run: of the models that are known those are proposed that it fits.
void MainWindow::ask_for_base(const QString& adapter) {
  QStringList models;
  if (session().document().model) models << path_text(session().document().model->folder);
  for (const RecentFiles::Entry& entry : files_->recent().existing())
    if (entry.kind == RecentFiles::Entry::Kind::model) models << entry.path;
  for (const std::filesystem::path& model : models_in_hub_cache()) models << path_text(model);
  auto* dialog = new AdapterDialog(adapter, bases_that_fit(adapter, models), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &AdapterDialog::openWanted, this, &MainWindow::open_model);
  connect(dialog, &AdapterDialog::lookWanted, this, &MainWindow::look_at);
  dialog->open();
}

void MainWindow::look_at(const QString& name_or_path) {
  try {
    auto* browser = new TensorWindow(name_or_path, this);
    connect(browser, &TensorWindow::openWanted, this, &MainWindow::open_model);
    browser->show();
  } catch (const Error& error) {
    show_error(QString::fromUtf8(error.what()), tr("The model that was open before is still open."), false);
  }
}

void MainWindow::show_failure(QString message, bool defect) {
  status_->run_ended();
  if (const QString opened = files_->opened_path(); !opened.isEmpty())
    message = opened + QStringLiteral(": ") + message;
  files_->first_run_ended();
  emit runFailed(message);
  // The field itself says what is wrong with it.
  if (!defect && !target_problem(session().document()).isEmpty()) return;
  if (!defect && session().document().chat) return views_->source_bar()->chat()->set_problem(message);
  show_error(message,
             defect ? tr("This is a defect of Headlight, not yours. What you see below is the last good run.")
                    : tr("What you see below is the last good run. Change the text, or undo the last change (Ctrl+Z)."),
             true);
}

void MainWindow::show_document() {
  const Document& document = session().document();
  views_->show_document(document);
  show_differences();
  if (document.model && document.model != shown_model_) {
    shown_model_ = document.model;
    start_->leave();
    start_->set_model(document.model);
    selection_.set({});
    views_->show_model(*document.model);
    views_->source_bar()->set_reads([model = document.model] { return reads_text(*model); });
    from_lab_ = false;
    if (!session().is_looking() && has_kept_model()) files_->remember_model(*document.model);
    retranslate();
    views_->put_away_message();
    // Of what came from elsewhere, what it is: nobody has seen its card.
    if (document.model->text.source.kind() == TokenizerKind::other && !document.model->description.empty())
      status_->say(message_text(model_text(document.model->description)));
    if (const std::vector<std::string>& warnings = document.model->warnings; !warnings.empty())
      show_error(QString::fromStdString(warnings.front()),
                 document.model->in_file
                     ? tr("The model runs with these weights.")
                     : tr("The model runs, but what depends on these numbers is marked as missing."),
                 false);
  }
  show_set_aside();
  update_actions();
}

// While models are looked at in their list, nothing comes and goes above the picture.
void MainWindow::show_set_aside() {
  const QString text = session().is_looking() ? QString() : session().set_aside();
  const QString said = text.isEmpty() ? QString()
                                      : tr("This model reads %1. One of its examples stands here; your text is kept.")
                                            .arg(reads_text(*session().document().model));
  const QString before = std::exchange(set_aside_said_, said);
  if (said.isEmpty()) {
    if (!before.isEmpty() && views_->banner()->message() == before) views_->put_away_message();
  } else if (views_->banner()->message() != said) {
    auto* back = new QAction(tr("Back to my text"), this);
    back->setToolTip(plain_tooltip(text));
    connect(back, &QAction::triggered, &session(), [this, text] { session().set_source(text); });
    show_error(said, {}, false, back);
  }
}

void MainWindow::show_result(const std::shared_ptr<const Result>& result, bool other_model) {
  status_->run_ended();
  files_->first_run_ended();
  if (std::exchange(run_error_shown_, false)) views_->put_away_message();
  selection_.set(fitted(selection_.state(), *result));
  views_->show_result(result);
  exports_->set_result(result);
  if (wanted_selection_)
    selection_.set(selection_in(*std::exchange(wanted_selection_, std::nullopt), *result));
  else if (other_model && panels_->is_seen(QStringLiteral("inspector")))
    selection_.set(first_selection(*result));
  show_status();
  show_caption();
  show_differences();
  update_actions();
  emit resultShown(result->id);
}

void MainWindow::show_differences() {
  const Document& document = session().document();
  views_->show_differences(
      {session().running(), document.decode, target_text(document), document.interventions, result()});
}

void MainWindow::show_status() {
  if (!result()) return;
  status_->show_run(result()->seconds, note_texts(*result()), size_text(*result()));
  views_->show_probability(session().document(), *result());
}

namespace {

// Of a picture that has no such head as the chosen one of all pictures.
QString without_chosen_head(const Captioned& said, const Selection& selection) {
  const ShownAttention shown = said.attention();
  const std::optional<HeadPlace>& chosen = selection.head();
  if (!selection.is_head_wanted() || !shown.map) return {};
  const bool other = shown.map->kind != chosen->kind ||
                     (shown.head >= 0 && (shown.map->layer != chosen->layer || shown.head != chosen->head));
  if (!other) return {};
  return ' ' + MainWindow::tr("The chosen head, %1 (%2), is not in this picture; it stays chosen.")
                   .arg(head_place(*chosen), kind_name(chosen->kind));
}

}  // namespace

// What the picture in front shows, and what one can do with it.
void MainWindow::show_caption() {
  const QString front = panels_->front();
  const auto* said = dynamic_cast<const Captioned*>(panels_->picture(front).view);
  const auto or_else = [](const QString& text, const char* other) {
    return text.isEmpty() ? translated_view_text(other) : text;
  };
  for (const ViewRow& row : view_table())
    if (front == QLatin1String(row.name))
      status_->set_caption(or_else(said ? said->caption() : QString(), row.help) +
                               (said ? without_chosen_head(*said, selection_) : QString()),
                           or_else(said ? said->what_to_do(selection_.changing()) : QString(), row.todo));
  status_->set_key(said ? said->colour_key() : ColourKey{});
}

void MainWindow::show_ways() {
  QStringList names, tooltips;
  const QStringList all = panels_->arrangements();
  for (const QString& name : all) {
    const bool ours = all.indexOf(name) < static_cast<qsizetype>(Arrangements::kNames.size());
    QAction* action = ours ? actions_[qPrintable(name)] : nullptr;
    names << (action ? action->iconText() : QString(name).replace('&', QStringLiteral("&&")));
    tooltips << (action ? action->toolTip() : tr("An arrangement of yours"));
    if (action) action->setChecked(name == panels_->arrangement());
  }
  bar_->set_ways(names, tooltips, static_cast<int>(all.indexOf(panels_->arrangement())));
}

// The number that is chosen, at the side. By a click: not once more after a person closed it.
void MainWindow::open_number(bool asked_for) {
  const SelectionState& state = selection_.state();
  if (!result() || !state.entry || !state.cell || (number_closed_ && !asked_for)) return;
  if (!asked_for && panels_->is_seen(QStringLiteral("differences"))) return;  // a click begins a change there
  if (classroom_->asks()) return;                                             // a click is an answer
  if (presentation_->is_active()) return;  // the stage is for what the room is to see
  number_closed_ = false;
  if (panels_->is_out(QStringLiteral("inspector")) || panels_->is_seen(QStringLiteral("inspector"))) return;
  panels_->raise(QStringLiteral("inspector"));
  number_opened_ = true;
}

// Of the choice, and of *This number* where a click on the picture brought it: the picture has its room again.
bool MainWindow::let_go() {
  if (selection_.state() == SelectionState{}) return false;
  if (panels_->is_seen(QStringLiteral("explain"))) return false;  // it always explains an output
  const bool opened = std::exchange(number_opened_, false) && panels_->is_seen(QStringLiteral("inspector"));
  selection_.set({});
  if (opened) panels_->put_away(QStringLiteral("inspector"));
  return true;
}

void MainWindow::show_error(const QString& what, const QString& advice, bool of_run, QAction* action) {
  if (is_in_lab() && !of_run) return lab_->say(what, advice, action);
  run_error_shown_ = of_run;
  views_->say(what, advice, action);
}

void MainWindow::keep_variant() {
  if (!result()) return;
  ask_for_text(this, {tr("Keep to compare"), tr("Its name:"), shown_text(result()->output).left(24)},
               [this](const QString& name) { keep_as(name.trimmed().left(40)); });
}

void MainWindow::keep_as(const QString& name) {
  if (name.isEmpty()) return;
  const auto keep = [this, name] {
    views_->compare()->keep(name);
    status_->say(message_text(tr("Kept as ‘%1’: Compare (Ctrl+4) puts it beside what you do next").arg(name)));
  };
  const auto& kept = views_->compare()->variants();
  if (kept.size() < CompareView::kMostVariants) return keep();
  ask_to_lose(this,
              {tr("At most %1 runs are kept to compare. Let the oldest go? It cannot be brought back.")
                   .arg(CompareView::kMostVariants),
               kept.front().name, tr("&Let it go")},
              keep);
}

void MainWindow::show_about() {
  tell(this,
       tr("Headlight %1\n\nRuns attention models step by step and shows every number of them.\n\nFree "
          "software under the GNU General Public License, version 3 or later.")
           .arg(QString::fromUtf8(kVersion)),
       tr("About Headlight"));
}

void MainWindow::show_help(bool shown) {
  if (!shown) return panels_->put_away(QStringLiteral("help"));
  panels_->raise(QStringLiteral("help"));
  views_->explain({}, {});
}

// What somebody points at: what it is, and the panel that it belongs to.
void MainWindow::explain(const QWidget& widget) {
  QString panel, pointed;
  const auto look_in = [&](std::span<const ViewRow> rows) {
    for (const ViewRow& row : rows)
      if (const PanelFrame* frame = panels_->frame(QString::fromUtf8(row.name)); frame && frame->isAncestorOf(&widget))
        panel = QString::fromUtf8(row.name);
  };
  look_in(view_table());
  look_in(number_panels());
  for (const QWidget* at = &widget; at && pointed.isEmpty() && !at->isWindow(); at = at->parentWidget())
    pointed = QTextDocumentFragment::fromHtml(at->toolTip()).toPlainText();
  if (panel == QLatin1String("help")) panel.clear();
  panels_->raise(QStringLiteral("help"));
  views_->explain(panel, pointed);
}

void MainWindow::update_actions() {
  actions_["undo"]->setEnabled(session().undo_stack().canUndo());
  actions_["redo"]->setEnabled(session().undo_stack().canRedo());
  actions_["reset"]->setEnabled(session().has_differences());
  actions_["show_table"]->setEnabled((result() != nullptr || is_in_lab()) && !withheld_);
  // Of attention that was stored nothing was computed here, and nothing can be changed.
  for (const char* name : {"explain", "change"})
    actions_[name]->setEnabled((!shown_model_ || !shown_model_->stored) && !covered_);
}

void MainWindow::cover(bool covered, bool withheld) {
  const bool other = std::exchange(withheld_, withheld) != withheld;
  if (std::exchange(covered_, covered) == covered && !other) return;
  for (const char* id : {"hint", "whats_this", "compare", "beside", "below", "take_out"})
    actions_[id]->setEnabled(!covered);
  exports_->set_covered(withheld);
  if (covered && finder_) finder_->close();
  if (withheld)
    for (PanelHost* each : panels_->stage()->findChildren<PanelHost*>()) each->close_table();
  update_actions();
}

void MainWindow::retranslate() {
  show_title();
  actions_.retranslate();
  menus_->retranslate();  // before the bar makes room for them
  views_->retranslate();
  status_->retranslate();
  if (lessons_) {
    lessons_->refresh();
    start_->set_lessons(lessons_);
  }
  start_->retranslate();
  show_ways();
  show_caption();
  show_status();
  views_->show_target_problem(session().document());
}

void MainWindow::offer_left_behind() { files_->offer_left_behind(!views_->banner()->message().isEmpty()); }

SessionState MainWindow::session_state() const {
  const Document& document = runs_.session().document();
  SessionState state;
  const QString folder = path_text(document.model->folder);
  state.model = {
      QString::fromStdString(document.model->name), folder, {}, known_model_hash(folder).value_or(QByteArray())};
  state.inputs() = document.inputs();
  state.settings = document.settings;
  if (result() && result()->trace) state.selection = named_selection(selection_.state(), *result());
  state.layout = {saveGeometry(), panels_->save_state()};
  if (const auto kept = presentation_ ? presentation_->presenter()->kept() : std::nullopt) state.layout = *kept;
  state.views = choices();
  if (const auto& variants = views_->compare()->variants(); !variants.empty())
    state.views[QStringLiteral("variants")] = written_variants(variants);
  return state;
}

QVariantMap MainWindow::choices() const {
  QVariantMap all = views_->choices();
  all[QStringLiteral("whole_words")] = selection_.whole_words();
  if (lab_) {
    QVariantMap lab = lab_->choices();
    lab[kLabInFront] = is_in_lab();
    all[QStringLiteral("lab")] = lab;
  }
  if (labs_) all[QStringLiteral("lab")] = *labs_;
  return all;
}

void MainWindow::take_choices(const QVariantMap& choices) {
  selection_.set_whole_words(choices.value(QStringLiteral("whole_words")).toBool());
  views_->set_choices(choices);
  const QVariantMap lab = choices.value(QStringLiteral("lab")).toMap();
  if (lab_)
    lab_->set_choices(lab);
  else if (!lab.isEmpty())
    labs_ = lab;
}

void MainWindow::take_session(const OpenedSession& opened) {
  const SessionState& state = opened.state;
  presentation_->presenter()->stop();  // its window is another one
  Document document{state.inputs(), opened.model, state.settings};
  QString notice = opened.notice;
  try {
    variant(document.model, *document.settings);
  } catch (const Error& error) {
    document.settings = {};
    notice = QString::fromUtf8(error.what());
  }
  take_choices(state.views);
  wanted_selection_ = state.selection;
  shown_model_.reset();  // also the model that is open already is a new beginning
  session().start(std::move(document));
  views_->compare()->set_variants(
      read_variants(state.views.value(QStringLiteral("variants")).toList(), session().document().model));
  if (!state.layout.geometry.isEmpty()) restoreGeometry(state.layout.geometry);
  if (!state.layout.state.isEmpty()) panels_->restore_session(state.layout.state);
  if (!notice.isEmpty()) show_error(notice, tr("Everything else is as it was."), false);
  if (files_->may_offer()) offer_left_behind();
  if (state.views.value(QStringLiteral("lab")).toMap().value(kLabInFront).toBool()) open_lab();
}

// Another model beside the one that runs; its weights are read when it does.
void MainWindow::open_to_compare() {
  ask_what_to_open(this, tr("Open a model to compare with"), [this](const QString& path) { compare_with(path); });
}

void MainWindow::compare_with(const QString& path) {
  const Dropped chosen = classify_file(path);
  if (chosen.kind != Dropped::Kind::model || is_lesson(bytes_of(chosen.path)))
    return show_error(tr("%1 is no model.").arg(message_text(path)), tr("Choose the folder of a model."), false);
  try {
    views_->compare()->add_opened({describe_model(bytes_of(chosen.path))});
    views_->compare()->set_reference_model(chosen.path);
  } catch (const Error& error) {
    show_error(QString::fromUtf8(error.what()), tr("Choose another model."), false);
  }
}

void MainWindow::open_lecture(const QString& path) {
  start_->leave();
  leave_lab();
  lecture_->open(path);
}

void MainWindow::open_lesson(const QString& name_or_folder, int step) {
  start_->leave();
  leave_lab();
  classroom_->open(name_or_folder, step);
}

}  // namespace headlight
