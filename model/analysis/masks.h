// Which token may look at which: what a run's masks leave open, and the edits that open and hide.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/analysis/attention_maps.h"
#include "model/trace/edit_index.h"

namespace headlight {

// Edits to make and edits to take back, as one change.
struct EditChange {
  std::vector<Intervention> added, withdrawn;
  bool empty() const { return added.empty() && withdrawn.empty(); }
  void join(EditChange other);
};

// The masks of one kind of attention, of all layers that have it; rows and columns are those of its maps. Where a model
// has a mask it is edited itself; else a score of −∞ hides a token, and what is hidden by that can only be taken back.
class AttentionMask {
 public:
  static constexpr Index kAllLayers = -2;
  enum class State { absent, open, hidden };

  // One for each kind of attention that can be masked.
  static std::vector<AttentionMask> of(const Result& result, std::vector<AttentionMap> maps);  // of attention_maps()
  static std::vector<AttentionMask> of(const Result& result) { return of(result, attention_maps(result)); }

  AttentionMap::Kind kind() const { return maps_.front().kind; }
  const AttentionMap& map() const { return maps_.front(); }  // for what stands on its axes
  std::vector<Index> layers() const;

  // With kAllLayers: hidden is what all layers hide.
  State state(Index layer, Index row, Index column) const;
  bool is_edited(Index layer, Index row, Index column) const;

  // Edits that open or hide a cell, a row or a column ("no step may see this token"). Empty where nothing would change.
  EditChange set(Index layer, Index row, Index column, bool open) const;
  EditChange set_row(Index layer, Index row, bool open) const;
  EditChange set_column(Index layer, Index column, bool open) const;
  // Hides what is outside a band, in place of an earlier band; it goes with the text as that grows.
  EditChange set_band(Index layer, Intervention::Band band) const;
  EditChange as_trained(Index layer) const;

 private:
  // The mask of one row of a map.
  struct Row {
    std::string site;
    Tensor value, window;            // window: which keys the reach of a recurrent model leaves [keys]; undefined: all
    std::vector<std::size_t> edits;  // of this row
    std::vector<bool> edited;        // by one of them [keys]
    Index first = 0, keys = 0;
    Index number = 0;  // for bands
    Index in_matrix = 0;
    bool whole = false;  // a row of a matrix, not a step
    bool scores = false;
    bool is_open(Index key) const;
  };
  struct Edits {
    std::vector<Intervention> all;
    EditIndex index;
  };
  explicit AttentionMask(std::shared_ptr<const Edits> edits) : edits_(std::move(edits)) {}
  bool take(AttentionMap map, const Trace& trace);
  void take_edits(std::span<Row> rows) const;  // of one site
  const Row& row(std::size_t map, Index at) const { return rows_[map][static_cast<std::size_t>(at)]; }
  // Calls f(map index) for the layer, or for all.
  template <class F>
  void each_map(Index layer, F f) const;
  std::vector<Intervention> covering(Index layer, Index row, Index column) const;  // −1: any
  std::vector<Intervention> chosen(const std::vector<bool>& marked) const;
  // The edit that stands for it, or taking back what stands against it.
  EditChange change(Intervention wanted, Index layer, Index row, Index column, bool open, bool scores) const;
  std::vector<std::string> sites(Index layer) const;

  std::vector<AttentionMap> maps_;
  std::vector<std::vector<Row>> rows_;  // by map, then row
  std::shared_ptr<const Edits> edits_;  // those of the result
};

// Sets the embedding of a source token to 0, as if nothing stood there; nothing where the token is not read.
std::optional<Intervention> blank_token(const Result& result, int token);
// No token and no step may look at this source token any more; or (open) they may again.
EditChange hide_token(const Result& result, int token, bool open = false);

// Edits that switch a head off (its output becomes 0), wherever it is computed. Layer and head as in the maps of that
// kind.
std::vector<Intervention> head_off(const Result& result, AttentionMap::Kind kind, Index layer, Index head);
bool is_head_off(const Result& result, AttentionMap::Kind kind, Index layer, Index head);
// Of the heads of a map of this result; false where nothing is known of them: of whole words, or without heads.
bool is_head_off(const Result& result, const AttentionMap& map, Index head);
// Edits that make the keys (or values) of a key and value head 0, which all heads of its group share.
std::vector<Intervention> group_off(const Result& result, const AttentionMap& map, Index group, bool values);
// Edits after which a head looks at everything that it may look at with the same weight. A model without heads has one.
std::vector<Intervention> head_even(const Result& result, AttentionMap::Kind kind, Index layer, Index head);

}  // namespace headlight
