// Document -> request -> result: runs the document after each of its changes, and keeps the last good result.
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "app/document/session.h"
#include "app/jobs/model_loader.h"
#include "app/jobs/run_worker.h"
#include "app/jobs/side_runs.h"

namespace headlight {

class RunController : public QObject {
  Q_OBJECT
 public:
  explicit RunController(RunWorker::Runner runner = run, ModelLoader::Loader loader = ModelLoader::open,
                         QObject* parent = nullptr);

  Session& session() { return session_; }
  const Session& session() const { return session_; }
  RunWorker& worker() { return worker_; }
  SideRuns& side_runs() { return side_runs_; }
  // The last good result; null before the first.
  std::shared_ptr<const Result> result() const { return result_; }

  // Puts this model into the document when it is loaded.
  void open_model(const QString& name_or_folder);
  // Shows it until another one is looked at, one is opened, or what was there before is wanted again.
  void look_at_model(const QString& folder);
  void look_back();
  // What of a run is looked at; nothing: everything. A long text keeps no more than that, and is run again as soon as
  // something else is looked at.
  void set_shown(std::optional<Capture> shown);
  void stop();
  void stop_all();  // loading and side runs, too

 signals:
  void loading(bool begins);  // of a model; false: it is there, or it will not come
  void changed();             // the document; its run has not begun
  void started();
  void progress(double fraction);
  void read(std::shared_ptr<const headlight::Result> text);  // before its run, see RunWorker
  void wrote(const QString& text);                           // so far, the same
  void stopped();
  // `other_model`: than that of the result before.
  void finished(std::shared_ptr<const headlight::Result> result, bool other_model);
  // The result before stays. `defect`: our own fault, not the user's.
  void failed(const QString& message, bool defect);
  void modelFailed(const QString& message);  // the model before stays open

 private:
  void load(const QString& name_or_folder);
  void run_document();
  void submit();
  void take(const std::shared_ptr<const Result>& result);

  Session session_;
  RunWorker worker_;
  ModelLoader loader_;
  SideRuns side_runs_;
  std::shared_ptr<const Result> result_;
  std::optional<Capture> shown_;
  bool looked_enough_ = false;  // the model that is on its way stays
};

}  // namespace headlight
