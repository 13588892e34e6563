#include "app/cli/render/asked_head.h"

#include <algorithm>
#include <vector>

#include "model/analysis/attention_maps.h"
#include "model/core/errors.h"
#include "widgets/canvas/analysed_run.h"

namespace headlight {

namespace {

using Kind = AttentionMap::Kind;

Kind asked_kind(const RenderCommand& command, const std::vector<AttentionMap>& maps) {
  if (command.side == "encoder") return Kind::encoder_self;
  if (command.side == "decoder") return Kind::decoder_self;
  if (command.side == "cross") return Kind::cross;
  return maps.empty() ? Kind::encoder_self : maps.front().kind;
}

const char* kind_word(Kind kind) {
  return kind == Kind::encoder_self ? "encoder" : kind == Kind::decoder_self ? "decoder" : "cross";
}

// The place from 0 of what was counted from `command.count_from`; throws where there are only `count`.
Index place_of(const RenderCommand& command, const char* option, int number, Index count, const std::string& what) {
  const Index place = number - command.count_from;
  if (place >= 0 && place < count) return place;
  throw UsageError(std::string(option) + ": there are " + std::to_string(count) + " " + what + ", counted from " +
                   std::to_string(command.count_from) + ", not number " + std::to_string(number));
}

Index strongest(const AttentionMap& map, Index head, Index row) {
  Index best = 0;
  for (Index column = 0; column < map.column_count(); ++column)
    if (map.has(row, column) && (!map.has(row, best) || map.weight(head, row, column) > map.weight(head, row, best)))
      best = column;
  return best;
}

}  // namespace

bool asks_head(const RenderCommand& command) {
  return command.layer || command.head || command.token || !command.side.empty();
}

void choose_asked_head(const RenderCommand& command, const AnalysedRun& run, Selection& selection, ResultView& view) {
  const Kind kind = asked_kind(command, run.maps());
  std::vector<const AttentionMap*> layers;
  for (const AttentionMap& map : run.maps())
    if (map.kind == kind) layers.push_back(&map);
  if (layers.empty()) throw UsageError(std::string("--side: this run has no attention of the ") + kind_word(kind));
  const auto count = static_cast<Index>(layers.size());
  const Index place = command.layer ? place_of(command, "--layer", *command.layer, count,
                                               std::string("layers of the ") + kind_word(kind))
                                    : count - 1;
  const AttentionMap& map = *layers[static_cast<std::size_t>(place)];
  const Index head = command.head ? place_of(command, "--head", *command.head, map.heads, "heads in a layer") : 0;
  const QVariantMap attention{{QStringLiteral("kind"), QString::fromLatin1(kind_word(kind))},
                              {QStringLiteral("layer"), static_cast<int>(map.layer)},
                              {QStringLiteral("head"), static_cast<int>(head)}};
  QVariantMap choices = view.choices();
  choices[QStringLiteral("attention")] = QVariantList{attention};
  choices[QStringLiteral("kind")] = attention.value(QStringLiteral("kind"));
  choices[QStringLiteral("map")] = static_cast<int>(place);  // of the view that opens heads
  choices[QStringLiteral("head")] = static_cast<int>(head);
  view.set_choices(choices);
  SelectionState state;
  const Index row =
      command.token ? place_of(command, "--token", *command.token, map.row_count(), "rows of weights") : 0;
  const bool one_number = command.view != "heads" && command.view != "ribbons" && command.view != "alignment";
  if ((command.token || one_number) && map.row_count() > 0) {
    const auto& token = map.rows[static_cast<std::size_t>(row)];
    state.source_token = unless_none(token.token);
    state.step = unless_none(token.step);
    state.entry = map.entry(row);
    state.cell = map.cell(head, row, strongest(map, head, row));
  }
  selection.set(state);
}

}  // namespace headlight
