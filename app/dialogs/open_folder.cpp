#include "app/dialogs/open_folder.h"

#include <QDir>
#include <QFileDialog>
#include <QStandardPaths>
#include <QUrl>

#include "app/document/drop.h"
#include "app/file_dialogs.h"

namespace headlight {

QString desktop_folder() {
  const QString desktop = QStandardPaths::writableLocation(QStandardPaths::DesktopLocation);
  return !desktop.isEmpty() && QDir(desktop).exists() ? desktop : QDir::homePath();
}

QString ask_what_to_open(QWidget* parent, const QString& title) {
  const FileQuestion question{"open", title, {}, {}, desktop_folder()};
  QFileDialog dialog(parent, title, first_folder(question));
  dialog.setOption(QFileDialog::DontUseNativeDialog);
  dialog.setFileMode(QFileDialog::ExistingFile);
  QList<QUrl> places = {QUrl(QStringLiteral("file:")), QUrl::fromLocalFile(QDir::homePath())};
  for (const auto place : {QStandardPaths::DesktopLocation, QStandardPaths::DownloadLocation})
    if (const QString folder = QStandardPaths::writableLocation(place);
        !folder.isEmpty() && QDir(folder).exists() && !places.contains(QUrl::fromLocalFile(folder)))
      places << QUrl::fromLocalFile(folder);
  dialog.setSidebarUrls(places);
  QString entered;
  QObject::connect(&dialog, &QFileDialog::directoryEntered, &dialog, [&](const QString& folder) {
    if (classify_file(folder).kind == Dropped::Kind::nothing) return;
    entered = folder;
    static_cast<QDialog&>(dialog).done(QDialog::Accepted);
  });
  if (!dialog.exec()) return {};
  const QString chosen = !entered.isEmpty() ? entered : dialog.selectedFiles().value(0);
  if (!chosen.isEmpty()) remember_folder(question, chosen);
  return chosen;
}

}  // namespace headlight
