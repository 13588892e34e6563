#include "app/messages.h"

#include <cstdio>
#include <string>

#include "model/text/message_line.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

bool wanted(QtMsgType type) {
  static const bool asked =
      !qEnvironmentVariableIsEmpty("HEADLIGHT_DEBUG") || qEnvironmentVariableIsSet("QT_LOGGING_RULES");
  return asked || type == QtFatalMsg;
}

void on_qt_message(QtMsgType type, const QMessageLogContext& context, const QString& message) {
  if (!wanted(type)) return;
  const std::string category = context.category ? context.category : "default";
  say("headlight: " + (category == "default" ? "" : category + ": ") + message.trimmed().toStdString());
}

}  // namespace

void say(std::string_view line) {
  const std::string text = message_line(line) + "\n";
  std::fwrite(text.data(), 1, text.size(), stderr);  // in one piece, whatever other threads write
}

void warn_line(const std::string& line) { say("headlight: warning: " + line); }

QString message_text(const QString& message) { return from_utf8(message_line(bytes_of(message))); }

void take_over_qt_messages() { qInstallMessageHandler(on_qt_message); }

}  // namespace headlight
