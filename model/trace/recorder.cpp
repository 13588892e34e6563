// The tap listener that makes a trace.

#include <algorithm>
#include <limits>
#include <ranges>
#include <string_view>

#include "model/core/budget.h"
#include "model/core/clock.h"
#include "model/core/slices.h"
#include "model/ops/basic.h"
#include "model/trace/edit_index.h"
#include "model/trace/edit_value.h"
#include "model/trace/trace.h"

namespace headlight {

namespace {

// The batch axis (and every other axis of size 1 that the catalogue does not name) goes: [1 x S x H] becomes [S x H].
Shape published_shape(const Shape& shape, std::size_t axes) {
  const int wanted = static_cast<int>(axes);
  if (shape.rank() == wanted) return shape;
  Shape published = shape;
  for (int axis = 0; axis < published.rank() && published.rank() > wanted;) {
    if (published[axis] == 1) {
      published = published.without(axis);
    } else {
      ++axis;
    }
  }
  if (published.rank() != wanted) throw ShapeError("trace: " + shape.text() + " has more axes than its site");
  return published;
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

std::vector<std::string> sites_of(const std::vector<Intervention>& edits, std::string (*name)(std::string)) {
  std::vector<std::string> sites;
  for (const Intervention& edit : edits) sites.push_back(name(edit.site));
  return sites;
}

// Whether another text has more of it.
bool grows(Axis axis) {
  return axis == Axis::source || axis == Axis::target || axis == Axis::query || axis == Axis::key;
}

bool is_step_of_heads(const SiteKind& kind) { return kind.axes.size() == 2 && kind.axes[0] == Axis::head; }

// How a value is a matrix: a step of a decoder is the row of its number, in a text that looks at itself that of its
// place there.
MatrixRows rows_of(const SiteKind& kind, const std::string& name, const Tensor& value) {
  const std::size_t axes = kind.axes.size();
  const Index count = axes >= 2 ? published_shape(value.shape(), axes)[static_cast<int>(axes) - 2] : 1;
  const bool heads = is_step_of_heads(kind);
  if (name.find("self_attn") != std::string::npos) return {count, value.columns() - (heads ? 1 : count), heads};
  return {count, std::max<Index>(0, parse_site(name).step), heads};
}

// Whether another text may have the cells of an edit that this one lacks.
bool may_wait(const ValueEdit& of, const Tensor& value, const SiteKind& kind, const MatrixRows& rows) {
  const Intervention& edit = *of.edit;
  if (edit.kind == Intervention::Kind::replace) return false;
  if (edit.row == Intervention::kFlat) return std::ranges::any_of(kind.axes, grows);
  const std::size_t axes = kind.axes.size();
  const Index count = rows.heads && of.slice >= 0 ? 1 : rows.count;
  const bool has_row = edit.row < count || (axes >= 2 && grows(kind.axes[axes - 2]));
  return has_row && (edit.cell < 0 || edit.cell + edit.count <= value.columns() || grows(kind.axes.back()));
}

}  // namespace

struct Recorder::State {
  State(Capture wanted, std::vector<Intervention> edits, CancelToken token)
      : capture(std::move(wanted)),
        interventions(std::move(edits)),
        here(sites_of(interventions, [](std::string site) { return site; })),
        elsewhere(sites_of(interventions, in_any_step)),
        applied(interventions.size()),
        known(interventions.size()),
        cancel(std::move(token)) {}

  Capture capture;
  std::vector<Intervention> interventions;
  EditIndex here, elsewhere;         // elsewhere: their sites in runs of other lengths
  std::vector<bool> applied, known;  // known: a run of this model may have such a cell
  CancelToken cancel;
  std::shared_ptr<Graph> graph;
  std::unique_ptr<Graph::Scope> scope;
  double start = run_clock.load()();
  std::shared_ptr<const Trace> earlier;
  Index earlier_rows = 0;
  std::shared_ptr<Trace> trace = std::make_shared<Trace>();
  bool kept = false;  // the value of the last visit has become the last entry
  double bytes = 0;   // of its values

  // What the edits make of a value; `edited` says whether one of them did.
  Tensor edit(const std::string& name, const SiteKind& kind, Tensor value, bool& edited);
};

Tensor Recorder::State::edit(const std::string& name, const SiteKind& kind, Tensor value, bool& edited) {
  if (interventions.empty()) return value;
  for (const auto& [i, slice] : elsewhere.of(name)) known[i] = true;
  const std::vector<EditIndex::Match> matches = here.of(name);
  if (matches.empty()) return value;
  const MatrixRows rows = rows_of(kind, name, value);
  std::vector<ValueEdit> made;
  for (const auto& [i, slice] : matches) {
    known[i] = true;
    const ValueEdit one{&interventions[i], slice};
    if (slice < value.dim(0) && !has_cells(one, value, rows)) {
      if (may_wait(one, value, kind, rows)) continue;
      throw UsageError(no_such_cell(*one.edit, parse_site(name), published_shape(value.shape(), kind.axes.size())));
    }
    made.push_back(one);
    applied[i] = true;
  }
  if (made.empty()) return value;
  edited = true;
  return apply(made, value, rows);
}

Recorder::Recorder(Capture capture, std::vector<Intervention> interventions, CancelToken cancel) {
  check_count(interventions.size());
  for (const Intervention& edit : interventions) check(edit);
  state_ = std::make_unique<State>(std::move(capture), std::move(interventions), std::move(cancel));
  constexpr std::size_t kUsual = 512;  // values of a run
  state_->trace->entries_.reserve(kUsual);
  if (!state_->capture.explain) return;
  state_->graph = std::make_shared<Graph>(Graph::Keep::everything);
  state_->scope = std::make_unique<Graph::Scope>(state_->graph.get());
}

Recorder::~Recorder() = default;

Tensor Recorder::visit(const SitePath& place, const char* leaf, Tensor value) {
  State& state = *state_;
  state.cancel.check();
  slice_point();
  std::string name = place.text(leaf);
  const SiteKind* kind = find_site_kind(name);
  if (!kind) throw std::logic_error("site '" + name + "' is not in the catalogue");
  bool edited = false;
  value = state.edit(name, *kind, std::move(value), edited);
  state.kept = state.capture.matches(name);
  if (!state.kept) return value;
  TraceEntry entry;
  entry.site = site_of(std::move(name), *kind);
  entry.value = value.view(0, published_shape(value.shape(), kind->axes.size()));
  entry.value.set_node(value.node());
  const std::string& site = entry.site.text;
  if (state.earlier && entry.site.step < 0 && site.starts_with("decoder."))
    entry.value = behind(state.earlier->value(site), state.earlier_rows, entry.value, *kind);
  entry.edited = edited;
  entry.seconds = run_clock.load()() - state.start;
  Trace& trace = *state.trace;
  if (trace.first_sharing(entry.value) < 0) state.bytes += static_cast<double>(entry.value.size()) * sizeof(Scalar);
  if (state.bytes > budget::kTrace)  // only then are its words put together
    within_budget(state.bytes, budget::kTrace, "with the values of " + site + " this run", "shorten the text");
  trace.add(std::move(entry));
  return value;
}

void Recorder::describe(const SiteWords& words) {
  if (!state_->kept) return;
  Site& site = state_->trace->entries_.back().site;
  site.kind = worded(*site.kind, words);
}

Recorder::Mark Recorder::mark() const {
  return {state_->trace->size(), state_->graph ? state_->graph->size() : 0, state_->bytes};
}

void Recorder::begin_with(const Trace& earlier, const Mark& mark) {
  State& state = *state_;
  if (state.graph && earlier.graph_) {
    state.scope.reset();
    state.graph = earlier.graph_->beginning(mark.nodes);
    state.scope = std::make_unique<Graph::Scope>(state.graph.get());
  }
  state.bytes = mark.bytes;
  Trace& trace = *state.trace;
  for (int i = 0; i < mark.entries; ++i) trace.add(earlier[i]);
}

void Recorder::resume_from(std::shared_ptr<const Trace> trace, Index rows) {
  state_->earlier = std::move(trace);
  state_->earlier_rows = rows;
}

bool Recorder::can_resume(const Capture& capture) {
  if (capture.explain) return false;
  for (const char* leaf : {"scores_raw", "bias", "scores"})
    if (capture.matches("decoder.layer[0].self_attn.head." + std::string(leaf))) return false;
  return true;
}

bool Recorder::wants(const SitePath& place, const char* leaf) const {
  const State& state = *state_;
  if (state.capture.explain) return true;
  const std::string name = place.text(leaf);
  return state.capture.matches(name) || !state.here.of(name).empty();
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
