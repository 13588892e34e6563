// A picture of every view of the table: light and dark, English and Chinese, at two pixel ratios; and what every view
// owes a person: a name for screen readers, and exports.

#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QDockWidget>
#include <QPainter>
#include <QPixmap>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/language.h"
#include "app/window/appearance.h"
#include "app/window/main_window.h"
#include "app/window/view_table.h"
#include "model/core/clock.h"
#include "model/io/model_folder.h"
#include "tests/test_program.h"
#include "tests/widgets/image_test.h"
#include "tests/widgets/wrong_pictures.h"

namespace headlight {

namespace {

// A model that has what a view shows, a text for it, and edits with spaces between them.
struct Example {
  const char *view, *model, *source, *edits = "";
};
constexpr Example kExamples[] = {
    {"alignment", "date-attention", "AUGUST 23, 1983"},
    {"heads", "story-gpt", "anna sees tom in the"},
    {"ribbons", "masked-bert", "the keys to the old cabinet [MASK] on the table."},
    {"positions", "copy-transformer", "a b c d"},
    {"query-key", "date-transformer", "AUGUST 23, 1983"},
    {"local-window", "toy-mt-local", "the girl sees the big red house"},
    {"memory", "copy-ntm", "Hello"},
    {"states", "grammar-bahdanau", "the cat sleeps ."},
    {"outputs", "grammar-bahdanau", "the cat sleeps ."},
    {"computation", "date-attention", "AUGUST 23, 1983"},

    {"mechanism", "date-attention", "AUGUST 23, 1983"},
    {"steps", "date-attention", "AUGUST 23, 1983"},
    {"values", "date-attention", "AUGUST 23, 1983"},
    // It shows nine digits, and those of a number that was computed depend on the processor. Where two scores stand far
    // above the others, their shares are halves on every one.
    {"inspector", "date-attention", "AUGUST 23, 1983",
     "decoder.step[5].attention.scores[3]=32 decoder.step[5].attention.scores[4]=32"},
    {"differences", "date-attention", "AUGUST 23, 1983",
     "decoder.step[2].attention.weights[3]~0.8 decoder.step[5].attention.scores[28]=-inf encoder.embed.out[27,:]=0 "
     "decoder.init.h*2 decoder.step[40].attention.scores[3]=-inf"},
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
  for (const ViewRow& row : view_table()) names << row.name;
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
    QTRY_VERIFY_WITH_TIMEOUT(!window_->computer().busy(), 30000);
    QCoreApplication::processEvents();
    // One run after the other: each is the one before for the next.
    for (const QString& edit : QString(example.edits).split(' ', Qt::SkipEmptyParts)) {
      window_->session().add_intervention(parse_intervention(edit.toStdString()));
      QTRY_VERIFY_WITH_TIMEOUT(!window_->computer().busy(), 30000);
      QCoreApplication::processEvents();
    }
  }
  void show(const QString& view) {
    const Example* example = example_of(view);
    QVERIFY2(example, qPrintable("no example for the view " + view));
    open(*example);
    QVERIFY2(window_->panels().raise(view), qPrintable(view + " is not offered by its example"));
    // As a window of its own it has a size of its own.
    auto* dock = window_->findChild<QDockWidget*>(view);
    dock->setFloating(true);
    dock->resize(640, 440);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->companion().busy(), 60000);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  static QImage picture(QWidget& widget, int ratio) {
    QPixmap pixmap(widget.size() * ratio);
    pixmap.setDevicePixelRatio(ratio);
    widget.render(&pixmap);
    return pixmap.toImage();
  }

  // The test of the test: noise that nobody sees is let through, and nothing that somebody would see.
  static void wrong_pictures_fail(QWidget& widget) {
    const QImage right = picture(widget, 1);
    QCOMPARE(image_problem(picture(widget, 1), right), QString());
    QCOMPARE(image_problem(wrong::noisy(right, ImageRule().channel, 0.0005), right), QString());
    QCOMPARE(image_problem(wrong::drawn(widget, true), right), QString());
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
    QVERIFY_EXCEPTION_THROWN(picture.write(folder.filePath("missing/x.png")), Error);
    QVERIFY_EXCEPTION_THROWN(picture.write(folder.filePath("x.docx")), Error);
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

}  // namespace headlight

HEADLIGHT_WIDGET_TEST(headlight::TestViewPictures)
#include "test_view_pictures.moc"
