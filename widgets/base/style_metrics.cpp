// How large controls are, where their parts stand, and how they behave.
#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QFrame>
#include <QHeaderView>
#include <QLineEdit>
#include <QRegularExpression>
#include <QStyleOption>
#include <QTextLayout>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

constexpr int kScrollBar = 10;  // across
constexpr int kHigh = 28, kLeastHigh = 24;
constexpr int kInField = kFieldMargin - 2;  // QLineEdit adds 2
constexpr int kArrow = 14, kSpin = 16, kKnob = 16;

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

int grown(int pixels) { return qRound(pixels * std::max(1.0, theme().font_scale())); }

// What is chosen is written bolder, and nothing moves when it changes.
int bolder(const QWidget* widget, const QString& text) {
  const auto* button = qobject_cast<const QAbstractButton*>(widget);
  if (!button || !(button->isCheckable() || looks(widget, "main"))) return 0;
  QFont bold = widget->font();
  bold.setWeight(QFont::DemiBold);
  const QString words = without_letter(text).remove('&');
  return std::max(0, QFontMetrics(bold).horizontalAdvance(words) - widget->fontMetrics().horizontalAdvance(words));
}

// Of the letter in brackets, which is seen only while Alt is down.
int letter_width(const QStyleOption* option, const QString& text) {
  if (!text.contains(QLatin1String("(&"))) return 0;
  const auto width = [&](const QString& words) {
    return option->fontMetrics.size(Qt::TextShowMnemonic, words).width();
  };
  return width(text) - width(without_letter(text));
}

// Words in the middle have room for it between their borders, so that nothing moves.
int around_words(int padding, int letter) { return std::max(padding - letter, 0); }

bool is_twin(const QWidget* widget) {
  return looks(widget, "twin") || (qobject_cast<const QHeaderView*>(widget) && looks(widget->parentWidget(), "twin"));
}

QRect slider_handle(const QStyleOptionSlider& slider) {
  const int side = grown(kKnob);
  const bool across = slider.orientation == Qt::Horizontal;
  const QRect& all = slider.rect;
  const int at = QStyle::sliderPositionFromValue(slider.minimum, slider.maximum, slider.sliderPosition,
                                                 (across ? all.width() : all.height()) - side, slider.upsideDown);
  return across ? QRect(all.left() + at, all.top() + (all.height() - side) / 2, side, side)
                : QRect(all.left() + (all.width() - side) / 2, all.top() + at, side, side);
}

QRect spin_part(const QStyleOptionSpinBox& box, QStyle::SubControl part) {
  const bool buttons = box.buttonSymbols != QAbstractSpinBox::NoButtons;
  const int wide = buttons ? grown(kSpin) : 0, middle = box.rect.top() + box.rect.height() / 2;
  const QRect right(box.rect.right() + 1 - space::kTight - wide, box.rect.top() + 3, wide, box.rect.height() - 6);
  switch (part) {
    case QStyle::SC_SpinBoxEditField:
      return box.rect.adjusted(kInField, 1, buttons ? -wide - space::kTight : -kInField, -1);
    case QStyle::SC_SpinBoxUp:
      return QRect(right.topLeft(), QPoint(right.right(), middle - 1)) & right;
    case QStyle::SC_SpinBoxDown:
      return QRect(QPoint(right.left(), middle), right.bottomRight()) & right;
    default:
      return box.rect;
  }
}

QRect combo_part(const QRect& all, bool editable, QStyle::SubControl part) {
  const int arrow = grown(kArrow), right = all.right() + 1 - kFieldMargin - arrow;
  if (part == QStyle::SC_ComboBoxArrow) return {right, all.top(), arrow, all.height()};
  const int left = all.left() + (editable ? kInField : kFieldMargin - 1);  // QStyle adds 1 to what is only read
  return QRect(QPoint(left, all.top() + 1), QPoint(right - space::kTight, all.bottom() - 1));
}

}  // namespace

QString without_letter(QString text) {
  static const QRegularExpression letter(QStringLiteral("\\s*\\(&[^&]\\)"));
  return text.remove(letter);
}

int control_height() { return std::max(kLeastHigh, qRound(kHigh * theme().font_scale())); }

int beside_words(const QStyleOptionToolButton& button) {
  const int words = button.toolButtonStyle == Qt::ToolButtonIconOnly
                        ? 0
                        : space::kTight + button.fontMetrics.size(Qt::TextShowMnemonic, button.text).width();
  return std::clamp((button.rect.width() - button.iconSize.width() - words) / 2, 0, space::kMedium);
}

int beside_words(const QToolButton& button) {
  QStyleOptionToolButton option;
  option.initFrom(&button);
  option.text = button.text();
  option.iconSize = button.iconSize();
  option.toolButtonStyle = button.toolButtonStyle();
  option.rect.setSize(button.sizeHint());
  return beside_words(option);
}

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
      return looks(widget, "switch") ? 2 * space::kMedium : 2 * space::kSmall + 2;
    case PM_TabBarTabVSpace:
      return looks(widget, "switch") ? 2 * space::kSmall : 2 * space::kSmall + 2;
    case PM_SplitterWidth:
      return 7;
    case PM_MenuHMargin:
    case PM_MenuVMargin:
      return 6;
    case PM_MenuPanelWidth:
      return shadow_room(widget);
    case PM_MenuScrollerHeight:  // a long list has a scroll bar
      return widget && widget->inherits("QComboBoxPrivateScroller") ? 0
                                                                    : QProxyStyle::pixelMetric(metric, option, widget);
    case PM_SubMenuOverlap:
      return space::kSmall;  // beside the sheet that it belongs to
    case PM_ToolTipLabelFrameWidth:
      return shadow_room(widget) + space::kSmall - 1;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
      return space::kSmall;
    case PM_SliderThickness:
      return control_height();
    case PM_SliderLength:
    case PM_SliderControlThickness:
      return grown(kKnob);
    // Words of a table beside a picture stand 12 inside of their cells.
    case PM_HeaderMargin:
      if (widget && looks(widget->parentWidget(), "terms")) return 5;  // as its cells (FactorDelegate::kSide)
      return is_twin(widget) ? space::kMedium : QProxyStyle::pixelMetric(metric, option, widget);
    case PM_FocusFrameHMargin:
      return is_twin(widget) ? space::kMedium - 1 : QProxyStyle::pixelMetric(metric, option, widget);
    // Signs grow with the letters beside them.
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
      return grown(16);
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
  const int high = control_height();
  const auto at_least = [&](int wide, int tall) {
    return QSize(size.width() + wide, std::max(high, size.height() + tall));
  };
  switch (type) {
    case CT_PushButton:
      if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option))
        return at_least(
            around_words(2 * space::kMedium, letter_width(option, button->text)) + bolder(widget, button->text),
            space::kSmall);
      break;
    case CT_ToolButton:
      if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
        if (button->toolButtonStyle == Qt::ToolButtonIconOnly || button->text.isEmpty()) {
          const QSize sign = at_least(space::kMedium, space::kMedium);
          return {std::max(sign.width(), high), sign.height()};
        }
        // QToolButton has added a space at both sides of its words.
        return at_least(around_words(space::kLarge, letter_width(option, button->text)) + bolder(widget, button->text),
                        space::kSmall);
      }
      break;
    case CT_LineEdit:
      if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option); frame && frame->lineWidth > 0)
        return at_least(2 * kInField, 6);
      break;
    case CT_SpinBox:
      if (const auto* box = qstyleoption_cast<const QStyleOptionSpinBox*>(option)) {
        const QRect edit = spin_part(*box, SC_SpinBoxEditField);
        return at_least(box->rect.width() - edit.width() + 4, 6);
      }
      break;
    case CT_ComboBox:
      if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option))
        return at_least(2 * kFieldMargin + space::kTight + grown(kArrow) + (box->editable ? 2 : 0), 6);
      break;
    case CT_CheckBox:
    case CT_RadioButton:
      if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option); button && !Keyboard::alt_is_down())
        whole.rwidth() -= letter_width(option, button->text);
      return {whole.width(), std::max(high, whole.height())};
    case CT_MenuBarItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option))
        whole.setWidth(size.width() + around_words(whole.width() - size.width(), letter_width(option, item->text)));
      break;
    case CT_MenuItem:
      return menu_item_size(option, size);
    case CT_HeaderSection:
      return is_twin(widget) ? QSize(whole.width(), std::max(qRound(24 * theme().font_scale()), whole.height()))
                             : whole;
    case CT_TabBarTab:
      if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option);
          item && type == CT_ItemViewItem && is_numeral(item->text))
        whole.rwidth() +=
            qCeil(text_width(item->text, item->font) - QFontMetricsF(item->font).horizontalAdvance(item->text));
      // The name in front is written bolder; the others do not move when it changes.
      if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option); tab && widget) {
        QFont bold = widget->font();
        bold.setWeight(QFont::DemiBold);
        whole.setWidth(QFontMetrics(bold).horizontalAdvance(without_letter(tab->text).remove('&')) +
                       std::max(pixelMetric(PM_TabBarTabHSpace, option, widget), letter_width(option, tab->text)));
        if (looks(widget, "switch")) whole.setHeight(std::max(high, QFontMetrics(bold).height() + space::kSmall));
      }
      break;
    default:
      break;
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
    case SH_UnderlineShortcut:
      return Keyboard::alt_is_down();
    case SH_ComboBox_Popup:  // its rows are those of menus; where it opens, style_popups.cpp says
      return 1;
    case SH_ComboBox_PopupFrameStyle:
      return QFrame::NoFrame;
    case SH_ToolTipLabel_Opacity:
      return 255;
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

// As every picture writes: shaped once, by its capitals. Qt hides the line below a letter, not the brackets around it.
void Style::drawItemText(QPainter* painter, const QRect& rect, int flags, const QPalette& palette, bool enabled,
                         const QString& text, QPalette::ColorRole role) const {
  const QPen before = painter->pen();
  if (role != QPalette::NoRole)
    painter->setPen(
        QPen(palette.color(enabled ? palette.currentColorGroup() : QPalette::Disabled, role), before.widthF()));
  draw_text(
      *painter, rect,
      static_cast<int>(visualAlignment(painter->layoutDirection(), Qt::Alignment(flags & 0xff))) | (flags & ~0xff),
      flags & Qt::TextHideMnemonic ? without_letter(text) : text);
  painter->setPen(before);
}

QRect Style::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
  if (element == SE_HeaderLabel) {  // its margin is at the sides: names of rows have the height of their row
    const QRect label = QProxyStyle::subElementRect(element, option, widget);
    return {label.left(), option->rect.top(), label.width(), option->rect.height()};
  }
  if (element != SE_LineEditContents) return QProxyStyle::subElementRect(element, option, widget);
  const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
  const QRect rect = frame && frame->lineWidth > 0 ? option->rect.adjusted(kInField, 1, -kInField, -1)
                                                   : QProxyStyle::subElementRect(element, option, widget);
  return rect.translated(0, lower_by(qobject_cast<const QLineEdit*>(widget)));
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                            const QWidget* widget) const {
  // Asked right before its list is shown: that has to be a sheet before it is a window.
  if (control == CC_ComboBox && part == SC_ComboBoxListBoxPopup && widget)
    for (QObject* child : widget->children())
      if (child->inherits("QComboBoxPrivateContainer")) static_cast<QWidget*>(child)->ensurePolished();
  if (control == CC_ComboBox && (part == SC_ComboBoxEditField || part == SC_ComboBoxArrow)) {
    const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    return combo_part(option->rect, box && box->editable, part);
  }
  if (const auto* box = qstyleoption_cast<const QStyleOptionSpinBox*>(option); box && control == CC_SpinBox)
    return spin_part(*box, part);
  if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
      slider && control == CC_Slider && part != SC_SliderTickmarks)
    return part == SC_SliderHandle ? slider_handle(*slider) : slider->rect;
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
