// Each load waits, in its own thread, for the one before it.

#include "app/model_loader.h"

#include <QMetaObject>
#include <functional>

namespace headlight {

ModelLoader::~ModelLoader() {
  blockSignals(true);
  if (thread_.joinable()) thread_.join();
}

void ModelLoader::load(const QString& name_or_folder) {
  const std::uint64_t id = ++newest_;
  busy_ = true;
  const auto deliver = [this, id](std::function<void()> what) {
    const auto receive = [this, id, what = std::move(what)] {
      if (id != newest_) return;
      busy_ = false;
      what();
    };
    QMetaObject::invokeMethod(this, receive, Qt::QueuedConnection);
  };
  thread_ = std::thread([this, deliver, name = name_or_folder.toStdString(), previous = std::move(thread_)]() mutable {
    if (previous.joinable()) previous.join();
    try {
      auto model = load_model(name);
      deliver([this, model] { emit loaded(model); });
    } catch (const std::exception& error) {
      deliver([this, text = QString::fromUtf8(error.what())] { emit failed(text); });
    }
  });
}

}  // namespace headlight
