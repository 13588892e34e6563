// Tokens made visible.
#include "widgets/base/token_text.h"

#include <QChar>
#include <QCoreApplication>
#include <QTextDocument>

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

}  // namespace

TokenText token_text(const std::string& token) {
  if (token.empty()) return {QStringLiteral("∅"), true, tr("empty token")};
  const QString decoded = QString::fromStdString(token);
  if (decoded.toStdString() != token) return {bytes_of(token), true, tr("broken UTF-8 %1").arg(bytes_of(token))};
  TokenText result;
  const auto characters = decoded.toUcs4();
  bool right_to_left = false, mark_alone = QChar::isMark(characters.front());
  result.stand_in = true;
  for (const char32_t c : characters) {
    if (!append(c, result.text)) result.stand_in = false;
    right_to_left = right_to_left || is_right_to_left(c);
  }
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

QString plain_tooltip(const QString& text) {
  return Qt::mightBeRichText(text) ? "<span>" + text.toHtmlEscaped().replace('\n', "<br>") + "</span>" : text;
}

}  // namespace headlight
