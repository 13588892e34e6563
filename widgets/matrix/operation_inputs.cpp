#include "widgets/matrix/operation_inputs.h"

#include <QCoreApplication>
#include <algorithm>

namespace headlight {

namespace {

struct StepperInputsWords {
  Q_DECLARE_TR_FUNCTIONS(StepperInputs)
};

bool is_edit(const Explanation& explanation) {
  return explanation.op && std::string_view(explanation.op->id) == "edit" && explanation.terms.size() == 1;
}

// The arithmetic of a cell; of an edited one, the arithmetic before the edit. Empty when the run kept no graph.
Explanation explanation_before_edit(const Trace& trace, int entry, Index cell) {
  try {
    Explanation explanation = trace.explain(entry, cell);
    if (is_edit(explanation)) return trace.explain(explanation.terms[0].cells[0]);
    return explanation;
  } catch (const Error&) {
    return {};
  }
}

// Every place that the arithmetic of a few cells of `entry` reads. The first and the last cell differ where an
// operation puts tensors side by side.
std::vector<Location> places_of(const Trace& trace, int entry) {
  const Tensor& value = trace[entry].value;
  std::vector<Location> places;
  if (!value.defined() || value.size() == 0) return places;
  std::vector<Index> cells{0};
  if (value.size() > 1) cells.push_back(value.size() - 1);
  const Scalar* last_seen = nullptr;
  for (const Index cell : cells) {
    const Explanation explanation = explanation_before_edit(trace, entry, cell);
    for (std::size_t factor = 0; factor < 2; ++factor) {
      for (const Term& term : explanation.terms) {
        if (factor >= term.cells.size()) continue;
        const Tensor& tensor = term.cells[factor].tensor;
        // A long sum reads one tensor many times.
        if (explanation.terms.size() > 8 && tensor.data() == last_seen) continue;
        last_seen = tensor.data();
        places.push_back(trace.locate(term.cells[factor]));
      }
    }
  }
  return places;
}

// The place that a cell is a plain copy of.
Location copied_from(const Trace& trace, int entry, Index cell) {
  const Location same = trace.locate({trace[entry].value, cell});
  if (same.entry >= 0 && same.entry != entry) return same;
  const Explanation explanation = explanation_before_edit(trace, entry, cell);
  if (explanation.kind != Explanation::Kind::copy || explanation.terms.size() != 1) return {};
  return trace.locate(explanation.terms[0].cells[0]);
}

}  // namespace

int alias_of(const Trace& trace, int entry) {
  const Tensor& value = trace[entry].value;
  if (trace[entry].edited || !value.defined() || value.size() == 0) return -1;
  const Location first = copied_from(trace, entry, 0), last = copied_from(trace, entry, value.size() - 1);
  const bool whole = first.entry >= 0 && first.entry < entry && first.entry == last.entry && first.index == 0 &&
                     last.index == value.size() - 1 && first.shape.size() == value.size();
  return whole ? first.entry : -1;
}

const Op* operation_before_edit(const Trace& trace, int entry) {
  return trace[entry].value.size() == 0 ? nullptr : explanation_before_edit(trace, entry, 0).op;
}

std::vector<int> inputs_of(const Trace& trace, int entry) {
  if (const int alias = alias_of(trace, entry); alias >= 0) return {alias};
  std::vector<int> entries;
  for (const Location& place : places_of(trace, entry))
    if (place.entry >= 0 && place.entry != entry && std::ranges::find(entries, place.entry) == entries.end())
      entries.push_back(place.entry);
  return entries;
}

std::vector<std::string> parameters_of(const Trace& trace, int entry) {
  std::vector<std::string> names;
  if (alias_of(trace, entry) >= 0) return names;
  for (const Location& place : places_of(trace, entry))
    if (place.kind == Location::Kind::parameter && std::ranges::find(names, place.name) == names.end())
      names.push_back(place.name);
  return names;
}

int attention_rows(const Trace& trace, int entry) {
  int rows = 0;
  for (int i = 0; i <= entry && i < trace.size(); ++i) {
    const Site& site = trace[i].site;
    // The model's one read of the source, or what stands for its several ones.
    const bool one = site.kind->role == SiteKind::Role::weights && site.layer < 0;
    rows += site.step >= 0 && (one || site.kind->role == SiteKind::Role::mean);
  }
  return rows;
}

TensorContent tensor_content(const Trace& trace, int entry, const TraceLabels& labels) {
  const TraceEntry& e = trace[entry];
  TensorContent content;
  content.values = e.value;
  const int rank = e.value.rank();
  if (rank >= 1) content.columns = axis_labels(*e.site.kind, rank - 1, labels);
  if (rank >= 2) content.rows = axis_labels(*e.site.kind, rank - 2, labels);
  const QString step = step_in_words(e.site, labels);
  content.title = site_in_words(e.site);
  if (!step.isEmpty()) content.title = StepperInputsWords::tr("%1 of %2").arg(content.title, step);
  if (!e.edited) return content;
  // Which cells an edit changed shows in their arithmetic: the others still come from what they came from before.
  constexpr Index kMost = 4096;
  for (Index i = 0; i < std::min(kMost, e.value.size()); ++i) {
    try {
      const Op* op = trace.explain(entry, i).op;
      if (op && std::string_view(op->id) == "edit") content.edited_cells.push_back(i);
    } catch (const Error&) {
      break;
    }
  }
  content.edited = content.edited_cells.empty() || static_cast<Index>(content.edited_cells.size()) == e.value.size();
  if (content.edited) content.edited_cells.clear();  // one frame says it
  return content;
}

SiteHistory site_history(const Trace& trace, int entry, const TraceLabels& labels) {
  SiteHistory history;
  const TraceEntry& e = trace[entry];
  if (e.site.step < 0 || e.value.rank() > 1) return history;
  // The same value of the same layer, direction and head, as it was computed: backwards in a layer that reads so.
  const QString part = part_in_words(e.site.text);
  for (int i = 0; i < trace.size(); ++i)
    if (trace[i].site.kind == e.site.kind && trace[i].value.size() == e.value.size() &&
        part_in_words(trace[i].site.text) == part)
      history.entries.push_back(i);
  const auto rows = static_cast<Index>(history.entries.size());
  const Index columns = e.value.size();
  Tensor values({rows, columns});
  for (Index r = 0; r < rows; ++r) values.matrix().row(r) = trace[nth(history.entries, r)].value.matrix().row(0);
  const bool encoder = e.site.kind->side == SiteKind::Side::encoder;
  history.content.values = values;
  history.content.rows.name = StepperInputsWords::tr("step");
  const QStringList& tokens = encoder ? labels.source : labels.written;
  for (const int i : history.entries)
    if (!tokens.isEmpty()) history.content.rows.labels << tokens.value(static_cast<int>(trace[i].site.step));
  const bool backwards = rows > 1 && trace[history.entries[0]].site.step > trace[history.entries[1]].site.step;
  if (encoder && !backwards && static_cast<Index>(labels.source_order.size()) == rows)
    history.content.rows.order = labels.source_order;
  if (e.value.rank() >= 1) history.content.columns = axis_labels(*e.site.kind, 0, labels);
  history.content.title = StepperInputsWords::tr("%1 of all steps").arg(site_in_words(e.site));
  return history;
}

}  // namespace headlight
