#include "widgets/views/map/map_table.h"

#include <algorithm>

#include "widgets/text/trace_labels.h"
#include "widgets/views/map/map_words.h"

namespace headlight {

void MapTable::set_flow(std::shared_ptr<const Trace> trace, const Flow& flow) {
  beginResetModel();
  trace_ = std::move(trace);
  entries_.clear();
  for (const FlowNode& node : flow.nodes)
    if (node.is_leaf()) entries_.push_back(node.entry);
  std::sort(entries_.begin(), entries_.end());
  endResetModel();
}

int MapTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}
int MapTable::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : kColumns; }

QString MapTable::text(int entry, int column) const {
  const TraceEntry& e = (*trace_)[entry];
  switch (column) {
    case kTitle:
      return site_in_words(e.site);
    case kSite:
      return QString::fromStdString(e.site.text);
    case kShape:
      return shape_words(e.value.shape());
    case kOperation: {
      const Op* op = trace_->operation(entry);
      return op ? QString::fromUtf8(op->id) : QString();
    }
    case kInputs: {
      QStringList names;
      for (const int input : trace_->inputs(entry)) names << QString::fromStdString((*trace_)[input].site.text);
      return names.join(QLatin1Char(' '));
    }
    default:
      return {};
  }
}

QVariant MapTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !trace_ || index.row() >= rowCount()) return {};
  if (role == Qt::DisplayRole) return text(entry_of(index.row()), index.column());
  if (role == Qt::ToolTipRole) return site_help(*(*trace_)[entry_of(index.row())].site.kind);
  return {};
}

QVariant MapTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role != Qt::DisplayRole) return {};
  if (orientation == Qt::Vertical) return section + 1;
  switch (section) {
    case kTitle:
      return tr("value");
    case kSite:
      return tr("site");
    case kShape:
      return tr("shape");
    case kOperation:
      return tr("operation");
    case kInputs:
      return tr("computed from");
    default:
      return {};
  }
}

}  // namespace headlight
