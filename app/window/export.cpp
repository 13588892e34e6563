// Dialogs around the exports of the views and of the trace.

#include "app/window/export.h"

#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QPixmap>
#include <QProgressDialog>
#include <QWidget>

#include "app/settings.h"
#include "app/window/stepping_animation.h"
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

QString export_view(QWidget* parent, const QString& name, const std::function<void(const QString&)>& write,
                    UserSettings& settings) {
  return ask_and_write(parent, settings, text(QT_TRANSLATE_NOOP("Export", "Export the picture")), name + ".png",
                       {text(QT_TRANSLATE_NOOP("Export", "Picture (*.png)")),
                        text(QT_TRANSLATE_NOOP("Export", "Vector picture for slides and the web (*.svg)")),
                        text(QT_TRANSLATE_NOOP("Export", "Document for papers (*.pdf)")),
                        text(QT_TRANSLATE_NOOP("Export", "The numbers as a table (*.csv)"))},
                       write);
}

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

void copy_picture(QWidget& view) { QApplication::clipboard()->setPixmap(view.grab()); }

}  // namespace headlight
