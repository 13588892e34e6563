#include "model/io/formats/chat/chat_template.h"

#include <algorithm>

#include "model/io/file.h"
#include "model/io/formats/gguf/gguf_tokenizer.h"
#include "model/io/json_file.h"
#include "model/io/text_file.h"
#include "model/text/jinja/letters.h"

namespace headlight {

namespace {

namespace fs = std::filesystem;
using jinja::TemplateError;

constexpr std::uint64_t kLargestTemplate = 4u << 20, kLargestConfig = 64u << 20;
constexpr const char* kDefault = "default";
// Around what a message says, to find it again; nobody writes these.
constexpr const char* kOpen = "\uE0F1";
constexpr const char* kClose = "\uE0F2";
constexpr char32_t kOpenLetter = 0xE0F1, kCloseLetter = 0xE0F2;
constexpr const char* kGoesOn = "CONTINUE_FINAL_MESSAGE_TAG ";

bool is_template_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// Keys without a value are gone, and the names that the thoughts of a model have fill each other.
Json cleaned(const Json& messages) {
  if (!messages.is_array()) throw FormatError("messages: expected a list of objects with role and content");
  Json all = Json::array();
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (!messages[i].is_object())
      throw FormatError("messages: item " + std::to_string(i) + ": expected an object with role and content");
    Json one = Json::object();
    for (const auto& [key, value] : messages[i].items())
      if (!value.is_null()) one[key] = value;
    constexpr const char* kThoughts[] = {"reasoning_content", "thinking", "reasoning"};
    for (const char* from : kThoughts) {
      if (!one.contains(from)) continue;
      const Json value = one[from];
      for (const char* to : kThoughts)
        if (!one.contains(to)) one[to] = value;
      break;
    }
    all.push_back(std::move(one));
  }
  return all;
}

// Calls change() with each text that a message says: its content, or the texts of its parts.
template <class Change>
void each_text(Json& message, const Change& change) {
  const auto content = message.find("content");
  if (content == message.end()) return;
  if (content->is_string()) {
    *content = change(content->get<std::string>());
  } else if (content->is_array()) {
    for (Json& part : *content)
      if (part.is_object() && part.contains("text") && part["text"].is_string())
        part["text"] = change(part["text"].get<std::string>());
  }
}

// The last message with the mark behind what it says; that text.
std::string mark_last(Json& messages) {
  if (messages.empty()) throw TemplateError(TemplateError::Kind::other, "there is no message to go on with");
  Json& last = messages.back();
  Json* text = nullptr;
  if (last.contains("content") && last["content"].is_string()) text = &last["content"];
  if (last.contains("content") && last["content"].is_array())
    for (Json& part : last["content"])
      if (part.is_object() && part.contains("text") && part["text"].is_string()) text = &part["text"];
  if (!text) throw TemplateError(TemplateError::Kind::other, "the last message has no text to go on with");
  const auto said = text->get<std::string>();
  *text = said + kGoesOn;
  return said;
}

// What stands before the mark; where the template trimmed the text, without the blanks before it.
void cut_at_mark(jinja::Rendered& made, const std::string& said) {
  const std::string tag = kGoesOn, bare = jinja::stripped(tag);
  const std::size_t at = made.text.rfind(bare);
  if (at == std::string::npos || made.text.find(jinja::stripped(said)) == std::string::npos)
    throw TemplateError(TemplateError::Kind::other,
                        "the template changes the last message: there is nothing to go on with");
  const bool trimmed = made.text.compare(at, tag.size(), tag) != 0;
  made.text.resize(at);
  if (trimmed) made.text = jinja::stripped(made.text, jinja::Side::right);
  std::erase_if(made.pieces, [&](const auto& piece) { return piece.begin >= made.text.size(); });
  std::erase_if(made.generations, [&](const auto& part) { return part.first >= made.text.size(); });
  for (auto& part : made.generations) part.second = std::min(part.second, made.text.size());
}

std::map<std::string, std::string> special_tokens(const Json& config) {
  std::map<std::string, std::string> found;
  for (const char* key : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}) {
    const auto value = config.find(key);
    if (value == config.end()) continue;
    if (value->is_string()) found[key] = value->get<std::string>();
    if (value->is_object() && value->contains("content") && value->at("content").is_string())
      found[key] = value->at("content").get<std::string>();
  }
  return found;
}

std::string without_marks(const std::string& text) {
  std::u32string plain;
  for (const char32_t letter : jinja::letters(text))
    if (letter != kOpenLetter && letter != kCloseLetter) plain += letter;
  return jinja::utf8(plain);
}

}  // namespace

ChatTemplates::ChatTemplates(std::string text, std::map<std::string, std::string> special)
    : special_(std::move(special)) {
  if (!text.empty()) templates_[kDefault] = std::move(text);
}

ChatTemplates::ChatTemplates(const fs::path& folder) {
  if (is_gguf(folder)) {
    GgufTemplates of_file = gguf_templates(GgufFile(folder));
    templates_ = std::move(of_file.templates);
    special_ = std::move(of_file.special);
    return;
  }
  const fs::path config_file = folder / "tokenizer_config.json";
  const Json config = is_template_file(config_file) ? read_python_json(config_file, kLargestConfig) : Json::object();
  if (config.is_object()) special_ = special_tokens(config);
  if (const fs::path file = folder / "chat_template.jinja"; is_template_file(file))
    templates_[kDefault] = read_text_file(file, kLargestTemplate);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder / "additional_chat_templates", ignored))
    if (entry.path().extension() == ".jinja" && is_template_file(entry.path()))
      templates_[entry.path().stem().string()] = read_text_file(entry.path(), kLargestTemplate);
  if (!templates_.empty() || !config.is_object() || !config.contains("chat_template")) return;
  const Json& said = config["chat_template"];
  if (said.is_string()) templates_[kDefault] = said.get<std::string>();
  if (!said.is_array()) return;
  for (const Json& each : said)
    if (each.is_object() && each.contains("name") && each["name"].is_string() && each.contains("template") &&
        each["template"].is_string())
      templates_[each["name"].get<std::string>()] = each["template"].get<std::string>();
}

std::vector<std::string> ChatTemplates::names() const {
  std::vector<std::string> all;
  for (const auto& [name, text] : templates_) all.push_back(name);
  return all;
}

const std::string& ChatTemplates::chosen(const ChatRequest& request) const {
  const auto refuse = [&](std::string text) {
    for (const auto& [name, unused] : templates_)
      text += (name == templates_.begin()->first ? "; there are: " : ", ") + name;
    throw TemplateError(TemplateError::Kind::no_template, text);
  };
  if (templates_.empty())
    refuse("the folder has no chat template (chat_template.jinja, or chat_template in tokenizer_config.json)");
  const auto tool_use = templates_.find("tool_use");
  if (request.name.empty() && request.tools && tool_use != templates_.end()) return tool_use->second;
  const auto found = templates_.find(request.name.empty() ? kDefault : request.name);
  if (found == templates_.end())
    refuse(request.name.empty() ? "none of the chat templates is the default one: choose one by its name"
                                : "there is no chat template '" + request.name + "'");
  return found->second;
}

jinja::Rendered ChatTemplates::rendered(const ChatRequest& request, const Json& messages) const {
  jinja::Dict variables;
  variables.set("messages", jinja::Value::from_json(messages));
  variables.set("tools", request.tools ? jinja::Value::from_json(*request.tools) : jinja::Value(nullptr));
  variables.set("documents", request.documents ? jinja::Value::from_json(*request.documents) : jinja::Value(nullptr));
  variables.set("add_generation_prompt", request.generation_prompt);
  for (const auto& [key, text] : special_) variables.set(key, text);
  for (const auto& [key, value] : request.variables) variables.set(key, jinja::Value::from_json(value));
  return jinja::render(chosen(request), variables, request.now);
}

jinja::Rendered ChatTemplates::text(const ChatRequest& request) const {
  if (request.goes_on && request.generation_prompt)
    throw UsageError("going on with the last message and beginning an answer exclude each other: choose one");
  Json messages = cleaned(request.messages);
  const std::string said = request.goes_on ? mark_last(messages) : std::string();
  jinja::Rendered made = rendered(request, messages);
  if (request.goes_on) cut_at_mark(made, said);
  return made;
}

std::optional<std::vector<MessageSpan>> ChatTemplates::spans_of(const ChatRequest& request,
                                                                const std::string& text) const {
  Json messages = cleaned(request.messages);
  std::vector<std::pair<std::string, std::string>> said;  // role and text, in order
  for (Json& message : messages) {
    const std::string role = text_at(message, "role");
    each_text(message, [&](const std::string& whole) {
      const std::string core = jinja::stripped(whole);
      if (core.empty()) return whole;
      said.emplace_back(role, core);
      const std::size_t at = whole.find(core);
      return whole.substr(0, at) + kOpen + core + kClose + whole.substr(at + core.size());
    });
  }
  std::string marked;
  try {
    marked = rendered(request, messages).text;
  } catch (const TemplateError&) {
    return {};
  }
  if (without_marks(marked) != text) return {};
  std::vector<MessageSpan> spans;
  std::optional<std::size_t> open;
  std::u32string inside;
  std::size_t plain = 0;
  for (const char32_t letter : jinja::letters(marked)) {
    if (letter == kOpenLetter) {
      if (open) return {};
      open = plain, inside.clear();
    } else if (letter == kCloseLetter) {
      if (!open) return {};
      // Of several messages with this text, the first that was not met yet.
      const std::string core = jinja::utf8(inside);
      const auto found = std::find_if(said.begin(), said.end(), [&](const auto& one) { return one.second == core; });
      if (found == said.end()) return {};
      spans.push_back({found->first, *open, plain});
      said.erase(found);
      open.reset();
    } else {
      inside += letter;
      ++plain;
    }
  }
  if (open) return {};
  return spans;
}

Chat ChatTemplates::chat(const ChatRequest& request, const pretrained::Tokenizer& tokenizer) const {
  jinja::Rendered made = text(request);
  Chat chat;
  chat.tokens = tokenizer.encode(made.text, false);
  if (!request.goes_on) chat.spans = spans_of(request, made.text);
  const auto overlaps = [&](std::size_t i, std::size_t begin, std::size_t end) {
    const auto a = static_cast<std::size_t>(chat.tokens[i].offsets.begin),
               b = static_cast<std::size_t>(chat.tokens[i].offsets.end);
    return b > begin && a < end && b > a;
  };
  if (chat.spans) {
    for (MessageSpan& span : *chat.spans)
      for (std::size_t i = 0; i < chat.tokens.size(); ++i)
        if (overlaps(i, span.begin, span.end)) {
          if (span.to == 0) span.from = i;
          span.to = i + 1;
        }
    std::erase_if(*chat.spans, [](const MessageSpan& span) { return span.to == 0; });
  }
  chat.assistant_mask.assign(chat.tokens.size(), false);
  for (const auto& [begin, end] : made.generations) {
    chat.answers.emplace_back(jinja::letter_count(std::string_view(made.text).substr(0, begin)),
                              jinja::letter_count(std::string_view(made.text).substr(0, end)));
    for (std::size_t i = 0; i < chat.tokens.size(); ++i)
      if (overlaps(i, chat.answers.back().first, chat.answers.back().second)) chat.assistant_mask[i] = true;
  }
  chat.pieces = std::move(made.pieces);
  chat.text = std::move(made.text);
  return chat;
}

}  // namespace headlight
