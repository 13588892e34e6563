#include "model/decode/text_read.h"

#include <algorithm>
#include <cmath>

#include "model/core/effort.h"
#include "model/core/json_library.h"

namespace headlight {

namespace {

// A chat is as long as the model takes, while the attention of all its heads has room; other texts are read to
// kMaxSourceTokens.
Index most_tokens(const Request& request) {
  constexpr double kRoom = 512e6;  // bytes
  Index most = kMaxSourceTokens;
  if (request.chat && request.model->model) {
    const double heads = static_cast<double>(request.model->model->traits().heads) *
                         request.model->model->config().value("decoder_layers", 1.0);
    most = std::max(most, static_cast<Index>(std::sqrt(kRoom / (sizeof(float) * std::max(heads, 1.0)))));
  }
  const Index taken = request.model->text.most_source;
  return taken > 0 ? std::min(taken, most) : most;
}

// Messages from which a chat can begin instead of its first one: each of the user's. What the system says stays.
std::vector<std::size_t> beginnings(const Json& messages, std::size_t& system) {
  std::vector<std::size_t> found;
  const auto role = [&](std::size_t at) {
    return messages[at].is_object() ? messages[at].value("role", Json()) : Json();
  };
  while (system < messages.size() && (role(system) == "system" || role(system) == "developer")) ++system;
  for (std::size_t at = system + 1; at < messages.size(); ++at)
    if (role(at) == "user") found.push_back(at);
  return found;
}

// The chat as text. One that is too long loses what was said first, a turn at a time, as few as are needed.
ChatText read_chat(const Request& request, Index most, Index& all) {
  const ChatFormat& format = *request.model->chat;
  ChatText whole = format.read(**request.chat);
  all = static_cast<Index>(whole.tokens.size());
  const auto messages = (*request.chat)->find("messages");
  if (all <= most || messages == (*request.chat)->end() || !messages->is_array()) return whole;
  std::size_t system = 0;
  const std::vector<std::size_t> cuts = beginnings(*messages, system);
  const auto from = [&](std::size_t cut) {
    Json chat = **request.chat, kept = Json::array();
    for (std::size_t at = 0; at < messages->size(); ++at)
      if (at < system || at >= cut) kept.push_back((*messages)[at]);
    chat["messages"] = std::move(kept);
    return format.read(chat);
  };
  std::size_t low = 0, high = cuts.size();  // the first cut that fits is among these
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    ChatText made = from(cuts[middle]);
    const bool fits = static_cast<Index>(made.tokens.size()) <= most;
    if (fits || middle + 1 == cuts.size()) whole = std::move(made);
    if (fits)
      high = middle;
    else
      low = middle + 1;
  }
  return whole;
}

// The source as tokens, what is run of it, and what has to be said about it.
void read_source(const Request& request, Result& result) {
  const TextRules& rules = request.model->text;
  const Vocabulary& vocabulary = rules.source.vocabulary();
  if (!request.second.empty() && !rules.source.takes_pairs() && !request.chat)
    throw UsageError("a second sentence: this model reads one text");
  const Index most = most_tokens(request);
  Index all = 0;  // tokens of a chat
  if (request.chat) {
    if (!request.model->chat) throw UsageError("a chat: this model has no chat template");
    result.chat_text = std::make_shared<const ChatText>(read_chat(request, most, all));
    result.source = result.chat_text->text;
    result.tokens = result.chat_text->tokens;
  } else if (request.ids.empty()) {
    result.tokens = rules.source.split_pair(request.source, request.second);
  }
  for (const TokenId id : request.ids) {
    if (id < 0 || id >= vocabulary.size())
      throw UsageError("the ids of the source: expected numbers from 0 to " + std::to_string(vocabulary.size() - 1) +
                       ", found " + std::to_string(id));
    result.tokens.push_back({vocabulary.text(id), 0, 0, id});
  }
  const auto count_of = [&] { return static_cast<Index>(result.tokens.size()); };
  if (request.chat) {
    // One message that is too long: its end is what is answered.
    if (count_of() > most) result.tokens.erase(result.tokens.begin(), result.tokens.end() - most);
    if (all > count_of()) result.notes.push_back({RunNote::Kind::cut, count_of(), all});
  } else if (const Index count = count_of(); count > most) {
    result.notes.push_back({RunNote::Kind::cut, most, count});
    // The sign that another library's tokenizer ends a text with stays. transformers cuts between 4 and 5 of
    // text/pretrained/tokenizer.h: all signs stay, and of two texts the longer one is cut.
    const TextToken last = result.tokens.back();
    result.tokens.resize(static_cast<std::size_t>(most));
    if (last.begin == last.end && request.ids.empty() && most > 1) result.tokens.back() = last;
  }
  const auto count = [&](auto which) { return static_cast<Index>(std::ranges::count_if(result.tokens, which)); };
  const Index left_out = count([](const TextToken& t) { return !t.id; });
  const Index unknown = count([](const TextToken& t) { return t.unknown && t.id; });
  const Index read = static_cast<Index>(result.tokens.size()) - left_out;
  if (left_out > 0) result.notes.push_back({RunNote::Kind::unknown, left_out});
  if (unknown > 0) result.notes.push_back({RunNote::Kind::read_as_unknown, unknown});
  if (read == 0 && !rules.source_bos) result.notes.push_back({RunNote::Kind::nothing});
  if (read > rules.longest_source && rules.longest_source > 0)
    result.notes.push_back({RunNote::Kind::longer_than_trained, read, rules.longest_source});
  if (request.ids.empty() && !request.chat) rules.finish_source(result.tokens, request.source.size());
  if (!request.type_ids.empty() && rules.token_types == 0)
    throw UsageError("the types of the tokens: this model is told of no kinds of sentences");
  for (std::size_t i = 0; i < std::min(request.type_ids.size(), result.tokens.size()); ++i)
    result.tokens[i].type = static_cast<int>(request.type_ids[i]);
}

// Which token each encoder position stands for, and the other way round.
void map_positions(Result& result, bool reversed) {
  const auto s_count =
      static_cast<int>(std::ranges::count_if(result.tokens, [](const TextToken& t) { return t.id.has_value(); }));
  result.token_of_position.resize(static_cast<std::size_t>(s_count));
  int read = 0;
  for (std::size_t i = 0; i < result.tokens.size(); ++i) {
    const int at = reversed ? s_count - 1 - read : read;
    result.position_of_token.push_back(result.tokens[i].id ? at : -1);
    if (!result.tokens[i].id) continue;
    result.token_of_position[static_cast<std::size_t>(at)] = static_cast<int>(i);
    ++read;
  }
}

// Source positions that a decoder reads before step 0.
int prompt_length(const ModelTraits& model, Index s_count) {
  if (model.kind != ModelTraits::Kind::decoder_only) return 0;
  return static_cast<int>(s_count) - (model.continues_source ? 1 : 0);
}

}  // namespace

Result read_text(const Request& request) {
  const Effort effort(request.cancel);
  Result result;
  result.id = request.id;
  result.model = request.model;
  result.inputs() = request.inputs();
  read_source(request, result);
  const ModelTraits& traits = request.model->model->traits();
  map_positions(result, traits.reads_reversed);
  result.prompt = prompt_length(traits, static_cast<Index>(result.token_of_position.size()));
  return result;
}

}  // namespace headlight
