#include "model/io/pickle_tensors.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "model/core/errors.h"

namespace headlight {

namespace {

using Id = Pickle::Id;
using Kind = Pickle::Kind;

constexpr std::size_t kMaxDepth = 64, kMaxTensors = 100'000, kMaxValues = 10'000, kMaxName = 4096,
                      kMaxNames = 128'000'000, kMaxText = 200;

struct TorchType {
  const char *storage, *scalar, *dtype;
};
constexpr std::array kTypes = {
    TorchType{"FloatStorage", "float32", "F32"},
    TorchType{"DoubleStorage", "float64", "F64"},
    TorchType{"HalfStorage", "float16", "F16"},
    TorchType{"BFloat16Storage", "bfloat16", "BF16"},
    TorchType{"LongStorage", "int64", "I64"},
    TorchType{"IntStorage", "int32", "I32"},
    TorchType{"ShortStorage", "int16", "I16"},
    TorchType{"CharStorage", "int8", "I8"},
    TorchType{"ByteStorage", "uint8", "U8"},
    TorchType{"BoolStorage", "bool", "BOOL"},
    TorchType{"ComplexFloatStorage", "complex64", "C64"},
    TorchType{"ComplexDoubleStorage", "complex128", "C128"},
    TorchType{"UntypedStorage", "uint8", "U8"},
    TorchType{"", "uint16", "U16"},
    TorchType{"", "uint32", "U32"},
    TorchType{"", "uint64", "U64"},
    TorchType{"", "float8_e4m3fn", "F8_E4M3"},
    TorchType{"", "float8_e5m2", "F8_E5M2"},
    TorchType{"", "float8_e4m3fnuz", "F8_E4M3FNUZ"},
    TorchType{"", "float8_e5m2fnuz", "F8_E5M2FNUZ"},
};

bool one_of(std::string_view name, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* each) { return name == each; });
}

// A node that waits to be looked at.
struct Waiting {
  Id id;
  std::string name;
  std::size_t depth;
  bool of_object = false;  // its attributes
};

class Finder {
 public:
  Finder(const Pickle& pickle, std::string alone, const std::string& name)
      : p_(pickle), alone_(std::move(alone)), name_(name) {}

  PickledTensors find() {
    waiting_.push_back({p_.root(), "", 0});
    while (!waiting_.empty()) {
      const Waiting next = std::move(waiting_.back());
      waiting_.pop_back();
      look(next);
    }
    return std::move(found_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw FormatError(name_ + ": " + what); }
  [[noreturn]] void bad(const std::string& name, const std::string& what) const {
    fail("tensor \"" + name + "\": " + what);
  }

  // A file of a megabyte can ask for gigabytes of names.
  void wait(Id id, std::string name, std::size_t depth, bool of_object = false) {
    named_ += name.size();
    if (named_ > kMaxNames) fail("the names of its tensors have more than " + std::to_string(kMaxNames) + " bytes");
    waiting_.push_back({id, std::move(name), depth, of_object});
  }

  // Children are looked at in their order: the last one waits first.
  void look(const Waiting& at) {
    if (at.depth > kMaxDepth) fail("nested more than " + std::to_string(kMaxDepth) + " levels deep");
    if (at.name.size() > kMaxName) fail("the name of a tensor has more than " + std::to_string(kMaxName) + " bytes");
    const Pickle::Node& node = p_[at.id];
    switch (node.kind) {
      case Kind::tuple:
      case Kind::list:
      case Kind::dict:
        if (once(at)) look_into(at.id, at);
        return;
      case Kind::call:
        if (!take_tensor(at) && once(at)) look_into_call(at);
        return;
      case Kind::persistent:
        take_storage(at);
        return;
      default:
        add_value(at.name, text_of(at.id));
    }
  }
  // Whether it was not looked at before: a list may be in many places, and even in itself.
  bool once(const Waiting& at) {
    if (const auto [seen, is_new] = seen_.emplace(at.id, at.name); !is_new) {
      add_value(at.name, "the same as " + (seen->second.empty() ? std::string("the whole") : seen->second));
      return false;
    }
    return true;
  }

  void look_into(Id id, const Waiting& at) {
    const std::vector<Id>& children = p_.children(id);
    if (p_[id].kind == Kind::dict) {
      const bool of_module = at.of_object && is_module(children);
      for (std::size_t i = children.size(); i >= 2; i -= 2) {
        const std::string key = key_text(children[i - 2]);
        const bool hidden = of_module && one_of(key, {"_parameters", "_buffers", "_modules"});
        if (of_module && !hidden) continue;  // settings of the module
        wait(children[i - 1], hidden ? at.name : joined(at.name, key), at.depth + 1);
      }
    } else {
      for (std::size_t i = children.size(); i-- > 0;)
        wait(children[i], joined(at.name, std::to_string(i)), at.depth + 1);
    }
  }
  // Of torch.nn: its parameters are named as in a state dict.
  bool is_module(const std::vector<Id>& attributes) const {
    for (std::size_t i = 0; i + 1 < attributes.size(); i += 2)
      if (p_.is(attributes[i], Kind::text) && p_[attributes[i]].text == "_parameters") return true;
    return false;
  }
  void look_into_call(const Waiting& at) {
    const std::vector<Id>& children = p_.children(at.id);
    const Pickle::Node& node = p_[at.id];
    const Id callable = children[0];
    add_value(at.name, p_.is(callable, Kind::global) ? "an object of " + dotted(p_[callable].text) : "an object");
    if (node.content != Pickle::kNone) wait(node.content, at.name, at.depth + 1);
    if (node.state != Pickle::kNone) wait(node.state, at.name, at.depth + 1, true);
    for (std::size_t i = children.size(); i-- > 1;) wait(children[i], at.name, at.depth + 1);
  }

  static std::string dotted(std::string_view global) {
    std::string text(global);
    std::replace(text.begin(), text.end(), ' ', '.');
    return text;
  }
  static std::string joined(const std::string& name, const std::string& key) {
    return name.empty() ? key : name + "." + key;
  }
  std::string key_text(Id id) const {
    return p_.is(id, Kind::text) ? std::string(p_[id].text.substr(0, kMaxName)) : text_of(id);
  }
  std::string text_of(Id id) const {
    const Pickle::Node& node = p_[id];
    char number[40];
    switch (node.kind) {
      case Kind::none:
        return "None";
      case Kind::boolean:
        return node.integer ? "True" : "False";
      case Kind::integer:
        return std::to_string(node.integer);
      case Kind::big:
        return "a whole number of " + std::to_string(node.text.size()) + " bytes";
      case Kind::real:
        return {number, std::to_chars(number, number + sizeof(number), node.real).ptr};
      case Kind::text:
        return std::string(node.text.substr(0, kMaxText));
      case Kind::bytes:
        return std::to_string(node.text.size()) + " bytes";
      case Kind::global:
        return dotted(node.text);
      default:
        return "?";
    }
  }
  // One that is not read leaves the others as they are.
  void leave(const std::string& name, std::string why) {
    if (found_.unread.size() < kMaxValues) found_.unread.emplace_back(name, std::move(why));
  }
  void add_value(const std::string& name, std::string text) {
    if (!name.empty() && found_.values.size() < kMaxValues) found_.values.emplace_back(name, std::move(text));
  }

  std::optional<std::int64_t> integer(Id id) const {
    if (!p_.is(id, Kind::integer)) return {};
    return p_[id].integer;
  }
  std::uint64_t whole(Id id, const std::string& name, const char* what) const {
    const std::optional<std::int64_t> number = integer(id);
    if (!number || *number < 0) bad(name, std::string("its ") + what + " is no whole number from 0 on");
    return static_cast<std::uint64_t>(*number);
  }
  // A tuple of whole numbers, also within a torch.Size.
  std::vector<std::uint64_t> wholes(Id id, const std::string& name, const char* what) const {
    if (p_.is(id, Kind::call) && p_.children(id).size() == 2 && p_.is_global(p_.children(id)[0], "torch Size")) {
      const Id inner = p_.children(id)[1];
      return wholes(p_.is(inner, Kind::tuple) && p_.children(inner).size() == 1 && !integer(p_.children(inner)[0])
                        ? p_.children(inner)[0]
                        : inner,
                    name, what, 0);
    }
    return wholes(id, name, what, 0);
  }
  std::vector<std::uint64_t> wholes(Id id, const std::string& name, const char* what, int) const {
    if (!p_.is(id, Kind::tuple) && !p_.is(id, Kind::list)) bad(name, std::string("its ") + what + " is no tuple");
    std::vector<std::uint64_t> numbers;
    for (const Id each : p_.children(id)) numbers.push_back(whole(each, name, what));
    return numbers;
  }

  // True when the call makes a tensor or an array.
  bool take_tensor(const Waiting& at) {
    Id id = at.id;
    const std::string name = at.name.empty() ? alone_ : at.name;
    for (std::size_t wrapped = 0; wrapped < kMaxDepth; ++wrapped) {
      if (!p_.is(id, Kind::call)) return false;
      const std::vector<Id>& children = p_.children(id);
      if (children.size() != 2 || !p_.is(children[0], Kind::global) || !p_.is(children[1], Kind::tuple)) return false;
      const std::string_view what = p_[children[0]].text;
      const std::vector<Id>& arguments = p_.children(children[1]);
      if (one_of(what, {"torch._utils _rebuild_parameter", "torch._utils _rebuild_parameter_with_state"}) &&
          !arguments.empty()) {
        id = arguments[0];
        continue;
      }
      if (what == "torch._tensor _rebuild_from_type_v2" && arguments.size() >= 3) {
        if (!p_.is(arguments[0], Kind::global) || !p_.is(arguments[2], Kind::tuple)) return false;
        return take_call(p_[arguments[0]].text, p_.children(arguments[2]), id, name, at.depth);
      }
      return take_call(what, arguments, id, name, at.depth);
    }
    bad(name, "it is wrapped too often");
  }
  bool take_call(std::string_view what, const std::vector<Id>& arguments, Id id, const std::string& name,
                 std::size_t depth) {
    if (one_of(what, {"torch._utils _rebuild_tensor_v2", "torch._utils _rebuild_tensor",
                      "torch._utils _rebuild_tensor_v3"})) {
      take_torch(what == "torch._utils _rebuild_tensor_v3", arguments, name);
      return true;
    }
    if (what.starts_with("torch._utils _rebuild_")) {  // sparse, quantised, on a device of its own, ...
      leave(name, "a tensor made by " + dotted(what));
      return true;
    }
    if (one_of(what, {"numpy._core.multiarray _reconstruct", "numpy.core.multiarray _reconstruct"}))
      return take_numpy(p_[id].state, name, depth);
    if (one_of(what, {"numpy._core.numeric _frombuffer", "numpy.core.numeric _frombuffer"}) && arguments.size() == 4) {
      take_buffer(arguments, name);
      return true;
    }
    return false;
  }

  // ('storage', class, key, place, count)
  std::optional<PickledStorage> storage(Id id) const {
    if (!p_.is(id, Kind::persistent)) return {};
    const Id tuple = p_.children(id)[0];
    const std::vector<Id>& parts = p_.children(tuple);
    if (!p_.is(tuple, Kind::tuple) || parts.size() < 5 || !p_.is(parts[0], Kind::text) ||
        p_[parts[0]].text != "storage" || !p_.is(parts[1], Kind::global) || !p_.is(parts[2], Kind::text))
      return {};
    const std::optional<std::int64_t> count = integer(parts[4]);
    if (!count || *count < 0) return {};
    const std::string_view type = p_[parts[1]].text;
    const std::size_t space = type.find(' ');
    if (!type.starts_with("torch")) return {};
    return PickledStorage{std::string(p_[parts[2]].text), torch_dtype(type.substr(space + 1)),
                          static_cast<std::uint64_t>(*count)};
  }
  void take_storage(const Waiting& at) {
    const std::optional<PickledStorage> found = storage(at.id);
    if (!found) return add_value(at.name, "something outside the pickle");
    PickledTensor tensor;
    tensor.view.shape = {found->count};
    tensor.view.strides = {1};
    add(at.name.empty() ? alone_ : at.name, found->dtype, found->count, std::move(tensor), found->key);
  }
  // What pickle.dump makes of a storage: a file of its own of torch.save, as it was before version 1.6, within the
  // pickle. `numbers` is where they lie.
  std::optional<PickledStorage> storage_within(Id id, std::string_view& numbers) {
    const std::vector<Id>& children = p_.children(id);
    if (!p_.is(id, Kind::call) || children.size() != 2 || !p_.is_global(children[0], "torch.storage _load_from_bytes"))
      return {};
    const std::vector<Id>& arguments = p_.children(children[1]);
    if (arguments.size() != 1 || !p_.is(arguments[0], Kind::bytes)) return {};
    // Many tensors may be of one.
    const auto [known, is_new] = within_.try_emplace(arguments[0]);
    if (is_new) known->second = read_within(p_[arguments[0]].text, "within " + std::to_string(arguments[0]));
    numbers = known->second.second;
    return known->second.first;
  }
  std::pair<std::optional<PickledStorage>, std::string_view> read_within(std::string_view bytes,
                                                                         std::string key) const {
    // A magic number, a version, how the machine writes numbers, the storage, and the keys of all storages.
    std::optional<PickledStorage> found;
    for (int part = 0; part < 5; ++part) {
      std::size_t end = 0;
      const Pickle inner(bytes, name_, end);
      if (part == 3) found = Finder(inner, alone_, name_).storage(inner.root());
      bytes.remove_prefix(end);
    }
    std::uint64_t count = 0;
    if (!found || bytes.size() < sizeof(count)) return {};
    std::memcpy(&count, bytes.data(), sizeof(count));
    bytes.remove_prefix(sizeof(count));
    const std::size_t item = dtype_bytes(found->dtype);
    found->key = std::move(key);
    found->count = item == 0 ? 0 : std::min<std::uint64_t>({count, found->count, bytes.size() / item});
    return {std::move(found), bytes};
  }
  void take_torch(bool has_type, const std::vector<Id>& arguments, const std::string& name) {
    if (arguments.size() < 4) bad(name, "it is made from too few values");
    PickledTensor tensor;
    std::optional<PickledStorage> found = storage(arguments[0]);
    if (!found) found = storage_within(arguments[0], tensor.buffer);
    if (!found) return leave(name, "its storage is none that is known");
    tensor.view.offset = whole(arguments[1], name, "offset");
    tensor.view.shape = wholes(arguments[2], name, "size");
    tensor.view.strides = wholes(arguments[3], name, "stride");
    if (has_type) {  // the storage is bytes, and the type stands beside it
      if (arguments.size() < 7 || !p_.is(arguments[6], Kind::global)) bad(name, "its type is missing");
      const std::string_view type = p_[arguments[6]].text;
      found->dtype = torch_dtype(type.substr(type.find(' ') + 1));
      if (const std::size_t bytes = dtype_bytes(found->dtype)) found->count /= bytes;  // of a storage of bytes
    }
    add(name, found->dtype, found->count, std::move(tensor), found->key);
  }

  struct NumpyType {
    std::string dtype;
    std::size_t item = 0, parts = 1;
    bool swap = false;
    std::string unread;  // what it is, where it is none that is read
  };
  // numpy.dtype('f4', False, True) with the state (3, '<', ...).
  NumpyType numpy_type(Id id, const std::string& name) const {
    const std::vector<Id>& children = p_.children(id);
    if (!p_.is(id, Kind::call) || children.size() != 2 || !p_.is_global(children[0], "numpy dtype") ||
        p_.children(children[1]).empty())
      bad(name, "its type is none of NumPy's");
    const Id text = p_.children(children[1])[0];
    std::string_view type = p_[text].text;
    if (p_.is(text, Kind::global)) {  // of another library: "ml_dtypes bfloat16"
      const std::string dtype = torch_dtype(type.substr(type.find(' ') + 1));
      const std::size_t bytes = dtype_bytes(dtype);
      return {dtype, bytes, 1, false, bytes > 0 ? std::string() : "an array of type " + dotted(type)};
    }
    if (!p_.is(text, Kind::text) && !p_.is(text, Kind::bytes)) bad(name, "its type is none of NumPy's");
    char order = '|';
    if (!type.empty() && std::strchr("<>|=", type[0])) order = type[0], type.remove_prefix(1);
    if (const std::vector<Id>& state = p_.children(p_[id].state);
        state.size() > 1 && p_.is(state[1], Kind::text) && !p_[state[1]].text.empty())
      order = p_[state[1]].text[0];
    static const std::unordered_map<std::string_view, const char*> known = {
        {"f2", "F16"}, {"f4", "F32"},   {"f8", "F64"},  {"i1", "I8"},        {"i2", "I16"}, {"i4", "I32"},
        {"i8", "I64"}, {"u1", "U8"},    {"u2", "U16"},  {"u4", "U32"},       {"u8", "U64"}, {"b1", "BOOL"},
        {"c8", "C64"}, {"c16", "C128"}, {"V2", "BF16"}, {"bfloat16", "BF16"}};
    const auto found = known.find(type);
    std::size_t length = 0;
    const auto [end, error] =
        std::from_chars(type.data() + std::min<std::size_t>(1, type.size()), type.data() + type.size(), length);
    const bool is_text = !type.empty() && (type[0] == 'U' || type[0] == 'S') && error == std::errc() &&
                         end == type.data() + type.size() && length < kMaxName;
    if (is_text && type[0] == 'U') return {"<U" + std::to_string(length), 4, length, order == '>', {}};
    if (is_text) return {"|S" + std::to_string(length), length, 1, false, {}};
    if (found == known.end())
      return {{},
              0,
              1,
              false,
              type == "O8" || type == "O" ? "an array of Python objects"
                                          : "an array of type '" + std::string(type.substr(0, 20)) + "'"};
    NumpyType made{found->second, dtype_bytes(found->second), 1, order == '>', {}};
    if (type[0] == 'c') made.parts = 2, made.item /= 2;
    return made;
  }
  bool take_numpy(Id state, const std::string& name, std::size_t depth) {
    const std::vector<Id>& parts = p_.children(state);  // (version, shape, type, Fortran order, bytes)
    if (state == Pickle::kNone || parts.size() != 5) return false;
    if (p_.is(parts[4], Kind::bytes)) {
      add_array(parts[2], parts[1], p_[parts[3]].integer != 0, p_[parts[4]].text, name);
    } else {
      leave(name, "an array of Python objects");
      wait(parts[4], name, depth + 1);  // there may be tensors in it
    }
    return true;
  }
  void take_buffer(const std::vector<Id>& arguments, const std::string& name) {
    if (!p_.is(arguments[0], Kind::bytes)) bad(name, "its numbers are not in this file");
    const bool columns_first = p_.is(arguments[3], Kind::text) && p_[arguments[3]].text == "F";
    add_array(arguments[1], arguments[2], columns_first, p_[arguments[0]].text, name);
  }
  void add_array(Id type, Id shape, bool columns_first, std::string_view bytes, const std::string& name) {
    const NumpyType known = numpy_type(type, name);
    if (!known.unread.empty()) return leave(name, known.unread);
    PickledTensor tensor;
    tensor.view.item = known.item;
    tensor.view.parts = known.parts;
    tensor.view.swap = known.swap;
    tensor.view.shape = wholes(shape, name, "shape");
    tensor.view.strides = dense_strides(tensor.view.shape, columns_first);
    tensor.buffer = bytes;
    const std::size_t item = known.item * known.parts;
    if (item == 0) return leave(name, "an array of empty texts");
    add(name, known.dtype, bytes.size() / item, std::move(tensor), "");
    if (found_.tensors.back().entry.bytes != bytes.size())
      bad(name, "its shape needs " + std::to_string(found_.tensors.back().entry.bytes) + " bytes, it has " +
                    std::to_string(bytes.size()));
  }

  // Of PyTorch where it has a key, of NumPy else.
  void add(std::string name, const std::string& dtype, std::uint64_t available, PickledTensor tensor, std::string key) {
    if (!key.empty()) tensor.view.item = dtype_bytes(dtype);
    const std::size_t bytes = tensor.view.item * tensor.view.parts;
    if (bytes == 0) return leave(name, "numbers of a type that is not known");
    tensor.view.check(available, name_ + ": tensor \"" + name + "\"");
    if (found_.tensors.size() >= kMaxTensors)
      fail("expected at most " + std::to_string(kMaxTensors) + " tensors, found more");
    const std::string plain = name;
    while (!names_.insert(name).second) name = plain + "#" + std::to_string(++repeats_[plain] + 1);
    tensor.entry = {std::move(name), dtype, tensor.view.shape, tensor.view.count() * bytes, {}};
    if (!key.empty()) {
      const auto [first, is_new] = storages_.emplace(key, tensor.entry.name);
      if (!is_new) tensor.entry.shares_with = first->second;
      if (tensor.buffer.data() == nullptr) tensor.storage = std::move(key);
    }
    found_.tensors.push_back(std::move(tensor));
  }

  const Pickle& p_;
  std::string alone_;
  const std::string& name_;
  PickledTensors found_;
  std::vector<Waiting> waiting_;
  std::unordered_map<Id, std::string> seen_;
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, int> repeats_;
  std::size_t named_ = 0;
  std::unordered_map<std::string, std::string> storages_;  // key -> the first tensor of it
  std::unordered_map<Id, std::pair<std::optional<PickledStorage>, std::string_view>> within_;  // by its bytes
};

}  // namespace

std::string torch_dtype(std::string_view name) {
  for (const TorchType& type : kTypes)
    if (name == type.storage || name == type.scalar) return type.dtype;
  return {};
}

std::size_t dtype_bytes(const std::string& dtype) {
  if (dtype == "C128") return 16;
  if (dtype.ends_with("64")) return 8;
  if (dtype.ends_with("32")) return 4;
  if (dtype.ends_with("16")) return 2;
  return dtype == "BOOL" || dtype == "U8" || dtype == "I8" || dtype.starts_with("F8") ? 1 : 0;
}

PickledTensors find_tensors(const Pickle& pickle, const std::string& alone, const std::string& name) {
  return Finder(pickle, alone, name).find();
}

}  // namespace headlight
