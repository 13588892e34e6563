#include "model/training/trainer.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>

#include "model/core/graph.h"
#include "model/ops/softmax.h"
#include "model/training/trainer_state.h"

namespace headlight {

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

int core_count() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

std::vector<std::uint32_t> in_order(Index size) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

// Fisher-Yates from the epoch's own stream: the order of epoch 7 is the same whether 1-6 ran in this process or not.
std::vector<std::uint32_t> shuffled(Index size, std::uint64_t seed, int epoch) {
  std::vector<std::uint32_t> order = in_order(size);
  Random random(seed, Random::Stream::data, static_cast<std::uint32_t>(epoch));
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
  return order;
}

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
  return {{middle(batch.source.ids), rows(batch.source.keep)}, middle(batch.inputs), rows(batch.targets),
          rows(batch.mask)};
}

std::unique_ptr<Model> make_initial(const TrainingSettings& settings, const Task& task) {
  Json config = settings.model;
  config["model_type"] = find_architecture(settings.architecture).name;
  config["source_vocabulary_size"] = task.text.source.vocabulary().size();
  config["target_vocabulary_size"] = task.text.target.vocabulary().size();
  return make_model(config, settings.seed);
}

}  // namespace

Trainer::State::State(TrainingSettings s)
    : settings(std::move(s)),
      task(find_task(settings.task)),
      data(generate(task, settings.train_size, settings.test_size)),
      train(task, data.train),
      test(task, data.test),
      model(make_initial(settings, task)),
      optimiser("adam_fish", {settings.learning_rate, {}, {}, {}, {}}, model->parameters()),
      workers(std::min(static_cast<int>(settings.parts), core_count())) {}

Trainer::Trainer(TrainingSettings settings) : state_(std::make_unique<State>(std::move(settings))) {
  // Every batch takes and frees the same blocks: handing them back to the system in between costs a page fault each.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}
Trainer::~Trainer() = default;

const TrainingSettings& Trainer::settings() const { return state_->settings; }
const Task& Trainer::task() const { return state_->task; }
const std::vector<EpochRecord>& Trainer::history() const { return state_->history; }
Model& Trainer::model() { return *state_->model; }
std::shared_ptr<Model> Trainer::shared_model() { return state_->model; }
const Dataset& Trainer::train_data() const { return state_->train; }
const Dataset& Trainer::test_data() const { return state_->test; }
const std::vector<Example>& Trainer::test_examples() const { return state_->data.test; }

double Trainer::step(const Batch& batch) {
  State& state = *state_;
  const Index n = batch.targets.dim(0);
  const Index parts = std::min(state.settings.parts, n);
  const auto scale = static_cast<Scalar>(1.0 / static_cast<double>(batch.mask.array().sum()));
  ParameterTable& parameters = state.model->parameters();
  std::vector<std::vector<Tensor>> gradients(static_cast<std::size_t>(parts));
  std::vector<double> losses(static_cast<std::size_t>(parts));
  state.workers.run(static_cast<int>(parts), [&](int part) {
    const Index begin = n * part / parts, count = n * (part + 1) / parts - begin;
    const Batch own = part_of(batch, begin, count);
    Graph graph(Graph::Keep::gradients);
    const Graph::Scope scope(&graph);
    const Tensor logits = state.model->begin(own.source, {})->advance(own.inputs, {});  // [N x T x V]
    const Tensor loss = cross_entropy(logits, own.targets, own.mask, scale);
    graph.backward(loss, Tensor::full({1}, 1));
    losses[static_cast<std::size_t>(part)] = static_cast<double>(loss[0]);
    for (const Parameter& p : parameters.all()) {
      Tensor gradient = graph.gradient(p.value);
      gradients[static_cast<std::size_t>(part)].push_back(gradient.defined() ? gradient
                                                                             : Tensor::zeros(p.value.shape()));
    }
  });
  std::vector<Tensor>& sum = gradients[0];
  for (std::size_t part = 1; part < gradients.size(); ++part)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i].array() += gradients[part][i].array();
  state.gradient_norm += clip_global_norm(sum, state.settings.clip);
  state.optimiser.update(parameters, sum);
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

EpochRecord Trainer::run_epoch(const std::function<void(const TrainingProgress&)>& progress,
                               const CancelToken& cancel) {
  State& state = *state_;
  const TrainingSettings& settings = state.settings;
  EpochRecord record;
  record.epoch = epochs_done() + 1;
  const std::vector<std::uint32_t> order = shuffled(state.train.size(), settings.seed, record.epoch);
  const Index size = std::min(settings.batch, state.train.size());
  const Index batches = state.train.size() / size;  // the rest waits for the next shuffle, as in the book
  state.gradient_norm = 0;
  const auto start = Clock::now();
  double total = 0;
  TrainingProgress now{record.epoch, settings.epochs, 0, batches, 0, 0, 0, false};
  for (Index b = 0; b < batches; ++b) {
    cancel.check();
    total += step(state.train.batch(order, b * size, size));
    now.batch = b + 1;
    now.loss = total / static_cast<double>(b + 1);
    const double seconds = since(start), per_batch = seconds / static_cast<double>(b + 1);
    now.examples_per_second = static_cast<double>(size) / per_batch;
    now.seconds_left = per_batch * static_cast<double>(batches - b - 1 + batches * (settings.epochs - record.epoch));
    if (progress) progress(now);
  }
  record.loss = now.loss;
  record.seconds = since(start);
  record.examples_per_second = now.examples_per_second;
  record.gradient_norm = state.gradient_norm / static_cast<double>(batches);
  now.evaluating = true;
  if (progress) progress(now);
  record.exact_match = evaluate(*state.model, state.test, cancel).exact_match;
  state.history.push_back(record);
  return record;
}

Evaluation evaluate(const Model& model, const Dataset& data, const CancelToken& cancel) {
  constexpr Index kBatch = 250;
  const std::vector<std::uint32_t> order = in_order(data.size());
  const Index batches = (data.size() + kBatch - 1) / kBatch, t_count = data.target_length();
  std::vector<Evaluation> sums(static_cast<std::size_t>(batches));
  Workers workers(core_count());
  workers.run(static_cast<int>(batches), [&](int b) {
    cancel.check();
    const Index begin = b * kBatch, count = std::min(kBatch, data.size() - begin);
    const Batch batch = data.batch(order, begin, count);
    Evaluation& sum = sums[static_cast<std::size_t>(b)];
    const Tensor forced = model.begin(batch.source, {})->advance(batch.inputs, {});
    sum.nll = static_cast<double>(cross_entropy(forced, batch.targets, Tensor::full(batch.targets.shape(), 1), 1)[0]);
    const std::unique_ptr<Decoding> decoding = model.begin(batch.source, {});
    Tensor ids = batch.inputs.view(0, {1, count});
    std::vector<Index> right(static_cast<std::size_t>(count));
    for (Index t = 0; t < t_count; ++t) {
      const Tensor logits = decoding->advance(ids, {});  // [N x 1 x V]
      Tensor chosen({1, count});
      for (Index n = 0; n < count; ++n) {
        Index best = 0;
        logits.matrix().row(n).maxCoeff(&best);
        chosen[n] = static_cast<Scalar>(best);
        right[static_cast<std::size_t>(n)] += chosen[n] == batch.targets[n * t_count + t];
      }
      ids = chosen;
    }
    for (const Index r : right) {
      sum.token_accuracy += static_cast<double>(r);
      sum.exact_match += r == t_count;
    }
  });
  Evaluation total;
  total.examples = data.size();
  const auto examples = static_cast<double>(std::max<Index>(1, data.size())),
             tokens = examples * static_cast<double>(t_count);
  for (const Evaluation& sum : sums) {
    total.exact_match += sum.exact_match / examples;
    total.token_accuracy += sum.token_accuracy / tokens;
    total.nll += sum.nll / tokens;
  }
  return total;
}

}  // namespace headlight
