// The page of our sentences: typed, pasted and made lines with their reasons, undo, the probe, what is kept.

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "app/lab/data/needed_bars.h"
#include "app/lab/data/sentences_file.h"
#include "app/lab/data/sentences_model.h"
#include "app/lab/data/sentences_page.h"
#include "model/core/errors.h"
#include "model/training/tasks/own/word_bank.h"
#include "tests/test_program.h"

namespace headlight::test_sentences_page {

class TestSentencesPage : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> folder_;
  std::unique_ptr<SentencesPage> page_;

  template <class Widget>
  Widget* part(const char* name) const {
    return page_->findChild<Widget*>(QString::fromUtf8(name));
  }
  SentencesModel& model() const { return *page_->model(); }
  QTableView* table() const { return part<QTableView>("sentences"); }
  void type(const char* source, const char* target) const {
    auto* field = part<QLineEdit>("sentence_source");
    field->setFocus();
    QTest::keyClicks(field, source);
    QTest::keyClick(field, Qt::Key_Return);
    if (!*target) return;
    QTest::keyClicks(part<QLineEdit>("sentence_target"), target);
    QTest::keyClick(part<QLineEdit>("sentence_target"), Qt::Key_Return);
  }
  void open() {
    page_ = std::make_unique<SentencesPage>(folder_->path());
    page_->resize(1280, 740);
    page_->show();
    QVERIFY(QTest::qWaitForWindowExposed(page_.get()));
  }

 private slots:
  void init() {
    folder_ = std::make_unique<QTemporaryDir>();
    open();
  }
  void cleanup() {
    page_.reset();
    folder_.reset();
  }

  void lines_are_typed_and_the_second_of_two_says_so() {
    type("anna sees the red horse", "anna sieht das rote pferd");
    QCOMPARE(model().rowCount(), 1);
    QCOMPARE(part<QLineEdit>("sentence_source")->text(), QString());
    QVERIFY(part<QLineEdit>("sentence_source")->hasFocus());  // one goes on
    type("Anna sees the red horse = anna sieht das rote pferd", "");
    QCOMPARE(model().rowCount(), 2);
    QCOMPARE(model().reason(1), QString("stands in line 1 already; used once"));
    QCOMPARE(model().list().used(), std::size_t{1});
    QVERIFY(table()->rowHeight(1) > QFontMetrics(table()->font()).height() * 2);
    QVERIFY(model().index(1, SentencesModel::source).data(Qt::AccessibleTextRole).toString().contains("line 1"));

    // Del in the list, Ctrl+Z brings it back, also from the empty field.
    table()->setFocus();
    table()->setCurrentIndex(model().index(0, SentencesModel::source));
    QTest::keyClick(table(), Qt::Key_Delete);
    QCOMPARE(model().rowCount(), 1);
    QCOMPARE(model().list().verdict(0).status, SentenceStatus::lone_words);
    QTest::keyClick(table(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(model().rowCount(), 2);
    part<QLineEdit>("sentence_source")->setFocus();
    QTest::keyClick(part<QLineEdit>("sentence_source"), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(model().rowCount(), 1);

    // What is changed in place is judged anew.
    QVERIFY(model().setData(model().index(0, SentencesModel::target), QString(), Qt::EditRole));
    QCOMPARE(model().reason(0), QString("no German; not used"));
    model().undo()->undo();
    QCOMPARE(model().index(0, SentencesModel::target).data().toString(), QString("anna sieht das rote pferd"));
  }

  void dirty_text_is_pasted() {
    QApplication::clipboard()->setText(
        "anna sees tom\tanna sieht tom\n\ntom sees anna\ntom sees anna\ttom sieht anna\n");
    part<QPushButton>("sentences_paste")->click();
    QCOMPARE(model().rowCount(), 3);
    QCOMPARE(model().list().used(), std::size_t{2});
    QCOMPARE(part<QLabel>("sentences_said")->text(),
             QString("3 lines from the clipboard. One is not used: line 3: no German; not used."));
    // In the field, too: several lines are no sentence.
    auto* field = part<QLineEdit>("sentence_source");
    field->setFocus();
    QTest::keyClick(field, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(model().rowCount(), 6);
    QCOMPARE(field->text(), QString());
    model().undo()->undo();
    QCOMPARE(model().rowCount(), 3);
    // What is no text of lines changes nothing and says why.
    page_->add_text(QByteArray("\xff\xfe"
                               "a\0",
                               4),
                    false, "t.tsv");
    QCOMPARE(model().rowCount(), 3);
    QVERIFY(part<QLabel>("sentences_said")->text().contains("UTF-16"));
  }

  void twenty_more_are_made() {
    auto* train = part<QPushButton>("sentences_train");
    QVERIFY(!train->isEnabled());
    part<QPushButton>("word_bank_make")->click();
    QCOMPARE(model().rowCount(), 20);
    QCOMPARE(model().list().used(), std::size_t{20});
    for (int row = 0; row < 20; ++row)
      QCOMPARE(model().index(row, SentencesModel::made).data().toString(), QString("made"));
    QVERIFY(train->isEnabled());
    // Only with the words that take part.
    page_->findChild<QAbstractButton*>("word_yesterday")->click();
    page_->findChild<QAbstractButton*>("word_today")->click();
    part<QPushButton>("word_bank_make")->click();
    QCOMPARE(model().rowCount(), 40);
    for (int row = 20; row < 40; ++row) {
      const QString source = model().index(row, SentencesModel::source).data().toString();
      QVERIFY2(!source.startsWith("yesterday") && !source.startsWith("today"), qPrintable(source));
    }
    page_->findChild<QAbstractButton*>(QString::fromUtf8("word_–"))->click();
    QVERIFY(!part<QPushButton>("word_bank_make")->isEnabled());
    model().undo()->undo();
    QCOMPARE(model().rowCount(), 20);
  }

  void a_line_is_kept_out_and_the_training_gets_the_rest() {
    part<QPushButton>("word_bank_make")->click();
    part<QPushButton>("word_bank_make")->click();
    table()->setCurrentIndex(model().index(3, SentencesModel::source));
    const QString source = model().index(3, SentencesModel::source).data().toString();
    part<QPushButton>("sentences_keep_out")->click();
    QCOMPARE(model().reason(3), QString("the probe: kept out of the training"));
    QCOMPARE(QString::fromStdString(page_->probe().source), source);
    QVERIFY(!page_->probe().alignment.empty());
    QSignalSpy spy(page_.get(), &SentencesPage::trainWanted);
    part<QPushButton>("sentences_train")->click();
    QCOMPARE(spy.count(), 1);
    const auto pairs = spy[0][0].value<FileOptions>();
    QCOMPARE(std::count(pairs.text.begin(), pairs.text.end(), '\n'), 40);
    QVERIFY(!pairs.links(page_->probe().source, page_->probe().target).empty());
    page_->set_busy("A training runs.");
    QVERIFY(!part<QPushButton>("sentences_train")->isEnabled());
    page_->set_busy({});
    part<QPushButton>("sentences_keep_out")->click();
    QCOMPARE(model().reason(3), QString());
    model().undo()->undo();
    QCOMPARE(model().list().used(), std::size_t{39});
  }

  void what_is_needed_is_asked_for_and_shown() {
    QSignalSpy spy(page_.get(), &SentencesPage::neededWanted);
    part<QPushButton>("needed_measure")->click();
    QCOMPARE(spy.count(), 1);
    // An empty list is filled up from the bank: 600 lines, of which 540 are trained on at most.
    const auto pairs = spy[0][0].value<FileOptions>();
    QCOMPARE(std::count(pairs.text.begin(), pairs.text.end(), '\n'), 600);
    QCOMPARE(spy[0][1].value<std::vector<int>>(), (std::vector<int>{60, 120, 240, 480}));
    page_->set_measuring("60 sentences…");
    QSignalSpy stopped(page_.get(), &SentencesPage::stopMeasuringWanted);
    part<QPushButton>("needed_measure")->click();
    QCOMPARE(stopped.count(), 1);
    page_->set_needed({{60, 0.53}, {120, 0.92}});
    QCOMPARE(part<NeededBars>("needed")->accessibleName(),
             QString("60 sentences: 53 % right; 120 sentences: 92 % right"));
  }

  void the_list_is_there_again_and_forgotten_when_asked() {
    type("anna sees tom", "anna sieht tom");
    type("tom sees anna", "tom sieht anna");
    page_->set_probe("tom sees anna", "tom sieht anna");
    page_.reset();
    open();
    QCOMPARE(model().rowCount(), 2);
    QCOMPARE(model().reason(1), QString("the probe: kept out of the training"));
    QVERIFY(!model().undo()->canUndo());
    // A second window has a list of its own.
    SentencesPage other(folder_->path());
    QCOMPARE(other.model()->rowCount(), 0);

    QSignalSpy spy(page_.get(), &SentencesPage::forgetWanted);
    part<QPushButton>("sentences_forget")->click();
    QCOMPARE(model().rowCount(), 2);  // it asks
    part<QPushButton>("sentences_forget_no")->click();
    QCOMPARE(spy.count(), 0);
    part<QPushButton>("sentences_forget")->click();
    part<QPushButton>("sentences_forget_yes")->click();
    QCOMPARE(spy.count(), 1);
    QCOMPARE(model().rowCount(), 0);
    QVERIFY(page_->probe().source.empty());
    QVERIFY(!QFile::exists(folder_->filePath("our-sentences.json")));
    page_.reset();
    open();
    QCOMPARE(model().rowCount(), 0);
  }

  void what_is_kept_is_read_strictly() {
    const KeptSentences kept{{{"a", "b", true}, {"c", "", false}}, {"p", "q"}, "mine"};
    QVERIFY(parse_kept(kept_text(kept), "t") == kept);
    for (const char* broken : {"{}", "[", R"({"version": 2, "lines": [], "probe": ["", ""], "bank": ""})",
                               R"({"version": 1, "lines": [["a"]], "probe": ["", ""], "bank": ""})"})
      QVERIFY_EXCEPTION_THROWN(parse_kept(broken, "t"), FormatError);
  }

  void ten_thousand_lines_come_in_off_the_thread_of_the_window() {
    QByteArray text;
    for (int i = 0; i < 10'000; ++i)
      text += "w" + QByteArray::number(i % 50) + " n" + QByteArray::number(i) + "\tx y\n";
    page_->add_text(text, false, "large.tsv");
    QVERIFY(model().rowCount() < 10'000);
    QVERIFY(!part<QLineEdit>("sentence_source")->isEnabled());
    QTRY_COMPARE_WITH_TIMEOUT(model().rowCount(), 10'000, 60'000);
    QVERIFY(part<QLineEdit>("sentence_source")->isEnabled());
  }
};

HEADLIGHT_WIDGET_TEST(TestSentencesPage)

}  // namespace headlight::test_sentences_page

#include "test_sentences_page.moc"
