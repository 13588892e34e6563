// The lines of our sentences on the screen: a number, both texts, what is said of the line below it, and a button that
// removes it.
#pragma once

#include <QIcon>
#include <QStyledItemDelegate>
#include <QTableView>
#include <vector>

namespace headlight {

class SentencesModel;

class SentencesDelegate : public QStyledItemDelegate {
  Q_OBJECT
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void set_bin(const QIcon& bin) { bin_ = bin; }  // of the theme
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const override;

 protected:
  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

 signals:
  void removeWanted(int row);

 private:
  void paint_reason(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
  QIcon bin_;
};

class SentencesTable : public QTableView {
  Q_OBJECT
 public:
  explicit SentencesTable(SentencesModel* model, QWidget* parent = nullptr);
  std::vector<int> chosen_rows() const;
  void go_to(int row);
  void show_newest();

 signals:
  void probeWanted(int row);  // keep this one out
  void probeGone();           // train on it after all

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit_rows();
  void fit_columns();

  SentencesModel* lines_;
};

}  // namespace headlight
