// What people really paste, and worse, into every field of the window, on every kind of model, and drawn by every view.

#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include "app/appearance.h"
#include "app/document/model_hash.h"
#include "app/document/recent.h"
#include "app/jobs/session_opener.h"
#include "app/language.h"
#include "app/panels/message_banner.h"
#include "app/stage/view_table.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/app/fixture.h"
#include "tests/odd_texts.h"
#include "tests/test_program.h"
#include "widgets/base/utf8_text.h"

namespace headlight::test_odd_texts {

using testing::odd_texts;
using testing::OddText;

namespace {

QString all_odd_texts() {
  QString all;
  for (const OddText& odd : odd_texts()) all += odd.text.left(200) + ' ';
  return all;
}

// A small model with random weights that reads and writes odd tokens, and is called by them.
std::shared_ptr<const ModelBundle> odd_model() {
  std::vector<std::string> tokens;
  const auto add = [&](const QString& text) {
    const std::string token = whole_characters(text).toStdString();
    if (std::find(tokens.begin(), tokens.end(), token) == tokens.end()) tokens.push_back(token);
  };
  for (const OddText& odd : odd_texts()) add(odd.text);
  for (const uint c : testing::one_of_every_category().toUcs4())
    add(QString::fromUcs4(reinterpret_cast<const char32_t*>(&c), 1));
  auto bundle = std::make_shared<ModelBundle>();
  bundle->name = bundle->title = bundle->description = whole_characters(all_odd_texts()).toStdString();
  bundle->examples = tokens;
  bundle->text = rules_with_end(TokenizerKind::characters, tokens, tokens);
  bundle->text.target_length = 12;
  const auto size = static_cast<int>(bundle->source_vocabulary().size());
  bundle->model = make_model({{"model_type", "attn_seq2seq"},
                              {"source_vocabulary_size", size},
                              {"target_vocabulary_size", size},
                              {"hidden_size", 8}},
                             7);
  return bundle;
}

}  // namespace

class TestOddTexts : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<MainWindow> window_;

  QByteArray test_;  // that the window was made for: its rows share it

  void open(const std::function<std::shared_ptr<const ModelBundle>()>& model, const QString& source) {
    if (std::exchange(test_, QTest::currentTestFunction()) == QTest::currentTestFunction()) return;
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = model();
    document.source = source.toStdString();
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 60000);
    QCoreApplication::processEvents();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->side_runs().busy(), 200000);
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();  // layouts and paints
  }
  template <class Field>
  static void paste(Field* field, const QString& text) {
    field->selectAll();
    field->insert(text);
  }
  SourceField* source() { return window_->views().source_bar()->source_field(); }

 private slots:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
    load_resources();
  }
  void cleanupTestCase() { window_.reset(); }

  void every_kind_of_model_reads_every_text_data() {
    QTest::addColumn<QString>("model");
    for (const char* model : {"date-attention", "date-peeky", "copy-transformer", "copy-ntm", "masked-bert",
                              "story-gpt", "grammar-bahdanau", "toy-mt-local", "toy-mt-convs2s", "glimpse-hard"})
      QTest::newRow(model) << QString(model);
  }
  void every_kind_of_model_reads_every_text() {
    QFETCH(QString, model);
    test_.clear();
    open([&] { return load_model(model.toStdString()); }, "5/5/99");
    for (const QString& text : {QStringLiteral("\ufeff5/5/99"), QStringLiteral("\ufeff"), all_odd_texts()}) {
      paste(source(), text);
      settle();
      QVERIFY(!window_->grab().isNull());
      // Nothing of the text is lost on the way, but what no text can hold.
      const QString read = single_line(text);
      QCOMPARE(from_utf8(window_->session().document().source), read);
      QCOMPARE(source()->text(), read);
      if (window_->views().banner()->message().isEmpty()) QCOMPARE(from_utf8(window_->result()->source), read);
    }
  }

  void every_field_takes_every_text_data() {
    QTest::addColumn<QString>("text");
    for (const OddText& odd : odd_texts()) QTest::newRow(odd.name) << odd.text;
  }
  void every_field_takes_every_text() {
    QFETCH(QString, text);
    open([] { return load_model("date-attention"); }, "5/5/99");
    for (const char* panel : {"compare", "steps", "inspector"}) window_->panels().raise(panel);
    const QList<QLineEdit*> fields = window_->findChildren<QLineEdit*>();
    QVERIFY(fields.size() >= 5);  // forced output, search, value, text and subject to compare, numbers
    paste(source(), text);
    QTest::keyClick(source(), Qt::Key_Return);
    settle();
    QVERIFY(!window_->grab().isNull());
    for (QLineEdit* field : fields) {
      paste(field, text);
      QTest::keyClick(field, Qt::Key_Return);
      settle();
      QVERIFY(!window_->grab().isNull());
    }
  }

  // On screen, and as files that other programs can read.
  void every_view_draws_odd_tokens_data() {
    QTest::addColumn<QString>("view");
    for (const ViewRow& row : view_table()) QTest::newRow(row.name) << QString(row.name);
    for (const ViewRow& row : number_panels()) QTest::newRow(row.name) << QString(row.name);
  }
  void every_view_draws_odd_tokens() {
    QFETCH(QString, view);
    open(odd_model, QStringLiteral("\ufeff<b>"));
    DecodeSettings beams;
    beams.kind = DecodeSettings::Kind::beam;
    window_->session().set_decoding(beams, 1);
    settle();
    paste(source(), all_odd_texts().left(60));
    settle();
    if (!window_->panels().raise(view)) return;  // not of this model
    settle();
    const WindowPanels::Picture picture = window_->panels().picture(view);
    QVERIFY(!picture.view->grab().isNull());
    const QString path = folder_.filePath("view.svg");
    try {
      picture.write(path);
    } catch (const UsageError&) {  // it says that it has nothing to draw
      return;
    }
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    while (!xml.atEnd()) xml.readNext();
    QVERIFY2(!xml.hasError(), qPrintable(QStringLiteral("line %1: %2").arg(xml.lineNumber()).arg(xml.errorString())));
  }

  void files_of_any_name_are_opened_again() {
    open([] { return load_model("date-attention"); }, "5/5/99");
    SessionState state = window_->session_state();
    std::vector<QString> names = {path_text("s\xe9\xff\xed\xa0\x80")};
    for (const OddText& odd : odd_texts()) names.push_back(odd.text.left(50).remove('/').remove(QChar(0)));
    for (const QString& name : names) {
      const std::filesystem::path file =
          folder_.path().toStdString() / std::filesystem::path(bytes_of(name + ".headlight"));
      state.source = whole_characters(name).toStdString();
      save_session(state, path_text(file));
      QVERIFY2(std::filesystem::exists(file), file.c_str());
      QCOMPARE(open_session(path_text(file)).state.source, state.source);
      RecentFiles recent;
      recent.add({UserSettings::Recent::Kind::session, path_text(file), name});
      QCOMPARE(recent.existing().first().path, path_text(file));
    }
    const std::filesystem::path model = folder_.path().toStdString() / std::filesystem::path("m\xe9");
    save_model(model, *small_model(), "", StorageType::f32);
    window_->open_model(path_text(model));
    QTRY_VERIFY_WITH_TIMEOUT(window_->session().document().model->folder == model, 30000);
    QCOMPARE(model_hash(path_text(model)).size(), 32);
  }

  void what_is_typed_is_kept_in_a_session() {
    open([] { return load_model("date-attention"); }, "5/5/99");
    for (const OddText& odd : odd_texts()) {
      window_->session().set_source(odd.text);
      const QString path = folder_.filePath(QStringLiteral("\ufeffa\u202eb\u0301 %1.headlight"));
      const SessionState state = read_session(write_session(window_->session_state(), path), path);
      QCOMPARE(from_utf8(state.source), single_line(odd.text));
    }
  }
};

HEADLIGHT_WIDGET_TEST(TestOddTexts)

}  // namespace headlight::test_odd_texts

#include "test_odd_texts.moc"
