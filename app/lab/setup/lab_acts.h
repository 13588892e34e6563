// What is done with a training: the one filled button that starts it, how far it is, and what can be done with it
// afterwards.
#pragma once

#include <QWidget>

#include "app/lab/lab_training.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace headlight {

class LabActs : public QWidget {
  Q_OBJECT
 public:
  explicit LabActs(LabTraining* training, QWidget* parent = nullptr);
  // Below the button, before it starts: "about 5 s on this machine".
  void set_estimate(const QString& sentence);
  QString estimate() const;
  QString progress_words() const;
  QString seconds_words() const;
  int progress() const;  // of 1000

  QPushButton* start() const { return start_; }
  QPushButton* pause() const { return pause_; }
  QPushButton* stop() const { return stop_; }
  QPushButton* again() const { return again_; }
  QPushButton* keep() const { return keep_; }
  QPushButton* command() const { return command_; }

 signals:
  void startAsked();
  void pauseAsked();  // or to go on
  void stopAsked();
  void againAsked();
  void keepAsked();
  void commandAsked();

 private:
  void make_layout();
  void show_state();
  void show_progress();
  void retranslate();

  LabTraining* training_;
  QPushButton *start_, *pause_, *stop_, *again_, *keep_, *command_;
  QProgressBar* bar_;
  QLabel *done_, *left_, *estimate_;
  QString estimate_text_;
};

}  // namespace headlight
