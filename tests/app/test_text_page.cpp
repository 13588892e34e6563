// The page of texts: which moments stand below each other, bars by hand, files that are dropped, and those that are no
// texts.

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>
#include <cmath>

#include "app/lab/text_page.h"
#include "app/lab/texts/text_picture.h"
#include "app/lab/texts/text_plan.h"
#include "app/lab/texts/text_reading.h"
#include "app/lab/texts/text_rows.h"
#include "app/lab/texts/text_side.h"
#include "app/lab/texts/text_writer.h"
#include "app/language.h"
#include "model/training/tasks/own/text_task.h"
#include "tests/test_program.h"

namespace headlight::test_text_page {

namespace {

// Moments after so many characters; what is written names them.
LabShown::Run recorded(const std::vector<Index>& reads, Index all) {
  auto run = std::make_shared<Recording>();
  run->settings.task = "text";
  run->title = "A harbour";
  run->reads = all;
  run->starts = {"the "};
  for (std::size_t k = 0; k < reads.size(); ++k) {
    auto moment = std::make_shared<Moment>();
    moment->update = static_cast<Index>(k);
    moment->read = reads[k];
    moment->perplexity = 20.0 / static_cast<double>(k + 1);
    moment->written = {"tide " + std::to_string(reads[k])};
    run->moments.push_back(moment);
  }
  run->whole = reads.back() == all;
  return run;
}

std::vector<int> moments(const std::vector<TextRow>& rows) {
  std::vector<int> all;
  for (const TextRow& row : rows) all.push_back(row.moment);
  return all;
}

int handle_row(const std::vector<TextRow>& rows) {
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows[row].handle) return static_cast<int>(row);
  return -1;
}

}  // namespace

class TestTextPage : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  QString file(const char* name, const QByteArray& content) const {
    const QString path = folder_.filePath(QString::fromUtf8(name));
    QFile made(path);
    if (made.open(QIODevice::WriteOnly)) made.write(content);
    return path;
  }
  static QByteArray tides(int times) {
    return QByteArray("the old maid waits for the tide. no ship came in.\n").repeated(times);
  }

  static void drop(QWidget& on, const QString& path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enters(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&on, &enters);
    QVERIFY(enters.isAccepted());
    QDropEvent drops(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&on, &drops);
  }

 private slots:
  void cleanup() { set_language(QStringLiteral("en")); }

  // 0, then all / 60 · 60^(k / 2): 100, 775, 6000 of 6000.
  void rows_are_denser_at_first() {
    QCOMPARE(row_reads(6000, 4), (std::vector<Index>{0, 100, 775, 6000}));
    const auto run = recorded({0, 50, 90, 700, 1000, 5000, 6000}, 6000);
    QCOMPARE(moments(text_rows(*run, 6, 4)), (std::vector<int>{0, 2, 3, 6}));
    QCOMPARE(handle_row(text_rows(*run, 6, 4)), 3);
    // The handle is in the row that it has come to, which shows its moment; the others stay.
    QCOMPARE(moments(text_rows(*run, 4, 4)), (std::vector<int>{0, 2, 3, 4}));
    QCOMPARE(handle_row(text_rows(*run, 1, 4)), 1);
    QCOMPARE(moments(text_rows(*run, 1, 4)), (std::vector<int>{0, 1, 3, 6}));
  }

  // While it trains, places are those of the whole training: the newest moment stands in the row that it is on its way
  // to.
  void a_training_that_runs_fills_its_rows() {
    const auto run = recorded({0, 50, 90, 300}, 6000);
    QCOMPARE(moments(text_rows(*run, 3, 4)), (std::vector<int>{0, 2, 3, -1}));
    QCOMPARE(handle_row(text_rows(*run, 3, 4)), 2);
  }

  void bars_stand_in_order_and_are_as_long_as_logarithms() {
    const std::vector<NgramPerplexity> counted = {{1, 16}, {2, 4}, {3, 2}};
    const std::vector<TextBar> bars = text_bars(counted, 2);
    QCOMPARE(bars.size(), std::size_t{4});
    QCOMPARE(bars[0].order, 1);
    QCOMPARE(bars[3].order, 0);
    // The longest but letters alone is that of pairs: ln 4 of ln 4 / .9.
    QVERIFY(std::abs(full_bar(bars) - std::log(4) / 0.9) < 1e-12);
    TextPicture picture;
    picture.resize(600, 500);
    TextPicture::Shown shown;
    shown.title = QStringLiteral("A harbour");
    shown.run = recorded({0, 6000}, 6000);
    shown.handle = 1;
    shown.counted = counted;
    picture.show_text(shown);
    QVERIFY(picture.is_cut(0) && !picture.is_cut(1));
    QVERIFY(std::abs(picture.bar_rect(1).width() / picture.bar_rect(2).width() - 2) < 1e-9);
    QCOMPARE(picture.bars().back().perplexity, 10.0);
    QCOMPARE(TextPicture::bar_name(bars[1]), QStringLiteral("pairs"));
    // The table has rows and bars.
    QCOMPARE(picture.table()->rowCount(), static_cast<int>(picture.rows().size()) + 4);
  }

  void counting_as_well_is_within_a_tenth() {
    const auto found = [](double counted, double model) {
      return counting_beside(text_bars({{1, 16}, {6, counted}}, model));
    };
    QVERIFY(found(1.20, 1.22).how == Counting::as_well && found(1.20, 1.22).by_heart);
    QCOMPARE(found(1.20, 1.22).order, 6);
    QVERIFY(found(3.0, 3.1).how == Counting::as_well && !found(3.0, 3.1).by_heart);
    QVERIFY(found(1.20, 1.40).how == Counting::better);
    QVERIFY(found(1.40, 1.20).how == Counting::worse);
    QVERIFY(counting_beside(text_bars({{1, 16}}, kNotMeasured)).how == Counting::unknown);
  }

  void a_row_brings_the_handle_there() {
    LabShown shown;
    TextPage page(&shown);
    page.resize(1000, 700);
    page.show();
    shown.show({recorded({0, 50, 90, 700, 1000, 5000, 6000}, 6000), recorded({0, 100, 6000}, 6000)});
    QCOMPARE(page.side(0)->moment(), 6);
    QVERIFY(page.side(0)->sample().endsWith(QStringLiteral("the tide 6000")));
    TextPicture* picture = page.side(0)->picture();
    QTest::keyClick(picture, Qt::Key_Home, Qt::ControlModifier);
    QCOMPARE(shown.moment(0), 0);
    QCOMPARE(shown.moment(1), 0);
    QCOMPARE(handle_row(picture->rows()), 0);
    QVERIFY(page.side(1)->sample().endsWith(QStringLiteral("the tide 0")));
    // Other dice: what was recorded is not theirs.
    QCOMPARE(QString::fromStdString(written_in(*shown.runs()[0], 0, {"the ", 2, 60})), QString());
    QVERIFY(page.figure().size.width() > 500);
  }

  void a_text_is_dropped_and_counted() {
    LabShown shown;
    TextPage page(&shown);
    page.show();
    drop(*page.side(1), file("harbour log.txt", tides(60)));
    QTRY_VERIFY_WITH_TIMEOUT(page.side(1)->has_text(), 30000);
    QCOMPARE(page.side(1)->title(), QStringLiteral("harbour log"));
    QCOMPARE(page.side(1)->text().characters, Index{60 * 50});
    // t h e space o l d m a i w s f r . n p c, and the end of a line.
    QCOMPARE(page.side(1)->text().different, Index{19});
    QCOMPARE(page.side(1)->text().counted.size(), std::size_t{6});
    QVERIFY(!page.side(0)->has_text());
    QVERIFY(page.data().put != nullptr);

    // What is no text is said on that side; the text before stays.
    drop(*page.side(1), file("broken.txt", tides(30) + "a\nb \xC3( c\n" + tides(30)));
    QTRY_VERIFY_WITH_TIMEOUT(!page.side(1)->problem().isEmpty(), 30000);
    QCOMPARE(page.side(1)->problem(),
             QStringLiteral("Line 32 of broken.txt is not UTF-8: save the file in that encoding."));
    QCOMPARE(page.side(1)->title(), QStringLiteral("harbour log"));
    QVERIFY(page.side(0)->problem().isEmpty());
  }

  void what_is_no_text_is_said_with_its_line() {
    const QString name = QStringLiteral("x.txt");
    QVERIFY(problem_of_text(" \n", name).contains(QStringLiteral("is empty")));
    QVERIFY(problem_of_text(std::string("one\ntwo\0three", 13), name).startsWith(QStringLiteral("Line 2 of x.txt")));
    QVERIFY(problem_of_text("\xff\xfe"
                            "a",
                            name)
                .contains(QStringLiteral("UTF-16")));
    QVERIFY(problem_of_text("short", name).contains(QStringLiteral("at least 1000")));
    QVERIFY(problem_of_text(std::string(kMostTextBytes + 1, 'a'), name).contains(QStringLiteral("larger than")));
    QCOMPARE(problem_of_text(tides(60).toStdString(), name), QString());
    set_language(QStringLiteral("zh_CN"));
    QVERIFY(!problem_of_text(" \n", name).contains(QStringLiteral("empty")));
  }

  // 0.9 · 3000 characters an epoch: 460000 / 2700 is more than the most; of a long text it is one.
  void short_texts_are_read_more_often() {
    QCOMPARE(text_settings({}, QStringLiteral("a.txt"), 30'000).epochs, 17);
    QCOMPARE(text_settings({}, QStringLiteral("a.txt"), 10'000'000).epochs, 1);
    TextPlan plan;
    plan.recurrent = true;
    QCOMPARE(text_settings(plan, QStringLiteral("a.txt"), 30'000).architecture, std::string("recurrent_lm"));
  }
};

HEADLIGHT_WIDGET_TEST(TestTextPage)

}  // namespace headlight::test_text_page

#include "test_text_page.moc"
