// The list of what was changed in the run, with ways to take it back.
#pragma once

#include <QWidget>
#include <vector>

#include "model/trace/intervention.h"

class QLabel;
class QListWidget;
class QPushButton;

namespace headlight {

class EditsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit EditsPanel(QWidget* parent = nullptr);
  void set_edits(const std::vector<Intervention>& edits);
  QListWidget* list() const { return list_; }

 signals:
  void removeRequested(int index);
  void clearRequested();
  void openRequested(const QString& site, qint64 cell);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void refresh();
  void retranslate();
  std::vector<Intervention> edits_;
  QLabel* empty_;
  QListWidget* list_;
  QPushButton *remove_, *clear_;
};

}  // namespace headlight
