// The rules of a mapping file: how tensors of somebody's state dict become our parameters (docs/formats.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/core/tensor.h"
#include "model/io/json_file.h"
#include "model/io/tensor_file.h"

namespace headlight {

inline constexpr const char* kMappingFormat = "headlight-mapping-1";
inline constexpr std::uint64_t kMaxMapping = 4u << 20;

// Throws FormatError unless "model", "tensors" and, where they are there, "modules" are objects.
void check_objects(const Settings& settings, const Json& mapping);

// The tensors of a file of weights, whatever its format. Throws FileError and FormatError.
std::shared_ptr<const TensorFile> mapped_weights(const std::filesystem::path& file);

class MappingRules {
 public:
  // `rules` is the mapping, whose "tensors" and "modules" are objects; `where` stands in front of errors. Keeps both.
  MappingRules(const TensorFile& file, const Json& rules, std::string where, CancelToken cancel = {});

  // The parameter of this name, as it is wanted. Throws FormatError where no rule makes it, or one cannot be followed,
  // BudgetError for one that reads much more than it makes, and Cancelled.
  Tensor make(const std::string& parameter, const Shape& wanted);
  // What the rules make the parameter of, as NumPy writes it; see ModelBundle::in_file.
  std::string said(const std::string& parameter) const;
  // Throws FormatError for a tensor that no rule has used and "ignored" does not name.
  void check_all_used() const;
  // Rows of a tensor that is mapped as it is; for the size of a vocabulary.
  std::optional<std::uint64_t> rows_of(const std::string& parameter);

 private:
  [[noreturn]] void fail(const std::string& parameter, const std::string& what) const;
  std::optional<std::size_t> place_of(const std::string& name) const;
  std::size_t find(const std::string& name);
  bool has(const std::string& name) const;
  Tensor load(const std::string& name);

  // How much a rule reads, without reading it.
  double bytes_of(const Json& rule, const std::string& number, int depth) const;
  void check_budget(const Json& rule, const std::string& number, const std::string& parameter);
  // One rule: the name of a tensor, or an operation on others.
  Tensor value(const Json& rule, const std::string& number, const std::string& parameter, int depth);
  void check_matrix(const Tensor& x, const std::string& parameter) const;
  Tensor columns(const Tensor& x, Index begin, Index end, const std::string& parameter) const;
  Tensor rows(const Tensor& x, Index begin, Index end, const std::string& parameter) const;
  Tensor concat(const std::vector<Tensor>& parts, const std::string& parameter) const;

  // Cells of torch.nn: {"decoder": {"module": "nn.GRU", "from": "decoder.rnn", "suffix": "_l0",
  // "columns": {"gru.Wx": [[0, 10]], ...}}}
  std::optional<Tensor> from_module(const std::string& place, const Json& rule, const std::string& parameter);
  Tensor by_gates(const Tensor& x, const std::vector<Index>& order, std::size_t first, std::size_t last,
                  const std::string& parameter) const;

  std::string full_name(const std::string& name) const;
  std::string said(const Json& rule, const std::string& number, int depth) const;
  std::optional<std::string> said_of_module(const std::string& place, const Json& rule,
                                            const std::string& parameter) const;

  const TensorFile& file_;
  const Json& rules_;
  std::string where_;
  std::unordered_map<std::string, std::size_t> by_name_, by_plain_name_;
  std::set<std::size_t> used_;
  std::string front_;  // in front of all names of the model
  Shape wanted_;       // of the parameter that is being made
  double read_ = 0;    // bytes, by all rules so far
  CancelToken cancel_;
};

}  // namespace headlight
