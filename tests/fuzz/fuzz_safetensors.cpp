// Mutates valid safetensors files and opens them: every input must load or give a named error. Not among the tests:
//   fuzz_safetensors [SECONDS] [SEED]
// Build it with the asan preset to see what a reader touches.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "model/io/safetensors.h"

using namespace headlight;

namespace {

std::string valid_file() {
  std::string header =
      "{\"__metadata__\":{\"k\":\"v\"},\"a\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]},"
      "\"b.c\":{\"dtype\":\"F16\",\"shape\":[3],\"data_offsets\":[16,22]}}";
  std::string bytes(8, '\0');
  bytes[0] = static_cast<char>(header.size());
  return bytes + header + std::string(22, '\1');
}

// What hostile headers are made of.
constexpr const char* kPieces[] = {"[",
                                   "]",
                                   "{",
                                   "}",
                                   ",",
                                   ":",
                                   "\"",
                                   "0",
                                   "-1",
                                   "1e9",
                                   "null",
                                   "\"F32\"",
                                   "\"F4\"",
                                   "[0]",
                                   "[0,0]",
                                   "281474976710656",
                                   "4294967296",
                                   "\\u0000",
                                   "\"shape\"",
                                   "\"dtype\"",
                                   "\"data_offsets\"",
                                   "18446744073709551615"};

std::string mutated(std::string bytes, std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (std::size_t count = 1 + below(4); count > 0 && !bytes.empty(); --count) {
    const std::size_t at = below(bytes.size());
    switch (below(5)) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes.erase(at, 1 + below(8));
        break;
      case 2:
        bytes.insert(at, kPieces[below(std::size(kPieces))]);
        break;
      case 3:
        bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(40)));
        break;
      default:
        bytes.resize(at);
        break;
    }
  }
  // Most mutations change the length; keep the announced one right, or nothing but that is ever tested.
  if (bytes.size() > 30 && below(4) != 0) {
    const std::uint64_t length = bytes.size() - 30;
    for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(length >> (8 * i));
  }
  return bytes;
}

bool opens(const std::string& bytes) {
  try {
    const SafetensorsFile file = SafetensorsFile::from_bytes(bytes, "fuzz");
    for (const TensorInfo& info : file.tensors()) file.load(info.name);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

int main(int count, char** arguments) {
  const double seconds = count > 1 ? std::atof(arguments[1]) : 10;
  std::mt19937_64 random(count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1);
  const std::string valid = valid_file();
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  std::uint64_t runs = 0, opened = 0;
  while (elapsed() < seconds)
    for (int i = 0; i < 1000; ++i, ++runs) opened += opens(mutated(valid, random));
  std::printf("%llu inputs in %.1f s (%.0f a second), %llu of them opened\n", static_cast<unsigned long long>(runs),
              elapsed(), static_cast<double>(runs) / elapsed(), static_cast<unsigned long long>(opened));
  return opened > 0 ? 0 : 1;
}
