// The list of models that opens below the name of the one that runs: in groups, with the year, the text that it reads
// and one line for each, and a field that finds a model, an idea or a year. The arrow keys show each model at once; Esc
// brings the one before back.
#pragma once

#include <QFrame>
#include <vector>

class QLabel;
class QLineEdit;
class QListView;
class QPushButton;
class QStandardItemModel;

namespace headlight {

class ModelPicker : public QFrame {
  Q_OBJECT
 public:
  struct Row {
    QString group, folder, title, line;
    int year = 0;        // 0: not known
    QString reads = {};  // which text it reads
  };
  explicit ModelPicker(QWidget* parent);
  void set_rows(std::vector<Row> rows);
  // Below this widget, with this model chosen.
  void open_below(QWidget* anchor, const QString& folder);
  QLineEdit* filter() const { return filter_; }
  QListView* list() const { return list_; }
  QLabel* none() const { return none_; }  // says that nothing was found
  QStringList shown() const;              // folders that match, in their order

 signals:
  void lookedAt(const QString& folder);
  void lookedBack();  // nothing was chosen
  void chosen(const QString& folder);
  void otherWanted();  // a folder of the person's

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void fill();
  int wanted_width() const;
  void choose(const QModelIndex& index);
  void step(int by);
  void retranslate();

  std::vector<Row> rows_;
  QString current_;
  bool looking_ = false;
  QLineEdit* filter_;
  QListView* list_;
  QLabel* none_;  // in its place
  QStandardItemModel* model_;
  QPushButton* other_;
  QLabel* help_;
};

}  // namespace headlight
