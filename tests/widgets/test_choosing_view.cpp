// Choosing a token: stages by hand, the numbers that other programs give, branches, keys, settings.

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <cmath>

#include "model/core/json_library.h"
#include "model/decode/token_chooser.h"
#include "model/io/formats/pretrained/pretrained_text.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "tests/test_program.h"
#include "tests/widgets/image_test.h"
#include "tests/widgets/small_runs.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/output_text.h"
#include "widgets/views/choosing/choosing_view.h"
#include "widgets/views/choosing/choosing_words.h"

namespace headlight::test_choosing_view {

namespace {

constexpr const char* kText = "anna sees tom in the garden. he";

// What it goes on with, as ../suit/choosing-light.png has it: those numbers are of the warpers of transformers.
std::shared_ptr<const Result> drawn_run(const std::function<void(Request&)>& change = {}) {
  Request request;
  request.model = load_model("story-gpt");
  request.source = kText;
  request.decode.kind = DecodeSettings::Kind::sample;
  request.decode.sampling = {0.7, 8, 0.8, 0};
  request.seed = 2;
  if (change) change(request);
  return std::make_shared<const Result>(run(request));
}

// A result of these tokens, with nothing else.
Result written(const std::vector<TokenId>& ids, const std::vector<double>& probabilities) {
  static const auto bundle = [] {
    auto made = std::make_shared<ModelBundle>();
    made->name = "m";
    made->text.target = Tokenizer(Vocabulary({"a", "b", "c", "d", "e"}));
    return made;
  }();
  Result result;
  result.model = bundle;
  result.source = "text";
  for (std::size_t i = 0; i < ids.size(); ++i) result.steps.push_back({ids[i], "", probabilities[i], {}});
  return result;
}

}  // namespace

class TestChoosingView : public QObject {
  Q_OBJECT
  Selection selection_;
  ViewRequests requests_;

  std::unique_ptr<ChoosingView> shown(std::shared_ptr<const Result> result) {
    auto view = std::make_unique<ChoosingView>(ViewContext{&selection_, &requests_});
    view->set_result(std::move(result));
    show_at(*view, {1280, 660});
    return view;
  }
  static const ChosenStep::Row& row_of(const ChosenStep& step, const char* token) {
    const auto id = step.result->model->target_vocabulary().find(token);
    return step.rows.at(static_cast<std::size_t>(step.row_of(id.value_or(-1))));
  }

 private slots:
  // The letter is two tokens: the first alone is no text, and nothing can go on from it.
  void half_a_character_is_no_beginning() {
    auto bundle = std::make_shared<ModelBundle>();
    const auto tokenizer = open_tokenizer("tests/data/tokenizers/gpt2");
    const std::vector<std::string> shown = shown_tokens(tokenizer.get(), 1000);
    bundle->text.target = Tokenizer(as_tokenizer(tokenizer, shown, false), Vocabulary::shown(shown));
    Result result;
    result.model = bundle;
    const std::vector<TextToken> letter = bundle->text.target.split("\u00f1");
    QCOMPARE(letter.size(), std::size_t(2));
    for (const TextToken& token : letter) result.steps.push_back({*token.id, token.text, 1, {}});
    QVERIFY(is_half_character(result, 0, *letter[0].id));
    QVERIFY(beginning_with(result, 0, *letter[0].id).isEmpty());
    QVERIFY(!is_half_character(result, 1, *letter[1].id));
    QCOMPARE(beginning_with(result, 1, *letter[1].id), QString("\u00f1"));
    QVERIFY(!with_candidate(result, 0, *letter[1].id));
  }

  void init() { selection_.set({}); }

  void places_are_found_where_they_are() {
    ChoosingLayout::Metrics m;
    m.width = 700;
    m.rows = 5;
    m.stages = 3;
    m.steps = {40, 60, 50};
    const ChoosingLayout layout = ChoosingLayout::of(m);
    QCOMPARE(layout.place_at(layout.cell(3, 1).center()), (ChoosingHit{ChoosingHit::Part::cell, 3, 1}));
    QCOMPARE(layout.place_at(layout.name(4).center()), (ChoosingHit{ChoosingHit::Part::cell, 4, -1}));
    QCOMPARE(layout.place_at(layout.head(2).center()), (ChoosingHit{ChoosingHit::Part::head, -1, 2}));
    QCOMPARE(layout.place_at(layout.steps[1].center()), (ChoosingHit{ChoosingHit::Part::step, 1, -1}));
    QVERIFY(layout.cell(0, 0).right() <= layout.cell(0, 1).left());
    QVERIFY(layout.height > layout.cell(4, 0).bottom());
  }

  // The chosen token is seen, with as many neighbours as there is room for.
  void steps_stand_around_the_chosen_one() {
    ChoosingLayout::Metrics m;
    m.width = 248;  // room for 200
    m.steps = std::vector<double>(10, 50);
    m.step = 6;
    const ChoosingLayout layout = ChoosingLayout::of(m);
    int seen = 0;
    for (const QRectF& step : layout.steps) seen += step.isEmpty() ? 0 : 1;
    QCOMPARE(seen, 4);
    QVERIFY(!layout.steps[6].isEmpty() && layout.steps[0].isEmpty());
  }

  void stages_are_those_of_the_library() {
    const auto step = ChosenStep::of(drawn_run(), 0);
    QVERIFY(step);
    QCOMPARE(step->stages(), 4);
    QCOMPARE(step->stage(2).left, Index(8));
    QCOMPARE(step->stage(3).left, Index(6));
    const auto is = [&](const char* token, std::vector<double> percents) {
      const std::vector<double>& shares = row_of(*step, token).shares;
      for (std::size_t s = 0; s < percents.size(); ++s)
        if (!(std::abs(100 * shares[s] - percents[s]) < 0.051)) return false;
      return true;
    };
    QVERIFY(is("draws", {11.3, 14.1, 19.4, 23.4}));
    QVERIFY(is("finds", {9.5, 11.0, 15.0, 18.1}));
    QVERIFY(is("brings", {6.7, 6.7, 9.2, 11.1}));
    QVERIFY(is("remembers", {6.2, 6.0, 8.2}));
    QCOMPARE(row_of(*step, "remembers").fell, 3);
    QCOMPARE(row_of(*step, "sells").fell, 2);
    QCOMPARE(row_of(*step, "finds").fell, -1);
    QCOMPARE(step->choice.chosen, row_of(*step, "finds").id);
    // What has no row is counted: all together there are as many as are left.
    for (int s = 0; s < step->stages(); ++s) {
      double sum = step->of_them[static_cast<std::size_t>(s)];
      Index count = step->others[static_cast<std::size_t>(s)];
      for (const ChosenStep::Row& row : step->rows)
        if (const double share = row.shares[static_cast<std::size_t>(s)]; share >= 0) sum += share, ++count;
      QVERIFY(std::abs(sum - 1) < 1e-9);
      QCOMPARE(count, step->stage(s).left);
    }
  }

  void the_same_is_told_as_by_the_run() {
    for (const char* generation :
         {"", R"({"do_sample": true, "top_k": 5, "repetition_penalty": 1.5, "max_new_tokens": 6})",
          R"({"num_beams": 3, "max_new_tokens": 5, "do_sample": false})"}) {
      const auto result = drawn_run([&](Request& request) {
        request.choosing = 5;
        if (*generation) request.decode.generation = SharedJson(Json::parse(generation));
      });
      QCOMPARE(result->choices.size(), result->steps.size());
      for (std::size_t t = 0; t < result->steps.size(); ++t) {
        const auto again = told_choice(*result, static_cast<int>(t), 5);
        QVERIFY(again);
        const TokenChoice& told = result->choices[t];
        QCOMPARE(again->chosen, told.chosen);
        QVERIFY(again->u == told.u && again->fell == told.fell);
        QCOMPARE(again->stages.size(), told.stages.size());
        for (std::size_t s = 0; s < told.stages.size(); ++s) QVERIFY(again->stages[s].ids == told.stages[s].ids);
      }
    }
  }

  void a_click_goes_on_from_another_token() {
    const auto view = shown(drawn_run());
    QCOMPARE(view->message(), QString());
    QSignalSpy beginnings(&requests_, &ViewRequests::beginning);
    const ChoosingCanvas& canvas = *view->canvas();
    const int row = canvas.step()->row_of(canvas.step()->most_probable());
    const auto click = [&](int at) {
      QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {},
                        canvas.viewport_point(canvas.choosing_layout().name(at).center()).toPoint());
    };
    click(canvas.step()->chosen_row());  // it stands there already
    QCOMPARE(beginnings.size(), 0);
    click(row);
    QCOMPARE(beginnings.size(), 1);
    QCOMPARE(beginnings[0][0].toString(), QString("draws"));
  }

  void keys_walk_tokens_stages_and_steps() {
    const auto view = shown(drawn_run());
    ChoosingCanvas* canvas = view->canvas();
    QSignalSpy beginnings(&requests_, &ViewRequests::beginning);
    const int chosen = canvas->step()->chosen_row();
    QCOMPARE(canvas->cursor_row(), chosen);
    QTest::keyClick(canvas, Qt::Key_Up);
    QCOMPARE(canvas->cursor_row(), chosen - 1);
    QTest::keyClick(canvas, Qt::Key_Return);
    QCOMPARE(beginnings.size(), 1);
    QTest::keyClick(canvas, Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(selection_.state().step, std::optional(1));
    QCOMPARE(canvas->step()->step, 1);
    selection_.set({{}, 2, {}, {}});
    QCOMPARE(canvas->step()->step, 2);
  }

  void branches_by_hand() {
    ChoosingBranches kept;
    QVERIFY(!kept.add(written({0, 1, 2}, {.9, .8, .7})));
    QVERIFY(kept.all().empty());  // one output is no tree
    QVERIFY(kept.add(written({0, 3, 2}, {.9, .2, .7})));
    QVERIFY(kept.add(written({0, 3, 4, 1}, {.9, .2, .4, .1})));
    QVERIFY(kept.add(written({4}, {.05})));
    const QString of = ChoosingBranches::text_of(written({0}, {1}));
    const std::vector<ChoosingBranchLine> lines = kept.lines(of);
    QCOMPARE(lines.size(), std::size_t(4));
    const auto is = [&](std::size_t at, int branch, int depth, int parent, int from, int least) {
      const ChoosingBranchLine& line = lines[at];
      return line.branch == branch && line.depth == depth && line.parent == parent && line.from == from &&
             line.least == least;
    };
    QVERIFY(is(0, 0, 0, -1, 0, 2));
    QVERIFY(is(1, 1, 1, 0, 1, 1));
    QVERIFY(is(2, 2, 2, 1, 2, 3));
    QVERIFY(is(3, 3, 1, 0, 0, 0));
    // The same again is no other branch; of another text there is another tree.
    kept.add(written({0, 1, 2}, {.9, .8, .7}));
    QCOMPARE(kept.all().size(), std::size_t(4));
    QVERIFY(kept.lines("another").empty());
    ChoosingBranches again;
    again.read(kept.written());
    QCOMPARE(again.lines(of).size(), std::size_t(4));
    QCOMPARE(again.all()[2].ids, kept.all()[2].ids);
    kept.remove(1);
    QCOMPARE(kept.lines(of).size(), std::size_t(3));
  }

  void strange_branches_are_passed_over() {
    ChoosingBranches kept;
    kept.read(
        {QVariant(), 5, QVariantMap{{"of", "x"}, {"ids", QVariantList{1}}, {"probabilities", QVariantList{}}},
         QVariantMap{{"of", "x"}, {"ids", QVariantList{-4}}, {"probabilities", QVariantList{"nan"}}, {"said", 99}}});
    QCOMPARE(kept.all().size(), std::size_t(1));
    QCOMPARE(kept.all()[0].ids, (std::vector<TokenId>{0}));
    QCOMPARE(kept.all()[0].said, 1);
  }

  void outputs_stay_as_branches() {
    const auto view = shown(drawn_run());
    QCOMPARE(view->branches()->count(), 0);
    const auto other = drawn_run([](Request& request) {
      request.target = "draws";
      request.prefix = true;
    });
    view->set_result(other);
    QCOMPARE(view->branches()->count(), 2);
    QVERIFY(view->branches()->is_shown(1) && !view->branches()->is_shown(0));
    QVERIFY(view->branches()->said(1).startsWith("… draws"));
    QSignalSpy targets(&requests_, &ViewRequests::target);
    QTest::keyClick(view->branches(), Qt::Key_Up);
    QTest::keyClick(view->branches(), Qt::Key_Return);
    QCOMPARE(targets.size(), 1);  // the model's own again
    QVERIFY(!targets[0][0].value<std::optional<QString>>());
    const QVariantMap choices = view->choices();
    const auto again = shown(other);
    again->set_choices(choices);
    QCOMPARE(again->branches()->count(), 2);
    QTest::keyClick(view->branches(), Qt::Key_Delete);
    QCOMPARE(view->branches()->count(), 1);
  }

  void fields_ask_at_once() {
    const auto view = shown(drawn_run());
    QSignalSpy asked(&requests_, &ViewRequests::decoding);
    view->settings()->box("top_k")->setValue(3);
    QCOMPARE(asked.size(), 1);
    const auto settings = asked[0][0].value<DecodeSettings>();
    QCOMPARE(settings.kind, DecodeSettings::Kind::sample);
    const Json& keys = **settings.generation;
    QCOMPARE(keys["top_k"].get<int>(), 3);
    QVERIFY(keys["temperature"] == 0.7 && keys["top_p"] == 0.8 && keys["do_sample"] == true);
    QVERIFY(keys["max_new_tokens"].get<int>() > 6);  // as long as without settings
    // A value that does nothing leaves its key out.
    view->set_result(drawn_run([&](Request& request) { request.decode = settings; }));
    view->settings()->box("top_p")->setValue(1);
    const auto later = asked.last()[0].value<DecodeSettings>();
    QVERIFY(!(*later.generation)->contains("top_p"));
    QVERIFY(!view->settings()->box("num_beams")->isVisible());
    QTest::mouseClick(view->settings()->as_model(), Qt::LeftButton);
    QVERIFY(asked.last()[0].value<DecodeSettings>() == DecodeSettings());
  }

  void a_field_stands_over_each_stage() {
    const auto view = shown(drawn_run());
    const ChoosingCanvas& canvas = *view->canvas();
    for (int stage = 1; stage < canvas.step()->stages(); ++stage) {
      const QDoubleSpinBox* field = view->settings()->box(canvas.step()->stage(stage).name);
      QVERIFY(field->isVisible() && field->parentWidget() == canvas.viewport());
      QCOMPARE(field->geometry(), canvas.field_place(stage).toRect());
      const QRectF head = canvas.choosing_layout().head(stage);
      QVERIFY(QRectF(field->geometry()).right() <= canvas.viewport_point(head.topRight()).x() + 1);
    }
    QVERIFY(!view->settings()->box("typical_p")->isVisible());
    view->resize(560, 660);  // narrow: the branches stand below
    QTRY_VERIFY(view->branches()->mapTo(view.get(), QPoint()).y() > 200);
    QCOMPARE(view->settings()->box("top_p")->geometry(), canvas.field_place(3).toRect());
  }

  void a_stage_is_switched_on_and_off() {
    const auto view = shown(drawn_run());
    QSignalSpy asked(&requests_, &ViewRequests::decoding);
    QVERIFY(view->settings()->stage_switch("top_k")->isChecked());
    QVERIFY(!view->settings()->stage_switch("min_p")->isChecked());
    view->settings()->stage_switch("min_p")->click();
    QCOMPARE((*asked[0][0].value<DecodeSettings>().generation)->at("min_p").get<double>(), 0.05);
    view->settings()->stage_switch("top_k")->click();
    QVERIFY(!(*asked[1][0].value<DecodeSettings>().generation)->contains("top_k"));
    view->settings()->draw_again()->click();
    QCOMPARE(asked[2][1].value<quint64>(), quint64(3));
  }

  void its_reason_is_said() {
    const auto step = ChosenStep::of(drawn_run(), 0);
    const QString reason = reason_for(*step);
    QVERIFY2(reason.contains("18.1 %") && reason.contains("9.5 %") && reason.contains("draws"), qPrintable(reason));
    QVERIFY(fate_of(*step, step->row_of(row_of(*step, "sells").id)).contains("top-k"));
    const auto forced = ChosenStep::of(drawn_run([](Request& request) {
                                         request.target = "draws";
                                         request.prefix = true;
                                       }),
                                       0);
    QVERIFY(forced->forced && reason_for(*forced).contains("11.3 %"));
  }

  void its_table_has_the_same_numbers() {
    const auto view = shown(drawn_run());
    QAbstractItemModel* table = view->table();
    QCOMPARE(table->rowCount(), static_cast<int>(view->canvas()->step()->rows.size()));
    QCOMPARE(table->columnCount(), 6);
    QCOMPARE(table->index(0, 0).data().toString(), QString("draws"));
    QVERIFY(std::abs(table_value(table->index(0, 4)).toDouble() - 0.234) < 6e-4);
  }
};

HEADLIGHT_WIDGET_TEST(TestChoosingView)

}  // namespace headlight::test_choosing_view

#include "test_choosing_view.moc"
