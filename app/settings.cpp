// Keys and defaults in one place.

#include "app/settings.h"

#include <QFileDevice>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <algorithm>

namespace headlight {

namespace {
// Raise it when docks are added or renamed: an old layout would hide them.
constexpr int kLayoutVersion = 3;

bool read_json(QIODevice& file, QSettings::SettingsMap& values) {
  values = QJsonDocument::fromJson(file.readAll()).object().toVariantMap();
  return true;
}

// Qt replaces the old file without asking whether its last bytes found room on the disk, so they are sent off here.
bool write_json(QIODevice& file, const QSettings::SettingsMap& values) {
  const QByteArray text = QJsonDocument(QJsonObject::fromVariantMap(values)).toJson();
  auto* device = qobject_cast<QFileDevice*>(&file);
  return file.write(text) == text.size() && device && device->flush();
}
}  // namespace

QSettings::Format settings_format() {
  static const QSettings::Format format = QSettings::registerFormat("json", read_json, write_json);
  return format;
}

std::optional<UserSettings::Layout> UserSettings::layout() const {
  const QSettings s;
  if (s.value("layout/version").toInt() != kLayoutVersion) return std::nullopt;
  const auto bytes = [&](const char* key) { return QByteArray::fromBase64(s.value(key).toByteArray()); };
  return Layout{bytes("layout/geometry"), bytes("layout/state")};
}

void UserSettings::set_layout(const Layout& layout) {
  QSettings s;
  s.setValue("layout/version", kLayoutVersion);
  s.setValue("layout/geometry", QString::fromLatin1(layout.geometry.toBase64()));
  s.setValue("layout/state", QString::fromLatin1(layout.state.toBase64()));
}

void UserSettings::forget_layout() { QSettings().remove("layout"); }

ThemeChoice UserSettings::theme() const {
  const QString name = QSettings().value("theme").toString();
  return name == "light" ? ThemeChoice::light : name == "dark" ? ThemeChoice::dark : ThemeChoice::system;
}

void UserSettings::set_theme(ThemeChoice theme) {
  QSettings().setValue("theme", theme == ThemeChoice::light ? "light" : theme == ThemeChoice::dark ? "dark" : "system");
}

bool UserSettings::less_motion() const { return QSettings().value("less_motion", false).toBool(); }
void UserSettings::set_less_motion(bool less) { QSettings().setValue("less_motion", less); }

int UserSettings::first_number() const { return QSettings().value("first_number", 1).toInt() == 0 ? 0 : 1; }
void UserSettings::set_first_number(int first) { QSettings().setValue("first_number", first); }

double UserSettings::font_scale() const {
  return std::clamp(QSettings().value("font_scale", 1.0).toDouble(), 0.75, 2.5);
}
void UserSettings::set_font_scale(double scale) { QSettings().setValue("font_scale", scale); }
double UserSettings::presenting() const { return QSettings().value("presenting", 1.0).toDouble(); }
void UserSettings::set_presenting(double factor) { QSettings().setValue("presenting", factor); }

QString UserSettings::language() const {
  const QString system = QLocale().language() == QLocale::Chinese ? "zh_CN" : "en";
  const QString language = QSettings().value("language", system).toString();
  return language == "zh_CN" ? language : QStringLiteral("en");
}
void UserSettings::set_language(const QString& language) { QSettings().setValue("language", language); }
QString UserSettings::lesson_language() const { return QSettings().value("lesson_language").toString().left(20); }
void UserSettings::set_lesson_language(const QString& language) { QSettings().setValue("lesson_language", language); }

bool UserSettings::start_page() const { return QSettings().value("start_page", false).toBool(); }
void UserSettings::set_start_page(bool always) { QSettings().setValue("start_page", always); }

QVariantMap UserSettings::views() const { return QSettings().value("views").toMap(); }
void UserSettings::set_views(const QVariantMap& views) { QSettings().setValue("views", views); }

QString UserSettings::last_model() const { return QSettings().value("last/model").toString(); }
QString UserSettings::last_source() const { return QSettings().value("last/source").toString(); }
void UserSettings::set_last(const QString& model, const QString& source) {
  QSettings s;
  s.setValue("last/model", model);
  s.setValue("last/source", source.left(2000));
}

QString UserSettings::report() const { return QSettings().value("report").toString(); }
void UserSettings::set_report(const QString& path) { QSettings().setValue("report", path); }

QString UserSettings::folder(const QString& kind) const { return QSettings().value(kind + "_folder").toString(); }
void UserSettings::set_folder(const QString& kind, const QString& folder) {
  QSettings().setValue(kind + "_folder", folder);
}

UserSettings::ExportOptions UserSettings::export_options() const {
  const QSettings s;
  return {s.value("export_title").toBool(), s.value("export_caption").toBool(), s.value("export_colours").toBool()};
}
void UserSettings::set_export_options(const ExportOptions& options) {
  QSettings s;
  s.setValue("export_title", options.title);
  s.setValue("export_caption", options.caption);
  s.setValue("export_colours", options.colours);
}

QList<UserSettings::Recent> UserSettings::recent() const {
  QSettings s;
  QList<Recent> recent;
  const int size = std::clamp(s.beginReadArray("recent"), 0, 100);
  for (int i = 0; i < size; ++i) {
    s.setArrayIndex(i);
    const bool session = s.value("kind").toString() == "session";
    const Recent one{session ? Recent::Kind::session : Recent::Kind::model, s.value("path").toString(),
                     s.value("name").toString()};
    if (!one.path.isEmpty()) recent << one;
  }
  return recent;
}

void UserSettings::set_recent(const QList<Recent>& recent) {
  QSettings s;
  s.remove("recent");
  s.beginWriteArray("recent", static_cast<int>(recent.size()));
  for (int i = 0; i < recent.size(); ++i) {
    s.setArrayIndex(i);
    s.setValue("kind", recent[i].kind == Recent::Kind::session ? "session" : "model");
    s.setValue("path", recent[i].path);
    s.setValue("name", recent[i].name);
  }
}

}  // namespace headlight
