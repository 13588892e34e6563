// What a picture says of what is under the mouse: a tooltip beside it, which leaves its row, its column and its
// neighbours free and goes with the mouse.
#pragma once

#include <QRect>
#include <QString>
#include <functional>
#include <optional>

class QWidget;

namespace headlight {

// The mouse is a point of `over`. What is said of one point is said of all around it that are the `same`: a cell, a
// name.
void show_tip(const QString& words, QWidget* over, QPoint mouse, const std::function<bool(QPoint)>& same);

// Where a tooltip of this size stands beside `of`, in the points of the screen.
QRect tip_place(QSize tip, const QRect& of, QPoint mouse, const QRect& screen);

// The same for the tooltip that is being shown, on its screen; none: it is not of a picture.
std::optional<QRect> place_of_shown_tip(QSize tip);

}  // namespace headlight
