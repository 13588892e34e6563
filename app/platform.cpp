#include "app/platform.h"

#include <QGuiApplication>
#include <QIcon>

#include "app/language.h"
#include "app/settings.h"
#include "app/version.h"

namespace headlight {

namespace {

constexpr const char* kPlatform = "QT_QPA_PLATFORM";

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
