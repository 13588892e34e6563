// 'headlight tokenize': what the tokenizer of a folder makes of texts.

#include <iomanip>
#include <iostream>

#include "app/cli/commands.h"
#include "model/core/errors.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/json_file.h"
#include "model/text/message_line.h"

namespace headlight {

namespace {

constexpr std::uint64_t kMaxListed = 64u << 20;

[[noreturn]] void refuse(const std::string& file, std::size_t i, const Json& found) {
  throw FormatError(file + ": item " + std::to_string(i) + ": expected a text or a pair of texts, found " +
                    found.dump(-1, ' ', true).substr(0, 60));
}

pretrained::Encoding encoded(const pretrained::Tokenizer& tokenizer, const Json& text, const std::string& file,
                             std::size_t i, bool plain) {
  if (text.is_string()) return tokenizer.encode(text.get<std::string>(), !plain);
  if (!text.is_array() || text.size() != 2 || !text[0].is_string() || !text[1].is_string()) refuse(file, i, text);
  return tokenizer.encode_pair(text[0].get<std::string>(), text[1].get<std::string>(), !plain);
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

void print_tokens(const Json& text, const pretrained::Encoding& tokens) {
  std::cout << escaped_line(text.dump(-1, ' ', false, Json::error_handler_t::replace)) << "\n";
  for (const pretrained::EncodedToken& token : tokens)
    std::cout << "  " << std::right << std::setw(7) << token.id << "  " << std::setw(5) << token.offsets.begin << " "
              << std::setw(5) << token.offsets.end << "  " << escaped_line(token.text) << "\n";
}

}  // namespace

int tokenize_command(const TokenizeCommand& command) {
  const auto tokenizer = open_tokenizer(command.folder, command.target);
  const Json texts = read_json(command.texts, kMaxListed);
  if (!texts.is_array()) throw FormatError(command.texts + ": expected a list of texts and pairs of texts");
  Json all = Json::array();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const pretrained::Encoding tokens = encoded(*tokenizer, texts[i], command.texts, i, command.plain);
    if (command.json)
      all.push_back(encoding_json(tokens));
    else
      print_tokens(texts[i], tokens);
  }
  // A token may be a part of a character: what is no UTF-8 is shown as U+FFFD.
  if (command.json) std::cout << all.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  return 0;
}

}  // namespace headlight
