// Sources of a folder are compiled together. There a function of an anonymous namespace takes the place of the common
// one with the same name and parameters in every file behind it, and no compiler says so: this reads the sources for
// it.

#include <QDirIterator>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QTest>

#include "tests/test_program.h"

namespace headlight::test_batches {

namespace {

// "const std::string& text, int count = 3" as "string,int".
QString types_of(const QString& parameters) {
  static const QRegularExpression words(QStringLiteral("\\bconst\\b|\\bstd::|&|\\s*=.*$")),
      name(QStringLiteral("([\\w>*])\\s+\\w+$"));
  QStringList all;
  int depth = 0;
  QString one;
  for (const QChar c : parameters + ',') {
    depth += QStringLiteral("<({[").contains(c) ? 1 : QStringLiteral(">)}]").contains(c) ? -1 : 0;
    if (c != ',' || depth > 0) {
      one += c;
      continue;
    }
    all << one.simplified().remove(words).simplified().replace(name, QStringLiteral("\\1")).remove(' ');
    one.clear();
  }
  return all.join(',');
}

// Functions that begin at the margin, declared or defined: "percent(double)".
QStringList functions_in(const QString& text) {
  static const QRegularExpression function(
      QStringLiteral("^(?=\\S)(?!using|return|namespace|struct|class|enum|#|//|extern|typedef|static_assert|template)"
                     "[\\w:<>,&*\\[\\] ]+?[ &*](\\w+)\\(((?:[^;{}]|\\{\\})*?)\\)(?: noexcept)?\\s*[;{]"),
      QRegularExpression::MultilineOption);
  QStringList found;
  for (auto each = function.globalMatch(text); each.hasNext();) {
    const QRegularExpressionMatch match = each.next();
    found << match.captured(1) + '(' + types_of(match.captured(2)) + ')';
  }
  return found;
}

QString anonymous_parts(const QString& text) {
  static const QRegularExpression part(
      QStringLiteral("^namespace \\{\\n(.*?)^\\}  // namespace\\n"),
      QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
  QString all;
  for (auto each = part.globalMatch(text); each.hasNext();) all += each.next().captured(1);
  return all;
}

QHash<QString, QString> texts_of(const char* ending) {
  QHash<QString, QString> texts;
  for (const char* folder : {"app", "model", "widgets"}) {
    QDirIterator files(QString::fromUtf8(folder), {QString::fromUtf8(ending)}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
      QFile file(files.next());
      if (file.open(QIODevice::ReadOnly)) texts[file.fileName()] = QString::fromUtf8(file.readAll());
    }
  }
  return texts;
}

}  // namespace

class TestBatches : public QObject {
  Q_OBJECT

 private slots:
  void a_function_is_found_by_its_types() {
    QCOMPARE(functions_in("QString percent(double probability);\n"), functions_in("QString percent(double share) {\n"));
    QCOMPARE(functions_in("bool is(const std::string& a, std::vector<int> b = {});\n"),
             QStringList("is(string,vector<int>)"));
    QCOMPARE(functions_in("  int inside(int a);\nclass A;\n"), QStringList());
    QCOMPARE(functions_in(anonymous_parts("namespace {\nint a(int x) {\n}\n}  // namespace\nint b(int x) {\n")),
             QStringList("a(int)"));
  }

  void none_takes_the_place_of_a_common_one() {
    QHash<QString, QString> common;  // its header
    const QHash<QString, QString> headers = texts_of("*.h");
    for (auto header = headers.begin(); header != headers.end(); ++header)
      for (const QString& function : functions_in(header.value())) common[function] = header.key();
    QVERIFY2(common.size() > 900, "run from the root of the sources");
    QStringList wrong;
    int read = 0;
    const QHash<QString, QString> sources = texts_of("*.cpp");
    for (auto source = sources.begin(); source != sources.end(); ++source)
      for (const QString& function : functions_in(anonymous_parts(source.value()))) {
        ++read;
        const QString header = common.value(function),
                      own = source.key().chopped(3) + 'h';  // that one is only defined here
        if (!header.isEmpty() && header != own) wrong << source.key() + ": " + function + " of " + header;
      }
    QVERIFY(read > 1500);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("; ")));
  }
};

HEADLIGHT_TEST(TestBatches)

}  // namespace headlight::test_batches

#include "test_batches.moc"
