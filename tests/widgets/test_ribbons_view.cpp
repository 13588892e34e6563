// The ribbons view: layout, what the heads give and what is said of it, choices, selection, export, pictures.
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "image_test.h"
#include "model/decode/run.h"
#include "model/io/model_folder.h"
#include "recorded_text.h"
#include "sample_heads.h"
#include "tests/test_program.h"
#include "widgets/views/ribbons/ribbons_view.h"

namespace headlight::test_ribbons_view {

namespace {
using Kind = AttentionMap::Kind;
using Side = RibbonsToken::Side;
using Part = RibbonsHit::Part;
}  // namespace

class TestRibbonsView : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void layout_keeps_lines_ribbons_and_rows_apart() {
    for (const QSizeF size : {QSizeF(200, 140), QSizeF(640, 420), QSizeF(1600, 1000)})
      for (const int own : {0, 7})
        for (const int columns : {1, 9, 200}) {
          RibbonsLayout::Metrics m;
          m.view = size;
          m.own.assign(static_cast<std::size_t>(own), 1);
          m.others.assign(static_cast<std::size_t>(columns), 1);
          m.groups = {4, 4};
          const RibbonsLayout layout = RibbonsLayout::of(m);
          QCOMPARE(layout.two_lines(), own > 0);
          QCOMPARE(layout.beside, size.width() == 1600);
          QList<QRectF> all = {layout.arcs, layout.other_token(columns - 1)};
          if (own > 0) all << layout.own_token(own - 1);
          for (const QRectF& row : layout.rows) all << row;
          QCOMPARE(layout.rows.size(), std::size_t(8));
          for (int i = 0; i < all.size(); ++i) {
            QVERIFY(QRectF(0, 0, layout.width, layout.height).contains(all[i]));
            for (int j = 0; j < i; ++j) QVERIFY(!all[i].intersects(all[j]));
          }
          if (layout.beside) {
            const QRectF candidates = layout.beside_ribbons(layout.arcs.top(), layout.arcs.height());
            QVERIFY(!candidates.intersects(layout.arcs) && candidates.right() <= layout.width);
          }
          // Ribbons stay in their room, and go from token to token.
          const int from = own > 0 ? own - 1 : 0;
          const QPainterPath path = layout.ribbon(from, columns - 1);
          QVERIFY(layout.arcs.adjusted(-1, -1, 1, 1).contains(path.boundingRect()) || columns == 1);
          QCOMPARE(path.pointAtPercent(0).x(), layout.own_token(from).center().x());
          QCOMPARE(path.pointAtPercent(1), QPointF(layout.others.centre(columns - 1), layout.arcs.bottom()));
          QVERIFY(layout.thickness(1) > layout.thickness(0.5) && layout.thickness(0.001) >= 1.5);
          QCOMPARE(layout.place_at(layout.cell(5, columns - 1).center()), (RibbonsHit{Part::cell, columns - 1, 5}));
          QCOMPARE(layout.place_at(layout.other_token(0).center()), (RibbonsHit{Part::other, 0, -1}));
          if (own > 0) QCOMPARE(layout.place_at(layout.own_token(0).center()), (RibbonsHit{Part::own, 0, -1}));
          QCOMPARE(layout.place_at({m.margin, layout.rows[2].center().y()}), (RibbonsHit{Part::name, -1, 2}));
          QCOMPARE(layout.place_at(layout.arcs.center()), RibbonsHit{});
        }
  }

  // Weights written by hand: what is said of them follows from their sizes.
  void what_a_head_picks_is_said_by_its_weights() {
    const auto said = [](std::vector<Scalar> weights) {
      AttentionMap map;
      map.kind = Kind::cross;
      map.heads = 1;
      map.rows.push_back({"q", "w", -1, 0, false});
      for (std::size_t i = 0; i < weights.size(); ++i) {
        map.columns.push_back({std::string(1, static_cast<char>('a' + i)), {}, static_cast<int>(i), -1, false});
        map.key_of_column.push_back(static_cast<Index>(i));
      }
      const auto count = static_cast<Index>(weights.size());
      map.row_sources.push_back({-1, 0, count, count, count, -1});
      map.own = Tensor({1, 1, count});
      std::ranges::copy(weights, map.own.data());
      RibbonsCanvas canvas;
      canvas.set_maps({std::make_shared<const AttentionMap>(std::move(map))}, {0, 0});
      canvas.set_token({Side::query, 0});
      return canvas.picks({0, 0});
    };
    QCOMPARE(said({0.1F, 0.75F, 0.15F}), QStringLiteral("picks ‘b’"));
    QCOMPARE(said({0.3F, 0.1F, 0.45F, 0.15F}), QStringLiteral("‘c’ and ‘a’"));
    QCOMPARE(said({0.3F, 0.2F, 0.3F, 0.2F}), QStringLiteral("broad"));
    QCOMPARE(said({0.39F, 0.2F, 0.2F, 0.11F, 0.1F}), QStringLiteral("mixed"));
    QCOMPARE(said({0, 0}), QStringLiteral("nothing"));
  }

  void shows_every_head_of_every_layer() {
    Selection selection;
    RibbonsView view({&selection});
    const auto result = sample::heads_result();
    view.set_result(result);
    show_at(view, {900, 600});
    const RibbonsCanvas& canvas = *view.canvas();
    QVERIFY(view.chooser().kind() == Kind::cross);
    QCOMPARE(view.chooser().layer(), Index(2));
    QCOMPARE(canvas.heads().size(), std::size_t(12));  // three layers of four
    QCOMPARE(canvas.head(), (RibbonsCanvas::Head{2, 0}));
    QCOMPARE(canvas.columns(), 9);
    QVERIFY(canvas.ribbons_layout().two_lines());
    for (const auto* box : view.findChildren<QComboBox*>())
      QVERIFY(box->isVisible() && !box->accessibleName().isEmpty());
    view.show_head(Kind::encoder_self, 0, 1);
    QVERIFY(!canvas.ribbons_layout().two_lines());
    view.canvas()->set_token({Side::query, 4});
    const Tensor weights = result->trace->value("encoder.layer[0].self_attn.head.weights");
    for (int column = 0; column < 9; ++column) {
      QCOMPARE(canvas.weight({0, 1}, column), static_cast<double>(weights[(9 + 4) * 9 + column]));
      QCOMPARE(canvas.weight({0, 3}, column), static_cast<double>(weights[(3 * 9 + 4) * 9 + column]));
    }
    QVERIFY(canvas.accessibleDescription().contains(QStringLiteral("sleeps")));
    // The other way round: who looks at it.
    QTest::keyClick(view.canvas(), Qt::Key_Space);
    QCOMPARE(canvas.token(), (RibbonsToken{Side::key, 4}));
    for (int column = 0; column < 9; ++column)
      QCOMPARE(canvas.weight({0, 1}, column), static_cast<double>(weights[(9 + column) * 9 + 4]));
    QVERIFY(canvas.accessibleDescription().contains(QStringLiteral("who looks at ‘on’")));
    // The choice stays; a model without it shows what it has.
    view.set_result(sample::heads_result());
    QCOMPARE(view.chooser().head(), Index(1));
    QCOMPARE(canvas.head(), (RibbonsCanvas::Head{0, 1}));
    view.set_result(sample::result());
    QVERIFY(view.chooser().kind() == Kind::cross);
    QCOMPARE(canvas.heads().size(), std::size_t(1));
    for (const auto* box : view.findChildren<QComboBox*>()) QVERIFY(!box->isVisible());
  }

  // Of many heads those of one layer; a row is chosen there as in the box.
  void many_heads_are_shown_a_layer_at_a_time() {
    sample::HeadOptions options;
    options.heads = 5;
    Selection selection;
    RibbonsView view({&selection});
    view.set_result(sample::heads_result(options));
    show_at(view, {900, 600});
    QCOMPARE(view.canvas()->heads().size(), std::size_t(5));
    QCOMPARE(view.chooser().layer(), Index(2));
    view.show_head(Kind::cross, 0, 3);
    QCOMPARE(view.canvas()->maps()[0]->layer, Index(0));
    QCOMPARE(view.canvas()->head(), (RibbonsCanvas::Head{0, 3}));
  }

  // Blanks are one column with what goes to all of them.
  void blanks_are_folded() {
    Request request;
    request.model = load_model("date-transformer");
    request.source = "AUGUST 23, 1983";
    const auto result = std::make_shared<const Result>(run(request));
    Selection selection;
    RibbonsView view({&selection});
    view.set_result(result);
    show_at(view, {1100, 640});
    RibbonsCanvas& canvas = *view.canvas();
    QVERIFY(canvas.is_folded());
    QCOMPARE(canvas.columns(), 16);
    canvas.set_token({Side::query, 2});
    const Tensor weights = result->trace->value("decoder.step[2].layer[1].cross_attn.head.weights");
    const auto keys = static_cast<Index>(result->tokens.size());
    double sum = 0, all = 0;
    for (Index key = 15; key < keys; ++key) sum += static_cast<double>(weights[3 * keys + key]);
    for (int column = 0; column < 16; ++column) all += canvas.weight({1, 3}, column);
    QVERIFY(std::abs(canvas.weight({1, 3}, 15) - sum) < 1e-6);
    QVERIFY(std::abs(all - 1) < 1e-5);
    QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {},
                      canvas.ribbons_layout().other_token(15).center().toPoint());
    QCOMPARE(canvas.columns(), static_cast<int>(keys));
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QCOMPARE(canvas.columns(), 16);
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
    QCOMPARE(view.canvas()->ribbons_layout().own.count(), 3);  // 21 - <eos>
    QCOMPARE(view.canvas()->columns(), 3);                     // nov ␣ 21
    selection.set({{}, 1, {}, {}});
    QCOMPARE(view.canvas()->token(), (RibbonsToken{Side::query, 0}));
    selection.set_whole_words(false);
    QCOMPARE(view.canvas()->columns(), 6);
    view.set_result(sample::heads_result());  // words already
    QVERIFY(!box->isVisible());
  }

  void pointing_at_a_token_marks_it_everywhere() {
    Selection selection;
    RibbonsView view({&selection});
    view.set_result(sample::heads_result());
    show_at(view, {900, 600});
    QTest::mouseMove(view.canvas()->viewport(), view.canvas()->ribbons_layout().other_token(3).center().toPoint());
    QTRY_COMPARE(selection.hovered_token(), std::optional(3));
    QTest::mouseMove(view.canvas()->viewport(), view.canvas()->ribbons_layout().own_token(5).center().toPoint());
    QTRY_COMPARE(selection.hovered_step(), std::optional(5));
  }

  void clicks_ask_and_open_weights() {
    Selection selection;
    RibbonsView view({&selection});
    const auto result = sample::heads_result();
    view.set_result(result);
    show_at(view, {900, 640});
    RibbonsCanvas& canvas = *view.canvas();
    const auto click = [&](QPointF at) { QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, at.toPoint()); };
    click(canvas.ribbons_layout().own_token(4).center());
    QCOMPARE(selection.state(), (SelectionState{{}, 4, {}, {}}));
    click(canvas.ribbons_layout().cell(6, 5).center());  // the third head of the second layer
    QCOMPARE(canvas.head(), (RibbonsCanvas::Head{1, 2}));
    QCOMPARE(view.chooser().layer(), Index(1));
    QCOMPARE(view.chooser().head(), Index(2));
    QCOMPARE(selection.state().source_token, std::optional(5));
    QCOMPARE(selection.state().step, std::optional(4));
    QCOMPARE((*result->trace)[*selection.state().entry].site.text,
             std::string("decoder.step[4].layer[1].cross_attn.head.weights"));
    QCOMPARE(selection.state().cell, std::optional<qint64>(2 * 9 + 5));
    QCOMPARE(canvas.token(), (RibbonsToken{Side::query, 4}));
    click({30, canvas.ribbons_layout().rows[0].center().y()});
    QCOMPARE(canvas.head(), (RibbonsCanvas::Head{0, 0}));
    // A word of the other text: who looks at it. The lines change places.
    click(canvas.ribbons_layout().other_token(6).center());
    QCOMPARE(canvas.token(), (RibbonsToken{Side::key, 6}));
    QCOMPARE(canvas.columns(), 10);
    QCOMPARE(selection.state().source_token, std::optional(6));
    for (int step = 0; step < 10; ++step)
      QCOMPARE(canvas.weight({0, 0}, step),
               static_cast<double>(result->trace->value("decoder.step[" + std::to_string(step) +
                                                        "].layer[0].cross_attn.head.weights")[6]));
  }

  void the_keyboard_walks() {
    Selection selection;
    RibbonsView view({&selection});
    const auto result = sample::heads_result();
    view.set_result(result);
    show_at(view, {700, 300});
    RibbonsCanvas& canvas = *view.canvas();
    QVERIFY(canvas.focusPolicy() & Qt::TabFocus);
    QTest::keyClick(&canvas, Qt::Key_Home);
    QCOMPARE(canvas.token(), (RibbonsToken{Side::query, 0}));
    QTest::keyClick(&canvas, Qt::Key_End);
    QCOMPARE(canvas.token(), (RibbonsToken{Side::query, 9}));
    QCOMPARE(selection.state().step, std::optional(9));
    QTest::keyClick(&canvas, Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(canvas.head(), (RibbonsCanvas::Head{0, 0}));
    QTest::keyClick(&canvas, Qt::Key_End, Qt::ControlModifier);
    QCOMPARE(canvas.head(), (RibbonsCanvas::Head{2, 3}));
    QVERIFY(canvas.verticalScrollBar()->value() > 0);  // the rows are higher than the window: it follows
    QTest::keyClick(&canvas, Qt::Key_Up);
    QCOMPARE(canvas.head(), (RibbonsCanvas::Head{2, 2}));
    QTest::keyClick(&canvas, Qt::Key_Return);
    const Tensor weights = result->trace->value("decoder.step[9].layer[2].cross_attn.head.weights");
    Index best = 0;
    for (Index key = 1; key < 9; ++key)
      if (weights[2 * 9 + key] > weights[2 * 9 + best]) best = key;
    QCOMPARE(selection.state().cell, std::optional<qint64>(2 * 9 + best));
    QTest::keyClick(&canvas, Qt::Key_Space);
    QCOMPARE(canvas.token().side, Side::key);
    QVERIFY(canvas.accessibleDescription().contains("who looks at"));
  }

  void the_selection_moves_the_token() {
    Selection selection;
    RibbonsView view({&selection});
    view.set_result(sample::heads_result());
    show_at(view, {700, 400});
    selection.set({{}, 7, {}, {}});
    QCOMPARE(view.canvas()->token(), (RibbonsToken{Side::query, 7}));
    selection.set({2, {}, {}, {}});
    QCOMPARE(view.canvas()->token(), (RibbonsToken{Side::key, 2}));
  }

  // A text with a hidden word asks from there, and says what is guessed.
  void the_hidden_word_asks_first() {
    Request request;
    request.model = load_model("masked-bert");
    request.source = "the keys to the old cabinet [MASK] on the table.";
    Selection selection;
    RibbonsView view({&selection});
    view.set_result(std::make_shared<const Result>(run(request)));
    show_at(view, {1100, 640});
    QCOMPARE(view.canvas()->token(), (RibbonsToken{Side::query, 6}));
    QVERIFY(view.canvas()->accessibleDescription().contains("where ‘[MASK]’ looks"));
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

  // Of ribbons that lie close together in their middle: .65 and .30 of the month stood on each other.
  void numbers_of_ribbons_stand_apart() {
    for (const double scale : {1.0, 2.5}) {
      Theme::instance().set_font_scale(scale);
      Request request;
      request.model = load_model("sample_models/date-attention");
      request.source = "November 23, 2026";
      Selection selection;
      RibbonsView view({&selection});
      view.set_result(std::make_shared<const Result>(run(request)));
      show_at(view, {1280, 600});
      SelectionState state;
      state.step = 5;
      selection.set(state);
      const std::vector<RecordedText> texts = texts_of(view.figure());
      const auto below = std::ranges::find(texts, QString("what it picks"), &RecordedText::text);
      QVERIFY(below != texts.end());
      QMap<QString, QRectF> numbers;
      for (const RecordedText& each : texts)
        if (each.text.startsWith('.') && each.place.bottom() < below->place.top()) numbers[each.text] = each.place;
      // In large letters there is room for one.
      QVERIFY2(numbers.size() >= (scale > 2 ? 1 : 2), qPrintable(QStringList(numbers.keys()).join(' ')));
      for (auto one = numbers.begin(); one != numbers.end(); ++one)
        for (auto other = std::next(one); other != numbers.end(); ++other)
          QVERIFY2(!one->intersects(*other), qPrintable(one.key() + " " + other.key()));
    }
    Theme::instance().set_font_scale(1);
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
    show_at(view, {900, 640});
    COMPARE_IMAGE(view, "ribbons_" + theme);
    view.show_head(Kind::encoder_self, 1, 2);
    view.canvas()->set_token({Side::query, 3});
    COMPARE_IMAGE(view, "ribbons_self_" + theme);
  }
};

HEADLIGHT_WIDGET_TEST(TestRibbonsView)

}  // namespace headlight::test_ribbons_view

#include "test_ribbons_view.moc"
