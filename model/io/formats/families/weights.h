// Tensors of a file by the names of a family, and how they become the parameters of our model.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "model/core/cancel.h"
#include "model/io/formats/families/weight_parts.h"
#include "model/io/tensor_file.h"
#include "model/layers/parameters.h"

namespace headlight::families {

// The tensors of a file by the names that they have behind their prefix, and which of them were used.
class Weights {
 public:
  // Throws FormatError for tensors of one name that are not the same, and for two models in one file.
  Weights(const TensorFile& file, const Family& family, const Json& config, const std::string& where);

  // What the library ties (the table of embeddings, its copies, the output layer, its bias) and the file has with
  // different numbers is taken as the library takes it: each by itself. Changes "tie" of our settings, which are kept:
  // the others need them. `predicts`: whether there is an output layer.
  void settle(Json& settings, bool predicts, const CancelToken& cancel);
  // What a person has to know of it: a sentence each.
  const std::vector<std::string>& notes() const { return notes_; }

  bool has(const std::string& name) const;
  // Whether the file has any tensor that becomes this parameter.
  bool has_for(const std::string& parameter) const;
  Tensor take(const std::string& name);

  // The file is what an adapter makes of a base: what it changes is no fault, and of biases that it adds to a base
  // without them those that it lacks are 0. Changes the settings; comes before settle().
  void settle_adapted(Json& settings);

  // Throws FormatError unless every parameter has a tensor that becomes it; takes no memory.
  void check_complete(const ParameterTable& shapes, Index head_size);
  // Bytes that read() will take.
  double memory_for(const ParameterTable& shapes) const;
  // All parameters of these shapes, large matrices of half precision as they are; a head has `head_size` columns.
  // Throws FormatError for another shape than config.json says, FileError and Cancelled.
  ParameterTable read(const ParameterTable& shapes, Index head_size, const CancelToken& cancel);
  // The same of those that come of these tensors, their numbers from another file with the same tensors.
  ParameterTable read_again(const TensorFile& file, const std::function<bool(std::size_t)>& wanted,
                            const ParameterTable& shapes, Index head_size, const CancelToken& cancel) const;
  // What became of the file's tensors, as NumPy writes it: by our name of each parameter, and of what take() was asked
  // for as the file has it. See ModelBundle::in_file.
  const std::map<std::string, std::string>& said() const { return said_; }
  const TensorFile& file() const { return file_; }  // its tensors of all experts are one for each
  // The name without what stands in front of it in files of the family.
  std::string as_named(std::string_view name) const;
  std::optional<std::size_t> find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::nullopt : std::optional(found->second);
  }
  const std::string& front() const { return front_; }
  std::string full_name(const std::string& name) const { return file_.tensors()[by_name_.at(name)].name; }

  // Whether this tensor is of a head that the family may have, or of the pooled vector.
  bool on_top(const std::string& name) const;
  // Throws FormatError for a tensor that nobody has asked for. Where the architecture is known, what else its family
  // puts on top is no fault: published models keep the heads of their training.
  void check_all_used(bool known_architecture) const;

 private:
  std::string in_file(const std::string& theirs, const std::string& number) const;
  bool is_left_out(const std::string& parameter, const std::string& theirs) const;
  Tensor read_one(const TensorFile& file, const Parameter& parameter, const Name& name, std::size_t i, Index head_size,
                  const CancelToken& cancel) const;
  const Name* source_of(const std::string& parameter, std::string& theirs) const;
  // Of tensors "norms.*.weight" that become rows of one: their places in the file. Throws FormatError for what is
  // missing or of another size.
  std::vector<std::size_t> stacked(const std::string& theirs, const Shape& wanted) const;
  // What of this tensor becomes a parameter of shape `wanted`; throws FormatError for another shape or type.
  Part part_for(const TensorEntry& entry, How how, const Shape& wanted, Index head_size) const;
  std::vector<std::string> there(const std::string& parameter) const;
  bool same(const std::string& a, const std::string& b, const CancelToken& cancel) const;
  std::string quoted(const std::string& name) const;
  void note_beside();
  void settle_bias(const CancelToken& cancel);
  void settle_positions(Json& settings);
  void settle_frequencies(Json& settings);
  void name_all();

  std::shared_ptr<const TensorFile> split_;  // see split_file.h; null: nothing is split
  const TensorFile& file_;
  const Family& family_;
  std::string where_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::string front_;                   // of all names; what does not have it is not of the model
  std::vector<std::string> plain_;      // names of all tensors, see state_dict.h
  std::map<std::string, Name> tables_;  // parameters that are tied, and what they are here
  std::vector<std::string> notes_;
  bool adapted_ = false;
  bool untied_output_ = false;  // as config.json has it
  std::set<std::size_t> used_;
  std::map<std::string, std::string> said_;
  std::set<std::string> zero_;  // ends of the names of parameters that are 0 where the file lacks them
  std::set<Index> own_;         // layers with parameters of their own; empty: all
  Index group_ = 1;
  Index layers_ = 0;  // of further_layers; 0: all that are there
};

}  // namespace headlight::families
