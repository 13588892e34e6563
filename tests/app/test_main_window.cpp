// The whole window, offscreen: typing, undo, errors, keyboard, layout, languages.

#include <QAbstractItemView>
#include <QAction>
#include <QClipboard>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QLocale>
#include <QMimeData>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <future>

#include "app/appearance.h"
#include "app/language.h"
#include "app/panels/edits_panel.h"
#include "app/panels/message_banner.h"
#include "app/stage/first_selection.h"
#include "app/stage/panel_frame.h"
#include "app/text/model_picker.h"
#include "app/text/output_column.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "model/analysis/attention_maps.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/tables/table_pane.h"
#include "widgets/text/number_words.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/explain/explain_canvas.h"
#include "widgets/views/explain/explain_view.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/output/output_panel.h"
#include "widgets/views/output/output_view.h"
#include "widgets/views/ribbons/ribbons_view.h"
#include "widgets/views/stepper/stepper_view.h"
#include "widgets/views/tokens/token_strip.h"

namespace headlight::test_main_window {

class TestMainWindow : public QObject {
  Q_OBJECT

  QTemporaryDir models_;
  std::unique_ptr<MainWindow> window_;

  void open(const QString& source = "May 5, 2001", MainWindow::Remember remember = MainWindow::Remember::no) {
    window_ = std::make_unique<MainWindow>(remember);
    Document document;
    document.model = small_model();
    document.source = source.toStdString();
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    QCoreApplication::processEvents();
  }
  SourceField* field() { return window_->views().source_bar()->source_field(); }
  std::string shown() { return window_->result() ? window_->result()->source : "nothing"; }
  void trigger(const char* id) { window_->actions()[id]->trigger(); }

 private slots:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("HeadlightTest");
    QCoreApplication::setApplicationName("HeadlightTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, models_.path());
    qputenv("HEADLIGHT_MODELS", models_.path().toUtf8());
    small_model_folder(models_, "attn_seq2seq");
    small_model_folder(models_, "seq2seq");
    load_resources();
    Theme::instance().set(Theme::Mode::light, 1);  // with the style of the program from the beginning on
  }
  void init() { QSettings().clear(); }
  void cleanup() {
    window_.reset();
    set_language("en");
  }

  void everything_is_filled_at_the_start() {
    open();
    QVERIFY(window_->views().alignment()->map_shown());
    QCOMPARE(window_->views().tokens()->token_count(), static_cast<int>(window_->result()->tokens.size()));
    QCOMPARE(window_->views().source_bar()->output(), QString::fromStdString(window_->result()->output));
    QCOMPARE(window_->views().column()->rows().size(), window_->result()->steps.size());
    // Nothing is chosen, and nothing stands beside the picture, before somebody asks.
    QCOMPARE(window_->selection().state(), SelectionState());
    QVERIFY(!window_->panels().is_seen("inspector") && !window_->panels().is_seen("steps"));
  }

  // The picture that matters has most of the window.
  void the_picture_is_large() {
    open("November 22, 2026");
    for (const QSize& size : {QSize(1280, 800), QSize(1024, 700), QSize(1920, 1080)}) {
      window_->resize(size);
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      const QSize picture = window_->views().alignment()->size();
      const double share = double(picture.width()) * picture.height() / (double(size.width()) * size.height());
      QVERIFY2(share >= 0.55, qPrintable(QString("%1 x %2: %3").arg(size.width()).arg(size.height()).arg(share)));
    }
  }

  void captions_grow_with_the_window() {
    open();
    for (const int wide : {1280, 1920, 1280}) {
      window_->resize(wide, 900);
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      QCOMPARE(Theme::instance().ui_font(type::kSource) == Theme::instance().ui_font(), wide == 1920);
    }
  }

  // Each token of the output stands behind its row, also in a window of another size.
  void the_output_stands_behind_its_rows() {
    open();
    for (const QSize& size : {QSize(1280, 800), QSize(1024, 700)}) {
      window_->resize(size);
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      const Heatmap* cells = window_->views().alignment()->heatmap();
      const OutputColumn* column = window_->views().column();
      const auto rows = column->rows();
      QCOMPARE(static_cast<int>(rows.size()), cells->rows());
      for (const OutputColumn::Row& row : rows) {
        const double here = column->mapTo(window_.get(), row.rect.center().toPoint()).y();
        const QPointF cell = cells->heatmap_layout().cell_rect(row.step, 0).center();
        QVERIFY(std::abs(here - cells->mapTo(window_.get(), cell.toPoint()).y()) <= 1);
      }
    }
  }

  void a_click_opens_this_number_and_arrows_only_choose() {
    open();
    const auto seen = [this] {
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      return window_->panels().is_seen("inspector");
    };
    Heatmap* cells = window_->views().alignment()->heatmap();
    const auto click = [&](int row, int column) {
      QTest::mouseClick(cells->viewport(), Qt::LeftButton, {},
                        cells->heatmap_layout().cell_rect(row, column).center().toPoint());
    };
    cells->setFocus();
    QTest::keyClick(cells, Qt::Key_Down);
    QVERIFY(window_->selection().state().cell && !seen());
    click(2, 3);
    QVERIFY(seen());
    QCOMPARE(window_->selection().state().step, std::optional<int>(2));
    QVERIFY(window_->views().inspector()->shown().has_value());
    // Closed by hand it stays closed, until somebody asks.
    emit window_->panels().frame("inspector")->closed();
    QVERIFY(!seen());
    click(1, 1);
    QVERIFY(!seen());
    QTest::keyClick(cells, Qt::Key_Return);
    QVERIFY(seen());
  }

  void arrangements_keep_text_and_selection_and_what_was_changed_in_them() {
    open();
    Heatmap* cells = window_->views().alignment()->heatmap();
    cells->setFocus();
    QTest::keyClick(cells, Qt::Key_Down);
    const SelectionState chosen = window_->selection().state();
    const auto seen = [this](const char* name) {
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      return window_->panels().is_seen(name);
    };
    trigger("explain");
    QVERIFY(seen("alignment") && seen("inspector") && seen("explain"));
    QVERIFY(window_->actions()["explain"]->isChecked() && !window_->actions()["look"]->isChecked());
    trigger("change");
    QVERIFY(seen("alignment") && seen("differences") && seen("mechanism") && !seen("inspector"));
    trigger("compare");
    QVERIFY(seen("compare") && seen("history") && !seen("alignment"));
    trigger("explain");
    QCOMPARE(window_->selection().state(), chosen);
    QCOMPARE(window_->views().source_bar()->source_field()->text(), QString("May 5, 2001"));
    // What a person does in one of them is there when they come back, and 'As it was' undoes it.
    window_->panels().raise("values");
    QVERIFY(seen("values") && !seen("explain"));
    trigger("look");
    QVERIFY(!seen("values"));
    trigger("explain");
    QVERIFY(seen("values") && !seen("explain"));
    trigger("reset_layout");
    QVERIFY(!seen("values") && seen("explain"));
    // Saved under a name, it is one more of them.
    window_->panels().raise("values");
    window_->panels().save_arrangement("mine");
    trigger("look");
    QCOMPARE(window_->panels().arrangements(), (QStringList{"look", "explain", "change", "compare", "mine"}));
    window_->panels().arrange("mine");
    QVERIFY(seen("values") && seen("inspector"));
  }

  void the_names_lead_to_the_pictures() {
    open();
    const QTabBar* names = window_->findChild<QTabBar*>("pictures");
    QVERIFY(names && names->count() >= 3);
    QCOMPARE(names->tabText(0), QString("Alignment"));
    QTest::mouseClick(const_cast<QTabBar*>(names), Qt::LeftButton, {}, names->tabRect(1).center());
    QCOMPARE(window_->panels().front(), QString("ribbons"));
    QVERIFY(window_->views().ribbons()->isVisible());
    // A picture behind "More" shows its name there, and the names stay where they are.
    const QString before = names->tabText(1);
    window_->panels().raise("compare");
    QCOMPARE(window_->panels().front(), QString("compare"));
    QCOMPARE(names->tabText(1), before);
    QCOMPARE(window_->findChild<QToolButton*>("more_pictures")->text(), QString("Compare"));
  }

  void the_caption_says_what_to_do() {
    open();
    for (const ViewRow& row : view_table()) {
      if (!window_->panels().raise(row.name) || window_->panels().front() != row.name) continue;
      QVERIFY2(window_->status().caption().endsWith(translated_view_text(row.todo)), row.name);
      QVERIFY2(row.todo[0], row.name);
    }
  }

  // The four steps stand on the columns of the picture, and each of their numbers is one click from its arithmetic.
  void an_output_is_explained_in_four_steps() {
    open();
    trigger("explain");
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
    ExplainView* view = window_->views().explanation();
    const auto& rows = view->canvas()->rows();
    QVERIFY(rows && rows->rows.size() == 4);
    const Heatmap* cells = window_->views().alignment()->heatmap();
    for (int column = 0; column < cells->columns(); ++column) {
      const double above = cells->mapToGlobal(cells->heatmap_layout().cell_rect(0, column).center().toPoint()).x();
      const double below = view->canvas()->mapToGlobal(view->canvas()->number_rect({1, column}).center().toPoint()).x();
      QVERIFY2(std::abs(above - below) <= 1, qPrintable(QString::number(column)));
    }
    for (int row = 0; row < 4; ++row) {
      QTest::mouseClick(view->canvas()->viewport(), Qt::LeftButton, {},
                        view->canvas()->number_rect({row, 0}).center().toPoint());
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      const auto shown = window_->views().inspector()->shown();
      QVERIFY(shown);
      QCOMPARE(shown->entry, rows->rows[static_cast<std::size_t>(row)].entry);
      QCOMPARE(shown->index, rows->rows[static_cast<std::size_t>(row)].numbers[0].cell);
    }
    const int step = view->step();
    view->walk(1);
    QCOMPARE(view->step(), step + 1);
    QVERIFY2(view->heading().contains(QString::number(step + 2)), qPrintable(view->heading()));
  }

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

  void keyboard_reaches_every_panel() {
    open();
    window_->activateWindow();
    trigger("focus_source");
    QSet<QWidget*> visited;
    trigger("explain");
    window_->panels().raise("steps");
    QWidget* const panels[] = {window_->views().source_bar(), window_->views().alignment(), window_->views().stepper(),
                               window_->views().inspector()};
    for (int i = 0; i < 20; ++i) {
      QWidget* focus = QApplication::focusWidget();
      QVERIFY(focus);
      for (QWidget* panel : panels)
        if (panel == focus || panel->isAncestorOf(focus)) visited.insert(panel);
      QTest::keyClick(focus, Qt::Key_F8);
    }
    QCOMPARE(visited.size(), 4);
  }

  // By itself, Qt lets them drift.
  void panels_keep_their_sizes() {
    open();
    trigger("explain");
    window_->panels().raise("steps");
    const auto sizes = [this] {
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      return QList<int>{window_->views().inspector()->width(), window_->views().stepper()->width()};
    };
    const QList<int> before = sizes();
    for (const char* name : {"ribbons", "compare", "alignment"}) {
      window_->panels().raise(name);
      QCOMPARE(sizes(), before);
    }
    Theme::instance().set_mode(Theme::Mode::dark);
    QCOMPARE(sizes(), before);
    Theme::instance().set_mode(Theme::Mode::light);
    for (const char* text : {"M", "Ma", "May"}) {
      window_->session().set_source(text);
      settle();
      QCOMPARE(sizes(), before);
    }
  }

  // Stepping leaves rows out, and says so; a new text is a new run, of which everything is there.
  void stepping_ends_when_somebody_types() {
    open();
    trigger("explain");
    window_->panels().raise("steps");
    StepperView* stepper = window_->views().stepper();
    stepper->first();
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
    const Heatmap* map = window_->views().alignment()->heatmap();
    QCOMPARE(map->visible_rows(), 0);
    QVERIFY2(window_->status().caption().contains("0 of"), qPrintable(window_->status().caption()));
    window_->session().set_source("June 7, 1999");
    settle();
    QCOMPARE(map->visible_rows(), -1);
    stepper->first();
    QCOMPARE(map->visible_rows(), 0);
    QTest::mouseClick(window_->status().show_all(), Qt::LeftButton);
    QCOMPARE(map->visible_rows(), -1);
    QVERIFY(!window_->status().caption().contains("Stopped"));
  }

  void only_what_is_seen_is_kept_up_to_date() {
    open();
    const auto seen = [this](const char* name) {
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      return window_->panels().picture(name).view->isVisible();
    };
    QVERIFY(seen("alignment") && !seen("ribbons") && !seen("steps") && !seen("values"));
    window_->panels().raise("ribbons");
    QVERIFY(!seen("alignment") && seen("ribbons"));
    window_->panels().set_out("compare", true);
    QVERIFY(seen("compare") && seen("ribbons"));
    QVERIFY(window_->panels().frame("compare")->isWindow());
    window_->panels().set_out("compare", false);
    QVERIFY(!seen("compare") && seen("ribbons"));
    window_->panels().raise("compare");
    QVERIFY(seen("compare") && !seen("ribbons"));
    // Two pictures at once, and one of them below.
    trigger("beside");
    QVERIFY(seen("compare") && seen("alignment"));
    window_->panels().put_away("alignment");
    QVERIFY(seen("compare") && !seen("alignment"));
    trigger("below");
    QVERIFY(seen("compare") && window_->panels().front() != "compare");
  }

  void arrows_in_the_alignment_move_the_selection() {
    open();
    window_->activateWindow();
    while (!window_->views().alignment()->isAncestorOf(QApplication::focusWidget()))
      QTest::keyClick(window_.get(), Qt::Key_F8);
    for (const auto key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Right})
      QTest::keyClick(QApplication::focusWidget(), key);
    const SelectionState before = window_->selection().state();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
    const SelectionState after = window_->selection().state();
    QVERIFY(after.step.has_value());
    QCOMPARE(*after.step, *before.step - 1);
  }

  void the_layout_is_remembered_and_can_be_reset() {
    open("May", MainWindow::Remember::yes);
    trigger("explain");
    window_->panels().raise("ribbons");
    window_->panels().put_away("explain");
    window_->panels().set_out("states", true);
    window_->resize(1111, 777);
    window_->close();
    open("May", MainWindow::Remember::yes);
    QCOMPARE(window_->panels().arrangement(), QString("explain"));
    QCOMPARE(window_->panels().front(), QString("ribbons"));
    QVERIFY(!window_->panels().is_seen("explain") && window_->panels().is_seen("states"));
    QVERIFY(window_->panels().frame("states")->isWindow());
    QCOMPARE(window_->size(), QSize(1111, 777));
    trigger("reset_layout");
    QVERIFY(window_->panels().is_seen("explain") && !window_->panels().is_out("states"));
  }

  void controls_of_a_picture_that_was_taken_out_stand_above_it() {
    open("May", MainWindow::Remember::yes);
    for (const char* name : {"states", "ribbons", "query-key"}) {
      window_->panels().set_out(name, true);
      settle();
      PanelFrame* frame = window_->panels().frame(name);
      const auto* view = frame->findChild<ViewPanel*>();
      QVERIFY(frame->isWindow() && view && view->lent_bar());
      const QWidget* bar = view->lent_bar();
      const QRect room = bar->layout()->contentsRect();
      QCOMPARE(bar->mapTo(frame, room.topLeft()).x(), space::kMargin);
      window_->panels().set_out(name, false);
    }
  }

  void panels_are_offered_where_the_model_has_what_they_show() {
    const auto offered = [this](const char* name) {
      return window_->panels().is_offered(name) && window_->panels().raise(name) && window_->panels().is_seen(name);
    };
    open("June 7, 1999", MainWindow::Remember::yes);  // one attention with one head, no positions
    QVERIFY(offered("ribbons") && !offered("heads") && !offered("positions"));
    window_->session().set_model(small_model("convs2s"));
    settle();
    QVERIFY(offered("ribbons") && offered("heads") && offered("positions"));
    // A picture that the next model has nothing for gives way, and comes back with a model that has.
    window_->panels().raise("positions");
    window_->session().set_model(small_model("seq2seq"));
    settle();
    QVERIFY(!offered("ribbons") && !offered("heads") && !offered("positions"));
    QVERIFY(!window_->panels().is_seen("positions"));
    window_->session().set_model(small_model("convs2s"));
    settle();
    QVERIFY(window_->panels().is_seen("positions"));
  }

  void the_panel_with_the_keyboard_is_what_is_exported() {
    open();
    window_->activateWindow();
    trigger("focus_source");
    QCOMPARE(window_->panels().picture().name, QString("alignment"));
    window_->panels().raise("steps");
    window_->panels().focus_panel("steps");
    QCOMPARE(window_->panels().picture().name, QString("steps"));
    window_->panels().raise("ribbons");
    QCoreApplication::processEvents();
    window_->views().ribbons()->setFocus();
    QTRY_COMPARE(window_->panels().picture().name, QString("ribbons"));
    const QTemporaryDir folder;
    window_->panels().picture().write(folder.filePath("r.csv"));
    QVERIFY(QFileInfo(folder.filePath("r.csv")).size() > 100);
  }

  void the_numbers_open_as_a_table() {
    open();
    window_->activateWindow();
    Heatmap* map = window_->views().alignment()->heatmap();
    map->setFocus();
    QTest::keyClick(map, Qt::Key_T, Qt::ControlModifier);
    TablePane* pane = window_->panels().table_pane("alignment");
    QVERIFY(pane && pane->isVisible());
    QTableView* cells = pane->cells();
    QVERIFY(cells->hasFocus());
    QVERIFY(cells->accessibleName().contains("Alignment"));
    const QAbstractItemModel* table = cells->model();
    QCOMPARE(table->rowCount(), map->rows());
    QCOMPARE(table->columnCount(), map->columns());
    QCOMPARE(table->index(2, 3).data(Qt::EditRole).toFloat(), map->value(2, 3));
    // Sorted by a column, the largest first.
    cells->setCurrentIndex(table->index(0, 3));
    QTest::keyClick(cells, Qt::Key_S);
    QTest::keyClick(cells, Qt::Key_S);
    std::vector<float> values;
    for (int row = 0; row < map->rows(); ++row) values.push_back(map->value(row, 3));
    QCOMPARE(table->index(0, 3).data(Qt::EditRole).toFloat(), *std::ranges::max_element(values));
    // Copied for a spreadsheet: a line of titles, then every row.
    QTest::keyClick(cells, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(cells, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), map->rows() + 1);
    QCOMPARE(lines[1].count('\t'), map->columns());
    // It follows the text, in its order, and speaks Chinese.
    window_->session().set_source("21 NOV 2026");
    settle();
    QCOMPARE(table->columnCount(), map->columns());
    set_language("zh_CN");
    QCoreApplication::processEvents();
    QVERIFY(cells->accessibleName().contains(QStringLiteral("表格")));
    QTest::keyClick(cells, Qt::Key_Escape);
    QVERIFY(!window_->panels().table_pane("alignment"));
    QVERIFY(map->hasFocus());
    // From where the keyboard is in no picture: of the picture in front.
    trigger("focus_source");
    trigger("show_table");
    QVERIFY(window_->panels().table_pane("alignment"));
    trigger("show_table");
    QVERIFY(!window_->panels().table_pane("alignment"));
  }

  void one_picture_stays_in_the_window() {
    open();
    int in_the_window = 0;
    for (const ViewRow& row : view_table())
      if (window_->panels().is_offered(row.name)) window_->panels().set_out(row.name, true);
    for (const ViewRow& row : view_table())
      in_the_window += window_->panels().is_offered(row.name) && !window_->panels().frame(row.name)->isWindow() &&
                       window_->panels().is_seen(row.name);
    QCOMPARE(in_the_window, 1);
  }

  void maps_are_made_once_for_a_result() {
    open();
    int seen = 0;
    for (const ViewRow& row : view_table()) {
      // One stays in the window; the history runs other models.
      if (row.name == QLatin1String("alignment") || row.name == QLatin1String("history")) continue;
      if (!window_->panels().is_offered(row.name)) continue;
      window_->panels().set_out(row.name, true);
      QVERIFY(window_->panels().is_seen(row.name));
      ++seen;
    }
    QVERIFY(seen > 5);
    window_->views().compare()->set_reference(CompareView::Reference::before);  // another model has maps of its own
    settle();
    QTest::qWait(200);  // the list of the compare view is sorted a moment later
    const std::size_t before = attention_maps_made();
    window_->session().set_source("21 NOV 2026");
    settle();
    QTest::qWait(200);
    QCOMPARE(attention_maps_made() - before, std::size_t(1));
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

  void the_language_changes_while_it_runs() {
    open();
    trigger("language_zh_CN");
    QTRY_COMPARE(window_->actions()["undo"]->text(), QString::fromUtf8("撤销(&U)"));
    QVERIFY(window_->panels().frame("outputs")->title() != "Output");
    trigger("language_en");
    QTRY_COMPARE(window_->actions()["undo"]->text(), QString("&Undo"));
    QCOMPARE(window_->panels().frame("outputs")->title(), QString("Output"));
  }

  void colours_and_text_size_change_while_it_runs() {
    open();
    trigger("theme_light");
    trigger("theme");
    QCOMPARE(Theme::instance().mode(), Theme::Mode::dark);
    trigger("theme");
    QCOMPARE(Theme::instance().mode(), Theme::Mode::light);
    trigger("larger");
    QVERIFY(Theme::instance().font_scale() > 1);
    trigger("normal_size");
    QCOMPARE(Theme::instance().font_scale(), 1.0);
    QCOMPARE(next_font_scale(2.5, 1), 2.5);
    QCOMPARE(next_font_scale(0.75, -1), 0.75);
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
    const auto good = window_->result();
    QCOMPARE(good->output, std::string("1999"));
    double probability = 1;
    for (const OutputStep& step : good->steps) probability *= step.probability;
    QVERIFY2(bar.target_title().contains(short_number(probability, 3)), qPrintable(bar.target_title()));

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

  // What was a window of its own in the time of docks still is; its panel of the map was called "computation" once.
  void a_layout_of_docks_is_understood() {
    open();
    QMainWindow before;
    for (const char* name : {"alignment", "ribbons", "computation", "inspector", "nobody knows"}) {
      auto* dock = new QDockWidget(&before);
      dock->setObjectName(name);
      before.addDockWidget(Qt::TopDockWidgetArea, dock);
    }
    before.show();
    before.findChild<QDockWidget*>("computation")->setFloating(true);
    before.findChild<QDockWidget*>("ribbons")->hide();
    window_->panels().restore_state(before.saveState());
    QVERIFY(window_->panels().is_out("map"));
    QVERIFY(!window_->panels().is_out("ribbons") && !window_->panels().is_out("alignment"));
    QCOMPARE(window_->panels().front(), QString("alignment"));
  }

  void a_layout_that_is_none_does_no_harm_data() {
    QTest::addColumn<QByteArray>("state");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("noise") << QByteArray("\xff\0\0\x07 noise", 10);
    QTest::newRow("other names") << QByteArray(R"({"current":"none","front":"none","out":{"none":"x","heads":7},
        "arrangements":{"look":{"main":["none","",7,"none"],"side":["none"],"below":"x","across":[1],"down":[-5,1e99]}}})");
    QTest::newRow("a panel everywhere") << QByteArray(R"({"current":"look","arrangements":{"look":{
        "main":["ribbons","ribbons","map"],"side":["map","map"],"below":["map","ribbons"]}}})");
  }
  void a_layout_that_is_none_does_no_harm() {
    QFETCH(QByteArray, state);
    open();
    window_->panels().restore_state(state);
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
    QVERIFY(window_->panels().is_seen(window_->panels().front()));
    QVERIFY(!window_->grab().isNull());
  }

  void the_dialog_of_a_weight_fits_beside_the_picture() {
    open();
    window_->selection().set(first_selection(*window_->result()));
    Heatmap* cells = window_->views().alignment()->heatmap();
    cells->setFocus();
    QTest::keyClick(cells, Qt::Key_Down);
    QTest::keyClick(cells, Qt::Key_F2);
    auto* dialog = window_->findChild<QInputDialog*>();
    QVERIFY(dialog);
    QVERIFY2(dialog->width() < 600, qPrintable(QString::number(dialog->width())));
    dialog->reject();
  }

  void tab_goes_as_one_reads() {
    open();
    window_->activateWindow();
    const DocumentViews& views = window_->views();
    trigger("explain");
    window_->panels().raise("steps");
    const std::vector<QWidget*> order = {views.source_bar(), views.alignment(), views.stepper(), views.inspector()};
    trigger("focus_source");
    std::vector<QWidget*> seen = {views.source_bar()};
    QStringList fields;
    for (int i = 0; i < 60; ++i) {
      QTest::keyClick(window_.get(), Qt::Key_Tab);
      QWidget* now = QApplication::focusWidget();
      QVERIFY(now);
      if (seen.size() == 1 && views.source_bar()->isAncestorOf(now) && now != views.tokens())
        fields << now->objectName();
      for (QWidget* panel : order) {
        const bool bar = panel == views.source_bar() && (now == views.tokens() || views.tokens()->isAncestorOf(now));
        if (!bar && (panel == now || panel->isAncestorOf(now)) && seen.back() != panel) seen.push_back(panel);
      }
      if (seen.size() == order.size()) break;
    }
    QCOMPARE(seen, order);
    QCOMPARE(fields, (QStringList{"examples", "output_menu"}));
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

HEADLIGHT_WIDGET_TEST(TestMainWindow)

}  // namespace headlight::test_main_window

#include "test_main_window.moc"
