#include "app/window/session_files.h"

#include <QFileInfo>
#include <QMessageBox>
#include <utility>

#include "app/dialogs/unsaved_dialog.h"
#include "app/document/model_hash.h"
#include "app/document/run_texts.h"
#include "app/file_dialogs.h"
#include "app/reports/crash_report.h"
#include "app/reports/report_dialog.h"
#include "app/settings.h"
#include "app/window/export.h"
#include "widgets/base/ask.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr auto kVariants = "variants";

// What was changed, without what is looked at.
QByteArray work_of(SessionState state) {
  const QVariant variants = state.views.value(QLatin1String(kVariants));
  state.model.sha256.clear();  // known sooner or later
  state.layout = {};
  state.selection = {};
  state.views = variants.isNull() ? QVariantMap() : QVariantMap{{QLatin1String(kVariants), variants}};
  return write_session(state, {});
}

}  // namespace

SessionFiles::SessionFiles(QWidget* window, Actions* actions, bool remember,
                           std::function<std::optional<SessionState>()> state)
    : QObject(window),
      window_(window),
      actions_(*actions),
      remember_(remember),
      state_(std::move(state)),
      hash_([](const QByteArray&) {}) {
  connect_actions();
  connect(&opener_, &SessionOpener::opened, this, &SessionFiles::session_opened);
  connect(&opener_, &SessionOpener::failed, this, [this](const QString& problem) {
    const QString still_open = tr("What was open before is still open.");
    if (!std::exchange(left_, nullptr)) return emit message(problem, still_open);
    emit message(problem, still_open + u' ' + tr("The unsaved session is kept."), actions_["unsaved_sessions"]);
  });
  connect(&recent_, &RecentFiles::sessionChosen, this, &SessionFiles::open);
  actions_["unsaved_sessions"]->setEnabled(remember_);
  if (remember_) start_autosave();
}

SessionFiles::~SessionFiles() = default;

void SessionFiles::connect_actions() {
  const auto on = [this](const char* id, auto what) { connect(actions_[id], &QAction::triggered, this, what); };
  on("save_session", [this] { save(false); });
  on("save_session_as", [this] { save(true); });
  on("unsaved_sessions", [this] {
    auto* dialog = new UnsavedDialog(Autosave::default_folder(), window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &UnsavedDialog::openRequested, this, &SessionFiles::open_left_behind);
    dialog->open();
  });
  on("report", [this] {
    const auto state = state_();
    auto* dialog = new ReportDialog(state ? write_session(*state, {}) : QByteArray(), window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
  });
}

void SessionFiles::start_autosave() {
  autosave_ = std::make_unique<Autosave>([this] {
    const auto state = state_();
    return state ? write_session(*state, autosave_->path()) : QByteArray();
  });
  connect(autosave_.get(), &Autosave::failed, this, [this](const QString& problem) {
    emit message(problem, tr("You can go on working. Save the session yourself, or make room: it is tried again."));
  });
}

void SessionFiles::touch() {
  if (autosave_) autosave_->touch();
}

void SessionFiles::end() {
  if (autosave_ && (restored_ || !unsaved().isEmpty())) autosave_->leave_behind();
}

namespace {
QString kept_text(qsizetype count) {
  return SessionFiles::tr("Unsaved sessions that are kept: %1. Open or discard them with File, Unsaved sessions.")
      .arg(count);
}
QString not_opened_text(const QString& problem) {
  return SessionFiles::tr("What was open last could not be opened again: %1").arg(problem);
}
// Said once of each report that a crash left; empty: there is no new one.
QString report_text() {
  const auto all = crash_reports();
  const QString newest = all.empty() ? QString() : QString::fromStdString(all.front());
  UserSettings settings;
  if (newest <= settings.report()) return {};
  settings.set_report(newest);
  return SessionFiles::tr("What is known of the reason is kept: Help, Report a problem.");
}
}  // namespace

// A file whose opening ended the program is left to the user.
bool SessionFiles::restore_left_behind() {
  for (const QString& path : Autosave::left_behind()) {
    if (HeldSession::ended_program(path)) continue;
    left_ = HeldSession::take(path);
    if (!left_ || !left_->begin_opening()) continue;
    try {
      take_left_behind(open_session(path));
      return true;
    } catch (const Error& error) {
      if (left_problem_.isEmpty()) left_problem_ = QString::fromUtf8(error.what());
    }
  }
  left_.reset();
  return false;
}

void SessionFiles::offer_left_behind(bool quiet) {
  offered_ = true;
  const auto kept = Autosave::left_behind().size();
  if (quiet) return;
  if (kept == 0) {
    if (const QString report = report_text(); !report.isEmpty())
      emit message(tr("Headlight ended unexpectedly last time."), report, actions_["report"]);
    return;
  }
  const QString what =
      left_problem_.isEmpty() ? tr("Not everything of the last session is saved yet.") : not_opened_text(left_problem_);
  emit message(what, kept_text(kept), actions_["unsaved_sessions"]);
}

void SessionFiles::open(const QString& path) {
  const auto open = [this, path] { opener_.open(path); };
  if (may_leave(open)) open();
}

void SessionFiles::open_left_behind(const QString& path) {
  // What was left behind itself is set aside, not lost.
  if (!restored_ && !may_leave([this, path] { open_left_behind(path); })) return;
  left_ = HeldSession::take(path);
  if (!left_) return emit message(tr("Another window has this session."), tr("What was open before is still open."));
  left_->begin_opening();
  opener_.open(left_->path());
}

void SessionFiles::session_opened(const OpenedSession& session) {
  if (left_ && left_->path() == session.path) return take_left_behind(session);
  left_.reset();
  take(session);
}

void SessionFiles::take(const OpenedSession& session) {
  path_ = opened_path_ = session.path;
  restored_ = false;
  if (!path_.isEmpty()) recent_.add({UserSettings::Recent::Kind::session, path_, QFileInfo(path_).completeBaseName()});
  emit opened(session);
  const auto now = path_.isEmpty() ? std::nullopt : state_();
  kept_ = now ? work_of(*now) : QByteArray();
}

void SessionFiles::take_left_behind(OpenedSession session) {
  const QString path = std::exchange(session.path, {});
  const bool asked = HeldSession::was_asked(path);
  autosave_->take_over(std::move(left_), restored_);
  QStringList what = {asked ? tr("This is what was open when Headlight was asked to end.")
                            : tr("Headlight ended unexpectedly last time. This is what was open then.")};
  const QString report = report_text();
  if (!report.isEmpty()) what << report;
  if (!left_problem_.isEmpty()) what << not_opened_text(std::exchange(left_problem_, {}));
  if (!session.notice.isEmpty()) what << std::exchange(session.notice, {});
  offered_ = true;
  take(session);
  opened_path_ = path;
  restored_ = true;
  const auto kept = Autosave::left_behind().size();
  emit message(what.join(u' '), kept > 0 ? kept_text(kept) : tr("Everything else is as it was."),
               kept > 0           ? actions_["unsaved_sessions"]
               : report.isEmpty() ? nullptr
                                  : actions_["report"]);
}

void SessionFiles::first_run_ended() {
  opened_path_.clear();
  if (autosave_) autosave_->opened();
}

// A text alone is typed again, and the next start brings the last one back.
QStringList SessionFiles::unsaved() const {
  const auto state = state_();
  if (!state || work_of(*state) == kept_) return {};
  QStringList all;
  if (!state->interventions.empty()) all << tr("changes of the run: %1").arg(state->interventions.size());
  if (!state->settings.empty()) all << tr("changed settings of the model");
  if (state->target) all << tr("the output that you wrote");
  if (state->decode != DecodeSettings{}) all << tr("the way of decoding");
  if (const auto kept = state->views.value(QLatin1String(kVariants)).toList(); !kept.isEmpty())
    all << tr("runs kept to compare: %1").arg(kept.size());
  return all;
}

bool SessionFiles::may_leave(const std::function<void()>& go_on) {
  if (!remember_) return true;
  emit leaving();
  const QStringList lost = unsaved();
  if (lost.isEmpty()) return true;
  if (asked_ && asked_->isVisible()) return false;
  const auto leave = [this, go_on] {
    if (const auto state = state_()) kept_ = work_of(*state);
    go_on();
  };
  asked_ = ask_to_save(window_, tr("Save this session first? What is not saved cannot be brought back."),
                       tr("Not saved: %1").arg(lost.join(QStringLiteral(", "))),
                       [this, leave](bool save_first) { save_first ? save(false, leave) : leave(); });
  return false;
}

void SessionFiles::save(bool as, const std::function<void()>& then) {
  const std::optional<SessionState> state = state_();
  if (!state) return;
  const auto write = [this, then](const QString& path) {
    if (save_to(path) && then) then();
  };
  if (!as && !path_.isEmpty()) return write(path_);
  const QString name = suggested_name(state->source) + '.' + kSessionSuffix;
  ask_where_to_write(window_, {"export", tr("Save the session"), name, {tr("Sessions (*.%1)").arg(kSessionSuffix)}},
                     write);
}

bool SessionFiles::save_to(const QString& path) {
  std::optional<SessionState> state = state_();
  if (!state) return false;
  try {
    if (state->model.sha256.isEmpty()) state->model.sha256 = model_hash(state->model.folder);
    save_session(*state, path);
  } catch (const Error& error) {
    emit message(QString::fromUtf8(error.what()), tr("Nothing was written. Choose another place and try again."));
    return false;
  }
  path_ = path;
  kept_ = work_of(*state);
  restored_ = false;
  recent_.add({UserSettings::Recent::Kind::session, path, QFileInfo(path).completeBaseName()});
  emit saved(path);
  return true;
}

// Both need the bytes of the model, which may be large.
void SessionFiles::remember_model(const ModelBundle& model) {
  const QString folder = path_text(model.folder);
  if (!remember_ || folder.isEmpty()) return;
  recent_.add({UserSettings::Recent::Kind::model, folder, model_text(model.title.empty() ? model.name : model.title)});
  // A folder that has gone fails, and nobody is told: a session of it is saved without the hash.
  hash_.start([folder](const CancelToken&) { return model_hash(folder); });
}

}  // namespace headlight
