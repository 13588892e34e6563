#include "widgets/views/compare/compare_layout.h"

#include <algorithm>
#include <cmath>

#include "model/core/scalar.h"

namespace headlight {

CompareTokensLayout CompareTokensLayout::of(const std::vector<double>& text_widths, const Metrics& m) {
  CompareTokensLayout layout;
  const double upper = m.above, lower = upper + m.chip + m.mark;
  layout.label_before = QRectF(m.margin, upper, m.label, m.chip);
  layout.label_after = QRectF(m.margin, lower, m.label, m.chip);
  double x = m.margin + m.label + m.gap;
  for (const double text : text_widths) {
    const double width = std::clamp(std::ceil(text + 8), m.smallest, m.largest);
    layout.columns.push_back(
        {QRectF(x, upper, width, m.chip), QRectF(x, lower, width, m.chip), QRectF(x, upper + m.chip, width, m.mark)});
    x += width + m.gap;
  }
  layout.width = x - m.gap + m.margin;
  layout.height = lower + m.chip + m.gap;
  return layout;
}

int CompareTokensLayout::column_at(QPointF point) const {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].whole().contains(point)) return static_cast<int>(i);
  return -1;
}

ComparePicturesLayout ComparePicturesLayout::pair(QSizeF size, double title, double gap) {
  ComparePicturesLayout layout;
  layout.form = Form::pair;
  const double width = std::floor((size.width() - gap) / 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const double left = i == 0 ? 0 : size.width() - width;
    layout.titles[i] = QRectF(left, 0, width, title);
    layout.pictures[i] = QRectF(left, title, width, std::max(0.0, size.height() - title));
  }
  return layout;
}

ComparePicturesLayout ComparePicturesLayout::of(QSizeF size, QSizeF smallest, double title, double bar) {
  ComparePicturesLayout layout;
  const double high = smallest.height() + title;
  const bool wide_enough = size.width() >= 3 * smallest.width();
  const bool high_enough = size.height() >= 3 * high && size.width() >= smallest.width();
  layout.form = wide_enough ? Form::row : high_enough ? Form::column : Form::difference;
  const double with_bar = (size.width() + bar) / 3;
  const bool alone = layout.form == Form::difference;
  for (int i = alone ? 2 : 0; i < 3; ++i) {
    QRectF part(QPointF(), size);
    if (layout.form == Form::row)
      part = QRectF(i == 0 ? 0 : std::floor(i * with_bar - bar), 0, std::floor(i == 0 ? with_bar - bar : with_bar),
                    size.height());
    else if (layout.form == Form::column)
      part = QRectF(0, std::floor(i * size.height() / 3), size.width(), std::floor(size.height() / 3));
    nth(layout.titles, i) = QRectF(part.left(), part.top(), part.width(), title);
    nth(layout.pictures, i) = part.adjusted(0, title, 0, 0);
  }
  return layout;
}

}  // namespace headlight
