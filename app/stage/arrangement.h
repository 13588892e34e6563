// How the window is arranged: which panels stand in which slot, for each of the four ways to work; as JSON in settings
// and sessions.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QString>
#include <QStringList>
#include <array>

namespace headlight {

struct ViewRow;

// Slots of the stage. The first panel of main is the picture in front: the names above it choose it.
enum class Slot { main, side, below };

struct Arrangement {
  std::array<QStringList, 3> panels;  // by slot; main without a picture: the one that was in front before
  QList<int> across, down;            // sizes of the stage: picture and side, picture and below; empty: as it was
  QStringList& operator[](Slot slot) { return panels[static_cast<std::size_t>(slot)]; }
  const QStringList& operator[](Slot slot) const { return panels[static_cast<std::size_t>(slot)]; }
  bool operator==(const Arrangement&) const = default;
};

// The four that the program has, and those that a person saved, under their names.
struct Arrangements {
  static constexpr std::array kNames = {"look", "explain", "change", "compare"};
  // A page of its own, with the picture alone: it is never kept, and whatever changes it leads to Look.
  static constexpr auto kStart = "start";
  static Arrangement first(const QString& name);  // as it is before anybody changes it

  QString current = QStringLiteral("look");
  QString front = QStringLiteral("alignment");  // the picture in front, where an arrangement has none of its own
  QHash<QString, Arrangement> all;              // those that differ from first(), and saved ones
  QStringList saved;                            // names of those, in their order
  QHash<QString, QByteArray> out;               // panels that are windows of their own, with their geometry

  Arrangement get(const QString& name) const { return all.contains(name) ? all[name] : first(name); }
  QByteArray json() const;
  // Nothing is believed: unknown names stay out of sight, what is no JSON is the state of a window of before, with
  // docks, of which `names` are those that there are.
  static Arrangements read(const QByteArray& state, const QStringList& names);
};

}  // namespace headlight
