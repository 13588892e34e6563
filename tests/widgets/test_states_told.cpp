// What the states view tells: where its parts stand, which units it shows and what it says of them, the written-out
// arithmetic.

#include <QTest>
#include <algorithm>
#include <cctype>
#include <cmath>

#include "tests/test_program.h"
#include "tests/widgets/small_runs.h"
#include "tests/widgets/states_shown.h"
#include "widgets/text/number_words.h"

namespace headlight::test_states_told {

using sample::bundled_run, sample::recurrent_run;

namespace {

using Part = StatesHit::Part;

QString fixed(double value) {
  const QString text = QString::number(value, 'f', 3);
  return text == "-0.000" ? QStringLiteral("0.000") : QString(text).replace('-', QChar(0x2212));
}
QString bracketed(double value) {
  return fixed(value).startsWith(QChar(0x2212)) ? "(" + fixed(value) + ")" : fixed(value);
}

}  // namespace

class TestStatesTold : public QObject, sample::StatesShown {
  Q_OBJECT

 private slots:
  void init() {
    Theme::instance().set_mode(Theme::Mode::light);
    selection_.set({});
  }
  void cleanup() { Theme::instance().set_font_scale(1); }

  void parts_stand_apart_at_every_size() {
    for (const QSizeF size : {QSizeF(300, 180), QSizeF(640, 420), QSizeF(1400, 900)})
      for (const int story : {0, 1, 3})
        for (const int places : {1, 12, 90})
          for (const int levels : {0, 5}) {
            StatesLayout::Metrics m;
            m.view = size;
            m.shares.assign(static_cast<std::size_t>(places), 1);
            m.groups = {3, 3, 2};
            m.opened = 4;
            m.story = story;
            m.levels = levels;
            m.lines = 4;
            m.units = 128;
            const StatesLayout layout = StatesLayout::of(m);
            QCOMPARE(layout.units.size(), std::size_t(8));
            QCOMPARE(layout.beside, size.width() == 1400);
            QList<QRectF> all = {layout.map_title, layout.map, layout.about};
            for (const auto& part : {layout.titles, layout.units, layout.lines})
              for (const QRectF& rect : part) all << rect;
            for (int i = 0; i < all.size(); ++i) {
              QVERIFY(all[i].width() > 10 && all[i].height() > 10);
              QVERIFY(QRectF(0, 0, layout.width, layout.height).contains(all[i]));
              for (int j = 0; j < i; ++j) QVERIFY(!all[i].intersects(all[j]));
            }
            QList<QRectF> inside = {layout.bars};
            for (const QRectF& rect : layout.story) inside << rect;
            if (levels > 0) inside << layout.cone;
            for (int i = 0; i < inside.size(); ++i) {
              QVERIFY(layout.opened.contains(inside[i]));
              for (int j = 0; j < i; ++j) QVERIFY(!inside[i].intersects(inside[j]));
            }
            QVERIFY(layout.columns.width(0) >= m.least_column - 1e-9);
            const double x = layout.columns.centre(places - 1);
            QCOMPARE(layout.place_at({x, layout.units[7].center().y()}), (StatesHit{Part::bars, places - 1, 7, -1}));
            QCOMPARE(layout.place_at({m.margin + 2, layout.units[0].center().y()}), (StatesHit{Part::bars, -1, 0, -1}));
            if (story == 3)
              QCOMPARE(layout.place_at({x, layout.story[2].center().y()}), (StatesHit{Part::story, places - 1, 4, 2}));
            if (levels > 0)
              QCOMPARE(layout.place_at({x, layout.cone.bottom() - 1}), (StatesHit{Part::cone, places - 1, 4, 0}));
            QCOMPARE(layout.place_at({layout.map.left() + 1, layout.map_line(127).center().y()}),
                     (StatesHit{Part::map, 0, -1, 127}));
            QCOMPARE(layout.place_at(layout.lines[2].center()), (StatesHit{Part::line, -1, -1, 2}));
            QCOMPARE(layout.place_at({0, 0}), StatesHit{});
            // Names that stay in sight cover the columns below them.
            if (places == 90)
              QCOMPARE(layout.place_at({layout.columns.centre(3), layout.units[7].center().y()}, 200).column, -1);
          }
  }

  // Of a text with letters and digits: those with the largest difference of means, reckoned here from the trace.
  void the_units_are_those_that_tell_most() {
    const auto result = bundled_run("date-attention", "November 22, 2026");
    auto view = shown(result, {1200, 640});
    const StatesCanvas& canvas = *view->canvas();
    QVERIFY(canvas.is_folded());
    const std::string text = "November 22, 2026";
    std::vector<std::vector<double>> h;  // by letter, in reading order; the model reads from the end
    const std::size_t length = result->tokens.size();
    for (std::size_t i = 0; i < text.size(); ++i) {
      const Tensor row = result->trace->value("encoder.step[" + std::to_string(length - 1 - i) + "].lstm.h");
      h.emplace_back(row.data(), row.data() + row.size());
    }
    const std::size_t units = h[0].size();
    std::vector<double> tells(units), moves(units), still(units, 9);
    for (std::size_t u = 0; u < units; ++u) {
      double digits = 0, letters = 0, sum = 0;
      int digit_count = 0, letter_count = 0;
      for (std::size_t i = 0; i < text.size(); ++i) {
        if (std::isdigit(text[i])) digits += h[i][u], ++digit_count;
        if (std::isalpha(text[i])) letters += h[i][u], ++letter_count;
        if (i > 0) moves[u] += std::abs(h[i][u] - h[i - 1][u]);
        sum += h[i][u];
      }
      tells[u] = std::abs(digits / digit_count - letters / letter_count);
      for (std::size_t i = 0; i < text.size(); ++i) still[u] = std::min(still[u], sum < 0 ? -h[i][u] : h[i][u]);
    }
    std::vector<Index> taken;
    const auto first = [&](const std::vector<double>& key, std::size_t count) {
      std::vector<Index> found;
      while (found.size() < count) {
        Index best = -1;
        for (Index u = 0; u < static_cast<Index>(units); ++u)
          if (std::ranges::find(taken, u) == taken.end() &&
              (best < 0 || key[static_cast<std::size_t>(u)] > key[static_cast<std::size_t>(best)]))
            best = u;
        found.push_back(best);
        taken.push_back(best);
      }
      return found;
    };
    QCOMPARE(canvas.groups().size(), std::size_t(3));
    QCOMPARE(canvas.groups()[0].title, QString("tell digits from letters"));
    QVERIFY(canvas.groups()[0].units == first(tells, 3));
    QVERIFY(canvas.groups()[1].units == first(moves, 3));
    QVERIFY(canvas.groups()[2].units == first(still, 2));
    QCOMPARE(canvas.cursor().unit, canvas.groups()[0].units[0]);  // opened at first
    // What it is said to do, it does.
    const auto unit = static_cast<std::size_t>(canvas.cursor().unit);
    const UnitHabit habit = unit_habit(*canvas.cell(), canvas.places(), canvas.cursor().unit);
    int below = 0, above = 0, letters = 0, digits = 0;
    const double sign = habit == UnitHabit::minus_digits ? -1 : 1;
    double letter_mean = 0, digit_mean = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const double value = sign * h[i][unit];
      if (std::isalpha(text[i])) ++letters, letter_mean += h[i][unit], below += value < 0 ? 1 : 0;
      if (std::isdigit(text[i])) ++digits, digit_mean += h[i][unit], above += value > 0 ? 1 : 0;
    }
    const bool turns = 5 * below >= 4 * letters && 5 * above >= 4 * digits;
    if (habit == UnitHabit::minus_letters || habit == UnitHabit::minus_digits) {
      QVERIFY(turns);
    } else {
      QVERIFY(habit ==
              (digit_mean / digits > letter_mean / letters ? UnitHabit::more_digits : UnitHabit::more_letters));
    }
    // The map has every unit once.
    std::vector<Index> order = canvas.map_order();
    QCOMPARE(order.front(), canvas.cursor().unit);
    std::ranges::sort(order);
    for (std::size_t u = 0; u < units; ++u) QCOMPARE(order[u], static_cast<Index>(u));
    // A text without digits has no such group, but as many units.
    view->set_result(bundled_run("grammar-bahdanau", "the cat sleeps ."));
    QCOMPARE(canvas.groups().size(), std::size_t(2));
    QCOMPARE(canvas.groups()[0].units.size() + canvas.groups()[1].units.size(), std::size_t(8));
  }

  void like_stands_beside_like() {
    const auto cell = state_cells(*recurrent_run())[0];
    std::vector<int> places(static_cast<std::size_t>(cell.place_count()));
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(i);
    const TellingUnits found = telling_units(cell, places);
    const int h = cell.track("h");
    const auto correlation = [&](Index a, Index b) {
      double ma = 0, mb = 0, ab = 0, aa = 0, bb = 0;
      const int n = cell.place_count();
      for (int p = 0; p < n; ++p) ma += cell.value(h, p, a), mb += cell.value(h, p, b);
      for (int p = 0; p < n; ++p) {
        const double x = cell.value(h, p, a) - ma / n, y = cell.value(h, p, b) - mb / n;
        ab += x * y, aa += x * x, bb += y * y;
      }
      return ab / std::sqrt(aa * bb);
    };
    for (std::size_t i = 1; i < found.order.size(); ++i)
      for (std::size_t j = i + 1; j < found.order.size(); ++j)
        QVERIFY(correlation(found.order[i - 1], found.order[i]) >=
                correlation(found.order[i - 1], found.order[j]) - 1e-4);
  }

  // keeps × what it held + what is new = what it holds, for every place and unit; and the sentence says what they do.
  void the_story_adds_up_data() {
    QTest::addColumn<QString>("cell");
    for (const char* cell : {"lstm", "gru", "gru_reset_after", "rnn"}) QTest::newRow(cell) << QString(cell);
  }
  void the_story_adds_up() {
    QFETCH(QString, cell);
    const auto result = recurrent_run({{"cell", cell.toStdString()}});
    const StateCell states = state_cells(*result)[0];
    const auto rows = story_rows(states);
    const int h = states.track("h");
    for (int place = 0; place < states.place_count(); ++place)
      for (Index unit = 0; unit < states.units; ++unit) {
        const double shows = states.value(h, place, unit);
        if (cell == "rnn") {
          QCOMPARE(rows.size(), std::size_t(1));
          QVERIFY(std::abs(std::tanh(story_value(states, rows[0], place, unit)) - shows) < 1e-5);
          QVERIFY(story_sentence(states, place, unit).isEmpty());
          continue;
        }
        const char* state = cell == "lstm" ? "c" : "h";
        const double keeps = story_value(states, rows[0], place, unit),
                     brings = story_value(states, rows[1], place, unit),
                     holds = story_value(states, rows[2], place, unit),
                     before = states.value_before(state, place, unit);
        QVERIFY(rows[0].is_share() && keeps >= 0 && keeps <= 1);
        QVERIFY(std::abs(keeps * before + brings - holds) < 1e-5);
        QCOMPARE(holds, static_cast<double>(states.value(states.track(state), place, unit)));
        const QString said = story_sentence(states, place, unit);
        QCOMPARE(said.contains("held next to nothing"), std::abs(before) < 0.05);
        if (std::abs(before) >= 0.05) {
          QCOMPARE(said.startsWith("It keeps what it held"), keeps >= 0.8);
          QCOMPARE(said.startsWith("It drops"), keeps <= 0.2);
        }
        QCOMPARE(said.contains("takes in what is new"), std::abs(brings) >= 0.1);
      }
    const auto lines = story_lines(states, 2, 3);
    if (cell != "lstm") return;
    const auto at = [&](const char* leaf, int step) {
      return static_cast<double>(result->trace->value("encoder.step[" + std::to_string(step) + "].lstm." + leaf)[3]);
    };
    const auto two = [](double value) {
      const QString text = QString::number(std::abs(value), 'f', 2);
      return value < 0 && text != "0.00" ? QChar(0x2212) + text : text;
    };
    const auto bracket = [&](double value) {
      return two(value).startsWith(QChar(0x2212)) ? "(" + two(value) + ")" : two(value);
    };
    QCOMPARE(lines[0].text,
             QString("%1 × %2 = %3").arg(two(at("gate.f", 2)), bracket(at("c", 1)), two(at("gate.f", 2) * at("c", 1))));
    QCOMPARE(lines[1].text,
             QString("%1 × %2 = %3")
                 .arg(two(at("gate.i", 2)), bracket(at("cand.g", 2)), two(at("gate.i", 2) * at("cand.g", 2))));
    QCOMPARE(lines[2].text, two(at("c", 2)));
    QCOMPARE(lines[3].text,
             QString("%1 × tanh %2 = %3").arg(two(at("gate.o", 2)), bracket(at("c", 2)), two(at("h", 2))));
  }

  void the_arithmetic_is_written_out() {
    const StateUpdate lstm{"c", "f·c′ + i·g", "%1·%2 + %3·%4", {0.91, 1.2, 0.05, -0.88}, 1.048, 1.048, false};
    QCOMPARE(update_text(lstm), QStringLiteral("c = f·c′ + i·g = 0.910·1.200 + 0.050·(−0.880) = 1.048"));
    const StateUpdate tanh{"h", "o·tanh(c)", "%1·tanh(%2)", {0.5, -0.25}, -0.1225, -0.1225, false};
    QCOMPARE(update_text(tanh, 2), QStringLiteral("h = o·tanh(c) = 0.50·tanh(−0.25) = −0.12"));
    StateUpdate edited = lstm;
    edited.edited = true;
    edited.value = 5;
    QVERIFY(update_text(edited).endsWith("= 1.048, edited to 5.000"));
    QCOMPARE(update_text({"h", "", "", {}, 0.3, 0.3, false}), QStringLiteral("h = 0.300"));
    QCOMPARE(plain_number(-0.0004, 3), QStringLiteral("0.000"));
    QCOMPARE(plain_number(-0.0006, 3), QStringLiteral("−0.001"));
  }

  // What is said is what the trace holds, for the LSTM and for both forms of the GRU.
  void the_numbers_are_those_of_the_trace() {
    const auto lstm = recurrent_run({{"reverse_source", false}});
    auto view = shown(lstm);
    view->canvas()->set_cursor({0, 3, 7});
    const auto at = [&](const std::shared_ptr<const Result>& result, const char* leaf, int step) {
      return static_cast<double>(result->trace->value("encoder.step[" + std::to_string(step) + "]." + leaf)[7]);
    };
    const QString expected =
        QStringLiteral("c = f·c′ + i·g = %1·%2 + %3·%4 = %5.")
            .arg(fixed(at(lstm, "lstm.gate.f", 3)), bracketed(at(lstm, "lstm.c", 2)), fixed(at(lstm, "lstm.gate.i", 3)),
                 bracketed(at(lstm, "lstm.cand.g", 3)), fixed(at(lstm, "lstm.c", 3)));
    QVERIFY2(view->canvas()->accessibleDescription().contains(expected), qPrintable(expected));
    for (const bool after : {false, true}) {
      const auto gru = recurrent_run({{"cell", after ? "gru_reset_after" : "gru"}, {"reverse_source", false}});
      view->set_result(gru);
      view->canvas()->set_cursor({0, 3, 7});
      const QString z = fixed(at(gru, "gru.gate.z", 3)), old = bracketed(at(gru, "gru.h", 2)),
                    candidate = bracketed(at(gru, "gru.cand", 3));
      const QString text = QStringLiteral("h = %1 = (1 − %2)·%3 + %2·%4 = %5.")
                               .arg(after ? "(1 − z)·h̃ + z·h′" : "(1 − z)·h′ + z·h̃", z, after ? candidate : old,
                                    after ? old : candidate, fixed(at(gru, "gru.h", 3)));
      QVERIFY2(view->canvas()->accessibleDescription().contains(text), qPrintable(text));
    }
  }
};

HEADLIGHT_WIDGET_TEST(TestStatesTold)

}  // namespace headlight::test_states_told

#include "test_states_told.moc"
