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

// The model reads what is given, but for its last token.
void read_beginning(Decoding& decoding, const GivenBeginning& given, const Pass& pass) {
  TokenId last = given.start;
  for (const TokenId next : given.tokens) {
    decoding.advance(Tensor::full({1, 1}, static_cast<Scalar>(last)), pass);
    last = next;
  }
}

// With the beginning in front, where nothing was tried.
BeamTree behind(const std::vector<TokenId>& beginning, BeamTree tree) {
  if (beginning.empty()) return tree;
  if (!tree.steps.empty())
    for (BeamHypothesis& first : tree.steps.front().hypotheses) first.parent = 0;
  std::vector<BeamStep> given(beginning.size());
  for (std::size_t i = 0; i < given.size(); ++i) {
    BeamHypothesis& only = given[i].hypotheses.emplace_back();
    only.fate = BeamHypothesis::Fate::alive;
    only.token = beginning[i];
    only.parent = i == 0 ? -1 : 0;
  }
  tree.steps.insert(tree.steps.begin(), given.begin(), given.end());
  for (BeamEnd& end : tree.best) {
    end.step += static_cast<int>(beginning.size());
    end.tokens.insert(end.tokens.begin(), beginning.begin(), beginning.end());
  }
  return tree;
}

// The library's beams over a decoding that has read the beginning.
std::vector<TokenId> library_winner(const Request& request, std::unique_ptr<Decoding> decoding, const Pass& pass,
                                    const GivenBeginning& given, const TokenChooser& chooser, Index steps,
                                    Result& result) {
  WritingTask task;
  task.prompt = chooser.text();
  task.most = task.prompt.size() + static_cast<std::size_t>(steps);
  const bool decodes_only = request.model->model->traits().kind == ModelTraits::Kind::decoder_only;
  if (!decodes_only) task.prompt = {given.start};
  task.prompt.insert(task.prompt.end(), given.tokens.begin(), given.tokens.end());
  task.encoder = decodes_only ? task.prompt : chooser.read();
  task.cancel = request.cancel;
  FollowingModel following(*request.model->model, std::move(decoding), pass);
  WrittenTexts written = write_beams(following, task, *chooser.settings());
  if (written.sequences.empty()) throw UsageError("beam search: the model gives no token a probability");
  result.beam = std::make_shared<const BeamTree>(behind(given.tokens, *written.beams));
  std::vector<TokenId> ids = given.tokens;
  const std::vector<TokenId>& best = written.sequences.front().ids;
  ids.insert(ids.end(), best.begin(), best.end());
  return ids;
}

// Whether there is room behind the beginning.
bool goes_on(const TokenChooser& chooser, const GivenBeginning& given, Index steps) {
  const std::optional<WritingSettings>& settings = chooser.settings();
  const bool counted = settings && !settings->max_new_tokens && settings->max_length;
  return static_cast<Index>(given.tokens.size()) < steps &&
         !(counted && !given.tokens.empty() && *settings->max_length <= chooser.text().size() + given.tokens.size());
}

}  // namespace

std::vector<TokenId> beam_winner(const Request& request, const Source& source, const GivenBeginning& given,
                                 const std::vector<TokenId>& never, Index steps, Result& result) {
  const TextRules& rules = request.model->text;
  const TokenChooser chooser(request, result, never, steps);
  if (!goes_on(chooser, given, steps)) return given.tokens;
  BeamSettings settings = request.decode.beam;
  settings.max_len = steps - static_cast<Index>(given.tokens.size());
  Random random(request.seed, Random::Stream::hard_attention);
  std::optional<Recorder> editor;
  if (!request.interventions.empty())
    editor.emplace(Capture{{"input.src.ids"}, false}, request.interventions, request.cancel);
  const Pass pass(editor ? editor->tap() : Tap(), &random);
  std::unique_ptr<Decoding> decoding = request.model->model->begin(source, pass);
  if (editor) decoding = std::make_unique<EditedBeam>(std::move(decoding), pass);
  read_beginning(*decoding, given, pass);
  if (request.decode.generation)
    return library_winner(request, std::move(decoding), pass, given, chooser, steps, result);
  const auto before_step = [&](Index t) {
    request.cancel.check();
    if (request.progress) request.progress(0.8 * static_cast<double>(t) / static_cast<double>(steps));
  };
  const TokenId last = given.tokens.empty() ? given.start : given.tokens.back();
  result.beam = std::make_shared<const BeamTree>(
      behind(given.tokens, beam_search(*decoding, settings, {last, rules.eos, never}, pass, before_step)));
  return result.beam->best.at(0).tokens;
}

}  // namespace headlight
