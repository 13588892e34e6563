// The list of what was open lately, and what a drop onto the window means.

#include <QDir>
#include <QFile>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

#include "app/document/drop.h"
#include "app/document/recent.h"
#include "tests/file_size_limit.h"
#include "tests/test_program.h"

namespace headlight::test_recent {

class TestRecent : public QObject {
  Q_OBJECT
  using Entry = RecentFiles::Entry;
  std::unique_ptr<QTemporaryDir> folder_;

  QString put(const QString& name, const QByteArray& content = "{}") {
    const QString path = folder_->filePath(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) qFatal("cannot write");
    return path;
  }
  Entry model(const QString& name) {
    put(name + "/config.json");
    return {Entry::Kind::model, folder_->filePath(name), QFileInfo(name).fileName()};
  }
  Entry session(const QString& name) {
    return {Entry::Kind::session, put(name + ".headlight"), QFileInfo(name).fileName()};
  }
  static QStringList texts(const QMenu& menu) {
    QStringList texts;
    for (const QAction* action : menu.actions()) texts << (action->isSeparator() ? "-" : action->text());
    return texts;
  }
  static Dropped drop(const QList<QUrl>& urls) {
    QMimeData data;
    data.setUrls(urls);
    return classify_drop(data);
  }
  static Dropped drop_files(const QStringList& paths) {
    QList<QUrl> urls;
    for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
    return drop(urls);
  }

 private slots:
  void initTestCase() { QSettings::setDefaultFormat(settings_format()); }
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    QSettings::setPath(settings_format(), QSettings::UserScope, folder_->filePath("settings"));
    qputenv("HF_HUB_CACHE", folder_->filePath("hub").toUtf8());
    QCoreApplication::setOrganizationName("HeadlightTest");
    QCoreApplication::setApplicationName("HeadlightTest");
    QSettings().clear();
  }

  void the_newest_is_first_and_nothing_is_there_twice() {
    RecentFiles recent;
    const Entry a = model("a"), b = session("b"), c = model("c");
    recent.add(a);
    recent.add(b);
    recent.add(c);
    recent.add({a.kind, folder_->filePath("x/../a/"), a.name});
    QCOMPARE(recent.existing(), (QList<Entry>{a, c, b}));
    QCOMPARE(RecentFiles().existing(), (QList<Entry>{a, c, b}));  // another start of the program
    recent.clear();
    QVERIFY(RecentFiles().existing().isEmpty());
  }

  // There is room for the lock of the settings, but not for the settings.
  void a_full_disk_keeps_the_settings() {
    const QByteArray state("\0\xff layout", 9);
    UserSettings().set_theme(ThemeChoice::dark);
    UserSettings().set_layout({state, state});
    UserSettings().set_last("/models/mine", QString(500, 'x'));
    const QString path = QSettings().fileName();
    const auto on_disk = [&path] {
      QFile file(path);
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray before = on_disk();
    QVERIFY(before.size() > 500);
    {
      const testing::FileSizeLimit limit(300);
      UserSettings().set_theme(ThemeChoice::light);
    }
    QCOMPARE(on_disk(), before);
    const UserSettings settings;
    QCOMPARE(settings.last_model(), QString("/models/mine"));
    QVERIFY(settings.layout() && settings.layout()->geometry == state && settings.layout()->state == state);
    const QString folder = QFileInfo(QSettings().fileName()).path();
    QCOMPARE(QDir(folder).entryList(QDir::Files | QDir::Hidden),
             QStringList{QFileInfo(QSettings().fileName()).fileName()});
  }

  void there_are_twelve_at_most() {
    RecentFiles recent;
    for (int i = 0; i < 20; ++i) recent.add(session("s" + QString::number(i)));
    QCOMPARE(recent.existing().size(), 12);
    QCOMPARE(recent.existing().first().name, QString("s19"));
    QCOMPARE(recent.existing().last().name, QString("s8"));
  }

  void what_is_gone_is_not_shown_until_it_is_back() {
    RecentFiles recent;
    const Entry a = model("a"), b = session("b");
    recent.add(a);
    recent.add(b);
    QVERIFY(QFile::remove(b.path));
    QVERIFY(QFile::remove(a.path + "/config.json"));
    QVERIFY(recent.existing().isEmpty());
    put("b.headlight");
    QCOMPARE(recent.existing(), QList<Entry>{b});
  }

  void models_of_the_hub_stand_below() {
    QDir().mkpath(folder_->filePath("hub/models--org--name/snapshots/1"));
    QDir().mkpath(folder_->filePath("hub/models--plain/snapshots/1"));
    QDir().mkpath(folder_->filePath("hub/datasets--org--text/snapshots/1"));
    RecentFiles recent;
    QMenu menu;
    recent.fill(&menu);
    QCOMPARE(texts(menu), (QStringList{"Nothing was opened yet", "-", "Models of the hub on this machine", "org/name",
                                       "plain", "-", "&Clear this list"}));
    QSignalSpy chosen(&recent, &RecentFiles::modelChosen);
    menu.actions().at(3)->trigger();
    QCOMPARE(chosen.at(0).at(0).toString(), folder_->filePath("hub/models--org--name"));
  }
  void the_menu_follows_and_says_what_was_chosen() {
    RecentFiles recent;
    QMenu menu;
    recent.fill(&menu);
    QCOMPARE(texts(menu), (QStringList{"Nothing was opened yet", "-", "&Clear this list"}));
    QVERIFY(!menu.actions()[0]->isEnabled() && !menu.actions()[2]->isEnabled());
    recent.add(model("one/q&a"));
    recent.add(session("talk"));
    recent.add(model("two/dates"));
    recent.add(model("one/dates"));
    emit menu.aboutToShow();
    QCOMPARE(texts(menu),
             (QStringList{"&1  dates in one", "&2  dates in two", "&3  talk", "&4  q&&a", "-", "&Clear this list"}));
    QCOMPARE(menu.actions()[2]->toolTip(), "Session " + folder_->filePath("talk.headlight"));
    QSignalSpy models(&recent, &RecentFiles::modelChosen), sessions(&recent, &RecentFiles::sessionChosen);
    menu.actions()[1]->trigger();
    menu.actions()[2]->trigger();
    QCOMPARE(models, (QList<QVariantList>{{folder_->filePath("two/dates")}}));
    QCOMPARE(sessions, (QList<QVariantList>{{folder_->filePath("talk.headlight")}}));
    menu.actions().last()->trigger();
    const auto* asked = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    QVERIFY(asked && recent.existing().size() == 4);
    for (QAbstractButton* button : asked->buttons())
      if (asked->buttonRole(button) == QMessageBox::DestructiveRole) button->click();
    emit menu.aboutToShow();
    QCOMPARE(texts(menu).size(), 3);
  }

  void sessions_and_models_are_told_apart() {
    const Entry a = model("a"), b = session("b");
    Dropped dropped = drop_files({b.path});
    QCOMPARE(dropped.kind, Dropped::Kind::session);
    QCOMPARE(dropped.path, b.path);
    dropped = drop_files({a.path});
    QCOMPARE(dropped.kind, Dropped::Kind::model);
    QCOMPARE(dropped.path, a.path);
    for (const char* name : {"a/model.safetensors", "a/config.json", "a/README.md", "a/verify.safetensors"}) {
      dropped = drop_files({put(name)});
      QCOMPARE(dropped.kind, Dropped::Kind::model);
      QCOMPARE(dropped.path, a.path);
    }
    QVERIFY(dropped.problem.isEmpty());
  }

  void recordings_of_trainings_are_opened() {
    const Dropped dropped = drop_files({put("dot.training")});
    QCOMPARE(dropped.kind, Dropped::Kind::training);
    QCOMPARE(QFileInfo(dropped.path).fileName(), QString("dot.training"));
    QVERIFY(QFileInfo(dropped.path).isAbsolute());
  }

  void of_several_the_first_usable_one_counts() {
    const Entry a = model("a"), b = session("b");
    const Dropped dropped = drop_files({put("photo.png"), folder_->filePath("nothing"), b.path, a.path});
    QCOMPARE(dropped.kind, Dropped::Kind::session);
    QCOMPARE(dropped.path, b.path);
  }

  void texts_become_the_source() {
    QMimeData data;
    data.setText("  May 5,\n2001 ");
    QCOMPARE(classify_drop(data).kind, Dropped::Kind::text);
    QCOMPARE(classify_drop(data).text, QString("May 5,\n2001"));
    const Dropped file = drop_files({put("text.txt", QByteArray("二〇〇一年\n"))});
    QCOMPARE(file.kind, Dropped::Kind::text);
    QCOMPARE(file.text, QString::fromUtf8("二〇〇一年"));
  }

  // Opening says whether they run.
  void files_of_weights_are_opened() {
    for (const char* name : {"model.safetensors", "w.pt", "w.npz", "w.npy", "w.pkl", "w.gguf"}) {
      const QString path = put(name, "x");
      const Dropped dropped = drop_files({path});
      QCOMPARE(dropped.kind, Dropped::Kind::model);
      QCOMPARE(dropped.path, path);
    }
  }

  void a_text_of_many_lines_is_a_list_of_texts() {
    put("few.txt", "a\nb");
    put("many.txt", "a\nb\nc\nd\ne");
    put("large.txt", QByteArray((1 << 20) + 1, 'a'));
    QCOMPARE(drop_files({folder_->filePath("few.txt")}).kind, Dropped::Kind::text);
    for (const char* list : {"many.txt", "large.txt"})
      QCOMPARE(drop_files({folder_->filePath(list)}).kind, Dropped::Kind::texts);
  }

  void what_cannot_be_used_is_explained_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("said");
    QTest::newRow("picture") << "photo.png" << QByteArray("x") << "is no session, no model and no text";
    QTest::newRow("lone vocabulary") << "vocabulary.json" << QByteArray("x") << "have to stand together";
    QTest::newRow("empty folder") << "empty/" << QByteArray() << "holds no model";
    QTest::newRow("missing") << "gone.headlight/" << QByteArray("-") << "There is no file";
    QTest::newRow("broken text") << "x.txt" << QByteArray("\xff\xfe") << "no text in UTF-8";
    QTest::newRow("empty text") << "y.txt" << QByteArray(" \n") << "There is no text";
  }
  void what_cannot_be_used_is_explained() {
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(QString, said);
    QString path = folder_->filePath(name);
    if (!name.endsWith('/'))
      put(name, content);
    else if (content.isEmpty())
      QVERIFY(QDir().mkpath(path));
    const Dropped dropped = drop_files({path});
    QCOMPARE(dropped.kind, Dropped::Kind::nothing);
    QVERIFY2(dropped.problem.contains(said), qPrintable(dropped.problem));
  }

  void what_is_elsewhere_or_nothing_is_explained() {
    QVERIFY(drop({QUrl("https://example.org/a.headlight")}).problem.contains("https://example.org/a.headlight"));
    QMimeData empty, blank;
    blank.setText(" ");
    QVERIFY(!classify_drop(empty).problem.isEmpty());
    QVERIFY(!classify_drop(blank).problem.isEmpty());
    QCOMPARE(classify_drop(empty).kind, Dropped::Kind::nothing);
  }
};

HEADLIGHT_WIDGET_TEST(TestRecent)

}  // namespace headlight::test_recent

#include "test_recent.moc"
