// The levels of the living map: nothing moves when one opens, cards stand within their states, and the numbers are
// those of the trace.
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "model/analysis/masks.h"
#include "model/trace/intervention.h"
#include "tests/test_program.h"
#include "tests/widgets/living_shown.h"
#include "tests/widgets/recorded_text.h"

namespace headlight::test_living_levels {

namespace {

void kinds() {
  QTest::addColumn<int>("example");
  int i = 0;
  for (const LivingExample& each : kLivingExamples) QTest::newRow(each.kind) << i++;
}

// Everything that has a place, without what a level adds.
std::vector<QRectF> places(const LivingView& view) {
  const LivingLayout& layout = view.scene().layout;
  std::vector<QRectF> rects;
  for (const LivingRow& row : layout.rows) rects.emplace_back(row.x0, row.y - row.bed / 2, row.x1 - row.x0, row.bed);
  for (const LivingStop& stop : layout.stops) rects.emplace_back(stop.x0, 0, stop.x1 - stop.x0, 1);
  for (const LivingPicture& picture : layout.pictures) rects.push_back(picture.rect);
  for (const LivingTitle& title : layout.titles) rects.push_back(title.rect);
  for (const LivingStrip& strip : layout.strips) rects.push_back(strip.rect);
  rects.push_back(layout.body);
  rects.push_back(layout.key);
  for (const LivingShare& share : view.strongest()) {
    const Band band = view.scene().band(share);
    rects.emplace_back(band.x0, band.y0, band.x1 - band.x0, band.w1);
  }
  return rects;
}

bool same(const QRectF& a, const QRectF& b) {
  const double apart = std::max({std::abs(a.x() - b.x()), std::abs(a.y() - b.y()), std::abs(a.width() - b.width()),
                                 std::abs(a.height() - b.height())});
  return apart < 1e-3 * (1 + std::abs(a.width()) + std::abs(a.height()));
}

QPointF point_of(const LivingView& view) {
  const QRectF body = view.scene().layout.body;
  const QPointF scroll = view.scene().layout.metrics.camera.scroll;
  const auto apart = [&](QPointF point) { return QLineF(point, body.center()).length(); };
  QPointF best = body.center();
  double least = 1e9;
  for (const LivingCard& card : view.cards())
    if (const QPointF at = (card.rect.translated(-scroll) & body).center(); apart(at) < least)
      best = at, least = apart(at);
  return best;
}

// Closer by steps until the level is there; the factor of the last step.
constexpr double kStep = 1.06;
bool come_near(LivingView& view, LivingLevel level) {
  // Around a card, where one is seen: it stays in sight.
  for (int i = 0; i < 400 && view.level() < level; ++i)
    view.zoom_along(kStep, point_of(view), LivingCamera::Along::both);
  return view.level() >= level;
}

}  // namespace

class TestLivingLevels : public QObject {
  Q_OBJECT

 private slots:
  // The same camera, once reached from afar and once from near, where 15 % keep the nearer level: everything that stood
  // there stands where it stood.
  void nothing_moves_when_a_level_opens_data() { kinds(); }
  void nothing_moves_when_a_level_opens() {
    QFETCH(int, example);
    LivingShown shown(kLivingExamples[example]);
    LivingView& view = shown.view;
    for (const LivingLevel level : {LivingLevel::layer, LivingLevel::word, LivingLevel::cell}) {
      if (level == LivingLevel::layer) view.go_to_level(level);  // a card is in sight
      QVERIFY(come_near(view, level));
      const QPointF point = point_of(view);
      // Just before it, from afar.
      view.zoom_along(1 / (1.3 * kStep), point, LivingCamera::Along::both);
      QVERIFY(view.level() < level);
      view.zoom_along(1.3, point, LivingCamera::Along::both);
      const LivingLevel before = view.level();
      QVERIFY2(before < level, "the step before still has the level");
      const std::vector<QRectF> afar = places(view);
      std::vector<QRectF> cards;
      for (const LivingCard& card : view.cards()) cards.push_back(card.rect);
      // Over the border and back.
      view.zoom_along(kStep, point, LivingCamera::Along::both);
      QVERIFY(view.level() >= level);
      view.zoom_along(1 / kStep, point, LivingCamera::Along::both);
      QVERIFY(view.level() >= level);
      const std::vector<QRectF> near = places(view);
      QCOMPARE(near.size(), afar.size());
      for (std::size_t i = 0; i < near.size(); ++i) QVERIFY(same(near[i], afar[i]));
      QVERIFY(view.cards().size() >= cards.size());
      for (std::size_t i = 0; i < cards.size(); ++i) QVERIFY(same(view.cards()[i].rect, cards[i]));
      view.zoom_along(kStep, point, LivingCamera::Along::both);
    }
  }

  // A card stands on the bed of its state or in its step of the river, with all its numbers and names inside.
  void a_card_stands_inside_of_its_state_data() { kinds(); }
  void a_card_stands_inside_of_its_state() {
    QFETCH(int, example);
    LivingShown shown(kLivingExamples[example]);
    LivingView& view = shown.view;
    view.go_to_level(LivingLevel::word);
    QVERIFY(view.level() >= LivingLevel::word);
    QVERIFY(!view.cards().empty());
    const LivingLayout& layout = view.scene().layout;
    for (const LivingCard& card : view.cards()) {
      const LivingRow& row = layout.rows[static_cast<std::size_t>(card.lane)];
      QVERIFY(card.rect.top() >= row.y - row.pitch / 2 - 0.5 && card.rect.bottom() <= row.y + row.pitch / 2 + 0.5);
      QVERIFY(card.rect.contains(card.grid));
      for (const LivingValues& value : card.inside->values)
        QVERIFY(card.grid.adjusted(-0.01, -0.01, 0.01, 0.01).contains(card.cells(value)));
      if (!card.bar.isEmpty()) QVERIFY(card.bar.top() >= card.grid.bottom() - 0.01);
      for (const LivingCard& other : view.cards())
        if (&other != &card) QVERIFY(!other.rect.intersects(card.rect));
    }
  }

  // Every number that is written is the one of the trace, rounded to the digits that are written.
  void numbers_are_those_of_the_trace_data() { kinds(); }
  void numbers_are_those_of_the_trace() {
    QFETCH(int, example);
    LivingShown shown(kLivingExamples[example]);
    LivingView& view = shown.view;
    view.go_to_level(LivingLevel::cell);
    QCOMPARE(view.level(), LivingLevel::cell);
    const QPointF scroll = view.scene().layout.metrics.camera.scroll;
    const std::vector<RecordedText> texts = texts_of(&view);
    static const QRegularExpression number(QStringLiteral("^−?\\d+\\.(\\d+)$"));
    const Trace& trace = *view.map()->result->trace;
    int checked = 0;
    for (const RecordedText& text : texts) {
      const auto match = number.match(text.text);
      if (!match.hasMatch()) continue;
      if (!view.scene().layout.body.contains(text.place)) continue;
      const QPointF at = text.place.center() + scroll;
      for (const LivingCard& card : view.cards()) {
        const LivingNumber place = card.at(at);
        if (place.value < 0) continue;
        const double written = QString(text.text).replace(QChar(0x2212), '-').toDouble();
        const double truly =
            card.inside->values[static_cast<std::size_t>(place.value)].number(trace, place.row, place.column);
        const double half = 0.5 * std::pow(10.0, -match.capturedLength(1));
        QVERIFY2(std::abs(written - truly) <= half * 1.0001,
                 qPrintable(QStringLiteral("%1 stands for %2").arg(text.text).arg(truly, 0, 'g', 9)));
        ++checked;
      }
    }
    QVERIFY2(checked >= 30, qPrintable(QStringLiteral("%1 numbers").arg(checked)));
  }

  // However high a lane is, its name and what it gives are seen.
  // All of it at once is an overview in the largest window; the keys go up and down from there.
  void a_large_window_shows_an_overview_data() { kinds(); }
  void a_large_window_shows_an_overview() {
    QFETCH(int, example);
    LivingShown shown(kLivingExamples[example], {2560, 1440});
    QVERIFY(shown.view.level() <= LivingLevel::lanes);
    QVERIFY(shown.view.cards().empty());
    shown.key(Qt::Key_3);
    QVERIFY(shown.view.level() >= LivingLevel::layer);
    QVERIFY(!shown.view.cards().empty());
    shown.key(Qt::Key_2);
    QVERIFY(shown.view.level() <= LivingLevel::lanes);
    shown.view.zoom(1.1, shown.view.viewport()->rect().center());
    QVERIFY(shown.view.level() >= LivingLevel::lanes);
  }

  void the_words_of_a_high_lane_stay_in_sight() {
    LivingShown shown(kLivingExamples[0]);
    LivingView& view = shown.view;
    view.go_to_level(LivingLevel::cell);
    const LivingLayout& layout = view.scene().layout;
    for (const double part : {0.1, 0.5, 0.9}) {
      const LivingRow row = layout.rows[static_cast<std::size_t>(view.choice().lane)];  // moving lays out anew
      view.move_by({0, layout.metrics.camera.scroll.y() - (row.y + (part - 0.5) * row.bed - layout.body.center().y())});
      int found = 0;
      for (const RecordedText& text : texts_of(&view))
        if (text.text == QLatin1String("gives") && text.place.left() >= 0 && text.place.right() < layout.body.left()) {
          ++found;
          QVERIFY(layout.body.top() <= text.place.center().y() && text.place.center().y() <= layout.body.bottom());
        }
      QCOMPARE(found, 1);
    }
  }

  // Pieces of the bar fill it, and with what works against the state they are its shares.
  void a_bar_is_what_the_state_is_made_of() {
    LivingShown shown(kLivingExamples[0]);
    LivingInsides insides;
    const LivingMap& map = *shown.view.map();
    for (int s = 0; s < static_cast<int>(map.stations.size()); ++s) {
      const LivingStation& station = map.stations[static_cast<std::size_t>(s)];
      if (station.parts.empty()) continue;
      const LivingShareBar bar = insides.bar(shown.view.scene(), s, station.count - 1);
      double sum = 0, heads = 0;
      for (const LivingSharePiece& piece : bar.pieces) {
        sum += piece.size;
        heads += piece.head >= 0 ? 1 : 0;
      }
      QVERIFY(std::abs(sum - 1) < 1e-6);
      QCOMPARE(heads > 0, station.kind == LivingStation::Kind::attention);
      double against = 0;
      for (const LivingPart& part : station.parts)
        for (Index k = 0; k < (part.dense() ? part.columns : 1); ++k)
          against += std::min(
              0.0, part.dense() ? part.at(station.count - 1, k) : static_cast<double>(part.share[station.count - 1]));
      QVERIFY(std::abs(against - bar.against) < 1e-6);
    }
  }

  void a_number_is_chosen_by_mouse_and_keyboard() {
    LivingShown shown(kLivingExamples[0]);
    LivingView& view = shown.view;
    view.setFocus();
    shown.key(Qt::Key_5);
    QCOMPARE(view.level(), LivingLevel::cell);
    QCOMPARE(view.cursor().what, LivingSpot::What::number);
    const auto chosen = [&] {
      const LivingPlace place = view.place_of(view.cursor());
      return shown.selection.state().entry == place.entry &&
             shown.selection.state().cell == static_cast<qint64>(place.first);
    };
    const LivingNumber first = view.cursor().number;
    shown.key(Qt::Key_Right);
    QCOMPARE(view.cursor().number.column, first.column + 1);
    QVERIFY(chosen());
    shown.key(Qt::Key_Down);
    QVERIFY(chosen());
    QVERIFY(!(view.cursor().number == first));
    // By the mouse, another one.
    const LivingCard* card = nullptr;
    for (const LivingCard& each : view.cards())
      if (each.station == view.cursor().station && each.row == view.cursor().row) card = &each;
    QVERIFY(card);
    const LivingNumber other{view.cursor().number.value, view.cursor().number.row, view.cursor().number.column + 2};
    shown.click(view.scene().layout.to_view(card->cell_of(other).center()));
    QVERIFY(view.cursor().number == other);
    QVERIFY(chosen());
    QVERIFY2(view.accessibleDescription().contains(QStringLiteral("decoder.")),
             qPrintable(view.accessibleDescription()));
    QSignalSpy opened(&shown.requests, &ViewRequests::open);
    shown.key(Qt::Key_Return);
    QCOMPARE(opened.count(), 1);
    QCOMPARE(opened.at(0).at(0).toInt(), *shown.selection.state().entry);
    shown.key(Qt::Key_Escape);
    QCOMPARE(view.cursor().what, LivingSpot::What::lane);
  }

  // Every number of a card is reached by arrows.
  void arrows_reach_every_value_of_a_card() {
    LivingShown shown(kLivingExamples[4]);  // a cell: gates below each other
    LivingView& view = shown.view;
    view.setFocus();
    shown.key(Qt::Key_5);
    QCOMPARE(view.cursor().what, LivingSpot::What::number);
    const int values =
        static_cast<int>(LivingInsides().of(*view.map(), view.cursor().station, view.cursor().row)->values.size());
    std::set<int> seen;
    for (int i = 0; i < 40; ++i) {
      seen.insert(view.cursor().number.value);
      shown.key(i < 20 ? Qt::Key_Down : Qt::Key_Up);
    }
    QCOMPARE(static_cast<int>(seen.size()), values);
  }

  // A token that is blanked, a mask and a head that is off are seen as well.
  void blanks_masks_and_heads_are_marked() {
    const auto plain = living_run("story-gpt", "tom in the garden. he carries");
    const auto marked = [](const std::shared_ptr<const Result>& result) {
      const LivingMarks marks = living_marks(*living_map(result));
      std::vector<std::pair<std::size_t, std::size_t>> all;
      for (std::size_t s = 0; s < marks.states.size(); ++s)
        for (std::size_t row = 0; row < marks.states[s].size(); ++row)
          if (marks.states[s][row]) all.emplace_back(s, row);
      return all;
    };
    const auto blank = blank_token(*plain, 3);
    QVERIFY(blank);
    const auto blanked = marked(living_run("story-gpt", "tom in the garden. he carries", {*blank}));
    QCOMPARE(blanked.size(), std::size_t{1});
    QCOMPARE(blanked[0].first, std::size_t{0});  // its embedding
    const auto masked = marked(living_run("story-gpt", "tom in the garden. he carries",
                                          {parse_intervention("decoder.layer[0].self_attn.keep[5,2]=0")}));
    QCOMPARE(masked.size(), std::size_t{1});
    QCOMPARE(masked[0].second, std::size_t{5});
    const auto off = living_run("story-gpt", "tom in the garden. he carries",
                                head_off(*plain, AttentionMap::Kind::decoder_self, 1, 2));
    const LivingMarks marks = living_marks(*living_map(off));
    QCOMPARE(marks.heads.size(), std::size_t{1});
    QCOMPARE(marks.heads[0].head, Index{2});
    QCOMPARE(living_map(off)->stations[static_cast<std::size_t>(marks.heads[0].station)].layer, Index{1});
  }

  void what_was_set_is_marked() {
    const Intervention edit = parse_intervention("decoder.layer[1].self_attn.head.weights[1,4,2]=0");
    LivingShown shown(living_run("story-gpt", "tom in the garden. he carries", {edit}));
    const LivingMarks marks = living_marks(*shown.view.map());
    int found = 0;
    for (std::size_t s = 0; s < marks.states.size(); ++s)
      for (std::size_t row = 0; row < marks.states[s].size(); ++row)
        if (marks.states[s][row]) {
          ++found;
          QCOMPARE(row, std::size_t{4});
          QCOMPARE(shown.view.map()->stations[s].layer, Index{1});
          QCOMPARE(shown.view.map()->stations[s].kind, LivingStation::Kind::attention);
        }
    QCOMPARE(found, 1);
    QVERIFY(
        living_marks(*LivingShown(living_run("story-gpt", "tom in the garden. he carries")).view.map()).states.empty());
    // It is seen.
    const auto violet = [](const QImage& image) {
      int count = 0;
      const QColor edited = Theme::instance().edited();
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) count += image.pixelColor(x, y) == edited ? 1 : 0;
      return count;
    };
    QVERIFY(violet(shown.picture()) > 8);
    QCOMPARE(violet(LivingShown(living_run("story-gpt", "tom in the garden. he carries")).picture()), 0);
  }
};

HEADLIGHT_WIDGET_TEST(TestLivingLevels)

}  // namespace headlight::test_living_levels

#include "test_living_levels.moc"
