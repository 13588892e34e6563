// One worker thread with room for one waiting request: typing faster than the model runs never makes a queue.

#include "app/compute_job.h"

#include <QMetaObject>
#include <new>
#include <utility>

namespace headlight {

Computer::Computer(QObject* parent, Runner runner)
    : QObject(parent), runner_(std::move(runner)), thread_([this](const std::stop_token& stop) { work(stop); }) {}

Computer::~Computer() {
  blockSignals(true);  // who listens may be half destroyed already
  stop();
  thread_.request_stop();
  thread_.join();
}

std::uint64_t Computer::submit(Request request) {
  const std::uint64_t id = ++newest_;
  busy_ = true;
  request.id = id;
  request.cancel = CancelToken::make();
  request.progress = [this, id, also = std::move(request.progress)](double fraction) {
    if (also) also(fraction);
    post(id, false, [this, fraction] { emit progress(fraction); });
  };
  {
    const std::lock_guard lock(mutex_);
    running_.cancel();
    waiting_ = std::move(request);
  }
  wake_.notify_one();
  return id;
}

void Computer::stop() {
  ++newest_;
  {
    const std::lock_guard lock(mutex_);
    running_.cancel();
    waiting_.reset();
  }
  if (std::exchange(busy_, false)) emit stopped();
}

void Computer::work(const std::stop_token& stop) {
  while (true) {
    Request request;
    {
      std::unique_lock lock(mutex_);
      if (!wake_.wait(lock, stop, [this] { return waiting_.has_value(); })) return;
      request = std::move(*waiting_);
      waiting_.reset();
      running_ = request.cancel;
    }
    execute(request);
  }
}

void Computer::execute(const Request& request) {
  const auto fail = [&](const QString& message, bool defect) {
    post(request.id, true, [this, message, defect] { emit failed(message, defect); });
  };
  try {
    auto result = std::make_shared<const Result>(runner_(request));
    post(request.id, true, [this, result] { emit finished(result); });
  } catch (const Cancelled&) {
    // Whoever cancelled knows: a newer request is on its way, or stopped() was emitted.
  } catch (const Error& error) {
    fail(QString::fromUtf8(error.what()), false);
  } catch (const std::bad_alloc&) {
    fail(tr("Not enough memory for this run. Try a shorter text."), false);
  } catch (const std::exception& error) {
    fail(QString::fromUtf8(error.what()), true);
  }
}

void Computer::post(std::uint64_t id, bool last, std::function<void()> what) {
  {
    const std::lock_guard lock(mutex_);
    deliveries_.push_back({id, last, std::move(what)});
  }
  QMetaObject::invokeMethod(this, "deliver", Qt::QueuedConnection);
}

void Computer::deliver() {
  std::vector<Delivery> arrived;
  {
    const std::lock_guard lock(mutex_);
    arrived.swap(deliveries_);
  }
  for (const Delivery& delivery : arrived) {
    if (delivery.id != newest_) continue;
    if (delivery.last) busy_ = false;
    delivery.what();
  }
}

}  // namespace headlight
