#include "widgets/base/style_popups.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QFrame>
#include <QLayout>
#include <QLibrary>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QScreen>
#include <QStyleOption>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/tip.h"
#include "widgets/base/tokens.h"

namespace headlight {

namespace {

constexpr int kRoom = 24;                          // for the shadow; farther out it has less than half a level
constexpr int kSheetMargin = 6, kTickColumn = 22;  // inside a sheet; before the words of its rows
constexpr int kKeysGap = 24, kBelowAnchor = 4;     // before the keys of an action; between a field and its list
constexpr const char* kSheet = "headlightSheet";   // this widget is one

std::optional<bool>& as_a_test_has_it() {
  static std::optional<bool> composed;
  return composed;
}

// X11: somebody owns the selection that says so. Asked by name: the program itself needs nothing of X11.
bool x11_is_composed() {
#if QT_CONFIG(xcb)
  const auto* x11 = qApp->nativeInterface<QNativeInterface::QX11Application>();
  if (!x11 || !x11->display()) return false;
  QLibrary library(QStringLiteral("X11"), 6);
  const auto atom = reinterpret_cast<unsigned long (*)(Display*, const char*, int)>(library.resolve("XInternAtom"));
  const auto owner =
      reinterpret_cast<unsigned long (*)(Display*, unsigned long)>(library.resolve("XGetSelectionOwner"));
  return atom && owner && owner(x11->display(), atom(x11->display(), "_NET_WM_CM_S0", 0)) != 0;
#else
  return false;
#endif
}

struct Blur {
  double sigma, down, dark;
};

// From the border of a rounded rectangle, negative inside.
double distance_to_round(QPointF from_centre, QSizeF half, double corner) {
  const double x = std::abs(from_centre.x()) - half.width() + corner;
  const double y = std::abs(from_centre.y()) - half.height() + corner;
  return std::hypot(std::max(x, 0.0), std::max(y, 0.0)) + std::min(std::max(x, y), 0.0) - corner;
}

// Two Gaussian shadows of a small sheet. Its corners are those of a sheet of any size, its middle is drawn out.
QImage small_shadow(bool dark, double corner, double ratio) {
  const std::array<Blur, 2> blurs = {Blur{1.5, 1, dark ? 0.30 : 0.10}, Blur{7, 8, dark ? 0.28 : 0.13}};
  const int part = kRoom + static_cast<int>(std::ceil(corner)) + 8, side = 2 * part + 1;
  QImage image(QSize(side, side) * ratio, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(ratio);
  const double half = side / 2. - kRoom;
  for (int y = 0; y < image.height(); ++y) {
    auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < image.width(); ++x) {
      const QPointF at = QPointF(x + 0.5, y + 0.5) / ratio - QPointF(side, side) / 2;
      double light = 1;
      for (const Blur& blur : blurs) {
        const double away = distance_to_round(at - QPointF(0, blur.down), {half, half}, corner);
        light *= 1 - blur.dark * 0.5 * std::erfc(away / (blur.sigma * std::sqrt(2.0)));
      }
      line[x] = qRgba(0, 0, 0, static_cast<int>(std::lround(255 * (1 - light))));
    }
  }
  return image;
}

bool is_sheet(const QWidget* widget) {
  if (qobject_cast<const QMenu*>(widget) || widget->inherits("QTipLabel") ||
      widget->inherits("QComboBoxPrivateContainer"))
    return true;
  const auto* frame = qobject_cast<const QFrame*>(widget);
  return frame && frame->windowType() == Qt::Popup && frame->frameShape() == QFrame::StyledPanel;
}

bool has_ticks(const QStyleOptionMenuItem& item) { return item.menuHasCheckableItems; }

// A list stands below its field, or above where there is no room; as wide as its words.
void place_list(QWidget* list, const QComboBox& field) {
  field.view()->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  field.view()->viewport()->setAutoFillBackground(false);  // its rows lie on the sheet
  const int room = shadow_room(list);
  int words = 0;
  for (int i = 0; i < std::min(field.count(), 200); ++i)
    words = std::max(words, static_cast<int>(std::ceil(text_width(field.itemText(i), field.font()))));
  const int around = 2 * (kSheetMargin + space::kMedium) + kTickColumn;
  const int bar = field.count() > field.maxVisibleItems() ? 12 : 0;
  const QRect screen = field.screen()->availableGeometry();
  QRect sheet(QPoint(), list->size());
  sheet.setWidth(std::min(std::max(field.width(), words + around + bar), screen.width()));
  sheet.setHeight(std::min(sheet.height(), screen.height()));
  const QPoint top = field.mapToGlobal(QPoint(0, 0));
  sheet.moveTopLeft(top + QPoint(0, field.height() + kBelowAnchor));
  if (sheet.bottom() > screen.bottom() && top.y() - kBelowAnchor - sheet.height() >= screen.top())
    sheet.moveBottom(top.y() - kBelowAnchor);
  sheet.moveTop(std::max(screen.top(), std::min(sheet.top(), screen.bottom() + 1 - sheet.height())));
  sheet.moveLeft(std::max(screen.left(), std::min(sheet.left(), screen.right() + 1 - sheet.width())));
  list->setGeometry(sheet.adjusted(-room, -room, room, room));
}

// Who placed it did not reckon with the room of its shadow.
void place_sheet(QWidget* widget) {
  const int room = shadow_room(widget);
  if (const auto* field = qobject_cast<QComboBox*>(widget->parentWidget());
      field && widget->inherits("QComboBoxPrivateContainer"))
    return place_list(widget, *field);
  if (qobject_cast<QMenu*>(widget)) {
    const int up = qobject_cast<QMenu*>(widget->parentWidget()) ? kSheetMargin : 0;  // the rows of both are level
    return widget->move(widget->pos() - QPoint(room, room + up));
  }
  widget->setGeometry(widget->geometry().adjusted(-room, -room, room, room));
}

}  // namespace

bool Popups::composed() {
  if (as_a_test_has_it()) return *as_a_test_has_it();
  const QString platform = QGuiApplication::platformName();
  return platform == QLatin1String("xcb") ? x11_is_composed() : platform.startsWith(QLatin1String("wayland"));
}

void Popups::set_composed(std::optional<bool> composed) { as_a_test_has_it() = composed; }

void Popups::adopt(QWidget* widget) {
  if (!is_sheet(widget) || widget->property(kSheet).toBool()) return;
  widget->setProperty(kSheet, true);
  const bool composed = Popups::composed();
  if (composed) widget->setAttribute(Qt::WA_TranslucentBackground);
  widget->setAutoFillBackground(false);
  const int room = shadow_room(widget);
  if (widget->inherits("QTipLabel"))
    widget->setContentsMargins(space::kTight, 0, space::kTight, 0);
  else if (QLayout* layout = qobject_cast<QMenu*>(widget) ? nullptr : widget->layout()) {
    const int side = widget->inherits("QComboBoxPrivateContainer") ? kSheetMargin : 0;
    layout->setContentsMargins(layout->contentsMargins() + QMargins(room + side, room, room + side, room));
  }
  widget->installEventFilter(this);
}

bool Popups::eventFilter(QObject* watched, QEvent* event) {
  auto* widget = static_cast<QWidget*>(watched);
  const int room = shadow_room(widget);
  const bool tip = widget->inherits("QTipLabel");
  switch (event->type()) {
    case QEvent::Show: {
      if (event->spontaneous() || tip) return false;
      QPalette palette = theme().palette();
      for (const auto role : {QPalette::Base, QPalette::Window}) palette.setColor(role, tokens().sheet);
      if (!qobject_cast<QMenu*>(widget)) widget->setPalette(palette);
      place_sheet(widget);
      return false;
    }
    case QEvent::Move: {
      if (!tip || widget->pos() == tip_at_) return false;
      const auto place = place_of_shown_tip(widget->size() - QSize(2 * room, 2 * room));
      if (!place && room == 0) return false;
      tip_at_ = (place ? place->topLeft() : widget->pos()) - QPoint(room, room);
      widget->move(tip_at_);
      return false;
    }
    case QEvent::MouseButtonPress: {
      // The shadow is not of the sheet: a press there closes it, as everywhere else beside it.
      const auto* press = static_cast<QMouseEvent*>(event);
      if (room == 0 || widget->rect().adjusted(room, room, -room, -room).contains(press->position().toPoint()) ||
          !widget->rect().contains(press->position().toPoint()))
        return false;
      QMouseEvent outside(press->type(), QPointF(-kRoom, -kRoom), press->globalPosition(), press->button(),
                          press->buttons(), press->modifiers());
      QCoreApplication::sendEvent(widget, &outside);
      return true;
    }
    default:
      return false;
  }
}

int shadow_room(const QWidget* widget) {
  return widget && widget->property(kSheet).toBool() && widget->testAttribute(Qt::WA_TranslucentBackground) ? kRoom : 0;
}

void draw_shadow(QPainter* painter, const QRectF& sheet, double corner) {
  static std::map<std::tuple<bool, int, int>, QImage> made;
  const bool dark = theme().mode() == Theme::Mode::dark;
  const double ratio = painter->device()->devicePixelRatioF();
  QImage& image = made[{dark, static_cast<int>(corner), qRound(100 * ratio)}];
  if (image.isNull()) image = small_shadow(dark, corner, ratio);
  const double side = image.width() / ratio, part = (side - 1) / 2;
  const auto cuts = [&](double from, double to) { return std::array<double, 4>{from, from + part, to - part, to}; };
  const QRectF all = sheet.adjusted(-kRoom, -kRoom, kRoom, kRoom);
  const auto x = cuts(all.left(), all.right()), y = cuts(all.top(), all.bottom());
  const auto s = cuts(0, side);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      if (x[k + 1] <= x[k] || y[i + 1] <= y[i]) continue;
      painter->drawImage(QRectF(QPointF(x[k], y[i]), QPointF(x[k + 1], y[i + 1])), image,
                         QRectF(QPointF(s[k], s[i]) * ratio, QPointF(s[k + 1], s[i + 1]) * ratio));
    }
}

void draw_sheet(QPainter* painter, const QRect& window, const QWidget* widget, double corner) {
  const Tokens& t = tokens();
  const int room = shadow_room(widget);
  if (room == 0) return draw_round(painter, window, 0, t.sheet, t.edge);
  const QRectF sheet = QRectF(window).adjusted(room, room, -room, -room);
  draw_shadow(painter, sheet, corner);
  draw_round(painter, sheet, corner, t.sheet, t.line);
}

QSize menu_item_size(const QStyleOption* option, const QSize& words) {
  const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
  if (!item) return words;
  if (item->menuItemType == QStyleOptionMenuItem::Separator) return {words.width(), 9};
  const bool keys = item->text.contains('\t');
  const int around = 2 * space::kMedium + (has_ticks(*item) ? kTickColumn : 0);
  const int behind = keys ? kKeysGap : item->menuItemType == QStyleOptionMenuItem::SubMenu ? kKeysGap : 0;
  // The words of a list are said to be as high as the list.
  return {words.width() + around + behind, std::max(control_height(), item->fontMetrics.height() + space::kSmall)};
}

void draw_menu_item(QPainter* painter, const QStyleOption* option, const QWidget* widget) {
  const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
  if (!item) return;
  const Tokens& t = tokens();
  const QRectF row = item->rect;
  if (item->menuItemType == QStyleOptionMenuItem::Separator) {
    painter->fillRect(
        QRectF(row.left() + kSheetMargin, std::floor(row.center().y()), row.width() - 2 * kSheetMargin, 1), t.line);
    return;
  }
  const bool live = item->state & QStyle::State_Enabled;
  if (live && item->state & QStyle::State_Selected) draw_round(painter, row, radius::kButton, t.hover);
  const QColor ink = live ? t.ink : t.off;
  const double sign = 16 * std::max(1.0, theme().font_scale());
  const auto draw = [&](Sign what, double left, const QColor& colour) {
    draw_sign(*painter, QRectF(left, row.center().y() - sign / 2, sign, sign), what, colour);
  };
  if (item->checkType != QStyleOptionMenuItem::NotCheckable && item->checked)
    draw(Sign::tick, row.left() + space::kMedium - 3, ink);
  QRectF words = row.adjusted(space::kMedium + (has_ticks(*item) ? kTickColumn : 0), 0, -space::kMedium, 0);
  const bool underlined = widget && widget->style()->styleHint(QStyle::SH_UnderlineShortcut, option, widget);
  const qsizetype tab = item->text.indexOf('\t');
  painter->save();
  painter->setFont(item->font);
  painter->setPen(ink);
  const QString name = item->text.left(tab);
  draw_text(*painter, words, kLeft | (underlined ? Qt::TextShowMnemonic : Qt::TextHideMnemonic),
            underlined ? name : without_letter(name));
  painter->setFont(theme().ui_font(type::kSource));
  painter->setPen(live ? t.ink2 : t.off);
  if (live && item->state & QStyle::State_Selected) painter->setPen(t.ink);
  if (tab >= 0) draw_text(*painter, words, kRight, item->text.mid(tab + 1));
  painter->restore();
  if (item->menuItemType == QStyleOptionMenuItem::SubMenu) draw(Sign::right, words.right() - sign + 3, ink);
}

}  // namespace headlight
