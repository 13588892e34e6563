// The ribbons view: layout, isolated tokens, choices, selection, export, pictures.
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "image_test.h"
#include "sample_heads.h"
#include "tests/test_program.h"
#include "widgets/views/ribbons/ribbons_view.h"

using namespace headlight;

namespace {
using Kind = AttentionMap::Kind;
using Side = RibbonsHit::Side;
}  // namespace

class TestRibbonsView : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void layout_keeps_lists_and_lines_apart() {
    for (const double width : {200.0, 420.0, 1600.0}) {
      RibbonsLayout::Metrics m;
      m.width = width;
      m.query = 90;
      m.key = 400;  // a very long word
      const RibbonsLayout layout = RibbonsLayout::of(5, 8, m);
      const QRectF left = layout.token({Side::query, 4}), right = layout.token({Side::key, 7});
      QVERIFY(left.right() + m.smallest_gap <= right.left());
      QVERIFY(right.left() - left.right() <= m.largest_gap);
      QVERIFY(right.right() <= layout.width && right.bottom() <= layout.height);
      QVERIFY(layout.header(Side::query).bottom() <= layout.token({Side::query, 0}).top());
      QVERIFY(layout.start(4).x() > left.right() && layout.end(7).x() < right.left());
      const QPainterPath path = layout.ribbon(4, 7);
      QCOMPARE(path.pointAtPercent(0), layout.start(4));
      QCOMPARE(path.pointAtPercent(1), layout.end(7));
      QCOMPARE(layout.place_at(left.center()), (RibbonsHit{Side::query, 4}));
      QCOMPARE(layout.place_at(right.center()), (RibbonsHit{Side::key, 7}));
      QCOMPARE(layout.place_at(layout.lines().center()), RibbonsHit{});
      QCOMPARE(layout.place_at({left.center().x(), left.bottom() + 1}), RibbonsHit{});
    }
  }

  void faint_lines_are_left_out() {
    QCOMPARE(ribbon_opacity(1, 1), 1.0);
    QCOMPARE(ribbon_opacity(0.5, 1), 0.5);
    QCOMPARE(ribbon_opacity(0.5, 4), 0.375);
    QCOMPARE(ribbon_opacity(0.001, 1), 0.0);
    QCOMPARE(ribbon_opacity(std::nan(""), 1), 0.0);
    QCOMPARE(ribbon_opacity(3, 1), 1.0);
  }

  void shows_the_last_layer_first_and_all_heads() {
    Selection selection;
    RibbonsView view({&selection});
    const auto result = sample::heads_result();
    view.set_result(result);
    show_at(view, {500, 400});
    QVERIFY(view.chooser().kind() == Kind::cross);
    QCOMPARE(view.chooser().layer(), Index(2));
    QCOMPARE(view.chooser().head(), AttentionChooser::kAllHeads);
    QCOMPARE(view.canvas()->ribbons_layout().queries, 10);
    QCOMPARE(view.canvas()->ribbons_layout().keys, 9);
    for (const auto* box : view.findChildren<QComboBox*>())
      QVERIFY(box->isVisible() && !box->accessibleName().isEmpty());
    view.show_head(Kind::encoder_self, 0, 1);
    const Tensor weights = result->trace->value("encoder.layer[0].self_attn.head.weights");
    QCOMPARE(view.canvas()->weight(4, 3), static_cast<double>(weights[(9 + 4) * 9 + 3]));
    QVERIFY(view.canvas()->description({Side::query, 4}).contains(QStringLiteral("sleeps")));
    // The choice stays; a model without it shows what it has.
    view.set_result(sample::heads_result());
    QCOMPARE(view.chooser().head(), Index(1));
    view.set_result(sample::result());
    QVERIFY(view.chooser().kind() == Kind::cross);
    QCOMPARE(view.chooser().head(), Index(0));
    for (const auto* box : view.findChildren<QComboBox*>()) QVERIFY(!box->isVisible());
  }

  void whole_words_are_put_together() {
    sample::HeadOptions options;
    options.kind = TokenizerKind::characters;
    options.source = {"n", "o", "v", " ", "2", "1"};
    options.output = {"2", "1", "-", "<eos>"};
    Selection selection;
    RibbonsView view({&selection});
    view.set_result(sample::heads_result(options));
    show_at(view, {420, 360});
    auto* box = view.findChild<QCheckBox*>();
    QVERIFY(box->isVisible());
    box->click();
    QCOMPARE(view.canvas()->ribbons_layout().queries, 3);  // 21 - <eos>
    QCOMPARE(view.canvas()->ribbons_layout().keys, 3);     // nov ␣ 21
    selection.set({{}, 1, {}, {}});
    QCOMPARE(view.canvas()->cursor(), (RibbonsHit{RibbonsHit::Side::query, 0}));
    selection.set_whole_words(false);
    QCOMPARE(view.canvas()->ribbons_layout().keys, 6);
    view.set_result(sample::heads_result());  // words already
    QVERIFY(!box->isVisible());
  }

  void too_many_lines_are_thinned_out_and_the_view_says_so() {
    sample::HeadOptions options;
    options.source.assign(60, "x");
    options.heads = 5;  // one of them spreads evenly: 3600 faint lines
    options.decoder = false;
    Selection selection;
    RibbonsView view({&selection});
    view.set_result(sample::heads_result());
    show_at(view, {500, 400});
    QVERIFY(!view.canvas()->is_limited());
    view.set_result(sample::heads_result(options));
    QVERIFY(view.chooser().kind() == Kind::encoder_self);
    QVERIFY(view.canvas()->is_limited());
    bool said = false;
    for (const auto* label : view.findChildren<QLabel*>())
      said = said || (label->isVisible() && label->text().startsWith("Only the 4000 strongest"));
    QVERIFY(said);
  }

  void pointing_at_a_token_isolates_it_everywhere() {
    Selection selection;
    RibbonsView view({&selection});
    view.set_result(sample::heads_result());
    show_at(view, {500, 400});
    QSignalSpy hovered(&selection, &Selection::hovered);
    const QImage before = view.canvas()->viewport()->grab().toImage();
    const RibbonsHit place{Side::key, 3};
    QTest::mouseMove(view.canvas()->viewport(), view.canvas()->ribbons_layout().token(place).center().toPoint());
    QTRY_COMPARE(selection.hovered_token(), std::optional(3));
    QCOMPARE(view.canvas()->isolated(), place);
    QVERIFY(image_difference(before, view.canvas()->viewport()->grab().toImage()).share > 0.01);
    view.canvas()->set_hover({});
    selection.hover(std::nullopt, 5);  // from another view; the mouse of the test is not over this one
    if (!view.canvas()->underMouse()) QCOMPARE(view.canvas()->isolated(), (RibbonsHit{Side::query, 5}));
  }

  void a_click_on_each_side_opens_the_weight_between() {
    Selection selection;
    RibbonsView view({&selection});
    const auto result = sample::heads_result();
    view.set_result(result);
    view.show_head(Kind::cross, 1, 2);
    show_at(view, {500, 400});
    const auto click = [&](const RibbonsHit& place) {
      QTest::mouseClick(view.canvas()->viewport(), Qt::LeftButton, {},
                        view.canvas()->ribbons_layout().token(place).center().toPoint());
    };
    click({Side::query, 4});
    QCOMPARE(selection.state(), (SelectionState{{}, 4, {}, {}}));
    click({Side::key, 6});
    QCOMPARE(selection.state().source_token, std::optional(6));
    QCOMPARE(selection.state().step, std::optional(4));
    QCOMPARE((*result->trace)[*selection.state().entry].site.text,
             std::string("decoder.step[4].layer[1].cross_attn.head.weights"));
    QCOMPARE(selection.state().cell, std::optional<qint64>(2 * 9 + 6));
  }

  void the_keyboard_walks() {
    Selection selection;
    RibbonsView view({&selection});
    view.set_result(sample::heads_result());
    show_at(view, {500, 200});
    RibbonsCanvas& canvas = *view.canvas();
    QVERIFY(canvas.focusPolicy() & Qt::TabFocus);
    QTest::keyClick(&canvas, Qt::Key_Down);
    QCOMPARE(canvas.cursor(), (RibbonsHit{Side::query, 0}));
    QTest::keyClick(&canvas, Qt::Key_End);
    QCOMPARE(canvas.cursor(), (RibbonsHit{Side::query, 9}));
    QVERIFY(canvas.verticalScrollBar()->value() > 0);  // the list is longer than the window: it follows
    QCOMPARE(selection.state().step, std::optional(9));
    QTest::keyClick(&canvas, Qt::Key_Right);
    QCOMPARE(canvas.cursor(), (RibbonsHit{Side::key, 8}));
    QCOMPARE(selection.state().source_token, std::optional(8));
    QVERIFY(canvas.accessibleDescription().contains("is looked at by"));
    QTest::keyClick(&canvas, Qt::Key_Home);
    QCOMPARE(canvas.cursor(), (RibbonsHit{Side::key, 0}));
    QCOMPARE(canvas.verticalScrollBar()->value(), 0);
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QCOMPARE(canvas.cursor(), RibbonsHit{});
    QCOMPARE(selection.state(), SelectionState{});
  }

  void the_selection_moves_the_cursor() {
    Selection selection;
    RibbonsView view({&selection});
    view.set_result(sample::heads_result());
    show_at(view, {500, 400});
    selection.set({{}, 7, {}, {}});
    QCOMPARE(view.canvas()->cursor(), (RibbonsHit{Side::query, 7}));
    selection.set({2, {}, {}, {}});
    QCOMPARE(view.canvas()->cursor(), (RibbonsHit{Side::key, 2}));
    selection.set({});
    QCOMPARE(view.canvas()->cursor(), RibbonsHit{});
  }

  void exports() {
    QTemporaryDir folder;
    Selection selection;
    RibbonsView view({&selection});
    view.set_result(sample::heads_result());
    show_at(view, {500, 400});
    for (const char* name : {"r.png", "r.svg", "r.pdf", "r.csv"}) {
      view.export_to(folder.filePath(name));
      QVERIFY(QFile(folder.filePath(name)).size() > 500);
    }
    QFile file(folder.filePath("r.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = file.readAll().split('\n');
    QCOMPARE(lines.size(), 4 * 10 * 9 + 2);
    QVERIFY(lines[1].startsWith("3,1,0,le,0,the,"));
    QCOMPARE(view.table()->rowCount(), 4 * 10 * 9);
    sample::Options none;
    none.attention = false;
    view.set_result(sample::result(none));
    QVERIFY(!view.canvas()->isVisible());
    QVERIFY_EXCEPTION_THROWN(view.export_to("x.png"), UsageError);
  }

  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void pictures() {
    QFETCH(bool, dark);
    const QString theme = dark ? "dark" : "light";
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    Selection selection;
    RibbonsView view({&selection});
    view.set_result(sample::heads_result());
    show_at(view, {520, 340});
    COMPARE_IMAGE(view, "ribbons_" + theme);
    view.canvas()->set_cursor({Side::query, 3});
    COMPARE_IMAGE(view, "ribbons_isolated_" + theme);
  }
};

HEADLIGHT_WIDGET_TEST(TestRibbonsView)
#include "test_ribbons_view.moc"
