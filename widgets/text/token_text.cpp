// Tokens made visible.
#include "widgets/text/token_text.h"

#include <QChar>
#include <QCoreApplication>
#include <QTextBoundaryFinder>
#include <QTextDocument>
#include <algorithm>

#include "model/analysis/word_groups.h"
#include "model/text/message_line.h"
#include "model/text/utf8.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"

namespace headlight {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("TokenText", text); }

QString code_of(char32_t c) {
  return QStringLiteral("U+%1").arg(static_cast<uint>(c), 4, 16, QLatin1Char('0')).toUpper();
}

QString control_name(char32_t c) {
  switch (c) {
    case '\t':
      return tr("tab");
    case '\n':
      return tr("line feed");
    case '\r':
      return tr("carriage return");
    default:
      return tr("control character %1").arg(code_of(c));
  }
}

bool is_shapeless(char32_t c) {
  switch (QChar::category(c)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_NotAssigned:
    case QChar::Other_PrivateUse:
    case QChar::Separator_Space:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
      return true;
    default:
      return false;
  }
}

bool is_right_to_left(char32_t c) {
  const QChar::Direction direction = QChar::direction(c);
  return direction == QChar::DirR || direction == QChar::DirAL;
}

// Appends one character; returns whether a stand-in was put in its place.
bool append(char32_t c, QString& text) {
  if (c == ' ') return text += QChar(0x2423), true;
  // Escapes and codes, for few fonts have the pictures of control characters.
  if (c == '\t') return text += QStringLiteral("\\t"), true;
  if (c == '\n') return text += QStringLiteral("\\n"), true;
  if (c == '\r') return text += QStringLiteral("\\r"), true;
  if (is_shapeless(c)) return text += code_of(c), true;
  text += QString::fromUcs4(&c, 1);
  return false;
}

QString bytes_of(const std::string& token) {
  QString text;
  for (const char byte : token)
    text += QStringLiteral("\\x%1").arg(static_cast<uchar>(byte), 2, 16, QLatin1Char('0')).toUpper().replace('X', 'x');
  return text;
}

bool joins_within(char32_t c) { return c == 0x200c || c == 0x200d || (c >= 0xe0020 && c <= 0xe007f); }

// Joiners and tags within a character that can be seen are a part of its shape.
bool append_characters(const QString& token, QString& text) {
  bool stand_in = true;
  QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, token);
  for (qsizetype from = 0, to = finder.toNextBoundary(); to > 0; from = to, to = finder.toNextBoundary()) {
    const auto characters = token.mid(from, to - from).toUcs4();
    for (qsizetype i = 0; i < characters.size(); ++i) {
      const bool inner = i > 0 && joins_within(characters[i]) && !is_shapeless(characters.front()) &&
                         (i + 1 < characters.size() || characters[i] >= 0xe0020);
      if (inner)
        text += QString::fromUcs4(reinterpret_cast<const char32_t*>(&characters[i]), 1);
      else if (!append(characters[i], text))
        stand_in = false;
    }
  }
  return stand_in;
}

QString special_name(const std::string& token, const QString& text) {
  const auto is = [&](std::initializer_list<const char*> spellings) {
    return std::ranges::find(spellings, token) != spellings.end();
  };
  if (is({"<s>", "<bos>", "<start>", "[CLS]", "[BOS]"})) return tr("start of the text (%1)").arg(text);
  if (is({"</s>", "<eos>", "<end>", "[SEP]", "[EOS]", "<|endoftext|>"})) return tr("end of the text (%1)").arg(text);
  if (is({"<pad>", "[PAD]"})) return tr("padding (%1)").arg(text);
  if (is({"<unk>", "[UNK]"})) return tr("unknown word (%1)").arg(text);
  if (is({"<mask>", "[MASK]"})) return tr("hidden word (%1)").arg(text);
  return tr("special token %1").arg(text);
}

QString subscript(Index number) {
  QString digits = QString::number(number);
  for (QChar& digit : digits) digit = QChar(0x2080 + digit.digitValue());
  return digits;
}

}  // namespace

QString in_quotes(const QString& text) { return tr("‘%1’").arg(text); }

TokenText token_text(const std::string& token) {
  if (token.empty()) return {QStringLiteral("∅"), true, tr("empty token")};
  const QString decoded = from_utf8(token);
  if (!is_utf8(token)) return {bytes_of(token), true, tr("broken UTF-8 %1").arg(bytes_of(token))};
  if (is_special_token(token)) return {decoded, false, special_name(token, decoded), true};
  if (is_byte_piece(token)) return token_texts({token}).front();
  const bool plain = std::ranges::all_of(token, [](char c) { return c > ' ' && c < 0x7f; });
  if (plain) return {decoded, false, decoded};
  TokenText result;
  const auto characters = decoded.toUcs4();
  const bool right_to_left = std::ranges::any_of(characters, is_right_to_left);
  const bool mark_alone = QChar::isMark(characters.front());
  result.stand_in = append_characters(decoded, result.text);
  if (mark_alone) result.text.prepend(QChar(0x25cc));  // a dotted circle carries an accent that stands alone
  if (right_to_left) result.text = QChar(0x2067) + result.text + QChar(0x2069);
  result.name = result.text;
  if (characters.size() == 1) {
    const char32_t c = characters.front();
    if (c == ' ')
      result.name = tr("space");
    else if (QChar::category(c) == QChar::Other_Control)
      result.name = control_name(c);
    else if (is_shapeless(c))
      result.name = tr("invisible character %1").arg(code_of(c));
  }
  return result;
}

std::vector<TokenText> token_texts(const std::vector<std::string>& tokens) {
  std::vector<TokenText> texts;
  texts.reserve(tokens.size());
  if (std::ranges::none_of(tokens, is_byte_piece)) {
    for (const std::string& token : tokens) texts.push_back(token_text(token));
    return texts;
  }
  for (const TokenGroup& group : character_groups(tokens)) {
    for (Index i = 0; i < group.count; ++i) {
      const std::string& token = nth(tokens, group.first + i);
      if (!is_byte_piece(token)) {
        texts.push_back(token_text(token));
        continue;
      }
      const bool broken = !is_utf8(group.text);
      TokenText text = broken ? TokenText{bytes_of(group.text), true, tr("broken UTF-8 %1").arg(bytes_of(group.text))}
                              : token_text(group.text);
      if (!broken && group.count > 1) {
        text.name = tr("byte %1 of %2 of %3").arg(i + 1).arg(group.count).arg(text.name);
        text.text += subscript(i + 1);
        text.stand_in = text.stand_in || i > 0;
      }
      texts.push_back(std::move(text));
    }
  }
  return texts;
}

QString shown_text(std::string_view text) { return from_utf8(escaped_line(text)); }

QFont font_of(const TokenText& token, double relative) { return theme().text_font(token.text.size() <= 1, relative); }

QFont special_font(QFont font) {
  font.setItalic(true);
  return font;
}

QString voice_name(Voice voice) {
  switch (voice) {
    case Voice::none:
      break;
    case Voice::second:
      return tr("second sentence");
    case Voice::system:
      return tr("system");
    case Voice::user:
      return tr("user");
    case Voice::assistant:
      return tr("assistant");
    case Voice::tool:
      return tr("tool");
  }
  return {};
}

QString plain_tooltip(const QString& text) {
  constexpr qsizetype kMost = 2000;
  QString shown = text;
  if (text.size() > kMost) shown = text.left(kMost / 2) + QStringLiteral(" … ") + text.right(kMost / 2);
  return Qt::mightBeRichText(shown) ? "<span>" + shown.toHtmlEscaped().replace('\n', "<br>") + "</span>" : shown;
}

}  // namespace headlight
