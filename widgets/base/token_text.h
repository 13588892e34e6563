// How a token is shown: spaces and control characters become visible, other scripts keep their order and their shapes.
#pragma once

#include <QString>
#include <string>

namespace headlight {

struct TokenText {
  QString text;           // to be painted; never empty
  bool stand_in = false;  // a picture or code stands for something invisible: paint it muted
  QString name;           // for tooltips and screen readers: "space", "tab", "U+200B", or the token itself
};

// "␣" for a space, "\t" for a tab, "U+200B" for what has no shape, "\xE9" for a broken byte. Right-to-left text is
// wrapped in isolates, so that it cannot reorder what stands beside it.
TokenText token_text(const std::string& token);

// The same text for QToolTip and QWidget::setToolTip, which would take what looks like HTML for HTML.
QString plain_tooltip(const QString& text);

}  // namespace headlight
