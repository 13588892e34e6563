// No text of the window is cut: every label, name and button on a grid of sizes, sizes of type, languages and
// arrangements has the room that it needs.

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include "app/language.h"
#include "app/stage/stage.h"
#include "app/text/source_bar.h"
#include "app/window/main_window.h"
#include "tests/app/clipping_grid.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"

namespace headlight::test_clipping {

class TestClipping : public QObject {
  Q_OBJECT

  std::unique_ptr<MainWindow> window_;

  static bool seen(const QWidget* widget) {
    return widget->isVisible() && !widget->visibleRegion().isEmpty() && !widget->size().isEmpty();
  }
  // What of a text is not seen; empty: all of it is.
  static QString cut(const QWidget* widget) {
    const QFontMetrics metrics(widget->font());
    if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
      for (int i = 0; i < tabs->count(); ++i)
        if (tabs->isTabVisible(i) && (metrics.horizontalAdvance(tabs->tabText(i)) > tabs->tabRect(i).width() ||
                                      !tabs->rect().contains(tabs->tabRect(i))))
          return tabs->tabText(i);
    } else if (const auto* label = qobject_cast<const QLabel*>(widget)) {
      if (label->text().isEmpty() || label->textFormat() == Qt::RichText) return {};
      const QRect room = label->contentsRect();
      const int wrap = label->wordWrap() ? static_cast<int>(Qt::TextWordWrap) : 0;
      const QRect needed =
          metrics.boundingRect(QRect(0, 0, room.width(), 100'000), wrap, QString(label->text()).remove('&'));
      if (needed.height() > room.height() + 3 || needed.width() > room.width() + 3) return label->text();
    } else if (const auto* button = qobject_cast<const QToolButton*>(widget)) {
      if (button->toolButtonStyle() == Qt::ToolButtonIconOnly || button->text().isEmpty()) return {};
      if (button->sizeHint().width() > button->width() + 2 || metrics.height() > button->height() + 2)
        return button->text();
    } else if (const auto* other = qobject_cast<const QAbstractButton*>(widget)) {
      if (metrics.horizontalAdvance(QString(other->text()).remove('&')) > other->width()) return other->text();
    }
    return {};
  }

 private slots:
  void initTestCase() { load_resources(); }
  void cleanup() {
    window_.reset();
    testing::no_clipping_window();
  }

  void nothing_is_cut_data() { testing::add_clipping_grid(4); }
  void nothing_is_cut() {
    QFETCH(QSize, size);
    window_ = testing::clipping_window(small_model());
    QVERIFY(window_);
    for (const char* way : Arrangements::kNames) {
      window_->actions()[way]->trigger();
      for (int i = 0; i < 4; ++i) QCoreApplication::processEvents();
      QCOMPARE(window_->size(), size);  // it does not push its own borders out
      for (const QWidget* each : window_->findChildren<QWidget*>()) {
        // What scrolls can be longer than what is seen of it.
        bool scrolls = false;
        for (const QWidget* at = each; at; at = at->parentWidget())
          scrolls = scrolls || at->inherits("QAbstractScrollArea");
        if (scrolls || !seen(each)) continue;
        const QString text = cut(each);
        QVERIFY2(text.isEmpty(), qPrintable(QStringLiteral("%1, %2 '%3': %4 in %5 x %6")
                                                .arg(way, each->metaObject()->className(), each->objectName(), text)
                                                .arg(each->width())
                                                .arg(each->height())));
        const QRect inside(each->mapTo(window_.get(), QPoint()), each->size());
        QVERIFY2(inside.intersects(window_->rect()), qPrintable(each->objectName()));
      }
    }
    // The picture that matters keeps most of its place.
    window_->actions()["look"]->trigger();
    for (int i = 0; i < 4; ++i) QCoreApplication::processEvents();
    const QWidget* main = window_->panels().stage()->slot(Slot::main);
    QVERIFY2(window_->panels().picture(QStringLiteral("alignment")).view->height() >= 0.6 * main->height(),
             qPrintable(QString::number(main->height())));
    QVERIFY2(main->height() >= 0.5 * size.height(), qPrintable(QString::number(main->height())));
  }
};

HEADLIGHT_WIDGET_TEST(TestClipping)

}  // namespace headlight::test_clipping

#include "test_clipping.moc"
