// Nothing in the window waits for an answer in a loop of its own: neither a browser nor a test could give one. Dialogs
// open, menus pop up, and what follows is called with the answer (widgets/base/ask.h, app/file_dialogs.h). This reads
// the sources for calls that wait.

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include "tests/test_program.h"

namespace headlight::test_no_waiting {

namespace {

// The lines that hold a call that waits: "12: menu.exec(…)". What drags takes an event loop in all systems.
QStringList waiting_lines(const QString& text) {
  static const QRegularExpression waits(QStringLiteral(
      "(\\.|->|::)exec\\(|\\bexec\\(\\)|QEventLoop|QFileDialog::get|QInputDialog::get|QColorDialog::get|"
      "QFontDialog::get|QMessageBox::(about|aboutQt|critical|information|question|warning)\\(|waitForFinished\\(|"
      "processEvents\\("));
  static const QRegularExpression comment(QStringLiteral("//.*$")), drags(QStringLiteral("\\bdrag(\\.|->)exec\\("));
  QStringList found;
  const QStringList lines = text.split('\n');
  for (qsizetype i = 0; i < lines.size(); ++i) {
    const QString code = QString(lines[i]).remove(comment);
    if (code.contains(waits) && !code.contains(drags))
      found << QStringLiteral("%1: %2").arg(i + 1).arg(lines[i].trimmed());
  }
  return found;
}

}  // namespace

class TestNoWaiting : public QObject {
  Q_OBJECT

 private slots:
  void calls_that_wait_are_found() {
    for (const char* waits : {"dialog.exec();", "menu->exec(at);", "KeyboardDialog(this).exec();", "QEventLoop loop;",
                              "QFileDialog::getOpenFileName(this);", "QInputDialog::getText(this);",
                              "QMessageBox::about(this, title, text);", "return exec() == Accepted;"})
      QCOMPARE(waiting_lines(QString::fromUtf8(waits)).size(), 1);
    for (const char* goes_on : {"dialog->open();", "menu->popup(at);", "QMessageBox::Save", "execute(job);",
                                "// what dialog.exec() did", "drag->exec(Qt::CopyAction);"})
      QVERIFY(waiting_lines(QString::fromUtf8(goes_on)).isEmpty());
  }

  // The command line has nobody to keep waiting.
  void nothing_in_the_window_waits() {
    int read = 0;
    for (const char* folder : {"app", "widgets"}) {
      QDirIterator files(QString::fromUtf8(folder), {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
      while (files.hasNext()) {
        QFile file(files.next());
        if (file.fileName().startsWith(QLatin1String("app/cli/"))) continue;
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList found = waiting_lines(QString::fromUtf8(file.readAll()));
        QVERIFY2(found.isEmpty(), qPrintable(file.fileName() + ':' + found.join('\n')));
        ++read;
      }
    }
    QVERIFY(read > 500);
  }
};

HEADLIGHT_CORE_TEST(TestNoWaiting)

}  // namespace headlight::test_no_waiting

#include "test_no_waiting.moc"
