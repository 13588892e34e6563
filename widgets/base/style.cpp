#include "widgets/base/style.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStyleOption>
#include <QTabBar>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "widgets/base/shaped_text.h"
#include "widgets/base/style_paint.h"
#include "widgets/base/tokens.h"

namespace headlight {

bool looks(const QWidget* widget, const char* look) { return widget && widget->property(kLook).toByteArray() == look; }

namespace {

bool has(const QStyleOption* option, QStyle::StateFlag flag) { return option->state & flag; }

QFont demi_bold(QFont font) {
  font.setWeight(QFont::DemiBold);
  return font;
}

// What a dialog is there for: its answer that is not "no".
void fill_main(QPushButton* button) {
  const auto* box = qobject_cast<QDialogButtonBox*>(button->parentWidget());
  if (!box || button->property(kLook).isValid()) return;
  const auto role = box->buttonRole(button);
  const auto is_yes = [&](const QAbstractButton* each) {
    const auto of = box->buttonRole(const_cast<QAbstractButton*>(each));
    return of == QDialogButtonBox::AcceptRole || of == QDialogButtonBox::YesRole;
  };
  const auto all = box->buttons();
  const bool yes = is_yes(button), any = std::ranges::any_of(all, is_yes);
  if (yes || (role == QDialogButtonBox::DestructiveRole && !any)) button->setProperty(kLook, QByteArray("main"));
}

}  // namespace

Style::Style() : QProxyStyle(QStringLiteral("Fusion")) {}

QPalette Style::standardPalette() const { return theme().palette(); }

void Style::polish(QWidget* widget) {
  QProxyStyle::polish(widget);
  if (qobject_cast<QTabBar*>(widget) || qobject_cast<QAbstractButton*>(widget) || qobject_cast<QLineEdit*>(widget) ||
      qobject_cast<QPlainTextEdit*>(widget))
    widget->setAttribute(Qt::WA_Hover);
  if (auto* button = qobject_cast<QPushButton*>(widget)) fill_main(button);
  if (auto* text = qobject_cast<QPlainTextEdit*>(widget); text && !text->isReadOnly() && text->frameWidth() > 0) {
    text->document()->setDocumentMargin(kFieldMargin - text->frameWidth());
    text->viewport()->setAutoFillBackground(false);
  }
  popups_.adopt(widget);
}

void Style::polish(QApplication* application) {
  QProxyStyle::polish(application);
  application->installEventFilter(&keyboard_);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
  const Tokens& t = tokens();
  switch (element) {
    case PE_PanelLineEdit: {
      const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
      if (!frame || frame->lineWidth > 0) return draw_field(painter, option, widget);
      // Inside of another control, which is the field; or an editor in a table.
      const QWidget* around = widget ? widget->parentWidget() : nullptr;
      if (qobject_cast<const QComboBox*>(around) || qobject_cast<const QAbstractSpinBox*>(around)) return;
      painter->fillRect(option->rect, option->palette.brush(QPalette::Base));
      return;
    }
    case PE_FrameLineEdit:
    case PE_FrameTabBarBase:
    case PE_FrameTabWidget:
    case PE_FrameStatusBarItem:
    case PE_PanelStatusBar:
    case PE_PanelToolBar:
    case PE_FrameMenu:
      return;
    case PE_Frame:
      if (const auto* text = qobject_cast<const QPlainTextEdit*>(widget); text && !text->isReadOnly())
        return draw_field(painter, option, widget);
      if (qobject_cast<const QAbstractScrollArea*>(widget)) return;
      if (widget && widget->isWindow()) return draw_sheet(painter, widget->rect(), widget, radius::kList);
      break;
    case PE_PanelButtonCommand: {
      const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
      return draw_button(painter, option, widget,
                         button && button->features & QStyleOptionButton::Flat ? Fill::words : Fill::grey);
    }
    case PE_PanelButtonTool:
      return draw_button(painter, option, widget, has(option, State_AutoRaise) ? Fill::words : Fill::grey);
    case PE_IndicatorButtonDropDown:
      if (has(option, State_MouseOver) || has(option, State_Sunken))
        draw_round(painter, option->rect, radius::kButton, has(option, State_Sunken) ? t.down : t.hover);
      return;
    case PE_PanelMenu:
      return draw_sheet(painter, option->rect, widget, radius::kList);
    case PE_PanelTipLabel:
      return draw_sheet(painter, option->rect, widget, radius::kField);
    case PE_PanelItemViewItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option)) draw_item_ground(painter, *item);
      return;
    case PE_FrameFocusRect:
      // What has places of its own shows there where the keyboard is; around all others there is the ring.
      if (keyboard_is_seen() && qobject_cast<const QAbstractItemView*>(widget))
        draw_round(painter, QRectF(option->rect).adjusted(1, 1, -1, -1), radius::kButton, {}, t.ink, 2);
      return;
    case PE_IndicatorArrowDown:
      return draw_sign(*painter, option->rect, Sign::down, option->palette.color(QPalette::ButtonText));
    case PE_IndicatorArrowRight:
      return draw_sign(*painter, option->rect, Sign::right, option->palette.color(QPalette::ButtonText));
    case PE_IndicatorArrowLeft:
      return draw_sign(*painter, option->rect, Sign::left, option->palette.color(QPalette::ButtonText));
    case PE_IndicatorCheckBox:
    case PE_IndicatorRadioButton:
      return draw_indicator(painter, option, element == PE_IndicatorRadioButton);
    default:
      break;
  }
  QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
  const Tokens& t = tokens();
  switch (element) {
    case CE_TabBarTabShape:
      if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option))
        return looks(widget, "switch") ? draw_switch_tab(painter, *tab, widget) : draw_name_tab(painter, *tab, widget);
      break;
    case CE_TabBarTabLabel:
      if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option))
        return draw_tab_text(painter, *tab, widget, styleHint(SH_UnderlineShortcut, tab, widget));
      break;
    case CE_MenuBarEmptyArea:
      painter->fillRect(option->rect, t.desk);
      return;
    case CE_MenuBarItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
        painter->fillRect(option->rect, t.desk);
        if (has(option, State_Selected) || has(option, State_Sunken))
          draw_round(painter, QRectF(option->rect).adjusted(1, 3, -1, -3), radius::kButton,
                     has(option, State_Sunken) ? t.down : t.hover);
        const bool underlined = styleHint(SH_UnderlineShortcut, item, widget);
        drawItemText(painter, item->rect,
                     Qt::AlignCenter | Qt::TextSingleLine | (underlined ? Qt::TextShowMnemonic : Qt::TextHideMnemonic),
                     item->palette, has(option, State_Enabled), item->text, QPalette::ButtonText);
        return;
      }
      break;
    case CE_MenuItem:
      return draw_menu_item(painter, option, widget);
    case CE_ItemViewItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option); item && is_numeral(item->text)) {
        QStyleOptionViewItem bare(*item);
        bare.text.clear();
        QProxyStyle::drawControl(element, &bare, painter, widget);
        return draw_item_number(painter, *this, *item, widget);
      }
      break;
    case CE_MenuEmptyArea:
      return;
    case CE_PushButtonLabel:
      if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
        QStyleOptionButton copy(*button);
        const bool filled = looks(widget, "main");
        if (filled && has(option, State_Enabled)) copy.palette.setColor(QPalette::ButtonText, t.paper);
        painter->save();
        if (filled || has(option, State_On)) painter->setFont(demi_bold(painter->font()));
        QProxyStyle::drawControl(element, &copy, painter, widget);
        return painter->restore();
      }
      break;
    case CE_ToolButtonLabel:
      // An icon alone is painted as it was drawn, in as many points as there are.
      if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
          button && !button->icon.isNull() && !(button->features & QStyleOptionToolButton::Arrow) &&
          (button->toolButtonStyle == Qt::ToolButtonIconOnly || button->text.isEmpty())) {
        const QRect room = QStyle::alignedRect(option->direction, Qt::AlignCenter,
                                               button->iconSize.boundedTo(button->rect.size()), button->rect);
        button->icon.paint(painter, room, Qt::AlignCenter, has(option, State_Enabled) ? QIcon::Normal : QIcon::Disabled,
                           has(option, State_On) ? QIcon::On : QIcon::Off);
        return;
      }
      if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
        QStyleOptionToolButton copy(*button);
        if (has(button, State_On)) copy.font = demi_bold(copy.font);
        // Qt starts at the left edge.
        if (button->toolButtonStyle == Qt::ToolButtonTextBesideIcon && !button->icon.isNull())
          copy.rect.setLeft(copy.rect.left() + beside_words(*button));
        return QProxyStyle::drawControl(element, &copy, painter, widget);
      }
      break;
    case CE_Splitter: {
      const QRectF rect = option->rect;
      const QColor colour = has(option, State_MouseOver) ? t.edge : t.line;
      if (has(option, State_Horizontal))
        painter->fillRect(QRectF(std::floor(rect.center().x()), rect.top(), 1, rect.height()), colour);
      else
        painter->fillRect(QRectF(rect.left(), std::floor(rect.center().y()), rect.width(), 1), colour);
      return;
    }
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
      painter->fillRect(option->rect, widget && looks(widget->parentWidget(), "terms") ? t.desk : t.paper);
      return;
    case CE_ProgressBarGroove:
      return draw_round(
          painter, QRectF(option->rect).adjusted(0, option->rect.height() / 2. - 2, 0, 2 - option->rect.height() / 2.),
          2, t.press);
    case CE_ProgressBarContents:
      if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
        const double span = std::max(1, bar->maximum - bar->minimum);
        QRectF rect =
            QRectF(option->rect).adjusted(0, option->rect.height() / 2. - 2, 0, 2 - option->rect.height() / 2.);
        rect.setWidth(rect.width() * std::clamp((bar->progress - bar->minimum) / span, 0.0, 1.0));
        return draw_round(painter, rect, 2, t.ink);
      }
      break;
    default:
      break;
  }
  QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const {
  if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
    if (control == CC_ScrollBar) return draw_scroll_bar(painter, *this, *slider, widget);
    if (control == CC_Slider) return draw_slider(painter, *this, *slider, widget);
  }
  // What opens the menu of a button stands on the same ground.
  if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
      button && button->features & QStyleOptionToolButton::MenuButtonPopup)
    drawPrimitive(PE_PanelButtonTool, button, painter, widget);
  // Where the text of a button says already that it opens a menu.
  if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
      button && looks(widget, "sign") && button->features & QStyleOptionToolButton::HasMenu) {
    QStyleOptionToolButton plain(*button);
    plain.features &= ~QStyleOptionToolButton::HasMenu;
    return drawComplexControl(control, &plain, painter, widget);
  }
  if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option); combo && control == CC_ComboBox)
    return draw_combo_box(painter, *this, *combo, widget);
  if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option); spin && control == CC_SpinBox)
    return draw_spin_box(painter, *this, *spin, widget);
  QProxyStyle::drawComplexControl(control, option, painter, widget);
}

}  // namespace headlight
