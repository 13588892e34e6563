// The line below the picture: what it shows and what one can do with it; what is to be said of the last run and how
// long it took; and a way to stop one that takes long.
#pragma once

#include <QTimer>
#include <QWidget>

#include "widgets/canvas/captioned.h"

class QAction;
class QLabel;
class QProgressBar;
class QToolButton;

namespace headlight {

// The colours of a picture with their ends.
class KeyOfColours : public QWidget {
 public:
  explicit KeyOfColours(QWidget* parent);
  void set(const ColourKey& key);
  const ColourKey& key() const { return key_; }
  QString low() const;
  QString high() const;
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  int end() const;  // room for the longer of the ends
  ColourKey key_;
};

class StatusPanel : public QWidget {
  Q_OBJECT
 public:
  // How long a run may take before anybody is told that it goes on.
  static constexpr int kPatience = 500;  // milliseconds

  explicit StatusPanel(QAction* stop, QWidget* parent = nullptr);
  // Of the picture in front. Where there is little room, only what one can do is told.
  void set_caption(const QString& what, const QString& todo);
  // While somebody steps: so many of the rows are there, and what the last of them does. A click on it shows all.
  void set_stopped(int rows, int of, const QString& sentence = {});  // -1: nobody is stepping
  // To a room only what the picture shows is told, or what the step does that is on the stage.
  void set_presenting(bool presenting);
  void set_hint(const QString& hint);  // in front of all else; empty: none
  void set_key(const ColourKey& key);
  // A model is opened: nobody knows how long that takes.
  void set_loading(bool loading);
  void run_started();
  void run_progress(double fraction);
  void run_ended();
  // `size`: told when somebody clicks how long it took.
  void show_run(double seconds, const QStringList& notes, const QString& size);
  void say(const QString& text);  // for some seconds, in place of the caption
  void hush();                    // what was said is no longer about what is seen
  bool busy_shown() const;
  const KeyOfColours* key() const { return key_; }
  QToolButton* show_all() const { return all_; }
  // A training that goes on behind the picture; a click leads to it. Empty: none does.
  void set_training(const QString& text);
  QToolButton* training() const { return training_; }
  void set_end(QWidget* end);  // stands behind everything, where it is shown
  QString notes() const { return notes_.join(QStringLiteral("  ")); }
  QString size_told() const { return size_; }
  QString caption() const;  // all that stands there
  void retranslate();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void begin(bool loading);
  void refresh();
  void fit();
  QTimer patience_, saying_;
  QLabel *caption_, *todo_;
  QWidget* end_ = nullptr;
  KeyOfColours* key_;
  QProgressBar* progress_;
  QToolButton *stop_, *time_, *all_, *training_;
  int stopped_ = -1, stopped_of_ = 0;
  bool presenting_ = false, loading_ = false;
  double seconds_ = -1;
  QString what_, what_to_do_, said_, size_, sentence_, hint_;
  QStringList notes_;
};

}  // namespace headlight
