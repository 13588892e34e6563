#include "model/decode/run_beams.h"

#include <optional>
#include <utility>

#include "model/core/random.h"
#include "model/decode/following.h"
#include "model/decode/token_chooser.h"

namespace headlight {

namespace {

// Hypotheses side by side, each decoded by itself: edits are of a single sentence.
class EditedBeam : public Decoding {
 public:
  EditedBeam(std::unique_ptr<Decoding> start, const Pass& edited) : edited_(edited) {
    rows_.push_back(std::move(start));
  }

  Tensor advance(const Tensor& ids, const Pass&) override {
    Tensor all;  // [K x 1 x V]
    const Index count = static_cast<Index>(rows_.size());
    for (Index k = 0; k < count; ++k) {
      const Tensor logits = rows_[static_cast<std::size_t>(k)]->advance(Tensor::full({1, 1}, ids[k]), edited_);
      if (!all.defined()) all = Tensor({count, 1, logits.columns()});
      all.view(k * logits.size(), {logits.size()}).array() = logits.array();
    }
    return all;
  }
  void select(const std::vector<Index>& rows) override {
    std::vector<std::unique_ptr<Decoding>> next;
    for (const Index k : rows) next.push_back(rows_[static_cast<std::size_t>(k)]->clone());
    rows_ = std::move(next);
  }
  Tensor attention() const override {
    Tensor all;  // [K x 1 x S]
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const Tensor one = rows_[k]->attention();
      if (!one.defined()) return {};
      if (!all.defined()) all = Tensor({static_cast<Index>(rows_.size()), 1, one.columns()});
      all.view(static_cast<Index>(k) * one.size(), {one.size()}).array() = one.array();
    }
    return all;
  }

 private:
  const Pass& edited_;
  std::vector<std::unique_ptr<Decoding>> rows_;
};

// The library's beams over a decoding that has just begun.
std::vector<TokenId> library_winner(const Request& request, std::unique_ptr<Decoding> decoding, const Pass& pass,
                                    const std::vector<TokenId>& never, Index steps, Result& result) {
  const TokenChooser chooser(request, result, never, steps);
  WritingTask task;
  task.prompt = chooser.text();
  task.encoder = chooser.read();
  task.most = task.prompt.size() + static_cast<std::size_t>(steps);
  task.cancel = request.cancel;
  FollowingModel following(*request.model->model, std::move(decoding), pass);
  WrittenTexts written = write_beams(following, task, *chooser.settings());
  result.beam = std::move(written.beams);
  if (written.sequences.empty()) throw UsageError("beam search: the model gives no token a probability");
  return std::move(written.sequences.front().ids);
}

}  // namespace

std::vector<TokenId> beam_winner(const Request& request, const Source& source, const std::vector<TokenId>& never,
                                 Index steps, Result& result) {
  const TextRules& rules = request.model->text;
  BeamSettings settings = request.decode.beam;
  settings.max_len = steps;
  Random random(request.seed, Random::Stream::hard_attention);
  std::optional<Recorder> editor;
  if (!request.interventions.empty())
    editor.emplace(Capture{{"input.src.ids"}, false}, request.interventions, request.cancel);
  const Pass pass(editor ? editor->tap() : Tap(), &random);
  std::unique_ptr<Decoding> decoding = request.model->model->begin(source, pass);
  if (editor) decoding = std::make_unique<EditedBeam>(std::move(decoding), pass);
  if (request.decode.generation) return library_winner(request, std::move(decoding), pass, never, steps, result);
  const auto before_step = [&](Index t) {
    request.cancel.check();
    if (request.progress) request.progress(0.8 * static_cast<double>(t) / static_cast<double>(steps));
  };
  auto tree =
      std::make_shared<BeamTree>(beam_search(*decoding, settings, {rules.bos, rules.eos, never}, pass, before_step));
  result.beam = tree;
  return tree->best.at(0).tokens;
}

}  // namespace headlight
