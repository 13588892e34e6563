#include "widgets/views/map/map_table.h"

#include <algorithm>

#include "widgets/text/trace_labels.h"
#include "widgets/views/map/map_words.h"

namespace headlight {

void MapTable::set_flow(const std::shared_ptr<const Trace>& trace, const Flow& flow) {
  std::vector<int> entries;
  for (const FlowNode& node : flow.nodes)
    if (node.is_leaf()) entries.push_back(node.entry);
  std::ranges::sort(entries);
  const auto column = [&](const QString& title, auto text) {
    return Column{title, [trace, entries, text](int row) { return QVariant(text(*trace, nth(entries, row))); }};
  };
  const auto operation = [](const Trace& of, int entry) {
    const Op* op = of.operation(entry);
    return op ? QString::fromUtf8(op->id) : QString();
  };
  const auto inputs = [](const Trace& of, int entry) {
    QStringList names;
    for (const int input : of.inputs(entry)) names << QString::fromStdString(of[input].site.text);
    return names.join(QLatin1Char(' '));
  };
  set_help([trace, entries](int row) { return site_help(*(*trace)[nth(entries, row)].site.kind); });
  set(static_cast<int>(entries.size()),
      {column(tr("value"), [](const Trace& of, int entry) { return site_in_words(of[entry].site); }),
       column(tr("site"), [](const Trace& of, int entry) { return QString::fromStdString(of[entry].site.text); }),
       column(tr("shape"), [](const Trace& of, int entry) { return shape_words(of[entry].value.shape()); }),
       column(tr("operation"), operation), column(tr("computed from"), inputs)});
}

}  // namespace headlight
