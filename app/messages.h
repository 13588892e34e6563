// The one way out for messages: to standard error, and into the window. Whoever throws or warns quotes names as they
// are; here they become one line, short, and without anything that steers a terminal.
#pragma once

#include <QString>
#include <string>
#include <string_view>

namespace headlight {

// Writes one line, which message_line() has made safe and short, and ends it.
void say(std::string_view line);
// The same behind "headlight: warning: ": what goes on, but not as somebody may think.
void warn_line(const std::string& line);

// What Qt says is no news for the user: it is dropped, unless HEADLIGHT_DEBUG or Qt's own QT_LOGGING_RULES ask for it,
// or the program ends with it.
void take_over_qt_messages();

// A message, or a name that is shown in one, as the window shows it: safe and short as above.
QString message_text(const QString& message);

}  // namespace headlight
