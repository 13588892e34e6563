// Which moment the lab shows: the handle, of one run and of two.

#include <QSignalSpy>
#include <QTest>

#include "app/lab/lab_shown.h"
#include "tests/app/made_recording.h"
#include "tests/test_program.h"

namespace headlight::test_lab_shown {

namespace {

// Its first `count` moments, as while it trains.
LabShown::Run begun(int count) {
  Recording made = made_recording();
  made.moments.resize(static_cast<std::size_t>(count));
  made.whole = false;
  return shared_run(made);
}

// Right on all held-out sentences from the third moment on; read are 50 sentences for each moment.
LabShown::Run faster() {
  return shared_run(changed_recording(made_recording(2), [](Moment& moment) {
    moment.right_unseen = moment.read >= 200 ? 1 : 0;
    moment.read /= 2;
  }));
}

}  // namespace

class TestLabShown : public QObject {
  Q_OBJECT

 private slots:
  void nothing_is_shown_at_first() {
    LabShown shown;
    QVERIFY(shown.empty());
    QVERIFY(shown.at_end());
    shown.go_by(1);
    shown.go_to_mark(1);
    shown.go_to_read(100);
    QCOMPARE(shown.moment(), 0);
    shown.show({nullptr});
    QVERIFY(shown.runs().empty());
  }

  void the_handle_goes_with_the_newest_moment() {
    LabShown shown;
    shown.show({begun(1)});
    QCOMPARE(shown.moment(), 0);
    QSignalSpy moved(&shown, &LabShown::moved), changed(&shown, &LabShown::runsChanged);
    shown.grow(0, begun(3));
    QCOMPARE(shown.moment(), 2);
    QVERIFY(shown.at_end());
    QCOMPARE(moved.count(), 1);
    QCOMPARE(changed.count(), 1);
  }

  void a_handle_that_was_moved_stays() {
    LabShown shown;
    shown.show({begun(3)});
    shown.go_by(-1);
    QVERIFY(!shown.at_end());
    QSignalSpy moved(&shown, &LabShown::moved);
    shown.grow(0, begun(5));
    QCOMPARE(shown.moment(), 1);
    QCOMPARE(moved.count(), 0);
    shown.go_to(99);
    QCOMPARE(shown.moment(), 4);
    shown.go_to(-5);
    QCOMPARE(shown.moment(), 0);
  }

  // Every second moment went: the one before is shown, never a later one.
  void a_handle_stays_at_its_update() {
    LabShown shown;
    shown.show({shared_run(made_recording())});
    shown.go_to(3);
    Recording thinned = made_recording();
    thinned.moments = {thinned.moments[0], thinned.moments[2], thinned.moments[4]};
    shown.grow(0, shared_run(thinned));
    QCOMPARE(shown.moment(), 1);
    QCOMPARE(shown.now().update, Index(20));
  }

  void another_run_is_shown_at_the_same_count() {
    LabShown shown;
    shown.show({shared_run(made_recording())});
    shown.go_to(2);  // 200 sentences
    shown.show({faster()});
    QCOMPARE(shown.now().read, Index(200));
    QCOMPARE(shown.moment(), 4);
    shown.show({});
    QVERIFY(shown.empty());
  }

  void keys_go_from_mark_to_mark() {
    LabShown shown;
    shown.show({shared_run(made_recording())});
    shown.go_to(0);
    shown.go_to_mark(1);
    QCOMPARE(shown.moment(), 1);  // der
    shown.go_to_mark(1);
    QCOMPARE(shown.moment(), 3);  // hund
    shown.go_to_mark(1);
    QCOMPARE(shown.moment(), 3);
    shown.go_to_mark(-1);
    QCOMPARE(shown.moment(), 1);
    shown.go_to_read(250);
    QCOMPARE(shown.moment(), 2);
    shown.go_to_read(-1);
    QCOMPARE(shown.moment(), 0);
  }

  void two_runs_follow_one_handle() {
    LabShown shown;
    shown.show({shared_run(made_recording()), faster()});
    QCOMPARE(shown.moment(0), 4);
    QCOMPARE(shown.moment(1), 4);
    shown.go_to(1);  // 100 sentences: the other one had read them at its third moment
    QCOMPARE(shown.moment(1), 2);
    shown.set_side(1);
    shown.go_to(1);  // 50 sentences: the first moment of the other one
    QCOMPARE(shown.moment(0), 0);
  }

  void both_stand_where_each_first_had_it() {
    LabShown shown;
    shown.show({shared_run(made_recording()), faster()});
    QSignalSpy chosen(&shown, &LabShown::chosenChanged);
    shown.set_together(LabShown::Together::same_score);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(shown.moment(0), 4);  // .8 is not enough
    QCOMPARE(shown.moment(1), 2);
    shown.set_together(LabShown::Together::end);
    QCOMPARE(shown.moment(1), 4);
    // A handle that is moved by hand is one for both again.
    shown.go_to(2);
    QCOMPARE(shown.together(), LabShown::Together::same_moment);
    QCOMPARE(shown.now(1).read, Index(200));
    // One run alone has nothing to be together with.
    shown.show({faster()});
    shown.set_together(LabShown::Together::end);
    QCOMPARE(shown.together(), LabShown::Together::same_moment);
  }

  void choices_stay_within_what_there_is() {
    LabShown shown;
    shown.show({shared_run(made_recording())});
    shown.set_map(7);
    shown.set_probe(7);
    shown.set_side(7);
    QCOMPARE(shown.map(), 0);
    QCOMPARE(shown.probe(), 0);
    QCOMPARE(shown.side(), 0);
  }
};

HEADLIGHT_CORE_TEST(TestLabShown)

}  // namespace headlight::test_lab_shown

#include "test_lab_shown.moc"
