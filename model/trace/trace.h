// Traces: everything that one run computed, by name and in order. Immutable, shared, and without the model.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/core/cancel.h"
#include "model/core/graph.h"
#include "model/core/slots.h"
#include "model/core/tensor.h"
#include "model/trace/intervention.h"
#include "model/trace/site.h"
#include "model/trace/tap.h"

namespace headlight {

struct TraceEntry {
  Site site;
  Tensor value;         // batch axis dropped; shares storage with the run's tensors
  bool edited = false;  // an intervention changed it
  double seconds = 0;   // since the start of the run
};

struct NamedTensor {
  std::string name;
  Tensor value;
};

// Numbers that lie one behind the other in a value of a trace.
struct TraceRange {
  int entry = -1;
  Index first = 0, count = 0;
};

// Where a cell is found by a name. A cell is known by the address of its value, so that views and aliases of a tensor
// lead to one name.
struct Location {
  enum class Kind { activation, parameter, unnamed };
  Kind kind = Kind::unnamed;
  int entry = -1;    // activation: index into the trace
  std::string name;  // site or parameter name; the operation's id for an unnamed intermediate
  Shape shape;
  Index index = 0;           // flat index within that tensor
  std::string text() const;  // "encoder.step[2].lstm.h[17]"
};

class Trace {
 public:
  int size() const { return static_cast<int>(entries_.size()); }
  const TraceEntry& operator[](int i) const { return entries_[static_cast<std::size_t>(i)]; }
  const std::vector<TraceEntry>& entries() const { return entries_; }
  // Index of the entry with this site text, or -1.
  int find(const std::string& site) const;
  // The value at a site, also of one head of all ("…head[2].weights" of "…head.weights"), or an undefined tensor.
  Tensor value(const std::string& site) const;

  // Parameters of the model that ran, by reference.
  const std::vector<NamedTensor>& parameters() const { return parameters_; }
  Location locate(const Cell& cell) const;

  // The arithmetic behind a cell: terms whose cells have names, or were leaves. Intermediates without a name are opened
  // on the way where the arithmetic is a plain sum. Throws UsageError when the run kept no graph.
  Explanation explain(const Cell& cell) const;
  Explanation explain(int entry, Index index) const {
    return explain(Cell{entries_[static_cast<std::size_t>(entry)].value, index});
  }
  // The entries that an entry was computed from, through whatever has no name, in the order of computation; empty
  // without a graph.
  std::vector<int> inputs(int entry) const;
  // The derivative of cells (flat indices) of one entry by another: [cells x values of `by`]; 0 where none leads there.
  // Throws UsageError without a graph, and Cancelled.
  Tensor derivative(int of, const std::vector<Index>& cells, int by, const CancelToken& cancel = {}) const;
  // The length (Frobenius norm) of the derivative of these numbers by each of the others, all from the same walks back:
  // one for each number of `of`. 0 where none leads there. Throws as above.
  std::vector<double> gradient_lengths(const TraceRange& of, const std::vector<TraceRange>& by,
                                       const CancelToken& cancel = {}) const;
  bool has_graph() const { return graph_ != nullptr; }
  // What the entry was computed by; null for inputs.
  const Op* operation(int entry) const;

 private:
  friend class Recorder;
  void add(TraceEntry entry);
  int first_sharing(const Tensor& tensor) const;  // the first entry with the storage of a tensor, or -1
  // Calls use(entry) for all entries with that storage, in their order.
  template <class Use>
  void each_sharing(const Tensor& tensor, const Use& use) const {
    for (int i = first_sharing(tensor); i >= 0; i = next_sharing_[static_cast<std::size_t>(i)]) use(i);
  }
  Location named_location(const Cell& cell) const;  // unnamed where neither an entry nor a parameter holds the cell

  std::vector<TraceEntry> entries_;
  std::vector<int> next_sharing_;  // of each entry the next one with its storage, or -1
  std::vector<int> last_sharing_;  // of the first entry with a storage the last one
  std::vector<NamedTensor> parameters_;
  Slots by_site_, by_storage_;  // by_storage_: the first entry with it
  std::unordered_map<const void*, int> parameter_by_storage_;
  std::shared_ptr<const Graph> graph_;  // null when the run kept no graph
};

// What a run should keep.
struct Capture {
  // Patterns of sites without indices, '*' at the end matches any rest ("decoder.step.attention.*"); empty: all.
  std::vector<std::string> sites;
  bool explain = true;  // keep the graph, so that every cell opens into its arithmetic
  bool matches(const std::string& site) const;
};

// The tap listener that makes a trace, applies interventions and looks at the cancel token.
class Recorder : public TapListener {
 public:
  Recorder(Capture capture, std::vector<Intervention> interventions, CancelToken cancel = {});
  ~Recorder() override;

  Tensor visit(const SitePath& place, const char* leaf, Tensor value) override;
  void describe(const SiteWords& words) override;
  bool wants(const SitePath& place, const char* leaf) const override;
  Tap tap() { return Tap(*this); }
  // How far the recording has come, for a run that begins with the same values.
  struct Mark {
    int entries = 0;
    std::size_t nodes = 0;
    double bytes = 0;
  };
  Mark mark() const;
  // What `earlier` had recorded up to `mark` is the beginning of this recording, with its arithmetic. Before the first
  // value; the captures have to be equal, and neither run may have edits that change what was recorded until then.
  void begin_with(const Trace& earlier, const Mark& mark);
  // The run goes on from one that began with the same `rows` rows of its text: what a decoder reads at once is recorded
  // with the rows of that trace in front. Only without explanations, and for sites that `can_resume` with.
  void resume_from(std::shared_ptr<const Trace> trace, Index rows);
  // Whether all that this capture wants of a prompt can be taken over: scores of pairs that are masked cannot.
  static bool can_resume(const Capture& capture);
  // Edits that have changed nothing so far: indices of the interventions.
  std::vector<int> not_reached() const;
  // Ends the recording. Throws UsageError for an intervention whose site never came, and would not come in a longer run
  // of this model either.
  std::shared_ptr<const Trace> finish(std::vector<NamedTensor> parameters);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace headlight
