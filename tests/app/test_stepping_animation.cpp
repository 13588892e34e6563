// The walk through a computation as an animation, read back with the library that other programs use.

#include <gif_lib.h>

#include <QDir>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "app/presentation/stepping_animation.h"
#include "model/decode/run.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "tests/widgets/image_test.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/alignment/alignment_view.h"

namespace headlight::test_stepping_animation {

namespace {

struct Film {
  int frames = 0, width = 0, height = 0, last_delay = 0;
  std::vector<QImage> seen;  // after each frame
};

Film film_of(const QString& path) {
  Film film;
  int problem = 0;
  GifFileType* gif = DGifOpenFileName(path.toUtf8().constData(), &problem);
  if (!gif) return film;
  if (DGifSlurp(gif) == GIF_OK) {
    GraphicsControlBlock control{};
    DGifSavedExtensionToGCB(gif, gif->ImageCount - 1, &control);
    film = {gif->ImageCount, gif->SWidth, gif->SHeight, control.DelayTime, {}};
    QImage screen(gif->SWidth, gif->SHeight, QImage::Format_RGB32);
    for (int i = 0; i < gif->ImageCount; ++i) {
      const SavedImage& frame = gif->SavedImages[i];
      const GifImageDesc& place = frame.ImageDesc;
      for (int y = 0; y < place.Height; ++y)
        for (int x = 0; x < place.Width; ++x) {
          const GifColorType c = place.ColorMap->Colors[frame.RasterBits[y * place.Width + x]];
          screen.setPixel(place.Left + x, place.Top + y, qRgb(c.Red, c.Green, c.Blue));
        }
      film.seen.push_back(screen.copy());
    }
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
    QCOMPARE(stage.stepper.stride(), StepperView::Stride::output_step);
    QVERIFY(selection_.state() == before);
  }

  // Each frame is the picture of as many rows as are written, with the mark at the newest, which a view shows that
  // never stepped; and its cells have the colours of the weights, where they are written, and none elsewhere.
  void the_frames_are_the_rows_written_so_far() {
    Request request;
    request.model = load_model("date-attention");
    request.source = "AUGUST 23, 1983";
    const auto result = std::make_shared<const Result>(run(request));
    Stage stage(*result, selection_);
    AlignmentView alignment({&selection_});
    alignment.set_result(result);
    alignment.setAttribute(Qt::WA_DontShowOnScreen);
    alignment.resize(900, 420);
    alignment.show();
    QCoreApplication::processEvents();
    connect(&stage.stepper, &StepperView::attentionRowsChanged, &alignment, &AlignmentView::set_visible_rows);
    SteppingAnimation animation(&stage.stepper, &selection_, &alignment, stage.path(),
                                SteppingAnimation::Frames::steps);
    QSignalSpy finished(&animation, &SteppingAnimation::finished);
    animation.start();
    QVERIFY(finished.wait(20000));
    const Film film = film_of(stage.path());
    const int steps = static_cast<int>(result->steps.size());
    QCOMPARE(static_cast<int>(film.seen.size()), steps + 1);
    const ImageRule few_colours{.channel = 24};  // 256 in a frame
    const auto difference = [&](const QImage& a, const QImage& b) { return image_difference(a, b, few_colours); };
    Selection selection;
    AlignmentView still({&selection});
    still.set_result(result);
    still.setAttribute(Qt::WA_DontShowOnScreen);
    still.resize(900, 420);
    still.show();
    QCoreApplication::processEvents();
    const HeatmapLayout& layout = still.heatmap()->heatmap_layout();
    const QPoint corner = still.heatmap()->mapTo(&still, QPoint(4, 4));
    for (int written = 0; written <= steps; ++written) {
      SelectionState state;
      if (written > 0) state.step = written - 1;
      selection.set(state);
      still.set_visible_rows(written);
      const QImage& frame = film.seen[static_cast<std::size_t>(written)];
      const ImageDifference found = difference(frame, still.grab().toImage());
      QVERIFY2(found.is_within(few_colours), qPrintable(QString("frame %1").arg(written)));
      for (int row = 0; row < steps; ++row)
        for (int column = 0; column < layout.columns; ++column) {
          const QPoint place = layout.cell_rect(row, column).topLeft().toPoint() + corner;
          const QColor wanted = row < written
                                    ? Theme::instance().weight(static_cast<double>(still.heatmap()->value(row, column)))
                                    : Theme::instance().background();
          QVERIFY2(!pixels_differ(frame.pixel(place), wanted.rgb(), few_colours.channel),
                   qPrintable(QString("frame %1, cell %2, %3").arg(written).arg(row).arg(column)));
        }
      // The test of the test: no other frame would do.
      for (int other = 0; other <= steps; ++other) {
        if (other == written) continue;
        const ImageDifference wrong = difference(film.seen[static_cast<std::size_t>(other)], still.grab().toImage());
        QVERIFY2(!wrong.is_within(few_colours), qPrintable(QString("frame %1 as %2").arg(other).arg(written)));
      }
    }
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

HEADLIGHT_WIDGET_TEST(TestSteppingAnimation)

}  // namespace headlight::test_stepping_animation

#include "test_stepping_animation.moc"
