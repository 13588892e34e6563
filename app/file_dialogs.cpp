#include "app/file_dialogs.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <algorithm>
#include <utility>

#include "app/settings.h"
#include "widgets/base/ask.h"

namespace headlight {

namespace {

// "png" of "Picture (*.png)".
QString ending_of(const QString& filter) { return filter.section(QStringLiteral("*."), 1).section(')', 0, 0); }

// With its ending; empty: none.
QString with_ending(const QFileDialog& dialog, const FileQuestion& question) {
  const QString path = dialog.selectedFiles().value(0), own = QFileInfo(path).suffix().toLower();
  const auto has_it = [&](const QString& filter) { return ending_of(filter) == own; };
  if (path.isEmpty() || dialog.acceptMode() == QFileDialog::AcceptOpen || question.filters.isEmpty() ||
      std::ranges::any_of(question.filters, has_it))
    return path;
  return path + '.' + ending_of(dialog.selectedNameFilter());
}

struct FileTexts {
  Q_DECLARE_TR_FUNCTIONS(headlight::FileDialog)
};

// What Qt's dialog says before it is content is asked here: Qt waits for the answer.
class FileDialog : public QFileDialog {
 public:
  FileDialog(QWidget* parent, const FileQuestion& question)
      : QFileDialog(parent, question.title, first_folder(question)), question_(question) {}

 protected:
  void accept() override {
    const QString path = with_ending(*this, question_);
    const QFileInfo file(path);
    if (!is_qts() || path.isEmpty() || file.isDir()) return QFileDialog::accept();
    const auto yes = [this] { QFileDialog::accept(); };
    if (acceptMode() == AcceptSave) return before_writing(this, path, yes);
    file.exists() ? yes() : tell(this, FileTexts::tr("There is no file of this name: %1").arg(path));
  }

 private:
  bool is_qts() const { return layout() != nullptr; }  // not the desktop's, which asks itself

  FileQuestion question_;
};

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

QFileDialog* file_dialog(QWidget* parent, const FileQuestion& question) { return new FileDialog(parent, question); }

void open_file_dialog(QFileDialog* dialog, const FileQuestion& question, TakePath take) {
  QObject::connect(dialog, &QFileDialog::finished, dialog, &QObject::deleteLater);
  QObject::connect(dialog, &QFileDialog::accepted, dialog, [dialog, question, take = std::move(take)] {
    const QString path = with_ending(*dialog, question);
    if (path.isEmpty()) return;
    remember_folder(question, path);
    // The dialog of a desktop asked about the name without its ending.
    if (dialog->layout() || path == dialog->selectedFiles().value(0)) return take(path);
    before_writing(dialog->parentWidget(), path, [take, path] { take(path); });
  });
  dialog->open();
}

void ask_for_folder(QWidget* parent, const FileQuestion& question, TakePath take) {
  QFileDialog* dialog = file_dialog(parent, question);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  open_file_dialog(dialog, question, std::move(take));
}

void ask_for_file(QWidget* parent, const FileQuestion& question, TakePath take) {
  QFileDialog* dialog = file_dialog(parent, question);
  dialog->setFileMode(QFileDialog::ExistingFile);
  if (!question.filters.isEmpty()) dialog->setNameFilters(question.filters);
  open_file_dialog(dialog, question, std::move(take));
}

void ask_where_to_write(QWidget* parent, const FileQuestion& question, TakePath take, QWidget* options) {
  QFileDialog* dialog = file_dialog(parent, question);
  if (options) {
    dialog->setOption(QFileDialog::DontUseNativeDialog);
    if (auto* grid = qobject_cast<QGridLayout*>(dialog->layout()))
      grid->addWidget(options, grid->rowCount(), 0, 1, grid->columnCount());
  }
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  if (dialog->layout()) dialog->setOption(QFileDialog::DontConfirmOverwrite);
  dialog->setNameFilters(question.filters);
  dialog->selectFile(question.name);
  open_file_dialog(dialog, question, std::move(take));
}

}  // namespace headlight
