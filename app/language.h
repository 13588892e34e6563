// Switching the language of the interface while the program runs.
#pragma once

#include <QString>

namespace headlight {

// Makes our compiled-in resources (icons, translations) known; a program built from libraries must ask for them.
void load_resources();
// "en" or "zh_CN". Every widget gets a LanguageChange event.
void set_language(const QString& language);
QString current_language();
// A text of the interface in this language, whatever is chosen: for who looks for it by its name in either.
QString text_in(const QString& language, const char* context, const char* source);

}  // namespace headlight
