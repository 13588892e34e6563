#include "model/analysis/flow.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace headlight {

namespace {

// Parts of a name that say what a value is, and do not hold several operations of their own: the gates belong into the
// cell, and all heads are one tensor.
bool only_a_word(std::string_view segment) { return segment == "gate" || segment == "cand" || segment == "head"; }

std::vector<std::string> segments_of(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('.', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// The groups around a site, from the outside in, and its own name last. "head[0].read" stays together.
std::vector<std::string> names_of(const Site& site) {
  std::vector<std::string> names;
  const std::vector<std::string> parts = segments_of(site.text);
  std::string word;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    // A Transformer's head of all ("self_attn.head.q"); encoder.head is a part of BERT.
    const bool word_only = !last && only_a_word(parts[i]) && i > 1;
    if (word_only || (!last && parts[i].starts_with("head["))) {
      word += parts[i] + ".";
      continue;
    }
    names.push_back(word + parts[i]);
    word.clear();
  }
  return names;
}

bool is_step(std::string_view name) { return name.starts_with("step["); }

class Builder {
 public:
  Builder(const Trace& trace, FlowSteps shown) : trace_(trace) {
    std::array<Index, 2> steps{};
    for (const TraceEntry& entry : trace.entries())
      if (const int side = side_of(entry.site.text); side >= 0 && entry.site.step >= 0)
        steps[static_cast<std::size_t>(side)] = std::max(steps[static_cast<std::size_t>(side)], entry.site.step + 1);
    steps_ = steps;
    const auto nearest = [](Index step, Index count) {
      return std::clamp<Index>(step, 0, std::max<Index>(count - 1, 0));
    };
    shown_ = {nearest(shown.encoder, steps[0]), nearest(shown.decoder, steps[1])};
  }

  Flow build() {
    flow_.nodes.emplace_back();
    flow_.shown = {shown_[0], shown_[1]};
    flow_.node_of_entry.assign(static_cast<std::size_t>(trace_.size()), -1);
    for (int i = 0; i < trace_.size(); ++i)
      if (is_shown(i)) add(i);
    gather_what_is_once();
    shorten();
    number();
    add_edges();
    return std::move(flow_);
  }

 private:
  Index shown_step(int entry) const {
    return shown_[static_cast<std::size_t>(std::max(0, side_of(trace_[entry].site.text)))];
  }
  bool is_shown(int entry) const {
    const Index step = trace_[entry].site.step;
    return step < 0 || step == shown_step(entry);
  }

  FlowNode& node(int i) { return flow_.nodes[static_cast<std::size_t>(i)]; }

  int child(int parent, const std::string& name, int entry) {
    if (entry < 0)
      for (const int each : node(parent).children)
        if (!node(each).is_leaf() && node(each).name == name) return each;
    const int made = static_cast<int>(flow_.nodes.size());
    FlowNode fresh;
    fresh.name = name;
    fresh.parent = parent;
    fresh.entry = entry;
    flow_.nodes.push_back(std::move(fresh));
    node(parent).children.push_back(made);
    return made;
  }

  void add(int entry) {
    const Site& site = trace_[entry].site;
    const std::vector<std::string> names = names_of(site);
    int at = 0;
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
      at = child(at, names[i], -1);
      if (is_step(names[i])) {
        node(at).step = site.step;
        node(at).steps = steps_[static_cast<std::size_t>(std::max(0, side_of(site.text)))];
      }
    }
    child(at, names.back(), entry);
  }

  // What stands beside the steps of a stack of layers was computed before them, and serves all of them.
  void gather_what_is_once() {
    for (int i = 0; i < static_cast<int>(flow_.nodes.size()); ++i) {
      std::vector<int> beside;
      bool steps = false, layers = false;
      for (const int each : node(i).children) {
        steps = steps || is_step(node(each).name);
        layers = layers || node(each).name.starts_with("layer[");
        if (!is_step(node(each).name)) beside.push_back(each);
      }
      if (!steps || !layers) continue;
      const int once = child(i, std::string(kOnce), -1);
      for (const int each : beside) {
        std::erase(node(i).children, each);
        node(once).children.push_back(each);
        node(each).parent = once;
      }
    }
  }

  // A group of one is that one: "embed" around "out" says nothing.
  void shorten() {
    for (int i = static_cast<int>(flow_.nodes.size()) - 1; i > 0; --i) {
      if (node(i).is_leaf() || node(i).children.size() != 1 || node(i).step >= 0) continue;
      const int only = node(i).children[0], parent = node(i).parent;
      if (parent == 0 && node(only).is_leaf()) continue;  // the large parts of a model keep their names
      node(only).parent = parent;
      node(only).name = node(i).name + "." + node(only).name;
      std::replace(node(parent).children.begin(), node(parent).children.end(), i, only);
      node(i).children.clear();
      node(i).parent = -1;
    }
  }

  // Numbers the nodes anew, parents first and siblings in the order of computation.
  void number() {
    const auto first = [&](const auto& self, int i) -> int {
      FlowNode& each = node(i);
      each.first = each.entry;
      for (const int inner : each.children) {
        const int inside = self(self, inner);
        each.first = each.first < 0 ? inside : std::min(each.first, inside);
      }
      std::sort(each.children.begin(), each.children.end(),
                [&](int a, int b) { return node(a).first < node(b).first; });
      return each.first;
    };
    first(first, 0);
    std::vector<FlowNode> ordered;
    const auto place = [&](const auto& self, int old, int parent) -> int {
      const int at = static_cast<int>(ordered.size());
      ordered.push_back(node(old));
      ordered.back().parent = parent;
      ordered.back().children.clear();
      for (const int inner : node(old).children) {
        const int made = self(self, inner, at);
        ordered[static_cast<std::size_t>(at)].children.push_back(made);
      }
      return at;
    };
    place(place, 0, -1);
    flow_.nodes = std::move(ordered);
    for (int i = 0; i < static_cast<int>(flow_.nodes.size()); ++i)
      if (node(i).is_leaf()) flow_.node_of_entry[static_cast<std::size_t>(node(i).entry)] = i;
  }

  void connect(int from_entry, int to_entry) {
    const int from = flow_.leaf_of(trace_, from_entry), to = flow_.leaf_of(trace_, to_entry);
    if (from < 0 || to < 0) return;
    const bool other = node(from).entry != from_entry || node(to).entry != to_entry;
    if (other)
      between_steps_.insert({from, to});
    else
      now_.insert({from, to});
  }

  void add_edges() {
    for (int i = 0; i < trace_.size(); ++i)
      if (is_shown(i)) {
        for (const int input : trace_.inputs(i)) connect(input, i);
      } else if (is_first(i)) {
        // What sets off the first step comes from outside of the steps.
        for (const int input : trace_.inputs(i))
          if (trace_[input].site.step < 0 || side_of(trace_[input].site.text) != side_of(trace_[i].site.text))
            connect(input, i);
      }
    for (const auto& [from, to] : now_) flow_.edges.push_back({from, to, false});
    for (const auto& pair : between_steps_)
      if (!now_.contains(pair)) flow_.edges.push_back({pair.first, pair.second, true});
    std::sort(flow_.edges.begin(), flow_.edges.end(), [](const FlowEdge& a, const FlowEdge& b) {
      return std::tie(a.from, a.to, a.other_step) < std::tie(b.from, b.to, b.other_step);
    });
  }

  // Whether an entry belongs to the end at which a series of steps begins: a backward one begins at its last.
  bool is_first(int entry) const {
    const Site& site = trace_[entry].site;
    const int side = side_of(site.text);
    return side >= 0 && (site.step == 0 || site.step == steps_[static_cast<std::size_t>(side)] - 1);
  }

  const Trace& trace_;
  std::array<Index, 2> shown_{}, steps_{};
  Flow flow_;
  std::set<std::pair<int, int>> now_, between_steps_;
};

}  // namespace

int side_of(std::string_view site) { return site.starts_with("encoder") ? 0 : site.starts_with("decoder") ? 1 : -1; }

std::string at_step(const std::string& site, Index step) {
  const std::size_t found = site.find("step[");
  if (found == std::string::npos) return site;
  const std::size_t at = found + 5;
  return site.substr(0, at) + std::to_string(step) + site.substr(site.find(']', at));
}

std::vector<int> Flow::path(int node) const {
  std::vector<int> way;
  for (int at = node; at >= 0; at = nodes[static_cast<std::size_t>(at)].parent) way.push_back(at);
  std::reverse(way.begin(), way.end());
  return way;
}

bool Flow::contains(int group, int node) const {
  for (int at = node; at >= 0; at = nodes[static_cast<std::size_t>(at)].parent)
    if (at == group) return true;
  return false;
}

int Flow::leaf_of(const Trace& trace, int entry) const {
  if (entry < 0 || entry >= static_cast<int>(node_of_entry.size())) return -1;
  if (const int own = node_of_entry[static_cast<std::size_t>(entry)]; own >= 0) return own;
  const Site& site = trace[entry].site;
  const int at = trace.find(at_step(site.text, side_of(site.text) == 0 ? shown.encoder : shown.decoder));
  return at < 0 ? -1 : node_of_entry[static_cast<std::size_t>(at)];
}

std::string Flow::place(int node) const {
  std::string text;
  for (const int at : path(node)) {
    const std::string& name = nodes[static_cast<std::size_t>(at)].name;
    if (!name.empty() && name != kOnce) text += (text.empty() ? "" : ".") + name;
  }
  return text;
}

bool Flow::same_shape(const Flow& other) const {
  if (nodes.size() != other.nodes.size() || edges != other.edges) return false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const FlowNode &a = nodes[i], &b = other.nodes[i];
    const bool step = a.step >= 0 && b.step >= 0 && a.parent == b.parent;
    if (!step && !a.same_as(b)) return false;
  }
  return true;
}

Flow flow_of(const Trace& trace, FlowSteps shown) { return Builder(trace, shown).build(); }

}  // namespace headlight
