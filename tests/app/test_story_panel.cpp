// "What changed here", with trainings made by hand (made_recording.h), in both languages.

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <memory>

#include "app/lab/lab_shown.h"
#include "app/lab/line/story_panel.h"
#include "app/lab/line/story_words.h"
#include "app/language.h"
#include "tests/app/made_recording.h"
#include "tests/test_program.h"

namespace headlight::test_story_panel {

class TestStoryPanel : public QObject {
  Q_OBJECT
  std::unique_ptr<LabShown> shown_;
  std::unique_ptr<StoryPanel> panel_;

  void show(Recording recording) {
    shown_->show({shared_run(std::move(recording))});
    shown_->go_to(3);
  }

 private slots:
  void init() {
    set_language("en");
    shown_ = std::make_unique<LabShown>();
    panel_ = std::make_unique<StoryPanel>(shown_.get());
    panel_->setAttribute(Qt::WA_DontShowOnScreen);
    panel_->show();
  }
  void cleanup() {
    panel_.reset();
    shown_.reset();
    set_language("en");
  }

  void before_and_now_and_the_word_that_changed() {
    show(made_recording());
    QCOMPARE(panel_->before(), QString("der y"));
    QCOMPARE(panel_->now(), QString("der hund"));
    QCOMPARE(panel_->sentence(), QString::fromUtf8("‘hund’ looks at ‘dog’ .70 and is still unsure: 23 %."));
    bool bold = false;
    for (const QLabel* label : panel_->findChildren<QLabel*>()) bold = bold || label->text() == "der <b>hund</b>";
    QVERIFY(bold);
    shown_->go_to(4);
    QCOMPARE(panel_->before(), panel_->now());
    QCOMPARE(panel_->sentence(), QString("Its words are the same as a moment before."));
    shown_->go_to(2);
    QCOMPARE(panel_->sentence(),
             QString::fromUtf8("‘y’ looks at ‘dog’ .70 and is still unsure: 20 %. ‘y’ is not right."));
    shown_->go_to(0);
    QCOMPARE(panel_->before(), QString());
  }

  void in_chinese() {
    show(made_recording());
    set_language("zh_CN");
    QCoreApplication::processEvents();
    QCOMPARE(panel_->sentence(), QString::fromUtf8("“hund” 看着 “dog”（.70），还没有把握：23 %。"));
    QCOMPARE(panel_->mark_text(), QString::fromUtf8("标记 2，共 2 个"));
    QCOMPARE(moment_sentence(*shown_, 0), QString::fromUtf8("已读 300 句，没见过的句子答对 80 %，标记：hund"));
  }

  void where_no_map_is_shown_nothing_is_said_of_looking() {
    show(changed_recording(made_recording(), [](Moment& moment) { moment.probes[0].attention.clear(); }));
    QCOMPARE(panel_->sentence(), QString::fromUtf8("‘hund’ is still unsure: 23 %."));
  }

  void buttons_go_from_mark_to_mark() {
    show(made_recording());
    QCOMPARE(panel_->mark_text(), QString("mark 2 of 2"));
    QVERIFY(!panel_->next()->isEnabled());
    panel_->previous()->click();
    QCOMPARE(shown_->moment(), 1);
    QCOMPARE(panel_->mark_text(), QString("mark 1 of 2"));
    QVERIFY(!panel_->previous()->isEnabled());
    shown_->go_to(2);
    QCOMPARE(panel_->mark_text(), QString("after mark 1 of 2"));
    panel_->next()->click();
    QCOMPARE(shown_->moment(), 3);
    shown_->go_to(0);
    QCOMPARE(panel_->mark_text(), QString("before mark 1 of 2"));
  }

  void more_shows_rates_and_gradients() {
    show(made_recording());
    auto* bars = panel_->findChild<GradientBars*>();
    QVERIFY(bars && !bars->isVisible());
    panel_->more()->click();
    QVERIFY(bars->isVisible());
    QCOMPARE(bars->accessibleDescription(), QString("encoder: 0.5\ndecoder: 0.25"));  // halves and quarters of 1
    bool said = false;
    for (const QLabel* label : panel_->findChildren<QLabel*>())
      said = said || label->text() == QString::fromUtf8("learning rate 0.003 · gradient norm 1");
    QVERIFY(said);
  }

  void what_does_not_learn_offers_the_recorded_run() {
    Recording broken = made_recording();
    broken.whole = false;
    broken.failure = Recording::Failure{412, 9.3, {}};
    show(std::move(broken));
    QVERIFY(panel_->problem().startsWith("From update 412 on there are no numbers any more; the loss was 9.3 before."));
    QVERIFY(!panel_->recorded()->isVisible());
    panel_->set_recorded_offered(true);
    QVERIFY(panel_->recorded()->isVisible());
    QSignalSpy wanted(panel_.get(), &StoryPanel::recordedWanted);
    panel_->recorded()->click();
    QCOMPARE(wanted.size(), 1);
    show(made_recording());
    QCOMPARE(panel_->problem(), QString());
    QVERIFY(!panel_->recorded()->isVisible());
  }
};

HEADLIGHT_WIDGET_TEST(TestStoryPanel)

}  // namespace headlight::test_story_panel

#include "test_story_panel.moc"
