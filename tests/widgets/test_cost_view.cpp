// The pictures of time and cost: columns and products of a run by hand, sliders, measuring, keys, tables, files.

#include <QFileInfo>
#include <QPushButton>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "model/core/errors.h"
#include "small_runs.h"
#include "tests/test_program.h"
#include "tests/widgets/image_test.h"
#include "tests/widgets/recorded_text.h"
#include "tests/widgets/sample_result.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/views/cost/cost_view.h"

namespace headlight::test_cost_view {

using Picture = CostCanvas::Picture;

class TestCostView : public QObject {
  Q_OBJECT
  Selection selection_;
  ViewRequests requests_;

  std::unique_ptr<CostView> shown(std::shared_ptr<const Result> result) {
    auto view = std::make_unique<CostView>(ViewContext{&selection_, &requests_});
    view->set_result(std::move(result));
    show_at(*view, {900, 640});
    return view;
  }
  static std::shared_ptr<const Result> transformer_run(const std::string& source = "abcde") {
    return sample::small_run(
        {{"model_type", "decoder_only"}, {"model_size", 8}, {"heads", 2}, {"ff_size", 16}, {"decoder_layers", 1}},
        source);
  }

 private slots:
  void init() { selection_.set({}); }

  void places_are_found_where_they_are() {
    for (const QSizeF size : {QSizeF(300, 180), QSizeF(900, 600)}) {
      TimelineLayout::Metrics m;
      m.view = size;
      m.source_rows = 5;
      m.text_rows = 3;
      m.columns = 40;
      const TimelineLayout time = TimelineLayout::of(m);
      const CostHit box{CostHit::Part::box, 6, 30};
      QCOMPARE(time.place_at(time.cell(6, 30).center()), box);
      QCOMPARE(time.place_at(time.name(4).center()).row, 4);
      QVERIFY(time.place_at(QPointF(time.left + 1, time.row_top(5) - 1)) == CostHit{});  // between read and written
      QVERIFY(time.width >= time.cell(0, 39).right());
      QVERIFY(time.height >= time.key().bottom());
      CostLayout::Metrics n;
      n.view = size;
      n.bars = 5;
      n.lines = 3;
      const CostLayout costs = CostLayout::of(n);
      QCOMPARE(costs.place_at(costs.bar(3).center()).row, 3);
      QVERIFY(costs.line(0).top() >= costs.bar(4).bottom());
      QVERIFY(costs.chart().top() >= costs.line(2).bottom());
      QVERIFY(costs.chart().bottom() <= costs.height);
    }
  }

  // 5 states, each after the one before; then for each of 6 tokens the state, what it looks up, the output.
  void columns_by_hand() {
    const auto view = shown(sample::recurrent_run());
    QCOMPARE(view->message(), QString());
    QCOMPARE(view->canvas()->headline(), QString("23"));
    QVERIFY(view->canvas()->accessibleName().contains("23"));
    QCOMPARE(view->table()->rowCount(), 5 + 6 * 3);
    view->show_picture(Picture::time, Pace::learns);
    QCOMPARE(view->canvas()->headline(), QString("13"));
    QCOMPARE(view->table()->rowCount(), 5 + 6 * 3);
  }

  // The 21 places behind the date have one name together, every letter its own.
  void padding_has_one_name() {
    const auto result = sample::bundled_run("date-attention", "8/23/459");
    const auto view = shown(result);
    int padding = 0;
    for (const TextToken& token : result->tokens) padding += token.padding ? 1 : 0;
    QVERIFY(padding > 10);
    QCOMPARE(view->canvas()->shown()->padding_rows, padding);
    const std::vector<RecordedText> texts = texts_of(view->canvas());
    QCOMPARE(std::ranges::count(texts, QString("padding (%1)").arg(padding), &RecordedText::text), 1);
    QCOMPARE(std::ranges::count(texts, view->canvas()->shown()->labels[0].text, &RecordedText::text), 0);
    // Of the date only.
    QCOMPARE(std::ranges::count(texts, QString("/"), &RecordedText::text), 2);
  }

  void the_cursor_follows_what_is_chosen() {
    const auto view = shown(sample::recurrent_run());
    SelectionState third;
    third.step = 2;
    selection_.set(third);  // 5 states, 3 boxes for each of the two before it
    QVERIFY2(view->canvas()->accessibleDescription().contains("step 12 of 23"),
             qPrintable(view->canvas()->accessibleDescription()));
  }

  void boxes_use_their_room() {
    for (const auto& [rows, columns] : {std::pair(13, 20), std::pair(21, 36), std::pair(39, 59)}) {
      TimelineLayout::Metrics m;
      m.view = {1890, 840};
      m.source_rows = rows / 2;
      m.text_rows = rows - rows / 2;
      m.columns = columns;
      const TimelineLayout time = TimelineLayout::of(m);
      QVERIFY(time.cell(0, columns - 1).right() > 0.85 * m.view.width());
      QVERIFY(time.key().bottom() > 0.85 * m.view.height());
      QVERIFY(time.height <= m.view.height());
    }
  }

  void keys_go_from_box_to_box() {
    const auto view = shown(sample::recurrent_run());
    QTest::keyClick(view->canvas(), Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(selection_.state().source_token, std::optional<int>(4));  // this model reads from the end
    QVERIFY(view->canvas()->accessibleDescription().contains("step 1 of 23"));
    QTest::keyClick(view->canvas(), Qt::Key_Down);
    QVERIFY(view->canvas()->accessibleDescription().contains("step 2 of 23"));
    QTest::keyClick(view->canvas(), Qt::Key_End, Qt::ControlModifier);
    QVERIFY(view->canvas()->accessibleDescription().contains("step 23 of 23"));
    QCOMPARE(selection_.state().step, std::optional<int>(5));
  }

  // D = 6, H = 24: 4 H (D + H) for each of 11 tokens; a pair of a step and a token H; 8 numbers of 2 H.
  void products_by_hand() {
    const auto view = shown(sample::recurrent_run());
    view->show_picture(Picture::cost, Pace::writes);
    const auto* table = view->table();
    QCOMPARE(table->rowCount(), 4);
    const QList<double> wanted = {6 * 5 * 24, 6 * 5 * 24, 11 * 4 * 24 * 30, 6 * 48 * 8};
    for (int row = 0; row < 4; ++row)
      for (const int column : {1, 2}) QCOMPARE(table->index(row, column).data(Qt::EditRole).toDouble(), wanted[row]);
    QVERIFY(view->heads_slider()->isHidden());
    QCOMPARE(view->canvas()->shown()->parts.size(), std::size_t{4});
  }

  // Each written token stands behind the one that the model reads there.
  void no_token_of_the_text_lacks_its_row() {
    const auto result = transformer_run();
    const auto view = shown(result);
    const std::vector<AxisLabel>& labels = view->canvas()->shown()->labels;
    QCOMPARE(labels.size(), result->steps.size() + 5);
    QCOMPARE(labels[4].text, QString("e"));
    const auto wrote = [&](std::size_t step) { return QString::fromStdString(result->steps[step].text); };
    QCOMPARE(labels[5].text, QString::fromStdString(result->fed[0]) + " → " + wrote(0));
    QCOMPARE(labels[6].text, wrote(0) + " → " + wrote(1));
    QCOMPARE(labels[6].words(), wrote(1));
  }

  // A prompt of 5 and 6 steps, d = 8: four times the length has more than four times the scores, and as many heads as
  // one likes the same products.
  void sliders_ask_what_if() {
    const auto view = shown(transformer_run());
    view->show_picture(Picture::cost, Pace::learns);
    const CostRun* run = view->canvas()->shown();
    QVERIFY(!run->is_what_if());
    QCOMPARE(view->table()->columnCount(), 3);
    view->heads_slider()->setValue(3);  // 1, 2, 4, 8
    run = view->canvas()->shown();
    QVERIFY(run->is_what_if());
    QCOMPARE(run->what_if_cost.heads, Index(8));
    QCOMPARE(run->what_if_cost.multiplications(run->lengths, Pace::learns),
             run->cost.multiplications(run->lengths, Pace::learns));
    QCOMPARE(run->what_if_cost.exponentials(run->lengths, Pace::learns), 8 * 121.0);
    view->length_slider()->setValue(60);  // 2^6
    run = view->canvas()->shown();
    QCOMPARE(run->what_if.longest(), Index(64));
    QCOMPARE(run->what_if_cost.multiplications(CostPart::scores, run->what_if, Pace::learns), 64 * 64 * 8.0);
    QCOMPARE(view->table()->columnCount(), 5);
    QCOMPARE(run->lengths.longest(), Index(11));  // of the run nothing has changed
    for (QPushButton* button : view->findChildren<QPushButton*>())
      if (button != view->measure_button()) button->click();
    QVERIFY(!view->canvas()->shown()->is_what_if());
  }

  void measuring_is_asked_for_and_told() {
    const auto view = shown(transformer_run());
    view->show_picture(Picture::cost, Pace::writes);
    std::vector<Request> asked;
    connect(view.get(), &CostView::runsWanted, this, [&](const std::vector<Request>& requests) { asked = requests; });
    QVERIFY(view->canvas()->lines().join('\n').contains("Measured: this run took"));
    view->measure_button()->click();
    QCOMPARE(asked.size(), std::size_t{5});  // 1, 3, 5, 10 and 20 tokens
    QVERIFY(!view->measure_button()->isEnabled());
    for (std::size_t i = 0; i < asked.size(); ++i) {
      QVERIFY(!asked[i].trace);
      if (i == 2) {
        view->set_run_failed(2, "too long");
        continue;
      }
      view->set_run(static_cast<int>(i), std::make_shared<const Result>(run(asked[i])));
    }
    QVERIFY(view->measure_button()->isEnabled());
    const std::vector<MeasuredLength>& measured = view->canvas()->shown()->measured;
    QCOMPARE(measured.size(), std::size_t{4});
    QCOMPARE(measured.front().tokens, Index(1 + 6));
    QCOMPARE(measured.back().tokens, Index(20 + 6));
    QVERIFY(view->canvas()->lines().back().startsWith("Measured, only writing: 7 tokens"));
    view->set_result(transformer_run("ab"));  // another text: what was measured is of the one before
    QVERIFY(view->canvas()->shown()->measured.empty());
  }

  void is_written_to_files() {
    const auto view = shown(transformer_run());
    const QTemporaryDir folder;
    for (const Picture picture : {Picture::time, Picture::cost}) {
      view->show_picture(picture, Pace::writes);
      for (const char* name : {"a.png", "a.svg", "a.pdf", "a.csv"}) {
        view->export_to(folder.filePath(name));
        QVERIFY2(QFileInfo(folder.filePath(name)).size() > 50, name);
      }
    }
  }

  void choices_are_kept() {
    const auto view = shown(transformer_run());
    view->show_picture(Picture::cost, Pace::learns);
    const QVariantMap kept = view->choices();
    const auto other = shown(transformer_run());
    other->set_choices(kept);
    QVERIFY(other->canvas()->shown_picture() == Picture::cost);
    other->set_choices({{"picture", "no number"}, {"pace", 7}});
    QVERIFY(other->canvas()->shown_picture() == Picture::time);
  }

  void without_a_model_it_says_so() {
    const auto view = shown(sample::result());
    QVERIFY(!view->message().isEmpty());
    QCOMPARE(view->table()->rowCount(), 0);
    QVERIFY_EXCEPTION_THROWN(view->export_to("x.png"), UsageError);
  }
};

HEADLIGHT_WIDGET_TEST(TestCostView)

}  // namespace headlight::test_cost_view

#include "test_cost_view.moc"
