// A text of a list of texts (model/io/text_list.h), with what is known of it.
#pragma once

#include <cstddef>
#include <string>

namespace headlight {

struct ListedText {
  std::string text, second, label, target;
  std::size_t line = 0;  // of the file, from 1; of a .json the item, from 1
  // What a decoder behind an encoder is to write: "source TAB target" needs no names of columns.
  const std::string& written() const { return target.empty() ? label : target; }
};

}  // namespace headlight
