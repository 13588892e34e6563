// vocabulary.json of a model folder.

#include "model/io/file.h"
#include "model/io/json_file.h"
#include "model/io/model_folder.h"

namespace headlight {

namespace {

constexpr std::uint64_t kMaxVocabularyFile = 64u << 20;
constexpr JsonLimits kVocabularyLimits{3, 4, 2'000'000};  // tokens and merges; the largest of today have half a million

Vocabulary read_list(const Settings& settings, const char* key) {
  std::vector<std::string> tokens = settings.texts(key);
  if (tokens.empty()) settings.fail(key, "expected at least one token, found none");
  try {
    return Vocabulary(std::move(tokens));
  } catch (const FormatError& error) {
    settings.fail(key, error.what());
  }
}

// "left right" each.
Merges read_merges(const Settings& settings, const char* key) {
  Merges merges;
  if (!settings.has(key)) return merges;
  for (const std::string& line : settings.texts(key)) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || space == 0 || space + 1 == line.size() || line.find(' ', space + 1) != line.npos)
      settings.fail(std::string(key) + "[" + std::to_string(merges.size()) + "]",
                    "expected two symbols with a space between them, found \"" + line + "\"");
    merges.emplace_back(line.substr(0, space), line.substr(space + 1));
  }
  return merges;
}

Json merges_json(const Merges& merges) {
  Json list = Json::array();
  for (const auto& [left, right] : merges) list.push_back(left + ' ' + right);
  return list;
}

}  // namespace

VocabularyPair load_vocabularies(const std::filesystem::path& path) {
  const Json json = read_json(path, kMaxVocabularyFile, kVocabularyLimits);
  const Settings settings(json, path.string());
  settings.allow_only({"source", "target", "source_merges", "target_merges"});
  return {read_list(settings, "source"), read_list(settings, "target"), read_merges(settings, "source_merges"),
          read_merges(settings, "target_merges")};
}

void save_vocabularies(const std::filesystem::path& path, const Tokenizer& source, const Tokenizer& target) {
  Json json = {{"source", source.vocabulary().tokens()}, {"target", target.vocabulary().tokens()}};
  if (!source.merges().empty()) json["source_merges"] = merges_json(source.merges());
  if (!target.merges().empty()) json["target_merges"] = merges_json(target.merges());
  write_file_atomically(path, json.dump(1) + "\n");
}

}  // namespace headlight
