// What models and files from elsewhere say of themselves (ModelBundle::description), in the user's language.
#pragma once

#include <QString>

namespace headlight {

// "bert: 3 layers, 4 heads, 32 wide, float32; guesses masked words" and "stored attention of 4 texts: 3 layers, ...".
// Anything else stays as it is.
QString opened_text(const QString& description);

}  // namespace headlight
