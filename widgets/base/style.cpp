#include "widgets/base/style.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScrollArea>
#include <QStyleOption>
#include <QTabBar>
#include <QToolButton>
#include <cmath>

#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

constexpr double kRing = 2;  // of focus

void box(QPainter* painter, const QRectF& rect, double corner, const QColor& fill, const QColor& border = {},
         double width = 1) {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(border.isValid() ? QPen(border, width) : QPen(Qt::NoPen));
  painter->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
  const double in = border.isValid() ? width / 2 : 0;
  painter->drawRoundedRect(rect.adjusted(in, in, -in, -in), corner, corner);
  painter->restore();
}

void ring(QPainter* painter, const QRectF& rect, double corner) {
  box(painter, rect, corner, {}, tokens().accent, kRing);
}

bool has(const QStyleOption* option, QStyle::StateFlag flag) { return option->state & flag; }

void draw_button(QPainter* painter, const QStyleOption* option, const QWidget* widget, bool outlined, bool flat) {
  const Tokens& t = tokens();
  const bool live = has(option, QStyle::State_Enabled);
  const bool down = has(option, QStyle::State_Sunken), over = live && has(option, QStyle::State_MouseOver);
  if (looks(widget, "main")) {
    box(painter, option->rect, radius::kButton, live ? (over || down ? t.ink2 : t.ink) : t.press);
  } else if (has(option, QStyle::State_On)) {
    box(painter, option->rect, radius::kButton, t.wash, t.accent);
  } else if (outlined) {
    box(painter, option->rect, radius::kButton, down || over ? t.press : t.paper, live ? t.edge : t.line);
  } else {
    const QColor fill = down || over ? t.press : flat ? QColor() : t.well;
    if (fill.isValid()) box(painter, option->rect, radius::kButton, fill);
  }
  // Within its edge, which is nearly as dark: both of its pixels are seen.
  if (has(option, QStyle::State_HasFocus) && qobject_cast<const QPushButton*>(widget))
    ring(painter, QRectF(option->rect).adjusted(1, 1, -1, -1), radius::kButton - 1);
}

// A bar has a tab in front whatever is shown; where none of its names is meant, it says so.
bool in_front(const QStyleOptionTab& tab, const QWidget* bar) {
  return has(&tab, QStyle::State_Selected) && !(bar && bar->property(kNone).toBool());
}

void draw_switch_tab(QPainter* painter, const QStyleOptionTab& tab, const QWidget* bar) {
  const Tokens& t = tokens();
  const bool first = tab.position == QStyleOptionTab::Beginning || tab.position == QStyleOptionTab::OnlyOneTab;
  const bool last = tab.position == QStyleOptionTab::End || tab.position == QStyleOptionTab::OnlyOneTab;
  painter->save();
  painter->setClipRect(tab.rect);
  box(painter, QRectF(tab.rect).adjusted(first ? 0 : -20, 0, last ? 0 : 20, 0), radius::kField, t.press);
  painter->restore();
  const QRectF inner = QRectF(tab.rect).adjusted(first ? 3 : 1, 3, last ? -3 : -1, -3);
  if (in_front(tab, bar))
    box(painter, inner, radius::kButton, t.paper);
  else if (has(&tab, QStyle::State_MouseOver) && has(&tab, QStyle::State_Enabled))
    box(painter, inner, radius::kButton, t.well);
  if (has(&tab, QStyle::State_HasFocus)) ring(painter, inner, radius::kButton);
}

void draw_name_tab(QPainter* painter, const QStyleOptionTab& tab, const QWidget* bar) {
  const Tokens& t = tokens();
  const QRectF rect = tab.rect;
  const QRectF under(rect.left() + space::kSmall, rect.bottom() - 1, rect.width() - 2 * space::kSmall, 2);
  if (in_front(tab, bar))
    painter->fillRect(under, t.ink);
  else if (has(&tab, QStyle::State_MouseOver) && has(&tab, QStyle::State_Enabled))
    painter->fillRect(under, t.line);
  if (has(&tab, QStyle::State_HasFocus)) ring(painter, rect.adjusted(1, 1, -1, -3), radius::kButton);
}

void draw_tab_text(QPainter* painter, const QStyleOptionTab& tab, const QWidget* bar) {
  const Tokens& t = tokens();
  const bool chosen = in_front(tab, bar);
  QFont font = painter->font();
  font.setWeight(chosen ? QFont::DemiBold : QFont::Normal);
  painter->save();
  painter->setFont(font);
  painter->setPen(has(&tab, QStyle::State_Enabled) ? (chosen ? t.ink : t.ink2) : t.edge);
  draw_text(*painter, tab.rect, static_cast<int>(Qt::AlignCenter | Qt::TextSingleLine | Qt::TextShowMnemonic),
            tab.text);
  painter->restore();
}

void draw_scroll_bar(QPainter* painter, const QStyle& style, const QStyleOptionSlider& bar, const QWidget* widget) {
  const Tokens& t = tokens();
  // The ground of what it scrolls: pages stand on the panel, pictures on paper.
  const QWidget* around = widget && widget->parentWidget() ? widget->parentWidget()->parentWidget() : nullptr;
  const auto* page = qobject_cast<const QScrollArea*>(around);
  painter->fillRect(bar.rect, page ? page->viewport()->palette().color(page->viewport()->backgroundRole())
                                   : bar.palette.color(QPalette::Base));
  if (bar.maximum <= bar.minimum) return;
  QRectF handle = style.subControlRect(QStyle::CC_ScrollBar, &bar, QStyle::SC_ScrollBarSlider, widget);
  const bool live = has(&bar, QStyle::State_MouseOver) || has(&bar, QStyle::State_Sunken);
  handle.adjust(2, 2, -2, -2);
  box(painter, handle, std::min(handle.width(), handle.height()) / 2, live ? t.ink2 : t.edge);
}

void draw_slider(QPainter* painter, const QStyle& style, const QStyleOptionSlider& slider, const QWidget* widget) {
  const Tokens& t = tokens();
  const QRectF knob = style.subControlRect(QStyle::CC_Slider, &slider, QStyle::SC_SliderHandle, widget);
  const bool live = has(&slider, QStyle::State_Enabled), across = slider.orientation == Qt::Horizontal;
  const QPointF middle = knob.center();
  const QRectF all = slider.rect;
  const QRectF groove = across ? QRectF(all.left() + 2, middle.y() - 1.5, all.width() - 4, 3)
                               : QRectF(middle.x() - 1.5, all.top() + 2, 3, all.height() - 4);
  box(painter, groove, 1.5, t.press);
  QRectF done = groove;
  if (across)
    done.setRight(middle.x());
  else
    done.setTop(middle.y());
  const QColor colour = live ? t.ink : t.edge;
  box(painter, done, 1.5, colour);
  const double size = 6;
  box(painter, QRectF(middle - QPointF(size, size), QSizeF(2 * size, 2 * size)), size, colour);
  if (has(&slider, QStyle::State_HasFocus)) ring(painter, slider.rect, radius::kButton);
}

}  // namespace

void draw_sign(QPainter& painter, const QRectF& rect, Sign sign, const QColor& colour) {
  const double scale = std::min(rect.width(), rect.height()) / 16;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(rect.center() - QPointF(8, 8) * scale);
  painter.scale(scale, scale);
  painter.setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.setBrush(Qt::NoBrush);
  QPainterPath path;
  const auto line = [&path](std::initializer_list<QPointF> points) {
    path.moveTo(*points.begin());
    for (const QPointF& point : points) path.lineTo(point);
  };
  switch (sign) {
    case Sign::down:
      line({{4, 6}, {8, 10}, {12, 6}});
      break;
    case Sign::right:
      line({{6, 3}, {11, 8}, {6, 13}});
      break;
    case Sign::left:
      line({{10, 3}, {5, 8}, {10, 13}});
      break;
    case Sign::close:
      line({{4, 4}, {12, 12}});
      line({{12, 4}, {4, 12}});
      break;
    case Sign::arrow:
      line({{1, 8}, {15, 8}});
      line({{10, 3}, {15, 8}, {10, 13}});
      break;
    case Sign::more:
      painter.setPen(QPen(colour, 2.4, Qt::SolidLine, Qt::RoundCap));
      for (const double x : {3.0, 8.0, 13.0}) painter.drawPoint(QPointF(x, 8));
      break;
  }
  painter.drawPath(path);
  painter.restore();
}

bool looks(const QWidget* widget, const char* look) { return widget && widget->property(kLook).toByteArray() == look; }

Style::Style() : QProxyStyle(QStringLiteral("Fusion")) {}

QPalette Style::standardPalette() const { return theme().palette(); }

void Style::polish(QWidget* widget) {
  QProxyStyle::polish(widget);
  if (qobject_cast<QTabBar*>(widget) || qobject_cast<QAbstractButton*>(widget)) widget->setAttribute(Qt::WA_Hover);
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
      // Inside of another control, or an editor in a table: no border of its own.
      if (frame && frame->lineWidth <= 0) {
        if (widget && qobject_cast<const QComboBox*>(widget->parentWidget())) return;
        painter->fillRect(option->rect, option->palette.brush(QPalette::Base));
        return;
      }
      const bool quiet = looks(widget, "field"), focus = has(option, State_HasFocus);
      const double corner = quiet ? radius::kField : radius::kButton;
      const bool live = has(option, State_Enabled);
      box(painter, option->rect, corner, focus || !quiet ? t.paper : t.well,
          focus   ? t.accent
          : quiet ? QColor()
          : live  ? t.edge
                  : t.line,
          focus ? kRing : 1);
      return;
    }
    case PE_FrameLineEdit:
    case PE_FrameTabBarBase:
    case PE_FrameTabWidget:
    case PE_FrameStatusBarItem:
    case PE_PanelStatusBar:
    case PE_PanelToolBar:
      return;
    case PE_Frame:
      if (qobject_cast<const QAbstractScrollArea*>(widget)) {
        if (has(option, State_HasFocus)) ring(painter, option->rect, 0);
        return;
      }
      break;
    case PE_PanelButtonCommand:
      return draw_button(painter, option, widget, true, false);
    case PE_PanelButtonTool:
      return draw_button(painter, option, widget, false, has(option, State_AutoRaise));
    case PE_IndicatorButtonDropDown:
      if (has(option, State_MouseOver) || has(option, State_Sunken))
        box(painter, option->rect, radius::kButton, t.press);
      return;
    case PE_PanelMenu:
    case PE_PanelTipLabel:
      // What opens is told from what it lies on by its edge, in dark, too.
      painter->fillRect(option->rect,
                        option->palette.brush(element == PE_PanelMenu ? QPalette::Base : QPalette::ToolTipBase));
      box(painter, option->rect, 0, {}, t.edge, 1);
      return;
    case PE_FrameFocusRect:
      // Of a tool button all around, its arrow included.
      return ring(painter, qobject_cast<const QToolButton*>(widget) ? widget->rect() : option->rect, radius::kButton);
    case PE_IndicatorArrowDown:
      return draw_sign(*painter, option->rect, Sign::down, option->palette.color(QPalette::ButtonText));
    case PE_IndicatorArrowRight:
      return draw_sign(*painter, option->rect, Sign::right, option->palette.color(QPalette::ButtonText));
    case PE_IndicatorArrowLeft:
      return draw_sign(*painter, option->rect, Sign::left, option->palette.color(QPalette::ButtonText));
    case PE_IndicatorCheckBox: {
      const bool on = has(option, State_On), live = has(option, State_Enabled);
      const QRectF rect = QRectF(option->rect).adjusted(1, 1, -1, -1);
      box(painter, rect, radius::kCell, on && live ? t.ink : t.paper, live ? (on ? t.ink : t.edge) : t.line);
      if (!on) return;
      painter->save();
      painter->setRenderHint(QPainter::Antialiasing);
      painter->setPen(QPen(live ? t.paper : t.edge, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
      const auto at = [&rect](double x, double y) {
        return rect.topLeft() + QPointF(x * rect.width(), y * rect.height());
      };
      painter->drawPolyline(QPolygonF({at(0.22, 0.52), at(0.42, 0.72), at(0.78, 0.3)}));
      painter->restore();
      return;
    }
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
        return draw_tab_text(painter, *tab, widget);
      break;
    case CE_MenuBarEmptyArea:
      painter->fillRect(option->rect, t.desk);
      return;
    case CE_MenuBarItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
        painter->fillRect(option->rect, t.desk);
        if (has(option, State_Selected) || has(option, State_Sunken))
          box(painter, QRectF(option->rect).adjusted(1, 3, -1, -3), radius::kButton, t.press);
        const bool underlined = styleHint(SH_UnderlineShortcut, item, widget);
        drawItemText(painter, item->rect,
                     Qt::AlignCenter | Qt::TextSingleLine | (underlined ? Qt::TextShowMnemonic : Qt::TextHideMnemonic),
                     item->palette, has(option, State_Enabled), item->text, QPalette::ButtonText);
        return;
      }
      break;
    case CE_PushButtonLabel:
      if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
        QStyleOptionButton copy(*button);
        if (looks(widget, "main"))
          copy.palette.setColor(QPalette::ButtonText, has(option, State_Enabled) ? t.paper : t.ink2);
        return QProxyStyle::drawControl(element, &copy, painter, widget);
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
      if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
          button && has(button, State_On)) {
        QStyleOptionToolButton copy(*button);
        copy.palette.setColor(QPalette::ButtonText, t.accent);
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
      painter->fillRect(option->rect, t.paper);
      painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), t.line);
      return;
    case CE_HeaderEmptyArea:
      painter->fillRect(option->rect, t.paper);
      return;
    case CE_ProgressBarGroove:
      return box(painter,
                 QRectF(option->rect).adjusted(0, option->rect.height() / 2. - 2, 0, 2 - option->rect.height() / 2.), 2,
                 t.press);
    case CE_ProgressBarContents:
      if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
        const double span = std::max(1, bar->maximum - bar->minimum);
        QRectF rect =
            QRectF(option->rect).adjusted(0, option->rect.height() / 2. - 2, 0, 2 - option->rect.height() / 2.);
        rect.setWidth(rect.width() * std::clamp((bar->progress - bar->minimum) / span, 0.0, 1.0));
        return box(painter, rect, 2, t.ink);
      }
      break;
    default:
      break;
  }
  QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const {
  const Tokens& t = tokens();
  if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
    if (control == CC_ScrollBar) return draw_scroll_bar(painter, *this, *slider, widget);
    if (control == CC_Slider) return draw_slider(painter, *this, *slider, widget);
  }
  // Where the text of a button says already that it opens a menu.
  if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
      button && looks(widget, "sign") && button->features & QStyleOptionToolButton::HasMenu) {
    QStyleOptionToolButton plain(*button);
    plain.features &= ~QStyleOptionToolButton::HasMenu;
    return drawComplexControl(control, &plain, painter, widget);
  }
  if (control == CC_ComboBox) {
    if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
      const bool live = has(option, State_Enabled), over = live && has(option, State_MouseOver);
      const bool open = has(option, State_On) || has(option, State_Sunken);
      if (combo->frame && !looks(widget, "quiet"))
        box(painter, option->rect, radius::kButton, over || open ? t.press : t.well);
      else if (over || open)
        box(painter, option->rect, radius::kButton, t.press);
      const QRect arrow = subControlRect(control, option, SC_ComboBoxArrow, widget);
      const double side = 13 * std::max(1.0, theme().font_scale());
      draw_sign(*painter, QRectF(QRectF(arrow).center() - QPointF(side, side) / 2, QSizeF(side, side)), Sign::down,
                live ? t.ink2 : t.edge);
      if (has(option, State_HasFocus)) ring(painter, option->rect, radius::kButton);
      return;
    }
  }
  QProxyStyle::drawComplexControl(control, option, painter, widget);
  if (control == CC_SpinBox && has(option, State_HasFocus))
    box(painter, option->rect, radius::kButton, {}, t.accent, kRing + 1);
}

}  // namespace headlight
