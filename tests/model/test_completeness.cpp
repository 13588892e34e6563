// Completeness of gradients, over the registry (models.md 9.6, invariant I15): what the inputs of a model contribute to
// a logit, integrated along the way from nothing to the input, adds up to the difference of the logits.

#include "model/core/graph.h"
#include "model/models/registry.h"
#include "model/ops/basic.h"
#include "tests/model/helpers.h"
#include "tests/test_program.h"

namespace headlight::test_completeness {

using namespace headlight::testing;

namespace {

// Where a model reads its tokens as vectors; positions that are added to them stay as they are. A Neural Turing Machine
// has no embeddings: what its controller reads, at every step.
bool is_input(const std::string& site, const std::string& architecture) {
  if (architecture == "ntm") return site.starts_with("encoder.step[") && site.ends_with(".controller.input");
  if (architecture == "decoder_only") return site == "decoder.embed.token";
  const bool transformer = architecture == "transformer" || architecture == "encoder_only";
  return site == (transformer ? "encoder.embed.token" : "encoder.embed.out");
}

// Multiplies the inputs by α, and keeps both.
class Scaling : public TapListener {
 public:
  Scaling(std::string architecture, double alpha) : architecture_(std::move(architecture)), alpha_(alpha) {}
  Tensor visit(const SitePath& place, const char* leaf, Tensor value) override {
    if (!is_input(place.text() + "." + leaf, architecture_)) return value;
    const Tensor scaled = scale(value, static_cast<Scalar>(alpha_));
    inputs.emplace_back(value, scaled);
    return scaled;
  }
  std::vector<std::pair<Tensor, Tensor>> inputs;  // as read, as the model went on with

 private:
  std::string architecture_;
  double alpha_;
};

struct Point {
  double logit = 0, slope = 0;  // dlogit/dα: the sum of input · gradient
};

Point at(const Model& model, const std::string& architecture, double alpha) {
  Graph graph(Graph::Keep::everything);
  const Graph::Scope scope(&graph);
  Scaling scaling(architecture, alpha);
  const Pass pass{Tap(scaling)};
  const auto decoding = model.begin(Tensor::of({4, 1}, {5, 7, 6, 9}), pass);
  decoding->advance(Tensor::full({1, 1}, 1), pass);
  const Tensor logits = decoding->advance(Tensor::full({1, 1}, 8), pass);
  constexpr Index kToken = 6;
  Tensor seed = Tensor::zeros(logits.shape());
  seed[kToken] = 1;
  graph.backward(logits, seed);
  Point point{static_cast<double>(logits[kToken]), 0};
  for (const auto& [value, scaled] : scaling.inputs) {
    const Tensor gradient = graph.gradient(scaled);
    if (!gradient.defined()) continue;
    for (Index i = 0; i < value.size(); ++i)
      point.slope += static_cast<double>(value[i]) * static_cast<double>(gradient[i]);
  }
  return point;
}

}  // namespace

class TestCompleteness : public QObject {
  Q_OBJECT

 private slots:
  void contributions_add_up_data() {
    QTest::addColumn<QString>("architecture");
    for (const Architecture& row : architectures()) QTest::newRow(row.name) << QString(row.name);
  }
  void contributions_add_up() {
    QFETCH(QString, architecture);
    const std::string name = architecture.toStdString();
    Json config = {{"model_type", name}, {"source_vocabulary_size", 16}, {"target_vocabulary_size", 16}};
    // A position that is drawn jumps along the way; its expectation does not.
    if (name == "hard_attention") config["attention.selection"] = "soft";
    // Training makes the gradients of its encoder smaller than they are (Gehring et al. 2017, section 3.5).
    if (name == "convs2s") config["gradient_scale"] = false;
    // Their own numbers begin so small that the input is not felt.
    if (name.starts_with("bahdanau")) config["init"] = "fan_in";
    const auto model = make_model(config, 3);
    constexpr int kPoints = 256;
    double sum = 0;
    for (int m = 0; m < kPoints; ++m) sum += at(*model, name, (m + 0.5) / kPoints).slope / kPoints;
    const double difference = at(*model, name, 1).logit - at(*model, name, 0).logit;
    QVERIFY2(std::abs(difference) > 2e-5, qPrintable(QString("the logits differ by %1").arg(difference)));
    QVERIFY2(std::abs(sum - difference) <= 0.01 * std::abs(difference),
             qPrintable(QString("%1 in all, the logits differ by %2").arg(sum).arg(difference)));
  }
};

HEADLIGHT_TEST(TestCompleteness)

}  // namespace headlight::test_completeness

#include "test_completeness.moc"
