#include "app/platform.h"

#include <QGuiApplication>
#include <QIcon>
#include <iostream>

#include "app/language.h"
#include "app/settings.h"
#include "app/version.h"

namespace headlight {

namespace {

constexpr const char* kPlatform = "QT_QPA_PLATFORM";

// Qt remarks on every machine that is no full desktop (no runtime folder, no window manager, a display that cannot be
// reached). None of it is news for the user: standard error is for our own one-line messages.
void quiet_messages(QtMsgType type, const QMessageLogContext& context, const QString& message) {
  const bool platform = QLatin1String(context.category).startsWith(QLatin1String("qt.qpa"));
  const bool known = message.startsWith(QLatin1String("This plugin does not support")) ||
                     message.startsWith(QLatin1String("QStandardPaths: "));
  if (type == QtFatalMsg || !(platform || known)) std::cerr << "headlight: " << message.toStdString() << std::endl;
}

}  // namespace

void name_application() {
  QCoreApplication::setOrganizationName(QStringLiteral("Headlight"));
  QCoreApplication::setApplicationName(QStringLiteral("Headlight"));
  QCoreApplication::setApplicationVersion(QString::fromUtf8(kVersion));
  QSettings::setDefaultFormat(settings_format());
  load_resources();
  QGuiApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/headlight.svg")));
}

// Qt tries platforms in order, so a display that cannot be reached ends at the offscreen one, not in an abort.
void choose_platform(bool needs_display) {
  qInstallMessageHandler(quiet_messages);
  if (qEnvironmentVariableIsSet(kPlatform)) return;
  if (!needs_display) {
    qputenv(kPlatform, "offscreen");
    return;
  }
  const bool wayland = qEnvironmentVariableIsSet("WAYLAND_DISPLAY"), x11 = qEnvironmentVariableIsSet("DISPLAY");
  qputenv(kPlatform, wayland ? "wayland;xcb;offscreen" : x11 ? "xcb;offscreen" : "offscreen");
}

bool has_display() {
  const QString platform = QGuiApplication::platformName();
  return platform != "offscreen" && platform != "minimal";
}

}  // namespace headlight
