#include "model/io/formats/adapters/adapted_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "model/core/errors.h"
#include "model/io/state_dict.h"
#include "model/io/tensor_values.h"

namespace headlight {

using families::How, families::Name, families::Weights;

namespace {

bool is_table(const Name& name) { return name.ours.ends_with("embed.W") || name.ours.starts_with("output."); }

// Which row of the family a tensor is of; null: of what stands on top.
const Name* row_of(const families::Family& family, const std::string& name) {
  const std::string pattern = without_numbers(name);
  const auto row =
      std::ranges::find_if(family.names.all, [&](const Name& each) { return without_numbers(each.theirs) == pattern; });
  return row == family.names.all.end() ? nullptr : &*row;
}

// A Conv1D has its inputs as rows: the kind of the base's module decides, whatever fan_in_fan_out says.
bool has_inputs_as_rows(const Name* row) {
  return row && !is_table(*row) && row->how <= How::last && row->how != How::transposed;
}

std::string bytes_of(const Tensor& tensor) {
  std::string bytes(static_cast<std::size_t>(tensor.size()) * sizeof(float), '\0');
  std::vector<float> numbers(static_cast<std::size_t>(tensor.size()));
  std::copy_n(tensor.data(), tensor.size(), numbers.begin());
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

// m · V / ‖V‖, norms over the inputs of each output.
void scale_to_magnitudes(Tensor& value, const Tensor& magnitude, bool turned) {
  auto matrix = value.matrix();
  const auto m = magnitude.array();
  if (turned) {
    for (Index c = 0; c < matrix.cols(); ++c) {
      const double norm = std::sqrt(matrix.col(c).cast<double>().squaredNorm());
      matrix.col(c) *= static_cast<Scalar>(static_cast<double>(m[c]) / norm);
    }
    return;
  }
  for (Index r = 0; r < matrix.rows(); ++r) {
    const double norm = std::sqrt(matrix.row(r).cast<double>().squaredNorm());
    matrix.row(r) *= static_cast<Scalar>(static_cast<double>(m[r]) / norm);
  }
}

}  // namespace

AdaptedFile::AdaptedFile(const TensorFile& base, const Adapter& adapter, const families::Family& family,
                         const Json& config, const std::string& where)
    : base_(base), adapter_(adapter), family_(family), where_(where) {
  const Weights names(base, family, config, where);
  ties_ = family.settings(config).value("tie", "none") != "none";
  tensors_ = base.tensors();
  unread_ = base.unread();
  for (std::size_t i = 0; i < tensors_.size(); ++i) places_.emplace_back().base = i;
  // What takes the place of a tensor comes first: a pair is added to that.
  for (const Adapter::Whole& whole : adapter.wholes()) take_whole(whole, names);
  for (const Adapter::Pair& pair : adapter.pairs()) take_pair(pair, names);
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (!places_[i].changed) continue;
    tensors_[i].dtype = "F32";
    tensors_[i].bytes = tensors_[i].count() * sizeof(float);
    tensors_[i].shares_with.clear();
  }
}

AdaptedFile AdaptedFile::at(Strength strength) const {
  AdaptedFile other(*this);
  other.strength_ = strength;
  for (std::size_t i = 0; strength == Strength::none && i < places_.size(); ++i)
    if (const auto place = places_[i].base) {
      other.tensors_[i].dtype = base_.tensors()[*place].dtype;
      other.tensors_[i].bytes = base_.tensors()[*place].bytes;
    }
  return other;
}

// Among the tensors of the base, and those that were added.
std::optional<std::size_t> AdaptedFile::placed(const std::string& name, const Weights& names) const {
  if (const auto found = names.find(name)) return found;
  const auto found = added_.find(name);
  return found == added_.end() ? std::nullopt : std::optional(found->second);
}

// The tensor that stands for this one, which the base lacks.
std::optional<std::size_t> AdaptedFile::tied_to(const std::string& name, const Weights& names) const {
  const Name* row = row_of(family_, name);
  if (!ties_ || !row || !is_table(*row) || !name.ends_with(".weight")) return {};
  for (const Name& each : family_.names.all)
    if (each.ours.ends_with("embed.W") && each.theirs != name)
      if (const auto found = names.find(each.theirs)) return found;
  return {};
}

std::size_t AdaptedFile::added(const std::string& name, Place place, const std::vector<std::uint64_t>& shape) {
  TensorEntry entry;
  entry.name = name;
  entry.dtype = place.base ? base_.tensors()[*place.base].dtype : "F32";
  entry.shape = shape;
  entry.bytes = place.base ? base_.tensors()[*place.base].bytes : number_count(shape) * sizeof(float);
  tensors_.push_back(std::move(entry));
  places_.push_back(place);
  return places_.size() - 1;
}

// The output layer keeps the matrix of the base, as it did while the adapter was trained.
void AdaptedFile::untie(std::size_t i, const Weights& names) {
  if (!ties_ || adapter_.config().keeps_ties()) return;
  const std::string name = names.as_named(std::string_view(tensors_[i].name).substr(names.front().size()));
  const Name* row = row_of(family_, name);
  const std::string& output = family_.names.first("output.W");
  if (!row || !is_table(*row) || output.empty() || name == output || placed(output, names)) return;
  Place place = places_[i];
  place.pair = nullptr;
  added_[output] = added(names.front() + output, place, tensors_[i].shape);
  notes_.push_back("\"" + names.front() + output + "\" keeps the numbers of the base, whose \"" + tensors_[i].name +
                   "\" it is: the adapter changes the input only");
}

void AdaptedFile::take_whole(const Adapter::Whole& whole, const Weights& names) {
  const std::string name = names.as_named(whole.name);
  const TensorEntry& entry = adapter_.file().tensors()[whole.tensor];
  auto i = placed(name, names);
  if (!i) {
    Place place;
    place.base = tied_to(name, names);
    if (!place.base && !names.on_top(name) && !row_of(family_, name))
      throw FormatError(adapter_.where() + ": " + adapter_.quoted(whole.tensor) + ": the base " + where_ +
                        " has no place for \"" + whole.name + "\": the adapter was made for another one");
    i = added(names.front() + whole.name, place, entry.shape);
    added_[name] = *i;
  }
  if (whole.copy) untie(*i, names);
  const std::vector<std::uint64_t>& theirs = places_[*i].base ? base_.tensors()[*places_[*i].base].shape : entry.shape;
  if (entry.shape != theirs)
    throw FormatError(adapter_.where() + ": " + adapter_.quoted(whole.tensor) + " is " + shape_text(entry.shape) +
                      ", and \"" + tensors_[*i].name + "\" of the base " + where_ + " is " + shape_text(theirs) +
                      ": the adapter was made for another one");
  places_[*i].whole = whole.tensor;
  places_[*i].changed = true;
}

void AdaptedFile::fit(const std::string& what, std::size_t i, Index rows, Index columns) const {
  const std::vector<std::uint64_t> wanted = {static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns)};
  if (tensors_[i].shape == wanted) return;
  throw FormatError(adapter_.where() + ": " + what + " changes a matrix " + shape_text(wanted) + ", and \"" +
                    tensors_[i].name + "\" of the base " + where_ + " is " + shape_text(tensors_[i].shape) +
                    ": the adapter was made for another one");
}

void AdaptedFile::take_pair(const Adapter::Pair& pair, const Weights& names) {
  const std::string name = names.as_named(pair.module + ".weight");
  auto i = placed(name, names);
  if (!i) {
    Place place;
    place.base = tied_to(name, names);
    if (!place.base)
      throw FormatError(adapter_.where() + ": " + adapter_.quoted(pair.a) + ": the base " + where_ + " has no \"" +
                        pair.module + ".weight\": the adapter was made for another one");
    i = added(names.front() + pair.module + ".weight", place, base_.tensors()[*place.base].shape);
    added_[name] = *i;
  }
  const Name* row = row_of(family_, name);
  const bool turned = pair.embedding || has_inputs_as_rows(row);
  fit(adapter_.quoted(pair.a) + " with " + adapter_.quoted(pair.b), *i, turned ? pair.in : pair.out,
      turned ? pair.out : pair.in);
  untie(*i, names);
  places_[*i].pair = &pair;
  places_[*i].turned = turned;
  places_[*i].changed = true;
  if (!pair.bias) return;
  const std::string bias = names.as_named(pair.module + ".bias");
  auto b = placed(bias, names);
  if (!b) {
    b = added(names.front() + pair.module + ".bias", {}, {static_cast<std::uint64_t>(pair.out)});
    added_[bias] = *b;
  }
  if (tensors_[*b].count() != static_cast<std::uint64_t>(pair.out)) fit(adapter_.quoted(*pair.bias), *b, 1, pair.out);
  places_[*b].bias = &pair;
  places_[*b].changed = true;
}

// What a change begins with; zeros of a bias that the base has not.
Tensor AdaptedFile::start(const Place& place, std::size_t i) const {
  const std::vector<Index> shape(tensors_[i].shape.begin(), tensors_[i].shape.end());
  if (place.base) return numbers_of(base_, *place.base, where_);
  return Tensor::zeros(Shape(shape));
}

Tensor AdaptedFile::merged(std::size_t i) const {
  const Place& place = places_[i];
  Tensor value = place.whole ? adapter_.numbers(*place.whole) : start(place, i);
  if (place.pair) {
    value.matrix() += adapter_.product(*place.pair, place.turned);
    if (place.pair->magnitude) scale_to_magnitudes(value, adapter_.numbers(*place.pair->magnitude), place.turned);
  }
  if (place.bias) {
    const Tensor bias = adapter_.numbers(*place.bias->bias);
    value.array() += static_cast<Scalar>(place.bias->scale) * bias.array();
  }
  return value;
}

Tensor AdaptedFile::delta(std::size_t i) const {
  Tensor value = merged(i);
  if (const Place& place = places_[i]; place.base || place.bias) value.array() -= start(place, i).array();
  return value;
}

std::string AdaptedFile::bytes(std::size_t i) const {
  if (is_base(i)) return base_.bytes(*places_[i].base);
  return bytes_of(strength_ == Strength::none && places_[i].bias ? start(places_[i], i) : merged(i));
}

void AdaptedFile::read(std::size_t i, std::uint64_t offset, void* to, std::size_t count) const {
  if (is_base(i)) return base_.read(*places_[i].base, offset, to, count);
  TensorFile::read(i, offset, to, count);
}

TensorFile::Stored AdaptedFile::stored(std::size_t i) const {
  return is_base(i) ? base_.stored(*places_[i].base) : TensorFile::stored(i);
}

AdaptedFile over(const TensorFile& base, const Json& config, const Adapter& adapter, const std::string& where) {
  if (const std::string reason = families::why_not(config); !reason.empty())
    throw FormatError(where + ": config.json: " + reason);
  const Json own = families::in_own_words(config);
  return {base, adapter, *families::family_of(own), own, where};
}

namespace {

// A file, and behind its tensors some that are computed when somebody asks for them.
class WithComputed : public TensorFile {
 public:
  struct Made {
    std::string name;
    std::vector<std::uint64_t> shape;
    std::function<Tensor()> numbers;
  };
  WithComputed(std::shared_ptr<const TensorFile> file, std::vector<Made> made, const AdapterConfig& config)
      : file_(std::move(file)), made_(std::move(made)), first_(file_->tensors().size()) {
    tensors_ = file_->tensors();
    unread_ = file_->unread();
    values_ = config.shown();
    for (const Made& each : made_)
      tensors_.push_back({each.name, "F32", each.shape, number_count(each.shape) * sizeof(float), {}});
  }
  std::string bytes(std::size_t i) const override {
    return i < first_ ? file_->bytes(i) : bytes_of(made_[i - first_].numbers());
  }
  void read(std::size_t i, std::uint64_t offset, void* to, std::size_t count) const override {
    return i < first_ ? file_->read(i, offset, to, count) : TensorFile::read(i, offset, to, count);
  }
  bool reads_parts(std::size_t i) const override { return i < first_ && file_->reads_parts(i); }
  Stored stored(std::size_t i) const override { return i < first_ ? file_->stored(i) : TensorFile::stored(i); }

 private:
  std::shared_ptr<const TensorFile> file_;
  std::vector<Made> made_;
  std::size_t first_;
};

std::vector<std::uint64_t> sides(Index rows, Index columns) {
  return {static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns)};
}

Tensor as_tensor(const Matrix& matrix) {
  Tensor tensor(Shape{matrix.rows(), matrix.cols()});
  tensor.matrix() = matrix;
  return tensor;
}

}  // namespace

std::shared_ptr<const TensorFile> with_changes(const std::shared_ptr<const Adapter>& adapter) {
  std::vector<WithComputed::Made> made;
  for (const Adapter::Pair& pair : adapter->pairs()) {
    if (pair.magnitude) continue;  // its sum is scaled, which needs the base
    const bool turned = pair.embedding;
    made.push_back({"delta." + pair.module + ".weight", turned ? sides(pair.in, pair.out) : sides(pair.out, pair.in),
                    [adapter, &pair, turned] { return as_tensor(adapter->product(pair, turned)); }});
  }
  return std::make_shared<const WithComputed>(std::shared_ptr<const TensorFile>(adapter, &adapter->file()),
                                              std::move(made), adapter->config());
}

std::shared_ptr<const TensorFile> with_changes(const std::shared_ptr<const AdaptedFile>& adapted,
                                               const AdapterConfig& config) {
  std::vector<WithComputed::Made> made;
  for (std::size_t i = 0; i < adapted->tensors().size(); ++i)
    if (adapted->is_changed(i))
      made.push_back({"delta." + adapted->tensors()[i].name, adapted->tensors()[i].shape,
                      [adapted, i] { return adapted->delta(i); }});
  return std::make_shared<const WithComputed>(adapted, std::move(made), config);
}

}  // namespace headlight
