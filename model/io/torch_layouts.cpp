#include "model/io/torch_layouts.h"

#include <algorithm>
#include <map>

namespace headlight {

namespace {

using Shapes = std::map<std::string, std::vector<std::uint64_t>>;

std::string number(std::uint64_t n) { return std::to_string(n); }
std::string counted(std::uint64_t n, const char* what) { return number(n) + " " + what + (n == 1 ? "" : "s"); }

class LayoutFinder {
 public:
  explicit LayoutFinder(const TensorFile& file) {
    for (const TensorEntry& entry : file.tensors()) shapes_[entry.name] = entry.shape;
  }

  // The module whose first tensor this is.
  bool take(const std::string& name, TorchLayout& layout) const {
    return recurrent(name, layout) || transformer(name, layout) || attention(name, layout);
  }

 private:
  const std::vector<std::uint64_t>* find(const std::string& name, std::size_t rank) const {
    const auto found = shapes_.find(name);
    return found != shapes_.end() && found->second.size() == rank ? &found->second : nullptr;
  }
  static bool split(const std::string& name, std::string_view leaf, std::string& place) {
    if (!name.ends_with(leaf)) return false;
    place = name.substr(0, name.size() - leaf.size());
    return place.empty() || place.ends_with('.');
  }
  std::uint64_t layers(const std::string& front, const std::string& behind) const {
    std::uint64_t count = 0;
    while (shapes_.count(front + number(count) + behind)) ++count;
    return count;
  }

  // PyTorch stores the gates one below the other: 4 of an LSTM, 3 of a GRU, 1 of a plain cell.
  bool recurrent(const std::string& name, TorchLayout& layout) const {
    std::string place;
    if (!split(name, "weight_ih_l0", place)) return false;
    const auto *input = find(name, 2), *state = find(place + "weight_hh_l0", 2);
    if (!input || !state || (*state)[0] != (*input)[0]) return false;
    const bool projects = find(place + "weight_hr_l0", 2);
    const std::uint64_t gates = projects ? 4 : (*state)[1] == 0 ? 0 : (*state)[0] / (*state)[1];
    if (gates != 4 && gates != 3 && gates != 1) return false;
    const std::uint64_t count = layers(place + "weight_ih_l", "");
    layout = {place,
              gates == 4   ? "nn.LSTM"
              : gates == 3 ? "nn.GRU"
                           : "nn.RNN",
              number((*input)[1]) + " -> " + number((*input)[0] / gates) + ", " + counted(count, "layer"), ""};
    if (shapes_.count(place + "weight_ih_l0_reverse")) layout.details += ", both directions";
    if (!shapes_.count(place + "bias_ih_l0")) layout.details += ", no biases";
    if (projects) layout.details += ", proj_size " + number((*state)[1]) + ", which is none of our cells";
    if (gates == 1) layout.asks = "whether its activation is tanh or relu";
    return true;
  }

  bool attention(const std::string& name, TorchLayout& layout) const {
    std::string place;
    const bool joined = split(name, "in_proj_weight", place);
    if (!joined && !split(name, "q_proj_weight", place)) return false;
    const auto* out = find(place + "out_proj.weight", 2);
    if (!out || !find(name, 2)) return false;
    layout = {place, "nn.MultiheadAttention", number((*out)[1]) + " wide", "the number of heads"};
    const auto *keys = find(place + "k_proj_weight", 2), *values = find(place + "v_proj_weight", 2);
    if (keys && values) layout.details += ", keys of " + number((*keys)[1]) + ", values of " + number((*values)[1]);
    return true;
  }

  // "layers.0.self_attn.in_proj_weight", on its own or as one of two sides.
  bool transformer(const std::string& name, TorchLayout& layout) const {
    std::string place;
    if (!split(name, "layers.0.self_attn.in_proj_weight", place)) return false;
    const auto *width = find(name, 2), *units = find(place + "layers.0.linear1.weight", 2);
    if (!width || !units) return false;
    const auto side = [&](const std::string& at) {
      return counted(layers(at + "layers.", ".self_attn.in_proj_weight"), "layer");
    };
    const std::string sizes = number((*width)[1]) + " wide, " + number((*units)[0]) + " in between";
    layout.asks = "the number of heads, whether the norms stand before or after, and the activation";
    const bool is_encoder = place.ends_with("encoder."),
               is_decoder = find(place + "layers.0.multihead_attn.in_proj_weight", 2);
    const std::string front = is_encoder ? place.substr(0, place.size() - 8) : place;
    if (is_encoder && find(front + "decoder.layers.0.multihead_attn.in_proj_weight", 2)) {
      layout.place = front;
      layout.module = "nn.Transformer";
      layout.details = sizes + ", " + side(place) + " and " + side(front + "decoder.");
      return true;
    }
    layout.place = place;
    layout.module = is_decoder ? "nn.TransformerDecoder" : "nn.TransformerEncoder";
    layout.details = sizes + ", " + side(place) + (shapes_.count(place + "norm.weight") ? ", a norm behind them" : "");
    return true;
  }

  Shapes shapes_;
};

}  // namespace

std::vector<TorchLayout> torch_layouts(const TensorFile& file) {
  const LayoutFinder finder(file);
  std::vector<TorchLayout> all;
  for (const TensorEntry& entry : file.tensors()) {
    const bool within = std::any_of(all.begin(), all.end(), [&](const TorchLayout& known) {
      return known.module != "nn.LSTM" && known.module != "nn.GRU" && known.module != "nn.RNN" &&
             entry.name.starts_with(known.place);
    });
    TorchLayout layout;
    if (!within && finder.take(entry.name, layout)) all.push_back(std::move(layout));
  }
  for (TorchLayout& layout : all)
    if (layout.place.ends_with('.')) layout.place.pop_back();
  return all;
}

std::string layout_text(const TorchLayout& layout) {
  return (layout.place.empty() ? "the file" : layout.place) + " is " + layout.module + ", " + layout.details +
         (layout.asks.empty() ? "" : "; no file says " + layout.asks);
}

}  // namespace headlight
