#include "widgets/views/cost/cost_run.h"

#include <QCoreApplication>

#include "model/core/scalar.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

struct CostWords {
  Q_DECLARE_TR_FUNCTIONS(CostWords)
};

QString waits_for(const TimelineBox& box, Pace pace) {
  switch (box.kind) {
    case TimelineBox::Kind::output:
      return CostWords::tr("It waits for the last layer of its token.");
    case TimelineBox::Kind::attention:
      return CostWords::tr("It waits for the state that asks, and for the whole source.");
    case TimelineBox::Kind::decoder:
      return pace == Pace::learns
                 ? CostWords::tr(
                       "It waits for what it is computed from. The right token is known before, so that no "
                       "written token has to be waited for (teacher forcing).")
                 : CostWords::tr(
                       "It waits for what it is computed from: at the first layer also for the token that "
                       "was written before.");
    case TimelineBox::Kind::encoder:
      break;
  }
  return CostWords::tr(
      "It waits for what it is computed from. What stands in the same column waits for nothing of "
      "it: all of that could be computed at the same time.");
}

}  // namespace

QString pace_name(Pace pace) { return pace == Pace::learns ? CostWords::tr("learns") : CostWords::tr("writes"); }

QString part_name(CostPart part) {
  switch (part) {
    case CostPart::projections:
      return CostWords::tr("queries, keys, values");
    case CostPart::scores:
      return CostWords::tr("scores");
    case CostPart::mixing:
      return CostWords::tr("mixing values");
    case CostPart::feed_forward:
      return CostWords::tr("feed-forward");
    case CostPart::recurrence:
      return CostWords::tr("recurrence");
    case CostPart::convolution:
      return CostWords::tr("convolution");
    case CostPart::output:
      return CostWords::tr("output layer");
    case CostPart::other:
      break;
  }
  return CostWords::tr("other layers");
}

QString part_help(CostPart part) {
  switch (part) {
    case CostPart::projections:
      return CostWords::tr(
          "Each token is turned into its query, key and value, and what the heads bring is joined: "
          "4 n d² a layer of self-attention.");
    case CostPart::scores:
      return CostWords::tr(
          "Each query is compared with each key: n² d a layer, for any number of heads. It grows with "
          "the square of the text.");
    case CostPart::mixing:
      return CostWords::tr("Values are added in the shares of the weights: n² d a layer, as much as the scores.");
    case CostPart::feed_forward:
      return CostWords::tr("Each token by itself, through a wider layer and back: 2 n d · d_ff a layer.");
    case CostPart::recurrence:
      return CostWords::tr("Each token changes the state: n d² for each matrix of a gate.");
    case CostPart::convolution:
      return CostWords::tr("Each token with its neighbours, k of them: k n d², twice that with gates.");
    case CostPart::output:
      return CostWords::tr("For each token that is written, a number for each token of the vocabulary.");
    case CostPart::other:
      break;
  }
  return CostWords::tr("What brings vectors from one width to another.");
}

QString box_name(TimelineBox::Kind kind) {
  switch (kind) {
    case TimelineBox::Kind::encoder:
      return CostWords::tr("encoder");
    case TimelineBox::Kind::decoder:
      return CostWords::tr("decoder");
    case TimelineBox::Kind::attention:
      return CostWords::tr("attention");
    case TimelineBox::Kind::output:
      break;
  }
  return CostWords::tr("output");
}

QString box_help(const CostRun& run, const TimelineBox& box, Pace pace) {
  const bool has_layer = box.kind == TimelineBox::Kind::encoder || box.kind == TimelineBox::Kind::decoder;
  QString what =
      has_layer ? CostWords::tr("%1, %2").arg(box_name(box.kind), layer_name(box.layer)) : box_name(box.kind);
  if (box.backward) what = CostWords::tr("%1, from the end").arg(what);
  const QString token = in_quotes(nth(run.labels, run.row_of(box)).words());
  return CostWords::tr("%1 at %2: step %3 of %4.")
             .arg(what, token, counted(box.column), QString::number(run.timeline(pace).columns)) +
         '\n' + waits_for(box, pace);
}

}  // namespace headlight
