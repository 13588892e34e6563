// Presenting: what is shown, what the remote does, and that everything is as it was at the end.

#include <QApplication>
#include <QCloseEvent>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

#include "app/presentation/presenter.h"
#include "app/presentation/spotlight.h"
#include "tests/test_program.h"
#include "tests/widgets/image_test.h"

namespace headlight::test_presenter {

namespace {

// Something to look at: cells of all weights, and words.
class Scene : public QWidget {
 public:
  using QWidget::QWidget;

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.background());
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 12; ++column) {
        const QRect cell(20 + column * 40, 40 + row * 30, 39, 29);
        const double weight = (row * 12 + column) / 95.0;
        painter.fillRect(cell, theme.weight(weight));
        painter.setPen(Theme::readable_on(theme.weight(weight)));
        painter.drawText(cell, Qt::AlignCenter, QString::number(weight, 'f', 2));
      }
    painter.setPen(theme.text());
    painter.drawText(QRect(20, 8, 400, 24), Qt::AlignVCenter, "decoder.step[2].attention.weights");
  }
};

// A line with a field, a picture, and what is around it.
class Window : public QWidget {
 public:
  Window() {
    resize(900, 600);
    auto* rows = new QVBoxLayout(this);
    menus = new QLabel("File", this);
    field = new QLineEdit(this);
    rows->addWidget(menus);
    rows->addWidget(field);
    auto* across = new QHBoxLayout;
    rows->addLayout(across, 1);
    panel = new QWidget(this);
    panel->setFocusPolicy(Qt::StrongFocus);
    panel->setMinimumSize(60, 60);
    side = new QLabel("inspector", this);
    edits = new QLabel("edits", this);
    below = new QLabel("steps", this);
    for (QWidget* each : {panel, static_cast<QWidget*>(side), static_cast<QWidget*>(edits)}) across->addWidget(each);
    rows->addWidget(below);
    edits->hide();
  }
  // What a person sees of the arrangement.
  QStringList look() const {
    // Without the frame, which a window system adds when it likes.
    const QRect window = geometry();
    QStringList look{QString("window %1 %2 %3 %4, %5")
                         .arg(window.x())
                         .arg(window.y())
                         .arg(window.width())
                         .arg(window.height())
                         .arg(windowState())};
    for (const QWidget* part : parts()) {
      const QRect at = part->geometry();
      look << QString("%1 %2: %3 %4 %5 %6")
                  .arg(part->metaObject()->className(), part->isHidden() ? "hidden" : "shown")
                  .arg(part->isHidden() ? 0 : at.x())
                  .arg(part->isHidden() ? 0 : at.y())
                  .arg(part->isHidden() ? 0 : at.width())
                  .arg(part->isHidden() ? 0 : at.height());
    }
    return look;
  }
  QList<QWidget*> around() const { return {menus, side, edits, below}; }
  QList<const QWidget*> parts() const { return {menus, field, panel, side, edits, below}; }
  QList<const QWidget*> shown() const {
    QList<const QWidget*> shown;
    for (const QWidget* part : parts())
      if (!part->isHidden()) shown << part;
    return shown;
  }

  QLabel *menus, *side, *edits, *below;
  QLineEdit* field;
  QWidget* panel;
};

void settle() {
  for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
}

}  // namespace

class TestPresenter : public QObject {
  Q_OBJECT
  std::unique_ptr<Window> window_;
  Presenter* presenter_ = nullptr;

  QWidget* panel() { return window_->panel; }
  void start() {
    presenter_->start(panel(), window_->around());
    settle();
  }
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QWidget* focus = window_->focusWidget() ? window_->focusWidget() : window_.get();
    QTest::keyClick(focus, key, modifiers);
  }
  Spotlight* sheet() { return window_->findChild<Spotlight*>(); }

 private slots:
  void init() {
    Theme::instance().set(Theme::Mode::dark, 1.15);
    window_ = std::make_unique<Window>();
    presenter_ = new Presenter(window_.get());
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    window_->move(40, 30);
    window_->activateWindow();
    settle();
  }
  void cleanup() {
    window_.reset();
    Theme::instance().set(Theme::Mode::light, 1);
  }

  void only_the_stage_is_shown() {
    QSignalSpy active(presenter_, &Presenter::activeChanged);
    start();
    QVERIFY(presenter_->is_active());
    QCOMPARE(active, (QList<QVariantList>{{true}}));
    QVERIFY(window_->isFullScreen());
    const QList<const QWidget*> expected{window_->field, window_->panel};
    QCOMPARE(window_->shown(), expected);
    QCOMPARE(Theme::instance().mode(), Theme::Mode::projector);
    QVERIFY(Theme::instance().font_scale() >= 1.15 * 1.5);
    QVERIFY(QFontMetricsF(QApplication::font()).capHeight() >= window_->height() / 45.0 - 1);
    QCOMPARE(window_->focusWidget(), panel());
  }

  void a_field_that_has_gone_gets_no_keys() {
    window_->field->setFocus();
    QSignalSpy free(presenter_, &Presenter::keyboardFree);
    start();
    window_->field->hide();
    presenter_->stop();
    settle();
    QCOMPARE(free.size(), 1);
    window_->field->show();
  }

  void everything_is_as_it_was() {
    const QStringList before = window_->look();
    window_->field->setFocus();
    start();
    QVERIFY(window_->look() != before);
    presenter_->set_spotlight(true);
    presenter_->stop();
    settle();
    QCOMPARE(window_->look(), before);
    QCOMPARE(Theme::instance().mode(), Theme::Mode::dark);
    QCOMPARE(Theme::instance().font_scale(), 1.15);
    QCOMPARE(window_->focusWidget(), window_->field);
    QVERIFY(!sheet());
    // And once more: nothing has worn off.
    start();
    presenter_->stop();
    settle();
    QCOMPARE(window_->look(), before);
  }

  // Maximised, as large as the screen, or neither: as it was before, from whichever of them one came.
  void the_window_is_as_large_as_before_data() {
    QTest::addColumn<int>("state");
    QTest::newRow("as it was") << int(Qt::WindowNoState);
    QTest::newRow("maximised") << int(Qt::WindowMaximized);
    QTest::newRow("full screen") << int(Qt::WindowFullScreen);
    QTest::newRow("maximised, then full screen") << int(Qt::WindowMaximized | Qt::WindowFullScreen);
  }
  void the_window_is_as_large_as_before() {
    QFETCH(int, state);
    window_->setWindowState(Qt::WindowStates(state));
    settle();
    const QStringList before = window_->look();
    for (int i = 0; i < 2; ++i) {
      start();
      QVERIFY(window_->isFullScreen());
      presenter_->stop();
      settle();
      QCOMPARE(int(window_->windowState() & ~Qt::WindowActive), state);
      QCOMPARE(window_->look(), before);
    }
  }

  void the_arrangement_is_noted_and_put_back() {
    QByteArray now = "before", back;
    presenter_->set_layout([&now] { return now; }, [&back](const QByteArray& layout) { back = layout; });
    start();
    now = "while presenting";
    presenter_->stop();
    QCOMPARE(back, QByteArray("before"));
  }

  // What a window remembers when it is closed is how it was before.
  void closing_the_window_puts_everything_back_first() {
    struct Closing : QObject {
      std::function<void()> closing;
      bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Close) closing();
        return false;
      }
    } watcher;
    const QStringList before = window_->look();
    const QRect place = window_->geometry();
    QStringList closed;
    // Filters of the window come after those of the application, and before the window itself.
    watcher.closing = [&] {
      QVERIFY(!presenter_->is_active());
      QCOMPARE(window_->geometry(), place);
      QCOMPARE(Theme::instance().mode(), Theme::Mode::dark);
      closed = window_->look();
    };
    window_->installEventFilter(&watcher);
    start();
    window_->close();
    QCOMPARE(closed, before);
  }

  void deleting_the_window_puts_the_colours_back() {
    start();
    window_.reset();
    QCOMPARE(Theme::instance().mode(), Theme::Mode::dark);
    QCOMPARE(Theme::instance().font_scale(), 1.15);
  }

  void panels_that_come_up_meanwhile_wait() {
    start();
    window_->side->show();
    settle();
    QVERIFY(window_->side->isHidden());
  }

  void the_remote_steps() {
    QSignalSpy steps(presenter_, &Presenter::step);
    press(Qt::Key_PageDown);
    QVERIFY(steps.isEmpty());  // not before it has begun
    start();
    for (const Qt::Key key : {Qt::Key_PageDown, Qt::Key_Right, Qt::Key_Space, Qt::Key_PageUp, Qt::Key_Left}) press(key);
    QCOMPARE(steps, (QList<QVariantList>{{1}, {1}, {1}, {-1}, {-1}}));
    press(Qt::Key_Right, Qt::ControlModifier);
    press(Qt::Key_Down);
    QCOMPARE(steps.size(), 5);
    press(Qt::Key_Escape);
    QVERIFY(!presenter_->is_active());
    press(Qt::Key_PageDown);
    QCOMPARE(steps.size(), 5);
  }

  void shortcuts_do_not_take_its_keys() {
    auto* action = new QAction(window_.get());
    action->setShortcut(Qt::Key_PageDown);
    window_->addAction(action);
    QSignalSpy triggered(action, &QAction::triggered), steps(presenter_, &Presenter::step);
    start();
    press(Qt::Key_PageDown);
    QVERIFY(triggered.isEmpty());
    QCOMPARE(steps.size(), 1);
  }

  // Larger type there is another choice than larger type in the window.
  void its_type_is_its_own() {
    QVERIFY(!presenter_->change_type(1));
    start();
    const double first = Theme::instance().font_scale();
    QSignalSpy factors(presenter_, &Presenter::factorChanged);
    QVERIFY(presenter_->change_type(1));
    QCOMPARE(factors.size(), 1);
    const double larger = Theme::instance().font_scale();
    QVERIFY(larger > 1.1 * first);
    presenter_->stop();
    settle();
    QCOMPARE(Theme::instance().font_scale(), 1.15);
    start();
    QVERIFY(std::abs(Theme::instance().font_scale() - larger) < 0.02);
    presenter_->change_type(0);
    QVERIFY(std::abs(Theme::instance().font_scale() - first) < 0.02);
  }

  void who_types_types() {
    start();
    QSignalSpy steps(presenter_, &Presenter::step);
    window_->field->setFocus();
    QTest::keyClicks(window_->field, "b. s");
    QCOMPARE(window_->field->text(), QString("b. s"));
    press(Qt::Key_Left);
    QVERIFY(steps.isEmpty() && !presenter_->is_spotlight_on() && !sheet()->is_blank());
    press(Qt::Key_PageDown);
    QCOMPARE(steps.size(), 1);
  }

  // What is typed ends with Enter or with the remote; then its letters are the remote's again.
  void the_keyboard_comes_back_from_a_text() {
    start();
    QSignalSpy freed(presenter_, &Presenter::keyboardFree);
    window_->field->setFocus();
    QTest::keyClicks(window_->field, "bus");
    QVERIFY(freed.isEmpty());
    press(Qt::Key_Return);
    QTRY_COMPARE(freed.size(), 1);
    window_->field->setFocus();
    press(Qt::Key_PageUp);
    QCOMPARE(freed.size(), 2);
    panel()->setFocus();
    press(Qt::Key_PageDown);
    QCOMPARE(freed.size(), 2);
  }

  // A field of whole numbers takes digits; letters, and the period, belong to the remote.
  void who_counts_types_no_letters() {
    auto* hands = new QSpinBox(window_.get());
    auto* share = new QDoubleSpinBox(window_.get());
    for (QWidget* each : {static_cast<QWidget*>(hands), static_cast<QWidget*>(share)})
      window_->layout()->addWidget(each);
    start();
    QSignalSpy votes(presenter_, &Presenter::voteWanted);
    hands->setFocus();
    hands->selectAll();
    QTest::keyClicks(hands, "17");
    QCOMPARE(hands->value(), 17);
    QTest::keyClick(hands, Qt::Key_V);
    QCOMPARE(votes.size(), 1);
    QTest::keyClick(hands, Qt::Key_S);
    QVERIFY(presenter_->is_spotlight_on());
    QTest::keyClick(hands, Qt::Key_Period);
    QVERIFY(sheet()->is_blank());
    QTest::keyClick(hands, Qt::Key_B);
    QVERIFY(!sheet()->is_blank());
    QCOMPARE(hands->value(), 17);
    // A number with decimals needs its point.
    share->setFocus();
    share->selectAll();
    QTest::keyClicks(share, "2.5");
    QCOMPARE(share->value(), 2.5);
  }

  // Wherever the keyboard is: in a window of its own as well, but not in a question that waits.
  void the_remote_works_from_windows_beside_it() {
    QWidget beside(window_.get(), Qt::Window);
    QLineEdit note(&beside);
    start();
    QSignalSpy steps(presenter_, &Presenter::step);
    QTest::keyClick(&beside, Qt::Key_Right);
    QTest::keyClick(&note, Qt::Key_PageDown);
    QCOMPARE(steps.size(), 2);
    QTest::keyClicks(&note, "bs");
    QCOMPARE(note.text(), QString("bs"));
    QWidget question(window_.get(), Qt::Dialog);
    question.setWindowModality(Qt::WindowModal);
    QTest::keyClick(&question, Qt::Key_PageDown);
    QCOMPARE(steps.size(), 2);
    QTest::keyClick(&beside, Qt::Key_F5);
    QVERIFY(!presenter_->is_active());
  }

  void a_white_screen() {
    start();
    press(Qt::Key_W);
    QVERIFY(sheet()->is_blank());
    const QImage white = window_->grab().toImage();
    QCOMPARE(white.pixelColor(white.width() / 2, white.height() / 2), QColor(Qt::white));
    press(Qt::Key_W);
    QVERIFY(!sheet()->is_blank());
  }

  void a_black_screen_ends_with_any_of_the_keys() {
    start();
    QSignalSpy steps(presenter_, &Presenter::step);
    for (const Qt::Key key : {Qt::Key_B, Qt::Key_Period}) {
      press(key);
      QVERIFY(sheet()->is_blank());
      const QImage black = window_->grab().toImage();
      QCOMPARE(black.pixelColor(black.width() / 2, black.height() / 2), QColor(Qt::black));
      press(Qt::Key_PageDown);
      QVERIFY(!sheet()->is_blank());
    }
    QVERIFY(steps.isEmpty());
    press(Qt::Key_B);
    press(Qt::Key_Escape);
    QVERIFY(presenter_->is_active());
  }

  void the_light_follows_what_it_is_told() {
    QList<QRectF> spots{QRectF(100, 80, 60, 40), QRectF(20, 80, 30, 40)};
    presenter_->set_spot([&spots] { return spots; });
    start();
    QVERIFY(sheet()->holes().isEmpty());
    press(Qt::Key_S);
    QCOMPARE(sheet()->holes(), spots);
    spots = {QRectF(-10, 200, 110, 50), QRectF(-80, 0, 40, 40)};
    QTRY_COMPARE(sheet()->holes(), QList<QRectF>{QRectF(0, 200, 100, 50)});  // as far as there is a window
    // It lies over panels that are made later.
    auto* late = new QWidget(window_.get());
    late->show();
    QTRY_COMPARE(window_->children().last(), sheet());
    press(Qt::Key_S);
    QVERIFY(sheet()->holes().isEmpty());
    QVERIFY(!presenter_->is_spotlight_on());
  }

  void the_hint_goes_by_itself() {
    QSignalSpy hints(presenter_, &Presenter::hintChanged);
    start();
    QCOMPARE(hints.size(), 1);
    const QString hint = hints.takeFirst().at(0).toString();
    for (const char* word : {"PageDown", "spotlight", "Esc"}) QVERIFY(hint.contains(word));
    QTRY_COMPARE_WITH_TIMEOUT(hints.size(), 1, 30000);
    QVERIFY(hints.takeFirst().at(0).toString().isEmpty());
    // The first key of the remote takes it away as well.
    presenter_->stop();
    start();
    hints.clear();
    press(Qt::Key_S);
    QVERIFY(!hints.isEmpty() && hints.last().at(0).toString().isEmpty());
  }

  // Transparent in the hole, as dark as it gets far from it, and never darker nearer to the hole.
  void the_edge_of_the_hole_is_soft() {
    Theme::instance().set_mode(Theme::Mode::light);
    QImage image(300, 200, QImage::Format_ARGB32);
    image.fill(Qt::white);
    {
      QPainter painter(&image);
      paint_spotlight(painter, image.rect(), {QRectF(100, 60, 100, 80)});
    }
    QCOMPARE(image.pixelColor(150, 100), QColor(Qt::white));
    const int darkest = image.pixelColor(0, 0).lightness();
    QVERIFY(darkest < 110 && darkest > 40);
    QCOMPARE(image.pixelColor(5, 100).lightness(), darkest);
    int before = 256, levels = 0;
    for (int x = 203; x < 260; ++x) {
      const int here = image.pixelColor(x, 100).lightness();
      QVERIFY2(here <= before, qPrintable(QString::number(x)));
      levels += here < before ? 1 : 0;
      before = here;
    }
    QVERIFY(levels > 3);
    const QColor ring = image.pixelColor(200, 100);
    QVERIFY(ring.saturation() < 40 && ring.lightness() < 128);
    QCOMPARE(image.pixelColor(210, 100).lightness(), darkest);  // a row beside it is out of the light
    QCOMPARE(before, darkest);
    QImage plain(300, 200, QImage::Format_ARGB32);
    plain.fill(Qt::white);
    {
      QPainter painter(&plain);
      paint_spotlight(painter, plain.rect(), {});
    }
    QCOMPARE(plain.pixelColor(0, 0), QColor(Qt::white));
  }

  void pictures_data() {
    QTest::addColumn<int>("mode");
    QTest::addColumn<QString>("name");
    QTest::newRow("light") << static_cast<int>(Theme::Mode::light) << "spotlight_light";
    QTest::newRow("dark") << static_cast<int>(Theme::Mode::dark) << "spotlight_dark";
    QTest::newRow("projector") << static_cast<int>(Theme::Mode::projector) << "spotlight_projector";
  }
  void pictures() {
    QFETCH(int, mode);
    QFETCH(QString, name);
    Theme::instance().set(static_cast<Theme::Mode>(mode), 1);
    Scene scene;
    scene.resize(520, 300);
    Spotlight sheet(&scene);
    // A cell and its two labels: light where any of them is, also where two overlap.
    sheet.set_holes({QRectF(136, 124, 168, 68), QRectF(14, 130, 30, 40), QRectF(40, 120, 120, 30)});
    show_at(scene, {520, 300});
    COMPARE_IMAGE(scene, name);
  }
};

HEADLIGHT_WIDGET_TEST(TestPresenter)

}  // namespace headlight::test_presenter

#include "test_presenter.moc"
