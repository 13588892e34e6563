#include "app/cli/analyse/analysis_run.h"

#include <algorithm>
#include <iostream>

#include "app/cli/analyse/analyse_options.h"
#include "app/cli/overrides.h"
#include "app/document/model_hash.h"
#include "app/messages.h"
#include "model/analysis/bench/text_heads.h"
#include "model/core/errors.h"
#include "model/io/model_folder.h"
#include "model/text/message_line.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr std::size_t kMostTextsAbout = 100;  // whose tokens a result carries

}  // namespace

AnalysisRun::AnalysisRun(const AnalyseCommand& command)
    : command_(command), bundle_(load_model(command.model)), progress_(command.quiet) {
  if (!bundle_->stored) reader_.emplace(bundle_);
  const AnalyseMethod& method = analyse_method(command.method);
  if (!command.out.empty()) check_result_ending(command.out);
  std::vector<ListedText> list;
  if (!command.texts.empty()) list = read_text_list(command.texts);
  if (bundle_->stored) {
    list_stored(method);
  } else if (command.has("--source") || command.texts.empty()) {
    listed_.push_back({command.source, command.second, {}, command.output, 0});
    beside_ = std::move(list);
  } else {
    listed_ = std::move(list);
    if (listed_.size() > 1 && !method.lists)
      throw UsageError("--texts: analyse " + command.method + " is of one text, found a list of " +
                       std::to_string(listed_.size()));
    for (ListedText& text : listed_) {
      if (text.second.empty()) text.second = command.second;
      if (reader().writes_after_encoder()) text.target = text.written();
      if (text.target.empty()) text.target = command.output;
    }
  }
}

// As many as there are, or the one that --source names.
void AnalysisRun::list_stored(const AnalyseMethod& method) {
  if (!method.stored)
    throw UsageError("analyse " + command_.method + " needs a model: " + bundle_->name + " is stored attention");
  if (!command_.texts.empty()) throw UsageError("--texts: stored attention has its own texts");
  if (command_.has("--source")) throw UsageError("--source: stored attention is analysed as a whole, text by text");
  listed_.resize(static_cast<std::size_t>(bundle_->stored->count()));
}

const TextReader& AnalysisRun::reader() const {
  if (!reader_) throw UsageError(bundle_->name + " is stored attention: there is no model that could read a text");
  return *reader_;
}

TextIds AnalysisRun::ids_of(const std::string& source, const std::string& second, const std::string& output) const {
  return ids_of_listed(reader(), {source, second, {}, output, 0}, cancel());
}

// A second text is compared with the first, or both are one text of the model.
bool AnalysisRun::second_is_apart() const {
  return command_.method == "similarity" ||
         (command_.method == "effect" && (command_.target == "similarity" || command_.off == "other"));
}

AnalysedText AnalysisRun::text(std::size_t i) const {
  const ListedText& given = listed_[i];
  AnalysedText made{given, ids_of(given.text, second_is_apart() ? std::string() : given.second, given.target)};
  if (i < kMostTextsAbout) shown_.insert_or_assign(i, made);
  return made;
}

std::vector<TextIds> AnalysisRun::reference() const {
  std::vector<TextIds> all;
  for (const ListedText& text : beside_.empty() ? listed_ : beside_)
    all.push_back(ids_of(text.text, {}, text.written()));
  return all;
}

void AnalysisRun::interrupted_after(std::size_t done, std::size_t of, const char* what) {
  if (done == 0) throw Cancelled();
  interrupted_ = "interrupted after " + std::to_string(done) + " of " + std::to_string(of) + " " + what;
  result_.notes.push_back(interrupted_ + ": the result is that of these");
}

std::size_t AnalysisRun::each_text(const std::function<void(std::size_t)>& use) {
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    try {
      cancel().check();
      use(i);
    } catch (const Cancelled&) {
      interrupted_after(i, listed_.size(), "texts");
      return i;
    } catch (const UsageError& error) {
      if (listed_[i].line == 0) throw;
      throw UsageError(command_.texts + ":" + std::to_string(listed_[i].line) + ": " + error.what());
    }
    progress_.tell(i + 1, listed_.size(), "texts");
  }
  return listed_.size();
}

bool AnalysisRun::wants(const SideReading& side) const {
  return command_.side.empty() || command_.side == side_kind(side.kind);
}

std::string AnalysisRun::side_prefix(const Reading& reading, const SideReading& side) const {
  return reading.sides.size() > 1 ? std::string(side_kind(side.kind)) + "." : std::string();
}

HeadMaps AnalysisRun::maps(const SideReading& side) const {
  HeadMaps maps{{}, side.kind != AttentionMap::Kind::cross, side.causal};
  for (const LayerReading& layer : side.layers) maps.layers.push_back(layer.weights);
  return maps;
}

TokenId AnalysisRun::token_named(const std::string& text, bool several) const {
  const ModelBundle& bundle = *bundle_;
  if (text.starts_with("#") && text.size() > 1 && text.size() < 9 &&
      text.find_first_not_of("0123456789", 1) == text.npos)
    return static_cast<TokenId>(std::stol(text.substr(1)));
  const std::vector<std::string>& words = bundle.target_vocabulary().tokens();
  if (const auto found = std::ranges::find(words, text); found != words.end())
    return static_cast<TokenId>((found - words.begin()) / (several ? 2 : 1));
  std::vector<TokenId> ids;
  if (!bundle.on_top)
    for (const TextToken& token : bundle.text.target.split(text))
      if (token.id && !token.unknown && token.begin != token.end) ids.push_back(*token.id);
  if (ids.size() == 1) return ids.front();
  throw UsageError("the target: '" + text + "' is " +
                   (ids.empty() ? "no" : std::to_string(ids.size()) + " tokens, not one") +
                   (ids.empty() ? " token or class of this model" : "") + "; #NUMBER names one by its number");
}

Json AnalysisRun::about() const {
  Json json = result_.about;
  json["method"] = command_.method;
  json["model"] = escaped_line(bundle_->name);
  const auto hash = model_hash(path_text(bundle_->folder.string()));
  json["model_hash"] = hash.toHex().toStdString();
  Json options = Json::object();
  const auto put = [&](const char* name, const auto& value) {
    if (command_.has(std::string("--") + name)) options[name] = value;
  };
  put("side", command_.side);
  put("pair", command_.pair);
  put("off", command_.off);
  put("other", command_.other);
  put("rule", command_.rule);
  put("threshold", command_.threshold);
  put("length", command_.length);
  put("repeats", command_.repeats);
  put("rows", command_.rows);
  put("head", command_.head);
  json["options"] = std::move(options);
  json["seed"] = command_.seed;
  json["counted_from"] = command_.count_from;
  if (command_.method == "repeated") return json;
  json["texts_in_all"] = listed_.size();
  if (bundle_->stored) return json;
  json["texts"] = Json::array();
  for (const auto& [i, text] : shown_) {
    Json one{{"text", text.given.text}, {"tokens", reader().words(text.ids.ids)}, {"ids", text.ids.ids}};
    if (!text.given.second.empty()) one["second"] = text.given.second;
    if (!text.given.label.empty()) one["label"] = text.given.label;
    if (!text.ids.fed.empty()) one["fed"] = reader().words(text.ids.fed, true);
    json["texts"].push_back(std::move(one));
  }
  return json;
}

int AnalysisRun::finish() {
  progress_.clear();
  if (command_.json || !command_.out.empty()) result_.about = about();
  if (!command_.out.empty()) write_result(result_, command_.out);
  if (command_.json) {
    std::cout << analysis_json(result_).dump(1, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    std::cout << plain_text(result_.table);
    for (const std::string& note : result_.notes) std::cout << "\n" << note;
    if (!result_.notes.empty()) std::cout << "\n";
  }
  if (!interrupted_.empty()) throw Interrupted(interrupted_ + "; their result is kept");
  return 0;
}

}  // namespace headlight
