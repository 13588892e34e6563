// Settings and edits of the command line, and the warnings that belong to them.

#include "app/cli/overrides.h"

#include <algorithm>
#include <filesystem>

#include "app/messages.h"
#include "model/analysis/switches.h"
#include "model/io/json_file.h"
#include "model/models/variant.h"
#include "model/trace/edit_index.h"
#include "model/trace/edit_value.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

Json parse_settings(const std::vector<std::string>& texts) {
  Json settings = Json::object();
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) throw UsageError("--set: expected KEY=VALUE, found '" + text + "'");
    settings[text.substr(0, equals)] = typed_value(text.substr(equals + 1));
  }
  return settings;
}

std::shared_ptr<const ModelBundle> with_settings(std::shared_ptr<const ModelBundle> bundle,
                                                 const std::vector<std::string>& settings) {
  const Json wanted = parse_settings(settings);
  Json all = changed_settings(*bundle);  // with less of an adapter
  all.update(wanted);
  std::shared_ptr<const ModelBundle> changed;
  try {
    changed = variant(bundle, all);
  } catch (const UsageError& error) {
    throw UsageError(std::string("--set: ") + error.what());
  } catch (const FormatError& error) {
    throw FormatError(std::string("--set: ") + error.what());
  }
  if (!changed->trained) return changed;
  auto warned = std::make_shared<ModelBundle>(*changed);
  const Json& before = bundle->model->config();
  for (const auto& [key, value] : wanted.items())
    if (before[key] != value)
      warned->warnings.push_back("--set: the weights were trained with " + key + "=" + before[key].dump() +
                                 ", this run uses " + value.dump() + "; expect other outputs");
  for (const std::string& parameter : changed->untrained)
    warned->warnings.push_back("--set: this run needs " + parameter +
                               ", which was never trained: it holds random numbers");
  return warned;
}

bool is_session_file(const std::string& model) {
  return std::filesystem::path(model).extension() == std::string(".") + kSessionSuffix;
}

std::optional<OpenedSession> session_named(const std::string& model) {
  if (!is_session_file(model)) return {};
  OpenedSession opened = open_session(path_text(model));
  if (!opened.notice.isEmpty()) warn_line(opened.notice.toStdString());
  return opened;
}

void warn(const ModelBundle& bundle) {
  for (const std::string& warning : bundle.warnings) warn_line(warning);
}

void say_notes(const Result& result) {
  for (const RunNote& note : result.notes) say("headlight: warning: " + note_text(note));
}

std::string chosen_text(const ModelBundle& bundle, const std::string& source) {
  if (!bundle.stored || !source.empty()) return source;
  const Index count = bundle.stored->count();
  say("headlight: text 0" + (count == 1 ? std::string(", the only one")
                                        : " of " + std::to_string(count) + "; --source N chooses another one, from 0"));
  return "0";
}

std::vector<Intervention> edits_of(const std::vector<std::string>& texts) {
  try {
    return parse_interventions(texts);
  } catch (const UsageError& error) {
    throw UsageError(std::string("--edit: ") + error.what());
  }
}

void check_reached(const Result& result) {
  if (result.not_reached.empty() || !result.trace) return;
  std::vector<std::string> sites;
  for (const Intervention& edit : result.interventions) sites.push_back(edit.site);
  const EditIndex index(sites);
  const std::vector<int>& open = result.not_reached;
  for (const TraceEntry& entry : result.trace->entries())
    for (const EditIndex::Match& match : index.of(entry.site.text))
      if (std::ranges::binary_search(open, static_cast<int>(match.edit)))
        throw UsageError("--edit: " + no_such_cell(result.interventions[match.edit], entry.site, entry.value.shape()));
}

}  // namespace headlight
