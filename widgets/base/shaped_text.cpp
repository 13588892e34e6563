#include "widgets/base/shaped_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QGlyphRun>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QTextLayout>
#include <QThread>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
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

struct LineSize {
  double width = 0, ascent = 0, descent = 0, capital = 0;
  static LineSize of(const QString& text, const QFontMetricsF& metrics) {
    return {metrics.horizontalAdvance(text), metrics.ascent(), metrics.descent(), metrics.capHeight()};
  }
};

struct Answer {
  std::unique_ptr<QTextLayout> layout;
  QList<QGlyphRun> figures;  // drawn instead, where digits stand under digits
  LineSize line;             // of what is drawn
  double width = 0, height = 0;
  QString text;
  qint64 bytes() const {
    // Of a layout: its engine, and for each character a glyph with its place, its attributes and its cluster.
    return 256 + 2 * text.size() + (figures.isEmpty() ? 0 : 256 + 24 * layout->text().size()) +
           (layout ? 1024 + 48 * layout->text().size() : 0);
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

bool is_label(const QString& text) {
  const QCoreApplication* app = QCoreApplication::instance();
  return text.size() <= kLongest && app && QThread::currentThread() == app->thread();
}
bool is_kept(const QString& text) { return known().used && is_label(text); }

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

// All digits of a number have the same width, so that they stand under each other. Qt 6.4 cannot ask a font for its
// tabular figures.
struct Digits {
  std::array<double, 10> width{};
  double widest = 0;
  explicit Digits(const QFont& font) {
    const QFontMetricsF metrics(font);
    for (std::size_t i = 0; i < width.size(); ++i) {
      width[i] = metrics.horizontalAdvance(QChar(static_cast<char16_t>(u'0' + i)));
      widest = std::max(widest, width[i]);
    }
  }
  // What each character of a number gets beyond its own width.
  double more(QChar c) const {
    return c < u'0' || c > u'9' ? 0 : widest - width[static_cast<std::size_t>(c.unicode() - u'0')];
  }
  double more(const QString& number) const {
    return std::accumulate(number.begin(), number.end(), 0.0, [this](double sum, QChar c) { return sum + more(c); });
  }
};

const Digits& digits_of(const QFont& font) {
  static std::unordered_map<size_t, std::pair<QFont, Digits>> all;
  const size_t key = qHashMulti(0, font.pointSizeF(), font.weight(), font.italic(), font.families().value(0));
  auto found = all.find(key);
  if (found == all.end() || found->second.first != font) {
    if (all.size() > 64) all.clear();
    found = all.insert_or_assign(key, std::pair(font, Digits(font))).first;
  }
  return found->second.second;
}

// The letters of a number with their digits in the middle of equal places; none where each glyph is not one character.
QList<QGlyphRun> figures_of(const QTextLine& line, const QString& number, const Digits& digits) {
  QList<QGlyphRun> runs = line.glyphRuns();
  if (runs.size() != 1 || runs.front().glyphIndexes().size() != number.size()) return {};
  QList<QPointF> places = runs.front().positions();
  double moved = 0;
  for (qsizetype i = 0; i < places.size(); ++i) {
    const double more = digits.more(number[i]);
    places[i].rx() += moved + more / 2;
    moved += more;
  }
  runs.front().setPositions(places);
  return runs;
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

Answer shape(const QPainter& painter, const QString& text) {
  ++known().made;
  Answer answer;
  answer.layout = line_of(text, painter.font());
  const QTextLine line = answer.layout->lineAt(0);
  answer.line = {line.horizontalAdvance(), line.ascent(), line.descent(), QFontMetricsF(painter.font()).capHeight()};
  if (!is_numeral(text)) return answer;
  const Digits& digits = digits_of(painter.font());
  if (digits.more(text) > 0) answer.figures = figures_of(line, text, digits);
  if (!answer.figures.isEmpty()) answer.line.width += digits.more(text);
  return answer;
}

// `anew` has it where nothing is kept.
const Answer& shaped(const QPainter& painter, const QString& text, Answer& anew) {
  if (!known().used) return anew = shape(painter, text);
  const Question question{Question::Kind::drawn, text, painter.font(),
                          static_cast<double>(painter.device()->logicalDpiY()), 0};
  if (const Answer* answer = known().answers.find(question)) return *answer;
  return *known().answers.put(question, shape(painter, text));
}

void draw_line_of(QPainter& painter, const Answer& text, QPointF corner) {
  if (text.figures.isEmpty()) return text.layout->lineAt(0).draw(&painter, corner);
  for (const QGlyphRun& run : text.figures) painter.drawGlyphRun(corner, run);
}

// Where the letters of a line stand. In the middle of its room a text does so by its capitals: letters of another font,
// such as Chinese ones, are higher, but do not move the others.
QPointF place_in(const QRectF& rect, int flags, const LineSize& line) {
  const double room = rect.width() - line.width;
  const double x = flags & Qt::AlignRight ? room : flags & Qt::AlignHCenter ? room / 2 : 0;
  const double y = flags & Qt::AlignVCenter  ? rect.height() / 2 + line.capital / 2
                   : flags & Qt::AlignBottom ? rect.height() - line.descent
                                             : line.ascent;
  return rect.topLeft() + QPointF(x, y);
}

}  // namespace

bool is_numeral(const QString& text) {
  bool digits = false;
  for (const QChar c : text) {
    digits = digits || (c >= u'0' && c <= u'9');
    if ((c < u'0' || c > u'9') && !QStringView(u" .,+-−%×/:e∞⁻⁰¹²³⁴⁵⁶⁷⁸⁹").contains(c)) return false;
  }
  return digits;
}

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
  const int harmless = Qt::TextExpandTabs | (text.contains(u'&') ? 0 : Qt::TextShowMnemonic | Qt::TextHideMnemonic);
  const bool screen = is_screen(painter);
  if ((flags & ~kPlain & ~harmless) || (flags & (Qt::AlignJustify | Qt::AlignAbsolute)) || !is_label(text) ||
      !is_line(text) || !(screen || flags & Qt::AlignVCenter) || painter.layoutDirection() == Qt::RightToLeft)
    return painter.drawText(rect, flags, text);
  Answer anew;
  const Answer* drawn = screen ? &shaped(painter, text, anew) : nullptr;
  const LineSize line = drawn ? drawn->line : LineSize::of(text, QFontMetricsF(painter.font(), painter.device()));
  const QPointF at = place_in(rect, flags, line);
  const QPointF corner = at - QPointF(0, line.ascent);
  const bool clipped =
      !(flags & Qt::TextDontClip) && !rect.contains(QRectF(corner, QSizeF(line.width, line.ascent + line.descent)));
  if (clipped) {
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
  }
  if (drawn)
    draw_line_of(painter, *drawn, corner);
  else
    painter.drawText(at, text);
  if (clipped) painter.restore();
}

void draw_text(QPainter& painter, QPointF point, const QString& text) {
  if (text.isEmpty()) return;
  if (!is_label(text) || !is_line(text) || !is_screen(painter) || painter.layoutDirection() == Qt::RightToLeft)
    return painter.drawText(point, text);
  Answer anew;
  const Answer& drawn = shaped(painter, text, anew);
  draw_line_of(painter, drawn, {point.x(), point.y() - drawn.line.ascent});
}

double text_width(const QString& text, const QFont& font) {
  if (text.isEmpty()) return 0;
  const auto width = [&] {
    return QFontMetricsF(font).horizontalAdvance(text) + (is_numeral(text) ? digits_of(font).more(text) : 0);
  };
  if (!is_kept(text)) return width();
  const Question question{Question::Kind::width, text, font, 0, 0};
  if (const Answer* answer = known().answers.find(question)) return answer->width;
  ++known().made;
  Answer answer;
  answer.width = width();
  return known().answers.put(question, std::move(answer))->width;
}

QSizeF text_size(const QString& text, const QFont& font) {
  const auto size = [&] {
    const auto layout = line_of(text, font);
    const double more = is_numeral(text) ? digits_of(font).more(text) : 0;
    return QSizeF(layout->lineAt(0).horizontalAdvance() + more, layout->lineAt(0).height());
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
