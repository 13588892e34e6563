// Models and sessions that were open lately, for the menu.
#pragma once

#include <QObject>

#include "app/settings.h"

class QMenu;

namespace headlight {

class RecentFiles : public QObject {
  Q_OBJECT
 public:
  static constexpr int kMost = 12;
  using Entry = UserSettings::Recent;
  using QObject::QObject;

  // Puts it first; the oldest beyond kMost are forgotten.
  void add(Entry entry);
  // Those that exist now, the newest first.
  QList<Entry> existing() const;
  void clear();
  // Makes a menu that always shows what exists when it is opened.
  void fill(QMenu* menu);

 signals:
  void modelChosen(const QString& folder);
  void sessionChosen(const QString& path);

 private:
  void rebuild(QMenu* menu);
  UserSettings settings_;
};

}  // namespace headlight
