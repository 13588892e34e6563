#include "app/lab/lab_still.h"

#include <QPainter>
#include <algorithm>

#include "app/lab/line/time_line.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

LabStill::LabStill(const LabShown& shown, const TimeLine* line) : picture_(&shown_), line_(line) {
  if (shown.empty()) return;
  shown_.show({shown.runs()[static_cast<std::size_t>(shown.side())]});
  shown_.set_probe(shown.probe());
  shown_.set_map(shown.map());
}

void LabStill::paint(QPainter& painter, int moment, QSize size) {
  if (shown_.empty()) return;
  shown_.go_to(moment);
  const double margin = space::kMargin, high = Theme::line_height(theme().ui_font(type::kQuestion)) + space::kLarge;
  const QRectF room = QRectF(QPointF(), QSizeF(size)).adjusted(margin, space::kMedium, -margin, -space::kMedium);
  paint_probe(painter, QRectF(room.topLeft(), QSizeF(room.width(), high)));
  const double below = std::min(0.4 * room.height(), static_cast<double>(line_->sizeHint().height()));
  const QSizeF picture(room.width(), room.height() - high - below - space::kMedium);
  painter.save();
  painter.translate(room.left(), room.top() + high);
  picture_.paint_in(painter, picture);
  painter.translate(0, picture.height() + space::kMedium);
  line_->paint_moment(painter, {room.width(), below}, moment);
  painter.restore();
}

void LabStill::paint_probe(QPainter& painter, const QRectF& place) const {
  const Recording& run = *shown_.runs()[0];
  const auto at = static_cast<std::size_t>(shown_.probe());
  if (at >= run.probes.size() || at >= shown_.now().probes.size()) return;
  const Probe& probe = run.probes[at];
  const ProbeRun& made = shown_.now().probes[at];
  const QFont plain = theme().ui_font(type::kQuestion);
  double x = place.left();
  const auto put = [&](const QString& text, const QFont& font, const QColor& ink) {
    write(painter, QRectF(x, place.top(), place.right() - x, place.height()), kLeft, text, font, ink);
    x += text_width(text, font) + space::kSmall;
  };
  put(from_utf8(probe.source), plain, tokens().ink);
  put(QStringLiteral("→"), plain, tokens().ink2);
  for (const ProbeWord& word : probe_words(probe, made, static_cast<Index>(made.output.size()))) {
    QFont font = plain;
    if (word.bold) font.setWeight(QFont::DemiBold);
    font.setStrikeOut(word.struck);
    if (x + text_width(word.text, font) > place.right()) return put(QStringLiteral("…"), plain, tokens().ink2);
    put(word.text, font, word.struck ? tokens().ink2 : tokens().ink);
  }
}

}  // namespace headlight
