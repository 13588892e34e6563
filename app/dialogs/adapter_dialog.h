// Which model an adapter lies over: those that are known and that it fits, or another one.
#pragma once

#include <QDialog>
#include <QStringList>

class QListWidget;
class QPushButton;

namespace headlight {

// "BASE + /ADAPTER" for each of these models that the adapter fits, those that it lay over before first.
QStringList bases_that_fit(const QString& adapter, const QStringList& models);

class AdapterDialog : public QDialog {
  Q_OBJECT
 public:
  // `places`: bases_that_fit().
  AdapterDialog(const QString& adapter, const QStringList& places, QWidget* parent = nullptr);
  QListWidget* list() const { return list_; }
  void choose(const QString& base);

 signals:
  void openWanted(const QString& place);    // of both
  void lookWanted(const QString& adapter);  // at its tensors

 private:
  void open_current();

  QString adapter_;
  QListWidget* list_;
  QPushButton* open_;
};

}  // namespace headlight
