// run, inspect and verify.

#include "app/cli/commands.h"

#include <iomanip>
#include <iostream>
#include <map>

#include "app/cli/analyse/run_texts.h"
#include "app/cli/inspect_file.h"
#include "app/cli/interruption.h"
#include "app/cli/overrides.h"
#include "app/cli/printed/result_json.h"
#include "app/cli/printed/text_format.h"
#include "app/cli/printed/text_picture.h"
#include "app/cli/run_pretrained.h"
#include "app/cli/unused_options.h"
#include "app/document/about_run.h"
#include "app/document/model_list.h"
#include "model/analysis/bench/links.h"
#include "model/core/json_library.h"
#include "model/decode/run.h"
#include "model/io/dump.h"
#include "model/io/formats/mapping/mapping.h"
#include "model/io/model_folder.h"
#include "model/io/verify.h"
#include "model/models/variant.h"
#include "model/text/message_line.h"

namespace headlight {

namespace {

// Broken UTF-8 from the command line must not stop the output: it is replaced by U+FFFD.
void print(const Json& json) { std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n"; }

// A text that the model can read: its first example, or any token that can be typed.
std::string readable_text(const ModelBundle& bundle) {
  if (!bundle.examples.empty()) return sentences_of(bundle.examples.front()).first;
  for (const std::string& token : bundle.source_vocabulary().tokens())
    for (const TextToken& read : bundle.text.source.split(token))
      if (read.id && !read.unknown) return token;
  return {};
}

// A run of that text, to list its sites.
Result example_run(std::shared_ptr<const ModelBundle> bundle) {
  Request request;
  request.source = readable_text(*bundle);
  request.model = std::move(bundle);
  return run(request);
}

Json inspection(const ModelBundle& bundle, const Result& example, const TensorFile& tensors) {
  Json json{{"name", bundle.name}, {"folder", escaped_line(bundle.folder.string())}, {"title", bundle.title}};
  json["config"] = bundle.model->config();
  json["parameters"] = bundle.model->parameters().count();
  json["vocabulary"] = {{"source", bundle.source_vocabulary().size()}, {"target", bundle.target_vocabulary().size()}};
  json["runs"] = true;
  json["reason"] = nullptr;
  json["tensors"] = tensors_json(tensors);
  json["sites"] = Json::array();
  for (const TraceEntry& entry : example.trace->entries())
    json["sites"].push_back({{"site", entry.site.text}, {"shape", entry.value.shape().vector()}});
  return json;
}

std::string difference_text(const SiteDifference& site) {
  switch (site.state) {
    case SiteDifference::State::wrong_shape:
      return "expected shape " + site.expected.text() + ", found " + site.found.text();
    case SiteDifference::State::missing_in_run:
      return "missing in the run";
    case SiteDifference::State::missing_in_reference:
      return "missing in the reference, not checked";
    default:
      if (site.nan > 0) return "NaN in the reference, " + std::to_string(site.nan) + " numbers: it proves nothing";
      return format("%g", site.difference) + (site.within ? "" : "   above the tolerance");
  }
}

std::string failure_text(const Verification& verification) {
  for (const SiteDifference& site : verification.sites)
    if (site.failed()) return difference_text(site) + " at " + site.site;
  if (!verification.worst()) return "no site that both have";
  if (!verification.agrees()) return "nothing that the model computes: the reference has only what was given to it";
  for (const SiteDifference& site : verification.sites)
    if (site.state == SiteDifference::State::missing_in_reference && !site.within)
      return site.site + " " + difference_text(site) + " (with --partial a selection of sites is enough)";
  return {};
}

void print_inspection(const ModelBundle& bundle, const Result& example) {
  std::cout << bundle.name << ": " << bundle.title << "\nfolder  " << escaped_line(bundle.folder.string())
            << "\n\nconfig\n";
  for (const auto& item : bundle.model->config().items())
    std::cout << "  " << std::left << std::setw(22) << item.key() << " " << item.value().dump() << "\n";
  std::cout << "\nvocabulary\n  source " << bundle.source_vocabulary().size() << " tokens, target "
            << bundle.target_vocabulary().size() << " tokens\n\ntensors\n";
  for (const Parameter& p : bundle.model->parameters().all())
    std::cout << "  " << std::left << std::setw(28) << p.name << " " << std::setw(14) << p.value.shape().text()
              << std::right << std::setw(10) << p.value.size() << "\n";
  std::cout << "  " << std::left << std::setw(43) << "all" << std::right << std::setw(10)
            << bundle.model->parameters().count() << "\n\nsites of a run on '" << example.source
            << "', in the order of computation\n";
  for (const TraceEntry& entry : example.trace->entries())
    std::cout << "  " << std::left << std::setw(44) << entry.site.text << " " << std::setw(12)
              << entry.value.shape().text() << " " << (entry.site.kind ? entry.site.kind->title : "") << "\n";
}

DecodeSettings decode_settings(const DecodeOptions& options) {
  DecodeSettings settings;
  if (options.decode == "sample") settings.kind = DecodeSettings::Kind::sample;
  if (options.decode == "beam") settings.kind = DecodeSettings::Kind::beam;
  settings.sampling.temperature = options.temperature;
  settings.sampling.top_k = options.top_k;
  settings.sampling.top_p = options.top_p;
  settings.beam.width = options.beam;
  settings.beam.alpha = options.alpha;
  settings.beam.beta = options.beta;
  if (options.length_norm == "power") settings.beam.length_norm = LengthNorm::power;
  if (options.length_norm == "none") settings.beam.length_norm = LengthNorm::none;
  return settings;
}

// A session as it was, with what the line says itself.
void take_session(Request& request, const OpenedSession& session, const RunCommand& command) {
  const DecodeSettings decode = request.decode;
  request.inputs() = session.state.inputs();
  if (command.has("--decode")) request.decode = decode;
  if (command.has("--seed")) request.seed = command.decode.seed;
  request.model = with_settings(variant(session.model, *session.state.settings), command.settings);
}

Result run_interruptibly(Request request) {
  const Interruptible interruptible;
  request.cancel = interruptible.token();
  return run(request);
}

}  // namespace

int run_command(const RunCommand& command) {
  refuse_contradictions(command);
  if (!command.texts.empty()) return run_texts(command, decode_settings(command.decode));
  if (is_pretrained(command.model)) {
    if (!command.mapping.empty()) throw UsageError("--mapping: a folder says itself what its tensors are");
    if (!wants_what_ours_have(command)) return run_pretrained(command);
  }
  Request request;
  request.decode = decode_settings(command.decode);
  request.seed = command.decode.seed;
  if (const auto session = session_named(command.model))
    take_session(request, *session, command);
  else if (command.mapping.empty())
    request.model = with_settings(load_model(command.model), command.settings);
  else
    request.model = with_settings(open_mapped(command.model, command.mapping), command.settings);
  warn(*request.model);
  const bool ours = !is_session_file(command.model);
  request.ids = numbers_of_option(command.ids, "--ids");
  if (ours || command.has("--source")) request.source = chosen_text(*request.model, command.source);
  if (ours || command.has("--second")) request.second = command.second;
  if (ours || command.has("--type-ids")) request.type_ids = numbers_of_option(command.type_ids, "--type-ids");
  if (command.target) request.target = command.target;
  for (Intervention& edit : edits_of(command.edits)) request.interventions.push_back(std::move(edit));
  request.capture.explain = false;  // nobody can click on a number here
  const auto result = std::make_shared<const Result>(run_interruptibly(std::move(request)));
  check_reached(*result);
  tell_unused(command, result->model.get());
  if (!command.dump.empty()) dump_trace(*result->trace, command.dump, about_run(*result));
  if (command.json)
    print(result_json(result));
  else if (command.pharaoh)
    std::cout << links_text(links_of_run(*result)) << "\n";
  else
    std::cout << text_picture(*result);
  return 0;
}

int inspect_command(const InspectCommand& command) {
  if (!command.mapping.empty()) {
    print(proposed_mapping(command.model, command.mapping));
    tell_unused(command);
    return 0;
  }
  if (const Format* format = format_to_inspect(command.model)) return inspect_contents(*format, command);
  const auto bundle = load_model(command.model);
  warn(*bundle);
  const Result example = example_run(bundle);
  const Contents contents = format_of(bundle->folder)->contents(bundle->folder);
  if (command.json)
    print(inspection(*bundle, example, *contents.tensors));
  else
    print_inspection(*bundle, example);
  if (!command.dump.empty()) dump_tensors(*contents.tensors, command.dump);
  return 0;
}

int verify_command(const VerifyCommand& command) {
  if (is_pretrained(command.model)) {
    const int status = verify_pretrained(command);
    tell_unused(command, true);
    return status;
  }
  const auto bundle = load_model(command.model);
  warn(*bundle);
  const Verification verification = verify_model(bundle, command.reference);
  std::cout << "reference  " << escaped_line(verification.file.string()) << ", "
            << (verification.computed_by.empty() ? "which does not say what computed it"
                                                 : "computed by " + message_line(verification.computed_by))
            << "\nsource     " << escaped_line(verification.source)
            << (verification.further.empty()
                    ? std::string()
                    : ", and " + std::to_string(verification.further.size()) + " further texts: text[1] …")
            << "\n\n  " << std::left << std::setw(44) << "site"
            << " worst difference\n";
  int compared = 0;
  for (const SiteDifference& site : verification.sites) {
    if (site.state == SiteDifference::State::missing_in_reference && site.within) continue;
    compared += site.state == SiteDifference::State::compared;
    std::cout << "  " << std::left << std::setw(44) << message_line(site.site) << " " << difference_text(site) << "\n";
  }
  const bool passed = command.partial ? verification.agrees() : verification.passed();
  const SiteDifference* worst = verification.worst();
  std::cout << "\n"
            << (passed ? "passed" : "FAILED") << ": " << compared << " sites compared, tolerance "
            << verification.tolerance;
  if (worst) std::cout << ", worst difference " << worst->difference << " at " << worst->site;
  std::cout << "\n";
  if (passed && !verification.complete()) std::cout << "in part only: the reference does not have every site\n";
  if (!verification.independent)
    std::cout << "self-consistent only: the reference was not computed by another program\n";
  if (passed) return 0;
  throw FormatError(bundle->folder.string() + ": the run differs from the reference: expected every site within " +
                    format("%g", verification.tolerance) + ", found " + failure_text(verification));
}

}  // namespace headlight
