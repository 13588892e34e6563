// What is done in the window is run: typing, undo, edits, models, outputs of one's own, errors, what is remembered.

#include <QClipboard>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QLocale>
#include <QMimeData>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <future>

#include "app/panels/edits_panel.h"
#include "app/panels/message_banner.h"
#include "app/text/model_picker.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "tests/app/fixture.h"
#include "tests/app/small_window.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/text/number_words.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/tokens/token_strip.h"

namespace headlight::test_window_runs {

class TestWindowRuns : public QObject, testing::SmallWindow {
  Q_OBJECT

 private slots:
  void initTestCase() { make_models(); }
  void init() { QSettings().clear(); }
  void cleanup() { put_away(); }

  void each_key_runs_the_model() {
    open({});
    window_->activateWindow();
    trigger("focus_source");
    QSignalSpy results(window_.get(), &MainWindow::resultShown);
    for (const char* part : {"M", "a", "y", " ", "5"}) {
      QTest::keyClicks(field(), part);
      settle();
    }
    QCOMPARE(results.size(), 5);
    QCOMPARE(shown(), std::string("May 5"));
  }

  void a_slow_old_run_is_never_shown() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no, [](const Request& request) {
      if (request.source == "slow") QThread::msleep(300);
      return run(request);
    });
    std::vector<std::string> seen;
    connect(window_.get(), &MainWindow::resultShown, this, [&] { seen.push_back(shown()); });
    Document document;
    document.model = small_model();
    document.source = "slow";
    window_->start(document);
    QTest::qWait(30);
    window_->session().set_source("fast");
    settle();
    QTest::qWait(400);
    QCOMPARE(seen, std::vector<std::string>{"fast"});
  }

  // Neither the run nor the load looks at its token: both end only after the window has gone.
  void quitting_waits_for_no_run_and_no_load() {
    std::promise<void> running, loading, may_end;
    const auto released = may_end.get_future().share();
    window_ = std::make_unique<MainWindow>(
        MainWindow::Remember::no,
        [&running, released](const Request& request) {
          running.set_value();
          released.wait();
          return run(request);
        },
        [&loading, released](const std::string&, const CancelToken&) {
          loading.set_value();
          released.wait();
          return std::shared_ptr<const ModelBundle>();
        });
    Document document;
    document.model = small_model();
    document.source = "May 5";
    window_->start(document);
    window_->open_model("somewhere");
    running.get_future().wait();
    loading.get_future().wait();
    window_->close();
    window_.reset();
    QCOMPARE(BackgroundThread::left(), 2);
    may_end.set_value();
    QTRY_COMPARE_WITH_TIMEOUT(BackgroundThread::left(), 0, 30000);
  }

  void a_long_run_shows_that_it_goes_on_and_can_be_stopped() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no, [](const Request& request) {
      for (int i = 0; i < 5000; ++i) {
        request.cancel.check();
        QThread::msleep(1);
      }
      return run(request);
    });
    Document document;
    document.model = small_model();
    window_->start(document);
    window_->show();
    QVERIFY(!window_->status().busy_shown());
    QTRY_VERIFY_WITH_TIMEOUT(window_->status().busy_shown(), 3000);
    trigger("stop");
    QVERIFY(!window_->status().busy_shown());
    QVERIFY(!window_->worker().busy());
  }

  void the_tokens_of_a_long_run_stand_there_before_its_numbers() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no, [](const Request& request) {
      while (request.source == "May 52") {
        request.cancel.check();
        QThread::msleep(1);
      }
      Result result = run(request);
      result.seconds = 1;  // the next one is likely to take as long
      return result;
    });
    Document document;
    document.model = small_model();
    document.source = "May 5";
    window_->show();
    window_->start(document);
    settle();
    QVERIFY(window_->panels().raise("outputs"));  // a picture that does not show the text itself
    TokenStrip* tokens = window_->views().tokens();
    QTRY_VERIFY(tokens->isVisible());
    const auto fifth = [&] { return tokens->token_tooltip(5); };
    QVERIFY(!fifth().startsWith("‘2’"));
    window_->session().set_source("May 52");
    QTRY_VERIFY2(fifth().startsWith("‘2’, token 6"), qPrintable(fifth()));
    QVERIFY(fifth().contains("It is read as number"));
    QCOMPARE(shown(), std::string("May 5"));
    trigger("stop");
    QVERIFY2(!fifth().startsWith("‘2’"), qPrintable(fifth()));
    window_->session().set_source("May 6");
    settle();
    QCOMPARE(shown(), std::string("May 6"));
    QVERIFY(tokens->token_tooltip(4).startsWith("‘6’"));
  }

  void undo_and_redo_of_text_from_the_field() {
    open({});
    window_->activateWindow();
    trigger("focus_source");
    QTest::keyClicks(field(), "May 5");
    QTest::keyClick(field(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(field()->text(), QString("May"));
    QTest::keyClick(field(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(field()->text(), QString("May 5"));
    settle();
    QCOMPARE(shown(), std::string("May 5"));
  }

  void an_edit_changes_the_result_and_can_be_taken_back() {
    open();
    const auto probability = [this] { return window_->result()->steps[2].probability; };
    const double untouched = probability();
    window_->session().add_intervention(
        {"decoder.step[2].lstm.h", Intervention::Kind::scale, -1, 3, {}, 1, Intervention::kFlat, {}});
    settle();
    QVERIFY(probability() != untouched);
    QCOMPARE(window_->views().edits()->list()->model()->rowCount(), 1);
    const double edited = probability();
    trigger("undo");
    settle();
    QCOMPARE(probability(), untouched);
    QCOMPARE(window_->views().edits()->list()->model()->rowCount(), 0);
    trigger("redo");
    settle();
    QCOMPARE(probability(), edited);
    trigger("reset");
    settle();
    QCOMPARE(probability(), untouched);
    QVERIFY(!window_->actions()["reset"]->isEnabled());
  }

  void delete_removes_an_edit_from_the_list() {
    open();
    window_->session().add_intervention(
        {"decoder.step[1].attention.weights", Intervention::Kind::pin, 0, 1, {}, 1, Intervention::kFlat, {}});
    window_->session().add_intervention(
        {"decoder.step[2].attention.weights", Intervention::Kind::pin, 0, 1, {}, 1, Intervention::kFlat, {}});
    QListView* list = window_->views().edits()->list();
    list->setCurrentIndex(list->model()->index(0, 0));
    QTest::keyClick(list, Qt::Key_Delete);
    QCOMPARE(list->model()->rowCount(), 1);
    QVERIFY(list->model()->index(0, 0).data(Qt::ToolTipRole).toString().contains("step[2]"));
  }

  void a_failed_run_says_so_and_keeps_the_last_good_state() {
    open();
    const auto good = window_->result();
    window_->session().add_intervention(
        {"encoder.fwd.step[0].lstm.h", Intervention::Kind::zero, -1, 0, {}, 1, Intervention::kFlat, {}});
    settle();
    QCOMPARE(window_->result(), good);
    QVERIFY(window_->views().banner()->message().contains("encoder.fwd.step[0].lstm.h"));
    QVERIFY(window_->views().alignment()->map_shown());
    trigger("undo");
    settle();
    QCOMPARE(window_->views().banner()->message(), QString());
  }

  void a_folder_that_is_no_model_says_so_and_keeps_the_model() {
    open();
    const auto model = window_->session().document().model;
    QTemporaryDir empty;
    window_->open_model(empty.path());
    QTRY_VERIFY_WITH_TIMEOUT(!window_->views().banner()->message().isEmpty(), 5000);
    QVERIFY(window_->views().banner()->message().contains(empty.path() + "/config.json"));
    QCOMPARE(window_->session().document().model, model);
    QTest::keyClick(window_->views().banner(), Qt::Key_Escape);
    QCOMPARE(window_->views().banner()->message(), QString());
  }

  void a_dropped_folder_is_opened() {
    open();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(models_.filePath("seq2seq"))});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window_.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(window_.get(), &drop);
    QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(window_->session().document().model->name), QString("seq2seq"),
                              5000);
    settle();
    QVERIFY(!window_->views().alignment()->map_shown());
    QVERIFY(window_->actions()["export"]->isEnabled());
    trigger("undo");
    settle();
    QVERIFY(window_->views().alignment()->map_shown());
  }

  void hostile_pastes_do_not_freeze_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("10,000 characters") << QString(10000, '7');
    QTest::newRow("lines") << QString("May\r\n5,\n2001\n");
    QTest::newRow("control characters") << QString("a\x01\x02\x1b[31m\x7f\a");
    QTest::newRow("right to left") << QString::fromUtf8("\u202eשלום عالم 2001");
    QTest::newRow("emoji") << QString::fromUtf8("👩‍👩‍👧🏳️‍🌈 May");
    QTest::newRow("half a surrogate pair") << QString(QChar(0xD83D)) + "x";
    QTest::newRow("empty") << QString();
  }
  void hostile_pastes_do_not_freeze() {
    QFETCH(QString, text);
    open("x");
    QElapsedTimer timer;
    timer.start();
    QApplication::clipboard()->setText(text);
    trigger("focus_source");
    if (text.isEmpty())
      QTest::keyClick(field(), Qt::Key_Delete);
    else
      field()->paste();
    settle();
    QVERIFY2(timer.elapsed() < 20000, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(!field()->text().contains('\n'));
    QVERIFY(shown() != "x");
    QVERIFY(!window_->grab().isNull());
  }

  void the_list_of_models_finds_an_idea_or_a_year() {
    open();
    SourceBar* bar = window_->views().source_bar();
    bar->open_picker();
    QVERIFY(bar->picker()->isVisible());
    QCOMPARE(bar->picker()->shown().size(), 2);
    QTest::keyClick(bar->picker()->filter(), Qt::Key_Escape);
    QVERIFY(!bar->picker()->isVisible());
    bar->open_picker();
    QTest::keyClicks(bar->picker()->filter(), "2014");  // Sutskever et al.: without attention
    QCOMPARE(bar->picker()->shown(), QStringList{models_.filePath("seq2seq")});
    QTest::keyClick(bar->picker()->filter(), Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(window_->session().document().model->name), QString("seq2seq"),
                              5000);
    settle();
    QTest::keyClicks(bar->picker()->filter(), "nobody has this");
    QVERIFY(bar->picker()->shown().isEmpty());
  }

  void model_and_text_are_remembered() {
    open("June 7, 1999", MainWindow::Remember::yes);
    window_->open_model(models_.filePath("seq2seq"));
    QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(window_->session().document().model->name), QString("seq2seq"),
                              5000);
    window_->close();
    const UserSettings settings;
    QCOMPARE(settings.last_model(), models_.filePath("seq2seq"));
    QCOMPARE(settings.last_source(), QString("June 7, 1999"));
  }

  void the_next_example_goes_round() {
    open({});
    const auto& examples = window_->session().document().model->examples;
    for (std::size_t i = 0; i <= examples.size(); ++i) {
      trigger("next_example");
      QCOMPARE(window_->session().document().source, examples[i % examples.size()]);
    }
  }

  void a_forced_output_that_cannot_be_run_says_so_at_its_field() {
    open();
    SourceBar& bar = *window_->views().source_bar();
    QVERIFY(!bar.writes_output());
    trigger("write_output");
    QVERIFY(bar.writes_output());
    QCOMPARE(bar.target_field()->text(), QString::fromStdString(window_->result()->output));
    QVERIFY(bar.target_field()->hasSelectedText());
    QTest::keyClicks(bar.target_field(), "1999");
    settle();
    QCOMPARE(window_->result()->output, std::string("1999"));
    double probability = 1;
    for (const OutputStep& step : window_->result()->steps) probability *= step.probability;
    QVERIFY2(bar.target_title().contains(short_number(probability, 3)), qPrintable(bar.target_title()));
    // Where the model goes on, it is that of what was written by hand.
    window_->session().set_prefix(true);
    settle();
    QVERIFY(window_->result()->steps.size() > 5);
    probability = 1;
    for (std::size_t t = 0; t < 4; ++t) probability *= window_->result()->steps[t].probability;
    QVERIFY2(bar.target_title().contains(short_number(probability, 3)), qPrintable(bar.target_title()));
    window_->session().set_prefix(false);
    settle();
    const auto good = window_->result();

    QTest::keyClicks(bar.target_field(), "#");
    settle();
    QCOMPARE(window_->result(), good);
    QVERIFY2(bar.target_title().contains("#"), qPrintable(bar.target_title()));
    QCOMPARE(window_->views().banner()->message(), QString());  // nothing moves while somebody types
    const auto* title = bar.findChild<QLabel*>("target_title");
    QCOMPARE(title->palette().color(title->foregroundRole()), Theme::instance().warning());

    QTest::keyClick(bar.target_field(), Qt::Key_Backspace);
    QTest::keyClicks(bar.target_field(), "-12-31-99");
    settle();
    QCOMPARE(window_->result(), good);
    QVERIFY2(bar.target_title().contains("13") && bar.target_title().contains("10"), qPrintable(bar.target_title()));

    bar.target_field()->clear();
    window_->session().set_target(std::nullopt);
    settle();
    QVERIFY(window_->result() != good);
    QVERIFY(bar.target_title().contains("yourself"));
    // Put away, the model writes by itself.
    QTest::keyClicks(bar.target_field(), "1");
    settle();
    QTest::mouseClick(bar.findChild<QToolButton*>("close_target"), Qt::LeftButton);
    settle();
    QVERIFY(!bar.writes_output() && !window_->session().document().target);
  }

  void notes_are_in_the_language_of_the_window() {
    open(QStringLiteral("May 5\u00e9"));
    QVERIFY2(window_->status().notes().contains(QStringLiteral("‘\u00e9’ is unknown to this model and left out")),
             qPrintable(window_->status().notes()));
    // It is struck out where it was typed, and named to a room, too.
    const auto marks = window_->views().source_bar()->source_field()->extraSelections();
    QCOMPARE(marks.size(), 1);
    QCOMPARE(marks.front().cursor.selectedText(), QStringLiteral("\u00e9"));
    QVERIFY(marks.front().format.fontStrikeOut());
    window_->status().set_presenting(true);
    QVERIFY2(window_->status().caption().contains(QStringLiteral("\u00e9")), qPrintable(window_->status().caption()));
    window_->status().set_presenting(false);
    trigger("language_zh_CN");
    QTRY_VERIFY2(window_->status().notes().contains(QStringLiteral("略去")), qPrintable(window_->status().notes()));
  }

  void the_status_bar_tells_the_size_of_the_run() {
    open();
    Index numbers = 0;
    for (const TraceEntry& entry : window_->result()->trace->entries()) numbers += entry.value.size();
    const QString parameters =
        QLocale("en").toString(static_cast<qlonglong>(window_->result()->model->model->parameters().count()));
    QVERIFY2(window_->status().size_told().contains(parameters), qPrintable(window_->status().size_told()));
    QVERIFY(window_->status().size_told().contains(QLocale("en").toString(static_cast<qlonglong>(numbers))));
  }

  // Ctrl+E means "end of the line" to a text field on X11.
  void keys_of_the_menus_work_while_a_field_has_the_keyboard() {
    open();
    window_->activateWindow();
    trigger("focus_source");
    for (const auto key : {Qt::Key_E, Qt::Key_R, Qt::Key_L}) {
      QKeyEvent event(QEvent::ShortcutOverride, key, Qt::ControlModifier);
      event.accept();
      QCoreApplication::sendEvent(field(), &event);
      QVERIFY2(!event.isAccepted(), qPrintable(QKeySequence(key).toString()));
    }
    QKeyEvent copy(QEvent::ShortcutOverride, Qt::Key_C, Qt::ControlModifier);
    copy.ignore();
    QCoreApplication::sendEvent(field(), &copy);
    QVERIFY(copy.isAccepted());
  }

  void a_forced_output_is_scored() {
    open();
    trigger("write_output");
    QTest::keyClicks(window_->views().source_bar()->target_field(), "1999-12-31");
    settle();
    QCOMPARE(window_->result()->output, std::string("1999-12-31"));
    QCOMPARE(window_->result()->steps.size(), std::size_t{10});
  }
};

HEADLIGHT_WIDGET_TEST(TestWindowRuns)

}  // namespace headlight::test_window_runs

#include "test_window_runs.moc"
