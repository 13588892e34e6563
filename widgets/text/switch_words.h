// Words for the settings of a mechanism and their values.
#pragma once

#include <QString>

#include "model/analysis/switches.h"

namespace headlight {

QString switch_name(const Switch& one);
QString switch_help(const Switch& one);
QString choice_name(const SwitchChoice& choice);
QString choice_help(const SwitchChoice& choice);
// "cosine", "on", "2", "everything".
QString value_in_words(const Switch& one, const Json& value);
// "Score: dot → cosine"; of a setting that no switch changes its key.
QString setting_in_words(const ModelBundle& bundle, const QString& key);
// What parameters that were never trained mean for the output; empty where all were.
QString untrained_in_words(const ModelBundle& bundle);

}  // namespace headlight
