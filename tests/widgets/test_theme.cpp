// Colours, fonts, the selection, visible tokens and exports.
#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "model/core/errors.h"
#include "tests/test_program.h"
#include "widgets/base/oklab.h"
#include "widgets/base/selection.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/export/export.h"
#include "widgets/text/token_text.h"

namespace headlight::test_theme {

namespace {

// Relative luminance and contrast as in WCAG 2.
double luminance(const QColor& c) {
  const auto channel = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
  return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
}

double wcag(const QColor& a, const QColor& b) {
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

void all_modes() {
  QTest::addColumn<int>("mode");
  QTest::newRow("light") << static_cast<int>(Theme::Mode::light);
  QTest::newRow("dark") << static_cast<int>(Theme::Mode::dark);
  QTest::newRow("projector") << static_cast<int>(Theme::Mode::projector);
}

// CIE 1976 lightness, 0 .. 100 (CIE 15).
double cie_lightness(const QColor& c) {
  const double y = luminance(c);
  return y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : 24389.0 / 27 * y;
}

// Where `i` of 16 equal steps of a map of weights is: projectors have more contrast at small weights.
double even_step(int i) {
  const bool projector = Theme::instance().mode() == Theme::Mode::projector;
  return projector ? std::pow(i / 16.0, 1 / 0.8) : i / 16.0;
}

void use_mode() {
  QFETCH(int, mode);
  Theme::instance().set_mode(static_cast<Theme::Mode>(mode));
}

}  // namespace

class TestTheme : public QObject {
  Q_OBJECT

 private slots:
  // Reference values from the publication of OKLab (Ottosson 2020): white, and red.
  void oklab_has_its_published_values() {
    const OkLab white = to_oklab(Qt::white);
    QVERIFY(std::abs(white.lightness - 1) < 1e-3 && std::abs(white.a) < 1e-3 && std::abs(white.b) < 1e-3);
    const OkLab red = to_oklab(QColor(255, 0, 0));
    QVERIFY(std::abs(red.lightness - 0.62796) < 1e-3);
    QVERIFY(std::abs(red.a - 0.22486) < 1e-3);
    QVERIFY(std::abs(red.b - 0.12585) < 1e-3);
  }

  void oklab_and_back() {
    for (const QRgb rgb : {0x000000u, 0xffffffu, 0x357fc2u, 0xdd7a2bu, 0x10ff80u})
      QCOMPARE(from_oklab(to_oklab(QColor(rgb))).rgb(), QColor(rgb).rgb());
  }

  // A cell of nothing is a bed on the paper: seen, and hardly more than that.
  void zero_weight_is_the_bed_data() { all_modes(); }
  void zero_weight_is_the_bed() {
    use_mode();
    QCOMPARE(Theme::instance().weight(0), tokens().bed);
    QCOMPARE(Theme::instance().signed_value(0), tokens().bed);
    const double seen = wcag(tokens().bed, tokens().paper);
    QVERIFY2(seen > 1.05 && seen < 1.25, qPrintable(QString::number(seen)));
  }

  // Every pair that the window uses. Texts 4.5:1 on every ground that they stand on, borders of controls, focus and
  // marks 3:1 (WCAG 2, AA).
  void pairs_of_tokens_can_be_told_apart_data() { all_modes(); }
  void pairs_of_tokens_can_be_told_apart() {
    use_mode();
    const Tokens& t = tokens();
    const auto least = [](double wanted, const char* what, const QColor& ink, const QColor& ground) {
      const double is = wcag(ink, ground);
      QVERIFY2(is >= wanted,
               qPrintable(QStringLiteral("%1: %2 on %3 has %4").arg(what, ink.name(), ground.name()).arg(is)));
    };
    for (const QColor& ground : {t.paper, t.desk, t.well, t.wash}) {
      least(4.5, "text", t.ink, ground);
      least(4.5, "caption", t.ink2, ground);
      least(4.5, "accent", t.accent, ground);
      least(4.5, "edited", t.edited, ground);
      least(4.5, "bad", t.bad, ground);
      least(4.5, "good", t.good, ground);
    }
    for (const QColor& ground : {t.press, t.hover, t.down, t.pill, t.sheet}) least(6, "text on a state", t.ink, ground);
    least(4.5, "caption of what opens", t.ink2, t.sheet);
    for (const QColor& ground : {t.paper, t.desk, t.sheet}) {
      const double off = wcag(t.off, ground);  // seen, and not taken for something that can be used
      QVERIFY2(off > 2.3 && off < wcag(t.ink2, ground) - 1, qPrintable(QString::number(off)));
    }
    least(2, "bank of a lane", t.bank, t.paper);
    for (std::size_t voice = 1; voice < t.voices.size(); ++voice) least(3, "a speaker", t.voices[voice], t.paper);
    // A step darker at each: at rest, under the mouse, while it is down; the chosen one of several is the lightest.
    const double away = Theme::instance().mode() == Theme::Mode::dark ? 1 : -1;
    const std::vector<QColor> steps = {t.paper, t.well, t.hover, t.down};
    for (std::size_t i = 1; i < steps.size(); ++i)
      QVERIFY2(away * (cie_lightness(steps[i]) - cie_lightness(steps[i - 1])) > 2, qPrintable(steps[i].name()));
    QVERIFY(cie_lightness(t.pill) >
            cie_lightness(Theme::instance().mode() == Theme::Mode::dark ? t.well : t.press) + 5);
    least(4.5, "text on the accent", t.accent_ink, t.accent);
    least(4.5, "text of what was changed", t.ink, t.edited_wash);
    least(4.5, "text of the main button", t.paper, t.ink);
    for (const QColor& ground : {t.paper, t.desk}) least(3, "border", t.edge, ground);
  }

  void lightness_of_weights_is_monotonic_and_even_data() { all_modes(); }
  void lightness_of_weights_is_monotonic_and_even() {
    use_mode();
    const double direction = Theme::instance().mode() == Theme::Mode::dark ? 1 : -1;
    double shortest = 1, longest = 0;
    OkLab before = to_oklab(Theme::instance().weight(0));
    for (int i = 1; i <= 16; ++i) {
      const OkLab here = to_oklab(Theme::instance().weight(even_step(i)));
      QVERIFY2((here.lightness - before.lightness) * direction > 0, qPrintable(QString::number(i)));
      shortest = std::min(shortest, distance(here, before));
      longest = std::max(longest, distance(here, before));
      before = here;
    }
    QVERIFY2(longest < 1.25 * shortest, qPrintable(QString("%1 .. %2").arg(shortest).arg(longest)));
  }

  // The same by another measure than the one the maps are made with.
  void steps_of_every_map_are_equally_light_data() { all_modes(); }
  void steps_of_every_map_are_equally_light() {
    use_mode();
    const Theme& theme = Theme::instance();
    const double away = theme.mode() == Theme::Mode::dark ? 1 : -1;  // from the background
    const auto check = [&](const char* map, int steps, const auto& colour) {
      double shortest = 100, longest = 0;
      for (int i = 1; i <= steps; ++i) {
        const double step = away * (cie_lightness(colour(i)) - cie_lightness(colour(i - 1)));
        shortest = std::min(shortest, step);
        longest = std::max(longest, step);
      }
      QVERIFY2(shortest > 0 && longest < 1.3 * shortest,
               qPrintable(QString("%1: %2 .. %3").arg(map).arg(shortest).arg(longest)));
    };
    check("weights", 16, [&](int i) { return theme.weight(even_step(i)); });
    check("below zero", 8, [&](int i) { return theme.signed_value(-i / 8.0); });
    check("above zero", 8, [&](int i) { return theme.signed_value(i / 8.0); });
  }

  void projectors_show_small_weights_and_wide_lines() {
    Theme& theme = Theme::instance();
    const auto seen = [&theme](Theme::Mode mode, double t) {
      theme.set_mode(mode);
      return wcag(theme.weight(t), theme.weight(0));
    };
    for (const double t : {0.02, 0.05, 0.1, 0.3, 1.0})
      QVERIFY2(seen(Theme::Mode::projector, t) > 1.02 * seen(Theme::Mode::light, t), qPrintable(QString::number(t)));
    const double there = seen(Theme::Mode::projector, 0.05) - 1, here = seen(Theme::Mode::light, 0.05) - 1;
    QVERIFY2(there > 1.8 * here, qPrintable(QString("%1 against %2").arg(there).arg(here)));
    theme.set_mode(Theme::Mode::projector);
    QVERIFY(theme.line(2) >= 3);
    QCOMPARE(theme.background(), QColor(Qt::white));
    QCOMPARE(theme.text(), QColor(Qt::black));
    for (const QColor& ink : {theme.text(), theme.muted_text(), theme.warning(), theme.edited(), theme.accent(),
                              theme.palette().color(QPalette::Link)}) {
      QVERIFY2(wcag(ink, theme.background()) >= 7, qPrintable(ink.name()));
      QVERIFY2(wcag(ink, theme.panel()) >= 7, qPrintable(ink.name()));
    }
    QVERIFY(wcag(theme.hatch(), theme.background()) >= 4.5);
    QVERIFY(wcag(theme.accent_text(), theme.accent()) >= 7);
    const QPalette palette = theme.palette();
    QVERIFY(wcag(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >= 6);
    theme.set_mode(Theme::Mode::light);
    QCOMPARE(theme.line(2), 2.0);
  }

  void signed_values_differ_in_hue_and_are_balanced_data() { all_modes(); }
  void signed_values_differ_in_hue_and_are_balanced() {
    use_mode();
    for (const double t : {0.3, 0.6, 1.0}) {
      const OkLab minus = to_oklab(Theme::instance().signed_value(-t)),
                  plus = to_oklab(Theme::instance().signed_value(t));
      QVERIFY(minus.b < 0 && plus.b > 0);  // blue against orange: told apart without red and green
      QVERIFY(std::abs(minus.lightness - plus.lightness) < 0.13);
    }
  }

  void out_of_range_values_are_clamped_and_nan_is_hatched() {
    const Theme& theme = Theme::instance();
    QCOMPARE(theme.weight(7), theme.weight(1));
    QCOMPARE(theme.weight(-7), theme.weight(0));
    QCOMPARE(theme.weight(std::nan("")), theme.hatch());
    QCOMPARE(theme.signed_value(std::nan("")), theme.hatch());
  }

  void texts_can_be_read_data() { all_modes(); }
  void texts_can_be_read() {
    use_mode();
    const Theme& theme = Theme::instance();
    QVERIFY(wcag(theme.text(), theme.background()) >= 7);
    QVERIFY(wcag(theme.muted_text(), theme.background()) >= 4.5);
    QVERIFY(wcag(theme.warning(), theme.background()) >= 4.5);
    QVERIFY(wcag(theme.edited(), theme.background()) >= 4.5);
    QVERIFY(wcag(theme.accent(), theme.background()) >= 3);
    QVERIFY(wcag(theme.accent_text(), theme.accent()) >= 3);
    const QPalette palette = theme.palette();
    QVERIFY(wcag(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >= 4.5);
    for (int i = 0; i <= 50; ++i)
      for (const QColor& fill : {theme.weight(i / 50.0), theme.signed_value(i / 25.0 - 1)})
        QVERIFY2(wcag(Theme::readable_on(fill), fill) >= 4.5, qPrintable(fill.name()));
  }

  void mode_and_scale_reach_the_application() {
    Theme& theme = Theme::instance();
    QSignalSpy changed(&theme, &Theme::changed);
    theme.set_mode(Theme::Mode::dark);
    QCOMPARE(QApplication::palette().color(QPalette::Base), theme.background());
    QCOMPARE(changed.size(), 1);
    const double before = theme.ui_font().pointSizeF();
    theme.set_font_scale(2);
    QCOMPARE(theme.ui_font().pointSizeF(), 2 * before);
    QCOMPARE(QApplication::font().pointSizeF(), 2 * before);
    changed.clear();
    theme.set(Theme::Mode::projector, 1.5);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(QApplication::palette().color(QPalette::Window), theme.panel());
    QCOMPARE(QApplication::font().pointSizeF(), 1.5 * before);
    theme.set_font_scale(99);
    QCOMPARE(theme.font_scale(), 5.0);  // a wall of four thousand lines
    theme.set(Theme::Mode::light, 99);
    QCOMPARE(theme.font_scale(), 2.5);
    theme.set_font_scale(0);
    QCOMPARE(theme.font_scale(), 0.75);
    theme.set_font_scale(1);
    theme.set_mode(Theme::Mode::light);
  }

  // Captions, keys and second lines: 12 pixels, and 13 in a window of more than 1600.
  void a_wide_window_has_larger_captions() {
    Theme& theme = Theme::instance();
    const double body = theme.ui_font().pointSizeF();
    const auto caption = [&] { return theme.ui_font(type::kSource).pointSizeF(); };
    QSignalSpy changed(&theme, &Theme::changed);
    theme.set_window_width(1600);
    QCOMPARE(caption(), body * 12 / 13);
    QCOMPARE(changed.size(), 0);
    theme.set_window_width(1601);
    QCOMPARE(caption(), body);
    QCOMPARE(changed.size(), 1);
    theme.set_window_width(2560);
    QCOMPARE(changed.size(), 1);
    // What was fitted to its room is no caption, and the other sizes stay.
    QVERIFY(theme.ui_font(0.97).pointSizeF() < body);
    QCOMPARE(theme.ui_font(type::kHead).pointSizeF(), body * 11 / 13);
    QCOMPARE(theme.ui_font().pointSizeF(), body);
    // In large letters as much stands in a line as in a narrow window.
    theme.set_font_scale(2);
    QCOMPARE(caption(), 2 * body * 12 / 13);
    theme.set_window_width(3201);
    QCOMPARE(caption(), 2 * body);
    theme.set_font_scale(1);
    theme.set_window_width(1280);
    QCOMPARE(caption(), body * 12 / 13);
  }

  void selection_tells_only_of_changes() {
    Selection selection;
    QSignalSpy changed(&selection, &Selection::changed), hovered(&selection, &Selection::hovered);
    SelectionState state;
    state.step = 3;
    selection.set(state);
    selection.set(state);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(*selection.state().step, 3);
    selection.hover(4, std::nullopt);
    selection.hover(4, std::nullopt);
    selection.hover(std::nullopt, std::nullopt);
    QCOMPARE(hovered.size(), 2);
    QVERIFY(!selection.hovered_token());
    QCOMPARE(changed.size(), 1);
  }

  void tokens_are_visible_data() {
    QTest::addColumn<QByteArray>("token");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("stand_in");
    QTest::newRow("letter") << QByteArray("a") << "a" << false;
    QTest::newRow("Chinese") << QByteArray("今") << "今" << false;
    QTest::newRow("space") << QByteArray(" ") << "␣" << true;
    QTest::newRow("word with space") << QByteArray("a b") << "a␣b" << false;
    QTest::newRow("tab") << QByteArray("\t") << "\\t" << true;
    QTest::newRow("null") << QByteArray("\0", 1) << "U+0000" << true;
    QTest::newRow("delete") << QByteArray("\x7f") << "U+007F" << true;
    QTest::newRow("zero width space") << QByteArray("\xE2\x80\x8B") << "U+200B" << true;
    QTest::newRow("no-break space") << QByteArray("\xC2\xA0") << "U+00A0" << true;
    QTest::newRow("order override") << QByteArray("\xE2\x80\xAE") << "U+202E" << true;
    QTest::newRow("broken byte") << QByteArray("\xE9") << "\\xE9" << true;
    QTest::newRow("lone accent") << QByteArray("\xCC\x81") << QString::fromUtf8("\xE2\x97\x8C\xCC\x81") << false;
    QTest::newRow("Hebrew is isolated") << QByteArray("א") << QString(QChar(0x2067)) + "א" + QChar(0x2069) << false;
    QTest::newRow("emoji") << QByteArray("😀") << "😀" << false;
    QTest::newRow("empty") << QByteArray() << "∅" << true;
    QTest::newRow("family") << QByteArray("👨‍👩‍👧") << QString::fromUtf8("👨‍👩‍👧") << false;
    QTest::newRow("lone joiner") << QByteArray("a\xE2\x80\x8D") << "aU+200D" << false;
    QTest::newRow("half a surrogate") << QByteArray("\xED\xA0\x80") << "\\xED\\xA0\\x80" << true;
    QTest::newRow("byte of a vocabulary") << QByteArray("<0xE9>") << "\\xE9" << true;
    QTest::newRow("line feed as a byte") << QByteArray("<0x0A>") << "\\n" << true;
    QTest::newRow("rare ideograph") << QByteArray("𠀀") << QString::fromUtf8("𠀀") << false;
    QTest::newRow("Thai") << QByteArray("น้ำ") << QString::fromUtf8("น้ำ") << false;
    QTest::newRow("Hangul letters") << QByteArray("\xE1\x84\x92\xE1\x85\xA1") << QString::fromUtf8("\u1112\u1161")
                                    << false;
    QTest::newRow("ten thousand") << QByteArray(10000, 'a') << QString(10000, 'a') << false;
  }
  void tokens_are_visible() {
    QFETCH(QByteArray, token);
    QFETCH(QString, text);
    QFETCH(bool, stand_in);
    const TokenText shown = token_text(token.toStdString());
    QCOMPARE(shown.text, text);
    QCOMPARE(shown.stand_in, stand_in);
    QVERIFY(!shown.name.isEmpty());
  }

  void bytes_of_a_character_show_it() {
    const auto shown = token_texts({"a", "<0xE4>", "<0xBD>", "<0xA0>", "\xE9", "</s>"});
    QCOMPARE(shown.size(), std::size_t(6));
    QCOMPARE(shown[1].text, QString::fromUtf8("你₁"));
    QCOMPARE(shown[3].text, QString::fromUtf8("你₃"));
    QVERIFY(!shown[1].stand_in && shown[2].stand_in && shown[3].stand_in);
    QVERIFY(shown[2].name.contains("2") && shown[2].name.contains("3"));
    QCOMPARE(shown[4].text, QString("\\xE9"));
    QVERIFY(shown[5].special && !shown[0].special);
  }

  void special_tokens_stand_out_and_say_what_they_are() {
    for (const char* token : {"<s>", "</s>", "<pad>", "<unk>", "[MASK]", "[CLS]"}) {
      const TokenText shown = token_text(token);
      QVERIFY(shown.special && !shown.stand_in);
      QCOMPARE(shown.text, QString(token));
      QVERIFY(shown.name != shown.text && shown.name.contains(shown.text));
    }
    QVERIFY(!token_text("s").special);
    QVERIFY(special_font(QFont()).italic());
  }

  void long_tooltips_show_both_ends() {
    const QString tip = plain_tooltip("begin" + QString(10000, 'a') + "end");
    QVERIFY(tip.size() < 2100 && tip.startsWith("begin") && tip.endsWith("end"));
  }

  void tooltips_never_take_a_token_for_markup() {
    QCOMPARE(plain_tooltip("a < b"), QString("a < b"));
    QVERIFY(plain_tooltip("<b>x</b>").contains("&lt;b&gt;"));
  }

  void csv_fields_are_quoted_where_they_must_be() {
    QCOMPARE(csv_field("plain"), QString("plain"));
    QCOMPARE(csv_field("a,b"), QString("\"a,b\""));
    QCOMPARE(csv_field("say \"x\""), QString("\"say \"\"x\"\"\""));
    QCOMPARE(csv_field("two\nlines"), QString("\"two\nlines\""));
    QCOMPARE(csv_field(" a"), QString("\" a\""));
    // What a spreadsheet would compute is shown instead; numbers stay numbers.
    for (const char* const formula : {"=1+1", "+1", "-a", "@sum(A1)", "-", "＝1", "-1+cmd"})
      QCOMPARE(csv_field(QString::fromUtf8(formula)), "'" + QString::fromUtf8(formula));
    QCOMPARE(csv_field("=HYPERLINK(\"x\",1)"), QString("\"'=HYPERLINK(\"\"x\"\",1)\""));
    QCOMPARE(csv_field("\t=1"), QString("\"'\t=1\""));
    QCOMPARE(csv_field("\r=1"), QString("\"'\r=1\""));
    for (const char* const plain : {"-0.5", "-7", "-1e-05", "a=1", "1-2", ""})
      QCOMPARE(csv_field(plain), QString(plain));
    QCOMPARE(csv_number(static_cast<double>(0.1f)), QString("0.100000001"));
    QCOMPARE(csv_number(std::nan("")), QString("NaN"));
    for (const float value : {1.0f / 3, 3.4e38f, 1.2e-40f, -7.25f})
      QCOMPARE(csv_number(static_cast<double>(value)).toFloat(), value);
  }

  void pictures_are_written_whole_or_not_at_all() {
    QTemporaryDir folder;
    const auto paint = [](QPainter& painter) { painter.fillRect(QRectF(0, 0, 20, 10), Qt::red); };
    export_picture(folder.filePath("x.png"), {40, 30}, paint, {3, "title"});
    const QImage image(folder.filePath("x.png"));
    QCOMPARE(image.size(), QSize(120, 90));
    QCOMPARE(image.pixelColor(10, 10), QColor(Qt::red));
    QCOMPARE(image.pixelColor(110, 80).alpha(), 0);
    export_picture(folder.filePath("x.SVG"), {40, 30}, paint);
    export_picture(folder.filePath("x.pdf"), {40, 30}, paint);
    QFile pdf(folder.filePath("x.pdf"));
    QVERIFY(pdf.open(QIODevice::ReadOnly) && pdf.read(5) == "%PDF-");
    QVERIFY_EXCEPTION_THROWN(export_picture(folder.filePath("x.gif"), {40, 30}, paint), FileError);
    QVERIFY(!QFile::exists(folder.filePath("x.gif")));
    try {
      export_bytes(folder.filePath("missing/x.csv"), "1");
      QFAIL("no error");
    } catch (const FileError& error) {
      QVERIFY(QString(error.what()).contains("missing/x.csv"));
      QVERIFY(QString(error.what()).contains("cannot be written"));
    }
    // What is behind a link is written, what is no file stays what it is.
    QVERIFY(QFile::link("x.csv", folder.filePath("link.csv")));
    export_bytes(folder.filePath("link.csv"), "1");
    QVERIFY(QFileInfo(folder.filePath("link.csv")).isSymLink());
    QCOMPARE(QFileInfo(folder.filePath("x.csv")).size(), 1);
    export_bytes("/dev/null", "1");
    QVERIFY(!QFileInfo("/dev/null").isFile());
  }
};

HEADLIGHT_WIDGET_TEST(TestTheme)

}  // namespace headlight::test_theme

#include "test_theme.moc"
