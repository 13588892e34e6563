// The worked example of docs/formats.md, as it stands there: what a reader would copy makes a folder that the program
// opens and that gives PyTorch's values.

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "tests/test_program.h"

namespace headlight {

namespace {

constexpr const char* kPython = "/usr/bin/python3";

struct Outcome {
  int status = -1;
  QString text;
};
Outcome outcome_of(const QString& folder, const QString& program, const QStringList& arguments) {
  QProcess process;
  process.setWorkingDirectory(folder);
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.start(program, arguments);
  if (!process.waitForFinished(120'000)) return {-1, process.errorString()};
  return {process.exitCode(), QString::fromUtf8(process.readAll())};
}

}  // namespace

class TestWorkedExample : public QObject {
  Q_OBJECT

 private slots:
  void a_folder_from_pytorch() {
    QFile document("docs/formats.md");
    QVERIFY(document.open(QIODevice::ReadOnly));
    QString text = QString::fromUtf8(document.readAll());
    text = text.mid(text.indexOf("## Worked example"));
    text = text.left(text.indexOf("\n## "));
    QTemporaryDir folder;
    // Each script begins with its name: "# headlight_folder.py: ...".
    const QRegularExpression block("```python\n# (\\w+\\.py): .*?```", QRegularExpression::DotMatchesEverythingOption);
    QStringList names;
    for (auto match = block.globalMatch(text); match.hasNext();) {
      const QRegularExpressionMatch found = match.next();
      names << found.captured(1);
      QFile script(folder.filePath(names.last()));
      QVERIFY(script.open(QIODevice::WriteOnly));
      script.write(found.captured(0).mid(10).chopped(3).toUtf8());
    }
    QCOMPARE(names, (QStringList{"headlight_folder.py", "from_torch.py"}));
    if (outcome_of(folder.path(), kPython, {"-c", "import torch"}).status != 0) QSKIP("PyTorch is not installed");
    const Outcome made = outcome_of(folder.path(), kPython, {"from_torch.py"});
    QVERIFY2(made.status == 0, qPrintable(made.text));
    const QString program = qEnvironmentVariable("HEADLIGHT_BINARY");
    // The commands that the document gives.
    const Outcome verified = outcome_of(folder.path(), program, {"verify", "my-model", "--partial"});
    QVERIFY2(verified.status == 0, qPrintable(verified.text));
    QVERIFY2(verified.text.contains("computed by PyTorch") && verified.text.contains("passed: 11 sites compared"),
             qPrintable(verified.text));
    QVERIFY(text.contains("headlight verify my-model --partial"));
    const Outcome run = outcome_of(folder.path(), program, {"run", "my-model", "--source", "31415"});
    QVERIFY2(run.status == 0, qPrintable(run.text));
    // The example writes the keys that the document calls required, and no reference but these sites.
    QVERIFY(outcome_of(folder.path(), program, {"verify", "my-model"}).status == 2);
  }
};

}  // namespace headlight

HEADLIGHT_CORE_TEST(headlight::TestWorkedExample)
#include "test_worked_example.moc"
