#include "model/training/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>

#include "model/core/graph.h"
#include "model/core/parallel.h"
#include "model/core/system.h"
#include "model/models/greedy.h"
#include "model/models/registry.h"
#include "model/ops/basic.h"
#include "model/ops/softmax.h"
#include "model/training/trainer_state.h"

namespace headlight {

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Numbers that are none any more; where it happened is added by the epoch.
struct Overflow : Error {
  explicit Overflow(const char* of) : Error("the " + std::string(of) + " is no longer a number"), what_of(of) {}
  const char* what_of;
};

// Rows [begin, begin + count) of the batch axis.
Batch part_of(const Batch& batch, Index begin, Index count) {
  const auto middle = [&](const Tensor& t) {
    Tensor part({t.dim(0), count});
    part.matrix() = t.matrix().middleCols(begin, count);
    return part;
  };
  const auto rows = [&](const Tensor& t) {
    return t.defined() ? t.view(begin * t.dim(1), {count, t.dim(1)}) : Tensor();
  };
  return {
      {middle(batch.source.ids), rows(batch.source.keep)}, middle(batch.inputs), rows(batch.targets), rows(batch.mask)};
}

// The settings that say how large a model is, with their values.
std::string sizes_of(const Json& config, const TrainingSettings& settings) {
  std::string text;
  for (const char* key : {"model_size", "ff_size", "decoder_layers", "encoder_layers", "hidden_size", "embedding_size",
                          "layers", "max_positions"})
    if (config.contains(key)) text += (text.empty() ? "" : ", ") + std::string(key) + " " + config[key].dump();
  text += "; the vocabulary has " + config["target_vocabulary_size"].dump() + " tokens";
  if (settings.data.tokenizer != kTokenizerNames[0])
    text += " (larger min_frequency" + std::string(settings.data.tokenizer == "bpe" ? ", fewer bpe_merges)" : ")");
  return text;
}

// Throws UsageError for a model that is too large for its task.
void check_size(const Json& config, const TrainingSettings& settings, const Task& task) {
  if (task.most_numbers == 0) return;
  const auto shapes = make_model(config, InitialValues{InitialValues::Kind::none, 0});
  const Index numbers = shapes->parameters().count();
  if (numbers > task.most_numbers)
    throw UsageError("the model would have " + std::to_string(numbers) + " numbers, one of the task '" + task.name +
                     "' has at most " + std::to_string(task.most_numbers) +
                     ": make it smaller: " + sizes_of(shapes->config(), settings));
}

// Logits [N x T x V] for the batch. Each step of each example is fed the right token with probability `forcing`, else
// what the model itself wrote at the step before (Bengio et al. 2015).
Tensor decode(Decoding& decoding, const Tensor& inputs, const Pass& pass, double forcing, Random& coins,
              const std::vector<TokenId>& never) {
  if (forcing >= 1) return decoding.advance(inputs, pass);
  const Index t_count = inputs.dim(0), count = inputs.dim(1);
  std::vector<Tensor> steps;
  Tensor ids = inputs.view(0, {1, count});
  for (Index t = 0; t < t_count; ++t) {
    if (t > 0) {
      ids = greedy_choice(steps.back(), never);
      for (Index n = 0; n < count; ++n)
        if (coins.uniform() < forcing) ids[n] = inputs[t * count + n];
    }
    const Tensor logits = decoding.advance(ids, pass);  // [N x 1 x V]
    steps.push_back(reshape(logits, {count, logits.columns()}));
  }
  return stack(steps);
}

// Sums over the tokens of each row.
Tensor row_sums(const Tensor& values) {
  Tensor sums({values.dim(0)});
  for (Index n = 0; n < sums.size(); ++n) sums[n] = values.matrix().row(n).sum();
  return sums;
}

// Running averages of batch normalisation (Ioffe & Szegedy 2015): nine parts what they were, one part the mean of what
// the parts of this batch saw, in their order.
void keep_moments(const std::vector<std::vector<SeenMoments>>& parts) {
  constexpr double kNew = 0.1;
  for (std::size_t i = 0; i < parts[0].size(); ++i) {
    Tensor running = parts[0][i].running;
    running.array() *= static_cast<Scalar>(1 - kNew);
    for (const std::vector<SeenMoments>& part : parts)
      running.array() += static_cast<Scalar>(kNew / static_cast<double>(parts.size())) * part[i].now.array();
  }
}

std::vector<double> norms_of(const std::vector<Tensor>& gradients) {
  std::vector<double> norms;
  for (const Tensor& g : gradients) norms.push_back(std::sqrt(g.array().cast<double>().square().sum()));
  return norms;
}

// sum = Σ parts, in their order; a gradient that is not there is 0.
void add_up(const std::vector<std::vector<Tensor>>& parts, std::vector<Tensor>& sums) {
  parallel_parts(static_cast<int>(sums.size()), [&](int at) {
    const auto i = static_cast<std::size_t>(at);
    bool first = true;
    for (const std::vector<Tensor>& part : parts) {
      if (!part[i].defined()) continue;
      if (first) {
        sums[i].array() = part[i].array();
      } else {
        sums[i].array() += part[i].array();
      }
      first = false;
    }
    if (first) sums[i].array() = Scalar(0);
  });
}

}  // namespace

std::unique_ptr<Model> untrained_model(const TrainingSettings& settings, const Task& task) {
  Json config = settings.model;
  const Architecture& architecture = find_architecture(settings.architecture);
  config["model_type"] = architecture.name;
  config["source_vocabulary_size"] = task.text.source.vocabulary().size();
  config["target_vocabulary_size"] = task.text.target.vocabulary().size();
  // A text that is gone on with has no second start sign in its middle.
  if (task.open_ended && architecture.defaults.contains("prompt") && !config.contains("prompt"))
    config["prompt"] = "continue";
  check_size(config, settings, task);
  return make_model(config, settings.seed);
}

std::vector<Example> take_out(const std::vector<std::string>& probes, const TextRules& text, TaskData& data) {
  const auto read = [&](const std::string& source) {
    std::vector<std::optional<TokenId>> ids;
    for (const TextToken& token : text.source.split(source)) ids.push_back(token.id);
    return ids;
  };
  std::set<std::vector<std::optional<TokenId>>> hidden;
  for (const std::string& probe : probes) hidden.insert(read(probe));
  std::vector<Example> out;
  if (hidden.empty()) return out;
  for (auto* part : {&data.train, &data.test})
    std::erase_if(*part, [&](const Example& example) {
      const bool is_probe = hidden.contains(read(example.source));
      if (is_probe) out.push_back(example);
      return is_probe;
    });
  if (data.train.empty() || data.test.empty())
    throw UsageError("without the probes nothing is left to " + std::string(data.train.empty() ? "train" : "test") +
                     " on: take fewer");
  return out;
}

Trainer::State::State(TrainingSettings s, std::shared_ptr<const Task> t)
    : settings(s.resolved()),
      task(t ? std::move(t) : find_task(settings.task, settings.data)),
      data(generate(*task, settings.train_size, settings.test_size)),
      left_out(take_out(settings.probes, task->text, data)),
      model(untrained_model(settings, *task)),
      train(*task, data.train, model->traits().writes_reversed),
      test(*task, data.test, model->traits().writes_reversed),
      optimiser(settings.optimiser, settings.constants, model->parameters()) {
  settings.rates.learning_rate = *settings.constants.learning_rate;
  settings.rates.width = static_cast<double>(model->traits().width);
  for (const Parameter& p : model->parameters().all()) gradients.push_back(Tensor::zeros(p.value.shape()));
  averaged = settings.average > 1 ? make_model(model->config(), settings.seed) : model;
}

void Trainer::State::keep_weights() {
  if (averaged == model) return;
  std::vector<Tensor>& copies = last_weights.emplace_back();
  for (const Parameter& p : model->parameters().all()) copies.push_back(p.value.clone());
  while (static_cast<Index>(last_weights.size()) > settings.average) last_weights.pop_front();
}

void Trainer::State::average_weights() {
  if (averaged == model || last_weights.empty()) return;
  std::vector<Parameter>& means = averaged->parameters().all();
  for (std::size_t i = 0; i < means.size(); ++i) {
    ArrayMap mean = means[i].value.array();
    mean.setZero();
    for (const std::vector<Tensor>& weights : last_weights) mean += weights[i].array();
    mean /= static_cast<Scalar>(last_weights.size());
  }
}

Trainer::Trainer(TrainingSettings settings, std::shared_ptr<const Task> task)
    : state_(std::make_unique<State>(std::move(settings), std::move(task))) {
  keep_freed_memory(1 << 30);
}
Trainer::~Trainer() = default;

const TrainingSettings& Trainer::settings() const { return state_->settings; }
const std::shared_ptr<const Task>& Trainer::shared_task() const { return state_->task; }
const std::vector<EpochRecord>& Trainer::history() const { return state_->history; }
Model& Trainer::model() { return *state_->averaged; }
std::shared_ptr<Model> Trainer::shared_model() { return state_->averaged; }
std::shared_ptr<Model> Trainer::trained_model() { return state_->model; }
bool Trainer::reverses_targets() const { return state_->model->traits().writes_reversed; }
const Dataset& Trainer::train_data() const { return state_->train; }
const Dataset& Trainer::test_data() const { return state_->test; }
const std::vector<Example>& Trainer::train_examples() const { return state_->data.train; }
const std::vector<Example>& Trainer::test_examples() const { return state_->data.test; }
const std::vector<Example>& Trainer::left_out() const { return state_->left_out; }
Index Trainer::updates() const { return static_cast<Index>(state_->optimiser.updates()); }
Index Trainer::examples_in_batch() const { return std::min(settings().batch, state_->train.size()); }
Index Trainer::updates_in_epoch() const { return state_->train.size() / examples_in_batch(); }
Index Trainer::batches_left() const { return updates_in_epoch() - state_->begun.batches; }
const std::vector<double>& Trainer::gradient_norms() const { return state_->norms; }
void Trainer::keep_gradient_norms() { state_->keeps_norms = true; }

double Trainer::seconds() const {
  double seconds = state_->begun.seconds;
  for (const EpochRecord& epoch : history()) seconds += epoch.seconds;
  return seconds;
}

bool Trainer::finished() const {
  return epochs_done() >= settings().epochs || out_of_patience(history(), settings().patience);
}

double Trainer::learning_rate() const {
  ScheduleMoment now{state_->optimiser.updates() + 1, epochs_done() + 1, {}};
  for (const EpochRecord& epoch : state_->history) now.held_out.push_back(epoch.nll);
  return find_schedule(settings().schedule).rate(settings().rates, now);
}

double Trainer::step(const Batch& batch) {
  State& state = *state_;
  const TrainingSettings& settings = state.settings;
  const Index n = batch.targets.dim(0), parts = std::min(settings.parts, n);
  const double tokens = static_cast<double>(batch.mask.array().sum());
  const double forcing = settings.teacher_forcing * std::pow(settings.teacher_forcing_decay, epochs_done());
  const Index padding = state.task->text.pad ? *state.task->text.pad : -1;
  const auto update = static_cast<std::uint32_t>(state.optimiser.updates());
  ParameterTable& parameters = state.model->parameters();
  std::vector<std::vector<Tensor>> gradients(static_cast<std::size_t>(parts));
  std::vector<double> losses(static_cast<std::size_t>(parts));
  std::vector<std::vector<SeenMoments>> moments(static_cast<std::size_t>(parts));
  parallel_parts(static_cast<int>(parts), [&](int part) {
    const Index begin = n * part / parts, count = n * (part + 1) / parts - begin;
    const Batch own = part_of(batch, begin, count);
    // The draws depend on the update and the part alone, so that a resumed training draws the same.
    const auto substream = static_cast<std::uint32_t>(update * static_cast<std::uint32_t>(parts) + part);
    Random draws(settings.seed, Random::Stream::dropout, substream),
        coins(settings.seed, Random::Stream::sample, substream);
    Pass pass;
    pass.training = true;
    pass.random = &draws;
    pass.moments = &moments[static_cast<std::size_t>(part)];
    Graph graph(Graph::Keep::gradients);
    const Graph::Scope scope(&graph);
    const std::unique_ptr<Decoding> decoding = state.model->begin(own.source, pass);
    const Tensor logits = decode(*decoding, own.inputs, pass, forcing, coins, state.train.never_written());
    const Tensor nll = row_sums(token_nll(logits, own.targets, own.mask));
    Tensor loss = cross_entropy(logits, own.targets, own.mask, static_cast<Scalar>(1 / tokens),
                                settings.label_smoothing, padding);
    const Tensor more = decoding->additional_loss({nll, own.mask, state.baseline, 1 / tokens});
    if (more.defined()) loss = add(loss, more);
    graph.backward(loss, Tensor::full({1}, 1));
    losses[static_cast<std::size_t>(part)] = nll.array().template cast<double>().sum();
    for (const Parameter& p : parameters.all())
      gradients[static_cast<std::size_t>(part)].push_back(graph.gradient(p.value));
  });
  double total = 0;
  for (const double loss : losses) total += loss;
  if (!std::isfinite(total)) throw Overflow("loss");
  add_up(gradients, state.gradients);
  const double norm = global_norm(state.gradients);
  if (!std::isfinite(norm)) throw Overflow("gradient");
  if (state.keeps_norms) state.norms = norms_of(state.gradients);
  if (settings.clip_value > 0) clip_values(state.gradients, settings.clip_value);
  if (settings.clip > 0) clip_global_norm(state.gradients, settings.clip);
  state.last_norm = norm;
  state.optimiser.update(parameters, state.gradients, learning_rate());
  keep_moments(moments);
  state.baseline = 0.9 * state.baseline - 0.1 * total / static_cast<double>(n);
  return total / tokens;
}

void Trainer::overflow(const char* what, const std::string& place) const {
  char rate[32];
  std::snprintf(rate, sizeof rate, "%.3g", learning_rate());
  throw Error("the " + std::string(what) + " is no longer a number in epoch " + std::to_string(epochs_done() + 1) +
              place + ": the steps are too long; try a lower learning_rate (now " + rate +
              "), a warmup, or a lower clip");
}

UpdateRecord Trainer::advance() {
  State& state = *state_;
  State::Begun& begun = state.begun;
  const auto start = Clock::now();
  // The order of an epoch depends on its number alone, so that one that was begun goes on as it would have.
  if (state.cut.empty())
    state.cut =
        state.train.batches(state.settings.seed, static_cast<std::uint32_t>(epochs_done() + 1), examples_in_batch());
  const Batch batch = state.train.batch(state.cut[static_cast<std::size_t>(begun.batches)]);
  UpdateRecord update;
  update.learning_rate = learning_rate();
  try {
    update.tokens = static_cast<double>(batch.mask.array().sum());
    update.nll = update.tokens * step(batch);
  } catch (const Overflow& e) {
    overflow(e.what_of, ", batch " + std::to_string(begun.batches + 1) + " of " + std::to_string(updates_in_epoch()));
  }
  update.gradient_norm = state.last_norm;
  ++begun.batches;
  begun.nll += update.nll;
  begun.tokens += update.tokens;
  begun.gradient_norm += update.gradient_norm;
  begun.learning_rate = update.learning_rate;
  begun.seconds += since(start);
  return update;
}

EpochRecord Trainer::end_epoch(const CancelToken& cancel) {
  State& state = *state_;
  const State::Begun& begun = state.begun;
  const auto batches = static_cast<double>(begun.batches);
  EpochRecord record;
  record.epoch = epochs_done() + 1;
  record.loss = begun.nll / begun.tokens;
  record.gradient_norm = begun.gradient_norm / batches;
  record.seconds = begun.seconds;
  record.examples_per_second = static_cast<double>(examples_in_batch()) * batches / begun.seconds;
  record.learning_rate = begun.learning_rate;
  const std::deque<std::vector<Tensor>> before = state.last_weights;
  Evaluation held_out;
  try {
    state.keep_weights();
    state.average_weights();
    held_out = evaluate(*state.averaged, state.test, cancel);
    if (!std::isfinite(held_out.nll)) overflow("loss on held-out examples", "");
  } catch (...) {
    state.last_weights = before;  // it may be ended once more
    throw;
  }
  record.exact_match = held_out.exact_match;
  record.token_accuracy = held_out.token_accuracy;
  record.nll = held_out.nll;
  record.nll_free = held_out.nll_free;
  state.history.push_back(record);
  state.begun = {};
  state.cut.clear();
  return record;
}

EpochRecord Trainer::run_epoch(const std::function<void(const TrainingProgress&)>& progress,
                               const CancelToken& cancel) {
  const State::Begun& begun = state_->begun;
  const int epochs = settings().epochs, epoch = epochs_done() + 1;
  const Index batches = updates_in_epoch();
  TrainingProgress now{epoch, epochs, begun.batches, batches, 0, 0, 0, false};
  while (batches_left() > 0) {
    cancel.check();
    advance();
    now.batch = begun.batches;
    now.loss = begun.nll / begun.tokens;
    const double per_batch = begun.seconds / static_cast<double>(begun.batches);
    now.examples_per_second = static_cast<double>(examples_in_batch()) / per_batch;
    now.seconds_left = per_batch * static_cast<double>(batches_left() + batches * (epochs - epoch));
    if (progress) progress(now);
  }
  now.evaluating = true;
  if (progress) progress(now);
  return end_epoch(cancel);
}

}  // namespace headlight
