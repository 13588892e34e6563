#include "widgets/tables/trace_model.h"

#include <QRegularExpression>
#include <algorithm>

#include "widgets/base/controls.h"
#include "widgets/base/theme.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

bool same_sites(const Trace& a, const Trace& b) {
  if (a.size() != b.size()) return false;
  for (int i = 0; i < a.size(); ++i)
    if (a[i].site.text != b[i].site.text) return false;
  return true;
}

// What a memory starts with comes before anything is read.
bool is_encode(const Site& site) { return site.kind->side != SiteKind::Side::decoder; }

}  // namespace

void TraceModel::set_trace(std::shared_ptr<const Trace> trace, TraceLabels labels) {
  labels_ = std::move(labels);
  if (trace_ && trace && same_sites(*trace_, *trace)) {
    trace_ = std::move(trace);
    operations_.assign(static_cast<std::size_t>(trace_->size()), QString());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      if (node.children.empty()) continue;
      const QModelIndex parent = i == 0 ? QModelIndex() : createIndex(node.row, 0, static_cast<quintptr>(i));
      emit dataChanged(index(0, 0, parent), index(static_cast<int>(node.children.size()) - 1, kColumns - 1, parent));
    }
    return;
  }
  beginResetModel();
  trace_ = std::move(trace);
  build();
  endResetModel();
}

int TraceModel::add_node(int parent, Node node) {
  const int id = static_cast<int>(nodes_.size());
  node.parent = parent;
  node.row = static_cast<int>(nth(nodes_, parent).children.size());
  nodes_.push_back(std::move(node));
  nth(nodes_, parent).children.push_back(id);
  return id;
}

void TraceModel::build() {
  nodes_.assign(1, {});
  node_of_entry_.clear();
  operations_.clear();
  if (!trace_) return;
  operations_.resize(static_cast<std::size_t>(trace_->size()));
  std::vector<int> open;  // the branch that grows: a phase and its groups
  const auto node_at = [this](int id) -> const Node& { return nth(nodes_, id); };
  for (int i = 0; i < trace_->size(); ++i) {
    const Site& site = (*trace_)[i].site;
    const bool encode = is_encode(site);
    // What comes back later gets a second branch: the order of computation goes before tidiness.
    if (open.empty() || node_at(open[0]).encode != encode) {
      Node phase;
      phase.encode = encode;
      open = {add_node(0, std::move(phase))};
    }
    const std::vector<SiteGroups::Group> groups = groups_of(site).groups;
    std::size_t same = 0;
    while (same < groups.size() && same + 1 < open.size() && node_at(open[same + 1]).group == groups[same]) ++same;
    open.resize(same + 1);
    for (; same < groups.size(); ++same) {
      Node node;
      node.encode = encode;
      node.group = groups[same];
      open.push_back(add_node(open.back(), std::move(node)));
    }
    Node node;
    node.entry = i;
    node.encode = encode;
    node_of_entry_.push_back(add_node(open.back(), std::move(node)));
  }
}

QModelIndex TraceModel::index_of_entry(int entry) const {
  if (entry < 0 || entry >= static_cast<int>(node_of_entry_.size())) return {};
  const int id = nth(node_of_entry_, entry);
  return createIndex(nth(nodes_, id).row, 0, static_cast<quintptr>(id));
}

int TraceModel::entry_of(const QModelIndex& index) const {
  return index.isValid() ? nth(nodes_, index.internalId()).entry : -1;
}

QModelIndex TraceModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent)) return {};
  const std::size_t id = parent.isValid() ? static_cast<std::size_t>(parent.internalId()) : 0;
  return createIndex(row, column, static_cast<quintptr>(nth(nodes_[id].children, row)));
}

QModelIndex TraceModel::parent(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  const int id = nth(nodes_, index.internalId()).parent;
  return id <= 0 ? QModelIndex() : createIndex(nth(nodes_, id).row, 0, static_cast<quintptr>(id));
}

int TraceModel::rowCount(const QModelIndex& parent) const {
  if (nodes_.empty() || parent.column() > 0) return 0;
  const std::size_t id = parent.isValid() ? static_cast<std::size_t>(parent.internalId()) : 0;
  return static_cast<int>(nodes_[id].children.size());
}

int TraceModel::columnCount(const QModelIndex&) const { return kColumns; }

QString TraceModel::group_text(const Node& node) const {
  const Index step = node.group.step;
  if (!node.group.part.empty()) return part_in_words(node.group.part);
  if (step < 0) return node.encode ? tr("encode: read the source") : tr("decode: write the output");
  const QStringList& tokens = node.encode ? labels_.source : labels_.written;
  if (step >= tokens.size()) return tr("step %1").arg(counted(step));
  const QString text = node.encode ? tr("step %1: reads ‘%2’") : tr("step %1: writes ‘%2’");
  return text.arg(counted(step), tokens[static_cast<int>(step)]);
}

QString TraceModel::group_help(const Node& node) const {
  if (!node.group.part.empty())
    return tr("What this part of the model computes: a layer, a direction of reading, a head.");
  if (node.group.step < 0)
    return node.encode ? tr("The encoder reads the source, one token at a time.")
                       : tr("The decoder writes the output, one token at a time.");
  return node.encode ? tr("Everything that is computed while the encoder reads this token.")
                     : tr("Everything that is computed in order to write this token.");
}

const QString& TraceModel::operation(int entry) const {
  QString& text = nth(operations_, entry);
  if (text.isNull()) {
    const Op* op = trace_->operation(entry);
    text = op ? QString::fromUtf8(op->id) : tr("input");
  }
  return text;
}

QVariant TraceModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !trace_) return {};
  const Node& node = nth(nodes_, index.internalId());
  if (role == kEntryRole) return node.entry;
  if (node.entry < 0) {
    if (role == kFilterRole) return group_text(node);
    if (role == Qt::DisplayRole && index.column() == kSite) return group_text(node);
    if (role == Qt::ToolTipRole) return wrapped_tooltip(group_help(node));
    return {};
  }
  const TraceEntry& entry = (*trace_)[node.entry];
  switch (role) {
    case Qt::DisplayRole:
      switch (index.column()) {
        case kSite:
          return groups_of(entry.site).rest;
        case kTitle:
          return site_title(*entry.site.kind);
        case kOperation:
          return operation(node.entry);
        case kShape:
          return QString::fromStdString(entry.value.shape().text());
        default:
          return tr("%1 ms").arg(entry.seconds * 1e3, 0, 'f', 2);
      }
    case Qt::ToolTipRole:
      return wrapped_tooltip(site_help(*entry.site.kind) + (entry.edited ? tr(" You changed this value.") : QString()));
    case Qt::ForegroundRole:
      return entry.edited ? QVariant(theme().edited()) : QVariant();
    case Qt::TextAlignmentRole:
      return index.column() == kTime ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case kFilterRole:
      return QStringLiteral("%1\n%2 %3")
          .arg(QString::fromStdString(entry.site.text), site_in_words(entry.site), step_in_words(entry.site, labels_));
    default:
      return {};
  }
}

QVariant TraceModel::headerData(int section, Qt::Orientation orientation, int role) const {
  struct Heading {
    const char *title, *help;
  };
  static constexpr Heading kHeadings[] = {
      {QT_TR_NOOP("Value"), QT_TR_NOOP("The stable name of the value, as files and the command line write it")},
      {QT_TR_NOOP("Meaning"), QT_TR_NOOP("What the value is called in papers")},
      {QT_TR_NOOP("Operation"), QT_TR_NOOP("The operation that computed it")},
      {QT_TR_NOOP("Shape"), QT_TR_NOOP("Its size along each axis")},
      {QT_TR_NOOP("Time"), QT_TR_NOOP("When it was ready, since the start of the run")}};
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == Qt::ToolTipRole) return tr(kHeadings[section].help);
  return role == Qt::DisplayRole ? tr(kHeadings[section].title) : QVariant();
}

TraceFilter::TraceFilter(QObject* parent) : QSortFilterProxyModel(parent) { setRecursiveFilteringEnabled(true); }

void TraceFilter::set_text(const QString& text) {
  words_ = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  invalidateFilter();
}

bool TraceFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
  if (words_.isEmpty()) return true;
  const QString text = sourceModel()->index(row, 0, parent).data(TraceModel::kFilterRole).toString();
  const auto contains = [&](const QString& word) {
    const bool is_number = std::ranges::all_of(word, [](QChar c) { return c >= '0' && c <= '9'; });
    if (!is_number) return text.contains(word, Qt::CaseInsensitive);
    // A number is a whole one, and counted as people count: "step 3" does not mean step 13, nor ".step[3]".
    return text.mid(text.indexOf(QLatin1Char('\n')))
        .contains(QRegularExpression(QStringLiteral("(?<!\\d)%1(?!\\d)").arg(word)));
  };
  return std::ranges::all_of(words_, contains);
}

}  // namespace headlight
