// Opens models off the GUI thread; of several, only the newest is delivered.
#pragma once

#include <QObject>
#include <memory>
#include <mutex>
#include <thread>

#include "model/io/model_folder.h"

namespace headlight {

class ModelLoader : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  ~ModelLoader() override;
  void load(const QString& name_or_folder);
  bool busy() const { return busy_; }

 signals:
  void loaded(std::shared_ptr<const headlight::ModelBundle> model);
  void failed(const QString& message);

 private:
  struct Outcome {
    std::uint64_t id = 0;
    std::shared_ptr<const ModelBundle> model;
    QString problem;
  };
  Q_INVOKABLE void deliver();

  std::uint64_t newest_ = 0;
  bool busy_ = false;
  CancelToken cancel_;  // of the newest load
  std::mutex mutex_;
  Outcome outcome_;  // of the newest load that is done
  std::thread thread_;
};

}  // namespace headlight
