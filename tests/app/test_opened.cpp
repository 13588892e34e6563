// The window with what other libraries wrote: a model, stored attention, a file of weights.

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QScopeGuard>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QStandardPaths>
#include <QTest>
#include <QTreeView>
#include <QUrl>

#include "app/dialogs/tensor_window.h"
#include "app/document/drop.h"
#include "app/document/model_list.h"
#include "app/document/run_texts.h"
#include "app/stage/view_table.h"
#include "app/text/source_bar.h"
#include "app/window/main_window.h"
#include "model/analysis/attention_maps.h"
#include "model/io/safetensors.h"
#include "tests/app/fixture.h"
#include "tests/app/window_with_models.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/matrix/tensor_view.h"

namespace headlight::test_opened {

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
    // The first matrix is there without a click.
    TensorBrowser* browser = dialog->browser();
    QSignalSpy shown(dialog, &TensorWindow::shown);
    QVERIFY(shown.wait(20000));
    QVERIFY2(browser->figures().startsWith("numbers 96, smallest "), qPrintable(browser->figures()));
    QCOMPARE(browser->picture()->content().values.shape().text(), std::string("[12 x 8]"));
    const QAbstractItemModel* model = browser->tree()->model();
    const QModelIndex first = model->index(0, 0);
    QCOMPARE(first.data().toString(), QString("model_state_dict"));
    const QModelIndex at = browser->tree()->currentIndex();
    QCOMPARE(at.siblingAtColumn(1).data().toString(), QString::fromUtf8("12 × 8"));
    QCOMPARE(at.siblingAtColumn(2).data().toString(), QString("96"));
    const auto leaves = [&](auto&& self, const QModelIndex& parent) -> int {
      if (model->rowCount(parent) == 0) return parent.isValid() ? 1 : 0;
      int count = 0;
      for (int row = 0; row < model->rowCount(parent); ++row) count += self(self, model->index(row, 0, parent));
      return count;
    };
    const int all = leaves(leaves, {});
    browser->filter()->setText(QString::fromUtf8("12 × 8"));
    QVERIFY(leaves(leaves, {}) > 0 && leaves(leaves, {}) < all);
    browser->filter()->setText("no such tensor");
    QCOMPARE(leaves(leaves, {}), 0);
    QVERIFY(!browser->none()->isHidden() && browser->tree()->isHidden());  // and it says so
    browser->filter()->clear();
    QCOMPARE(leaves(leaves, {}), all);
    QVERIFY(browser->none()->isHidden());
    // The model that was open is open.
    QCOMPARE(window->result()->model->name, std::string("attn_seq2seq"));
  }

  // Two checkpoints: by how much each tensor changed, what only one of them has, and how many in all.
  void two_files_are_compared_tensor_by_tensor() {
    const auto written = [&](const char* name, const std::vector<NamedTensor>& tensors) {
      const QString path = models_.filePath(name);
      write_safetensors(path.toStdString(), tensors, {}, StorageType::f32);
      return path;
    };
    const Tensor c = Tensor::vector({1, 2, 3});
    Tensor a({2, 2}), b({2, 2});
    for (Index i = 0; i < 4; ++i) a[i] = b[i] = i == 0 ? 3 : i == 3 ? 4 : 0;
    b[3] = 4.5;
    const QString first =
        written("first.safetensors", {{"layer.0.same", c}, {"layer.0.weight", a}, {"layer.1.gone", c}});
    const QString second =
        written("second.safetensors", {{"layer.0.same", c}, {"layer.0.weight", b}, {"layer.2.come", c}});
    TensorWindow window(first);
    window.show();
    TensorBrowser* browser = window.browser();
    QSignalSpy shown(&window, &TensorWindow::shown);
    QVERIFY(shown.wait(20000));
    QCOMPARE(browser->tree()->model()->columnCount(), 3);
    for (int again = 0; again < 2; ++again) {
      window.compare_with(second);
      QTRY_VERIFY_WITH_TIMEOUT(browser->note().contains("1 of 2 tensors"), 20000);
      QVERIFY2(browser->note().contains("2 are in one of the files only"), qPrintable(browser->note()));
      QTRY_VERIFY2(browser->figures().contains("changed by 10 %, largest change 0.5"), qPrintable(browser->figures()));
      const QAbstractItemModel* model = browser->tree()->model();
      QStringList said;
      const auto gather = [&](auto&& self, const QModelIndex& parent) -> void {
        for (int row = 0; row < model->rowCount(parent); ++row) {
          const QModelIndex at = model->index(row, 0, parent);
          said << at.data().toString() + ": " + at.siblingAtColumn(3).data().toString();
          self(self, at);
        }
      };
      gather(gather, {});
      QCOMPARE(said, (QStringList{"layer 0: up to 10 %", "same: the same", "weight: 10 %", "layer 1: ",
                                  "gone: only here", "only in second.safetensors: ", "layer.2.come: only there"}));
    }
    // What differs, as one list; and its change as numbers.
    browser->set_sorted(true);
    QCOMPARE(browser->tree()->model()->rowCount(), 1);
    QCOMPARE(browser->tree()->model()->index(0, 0).data().toString(), QString("layer.0.weight"));
    browser->set_change_shown(true);
    QTRY_VERIFY2(browser->figures().contains("largest 0.5"), qPrintable(browser->figures()));
    browser->set_change_shown(false);
    browser->set_sorted(false);
    QTRY_VERIFY2(browser->figures().contains("largest 4"), qPrintable(browser->figures()));
    // Somebody who does not want to wait.
    QCOMPARE(browser->compare()->text(), QString::fromUtf8("Compare with another file…"));
    window.compare_with(first);
    QCOMPARE(browser->compare()->text(), QString("Stop comparing"));
    QVERIFY2(browser->note().contains("Comparing with first.safetensors"), qPrintable(browser->note()));
    browser->set_comparing("first.safetensors", 0.4, 11.5);
    QVERIFY2(browser->note().contains("40 %, about 12 s left"), qPrintable(browser->note()));
    browser->compare()->click();
    QCOMPARE(browser->compare()->text(), QString::fromUtf8("Compare with another file…"));
    QTest::qWait(100);
    QVERIFY2(browser->note().contains("1 of 2 tensors"), qPrintable(browser->note()));
    // Of a folder in which nothing can be compared this time, no change is told.
    window.compare_with(written("third.safetensors", {{"layer.0.other", Tensor::vector({1})}}));
    QTRY_VERIFY_WITH_TIMEOUT(browser->note().contains("0 of 0 tensors"), 20000);
    const QAbstractItemModel* model = browser->tree()->model();
    QCOMPARE(model->index(0, 3).data().toString(), QString());
    window.compare_with(models_.filePath("missing.safetensors"));
    QTRY_COMPARE_WITH_TIMEOUT(browser->compare()->text(), QString::fromUtf8("Compare with another file…"), 20000);
    QVERIFY2(browser->note().contains("missing.safetensors"), qPrintable(browser->note()));
  }

  // Another wrapping of the same model is no other model; and in large letters the names stay whole.
  void names_of_two_checkpoints() {
    const Tensor c = Tensor::vector({1, 2, 3});
    const auto written = [&](const char* name, const std::string& around) {
      const QString path = models_.filePath(name);
      write_safetensors(path.toStdString(), {{around + "embedding.weight", c}, {around + "out.bias", c}}, {},
                        StorageType::f32);
      return path;
    };
    TensorWindow window(written("wrapped.safetensors", "model_state_dict."));
    window.resize(1180, 760);
    window.show();
    QTreeView* tree = window.browser()->tree();
    window.compare_with(written("parallel.safetensors", "module."));
    QTRY_VERIFY_WITH_TIMEOUT(window.browser()->note().contains("every tensor is the same"), 20000);
    QVERIFY2(window.browser()->note().contains("In parallel.safetensors it is called module.embedding.weight."),
             qPrintable(window.browser()->note()));
    const auto room = [&] {
      const QModelIndex name = tree->model()->index(0, 0, tree->model()->index(0, 0));
      return tree->visualRect(name).width() - tree->fontMetrics().horizontalAdvance(name.data().toString());
    };
    QVERIFY(!tree->isColumnHidden(1) && !tree->isColumnHidden(2) && room() > 0);
    Theme::instance().set_font_scale(2);
    const auto back = qScopeGuard([] { Theme::instance().set_font_scale(1); });
    QTRY_VERIFY(tree->isColumnHidden(1) && tree->isColumnHidden(2));
    QVERIFY(!tree->isColumnHidden(0) && !tree->isColumnHidden(3) && room() > 0);
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

HEADLIGHT_WIDGET_TEST(TestOpened)

}  // namespace headlight::test_opened

#include "test_opened.moc"
