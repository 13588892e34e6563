// Traces as files, and models checked against references.

#include <limits>

#include "model/io/dump.h"
#include "model/io/json_file.h"
#include "model/io/model_folder.h"
#include "model/io/npz.h"
#include "model/io/verify.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_io_dump {

using namespace headlight::testing;

namespace {

std::shared_ptr<ModelBundle> bundle(bool reverse = true) {
  auto made = std::make_shared<ModelBundle>();
  made->model = tiny_model("attn_seq2seq", reverse, {3, 4, 3, 3});
  made->text.source = Tokenizer(Vocabulary({" ", "a", "b"}));
  made->text.target = Tokenizer(Vocabulary({"_", "x", "y"}));
  made->text.source_width = 4;
  made->text.target_length = 2;
  return made;
}

Result result_of(const std::shared_ptr<const ModelBundle>& made, const std::string& source = "ab") {
  Request request;
  request.model = made;
  request.source = source;
  return run(request);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find("\r\n", at);
    if (end == std::string::npos) return {};
    lines.push_back(text.substr(at, end - at));
    at = end + 2;
  }
  return lines;
}

// A trace of one site with these values.
std::shared_ptr<const Trace> trace_of(const Tensor& value) {
  Recorder recorder({}, {});
  recorder.visit(SitePath("decoder"), "init.h", value);
  return recorder.finish({});
}

std::vector<NamedTensor> tensors_of(const Trace& trace) {
  std::vector<NamedTensor> tensors;
  for (const TraceEntry& entry : trace.entries()) tensors.push_back({entry.site.text, entry.value.clone()});
  return tensors;
}

const SiteDifference* row_of(const Verification& verification, const std::string& site) {
  for (const SiteDifference& row : verification.sites)
    if (row.site == site) return &row;
  return nullptr;
}

}  // namespace

class TestIoDump : public QObject {
  Q_OBJECT

  using State = SiteDifference::State;

 private slots:
  void safetensors_holds_every_site() {
    Folder folder;
    const Result result = result_of(bundle());
    dump_trace(*result.trace, folder / "t.safetensors", {{"source", "ab"}});
    const SafetensorsFile file(folder / "t.safetensors");
    QCOMPARE(file.metadata().at("source"), std::string("ab"));
    QCOMPARE(static_cast<int>(file.tensors().size()), result.trace->size());
    for (int i = 0; i < result.trace->size(); ++i) {
      const TraceEntry& entry = (*result.trace)[i];
      QCOMPARE(file.tensors()[static_cast<std::size_t>(i)].name, entry.site.text);
      QCOMPARE(file.load(entry.site.text).shape(), entry.value.shape());
      QCOMPARE(file.load(entry.site.text).values(), entry.value.values());
    }
  }
  void npz_holds_every_site() {
    Folder folder;
    const Result result = result_of(bundle());
    dump_trace(*result.trace, folder / "t.npz");
    const std::vector<NamedTensor> read = read_npz(folder / "t.npz");
    QCOMPARE(static_cast<int>(read.size()), result.trace->size());
    for (std::size_t i = 0; i < read.size(); ++i) {
      const TraceEntry& entry = (*result.trace)[static_cast<int>(i)];
      QCOMPARE(read[i].name, entry.site.text);
      QCOMPARE(read[i].value.values(), entry.value.values());
    }
  }
  void json_holds_every_site_in_order() {
    Folder folder;
    const Result result = result_of(bundle());
    dump_trace(*result.trace, folder / "t.json");
    const Json json = read_json(folder / "t.json", 1u << 20);
    QCOMPARE(static_cast<int>(json.size()), result.trace->size());
    int i = 0;
    for (const auto& item : json.items()) {
      const TraceEntry& entry = (*result.trace)[i++];
      QCOMPARE(item.key(), entry.site.text);
      QCOMPARE(item.value()["shape"].get<std::vector<Index>>(), entry.value.shape().vector());
      QCOMPARE(static_cast<int>(item.value()["axes"].size()), entry.value.rank());
    }
    const Json& states = json["encoder.states"];
    QCOMPARE(states["axes"].dump(), std::string("[\"source\",\"unit\"]"));
    const Tensor value = result.trace->value("encoder.states");
    QCOMPARE(states["values"][3][2].get<Scalar>(), value[3 * 4 + 2]);
  }
  void json_writes_what_is_no_number_as_text() {
    Folder folder;
    const Scalar infinity = std::numeric_limits<Scalar>::infinity(), nan = std::numeric_limits<Scalar>::quiet_NaN();
    dump_trace(*trace_of(Tensor::of({1, 4}, {Scalar(0.5), nan, infinity, -infinity})), folder / "t.json");
    QCOMPARE(read_json(folder / "t.json", 1000)["decoder.init.h"]["values"].dump(),
             std::string("[0.5,\"NaN\",\"Infinity\",\"-Infinity\"]"));
  }
  // Read back: site, up to three indices, and a number with enough digits to be the same one.
  void csv_has_a_row_for_each_number() {
    Folder folder;
    const Result result = result_of(bundle());
    dump_trace(*result.trace, folder / "t.csv");
    const std::vector<std::string> lines = lines_of(get_file(folder / "t.csv"));
    std::size_t at = 0;
    QCOMPARE(lines.at(at++), std::string("site,i,j,k,value"));
    for (const TraceEntry& entry : result.trace->entries())
      for (Index i = 0; i < entry.value.size(); ++i) {
        const QStringList fields = QString::fromStdString(lines.at(at++)).split(',');
        QCOMPARE(fields.size(), 5);
        QCOMPARE(fields[0].toStdString(), entry.site.text);
        Index cell = 0;
        for (int axis = 0; axis < 3; ++axis) {
          QCOMPARE(fields[axis + 1].isEmpty(), axis >= entry.value.rank());
          if (axis < entry.value.rank()) cell = cell * entry.value.dim(axis) + fields[axis + 1].toInt();
        }
        QCOMPARE(cell, i);
        QCOMPARE(fields[4].toFloat(), static_cast<float>(entry.value[i]));
      }
    QCOMPARE(lines.size(), at);
    const auto has = [&](const std::string& line) { return std::count(lines.begin(), lines.end(), line) == 1; };
    QVERIFY(has("input.src.ids,0,,,0"));  // reversed: the padding comes first
    QVERIFY(has("input.src.ids,3,,,1"));
  }
  void csv_of_what_is_no_number() {
    Folder folder;
    const Scalar infinity = std::numeric_limits<Scalar>::infinity(), nan = std::numeric_limits<Scalar>::quiet_NaN();
    dump_trace(*trace_of(Tensor::of({1, 3}, {Scalar(-0.5), nan, -infinity})), folder / "t.csv");
    QCOMPARE(get_file(folder / "t.csv"), std::string("site,i,j,k,value\r\ndecoder.init.h,0,,,-0.5\r\n"
                                                     "decoder.init.h,1,,,NaN\r\ndecoder.init.h,2,,,-Infinity\r\n"));
  }
  void unknown_ending() {
    Folder folder;
    const std::string path = (folder / "t.txt").string();
    const Result result = result_of(bundle());
    QCOMPARE(
        message_of<UsageError>([&] { dump_trace(*result.trace, path); }),
        QString::fromStdString("cannot write " + path + ": the name must end in .safetensors, .npz, .json or .csv"));
    QVERIFY(folder.names().empty());
  }
  void full_disk_in_every_format() {
    const Result result = result_of(bundle());
    for (const char* name : {"t.safetensors", "t.npz", "t.json", "t.csv"}) {
      Folder folder;
      put_file(folder / name, "old");
      QString message;
      {
        const FileSizeLimit limit(200);
        message = message_of<FileError>([&] { dump_trace(*result.trace, folder / name); });
      }
      QCOMPARE(message, QString::fromStdString("cannot write " + (folder / name).string() +
                                               ": the file would be larger than this system allows"));
      QCOMPARE(get_file(folder / name), std::string("old"));
      QCOMPARE(folder.names(), std::vector<std::string>{name});
    }
  }

  // Of further texts a reference holds a selection of sites.
  void further_texts_are_run_and_compared() {
    Folder folder;
    const auto made = bundle();
    const Result first = result_of(made), second = result_of(made, "ba");
    Request forced;
    forced.model = made;
    forced.source = "b";
    forced.target = "yy";
    const Result third = run(forced);
    std::vector<NamedTensor> tensors = tensors_of(*first.trace);
    tensors.push_back({"text[1].encoder.embed.out", second.trace->value("encoder.embed.out").clone()});
    tensors.push_back({"text[2].decoder.step[1].embed.out", third.trace->value("decoder.step[1].embed.out").clone()});
    const auto written = [&](const std::string& texts) {
      write_safetensors(folder / "r", tensors, {{"source", "ab"}, {"computed_by", "PyTorch"}, {"texts", texts}},
                        StorageType::f32);
      return verify_model(made, folder / "r");
    };
    const std::string texts = R"([{"source": "ba"}, {"source": "b", "target": "yy"}])";
    const Verification verification = written(texts);
    QVERIFY(verification.passed());
    QCOMPARE(verification.further.size(), std::size_t{2});
    QCOMPARE(static_cast<int>(verification.sites.size()), first.trace->size() + 2);
    QCOMPARE(row_of(verification, "text[2].decoder.step[1].embed.out")->difference, 0.0);
    // Another text, another target, and a text that is not there.
    for (const char* wrong : {R"([{"source": "ab"}, {"source": "b", "target": "yy"}])",
                              R"([{"source": "ba"}, {"source": "b", "target": "xx"}])", R"([{"source": "ba"}])", "[]"})
      QVERIFY2(!written(wrong).passed(), wrong);
    QCOMPARE(row_of(written("[]"), "text[1].encoder.embed.out")->state, State::missing_in_run);
    tensors.back().value[0] += Scalar(1e-3);
    QVERIFY(row_of(written(texts), "text[2].decoder.step[1].embed.out")->failed());
    const auto message = [&](const std::string& wrong) {
      return message_of<FormatError>([&] { written(wrong); }).remove(QString::fromStdString((folder / "r").string()));
    };
    QCOMPARE(message("{}"), QString(": texts: expected a list"));
    QCOMPARE(message("[1]").left(18), QString(": texts: expected "));
    QVERIFY(message(R"([{"source": "a", "tar": "x"}])").contains("tar"));
    QVERIFY(message(R"([{"target": "x"}])").contains("source"));
    QVERIFY(message("[").startsWith(": texts: "));
    std::string many = "[";
    for (std::size_t i = 0; i <= kMostFurtherTexts; ++i) many += R"({"source":"a"},)";
    many.back() = ']';
    QCOMPARE(message(many), QString(": texts: expected at most 1000, found 1001"));
  }

  void saved_reference_verifies() {
    Folder folder;
    const auto made = bundle();
    made->folder = folder.path();
    const Result result = result_of(made);
    save_verification(folder / "verify.safetensors", result, 1e-5);
    const Verification verification = verify_model(made);
    QVERIFY(verification.passed());
    QCOMPARE(verification.source, std::string("ab"));
    QCOMPARE(verification.tolerance, 1e-5);
    QCOMPARE(static_cast<int>(verification.sites.size()), result.trace->size());
    QCOMPARE(verification.worst()->difference, 0.0);
    // What this program wrote itself proves that nothing has changed, not that it is right.
    QCOMPARE(verification.computed_by, std::string("Headlight"));
    QVERIFY(!verification.independent);
  }
  void a_site_that_was_not_compared_fails() {
    Folder folder;
    const auto made = bundle();
    const auto passes_without = [&](const std::string& left_out) {
      std::vector<NamedTensor> tensors = tensors_of(*result_of(made).trace);
      std::erase_if(tensors, [&](const NamedTensor& t) { return t.name == left_out; });
      write_safetensors(folder / "r", tensors, {{"source", "ab"}, {"computed_by", "PyTorch"}}, StorageType::f32);
      const Verification verification = verify_model(made, folder / "r");
      return verification.independent && verification.computed_by == "PyTorch" && verification.passed();
    };
    QVERIFY(passes_without(""));
    QVERIFY(!passes_without("encoder.states"));
    QVERIFY(!passes_without("decoder.step[0].output.logits"));
    QVERIFY(passes_without("decoder.step[0].attention.weighted"));  // for the eye: nothing depends on it
  }
  void a_tolerance_that_proves_nothing_is_refused() {
    Folder folder;
    for (const char* text : {"0.0011", "1", "1e300"}) {
      write_safetensors(folder / "r", {}, {{"source", "a"}, {"tolerance", text}}, StorageType::f32);
      QCOMPARE(message_of<FormatError>([&] { verify_model(bundle(), folder / "r"); }),
               QString::fromStdString((folder / "r").string() + ": tolerance: expected at most 0.001, found \"" + text +
                                      "\": a greater one proves nothing"));
    }
  }
  void every_kind_of_difference_is_told_apart() {
    Folder folder;
    const auto made = bundle();
    std::vector<NamedTensor> tensors = tensors_of(*result_of(made).trace);
    const auto at = [&](const std::string& name) {
      return std::find_if(tensors.begin(), tensors.end(), [&](const NamedTensor& t) { return t.name == name; });
    };
    at("encoder.states")->value[6] += Scalar(0.25);
    at("decoder.init.h")->value = Tensor::zeros({9});
    at("decoder.init.c")->value[1] = std::numeric_limits<Scalar>::quiet_NaN();
    tensors.erase(at("encoder.embed.out"));
    tensors.push_back({"decoder.step[7].output.logits", Tensor::zeros({3})});
    write_safetensors(folder / "r", tensors, {{"source", "ab"}}, StorageType::f64);
    const Verification verification = verify_model(made, folder / "r");
    QVERIFY(!verification.passed());
    QCOMPARE(verification.tolerance, 1e-4);
    const SiteDifference* states = row_of(verification, "encoder.states");
    QVERIFY(states->state == State::compared && states->failed());
    QVERIFY(std::abs(states->difference - 0.25) < 1e-6);
    QCOMPARE(states->cell, Index{6});
    const SiteDifference* shape = row_of(verification, "decoder.init.h");
    QVERIFY(shape->state == State::wrong_shape && shape->failed());
    QCOMPARE(shape->expected.text(), std::string("[9]"));
    QCOMPARE(shape->found.text(), std::string("[4]"));
    const SiteDifference* missing = row_of(verification, "decoder.init.c");
    QVERIFY(missing->failed() && std::isinf(missing->difference));
    const SiteDifference* unchecked = row_of(verification, "encoder.embed.out");
    QVERIFY(unchecked->state == State::missing_in_reference && !unchecked->failed());
    QVERIFY(!verification.complete());
    const SiteDifference* unknown = row_of(verification, "decoder.step[7].output.logits");
    QVERIFY(unknown->state == State::missing_in_run && unknown->failed());
    QVERIFY(verification.worst() == missing);
  }
  void npz_reference_spells_its_source() {
    for (const bool reverse : {false, true}) {
      Folder folder;
      const auto made = bundle(reverse);
      write_npz(folder / "r.npz", tensors_of(*result_of(made, "ba").trace), NpyType::f4);
      const Verification verification = verify_model(made, folder / "r.npz");
      QCOMPARE(verification.source, std::string("ba  "));
      QVERIFY(verification.passed());
    }
  }
  void given_source_wins() {
    Folder folder;
    const auto made = bundle();
    save_verification(folder / "r", result_of(made, "ab"));
    const Verification verification = verify_model(made, folder / "r", "ba");
    QCOMPARE(verification.source, std::string("ba"));
    QVERIFY(!verification.passed());
  }
  void reference_without_a_source() {
    Folder folder;
    write_safetensors(folder / "r", {{"encoder.states", fill(1, {2, 4})}}, {}, StorageType::f32);
    QCOMPARE(message_of<FormatError>([&] { verify_model(bundle(), folder / "r"); }),
             QString::fromStdString((folder / "r").string() + ": it does not say which source was run: expected "
                                                              "metadata \"source\" or the site input.src.ids"));
  }
  void reference_with_ids_outside_the_vocabulary() {
    Folder folder;
    write_safetensors(folder / "r", {{"input.src.ids", Tensor::vector({1, 3})}}, {}, StorageType::f32);
    QCOMPARE(message_of<FormatError>([&] { verify_model(bundle(), folder / "r"); }),
             QString::fromStdString((folder / "r").string() + ": input.src.ids: expected ids from 0 to 2 in cell 1"));
  }
  void tolerance_that_is_no_number() {
    Folder folder;
    for (const char* text : {"small", "1e-4x", "-1", "nan", ""}) {
      write_safetensors(folder / "r", {}, {{"source", "a"}, {"tolerance", text}}, StorageType::f32);
      QCOMPARE(message_of<FormatError>([&] { verify_model(bundle(), folder / "r"); }),
               QString::fromStdString((folder / "r").string() + ": tolerance: expected a number from 0 on, found \"" +
                                      text + "\""));
    }
  }
  // What proves nothing does not pass, whatever the model gives.
  void references_that_cannot_fail_are_refused() {
    Folder folder;
    const auto made = bundle();
    const auto verified = [&](const std::vector<NamedTensor>& tensors) {
      write_safetensors(folder / "r", tensors, {{"source", "ab"}}, StorageType::f32);
      return verify_model(made, folder / "r");
    };
    const Result result = result_of(made);
    QVERIFY(verified({{"encoder.states", result.trace->value("encoder.states").clone()}}).agrees());
    QVERIFY(!verified({{"input.src.ids", result.trace->value("input.src.ids").clone()}}).agrees());
    const auto nan = std::numeric_limits<Scalar>::quiet_NaN(), inf = std::numeric_limits<Scalar>::infinity();
    // A model of NaN beside a reference of NaN: nothing is shown by that.
    made->model = std::shared_ptr<const Model>(tiny_model("attn_seq2seq", true, {3, 4, 3, 3}));
    const_cast<Parameter&>(made->model->parameters().all().front()).value.array() = nan;
    const Verification of_nan = verified(tensors_of(*result_of(made).trace));
    QVERIFY(!of_nan.agrees());
    QVERIFY(row_of(of_nan, "encoder.states")->nan > 0);
    Tensor infinite = result.trace->value("encoder.states").clone();
    infinite.array() = inf;
    QVERIFY(!verified({{"encoder.states", infinite}}).agrees());
  }
  void empty_reference_does_not_pass() {
    Folder folder;
    write_safetensors(folder / "r", {}, {{"source", "a"}}, StorageType::f32);
    QVERIFY(!verify_model(bundle(), folder / "r").passed());
  }
  void missing_reference() {
    const auto made = bundle();
    Folder folder;
    made->folder = folder.path();
    QCOMPARE(message_of<FileError>([&] { verify_model(made); }),
             QString::fromStdString("cannot read " + (folder / "verify.safetensors").string() +
                                    ": there is no such file or folder"));
  }
};

HEADLIGHT_TEST(TestIoDump)

}  // namespace headlight::test_io_dump

#include "test_io_dump.moc"
