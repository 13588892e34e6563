#include "model/decode/text_read.h"

#include <algorithm>

#include "model/core/effort.h"

namespace headlight {

namespace {

// The source as tokens, what is run of it, and what has to be said about it.
void read_source(const Request& request, Result& result) {
  const TextRules& rules = request.model->text;
  const Vocabulary& vocabulary = rules.source.vocabulary();
  if (!request.second.empty() && !rules.source.takes_pairs() && !request.chat)
    throw UsageError("a second sentence: this model reads one text");
  if (request.chat) {
    if (!request.model->chat) throw UsageError("a chat: this model has no chat template");
    result.chat_text = std::make_shared<const ChatText>(request.model->chat->read(**request.chat));
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
  const Index most = rules.most_source > 0 ? std::min<Index>(rules.most_source, kMaxSourceTokens) : kMaxSourceTokens;
  if (const auto count = static_cast<Index>(result.tokens.size()); count > most) {
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
