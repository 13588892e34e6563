// How values flow through a run: a hierarchy of groups made from the names of the sites, with the entries as leaves and
// the edges of Trace::inputs between them. Made from the trace alone, so that every architecture has one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/trace/trace.h"

namespace headlight {

// A group ("encoder", "layer[1]", "self_attn") or, with an entry, a leaf.
struct FlowNode {
  std::string name;  // its segments of the site: "layer[1]", "head[0].read", "weights"
  int parent = -1;
  std::vector<int> children;  // in the order of computation
  int entry = -1;             // leaves: index into the trace
  int first = -1;             // the smallest entry within: the order of computation
  // Groups that are repeated ("step[3]"): the step that is shown, and how many there are.
  Index step = -1, steps = 0;
  bool is_leaf() const { return entry >= 0; }
  bool same_as(const FlowNode& other) const { return name == other.name && parent == other.parent; }
};

// Between leaves.
struct FlowEdge {
  int from = 0, to = 0;
  // What flows comes from another step of a repeated group than the one that is shown (or goes to another one).
  bool other_step = false;
  bool operator==(const FlowEdge&) const = default;
};

// Which step of the repeated groups is shown: a source position and an output step. What does not exist is replaced by
// the nearest.
struct FlowSteps {
  Index encoder = 1, decoder = 1;
  bool operator==(const FlowSteps&) const = default;
};

struct Flow {
  std::vector<FlowNode> nodes;     // [0] is the whole model; parents stand before their children
  std::vector<FlowEdge> edges;     // sorted; to a later entry, or back where a step hands on to the next
  std::vector<int> node_of_entry;  // -1: a step that is not shown
  FlowSteps shown;

  // From the whole down to the node, with both.
  std::vector<int> path(int node) const;
  bool contains(int group, int node) const;  // itself, too
  // The leaf that stands for an entry: its own, or that of the same site in the step that is shown; -1: none.
  int leaf_of(const Trace& trace, int entry) const;
  // The text of the site down to this node, without what only the map adds: "decoder.step[1].lstm".
  std::string place(int node) const;
  // Whether the drawing is the same: groups, leaves and edges by name; entries and steps may be others.
  bool same_shape(const Flow& other) const;
};

// The name of the group that holds what a decoder computes once, before its steps.
inline constexpr std::string_view kOnce = "once";

// Time: one look at each entry, and Trace::inputs of those that are shown or lead into a first step.
Flow flow_of(const Trace& trace, FlowSteps shown = {});

// The encoder (0), the decoder (1), or neither (-1): whose steps a site counts.
int side_of(std::string_view site);
// The same site in another step: "encoder.fwd.step[4].gru.h".
std::string at_step(const std::string& site, Index step);

}  // namespace headlight
