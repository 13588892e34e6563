// How a token is shown: spaces and control characters become visible, other scripts keep their order and their shapes.
#pragma once

#include <QFont>
#include <QString>
#include <string>
#include <string_view>
#include <vector>

#include "model/text/vocabulary.h"

namespace headlight {

struct TokenText {
  QString text;           // to be painted; never empty
  bool stand_in = false;  // a picture or code stands for something invisible: paint it muted
  QString name;           // for tooltips and screen readers: "space", "tab", "U+200B", or the token itself
  bool special = false;   // a sign of the vocabulary ("</s>", "[MASK]"): paint it muted in special_font()
};

// "␣" for a space, "\t" for a tab, "U+200B" for what has no shape, "\xE9" for a broken byte, "<0xE9>" too. What is
// invisible within a character, such as the joiners of an emoji, stays with it. Right-to-left text is wrapped in
// isolates, so that it cannot reorder what stands beside it.
TokenText token_text(const std::string& token);
// Each token of a text; bytes that make a character together show it with their number: "你₁" "你₂" "你₃".
std::vector<TokenText> token_texts(const std::vector<std::string>& tokens);
// A whole text, as it is painted: what cannot be seen, starts a line or turns round what stands beside it as an escape.
QString shown_text(std::string_view text);
// "‘cat’", as it stands in a sentence; “cat” in Chinese.
QString in_quotes(const QString& text);
// In what special tokens are painted: slanted.
QFont special_font(QFont font);
// Whose words these are: "user"; empty: nobody's.
QString voice_name(Voice voice);
// Of a token that stands by itself: a character in a fixed pitch, a word in the type of the interface.
QFont font_of(const TokenText& token, double relative = 1);

// The same text for QToolTip and QWidget::setToolTip, which would take what looks like HTML for HTML. Of a text longer
// than a tooltip can show, the beginning and the end.
QString plain_tooltip(const QString& text);

}  // namespace headlight
