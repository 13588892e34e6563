// What Qt remembers of the keyboard.
#pragma once

class QWidget;

namespace headlight {

// Before a widget gets another parent (QEvent::ParentAboutToChange). Each widget keeps which of those in it had the
// keyboard last, and Qt has it forgotten around the place from where that one is deleted, but not always around the
// place where it was before: the next Tab in a scroll area there then follows a pointer to nothing.
void forget_keyboard_in(const QWidget& moved);

}  // namespace headlight
