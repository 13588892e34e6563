// The list of models: arrow keys show each one at once; Esc, or a click elsewhere, brings back all that was there.

#include <QLineEdit>
#include <QListView>
#include <QTemporaryDir>
#include <QTest>

#include "app/language.h"
#include "app/text/model_picker.h"
#include "app/text/source_bar.h"
#include "app/window/main_window.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"

namespace headlight::test_picker {

class TestPicker : public QObject {
  Q_OBJECT

  QTemporaryDir models_;
  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
  }
  ModelPicker& picker() { return *window_->views().source_bar()->picker(); }
  Session& session() { return window_->session(); }
  static QString name_of(const ModelBundle& model) { return QString::fromStdString(model.folder.filename().string()); }
  QString name() { return name_of(*session().document().model); }
  void press(Qt::Key key) { QTest::keyClick(picker().filter(), key); }

 private slots:
  void initTestCase() {
    qputenv("HEADLIGHT_MODELS", models_.path().toUtf8());
    for (const char* name : {"attn_seq2seq", "seq2seq"}) small_model_folder(models_, name);
    save_model(models_.filePath("third").toStdString(), *small_model("seq2seq", 9), "", StorageType::f32);
    load_resources();
  }
  void init() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = load_model(models_.filePath("attn_seq2seq").toStdString());
    document.source = "May 5, 2001";
    window_->start(document);
    window_->show();
    settle();
    session().set_setting("attention.temperature", 2.0);
    settle();
    window_->views().source_bar()->open_picker();
    QCOMPARE(picker().shown().size(), 3);
    press(Qt::Key_Up);
    QTRY_VERIFY(name() != "attn_seq2seq");
    settle();
    QCOMPARE(name_of(*window_->result()->model), name());  // it runs, behind the list
    QVERIFY(picker().isVisible());
  }
  void cleanup() { window_.reset(); }

  void escape_brings_everything_back_data() {
    QTest::addColumn<bool>("click");
    QTest::newRow("escape") << false;
    QTest::newRow("a click elsewhere") << true;
  }
  void escape_brings_everything_back() {
    QFETCH(bool, click);
    const QString first = name();
    press(Qt::Key_Up);
    QTRY_VERIFY(name() != first);
    settle();
    if (click)
      picker().close();
    else
      press(Qt::Key_Escape);
    settle();
    QVERIFY(!picker().isVisible() && !session().is_looking());
    QCOMPARE(name(), QString("attn_seq2seq"));
    QVERIFY(session().has_differences());  // the change of the person's too
    QCOMPARE(session().document().source, std::string("May 5, 2001"));
    // Nothing of the looking is a step of undo.
    session().undo_stack().undo();
    QVERIFY(!session().has_differences());
    QVERIFY(!session().undo_stack().canUndo());
  }

  void enter_keeps_it_and_it_is_one_step_of_undo() {
    const QString first = name();
    press(Qt::Key_Up);
    QTRY_VERIFY(name() != first);
    settle();
    const QString chosen = name();
    press(Qt::Key_Return);
    settle();
    QVERIFY(!picker().isVisible());
    QTRY_VERIFY(!session().is_looking());
    QCOMPARE(name(), chosen);
    QVERIFY(!session().has_differences());
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    settle();
    QCOMPARE(name(), QString("attn_seq2seq"));
    QVERIFY(session().has_differences());
  }

  // Each row says which text the model reads; that is found, too, and a screen reader hears it.
  void a_row_says_what_is_read() {
    press(Qt::Key_Escape);
    window_->views().source_bar()->open_picker();
    const QString said = "reads a date, 1970 to 2017";  // the years of the task of these models
    QVERIFY(picker().list()->currentIndex().data(Qt::AccessibleTextRole).toString().contains(said));
    QVERIFY(picker().list()->currentIndex().data(Qt::ToolTipRole).toString().contains(said));
    picker().filter()->setText("1970 to 2017");
    QCOMPARE(picker().shown().size(), 3);
    picker().filter()->setText("1950 to 2049");
    QCOMPARE(picker().shown().size(), 0);
    picker().hide();
  }

  // Enter while the model is still on its way: that one stays.
  void enter_at_once() {
    press(Qt::Key_Up);
    const QString wanted = picker().list()->currentIndex().data(Qt::UserRole + 1).toString();
    press(Qt::Key_Return);
    QTRY_VERIFY(!session().is_looking());
    QCOMPARE(QString::fromStdString(session().document().model->folder.string()), wanted);
    session().undo_stack().undo();
    QCOMPARE(name(), QString("attn_seq2seq"));
  }
};

HEADLIGHT_WIDGET_TEST(TestPicker)

}  // namespace headlight::test_picker

#include "test_picker.moc"
