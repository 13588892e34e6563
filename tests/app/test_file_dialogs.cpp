// Asking for files: each kind of question begins where its last answer lay, and what is written has an ending.

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "app/file_dialogs.h"
#include "app/settings.h"
#include "tests/test_program.h"

namespace headlight::test_file_dialogs {

class TestFileDialogs : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;

  QString chosen_;
  const TakePath take_ = [this](const QString& path) { chosen_ = path; };

  static QFileDialog* dialog() { return qobject_cast<QFileDialog*>(QApplication::activeModalWidget()); }
  // What the open question was told in the end.
  QString choose(const QString& path) {
    chosen_.clear();
    if (!dialog()) return "no question";
    dialog()->selectFile(path);
    QMetaObject::invokeMethod(dialog(), "accept");
    return chosen_;
  }
  static void answer(QMessageBox::ButtonRole role) {
    auto* asked = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    QVERIFY(asked);
    for (QAbstractButton* each : asked->buttons())
      if (asked->buttonRole(each) == role) return each->click();
  }

 private slots:
  void cleanup() {
    chosen_.clear();
    for (const char* kind : {"tested", "other"}) UserSettings().set_folder(QString::fromUtf8(kind), {});
  }

  void each_kind_begins_where_its_last_answer_lay() {
    QVERIFY(QDir(folder_.path()).mkpath("a/b"));
    const QString inner = folder_.filePath("a");
    const FileQuestion question{"tested", "Where?", {}, {"Text (*.txt)"}};
    QCOMPARE(first_folder(question), QDir::homePath());
    ask_where_to_write(nullptr, question, take_);
    QCOMPARE(choose(inner + "/x.txt"), inner + "/x.txt");
    ask_for_file(nullptr, question, take_);
    QVERIFY(dialog());
    QCOMPARE(dialog()->directory().absolutePath(), inner);
    chosen_ = "nobody was asked";
    dialog()->reject();
    QCOMPARE(chosen_, QString("nobody was asked"));
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
    const auto written = [&](const QString& name) {
      ask_where_to_write(nullptr, question, take_);
      return choose(folder_.filePath(name));
    };
    QCOMPARE(written("plain"), folder_.filePath("plain.png"));
    QCOMPARE(written("version 1.2"), folder_.filePath("version 1.2.png"));
    QCOMPARE(written("other.SVG"), folder_.filePath("other.SVG"));
  }

  void a_file_is_not_written_over_unasked() {
    QFile file(folder_.filePath("there.png"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();
    for (const char* name : {"there", "there.png"}) {  // whether it has its ending already or gets it
      ask_where_to_write(nullptr, {"tested", "Where?", {}, {"Picture (*.png)"}}, take_);
      QCOMPARE(choose(folder_.filePath(name)), QString());
      answer(QMessageBox::RejectRole);
      QVERIFY(chosen_.isEmpty() && dialog());  // another name may be typed
      QCOMPARE(choose(folder_.filePath(name)), QString());
      answer(QMessageBox::DestructiveRole);
      QCOMPARE(chosen_, file.fileName());
      QVERIFY(!dialog());
    }
  }

  void a_file_that_is_not_there_is_not_opened() {
    ask_for_file(nullptr, {"tested", "Which?"}, take_);
    auto* name = dialog()->findChild<QLineEdit*>("fileNameEdit");
    QVERIFY(name);
    name->setText(folder_.filePath("gone.txt"));
    QMetaObject::invokeMethod(dialog(), "accept");
    auto* told = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    QVERIFY(told && told->text().contains("gone.txt"));
    told->close();
    QVERIFY(chosen_.isEmpty() && dialog());
    dialog()->reject();
  }

  // Nobody is left to be answered, and nothing is left of the question.
  void whoever_asks_may_go_first() {
    chosen_ = "nobody was asked";
    auto asker = std::make_unique<QWidget>();
    asker->show();
    ask_for_file(asker.get(), {"tested", "Which?"}, take_);
    const QPointer<QFileDialog> asked = dialog();
    QVERIFY(asked);
    asker.reset();
    QVERIFY(!asked);
    QCOMPARE(chosen_, QString("nobody was asked"));
  }

  void options_stand_below_the_names() {
    const QPointer<QWidget> options = new QLabel("With its title");
    ask_where_to_write(nullptr, {"tested", "Where?", {}, {"Picture (*.png)"}}, take_, options);
    QVERIFY(dialog());
    QVERIFY(options->isVisible() && dialog()->isAncestorOf(options));
    QVERIFY(dialog()->testOption(QFileDialog::DontUseNativeDialog));
    dialog()->reject();
    QTRY_VERIFY(!options);
    // Without any, the desktop's own comes where there is one.
    ask_where_to_write(nullptr, {"tested", "Where?", {}, {"Picture (*.png)"}}, take_);
    QVERIFY(dialog());
    QVERIFY(!dialog()->testOption(QFileDialog::DontUseNativeDialog));
    dialog()->reject();
  }
};

HEADLIGHT_WIDGET_TEST(TestFileDialogs)

}  // namespace headlight::test_file_dialogs

#include "test_file_dialogs.moc"
