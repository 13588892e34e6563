// What a setting of a training or of a model is called in the window; the files and the command line know it by its key.
#pragma once

#include <QString>
#include <string>

namespace headlight {

// In the language of the window. Of a key that has no title, its own words.
QString setting_title(const std::string& key);

}  // namespace headlight
