// What students call things: other words for what has a name of its own in the window, in both languages.
#pragma once

#include <QString>
#include <QStringList>

namespace headlight {

// Of these concepts of the field ("softmax", "mask"), which are also the words of the glossary.
QString words_for(const QStringList& concepts);
// Of an action ("larger"), a view ("view:heads"), a switch ("switch:causal"), a page of the mechanism ("page:mask") or
// a role of sites ("role:weights").
QString words_of(const QString& thing);

}  // namespace headlight
