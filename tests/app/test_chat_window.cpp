// The window with a model that has a chat template: messages in place of the text, who says what, what goes wrong.

#include <QAbstractItemModel>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>
#include <QToolButton>

#include "app/panels/document_views.h"
#include "app/stage/window_panels.h"
#include "app/text/chat_field.h"
#include "app/text/chat_rows.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "model/analysis/attention_maps.h"
#include "model/core/json_library.h"
#include "tests/app/fixture.h"
#include "tests/app/window_with_models.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/chat/chat_view.h"
#include "widgets/views/kv_cache/kv_cache_canvas.h"

namespace headlight::test_chat_window {

using testing::opens;
using testing::window_with_a_run;

namespace {

constexpr const char* kTemplate =
    "{% for m in messages %}\n"
    "{% if m.role == 'tool' %}{{ raise_exception('no tools here') }}{% endif %}\n"
    "{{ '[' + m.role + '] ' + m.content + ';' }}\n"
    "{% endfor %}\n"
    "{% if add_generation_prompt %}[assistant] {% endif %}\n";

}  // namespace

class TestChatWindow : public QObject {
  Q_OBJECT

  QTemporaryDir models_;
  std::unique_ptr<MainWindow> window_;

  // Llama with a template of three lines.
  QString model() const {
    const QString folder = models_.filePath("talker");
    QDir().mkpath(folder);
    const QDir from(QString::fromStdString((testing::made_elsewhere() / "families" / "llama3").string()));
    for (const QString& name : from.entryList(QDir::Files)) QFile::copy(from.filePath(name), folder + '/' + name);
    QFile file(folder + "/chat_template.jinja");
    if (file.open(QIODevice::WriteOnly)) file.write(kTemplate);
    return folder;
  }
  ChatRows& rows() const { return *window_->views().source_bar()->chat(); }
  QToolButton* chat_switch() const { return window_->views().source_bar()->chat_switch(); }
  // Without the ends of the template's lines.
  QString text() const { return QString::fromStdString(window_->result()->source).remove('\n'); }
  Session& session() const { return window_->session(); }

 private slots:
  void initTestCase() {
    SKIP_WITHOUT_MATERIAL();
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("HeadlightTest");
    QCoreApplication::setApplicationName("HeadlightTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
  }
  void init() {
    window_ = window_with_a_run(models_);
    QVERIFY(!chat_switch()->isVisible());  // a model without a template
    QVERIFY(opens(*window_, model()));
    session().set_source("hello");
    QVERIFY(chat_switch()->isVisible() && !chat_switch()->isChecked());
    QTest::mouseClick(chat_switch(), Qt::LeftButton);
    QTRY_COMPARE(text(), QString("[user] hello;[assistant] "));
  }
  void cleanup() { window_.reset(); }

  void the_text_becomes_a_message_and_comes_back() {
    QVERIFY(rows().isVisible() && !window_->views().source_bar()->source_field()->isVisible());
    QCOMPARE(rows().count(), 1);
    QCOMPARE(rows().field(0)->toPlainText(), QString("hello"));
    QTest::mouseClick(chat_switch(), Qt::LeftButton);
    QTRY_COMPARE(text(), QString("hello"));
    QVERIFY(!rows().isVisible());
    session().undo_stack().undo();
    QTRY_COMPARE(text(), QString("[user] hello;[assistant] "));
  }

  // While an answer is written again, from its first word on, the pictures below stay where they are.
  void what_is_written_moves_nothing() {
    const ChatField* answer = rows().answer_field();
    rows().set_answer("one\ntwo\nthree");
    const int high = answer->minimumHeight();
    rows().set_writing(true);
    rows().set_answer("one");
    QCOMPARE(answer->minimumHeight(), high);
    rows().set_answer("1\n2\n3\n4");
    QVERIFY(answer->minimumHeight() > high);
    rows().set_answer("one");
    rows().set_writing(false);
    QVERIFY(answer->minimumHeight() < high);
  }

  void every_key_is_read() {
    rows().field(0)->setFocus();
    QTest::keyClicks(rows().field(0), "!?");
    QTRY_COMPARE(text(), QString("[user] hello!?;[assistant] "));
    QTest::mouseClick(rows().prompt_button(), Qt::LeftButton);
    QTRY_COMPARE(text(), QString("[user] hello!?;"));
    session().undo_stack().undo();  // the prompt
    session().undo_stack().undo();  // what was typed, at once
    QTRY_COMPARE(text(), QString("[user] hello;[assistant] "));
    QCOMPARE(rows().field(0)->toPlainText(), QString("hello"));
  }

  void messages_by_the_keyboard() {
    QTest::mouseClick(rows().add_button(), Qt::LeftButton);
    QTRY_COMPARE(rows().count(), 2);
    QCOMPARE(rows().role(1)->currentData().toString(), QString("assistant"));
    QTest::keyClicks(rows().field(1), "hi");
    QTRY_COMPARE(text(), QString("[user] hello;[assistant] hi;[assistant] "));
    QTest::keyClick(rows().field(1), Qt::Key_Up, Qt::AltModifier);
    QTRY_COMPARE(text(), QString("[assistant] hi;[user] hello;[assistant] "));
    QTest::keyClick(rows().field(1), Qt::Key_Return);  // the answer is kept, and one goes on behind it
    QTRY_COMPARE(rows().count(), 4);
    QTest::keyClick(rows().field(3), Qt::Key_Backspace);
    QTRY_COMPARE(rows().count(), 3);
  }

  // As in every chat: the answer stands below, Enter goes on behind it.
  void enter_goes_on() {
    QTRY_VERIFY(rows().keep_button()->isEnabled());
    const QString answer = QString::fromStdString(window_->result()->output);
    QVERIFY(rows().answer_field()->isVisible() && rows().answer_field()->isReadOnly());
    QCOMPARE(rows().answer_field()->toPlainText(), answer);
    QTest::keyClick(rows().field(0), Qt::Key_Return);
    QTRY_COMPARE(rows().count(), 3);
    QCOMPARE(rows().field(1)->toPlainText(), answer.trimmed());
    QCOMPARE(rows().role(2)->currentData().toString(), QString("user"));
  }

  void doors_to_the_pictures() {
    for (const auto& [button, view] :
         {std::pair(rows().why_button(), "choosing"), std::pair(rows().seen_button(), "kv-cache")}) {
      QTRY_VERIFY(button->isEnabled());
      QTest::mouseClick(button, Qt::LeftButton);
      QTRY_COMPARE(window_->panels().front(), QString(view));
    }
    // Nothing of the first message is dropped without a window.
    const auto* cache = window_->findChild<KvCacheCanvas*>();
    QTRY_VERIFY2(cache->accessibleDescription().contains("of the first message (user) are still there"),
                 qPrintable(cache->accessibleDescription()));
    QVERIFY(cache->accessibleDescription().contains("All "));
  }

  // The end of a chat is what is answered; what was said first goes.
  void a_long_chat_loses_its_beginning() {
    Json chat = ChatRows::chat_of_text("begin"), &messages = chat["messages"];
    for (int turn = 0; turn < 60; ++turn)
      for (const char* role : {"assistant", "user"})
        messages.push_back({{"role", role}, {"content", std::string(40, 'x') + std::to_string(turn)}});
    session().set_chat(SharedJson(chat), {});
    QTRY_VERIFY(text().contains("x59;[assistant] "));
    QVERIFY(!text().contains("begin") && text().startsWith("[user] "));
    const Result& result = *window_->result();
    QCOMPARE(result.notes.front().kind, RunNote::Kind::cut);
    QCOMPARE(result.notes.front().count, static_cast<Index>(result.tokens.size()));
    QVERIFY(result.notes.front().of > result.notes.front().count);
  }

  void everybody_has_a_voice() {
    const Result& result = *window_->result();
    for (const TextToken& token : result.tokens)
      QCOMPARE(token.voice(), token.end > 7 && token.begin < 12 ? Voice::user : Voice::none);
    const AttentionMap& map = AnalysedRun(result).maps().front();
    int users = 0;
    for (const AttentionToken& token : map.columns) users += token.voice == Voice::user ? 1 : 0;
    QVERIFY(users > 0);
    QCOMPARE(map.columns.back().voice, Voice::assistant);  // what it writes
  }

  void what_the_template_says_stands_in_place() {
    const QString before = text();
    rows().role(0)->setCurrentIndex(rows().role(0)->findData("tool"));
    emit rows().role(0)->activated(rows().role(0)->currentIndex());
    QTRY_VERIFY(rows().problem_label()->isVisible());
    QVERIFY2(rows().problem().contains("line 2") && rows().problem().contains("no tools here"),
             qPrintable(rows().problem()));
    QCOMPARE(text(), before);  // the last good run
    session().undo_stack().undo();
    QTRY_VERIFY(!rows().problem_label()->isVisible());
  }

  void an_answer_becomes_a_message() {
    QTRY_VERIFY(rows().keep_button()->isEnabled());
    const QString answer = QString::fromStdString(window_->result()->output).trimmed();
    QTest::mouseClick(rows().keep_button(), Qt::LeftButton);
    QTRY_COMPARE(rows().count(), 3);
    QCOMPARE(rows().field(1)->toPlainText(), answer);
    QCOMPARE(rows().role(1)->currentData().toString(), QString("assistant"));
    QCOMPARE(rows().role(2)->currentData().toString(), QString("user"));
  }

  void lines_of_the_template_are_told() {
    QTRY_VERIFY(window_->panels().raise("chat"));
    auto* view = qobject_cast<ChatView*>(window_->panels().picture("chat").view);
    QVERIFY(view);
    QTRY_COMPARE(view->canvas()->count(), 4);
    const int lines[] = {3, 3, 3, 5};
    const char* texts[] = {"[user] ", "hello", ";\\n", "[assistant] "};
    for (int i = 0; i < 4; ++i) {
      QCOMPARE(view->canvas()->piece(i).line, lines[i]);
      QCOMPARE(view->canvas()->text_of(i), QString(texts[i]));
    }
    QCOMPARE(view->canvas()->piece(1).voice, Voice::user);
    QTest::keyClick(view->canvas(), Qt::Key_Down);
    QCOMPARE(window_->selection().state().source_token, std::optional(view->canvas()->piece(1).first));
    QCOMPARE(view->table()->rowCount(), 4);
    const QTemporaryDir files;
    for (const char* ending : {"png", "svg", "csv"}) {
      view->export_to(files.filePath(QStringLiteral("chat.") + ending));
      QVERIFY(QFileInfo(files.filePath(QStringLiteral("chat.") + ending)).size() > 50);
    }
  }

  void another_model_without_a_template_reads_the_text() {
    QVERIFY(opens(*window_, small_model_folder(models_)));
    QVERIFY(!session().document().chat && !rows().isVisible() && !chat_switch()->isVisible());
  }
};

HEADLIGHT_WIDGET_TEST(TestChatWindow)

}  // namespace headlight::test_chat_window

#include "test_chat_window.moc"
