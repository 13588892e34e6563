// F1 and Shift+F1: what is in front, at the side, in sentences that the run bears out.

#include <QAction>
#include <QTest>
#include <QWhatsThis>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/language.h"
#include "app/panels/help_panel.h"
#include "app/panels/help_text.h"
#include "app/stage/map_panel.h"
#include "app/text/output_column.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/attention_words.h"

namespace headlight::test_help {

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
    window_->session().set_source("6/7/99");
    settle();
    QVERIFY(text().contains("‘6/7/99’") && !text().contains("May"));
    set_language("zh_CN");
    settle();
    QVERIFY(text().contains("模型"));
  }

  // The weight in the sentence is the largest of the row in the map and head that are shown, but for a token's own and
  // for padding, and stands at the token that the sentence names.
  void the_weight_is_that_of_the_picture_data() {
    QTest::addColumn<QString>("model");
    for (const char* model : {"date-attention", "story-gpt", "masked-bert", "tatoeba-transformer", "toy-mt-local"})
      QTest::newRow(model) << QString(model);
  }
  void the_weight_is_that_of_the_picture() {
    QFETCH(QString, model);
    Request request;
    request.model = load_model(model.toStdString());
    request.source = request.model->examples.front();
    const AnalysedRun run(std::make_shared<const Result>(headlight::run(request)));
    for (const AttentionMap& map : run.maps())
      for (Index head = map.heads > 1 ? AttentionMap::kMean : 0; head < map.heads; ++head) {
        const QString sentence = weight_sentence({&map, head}, 0);
        QVERIFY(!sentence.isEmpty());
        const Tensor weights = map.matrix(head);
        double most = 0;
        QString from, to;
        const bool has_step =
            std::ranges::any_of(map.rows, [](const AttentionToken& row) { return row.holds_step(0); });
        for (Index row = 0; row < map.row_count(); ++row) {
          if (has_step && !map.rows[static_cast<std::size_t>(row)].holds_step(0)) continue;
          for (Index column = 0; column < map.column_count(); ++column) {
            const AttentionToken& token = map.columns[static_cast<std::size_t>(column)];
            const auto weight = static_cast<double>(weights[row * map.column_count() + column]);
            if (token.padding || (map.is_self() && map.source(row).column == column) || weight <= most) continue;
            most = weight;
            from = row_labels(map)[static_cast<std::size_t>(row)].words();
            to = column_labels(map)[static_cast<std::size_t>(column)].words();
          }
        }
        if (most == 0) continue;  // the first row of a causal map looks at itself alone
        QVERIFY2(sentence.contains(QString::number(most, 'f', 2)), qPrintable(sentence));
        for (const QString& each : {from, to}) QVERIFY2(sentence.contains("‘" + each + "’"), qPrintable(sentence));
        if (map.heads > 1 && head >= 0)
          QVERIFY2(sentence.contains(QStringLiteral("head %1").arg(head + 1)), qPrintable(sentence));
        if (map.layer >= 0)
          QVERIFY2(sentence.contains(QStringLiteral("layer %1").arg(map.layer + 1)), qPrintable(sentence));
      }
  }

  // Rows that share nothing out (scores that somebody stored) are not spoken of.
  void scores_are_no_shares() {
    AttentionMap map;
    map.kind = AttentionMap::Kind::encoder_self;
    map.rows = map.columns = {{"a", {}, 0}, {"b", {}, 1}};
    map.own = Tensor::of({1, 2, 2}, {0.5, 3, 2, -1});
    map.key_of_column = {0, 1};
    for (const Index row : {0, 1}) map.row_sources.push_back({-1, row * 2, 4, 2, 2, row});
    QVERIFY(weight_sentence({&map, 0}, std::nullopt).isEmpty());
  }

  void without_attention_it_says_so() {
    Request request;
    request.model = load_model("date-plain");
    request.source = "5/3/99";
    const AnalysedRun run(std::make_shared<const Result>(headlight::run(request)));
    QVERIFY(help_text("alignment", &run).join(' ').contains("no attention"));
    QVERIFY(help_text("map", &run).join(' ').contains("Dates"));
  }

  // What is said of the map holds for its model: an LSTM has no lens, and a diagram no lanes.
  void the_map_is_that_of_the_model() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    const auto show = [&](const char* model, const char* text) {
      Document document;
      document.model = load_model(model);
      document.source = text;
      window_->start(document);
      window_->show();
      QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
      settle();
      window_->panels().raise("map");
      SelectionState state;
      state.step = 0;
      window_->selection().set(state);
      settle();
    };
    show("story-gpt", "anna sees");
    press(Qt::Key_F1);
    QVERIFY2(text().contains("logit lens") && text().contains("lane"), qPrintable(text()));
    auto* map = window_->findChild<MapPanel*>();
    map->show_boxes(true);
    settle();
    QVERIFY2(!text().contains("logit lens") && !text().contains("lane") && text().contains("box"), qPrintable(text()));
    map->show_boxes(false);
    show("date-attention", "5/3/99");
    QVERIFY2(!text().contains("logit lens") && !text().contains("lane") && text().contains("river"),
             qPrintable(text()));
    show("copy-ntm", "1 0 1");
    QVERIFY2(!text().contains("lane") && text().contains("canal"), qPrintable(text()));
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

HEADLIGHT_WIDGET_TEST(TestHelp)

}  // namespace headlight::test_help

#include "test_help.moc"
