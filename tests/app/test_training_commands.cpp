// `headlight train` and `headlight evaluate` as processes: resuming, interruption, and folders that cannot be written.

#include <signal.h>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <limits>

#include "model/io/model_folder.h"
#include "model/io/safetensors.h"
#include "model/models/registry.h"
#include "tests/test_program.h"

namespace headlight::test_training_commands {

class TestTrainingCommands : public QObject {
  Q_OBJECT

  struct Outcome {
    int status = -1;
    QString out, error;
  };
  static Outcome headlight(const QStringList& arguments) {
    QProcess process;
    process.start(qEnvironmentVariable("HEADLIGHT_BINARY"), arguments);
    if (!process.waitForFinished(200000)) return {-1, {}, process.errorString()};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
  }
  static QStringList training(const QString& out, int epochs, const QStringList& more = {}) {
    return QStringList{"train",          "addition",
                       "--architecture", "attn_seq2seq",
                       "--out",          out,
                       "--epochs",       QString::number(epochs),
                       "--set",          "hidden_size=8",
                       "--set",          "train_size=300",
                       "--set",          "test_size=50"} +
           more;
  }
  static QByteArray content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  QTemporaryDir dir_;

 private slots:
  void a_resumed_training_ends_like_an_uninterrupted_one_data() {
    QTest::addColumn<QStringList>("more");
    QTest::newRow("plain") << QStringList{};
    QTest::newRow("dropout, schedule, early stopping")
        << QStringList{"--set", "dropout=0.2",      "--set", "layers=2",   "--set", "optimiser=momentum",
                       "--set", "schedule=plateau", "--set", "patience=9", "--set", "teacher_forcing=0.8"};
  }
  void a_resumed_training_ends_like_an_uninterrupted_one() {
    QFETCH(QStringList, more);
    const QString name = QString::fromUtf8(QTest::currentDataTag());
    const QString whole = dir_.filePath("whole " + name), parts = dir_.filePath("parts " + name);
    QCOMPARE(headlight(training(whole, 3, more)).status, 0);
    QCOMPARE(headlight(training(parts, 1, more)).status, 0);
    const QByteArray after_one = content(parts + "/model.safetensors");
    const Outcome resumed = headlight(training(parts, 3, more + QStringList{"--resume"}));
    QCOMPARE(resumed.error, QString());
    QCOMPARE(resumed.status, 0);
    QVERIFY(!content(whole + "/model.safetensors").isEmpty());
    QVERIFY(content(parts + "/model.safetensors") != after_one);
    QVERIFY(content(parts + "/model.safetensors") == content(whole + "/model.safetensors"));
    QCOMPARE(content(whole + "/training.csv").count('\n'), 4);
    QVERIFY(QString::fromUtf8(content(whole + "/README.md")).contains("headlight train addition"));
  }

  void a_mean_of_epochs_is_saved_and_resumed() {
    const QStringList more = {"--set", "average=2"};
    const QString whole = dir_.filePath("mean whole"), parts = dir_.filePath("mean parts"),
                  plain = dir_.filePath("mean plain");
    QCOMPARE(headlight(training(whole, 3, more)).status, 0);
    QCOMPARE(headlight(training(parts, 2, more)).status, 0);
    QCOMPARE(headlight(training(parts, 3, more + QStringList{"--resume"})).status, 0);
    QCOMPARE(headlight(training(plain, 3)).status, 0);
    QVERIFY(content(parts + "/model.safetensors") == content(whole + "/model.safetensors"));
    QVERIFY(content(plain + "/model.safetensors") != content(whole + "/model.safetensors"));
    QVERIFY(content(whole + "/README.md").contains("the mean of those after the last 2 epochs"));
  }

  // There is no one right way to go on with a story: only the perplexity is told.
  void models_of_a_language_are_told_by_their_perplexity() {
    const QString out = dir_.filePath("story");
    QStringList arguments = {"train", "story", "--architecture", "decoder_only", "--out", out, "--epochs", "1"};
    for (const char* setting : {"prompt=continue", "tie=all", "model_size=8", "heads=2", "ff_size=8",
                                "decoder_layers=1", "train_size=50", "test_size=10", "batch=10"})
      arguments << "--set" << setting;
    const Outcome trained = headlight(arguments);
    QCOMPARE(trained.error, QString());
    QCOMPARE(trained.status, 0);
    const QString card = QString::fromUtf8(content(out + "/README.md"));
    QVERIFY2(card.contains("on the held-out examples: perplexity ") && !card.contains("exact match"), qPrintable(card));
    const Outcome told = headlight({"evaluate", out, "--limit", "10"});
    QVERIFY2(told.out.contains("perplexity") && !told.out.contains("exact match") && !told.out.contains("BLEU"),
             qPrintable(told.out + told.error));
    QCOMPARE(headlight({"run", out, "--source", ""}).status, 0);
    QCOMPARE(headlight({"verify", out}).status, 0);
  }

  void another_seed_gives_another_model() {
    const QString a = dir_.filePath("seed1"), b = dir_.filePath("seed2");
    QCOMPARE(headlight(training(a, 1, {"--seed", "1"})).status, 0);
    QCOMPARE(headlight(training(b, 1, {"--seed", "2"})).status, 0);
    QVERIFY(content(a + "/model.safetensors") != content(b + "/model.safetensors"));
  }

  void half_precision_takes_half_the_room() {
    const QString full = dir_.filePath("full"), half = dir_.filePath("half");
    QCOMPARE(headlight(training(full, 1)).status, 0);
    QCOMPARE(headlight(training(half, 1, {"--half"})).status, 0);
    const auto size = [](const QString& folder) { return QFile(folder + "/model.safetensors").size(); };
    QVERIFY(4 * size(half) < 3 * size(full));
    QCOMPARE(headlight({"run", half, "--source", "12+34"}).status, 0);
  }

  void an_interrupted_training_loses_at_most_one_epoch_data() {
    QTest::addColumn<int>("signal");
    QTest::newRow("Ctrl-C") << SIGINT;
    QTest::newRow("asked to end") << SIGTERM;
    QTest::newRow("terminal closed") << SIGHUP;
  }
  void an_interrupted_training_loses_at_most_one_epoch() {
    QFETCH(int, signal);
    const QString out = dir_.filePath(QString("interrupted %1").arg(signal));
    QProcess process;
    process.start(qEnvironmentVariable("HEADLIGHT_BINARY"), training(out, 5000));
    QTRY_VERIFY_WITH_TIMEOUT((process.waitForReadyRead(50), QFile::exists(out + "/checkpoint.safetensors")), 60000);
    ::kill(static_cast<pid_t>(process.processId()), signal);
    QVERIFY(process.waitForFinished(60000));
    // By the signal itself: 130 in a shell, whose script stops as well.
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);
    QCOMPARE(process.exitCode(), signal);
    const QString error = QString::fromUtf8(process.readAllStandardError());
    QVERIFY2(error.startsWith("headlight: interrupted in epoch "), qPrintable(error));
    QVERIFY2(error.endsWith(" with --resume\n") && error.count('\n') == 1, qPrintable(error));
    const int done = static_cast<int>(content(out + "/training.csv").count('\n')) - 1;
    QVERIFY(done >= 1);
    QCOMPARE(headlight(training(out, done + 1, {"--resume"})).status, 0);
    QCOMPARE(content(out + "/training.csv").count('\n'), done + 2);
  }

  void a_killed_training_leaves_a_whole_model() {
    const QString out = dir_.filePath("killed");
    QProcess process;
    process.start(qEnvironmentVariable("HEADLIGHT_BINARY"), training(out, 5000));
    QTRY_VERIFY_WITH_TIMEOUT((process.waitForReadyRead(50), QFile::exists(out + "/checkpoint.safetensors")), 60000);
    QTest::qWait(200);
    process.kill();
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(headlight({"run", out, "--source", "12+34"}).status, 0);
    const int done = static_cast<int>(content(out + "/training.csv").count('\n'));
    QCOMPARE(headlight(training(out, done + 1, {"--resume"})).status, 0);
  }

  void folders_that_do_not_fit_are_one_clear_error() {
    QFile file(dir_.filePath("file"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    Outcome outcome = headlight(training(dir_.filePath("file/model"), 1));
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.error.contains(dir_.filePath("file")), qPrintable(outcome.error));
    QCOMPARE(outcome.error.count('\n'), 1);

    const QString none = dir_.filePath("none");
    outcome = headlight(training(none, 1, {"--resume"}));
    QCOMPARE(outcome.status, 2);
    QCOMPARE(outcome.error,
             "headlight: " + none +
                 "/checkpoint.safetensors: expected the checkpoint of an earlier training to resume, found "
                 "none\n");

    const QString there = dir_.filePath("there");
    QCOMPARE(headlight(training(there, 1)).status, 0);
    outcome = headlight(training(there, 1));
    QCOMPARE(outcome.status, 2);
    QCOMPARE(outcome.error, "headlight: " + there +
                                ": expected a new folder, found one with a model in it; go on with --resume, or choose "
                                "another --out\n");
    // What a training that was killed left there goes, although this one is refused.
    QFile unfinished(there + "/.headlight-1-1.tmp");
    QVERIFY(unfinished.open(QIODevice::WriteOnly));
    unfinished.close();
    QVERIFY(QFile::remove(there + "/checkpoint.safetensors"));
    outcome = headlight(training(there, 1));
    QCOMPARE(outcome.error,
             "headlight: " + there + ": expected a new folder, found one with a model in it; choose another --out\n");
    QVERIFY(!unfinished.exists());
    QCOMPARE(headlight(training(dir_.filePath("resumable"), 1)).status, 0);
    QVERIFY(QFile::copy(dir_.filePath("resumable/checkpoint.safetensors"), there + "/checkpoint.safetensors"));
    outcome = headlight(training(there, 2, {"--resume", "--seed", "99"}));
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.error.contains("checkpoint.safetensors"), qPrintable(outcome.error));
  }

  // A model of numbers that are none: shown as they are, never measured.
  void weights_that_are_not_numbers() {
    const auto made = load_model("date-dot");
    ModelBundle broken = *made;
    const Json config = made->model->config();
    std::shared_ptr<Model> model = make_model(config, {InitialValues::Kind::zeros});
    for (Parameter& parameter : model->parameters().all())
      parameter.value.array().setConstant(-std::numeric_limits<Scalar>::quiet_NaN());
    broken.model = std::move(model);
    const QString folder = dir_.filePath("not_numbers");
    save_model(folder.toStdString(), broken, "", StorageType::f32);
    Outcome outcome = headlight({"run", folder, "--source", "5/3/99"});
    QCOMPARE(outcome.status, 0);
    QVERIFY2(!outcome.out.contains("-nan") && outcome.out.contains("the weights are not numbers"),
             qPrintable(outcome.out));
    QVERIFY2(
        outcome.out.contains("note: The probabilities of 10 of 10 output steps are not numbers: the model's values "
                             "became infinite or NaN."),
        qPrintable(outcome.out));
    outcome = headlight({"evaluate", folder, "--limit", "20", "--json"});
    QCOMPARE(outcome.status, 2);
    QVERIFY2(
        outcome.error.endsWith("not_numbers: with these weights the loss of the held-out examples is not a number\n"),
        qPrintable(outcome.error));
    QCOMPARE(outcome.out, QString());
  }

  void evaluation_is_between_zero_and_one() {
    const QString out = dir_.filePath("evaluated");
    QCOMPARE(headlight(training(out, 1)).status, 0);
    const Outcome outcome = headlight({"evaluate", out, "--limit", "100", "--json"});
    QCOMPARE(outcome.error, QString());
    const QJsonObject json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
    QCOMPARE(json["examples"].toInt(), 100);
    // What the JSON says is what the text says, and whole numbers of examples and tokens (4 each) are right.
    const double exact = json["exact_match"].toDouble() * 100, tokens = json["token_accuracy"].toDouble() * 400;
    QVERIFY(std::abs(exact - std::round(exact)) < 1e-6 && exact >= 0 && exact <= 100);
    QVERIFY(std::abs(tokens - std::round(tokens)) < 1e-6 && tokens >= 4 * exact && tokens > 20);
    const Outcome text = headlight({"evaluate", out, "--limit", "100"});
    QVERIFY(text.out.contains(QString("exact match     %1\n").arg(json["exact_match"].toDouble(), 0, 'f', 4)));
    // A model that has learned its task, and one that has not.
    const auto quality = [&](const char* model) {
      return QJsonDocument::fromJson(headlight({"evaluate", model, "--limit", "100", "--json"}).out.toUtf8())
          .object()["exact_match"]
          .toDouble();
    };
    QVERIFY(quality("date-attention") > 0.9);
    QVERIFY(quality("date-plain") < 0.1);
    QVERIFY(!json.contains("attention_mass"));  // nor dates
    QVERIFY(std::abs(json["perplexity"].toDouble() - std::exp(json["nll"].toDouble())) < 1e-6);
    QVERIFY(std::abs(json["perplexity_free"].toDouble() - std::exp(json["nll_free"].toDouble())) < 1e-6);
    QVERIFY(!json.contains("bleu"));  // sums are no sentences
    const Outcome wrong = headlight({"evaluate", out, "--task", "date"});
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.error.contains("vocabulary of the task 'date'"), qPrintable(wrong.error));
  }

  void attention_on_the_fields_of_dates_is_told() {
    const QStringList arguments = {"evaluate", "date-attention", "--limit", "50"};
    const Outcome outcome = headlight(arguments + QStringList{"--json"}), told = headlight(arguments);
    const QJsonArray fields = QJsonDocument::fromJson(outcome.out.toUtf8()).object()["attention_mass"].toArray();
    QStringList names;
    for (const QJsonValue& field : fields) {
      const QString name = field.toObject()["field"].toString();
      names << name;
      QString line = QString("    %1").arg(name, -13);
      const QJsonArray all = field.toObject()["mass"].toArray(), not_0 = field.toObject()["mass_not_0"].toArray();
      QCOMPARE(not_0.size(), all.size());
      for (qsizetype k = 0; k < all.size(); ++k) {
        for (const double mass : {all[k].toDouble(), not_0[k].toDouble()}) QVERIFY(mass > 0.3 && mass <= 1 + 1e-6);
        line += QString(" %1 (%2)").arg(all[k].toDouble(), 0, 'f', 4).arg(not_0[k].toDouble(), 0, 'f', 4);
      }
      QVERIFY2(told.out.contains(line + "\n"), qPrintable(told.out));
    }
    QCOMPARE(names, (QStringList{"year", "month", "day"}));
  }

  // A learning rate that makes things worse from the second epoch on: the first one's weights are what is kept.
  void training_stops_when_nothing_improves() {
    const QString out = dir_.filePath("patient"), one = dir_.filePath("one epoch");
    const QStringList worse = {"--set", "schedule=halve_after", "--set", "halve_after=99", "--set", "optimiser=sgd",
                               "--set", "learning_rate=500",    "--set", "clip=0",         "--set", "patience=2"};
    const Outcome outcome = headlight(training(out, 40, worse));
    QCOMPARE(outcome.error, QString());
    const QStringList lines = QString::fromUtf8(content(out + "/training.csv")).trimmed().split('\n');
    QVERIFY(lines.size() < 41);
    QVERIFY2(outcome.out.contains("has not fallen for 2 epochs (patience=2); the weights of epoch "),
             qPrintable(outcome.out));
    // The best epoch is the third from the end, by the perplexity in the log.
    const int column = static_cast<int>(lines[0].split(',').indexOf("ppl_tf"));
    QVERIFY(column > 0);
    const auto perplexity = [&](qsizetype line) { return lines[line].split(',')[column].toDouble(); };
    for (qsizetype i = 1; i < lines.size(); ++i) QVERIFY(perplexity(lines.size() - 3) <= perplexity(i));
    const int best = static_cast<int>(lines.size()) - 3;
    QCOMPARE(headlight(training(one, best, worse)).status, 0);
    QVERIFY(content(one + "/model.safetensors") == content(out + "/model.safetensors"));
    const Outcome again = headlight(training(out, 40, worse + QStringList{"--resume"}));
    QVERIFY2(again.out.contains("nothing to do: "), qPrintable(again.out));
  }

  void the_card_tells_data_licence_figures_and_command() {
    const QString out = dir_.filePath("card");
    QCOMPARE(headlight(training(out, 1, {"--licence", "CC0-1.0", "--data-note", "Made for this test."})).status, 0);
    const QString card = QString::fromUtf8(content(out + "/README.md"));
    for (const char* text :
         {"- Data: Addition; generated data, 300 examples for training and 50 held out", "Made for this test.",
          "- Licence: CC0-1.0\n", "- Quality after 1 epoch, on the held-out examples: exact match 0.", "perplexity ",
          "headlight train addition --architecture attn_seq2seq --epochs 1 --seed 1 "
          "--set hidden_size=8 --set train_size=300 --set test_size=50 --out card`"})
      QVERIFY2(card.contains(text), qPrintable(QString(text) + "\n" + card));
    QVERIFY(!card.contains(dir_.path()));
  }

  void sentence_pairs_are_learned_and_measured() {
    const QString tsv = dir_.filePath("pairs.tsv"), out = dir_.filePath("words");
    QFile file(tsv);
    QVERIFY(file.open(QIODevice::WriteOnly));
    const QStringList who = {"the cat", "the dog", "a bird", "my friend", "your horse"};
    const QStringList does = {"sleeps", "eats", "sings", "runs", "waits"};
    const QStringList where = {"here", "there", "at home", "in town"};
    for (const QString& w : who)
      for (const QString& d : does)
        for (const QString& p : where)
          file.write((w + " " + d + " " + p + "\t" + p + " " + w + " " + d + "\n").toUtf8());
    file.close();
    const QStringList train = {"train",        "pairs",         "--files", tsv,        "-a",
                               "attn_seq2seq", "--out",         out,       "--epochs", "2",
                               "--set",        "hidden_size=8", "--set",   "batch=16"};
    const Outcome trained = headlight(train);
    QCOMPARE(trained.error, QString());
    QVERIFY2(trained.out.contains("90 examples for training, 10 held out"), qPrintable(trained.out));
    const QString card = QString::fromUtf8(content(out + "/README.md"));
    QVERIFY2(card.contains("sentence pairs of pairs.tsv, 90 examples"), qPrintable(card));
    QVERIFY2(card.contains("- Licence: not stated"), qPrintable(card));
    for (const bool held_out : {false, true}) {
      const Outcome outcome = headlight(QStringList{"evaluate", out, "--files", tsv, "--json"} +
                                        (held_out ? QStringList{"--held-out"} : QStringList{}));
      QCOMPARE(outcome.error, QString());
      const QJsonObject json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
      QCOMPARE(json["examples"].toInt(), held_out ? 10 : 100);
      const QJsonObject bleu = json["bleu"].toObject();
      // The score is made of its parts: the geometric mean of the precisions, times the penalty for brevity.
      double log_sum = 0;
      for (const QJsonValue& p : bleu["precision"].toArray()) log_sum += std::log(p.toDouble()) / 4;
      const double length = bleu["length"].toDouble(), reference = bleu["reference_length"].toDouble();
      const double penalty = length < reference ? std::exp(1 - reference / length) : 1;
      QVERIFY(std::abs(bleu["brevity_penalty"].toDouble() - penalty) < 1e-9);
      QVERIFY(std::abs(bleu["score"].toDouble() - 100 * penalty * std::exp(log_sum)) < 1e-6);
      QVERIFY(bleu["reference_length"].toInt() >= 4 * json["examples"].toInt());
    }
    // Capitals are small letters to this model: a pair once more in capitals is the same pair, and that is said.
    const QString twice = dir_.filePath("twice.tsv");
    QVERIFY(QFile::copy(tsv, twice));
    QFile more(twice);
    QVERIFY(more.open(QIODevice::Append));
    more.write("The Cat sleeps HERE\there the cat sleeps\n");
    more.close();
    const Outcome repeated = headlight({"evaluate", out, "--files", twice, "--json"});
    QCOMPARE(repeated.status, 0);
    QCOMPARE(QJsonDocument::fromJson(repeated.out.toUtf8()).object()["examples"].toInt(), 100);
    QVERIFY2(
        repeated.error.contains("pairs that repeat another one (capitals are read as small letters) count once: 1"),
        qPrintable(repeated.error));
    const Outcome misplaced = headlight(training(dir_.filePath("misplaced"), 1, {"--files", tsv}));
    QCOMPARE(misplaced.status, 2);
    QCOMPARE(
        misplaced.error,
        "headlight: --files belongs to the tasks 'pairs' and 'text'; the task 'addition' makes its own examples\n");
  }

  void exact_match_is_told_by_length() {
    const QString out = dir_.filePath("lengths");
    QStringList arguments = training(out, 1);
    arguments[1] = "copy";
    QCOMPARE(headlight(arguments).status, 0);
    const Outcome outcome = headlight({"evaluate", out, "--limit", "200", "--by-length", "--json"});
    QCOMPARE(outcome.error, QString());
    const QJsonObject json = QJsonDocument::fromJson(outcome.out.toUtf8()).object();
    const QJsonArray groups = json["by_length"].toArray();
    QCOMPARE(groups.last().toObject()["length"].toInt(), 20);
    int examples = 0;
    for (const QJsonValue& group : groups) examples += group.toObject()["examples"].toInt();
    int outside = 0;
    for (const QJsonValue& set : json["outside"].toArray()) outside += set.toObject()["examples"].toInt();
    QCOMPARE(examples, 200 + outside);
    const QJsonObject alignment = json["alignment"].toObject();
    const double links = alignment["links"].toDouble(), sure = alignment["sure_links"].toDouble();
    QVERIFY(links > 200 && sure > 200);
    QVERIFY(std::abs(alignment["error_rate"].toDouble() - (1 - 2 * alignment["right"].toDouble() / (links + sure))) <
            1e-9);
    const Outcome text = headlight({"evaluate", out, "--limit", "50", "--by-length"});
    QVERIFY2(text.out.contains("alignment error") && text.out.contains("length-11"), qPrintable(text.out));
  }

  void models_are_compared_in_a_table_and_a_picture() {
    const QString a = dir_.filePath("compared/a"), b = dir_.filePath("compared/b");
    QCOMPARE(headlight(training(a, 2)).status, 0);
    QCOMPARE(headlight(training(b, 3, {"--seed", "2"})).status, 0);
    const QString svg = dir_.filePath("curves.svg"), csv = dir_.filePath("curves.csv");
    Outcome outcome = headlight({"compare", a, b, "--metric", "loss", "--out", svg, "--csv", csv});
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.out, QString());
    const QStringList rows = QString::fromUtf8(content(csv)).split('\n');
    QCOMPARE(rows.size(), 5);
    QCOMPARE(rows[0], QString("epoch,a,b"));
    const auto log = [](const QString& folder, int epoch) {
      return QString::fromUtf8(content(folder + "/training.csv")).split('\n')[epoch].split(',')[1].toDouble();
    };
    QCOMPARE(rows[1].split(',')[1].toDouble(), log(a, 1));
    QCOMPARE(rows[2].split(',')[2].toDouble(), log(b, 2));
    QCOMPARE(rows[3], QString("3,,") + rows[3].section(',', 2));
    QVERIFY(content(svg).startsWith("<?xml") && content(svg).size() > 2000);

    outcome = headlight({"compare", a, b, "--by", "length", "--limit", "60"});
    QCOMPARE(outcome.error, QString());
    QVERIFY2(outcome.out.startsWith("length,a,b\n3,"), qPrintable(outcome.out));  // "1+1" has three tokens
    outcome = headlight({"compare", a, "--metric", "speed"});
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.error.contains("/training.csv: there is no column 'speed'; it has epoch, loss, exact_match, "),
             qPrintable(outcome.error));
    outcome = headlight({"compare", a, "--out", dir_.filePath("none/there.png")});
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.error.contains("none/there.png"), qPrintable(outcome.error));
  }

  void a_fresh_model_verifies_itself() {
    const QString out = dir_.filePath("verified");
    QCOMPARE(headlight(training(out, 1)).status, 0);
    const Outcome outcome = headlight({"verify", out});
    QCOMPARE(outcome.error, QString());
    QCOMPARE(outcome.status, 0);
    QVERIFY(outcome.out.contains("passed: "));
    QVERIFY(outcome.out.contains("/verify.safetensors, computed by Headlight\n"));
    QVERIFY(outcome.out.contains("self-consistent only"));
    // A reference that lacks what the model computes passes only when that is asked for.
    std::vector<NamedTensor> some;
    const SafetensorsFile all((out + "/verify.safetensors").toStdString());
    for (const TensorInfo& info : all.tensors())
      if (info.name.ends_with("output.logits")) some.push_back({info.name, all.load(info.name)});
    auto metadata = all.metadata();
    metadata["computed_by"] = "PyTorch";
    const QString part = dir_.filePath("part.safetensors");
    write_safetensors(part.toStdString(), some, metadata, StorageType::f32);
    const Outcome refused = headlight({"verify", out, part});
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.error.contains("missing in the reference"), qPrintable(refused.error));
    const Outcome partial = headlight({"verify", out, part, "--partial"});
    QCOMPARE(partial.status, 0);
    QVERIFY(partial.out.contains("in part only") && !partial.out.contains("self-consistent"));
    // Against the values of another model it must fail, and name a site.
    const QString other = dir_.filePath("other");
    QCOMPARE(headlight(training(other, 1, {"--seed", "5"})).status, 0);
    const Outcome wrong = headlight({"verify", out, other + "/verify.safetensors"});
    QCOMPARE(wrong.status, 2);
    QVERIFY(wrong.out.contains("FAILED"));
    QVERIFY2(wrong.error.contains("encoder."), qPrintable(wrong.error));
  }
};

HEADLIGHT_CORE_TEST(TestTrainingCommands)

}  // namespace headlight::test_training_commands

#include "test_training_commands.moc"
