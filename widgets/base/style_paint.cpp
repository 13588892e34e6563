// How the parts of controls are painted, in each of their states.
#include "widgets/base/style_paint.h"

#include <QAbstractSpinBox>
#include <QPainter>
#include <QPainterPath>
#include <QScrollArea>
#include <QStyleOption>
#include <algorithm>
#include <cmath>

#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

bool is(const QStyleOption* option, QStyle::StateFlag flag) { return option->state & flag; }

QColor blended(const QColor& a, const QColor& b, double share) {
  const auto mix = [share](int x, int y) { return static_cast<int>(std::lround(x + share * (y - x))); };
  return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

// Pictures lie on paper; panels, dialogs and what opens do not.
bool on_paper(const QWidget* widget) {
  for (const QWidget* each = widget ? widget->parentWidget() : nullptr; each; each = each->parentWidget())
    if (each->autoFillBackground() || each->isWindow())
      return each->windowType() != Qt::Popup && each->palette().color(each->backgroundRole()) == tokens().paper;
  return true;
}

// A grey button is a step darker than what it stands on; under the mouse, and while it is down, a step more.
QColor ground_of(const QStyleOption* option, const QWidget* widget, Fill fill) {
  const Tokens& t = tokens();
  const bool paper = on_paper(widget);
  if (!is(option, QStyle::State_Enabled)) return fill == Fill::grey ? t.well : QColor();
  if (is(option, QStyle::State_Sunken)) return fill == Fill::words && paper ? t.hover : t.down;
  if (is(option, QStyle::State_MouseOver))
    return fill == Fill::words ? (paper ? t.well : t.hover) : paper ? t.hover : t.down;
  return fill == Fill::words ? QColor() : paper ? t.well : t.press;
}

}  // namespace

void draw_button(QPainter* painter, const QStyleOption* option, const QWidget* widget, Fill fill) {
  const Tokens& t = tokens();
  const bool down = is(option, QStyle::State_Sunken), over = is(option, QStyle::State_MouseOver);
  QColor ground = ground_of(option, widget, fill);
  const bool on = is(option, QStyle::State_On);
  if (looks(widget, "main") && is(option, QStyle::State_Enabled))
    ground = blended(t.ink, t.paper, down ? 0.24 : over ? 0.14 : 0);
  if (ground.isValid()) draw_round(painter, option->rect, radius::kButton, ground);
  if (on)
    draw_round(painter, option->rect, radius::kButton, {}, is(option, QStyle::State_Enabled) ? t.ink : t.off, 1.5);
}

void draw_field(QPainter* painter, const QStyleOption* option, const QWidget* widget) {
  const Tokens& t = tokens();
  if (is(option, QStyle::State_HasFocus)) return draw_round(painter, option->rect, radius::kButton, t.paper, t.ink, 2);
  const bool live = is(option, QStyle::State_Enabled), paper = on_paper(widget);
  const QColor ground = live && is(option, QStyle::State_MouseOver) ? t.hover : paper || !live ? t.well : t.paper;
  draw_round(painter, option->rect, radius::kButton, ground, paper ? QColor() : t.line);
}

namespace {

// A bar has a tab in front whatever is shown; where none of its names is meant, it says so.
bool in_front(const QStyleOptionTab& tab, const QWidget* bar) {
  return is(&tab, QStyle::State_Selected) && !(bar && bar->property(kNone).toBool());
}

}  // namespace

void draw_switch_tab(QPainter* painter, const QStyleOptionTab& tab, const QWidget* bar) {
  const Tokens& t = tokens();
  const bool first = tab.position == QStyleOptionTab::Beginning || tab.position == QStyleOptionTab::OnlyOneTab;
  const bool last = tab.position == QStyleOptionTab::End || tab.position == QStyleOptionTab::OnlyOneTab;
  painter->save();
  painter->setClipRect(tab.rect);
  draw_round(painter, QRectF(tab.rect).adjusted(first ? 0 : -20, 0, last ? 0 : 20, 0), radius::kButton + 1,
             theme().mode() == Theme::Mode::dark ? t.well : t.press);
  painter->restore();
  const QRectF inner = QRectF(tab.rect).adjusted(first ? 2 : 0, 2, last ? -2 : 0, -2);
  if (in_front(tab, bar))
    draw_round(painter, inner, radius::kButton - 1, t.pill);
  else if (is(&tab, QStyle::State_MouseOver) && is(&tab, QStyle::State_Enabled))
    draw_round(painter, inner, radius::kButton - 1, t.down);
}

void draw_name_tab(QPainter* painter, const QStyleOptionTab& tab, const QWidget* bar) {
  const QRectF rect = tab.rect;
  const QRectF under(rect.left() + space::kSmall, rect.bottom() - 1, rect.width() - 2 * space::kSmall, 2);
  if (in_front(tab, bar)) painter->fillRect(under, tokens().ink);
}

void draw_tab_text(QPainter* painter, const QStyleOptionTab& tab, const QWidget* bar, bool underlined) {
  const Tokens& t = tokens();
  const bool chosen = in_front(tab, bar), live = is(&tab, QStyle::State_Enabled);
  QFont font = painter->font();
  font.setWeight(chosen ? QFont::DemiBold : QFont::Normal);
  painter->save();
  painter->setFont(font);
  painter->setPen(!live ? t.off : chosen || is(&tab, QStyle::State_MouseOver) ? t.ink : t.ink2);
  const int mnemonic = underlined ? Qt::TextShowMnemonic : Qt::TextHideMnemonic;
  draw_text(*painter, tab.rect, static_cast<int>(Qt::AlignCenter | Qt::TextSingleLine) | mnemonic,
            underlined ? tab.text : without_letter(tab.text));
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
  const bool live = is(&bar, QStyle::State_MouseOver) || is(&bar, QStyle::State_Sunken);
  handle.adjust(2, 2, -2, -2);
  draw_round(painter, handle, std::min(handle.width(), handle.height()) / 2, live ? t.ink2 : t.edge);
}

void draw_slider(QPainter* painter, const QStyle& style, const QStyleOptionSlider& slider, const QWidget* widget) {
  const Tokens& t = tokens();
  const QRectF knob = style.subControlRect(QStyle::CC_Slider, &slider, QStyle::SC_SliderHandle, widget);
  const bool live = is(&slider, QStyle::State_Enabled), across = slider.orientation == Qt::Horizontal;
  const QPointF middle = knob.center();
  const QRectF all = slider.rect;
  const QRectF groove =
      across ? QRectF(all.left(), middle.y() - 2, all.width(), 4) : QRectF(middle.x() - 2, all.top(), 4, all.height());
  draw_round(painter, groove, 2, t.press);
  QRectF done = groove;
  if (across)
    done.setRight(middle.x());
  else
    done.setTop(middle.y());
  draw_round(painter, done, 2, live ? t.ink : t.off);
  const bool down = is(&slider, QStyle::State_Sunken);
  if (live && (down || is(&slider, QStyle::State_MouseOver)))
    draw_round(painter, knob.adjusted(-5, -5, 5, 5), knob.width() / 2 + 5, down ? t.down : t.hover);
  draw_round(painter, knob, knob.width() / 2, theme().mode() == Theme::Mode::dark ? t.pill : t.paper,
             live ? t.ink : t.off, 2);
}

// Of a check box or a radio button.
void draw_indicator(QPainter* painter, const QStyleOption* option, bool round) {
  const Tokens& t = tokens();
  const bool on = is(option, QStyle::State_On), live = is(option, QStyle::State_Enabled);
  const QRectF rect = option->rect;
  const double corner = round ? rect.width() / 2 : 4, scale = rect.width() / 16;
  if (!on) {
    const bool down = is(option, QStyle::State_Sunken), over = is(option, QStyle::State_MouseOver);
    return draw_round(painter, rect, corner,
                      live && down   ? t.down
                      : live && over ? t.hover
                                     : t.paper,
                      live ? t.edge : t.off, 1.5);
  }
  draw_round(painter, rect, corner, live ? t.ink : t.off);
  const double in = (round ? 5 : 1) * scale;
  const QRectF inside = rect.adjusted(in, in, -in, -in);
  if (round)
    draw_round(painter, inside, inside.width() / 2, t.paper);
  else
    draw_sign(*painter, inside, Sign::tick, t.paper);
}

// Quiet: they are seen where somebody is about to use them.
void draw_spin_box(QPainter* painter, const QStyle& style, const QStyleOptionSpinBox& box, const QWidget* widget) {
  draw_field(painter, &box, widget);
  if (box.buttonSymbols == QAbstractSpinBox::NoButtons) return;
  const Tokens& t = tokens();
  if (!is(&box, QStyle::State_Enabled) || !(is(&box, QStyle::State_MouseOver) || is(&box, QStyle::State_HasFocus)))
    return;
  for (const bool up : {true, false}) {
    const QRectF button =
        style.subControlRect(QStyle::CC_SpinBox, &box, up ? QStyle::SC_SpinBoxUp : QStyle::SC_SpinBoxDown, widget);
    const bool can = box.stepEnabled & (up ? QAbstractSpinBox::StepUpEnabled : QAbstractSpinBox::StepDownEnabled);
    const double side = std::min(button.width(), button.height());
    draw_sign(*painter, QRectF(button.center() - QPointF(side, side) / 2, QSizeF(side, side)),
              up ? Sign::up : Sign::down, can ? t.ink2 : t.off);
  }
}

void draw_combo_box(QPainter* painter, const QStyle& style, const QStyleOptionComboBox& box, const QWidget* widget) {
  const Tokens& t = tokens();
  const bool live = is(&box, QStyle::State_Enabled);
  QStyleOptionComboBox at(box);
  if (is(&box, QStyle::State_On)) at.state |= QStyle::State_Sunken;
  if (box.editable) {
    draw_field(painter, &box, widget);
  } else if (const QColor ground =
                 ground_of(&at, widget, looks(widget, "quiet") || !box.frame ? Fill::words : Fill::grey);
             ground.isValid()) {
    draw_round(painter, box.rect, radius::kButton, ground);
  }
  const QRectF arrow = style.subControlRect(QStyle::CC_ComboBox, &box, QStyle::SC_ComboBoxArrow, widget);
  const double side = 14 * std::max(1.0, theme().font_scale());
  draw_sign(*painter, QRectF(arrow.center() - QPointF(side, side) / 2, QSizeF(side, side)), Sign::down,
            live ? t.ink2 : t.off);
}

// The chosen ones are one shape, however many cells they have.
// In a table figures stand under figures.
void draw_item_number(QPainter* painter, const QStyle& style, const QStyleOptionViewItem& item, const QWidget* widget) {
  const int margin = style.pixelMetric(QStyle::PM_FocusFrameHMargin, &item, widget) + 1;
  const QRect place = style.subElementRect(QStyle::SE_ItemViewItemText, &item, widget).adjusted(margin, 0, -margin, 0);
  const QPalette::ColorGroup group = !(item.state & QStyle::State_Enabled) ? QPalette::Disabled
                                     : item.state & QStyle::State_Active   ? QPalette::Normal
                                                                           : QPalette::Inactive;
  const auto role = item.state & QStyle::State_Selected ? QPalette::HighlightedText : QPalette::Text;
  painter->save();
  painter->setFont(item.font);
  painter->setPen(item.palette.color(group, role));
  const auto align = QStyle::visualAlignment(item.direction, item.displayAlignment);
  draw_text(*painter, place, static_cast<int>(align) | Qt::TextSingleLine,
            elided_text(item.text, item.font, item.textElideMode, place.width() + 1));
  painter->restore();
}

void draw_item_ground(QPainter* painter, const QStyleOptionViewItem& item) {
  const Tokens& t = tokens();
  const bool chosen = is(&item, QStyle::State_Selected);
  if (!chosen && !is(&item, QStyle::State_MouseOver)) {
    if (item.backgroundBrush.style() != Qt::NoBrush) painter->fillRect(item.rect, item.backgroundBrush);
    return;
  }
  using At = QStyleOptionViewItem;
  const At::ViewItemPosition at = item.viewItemPosition;  // a table does not say
  const bool first = at == At::Beginning || at == At::OnlyOne, last = at == At::End || at == At::OnlyOne;
  painter->save();
  painter->setClipRect(item.rect, Qt::IntersectClip);
  draw_round(painter, QRectF(item.rect).adjusted(first ? 0 : -20, 0, last ? 0 : 20, 0), radius::kButton,
             chosen ? item.palette.color(QPalette::Highlight) : t.well);
  painter->restore();
}

void draw_round(QPainter* painter, const QRectF& rect, double corner, const QColor& fill, const QColor& border,
                double width) {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(border.isValid() ? QPen(border, width) : QPen(Qt::NoPen));
  painter->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
  const double in = border.isValid() ? width / 2 : 0;
  painter->drawRoundedRect(rect.adjusted(in, in, -in, -in), corner, corner);
  painter->restore();
}

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
    case Sign::up:
      line({{4, 10}, {8, 6}, {12, 10}});
      break;
    case Sign::tick:
      line({{3, 8.5}, {6, 11.5}, {13, 4.5}});
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
    case Sign::minus:
      line({{3, 8}, {13, 8}});
      break;
    case Sign::plus:
      line({{3, 8}, {13, 8}});
      line({{8, 3}, {8, 13}});
      break;
    case Sign::fit:  // the corners of a frame
      line({{3, 6}, {3, 3}, {6, 3}});
      line({{10, 3}, {13, 3}, {13, 6}});
      line({{13, 10}, {13, 13}, {10, 13}});
      line({{6, 13}, {3, 13}, {3, 10}});
      break;
    case Sign::more:
      painter.setPen(QPen(colour, 2.4, Qt::SolidLine, Qt::RoundCap));
      for (const double x : {3.0, 8.0, 13.0}) painter.drawPoint(QPointF(x, 8));
      break;
  }
  painter.drawPath(path);
  painter.restore();
}

}  // namespace headlight
