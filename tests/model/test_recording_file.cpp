// Recordings in files: what is written is read again, and broken ones are refused in one line.

#include <QTest>
#include <functional>

#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "model/io/half.h"
#include "model/io/safetensors.h"
#include "model/recording/recording_file.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_recording_file {

namespace {

using namespace testing;

std::shared_ptr<const MomentWeights> weights(double first) {
  auto made = std::make_shared<MomentWeights>();
  for (const Index count : {Index{6}, Index{2}}) {
    auto halves = std::make_shared<Halves>(Halves::Kind::float16, count);
    for (Index i = 0; i < count; ++i) halves->bits()[i] = to_half(first + static_cast<double>(i));
    made->parameters.push_back(std::move(halves));
  }
  return made;
}

// Three moments: the second has no output yet, the last has a text that is gone on with.
Recording recording() {
  Recording r;
  r.settings.task = "copy";
  r.settings.architecture = "attn_seq2seq";
  r.settings.set("hidden_size=8");
  r.settings.probes = {"12"};
  r.settings = r.settings.resolved();
  r.title = "Attention, dot score";
  r.task_title = "Copying 注意";
  r.recorded_at = "2026-11-28T10:42:00";
  r.machine = "2 cores";
  r.numbers = 8;
  r.examples = 480;
  r.held_out = 60;
  r.longest = 2;
  r.updates = 90;
  r.reads = 2880;
  r.probes = {{"12", "12", {{0, 0}, {1, 1}}, {"1", "2"}, {"1", "2"}}};
  r.starts = {"the"};
  r.maps = {{"decoder.attention.weights", -1, -1, false}, {"decoder.other.weights", 2, 3, true}};
  r.parameters = {{"encoder.W", Shape{2, 3}}, {"decoder.b", Shape{2}}};
  r.layers = {"encoder", "decoder"};
  r.thinned = true;
  for (int i = 0; i < 3; ++i) {
    auto moment = std::make_shared<Moment>();
    moment->update = 8 * i;
    moment->read = 256 * i;
    moment->seconds = 0.1 * i;
    if (i > 0) moment->loss = 1.0 / 3;
    moment->right_unseen = 0.25;
    moment->perplexity = 7.5;
    moment->learning_rate = 0.005;
    moment->layer_gradients = {0.5, 0.25};
    moment->written = {"the sea is calm"};
    ProbeRun run;
    if (i != 1) run.output = {{"1", 0.75, true}, {"7", 0.1, false}};
    for (int m = 0; m < 2; ++m)
      run.attention.push_back(i == 1 ? Tensor::zeros({0, 0})
                                     : Tensor::of({2, 3}, {Scalar(0.5), Scalar(0.25), Scalar(0.25), 0, 1, 0}));
    moment->probes = {std::move(run)};
    moment->weights = weights(i);
    r.moments.push_back(std::move(moment));
  }
  return r;
}

bool same_number(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

QString difference_of(const Moment& a, const Moment& b) {
  if (a.update != b.update || a.read != b.read) return "place";
  for (double Moment::*number :
       {&Moment::seconds, &Moment::loss, &Moment::right_trained, &Moment::right_unseen, &Moment::perplexity,
        &Moment::looks_right, &Moment::concentration, &Moment::learning_rate, &Moment::gradient_norm})
    if (!same_number(a.*number, b.*number)) return "numbers";
  if (a.layer_gradients != b.layer_gradients || a.written != b.written) return "lists";
  if (a.probes.size() != b.probes.size()) return "probes";
  for (std::size_t p = 0; p < a.probes.size(); ++p) {
    const ProbeRun &x = a.probes[p], &y = b.probes[p];
    if (x.output.size() != y.output.size() || x.attention.size() != y.attention.size()) return "sizes";
    for (std::size_t t = 0; t < x.output.size(); ++t)
      if (x.output[t].text != y.output[t].text || x.output[t].probability != y.output[t].probability ||
          x.output[t].right != y.output[t].right)
        return "output";
    for (std::size_t m = 0; m < x.attention.size(); ++m)
      if (x.attention[m].shape() != y.attention[m].shape() || x.attention[m].values() != y.attention[m].values())
        return "attention";
  }
  return {};
}

}  // namespace

class TestRecordingFile : public QObject {
  Q_OBJECT
  Folder folder_;

  // The file with its JSON changed; the message of the refusal, the file shown as F.
  QString refusal(const std::function<void(Json&)>& change) const {
    const fs::path file = folder_ / "broken.training";
    save_recording(file, recording());
    const SafetensorsFile good(file);
    std::vector<NamedTensor> tensors;
    for (const TensorInfo& info : good.tensors()) tensors.push_back({info.name, good.load(info.name)});
    auto metadata = good.metadata();
    Json json = Json::parse(metadata["recording"]);
    change(json);
    metadata["recording"] = json.dump();
    write_safetensors(file, tensors, metadata, StorageType::f16);
    return told(file);
  }
  static QString told(const fs::path& file) {
    QString message = message_of<FormatError>([&] { load_recording(file); });
    return message.replace(QString::fromStdString(file.string()), "F");
  }

 private slots:
  void what_is_written_is_read_again() {
    const Recording before = recording();
    const fs::path file = folder_ / "whole.training";
    save_recording(file, before);
    QVERIFY(is_recording(file));
    QCOMPARE(recording_title(file), before.title);
    const auto after = load_recording(file);
    QVERIFY(after->settings.to_json() == before.settings.to_json());
    QCOMPARE(after->title, before.title);
    QCOMPARE(after->task_title, before.task_title);
    QCOMPARE(after->recorded_at, before.recorded_at);
    QCOMPARE(after->machine, before.machine);
    for (Index Recording::*count : {&Recording::longest, &Recording::numbers, &Recording::examples,
                                    &Recording::held_out, &Recording::updates, &Recording::reads})
      QCOMPARE((*after).*count, before.*count);
    QCOMPARE(after->probes[0].source_tokens, before.probes[0].source_tokens);
    QVERIFY(after->probes[0].alignment == before.probes[0].alignment);
    QCOMPARE(after->starts, before.starts);
    QCOMPARE(after->maps[1].name, before.maps[1].name);
    QVERIFY(after->maps[1].self && after->maps[1].head == 3 && after->maps[1].layer == 2);
    QVERIFY(after->parameters[0].shape == before.parameters[0].shape);
    QCOMPARE(after->layers, before.layers);
    QVERIFY(after->thinned && !after->whole && !after->failure && !after->bundled);
    QCOMPARE(after->count(), 3);
    for (int m = 0; m < 3; ++m) {
      QCOMPARE(difference_of(after->at(m), before.at(m)), QString());
      QCOMPARE(after->at(m).weights->parameters.size(), 2u);
      QCOMPARE(after->at(m).weights->parameters[1]->at(1), static_cast<Scalar>(m + 1));
      QCOMPARE(after->at(m).weights->bytes(), 16u);
    }
    // And written again it is the same file.
    save_recording(folder_ / "again.training", *after);
    QVERIFY(get_file(file) == get_file(folder_ / "again.training"));
  }
  void a_failure_is_kept() {
    Recording before = recording();
    before.failure = Recording::Failure{412, 9.3, "the loss is no longer a number"};
    save_recording(folder_ / "failed.training", before);
    const auto after = load_recording(folder_ / "failed.training");
    QCOMPARE(after->failure->update, Index{412});
    QCOMPARE(after->failure->loss_before, 9.3);
    QCOMPARE(after->failure->message, before.failure->message);
  }
  void weights_may_be_left_out() {
    const fs::path file = folder_ / "small.training";
    save_recording(file, recording(), {false, true});
    QVERIFY(!load_recording(file)->at(0).weights && load_recording(file)->at(2).weights);
    save_recording(file, recording(), {false, false});
    QVERIFY(!load_recording(file)->at(2).weights);
  }

  void broken_ones_are_refused_data() {
    QTest::addColumn<std::function<void(Json&)>>("change");
    QTest::addColumn<QString>("message");
    using Change = std::function<void(Json&)>;
    const auto row = [](const char* name, Change change, const char* message) {
      QTest::newRow(name) << change << QString(message);
    };
    row(
        "no list", [](Json& j) { j["moments"] = 7; }, "F: moments: expected a list of at most 4096, found 7");
    row(
        "huge list", [](Json& j) { j["moments"] = Json::array_t(5000, Json(1)); },
        "F: moments: expected a list of at most 4096, found a list of 5000");
    row(
        "probes", [](Json& j) { j["probes"] = Json::array_t(65, j["probes"][0]); },
        "F: probes: expected a list of at most 64, found a list of 65");
    row(
        "settings", [](Json& j) { j["settings"] = 3; }, "F: settings: expected the settings of a training, found 3");
    row(
        "no title", [](Json& j) { j.erase("title"); }, "F: title: expected, found none");
    row(
        "huge count", [](Json& j) { j["numbers"] = 1e300; },
        "F: numbers: expected a whole number from 0 to 281474976710656, found 1e+300");
    row(
        "negative", [](Json& j) { j["moments"][1]["update"] = -1; },
        "F: moments[1].update: expected a whole number from 0 to 281474976710656, found -1");
    row(
        "order", [](Json& j) { j["moments"][1]["update"] = 0; }, "F: moments[1].update: expected more than 0, found 0");
    row(
        "word", [](Json& j) { j["moments"][1]["loss"] = "low"; },
        "F: moments[1].loss: expected a number or null, found \"low\"");
    row(
        "flags", [](Json& j) { j["moments"][0]["probes"][0]["right"] = Json::array({true}); },
        "F: moments[0].probes[0].right: expected 2 flags, found a list of 1");
    row(
        "share", [](Json& j) { j["moments"][0]["probes"][0]["probability"][0] = 3; },
        "F: moments[0].probes[0].probability[0]: expected a number from 0 to 1, found 3");
    row(
        "more probes", [](Json& j) { j["moments"][0]["probes"] = Json::array(); },
        "F: moments[0].probes: expected a list of 1, one for each probe, found a list of 0");
    row(
        "written", [](Json& j) { j["moments"][0]["written"] = Json::array(); },
        "F: moments[0].written: expected a list of 1, one for each start, found a list of 0");
    row(
        "shorter output",
        [](Json& j) {
          for (const char* key : {"output", "probability", "right"}) j["moments"][0]["probes"][0][key].erase(1);
        },
        "F: moment[0].probe[0].attention: expected F16 [2 x 1 x 3], found F16 [2 x 2 x 3]");
    row(
        "another map", [](Json& j) { j["maps"].push_back(j["maps"][0]); },
        "F: moment[0].probe[0].attention: expected F16 [3 x 2 x 3], found F16 [2 x 2 x 3]");
    row(
        "no map", [](Json& j) { j["maps"] = Json::array(); },
        "F: moment[0].probe[0].attention: expected no attention, found [2 x 2 x 3]");
    row(
        "parameter",
        [](Json& j) {
          j["parameters"][0]["shape"] = {2, 4};
        },
        "F: moment[0].weights: expected F16 [10], found F16 [8]");
    row(
        "huge parameter",
        [](Json& j) {
          j["parameters"][0]["shape"] = {1000000000, 1000000000};
        },
        "F: parameters[0].shape: expected at most a thousand million numbers, found a list of 2");
    row(
        "tensors left", [](Json& j) { j["moments"].erase(2); }, "F: expected 3 tensors, found 5");
  }
  void broken_ones_are_refused() {
    QFETCH(std::function<void(Json&)>, change);
    QFETCH(QString, message);
    QCOMPARE(refusal(change), message);
  }

  void other_files_are_none() {
    const fs::path file = folder_ / "other.training";
    write_safetensors(file, {{"w", Tensor::zeros({2})}}, {}, StorageType::f32);
    QCOMPARE(told(file), QString("F: expected a recording of a training, found another safetensors file"));
    QVERIFY(!is_recording(file));
    QVERIFY(!is_recording(folder_ / "missing.training"));
    write_safetensors(file, {}, {{"format", "headlight.training"}, {"version", "2"}}, StorageType::f16);
    QCOMPARE(told(file), QString("F: expected version 1 of recordings, found 2"));
    write_safetensors(file, {}, {{"format", "headlight.training"}, {"version", "1"}}, StorageType::f16);
    QCOMPARE(told(file), QString("F: expected \"recording\" in the header, found none"));
  }
  void numbers_that_are_none_are_refused() {
    Recording r = recording();
    auto moment = std::make_shared<Moment>(r.at(2));
    auto bad = std::make_shared<MomentWeights>(*moment->weights);
    auto halves = std::make_shared<Halves>(Halves::Kind::float16, 2);
    halves->bits()[0] = 0x7c00;  // infinity
    halves->bits()[1] = 0;
    bad->parameters[1] = halves;
    moment->weights = bad;
    r.moments[2] = moment;
    const fs::path file = folder_ / "infinite.training";
    save_recording(file, r);
    QCOMPARE(told(file), QString("F: moment[2].weights: decoder.b: expected finite numbers, found NaN or infinity"));
  }
  void every_beginning_of_a_file_is_refused() {
    const fs::path whole = folder_ / "cut.training", part = folder_ / "part.training";
    save_recording(whole, recording());
    const std::string bytes = get_file(whole);
    for (std::size_t length = 0; length < bytes.size(); length += 97) {
      put_file(part, bytes.substr(0, length));
      QVERIFY2(!message_of<Error>([&] { load_recording(part); }).contains("exception"),
               qPrintable(QString::number(length)));
    }
  }
};

HEADLIGHT_TEST(TestRecordingFile)

}  // namespace headlight::test_recording_file

#include "test_recording_file.moc"
