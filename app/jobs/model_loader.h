// Opens models off the GUI thread; of several, only the newest is delivered.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <string>

#include "app/jobs/latest.h"
#include "model/io/model_folder.h"

namespace headlight {

class ModelLoader : public QObject {
  Q_OBJECT
 public:
  using Loader =
      std::function<std::shared_ptr<const ModelBundle>(const std::string& name_or_folder, const CancelToken&)>;
  static std::shared_ptr<const ModelBundle> open(const std::string& name_or_folder, const CancelToken& cancel);

  explicit ModelLoader(Loader loader = open, QObject* parent = nullptr);
  void load(const QString& name_or_folder);
  void stop() { latest_.stop(); }
  bool busy() const { return latest_.busy(); }

 signals:
  void loaded(std::shared_ptr<const headlight::ModelBundle> model);
  void failed(const QString& message);

 private:
  Loader loader_;
  Latest<std::shared_ptr<const ModelBundle>> latest_;
};

}  // namespace headlight
