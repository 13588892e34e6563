// The window with what other libraries wrote: a model, stored attention, a file of weights.

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QStandardPaths>
#include <QTest>
#include <QTreeView>
#include <QUrl>

#include "app/document/drop.h"
#include "app/document/model_list.h"
#include "app/document/run_texts.h"
#include "app/window/main_window.h"
#include "app/window/source_bar.h"
#include "app/window/tensor_window.h"
#include "app/window/view_table.h"
#include "model/analysis/attention_maps.h"
#include "tests/app/fixture.h"
#include "tests/app/window_with_models.h"
#include "tests/test_program.h"
#include "widgets/matrix/tensor_view.h"

namespace headlight {

using testing::opens;
using testing::window_with_a_run;

namespace {

QString data(const char* name) { return QStringLiteral(HEADLIGHT_TEST_DATA) + QLatin1Char('/') + QLatin1String(name); }

}  // namespace

class TestOpened : public QObject {
  Q_OBJECT

  QTemporaryDir models_;

  static void raise_every_panel(MainWindow& window) {
    for (const ViewRow& row : view_table()) {
      const WindowPanels::Picture picture = window.panels().picture(QString::fromUtf8(row.name));
      if (!picture.view) continue;
      window.panels().raise(picture.name);
      QCoreApplication::processEvents();
    }
    QTRY_VERIFY_WITH_TIMEOUT(!window.worker().busy(), 30000);
  }

 private slots:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("HeadlightTest");
    QCoreApplication::setApplicationName("HeadlightTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, models_.path());
    qputenv("HEADLIGHT_MODELS", models_.path().toUtf8());
    small_model_folder(models_);
  }

  void a_folder_of_another_library_runs_live() {
    const auto window = window_with_a_run(models_);
    const QString folder = models_.filePath("my-bert");
    QDir().mkpath(folder);
    for (const char* name : {"families/bert-mlm/config.json", "families/bert-mlm/model.safetensors",
                             "tokenizers/bert-uncased/tokenizer.json"})
      QVERIFY(QFile::copy(data(name), folder + '/' + QFileInfo(name).fileName()));
    QVERIFY(opens(*window, folder));
    QCOMPARE(window->result()->model->name, std::string("my-bert"));
    QVERIFY2(size_text(*window->result()).startsWith("bert: 3 layers, 4 heads, 32 wide, float32; guesses masked words"),
             qPrintable(size_text(*window->result())));
    QVERIFY(!attention_maps(*window->result()).empty());
    // Nobody has typed the date that stood there: the model's own example shows what it can do.
    QVERIFY2(window->session().document().source.find("[MASK]") != std::string::npos,
             window->session().document().source.c_str());
    QSignalSpy shown(window.get(), &MainWindow::resultShown);
    window->session().set_source(QStringLiteral("she [MASK] it"));
    QVERIFY(shown.wait(20000));
    QCOMPARE(window->result()->tokens.front().text, std::string("[CLS]"));
    raise_every_panel(*window);
  }

  // What somebody has typed stays.
  void a_text_of_ones_own_is_read_by_the_next_model() {
    const auto window = window_with_a_run(models_);
    const QString folder = models_.filePath("another-bert");
    QDir().mkpath(folder);
    for (const char* name : {"families/bert-mlm/config.json", "families/bert-mlm/model.safetensors",
                             "tokenizers/bert-uncased/tokenizer.json"})
      QVERIFY(QFile::copy(data(name), folder + '/' + QFileInfo(name).fileName()));
    QSignalSpy shown(window.get(), &MainWindow::resultShown);
    window->session().set_source(QStringLiteral("5/5/01"));
    QVERIFY(shown.wait(20000));
    QVERIFY(opens(*window, folder));
    QCOMPARE(window->session().document().source, std::string("5/5/01"));
  }

  void stored_attention_is_a_run_to_look_at() {
    const auto window = window_with_a_run(models_);
    QVERIFY(opens(*window, data("captured/batch-00000-of-00002.npz")));
    QCOMPARE(window->session().document().source, std::string("0"));
    QCOMPARE(attention_maps(*window->result()).size(), 3u);
    QSignalSpy shown(window.get(), &MainWindow::resultShown);
    window->views().source_bar()->next_example();
    QVERIFY(shown.wait(20000));
    QCOMPARE(window->session().document().source, std::string("1"));
    QVERIFY(opens(*window, data("captured/encoder-decoder.npz")));
    raise_every_panel(*window);
    QVERIFY(opens(*window, data("captured/causal-hook-names.npz")));
    raise_every_panel(*window);
  }

  void a_file_of_weights_is_looked_into() {
    const auto window = window_with_a_run(models_);
    window->open_model(data("pytorch/checkpoint.pt"));
    auto* dialog = window->findChild<TensorWindow*>();
    QVERIFY(dialog && dialog->isVisible());
    auto* model = qobject_cast<QStandardItemModel*>(dialog->browser()->tree()->model());
    QModelIndex at = model->index(0, 0);
    QCOMPARE(at.data().toString(), QString("model_state_dict"));
    while (model->hasChildren(at)) at = model->index(0, 0, at);
    QCOMPARE(at.siblingAtColumn(1).data().toString(), QString("[12 x 8]"));
    QSignalSpy shown(dialog, &TensorWindow::shown);
    dialog->browser()->tree()->setCurrentIndex(at);
    QVERIFY(shown.wait(20000));
    QVERIFY(dialog->browser()->figures().startsWith("96 "));
    QCOMPARE(dialog->browser()->picture()->content().values.shape().text(), std::string("[12 x 8]"));
    // The model that was open is open.
    QCOMPARE(window->result()->model->name, std::string("attn_seq2seq"));
  }

  void a_folder_that_does_not_run_is_looked_into() {
    const auto window = window_with_a_run(models_);
    const QString folder = models_.filePath("wonder");
    QDir().mkpath(folder);
    QVERIFY(QFile::copy(data("families/gpt2/model.safetensors"), folder + "/model.safetensors"));
    QFile config(folder + "/config.json");
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write(R"({"model_type": "wonder"})");
    config.close();
    window->open_model(folder);
    auto* dialog = window->findChild<TensorWindow*>();
    QVERIFY(dialog);
    QStringList said;
    for (const QLabel* label : dialog->findChildren<QLabel*>()) said << label->text();
    QVERIFY2(said.join(' ').contains("models of model_type \"wonder\" do not run here"), qPrintable(said.join(' ')));
  }

  void a_drop_means_what_lies_there() {
    const auto dropped = [](const QString& path) {
      QMimeData mime;
      mime.setUrls({QUrl::fromLocalFile(path)});
      return classify_drop(mime);
    };
    QCOMPARE(dropped(data("families/gpt2/model.safetensors")).path, data("families/gpt2"));
    QCOMPARE(dropped(data("captured/one-matrix.npy")).path, data("captured/one-matrix.npy"));
    QCOMPARE(dropped(data("captured/one-matrix.npy")).kind, Dropped::Kind::model);
  }
};

}  // namespace headlight

HEADLIGHT_WIDGET_TEST(headlight::TestOpened)
#include "test_opened.moc"
