// The positions view: layout, choosing by mouse and keys, export, pictures.
#include <QComboBox>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <functional>

#include "image_test.h"
#include "model/core/errors.h"
#include "model/io/model_folder.h"
#include "model/ops/positions.h"
#include "small_runs.h"
#include "tests/test_program.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/positions/positions_view.h"

namespace headlight::test_positions_view {

namespace {

using Part = PositionsHit::Part;

PositionTable formula(Index positions, Index size, bool used = true) {
  PositionTable table;
  table.values = sinusoid_table(positions, size, Sinusoid::pairs);
  table.used = used;
  return table;
}

// What a learned table may look like: smooth along the positions, and no two numbers belong together.
PositionTable learned(Index positions, Index size) {
  PositionTable table;
  table.parameter = "encoder.pos.W";
  table.values = Tensor({positions, size});
  for (Index p = 0; p < positions; ++p)
    for (Index i = 0; i < size; ++i)
      table.values[p * size + i] = static_cast<Scalar>(
          0.1 * std::sin(0.7 * static_cast<double>(i * i % 17) + 0.05 * static_cast<double>((i % 5 + 1) * p)));
  return table;
}

std::shared_ptr<const Result> rotary_run(const char* pairs = "halves", const std::string& source = "abcdeabc") {
  return sample::small_run({{"model_type", "transformer"},
                            {"model_size", 32},
                            {"heads", 2},
                            {"ff_size", 16},
                            {"encoder_layers", 2},
                            {"decoder_layers", 1},
                            {"positions", "rotary"},
                            {"rotary_pairs", pairs}},
                           source);
}

// The direction of the line of a colour that ends farthest from the middle of the clock, in degrees.
double direction_of(const QImage& image, const QRectF& clock, const QColor& colour) {
  double most = 0, x = 0, y = 0;
  for (int row = static_cast<int>(clock.top()); row < clock.bottom(); ++row)
    for (int column = static_cast<int>(clock.left()); column < clock.right(); ++column) {
      const QColor here = image.pixelColor(column, row);
      const int apart = std::abs(here.red() - colour.red()) + std::abs(here.green() - colour.green()) +
                        std::abs(here.blue() - colour.blue());
      const QPointF away = QPointF(column + 0.5, row + 0.5) - clock.center();
      if (apart < 12 && std::hypot(away.x(), away.y()) > 0.7 * clock.width() / 2) x += away.x(), y -= away.y(), ++most;
    }
  return most > 0 ? std::atan2(y, x) * 180 / M_PI : 1e9;
}

}  // namespace

class TestPositionsView : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void parts_stand_apart_at_every_size() {
    for (const QSizeF view : {QSizeF(300, 200), QSizeF(700, 420), QSizeF(2000, 1200)})
      for (const int panels : {1, 2})
        for (const int places : {3, 20, 64}) {
          PlacesLayout::Metrics m;
          m.view = view;
          m.panels = panels;
          m.shares.assign(static_cast<std::size_t>(places), 1);
          const PlacesLayout layout = PlacesLayout::of(m);
          QList<QRectF> all;
          for (const PlacesLayout::Panel& panel : layout.panels)
            all << panel.head << panel.waves[0] << panel.waves[1] << panel.numbers << panel.likeness;
          QCOMPARE(all.size(), 5 * panels);
          for (int i = 0; i < all.size(); ++i) {
            QVERIFY(all[i].width() > 20 && all[i].height() > 20);
            QVERIFY(QRectF(0, 0, layout.width, layout.height).contains(all[i]));
            for (int j = 0; j < i; ++j) QVERIFY(!all[i].intersects(all[j]));
          }
          for (int panel = 0; panel < panels; ++panel) {
            const double x = layout.panels[static_cast<std::size_t>(panel)].columns.centre(places - 1);
            QCOMPARE(layout.place_at({x, layout.line(panel, 23).center().y()}),
                     (PlacesHit{PlacesHit::Part::numbers, panel, places - 1, 23}));
            QCOMPARE(layout.place_at({x, layout.row(panel, 1).center().y()}),
                     (PlacesHit{PlacesHit::Part::likeness, panel, places - 1, 1}));
            QCOMPARE(layout.place_at({x, layout.panels[static_cast<std::size_t>(panel)].waves[1].center().y()}),
                     (PlacesHit{PlacesHit::Part::wave, panel, places - 1, 1}));
          }
          QCOMPARE(layout.place_at({0, 0}), PlacesHit{});
        }
  }

  // The lines are those numbers of Vaswani et al. 2017, section 3.5 that change most, computed here; the likeness is
  // the product of the rows, and what is said of them is so.
  void numbers_and_likeness_by_the_formula() {
    PositionsView view;
    view.set_tables({formula(64, 64)});
    show_at(view, {700, 640});
    const int places = view.places_layout().places();
    const auto number = [](int place, int i) {
      const double angle = place / std::pow(10000.0, 2.0 * (i / 2) / 64);
      return i % 2 == 0 ? std::sin(angle) : std::cos(angle);
    };
    std::vector<std::pair<double, int>> spread;
    for (int i = 0; i < 64; ++i) {
      double sum = 0, squares = 0;
      for (int place = 0; place < places; ++place)
        sum += number(place, i), squares += number(place, i) * number(place, i);
      spread.emplace_back(squares / places - sum / places * (sum / places), i);
    }
    std::ranges::sort(spread, std::greater());
    std::vector<int> wanted;
    for (int i = 0; i < 24; ++i) wanted.push_back(spread[static_cast<std::size_t>(i)].second);
    std::ranges::sort(wanted, [](int a, int b) { return std::pair(a % 2, a) < std::pair(b % 2, b); });
    QVERIFY(view.numbers() == wanted);
    const std::vector<double> alike = view.likeness(view.tables()[0]);
    for (const int a : {0, 3, 11})
      for (const int b : {0, 5, 11}) {
        double product = 0;
        for (int i = 0; i < 64; ++i) product += number(a, i) * number(b, i);
        QVERIFY(std::abs(alike[static_cast<std::size_t>(a * places + b)] - product) < 1e-4);
      }
    QCOMPARE(view.table_sentence(view.tables()[0]), QStringLiteral("neighbours are equally alike at every place"));
    QCOMPARE(view.table_sentence(learned(64, 64)), QString());  // nothing is known of its training
  }

  void what_was_not_learned_is_said() {
    Request request;
    request.model = load_model("copy-learned");
    request.source = "31415926535897932384";
    const auto result = std::make_shared<const Result>(run(request));
    PositionsView view;
    view.set_result(result);
    show_at(view, {1200, 640});
    QCOMPARE(view.places_layout().panels.size(), std::size_t(2));
    const auto trained = result->model->text.longest_source;
    QCOMPARE(trained, Index(10));
    double before = 0, after = 0;
    const PositionTable& table = view.tables()[1];
    for (Index i = 0; i < 20 * table.size(); ++i)
      (i < 10 * table.size() ? before : after) += std::abs(static_cast<double>(table.values[i]));
    QVERIFY(after < 0.5 * before);
    QCOMPARE(view.table_sentence(table), QStringLiteral("after place 10 hardly anything was learned"));
  }

  void starts_with_what_the_model_uses() {
    PositionsView view;
    view.set_tables({formula(64, 16, false), learned(64, 16)});
    QCOMPARE(view.table(), 1);
    QVERIFY(view.accessibleName().contains("learned by the encoder"));
    view.set_tables({formula(64, 16)});
    QCOMPARE(view.table(), 0);
    QVERIFY(view.description().contains("turns once in"));
  }

  void the_keyboard_walks() {
    PositionsView view;
    view.set_tables({formula(64, 16, false), learned(64, 16)});
    show_at(view, {640, 420});
    view.choose(0, 5, 2);
    QSignalSpy chosen(&view, &PositionsView::chosen);
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(chosen.last(), (QVariantList{0, 6, 3}));
    QTest::keyClick(&view, Qt::Key_End);
    QCOMPARE(view.position(), view.places_layout().places() - 1);
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(view.position(), view.places_layout().places() - 1);
    for (int i = 0; i < 9; ++i) QTest::keyClick(&view, Qt::Key_PageDown);
    QCOMPARE(view.pair(), 7);
    QTest::keyClick(&view, Qt::Key_Home);
    QCOMPARE(view.position(), 0);
    QTest::keyClick(&view, Qt::Key_Space);
    QCOMPARE(view.table(), 1);
    QCOMPARE(view.ResultView::table()->rowCount(), 64);
    QVERIFY(view.accessibleDescription().startsWith("Place 1, numbers 14 and 15 of 16"));
  }

  void clicks_and_drags_choose() {
    PositionsView view;
    view.set_tables({formula(64, 16), learned(64, 16)});
    show_at(view, {1100, 640});
    const PlacesLayout& layout = view.places_layout();
    QCOMPARE(layout.panels.size(), std::size_t(2));
    const TextColumns& columns = layout.panels[1].columns;
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {},
                      QPointF(columns.centre(7), layout.line(1, 3).center().y()).toPoint());
    QCOMPARE(view.table(), 1);
    QCOMPARE(view.position(), 7);
    QCOMPARE(view.pair(), view.numbers()[3] / 2);
    QCOMPARE(view.wave_number(0), view.numbers()[3] / 2 * 2);
    const double y = layout.panels[0].waves[0].center().y();
    QTest::mousePress(view.viewport(), Qt::LeftButton, {}, QPointF(layout.panels[0].columns.centre(1), y).toPoint());
    const QPointF to(layout.panels[0].columns.centre(9), y);
    QMouseEvent move(QEvent::MouseMove, to, view.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(view.viewport(), &move);
    QCOMPARE(view.position(), 9);
    QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, to.toPoint());
  }

  void rotations_are_offered_and_follow_the_text() {
    const auto result = rotary_run();
    QVERIFY(PositionsView::offers(*result));
    PositionsView view;
    view.set_result(result);
    QVERIFY(view.is_empty());  // hidden: nothing is done
    show_at(view, {640, 420});
    QVERIFY(view.rotation() && !view.is_empty());
    QCOMPARE(view.tables().size(), std::size_t(2));
    const Tensor all = result->trace->value("encoder.layer[0].self_attn.head.q_rotated");
    QCOMPARE(view.rotation()->rotated_queries.size(), all.size() / 2);
    for (Index i = 0; i < all.size() / 2; ++i) QCOMPARE(view.tables()[1].values[i], all[i]);
    QCOMPARE(view.position(), 3);
    QVERIFY(view.accessibleName().contains("queries, turned"));
    view.choose(1, 4, 2);
    view.set_result(rotary_run("halves", "abcdeabcd"));
    QCOMPARE(view.rotation()->rows(), Index(9));
    QCOMPARE(view.position(), 4);  // what is looked at stays
    QCOMPARE(view.pair(), 2);
    const auto* still = view.rotation();
    view.set_result(sample::small_run({{"model_type", "transformer"}, {"model_size", 8}, {"heads", 2}}));
    QVERIFY(still && !view.rotation() && !view.is_empty());
  }

  void a_head_can_be_chosen() {
    const auto result = rotary_run();
    PositionsView view;
    view.set_result(result);
    show_at(view, {640, 420});
    const auto boxes = view.findChildren<QComboBox*>();
    QCOMPARE(boxes.size(), 3);  // the last one: which picture
    QCOMPARE(boxes[0]->count(), 3);  // two layers of the encoder, one of the decoder
    QCOMPARE(boxes[1]->count(), 2);
    for (const QComboBox* box : boxes) QVERIFY(box->isVisible() && !box->accessibleName().isEmpty());
    QTest::keyClick(boxes[0], Qt::Key_Down);
    QTest::keyClick(boxes[1], Qt::Key_Down);
    const Tensor all = result->trace->value("encoder.layer[1].self_attn.head.q");
    const Index half = all.size() / 2;
    for (Index i = 0; i < half; ++i) QCOMPARE(view.tables()[0].values[i], all[half + i]);
    QVERIFY(!view.viewport()->geometry().intersects(boxes[0]->parentWidget()->geometry()));
  }

  void the_angle_is_the_position_times_the_speed_of_the_pair() {
    PositionsView view;
    view.set_result(rotary_run());  // 16 numbers in a head: 10000^(-2/16) = 0.316
    show_at(view, {640, 420});
    view.choose(1, 3, 1);
    QVERIFY2(view.description().contains("3 × 0.316 = 0.95 rad = 54°"), qPrintable(view.description()));
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY2(view.description().contains("3 × 0.01 = 0.0300 rad = 1.72°"), qPrintable(view.description()));
    QTest::keyClick(&view, Qt::Key_Up);
    QVERIFY(view.description().contains("2 × 0.01 = "));
    QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(view.key(), 2);
    QCOMPARE(view.position(), 2);
    QVERIFY2(view.description().contains(", 0 positions away"), qPrintable(view.description()));
    for (int i = 0; i < 20; ++i) QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(view.key(), 7);
  }

  void the_hands_point_where_the_trace_does_data() {
    QTest::addColumn<QString>("pairs");
    QTest::newRow("halves") << "halves";
    QTest::newRow("neighbours") << "neighbours";
  }
  void the_hands_point_where_the_trace_does() {
    QFETCH(QString, pairs);
    const auto result = rotary_run(qPrintable(pairs));
    PositionsView view;
    view.set_result(result);
    show_at(view, {640, 420});
    for (const int pair : {0, 1, 2}) {
      view.choose(1, 5, pair);
      const QImage image = view.viewport()->grab().toImage();
      const bool halves = pairs == "halves";
      const Index first = halves ? pair : 2 * pair, second = halves ? pair + 8 : 2 * pair + 1;
      for (const bool turned : {false, true}) {
        const std::string leaf = turned ? "q_rotated" : "q";
        const Tensor row = result->trace->value("encoder.layer[0].self_attn.head." + leaf);
        const double expected =
            std::atan2(static_cast<double>(row[5 * 16 + second]), static_cast<double>(row[5 * 16 + first])) * 180 /
            M_PI;
        const double found = direction_of(image, view.positions_layout().clock, view.table_colour(turned ? 1 : 0));
        QVERIFY2(std::abs(std::remainder(found - expected, 360)) < 4,
                 qPrintable(QString("%1 %2: %3, not %4").arg(pair).arg(turned).arg(found).arg(expected)));
      }
    }
  }

  void a_key_is_chosen_at_its_distance() {
    PositionsView view;
    view.set_result(rotary_run());
    show_at(view, {640, 420});
    view.choose(1, 4, 0);
    const PositionsLayout& layout = view.positions_layout();
    QCOMPARE(layout.metrics.distances, 16);
    const auto click = [&](int distance) {
      const QPointF at(layout.similarity_x(distance + 16), layout.similarity.center().y());
      QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, at.toPoint());
    };
    click(2);
    QCOMPARE(view.key(), 6);
    click(-12);
    QCOMPARE(view.key(), 0);
    QVERIFY(view.description().contains(", -4 positions away"));
    QCOMPARE(view.position(), 4);
    for (const QSizeF size : {QSizeF(300, 200), QSizeF(640, 390), QSizeF(2000, 1200)}) {
      PositionsLayout::Metrics m;
      m.view = size;
      m.distances = 16;
      const PositionsLayout at = PositionsLayout::of({9, 9}, {16, 16}, m);
      const QRectF all[] = {at.tables[0],     at.tables[1],         at.clock, at.clock_words, at.similarity,
                            at.clock_caption, at.similarity_caption};
      for (std::size_t i = 0; i < std::size(all); ++i) {
        QVERIFY(QRectF(0, 0, at.width, at.height).contains(all[i]));
        for (std::size_t j = 0; j < i; ++j) QVERIFY(!all[i].intersects(all[j]));
      }
      QVERIFY(at.clock.width() > 60 && at.clock.width() == at.clock.height());
      QVERIFY(at.clock_words.height() >= m.caption);
    }
  }

  void a_run_without_its_queries_says_so() {
    auto bare = std::make_shared<Result>(*rotary_run());
    bare->trace = nullptr;
    QVERIFY(PositionsView::offers(*bare));
    PositionsView view;
    view.set_result(bare);
    show_at(view, {360, 240});
    QVERIFY(view.is_empty());
    QVERIFY(view.description().contains("recorded none"));
  }

  void exports_and_emptiness() {
    QTemporaryDir folder;
    PositionsView view;
    QVERIFY(view.is_empty());
    QVERIFY_EXCEPTION_THROWN(view.export_to("x.png"), UsageError);
    show_at(view, {500, 300});
    view.set_tables({formula(32, 8)});
    for (const char* name : {"p.png", "p.svg", "p.pdf", "p.csv"}) {
      view.export_to(folder.filePath(name));
      QVERIFY(QFile(folder.filePath(name)).size() > 500);
    }
    QFile file(folder.filePath("p.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readLine(), QByteArray("position,0,1,2,3,4,5,6,7\r\n"));
    QVERIFY(file.readLine().startsWith("0,0,1,0,1,"));
    file.close();
    view.set_result(rotary_run());
    view.export_to(folder.filePath("r.svg"));
    QVERIFY(QFile(folder.filePath("r.svg")).size() > 500);
    view.export_to(folder.filePath("p.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readLine().count(','), 16);
    const double written = QString(file.readLine()).section(',', 1, 1).toDouble();
    QVERIFY(std::abs(written - static_cast<double>(view.rotation()->rotated_queries[0])) < 1e-6);
  }

  void pictures_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void pictures() {
    QFETCH(bool, dark);
    const QString theme = dark ? "dark" : "light";
    Theme::instance().set_mode(dark ? Theme::Mode::dark : Theme::Mode::light);
    PositionsView view;
    view.set_tables({formula(100, 64)});
    view.choose(0, 5, 2);
    show_at(view, {700, 600});
    COMPARE_IMAGE(view, "positions_" + theme);
    view.resize(1100, 640);
    view.set_tables({formula(100, 64, false), learned(100, 64)});
    view.choose(1, 5, 2);
    COMPARE_IMAGE(view, "positions_learned_" + theme);
    view.resize(640, 420);
    view.set_result(rotary_run());
    view.choose(1, 5, 1);
    view.choose_key(2);
    COMPARE_IMAGE(view, "positions_rotary_" + theme);
  }
};

HEADLIGHT_WIDGET_TEST(TestPositionsView)

}  // namespace headlight::test_positions_view

#include "test_positions_view.moc"
