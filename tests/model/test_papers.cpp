// Which paper and equation a value is said to be of, by the way in which the model scores.
#include <QTest>

#include "model/decode/run.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"

namespace headlight::test_papers {

class TestPapers : public QObject {
  Q_OBJECT

 private slots:
  // Bahdanau's softmax is no equation of Luong's.
  void each_way_of_scoring_names_its_own_paper_data() {
    QTest::addColumn<QString>("weights");
    QTest::addColumn<QString>("context");
    QTest::newRow("date-additive") << "Bahdanau et al. 2015, eq. 6"
                                   << "Bahdanau et al. 2015, eq. 5";
    QTest::newRow("date-dot") << "Luong et al. 2015, eq. 7"
                              << "Luong et al. 2015, section 3.1";
    QTest::newRow("date-location") << "Luong et al. 2015, eq. 8"
                                   << "Luong et al. 2015, section 3.1";
    QTest::newRow("date-scaled-dot") << "Vaswani et al. 2017, eq. 1"
                                     << "Vaswani et al. 2017, eq. 1";
    QTest::newRow("date-cosine") << "Graves et al. 2014, eq. 5"
                                 << "Graves et al. 2014, eq. 2";
    QTest::newRow("grammar-bahdanau") << "Bahdanau et al. 2015, eq. 6"
                                      << "Bahdanau et al. 2015, eq. 5";
  }
  void each_way_of_scoring_names_its_own_paper() {
    QFETCH(QString, weights);
    QFETCH(QString, context);
    Request request;
    request.model = load_model(QTest::currentDataTag());
    request.source = QString(QTest::currentDataTag()).startsWith("date") ? "3 May" : "the dog sleeps .";
    const Result result = run(request);
    const auto paper = [&](const char* leaf) {
      const Trace& trace = *result.trace;
      return QString::fromUtf8(trace[trace.find(std::string("decoder.step[0].attention.") + leaf)].site.kind->paper);
    };
    QCOMPARE(paper("weights"), weights);
    QCOMPARE(paper("context"), context);
  }
};

HEADLIGHT_TEST(TestPapers)

}  // namespace headlight::test_papers

#include "test_papers.moc"
