// The living map of the bundled models: shares, flow, origins, lens and cuts. What the shares and flows are, was
// computed apart from the program by tests/reference/living.py (test_living_reference.cpp).

#include <QtTest>
#include <cmath>
#include <set>

#include "model/decode/run.h"
#include "model/io/model_folder.h"
#include "tests/model/living_checks.h"
#include "tests/test_program.h"

namespace headlight::test_living_map {

using namespace headlight::testing;

namespace {

std::shared_ptr<const Result> result_of(const std::shared_ptr<const ModelBundle>& model, const std::string& text,
                                        std::vector<Intervention> edits = {}) {
  Request request;
  request.model = model;
  request.source = text;
  request.interventions = std::move(edits);
  request.capture.explain = false;
  return std::make_shared<const Result>(run(request));
}

std::shared_ptr<const LivingMap> map_of(const char* name, const char* text) {
  return living_map(result_of(load_model(name), text));
}

}  // namespace

class TestLivingMap : public QObject {
  Q_OBJECT

 private slots:
  void every_bundled_model_adds_up_data() {
    QTest::addColumn<QString>("folder");
    for (const auto& folder : bundled_models())
      if (folder.filename() != "copy-ntm")
        QTest::newRow(folder.filename().c_str()) << QString::fromStdString(folder.string());
  }
  void every_bundled_model_adds_up() {
    QFETCH(QString, folder);
    const auto model = load_model(folder.toStdString());
    QVERIFY(!model->examples.empty());
    const auto result = result_of(model, model->examples.front());
    QVERIFY(has_living_map(*result));
    const auto map = living_map(result);
    QVERIFY(map);
    const QString said = everything_adds_up(*map);
    QVERIFY2(said.isEmpty(), qPrintable(said));
    for (std::size_t s = 0; s < map->stations.size(); ++s)
      for (const LivingPart& part : map->stations[s].parts)
        for (int row = 0; row < map->stations[s].count; ++row)
          QVERIFY(part.station(row) <= static_cast<int>(s) || map->stations[s].kind == LivingStation::Kind::cell);
  }

  // People are told where a token stands in their text, also by a model that reads it from its end.
  void places_are_those_of_the_text() {
    const std::string text = "November 21, 2026";
    const auto map = map_of("date-attention", text.c_str());
    const auto [first, count] = map->range(LivingLane::Side::source);
    QVERIFY(map->lanes[static_cast<std::size_t>(first)].position >
            map->lanes[static_cast<std::size_t>(first + 1)].position);
    for (int lane = first; lane < first + static_cast<int>(text.size()); ++lane) {
      const int place = map->place(lane);
      QCOMPARE(map->lanes[static_cast<std::size_t>(lane)].text, text.substr(static_cast<std::size_t>(place - 1), 1));
    }
    QCOMPARE(map->place(map->lane_of_step(0)), 1);
  }

  // Largest remainder, by hand: 33.3 + 33.3 + 33.3; 16.67 six times has four remainders to give; 99.6 and 0.4.
  void whole_percent_add_up_to_100() {
    QCOMPARE(whole_percent({1 / 3., 1 / 3., 1 / 3.}), (std::vector<int>{34, 33, 33}));
    QCOMPARE(whole_percent({1 / 6., 1 / 6., 1 / 6., 1 / 6., 1 / 6., 1 / 6.}),
             (std::vector<int>{17, 17, 17, 17, 16, 16}));
    QCOMPARE(whole_percent({0.996, 0.004}), (std::vector<int>{100, 0}));
    QCOMPARE(whole_percent({0.004, 0.492, 0.504}), (std::vector<int>{1, 49, 50}));
    QCOMPARE(whole_percent({0.5, 0.25, 0.25}), (std::vector<int>{50, 25, 25}));
    QCOMPARE(whole_percent({0, 0}), (std::vector<int>{0, 0}));
    QCOMPARE(whole_percent({}), std::vector<int>{});
  }

  void lanes_are_the_text_and_what_is_written() {
    const auto map = map_of("date-attention", "3 May 2001");
    const auto [first, count] = map->range(LivingLane::Side::source);
    QCOMPARE(first, 0);
    QCOMPARE(map->lanes[0].text, std::string("3"));
    QCOMPARE(map->lanes[2].text, std::string("M"));
    QVERIFY(map->lanes[static_cast<std::size_t>(count) - 1].padding);
    QCOMPARE(map->lanes[0].position, static_cast<Index>(count - 1));  // it is read last
    const int lane = map->lane_of_step(2);
    QCOMPARE(map->lanes[static_cast<std::size_t>(lane)].text, map->result->steps[1].text);
    QCOMPARE(map->lanes[static_cast<std::size_t>(lane)].written, map->result->steps[2].text);
    QCOMPARE(map->lane_of_step(1000), -1);
    QCOMPARE(map->lane_of_token(2), 2);
  }
  void a_prompt_and_its_continuation_are_one_row_of_lanes() {
    const auto map = map_of("story-gpt", "anna sees a box");
    QCOMPARE(map->family, LivingMap::Family::decoder_only);
    QCOMPARE(map->range(LivingLane::Side::source).second, 0);
    QCOMPARE(map->lanes.size(), map->result->tokens.size() - 1 + map->result->steps.size());
    QCOMPARE(map->lanes[0].text, std::string("<bos>"));
    QCOMPARE(map->lanes[4].text, std::string("box"));
    QCOMPARE(map->lanes[4].step, 0);  // it stands in for the start sign
    QVERIFY(map->lanes[4].prompt);
    QVERIFY(!map->lanes[5].prompt);
    QCOMPARE(map->lanes[5].text, map->result->steps[0].text);
  }

  void heads_add_up_to_their_part() {
    for (const char* name : {"story-gpt", "grammar-transformer", "masked-bert"}) {
      const auto model = load_model(name);
      const auto map = living_map(result_of(model, model->examples.front()));
      int seen = 0;
      for (std::size_t s = 0; s < map->stations.size(); ++s)
        for (std::size_t p = 0; p < map->stations[s].parts.size(); ++p) {
          const LivingPart& part = map->stations[s].parts[p];
          if (part.heads < 2) continue;
          const Tensor heads = head_shares(*map, static_cast<int>(s), static_cast<int>(p)),
                       weights = head_weights(*map, static_cast<int>(s), static_cast<int>(p));
          QCOMPARE(heads.shape(), (Shape{part.heads, map->stations[s].count, part.columns}));
          QCOMPARE(weights.shape(), heads.shape());
          const Index size = part.share.size();
          for (Index i = 0; i < size; ++i) {
            double sum = 0;
            for (Index h = 0; h < part.heads; ++h) sum += static_cast<double>(heads[h * size + i]);
            QVERIFY(std::abs(sum - static_cast<double>(part.share[i])) < 1e-5);
          }
          for (Index r = 0; r < weights.rows(); ++r)
            QVERIFY(std::abs(weights.matrix().row(r).sum() - 1) < Scalar(1e-4));
          // One head and lane, by its vector.
          const LivingShare one{static_cast<int>(s), static_cast<int>(p), map->stations[s].count - 1, 0, 1};
          const Tensor q = part_vector(*map, one), state = state_vector(*map, one.station, one.row);
          double brought = 0, whole = 0;
          for (Index i = 0; i < q.size(); ++i) {
            brought += static_cast<double>(q[i]) * static_cast<double>(state[i]);
            whole += static_cast<double>(state[i]) * static_cast<double>(state[i]);
          }
          QVERIFY(std::abs(brought / whole - static_cast<double>(heads[size + one.row * part.columns])) < 1e-5);
          ++seen;
        }
      QVERIFY(seen > 0);
    }
  }

  void every_share_opens_into_its_arithmetic() {
    for (const char* name : {"story-gpt", "date-attention", "tatoeba-bahdanau"}) {
      const auto model = load_model(name);
      const auto map = living_map(result_of(model, model->examples.front()));
      for (std::size_t s = 0; s < map->stations.size(); ++s)
        for (std::size_t p = 0; p < map->stations[s].parts.size(); ++p) {
          const LivingPart& part = map->stations[s].parts[p];
          for (const int column : {-1, 0}) {
            if (column >= 0 && !part.dense()) continue;
            const LivingShare one{static_cast<int>(s), static_cast<int>(p), map->stations[s].count - 1, column, -1};
            const Explanation said = explain_share(*map, one);
            QCOMPARE(said.kind, Explanation::Kind::share);
            double sum = 0;
            for (const Term& term : said.terms) sum += term.value;
            QVERIFY(!said.terms.empty());
            QVERIFY(std::abs(said.terms[0].value / sum - said.recomputed) < 1e-9);
            QVERIFY2(std::abs(said.value - said.recomputed) < 1e-3, said.terms[0].label.c_str());
            const Explanation product = explain_product(*map, one);
            QVERIFY(std::abs(product.value - said.terms[0].value) <= 1e-4 * (1 + std::abs(product.value)));
          }
        }
    }
  }

  // A bare encoder gives states and no outputs: what they are made of can be asked all the same.
  void a_model_that_only_reads_has_a_map() {
    const auto model = load_model("masked-bert");
    Result bare = *result_of(model, model->examples.front());
    bare.steps.clear();
    const auto map = living_map(std::make_shared<const Result>(bare));
    QVERIFY(map);
    QVERIFY(everything_adds_up(*map).isEmpty());
    for (const LivingLane& lane : map->lanes) QVERIFY(lane.step < 0 && lane.written.empty());
    const LivingFlow flow = living_flow(*map, {2, -1});
    double sum = flow.rest;
    for (const double origin : flow.origin) sum += origin;
    QVERIFY(std::abs(sum - 1) < 1e-5);
    // It is the flow of that state, whatever a head on top would make of it.
    const auto whole = living_map(result_of(model, model->examples.front()));
    const LivingFlow same = living_flow(*whole, {2, -1});
    for (std::size_t i = 0; i < flow.origin.size(); ++i) QCOMPARE(flow.origin[i], same.origin[i]);
  }

  void what_a_run_published_is_a_cell_of_its_trace() {
    const auto map = map_of("story-gpt", "anna sees a box");
    const int station = map->output_station();
    const Explanation product = explain_product(*map, {station, 0, 2});
    const Trace& trace = *map->result->trace;
    QCOMPARE(trace.locate(product.terms[5].cells[0]).text(), std::string("decoder.layer[1].residual1[2, 5]"));
    QCOMPARE(trace.locate(product.terms[5].cells[1]).text(), std::string("decoder.layer[1].residual2[2, 5]"));
  }

  // The lens behind the last layer is what the model itself says.
  void the_last_lens_is_the_output() {
    for (const char* name : {"story-gpt", "grammar-transformer", "masked-bert"}) {
      const auto model = load_model(name);
      const auto map = living_map(result_of(model, model->examples.front()));
      for (const int step : {0, 1}) {
        const int lane = map->lane_of_step(step);
        const auto lens = living_lens(*map, {lane, -1});
        QVERIFY(lens.size() > 2);
        QCOMPARE(lens.back().station, map->output_station());
        const OutputStep& said = map->result->steps[static_cast<std::size_t>(step)];
        QVERIFY(std::abs(lens.back().chosen - said.probability) < 1e-4);
        QCOMPARE(lens.back().top[0].text, said.top[0].text);
        for (std::size_t i = 1; i < lens.back().top.size(); ++i)
          QVERIFY(lens.back().top[i - 1].probability >= lens.back().top[i].probability);
      }
    }
  }

  void a_cut_takes_the_weight_away_and_says_what_that_does() {
    const auto model = load_model("story-gpt");
    const std::string text = model->examples.front();
    const auto map = living_map(result_of(model, text));
    const LivingChoice choice{map->lane_of_step(0), -1};
    const int station = map->output_station() - 1, part = map->stations.back().part(LivingPart::Kind::carried) + 1;
    QCOMPARE(map->stations[static_cast<std::size_t>(station)].kind, LivingStation::Kind::attention);
    const int row = choice.lane;
    // One pair of all heads, in a row that is computed in a step, and in one of the prompt.
    for (const auto& [r, column] : {std::pair{row, 1}, {2, 1}}) {
      const LivingShare share{station, part, r, column, -1};
      const auto edits = cut_of(*map, share);
      QVERIFY(!edits.empty());
      const auto after = result_of(model, text, edits);
      const auto cut = living_map(after);
      QVERIFY(map->stations[static_cast<std::size_t>(station)].parts[static_cast<std::size_t>(part)].at(r, column) !=
              0);
      QCOMPARE(cut->stations[static_cast<std::size_t>(station)].parts[static_cast<std::size_t>(part)].at(r, column),
               0.0);
      const Tensor weights = head_weights(*cut, station, part), before = head_weights(*map, station, part);
      for (Index h = 0; h < weights.dim(0); ++h)
        for (Index j = 0; j < weights.dim(2); ++j)
          if (j != column)
            QVERIFY(std::abs(weights[(h * weights.dim(1) + r) * weights.dim(2) + j] -
                             before[(h * weights.dim(1) + r) * weights.dim(2) + j]) < Scalar(1e-5));
      if (r != row) continue;
      const TrueChange change = true_change(*map, choice, *after);
      QVERIFY(std::abs(change.before - map->result->steps[0].probability) < 1e-6);
      QVERIFY(change.after >= 0 && change.after <= 1 && std::abs(change.after - change.before) > 1e-9);
      const QString said = shares_add_up(*cut);
      QVERIFY2(said.isEmpty(), qPrintable(said));
    }
    // A head, and what an MLP writes.
    const auto head = cut_of(*map, {station, part, row, -1, 2});
    QVERIFY(!head.empty());
    const auto without = living_map(result_of(model, text, head));
    const QString said = shares_add_up(*without);
    QVERIFY2(said.isEmpty(), qPrintable(said));
    const Tensor shares = head_shares(*without, station, part), all = head_shares(*map, station, part);
    const Index of_head = 2 * shares.dim(1) * shares.dim(2) + row * shares.dim(2);
    for (Index j = 0; j < shares.dim(2); ++j) QVERIFY(shares[of_head + j] == Scalar(0));
    QVERIFY(ConstArrayMap(all.data() + of_head, all.dim(2)).abs().maxCoeff() > Scalar(0.001));
    const auto mlp = cut_of(*map, {map->output_station(), map->stations.back().part(LivingPart::Kind::written), row});
    QCOMPARE(mlp.size(), std::size_t{1});
    const auto dry = living_map(result_of(model, text, mlp));
    QCOMPARE(dry->stations.back().parts[1].total(row), 0.0);
    QVERIFY(cut_of(*map, {station, 0, row}).empty());  // what is carried on cannot be cut
  }
  void a_cut_ribbon_of_a_recurrent_model_is_gone() {
    const auto model = load_model("date-attention");
    const auto map = living_map(result_of(model, "3 May 2001"));
    const int readout = map->output_station(), part = map->stations.back().part(LivingPart::Kind::attention);
    QVERIFY(part >= 0);
    const auto edits = cut_of(*map, {readout, part, 5, 3, -1});
    const auto cut = living_map(result_of(model, "3 May 2001", edits));
    QCOMPARE(cut->stations.back().parts[static_cast<std::size_t>(part)].at(5, 3), 0.0);
  }

  void another_candidate_has_another_bar() {
    const auto map = map_of("date-attention", "3 May 2001");
    const LivingChoice chosen{map->lane_of_step(5), -1};
    LivingChoice other = chosen;
    const OutputStep& step = map->result->steps[5];
    other.candidate = step.top[1].id;
    const auto mine = readout_shares(*map, chosen), theirs = readout_shares(*map, other);
    QCOMPARE(mine.size(), map->stations.back().parts.size());
    double sum = 0, difference = 0;
    for (std::size_t p = 0; p < mine.size(); ++p)
      for (Index i = 0; i < mine[p].size(); ++i) {
        sum += static_cast<double>(theirs[p][i]);
        difference += std::abs(static_cast<double>(theirs[p][i] - mine[p][i]));
      }
    QVERIFY(std::abs(sum - 1) < 1e-4);
    QVERIFY(difference > 1e-2);
    const QString said = flow_adds_up(*map, living_flow(*map, other));
    QVERIFY2(said.isEmpty(), qPrintable(said));
  }

  void what_has_no_picture_says_so() {
    Result nothing;
    QVERIFY(!has_living_map(nothing));
    QVERIFY(!living_map(std::make_shared<const Result>(nothing)));
    QVERIFY(!living_map(nullptr));
    const auto map = map_of("story-gpt", "anna sees a box");
    QCOMPARE(message_of<UsageError>([&] {
               living_flow(*map, {1000, -1});
             }),
             QString("no output is read off lane 1000"));
  }
  void a_run_that_kept_a_part_of_its_sites_has_none() {
    for (const char* name : {"story-gpt", "masked-bert", "date-attention", "toy-mt-convs2s", "copy-ntm"}) {
      Request request;
      request.model = load_model(name);
      request.source = request.model->examples.front();
      request.capture.explain = false;
      const Result whole = run(request);
      std::set<std::string> kinds;
      for (const TraceEntry& entry : whole.trace->entries()) kinds.insert(without_indices(entry.site.text));
      // Without any one kind of sites: a map or none, and where there is one it adds up.
      for (const std::string& left_out : kinds) {
        request.capture.sites.clear();
        for (const std::string& kind : kinds)
          if (kind != left_out) request.capture.sites.push_back(kind);
        const auto result = std::make_shared<const Result>(run(request));
        const auto map = living_map(result);
        if (!map) continue;
        const QString said = shares_add_up(*map);
        QVERIFY2(said.isEmpty(), qPrintable(QString::fromStdString(name + (" without " + left_out) + ": ") + said));
        living_flow(*map, {map->stations.back().first, -1});
      }
    }
  }
  void a_raised_flag_ends_it() {
    const auto result = result_of(load_model("story-gpt"), "anna sees a box");
    const CancelToken token = CancelToken::make();
    token.cancel();
    QVERIFY_THROWS_EXCEPTION(Cancelled, living_map(result, token));
  }
};

HEADLIGHT_TEST(TestLivingMap)

}  // namespace headlight::test_living_map

#include "test_living_map.moc"
