// Writing pictures and tables.
#include "widgets/export/export.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QImage>
#include <QLocale>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>

#include "model/io/file.h"
#include "model/text/csv.h"
#include "model/text/message_line.h"
#include "widgets/base/utf8_text.h"
#include "widgets/export/export_words.h"

namespace headlight {
namespace {

using Paint = std::function<void(QPainter&)>;

[[noreturn]] void fail(const QString& text) { throw FileError(bytes_of(text)); }

bool is_opaque(const QImage& image) {  // ARGB32, premultiplied or not
  for (int y = 0; y < image.height(); ++y) {
    const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
    if (std::any_of(line, line + image.width(), [](QRgb pixel) { return qAlpha(pixel) != 255; })) return false;
  }
  return true;
}

QByteArray png(QSize size, const Paint& paint, double scale) {
  // A picture that no screen shows is a mistake; Qt's own limit would only give an empty file.
  const double width = std::max(1, size.width()), height = std::max(1, size.height());
  const double largest = std::min(kLongestSide / std::max(width, height), std::sqrt(kMostPixels / (width * height)));
  const double used = std::clamp(scale, 0.1, largest);
  QImage image(
      QSize(static_cast<int>(std::ceil(size.width() * used)), static_cast<int>(std::ceil(size.height() * used))),
      QImage::Format_ARGB32_Premultiplied);
  if (image.isNull()) fail(ExportWords::tr("The picture is too large for the memory of this machine."));
  image.setDevicePixelRatio(used);
  const auto set_density = [&image](double pixels) {
    image.setDotsPerMeterX(static_cast<int>(std::lround(pixels / 0.0254)));
    image.setDotsPerMeterY(static_cast<int>(std::lround(pixels / 0.0254)));
  };
  set_density(96);  // that fonts are measured by
  image.fill(Qt::transparent);
  {
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    paint(painter);
  }
  set_density(96 * used);  // as large on paper at any scale
  // A fourth channel that says nothing and the last percents of zlib cost time for no pixel.
  constexpr int kLevel3 = 69;  // Qt's quality for zlib's level 3
  if (is_opaque(image)) image = std::move(image).convertToFormat(QImage::Format_RGB32);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (!image.save(&buffer, "PNG", kLevel3))
    fail(ExportWords::tr("The picture is too large for the memory of this machine."));
  return bytes;
}

// XML has no place for control characters and noncharacters, not even as references, and Qt writes them as they are.
void make_xml(QByteArray& text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') c = '?';
  for (const char* none : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) text.replace(none, "\xef\xbf\xbd");
}

QByteArray svg(QSize size, const Paint& paint, const QString& title) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(size);
  generator.setViewBox(QRect(QPoint(0, 0), size));
  generator.setResolution(96);
  generator.setTitle(title.toHtmlEscaped());  // Qt 6.4 writes it as it is
  generator.setDescription(QCoreApplication::applicationName());
  QPainter painter(&generator);
  paint(painter);
  painter.end();
  make_xml(bytes);
  return bytes;
}

QByteArray pdf(QSize size, const Paint& paint, const QString& title) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);  // embeds the glyphs that are used
  writer.setTitle(title);
  writer.setCreator(QCoreApplication::applicationName());
  writer.setResolution(96);  // so that fonts given in points keep their size beside lengths given in pixels
  writer.setPageSize(QPageSize(QSizeF(size) * 72 / 96, QPageSize::Point, QString(), QPageSize::ExactMatch));
  writer.setPageMargins(QMarginsF());
  QPainter painter(&writer);
  painter.setRenderHint(QPainter::Antialiasing);
  paint(painter);
  painter.end();
  return bytes;
}

}  // namespace

void export_picture(const QString& path, QSize size, const Paint& paint, const PictureOptions& options) {
  const QString ending = QFileInfo(path).suffix().toLower();
  const QString title = from_utf8(message_line(bytes_of(options.title)));
  size = size.expandedTo(QSize(1, 1));
  if (ending == "png") return export_bytes(path, png(size, paint, options.scale));
  if (ending == "svg") return export_bytes(path, svg(size, paint, title));
  if (ending == "pdf") return export_bytes(path, pdf(size, paint, title));
  fail(ExportWords::tr("%1: the ending says what to write; use .png, .svg or .pdf").arg(path));
}

void export_bytes(const QString& path, const QByteArray& content) {
  in_plain_words(path, [&] {
    write_file_atomically(bytes_of(path), {content.constData(), static_cast<std::size_t>(content.size())});
  });
}

void in_plain_words(const QString& path, const std::function<void()>& write) {
  try {
    write();
  } catch (const WriteError& error) {
    fail(ExportWords::tr("%1: cannot be written (%2)")
             .arg(path, QCoreApplication::translate("WriteError", error.reason.c_str())));
  }
}

QString csv_field(const QString& text) { return from_utf8(csv_cell(text.toStdString())); }

QString csv_number(double value) {
  if (std::isnan(value)) return QStringLiteral("NaN");
  if (std::isinf(value)) return value > 0 ? QStringLiteral("Infinity") : QStringLiteral("-Infinity");
  return QLocale::c().toString(value, 'g', 9).remove(',');
}

}  // namespace headlight
