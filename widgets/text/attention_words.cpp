#include "widgets/text/attention_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

struct AttentionWords {
  Q_DECLARE_TR_FUNCTIONS(AttentionWords)
};

}  // namespace

QString kind_name(AttentionMap::Kind kind) {
  switch (kind) {
    case AttentionMap::Kind::encoder_self:
      return AttentionWords::tr("encoder");
    case AttentionMap::Kind::decoder_self:
      return AttentionWords::tr("decoder");
    case AttentionMap::Kind::cross:
      return AttentionWords::tr("cross");
    case AttentionMap::Kind::summary:
      break;
  }
  return AttentionWords::tr("mean of all layers");
}

QString kind_help(AttentionMap::Kind kind) {
  switch (kind) {
    case AttentionMap::Kind::encoder_self:
      return AttentionWords::tr(
          "Self-attention of the encoder: each source token gathers what it needs from the "
          "other source tokens.");
    case AttentionMap::Kind::decoder_self:
      return AttentionWords::tr(
          "Self-attention of the decoder: each token looks at itself and at those before it, "
          "never at those that are still to come.");
    default:
      return AttentionWords::tr("Cross-attention: each step of the output looks at the tokens of the source.");
  }
}

QString layer_name(Index layer) {
  constexpr Index kAllLayers = -2;
  if (layer == kAllLayers) return AttentionWords::tr("all layers");
  return layer < 0 ? QString() : AttentionWords::tr("layer %1").arg(counted(layer));
}

QString head_name(Index head) {
  if (head == AttentionMap::kMean) return AttentionWords::tr("mean");
  if (head == AttentionMap::kMax) return AttentionWords::tr("largest");
  return AttentionWords::tr("head %1").arg(counted(head));
}

QString heads_of_group(Index group, Index shared) {
  const Index first = group * shared;
  if (shared == 1) return head_name(group);
  return (shared == 2 ? AttentionWords::tr("heads %1 and %2") : AttentionWords::tr("heads %1 to %2"))
      .arg(counted(first), counted(first + shared - 1));
}

QString shared_note(const AttentionMap& map, Index head) {
  if (map.shared() < 2 || head < 0) return {};
  return '\n' + AttentionWords::tr("One key-value head is shared by %1 (grouped-query attention).")
                    .arg(heads_of_group(head / map.shared(), map.shared()));
}

QString left_out_note(const AttentionMap& map) {
  QString note;
  if (map.window > 0) note += ' ' + AttentionWords::tr("Hatched: outside the window, not kept.");
  if (map.has_sink())
    note += ' ' + AttentionWords::tr("‘sink’ is what a head gives to no token: with it a row adds up to 1.");
  return note;
}

QString window_name(Index window) {
  return window == 0 ? AttentionWords::tr("all tokens") : AttentionWords::tr("window %1").arg(window);
}

QString head_place(Index layer, Index head) {
  if (layer < 0) return head_name(head);
  if (first_number() == 0) return QStringLiteral("L%1H%2").arg(layer).arg(head);
  return QStringLiteral("%1 · %2").arg(layer_name(layer), head_name(head));
}

QString head_place(const HeadPlace& head) { return head_place(head.layer, head.head); }

QString head_place(const AttentionMap& map, Index head) {
  const QString layer = layer_name(map.layer);
  if (map.heads == 1 && !layer.isEmpty()) return layer;
  const QString name = head == AttentionMap::kMean  ? AttentionWords::tr("mean of the heads")
                       : head == AttentionMap::kMax ? AttentionWords::tr("largest of the heads")
                                                    : QString();
  if (name.isEmpty()) return head_place(map.layer, head);
  return layer.isEmpty() ? name : QStringLiteral("%1 · %2").arg(layer, name);
}

namespace {

struct Habit {
  QString name, help;
};

Habit habit_of(HeadKind kind) {
  switch (kind) {
    case HeadKind::same:
      return {AttentionWords::tr("self"),
              AttentionWords::tr("Most of the weight lies on the diagonal: a token looks at itself, or "
                                 "an output step at the same place of the source.")};
    case HeadKind::previous:
      return {AttentionWords::tr("previous token"),
              AttentionWords::tr("Most of the weight lies on the previous token.")};
    case HeadKind::next:
      return {AttentionWords::tr("next token"), AttentionWords::tr("Most of the weight lies on the next token.")};
    case HeadKind::first:
      return {
          AttentionWords::tr("first token"),
          AttentionWords::tr(
              "Most of the weight lies on the first token: often a place to rest when there is nothing to look for.")};
    case HeadKind::even:
      return {AttentionWords::tr("broad"),
              AttentionWords::tr("The weight is spread almost evenly: this head averages what it sees.")};
    case HeadKind::separators:
      return {AttentionWords::tr("separators"),
              AttentionWords::tr("Most of the weight lies on signs that stand for no text, and on punctuation.")};
    case HeadKind::same_word:
      return {AttentionWords::tr("same word"),
              AttentionWords::tr("Most of the weight lies on the same word elsewhere in the text.")};
    case HeadKind::one_word:
      return {AttentionWords::tr("one word"),
              AttentionWords::tr("Most of the weight of all tokens lies on one and the same token.")};
    case HeadKind::sharp:
      return {
          AttentionWords::tr("picks one"),
          AttentionWords::tr(
              "Nearly all weight lies on one token, and on another one in each row: this head looks something up.")};
    case HeadKind::not_numbers:
      return {AttentionWords::tr("not numbers"),
              AttentionWords::tr("Some of its weights are not numbers: nothing can be said of where it looks.")};
    case HeadKind::not_shares:
      return {AttentionWords::tr("no shares"),
              AttentionWords::tr("Its rows do not add up to 1: these are no weights of attention, and "
                                 "nothing can be said of where it looks.")};
    case HeadKind::mixed:
      break;
  }
  return {AttentionWords::tr("mixed"),
          AttentionWords::tr("No clear pattern: the weight goes to several places.")};
}

}  // namespace

QString habit_name(HeadKind kind) { return habit_of(kind).name; }

QString pattern_name(Pattern pattern) {
  switch (pattern) {
    case Pattern::previous:
      return habit_name(HeadKind::previous);
    case Pattern::self:
      return habit_name(HeadKind::same);
    case Pattern::next:
      return habit_name(HeadKind::next);
    case Pattern::first:
      return habit_name(HeadKind::first);
    case Pattern::separators:
      return habit_name(HeadKind::separators);
    case Pattern::same_word:
      return habit_name(HeadKind::same_word);
    case Pattern::one_word:
      return habit_name(HeadKind::one_word);
    case Pattern::broad:
      return habit_name(HeadKind::even);
    case Pattern::mixed:
      break;
  }
  return habit_name(HeadKind::mixed);
}

QString padding_name(int count) { return AttentionWords::tr("padding (%1)").arg(count); }

QString padding_lines(int count) { return AttentionWords::tr("padding\n(%1)").arg(count); }

QString padding_short(int count) { return QStringLiteral("(%1)").arg(count); }

QString head_off_name() { return AttentionWords::tr("switched off"); }

QString head_description(const AttentionMap& map, Index head, const HeadStatistics& statistics) {
  const Habit habit = habit_of(head_kind(map, head));
  const QString title = with_colon(head_place(map, head), habit.name);
  if (std::isnan(statistics.entropy)) return title + '\n' + habit.help;
  const QString entropy =
      AttentionWords::tr("Entropy %1 (0: one token, 1: all alike).").arg(plain_number(statistics.entropy));
  const QString distance =
      map.is_self() ? AttentionWords::tr("It looks %1 tokens away on the average.").arg(statistics.distance, 0, 'f', 1)
                    : AttentionWords::tr("It looks %1 of the source's length away from its own place.")
                          .arg(share_percent(statistics.distance));
  const QString shares =
      AttentionWords::tr(
          "Of its weight: diagonal %1, previous token %2, next token %3, first token %4. Largest weight %5.")
          .arg(share_percent(statistics.same), share_percent(statistics.previous), share_percent(statistics.next),
               share_percent(statistics.first), short_number(statistics.highest));
  return QStringList{title, habit.help, entropy, distance, shares}.join('\n');
}

namespace {

AxisLabel label_of(const AttentionToken& token, const TokenText& shown) {
  AxisLabel label{shown.text, shown.stand_in || token.padding, shown.name, shown.special};
  const int together = std::max(token.tokens, token.steps);
  if (token.padding) label.name = AttentionWords::tr("padding");  // a space is what somebody typed
  label.voice = token.voice;
  label.answer = token.answer;
  if (const QString whose = voice_name(token.voice); !whose.isEmpty())
    label.name = AttentionWords::tr("%1, %2").arg(label.name, whose);
  if (token.answer) label.name = AttentionWords::tr("%1, in the answer").arg(label.name);
  if (together > 1) label.name = AttentionWords::tr("%1, %2 tokens together").arg(label.name).arg(together);
  return label;
}

}  // namespace

AxisLabel axis_label(const AttentionToken& token, bool written) {
  return label_of(token, token_text(written ? token.written : token.text));
}

std::vector<AxisLabel> axis_labels(const std::vector<AttentionToken>& axis, bool written) {
  std::vector<std::string> texts;
  for (const AttentionToken& token : axis) texts.push_back(written ? token.written : token.text);
  const std::vector<TokenText> shown = token_texts(texts);
  std::vector<AxisLabel> labels;
  for (std::size_t i = 0; i < axis.size(); ++i) labels.push_back(label_of(axis[i], shown[i]));
  return labels;
}

std::vector<AxisLabel> row_labels(const AttentionMap& map) { return axis_labels(map.rows, !map.is_self()); }

std::vector<AxisLabel> column_labels(const AttentionMap& map) {
  std::vector<AxisLabel> labels = axis_labels(map.columns);
  if (!map.columns.empty() && map.is_sink(map.column_count() - 1)) {
    labels.back() = {AttentionWords::tr("sink"), true, AttentionWords::tr("sink, a learned score of no token")};
    labels.back().special = true;
  }
  return labels;
}

QString words_name() { return AttentionWords::tr("&Whole words"); }

QString words_help() {
  return AttentionWords::tr(
      "Puts the pieces of a word together: what its tokens get is added up, what they give is "
      "averaged, so that a row still sums to 1. Weights of words are only shown: turn this "
      "off to change one.");
}

QString value_caption(const AttentionMap& map) {
  return map.are_shares ? AttentionWords::tr("attention weight") : AttentionWords::tr("stored value, no share of 1");
}

QString row_caption(const AttentionMap& map) {
  return map.is_self() ? AttentionWords::tr("query") : AttentionWords::tr("output");
}

QString column_caption(const AttentionMap& map) {
  if (map.is_self()) return AttentionWords::tr("key");
  const bool written = std::ranges::any_of(map.columns, [](const AttentionToken& token) { return token.step >= 0; });
  return written ? AttentionWords::tr("prompt and output") : AttentionWords::tr("source");
}

}  // namespace headlight
