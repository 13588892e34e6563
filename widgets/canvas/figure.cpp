#include "widgets/canvas/figure.h"

#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "model/io/npz.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"
#include "widgets/export/export.h"
#include "widgets/tables/table.h"

namespace headlight {

namespace {

constexpr int kAround = 8;  // pixels of paper around what is drawn

}  // namespace

Figure without_margins(Figure figure) {
  constexpr double kMost = 4e7;  // pixels; larger ones keep their margins
  if (figure.size.isEmpty() || static_cast<double>(figure.size.width()) * figure.size.height() > kMost) return figure;
  QImage image(figure.size, QImage::Format_RGB32);
  const QRgb paper = Theme::instance().background().rgb();
  image.fill(paper);
  QPainter painter(&image);
  figure.paint(painter);
  painter.end();
  QRect ink;
  for (int y = 0; y < image.height(); ++y) {
    const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
    const auto* end = line + image.width();
    const auto differs = [paper](QRgb pixel) { return (pixel | 0xff000000) != (paper | 0xff000000); };
    const auto* first = std::find_if(line, end, differs);
    if (first == end) continue;
    const auto* last = std::find_if(std::make_reverse_iterator(end), std::make_reverse_iterator(first), differs).base();
    ink |= QRect(static_cast<int>(first - line), y, static_cast<int>(last - first), 1);
  }
  if (ink.isEmpty()) return figure;
  ink = ink.adjusted(-kAround, -kAround, kAround, kAround);
  figure.paint = [paint = figure.paint, at = ink.topLeft()](QPainter& to) {
    to.save();
    to.translate(-at);
    paint(to);
    to.restore();
  };
  figure.size = ink.size();
  return figure;
}

namespace {

QString ending_of(const QString& path) { return QFileInfo(path).suffix().toLower(); }

Json cell_json(const QVariant& value) {
  if (!value.isValid()) return nullptr;
  if (value.typeId() == QMetaType::QString) return value.toString().toStdString();
  const double number = value.toDouble();
  return std::isfinite(number) ? Json(number) : Json(nullptr);
}

// Lines as lists, below the titles of the columns.
Json table_json(const QAbstractItemModel& table) {
  Json lines = Json::array();
  for (const QVariantList& line : table_lines(table)) {
    Json cells = Json::array();
    for (const QVariant& cell : line) cells.push_back(cell_json(cell));
    lines.push_back(std::move(cells));
  }
  return lines;
}

void write_table_npz(const Json& lines, Json about, const QString& path) {
  const std::size_t columns = lines.front().size(), rows = lines.size() - 1;
  std::vector<std::size_t> of_numbers;
  for (std::size_t c = 0; c < columns; ++c) {
    const auto is_text = [&](std::size_t row) { return lines[row][c].is_string(); };
    bool any = false;
    for (std::size_t row = 1; row <= rows && !any; ++row) any = is_text(row);
    if (!any) of_numbers.push_back(c);
  }
  Tensor numbers{Shape({static_cast<Index>(rows), static_cast<Index>(of_numbers.size())})};
  Index at = 0;
  for (std::size_t row = 1; row <= rows; ++row)
    for (const std::size_t c : of_numbers)
      numbers[at++] = static_cast<Scalar>(lines[row][c].is_number() ? lines[row][c].get<double>() : std::nan(""));
  about["columns"] = Json::array();
  for (const std::size_t c : of_numbers) about["columns"].push_back(lines.front()[c]);
  for (std::size_t c = 0; c < columns; ++c) {
    if (std::ranges::count(of_numbers, c) > 0) continue;
    Json& texts = about["texts_of_rows"][lines.front()[c].is_string() ? lines.front()[c].get<std::string>() : ""];
    texts = Json::array();
    for (std::size_t row = 1; row <= rows; ++row) texts.push_back(lines[row][c]);
  }
  write_npz(bytes_of(path), {{"table", std::move(numbers)}}, NpyType::f4, about.dump());
}

void write_table(const Figure& figure, const QString& path) {
  if (ending_of(path) == QLatin1String("csv")) {
    const QByteArray about =
        figure.about.empty() ? QByteArray() : "# " + QByteArray::fromStdString(figure.about) + "\r\n";
    return export_bytes(path, about + table_csv(*figure.table));
  }
  Json about = figure.about.empty() ? Json::object() : Json::parse(figure.about);
  Json lines = table_json(*figure.table);
  if (ending_of(path) == QLatin1String("npz"))
    return in_plain_words(path, [&] { write_table_npz(lines, std::move(about), path); });
  about["table"] = std::move(lines);
  export_bytes(path, QByteArray::fromStdString(about.dump(1)) + '\n');
}

}  // namespace

bool is_table_file(const QString& path) {
  return QStringList{QStringLiteral("csv"), QStringLiteral("json"), QStringLiteral("npz")}.contains(ending_of(path));
}

void write_figure(const Figure& figure, const QString& path, double scale) {
  if (is_table_file(path)) {
    if (!figure.table)
      throw UsageError("this panel is a picture only: choose .png, .svg or .pdf, or export every number");
    return write_table(figure, path);
  }
  const QRect whole(QPoint(), figure.size.expandedTo(QSize(1, 1)));
  const auto paint = [&](QPainter& painter) {
    painter.fillRect(whole, theme().background());
    figure.paint(painter);
  };
  export_picture(path, figure.size, paint, {scale, figure.title});
}

}  // namespace headlight
