// A picture of every view of the table: light and dark, English and Chinese, at two pixel ratios; and what every view
// owes a person: a name for screen readers, and exports.

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QPainter>
#include <QPixmap>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>

#include "app/appearance.h"
#include "app/language.h"
#include "app/stage/panel_frame.h"
#include "app/stage/view_table.h"
#include "app/window/main_window.h"
#include "model/core/clock.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "tests/widgets/image_test.h"
#include "tests/widgets/wrong_pictures.h"
#include "widgets/canvas/canvas.h"
#include "widgets/tables/table_pane.h"
#include "widgets/views/heads/heads_view.h"
#include "widgets/views/living/view.h"

namespace headlight::test_view_pictures {

namespace {

// A model that has what a view shows, a text for it, and edits with spaces between them.
struct Example {
  const char *view, *model, *source, *edits = "";
  int step = -1;  // the output that is chosen; -1: none
};
constexpr Example kExamples[] = {
    {"alignment", "date-attention", "AUGUST 23, 1983"},
    {"heads", "story-gpt", "anna sees tom in the"},
    {"map", "story-gpt", "anna sees tom in the", "", 3},
    {"origins", "story-gpt", "anna sees tom in the", "", 3},
    {"ribbons", "masked-bert", "the keys to the old cabinet [MASK] on the table."},
    {"positions", "copy-transformer", "a b c d"},
    {"query-key", "date-transformer", "AUGUST 23, 1983"},
    {"local-window", "toy-mt-local", "the girl sees the big red house"},
    {"score-parts", "reverse-transformer", "31415926"},
    {"gradients", "grammar-bahdanau", "the cat sleeps ."},
    {"cone", "grammar-convs2s", "the young american actress bought a red car."},
    {"memory", "copy-ntm", "Hello"},
    {"experts", HEADLIGHT_TEST_DATA "/families/granitemoe", "def add(a, b):", "", 1},
    {"states", "grammar-bahdanau", "the cat sleeps ."},
    {"merges", "tatoeba-transformer", "Misunderstandings happen everywhere."},
    {"outputs", "grammar-bahdanau", "the cat sleeps ."},
    {"choosing", "story-gpt", "anna sees tom in the", "", 3},
    {"kv-cache", "story-gpt", "anna sees tom in the", "", 3},
    {"cost", "date-attention", "AUGUST 23, 1983"},
    {"explain", "date-attention", "AUGUST 23, 1983"},

    {"mechanism", "date-attention", "AUGUST 23, 1983"},
    {"steps", "date-attention", "AUGUST 23, 1983"},
    {"values", "date-attention", "AUGUST 23, 1983"},
    {"texts", "date-attention", "AUGUST 23, 1983"},
    // It shows nine digits, and those of a number that was computed depend on the processor. Where two scores stand far
    // above the others, their shares are halves on every one.
    {"inspector", "date-attention", "AUGUST 23, 1983",
     "decoder.step[5].attention.scores[3]=32 decoder.step[5].attention.scores[4]=32 "
     "decoder.step[5].attention.scores[8]=-1"},
    {"differences", "date-attention", "AUGUST 23, 1983",
     "decoder.step[2].attention.weights[3]~0.8 decoder.step[5].attention.scores[28]=-inf encoder.embed.out[27,:]=0 "
     "decoder.init.h*2 decoder.step[40].attention.scores[3]=-inf"},
    {"help", "date-attention", "AUGUST 23, 1983"},
    {"compare", "date-dot", "AUGUST 23, 1983", "decoder.step[5].attention.weights[3]~0.9"},
    {"history", "toy-mt-luong", "the girl sees the big red house"},
};

const Example* example_of(const QString& view) {
  for (const Example& each : kExamples)
    if (view == QLatin1String(each.view)) return &each;
  return nullptr;
}

QStringList view_names() {
  QStringList names;
  for (const ViewRow& row : view_table())
    if (row.name != std::string_view("chat"))
      names << row.name;  // no bundled model has a template: test_chat_window.cpp
  for (const ViewRow& row : number_panels()) names << row.name;
  return names;
}

}  // namespace

class TestViewPictures : public QObject {
  Q_OBJECT

  QTemporaryDir settings_;
  std::unique_ptr<MainWindow> window_;
  QString opened_;  // model and edits

  // The window with this model and these edits; made once for the views that share one.
  void open(const Example& example) {
    const QString wanted = QStringLiteral("%1 %2").arg(example.model, example.edits);
    if (window_ && opened_ == wanted) return;
    window_.reset();
    opened_ = wanted;
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no);
    Document document;
    document.model = load_model(example.model);
    document.source = example.source;
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    QCoreApplication::processEvents();
    // One run after the other: each is the one before for the next.
    for (const QString& edit : QString(example.edits).split(' ', Qt::SkipEmptyParts)) {
      window_->session().add_intervention(parse_intervention(edit.toStdString()));
      QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
      QCoreApplication::processEvents();
    }
  }
  void show(const QString& view) {
    const Example* example = example_of(view);
    QVERIFY2(example, qPrintable("no example for the view " + view));
    open(*example);
    if (example->step >= 0) {
      SelectionState chosen;
      chosen.step = example->step;
      window_->selection().set(chosen);
    }
    QVERIFY2(window_->panels().raise(view), qPrintable(view + " is not offered by its example"));
    if (auto* heads = qobject_cast<HeadsView*>(window_->panels().picture(view).view)) heads->open({});  // all of them
    // As a window of its own it has a size of its own.
    window_->panels().set_out(view, true);
    window_->panels().frame(view)->resize(640, 440);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->side_runs().busy(), 200000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  // Without the ring of whatever has the keyboard, which depends on the pictures before. A map of many ribbons is
  // painted beside the window's thread: what is there at first is not yet its picture.
  static QImage picture(QWidget& widget, int ratio) {
    if (QWidget* focus = QApplication::focusWidget()) focus->clearFocus();
    const auto* map = widget.findChild<LivingView*>();
    if (!map) map = qobject_cast<LivingView*>(&widget);
    QPixmap pixmap(widget.size() * ratio);
    pixmap.setDevicePixelRatio(ratio);
    for (int i = 0; i < 3000; ++i) {
      widget.render(&pixmap);
      if (!map || map->is_sharp()) break;
      QTest::qWait(10);
    }
    return pixmap.toImage();
  }

  static void keys_and_buttons_of(Canvas& canvas) {
    QWidget* seen = canvas.viewport();
    const auto look = [&] {
      for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
      return seen->grab().toImage();
    };
    const auto settled = [&] {  // the map flies
      QImage before, now = look();
      do {
        QTest::qWait(20);
        before = std::exchange(now, look());
      } while (now != before);
      return now;
    };
    const auto key = [&](int which, Qt::KeyboardModifiers modifiers = {}) {
      QTest::keyClick(&canvas, static_cast<Qt::Key>(which), modifiers);
      return canvas.accessibleDescription();
    };
    const auto wheel = [&](Qt::KeyboardModifiers modifiers) {
      const QPointF at = seen->rect().center();
      QWheelEvent event(at, seen->mapToGlobal(at), {}, {0, 240}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(seen, &event);
    };
    const auto drag = [&](Qt::MouseButton button, QPoint by) {
      const QPoint from = seen->rect().center(), to = from + by;
      QTest::mousePress(seen, button, {}, from);
      QMouseEvent move(QEvent::MouseMove, to, seen->mapToGlobal(to), Qt::NoButton, button, {});
      QCoreApplication::sendEvent(seen, &move);
      QTest::mouseRelease(seen, button, {}, to);
    };
    const QScrollBar &across = *canvas.horizontalScrollBar(), &down = *canvas.verticalScrollBar();
    const bool heatmap = canvas.inherits("headlight::Heatmap"), scrolls = !canvas.wheel_zooms();
    canvas.setFocus(Qt::TabFocusReason);

    // Home and End are ends; a page is a few rows.
    const QString first = key(Qt::Key_Home), last = key(Qt::Key_End);
    QCOMPARE(key(Qt::Key_End), last);
    QCOMPARE(key(Qt::Key_Home), first);
    if (scrolls || heatmap) {  // the map has no rows
      const QString top = key(Qt::Key_Home, Qt::ControlModifier), below = key(Qt::Key_PageDown);
      QString at = key(Qt::Key_Home, Qt::ControlModifier);
      QCOMPARE(at, top);
      for (int i = 0; i < 10 && at != below; ++i) at = key(Qt::Key_Down);
      QCOMPARE(at, below);
      key(Qt::Key_Home, Qt::ControlModifier);
    }

    // Zoom.
    key(Qt::Key_0);
    const QImage all = settled();
    QCOMPARE(across.maximum(), 0);
    QCOMPARE(down.maximum(), 0);
    key(Qt::Key_Plus);
    QVERIFY(look() != all);
    key(Qt::Key_0);
    QCOMPARE(settled(), all);
    wheel(Qt::ControlModifier);
    QVERIFY(look() != all);
    key(Qt::Key_0);
    QCOMPARE(settled(), all);
    wheel({});
    QCOMPARE(look() != all, !scrolls);
    key(Qt::Key_0);
    settled();

    // The middle button chooses nothing, and moves what is seen.
    const QString chosen = canvas.accessibleDescription();
    drag(Qt::MiddleButton, {0, 0});
    drag(Qt::RightButton, {3, 3});
    QCOMPARE(canvas.accessibleDescription(), chosen);
    for (int i = 0; i < 6; ++i) key(Qt::Key_Plus);
    QCoreApplication::processEvents();
    if (!heatmap && scrolls && across.maximum() == 0 && down.maximum() == 0) return;
    const QImage before = look();
    drag(Qt::MiddleButton, {-40, -40});
    drag(Qt::MiddleButton, {20, 20});
    QVERIFY(look() != before);
    QCOMPARE(canvas.accessibleDescription(), chosen);
    key(Qt::Key_0);
  }

  // The test of the test: noise that nobody sees is let through, and nothing that somebody would see.
  static void wrong_pictures_fail(QWidget& widget) {
    const QImage right = picture(widget, 1);
    QCOMPARE(image_problem(picture(widget, 1), right), QString());
    QCOMPARE(image_problem(wrong::noisy(right, ImageRule().channel, 0.0005), right), QString());
    // By another device, which does not set figures under figures.
    QCOMPARE(image_problem(wrong::drawn(widget, true), right, {.tile_share = 0.3, .share = 0.025}), QString());
    const auto fails = [&](const char* how, const QImage& other) {
      QVERIFY2(!image_problem(other, right).isEmpty(), how);
    };
    fails("blank", wrong::blank(right));
    for (const QPoint by : {QPoint(1, 0), QPoint(-1, 0), QPoint(0, 1), QPoint(0, -1)})
      fails("shifted by a pixel", wrong::shifted(right, by));
    fails("faded", wrong::faded(right));
    fails("without its texts", wrong::drawn(widget, false));
    set_language("zh_CN");
    QCoreApplication::processEvents();
    fails("in Chinese", picture(widget, 1));
    set_language("en");
    Theme::instance().set_mode(Theme::Mode::dark);
    QCoreApplication::processEvents();
    fails("dark", picture(widget, 1));
  }

  // Ctrl+T opens the numbers beside the picture; a file has the same, in the same order.
  void has_a_table(const QString& view, const QString& path) {
    QWidget* widget = window_->panels().picture(view).view;
    const QImage before = picture(*widget, 1);
    const int width = widget->width(), height = widget->height();
    window_->panels().set_table_shown(view, true);
    QCoreApplication::processEvents();
    const TablePane* pane = window_->panels().table_pane(view);
    QVERIFY(pane && pane->isVisible() && widget->isVisible());
    QVERIFY(widget->width() < width || widget->height() < height);
    QAbstractItemModel* table = pane->cells()->model();
    QVERIFY(table->rowCount() > 0 && table->columnCount() > 0);
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(pane->cells());
    QVERIFY(face && face->tableInterface() && !face->text(QAccessible::Name).isEmpty());
    QCOMPARE(face->tableInterface()->rowCount(), table->rowCount());
    for (int column = 0; column < table->columnCount(); ++column)
      QVERIFY(!table->headerData(column, Qt::Horizontal).toString().isEmpty());
    pane->cells()->sortByColumn(table->columnCount() - 1, Qt::DescendingOrder);
    const auto written = [&] {
      window_->panels().picture(view).write(path);
      QFile file(path);
      const QByteArray csv = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
      return csv.startsWith('#') ? csv.mid(csv.indexOf('\n') + 1) : csv;  // without what it is about
    };
    QCOMPARE(written(), table_csv(*table));
    pane->cells()->sortByColumn(-1, Qt::AscendingOrder);
    QCOMPARE(written(), table_csv(*table));
    window_->panels().set_table_shown(view, false);
    QVERIFY(!window_->panels().table_pane(view));
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
    QCOMPARE(widget->size(), QSize(width, height));
    QCOMPARE(image_problem(picture(*widget, 1), before), QString());
  }

 private slots:
  void initTestCase() {
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, settings_.path());
    load_resources();
    run_clock = [] { return 0.0; };  // some views say how long a run took
  }
  void cleanup() {
    Theme::instance().set_mode(Theme::Mode::light);
    set_language("en");
  }
  void cleanupTestCase() {
    window_.reset();
    run_clock = &steady_seconds;
  }

  void looks_as_it_should_data() {
    QTest::addColumn<QString>("view");
    QTest::addColumn<QString>("style");
    QTest::addColumn<int>("ratio");
    // The views of a model stand together, so that its window is made once.
    for (const Example& each : kExamples) {
      for (const char* style : {"light", "dark", "zh"})
        for (const int ratio : {1, 2})
          QTest::addRow("%s %s %d", each.view, style, ratio) << QString(each.view) << QString(style) << ratio;
      QTest::addRow("%s and nothing else", each.view) << QString(each.view) << QString("wrong") << 1;
    }
  }
  void looks_as_it_should() {
    QFETCH(QString, view);
    QFETCH(QString, style);
    QFETCH(int, ratio);
    Theme::instance().set_mode(style == "dark" ? Theme::Mode::dark : Theme::Mode::light);
    set_language(style == "zh" ? "zh_CN" : "en");
    show(view);
    QWidget* widget = window_->panels().picture(view).view;
    if (style == "wrong") return wrong_pictures_fail(*widget);
    COMPARE_IMAGE(picture(*widget, ratio), QString("view_%1_%2_%3").arg(view, style).arg(ratio));
  }

  void every_view_has_an_example_a_name_and_exports_data() {
    QTest::addColumn<QString>("view");
    for (const QString& view : view_names()) QTest::addRow("%s", qPrintable(view)) << view;
  }
  void every_view_has_an_example_a_name_and_exports() {
    QFETCH(QString, view);
    show(view);
    const WindowPanels::Picture picture = window_->panels().picture(view);
    QVERIFY(!picture.view->accessibleName().isEmpty());
    const QTemporaryDir folder;
    for (const char* ending : {"png", "svg", "pdf"}) {
      const QString path = folder.filePath(view + "." + ending);
      picture.write(path);
      QVERIFY2(QFileInfo(path).size() > 500, qPrintable(path));
    }
    if (std::ranges::find(number_panels(), view, [](const ViewRow& row) { return QString(row.name); }) ==
        number_panels().end())
      has_a_table(view, folder.filePath("x.csv"));
    QVERIFY_EXCEPTION_THROWN(picture.write(folder.filePath("missing/x.png")), Error);
    QVERIFY_EXCEPTION_THROWN(picture.write(folder.filePath("x.docx")), Error);
  }

  // As Help > Keyboard says (widgets/canvas/canvas_keys.h). What a key does exactly is tested with its view.
  void keys_and_buttons_mean_the_same_everywhere_data() { every_view_has_an_example_a_name_and_exports_data(); }
  void keys_and_buttons_mean_the_same_everywhere() {
    QFETCH(QString, view);
    show(view);
    QWidget* panel = window_->panels().picture(view).view;
    QList<Canvas*> canvases = panel->findChildren<Canvas*>();
    if (auto* whole = qobject_cast<Canvas*>(panel)) canvases << whole;
    for (Canvas* canvas : canvases) {
      if (!canvas->isVisible() || canvas->viewport()->width() < 60 || canvas->viewport()->height() < 30) continue;
      keys_and_buttons_of(*canvas);
      if (QTest::currentTestFailed()) return qWarning("in %s", canvas->metaObject()->className());
    }
  }

  // So they do in the strip of tokens, and where the panel of the output shows something else than its list.
  void keys_and_buttons_beside_the_views_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("canvas");
    QTest::newRow("tokens") << "date-attention"
                            << "AUGUST 23, 1983"
                            << "headlight::TokenStrip";
    QTest::newRow("tree") << "grammar-bahdanau"
                          << "the cat sleeps ."
                          << "headlight::BeamView";
    QTest::newRow("guesses") << "masked-bert"
                             << "the keys [MASK] the old cabinet [MASK] on the table."
                             << "headlight::GuessesView";
  }
  void keys_and_buttons_beside_the_views() {
    QFETCH(QString, model);
    QFETCH(QString, source);
    QFETCH(QString, canvas);
    const QByteArray name = model.toUtf8(), text = source.toUtf8();
    open({"", name, text});
    if (canvas.endsWith("BeamView")) {
      DecodeSettings beam;
      beam.kind = DecodeSettings::Kind::beam;
      window_->session().set_decoding(beam, 1);
      QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    }
    window_->panels().raise("outputs");
    window_->resize(820, 560);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
    int found = 0;
    for (Canvas* each : window_->findChildren<Canvas*>()) {
      if (each->metaObject()->className() != canvas) continue;
      ++found;
      QVERIFY(each->isVisible());
      keys_and_buttons_of(*each);
    }
    QCOMPARE(found, 1);
    window_.reset();  // not the window of the other tests
    opened_.clear();
  }

  // Whatever takes the keyboard says what it is.
  void what_takes_the_keyboard_has_a_name() {
    for (const QString& view : view_names()) {
      show(view);
      QWidget* panel = window_->panels().picture(view).view;
      QList<QWidget*> inside = panel->findChildren<QWidget*>();
      inside << panel;
      for (const QWidget* widget : inside) {
        // The field inside a spin box has the name of the box.
        if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisible() || widget->focusProxy()) continue;
        if (qobject_cast<QAbstractSpinBox*>(widget->parentWidget())) continue;
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
        QVERIFY(face);
        QVERIFY2(!face->text(QAccessible::Name).isEmpty(),
                 qPrintable(view + ": " + widget->metaObject()->className() + " " + widget->objectName()));
      }
    }
  }
};

HEADLIGHT_WIDGET_TEST(TestViewPictures)

}  // namespace headlight::test_view_pictures

#include "test_view_pictures.moc"
