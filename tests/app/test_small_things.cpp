// Small things that people stumbled over: drops, exports, drawing a mask, writing another token, what a step says.

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QMenu>
#include <QMimeData>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "app/panels/message_banner.h"
#include "app/settings.h"
#include "app/window/export.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/text/step_words.h"
#include "widgets/views/alignment/alignment_view.h"
#include "widgets/views/mechanism/mechanism_grid.h"
#include "widgets/views/output/output_panel.h"
#include "widgets/views/output/output_view.h"
#include "widgets/views/stepper/stepper_view.h"

namespace headlight::test_small_things {

class TestSmallThings : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  std::unique_ptr<MainWindow> window_;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  void open(const char* model = "date-attention", const char* source = "May 5, 2001") {
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = load_model(model);
    document.source = source;
    window_->resize(1280, 800);
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
  }

 private slots:
  void initTestCase() {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName("HeadlightTest");
    QCoreApplication::setApplicationName("HeadlightTest");
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
  }
  void cleanup() {
    window_.reset();
    Theme::instance().set(Theme::Mode::light, 1);
  }

  // Whoever drags a file here still has it afterwards, also where moving was proposed.
  void drops_are_copies() {
    open();
    QMimeData data;
    data.setText("June 7, 1999");
    QDragEnterEvent enter({10, 10}, Qt::MoveAction | Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    enter.setDropAction(Qt::MoveAction);
    QCoreApplication::sendEvent(window_.get(), &enter);
    QVERIFY(enter.isAccepted());
    QCOMPARE(enter.dropAction(), Qt::CopyAction);
    QDropEvent drop({10, 10}, Qt::MoveAction | Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    drop.setDropAction(Qt::MoveAction);
    QCoreApplication::sendEvent(window_.get(), &drop);
    QVERIFY(drop.isAccepted());
    QCOMPARE(drop.dropAction(), Qt::CopyAction);
    settle();
    QCOMPARE(window_->session().document().source, std::string("June 7, 1999"));
  }

  // A mouse that is fast tells of a few points of its way only.
  void a_mask_is_drawn_without_gaps() {
    MechanismGrid grid;
    MechanismGridData data;
    data.rows = data.columns = 8;
    data.states.assign(64, MechanismGridData::State::on);
    data.edited.assign(64, 0);
    data.words = [](int, int) { return QString(); };
    for (int i = 0; i < 8; ++i) {
      data.row_labels.push_back({QString::number(i), {}, {}});
      data.column_labels.push_back({QString::number(i), {}, {}});
    }
    grid.set_table(data);
    grid.resize(400, 400);
    grid.show();
    QVERIFY(QTest::qWaitForWindowExposed(&grid));
    QList<QPoint> switched;
    connect(&grid, &MechanismGrid::cellsSwitched, this, [&](const QList<QPoint>& cells, bool) { switched = cells; });
    const auto at = [&](int row, int column) { return grid.grid_layout().cell_rect(row, column).center().toPoint(); };
    QTest::mousePress(grid.viewport(), Qt::LeftButton, {}, at(1, 1));
    QMouseEvent move(QEvent::MouseMove, at(6, 6), grid.viewport()->mapToGlobal(at(6, 6)), Qt::NoButton, Qt::LeftButton,
                     {});
    QCoreApplication::sendEvent(grid.viewport(), &move);
    QTest::mouseRelease(grid.viewport(), Qt::LeftButton, {}, at(6, 6));
    QCOMPARE(switched, (QList<QPoint>{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}}));
  }

  // Figures for papers are light and have no room around them, whatever the window looks like.
  void exports_are_light_and_tight() {
    Theme::instance().set(Theme::Mode::dark, 1);
    open();
    const auto drawn = [&](const FigureStyle& style) {
      QImage image;
      const auto picture = window_->panels().picture();
      with_figure(picture.figure, picture.caption, style, [&](const Figure& figure) {
        image = QImage(figure.size, QImage::Format_RGB32);
        image.fill(Theme::instance().background());
        QPainter painter(&image);
        figure.paint(painter);
      });
      return image;
    };
    const QImage plain = drawn({});
    QCOMPARE(plain.pixelColor(0, 0), QColor(Qt::white));
    QCOMPARE(Theme::instance().mode(), Theme::Mode::dark);
    const auto blank = [](const QImage& image, bool rows, bool from_end) {
      const int lines = rows ? image.height() : image.width(), across = rows ? image.width() : image.height();
      for (int i = 0; i < lines; ++i)
        for (int k = 0; k < across; ++k) {
          const int line = from_end ? lines - 1 - i : i;
          if (image.pixelColor(rows ? k : line, rows ? line : k) != QColor(Qt::white)) return i;
        }
      return lines;
    };
    for (const bool rows : {false, true})
      for (const bool from_end : {false, true}) QVERIFY(blank(plain, rows, from_end) <= 9);
    const QImage worded = drawn({false, true, true});
    QVERIFY(worded.height() > plain.height() + 20 && worded.width() == plain.width());
    QVERIFY(drawn({true, false, false}).pixelColor(0, 0).lightness() < 60);
    // What is copied is the same figure, without the controls of its panel.
    window_->actions()["copy_picture"]->trigger();
    const QImage copied = QApplication::clipboard()->image();
    QCOMPARE(copied.size(), 2 * plain.size());
  }

  void after_an_export_one_is_told_where_it_is() {
    open();
    const QString path = folder_.filePath("figure.png");
    window_->actions()["export"]->trigger();
    auto* dialog = window_->findChild<QFileDialog*>();
    QVERIFY(dialog);
    dialog->selectFile(path);
    for (auto* option : dialog->findChildren<QCheckBox*>()) option->setChecked(option->text().contains("caption"));
    QMetaObject::invokeMethod(dialog, "accept");
    QVERIFY(QFileInfo(path).size() > 1000);
    QCOMPARE(UserSettings().export_options(), (UserSettings::ExportOptions{.caption = true}));
    UserSettings().set_export_options({});
    const MessageBanner* banner = window_->views().banner();
    QVERIFY(banner->isVisible());
    QVERIFY2(banner->message().contains("figure.png"), qPrintable(banner->message()));
    bool offered = false;
    for (const QAbstractButton* button : banner->findChildren<QAbstractButton*>())
      offered = offered || (button->isVisible() && button->text().contains("Open the folder"));
    QVERIFY(offered);
  }

  // Another token: the model goes on from it; to keep the rest as it was is the other choice.
  void another_token_goes_on_from_there() {
    open();
    window_->panels().raise("outputs");
    settle();
    auto* list = window_->findChild<OutputView*>();
    const OutputLayout& layout = list->output_layout();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, layout.candidate_rect(3, 1).center().toPoint());
    settle();
    const Document& document = window_->session().document();
    QVERIFY(document.target && document.prefix);
    QCOMPARE(document.target->size(), std::size_t{4});
    QVERIFY(window_->result()->steps.size() > 4);
    window_->actions()["reset"]->trigger();
    settle();
    const QPoint at = layout.candidate_rect(3, 1).center().toPoint();
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, list->viewport()->mapToGlobal(at));
    QCoreApplication::sendEvent(list->viewport(), &event);
    auto* menu = window_->findChild<OutputPanel*>()->findChild<QMenu*>();
    QVERIFY(menu && menu->actions().size() >= 2);
    menu->actions()[1]->trigger();
    menu->close();
    settle();
    QVERIFY(window_->session().document().target && !window_->session().document().prefix);
    QVERIFY(window_->session().document().target->size() > 4);
  }

  // By hand: shares of .5 and .3 are named in reading order, .15 is not; padding is never named.
  void a_step_is_told_in_one_line() {
    AttentionMap map;
    map.rows.resize(1);
    map.row_sources = {{-1, 0, 4, 4, 4, -1}};
    for (const char* text : {"o", "v", "e", " "}) map.columns.emplace_back().text = text;
    map.columns.back().padding = true;
    map.key_of_column = {0, 1, 2, 3};
    map.own = Tensor({1, 1, 4});
    const auto told = [&](std::array<Scalar, 4> weights) {
      std::ranges::copy(weights, map.own.data());
      return step_sentence("1", &map, 0);
    };
    QCOMPARE(told({0.3f, 0.15f, 0.5f, 0.05f}), QString("writes ‘1’: looks at ‘o’ and ‘e’"));
    QCOMPARE(told({0.1f, 0.1f, 0.2f, 0.6f}), QString("writes ‘1’: looks behind the text"));
    QCOMPARE(told({0.19f, 0.19f, 0.19f, 0.43f}), QString("writes ‘1’: looks at much at once"));
    QCOMPARE(told({0.3f, 0.3f, 0.4f, 0.0f}), QString("writes ‘1’: looks at ‘o’, ‘v’ and ‘e’"));
    QCOMPARE(step_sentence("1", nullptr, -1), QString("writes ‘1’"));
  }

  // Play walks from output to output, slowly, and says what happens.
  void play_walks_outputs() {
    open();
    window_->panels().raise("steps");
    settle();
    StepperView* stepper = window_->views().stepper();
    QCOMPARE(stepper->stride(), StepperView::Stride::output_step);
    QVERIFY(stepper->speed() <= 1);
    stepper->set_speed(StepperView::kFastest);
    QStringList told;
    connect(&window_->views(), &DocumentViews::stepped, this, [&](int rows) {
      if (rows > 0) told << window_->views().step_sentence();
    });
    stepper->play();
    QTRY_VERIFY_WITH_TIMEOUT(!stepper->playing(), 20000);
    QCOMPARE(told.size(), static_cast<qsizetype>(window_->result()->steps.size()) - 1);
    for (std::size_t i = 0; i < static_cast<std::size_t>(told.size()); ++i)
      QVERIFY2(told[static_cast<qsizetype>(i)].startsWith(
                   QStringLiteral("writes ‘%1’").arg(QString::fromStdString(window_->result()->steps[i].text))),
               qPrintable(told[static_cast<qsizetype>(i)]));
  }
};

HEADLIGHT_WIDGET_TEST(TestSmallThings)

}  // namespace headlight::test_small_things

#include "test_small_things.moc"
