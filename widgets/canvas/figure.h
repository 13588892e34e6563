// What a view, a chart or the window gives away: a picture, and its numbers as a table.
#pragma once

#include <QSize>
#include <QString>
#include <functional>
#include <string>

class QAbstractItemModel;
class QPainter;

namespace headlight {

struct Figure {
  QSize size;                                 // logical pixels, 96 for an inch
  std::function<void(QPainter&)> paint;       // in (0, 0, size), on the background of the theme
  QString title;                              // of the document, for PDF and SVG
  const QAbstractItemModel* table = nullptr;  // null: there is a picture only
  std::string about = {};  // a JSON object: of an analysis its method, target and texts; empty: it is none
};

// Only what is drawn of it, with a little paper around: found by drawing it once.
Figure without_margins(Figure figure);

// PNG, SVG, PDF, or CSV, JSON, NPZ of the table, by the ending of `path`. What it is about stands in the first line of
// a CSV, behind #, in the JSON object, and in kNpzAbout beside the array `table`, which has the columns of numbers.
// `scale`: pixels of a PNG for each logical one. Throws FileError; UsageError for a table that there is not.
bool is_table_file(const QString& path);
void write_figure(const Figure& figure, const QString& path, double scale = 2);

}  // namespace headlight
