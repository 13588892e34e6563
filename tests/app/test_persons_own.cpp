// What belongs to the person stays: language, theme, size of the type and own arrangements, whatever a session or a
// lesson brings; and nothing that was changed or kept goes by one key or click.

#include <QAbstractButton>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "app/appearance.h"
#include "app/classroom/lessons_list.h"
#include "app/jobs/autosave.h"
#include "app/language.h"
#include "app/lessons/lesson_progress.h"
#include "app/window/main_window.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/views/compare/compare_view.h"

namespace headlight::test_persons_own {

class TestPersonsOwn : public QObject {
  Q_OBJECT
  QTemporaryDir home_;
  std::unique_ptr<MainWindow> window_;

  void open() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::yes);
    Document document;
    document.model = small_model();
    document.source = "May 5, 2005";
    window_->start(document);
    window_->show();
    settle();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    QCoreApplication::processEvents();
  }
  // A session of this window as an earlier version wrote it, with what belonged to whoever saved it.
  QString old_session() {
    save_model(home_.filePath("model").toStdString(), *small_model(), "", StorageType::f32);
    SessionState state = window_->session_state();
    state.model = {"attn_seq2seq", home_.filePath("model"), {}, {}};
    state.source = "June 7, 2007";
    const QString path = home_.filePath("old.headlight");
    Json json = Json::parse(write_session(state, path).toStdString());
    json["window"].update(Json{{"theme", "light"}, {"font_scale", 1.0}, {"language", "zh_CN"}});
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write");
    file.write(QByteArray::fromStdString(json.dump()));
    return path;
  }
  static void answer(QMessageBox::ButtonRole role) {
    auto* asked = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    QVERIFY(asked);
    // Enter and Escape keep everything.
    QVERIFY(asked->buttonRole(asked->defaultButton()) != QMessageBox::DestructiveRole);
    for (QAbstractButton* button : asked->buttons())
      if (asked->buttonRole(button) == role) return button->click();
    QFAIL("no such button");
  }
  static bool asks() { return qobject_cast<QMessageBox*>(QApplication::activeModalWidget()); }
  void change() {
    window_->session().add_intervention({"decoder.step[0].attention.weights", Intervention::Kind::set, 1, 0.5f, {}});
    settle();
  }

 private slots:
  void initTestCase() {
    qputenv("XDG_DATA_HOME", home_.filePath("data").toUtf8());
    qputenv("HEADLIGHT_MODELS", home_.filePath("none").toUtf8());
    QCoreApplication::setOrganizationName("HeadlightTest");
    QCoreApplication::setApplicationName("HeadlightTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, home_.filePath("settings"));
    load_resources();
  }
  void cleanup() {
    window_.reset();
    QSettings().clear();
    set_language("en");
    Theme::instance().set(Theme::Mode::light, 1);
  }

  void a_session_leaves_language_theme_and_type_alone() {
    UserSettings settings;
    settings.set_language("en");
    settings.set_theme(ThemeChoice::dark);
    settings.set_font_scale(2);
    apply_appearance(settings);
    open();
    window_->open_session_file(old_session());
    QTRY_COMPARE_WITH_TIMEOUT(window_->session().document().source, std::string("June 7, 2007"), 30000);
    settle();
    QCOMPARE(current_language(), QString("en"));
    QCOMPARE(Theme::instance().mode(), Theme::Mode::dark);
    QCOMPARE(Theme::instance().font_scale(), 2.0);
    QCOMPARE(settings.language(), QString("en"));
    QVERIFY(settings.theme() == ThemeChoice::dark);
    QCOMPARE(settings.font_scale(), 2.0);
    const Json saved = Json::parse(write_session(window_->session_state(), "/x").toStdString());
    for (const char* key : {"theme", "font_scale", "language"}) QVERIFY2(!saved["window"].contains(key), key);
  }

  void arrangements_of_a_person_stay_beside_those_of_a_session() {
    open();
    window_->panels().save_arrangement("theirs");
    const QString path = old_session();
    window_->panels().reset_layout();
    window_->panels().save_arrangement("mine");
    window_->open_session_file(path);
    QTRY_COMPARE_WITH_TIMEOUT(window_->session().document().source, std::string("June 7, 2007"), 30000);
    QVERIFY(window_->panels().arrangements().contains("mine"));
    QCOMPARE(window_->panels().arrangement(), QString("theirs"));
  }

  // After a crash: what was resized last is on the disk soon.
  void the_size_of_the_window_is_kept_as_it_changes() {
    open();
    window_->resize(911, 633);
    const auto kept = [] {
      const QDir folder(Autosave::default_folder());
      for (const QString& name : folder.entryList({"*.headlight"})) {
        QFile file(folder.filePath(name));
        QWidget other;
        if (file.open(QIODevice::ReadOnly) &&
            other.restoreGeometry(read_session(file.readAll(), name).layout.geometry) &&
            other.size() == QSize(911, 633))
          return true;
      }
      return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(kept(), 20000);
  }

  void a_window_with_changes_is_not_closed_without_a_question() {
    open();
    window_->close();
    QVERIFY(!window_->isVisible());  // a text alone is remembered
    open();
    change();
    window_->close();
    QVERIFY(window_->isVisible() && asks());
    QVERIFY(qobject_cast<QMessageBox*>(QApplication::activeModalWidget())->informativeText().contains("1"));
    answer(QMessageBox::RejectRole);
    QVERIFY(window_->isVisible() && !window_->session().document().interventions.empty());
    window_->close();
    answer(QMessageBox::DestructiveRole);
    QVERIFY(!window_->isVisible());
  }

  void a_session_is_not_opened_over_changes_without_a_question() {
    open();
    const QString path = old_session();
    change();
    window_->open_session_file(path);
    answer(QMessageBox::RejectRole);
    settle();
    QCOMPARE(window_->session().document().source, std::string("May 5, 2005"));
    window_->open_session_file(path);
    answer(QMessageBox::DestructiveRole);
    QTRY_COMPARE_WITH_TIMEOUT(window_->session().document().source, std::string("June 7, 2007"), 30000);
    // What a file has is not asked about.
    window_->close();
    QVERIFY(!window_->isVisible());
  }

  void answers_and_progress_are_forgotten_after_a_question() {
    open();
    LessonProgress progress(home_.filePath("progress.json"));
    progress.reach("why-attention/looking-back", "Looking back", 2, 9, 1);
    LessonsDialog dialog(&progress, window_.get());
    dialog.show();
    auto* forget = dialog.findChild<QAbstractButton*>("forget_lessons");
    QVERIFY(forget && forget->isEnabled());
    forget->click();
    QVERIFY(qobject_cast<QMessageBox*>(QApplication::activeModalWidget())->informativeText().contains("Looking back"));
    answer(QMessageBox::RejectRole);
    QCOMPARE(progress.all().size(), std::size_t(1));
    forget->click();
    answer(QMessageBox::DestructiveRole);
    QVERIFY(progress.all().empty() && !forget->isEnabled());
  }

  void a_variant_is_forgotten_after_a_question() {
    open();
    CompareView* compare = window_->views().compare();
    compare->keep("first");
    window_->actions()["compare"]->trigger();
    settle();
    auto* forget = compare->findChild<QAbstractButton*>("forget");
    QVERIFY(forget && forget->isVisible());
    forget->click();
    answer(QMessageBox::RejectRole);
    QCOMPARE(compare->variants().size(), std::size_t(1));
    forget->click();
    answer(QMessageBox::DestructiveRole);
    QVERIFY(compare->variants().empty());
  }

  void an_arrangement_of_ones_own_is_removed_after_a_question() {
    open();
    window_->panels().save_arrangement("mine");
    window_->actions()["reset_layout"]->trigger();
    answer(QMessageBox::RejectRole);
    QVERIFY(window_->panels().arrangements().contains("mine"));
    window_->actions()["reset_layout"]->trigger();
    answer(QMessageBox::DestructiveRole);
    QVERIFY(!window_->panels().arrangements().contains("mine"));
  }
};

HEADLIGHT_WIDGET_TEST(TestPersonsOwn)

}  // namespace headlight::test_persons_own

#include "test_persons_own.moc"
