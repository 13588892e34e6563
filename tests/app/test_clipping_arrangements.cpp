// The arrangements in small windows and large letters: the picture that matters keeps its height, nothing hangs over an
// edge that cannot be scrolled to, and no line of words is cut.

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
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
#include "widgets/canvas/view_panel.h"

namespace headlight::test_clipping_arrangements {

class TestClippingArrangements : public QObject {
  Q_OBJECT
  std::unique_ptr<MainWindow> window_;

  static bool seen(const QWidget* widget) { return widget->isVisible() && !widget->size().isEmpty(); }

  // What of a widget can never be seen: it hangs over the side of something that does not scroll across.
  static QString beyond(const QWidget* widget) {
    for (const QWidget* at = widget->parentWidget(); at; at = at->parentWidget()) {
      const auto* area = qobject_cast<const QAbstractScrollArea*>(at->parentWidget());
      if (area && area->viewport() == at && area->horizontalScrollBarPolicy() != Qt::ScrollBarAlwaysOff &&
          area->horizontalScrollBar()->maximum() > 0)
        return {};
      const int left = widget->mapTo(at, QPoint()).x(), right = left + widget->width();
      if (left < -2 || right > at->width() + 2)
        return QStringLiteral("from %1 to %2 of %3 in %4")
            .arg(left)
            .arg(right)
            .arg(at->width())
            .arg(at->metaObject()->className());
      if (at->isWindow()) break;
    }
    return {};
  }
  static QString cut(const QWidget* widget) {
    const QFontMetrics metrics(widget->font());
    const auto wide = [&](const QString& text) { return metrics.horizontalAdvance(QString(text).remove('&')); };
    if (const auto* label = qobject_cast<const QLabel*>(widget)) {
      if (label->text().isEmpty()) return {};
      const int needed = label->wordWrap() ? label->heightForWidth(label->width()) : label->minimumSizeHint().height();
      if (needed > label->height() + 0.2 * metrics.height() + 2) return label->text();
      if (!label->wordWrap() && label->sizeHint().width() > label->width() + 2) return label->text();
    } else if (const auto* button = qobject_cast<const QToolButton*>(widget)) {
      if (button->toolButtonStyle() == Qt::ToolButtonIconOnly || button->text().isEmpty()) return {};
      if (wide(button->text()) > button->width() || metrics.height() > button->height() + 2) return button->text();
    } else if (const auto* box = qobject_cast<const QComboBox*>(widget)) {
      if (metrics.height() > box->height() + 2) return QStringLiteral("a line of ") + box->currentText();
    } else if (const auto* other = qobject_cast<const QAbstractButton*>(widget)) {
      if (wide(other->text()) > other->width() || (!other->text().isEmpty() && metrics.height() > other->height() + 2))
        return other->text();
    }
    return {};
  }
  // Words that are painted: none across an edge to which nothing scrolls, none without its letters.
  static QString cut_in_picture(Canvas* canvas) {
    QWidget* view = canvas->viewport();
    const std::vector<RecordedText> texts = texts_of(view);  // it is laid out at the latest when it is painted
    const bool down = canvas->verticalScrollBar()->maximum() > 0, across = canvas->horizontalScrollBar()->maximum() > 0;
    for (const RecordedText& each : texts) {
      const QRectF place = each.place;
      if (each.text.trimmed().isEmpty() || place.isEmpty()) continue;
      if (each.text.endsWith(u'…') && each.text.size() < 4) return QStringLiteral("nothing but '%1'").arg(each.text);
      const double above = -place.top(), below = place.bottom() - view->height(), high = 0.3 * place.height();
      if (!down && (above > high || below > high))
        return QStringLiteral("'%1' at %2 of %3").arg(each.text).arg(place.bottom()).arg(view->height());
      if (!across && (place.right() > view->width() + 3 || place.left() < -3))
        return QStringLiteral("'%1' to %2 of %3").arg(each.text).arg(place.right()).arg(view->width());
    }
    return {};
  }

 private slots:
  void initTestCase() { load_resources(); }
  void cleanup() {
    window_.reset();
    testing::no_clipping_window();
  }

  void nothing_is_out_of_reach_data() { testing::add_clipping_grid(); }
  void nothing_is_out_of_reach() {
    QFETCH(QSize, size);
    window_ = testing::clipping_window(load_model("date-attention"));
    QVERIFY(window_);
    QStringList problems;
    for (const char* way : Arrangements::kNames) {
      window_->actions()[way]->trigger();
      QTRY_VERIFY_WITH_TIMEOUT(!window_->side_runs().busy(), 200000);
      for (int i = 0; i < 6; ++i) QCoreApplication::processEvents();
      QCOMPARE(window_->size(), size);
      const auto add = [&](const QWidget* of, const QString& what) {
        if (!what.isEmpty())
          problems << QStringLiteral("%1, %2 '%3' (%4 x %5): %6")
                          .arg(way, of->metaObject()->className(), of->objectName())
                          .arg(of->width())
                          .arg(of->height())
                          .arg(what);
      };
      for (QWidget* each : window_->findChildren<QWidget*>()) {
        if (!seen(each)) continue;
        if (auto* canvas = qobject_cast<Canvas*>(each)) add(each, cut_in_picture(canvas));
        if (const QString over = beyond(each); !over.isEmpty()) {
          if (beyond(each->parentWidget()).isEmpty()) add(each, over);  // else it is said of that
          continue;
        }
        add(each, cut(each));
      }
      const Stage* stage = window_->panels().stage();
      const QSplitter* main = stage->slot(Slot::main);
      const auto* view = qobject_cast<const ViewPanel*>(window_->panels().picture(window_->panels().front()).view);
      QVERIFY(view);
      const QWidget* picture = nullptr;
      for (const Canvas* each : view->findChildren<Canvas*>())
        if (each->isVisible() && (!picture || each->height() > picture->height())) picture = each;
      QVERIFY2(picture, way);
      if (picture->height() < 0.49 * main->height())
        problems << QStringLiteral("%1: the picture has %2 of %3").arg(way).arg(picture->height()).arg(main->height());
      // What is seen at once is a picture as well.
      if (picture->height() < 0.23 * size.height())
        problems << QStringLiteral("%1: the picture has %2").arg(way).arg(picture->height());
    }
    QVERIFY2(problems.isEmpty(), qPrintable('\n' + problems.join('\n')));
  }
};

HEADLIGHT_WIDGET_TEST(TestClippingArrangements)

}  // namespace headlight::test_clipping_arrangements

#include "test_clipping_arrangements.moc"
