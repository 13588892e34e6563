#include "model/training/tasks/own/packed_file.h"

#include <utility>

namespace headlight {

PackedFile::PackedFile(const std::filesystem::path& path)
    : file_(path),
      packed_([this](std::uint64_t offset, void* to, std::size_t count) { file_.read(offset, to, count); }, 0,
              file_.size()),
      inflate_(nullptr, inflateEnd) {
  piece_ = packed_.next();
  if (!piece_.starts_with("\x1f\x8b")) return;
  if (inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) throw FileError("cannot read " + path.string() + ": no memory");
  inflate_.reset(&stream_);
  buffer_.resize(ChunkReader::kChunk);
}

std::string_view PackedFile::next() {
  if (inflate_) return unpacked();
  return std::exchange(fresh_, false) ? piece_ : packed_.next();
}

std::string_view PackedFile::unpacked() {
  const auto refuse = [&](const char* what) {
    throw FormatError(file_.path().string() + ": the packed file is " + what);
  };
  for (std::size_t made = 0; made == 0;) {
    if (piece_.empty()) piece_ = packed_.next();
    if (piece_.empty()) {
      if (state_ != Z_STREAM_END) refuse("cut off (an interrupted download?)");
      return {};
    }
    if (state_ == Z_STREAM_END) inflateReset(&stream_);  // several packed files one after the other are one
    stream_.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(piece_.data()));
    stream_.avail_in = static_cast<unsigned>(piece_.size());
    stream_.next_out = reinterpret_cast<unsigned char*>(buffer_.data());
    stream_.avail_out = static_cast<unsigned>(buffer_.size());
    state_ = inflate(&stream_, Z_NO_FLUSH);
    if (state_ != Z_OK && state_ != Z_STREAM_END && state_ != Z_BUF_ERROR) refuse("damaged");
    piece_.remove_prefix(piece_.size() - stream_.avail_in);
    made = buffer_.size() - stream_.avail_out;
    if (made > 0) return std::string_view(buffer_).substr(0, made);
  }
  return {};
}

}  // namespace headlight
