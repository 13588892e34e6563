// Words, pictures and lines to write on, from the top of a page to its foot.
#pragma once

#include <QPainter>
#include <QTextDocument>

#include "app/classroom/lesson_text.h"
#include "app/classroom/paper/paper_pages.h"
#include "app/lessons/rich_text.h"
#include "widgets/base/tokens.h"

namespace headlight {

// Words in lines of this width; false: there are none.
bool lay_out_words(QTextDocument& document, const RichText& text, const LessonValue& value, double size, bool strong,
                   double width);
void draw_words_at(QPainter& painter, QTextDocument& document, double top);

// Writes from the top of a page to its foot, and goes on on the next one.
class PaperColumn {
 public:
  static constexpr int kMargin = 56;
  static constexpr double kRule = 30;  // from one line to write on to the next

  PaperColumn(PaperPages& pages, QString foot) : pages_(pages), foot_(std::move(foot)) { begin(); }

  void words(const RichText& text, const LessonValue& value, double size, bool strong = false) {
    QTextDocument document;
    if (!lay_out_words(document, text, value, size, strong, width())) return;
    const double height = document.size().height();
    room(height);
    draw_words_at(pages_.painter(), document, at_);
    at_ += height + space::kTight;
  }
  // Of words, with what follows them.
  double height_of(const RichText& text, const LessonValue& value, double size, bool strong = false) const {
    QTextDocument document;
    return lay_out_words(document, text, value, size, strong, width()) ? document.size().height() + space::kTight : 0;
  }
  void line(const QString& text, double size, bool strong = false) {
    words({words_block(text.toStdString())}, nullptr, size, strong);
  }
  template <class Draw>
  void picture(double height, const Draw& draw) {
    room(height);
    draw(QRectF(kMargin, at_, width(), height));
    at_ += height + space::kSmall;
  }
  // Ruled lines to write on.
  void rules(int count) {
    room(count * kRule);
    pages_.painter().setPen(QPen(tokens().edge, 0.75));
    for (int i = 1; i <= count; ++i)
      pages_.painter().drawLine(QPointF(kMargin, at_ + i * kRule), QPointF(kMargin + width(), at_ + i * kRule));
    at_ += count * kRule + space::kMedium;
  }
  void gap(double by) { at_ += by; }
  // So much has to stay together.
  void room(double height) {
    if (at_ + height <= pages_.size().height() - kMargin || at_ <= kMargin + 1) return;
    pages_.turn();
    begin();
  }
  double width() const { return pages_.size().width() - 2 * kMargin; }

 private:
  void begin() {
    at_ = kMargin;
    ++page_;
    QPainter& painter = pages_.painter();
    painter.setFont(Theme::instance().ui_font(type::kSource));
    painter.setPen(tokens().ink2);
    const QRectF foot(kMargin, pages_.size().height() - kMargin + 14, width(), 20);
    painter.drawText(foot, Qt::AlignLeft, foot_);
    painter.drawText(foot, Qt::AlignRight, QString::number(page_));
  }
  PaperPages& pages_;
  QString foot_;
  double at_ = 0;
  int page_ = 0;
};

}  // namespace headlight
