// How a model writes on, by generation_config.json: which tokens may not come, which have to, in the stages of
// decode/choosing.h. A run without further settings is greedy; with some over the file's (decode/writing.h) all of it
// acts. guidance_scale and the like are refused.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/core/tensor.h"
#include "model/decode/writing.h"
#include "model/io/json_file.h"

namespace headlight::families {

// Whether this key of a configuration is about writing: keys of generation_config.json may stand in config.json too.
bool is_of_generation(const std::string& key);

class Generation {
 public:
  Generation() = default;
  // `own` is generation_config.json, or null: then `config`, config.json, may have its keys.
  Generation(const Json& config, const Json& own);

  // Why it cannot be obeyed: "generation_config.json: KEY is not implemented"; empty: it can.
  const std::string& problem() const { return problem_; }
  // The same file with these keys over its own; null takes one away. Throws FormatError "WHERE: ...".
  Generation with(const Json& settings, const std::string& where) const;
  // All of it, with sampling and beams. Throws FormatError.
  WritingSettings writing() const;
  // The keys that say so.
  const SharedJson& said() const { return said_; }
  // The token in front of what an encoder-decoder writes; −1: none is given.
  TokenId start() const { return start_; }
  bool is_end(TokenId id) const { return ends_.count(id) > 0; }
  // The first of the end marks; none where the model has none.
  std::optional<TokenId> end() const { return ends_.empty() ? std::nullopt : std::optional(*ends_.begin()); }

 private:
  TokenId start_ = -1;
  std::set<TokenId> ends_;
  std::string problem_, file_;
  SharedJson said_;  // the file's keys that are about writing
};

}  // namespace headlight::families
