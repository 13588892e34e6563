#include "app/lab/texts/text_reading.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/io/text_file.h"
#include "model/text/utf8.h"
#include "model/training/tasks/own/text_files.h"
#include "model/training/tasks/own/text_task.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

struct TextWords {
  Q_DECLARE_TR_FUNCTIONS(TextWords)
};

constexpr int kMostInARow = 6;
constexpr Index kLeastCharacters = 1000;  // fewer teach nothing, and leave nothing to measure on

struct BundledRow {
  const char *name, *title;
};
constexpr BundledRow kBundledTexts[] = {{"harbour", QT_TRANSLATE_NOOP("TextWords", "A harbour's log")},
                                        {"kitchen", QT_TRANSLATE_NOOP("TextWords", "Recipes")}};

qsizetype line_of(std::string_view bytes, std::size_t at) { return 1 + std::ranges::count(bytes.substr(0, at), '\n'); }

std::size_t first_broken(std::string_view bytes) {
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t length = code_point_length(bytes, at);
    if (length == 0) break;
    at += length;
  }
  return at;
}

Index characters_of(std::string_view bytes, Index& different) {
  std::set<std::string_view> kinds;
  Index count = 0;
  for (std::size_t at = 0; at < bytes.size(); ++count) {
    const std::size_t length = std::max<std::size_t>(1, code_point_length(bytes, at));
    kinds.insert(bytes.substr(at, length));
    at += length;
  }
  different = static_cast<Index>(kinds.size());
  return count;
}

QString too_large(const QString& name) {
  return TextWords::tr("%1 is larger than %2: take a part of it.")
      .arg(name, byte_size(static_cast<double>(kMostTextBytes)));
}

}  // namespace

QString problem_of_text(const std::string& bytes, const QString& name) {
  if (bytes.size() > kMostTextBytes) return too_large(name);
  if (bytes.find_first_not_of(" \t\r\n") == std::string::npos)
    return TextWords::tr("%1 is empty: choose a text of some thousand letters.").arg(name);
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff"))
    return TextWords::tr("Line 1 of %1 begins a text in UTF-16: save it as UTF-8.").arg(name);
  if (const auto zero = bytes.find('\0'); zero != std::string::npos)
    return TextWords::tr("Line %1 of %2 has bytes that are no text: save it as plain text in UTF-8.")
        .arg(line_of(bytes, zero))
        .arg(name);
  if (!what_else(bytes).empty())
    return TextWords::tr("Line 1 of %1 is no text that was written to be read: %2.")
        .arg(name, from_utf8(what_else(bytes)));
  if (const auto broken = first_broken(bytes); broken < bytes.size())
    return TextWords::tr("Line %1 of %2 is not UTF-8: save the file in that encoding.")
        .arg(line_of(bytes, broken))
        .arg(name);
  Index different = 0;
  if (const Index count = characters_of(bytes, different); count < kLeastCharacters)
    return TextWords::tr("%1 has %2 letters: at least %3 are needed, so add some text.")
        .arg(name)
        .arg(count)
        .arg(kLeastCharacters);
  return {};
}

ReadText read_text_of(const QString& path, const FileOptions& options, const CancelToken& cancel) {
  ReadText read{path, {}, 0, 0, {}};
  const QFileInfo file(path);  // of the text of the path only
  const QString name = file.fileName();
  try {
    std::error_code none;
    const auto size = std::filesystem::file_size(bytes_of(path), none);
    if (!none && size > kMostTextBytes) read.problem = too_large(name);
    if (!read.problem.isEmpty()) return read;
    const std::string bytes = read_file(bytes_of(path), kMostTextBytes);
    read.problem = problem_of_text(bytes, name);
    if (!read.problem.isEmpty()) return read;
    read.characters = characters_of(bytes, read.different);
    FileOptions asked = options;
    asked.files = {bytes_of(path)};
    const auto task = text_task(asked);
    read.counted = ngram_perplexities(task->text, *task->fixed, kMostInARow, cancel);
  } catch (const Error& error) {
    read.problem = from_utf8(error.what());
  }
  return read;
}

std::vector<BundledText> bundled_texts() {
  std::vector<BundledText> found;
  for (const BundledRow& row : kBundledTexts) {
    try {
      found.push_back({TextWords::tr(row.title), path_text(bundled_text(row.name))});
    } catch (const FileError&) {  // a program without it
    }
  }
  return found;
}

QString title_of_text(const QString& path) {
  const QFileInfo file(path);
  for (const BundledText& text : bundled_texts())
    if (file == QFileInfo(text.path)) return text.title;
  return file.completeBaseName();
}

}  // namespace headlight
