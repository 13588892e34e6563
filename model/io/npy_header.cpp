#include "model/io/npy_header.h"

#include <bit>
#include <cctype>
#include <cstring>
#include <unordered_map>

#include "model/core/errors.h"

namespace headlight {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::uint64_t kMaxNpyHeader = 1u << 20;
constexpr std::size_t kMaxNpyText = 1u << 20;  // characters of one text of an array

// Reads the one kind of literal that numpy writes: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
class DictReader {
 public:
  DictReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  void read(NpyHeader& header) {
    bool descr = false, order = false, shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr" && !descr) {
        descr = true;
        if (peek() == '[')
          header.unread = "structured arrays are not supported", skip_list();
        else
          header.descr = string();
      } else if (key == "fortran_order" && !order) {
        order = true;
        header.fortran_order = boolean();
      } else if (key == "shape" && !shape) {
        shape = true;
        header.shape = tuple();
      } else {
        fail("its header has an unexpected key '" + key + "'");
      }
      if (!accept(',') && peek() != '}') fail("its header is damaged");
    }
    if (peek() != 0) fail("its header is damaged");
    if (!descr || !order || !shape) fail("its header lacks descr, fortran_order or shape");
  }

  [[noreturn]] void fail(const std::string& what) const { throw FormatError(name_ + ": " + what); }

 private:
  char peek() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) && text_[at_] != '\0') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail("its header is damaged");
  }
  std::string string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("its header is damaged");
    const std::size_t end = text_.find(quote, ++at_);
    if (end == std::string_view::npos) fail("its header is damaged");
    const std::string value(text_.substr(at_, end - at_));
    at_ = end + 1;
    return value;
  }
  // A list of fields, with whatever is in it.
  void skip_list() {
    std::size_t open = 0;
    do {
      const char c = peek();
      if (c == '\'' || c == '"') {
        string();
        continue;
      }
      if (at_ >= text_.size()) fail("its header is damaged");
      open += c == '[' || c == '(' || c == '{';
      open -= c == ']' || c == ')' || c == '}';
      ++at_;
    } while (open > 0);
  }
  bool boolean() {
    peek();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_).starts_with(word)) return at_ += word.size(), value;
    }
    fail("its header is damaged");
  }
  std::vector<std::uint64_t> tuple() {
    std::vector<std::uint64_t> numbers;
    expect('(');
    while (!accept(')')) {
      std::uint64_t number = 0;
      if (!std::isdigit(static_cast<unsigned char>(peek()))) fail("its shape is damaged");
      for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_)
        if (__builtin_mul_overflow(number, 10u, &number) ||
            __builtin_add_overflow(number, static_cast<std::uint64_t>(text_[at_] - '0'), &number) || number >> 48)
          fail("its shape is too large");
      numbers.push_back(number);
      if (!accept(',') && peek() != ')') fail("its shape is damaged");
    }
    return numbers;
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

// What the letter of a type means that holds no numbers or texts.
std::string unread_type(char letter, const std::string& descr) {
  if (letter == 'O') return "arrays of Python objects are not supported";
  if (letter == 'M' || letter == 'm') return "dates and times ('" + descr + "') are not supported";
  return "arrays of type '" + descr + "' are not supported";
}

void read_descr(NpyHeader& header) {
  if (!header.unread.empty()) return;
  const std::string& descr = header.descr;
  const bool order = !descr.empty() && std::strchr("<>|=", descr[0]) && descr[0] != '\0';
  header.swap = order && descr[0] == '>';
  const std::string type = descr.substr(order ? 1 : 0);
  std::size_t size = 0;
  for (std::size_t i = 1; i < type.size() && size < kMaxNpyText; ++i)
    size = type[i] >= '0' && type[i] <= '9' ? size * 10 + static_cast<std::size_t>(type[i] - '0') : kMaxNpyText;
  const char kind = type.size() < 2 ? '\0' : type[0];
  const bool is_number =
      (kind == 'f' || kind == 'i' || kind == 'u' || kind == 'b') && std::has_single_bit(size) && size <= 8;
  const bool is_text = (kind == 'U' || kind == 'S') && size < kMaxNpyText;
  // NumPy has no bfloat16: it writes two bytes of no type for it.
  const bool is_bfloat16 = (kind == 'V' && size == 2) || type == "bfloat16";
  header.kind = is_bfloat16 ? 'V' : kind;
  header.item_bytes = is_bfloat16 ? 2 : kind == 'U' ? 4 * size : size;
  if (!is_number && !is_text && !is_bfloat16 && !(kind == 'c' && (size == 8 || size == 16)))
    header.unread = unread_type(type.empty() ? '\0' : type[0], descr);
  else if (kind == 'f' && size == 1)
    header.unread = unread_type('f', descr);
}

}  // namespace

std::string NpyHeader::dtype() const {
  static const std::unordered_map<std::string, const char*> types = {
      {"b1", "BOOL"}, {"u1", "U8"},  {"i1", "I8"},  {"u2", "U16"}, {"i2", "I16"}, {"u4", "U32"}, {"i4", "I32"},
      {"u8", "U64"},  {"i8", "I64"}, {"f2", "F16"}, {"f4", "F32"}, {"f8", "F64"}, {"c8", "C64"}, {"c16", "C128"}};
  const auto found = types.find(kind + std::to_string(item_bytes));
  if (found != types.end()) return found->second;
  if (kind == 'V') return "BF16";
  if (kind == 'U') return "<U" + std::to_string(item_bytes / 4);
  return "|S" + std::to_string(item_bytes);
}

StridedView NpyHeader::view() const {
  StridedView view;
  view.shape = shape;
  view.strides = dense_strides(shape, fortran_order);
  view.swap = swap;
  view.parts = kind == 'c' ? 2 : kind == 'U' ? item_bytes / 4 : 1;
  view.item = kind == 'U' ? 4 : item_bytes / view.parts;
  return view;
}

NpyHeader parse_npy_header(std::string_view bytes, const std::string& name) {
  const auto fail = [&](const std::string& what) { throw FormatError(name + ": " + what); };
  if (!bytes.starts_with(kMagic)) fail("not an npy array: it does not start with \\x93NUMPY");
  if (bytes.size() < 8) fail("the array is cut off in its header");
  const int version = bytes[6];
  if (version < 1 || version > 3) fail("npy version " + std::to_string(version) + " is not supported");
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (bytes.size() < 8 + length_bytes) fail("the array is cut off in its header");
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 8, length_bytes);
  const std::size_t begin = 8 + length_bytes;
  if (length > kMaxNpyHeader) fail("its header is too long");
  if (length > bytes.size() - begin) fail("the array is cut off in its header");
  NpyHeader header;
  header.data_begin = begin + length;
  DictReader reader(bytes.substr(begin, length), name);
  reader.read(header);
  read_descr(header);
  return header;
}

std::uint64_t npy_header_size(std::string_view start) {
  if (start.size() < 12 || !start.starts_with(kMagic)) return 0;
  const std::size_t length_bytes = start[6] == 1 ? 2 : 4;
  std::uint32_t length = 0;
  std::memcpy(&length, start.data() + 8, length_bytes);
  return 8 + length_bytes + std::min<std::uint64_t>(length, kMaxNpyHeader + 1);
}

std::string npy_header_text(const std::vector<std::uint64_t>& shape, const std::string& descr) {
  std::string dict = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (";
  for (std::size_t i = 0; i < shape.size(); ++i) dict += (i ? ", " : "") + std::to_string(shape[i]);
  dict += shape.size() == 1 ? ",), }" : "), }";
  const std::size_t unpadded = kMagic.size() + 4 + dict.size() + 1;
  dict += std::string((64 - unpadded % 64) % 64, ' ') + '\n';
  const auto length = static_cast<std::uint16_t>(dict.size());
  std::string text(kMagic);
  text += {'\1', '\0', static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  return text + dict;
}

}  // namespace headlight
