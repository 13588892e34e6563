// The front of a GGUF file, read in pieces from its beginning on, and the types of values that its metadata has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "model/core/json_library.h"
#include "model/io/file.h"

namespace headlight::gguf {

inline constexpr std::uint64_t kLongestText = 16u << 20;
inline constexpr std::uint32_t kText = 8, kArray = 9, kTruth = 7;

struct ValueType {
  const char* name;
  std::size_t size;  // 0: it has a length of its own
};
const ValueType* value_type(std::uint32_t number);  // null: not known
// Of its bytes; what is not finite as a text.
Json number_json(std::uint32_t type, const char* at);

// The front of a file from its beginning on, in pieces.
class Front {
 public:
  Front(const FileReader& file, std::uint64_t at) : file_(&file), at_(at) {}
  std::uint64_t at() const { return at_; }
  std::uint64_t left() const { return file_->size() - at_; }
  void skip(std::uint64_t count) { at_ += count; }  // the caller knows that they are there
  void read(void* to, std::size_t count, const std::string& what) {
    if (count > left())
      throw FormatError(file_->path().string() + ": it ends at byte " + std::to_string(file_->size()) + " within " +
                        what);
    char* next = static_cast<char*>(to);
    while (count > 0) {
      if (at_ < begin_ || at_ >= begin_ + buffer_.size()) fill();
      const std::size_t here = std::min<std::size_t>(count, begin_ + buffer_.size() - at_);
      std::memcpy(next, buffer_.data() + (at_ - begin_), here);
      next += here;
      at_ += here;
      count -= here;
    }
  }
  template <class Number>
  Number number(const std::string& what) {
    Number value{};
    read(&value, sizeof(value), what);
    return value;
  }
  // `most`: longer ones are refused.
  std::string text(std::uint64_t most, const std::string& what) {
    const auto length = number<std::uint64_t>(what);
    check_length(length, most, what);
    std::string bytes(static_cast<std::size_t>(length), '\0');
    read(bytes.data(), bytes.size(), what);
    return bytes;
  }
  void skip_text(std::uint64_t most, const std::string& what) {
    const auto length = number<std::uint64_t>(what);
    check_length(length, most, what);
    skip(length);
  }

 private:
  void check_length(std::uint64_t length, std::uint64_t most, const std::string& what) const {
    if (length > left())
      throw FormatError(file_->path().string() + ": " + what + ": a text of " + std::to_string(length) +
                        " bytes, where the file has " + std::to_string(left()) + " more");
    if (length > most)
      throw FormatError(file_->path().string() + ": " + what + ": expected at most " + std::to_string(most) +
                        " bytes, found " + std::to_string(length));
  }
  void fill() {
    begin_ = at_;
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(ChunkReader::kChunk, left())));
    file_->read(begin_, buffer_.data(), buffer_.size());
  }

  const FileReader* file_;
  std::uint64_t at_, begin_ = 0;
  std::string buffer_;
};

}  // namespace headlight::gguf
