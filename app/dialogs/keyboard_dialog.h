// Help > Keyboard: every key, made from the tables that the program itself obeys: of painted views
// (widgets/canvas/canvas_keys.h), of stepping, of presenting and of actions.
#pragma once

#include <QDialog>
#include <QList>

class QLabel;
class QLineEdit;
class QTableWidget;

namespace headlight {

class KeyboardDialog : public QDialog {
  Q_OBJECT
 public:
  explicit KeyboardDialog(QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fill();
  void add_group(const QString& title);
  void add_row(const QString& keys, const QString& what, const QString& tooltip = {});
  void show_matching(const QString& text);

  QLineEdit* filter_;
  QTableWidget* table_;
  QLabel* none_;      // in its place
  QList<int> groups_;  // rows that are titles
};

}  // namespace headlight
