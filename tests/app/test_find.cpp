// Ctrl+K in the window: what is found by a student's words in both languages, and what Enter, Escape and the mouse do.

#include <QAccessible>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QScreen>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "app/classroom/classroom.h"
#include "app/classroom/glossary_dialog.h"
#include "app/find/finder.h"
#include "app/find/palette.h"
#include "app/find/words.h"
#include "app/language.h"
#include "app/text/model_picker.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/mechanism/mechanism_view.h"

namespace headlight::test_find {

namespace {
constexpr int kLong = 60'000;
}

class TestFind : public QObject {
  Q_OBJECT

  QTemporaryDir models_;
  std::unique_ptr<MainWindow> window_;

  void open_window(const char* architecture) {
    window_.reset();
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = load_model(models_.filePath(architecture).toStdString());
    document.source = "May 5, 2001";
    window_->start(document);
    window_->show();
    settle();
    window_->views().source_bar()->focus_source();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), kLong);
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
  }
  FindPalette& palette() { return *window_->finder().palette(); }
  void press(Qt::Key key) { QTest::keyClick(palette().field(), key); }
  void find(const QString& typed) {
    if (!palette().isVisible()) QTest::keyClick(window_->focusWidget(), Qt::Key_K, Qt::ControlModifier);
    QVERIFY(palette().isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(!window_->views().source_bar()->models().empty(), kLong);
    palette().field()->setText(typed);
  }
  // Titles of this kind among those that are shown.
  QStringList found(FindKind kind) {
    QStringList titles;
    for (const int at : palette().shown())
      if (at >= 0 && palette().index()[at].kind == kind) titles << palette().index()[at].title;
    return titles;
  }
  // With the arrow keys, as somebody would.
  bool choose(FindKind kind, const QString& title) {
    const auto is_there = [&] {
      const int at = palette().chosen();
      return at >= 0 && palette().index()[at].kind == kind && palette().index()[at].title == title;
    };
    for (int i = 0; i < 80 && !is_there(); ++i) press(Qt::Key_Down);
    return is_there();
  }
  QWidget* focus() { return window_->focusWidget(); }

 private slots:
  void initTestCase() {
    qputenv("HEADLIGHT_MODELS", models_.path().toUtf8());
    for (const char* name : {"attn_seq2seq", "seq2seq"}) small_model_folder(models_, name);
    load_resources();
  }
  void cleanup() {
    if (qstrcmp(QTest::currentTestFunction(), "students_words_lead_to_what_they_mean") != 0) window_.reset();
    set_language("en");
    Theme::instance().set(Theme::Mode::light, 1);
  }

  void the_key_and_the_button_open_it_and_escape_gives_the_keyboard_back() {
    open_window("attn_seq2seq");
    QWidget* field = window_->views().source_bar()->source_field();
    QVERIFY(field->hasFocus());
    QTest::keyClick(field, Qt::Key_K, Qt::ControlModifier);
    QVERIFY(palette().isVisible() && palette().field()->hasFocus());
    QVERIFY(palette().chosen() >= 0);  // something of each kind is there at once
    press(Qt::Key_Escape);
    QVERIFY(!palette().isVisible());
    QCOMPARE(focus(), field);
    window_->panels().focus_panel("alignment");
    QWidget* picture = focus();
    QVERIFY(picture != field);
    auto* button = window_->findChild<QToolButton*>("find_in_bar");
    QVERIFY(button && button->isVisible());
    button->click();
    QVERIFY(palette().isVisible());
    // The same key closes it.
    QTest::keyClick(palette().field(), Qt::Key_K, Qt::ControlModifier);
    QVERIFY(!palette().isVisible());
    QCOMPARE(focus(), picture);
    // A click elsewhere as well, and does nothing else.
    find("x");
    QTest::mousePress(window_->centralWidget(), Qt::LeftButton, {}, QPoint(5, window_->centralWidget()->height() - 5));
    QVERIFY(!palette().isVisible());
    QCOMPARE(focus(), picture);
    QCOMPARE(QString::fromStdString(window_->session().document().source), QString("May 5, 2001"));
  }

  void students_words_lead_to_what_they_mean_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("title");
    const auto row = [](const char* typed, FindKind kind, const char* title) {
      QTest::addRow("%s: %s", typed, title) << QString::fromUtf8(typed) << static_cast<int>(kind) << QString(title);
    };
    for (const char* typed : {"softmax", "归一化"}) {
      row(typed, FindKind::lesson, "Score, softmax, sum");
      row(typed, FindKind::picture, "How it came about");
      row(typed, FindKind::glossary, "Softmax");
      row(typed, FindKind::action, "Temperature");
    }
    for (const char* typed : {"mask", "掩码"}) {
      row(typed, FindKind::picture, "Mechanism");
      row(typed, FindKind::glossary, "Mask");
    }
    for (const char* typed : {"multi-head", "multihead", "多头"}) {
      row(typed, FindKind::picture, "Heads");
      row(typed, FindKind::glossary, "Heads, multi-head attention");
    }
    row("heads off", FindKind::picture, "Mechanism");
    row("dark mode", FindKind::setting, "Colours: Dark");
    row("深色", FindKind::setting, "Colours: Dark");
    row("font size", FindKind::setting, "Larger text");
    row("zoom", FindKind::setting, "Larger text");
    row("字号", FindKind::setting, "Smaller text");
    row("projector", FindKind::action, "Present");
    row("save picture", FindKind::action, "Export the picture");
    row("快捷键", FindKind::action, "Keyboard");
    row("对齐", FindKind::picture, "Alignment");  // in the other language of the interface
    row("temperature", FindKind::action, "Temperature");
    row("random", FindKind::model, "Small attn_seq2seq");
    row("decoder.step[2].attention.weights", FindKind::number, "decoder.step[2].attention.weights");
    row("attention weights output 3", FindKind::number, "decoder.step[2].attention.weights");
  }
  void students_words_lead_to_what_they_mean() {
    QFETCH(QString, typed);
    QFETCH(int, kind);
    QFETCH(QString, title);
    if (!window_) open_window("attn_seq2seq");
    find(typed);
    QVERIFY2(found(static_cast<FindKind>(kind)).contains(title), qPrintable(palette().texts().join("; ")));
  }

  // What explains the word stands first, and few of the sites that have it in their names stand last.
  void the_word_itself_comes_first() {
    open_window("attn_seq2seq");
    find("mask");
    QCOMPARE(palette().index()[palette().chosen()].title, QString("Mask"));
    QVERIFY(palette().index()[palette().chosen()].kind == FindKind::glossary);
    QVERIFY(found(FindKind::number).size() <= 3);
    find("why");
    QVERIFY(palette().index()[palette().chosen()].kind == FindKind::lesson);
    QVERIFY(found(FindKind::glossary).isEmpty());
    press(Qt::Key_Escape);
  }

  // The interface in Chinese: English words find what is Chinese now.
  void english_words_find_what_is_chinese() {
    set_language("zh_CN");
    open_window("attn_seq2seq");
    find("softmax");
    QVERIFY(found(FindKind::lesson).contains(QString::fromUtf8("得分、softmax、求和")));
    find("alignment");
    QVERIFY(found(FindKind::picture).contains(translated_view_text("Alignment")));
    QVERIFY(translated_view_text("Alignment") != "Alignment");
    find("dark mode");
    QCOMPARE(found(FindKind::setting).size(), 2);
    find("mask");
    QVERIFY(found(FindKind::glossary).contains(QString::fromUtf8("掩码")));
  }

  void enter_opens_each_kind_of_thing() {
    open_window("attn_seq2seq");
    find("states");
    QVERIFY(choose(FindKind::picture, "States"));
    press(Qt::Key_Return);
    QVERIFY(!palette().isVisible());
    QCOMPARE(window_->panels().front(), QString("states"));

    find("dark mode");
    QVERIFY(choose(FindKind::setting, "Colours: Dark"));
    press(Qt::Key_Return);
    QCOMPARE(Theme::instance().mode(), Theme::Mode::dark);

    find("decoder.step[1].attention.weights");
    QVERIFY(choose(FindKind::number, "decoder.step[1].attention.weights"));
    press(Qt::Key_Return);
    QVERIFY(window_->panels().is_seen("inspector"));
    QCOMPARE(window_->selection().state().entry, window_->result()->trace->find("decoder.step[1].attention.weights"));

    find("temperature");
    QVERIFY(choose(FindKind::action, "Temperature"));
    press(Qt::Key_Return);
    QCOMPARE(window_->panels().arrangement(), QString("change"));
    auto* mechanism = window_->findChild<MechanismView*>();
    QVERIFY(mechanism && mechanism->isVisible());
    QVERIFY(mechanism->settings()->isVisible());
    QWidget* control = mechanism->settings()->control("attention.temperature");
    QVERIFY(control && (control->hasFocus() || control->isAncestorOf(focus())));

    find("softmax");
    QVERIFY(choose(FindKind::glossary, "Softmax"));
    press(Qt::Key_Return);
    auto* word = window_->findChild<GlossaryDialog*>("glossary");
    QVERIFY(word && word->isVisible());
    QVERIFY(word->words().startsWith("Softmax"));
    word->close();

    find("seq2seq");
    QVERIFY(choose(FindKind::model, "Small seq2seq"));
    press(Qt::Key_Return);
    QTRY_COMPARE_WITH_TIMEOUT(QString::fromStdString(window_->session().document().model->title),
                              QString("Small seq2seq"), kLong);
    settle();
  }

  // A token of the text, by the mouse.
  void a_click_opens_too() {
    open_window("attn_seq2seq");
    find("M");
    QVERIFY(choose(FindKind::token, "M"));
    QListView* list = palette().list();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->currentIndex()).center());
    QVERIFY(!palette().isVisible());
    QCOMPARE(window_->selection().state().source_token, std::optional(0));
  }

  void a_picture_that_the_model_lacks_says_so() {
    open_window("attn_seq2seq");
    QVERIFY(!window_->panels().is_offered("memory"));
    QSignalSpy lacking(&window_->panels(), &WindowPanels::lacking);
    find("memory");
    QVERIFY(choose(FindKind::picture, "Memory"));
    QVERIFY(palette().index()[palette().chosen()].second != window_->panels().key_of("memory").toString());
    press(Qt::Key_Return);
    QCOMPARE(lacking.size(), 1);
  }

  void what_is_off_says_why_and_does_nothing() {
    open_window("attn_seq2seq");
    find("undo");
    QVERIFY(choose(FindKind::action, "Undo"));
    QVERIFY(palette().preview()->preview().text.contains("Nothing was changed yet."));
    press(Qt::Key_Return);
    QVERIFY(palette().isVisible());
  }

  void nothing_found_says_so_and_offers_the_nearest() {
    open_window("attn_seq2seq");
    find("sofmax");
    QCOMPARE(palette().texts().first(), QString::fromUtf8("Nothing is called ‘sofmax’. Nearest to it:"));
    QCOMPARE(palette().index()[palette().chosen()].title, QString("Softmax"));
    QVERIFY(palette().index()[palette().chosen()].kind == FindKind::glossary);
    QVERIFY2(palette().told().startsWith("0 found"), qPrintable(palette().told()));
    QVERIFY(found(FindKind::lesson).contains("Score, softmax, sum"));
    find("qqqqqqqq");
    QCOMPARE(palette().texts().size(), 1);
    QVERIFY(palette().texts().first().contains("qqqqqqqq"));
    press(Qt::Key_Return);  // of nothing
    QVERIFY(palette().isVisible());
    // So does the list of models.
    press(Qt::Key_Escape);
    window_->views().source_bar()->open_picker();
    ModelPicker* picker = window_->views().source_bar()->picker();
    QVERIFY(picker->none()->isHidden());
    picker->filter()->setText("qqqqqqqq");
    QVERIFY(picker->none()->isVisible() && picker->none()->text().contains("qqqqqqqq"));
    picker->filter()->clear();
    QVERIFY(picker->none()->isHidden() && picker->list()->isVisible());
    picker->hide();
  }

  void the_preview_says_what_it_is() {
    open_window("attn_seq2seq");
    find("softmax");
    QVERIFY(choose(FindKind::glossary, "Softmax"));
    const FindPreview& word = palette().preview()->preview();
    QVERIFY(word.text.startsWith("Makes shares of scores"));
    // Shares of the first output, the largest first: those that the run has.
    const Trace& trace = *window_->result()->trace;
    const Tensor weights = trace.value("decoder.step[0].attention.weights");
    float largest = 0;
    for (Index i = 0; i < weights.size(); ++i) largest = std::max(largest, static_cast<float>(weights.data()[i]));
    QVERIFY(!word.rows.empty());
    QCOMPARE(word.rows.front().right, QString::number(static_cast<double>(largest), 'f', 4));
    QVERIFY(word.rows.front().bar >= word.rows.back().bar);
    find("decoder.step[0].attention.weights");
    QVERIFY(choose(FindKind::number, "decoder.step[0].attention.weights"));
    const FindPreview& number = palette().preview()->preview();
    QVERIFY(!number.rows.empty());
    QCOMPARE(number.rows.front().right.toDouble(), QString::number(weights.data()[0], 'g', 4).toDouble());
    QVERIFY(!palette().preview()->accessibleName().isEmpty());
  }

  // A lesson waits for an answer: no token, no number, no step of it, and no example in the preview.
  void a_covered_lesson_gives_nothing_away() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    window_->show();
    Classroom& room = window_->classroom();
    QSignalSpy shown(&room, &Classroom::shown);
    room.open(QStringLiteral(HEADLIGHT_TEST_DATA "/lessons/tour"), 1);
    QVERIFY(QTest::qWaitFor([&] { return !shown.isEmpty() && shown.last().at(0).toInt() == 1; }, kLong));
    QVERIFY(room.asks());
    const auto kinds = [&] {
      QSet<int> all;
      for (int i = 0; i < palette().index().size(); ++i) {
        all << static_cast<int>(palette().index()[i].kind);
        if (palette().index()[i].minor) all << -1;
      }
      return all;
    };
    window_->finder().open();
    for (const int never : {static_cast<int>(FindKind::token), static_cast<int>(FindKind::number), -1})
      QVERIFY(!kinds().contains(never));
    find("softmax");
    QVERIFY(choose(FindKind::glossary, "Softmax"));
    QVERIFY(palette().preview()->preview().rows.empty());
    press(Qt::Key_Escape);
    room.close();
    settle();
    window_->finder().open();
    QVERIFY(kinds().contains(-1));
  }

  // What describes the models is read in the background; they come without taking away what was typed and chosen.
  void it_opens_before_the_models_are_read() {
    open_window("attn_seq2seq");
    QTest::keyClick(window_->focusWidget(), Qt::Key_K, Qt::ControlModifier);
    QVERIFY(palette().isVisible());
    QVERIFY(window_->views().source_bar()->models().empty());
    QVERIFY(found(FindKind::model).isEmpty());
    palette().field()->setText("s");
    QVERIFY(palette().index().size() > 20);
    for (int i = 0; i < 3; ++i) press(Qt::Key_Down);
    QVERIFY(palette().chosen() >= 0);
    const QString title = palette().index()[palette().chosen()].title;
    const int before = palette().index().size();
    QSignalSpy known(window_->views().source_bar(), &SourceBar::modelsKnown);
    QVERIFY(known.wait(kLong));
    QCOMPARE(palette().index().size(), before + 2);
    QCOMPARE(palette().field()->text(), QString("s"));
    QCOMPARE(palette().index()[palette().chosen()].title, title);
    palette().field()->setText("small");
    QCOMPARE(found(FindKind::model).size(), 2);
    // They are read once.
    press(Qt::Key_Escape);
    QTest::keyClick(window_->focusWidget(), Qt::Key_K, Qt::ControlModifier);
    palette().field()->setText("small");
    QCOMPARE(found(FindKind::model).size(), 2);
  }

  void it_stands_within_the_window_whatever_its_size() {
    open_window("attn_seq2seq");
    for (const double scale : {1.0, 2.0})
      for (const QSize& size : {QSize(1280, 800), QSize(1024, 700), QSize(700, 560)}) {
        Theme::instance().set_font_scale(scale);
        window_->resize(size);
        settle();
        find("softmax");
        QVERIFY(window_->rect().contains(palette().geometry()));
        QVERIFY(palette().rect().contains(palette().list()->geometry()));
        const bool tells = palette().preview()->isVisible();
        QCOMPARE(tells, palette().width() >= 640 * scale);
        if (scale == 1.0 && size.width() == 1280) QCOMPARE(palette().width(), 840);
        if (tells) QVERIFY(palette().rect().contains(palette().preview()->geometry()));
        press(Qt::Key_Escape);
      }
  }

  // Its field has the keyboard; who presents keeps Escape for himself otherwise.
  void while_presenting_escape_closes_it_only() {
    open_window("attn_seq2seq");
    window_->actions()["present"]->trigger();
    settle();
    QVERIFY(window_->actions()["present"]->isChecked());
    find("states");
    QVERIFY(choose(FindKind::picture, "States"));
    press(Qt::Key_Escape);
    QVERIFY(!palette().isVisible());
    QVERIFY(window_->actions()["present"]->isChecked());
    find("states");
    QVERIFY(choose(FindKind::picture, "States"));
    press(Qt::Key_Return);
    QCOMPARE(window_->panels().front(), QString("states"));
    window_->actions()["present"]->trigger();
  }

  void a_screen_reader_hears_what_is_chosen() {
    open_window("attn_seq2seq");
    find("softmax");
    QVERIFY(!palette().field()->accessibleName().isEmpty() && !palette().list()->accessibleName().isEmpty());
    const QString said = palette().list()->currentIndex().data(Qt::AccessibleTextRole).toString();
    QVERIFY2(said.startsWith("Score, softmax, sum") && said.contains("lesson") && said.contains("15"),
             qPrintable(said));
  }
};

HEADLIGHT_WIDGET_TEST(TestFind)

}  // namespace headlight::test_find

#include "test_find.moc"
