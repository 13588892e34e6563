// How large controls are, where their parts stand, and how they behave.
#include <QLineEdit>
#include <QStyleOption>
#include <QTextLayout>
#include <cmath>

#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

constexpr int kScrollBar = 10;  // across

bool still = false;

// QLineEdit moves its text up by what letters of another font, such as Chinese ones, are higher than those of its own;
// in a list or a button beside it they stand on the same line as all others.
int lower_by(const QLineEdit* field) {
  if (!field || field->text().isEmpty()) return 0;
  QTextLayout layout(field->text().left(64), field->font());
  layout.beginLayout();
  const QTextLine line = layout.createLine();
  layout.endLayout();
  return static_cast<int>(std::round(line.ascent() - QFontMetricsF(field->font()).ascent()));
}

}  // namespace

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_ScrollBarExtent:
      return kScrollBar;
    case PM_ScrollView_ScrollBarSpacing:
    case PM_MenuBarPanelWidth:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarBaseHeight:
    case PM_TabBarTabOverlap:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
      return 0;
    case PM_TabBarTabHSpace:
      return looks(widget, "switch") ? 2 * (space::kMedium + 2) : 2 * space::kSmall + 2;
    case PM_TabBarTabVSpace:
      return looks(widget, "switch") ? 2 * space::kSmall : 2 * space::kSmall + 2;
    case PM_SplitterWidth:
      return 7;
    // Signs grow with the letters beside them.
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_MenuButtonIndicator:
      return qRound(QProxyStyle::pixelMetric(metric, option, widget) * std::max(1.0, theme().font_scale()));
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                              const QWidget* widget) const {
  QSize whole = QProxyStyle::sizeFromContents(type, option, size, widget);
  if (type == CT_ComboBox) whole.rwidth() += space::kMedium + 2;
  if (type == CT_PushButton && looks(widget, "main")) whole.rwidth() += space::kLarge;
  // The name in front is written bolder; the others do not move when it changes.
  if (type == CT_TabBarTab && widget) {
    const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
    QFont bold = widget->font();
    bold.setWeight(QFont::DemiBold);
    if (tab)
      whole.setWidth(QFontMetrics(bold).horizontalAdvance(QString(tab->text).remove('&')) +
                     pixelMetric(PM_TabBarTabHSpace, option, widget));
  }
  return whole;
}

void Style::set_less_motion(bool less) { still = less; }

bool Style::less_motion() { return still; }

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* more) const {
  switch (hint) {
    case SH_Widget_Animation_Duration:
    case SH_Widget_Animate:
      return less_motion() ? 0 : QProxyStyle::styleHint(hint, option, widget, more);
    case SH_TabBar_ElideMode:
      return Qt::ElideNone;
    case SH_TabBar_Alignment:
      return Qt::AlignLeft;
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ScrollBar_Transient:
    case SH_DialogButtonBox_ButtonsHaveIcons:  // the platform's, made for its own colours
      return 0;
    default:
      return QProxyStyle::styleHint(hint, option, widget, more);
  }
}

// As every picture writes: shaped once, by its capitals.
void Style::drawItemText(QPainter* painter, const QRect& rect, int flags, const QPalette& palette, bool enabled,
                         const QString& text, QPalette::ColorRole role) const {
  const QPen before = painter->pen();
  if (role != QPalette::NoRole)
    painter->setPen(
        QPen(palette.color(enabled ? palette.currentColorGroup() : QPalette::Disabled, role), before.widthF()));
  draw_text(
      *painter, rect,
      static_cast<int>(visualAlignment(painter->layoutDirection(), Qt::Alignment(flags & 0xff))) | (flags & ~0xff),
      text);
  painter->setPen(before);
}

QRect Style::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
  if (element != SE_LineEditContents) return QProxyStyle::subElementRect(element, option, widget);
  const QRect rect = looks(widget, "field") ? option->rect.adjusted(space::kSmall, 2, -4, -2)
                                            : QProxyStyle::subElementRect(element, option, widget);
  return rect.translated(0, lower_by(qobject_cast<const QLineEdit*>(widget)));
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                            const QWidget* widget) const {
  if (control == CC_ComboBox && part == SC_ComboBoxEditField) {
    const int arrow = QProxyStyle::subControlRect(control, option, SC_ComboBoxArrow, widget).width();
    return option->rect.adjusted(space::kSmall + 2, 1, -arrow - 2, -1);
  }
  if (control != CC_ScrollBar) return QProxyStyle::subControlRect(control, option, part, widget);
  const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
  if (!bar) return {};
  // Without buttons at its ends.
  const bool across = bar->orientation == Qt::Horizontal;
  const int length = across ? bar->rect.width() : bar->rect.height();
  const int range = bar->maximum - bar->minimum;
  int handle = length;
  if (range > 0)
    handle = std::clamp(static_cast<int>(static_cast<qint64>(bar->pageStep) * length / (range + bar->pageStep)),
                        std::min(length, 24), length);
  const int start =
      sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - handle, bar->upsideDown);
  const auto along = [&](int from, int to) {
    return across ? QRect(bar->rect.left() + from, bar->rect.top(), to - from, bar->rect.height())
                  : QRect(bar->rect.left(), bar->rect.top() + from, bar->rect.width(), to - from);
  };
  switch (part) {
    case SC_ScrollBarSubLine:
    case SC_ScrollBarAddLine:
      return {};
    case SC_ScrollBarSubPage:
      return along(0, start);
    case SC_ScrollBarAddPage:
      return along(start + handle, length);
    case SC_ScrollBarGroove:
      return bar->rect;
    case SC_ScrollBarSlider:
      return along(start, start + handle);
    default:
      return QProxyStyle::subControlRect(control, option, part, widget);
  }
}

}  // namespace headlight
