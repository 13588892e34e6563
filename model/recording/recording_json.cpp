#include "model/recording/recording_json.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "model/core/errors.h"
#include "model/io/json_file.h"

namespace headlight {

namespace {

constexpr std::int64_t kMostCounted = std::int64_t{1} << 48;
constexpr std::size_t kMostTexts = 100'000;
constexpr Index kLargestParameter = 1'000'000'000;

// A number of a moment by its name in the file; NaN is null.
struct MomentNumber {
  const char* name;
  double Moment::*value;
};
constexpr MomentNumber kMomentNumbers[] = {{"seconds", &Moment::seconds},
                                           {"loss", &Moment::loss},
                                           {"right_trained", &Moment::right_trained},
                                           {"right_unseen", &Moment::right_unseen},
                                           {"perplexity", &Moment::perplexity},
                                           {"looks_right", &Moment::looks_right},
                                           {"concentration", &Moment::concentration},
                                           {"learning_rate", &Moment::learning_rate},
                                           {"gradient_norm", &Moment::gradient_norm}};

struct RecordingText {
  const char* name;
  std::string Recording::*value;
};
constexpr RecordingText kTexts[] = {{"title", &Recording::title},
                                    {"task_title", &Recording::task_title},
                                    {"recorded_at", &Recording::recorded_at},
                                    {"machine", &Recording::machine}};

struct RecordingCount {
  const char* name;
  Index Recording::*value;
};
constexpr RecordingCount kCounts[] = {{"longest", &Recording::longest},   {"numbers", &Recording::numbers},
                                      {"examples", &Recording::examples}, {"held_out", &Recording::held_out},
                                      {"updates", &Recording::updates},   {"reads", &Recording::reads}};

Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json probe_json(const Probe& probe) {
  Json links = Json::array();
  for (const Link& link : probe.alignment) links.push_back({link.source, link.target});
  return {{"source", probe.source},
          {"target", probe.target},
          {"alignment", std::move(links)},
          {"source_tokens", probe.source_tokens},
          {"target_tokens", probe.target_tokens}};
}

Json run_json(const ProbeRun& run) {
  Json output = Json::array(), probability = Json::array(), right = Json::array();
  for (const ProbeToken& token : run.output) {
    output.push_back(token.text);
    probability.push_back(number_json(token.probability));
    right.push_back(token.right);
  }
  return {{"output", std::move(output)}, {"probability", std::move(probability)}, {"right", std::move(right)}};
}

Json moment_json(const Moment& moment) {
  Json json{{"update", moment.update}, {"read", moment.read}};
  for (const MomentNumber& number : kMomentNumbers) json[number.name] = number_json(moment.*number.value);
  Json gradients = Json::array(), probes = Json::array();
  for (const double norm : moment.layer_gradients) gradients.push_back(number_json(norm));
  for (const ProbeRun& run : moment.probes) probes.push_back(run_json(run));
  json["layer_gradients"] = std::move(gradients);
  json["probes"] = std::move(probes);
  json["written"] = moment.written;
  return json;
}

// A value of the file, with the keys that lead to it for messages.
class Part {
 public:
  Part(const Json& value, std::string file, std::string where)
      : value_(value), file_(std::move(file)), where_(std::move(where)) {}

  Part at(const char* key) const {
    const std::string where = where_.empty() ? key : where_ + "." + key;
    if (!value_.is_object() || !value_.contains(key))
      throw FormatError(file_ + ": " + where + ": expected, found none");
    return {value_[key], file_, where};
  }
  std::vector<Part> list(std::size_t most) const {
    if (!value_.is_array() || value_.size() > most) refuse("a list of at most " + std::to_string(most));
    std::vector<Part> parts;
    for (std::size_t i = 0; i < value_.size(); ++i)
      parts.push_back({value_[i], file_, where_ + "[" + std::to_string(i) + "]"});
    return parts;
  }
  std::string text() const {
    if (!value_.is_string()) refuse("a text");
    return value_.get<std::string>();
  }
  Index count(std::int64_t least, std::int64_t most) const {
    most = std::min<std::int64_t>(most, std::numeric_limits<Index>::max());
    if (!value_.is_number_integer() || value_ < least || value_ > most)
      refuse("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return value_.get<Index>();
  }
  double number() const {
    if (value_.is_null()) return kNotMeasured;
    if (!value_.is_number() || !std::isfinite(value_.get<double>())) refuse("a number or null");
    return value_.get<double>();
  }
  bool flag() const {
    if (!value_.is_boolean()) refuse("true or false");
    return value_.get<bool>();
  }
  std::vector<std::string> texts(std::size_t most) const {
    std::vector<std::string> texts;
    for (const Part& part : list(most)) texts.push_back(part.text());
    return texts;
  }
  bool is_null() const { return value_.is_null(); }
  const Json& value() const { return value_; }
  [[noreturn]] void refuse(const std::string& expected) const {
    constexpr std::size_t kShown = 60;
    std::string found = value_.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (value_.is_array() || value_.is_object())
      found = (value_.is_array() ? "a list of " : "an object of ") + std::to_string(value_.size());
    else if (found.size() > kShown)
      found = found.substr(0, kShown) + "...";
    throw FormatError(file_ + ": " + where_ + ": expected " + expected + ", found " + found);
  }

 private:
  const Json& value_;
  std::string file_, where_;
};

Probe read_probe_json(const Part& part) {
  Probe probe{part.at("source").text(), part.at("target").text()};
  probe.source_tokens = part.at("source_tokens").texts(kMostTokens);
  probe.target_tokens = part.at("target_tokens").texts(kMostTokens);
  const auto most = static_cast<std::int64_t>(kMostTokens);
  for (const Part& link : part.at("alignment").list(kMostTexts)) {
    const std::vector<Part> ends = link.list(2);
    if (ends.size() != 2) link.refuse("two places");
    probe.alignment.push_back({ends[0].count(0, most), ends[1].count(0, most)});
  }
  return probe;
}

ProbeRun read_run(const Part& part) {
  ProbeRun run;
  const auto output = part.at("output").list(kMostTokens), probability = part.at("probability").list(kMostTokens),
             right = part.at("right").list(kMostTokens);
  if (probability.size() != output.size()) part.at("probability").refuse(std::to_string(output.size()) + " numbers");
  if (right.size() != output.size()) part.at("right").refuse(std::to_string(output.size()) + " flags");
  for (std::size_t t = 0; t < output.size(); ++t) {
    const double share = probability[t].number();
    if (share < 0 || share > 1.001) probability[t].refuse("a number from 0 to 1");
    run.output.push_back({output[t].text(), share, right[t].flag()});
  }
  return run;
}

Moment read_moment(const Part& part, const Recording& recording) {
  Moment moment;
  moment.update = part.at("update").count(0, kMostCounted);
  moment.read = part.at("read").count(0, kMostCounted);
  for (const MomentNumber& number : kMomentNumbers) moment.*number.value = part.at(number.name).number();
  for (const Part& norm : part.at("layer_gradients").list(recording.layers.size()))
    moment.layer_gradients.push_back(norm.number());
  for (const Part& run : part.at("probes").list(kMostProbes)) moment.probes.push_back(read_run(run));
  if (moment.probes.size() != recording.probes.size())
    part.at("probes").refuse("a list of " + std::to_string(recording.probes.size()) + ", one for each probe");
  if (const std::size_t groups = moment.layer_gradients.size(); groups != 0 && groups != recording.layers.size())
    part.at("layer_gradients").refuse("none, or a list of " + std::to_string(recording.layers.size()));
  moment.written = part.at("written").texts(kMostProbes);
  if (moment.written.size() != recording.starts.size())
    part.at("written").refuse("a list of " + std::to_string(recording.starts.size()) + ", one for each start");
  return moment;
}

Recording::ParameterShape read_parameter(const Part& part) {
  Recording::ParameterShape parameter{part.at("name").text(), {}};
  std::vector<Index> sizes;
  Index numbers = 1;
  for (const Part& size : part.at("shape").list(Shape::kMaxRank)) {
    sizes.push_back(size.count(1, kLargestParameter));
    if (sizes.back() > kLargestParameter / numbers) part.at("shape").refuse("at most a thousand million numbers");
    numbers *= sizes.back();
  }
  parameter.shape = Shape(sizes);
  return parameter;
}

TrainingSettings read_settings(const Part& part) {
  try {
    return TrainingSettings::from_json(part.value());
  } catch (const std::exception&) {
    part.refuse("the settings of a training");
  }
}

void read_parts(const Part& whole, Recording& recording) {
  for (const Part& probe : whole.at("probes").list(kMostProbes)) recording.probes.push_back(read_probe_json(probe));
  recording.starts = whole.at("starts").texts(kMostProbes);
  for (const Part& map : whole.at("maps").list(kMostMaps))
    recording.maps.push_back({map.at("name").text(), static_cast<int>(map.at("layer").count(-1, kMostMaps)),
                              static_cast<int>(map.at("head").count(-1, kMostMaps)), map.at("self").flag()});
  recording.layers = whole.at("layers").texts(kMostMaps);
  for (const Part& parameter : whole.at("parameters").list(kMostTexts))
    recording.parameters.push_back(read_parameter(parameter));
  for (const Part& part : whole.at("moments").list(kMostMoments)) {
    auto moment = std::make_shared<const Moment>(read_moment(part, recording));
    if (!recording.moments.empty() && recording.moments.back()->update >= moment->update)
      part.at("update").refuse("more than " + std::to_string(recording.moments.back()->update));
    recording.moments.push_back(std::move(moment));
  }
}

}  // namespace

Json recording_json(const Recording& recording) {
  Json json{{"settings", recording.settings.to_json()}};
  for (const RecordingText& text : kTexts) json[text.name] = recording.*text.value;
  for (const RecordingCount& count : kCounts) json[count.name] = recording.*count.value;
  json["thinned"] = recording.thinned;
  json["whole"] = recording.whole;
  json["failure"] = nullptr;
  if (const auto& failure = recording.failure)
    json["failure"] = {
        {"update", failure->update}, {"loss_before", number_json(failure->loss_before)}, {"message", failure->message}};
  json["starts"] = recording.starts;
  json["layers"] = recording.layers;
  for (const char* key : {"probes", "maps", "parameters", "moments"}) json[key] = Json::array();
  for (const Probe& probe : recording.probes) json["probes"].push_back(probe_json(probe));
  for (const RecordedMap& map : recording.maps)
    json["maps"].push_back({{"name", map.name}, {"layer", map.layer}, {"head", map.head}, {"self", map.self}});
  for (const Recording::ParameterShape& p : recording.parameters)
    json["parameters"].push_back({{"name", p.name}, {"shape", p.shape.vector()}});
  for (const auto& moment : recording.moments) json["moments"].push_back(moment_json(*moment));
  return json;
}

Recording read_recording_json(const std::string& text, const std::string& name) {
  constexpr JsonLimits kLimits{16, 2'000'000, 20'000'000, false};
  const Json json = parse_json(text, name, kLimits);
  const Part whole(json, name, "");
  Recording recording;
  recording.settings = read_settings(whole.at("settings"));
  for (const RecordingText& row : kTexts) recording.*row.value = whole.at(row.name).text();
  for (const RecordingCount& row : kCounts) recording.*row.value = whole.at(row.name).count(0, kMostCounted);
  recording.thinned = whole.at("thinned").flag();
  recording.whole = whole.at("whole").flag();
  if (const Part failure = whole.at("failure"); !failure.is_null())
    recording.failure = {failure.at("update").count(0, kMostCounted), failure.at("loss_before").number(),
                         failure.at("message").text()};
  read_parts(whole, recording);
  return recording;
}

}  // namespace headlight
