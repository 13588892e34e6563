// The token strip: what it marks, linked selection, keys, speed.
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "image_test.h"
#include "sample_result.h"
#include "tests/test_program.h"
#include "widgets/views/tokens/token_strip.h"

namespace headlight::test_token_strip {

namespace {

QPoint middle_of(const TokenStrip& strip, int token) {
  return strip.strip_layout().chips[static_cast<std::size_t>(token)].center().toPoint();
}

// Unknown, control, right-to-left and CJK characters beside known ones.
std::shared_ptr<const Result> mixed_result() {
  sample::Options options;
  options.source = std::string("s\xC3\xA9pt\t1 \xD7\x90\xD7\x91 \xE4\xBB\x8A") + '\0' + "\xE2\x80\x8B" + "4";
  options.looked_at = {0};
  return sample::result(options);
}

}  // namespace

class TestTokenStrip : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void says_what_each_token_is() {
    Selection selection;
    TokenStrip strip(&selection);
    strip.set_result(mixed_result());
    QCOMPARE(strip.token_tooltip(1), QStringLiteral("‘é’ is not in this model's vocabulary; it is left out."));
    QVERIFY(strip.token_tooltip(0).startsWith(QStringLiteral("‘s’, token 1 of the source.")));
    QVERIFY(strip.token_tooltip(0).contains("number 24 of 24"));  // read backwards
    QVERIFY(strip.token_tooltip(4).startsWith("tab is not in"));
    QVERIFY(strip.token_tooltip(strip.token_count() - 1).startsWith("Padding: "));
    QCOMPARE(strip.token_tooltip(-1), QString());
    QCOMPARE(strip.token_tooltip(999), QString());
  }

  void hover_and_click_are_linked() {
    Selection selection;
    TokenStrip strip(&selection);
    strip.set_result(sample::result());
    show_at(strip, {700, 60});
    QTest::mouseMove(strip.viewport(), middle_of(strip, 5));
    QTRY_COMPARE(selection.hovered_token(), std::optional(5));
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, middle_of(strip, 7));
    QCOMPARE(selection.state().source_token, std::optional(7));
    SelectionState elsewhere;
    elsewhere.source_token = 2;
    selection.set(elsewhere);
    QCOMPARE(strip.cursor(), 2);
    QVERIFY(strip.accessibleDescription().contains(QStringLiteral("‘p’")));
  }

  void a_click_keeps_the_step_and_drops_the_cell() {
    Selection selection;
    TokenStrip strip(&selection);
    strip.set_result(sample::result());
    show_at(strip, {700, 60});
    selection.set({1, 4, 3, 2});
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, middle_of(strip, 7));
    QCOMPARE(selection.state(), (SelectionState{7, 4, std::nullopt, std::nullopt}));
  }

  void works_with_the_keyboard_alone() {
    Selection selection;
    TokenStrip strip(&selection);
    strip.set_result(sample::result());
    show_at(strip, {300, 120});
    strip.setFocus(Qt::TabFocusReason);
    QTest::keyClick(&strip, Qt::Key_Right);
    QCOMPARE(selection.state().source_token, std::optional(0));
    QTest::keyClick(&strip, Qt::Key_Right);
    QCOMPARE(strip.cursor(), 1);
    QTest::keyClick(&strip, Qt::Key_Down);
    QCOMPARE(strip.strip_layout().line_of_chip[static_cast<std::size_t>(strip.cursor())], 1);
    QTest::keyClick(&strip, Qt::Key_Up);
    QCOMPARE(strip.cursor(), 1);
    QTest::keyClick(&strip, Qt::Key_End);  // of its line
    const auto end = static_cast<std::size_t>(strip.cursor());
    QCOMPARE(strip.strip_layout().line_of_chip[end], 0);
    QCOMPARE(strip.strip_layout().line_of_chip[end + 1], 1);
    QTest::keyClick(&strip, Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(strip.cursor(), 23);
    QTest::keyClick(&strip, Qt::Key_Right);
    QCOMPARE(strip.cursor(), 23);
    QTest::keyClick(&strip, Qt::Key_Home);
    const auto start = static_cast<std::size_t>(strip.cursor());
    QVERIFY(strip.strip_layout().line_of_chip[start] == strip.strip_layout().line_of_chip[23]);
    QVERIFY(strip.strip_layout().line_of_chip[start - 1] < strip.strip_layout().line_of_chip[23]);
    QTest::keyClick(&strip, Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(strip.cursor(), 0);
  }

  void chips_are_tinted_by_the_marked_step() {
    Selection selection;
    TokenStrip strip(&selection);
    strip.set_result(sample::result());
    show_at(strip, {700, 60});
    const auto seen = [&](int token) {
      const QRectF chip = strip.strip_layout().chips[static_cast<std::size_t>(token)];
      return strip.viewport()->grab().toImage().pixelColor(chip.topLeft().toPoint() + QPoint(4, 4));
    };
    const QColor plain = seen(14);
    selection.hover(std::nullopt, 0);  // step 0 looks at token 14
    const float weight = static_cast<float>(sample::weights_around(9, 24)[9]);
    QCOMPARE(seen(14), Theme::instance().weight(static_cast<double>(weight)));
    QVERIFY(strip.token_tooltip(14).contains("Attention weight"));
    selection.hover(std::nullopt, std::nullopt);
    QCOMPARE(seen(14), plain);
  }

  void long_texts_wrap_and_scroll() {
    Selection selection;
    TokenStrip strip(&selection);
    sample::Options options;
    options.source = std::string(512, '4');
    strip.set_result(sample::result(options));
    show_at(strip, {400, 80});
    QVERIFY(strip.verticalScrollBar()->maximum() > 0);
    for (const QRectF& chip : strip.strip_layout().chips) QVERIFY(chip.right() <= strip.viewport()->width());
    QVERIFY(strip.heightForWidth(400) < 200);  // the hint does not grow without end
    SelectionState state;
    state.source_token = 500;
    selection.set(state);
    const QRectF chip = strip.strip_layout().chips[500];
    QVERIFY(strip.verticalScrollBar()->value() <= chip.top());
    QVERIFY(strip.verticalScrollBar()->value() + strip.viewport()->height() >= chip.bottom());
  }

  void a_shorter_result_drops_the_cursor() {
    Selection selection;
    TokenStrip strip(&selection);
    sample::Options options;
    options.source = std::string(60, '4');
    strip.set_result(sample::result(options));
    SelectionState state;
    state.source_token = 50;
    selection.set(state);
    QCOMPARE(strip.cursor(), 50);
    strip.set_result(sample::result());
    QCOMPARE(strip.cursor(), -1);
    strip.set_result(nullptr);
    QCOMPARE(strip.token_count(), 0);
    QTest::keyClick(&strip, Qt::Key_Right);
    QCOMPARE(strip.cursor(), -1);
  }

  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void pictures() {
    QFETCH(bool, dark);
    const QString mode = dark ? "dark" : "light";
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    Selection selection;
    TokenStrip strip(&selection);
    strip.set_result(sample::result());
    show_at(strip, {420, 80});
    SelectionState state;
    state.step = 0;
    state.source_token = 15;
    selection.set(state);
    selection.hover(3, std::nullopt);
    COMPARE_IMAGE(strip, "token_strip_" + mode);
    strip.set_result(mixed_result());
    selection.set({});
    COMPARE_IMAGE(strip, "token_strip_mixed_" + mode);
    selection.set_whole_words(true);
    strip.set_result(sample::result());
    COMPARE_IMAGE(strip, "token_strip_words_" + mode);
  }
};

HEADLIGHT_WIDGET_TEST(TestTokenStrip)

}  // namespace headlight::test_token_strip

#include "test_token_strip.moc"
