// Typing in the window: what has not changed is not computed again, explanations included.

#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "app/jobs/run_controller.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"

namespace headlight::test_reuse {

class TestReuse : public QObject {
  Q_OBJECT

 private slots:
  void typing_an_output_reads_the_source_once_data() {
    QTest::addColumn<QString>("model");
    for (const char* model : {"date-attention", "toy-mt-bahdanau", "toy-mt-convs2s", "copy-transformer"})
      QTest::newRow(model) << QString(model);
  }
  void typing_an_output_reads_the_source_once() {
    QFETCH(QString, model);
    RunController controller;
    controller.session().set_model(load_model(model.toStdString()));
    const auto bundle = controller.session().document().model;
    controller.session().set_source(QString::fromStdString(bundle->examples.at(0)));
    const auto settled = [&] { return controller.result() && !controller.worker().busy(); };
    QTRY_VERIFY(settled());
    // The output of the model itself, typed token by token as how it begins.
    const QString whole = QString::fromStdString(controller.result()->output);
    controller.session().set_prefix(true);
    for (int n = 1; n <= 3; ++n) {
      const QString beginning = whole.contains(' ') ? whole.section(' ', 0, n - 1) : whole.left(n);
      controller.session().set_target(beginning);
      QTRY_VERIFY(settled());
      const Result& typed = *controller.result();
      QVERIFY2(typed.reused > 0, qPrintable(beginning));
      Request again = controller.session().request();
      const Result fresh = run(again);
      QCOMPARE(typed.output, fresh.output);
      QCOMPARE(typed.trace->size(), fresh.trace->size());
      for (int i = 0; i < fresh.trace->size(); ++i) {
        QCOMPARE((*typed.trace)[i].site.text, (*fresh.trace)[i].site.text);
        QVERIFY2((*typed.trace)[i].value.values() == (*fresh.trace)[i].value.values(),
                 (*typed.trace)[i].site.text.c_str());
      }
      const int first = typed.trace->find("encoder.embed.out");
      QVERIFY(typed.trace->explain(first, 0).op == fresh.trace->explain(first, 0).op);
    }
    // Another source is read anew.
    controller.session().set_target(std::nullopt);
    controller.session().set_source(QString::fromStdString(bundle->examples.at(1)));
    QTRY_VERIFY(settled());
    QCOMPARE(controller.result()->reused, Index(0));
  }

  // Letter by letter behind a prompt: what stands in front of the word that is typed is not multiplied again, with
  // explanations on, and every number is that of a run from nothing within the rounding of a sum.
  void typing_a_prompt_goes_on_where_it_was() {
    RunController controller;
    controller.session().set_model(load_model("story-gpt"));
    const auto settled = [&] { return controller.result() && !controller.worker().busy(); };
    controller.session().set_source("the keys to the");
    QTRY_VERIFY(settled());
    Index most = 0;
    for (QString text = "the keys to the"; const QChar letter : QString(" old cabinet")) {
      controller.session().set_source(text += letter);
      QTRY_VERIFY(settled());
      const Result& typed = *controller.result();
      QVERIFY2(typed.reused >= 3, qPrintable(text));  // the last word of a prompt is fed at step 0
      most = std::max(most, typed.reused);
      const Result fresh = run(Request(controller.session().request()));
      QCOMPARE(fresh.reused, Index(0));
      QCOMPARE(typed.output, fresh.output);
      QCOMPARE(typed.trace->size(), fresh.trace->size());
      for (int i = 0; i < fresh.trace->size(); ++i) {
        const TraceEntry &a = (*typed.trace)[i], &b = (*fresh.trace)[i];
        QCOMPARE(a.site.text, b.site.text);
        QCOMPARE(a.value.shape(), b.value.shape());
        float largest = 0;  // products of few rows and of many are rounded differently
        for (Index k = 0; k < b.value.size(); ++k)
          if (std::isfinite(b.value[k])) largest = std::max(largest, std::abs(b.value[k]));
        for (Index k = 0; k < a.value.size(); ++k)
          QVERIFY2(a.value[k] == b.value[k] || std::abs(a.value[k] - b.value[k]) <= 1e-5f * (1 + largest),
                   qPrintable(QString("%1: %2, %3").arg(a.site.text.c_str()).arg(a.value[k]).arg(b.value[k])));
        QVERIFY(typed.trace->explain(i, 0).op == fresh.trace->explain(i, 0).op);
      }
    }
    QVERIFY(most >= 5);
  }
};

HEADLIGHT_CORE_TEST(TestReuse)

}  // namespace headlight::test_reuse

#include "test_reuse.moc"
