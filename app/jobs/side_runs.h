// Runs beside the main one, for views that compare: with another text, with other models. They wait until the window
// has painted the main result, and give way to it at the next keystroke.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <deque>
#include <optional>
#include <vector>

#include "app/jobs/run_worker.h"
#include "model/io/model_folder.h"

namespace headlight {

class SideRuns : public QObject {
  Q_OBJECT
 public:
  explicit SideRuns(QObject* parent = nullptr, RunWorker::Runner runner = run);

  // What this owner asked for before is forgotten. A request whose bundle has no model (ModelDescription::bundle) opens
  // its folder first, in the background, and keeps it.
  void ask(QObject* owner, std::vector<Request> requests);
  // Nothing runs between these two; a run that was interrupted begins anew.
  void pause();
  void resume();
  void stop();  // nothing that was asked for is wanted any more
  // Reads once what describes the bundled models and those that a person opened, in the background; modelsListed() and
  // openedListed() follow.
  void list_models();
  bool busy() const { return current_ || !waiting_.empty() || listing_.busy(); }

  // Connects a view that has runsWanted(requests), set_run(index, result), set_run_failed(index, message) and, if it
  // chooses among models, set_models(models).
  template <class View>
  void serve(View* view) {
    connect(view, &View::runsWanted, this, [this, view](const std::vector<Request>& requests) { ask(view, requests); });
    connect(this, &SideRuns::arrived, view, [view](QObject* owner, int index, std::shared_ptr<const Result> result) {
      if (owner == view) view->set_run(index, std::move(result));
    });
    connect(this, &SideRuns::failed, view, [view](QObject* owner, int index, const QString& message) {
      if (owner == view) view->set_run_failed(index, message);
    });
    if constexpr (requires(const std::vector<ModelDescription>& models) { view->set_models(models); })
      connect(this, &SideRuns::modelsListed, view,
              [view](const std::vector<ModelDescription>& models) { view->set_models(models); });
  }

 signals:
  void arrived(QObject* owner, int index, std::shared_ptr<const headlight::Result> result);
  void failed(QObject* owner, int index, const QString& message);
  void modelsListed(const std::vector<headlight::ModelDescription>& models);
  void openedListed(const std::vector<headlight::ModelDescription>& models);

 private:
  struct Listed {
    std::vector<ModelDescription> bundled, opened;
  };
  struct Job {
    QPointer<QObject> owner;
    int index = 0;
    Request request;
  };
  void next();
  Job take();

  std::deque<Job> waiting_;
  std::optional<Job> current_;
  bool paused_ = false, listed_ = false;
  QTimer start_;
  RunWorker worker_;
  Latest<Listed> listing_;
};

// All bundled models that can be read, without their weights.
std::vector<ModelDescription> described_models(const CancelToken& cancel = {});

}  // namespace headlight
