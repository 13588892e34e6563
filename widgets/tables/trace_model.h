// A trace as a tree: encode / decode -> groups (layer, direction, step, head) in the order of the name -> site.
#pragma once

#include <QAbstractItemModel>
#include <QSortFilterProxyModel>
#include <memory>
#include <vector>

#include "model/trace/trace.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

class TraceModel : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Column { kSite, kTitle, kOperation, kShape, kTime, kColumns };
  enum Role {
    kEntryRole = Qt::UserRole,  // int: trace entry, -1 for a group
    kFilterRole,                // QString: everything that a filter text may match
  };
  using QAbstractItemModel::QAbstractItemModel;

  // A trace with the same sites as before keeps the tree (expanded branches, current row) as it is.
  void set_trace(std::shared_ptr<const Trace> trace, TraceLabels labels);
  const std::shared_ptr<const Trace>& trace() const { return trace_; }

  QModelIndex index_of_entry(int entry) const;
  int entry_of(const QModelIndex& index) const;  // -1 for a group

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Node {
    int parent = -1;
    int row = 0;
    int entry = -1;           // a site
    SiteGroups::Group group;  // of a step or a part of the model; a phase has neither
    bool encode = false;      // phase of the node
    std::vector<int> children;
  };
  void build();
  int add_node(int parent, Node node);
  QString group_text(const Node& node) const;
  QString group_help(const Node& node) const;
  const QString& operation(int entry) const;

  std::shared_ptr<const Trace> trace_;
  TraceLabels labels_;
  std::vector<Node> nodes_;  // nodes_[0] is the invisible root
  std::vector<int> node_of_entry_;
  mutable std::vector<QString> operations_;  // found when first shown: null until then
};

// Keeps a branch when the branch or anything in it contains all words of the filter text.
class TraceFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit TraceFilter(QObject* parent = nullptr);
  void set_text(const QString& text);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QStringList words_;
};

}  // namespace headlight
