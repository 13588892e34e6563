// The task `text`: which windows a file becomes, what is refused and where, and what a character's perplexity is.

#include <zlib.h>

#include <cmath>

#include "model/core/errors.h"
#include "model/decode/run.h"
#include "model/models/registry.h"
#include "model/training/tasks/own/text_files.h"
#include "model/training/tasks/own/text_task.h"
#include "model/training/test_data.h"
#include "model/training/trainer.h"
#include "tests/model/io_helpers.h"
#include "tests/test_program.h"

namespace headlight::test_text_task {

using namespace headlight::testing;

namespace {

using Strings = std::vector<std::string>;

FileOptions options(const fs::path& file, Index context = 8) {
  FileOptions made;
  made.files = {file};
  made.context = context;
  made.min_frequency = 1;
  return made;
}

std::string joined(const std::vector<Example>& windows) {
  std::string text;
  for (const Example& window : windows) text += window.target;
  return text;
}

// "Line 0 of 7.\nLine 1 of 7.\n …"
std::string some_lines(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "Line " + std::to_string(i % 7) + " of 7.\n";
  return text;
}

// All of its weights are 0: every token is as likely as any other.
std::unique_ptr<Model> indifferent(const TextRules& rules) {
  const Index tokens = rules.target.vocabulary().size();
  auto model = make_model(
      Json{{"model_type", "recurrent_lm"}, {"source_vocabulary_size", tokens}, {"target_vocabulary_size", tokens}}, 1);
  for (Parameter& parameter : model->parameters().all()) parameter.value.array() = Scalar(0);
  return model;
}

TrainingSettings training(const fs::path& file, const Strings& more = {}) {
  TrainingSettings settings;
  settings.task = "text";
  settings.architecture = "recurrent_lm";
  settings.data.files = {file};
  for (const std::string& setting : more) settings.set(setting);
  return settings;
}

}  // namespace

class TestTextTask : public QObject {
  Q_OBJECT

 private slots:
  void windows_are_the_text_in_its_order() {
    const Folder folder;
    const std::string text = some_lines(40);  // 520 characters
    put_file(folder / "t.txt", text);
    const auto task = find_task("text", options(folder / "t.txt"));
    const TaskData& data = *task->fixed;
    QCOMPARE(joined(data.train) + joined(data.test), text);
    // The last tenth, from the word on that begins there: 468 is the beginning of a line.
    QVERIFY(joined(data.train).size() >= 468 && joined(data.train).size() < 468 + 13);
    for (const auto* part : {&data.train, &data.test})
      for (std::size_t i = 0; i + 1 < part->size(); ++i) {
        QCOMPARE((*part)[i].target.size(), std::size_t{8});
        QVERIFY((*part)[i].source.empty());
      }
    QVERIFY(task->open_ended && task->text.source_bos && !task->text.eos);
    QCOMPARE(task->text.target_limit(5), Index{8});
  }
  void a_model_reads_a_start_sign_and_writes_the_window() {
    const Folder folder;
    put_file(folder / "t.txt", some_lines(40));
    const auto task = find_task("text", options(folder / "t.txt"));
    const Dataset data(*task, task->fixed->train);
    const Batch batch = data.batch(std::vector<std::uint32_t>{0});
    QCOMPARE(batch.source.ids.size(), Index{1});
    QCOMPARE(static_cast<TokenId>(batch.source.ids[0]), task->text.bos);
    std::vector<TokenId> target;
    for (Index t = 0; t < batch.targets.size(); ++t) target.push_back(static_cast<TokenId>(batch.targets[t]));
    QCOMPARE(task->text.target.join(target), task->fixed->train[0].target);
    QCOMPARE(data.target_length(), Index{8});
  }

  void line_ends_are_tokens_of_words_data() {
    QTest::addColumn<QString>("tokenizer");
    QTest::newRow("words") << "words";
    QTest::newRow("bpe") << "bpe";
  }
  void line_ends_are_tokens_of_words() {
    QFETCH(QString, tokenizer);
    const Folder folder;
    std::string text;
    for (int i = 0; i < 30; ++i) text += "the ship came in,\nno ship left.\n\n";
    put_file(folder / "t.txt", text);
    FileOptions asked = options(folder / "t.txt", 16);
    asked.tokenizer = tokenizer.toStdString();
    const auto task = find_task("text", asked);
    const Tokenizer& tokens = task->text.target;
    QVERIFY(tokens.vocabulary().find(kLineEnd));
    std::vector<TokenId> ids;
    for (const TextToken& token : tokens.split("the ship came in,\nno  ship left.\n\n")) ids.push_back(*token.id);
    QCOMPARE(tokens.join(ids), std::string("the ship came in,\nno ship left.\n\n"));
    for (const Example& window : task->fixed->train) QVERIFY(tokens.split(window.target).size() <= 16);
    // Nothing but spaces between windows is lost.
    QString all = QString::fromStdString(joined(task->fixed->train) + joined(task->fixed->test)), whole(text.c_str());
    QCOMPARE(all.remove(' '), whole.remove(' '));
  }
  void capitals_stay_unless_asked() {
    const Folder folder;
    put_file(folder / "t.txt", some_lines(40));
    FileOptions asked = options(folder / "t.txt");
    QVERIFY(find_task("text", asked)->text.target.vocabulary().find("L"));
    asked.lower_case = true;
    QVERIFY(!find_task("text", asked)->text.target.vocabulary().find("L"));
  }
  void rare_characters_are_unknown() {
    const Folder folder;
    put_file(folder / "t.txt", "\xc3\xa4" + some_lines(40));
    FileOptions asked = options(folder / "t.txt");
    asked.min_frequency = 2;
    const auto task = find_task("text", asked);
    QVERIFY(!task->text.target.vocabulary().find("\xc3\xa4"));
    QVERIFY(task->text.target.split("\xc3\xa4")[0].id == task->text.target.vocabulary().find(kUnknown));
  }

  void files_of_all_systems_are_read() {
    const Folder folder;
    const std::string plain = "one\ntwo\n\nthree";
    put_file(folder / "a", plain);
    put_file(folder / "b", "\xef\xbb\xbfone\r\ntwo\r\n\r\nthree");
    put_file(folder / "c", "one\rtwo\r\rthree");
    const gzFile packed = gzopen((folder / "d.gz").c_str(), "wb");
    gzwrite(packed, plain.data(), static_cast<unsigned>(plain.size()));
    gzclose(packed);
    QCOMPARE(read_texts({folder / "a", folder / "b", folder / "c", folder / "d.gz"}), Strings(4, plain));
  }
  void bad_files_are_refused_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("message");
    QTest::newRow("another encoding") << QByteArray("one\ntw\xe4 w\n")
                                      << "DIR/t.txt:2: expected UTF-8, found another encoding at byte 3";
    QTest::newRow("UTF-16") << QByteArray("\xff\xfeo\0n\0", 6)
                            << "DIR/t.txt:1: expected UTF-8, found another encoding at byte 1";
    QTest::newRow("a NUL") << QByteArray("one\n\ntwo\0", 9)
                           << "DIR/t.txt:3: expected a text, found a NUL at byte 4 (a file of another kind, or "
                              "UTF-16?)";
    QTest::newRow("empty") << QByteArray() << "DIR/t.txt: expected a text, found an empty file";
    QTest::newRow("a mark alone") << QByteArray("\xef\xbb\xbf") << "DIR/t.txt: expected a text, found an empty file";
    QTest::newRow("cut off") << QByteArray("\x1f\x8b\x08\x00\x00", 5)
                             << "DIR/t.txt: the packed file is cut off (an interrupted download?)";
    QTest::newRow("too short") << QByteArray("one two")
                               << "DIR/t.txt: expected a text of at least two windows of 8 tokens and one held out, "
                                  "found 1 and 1: take a longer text, or a smaller context";
  }
  void bad_files_are_refused() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, message);
    const Folder folder;
    put_file(folder / "t.txt", bytes.toStdString());
    const QString found = message_of<FormatError>([&] { find_task("text", options(folder / "t.txt")); });
    QCOMPARE(QString(found).replace(QString::fromStdString(folder.path().string()), "DIR"), message);
  }
  void what_does_not_fit_is_refused() {
    const Folder folder;
    put_file(folder / "t.txt", some_lines(40));
    QCOMPARE(message_of<UsageError>([] { find_task("text"); }), QString("the task 'text' needs its files"));
    QCOMPARE(message_of<UsageError>([] { find_task("text", FileOptions()); }),
             QString("the task 'text' needs its files"));
    QVERIFY(message_of<FileError>([&] { find_task("text", options(folder / "none.txt")); }).contains("none.txt"));
    FileOptions asked = options(folder / "t.txt", 1);
    QCOMPARE(message_of<UsageError>([&] { find_task("text", asked); }),
             QString("the task 'text': context: expected a whole number from 2 to 512, got 1"));
    asked = options(folder / "t.txt");
    asked.tokenizer = "letters";
    QCOMPARE(message_of<UsageError>([&] { find_task("text", asked); }),
             QString("the task 'text' has tokenizers characters, words and bpe, not 'letters'"));
    put_file(folder / "large.txt", std::string(kMostTextBytes + 1, 'a'));
    QVERIFY(message_of<UsageError>([&] {
              find_task("text", options(folder / "large.txt"));
            }).endsWith("expected at most 16 MB of text in all files, found more: train on a part of them"));
  }
  void settings_are_those_of_the_task() {
    const Folder folder;
    const Json json = training(folder / "t.txt", {"context=32", "tokenizer=bpe", "bpe_merges=50"}).to_json();
    QCOMPARE(json["context"].get<int>(), 32);
    QCOMPARE(json["tokenizer"].get<std::string>(), std::string("bpe"));
    QVERIFY(!json["lower_case"].get<bool>() && !json.contains("max_tokens"));
    QCOMPARE(TrainingSettings::from_json(json).data.context, Index{32});
    QVERIFY(message_of<UsageError>([&] {
              training(folder / "t.txt", {"max_tokens=9"});
            }).startsWith("there is no setting 'max_tokens'"));
  }
  void large_models_are_refused() {
    const Folder folder;
    put_file(folder / "t.txt", some_lines(40));
    const QString message = message_of<UsageError>([&] { Trainer(training(folder / "t.txt", {"hidden_size=1000"})); });
    // E, (x and h to four gates) and b, W and b, for 20 tokens: 17 letters and three signs.
    const Index v = 20, h = 1000, numbers = v * 16 + 16 * 4 * h + h * 4 * h + 4 * h + h * v + v;
    QVERIFY2(message.startsWith(QString("the model would have %1 numbers, one of the task 'text' has at most 4000000: "
                                        "make it smaller: hidden_size 1000, embedding_size 16, layers 1")
                                    .arg(numbers)),
             qPrintable(message));
  }

  // All tokens are equally likely: as many as there are of characters.
  void perplexity_of_an_indifferent_model() {
    const Folder folder;
    put_file(folder / "t.txt", some_lines(40));
    const auto task = find_task("text", options(folder / "t.txt"));
    const auto model = indifferent(task->text);
    const double found = perplexity_per_character(*model, task->text, task->fixed->test);
    QVERIFY(std::abs(found - static_cast<double>(task->text.target.vocabulary().size())) < 1e-4);
  }
  // Of words: their characters and the spaces between count; an unknown word is charged its sign and its letters.
  void perplexity_of_words() {
    TextRules rules;
    rules.source = rules.target =
        Tokenizer(Vocabulary({kPadding, kStart, kUnknown, "ab", "c", kLineEnd}), TokenizerKind::words);
    rules.pad = 0;
    rules.bos = 1;
    rules.source_bos = true;
    rules.target_length = 8;
    const std::vector<Example> windows = {{"", "ab  c\nab xyz"}};  // spells "ab c\nab xyz"
    QCOMPARE(spelled(rules, windows[0].target), std::string("ab c\nab xyz"));
    // 5 tokens of 6; xyz has 3 letters, each one of "a", "b", "c" and the end of a line.
    const double nll = 5 * std::log(6.0) + 3 * std::log(4.0);
    const double found = perplexity_per_character(*indifferent(rules), rules, windows);
    QVERIFY(std::abs(found - std::exp(nll / 11)) < 1e-4);
  }

  // A text that repeats is learned by heart, gone on with, and measured beside counting.
  void a_model_learns_and_goes_on() {
    const Folder folder;
    std::string text;
    for (int i = 0; i < 300; ++i) text += "the tide. ";
    put_file(folder / "t.txt", text);
    Trainer trainer(training(folder / "t.txt", {"context=17", "batch=16", "hidden_size=24", "learning_rate=0.02"}));
    const double before = perplexity_per_character(trainer.model(), trainer.task().text, trainer.test_examples());
    for (int epoch = 0; epoch < 40; ++epoch) trainer.run_epoch();
    auto bundle = std::make_shared<ModelBundle>();
    bundle->model = trainer.shared_model();
    bundle->text = trainer.task().text;
    bundle->task = "text";
    const TestData data = test_data(*bundle, {"", {(folder / "t.txt").string()}});
    const auto quality = text_quality(*bundle, data, {});
    QVERIFY(quality && before > 5 && quality->perplexity < 1.6 && quality->counted.size() == 6);
    QVERIFY(std::abs(quality->perplexity -
                     perplexity_per_character(trainer.model(), trainer.task().text, trainer.test_examples())) < 1e-6);
    Request request;
    request.model = bundle;
    request.source = "the t";
    QVERIFY2(run(request).output.starts_with("ide. the tide. "), run(request).output.c_str());
  }
};

HEADLIGHT_TEST(TestTextTask)

}  // namespace headlight::test_text_task

#include "test_text_task.moc"
