#include "model/io/formats/mapping/mapping_recurrent.h"

#include <algorithm>
#include <set>

#include "model/core/ascii.h"
#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "model/io/torch_layouts.h"

namespace headlight {

namespace {

bool says(const std::string& name, std::initializer_list<const char*> words) {
  const std::string text = lower_ascii(name);
  return std::ranges::any_of(words, [&](const char* word) { return text.find(word) != text.npos; });
}

struct TorchCell {
  std::string place, module, ours;  // "encoder.rnn", "nn.GRU", "gru"
  Index input = 0, hidden = 0, layers = 0;
  bool both = false;
  Index width() const { return both ? 2 * hidden : hidden; }
};

struct TorchMatrix {
  std::string name;
  Index rows = 0, columns = 0;
};

class Recurrent {
 public:
  explicit Recurrent(const TensorFile& tensors) : tensors_(tensors) {
    std::vector<TorchCell> cells;
    for (const TorchLayout& layout : torch_layouts(tensors))
      if (layout.module == "nn.GRU" || layout.module == "nn.LSTM" || layout.module == "nn.RNN")
        cells.push_back(cell(layout));
    if (cells.size() != 2) return;
    const bool swapped = says(cells[0].place, {"dec", "tgt", "trg"}) || says(cells[1].place, {"enc", "src"});
    encoder = cells[swapped ? 1 : 0];
    decoder = cells[swapped ? 0 : 1];
    for (const TensorEntry& entry : tensors.tensors()) {
      if (entry.shape.size() != 2 || within(entry.name, encoder) || within(entry.name, decoder)) continue;
      const TorchMatrix matrix{entry.name, static_cast<Index>(entry.shape[0]), static_cast<Index>(entry.shape[1])};
      if (!says(entry.name, {"emb"}))
        others.push_back(matrix);
      else if (says(entry.name, {"dec", "tgt", "trg", "out"}) || !source.name.empty())
        target = matrix;
      else
        source = matrix;
    }
    found = !source.name.empty() && !target.name.empty();
  }

  bool has(const std::string& name) const {
    return std::ranges::any_of(tensors_.tensors(), [&](const TensorEntry& each) { return each.name == name; });
  }
  // Matrices [rows x columns] that are no tables and no cells; 0 stands for any number.
  std::vector<TorchMatrix> matrices(Index rows, Index columns) const {
    std::vector<TorchMatrix> all;
    for (const TorchMatrix& each : others)
      if ((rows == 0 || each.rows == rows) && (columns == 0 || each.columns == columns)) all.push_back(each);
    return all;
  }

  TorchCell encoder, decoder;
  TorchMatrix source, target;
  std::vector<TorchMatrix> others;
  bool found = false;

 private:
  static std::string front(const TorchCell& cell) { return cell.place.empty() ? std::string() : cell.place + "."; }
  static bool within(const std::string& name, const TorchCell& cell) {
    return name.starts_with(front(cell) + "weight_") || name.starts_with(front(cell) + "bias_");
  }
  const TensorEntry* entry(const std::string& name) const {
    const auto at = std::ranges::find(tensors_.tensors(), name, &TensorEntry::name);
    return at == tensors_.tensors().end() ? nullptr : &*at;
  }
  TorchCell cell(const TorchLayout& layout) const {
    TorchCell made;
    made.place = layout.place;
    made.module = layout.module;
    made.ours = layout.module == "nn.GRU" ? "gru" : layout.module == "nn.LSTM" ? "lstm" : "rnn";
    const TensorEntry *input = entry(front(made) + "weight_ih_l0"), *state = entry(front(made) + "weight_hh_l0");
    made.input = static_cast<Index>(input->shape[1]);
    made.hidden = static_cast<Index>(state->shape[1]);
    while (entry(front(made) + "weight_ih_l" + std::to_string(made.layers))) ++made.layers;
    made.both = entry(front(made) + "weight_ih_l0_reverse") != nullptr;
    return made;
  }

  const TensorFile& tensors_;
};

// Parts that stand side by side in a matrix, in an order that only its owner knows.
struct Part {
  const char* name;
  Index size;
};
using Range = std::pair<Index, Index>;

// The columns of each part; asks for the order, the usual one first.
std::map<std::string, Range> in_order(const std::vector<Part>& usual, const char* what, const MappingAnswers& answers,
                                      std::vector<MappingQuestion>& questions) {
  MappingQuestion question;
  question.ours = what;
  std::vector<std::size_t> order(usual.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::map<std::string, std::vector<std::size_t>> orders;
  do {
    std::string text;
    for (const std::size_t i : order) text += (text.empty() ? "" : ", ") + std::string(usual[i].name);
    question.theirs.push_back(text);
    orders[text] = order;
  } while (std::next_permutation(order.begin(), order.end()));
  const auto chosen = answers.chosen.find(question.ours);
  const bool known = chosen != answers.chosen.end() && orders.count(chosen->second);
  question.chosen = known ? chosen->second : question.theirs.front();
  std::map<std::string, Range> ranges;
  Index at = 0;
  for (const std::size_t i : orders[question.chosen]) {
    ranges[usual[i].name] = {at, at + usual[i].size};
    at += usual[i].size;
  }
  if (usual.size() > 1) questions.push_back(std::move(question));
  return ranges;
}

Json columns(const std::string& name, Range range) { return {{"columns", {name, range.first, range.second}}}; }
Json pair(Range range) { return Json::array({Json::array({range.first, range.second})}); }

[[noreturn]] void fail(const std::string& what) { throw FormatError("recurrent layers: " + what); }

std::string shape_of(Index rows, Index columns) {
  return "[" + std::to_string(rows) + " x " + std::to_string(columns) + "]";
}

// The rules of a cell; `place` is ours.
void add_cell(Json& modules, const std::string& place, const TorchCell& cell, const Json& ranges) {
  for (Index direction = 0; direction < (cell.both ? 2 : 1); ++direction) {
    const bool layers = cell.layers > 1;
    Json rule{{"module", cell.module},
              {"from", cell.place},
              {"suffix", std::string(layers ? "_l#" : "_l0") + (direction == 1 ? "_reverse" : "")}};
    if (!ranges.empty()) rule["columns"] = ranges;
    modules[place + (layers ? ".layer[#]" : "") + (!cell.both ? "" : direction == 0 ? ".fwd" : ".bwd")] = rule;
  }
}

const char *const kEmbedding = "embedding", *const kState = "state", *const kContext = "context";

// The output layer, which reads `parts`: one of the matrices with a row for each token of the target.
TorchMatrix output_layer(const Recurrent& file, const std::vector<std::vector<Part>>& choices, std::size_t& chosen) {
  for (std::size_t i = 0; i < choices.size(); ++i) {
    Index size = 0;
    for (const Part& part : choices[i]) size += part.size;
    const auto fitting = file.matrices(file.target.rows, size);
    if (fitting.empty()) continue;
    chosen = i;
    const auto named = std::ranges::find_if(fitting, [](const TorchMatrix& each) {
      return says(each.name, {"out", "fc"});
    });
    return named == fitting.end() ? fitting.front() : *named;
  }
  fail("no output layer with a row for each of the " + std::to_string(file.target.rows) +
       " tokens reads what the decoder of one of our models gives it");
}

std::string bias_of(const Recurrent& file, const std::string& weight) {
  const std::string bias = weight.substr(0, weight.rfind("weight")) + "bias";
  return weight.ends_with("weight") && file.has(bias) ? bias : std::string();
}
void add_bias(Json& tensors, const Recurrent& file, const std::string& ours, const std::string& weight) {
  const std::string bias = bias_of(file, weight);
  tensors[ours] = bias.empty() ? Json{{"fill", 0}} : Json(bias);
}

}  // namespace

bool is_recurrent(const TensorFile& tensors) { return Recurrent(tensors).found; }

Json recurrent_mapping(const TensorFile& tensors, const MappingAnswers& answers,
                       std::vector<MappingQuestion>& questions) {
  const Recurrent file(tensors);
  if (!file.found) fail("expected one of an encoder and one of a decoder, and a table of embeddings for each");
  const TorchCell &encoder = file.encoder, &decoder = file.decoder;
  const Index e = file.source.columns, h = decoder.hidden, a = encoder.width();
  if (encoder.module != decoder.module)
    fail("the encoder is " + encoder.module + " and the decoder " + decoder.module + ": both have to be the same");
  if (encoder.input != e) fail("the encoder reads " + std::to_string(encoder.input) + " numbers, not an embedding");
  if (file.target.columns != e) fail("the embeddings of source and target are not of one width");
  if (encoder.hidden != h) fail("the states of encoder and decoder are not of one width");
  const bool sees = decoder.input == e + a;  // something of the encoder at every step
  if (!sees && decoder.input != e)
    fail("the decoder reads " + std::to_string(decoder.input) + " numbers; expected an embedding of " +
         std::to_string(e) + ", alone or with " + std::to_string(a) + " of the encoder");
  Json model{{"cell", encoder.ours == "gru" ? "gru_reset_after" : encoder.ours},
             {"embedding_size", e},
             {"hidden_size", h},
             {"layers", encoder.layers},
             {"reverse_source", false}};
  Json modules = Json::object(), rules{{"encoder.embed.W", file.source.name}, {"decoder.embed.W", file.target.name}},
       ranges = Json::object();
  std::string type;
  const std::string wx = encoder.ours + ".Wx";
  std::size_t choice = 0;
  // Additive attention: one matrix that reads both, or one for each, and one vector.
  const auto both = file.matrices(0, h + a), of_state = file.matrices(0, h), of_source = file.matrices(0, a);
  const auto attends = [](const std::vector<TorchMatrix>& list) {
    const auto at = std::ranges::find_if(list, [](const TorchMatrix& m) {
      return says(m.name, {"att", "align", "w_a", "u_a"});
    });
    return at == list.end() ? nullptr : &*at;
  };
  const TorchMatrix* joined = attends(both);
  if (sees && encoder.both) {
    type = "bahdanau_m30k";
    if (decoder.layers != 1) fail("the decoder with attention has one layer in our models");
    const auto reads =
        in_order({{kEmbedding, e}, {kContext, a}}, "what the decoder reads at each step", answers, questions);
    ranges = {{wx, pair(reads.at(kEmbedding))}, {"context.C", pair(reads.at(kContext))}};
    Index size = 0;
    std::set<std::string> of_attention;
    std::string bias;
    if (joined) {
      size = joined->rows;
      const auto parts = in_order({{kState, h}, {kContext, a}}, "what the attention compares", answers, questions);
      rules["attention.W_a"] = {{"transpose", columns(joined->name, parts.at(kState))}};
      rules["attention.U_a"] = {{"transpose", columns(joined->name, parts.at(kContext))}};
      bias = bias_of(file, joined->name);
      of_attention.insert(joined->name);
    } else {
      const TorchMatrix *state = attends(of_state), *source = attends(of_source);
      if (!state || !source || state->rows != source->rows)
        fail("no attention compares states of " + std::to_string(h) + " with " + std::to_string(a) + " of the encoder");
      size = state->rows;
      rules["attention.W_a"] = {{"transpose", state->name}};
      rules["attention.U_a"] = {{"transpose", source->name}};
      const std::string first = bias_of(file, state->name), second = bias_of(file, source->name);
      bias = first.empty() ? second : first;
      if (!first.empty() && !second.empty()) {
        rules["attention.b_a"] = {{"sum", {first, second}}};
        bias.clear();
        model["attention.bias"] = "hidden";
      }
      of_attention.insert({state->name, source->name});
    }
    model["attention.score"] = "additive";
    model["attention.hidden_size"] = size;
    if (!bias.empty()) rules["attention.b_a"] = bias;
    if (!model.contains("attention.bias")) model["attention.bias"] = bias.empty() ? "none" : "hidden";
    std::vector<TorchMatrix> vectors = file.matrices(1, size);
    if (vectors.empty()) fail("no vector of " + std::to_string(size) + " numbers weighs what the attention compares");
    rules["attention.v_a"] = {{"flatten", vectors.front().name}};
    // The state that the decoder begins with.
    const auto starts = file.matrices(h, 2 * encoder.hidden);
    const auto start = std::ranges::find_if(starts, [&](const TorchMatrix& m) { return !of_attention.count(m.name); });
    if (start == starts.end())
      fail("no matrix " + shape_of(h, 2 * encoder.hidden) + " makes the decoder's first state of the encoder's last");
    rules["decoder.init.W_s"] = {{"transpose", start->name}};
    add_bias(rules, file, "decoder.init.b_s", start->name);
    const std::vector<Part> read = {{kState, h}, {kContext, a}, {kEmbedding, e}};
    const TorchMatrix out = output_layer(file, {read}, choice);
    const auto parts = in_order(read, "what the output layer reads", answers, questions);
    rules["decoder.output.W_o"] = {{"transpose",
                                    {{"concat",
                                      {columns(out.name, parts.at(kState)), columns(out.name, parts.at(kContext)),
                                       columns(out.name, parts.at(kEmbedding))}}}}};
    add_bias(rules, file, "decoder.output.b", out.name);
  } else {
    if (encoder.both) fail("an encoder that reads in both directions needs an attention in our models");
    if (joined) fail("an attention over an encoder that reads in one direction is not one of our models");
    if (encoder.layers != decoder.layers) fail("encoder and decoder have not as many layers");
    type = sees ? "seq2seq_peeky" : "seq2seq";
    if (encoder.ours == "lstm") model["pass_cell"] = true;
    if (sees) {
      if (encoder.layers != 1) fail("a vector that is shown at every step comes with one layer in this wizard");
      const auto reads =
          in_order({{kEmbedding, e}, {kContext, a}}, "what the decoder reads at each step", answers, questions);
      const auto range = [&](const char* part) { return Json{reads.at(part).first, reads.at(part).second}; };
      ranges = {{wx, {range(kContext), range(kEmbedding)}}};
    }
    std::vector<std::vector<Part>> choices = {{{kState, h}}};
    if (sees) choices = {{{kEmbedding, e}, {kState, h}, {kContext, a}}, {{kState, h}, {kContext, a}}};
    const TorchMatrix out = output_layer(file, choices, choice);
    if (sees) {
      const auto parts = in_order(choices[choice], "what the output layer reads", answers, questions);
      Json beside = {columns(out.name, parts.at(kContext)), columns(out.name, parts.at(kState))};
      if (choice == 0) beside.push_back(columns(out.name, parts.at(kEmbedding)));
      model["embedding_in_readout"] = choice == 0;
      rules["decoder.affine.W"] = {{"transpose", {{"concat", beside}}}};
    } else {
      rules["decoder.affine.W"] = {{"transpose", out.name}};
    }
    add_bias(rules, file, "decoder.affine.b", out.name);
  }
  if (encoder.both) model["bidirectional"] = "all";
  add_cell(modules, "encoder", encoder, Json::object());
  add_cell(modules, "decoder", decoder, ranges);
  return {{"format", "headlight-mapping-1"},
          {"model_type", type},
          {"model", model},
          {"modules", modules},
          {"tensors", rules}};
}

}  // namespace headlight
