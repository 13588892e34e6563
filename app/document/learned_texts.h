// What a model has learned to read, and why a text is none of that, in the user's language. What is said comes from the
// task that the model was trained on (model/training/tasks/learned.h) and from its vocabulary, and from nowhere else.
#pragma once

#include <QString>
#include <QStringList>
#include <string>

#include "model/models/bundle.h"
#include "model/training/tasks/learned.h"

namespace headlight {

// In a few words, for lists: "a date", "up to 10 digits".
QString reads_text(const ModelBundle& model);
// In a sentence: "Dates from 1950 to 2049, in 14 forms."
QString learned_text(const ModelBundle& model);
// The words that it knows, in the order of its vocabulary; none where it reads characters, or parts of words.
QStringList known_words(const ModelBundle& model);
// Why the text is none that it has learned, in one sentence; empty: it is one, or nobody can say.
QString misfit_text(const ModelBundle& model, const std::string& text);
// Whether a text that another model has read is one for this model, too: of its kind, and of tokens that it knows. Of a
// text that a person typed, most of them are enough; what nobody has typed is no loss.
bool suits(const ModelBundle& model, const ModelBundle* before, const std::string& text, bool typed);

}  // namespace headlight
