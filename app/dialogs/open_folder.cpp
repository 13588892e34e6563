#include "app/dialogs/open_folder.h"

#include <QDir>
#include <QFileDialog>
#include <QStandardPaths>
#include <QUrl>
#include <utility>

#include "app/document/drop.h"

namespace headlight {

QString desktop_folder() {
  const QString desktop = QStandardPaths::writableLocation(QStandardPaths::DesktopLocation);
  return !desktop.isEmpty() && QDir(desktop).exists() ? desktop : QDir::homePath();
}

void ask_what_to_open(QWidget* parent, const QString& title, TakePath take) {
  const FileQuestion question{"open", title, {}, {}, desktop_folder()};
  QFileDialog* dialog = file_dialog(parent, question);
  dialog->setOption(QFileDialog::DontUseNativeDialog);
  dialog->setFileMode(QFileDialog::ExistingFile);
  QList<QUrl> places = {QUrl(QStringLiteral("file:")), QUrl::fromLocalFile(QDir::homePath())};
  for (const auto place : {QStandardPaths::DesktopLocation, QStandardPaths::DownloadLocation})
    if (const QString folder = QStandardPaths::writableLocation(place);
        !folder.isEmpty() && QDir(folder).exists() && !places.contains(QUrl::fromLocalFile(folder)))
      places << QUrl::fromLocalFile(folder);
  dialog->setSidebarUrls(places);
  QObject::connect(dialog, &QFileDialog::directoryEntered, dialog, [dialog, question, take](const QString& folder) {
    if (classify_file(folder).kind == Dropped::Kind::nothing) return;
    dialog->reject();
    remember_folder(question, folder);
    take(folder);
  });
  open_file_dialog(dialog, question, std::move(take));
}

}  // namespace headlight
