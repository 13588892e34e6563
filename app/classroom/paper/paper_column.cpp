#include "app/classroom/paper/paper_column.h"

namespace headlight {

bool lay_out_words(QTextDocument& document, const RichText& text, const LessonValue& value, double size, bool strong,
                   double width) {
  document.setDocumentMargin(0);
  if (write_words(document, text, value, size, strong).isEmpty()) return false;
  document.setTextWidth(width);
  return true;
}

void draw_words_at(QPainter& painter, QTextDocument& document, double top) {
  painter.save();
  painter.translate(PaperColumn::kMargin, top);
  document.drawContents(&painter);
  painter.restore();
}

}  // namespace headlight
