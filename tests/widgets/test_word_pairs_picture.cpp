// Which words made two texts similar, in Compare: against golden values of another program, and the sum itself.

#include <QTableView>
#include <QTest>
#include <cmath>

#include "model/decode/run.h"
#include "model/io/model_folder.h"
#include "model/io/npz.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"
#include "tests/widgets/image_test.h"
#include "widgets/base/selection.h"
#include "widgets/base/view_requests.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/compare/compare_view.h"
#include "widgets/views/compare/word_pairs_picture.h"

namespace headlight::test_word_pairs_picture {

namespace {

constexpr const char *kTired = "The animal did not cross the street because it was too tired.",
                     *kWide = "The animal did not cross the street because it was too wide.";

std::shared_ptr<const Result> read_by(const std::shared_ptr<const ModelBundle>& model, const char* text) {
  Request request;
  request.model = model;
  request.source = text;
  return std::make_shared<const Result>(run(request));
}

}  // namespace

class TestWordPairsPicture : public QObject {
  Q_OBJECT
  std::shared_ptr<const ModelBundle> model_;
  std::shared_ptr<const Result> tired_, wide_;

 private slots:
  void initTestCase() {
    SKIP_WITHOUT_MATERIAL();
    model_ = load_model((testing::made_elsewhere() / "minilm").string());
    tired_ = read_by(model_, kTired);
    wide_ = read_by(model_, kWide);
  }

  // sentence-transformers says .8363, and .0248 for both streets (analysis.md 11).
  void pairs_add_up_to_the_cosine() {
    WordPairsPicture picture;
    QVERIFY(picture.set_runs(*tired_, *wide_));
    const WordPairs& pairs = picture.compared()->pairs;
    QVERIFY(std::abs(pairs.cosine - 0.8363) < 5e-5);
    QVERIFY(std::abs(pairs.shares.sum() - pairs.cosine) < 1e-9);
    QVERIFY(std::abs(pairs.shares(7, 7) - 0.0248) < 5e-5);
    QVERIFY2(picture.summary().contains("0.8363"), qPrintable(picture.summary()));
    QCOMPARE(picture.heatmap()->rows(), 15);
    picture.choose(7, 7);
    QVERIFY2(picture.arithmetic().contains("street") && picture.arithmetic().contains("0.0248"),
             qPrintable(picture.arithmetic()));
    // The products of the units are the square.
    const QAbstractItemModel* units = picture.units()->model();
    QCOMPARE(units->rowCount(), 384);
    double sum = 0, before = 1e9;
    for (int row = 0; row < units->rowCount(); ++row) {
      const double part = units->index(row, 3).data(Qt::EditRole).toDouble();
      QVERIFY(std::abs(part) <= before);
      before = std::abs(part);
      sum += part;
    }
    QVERIFY(std::abs(sum - pairs.shares(7, 7)) < 1e-9);
  }

  void two_texts_are_compared_by_their_words() {
    Selection selection;
    ViewRequests requests;
    CompareView view({&selection, &requests});
    connect(&view, &CompareView::runsWanted, &view, [&](const std::vector<Request>& wanted) {
      for (std::size_t i = 0; i < wanted.size(); ++i)
        view.set_run(static_cast<int>(i), std::make_shared<const Result>(run(wanted[i])));
    });
    view.set_result(tired_);
    show_at(view, {1000, 700});
    view.set_reference_text(kWide);
    QVERIFY(!view.words()->isHidden());
    QCOMPARE(view.subject().kind, CompareSubject::Kind::alignment);
    QCOMPARE(view.table()->rowCount(), 15 * 15);
    QVERIFY(!view.figure().size.isEmpty());
    view.set_subject(CompareSubject{});
    QVERIFY(view.words()->isHidden());
    CompareSubject words;
    words.kind = CompareSubject::Kind::words;
    view.set_subject(words);
    QVERIFY(!view.words()->isHidden());
    // The same text by the same model says nothing about words, unless somebody wants it.
    view.set_reference_text(kTired);
    QVERIFY(view.words()->summary().contains("1.0000"));
  }

  void what_has_no_embedding_has_no_words() {
    WordPairsPicture picture;
    Result none;
    QVERIFY(!picture.set_runs(none, none));
    QVERIFY(picture.summary().isEmpty() && picture.arithmetic().isEmpty());
  }
};

HEADLIGHT_WIDGET_TEST(TestWordPairsPicture)

}  // namespace headlight::test_word_pairs_picture

#include "test_word_pairs_picture.moc"
