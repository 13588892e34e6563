#include "model/io/formats/chat/chat_format.h"

#include <ctime>
#include <utility>

#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "model/io/formats/chat/chat_template.h"
#include "model/text/utf8.h"

namespace headlight {

namespace {

ChatRequest request_of_chat(const Json& chat) {
  ChatRequest request;
  if (const auto found = chat.find("messages"); found != chat.end()) request.messages = *found;
  if (!request.messages.is_array()) throw FormatError("a chat: messages: expected a list of messages");
  request.generation_prompt = chat.value("generation_prompt", false);
  if (const auto found = chat.find("tools"); found != chat.end()) request.tools = *found;
  request.name = chat.value("template", std::string());
  request.now = local_time();
  return request;
}

class TemplatesOfModel : public ChatFormat {
 public:
  TemplatesOfModel(ChatTemplates templates, std::shared_ptr<const pretrained::Tokenizer> tokenizer,
                   std::shared_ptr<const OtherTokenizer> bare)
      : templates_(std::move(templates)), tokenizer_(std::move(tokenizer)), bare_(std::move(bare)) {}

  ChatText read(const Json& json) const override {
    const ChatRequest request = request_of_chat(json);
    Chat chat = templates_.chat(request, *tokenizer_);
    ChatText made;
    made.tokens = bare_->split(chat.text);
    std::vector<std::size_t> starts;  // of code points
    for (std::size_t at = 0; at < chat.text.size(); at += std::max<std::size_t>(1, code_point_length(chat.text, at)))
      starts.push_back(at);
    starts.push_back(chat.text.size());
    for (const MessageSpan& span : chat.spans.value_or(std::vector<MessageSpan>()))
      made.parts.push_back({span.role, starts.at(span.begin), starts.at(span.end)});
    for (TextToken& token : made.tokens)
      for (const ChatText::Part& part : made.parts)
        if (token.end > part.begin && token.begin < part.end) token.speaker = voice_of(part.role);
    for (const auto& piece : chat.pieces) made.pieces.push_back({piece.begin, piece.line});
    made.text = std::move(chat.text);
    made.source = templates_.chosen(request);
    return made;
  }
  std::vector<std::string> names() const override { return templates_.names(); }

 private:
  ChatTemplates templates_;
  std::shared_ptr<const pretrained::Tokenizer> tokenizer_;
  std::shared_ptr<const OtherTokenizer> bare_;
};

}  // namespace

std::shared_ptr<const ChatFormat> open_chat_format(const std::filesystem::path& path,
                                                   std::shared_ptr<const pretrained::Tokenizer> tokenizer,
                                                   std::shared_ptr<const OtherTokenizer> bare) {
  ChatTemplates templates(path);
  if (templates.empty()) return nullptr;
  return std::make_shared<const TemplatesOfModel>(std::move(templates), std::move(tokenizer), std::move(bare));
}

std::string local_time() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  return text;
}

}  // namespace headlight
