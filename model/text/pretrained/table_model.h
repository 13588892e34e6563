// 4. of tokenizer.h: a model whose tokens are a table of texts and numbers, whatever cuts a piece into them.
#pragma once

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "model/core/errors.h"
#include "model/text/pretrained/parts.h"

namespace headlight::pretrained {

class TableModel : public SubwordModel {
 public:
  TableModel(Vocabulary vocabulary, const std::string& where) : vocabulary_(std::move(vocabulary)), where_(where) {
    for (const auto& [token, id] : vocabulary_) texts_[id] = &token;
  }
  std::optional<TokenNumber> find(const std::string& token) const override {
    const auto found = vocabulary_.find(token);
    return found == vocabulary_.end() ? std::nullopt : std::optional(found->second);
  }
  const std::string* text(TokenNumber id) const override {
    const auto found = texts_.find(id);
    return found == texts_.end() ? nullptr : found->second;
  }
  TokenNumber size() const override { return static_cast<TokenNumber>(vocabulary_.size()); }

 protected:
  // Bytes of the longest token: a longer piece of a text is none.
  std::size_t longest() const {
    std::size_t most = 0;
    for (const auto& [token, id] : vocabulary_) most = std::max(most, token.size());
    return most;
  }
  // Of the token for what is unknown. Throws FormatError where it is no token.
  TokenNumber unknown_number(const std::string& unknown) const {
    const std::optional<TokenNumber> id = find(unknown);
    if (!id)
      throw FormatError(where_ + ": the token for what is unknown, \"" + unknown + "\", is not in the vocabulary");
    return *id;
  }
  Vocabulary vocabulary_;
  std::unordered_map<TokenNumber, const std::string*> texts_;
  std::string where_;
};

}  // namespace headlight::pretrained
