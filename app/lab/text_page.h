// "What does it learn from which text?": the same small language model on one text or on two beside each other, what
// each goes on writing at its moments, and how far counting letters in a row comes.
#pragma once

#include <QPointer>
#include <QVariantMap>
#include <QWidget>
#include <array>
#include <deque>
#include <memory>

#include "app/lab/lab_data.h"
#include "app/lab/lab_shown.h"
#include "app/lab/lab_training.h"
#include "app/lab/setup/training_estimate.h"
#include "app/lab/texts/text_plan.h"
#include "widgets/canvas/figure.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPainter;
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
  void open_examples();  // the texts that come with the program, where no side has one yet
  bool busy() const;
  TextSide* side(int side) const { return sides_[static_cast<std::size_t>(side)]; }
  LabTraining& training(int side) { return *trainings_[static_cast<std::size_t>(side)]; }
  const TextPlan& plan() const { return plan_; }
  QString sentence() const;  // what the numbers say, at the foot
  LabData data() const;      // of the first side that has a text, for the panel "What is trained"

  Figure figure();              // of both sides; throws UsageError where there is nothing
  QVariantMap choices() const;  // files and fields, for sessions; taking them believes nothing
  void set_choices(const QVariantMap& choices);

 public slots:
  void train();           // the sides that have a text, one after the other (Ctrl+Enter)
  void pause_or_go_on();  // Space
  void stop();            // keeps what there is (Ctrl+.)

 signals:
  void textChanged();  // data()

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  TextSide* make_side(int side);
  void text_opened(int side);
  void make_fields();
  QWidget* make_field_row();
  QWidget* make_foot();
  void plan_changed();
  void fill_fields();
  void train_next();
  void trained(int side);
  void training_changed(int side);
  void follow_lab();
  void feed();
  void choose(int side, int moment);
  bool ours_are_shown() const;
  void refresh();
  void show_words();
  void ask_estimate();
  QString caption() const;
  QString hint() const;
  QString state(int side) const;
  void export_figure();
  void paint_figure(QPainter& painter) const;
  void show_tables(bool shown);
  void retranslate();

  const QPointer<LabShown> shown_;
  TextPlan plan_;
  std::array<TextSide*, 2> sides_ = {};
  std::array<std::unique_ptr<LabTraining>, 2> trainings_;
  std::array<LabShown::Run, 2> runs_;
  std::array<TrainingEstimate*, 2> estimates_ = {};
  std::array<TrainingMeasured, 2> measured_;
  std::vector<LabShown::Run> before_;  // that the lab showed before this page was seen
  std::deque<int> queue_;              // sides that are still to be trained
  bool feeding_ = false, filling_ = false;
  QLabel *title_, *caption_, *sentence_, *hint_, *problem_;
  QLabel *start_label_, *dice_label_, *tokens_label_, *model_label_, *width_label_, *layers_label_;
  QLineEdit* start_;
  QSpinBox *dice_, *width_, *layers_;
  QComboBox *tokens_, *model_;
  QPushButton *train_, *pause_, *stop_, *table_, *export_;
};

}  // namespace headlight
