// The names of pictures in front of "More": what the row of the architecture says, of it what the model has.

#include <QTabBar>
#include <QTest>
#include <algorithm>
#include <set>

#include "app/language.h"
#include "app/stage/name_row.h"
#include "app/stage/stage.h"
#include "app/stage/view_table.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "model/models/registry.h"
#include "tests/test_program.h"

namespace headlight::test_first_pictures {

class TestFirstPictures : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { load_resources(); }

  // A new row without pictures, or with one that no view draws, fails here.
  void every_row_names_pictures_that_there_are() {
    for (const Architecture& row : architectures()) {
      std::set<std::string> seen;
      for (const char* name : row.pictures) {
        const auto view = std::ranges::find(view_table(), std::string(name), &ViewRow::name);
        QVERIFY2(view != view_table().end() && view->place == ViewRow::Place::picture, name);
        QVERIFY2(seen.insert(name).second, name);
      }
      QVERIFY2(seen.size() >= 4, row.name);
    }
  }

  void what_tells_most_stands_first_data() {
    QTest::addColumn<QStringList>("names");
    QTest::newRow("date-attention") << QStringList{"Alignment", "Ribbons", "Map", "States"};
    QTest::newRow("date-plain") << QStringList{"Alignment", "States", "Map", "Output"};
    QTest::newRow("toy-mt-local") << QStringList{"Alignment", "Local window", "Ribbons", "Map"};
    QTest::newRow("date-transformer") << QStringList{"Alignment", "Heads", "Ribbons", "Map"};
    QTest::newRow("masked-bert") << QStringList{"Heads", "Map", "Ribbons", "Positions"};
    QTest::newRow("story-gpt") << QStringList{"Heads", "Map", "Ribbons", "Positions"};
    QTest::newRow("copy-ntm") << QStringList{"Memory", "Map", "States", "Output"};
  }
  void what_tells_most_stands_first() {
    QFETCH(QStringList, names);
    MainWindow window(MainWindow::Remember::no);
    Document document;
    document.model = load_model(QTest::currentDataTag());
    document.source = document.model->examples.front();
    window.resize(1920, 1080);
    window.start(document);
    window.show();
    QTRY_VERIFY_WITH_TIMEOUT(!window.worker().busy(), 30000);
    const QTabBar* tabs = window.panels().stage()->names()->tabs();
    QStringList shown;
    for (int i = 0; i < std::min(4, tabs->count()); ++i) shown << tabs->tabText(i);
    QCOMPARE(shown, names);
  }
};

HEADLIGHT_WIDGET_TEST(TestFirstPictures)

}  // namespace headlight::test_first_pictures

#include "test_first_pictures.moc"
