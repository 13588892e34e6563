#include "model/text/chat.h"

namespace headlight {

Voice voice_of(const std::string& role) {
  if (role == "system" || role == "developer") return Voice::system;
  if (role == "user") return Voice::user;
  if (role == "assistant" || role == "model") return Voice::assistant;
  return role == "tool" || role == "function" || role == "ipython" ? Voice::tool : Voice::none;
}

}  // namespace headlight
