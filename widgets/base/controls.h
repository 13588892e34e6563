// Small parts of panels: labels, names and tooltips of controls, icons that are drawn.
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>
#include <functional>

class QHBoxLayout;
class QLabel;
class QPainter;
class QToolButton;
class QVBoxLayout;
class QWidget;

namespace headlight {

struct Tokens;
enum class Sign;

// The layout of a box: without margins, with so many pixels between its parts.
QHBoxLayout* row_in(QWidget* box, int gap);
QVBoxLayout* column_in(QWidget* box, int gap);
// Text as it is, which can be selected and copied.
QLabel* text_label(QWidget* parent, bool wrap = true);
// The same of a label that there is already: its text wraps, and its lines stand apart as those of running text, where
// its letters are not those of a title.
void make_running_text(QLabel* label);
// Of the tokens, in every theme that comes: set_ink(label, &Tokens::ink2). A palette that is set once stays as it was.
void set_ink(QLabel* label, QColor Tokens::*ink);
// What a control is called, for screen readers, and what it does, as its tooltip.
void describe(QWidget* control, const QString& name, const QString& help);
// Calls `retranslate` whenever the language of the interface has become another one.
void retranslates(QWidget* widget, std::function<void()> retranslate);
// Room for the text that a control has now, in steps: for text that changes at every key, so that what stands around it
// is rarely laid out anew.
void keep_room(QWidget* control);
// A tooltip in lines of a readable length, of text that is never markup; none of an empty one.
QString wrapped_tooltip(const QString& text);
// A flat button with a sign of the style, in the colours of the theme.
QToolButton* sign_button(QWidget* parent, Sign sign);
// 16 x 16, at one and at two points for each pixel.
QIcon drawn_icon(const std::function<void(QPainter&)>& draw);

}  // namespace headlight
