#include "model/io/text_list.h"

#include <algorithm>
#include <map>

#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/io/json_file.h"
#include "model/io/text_file.h"
#include "model/text/utf8.h"

namespace headlight {

namespace {

constexpr std::uint64_t kMostFile = 256u << 20;
constexpr JsonLimits kItemLimits{4, 64, 256, false}, kListLimits{4, 8 * kMostListedTexts, 16 * kMostListedTexts, false};

[[noreturn]] void refuse_line(const std::string& name, std::size_t line, const std::string& what) {
  throw FormatError(name + ":" + std::to_string(line) + ": " + what);
}

class ListReader {
 public:
  explicit ListReader(std::string name) : name_(std::move(name)) {}

  void add(ListedText text) {
    for (const std::string* part : {&text.text, &text.second, &text.label, &text.target}) {
      if (part->size() > kMostListedBytes)
        refuse_line(name_, text.line,
                    "expected a text of at most " + std::to_string(kMostListedBytes) + " bytes, found " +
                        std::to_string(part->size()));
      if (!is_utf8(*part)) refuse_line(name_, text.line, "expected a text in UTF-8");
    }
    if (texts_.size() >= kMostListedTexts)
      refuse_line(name_, text.line, "expected at most " + std::to_string(kMostListedTexts) + " texts");
    texts_.push_back(std::move(text));
  }

  void add_json(const Json& item, std::size_t line) {
    ListedText text;
    text.line = line;
    const auto put = [&](std::string& part, const Json& value) {
      if (value.is_string())
        part = value.get<std::string>();
      else if (value.is_number() || value.is_boolean())
        part = value.dump();
      else if (!value.is_null())
        refuse_item(item, line);
    };
    if (item.is_string()) {
      put(text.text, item);
    } else if (item.is_array() && item.size() == 2 && item[0].is_string() && item[1].is_string()) {
      put(text.text, item[0]);
      put(text.second, item[1]);
    } else if (item.is_object() && item.contains("text") && item["text"].is_string()) {
      const std::map<std::string_view, std::string*> parts = parts_of(text);
      for (const auto& [key, value] : item.items())
        if (const auto part = parts.find(key); part != parts.end()) put(*part->second, value);
    } else {
      refuse_item(item, line);
    }
    add(std::move(text));
  }

  // The columns of a tab-separated line.
  void add_columns(std::string_view line, std::size_t number) {
    std::vector<std::string_view> cells;
    for (std::size_t at = 0;;) {
      const std::size_t tab = line.find('\t', at);
      cells.push_back(line.substr(at, tab - at));
      if (tab == line.npos) break;
      at = tab + 1;
    }
    if (columns_.empty()) {
      const bool names = std::ranges::find(cells, "text") != cells.end();
      columns_ =
          names ? std::vector<std::string>(cells.begin(), cells.end()) : std::vector<std::string>{"text", "label"};
      if (names) return;
    }
    ListedText text;
    text.line = number;
    const std::map<std::string_view, std::string*> parts = parts_of(text);
    for (std::size_t i = 0; i < std::min(cells.size(), columns_.size()); ++i)
      if (const auto part = parts.find(columns_[i]); part != parts.end()) *part->second = cells[i];
    add(std::move(text));
  }

  std::vector<ListedText> take() {
    if (texts_.empty()) throw FormatError(name_ + ": expected a text in each line, found none");
    return std::move(texts_);
  }

 private:
  static std::map<std::string_view, std::string*> parts_of(ListedText& text) {
    return {{"text", &text.text}, {"second", &text.second}, {"label", &text.label}, {"target", &text.target}};
  }
  [[noreturn]] void refuse_item(const Json& item, std::size_t line) const {
    refuse_line(name_, line,
                "expected a text, a pair of texts or an object with \"text\", found " +
                    item.dump(-1, ' ', true, Json::error_handler_t::replace).substr(0, 60));
  }

  std::string name_;
  std::vector<std::string> columns_;
  std::vector<ListedText> texts_;
};

}  // namespace

std::vector<ListedText> parse_text_list(std::string_view bytes, const std::string& name) {
  const std::string ending = std::filesystem::path(name).extension().string();
  ListReader reader(name);
  if (const std::string found = what_else_in_text(bytes); !found.empty()) throw FormatError(name + ": " + found);
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  if (ending != ".txt" && ending != ".tsv" && ending != ".jsonl") {
    const Json list = parse_json(std::string(bytes), name, kListLimits);
    if (!list.is_array()) throw FormatError(name + ": expected a list of texts and pairs of texts");
    for (std::size_t i = 0; i < list.size(); ++i) reader.add_json(list[i], i + 1);
    return reader.take();
  }
  std::size_t number = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    std::string_view line = bytes.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == line.npos) continue;
    if (line.size() > 8 * kMostListedBytes)
      refuse_line(name, number, "the line is too long: " + std::to_string(line.size()) + " bytes");
    if (ending == ".jsonl")
      reader.add_json(parse_json(std::string(line), name + ":" + std::to_string(number), kItemLimits), number);
    else if (ending == ".tsv")
      reader.add_columns(line, number);
    else
      reader.add({std::string(line), {}, {}, {}, number});
  }
  return reader.take();
}

std::vector<ListedText> read_text_list(const std::filesystem::path& path) {
  return parse_text_list(read_file(path, kMostFile), path.string());
}

}  // namespace headlight
