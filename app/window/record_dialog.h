// Makes a lesson from what the window shows: a state becomes a step, words are typed in both languages side by side.
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;

namespace headlight {

class MainWindow;

class RecordDialog : public QDialog {
  Q_OBJECT
 public:
  explicit RecordDialog(MainWindow* window);

 private:
  void record();
  void read();
  void show_words();
  void save_words();
  void move(int by);
  void remove();
  // Runs something that writes; says what is wrong.
  template <class Work>
  bool tried(const Work& work);

  MainWindow* window_;
  QLineEdit *folder_, *title_;
  QPlainTextEdit *english_, *chinese_;
  QListWidget* steps_;
  QPushButton *save_, *up_, *down_, *remove_, *preview_;
  QLabel* said_;
};

}  // namespace headlight
