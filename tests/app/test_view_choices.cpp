// What a person chose in each view comes back with a session and at the next start: the picture in front, layer and
// head, zoom, blanks that were unfolded, whole words, the size of a step.

#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "app/document/session_file.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/heads/heads_view.h"
#include "widgets/views/ribbons/ribbons_view.h"
#include "widgets/views/stepper/stepper_view.h"

namespace headlight::test_view_choices {

class TestViewChoices : public QObject {
  Q_OBJECT
  QTemporaryDir settings_;
  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  void show(MainWindow::Remember remember, bool with_document = true) {
    window_ = std::make_unique<MainWindow>(remember);
    window_->resize(1280, 800);
    Document document;
    document.model = load_model(with_document ? "date-transformer" : "date-attention");
    document.source = "May 5, 2001";
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
  }
  AlignmentView* alignment() { return window_->views().alignment(); }
  HeadsView* heads() { return window_->findChild<HeadsView*>(); }
  // As a person chooses in a box of a view, wherever its bar stands.
  void choose(const char* name, int at) {
    for (QComboBox* box : window_->findChildren<QComboBox*>())
      if (box->isVisible() && box->accessibleName() == QLatin1String(name)) {
        box->setCurrentIndex(at);
        emit box->activated(at);
        return settle();
      }
    QFAIL(name);
  }

  void choose_all() {
    window_->panels().raise("alignment");
    settle();
    choose("Layer whose attention is shown", 1);
    QCOMPARE(alignment()->layer(), Index{0});
    Heatmap* map = alignment()->heatmap();
    const int folded = alignment()->folded();
    QVERIFY(folded > 0);
    QTest::mouseClick(map->viewport(), Qt::LeftButton, {},
                      map->heatmap_layout().cell_rect(1, map->columns() - 1).center().toPoint());
    settle();
    QCOMPARE(alignment()->folded(), 0);
    map->setFocus();
    QTest::keyClick(map, Qt::Key_Plus);
    QTest::keyClick(map, Qt::Key_Plus);
    zoomed_ = map->heatmap_layout().window;
    QVERIFY(zoomed_ != HeatmapWindow::whole(map->rows(), map->columns()));
    window_->views().stepper()->set_stride(StepperView::Stride::value);
    window_->panels().raise("heads");
    settle();
    choose("Kind of attention that is shown", 1);
    const HeadsHit place = heads()->grid()->place_of({1, 2});
    QTest::mouseClick(heads()->grid()->viewport(), Qt::LeftButton, {},
                      heads()->grid()->heads_layout().thumb(place.row, place.column).center().toPoint());
    settle();
    QCOMPARE(heads()->opened(), (HeadChoice{1, 2}));
  }
  void all_is_chosen() {
    settle();
    QCOMPARE(window_->panels().front(), QString("heads"));
    QCOMPARE(heads()->opened(), (HeadChoice{1, 2}));
    QCOMPARE(heads()->kind(), kind_);
    QCOMPARE(window_->views().stepper()->stride(), StepperView::Stride::value);
    window_->panels().raise("alignment");
    settle();
    QCOMPARE(alignment()->layer(), Index{0});
    QCOMPARE(alignment()->folded(), 0);
    const HeatmapWindow now = alignment()->heatmap()->heatmap_layout().window;
    const auto told = QStringLiteral("%1..%2, %3..%4").arg(now.left).arg(now.right).arg(now.top).arg(now.bottom);
    QVERIFY2(std::abs(now.left - zoomed_.left) < 1e-6 && std::abs(now.right - zoomed_.right) < 1e-6 &&
                 std::abs(now.top - zoomed_.top) < 1e-6 && std::abs(now.bottom - zoomed_.bottom) < 1e-6,
             qPrintable(told));
  }
  HeatmapWindow zoomed_;
  AttentionMap::Kind kind_ = AttentionMap::Kind::cross;

 private slots:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("HeadlightTest");
    QCoreApplication::setApplicationName("HeadlightTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
  }
  void init() { QSettings().clear(); }
  void cleanup() { window_.reset(); }

  void a_session_brings_them_back() {
    show(MainWindow::Remember::no);
    choose_all();
    kind_ = heads()->kind();
    const QString path = settings_.filePath("choices.headlight");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(write_session(window_->session_state(), path));
    file.close();
    show(MainWindow::Remember::no, false);
    window_->open_session_file(path);
    QTRY_VERIFY_WITH_TIMEOUT(window_->result()->model->name == "date-transformer", 30000);
    all_is_chosen();
  }

  void the_next_start_brings_them_back() {
    show(MainWindow::Remember::yes);
    choose_all();
    kind_ = heads()->kind();
    window_->close();
    show(MainWindow::Remember::yes);
    all_is_chosen();
  }

  void whole_words_come_back() {
    show(MainWindow::Remember::yes);
    window_->selection().set_whole_words(true);
    window_->close();
    show(MainWindow::Remember::yes);
    QVERIFY(window_->selection().whole_words());
  }

  // The picture that is in front stays there, also where another one would tell more of the model.
  void the_picture_in_front_comes_back() {
    show(MainWindow::Remember::yes);
    window_->panels().raise("alignment");
    settle();
    window_->close();
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::yes);
    Document document;
    document.model = load_model("story-gpt");
    document.source = "anna sees";
    window_->start(document);
    window_->show();
    settle();
    QCOMPARE(window_->panels().front(), QString("alignment"));
  }

  // A file from a stranger.
  void nonsense_is_passed_over_data() {
    QTest::addColumn<QVariant>("alignment");
    QTest::newRow("a text") << QVariant("x");
    QTest::newRow("texts for numbers") << QVariant(
        QVariantMap{{"attention", QVariantList{QVariantMap{{"layer", "many"}, {"head", "x"}, {"kind", 7}}}},
                    {"zoom", QVariantList{QVariantMap{{"left", "x"}}}}});
    QTest::newRow("numbers beyond everything") << QVariant(QVariantMap{
        {"attention", QVariantList{QVariantMap{{"layer", 1e300}, {"head", -1e300}}}},
        {"zoom", QVariantList{QVariantMap{{"left", 1e300}, {"right", -5.0}, {"top", qQNaN()}, {"bottom", qInf()}}}}});
    QTest::newRow("another kind of list") << QVariant(QVariantMap{{"attention", 3}, {"zoom", "all"}, {"rows", 1}});
  }
  void nonsense_is_passed_over() {
    QFETCH(QVariant, alignment);
    show(MainWindow::Remember::no);
    Heatmap* map = this->alignment()->heatmap();
    window_->views().set_choices({{"alignment", alignment}, {"steps", alignment}, {"heads", alignment}});
    settle();
    QCOMPARE(this->alignment()->layer(), Index{-1});
    QVERIFY(map->heatmap_layout().window == HeatmapWindow::whole(map->rows(), map->columns()));
    QVERIFY(!window_->grab().isNull());
  }
};

HEADLIGHT_WIDGET_TEST(TestViewChoices)

}  // namespace headlight::test_view_choices

#include "test_view_choices.moc"
