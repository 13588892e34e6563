// "What does it learn from which text?": the same small language model on one text or on two beside each other, what
// each goes on writing at its moments, and how far counting letters in a row comes.
#pragma once

#include <QVariantMap>
#include <QWidget>
#include <array>
#include <memory>

#include "app/lab/lab_shown.h"
#include "app/lab/lab_training.h"
#include "widgets/canvas/figure.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace headlight {

class TextSide;

class TextPage : public QWidget {
  Q_OBJECT
 public:
  // Follows the handle of the lab, and shows there what it trains; a recording of the task "text" that the lab shows is
  // taken onto a side.
  explicit TextPage(LabShown* shown, QWidget* parent = nullptr);
  ~TextPage() override;

  // A text file onto a side (0, 1). What cannot be read is said there, and nothing else changes.
  void open(int side, const QString& path);
  // A recording of the task "text", without training it here.
  void show_run(int side, LabShown::Run run);
  void train();  // the sides that have a text, one after the other
  void stop();   // keeps what there is
  bool busy() const;

  TextSide* side(int side) const { return sides_[static_cast<std::size_t>(side)]; }
  QString sentence() const;  // what the numbers say, at the foot
  // The one handle of both sides: characters read; the newest moment where it was not moved.
  void go_to_read(double read);

  Figure figure();              // of both sides; throws UsageError where there is nothing
  QVariantMap choices() const;  // files, start, dice, settings: for sessions; taking them believes nothing
  void set_choices(const QVariantMap& choices);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QWidget* make_head();
  QWidget* make_fields();
  QWidget* make_foot();
  void start_side(int side);
  void training_changed();
  void show_plan();  // size, estimate, what cannot be
  void show_sentence();
  void retranslate();

  std::array<TextSide*, 2> sides_;
  std::array<std::unique_ptr<LabTraining>, 2> trainings_;
  QLabel *title_, *caption_, *size_, *sentence_, *hint_;
  QLineEdit* start_;
  QSpinBox *dice_, *width_, *layers_;
  QComboBox *tokens_, *architecture_;
  QPushButton *train_, *stop_;
  int waiting_ = -1;  // the side that is trained when the other has finished
  double read_ = -1;  // the handle; -1: goes with the newest moment
};

}  // namespace headlight
