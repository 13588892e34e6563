// What the view of origins calls words, ways and shares.
#include <algorithm>
#include <cmath>

#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/origins/origins_view.h"

namespace headlight {

using Side = LivingLane::Side;

QString OriginsView::word(int lane) const { return lane < 0 ? QString() : in_quotes(nth(words_, lane)); }

QString OriginsView::written(int lane) const {
  const std::string& own = nth(map_->lanes, lane).written;
  const std::string& text = own.empty() && guess_ && lane == choice_.lane ? guess_->text : own;
  return text.empty() ? tr("what comes") : in_quotes(token_text(text).text);
}

// Steps of a recurrent decoder are called by what they write.
QString OriginsView::row(int lane) const {
  const bool output = (map_->family == LivingMap::Family::recurrent || map_->family == LivingMap::Family::memory) &&
                      lane >= 0 && nth(map_->lanes, lane).side == Side::target &&
                      !nth(map_->lanes, lane).written.empty();
  return output ? written(lane) : word(lane);
}

QString OriginsView::share_words(const LivingShare& share) const {
  const LivingStation& station = nth(map_->stations, share.station);
  const LivingPart& part = nth(station.parts, share.part);
  const Tensor& through = nth(nth(flow_->parts, share.station), share.part);
  const bool layered = station.layer >= 0;
  if (share.column < 0 && part.heads > 0)
    return tr("head %1 of layer %2").arg(counted(share.head), counted(station.layer));
  if (share.column < 0) {
    const double amount = through.defined() && through.size() > share.row ? static_cast<double>(through[share.row]) : 0;
    return layered ? tr("what layer %1 writes at %2: %3")
                         .arg(counted(station.layer))
                         .arg(row(station.first + static_cast<int>(share.row)), share_percent(amount))
                   : tr("what is written at %1: %2")
                         .arg(row(station.first + static_cast<int>(share.row)), share_percent(amount));
  }
  const int from = part.first_column + static_cast<int>(share.column), to = station.first + static_cast<int>(share.row);
  const double amount = through.defined() ? static_cast<double>(through[share.row * part.columns + share.column]) : 0;
  const QString ends = QStringLiteral("%1 → %2").arg(row(from), row(to));
  return layered ? tr("%1, layer %2: %3").arg(ends).arg(counted(station.layer)).arg(share_percent(amount))
                 : tr("%1: %2").arg(ends, share_percent(amount));
}

// Where most of a lane's flow goes over to another one.
QString OriginsView::way_of(int lane) const {
  if (lane < 0) return tr("what the model starts from");
  int best_station = -1, best_to = -1;
  double most = 0;
  bool crosses = false;
  for (int s = 0; s < static_cast<int>(map_->stations.size()); ++s) {
    const LivingStation& station = nth(map_->stations, s);
    for (std::size_t i = 0; i < station.parts.size(); ++i) {
      const LivingPart& part = station.parts[i];
      const Tensor& through = nth(flow_->parts, s)[i];
      if (!part.dense() || !through.defined()) continue;
      const Index column = lane - part.first_column;
      if (column < 0 || column >= part.columns) continue;
      for (Index row = 0; row < station.count; ++row) {
        const int to = station.first + static_cast<int>(row);
        if (to == lane) continue;
        crosses = true;
        if (const double amount = static_cast<double>(through[row * part.columns + column]); amount > most)
          most = amount, best_station = s, best_to = to;
      }
    }
  }
  const Side side = nth(map_->lanes, lane).side;
  const double own = nth(flow_->origin, lane);
  if (lane == choice_.lane) return tr("from the word itself");
  // An encoder reads what stands behind a word, too.
  const bool behind = side == nth(map_->lanes, choice_.lane).side && lane > choice_.lane;
  if (best_station < 0 || most < 0.1 * own)
    return side == Side::target                           ? tr("written earlier")
           : !behind && (crosses || side == Side::source) ? tr("read earlier")
                                                          : tr("read");
  const LivingStation& station = nth(map_->stations, best_station);
  if (map_->family == LivingMap::Family::recurrent || map_->family == LivingMap::Family::memory) return tr("looked at");
  return station.layer >= 0 ? tr("to %1 in layer %2").arg(word(best_to)).arg(counted(station.layer))
                            : tr("to %1").arg(word(best_to));
}

}  // namespace headlight
