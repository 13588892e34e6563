// The opcodes of Python's pickletools, of those that PyTorch's restricted reader and NumPy's arrays need.

#include "model/io/pickle.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unordered_map>

#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/text/utf8.h"

namespace headlight {

namespace {
constexpr std::size_t kMaxNodes = 2'000'000, kMaxKept = 1 << 20;
}

class PickleMachine {
 public:
  using Id = Pickle::Id;
  using Kind = Pickle::Kind;

  PickleMachine(Pickle& pickle, std::string_view bytes, const std::string& name)
      : p_(pickle), bytes_(bytes), name_(name) {}

  std::size_t run() {
    if (bytes_.size() < 2 || bytes_[0] != '\x80')
      fail("not a pickle of protocol 2 or newer: it does not start with \\x80");
    while (step(take(1)[0])) {
    }
    return at_;
  }
  [[noreturn]] void fail_behind() const {
    fail("the pickle is followed by " + bytes_text(bytes_.size() - at_) +
         "; several pickles in one file are not supported");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw FormatError(name_ + ": " + what); }
  [[noreturn]] void damaged() const { fail("the pickle is damaged (byte " + std::to_string(at_) + ")"); }

  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_) fail("the pickle is cut off");
    at_ += static_cast<std::size_t>(count);
    return bytes_.substr(at_ - static_cast<std::size_t>(count), static_cast<std::size_t>(count));
  }
  template <typename Number>
  Number number() {
    Number value;
    std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
    return value;
  }
  std::string_view line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) fail("the pickle is cut off");
    const std::string_view text = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return text;
  }
  // Python writes halves of surrogate pairs, too.
  std::string_view text(std::uint64_t size) {
    const std::string_view text = take(size);
    if (is_utf8(text)) return text;
    std::string whole(text);
    for (std::size_t at = 0; (at = whole.find('\xed', at)) != whole.npos; ++at)
      if (at + 2 < whole.size() && static_cast<unsigned char>(whole[at + 1]) >= 0xa0)
        whole.replace(at, 3, "\xef\xbf\xbd");
    if (!is_utf8(whole))
      fail("a text of the pickle is not valid UTF-8 (byte " + std::to_string(at_ - text.size()) + ")");
    return keep(std::move(whole));
  }

  Id add(Pickle::Node node) {
    if (p_.nodes_.size() >= kMaxNodes) fail("the pickle has more than " + std::to_string(kMaxNodes) + " objects");
    p_.nodes_.push_back(node);
    return static_cast<Id>(p_.nodes_.size() - 1);
  }
  Id add(Kind kind, std::vector<Id> children) {
    p_.lists_.push_back(std::move(children));
    Pickle::Node node;
    node.kind = kind;
    node.children = static_cast<std::uint32_t>(p_.lists_.size() - 1);
    return add(node);
  }
  void push(Id id) { stack_.push_back(id); }
  void push_text(Kind kind, std::string_view text) {
    Pickle::Node node;
    node.kind = kind;
    node.text = text;
    push(add(node));
  }
  void push_integer(Kind kind, std::int64_t integer) {
    Pickle::Node node;
    node.kind = kind;
    node.integer = integer;
    push(add(node));
  }
  std::size_t bottom() const { return marks_.empty() ? 0 : marks_.back(); }
  Id pop() {
    if (stack_.size() <= bottom()) damaged();
    const Id id = stack_.back();
    stack_.pop_back();
    return id;
  }
  Id top() const {
    if (stack_.size() <= bottom()) damaged();
    return stack_.back();
  }
  std::vector<Id> pop_to_mark() {
    if (marks_.empty()) damaged();
    std::vector<Id> items(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()), stack_.end());
    stack_.resize(marks_.back());
    marks_.pop_back();
    return items;
  }
  std::vector<Id> pop_many(std::size_t count) {
    std::vector<Id> items(count);
    for (std::size_t i = count; i-- > 0;) items[i] = pop();
    return items;
  }
  void remember(std::uint64_t key) { memo_[key] = top(); }
  void recall(std::uint64_t key) {
    const auto found = memo_.find(key);
    if (found == memo_.end()) damaged();
    push(found->second);
  }

  void push_long(std::string_view digits) {  // two's complement, the lowest byte first
    if (digits.size() > 8) return push_text(Kind::big, digits);
    std::int64_t value = !digits.empty() && (digits.back() & 0x80) ? -1 : 0;
    std::memcpy(&value, digits.data(), digits.size());
    push_integer(Kind::integer, value);
  }
  void push_real(std::string_view big_endian) {
    char raw[8];
    std::reverse_copy(big_endian.begin(), big_endian.end(), raw);
    Pickle::Node node;
    node.kind = Kind::real;
    std::memcpy(&node.real, raw, sizeof(raw));
    push(add(node));
  }

  // The list or dict that takes what is put into `target`.
  Id container(Id target, Kind kind) {
    if (p_.nodes_[target].kind == kind) return target;
    if (p_.nodes_[target].kind != Kind::call) damaged();
    if (p_.nodes_[target].content == Pickle::kNone) {
      const Id content = add(kind, {});
      p_.nodes_[target].content = content;
    }
    if (p_.nodes_[p_.nodes_[target].content].kind != kind) damaged();
    return p_.nodes_[target].content;
  }
  void put(Id target, Kind kind, const std::vector<Id>& items) {
    if (kind == Kind::dict && items.size() % 2 != 0) damaged();
    std::vector<Id>& into = p_.lists_[p_.nodes_[container(target, kind)].children];
    into.insert(into.end(), items.begin(), items.end());
  }

  // A text that is recalled again and again must not become larger than memory.
  std::string_view keep(std::string text) {
    kept_ += text.size();
    if (kept_ > 2 * bytes_.size() + kMaxKept) fail("the pickle repeats its texts too often");
    return p_.texts_.emplace_back(std::move(text));
  }
  void push_global(std::string_view module, std::string_view name) {
    push_text(Kind::global, keep(std::string(module) + " " + std::string(name)));
  }

  // A few classes of the standard library are what they hold; everything else stays a call that nobody makes.
  void call(Id callable, Id arguments) {
    if (p_.is(callable, Kind::global) && p_.is(arguments, Kind::tuple)) {
      const std::string_view name = p_.nodes_[callable].text;
      const std::vector<Id>& given = p_.children(arguments);
      const bool nothing = given.empty();
      if ((name == "collections OrderedDict" || name == "__builtin__ dict" || name == "builtins dict") && nothing)
        return push(add(Kind::dict, {}));
      if (name == "collections defaultdict" && given.size() <= 1) return push(add(Kind::dict, {}));
      if (name == "__builtin__ set" || name == "builtins set" || name == "__builtin__ frozenset" ||
          name == "builtins frozenset") {
        if (nothing) return push(add(Kind::list, {}));
        if (given.size() == 1 && p_.is(given[0], Kind::list)) return push(given[0]);
      }
      if ((name == "__builtin__ bytearray" || name == "builtins bytearray") && given.size() == 1 &&
          p_.is(given[0], Kind::bytes))
        return push(given[0]);
      if (name == "_codecs encode" && given.size() == 2 && p_.is(given[0], Kind::text) && p_.is(given[1], Kind::text) &&
          (p_.nodes_[given[1]].text == "latin1" || p_.nodes_[given[1]].text == "latin-1"))
        return push_latin1(p_.nodes_[given[0]].text);
    }
    push(add(Kind::call, {callable, arguments}));
  }
  // How protocol 2 writes bytes: as a text of the characters U+0000 to U+00FF.
  void push_latin1(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t length = code_point_length(text, at);
      const char32_t c = code_point(text.substr(at, length));
      if (c > 0xff) fail("bytes of the pickle are written as a text with other characters than latin-1");
      bytes += static_cast<char>(static_cast<unsigned char>(c));
      at += length;
    }
    push_text(Kind::bytes, keep(std::move(bytes)));
  }

  void read_protocol() {
    const int protocol = static_cast<unsigned char>(take(1)[0]);
    if (protocol < 2 || protocol > 5) fail("pickles of protocol " + std::to_string(protocol) + " are not supported");
  }
  // How much follows, a hint for buffers.
  void read_frame() {
    if (number<std::uint64_t>() > bytes_.size() - at_) fail("the pickle is cut off");
  }
  void read_long() {
    const auto size = number<std::int32_t>();
    if (size < 0) damaged();
    push_long(take(static_cast<std::uint64_t>(size)));
  }
  // Into what lies below them.
  void put_below(Kind kind, const std::vector<Id>& items) { put(top(), kind, items); }
  void set_state() {
    const Id state = pop();
    p_.nodes_[top()].state = state;
  }
  void read_global() {
    const std::string_view module = line(), name = line();
    if (!is_utf8(module) || !is_utf8(name)) damaged();
    push_global(module, name);
  }
  void make_global() {
    const Id name = pop(), module = pop();
    if (!p_.is(name, Kind::text) || !p_.is(module, Kind::text)) damaged();
    push_global(p_.nodes_[module].text, p_.nodes_[name].text);
  }
  void reduce() {
    const Id arguments = pop(), callable = pop();
    call(callable, arguments);
  }

  // A row for each opcode but the last one of a pickle.
  using M = PickleMachine;
  using Step = void (*)(M&);
  static const std::unordered_map<unsigned char, Step>& steps() {
    static const std::unordered_map<unsigned char, Step> rows = {
        {0x80, [](M& m) { m.read_protocol(); }},
        {0x95, [](M& m) { m.read_frame(); }},
        {'(', [](M& m) { m.marks_.push_back(m.stack_.size()); }},
        {'0', [](M& m) { m.pop(); }},
        {'1', [](M& m) { m.pop_to_mark(); }},
        {'N', [](M& m) { m.push_integer(Kind::none, 0); }},
        {0x88, [](M& m) { m.push_integer(Kind::boolean, 1); }},
        {0x89, [](M& m) { m.push_integer(Kind::boolean, 0); }},
        {'J', [](M& m) { m.push_integer(Kind::integer, m.number<std::int32_t>()); }},
        {'K', [](M& m) { m.push_integer(Kind::integer, m.number<std::uint8_t>()); }},
        {'M', [](M& m) { m.push_integer(Kind::integer, m.number<std::uint16_t>()); }},
        {0x8a, [](M& m) { m.push_long(m.take(m.number<std::uint8_t>())); }},
        {0x8b, [](M& m) { m.read_long(); }},
        {'G', [](M& m) { m.push_real(m.take(8)); }},
        {'X', [](M& m) { m.push_text(Kind::text, m.text(m.number<std::uint32_t>())); }},
        {0x8c, [](M& m) { m.push_text(Kind::text, m.text(m.number<std::uint8_t>())); }},
        {0x8d, [](M& m) { m.push_text(Kind::text, m.text(m.number<std::uint64_t>())); }},
        {'U', [](M& m) { m.push_text(Kind::bytes, m.take(m.number<std::uint8_t>())); }},  // bytes of Python 2
        {'C', [](M& m) { m.push_text(Kind::bytes, m.take(m.number<std::uint8_t>())); }},
        {'B', [](M& m) { m.push_text(Kind::bytes, m.take(m.number<std::uint32_t>())); }},
        {0x8e, [](M& m) { m.push_text(Kind::bytes, m.take(m.number<std::uint64_t>())); }},  // BINBYTES8
        {0x96, [](M& m) { m.push_text(Kind::bytes, m.take(m.number<std::uint64_t>())); }},  // BYTEARRAY8
        {')', [](M& m) { m.push(m.add(Kind::tuple, {})); }},
        {0x85, [](M& m) { m.push(m.add(Kind::tuple, m.pop_many(1))); }},
        {0x86, [](M& m) { m.push(m.add(Kind::tuple, m.pop_many(2))); }},
        {0x87, [](M& m) { m.push(m.add(Kind::tuple, m.pop_many(3))); }},
        {'t', [](M& m) { m.push(m.add(Kind::tuple, m.pop_to_mark())); }},
        {']', [](M& m) { m.push(m.add(Kind::list, {})); }},
        {0x8f, [](M& m) { m.push(m.add(Kind::list, {})); }},
        {'}', [](M& m) { m.push(m.add(Kind::dict, {})); }},
        {0x91, [](M& m) { m.push(m.add(Kind::list, m.pop_to_mark())); }},  // FROZENSET
        {'a', [](M& m) { m.put_below(Kind::list, m.pop_many(1)); }},
        {'e', [](M& m) { m.put_below(Kind::list, m.pop_to_mark()); }},
        {0x90, [](M& m) { m.put_below(Kind::list, m.pop_to_mark()); }},
        {'s', [](M& m) { m.put_below(Kind::dict, m.pop_many(2)); }},
        {'u', [](M& m) { m.put_below(Kind::dict, m.pop_to_mark()); }},
        {'q', [](M& m) { m.remember(m.number<std::uint8_t>()); }},
        {'r', [](M& m) { m.remember(m.number<std::uint32_t>()); }},
        {0x94, [](M& m) { m.remember(m.memo_.size()); }},
        {'h', [](M& m) { m.recall(m.number<std::uint8_t>()); }},
        {'j', [](M& m) { m.recall(m.number<std::uint32_t>()); }},
        {'c', [](M& m) { m.read_global(); }},
        {0x93, [](M& m) { m.make_global(); }},
        {'R', [](M& m) { m.reduce(); }},
        {0x81, [](M& m) { m.reduce(); }},
        {0x92, [](M& m) { m.push(m.add(Kind::call, m.pop_many(3))); }},  // NEWOBJ_EX
        {'b', [](M& m) { m.set_state(); }},
        {'Q', [](M& m) { m.push(m.add(Kind::persistent, m.pop_many(1))); }}};
    return rows;
  }

  // False at the end.
  bool step(char opcode) {
    const auto code = static_cast<unsigned char>(opcode);
    if (code == '.') {
      p_.root_ = pop();
      return false;
    }
    const auto row = steps().find(code);
    if (row == steps().end()) {
      char shown[8];
      std::snprintf(shown, sizeof(shown), "\\x%02x", code);
      fail("the pickle has the opcode " + std::string(shown) + " at byte " + std::to_string(at_ - 1) +
           ", which is not read");
    }
    row->second(*this);
    return true;
  }

  Pickle& p_;
  std::string_view bytes_;
  const std::string& name_;
  std::size_t at_ = 0, kept_ = 0;
  std::vector<Id> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, Id> memo_;
};

Pickle::Pickle(std::string_view bytes, const std::string& name) {
  PickleMachine machine(*this, bytes, name);
  if (machine.run() != bytes.size()) machine.fail_behind();
}
Pickle::Pickle(std::string_view bytes, const std::string& name, std::size_t& end) {
  end = PickleMachine(*this, bytes, name).run();
}

const std::vector<Pickle::Id>& Pickle::children(Id id) const {
  static const std::vector<Id> none;
  return id < nodes_.size() && nodes_[id].children < lists_.size() ? lists_[nodes_[id].children] : none;
}

}  // namespace headlight
