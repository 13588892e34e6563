// The few parts of the zip format that npz files need: stored or deflated entries, zip64, no encryption.
//
// Not libzip: tried with ZIP_CHECKCONS, version 1.7.3 opens entries that overlap, and it does not tell where a stored
// entry begins, which reading a large array without a copy needs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/io/file.h"

namespace headlight {

struct ZipEntry {
  std::string name;
  bool deflated = false;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0, size = 0;  // bytes in the file, and unpacked
  std::uint64_t header = 0;            // place of the local header
  std::uint64_t begin = 0;             // place of the packed bytes
};

// Reads archives through a function, so that memory and files are the same to it.
class ZipReader {
 public:
  using Source = std::function<void(std::uint64_t offset, void* to, std::size_t count)>;

  // Reads and checks the directory. Throws FormatError with `name` in front.
  ZipReader(Source source, std::uint64_t size, std::string name);
  const std::vector<ZipEntry>& entries() const { return entries_; }
  // The unpacked bytes, checked against the size and checksum of the directory.
  std::string unpack(const ZipEntry& entry) const;
  // At most the first `count` unpacked bytes, not checked: fewer where the entry is shorter or damaged.
  std::string unpack_start(const ZipEntry& entry, std::size_t count) const;
  // `count` bytes from `offset` on of an entry that is stored as it is, not checked either.
  void read_stored(const ZipEntry& entry, std::uint64_t offset, void* to, std::size_t count) const;

 private:
  std::string bytes(std::uint64_t offset, std::uint64_t count) const;
  void find_directory(std::uint64_t& begin, std::uint64_t& size, std::uint64_t& count) const;
  void read_directory();
  void find_data(ZipEntry& entry) const;
  void check_overlap() const;
  [[noreturn]] void fail(const std::string& what) const;

  Source source_;
  std::uint64_t size_;
  std::string name_;
  std::vector<ZipEntry> entries_;
};

ZipReader open_zip(const std::filesystem::path& path);  // throws FileError, FormatError

// Writes stored entries one after another, then the directory.
class ZipWriter {
 public:
  explicit ZipWriter(FileWriter& file) : file_(&file) {}
  // Size and checksum go before the bytes, so they must be known; `write` then writes exactly `size` bytes.
  void add(const std::string& name, std::uint64_t size, std::uint32_t crc,
           const std::function<void(FileWriter&)>& write);
  void finish();

 private:
  FileWriter* file_;
  std::vector<ZipEntry> entries_;
};

}  // namespace headlight
