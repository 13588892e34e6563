#include "model/io/formats/families/weights.h"

#include <algorithm>
#include <map>

#include "model/core/errors.h"
#include "model/core/slices.h"
#include "model/io/formats/families/split_file.h"
#include "model/io/state_dict.h"
#include "model/io/tensor_values.h"
#include "model/ops/positions.h"

namespace headlight::families {

namespace {

void check_weights(const TensorEntry& entry, const std::string& where, How how = How::copied) {
  const std::string at = where + ": tensor \"" + entry.name + "\": ";
  if (!has_fractions(entry))
    throw FormatError(at + "expected weights of type F16, BF16, F32 or F64, found " + entry.dtype);
  const bool convolution = how == How::convolution;
  if (convolution ? entry.shape.size() != 3 : entry.shape.size() > 2)
    throw FormatError(at + "expected " + (convolution ? "3" : "at most 2") + " dimensions, found " +
                      shape_text(entry.shape));
}

// Rows (in, place) of a convolution's weights as rows (place, in).
Tensor by_places(const Tensor& rows, Index places) {
  Tensor ordered(rows.shape());
  const Index in = rows.rows() / std::max<Index>(1, places);
  for (Index r = 0; r < rows.rows(); ++r) ordered.matrix().row(r % places * in + r / places) = rows.matrix().row(r);
  return ordered;
}

bool is_stacked(const std::string& theirs) { return theirs.find('*') != theirs.npos; }

std::string numbered(std::string pattern, char mark, const std::string& number) {
  if (const std::size_t at = pattern.find(mark); at != std::string::npos) pattern.replace(at, 1, number);
  return pattern;
}

// "layer[1].ffn.expert[7].W1" -> "layer[1].ffn.expert[@].W1" and "7".
std::pair<std::string, std::string> without_expert(std::string parameter) {
  constexpr std::string_view kMark = ".expert[";
  const std::size_t at = parameter.find(kMark);
  if (at == std::string::npos) return {std::move(parameter), ""};
  const std::size_t begin = at + kMark.size(), end = parameter.find(']', begin);
  std::string number = parameter.substr(begin, end - begin);
  return {parameter.replace(begin, number.size(), "@"), std::move(number)};
}

// Whether it is of "layers.N", N at least `layers`.
bool is_further(const std::string& name, Index layers) {
  constexpr std::string_view kLayers = "layers.";
  if (layers == 0 || !name.starts_with(kLayers)) return false;
  const std::string number = name.substr(kLayers.size(), name.find('.', kLayers.size()) - kLayers.size());
  const bool digits = !number.empty() && number.size() < 7 && number.find_first_not_of("0123456789") == number.npos;
  return digits && std::stol(number) >= layers;
}

}  // namespace

Weights::Weights(const TensorFile& file, const Family& family, const Json& config, const std::string& where)
    : split_(split_by_experts(file, family, where)),
      file_(split_ ? *split_ : file),
      family_(family),
      where_(where),
      plain_(plain_names(file_)) {
  untied_output_ = !yes(config, "tie_word_embeddings", true);
  if (!family.group_key.empty()) group_ = std::max<Index>(1, whole(config, family.group_key.c_str(), 1));
  if (family.further_layers) layers_ = whole(config, "num_hidden_layers");
  name_all();
}

std::string Weights::as_named(std::string_view name) const {
  for (const std::string& prefix : family_.prefixes)
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      break;
    }
  std::string plain(name);
  // Names of before 2019, and of some that are written today.
  for (const auto& [old, now] : {std::pair(".gamma", ".weight"), {".beta", ".bias"}})
    if (plain.ends_with(old)) plain.replace(plain.size() - std::string_view(old).size(), std::string::npos, now);
  return plain;
}

// As the family calls them: behind what stands in front of all names, and behind the prefix of the family.
void Weights::name_all() {
  for (const std::string& name : plain_)
    if (name.find(".lora_A.") != name.npos)
      throw FormatError(where_ + ": the tensor \"" + name +
                        "\" is of an adapter that stands beside the model: merge it into the model and save that");
  for (const std::string& name : plain_)
    if (name.ends_with("weight_scale_inv"))
      throw FormatError(
          where_ + ": the tensor \"" + name +
          "\" is of weights in FP8, numbers of eight bits with a scale for each block: they are not read");
  std::set<std::string> known;
  for (const Name& name : family_.names.all) known.insert(without_numbers(name.theirs));
  const NameFront front =
      front_of(plain_, [&](std::string_view name) { return known.contains(without_numbers(as_named(name))); });
  if (!front.rival.empty())
    throw FormatError(where_ + ": the file has two models, behind \"" + front.text + "\" and \"" + front.rival +
                      "\": save one of them alone");
  front_ = front.text;
  for (std::size_t i = 0; i < plain_.size(); ++i) {
    if (!plain_[i].starts_with(front_)) continue;
    const auto [first, is_new] = by_name_.emplace(as_named(std::string_view(plain_[i]).substr(front_.size())), i);
    if (is_new) continue;
    if (!equal_numbers(file_, first->second, i, {}))
      throw FormatError(where_ + ": the tensors \"" + file_.tensors()[first->second].name + "\" and \"" +
                        file_.tensors()[i].name + "\" are the same one, and have different numbers");
  }
}

// The names by which a parameter is in the file, in the order of the family.
std::vector<std::string> Weights::there(const std::string& parameter) const {
  std::vector<std::string> names;
  for (const Name& name : family_.names.all)
    if (name.ours == parameter && has(name.theirs)) names.push_back(name.theirs);
  return names;
}

bool Weights::same(const std::string& a, const std::string& b, const CancelToken& cancel) const {
  return a == b || equal_numbers(file_, by_name_.at(a), by_name_.at(b), cancel);
}

std::string Weights::quoted(const std::string& name) const {
  std::string text = "\"";
  return text.append(full_name(name)).append("\"");
}

void Weights::settle(Json& settings, bool predicts, const CancelToken& cancel) {
  if (const auto shared = settings.find("shared_layers"); shared != settings.end())
    for (const Json& layer : *shared) own_.insert(layer.get<Index>());
  note_beside();
  if (predicts) settle_bias(cancel);
  if (settings.value("positions", "") == "sinusoid_halves") settle_positions(settings);
  if (settings.value("positions", "") == "rotary") settle_frequencies(settings);
  const std::string tie = settings.at("tie"), shape = settings.at("model_type");
  const bool both = shape == "transformer", apart = tie == "decoder";  // apart: the encoder has a table of its own
  if (tie == "none" && predicts) return;
  std::vector<std::string> group = there(apart ? "decoder.embed.W" : "embed.W");
  if (apart)
    for (const std::string& name : there("output.W")) group.push_back(name);
  if (group.empty()) return;
  const auto own = [&](const char* parameter) {
    const std::vector<std::string> names = there(parameter);
    return names.empty() ? group.front() : names.front();
  };
  const std::string read = own(shape == "decoder_only" ? "decoder.embed.W" : "encoder.embed.W"),
                    written = both ? own("decoder.embed.W") : read, out = predicts ? own("output.W") : written;
  const bool one_table = !both || apart || same(read, written, cancel), one_output = same(written, out, cancel);
  settings["tie"] = !one_output ? "none" : both && (apart || !one_table) ? "decoder" : "all";
  tables_ = {{"embed.W", {"", read}}, {"decoder.embed.W", {"", written}}, {"output.W", {"", out, How::transposed}}};
  if (!apart) tables_["encoder.embed.W"] = {"", read};
  std::set<std::string> taken = {written, out};
  if (!apart) taken.insert(read);
  std::string others;
  for (const std::string& name : group) {
    if (taken.contains(name)) used_.insert(by_name_.at(name));
    const bool expected = untied_output_ && name == out;  // T5's own heads: config.json says so
    if (name != group.front() && !expected && taken.contains(name) && !same(group.front(), name, cancel))
      others += (others.empty() ? "" : " and ") + quoted(name);
  }
  if (!others.empty() && tie != "none" && !adapted_)
    notes_.push_back(others + (others.find("\" and \"") == others.npos ? " has" : " have") + " other numbers than " +
                     quoted(group.front()) + ", to which the model ties " +
                     (others.find("\" and \"") == others.npos ? "it" : "them") +
                     ": each is used as the file has it, as the library does");
  const std::string usual = apart ? family_.names.first("decoder.embed.W") : family_.names.first("embed.W");
  if (group.front() != usual)
    notes_.push_back("the file has no \"" + usual + "\": " + quoted(group.front()) +
                     ", to which it is tied, stands for it, as in the library");
}

void Weights::note_beside() {
  const auto outside = [&](const std::string& name) { return !name.starts_with(front_); };
  const auto beside = std::ranges::count_if(plain_, outside);
  if (beside == 0) return;
  notes_.push_back("not used, for it stands beside the model, whose names begin with \"" + front_ + "\": \"" +
                   *std::ranges::find_if(plain_, outside) + "\"" +
                   (beside > 1 ? " and " + std::to_string(beside - 1) + " more" : std::string()));
}

// A file may have the sinusoids too, which the library reads like any table.
void Weights::settle_positions(Json& settings) {
  constexpr double kRounded = 1e-3;  // half precision
  std::string others;
  int found = 0;
  for (const char* side : {"encoder.pos.W", "decoder.pos.W"})
    for (const std::string& name : there(side)) {
      ++found;
      const std::size_t i = by_name_.at(name);
      used_.insert(i);
      check_weights(file_.tensors()[i], where_);
      const Tensor table = numbers_of(file_, i, where_);
      const bool is_table = table.rank() == 2 && table.columns() % 2 == 0 && table.size() > 0;  // else refused later
      if (!is_table || !((table.array() - sinusoid_table(table.rows(), table.columns(), Sinusoid::halves).array())
                             .abs()
                             .maxCoeff() <= kRounded))
        others += (others.empty() ? "" : " and ") + quoted(name);
    }
  if (others.empty()) return;
  if (found < 2) throw FormatError(where_ + ": " + others + " is no table of sinusoids, and the other side has none");
  settings["positions"] = "learned";
  notes_.push_back("no sinusoids are in " + others + ": the positions are those of the file, as in the library");
}

// A family that keeps the frequencies of its rotation in the file is read with them, rounded as they are.
void Weights::settle_frequencies(Json& settings) {
  const std::vector<std::string> names = there("rotary.frequencies");
  // Some files really have a star in this name, which elsewhere stands for a number.
  const auto name = std::ranges::find_if(names, [&](const std::string& each) { return by_name_.contains(each); });
  if (name == names.end()) return;
  const std::size_t i = by_name_.at(*name);
  used_.insert(i);
  check_weights(file_.tensors()[i], where_);
  const Tensor listed = numbers_of(file_, i, where_);
  const auto pairs = settings.at("rotary_size").get<Index>() / 2;
  if (listed.size() == 0 || listed.shape().last() != pairs)
    throw FormatError(where_ + ": tensor " + quoted(*name) + ": expected " + std::to_string(pairs) +
                      " frequencies, found " + listed.shape().text());
  Json frequencies = Json::array();
  for (Index p = 0; p < pairs; ++p) frequencies.push_back(static_cast<double>(listed[p]));
  settings["rotary_scaling"] = {{"type", "listed"}, {"frequencies", frequencies}};
}

// The library ties the bias of the output layer to one beside it; the layer adds its own.
void Weights::settle_bias(const CancelToken& cancel) {
  const std::vector<std::string> biases = there("output.b");
  for (std::size_t i = 1; i < biases.size(); ++i) {
    used_.insert(by_name_.at(biases[i]));
    if (!same(biases[0], biases[i], cancel))
      notes_.push_back(quoted(biases[i]) + " has other numbers than " + quoted(biases[0]) +
                       ", to which it is tied: the second is added, as in the library");
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
  if (const auto table = tables_.find(parameter); table != tables_.end()) {
    theirs = table->second.theirs;
    return &table->second;
  }
  const auto [pattern, expert] = without_expert(parameter);
  const Name* first = nullptr;
  for (const Name& name : family_.names.all) {
    const std::optional<std::string> number = number_in_name(name.ours, pattern);
    if (!number) continue;
    const std::string candidate = numbered(in_file(name.theirs, *number), '@', expert);
    if (first && !has(candidate)) continue;
    const bool found = has(candidate);
    first = &name;
    theirs = candidate;
    if (found) break;
  }
  return first;
}

bool Weights::has(const std::string& name) const {
  return by_name_.count(is_stacked(name) ? numbered(name, '*', "0") : name) > 0;
}

std::vector<std::size_t> Weights::stacked(const std::string& theirs, const Shape& wanted) const {
  std::vector<std::size_t> all;
  for (Index row = 0; row < wanted[0]; ++row) {
    const std::string name = numbered(theirs, '*', std::to_string(row));
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) throw FormatError(where_ + ": a tensor is missing: expected \"" + name + "\"");
    const TensorEntry& entry = file_.tensors()[found->second];
    check_weights(entry, where_);
    if (entry.count() != static_cast<std::uint64_t>(wanted.last()))
      throw FormatError(where_ + ": tensor \"" + entry.name + "\": expected to become [" +
                        std::to_string(wanted.last()) + "], as config.json says, found " + shape_text(entry.shape));
    all.push_back(found->second);
  }
  return all;
}

bool Weights::has_for(const std::string& parameter) const {
  std::string theirs;
  return source_of(parameter, theirs) && has(theirs);
}

Tensor Weights::take(const std::string& name) {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) throw FormatError(where_ + ": the tensor \"" + name + "\" is missing");
  used_.insert(found->second);
  check_weights(file_.tensors()[found->second], where_);
  return numbers_of(file_, found->second, where_);
}

void Weights::check_complete(const ParameterTable& shapes, Index head_size) {
  std::map<std::string, std::pair<Index, bool>> wanted;  // of all that is cut from one tensor: how much, and columns
  std::string theirs;
  for (const Parameter& parameter : shapes.all()) {
    const Name* name = source_of(parameter.name, theirs);
    if (name && is_left_out(parameter.name, theirs)) continue;
    if (!name || !has(theirs))
      throw FormatError(where_ + ": a tensor is missing: expected \"" + (name ? theirs : parameter.name) + "\"");
    if (!is_cut(name->how)) continue;
    auto& [count, of_columns] = wanted[theirs];
    count += parameter.value.shape().last();
    of_columns = is_of_columns(name->how);
  }
  for (const auto& [name, all] : wanted) {
    const auto& [count, of_columns] = all;
    const TensorEntry& entry = file_.tensors()[by_name_.at(name)];
    const std::uint64_t found = entry.shape.empty() ? 0 : of_columns ? entry.shape.back() : entry.shape.front();
    if (found != static_cast<std::uint64_t>(count))
      throw FormatError(where_ + ": tensor \"" + entry.name + "\": expected " + std::to_string(count) +
                        (of_columns ? " columns" : " rows") + ", as config.json says, found " +
                        shape_text(entry.shape));
  }
  for (const Parameter& parameter : shapes.all()) {
    const Name* name = source_of(parameter.name, theirs);
    if (is_left_out(parameter.name, theirs)) continue;
    if (is_stacked(theirs)) {
      for (const std::size_t i : stacked(theirs, parameter.value.shape())) used_.insert(i);
      continue;
    }
    used_.insert(by_name_.at(theirs));
    part_for(file_.tensors()[by_name_.at(theirs)], name->how, parameter.value.shape(), head_size);
  }
}

Part Weights::part_for(const TensorEntry& entry, How how, const Shape& wanted, Index head_size) const {
  check_weights(entry, where_, how);
  Part part = part_of(Shape(std::vector<Index>(entry.shape.begin(), entry.shape.end())), how, wanted, head_size);
  if (part.shape != wanted)
    throw FormatError(where_ + ": tensor \"" + entry.name + "\": expected to become " + wanted.text() +
                      ", as config.json says, found " + part.shape.text());
  return part;
}

double Weights::memory_for(const ParameterTable& shapes) const {
  double bytes = 0;
  std::string theirs;
  for (const Parameter& parameter : shapes.all()) {
    const Name* name = source_of(parameter.name, theirs);
    const auto found = name ? by_name_.find(theirs) : by_name_.end();
    const bool half =
        found != by_name_.end() && stays_half(file_.tensors()[found->second], name->how, parameter.value.shape());
    const auto count = static_cast<double>(parameter.value.shape().size());
    if (found != by_name_.end() && stays_packed(file_, found->second, name->how, parameter.value.shape()))
      bytes += count / static_cast<double>(file_.block_form(found->second)->values) *
               static_cast<double>(file_.block_form(found->second)->bytes);
    else
      bytes += count * (half ? 2 : sizeof(Scalar));
  }
  return bytes;
}

Tensor Weights::read_one(const TensorFile& file, const Parameter& parameter, const Name& name, std::size_t i,
                         Index head_size, const CancelToken& cancel) const {
  const Shape& wanted = parameter.value.shape();
  const TensorEntry& entry = file.tensors()[i];
  const Part part = part_for(entry, name.how, wanted, head_size);
  Tensor value = stays_packed(file, i, name.how, wanted)
                     ? read_packed(file, i, part, cancel)
                     : read_part(file, i, part, stays_half(entry, name.how, wanted), where_, cancel);
  if (name.how == How::plus_one) value.array() += Scalar(1);
  if (name.how == How::convolution) value = by_places(value, static_cast<Index>(entry.shape[2]));
  value.mark_parameter();
  return value;
}

ParameterTable Weights::read(const ParameterTable& shapes, Index head_size, const CancelToken& cancel) {
  ParameterTable parameters;
  std::string theirs;
  for (const Parameter& parameter : shapes.all()) {
    cancel.check();
    slice_point();
    const Name* name = source_of(parameter.name, theirs);
    const Shape& wanted = parameter.value.shape();
    if (is_stacked(theirs)) {
      Tensor value(wanted);
      Index row = 0;
      for (const std::size_t i : stacked(theirs, wanted))
        value.view(row++ * wanted.last(), {wanted.last()}).array() = numbers_of(file_, i, where_).array();
      value.mark_parameter();
      parameters.add(parameter.name, std::move(value));
      said_[parameter.name] = "np.stack([" + full_name(numbered(theirs, '*', "0")) + ", …])";
      continue;
    }
    if (is_left_out(parameter.name, theirs)) {
      parameters.add(parameter.name, Tensor::zeros(wanted));
      continue;
    }
    const std::size_t i = by_name_.at(theirs);
    parameters.add(parameter.name, read_one(file_, parameter, *name, i, head_size, cancel));
    said_[parameter.name] = converted_text(file_.tensors()[i].name, name->how, file_.tensors()[i], wanted, head_size);
  }
  return parameters;
}

ParameterTable Weights::read_again(const TensorFile& file, const std::function<bool(std::size_t)>& wanted,
                                   const ParameterTable& shapes, Index head_size, const CancelToken& cancel) const {
  ParameterTable parameters;
  std::string theirs;
  for (const Parameter& parameter : shapes.all()) {
    cancel.check();
    slice_point();
    const Name* name = source_of(parameter.name, theirs);
    if (is_left_out(parameter.name, theirs) || !wanted(by_name_.at(theirs))) continue;
    parameters.add(parameter.name, read_one(file, parameter, *name, by_name_.at(theirs), head_size, cancel));
  }
  return parameters;
}

bool Weights::is_left_out(const std::string& parameter, const std::string& theirs) const {
  return !has(theirs) && std::ranges::any_of(zero_, [&](const std::string& end) { return parameter.ends_with(end); });
}

// One setting says of all layers whether they have these.
void Weights::settle_adapted(Json& settings) {
  adapted_ = true;
  static const std::pair<const char*, std::vector<std::string>> groups[] = {
      {"attention_bias", {".b_q", ".b_k", ".b_v"}},
      {"projection_bias", {".b_o"}},
      {"ffn_bias", {".b1", ".b2", ".b_gate"}}};
  for (const auto& [key, ends] : groups) {
    if (settings.value(key, true)) continue;
    const auto is_one = [&, all = &ends](const Name& name) {
      const bool of_group = std::ranges::any_of(*all, [&](const std::string& end) { return name.ours.ends_with(end); });
      return of_group && std::ranges::any_of(by_name_, [&](const auto& each) {
               return number_in_name(name.theirs, each.first).has_value();
             });
    };
    if (std::ranges::none_of(family_.names.all, is_one)) continue;
    settings[key] = true;
    zero_.insert(ends.begin(), ends.end());
  }
}

bool Weights::on_top(const std::string& name) const {
  const auto of = [&](const char* place) { return place && *place && name.starts_with(std::string(place) + "."); };
  return of(family_.pooler.c_str()) ||
         std::any_of(family_.tops.begin(), family_.tops.end(),
                     [&](const Top& top) { return of(top.out) || of(top.dense) || of(top.norm); }) ||
         std::any_of(family_.names.all.begin(), family_.names.all.end(), [&](const Name& row) {
           return row.theirs == name &&
                  (row.ours.starts_with("head.") || row.ours.starts_with("output.") || row.ours.ends_with("embed.W"));
         });
}

void Weights::check_all_used(bool known_architecture) const {
  std::size_t first = file_.tensors().size();  // of those that are not known
  for (const auto& [name, i] : by_name_) {
    const bool ignored = std::any_of(family_.ignored.begin(), family_.ignored.end(),
                                     [&, n = &name](const std::string& end) { return n->ends_with(end); });
    if (!used_.count(i) && !ignored && !is_further(name, layers_) && !(known_architecture && on_top(name)))
      first = std::min(first, i);
  }
  if (first < file_.tensors().size())
    throw FormatError(where_ + ": the tensor \"" + file_.tensors()[first].name + "\" is of a part that is not known");
}

}  // namespace headlight::families
