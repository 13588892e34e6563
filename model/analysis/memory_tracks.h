// The memory of a Neural Turing Machine along its time: what it holds, and where its heads are and why (Graves et al.
// 2014, section 3).
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

// A step of the machine: it reads a token, then the delimiter, then it writes.
struct MemoryStep {
  enum class Kind { reads, delimiter, writes };
  Kind kind = Kind::reads;
  std::string text;   // the token that it read or wrote
  int token = -1;     // index into Result::tokens
  int step = -1;      // of the output
  std::string place;  // "encoder.step[3]"
};

struct MemoryHeadName {
  Index pair = 0;
  bool writes = false;
  bool operator==(const MemoryHeadName&) const = default;
};

// A value and where it stands in the trace; entry -1: a parameter, or not recorded.
struct MemoryValue {
  Tensor value;
  int entry = -1;
};

// How a head came to its place at one step: the four stages of the addressing, and what steers each (eq. 5 to 9).
// Weightings are [N_m].
struct MemoryAddressing {
  MemoryValue key;  // [W]
  double beta = 0, gate = 0, gamma = 0;
  std::array<double, 3> shift{};  // back, stay, on
  MemoryValue before;             // the weighting of the step before
  MemoryValue similarity, content, gated, shifted, weighting;
};

class MemoryRun {
 public:
  // Empty (no steps) for models without a memory, and for traces that lack a part of it.
  explicit MemoryRun(const Result& result);
  MemoryRun() = default;
  static bool in(const Result& result);

  bool empty() const { return steps_.empty(); }
  const std::vector<MemoryStep>& steps() const { return steps_; }
  int step_count() const { return static_cast<int>(steps_.size()); }
  Index slot_count() const { return slots_; }
  Index width() const { return width_; }
  Index pairs() const { return pairs_; }
  // Read and write head of each pair, in the order in which they work.
  std::vector<MemoryHeadName> heads() const;

  // [N_m x W], after the step (of the last pair); step -1: before the first.
  MemoryValue memory(int step) const;
  MemoryValue weighting(MemoryHeadName head, int step) const;  // [N_m]; step -1: where it starts
  MemoryValue erase(Index pair, int step) const;               // [W]
  MemoryValue add(Index pair, int step) const;                 // [W]
  MemoryValue read(Index pair, int step) const;                // [W], what came back
  MemoryAddressing addressing(MemoryHeadName head, int step) const;
  // The step that an entry of the trace belongs to, -1: none.
  int step_of(int entry) const;
  // The place of an output step or a source token among the steps, -1: none.
  int step_at(int token, int output) const;

 private:
  bool is_whole() const;
  std::string site(MemoryHeadName head, int step, const char* leaf) const;
  MemoryValue at(const std::string& name) const;
  double number(const std::string& name) const;

  std::shared_ptr<const Trace> trace_;
  std::vector<MemoryStep> steps_;
  Index slots_ = 0, width_ = 0, pairs_ = 0;
};

// The slots that a run made use of: those where any head had at least this weight at any step, and those with a number
// that is at least so far from where it began at the end. The others stay as they were.
std::vector<int> used_slots(const MemoryRun& run, double least = 0.05);

// By slot, the step at which the reading head of a pair last had at least half of its weight there while it wrote the
// output; -1: never.
std::vector<int> looked_up_at(const MemoryRun& run, Index pair);

// Whether any slot that the writing head of a pair changed while it wrote the output (with at least half of its weight)
// was read afterwards (with at least .1).
bool reads_what_it_writes_last(const MemoryRun& run, Index pair);

}  // namespace headlight
