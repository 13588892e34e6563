// Dialogs around the exports of the views and of the trace.

#include "app/window/export.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QPixmap>
#include <QProgressDialog>
#include <QWidget>
#include <utility>

#include "app/window/actions.h"
#include "app/window/stepping_animation.h"
#include "app/window/window_panels.h"
#include "model/io/dump.h"

namespace headlight {

namespace {

QString text(const char* source) { return QCoreApplication::translate("Export", source); }

QString ask_and_write(QWidget* parent, UserSettings& settings, const QString& title, const QString& name,
                      const QStringList& filters, const std::function<void(const QString&)>& write) {
  QFileDialog dialog(parent, title, QDir(settings.export_folder()).filePath(name));
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setNameFilters(filters);
  const auto ending = [&] {
    const QString filter = dialog.selectedNameFilter();
    return filter.mid(filter.indexOf("*.") + 2).section(')', 0, 0);
  };
  dialog.setDefaultSuffix(ending());
  QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&] { dialog.setDefaultSuffix(ending()); });
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return {};
  const QString path = dialog.selectedFiles().constFirst();
  settings.set_export_folder(QFileInfo(path).absolutePath());
  try {
    write(path);
  } catch (const std::exception& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

// Empty: written, or the user thought better of it; else what went wrong. `name` without ending; `write` makes the
// file, in the format of its ending.
QString export_view(QWidget* parent, const QString& name, const std::function<void(const QString&)>& write,
                    UserSettings& settings) {
  return ask_and_write(parent, settings, text(QT_TRANSLATE_NOOP("Export", "Export the picture")), name + ".png",
                       {text(QT_TRANSLATE_NOOP("Export", "Picture (*.png)")),
                        text(QT_TRANSLATE_NOOP("Export", "Vector picture for slides and the web (*.svg)")),
                        text(QT_TRANSLATE_NOOP("Export", "Document for papers (*.pdf)")),
                        text(QT_TRANSLATE_NOOP("Export", "The numbers as a table (*.csv)"))},
                       write);
}

// Draws the walk through the computation while a box with a bar tells how far it is. `done` gets what went wrong.
void export_stepping(QWidget* parent, StepperView* stepper, Selection* selection, QWidget* view, const QString& name,
                     UserSettings& settings, const std::function<void(const QString&)>& done) {
  const auto draw = [&](const QString& path) {
    auto* animation = new SteppingAnimation(stepper, selection, view, path, SteppingAnimation::Frames::steps, parent);
    auto* box = new QProgressDialog(text(QT_TRANSLATE_NOOP("Export", "Drawing the steps of the computation…")),
                                    text(QT_TRANSLATE_NOOP("Export", "Stop")), 0, 0, parent);
    box->setWindowTitle(text(QT_TRANSLATE_NOOP("Export", "Export the stepping")));
    box->setWindowModality(Qt::WindowModal);
    box->setAutoClose(false);
    box->setAutoReset(false);
    QObject::connect(animation, &SteppingAnimation::progress, box, [box](int operation, int of) {
      box->setMaximum(of);
      box->setValue(operation);
    });
    QObject::connect(box, &QProgressDialog::canceled, animation, &SteppingAnimation::cancel);
    QObject::connect(animation, &SteppingAnimation::finished, parent, [animation, box, done](const QString& problem) {
      box->deleteLater();
      animation->deleteLater();
      done(problem);
    });
    box->show();
    animation->start();
  };
  const QString problem = ask_and_write(
      parent, settings, text(QT_TRANSLATE_NOOP("Export", "Export the stepping as an animation")), name + ".gif",
      {text(QT_TRANSLATE_NOOP("Export", "Animated picture for slides and the web (*.gif)")),
       text(QT_TRANSLATE_NOOP("Export", "Numbered pictures, one for each step (*.png)"))},
      draw);
  if (!problem.isEmpty()) done(problem);
}

QString export_trace(QWidget* parent, const Result& result, UserSettings& settings) {
  return ask_and_write(
      parent, settings, text(QT_TRANSLATE_NOOP("Export", "Export every number of the run")),
      suggested_name(result.source) + ".safetensors",
      {text(QT_TRANSLATE_NOOP("Export", "Named tensors (*.safetensors)")),
       text(QT_TRANSLATE_NOOP("Export", "NumPy arrays (*.npz)")), text(QT_TRANSLATE_NOOP("Export", "JSON (*.json)")),
       text(QT_TRANSLATE_NOOP("Export", "One number a row (*.csv)"))},
      [&](const QString& path) {
        dump_trace(*result.trace, path.toStdString(),
                   {{"model", result.model->name}, {"source", result.source}, {"output", result.output}});
      });
}

}  // namespace

QString suggested_name(const std::string& source) {
  QString name;
  for (const QChar c : QString::fromStdString(source).left(40).toLower()) {
    if (c.isLetterOrNumber())
      name += c;
    else if (!name.isEmpty() && !name.endsWith('-'))
      name += '-';
  }
  while (name.endsWith('-')) name.chop(1);
  return name.isEmpty() ? QStringLiteral("headlight") : name;
}

Exports::Exports(QWidget* window, const Actions& actions, const WindowPanels& panels, StepperView* stepper,
                 Selection* selection)
    : QObject(window), window_(window), panels_(panels), stepper_(stepper), selection_(selection) {
  const auto on = [&](const char* id, void (Exports::*what)()) {
    connect(actions[id], &QAction::triggered, this, what);
    actions_.push_back(actions[id]);
  };
  on("export", &Exports::export_picture);
  on("copy_picture", &Exports::copy_picture);
  on("export_stepping", &Exports::export_steps);
  on("export_trace", &Exports::export_numbers);
  set_result(nullptr);
}

void Exports::set_result(std::shared_ptr<const Result> result) {
  result_ = std::move(result);
  for (std::size_t i = 0; i < actions_.size(); ++i)
    actions_[i]->setEnabled(result_ && (i < 2 || result_->trace));  // pictures need no recorded run
}

void Exports::report(const QString& problem) {
  if (!problem.isEmpty()) emit failed(problem);
}

void Exports::export_picture() {
  const WindowPanels::Picture picture = panels_.picture();
  report(export_view(
      window_, picture.name, [&picture](const QString& path) { picture.write(path); }, settings_));
}

void Exports::copy_picture() { QApplication::clipboard()->setPixmap(panels_.picture().view->grab()); }

// Of the view that has the keyboard, where it follows the steps; else the whole window.
void Exports::export_steps() {
  const WindowPanels::Picture used = panels_.picture();
  const bool follows = used.has_keyboard && QStringList{"alignment", "outputs", "steps"}.contains(used.name);
  export_stepping(window_, stepper_, selection_, follows ? used.view : window_, suggested_name(result_->source),
                  settings_, [this](const QString& problem) { report(problem); });
}

void Exports::export_numbers() { report(export_trace(window_, *result_, settings_)); }

}  // namespace headlight
