// What stands in the place of a list that a search has emptied.
#pragma once

class QLabel;
class QWidget;

namespace headlight {

// Hidden at first; its text says why nothing is there.
QLabel* nothing_found(QWidget* parent);

}  // namespace headlight
