#include "app/jobs/run_worker.h"

#include <QCoreApplication>
#include <QThreadPool>
#include <algorithm>
#include <new>
#include <utility>

#include "app/jobs/hurry.h"
#include "model/core/clock.h"
#include "model/core/slices.h"
#include "model/decode/text_read.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

// Thousands of values and nodes of the graph: to let go of them takes as long as to paint a picture. Whoever is the
// last to have it, the person does not wait for that.
std::shared_ptr<const Result> let_go_elsewhere(Result result) {
  return {new Result(std::move(result)), [](const Result* old) {
            const bool elsewhere = has_threads() && QCoreApplication::instance();
            QThreadPool* pool = elsewhere ? QThreadPool::globalInstance() : nullptr;
            if (pool)
              pool->start([old] { delete old; });
            else
              delete old;
          }};
}

// Whether what it writes is a text that grows step by step.
bool writes_on(const Request& request) {
  const ModelBundle* bundle = request.model.get();
  return bundle && bundle->model && !bundle->stored && !bundle->on_top &&
         bundle->model->traits().kind != ModelTraits::Kind::encoder_only;
}

constexpr double kFrame = 1 / 60.;  // seconds

// Whether the tokens are worth a picture of their own, before the numbers of the run are there.
bool takes_long(const Request& request) {
  const Result* before = request.previous.get();
  return before && before->model == request.model && before->seconds > kFrame && !request.model->stored;
}

// What a run has written so far; lives on its thread. Nothing is told of runs that are done soon, and nothing oftener
// than a screen shows it.
class Written {
 public:
  void begin() { begun_ = run_clock.load()(); }
  // The text, where it is time to show it.
  std::optional<std::string> add(const OutputStep& step, const ModelBundle& bundle) {
    const bool ends = step.id == bundle.text.eos || (bundle.next_token && bundle.next_token->ends(step.id));
    if (!ends) ids_.push_back(step.id);
    const double now = run_clock.load()();
    if (ends || now - begun_ < kSoon || now - told_ < kFrame) return {};
    told_ = now;
    std::vector<TokenId> ids = ids_;
    if (bundle.model->traits().writes_reversed) std::ranges::reverse(ids);
    return bundle.text.target.join(ids);
  }

 private:
  static constexpr double kSoon = 0.1;  // seconds
  std::vector<TokenId> ids_;
  double begun_ = 0, told_ = 0;
};

}  // namespace

RunWorker::RunWorker(QObject* parent, Runner runner)
    : QObject(parent),
      runner_(std::move(runner)),
      latest_([this](const std::shared_ptr<const Result>& result) { emit finished(result); },
              [this](const QString& message, bool defect) { emit failed(message, defect); }) {}

std::uint64_t RunWorker::submit(Request request) {
  return latest_.thread().start([&](std::uint64_t id, const BackgroundThread::Report& report) {
    request.id = id;
    // To wake the window's thread takes as long as a step of a small model does, so it is not told of each.
    request.progress = [this, report, also = std::move(request.progress),
                        told = run_clock.load()()](double fraction) mutable {
      if (also) also(fraction);
      const double now = run_clock.load()();
      if (now - told < kFrame) return;
      told = now;
      report([this, fraction] { emit progress(fraction); });
    };
    const auto written = std::make_shared<Written>();
    if (writes_on(request))
      request.wrote = [this, report, written, model = request.model,
                       also = std::move(request.wrote)](const OutputStep& step) {
        if (also) also(step);
        if (const auto text = written->add(step, *model)) report([this, text = from_utf8(*text)] { emit wrote(text); });
      };
    return [this, report, delivery = latest_.delivery(), runner = runner_, written, hurry = std::make_shared<Hurry>(),
            request = std::move(request)](const CancelToken& cancel) mutable {
      request.cancel = cancel;
      written->begin();
      try {
        if (takes_long(request))
          report([this, text = std::make_shared<const Result>(read_text(request))] { emit read(text); });
        return delivery(let_go_elsewhere(runner(request)));
      } catch (const std::bad_alloc&) {
        throw UsageError(tr("Not enough memory for this run. Try a shorter text.").toStdString());
      }
    };
  });
}

void RunWorker::stop() {
  if (latest_.stop()) emit stopped();
}

}  // namespace headlight
