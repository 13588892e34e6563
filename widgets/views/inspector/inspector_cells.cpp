#include "widgets/views/inspector/inspector_cells.h"

#include <QApplication>
#include <QPainter>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/tables/explanation_model.h"

namespace headlight {

namespace {

constexpr int kSide = FactorDelegate::kSide;
constexpr int kBetween = 8;  // place and number on one line
constexpr int kBar = 3;      // high

// Of a line that stands above the numbers, as bold as they are.
QFont small_font(QFont font) {
  font.setPointSizeF(theme().ui_font(type::kHead).pointSizeF());
  return font;
}

int advance(const QString& text, const QFont& font) { return qRound(text_width(text, font)); }

// A place on as few lines as its parts allow: "house · layer 2 ·", "weights[6]"; a part that is too long for a line of
// its own is divided: "embed.out", "[1, 0]", "b, place 2".
QStringList wrapped(const QString& place, const QFont& font, int width) {
  static const QRegularExpression smaller_gap(QStringLiteral("(?<=\\.)(?=\\w)|(?=\\[)|(?<=, )(?=\\p{L})"));
  const QString gap = QStringLiteral(" · ");
  QStringList parts, lines;
  for (qsizetype from = 0, to = 0; to < place.size(); from = to) {
    const qsizetype at = place.indexOf(gap, from);
    to = at < 0 ? place.size() : at + gap.size();
    const QString part = place.mid(from, to - from);
    const bool fits = advance(part.trimmed(), font) <= width;
    parts << (fits ? QStringList{part} : part.split(smaller_gap));
  }
  for (const QString& part : parts) {
    if (!lines.isEmpty() && advance((lines.last() + part).trimmed(), font) <= width)
      lines.last() += part;
    else
      lines << part;
  }
  for (QString& line : lines) line = line.trimmed();
  return lines;
}

// Background, selection and focus, without the text.
void draw_ground(QPainter* painter, QStyleOptionViewItem option) {
  option.text.clear();
  const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
}

QColor ink(const QStyleOptionViewItem& option) {
  return option.palette.color(option.state & QStyle::State_Selected ? QPalette::HighlightedText : QPalette::Text);
}

void draw_line(QPainter* painter, const QFont& font, const QColor& color, const QRect& area, Qt::Alignment alignment,
               const QString& text) {
  painter->setFont(font);
  painter->setPen(color);
  draw_text(*painter, area, static_cast<int>(alignment) | Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip,
            elided_text(text, font, Qt::ElideMiddle, area.width()));
}

QRect inside(const QStyleOptionViewItem& option) { return option.rect.adjusted(kSide, 2, -kSide, -2); }

// Where the numbers of a row stand, all of them on one line: the upper one where places have lines of their own.
QRect number_line(const QStyleOptionViewItem& option) {
  QRect line = inside(option);
  if (option.rect.height() >= FactorDelegate::row_height(option.font, 2))
    line.setHeight(QFontMetrics(option.font).height());
  return line;
}

}  // namespace

int FactorDelegate::row_height(const QFont& font, int lines) {
  return QFontMetrics(font).height() + (lines - 1) * QFontMetrics(small_font(font)).height() + 7;
}

int FactorDelegate::lines_for(const QFont& font, const QString& place, int number_width, int width) {
  const int room = width - 2 * kSide;
  if (advance(place, font) + number_width + kBetween <= room) return 1;
  return 1 + static_cast<int>(std::max<qsizetype>(1, wrapped(place, small_font(font), room).size()));
}

void FactorDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem o = option;
  initStyleOption(&o, index);
  draw_ground(painter, o);
  painter->save();
  const QString place = index.data(ExplanationModel::kPlaceRole).toString();
  const bool selected = o.state & QStyle::State_Selected;
  const QColor link = selected                                           ? ink(o)
                      : index.data(ExplanationModel::kLinkRole).toBool() ? theme().text()
                                                                         : theme().muted_text();
  const QRect area = inside(o);
  QRect numbers = number_line(o);
  if (numbers != area) {
    const QFont small = small_font(o.font);
    const int line = QFontMetrics(small).height();
    QRect below(area.left(), numbers.bottom() + 1, area.width(), line);
    for (const QString& part : wrapped(place, small, area.width())) {
      draw_line(painter, small, link, below, Qt::AlignRight, part);
      below.translate(0, line);
    }
  } else {
    const int number = advance(o.text, o.font) + kBetween;
    draw_line(painter, o.font, link, area.adjusted(0, 0, -number, 0), Qt::AlignLeft, place);
    numbers.setLeft(numbers.right() - number);
  }
  const int free = numbers.width() - advance(o.text, o.font);
  if (index.data(ExplanationModel::kTimesRole).toBool() && free > advance(QStringLiteral("×"), o.font) + 2)
    draw_line(painter, o.font, selected ? ink(o) : theme().muted_text(), numbers, Qt::AlignLeft, QStringLiteral("×"));
  draw_line(painter, o.font, ink(o), numbers, Qt::AlignRight, o.text);
  painter->restore();
}

void BarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem o = option;
  initStyleOption(&o, index);
  draw_ground(painter, o);
  painter->save();
  const double share = index.data(ExplanationModel::kShareRole).toDouble();
  const QRectF area(o.rect.left() + 2, o.rect.bottom() - kBar, o.rect.width() - 4 - kSide, kBar);
  const double middle = area.center().x(), length = share * area.width() / 2;
  if (std::abs(length) >= 0.5) {
    painter->fillRect(QRectF(middle, area.top(), length, area.height()).normalized(),
                      theme().signed_value(share < 0 ? -0.75 : 0.75));
    painter->setPen(theme().hatch());  // zero
    painter->drawLine(QPointF(middle, area.top() - 1), QPointF(middle, area.bottom()));
  }
  draw_line(painter, o.font, ink(o), number_line(o), Qt::AlignRight, o.text);
  painter->restore();
}

}  // namespace headlight
