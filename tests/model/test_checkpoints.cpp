// Checkpoints of a training: a resumed one is the same to the bit, and others and damaged ones are refused.

#include <QTemporaryDir>
#include <QTest>

#include "model/core/errors.h"
#include "model/io/safetensors.h"
#include "model/training/trainer.h"
#include "tests/model/helpers.h"
#include "tests/model/small_training.h"
#include "tests/test_program.h"

namespace headlight::test_checkpoints {

using namespace trainings;
using testing::message_of;

class TestCheckpoints : public QObject {
  Q_OBJECT

 private slots:
  // Everything that has a memory or draws: dropout, coins, hard attention with its baseline, momentum, a schedule.
  void a_resumed_training_is_the_same_to_the_bit_data() {
    QTest::addColumn<QStringList>("settings");
    QTest::newRow("plain") << QStringList{};
    QTest::newRow("dropout, coins, noam") << QStringList{
        "dropout=0.3", "layers=2", "teacher_forcing=0.7", "teacher_forcing_decay=0.8", "schedule=noam", "warmup=5"};
    QTest::newRow("nag, plateau") << QStringList{"optimiser=nag", "learning_rate=0.5", "schedule=plateau",
                                                 "plateau_divide=2", "label_smoothing=0.1"};
    QTest::newRow("hard attention") << QStringList{"attention.selection=hard_sample", "attention.semi_sampling=0.5",
                                                   "attention.entropy=0.01", "optimiser=rmsprop_graves"};
    QTest::newRow("mean of epochs") << QStringList{"average=2", "dropout=0.2"};
  }
  void a_resumed_training_is_the_same_to_the_bit() {
    QFETCH(QStringList, settings);
    std::vector<std::string> texts;
    for (const QString& s : settings) texts.push_back(s.toStdString());
    const QTemporaryDir dir;
    const std::string file = dir.filePath("checkpoint.safetensors").toStdString();
    Trainer whole(small(texts)), first(small(texts)), second(small(texts));
    for (int i = 0; i < 3; ++i) whole.run_epoch();
    first.run_epoch();
    first.save_checkpoint(file);
    second.load_checkpoint(file);
    for (int i = 0; i < 2; ++i) second.run_epoch();
    QVERIFY(weights(whole) == weights(second));
    QVERIFY(weights(whole) != weights(first));
    QCOMPARE(second.epochs_done(), 3);
    QCOMPARE(second.history()[2].loss, whole.history()[2].loss);
    QCOMPARE(second.history()[2].learning_rate, whole.history()[2].learning_rate);
    QCOMPARE(second.history()[0].nll_free, whole.history()[0].nll_free);
  }

  // Between any two updates: in the first epoch, in a later one, and behind the last batch of one.
  void a_training_goes_on_within_an_epoch_data() { a_resumed_training_is_the_same_to_the_bit_data(); }
  void a_training_goes_on_within_an_epoch() {
    QFETCH(QStringList, settings);
    std::vector<std::string> texts;
    for (const QString& s : settings) texts.push_back(s.toStdString());
    const QTemporaryDir dir;
    const std::string file = dir.filePath("checkpoint.safetensors").toStdString();
    Trainer whole(small(texts));
    for (int i = 0; i < 3; ++i) whole.run_epoch();
    for (const int updates : {2, 6, 6 + 1, 2 * 6 + 5}) {  // six in an epoch
      Trainer first(small(texts)), second(small(texts));
      while (first.updates() < updates) {
        if (first.batches_left() == 0) first.end_epoch();
        first.advance();
      }
      first.save_checkpoint(file, {{"note", "kept"}});
      QCOMPARE(SafetensorsFile(file).metadata().at("note"), std::string("kept"));
      second.load_checkpoint(file);
      QCOMPARE(second.updates(), static_cast<Index>(updates));
      QCOMPARE(second.batches_left(), first.batches_left());
      while (second.epochs_done() < 3) second.run_epoch();
      QVERIFY(weights(whole) == weights(second));
      for (std::size_t e = 0; e < 3; ++e) {
        QCOMPARE(second.history()[e].loss, whole.history()[e].loss);
        QCOMPARE(second.history()[e].gradient_norm, whole.history()[e].gradient_norm);
        QCOMPARE(second.history()[e].nll, whole.history()[e].nll);
      }
    }
  }
  // Cancelled between two batches or while it is measured, an epoch goes on.
  void a_cancelled_epoch_goes_on() {
    Trainer whole(small({"average=2"})), other(small({"average=2"}));
    for (int i = 0; i < 2; ++i) whole.run_epoch();
    for (const Index stop : {Index{4}, Index{6}}) {
      const CancelToken cancel = CancelToken::make();
      const auto progress = [&](const TrainingProgress& p) {
        if (p.batch == stop) cancel.cancel();
      };
      QVERIFY_EXCEPTION_THROWN(other.run_epoch(progress, cancel), Cancelled);
      QCOMPARE(other.updates(), stop);
      QCOMPARE(other.epochs_done(), 0);
    }
    for (int i = 0; i < 2; ++i) other.run_epoch();
    QVERIFY(weights(whole) == weights(other));
    QCOMPARE(other.history()[0].loss, whole.history()[0].loss);
  }

  // Settings and checkpoints of before call ADAM's form with the corrections in the rate by another name.
  void a_former_name_of_an_optimiser_is_read() {
    QCOMPARE(small({"optimiser=adam_fish"}).optimiser, std::string("adam_epsilon_hat"));
    Json before = small().to_json();
    before["optimiser"] = "adam_fish";
    QCOMPARE(TrainingSettings::from_json(before).optimiser, std::string("adam_epsilon_hat"));
    QCOMPARE(&find_optimiser("adam_fish"), &find_optimiser("adam_epsilon_hat"));
  }

  void another_trainings_checkpoint_is_refused() {
    const QTemporaryDir dir;
    const std::string file = dir.filePath("checkpoint.safetensors").toStdString();
    Trainer(small()).save_checkpoint(file);
    Trainer other(small({"optimiser=sgd"}));
    const QString message = message_of<FormatError>([&] { other.load_checkpoint(file); });
    QVERIFY2(message.contains("belongs to other settings: optimiser \"adam_epsilon_hat\" (asked for \"sgd\")"),
             qPrintable(message));
  }
  void the_order_of_settings_does_not_matter() {
    const QTemporaryDir dir;
    const std::string file = dir.filePath("checkpoint.safetensors").toStdString();
    Trainer(small({"hidden_size=8", "embedding_size=6"})).save_checkpoint(file);
    Trainer other(small({"embedding_size=6", "hidden_size=8"}));
    other.load_checkpoint(file);
    const QString message = message_of<FormatError>([&] {
      Trainer(small({"embedding_size=8", "hidden_size=6"})).load_checkpoint(file);
    });
    QVERIFY2(message.contains("belongs to other settings: model"), qPrintable(message));
  }

  void damaged_checkpoints_are_refused_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");  // null: missing
    QTest::addColumn<QString>("message");
    const QString missing = "this is not a checkpoint of a training (no \"%1\")";
    QTest::newRow("history, deep") << "history" << QString(100'000, '[') << "the checkpoint's history cannot be read";
    for (const char* key : {"settings", "history", "updates", "last_rate", "baseline"})
      QTest::addRow("no %s", key) << key << QString() << missing.arg(key);
    for (const char* key : {"last_rate", "baseline"})
      QTest::addRow("%s is a word", key) << key << "abc"
                                         << QString("the checkpoint's %1: expected a number, found abc").arg(key);
    QTest::newRow("updates are a word") << "updates"
                                        << "1x"
                                        << "the checkpoint's updates: expected a number, found 1x";
    for (const char* value : {"-6", "7", "6.5", "1e300"})
      QTest::addRow("updates %s", value) << "updates" << value
                                         << QString("the checkpoint's updates: expected 6, found %1").arg(value);
    for (const char* value : {"", "7", "{\"task\": 1}", "[[["})
      QTest::addRow("settings %s", value) << "settings" << value << "the checkpoint's settings cannot be read";
    for (const char* value : {"", "7", "null", "{}", "{\"epoch\": 1}", "[7]", "[{}]", "[{\"epoch\": \"1\"}]",
                              "[{\"epoch\": 1, \"loss\": \"low\"}]", "[["})
      QTest::addRow("history %s", value) << "history" << value << "the checkpoint's history cannot be read";
    for (const char* value : {"", "7", "{}", "[[", "{\"batches\": 0}", "{\"batches\": 7}", "{\"batches\": 2}",
                              "{\"batches\": 2, \"nll\": 1, \"tokens\": 0, \"gradient_norm\": 1, \"seconds\": 1, "
                              "\"learning_rate\": 1}"})
      QTest::addRow("begun %s", value) << "begun" << value << "the checkpoint's begun epoch cannot be read";
    QTest::newRow("another epoch") << "history"
                                   << "[{\"epoch\": 2}]"
                                   << "the checkpoint's history: expected epoch 1, found 2";
    QTest::newRow("no epochs") << "history"
                               << "[]"
                               << "the checkpoint's updates: expected 0, found 6";
  }
  void damaged_checkpoints_are_refused() {
    QFETCH(QString, key);
    QFETCH(QString, value);
    QFETCH(QString, message);
    static const QTemporaryDir dir;
    const std::string file = dir.filePath("checkpoint.safetensors").toStdString();
    static Trainer trained(small());
    if (trained.epochs_done() == 0) trained.run_epoch();
    trained.save_checkpoint(file);
    const SafetensorsFile good(file);
    std::vector<NamedTensor> tensors;
    for (const TensorInfo& info : good.tensors()) tensors.push_back({info.name, good.load(info.name)});
    std::map<std::string, std::string> metadata = good.metadata();
    metadata.erase(key.toStdString());
    if (!value.isNull()) metadata[key.toStdString()] = value.toStdString();
    write_safetensors(file, tensors, metadata, StorageType::f32);
    Trainer other(small());
    QCOMPARE(message_of<FormatError>([&] { other.load_checkpoint(file); }),
             QString::fromStdString(file) + ": " + message);
  }
};

HEADLIGHT_TEST(TestCheckpoints)

}  // namespace headlight::test_checkpoints

#include "test_checkpoints.moc"
