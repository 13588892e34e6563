#include "model/io/formats/mapping.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "model/core/budget.h"
#include "model/io/file.h"
#include "model/io/formats/pretrained_text.h"
#include "model/io/json_file.h"
#include "model/io/tensor_values.h"
#include "model/models/registry.h"
#include "model/text/message_line.h"
#include "model/text/utf8.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFormat = "headlight-mapping-1";
constexpr std::uint64_t kMaxMapping = 4u << 20, kMaxVocabulary = 64u << 20;
constexpr int kMostDepth = 16;
// What training programs put around a state dict.
constexpr const char* kWrappings[] = {"",
                                      "model_state_dict.",
                                      "state_dict.",
                                      "state_dict.model.",
                                      "model.",
                                      "module.",
                                      "state_dict.module.",
                                      "model.module.",
                                      "net.",
                                      "network.",
                                      "model_state_dict.module."};

// "a.3.b" for "a.#.b" gives "3"; nothing when the name is no case of the pattern.
std::optional<std::string> number_of(const std::string& pattern, const std::string& name) {
  const std::size_t at = pattern.find('#');
  if (at == std::string::npos) return pattern == name ? std::optional(std::string()) : std::nullopt;
  const std::string behind = pattern.substr(at + 1);
  if (name.size() < pattern.size() || !name.starts_with(pattern.substr(0, at)) || !name.ends_with(behind)) return {};
  std::string number = name.substr(at, name.size() - at - behind.size());
  return number.find_first_not_of("0123456789") == number.npos ? std::optional(number) : std::nullopt;
}

std::string numbered(std::string text, const std::string& number) {
  for (std::size_t at = 0; (at = text.find('#', at)) != std::string::npos; at += number.size())
    text.replace(at, 1, number);
  return text;
}

Tensor transposed(const Tensor& x) {
  Tensor y({x.columns(), x.rows()});
  y.matrix() = x.matrix().transpose();
  return y;
}

// The tensors of the file, and the rules by which they become ours.
class Builder {
 public:
  Builder(const TensorFile& file, const Json& rules, std::string where)
      : file_(file), rules_(rules), where_(std::move(where)) {
    for (std::size_t i = 0; i < file.tensors().size(); ++i) by_name_.emplace(file.tensors()[i].name, i);
  }

  // What the rules make the parameter of, as NumPy writes it; see ModelBundle::in_file.
  std::string said(const std::string& parameter) const {
    for (const auto& [pattern, rule] : rules_.at("tensors").items())
      if (const auto number = number_of(pattern, parameter)) return said(rule, *number, 0);
    const auto modules = rules_.find("modules");
    if (modules == rules_.end()) return {};
    for (const auto& [place, rule] : modules->items())
      if (auto found = said_of_module(place, rule, parameter)) return *found;
    return {};
  }

  // The parameter of this name. Throws FormatError where no rule makes it.
  Tensor make(const std::string& parameter) {
    for (const auto& [pattern, rule] : rules_.at("tensors").items())
      if (const auto number = number_of(pattern, parameter)) return value(rule, *number, parameter, 0);
    if (rules_.contains("modules"))
      for (const auto& [place, rule] : rules_.at("modules").items())
        if (auto made = from_module(place, rule, parameter)) return *made;
    throw FormatError(where_ + ": nothing says which tensor is our \"" + parameter + "\"");
  }

  void check_all_used() const {
    std::vector<std::string> ignored;
    if (rules_.contains("ignored"))
      for (const Json& end : rules_.at("ignored"))
        if (end.is_string()) ignored.push_back(end.get<std::string>());
    for (std::size_t i = 0; i < file_.tensors().size(); ++i) {
      const std::string& name = file_.tensors()[i].name;
      const bool around = !wrapping_.empty() && !name.starts_with(wrapping_);
      const bool known = used_.count(i) || around ||
                         std::ranges::any_of(ignored, [&](const std::string& end) { return name.ends_with(end); });
      if (!known)
        throw FormatError(where_ + ": the tensor \"" + name +
                          "\" is used nowhere; name it in \"ignored\" if that is right");
    }
  }

  // [rows x columns] of a tensor that is mapped as it is; for the size of a vocabulary.
  std::optional<std::uint64_t> rows_of(const std::string& parameter) {
    for (const auto& [pattern, rule] : rules_.at("tensors").items())
      if (number_of(pattern, parameter) && rule.is_string()) return file_.tensors()[find(rule)].shape.at(0);
    return {};
  }

 private:
  [[noreturn]] void fail(const std::string& parameter, const std::string& what) const {
    throw FormatError(where_ + ": tensors: \"" + parameter + "\": " + what);
  }

  std::size_t find(const std::string& name) {
    for (const char* wrapping : kWrappings)
      if (const auto found = by_name_.find(wrapping + name); found != by_name_.end()) {
        if (*wrapping) wrapping_ = wrapping;
        used_.insert(found->second);
        return found->second;
      }
    throw FormatError(where_ + ": there is no tensor \"" + name + "\" in the file");
  }
  bool has(const std::string& name) const {
    return std::ranges::any_of(kWrappings, [&](const char* wrapping) { return by_name_.count(wrapping + name) > 0; });
  }
  Tensor load(const std::string& name) {
    const std::size_t i = find(name);
    if (!has_fractions(file_.tensors()[i]))
      throw FormatError(where_ + ": tensor \"" + name + "\": expected weights of type F16, BF16, F32 or F64, found " +
                        file_.tensors()[i].dtype);
    return numbers_of(file_, i, where_);
  }

  Tensor columns(const Tensor& x, Index begin, Index end, const std::string& parameter) const {
    if (begin < 0 || end > x.columns() || begin >= end)
      fail(parameter, "expected columns from 0 to " + std::to_string(x.columns()) + ", found " + std::to_string(begin) +
                          " to " + std::to_string(end));
    Tensor part(x.rank() == 1 ? Shape{end - begin} : Shape{x.rows(), end - begin});
    part.matrix() = x.matrix().middleCols(begin, end - begin);
    return part;
  }
  Tensor rows(const Tensor& x, Index begin, Index end, const std::string& parameter) const {
    if (x.rank() == 1) return columns(x, begin, end, parameter);
    return transposed(columns(transposed(x), begin, end, parameter));
  }
  Tensor concat(const std::vector<Tensor>& parts, const std::string& parameter) const {
    Index width = 0;
    for (const Tensor& part : parts) {
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

  Tensor value(const Json& rule, const std::string& number, const std::string& parameter, int depth) {
    if (depth > kMostDepth) fail(parameter, "rules go at most " + std::to_string(kMostDepth) + " deep");
    if (rule.is_string()) return load(numbered(rule.get<std::string>(), number));
    if (!rule.is_object() || rule.size() != 1)
      fail(parameter,
           "expected the name of a tensor or one operation, found " + rule.dump(-1, ' ', true).substr(0, 80));
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
    if (operation == "fill") return filled(of, parameter);
    fail(parameter, "there is no operation \"" + operation + "\"");
  }

  std::string full_name(const std::string& name) const {
    for (const char* wrapping : kWrappings)
      if (by_name_.count(wrapping + name)) return wrapping + name;
    return name;
  }
  // make() has looked at the rule already.
  std::string said(const Json& rule, const std::string& number, int depth) const {
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
  std::optional<std::string> said_of_module(const std::string& place, const Json& rule,
                                            const std::string& parameter) const {
    const std::size_t mark = place.find('#');
    std::string number;
    if (mark != place.npos)
      for (std::size_t at = mark; at < parameter.size() && std::isdigit(static_cast<unsigned char>(parameter[at]));
           ++at)
        number += parameter[at];
    if (!parameter.starts_with(numbered(place, number) + ".")) return {};
    const std::string leaf = parameter.substr(parameter.rfind('.') + 1),
                      from = numbered(rule["from"].get<std::string>(), number),
                      suffix = numbered(rule.value("suffix", std::string("_l0")), number);
    const auto name = [&](const char* part) { return full_name((from.empty() ? from : from + ".") + part + suffix); };
    if (leaf == "b") return name("bias_ih") + " + " + name("bias_hh");
    if (leaf == "c") return name("bias_hh");
    return name(leaf == "Wh" || leaf.starts_with('U') ? "weight_hh" : "weight_ih") + ".T";
  }

  Tensor filled(const Json& of, const std::string& parameter) const {
    if (!of.is_number()) fail(parameter, "fill: expected a number");
    const Tensor* wanted = wanted_;
    if (!wanted) fail(parameter, "fill: not within another operation");
    return Tensor::full(wanted->shape(), of.get<Scalar>());
  }

  // Cells of torch.nn: blocks of rows, one for each gate, become our columns in our order.
  static std::vector<Index> gates(const std::string& kind) {
    if (kind == "nn.LSTM") return {1, 2, 0, 3};  // i f g o -> f g i o
    if (kind == "nn.GRU") return {1, 0, 2};      // r z n -> z r n
    return {0};
  }
  Tensor by_gates(const Tensor& x, const std::vector<Index>& order, std::size_t first, std::size_t last,
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

  // {"decoder": {"module": "nn.GRU", "from": "decoder.rnn", "suffix": "_l0", "columns": {"gru.Wx": [[0, 10]], ...}}}
  std::optional<Tensor> from_module(const std::string& place, const Json& rule, const std::string& parameter) {
    // "encoder.layer[#].fwd": one rule for all layers.
    const std::size_t mark = place.find('#');
    std::string number;
    std::string front = place;
    if (mark != place.npos) {
      const std::string start = place.substr(0, mark);
      if (!parameter.starts_with(start)) return {};
      std::size_t end = start.size();
      while (end < parameter.size() && std::isdigit(static_cast<unsigned char>(parameter[end]))) ++end;
      number = parameter.substr(start.size(), end - start.size());
      front = numbered(place, number);
    }
    if (!parameter.starts_with(front + ".")) return {};
    const std::string leaf = parameter.substr(front.size() + 1);
    if (!rule.is_object() || !rule.contains("module") || !rule.contains("from") || !rule["module"].is_string() ||
        !rule["from"].is_string())
      throw FormatError(where_ + ": modules: \"" + place + "\": expected \"module\" and \"from\"");
    const std::string kind = rule["module"].get<std::string>();
    const std::string cell = kind == "nn.LSTM" ? "lstm" : kind == "nn.GRU" ? "gru" : kind == "nn.RNN" ? "rnn" : "";
    if (cell.empty())
      throw FormatError(where_ + ": modules: \"" + place + "\": expected nn.LSTM, nn.GRU or nn.RNN, found \"" +
                        kind.substr(0, 60) + "\"");
    const std::string from = numbered(rule["from"].get<std::string>(), number) + ".",
                      suffix = numbered(rule.value("suffix", std::string("_l0")), number);
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
      for (const Json& range : ranges[key]) {
        if (!range.is_array() || range.size() != 2 || !range[0].is_number_integer() || !range[1].is_number_integer())
          fail(parameter, "columns: expected a list of [from, to]");
        parts.push_back(columns(all, range[0].get<Index>(), range[1].get<Index>(), parameter));
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

 public:
  const Tensor* wanted_ = nullptr;  // the parameter that is being made

 private:
  const TensorFile& file_;
  const Json& rules_;
  std::string where_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::set<std::size_t> used_;
  std::string wrapping_;
};

void check_mapping(const Json& json, const fs::path& path) {
  const Settings settings(json, path.string());
  if (const std::string format = settings.text("format", ""); format != kFormat)
    settings.fail("format", std::string("expected \"") + kFormat + "\", found \"" + format.substr(0, 60) + "\"");
  for (const char* key : {"model", "tensors"})
    if (!settings.at(key).is_object()) settings.fail(key, "expected an object");
  if (json.contains("modules") && !json["modules"].is_object()) settings.fail("modules", "expected an object");
}

Json read_mapping(const fs::path& path) {
  Json json = read_json(path, kMaxMapping);
  check_mapping(json, path);
  return json;
}

// A line for each token, or a list in the mapping itself.
std::optional<Vocabulary> vocabulary_of(const Settings& text, const char* key, const fs::path& file,
                                        const fs::path& mapping) {
  if (!text.has(key)) return {};
  const Json& value = text.at(key);
  if (value.is_array()) return Vocabulary(text.texts(key));
  const std::string name = text.text(key);
  if (name.empty() || name.find('/') != name.npos || name == "..")
    text.fail(key, "expected the name of a file beside the weights, or a list of tokens");
  std::error_code none;
  fs::path path = file.parent_path() / name;
  if (!fs::exists(path, none)) path = mapping.parent_path() / name;
  const std::string bytes = read_file(path, kMaxVocabulary);
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    std::string token = bytes.substr(at, end - at);
    if (token.ends_with('\r')) token.pop_back();
    tokens.push_back(std::move(token));
    at = end + 1;
  }
  try {
    return Vocabulary(std::move(tokens));
  } catch (const FormatError& error) {
    throw FormatError(path.string() + ": " + error.what());
  }
}

TextRules read_text(const Settings& text, const fs::path& file, const fs::path& mapping,
                    const std::optional<Vocabulary>& source, const std::optional<Vocabulary>& target) {
  (void)file, (void)mapping;
  text.allow_only({"source_vocabulary", "target_vocabulary", "tokenizer", "lower_case", "start", "end", "padding",
                   "source_start", "source_end", "longest_output"});
  TextRules rules;
  const std::string name = text.text("tokenizer", "words");
  const auto found = std::find(std::begin(kTokenizerNames), std::end(kTokenizerNames), name);
  if (found == std::end(kTokenizerNames) || name == "bpe")
    text.fail("tokenizer", "expected \"characters\" or \"words\", found \"" + name + "\"");
  const auto kind = static_cast<TokenizerKind>(found - std::begin(kTokenizerNames));
  const auto flag = [&](const char* key) { return text.has(key) && text.at(key) == Json(true); };
  rules.source = Tokenizer(*source, kind, flag("lower_case"));
  rules.target = Tokenizer(*target, kind, flag("lower_case"));
  const auto token = [&](const char* key) -> std::optional<TokenId> {
    if (!text.has(key)) return {};
    const std::string wanted = text.text(key);
    const auto id = rules.target.vocabulary().find(wanted);
    if (!id) text.fail(key, "\"" + wanted + "\" is not in the target vocabulary");
    return id;
  };
  rules.bos = token("start").value_or(0);
  rules.eos = token("end");
  rules.pad = token("padding");
  rules.source_bos = flag("source_start");
  rules.source_eos = flag("source_end");
  rules.target_length = text.integer("longest_output", 0, 4096, 0);
  return rules;
}

std::shared_ptr<const TensorFile> weights_in(const fs::path& file) {
  const Format* format = format_of(file);
  if (!format) throw FormatError(file.string() + ": this is no file of weights");
  return format->contents(file).tensors;
}

}  // namespace

std::shared_ptr<const ModelBundle> open_mapped(const fs::path& file, const fs::path& mapping, const Opening& opening) {
  return open_rules(file, read_mapping(mapping), mapping, opening);
}

std::shared_ptr<const ModelBundle> open_rules(const fs::path& file, const Json& rules, const fs::path& mapping,
                                              const Opening& opening) {
  check_mapping(rules, mapping);
  const Settings settings(rules, mapping.string());
  settings.allow_only({"format", "title", "description", "weights", "model_type", "model", "text", "tensors", "modules",
                       "ignored", "examples"});
  const std::shared_ptr<const TensorFile> tensors = weights_in(file);
  const std::string where = mapping.string();
  Builder builder(*tensors, rules, where);
  auto bundle = std::make_shared<ModelBundle>();
  Json config = rules.at("model");
  config["model_type"] = settings.text("model_type");
  std::optional<Vocabulary> source, target;
  if (settings.has("text")) {
    const Settings text = settings.object("text");
    source = vocabulary_of(text, "source_vocabulary", file, mapping);
    target = vocabulary_of(text, "target_vocabulary", file, mapping);
    if (!target) target = source;
    if (!source) text.fail("source_vocabulary", "expected the name of a file or a list of tokens");
    bundle->text = read_text(text, file, mapping, source, target);
  }
  for (const auto& [key, vocabulary, embedding] : {std::tuple("source_vocabulary_size", &source, "encoder.embed.W"),
                                                   {"target_vocabulary_size", &target, "decoder.embed.W"}}) {
    if (*vocabulary)
      config[key] = (*vocabulary)->size();
    else if (!config.contains(key))
      config[key] = builder.rows_of(embedding).value_or(builder.rows_of("embed.W").value_or(0));
  }
  try {
    make_model(config, {InitialValues::Kind::none});
    std::unique_ptr<Model> model = make_model(config, {InitialValues::Kind::zeros});
    double read = 0;
    for (Parameter& parameter : model->parameters().all()) {
      opening.report(read / static_cast<double>(std::max<Index>(1, model->parameters().count())));
      read += static_cast<double>(parameter.value.size());
      builder.wanted_ = &parameter.value;
      const Tensor made = builder.make(parameter.name);
      if (made.shape() != parameter.value.shape())
        throw FormatError(where + ": tensors: \"" + parameter.name + "\": expected " + parameter.value.shape().text() +
                          ", as \"model\" says, found " + made.shape().text());
      std::copy_n(made.data(), made.size(), parameter.value.data());
    }
    builder.check_all_used();
    auto in_file = std::make_shared<std::map<std::string, std::string>>();
    for (const Parameter& parameter : model->parameters().all())
      (*in_file)[parameter.name] = builder.said(parameter.name);
    bundle->in_file = std::move(in_file);
    bundle->model = std::move(model);
  } catch (const FormatError& error) {
    if (std::string(error.what()).starts_with(where)) throw;
    throw FormatError(where + ": model: " + error.what());
  } catch (const UsageError& error) {  // an architecture that does not exist
    throw FormatError(where + ": model_type: " + error.what());
  }
  if (!source) {
    const auto size = [&](const char* key) { return bundle->model->config().at(key).get<Index>(); };
    const auto numbers = [&](const char* key) {
      const std::vector<std::string> shown = shown_tokens(nullptr, size(key));
      return Tokenizer(as_tokenizer(nullptr, shown, false), Vocabulary::shown(shown));
    };
    bundle->text.source = numbers("source_vocabulary_size");
    bundle->text.target = numbers("target_vocabulary_size");
  }
  bundle->folder = mapping;
  bundle->name = escaped_line(last_part(file));
  bundle->title = message_line(settings.text("title", bundle->name));
  bundle->description = settings.text("description", "");
  if (settings.has("examples")) bundle->examples = settings.texts("examples");
  return bundle;
}

namespace {

// The words of a name by which two programs can be compared: "encoder.layers.0.self_attention.fc_q.weight" has encoder,
// self, attn, q, and the number 0.
struct NameWords {
  std::set<std::string> words;
  std::vector<std::string> numbers;
  std::string side;  // "encoder" or "decoder", whichever it says first
  bool is_norm() const { return words.count("norm") > 0; }
};
NameWords words_of(const std::string& name) {
  static const std::unordered_map<std::string, std::string> same = {{"embedding", "embed"}, {"embeddings", "embed"},
                                                                    {"emb", "embed"},       {"tok", ""},
                                                                    {"token", ""},          {"position", "pos"},
                                                                    {"positions", "pos"},   {"w", ""},
                                                                    {"weight", ""},         {"gamma", ""},
                                                                    {"b", "bias"},          {"beta", "bias"},
                                                                    {"attention", "attn"},  {"query", "q"},
                                                                    {"key", "k"},           {"value", "v"},
                                                                    {"o", "out"},           {"output", "out"},
                                                                    {"proj", ""},           {"linear", "ffn"},
                                                                    {"fc", "ffn"},          {"ff", "ffn"},
                                                                    {"feedforward", "ffn"}, {"positionwise", "ffn"},
                                                                    {"mlp", "ffn"},         {"layernorm", "norm"},
                                                                    {"ln", "norm"},         {"enc", "encoder"},
                                                                    {"src", "encoder"},     {"dec", "decoder"},
                                                                    {"tgt", "decoder"},     {"trg", "decoder"},
                                                                    {"layer", ""},          {"layers", ""},
                                                                    {"blocks", ""},         {"h", ""},
                                                                    {"affine", "out"},      {"rnn", ""}};
  NameWords all;
  std::string word;
  const auto end = [&] {
    if (word.empty()) return;
    if (word.find_first_not_of("0123456789") == word.npos) {
      all.numbers.push_back(word);
    } else {
      const auto known = same.find(word);
      const std::string& meant = known == same.end() ? word : known->second;
      if (!meant.empty()) all.words.insert(meant);
      if (all.side.empty() && (meant == "encoder" || meant == "decoder")) all.side = meant;
    }
    word.clear();
  };
  for (const char c : name) {
    const auto letter = static_cast<unsigned char>(c);
    const bool digit = std::isdigit(letter), part = std::isalnum(letter);
    if (!part || (!word.empty() && digit != static_cast<bool>(std::isdigit(static_cast<unsigned char>(word.back())))))
      end();
    if (part) word += static_cast<char>(std::tolower(letter));
  }
  end();
  return all;
}

// As far as both say it.
bool same_layer(const NameWords& a, const NameWords& b) {
  return a.numbers.empty() || b.numbers.empty() || a.numbers.front() == b.numbers.front();
}

double likeness(const NameWords& ours, const NameWords& theirs) {
  std::vector<std::string> common;
  std::set_intersection(ours.words.begin(), ours.words.end(), theirs.words.begin(), theirs.words.end(),
                        std::back_inserter(common));
  const auto shared = static_cast<double>(common.size());
  const double apart = static_cast<double>(ours.words.size() + theirs.words.size()) - 2 * shared;
  // The number of a layer tells more than any word.
  const bool numbered = !ours.numbers.empty() && !theirs.numbers.empty();
  const double numbers = !numbered ? 0 : ours.numbers.front() == theirs.numbers.front() ? 1 : -8;
  const double rest = ours.numbers == theirs.numbers ? 1 : 0;
  const double sides = ours.side == theirs.side || ours.side.empty() || theirs.side.empty() ? 0 : -8;
  const double norms = ours.is_norm() == theirs.is_norm() ? 0 : -8;
  return 2 * shared - apart + numbers + rest + sides + norms;
}

// How a tensor of this shape would become the parameter; null: not at all.
Json rule_for(const std::string& parameter, const Shape& shape, const TensorEntry& entry) {
  const std::vector<Index> dims = shape.vector();
  const std::vector<Index> theirs(entry.shape.begin(), entry.shape.end());
  const bool table = parameter.ends_with("embed.W") || parameter.ends_with("pos.W");
  const bool turned = dims.size() == 2 && theirs.size() == 2 && dims[0] == theirs[1] && dims[1] == theirs[0];
  // nn.Linear stores [out x in]; a table of embeddings lies as ours does.
  if (turned && !table) return Json{{"transpose", entry.name}};
  if (dims == theirs) return Json(entry.name);
  if (theirs.size() == 3 && dims.size() == 2 && dims[1] == theirs[0] && dims[0] == theirs[1] * theirs[2])
    return Json{{"kernel", entry.name}};
  return nullptr;
}

}  // namespace

Json proposed_mapping(const fs::path& file, const fs::path& started) {
  return proposed_mapping(file, read_json(started, kMaxMapping), started.string());
}

Json proposed_mapping(const fs::path& file, Json mapping, const std::string& where) {
  if (!mapping.is_object()) throw FormatError(where + ": expected an object");
  mapping["format"] = kFormat;
  const Settings settings(mapping, where);
  const std::string type = settings.text("model_type");
  if (!mapping.contains("model")) mapping["model"] = Json::object();
  if (!mapping.contains("tensors")) mapping["tensors"] = Json::object();
  for (const char* key : {"model", "tensors"})
    if (!mapping[key].is_object()) settings.fail(key, "expected an object");
  if (mapping.contains("modules") && !mapping["modules"].is_object()) settings.fail("modules", "expected an object");
  const std::shared_ptr<const TensorFile> tensors = weights_in(file);
  std::vector<NameWords> theirs;
  for (const TensorEntry& entry : tensors->tensors()) theirs.push_back(words_of(entry.name));
  Json config = mapping["model"];
  config["model_type"] = type;
  // How many tokens there are, the tables say.
  for (const auto& [key, side] :
       {std::pair("source_vocabulary_size", "encoder"), {"target_vocabulary_size", "decoder"}}) {
    if (config.contains(key)) continue;
    for (std::size_t i = 0; i < theirs.size(); ++i)
      if (const TensorEntry& entry = tensors->tensors()[i]; entry.shape.size() == 2 && theirs[i].words.count("embed") &&
                                                            !theirs[i].words.count("pos") &&
                                                            (theirs[i].words.count(side) || !config.contains(key)))
        if (theirs[i].words.count(side) || !config.contains(key)) {
          config[key] = entry.shape[0];
          if (theirs[i].words.count(side)) break;
        }
  }
  std::unique_ptr<Model> model;
  try {
    model = make_model(config, {InitialValues::Kind::none});
  } catch (const Error& error) {
    throw FormatError(where + ": model: " + error.what());
  }
  std::set<std::string> used;
  Json questions = Json::object(), missing = Json::array(), unused = Json::array();
  const Json given = mapping["tensors"];
  const std::string written = given.dump() + (mapping.contains("modules") ? mapping["modules"].dump() : "");
  struct Choice {
    double score;
    std::size_t parameter, tensor;
  };
  std::vector<Choice> choices;
  std::vector<std::string> names;
  for (const Parameter& parameter : model->parameters().all()) {
    const bool ruled = std::ranges::any_of(
        given.items(), [&](const auto& rule) { return number_of(rule.key(), parameter.name).has_value(); });
    bool of_module = false;
    if (mapping.contains("modules"))
      for (const auto& [place, rule] : mapping["modules"].items())
        of_module = of_module || parameter.name.starts_with(place.substr(0, place.find('#')));
    const std::size_t number = names.size();
    names.push_back(ruled || of_module ? std::string() : parameter.name);
    if (names.back().empty()) continue;
    const NameWords ours = words_of(parameter.name);
    if (ours.is_norm()) {
      // Which norm stands where, no name says for sure.
      Json fitting = Json::array();
      for (std::size_t i = 0; i < theirs.size(); ++i)
        if (theirs[i].is_norm() && theirs[i].side == ours.side && same_layer(ours, theirs[i]) &&
            theirs[i].words.count("bias") == ours.words.count("bias") &&
            !rule_for(parameter.name, parameter.value.shape(), tensors->tensors()[i]).is_null())
          fitting.push_back(tensors->tensors()[i].name);
      if (fitting.size() > 1) {
        questions[parameter.name] = fitting;
        names.back().clear();
        continue;
      }
    }
    for (std::size_t i = 0; i < theirs.size(); ++i)
      if (!rule_for(parameter.name, parameter.value.shape(), tensors->tensors()[i]).is_null())
        choices.push_back({likeness(ours, theirs[i]), number, i});
  }
  // The surest first; what a tensor is used for, it is not for another.
  std::ranges::stable_sort(choices, [](const Choice& a, const Choice& b) { return a.score > b.score; });
  std::set<std::size_t> done;
  for (const Choice& choice : choices) {
    const std::string& theirs_name = tensors->tensors()[choice.tensor].name;
    if (done.count(choice.parameter) || used.count(theirs_name)) continue;
    Json equal = Json::array();
    for (const Choice& other : choices)
      if (other.parameter == choice.parameter && other.score == choice.score &&
          !used.count(tensors->tensors()[other.tensor].name))
        equal.push_back(tensors->tensors()[other.tensor].name);
    const std::string& ours = names[choice.parameter];
    done.insert(choice.parameter);
    if (equal.size() > 1) {
      questions[ours] = equal;
      continue;
    }
    used.insert(theirs_name);
    mapping["tensors"][ours] =
        rule_for(ours, model->parameters().all()[choice.parameter].value.shape(), tensors->tensors()[choice.tensor]);
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!names[i].empty() && !done.count(i))
      missing.push_back(names[i] + " " + model->parameters().all()[i].value.shape().text());
  for (const TensorEntry& entry : tensors->tensors())
    if (!used.count(entry.name) && written.find('"' + entry.name + '"') == written.npos)
      unused.push_back(entry.name + " " + shape_text(entry.shape));
  if (!questions.empty()) mapping["questions"] = questions;
  if (!missing.empty()) mapping["missing"] = missing;
  if (!unused.empty()) mapping["unused"] = unused;
  return mapping;
}

namespace {

fs::path weights_named(const fs::path& mapping) {
  const Json json = read_mapping(mapping);
  const std::string name = Settings(json, mapping.string()).text("weights", "");
  if (name.empty() || name.find('/') != name.npos || name == "..")
    throw FormatError(mapping.string() + ": it names no weights; 'headlight run WEIGHTS --mapping " +
                      mapping.filename().string() + "' says which they are");
  return mapping.parent_path() / name;
}

}  // namespace

Format mapping_format() {
  return {"mapping",
          "mapping of a state dict",
          "a JSON file with \"format\": \"headlight-mapping-1\"",
          false,
          true,
          "*.json",
          [](const fs::path& path) {
            if (path.extension() != ".json") return false;
            try {
              const Json json = read_json(path, kMaxMapping);
              return json.is_object() && json.contains("format") && json["format"] == kFormat;
            } catch (const Error&) {
              return false;
            }
          },
          [](const fs::path& path) -> Contents {
            return {weights_in(weights_named(path)), true, {}, {}};
          },
          [](const fs::path& path, const Opening& opening) { return open_mapped(weights_named(path), path, opening); },
          [](const fs::path& path) -> ModelDescription {
            auto bundle = std::make_shared<ModelBundle>(*open_mapped(weights_named(path), path));
            const ModelTraits traits = bundle->model->traits();
            bundle->model = nullptr;
            return {std::move(bundle), traits};
          },
          [](const fs::path&) -> ModelCard { return {}; },
          [](const fs::path& path) {
            return std::vector<fs::path>{path, weights_named(path)};
          }};
}

}  // namespace headlight
