// Names in the state dicts of training programs.
// What such programs put into names is taken out here, for folders, mappings and comparisons alike.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/io/tensor_file.h"

namespace headlight {

// The names of the tensors of a file without what torch.compile, DistributedDataParallel, FSDP and others put into the
// middle of them: "layers.0._orig_mod.weight" is "layers.0.weight". What wraps the whole model stands in front of all
// names, and stays: that is a front (see below). Two that would become the same stay as they are.
std::vector<std::string> plain_names(const TensorFile& file);
// `whole`: in front, too.
std::string plain_name(const std::string& name, bool whole = false);

// With every number as "#": what a rule of all layers has in common with the name of a tensor of one.
std::string without_numbers(std::string_view name);

// "a.3.b" for "a.#.b" gives "3"; nothing when the name is no case of the pattern.
std::optional<std::string> number_in_name(const std::string& pattern, const std::string& name);

// What stands in front of the names of a model in a file: "model_state_dict.module.", "base_model.model.", or nothing.
struct NameFront {
  std::string text;
  std::size_t known = 0;  // names behind it that are known
  std::string rival;      // another front with as many, elsewhere in the file: there are two models; empty: none
};
// The shortest one behind which most of the names are known.
NameFront front_of(const std::vector<std::string>& names, const std::function<bool(std::string_view)>& known);

// What stands in front of the names of two files, so that most of them are the same behind it. One of the two is what
// training programs put there: other names are no reason to take an encoder for a decoder.
std::pair<std::string, std::string> common_fronts(const std::vector<std::string>& first,
                                                  const std::vector<std::string>& second);

}  // namespace headlight
