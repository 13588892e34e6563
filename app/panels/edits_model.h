// The rows of the list of what differs. Texts are made for the rows that are looked at: there may be thousands.
#pragma once

#include <QAbstractListModel>
#include <QStyledItemDelegate>
#include <memory>
#include <optional>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

// What the document asks for.
struct Differences {
  std::shared_ptr<const ModelBundle> model;  // with its changed settings
  DecodeSettings decode;
  std::optional<QString> target;
  std::vector<Intervention> edits;
  std::shared_ptr<const Result> result;  // the newest, for the names of tokens and steps; may be null
};

class EditsModel : public QAbstractListModel {
  Q_OBJECT
 public:
  using QAbstractListModel::QAbstractListModel;
  void set(Differences differences);
  const Differences& shown() const { return shown_; }

  enum class Kind { setting, decoding, target, edit };
  struct Row {
    Kind kind = Kind::edit;
    QString text = {}, help = {}, key = {};  // of an edit: made when it is asked for; key: of a setting
    std::vector<int> edits = {};             // that say the same: of the prompt and of the steps, of all heads
  };
  Row row(int at) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  Differences shown_;
  std::vector<Row> others_;  // in front of the edits
  std::vector<std::vector<int>> groups_;
};

// Whole sentences, marked as changes, with a button at the end of each row, which takes the row back.
class EditsDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  static constexpr int kEdge = 24;  // of a card, at its left and right
  using QStyledItemDelegate::QStyledItemDelegate;
  QRect button(const QStyleOptionViewItem& option) const;

 signals:
  void removeRequested(int row);

 protected:
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

 private:
  QRectF text_room(const QStyleOptionViewItem& option) const;
};

}  // namespace headlight
