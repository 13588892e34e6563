// Sessions with their models: what was opened again computes the same bits, and the model is found by its name, place
// and hash.

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <limits>

#include "app/document/model_hash.h"
#include "app/document/session_file.h"
#include "app/jobs/session_opener.h"
#include "model/models/variant.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/base/utf8_text.h"

namespace headlight::test_session_opened {

namespace {

constexpr Scalar kInfinity = std::numeric_limits<Scalar>::infinity();

// Every value of the trace, every output and its probability.
void compare_bits(const Result& a, const Result& b) {
  QCOMPARE(a.output, b.output);
  QCOMPARE(a.steps.size(), b.steps.size());
  for (std::size_t i = 0; i < a.steps.size(); ++i) {
    QCOMPARE(a.steps[i].id, b.steps[i].id);
    QCOMPARE(std::memcmp(&a.steps[i].probability, &b.steps[i].probability, sizeof(double)), 0);
    QCOMPARE(std::memcmp(&a.steps[i].u, &b.steps[i].u, sizeof(double)), 0);
  }
  QVERIFY(a.trace->size() > 100);
  QCOMPARE(a.trace->size(), b.trace->size());
  for (int i = 0; i < a.trace->size(); ++i) {
    const TraceEntry &x = (*a.trace)[i], &y = (*b.trace)[i];
    QCOMPARE(x.site.text, y.site.text);
    QVERIFY(x.value.shape() == y.value.shape());
    const auto bytes = static_cast<std::size_t>(x.value.size()) * sizeof(Scalar);
    QVERIFY2(std::memcmp(x.value.data(), y.value.data(), bytes) == 0, x.site.text.c_str());
  }
}

Result run_of(const SessionState& state, const std::shared_ptr<const ModelBundle>& model) {
  Request request;
  request.model = variant(model, *state.settings);
  request.inputs() = state.inputs();
  return run(request);
}

}  // namespace

class TestSessionOpened : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  // Saves, opens, runs both: every bit is the same.
  void check_reopening(SessionState state, const char* name) {
    const auto model = load_model(name);
    state.model.name = QString::fromUtf8(name);
    state.model.folder = QString::fromStdString(model->folder.string());
    state.model.sha256 = model_hash(state.model.folder);
    const Result before = run_of(state, model);
    const QString path = folder_.filePath("reopened.headlight");
    save_session(state, path);
    const OpenedSession opened = open_session(path);
    QCOMPARE(opened.notice, QString());
    const Result after = run_of(opened.state, opened.model);
    compare_bits(before, after);
  }

 private slots:
  void reopened_runs_are_the_same_bit_for_bit_data() {
    QTest::addColumn<int>("kind");
    QTest::newRow("greedy") << static_cast<int>(DecodeSettings::Kind::greedy);
    QTest::newRow("sampled") << static_cast<int>(DecodeSettings::Kind::sample);
  }
  void reopened_runs_are_the_same_bit_for_bit() {
    QFETCH(int, kind);
    SessionState state;
    state.source = "May 5, 2001";
    state.decode.kind = static_cast<DecodeSettings::Kind>(kind);
    state.decode.sampling = {1.7, 9, 0.93, 0};
    state.seed = 0x9e3779b97f4a7c15;
    state.settings = Json{{"reverse_source", false}};
    state.interventions = {{"decoder.step[1].attention.weights", Intervention::Kind::pin, 2, 1.0f / 3, {}},
                           {"decoder.step[*].attention.scores", Intervention::Kind::set, 4, -kInfinity, {}},
                           {"decoder.step[3].attention.context", Intervention::Kind::add, -1, 1.2e-7f, {}},
                           {"encoder.embed.out", Intervention::Kind::scale, 0, -0.7f, {}}};
    check_reopening(state, "date-attention");
  }

  void reopened_stories_are_the_same_bit_for_bit() {
    SessionState state;
    state.source = "Once upon a time";
    state.decode.kind = DecodeSettings::Kind::sample;
    state.decode.sampling = {0.9, 0, 0.9, 0};
    state.seed = 77;
    check_reopening(state, "story-gpt");
  }

  void the_hash_is_that_of_the_bytes() {
    const QString folder = small_model_folder(folder_, "seq2seq");
    QVERIFY(!known_model_hash(folder));
    const QByteArray hash = model_hash(folder);
    QCOMPARE(hash.size(), 32);
    QVERIFY(known_model_hash(folder + "/") == hash);
    QFile weights(folder + "/model.safetensors");
    QVERIFY(weights.open(QIODevice::ReadWrite));
    const qint64 last = weights.size() - 1;
    QVERIFY(weights.seek(last));
    const QByteArray before = weights.read(1);
    const auto write_last = [&](const QByteArray& byte) {
      QVERIFY(weights.seek(last) && weights.write(byte) == 1 && weights.flush());
      // Another time than that of the last write, whatever the clock of the disk counts in.
      static int seconds = 0;
      QVERIFY(weights.setFileTime(QDateTime::currentDateTime().addSecs(++seconds), QFileDevice::FileModificationTime));
    };
    write_last(QByteArray(1, static_cast<char>(before[0] ^ 1)));
    QVERIFY(model_hash(folder) != hash);
    write_last(before);
    QCOMPARE(model_hash(folder), hash);
    QVERIFY_EXCEPTION_THROWN(model_hash(folder_.filePath("nothing")), FileError);
  }

  // `printf 'config.json\0002\0{}model.safetensors\0001\0Avocabulary.json\0003\0[1]' | sha256sum`
  void the_hash_is_what_other_programs_compute() {
    QVERIFY(QDir().mkpath(folder_.filePath("tiny")));
    const auto put = [&](const char* name, const char* content) {
      QFile file(folder_.filePath("tiny/") + name);
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) >= 0);
    };
    put("config.json", "{}");
    put("model.safetensors", "A");
    put("vocabulary.json", "[1]");
    QCOMPARE(model_hash(folder_.filePath("tiny")).toHex(),
             QByteArray("053e1b65c2f1f411e881d4b1d430036b73d95f2a968de1b5c3d2c746ef411c3e"));
  }

  void a_folder_that_moved_with_its_session_is_found() {
    QVERIFY(QDir().mkpath(folder_.filePath("one/models")));
    const QString folder = folder_.filePath("one/models/mine");
    save_model(folder.toStdString(), *small_model(), "", StorageType::f32);
    SessionState state;
    state.model = {"mine", folder, {}, model_hash(folder)};
    state.source = "May 5, 2001";
    save_session(state, folder_.filePath("one/talk.headlight"));
    QVERIFY(QDir().rename(folder_.filePath("one"), folder_.filePath("two")));
    const OpenedSession opened = open_session(folder_.filePath("two/talk.headlight"));
    QCOMPARE(QString::fromStdString(opened.model->folder.string()), folder_.filePath("two/models/mine"));
    QCOMPARE(opened.notice, QString());
    QCOMPARE(opened.state.source, state.source);

    save_model(opened.model->folder, *small_model("attn_seq2seq", 8), "", StorageType::f32);
    const OpenedSession changed = open_session(folder_.filePath("two/talk.headlight"));
    QVERIFY2(changed.notice.contains("has changed since this session was saved"), qPrintable(changed.notice));

    QVERIFY(QDir(folder_.filePath("two/models")).removeRecursively());
    try {
      open_session(folder_.filePath("two/talk.headlight"));
      QFAIL("no error");
    } catch (const FileError& error) {
      const QString said = QString::fromUtf8(error.what());
      for (const QString& part : {QString("mine"), folder, folder_.filePath("two/models/mine")})
        QVERIFY2(said.contains(part), qPrintable(said));
    }
  }

  void settings_that_the_model_has_not_are_refused() {
    const QString folder = small_model_folder(folder_), path = folder_.filePath("settings.headlight");
    SessionState state;
    state.model = {"attn_seq2seq", folder, {}, {}};
    for (const Json& settings : {Json::object({{"colour", "red"}}), Json::object({{"hidden_size", "many"}}),
                                 Json::object({{"hidden_size", -1}})}) {
      state.settings = settings;
      save_session(state, path);
      try {
        open_session(path);
        QFAIL("no error");
      } catch (const FormatError& error) {
        QVERIFY2(QString::fromUtf8(error.what()).startsWith(path + ": settings: "), error.what());
      }
    }
  }

  // Of the places where a model of this name is, the one that has not changed.
  void the_unchanged_model_is_taken() {
    const QString here = folder_.filePath("here"), there = folder_.filePath("there");
    save_model(here.toStdString(), *small_model("attn_seq2seq", 1), "", StorageType::f32);
    save_model(there.toStdString(), *small_model("attn_seq2seq", 2), "", StorageType::f32);
    SessionState state;
    state.model = {"here", there, {}, model_hash(there)};
    QByteArray text = write_session(state, folder_.filePath("x.headlight"));
    text.replace("\"relative\": \"there\"", "\"relative\": \"here\"");
    QFile file(folder_.filePath("x.headlight"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    file.close();
    QCOMPARE(QString::fromStdString(open_session(file.fileName()).model->folder.string()), there);
  }

  void the_newest_of_several_is_delivered() {
    SessionState state;
    const QString folder = small_model_folder(folder_);
    state.model = {"attn_seq2seq", folder, {}, {}};
    state.source = "first";
    save_session(state, folder_.filePath("first.headlight"));
    state.source = "second";
    save_session(state, folder_.filePath("second.headlight"));
    SessionOpener opener;
    QSignalSpy failed(&opener, &SessionOpener::failed);
    QStringList opened;
    connect(&opener, &SessionOpener::opened, this,
            [&](const OpenedSession& session) { opened << from_utf8(session.state.source); });
    opener.open(folder_.filePath("first.headlight"));
    opener.open(folder_.filePath("second.headlight"));
    QTRY_COMPARE_WITH_TIMEOUT(opened, QStringList{"second"}, 30000);
    opener.open(folder_.filePath("missing.headlight"));
    QTRY_COMPARE_WITH_TIMEOUT(failed.size(), 1, 30000);
    QVERIFY(failed[0][0].toString().contains("missing.headlight"));
    QCOMPARE(opened.size(), 1);
  }
};

HEADLIGHT_CORE_TEST(TestSessionOpened)

}  // namespace headlight::test_session_opened

#include "test_session_opened.moc"
