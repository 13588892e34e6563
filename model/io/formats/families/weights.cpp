#include "model/io/formats/families/weights.h"

#include <algorithm>
#include <map>

#include "model/core/errors.h"
#include "model/io/tensor_values.h"

namespace headlight::families {

namespace {

// One tensor of the file in float32.
Tensor floats(const TensorFile& file, std::size_t i, const std::string& where) {
  const TensorEntry& entry = file.tensors()[i];
  const std::string at = where + ": tensor \"" + entry.name + "\": ";
  if (!has_fractions(entry))
    throw FormatError(at + "expected weights of type F16, BF16, F32 or F64, found " + entry.dtype);
  if (entry.shape.size() > 2) throw FormatError(at + "expected at most 2 dimensions, found " + shape_text(entry.shape));
  return numbers_of(file, i, where);
}

// "a.3.b" for "a.#.b" gives 3; nothing when the name is no case of the pattern.
bool matches(const std::string& pattern, const std::string& name, std::string& number) {
  const std::size_t at = pattern.find('#');
  if (at == std::string::npos) return pattern == name;
  const std::size_t behind = pattern.size() - at - 1;
  if (name.size() < pattern.size() || name.compare(0, at, pattern, 0, at) != 0 ||
      name.compare(name.size() - behind, behind, pattern, at + 1, behind) != 0)
    return false;
  number = name.substr(at, name.size() - at - behind);
  return number.find_first_not_of("0123456789") == std::string::npos;
}

std::string numbered(std::string pattern, char mark, const std::string& number) {
  if (const std::size_t at = pattern.find(mark); at != std::string::npos) pattern.replace(at, 1, number);
  return pattern;
}

Tensor transposed(const Tensor& x) {
  Tensor y({x.columns(), x.rows()});
  y.matrix() = x.matrix().transpose();
  return y;
}

Tensor columns_of(const Tensor& x, Index begin, Index count) {
  Tensor part(x.rank() == 1 ? Shape{count} : Shape{x.rows(), count});
  part.matrix() = x.matrix().middleCols(begin, count);
  return part;
}

// As a parameter of shape `wanted`, where the shapes allow it; else some other shape, which the caller refuses. What
// lies between the first and the last part is the middle one, as wide as the last.
Tensor converted(const Tensor& theirs, How how, const Shape& wanted, Index head_size) {
  if (how == How::copied) return theirs;
  if (how == How::flattened) return theirs.rows() == 1 ? theirs.view(0, {theirs.size()}) : theirs;
  if (how == How::plus_one) {
    Tensor ours = theirs.clone();
    ours.array() += Scalar(1);
    return ours;
  }
  if (how == How::transposed) return theirs.rank() == 2 ? transposed(theirs) : theirs;
  const bool of_heads = how >= How::first_of_heads;
  const Tensor x = how >= How::first_rows && theirs.rank() == 2 ? transposed(theirs) : theirs;
  const Index total = x.columns(), count = wanted.last();
  const Index which = (static_cast<Index>(how) - static_cast<Index>(How::first)) % 3;  // first, middle or last
  if (of_heads) {
    if (total != 3 * count || count % head_size != 0) return x;
    Tensor ours(x.rank() == 1 ? Shape{count} : Shape{x.rows(), count});
    for (Index h = 0; h < count / head_size; ++h)
      ours.matrix().middleCols(h * head_size, head_size) =
          x.matrix().middleCols((3 * h + which) * head_size, head_size);
    return ours;
  }
  const Index begin = which == 0 ? 0 : total - (which == 1 ? 2 : 1) * count;
  if (count > total || begin < 0) return x;
  return columns_of(x, begin, count);
}

}  // namespace

Weights::Weights(const TensorFile& file, const Family& family, const Json& config, const Json& settings,
                 const std::string& where)
    : file_(file), family_(family), where_(where), untied_(settings.at("tie") == "none") {
  if (const auto shared = settings.find("shared_layers"); shared != settings.end())
    for (const Json& layer : *shared) own_.insert(layer.get<Index>());
  if (!family.group_key.empty()) group_ = std::max<Index>(1, whole(config, family.group_key.c_str(), 1));
  for (std::size_t i = 0; i < file.tensors().size(); ++i) {
    std::string name = file.tensors()[i].name;
    for (const std::string& prefix : family.prefixes)
      if (name.starts_with(prefix)) {
        name = name.substr(prefix.size());
        break;
      }
    // Names of before 2019.
    for (const auto& [old, now] :
         {std::pair("LayerNorm.gamma", "LayerNorm.weight"), {"LayerNorm.beta", "LayerNorm.bias"}})
      if (name.ends_with(old)) name.replace(name.size() - std::string_view(old).size(), std::string::npos, now);
    by_name_.emplace(std::move(name), i);
  }
}

// Layers are counted by those that have parameters of their own, and in groups.
std::string Weights::in_file(const std::string& theirs, const std::string& number) const {
  if (number.empty() || number.size() > 6) return theirs;
  Index layer = std::stol(number);
  if (!own_.empty()) layer = std::distance(own_.begin(), own_.lower_bound(layer));
  return numbered(numbered(theirs, '#', std::to_string(layer / group_)), '%', std::to_string(layer % group_));
}

// The first of the names that is in the file, else the first.
const Name* Weights::source_of(const std::string& parameter, std::string& theirs) const {
  const Name* first = nullptr;
  for (const Name& name : family_.names.all) {
    std::string number;
    if ((name.untied && !untied_) || !matches(name.ours, parameter, number)) continue;
    const std::string candidate = in_file(name.theirs, number);
    if (first && !has(candidate)) continue;
    const bool found = has(candidate);
    first = &name;
    theirs = candidate;
    if (found) break;
  }
  return first;
}

bool Weights::has_for(const std::string& parameter) const {
  std::string theirs;
  return source_of(parameter, theirs) && has(theirs);
}

Tensor Weights::take(const std::string& name) {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) throw FormatError(where_ + ": the tensor \"" + name + "\" is missing");
  used_.insert(found->second);
  return floats(file_, found->second, where_);
}

void Weights::check_complete(const ParameterTable& shapes) const {
  std::map<std::string, Index> wanted;  // columns of all that is cut from one tensor
  std::string theirs;
  for (const Parameter& parameter : shapes.all()) {
    const Name* name = source_of(parameter.name, theirs);
    if (!name || !has(theirs))
      throw FormatError(where_ + ": a tensor is missing: expected \"" + (name ? theirs : parameter.name) + "\"");
    if (name->how >= How::first) wanted[theirs] += parameter.value.shape().last();
  }
  for (const auto& [name, count] : wanted) {
    const TensorEntry& entry = file_.tensors()[by_name_.at(name)];
    const bool of_columns = std::any_of(family_.names.all.begin(), family_.names.all.end(), [&](const Name& row) {
      std::string number;
      return row.how >= How::first && row.how <= How::last && matches(row.theirs, name, number);
    });
    const std::uint64_t found = entry.shape.empty() ? 0 : of_columns ? entry.shape.back() : entry.shape.front();
    if (found != static_cast<std::uint64_t>(count))
      throw FormatError(where_ + ": tensor \"" + entry.name + "\": expected " + std::to_string(count) +
                        (of_columns ? " columns" : " rows") + ", as config.json says, found " +
                        shape_text(entry.shape));
  }
}

void Weights::fill(ParameterTable& parameters, Index head_size, const CancelToken& cancel) {
  std::string theirs;
  for (Parameter& parameter : parameters.all()) {
    cancel.check();
    const Name* name = source_of(parameter.name, theirs);
    const Tensor ours = converted(take(theirs), name->how, parameter.value.shape(), head_size);
    if (ours.shape() != parameter.value.shape())
      throw FormatError(where_ + ": tensor \"" + file_.tensors()[by_name_.at(theirs)].name + "\": expected to become " +
                        parameter.value.shape().text() + ", as config.json says, found " + ours.shape().text());
    std::copy_n(ours.data(), ours.size(), parameter.value.data());
  }
}

void Weights::check_all_used() const {
  for (const auto& [name, i] : by_name_) {
    const bool ignored = std::any_of(family_.ignored.begin(), family_.ignored.end(),
                                     [&, n = &name](const std::string& end) { return n->ends_with(end); });
    if (!used_.count(i) && !ignored)
      throw FormatError(where_ + ": the tensor \"" + file_.tensors()[i].name + "\" is of a part that is not known");
  }
}

}  // namespace headlight::families
