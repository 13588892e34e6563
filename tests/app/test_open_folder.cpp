// The dialog for a model's folder: from the desktop to the model in one double click.

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QTemporaryDir>
#include <QTest>

#include "app/dialogs/open_folder.h"
#include "tests/test_program.h"

namespace headlight::test_open_folder {

class TestOpenFolder : public QObject {
  Q_OBJECT

 private:
  QByteArray home_;

 private slots:
  void init() { home_ = qgetenv("HOME"); }
  void cleanup() { qputenv("HOME", home_); }

  void it_begins_on_the_desktop() {
    const QTemporaryDir home;
    qputenv("HOME", home.path().toUtf8());
    QCOMPARE(desktop_folder(), home.path());
    QVERIFY(QDir(home.path()).mkdir("Desktop"));
    QCOMPARE(desktop_folder(), home.filePath("Desktop"));
  }

  void a_double_click_opens_a_model_and_enters_other_folders() {
    const QString models = QStringLiteral(HEADLIGHT_TEST_DATA) + "/families", model = models + "/gpt2";
    const auto dialog = [] { return qobject_cast<QFileDialog*>(QApplication::activeModalWidget()); };
    QString chosen;
    const auto take = [&](const QString& path) { chosen = path; };
    ask_what_to_open(nullptr, "Open", take);
    QVERIFY(dialog());
    emit dialog()->directoryEntered(models);
    QVERIFY(dialog() && chosen.isEmpty());
    emit dialog()->directoryEntered(model);
    QVERIFY(!dialog());
    QCOMPARE(chosen, model);
    // The next question begins beside it; who says no has chosen nothing.
    chosen.clear();
    ask_what_to_open(nullptr, "Open", take);
    QVERIFY(dialog());
    QCOMPARE(dialog()->directory().absolutePath(), QDir(models).absolutePath());
    dialog()->reject();
    QCOMPARE(chosen, QString());
  }
};

HEADLIGHT_WIDGET_TEST(TestOpenFolder)

}  // namespace headlight::test_open_folder

#include "test_open_folder.moc"
