// What a model of another library will be: its settings, which of its tensors are ours and what stands on top, checked
// before any large weight is read. Who only asks whether a folder runs asks the same.
#pragma once

#include <memory>
#include <string>

#include "model/io/formats/families/generation.h"
#include "model/io/formats/families/top.h"
#include "model/models/model.h"

namespace headlight {

struct PretrainedPlan {
  // `where` stands in front of every message. Throws FormatError for what does not run, and for tensors that are
  // missing, too many, or of another shape.
  // `adapted`: the file is what an adapter makes of a base.
  PretrainedPlan(const Json& config, const Json& generation, const TensorFile& file, std::string where,
                 const CancelToken& cancel, bool adapted = false);

  Json config;    // with the names that its family has
  Json settings;  // ours
  std::unique_ptr<families::Weights> weights;
  std::unique_ptr<Model> shapes;  // without numbers
  Index head_size = 0;
  bool predicts = false;     // it has an output layer
  bool pretraining = false;  // and a second one, of its training
  families::OnTop top;
  families::Generation generation;

 private:
  void read_settings(const families::Family& family, const TensorFile& file, const CancelToken& cancel, bool adapted);

  std::string where_;
};

}  // namespace headlight
