// The window with models that read two texts as one, and with what a model says of a text as a whole.

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <cmath>
#include <functional>

#include "app/document/model_list.h"
#include "app/text/output_column.h"
#include "app/text/pair_row.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "tests/app/fixture.h"
#include "tests/app/window_with_models.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/tokens/token_strip.h"

namespace headlight::test_pairs_window {

using testing::opens;
using testing::window_with_a_run;

namespace {

QString data(const char* name) { return QStringLiteral(HEADLIGHT_TEST_DATA) + QLatin1Char('/') + QLatin1String(name); }
QString family(const char* name) {
  return QString::fromStdString((testing::made_elsewhere() / "families" / name).string());
}

}  // namespace

class TestPairsWindow : public QObject {
  Q_OBJECT

  QTemporaryDir models_;

  // The run of what the document says now.
  static bool runs_again(MainWindow& window, const std::function<void()>& change) {
    change();
    return QTest::qWaitFor(
        [&] { return window.result()->inputs() == window.session().document().inputs() && !window.worker().busy(); },
        20000);
  }
  QString bert() {
    const QString folder = models_.filePath("my-bert");
    QDir().mkpath(folder);
    for (const char* name : {"families/bert-mlm/config.json", "families/bert-mlm/model.safetensors",
                             "tokenizers/bert-uncased/tokenizer.json"})
      QFile::copy(data(name), folder + '/' + QFileInfo(name).fileName());
    return folder;
  }

 private slots:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("HeadlightTest");
    QCoreApplication::setApplicationName("HeadlightTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, models_.path());
    qputenv("HEADLIGHT_MODELS", models_.path().toUtf8());
    small_model_folder(models_);
  }

  void a_second_sentence_is_read_while_it_is_typed() {
    const auto window = window_with_a_run(models_);
    PairRow* pair = window->views().source_bar()->pair();
    QVERIFY(!pair->second_field()->isVisible());  // of a model that reads one text
    QVERIFY(opens(*window, bert()));
    QVERIFY(pair->second_field()->isVisible());
    QVERIFY(!pair->types_field()->isVisible());
    const std::size_t alone = window->result()->tokens.size();
    pair->second_field()->setFocus();
    QVERIFY(runs_again(*window, [&] { QTest::keyClicks(pair->second_field(), "at last"); }));
    QCOMPARE(window->session().document().second, std::string("at last"));
    const Result& result = *window->result();
    QVERIFY(result.tokens.size() > alone + 2);
    QCOMPARE(result.tokens.back().sentence, 1);
    QCOMPARE(result.tokens.back().type, 1);
    QCOMPARE(result.tokens.front().type, 0);
    // Each token says of which sentence it is.
    const int last = static_cast<int>(result.tokens.size()) - 1;
    QVERIFY(window->views().tokens()->token_tooltip(last).contains("Of sentence 2: its kind is 1."));
    QVERIFY(window->views().tokens()->token_tooltip(0).contains("Of sentence 1: its kind is 0."));
    // A word at a time is taken back; the text of the first sentence stays.
    const std::string first = window->session().document().source;
    window->session().undo_stack().undo();
    QCOMPARE(window->session().document().second, std::string("at"));
    QCOMPARE(pair->second_field()->text(), QString("at"));
    window->session().undo_stack().undo();
    QCOMPARE(window->session().document().second, std::string());
    QCOMPARE(window->session().document().source, first);
    // A pasted text of several lines is one line.
    QVERIFY(runs_again(*window, [&] { window->session().set_second("one\ntwo"); }));
    QCOMPARE(pair->second_field()->text(), QString("one two"));
    // A model of one text drops it.
    QVERIFY(opens(*window, models_.filePath("attn_seq2seq")));
    QCOMPARE(window->session().document().second, std::string());
    QVERIFY(!pair->second_field()->isVisible());
  }

  void kinds_of_sentences_are_typed_and_taken_back() {
    const auto window = window_with_a_run(models_);
    QVERIFY(opens(*window, bert()));
    QVERIFY(runs_again(*window, [&] { window->session().set_source("she has it"); }));
    PairRow* pair = window->views().source_bar()->pair();
    QVERIFY(pair->types_action()->isVisible());
    pair->types_action()->trigger();
    QVERIFY(pair->types_field()->isVisible());
    QStringList zeros;
    for (std::size_t i = 0; i < window->result()->tokens.size(); ++i) zeros << "0";
    QCOMPARE(pair->types_field()->text(), zeros.join(' '));
    const Tensor before = window->result()->trace->value("encoder.embed.type");
    QVERIFY(runs_again(*window, [&] {
      pair->types_field()->selectAll();
      QTest::keyClicks(pair->types_field(), "0 1 1");
    }));
    QVERIFY(window->session().document().type_ids == (std::vector<TokenId>{0, 1, 1}));
    QCOMPARE(window->result()->tokens[2].type, 1);
    const Tensor after = window->result()->trace->value("encoder.embed.type");
    QVERIFY(before[0] == after[0] && before[before.columns()] != after[after.columns()]);
    // What is no number changes nothing.
    const auto kept = window->session().document().type_ids;
    QTest::keyClicks(pair->types_field(), "x");
    QVERIFY(window->session().document().type_ids == kept);
    window->session().undo_stack().undo();
    QVERIFY(window->session().document().type_ids.empty());
  }

  void a_session_keeps_both() {
    const auto window = window_with_a_run(models_);
    QVERIFY(opens(*window, bert()));
    QVERIFY(runs_again(*window, [&] {
      window->session().set_second("und zwei");
      window->session().set_type_ids({0, 1});
    }));
    const SessionState state = window->session_state();
    const SessionState read = read_session(write_session(state, "/tmp/a.headlight"), "/tmp/a.headlight");
    QCOMPARE(read.second, std::string("und zwei"));
    QVERIFY(read.type_ids == (std::vector<TokenId>{0, 1}));
    QVERIFY(read.inputs() == state.inputs());
    // One that was written before there were pairs has none.
    QByteArray old = write_session(state, "/tmp/a.headlight");
    for (const char* key : {"\"second\"", "\"type_ids\""}) old.replace(key, QByteArray(key).insert(1, "not_"));
    QVERIFY(read_session(old, "/tmp/a.headlight").second.empty());
    QByteArray wrong = write_session(state, "/tmp/a.headlight");
    wrong.replace("und zwei", "und drei");
    QCOMPARE(read_session(wrong, "/tmp/a.headlight").second, std::string("und drei"));
  }

  void the_inspector_names_the_tensor_of_the_file() {
    const auto window = window_with_a_run(models_);
    QVERIFY(opens(*window, bert()));
    InspectorView* inspector = window->views().inspector();
    window->panels().raise("inspector");
    const int entry = window->result()->trace->find("encoder.layer[0].self_attn.head.q");
    QVERIFY(entry >= 0);
    inspector->open(entry, 0);
    const auto* said = inspector->findChild<QLabel*>("in_file");
    QVERIFY2(said->accessibleName().contains("bert.encoder.layer.0.attention.self.query.weight.T, as W_q of layer 1"),
             qPrintable(said->accessibleName()));
    // Models of ours have no other names.
    QVERIFY(opens(*window, models_.filePath("attn_seq2seq")));
    inspector->open(0, 0);
    QVERIFY(said->accessibleName().isEmpty());
  }

  void a_bare_encoder_shows_its_vector_and_compare_the_cosine() {
    SKIP_WITHOUT_MATERIAL();
    const auto window = window_with_a_run(models_);
    QVERIFY(opens(*window, family("bert-bare")));
    QVERIFY2(window->views().source_bar()->output().contains("32 numbers"),
             qPrintable(window->views().source_bar()->output()));
    QVERIFY(window->views().column()->accessibleDescription().startsWith("Pooled vector: 32 numbers, norm "));
    window->panels().raise("compare");
    CompareView* compare = window->views().compare();
    compare->set_reference_text(QString::fromStdString(window->session().document().source));
    QTRY_VERIFY_WITH_TIMEOUT(compare->status().contains("Cosine of the two runs: 1.0000"), 20000);
    compare->set_reference_text("she read it.");
    QTRY_VERIFY_WITH_TIMEOUT(compare->shown_reference() && compare->shown_reference()->source == "she read it.", 20000);
    const Tensor &a = compare->shown_reference()->vectors.at(0).value, &b = window->result()->vectors.at(0).value;
    double ab = 0, aa = 0, bb = 0;
    for (Index i = 0; i < a.size(); ++i) {
      ab += static_cast<double>(a[i]) * static_cast<double>(b[i]);
      aa += static_cast<double>(a[i]) * static_cast<double>(a[i]);
      bb += static_cast<double>(b[i]) * static_cast<double>(b[i]);
    }
    QVERIFY2(compare->status().contains(QString::number(ab / std::sqrt(aa * bb), 'f', 4)),
             qPrintable(compare->status()));
  }

  void the_second_run_of_compare_has_the_same_second_sentence() {
    const auto window = window_with_a_run(models_);
    QVERIFY(opens(*window, bert()));
    QVERIFY(runs_again(*window, [&] { window->session().set_second("at last"); }));
    window->panels().raise("compare");
    CompareView* compare = window->views().compare();
    compare->set_reference_text("she read it.");
    QTRY_VERIFY_WITH_TIMEOUT(compare->shown_reference() && compare->shown_reference()->source == "she read it.", 20000);
    QCOMPARE(compare->shown_reference()->second, std::string("at last"));
  }

  void an_answer_is_shown_in_the_text() {
    SKIP_WITHOUT_MATERIAL();
    const auto window = window_with_a_run(models_);
    QVERIFY(opens(*window, family("distilbert-answers")));
    QVERIFY(window->views().source_bar()->pair()->second_field()->isVisible());
    // Any texts until there is an answer: the weights are random.
    const char* texts[] = {"the first word", "it needs to look", "a whole sentence, where?", "the model reads"};
    for (const char* text : texts) {
      QVERIFY(runs_again(*window, [&] { window->session().set_source(text); }));
      if (answer_tokens(*window->result())) break;
    }
    const auto span = answer_tokens(*window->result());
    if (!span) return;
    QCOMPARE(window->views().source_bar()->output(), QString::fromStdString(window->result()->output));
    QVERIFY(window->views().tokens()->token_tooltip(span->first).contains("The answer that the model has found."));
  }
};

HEADLIGHT_WIDGET_TEST(TestPairsWindow)

}  // namespace headlight::test_pairs_window

#include "test_pairs_window.moc"
