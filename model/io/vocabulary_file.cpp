// vocabulary.json of a model folder.

#include "model/io/file.h"
#include "model/io/json_file.h"
#include "model/io/model_folder.h"

namespace headlight {

namespace {

constexpr std::uint64_t kMaxVocabularyFile = 64u << 20;

Vocabulary read_list(const Settings& settings, const char* key) {
  std::vector<std::string> tokens = settings.texts(key);
  if (tokens.empty()) settings.fail(key, "expected at least one token, found none");
  try {
    return Vocabulary(std::move(tokens));
  } catch (const FormatError& error) {
    settings.fail(key, error.what());
  }
}

}  // namespace

VocabularyPair load_vocabularies(const std::filesystem::path& path) {
  const Json json = read_json(path, kMaxVocabularyFile);
  const Settings settings(json, path.string());
  settings.allow_only({"source", "target"});
  return {read_list(settings, "source"), read_list(settings, "target")};
}

void save_vocabularies(const std::filesystem::path& path, const Vocabulary& source, const Vocabulary& target) {
  const Json json = {{"source", source.tokens()}, {"target", target.tokens()}};
  write_file_atomically(path, json.dump(1) + "\n");
}

}  // namespace headlight
