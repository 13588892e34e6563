// The list is kept in the settings; a disk that is away for a day does not shorten it.

#include "app/document/recent.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QMenu>
#include <algorithm>
#include <filesystem>

#include "app/messages.h"
#include "model/io/formats/format.h"
#include "model/io/formats/pretrained/pretrained_folder.h"
#include "widgets/base/ask.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

bool exists(const RecentFiles::Entry& entry) {
  const std::filesystem::path path = bytes_of(entry.path);
  if (entry.kind == UserSettings::Recent::Kind::model) return format_of(path) != nullptr;
  std::error_code none;
  return std::filesystem::is_regular_file(path, none);
}

}  // namespace

void RecentFiles::add(Entry entry) {
  entry.path = QDir::cleanPath(QFileInfo(entry.path).absoluteFilePath());
  QList<Entry> all = settings_.recent();
  all.removeIf([&](const Entry& other) { return other.path == entry.path; });
  all.prepend(entry);
  settings_.set_recent(all.first(std::min<qsizetype>(all.size(), kMost)));
}

QList<RecentFiles::Entry> RecentFiles::existing() const {
  QList<Entry> all = settings_.recent();
  all.removeIf([](const Entry& entry) { return !exists(entry); });
  return all.first(std::min<qsizetype>(all.size(), kMost));
}

void RecentFiles::clear() { settings_.set_recent({}); }

void RecentFiles::fill(QMenu* menu) {
  menu->setToolTipsVisible(true);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] { rebuild(menu); });
  rebuild(menu);
}

void RecentFiles::rebuild(QMenu* menu) {
  menu->clear();
  const QList<Entry> entries = existing();
  int number = 0;
  for (const Entry& entry : entries) {
    const auto same_name = [&](const Entry& other) { return other.name == entry.name; };
    const bool ambiguous = std::count_if(entries.begin(), entries.end(), same_name) > 1;
    QString text =
        ambiguous ? tr("%1 in %2").arg(entry.name, QFileInfo(entry.path).absoluteDir().dirName()) : entry.name;
    text = message_text(text).replace('&', "&&");
    if (++number <= 9) text = QStringLiteral("&%1  %2").arg(number).arg(text);
    QAction* action = menu->addAction(text);
    const bool session = entry.kind == Entry::Kind::session;
    action->setToolTip(message_text((session ? tr("Session %1") : tr("Model %1")).arg(entry.path)));
    connect(action, &QAction::triggered, this,
            [this, session, path = entry.path] { emit session ? sessionChosen(path) : modelChosen(path); });
  }
  if (entries.isEmpty()) menu->addAction(tr("Nothing was opened yet"))->setEnabled(false);
  const std::vector<std::filesystem::path> cached = models_in_hub_cache();
  if (!cached.empty()) {
    menu->addSeparator();
    menu->addAction(tr("Models of the hub on this machine"))->setEnabled(false);
  }
  constexpr std::size_t kMostCached = 20;
  for (std::size_t i = 0; i < std::min(kMostCached, cached.size()); ++i) {
    const QString path = path_text(cached[i]);
    const QString name = message_text(from_utf8(model_name_of(cached[i]))).replace('&', "&&");
    QAction* action = menu->addAction(name, this, [this, path] { emit modelChosen(path); });
    action->setToolTip(message_text(tr("Model %1").arg(path)));
  }
  menu->addSeparator();
  QAction* forget = menu->addAction(tr("&Clear this list"), this, [this] {
    ask_to_lose(QApplication::activeWindow(),
                {tr("Clear the list of what was opened? The files stay where they are, the list cannot be brought "
                    "back."),
                 {},
                 tr("&Clear")},
                [this] { clear(); });
  });
  forget->setEnabled(!entries.isEmpty());
}

}  // namespace headlight
