// A run that a person keeps: under a name, offered by Compare, and there again after its session was opened.

#include <QInputDialog>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include "app/document/variants.h"
#include "app/jobs/side_runs.h"
#include "app/language.h"
#include "app/panels/edits_panel.h"
#include "app/window/main_window.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/views/compare/compare_view.h"

namespace headlight::test_variants {

class TestVariants : public QObject {
  Q_OBJECT

  QTemporaryDir models_;
  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    QCoreApplication::processEvents();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->side_runs().busy(), 200000);
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
  }
  void open() {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = load_model(models_.filePath("attn_seq2seq").toStdString());
    document.source = "May 5, 2001";
    window_->start(document);
    window_->show();
    settle();
  }
  CompareView& compare() { return *window_->views().compare(); }

 private slots:
  void initTestCase() {
    qputenv("HEADLIGHT_MODELS", models_.path().toUtf8());
    small_model_folder(models_, "attn_seq2seq");
    load_resources();
  }
  void cleanup() { window_.reset(); }

  void a_kept_run_is_offered_and_comes_back_with_its_session() {
    open();
    window_->session().set_setting("attention.temperature", 3.0);
    window_->session().add_intervention(
        {"decoder.step[0].attention.weights", Intervention::Kind::pin, 2, Scalar(0.9), {}});
    settle();
    const std::string kept = window_->result()->output;
    const Json config = window_->result()->model->model->config();
    window_->actions()["change"]->trigger();
    settle();
    QTest::mouseClick(window_->views().edits()->findChild<QPushButton*>("keep_variant"), Qt::LeftButton);
    auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
    QVERIFY(dialog);
    dialog->setTextValue("hotter");
    dialog->accept();
    QCOMPARE(compare().variants().size(), std::size_t(1));
    QVERIFY(window_->status().caption().contains("hotter"));
    window_->session().clear_differences();
    window_->actions()["compare"]->trigger();
    settle();
    QVERIFY(compare().reference() == CompareView::Reference::variant);
    QCOMPARE(compare().shown_reference()->output, kept);

    const QString path = models_.filePath("kept.headlight");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(write_session(window_->session_state(), path));
    file.close();
    open();
    QVERIFY(compare().variants().empty());
    window_->open_session_file(path);
    QTRY_COMPARE(compare().variants().size(), std::size_t(1));
    const CompareVariant& read = compare().variants().front();
    QCOMPARE(read.name, QString("hotter"));
    QCOMPARE(read.inputs.interventions.size(), std::size_t(1));
    QVERIFY(read.model->model->config() == config);
    settle();
    window_->actions()["compare"]->trigger();
    compare().set_reference_variant(0);
    settle();
    QVERIFY(compare().shown_reference());
    QCOMPARE(compare().shown_reference()->output, kept);
    QVERIFY(compare().shown_result()->interventions.empty());
  }

  // What somebody else wrote into a session is not believed.
  void what_cannot_be_read_is_left_out() {
    open();
    const auto model = window_->session().document().model;
    CompareVariant good{"good", model, {}};
    good.inputs.source = "5/5/99";
    const QVariantList written = written_variants({good});
    QCOMPARE(read_variants(written, model).size(), std::size_t(1));
    QVariantMap gone = written.front().toMap();
    gone["run"] = gone["run"].toString().replace("attn_seq2seq", "nowhere");
    const QVariantList odd = {QVariant(), 5, QVariantMap{{"name", "x"}}, QVariantMap{{"name", 7}, {"run", "{"}}, gone};
    QVERIFY(read_variants(odd, model).empty());
    QVariantList many;
    for (int i = 0; i < 100; ++i) many << written;
    QCOMPARE(read_variants(many, model).size(), CompareView::kMostVariants);
  }
};

HEADLIGHT_WIDGET_TEST(TestVariants)

}  // namespace headlight::test_variants

#include "test_variants.moc"
