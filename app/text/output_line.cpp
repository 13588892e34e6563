#include "app/text/output_line.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "app/text/output_text.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr int kMostDrawn = 600;  // characters that are drawn
constexpr int kStep = 24;     // a width that changes with every letter would have the line laid out again at every key
constexpr double kApart = 3;  // around what is struck out, which else reads as one number with what came
constexpr double kSizes[] = {type::kQuestion, type::kQuestion, type::kTitle};
constexpr int kOneLine = static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine);

QFont bold(bool characters, double scale) {
  QFont font = Theme::instance().text_font(characters, scale);
  font.setWeight(QFont::DemiBold);
  return font;
}

}  // namespace

OutputLine::OutputLine(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
  setObjectName(QStringLiteral("output"));
}

void OutputLine::set_text(const QString& text, int most) {
  if (text == text_ && most == most_) return;
  text_ = text;
  most_ = most;
  fit();
}

void OutputLine::set_closed(const QString& closed) {
  if (closed == closed_ && closed.isNull() == closed_.isNull()) return;
  closed_ = closed;
  fit();
}

void OutputLine::set_characters(bool characters) {
  if (characters == characters_) return;
  characters_ = characters;
  fit();
}

void OutputLine::set_parts(std::vector<OutputPart> parts) {
  if (parts == parts_) return;
  parts_ = std::move(parts);
  fit();
}

void OutputLine::fit() {
  const int before = width_;
  QString unchanged;
  for (const OutputPart& part : parts_)
    if (part.kind != OutputPart::Kind::now) unchanged += part.text;
  setToolTip(plain_tooltip(
      parts_.empty() || !closed_.isNull() ? told() : tr("%1\nwithout your changes: %2").arg(text_, unchanged)));
  const auto wide = [this] {
    return static_cast<int>(std::ceil(shows_parts_ ? parts_width() : text_width_whole())) + 2;
  };
  // Rather smaller letters than nothing of what was before.
  for (const bool parts : {true, false}) {
    if (parts && parts_.empty()) continue;
    shows_parts_ = parts;
    for (const double scale : kSizes) {
      font_ = bold(characters_, scale);
      width_ = wide();
      if (width_ <= most_) break;
    }
    if (width_ <= most_) break;
  }
  // In steps, so that a line that grows by a letter stays as it is.
  width_ = (std::min(width_, most_) + kStep - 1) / kStep * kStep;
  if (width_ != before) updateGeometry();
  update();
}

double OutputLine::text_width_whole() const { return text_width(text_.left(kMostDrawn), font_); }

QSize OutputLine::sizeHint() const { return {width_, QFontMetrics(font_).height()}; }

QSize OutputLine::minimumSizeHint() const { return {std::min(width_, 60), QFontMetrics(font_).height()}; }

void OutputLine::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(font_);
  painter.setPen(tokens().ink);
  if (shows_parts_ && parts_width() <= width() + 1) return paint_parts(painter);
  if (text_width_whole() <= width() + 1) {
    draw_text(painter, rect(), kOneLine, text_);
    return;
  }
  painter.setFont(bold(characters_, type::kText));
  paint_long_output(painter, rect(), text_);
}

QFont OutputLine::font_of(const OutputPart& part) const {
  QFont font = font_;
  if (part.kind == OutputPart::Kind::before) font.setWeight(QFont::Normal);
  return font;
}

// Between words there is a space, between parts of a number only a little room.
double OutputLine::gap(std::size_t at) const {
  if (at == 0) return 0;
  if (spaced_) return text_width(QStringLiteral(" "), font_);
  const bool struck = parts_[at].kind == OutputPart::Kind::before || parts_[at - 1].kind == OutputPart::Kind::before;
  return struck ? kApart : 0;
}

double OutputLine::parts_width() const {
  double wide = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) wide += gap(i) + text_width(parts_[i].text, font_of(parts_[i]));
  return wide;
}

void OutputLine::paint_parts(QPainter& painter) const {
  double x = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const OutputPart& part = parts_[i];
    x += gap(i);
    const double wide = text_width(part.text, font_of(part));
    const bool struck = part.kind == OutputPart::Kind::before, came = part.kind == OutputPart::Kind::now;
    painter.setFont(font_of(part));
    painter.setPen(struck ? tokens().ink2 : came ? tokens().edited : tokens().ink);
    draw_text(painter, QRectF(x, 0, wide + 2, height()), kOneLine, part.text);
    if (struck)
      painter.fillRect(QRectF(x - 1, height() / 2. - 0.75, wide + 2, 1.5), tokens().ink2);
    else if (came)
      painter.fillRect(QRectF(x, height() / 2. + QFontMetricsF(font_).height() / 2 - 2, wide, 2), tokens().edited);
    x += wide;
  }
}

}  // namespace headlight
