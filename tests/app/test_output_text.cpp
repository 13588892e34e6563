// A long output is broken between its words, and what has no room is left out with a sign.

#include <QTest>

#include "app/text/output_text.h"
#include "tests/test_program.h"
#include "tests/widgets/recorded_text.h"
#include "widgets/base/theme.h"

namespace headlight::test_output_text {

namespace {

QStringList lines(const QString& text, QSize size, bool keep_end = false) {
  TextRecorder recorder(size);
  QPainter painter(&recorder);
  paint_long_output(painter, QRect(QPoint(), size), text, keep_end);
  painter.end();
  QStringList all;
  for (const RecordedText& each : recorder.texts()) all << each.text.trimmed();
  return all;
}

}  // namespace

class TestOutputText : public QObject {
  Q_OBJECT

 private slots:
  void lines_end_between_words() {
    const QString text = QStringLiteral("la dama kompra uno libro porke la nina desira una karta");
    QFont font = Theme::instance().token_font();
    font.setBold(true);
    const QFontMetrics metrics(font);
    for (int letters = 8; letters < 34; ++letters) {
      const QStringList all = lines(text, {metrics.horizontalAdvance(QString(letters, 'm')) + 2, 2000});
      QCOMPARE(all.join(' '), text);
      QVERIFY(all.size() > 1);
    }
  }

  // Characters that belong together have no place where they may be broken but any.
  void what_is_one_word_is_broken_anywhere() {
    const QString text = QStringLiteral("12345678901234567890");
    const QStringList all = lines(text, {60, 2000});
    QVERIFY(all.size() > 1);
    QCOMPARE(all.join(QString()), text);
  }

  void what_has_no_room_is_left_out() {
    const QString text = QStringLiteral("la dama kompra uno libro porke la nina desira una karta ?");
    const QSize low(160, 2 * QFontMetrics(Theme::instance().token_font()).height() + 4);
    const QString begins = lines(text, low).join(' '), ends = lines(text, low, true).join(' ');
    QVERIFY2(begins.startsWith("la dama") && begins.endsWith(QChar(0x2026)), qPrintable(begins));
    QVERIFY2(ends.startsWith(QChar(0x2026)) && ends.endsWith("karta ?"), qPrintable(ends));
    QVERIFY(lines(QString(), low).join(QString()).isEmpty());
  }
};

HEADLIGHT_WIDGET_TEST(TestOutputText)

}  // namespace headlight::test_output_text

#include "test_output_text.moc"
