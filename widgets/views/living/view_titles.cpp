// The names of layers and columns above the lanes of the living map.
#include <QPainter>
#include <algorithm>
#include <map>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/text/number_words.h"
#include "widgets/views/living/scene/ink.h"
#include "widgets/views/living/view.h"

namespace headlight {

namespace {

QFont text_font() { return theme().ui_font(); }

bool attends(const LivingMap& map) {
  return std::ranges::any_of(map.stations, [](const LivingStation& station) {
    return std::ranges::any_of(station.parts, [](const LivingPart& part) { return part.heads > 0; });
  });
}

}  // namespace

QString LivingView::title(const LivingTitle& title, QString* second) const {
  using W = LivingTitle::What;
  // What the parts of this kind are of the chosen lane's state.
  const auto of_chosen = [&](LivingPart::Kind kind) {
    double sum = 0;
    const LivingStation& state = nth(map_->stations, title.station);
    if (!state.has(choice_.lane)) return -1.0;
    for (const LivingPart& part : state.parts)
      if (part.kind == kind && part.share.defined()) {
        const Index row = choice_.lane - state.first;
        for (Index k = 0; k < (part.dense() ? part.columns : 1); ++k)
          sum += std::max(0.0, part.dense() ? part.at(row, k) : static_cast<double>(part.share[row]));
      }
    return sum;
  };
  switch (title.what) {
    case W::layer: {
      const double brought = title.station >= 0 && choice_.lane >= 0 ? of_chosen(LivingPart::Kind::attention) : -1;
      if (brought >= 0) *second = tr("heads bring %1 of %2").arg(share_percent(brought), lane_name(choice_.lane));
      return tr("Layer %1").arg(counted(title.layer));
    }
    case W::encoder_layer:
      return tr("Encoder %1").arg(counted(title.layer));
    case W::decoder_layer:
      return tr("Decoder %1").arg(counted(title.layer));
    case W::mlp: {
      const double wrote = choice_.lane >= 0 ? of_chosen(LivingPart::Kind::written) : -1;
      if (wrote >= 0) *second = tr("writes %1").arg(share_percent(wrote));
      return nth(map_->stations, title.station).experts.defined() ? tr("Experts") : tr("MLP");
    }
    case W::canals:
      *second = tr("every decoder layer takes from it");
      return tr("The encoder’s output runs on");
    case W::read:
      *second = tr("read");
      return {};
    case W::next:
      *second = !gives_outputs()                                  ? tr("its last state")
                : map_->family == LivingMap::Family::encoder_only ? tr("output, and how sure (%)")
                                                                  : tr("next, and how sure (%)");
      return {};
    case W::cross_heads:
      *second = tr("down: written, across: read");
      return tr("What each head looks at");
    case W::text:
      *second = tr("share");
      return tr("Text");
    case W::encoder: {
      const LivingStation& river = nth(map_->stations, title.station);
      *second = river.direction != LivingStation::Direction::only ? tr("reads ↓ ↑")
                : runs_up(river)                                  ? tr("reads ↑")
                                                                  : tr("reads ↓");
      return tr("Encoder");
    }
    case W::decoder:
      *second = tr("writes ↓");
      return tr("Decoder");
    case W::states:
      if (title.station >= 0) {
        const LivingStation& states = nth(map_->stations, title.station);
        *second = tr("%1 × %2 numbers").arg(states.count).arg(states.units);
      }
      return tr("States");
    case W::beside:
      *second = tr("looked up, state");
      return {};
    case W::attention:
      if (attends(*map_)) {
        *second = tr("what each step takes");
        return tr("Attention");
      }
      *second = std::ranges::any_of(map_->stations,
                                    [](const LivingStation& each) { return each.kind == LivingStation::Kind::context; })
                    ? tr("each step is given it")
                    : tr("the decoder starts from it");
      return tr("One vector");
    case W::controller:
      *second = tr("time runs ↓");
      return tr("Controller");
    case W::memory:
      if (title.station >= 0) {
        const LivingStation& memory = nth(map_->stations, title.station);
        *second = tr("%1 rows of %2 numbers, each a canal; width: size (RMS)").arg(memory.count).arg(memory.units);
      }
      return tr("Memory");
  }
  return {};
}

// Where layers are narrow all of a kind have their numbers, and the kind stands once in front of them.
bool LivingView::has_narrow_layers(LivingTitle::What kind) const {
  const QFont font = bold(text_font());
  return std::ranges::any_of(scene_.layout.titles, [&](const LivingTitle& each) {
    QString second;
    return each.what == kind && !each.fixed && text_width(title(each, &second), font) + 6 > each.rect.width();
  });
}

void LivingView::paint_titles(QPainter& painter) const {
  const LivingLayout& layout = scene_.layout;
  using W = LivingTitle::What;
  const QFont font = bold(text_font());
  const double line = layout.metrics.line;
  std::map<double, double> taken;  // by height of the line: how far it is written
  // As large as all of them have room for.
  double mlp = 1e9;
  for (const LivingTitle& each : layout.titles)
    if (each.what == W::mlp) mlp = std::min(mlp, each.rect.width());
  std::map<W, bool> narrow;
  for (const W kind : {W::layer, W::encoder_layer, W::decoder_layer}) narrow[kind] = has_narrow_layers(kind);
  for (const LivingTitle& each : layout.titles) {
    QString second;
    const QString first = title(each, &second);
    QRectF rect = each.rect;
    if (!each.fixed) rect.translate(-camera_.scroll.x(), 0);
    if (each.scrolls) rect.translate(0, -camera_.scroll.y());
    if (each.scrolls && (rect.top() < layout.body.top() || rect.bottom() > layout.body.bottom())) continue;
    const bool layer = each.layer >= 0 && each.what != W::mlp && !each.fixed;
    if (layer && each.layer == 0 && narrow[each.what]) {
      const QString kind = each.what == W::layer           ? tr("Layer")
                           : each.what == W::encoder_layer ? tr("Encoder")
                                                           : tr("Decoder");
      const double right = std::max(layout.body.left(), rect.left()) - 10, wide = text_width(kind, font);
      if (right - wide >= 2)
        write(painter, {right - wide - 1, rect.top(), wide + 4, line}, kLeft, kind, font, tokens().ink);
    }
    if (rect.right() < layout.body.left() && !each.fixed) continue;
    if (!each.fixed && rect.left() > layout.body.right()) continue;
    if (!each.fixed && rect.left() < layout.body.left()) rect.setLeft(layout.body.left());
    if (!each.fixed) rect.setRight(std::min(rect.right(), layout.next_x - 4));
    if (first.isEmpty()) {
      if (each.what == W::beside) {
        // Behind what is said of the decoder, where columns are narrow.
        for (const LivingTitle& other : layout.titles)
          if (other.what == W::decoder && other.rect.left() < each.rect.left()) {
            QString said;
            title(other, &said);
            rect.setLeft(
                std::max(rect.left(), other.rect.left() - camera_.scroll.x() + text_width(said, small_font()) + 6));
          }
        write_whole(painter, rect, second);
        continue;
      }
      if (each.what == W::next && text_width(second, small_font()) > rect.width()) second = tr("sure (%)");
      write_line(painter, rect, each.what == W::read ? kRight : kLeft, second, small_font(), tokens().ink2);
      continue;
    }
    double x = rect.left();
    if (each.what == W::mlp) {
      paint_mlp_title(painter, rect, std::min(mlp, rect.width()), first, second);
      continue;
    }
    // In front of what stands next to it.
    if (each.what == W::encoder)
      for (const LivingTitle& other : layout.titles)
        if (!other.fixed && other.rect.top() == each.rect.top() && other.rect.left() > each.rect.left())
          x = std::min(x, other.rect.left() - camera_.scroll.x() - text_width(first, font) - 8);
    rect.setLeft(x);
    const QString shown = layer && narrow[each.what] ? QString::number(each.layer + 1) : first;
    const double wide = text_width(shown, font);
    if (wide > rect.right() - x) continue;
    if (layer) {
      double& edge = taken[rect.top()];
      if (x < edge + 4) continue;
      edge = x + wide;
    }
    write(painter, {x, rect.top(), wide + 4, line}, kLeft, shown, font, tokens().ink);
    if (second.isEmpty() || shown != first) continue;
    if (rect.height() > line + 4) {
      write_whole(painter, {rect.left(), rect.top() + line, rect.width(), layout.metrics.small}, second);
    } else {
      const double from = x + wide + 8;
      double until = layout.next_x + (rect.top() < layout.metrics.corner.height() ? -4 : 100);
      for (const LivingTitle& other : layout.titles)
        if (!other.fixed && other.rect.top() == each.rect.top() && other.rect.left() > each.rect.left())
          until = std::min(until, other.rect.left() - camera_.scroll.x() - 6);
      write_whole(painter, {from, rect.top(), until - from, line}, second);
    }
  }
}

// The key to its stripes, and what it wrote; smaller where layers are narrow, and clear of the next layer's pictures.
void LivingView::paint_mlp_title(QPainter& painter, const QRectF& rect, double room, const QString& name,
                                 QString wrote) const {
  const double line = scene_.layout.metrics.line, small = scene_.layout.metrics.small;
  constexpr double kSwatch = 14, kClear = 8;
  if (room < kSwatch + kClear) return;
  Band swatch{rect.left(), rect.top() + line / 2, 11, rect.left() + kSwatch, rect.top() + line / 2, 11};
  painter.fillPath(swatch.path(), theme().weight(0.5));
  scene_.ink.draw_stripes(painter, swatch);
  const double beside = room - kClear - kSwatch - 6;
  const bool two_lines = rect.height() >= line + small;
  bool below = false;  // the name: where it has no room beside its swatch
  double end = 0;      // of the name beside it
  if (const QFont font = bold(text_font()); text_width(name, font) <= beside) {
    write(painter, {rect.left() + kSwatch + 6, rect.top(), beside + kClear, line}, kLeft, name, font, tokens().ink);
    end = text_width(name, font);
  } else if (text_width(name, small_font()) <= beside) {
    end = text_width(name, small_font());
    write(painter, {rect.left() + kSwatch + 6, rect.top(), beside + kClear, line}, kLeft, name, small_font(),
          tokens().ink);
  } else if (two_lines && text_width(name, small_font()) <= room - kClear) {
    below = true;
    write(painter, {rect.left(), rect.top() + line, rect.width(), small}, kLeft, name, small_font(), tokens().ink);
  }
  // Of "writes 74 %" the figure, where there is no room for more.
  if (!two_lines || text_width(wrote, small_font()) > room - kClear)
    while (!wrote.isEmpty() && !wrote.front().isDigit()) wrote.remove(0, 1);
  if (two_lines)
    write_whole(painter, {rect.left(), rect.top() + line + (below ? small : 0), room - kClear / 2, small}, wrote);
  else if (end > 0)  // lanes begin right below it
    write_whole(painter, {rect.left() + kSwatch + 6 + end + kClear, rect.top(), beside - end - kClear, line}, wrote);
}

// Or not at all: nothing is cut.
void LivingView::write_whole(QPainter& painter, const QRectF& rect, const QString& text) const {
  if (!text.isEmpty() && text_width(text, small_font()) <= rect.width())
    write(painter, rect, kLeft, text, small_font(), tokens().ink2);
}

}  // namespace headlight
