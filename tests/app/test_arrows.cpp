// The arrows of the design, read from the include lines: who may use whom.

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include "tests/test_program.h"

namespace headlight::test_arrows {

namespace {

struct Include {
  QString file, from, to;  // from and to are parts: "model/ops", "widgets/views", "app/jobs", or a system header's name
  QString header;
};

// "model/ops/linear.h" -> "model/ops", "app/messages.h" -> "app"; each view is a part of its own:
// "widgets/views/heads/heads_grid.h" -> "widgets/views/heads".
QString part_of(const QString& path) {
  const QStringList pieces = path.split('/');
  if (path.startsWith("widgets/views/") && pieces.size() > 3) return pieces.mid(0, 3).join('/');
  return pieces.size() > 2 ? pieces[0] + "/" + pieces[1] : pieces[0];
}

QList<Include> all_includes() {
  static const QRegularExpression line(QStringLiteral("^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"]"),
                                       QRegularExpression::MultilineOption);
  QList<Include> includes;
  for (const char* folder : {"app", "model", "widgets"}) {
    QDirIterator files(QString::fromUtf8(folder), {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
      QFile file(files.next());
      if (!file.open(QIODevice::ReadOnly)) continue;
      for (auto found = line.globalMatch(QString::fromUtf8(file.readAll())); found.hasNext();) {
        const auto match = found.next();
        const bool ours = match.captured(1) == "\"";
        includes << Include{file.fileName(), part_of(file.fileName()), ours ? part_of(match.captured(2)) : QString(),
                            match.captured(2)};
      }
    }
  }
  return includes;
}

}  // namespace

class TestArrows : public QObject {
  Q_OBJECT
  QList<Include> includes_ = all_includes();

  void check(const Include& include, bool allowed) {
    if (!allowed) {
      ++wrong_;
      qWarning("%s includes %s", qPrintable(include.file), qPrintable(include.header));
    }
  }
  int wrong_ = 0;

 private slots:
  void init() { wrong_ = 0; }

  void the_sources_were_found() {
    QVERIFY2(includes_.size() > 300, "run from the root of the sources");
    for (const Include& include : includes_)
      if (!include.to.isEmpty() && !include.to.contains(".h"))
        QVERIFY2(QFile::exists(include.header), qPrintable(include.file + ": " + include.header));
  }

  void the_model_knows_no_qt() {
    static const QRegularExpression qt(QStringLiteral("^(Q[A-Z]|Qt|qcustomplot|q[a-z]+\\.h)"));
    for (const Include& include : includes_)
      if (include.from.startsWith("model"))
        check(include, !qt.match(include.header).hasMatch() && !include.header.startsWith("CLI"));
    QCOMPARE(wrong_, 0);
  }

  void layers_of_the_program() {
    for (const Include& include : includes_) {
      if (include.from.startsWith("model"))
        check(include, !include.to.startsWith("widgets") && !include.to.startsWith("app"));
      if (include.from.startsWith("widgets")) check(include, !include.to.startsWith("app"));
    }
    QCOMPARE(wrong_, 0);
  }

  void layers_of_the_model() {
    const QHash<QString, QSet<QString>> may_use = {
        {"model/core", {}},
        {"model/text", {"model/core"}},
        {"model/ops", {"model/core"}},
        {"model/trace", {"model/core", "model/ops"}},
        {"model/layers", {"model/core", "model/ops", "model/trace"}},
        {"model/models", {"model/core", "model/ops", "model/trace", "model/layers", "model/text"}},
        {"model/decode", {"model/core", "model/ops", "model/trace", "model/layers", "model/models", "model/text"}},
        {"model/io",
         {"model/core", "model/ops", "model/trace", "model/layers", "model/models", "model/text", "model/decode"}},
        {"model/training",
         {"model/core", "model/ops", "model/trace", "model/layers", "model/models", "model/text", "model/io",
          "model/decode"}},
        {"model/experiments",
         {"model/core", "model/ops", "model/trace", "model/layers", "model/models", "model/text", "model/io",
          "model/decode", "model/training", "model/analysis"}},
        {"model/recording",
         {"model/core", "model/ops", "model/trace", "model/layers", "model/models", "model/text", "model/io",
          "model/decode", "model/training", "model/analysis"}},
        {"model/analysis", {"model/core", "model/ops", "model/trace", "model/models", "model/text", "model/decode"}},
    };
    for (const Include& include : includes_) {
      if (!include.from.startsWith("model") || !include.to.startsWith("model") || include.from == include.to) continue;
      QVERIFY2(may_use.contains(include.from), qPrintable(include.from + " has no row in this test"));
      check(include, may_use[include.from].contains(include.to));
    }
    QCOMPARE(wrong_, 0);
  }

  void widgets_see_results_not_models() {
    const QSet<QString> may_use = {"model/core",   "model/trace", "model/analysis",
                                   "model/decode", "model/io",    "model/text"};
    // What a model is, not how it computes.
    const QSet<QString> described = {"model/models/bundle.h", "model/models/variant.h", "model/models/description.h"};
    for (const Include& include : includes_)
      if (include.from.startsWith("widgets") && include.to.startsWith("model"))
        check(include, may_use.contains(include.to) || described.contains(include.header));
    QCOMPARE(wrong_, 0);
  }

  // Each folder stands on those before it; a view on all of them, and on no other view.
  void layers_of_the_widgets() {
    const QStringList order = {"widgets/base",   "widgets/export", "widgets/text",  "widgets/tables",
                               "widgets/canvas", "widgets/plot",   "widgets/matrix"};
    for (const Include& include : includes_) {
      if (!include.from.startsWith("widgets") || !include.to.startsWith("widgets") || include.from == include.to)
        continue;
      const bool view = include.from.startsWith("widgets/views/");
      QVERIFY2(view || order.contains(include.from),
               qPrintable(include.file + ": its folder has no place in this test"));
      check(include, order.contains(include.to) && (view || order.indexOf(include.to) < order.indexOf(include.from)));
    }
    QCOMPARE(wrong_, 0);
  }

  // The scene of the living map is drawn for the window, for files and for thumbnails alike: it knows no view.
  void the_living_scene_knows_no_view() {
    for (const Include& include : includes_)
      if (include.file.startsWith("widgets/views/living/scene/") && include.header.startsWith("widgets/views/"))
        check(include, include.header.startsWith("widgets/views/living/scene/"));
    QCOMPARE(wrong_, 0);
  }

  // What stands in app/ itself is for all of it, each room stands on those before it; main.cpp begins everything.
  void layers_of_the_window() {
    const QStringList order = {"app",           "app/reports",  "app/document", "app/jobs",         "app/lessons",
                               "app/stage",     "app/text",     "app/panels",   "app/presentation", "app/lab",
                               "app/classroom", "app/lectures", "app/dialogs",  "app/find",         "app/window",
                               "app/cli"};
    for (const Include& include : includes_) {
      if (!include.from.startsWith("app") || !include.to.startsWith("app") || include.from == include.to) continue;
      QVERIFY2(order.contains(include.from), qPrintable(include.from + " has no place in this test"));
      const bool rooms_apart = include.from == "app/lessons" && include.to == "app/jobs";
      check(include, include.file == "app/main.cpp" ||
                         (order.indexOf(include.to) < order.indexOf(include.from) && !rooms_apart));
    }
    QCOMPARE(wrong_, 0);
  }

  // Its templates cost every file that sees them half a second.
  void headers_of_the_window_do_not_show_the_json_library() {
    for (const Include& include : includes_)
      if (!include.from.startsWith("model") && !include.file.startsWith("app/cli/") && include.file.endsWith(".h"))
        check(include, include.header != "nlohmann/json.hpp" && include.header != "model/core/json_library.h" &&
                           include.header != "model/models/registry.h" && include.header != "model/io/json_file.h");
    QCOMPARE(wrong_, 0);
  }

  void the_plot_library_stays_in_its_place() {
    for (const Include& include : includes_)
      if (include.header.contains("qcustomplot", Qt::CaseInsensitive)) check(include, include.from == "widgets/plot");
    QCOMPARE(wrong_, 0);
  }

  // model/io/file.h: it alone keeps the old file on a full disk, and writes into pipes. The handler of a crash may call
  // nothing but the system.
  void files_are_written_by_one_writer() {
    static const QRegularExpression other(
        QStringLiteral("\\b(QSaveFile|QTemporaryFile|QTemporaryDir|ofstream|fstream|fopen|creat|mkstemp|"
                       "mkdtemp|O_CREAT|EGifOpenFile\\w+)\\b"));
    for (const char* folder : {"app", "model", "widgets"}) {
      QDirIterator files(QString::fromUtf8(folder), {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
      while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString found = other.match(QString::fromUtf8(file.readAll())).captured();
        QVERIFY2(found.isEmpty() || file.fileName() == "model/io/file_writer.cpp" ||
                     file.fileName() == "app/reports/crash_report.cpp",
                 qPrintable(file.fileName() + " has " + found));
      }
    }
  }

  void nothing_but_the_command_line_knows_its_parser() {
    for (const Include& include : includes_)
      if (include.header.startsWith("CLI/") || include.header.startsWith("app/cli/command_line_"))
        check(include, include.file.startsWith("app/cli/command_line") || include.file.startsWith("app/cli/pages/") ||
                           (include.file.startsWith("app/cli/") && include.file.contains("_options.")));
    QCOMPARE(wrong_, 0);
  }
};

HEADLIGHT_TEST(TestArrows)

}  // namespace headlight::test_arrows

#include "test_arrows.moc"
