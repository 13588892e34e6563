// A queue in front of a second RunWorker, which runs one request at a time.

#include "app/jobs/side_runs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "app/settings.h"
#include "model/core/slices.h"
#include "widgets/base/utf8_text.h"

#ifdef __linux__
#include <sys/resource.h>
#endif

namespace headlight {

namespace {

constexpr int kPaintFirst = 30;  // ms: the main result is on the screen by then

// The thread that calls this gets processor time when nobody else wants it.
void give_way() {
  if (!has_threads()) return slice_behind();
#ifdef __linux__
  static thread_local const int done = setpriority(PRIO_PROCESS, 0, 15);  // on Linux, of this thread alone
  (void)done;
#endif
}

// What a run of a model costs, not what it waited for: the median of some, where they are short. Nothing else of ours
// runs meanwhile.
Result measured(const RunWorker::Runner& runner, const Request& request) {
  constexpr double kShort = 0.02;  // seconds: a longer one is not repeated
  constexpr std::size_t kRuns = 5;
  Result result = runner(request);
  std::vector<double> seconds{result.seconds};
  while (seconds.size() < kRuns && result.seconds < kShort) {
    request.cancel.check();
    seconds.push_back(runner(request).seconds);
  }
  std::ranges::nth_element(seconds, seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2));
  result.seconds = seconds[seconds.size() / 2];
  return result;
}

// Opens the model of a request that has none. Models stay open: the next keystroke needs them again.
RunWorker::Runner opening(RunWorker::Runner runner) {
  using Models = std::map<std::filesystem::path, std::shared_ptr<const ModelBundle>>;
  return [runner = std::move(runner), models = std::make_shared<Models>()](const Request& request) {
    give_way();
    if (request.model->model) return runner(request);
    std::shared_ptr<const ModelBundle>& model = (*models)[request.model->folder];
    if (!model) model = load_model(request.model->folder.string());
    request.cancel.check();
    Request opened = request;
    opened.model = model;
    return measured(runner, opened);
  };
}

}  // namespace

SideRuns::SideRuns(QObject* parent, RunWorker::Runner runner)
    : QObject(parent), worker_(nullptr, opening(std::move(runner))), listing_([this](const Listed& models) {
        listed_ = true;
        emit modelsListed(models.bundled);
        emit openedListed(models.opened);
      }) {
  start_.setSingleShot(true);
  start_.setInterval(kPaintFirst);
  connect(&start_, &QTimer::timeout, this, &SideRuns::next);
  connect(&worker_, &RunWorker::finished, this, [this](const std::shared_ptr<const Result>& result) {
    const Job job = take();
    if (job.owner) emit arrived(job.owner, job.index, result);
    next();
  });
  connect(&worker_, &RunWorker::failed, this, [this](const QString& message) {
    const Job job = take();
    if (job.owner) emit failed(job.owner, job.index, message);
    next();
  });
}

SideRuns::Job SideRuns::take() {
  Job job = std::move(*current_);
  current_.reset();
  return job;
}

void SideRuns::ask(QObject* owner, std::vector<Request> requests) {
  std::erase_if(waiting_, [owner](const Job& job) { return !job.owner || job.owner == owner; });
  if (current_ && current_->owner == owner) {
    worker_.stop();
    current_.reset();
  }
  for (std::size_t i = 0; i < requests.size(); ++i)
    waiting_.push_back({owner, static_cast<int>(i), std::move(requests[i])});
  if (!paused_ && !current_ && !waiting_.empty()) start_.start();
}

void SideRuns::pause() {
  paused_ = true;
  start_.stop();
  if (!current_) return;
  worker_.stop();
  waiting_.push_front(take());
}

void SideRuns::resume() {
  paused_ = false;
  if (!current_) start_.start();
}

void SideRuns::stop() {
  waiting_.clear();
  current_.reset();
  start_.stop();
  worker_.stop();
  listing_.stop();
}

void SideRuns::next() {
  while (!waiting_.empty() && !waiting_.front().owner) waiting_.pop_front();
  if (paused_ || current_ || waiting_.empty()) return;
  current_ = std::move(waiting_.front());
  waiting_.pop_front();
  worker_.submit(current_->request);
}

namespace {

std::vector<ModelDescription> described(const std::vector<std::filesystem::path>& folders, const CancelToken& cancel) {
  std::vector<ModelDescription> models;
  for (const std::filesystem::path& folder : folders) {
    cancel.check();
    try {
      models.push_back(describe_model(folder));
    } catch (const Error&) {
      // Opening it says what is wrong with it.
    }
  }
  return models;
}

}  // namespace

void SideRuns::list_models() {
  if (listed_ || listing_.busy()) return;
  listing_.start([](const CancelToken& cancel) {
    std::vector<std::filesystem::path> opened;
    for (const UserSettings::Recent& each : UserSettings().recent())
      if (each.kind == UserSettings::Recent::Kind::model) opened.emplace_back(bytes_of(each.path));
    return Listed{described_models(cancel), described(opened, cancel)};
  });
}

std::vector<ModelDescription> described_models(const CancelToken& cancel) {
  return described(bundled_models(), cancel);
}

}  // namespace headlight
