// One desktop for all tests of windows, whatever the machine and its user have set: a picture must not depend on them.
#pragma once

#include <QByteArray>
#include <QList>
#include <QProcessEnvironment>

namespace headlight::testing {

// Before there is an application: the offscreen platform, the fonts of tests/data/fonts.conf, English. Variables with
// which a user sets style, size, fonts or language of programs are dropped; those that load or report stay.
inline void pin_desktop() {
  for (const QString& name : QProcessEnvironment::systemEnvironment().keys()) {
    const auto begins = [&](const char* with) { return name.startsWith(QLatin1String(with)); };
    if (begins("QT_LOGGING") || begins("QT_PLUGIN")) continue;
    for (const char* with : {"QT_", "FONTCONFIG_", "FC_", "FREETYPE_", "LANG", "LC_"})
      if (begins(with)) qunsetenv(qPrintable(name));
  }
  qputenv("QT_QPA_PLATFORM", "offscreen");
  qputenv("FONTCONFIG_FILE", HEADLIGHT_TEST_DATA "/fonts.conf");
  qputenv("LC_ALL", "C.UTF-8");
}

}  // namespace headlight::testing
