// Layers of torch.nn told by names and shapes: as PyTorch's documentation of each says they are stored.

#include "model/io/formats/format.h"
#include "model/io/npz.h"
#include "model/io/torch_layouts.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_torch_layouts {

using namespace headlight::testing;

namespace {

std::string told(const TensorFile& file) {
  std::string all;
  for (const TorchLayout& layout : torch_layouts(file)) all += (all.empty() ? "" : "\n") + layout_text(layout);
  return all;
}

std::string told(const std::vector<std::pair<std::string, Shape>>& tensors) {
  Folder folder;
  std::vector<NamedTensor> named;
  for (const auto& [name, shape] : tensors) named.push_back({name, Tensor::zeros(shape)});
  write_npz(folder / "a.npz", named, NpyType::f4);
  return told(*open_npz(folder / "a.npz"));
}

}  // namespace

class TestTorchLayouts : public QObject {
  Q_OBJECT

 private slots:
  void cells_are_told_by_their_gates() {
    QCOMPARE(told({{"decoder.rnn.weight_ih_l0", {36, 22}},
                   {"decoder.rnn.weight_hh_l0", {36, 12}},
                   {"decoder.rnn.bias_ih_l0", {36}},
                   {"decoder.rnn.bias_hh_l0", {36}}}),
             std::string("decoder.rnn is nn.GRU, 22 -> 12, 1 layer"));
    QCOMPARE(told({{"weight_ih_l0", {32, 6}},
                   {"weight_hh_l0", {32, 8}},
                   {"weight_ih_l0_reverse", {32, 6}},
                   {"weight_ih_l1", {32, 16}}}),
             std::string("the file is nn.LSTM, 6 -> 8, 2 layers, both directions, no biases"));
    QCOMPARE(told({{"weight_ih_l0", {8, 6}}, {"weight_hh_l0", {8, 8}}, {"bias_ih_l0", {8}}}),
             std::string("the file is nn.RNN, 6 -> 8, 1 layer; no file says whether its activation is tanh or relu"));
    // Two gates are none of them, and shapes that do not fit each other neither.
    QCOMPARE(told({{"weight_ih_l0", {16, 6}}, {"weight_hh_l0", {16, 8}}}), std::string());
    QCOMPARE(told({{"weight_ih_l0", {24, 6}}, {"weight_hh_l0", {32, 8}}}), std::string());
    QCOMPARE(told({{"linear.weight", {3, 3}}}), std::string());
  }

  void attention_and_what_is_made_of_it() {
    QCOMPARE(told({{"attn.in_proj_weight", {48, 16}}, {"attn.out_proj.weight", {16, 16}}}),
             std::string("attn is nn.MultiheadAttention, 16 wide; no file says the number of heads"));
    const std::string asks =
        "; no file says the number of heads, whether the norms stand before or after, and the activation";
    QCOMPARE(told({{"layers.0.self_attn.in_proj_weight", {48, 16}},
                   {"layers.0.self_attn.out_proj.weight", {16, 16}},
                   {"layers.0.linear1.weight", {40, 16}},
                   {"layers.1.self_attn.in_proj_weight", {48, 16}},
                   {"norm.weight", {16}}}),
             "the file is nn.TransformerEncoder, 16 wide, 40 in between, 2 layers, a norm behind them" + asks);
    QCOMPARE(told({{"m.encoder.layers.0.self_attn.in_proj_weight", {48, 16}},
                   {"m.encoder.layers.0.linear1.weight", {40, 16}},
                   {"m.decoder.layers.0.self_attn.in_proj_weight", {48, 16}},
                   {"m.decoder.layers.0.multihead_attn.in_proj_weight", {48, 16}},
                   {"m.decoder.layers.0.linear1.weight", {40, 16}}}),
             "m is nn.Transformer, 16 wide, 40 in between, 1 layer and 1 layer" + asks);
  }

  // Why such a file does not run: layers alone read vectors; where there is a table, a mapping may do the rest.
  void layers_alone_read_no_text() {
    Folder folder;
    std::vector<NamedTensor> named = {{"rnn.weight_ih_l0", Tensor::zeros({24, 8})},
                                      {"rnn.weight_hh_l0", Tensor::zeros({24, 8})}};
    const auto reason = [&] {
      write_npz(folder / "a.npz", named, NpyType::f4);
      return format_of(folder / "a.npz")->contents(folder / "a.npz").reason;
    };
    QCOMPARE(reason(), std::string("it holds nn.GRU alone, which reads vectors: there is no table of embeddings that "
                                   "makes them of a text"));
    named.push_back({"embedding.weight", Tensor::zeros({9, 8})});
    QCOMPARE(reason(), std::string("a file of weights does not say which model they belong to; open the folder that "
                                   "they came in, or say with a mapping which tensor is which"));
  }

  void files_of_pytorch_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("said");
    for (const auto& [file, said] :
         {std::pair("gru", "the file is nn.GRU, 6 -> 8, 1 layer"),
          {"gru-no-bias", "the file is nn.GRU, 6 -> 8, 1 layer, no biases"},
          {"lstm-bidirectional-2", "the file is nn.LSTM, 6 -> 8, 2 layers, both directions"},
          {"lstm-projection", "the file is nn.LSTM, 6 -> 8, 1 layer, proj_size 5, which is none of our cells"},
          {"rnn-2", "the file is nn.RNN, 6 -> 8, 2 layers; no file says whether its activation is tanh or relu"},
          {"multihead", "the file is nn.MultiheadAttention, 16 wide; no file says the number of heads"},
          {"multihead-own-widths",
           "the file is nn.MultiheadAttention, 16 wide, keys of 10, values of 12; no file says the number of heads"},
          {"transformer-encoder-pre-norm",
           "the file is nn.TransformerEncoder, 16 wide, 40 in between, 2 layers, a norm behind them; no file says the "
           "number of heads, whether the norms stand before or after, and the activation"},
          {"transformer",
           "the file is nn.Transformer, 16 wide, 40 in between, 2 layers and 2 layers; no file says the number of "
           "heads, "
           "whether the norms stand before or after, and the activation"}})
      QTest::newRow(file) << file << said;
  }
  void files_of_pytorch() {
    SKIP_WITHOUT_MATERIAL();
    QFETCH(QString, file);
    QFETCH(QString, said);
    const fs::path path = made_elsewhere() / "pytorch" / (file.toStdString() + ".pt");
    QCOMPARE(QString::fromStdString(told(*format_of(path)->contents(path).tensors)), said);
  }
};

HEADLIGHT_CORE_TEST(TestTorchLayouts)

}  // namespace headlight::test_torch_layouts

#include "test_torch_layouts.moc"
