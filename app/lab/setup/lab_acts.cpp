#include "app/lab/setup/lab_acts.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/lab/setup/training_words.h"
#include "widgets/base/controls.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {
constexpr int kWholeBar = 1000;
using ActState = LabTraining::State;
}  // namespace

LabActs::LabActs(LabTraining* training, QWidget* parent)
    : QWidget(parent),
      training_(training),
      start_(new QPushButton(this)),
      pause_(new QPushButton(this)),
      stop_(new QPushButton(this)),
      again_(new QPushButton(this)),
      keep_(new QPushButton(this)),
      command_(new QPushButton(this)),
      bar_(new QProgressBar(this)),
      done_(new QLabel(this)),
      left_(new QLabel(this)),
      estimate_(text_label(this)) {
  start_->setProperty(kLook, QByteArray("main"));
  start_->setObjectName(QStringLiteral("lab_start"));
  bar_->setRange(0, kWholeBar);
  bar_->setTextVisible(false);
  bar_->setFixedHeight(space::kTight + 2 * space::kHair);
  estimate_->setAlignment(Qt::AlignHCenter);
  for (QLabel* label : {done_, left_, estimate_}) set_ink(label, &Tokens::ink2);
  make_layout();
  connect(start_, &QPushButton::clicked, this, &LabActs::startAsked);
  connect(pause_, &QPushButton::clicked, this, &LabActs::pauseAsked);
  connect(stop_, &QPushButton::clicked, this, &LabActs::stopAsked);
  connect(again_, &QPushButton::clicked, this, &LabActs::againAsked);
  connect(keep_, &QPushButton::clicked, this, &LabActs::keepAsked);
  connect(command_, &QPushButton::clicked, this, &LabActs::commandAsked);
  connect(training_, &LabTraining::stateChanged, this, &LabActs::show_state);
  connect(training_, &LabTraining::progressed, this, &LabActs::show_progress);
  retranslate();
  retranslates(this, [this] { retranslate(); });
}

void LabActs::make_layout() {
  auto* column = column_in(this, space::kSmall);
  const auto pair = [&](QWidget* first, QWidget* second, int stretch) {
    auto* row = new QHBoxLayout;
    row->setSpacing(space::kMedium);
    row->addWidget(first, 1);
    row->addWidget(second, stretch);
    column->addLayout(row);
  };
  column->addWidget(bar_);
  pair(done_, left_, 0);
  pair(pause_, stop_, 1);
  pair(keep_, again_, 1);
  column->addWidget(start_);
  column->addWidget(command_, 0, Qt::AlignHCenter);
  command_->setFlat(true);
  column->addWidget(estimate_);
}

void LabActs::set_estimate(const QString& sentence) {
  estimate_text_ = sentence;
  show_state();
}

QString LabActs::estimate() const { return estimate_->isHidden() ? QString() : estimate_->text(); }
QString LabActs::progress_words() const { return done_->text(); }
QString LabActs::seconds_words() const { return left_->text(); }
int LabActs::progress() const { return bar_->value(); }

void LabActs::show_state() {
  const ActState state = training_->state();
  const bool runs = training_->busy() || state == ActState::paused;
  const bool made = !runs && training_->recording() && !training_->recording()->moments.empty();
  for (QWidget* each : {static_cast<QWidget*>(bar_), static_cast<QWidget*>(done_), static_cast<QWidget*>(left_),
                        static_cast<QWidget*>(pause_), static_cast<QWidget*>(stop_)})
    each->setVisible(runs);
  start_->setVisible(!runs);
  again_->setVisible(made);
  keep_->setVisible(made);
  command_->setVisible(!runs);
  pause_->setText(state == ActState::paused ? tr("Go on") : tr("Pause"));
  stop_->setEnabled(state != ActState::preparing);
  estimate_->setText(runs ? tr("Typing stays as fast as always.") : estimate_text_);
  estimate_->setVisible(!estimate_->text().isEmpty());
  show_progress();
}

void LabActs::show_progress() {
  const LiveProgress& now = training_->progress();
  if (training_->state() == ActState::preparing || now.updates == 0) {
    bar_->setValue(0);
    done_->setText(tr("Making the data and the model…"));
    left_->clear();
    return;
  }
  bar_->setValue(static_cast<int>(kWholeBar * now.update / std::max<Index>(1, now.updates)));
  const auto recording = training_->recording();
  const int epochs = recording ? recording->settings.epochs : 1;
  const Index per_epoch = std::max<Index>(1, now.updates / std::max(1, epochs));
  const QLocale numbers;
  done_->setText(epochs > 1 ? tr("%1 of %2 times through")
                                  .arg(numbers.toString(qlonglong{now.update / per_epoch}), numbers.toString(epochs))
                            : tr("%1 sentences read").arg(numbers.toString(qlonglong{now.read})));
  left_->setText(training_->state() == ActState::paused ? tr("paused")
                                                        : tr("%1 left").arg(duration_words(now.seconds_left)));
  bar_->setAccessibleDescription(tr("%1, %2").arg(done_->text(), left_->text()));
}

void LabActs::retranslate() {
  start_->setText(tr("Start"));
  describe(start_, tr("Start"), tr("Trains a model with these settings (Ctrl+Enter)"));
  describe(pause_, tr("Pause"), tr("Stops between two updates, and goes on from there (Space)"));
  stop_->setText(tr("Stop here"));
  describe(stop_, tr("Stop here"), tr("Ends the training and keeps what there is (Ctrl+.)"));
  again_->setText(tr("With another seed"));
  describe(again_, tr("Again with another seed"),
           tr("The same with other numbers to begin with; this run stays as a thin line"));
  keep_->setText(tr("Keep it…"));
  describe(keep_, tr("Keep it…"), tr("Saves the model of the moment in front, or the whole recording"));
  command_->setText(tr("Show the command line"));
  describe(command_, tr("Show the command line"), tr("What gives the same numbers in a terminal"));
  describe(bar_, tr("How far the training is"), {});
  show_state();
}

}  // namespace headlight
