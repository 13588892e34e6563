// Showing and walking the tree; painting is in output_beam_paint.cpp.
#include "widgets/views/output/output_beam_view.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "model/core/errors.h"
#include "model/core/json_library.h"
#include "model/decode/token_chooser.h"
#include "widgets/base/selection.h"
#include "widgets/base/utf8_text.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"
#include "widgets/views/output/output_beam_paint.h"
#include "widgets/views/output/output_layout.h"

namespace headlight {

namespace {

// The steps of a beginning that a person wrote: nothing was tried there, and their probability is not counted.
int steps_given(const BeamTree& tree) {
  const auto searched = std::ranges::find_if(
      tree.steps, [](const BeamStep& step) { return step.hypotheses.size() != 1 || step.hypotheses[0].logp != 0; });
  return static_cast<int>(searched - tree.steps.begin());
}

QString fate_sentence(BeamHypothesis::Fate fate) {
  switch (fate) {
    case BeamHypothesis::Fate::alive:
      return BeamView::tr("It was among the best and went on.");
    case BeamHypothesis::Fate::finished:
      return BeamView::tr("It is finished.");
    case BeamHypothesis::Fate::pruned:
      return BeamView::tr("It was dropped: others were more probable.");
    case BeamHypothesis::Fate::truncated:
      return BeamView::tr("It was cut here: no output may be longer.");
    case BeamHypothesis::Fate::stopped:
      break;
  }
  return BeamView::tr("It could have gone on, but nothing better than the winner could have come of it.");
}

}  // namespace

BeamView::BeamView(const ViewContext& context, QWidget* parent) : PlaceCanvas(Layout::scrolled, context, parent) {
  set_table(&model_);
  connect(selection_, &Selection::changed, viewport(), qOverload<>(&QWidget::update));
  connect(selection_, &Selection::hovered, viewport(), qOverload<>(&QWidget::update));
  announce();
}

void BeamView::forget() { model_.set_result(run() ? run()->result() : nullptr); }

void BeamView::refresh() {
  forget();
  set_hovered({});
  const auto exists = [this](const BeamHit& place) {
    if (!tree()) return false;
    if (place.ended >= 0) return place.ended < static_cast<int>(tree()->best.size());
    return place.step >= 0 && place.step < static_cast<int>(tree()->steps.size()) &&
           place.place < static_cast<int>(nth(tree()->steps, place.step).hypotheses.size());
  };
  if (!exists(cursor_)) cursor_ = {};
  lay_out();
  announce();
}

const BeamHypothesis& BeamView::hypothesis(int step, int place) const {
  return nth(nth(tree()->steps, step).hypotheses, place);
}

BeamHit BeamView::hypothesis_of(const BeamHit& place) const {
  if (place.ended < 0) return place;
  const BeamEnd& end = nth(tree()->best, place.ended);
  return {end.step, end.place, -1};
}

BeamLayout BeamView::layout_for(double width) const {
  if (!tree()) return {};
  BeamLayout::Metrics metrics = beam_metrics();
  metrics.width = width;
  metrics.side = OutputLayout::side_of(width);
  return BeamLayout::of(*tree(), beam_widths(*result()), beam_list_width(*result()), metrics);
}

QSizeF BeamView::arrange(QSizeF view) {
  layout_ = layout_for(view.width());
  return {layout_.width, layout_.height};
}

// The list stays where it is while the tree goes by beneath it.
void BeamView::sight_changed() {
  if (layout_.pinned) layout_.list_left = sight().right() - layout_.list_width;
}

double BeamView::footer() const { return tree() ? beam_caption_height() : 0; }

BeamHit BeamView::place_at(QPointF point) const {
  return viewport_point(point).y() >= viewport()->height() - footer() ? BeamHit{} : layout_.place_at(point);
}

std::vector<int> BeamView::lit_path() const {
  std::vector<int> path(tree()->steps.size(), -1);
  const BeamHit shown = hypothesis_of(hovered() == BeamHit{} ? cursor_ : hovered());
  for (int step = shown.step, place = shown.place; step >= 0; --step) {
    nth(path, step) = place;
    place = hypothesis(step, place).parent;
  }
  return path;
}

QString BeamView::caption() const {
  if (!tree() || tree()->best.empty()) return {};
  const BeamHit asked = hovered() == BeamHit{} ? cursor_ : hovered();
  const bool winner = asked == BeamHit{};
  const BeamHit at = hypothesis_of(winner ? BeamHit{-1, -1, 0} : asked);
  const BeamHypothesis& shown = hypothesis(at.step, at.place);
  const QString text = quoted_text(spelled(*result(), tree()->tokens_of(at.step, at.place)));
  const QString fate = winner ? tr("the winner") : fate_name(shown.fate);
  return tr("%1 – %2, probability %3, log P %4").arg(text, fate, percent(std::exp(shown.logp)), log_text(shown.logp));
}

// "−4.10 = −6.27 / 1.53 − 0.01": what the score is made of.
QString BeamView::score_in_words(const BeamHit& place) const {
  const BeamHypothesis& shown = hypothesis(place.step, place.place);
  BeamSettings settings = result()->decode.beam;
  if (result()->decode.generation) {  // as the library divides
    settings.length_norm = LengthNorm::power;
    settings.alpha = generation_of(*result()->model, result()->decode).value("length_penalty", 1.0);
    settings.beta = 0;
  }
  const int written = place.step + 1 - steps_given(*tree());
  const double length = length_penalty(settings, written);
  const double coverage = coverage_penalty(settings, shown.attention_sums);
  QString text = tr("Score %1: log probability %2").arg(log_text(shown.score), log_text(shown.logp));
  if (settings.length_norm != LengthNorm::none && settings.alpha != 0)
    text += tr(", divided by the length penalty %1 of %2 tokens").arg(short_number(length)).arg(written);
  if (settings.beta > 0)
    text += tr(", coverage penalty %1 for words that were hardly looked at").arg(log_text(coverage));
  return text + '.';
}

// Of what was dropped: the log P that it would have needed.
QString BeamView::cut_in_words(const BeamHit& place) const {
  const BeamHypothesis& shown = hypothesis(place.step, place.place);
  const double least = tree()->cut_below(place.step);
  if (shown.fate != BeamHypothesis::Fate::pruned || !std::isfinite(least)) return {};
  return shown.logp < least
             ? tr("It has log P %1; the last one that went on has %2.").arg(log_text(shown.logp), log_text(least))
             : tr("It ends, and as many others are more probable.");
}

QString BeamView::place_tooltip(const BeamHit& place) const {
  if (!tree() || place == BeamHit{}) return {};
  const BeamHit at = hypothesis_of(place);
  const BeamHypothesis& shown = hypothesis(at.step, at.place);
  const QString text = spelled(*result(), tree()->tokens_of(at.step, at.place));
  QString what = place.ended >= 0
                     ? tr("Output %1 of %2: %3").arg(place.ended + 1).arg(tree()->best.size()).arg(quoted_text(text))
                     : tr("Step %1 adds %2: %3")
                           .arg(counted(at.step), quoted(result()->model->target_vocabulary().text(shown.token)),
                                quoted_text(text));
  if (at.step < steps_given(*tree())) return what + '\n' + tr("You wrote it: the search begins behind it.");
  what += '\n' + fate_sentence(shown.fate);
  if (const QString cut = cut_in_words(at); !cut.isEmpty()) what += ' ' + cut;
  what += '\n' + tr("Its probability is %1: all tokens so far, multiplied.").arg(percent(std::exp(shown.logp)));
  what += '\n' + score_in_words(at);
  if (!text.isEmpty()) what += '\n' + tr("Enter or a double click makes the model write this text.");
  return what;
}

QString BeamView::name() const {
  return tree() ? tr("Beam search. Outputs found: %1; the best is %2")
                      .arg(tree()->best.size())
                      .arg(shown_text(result()->output))
                : tr("Beam search, empty");
}

QString BeamView::description() const {
  return tree() && cursor_ != BeamHit{} ? place_tooltip(cursor_) : tr("Nothing selected. Arrow keys walk the tree.");
}

QString BeamView::empty_text() const {
  return tree() ? QString() : tr("Choose beam search above: the tree of what the model tried appears here.");
}

void BeamView::move_cursor(const BeamHit& place) {
  if (!tree() || place == BeamHit{}) return;
  cursor_ = place;
  set_hovered({});
  const BeamHit at = hypothesis_of(place);
  if (at.step < static_cast<int>(result()->steps.size())) {
    SelectionState state;
    state.source_token = selection_->state().source_token;
    state.step = at.step;
    selection_->set(state);
  }
  reveal(place);
  choice_changed();
}

void BeamView::reveal(const BeamHit& place) {
  QRectF rect = place.ended >= 0 ? layout_.list_row(place.ended) : layout_.box(place.step, place.place);
  // The list stands over the right end of what is seen, and stays there.
  if (layout_.pinned) rect.setWidth(place.ended >= 0 ? 0 : rect.width() + layout_.list_width);
  Canvas::reveal(rect);
}

void BeamView::force(const BeamHit& place) {
  if (!tree() || place == BeamHit{}) return;
  const BeamHit at = hypothesis_of(place);
  const QString text = spelled(*result(), tree()->tokens_of(at.step, at.place));
  if (!text.isEmpty()) emit requests_->target(text);
}

void BeamView::hover_changed() {
  const BeamHit at = tree() ? hypothesis_of(hovered()) : BeamHit{};
  selection_->hover(std::nullopt, unless_none(at.step));
}

// Where an arrow key leads from the cursor.
BeamHit BeamView::towards(int right, int down) const {
  const int outputs = static_cast<int>(tree()->best.size());
  const BeamHit at =
      cursor_ == BeamHit{} ? BeamHit{0, layout_.winner.empty() ? 0 : layout_.winner.front(), -1} : cursor_;
  if (cursor_ == BeamHit{}) return at;
  if (at.ended >= 0) {
    if (down != 0) return {-1, -1, std::clamp(at.ended + down, 0, outputs - 1)};
    return right < 0 ? hypothesis_of(at) : at;
  }
  const auto step = static_cast<std::size_t>(at.step);
  if (down != 0) {
    const auto& order = layout_.order[step];
    const int row = nth(layout_.row_of[step], at.place), sign = down < 0 ? -1 : 1;
    for (int far = std::abs(down); far > 0; --far) {  // not every row of a step has a hypothesis
      const int next = row + sign * far;
      if (next >= 0 && next < static_cast<int>(order.size()) && nth(order, next) >= 0)
        return {at.step, nth(order, next), -1};
    }
    return at;
  }
  if (right < 0) return at.step == 0 ? at : BeamHit{at.step - 1, hypothesis(at.step, at.place).parent, -1};
  for (int i = 0; i < outputs; ++i)
    if (hypothesis_of({-1, -1, i}) == at) return {-1, -1, i};
  if (step + 1 < layout_.order.size())
    for (const int child : layout_.order[step + 1])
      if (child >= 0 && hypothesis(at.step + 1, child).parent == at.place) return {at.step + 1, child, -1};
  return at;
}

QRectF BeamView::cursor_rect() const {
  if (cursor_.ended >= 0) return layout_.list_row(cursor_.ended);
  if (cursor_.step >= 0) return layout_.box(cursor_.step, cursor_.place);
  if (!tree() || layout_.order.empty()) return {};
  const auto first = std::ranges::find_if(layout_.order.front(), [](int place) { return place >= 0; });
  return first == layout_.order.front().end() ? QRectF() : layout_.box(0, *first);
}

bool BeamView::go(int right, int down) {
  if (!tree()) return false;
  const std::vector<int>& winner = layout_.winner;
  if (std::abs(right) != kEnd)
    move_cursor(towards(right, down));
  else if (!winner.empty())
    move_cursor(right < 0 ? BeamHit{0, winner.front(), -1}
                          : BeamHit{static_cast<int>(winner.size()) - 1, winner.back(), -1});
  return true;
}

bool BeamView::activate() {
  force(cursor_);
  return cursor_ != BeamHit{};
}

Figure BeamView::drawn() {
  if (!tree()) throw UsageError(bytes_of(empty_text()));
  BeamLayout layout = layout_for(viewport()->width());
  layout.list_left = layout.tree_width;
  const double height = std::ceil(layout.height) + beam_caption_height();
  const QSize size(static_cast<int>(std::ceil(layout.tree_width + layout.list_width)), static_cast<int>(height));
  const auto picture = [=, this](QPainter& painter) {
    paint(painter, layout, QRectF(0, 0, layout.width, layout.height), false);
    paint_caption(painter, QRectF(0, height - beam_caption_height(), size.width(), beam_caption_height()));
  };
  return {size, picture, {}, nullptr};
}

}  // namespace headlight
