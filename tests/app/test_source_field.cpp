// The text for the model: one line, up to three where there is more to read, without line breaks and without an undo
// of its own.

#include <QAccessible>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QGuiApplication>
#include <QMimeData>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolButton>

#include "app/language.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"

namespace headlight::test_source_field {

class TestSourceField : public QObject {
  Q_OBJECT

  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
  }
  SourceField& field() { return *window_->views().source_bar()->source_field(); }
  QString read() { return QString::fromStdString(window_->session().document().source); }
  static QString words(int count) {
    QStringList all;
    for (int i = 0; i < count; ++i) all << "11/22/1963";
    return all.join(' ');
  }

 private slots:
  void initTestCase() { load_resources(); }
  void init() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = small_model();
    document.source = "May 5, 2001";
    window_->resize(1280, 800);
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
    field().setFocus();
    field().selectAll();
  }
  void cleanup() {
    window_.reset();
    Theme::instance().set(Theme::Mode::light, 1);
  }

  // Large letters, then small ones, then lines, then it scrolls; and back.
  void it_grows_with_the_text_up_to_three_lines() {
    const int one = field().height();
    QCOMPARE(field().lines(), 1);
    const double large = field().font().pointSizeF();
    int before = 1;
    for (const int count : {4, 12, 20, 60}) {
      window_->session().set_source(words(count));
      settle();
      QVERIFY2(field().lines() >= before, qPrintable(QString::number(count)));
      before = field().lines();
      QVERIFY(field().font().pointSizeF() <= large);
    }
    QCOMPARE(field().lines(), SourceField::kMostLines);
    QVERIFY(field().height() > one);
    QVERIFY(field().height() < 4 * QFontMetrics(field().font()).height());
    QVERIFY(field().bar()->isVisible());  // sixty dates do not fit
    window_->session().set_source("5/5/99");
    settle();
    QCOMPARE(field().lines(), 1);
    QCOMPARE(field().height(), one);
    QVERIFY(!field().bar()->isVisible());
    QCOMPARE(field().font().pointSizeF(), large);
  }

  // Every line is seen whole, whatever the size of the letters and of the window.
  void no_line_is_cut() {
    for (const double type : {1.0, 1.5, 2.0})
      for (const int wide : {1024, 1280, 1920})
        for (const int count : {1, 8, 14, 18, 40}) {
          Theme::instance().set(Theme::Mode::light, type);
          window_->resize(wide, 800);
          window_->session().set_source(words(count));
          settle();
          const int line = QFontMetrics(field().font()).height();
          QVERIFY2(field().viewport()->height() >= field().lines() * line, qPrintable(QString::number(count)));
          if (field().lines() == 1)
            QVERIFY(QFontMetrics(field().font()).horizontalAdvance(field().text()) <= field().viewport()->width());
          else if (!field().bar()->isVisible())
            QVERIFY(field().document()->firstBlock().layout()->lineCount() <= SourceField::kMostLines);
          const auto* examples = field().findChild<QToolButton*>("examples");
          QCOMPARE(field().horizontalScrollBar()->value(), 0);
          QVERIFY(field().viewport()->geometry().right() <= examples->geometry().left());
          QVERIFY(field().rect().contains(examples->geometry()));
        }
  }

  void enter_and_tab_are_the_windows() {
    QTest::keyClicks(&field(), "5/5/99");
    QTest::keyClick(&field(), Qt::Key_Return);
    QTest::keyClick(&field(), Qt::Key_Enter, Qt::KeypadModifier);
    QCOMPARE(read(), QString("5/5/99"));
    QTest::keyClick(&field(), Qt::Key_Tab);
    QVERIFY(!field().hasFocus());
    QCOMPARE(read(), QString("5/5/99"));
    QTest::keyClick(window_->focusWidget(), Qt::Key_Backtab);
    QVERIFY(field().hasFocus() && field().hasSelectedText());
    // Which is over when the keyboard goes elsewhere, but not while a menu is open.
    QFocusEvent menu(QEvent::FocusOut, Qt::PopupFocusReason);
    QCoreApplication::sendEvent(&field(), &menu);
    QVERIFY(field().hasSelectedText());
    QTest::keyClick(&field(), Qt::Key_Tab);
    QVERIFY(!field().hasFocus() && !field().hasSelectedText());
    QTest::keyClick(window_->focusWidget(), Qt::Key_Backtab);
    QTest::keyClicks(&field(), "7");
    QCOMPARE(read(), QString("7"));
  }

  // Ctrl+Z takes back what was done last, wherever: a text, or a change of the run.
  void undo_is_the_documents() {
    QTest::keyClick(&field(), Qt::Key_End);
    QTest::keyClicks(&field(), "77");
    window_->session().set_setting("attention.temperature", 2.0);
    settle();
    QVERIFY(window_->session().has_differences());
    QTest::keyClick(&field(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(read(), QString("May 5, 200177"));
    QVERIFY(!window_->session().has_differences());
    QTest::keyClick(&field(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(field().text(), QString("May 5, 2001"));
    QTest::keyClick(&field(), Qt::Key_Y, Qt::ControlModifier);
    QCOMPARE(field().text(), QString("May 5, 200177"));
  }

  void escape_is_the_windows() {
    window_->views().say("Something to read", {});
    QTest::keyClick(&field(), Qt::Key_Escape);
    QVERIFY(!window_->views().put_away_message());
    QCOMPARE(read(), QString("May 5, 2001"));
  }

  void a_pasted_text_is_one_line_and_not_endless() {
    QGuiApplication::clipboard()->setText("5/5\n99\tand\r\nmore");
    QTest::keyClick(&field(), Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(read(), QString("5/5 99 and more"));
    field().selectAll();
    QGuiApplication::clipboard()->setText(QString(30000, '5'));
    QTest::keyClick(&field(), Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(field().text().size(), 20000);
    QTest::keyClicks(&field(), "6");
    QCOMPARE(field().text().size(), 20000);
    QVERIFY(!field().text().contains('6'));
  }

  // A folder that is dropped onto the text is opened by the window, not typed.
  void files_are_not_typed() {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile("/nowhere/model")});
    data.setText("/nowhere/model");
    QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(field().viewport(), &enter);
    QVERIFY(!enter.isAccepted() || enter.dropAction() == Qt::CopyAction);
    QDropEvent drop({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(field().viewport(), &drop);
    QCOMPARE(read(), QString("May 5, 2001"));
  }

  void a_screen_reader_knows_it() {
    QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(&field());
    QVERIFY(accessible);
    QCOMPARE(accessible->role(), QAccessible::EditableText);
    QCOMPARE(accessible->text(QAccessible::Name), QString("Text that the model reads"));
    QVERIFY(accessible->textInterface());
    QCOMPARE(accessible->textInterface()->text(0, 11), QString("May 5, 2001"));
  }
};

HEADLIGHT_WIDGET_TEST(TestSourceField)

}  // namespace headlight::test_source_field

#include "test_source_field.moc"
