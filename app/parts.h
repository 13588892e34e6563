// Small parts that the panels and dialogs of the window have in common.
#pragma once

#include <QFont>
#include <functional>

class QLabel;
class QString;
class QWidget;

namespace headlight {

// Of titles, and of what is chosen; `relative` to the type of the interface.
QFont strong_font(double relative = 1);
// What a button with a sign and without words is: for the mouse, and for screen readers.
void name_button(QWidget* button, const QString& name);

// One line in the room that there is, shortened where it is longer.
QLabel* line_label(QWidget* parent);

// Calls `say` whenever the interface gets another language: all words of the widget anew.
void on_language(QWidget* widget, std::function<void()> say);

}  // namespace headlight
