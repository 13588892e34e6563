// Session files: nothing is lost on the way, and strange files are refused with plain words.

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <bit>
#include <limits>

#include "app/document/session_file.h"
#include "app/jobs/session_opener.h"
#include "model/core/random.h"
#include "model/io/json_file.h"
#include "tests/app/fixture.h"
#include "tests/file_size_limit.h"
#include "tests/test_program.h"

namespace headlight::test_session_file {

namespace {

constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();

SessionState full_state() {
  SessionState state;
  state.model = {"date-attention", "/models/date-attention", {}, QByteArray(32, '\x5a')};
  state.source = "二〇〇一年 5 \"May\"\\ \t👍";
  state.target = "2001-05-05";
  state.prefix = true;
  state.settings = Json{{"attention_score", "general"}, {"attention_scale", 0.1}};
  state.decode.kind = DecodeSettings::Kind::beam;
  state.decode.sampling = {0.7, 40, 0.95, 0};
  state.decode.beam.width = 7;
  state.decode.beam.alpha = 0.6;
  state.decode.beam.beta = 0.2;
  state.decode.beam.length_norm = LengthNorm::power;
  state.decode.beam.min_len = 3;
  state.decode.beam.stop = BeamStop::first_b;
  state.decode.generation = SharedJson(Json{{"num_beams", 3}, {"top_p", 0.9}, {"bad_words_ids", {{4, 5}}}});
  state.chat =
      SharedJson(Json::parse(R"({"messages": [{"role": "user", "content": "Hi\n你"}], "generation_prompt": true})"));
  state.seed = 0xfedcba9876543210;
  state.interventions = {
      {"decoder.step[2].attention.weights", Intervention::Kind::pin, 3, 0.5f, {}},
      {"decoder.step[*].attention.scores", Intervention::Kind::set, 4, -kInfinity, {}, 5},
      {"decoder.step[0].attention.context", Intervention::Kind::replace, -1, 0, {1.5f, kInfinity, -0.0f}}};
  Intervention row{"decoder.step[2].attention.scores", Intervention::Kind::zero, -1, 0, {}};
  row.row = Intervention::kEveryRow;
  Intervention band{"decoder.step[2].attention.scores", Intervention::Kind::set, -1, -kInfinity, {}};
  band.row = 3;
  band.outside = {2, false, true};
  state.interventions.push_back(row);
  state.interventions.push_back(band);
  state.selection = {3, 2, "decoder.step[2].attention.weights", 7};
  state.layout = {QByteArray("\0geometry\xff", 10), QByteArray(300, '\x80')};
  state.views = {{"heads", QVariantMap{{"layer", 2}, {"mean", true}, {"zoom", 1.5}}}, {"order", QVariantList{"a", 3}}};
  return state;
}

QByteArray full_text() { return write_session(full_state(), "/home/me/x.headlight"); }

// The message of the error, or nothing.
QString problem_of(const QByteArray& content) {
  try {
    read_session(content, "/home/me/x.headlight");
    return {};
  } catch (const FormatError& error) {
    return QString::fromUtf8(error.what());
  }
}

Json many_keys(int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":0";
  return parse_json(text + "}", "keys");
}

// The session with one value put in the place of another.
QByteArray with(const char* key, const Json& value, const char* inside = nullptr) {
  Json json = Json::parse(full_text().toStdString());
  (inside ? json[inside] : json)[key] = value;
  return QByteArray::fromStdString(json.dump());
}

}  // namespace

class TestSessionFile : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

 private slots:
  void everything_comes_back() {
    const SessionState before = full_state();
    const SessionState after = read_session(full_text(), "/home/me/x.headlight");
    QCOMPARE(after.model.name, before.model.name);
    QCOMPARE(after.model.folder, before.model.folder);
    QCOMPARE(after.model.relative, QString("../../models/date-attention"));
    QCOMPARE(after.model.sha256, before.model.sha256);
    QCOMPARE(after.source, before.source);
    QVERIFY(after.target == before.target);
    QVERIFY(after.prefix && !read_session(write_session({}, "/x"), "/x").prefix);
    QVERIFY(after.settings == before.settings);
    QVERIFY(after.decode == before.decode && after.chat == before.chat);
    QCOMPARE(after.seed, before.seed);
    QVERIFY(after.interventions == before.interventions);
    QVERIFY(after.selection == before.selection);
    QVERIFY(after.layout == before.layout);
    QCOMPARE(after.views, before.views);
    QCOMPARE(write_session(after, "/home/me/x.headlight"), full_text());
  }

  void what_is_absent_stays_absent() {
    const SessionState after = read_session(write_session({}, "/x.headlight"), "/x.headlight");
    QVERIFY(!after.target && after.interventions.empty());
    QVERIFY(after.selection == SessionState::Place{});
    SessionState empty_target;
    empty_target.target = "";
    QVERIFY(read_session(write_session(empty_target, "/x.headlight"), "/x.headlight").target == std::string());
  }

  void every_float_keeps_its_bits() {
    SessionState state;
    Intervention edit{"decoder.step[0].attention.context", Intervention::Kind::replace, -1, 0, {}};
    for (const std::uint32_t bits :
         {0x00000000u, 0x80000000u, 0x00000001u, 0x807fffffu, 0x7f7fffffu, 0x7f800000u, 0xff800000u, 0x7fc00000u,
          0xffc00000u, 0x7fc00001u, 0xffffffffu, 0x3dcccccdu, 0x3eaaaaabu, 0x4b7fffffu})
      edit.values.push_back(std::bit_cast<Scalar>(bits));
    Random random(3, Random::Stream::sample);
    for (int i = 0; i < 20000; ++i) edit.values.push_back(std::bit_cast<Scalar>(random.bits()));
    state.interventions = {edit};
    const SessionState after = read_session(write_session(state, "/x"), "/x");
    QCOMPARE(after.interventions[0].values.size(), edit.values.size());
    for (std::size_t i = 0; i < edit.values.size(); ++i)
      QCOMPARE(std::bit_cast<std::uint32_t>(after.interventions[0].values[i]),
               std::bit_cast<std::uint32_t>(edit.values[i]));
  }

  void people_can_read_it() {
    const QStringList lines = QString::fromUtf8(full_text()).split('\n');
    QVERIFY(lines.contains(R"(  "headlight_session": 1,)"));
    QVERIFY(lines.contains(R"(  "target": "2001-05-05",)"));
    QVERIFY(lines.contains(R"(    {"site":"decoder.step[2].attention.weights","kind":"pin","cell":3,"value":0.5},)"));
    SessionState state;
    state.interventions = {{"decoder.step[2].attention.weights", Intervention::Kind::set, 3, 0.1f, {}}};
    QVERIFY(write_session(state, "/x").contains("\"value\":0.1}"));  // not 0.10000000149011612
  }

  void strange_files_are_refused_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("said");
    QTest::newRow("empty") << QByteArray() << "this file is empty";
    QTest::newRow("no object") << QByteArray("[1]") << "expected an object";
    QTest::newRow("other JSON") << QByteArray("{}") << "this is no session";
    QTest::newRow("not JSON") << QByteArray("%PDF-1.4") << "not valid JSON (byte 1)";
    QTest::newRow("bytes") << QByteArray("{\"a\": \"\xff\"}") << "UTF-8";
    QTest::newRow("zero byte") << full_text() + '\0' << "not valid JSON";
    QTest::newRow("two of a key") << QByteArray("{\"a\": 1, \"a\": 2}") << "twice";
    QTest::newRow("deep") << QByteArray(100, '[') << "deep";
    QTest::newRow("large") << QByteArray((16 << 20) + 1, ' ') << "16,777,216 bytes";
    QTest::newRow("newer") << with("headlight_session", 2) << "made by a newer Headlight";
    QTest::newRow("version of a wrong type") << with("headlight_session", "1") << "headlight_session: expected a whole";
    QTest::newRow("version 0") << with("headlight_session", 0) << "headlight_session";
    QTest::newRow("no model") << with("model", nullptr) << "model: expected an object";
    QTest::newRow("hash") << with("sha256", "abc", "model") << "model.sha256: expected 64 hex";
    QTest::newRow("hash of a wrong kind") << with("sha256", std::string(64, 'z'), "model") << "model.sha256";
    QTest::newRow("source") << with("source", 7) << "source: expected a text, found 7";
    QTest::newRow("long source") << with("source", std::string((1 << 20) + 1, 'a')) << "source: expected at most";
    QTest::newRow("target") << with("target", Json::array()) << "target: expected a text";
    QTest::newRow("settings") << with("settings", 1) << "settings: expected an object";
    QTest::newRow("kind of decoding") << with("kind", "best", "decode") << "decode.kind: expected one of greedy";
    QTest::newRow("temperature") << with("temperature", -1, "decode") << "decode.temperature: expected a number";
    QTest::newRow("temperature as text") << with("temperature", "1", "decode") << "found \"1\"";
    QTest::newRow("top p") << with("top_p", 0, "decode") << "decode.top_p";
    QTest::newRow("beam") << with("beam_width", 100000000, "decode") << "decode.beam_width";
    QTest::newRow("seed") << with("seed", -1) << "seed: expected";
    QTest::newRow("broken seed") << with("seed", 1.5) << "seed: expected";
    QTest::newRow("edits") << with("edits", Json::object()) << "edits: expected a list";
    QTest::newRow("many edits") << with("edits", Json(std::vector<int>(10001, 0)))
                                << "edits: expected at most 10000 edits, found 10001";
    // 10,000 edits of 11 keys each, and 1,000 others.
    QTest::newRow("many keys") << with("views", many_keys(111'000)) << "expected at most 111000 keys, found more";
    QTest::newRow("many values") << with("views", {{"a", Json(std::vector<int>(1'200'000, 0))}})
                                 << "expected at most 1169576 values, found more";
    QTest::newRow("many lists") << with("views", {{"a", Json(std::vector<Json>(1'200'000, Json::array()))}})
                                << "values, found more";
    const auto edit = [](const char* key, const Json& value) {
      Json json = {{"site", "decoder.step[2].attention.weights"}, {"kind", "set"}, {"cell", 3}, {"value", 1}};
      json[key] = value;
      return with("edits", Json::array({json}));
    };
    QTest::newRow("edit") << with("edits", Json::array({1})) << "edits[0]: expected an object";
    QTest::newRow("site") << edit("site", "decoder.nowhere") << "edits[0].site: there is no site";
    QTest::newRow("long site") << edit("site", std::string(257, 'a')) << "edits[0].site: expected at most 256 bytes";
    QTest::newRow("index of a site")
        << edit("site", "decoder.step[99999999999].attention.weights")
        << "edits[0]: 'decoder.step[99999999999].attention.weights[3]=1': '99999999999' is "
           "not an index";
    QTest::newRow("only shown") << edit("site", "decoder.step[2].output.probs") << "is only shown";
    QTest::newRow("pin of a span")
        << with("edits",
                Json::array({{{"site", "encoder.states"}, {"kind", "pin"}, {"cell", 3}, {"count", 2}, {"value", 1}}}))
        << "edits[0]: 'encoder.states[3:5]~1': name one cell";
    QTest::newRow("far cell") << edit("cell", std::int64_t{1} << 31) << "edits[0].cell: expected a whole number";
    QTest::newRow("far end") << edit("count", 1e19) << "edits[0].count: expected a whole number";
    QTest::newRow("kind of edit") << edit("kind", "delete") << "edits[0].kind: expected one of set";
    QTest::newRow("cell") << edit("cell", -2) << "edits[0].cell";
    QTest::newRow("count") << edit("count", 0) << "edits[0].count";
    QTest::newRow("row") << edit("row", -2) << "edits[0].row";
    QTest::newRow("band") << edit("outside", 3) << "edits[0].outside: expected an object";
    QTest::newRow("sides of a band") << edit("outside", {{"width", 1}, {"both_sides", 1}}) << "outside.both_sides";
    QTest::newRow("prefix") << with("prefix", "yes") << "prefix: expected true or false";
    QTest::newRow("value") << edit("value", true) << "edits[0].value: expected a float32";
    QTest::newRow("value of words") << edit("value", "nan") << "edits[0].value";
    QTest::newRow("NaN that is a number") << edit("value", "NaN(3f800000)") << "edits[0].value";
    QTest::newRow("value out of float32") << edit("value", 1e39) << "edits[0].value";
    QTest::newRow("values") << edit("values", Json::array({1, "x"})) << "edits[0].values[1]";
    QTest::newRow("place") << with("step", -3, "selection") << "selection.step";
    QTest::newRow("geometry") << with("geometry", "not base64!", "window") << "window.geometry: expected base64";
    QTest::newRow("views") << with("views", Json::array()) << "views: expected an object";
  }
  void strange_files_are_refused() {
    QFETCH(QByteArray, content);
    QFETCH(QString, said);
    const QString problem = problem_of(content);
    QVERIFY2(problem.startsWith("/home/me/x.headlight: "), qPrintable(problem.left(200)));
    QVERIFY2(problem.contains(said), qPrintable(problem.left(200)));
    QVERIFY2(problem.size() < 400, qPrintable(problem.left(600)));
  }

  // Each key used to be looked up among all before it: this took minutes. (Json::operator[] does so, too.)
  void a_large_object_is_read_in_linear_time() {
    const Json many = many_keys(700'000);
    QCOMPARE(many.size(), std::size_t{700'000});
    QCOMPARE(std::prev(many.end()).key(), std::string("k699999"));
    QVERIFY(parse_json("{\"b\": [1, {}, []], \"a\": {\"x\": null, \"y\": -1.5, \"z\": true, \"w\": \"\\u00e9\"}}",
                       "x") == Json::parse("{\"b\":[1,{},[]],\"a\":{\"x\":null,\"y\":-1.5,\"z\":true,\"w\":\"é\"}}"));
  }

  void a_file_that_breaks_off_anywhere_is_refused() {
    const QByteArray whole = full_text();
    for (qsizetype length = 0; length < whole.trimmed().size(); ++length)
      QVERIFY2(!problem_of(whole.left(length)).isEmpty(), qPrintable(QString::number(length)));
  }

  // One byte anywhere becomes another one: either an error in words, or another session; never anything else.
  void damaged_files_do_no_harm() {
    const QByteArray whole = full_text();
    Random random(5, Random::Stream::sample);
    const auto drawn = [&](qsizetype bound) { return random.below(static_cast<std::uint32_t>(bound)); };
    int refused = 0;
    for (int i = 0; i < 5000; ++i) {
      QByteArray damaged = whole;
      for (int k = 0; k < 1 + i % 3; ++k) damaged[drawn(damaged.size())] = static_cast<char>(drawn(256));
      refused += problem_of(damaged).isEmpty() ? 0 : 1;
    }
    QVERIFY(refused > 1000);
  }

  void keys_of_later_versions_are_ignored() {
    QCOMPARE(problem_of(with("mood", "curious")), QString());
    QCOMPARE(problem_of(with("colour", Json::object(), "window")), QString());
  }

  void selections_are_kept_by_name() {
    Request request;
    request.model = small_model();
    request.source = "May 5, 2001";
    const Result result = run(request);
    const int entry = result.trace->find("decoder.step[2].attention.weights");
    QVERIFY(entry >= 0);
    SelectionState selection{4, 2, entry, 3};
    const SessionState::Place place = named_selection(selection, result);
    QCOMPARE(place.site, QString("decoder.step[2].attention.weights"));
    QVERIFY(selection_in(place, result) == selection);
    request.source = "May 17, 2001 at noon";
    const Result other = run(request);
    const SelectionState found = selection_in(place, other);
    QVERIFY(found.entry && (*other.trace)[*found.entry].site.text == "decoder.step[2].attention.weights");
    QVERIFY(selection_in({1000, 1000, "decoder.step[999].attention.weights", 0}, result) == SelectionState{});
    QVERIFY(!selection_in({{}, {}, place.site, 1 << 20}, result).cell);
  }

  void saving_where_it_cannot_be_saved_says_so() {
    QVERIFY_EXCEPTION_THROWN(save_session({}, folder_.filePath("no/such/folder.headlight")), FileError);
  }

  void a_full_disk_keeps_the_session_that_was_saved() {
    const QTemporaryDir folder;
    const QString path = folder.filePath("talk.headlight");
    SessionState state;
    state.source = "first";
    save_session(state, path);
    state.source = "second";
    QString message;
    {
      const testing::FileSizeLimit limit(0);
      try {
        save_session(state, path);
      } catch (const FileError& error) {
        message = QString::fromUtf8(error.what());
      }
    }
    QCOMPARE(message, path + ": cannot be written (the file would be larger than this system allows)");
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(read_session(file.readAll(), path).source, std::string("first"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"talk.headlight"});
  }
};

HEADLIGHT_CORE_TEST(TestSessionFile)

}  // namespace headlight::test_session_file

#include "test_session_file.moc"
