// What the window says about what models have learned: the same for a list, for the page of the start and below a
// picture; and what becomes of a text that is none for another model.

#include <QLineEdit>
#include <QTest>
#include <QToolButton>

#include "app/document/learned_texts.h"
#include "app/language.h"
#include "app/panels/message_banner.h"
#include "app/text/model_picker.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/text/explanation_text.h"

namespace headlight::test_learned_texts {

class TestLearnedTexts : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  static std::shared_ptr<const ModelBundle> described(const char* name) {
    for (const std::filesystem::path& folder : bundled_models())
      if (folder.filename() == name) return describe_model(folder).bundle;
    return nullptr;
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  void open(const char* model, const char* text) {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = load_model(model);
    document.source = text;
    window_->resize(1280, 800);
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
  }
  void change_to(const char* model) {
    window_->open_model(model);
    QTRY_COMPARE(QString::fromStdString(window_->session().document().model->name), QString(model));
    settle();
  }
  QString message() { return window_->views().banner()->message(); }

 private slots:
  void initTestCase() { load_resources(); }
  void cleanup() {
    window_.reset();
    set_language("en");
  }

  void a_model_says_what_it_reads_data() {
    QTest::addColumn<QString>("reads");
    QTest::addColumn<QString>("learned");
    QTest::newRow("date-attention") << "a date, 1950 to 2049"
                                    << "Dates from 1950 to 2049, in 14 forms.";
    QTest::newRow("addition-attention") << "a sum of two numbers"
                                        << "Sums of two numbers of up to 3 digits.";
    QTest::newRow("copy-transformer") << "up to 10 digits"
                                      << "Rows of up to 10 digits.";
    QTest::newRow("copy-ntm") << "up to 20 letters and digits"
                              << "Up to 20 letters, digits, spaces and full stops.";
    // the, a, not; 8 beings; 10 things of one word, of which 'apple tree' has none of its own; 10 adjectives; 8 verbs;
    // 3 sayings; 3 links; 4 adverbs.
    QTest::newRow("toy-mt-luong") << "English, from 49 words"
                                  << "English sentences of up to 23 words and signs, made of 49 words.";
  }
  void a_model_says_what_it_reads() {
    QFETCH(QString, reads);
    QFETCH(QString, learned);
    const auto model = described(QTest::currentDataTag());
    QVERIFY(model);
    QCOMPARE(reads_text(*model), reads);
    QCOMPARE(learned_text(*model), learned);
  }

  // Sites have English names; in another language their titles stand there. Nobody typed the padding.
  void places_of_numbers_are_words() {
    open("date-attention", "May 5, 2001");
    const auto place = [&](const char* site, Index index) {
      const Trace& trace = *window_->result()->trace;
      const int entry = trace.find(site);
      return short_place({Location::Kind::activation, entry, site, trace[entry].value.shape(), index}, trace,
                         trace_labels(*window_->result()));
    };
    QVERIFY(place("decoder.step[0].attention.scores", 0).startsWith("padding, place "));
    set_language("zh_CN");
    QCOMPARE(place("decoder.step[0].attention.scores", 28), QString::fromUtf8("M，第 1 位 · 注意力得分"));
    QCOMPARE(place("decoder.step[0].lstm.h", 4), QString::fromUtf8("第 1 步 · 隐藏状态，维 5"));
  }

  // No bundled model leaves it open, and no two tasks say the same; in both languages.
  void all_bundled_models_say_it() {
    for (const char* language : {"en", "zh_CN"}) {
      set_language(language);
      QHash<QString, std::string> said;
      for (const std::filesystem::path& folder : bundled_models()) {
        const ModelDescription each = describe_model(folder);
        QVERIFY2(learned_by(each.bundle->task).kind != Learned::Kind::unknown, folder.c_str());
        const QString text = learned_text(*each.bundle);
        QVERIFY(!text.isEmpty() && !reads_text(*each.bundle).isEmpty());
        if (language == std::string("zh_CN"))
          QVERIFY2(text.contains(QChar(u'的')) || text.contains(QChar(u'个')), qPrintable(text));
        // Digits are read by three tasks.
        if (learned_by(each.bundle->task).kind == Learned::Kind::digits) continue;
        if (said.contains(text)) QCOMPARE(said[text], each.bundle->task);
        said[text] = each.bundle->task;
      }
      QVERIFY(said.size() >= 8);
    }
  }

  // Its examples are what it has learned, as far as anybody can say.
  void no_example_is_a_misfit() {
    for (const std::filesystem::path& folder : bundled_models()) {
      const ModelDescription each = describe_model(folder);
      for (const std::string& example : each.bundle->examples)
        QVERIFY2(misfit_text(*each.bundle, example).isEmpty(), example.c_str());
    }
  }

  void words_are_words() {
    const QStringList words = known_words(*described("masked-bert"));
    QVERIFY(words.contains("cabinet") && words.contains("the"));
    for (const char* none : {"[MASK]", "<pad>", "<unk>", "."}) QVERIFY(!words.contains(none));
    QVERIFY(known_words(*described("date-attention")).isEmpty());
  }

  // A text of the person's that is none for the new model: an example, one line, and the way back.
  void another_model_offers_an_example() {
    open("date-attention", "March 3, 1999");
    change_to("copy-transformer");
    QCOMPARE(window_->session().document().source, std::string("31415926"));
    QVERIFY(message().startsWith("This model reads up to 10 digits."));
    auto* back = window_->views().banner()->findChildren<QToolButton*>().front();
    for (QToolButton* each : window_->views().banner()->findChildren<QToolButton*>())
      if (each->text() == "Back to my text") back = each;
    QVERIFY(back->isVisible());
    back->click();
    settle();
    QCOMPARE(window_->session().document().source, std::string("March 3, 1999"));
    QCOMPARE(QString::fromStdString(window_->session().document().model->name), QString("copy-transformer"));
    QVERIFY(message().isEmpty());
    // And what is odd about it now is said below the picture.
    QVERIFY(!window_->status().notes().isEmpty());
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    settle();
    QVERIFY(!message().isEmpty());
    QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
    settle();
    QCOMPARE(window_->session().document().source, std::string("March 3, 1999"));
    QCOMPARE(QString::fromStdString(window_->session().document().model->name), QString("date-attention"));
    QVERIFY(message().isEmpty());
  }

  // Whoever types goes on with the example; nothing stands above the picture any more.
  void typing_puts_the_line_away() {
    open("date-attention", "March 3, 1999");
    change_to("reverse-transformer");
    QVERIFY(!message().isEmpty());
    window_->views().source_bar()->source_field()->selectAll();
    QTest::keyClicks(window_->views().source_bar()->source_field(), "7");
    settle();
    QVERIFY(message().isEmpty());
  }

  // While the list is open, models are only looked at: nothing moves above the picture.
  void looking_at_models_says_nothing_yet() {
    open("date-attention", "March 3, 1999");
    window_->views().source_bar()->open_picker();
    ModelPicker* picker = window_->views().source_bar()->picker();
    picker->filter()->setText("copying, one head");
    QVERIFY(!picker->shown().isEmpty());
    QTest::keyClick(picker->filter(), Qt::Key_Down);
    QTRY_VERIFY(window_->session().document().model->task == "copy");
    settle();
    QVERIFY(message().isEmpty());
    QTest::keyClick(picker->filter(), Qt::Key_Return);
    QTRY_VERIFY(!window_->session().is_looking());
    settle();
    QVERIFY(message().startsWith("This model reads up to 10 digits."));
  }
};

HEADLIGHT_WIDGET_TEST(TestLearnedTexts)

}  // namespace headlight::test_learned_texts

#include "test_learned_texts.moc"
