// Texts that are shaped once: painted, measured and shortened as Qt does it, to the pixel, but for the middle of their
// room and for numbers; and never more is kept than may be.
#include <QFontMetricsF>
#include <QGlyphRun>
#include <QImage>
#include <QPainter>
#include <QTest>
#include <QTextLayout>

#include "tests/test_program.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"

namespace headlight::test_shaped_text {

namespace {

const QStringList& texts() {
  static const QStringList all = {"November 3, 2026",
                                  "AV To fi ffl",
                                  "p(3) = .98",
                                  QStringLiteral("注意力 weights"),
                                  QStringLiteral("e\u0301 naı̈ve ½ ␣ ⟨eos⟩"),
                                  QStringLiteral("שלום abc"),
                                  "two\nlines",
                                  "a\ttab",
                                  " spaces at both ends ",
                                  QStringLiteral("Tom & Jerry 😀"),
                                  "x"};
  return all;
}

std::vector<QFont> fonts() {
  QFont bold = Theme::instance().ui_font(type::kQuestion), italic = Theme::instance().token_font(type::kHead);
  bold.setWeight(QFont::DemiBold);
  italic.setItalic(true);
  return {Theme::instance().ui_font(), Theme::instance().token_font(), bold, italic};
}

// All texts in all fonts, in places that are no whole pixels, aligned in every way, one clipped, one turned.
template <class Draw, class DrawAt>
QImage painted(double ratio, Draw draw, DrawAt draw_at) {
  QImage image(QSize(900, 900) * ratio, QImage::Format_RGB32);
  image.setDevicePixelRatio(ratio);
  image.fill(Theme::instance().background());
  QPainter painter(&image);
  painter.setPen(Theme::instance().text());
  double y = 4.3;
  for (const QFont& font : fonts()) {
    painter.setFont(font);
    int i = 0;
    for (const QString& text : texts()) {
      const int flags[] = {kLeft,
                           kRight,
                           kCentre,
                           kTop,
                           kTopRight,
                           static_cast<int>(Qt::AlignHCenter | Qt::AlignBottom),
                           static_cast<int>(Qt::AlignCenter) | Qt::TextDontClip,
                           kLeft | Qt::TextWordWrap};
      draw(painter, QRectF(10.4 + (i % 4) * 220, y, i % 3 == 2 ? 24.7 : 203.3, 17.6), flags[i % 8], text);
      draw_at(painter, QPointF(20.25 + (i % 4) * 220, y + 30.75), text);
      if (++i % 4 == 0) y += 44.2;
    }
    painter.save();
    painter.translate(880.5, y);
    painter.rotate(-90);
    draw(painter, QRectF(0, 0, 120, 18), kCentre, texts()[0]);
    painter.restore();
    y += 20;
  }
  return image;
}

QImage by_us(double ratio) {
  return painted(
      ratio, [](QPainter& p, const QRectF& r, int f, const QString& t) { draw_text(p, r, f, t); },
      [](QPainter& p, QPointF at, const QString& t) { draw_text(p, at, t); });
}

// As Qt does, but a line in the middle of its room stands there by its capitals.
void by_qt(QPainter& p, const QRectF& rect, int flags, const QString& text) {
  const bool line = !text.contains(u'\n') && !text.contains(u'\t') && !text.contains(QStringLiteral("שלום")) &&
                    !text.contains(QStringLiteral("😀"));
  if (!(flags & Qt::AlignVCenter) || (flags & Qt::TextWordWrap) || !line) return p.drawText(rect, flags, text);
  const QFontMetricsF metrics(p.font());
  const double room = rect.width() - metrics.horizontalAdvance(text);
  const double x = flags & Qt::AlignRight ? room : flags & Qt::AlignHCenter ? room / 2 : 0;
  p.save();
  if (!(flags & Qt::TextDontClip)) p.setClipRect(rect, Qt::IntersectClip);
  p.drawText(QPointF(rect.left() + x, rect.center().y() + metrics.capHeight() / 2), text);
  p.restore();
}

// Where the ink of a text stands, from left to right: a run of columns for each letter.
QList<double> middles_of(const QString& text, const QFont& font) {
  QImage image(200, 40, QImage::Format_Grayscale8);
  image.fill(Qt::white);
  QPainter painter(&image);
  painter.setFont(font);
  draw_text(painter, QRectF(10, 0, 150, 40), kRight, text);
  painter.end();
  QList<double> middles;
  int from = -1;
  for (int x = 0; x < image.width(); ++x) {
    bool ink = false;
    for (int y = 0; y < image.height(); ++y) ink = ink || qGray(image.pixel(x, y)) < 160;
    if (ink && from < 0) from = x;
    if (ink || from < 0) continue;
    middles << (from + x - 1) / 2.;
    from = -1;
  }
  return middles;
}

}  // namespace

class TestShapedText : public QObject {
  Q_OBJECT

 private slots:
  void init() { ShapedTexts::forget(); }

  void it_is_painted_as_qt_does_data() {
    QTest::addColumn<int>("theme");
    QTest::addColumn<double>("ratio");
    for (const auto theme : {Theme::Mode::light, Theme::Mode::dark})
      for (const double ratio : {1.0, 1.5, 2.0})
        QTest::addRow("theme %d, %g points a pixel", static_cast<int>(theme), ratio)
            << static_cast<int>(theme) << ratio;
  }

  void it_is_painted_as_qt_does() {
    QFETCH(const int, theme);
    QFETCH(const double, ratio);
    Theme::instance().set(static_cast<Theme::Mode>(theme), 1);
    const QImage expected = painted(ratio, by_qt, [](QPainter& p, QPointF at, const QString& t) { p.drawText(at, t); });
    const QImage first = by_us(ratio), again = by_us(ratio);
    Theme::instance().set(Theme::Mode::light, 1);
    QCOMPARE(first, expected);
    QCOMPARE(again, expected);
  }

  void it_is_as_wide_as_qt_says() {
    for (const QFont& font : fonts())
      for (const QString& text : texts())
        for (int twice = 0; twice < 2; ++twice) {
          const QFontMetricsF metrics(font);
          QCOMPARE(text_width(text, font), metrics.horizontalAdvance(text));
          for (const double width : {3.0, 20.5, 33.25, 60.0, 400.0})
            for (const auto mode : {Qt::ElideLeft, Qt::ElideMiddle, Qt::ElideRight, Qt::ElideNone})
              QCOMPARE(elided_text(text, font, mode, width), metrics.elidedText(text, mode, width));
        }
  }

  // Figures under figures: in a column of numbers at the right each digit stands under a digit, and the points as well.
  void digits_stand_under_digits() {
    const QFont font = Theme::instance().ui_font(type::kQuestion);
    QVERIFY(QFontMetricsF(font).horizontalAdvance("1") < QFontMetricsF(font).horizontalAdvance("4") - 2);
    QVERIFY(std::abs(text_width("11.11", font) - text_width("44.44", font)) < 0.5);  // the font rounds
    QVERIFY(std::abs(text_size("11.11", font).width() - text_size("44.44", font).width()) < 0.5);
    const QList<double> ones = middles_of("11.11", font);
    QCOMPARE(ones.size(), 5);
    for (const char* number : {"22.22", "44.44", "70.81"}) {
      const QList<double> others = middles_of(number, font);
      QCOMPARE(others.size(), 5);
      for (int i = 0; i < 5; ++i)
        QVERIFY2(std::abs(others[i] - ones[i]) <= 1.5,
                 qPrintable(QString("%1, sign %2: %3 and %4").arg(number).arg(i).arg(others[i]).arg(ones[i])));
    }
  }

  // Inter makes an arrow of "->" and a times sign of the x in "3x4": a token would not be what the model reads.
  void letters_stay_what_they_are() {
    const auto glyphs = [](const QString& text, const QFont& font) {
      QTextLayout layout(text, font);
      layout.beginLayout();
      layout.createLine();
      layout.endLayout();
      QList<quint32> all;
      for (const QGlyphRun& run : layout.glyphRuns()) all += run.glyphIndexes();
      return all;
    };
    for (const QFont& font : fonts())
      for (const char* text : {"a->b", "=>", "<-", "3x4", "[MASK]", "10:20", "(A)", "--", "fi"}) {
        QList<quint32> each;
        for (const QChar c : QString(text)) each += glyphs(QString(c), font);
        QCOMPARE(glyphs(text, font), each);
      }
  }

  // Letters of another font beside them are higher, and do not move them.
  void a_line_stands_by_its_capitals() {
    const QFont font = Theme::instance().ui_font();
    const auto bottom_of_h = [&](const QString& text) {
      QImage image(200, 40, QImage::Format_Grayscale8);
      image.fill(Qt::white);
      QPainter painter(&image);
      painter.setFont(font);
      draw_text(painter, QRectF(10, 0, 150, 40), kLeft, text);
      painter.end();
      int bottom = -1;
      for (int y = 0; y < 40; ++y)
        for (int x = 10; x < 10 + static_cast<int>(QFontMetricsF(font).horizontalAdvance("H")); ++x)
          if (qGray(image.pixel(x, y)) < 128) bottom = y;
      return bottom;
    };
    QVERIFY(bottom_of_h("H") > 20);
    QCOMPARE(bottom_of_h(QStringLiteral("H注意")), bottom_of_h("H"));
  }

  void nothing_is_shaped_twice() {
    const qint64 before = ShapedTexts::made();
    by_us(1);
    const qint64 made = ShapedTexts::made();
    QVERIFY(made >= before + 4 * (texts().size() - 4));  // in each font, but for what is no line
    for (int i = 0; i < 5; ++i) by_us(1);
    by_us(2);  // the same letters, with more points
    QCOMPARE(ShapedTexts::made(), made);
  }

  // Whoever types for a day has seen very many words.
  void what_is_kept_has_a_bound() {
    const QFont font = Theme::instance().ui_font();
    QImage image(100, 20, QImage::Format_RGB32);
    QPainter painter(&image);
    painter.setFont(font);
    qint64 most = 0;
    for (int i = 0; i < 20'000; ++i) {
      draw_text(painter, QRectF(0, 0, 100, 20), kLeft, QStringLiteral("word %1 of a long day").arg(i));
      most = std::max(most, ShapedTexts::bytes());
    }
    QVERIFY2(most > ShapedTexts::kMost / 2, qPrintable(QString::number(most)));
    QVERIFY2(most <= ShapedTexts::kMost, qPrintable(QString::number(most)));
    // What is in use is still known.
    const qint64 made = ShapedTexts::made();
    draw_text(painter, QRectF(0, 0, 100, 20), kLeft, QStringLiteral("word 19999 of a long day"));
    QCOMPARE(ShapedTexts::made(), made);
  }
};

HEADLIGHT_WIDGET_TEST(TestShapedText)

}  // namespace headlight::test_shaped_text

#include "test_shaped_text.moc"
