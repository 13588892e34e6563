#include "model/io/formats/pretrained/pretrained_labels.h"

#include <algorithm>
#include <map>
#include <optional>

#include "model/core/json_library.h"

namespace headlight {

namespace {

class ByGeneration : public NextToken {
 public:
  explicit ByGeneration(families::Generation generation) : generation_(std::move(generation)) {}
  SharedJson settings() const override { return generation_.said(); }
  bool ends(TokenId id) const override { return generation_.is_end(id); }

 private:
  families::Generation generation_;
};

class Labels : public OtherTokenizer {
 public:
  Labels(std::vector<std::string> labels, bool several) : labels_(std::move(labels)), several_(several) {}
  // The longest label that stands there; they may have spaces in them.
  std::vector<TextToken> split(std::string_view text) const override {
    std::vector<TextToken> tokens;
    for (std::size_t at = 0; at < text.size();) {
      if (text[at] == ' ' || text[at] == ',') {
        ++at;
        continue;
      }
      std::optional<std::size_t> best;
      for (std::size_t i = 0; i < labels_.size(); ++i)
        if (text.substr(at).starts_with(labels_[i]) && (!best || labels_[i].size() > labels_[*best].size())) best = i;
      const std::size_t end = best ? at + labels_[*best].size() : std::min(text.find_first_of(" ,", at), text.size());
      TextToken token;
      token.text = std::string(text.substr(at, end - at));
      token.begin = at;
      token.end = end;
      if (best) token.id = static_cast<TokenId>(*best);
      token.unknown = !best;
      tokens.push_back(std::move(token));
      at = end;
    }
    return tokens;
  }
  std::string join(const std::vector<TokenId>& ids) const override {
    std::string text;
    for (const TokenId id : ids) {
      if (id < 0 || id >= static_cast<TokenId>(labels_.size()) || (several_ && id % 2 == 0)) continue;
      text += (text.empty() ? "" : ", ") + labels_[static_cast<std::size_t>(id)];
    }
    return text;
  }

 private:
  std::vector<std::string> labels_;
  bool several_;
};

}  // namespace

std::string precision_of(const TensorFile& file) {
  std::map<std::string, std::uint64_t> bytes;
  for (std::size_t i = 0; i < file.tensors().size(); ++i) bytes[file.stored(i).type] += file.stored(i).bytes;
  const auto most =
      std::max_element(bytes.begin(), bytes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == bytes.end()) return {};
  static const std::map<std::string, std::string> names = {
      {"F16", "float16"}, {"BF16", "bfloat16"}, {"F32", "float32"}, {"F64", "float64"}};
  const auto named = names.find(most->first);
  return named == names.end() ? most->first : named->second;
}

std::vector<std::string> labels_of(const Json& config, Index count) {
  std::vector<std::string> labels;
  const auto names = config.find("id2label");
  for (Index i = 0; i < count; ++i) {
    const std::string key = std::to_string(i);
    const bool named = names != config.end() && names->is_object() && names->contains(key) &&
                       names->at(key).is_string() && !names->at(key).get<std::string>().empty();
    labels.push_back(named ? names->at(key).get<std::string>().substr(0, 200) : "LABEL_" + key);
  }
  return labels;
}

std::shared_ptr<const OtherTokenizer> tokenizer_of_labels(std::vector<std::string> labels, bool several) {
  return std::make_shared<const Labels>(std::move(labels), several);
}

std::shared_ptr<const NextToken> next_token_by(families::Generation generation) {
  return std::make_shared<const ByGeneration>(std::move(generation));
}

}  // namespace headlight
