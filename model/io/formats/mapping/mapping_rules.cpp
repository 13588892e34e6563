#include "model/io/formats/mapping/mapping_rules.h"

#include <algorithm>
#include <unordered_set>

#include "model/core/budget.h"
#include "model/core/errors.h"
#include "model/io/formats/weight_files.h"
#include "model/io/state_dict.h"
#include "model/io/tensor_values.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr int kMostDepth = 16;
constexpr Index kMostRepeated = 16;  // as often as a rule may read what it makes
constexpr std::size_t kMostIgnored = 10'000;

std::string numbered(std::string text, const std::string& number) {
  for (std::size_t at = 0; (at = text.find('#', at)) != std::string::npos; at += number.size())
    text.replace(at, 1, number);
  return text;
}

// "encoder.layer[#].fwd" is one rule for all layers: the digits of the parameter that stand where "#" does.
std::string layer_number(const std::string& place, const std::string& parameter) {
  const std::size_t mark = place.find('#');
  if (mark >= parameter.size()) return {};
  return parameter.substr(mark, parameter.find_first_not_of("0123456789", mark) - mark);
}

Tensor transposed(const Tensor& x) {
  Tensor y({x.columns(), x.rows()});
  y.matrix() = x.matrix().transpose();
  return y;
}

// The tensors that a rule names, those in a list or an operation too.
void collect_names(const Json& rule, std::unordered_set<std::string>& names, int depth) {
  if (rule.is_string()) names.insert(without_numbers(plain_name(rule.get<std::string>(), true)));
  if (depth > 0 && rule.is_structured())
    for (const Json& part : rule) collect_names(part, names, depth - 1);
}

// Cells of torch.nn: blocks of rows, one for each gate, become our columns in our order.
std::vector<Index> gates(const std::string& kind) {
  if (kind == "nn.LSTM") return {1, 2, 0, 3};  // i f g o -> f g i o
  if (kind == "nn.GRU") return {1, 0, 2};      // r z n -> z r n
  return {0};
}

}  // namespace

void check_objects(const Settings& settings, const Json& mapping) {
  for (const char* key : {"model", "tensors"})
    if (!settings.at(key).is_object()) settings.fail(key, "expected an object");
  if (mapping.contains("modules") && !mapping["modules"].is_object()) settings.fail("modules", "expected an object");
}

std::shared_ptr<const TensorFile> mapped_weights(const std::filesystem::path& file) {
  std::error_code none;
  // A folder of another library names files of weights, never a mapping: there is no way round in a circle.
  const Format* format = fs::is_directory(file, none) ? format_of(file) : nullptr;
  return format ? format->contents(file).tensors : open_weight_file(file);
}

MappingRules::MappingRules(const TensorFile& file, const Json& rules, std::string where, CancelToken cancel)
    : file_(file), rules_(rules), where_(std::move(where)), cancel_(std::move(cancel)) {
  const std::vector<std::string> plain = plain_names(file);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    by_name_.emplace(file.tensors()[i].name, i);
    by_plain_name_.emplace(plain[i], i);
  }
  std::unordered_set<std::string> named;
  for (const Json& rule : rules.at("tensors")) collect_names(rule, named, kMostDepth);
  if (rules.contains("modules"))
    for (const Json& rule : rules.at("modules")) {
      const auto text = [&](const char* key, const char* fallback) {
        const Json found = rule.is_object() ? rule.value(key, Json()) : Json();
        return found.is_string() ? found.get<std::string>() : std::string(fallback);
      };
      const std::string from = text("from", "");
      for (const char* part : {"weight_ih", "weight_hh", "bias_ih", "bias_hh"})
        named.insert(
            without_numbers(plain_name(from + (from.empty() ? "" : ".") + part + text("suffix", "_l0"), true)));
    }
  const NameFront front = front_of(plain, [&](std::string_view name) { return named.contains(without_numbers(name)); });
  if (!front.rival.empty())
    throw FormatError(where_ + ": the file has two models, behind \"" + front.text + "\" and \"" + front.rival +
                      "\"; write the names of one of them whole");
  front_ = front.text;
}

Tensor MappingRules::make(const std::string& parameter, const Shape& wanted) {
  cancel_.check();
  wanted_ = wanted;
  for (const auto& [pattern, rule] : rules_.at("tensors").items())
    if (const auto number = number_in_name(pattern, parameter)) {
      check_budget(rule, *number, parameter);
      return value(rule, *number, parameter, 0);
    }
  if (rules_.contains("modules"))
    for (const auto& [place, rule] : rules_.at("modules").items())
      if (auto made = from_module(place, rule, parameter)) return *made;
  throw FormatError(where_ + ": nothing says which tensor is our \"" + parameter + "\"");
}

void MappingRules::check_all_used() const {
  std::vector<std::string> ignored;
  if (rules_.contains("ignored"))
    for (const Json& end : rules_.at("ignored"))
      if (end.is_string()) ignored.push_back(end.get<std::string>());
  if (ignored.size() > kMostIgnored)
    throw FormatError(where_ + ": ignored: expected at most " + std::to_string(kMostIgnored) + " names, found " +
                      std::to_string(ignored.size()));
  const std::vector<std::string> plain = plain_names(file_);
  for (std::size_t i = 0; i < file_.tensors().size(); ++i) {
    cancel_.check();
    const std::string& name = file_.tensors()[i].name;
    const bool around = !front_.empty() && !plain[i].starts_with(front_);
    const bool known = used_.count(i) || around ||
                       std::ranges::any_of(ignored, [&](const std::string& end) { return name.ends_with(end); });
    if (!known)
      throw FormatError(where_ + ": the tensor \"" + name +
                        "\" is used nowhere; name it in \"ignored\" if that is right");
  }
}

std::optional<std::uint64_t> MappingRules::rows_of(const std::string& parameter) {
  for (const auto& [pattern, rule] : rules_.at("tensors").items())
    if (number_in_name(pattern, parameter) && rule.is_string()) {
      const std::vector<std::uint64_t>& shape = file_.tensors()[find(rule)].shape;
      if (!shape.empty()) return shape[0];
    }
  return {};
}

void MappingRules::fail(const std::string& parameter, const std::string& what) const {
  throw FormatError(where_ + ": tensors: \"" + parameter + "\": " + what);
}

// As a rule writes it; else behind what stands in front of the names of the file, and without what is in their middle.
std::optional<std::size_t> MappingRules::place_of(const std::string& name) const {
  if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
  for (const bool whole : {false, true})
    if (const auto found = by_plain_name_.find(front_ + plain_name(name, whole)); found != by_plain_name_.end())
      return found->second;
  return {};
}
std::size_t MappingRules::find(const std::string& name) {
  const auto place = place_of(name);
  if (!place) throw FormatError(where_ + ": there is no tensor \"" + name + "\" in the file");
  used_.insert(*place);
  return *place;
}
bool MappingRules::has(const std::string& name) const { return place_of(name).has_value(); }
Tensor MappingRules::load(const std::string& name) {
  const std::size_t i = find(name);
  if (!has_fractions(file_.tensors()[i]))
    throw FormatError(where_ + ": tensor \"" + name + "\": expected weights of type F16, BF16, F32 or F64, found " +
                      file_.tensors()[i].dtype);
  return numbers_of(file_, i, where_);
}

void MappingRules::check_matrix(const Tensor& x, const std::string& parameter) const {
  if (x.rank() > 2) fail(parameter, "expected at most 2 dimensions, found " + x.shape().text());
}

Tensor MappingRules::columns(const Tensor& x, Index begin, Index end, const std::string& parameter) const {
  check_matrix(x, parameter);
  if (begin < 0 || end > x.columns() || begin >= end)
    fail(parameter, "expected columns from 0 to " + std::to_string(x.columns()) + ", found " + std::to_string(begin) +
                        " to " + std::to_string(end));
  Tensor part(x.rank() == 1 ? Shape{end - begin} : Shape{x.rows(), end - begin});
  part.matrix() = x.matrix().middleCols(begin, end - begin);
  return part;
}
Tensor MappingRules::rows(const Tensor& x, Index begin, Index end, const std::string& parameter) const {
  check_matrix(x, parameter);
  if (x.rank() == 1) return columns(x, begin, end, parameter);
  return transposed(columns(transposed(x), begin, end, parameter));
}
Tensor MappingRules::concat(const std::vector<Tensor>& parts, const std::string& parameter) const {
  Index width = 0;
  for (const Tensor& part : parts) {
    check_matrix(part, parameter);
    if (part.rows() != parts.front().rows()) fail(parameter, "parts side by side have as many rows each");
    width += part.columns();
  }
  Tensor all(parts.front().rank() == 1 ? Shape{width} : Shape{parts.front().rows(), width});
  Index at = 0;
  for (const Tensor& part : parts) {
    all.matrix().middleCols(at, part.columns()) = part.matrix();
    at += part.columns();
  }
  return all;
}

double MappingRules::bytes_of(const Json& rule, const std::string& number, int depth) const {
  constexpr double kLeast = 4096;  // each tensor is looked up and read by itself
  double bytes = 0;
  if (rule.is_string()) {
    const auto place = place_of(numbered(rule.get<std::string>(), number));
    double count = sizeof(Scalar);
    if (place)
      for (const std::uint64_t dimension : file_.tensors()[*place].shape) count *= static_cast<double>(dimension);
    return std::max(kLeast, count);
  }
  if (rule.is_structured() && depth <= 2 * kMostDepth)
    for (const Json& part : rule) bytes += bytes_of(part, number, depth + 1);
  return bytes;
}
void MappingRules::check_budget(const Json& rule, const std::string& number, const std::string& parameter) {
  const double bytes = bytes_of(rule, number, 0), made = static_cast<double>(wanted_.size()) * sizeof(Scalar);
  read_ += bytes;
  within_budget(bytes, std::max(budget::kUnpacked, kMostRepeated * made),
                where_ + ": tensors: the rule of \"" + parameter + "\"", "it reads much more than it makes");
  within_budget(read_, budget::kWeights, where_ + ": tensors: what all rules read", "make them read less");
}

Tensor MappingRules::value(const Json& rule, const std::string& number, const std::string& parameter, int depth) {
  cancel_.check();
  if (depth > kMostDepth) fail(parameter, "rules go at most " + std::to_string(kMostDepth) + " deep");
  if (rule.is_string()) return load(numbered(rule.get<std::string>(), number));
  if (!rule.is_object() || rule.size() != 1)
    fail(parameter, "expected the name of a tensor or one operation, found " + rule.dump(-1, ' ', true).substr(0, 80));
  const std::string operation = rule.begin().key();
  const Json& of = rule.begin().value();
  const auto part = [&](const Json& inner) { return value(inner, number, parameter, depth + 1); };
  const auto list = [&] {
    std::vector<Tensor> all;
    if (!of.is_array() || of.empty() || of.size() > 64) fail(parameter, operation + ": expected a list of parts");
    for (const Json& each : of) all.push_back(part(each));
    return all;
  };
  const auto range = [&](const auto& cut) {
    if (!of.is_array() || of.size() != 3 || !of[1].is_number_integer() || !of[2].is_number_integer())
      fail(parameter, operation + ": expected [tensor, from, to]");
    return cut(part(of[0]), of[1].get<Index>(), of[2].get<Index>(), parameter);
  };
  if (operation == "transpose") {
    const Tensor x = part(of);
    return x.rank() == 2 ? transposed(x) : x;
  }
  if (operation == "columns")
    return range([&](const Tensor& x, Index a, Index b, const std::string& p) { return columns(x, a, b, p); });
  if (operation == "rows")
    return range([&](const Tensor& x, Index a, Index b, const std::string& p) { return rows(x, a, b, p); });
  if (operation == "concat") return concat(list(), parameter);
  if (operation == "flatten") {
    const Tensor x = part(of);
    return x.view(0, {x.size()});
  }
  if (operation == "negate") {
    Tensor x = part(of).clone();
    x.array() = -x.array();
    return x;
  }
  if (operation == "sum") {
    const std::vector<Tensor> all = list();
    Tensor total = all.front().clone();
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i].shape() != total.shape()) fail(parameter, "a sum needs parts of one shape");
      total.array() += all[i].array();
    }
    return total;
  }
  if (operation == "kernel") {  // nn.Conv1d [out x in x k] -> [k·in x out]
    const Tensor x = part(of);
    if (x.rank() != 3) fail(parameter, "kernel: expected 3 dimensions, found " + x.shape().text());
    const Index out = x.dim(0), in = x.dim(1), k = x.dim(2);
    Tensor y({k * in, out});
    for (Index o = 0; o < out; ++o)
      for (Index c = 0; c < in; ++c)
        for (Index j = 0; j < k; ++j) y[(j * in + c) * out + o] = x[(o * in + c) * k + j];
    return y;
  }
  if (operation == "fill") {
    if (!of.is_number()) fail(parameter, "fill: expected a number");
    return Tensor::full(wanted_, of.get<Scalar>());
  }
  fail(parameter, "there is no operation \"" + operation + "\"");
}

Tensor MappingRules::by_gates(const Tensor& x, const std::vector<Index>& order, std::size_t first, std::size_t last,
                              const std::string& parameter) const {
  const Index height = x.rank() == 1 ? x.size() : x.rows();
  const auto count = static_cast<Index>(std::max<std::size_t>(order.size(), 1));
  if (height % count != 0) fail(parameter, "expected " + std::to_string(count) + " gates, found " + x.shape().text());
  const Index block = height / count;
  std::vector<Tensor> parts;
  for (std::size_t g = first; g < last; ++g) {
    const Tensor part = rows(x, order[g] * block, (order[g] + 1) * block, parameter);
    parts.push_back(part.rank() == 2 ? transposed(part) : part);
  }
  return concat(parts, parameter);
}

std::optional<Tensor> MappingRules::from_module(const std::string& place, const Json& rule,
                                                const std::string& parameter) {
  const std::string number = layer_number(place, parameter), front = numbered(place, number);
  if (!parameter.starts_with(front + ".")) return {};
  const std::string leaf = parameter.substr(front.size() + 1);
  if (!rule.is_object() || !rule.contains("module") || !rule.contains("from") || !rule["module"].is_string() ||
      !rule["from"].is_string() || (rule.contains("suffix") && !rule["suffix"].is_string()))
    throw FormatError(where_ + ": modules: \"" + place + "\": expected \"module\" and \"from\"");
  const std::string kind = rule["module"].get<std::string>();
  const std::string cell = kind == "nn.LSTM" ? "lstm" : kind == "nn.GRU" ? "gru" : kind == "nn.RNN" ? "rnn" : "";
  if (cell.empty())
    throw FormatError(where_ + ": modules: \"" + place + "\": expected nn.LSTM, nn.GRU or nn.RNN, found \"" +
                      kind.substr(0, 60) + "\"");
  const std::string from = numbered(rule["from"].get<std::string>(), number) + ".",
                    suffix = numbered(rule.contains("suffix") ? rule["suffix"].get<std::string>() : "_l0", number);
  if (has(from + "weight_hr" + suffix) || has("weight_hr" + suffix))
    throw FormatError(where_ + ": modules: \"" + place + "\": an LSTM with proj_size is not one of our cells");
  const auto name = [&](const char* part) { return (from == "." ? std::string() : from) + part + suffix; };
  const std::vector<Index> order = gates(kind);
  const Json ranges = rule.value("columns", Json::object());
  const auto inputs = [&](const std::string& key) -> std::optional<Tensor> {
    const Tensor all = load(name("weight_ih"));
    if (!ranges.contains(key)) {
      if (key != cell + ".Wx" || !ranges.empty()) return {};
      return by_gates(all, order, 0, order.size(), parameter);
    }
    std::vector<Tensor> parts;
    Index width = 0;
    for (const Json& range : ranges[key]) {
      cancel_.check();
      if (!range.is_array() || range.size() != 2 || !range[0].is_number_integer() || !range[1].is_number_integer())
        fail(parameter, "columns: expected a list of [from, to]");
      parts.push_back(columns(all, range[0].get<Index>(), range[1].get<Index>(), parameter));
      width += parts.back().columns();
      if (width > kMostRepeated * all.columns())
        fail(parameter,
             "columns: they repeat those of the tensor more than " + std::to_string(kMostRepeated) + " times");
    }
    if (parts.empty()) fail(parameter, "columns: expected a list of [from, to]");
    return by_gates(concat(parts, parameter), order, 0, order.size(), parameter);
  };
  const auto bias = [&](const char* part) {
    if (has(name(part))) return load(name(part));
    const Tensor weights = load(name("weight_hh"));
    return Tensor::zeros({weights.rows()});
  };
  if (leaf == cell + ".Wx" || ranges.contains(leaf)) return inputs(leaf);
  if (leaf == cell + ".Wh") return by_gates(load(name("weight_hh")), order, 0, order.size(), parameter);
  if (leaf == cell + ".b") {
    Tensor b = by_gates(bias("bias_ih"), order, 0, order.size(), parameter);
    const Tensor h = by_gates(bias("bias_hh"), order, 0, order.size(), parameter);
    // Of a GRU the bias of the candidate's state stands behind the reset gate.
    const Index count = cell == "gru" ? b.size() / 3 * 2 : b.size();
    for (Index i = 0; i < count; ++i) b[i] += h[i];
    return b;
  }
  if (cell == "gru" && leaf == "gru.Uzr") return by_gates(load(name("weight_hh")), order, 0, 2, parameter);
  if (cell == "gru" && leaf == "gru.U") return by_gates(load(name("weight_hh")), order, 2, 3, parameter);
  if (cell == "gru" && leaf == "gru.c") return by_gates(bias("bias_hh"), order, 2, 3, parameter);
  return {};
}

std::string MappingRules::said(const std::string& parameter) const {
  for (const auto& [pattern, rule] : rules_.at("tensors").items())
    if (const auto number = number_in_name(pattern, parameter)) return said(rule, *number, 0);
  const auto modules = rules_.find("modules");
  if (modules == rules_.end()) return {};
  for (const auto& [place, rule] : modules->items())
    if (auto found = said_of_module(place, rule, parameter)) return *found;
  return {};
}

std::string MappingRules::full_name(const std::string& name) const {
  const auto place = place_of(name);
  return place ? file_.tensors()[*place].name : name;
}
// make() has looked at the rule already.
std::string MappingRules::said(const Json& rule, const std::string& number, int depth) const {
  if (rule.is_string()) return full_name(numbered(rule.get<std::string>(), number));
  if (!rule.is_object() || rule.size() != 1 || depth > kMostDepth) return {};
  const std::string operation = rule.begin().key();
  const Json& of = rule.begin().value();
  const auto part = [&](const Json& inner) { return said(inner, number, depth + 1); };
  const auto list = [&](const char* between) {
    std::string all;
    for (const Json& each : of) all += (all.empty() ? "" : between) + part(each);
    return all;
  };
  if (operation == "transpose") return part(of) + ".T";
  if (operation == "columns") return part(of[0]) + "[..., " + of[1].dump() + ":" + of[2].dump() + "]";
  if (operation == "rows") return part(of[0]) + "[" + of[1].dump() + ":" + of[2].dump() + "]";
  if (operation == "flatten") return part(of) + ".reshape(-1)";
  if (operation == "negate") return "-" + part(of);
  if (operation == "sum") return list(" + ");
  if (operation == "concat") return "concatenate([" + list(", ") + "], -1)";
  if (operation == "kernel") return part(of) + ".transpose(2, 1, 0)";
  return of.dump();
}
std::optional<std::string> MappingRules::said_of_module(const std::string& place, const Json& rule,
                                                        const std::string& parameter) const {
  const std::string number = layer_number(place, parameter);
  if (!parameter.starts_with(numbered(place, number) + ".")) return {};
  const std::string leaf = parameter.substr(parameter.rfind('.') + 1),
                    from = numbered(rule["from"].get<std::string>(), number),
                    suffix = numbered(rule.value("suffix", std::string("_l0")), number);
  const auto name = [&](const char* part) { return full_name((from.empty() ? from : from + ".") + part + suffix); };
  if (leaf == "b") return name("bias_ih") + " + " + name("bias_hh");
  if (leaf == "c") return name("bias_hh");
  return name(leaf == "Wh" || leaf.starts_with('U') ? "weight_hh" : "weight_ih") + ".T";
}

}  // namespace headlight
