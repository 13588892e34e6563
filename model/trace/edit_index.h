// Which of many edits are of a site.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headlight {

// Sites of edits, found by the name of a site of a run: "[*]" stands for any index, and "….head[2].weights" is a slice
// of "….head.weights". Looking one up takes as long as there are indices in its name, however many edits there are.
class EditIndex {
 public:
  struct Match {
    std::size_t edit;
    std::ptrdiff_t slice;  // of the leading axis; −1: the whole value
  };
  explicit EditIndex(const std::vector<std::string>& sites);
  // Those of a site, in their order.
  std::vector<Match> of(std::string_view site) const;

 private:
  std::unordered_map<std::string, std::vector<Match>> by_name_;
  bool any_star_ = false;
};

}  // namespace headlight
