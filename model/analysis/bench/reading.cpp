#include "model/analysis/bench/reading.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "model/analysis/word_groups.h"
#include "model/core/budget.h"
#include "model/core/json_library.h"
#include "model/models/transformer.h"
#include "model/models/variant.h"

namespace headlight {

namespace {

using MapKind = AttentionMap::Kind;
constexpr std::array kKinds = {MapKind::encoder_self, MapKind::decoder_self, MapKind::cross};

// "encoder.layer[2].": where the values of a layer stand.
std::string layer_place(MapKind kind, Index layer) {
  return std::string(kind == MapKind::encoder_self ? "encoder" : "decoder") + ".layer[" + std::to_string(layer) + "].";
}
std::string head_place(MapKind kind, Index layer) {
  return layer_place(kind, layer) + (kind == MapKind::cross ? "cross_attn" : "self_attn");
}

Tensor as_column(const std::vector<TokenId>& ids) {
  const Tensor tensor = Tensor::ids(ids);
  return tensor.view(0, {tensor.size(), 1});
}

// [1 x T x d] -> [T x d]
Tensor as_rows(const Tensor& value) {
  return value.defined() ? value.view(0, {value.size() / value.columns(), value.columns()}) : value;
}

// Yes or no for each class: row c has 0 and z_c in columns 2 c and 2 c + 1, and −∞ elsewhere (model_on_top.h).
bool are_several(const Tensor& logits) {
  const Index rows = logits.rows();
  if (logits.columns() != 2 * rows || rows < 1) return false;
  for (Index r = 0; r < rows; ++r)
    for (Index c = 0; c < 2 * rows; ++c) {
      const Scalar z = logits[r * 2 * rows + c];
      if (c == 2 * r ? z != 0 : c != 2 * r + 1 && z != -std::numeric_limits<Scalar>::infinity()) return false;
    }
  return true;
}

}  // namespace

const char* side_kind(MapKind kind) {
  return kind == MapKind::encoder_self ? "encoder" : kind == MapKind::decoder_self ? "decoder" : "cross";
}

const SideReading* Reading::side(MapKind kind) const {
  const auto found = std::ranges::find(sides, kind, &SideReading::kind);
  return found == sides.end() ? nullptr : &*found;
}

// Keeps what is asked for, and puts other findings in the place of those of heads.
class TextReader::Listener : public TapListener {
 public:
  Listener(Keep keep, const std::vector<HeadValue>& changed, CancelToken cancel)
      : keep_(keep), changed_(changed), cancel_(std::move(cancel)) {}

  Tensor visit(const SitePath& place, const char* leaf, Tensor value) override {
    const std::string_view name(leaf);
    const bool finding = name == "head.out" || name == "attention.context";
    if (finding && !changed_.empty()) {
      cancel_.check();
      value = replaced(place.text(), std::move(value));
    }
    if (!keeps(name)) return value;
    cancel_.check();
    bytes_ += static_cast<double>(value.size()) * sizeof(Scalar);
    within_budget(bytes_, budget::kTrace, "this analysis", "shorten the text");
    values_[place.text() + "." + leaf] = value;
    return value;
  }
  bool wants(const SitePath&, const char* leaf) const override {
    const std::string_view name(leaf);
    return keeps(name) || (!changed_.empty() && (name == "head.out" || name == "attention.context"));
  }
  Tensor at(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? Tensor() : found->second;
  }

 private:
  bool keeps(std::string_view leaf) const {
    static constexpr std::string_view kWeights[] = {"head.weights", "attention.weights"};
    static constexpr std::string_view kAll[] = {"head.v",    "head.out",  "out",  "residual1", "mean",
                                                "residual2", "residual3", "rstd", "states",    "attention.context"};
    if (keep_ == Keep::output) return false;
    if (keep_ == Keep::neurons) return leaf == "act";
    return std::ranges::count(kWeights, leaf) > 0 || (keep_ == Keep::all && std::ranges::count(kAll, leaf) > 0);
  }

  Tensor replaced(const std::string& place, Tensor value) const {
    for (const HeadValue& change : changed_) {
      const bool recurrent = place.starts_with("decoder.step[") && place.ends_with("]");
      if (!recurrent && place != head_place(change.at.kind, change.at.layer)) continue;
      value = value.clone();
      const Index rows = recurrent ? value.rows() : value.dim(-2), width = value.columns(),
                  head = recurrent ? 0 : change.at.head;
      Scalar* to = value.data() + head * rows * width;
      if (!change.value.defined())
        std::fill_n(to, rows * width, Scalar(0));
      else
        for (Index r = 0; r < rows; ++r)
          std::copy_n(change.value.data() + (change.value.rows() > 1 ? r * width : 0), width, to + r * width);
    }
    return value;
  }

  Keep keep_;
  const std::vector<HeadValue>& changed_;
  CancelToken cancel_;
  std::map<std::string, Tensor> values_;
  double bytes_ = 0;
};

TextReader::TextReader(std::shared_ptr<const ModelBundle> bundle) : bundle_(std::move(bundle)) {
  if (bundle_->stored) throw UsageError(bundle_->name + ": stored attention: nothing can be computed with it");
  // A text that is continued is read as a whole too.
  if (bundle_->model->config().value("prompt", std::string()) == "continue")
    bundle_ = variant(bundle_, Json{{"prompt", "separate"}});
  by_steps_ = std::ranges::none_of(bundle_->model->parameters().all(),
                                   [](const Parameter& p) { return p.name.ends_with("_attn.W_o"); });
}

bool TextReader::writes_after_encoder() const {
  return bundle_->model->traits().kind == ModelTraits::Kind::encoder_decoder && !bundle_->on_top;
}

void TextReader::check(const std::vector<TokenId>& ids, Index vocabulary) const {
  for (const TokenId id : ids)
    if (id < 0 || id >= vocabulary)
      throw UsageError("the ids of a text: expected numbers from 0 to " + std::to_string(vocabulary - 1) + ", found " +
                       std::to_string(id));
}

TextIds TextReader::ids_of(const std::string& source, const std::string& second, const std::string& written) const {
  const TextRules& rules = bundle_->text;
  if (!second.empty() && !rules.source.takes_pairs()) throw UsageError("a second sentence: this model reads one text");
  std::vector<TextToken> tokens = rules.source.split_pair(source, second);
  rules.finish_source(tokens, source.size());
  TextIds text;
  bool typed = false;
  for (const TextToken& token : tokens) {
    if (!token.id) continue;
    text.ids.push_back(*token.id);
    text.types.push_back(token.type);
    typed = typed || token.type != 0;
  }
  if (!typed || rules.token_types == 0) text.types.clear();
  const Index most = rules.most_source > 0 ? std::min<Index>(rules.most_source, kMaxSourceTokens) : kMaxSourceTokens;
  if (text.ids.empty()) throw UsageError("there is nothing to read: no token of this text is in the vocabulary");
  if (static_cast<Index>(text.ids.size()) > most)
    throw UsageError("this text has " + std::to_string(text.ids.size()) + " tokens; at most " + std::to_string(most) +
                     " are read");
  if (!writes_after_encoder()) return text;
  text.fed.push_back(rules.bos);
  for (const TextToken& token : rules.target.split(written)) {
    if (!token.id) throw UsageError("'" + token.text + "' in the output is not in this model's vocabulary");
    text.fed.push_back(*token.id);
  }
  if (!rules.eos && text.fed.size() > 1) text.fed.pop_back();  // nothing follows the last token
  return text;
}

std::vector<std::string> TextReader::words(const std::vector<TokenId>& ids, bool written) const {
  const Vocabulary& vocabulary = written ? bundle_->target_vocabulary() : bundle_->source_vocabulary();
  std::vector<std::string> words;
  for (const TokenId id : ids) words.push_back(vocabulary.text(id));
  return words;
}

std::vector<Index> TextReader::special(const std::vector<TokenId>& ids) const {
  std::vector<Index> found;
  const std::vector<std::string> all = words(ids);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (is_special_token(all[i]) && ids[i] != bundle_->text.mask) found.push_back(static_cast<Index>(i));
  return found;
}

// Layers that share their parameters have those of the first of them.
Tensor TextReader::parameter(const std::string& side, Index layer, const std::string& name) const {
  const ParameterTable& all = bundle_->model->parameters();
  const auto named = [&](Index l) { return all.find(side + ".layer[" + std::to_string(l) + "]." + name); };
  if (const Tensor* own = named(layer)) return *own;
  const Json& shared = bundle_->model->config().value("shared_layers", Json::array());
  if (static_cast<std::size_t>(layer) >= shared.size()) return {};
  const Tensor* other = named(shared[static_cast<std::size_t>(layer)].get<Index>());
  return other ? *other : Tensor();
}

void TextReader::fill_neurons(const Listener& kept, Reading& reading) const {
  const Json& config = bundle_->model->config();
  for (const char* side : {"encoder", "decoder"})
    for (Index l = 0; l < config.value(std::string(side) + "_layers", Index(0)); ++l) {
      const std::string name = side + (".layer[" + std::to_string(l) + "].ffn.act");
      if (const Tensor act = kept.at(name); act.defined()) reading.neurons.push_back({side, l, as_rows(act)});
    }
}

void TextReader::fill_layers(const Listener& kept, const TextIds&, Reading& reading) const {
  const Json& config = bundle_->model->config();
  for (const MapKind kind : kKinds) {
    const std::string side = kind == MapKind::encoder_self ? "encoder" : "decoder";
    SideReading made{kind, kind == MapKind::decoder_self && config.value("causal", true), {}};
    const Index layers = config.value(side + "_layers", Index(0));
    for (Index l = 0; l < layers; ++l) {
      const std::string at = layer_place(kind, l), attention = head_place(kind, l);
      LayerReading layer;
      layer.layer = l;
      layer.weights = kept.at(attention + ".head.weights");
      if (!layer.weights.defined()) continue;
      layer.values = kept.at(attention + ".head.v");
      layer.found = kept.at(attention + ".head.out");
      layer.given = as_rows(kept.at(attention + ".out"));
      const std::string own = attention.substr(at.size()), number = kind == MapKind::cross ? "2" : "1";
      layer.sum = as_rows(kept.at(at + "residual" + number));
      layer.W_o = parameter(side, l, own + ".W_o");
      layer.b_o = parameter(side, l, own + ".b_o");
      const auto norm = [&](const std::string& name) {
        return NormAt{kept.at(at + name + ".mean").defined(), kept.at(at + name + ".rstd"),
                      parameter(side, l, name + ".gamma"), parameter(side, l, name + ".beta"),
                      as_rows(kept.at(at + name + ".out"))};
      };
      layer.sub = norm("post_norm" + number);
      if (config.value("norm_place", std::string()) == "post") layer.post = norm("norm" + number);
      made.layers.push_back(std::move(layer));
    }
    if (!made.layers.empty()) reading.sides.push_back(std::move(made));
  }
}

// Of a recurrent model: its steps below each other, one layer and one head, the source in the order of the text.
void TextReader::fill_steps(const Listener& kept, const TextIds& text, Reading& reading) const {
  const auto steps = static_cast<Index>(text.fed.size());
  const auto row = [&](Index t, const char* name) {
    return kept.at("decoder.step[" + std::to_string(t) + "]." + name);
  };
  const Tensor first = row(0, "attention.weights");
  if (!first.defined()) return;
  const bool reversed = bundle_->model->traits().reads_reversed;
  const Index keys = first.columns();
  LayerReading layer;
  layer.weights = Tensor({1, steps, keys});
  for (Index t = 0; t < steps; ++t) {
    const Tensor weights = row(t, "attention.weights");
    if (!weights.defined() || weights.size() != keys) return;  // a window of the source: see attention_maps()
    for (Index j = 0; j < keys; ++j) layer.weights[t * keys + j] = weights[reversed ? keys - 1 - j : j];
  }
  const Tensor states = kept.at("encoder.states"), context = row(0, "attention.context");
  if (states.defined() && states.size() / states.columns() == keys) {
    const Index size = states.columns();
    layer.values = Tensor({1, keys, size});
    for (Index j = 0; j < keys; ++j)
      std::copy_n(states.data() + (reversed ? keys - 1 - j : j) * size, size, layer.values.data() + j * size);
  }
  if (context.defined()) {
    layer.found = Tensor({1, steps, context.size()});
    for (Index t = 0; t < steps; ++t)
      std::copy_n(row(t, "attention.context").data(), context.size(), layer.found.data() + t * context.size());
  }
  // What the readout makes of the context, where it stands in it as it is.
  if (const Tensor* W = bundle_->model->parameters().find("decoder.affine.W");
      W && context.defined() && W->rows() > context.size() && bundle_->model->config().value("combine", false) == false)
    layer.W_o = W->view(0, {context.size(), W->columns()});
  reading.sides.push_back({MapKind::cross, false, {std::move(layer)}});
}

Reading TextReader::read(const TextIds& text, Keep keep, const std::vector<HeadValue>& changed,
                         const CancelToken& cancel) const {
  const ModelTraits& traits = bundle_->model->traits();
  const TextRules& rules = bundle_->text;
  check(text.ids, bundle_->source_vocabulary().size());
  if (writes_after_encoder()) check(text.fed, bundle_->target_vocabulary().size());
  if (text.ids.empty()) throw UsageError("the ids of a text: expected at least one number");
  if (rules.most_source > 0 && static_cast<Index>(text.ids.size()) > rules.most_source)
    throw UsageError("this model has " + std::to_string(rules.most_source) + " positions, found a text of " +
                     std::to_string(text.ids.size()) + " tokens");
  Listener listener(keep, changed, cancel);
  const Pass pass{Tap(listener)};
  Source source(as_column(text.ids));
  if (!text.types.empty() && rules.token_types > 0) source.types = as_column(text.types);
  const auto decoding = bundle_->model->begin(source, pass);
  cancel.check();
  Reading reading;
  const bool after_encoder = writes_after_encoder();
  if (!bundle_->on_top) reading.states = as_rows(decoding->read_states());
  if (bundle_->of_text && reading.states.defined()) reading.vectors = bundle_->of_text(reading.states, text.ids, {});
  const auto advance = [&](Index rows) {
    const Tensor logits = decoding->advance(Tensor::zeros({rows, 1}), Pass());
    return logits.view(0, {rows, logits.columns()});
  };
  if (by_steps_) {
    for (std::size_t t = 0; t < text.fed.size(); ++t) {
      const Tensor row = decoding->advance(as_column({text.fed[t]}), pass);
      if (!reading.logits.defined()) reading.logits = Tensor({static_cast<Index>(text.fed.size()), row.size()});
      std::copy_n(row.data(), row.size(), reading.logits.data() + static_cast<Index>(t) * row.size());
    }
  } else if (after_encoder) {
    reading.states = as_rows(read_at_once(*decoding, as_column(text.fed), pass));
    if (rules.writes) reading.logits = as_rows(logits_of_read(*decoding));
  } else if (bundle_->on_top && rules.writes) {
    reading.logits = advance(rules.target_length > 0 ? rules.target_length : static_cast<Index>(text.ids.size()));
    reading.several = are_several(reading.logits);
    if (reading.several) {
      Tensor classes({1, reading.logits.rows()});
      for (Index c = 0; c < classes.size(); ++c) classes[c] = reading.logits[c * 2 * classes.size() + 2 * c + 1];
      reading.logits = classes;
    }
  } else if (rules.writes && traits.kind == ModelTraits::Kind::decoder_only) {
    reading.logits = as_rows(logits_of_read(*decoding));
  } else if (rules.writes) {
    reading.logits = advance(static_cast<Index>(text.ids.size()));
  }
  if (keep == Keep::output) return reading;
  if (keep == Keep::neurons) {
    fill_neurons(listener, reading);
    return reading;
  }
  if (by_steps_)
    fill_steps(listener, text, reading);
  else
    fill_layers(listener, text, reading);
  return reading;
}

}  // namespace headlight
