// The command line that gives the same numbers, to be copied.
#pragma once

#include <QDialog>

namespace headlight {

class CommandDialog : public QDialog {
  Q_OBJECT
 public:
  // `before`: what has to be done first; empty: nothing.
  CommandDialog(const QString& command, const QString& before, QWidget* parent);
  QString command() const { return command_; }

 private:
  QString command_;
};

}  // namespace headlight
