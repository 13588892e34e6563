// Opens models off the GUI thread; of several, only the newest is delivered.
#pragma once

#include <QObject>
#include <memory>

#include "app/jobs/latest.h"
#include "model/io/model_folder.h"

namespace headlight {

class ModelLoader : public QObject {
  Q_OBJECT
 public:
  explicit ModelLoader(QObject* parent = nullptr);
  void load(const QString& name_or_folder);
  bool busy() const { return latest_.busy(); }

 signals:
  void loaded(std::shared_ptr<const headlight::ModelBundle> model);
  void failed(const QString& message);

 private:
  Latest<std::shared_ptr<const ModelBundle>> latest_;
};

}  // namespace headlight
