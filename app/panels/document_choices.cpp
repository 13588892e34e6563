// What a person chose in the views, as sessions keep it.
#include "app/panels/document_views.h"
#include "widgets/base/selection.h"
#include "widgets/canvas/head_bench.h"
#include "widgets/canvas/result_view.h"
#include "widgets/views/stepper/stepper_view.h"

namespace headlight {

namespace {

// The chosen head as a session has it.
std::optional<HeadPlace> head_in(const QVariantMap& map) {
  using Kind = AttentionMap::Kind;
  constexpr int kMost = 1 << 16;
  bool is_layer = false, is_head = false;
  const int layer = map.value(QStringLiteral("layer")).toInt(&is_layer),
            head = map.value(QStringLiteral("head")).toInt(&is_head);
  if (!is_layer || !is_head || layer < -1 || head < 0 || layer > kMost || head > kMost) return std::nullopt;
  for (const Kind kind : {Kind::encoder_self, Kind::decoder_self, Kind::cross})
    if (map.value(QStringLiteral("kind")).toString() == QLatin1String(side_kind(kind)))
      return HeadPlace{kind, layer, head};
  return std::nullopt;
}

}  // namespace

QVariantMap DocumentViews::choices() const {
  QVariantMap all;
  for (auto each = views_.begin(); each != views_.end(); ++each)
    if (const QVariantMap made = dynamic_cast<const ResultView*>(*each)->choices(); !made.isEmpty())
      all[each.key()] = made;
  all[QStringLiteral("steps")] = stepper_->choices();
  if (const QVariantMap asked = bench_->choices(); !asked.isEmpty()) all[QStringLiteral("bench")] = asked;
  if (const auto& head = selection_->head(); selection_->is_head_wanted())
    all[QStringLiteral("head")] = QVariantMap{{QStringLiteral("kind"), QString::fromUtf8(side_kind(head->kind))},
                                              {QStringLiteral("layer"), static_cast<int>(head->layer)},
                                              {QStringLiteral("head"), static_cast<int>(head->head)}};
  return all;
}

void DocumentViews::set_choices(const QVariantMap& choices) {
  for (auto each = views_.begin(); each != views_.end(); ++each)
    dynamic_cast<ResultView*>(*each)->set_choices(choices.value(each.key()).toMap());
  stepper_->set_choices(choices.value(QStringLiteral("steps")).toMap());
  bench_->set_choices(choices.value(QStringLiteral("bench")).toMap());
  selection_->set_head(head_in(choices.value(QStringLiteral("head")).toMap()));
}

}  // namespace headlight
