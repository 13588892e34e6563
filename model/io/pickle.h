// Pickles of Python, read without executing anything: what would be called becomes an inert node that can be looked at.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace headlight {

class Pickle {
 public:
  using Id = std::uint32_t;  // of a node
  static constexpr Id kNone = UINT32_MAX;

  enum class Kind : std::uint8_t {
    none,
    boolean,
    integer,  // up to 64 bits
    big,      // a larger whole number: its bytes, as text()
    real,
    text,
    bytes,
    tuple,
    list,        // lists and sets
    dict,        // children: key, value, key, value, ...
    global,      // text(): "module name"
    call,        // children: what would be called, and the tuple of its arguments
    persistent,  // children: the id that stands for something outside the pickle
  };
  struct Node {
    Kind kind = Kind::none;
    std::int64_t integer = 0;  // also of a boolean
    double real = 0;
    std::string_view text{};
    std::uint32_t children = UINT32_MAX;  // place of the list; see children()
    Id state = kNone;                     // what BUILD would hand to the object
    Id content = kNone;                   // list or dict of what would be put into the object of a call
  };

  // Reads one pickle of protocol 2 to 5 that fills `bytes`, which has to last as long as this object. Throws
  // FormatError "NAME: ..." for what is damaged, for other protocols, and for more than two million nodes.
  Pickle(std::string_view bytes, const std::string& name);
  // The first of several; `end` becomes the number of its bytes.
  Pickle(std::string_view bytes, const std::string& name, std::size_t& end);
  Pickle(const Pickle&) = delete;
  Pickle& operator=(const Pickle&) = delete;

  Id root() const { return root_; }
  const Node& operator[](Id id) const { return nodes_[id]; }
  const std::vector<Id>& children(Id id) const;
  bool is(Id id, Kind kind) const { return id < nodes_.size() && nodes_[id].kind == kind; }
  bool is_global(Id id, std::string_view name) const { return is(id, Kind::global) && nodes_[id].text == name; }

 private:
  friend class PickleMachine;
  std::vector<Node> nodes_;
  std::vector<std::vector<Id>> lists_;
  std::deque<std::string> texts_;  // that stand nowhere in `bytes`
  Id root_ = kNone;
};

}  // namespace headlight
