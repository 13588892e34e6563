#include "app/file_dialogs.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QScopeGuard>
#include <algorithm>

#include "app/settings.h"
#include "widgets/base/ask.h"

namespace headlight {

namespace {

QString answer(QFileDialog& dialog, const FileQuestion& question) {
  if (dialog.exec() != QDialog::Accepted) return {};
  const QString chosen = dialog.selectedFiles().value(0);
  if (!chosen.isEmpty()) remember_folder(question, chosen);
  return chosen;
}

// "png" of "Picture (*.png)".
QString ending_of(const QString& filter) { return filter.section(QStringLiteral("*."), 1).section(')', 0, 0); }

struct FigureTexts {
  Q_DECLARE_TR_FUNCTIONS(Export)
};

}  // namespace

FileQuestion figure_question(const QString& title, const QString& name) {
  return {"export",
          title,
          name,
          {FigureTexts::tr("Picture (*.png)"), FigureTexts::tr("Vector picture for slides and the web (*.svg)"),
           FigureTexts::tr("Document for papers (*.pdf)"), FigureTexts::tr("The numbers as a table (*.csv)"),
           FigureTexts::tr("The numbers as NumPy arrays (*.npz)"), FigureTexts::tr("The numbers as JSON (*.json)")}};
}

QString first_folder(const FileQuestion& question) {
  const QString last = question.kind ? UserSettings().folder(QString::fromUtf8(question.kind)) : QString();
  if (!last.isEmpty() && QDir(last).exists()) return last;
  return !question.begin.isEmpty() && QDir(question.begin).exists() ? question.begin : QDir::homePath();
}

void remember_folder(const FileQuestion& question, const QString& chosen) {
  if (question.kind) UserSettings().set_folder(QString::fromUtf8(question.kind), QFileInfo(chosen).absolutePath());
}

QString ask_for_folder(QWidget* parent, const FileQuestion& question) {
  QFileDialog dialog(parent, question.title, first_folder(question));
  dialog.setFileMode(QFileDialog::Directory);
  dialog.setOption(QFileDialog::ShowDirsOnly);
  return answer(dialog, question);
}

QString ask_for_file(QWidget* parent, const FileQuestion& question) {
  QFileDialog dialog(parent, question.title, first_folder(question));
  dialog.setFileMode(QFileDialog::ExistingFile);
  if (!question.filters.isEmpty()) dialog.setNameFilters(question.filters);
  return answer(dialog, question);
}

QString ask_where_to_write(QWidget* parent, const FileQuestion& question, QWidget* options) {
  QFileDialog dialog(parent, question.title, QDir(first_folder(question)).filePath(question.name));
  // They are the asker's, who reads them when the dialog is gone.
  const auto give_back = qScopeGuard([options] {
    if (options) options->setParent(nullptr);
  });
  if (options) {
    dialog.setOption(QFileDialog::DontUseNativeDialog);
    if (auto* grid = qobject_cast<QGridLayout*>(dialog.layout()))
      grid->addWidget(options, grid->rowCount(), 0, 1, grid->columnCount());
  }
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setNameFilters(question.filters);
  const QString path = answer(dialog, question), own = QFileInfo(path).suffix().toLower();
  const auto has_it = [&](const QString& filter) { return ending_of(filter) == own; };
  if (path.isEmpty() || std::ranges::any_of(question.filters, has_it)) return path;
  // Of this file the dialog did not know.
  const QString file = path + '.' + ending_of(dialog.selectedNameFilter());
  return may_write(parent, file) ? file : QString();
}

}  // namespace headlight
