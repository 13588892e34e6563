// The bundled models: each opens, has its card, matches its test vector (computed by PyTorch, see
// tests/reference/make_verification.py), and is as good as its card says.

#include <QtTest>
#include <cmath>
#include <fstream>
#include <sstream>

#include "model/analysis/attention_maps.h"
#include "model/decode/run.h"
#include "model/io/model_folder.h"
#include "model/io/verify.h"
#include "model/training/evaluate.h"
#include "model/training/tasks/task.h"
#include "tests/test_program.h"

namespace headlight::test_sample_models {

namespace {

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Whatever is being trained at this moment has a checkpoint, and no test vector yet.
bool still_in_training(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / "checkpoint.safetensors") &&
         !std::filesystem::exists(folder / "verify.safetensors");
}

}  // namespace

class TestSampleModels : public QObject {
  Q_OBJECT

  static std::filesystem::path folder() {
    QFETCH_GLOBAL(QString, folder);
    return folder.toStdString();
  }
  static std::shared_ptr<const ModelBundle> bundle() { return load_model(folder().string()); }

 private slots:
  void initTestCase_data() {
    QTest::addColumn<QString>("folder");
    for (const auto& folder : bundled_models())
      if (!still_in_training(folder))
        QTest::newRow(folder.filename().c_str()) << QString::fromStdString(folder.string());
  }

  void those_of_the_lesson_come_in_its_order() {
    const std::vector<std::string> lesson = {"date-plain", "date-peeky", "date-attention", "addition-attention"};
    std::vector<std::string> names;
    for (const auto& folder : bundled_models())
      if (const std::string name = folder.filename().string(); std::ranges::count(lesson, name) > 0)
        names.push_back(name);
    QCOMPARE(names, lesson);
  }
  void opens_without_a_warning() { QVERIFY(bundle()->warnings.empty()); }
  // No name that only users of one library know.
  void its_title_is_plain() {
    QVERIFY(!QString::fromStdString(bundle()->title).contains("peeky", Qt::CaseInsensitive));
  }
  void matches_its_test_vector() {
    const std::map<std::string, std::string> said = SafetensorsFile(folder() / "verify.safetensors").metadata();
    QVERIFY2(said.contains("computed_by") && said.at("computed_by") == "PyTorch",
             "written by the program itself: see tests/reference/make_verification.py");
    const Verification verification = verify_model(bundle());
    for (const SiteDifference& site : verification.sites)
      QVERIFY2(site.state == SiteDifference::State::compared && site.within, site.site.c_str());
    QVERIFY(verification.passed());
    QVERIFY(verification.tolerance <= 1e-4);
  }
  // The texts of the verification file read every row of the embeddings that a text can reach, and the file holds what
  // was read.
  void its_test_vector_reads_every_row_of_embedding() {
    const auto model = bundle();
    const Verification verification = verify_model(model);
    const TextRules& rules = model->text;
    const ModelTraits& traits = model->model->traits();
    const auto compared = [&](const std::string& part) {
      return std::ranges::any_of(verification.sites, [&](const SiteDifference& site) {
        return site.state == SiteDifference::State::compared && site.site.starts_with(part);
      });
    };
    std::set<TokenId> read, fed;
    const auto run_text = [&](const std::string& source, const std::optional<std::string>& target, std::size_t number) {
      Request request;
      request.model = model;
      request.source = source;
      request.target = target;
      request.capture = {{"input.src.ids", "decoder.step.input.id"}, false};
      const Result result = run(request);
      const std::string text = number == 0 ? std::string() : "text[" + std::to_string(number) + "].";
      const Tensor ids = result.trace->value("input.src.ids");
      const bool reads_by_table = traits.architecture != "ntm";  // one hot, without a table
      if (!reads_by_table || compared(text + "encoder.embed.") || compared(text + "decoder.embed."))
        for (Index i = 0; i < ids.size(); ++i) read.insert(static_cast<TokenId>(ids[i]));
      for (std::size_t t = 0; t < result.steps.size(); ++t) {
        const std::string step = "decoder.step[" + std::to_string(t) + "].";
        const int at = result.trace->find(step + "input.id");
        const TokenId id = at < 0 ? rules.bos : static_cast<TokenId>((*result.trace)[at].value[0]);
        if (compared(text + step + "embed.")) fed.insert(id);
      }
    };
    run_text(verification.source, {}, 0);
    for (std::size_t k = 0; k < verification.further.size(); ++k)
      run_text(verification.further[k].source, verification.further[k].target, k + 1);

    // Signs that no text can spell: they begin, end and fill up where the rules say so.
    std::set<TokenId> never_read, never_fed;
    for (const char* sign : {kPadding, kStart, kEnd}) {
      if (const auto id = model->source_vocabulary().find(sign)) never_read.insert(*id);
      if (const auto id = model->target_vocabulary().find(sign)) never_fed.insert(*id);
    }
    if (rules.source_bos) never_read.erase(rules.bos);
    if (rules.source_eos) never_read.erase(*rules.eos);
    never_fed.erase(rules.bos);
    if (const auto id = model->target_vocabulary().find(kUnknown)) never_fed.insert(*id);  // cannot be forced
    const auto check = [&](const Vocabulary& tokens, const std::set<TokenId>& seen, const std::set<TokenId>& never) {
      // Tatoeba's vocabularies of thousands of words would make files as large as the model: the first 100 words and
      // 100 from the rest, the last one among them.
      const bool in_part = model->name.starts_with("tatoeba-");
      const auto last = static_cast<TokenId>(tokens.size()) - 1;
      for (TokenId id = 0; id <= last; ++id)
        if (!never.contains(id) && (!in_part || id < 100 || id == last))
          QVERIFY2(seen.contains(id), tokens.text(id).c_str());
      if (in_part) QVERIFY2(seen.size() >= 200, std::to_string(seen.size()).c_str());
    };
    check(model->source_vocabulary(), read, never_read);
    if (QTest::currentTestFailed()) return;
    const bool one_table = traits.kind != ModelTraits::Kind::encoder_decoder;  // of what is read
    if (one_table || rules.target_length == 1) return;  // one token: only the start sign is ever fed
    if (traits.architecture == "ntm") return;
    check(model->target_vocabulary(), fed, never_fed);
  }
  void runs_every_example() {
    const auto model = bundle();
    QVERIFY(!model->examples.empty());
    Request request;
    request.model = model;
    for (const std::string& example : model->examples) {
      request.source = example;
      QVERIFY2(!run(request).steps.empty(), example.c_str());
    }
  }
  // What a card promises: where there is no one right output, the perplexity.
  std::string measure() const {
    const std::string task = bundle()->task;
    return task != "pairs" && find_task(task).open_ended ? "perplexity " : "exact match ";
  }
  void card_says_what_it_is() {
    const std::string card = contents(folder() / "README.md"), name = folder().filename().string();
    for (const std::string& entry :
         {"# " + name + "\n", std::string("Architecture: "), std::string("Licence: "), measure(),
          std::string("Training command: `headlight train "), " --out " + name + "`"})
      QVERIFY2(contains(card, entry), entry.c_str());
    QVERIFY(contains(card, "\n- Data: ") || contains(card, "\n- Task: "));
    QVERIFY(!contains(card, "not stated"));
    const auto epochs = std::ranges::count(contents(folder() / "training.csv"), '\n') - 1;
    QVERIFY2(contains(card, "after " + std::to_string(epochs) + " epoch"), std::to_string(epochs).c_str());
    QVERIFY(contains(card, "--epochs " + std::to_string(epochs) + " "));
  }
  void can_be_trained_again() {
    const std::string script = contents(folder().parent_path() / "train.sh"), name = folder().filename().string();
    const std::string score = name.starts_with("date-") ? "\nscore " + name.substr(5) + " " : name;
    QVERIFY(contains(script, "train " + name + " ") || contains(script, score));
  }
  void is_as_good_as_its_card_says() {
    const auto model = bundle();
    if (model->task == "pairs") QSKIP("the sentences that it was trained on are not part of the sources");
    const std::string card = contents(model->folder / "README.md"), entry = measure();
    const double promised = std::stod(card.substr(card.find(entry) + entry.size()));
    // The first held-out examples of the thousands that the card speaks of: three standard deviations and one example.
    constexpr Index kCount = 500;
    const TaskData data = generate(find_task(model->task), 0, kCount);
    const Dataset examples(model->text, data.test, model->model->traits().writes_reversed);
    const Evaluation found = evaluate(*model->model, examples);
    if (entry == "perplexity ") {  // some 6,000 words whose nll has a deviation of less than 2 nats: four deviations
      QVERIFY2(std::abs(found.nll - std::log(promised)) < 0.1, std::to_string(std::exp(found.nll)).c_str());
      return;
    }
    const double exact = found.exact_match;
    const double deviation = std::sqrt(promised * (1 - promised) / kCount);
    QVERIFY2(std::abs(exact - promised) <= 3 * deviation + 1.0 / kCount, std::to_string(exact).c_str());
  }
  // A picture shows everything that a row can look at: nothing of its weight lies outside of the columns.
  void rows_of_attention_add_up() {
    const auto model = bundle();
    const ModelTraits& traits = model->model->traits();
    if (traits.local_attention || traits.architecture == "ntm") return;  // the Gaussian, and shares of what was read
    Request request;
    request.model = model;
    request.source = model->examples.front();
    for (const AttentionMap& map : attention_maps(run(request))) {
      const Tensor weights = map.matrix(AttentionMap::kMean);
      for (Index row = 0; row < map.row_count(); ++row)
        QVERIFY2(std::abs(weights.matrix().row(row).sum() - 1) < 1e-4,
                 map.rows[static_cast<std::size_t>(row)].text.c_str());
    }
  }
  // What these models are for: they look where the words and letters are that they write. No loss tells them to.
  void looks_at_what_it_writes() {
    const std::string name = folder().filename().string();
    const bool dates = name == "date-attention" || name == "date-additive";
    const bool grammar = name.starts_with("grammar-");
    if (!dates && !grammar && !name.starts_with("toy-mt-")) return;
    const auto model = bundle();
    const std::vector<Example> held_out = generate(find_task(model->task), 0, 1'000).test;
    double error = dates ? 0 : evaluate_alignment(*model->model, model->text, held_out).error_rate();
    if (dates) {  // of the digit with the least attention on the letters of its field
      const std::vector<FieldAttention> fields = evaluate_fields(*model->model, model->text, held_out);
      QCOMPARE(fields.size(), std::size_t{3});
      for (const FieldAttention& field : fields)
        for (std::size_t k = 0; k < field.mass.size(); ++k) {
          // What no letter decides, by name in the cards: the year's second digit (9 follows 1, 0 follows 2), and a
          // leading 0 of month and day, which is written unless a letter says otherwise.
          if (field.field == "year" && k == 1) continue;
          error = std::max(error, 1 - (field.field != "year" && k == 0 ? field.mass_not_0 : field.mass)[k]);
        }
    }
    QVERIFY2(error <= (grammar ? 0.15 : 0.10), std::to_string(error).c_str());
  }
  void attention_is_what_learns_the_dates() {
    const std::string card = contents(folder() / "README.md"), name = folder().filename().string();
    if (name != "date-plain" && name != "date-peeky" && name != "date-attention") return;
    const double exact = std::stod(card.substr(card.find("exact match ") + 12));
    if (name == "date-plain") QVERIFY(exact < 0.01);
    if (name == "date-peeky") QVERIFY(exact > 0.93);
    if (name == "date-attention") QVERIFY(exact > 0.998);
  }
};

HEADLIGHT_TEST(TestSampleModels)

}  // namespace headlight::test_sample_models

#include "test_sample_models.moc"
