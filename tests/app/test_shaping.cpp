// What a keystroke costs in the whole window, counted: texts that have been shaped are not shaped again; and the window
// looks the same, to the pixel, as if all of them were.
#include <QSignalSpy>
#include <QTest>

#include "app/document/model_list.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "tests/test_program.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"

namespace headlight::test_shaping {

namespace {

// With the arithmetic of a number, all operations and what was changed beside the picture.
struct Typed {
  explicit Typed(const char* model) {
    window.resize(1280, 800);
    window.show();
    QSignalSpy shown(&window, &MainWindow::resultShown);
    window.start(first_document(model));
    QVERIFY(shown.wait(10'000));
    for (const char* panel : {"steps", "inspector", "differences"}) window.panels().raise(panel);
    field->setFocus();
    field->setCursorPosition(static_cast<int>(field->text().size()));
    settle();
  }
  void press(Qt::Key key, const QString& text = {}) {
    QSignalSpy shown(&window, &MainWindow::resultShown);
    QTest::sendKeyEvent(QTest::Click, field, key, text, Qt::NoModifier);
    QVERIFY(shown.wait(10'000));
    settle();
  }
  static void settle() {
    for (int i = 0; i < 10; ++i) QCoreApplication::processEvents();
  }

  MainWindow window{MainWindow::Remember::no};
  SourceField* field = window.views().source_bar()->source_field();
};

}  // namespace

class TestShaping : public QObject {
  Q_OBJECT

 private slots:
  void models_data() {
    QTest::addColumn<QString>("model");
    for (const char* model : {"date-attention", "story-gpt"}) QTest::newRow(model) << QString(model);
  }

  void a_letter_that_was_there_before_shapes_nothing_data() { models_data(); }
  void a_letter_that_was_there_before_shapes_nothing() {
    QFETCH(const QString, model);
    Typed typed(qPrintable(model));
    for (int i = 0; i < 2; ++i) {
      typed.press(Qt::Key_S, QStringLiteral("s"));
      typed.press(Qt::Key_Backspace);
    }
    const qint64 before = ShapedTexts::made();
    for (int i = 0; i < 5; ++i) {
      typed.press(Qt::Key_S, QStringLiteral("s"));
      typed.press(Qt::Key_Backspace);
    }
    QVERIFY2(ShapedTexts::made() - before <= 10, qPrintable(QString::number(ShapedTexts::made() - before)));
    QVERIFY(ShapedTexts::bytes() <= ShapedTexts::kMost);
  }

  void it_looks_the_same_without_data() { models_data(); }
  void it_looks_the_same_without() {
    QFETCH(const QString, model);
    Typed typed(qPrintable(model));
    typed.press(Qt::Key_S, QStringLiteral("s"));
    typed.window.setFocus();  // no cursor that blinks
    const auto picture = [&](Theme::Mode theme, double ratio, bool used) {
      ShapedTexts::set_used(used);
      Theme::instance().set(theme == Theme::Mode::dark ? Theme::Mode::light : Theme::Mode::dark, 1);
      Theme::instance().set(theme, 1);
      Typed::settle();
      QImage image(typed.window.size() * ratio, QImage::Format_RGB32);
      image.setDevicePixelRatio(ratio);
      typed.window.render(&image);
      return image;
    };
    for (const Theme::Mode theme : {Theme::Mode::light, Theme::Mode::dark})
      for (const double ratio : {1.0, 2.0}) {
        const QImage with = picture(theme, ratio, true), without = picture(theme, ratio, false);
        ShapedTexts::set_used(true);
        QCOMPARE(with, without);
      }
    Theme::instance().set(Theme::Mode::light, 1);
  }
};

HEADLIGHT_WIDGET_TEST(TestShaping)

}  // namespace headlight::test_shaping

#include "test_shaping.moc"
