#include "widgets/base/shaped_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QTextLayout>
#include <QThread>
#include <cmath>
#include <memory>
#include <unordered_map>
#include <utility>

namespace headlight {

namespace {

// What is asked of a text: how it is drawn on a device of `number` points for an inch, how wide or large it is, or how
// it is shortened to so many pixels.
struct Question {
  enum class Kind { drawn, width, size, elided };
  Kind kind = Kind::drawn;
  QString text;
  QFont font;
  double number = 0;
  int mode = 0;
  bool operator==(const Question& other) const {
    return kind == other.kind && mode == other.mode && number == other.number && text == other.text &&
           font == other.font;
  }
};

struct Hash {
  std::size_t operator()(const Question& question) const {
    return qHashMulti(0, static_cast<int>(question.kind), question.text, question.font.pointSizeF(),
                      question.font.weight(), question.font.italic(), question.number);
  }
};

struct Answer {
  std::unique_ptr<QTextLayout> layout;
  double width = 0, height = 0;
  QString text;
  qint64 bytes() const {
    // Of a layout: its engine, and for each character a glyph with its place, its attributes and its cluster.
    return 256 + 2 * text.size() + (layout ? 1024 + 48 * layout->text().size() : 0);
  }
};

// Two generations: what nobody asks for while the younger one fills up is gone.
class Answers {
 public:
  const Answer* find(const Question& question) {
    if (const auto found = young_.find(question); found != young_.end()) return &found->second;
    const auto found = old_.find(question);
    if (found == old_.end()) return nullptr;
    const qint64 bytes = found->second.bytes() + own_bytes(question);
    Answer answer = std::move(found->second);
    old_.erase(found);
    old_bytes_ -= bytes;
    return put(question, std::move(answer));
  }
  const Answer* put(const Question& question, Answer answer) {
    const qint64 bytes = answer.bytes() + own_bytes(question);
    if (young_bytes_ + bytes > ShapedTexts::kMost / 2) {
      old_ = std::exchange(young_, {});
      old_bytes_ = std::exchange(young_bytes_, 0);
    }
    young_bytes_ += bytes;
    return &young_.insert_or_assign(question, std::move(answer)).first->second;
  }
  qint64 bytes() const { return young_bytes_ + old_bytes_; }
  void clear() {
    young_.clear();
    old_.clear();
    young_bytes_ = old_bytes_ = 0;
  }

 private:
  static qint64 own_bytes(const Question& question) { return 64 + 2 * question.text.size(); }
  std::unordered_map<Question, Answer, Hash> young_, old_;
  qint64 young_bytes_ = 0, old_bytes_ = 0;
};

struct Known {
  Answers answers;
  qint64 made = 0;
  bool used = true;
};

// It lives as long as the program: fonts may be gone before objects of the program are.
Known& known() {
  static Known* all = new Known;
  return *all;
}

constexpr qsizetype kLongest = 512;  // longer texts are no labels

bool is_kept(const QString& text) {
  const QCoreApplication* app = QCoreApplication::instance();
  return known().used && text.size() <= kLongest && app && QThread::currentThread() == app->thread();
}

// Whether it is one line that stands as its letters do.
bool is_line(const QString& text) {
  for (const QChar c : text)
    if (c < u' ' || c.isSurrogate() || c == QChar::LineSeparator || c == QChar::ParagraphSeparator ||
        c.direction() == QChar::DirR || c.direction() == QChar::DirAL || c.direction() == QChar::DirAN)
      return false;
  return true;
}

bool is_screen(const QPainter& painter) {
  return painter.paintEngine() && painter.paintEngine()->type() == QPaintEngine::Raster;
}

std::unique_ptr<QTextLayout> line_of(const QString& text, const QFont& font) {
  auto layout = std::make_unique<QTextLayout>(text, font);
  QTextOption option(Qt::AlignLeft);
  option.setTextDirection(Qt::LeftToRight);
  layout->setTextOption(option);
  layout->setCacheEnabled(true);
  layout->beginLayout();
  QTextLine line = layout->createLine();
  line.setLineWidth(0x01000000);
  line.setPosition({0, 0});
  layout->endLayout();
  return layout;
}

const QTextLayout& shaped(const QPainter& painter, const QString& text) {
  const Question question{Question::Kind::drawn, text, painter.font(),
                          static_cast<double>(painter.device()->logicalDpiY()), 0};
  if (const Answer* answer = known().answers.find(question)) return *answer->layout;
  ++known().made;
  Answer answer;
  answer.layout = line_of(text, painter.font());
  return *known().answers.put(question, std::move(answer))->layout;
}

}  // namespace

qint64 ShapedTexts::made() { return known().made; }
qint64 ShapedTexts::bytes() { return known().answers.bytes(); }
void ShapedTexts::forget() { known().answers.clear(); }
void ShapedTexts::set_used(bool used) {
  known().used = used;
  forget();
}

void draw_text(QPainter& painter, const QRectF& rect, int flags, const QString& text) {
  constexpr int kPlain = Qt::AlignHorizontal_Mask | Qt::AlignVertical_Mask | Qt::TextSingleLine | Qt::TextDontClip;
  if (text.isEmpty()) return;
  if ((flags & ~kPlain) || (flags & (Qt::AlignJustify | Qt::AlignAbsolute)) || !is_kept(text) || !is_line(text) ||
      !is_screen(painter) || painter.layoutDirection() == Qt::RightToLeft)
    return painter.drawText(rect, flags, text);
  // Where Qt would put it.
  const QTextLine line = shaped(painter, text).lineAt(0);
  const double width = line.horizontalAdvance(), height = line.ascent() + line.descent();
  double x = 0, y = 0;
  if (flags & Qt::AlignRight) x = rect.width() - width;
  if (flags & Qt::AlignHCenter) x = (rect.width() - width) / 2;
  if (flags & Qt::AlignBottom) y = rect.height() - height;
  if (flags & Qt::AlignVCenter) y = (rect.height() - height) / 2;
  const QPointF at(rect.x() + x, rect.y() + y);
  const bool clipped = !(flags & Qt::TextDontClip) && !rect.contains(QRectF(at, QSizeF(width, height)));
  if (clipped) {
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
  }
  line.draw(&painter, at);
  if (clipped) painter.restore();
}

void draw_text(QPainter& painter, QPointF point, const QString& text) {
  if (text.isEmpty()) return;
  if (!is_kept(text) || !is_line(text) || !is_screen(painter) || painter.layoutDirection() == Qt::RightToLeft)
    return painter.drawText(point, text);
  const QTextLine line = shaped(painter, text).lineAt(0);
  line.draw(&painter, {point.x(), point.y() - line.ascent()});
}

double text_width(const QString& text, const QFont& font) {
  if (text.isEmpty()) return 0;
  if (!is_kept(text)) return QFontMetricsF(font).horizontalAdvance(text);
  const Question question{Question::Kind::width, text, font, 0, 0};
  if (const Answer* answer = known().answers.find(question)) return answer->width;
  ++known().made;
  Answer answer;
  answer.width = QFontMetricsF(font).horizontalAdvance(text);
  return known().answers.put(question, std::move(answer))->width;
}

QSizeF text_size(const QString& text, const QFont& font) {
  const auto size = [&] {
    const auto layout = line_of(text, font);
    return QSizeF(layout->lineAt(0).horizontalAdvance(), layout->lineAt(0).height());
  };
  if (text.isEmpty()) return {0, 0};
  if (!is_kept(text)) return size();
  const Question question{Question::Kind::size, text, font, 0, 0};
  if (const Answer* answer = known().answers.find(question)) return {answer->width, answer->height};
  ++known().made;
  Answer answer;
  const QSizeF found = size();
  answer.width = found.width();
  answer.height = found.height();
  known().answers.put(question, std::move(answer));
  return found;
}

QString elided_text(const QString& text, const QFont& font, Qt::TextElideMode mode, double width) {
  if (mode == Qt::ElideNone || !is_kept(text) || !is_line(text))
    return QFontMetricsF(font).elidedText(text, mode, width);
  if (text_width(text, font) <= std::floor(width)) return text;  // most are short enough
  const Question question{Question::Kind::elided, text, font, width, static_cast<int>(mode)};
  if (const Answer* answer = known().answers.find(question)) return answer->text;
  ++known().made;
  Answer answer;
  answer.text = QFontMetricsF(font).elidedText(text, mode, width);
  return known().answers.put(question, std::move(answer))->text;
}

}  // namespace headlight
