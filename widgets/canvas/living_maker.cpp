#include "widgets/canvas/living_maker.h"

#include <exception>

#include "widgets/canvas/analysed_run.h"

namespace headlight {

namespace {
constexpr int kLong = 48;       // lanes
constexpr int kPatience = 500;  // milliseconds
}  // namespace

LivingMaker::LivingMaker(QObject* parent) : QObject(parent) {
  patience_.setSingleShot(true);
  patience_.setInterval(kPatience);
  connect(&patience_, &QTimer::timeout, this, [this] {
    late_ = true;
    emit late();
  });
}

LivingMaker::~LivingMaker() {
  cancel_.cancel();
  queue_.clear();
  queue_.wait();
}

bool LivingMaker::is_long(const AnalysedRun& run) {
  return run.result()->tokens.size() + run.result()->steps.size() > kLong;
}

void LivingMaker::start(std::shared_ptr<const AnalysedRun> run, Work work) {
  const quint64 number = ++newest_;
  queue_.clear();
  // The same run again (another look of it) goes on with what there is.
  if (of_.lock() != run) {
    cancel_.cancel();
    cancel_ = CancelToken::make();
    of_ = run;
  }
  if (!busy_) {
    late_ = false;
    patience_.start();
  }
  busy_ = true;
  queue_.start([this, number, cancel = cancel_, run = std::move(run), work = std::move(work)] {
    Done done;
    try {
      done = work(run->living(cancel), cancel);
    } catch (const std::exception&) {  // cancelled, or no memory for it: what is there stays
    }
    QMetaObject::invokeMethod(
        this,
        [this, number, done] {
          if (number != newest_) return;
          stop();
          if (done) done();
        },
        Qt::QueuedConnection);
  });
}

void LivingMaker::stop() {
  ++newest_;
  queue_.clear();
  cancel_.cancel();
  of_.reset();
  patience_.stop();
  busy_ = late_ = false;
}

}  // namespace headlight
