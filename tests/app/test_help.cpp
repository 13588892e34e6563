// F1 and Shift+F1: what is in front, at the side, in sentences that the run bears out.

#include <QAction>
#include <QTest>
#include <QWhatsThis>
#include <nlohmann/json.hpp>

#include "app/language.h"
#include "app/window/help_panel.h"
#include "app/window/help_text.h"
#include "app/window/main_window.h"
#include "app/window/output_column.h"
#include "model/io/model_folder.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/canvas/analysed_run.h"

namespace headlight {

class TestHelp : public QObject {
  Q_OBJECT

  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
  }
  void open(const char* source = "May 5, 2001") {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = small_model();
    document.source = source;
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
  }
  QString text() { return window_->views().help()->text(); }
  bool seen() { return window_->views().help()->isVisible(); }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(window_->focusWidget() ? window_->focusWidget() : window_.get(), key, modifiers);
    settle();
  }

 private slots:
  void initTestCase() { load_resources(); }
  void cleanup() {
    window_.reset();
    set_language("en");
  }

  void f1_opens_and_closes_it() {
    open();
    QVERIFY(!seen());
    press(Qt::Key_F1);
    QVERIFY(seen() && window_->actions()["hint"]->isChecked());
    press(Qt::Key_F1);
    QVERIFY(!seen() && !window_->actions()["hint"]->isChecked());
    press(Qt::Key_F1);
    press(Qt::Key_Escape);
    QVERIFY(!seen() && !window_->actions()["hint"]->isChecked());
  }

  // The panels that it took the place of come back.
  void it_gives_its_place_back() {
    open();
    window_->actions()["change"]->trigger();
    settle();
    press(Qt::Key_F1);
    QVERIFY(seen() && !window_->panels().is_seen("differences"));
    press(Qt::Key_F1);
    QVERIFY(window_->panels().is_seen("differences") && window_->panels().is_seen("mechanism"));
  }

  void it_is_about_the_model_and_the_picture_in_front() {
    open();
    press(Qt::Key_F1);
    QVERIFY2(text().contains("‘May 5, 2001’") && text().contains(QString::fromStdString(window_->result()->output)),
             qPrintable(text()));
    QVERIFY(text().contains("Alignment"));
    window_->panels().raise("map");
    settle();
    QVERIFY(text().contains("Map") && !text().contains("Alignment"));
    QVERIFY(text().contains("logit lens") && text().contains("final norm"));
    window_->session().set_source("6/7/99");
    settle();
    QVERIFY(text().contains("‘6/7/99’") && !text().contains("May"));
    set_language("zh_CN");
    settle();
    QVERIFY(text().contains("模型"));
  }

  // The weight in the sentence is the largest of the row, and stands at the token that the sentence names.
  void the_weight_is_that_of_the_run_data() {
    QTest::addColumn<QString>("model");
    for (const char* model : {"date-attention", "story-gpt", "masked-bert", "tatoeba-transformer"})
      QTest::newRow(model) << QString(model);
  }
  void the_weight_is_that_of_the_run() {
    QFETCH(QString, model);
    Request request;
    request.model = load_model(model.toStdString());
    request.source = request.model->examples.front();
    const AnalysedRun run(std::make_shared<const Result>(headlight::run(request)));
    for (int step = 0; step < static_cast<int>(run.result()->steps.size()); ++step) {
      const QString sentence = weight_sentence(run, step);
      QVERIFY(!sentence.isEmpty());
      double most = 0;
      std::string at;
      for (const AttentionMap& map : run.maps()) {
        if (map.is_self()) continue;
        const Tensor weights = map.matrix(AttentionMap::kMean);
        for (Index row = 0; row < map.row_count(); ++row)
          for (Index column = 0; column < map.column_count() && map.rows[row].holds_step(step); ++column)
            if (!map.columns[column].padding && weights[row * map.column_count() + column] > most) {
              most = weights[row * map.column_count() + column];
              at = map.columns[column].text;
            }
        break;  // of several layers the first is not the mean
      }
      if (model != "date-attention") continue;
      QVERIFY2(sentence.contains(QString::number(most, 'f', 2)), qPrintable(sentence));
      QVERIFY2(at == " " || sentence.contains("‘" + QString::fromStdString(at) + "’"), qPrintable(sentence));
      QVERIFY2(sentence.contains("‘" + QString::fromStdString(run.result()->steps[step].text) + "’ (output " +
                                 QString::number(step + 1) + ")"),
               qPrintable(sentence));
    }
  }

  void without_attention_it_says_so() {
    Request request;
    request.model = load_model("date-plain");
    request.source = "5/3/99";
    const AnalysedRun run(std::make_shared<const Result>(headlight::run(request)));
    QVERIFY(weight_sentence(run, 0).isEmpty());
    QVERIFY(help_text("alignment", &run).join(' ').contains("no attention"));
    QVERIFY(help_text("map", &run).join(' ').contains("Dates"));
  }

  // Shift+F1 explains what has the keyboard, and then what is clicked on.
  void shift_f1_explains_anything() {
    open();
    QWidget* field = window_->focusWidget();
    const QString tip = field->toolTip();
    QVERIFY(!tip.isEmpty());
    press(Qt::Key_F1, Qt::ShiftModifier);
    QVERIFY(seen() && QWhatsThis::inWhatsThisMode());
    QVERIFY2(text().startsWith(tip), qPrintable(text()));
    QTest::mouseClick(window_->views().column(), Qt::LeftButton, {}, {20, 40});
    settle();
    QVERIFY(!QWhatsThis::inWhatsThisMode());
    QVERIFY(!text().startsWith(tip));
  }
};

}  // namespace headlight

HEADLIGHT_WIDGET_TEST(headlight::TestHelp)
#include "test_help.moc"
