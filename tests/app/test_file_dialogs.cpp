// Asking for files: each kind of question begins where its last answer lay, and what is written has an ending.

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "app/file_dialogs.h"
#include "app/settings.h"
#include "tests/test_program.h"

namespace headlight::test_file_dialogs {

class TestFileDialogs : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;

  // What is done with the dialog that opens next.
  void then(const std::function<void(QFileDialog&)>& use) {
    QTimer::singleShot(0, this, [use] {
      if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) use(*dialog);
    });
  }
  void choose(const QString& path) {
    then([path](QFileDialog& dialog) {
      dialog.selectFile(path);
      QMetaObject::invokeMethod(&dialog, "accept");
    });
  }

 private slots:
  void cleanup() {
    for (const char* kind : {"tested", "other"}) UserSettings().set_folder(QString::fromUtf8(kind), {});
  }

  void each_kind_begins_where_its_last_answer_lay() {
    QVERIFY(QDir(folder_.path()).mkpath("a/b"));
    const QString inner = folder_.filePath("a");
    const FileQuestion question{"tested", "Where?", {}, {"Text (*.txt)"}};
    QCOMPARE(first_folder(question), QDir::homePath());
    choose(inner + "/x.txt");
    QCOMPARE(ask_where_to_write(nullptr, question), inner + "/x.txt");
    QString begun;
    then([&](QFileDialog& dialog) {
      begun = dialog.directory().absolutePath();
      dialog.reject();
    });
    QCOMPARE(ask_for_file(nullptr, question), QString());
    QCOMPARE(begun, inner);
    QCOMPARE(first_folder({"other", {}}), QDir::homePath());
    QCOMPARE(first_folder({"other", {}, {}, {}, inner}), inner);
    // A folder that is gone.
    UserSettings().set_folder("tested", folder_.filePath("gone"));
    QCOMPARE(first_folder(question), QDir::homePath());
    // One that always begins in the same place.
    const FileQuestion fixed{nullptr, {}, {}, {}, inner};
    remember_folder(fixed, "/tmp/x");
    QCOMPARE(first_folder(fixed), inner);
  }

  void a_name_gets_the_ending_of_its_form() {
    const FileQuestion question{"tested", "Where?", {}, {"Picture (*.png)", "Drawing (*.svg)"}};
    choose(folder_.filePath("plain"));
    QCOMPARE(ask_where_to_write(nullptr, question), folder_.filePath("plain.png"));
    choose(folder_.filePath("version 1.2"));
    QCOMPARE(ask_where_to_write(nullptr, question), folder_.filePath("version 1.2.png"));
    choose(folder_.filePath("other.SVG"));
    QCOMPARE(ask_where_to_write(nullptr, question), folder_.filePath("other.SVG"));
  }

  // The dialog asked about the name without its ending.
  void a_file_is_not_written_over_unasked() {
    QFile file(folder_.filePath("there.png"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    const auto answer = [this](QMessageBox::ButtonRole role) {
      choose(folder_.filePath("there"));
      QTimer asked_at;
      connect(&asked_at, &QTimer::timeout, this, [role] {
        auto* asked = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (!asked) return;
        for (QAbstractButton* each : asked->buttons())
          if (asked->buttonRole(each) == role) return each->click();
      });
      asked_at.start(0);
      return ask_where_to_write(nullptr, {"tested", "Where?", {}, {"Picture (*.png)"}});
    };
    QCOMPARE(answer(QMessageBox::RejectRole), QString());
    QCOMPARE(answer(QMessageBox::DestructiveRole), file.fileName());
  }

  void options_stand_below_the_names() {
    QLabel options("With its title");
    bool shown = false, ours = false;
    then([&](QFileDialog& dialog) {
      shown = options.isVisible() && dialog.isAncestorOf(&options);
      ours = dialog.testOption(QFileDialog::DontUseNativeDialog);
      dialog.reject();
    });
    ask_where_to_write(nullptr, {"tested", "Where?", {}, {"Picture (*.png)"}}, &options);
    QVERIFY(shown && ours);
    // Without any, the desktop's own comes where there is one.
    then([&](QFileDialog& dialog) {
      ours = dialog.testOption(QFileDialog::DontUseNativeDialog);
      dialog.reject();
    });
    ask_where_to_write(nullptr, {"tested", "Where?", {}, {"Picture (*.png)"}});
    QVERIFY(!ours);
  }
};

HEADLIGHT_WIDGET_TEST(TestFileDialogs)

}  // namespace headlight::test_file_dialogs

#include "test_file_dialogs.moc"
