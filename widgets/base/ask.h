// Before something is lost: what goes, and that it cannot be brought back. Nothing goes by one key or click. What
// Ctrl+Z brings back does not ask. (SessionFiles::may_leave() asks for a window with changes that no file has.)
#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace headlight {

struct Loss {
  QString question;  // "Discard this session? It cannot be brought back."
  QString what;      // that goes, by its name; empty: the question says it
  QString verb;      // on the button that does it
};
// `lose` is called after a yes; Enter and Escape mean no.
void ask_to_lose(QWidget* parent, const Loss& loss, std::function<void()> lose);
// The same for a file that is written over; true where there is none. Waits for the answer.
bool may_write(QWidget* parent, const QString& path);

}  // namespace headlight
