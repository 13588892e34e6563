// Switching the language of the interface while the program runs.
#pragma once

#include <QString>

namespace headlight {

// Makes our compiled-in resources (icons, translations) known; a program built from libraries must ask for them.
void load_resources();
// "en" or "zh_CN". Every widget gets a LanguageChange event.
void set_language(const QString& language);
QString current_language();
// Of lessons: that of the interface, unless another one was chosen for them; empty: that of the interface again.
void set_lesson_language(const QString& language);
QString lesson_language();
QString chosen_lesson_language();  // empty: none
// As the command line says it: a language that the interface lacks is that of lessons alone.
void choose_language(const QString& language);
QString language_name(const QString& language);  // as its speakers write it: "Deutsch"
// A text of the interface in this language, whatever is chosen: for who looks for it by its name in either.
QString text_in(const QString& language, const char* context, const char* source);

}  // namespace headlight
