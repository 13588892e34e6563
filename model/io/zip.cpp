#include "model/io/zip.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <unordered_set>

#include "model/core/errors.h"

namespace headlight {

namespace {

constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEndOfDirectory = 0x06054b50;
constexpr std::uint32_t kEndOfDirectory64 = 0x06064b50, kLocator64 = 0x07064b50;
constexpr std::uint64_t kFull16 = 0xffff, kFull32 = 0xffffffff;
constexpr std::size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22, kEnd64Size = 56, kLocator64Size = 20;
constexpr std::uint64_t kMaxDirectory = 256u << 20;
// Deflate packs at most 1032 to 1; whoever promises more wants our memory.
constexpr std::uint64_t kMaxRatio = 1100;

template <typename Number>
Number number(std::string_view bytes, std::size_t at) {
  Number value;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}
std::uint64_t u16(std::string_view bytes, std::size_t at) { return number<std::uint16_t>(bytes, at); }
std::uint64_t u32(std::string_view bytes, std::size_t at) { return number<std::uint32_t>(bytes, at); }
std::uint64_t u64(std::string_view bytes, std::size_t at) { return number<std::uint64_t>(bytes, at); }

// Sizes and places that did not fit 32 bits stand in the zip64 extra field, in this order. False: not there.
bool read_zip64(std::string_view extra, ZipEntry& entry) {
  std::vector<std::uint64_t*> wanted;
  for (std::uint64_t* value : {&entry.size, &entry.packed, &entry.header})
    if (*value == kFull32) wanted.push_back(value);
  if (wanted.empty()) return true;
  while (extra.size() >= 4) {
    const std::uint64_t id = u16(extra, 0), length = u16(extra, 2);
    if (length > extra.size() - 4) return false;
    if (id == 1) {
      if (length < 8 * wanted.size()) return false;
      for (std::size_t i = 0; i < wanted.size(); ++i) *wanted[i] = u64(extra, 4 + 8 * i);
      return true;
    }
    extra.remove_prefix(4 + length);
  }
  return false;
}

}  // namespace

ZipReader::ZipReader(Source source, std::uint64_t size, std::string name)
    : source_(std::move(source)), size_(size), name_(std::move(name)) {
  read_directory();
  for (ZipEntry& entry : entries_) find_data(entry);
  check_overlap();
}

ZipReader open_zip(const std::filesystem::path& path) {
  const auto file = std::make_shared<const FileReader>(path);
  return {[file](std::uint64_t at, void* to, std::size_t count) { file->read(at, to, count); }, file->size(),
          path.string()};
}

void ZipReader::fail(const std::string& what) const { throw FormatError(name_ + ": " + what); }

std::string ZipReader::bytes(std::uint64_t offset, std::uint64_t count) const {
  if (offset > size_ || count > size_ - offset) fail("the archive is damaged or cut off");
  std::string text(static_cast<std::size_t>(count), '\0');
  if (count > 0) source_(offset, text.data(), text.size());
  return text;
}

void ZipReader::find_directory(std::uint64_t& begin, std::uint64_t& size, std::uint64_t& count) const {
  const std::uint64_t tail_size = std::min<std::uint64_t>(size_, kEndSize + kFull16);
  const std::string tail = bytes(size_ - tail_size, tail_size);
  std::size_t at = tail.size() < kEndSize ? std::string::npos : tail.size() - kEndSize;
  // The end record is followed only by its comment; that must end with the file.
  while (at != std::string::npos &&
         (u32(tail, at) != kEndOfDirectory || at + kEndSize + u16(tail, at + 20) != tail.size()))
    at = at == 0 ? std::string::npos : at - 1;
  if (at == std::string::npos) fail("not a zip archive, or cut off: its directory at the end is missing");
  if (u16(tail, at + 4) != u16(tail, at + 6)) fail("archives in several parts are not supported");
  count = u16(tail, at + 10);
  size = u32(tail, at + 12);
  begin = u32(tail, at + 16);
  if (count != kFull16 && size != kFull32 && begin != kFull32) return;
  const std::uint64_t end_place = size_ - tail_size + at;
  if (end_place < kLocator64Size) return;
  const std::string locator = bytes(end_place - kLocator64Size, kLocator64Size);
  if (u32(locator, 0) != kLocator64) return;
  const std::string end64 = bytes(u64(locator, 8), kEnd64Size);
  if (u32(end64, 0) != kEndOfDirectory64) fail("the archive is damaged: its zip64 record is missing");
  count = u64(end64, 32);
  size = u64(end64, 40);
  begin = u64(end64, 48);
}

void ZipReader::read_directory() {
  std::uint64_t begin = 0, size = 0, count = 0;
  find_directory(begin, size, count);
  if (size > kMaxDirectory) fail("the directory of the archive is too large");
  const std::string all = bytes(begin, size);
  std::string_view directory = all;
  if (count > directory.size() / kCentralSize) fail("the archive is damaged: its directory is too short");
  std::unordered_set<std::string> names;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (directory.size() < kCentralSize || u32(directory, 0) != kCentral)
      fail("the archive is damaged: its directory is too short");
    const std::size_t name_size = u16(directory, 28), extra_size = u16(directory, 30);
    const std::size_t whole = kCentralSize + name_size + extra_size + u16(directory, 32);
    if (whole > directory.size()) fail("the archive is damaged: its directory is too short");
    ZipEntry entry;
    entry.name = std::string(directory.substr(kCentralSize, name_size));
    const std::uint64_t flags = u16(directory, 8), method = u16(directory, 10);
    if (flags & 1) fail("the entry \"" + entry.name + "\" is encrypted");
    if (method != 0 && method != 8)
      fail("the entry \"" + entry.name + "\" is packed by method " + std::to_string(method) +
           "; only stored and deflated ones can be read");
    entry.deflated = method == 8;
    entry.crc = static_cast<std::uint32_t>(u32(directory, 16));
    entry.packed = u32(directory, 20);
    entry.size = u32(directory, 24);
    entry.header = u32(directory, 42);
    if (!read_zip64(directory.substr(kCentralSize + name_size, extra_size), entry))
      fail("the entry \"" + entry.name + "\" has no zip64 sizes");
    if (!names.insert(entry.name).second) fail("the entry \"" + entry.name + "\" is there twice");
    entries_.push_back(std::move(entry));
    directory.remove_prefix(whole);
  }
}

void ZipReader::find_data(ZipEntry& entry) const {
  const std::string local = bytes(entry.header, kLocalSize);
  if (u32(local, 0) != kLocal) fail("the entry \"" + entry.name + "\" does not start where the directory says");
  entry.begin = entry.header + kLocalSize + u16(local, 26) + u16(local, 28);
  if (entry.begin > size_ || entry.packed > size_ - entry.begin) fail("the entry \"" + entry.name + "\" is cut off");
  if (!entry.deflated && entry.packed != entry.size)
    fail("the entry \"" + entry.name + "\" has two sizes: " + bytes_text(entry.packed) + " and " +
         bytes_text(entry.size));
  if (entry.deflated && entry.size / kMaxRatio > entry.packed)
    fail("the entry \"" + entry.name + "\" claims to unpack " + bytes_text(entry.packed) + " to " +
         bytes_text(entry.size));
}

void ZipReader::check_overlap() const {
  std::vector<const ZipEntry*> sorted;
  for (const ZipEntry& entry : entries_) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(), [](const ZipEntry* a, const ZipEntry* b) { return a->header < b->header; });
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i - 1]->begin + sorted[i - 1]->packed > sorted[i]->header)
      fail("the entries \"" + sorted[i - 1]->name + "\" and \"" + sorted[i]->name + "\" overlap");
}

std::string ZipReader::unpack(const ZipEntry& entry) const {
  std::string packed = bytes(entry.begin, entry.packed);
  std::string unpacked;
  if (entry.deflated) {
    unpacked.resize(static_cast<std::size_t>(entry.size));
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) fail("there is not enough memory to unpack the archive");
    std::size_t read = 0, written = 0;
    int state = Z_OK;
    char spare = 0;  // where one byte too many goes, so that a stream that is too long is noticed
    while (state == Z_OK) {
      const std::size_t in = std::min<std::size_t>(packed.size() - read, 1u << 30);
      const std::size_t out = std::min<std::size_t>(unpacked.size() - written, 1u << 30);
      stream.next_in = reinterpret_cast<Bytef*>(packed.data() + read);
      stream.avail_in = static_cast<uInt>(in);
      stream.next_out = reinterpret_cast<Bytef*>(out > 0 ? unpacked.data() + written : &spare);
      stream.avail_out = static_cast<uInt>(out > 0 ? out : 1);
      state = inflate(&stream, Z_NO_FLUSH);
      read += in - stream.avail_in;
      written += (out > 0 ? out : 1) - stream.avail_out;
      if (written > unpacked.size()) break;
    }
    inflateEnd(&stream);
    if (state != Z_STREAM_END || written != unpacked.size())
      fail("the entry \"" + entry.name + "\" cannot be unpacked: its data is damaged");
  } else {
    unpacked = std::move(packed);
  }
  const uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(unpacked.data()), unpacked.size());
  if (crc != entry.crc) fail("the entry \"" + entry.name + "\" is damaged: its checksum is wrong");
  return unpacked;
}

void ZipReader::read_stored(const ZipEntry& entry, std::uint64_t offset, void* to, std::size_t count) const {
  if (entry.deflated || offset > entry.size || count > entry.size - offset)
    fail("the entry \"" + entry.name + "\" is too short");
  source_(entry.begin + offset, to, count);
}

std::string ZipReader::unpack_start(const ZipEntry& entry, std::size_t count) const {
  count = static_cast<std::size_t>(std::min<std::uint64_t>(count, entry.size));
  if (!entry.deflated) return bytes(entry.begin, count);
  // Deflate may make its input larger by a few bytes.
  std::string packed = bytes(entry.begin, std::min<std::uint64_t>(entry.packed, count + 1024));
  std::string unpacked(count, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) fail("there is not enough memory to unpack the archive");
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(unpacked.data());
  stream.avail_out = static_cast<uInt>(unpacked.size());
  if (count > 0) inflate(&stream, Z_SYNC_FLUSH);
  inflateEnd(&stream);
  unpacked.resize(count - stream.avail_out);
  return unpacked;
}

namespace {

void put(std::string& to, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(i < 8 ? value >> (8 * i) : 0);
}

bool is_ascii(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Version needed, flags, method, time, date (1 January 1980: the same tensors give the same bytes).
void put_common(std::string& to, const ZipEntry& entry, bool zip64) {
  put(to, zip64 ? 45 : 20, 2);
  put(to, is_ascii(entry.name) ? 0 : 0x800, 2);
  put(to, 0, 2);
  put(to, 0, 2);
  put(to, 0x21, 2);
  put(to, entry.crc, 4);
}

}  // namespace

void ZipWriter::add(const std::string& name, std::uint64_t size, std::uint32_t crc,
                    const std::function<void(FileWriter&)>& write) {
  ZipEntry entry;
  entry.name = name;
  entry.crc = crc;
  entry.packed = entry.size = size;
  entry.header = file_->position();
  const bool large = size >= kFull32;
  std::string header;
  put(header, kLocal, 4);
  put_common(header, entry, large);
  for (int i = 0; i < 2; ++i) put(header, large ? kFull32 : size, 4);
  put(header, name.size(), 2);
  put(header, large ? 20 : 0, 2);
  header += name;
  if (large) {
    put(header, 1, 2);
    put(header, 16, 2);
    for (int i = 0; i < 2; ++i) put(header, size, 8);
  }
  file_->write(header);
  write(*file_);
  entries_.push_back(std::move(entry));
}

void ZipWriter::finish() {
  const std::uint64_t begin = file_->position();
  for (const ZipEntry& entry : entries_) {
    std::string extra;
    const bool large = entry.size >= kFull32, far = entry.header >= kFull32;
    if (large) put(extra, entry.size, 8), put(extra, entry.packed, 8);
    if (far) put(extra, entry.header, 8);
    std::string header;
    put(header, kCentral, 4);
    put(header, 0x32d, 2);  // made on Unix, version 4.5
    put_common(header, entry, large || far);
    for (int i = 0; i < 2; ++i) put(header, large ? kFull32 : entry.size, 4);
    put(header, entry.name.size(), 2);
    put(header, extra.empty() ? 0 : extra.size() + 4, 2);
    put(header, 0, 6);               // no comment, first part, no internal attributes
    put(header, 0100644u << 16, 4);  // a plain file, rw-r--r--
    put(header, far ? kFull32 : entry.header, 4);
    header += entry.name;
    if (!extra.empty()) put(header, 1, 2), put(header, extra.size(), 2), header += extra;
    file_->write(header);
  }
  const std::uint64_t size = file_->position() - begin, count = entries_.size();
  const bool large = count >= kFull16 || size >= kFull32 || begin >= kFull32;
  std::string end;
  if (large) {
    const std::uint64_t place = file_->position();
    put(end, kEndOfDirectory64, 4);
    put(end, kEnd64Size - 12, 8);
    put(end, 45, 2), put(end, 45, 2), put(end, 0, 4), put(end, 0, 4);
    put(end, count, 8), put(end, count, 8), put(end, size, 8), put(end, begin, 8);
    put(end, kLocator64, 4);
    put(end, 0, 4), put(end, place, 8), put(end, 1, 4);
  }
  put(end, kEndOfDirectory, 4);
  put(end, 0, 4);
  for (int i = 0; i < 2; ++i) put(end, std::min(count, kFull16), 2);
  put(end, std::min(size, kFull32), 4);
  put(end, std::min(begin, kFull32), 4);
  put(end, 0, 2);
  file_->write(end);
}

}  // namespace headlight
