// No line of any panel is cut: each panel in its place, on a grid of sizes, sizes of type and languages. Words that are
// painted lie within their picture.

#include <QAbstractButton>
#include <QAction>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>

#include "app/language.h"
#include "app/stage/panel_frame.h"
#include "app/stage/stage.h"
#include "app/window/main_window.h"
#include "model/io/model_folder.h"
#include "tests/app/clipping_grid.h"
#include "tests/test_program.h"
#include "tests/widgets/recorded_text.h"
#include "widgets/base/theme.h"
#include "widgets/canvas/canvas.h"

namespace headlight::test_clipping_panels {

class TestClippingPanels : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  static QString cut_in_picture(Canvas* canvas) {
    QWidget* seen = canvas->viewport();
    const QScrollBar *down = canvas->verticalScrollBar(), *across = canvas->horizontalScrollBar();
    const bool scrolls_down = down->maximum() > 0, scrolls_across = across->maximum() > 0;
    for (const RecordedText& each : texts_of(seen)) {
      if (each.text.trimmed().isEmpty() || each.place.isEmpty()) continue;
      // What is above or below is scrolled to; a line that hangs over an edge is cut.
      const double above = -each.place.top(), below = each.place.bottom() - seen->height();
      const double high = each.place.height();
      if (!scrolls_down && (above > 0.3 * high || below > 0.3 * high))
        return QStringLiteral("'%1' at %2 of %3").arg(each.text).arg(each.place.bottom()).arg(seen->height());
      if (!scrolls_across && (each.place.right() > seen->width() + 3 || each.place.left() < -3))
        return QStringLiteral("'%1' from %2 to %3 of %4")
            .arg(each.text)
            .arg(each.place.left())
            .arg(each.place.right())
            .arg(seen->width());
    }
    return {};
  }
  // Rows of lists and tables come and go as they are scrolled. What lies on a sheet that scrolls is as large as
  // anywhere.
  static bool lies_in_a_list(const QWidget* widget) {
    for (const QWidget* at = widget; at; at = at->parentWidget())
      if (at->inherits("QAbstractScrollArea") && !at->inherits("QScrollArea")) return true;
    return false;
  }
  // A sheet that scrolls up and down does not hang over its right edge.
  static bool hangs_over(const QWidget* widget) {
    for (const QWidget* at = widget->parentWidget(); at; at = at->parentWidget())
      if (const auto* area = qobject_cast<const QScrollArea*>(at); area && area->viewport()->isAncestorOf(widget))
        return (area->horizontalScrollBar()->maximum() == 0 ||
                area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff) &&
               widget->mapTo(area->viewport(), widget->rect().topRight()).x() > area->viewport()->width() + 2;
    return false;
  }
  static QString cut(const QWidget* widget) {
    if (hangs_over(widget)) return QStringLiteral("hangs over the right edge");
    const QFontMetrics metrics(widget->font());
    if (const auto* label = qobject_cast<const QLabel*>(widget)) {
      if (label->text().isEmpty() || label->textFormat() == Qt::RichText) return {};
      const QRect room = label->contentsRect();
      const int wrap = label->wordWrap() ? static_cast<int>(Qt::TextWordWrap) : 0;
      const QRect needed =
          metrics.boundingRect(QRect(0, 0, room.width(), 100'000), wrap, QString(label->text()).remove('&'));
      // Some pixels of a line are air, more of them in Chinese.
      const double air = 3 + 0.2 * metrics.height();
      return needed.height() > room.height() + air || needed.width() > room.width() + 3
                 ? QStringLiteral("%1 (%2 x %3)").arg(label->text()).arg(needed.width()).arg(needed.height())
                 : QString();
    }
    if (const auto* button = qobject_cast<const QToolButton*>(widget)) {
      if (button->toolButtonStyle() == Qt::ToolButtonIconOnly || button->text().isEmpty()) return {};
      return button->sizeHint().width() > button->width() + 2 ? button->text() : QString();
    }
    if (const auto* other = qobject_cast<const QAbstractButton*>(widget))
      return metrics.horizontalAdvance(QString(other->text()).remove('&')) > other->width() ? other->text() : QString();
    return {};
  }

 private slots:
  void initTestCase() { load_resources(); }
  void cleanup() {
    window_.reset();
    testing::no_clipping_window();
  }

  void every_panel_is_whole_data() { testing::add_clipping_grid(); }
  void every_panel_is_whole() {
    QFETCH(QSize, size);
    window_ = testing::clipping_window(load_model("date-transformer"));
    QVERIFY(window_);
    QStringList problems;
    for (const auto rows : {view_table(), number_panels()})
      for (const ViewRow& row : rows) {
        if (!window_->panels().raise(row.name)) continue;
        QTRY_VERIFY_WITH_TIMEOUT(!window_->side_runs().busy(), 200000);
        for (int i = 0; i < 4; ++i) QCoreApplication::processEvents();
        QCOMPARE(window_->size(), size);
        const QWidget* frame = window_->panels().frame(row.name);
        for (QWidget* each : frame->findChildren<QWidget*>()) {
          if (!each->isVisible() || each->visibleRegion().isEmpty()) continue;
          if (auto* canvas = qobject_cast<Canvas*>(each)) {
            if (const QString text = cut_in_picture(canvas); !text.isEmpty())
              problems << QStringLiteral("%1, %2: %3").arg(row.name, canvas->metaObject()->className(), text);
            continue;
          }
          if (lies_in_a_list(each)) continue;
          if (const QString text = cut(each); !text.isEmpty())
            problems << QStringLiteral("%1, %2: %3 in %4 x %5")
                            .arg(row.name, each->metaObject()->className(), text)
                            .arg(each->width())
                            .arg(each->height());
        }
      }
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join('\n')));
  }
};

HEADLIGHT_WIDGET_TEST(TestClippingPanels)

}  // namespace headlight::test_clipping_panels

#include "test_clipping_panels.moc"
