#include "model/io/formats/pretrained_models.h"

#include <algorithm>
#include <map>

#include "model/core/budget.h"
#include "model/io/formats/families/generation.h"
#include "model/io/formats/families/top.h"
#include "model/models/registry.h"

namespace headlight {

namespace {

using families::Family;
using families::Weights;

// Keeps the values that the library names. A sum of the embeddings counts every token as of the first kind of sentence:
// what the others differ from it is added to the tokens.
class Keeper : public TapListener {
 public:
  explicit Keeper(CancelToken cancel) : cancel_(std::move(cancel)) {}
  std::map<std::string, Tensor> values;
  Tensor kinds;  // [T x d]: what is added; undefined: nothing
  Tensor visit(const SitePath& place, const char* leaf, Tensor value) override {
    cancel_.check();
    if (kinds.defined() && std::string_view(leaf) == "embed.token") {
      value = value.clone();
      value.array() += kinds.array();
    }
    if (kept(leaf)) values[place.text() + "." + leaf] = value;
    return value;
  }
  bool wants(const SitePath&, const char* leaf) const override {
    return kept(leaf) || std::string_view(leaf) == "embed.token";
  }

 private:
  static bool kept(std::string_view leaf) {
    for (const char* name :
         {"out", "embed.out", "embed.projected", "project.out", "residual2", "residual3", "head.weights"})
      if (leaf == name) return true;
    return false;
  }
  CancelToken cancel_;
};

// One side of a model as the library sees it.
struct Side {
  std::string place;  // "encoder"
  Index layers = 0;
  bool cross = false;
  Index steps = 0;  // its rows were computed one by one; 0: at once
  bool post = false, sum_is_projected = false;

  // The rows of a site [T x d]; undefined where the model has no such site.
  Tensor rows(const Keeper& keeper, const std::string& site) const {
    if (steps == 0) {
      const auto found = keeper.values.find(place + "." + site);
      if (found == keeper.values.end()) return {};
      return found->second.view(0, {found->second.rows(), found->second.columns()});
    }
    Tensor all;
    for (Index t = 0; t < steps; ++t) {
      const auto found = keeper.values.find(place + ".step[" + std::to_string(t) + "]." + site);
      if (found == keeper.values.end()) return {};
      if (!all.defined()) all = Tensor({steps, found->second.columns()});
      all.matrix().row(t) = found->second.matrix().row(0);
    }
    return all;
  }
  // Weights [H x T x S]; in a text that grows the later keys of each row are 0.
  Tensor weights(const Keeper& keeper, const std::string& site) const {
    if (steps == 0) return keeper.values.at(place + "." + site);
    Tensor all;
    for (Index t = 0; t < steps; ++t) {
      const Tensor& row = keeper.values.at(place + ".step[" + std::to_string(t) + "]." + site);
      const Index heads = row.dim(0), keys = row.dim(2);
      const Tensor& last = keeper.values.at(place + ".step[" + std::to_string(steps - 1) + "]." + site);
      if (!all.defined()) all = Tensor::zeros({heads, steps, last.dim(2)});
      for (Index h = 0; h < heads; ++h)
        std::copy_n(row.data() + h * keys, keys, all.data() + (h * steps + t) * all.dim(2));
    }
    return all;
  }
  // What enters each layer, and what leaves the last.
  std::vector<Tensor> states(const Keeper& keeper) const {
    const auto first_of = [&](std::initializer_list<std::string> sites) {
      for (const std::string& site : sites)
        if (Tensor found = rows(keeper, site); found.defined()) return found;
      return Tensor();
    };
    std::vector<Tensor> all;
    // Only what is projected as a whole stands behind the sum.
    Tensor entering = rows(keeper, "embed.out");
    if (const Tensor projected = rows(keeper, "embed.projected"); projected.defined() && sum_is_projected)
      entering = projected;
    all.push_back(entering);
    const std::string last = cross ? "3" : "2";
    for (Index l = 0; l < layers; ++l) {
      const std::string layer = "layer[" + std::to_string(l) + "].", sum = layer + "residual" + last;
      const Tensor here = post ? rows(keeper, layer + "norm" + last + ".out") : rows(keeper, sum);
      const Tensor end = l + 1 == layers ? first_of({"project.out", "final_norm.out"}) : Tensor();
      all.push_back(end.defined() ? end : here);
    }
    return all;
  }
};

class Built : public PretrainedModel {
 public:
  Built(const Json& config, const Json& generation, const Family& family, const TensorFile& file,
        const std::string& where, const CancelToken& cancel);
  LibraryValues run(const std::vector<TokenId>& ids, const std::vector<TokenId>& type_ids,
                    const std::vector<TokenId>& target_ids, const CancelToken& cancel) const override;
  std::vector<TokenId> beginning(const std::vector<TokenId>& ids) const override;
  std::vector<TokenId> continued(const std::vector<TokenId>& ids, int count, const CancelToken& cancel) const override;
  Index positions() const override { return positions_; }

 private:
  enum class Shape { both, encoder, decoder };
  void check(const std::vector<TokenId>& ids, Index vocabulary, const char* what) const;
  void check_length(const std::vector<TokenId>& ids, const char* what) const;
  Tensor column(const std::vector<TokenId>& ids) const {
    Tensor tensor = Tensor::ids(ids);
    return tensor.view(0, {tensor.size(), 1});
  }
  Side side(const char* place, Index steps) const;
  Tensor kinds_of(const std::vector<TokenId>& type_ids) const;

  // `reader_` has the weights of `model_`, and reads the last token of a text too.
  std::unique_ptr<Model> model_, reader_;
  Shape shape_ = Shape::encoder;
  bool predicts_ = false, pretraining_ = false;
  Index vocabulary_ = 0, target_vocabulary_ = 0, types_ = 0, positions_ = 0;
  Index original_ = 0;  // longer texts turn queries and keys otherwise; 0: there is no such length
  families::OnTop top_;
  families::Generation generation_;
};

// Our settings for this file: what config.json says, and what is there.
Json settings_for(const Json& config, const Family& family, Weights& weights, bool& predicts) {
  Json settings = family.settings(config);
  const std::string kind = families::architecture_of(config);
  const bool pretraining = kind.ends_with("ForPreTraining");
  if (settings.at("model_type") == "encoder_only") {
    predicts = weights.has_for("head.W") && (kind.empty() || pretraining || kind.find("MaskedLM") != kind.npos);
    settings["head_transform"] = predicts;
    // BERT's tied output layer has a bias, ModernBERT's says whether it has.
    settings["output_bias"] =
        predicts && (weights.has_for("output.b") || settings.at("output_bias") == "yes") ? "yes" : "no";
  } else {
    predicts = kind.empty() || kind.find("LM") != kind.npos || kind.ends_with("ForConditionalGeneration") ||
               kind.ends_with("MTModel");
    if (!family.head_in_file.empty() && weights.has(family.head_in_file)) settings["tie"] = "none";
    if (!predicts) settings["output_bias"] = "no";
  }
  // Without an output layer there is nothing to tie: the table stands in, and no logits are asked for.
  if (!predicts && settings.at("tie") == "none") settings["tie"] = "all";
  return settings;
}

Built::Built(const Json& config, const Json& generation, const Family& family, const TensorFile& file,
             const std::string& where, const CancelToken& cancel) {
  Json settings;
  std::unique_ptr<Weights> weights;
  try {
    settings = family.settings(config);
    weights = std::make_unique<Weights>(file, family, config, settings, where);
    settings = settings_for(config, family, *weights, predicts_);
    weights = std::make_unique<Weights>(file, family, config, settings, where);
    model_ = make_model(settings, {InitialValues::Kind::none});
  } catch (const Error& error) {
    throw FormatError(where + ": " + error.what());
  }
  const std::string shape = settings.at("model_type");
  shape_ = shape == "encoder_only" ? Shape::encoder : shape == "decoder_only" ? Shape::decoder : Shape::both;
  pretraining_ = families::architecture_of(config).ends_with("ForPreTraining");
  vocabulary_ = settings.at("source_vocabulary_size").get<Index>();
  target_vocabulary_ = settings.at("target_vocabulary_size").get<Index>();
  types_ = settings.value("token_types", Index(0));
  positions_ = settings.value("max_positions", Index(0)) - settings.value("position_offset", Index(0));
  const Json scaling = settings.value("rotary_scaling", Json::object());
  if (scaling.value("type", "") == "longrope") original_ = scaling.at("original").get<Index>();
  double bytes = 0;
  for (const Parameter& parameter : model_->parameters().all())
    bytes += static_cast<double>(parameter.value.shape().size()) * sizeof(Scalar);
  within_budget(bytes, budget::kWeights, where + ": its weights", "open a smaller model");
  weights->check_complete(model_->parameters());
  model_ = make_model(settings, {InitialValues::Kind::zeros});
  const Json& full = model_->config();
  const Index given_size = full.at("head_size").get<Index>();
  weights->fill(model_->parameters(),
                given_size > 0 ? given_size : full.at("model_size").get<Index>() / full.at("heads").get<Index>(),
                cancel);
  if (shape_ == Shape::decoder) {
    settings["prompt"] = "separate";
    reader_ = make_model(settings, {InitialValues::Kind::zeros, 0, &model_->parameters()});
  }
  try {
    top_ = families::OnTop(config, full, family, *weights);
    generation_ = families::Generation(config, generation);
  } catch (const FormatError& error) {
    const std::string said = error.what();
    throw FormatError(said.starts_with(where) ? said : where + ": " + said);
  }
  weights->check_all_used();
}

void Built::check(const std::vector<TokenId>& ids, Index vocabulary, const char* what) const {
  for (const TokenId id : ids)
    if (id < 0 || id >= vocabulary)
      throw UsageError(std::string(what) + ": expected numbers from 0 to " + std::to_string(vocabulary - 1) +
                       ", found " + std::to_string(id));
}

void Built::check_length(const std::vector<TokenId>& ids, const char* what) const {
  if (ids.empty()) throw UsageError(std::string(what) + ": expected at least one number");
  if (positions_ > 0 && static_cast<Index>(ids.size()) > positions_)
    throw UsageError(std::string(what) + ": this model has " + std::to_string(positions_) + " positions, found " +
                     std::to_string(ids.size()) + " ids");
}

Side Built::side(const char* place, Index steps) const {
  const Json& settings = model_->config();
  Side side;
  side.place = place;
  side.layers = settings.at(side.place + "_layers").get<Index>();
  side.steps = steps;
  side.cross = shape_ == Shape::both && side.place == "decoder";
  side.post = settings.at("norm_place") == "post";
  side.sum_is_projected = settings.at("embedding_projection") == "sum";
  return side;
}

LibraryValues Built::run(const std::vector<TokenId>& ids, const std::vector<TokenId>& type_ids,
                         const std::vector<TokenId>& target_ids, const CancelToken& cancel) const {
  check_length(ids, "--ids");
  check(ids, vocabulary_, "--ids");
  if (!type_ids.empty() && types_ == 0) throw UsageError("--type-ids: this model has no kinds of sentences");
  if (!type_ids.empty() && type_ids.size() != ids.size())
    throw UsageError("--type-ids: expected " + std::to_string(ids.size()) + " numbers, as many as ids, found " +
                     std::to_string(type_ids.size()));
  check(type_ids, types_, "--type-ids");
  if (!target_ids.empty() && shape_ != Shape::both)
    throw UsageError("--target-ids: this model has no decoder beside an encoder");
  Keeper keeper(cancel);
  LibraryValues values;
  Tensor logits, states;
  const auto add_side = [&](const Side& side, const std::string& prefix) {
    const std::vector<Tensor> all = side.states(keeper);
    for (std::size_t i = 0; i < all.size(); ++i)
      values.push_back({prefix + "hidden_states." + std::to_string(i), all[i]});
    for (Index l = 0; l < side.layers; ++l)
      values.push_back({prefix + "attentions." + std::to_string(l),
                        side.weights(keeper, "layer[" + std::to_string(l) + "].self_attn.head.weights")});
    states = all.back();
  };
  if (shape_ == Shape::both) {
    std::vector<TokenId> target = target_ids.empty() ? beginning(ids) : target_ids;
    check_length(target, "--target-ids");
    check(target, target_vocabulary_, "--target-ids");
    const auto decoding = model_->begin(Source(column(ids)), Pass(Tap(keeper)));
    const auto length = static_cast<Index>(target.size());
    for (Index t = 0; t < length; ++t) {
      const Tensor row = decoding->advance(column({target[static_cast<std::size_t>(t)]}), Pass(Tap(keeper)));
      if (!logits.defined()) logits = Tensor({length, row.size()});
      std::copy_n(row.data(), row.size(), logits.data() + t * row.size());
    }
    add_side(side("encoder", 0), "encoder_");
    values.push_back({"encoder_last_hidden_state", states});
    const Side decoder = side("decoder", length);
    add_side(decoder, "decoder_");
    for (Index l = 0; l < decoder.layers; ++l)
      values.push_back({"cross_attentions." + std::to_string(l),
                        decoder.weights(keeper, "layer[" + std::to_string(l) + "].cross_attn.head.weights")});
    if (!predicts_) logits = {};
  } else if (shape_ == Shape::encoder) {
    if (!type_ids.empty()) keeper.kinds = kinds_of(type_ids);
    const auto decoding = model_->begin(Source(column(ids)), Pass(Tap(keeper)));
    if (predicts_) logits = decoding->advance(column(ids), Pass());
    add_side(side("encoder", 0), "");
  } else {
    reader_->begin(Source(column(ids)), Pass(Tap(keeper)));
    if (predicts_) logits = model_->begin(Source(column({ids.front()})), Pass())->advance(column(ids), Pass());
    add_side(side("decoder", 0), "");
  }
  values.push_back({"last_hidden_state", states});
  if (logits.defined())
    values.push_back({pretraining_ ? "prediction_logits" : "logits",
                      logits.view(0, {states.rows(), logits.size() / states.rows()})});
  top_.add(states, ids, values);
  return values;
}

// What each token's kind of sentence differs from the first kind, [T x d].
Tensor Built::kinds_of(const std::vector<TokenId>& type_ids) const {
  const Tensor* table = model_->parameters().find("encoder.type.W");
  if (!table) return {};
  Tensor rows({static_cast<Index>(type_ids.size()), table->columns()});
  for (Index t = 0; t < rows.rows(); ++t)
    rows.matrix().row(t) = table->matrix().row(type_ids[static_cast<std::size_t>(t)]) - table->matrix().row(0);
  return rows;
}

std::vector<TokenId> Built::beginning(const std::vector<TokenId>& ids) const {
  if (shape_ != Shape::both) return ids;
  if (generation_.start() < 0)
    throw UsageError(
        "--target-ids: expected at least one number, for neither generation_config.json nor config.json "
        "has a decoder_start_token_id");
  return {generation_.start()};
}

std::vector<TokenId> Built::continued(const std::vector<TokenId>& ids, int count, const CancelToken& cancel) const {
  if (shape_ == Shape::encoder || !predicts_) throw UsageError("--new-tokens: this model does not continue a text");
  if (!generation_.problem().empty()) throw UsageError(generation_.problem());
  check_length(ids, "--ids");
  check(ids, vocabulary_, "--ids");
  std::vector<TokenId> all = beginning(ids);
  check(all, target_vocabulary_, "decoder_start_token_id");
  const std::size_t prompt = all.size();
  auto decoding = model_->begin(Source(column(ids)), Pass());
  while (static_cast<int>(all.size() - prompt) < count) {
    cancel.check();
    const auto length = static_cast<Index>(all.size());
    if (positions_ > 0 && length > positions_) break;
    // From here on everything is turned otherwise.
    if (shape_ == Shape::decoder && original_ > 0 && length == original_ + 1 && length > static_cast<Index>(prompt))
      decoding = model_->begin(Source(column(all)), Pass());
    const Tensor logits = decoding->advance(column({all.back()}), Pass()).clone();
    all.push_back(generation_.next(logits, all, prompt, ids, static_cast<std::size_t>(count)));
    if (generation_.is_end(all.back())) break;
  }
  return {all.begin() + static_cast<std::ptrdiff_t>(prompt), all.end()};
}

}  // namespace

std::string why_not(const Json& config) { return families::why_not(config); }

std::shared_ptr<const PretrainedModel> build_pretrained(const Json& config, const Json& generation,
                                                        const TensorFile& tensors, const std::string& where,
                                                        const CancelToken& cancel) {
  if (const std::string reason = why_not(config); !reason.empty())
    throw FormatError(where + ": config.json: " + reason);
  return std::make_shared<const Built>(config, generation, *families::family_of(config), tensors, where, cancel);
}

}  // namespace headlight
