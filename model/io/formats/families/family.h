// A row for each family of models: which of our settings its configuration means, which of its tensors are ours, and
// what may stand on top. The rows are data; what they say is done in weights.cpp, top.cpp and pretrained_models.cpp.
#pragma once

#include <string>
#include <vector>

#include "model/io/formats/families/config.h"

namespace headlight::families {

// How a tensor of theirs becomes one of ours: nn.Linear stores [out x in], we [in x out].
enum class How {
  copied,
  transposed,
  flattened,  // [1 x V] -> [V]
  plus_one,   // a norm that stores γ − 1
  first,
  middle,
  last,  // of the columns of several, one behind the other: q ‖ k ‖ v
  first_rows,
  middle_rows,
  last_rows,  // the same in the rows of an nn.Linear, or in its bias
  first_of_heads,
  middle_of_heads,
  last_of_heads,  // the same within the rows of each key head: its queries ‖ its key ‖ its value
  first_of_blocks,
  middle_of_blocks,
  last_of_blocks,  // the same within the rows of four equal blocks
  even_columns,    // every second one
  odd_columns,
  even_rows,  // of an nn.Linear
  odd_rows,
  top_rows,     // of a table that has more
  convolution,  // nn.Conv1d's [out x in x k] -> [(k·in) x out]
};

// How many blocks these are, which were once as many machines.
inline constexpr int kBlocks = 4;

struct Name {
  std::string ours;    // "#" is the number of a layer, "@" that of an expert
  std::string theirs;  // the same; "%" is its number within its group; "*": of several that become rows of one; "X[@]":
                       // a part of a tensor of all experts
  How how = How::copied;
};

// The names of a family. Of several for one of ours, the first that is in the file counts.
class Names {
 public:
  Names& one(std::string ours, std::string theirs, How how = How::copied);
  // nn.Linear: ours "PLACE.W" + part and "PLACE.b" + part.
  Names& linear(const std::string& place, const std::string& part, const std::string& theirs);
  Names& norm(const std::string& ours, const std::string& theirs, How gamma = How::copied);
  // Queries, keys, values and output of an attention.
  Names& attention(const std::string& ours, const std::string& theirs, const std::vector<const char*>& qkvo);
  // The first three of them in one tensor; `first` is how the queries are taken from it.
  Names& fused(const std::string& ours, const std::string& theirs, How first);
  // Two nn.Linear of one width in one, the first and the second of their rows.
  Names& halves(const std::string& place, const std::string& first, const std::string& second,
                const std::string& theirs);
  // The table of embeddings and what the library ties to it: the first that is in the file stands for those that are
  // not.
  Names& tied(const std::vector<std::string>& theirs);
  // What is usually ours.
  const std::string& first(const std::string& ours) const;
  std::vector<Name> all;
};

// A setting that has to have one of these values, for the arithmetic is ours only then; it may be missing.
struct Fixed {
  const char* key;
  std::vector<Json> values;
};

// What stands on top of the last states.
struct Top {
  // end: of the last end mark; late: the mean of what each gives
  enum class Of { first, last, end, pooled, each, mean, late, as_configured };
  enum class Act { none, tanh, relu, gelu, hidden, classifier, pooler };  // the last three: as the configuration says
  const char* kind;  // how the architecture's name ends; "": any, and where none is given
  const char* out;   // nn.Linear that gives the values
  Of of;
  const char* value = "logits";  // what the library calls it; "": start_logits and end_logits
  const char* dense = nullptr;   // nn.Linear in between
  Act act = Act::none;
  const char* norm = nullptr;
  bool flat = false;  // one number for each token
};

struct Family {
  std::vector<std::string> types;     // model_type
  std::vector<std::string> prefixes;  // that stand in front of all names, or do not
  std::vector<std::string> keys;      // of its configuration, understood by `settings`
  std::vector<Fixed> fixed;
  Json (*settings)(const Json& config);  // ours; throws FormatError that names the key
  Names names;
  std::vector<std::string> ignored;  // buffers that the library does not read either, by the end of their names
  std::vector<Top> tops;             // the first that is in the file
  std::string pooler{};              // nn.Linear of the pooled vector
  std::string group_key{};           // key of how many layers stand in a group of those that are numbered together
  std::vector<std::string> poolings{"cls", "mean"};  // of classifier_pooling, the usual one first
  bool further_layers = false;    // layers behind its own, which predict more tokens, are not of the model
  bool starts_with_last = false;  // a decoder that reads the text too, one place later, begins with its last token
};

std::vector<Family> decoders_before_llama();
std::vector<Family> decoders_after_llama();
std::vector<Family> decoders_with_experts();
std::vector<Family> bert_families();
std::vector<Family> encoder_families();
std::vector<Family> gpt_families();
std::vector<Family> llama_families();
std::vector<Family> seq2seq_families();

// Of a Gemma 2, which other families are made of.
Json gemma2_settings(const Json& config);

// The family of a configuration; null: none.
const Family* family_of(const Json& config);
// The architecture that the file names first: "BertForMaskedLM"; empty: none.
std::string architecture_of(const Json& config);
// Keys by their other names as the family has them ("hidden_size" of GPT-2 is its "n_embd").
Json in_own_words(Json config);
// Why a model of this configuration does not run; empty: it does.
std::string why_not(const Json& config);
// The keys that no number depends on, whatever they say.
std::vector<std::string> ignored_keys(const Json& config);

}  // namespace headlight::families
