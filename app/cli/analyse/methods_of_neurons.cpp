#include <Eigen/Core>
#include <limits>

#include "app/cli/analyse/methods.h"
#include "app/cli/printed/text_format.h"
#include "model/core/errors.h"

namespace headlight {

namespace {

// One layer of neurons over all tokens of all texts.
struct Neurons {
  std::string side;
  Index layer = 0;
  Eigen::ArrayXd above, sum;  // tokens where each is above 0; of its numbers
  Eigen::ArrayXd largest, text;
  void add(const Tensor& values, std::size_t of_text) {
    const DoubleMatrix here = slice_of(values.view(0, {1, values.rows(), values.columns()}), 0);
    if (sum.size() == 0) {
      above = sum = Eigen::ArrayXd::Zero(here.cols());
      largest = Eigen::ArrayXd::Constant(here.cols(), -std::numeric_limits<double>::infinity());
      text = Eigen::ArrayXd::Constant(here.cols(), -1);
    }
    above += (here.array() > 0).cast<double>().colwise().sum().transpose();
    sum += here.array().colwise().sum().transpose();
    const Eigen::ArrayXd most = here.colwise().maxCoeff().transpose();
    for (Index n = 0; n < most.size(); ++n)
      if (most[n] > largest[n]) {
        largest[n] = most[n];
        text[n] = static_cast<double>(of_text);
      }
  }
};

}  // namespace

void analyse_neurons(AnalysisRun& run) {
  std::vector<Neurons> layers;
  double tokens = 0;
  run.each_text([&](std::size_t i) {
    const AnalysedText text = run.text(i);
    const Reading reading = run.reader().read(text.ids, TextReader::Keep::neurons, {}, run.cancel());
    if (reading.neurons.empty()) throw UsageError("neurons: this model has no feed-forward networks");
    if (layers.empty())
      for (const NeuronReading& each : reading.neurons) layers.push_back({each.side, each.layer, {}, {}, {}, {}});
    for (std::size_t l = 0; l < layers.size(); ++l) layers[l].add(reading.neurons[l].values, i);
    tokens += static_cast<double>(reading.neurons.front().values.rows());
  });
  ExperimentTable& table = run.result().table;
  table = {"neurons", {"side", "layer", "neurons", "never_above_0", "above_0", "mean", "largest"}, {}};
  for (const Neurons& each : layers) {
    const Index count = each.sum.size();
    const auto put = [&](const char* name, const Eigen::ArrayXd& numbers) {
      run.result().arrays.push_back(
          {each.side + "." + std::to_string(each.layer) + "." + name, {count}, {numbers.begin(), numbers.end()}});
    };
    put("above_0", each.above / tokens);
    put("mean", each.sum / tokens);
    put("largest", each.largest);
    put("largest_in_text", each.text);
    table.rows.push_back({each.side, run.counted(each.layer), static_cast<double>(count),
                          static_cast<double>((each.above == 0).count()), each.above.mean() / tokens,
                          each.sum.mean() / tokens, each.largest.maxCoeff()});
  }
  run.result().notes.push_back(
      format("over %.0f tokens of %zu texts; --out FILE.npz has every neuron", tokens, run.listed().size()));
}

}  // namespace headlight
