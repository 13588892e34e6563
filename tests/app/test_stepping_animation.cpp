// The walk through a computation as an animation, read back with the library that other programs use.

#include <gif_lib.h>

#include <QDir>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/window/stepping_animation.h"
#include "model/decode/run.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"

namespace headlight {

namespace {

struct Film {
  int frames = 0, width = 0, height = 0, last_delay = 0;
};

Film film_of(const QString& path) {
  Film film;
  int problem = 0;
  GifFileType* gif = DGifOpenFileName(path.toUtf8().constData(), &problem);
  if (!gif) return film;
  if (DGifSlurp(gif) == GIF_OK) {
    GraphicsControlBlock control{};
    DGifSavedExtensionToGCB(gif, gif->ImageCount - 1, &control);
    film = {gif->ImageCount, gif->SWidth, gif->SHeight, control.DelayTime};
  }
  DGifCloseFile(gif, &problem);
  return film;
}

}  // namespace

class TestSteppingAnimation : public QObject {
  Q_OBJECT
  std::shared_ptr<const Result> result_;
  Selection selection_;

  struct Stage {
    StepperView stepper;
    QLabel view;
    QTemporaryDir folder;
    Stage(const Result& result, Selection& selection) {
      stepper.set_selection(&selection);
      stepper.set_trace(result.trace, trace_labels(result));
      view.resize(90, 40);
      QObject::connect(&stepper, &StepperView::stepChanged, &view, [this](int entry) { view.setNum(entry); });
    }
    QString path() const { return folder.filePath("walk.gif"); }
  };

 private slots:
  void initTestCase() {
    Request request;
    request.model = small_model();
    request.source = "5/3/99";
    result_ = std::make_shared<const Result>(run(request));
  }

  // The source has been read, then each of the ten tokens is written.
  void each_output_step_is_a_frame() {
    Stage stage(*result_, selection_);
    stage.stepper.set_position(17);
    const SelectionState before = selection_.state();
    SteppingAnimation animation(&stage.stepper, &selection_, &stage.view, stage.path(),
                                SteppingAnimation::Frames::steps);
    animation.set_scale(2);
    QSignalSpy finished(&animation, &SteppingAnimation::finished), progress(&animation, &SteppingAnimation::progress);
    animation.start();
    QVERIFY(finished.wait(20000));
    QCOMPARE(finished.first().first().toString(), QString());
    const Film film = film_of(stage.path());
    QCOMPARE(film.frames, static_cast<int>(result_->steps.size()) + 1);
    QCOMPARE(QSize(film.width, film.height), QSize(180, 80));
    QCOMPARE(film.last_delay, 250);
    QCOMPARE(progress.last(), (QVariantList{result_->trace->size(), result_->trace->size()}));
    QCOMPARE(stage.stepper.position(), 17);
    QCOMPARE(stage.stepper.stride(), StepperView::Stride::value);
    QVERIFY(selection_.state() == before);
  }

  void each_operation_is_a_frame() {
    Stage stage(*result_, selection_);
    SteppingAnimation animation(&stage.stepper, &selection_, &stage.view, stage.path(),
                                SteppingAnimation::Frames::operations);
    QSignalSpy finished(&animation, &SteppingAnimation::finished);
    animation.start();
    QVERIFY(finished.wait(60000));
    QCOMPARE(film_of(stage.path()).frames, result_->trace->size());
  }

  void a_cancelled_one_leaves_nothing() {
    Stage stage(*result_, selection_);
    SteppingAnimation animation(&stage.stepper, &selection_, &stage.view, stage.path(),
                                SteppingAnimation::Frames::operations);
    QSignalSpy finished(&animation, &SteppingAnimation::finished);
    connect(&animation, &SteppingAnimation::progress, &animation, [&](int operation) {
      if (operation == 5) animation.cancel();
    });
    const int before = stage.stepper.position();
    animation.start();
    QVERIFY(finished.wait(20000));
    QCOMPARE(finished.first().first().toString(), QString());
    QCOMPARE(QDir(stage.folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList());
    QCOMPARE(stage.stepper.position(), before);
    animation.cancel();  // once is enough
    QCOMPARE(finished.size(), 1);
  }

  void what_is_drawn_may_go_away() {
    Stage stage(*result_, selection_);
    auto view = std::make_unique<QLabel>();
    SteppingAnimation animation(&stage.stepper, &selection_, view.get(), stage.path(),
                                SteppingAnimation::Frames::steps);
    QSignalSpy finished(&animation, &SteppingAnimation::finished);
    animation.start();
    view.reset();
    QVERIFY(finished.wait(20000));
    QVERIFY(!finished.first().first().toString().isEmpty());
    QVERIFY(!QFile::exists(stage.path()));
  }
};

}  // namespace headlight

HEADLIGHT_WIDGET_TEST(headlight::TestSteppingAnimation)
#include "test_stepping_animation.moc"
