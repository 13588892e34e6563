// The output that the living map shows while nobody has chosen one: there from the first moment, the view's own, and
// gone when a person lets go of it.
#include <QSignalSpy>
#include <QTest>

#include "model/analysis/masks.h"
#include "tests/test_program.h"
#include "tests/widgets/living_shown.h"
#include "tests/widgets/recorded_text.h"

namespace headlight::test_living_choice {

namespace {

constexpr const char* kStory = "tom in the garden. he carries a red box. he gives";

}  // namespace

class TestLivingChoice : public QObject {
  Q_OBJECT

 private slots:
  // The last letter of a date; of words that were written the last one that is a word; the one that is hidden.
  void an_output_is_shown_from_the_first_moment_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("step");
    QTest::newRow("a date") << "date-attention"
                            << "November 22, 2026" << 9;
    QTest::newRow("a hidden word") << "masked-bert"
                                   << "the keys to the old cabinet [MASK] on the table." << 6;
    QTest::newRow("a story") << "story-gpt" << kStory << -1;
  }
  void an_output_is_shown_from_the_first_moment() {
    QFETCH(QString, model);
    QFETCH(QString, text);
    QFETCH(int, step);
    const auto result = living_run(qPrintable(model), text.toStdString());
    Selection selection;
    ViewRequests requests;
    LivingView view({&selection, &requests});
    QSignalSpy changed(&selection, &Selection::changed), asked(&view, &LivingView::outputChosen);
    view.set_result(result);
    show_at(view, {904, 624});
    QVERIFY(view.flow());
    const LivingMap& map = *view.map();
    const int lane = view.choice().lane;
    if (step >= 0) {
      QCOMPARE(lane, map.lane_of_step(step));
    } else {  // behind it come only what ends a sentence and the text
      const auto word = [&](int at) {
        const std::string& written = map.lanes[static_cast<std::size_t>(at)].written;
        return written != "." && written != "<eos>";
      };
      QVERIFY(word(lane));
      for (int after = lane + 1; after < static_cast<int>(map.lanes.size()); ++after)
        QVERIFY(map.lanes[static_cast<std::size_t>(after)].step < 0 || !word(after));
      QVERIFY(view.says_lens());
    }
    const std::vector<RecordedText> texts = texts_of(view.figure());
    QVERIFY(std::ranges::any_of(texts, [](const RecordedText& each) { return each.text.endsWith(" %"); }));
    // Other views have nothing chosen by that, and no panel opens.
    QCOMPARE(changed.count(), 0);
    QCOMPARE(asked.count(), 0);
    QVERIFY(selection.state() == SelectionState());
  }

  void it_is_gone_after_escape_until_another_text() {
    LivingShown shown(living_run("story-gpt", kStory));
    QVERIFY(shown.view.flow());
    shown.key(Qt::Key_Escape);
    QVERIFY(!shown.view.flow());
    QCOMPARE(shown.view.choice().lane, -1);
    QVERIFY(shown.selection.state() == SelectionState());
    shown.view.set_result(living_run(
        "story-gpt", kStory, head_off(*living_run("story-gpt", kStory), AttentionMap::Kind::decoder_self, 1, 3)));
    QVERIFY(!shown.view.flow());
    shown.view.set_result(living_run("story-gpt", "tom in the garden. he carries a red box. he"));
    QVERIFY(shown.view.flow());
    shown.key(Qt::Key_Escape);
    QVERIFY(!shown.view.flow());
    shown.view.set_result(living_run("date-attention", "November 22, 2026"));
    QVERIFY(shown.view.flow());
  }

  // What a person has chosen is not taken away, and what was let go of elsewhere is not chosen again.
  void it_gives_way_to_what_a_person_chooses() {
    LivingShown shown(living_run("story-gpt", kStory));
    shown.choose_step(1);
    const int lane = shown.view.map()->lane_of_step(1);
    QCOMPARE(shown.view.choice().lane, lane);
    shown.selection.set({});
    QVERIFY(!shown.view.flow());
    shown.view.choose({shown.lane("garden"), -1});
    shown.view.set_result(living_run("story-gpt", "tom in the garden. he carries a red box. he"));
    QCOMPARE(shown.view.choice().lane, shown.lane("garden"));
  }

  void a_click_makes_it_a_choice() {
    LivingShown shown(living_run("story-gpt", kStory));
    const int lane = shown.view.choice().lane;
    const LivingLayout& layout = shown.view.scene().layout;
    QSignalSpy asked(&shown.view, &LivingView::outputChosen);
    shown.click({layout.next_x + 20, layout.rows[static_cast<std::size_t>(lane)].y});
    QCOMPARE(asked.count(), 1);
    QCOMPARE(shown.view.choice().lane, lane);
    QCOMPARE(shown.selection.state().step, std::optional(shown.view.map()->lanes[static_cast<std::size_t>(lane)].step));
  }

  // Of what is written yet.
  void it_follows_who_steps_through_the_run() {
    LivingShown shown(living_run("date-attention", "November 22, 2026"));
    LivingView& view = shown.view;
    const LivingMap& map = *view.map();
    const int third = map.result->trace->find("decoder.step[2].output.probs");
    QVERIFY(third >= 0);
    view.set_computed(third);
    QCOMPARE(view.choice().lane, map.lane_of_step(2));
    view.set_computed(0);
    QCOMPARE(view.choice().lane, -1);
    view.set_computed(-1);
    QCOMPARE(view.choice().lane, map.lane_of_step(9));
    shown.key(Qt::Key_Escape);
    view.set_computed(third);
    QCOMPARE(view.choice().lane, -1);
  }
};

HEADLIGHT_WIDGET_TEST(TestLivingChoice)

}  // namespace headlight::test_living_choice

#include "test_living_choice.moc"
