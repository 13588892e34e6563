#include "widgets/views/influence/influence_words.h"

#include <QCoreApplication>

namespace headlight {

namespace {

using StationKind = LivingStation::Kind;

struct InfluenceWords {
  Q_DECLARE_TR_FUNCTIONS(InfluenceWords)

 public:
  static QString kind(StationKind kind) {
    switch (kind) {
      case StationKind::embedding:
        return tr("embedding");
      case StationKind::attention:
        return tr("self-attention");
      case StationKind::cross:
        return tr("cross-attention");
      case StationKind::mlp:
        return tr("feed-forward network");
      case StationKind::convolution:
        return tr("convolution");
      case StationKind::start:
        return tr("initial state");
      case StationKind::cell:
        return tr("cell");
      case StationKind::context:
        return tr("context");
      default:
        return tr("state");
    }
  }
  static QString side(LivingLane::Side side) {
    return side == LivingLane::Side::source ? tr("Of the encoder.") : tr("Of the decoder.");
  }
  static QString help(StationKind kind) {
    switch (kind) {
      case StationKind::embedding:
        return tr("What the first layer is given for each token.");
      case StationKind::attention:
      case StationKind::cross:
      case StationKind::mlp:
        return tr("The sum after this part of the layer: what goes on through the residual connection.");
      case StationKind::convolution:
        return tr("What the convolution and its gate made of a small window, with the residual connection.");
      case StationKind::cell:
        return tr("What the cell hands on from token to token.");
      case StationKind::context:
        return tr("What attention brought from the source.");
      default:
        return tr("What the next layer, or the attention, reads.");
    }
  }
};

}  // namespace

QString layer_of_states(const LivingStation& station) {
  QString name = InfluenceWords::kind(station.kind);
  if (station.layer >= 0) name += ' ' + QString::number(station.layer + 1);
  if (station.direction == LivingStation::Direction::forward) name += QStringLiteral(" →");
  if (station.direction == LivingStation::Direction::backward) name += QStringLiteral(" ←");
  return name;
}

QString layer_of_states_help(const LivingStation& station) {
  return InfluenceWords::side(station.side) + ' ' + InfluenceWords::help(station.kind);
}

}  // namespace headlight
