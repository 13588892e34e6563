// The sessions that were not saved when their windows ended, each to be opened, kept or thrown away.
#pragma once

#include <QDialog>
#include <QList>

#include "app/jobs/session_opener.h"

class QLabel;
class QListWidget;
class QPushButton;

namespace headlight {

class UnsavedDialog : public QDialog {
  Q_OBJECT
 public:
  explicit UnsavedDialog(const QString& folder, QWidget* parent = nullptr);
  QListWidget* list() const { return list_; }
  QLabel* details() const { return details_; }

 public slots:
  void open_current();
  void discard_current();  // asks first

 signals:
  void openRequested(const QString& path);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Entry {
    QString path;
    SessionSummary summary;
  };
  void fill();
  void show_details();
  void discard();

  QString folder_;
  QList<Entry> entries_;
  QListWidget* list_;
  QLabel* details_;
  QPushButton *open_, *discard_;
};

}  // namespace headlight
