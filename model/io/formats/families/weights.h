// Tensors of a file by the names of a family, and how they become the parameters of our model.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "model/core/cancel.h"
#include "model/io/formats/families/weight_parts.h"
#include "model/io/tensor_file.h"
#include "model/layers/parameters.h"

namespace headlight::families {

// The tensors of a file by the names that they have behind their prefix, and which of them were used.
class Weights {
 public:
  // `settings` are ours.
  Weights(const TensorFile& file, const Family& family, const Json& config, const Json& settings,
          const std::string& where);

  bool has(const std::string& name) const { return by_name_.count(name) > 0; }
  // Whether the file has any tensor that becomes this parameter.
  bool has_for(const std::string& parameter) const;
  Tensor take(const std::string& name);

  // Throws FormatError unless every parameter has a tensor that becomes it; takes no memory.
  void check_complete(const ParameterTable& shapes, Index head_size);
  // Bytes that read() will take.
  double memory_for(const ParameterTable& shapes) const;
  // All parameters of these shapes, large matrices of half precision as they are; a head has `head_size` columns.
  // Throws FormatError for another shape than config.json says, FileError and Cancelled.
  ParameterTable read(const ParameterTable& shapes, Index head_size, const CancelToken& cancel);
  // What became of the file's tensors, as NumPy writes it: by our name of each parameter, and of what take() was asked
  // for as the file has it. See ModelBundle::in_file.
  const std::map<std::string, std::string>& said() const { return said_; }
  std::string full_name(const std::string& name) const { return file_.tensors()[by_name_.at(name)].name; }

  // Throws FormatError for a tensor that nobody has asked for. Where the architecture is known, what else its family
  // puts on top is no fault: published models keep the heads of their training.
  void check_all_used(bool known_architecture) const;

 private:
  bool on_top(const std::string& name) const;
  std::string in_file(const std::string& theirs, const std::string& number) const;
  const Name* source_of(const std::string& parameter, std::string& theirs) const;
  // What of this tensor becomes a parameter of shape `wanted`; throws FormatError for another shape or type.
  Part part_for(const TensorEntry& entry, How how, const Shape& wanted, Index head_size) const;

  const TensorFile& file_;
  const Family& family_;
  std::string where_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::set<std::size_t> used_;
  std::map<std::string, std::string> said_;
  bool untied_;
  std::set<Index> own_;  // layers with parameters of their own; empty: all
  Index group_ = 1;
};

}  // namespace headlight::families
