#include "model/training/pair_files.h"

#include <zlib.h>

#include <algorithm>
#include <memory>

#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/text/message_line.h"
#include "model/text/utf8.h"

namespace headlight {

namespace {

constexpr std::uint64_t kMaxFile = std::uint64_t{512} << 20, kMaxText = std::uint64_t{2} << 30;
constexpr std::size_t kMaxLine = 16 << 10;

std::string unpacked(const std::string& packed, const std::filesystem::path& path) {
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw FileError("cannot read " + path.string() + ": no memory");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);
  std::string text;
  std::vector<unsigned char> buffer(std::size_t{1} << 18);
  stream.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<unsigned>(packed.size());
  for (int state = Z_OK; state != Z_STREAM_END || stream.avail_in > 0;) {
    if (state == Z_STREAM_END) inflateReset(&stream);  // several packed files one after the other are one
    stream.next_out = buffer.data();
    stream.avail_out = static_cast<unsigned>(buffer.size());
    state = inflate(&stream, Z_NO_FLUSH);
    text.append(reinterpret_cast<const char*>(buffer.data()), buffer.size() - stream.avail_out);
    if (state == Z_BUF_ERROR || (state == Z_OK && stream.avail_in == 0 && stream.avail_out > 0))
      throw FormatError(path.string() + ": the packed file is cut off (an interrupted download?)");
    if (state != Z_OK && state != Z_STREAM_END) throw FormatError(path.string() + ": the packed file is damaged");
    if (text.size() > kMaxText) throw FormatError(path.string() + ": more than 2 GiB of text");
  }
  return text;
}

std::string read_text(const std::filesystem::path& path) {
  std::string bytes = read_file(path, kMaxFile);
  return bytes.starts_with("\x1f\x8b") ? unpacked(bytes, path) : bytes;
}

// The lines of a file, one after the other.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& path) : name_(escaped_line(path.string())), text_(read_text(path)) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // a mark of the byte order
  }
  bool next(std::string_view& line) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line = std::string_view(text_).substr(at_, end - at_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    at_ = end + 1;
    ++number_;
    return true;
  }
  std::string place() const { return name_ + ":" + std::to_string(number_) + ": "; }
  const std::string& name() const { return name_; }
  Index number() const { return number_; }

 private:
  std::string name_, text_;
  std::size_t at_ = 0;
  Index number_ = 0;
};

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t") == std::string_view::npos; }

// What is wrong with a line, empty: nothing.
std::string fault(std::string_view line) {
  if (line.size() > kMaxLine)
    return "expected at most " + std::to_string(kMaxLine) + " bytes, found " + std::to_string(line.size());
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t length = code_point_length(line, at);
    if (length == 0) return "expected UTF-8, found another encoding at byte " + std::to_string(at + 1);
    at += length;
  }
  return {};
}

class Reader {
 public:
  explicit Reader(bool skip) : skip_(skip) {}

  PairLines one_file(const std::filesystem::path& path) {
    Lines lines(path);
    for (std::string_view line; lines.next(line);) {
      if (line.empty()) continue;
      std::string problem = fault(line);
      const std::size_t tab = line.find('\t');
      if (problem.empty() && tab == std::string_view::npos)
        problem = "expected a tab between source and target, found none";
      if (refuse(problem, lines)) continue;
      const std::string_view rest = line.substr(tab + 1);
      add(line.substr(0, tab), rest.substr(0, rest.find('\t')), lines, lines);
    }
    return std::move(read_);
  }

  PairLines two_files(const std::filesystem::path& source, const std::filesystem::path& target) {
    Lines sources(source), targets(target);
    for (std::string_view a, b;;) {
      const bool more = sources.next(a), too = targets.next(b);
      if (more != too) {
        const Lines &longer = more ? sources : targets, &shorter = more ? targets : sources;
        throw FormatError(shorter.name() + ": expected as many lines as " + longer.name() + " has, found only " +
                          std::to_string(shorter.number()));
      }
      if (!more) return std::move(read_);
      if (refuse(fault(a), sources) || refuse(fault(b), targets)) continue;
      add(a, b, sources, targets);
    }
  }

 private:
  bool refuse(const std::string& problem, const Lines& lines) {
    if (problem.empty()) return false;
    if (!skip_) throw FormatError(lines.place() + problem);
    if (read_.skipped++ == 0) read_.first_skipped = lines.place() + problem;
    return true;
  }
  void add(std::string_view source, std::string_view target, const Lines& sources, const Lines& targets) {
    if (is_blank(source) && refuse("expected a source, found an empty text", sources)) return;
    if (is_blank(target) && refuse("expected a target, found an empty text", targets)) return;
    read_.pairs.emplace_back(source, target);
  }

  bool skip_;
  PairLines read_;
};

}  // namespace

PairLines read_pairs(const std::vector<std::filesystem::path>& files, bool skip_bad_lines) {
  Reader reader(skip_bad_lines);
  if (files.size() == 1) return reader.one_file(files[0]);
  if (files.size() == 2) return reader.two_files(files[0], files[1]);
  throw UsageError(
      "the task 'pairs' reads one file of \"source TAB target\" lines, or two files whose lines belong "
      "together; got " +
      std::to_string(files.size()) + " files");
}

}  // namespace headlight
