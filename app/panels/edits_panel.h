// The list of what differs from the trained model on its own: settings, decoding, a forced output, edits; with ways to
// take each back.
#pragma once

#include <QWidget>

#include "app/panels/edits_model.h"

class QLabel;
class QListView;
class QPushButton;

namespace headlight {

class Sheet;

class EditsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit EditsPanel(QWidget* parent = nullptr);
  void set_differences(Differences differences);
  QListView* list() const { return list_; }
  // What the changes made of the run, below their list; empty: that is not known.
  void set_effect(const QString& effect);
  QString effect() const;

 signals:
  void removeRequested(const std::vector<headlight::Intervention>& edits);  // of one row
  void settingRemoved(const QString& key);
  void decodingReset();
  void targetRemoved();
  void clearRequested();  // all of it
  void keepRequested();   // the run as it is, to compare with
  void openRequested(const QString& site, qint64 cell);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void show_differences(Differences differences);
  void retranslate();
  void remove(int row);

  QLabel* empty_;
  Sheet* sheet_;  // around it
  QListView* list_;
  QLabel* effect_;
  EditsModel* model_;
  QPushButton *clear_, *keep_;
};

}  // namespace headlight
