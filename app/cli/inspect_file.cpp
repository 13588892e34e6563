#include "app/cli/inspect_file.h"

#include <filesystem>
#include <iomanip>
#include <iostream>

#include "app/cli/interruption.h"
#include "app/messages.h"
#include "model/io/file.h"
#include "model/io/formats/adapters/adapter.h"
#include "model/io/formats/gguf/gguf_file.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/json_file.h"
#include "model/io/torch_layouts.h"
#include "model/text/message_line.h"

namespace headlight {

namespace {

// What is said of a folder of another library only.
struct OfFolder {
  std::string no_texts;              // why it reads numbers only; empty: it reads texts
  std::vector<std::string> ignored;  // keys of config.json that no number depends on
};

OfFolder of_folder(const std::string& path, const Format& format, const Contents& contents) {
  OfFolder found;
  const bool is_folder = std::string(format.id) == "pretrained", is_over = std::string(format.id) == "adapted";
  if (!is_folder && !is_over && !is_gguf(path)) return found;
  if (is_folder) found.ignored = ignored_keys_of(path);
  try {
    if (contents.runs) open_tokenizer(path), open_tokenizer(path, true);
  } catch (const Error& error) {
    found.no_texts = error.what();
  }
  return found;
}

void print_contents(const std::string& name, const Format& format, const Contents& contents, const OfFolder& folder) {
  std::cout << escaped_line(name) << ": " << format.title << "\n";
  if (!contents.model_type.empty()) std::cout << "model_type  " << message_line(contents.model_type) << "\n";
  std::cout << (contents.runs
                    ? (std::string(format.id) == "adapted" ? "runs: headlight run MODEL --adapter FOLDER --ids 1,2,3"
                       : format.is_folder                  ? "runs: headlight run FOLDER --ids 1,2,3"
                                                           : "runs: headlight run FILE --ids 1,2,3")
                    : "does not run: " + message_line(contents.reason))
            << (folder.no_texts.empty() ? "" : "\nreads no texts: " + message_line(folder.no_texts)) << "\n";
  for (const std::string& note : contents.notes) std::cout << "note  " << message_line(note) << "\n";
  std::cout << "\ntensors\n";
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < contents.tensors->tensors().size(); ++i) {
    const TensorEntry& tensor = contents.tensors->tensors()[i];
    const TensorFile::Stored stored = contents.tensors->stored(i);
    bytes += stored.bytes;
    std::cout << "  " << std::left << std::setw(44) << message_line(tensor.name) << " " << std::setw(6) << stored.type
              << " " << std::setw(16) << shape_text(tensor.shape) << std::right << std::setw(14) << stored.bytes;
    if (!tensor.shares_with.empty()) std::cout << "  shares with " << message_line(tensor.shares_with);
    std::cout << "\n";
  }
  std::cout << "  " << contents.tensors->tensors().size() << " tensors, " << bytes_text(bytes) << "\n";
  if (!contents.tensors->unread().empty()) {
    std::cout << "\nnot read\n";
    for (const auto& [tensor, why] : contents.tensors->unread())
      std::cout << "  " << std::left << std::setw(44) << message_line(tensor) << " " << message_line(why) << "\n";
  }
  if (const auto layouts = torch_layouts(*contents.tensors); !contents.runs && !layouts.empty()) {
    std::cout << "\nlayers of torch.nn\n";
    for (const TorchLayout& layout : layouts) std::cout << "  " << message_line(layout_text(layout)) << "\n";
  }
  if (const ShownSettings& shown = contents.shown; !shown.sampling.empty() || !shown.chat_template.empty()) {
    std::cout << "\nshown, not used\n";
    for (const auto& [key, value] : shown.sampling)
      std::cout << "  " << std::left << std::setw(44) << key << " " << message_line(value) << "\n";
    if (!shown.chat_template.empty()) std::cout << "  chat_template  " << message_line(shown.chat_template) << "\n";
  }
  if (!folder.ignored.empty()) {
    std::cout << "\nignored, for no number depends on it\n  ";
    for (const std::string& key : folder.ignored)
      std::cout << message_line(key) << (key == folder.ignored.back() ? "\n" : ", ");
  }
  if (contents.tensors->values().empty()) return;
  std::cout << "\nother values\n";
  for (const auto& [key, value] : contents.tensors->values())
    std::cout << "  " << std::left << std::setw(44) << message_line(key) << " " << message_line(value) << "\n";
}

}  // namespace

const Format* format_to_inspect(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none) && !adapted_place(path)) return nullptr;
  const Format* format = format_of(path);
  return format && format != &formats().front() ? format : nullptr;
}

Json tensors_json(const TensorFile& file) {
  Json list = Json::array();
  for (std::size_t i = 0; i < file.tensors().size(); ++i) {
    const TensorEntry& tensor = file.tensors()[i];
    const TensorFile::Stored stored = file.stored(i);
    list.push_back({{"name", tensor.name},
                    {"shape", tensor.shape},
                    {"count", tensor.count()},
                    {"dtype", stored.type},
                    {"bytes", stored.bytes}});
    if (!tensor.shares_with.empty()) list.back()["shares_with"] = tensor.shares_with;
  }
  return list;
}

void dump_tensors(const TensorFile& file, const std::string& path) {
  if (std::filesystem::path(path).extension() != ".npz")
    throw UsageError("--dump: expected a file that ends in .npz, found '" + path + "'");
  const Interruptible interruptible;
  for (const auto& [tensor, type] : write_npz(path, file, interruptible.token()))
    say("headlight: warning: " + path + " is without \"" + tensor + "\": NumPy has no numbers of type " + type);
}

int inspect_contents(const Format& format, const InspectCommand& command) {
  const Contents contents = format.contents(command.model);
  const auto place = adapted_place(command.model);
  const std::string name =
      place ? last_part(place->base) + " + " + last_part(place->adapter) : last_part(command.model);
  const OfFolder folder = of_folder(command.model, format, contents);
  if (command.json) {
    Json json{{"name", escaped_line(name)},
              {"path", escaped_line(command.model)},
              {"format", format.id},
              {"runs", contents.runs},
              {"reason", contents.runs ? Json(nullptr) : Json(contents.reason)},
              {"tokenizer_problem", folder.no_texts.empty() ? Json(nullptr) : Json(folder.no_texts)}};
    if (!contents.model_type.empty()) json["model_type"] = contents.model_type;
    json["notes"] = contents.notes;
    json["not_used"] = Json::object();
    for (const auto& [key, value] : contents.shown.sampling)
      json["not_used"][key] = Json::parse(value, nullptr, false).is_discarded() ? Json(value) : Json::parse(value);
    if (!contents.shown.chat_template.empty()) json["not_used"]["chat_template"] = contents.shown.chat_template;
    json["ignored"] = folder.ignored;
    json["tensors"] = tensors_json(*contents.tensors);
    json["modules"] = Json::array();
    for (const TorchLayout& layout : torch_layouts(*contents.tensors))
      json["modules"].push_back({{"name", layout.place},
                                 {"module", layout.module},
                                 {"details", layout.details},
                                 {"asks", layout.asks.empty() ? Json(nullptr) : Json(layout.asks)}});
    json["unread"] = Json::array();
    for (const auto& [tensor, why] : contents.tensors->unread())
      json["unread"].push_back({{"name", tensor}, {"reason", why}});
    json["values"] = Json::array();
    for (std::size_t i = 0; i < contents.tensors->values().size(); ++i) {
      const auto& [key, value] = contents.tensors->values()[i];
      const auto [type, typed] = contents.tensors->typed_value(i);
      json["values"].push_back({{"name", key}});
      if (!type.empty()) json["values"].back()["type"] = type;
      json["values"].back()["value"] = type.empty() ? Json(value) : Json::parse(typed);
    }
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    print_contents(name, format, contents, folder);
  }
  if (!command.dump.empty()) dump_tensors(*contents.tensors, command.dump);
  return 0;
}

}  // namespace headlight
