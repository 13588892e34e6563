#include "model/io/formats/pretrained/pretrained_models.h"

#include <algorithm>
#include <map>

#include "model/core/budget.h"
#include "model/decode/following.h"
#include "model/io/formats/adapters/adapted_file.h"
#include "model/io/formats/adapters/adapter_strength.h"
#include "model/io/formats/pretrained/hook_names.h"
#include "model/io/formats/pretrained/library_run.h"
#include "model/io/formats/pretrained/model_on_top.h"
#include "model/io/formats/pretrained/pretrained_labels.h"
#include "model/io/formats/pretrained/pretrained_plan.h"
#include "model/io/tensor_values.h"
#include "model/models/registry.h"
#include "model/models/transformer.h"
#include "model/ops/basic.h"

namespace headlight {

namespace {

constexpr Index kMaxPlaces = 512;  // of an answer, where the model has no last position

class Built : public PretrainedModel {
 public:
  // `adapted`: the file, if it is what an adapter makes of a base.
  Built(const PretrainedPlan& plan, const CancelToken& cancel, const AdaptedFile* adapted = nullptr);
  bool is_adapted() const override { return without_ != nullptr; }
  std::shared_ptr<const PretrainedModel> at_strength(double strength) const override;
  LibraryValues run(const std::vector<TokenId>& ids, const std::vector<TokenId>& type_ids,
                    const std::vector<TokenId>& target_ids, const CancelToken& cancel) const override;
  LibraryValues values(NamedBy names, const std::vector<TokenId>& ids, const std::vector<TokenId>& type_ids,
                       const std::vector<TokenId>& target_ids, const CancelToken& cancel) const override;
  std::vector<TokenId> beginning(const std::vector<TokenId>& ids) const override;
  WrittenTexts written(const std::vector<TokenId>& ids, const Json& settings, const std::string& where,
                       WritingTask task) const override;
  Index positions() const override { return positions_; }
  ModelTraits::Kind kind() const override { return model_->traits().kind; }
  const Json& settings() const override { return model_->config(); }
  const std::string& number_type() const override { return number_type_; }
  Index token_types() const override { return types_; }
  Index vocabulary() const override { return vocabulary_; }
  Index target_vocabulary() const override { return target_vocabulary_; }
  const std::vector<std::string>& notes() const override { return notes_; }
  void fill(ModelBundle& bundle, const std::vector<std::string>& tokens, std::shared_ptr<const OtherTokenizer> source,
            std::shared_ptr<const OtherTokenizer> target) const override;

 private:
  enum class Shape { both, encoder, decoder };
  struct Computed {
    Tensor logits;
    std::vector<TokenId> target;  // what the decoder behind an encoder read
  };
  Computed compute(const std::vector<TokenId>& ids, const std::vector<TokenId>& type_ids,
                   const std::vector<TokenId>& target_ids, RunKeeper& keeper) const;
  void check(const std::vector<TokenId>& ids, Index vocabulary, const char* what) const;
  void check_length(const std::vector<TokenId>& ids, const char* what) const;
  void check_budget(std::size_t read, std::size_t written, bool all) const;
  Tensor column(const std::vector<TokenId>& ids) const {
    Tensor tensor = Tensor::ids(ids);
    return tensor.view(0, {tensor.size(), 1});
  }
  LibrarySide side(const char* place, Index steps) const;
  std::string fill_classes(ModelBundle& bundle, std::optional<TokenId> again, std::vector<std::string>& written,
                           std::shared_ptr<const OtherTokenizer>& target) const;
  void fill_text_vector(ModelBundle& bundle, TextVector::Kind kind) const;

  // Of an adapted model: what the adapter changes, as the base has it.
  struct Without {
    ParameterTable parameters;
    std::vector<NamedTensor> top;
  };
  void make_models(Json settings, const ParameterTable& parameters);
  void read_without(const PretrainedPlan& plan, const AdaptedFile& adapted, const CancelToken& cancel);

  std::shared_ptr<const Without> without_;  // null: nothing lies over it
  // `reader_` has the weights of `model_`, and reads the last token of a text too.
  std::shared_ptr<Model> model_, reader_;
  std::map<std::string, std::string> in_file_;
  std::string number_type_;
  std::string described_;            // "bert: 6 layers, 12 heads, 384 wide"
  std::vector<std::string> labels_;  // of classes, by their numbers
  std::vector<std::string> notes_;
  Shape shape_ = Shape::encoder;
  bool predicts_ = false, pretraining_ = false;
  bool starts_with_last_ = false;  // where the decoder reads the text too
  Index vocabulary_ = 0, target_vocabulary_ = 0, types_ = 0, positions_ = 0;
  Index original_ = 0;  // longer texts turn queries and keys otherwise; 0: there is no such length
  families::OnTop top_;
  families::Generation generation_;
};

Built::Built(const PretrainedPlan& plan, const CancelToken& cancel, const AdaptedFile* adapted)
    : notes_(plan.weights->notes()),
      predicts_(plan.predicts),
      pretraining_(plan.pretraining),
      top_(plan.top),
      generation_(plan.generation) {
  Json settings = plan.settings;
  const Json& config = plan.config;
  const std::string shape = settings.at("model_type");
  shape_ = shape == "encoder_only" ? Shape::encoder : shape == "decoder_only" ? Shape::decoder : Shape::both;
  starts_with_last_ = shape_ == Shape::both && !predicts_ && families::family_of(config)->starts_with_last;
  vocabulary_ = settings.at("source_vocabulary_size").get<Index>();
  target_vocabulary_ = settings.at("target_vocabulary_size").get<Index>();
  types_ = settings.value("token_types", Index(0));
  if (const Index places = settings.value("max_positions", Index(0)); places > 0)
    positions_ = places - settings.value("position_offset", Index(0));
  const Json scaling = settings.value("rotary_scaling", Json::object());
  if (scaling.value("type", "") == "longrope") original_ = scaling.at("original").get<Index>();
  const Json full = plan.shapes->config();
  make_models(settings, plan.weights->read(plan.shapes->parameters(), plan.head_size, cancel));
  if (adapted) read_without(plan, *adapted, cancel);
  in_file_ = plan.weights->said();
  for (const NamedTensor& tensor : top_.tensors())
    in_file_["top." + tensor.name] = plan.weights->full_name(tensor.name);
  number_type_ = precision_of(plan.weights->file());
  labels_ = labels_of(config, std::max<Index>(1, top_.values_of_each()));
  const auto layers = [&](const char* key) { return std::to_string(full.at(key).get<Index>()); };
  described_ = config.value("model_type", std::string()) + ": " +
               (shape_ == Shape::both ? layers("encoder_layers") + " and " + layers("decoder_layers")
                                      : layers(shape_ == Shape::encoder ? "encoder_layers" : "decoder_layers")) +
               " layers, " + layers("heads") + " heads, " + layers("model_size") + " wide, " + number_type_;
}

void Built::make_models(Json settings, const ParameterTable& parameters) {
  model_ = make_model(settings, {InitialValues::Kind::zeros, 0, &parameters});
  if (shape_ != Shape::decoder) return;
  settings["prompt"] = "separate";
  reader_ = make_model(settings, {InitialValues::Kind::zeros, 0, &model_->parameters()});
}

void Built::read_without(const PretrainedPlan& plan, const AdaptedFile& adapted, const CancelToken& cancel) {
  const AdaptedFile base = adapted.at(AdaptedFile::Strength::none);
  const auto is_changed = [&](std::size_t i) { return adapted.is_changed(i); };
  auto without = std::make_shared<Without>();
  without->parameters = plan.weights->read_again(base, is_changed, plan.shapes->parameters(), plan.head_size, cancel);
  for (const NamedTensor& tensor : top_.tensors())
    if (const auto i = plan.weights->find(tensor.name); i && is_changed(*i))
      without->top.push_back({tensor.name, numbers_of(base, *i, "the base")});
  without_ = std::move(without);
  notes_.insert(notes_.end(), adapted.notes().begin(), adapted.notes().end());
}

std::shared_ptr<const PretrainedModel> Built::at_strength(double strength) const {
  auto changed = std::make_shared<Built>(*this);
  ParameterTable parameters;
  for (const Parameter& full : model_->parameters().all()) {
    const Tensor* without = without_->parameters.find(full.name);
    parameters.add(full.name, without ? headlight::at_strength(*without, full.value, strength) : full.value);
  }
  Json settings = model_->config();
  settings[kAdapterStrength] = strength;
  changed->make_models(settings, parameters);
  changed->top_ = top_.with([&](const NamedTensor& full) {
    const auto without = std::ranges::find(without_->top, full.name, &NamedTensor::name);
    return without == without_->top.end() ? full.value : headlight::at_strength(without->value, full.value, strength);
  });
  changed->without_ = nullptr;  // from the whole change alone
  return changed;
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

LibrarySide Built::side(const char* place, Index steps) const {
  const Json& settings = model_->config();
  LibrarySide side;
  side.place = place;
  side.layers = settings.at(side.place + "_layers").get<Index>();
  side.steps = steps;
  side.cross = shape_ == Shape::both && side.place == "decoder";
  side.post = settings.at("norm_place") == "post";
  side.sum_is_projected = settings.at("embedding_projection") == "sum";
  return side;
}

// What a run keeps, and what it needs for a while: known before it begins. Weights of attention grow with the square of
// the text.
void Built::check_budget(std::size_t read, std::size_t written, bool all) const {
  const Json& settings = model_->config();
  const auto count = [&](const char* key) { return static_cast<double>(settings.value(key, Index(0))); };
  const double rows = static_cast<double>(read), steps = static_cast<double>(written), heads = count("heads"),
               at_once = heads * rows * rows, all_steps = heads * steps * (steps + rows);
  const double weights = shape_ == Shape::both ? count("encoder_layers") * at_once + count("decoder_layers") * all_steps
                         : shape_ == Shape::encoder ? count("encoder_layers") * at_once
                                                    : count("decoder_layers") * at_once;
  const double logits =
      predicts_ ? (shape_ == Shape::both ? steps : rows) * static_cast<double>(target_vocabulary_) : 0;
  constexpr double kForAWhile = 3;  // of one layer: scores, what is masked, weights
  within_budget(((all ? 3 : 1) * weights + kForAWhile * at_once + logits) * sizeof(Scalar), budget::kTrace,
                "a run of " + std::to_string(read) + " ids", "shorten the text");
}

// One run of a text: the values that `keeper` kept, the last states [T x d] and the logits [T x V], where there are
// any.
Built::Computed Built::compute(const std::vector<TokenId>& ids, const std::vector<TokenId>& type_ids,
                               const std::vector<TokenId>& target_ids, RunKeeper& keeper) const {
  check_length(ids, "--ids");
  check(ids, vocabulary_, "--ids");
  if (!type_ids.empty() && types_ == 0) throw UsageError("--type-ids: this model has no kinds of sentences");
  if (!type_ids.empty() && type_ids.size() != ids.size())
    throw UsageError("--type-ids: expected " + std::to_string(ids.size()) + " numbers, as many as ids, found " +
                     std::to_string(type_ids.size()));
  check(type_ids, types_, "--type-ids");
  if (!target_ids.empty() && shape_ != Shape::both)
    throw UsageError("--target-ids: this model has no decoder beside an encoder");
  Computed computed;
  if (shape_ != Shape::both) check_budget(ids.size(), 0, keeper.keeps_all);
  if (shape_ == Shape::both) {
    computed.target = target_ids;
    if (target_ids.empty()) computed.target = beginning(ids);
    // What stands on top wants the decoder to read the text too, one place later.
    if (target_ids.empty() && top_) computed.target.insert(computed.target.end(), ids.begin(), ids.end() - 1);
    check_length(computed.target, "--target-ids");
    check(computed.target, target_vocabulary_, "--target-ids");
    check_budget(ids.size(), computed.target.size(), keeper.keeps_all);
    const auto decoding = model_->begin(Source(column(ids)), Pass(Tap(keeper)));
    const auto length = static_cast<Index>(computed.target.size());
    for (Index t = 0; t < length; ++t) {
      const Tensor row = decoding->advance(column({computed.target[static_cast<std::size_t>(t)]}), Pass(Tap(keeper)));
      if (!computed.logits.defined()) computed.logits = Tensor({length, row.size()});
      std::copy_n(row.data(), row.size(), computed.logits.data() + t * row.size());
    }
    if (!predicts_) computed.logits = {};
  } else {
    const bool reads = shape_ == Shape::encoder;
    Source source(column(ids));
    if (!type_ids.empty()) source.types = column(type_ids);
    const auto decoding = (reads ? model_ : reader_)->begin(source, Pass(Tap(keeper)));
    if (predicts_) computed.logits = reads ? decoding->advance(column(ids), Pass()) : logits_of_read(*decoding);
  }
  if (computed.logits.defined()) {
    const auto rows = static_cast<Index>(shape_ == Shape::both ? computed.target.size() : ids.size());
    computed.logits = computed.logits.view(0, {rows, computed.logits.size() / rows});
  }
  return computed;
}

LibraryValues Built::run(const std::vector<TokenId>& ids, const std::vector<TokenId>& type_ids,
                         const std::vector<TokenId>& target_ids, const CancelToken& cancel) const {
  RunKeeper keeper(cancel);
  const Computed computed = compute(ids, type_ids, target_ids, keeper);
  LibraryValues values;
  Tensor states;
  const auto add_side = [&](const LibrarySide& side, const std::string& prefix) {
    const std::vector<Tensor> all = side.states(keeper);
    for (std::size_t i = 0; i < all.size(); ++i)
      values.push_back({prefix + "hidden_states." + std::to_string(i), all[i]});
    for (Index l = 0; l < side.layers; ++l)
      values.push_back({prefix + "attentions." + std::to_string(l),
                        side.weights(keeper, "layer[" + std::to_string(l) + "].self_attn.head.weights")});
    add_further(keeper, side, prefix, values);
    states = all.back();
  };
  if (shape_ == Shape::both) {
    add_side(side("encoder", 0), "encoder_");
    values.push_back({"encoder_last_hidden_state", states});
    const LibrarySide decoder = side("decoder", static_cast<Index>(computed.target.size()));
    add_side(decoder, "decoder_");
    for (Index l = 0; l < decoder.layers; ++l)
      values.push_back({"cross_attentions." + std::to_string(l),
                        decoder.weights(keeper, "layer[" + std::to_string(l) + "].cross_attn.head.weights")});
  } else {
    add_side(side(shape_ == Shape::encoder ? "encoder" : "decoder", 0), "");
  }
  values.push_back({"last_hidden_state", states});
  if (computed.logits.defined()) values.push_back({pretraining_ ? "prediction_logits" : "logits", computed.logits});
  if (shape_ != Shape::both || target_ids.empty()) top_.add(states, ids, values);
  return values;
}

LibraryValues Built::values(NamedBy names, const std::vector<TokenId>& ids, const std::vector<TokenId>& type_ids,
                            const std::vector<TokenId>& target_ids, const CancelToken& cancel) const {
  RunKeeper keeper(cancel, true);
  const Computed computed = compute(ids, type_ids, target_ids, keeper);
  LibraryValues values;
  if (names == NamedBy::headlight) {
    for (NamedTensor& value : keeper.in_order) values.push_back({value.name, as_recorded(value)});
    if (computed.logits.defined() && shape_ != Shape::both) values.push_back({"output.logits", computed.logits});
    return values;
  }
  const auto steps = static_cast<Index>(computed.target.size());
  const auto hooked = [&](const char* place, const char* prefix, Index step_count) {
    const bool rms = model_->config().at("norm") == "rms";
    add_hooks({prefix, side(place, step_count), rms, &model_->parameters(), keeper}, values);
  };
  if (shape_ != Shape::decoder) hooked("encoder", shape_ == Shape::both ? "encoder." : "", 0);
  if (shape_ != Shape::encoder) hooked("decoder", shape_ == Shape::both ? "decoder." : "", steps);
  if (computed.logits.defined()) values.push_back({"logits", computed.logits});
  return values;
}

namespace {

constexpr Index kWritten = 20;  // tokens that a text is continued by

}  // namespace

// What stands on top gives classes: the steps of a run, and what they are called. Says what the model does.
std::string Built::fill_classes(ModelBundle& bundle, std::optional<TokenId> again, std::vector<std::string>& written,
                                std::shared_ptr<const OtherTokenizer>& target) const {
  bundle.number_type = number_type_;
  TextRules& text = bundle.text;
  const StepsOf steps = steps_of(top_);
  const Index places = positions_ > 0 ? positions_ : kMaxPlaces;
  std::string does = steps == StepsOf::answer    ? "finds where an answer begins and ends"
                     : steps == StepsOf::tokens  ? "classes of tokens"
                     : steps == StepsOf::several ? "several classes of a text"
                                                 : "classes of a text";
  written.clear();
  if (steps == StepsOf::answer) {
    for (Index t = 0; t < places; ++t) written.push_back("token " + std::to_string(t));
    text.target_length = 2;
    text.answers = true;
  } else if (steps == StepsOf::several) {
    for (const std::string& label : labels_) written.insert(written.end(), {"not " + label, label});
    text.target_length = static_cast<Index>(labels_.size());
  } else {
    const bool replaced = steps == StepsOf::tokens && top_.values_of_each() == 1;
    written = replaced ? std::vector<std::string>{"original", "replaced"} : labels_;
    if (steps == StepsOf::text) text.target_length = 1;
  }
  target = tokenizer_of_labels(written, steps == StepsOf::several);
  bundle.on_top = [top = top_, places, again](std::shared_ptr<const Model> model) {
    return model_on_top(std::move(model), top, places, again);
  };
  // All rows of a text are wanted.
  bundle.model = bundle.on_top(shape_ == Shape::decoder ? reader_ : model_);
  return does;
}

// What stands for the text as a whole.
void Built::fill_text_vector(ModelBundle& bundle, TextVector::Kind kind) const {
  using Kind = TextVector::Kind;
  for (const NamedTensor& tensor : top_.tensors())
    bundle.text_parameters.push_back({"top." + tensor.name, tensor.value});
  bundle.of_text = [top = top_, kind](const Tensor& states, const std::vector<TokenId>& ids, const Pass& pass) {
    const SitePath encoder("encoder");
    const Tensor row = kind == Kind::pooled ? top.pooled(states) : top.values_of(states, ids);
    const char* name = kind == Kind::follows ? "follows" : kind == Kind::score ? "score" : "pooled";
    return std::vector{TextVector{kind, pass.tap(encoder, name, reshape(row, {row.size()}))}};
  };
}

void Built::fill(ModelBundle& bundle, const std::vector<std::string>& tokens,
                 std::shared_ptr<const OtherTokenizer> source, std::shared_ptr<const OtherTokenizer> target) const {
  bundle.number_type = number_type_;
  TextRules& text = bundle.text;
  text.source = Tokenizer(std::move(source), Vocabulary::shown(tokens));
  std::vector<std::string> written(tokens);
  written.resize(static_cast<std::size_t>(target_vocabulary_), "<?>");
  // Without an output layer the decoder behind an encoder reads the text itself, one place later.
  std::optional<TokenId> again;
  if (shape_ == Shape::both && !predicts_ && generation_.start() >= 0) text.bos = *(again = generation_.start());
  if (starts_with_last_) again = kLastToken;
  const bool reads = shape_ != Shape::both || again;
  const bool scores =
      top_ && reads && !predicts_ && top_.values_of_each() == 1 && top_.top().of != families::Top::Of::each;
  text.most_source = positions_;
  text.token_types = types_;
  bundle.model = model_;
  bundle.warnings = notes_;
  bundle.in_file = std::make_shared<const std::map<std::string, std::string>>(in_file_);
  std::string does;
  if (shape_ == Shape::encoder && predicts_) {
    does = "guesses masked words";
  } else if (scores) {
    text.writes = false;
    if (shape_ == Shape::decoder) bundle.model = reader_;
    does = "gives a text or a pair a score";
  } else if (top_ && reads && !(shape_ == Shape::both && predicts_)) {
    does = fill_classes(bundle, again, written, target);
  } else if (!predicts_) {
    text.writes = false;
    if (shape_ == Shape::decoder) bundle.model = reader_;
    does = "hidden states of a text";
  } else {
    if (shape_ == Shape::decoder) text.target_length = kWritten;
    does = shape_ == Shape::both ? "writes an output for a text" : "continues a text";
    if (generation_.problem().empty()) bundle.next_token = next_token_by(generation_);
    text.eos = generation_.end();
    if (shape_ == Shape::both) text.bos = std::max<TokenId>(0, generation_.start());
  }
  if (again && !bundle.on_top) {
    bundle.on_top = [again](std::shared_ptr<const Model> model) {
      return model_on_top(std::move(model), {}, 0, again);
    };
    bundle.model = bundle.on_top(model_);
  }
  // What stands for the text as a whole, where it is not classes already.
  const bool follows = predicts_ && pretraining_ && top_.values_of_each() == 2 && steps_of(top_) == StepsOf::text,
             pools = !predicts_ && !top_ && top_.pools();
  if (follows || pools || scores) {
    using Kind = TextVector::Kind;
    fill_text_vector(bundle, follows ? Kind::follows : scores ? Kind::score : Kind::pooled);
    if (!scores) does += follows ? ", and whether a second sentence follows the first" : ", and a vector of the whole";
  }
  text.target = Tokenizer(std::move(target), Vocabulary::shown(std::move(written)));
  bundle.description = described_ + "; " + does;
  for (const std::string& note : notes_) bundle.description += ". " + note;
}

std::vector<TokenId> Built::beginning(const std::vector<TokenId>& ids) const {
  if (shape_ != Shape::both) return ids;
  if (starts_with_last_) return {ids.back()};
  if (generation_.start() < 0)
    throw UsageError(
        "--target-ids: expected at least one number, for neither generation_config.json nor config.json "
        "has a decoder_start_token_id");
  return {generation_.start()};
}

WrittenTexts Built::written(const std::vector<TokenId>& ids, const Json& settings, const std::string& where,
                            WritingTask task) const {
  if (shape_ == Shape::encoder || !predicts_) throw UsageError(where + ": this model does not continue a text");
  const families::Generation rules = generation_.with(settings, where);
  if (!rules.problem().empty()) throw UsageError(rules.problem());
  check_length(ids, "--ids");
  check(ids, vocabulary_, "--ids");
  task.prompt = shape_ == Shape::both && rules.start() >= 0 ? std::vector{rules.start()} : beginning(ids);
  check(task.prompt, target_vocabulary_, "decoder_start_token_id");
  task.encoder = ids;
  if (positions_ > 0) task.most = static_cast<std::size_t>(positions_) + 1;
  const Pass pass;
  FollowingModel following(*model_, model_->begin(Source(column(ids)), pass), pass,
                           shape_ == Shape::decoder ? original_ : 0);
  return write_on(following, task, rules.writing());
}

}  // namespace

std::string why_not(const Json& config) { return families::why_not(config); }

std::string why_not(const Json& config, const Json& generation, const TensorFile& tensors,
                    std::vector<std::string>& notes) {
  const std::string where = "this folder";
  try {
    notes = PretrainedPlan(config, generation, tensors, where, {}).weights->notes();
  } catch (const Error& error) {
    const std::string said = error.what();
    return said.starts_with(where + ": ") ? said.substr(where.size() + 2) : said;
  }
  return {};
}

std::vector<std::string> ignored_keys(const Json& config) { return families::ignored_keys(config); }

std::shared_ptr<const PretrainedModel> build_pretrained(const Json& config, const Json& generation,
                                                        const TensorFile& tensors, const std::string& where,
                                                        const CancelToken& cancel, const Adapter* adapter) {
  if (!adapter)
    return std::make_shared<const Built>(PretrainedPlan(config, generation, tensors, where, cancel), cancel);
  const AdaptedFile adapted = over(tensors, config, *adapter, where);
  const PretrainedPlan plan(with_task(config, adapter->config().task()), generation, adapted, where, cancel, true);
  // What of such a tensor a pair changes is known by the tensor alone.
  if (&plan.weights->file() != static_cast<const TensorFile*>(&adapted))
    throw FormatError(where + ": an adapter over tensors that hold all experts in one is not supported");
  return std::make_shared<const Built>(plan, cancel, &adapted);
}

}  // namespace headlight
