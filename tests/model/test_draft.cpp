// Steps that are multiplied ahead, because the run before wrote them: the numbers stay those of a run from nothing.

#include <QTest>
#include <algorithm>
#include <cmath>

#include "model/decode/draft.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"

namespace headlight::test_draft {

// What it is fed is noted.
class Noting : public Decoding {
 public:
  explicit Noting(std::vector<std::vector<TokenId>>* fed) : fed_(fed) {}
  Tensor advance(const Tensor& ids, const Pass&) override {
    std::vector<TokenId>& noted = fed_->emplace_back();
    for (Index i = 0; i < ids.size(); ++i) noted.push_back(static_cast<TokenId>(ids[i]));
    return {};
  }
  void select(const std::vector<Index>&) override {}
  bool at_once() const override { return true; }
  std::unique_ptr<Decoding> clone() const override { return std::make_unique<Noting>(fed_); }

 private:
  std::vector<std::vector<TokenId>>* fed_;
};

class TestDraft : public QObject {
  Q_OBJECT

 private slots:
  void guesses_what_was_written() {
    Request request;
    request.model = load_model("copy-transformer");
    auto before = std::make_shared<Result>();
    before->model = request.model;
    for (const TokenId id : {10, 11, 12, 13, 14, 15, 16, 2}) before->steps.push_back({id, {}, 0, {}});
    std::vector<std::vector<TokenId>> fed;
    Noting decoding(&fed);
    {
      Draft nothing(request, decoding);
      nothing.look_ahead(decoding, 1);
      QVERIFY(fed.empty());
    }
    request.previous = before;
    Draft draft(request, decoding);
    draft.look_ahead(decoding, 1);
    using Ids = std::vector<TokenId>;
    QCOMPARE(fed, std::vector({Ids{1, 10, 11, 12, 13, 14, 15, 16}}));
    // As guessed: nothing more is asked, and the next row is that of the next step.
    for (const TokenId id : {10, 11}) draft.wrote(id);
    draft.look_ahead(decoding, 11);
    QCOMPARE(fed.size(), std::size_t(1));
    QCOMPARE(draft.row(), Index(2));
    // Another token: where the two last ones stood before, it goes on from there.
    for (const TokenId id : {90, 12}) draft.wrote(id);
    draft.look_ahead(decoding, 12);
    QCOMPARE(fed.size(), std::size_t(1));
    draft.wrote(13);
    draft.look_ahead(decoding, 13);
    QCOMPARE(fed.size(), std::size_t(2));
    QCOMPARE(fed[1], (Ids{13, 14, 15, 16}));
    QCOMPARE(draft.row(), Index(0));
  }

  void edits_and_targets_are_not_guessed() {
    Request request;
    request.model = load_model("copy-transformer");
    auto before = std::make_shared<Result>();
    before->model = request.model;
    for (const TokenId id : {10, 11, 12, 13, 14}) before->steps.push_back({id, {}, 0, {}});
    request.previous = before;
    std::vector<std::vector<TokenId>> fed;
    Noting decoding(&fed);
    Request forced = request, edited = request;
    forced.target = "a";
    edited.interventions.emplace_back().site = "decoder.step[0].output.logits";
    for (const Request& each : {forced, edited}) Draft(each, decoding).look_ahead(decoding, 1);
    QVERIFY(fed.empty());
  }

  void numbers_are_those_of_a_run_from_nothing_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<bool>("explain");
    for (const char* model : {"copy-transformer", "grammar-transformer", "tatoeba-transformer", "toy-mt-convs2s",
                              "toy-mt-bahdanau", "story-gpt"})
      for (const bool explain : {false, true})
        QTest::newRow(qPrintable(QString("%1 %2").arg(model).arg(explain))) << QString(model) << explain;
  }
  void numbers_are_those_of_a_run_from_nothing() {
    QFETCH(QString, model);
    QFETCH(bool, explain);
    Request request;
    request.model = load_model(model.toStdString());
    request.capture.explain = explain;
    std::shared_ptr<const Result> before;
    for (std::size_t e = 0; e < std::min<std::size_t>(2, request.model->examples.size()); ++e)
      for (const std::size_t left_out : {1, 0}) {
        const std::string& whole = request.model->examples[e];
        request.source = whole.substr(0, whole.size() - left_out);
        request.previous = nullptr;
        const Result fresh = run(request);
        request.previous = before;
        const auto typed = std::make_shared<const Result>(run(request));
        before = typed;
        QCOMPARE(typed->output, fresh.output);
        QCOMPARE(typed->trace->size(), fresh.trace->size());
        for (int i = 0; i < fresh.trace->size(); ++i) {
          const TraceEntry &a = (*typed->trace)[i], &b = (*fresh.trace)[i];
          QCOMPARE(a.site.text, b.site.text);
          QCOMPARE(a.value.shape(), b.value.shape());
          Scalar largest = 0, worst = 0;
          for (Index k = 0; k < b.value.size(); ++k) {
            if (std::isfinite(b.value[k])) largest = std::max(largest, std::abs(b.value[k]));
            if (a.value[k] != b.value[k]) worst = std::max(worst, std::abs(a.value[k] - b.value[k]));
          }
          QVERIFY2(worst <= Scalar(1e-5) * (1 + largest), a.site.text.c_str());
          if (explain) QVERIFY(typed->trace->explain(i, 0).op == fresh.trace->explain(i, 0).op);
        }
      }
  }
};

HEADLIGHT_CORE_TEST(TestDraft)

}  // namespace headlight::test_draft

#include "test_draft.moc"
