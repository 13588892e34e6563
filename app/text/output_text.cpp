#include "app/text/output_text.h"

#include <QFontMetrics>
#include <algorithm>

#include "widgets/base/shaped_text.h"

namespace headlight {

namespace {
constexpr qsizetype kMostLetters = 600;  // letters
}

void paint_long_output(QPainter& painter, const QRect& place, const QString& text, bool keep_end) {
  const QFontMetrics metrics(painter.font());
  const auto words = text.left(kMostLetters).split(QLatin1Char(' '));
  const bool whole =
      std::ranges::all_of(words, [&](const QString& each) { return metrics.horizontalAdvance(each) < place.width(); });
  const int flags = static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) |
                    static_cast<int>(whole ? Qt::TextWordWrap : Qt::TextWrapAnywhere);
  const auto part = [&](qsizetype count) {
    if (count >= text.size()) return text;
    return keep_end ? QChar(0x2026) + text.right(count) : text.left(count) + QChar(0x2026);
  };
  const auto fits = [&](qsizetype count) {
    return metrics.boundingRect(QRect(0, 0, place.width(), 10'000), flags, part(count)).height() <= place.height();
  };
  qsizetype least = 0, most = std::min<qsizetype>(kMostLetters, text.size());
  if (fits(most)) least = most;
  while (most - least > 1) (fits((least + most) / 2) ? least : most) = (least + most) / 2;
  draw_text(painter, place, flags, part(least));
}

}  // namespace headlight
