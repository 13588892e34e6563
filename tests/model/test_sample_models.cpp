// The bundled models: each opens, has its card, matches its test vector (computed by PyTorch, see
// tests/reference/make_verification.py), and is as good as its card says.

#include <QtTest>
#include <algorithm>
#include <fstream>
#include <sstream>

#include "model/io/model_folder.h"
#include "model/io/verify.h"
#include "model/training/trainer.h"

using namespace headlight;

class TestSampleModels : public QObject {
  Q_OBJECT

  static void every_model() {
    QTest::addColumn<QString>("folder");
    for (const auto& folder : bundled_models())
      QTest::newRow(folder.filename().c_str()) << QString::fromStdString(folder.string());
  }
  static std::shared_ptr<const ModelBundle> bundle() {
    QFETCH_GLOBAL(QString, folder);
    return load_model(folder.toStdString());
  }

 private slots:
  void initTestCase_data() { every_model(); }

  void all_are_there() {
    std::vector<std::string> names;
    for (const auto& folder : bundled_models()) names.push_back(folder.filename().string());
    const std::vector<std::string> expected = {"date-plain", "date-peeky", "date-attention", "addition-attention"};
    QCOMPARE(names, expected);  // in the order of the lesson
  }
  void opens_without_a_warning() { QVERIFY(bundle()->warnings.empty()); }
  void matches_its_test_vector() {
    const Verification verification = verify_model(bundle());
    QVERIFY(verification.passed());
    QVERIFY(verification.tolerance <= 1e-4);
    for (const SiteDifference& site : verification.sites)
      QVERIFY2(site.state == SiteDifference::State::compared, site.site.c_str());
  }
  void card_says_what_it_is() {
    std::ifstream file(bundle()->folder / "README.md");
    std::stringstream card;
    card << file.rdbuf();
    for (const char* entry :
         {"Architecture: ", "Task: ", "Licence: ", "exact match ", "Training command: `headlight train "})
      QVERIFY2(card.str().find(entry) != std::string::npos, entry);
  }
  void is_as_good_as_it_was() {
    const auto model = bundle();
    const Task& task = find_task(model->task);
    // The first 500 held-out examples; three standard deviations of such a sample lie within .02.
    TaskData data = generate(task, 1, 5'000);
    data.test.resize(500);
    const double exact = evaluate(*model->model, Dataset(task, data.test)).exact_match;
    const double least = model->name == "date-attention" ? 0.998 : model->name == "date-plain" ? 0.0 : 0.93;
    QVERIFY2(exact >= least, std::to_string(exact).c_str());
    if (model->name == "date-plain") QVERIFY(exact < 0.01);  // what the lesson is about
  }
};

QTEST_APPLESS_MAIN(TestSampleModels)
#include "test_sample_models.moc"
