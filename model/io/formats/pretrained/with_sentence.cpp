#include "model/io/formats/pretrained/with_sentence.h"

#include <algorithm>

namespace headlight {

namespace {

class WithSentence : public PretrainedModel {
 public:
  WithSentence(std::shared_ptr<const PretrainedModel> model, SentencePooling pooling)
      : model_(std::move(model)), pooling_(std::move(pooling)) {}
  LibraryValues run(const std::vector<TokenId>& ids, const std::vector<TokenId>& type_ids,
                    const std::vector<TokenId>& target_ids, const CancelToken& cancel) const override {
    LibraryValues values = model_->run(ids, type_ids, target_ids, cancel);
    const auto last = std::find_if(values.begin(), values.end(),
                                   [](const NamedTensor& value) { return value.name == "last_hidden_state"; });
    values.push_back({"sentence_embedding", pooling_(last->value)});
    return values;
  }
  WrittenTexts written(const std::vector<TokenId>& ids, const Json& settings, const std::string& where,
                       WritingTask task) const override {
    return model_->written(ids, settings, where, std::move(task));
  }
  bool is_adapted() const override { return model_->is_adapted(); }
  std::shared_ptr<const PretrainedModel> at_strength(double strength) const override {
    return std::make_shared<const WithSentence>(model_->at_strength(strength), pooling_);
  }
  std::vector<TokenId> beginning(const std::vector<TokenId>& ids) const override { return model_->beginning(ids); }
  Index positions() const override { return model_->positions(); }
  ModelTraits::Kind kind() const override { return model_->kind(); }
  const Json& settings() const override { return model_->settings(); }
  const std::string& number_type() const override { return model_->number_type(); }
  Index token_types() const override { return model_->token_types(); }
  Index vocabulary() const override { return model_->vocabulary(); }
  Index target_vocabulary() const override { return model_->target_vocabulary(); }
  const std::vector<std::string>& notes() const override { return model_->notes(); }
  LibraryValues values(NamedBy names, const std::vector<TokenId>& ids, const std::vector<TokenId>& type_ids,
                       const std::vector<TokenId>& target_ids, const CancelToken& cancel) const override {
    return model_->values(names, ids, type_ids, target_ids, cancel);
  }
  void fill(ModelBundle& bundle, const std::vector<std::string>& tokens, std::shared_ptr<const OtherTokenizer> source,
            std::shared_ptr<const OtherTokenizer> target) const override {
    model_->fill(bundle, tokens, std::move(source), std::move(target));
    bundle.of_text = [*this](const Tensor& states, const std::vector<TokenId>&, const Pass& pass) {
      const SitePath encoder("encoder");
      const auto words = [&] { return SiteWords{pooling_.formula()}; };
      return std::vector{
          TextVector{TextVector::Kind::sentence, pass.tap(encoder, "sentence", pooling_(states), words)}};
    };
    bundle.text_parameters.clear();
    bundle.description += ", and the embedding of the sentence";
  }

 private:
  std::shared_ptr<const PretrainedModel> model_;
  SentencePooling pooling_;
};

}  // namespace

std::shared_ptr<const PretrainedModel> with_sentence(std::shared_ptr<const PretrainedModel> model,
                                                     SentencePooling pooling) {
  return std::make_shared<const WithSentence>(std::move(model), std::move(pooling));
}

}  // namespace headlight
