#include "model/analysis/rotations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "model/core/json_library.h"
#include "model/models/transformer_settings.h"

namespace headlight {

namespace {

constexpr const char* kRotated = ".self_attn.head.q_rotated";

// The place of a layer's attention: all rows at once, or a step.
std::string place_of(const RotaryLayer& layer, Index step) {
  const std::string side = !layer.decoder ? "encoder"
                           : step < 0     ? "decoder"
                                          : "decoder.step[" + std::to_string(step) + "]";
  return side + ".layer[" + std::to_string(layer.layer) + "].self_attn.head.";
}

// The rows of one head, gathered from what was read at once and from the steps.
class Rows {
 public:
  Rows(const Result& result, const RotaryLayer& layer, Index head)
      : result_(result), trace_(*result.trace), layer_(layer), head_(head) {}

  RotaryHead take() {
    add(-1);
    if (layer_.decoder)
      for (Index step = 0; trace_.find(place_of(layer_, step) + "q_rotated") >= 0; ++step) add(step);
    const auto count = static_cast<Index>(made_.positions.size());
    Tensor* const wanted[] = {&made_.queries, &made_.rotated_queries, &made_.keys, &made_.rotated_keys};
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      *wanted[i] = Tensor::of({count, count > 0 ? static_cast<Index>(numbers_[i].size()) / count : 0}, numbers_[i]);
    return made_;
  }

 private:
  void add(Index step) {
    const std::string place = place_of(layer_, step);
    // As they were before they were turned.
    const auto before = [&](const std::string& leaf) {
      for (const char* end : {"_clipped", "_normed"})
        if (const Tensor value = trace_.value(place + leaf + end); value.defined()) return value;
      return trace_.value(place + leaf);
    };
    const Tensor parts[] = {before("q"), trace_.value(place + "q_rotated"), before("k"),
                            trace_.value(place + "k_rotated")};
    for (const Tensor& part : parts)
      if (!part.defined()) return;
    const Index heads = parts[0].dim(0), size = parts[0].columns(), rows = parts[0].rows() / heads;
    if (head_ < 0 || head_ >= heads) return;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      const Index shared = heads / parts[i].dim(0);  // heads that have the same keys
      const Scalar* from = parts[i].data() + head_ / shared * rows * size;
      numbers_[i].insert(numbers_[i].end(), from, from + rows * size);
    }
    const int entry = trace_.find(place + "q_rotated");
    if (made_.turns.empty()) find_turns(entry);
    for (Index row = 0; row < rows; ++row) {
      made_.tokens.push_back(token(step, row));
      made_.positions.push_back(position(entry, (head_ * rows + row) * size));
    }
  }

  // What a number was multiplied by: the cosine of its angle, p·w, with both of them; nothing of an edited number.
  std::optional<Explanation> angle(int entry, Index cell) const {
    if (!trace_.operation(entry)) return {};
    const Explanation made = trace_.explain(entry, cell);
    if (made.terms.size() != 2 || made.terms[0].label != "x·cos(p·w)") return {};
    return trace_.explain(made.terms[0].cells.back());
  }

  // As the rotation itself was given it; of an edited number, the row's place.
  double position(int entry, Index cell) const {
    const auto made = angle(entry, cell);
    return made ? made->terms[0].cells[0].value() : static_cast<double>(made_.positions.size());
  }

  void find_turns(int entry) {
    const auto made = angle(entry, 0);
    if (!made) return;
    const Tensor& turns = made->terms[0].cells[1].tensor;
    made_.turns.assign(turns.data(), turns.data() + turns.size());
    const double plain = std::cos(made->terms[0].cells[0].value() * made_.turns[0]);
    if (made->kind == Explanation::Kind::sum && std::abs(plain) > 1e-6) made_.factor = made->terms[0].value / plain;
  }

  std::string token(Index step, Index row) const {
    if (step >= 0)
      return step < static_cast<Index>(result_.fed.size()) ? result_.fed[static_cast<std::size_t>(step)] : "";
    if (row >= static_cast<Index>(result_.token_of_position.size())) return {};
    const int token = result_.token_of_position[static_cast<std::size_t>(row)];
    return token < 0 ? std::string() : result_.tokens[static_cast<std::size_t>(token)].text;
  }

  const Result& result_;
  const Trace& trace_;
  const RotaryLayer layer_;
  const Index head_;
  RotaryHead made_;
  std::array<std::vector<Scalar>, 4> numbers_;
};

}  // namespace

RotaryHead::Pair RotaryHead::pair(const Tensor& rows, Index row, Index pair) const {
  return {static_cast<double>(rows[row * size() + first(pair)]),
          static_cast<double>(rows[row * size() + second(pair)])};
}

double RotaryHead::part(Index query, Index key, double distance, Index index) const {
  const Pair q = pair(queries, query, index), k = pair(keys, key, index);
  const double angle = distance * turn(index);
  return factor * factor * ((q.a * k.a + q.b * k.b) * std::cos(angle) + (q.b * k.a - q.a * k.b) * std::sin(angle));
}

double RotaryHead::rest(Index query, Index key) const {
  double sum = 0;
  for (Index i = 2 * pairs(); i < size(); ++i)
    sum += static_cast<double>(queries[query * size() + i]) * static_cast<double>(keys[key * size() + i]);
  return sum;
}

double RotaryHead::product(Index query, double query_position, Index key, double key_position) const {
  const auto turned = [](const Pair& pair, double angle) {
    return Pair{pair.a * std::cos(angle) - pair.b * std::sin(angle),
                pair.a * std::sin(angle) + pair.b * std::cos(angle)};
  };
  double sum = 0;
  for (Index i = 0; i < pairs(); ++i) {
    const Pair q = turned(pair(queries, query, i), query_position * turn(i));
    const Pair k = turned(pair(keys, key, i), key_position * turn(i));
    sum += q.a * k.a + q.b * k.b;
  }
  return factor * factor * sum + rest(query, key);
}

double RotaryHead::product(Index query, Index key) const {
  return rotated_queries.matrix().row(query).cast<double>().dot(rotated_keys.matrix().row(key).cast<double>());
}

namespace {

// The settings of a layer's rotation; none: it is not turned.
std::optional<Rotary> rotary_of(const Json& config, const RotaryLayer& layer) {
  const std::string type = config.value("model_type", std::string());
  const TransformerShape shape = type == "encoder_only"   ? TransformerShape::encoder_only
                                 : type == "decoder_only" ? TransformerShape::decoder_only
                                                          : TransformerShape::both;
  const TransformerSettings settings = read_transformer_settings(config, shape);
  const TransformerStackSettings& stack = layer.decoder ? settings.decoder : settings.encoder;
  const auto at = static_cast<std::size_t>(layer.layer);
  const bool local = stack.local_rotary && at < stack.windows.size() && stack.windows[at] > 0;
  return local ? stack.local_rotary : stack.layer.attention.rotary;
}

}  // namespace

RotaryAngles rotary_angles(const Result& result, const RotaryLayer& layer, Index pair, Index last, Index points) {
  using Kind = RotaryScaling::Kind;
  RotaryAngles made;
  if (!is_rotary(result)) return made;
  const Json& config = result.model->model->config();
  const std::optional<Rotary> rotary = rotary_of(config, layer);
  if (!rotary || pair < 0 || pair >= rotary->size / 2) return made;
  const RotaryScaling& scaling = rotary->scaling;
  made.scaling = kRotaryScalingNames[static_cast<std::size_t>(scaling.kind)];
  made.factor = scaling.kind == Kind::longrope ? 0 : scaling.factor;
  made.trained = scaling.original > 1 ? scaling.original : 0;
  Rotary plain = *rotary;
  plain.scaling = {};
  const auto end = static_cast<double>(std::max({Index(1), last, 4 * made.trained}));
  const double turn = plain.frequencies(1)[static_cast<std::size_t>(pair)];
  for (Index i = 0; i < points; ++i) {
    const double position =
        std::round(end * static_cast<double>(i) / static_cast<double>(std::max<Index>(1, points - 1)));
    made.positions.push_back(position);
    made.plain.push_back(position * turn);
    made.scaled.push_back(position *
                          rotary->frequencies(static_cast<Index>(position) + 1)[static_cast<std::size_t>(pair)]);
  }
  return made;
}

bool is_rotary(const Result& result) {
  return result.model && result.model->model && result.model->model->traits().positions == "rotary";
}

std::vector<RotaryLayer> rotary_layers(const Result& result) {
  std::vector<RotaryLayer> layers;
  if (!result.trace || !is_rotary(result)) return layers;
  for (const TraceEntry& entry : result.trace->entries()) {
    if (entry.site.step > 0 || !entry.site.text.ends_with(kRotated)) continue;
    const RotaryLayer layer{entry.site.kind->side == SiteKind::Side::decoder, entry.site.layer, entry.value.dim(0)};
    if (std::find(layers.begin(), layers.end(), layer) == layers.end()) layers.push_back(layer);
  }
  return layers;
}

RotaryHead rotary_head(const Result& result, const RotaryLayer& layer, Index head) {
  if (!result.trace || !is_rotary(result)) return {};
  RotaryHead made = Rows(result, layer, head).take();
  const ModelTraits& model = result.model->model->traits();
  if (made.turns.empty() && made.rows() > 0)  // the run kept no arithmetic
    for (Index pair = 0; pair < made.size() / 2; ++pair)
      made.turns.push_back(
          std::pow(model.rotary_theta, -2.0 * static_cast<double>(pair) / static_cast<double>(made.size())));
  made.causal = layer.decoder && model.causal;
  made.neighbours = model.rotary_neighbours;
  return made;
}

}  // namespace headlight
