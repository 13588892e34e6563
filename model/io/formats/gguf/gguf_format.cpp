#include "model/io/formats/gguf/gguf_format.h"

#include "model/io/formats/gguf/gguf_folder.h"
#include "model/io/formats/pretrained/pretrained_folder.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

using gguf::Architecture, gguf::FolderView;

// "FILE: " in front of what is said of it stands there once.
std::string without_file(const std::string& said, const GgufFile& file) {
  const std::string front = file.where() + ": ";
  return said.starts_with(front) ? said.substr(front.size()) : said;
}

// The file in terms of the library. Throws FormatError.
struct AsFolder {
  explicit AsFolder(std::shared_ptr<const GgufFile> given) : file(std::move(given)) {
    const auto named = file->text("general.architecture");
    if (!named) file->fail("general.architecture", "missing: it says which model this is");
    if (const std::string why = file->of_tables(); !why.empty()) throw FormatError(file->where() + ": " + why);
    const Architecture* architecture = gguf::architecture_of(*named);
    if (!architecture)
      throw FormatError(file->where() + ": models of general.architecture \"" + named->substr(0, 60) +
                        "\" do not run here");
    if (file->tensors().empty()) throw FormatError(file->where() + ": it has no tensors");
    config = gguf::config_of(*file, *architecture);
    generation = gguf::generation_of(*file);
    tensors = std::make_shared<const FolderView>(file, *architecture, config);
  }
  template <class Work>
  auto in_words_of_file(Work work) const {
    try {
      return work();
    } catch (const FormatError& error) {
      const std::string said = tensors->in_words_of_file(without_file(error.what(), *file));
      throw FormatError(file->where() + ": " + said);
    }
  }

  std::shared_ptr<const GgufFile> file;
  Json config, generation;
  std::shared_ptr<const FolderView> tensors;
};

ShownSettings shown_of(const GgufFile& file) {
  ShownSettings shown;
  try {
    shown.chat_template = file.text("tokenizer.chat_template").value_or(std::string());
  } catch (const Error&) {
    // Nothing depends on it.
  }
  return shown;
}

Contents contents(const fs::path& path) {
  const auto file = std::make_shared<const GgufFile>(path);
  Contents found{file, false, {}, {}, shown_of(*file)};
  try {
    found.model_type = file->text("general.architecture").value_or(std::string());
    const AsFolder folder(file);
    found.reason = why_not(folder.config, folder.generation, *folder.tensors, found.notes);
    found.reason = folder.tensors->in_words_of_file(found.reason);
    for (std::string& note : found.notes) note = folder.tensors->in_words_of_file(note);
  } catch (const Error& error) {
    found.reason = without_file(error.what(), *file);
  }
  found.runs = found.reason.empty();
  return found;
}

std::shared_ptr<const PretrainedModel> build(const AsFolder& folder, const CancelToken& cancel) {
  return folder.in_words_of_file([&] {
    return build_pretrained(folder.config, folder.generation, *folder.tensors, folder.file->where(), cancel);
  });
}

std::shared_ptr<const ModelBundle> open(const fs::path& path, const Opening& opening) {
  opening.report(0);
  const AsFolder folder(std::make_shared<const GgufFile>(path));
  const auto built = build(folder, opening.cancel);
  const auto bundle = pretrained_bundle(path, built, shown_of(*folder.file), opening);
  auto renamed = std::make_shared<ModelBundle>(*bundle);
  if (bundle->in_file) {
    auto in_file = std::make_shared<std::map<std::string, std::string>>(*bundle->in_file);
    for (auto& [ours, theirs] : *in_file) theirs = folder.tensors->in_file(theirs);
    renamed->in_file = std::move(in_file);
  }
  return renamed;
}

ModelDescription describe(const fs::path& path) { return described_opened(*open(path, {})); }
ModelCard card(const fs::path&) { return {}; }
std::vector<fs::path> files(const fs::path& path) { return GgufFile(path).paths(); }

}  // namespace

std::shared_ptr<const PretrainedModel> open_gguf_model(const fs::path& path, const CancelToken& cancel) {
  return build(AsFolder(std::make_shared<const GgufFile>(path)), cancel);
}

LibraryFiles gguf_library_files(const fs::path& path) {
  AsFolder folder(std::make_shared<const GgufFile>(path));
  return {std::move(folder.config), std::move(folder.generation), std::move(folder.tensors)};
}

Format gguf_format() {
  return {"gguf", "GGUF file", "a GGUF file", false, true, "*.gguf", is_gguf, contents, open, describe, card, files};
}

}  // namespace headlight
