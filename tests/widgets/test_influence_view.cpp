// The views of gradients and receptive fields: their numbers, their words, keys, tables, layout.

#include <QLabel>
#include <QTest>
#include <cmath>

#include "image_test.h"
#include "model/core/json_library.h"
#include "tests/test_program.h"
#include "tests/widgets/small_runs.h"
#include "widgets/base/segments.h"
#include "widgets/views/influence/influence_view.h"

namespace headlight::test_influence_view {

namespace {

using Kind = InfluenceView::Kind;

struct Shown {
  Selection selection;
  ViewRequests requests;
  InfluenceView view;

  Shown(Kind kind, const std::shared_ptr<const Result>& result, QSize size = {640, 420})
      : view(kind, {&selection, &requests}) {
    view.set_result(result);
    show_at(view, size);
  }
  InfluenceCanvas& canvas() { return *view.canvas(); }
  // What was asked last may be measured beside the window's thread.
  const InfluencePicture& measured() {
    for (int i = 0; i < 3000 && view.is_measuring(); ++i) QTest::qWait(10);
    return *canvas().picture();
  }
};

// The length of a row of a derivative, summed up here.
double length(const Tensor& derivative, Index first, Index count) {
  double squares = 0;
  for (Index row = 0; row < derivative.rows(); ++row)
    for (Index i = first; i < first + count; ++i) {
      const double each = static_cast<double>(derivative[row * derivative.columns() + i]);
      squares += each * each;
    }
  return std::sqrt(squares);
}

}  // namespace

class TestInfluenceView : public QObject {
  Q_OBJECT

 private slots:
  void init() { Theme::instance().set_mode(Theme::Mode::light); }

  void gradients_are_those_of_the_score() {
    const auto result = sample::recurrent_run();
    Shown shown(Kind::gradients, result);
    const InfluencePicture& picture = shown.measured();
    const int step = picture.map->lanes[static_cast<std::size_t>(picture.of.lane)].step;
    QCOMPARE(step, static_cast<int>(result->steps.size()) / 2);
    const Trace& trace = *result->trace;
    const int of = trace.find("decoder.step[" + std::to_string(step) + "].output.logits"),
              by = trace.find("encoder.embed.out");
    const Tensor derivative = trace.derivative(of, {result->steps[static_cast<std::size_t>(step)].id}, by);
    const int row = static_cast<int>(picture.rows.size()) - 1;
    const Index units = trace[by].value.columns();
    for (int token = 0; token < static_cast<int>(result->tokens.size()); ++token) {
      const double expected =
          length(derivative, result->position_of_token[static_cast<std::size_t>(token)] * units, units);
      const double got = picture.number(row, picture.map->lane_of_token(token));
      QVERIFY(std::abs(got - expected) <= 1e-6 * std::max(1.0, expected));
    }
    // Another output is another question.
    SelectionState other;
    other.step = 0;
    shown.selection.set(other);
    QCOMPARE(shown.measured().of.lane, picture.map->lane_of_step(0));
  }

  void by_distance_both_directions_have_a_curve() {
    Shown shown(
        Kind::gradients,
        sample::recurrent_run(
            {{"bidirectional", "all"}, {"attention.score", "general"}, {"reverse_source", false}, {"cell", "gru"}}));
    emit shown.view.modes()->chosen(1);
    // The joined states of the last token: nothing of the text is beyond their reach.
    QCOMPARE(shown.measured().curves.size(), std::size_t{1});
    QTest::keyClick(&shown.canvas(), Qt::Key_Down);
    const InfluencePicture& picture = shown.measured();
    QCOMPARE(picture.curves.size(), std::size_t{2});
    const auto [forward, backward] =
        picture.station(static_cast<int>(std::ranges::find(picture.rows, picture.of.station) - picture.rows.begin()))
                    .direction == LivingStation::Direction::forward
            ? std::pair(0, 1)
            : std::pair(1, 0);
    // Of the last token the forward state has read everything, the backward one only this token.
    QVERIFY(picture.curves[static_cast<std::size_t>(forward)].values.front() > 0);
    QVERIFY(picture.curves[static_cast<std::size_t>(backward)].values.front() == 0);
  }

  // Three layers of windows of three: 1 + 3 · 2 tokens, and 1 + 3 of them at an end.
  void a_cone_says_what_it_reaches() {
    Shown shown(Kind::cone, sample::convolution_run());
    QVERIFY2(shown.canvas().sentence().contains("7 of 10 inputs, the farthest over 3 steps"),
             qPrintable(shown.canvas().sentence()));
    QTest::keyClick(&shown.canvas(), Qt::Key_Home);
    QVERIFY(shown.canvas().sentence().contains("4 of 10 inputs"));
    QTest::keyClick(&shown.canvas(), Qt::Key_Down);
    QVERIFY(shown.canvas().sentence().contains("3 of 10 inputs"));
    const InfluencePicture& picture = shown.measured();
    for (int row = 0; row < static_cast<int>(picture.rows.size()); ++row)
      for (int lane = 0; lane < static_cast<int>(picture.lanes.size()); ++lane)
        if (picture.station(row).has(lane) && picture.steps(row, lane) < 0) QVERIFY(picture.number(row, lane) == 0);
  }

  // It is shown before it is measured, and then again.
  void names_stand_once_when_it_takes_long() {
    Shown shown(Kind::cone, sample::recurrent_run({{"hidden_size", 256}}));
    shown.measured();
    QTest::keyClick(&shown.canvas(), Qt::Key_Home);
    QVERIFY(shown.view.is_measuring());
    const InfluencePicture& picture = shown.measured();
    QVERIFY(!picture.numbers.empty());
    QCOMPARE(picture.lanes.size(), picture.map->lanes.size());
  }

  void a_table_has_a_line_for_each_state() {
    Shown shown(Kind::cone, sample::convolution_run());
    int states = 0;
    for (int row = 0; row < static_cast<int>(shown.measured().rows.size()); ++row)
      states += shown.measured().station(row).count;
    QCOMPARE(shown.view.table()->rowCount(), states);
    QCOMPARE(shown.view.table()->columnCount(), 5);
  }

  // Neither to the eye nor to a screen reader, whatever comes meanwhile.
  void a_covered_view_tells_nothing() {
    Shown shown(Kind::gradients, sample::recurrent_run());
    shown.measured();
    const auto notes = [&] {
      QStringList said;
      for (const QLabel* label : shown.view.findChildren<QLabel*>()) said << label->text();
      return said.filter(shown.canvas().sentence());
    };
    QVERIFY(!shown.canvas().sentence().isEmpty());
    QCOMPARE(notes().size(), 1);
    QVERIFY(shown.view.lent_bar()->isVisible());
    shown.view.set_covered(true);
    SelectionState first;
    first.step = 0;
    shown.selection.set(first);
    shown.measured();
    QVERIFY(notes().isEmpty());
    QVERIFY(!shown.view.lent_bar()->isVisible());
    shown.view.set_covered(false);
    QCOMPARE(notes().size(), 1);
    QVERIFY(shown.view.lent_bar()->isVisible());
  }

  void choices_come_back() {
    Shown first(Kind::gradients, sample::recurrent_run());
    emit first.view.modes()->chosen(1);
    QTest::keyClick(&first.canvas(), Qt::Key_Down);
    const QVariantMap choices = first.view.choices();
    Shown again(Kind::gradients, nullptr);
    again.view.set_choices(choices);
    again.view.set_result(sample::recurrent_run());
    QCOMPARE(again.canvas().mode(), InfluenceMode::lags);
    QCOMPARE(again.measured().of.station, first.measured().of.station);
  }

  void others_say_why_there_is_nothing() {
    Shown shown(Kind::cone, sample::machine_run());
    QVERIFY(!shown.view.message().isEmpty());
  }

  void layers_use_their_room() {
    for (const int rows : {5, 6, 12, 24}) {
      InfluenceLayout::Metrics m;
      m.view = {1850, 840};
      m.shares.assign(13, 1);
      m.rows = rows;
      const InfluenceLayout layout = InfluenceLayout::of(m);
      QVERIFY(layout.width > 0.85 * m.view.width() && layout.height > 0.85 * m.view.height());
      QVERIFY(layout.height <= m.view.height() + 1);
    }
  }

  void parts_stand_apart_at_every_size() {
    for (const QSizeF size : {QSizeF(640, 440), QSizeF(1280, 700), QSizeF(320, 200)})
      for (const bool plot : {false, true}) {
        InfluenceLayout::Metrics m;
        m.view = size;
        m.shares.assign(24, 1);
        m.rows = 7;
        m.means = !plot;
        m.plot = plot;
        const InfluenceLayout layout = InfluenceLayout::of(m);
        for (int row = 0; row < (plot ? 1 : 7); ++row)
          for (int lane = 0; lane < 24; ++lane) {
            const QPointF at = plot ? QPointF(layout.columns.centre(lane), layout.plot().center().y())
                                    : layout.cell(row, lane).center();
            QCOMPARE(layout.place_at(at), (InfluenceHit{InfluenceHit::Part::cell, plot ? -1 : row, lane}));
          }
        QVERIFY(layout.cell(0, 23).right() <= layout.width && layout.plot().bottom() <= layout.height);
      }
  }
};

HEADLIGHT_WIDGET_TEST(TestInfluenceView)

}  // namespace headlight::test_influence_view

#include "test_influence_view.moc"
