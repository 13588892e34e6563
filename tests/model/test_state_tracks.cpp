// What the cells of recurrent and convolutional models hold, against the sites of their traces and by hand.
#include <QTest>
#include <cmath>
#include <map>

#include "model/analysis/state_tracks.h"
#include "model/models/registry.h"
#include "tests/test_program.h"

namespace headlight::test_state_tracks {

namespace {

using Kind = StateCell::Kind;
using Side = StateCell::Side;
using Direction = StateCell::Direction;

std::shared_ptr<const Result> run_of(const std::string& architecture, const Json& settings,
                                     std::vector<Intervention> edits = {}) {
  auto bundle = std::make_shared<ModelBundle>();
  bundle->text.source = Tokenizer(Vocabulary({" ", "a", "b", "c", "<", ">", "d", "e"}));
  bundle->text.target = Tokenizer(Vocabulary({"_", "0", "1", "2", "-", "3", "4", "5"}));
  Json config = {{"model_type", architecture}, {"source_vocabulary_size", 8}, {"target_vocabulary_size", 8}};
  if (architecture != "transformer") config["hidden_size"] = 5;
  if (architecture != "transformer" && architecture != "ntm") config["embedding_size"] = 4;
  config.update(settings);
  bundle->model = make_model(config, 11);
  bundle->text.target_length = 4;
  Request request;
  request.model = bundle;
  request.source = "abcde";
  request.interventions = std::move(edits);
  return std::make_shared<Result>(run(request));
}

const StateCell* cell_of(const std::vector<StateCell>& cells, Side side, Index layer, Direction direction) {
  for (const StateCell& cell : cells)
    if (cell.side == side && cell.layer == layer && cell.direction == direction) return &cell;
  return nullptr;
}

// Every number of a track is that of the site "<prefix><position><suffix>", position by place.
void compare_track(const StateCell& cell, const char* symbol, const std::string& prefix, const std::string& suffix,
                   const std::vector<int>& positions) {
  const int track = cell.track(symbol);
  QVERIFY2(track >= 0, symbol);
  QCOMPARE(cell.place_count(), static_cast<int>(positions.size()));
  for (int place = 0; place < cell.place_count(); ++place) {
    const std::string site = prefix + std::to_string(positions[static_cast<std::size_t>(place)]) + suffix;
    const Tensor value = cell.trace->value(site);
    QVERIFY2(value.defined(), site.c_str());
    QCOMPARE(cell.units, value.size());
    for (Index unit = 0; unit < cell.units; ++unit) {
      QCOMPARE(cell.value(track, place, unit), static_cast<float>(value[unit]));
      int t = -1, p = -1;
      Index u = -1;
      QVERIFY(cell.find(cell.trace->find(site), unit, &t, &p, &u));
      QVERIFY(t == track && p == place && u == unit);
    }
  }
}

// The written-out arithmetic comes to what the model computed, in every unit at every place.
void compare_updates(const StateCell& cell, std::size_t lines) {
  for (int place = 0; place < cell.place_count(); ++place)
    for (Index unit = 0; unit < cell.units; ++unit) {
      const auto updates = cell.updates(place, unit);
      QCOMPARE(updates.size(), lines);
      for (const StateUpdate& update : updates) {
        QVERIFY2(std::abs(update.computed - update.value) < 2e-6, update.symbols.c_str());
        QCOMPARE(static_cast<float>(update.value), cell.value(cell.track(update.result), place, unit));
        QVERIFY(!update.edited);
      }
    }
}

const std::vector<int> kForward = {0, 1, 2, 3, 4}, kReversed = {4, 3, 2, 1, 0}, kSteps = {0, 1, 2, 3};

}  // namespace

class TestStateTracks : public QObject {
  Q_OBJECT

 private slots:
  void lstm_that_reads_from_the_end() {
    const auto result = run_of("attn_seq2seq", {{"reverse_source", true}, {"pass_cell", true}});
    const auto cells = state_cells(*result);
    QVERIFY(has_state_cells(*result));
    QCOMPARE(cells.size(), std::size_t(2));
    const StateCell& encoder = cells[0];
    QVERIFY(encoder.side == Side::encoder && encoder.kind == Kind::lstm && encoder.layer == -1);
    QCOMPARE(encoder.places[0].text, std::string("a"));  // as typed, though it is read last
    QVERIFY(encoder.reads_backward());
    QCOMPARE(encoder.before, (std::vector<int>{1, 2, 3, 4, -1}));
    const std::map<const char*, const char*> leaves = {{"f", "gate.f"}, {"i", "gate.i"}, {"o", "gate.o"},
                                                       {"g", "cand.g"}, {"c", "c"},      {"h", "h"}};
    for (const auto& [symbol, leaf] : leaves) {
      compare_track(encoder, symbol, "encoder.step[", std::string("].lstm.") + leaf, kReversed);
      compare_track(cells[1], symbol, "decoder.step[", std::string("].lstm.") + leaf, kSteps);
    }
    compare_updates(encoder, 2);
    compare_updates(cells[1], 2);
    QCOMPARE(encoder.updates(2, 1)[0].symbols, std::string("f·c′ + i·g"));
    // The decoder goes on from the encoder's last state, which is that of the first token here.
    QCOMPARE(cells[1].value_before("c", 0, 3), static_cast<double>(result->trace->value("encoder.step[4].lstm.c")[3]));
    QCOMPARE(encoder.value_before("c", 4, 3), 0.0);
    QCOMPARE(cells[1].places[0].fed, std::string("_"));
    QCOMPARE(cells[1].places[1].fed, cells[1].places[0].text);
  }

  void both_forms_of_the_gru_in_both_directions() {
    for (const bool after : {false, true}) {
      const auto result =
          run_of("bahdanau", {{"cell", after ? "gru_reset_after" : "gru"}, {"attention.hidden_size", 4}});
      const auto cells = state_cells(*result);
      QCOMPARE(cells.size(), std::size_t(3));
      for (const auto& [direction, name] :
           {std::pair(Direction::forward, "fwd"), std::pair(Direction::backward, "bwd")}) {
        const StateCell* cell = cell_of(cells, Side::encoder, -1, direction);
        QVERIFY(cell && cell->kind == (after ? Kind::gru_reset_after : Kind::gru));
        const std::string prefix = std::string("encoder.") + name + ".step[";
        for (const auto& [symbol, leaf] :
             std::map<const char*, const char*>{{"z", "gate.z"}, {"r", "gate.r"}, {"h̃", "cand"}, {"h", "h"}})
          compare_track(*cell, symbol, prefix, std::string("].gru.") + leaf, kForward);
        compare_updates(*cell, 1);
        QCOMPARE(cell->before, direction == Direction::forward ? (std::vector<int>{-1, 0, 1, 2, 3})
                                                               : (std::vector<int>{1, 2, 3, 4, -1}));
        QCOMPARE(cell->reads_backward(), direction == Direction::backward);
        QCOMPARE(cell->updates(1, 0)[0].symbols, std::string(after ? "(1 − z)·h̃ + z·h′" : "(1 − z)·h′ + z·h̃"));
      }
      const StateCell* decoder = cell_of(cells, Side::decoder, -1, Direction::only);
      QVERIFY(decoder);
      compare_track(*decoder, "h", "decoder.step[", "].gru.h", kSteps);
      compare_updates(*decoder, 1);  // its first h′ is decoder.init.h
      QVERIFY(std::abs(decoder->value_before("h", 0, 2)) > 0);
    }
  }

  void deep_and_simple_cells() {
    const auto result = run_of("attn_seq2seq", {{"cell", "rnn"}, {"layers", 3}, {"reverse_source", false}});
    const auto cells = state_cells(*result);
    QCOMPARE(cells.size(), std::size_t(6));
    for (Index layer = 0; layer < 3; ++layer) {
      const std::string name = "layer[" + std::to_string(layer) + "]";
      const StateCell* encoder = cell_of(cells, Side::encoder, layer, Direction::only);
      const StateCell* decoder = cell_of(cells, Side::decoder, layer, Direction::only);
      QVERIFY(encoder && decoder && encoder->kind == Kind::rnn);
      compare_track(*encoder, "A", "encoder." + name + ".step[", "].rnn.pre", kForward);
      compare_track(*encoder, "h", "encoder." + name + ".step[", "].rnn.h", kForward);
      compare_track(*decoder, "h", "decoder.step[", "]." + name + ".rnn.h", kSteps);
      compare_updates(*encoder, 1);
      compare_updates(*decoder, 1);
      QCOMPARE(encoder->main_gate(), -1);
    }
  }

  void gates_of_convolutions() {
    const auto result =
        run_of("convs2s", {{"encoder_layers", 2}, {"decoder_layers", 2}, {"kernel_size", 3}, {"max_positions", 16}});
    const auto cells = state_cells(*result);
    QCOMPARE(cells.size(), std::size_t(4));
    for (Index layer = 0; layer < 2; ++layer) {
      const StateCell* encoder = cell_of(cells, Side::encoder, layer, Direction::only);
      const StateCell* decoder = cell_of(cells, Side::decoder, layer, Direction::only);
      QVERIFY(encoder && decoder && encoder->kind == Kind::glu && !encoder->recurrent());
      QCOMPARE(encoder->place_count(), 5);
      QCOMPARE(decoder->place_count(), 4);
      const std::string name = "layer[" + std::to_string(layer) + "].glu.";
      for (const auto& [symbol, leaf] :
           std::map<const char*, const char*>{{"σ(B)", "gate"}, {"A", "a"}, {"y", "out"}}) {
        const Tensor all = result->trace->value("encoder." + name + leaf);  // [S x d]
        for (int place = 0; place < 5; ++place)
          for (Index unit = 0; unit < 5; ++unit)
            QCOMPARE(encoder->value(encoder->track(symbol), place, unit),
                     static_cast<float>(all.matrix()(place, unit)));
        compare_track(*decoder, symbol, "decoder.step[", "]." + name + leaf, kSteps);
      }
      compare_updates(*encoder, 1);
      compare_updates(*decoder, 1);
      int track = 0, place = 0;
      Index unit = 0;
      QVERIFY(encoder->find(encoder->entry(0, 2), encoder->index(0, 2, 4), &track, &place, &unit));
      QVERIFY(track == 0 && place == 2 && unit == 4);
    }
  }

  void the_controller_of_a_machine_goes_through_both_phases() {
    const Json settings = {{"memory.slots", 6}, {"memory.width", 3}};
    const auto result = run_of("ntm", settings);
    const auto cells = state_cells(*result);
    QCOMPARE(cells.size(), std::size_t(1));
    const StateCell& cell = cells[0];
    QVERIFY(cell.side == Side::controller && cell.kind == Kind::lstm);
    QCOMPARE(cell.place_count(), 5 + 1 + 4);
    QVERIFY(cell.places[5].kind == StatePlace::Kind::delimiter);
    QCOMPARE(cell.places[6].step, 0);
    for (int place = 0; place < cell.place_count(); ++place) {
      const std::string site =
          (place < 6 ? "encoder.step[" + std::to_string(place) : "decoder.step[" + std::to_string(place - 6)) +
          "].lstm.gate.f";
      for (Index unit = 0; unit < cell.units; ++unit)
        QCOMPARE(cell.value(cell.track("f"), place, unit), static_cast<float>(result->trace->value(site)[unit]));
    }
    compare_updates(cell, 2);  // from controller.init.c on, and over the delimiter
    QVERIFY(cell.value_before("c", 0, 0) != 0);

    Json plain = settings;
    plain["controller"] = "feedforward";
    const auto without = state_cells(*run_of("ntm", plain));
    QCOMPARE(without.size(), std::size_t(1));
    QVERIFY(without[0].kind == Kind::tanh);
    QCOMPARE(without[0].updates(3, 1).size(), std::size_t(1));
    QVERIFY(without[0].updates(3, 1)[0].symbols.empty());
  }

  void means_changes_and_openness() {
    const auto result = run_of("attn_seq2seq", {{"cell", "gru"}, {"reverse_source", false}});
    const StateCell cell = state_cells(*result)[0];
    const auto z = [&](int j, Index unit) {
      return static_cast<double>(result->trace->value("encoder.step[" + std::to_string(j) + "].gru.gate.z")[unit]);
    };
    const auto h = [&](int j, Index unit) {
      return static_cast<double>(result->trace->value("encoder.step[" + std::to_string(j) + "].gru.h")[unit]);
    };
    double mean = 0, open = 0, change = std::abs(h(0, 2));  // from zero
    for (Index unit = 0; unit < 5; ++unit) mean += z(3, unit) / 5;
    for (int j = 0; j < 5; ++j) open += z(j, 2) / 5;
    for (int j = 1; j < 5; ++j) change += std::abs(h(j, 2) - h(j - 1, 2));
    QVERIFY(std::abs(cell.mean(cell.track("z"), 3) - mean) < 1e-6);
    QVERIFY(std::abs(cell.openness()[2] - open) < 1e-6);
    QVERIFY(std::abs(cell.changes()[2] - change) < 1e-6);
    double largest = 0;
    for (int j = 0; j < 5; ++j)
      for (Index unit = 0; unit < 5; ++unit) largest = std::max(largest, std::abs(h(j, unit)));
    QCOMPARE(cell.largest(cell.track("h")), largest);
  }

  void an_edited_state_says_so() {
    Intervention edit;
    edit.site = "encoder.step[1].lstm.c";
    edit.cell = 2;
    edit.kind = Intervention::Kind::set;
    edit.value = 5;
    const StateCell cell = state_cells(*run_of("attn_seq2seq", {{"reverse_source", false}}, {edit}))[0];
    QVERIFY(cell.updates(1, 2)[0].edited);
    QCOMPARE(cell.updates(1, 2)[0].value, 5.0);
    QVERIFY(std::abs(cell.updates(1, 2)[0].computed) < 2);
    QVERIFY(!cell.updates(1, 3)[0].edited);
    QCOMPARE(cell.updates(2, 2)[0].values[1], 5.0);  // c′ of the next step
    QVERIFY(!cell.updates(2, 2)[0].edited);
  }

  // Gehring et al. 2017, section 3.1: six layers of width five see 25 tokens.
  void cones_by_hand() {
    using Span = ReceptiveCone::Span;
    QCOMPARE(receptive_cone(20, 5, 5, false, 100).reach, Index(25));
    QCOMPARE(receptive_cone(20, 5, 5, false, 100).levels[0], (Span{8, 32}));
    const ReceptiveCone three = receptive_cone(5, 2, 3, false, 20);
    QCOMPARE(three.levels, (std::vector<Span>{{2, 8}, {3, 7}, {4, 6}, {5, 5}}));
    QCOMPARE(three.reach, Index(7));
    QCOMPARE(receptive_cone(5, 2, 3, true, 20).levels, (std::vector<Span>{{0, 5}, {1, 5}, {3, 5}, {5, 5}}));
    const ReceptiveCone edge = receptive_cone(1, 1, 5, false, 4);
    QCOMPARE(edge.levels, (std::vector<Span>{{0, 3}, {0, 3}, {1, 1}}));
    QCOMPARE(edge.levels[0].count(), Index(4));
    QCOMPARE(edge.reach, Index(9));
    QCOMPARE(receptive_cone(5, 0, 4, false, 20).levels[0], (Span{4, 7}));  // even: one more behind than before
    QCOMPARE(receptive_cone(5, 3, 1, true, 20).levels[0], (Span{5, 5}));
  }

  // What the cone leaves out has no influence, and what it holds at its borders has.
  void cones_agree_with_the_model() {
    const auto seen = [](std::size_t kernel, char edit) {
      auto bundle = std::make_shared<ModelBundle>();
      bundle->text.source = Tokenizer(Vocabulary({" ", "a", "b"}));
      bundle->text.target = Tokenizer(Vocabulary({"_", "0", "1"}));
      bundle->text.target_length = 1;
      bundle->model = make_model({{"model_type", "convs2s"},
                                  {"source_vocabulary_size", 3},
                                  {"target_vocabulary_size", 3},
                                  {"embedding_size", 4},
                                  {"hidden_size", 4},
                                  {"encoder_layers", 2},
                                  {"decoder_layers", 1},
                                  {"kernel_size", kernel}},
                                 3);
      std::vector<Index> changed;
      Request request;
      request.model = bundle;
      request.source = std::string(12, 'a');
      const Tensor before = run(request).trace->value("encoder.layer[1].glu.gate");
      for (Index j = 0; j < 12; ++j) {
        request.source = std::string(12, 'a');
        request.source[static_cast<std::size_t>(j)] = edit;
        const Tensor after = run(request).trace->value("encoder.layer[1].glu.gate");
        if ((before.matrix().row(6) - after.matrix().row(6)).cwiseAbs().maxCoeff() > 0) changed.push_back(j);
      }
      return changed;
    };
    for (const Index kernel : {3, 4, 5}) {
      const auto span = receptive_cone(6, 1, kernel, false, 12).levels[0];
      const auto changed = seen(static_cast<std::size_t>(kernel), 'b');
      QCOMPARE(changed.front(), span.first);
      QCOMPARE(changed.back(), span.last);
      QCOMPARE(static_cast<Index>(changed.size()), span.count());
    }
  }

  void models_without_cells() {
    const auto result = run_of("transformer", {{"model_size", 8}, {"heads", 2}});
    QVERIFY(!has_state_cells(*result));
    QVERIFY(state_cells(*result).empty());
    QVERIFY(!has_state_cells(Result{}));
  }
};

HEADLIGHT_TEST(TestStateTracks)

}  // namespace headlight::test_state_tracks

#include "test_state_tracks.moc"
