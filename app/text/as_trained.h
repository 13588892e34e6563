// What the run would be without what the person changed: computed beside it, only while something is changed.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "model/decode/run.h"
#include "model/models/description.h"

namespace headlight {

class AsTrained : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  // The newest run. Its unchanged one is kept while only the changes are others.
  void follow(const std::shared_ptr<const Result>& newest);
  // Null: nothing is changed, or it is not there yet.
  std::shared_ptr<const Result> result() const { return changed_ ? unchanged_ : nullptr; }

  // Of SideRuns::serve().
  void set_run(int index, std::shared_ptr<const Result> result);
  void set_run_failed(int, const QString&) { asked_.reset(); }
  void set_models(const std::vector<ModelDescription>&) {}

 signals:
  void runsWanted(const std::vector<headlight::Request>& requests);
  void arrived();  // result() is another one

 private:
  std::shared_ptr<const Result> unchanged_;
  std::optional<Request> asked_;
  bool changed_ = false;
};

}  // namespace headlight
