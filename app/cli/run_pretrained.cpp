#include "app/cli/run_pretrained.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>
#include <optional>

#include "app/cli/interruption.h"
#include "app/cli/printed/choice_text.h"
#include "app/cli/printed/result_json.h"
#include "app/cli/printed/text_format.h"
#include "app/cli/unused_options.h"
#include "app/messages.h"
#include "model/core/effort.h"
#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/io/formats/adapters/adapter.h"
#include "model/io/formats/format.h"
#include "model/io/formats/gguf/gguf_file.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/json_file.h"
#include "model/io/model_folder.h"
#include "model/io/npz.h"
#include "model/io/text_list.h"
#include "model/text/message_line.h"
#include "model/text/pretrained/languages.h"
#include "model/text/utf8.h"
#include "model/training/tasks/own/pair_files.h"

namespace headlight {

namespace {

// Where values that have to be numbers are none; empty: nowhere. (Masked scores may be infinite.)
std::string not_numbers_text(const LibraryValues& values) {
  std::string first, what;
  for (const NamedTensor& value : values) {
    const bool logits = value.name.find("logits") != std::string::npos;
    const auto numbers = value.value.array();
    const Index broken = logits ? (!numbers.isFinite()).count() : numbers.isNaN().count();
    if (broken == 0) continue;
    if (first.empty()) first = value.name;
    if (logits || what.empty()) what = logits ? "the logits" : "the values";
  }
  if (first.empty()) return {};
  return what + " are not numbers (NaN or infinite), first in " + first +
         ": what the model gives for this input means nothing";
}

// The numbers of the tokens of a text. What was added to a tokenizer and not to its model has no row there.
std::vector<TokenId> numbers_of(const pretrained::Encoding& tokens, Index rows, const std::string& model) {
  std::vector<TokenId> ids;
  for (const pretrained::EncodedToken& token : tokens) {
    if (token.id >= rows)
      throw FormatError(model + ": the token \"" + token.text + "\" has the number " + std::to_string(token.id) +
                        ", and the embeddings have " + std::to_string(rows) + " rows, 0 to " +
                        std::to_string(rows - 1) +
                        ": it was added to the tokenizer and not to the model (resize_token_embeddings)");
    ids.push_back(static_cast<TokenId>(token.id));
  }
  return ids;
}

// What the tokenizer makes one token for everything unknown of.
void say_unknown(const pretrained::Encoding& tokens, const std::array<std::string, 2>& texts) {
  constexpr int kNamed = 3;
  int count = 0;
  std::string named, read_as;
  for (const pretrained::EncodedToken& token : tokens) {
    if (!token.unknown || ++count > kNamed) continue;
    const pretrained::AlignedText text(texts[token.sequence == 1 ? 1 : 0]);
    std::string piece;
    std::uint32_t at = 0;
    for (const char32_t c : text.characters()) {
      if (at >= token.offsets.begin && at < token.offsets.end) pretrained::append(piece, c);
      ++at;
    }
    named += (count > 1 ? ", \"" : "\"") + piece + "\"";
    read_as = token.text;
  }
  if (count == 0) return;
  warn_line(std::to_string(count) + (count == 1 ? " piece" : " pieces") +
            " of the text not in the vocabulary, read as \"" + read_as + "\": " + named +
            (count > kNamed ? " ..." : ""));
}

// What the library writes with these settings over the folder's own.
WrittenTexts written_by(const RunCommand& command, const PretrainedModel& model, const std::vector<TokenId>& ids,
                        const Json& language, const CancelToken& cancel) {
  constexpr std::uint64_t kMostSettings = 64u << 20;
  constexpr std::size_t kPrinted = 8;
  Json settings = read_json(command.choose, kMostSettings);
  if (!settings.is_object()) throw FormatError(command.choose + ": expected an object of settings");
  if (!language.is_null()) settings.update(language);
  WritingTask task;
  task.seed = command.decode.seed;
  task.told = command.json ? kAllLeft : kPrinted;
  task.cancel = cancel;
  return model.written(ids, settings, command.choose, std::move(task));
}

}  // namespace

std::vector<TokenId> numbers_of_text(const std::string& model, const std::string& text, Index rows) {
  return numbers_of(pretrained::encode_in_language(*open_tokenizer(model), valid_utf8(text)), rows, model);
}

std::vector<TokenId> numbers_of_option(const std::string& text, const char* option) {
  std::vector<TokenId> all;
  const char *at = text.data(), *end = at + text.size();
  while (at != end) {
    TokenId id = 0;
    const auto [after, error] = std::from_chars(at, end, id);
    if (error != std::errc() || (after != end && (*after != ',' || after + 1 == end)))
      throw UsageError(std::string(option) + ": expected numbers with commas between them, found '" + text + "'");
    all.push_back(id);
    at = after == end ? end : after + 1;
  }
  return all;
}

bool is_pretrained(const std::string& path) {
  std::error_code none;
  if (is_gguf(path) || adapted_place(path)) return true;
  const Format* format = std::filesystem::is_directory(path, none) ? format_of(path) : nullptr;
  return format && std::string(format->id) == "pretrained";
}

bool wants_what_ours_have(const RunCommand& command) {
  const bool other_dump = !command.dump.empty() && std::filesystem::path(command.dump).extension() != ".npz";
  const char* asks = command.target                      ? "--target"
                     : command.pharaoh                   ? "--pharaoh"
                     : !command.settings.empty()         ? "--set"
                     : !command.edits.empty()            ? "--edit"
                     : command.decode.decode != "greedy" ? "--decode"
                     : other_dump                        ? "--dump to another file than an .npz"
                                                         : nullptr;
  if (!asks) return false;
  const char* given = !command.target_ids.empty() ? "--target-ids"
                      : command.new_tokens > 0    ? "--new-tokens"
                      : !command.choose.empty()   ? "--choose"
                      : !command.names.empty()    ? "--names"
                                                  : nullptr;
  if (given) throw UsageError(std::string(given) + ": not together with " + asks);
  return true;
}

int run_pretrained(const RunCommand& command) {
  const Interruptible interruptible;
  const Effort effort(interruptible.token());
  auto model = open_pretrained(command.model, interruptible.token());
  for (const std::string& note : model->notes()) say("headlight: warning: " + note);
  std::vector<TokenId> ids = numbers_of_option(command.ids, "--ids"),
                       types = numbers_of_option(command.type_ids, "--type-ids");
  std::vector<TokenId> target = numbers_of_option(command.target_ids, "--target-ids");
  std::vector<std::string> words;  // of a text
  if (command.ids.empty()) {
    const auto tokenizer = open_tokenizer(command.model);
    const bool pair = !command.second.empty(), told = model->token_types() > 0 && types.empty();
    const pretrained::Encoding tokens = pair ? tokenizer->encode_pair(command.source, command.second)
                                             : pretrained::encode_in_language(*tokenizer, command.source);
    for (const pretrained::EncodedToken& token : tokens) words.push_back(token.text);
    ids = numbers_of(tokens, model->vocabulary(), command.model);
    for (const pretrained::EncodedToken& token : tokens)
      if (told) types.push_back(static_cast<TokenId>(token.type_id));
    say_unknown(tokens, {command.source, command.second});
  }
  const auto cut = [&](std::vector<TokenId>& all, const char* what) {
    const auto most = static_cast<std::size_t>(model->positions());
    if (most == 0 || all.size() <= most) return;
    warn_line(std::string(what) + " has " + std::to_string(all.size()) + " tokens; this model has " +
              std::to_string(most) + " positions: the rest is left out");
    all.resize(most);
  };
  if (types.size() == ids.size()) cut(types, "--type-ids");
  cut(ids, "the text");
  cut(target, "--target-ids");
  const Json language = rules_of_language(command.model, command.target_language, *model, ids);
  if (target.empty() && language.contains("decoder_start_token_id"))
    target = {language["decoder_start_token_id"].get<TokenId>()};
  Json json{{"model", escaped_line(command.model)}, {"ids", ids}};
  using NamedBy = PretrainedModel::NamedBy;
  const LibraryValues values =
      command.names.empty() || command.names == "library"
          ? model->run(ids, types, target, interruptible.token())
          : model->values(command.names == "headlight" ? NamedBy::headlight : NamedBy::transformer_lens, ids, types,
                          target, interruptible.token());
  words.resize(std::min(words.size(), ids.size()));
  if (!words.empty()) json["tokens"] = words;
  if (!command.dump.empty())
    write_npz(command.dump, values, NpyType::f4, json.dump(-1, ' ', false, Json::error_handler_t::replace));
  json["notes"] = Json::array();
  const auto note = [&](const std::string& text) {
    json["notes"].push_back(text);
    warn_line(text);
  };
  if (const std::string text = not_numbers_text(values); !text.empty()) note(text);
  std::optional<WrittenTexts> chosen;
  if (!command.choose.empty()) chosen = written_by(command, *model, ids, language, interruptible.token());
  if (command.new_tokens > 0 || chosen) {
    PretrainedModel::Continuation made;
    if (chosen)
      made = {chosen->sequences.front().ids, chosen->not_numbers};
    else
      made = model->continued(ids, command.new_tokens, interruptible.token(), language.is_null() ? nullptr : &language);
    if (made.not_numbers)
      note("after " + std::to_string(made.ids.size()) +
           (chosen ? std::string() : " of " + std::to_string(command.new_tokens)) +
           " new tokens the logits are not numbers (NaN or infinite): no token can be chosen from them");
    json["output_ids"] = made.ids;
    json["output"] = output_text(command.model, made.ids);
  }
  if (chosen) json.update(written_json(*chosen));
  tell_unused(command, nullptr);
  if (Json cache = cache_of_settings(model->settings(), ids.size(), target.size(),
                                     json.value("output_ids", Json::array()).size(), model->number_type());
      !cache.is_null())
    json["cache"] = std::move(cache);
  json["values"] = Json::array();
  for (const NamedTensor& value : values)
    json["values"].push_back({{"name", value.name}, {"shape", value.value.shape().vector()}});
  if (command.json) {
    // Of a text that the window would show whole, also what it shows of the output.
    constexpr std::size_t kShown = 128;
    if (!chosen && command.ids.empty() && command.target_ids.empty() && ids.size() <= kShown) {
      model.reset();  // not two of them in memory
      Request request;
      request.model = load_model(command.model);
      request.source = command.source;
      request.second = command.second;
      if (!command.target_language.empty()) {
        request.target = command.target_language;
        request.prefix = true;
      }
      request.type_ids = numbers_of_option(command.type_ids, "--type-ids");
      request.capture.explain = false;
      request.cancel = interruptible.token();
      const auto result = std::make_shared<const Result>(run(request));
      for (const RunNote& said : result->notes) note(note_text(said));
      json["steps"] = steps_json(result);
    }
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
    return 0;
  }
  std::cout << "ids ";
  for (const TokenId id : ids) std::cout << " " << id;
  if (json.contains("output_ids")) {
    std::cout << "\noutput_ids ";
    for (const Json& id : json["output_ids"]) std::cout << " " << id.dump();
    if (json["output"].is_string()) std::cout << "\noutput  " << escaped_line(json["output"].get<std::string>());
  }
  if (chosen) {
    std::cout << std::flush;
    print_written(*chosen);
    std::fflush(stdout);
  }
  std::cout << "\n\nvalues\n";
  for (const NamedTensor& value : values) std::cout << "  " << value.name << " " << value.value.shape().text() << "\n";
  return 0;
}

// reference.npz: "CASE.input_ids", "CASE.token_type_ids", "CASE.decoder_input_ids", and every value of the run as the
// library calls it.
namespace {

constexpr std::uint64_t kMaxTexts = 64u << 20;

struct Measured {
  std::int64_t texts = 0, tokens = 0, right = 0, cut = 0;
  double nll = 0;  // nats in all

  // Row t of the logits [T x V] predicts wanted[t].
  void add(const Tensor& logits, const std::vector<TokenId>& wanted) {
    ++texts;
    for (std::size_t t = 0; t < wanted.size(); ++t) {
      const auto row = logits.matrix().row(static_cast<Index>(t)).cast<double>();
      Index best = 0;
      const double most = row.maxCoeff(&best);
      nll += most + std::log((row.array() - most).exp().sum()) - row(wanted[t]);
      right += best == wanted[t];
      ++tokens;
    }
  }
};

}  // namespace

int evaluate_pretrained(const EvaluateCommand& command) {
  if (!command.task.empty()) throw UsageError("--task: models of other libraries are measured on texts: --files");
  if (command.held_out || command.by_length)
    throw UsageError(std::string(command.held_out ? "--held-out" : "--by-length") +
                     ": not for models of other libraries");
  if (command.files.empty() && command.texts.empty())
    throw UsageError(
        "--files: expected a file with a text in each line; of a model with an encoder and a decoder, with "
        "\"source TAB target\" in each");
  const Interruptible interruptible;
  const Effort effort(interruptible.token());
  const auto model = open_pretrained(command.model, interruptible.token());
  if (model->kind() == ModelTraits::Kind::encoder_only)
    throw UsageError(command.model + ": this model does not continue a text: there is no perplexity to measure");
  const bool pairs = model->kind() == ModelTraits::Kind::encoder_decoder;
  std::vector<std::pair<std::string, std::string>> texts;
  if (!command.texts.empty()) {
    for (const ListedText& text : read_text_list(command.texts)) texts.emplace_back(text.text, text.written());
  } else if (pairs) {
    const PairLines lines = read_pairs({command.files.begin(), command.files.end()}, command.skip_bad_lines);
    for (const auto& [source, target] : lines.pairs) texts.emplace_back(source, target);
  } else {
    if (command.files.size() > 1) throw UsageError("--files: this model reads one text: expected one file");
    std::istringstream lines(read_file(command.files.front(), kMaxTexts));
    for (std::string line; std::getline(lines, line);) {
      if (line.ends_with('\r')) line.pop_back();
      if (!line.empty()) texts.emplace_back(line, std::string());
    }
  }
  if (command.limit > 0 && texts.size() > static_cast<std::size_t>(command.limit))
    texts.resize(static_cast<std::size_t>(command.limit));
  const auto source = open_tokenizer(command.model), target = open_tokenizer(command.model, true);
  const auto most = static_cast<std::size_t>(model->positions());
  Measured measured;
  const auto cut = [&](std::vector<TokenId>& ids) {
    if (most == 0 || ids.size() <= most) return;
    ids.resize(most);
    ++measured.cut;
  };
  for (const auto& [first, second] : texts) {
    std::vector<TokenId> ids = numbers_of(source->encode(valid_utf8(first)), model->vocabulary(), command.model), fed,
                         wanted;
    cut(ids);
    if (ids.empty()) continue;
    if (pairs) {
      wanted = numbers_of(target->encode(valid_utf8(second)), model->target_vocabulary(), command.model);
      cut(wanted);
      fed = model->beginning(ids);
      if (!wanted.empty()) fed.insert(fed.end(), wanted.begin(), wanted.end() - 1);
    } else {
      wanted.assign(ids.begin() + 1, ids.end());
    }
    if (wanted.empty()) continue;
    const LibraryValues values = model->run(ids, {}, fed, interruptible.token());
    const auto logits =
        std::find_if(values.begin(), values.end(), [](const NamedTensor& value) { return value.name == "logits"; });
    if (logits == values.end() || logits->value.rank() != 2 || logits->value.rows() < static_cast<Index>(wanted.size()))
      throw UsageError(command.model + ": this model gives no next words: there is no perplexity to measure");
    measured.add(logits->value, wanted);
  }
  if (measured.tokens == 0)
    throw UsageError("--files: there is no text of two tokens in " +
                     (command.texts.empty() ? command.files.front() : command.texts));
  if (measured.cut > 0)
    warn_line(std::to_string(measured.cut) + " texts are longer than the " + std::to_string(most) +
              " positions, and cut");
  const double nats = measured.nll / static_cast<double>(measured.tokens),
               accuracy = static_cast<double>(measured.right) / static_cast<double>(measured.tokens);
  if (command.json) {
    const Json json{
        {"model", escaped_line(command.model)}, {"texts", measured.texts},   {"tokens", measured.tokens}, {"nll", nats},
        {"perplexity", std::exp(nats)},         {"token_accuracy", accuracy}};
    std::cout << json.dump(2) << "\n";
    return 0;
  }
  std::cout << escaped_line(command.model) << ": " << measured.texts << " texts, " << measured.tokens
            << " tokens that follow others\n  token accuracy  " << accuracy << "\n  perplexity      " << std::exp(nats)
            << " (fed the right tokens, " << nats << " nats a token)\n";
  return 0;
}

}  // namespace headlight
