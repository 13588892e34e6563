// The chat template of a folder: messages become the text that a model was trained on, as apply_chat_template of
// transformers 5.24 makes it.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/core/json_library.h"
#include "model/text/jinja/render.h"
#include "model/text/pretrained/tokenizer.h"

namespace headlight {

struct ChatRequest {
  Json messages;                   // [{"role", "content", …}]
  bool generation_prompt = false;  // end with what begins an answer
  bool goes_on = false;            // the last message is not ended: the model goes on with it
  std::optional<Json> tools, documents;
  std::string name;  // of the template; empty: `tool_use` where there are tools, else `default`
  std::vector<std::pair<std::string, Json>> variables;
  std::string now;  // ISO 8601
};

// Where the text of a message stands, without its outer blanks.
struct MessageSpan {
  std::string role;
  std::size_t begin = 0, end = 0;  // code points
  std::size_t from = 0, to = 0;    // tokens that overlap it
};

struct Chat {
  std::string text;
  std::vector<jinja::Rendered::Piece> pieces;  // which line of the template wrote what
  // Nothing where the template takes the texts apart.
  std::optional<std::vector<MessageSpan>> spans;
  std::vector<std::pair<std::size_t, std::size_t>> answers;  // {% generation %}, in code points
  pretrained::Encoding tokens;
  std::vector<bool> assistant_mask;  // one for each token: it overlaps an answer
};

class ChatTemplates {
 public:
  // chat_template.jinja and additional_chat_templates/NAME.jinja; without any, chat_template of tokenizer_config.json
  // (a text, or [{name, template}]). Or a GGUF file, which has them in its metadata. Throws FileError and FormatError.
  explicit ChatTemplates(const std::filesystem::path& folder);
  // One that stands in a file of another kind (GGUF).
  ChatTemplates(std::string text, std::map<std::string, std::string> special_tokens);

  bool empty() const { return templates_.empty(); }
  std::vector<std::string> names() const;
  // The one that serves a request. Throws jinja::TemplateError (no_template) with the names that there are.
  const std::string& chosen(const ChatRequest& request) const;
  // The text alone. Throws jinja::TemplateError, and FormatError for messages that are none.
  jinja::Rendered text(const ChatRequest& request) const;
  Chat chat(const ChatRequest& request, const pretrained::Tokenizer& tokenizer) const;

 private:
  jinja::Rendered rendered(const ChatRequest& request, const Json& messages) const;
  std::optional<std::vector<MessageSpan>> spans_of(const ChatRequest& request, const std::string& text) const;

  std::map<std::string, std::string> templates_;
  std::map<std::string, std::string> special_;  // bos_token -> "<s>"
};

}  // namespace headlight
