// What gives way where there is little room, and what stands there once: titles over two pictures, the output behind
// the arrow, the text, and the keyboard when its panel goes.

#include <QTest>

#include "app/stage/name_row.h"
#include "app/stage/stage.h"
#include "app/text/output_column.h"
#include "app/text/output_line.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "tests/widgets/recorded_text.h"
#include "widgets/base/theme.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/compare/compare_pictures.h"
#include "widgets/views/tokens/token_strip.h"

namespace headlight::test_room_for_words {

class TestRoomForWords : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  void open(const char* model, QSize size = {1280, 800}) {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = load_model(model);
    document.source = document.model->examples.front();
    window_->resize(size);
    window_->start(document);
    window_->show();
    settle();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 60000);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->side_runs().busy(), 200000);
    for (int i = 0; i < 6; ++i) QCoreApplication::processEvents();
  }
  static QStringList words_of(QWidget* widget) {
    QStringList words;
    for (const RecordedText& each : texts_of(widget)) words << each.text.trimmed();
    return words;
  }

 private slots:
  void cleanup() {
    window_.reset();
    Theme::instance().set(Theme::Mode::light, 1);
  }

  void titles_over_two_pictures_are_whole_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<double>("type");
    QTest::newRow("in one line") << QSize(1280, 800) << 1.0;
    QTest::newRow("the output below") << QSize(1024, 700) << 2.0;
  }
  void titles_over_two_pictures_are_whole() {
    QFETCH(QSize, size);
    QFETCH(double, type);
    Theme::instance().set(Theme::Mode::light, type);
    open("date-attention", size);
    window_->actions()["compare"]->trigger();
    settle();
    auto* pictures = window_->findChild<ComparePictures*>();
    const QString said = words_of(pictures).join(' ');
    for (int i = 0; i < 2; ++i) {
      QVERIFY2(said.contains(pictures->title(i).name), qPrintable(said));
      QString output;
      for (const CompareTitle::Token& each : pictures->title(i).output) output += each.text;
      QVERIFY(output.size() == 10);
      QVERIFY2(QString(said).remove(' ').contains(output), qPrintable(said));
    }
    QVERIFY2(!said.contains(QChar(0x2026)), qPrintable(said));
  }

  // The keyboard was in the picture that is gone.
  void the_keyboard_goes_to_the_picture() {
    open("date-attention");
    window_->activateWindow();
    auto* picture = window_->panels().picture("alignment").view->findChild<Heatmap*>();
    picture->setFocus();
    QVERIFY(picture->hasFocus());
    window_->actions()["compare"]->trigger();
    settle();
    const QWidget* now = QApplication::focusWidget();
    QVERIFY(now);
    QVERIFY2(window_->panels().stage()->slot(Slot::main)->isAncestorOf(now) ||
                 window_->panels().stage()->names()->isAncestorOf(now),
             qPrintable(now->objectName() + ' ' + now->metaObject()->className()));
  }

  // What is changed is listed beside the picture; the number of a square opens by Enter or a double click.
  void a_click_while_changing_keeps_the_list() {
    open("date-attention");
    window_->actions()["change"]->trigger();
    settle();
    auto* picture = window_->panels().picture("alignment").view->findChild<Heatmap*>();
    const QPoint place = picture->heatmap_layout().cell_rect(5, 2).center().toPoint();
    QTest::mouseClick(picture->viewport(), Qt::LeftButton, {}, place);
    settle();
    QCOMPARE(picture->selected_cell(), (HeatmapCell{5, 2}));
    QVERIFY(window_->panels().is_seen("differences"));
    QVERIFY(!window_->panels().is_seen("inspector"));
    QTest::keyClick(picture, Qt::Key_Return);
    settle();
    QVERIFY(window_->panels().is_seen("inspector"));
  }

  void an_output_of_words_breaks_between_them() {
    OutputLine line(nullptr);
    const QString text = QStringLiteral("are expensive. lucy takes them in the garden.");
    line.set_spaced(true);
    line.set_text(text, 180);
    line.resize(180, 120);
    const QStringList words = text.split(' ');
    const QStringList pieces = words_of(&line);
    QVERIFY(pieces.size() > 1);
    for (const QString& piece : pieces)
      for (const QString& word : piece.split(' ', Qt::SkipEmptyParts))
        QVERIFY2(words.contains(word) || word.endsWith(QChar(0x2026)), qPrintable(word));
  }

  // A picture with an axis of text needs no strip, and one whose rows are no outputs no column of them.
  void the_text_stands_there_twice_at_most_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("picture");
    QTest::addColumn<bool>("column");
    QTest::newRow("alignment") << "date-attention"
                               << "alignment" << true;
    QTest::newRow("states") << "date-attention"
                            << "states" << false;
    QTest::newRow("query-key") << "date-attention"
                               << "query-key" << false;
    QTest::newRow("memory") << "copy-ntm"
                            << "memory" << false;
    QTest::newRow("positions") << "copy-transformer"
                               << "positions" << false;
    QTest::newRow("ribbons") << "masked-bert"
                             << "ribbons" << false;
    QTest::newRow("heads") << "story-gpt"
                           << "heads" << true;
  }
  void the_text_stands_there_twice_at_most() {
    QFETCH(QString, model);
    QFETCH(QString, picture);
    QFETCH(bool, column);
    open(qPrintable(model));
    window_->panels().raise(picture);
    settle();
    QCOMPARE(window_->panels().front(), picture);
    QCOMPARE(window_->views().column()->isVisible(), column);
    for (const TokenStrip* strip : window_->findChildren<TokenStrip*>())
      QVERIFY2(!strip->isVisible(), qPrintable(strip->parentWidget()->objectName() + ' ' +
                                               strip->parentWidget()->metaObject()->className()));
  }
};

HEADLIGHT_WIDGET_TEST(TestRoomForWords)

}  // namespace headlight::test_room_for_words

#include "test_room_for_words.moc"
