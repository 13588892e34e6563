// The query-key view: layout, the pair that is shown, keys, linked selection, export, pictures.
#include <QComboBox>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "image_test.h"
#include "model/core/errors.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/query_key/query_key_view.h"

namespace headlight::test_query_key_view {

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

  explicit Shown(const char* name, QSize size = {640, 420}, const std::string& source = {})
      : result(result_of(name, source)) {
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
      for (const int columns : {1, 16, 300}) {
        QueryKeyLayout::Metrics m;
        m.view = size;
        m.shares.assign(static_cast<std::size_t>(columns), 1);
        m.units = 8;
        m.opened = 2;
        m.parts = 3;
        m.totals = 3;
        const QueryKeyLayout layout = QueryKeyLayout::of(m);
        QCOMPARE(layout.units.size(), std::size_t{8});
        QCOMPARE(layout.beside, size.width() == 1800);
        QList<QRectF> all = {layout.rest, layout.rule};
        for (const auto& part : {layout.units, layout.totals})
          for (const QRectF& rect : part) all << rect;
        for (int i = 0; i < all.size(); ++i) {
          QVERIFY(QRectF(0, 0, layout.width, layout.height).contains(all[i]));
          for (int j = 0; j < i; ++j) QVERIFY(!all[i].intersects(all[j]));
        }
        const double x = layout.columns.centre(columns - 1);
        QCOMPARE(layout.place_at({x, layout.units[7].center().y()}), (QueryKeyHit{Part::unit, columns - 1, 7}));
        QCOMPARE(layout.place_at({m.margin + 1, layout.units[1].center().y()}), (QueryKeyHit{Part::unit, -1, 1}));
        QCOMPARE(layout.place_at(layout.query(2).center()), (QueryKeyHit{Part::query, -1, 2}));
        for (const int part : {0, 2})
          QCOMPARE(layout.place_at({x, layout.opened[static_cast<std::size_t>(part)].center().y()}),
                   (QueryKeyHit{Part::opened, columns - 1, part}));
        QCOMPARE(layout.place_at({x, layout.rest.center().y()}), (QueryKeyHit{Part::rest, columns - 1, -1}));
        QCOMPARE(layout.place_at({x, layout.totals[2].center().y()}), (QueryKeyHit{Part::total, columns - 1, 2}));
        QCOMPARE(layout.place_at({x, 5}), (QueryKeyHit{Part::tokens, columns - 1, -1}));
        QCOMPARE(layout.place_at({0, 0}), QueryKeyHit{});
      }
  }

  // Every column of the picture adds up to its score, and the lifts to the difference of the scores: from the vectors
  // of the trace, multiplied here.
  void columns_add_up_as_on_paper() {
    Shown shown("date-attention", {1200, 640}, "November 22, 2026");
    const QueryKeyCanvas& canvas = *shown.view.canvas();
    const std::string step = "decoder.step[" + std::to_string(shown.view.row()) + "].attention.";
    const Tensor query = shown.result->trace->value(step + "query"),
                 scores = shown.result->trace->value(step + "scores");
    const auto length = static_cast<int>(shown.result->tokens.size());
    const auto key = [&](int column, Index unit) {  // the model reads from the end
      return static_cast<double>(
          shown.result->trace->value("encoder.step[" + std::to_string(length - 1 - column) + "].lstm.h")[unit]);
    };
    const auto product = [&](int column, Index unit) { return static_cast<double>(query[unit]) * key(column, unit); };
    const int chosen = static_cast<int>(shown.view.column());
    double lift_sum = 0;
    std::vector<double> lifts;
    for (Index unit = 0; unit < query.size(); ++unit) {
      double others = 0;
      for (int c = 0; c < length; ++c)
        if (c != chosen) others += product(c, unit);
      lifts.push_back(product(chosen, unit) - others / (length - 1));
      lift_sum += lifts.back();
      QVERIFY(std::abs(canvas.lifts()[static_cast<std::size_t>(unit)] - lifts.back()) < 1e-5);
    }
    QCOMPARE(canvas.units().size(), std::size_t{8});
    for (std::size_t i = 0; i < 8; ++i) {  // none without a row lifts more than one with a row
      const double here = lifts[static_cast<std::size_t>(canvas.units()[i])];
      const auto more = std::ranges::count_if(lifts, [&](double lift) { return lift > here + 1e-9; });
      QCOMPARE(more, static_cast<std::ptrdiff_t>(i));
    }
    QCOMPARE(canvas.opened(), canvas.units().front());
    double mean = 0, own = 0;
    for (int c = 0; c < length; ++c) {
      const double score = static_cast<double>(scores[length - 1 - c]);
      (c == chosen ? own : mean) += score;
      double sum = canvas.rest(c);
      for (const Index unit : canvas.units()) sum += product(c, unit);
      QVERIFY(std::abs(sum - score) < 1e-3);
    }
    QVERIFY(std::abs(lift_sum - (own - mean / (length - 1))) < 1e-3);
    // Of the blanks the one with the largest score.
    const int folded = canvas.columns().back();
    for (int c = 17; c < length; ++c) QVERIFY(scores[length - 1 - c] <= scores[length - 1 - folded]);
    QCOMPARE(canvas.columns().size(), std::size_t{18});
  }

  void starts_with_the_strongest_of_the_row_in_the_middle() {
    Shown shown("date-transformer");
    QCOMPARE(shown.view.chooser().kind(), Kind::cross);
    QCOMPARE(shown.view.chooser().layer(), Index{1});
    QCOMPARE(shown.view.row(), static_cast<Index>(shown.result->steps.size() / 2));
    const AttentionMap& map = *shown.view.map();
    for (Index column = 0; column < map.column_count(); ++column)
      QVERIFY(map.weight(0, shown.view.row(), column) <= map.weight(0, shown.view.row(), shown.view.column()));
    QVERIFY(!shown.selection.state().entry);                                   // nobody has chosen anything yet
    QVERIFY(shown.view.canvas()->total_names().contains("The score × 0.25"));  // heads of 16 numbers
  }

  void choices_are_whole() {
    Shown shown("date-transformer", {900, 600});
    for (const QComboBox* box : shown.view.findChildren<QComboBox*>())
      if (box->isVisible())
        QVERIFY2(QFontMetrics(box->font()).horizontalAdvance(box->currentText()) + 24 <= box->width(),
                 qPrintable(box->currentText()));
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
    // Shift goes along the units, in the order of what they add here; Esc lets go.
    QueryKeyCanvas* canvas = shown.view.canvas();
    const Index second = canvas->units()[1];
    shown.press(Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(canvas->opened(), second);
    QVERIFY(canvas->accessibleDescription().contains(QString("unit %1: ").arg(second + 1)));
    shown.press(Qt::Key_Return);
    QCOMPARE(shown.selected(), canvas->pair()->score.weight.value);
    shown.press(Qt::Key_Escape);
    QCOMPARE(canvas->opened(), canvas->units().front());
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
    QueryKeyCanvas* canvas = shown.view.canvas();
    const auto layout = [&]() -> const QueryKeyLayout& { return canvas->query_key_layout(); };
    const auto centre = [&](int column, const QRectF& row) {
      return QPointF(layout().columns.centre(column), row.center().y());
    };
    const auto own = [&] {
      return static_cast<int>(std::ranges::find(canvas->columns(), static_cast<int>(shown.view.column())) -
                              canvas->columns().begin());
    };
    const Index unit = canvas->units()[3];
    shown.click({30, layout().units[3].center().y()});
    QCOMPARE(canvas->opened(), unit);
    shown.click(layout().query(3).center());
    QCOMPARE(shown.selected(), canvas->pair()->score.operands[0].numbers[static_cast<std::size_t>(unit)].value);
    shown.click(centre(own(), layout().opened[0]));
    QCOMPARE(shown.selected(), canvas->pair()->score.operands[1].numbers[static_cast<std::size_t>(unit)].value);
    shown.click(centre(own(), layout().totals[0]));
    QCOMPARE(shown.selected(), canvas->pair()->score.sum.value);
    shown.click(centre(own(), layout().totals[1]));
    QCOMPARE(shown.selected(), canvas->pair()->score.score.value);
    const Index row = shown.view.row();
    shown.click(centre(1, layout().totals[2]));
    QCOMPARE(shown.view.row(), row);
    QCOMPARE(shown.view.column(), Index{canvas->columns()[1]});
    QCOMPARE(shown.selected(), static_cast<double>(shown.view.map()->weight(0, row, canvas->columns()[1])));
    shown.click({layout().columns.centre(2), 10});
    QCOMPARE(shown.view.column(), Index{canvas->columns()[2]});
    // More units, until Esc.
    shown.click({30, layout().rest.center().y()});
    QCOMPARE(canvas->units().size(), std::size_t{16});
    shown.press(Qt::Key_Escape);
    QCOMPARE(canvas->units().size(), std::size_t{8});
    // The blanks unfold, and fold again.
    const auto folded = canvas->columns().size();
    shown.click({layout().columns.right() - 5, 10});
    QCOMPARE(canvas->columns().size(), shown.view.map()->columns.size());
    shown.press(Qt::Key_Escape);
    QCOMPARE(canvas->columns().size(), folded);
  }

  // q · k of the unit and its share of the sum, done again from the trace.
  void units_are_told_in_numbers() {
    Shown shown("date-transformer");
    const PairScore& score = shown.view.canvas()->pair()->score;
    double sum = 0;
    for (std::size_t i = 0; i < 16; ++i) sum += score.operands[0].numbers[i].value * score.operands[1].numbers[i].value;
    const double product = score.operands[0].numbers[1].value * score.operands[1].numbers[1].value;
    const QString text = shown.view.canvas()->unit_sentence(1, static_cast<int>(shown.view.column()));
    QVERIFY2(text.endsWith(QString("%1 % of the sum").arg(100 * product / sum, 0, 'f', 0)), qPrintable(text));
    QVERIFY(text.startsWith("unit 2: "));
  }

  void every_mechanism_has_its_words_data() {
    QTest::addColumn<QString>("form");
    QTest::newRow("date-additive") << "v · tanh(q + k)";
    QTest::newRow("date-mlp") << "v · relu(q + k)";
    QTest::newRow("date-cosine") << "β cos(q, k)";
    QTest::newRow("date-location") << "q · w";
    QTest::newRow("toy-mt-convs2s") << "q · k";
    QTest::newRow("copy-ntm") << "cos(q, k)";
    QTest::newRow("toy-mt-local") << "q · k";
  }
  void every_mechanism_has_its_words() {
    QFETCH(QString, form);
    Shown shown(QTest::currentDataTag(), {360, 240});
    QVERIFY2(shown.view.canvas()->total_names().front().endsWith(' ' + form),
             qPrintable(shown.view.canvas()->total_names().join('|')));
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
    Shown shown("date-attention", {1120, 600}, "November 22, 2026");
    COMPARE_IMAGE(shown.view, QStringLiteral("query_key_") + QTest::currentDataTag());
    Shown additive("grammar-bahdanau", {900, 560});
    COMPARE_IMAGE(additive.view, QStringLiteral("query_key_additive_") + QTest::currentDataTag());
  }
};

HEADLIGHT_WIDGET_TEST(TestQueryKeyView)

}  // namespace headlight::test_query_key_view

#include "test_query_key_view.moc"
