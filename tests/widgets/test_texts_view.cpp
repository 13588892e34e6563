// The list of texts: search, order, numbers by hand, and 100,000 lines.

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <cmath>
#include <limits>

#include "tests/test_program.h"
#include "tests/widgets/image_test.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/views/texts/texts_histogram.h"
#include "widgets/views/texts/texts_view.h"

namespace headlight::test_texts_view {

namespace {

constexpr int kTokens = 8;

// Two heads: the first looks at the token itself, and in an odd text at the first one; the second is even.
HeadMaps maps_of(bool odd) {
  Tensor weights(Shape({2, kTokens, kTokens}));
  for (Index i = 0; i < weights.size(); ++i) weights[i] = 0;
  for (Index row = 0; row < kTokens; ++row) {
    weights[row * kTokens + (odd ? 0 : row)] = 1;
    for (Index column = 0; column < kTokens; ++column)
      weights[(kTokens + row) * kTokens + column] = Scalar(1) / kTokens;
  }
  return {{weights}, true, false};
}

PatternText text_of_tokens() {
  std::vector<TokenId> ids;
  std::vector<std::string> words;
  for (int i = 0; i < kTokens; ++i) {
    ids.push_back(i);
    words.push_back("w" + std::to_string(i));
  }
  words.back() = ".";
  return pattern_text(ids, words, {});
}

std::vector<ListedText> listed(int count) {
  std::vector<ListedText> texts;
  for (int i = 0; i < count; ++i)
    texts.push_back(
        {"text number " + std::to_string(i), {}, i % 2 ? "odd" : "even", {}, static_cast<std::size_t>(i + 1)});
  return texts;
}

}  // namespace

class TestTextsView : public QObject {
  Q_OBJECT
  Selection selection_;
  ViewRequests requests_;

  std::unique_ptr<TextsView> shown() {
    auto view = std::make_unique<TextsView>(ViewContext{&selection_, &requests_});
    show_at(*view, {420, 640});
    return view;
  }

 private slots:
  void separators_are_signs_and_punctuation() {
    QCOMPARE(text_of_tokens().separators, std::vector<Index>{kTokens - 1});
    QCOMPARE(pattern_text({1, 2, 3}, {".", "##!", "x."}, {}).separators, std::vector<Index>{1});
  }

  void words_are_searched_in_texts_and_labels() {
    TextsModel model;
    model.set_texts(listed(100));
    QCOMPARE(model.rowCount(), 100);
    model.set_search("NUMBER 7");
    QCOMPARE(model.rowCount(), 19);  // 7, 17, … 97 and 70 to 79
    model.set_search("7 even");
    QCOMPARE(model.rowCount(), 5);  // 70, 72, 74, 76, 78
    QCOMPARE(model.text_of(0), 70);
    model.set_search("nothing");
    QCOMPARE(model.rowCount(), 0);
  }

  void texts_without_a_number_come_last() {
    TextsModel model;
    model.set_texts(listed(4));
    model.set_values("x", {0.5, std::nan(""), 0.7, 0.1});
    model.set_order(TextsModel::Order::highest);
    QCOMPARE((std::vector{model.text_of(0), model.text_of(1), model.text_of(2), model.text_of(3)}),
             (std::vector{2, 0, 3, 1}));
    model.set_order(TextsModel::Order::lowest);
    QCOMPARE((std::vector{model.text_of(0), model.text_of(1), model.text_of(2), model.text_of(3)}),
             (std::vector{3, 0, 2, 1}));
    model.set_between(std::pair(0.4, 0.8));
    QCOMPARE(model.rowCount(), 2);
  }

  // The middle of each tenth, from the highest on.
  void a_few_of_each_tenth() {
    TextsModel model;
    model.set_texts(listed(101));
    std::vector<double> values;
    for (int i = 0; i < 101; ++i) values.push_back(i == 100 ? std::nan("") : i);
    model.set_values("x", values);
    model.set_order(TextsModel::Order::tenths);
    QCOMPARE(model.rowCount(), 30);
    QCOMPARE((std::vector{model.text_of(0), model.text_of(1), model.text_of(2)}), (std::vector{96, 95, 94}));
    QCOMPARE((std::vector{model.text_of(27), model.text_of(28), model.text_of(29)}), (std::vector{6, 5, 4}));
    model.set_search("7");  // 7, 17 … 97 and 70 to 79: few enough to show them all
    QCOMPARE(model.rowCount(), 19);
  }

  void bars_by_hand() {
    const TextsSpread spread = TextsSpread::of({0, 1, 1, std::nan(""), 2});
    QCOMPARE(spread.count, 4);
    QCOMPARE(spread.mean, 1.0);
    QVERIFY(std::abs(spread.sd - std::sqrt(0.5)) < 1e-12);
    QCOMPARE(spread.bars[0], 1);
    QCOMPARE(spread.bars[12], 2);
    QCOMPARE(spread.bars[23], 1);
    QVERIFY(std::abs(spread.ends(23).first - (2 - 2.0 / 24)) < 1e-12);
    QCOMPARE(spread.ends(23).second, 2.0);
  }

  void what_was_done_stays_when_it_is_stopped() {
    const auto view = shown();
    QSignalSpy stopped(view.get(), &TextsView::stopWanted);
    view->set_texts("list.txt", listed(10));
    QTest::mouseClick(view->run_button(), Qt::LeftButton);
    ListedPart part;
    part.texts = {3};
    part.patterns.add(maps_of(false), text_of_tokens());
    part.done = 4;
    part.left_out = 3;
    part.problem = "1: too long";
    view->add_part(part);
    QTest::mouseClick(view->run_button(), Qt::LeftButton);
    QCOMPARE(stopped.count(), 1);
    QVERIFY(!view->is_running());
    view->set_measure(2);
    QCOMPARE(view->list().value(3), 1.0);
    QVERIFY(std::isnan(view->list().value(4)));
    view->add_part(part);  // one that was on its way
    QVERIFY(std::isnan(view->list().value(4)));
  }

  void a_number_over_the_texts_is_a_column_of_its_own() {
    const auto view = shown();
    const ListedNumber number{"encoder.layer[0].ffn.act", {-1, 7}};
    QSignalSpy wanted(view.get(), &TextsView::runWanted);
    view->ask(number);  // before there is a list
    QCOMPARE(wanted.count(), 0);
    view->set_texts("list.txt", listed(4));
    view->ask(number);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.front().at(1).value<std::optional<ListedNumber>>()->text(), number.text());
    ListedPart part;
    part.texts = {0, 2};
    part.numbers = {0.25, 0.75};
    part.done = 3;
    part.left_out = 1;
    view->add_part(part);
    view->set_finished(1);
    QCOMPARE(view->list().value(2), 0.75);
    QVERIFY(std::isnan(view->list().value(1)));
    QCOMPARE(view->list().text_of(0), 2);  // the highest first
    view->ask({});                         // what heads look at: another column, the first one stays
    QCOMPARE(wanted.count(), 2);
    QVERIFY(!wanted.back().at(1).value<std::optional<ListedNumber>>());
    part = ListedPart();
    part.texts = {1};
    part.patterns.add(maps_of(false), text_of_tokens());
    part.done = 4;
    view->add_part(part);
    view->set_finished(1);
    view->set_measure(2);
    QCOMPARE(view->list().value(1), 1.0);
    view->set_measure(10);
    QCOMPARE(view->list().value(2), 0.75);
    view->forget_numbers();  // another model
    QVERIFY(std::isnan(view->list().value(2)));
  }

  // On the token itself: 1 in even texts, 1/8 in odd ones (where the first token looks at itself).
  void labels_have_their_means() {
    const auto view = shown();
    QSignalSpy lists(view.get(), &TextsView::listChanged);
    view->set_texts("list.txt", listed(4));
    QCOMPARE(lists.size(), 1);
    QTest::mouseClick(view->run_button(), Qt::LeftButton);
    ListedPart part;
    part.texts = {0, 1, 2, 3};
    for (int i = 0; i < 4; ++i) part.patterns.add(maps_of(i % 2 == 1), text_of_tokens());
    part.done = 4;
    view->add_part(part);
    view->set_finished(1);
    view->set_head(AttentionMap::Kind::encoder_self, 0, 0);
    view->set_measure(2);
    QCOMPARE(view->groups()->text(), QString::fromUtf8("even 1.000 ± 0.000 (2) · odd 0.125 ± 0.000 (2)"));
  }

  void stored_texts_get_their_words() {
    const auto view = shown();
    view->set_stored("set.npz", 3);
    QTest::mouseClick(view->run_button(), Qt::LeftButton);
    ListedPart part;
    part.texts = {0, 1};
    part.words = {"the cat", "a dog"};
    part.patterns.add(maps_of(false), text_of_tokens());
    part.patterns.add(maps_of(true), text_of_tokens());
    part.done = 2;
    view->add_part(part);
    view->search()->setText("dog");
    QCOMPARE(view->list().rowCount(), 1);
    QSignalSpy text(view.get(), &TextsView::textWanted);
    view->rows()->setCurrentIndex(view->list().index(0, 1));
    QTest::keyClick(view->rows(), Qt::Key_Return);
    QCOMPARE(text.front().front().toString(), QString("1"));  // its number
  }

  void a_hundred_thousand_lines_answer_at_once() {
    const auto view = shown();
    view->set_texts("long.txt", listed(100'000));
    QCOMPARE(view->list().rowCount(), 100'000);
    view->search()->setText("99999");
    QCOMPARE(view->list().rowCount(), 1);
    view->search()->clear();
    const_cast<TextsModel&>(view->list()).set_order(TextsModel::Order::by_text);
    QCOMPARE(view->list().text_of(0), 0);
    QCOMPARE(view->list().text_of(1), 1);
    QCOMPARE(view->list().text_of(2), 10);
  }
};

HEADLIGHT_WIDGET_TEST(TestTextsView)

}  // namespace headlight::test_texts_view

#include "test_texts_view.moc"
