// Texts and names of files on their way between the core, where they are bytes, and Qt.
#pragma once

#include <QString>
#include <filesystem>
#include <string_view>

namespace headlight {

// Every character of a text, also a U+FEFF at its beginning, which Qt takes for a mark of the byte order and leaves
// out. Broken bytes become U+FFFD.
QString from_utf8(std::string_view text);

// The same text with U+FFFD for halves of characters: a QString may hold them, UTF-8 cannot.
QString whole_characters(QString text);

// Names of files are bytes, and need not be UTF-8. A byte that is none stands in the text as half a character, U+DC80
// to U+DCFF (as in Python's PEP 383), so that the bytes that come back are those that were given. Whatever opens
// something in Qt makes its path by the first and reads it by the second; names that are told or stored are
// escaped_line()'s (model/text/message_line.h).
QString path_text(const std::filesystem::path& path);
std::string bytes_of(const QString& text);

}  // namespace headlight
