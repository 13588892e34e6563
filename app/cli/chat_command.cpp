// 'headlight chat': what the chat template of a folder makes of messages.

#include <iostream>

#include "app/cli/commands.h"
#include "model/core/errors.h"
#include "model/io/formats/chat/chat_format.h"
#include "model/io/formats/chat/chat_template.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/json_file.h"

namespace headlight {

namespace {

constexpr std::uint64_t kLargestMessages = 64u << 20;

ChatRequest request_of(const ChatCommand& command) {
  ChatRequest request;
  request.messages = read_json(command.messages, kLargestMessages);
  request.generation_prompt = command.generation_prompt;
  request.goes_on = command.goes_on;
  request.name = command.name;
  request.now = command.now.empty() ? local_time() : command.now;
  if (!command.tools.empty()) request.tools = read_json(command.tools, kLargestMessages);
  if (!command.documents.empty()) request.documents = read_json(command.documents, kLargestMessages);
  for (const std::string& setting : command.settings) {
    const std::size_t at = setting.find('=');
    if (at == std::string::npos || at == 0) throw UsageError("--set takes KEY=VALUE, found '" + setting + "'");
    request.variables.emplace_back(setting.substr(0, at), typed_value(setting.substr(at + 1)));
  }
  return request;
}

Json chat_json(const Chat& chat) {
  Json ids = Json::array(), mask = Json::array(), lines = Json::array();
  for (const pretrained::EncodedToken& token : chat.tokens) ids.push_back(token.id);
  for (const bool inside : chat.assistant_mask) mask.push_back(inside ? 1 : 0);
  for (const auto& piece : chat.pieces) lines.push_back({{"byte", piece.begin}, {"line", piece.line}});
  Json spans = nullptr;
  if (chat.spans) {
    spans = Json::array();
    for (const MessageSpan& span : *chat.spans)
      spans.push_back(
          {{"role", span.role}, {"from", span.from}, {"to", span.to}, {"characters", {span.begin, span.end}}});
  }
  return {{"text", chat.text},
          {"ids", std::move(ids)},
          {"spans", std::move(spans)},
          {"assistant_mask", std::move(mask)},
          {"lines", std::move(lines)}};
}

}  // namespace

int chat_command(const ChatCommand& command) {
  const ChatRequest request = request_of(command);
  const ChatTemplates templates(snapshot_of(command.folder));
  try {
    if (!command.json) {
      std::cout << templates.text(request).text;
      return 0;
    }
    const Chat chat = templates.chat(request, *open_tokenizer(command.folder));
    std::cout << chat_json(chat).dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
    return 0;
  } catch (const jinja::TemplateError& error) {
    throw Error(command.folder + ": the chat template (" + jinja::name_of(error.kind) + "): " + error.what());
  }
}

}  // namespace headlight
