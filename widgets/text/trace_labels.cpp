#include "widgets/text/trace_labels.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

struct LabelWords {
  Q_DECLARE_TR_FUNCTIONS(TraceLabels)
};

QStringList visible_tokens(const std::vector<std::string>& tokens) {
  QStringList list;
  list.reserve(static_cast<int>(tokens.size()));
  for (const std::string& token : tokens) list << token_text(token).text;
  return list;
}

// Of the model that ran last: a vocabulary has thousands of tokens, and they are wanted at every keystroke.
struct KnownVocabularies {
  std::weak_ptr<const ModelBundle> model;
  QStringList source, target;

  static const KnownVocabularies& of(const std::shared_ptr<const ModelBundle>& model) {
    static KnownVocabularies known;
    if (known.model.lock() != model)
      known = {model, visible_tokens(model->source_vocabulary().tokens()),
               visible_tokens(model->target_vocabulary().tokens())};
    return known;
  }
};

QString axis_name(Axis axis) {
  switch (axis) {
    case Axis::source:
      return LabelWords::tr("source token");
    case Axis::target:
      return LabelWords::tr("output step");
    case Axis::unit:
      return LabelWords::tr("unit");
    case Axis::vocabulary:
      return LabelWords::tr("token");
    case Axis::query:
      return LabelWords::tr("query");
    case Axis::key:
      return LabelWords::tr("key");
    case Axis::head:
      return LabelWords::tr("head");
    case Axis::slot:
      return LabelWords::tr("memory slot");
    case Axis::single:
      return LabelWords::tr("value");
  }
  return {};
}

bool is_of_experts(const SiteKind& kind) {
  const std::string_view pattern = kind.pattern;
  return pattern.find(".ffn.router.") != pattern.npos || pattern.find(".ffn.expert.") != pattern.npos;
}

AxisLabels axis_of_source(const TraceLabels& labels) {
  return {axis_name(Axis::source), labels.source, labels.source_order, labels.padding};
}

}  // namespace

TraceLabels trace_labels(const Result& result) {
  TraceLabels labels;
  for (const int token : result.token_of_position) {
    labels.source << token_text(nth(result.tokens, token).text).text;
    labels.padding.push_back(nth(result.tokens, token).padding);
  }
  labels.token_of_position = result.token_of_position;
  for (const int position : result.position_of_token)
    if (position >= 0) labels.source_order.push_back(position);
  for (const OutputStep& step : result.steps) labels.written << token_text(step.text).text;
  if (!result.model) return labels;
  labels.in_file = result.model->in_file;
  const KnownVocabularies& known = KnownVocabularies::of(result.model);
  labels.source_vocabulary = known.source;
  labels.target_vocabulary = known.target;
  for (const std::string& token : result.fed) labels.fed << token_text(token).text;
  labels.own = labels.source.mid(0, result.prompt) + labels.fed;
  return labels;
}

QString AxisLabels::label(qint64 index) const {
  return index >= 0 && index < labels.size() ? labels[static_cast<int>(index)] : counted(index);
}

bool AxisLabels::is_padding(qint64 index) const {
  const auto at = static_cast<std::size_t>(index);
  return at < padding.size() && padding[at];
}

QString AxisLabels::said(qint64 index) const { return is_padding(index) ? LabelWords::tr("padding") : label(index); }

QString TraceLabels::said(qint64 position) const { return axis_of_source(*this).said(position); }

qint64 AxisLabels::place(qint64 index) const {
  const auto found = std::ranges::find(order, index);
  return found == order.end() ? index : found - order.begin();
}

AxisLabels axis_labels(const SiteKind& kind, int axis, const TraceLabels& labels) {
  if (axis < 0 || axis >= static_cast<int>(kind.axes.size())) return {};
  const Axis what = nth(kind.axes, axis);
  switch (what) {
    case Axis::source:
      return axis_of_source(labels);
    case Axis::key:
      return {axis_name(what), labels.own};
    case Axis::target:
      return {axis_name(what), labels.written};
    case Axis::query:
      return {axis_name(what), labels.fed};
    case Axis::vocabulary:
      return {axis_name(what), labels.target_vocabulary};
    case Axis::slot:  // of a memory, or of a router
      return {is_of_experts(kind) ? LabelWords::tr("expert") : axis_name(what)};
    default:
      return {axis_name(what)};
  }
}

QString step_in_words(const Site& site, const TraceLabels& labels) {
  if (site.step < 0) return {};
  const bool encoder = site.kind->side == SiteKind::Side::encoder;
  const QStringList& tokens = encoder ? labels.source : labels.written;
  if (site.step >= tokens.size()) return LabelWords::tr("step %1").arg(counted(site.step));
  const QString text = encoder ? LabelWords::tr("step %1 (reads ‘%2’)") : LabelWords::tr("step %1 (writes ‘%2’)");
  // One call with both values: a token may itself look like "%2".
  return text.arg(counted(site.step), encoder ? labels.said(site.step) : tokens[static_cast<int>(site.step)]);
}

QString cell_in_words(const Trace& trace, int entry, Index cell, const TraceLabels& labels) {
  const TraceEntry& e = trace[entry];
  QString text = site_in_words(e.site);
  const QString step = step_in_words(e.site, labels);
  if (!step.isEmpty()) text = LabelWords::tr("%1 of %2").arg(text, step);
  Index rest = cell;
  QStringList places;
  for (int axis = e.value.rank() - 1; axis >= 0; --axis) {
    const Index index = rest % e.value.dim(axis);
    rest /= e.value.dim(axis);
    const AxisLabels names = axis_labels(*e.site.kind, axis, labels);
    if (nth(e.site.kind->axes, axis) == Axis::single) continue;
    const auto place = names.place(index);
    places.prepend(index >= names.labels.size() ? LabelWords::tr("%1 %2").arg(names.name, names.label(index))
                   : place == index ? LabelWords::tr("%1 ‘%2’ (%3)").arg(names.name, names.said(index), counted(index))
                                    // Which is another one for the model, that reads in another order.
                                    : LabelWords::tr("%1 ‘%2’ at place %3 (the model reads it as number %4)")
                                          .arg(names.name, names.said(index), counted(place), counted(index)));
  }
  return places.isEmpty() ? text : LabelWords::tr("%1, %2").arg(text, places.join(LabelWords::tr(", ")));
}

SelectionState selection_of(const Trace& trace, int entry, std::optional<Index> cell, const TraceLabels& labels,
                            SelectionState before) {
  const TraceEntry& e = trace[entry];
  SelectionState state = before;
  state.entry = entry;
  state.cell.reset();
  if (cell) state.cell = *cell;
  const auto select_position = [&](Index position) {
    if (position >= 0 && position < static_cast<Index>(labels.token_of_position.size()))
      state.source_token = nth(labels.token_of_position, position);
  };
  const bool encoder = e.site.kind->side == SiteKind::Side::encoder;
  if (e.site.step >= 0 && encoder) select_position(e.site.step);
  if (e.site.step >= 0 && !encoder) state.step = static_cast<int>(e.site.step);
  if (!cell) return state;
  Index rest = *cell;
  for (int axis = e.value.rank() - 1; axis >= 0; --axis) {
    if (nth(e.site.kind->axes, axis) == Axis::source) select_position(rest % e.value.dim(axis));
    rest /= e.value.dim(axis);
  }
  return state;
}

SiteGroups groups_of(const Site& site) {
  SiteGroups found;
  const std::string& text = site.text;
  std::string part;
  std::size_t rest = 0;
  const auto close = [&] {
    if (!part.empty()) found.groups.push_back({part, -1});
    part.clear();
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('.', at), text.size());
    const std::string_view segment = std::string_view(text).substr(at, end - at);
    const bool head_kind = part.ends_with(']') && (segment == "read" || segment == "write");
    const bool is_part = segment == "fwd" || segment == "bwd" || segment.starts_with("layer[") ||
                         segment.starts_with("head[") || (head_kind && part.find("head[") != std::string::npos);
    const bool is_step = segment.starts_with("step[") && site.step >= 0;
    if (is_step) {
      close();
      found.groups.push_back({{}, site.step});
    } else if (is_part) {
      part += (part.empty() ? "" : ".") + std::string(segment);
    }
    at = std::min(end + 1, text.size());
    if ((is_step || is_part) && end < text.size()) rest = at;
  }
  close();
  found.rest = QString::fromStdString(text.substr(rest));
  return found;
}

QString part_in_words(std::string_view site) {
  QStringList words;
  const auto number = [](std::string_view segment) {
    return QString::number(std::atoi(std::string(segment.substr(segment.find('[') + 1)).c_str()) + 1);
  };
  std::string_view head;
  const auto close_head = [&] {
    if (!head.empty()) words << LabelWords::tr("head %1").arg(number(head));
    head = {};
  };
  while (!site.empty()) {
    const std::size_t end = std::min(site.find('.'), site.size());
    const std::string_view segment = site.substr(0, end);
    site.remove_prefix(std::min(end + 1, site.size()));
    if (!head.empty() && (segment == "read" || segment == "write")) {
      words << (segment == "read" ? LabelWords::tr("read head %1") : LabelWords::tr("write head %1")).arg(number(head));
      head = {};
      continue;
    }
    close_head();
    if (segment.starts_with("head[")) head = segment;
    if (segment.starts_with("layer[")) words << LabelWords::tr("layer %1").arg(number(segment));
    if (segment == "fwd") words << LabelWords::tr("forward");
    if (segment == "bwd") words << LabelWords::tr("backward");
  }
  close_head();
  return words.join(LabelWords::tr(", "));
}

QString site_in_words(const Site& site) {
  const QString title = site_title(*site.kind), part = part_in_words(site.text);
  return part.isEmpty() ? title : LabelWords::tr("%1 (%2)").arg(title, part);
}

QString site_title(const SiteKind& kind) { return QCoreApplication::translate("SiteKind", kind.title); }
QString site_help(const SiteKind& kind) { return QCoreApplication::translate("SiteKind", kind.help); }

QString formula_markup(const QString& formula) {
  static const QRegularExpression several(QStringLiteral("_\\{([^}]*)\\}")), one(QStringLiteral("_(\\w)"));
  QString html = formula.toHtmlEscaped();
  html.replace(several, QStringLiteral("<sub>\\1</sub>"));
  html.replace(one, QStringLiteral("<sub>\\1</sub>"));
  return html;
}

}  // namespace headlight
