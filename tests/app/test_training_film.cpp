// A training as a film, read back with the library that other programs use.

#include <gif_lib.h>

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <vector>

#include "app/lab/lab_shown.h"
#include "app/lab/line/training_film.h"
#include "model/core/errors.h"
#include "tests/app/made_recording.h"
#include "tests/test_program.h"

namespace headlight::test_training_film {

namespace {

struct Film {
  QSize size;
  std::vector<int> delays;  // hundredths of a second
};

Film film_of(const QString& path) {
  Film film;
  int problem = 0;
  GifFileType* gif = DGifOpenFileName(path.toUtf8().constData(), &problem);
  if (!gif) return film;
  if (DGifSlurp(gif) == GIF_OK) {
    film.size = {gif->SWidth, gif->SHeight};
    for (int i = 0; i < gif->ImageCount; ++i) {
      GraphicsControlBlock control{};
      DGifSavedExtensionToGCB(gif, i, &control);
      film.delays.push_back(control.DelayTime);
    }
  }
  DGifCloseFile(gif, &problem);
  return film;
}

constexpr QSize kSize(64, 48);
constexpr int kPatience = 20'000;

}  // namespace

class TestTrainingFilm : public QObject {
  Q_OBJECT
  LabShown shown_;
  std::vector<int> painted_;
  QTemporaryDir folder_;

  FilmPainter painter() {
    return [this](QPainter& painter, int moment, QSize size) {
      painted_.push_back(moment);
      painter.fillRect(QRect(QPoint(), size), QColor::fromHsv(60 * moment, 200, 200));
    };
  }
  FilmSettings settings(bool marks_only = false) const { return {marks_only, 100, 1000, kSize}; }
  QStringList files() const { return QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden, QDir::Name); }

 private slots:
  void init() {
    painted_.clear();
    for (const QString& file : files()) QFile::remove(folder_.filePath(file));
    shown_.show({shared_run(made_recording())});
  }

  void every_moment_is_a_frame_and_marks_stay_longer() {
    TrainingFilm film(&shown_, painter(), folder_.filePath("film.gif"), settings());
    QSignalSpy finished(&film, &TrainingFilm::finished), progress(&film, &TrainingFilm::progress);
    film.start();
    QVERIFY(finished.wait(kPatience));
    QCOMPARE(finished.first().first().toString(), QString());
    const Film read = film_of(folder_.filePath("film.gif"));
    QCOMPARE(read.size, kSize);
    QCOMPARE(read.delays, (std::vector<int>{10, 100, 10, 100, 250}));
    QCOMPARE(painted_, (std::vector<int>{0, 1, 2, 3, 4}));
    QCOMPARE(progress.last(), (QVariantList{5, 5}));
  }

  void marks_alone_with_the_first_and_the_last_moment() {
    TrainingFilm film(&shown_, painter(), folder_.filePath("film.gif"), settings(true));
    QSignalSpy finished(&film, &TrainingFilm::finished);
    film.start();
    QVERIFY(finished.wait(kPatience));
    QCOMPARE(painted_, (std::vector<int>{0, 1, 3, 4}));
    QCOMPARE(film_of(folder_.filePath("film.gif")).delays, (std::vector<int>{100, 100, 100, 250}));
  }

  void numbered_pictures() {
    TrainingFilm film(&shown_, painter(), folder_.filePath("film%02d.png"), settings());
    QSignalSpy finished(&film, &TrainingFilm::finished);
    film.start();
    QVERIFY(finished.wait(kPatience));
    QCOMPARE(files(), (QStringList{"film01.png", "film02.png", "film03.png", "film04.png", "film05.png"}));
    const QImage third(folder_.filePath("film03.png"));
    QCOMPARE(third.size(), kSize);
    QCOMPARE(third.pixel(5, 5), QColor::fromHsv(120, 200, 200).rgb());
  }

  void what_is_stopped_leaves_nothing() {
    {
      TrainingFilm film(&shown_, painter(), folder_.filePath("film.gif"), settings());
      QSignalSpy finished(&film, &TrainingFilm::finished);
      connect(&film, &TrainingFilm::progress, &film, [&film](int frame, int) {
        if (frame == 2) film.cancel();
      });
      film.start();
      QVERIFY(finished.wait(kPatience));
      QCOMPARE(finished.first().first().toString(), QString());
    }
    QTRY_VERIFY(files().isEmpty());
  }

  void another_training_ends_it() {
    TrainingFilm film(&shown_, painter(), folder_.filePath("film.gif"), settings());
    QSignalSpy finished(&film, &TrainingFilm::finished);
    connect(&film, &TrainingFilm::progress, this, [this](int frame, int) {
      if (frame == 1) shown_.show({shared_run(made_recording(2))});
    });
    film.start();
    QVERIFY(finished.wait(kPatience));
    QVERIFY(!finished.first().first().toString().isEmpty());
    QTRY_VERIFY(files().isEmpty());
  }

  void an_unknown_ending_is_said_at_once() {
    QVERIFY_EXCEPTION_THROWN(TrainingFilm(&shown_, painter(), folder_.filePath("film.mp4"), settings()), Error);
  }
};

HEADLIGHT_WIDGET_TEST(TestTrainingFilm)

}  // namespace headlight::test_training_film

#include "test_training_film.moc"
