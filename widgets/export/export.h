// Pictures and tables for files: one mechanism for every view. Nothing is left behind when writing fails.
#pragma once

#include <QByteArray>
#include <QSize>
#include <QString>
#include <functional>

class QPainter;

namespace headlight {

// Of a picture of pixels: 200 MB of memory, several times while it is written; and what Qt can draw.
inline constexpr double kLongestSide = 16384, kMostPixels = 5e7;

struct PictureOptions {
  double scale = 2;  // PNG only: pixels for each unit of `size`; less where there would be too many
  QString title;     // of the document, for PDF and SVG
};

// Writes what `paint` draws in a rectangle (0, 0, size) as PNG, SVG or PDF, by the ending of `path`. `size` is in
// logical pixels (96 for an inch). Throws FileError with plain words: unknown ending, folder missing or read-only, disk
// full.
void export_picture(const QString& path, QSize size, const std::function<void(QPainter&)>& paint,
                    const PictureOptions& options = {});
// Writes a file in one step (model/io/file.h): the old content stays until the new one is complete. Throws FileError.
void export_bytes(const QString& path, const QByteArray& content);
// Runs something that writes files; what it throws as WriteError comes out as FileError in the language of the
// interface.
void in_plain_words(const QString& path, const std::function<void()>& write);

// One field of a CSV line (model/text/csv.h).
QString csv_field(const QString& text);
// A float32 with nine significant digits, which give back the same number; "NaN", "Infinity", "-Infinity".
QString csv_number(double value);

}  // namespace headlight
