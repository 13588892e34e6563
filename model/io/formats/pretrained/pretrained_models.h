// Models of other libraries in terms of ours: a row a family says which of our settings its configuration means, and
// which of its tensors are ours.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/core/cancel.h"
#include "model/decode/writing.h"
#include "model/io/tensor_file.h"
#include "model/models/bundle.h"
#include "model/trace/trace.h"

namespace headlight {

class Adapter;

// What the library calls the values of a run of one text: "hidden_states.0" [T x d], "attentions.0" [H x T x T],
// "last_hidden_state", "pooler_output", "logits", ...; in float32.
using LibraryValues = std::vector<NamedTensor>;

class PretrainedModel {
 public:
  virtual ~PretrainedModel() = default;
  // Ids of the tokens, and of the kinds of sentences (empty: all 0). Throws UsageError for ids that the model has not,
  // and for a text that is longer than its positions. `target_ids`: what the decoder behind an encoder reads (empty:
  // its start sign).
  virtual LibraryValues run(const std::vector<TokenId>& ids, const std::vector<TokenId>& type_ids,
                            const std::vector<TokenId>& target_ids, const CancelToken& cancel) const = 0;
  // The same run under other names: ours, every value in the order of computation ("encoder.layer[0].self_attn.out"),
  // or those of TransformerLens ("blocks.0.hook_attn_out").
  enum class NamedBy { headlight, transformer_lens };
  virtual LibraryValues values(NamedBy names, const std::vector<TokenId>& ids, const std::vector<TokenId>& type_ids,
                               const std::vector<TokenId>& target_ids, const CancelToken& cancel) const = 0;
  // What stands in front of what it writes: the text itself, or the start sign of a decoder behind an encoder.
  virtual std::vector<TokenId> beginning(const std::vector<TokenId>& ids) const = 0;
  struct Continuation {
    std::vector<TokenId> ids;
    bool not_numbers = false;  // it ends where logits are NaN or infinite: the largest of them means nothing
  };
  // The most probable token that generation_config.json allows, again and again: up to `count`, the end mark included.
  // Throws UsageError for models that do not write.
  // `rules`: keys of generation_config.json over the file's, or null.
  Continuation continued(const std::vector<TokenId>& ids, int count, const CancelToken& cancel,
                         const Json* rules = nullptr) const;
  // As generate() of the library writes on, by generation_config.json with `settings` over it; `task` says how
  // (its prompt, encoder and most are the model's). Throws UsageError and FormatError, "WHERE: ..." for the settings.
  virtual WrittenTexts written(const std::vector<TokenId>& ids, const Json& settings, const std::string& where,
                               WritingTask task) const = 0;
  // Whether an adapter lies over it; and then the same with so much of it, 0 none and 1 all.
  virtual bool is_adapted() const = 0;
  virtual std::shared_ptr<const PretrainedModel> at_strength(double strength) const = 0;
  // How long a text may be; 0: as long as it likes.
  virtual Index positions() const = 0;
  virtual ModelTraits::Kind kind() const = 0;
  // Its settings, and the type of most numbers of its file.
  virtual const Json& settings() const = 0;
  virtual const std::string& number_type() const = 0;
  // How many kinds of sentences it tells apart; 0: none.
  virtual Index token_types() const = 0;
  // What a person has to know of its weights: a sentence each.
  virtual const std::vector<std::string>& notes() const = 0;
  // How many tokens it reads, and, of a decoder behind an encoder, how many that one does.
  virtual Index vocabulary() const = 0;
  virtual Index target_vocabulary() const = 0;
  // What the program runs on texts: fills in the model, what stands on top of it, how it chooses what it writes, and
  // the rules of the text that its configuration gives; the vocabularies are there. `description` gets what it can do.
  virtual void fill(ModelBundle& bundle, const std::vector<std::string>& tokens,
                    std::shared_ptr<const OtherTokenizer> source,
                    std::shared_ptr<const OtherTokenizer> target) const = 0;
};

// Why a model of this configuration does not run: a sentence that names model_type or the setting; empty: it does.
std::string why_not(const Json& config);
// The same with generation_config.json, or null, and the tensors that are there: no more is read than it takes to tell.
// `notes` become PretrainedModel::notes().
std::string why_not(const Json& config, const Json& generation, const TensorFile& tensors,
                    std::vector<std::string>& notes);
// The keys of a configuration that no number depends on.
std::vector<std::string> ignored_keys(const Json& config);
// Those of the folder's configuration; none where it has none.
std::vector<std::string> ignored_keys_of(const std::filesystem::path& folder);

// Throws FormatError "WHERE: ..." for what why_not() says, and for tensors that are missing, too many, or of another
// shape. `generation` is generation_config.json, or null; `adapter` lies over the model, or is null.
std::shared_ptr<const PretrainedModel> build_pretrained(const Json& config, const Json& generation,
                                                        const TensorFile& tensors, const std::string& where,
                                                        const CancelToken& cancel = {},
                                                        const Adapter* adapter = nullptr);

// The model of a folder of save_pretrained, of an entry of a hub's cache, of a GGUF file, or of one of these with an
// adapter over it (adapters/adapter.h).
std::shared_ptr<const PretrainedModel> open_pretrained(const std::filesystem::path& folder,
                                                       const CancelToken& cancel = {});

}  // namespace headlight
