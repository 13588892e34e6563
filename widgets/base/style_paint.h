// The parts of controls: what Style calls, and nobody else.
#pragma once

class QPainter;
class QStyle;
class QStyleOption;
class QStyleOptionComboBox;
class QStyleOptionSlider;
class QStyleOptionSpinBox;
class QStyleOptionTab;
class QStyleOptionViewItem;
class QWidget;

namespace headlight {

enum class Fill { grey, words };  // of a button: `words` has a ground only under the mouse

void draw_button(QPainter* painter, const QStyleOption* option, const QWidget* widget, Fill fill);
void draw_field(QPainter* painter, const QStyleOption* option, const QWidget* widget);
void draw_switch_tab(QPainter* painter, const QStyleOptionTab& tab, const QWidget* bar);
void draw_name_tab(QPainter* painter, const QStyleOptionTab& tab, const QWidget* bar);
void draw_tab_text(QPainter* painter, const QStyleOptionTab& tab, const QWidget* bar, bool underlined);
void draw_scroll_bar(QPainter* painter, const QStyle& style, const QStyleOptionSlider& bar, const QWidget* widget);
void draw_slider(QPainter* painter, const QStyle& style, const QStyleOptionSlider& slider, const QWidget* widget);
void draw_indicator(QPainter* painter, const QStyleOption* option, bool round);
void draw_spin_box(QPainter* painter, const QStyle& style, const QStyleOptionSpinBox& box, const QWidget* widget);
void draw_combo_box(QPainter* painter, const QStyle& style, const QStyleOptionComboBox& box, const QWidget* widget);
void draw_item_number(QPainter* painter, const QStyle& style, const QStyleOptionViewItem& item, const QWidget* widget);
void draw_item_ground(QPainter* painter, const QStyleOptionViewItem& item);

}  // namespace headlight
