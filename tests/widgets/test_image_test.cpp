// The test of the picture tests: the rule to the pixel, what is written, and that nothing of the machine shows. What
// they see in real views is in tests/app/test_view_pictures.cpp.
#include <QFontDatabase>
#include <QFontInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/test_program.h"
#include "tests/widgets/image_test.h"
#include "tests/widgets/sample_result.h"
#include "tests/widgets/wrong_pictures.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/alignment/alignment_view.h"

namespace headlight::test_image_test {

namespace {

constexpr const char* kUpdate = "HEADLIGHT_UPDATE_IMAGES";

QImage grey(QSize size) {
  QImage image(size, QImage::Format_RGB32);
  image.fill(qRgb(100, 100, 100));
  return image;
}

// The first pixels of a tile, row by row, off by so much.
QImage with_spots(QImage image, const QRect& tile, int count, int off = 9) {
  for (int i = 0; i < count; ++i)
    image.setPixel(tile.left() + i % tile.width(), tile.top() + i / tile.width(), qRgb(100, 100 - off, 100));
  return image;
}

QString written(const QString& name) { return QCoreApplication::applicationDirPath() + "/images/" + name; }

}  // namespace

class TestImageTest : public QObject {
  Q_OBJECT
  QByteArray update_ = qgetenv(kUpdate);

 private slots:
  void init() { qunsetenv(kUpdate); }
  void cleanup() {
    if (!update_.isEmpty()) qputenv(kUpdate, update_);
    for (const char* name : {"image_test.png", "image_test.difference.png"}) QFile::remove(written(name));
  }

  void a_pixel_differs_when_a_channel_is_off_by_more_than_eight() {
    const QRect tile(32, 64, 32, 32);
    QCOMPARE(image_difference(grey({96, 96}), with_spots(grey({96, 96}), tile, 1024, 8)).share, 0.0);
    const ImageDifference difference = image_difference(grey({96, 96}), with_spots(grey({96, 96}), tile, 512, 9));
    QCOMPARE(difference.share, 512.0 / (96 * 96));
    QCOMPARE(difference.tile_share, 0.5);
    QCOMPARE(difference.tile, tile);
    for (const QRgb off : {qRgb(109, 100, 100), qRgb(100, 91, 100), qRgb(100, 100, 109)})
      QVERIFY(pixels_differ(qRgb(100, 100, 100), off, 8) && pixels_differ(off, qRgb(100, 100, 100), 8));
    QVERIFY(!pixels_differ(qRgb(100, 100, 100), qRgb(108, 92, 108), 8));
  }

  // A tenth of 32 x 32 is 102.4, and 103 pixels are 0.04 % of the picture. The tiles at its edges are smaller.
  void a_tile_may_hold_a_tenth_of_its_pixels() {
    const QImage right = grey({520, 520});
    const QRect inside(64, 96, 32, 32), edge(512, 96, 8, 32), corner(512, 512, 8, 8);
    QVERIFY(image_problem(with_spots(right, inside, 102), right).isEmpty());
    QCOMPARE(image_problem(with_spots(right, inside, 103), right),
             QString("0.04 % of the pixels differ (allowed: 0.2 %), 10.1 % of the tile at 64, 96 (allowed: 10 %)"));
    QVERIFY(image_problem(with_spots(right, edge, 25), right).isEmpty());
    QVERIFY(!image_problem(with_spots(right, edge, 26), right).isEmpty());
    QVERIFY(image_problem(with_spots(right, corner, 6), right).isEmpty());
    QVERIFY(!image_problem(with_spots(right, corner, 7), right).isEmpty());
  }

  // 0.2 % of 256 x 256 are 131.07, spread over 64 tiles.
  void a_picture_may_hold_two_pixels_of_a_thousand() {
    const QImage right = grey({256, 256});
    const auto spread = [&](int count) {
      QImage image = right;
      for (int i = 0; i < count; ++i) image.setPixel(i % 64 % 8 * 32 + i / 64, i % 64 / 8 * 32, qRgb(0, 0, 0));
      return image;
    };
    QVERIFY(image_problem(spread(131), right).isEmpty());
    QVERIFY(image_problem(spread(132), right).startsWith("0.20 % of the pixels differ"));
  }

  void another_size_is_another_picture() {
    QCOMPARE(image_problem(grey({64, 65}), grey({64, 64})),
             QString("the picture has 64 x 65 pixels, its baseline 64 x 64"));
    QVERIFY(!image_problem(grey({64, 64}), {}).isEmpty());
    const QImage marked = marked_difference(grey({64, 40}), grey({32, 65}));
    QCOMPARE(marked.size(), QSize(64, 65));
    QCOMPARE(marked.pixel(63, 2), marked.pixel(2, 64));  // red: only one of them has it
    QVERIFY(marked.pixel(2, 2) != marked.pixel(2, 64));
  }

  void the_message_names_what_was_written() {
    QTemporaryDir folder;
    const QDir baselines(folder.path());
    const QImage right = grey({96, 96}), wrong = with_spots(right, {32, 64, 32, 32}, 200);
    const QString missing = compare_image(right, "image_test", baselines);
    QCOMPARE(missing, QString("there is no baseline %1; the picture is %2")
                          .arg(baselines.filePath("image_test.png"), written("image_test.png")));
    QCOMPARE(QImage(written("image_test.png")).convertToFormat(QImage::Format_RGB32), right);
    QVERIFY(right.save(baselines.filePath("image_test.png")));
    QVERIFY(compare_image(right, "image_test", baselines).isEmpty());
    const QString differs = compare_image(wrong, "image_test", baselines);
    QVERIFY2(differs.endsWith(
                 QString(": see %1 and %2").arg(written("image_test.png"), written("image_test.difference.png"))),
             qPrintable(differs));
    QCOMPARE(QImage(written("image_test.png")).convertToFormat(QImage::Format_RGB32), wrong);
    const QImage marked(written("image_test.difference.png"));
    QVERIFY(qRed(marked.pixel(40, 65)) > 2 * qGreen(marked.pixel(40, 65)));
    QCOMPARE(qRed(marked.pixel(5, 5)), qGreen(marked.pixel(5, 5)));
  }

  void a_baseline_is_written_when_that_is_wanted_and_it_differs() {
    QTemporaryDir folder;
    const QDir baselines(folder.filePath("new"));
    const QString path = baselines.filePath("image_test.png");
    const QImage right = grey({96, 96});
    qputenv(kUpdate, "1");
    QVERIFY(compare_image(right, "image_test", baselines).isEmpty());
    QCOMPARE(QImage(path).convertToFormat(QImage::Format_RGB32), right);
    QVERIFY(right.save(path, "PNG", 100));  // the same pixels in other bytes
    const qint64 bytes = QFileInfo(path).size();
    QVERIFY(compare_image(right, "image_test", baselines).isEmpty());
    QCOMPARE(QFileInfo(path).size(), bytes);
    const QImage next = with_spots(right, {32, 64, 32, 32}, 1, 1);
    QVERIFY(compare_image(next, "image_test", baselines).isEmpty());
    QCOMPARE(QImage(path).convertToFormat(QImage::Format_RGB32), next);
    qunsetenv(kUpdate);
    QFile file(folder.filePath("file"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    qputenv(kUpdate, "1");
    QVERIFY(compare_image(right, "image_test", QDir(folder.filePath("file/below"))).startsWith("cannot write"));
  }

  void a_heatmap_without_labels_or_colour_bar_fails() {
    Theme::instance().set_mode(Theme::Mode::light);
    Heatmap view;
    view.set_captions("output", "source", "weight");
    const std::vector<AxisLabel> tokens = {{"M", false, {}}, {"a", false, {}}, {"y", false, {}}, {"5", false, {}}};
    view.set_labels(tokens, tokens);
    view.set_matrix(4, 4, {1, 0, 0, 0, 0, 0.7f, 0.3f, 0, 0, 0, 1, 0, 0.1f, 0.2f, 0.3f, 0.4f});
    show_at(view, {480, 240});
    QImage right(2 * view.size(), QImage::Format_RGB32);
    right.setDevicePixelRatio(2);
    view.render(&right);
    const HeatmapLayout& layout = view.heatmap_layout();
    std::vector<QRectF> labels;
    for (const auto* side : {&layout.row_labels, &layout.column_labels})
      for (const HeatmapLayout::Label& label : *side) labels.push_back(label.rect);
    const auto fails_without = [&](const char* what, const std::vector<QRectF>& parts) {
      QImage made = right;
      QPainter painter(&made);
      for (const QRectF& part : parts) painter.fillRect(part, Theme::instance().background());
      painter.end();
      QVERIFY2(!image_problem(made, right).isEmpty(), what);
    };
    fails_without("labels", labels);
    fails_without("caption of the rows", {layout.row_caption});
    fails_without("caption of the columns", {layout.column_caption});
    fails_without("colour bar", {layout.colour_bar});
    fails_without("numbers of the colour bar", {layout.colour_bar_labels});
  }

  void only_the_fonts_of_the_packages_are_there() {
    QStringList families = QFontDatabase::families();
    // The last three are Qt's names for what stands in for a missing font.
    families.removeIf([](const QString& family) { return family.startsWith("Noto Sans "); });
    QCOMPARE(families, QStringList({"DejaVu Sans", "DejaVu Sans Mono", "Inter", "Inter Semi Bold", "Monospace",
                                    "Sans Serif", "Serif"}));
    QVERIFY2(QFontDatabase::families().contains("Noto Sans CJK SC"), "please install fonts-noto-cjk");
    QCOMPARE(QFontInfo(Theme::instance().ui_font()).family(), QString("Inter"));
    QCOMPARE(QFontInfo(Theme::instance().token_font()).family(), QString("DejaVu Sans Mono"));
    QCOMPARE(QFontInfo(QFont("Helvetica")).family(), QString("DejaVu Sans"));
  }

  // Whatever the user has set: each of these changes the pictures of a program that does not pin them.
  void the_users_desktop_does_not_show_data() {
    QTest::addColumn<QString>("test");
    QTest::addColumn<QString>("value");
    QTest::newRow("FONTCONFIG_FILE") << "test_token_strip"
                                     << "FOLDER/fontconfig/fonts.conf";
    QTest::newRow("XDG_CONFIG_HOME") << "test_token_strip"
                                     << "FOLDER";
    QTest::newRow("FREETYPE_PROPERTIES") << "test_token_strip"
                                         << "autofitter:no-stem-darkening=0";
    QTest::newRow("QT_FONT_DPI") << "test_token_strip"
                                 << "120";
    QTest::newRow("QT_SCALE_FACTOR") << "test_token_strip"
                                     << "1.5";
    QTest::newRow("QT_STYLE_OVERRIDE") << "test_mechanism_view"
                                       << "windows";
    QTest::newRow("LC_ALL") << "test_mechanism_view"
                            << "de_DE.UTF-8";
  }
  void the_users_desktop_does_not_show() {
    QFETCH(QString, test);
    QFETCH(QString, value);
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath("fontconfig"));
    QFile settings(folder.filePath("fontconfig/fonts.conf"));
    QVERIFY(settings.open(QIODevice::WriteOnly));
    settings.write(R"(<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>
<dir>/usr/share/fonts</dir><match target="font"><edit name="antialias" mode="assign"><bool>false</bool></edit>
<edit name="hintstyle" mode="assign"><const>hintfull</const></edit></match></fontconfig>)");
    settings.close();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QTest::currentDataTag(), value.replace("FOLDER", folder.path()));
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(QCoreApplication::applicationFilePath(), {test, "pictures"});
    QVERIFY(process.waitForFinished(60000));
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0, process.readAll());
  }
};

HEADLIGHT_WIDGET_TEST(TestImageTest)

}  // namespace headlight::test_image_test

#include "test_image_test.moc"
