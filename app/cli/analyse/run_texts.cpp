#include "app/cli/analyse/run_texts.h"

#include <iostream>

#include "app/cli/analyse/progress.h"
#include "app/cli/interruption.h"
#include "app/cli/overrides.h"
#include "app/cli/printed/result_json.h"
#include "app/cli/unused_options.h"
#include "model/analysis/bench/links.h"
#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "model/io/model_folder.h"
#include "model/io/text_list.h"
#include "model/text/message_line.h"
#include "model/text/utf8.h"

namespace headlight {

namespace {

// What is printed of a text: vectors of models that write nothing, else the output.
std::string line_of(const Result& result) {
  std::string line = escaped_line(result.source) + "\t" + escaped_line(result.output);
  for (const TextVector& vector : result.vectors) {
    Json numbers = Json::array();
    for (Index i = 0; i < vector.value.size(); ++i) numbers.push_back(vector.value[i]);
    if (result.steps.empty()) line += numbers.dump();
  }
  return line;
}

}  // namespace

int run_texts(const RunCommand& command, const DecodeSettings& decode) {
  const std::vector<ListedText> texts = read_text_list(command.texts);
  Request request;
  request.decode = decode;
  request.seed = command.decode.seed;
  request.model = with_settings(load_model(command.model), command.settings);
  if (request.model->stored) throw UsageError("--texts: stored attention has its own texts");
  warn(*request.model);
  request.interventions = edits_of(command.edits);
  request.capture.explain = false;
  request.trace = command.json || command.pharaoh;
  const Interruptible interruptible;
  request.cancel = interruptible.token();
  tell_unused(command, request.model.get());
  Progress progress(false);
  std::size_t done = 0;
  for (const ListedText& text : texts) {
    request.source = valid_utf8(text.text);
    request.second = text.second.empty() ? command.second : valid_utf8(text.second);
    request.target = text.target.empty() ? command.target : std::optional(valid_utf8(text.target));
    try {
      const auto result = std::make_shared<const Result>(run(request));
      if (command.json)
        std::cout << result_json(result).dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
      else if (command.pharaoh)
        std::cout << links_text(links_of_run(*result)) << "\n";
      else
        std::cout << line_of(*result) << "\n";
    } catch (const Cancelled&) {
      std::cout.flush();
      throw Interrupted("interrupted after " + std::to_string(done) + " of " + std::to_string(texts.size()) +
                        " texts, which are printed");
    } catch (const UsageError& error) {
      throw UsageError(command.texts + ":" + std::to_string(text.line) + ": " + error.what());
    }
    progress.tell(++done, texts.size(), "texts");
  }
  return 0;
}

}  // namespace headlight
