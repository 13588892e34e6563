#include "widgets/views/compare/compare_subject.h"

#include <QCoreApplication>
#include <algorithm>
#include <limits>

#include "widgets/canvas/analysed_run.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

namespace {

struct CompareSubjectWords {
  Q_DECLARE_TR_FUNCTIONS(CompareSubject)
};

// The text at a place of both runs: of one of them, or "7 → 8".
AxisLabel merged(const PlacePair& place, const std::vector<AxisLabel>& before, const std::vector<AxisLabel>& after) {
  const auto at = [](const std::vector<AxisLabel>& labels, Index i) {
    return i < static_cast<Index>(labels.size()) ? nth(labels, i) : AxisLabel{QString::number(i), false, {}};
  };
  if (place.before < 0) return at(after, place.after);
  if (place.after < 0) return at(before, place.before);
  const AxisLabel a = at(before, place.before), b = at(after, place.after);
  if (a.text == b.text) return b;
  const auto name = [](const AxisLabel& label) { return label.name.isEmpty() ? label.text : label.name; };
  return {a.text + QStringLiteral("→") + b.text, a.muted && b.muted,
          CompareSubjectWords::tr("%1, now %2").arg(name(a), name(b))};
}

// "attention weights (layer 2)"
QString value_name(const SiteKind& kind, const std::string& site) {
  const QString title = site_title(kind), part = part_in_words(site);
  return part.isEmpty() ? title : QStringLiteral("%1 (%2)").arg(title, part);
}

AttentionToken place_of(int token, Index step) {
  AttentionToken place;
  place.token = token;
  place.step = static_cast<int>(step);
  return place;
}

bool is_padding(const PlacePair& place, const AttentionMap& before, const AttentionMap& after) {
  const auto pads = [](const AttentionMap& map, Index at) { return at < 0 || nth(map.columns, at).padding; };
  return pads(before, place.before) && pads(after, place.after);
}

ComparedAxis axis_of(const std::vector<PlacePair>& places, const std::vector<AttentionToken>& after,
                     const std::vector<AxisLabel>& labels_before, const std::vector<AxisLabel>& labels_after) {
  ComparedAxis axis;
  for (const PlacePair& place : places) {
    axis.labels.push_back(merged(place, labels_before, labels_after));
    axis.places.push_back(place.after < 0 ? AttentionToken{} : nth(after, place.after));
  }
  return axis;
}

// What each row of a run gives to the columns that are left out.
std::vector<Scalar> sums(const Tensor& weights, const std::vector<PlacePair>& rows,
                         const std::vector<PlacePair>& left_out, Index PlacePair::*of) {
  std::vector<Scalar> found;
  for (const PlacePair& row : rows) {
    double sum = 0;
    for (const PlacePair& column : left_out)
      if (row.*of >= 0 && column.*of >= 0)
        sum += static_cast<double>(weights[row.*of * weights.columns() + column.*of]);
    found.push_back(row.*of < 0 ? std::numeric_limits<Scalar>::quiet_NaN() : static_cast<Scalar>(sum));
  }
  return found;
}

// The padding as one column behind the others, so that a row shows all that it gives away.
void fold_padding(Compared& found, const std::vector<Scalar>& before, const std::vector<Scalar>& after,
                  std::size_t count) {
  TableDifference& table = found.table;
  const auto rows = static_cast<Index>(table.rows.size()), columns = static_cast<Index>(table.columns.size());
  const auto wider = [&](const Tensor& from, const std::vector<Scalar>& sums) {
    Tensor to({rows, columns + 1});
    for (Index row = 0; row < rows; ++row) {
      for (Index column = 0; column < columns; ++column)
        to[row * (columns + 1) + column] = from[row * columns + column];
      to[row * (columns + 1) + columns] = nth(sums, row);
    }
    return to;
  };
  table.before = wider(table.before, before);
  table.after = wider(table.after, after);
  table.change = Tensor({rows, columns + 1});
  table.change.array() = table.after.array() - table.before.array();
  table.columns.emplace_back();
  AxisLabel label{padding_short(static_cast<int>(count)), true, padding_name(static_cast<int>(count))};
  label.lines = padding_lines(static_cast<int>(count));
  found.columns.labels.push_back(std::move(label));
  found.columns.places.emplace_back();
  found.column_cells.push_back(-1);
}

Compared compare_maps(const AnalysedRun& before, const AnalysedRun& after, const CompareSubject& subject) {
  Compared found;
  const AttentionMap *a = map_of(before.maps(), subject), *b = map_of(after.maps(), subject);
  if (!a || !b || a->is_self() != b->is_self()) return found;
  const Index head = subject.kind == CompareSubject::Kind::alignment ? AttentionMap::kMean : subject.head;
  MapPlaces places = map_places(*a, *b);
  const auto padding = std::stable_partition(places.columns.begin(), places.columns.end(),
                                             [&](const PlacePair& place) { return !is_padding(place, *a, *b); });
  const std::vector<PlacePair> blanks(padding, places.columns.end());
  const bool folds = blanks.size() > 1 && padding != places.columns.begin();
  if (folds) places.columns.erase(padding, places.columns.end());
  const Tensor weights_a = a->matrix(head), weights_b = b->matrix(head);
  const std::vector<Scalar> sums_a = sums(weights_a, places.rows, blanks, &PlacePair::before),
                            sums_b = sums(weights_b, places.rows, blanks, &PlacePair::after);
  found.table = table_difference(weights_a, weights_b, std::move(places.rows), std::move(places.columns));
  if (found.empty()) return found;
  found.rows = axis_of(found.table.rows, b->rows, row_labels(*a), row_labels(*b));
  found.columns = axis_of(found.table.columns, b->columns, column_labels(*a), column_labels(*b));
  found.rows.caption = row_caption(*b);
  found.columns.caption = column_caption(*b);
  found.value = CompareSubjectWords::tr("attention weight");
  found.subject = b->layer < 0 && b->heads == 1 ? QString() : head_place(*b, b->heads == 1 ? 0 : head);
  found.weights = true;
  const Index one = b->heads == 1 ? 0 : head;
  for (const PlacePair& place : found.table.rows)
    found.row_cells.push_back(
        place.after < 0 || one < 0 || b->kind == AttentionMap::Kind::summary
            ? Compared::Cell{}
            : Compared::Cell{b->entry(place.after),
                             b->source(place.after).first + one * b->source(place.after).head_stride});
  for (const PlacePair& place : found.table.columns)
    found.column_cells.push_back(place.after < 0 ? -1 : nth(b->key_of_column, place.after));
  if (folds) fold_padding(found, sums_a, sums_b, blanks.size());
  return found;
}

const SiteTable* find_table(const std::vector<SiteTable>& tables, const std::string& name) {
  const auto found = std::ranges::find_if(tables, [&](const SiteTable& table) { return table.name == name; });
  return found == tables.end() ? nullptr : &*found;
}

bool of_encoder(const SiteTable& table) { return table.kind->side == SiteKind::Side::encoder; }

std::vector<AxisLabel> site_rows(const SiteTable& table, const TraceLabels& labels) {
  const int rank = static_cast<int>(table.kind->axes.size());
  const AxisLabels inner = rank >= 2 ? axis_labels(*table.kind, rank - 2, labels) : AxisLabels{};
  std::vector<AxisLabel> found;
  for (const SiteTable::Row& row : table.rows) {
    QStringList parts;
    if (row.step >= 0)
      parts << (of_encoder(table) ? labels.source : labels.written)
                   .value(static_cast<int>(row.step), QString::number(row.step));
    if (rank >= 3) parts << QString::number(row.outer + 1);
    if (rank >= 2) parts << inner.label(row.inner);
    found.push_back({parts.isEmpty() ? QStringLiteral(" ") : parts.join(' '), false, {}});
  }
  return found;
}

Compared compare_sites(const AnalysedRun& run_before, const AnalysedRun& run_after, const CompareSubject& subject) {
  const Result &before = *run_before.result(), &after = *run_after.result();
  Compared found;
  const std::vector<SiteTable> tables_before = site_tables(*before.trace), tables_after = site_tables(*after.trace);
  const SiteTable *a = find_table(tables_before, subject.site), *b = find_table(tables_after, subject.site);
  if (!a || !b || !b->kind) return found;
  auto table = site_difference(before, *a, after, *b, token_places(before, after));
  if (!table) return found;
  found.table = std::move(*table);
  const TraceLabels &labels_before = run_before.labels(), &labels_after = run_after.labels();
  const int last = static_cast<int>(b->kind->axes.size()) - 1;
  const AxisLabels across_before = axis_labels(*b->kind, last, labels_before);
  const AxisLabels across = axis_labels(*b->kind, last, labels_after);
  const auto named = [](const AxisLabels& axis, Index size) {
    std::vector<AxisLabel> labels;
    for (Index i = 0; i < size; ++i) labels.push_back({axis.label(i), false, {}});
    return labels;
  };
  const auto read_at = [&](Index position) {
    const auto& tokens = labels_after.token_of_position;
    const bool known = position >= 0 && position < static_cast<Index>(tokens.size());
    return place_of(known ? nth(tokens, position) : -1, -1);
  };
  const auto rows_before = site_rows(*a, labels_before), rows_after = site_rows(*b, labels_after);
  for (const PlacePair& place : found.table.rows) {
    const SiteTable::Row row = place.after < 0 ? SiteTable::Row{} : nth(b->rows, place.after);
    found.rows.labels.push_back(merged(place, rows_before, rows_after));
    found.rows.places.push_back(of_encoder(*b) ? read_at(row.step) : place_of(-1, row.step));
    found.row_cells.push_back({row.entry, row.first});
  }
  const auto columns_before = named(across_before, a->columns), columns_after = named(across, b->columns);
  const bool of_source = nth(b->kind->axes, last) == Axis::source;
  for (const PlacePair& place : found.table.columns) {
    found.columns.labels.push_back(merged(place, columns_before, columns_after));
    found.columns.places.push_back(of_source ? read_at(place.after) : AttentionToken{});
    found.column_cells.push_back(place.after);
  }
  const bool stepped = !b->rows.empty() && b->rows.front().step >= 0;
  found.rows.caption = stepped
                           ? (of_encoder(*b) ? CompareSubjectWords::tr("source") : CompareSubjectWords::tr("output"))
                       : last > 0 ? axis_labels(*b->kind, last - 1, labels_after).name
                                  : QString();
  found.columns.caption = across.name;
  found.value = site_title(*b->kind);
  found.subject = value_name(*b->kind, subject.site);
  return found;
}

}  // namespace

std::optional<Compared::Cell> Compared::cell(int row, int column) const {
  const Cell& start = nth(row_cells, row);
  const Index along = nth(column_cells, column);
  const Index width = static_cast<Index>(column_cells.size());
  const bool number = table.after[row * width + column] == table.after[row * width + column];
  if (start.entry < 0 || along < 0 || !number) return std::nullopt;
  return Cell{start.entry, start.cell + along};
}

SelectionState Compared::selection_at(MapCell place) const {
  SelectionState state = axes().selection_at(place);
  if (const auto at = cell(place.row, place.column)) {
    state.entry = at->entry;
    state.cell = at->cell;
  }
  return state;
}

MapCell Compared::find(const SelectionState& state) const {
  for (int row = 0; state.entry && state.cell && row < static_cast<int>(row_cells.size()); ++row) {
    if (nth(row_cells, row).entry != *state.entry) continue;
    for (int column = 0; column < static_cast<int>(column_cells.size()); ++column)
      if (const auto at = cell(row, column); at && at->cell == *state.cell) return {row, column};
  }
  return axes().find(state);
}

const AttentionMap* map_of(const std::vector<AttentionMap>& maps, const CompareSubject& subject) {
  if (subject.kind == CompareSubject::Kind::alignment) return telling_map(maps);
  const auto found = std::ranges::find_if(maps, [&](const AttentionMap& map) {
    return map.kind == subject.map && map.layer == subject.layer && subject.head < map.heads;
  });
  return found == maps.end() ? nullptr : &*found;
}

Compared compare(const AnalysedRun& before, const AnalysedRun& after, const CompareSubject& subject) {
  if (!before.result()->trace || !after.result()->trace) return {};
  return subject.kind == CompareSubject::Kind::site ? compare_sites(before, after, subject)
                                                    : compare_maps(before, after, subject);
}

QString subject_name(const CompareSubject& subject) {
  switch (subject.kind) {
    case CompareSubject::Kind::alignment:
      return CompareSubjectWords::tr("where it looks");
    case CompareSubject::Kind::head: {
      const QString kind = kind_name(subject.map), layer = layer_name(subject.layer);
      return (layer.isEmpty() ? QStringList{kind, head_name(subject.head)}
                              : QStringList{kind, layer, head_name(subject.head)})
          .join(QStringLiteral(" · "));
    }
    case CompareSubject::Kind::words:
      return CompareSubjectWords::tr("which words made them similar");
    case CompareSubject::Kind::site:
      break;
  }
  const SiteKind* kind = find_site_kind(subject.site);
  const QString name = QString::fromStdString(subject.site);
  return kind ? QStringLiteral("%1 · %2").arg(value_name(*kind, subject.site), name) : name;
}

}  // namespace headlight
