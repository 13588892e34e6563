// GGUF files written byte by byte.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace headlight::testing {

class GgufBytes {
 public:
  template <class Number>
  static std::string number(Number value) {
    return {reinterpret_cast<const char*>(&value), sizeof(value)};
  }
  static std::string text(const std::string& bytes) { return number<std::uint64_t>(bytes.size()) + bytes; }

  void key(const std::string& name, std::uint32_t type, const std::string& value) {
    keys_ += text(name) + number(type) + value;
    ++key_count_;
  }
  void texts(const std::string& name, const std::vector<std::string>& all) {
    std::string value = number<std::uint32_t>(8) + number<std::uint64_t>(all.size());
    for (const std::string& each : all) value += text(each);
    key(name, 9, value);
  }
  template <class Number>
  void numbers(const std::string& name, std::uint32_t type, const std::vector<Number>& all) {
    std::string value = number(type) + number<std::uint64_t>(all.size());
    for (const Number each : all) value += number(each);
    key(name, 9, value);
  }
  // `ne`: the fastest dimension first.
  void tensor(const std::string& name, const std::vector<std::uint64_t>& ne, std::uint32_t type,
              const std::string& bytes) {
    tensors_ += text(name) + number<std::uint32_t>(static_cast<std::uint32_t>(ne.size()));
    for (const std::uint64_t each : ne) tensors_ += number(each);
    tensors_ += number(type) + number<std::uint64_t>(data_.size());
    data_ += bytes;
    data_.resize((data_.size() + 31) / 32 * 32);
    ++tensor_count_;
  }
  std::string bytes(std::uint32_t version = 3) const {
    std::string all = "GGUF" + number(version) + number(tensor_count_) + number(key_count_) + keys_ + tensors_;
    all.resize((all.size() + 31) / 32 * 32);
    return all + data_;
  }

 private:
  std::string keys_, tensors_, data_;
  std::uint64_t key_count_ = 0, tensor_count_ = 0;
};

}  // namespace headlight::testing
