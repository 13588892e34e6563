#include "widgets/views/choosing/choosing_words.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "model/core/json_library.h"
#include "model/decode/token_chooser.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"

namespace headlight {

namespace {

struct ChoosingWords {
  Q_DECLARE_TR_FUNCTIONS(ChoosingWords)

 public:
  struct Words {
    const char *stage, *title, *help, *fell;
  };
  static constexpr Words kWords[] = {
      {"logits", QT_TR_NOOP("the model"), QT_TR_NOOP("probability, %"), QT_TR_NOOP("It has no score.")},
      {"sequence_bias", QT_TR_NOOP("sequence bias"), QT_TR_NOOP("adds to some scores"),
       QT_TR_NOOP("A bias took it away.")},
      {"encoder_repetition_penalty", QT_TR_NOOP("encoder repetition penalty"), QT_TR_NOOP("favours what was read"), ""},
      {"repetition_penalty", QT_TR_NOOP("repetition penalty"), QT_TR_NOOP("lowers what stands there already"), ""},
      {"frequency_penalty", QT_TR_NOOP("frequency penalty"), QT_TR_NOOP("lowers by how often it was written"), ""},
      {"presence_penalty", QT_TR_NOOP("presence penalty"), QT_TR_NOOP("lowers what was written"), ""},
      {"no_repeat_ngram_size", QT_TR_NOOP("no repeated n-grams"), QT_TR_NOOP("never the same n tokens again"),
       QT_TR_NOOP("With it, the same tokens in a row would stand there again.")},
      {"encoder_no_repeat_ngram_size", QT_TR_NOOP("no n-grams of the source"),
       QT_TR_NOOP("never n tokens that were read"),
       QT_TR_NOOP("With it, tokens in a row that were read would stand there again.")},
      {"bad_words_ids", QT_TR_NOOP("forbidden words"), QT_TR_NOOP("these never come"),
       QT_TR_NOOP("It would complete a forbidden word.")},
      {"min_length", QT_TR_NOOP("least length"), QT_TR_NOOP("no end before that"),
       QT_TR_NOOP("The output may not end yet.")},
      {"min_new_tokens", QT_TR_NOOP("least new tokens"), QT_TR_NOOP("no end before that"),
       QT_TR_NOOP("The output may not end yet.")},
      {"forced_bos_token_id", QT_TR_NOOP("forced start"), QT_TR_NOOP("this token comes first"),
       QT_TR_NOOP("Another token has to come first.")},
      {"forced_eos_token_id", QT_TR_NOOP("forced end"), QT_TR_NOOP("it ends at its longest"),
       QT_TR_NOOP("The output has to end here.")},
      {"remove_invalid_values", QT_TR_NOOP("only numbers"), QT_TR_NOOP("NaN and ∞ become numbers"), ""},
      {"exponential_decay_length_penalty", QT_TR_NOOP("growing wish to end"),
       QT_TR_NOOP("raises the end more and more"), ""},
      {"suppress_tokens", QT_TR_NOOP("suppressed tokens"), QT_TR_NOOP("these never come"),
       QT_TR_NOOP("It is on the list of tokens that never come.")},
      {"begin_suppress_tokens", QT_TR_NOOP("suppressed at first"), QT_TR_NOOP("these do not come first"),
       QT_TR_NOOP("It is on the list of tokens that do not come first.")},
      {"temperature", QT_TR_NOOP("temperature"), QT_TR_NOOP("below 1: bolder differences"),
       QT_TR_NOOP("At temperature 0 only the most probable one stays.")},
      {"top_h", QT_TR_NOOP("top-h"), QT_TR_NOOP("a share of the entropy stays"),
       QT_TR_NOOP("The ones above it have that share of the entropy already.")},
      {"top_k", QT_TR_NOOP("top-k"), QT_TR_NOOP("the k most probable stay"),
       QT_TR_NOOP("It is not among the most probable ones.")},
      {"top_p", QT_TR_NOOP("top-p"), QT_TR_NOOP("the fewest that reach p stay"),
       QT_TR_NOOP("The ones above it have that probability already.")},
      {"min_p", QT_TR_NOOP("min-p"), QT_TR_NOOP("a share of the largest is needed"),
       QT_TR_NOOP("It has less than that share of the largest probability.")},
      {"typical_p", QT_TR_NOOP("typical"), QT_TR_NOOP("what surprises as much as usual stays"),
       QT_TR_NOOP("It surprises more, or less, than what is usual here.")},
      {"epsilon_cutoff", QT_TR_NOOP("epsilon"), QT_TR_NOOP("what is less probable goes"),
       QT_TR_NOOP("It is less probable than that.")},
      {"eta_cutoff", QT_TR_NOOP("eta"), QT_TR_NOOP("a limit that falls with the entropy"),
       QT_TR_NOOP("It is less probable than the limit, which the entropy moves.")},
      {"renormalize_logits", QT_TR_NOOP("log softmax"), QT_TR_NOOP("the probabilities stay"), ""},
  };
  static const Words* of(const std::string& stage) {
    const auto* found = std::ranges::find_if(kWords, [&](const Words& words) { return stage == words.stage; });
    return found == std::end(kWords) ? nullptr : found;
  }
  static QString said(const char* text) { return *text ? tr(text) : QString(); }
};

QString word_of(const ChosenStep& step, TokenId id) { return quoted(step.result->model->target_vocabulary().text(id)); }

double share_at(const ChosenStep& step, int row, int stage) {
  return row < 0 ? -1 : nth(nth(step.rows, row).shares, stage);
}

}  // namespace

QString stage_title(const std::string& stage) {
  const auto* words = ChoosingWords::of(stage);
  return words ? ChoosingWords::tr(words->title) : QString::fromStdString(stage);
}

QString stage_help(const std::string& stage) {
  const auto* words = ChoosingWords::of(stage);
  return words ? ChoosingWords::tr(words->help) : QString();
}

QString stage_setting(const ChosenStep& step, const std::string& stage) {
  const auto found = step.said->find(stage);
  return found != step.said->end() && found->is_number() ? short_number(found->get<double>()) : QString();
}

QString fate_of(const ChosenStep& step, int row) {
  const ChosenStep::Row& at = nth(step.rows, row);
  const int last = step.stages() - 1;
  QStringList said;
  if (at.fell < 0) {
    said << ChoosingWords::tr("%1 is left: %2 after the stages, %3 before.")
                .arg(word_of(step, at.id), percent(at.shares.back()), percent(at.shares.front()));
  } else {
    const std::string& stage = step.stage(at.fell).name;
    said << ChoosingWords::tr("%1 fell at: %2.").arg(word_of(step, at.id), stage_title(stage));
    if (const auto* words = ChoosingWords::of(stage); words && *words->fell) said << ChoosingWords::said(words->fell);
    if (at.fell > 0 && share_at(step, row, at.fell - 1) >= 0)
      said << ChoosingWords::tr("It had %1 in front of it.").arg(percent(share_at(step, row, at.fell - 1)));
  }
  if (at.id == step.choice.chosen)
    said << ChoosingWords::tr("It was written.");
  else if (is_half_character(*step.result, step.step, at.id))
    said << half_character_note();
  else if (last >= 0)
    said << ChoosingWords::tr("Enter or a click lets the model go on from it.");
  return said.join(' ');
}

QString left_of(const ChosenStep& step) {
  const Index had = step.stage(0).left, left = step.choice.stages.back().left;
  return had == left ? ChoosingWords::tr("All %L1 tokens have a chance.").arg(had)
                     : ChoosingWords::tr(
                           "%L1 tokens have a chance; %L2 survive. What a stage cuts, the others share "
                           "out among them.")
                           .arg(had)
                           .arg(left);
}

QString reason_for(const ChosenStep& step) {
  const int row = step.chosen_row();
  const QString word = word_of(step, step.choice.chosen);
  const double before = share_at(step, row, 0), after = share_at(step, row, step.stages() - 1);
  const QString most = word_of(step, step.most_probable());
  if (step.forced)
    return ChoosingWords::tr("You said that %1 comes here. Of itself the model gives it %2.")
        .arg(word, percent(std::max(0.0, before)));
  const bool changed = after >= 0 && std::abs(after - before) > 5e-4;
  const QString sure = changed
                           ? ChoosingWords::tr("%1 after the stages, %2 before").arg(percent(after), percent(before))
                           : percent(before);
  if (step.choice.u >= 0)
    return step.choice.chosen == step.most_probable()
               ? ChoosingWords::tr("Drawn with %1: it fell on %2 (%3), the most probable one.")
                     .arg(short_number(step.choice.u), word, sure)
               : ChoosingWords::tr("Drawn with %1: it fell on %2 (%3). The most probable one is %4.")
                     .arg(short_number(step.choice.u), word, sure, most);
  if (step.result->beam)
    return ChoosingWords::tr("The output that won has %1 here (%2). Output shows the tree of all beams.")
        .arg(word, sure);
  return step.choice.chosen == step.most_probable()
             ? ChoosingWords::tr("%1 is the most probable one that is left (%2).").arg(word, sure)
             : ChoosingWords::tr("%1 was written (%2); the most probable one is %3.").arg(word, sure, most);
}

}  // namespace headlight
