// The window with a model of each kind that other libraries write: every picture of it is drawn.

#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "app/stage/view_table.h"
#include "model/analysis/expert_choices.h"
#include "tests/app/window_with_models.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"
#include "widgets/views/living/view.h"

namespace headlight::test_kinds_of_models {

namespace fs = std::filesystem;

using testing::opens;
using testing::window_with_a_run;

class TestKindsOfModels : public QObject {
  Q_OBJECT

  QTemporaryDir models_;

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

  void every_picture_is_drawn_data() {
    QTest::addColumn<QString>("path");
    for (const char* path :
         {"families/falcon-groups", "families/falcon-alibi", "families/cohere2", "families/deberta-v3", "families/esm2",
          "families/nllb", "families/t5gemma", "families/blenderbot-small", "moe/mixtral", "moe/qwen2_moe",
          "moe/gpt_oss-mxfp4", "moe/deepseek_v3", "gguf/k-q4_k_m.gguf", "gguf/parts-00001-of-00003.gguf",
          "gguf/t5.gguf", "gguf/bert.gguf"})
      QTest::newRow(path) << QString::fromLatin1(path);
  }

  void every_picture_is_drawn() {
    QFETCH(QString, path);
    const auto material = testing::made_elsewhere().parent_path() / "models";
    if (!fs::is_directory(material)) QSKIP("the material is not there");
    const auto window = window_with_a_run(models_);
    window->resize(1280, 800);
    QStringList places = path.split(QStringLiteral(" + "));
    for (QString& place : places)
      place = QString::fromStdString(fs::canonical(material / place.toStdString()).string());
    QVERIFY(opens(*window, places.join(QStringLiteral(" + "))));
    const bool experts = !expert_layers(*window->result()).empty();
    QCOMPARE(experts, path.startsWith("moe/"));
    int drawn = 0;
    for (const ViewRow& row : view_table()) {
      const WindowPanels::Picture picture = window->panels().picture(QString::fromUtf8(row.name));
      if (!picture.view) continue;
      window->panels().raise(picture.name);
      QCoreApplication::processEvents();
      QVERIFY2(!picture.view->grab().isNull(), row.name);
      ++drawn;
      if (auto* map = picture.view->findChild<LivingView*>(); map && map->map() && QLatin1String(row.name) == "map")
        QCOMPARE(std::ranges::any_of(map->map()->stations, [](const LivingStation& at) { return at.experts.defined(); }),
                 experts);
    }
    QVERIFY(drawn > 10);
    QTRY_VERIFY_WITH_TIMEOUT(!window->worker().busy(), 30000);
  }
};

HEADLIGHT_WIDGET_TEST(TestKindsOfModels)

}  // namespace headlight::test_kinds_of_models

#include "test_kinds_of_models.moc"
