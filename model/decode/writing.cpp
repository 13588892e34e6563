#include "model/decode/writing.h"

#include <algorithm>
#include <numeric>

#include "model/core/errors.h"
#include "model/core/random.h"
#include "model/decode/sampling.h"

namespace headlight {

namespace {

// Texts side by side, each with the most probable token, or a drawn one, again and again.
class SideBySide {
 public:
  SideBySide(Following& model, const WritingTask& task, const WritingSettings& settings)
      : model_(model),
        task_(task),
        settings_(settings),
        longest_(std::min(settings.longest(task.prompt.size()), task.most)),
        random_(task.seed, Random::Stream::sample),
        texts_(static_cast<std::size_t>(settings.num_return_sequences), task.prompt) {}

  WrittenTexts write() {
    WrittenTexts written;
    std::vector<std::size_t> going(texts_.size());
    std::iota(going.begin(), going.end(), 0);
    std::vector<Index> from(going.size(), 0);
    for (std::size_t length = task_.prompt.size(); length < longest_ && !going.empty(); ++length) {
      task_.cancel.check();
      const bool first = length == task_.prompt.size();
      std::vector<std::vector<TokenId>> asked;
      if (first)
        asked.push_back(task_.prompt);
      else
        for (const std::size_t i : going) asked.push_back(texts_[i]);
      const Tensor logits = first ? model_.after(asked, {0}) : model_.after(asked, from);
      written.not_numbers = !are_numbers(logits, settings_.choosing);
      if (written.not_numbers) break;
      go_on(logits, going, from, written);
    }
    for (const std::vector<TokenId>& text : texts_)
      written.sequences.push_back(
          {{text.begin() + static_cast<std::ptrdiff_t>(task_.prompt.size()), text.end()}, std::nullopt});
    return written;
  }

 private:
  // One token for each text that goes on; behind the prompt they have one row of logits together.
  void go_on(const Tensor& logits, std::vector<std::size_t>& going, std::vector<Index>& from, WrittenTexts& written) {
    const Index rows = logits.size() / logits.columns();
    std::vector<std::size_t> next;
    from.clear();
    for (std::size_t k = 0; k < going.size(); ++k) {
      const Index row = std::min(static_cast<Index>(k), rows - 1);
      Tensor scores = logits.view(row * logits.columns(), {logits.columns()}).clone();
      std::vector<TokenId>& text = texts_[going[k]];
      text.push_back(chosen(scores, text, going[k] == 0 ? &written : nullptr));
      if (std::ranges::count(settings_.choosing.eos_token_id, text.back()) > 0) continue;
      next.push_back(going[k]);
      from.push_back(row);
    }
    going = std::move(next);
  }

  // `told` gets what was chosen from.
  TokenId chosen(Tensor& scores, const std::vector<TokenId>& text, WrittenTexts* told) {
    const ChoosingPlace place{text, task_.prompt.size(), task_.encoder, longest_};
    TokenChoice choice;
    if (task_.told && told)
      choice = choose_and_tell(scores, place, settings_.choosing, *task_.told);
    else
      choose(scores, place, settings_.choosing);
    choice.chosen = largest_of(scores);
    if (settings_.choosing.do_sample) {
      choice.u = random_.uniform();
      choice.chosen = drawn(shares_of(scores), choice.u);
    }
    const TokenId id = choice.chosen;
    if (task_.told && told) {
      if (told->choices.empty()) choice.check_budget(static_cast<double>(longest_ - task_.prompt.size()));
      told->choices.push_back(std::move(choice));
    }
    return id;
  }

  Following& model_;
  const WritingTask& task_;
  const WritingSettings& settings_;
  const std::size_t longest_;
  Random random_;
  std::vector<std::vector<TokenId>> texts_;
};

}  // namespace

bool are_numbers(const Tensor& logits, const ChoosingSettings& settings) {
  return settings.remove_invalid_values || logits.array().isFinite().all();
}

std::size_t WritingSettings::longest(std::size_t prompt) const {
  constexpr std::size_t kNewTokens = 20;
  if (max_new_tokens) return prompt + *max_new_tokens;
  if (max_length && *max_length <= prompt)
    throw UsageError("max_length: it counts the " + std::to_string(prompt) +
                     " tokens that are there: expected more, or max_new_tokens, found " + std::to_string(*max_length));
  return max_length.value_or(prompt + kNewTokens);
}

void check(const WritingSettings& settings) {
  if (settings.num_beams > 1 && settings.choosing.do_sample)
    throw UsageError("num_beams: expected 1 together with do_sample; beams that are drawn are not implemented");
  if (!settings.choosing.do_sample && settings.num_return_sequences > settings.num_beams)
    throw UsageError("num_return_sequences: expected at most num_beams, " + std::to_string(settings.num_beams) +
                     ", or do_sample, found " + std::to_string(settings.num_return_sequences));
}

WrittenTexts write_on(Following& model, const WritingTask& task, const WritingSettings& settings) {
  check(settings);
  return settings.num_beams > 1 ? write_beams(model, task, settings) : SideBySide(model, task, settings).write();
}

}  // namespace headlight
