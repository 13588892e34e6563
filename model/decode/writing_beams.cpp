// Beams as the library has them; the rules are at the head of writing.h.

#include <algorithm>
#include <cmath>

#include "model/core/budget.h"
#include "model/decode/writing.h"
#include "model/ops/softmax.h"

namespace headlight {

namespace {

using BeamFate = BeamHypothesis::Fate;

class LibraryBeams {
 public:
  LibraryBeams(Following& model, const WritingTask& task, const WritingSettings& settings)
      : model_(model),
        task_(task),
        settings_(settings),
        longest_(std::min(settings.longest(task.prompt.size()), task.most)),
        width_(static_cast<std::size_t>(settings.num_beams)),
        looked_at_(width_ * std::max<std::size_t>(2, 1 + settings.choosing.eos_token_id.size())) {
    within_budget(static_cast<double>(looked_at_) * sizeof(BeamHypothesis) *
                      static_cast<double>(longest_ - std::min(longest_, task.prompt.size())),
                  budget::kBeam,
                  std::to_string(settings.num_beams) + " beams of up to " + std::to_string(longest_) + " tokens",
                  "choose fewer beams or a smaller max_new_tokens");
  }

  WrittenTexts search() {
    beams_ = {{task_.prompt, 0, -1}};
    std::vector<Index> from = {0};
    for (std::size_t length = task_.prompt.size(); length < longest_; ++length) {
      task_.cancel.check();
      std::vector<std::vector<TokenId>> texts;
      for (const Beam& beam : beams_) texts.push_back(beam.text);
      const Tensor logits = model_.after(texts, from);
      written_.not_numbers = !are_numbers(logits, settings_.choosing);
      if (written_.not_numbers) break;
      const std::vector<Way> ways = best_ways(logits);
      if (ways.empty()) break;
      add_step(ways);
      finish_ends(ways);
      from = go_on(ways);
      if (beams_.empty() || is_over()) break;
    }
    return finish();
  }

 private:
  struct Beam {
    std::vector<TokenId> text;
    double sum;  // of its scores
    int place;   // in the last step of the tree, −1: the prompt
  };
  struct Way {  // to go on
    std::size_t beam;
    TokenId id;
    double sum;
  };

  // New tokens of what the last step tried.
  std::size_t made() const { return tree_.steps.size(); }
  bool is_end(TokenId id) const { return std::ranges::count(settings_.choosing.eos_token_id, id) > 0; }
  bool ends(const Way& way) const { return is_end(way.id) || task_.prompt.size() + made() >= longest_; }
  double score_of(double sum, std::size_t length) const {
    return sum / std::pow(static_cast<double>(length), settings_.length_penalty);
  }
  BeamHypothesis& last(std::size_t place) { return tree_.steps.back().hypotheses[place]; }

  // The best of all beams, by falling sum; of equals the better beam, then the lower id.
  std::vector<Way> best_ways(const Tensor& logits) {
    const Index count = logits.columns();
    std::vector<Way> all;
    std::vector<TokenChoice>& choices = choices_.emplace_back();
    const auto better = [](const Way& a, const Way& b) {
      if (a.sum != b.sum) return a.sum > b.sum;
      return a.beam != b.beam ? a.beam < b.beam : a.id < b.id;
    };
    for (std::size_t k = 0; k < beams_.size(); ++k) {
      const auto row = static_cast<Index>(k);
      const ChoosingPlace place{beams_[k].text, task_.prompt.size(), task_.encoder, longest_};
      Tensor scores({count});
      if (task_.told) {
        scores.array() = logits.view(row * count, {count}).array();
        choices.push_back(choose_and_tell(scores, place, settings_.choosing, *task_.told));
        if (choices_.size() == 1)
          choices.back().check_budget(static_cast<double>(width_ * (longest_ - task_.prompt.size())));
      }
      const std::vector<double> logp = log_probabilities(logits, row);
      for (Index id = 0; id < count; ++id) scores[id] = static_cast<Scalar>(logp[static_cast<std::size_t>(id)]);
      choose(scores, place, settings_.choosing);
      for (TokenId id = 0; id < count; ++id)
        if (std::isfinite(scores[id])) all.push_back({k, id, beams_[k].sum + static_cast<double>(scores[id])});
      const std::size_t kept = std::min(all.size(), looked_at_);
      std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(), better);
      all.resize(kept);
    }
    return all;
  }

  void add_step(const std::vector<Way>& ways) {
    BeamStep& step = tree_.steps.emplace_back();
    row_of_.emplace_back();
    for (const Way& way : ways) {
      BeamHypothesis& h = step.hypotheses.emplace_back();
      h.token = way.id;
      h.parent = beams_[way.beam].place;
      h.logp = way.sum;
      h.score = score_of(way.sum, made());
      row_of_.back().push_back(way.beam);
    }
  }

  // Of the first num_beams; of what is finished the num_beams best are kept.
  void finish_ends(const std::vector<Way>& ways) {
    for (std::size_t i = 0; i < std::min(width_, ways.size()); ++i) {
      if (!ends(ways[i])) continue;
      const bool cut = !is_end(ways[i].id) && !settings_.choosing.eos_token_id.empty();
      last(i).fate = cut ? BeamFate::truncated : BeamFate::finished;
      const int step = static_cast<int>(made()) - 1, place = static_cast<int>(i);
      tree_.best.push_back({step, place, tree_.tokens_of(step, place), last(i).logp, last(i).score, cut});
    }
    std::stable_sort(tree_.best.begin(), tree_.best.end(),
                     [](const BeamEnd& a, const BeamEnd& b) { return a.score > b.score; });
    if (tree_.best.size() > width_) tree_.best.resize(width_);
  }

  // The beams of the next step; which rows they go on from.
  std::vector<Index> go_on(const std::vector<Way>& ways) {
    std::vector<Beam> next;
    std::vector<Index> from;
    for (std::size_t i = 0; i < ways.size() && next.size() < width_; ++i) {
      if (ends(ways[i])) continue;
      last(i).fate = BeamFate::alive;
      next.push_back({beams_[ways[i].beam].text, ways[i].sum, static_cast<int>(i)});
      next.back().text.push_back(ways[i].id);
      from.push_back(static_cast<Index>(ways[i].beam));
    }
    beams_ = std::move(next);
    return from;
  }

  bool is_over() const {
    using Early = WritingSettings::EarlyStopping;
    if (tree_.best.size() < width_) return false;
    if (settings_.early_stopping == Early::yes) return true;
    const bool farthest = settings_.early_stopping == Early::never && settings_.length_penalty > 0;
    const std::size_t length = farthest ? longest_ - task_.prompt.size() : made();
    return score_of(beams_.front().sum, length) <= tree_.best.back().score;
  }

  WrittenTexts finish() {
    for (const Beam& beam : beams_)
      if (beam.place >= 0) last(static_cast<std::size_t>(beam.place)).fate = BeamFate::stopped;
    for (const BeamEnd& end : tree_.best) written_.sequences.push_back({end.tokens, end.score});
    // Nothing is finished where numbers end before.
    if (tree_.best.empty())
      for (const Beam& beam : beams_)
        written_.sequences.push_back(
            {{beam.text.begin() + static_cast<std::ptrdiff_t>(task_.prompt.size()), beam.text.end()}, std::nullopt});
    const auto wanted = static_cast<std::size_t>(settings_.num_return_sequences);
    if (written_.sequences.size() > wanted) written_.sequences.resize(wanted);
    if (task_.told && !tree_.best.empty()) tell(tree_.best.front());
    written_.beams = std::make_shared<const BeamTree>(std::move(tree_));
    return std::move(written_);
  }

  // On the way to this end.
  void tell(const BeamEnd& end) {
    int place = end.place;
    for (auto step = static_cast<std::size_t>(end.step) + 1; step-- > 0;) {
      const auto at = static_cast<std::size_t>(place);
      const BeamHypothesis& h = tree_.steps[step].hypotheses[at];
      TokenChoice& choice = choices_[step][row_of_[step][at]];
      choice.chosen = h.token;
      written_.choices.push_back(std::move(choice));
      place = h.parent;
    }
    std::reverse(written_.choices.begin(), written_.choices.end());
  }

  Following& model_;
  const WritingTask& task_;
  const WritingSettings& settings_;
  const std::size_t longest_, width_, looked_at_;
  std::vector<Beam> beams_;  // best first
  BeamTree tree_;
  std::vector<std::vector<std::size_t>> row_of_;   // of each hypothesis in the tree: the beam that it goes on from
  std::vector<std::vector<TokenChoice>> choices_;  // of each step, of each beam
  WrittenTexts written_;
};

}  // namespace

WrittenTexts write_beams(Following& model, const WritingTask& task, const WritingSettings& settings) {
  return LibraryBeams(model, task, settings).search();
}

}  // namespace headlight
