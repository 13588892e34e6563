// One translator for our texts, and Qt's own for the buttons of its dialogs where Qt's translations are installed.

#include "app/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <map>

// The macro declares functions of the global namespace.
static void init_resources() {
  Q_INIT_RESOURCE(resources);
  Q_INIT_RESOURCE(headlight_app_translations);
}

namespace headlight {

namespace {
QString& chosen() {
  static QString language = QStringLiteral("en");
  return language;
}
QString& chosen_of_lessons() {
  static QString language;
  return language;
}
}  // namespace

QString current_language() { return chosen(); }

void set_lesson_language(const QString& language) { chosen_of_lessons() = language; }
QString chosen_lesson_language() { return chosen_of_lessons(); }
QString lesson_language() { return chosen_of_lessons().isEmpty() ? chosen() : chosen_of_lessons(); }

void choose_language(const QString& language) {
  const bool ours = language == "en" || language == "zh_CN";
  if (ours) set_language(language);
  set_lesson_language(ours ? QString() : language);
}

QString language_name(const QString& language) {
  if (language == "en") return QStringLiteral("English");  // not "American English"
  QString name = QLocale(language).nativeLanguageName();
  if (QLocale(language).language() == QLocale::C || name.isEmpty()) return language;
  name[0] = name[0].toUpper();
  return name;
}

void load_resources() { init_resources(); }

void set_language(const QString& language) {
  static QTranslator ours, of_qt;
  QCoreApplication::removeTranslator(&ours);
  QCoreApplication::removeTranslator(&of_qt);
  chosen() = language;
  if (language == "en") return;
  if (of_qt.load("qtbase_" + language, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
    QCoreApplication::installTranslator(&of_qt);
  if (ours.load(":/translations/headlight_" + language)) QCoreApplication::installTranslator(&ours);
}

QString text_in(const QString& language, const char* context, const char* source) {
  static std::map<QString, QTranslator> all;
  const auto [found, first] = all.try_emplace(language);
  if (first && language != "en") (void)found->second.load(":/translations/headlight_" + language);
  const QString text = found->second.translate(context, source);
  return text.isEmpty() ? QString::fromUtf8(source) : text;
}

}  // namespace headlight
