// What the window says about a run in the user's language: notes, the size of the run, a forced output that is none.
#pragma once

#include <QString>
#include <QStringList>

#include "app/document/session.h"

namespace headlight {

// Titles and descriptions of the bundled models are known; other models' are shown as they are.
QString model_text(const std::string& text);
// As much of a description as one line has room for.
QString first_words(const QString& text);
QStringList note_texts(const Result& result);
// "143,292 parameters, 41,500 numbers in this run".
QString size_text(const Result& result);
// Why the forced output of a document cannot be run; empty when it can, or when nothing is forced.
QString target_problem(const Document& document);
// How probable the model finds what it was given to write: the product over these steps.
double output_probability(const Result& result);

}  // namespace headlight
