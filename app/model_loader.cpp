// Each load waits, in its own thread, for the one before it, which is cancelled.

#include "app/model_loader.h"

#include <QMetaObject>
#include <utility>

#include "model/io/model_folder.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

ModelLoader::~ModelLoader() {
  blockSignals(true);
  cancel_.cancel();
  if (thread_.joinable()) thread_.join();
}

void ModelLoader::load(const QString& name_or_folder) {
  const std::uint64_t id = ++newest_;
  busy_ = true;
  cancel_.cancel();
  cancel_ = CancelToken::make();
  thread_ = std::thread(
      [this, id, cancel = cancel_, name = bytes_of(name_or_folder), previous = std::move(thread_)]() mutable {
        if (previous.joinable()) previous.join();
        Outcome outcome;
        outcome.id = id;
        try {
          outcome.model = load_model(name, {{}, cancel});
        } catch (const std::exception& error) {
          outcome.problem = QString::fromUtf8(error.what());
        }
        {
          const std::lock_guard lock(mutex_);
          outcome_ = std::move(outcome);
        }
        QMetaObject::invokeMethod(this, "deliver", Qt::QueuedConnection);
      });
}

void ModelLoader::deliver() {
  Outcome outcome;
  {
    const std::lock_guard lock(mutex_);
    std::swap(outcome, outcome_);
  }
  if (outcome.id != newest_) return;
  busy_ = false;
  if (outcome.model)
    emit loaded(outcome.model);
  else
    emit failed(outcome.problem);
}

}  // namespace headlight
