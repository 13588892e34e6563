// What the living map is made of, without a window: the curve of its bands, the field of thousands of them, the camera
// and the cache of pictures.
#include <QTest>
#include <atomic>
#include <cmath>
#include <mutex>

#include "tests/test_program.h"
#include "widgets/views/living/scene/band.h"
#include "widgets/views/living/scene/camera.h"
#include "widgets/views/living/scene/field.h"
#include "widgets/views/living/scene/spread.h"
#include "widgets/views/living/scene/tile_cache.h"

namespace headlight::test_living_parts {

namespace {

// Every pair of a causal text: lane t takes from each lane j up to it, in widths that add up to its bed.
std::vector<FieldBand> causal_pairs(int lanes, double pitch, double bed, double* area, double length) {
  std::vector<FieldBand> bands;
  *area = 0;
  for (int t = 0; t < lanes; ++t) {
    double top = pitch * (t + 0.5) - bed / 2;
    for (int j = 0; j <= t; ++j) {
      const double width = bed * 2 * (j + 1) / ((t + 1.0) * (t + 2));
      const double from = pitch * (j + 0.5);
      bands.push_back({static_cast<float>(from - width / 2), static_cast<float>(from + width / 2),
                       static_cast<float>(top), static_cast<float>(top + width), 0.5F, 0.5F});
      *area += width * length;
      top += width;
    }
  }
  return bands;
}

double covered(std::span<const FieldBand> bands, int width, int height) {
  std::mutex lock;
  double sum = 0;
  field_columns(bands, 0, width, width, height, [&](int, std::span<const float> cover, std::span<const float>) {
    double column = 0;
    for (const float each : cover) column += static_cast<double>(each);
    const std::lock_guard held(lock);
    sum += column;
  });
  return sum;
}

}  // namespace

class TestLivingParts : public QObject {
  Q_OBJECT

 private slots:
  void a_band_is_the_path_that_is_drawn() {
    const Band band{10, 40, 6, 110, 90, 12};
    QCOMPARE(band.y_at(10), 40.0);
    QCOMPARE(band.y_at(60), 65.0);
    QCOMPARE(band.y_at(110), 90.0);
    QCOMPARE(band.y_at(35), 40 + 50 * (3 * 0.0625 - 2 * 0.015625));
    const QPainterPath path = band.path();
    for (double x = 12; x < 110; x += 7) {
      const double middle = band.y_at(x), half = band.width_at(x) / 2;
      QVERIFY(path.contains(QPointF(x, middle + half - 0.05)));
      QVERIFY(path.contains(QPointF(x, middle - half + 0.05)));
      QVERIFY(!path.contains(QPointF(x, middle + half + 0.05)));
      QVERIFY(!path.contains(QPointF(x, middle - half - 0.05)));
    }
  }

  void a_band_is_hit_within_three_pixels() {
    const Band band{0, 50, 4, 100, 10, 4};
    QVERIFY(band.hit({50, 30}));
    QVERIFY(band.hit({50, 34.9}));
    QVERIFY(!band.hit({50, 35.1}));
    QVERIFY(!band.hit({50, 24.9}));
    QVERIFY(!band.hit({-1, 50}));
    QVERIFY(!band.hit({101, 10}));
  }

  void a_field_covers_what_its_bands_cover_data() {
    QTest::addColumn<int>("lanes");
    QTest::addColumn<double>("pitch");
    QTest::newRow("wide lanes") << 18 << 27.0;
    QTest::newRow("64") << 64 << 9.3;
    QTest::newRow("512, thinner than a pixel") << 512 << 1.2;
  }
  void a_field_covers_what_its_bands_cover() {
    QFETCH(int, lanes);
    QFETCH(double, pitch);
    double area = 0;
    const auto bands = causal_pairs(lanes, pitch, 0.66 * pitch, &area, 60);
    QCOMPARE(static_cast<int>(bands.size()), lanes * (lanes + 1) / 2);
    const double sum = covered(bands, 60, static_cast<int>(std::ceil(lanes * pitch)));
    QVERIFY2(std::abs(sum - area) <= 0.01 * area, qPrintable(QStringLiteral("%1 of %2").arg(sum).arg(area)));
    // One that is left out is noticed: the widest of the last lane.
    const std::span<const FieldBand> fewer(bands.data(), bands.size() - 1);
    QVERIFY(covered(fewer, 60, static_cast<int>(std::ceil(lanes * pitch))) < sum);
  }

  void a_level_band_covers_parts_of_pixels() {
    const FieldBand band{1.25F, 3.5F, 1.25F, 3.5F, 0.4F, 0.4F};
    std::atomic<int> columns = 0;
    field_columns({&band, 1}, 0, 3, 3, 6, [&](int, std::span<const float> cover, std::span<const float> depth) {
      ++columns;
      const float wanted[] = {0, 0.75F, 1, 0.5F, 0, 0};
      for (std::size_t y = 0; y < 6; ++y) {
        if (std::abs(cover[y] - wanted[y]) > 1e-5F) columns += 100;
        if (std::abs(depth[y] - 0.4F * wanted[y]) > 1e-5F) columns += 100;
      }
    });
    QCOMPARE(columns.load(), 3);
  }

  void a_field_is_cut_at_the_borders_of_its_picture() {
    const FieldBand bands[] = {{-5, 2, -5, 2, 1, 1}, {7, 30, 7, 30, 1, 1}, {-9, -1, -9, -1, 1, 1}};
    QCOMPARE(covered(bands, 4, 10), 4 * (2 + 3.0));
  }

  void the_picture_of_a_field_has_the_colour_of_its_depth() {
    FieldColours colours;
    for (int i = 0; i < 256; ++i) colours[static_cast<std::size_t>(i)] = qRgba(i, 0, 255 - i, 255);
    const FieldBand bands[] = {{2, 4, 2, 4, 1, 1}, {2, 3, 2, 3, 0, 0}};
    const QImage image = field_image(bands, 0, 4, {4, 6}, colours);
    QCOMPARE(image.pixel(1, 0), qRgba(0, 0, 0, 0));
    QCOMPARE(image.pixel(1, 2), qRgba(128, 0, 127, 255));  // two lie here: their mean
    QCOMPARE(image.pixel(1, 3), qRgba(255, 0, 0, 255));
  }

  void a_point_stays_where_it_is_while_one_zooms() {
    LivingCamera camera;
    const LivingCamera::Room view{{600, 400}};
    const QPointF point(420, 130);
    const auto under = [&] {
      return QPointF((camera.scroll.x() + point.x()) / camera.depth, (camera.scroll.y() + point.y()) / camera.lanes);
    };
    const QPointF before = under();
    camera.zoom(1.5, point, LivingCamera::Along::both, view);
    camera.zoom(3, point, LivingCamera::Along::both, view);
    QCOMPARE(camera.depth, 4.5);
    QCOMPARE(camera.lanes, 4.5);
    QVERIFY(std::abs(under().x() - before.x()) < 1 && std::abs(under().y() - before.y()) < 1);  // of whole pixels
    camera.zoom(2, point, LivingCamera::Along::depth, view);
    QCOMPARE(camera.depth, 9.0);
    QCOMPARE(camera.lanes, 4.5);
    camera.zoom(2, point, LivingCamera::Along::lanes, view);
    QCOMPARE(camera.depth, 9.0);
    QCOMPARE(camera.lanes, 9.0);
    camera.zoom(1e-6, point, LivingCamera::Along::both, view);
    QCOMPARE(camera, LivingCamera{});
  }

  // A line between the lanes stays as high as it is.
  void what_does_not_stretch_is_counted() {
    LivingCamera camera;
    const LivingCamera::Room room{{600, 420}, {0, 20}};
    const auto page = [&](double lane) {
      return 400 * lane * camera.lanes + (lane > 0.5 ? 20 : 0) - camera.scroll.y();
    };
    const double before = page(0.7);
    camera.zoom(2, {0, before}, LivingCamera::Along::lanes, room, {9, 9}, {0, 20});
    QVERIFY(std::abs(page(0.7) - before) <= 0.5);
    camera.pan({0, -1e6}, room);
    QCOMPARE(page(1), 420.0);
  }

  void nothing_beyond_the_map_is_seen() {
    LivingCamera camera;
    camera.zoom(2, {0, 0}, LivingCamera::Along::both, {{100, 80}});
    camera.pan({50, 50}, {{100, 80}});
    QCOMPARE(camera.scroll, QPointF(0, 0));
    camera.pan({-1000, -1000}, {{100, 80}});
    QCOMPARE(camera.scroll, QPointF(100, 80));
  }

  void levels_keep_their_ground() {
    const auto at = [](double lane, double layer, LivingLevel before, QSizeF number = {0, 0}) {
      return living_level({lane, layer, number}, before);
    };
    using L = LivingLevel;
    QCOMPARE(at(13.9, 300, L::model), L::model);
    QCOMPARE(at(14, 300, L::model), L::lanes);
    QCOMPARE(at(12, 300, L::lanes), L::lanes);  // 15 %
    QCOMPARE(at(11.8, 300, L::lanes), L::model);
    QCOMPARE(at(40, 479, L::lanes), L::lanes);
    QCOMPARE(at(40, 480, L::lanes), L::layer);
    QCOMPARE(at(130, 480, L::layer), L::word);
    QCOMPARE(at(130, 480, L::layer, {40, 18}), L::cell);
    QCOMPARE(at(130, 480, L::cell, {35, 16}), L::cell);
    QCOMPARE(at(130, 480, L::word, {35, 16}), L::word);
  }

  void the_cache_forgets_what_was_not_used_for_longest() {
    const auto image = [] { return QImage(16, 16, QImage::Format_ARGB32_Premultiplied); };  // 1024 bytes
    TileCache<int> cache(3 * 1024);
    for (const int key : {1, 2, 3}) cache.put(key, image());
    QVERIFY(cache.find(1));
    cache.put(4, image());
    QVERIFY(cache.find(1) && !cache.find(2) && cache.find(3) && cache.find(4));
    QCOMPARE(cache.bytes(), 3 * 1024);
    cache.put(4, image());  // the same again takes no more room
    QCOMPARE(cache.bytes(), 3 * 1024);
    cache.put(5, QImage(64, 64, QImage::Format_ARGB32_Premultiplied));  // larger than all of it
    QVERIFY(!cache.find(5));
    QCOMPARE(cache.count(), 3);
    cache.clear();
    QCOMPARE(cache.bytes(), 0);
  }

  // Three lines of 10 that want the same place stand around it; one that is far is not moved; a heavy one stays; at the
  // borders they make room.
  void lines_stand_where_they_are_wanted() {
    using Places = std::vector<double>;
    const auto spread = [](const Places& wanted, Places weights = {}) {
      if (weights.empty()) weights.assign(wanted.size(), 1);
      Places places = spread_lines(wanted, weights, 10, 0, 200);
      for (double& place : places) place = std::round(place * 100) / 100;
      return places;
    };
    QCOMPARE(spread({50, 50, 50}), (Places{40, 50, 60}));
    QCOMPARE(spread({50, 50, 120}), (Places{45, 55, 120}));
    QCOMPARE(spread({50, 54, 58}), (Places{44, 54, 64}));
    QCOMPARE(spread({3, 4}), (Places{5, 15}));
    QCOMPARE(spread({196, 199}), (Places{185, 195}));
    const Places heavy = spread({50, 51, 52}, {1, 1000, 1});
    QVERIFY(std::abs(heavy[1] - 51) < 0.05 && std::abs(heavy[0] - 41) < 0.05 && std::abs(heavy[2] - 61) < 0.05);
    QVERIFY(spread({}).empty());
  }
};

HEADLIGHT_TEST(TestLivingParts)

}  // namespace headlight::test_living_parts

#include "test_living_parts.moc"
