// Layers of torch.nn that a state dict holds, told by names and shapes alone.
#pragma once

#include <string>
#include <vector>

#include "model/io/tensor_file.h"

namespace headlight {

struct TorchLayout {
  std::string place;    // "decoder.rnn"; empty: the whole file
  std::string module;   // "nn.GRU"
  std::string details;  // "6 -> 8, 2 layers, both directions"
  std::string asks;     // what no file says: "the number of heads"; empty: nothing
};

// nn.LSTM, nn.GRU, nn.RNN, nn.MultiheadAttention, nn.TransformerEncoder, nn.TransformerDecoder and nn.Transformer, in
// the order of the file. Layers within one that is listed are not listed again.
std::vector<TorchLayout> torch_layouts(const TensorFile& file);

// "decoder.rnn is nn.GRU, 22 -> 12"
std::string layout_text(const TorchLayout& layout);

}  // namespace headlight
