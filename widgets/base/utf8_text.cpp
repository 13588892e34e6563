#include "widgets/base/utf8_text.h"

#include <QStringDecoder>

#include "model/text/utf8.h"

namespace headlight {

namespace {

constexpr char16_t kFirstByte = 0xdc80, kLastByte = 0xdcff;  // bytes 0x80 to 0xff that are no UTF-8

}  // namespace

QString from_utf8(std::string_view text) {
  QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::ConvertInitialBom);
  return decoder(QByteArrayView(text.data(), static_cast<qsizetype>(text.size())));
}

QString whole_characters(QString text) {
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (!text[i].isSurrogate()) continue;
    if (text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate())
      ++i;
    else
      text[i] = QChar::ReplacementCharacter;
  }
  return text;
}

QString path_text(const std::filesystem::path& path) {
  const std::string& bytes = path.native();
  QString text;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = code_point_length(bytes, at);
    if (length == 0)
      text += QChar(static_cast<char16_t>(0xdc00 | static_cast<unsigned char>(bytes[at])));
    else
      text += from_utf8(std::string_view(bytes).substr(at, length));
    at += length == 0 ? 1 : length;
  }
  return text;
}

std::string bytes_of(const QString& text) {
  std::string bytes;
  for (qsizetype i = 0; i < text.size(); ++i) {
    const char16_t unit = text[i].unicode();
    const bool pair = text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
    if (unit >= kFirstByte && unit <= kLastByte)
      bytes += static_cast<char>(unit & 0xff);
    else
      bytes += whole_characters(text.mid(i, pair ? 2 : 1)).toStdString();
    i += pair ? 1 : 0;
  }
  return bytes;
}

}  // namespace headlight
