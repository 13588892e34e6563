#include "app/stage/arrangement.h"

#include <QDockWidget>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMainWindow>

namespace headlight {

namespace {

constexpr std::array kSlots = {"main", "side", "below"};
constexpr int kMostSaved = 20, kMostPanels = 40;

QStringList strings(const QJsonValue& value, int most) {
  QStringList found;
  for (const QJsonValue& each : value.toArray())
    if (each.isString() && each.toString().size() <= 100 && found.size() < most && !found.contains(each.toString()))
      found << each.toString();
  return found;
}

QList<int> sizes(const QJsonValue& value) {
  QList<int> found;
  for (const QJsonValue& each : value.toArray())
    if (found.size() < 2) found << std::clamp(each.toInt(), 0, 100'000);
  return found.size() == 2 ? found : QList<int>();
}

QJsonArray array(const QList<int>& numbers) {
  QJsonArray made;
  for (const int each : numbers) made << each;
  return made;
}

QJsonObject written(const Arrangement& arrangement) {
  QJsonObject object;
  for (std::size_t i = 0; i < kSlots.size(); ++i)
    object[QLatin1String(kSlots[i])] = QJsonArray::fromStringList(arrangement.panels[i]);
  if (!arrangement.across.isEmpty()) object[QStringLiteral("across")] = array(arrangement.across);
  if (!arrangement.down.isEmpty()) object[QStringLiteral("down")] = array(arrangement.down);
  return object;
}

Arrangement arrangement_of(const QJsonObject& object) {
  Arrangement made;
  for (std::size_t i = 0; i < kSlots.size(); ++i)
    made.panels[i] = strings(object[QLatin1String(kSlots[i])], kMostPanels);
  made.across = sizes(object[QStringLiteral("across")]);
  made.down = sizes(object[QStringLiteral("down")]);
  return made;
}

// A name as QMainWindow::saveState() writes it.
QByteArray dock_name(const QString& name) {
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  stream << name;
  return bytes;
}

// What a window of docks was: those that were windows of their own still are. Qt alone can read its own state.
Arrangements of_docks(QByteArray state, const QStringList& names) {
  state.replace(dock_name(QStringLiteral("computation")), dock_name(QStringLiteral("map")));  // its name before
  Arrangements made;
  QMainWindow window;
  for (const QString& name : names) {
    auto* dock = new QDockWidget(&window);
    dock->setObjectName(name);
    window.addDockWidget(Qt::TopDockWidgetArea, dock);
  }
  if (!window.restoreState(state)) return made;
  for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
    if (dock->isFloating() && !dock->isHidden()) made.out[dock->objectName()] = dock->saveGeometry();
  return made;
}

}  // namespace

Arrangement Arrangements::first(const QString& name) {
  Arrangement made;
  if (name == QLatin1String("explain")) {
    made[Slot::side] = {QStringLiteral("inspector")};
    made[Slot::below] = {QStringLiteral("explain")};
  } else if (name == QLatin1String("change")) {
    made[Slot::side] = {QStringLiteral("differences"), QStringLiteral("mechanism")};
  } else if (name == QLatin1String("compare")) {
    made[Slot::main] = {QStringLiteral("compare")};
    made[Slot::below] = {QStringLiteral("history")};
    made.down = {680, 250};  // shares
  }
  return made;
}

QByteArray Arrangements::json() const {
  QJsonObject object, arrangements, windows;
  for (auto each = all.begin(); each != all.end(); ++each)
    if (saved.contains(each.key()) || each.value() != first(each.key())) arrangements[each.key()] = written(*each);
  for (auto each = out.begin(); each != out.end(); ++each) windows[each.key()] = QString::fromLatin1(each->toBase64());
  object[QStringLiteral("current")] = current == QLatin1String(kStart) ? QLatin1String(kNames[0]) : current;
  object[QStringLiteral("front")] = front;
  object[QStringLiteral("arrangements")] = arrangements;
  object[QStringLiteral("saved")] = QJsonArray::fromStringList(saved);
  object[QStringLiteral("out")] = windows;
  return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

Arrangements Arrangements::read(const QByteArray& state, const QStringList& names) {
  const QJsonDocument document = QJsonDocument::fromJson(state);
  if (!document.isObject()) return of_docks(state, names);
  const QJsonObject object = document.object();
  Arrangements made;
  const QJsonObject arrangements = object[QStringLiteral("arrangements")].toObject();
  made.saved = strings(object[QStringLiteral("saved")], kMostSaved);
  QStringList known = made.saved;
  for (const char* name : kNames) known << QLatin1String(name);
  for (const QString& name : known)
    if (arrangements[name].isObject()) made.all[name] = arrangement_of(arrangements[name].toObject());
  if (known.contains(object[QStringLiteral("current")].toString()))
    made.current = object[QStringLiteral("current")].toString();
  if (const QString front = object[QStringLiteral("front")].toString(); names.contains(front)) made.front = front;
  const QJsonObject windows = object[QStringLiteral("out")].toObject();
  for (const QString& name : names)
    if (windows[name].isString()) made.out[name] = QByteArray::fromBase64(windows[name].toString().toLatin1());
  return made;
}

}  // namespace headlight
