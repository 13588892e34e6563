// Sessions of windows that did not end well: all are offered, and none goes before it was opened or declined.

#include <QAbstractButton>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/appearance.h"
#include "app/dialogs/unsaved_dialog.h"
#include "app/jobs/autosave.h"
#include "app/language.h"
#include "app/panels/message_banner.h"
#include "app/window/main_window.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/base/utf8_text.h"

namespace headlight::test_left_behind {

class TestLeftBehind : public QObject {
  Q_OBJECT

  QTemporaryDir home_;
  std::unique_ptr<MainWindow> window_;

  static QString folder() { return Autosave::default_folder(); }
  static QString path_of(const char* name) { return folder() + "/" + QString::fromUtf8(name) + ".headlight"; }
  static QByteArray content_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  static void put(const QString& path, const QByteArray& content, int minutes_ago) {
    QVERIFY(QDir().mkpath(folder()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.flush());
    QVERIFY(
        file.setFileTime(QDateTime::currentDateTime().addSecs(-60 * minutes_ago), QFileDevice::FileModificationTime));
  }
  void leave(const char* name, const QString& source, int minutes_ago, std::vector<Intervention> edits = {}) {
    SessionState state;
    state.model = {"attn_seq2seq", home_.filePath("models/attn_seq2seq"), {}, {}};
    state.source = source.toStdString();
    state.interventions = std::move(edits);
    put(path_of(name), write_session(state, path_of(name)), minutes_ago);
  }
  // As window_command() does.
  bool start(RunWorker::Runner runner = run) {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::yes, std::move(runner));
    const bool went_on = window_->restore_left_behind();
    if (!went_on) {
      Document document;
      document.model = small_model();
      document.source = "nothing was left";
      window_->start(document);
      window_->offer_left_behind();
    }
    window_->show();
    return went_on;
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    QCoreApplication::processEvents();
  }
  QString shown() const { return from_utf8(window_->session().document().source); }
  QString message() const { return window_->views().banner()->message(); }
  QStringList banner_texts() const {
    QStringList texts;
    for (const QLabel* label : window_->views().banner()->findChildren<QLabel*>()) texts << label->text();
    return texts;
  }
  UnsavedDialog* dialog() {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    window_->actions()["unsaved_sessions"]->trigger();
    return window_->findChild<UnsavedDialog*>();
  }
  static QStringList rows(const UnsavedDialog& dialog) {
    QStringList texts;
    for (int i = 0; i < dialog.list()->count(); ++i) texts << dialog.list()->item(i)->text();
    return texts;
  }

 private slots:
  void initTestCase() {
    qputenv("XDG_DATA_HOME", home_.filePath("data").toUtf8());
    qputenv("HEADLIGHT_MODELS", home_.filePath("none").toUtf8());
    QCoreApplication::setOrganizationName("HeadlightTest");
    QCoreApplication::setApplicationName("HeadlightTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, home_.filePath("settings"));
    QVERIFY2(folder().startsWith(home_.path()), qPrintable(folder()));
    load_resources();
  }
  void init() {
    QVERIFY(QDir().mkpath(home_.filePath("models")));
    save_model(home_.filePath("models/attn_seq2seq").toStdString(), *small_model(), "", StorageType::f32);
  }
  void cleanup() {
    window_.reset();
    set_language("en");
    QDir(folder()).removeRecursively();
  }

  void nothing_was_left() {
    QVERIFY(!start());
    settle();
    QCOMPARE(message(), QString());
    UnsavedDialog* none = dialog();
    QCOMPARE(none->list()->count(), 0);
    QVERIFY(none->details()->text().contains("no unsaved sessions"));
  }

  // A signal that asks the program to end is no defect: what would be lost comes back, and nobody speaks of a crash.
  void who_was_asked_to_end_did_not_end_unexpectedly() {
    start();
    settle();
    window_->end();
    window_.reset();
    QVERIFY(Autosave::left_behind().isEmpty());  // nothing was changed: nothing is kept
    start();
    settle();
    const QString site = QStringLiteral("decoder.step[0].attention.weights");
    window_->session().add_intervention({site.toStdString(), Intervention::Kind::pin, 0, Scalar(0.5), {}});
    settle();
    window_->end();
    window_.reset();
    QCOMPARE(Autosave::left_behind().size(), 1);
    QVERIFY(HeldSession::was_asked(Autosave::left_behind().front()));
  }

  void what_was_open_then_is_said_in_other_words() {
    leave("asked", "one two", 1);
    QVERIFY(QFile(path_of("asked") + ".asked").open(QIODevice::WriteOnly));
    QVERIFY(start());
    settle();
    QCOMPARE(shown(), QString("one two"));
    QVERIFY2(message().contains("was asked to end") && !message().contains("unexpectedly"), qPrintable(message()));
    window_.reset();
    QVERIFY(QDir(folder()).entryList(QDir::Files).isEmpty());
  }

  void the_newest_opens_and_the_others_are_offered() {
    leave("old", "May 1, 2001", 30);
    leave("new", "May 2, 2001", 10);
    leave("older", "May 3, 2001", 40);
    QVERIFY(start());
    QCOMPARE(shown(), QString("May 2, 2001"));
    QVERIFY2(message().contains("what was open then"), qPrintable(message()));
    QVERIFY2(banner_texts().join('|').contains("kept: 2"), qPrintable(banner_texts().join('|')));
    QVERIFY(QFile::exists(path_of("new")));  // on the disk all the time
    settle();
    QCOMPARE(window_->result()->source, std::string("May 2, 2001"));
    const UnsavedDialog* others = dialog();
    QCOMPARE(others->list()->count(), 2);
    QVERIFY(rows(*others)[0].startsWith("attn_seq2seq: May 1, 2001, saved "));
    QVERIFY(rows(*others)[1].startsWith("attn_seq2seq: May 3, 2001, saved "));
    window_.reset();  // a clean end
    QVERIFY(!QFile::exists(path_of("new")));
    QCOMPARE(QDir(folder()).entryList({"*"}, QDir::Files, QDir::Name),
             QStringList({"old.headlight", "older.headlight"}));
  }

  // Killed again before a second has passed: nothing is lost.
  void what_was_opened_survives_the_next_end() {
    leave("left", "May 2, 2001", 10);
    const QByteArray content = content_of(path_of("left"));
    QVERIFY(start());
    settle();
    QCOMPARE(content_of(path_of("left")), content);
    QVERIFY(!HeldSession::ended_program(path_of("left")));
  }

  void another_one_is_opened_and_the_first_is_kept() {
    leave("one", "May 1, 2001", 10);
    leave("two", "May 2, 2001", 20);
    QVERIFY(start());
    settle();
    window_->session().set_source("May 1, 2001, and typed since");
    UnsavedDialog* others = dialog();
    others->open_current();
    QTRY_COMPARE_WITH_TIMEOUT(shown(), QString("May 2, 2001"), 30000);
    settle();
    QCOMPARE(Autosave::left_behind(), QStringList{path_of("one")});
    QVERIFY(content_of(path_of("one")).contains("and typed since"));
    // And back.
    dialog()->open_current();
    QTRY_COMPARE_WITH_TIMEOUT(shown(), QString("May 1, 2001, and typed since"), 30000);
    QCOMPARE(Autosave::left_behind(), QStringList{path_of("two")});
  }

  void what_is_damaged_is_kept_and_the_reason_said() {
    leave("good", "May 1, 2001", 20);
    put(path_of("broken"), "{\"headlight_session\": 1", 10);
    QVERIFY(start());
    QCOMPARE(shown(), QString("May 1, 2001"));
    QVERIFY2(message().contains(path_of("broken") + ": not valid JSON"), qPrintable(message()));
    QVERIFY2(banner_texts().join('|').contains("kept: 1"), qPrintable(banner_texts().join('|')));
    settle();
    UnsavedDialog* others = dialog();
    QCOMPARE(others->list()->count(), 1);
    QVERIFY(rows(*others)[0].startsWith("broken.headlight, saved ") && rows(*others)[0].contains("cannot be opened"));
    QVERIFY2(others->details()->text().contains("not valid JSON"), qPrintable(others->details()->text()));
    QVERIFY(others->details()->text().contains(path_of("broken")));
    others->open_current();
    QTRY_VERIFY_WITH_TIMEOUT(message().startsWith(path_of("broken") + ": not valid JSON"), 30000);
    QCOMPARE(shown(), QString("May 1, 2001"));
    QCOMPARE(Autosave::left_behind(), QStringList{path_of("broken")});
  }

  void a_model_that_is_away_is_named_and_waited_for() {
    leave("left", "May 2, 2001", 10);
    const QByteArray content = content_of(path_of("left"));
    const QString model = home_.filePath("models/attn_seq2seq");
    QVERIFY(QDir().rename(home_.filePath("models"), home_.filePath("away")));
    QVERIFY(!start());
    for (const QString& part : {QString("attn_seq2seq"), model, QString("is missing")})
      QVERIFY2(message().contains(part), qPrintable(message()));
    QVERIFY2(banner_texts().join('|').contains("kept: 1"), qPrintable(banner_texts().join('|')));
    const auto* button = window_->views().banner()->findChild<QToolButton*>();
    QVERIFY(button->isVisible() && button->defaultAction() == window_->actions()["unsaved_sessions"]);
    settle();
    QCOMPARE(content_of(path_of("left")), content);
    window_.reset();
    QVERIFY(QDir().rename(home_.filePath("away"), home_.filePath("models")));
    QVERIFY(start());
    QCOMPARE(shown(), QString("May 2, 2001"));
  }

  // Else a session that ends the program would do so at every start.
  void what_ended_the_program_is_left_to_the_user() {
    leave("bad", "May 2, 2001", 10);
    put(path_of("bad") + ".opening", "", 10);  // as begin_opening() leaves it
    QVERIFY(HeldSession::ended_program(path_of("bad")));
    QVERIFY(!start());
    QVERIFY2(banner_texts().join('|').contains("kept: 1"), qPrintable(banner_texts().join('|')));
    UnsavedDialog* others = dialog();
    QVERIFY(others->details()->text().contains("ended while it opened"));
    others->open_current();
    QTRY_COMPARE_WITH_TIMEOUT(shown(), QString("May 2, 2001"), 30000);
    settle();
    QTRY_VERIFY_WITH_TIMEOUT(window_->result() && window_->result()->source == "May 2, 2001", 30000);
    QVERIFY(!HeldSession::ended_program(path_of("bad")));
  }

  void discarding_asks_first() {
    leave("one", "May 1, 2001", 10);
    leave("two", "May 2, 2001", 20);
    leave("three", "May 3, 2001", 30);
    QVERIFY(start());
    settle();
    UnsavedDialog* others = dialog();
    const auto answer = [&](QMessageBox::ButtonRole role) {
      QTest::keyClick(others, Qt::Key_Delete);
      auto* question = others->findChild<QMessageBox*>();
      QVERIFY(question && question->informativeText().contains("May 2, 2001"));
      for (QAbstractButton* button : question->buttons())
        if (question->buttonRole(button) == role) button->click();
      delete question;
    };
    answer(QMessageBox::RejectRole);
    QCOMPARE(others->list()->count(), 2);
    QVERIFY(QFile::exists(path_of("two")));
    answer(QMessageBox::DestructiveRole);
    QCOMPARE(others->list()->count(), 1);
    QVERIFY(!QFile::exists(path_of("two")) && QFile::exists(path_of("three")));
  }

  void a_living_window_is_neither_offered_nor_touched() {
    leave("one", "May 1, 2001", 10);
    QVERIFY(start());
    settle();
    MainWindow other(MainWindow::Remember::yes);
    QVERIFY(!other.restore_left_behind());
    QVERIFY(Autosave::left_behind().isEmpty());
    QVERIFY(QFile::exists(path_of("one")));
  }

  void a_run_that_fails_names_the_session_that_asked_for_it() {
    QVERIFY(!start());
    settle();
    SessionState state;
    state.model = {"attn_seq2seq", home_.filePath("models/attn_seq2seq"), {}, {}};
    state.source = "May 2, 2001";
    state.interventions = {{"encoder.bottleneck", Intervention::Kind::zero, -1, 0, {}}};
    const QString path = home_.filePath("talk.headlight");
    save_session(state, path);
    window_->open_session_file(path);
    QTRY_VERIFY_WITH_TIMEOUT(!message().isEmpty(), 30000);
    QVERIFY2(message().startsWith(path + ": 'encoder.bottleneck=0' was not used"), qPrintable(message()));
    window_->session().add_intervention({"encoder.bottleneck", Intervention::Kind::scale, -1, 2, {}});
    settle();
    QVERIFY2(message().startsWith("'encoder.bottleneck*2' was not used"), qPrintable(message()));
  }
};

HEADLIGHT_WIDGET_TEST(TestLeftBehind)

}  // namespace headlight::test_left_behind

#include "test_left_behind.moc"
