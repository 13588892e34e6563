// What a configuration says around a model of another library: names of classes, its precision, how it chooses tokens.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/io/formats/families/generation.h"
#include "model/io/tensor_file.h"
#include "model/models/bundle.h"

namespace headlight {

// Of most of the numbers of a file: "float16".
std::string precision_of(const TensorFile& file);
// id2label: {"0": "NEGATIVE", ...}; where a class has no name, its number.
std::vector<std::string> labels_of(const Json& config, Index count);
// Names of classes, which are no text of a tokenizer. `several`: those with an even number say that a text is not of a
// class, which goes without saying.
std::shared_ptr<const OtherTokenizer> tokenizer_of_labels(std::vector<std::string> labels, bool several);
// generation_config.json as the rule of a run.
std::shared_ptr<const NextToken> next_token_by(families::Generation generation);

}  // namespace headlight
