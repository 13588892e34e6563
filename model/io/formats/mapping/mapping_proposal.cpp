// What names and shapes say about which tensor is which of our parameters.

#include <algorithm>
#include <cctype>
#include <set>
#include <unordered_map>

#include "model/io/formats/mapping/mapping.h"
#include "model/io/formats/mapping/mapping_rules.h"
#include "model/io/state_dict.h"
#include "model/models/registry.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostPairs = 20'000'000;  // of a parameter and a tensor

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
  mapping["format"] = kMappingFormat;
  const Settings settings(mapping, where);
  const std::string type = settings.text("model_type");
  if (!mapping.contains("model")) mapping["model"] = Json::object();
  if (!mapping.contains("tensors")) mapping["tensors"] = Json::object();
  check_objects(settings, mapping);
  const std::shared_ptr<const TensorFile> tensors = mapped_weights(file);
  std::vector<NameWords> theirs;
  for (const TensorEntry& entry : tensors->tensors()) theirs.push_back(words_of(entry.name));
  Json config = mapping["model"];
  config["model_type"] = type;
  // How many tokens there are, the tables say.
  for (const auto& [key, side] :
       {std::pair("source_vocabulary_size", "encoder"), {"target_vocabulary_size", "decoder"}}) {
    if (config.contains(key)) continue;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      const std::set<std::string>& words = theirs[i].words;
      const TensorEntry& entry = tensors->tensors()[i];
      const bool of_side = words.count(side) > 0, table = words.count("embed") && !words.count("pos");
      if (entry.shape.size() != 2 || !table || !(of_side || !config.contains(key))) continue;
      config[key] = entry.shape[0];
      if (of_side) break;
    }
  }
  std::unique_ptr<Model> model;
  try {
    model = make_model(config, {InitialValues::Kind::none});
  } catch (const Error& error) {
    throw FormatError(where + ": model: " + error.what());
  }
  if (const std::size_t ours = model->parameters().all().size(); ours * theirs.size() > kMostPairs)
    throw FormatError(where + ": the model has " + std::to_string(ours) + " parameters and the file " +
                      std::to_string(theirs.size()) + " tensors: too many to tell which is which");
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
        given.items(), [&](const auto& rule) { return number_in_name(rule.key(), parameter.name).has_value(); });
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
  std::vector<std::vector<const Choice*>> of_parameter(names.size());
  for (const Choice& choice : choices) of_parameter[choice.parameter].push_back(&choice);
  std::set<std::size_t> done;
  for (const Choice& choice : choices) {
    const std::string& theirs_name = tensors->tensors()[choice.tensor].name;
    if (done.count(choice.parameter) || used.count(theirs_name)) continue;
    Json equal = Json::array();
    for (const Choice* other : of_parameter[choice.parameter])
      if (other->score == choice.score && !used.count(tensors->tensors()[other->tensor].name))
        equal.push_back(tensors->tensors()[other->tensor].name);
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

}  // namespace headlight
