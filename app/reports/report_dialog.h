// Help → Report a problem: all that helps to mend a problem, as one text to read first, then to copy or to keep as a
// file. Nothing is sent.
#pragma once

#include <QDialog>

class QCheckBox;
class QLabel;
class QPlainTextEdit;

namespace headlight {

class ReportDialog : public QDialog {
  Q_OBJECT
 public:
  // `open`: the model, the settings and the text that are open, as a session; empty where none are.
  explicit ReportDialog(const QByteArray& open, QWidget* parent = nullptr);
  QString text() const;
  QCheckBox* with_session() const { return with_session_; }

 public slots:
  void copy();
  void save();

 private:
  void fill();

  QByteArray open_;
  QString last_;  // the newest report of a crash; empty: there is none
  QPlainTextEdit* text_;
  QCheckBox* with_session_;
  QLabel* said_;
};

}  // namespace headlight
