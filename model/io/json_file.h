// JSON files of strangers: size, depth and counts limited, repeated keys refused, and settings read with errors that
// name the key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "model/core/json_library.h"

namespace headlight {

// What a text may hold, checked while it is read: no more is kept than what was read so far.
struct JsonLimits {
  std::size_t depth = 64;
  std::size_t keys = SIZE_MAX;    // of all objects
  std::size_t values = SIZE_MAX;  // of all kinds, with those inside others
  bool not_numbers = false;       // NaN, Infinity and -Infinity, which Python's json writes and reads
};

// Throws FileError, or FormatError with the path and what lies there instead (model/io/text_file.h), or the byte where
// the text breaks off or goes wrong.
Json read_json(const std::filesystem::path& path, std::uint64_t limit, const JsonLimits& limits = {});
// As read_json, of a file that a Python library wrote.
Json read_python_json(const std::filesystem::path& path, std::uint64_t limit, JsonLimits limits = {});
// From memory; `name` stands for the path in messages. Takes as long as the text is.
Json parse_json(const std::string& text, const std::string& name, const JsonLimits& limits = {});
// The text of that key; empty where there is none.
std::string text_at(const Json& json, const char* key);
// A value that was typed: JSON, or else the text as it is, for words need no quotation marks.
Json typed_value(const std::string& text);

// One object of a file, with typed access. Every error is a FormatError such as
//   "DIR/config.json: text.source_width: expected a whole number from 1 to 512, found \"abc\"".
class Settings {
 public:
  // `where` is the path of keys to this object, empty at the top. Throws FormatError when the value is no object.
  Settings(const Json& value, std::string file, std::string where = {});

  bool has(const char* key) const { return value_->contains(key); }
  const Json& at(const char* key) const;  // throws when it is missing
  Settings object(const char* key) const;
  std::string text(const char* key) const;
  std::string text(const char* key, const std::string& fallback) const;
  std::int64_t integer(const char* key, std::int64_t least, std::int64_t most) const;
  std::int64_t integer(const char* key, std::int64_t least, std::int64_t most, std::int64_t fallback) const;
  std::vector<std::string> texts(const char* key) const;
  // Throws when there is a key that is none of these.
  void allow_only(std::initializer_list<const char*> keys) const;

  [[noreturn]] void fail(const std::string& key, const std::string& what) const;

 private:
  [[noreturn]] void expected(const std::string& key, const std::string& what, const Json& found) const;
  const Json* value_;
  std::string file_, where_;
};

}  // namespace headlight
