// Animations are read back with the library that other programs use.
#include <gif_lib.h>

#include <QDir>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "image_test.h"
#include "model/core/errors.h"
#include "tests/test_program.h"
#include "widgets/export/animation.h"
#include "widgets/export/few_colours.h"

namespace headlight::test_animation {

namespace {

struct ReadFrame {
  QRect rect;
  int delay = 0, disposal = 0;
  QImage seen;  // the whole screen after this frame
};

struct ReadGif {
  QSize size;
  bool repeats = false;
  std::vector<ReadFrame> frames;
};

// Empty when the file is no GIF.
ReadGif read_gif(const QString& path) {
  ReadGif result;
  int problem = 0;
  GifFileType* gif = DGifOpenFileName(path.toUtf8().constData(), &problem);
  if (!gif) return result;
  if (DGifSlurp(gif) == GIF_OK) {
    result.size = {gif->SWidth, gif->SHeight};
    QImage screen(result.size, QImage::Format_RGB32);
    screen.fill(Qt::magenta);
    for (int i = 0; i < gif->ImageCount; ++i) {
      const SavedImage& saved = gif->SavedImages[i];
      for (int e = 0; e < saved.ExtensionBlockCount; ++e)
        if (saved.ExtensionBlocks[e].Function == APPLICATION_EXT_FUNC_CODE)
          result.repeats =
              QByteArray(reinterpret_cast<const char*>(saved.ExtensionBlocks[e].Bytes), 11) == "NETSCAPE2.0";
      GraphicsControlBlock control{};
      DGifSavedExtensionToGCB(gif, i, &control);
      const GifImageDesc& place = saved.ImageDesc;
      for (int y = 0; y < place.Height; ++y)
        for (int x = 0; x < place.Width; ++x) {
          const GifColorType c = place.ColorMap->Colors[saved.RasterBits[y * place.Width + x]];
          screen.setPixel(place.Left + x, place.Top + y, qRgb(c.Red, c.Green, c.Blue));
        }
      result.frames.push_back(
          {QRect(place.Left, place.Top, place.Width, place.Height), control.DelayTime, control.DisposalMode, screen});
    }
  }
  DGifCloseFile(gif, &problem);
  return result;
}

QImage flat(QSize size, QColor ground, QRect spot = {}, QColor colour = {}) {
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  image.fill(ground);
  QPainter painter(&image);
  painter.fillRect(spot, colour);
  return image;
}

QString problem_of(const std::function<void()>& what) {
  try {
    what();
  } catch (const FileError& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

}  // namespace

class TestAnimation : public QObject {
  Q_OBJECT

 private slots:
  void a_gif_holds_what_was_added() {
    QTemporaryDir folder;
    const QString path = folder.filePath("a.gif");
    const QImage first = flat({60, 40}, QColor(0x15181d)),
                 second = flat({60, 40}, QColor(0x15181d), {10, 5, 7, 3}, Qt::red);
    AnimationWriter writer(path);
    writer.add(first, 500);
    writer.add(second, 120);
    writer.add(second, 2500);  // nothing changed
    QVERIFY(!QFile::exists(path));
    writer.finish();
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.read(6), QByteArray("GIF89a"));
    const ReadGif gif = read_gif(path);
    QCOMPARE(gif.size, QSize(60, 40));
    QVERIFY(gif.repeats);
    QCOMPARE(gif.frames.size(), std::size_t{3});
    QCOMPARE(gif.frames[0].rect, QRect(0, 0, 60, 40));
    QCOMPARE(gif.frames[1].rect, QRect(10, 5, 7, 3));  // only what changed
    QCOMPARE(gif.frames[2].rect.size(), QSize(1, 1));
    QCOMPARE(gif.frames[0].delay, 50);
    QCOMPARE(gif.frames[1].delay, 12);
    QCOMPARE(gif.frames[2].delay, 250);
    for (const ReadFrame& frame : gif.frames) QCOMPARE(frame.disposal, DISPOSE_DO_NOT);
    QCOMPARE(image_difference(gif.frames[0].seen, first, {.channel = 0}).share, 0.0);  // flat colours are exact
    QCOMPARE(image_difference(gif.frames[1].seen, second, {.channel = 0}).share, 0.0);
    QCOMPARE(image_difference(gif.frames[2].seen, second, {.channel = 0}).share, 0.0);
  }

  void changes_far_apart_are_within_one_rectangle() {
    QTemporaryDir folder;
    AnimationWriter writer(folder.filePath("a.gif"));
    writer.add(flat({30, 20}, Qt::white), 100);
    QImage next = flat({30, 20}, Qt::white);
    next.setPixelColor(3, 17, Qt::black);
    next.setPixelColor(25, 2, Qt::black);
    writer.add(next, 100);
    writer.finish();
    QCOMPARE(read_gif(folder.filePath("a.gif")).frames[1].rect, QRect(QPoint(3, 2), QPoint(25, 17)));
  }

  void many_colours_stay_close_and_flat_grounds_flat() {
    QImage image = flat({300, 200}, QColor(0xfcfcfa));
    for (int x = 0; x < 150; ++x)
      for (int y = 0; y < 120; ++y) image.setPixel(x, y, qRgb(x, 2 * y, 255 - x));
    const FewColours few = few_colours(image);
    QCOMPARE(few.colours.size(), std::size_t{256});
    QImage again(300, 200, QImage::Format_RGB32);
    for (int y = 0; y < 200; ++y)
      for (int x = 0; x < 300; ++x)
        again.setPixel(x, y, few.colours[few.pixels[static_cast<std::size_t>(y * 300 + x)]]);
    QCOMPARE(image_difference(again, image, {.channel = 24}).share, 0.0);
    std::set<QRgb> ground;
    for (int x = 150; x < 300; ++x) ground.insert(again.pixel(x, 199));
    QCOMPARE(ground.size(), std::size_t{1});
    QVERIFY(std::abs(qRed(*ground.begin()) - 0xfc) <= 1);
  }

  void frames_of_other_sizes_get_that_of_the_first() {
    QTemporaryDir folder;
    AnimationWriter writer(folder.filePath("a.gif"));
    writer.add(flat({20, 10}, Qt::white), 100);
    writer.add(flat({40, 40}, Qt::red), 100);
    writer.add(flat({5, 5}, Qt::red), 100);
    writer.finish();
    const ReadGif gif = read_gif(folder.filePath("a.gif"));
    QCOMPARE(gif.size, QSize(20, 10));
    QCOMPARE(gif.frames[1].seen.pixel(19, 9), qRgb(255, 0, 0));
    QCOMPARE(gif.frames[2].seen.pixel(19, 9), qRgb(0, 0, 0));
  }

  void pictures_are_numbered() {
    QTemporaryDir folder;
    AnimationWriter plain(folder.filePath("a.png")), placed(folder.filePath("step%02d-of.png"));
    for (int i = 0; i < 11; ++i) {
      plain.add(flat({8, 8}, QColor(i, 0, 0)), 100);
      placed.add(flat({8, 8}, QColor(i, 0, 0)), 100);
    }
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 0);
    plain.finish();
    placed.finish();
    QCOMPARE(QImage(folder.filePath("a-0011.png")).pixelColor(0, 0), QColor(10, 0, 0));
    QCOMPARE(QImage(folder.filePath("step01-of.png")).pixelColor(0, 0), QColor(0, 0, 0));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 22);
  }

  void nothing_is_left_behind() {
    QTemporaryDir folder;
    const auto content = [&] {
      return QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    };
    {
      AnimationWriter gif(folder.filePath("a.gif")), pictures(folder.filePath("a.png"));
      gif.add(flat({8, 8}, Qt::white), 100);
      pictures.add(flat({8, 8}, Qt::white), 100);
      QVERIFY(!content().isEmpty());
    }
    QCOMPARE(content(), QStringList());
    QFile old(folder.filePath("a.gif"));
    QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
    old.close();
    {
      AnimationWriter gif(folder.filePath("a.gif"));
      gif.add(flat({8, 8}, Qt::white), 100);
    }
    QVERIFY(old.open(QIODevice::ReadOnly));
    QCOMPARE(old.readAll(), QByteArray("old"));
  }

  // A folder stands where the second picture should go: the first is taken away again.
  void a_failure_takes_back_what_was_written() {
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("a-0002.png/inside"));
    {
      AnimationWriter pictures(folder.filePath("a.png"));
      for (int i = 0; i < 3; ++i) pictures.add(flat({8, 8}, Qt::white), 100);
      QVERIFY(problem_of([&] { pictures.finish(); }).contains("a-0002.png: cannot be written"));
    }
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
             QStringList("a-0002.png"));
  }

  void problems_are_said_in_plain_words() {
    QTemporaryDir folder;
    QVERIFY(problem_of([&] { AnimationWriter(folder.filePath("a.mp4")); }).contains("use .gif, or .png"));
    QVERIFY(problem_of([&] { AnimationWriter(folder.filePath("no/such/a.gif")); }).contains("cannot be written"));
    QVERIFY(problem_of([&] { AnimationWriter(folder.filePath("no/such/a.png")); }).contains("cannot be written"));
    QVERIFY(problem_of([&] { AnimationWriter(folder.filePath("a.gif")).finish(); }).contains("nothing to show"));
    QVERIFY(problem_of([&] { AnimationWriter(folder.filePath("a.gif")).add(QImage(), 100); }).contains("0 × 0"));
  }

  void endings_say_what_is_meant() {
    QVERIFY(AnimationWriter::means_animation("x.gif"));
    QVERIFY(AnimationWriter::means_animation("/a/b/frame-%04d.PNG"));
    QVERIFY(!AnimationWriter::means_animation("x.png"));
    QVERIFY(!AnimationWriter::means_animation("/a/b%04d/x.png"));
    QVERIFY(!AnimationWriter::means_animation("x.svg"));
  }
};

HEADLIGHT_CORE_TEST(TestAnimation)

}  // namespace headlight::test_animation

#include "test_animation.moc"
