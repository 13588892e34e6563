// The choice of an attention map, and the way between a place in a map and the selection.
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QSignalSpy>
#include <QTest>

#include "sample_heads.h"
#include "tests/test_program.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/attention_chooser.h"
#include "widgets/canvas/map_cursor.h"

namespace headlight::test_attention_choice {

namespace {

using Kind = AttentionMap::Kind;

struct Bar {
  Selection selection;
  QWidget widget;
  AttentionChooser* chooser;

  explicit Bar(const AttentionChooser::Offers& offers = {.maps = AttentionChooser::all_but_summaries})
      : chooser(new AttentionChooser(offers, &selection, new QHBoxLayout(&widget))) {}
  QList<QComboBox*> boxes() const { return widget.findChildren<QComboBox*>(); }
  QStringList texts(int box) const {
    QStringList found;
    for (int i = 0; i < boxes()[box]->count(); ++i) found << boxes()[box]->itemText(i);
    return found;
  }
  void pick(int box, int at) {
    boxes()[box]->setCurrentIndex(at);
    emit boxes()[box]->activated(at);
  }
};

// Everything that a model offers, its summary too.
AttentionChooser::Maps with_summary(const AnalysedRun& run) {
  AttentionChooser::Maps found;
  for (const AttentionMap& map : run.maps()) found.push_back(&map);
  return found;
}

std::shared_ptr<const AnalysedRun> heads_run() { return analysed(sample::heads_result()); }
std::shared_ptr<const AnalysedRun> layers_run(Index layers) {
  sample::Options options;
  options.layers = static_cast<int>(layers);
  return analysed(sample::result(options));
}

AttentionToken source(int token, int count = 1) {
  AttentionToken made;
  made.token = token;
  made.tokens = count;
  return made;
}
AttentionToken output(int step, int count = 1) {
  AttentionToken made;
  made.step = step;
  made.steps = count;
  return made;
}

}  // namespace

class TestAttentionChoice : public QObject {
  Q_OBJECT

 private slots:
  void lists_what_there_is() {
    Bar bar;
    QVERIFY(!bar.chooser->map() && !bar.chooser->offers_choice());
    bar.chooser->set_run(heads_run());
    QCOMPARE(bar.texts(0), (QStringList{"encoder", "decoder", "cross"}));
    QCOMPARE(bar.texts(1), (QStringList{"layer 1", "layer 2", "layer 3"}));
    QCOMPARE(bar.texts(2), (QStringList{"head 1", "head 2", "head 3", "head 4"}));
    QCOMPARE(bar.chooser->kind(), Kind::cross);
    QCOMPARE(bar.chooser->layer(), Index{2});
    QCOMPARE(bar.chooser->head(), Index{0});
    QCOMPARE(bar.chooser->maps_of_kind().size(), std::size_t{3});
    QVERIFY(bar.chooser->offers_choice());
    bar.chooser->set_run(analysed(sample::result()));  // one attention
    QVERIFY(!bar.boxes()[0]->isVisibleTo(&bar.widget) && !bar.boxes()[1]->isVisibleTo(&bar.widget));
    QCOMPARE(bar.chooser->head(), Index{0});
    QVERIFY(bar.chooser->map());
  }

  void a_summary_stands_before_the_layers() {
    Bar bar({.maps = with_summary, .kinds = false, .heads = AttentionChooser::Heads::none});
    bar.chooser->set_run(layers_run(3));
    QCOMPARE(bar.boxes().size(), 1);
    QCOMPARE(bar.texts(0), (QStringList{"mean of all layers", "layer 1", "layer 2", "layer 3"}));
    QCOMPARE(bar.chooser->map()->kind, Kind::summary);
    bar.pick(0, 2);
    QCOMPARE(bar.chooser->map()->kind, Kind::cross);
    QCOMPARE(bar.chooser->map()->layer, Index{1});
  }

  void a_choice_is_kept_over_models_that_lack_it() {
    Bar bar;
    QSignalSpy changed(bar.chooser, &AttentionChooser::changed);
    bar.chooser->set_run(heads_run());
    bar.pick(0, 0);
    bar.pick(1, 0);
    bar.pick(2, 1);
    QCOMPARE(changed.size(), 3);
    const auto is_chosen = [&] {
      return bar.chooser->kind() == Kind::encoder_self && bar.chooser->layer() == 0 && bar.chooser->head() == 1;
    };
    QVERIFY(is_chosen());
    bar.chooser->set_run(heads_run());
    QVERIFY(is_chosen());
    bar.chooser->set_run(layers_run(3));  // no attention in the encoder, and one head
    QCOMPARE(bar.chooser->kind(), Kind::cross);
    QCOMPARE(bar.chooser->head(), Index{0});
    bar.chooser->set_run(nullptr);
    QVERIFY(!bar.chooser->map());
    bar.chooser->set_run(heads_run());
    QVERIFY(is_chosen());
    QCOMPARE(bar.boxes()[0]->currentText(), QString("encoder"));
    QCOMPARE(changed.size(), 3);  // by a person only
  }

  void follows_the_selected_weight() {
    Bar bar;
    const auto run = heads_run();
    bar.chooser->set_run(run);
    const AttentionMap& map = run->maps()[1];  // the second layer of the encoder
    SelectionState state;
    QVERIFY(!bar.chooser->follow(state));
    state.entry = map.entry(4);
    state.cell = map.cell(3, 4, 7);
    QVERIFY(bar.chooser->follow(state));
    QCOMPARE(bar.chooser->map().get(), &map);
    QCOMPARE(bar.chooser->head(), Index{3});
  }

  void whole_words_are_one_choice_of_all_views() {
    sample::HeadOptions options;
    options.kind = TokenizerKind::characters;
    options.source = {"n", "o", "v", " ", "2", "1"};
    options.output = {"2", "1", "-", "<eos>"};
    Bar bar;
    QSignalSpy changed(bar.chooser, &AttentionChooser::changed);
    bar.chooser->set_run(analysed(sample::heads_result(options)));
    QVERIFY(bar.chooser->words_box()->isVisibleTo(&bar.widget));
    QCOMPARE(bar.chooser->map()->column_count(), Index{6});
    bar.chooser->words_box()->click();
    QVERIFY(bar.selection.whole_words());
    QCOMPARE(changed.size(), 1);
    bar.chooser->set_run(analysed(sample::heads_result(options)));
    QCOMPARE(bar.chooser->map()->column_count(), Index{3});  // nov ␣ 21
    for (const AttentionMap& map : bar.chooser->maps_of_kind()) QVERIFY(map.is_merged());
  }

  void every_control_has_its_words() {
    Bar bar;
    bar.chooser->set_run(heads_run());
    for (const QComboBox* box : bar.boxes()) QVERIFY(!box->accessibleName().isEmpty() && !box->toolTip().isEmpty());
    QVERIFY(!bar.chooser->words_box()->text().isEmpty());
  }

  // By hand: rows are steps 0 and 1-2 (one word), columns the tokens 3 and 4-5 (one word), then padding.
  void places_select_and_are_found() {
    const std::vector<AttentionToken> rows = {output(0), output(1, 2)}, columns = {source(3), source(4, 2), source(-1)};
    const MapCursor cursor(rows, columns);
    QCOMPARE(cursor.selection_at({1, 0}), (SelectionState{3, 1, {}, {}}));
    QCOMPARE(cursor.selection_at({0, -1}), (SelectionState{{}, 0, {}, {}}));
    QCOMPARE(cursor.selection_at({-1, 1}), (SelectionState{4, {}, {}, {}}));
    QCOMPARE(cursor.selection_at({0, 2}), (SelectionState{{}, 0, {}, {}}));
    QCOMPARE(cursor.selection_at({}), SelectionState{});
    QCOMPARE(cursor.find({5, 2, {}, {}}), (MapCell{1, 1}));
    QCOMPARE(cursor.find({{}, 0, {}, {}}), (MapCell{0, -1}));
    QCOMPARE(cursor.find({7, 9, {}, {}}), MapCell{});
    Selection selection;
    cursor.hover({1, 1}, &selection);
    QCOMPARE(selection.hovered_step(), std::optional(1));
    QCOMPARE(selection.hovered_token(), std::optional(4));
    QCOMPARE(cursor.find_hovered(selection), (MapCell{1, 1}));
    cursor.hover({}, &selection);
    QVERIFY(!selection.hovered_step() && !selection.hovered_token());
  }

  void a_token_without_a_column_is_looked_for_among_the_rows() {
    const std::vector<AttentionToken> rows = {source(0), source(1)}, units(4), both = rows;
    QCOMPARE(MapCursor(rows, units).find({1, {}, {}, {}}), (MapCell{1, -1}));
    QCOMPARE(MapCursor(rows, both).find({1, {}, {}, {}}), (MapCell{-1, 1}));
    QCOMPARE(MapCursor(rows, both).row_of_token(1), 1);
    QCOMPARE(MapCursor(rows, both).selection_at({0, 1}), (SelectionState{1, {}, {}, {}}));
  }

  // There and back, for every weight of every map.
  void every_weight_is_found_again() {
    const auto run = heads_run();
    for (const AttentionMap& map : run->maps())
      for (Index head = 0; head < map.heads; ++head)
        for (Index row = 0; row < map.row_count(); ++row)
          for (Index column = 0; column < map.column_count(); ++column) {
            const MapCell cell{static_cast<int>(row), static_cast<int>(column)};
            const SelectionState state = MapCursor(map, head).selection_at(cell);
            QCOMPARE(state.entry.has_value(), map.has(row, column));
            if (!state.entry) continue;
            const auto& value = (*map.trace)[*state.entry].value;
            QCOMPARE(value[static_cast<Index>(*state.cell)], map.weight(head, row, column));
            QCOMPARE(MapCursor(map).find(state), cell);
          }
    const AttentionMap& map = run->maps().front();
    QVERIFY(!MapCursor(map, AttentionMap::kMean).selection_at({0, 0}).entry);
  }
};

HEADLIGHT_WIDGET_TEST(TestAttentionChoice)

}  // namespace headlight::test_attention_choice

#include "test_attention_choice.moc"
