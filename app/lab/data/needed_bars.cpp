#include "app/lab/data/needed_bars.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>

#include "widgets/base/ink.h"
#include "widgets/base/tokens.h"
#include "widgets/text/number_words.h"

namespace headlight {

NeededBars::NeededBars(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("needed"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  theme().restyles(this, [this] {
    updateGeometry();
    update();
  });
}

void NeededBars::set_shares(std::vector<std::pair<int, double>> shares) {
  shares_ = std::move(shares);
  tell();
  updateGeometry();
  update();
}

int NeededBars::row_height() const { return QFontMetrics(theme().ui_font()).height() + space::kSmall; }

QSize NeededBars::sizeHint() const { return {200, row_height() * static_cast<int>(shares_.size())}; }

void NeededBars::tell() {
  QStringList said;
  for (const auto& [count, share] : shares_)
    if (share >= 0) said << tr("%1 sentences: %2 right").arg(count).arg(share_percent(share));
  setAccessibleName(said.isEmpty() ? tr("Nothing was measured yet") : said.join(QStringLiteral("; ")));
}

void NeededBars::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) tell();
  QWidget::changeEvent(event);
}

void NeededBars::paintEvent(QPaintEvent*) {
  constexpr double kThick = 8;
  const Tokens& t = tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QFont font = digit_font();
  const int label = QFontMetrics(font).horizontalAdvance(QStringLiteral("0000"));
  const int number = QFontMetrics(font).horizontalAdvance(QStringLiteral("100 %")) + space::kMedium;
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const auto& [count, share] = shares_[i];
    const QRectF row(0, static_cast<double>(i) * row_height(), width(), row_height());
    write(painter, QRectF(row.left(), row.top(), label, row.height()), kRight, QString::number(count), font, t.ink);
    QRectF bar(label + space::kMedium, row.center().y() - kThick / 2, width() - label - space::kMedium - number,
               kThick);
    draw_box(painter, bar, kThick / 2, Qt::NoPen, t.press);
    if (share < 0) continue;
    bar.setWidth(std::max(bar.width() * std::min(share, 1.0), kThick));
    if (share > 0) draw_box(painter, bar, kThick / 2, Qt::NoPen, theme().weight(0.8));
    write(painter, QRectF(width() - number, row.top(), number, row.height()), kRight, share_percent(share), font,
          t.ink);
  }
}

}  // namespace headlight
