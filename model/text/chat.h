// Messages as the text that a chat model was trained on: what its chat template makes of them.
#pragma once

#include <string>
#include <vector>

#include "model/core/json.h"
#include "model/text/vocabulary.h"

namespace headlight {

struct ChatText {
  // What somebody said, as it stands in the text (bytes), without its outer blanks.
  struct Part {
    std::string role;
    std::size_t begin = 0, end = 0;
  };
  // From this byte on the text was written by this line of the template.
  struct Piece {
    std::size_t begin = 0;
    int line = 0;
  };
  std::string text;
  std::vector<TextToken> tokens;  // the template writes the signs itself: none are added
  std::vector<Part> parts;        // in their order; none where the template takes the texts apart
  std::vector<Piece> pieces;
  std::string source;  // of the template
};

// A chat template. A chat is an object:
//   "messages"           [{"role", "content", …}]
//   "generation_prompt"  true: the text ends with what begins an answer
//   "tools"              a list; may be left out
//   "template"           its name, where there are several
class ChatFormat {
 public:
  virtual ~ChatFormat() = default;
  // Throws Error in one line: what is wrong with the messages, or where in the template and why it stops.
  virtual ChatText read(const Json& chat) const = 0;
  virtual std::vector<std::string> names() const = 0;  // of the templates
};

}  // namespace headlight
