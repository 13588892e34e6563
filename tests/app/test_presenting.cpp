// A teacher with a projector: F5, the remote, the spotlight, other pictures, larger type, and back.

#include <QAction>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/document/session_file.h"
#include "app/language.h"
#include "app/panels/message_banner.h"
#include "app/presentation/presentation.h"
#include "app/presentation/presenter.h"
#include "app/presentation/spotlight.h"
#include "app/stage/panel_frame.h"
#include "app/stage/stage.h"
#include "app/text/output_column.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "tests/widgets/recorded_text.h"
#include "widgets/base/theme.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/explain/explain_view.h"
#include "widgets/views/output/output_panel.h"
#include "widgets/views/output/output_view.h"
#include "widgets/views/stepper/stepper_view.h"

namespace headlight::test_presenting {

class TestPresenting : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  void open(QSize size = {1280, 800}, const char* architecture = "attn_seq2seq") {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = small_model(architecture);
    document.source = "May 5, 2001";
    window_->resize(size);
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    window_->activateWindow();
    settle();
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QWidget* focus = window_->focusWidget() ? window_->focusWidget() : window_.get();
    QTest::keyClick(focus, key, modifiers);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  void present() {
    press(Qt::Key_F5);
    QVERIFY(window_->isFullScreen());
  }
  Heatmap* map() { return window_->views().alignment()->heatmap(); }
  Spotlight* sheet() { return window_->findChild<Spotlight*>(); }

 private slots:
  void initTestCase() { load_resources(); }
  void cleanup() {
    window_.reset();
    Theme::instance().set(Theme::Mode::light, 1);
    set_language("en");
  }

  // The button of examples, which a room does not see, keeps no room in it.
  void the_text_has_the_whole_field() {
    open();
    SourceField* field = window_->views().source_bar()->source_field();
    const auto* button = window_->findChild<QToolButton*>("examples");
    QVERIFY(button->isVisible() && field->viewport()->geometry().right() < button->x());
    present();
    const double wide = QFontMetricsF(Theme::instance().token_font(type::kQuestion)).horizontalAdvance(field->text());
    QVERIFY(wide < 0.9 * field->width());
    QCOMPARE(field->lines(), 1);
    QCOMPARE(field->font().pointSizeF(), Theme::instance().token_font(type::kQuestion).pointSizeF());
    QVERIFY2(field->viewport()->width() > field->width() - 40, qPrintable(QString::number(field->viewport()->width())));
  }

  // A message from before is not for the room; what goes wrong meanwhile is seen.
  void messages_wait_until_it_is_over() {
    open();
    MessageBanner* banner = window_->views().banner();
    window_->views().say("Unsaved sessions", "Open them");
    present();
    QVERIFY(!banner->isVisible());
    press(Qt::Key_Escape);
    QVERIFY(!window_->isFullScreen() && banner->isVisible());
    QCOMPARE(banner->message(), QString("Unsaved sessions"));
    present();
    window_->views().say("No run", "Stop");  // in its place
    QVERIFY(banner->isVisible());
    banner->dismiss();
    press(Qt::Key_Escape);
    QVERIFY(!window_->isFullScreen() && !banner->isVisible());
  }

  // The picture in front, whatever has the keyboard; another panel when somebody says so; and back as it was.
  void the_stage_is_for_the_picture_in_front() {
    open();
    for (const char* way : {"look", "explain", "change"}) {
      window_->actions()[way]->trigger();
      window_->panels().raise("inspector");
      window_->panels().focus_panel("inspector");
      const QByteArray arranged = window_->panels().save_state();
      present();
      QVERIFY(window_->views().alignment()->isVisible() && !window_->bar().isVisible());
      QVERIFY(!window_->panels().is_seen("inspector") && !window_->panels().is_seen("mechanism"));
      QCOMPARE(window_->views().explanation()->isVisible(), QByteArray(way) == "explain");
      press(Qt::Key_Escape);
      QCOMPARE(window_->panels().save_state(), arranged);
      QVERIFY(window_->panels().is_seen("inspector") && window_->bar().isVisible() && !window_->isFullScreen());
    }
    const QByteArray arranged = window_->panels().save_state();
    QMenu* menu = window_->panels().frame("inspector")->menu();
    emit menu->aboutToShow();
    for (QAction* each : menu->actions())
      if (each->text() == "Present this panel") each->trigger();
    settle();
    QVERIFY(window_->isFullScreen());
    QVERIFY(window_->panels().is_seen("inspector") && !window_->views().alignment()->isVisible());
    press(Qt::Key_Escape);
    QCOMPARE(window_->panels().save_state(), arranged);
  }

  // Normal, maximised, full screen, presenting: every way from one to another and back.
  void the_states_of_the_window_data() {
    QTest::addColumn<int>("before");
    QTest::addColumn<QString>("end");
    for (const auto& [name, state] : {std::pair{"normal", Qt::WindowNoState},
                                      {"maximised", Qt::WindowMaximized},
                                      {"full screen", Qt::WindowFullScreen}})
      for (const char* end : {"Esc", "F5", "F11", "session"}) QTest::addRow("%s, %s", name, end) << int(state) << end;
  }
  void the_states_of_the_window() {
    QFETCH(int, before);
    QFETCH(QString, end);
    open();
    const Qt::WindowStates state(before);
    if (state & Qt::WindowFullScreen)
      press(Qt::Key_F11);
    else
      window_->setWindowState(state);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
    const auto now = [&] { return window_->windowState() & ~Qt::WindowActive; };
    QCOMPARE(now(), state);
    const QAction* full = window_->actions()["full_screen"];
    QCOMPARE(full->isChecked(), bool(state & Qt::WindowFullScreen));
    const QSize size = window_->size();
    const SessionState saved = window_->session_state();
    present();
    QVERIFY(window_->actions()["present"]->isChecked());
    if (end == "Esc") press(Qt::Key_Escape);
    if (end == "F5") press(Qt::Key_F5);
    if (end == "F11") press(Qt::Key_F11);
    if (end == "session") {
      QTemporaryDir folder;
      const QString path = folder.filePath("a.headlight");
      QFile file(path);
      QVERIFY(file.open(QIODevice::WriteOnly));
      SessionState other = saved;
      other.model.folder = QDir("sample_models/date-attention").absolutePath();
      other.model.name = "date-attention";
      other.model.sha256.clear();
      file.write(write_session(other, path));
      file.close();
      window_->open_session_file(path);
      QTRY_VERIFY_WITH_TIMEOUT(window_->result()->model->name == "date-attention", 30000);
    }
    settle();
    QVERIFY(!window_->actions()["present"]->isChecked());
    QCOMPARE(now(), state);
    if (end != "session") QCOMPARE(window_->size(), size);
    QCOMPARE(full->isChecked(), bool(state & Qt::WindowFullScreen));
    // And full screen alone, there and back.
    const bool was = full->isChecked();
    press(Qt::Key_F11);
    QCOMPARE(window_->isFullScreen(), !was);
    press(Qt::Key_F11);
    QCOMPARE(now() & Qt::WindowFullScreen, state & Qt::WindowFullScreen);
  }

  void a_click_on_the_stage_opens_nothing_beside_it() {
    open();
    present();
    QTest::mouseClick(map()->viewport(), Qt::LeftButton, {},
                      map()->heatmap_layout().cell_rect(2, 3).center().toPoint());
    settle();
    QVERIFY(window_->selection().state().cell);
    QVERIFY(!window_->panels().is_seen("inspector"));
  }

  void other_panels_come_by_their_digit() {
    open();
    present();
    press(Qt::Key_3, Qt::AltModifier);
    QVERIFY(window_->panels().is_seen("ribbons") && !window_->views().alignment()->isVisible());
    press(Qt::Key_0, Qt::AltModifier);  // what stands at the side otherwise
    QVERIFY(window_->panels().is_seen("mechanism") && window_->isFullScreen());
    press(Qt::Key_1, Qt::AltModifier);
    QVERIFY(window_->views().alignment()->isVisible() && !window_->panels().is_seen("mechanism"));
    press(Qt::Key_Escape);
    QVERIFY(window_->views().alignment()->isVisible());
  }

  // Row by row, with one line that says what happens; before the first and after the last all is there.
  void the_remote_writes_row_by_row() {
    open();
    const int rows = map()->rows();
    QVERIFY(rows >= 3);
    present();
    QCOMPARE(map()->visible_rows(), -1);
    for (int row = 1; row < rows; ++row) {
      press(Qt::Key_PageDown);
      QCOMPARE(map()->visible_rows(), row);
      QCOMPARE(window_->selection().state().step, std::optional<int>(row - 1));
      QVERIFY2(window_->status().caption().startsWith("writes"), qPrintable(window_->status().caption()));
    }
    press(Qt::Key_PageUp);
    QCOMPARE(map()->visible_rows(), rows - 2);
    for (int i = 0; i < 4; ++i) press(Qt::Key_Right);  // more often than there are rows
    QCOMPARE(map()->visible_rows(), -1);
    QCOMPARE(window_->selection().state().step, std::optional<int>(rows - 1));
    for (int i = 0; i < rows; ++i) press(Qt::Key_Left);
    QCOMPARE(map()->visible_rows(), -1);
    QVERIFY(!window_->selection().state().step);
    press(Qt::Key_PageDown);
    QCOMPARE(map()->visible_rows(), 1);
    press(Qt::Key_Escape);
    QCOMPARE(map()->visible_rows(), -1);
    QVERIFY(!window_->status().show_all()->isVisible());
  }

  void single_operations_are_stepped_where_they_are_on_the_stage() {
    open();
    present();
    window_->panels().raise("steps");
    settle();
    StepperView* stepper = window_->views().stepper();
    stepper->first();
    press(Qt::Key_PageDown);
    press(Qt::Key_PageDown);
    QCOMPARE(stepper->position(), 2);
    press(Qt::Key_PageUp);
    QCOMPARE(stepper->position(), 1);
  }

  void larger_type_there_is_not_larger_type_here() {
    open();
    present();
    const double first = Theme::instance().font_scale();
    press(Qt::Key_Plus, Qt::ControlModifier);
    QVERIFY(Theme::instance().font_scale() > 1.1 * first);
    press(Qt::Key_Escape);
    QCOMPARE(Theme::instance().font_scale(), 1.0);
    press(Qt::Key_Plus, Qt::ControlModifier);
    QVERIFY(Theme::instance().font_scale() > 1.0 && Theme::instance().font_scale() < 1.3);
  }

  void the_light_falls_on_the_labels_too() {
    open();
    present();
    window_->resize(1280, 800);  // this platform's screen has no room for the output beside the picture
    settle();
    QTest::mouseClick(map()->viewport(), Qt::LeftButton, {},
                      map()->heatmap_layout().cell_rect(2, 3).center().toPoint());
    press(Qt::Key_S);
    const auto lit = [&](const QRectF& in_map) {
      const QRectF here = in_map.translated(map()->viewport()->mapTo(window_.get(), QPoint()));
      return std::ranges::any_of(sheet()->holes(), [&](const QRectF& hole) { return hole.contains(here); });
    };
    const HeatmapLayout& layout = map()->heatmap_layout();
    QTRY_VERIFY(lit(layout.cell_rect(2, 3)));  // the light follows by a timer
    const auto label = [](const auto& labels, int index) {
      return std::ranges::find(labels, index, &HeatmapLayout::Label::index)->rect;
    };
    QTRY_VERIFY(lit(label(layout.row_labels, 2)));
    QTRY_VERIFY(lit(label(layout.column_labels, 3)));
    QVERIFY(!lit(layout.cell_rect(5, 8)));
    // What the step wrote is one of them.
    const OutputColumn* column = window_->views().column();
    QVERIFY(!column->chosen_row().isEmpty());
    const QPointF written = column->mapTo(window_.get(), column->chosen_row().center().toPoint());
    QTRY_VERIFY(std::ranges::any_of(sheet()->holes(), [&](const QRectF& hole) { return hole.contains(written); }));
    // A view that has nothing of its own to show lights up what the pointer shows.
    press(Qt::Key_3, Qt::AltModifier);
    QTRY_COMPARE(sheet()->holes().size(), 1);
  }

  // The text is chosen when the window opens, so that typing replaces it; for a room it is only the text.
  void the_text_is_not_chosen_on_the_wall() {
    open();
    window_->views().source_bar()->focus_source();
    auto* field = window_->findChild<SourceField*>();
    QVERIFY(field->textCursor().hasSelection());
    present();
    QVERIFY(!field->textCursor().hasSelection());
  }

  void nothing_of_next_to_no_probability_is_on_the_wall() {
    open();
    window_->open_model(QDir("sample_models/date-attention").absolutePath());
    QTRY_VERIFY_WITH_TIMEOUT(window_->result()->model->name == "date-attention", 30000);
    settle();
    window_->panels().raise("outputs");
    settle();
    const auto* list = window_->findChild<OutputView*>();
    const auto candidates = [&] { return list->output_layout().candidates; };
    int likely = 0;
    for (const OutputStep& step : window_->result()->steps)
      likely = std::max(likely, static_cast<int>(std::ranges::count_if(
                                    step.top, [&](const Candidate& each) { return each.probability >= 0.01; })));
    QVERIFY(likely <= 3 && candidates() > likely);
    present();
    QCOMPARE(candidates(), likely);
  }

  // Whoever sits in the last row reads all of it.
  void every_letter_is_large_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QString>("language");
    QTest::newRow("1280 x 800") << QSize(1280, 800) << "en";
    QTest::newRow("1920 x 1080") << QSize(1920, 1080) << "en";
    QTest::newRow("1920 x 1080, Chinese") << QSize(1920, 1080) << "zh_CN";
  }
  void every_letter_is_large() {
    QFETCH(QSize, size);
    QFETCH(QString, language);
    set_language(language);
    open(size);
    present();
    window_->resize(size);  // this platform's screen has a size of its own
    settle();
    const double least = size.height() / Presenter::kCapitals - 0.75;
    for (const char* name :
         {"alignment", "ribbons", "outputs", "states", "map", "mechanism", "inspector", "steps", "values"}) {
      if (!window_->panels().raise(name)) continue;
      if (QByteArray(name) == "alignment") window_->panels().set_table_shown(name, true);
      settle();
      for (const RecordedText& each : texts_of(window_.get()))
        // An index of a formula ('j') is smaller than its letter.
        QVERIFY2(each.capital >= least || each.text.trimmed().isEmpty() ||
                     (each.text.size() <= 3 && each.capital >= 0.65 * least),
                 qPrintable(QStringLiteral("%1: '%2' has capitals of %3 instead of %4 pixels")
                                .arg(name, each.text)
                                .arg(each.capital)
                                .arg(least)));
      window_->panels().set_table_shown(name, false);
    }
  }
};

HEADLIGHT_WIDGET_TEST(TestPresenting)

}  // namespace headlight::test_presenting

#include "test_presenting.moc"
