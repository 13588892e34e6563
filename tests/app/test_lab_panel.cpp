// "What is trained": fields and what they say, presets, the buttons while a training runs, the list of runs, and
// trainings that were interrupted.

#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <memory>

#include "app/lab/lab_panel.h"
#include "app/lab/setup/interrupted_offer.h"
#include "app/lab/setup/kept_trainings.h"
#include "app/lab/setup/lab_acts.h"
#include "app/lab/setup/lab_choice.h"
#include "app/lab/setup/lab_fields.h"
#include "app/lab/setup/lab_runs.h"
#include "app/lab/setup/run_list.h"
#include "app/lab/setup/setting_row.h"
#include "app/lab/setup/setting_titles.h"
#include "app/lab/setup/training_estimate.h"
#include "app/lab/setup/training_words.h"
#include "app/language.h"
#include "model/core/json_library.h"
#include "model/models/registry.h"
#include "model/recording/presets.h"
#include "model/training/trainer.h"
#include "tests/test_program.h"
#include "widgets/base/utf8_text.h"

namespace headlight::test_lab_panel {

namespace {

using State = LabTraining::State;
constexpr int kSoon = 60'000;

LabSetup small(int epochs) {
  LabSetup setup;
  setup.settings.task = "copy";
  setup.settings.architecture = "attn_seq2seq";
  setup.settings.epochs = epochs;
  setup.settings.seed = 3;
  for (const char* key : {"hidden_size=8", "embedding_size=8", "batch=16", "train_size=160", "test_size=20",
                          "optimiser=adam", "learning_rate=0.01"})
    setup.settings.set(key);
  setup.options.probes = {{"31415926", "31415926"}};
  return setup;
}

// As somebody types it.
void type(SettingRow* row, const QString& text) {
  auto* field = qobject_cast<QLineEdit*>(row->field());
  field->selectAll();
  QTest::keyClicks(field, text);
}

}  // namespace

class TestLabPanel : public QObject {
  Q_OBJECT
  std::unique_ptr<QTemporaryDir> dir_;
  std::unique_ptr<LabTraining> training_;
  std::unique_ptr<LabShown> shown_;
  std::unique_ptr<LabPanel> panel_;

  QString folder() const { return dir_->filePath("trainings"); }
  void open() {
    training_ = std::make_unique<LabTraining>();
    shown_ = std::make_unique<LabShown>();
    panel_ = std::make_unique<LabPanel>(training_.get(), shown_.get(), nullptr, folder());
  }

 private slots:
  void init() {
    dir_ = std::make_unique<QTemporaryDir>();
    open();
  }
  void cleanup() {
    panel_.reset();
    training_.reset();
    shown_.reset();
  }

  // Beside it stand keys of files for the command line only: a person reads words, in both languages.
  void every_setting_has_a_title() {
    set_language("zh_CN");
    const auto check = [](const std::string& key) {
      const QString title = setting_title(key);
      const bool translated = std::any_of(title.begin(), title.end(), [](QChar c) { return c.unicode() >= 0x4e00; });
      QVERIFY2(translated || title == "Dropout", qPrintable(from_utf8(key) + ": " + title));
    };
    for (const TrainingKey& key : training_keys())
      if (const std::string name = key.name; name != "learning_rate" && name != "batch") check(name);
    // Transformers have many more, which only files of other libraries set.
    for (const char* name : {"attn_seq2seq", "recurrent_lm"})
      for (const auto& [key, value] : find_architecture(name).defaults.items())
        if (!key.ends_with("vocabulary_size")) check(key);
    for (const char* key : {"model_size", "heads", "ff_size", "positions", "norm_place", "kernel_size", "memory.slots"})
      check(key);
    set_language("en");
    QCOMPARE(setting_title("heads"), QString("Heads"));
  }

  void fields_are_the_settings() {
    panel_->set_setup(small(7));
    LabFields& fields = panel_->fields();
    QCOMPARE(fields.row("learning_rate")->value(), QString("0.01"));
    QCOMPARE(fields.row("epochs")->value(), QString("7"));
    QCOMPARE(fields.row("hidden_size")->value(), QString("8"));
    type(fields.row("learning_rate"), "0.02");
    type(fields.row("seed"), "11");
    type(fields.row("hidden_size"), "12");
    const TrainingSettings settings = panel_->setup().settings;
    QCOMPARE(*settings.constants.learning_rate, 0.02);
    QCOMPARE(settings.seed, std::uint64_t{11});
    QCOMPARE(settings.model.at("hidden_size").get<int>(), 12);
    QCOMPARE(panel_->setup().options.probes.at(0).source, std::string("31415926"));
  }

  // Everything that `headlight train` knows has a field.
  void no_setting_is_missing() {
    panel_->set_setup(small(1));
    for (const TrainingKey& key : training_keys())
      if (panel_->setup().settings.to_json().contains(key.name)) QVERIFY2(panel_->fields().row(key.name), key.name);
    for (const auto& [key, value] : find_architecture("attn_seq2seq").defaults.items())
      if (!key.ends_with("vocabulary_size")) QVERIFY2(panel_->fields().row(key), key.c_str());
  }

  void a_wrong_value_is_said_and_stays_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("wrong");
    QTest::addColumn<QString>("sentence");
    QTest::newRow("words") << "batch"
                           << "many"
                           << "A whole number from 1 to 10,000,000 is needed.";
    QTest::newRow("too small") << "batch"
                               << "0"
                               << "A whole number from 1 to 10,000,000 is needed.";
    QTest::newRow("fraction") << "epochs"
                              << "0.5"
                              << "A whole number from 1 to 100,000 is needed.";
    QTest::newRow("share") << "momentum"
                           << "2"
                           << "A number from 0 to 1 is needed.";
    QTest::newRow("seed") << "seed"
                          << "-1"
                          << "A whole number from 0 on is needed.";
  }
  void a_wrong_value_is_said_and_stays() {
    QFETCH(QString, key);
    QFETCH(QString, wrong);
    QFETCH(QString, sentence);
    panel_->set_setup(small(7));
    const nlohmann::ordered_json before = panel_->setup().settings.to_json();
    SettingRow* row = panel_->fields().row(bytes_of(key));
    type(row, wrong);
    QCOMPARE(row->value(), wrong);  // as it was typed
    QCOMPARE(row->sentence().remove(QChar(0x2009)), sentence);
    QVERIFY(!panel_->is_valid());
    QVERIFY(panel_->setup().settings.to_json() == before);
    QSignalSpy problem(panel_.get(), &LabPanel::problem);
    panel_->start();
    QCOMPARE(training_->state(), State::idle);
    QCOMPARE(problem.count(), 1);
    type(row, "1");
    QVERIFY(panel_->is_valid());
  }

  // What a model was given comes back with it.
  void settings_of_a_model_are_remembered() {
    panel_->set_setup(small(1));
    LabChoice* model = panel_->fields().model();
    const auto choose = [&](const char* name) { emit model->chosen(QString::fromUtf8(name)); };
    choose("transformer");
    QVERIFY(panel_->fields().row("model_size"));
    QVERIFY(!panel_->fields().row("hidden_size"));
    choose("attn_seq2seq");
    QCOMPARE(panel_->fields().row("hidden_size")->value(), QString("8"));
  }

  void presets_fill_the_fields() {
    QVERIFY(!presets().empty());
    for (const Preset& preset : presets()) {
      panel_->set_preset(preset.name);
      QVERIFY(panel_->setup().settings.to_json() == preset.settings().to_json());
      QCOMPARE(panel_->setup().options.probes.at(0).source, preset.probe().source);
      QVERIFY(panel_->acts().estimate().contains(duration_words(preset.seconds)));
    }
  }

  void an_estimate_counts_numbers_and_updates() {
    const TrainingSettings settings = small(4).settings;
    const TrainingMeasured measured = TrainingEstimate::measure(settings);
    Trainer trainer(settings);
    QCOMPARE(measured.numbers, trainer.model().parameters().count());
    QCOMPARE(measured.examples, Index{160});
    QCOMPARE(measured.kept, Index{20});
    QVERIFY(measured.problem.isEmpty());
    QVERIFY(measured.seconds > 0);
  }

  void too_many_numbers_are_refused_before_memory_is_taken() {
    TrainingSettings settings = small(1).settings;
    settings.set("hidden_size=200000");
    bool refused = false;
    try {
      refused = !TrainingEstimate::measure(settings).problem.isEmpty();
    } catch (const Error&) {
      refused = true;  // even the bounds of the model say so
    }
    QVERIFY(refused);
  }

  void buttons_follow_the_training() {
    panel_->show();
    panel_->set_setup(small(5000));
    LabActs& acts = panel_->acts();
    QVERIFY(acts.start()->isVisible());
    QVERIFY(!acts.pause()->isVisible());
    acts.start()->click();
    QTRY_VERIFY_WITH_TIMEOUT(training_->progress().update > 0, kSoon);
    QVERIFY(!acts.start()->isVisible());
    QVERIFY(acts.pause()->isVisible());
    QVERIFY(acts.progress_words().contains("5,000"));
    acts.pause()->click();
    QCOMPARE(training_->state(), State::paused);
    panel_->pause_or_go_on();
    QVERIFY(training_->busy());
    acts.stop()->click();
    QTRY_COMPARE_WITH_TIMEOUT(training_->state(), State::stopped, kSoon);
    QVERIFY(acts.start()->isVisible());
    QVERIFY(acts.again()->isVisible());
    QVERIFY(acts.keep()->isVisible());
  }

  void another_seed_leaves_a_thin_line() {
    panel_->set_setup(small(1));
    panel_->start();
    QTRY_COMPARE_WITH_TIMEOUT(training_->state(), State::finished, kSoon);
    const LabShown::Run first = shown_->runs().at(0);
    panel_->again();
    QTRY_COMPARE_WITH_TIMEOUT(training_->state(), State::finished, kSoon);
    QCOMPARE(training_->recording()->settings.seed, std::uint64_t{4});
    QCOMPARE(shown_->runs().at(0), training_->recording());
    QCOMPARE(shown_->thin(), std::vector{first});
    QCOMPARE(panel_->runs().all().size(), std::size_t{2});
    panel_->runs().compare(1);
    QCOMPARE(shown_->runs(), (std::vector{training_->recording(), first}));
    panel_->runs().choose(1);
    QCOMPARE(shown_->runs(), std::vector{first});
    QCOMPARE(panel_->runs().beside(1), 0);  // a run that was clicked is compared with what was in front
    panel_->runs().remove(1);
    QCOMPARE(shown_->runs(), std::vector{training_->recording()});
  }

  void the_command_line_says_what_differs() {
    TrainingSettings settings = plain_settings("date", "attn_seq2seq");
    settings.epochs = 3;
    settings.seed = 2;
    settings.set("batch=32");
    settings.set("hidden_size=64");
    QCOMPARE(command_line(settings, {{"may 3, 1999", "1999-05-03"}}),
             std::string("headlight train date --architecture attn_seq2seq --epochs 3 --seed 2 --set batch=32 --set "
                         "hidden_size=64 --probe 'may 3, 1999' --out my-model"));
  }

  void an_interrupted_training_is_offered_again() {
    panel_->set_setup(small(5000));
    panel_->start();
    QTRY_VERIFY_WITH_TIMEOUT(training_->recording() && training_->recording()->count() > 3, kSoon);
    QTest::qWait(1200);                                    // the note says how far it is
    QVERIFY(KeptTraining::interrupted(folder()).empty());  // it lives
    cleanup();                                             // the window is closed
    open();
    panel_->offer_interrupted();
    auto* offer = panel_->findChild<InterruptedOffer*>();
    QVERIFY(!offer->sentence().isEmpty());
    const Index before = KeptTraining::interrupted(folder()).at(0).note.read;
    offer->go_on()->click();
    QTRY_VERIFY_WITH_TIMEOUT(training_->recording() != nullptr, kSoon);
    QVERIFY(training_->recording()->moments.size() > 1);
    QTRY_VERIFY_WITH_TIMEOUT(training_->progress().read > before, kSoon);
    QCOMPARE(panel_->setup().settings.epochs, 5000);
    panel_->stop();
    QTRY_COMPARE_WITH_TIMEOUT(training_->state(), State::stopped, kSoon);
    cleanup();
    open();
    panel_->offer_interrupted();
    QVERIFY(panel_->findChild<InterruptedOffer*>()->sentence().isEmpty());  // it was stopped by a person
  }

  void only_so_many_are_kept() {
    KeptNote note;
    note.settings = small(1).settings;
    for (int i = 0; i < KeptTraining::kMost + 3; ++i) {
      KeptTraining::begin(folder(), note, "");
      QTest::qWait(3);  // their names have the time
    }
    QCOMPARE(static_cast<int>(KeptTraining::interrupted(folder()).size()), KeptTraining::kMost);
  }

  void own_texts_are_forgotten() {
    KeptNote note;
    note.settings = small(1).settings;
    KeptTraining::begin(folder(), note, "");
    QTest::qWait(3);
    note.settings.task = "pairs";
    auto own = KeptTraining::begin(folder(), note, "anna sees\tanna sieht\n");
    const std::filesystem::path text = own->text_file();
    QVERIFY(std::filesystem::exists(text));
    QCOMPARE(KeptTraining::kept_text(folder(), KeptTraining::reading(note.settings, text)),
             std::string("anna sees\tanna sieht\n"));
    KeptTraining::forget_of_people(folder());
    QVERIFY(std::filesystem::exists(text));  // a window has it
    own.reset();
    panel_->forget_own();
    QVERIFY(!std::filesystem::exists(text));
    QCOMPARE(KeptTraining::interrupted(folder()).size(), std::size_t{1});
  }
};

HEADLIGHT_WIDGET_TEST(TestLabPanel)

}  // namespace headlight::test_lab_panel

#include "test_lab_panel.moc"
