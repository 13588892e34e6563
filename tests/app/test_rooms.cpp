// The size of rooms, files and functions, read from the sources: what grows beyond is divided.

#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <algorithm>

#include "tests/test_program.h"

namespace headlight::test_rooms {

namespace {

constexpr int kMostUnits = 25, kMostLinesOfRoom = 6000, kMostLinesOfFile = 500, kMostLinesOfFunction = 60;
constexpr double kShareOfLongFunctions = 0.01;

struct Source {
  QString path;
  QStringList lines;
};

QList<Source> sources(std::initializer_list<const char*> folders) {
  QList<Source> found;
  for (const char* folder : folders) {
    QDirIterator files(QString::fromUtf8(folder), {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
      QFile file(files.next());
      if (!file.open(QIODevice::ReadOnly)) continue;
      QStringList lines = QString::fromUtf8(file.readAll()).split('\n');
      lines.removeLast();  // behind the last end of a line
      found << Source{file.fileName(), lines};
    }
  }
  return found;
}

// The lengths of the functions that begin at the margin, as clang-format writes them: from the line of their name to
// the brace that closes them.
QList<std::pair<int, QString>> functions(const Source& source) {
  static const QRegularExpression others(QStringLiteral("^(namespace|struct|class|enum|union|extern|#|//|\\}|\\s|$)"));
  QList<std::pair<int, QString>> found;
  qsizetype begin = -1;
  for (qsizetype i = 0; i < source.lines.size(); ++i) {
    const QString& line = source.lines[i];
    if (begin < 0 && !others.match(line).hasMatch() && line.contains('(')) begin = i;
    if (begin >= 0 && (line == "}" || line.endsWith(';')) && !line.startsWith(' ')) {
      if (line == "}") found << std::pair(static_cast<int>(i - begin + 1), source.path + ": " + source.lines[begin]);
      begin = -1;
    }
  }
  return found;
}

}  // namespace

class TestRooms : public QObject {
  Q_OBJECT

 private slots:
  void rooms_are_seen_at_a_glance() {
    QHash<QString, QSet<QString>> units;
    QHash<QString, qsizetype> lines;
    for (const Source& source : sources({"app", "model", "widgets"})) {
      const QString room = source.path.section('/', 0, -2);
      units[room] << source.path.section('/', -1).section('.', 0, 0);
      lines[room] += source.lines.size();
    }
    QVERIFY2(units.size() > 40, "run from the root of the sources");
    for (auto room = units.begin(); room != units.end(); ++room) {
      QVERIFY2(room->size() <= kMostUnits,
               qPrintable(QStringLiteral("%1 has %2 units").arg(room.key()).arg(room->size())));
      QVERIFY2(lines[room.key()] <= kMostLinesOfRoom,
               qPrintable(QStringLiteral("%1 has %2 lines").arg(room.key()).arg(lines[room.key()])));
    }
  }

  void files_are_read_in_one_go() {
    QStringList wrong;
    for (const Source& source : sources({"app", "model", "widgets", "tests"})) {
      if (source.lines.size() > kMostLinesOfFile)
        wrong << QStringLiteral("%1 has %2 lines").arg(source.path).arg(source.lines.size());
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(", ")));
  }

  void functions_are_short() {
    QList<std::pair<int, QString>> all;
    for (const Source& source : sources({"app", "model", "widgets"})) all << functions(source);
    QVERIFY(all.size() > 4000);
    std::ranges::sort(all, std::greater<>());
    const auto [lines, name] = all[static_cast<qsizetype>(kShareOfLongFunctions * static_cast<double>(all.size()))];
    QVERIFY2(lines <= kMostLinesOfFunction, qPrintable(QStringLiteral("%1: %2 lines").arg(name).arg(lines)));
  }
};

HEADLIGHT_TEST(TestRooms)

}  // namespace headlight::test_rooms

#include "test_rooms.moc"
