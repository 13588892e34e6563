// Labels in the status bar; the progress bar appears only for runs that take long.

#include "app/window/status_panel.h"

#include <QAction>
#include <QLabel>
#include <QProgressBar>
#include <QStatusBar>
#include <QToolButton>
#include <cmath>

#include "widgets/text/token_text.h"

namespace headlight {

StatusPanel::StatusPanel(QStatusBar* bar, QAction* stop)
    : QObject(bar),
      notes_(new QLabel(bar)),
      time_(new QLabel(bar)),
      progress_(new QProgressBar(bar)),
      stop_(new QToolButton(bar)) {
  notes_->setTextFormat(Qt::PlainText);
  notes_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  notes_->setObjectName(QStringLiteral("notes"));
  notes_->setMargin(3);
  time_->setMargin(3);
  progress_->setMaximumWidth(160);
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  stop_->setDefaultAction(stop);
  stop_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  stop_->setAutoRaise(true);
  bar->addWidget(notes_, 1);
  bar->addPermanentWidget(progress_);
  bar->addPermanentWidget(stop_);
  bar->addPermanentWidget(time_);
  patience_.setSingleShot(true);
  patience_.setInterval(kPatience);
  connect(&patience_, &QTimer::timeout, this, [this] {
    progress_->show();
    stop_->show();
  });
  run_ended();
}

void StatusPanel::run_started() {
  if (!patience_.isActive() && progress_->isHidden()) {
    progress_->setValue(0);
    patience_.start();
  }
}

void StatusPanel::run_progress(double fraction) { progress_->setValue(static_cast<int>(std::lround(1000 * fraction))); }

void StatusPanel::run_ended() {
  patience_.stop();
  progress_->hide();
  stop_->hide();
}

bool StatusPanel::busy_shown() const { return !progress_->isHidden(); }
QString StatusPanel::notes() const { return notes_->text(); }

void StatusPanel::show_run(double seconds, const QStringList& notes, const QString& size) {
  seconds_ = seconds;
  note_texts_ = notes;
  size_ = size;
  refresh();
}

void StatusPanel::retranslate() {
  progress_->setAccessibleName(tr("Progress of the run"));
  time_->setToolTip(tr("How long the last run of the model took, with every number kept."));
  refresh();
}

void StatusPanel::refresh() {
  const QString notes = note_texts_.join(QStringLiteral("  "));
  notes_->setText(notes.isEmpty() ? size_ : notes);
  notes_->setToolTip(
      note_texts_.isEmpty()
          ? plain_tooltip(
                tr("Parameters are what training found; the numbers of a run are what the model computes from "
                   "them for this text. You can look at each of both."))
          : plain_tooltip((note_texts_ + QStringList{size_}).join('\n')));
  if (seconds_ < 0)
    time_->clear();
  else
    time_->setText(tr("Run: %1 ms").arg(1000 * seconds_, 0, 'f', seconds_ < 0.1 ? 1 : 0));
}

}  // namespace headlight
