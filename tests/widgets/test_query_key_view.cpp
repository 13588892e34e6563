// The query-key view: layout, the pair that is shown, keys, linked selection, export, pictures.
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "image_test.h"
#include "model/core/errors.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/query_key/query_key_view.h"

using namespace headlight;

namespace {

using Kind = AttentionMap::Kind;
using Part = QueryKeyHit::Part;

std::shared_ptr<const Result> result_of(const char* name, const std::string& source = {}) {
  Request request;
  request.model = load_model(name);
  request.source = source.empty() ? request.model->examples.front() : source;
  return std::make_shared<const Result>(run(request));
}

struct Shown {
  Selection selection;
  ViewRequests requests;
  QueryKeyView view{{&selection, &requests}};
  std::shared_ptr<const Result> result;

  explicit Shown(const char* name, QSize size = {640, 420}) : result(result_of(name)) {
    view.set_result(result);
    show_at(view, size);
  }
  double selected() const {
    return static_cast<double>(
        (*result->trace)[*selection.state().entry].value[static_cast<Index>(*selection.state().cell)]);
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(view.canvas(), key, modifiers); }
  void click(QPointF at) { QTest::mouseClick(view.canvas()->viewport(), Qt::LeftButton, {}, at.toPoint()); }
};

}  // namespace

class TestQueryKeyView : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void parts_stand_apart_at_every_size() {
    for (const QSize size : {QSize(220, 160), QSize(640, 420), QSize(1800, 1100)})
      for (const int units : {1, 16, 700}) {
        QueryKeyLayout::Metrics m;
        m.view = size;
        m.operands = 4;
        m.units = units;
        m.rivals = 9;
        m.chips = {120, 80, 400, 90};
        const QueryKeyLayout layout = QueryKeyLayout::of(m);
        QList<QRectF> all = {layout.title,          layout.readout, layout.products, layout.running,
                             layout.rivals_caption, layout.scores,  layout.weights,  layout.tokens};
        for (const auto& part : {layout.operands, layout.chips})
          for (const QRectF& rect : part) all << rect;
        for (int i = 0; i < all.size(); ++i) {
          QVERIFY(QRectF(0, 0, layout.width, layout.height).contains(all[i]));
          for (int j = 0; j < i; ++j) QVERIFY(!all[i].intersects(all[j]));
        }
        QCOMPARE(layout.operands.size(), std::size_t{4});
        for (const int unit : {0, units / 2, units - 1}) {
          QCOMPARE(layout.place_at(layout.unit(layout.products, unit).center()),
                   (QueryKeyHit{Part::product, unit, -1}));
          QCOMPARE(layout.place_at(layout.unit(layout.operands[2], unit).center()),
                   (QueryKeyHit{Part::operand, unit, 2}));
        }
        QCOMPARE(layout.place_at(layout.rival(8).center()), (QueryKeyHit{Part::rival, 8, -1}));
        QCOMPARE(layout.place_at(layout.chips[3].center()), (QueryKeyHit{Part::chip, 3, -1}));
        QCOMPARE(layout.place_at({0, 0}), QueryKeyHit{});
      }
  }

  void starts_with_the_strongest_of_the_row_in_the_middle() {
    Shown shown("date-transformer");
    QCOMPARE(shown.view.chooser().kind(), Kind::cross);
    QCOMPARE(shown.view.chooser().layer(), Index{1});
    QCOMPARE(shown.view.row(), static_cast<Index>(shown.result->steps.size() / 2));
    const AttentionMap& map = *shown.view.map();
    for (Index column = 0; column < map.column_count(); ++column)
      QVERIFY(map.weight(0, shown.view.row(), column) <= map.weight(0, shown.view.row(), shown.view.column()));
    QVERIFY(!shown.selection.state().entry);                        // nobody has chosen anything yet
    QVERIFY(shown.view.canvas()->chip_texts().contains("× 0.25"));  // heads of 16 numbers
  }

  void the_keyboard_walks_and_selects() {
    Shown shown("date-transformer");
    const Index row = shown.view.row(), column = shown.view.column();
    shown.press(Qt::Key_Down);
    shown.press(Qt::Key_Right);
    shown.press(Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(shown.view.row(), row + 1);
    QCOMPARE(shown.view.column(), column + 1);
    QCOMPARE(shown.view.chooser().head(), Index{1});
    const PairScore& score = shown.view.canvas()->pair()->score;
    QCOMPARE(shown.selected(), score.weight.value);
    QCOMPARE(*shown.selection.state().step, static_cast<int>(row) + 1);
    shown.press(Qt::Key_Home);
    QCOMPARE(shown.view.column(), Index{0});
    shown.press(Qt::Key_Left);
    QCOMPARE(shown.view.column(), Index{0});
    for (int i = 0; i < 9; ++i) shown.press(Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(shown.view.chooser().head(), Index{3});
    shown.press(Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(shown.view.canvas()->cursor(), 0);
    QVERIFY(shown.view.canvas()->accessibleDescription().contains("unit 0: "));
    shown.press(Qt::Key_Return);
    QCOMPARE(shown.selected(), shown.view.canvas()->pair()->score.sum.value);
    QVERIFY(QString::fromStdString((*shown.result->trace)[*shown.selection.state().entry].site.text)
                .endsWith("cross_attn.head.scores_raw"));
    shown.press(Qt::Key_Escape);
    QCOMPARE(shown.view.canvas()->cursor(), -1);
  }

  void a_weight_selected_elsewhere_is_shown() {
    Shown shown("date-transformer");
    const auto maps = attention_maps(*shown.result);
    const AttentionMap& other = maps.front();
    QCOMPARE(other.kind, Kind::encoder_self);
    SelectionState state;
    state.entry = other.entry(4);
    state.cell = other.cell(2, 4, 7);
    shown.selection.set(state);
    QCOMPARE(shown.view.chooser().kind(), Kind::encoder_self);
    QCOMPARE(shown.view.chooser().head(), Index{2});
    QCOMPARE(shown.view.row(), Index{4});
    QCOMPARE(shown.view.column(), Index{7});
    // A new result keeps the pair; a step alone leads to its strongest key.
    shown.view.set_result(result_of("date-transformer", "8/23/83"));
    QCOMPARE(shown.view.row(), Index{4});
  }

  void a_step_selected_elsewhere_leads_to_its_strongest_key() {
    Shown shown("grammar-bahdanau");
    SelectionState state;
    state.step = 2;
    shown.selection.set(state);
    QCOMPARE(shown.view.row(), Index{2});
    QCOMPARE(shown.view.column(), strongest_column(*shown.view.map(), 0, 2));
    state.source_token = 1;
    shown.selection.set(state);
    QCOMPARE(shown.view.map()->columns[static_cast<std::size_t>(shown.view.column())].token, 1);
  }

  void clicks_choose_numbers_and_rivals() {
    Shown shown("date-transformer", {900, 600});
    const QueryKeyLayout& layout = shown.view.canvas()->query_key_layout();
    shown.click(layout.unit(layout.operands[1], 5).center());
    QCOMPARE(shown.selected(), shown.view.canvas()->pair()->score.operands[1].numbers[5].value);
    const Index row = shown.view.row(), column = shown.view.column();
    QCOMPARE(shown.view.canvas()->cursor(), 5);
    shown.click(layout.chips.back().center());
    QCOMPARE(shown.selected(), shown.view.canvas()->pair()->score.share.value);
    QCOMPARE(shown.view.row(), row);
    QCOMPARE(shown.view.column(), column);
    shown.click(layout.rival(1).center());
    QCOMPARE(shown.view.column(), Index{1});
    QCOMPARE(shown.selected(), static_cast<double>(shown.view.map()->weight(0, row, 1)));
  }

  // q · k of the unit and its share of the sum, done again from the trace.
  void units_are_told_in_numbers() {
    Shown shown("date-transformer");
    const PairScore& score = shown.view.canvas()->pair()->score;
    double sum = 0;
    for (std::size_t i = 0; i < 16; ++i) sum += score.operands[0].numbers[i].value * score.operands[1].numbers[i].value;
    const double product = score.operands[0].numbers[1].value * score.operands[1].numbers[1].value;
    const QString text = shown.view.canvas()->unit_sentence(1);
    QVERIFY2(text.endsWith(QString("%1 % of the sum").arg(100 * product / sum, 0, 'f', 0)), qPrintable(text));
    QVERIFY(text.startsWith("unit 1: "));
    shown.press(Qt::Key_S);
    QVERIFY(shown.view.findChild<QToolButton*>()->isChecked());
    QueryKeyCanvas* canvas = shown.view.canvas();
    for (int i = 1; i < 16; ++i)
      QVERIFY(std::abs(score.products[static_cast<std::size_t>(canvas->unit_at(i - 1))]) >=
              std::abs(score.products[static_cast<std::size_t>(canvas->unit_at(i))]));
  }

  void every_mechanism_has_its_words_data() {
    QTest::addColumn<QString>("chip");
    QTest::newRow("date-additive") << "v · tanh(q + k) = ";
    QTest::newRow("date-mlp") << "v · relu(q + k) = ";
    QTest::newRow("date-cosine") << "β cos(q, k) = ";
    QTest::newRow("date-location") << "q · w = ";
    QTest::newRow("toy-mt-convs2s") << "q · k = ";
    QTest::newRow("copy-ntm") << "cos(q, k) = ";
    QTest::newRow("toy-mt-local") << "q · k = ";
  }
  void every_mechanism_has_its_words() {
    QFETCH(QString, chip);
    Shown shown(QTest::currentDataTag(), {360, 240});
    QVERIFY2(shown.view.canvas()->chip_texts().front().startsWith(chip),
             qPrintable(shown.view.canvas()->chip_texts().join('|')));
    QVERIFY(QueryKeyView::offers(*shown.result));
    const TableTwin* table = shown.view.table();
    const PairScore& score = shown.view.canvas()->pair()->score;
    QCOMPARE(table->rowCount(), static_cast<int>(score.units() + static_cast<Index>(score.rivals.size())));
    double total = 0;
    for (int unit = 0; unit < static_cast<int>(score.units()); ++unit)
      total += table->index(unit, 7).data(Qt::EditRole).toDouble();
    // Of a multilayer score the bias comes after the units.
    QVERIFY(std::abs(total - score.sum.value) < 1e-4 * std::max(1.0, std::abs(score.sum.value)));
  }

  void exports_and_emptiness() {
    Selection selection;
    ViewRequests requests;
    QueryKeyView view({&selection, &requests});
    show_at(view, {500, 300});
    QVERIFY_EXCEPTION_THROWN(view.export_to("x.png"), UsageError);
    const auto plain = result_of("date-plain");
    QVERIFY(!QueryKeyView::offers(*plain));
    view.set_result(plain);
    QVERIFY(!view.canvas()->isVisible());
    view.set_result(result_of("date-additive"));
    QVERIFY(view.canvas()->isVisible());
    QTemporaryDir folder;
    for (const char* name : {"p.png", "p.svg", "p.pdf", "p.csv"}) {
      view.export_to(folder.filePath(name));
      QVERIFY(QFile(folder.filePath(name)).size() > 500);
    }
    QFile file(folder.filePath("p.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readLine(),
             QByteArray("part,index,token,query,key,combined,factor,product,score,softmax,weight,hidden\r\n"));
    const QList<QByteArray> unit = file.readLine().trimmed().split(',');
    QCOMPARE(unit.size(), 12);
    const double q = unit[3].toDouble(), k = unit[4].toDouble(), v = unit[6].toDouble();
    QVERIFY(std::abs(v * std::tanh(q + k) - unit[7].toDouble()) < 1e-6);
  }

  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void pictures() {
    QFETCH(bool, dark);
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    Shown shown("date-transformer");
    COMPARE_IMAGE(shown.view, QStringLiteral("query_key_") + QTest::currentDataTag());
    Shown additive("grammar-bahdanau", {900, 560});
    COMPARE_IMAGE(additive.view, QStringLiteral("query_key_additive_") + QTest::currentDataTag());
  }
};

HEADLIGHT_WIDGET_TEST(TestQueryKeyView)
#include "test_query_key_view.moc"
