// What the status bar says about the last run, and a way to stop one that takes long.
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QStatusBar;
class QToolButton;

namespace headlight {

class StatusPanel : public QObject {
  Q_OBJECT
 public:
  // How long a run may take before anybody is told that it goes on.
  static constexpr int kPatience = 500;  // milliseconds

  StatusPanel(QStatusBar* bar, QAction* stop);
  void run_started();
  void run_progress(double fraction);
  void run_ended();
  // `size`: what to say where there are no notes.
  void show_run(double seconds, const QStringList& notes, const QString& size);
  bool busy_shown() const;
  QString notes() const;
  void retranslate();

 private:
  void refresh();
  QTimer patience_;
  QLabel *notes_, *time_;
  QProgressBar* progress_;
  QToolButton* stop_;
  double seconds_ = -1;
  QStringList note_texts_;
  QString size_;
};

}  // namespace headlight
