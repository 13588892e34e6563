// 'headlight tokenize': what the tokenizer of a folder makes of texts.

#include <iomanip>
#include <iostream>

#include "app/cli/commands.h"
#include "model/core/json_library.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/text_list.h"
#include "model/text/message_line.h"

namespace headlight {

namespace {

pretrained::Encoding encoded(const pretrained::Tokenizer& tokenizer, const ListedText& text, bool plain) {
  return text.second.empty() ? tokenizer.encode(text.text, !plain)
                             : tokenizer.encode_pair(text.text, text.second, !plain);
}

Json encoding_json(const pretrained::Encoding& tokens) {
  Json ids = Json::array(), texts = Json::array(), offsets = Json::array(), types = Json::array();
  for (const pretrained::EncodedToken& token : tokens) {
    ids.push_back(token.id);
    texts.push_back(token.text);
    offsets.push_back({token.offsets.begin, token.offsets.end});
    types.push_back(token.type_id);
  }
  return {{"ids", std::move(ids)},
          {"tokens", std::move(texts)},
          {"offsets", std::move(offsets)},
          {"type_ids", std::move(types)}};
}

void print_tokens(const ListedText& text, const pretrained::Encoding& tokens) {
  const Json shown = text.second.empty() ? Json(text.text) : Json{text.text, text.second};
  std::cout << escaped_line(shown.dump(-1, ' ', false, Json::error_handler_t::replace)) << "\n";
  for (const pretrained::EncodedToken& token : tokens)
    std::cout << "  " << std::right << std::setw(7) << token.id << "  " << std::setw(5) << token.offsets.begin << " "
              << std::setw(5) << token.offsets.end << "  " << escaped_line(token.text) << "\n";
}

}  // namespace

int tokenize_command(const TokenizeCommand& command) {
  const auto tokenizer = open_tokenizer(command.folder, command.target);
  Json all = Json::array();
  for (const ListedText& text : read_text_list(command.texts)) {
    const pretrained::Encoding tokens = encoded(*tokenizer, text, command.plain);
    if (command.json)
      all.push_back(encoding_json(tokens));
    else
      print_tokens(text, tokens);
  }
  // A token may be a part of a character: what is no UTF-8 is shown as U+FFFD.
  if (command.json) std::cout << all.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  return 0;
}

}  // namespace headlight
