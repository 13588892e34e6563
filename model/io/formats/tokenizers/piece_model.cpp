// sentencepiece's models: a protobuf message, read field by field (protobuf.dev/programming-guides/encoding). The
// library's own reader ends the program at files that were made to hurt.

#include <cstring>

#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/text_file.h"
#include "model/text/utf8.h"

namespace headlight {

namespace {

constexpr std::uint64_t kMaxFile = 64u << 20;
constexpr std::size_t kMaxPieces = 2'000'000;

// The fields of one message, one after another.
class Message {
 public:
  Message(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  int field = 0;
  std::uint64_t number = 0;    // of a varint
  float real = 0;              // of 32 bits
  std::string_view content{};  // of a text or a message

  bool next() {
    if (at_ == bytes_.size()) return false;
    const std::uint64_t key = varint();
    field = static_cast<int>(key >> 3 & 0x1fffffff);
    kind_ = static_cast<int>(key & 7);
    switch (kind_) {
      case 0:
        number = varint();
        return true;
      case 1:
        take(8);
        return true;
      case 2:
        content = take(varint());
        return true;
      case 5:
        std::memcpy(&real, take(4).data(), 4);
        return true;
      default:
        fail("it has a field of a kind that is not read");
    }
  }
  bool is(int wanted, int kind) const { return field == wanted && kind_ == kind; }
  [[noreturn]] void fail(const std::string& what) const {
    throw FormatError(name_ + ": not a sentencepiece model, or damaged: " + what);
  }

 private:
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_) fail("it is cut off");
    at_ += static_cast<std::size_t>(count);
    return bytes_.substr(at_ - static_cast<std::size_t>(count), static_cast<std::size_t>(count));
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    fail("it has a number of more than 64 bits");
  }
  std::string_view bytes_;
  const std::string& name_;
  std::size_t at_ = 0;
  int kind_ = 0;
};

PieceModel::Piece read_piece(std::string_view bytes, const std::string& name) {
  PieceModel::Piece piece;
  for (Message m(bytes, name); m.next();) {
    if (m.is(1, 2)) {
      if (!is_utf8(m.content)) m.fail("a piece is not valid UTF-8");
      piece.text = std::string(m.content);
    } else if (m.is(2, 5)) {
      if (!(m.real > -1e30f && m.real < 1e30f)) m.fail("the score of a piece is no number");
      piece.score = static_cast<double>(m.real);
    } else if (m.is(3, 0)) {
      if (m.number < 1 || m.number > 6) m.fail("a piece is of a type that is not known");
      piece.type = static_cast<int>(m.number);
    }
  }
  return piece;
}

}  // namespace

PieceModel parse_piece_model(std::string_view bytes, const std::string& name) {
  PieceModel model;
  for (Message m(bytes, name); m.next();) {
    if (m.is(1, 2)) {
      model.pieces.push_back(read_piece(m.content, name));
      if (model.pieces.size() > kMaxPieces) m.fail("it has more than " + std::to_string(kMaxPieces) + " pieces");
    } else if (m.is(2, 2)) {
      for (Message trainer(m.content, name); trainer.next();)
        if (trainer.is(3, 0)) model.model_type = static_cast<int>(trainer.number & 0xff);
    } else if (m.is(3, 2)) {
      for (Message normalizer(m.content, name); normalizer.next();) {
        if (normalizer.is(2, 2)) model.character_map = std::string(normalizer.content);
        if (normalizer.is(3, 0)) model.add_dummy_prefix = normalizer.number != 0;
        if (normalizer.is(4, 0)) model.remove_extra_spaces = normalizer.number != 0;
        if (normalizer.is(5, 0)) model.escape_spaces = normalizer.number != 0;
      }
    }
  }
  if (model.pieces.empty()) throw FormatError(name + ": not a sentencepiece model, or damaged: it has no pieces");
  if (model.model_type != 1 && model.model_type != 2)
    throw FormatError(name + ": models of words and characters (model_type " + std::to_string(model.model_type) +
                      ") are not supported");
  return model;
}

PieceModel read_piece_model(const std::filesystem::path& path) {
  const std::string bytes = read_file(path, kMaxFile);
  refuse_other_content(bytes, path.string());
  return parse_piece_model(bytes, path.string());
}

}  // namespace headlight
