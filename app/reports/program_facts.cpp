#include "app/reports/program_facts.h"

#include <gnu/libc-version.h>
#include <unistd.h>

#include <Eigen/Core>
#include <QFile>
#include <QGuiApplication>
#include <QLocale>
#include <QScreen>
#include <QSysInfo>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <thread>

#include "app/version.h"
#include "model/core/kernels.h"
#include "model/core/system.h"
#include "model/io/bundled.h"

namespace headlight {

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string processor_name() {
  QFile file(QStringLiteral("/proc/cpuinfo"));
  const bool open = file.open(QIODevice::ReadOnly);
  for (QByteArray line; open && !(line = file.readLine(500)).isEmpty();)
    if (line.startsWith("model name") && line.contains(": "))
      return line.mid(line.indexOf(": ") + 2).trimmed().toStdString();
  return QSysInfo::currentCpuArchitecture().toStdString();
}

std::string gibibytes() {
  const double bytes = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  std::ostringstream text;
  text.precision(3);
  text << bytes / (1 << 30) << " GiB";
  return text.str();
}

std::string display_facts() {
  std::string all;
  for (const char* name : {"XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "QT_QPA_PLATFORM", "QT_SCALE_FACTOR"})
    if (const std::string value = environment(name); !value.empty())
      all += (all.empty() ? "" : ", ") + std::string(name) + "=" + value.substr(0, 60);
  if (!qGuiApp) return all.empty() ? "not asked for" : all;
  all += (all.empty() ? "" : ", ") + QGuiApplication::platformName().toStdString();
  for (const QScreen* screen : QGuiApplication::screens())
    all += QStringLiteral(", %1×%2 at %3 %")
               .arg(screen->size().width())
               .arg(screen->size().height())
               .arg(qRound(100 * screen->devicePixelRatio()))
               .toStdString();
  return all;
}

std::string built_with() {
  std::string text = "GCC ";
#ifdef __clang__
  text = "Clang ";
#endif
  text += __VERSION__;
#ifdef NDEBUG
  text += ", optimised";
#endif
#ifdef __SANITIZE_ADDRESS__
  text += ", address sanitizer";
#endif
  return text;
}

}  // namespace

std::string without_home(std::string path) {
  const std::string home = environment("HOME");
  if (home.size() > 1 && path.starts_with(home) && (path.size() == home.size() || path[home.size()] == '/'))
    path.replace(0, home.size(), "~");
  return path;
}

std::string state_folder() {
  std::string base = environment("XDG_STATE_HOME");
  if (!base.starts_with('/')) base = environment("HOME") + "/.local/state";
  return base + "/headlight";
}

std::string program_facts() {
  const std::string program = program_file().string();
  std::ostringstream text;
  const auto line = [&](std::string_view name, const std::string& value) { text << name << ": " << value << "\n"; };
  line("headlight", kVersion);
  line("built with", built_with());
  line("Qt", std::string(qVersion()) +
                 (std::string_view(qVersion()) == QT_VERSION_STR ? "" : ", built with " QT_VERSION_STR));
  line("Eigen", std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
                    std::to_string(EIGEN_MINOR_VERSION));
  line("OpenBLAS", "kernels for " + product_kernels());
  line("products", "compiled for registers of " + std::to_string(register_bytes()) + " bytes");
  line("system", QSysInfo::prettyProductName().toStdString() + ", Linux " + QSysInfo::kernelVersion().toStdString() +
                     ", glibc " + gnu_get_libc_version());
  line("processor",
       processor_name() + ", " + std::to_string(std::thread::hardware_concurrency()) + " cores, " + gibibytes());
  line("display", display_facts());
  line("language", QLocale::system().name().toStdString());
  line("program", without_home(program));
  line("models", without_home(bundled_folder(Bundled::models).string()));
  line("reports", without_home(state_folder()));
  return text.str();
}

}  // namespace headlight
