// The tap listener that makes a trace.

#include <algorithm>
#include <limits>
#include <ranges>
#include <string_view>

#include "model/core/clock.h"
#include "model/ops/basic.h"
#include "model/trace/trace.h"

namespace headlight {

namespace {

// The batch axis (and every other axis of size 1 that the catalogue does not name) goes: [1 x S x H] becomes [S x H].
Shape published_shape(const Shape& shape, std::size_t axes) {
  std::vector<Index> dims = shape.vector();
  for (std::size_t i = 0; i < dims.size() && dims.size() > axes;) {
    if (dims[i] == 1) {
      dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  if (dims.size() != axes) throw ShapeError("trace: " + shape.text() + " has more axes than its site");
  return Shape(dims);
}

// The first rows of an earlier value with these rows behind them. Keys that came later are masked for the earlier rows.
Tensor behind(const Tensor& earlier, Index count, const Tensor& rows, const SiteKind& kind) {
  const auto axis = static_cast<std::size_t>(std::ranges::find(kind.axes, Axis::source) - kind.axes.begin());
  std::vector<Index> dims = rows.shape().vector();
  Index outer = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= dims[i];
  const Index more = dims[axis], width = rows.size() / std::max<Index>(1, outer * more),
              before = earlier.size() / (outer * earlier.dim(static_cast<int>(axis))), same = std::min(width, before);
  dims[axis] += count;
  Tensor all{Shape(dims)};
  const bool masked = std::string_view(kind.pattern).ends_with("scores_masked");
  all.array().setConstant(masked ? -std::numeric_limits<Scalar>::infinity() : Scalar(0));
  for (Index o = 0; o < outer; ++o) {
    Scalar* to = all.data() + o * (count + more) * width;
    const Scalar* from = earlier.data() + o * earlier.dim(static_cast<int>(axis)) * before;
    for (Index r = 0; r < count; ++r) std::copy_n(from + r * before, same, to + r * width);
    std::copy_n(rows.data() + o * more * width, more * width, to + count * width);
  }
  return all;
}

// What a site is called in runs of other lengths: an edit of it may wait for one.
std::string in_any_step(std::string site) {
  constexpr std::string_view kStep = "step[", kDecoder = "decoder.";
  const std::size_t at = site.find(kStep);
  if (at != std::string::npos) return site.replace(at, site.find(']', at) - at, "step[*");
  // What a decoder reads at once is there only when there is something in front of its steps.
  return site.starts_with(kDecoder) ? site.insert(kDecoder.size(), "step[*].") : site;
}

// Whether the number of cells depends on the text.
bool grows_with_text(const SiteKind& kind) {
  return std::ranges::any_of(kind.axes, [](Axis axis) {
    return axis == Axis::source || axis == Axis::target || axis == Axis::query || axis == Axis::key;
  });
}

// How a value is a matrix: a step of a decoder is the row of its number, in a text that looks at itself that of its
// place there.
MatrixRows rows_of(const SiteKind& kind, const std::string& name, const Tensor& value) {
  const std::size_t axes = kind.axes.size();
  const bool has_rows = axes >= 2 && kind.axes[axes - 2] != Axis::head;
  const Index count = has_rows ? published_shape(value.shape(), axes)[static_cast<int>(axes) - 2] : 1;
  if (name.find("self_attn") != std::string::npos) return {count, value.columns() - count};
  return {count, std::max<Index>(0, parse_site(name).step)};
}

}  // namespace

struct Recorder::State {
  Capture capture;
  std::vector<Intervention> interventions;
  std::vector<std::string> elsewhere;  // of each edit: its site in runs of other lengths
  std::vector<bool> applied, known;    // known: a run of this model may have such a cell
  CancelToken cancel;
  std::shared_ptr<Graph> graph;
  std::unique_ptr<Graph::Scope> scope;
  double start = run_clock.load()();
  std::shared_ptr<const Trace> earlier;
  Index earlier_rows = 0;
  std::shared_ptr<Trace> trace = std::make_shared<Trace>();

  // What the edits make of a value; `edited` says whether one of them did.
  Tensor edit(const std::string& name, const SiteKind& kind, Tensor value, bool& edited);
};

Tensor Recorder::State::edit(const std::string& name, const SiteKind& kind, Tensor value, bool& edited) {
  for (std::size_t i = 0; i < interventions.size(); ++i) {
    const Intervention& edit = interventions[i];
    const HeadSite head(edit.site);
    const bool of_head = !names_site(edit.site, name);
    if (of_head && !names_site(head.all, name)) {
      known[i] = known[i] || names_site(elsewhere[i], name) || names_site(HeadSite(elsewhere[i]).all, name);
      continue;
    }
    known[i] = true;
    const MatrixRows rows = rows_of(kind, name, value);
    if (edit.kind != Intervention::Kind::replace && grows_with_text(kind) && !has_cells(edit, value, of_head, rows))
      continue;
    value = of_head ? apply_to_head(edit, value, head.index, rows) : apply(edit, value, rows);
    applied[i] = edited = true;
  }
  return value;
}

Recorder::Recorder(Capture capture, std::vector<Intervention> interventions, CancelToken cancel)
    : state_(std::make_unique<State>()) {
  for (const Intervention& edit : interventions)
    if (parse_site(edit.site).kind->derived)
      throw UsageError("'" + edit.site + "' is only shown, nothing is computed from it: edit what it comes from");
  for (const Intervention& edit : interventions) state_->elsewhere.push_back(in_any_step(edit.site));
  state_->applied.resize(interventions.size());
  state_->known.resize(interventions.size());
  state_->interventions = std::move(interventions);
  state_->cancel = std::move(cancel);
  if (capture.explain) {
    state_->graph = std::make_shared<Graph>(Graph::Keep::everything);
    state_->scope = std::make_unique<Graph::Scope>(state_->graph.get());
  }
  state_->capture = std::move(capture);
}

Recorder::~Recorder() = default;

Tensor Recorder::visit(const Place& place, const char* leaf, Tensor value) {
  State& state = *state_;
  state.cancel.check();
  std::string name = place.text() + "." + leaf;
  const SiteKind* kind = find_site_kind(name);
  if (!kind) throw std::logic_error("site '" + name + "' is not in the catalogue");
  bool edited = false;
  value = state.edit(name, *kind, std::move(value), edited);
  if (!state.capture.matches(name)) return value;
  TraceEntry entry;
  entry.site = parse_site(name);
  entry.value = value.view(0, published_shape(value.shape(), kind->axes.size()));
  entry.value.set_node(value.node());
  if (state.earlier && entry.site.step < 0 && name.starts_with("decoder."))
    entry.value = behind(state.earlier->value(name), state.earlier_rows, entry.value, *kind);
  entry.edited = edited;
  entry.seconds = run_clock.load()() - state.start;
  Trace& trace = *state.trace;
  const int index = trace.size();
  trace.by_site_.emplace(std::move(name), index);
  trace.by_storage_[entry.value.storage_id()].push_back(index);
  trace.entries_.push_back(std::move(entry));
  return value;
}

void Recorder::go_on_from(std::shared_ptr<const Trace> trace, Index rows) {
  state_->earlier = std::move(trace);
  state_->earlier_rows = rows;
}

bool Recorder::can_go_on(const Capture& capture) {
  if (capture.explain) return false;
  for (const char* leaf : {"scores_raw", "bias", "scores"})
    if (capture.matches("decoder.layer[0].self_attn.head." + std::string(leaf))) return false;
  return true;
}

bool Recorder::wants(const Place& place, const char* leaf) const {
  const State& state = *state_;
  if (state.capture.explain) return true;
  const std::string name = place.text() + "." + leaf;
  const auto edits = [&](const Intervention& edit) {
    return names_site(edit.site, name) || names_site(HeadSite(edit.site).all, name);
  };
  return state.capture.matches(name) || std::any_of(state.interventions.begin(), state.interventions.end(), edits);
}

std::vector<int> Recorder::not_reached() const {
  std::vector<int> indices;
  for (std::size_t i = 0; i < state_->applied.size(); ++i)
    if (!state_->applied[i]) indices.push_back(static_cast<int>(i));
  return indices;
}

std::shared_ptr<const Trace> Recorder::finish(std::vector<NamedTensor> parameters) {
  State& state = *state_;
  state.scope.reset();
  for (std::size_t i = 0; i < state.interventions.size(); ++i)
    if (!state.known[i])
      throw UsageError("'" + to_text(state.interventions[i]) + "' was not used: this run has no site '" +
                       state.interventions[i].site + "'");
  Trace& trace = *state.trace;
  trace.graph_ = std::move(state.graph);
  trace.parameters_ = std::move(parameters);
  for (std::size_t i = 0; i < trace.parameters_.size(); ++i)
    trace.parameter_by_storage_.emplace(trace.parameters_[i].value.storage_id(), static_cast<int>(i));
  return std::move(state.trace);
}

bool Capture::matches(const std::string& site) const {
  if (sites.empty()) return true;
  const std::string plain = without_indices(site);
  for (const std::string& pattern : sites) {
    const std::string p = without_indices(pattern);
    if (p.ends_with('*') ? plain.starts_with(p.substr(0, p.size() - 1)) : plain == p) return true;
  }
  return false;
}

}  // namespace headlight
