// The living map of each kind of model as a picture, and what leaves the program: definitions, type that can be read on
// paper, and darkness that means the same in grey.
#include <QFile>
#include <QPainter>
#include <QPicture>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "tests/test_program.h"
#include "tests/widgets/living_shown.h"
#include "tests/widgets/recorded_text.h"
#include "widgets/base/tokens.h"
#include "widgets/export/export.h"

namespace headlight::test_living_pictures {

namespace {

constexpr double kA4 = 842;  // points of its longer side

double luminance(const QColor& colour) { return 0.299 * colour.red() + 0.587 * colour.green() + 0.114 * colour.blue(); }

}  // namespace

class TestLivingPictures : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { Theme::instance().set(Theme::Mode::light, 1); }

  void every_kind_data() {
    QTest::addColumn<int>("example");
    QTest::addColumn<int>("level");
    int i = 0;
    for (const LivingExample& each : kLivingExamples) QTest::newRow(each.kind) << i++ << 0;
    QTest::newRow("decoder_only_word") << 0 << 4;
    QTest::newRow("decoder_only_cell") << 0 << 5;
    QTest::newRow("recurrent_cell") << 4 << 5;
    QTest::newRow("memory_word") << 8 << 4;
  }
  void every_kind() {
    QFETCH(int, example);
    QFETCH(int, level);
    for (const bool dark : {false, true}) {
      Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
      LivingShown shown(kLivingExamples[example], {800, 560});
      if (level > 0) shown.view.go_to_level(static_cast<LivingLevel>(level));
      shown.view.clearFocus();
      COMPARE_IMAGE(shown.picture(),
                    QStringLiteral("living_%1_%2").arg(QTest::currentDataTag(), dark ? "dark" : "light"));
    }
  }

  // On a wall every capital is a 45th of the picture's height at least, also what stands at stations and in cards.
  void everything_is_large_on_a_wall_data() {
    QTest::addColumn<int>("example");
    int i = 0;
    for (const LivingExample& each : kLivingExamples) QTest::newRow(each.kind) << i++;
  }
  void everything_is_large_on_a_wall() {
    QFETCH(int, example);
    const QSize wall(1280, 720);
    double scale = 1;
    const auto capital = [] { return QFontMetricsF(Theme::instance().ui_font()).capHeight(); };
    for (; scale < 5; scale += 0.05) {
      Theme::instance().set(Theme::Mode::projector, scale);
      if (capital() >= wall.height() / 45.0) break;
    }
    LivingShown shown(kLivingExamples[example], wall);
    for (const int level : {2, 3, 4}) {
      shown.view.go_to_level(static_cast<LivingLevel>(level));
      int words = 0;
      for (const RecordedText& text : texts_of(&shown.view)) {
        if (text.text.trimmed().isEmpty()) continue;
        ++words;
        QVERIFY2(text.capital >= wall.height() / 45.0 - 1,
                 qPrintable(QStringLiteral("'%1': %2").arg(text.text).arg(text.capital)));
      }
      QVERIFY(words > 10);
      if (example == 0 && level != 3) COMPARE_IMAGE(shown.picture(), QStringLiteral("living_presented_%1").arg(level));
      if ((example == 2 || example == 4 || example == 8) && level == 2)
        COMPARE_IMAGE(shown.picture(), QStringLiteral("living_presented_%1").arg(kLivingExamples[example].kind));
    }
  }

  // Lanes that are not chosen stand out from the paper, 2 : 1 at least, by a line along their lower edge; the lanes of
  // hundreds of words touch, and have none.
  void every_other_lane_has_a_bank() {
    for (const Theme::Mode mode : {Theme::Mode::light, Theme::Mode::dark}) {
      Theme::instance().set_mode(mode);
      QVERIFY(contrast(tokens().bank, tokens().paper) >= 2);
      for (const int height : {624, 180}) {
        LivingShown shown(kLivingExamples[0], {904, height});
        const QImage image = shown.picture();
        const auto& rows = shown.view.scene().layout.rows;
        for (std::size_t lane = 0; lane < rows.size(); ++lane) {
          const LivingRow& row = rows[lane];
          const int from = static_cast<int>(row.x0) + 4, to = static_cast<int>(row.x1) - 4;
          int bank = 0;
          for (int x = from; x < to; ++x)
            bank += image.pixelColor(x, static_cast<int>(std::round(row.y + row.bed / 2))) == tokens().bank ? 1 : 0;
          const bool has = height > 500 && static_cast<int>(lane) != shown.view.choice().lane;
          QVERIFY2(has ? bank > 0.6 * (to - from) : bank == 0, qPrintable(QString::number(bank)));
        }
      }
    }
  }

  // Printed in grey, more flow is more ink: strictly, over the whole ramp and in the picture.
  void more_flow_is_darker_in_grey() {
    for (const double root : {0.3, 0.42, 0.5}) {
      const LivingInk ink = LivingInk::now(root);
      double before = 1e9;
      for (double flow = 0.01; flow <= 1.0001; flow *= 1.25) {
        const double now = luminance(ink.water(flow));
        QVERIFY2(now < before, qPrintable(QString::number(flow)));
        before = now;
      }
    }
    LivingShown shown(kLivingExamples[0]);
    const LivingView& view = shown.view;
    const QImage image = shown.picture();
    struct Bed {
      double flow, luminance;
    };
    std::vector<Bed> beds;
    const int embedding = view.map()->embedding(LivingLane::Side::target);
    for (std::size_t lane = 0; lane < view.map()->lanes.size(); ++lane) {
      const LivingRow& row = view.scene().layout.rows[lane];
      const double flow = view.scene().at(embedding, static_cast<int>(lane));
      if (flow < 0.01) continue;
      beds.push_back({flow, luminance(image.pixelColor(static_cast<int>(row.x0) + 3, static_cast<int>(row.y)))});
    }
    QVERIFY(beds.size() > 5);
    std::sort(beds.begin(), beds.end(), [](const Bed& a, const Bed& b) { return a.flow < b.flow; });
    for (std::size_t i = 1; i < beds.size(); ++i)
      if (beds[i].flow > 1.15 * beds[i - 1].flow) QVERIFY(beds[i].luminance < beds[i - 1].luminance);
  }

  // In files with vectors stands what is on the screen, also where one has come near; its pictures are opaque, for some
  // programs mix black into the edges of others.
  void files_show_what_is_seen_data() {
    QTest::addColumn<int>("example");
    int i = 0;
    for (const LivingExample& each : kLivingExamples) QTest::newRow(each.kind) << i++;
  }
  void files_show_what_is_seen() {
    QFETCH(int, example);
    LivingShown shown(kLivingExamples[example], {800, 560});
    shown.view.clearFocus();
    for (const double nearer : {1.0, 2.5}) {
      if (nearer > 1) shown.view.zoom(nearer, {400, 300});
      shown.picture();
      const Figure figure = shown.view.figure();
      QPicture vectors;
      QPainter recorder(&vectors);
      figure.paint(recorder);
      recorder.end();
      QImage file(figure.size, QImage::Format_RGB32), screen(figure.size, QImage::Format_RGB32);
      for (QImage* image : {&file, &screen}) {
        image->fill(tokens().paper);
        QPainter painter(image);
        if (image == &file)
          painter.drawPicture(0, 0, vectors);
        else
          figure.paint(painter);
      }
      // The mean of a tile of 16 pixels: edges are smoothed in another way.
      const auto mean = [](const QImage& image, int x, int y) {
        double sum = 0;
        for (int dy = 0; dy < 16; ++dy)
          for (int dx = 0; dx < 16; ++dx) sum += luminance(image.pixelColor(x + dx, y + dy));
        return sum / 256;
      };
      double apart = 0;
      int tiles = 0;
      for (int y = 0; y + 16 <= file.height(); y += 16)
        for (int x = 0; x + 16 <= file.width(); x += 16, ++tiles) {
          const double one = std::abs(mean(file, x, y) - mean(screen, x, y));
          QVERIFY2(one < 40, qPrintable(QStringLiteral("%1, %2, times %3").arg(x).arg(y).arg(nearer)));
          apart += one;
        }
      QVERIFY2(apart / tiles < 0.55, qPrintable(QStringLiteral("%1, times %2").arg(apart / tiles).arg(nearer)));
    }
    QTemporaryDir folder;
    const QString path = folder.filePath("map.svg");
    const Figure figure = shown.view.figure();
    export_picture(path, figure.size, figure.paint);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString svg = QString::fromUtf8(file.readAll());
    static const QRegularExpression data(QStringLiteral("data:image/png;base64,([^\"]+)"));
    int pictures = 0;
    for (auto match = data.globalMatch(svg); match.hasNext(); ++pictures)
      QVERIFY(!QImage::fromData(QByteArray::fromBase64(match.next().captured(1).toLatin1())).hasAlphaChannel());
    // Pictures of cells are cells: what is left as a picture are the ground and large heads.
    QVERIFY(pictures > 0 || svg.count("<rect") + svg.count("<path") > 100);
  }

  // On A4 no type is smaller than 6 points; key and definitions are there.
  void files_can_be_read_on_paper_data() {
    QTest::addColumn<int>("example");
    int i = 0;
    for (const LivingExample& each : kLivingExamples) QTest::newRow(each.kind) << i++;
  }
  void files_can_be_read_on_paper() {
    QFETCH(int, example);
    for (const QSize size : {QSize(904, 624), QSize(1280, 800)}) {
      LivingShown shown(kLivingExamples[example], size);
      const QFont font = Theme::instance().ui_font();
      const double of_capital = QFontInfo(font).pixelSize() / QFontMetricsF(font).capHeight();
      QStringList all;
      for (const RecordedText& text : texts_of(shown.view.figure())) {
        all << text.text;
        if (text.text.trimmed().isEmpty()) continue;
        const double points = text.capital * of_capital * kA4 / size.width();
        QVERIFY2(points >= 6, qPrintable(QStringLiteral("'%1': %2 pt").arg(text.text).arg(points)));
        QVERIFY2(!text.text.contains(QChar(0x2026)), qPrintable("cut: " + text.text));
      }
      const QString whole = all.join(' ');
      QVERIFY(whole.contains(QStringLiteral("100 %")));  // the key
      QVERIFY(whole.contains(QStringLiteral("Wide")));
      QVERIFY(whole.contains(QStringLiteral("colour")));
    }
  }
};

HEADLIGHT_WIDGET_TEST(TestLivingPictures)

}  // namespace headlight::test_living_pictures

#include "test_living_pictures.moc"
