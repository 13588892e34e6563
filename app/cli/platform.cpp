#include "app/cli/platform.h"

#include <sys/mman.h>
#include <unistd.h>

#include <QIcon>
#include <QScreen>
#include <array>

#include "app/language.h"
#include "app/messages.h"
#include "app/settings.h"
#include "app/version.h"
#include "model/core/errors.h"
#include "model/io/bundled.h"
#include "widgets/base/motion.h"

namespace headlight {

namespace {

constexpr const char *kPlatform = "QT_QPA_PLATFORM", *kWayland = "WAYLAND_DISPLAY", *kX11 = "DISPLAY";

// What a start without a display is answered with.
std::string& no_display() {
  static std::string text;
  return text;
}

// What a display's own library (libwayland, say) writes to the standard error while a display is looked for. It is news
// where one was found; where none was, one line of ours says so.
class HeldErrors {
 public:
  HeldErrors() : error_(::dup(STDERR_FILENO)), held_(::memfd_create("errors", MFD_CLOEXEC)) {
    if (error_ >= 0 && held_ >= 0) ::dup2(held_, STDERR_FILENO);
  }
  ~HeldErrors() {
    release();
    for (const int each : {error_, held_})
      if (each >= 0) ::close(each);
  }
  // From here on the standard error is what it was before.
  void release() const {
    if (error_ >= 0) ::dup2(error_, STDERR_FILENO);
  }
  void pass_on() const {
    release();
    std::array<char, 4096> some;
    if (held_ < 0 || ::lseek(held_, 0, SEEK_SET) != 0) return;
    for (ssize_t count; (count = ::read(held_, some.data(), some.size())) > 0;)
      if (::write(STDERR_FILENO, some.data(), static_cast<std::size_t>(count)) != count) return;
  }

 private:
  int error_, held_;
};
const HeldErrors* held = nullptr;

// While the application is made, what Qt cannot go on without is a display or its plugin: said here, where it would end
// the program with a signal.
QtMessageHandler usual = nullptr;
void while_starting(QtMsgType type, const QMessageLogContext& context, const QString& message) {
  if (type != QtFatalMsg) return usual ? usual(type, context, message) : void();
  if (held) held->release();
  say("headlight: " + no_display());
  ::_exit(2);
}

// A folder that runs anywhere has its own fonts, and a Qt of its own, for which plugins of another one are not made.
void take_what_lies_beside() {
  const std::filesystem::path fonts = bundled_folder(Bundled::fonts);
  if (fonts.empty()) return;
  if (qEnvironmentVariableIsEmpty("FONTCONFIG_FILE"))
    qputenv("FONTCONFIG_FILE", (fonts / "fonts.conf").string().c_str());
  for (const char* other : {"QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH"}) qunsetenv(other);
}

std::unique_ptr<QApplication> make_application() {
  take_what_lies_beside();
  static int count = 1;
  static char name[] = "headlight";
  static std::array<char*, 2> arguments = {name, nullptr};  // ours are not meant for Qt
  usual = qInstallMessageHandler(while_starting);
  std::unique_ptr<QApplication> application;
  {
    const HeldErrors errors;
    held = &errors;
    application = std::make_unique<QApplication>(count, arguments.data());
    held = nullptr;
    if (has_display()) errors.pass_on();
  }
  qInstallMessageHandler(usual);
  if (!QGuiApplication::primaryScreen()) throw UsageError(no_display());  // linuxfb starts without one
  QCoreApplication::setOrganizationName(QStringLiteral("Headlight"));
  QCoreApplication::setApplicationName(QStringLiteral("Headlight"));
  QCoreApplication::setApplicationVersion(QString::fromUtf8(kVersion));
  QSettings::setDefaultFormat(settings_format());
  QGuiApplication::setDesktopFileName(QStringLiteral("headlight"));
  load_resources();
  QGuiApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/headlight.svg")));
  return application;
}

// By which names the display was asked for, and what to do.
std::string no_display_text() {
  QByteArray named;
  for (const char* name : {kPlatform, kWayland, kX11})
    if (!qEnvironmentVariableIsEmpty(name))
      named += (named.isEmpty() ? "" : ", ") + QByteArray(name) + "='" + qgetenv(name).left(60) + "'";
  return "cannot open a window: no display can be reached (" + named.toStdString() +
         "); start it on a desktop, or unset what is named here and the first view is drawn into a picture; "
         "'headlight run' and 'headlight render' need no display";
}

bool is_factor(const QByteArray& text) {
  bool number = false;
  const double factor = text.toDouble(&number);
  return number && factor >= 0.25 && factor <= 8;
}

// "2;1", or "HDMI-1=2;DP-2=1"
bool are_factors(const QByteArray& text) {
  const QList<QByteArray> screens = text.split(';');
  return std::all_of(screens.begin(), screens.end(),
                     [](const QByteArray& screen) { return is_factor(screen.mid(screen.lastIndexOf('=') + 1)); });
}

bool is_resolution(const QByteArray& text) {
  bool number = false;
  const int dots = text.toInt(&number);
  return number && dots >= 24 && dots <= 768;
}

bool is_offscreen(const QByteArray& platform) { return platform == "offscreen" || platform == "minimal"; }

}  // namespace

void drop_strange_scales() {
  const auto keep = [](const char* name, bool (*fits)(const QByteArray&)) {
    if (qEnvironmentVariableIsSet(name) && !fits(qgetenv(name))) qunsetenv(name);
  };
  keep("QT_FONT_DPI", is_resolution);
  keep("QT_SCALE_FACTOR", is_factor);
  keep("QT_SCREEN_SCALE_FACTORS", are_factors);
}

std::unique_ptr<QApplication> make_offscreen_application() {
  QList<QByteArray> settings;
  for (char** each = environ; *each; ++each) {
    const QByteArray name = QByteArray(*each).split('=').front();
    if (name.startsWith("QT_") && !name.endsWith("PLUGIN_PATH") && name != "QT_LOGGING_RULES") settings << name;
  }
  for (const QByteArray& name : settings) qunsetenv(name.constData());
  qputenv(kPlatform, "offscreen");
  qputenv("LC_ALL", "C.UTF-8");
  no_display() = "cannot draw: Qt finds no plugin of its platform 'offscreen', which belongs to the package libqt6gui6";
  return make_application();
}

// Qt tries platforms in order: first the one that is asked for, then those that may be meant. A display that cannot be
// reached so ends at the offscreen one, not in an abort.
std::unique_ptr<QApplication> make_window_application() {
  const QByteArray asked = qgetenv(kPlatform);
  QList<QByteArray> platforms;
  if (!asked.isEmpty()) platforms << asked;
  if (!qEnvironmentVariableIsEmpty(kWayland)) platforms << "wayland";
  if (!qEnvironmentVariableIsEmpty(kX11)) platforms << "xcb";
  if (platforms.isEmpty() || is_offscreen(asked.split(';').front().split(':').front()))
    return make_offscreen_application();
  drop_strange_scales();
  no_display() = no_display_text();
  qputenv(kPlatform, (platforms << "offscreen").join(';'));
  auto application = make_application();
  asked.isNull() ? qunsetenv(kPlatform) : qputenv(kPlatform, asked);  // for what is started from the window
  if (!has_display()) throw UsageError(no_display());
  Motion::watch();
  return application;
}

bool has_display() { return !is_offscreen(QGuiApplication::platformName().toUtf8()); }

}  // namespace headlight
