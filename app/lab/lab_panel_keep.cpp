// What is kept of a training: a model folder, a recording, the command line.

#include <QAction>
#include <QCursor>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>

#include "app/file_dialogs.h"
#include "app/lab/lab_panel.h"
#include "app/lab/setup/command_dialog.h"
#include "app/lab/setup/keep_training.h"
#include "app/lab/setup/lab_acts.h"
#include "app/lab/setup/lab_fields.h"
#include "app/lab/setup/training_words.h"
#include "model/recording/recording_file.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

void LabPanel::keep() {
  if (shown_->empty()) return;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  QAction* model = menu->addAction(tr("The model of this moment, as a folder…"));
  model->setEnabled(shown_->now().weights != nullptr);
  connect(model, &QAction::triggered, this, [this] { ask_where_to_keep(false); });
  connect(menu->addAction(tr("The whole recording, as a file…")), &QAction::triggered, this,
          [this] { ask_where_to_keep(true); });
  const QPushButton* button = acts_->keep();
  menu->popup(button->isVisible() ? button->mapToGlobal(QPoint(0, -menu->sizeHint().height())) : QCursor::pos());
}

// Words of people go along, which they have to be told before.
void LabPanel::ask_where_to_keep(bool recording) {
  if (shown_->empty()) return;
  const auto ask = [this, recording] {
    FileQuestion question{
        "training", recording ? tr("Save the recording") : tr("Save the model as a folder"),
        recording ? QStringLiteral("training") + QString::fromUtf8(kRecordingExtension) : QStringLiteral("my-model")};
    if (recording) question.filters = {tr("Recordings of trainings (*%1)").arg(QString::fromUtf8(kRecordingExtension))};
    ask_where_to_write(this, question, [this, recording](const QString& path) { save(recording, path); });
  };
  if (!is_of_people(shown_->runs()[static_cast<std::size_t>(shown_->side())]->settings)) return ask();
  auto* told = new QMessageBox(QMessageBox::Information, window()->windowTitle(),
                               tr("Words of your texts stand in what is saved, names of pupils among them."),
                               QMessageBox::NoButton, this);
  told->setAttribute(Qt::WA_DeleteOnClose);
  told->setTextFormat(Qt::PlainText);
  QPushButton* yes = told->addButton(tr("&Save…"), QMessageBox::AcceptRole);
  told->addButton(QMessageBox::Cancel);
  connect(told, &QMessageBox::buttonClicked, this, [yes, ask](QAbstractButton* button) {
    if (button == yes) ask();
  });
  told->open();
}

void LabPanel::save(bool recording, const QString& path) {
  const int side = shown_->side(), moment = shown_->moment(side);
  const LabShown::Run run = shown_->runs()[static_cast<std::size_t>(side)];
  saver_.start([recording, path, run, moment](const CancelToken&) {
    if (recording)
      keep_recording(bytes_of(path), *run);
    else
      keep_model(bytes_of(path), *run, moment);
    return path;
  });
}

// Of the run in front; before there is one, of the fields.
void LabPanel::show_command() {
  const bool made = !shown_->empty();
  const LabShown::Run run = made ? shown_->runs()[static_cast<std::size_t>(shown_->side())] : nullptr;
  const TrainingSettings settings = run ? run->settings : fields_->settings();
  const QString before =
      settings.task == "pairs" ? tr("First save the sentences as our-sentences.tsv (Our sentences, Save).") : QString();
  auto* dialog = new CommandDialog(from_utf8(command_line(settings, run ? run->probes : probes_)), before, this);
  dialog->open();
}

}  // namespace headlight
