#include "app/cli/output_of.h"

#include <algorithm>

#include "app/messages.h"
#include "model/core/errors.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/text/pretrained/languages.h"

namespace headlight {

Json output_text(const std::string& folder, const std::vector<TokenId>& written) {
  try {
    // Of models with two tokenizers, the other one.
    return open_tokenizer(folder, true)->decode({written.begin(), written.end()});
  } catch (const FileError&) {
    return nullptr;  // a folder without a tokenizer: the numbers are all that there is
  } catch (const Error& error) {
    warn_line(std::string("the output as numbers only: ") + error.what());
    return nullptr;
  }
}

Json rules_of_language(const std::string& path, const std::string& language, const PretrainedModel& model,
                       const std::vector<TokenId>& ids) {
  if (language.empty()) return nullptr;
  const auto tokenizer = open_tokenizer(path, true);
  const std::vector<std::string> codes =
      pretrained::language_codes(*tokenizer, static_cast<TokenId>(model.vocabulary()));
  if (!std::ranges::count(codes, language)) {
    constexpr std::size_t kNamed = 8;
    std::string known;
    for (std::size_t i = 0; i < std::min(kNamed, codes.size()); ++i) known += (i > 0 ? ", " : "") + codes[i];
    if (codes.size() > kNamed) known += " ...";
    throw UsageError("--target-language: " +
                     (codes.empty() ? std::string("this model's tokenizer has no codes of languages")
                                    : "expected a code like " + known) +
                     ", found '" + language + "'");
  }
  const auto code = static_cast<TokenId>(*tokenizer->find(language));
  const std::string* start = tokenizer->text(model.beginning(ids).front());
  const bool starts = start && pretrained::is_language_code(*start);
  return {{starts ? "decoder_start_token_id" : "forced_bos_token_id", code}};
}

}  // namespace headlight
