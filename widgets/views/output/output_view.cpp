// The output of a run, and what else could have been written.
#include "widgets/views/output/output_view.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"
#include "widgets/text/vector_words.h"

namespace headlight {
namespace {

QFont number_font(double zoom = 1) { return theme().ui_font(type::kHead * zoom); }
QFont caption_font() { return theme().ui_font(type::kHead); }
// A line under the candidates says what their numbers are and that they can be clicked, where there is room for it.
double caption_height() { return std::ceil(QFontMetricsF(caption_font()).height() + 8); }

// Longer tokens than this many digits are elided; their full text is in the tooltip.
constexpr int kLongestToken = 14;

double width_of(const QString& token, const QFont& font) {
  return std::min(text_width(token, font), kLongestToken * text_width(QStringLiteral("0"), font));
}

QFont written_font(const TokenText& token, double zoom = 1) {
  QFont font = font_of(token, 1.35 * zoom);
  font.setWeight((!token.stand_in && !token.special) ? QFont::DemiBold : QFont::Normal);
  font.setItalic(token.special);
  return font;
}

QFont candidate_font(const TokenText& token, bool written, double zoom = 1) {
  QFont font = font_of(token, zoom);
  font.setWeight((written && !token.stand_in) ? QFont::DemiBold : QFont::Normal);
  font.setItalic(token.special);
  return font;
}

// What every candidate of a step needs for its token, and for its number with (wide) or without the percent sign.
struct ColumnNeeds {
  double token = 0, number = 0, wide_number = 0, written = 0;
  // Token and number never touch; single characters need less between them than words.
  double gap() const { return std::ceil(std::min(text_width(QStringLiteral("0"), number_font()), token / 3)); }
  double inset() const { return std::clamp(token / 8, 1.5, 4.0); }  // on either side
  double narrow() const { return token + gap() + number + 2 * inset(); }
  double wide() const { return token + gap() + wide_number + 2 * inset(); }
};

ColumnNeeds needs_of(const OutputStep& step, int candidates) {
  ColumnNeeds needs;
  const QFont numbers = number_font();
  const TokenText written = token_text(step.text);
  needs.written = width_of(written.text, written_font(written));
  for (int rank = 0; rank < std::min(candidates, static_cast<int>(step.top.size())); ++rank) {
    const Candidate& candidate = nth(step.top, rank);
    const TokenText token = token_text(candidate.text);
    needs.token = std::max(needs.token, width_of(token.text, candidate_font(token, candidate.id == step.id)));
    needs.number = std::max(needs.number, text_width(bare_percent(candidate.probability), numbers));
    needs.wide_number = std::max(needs.wide_number, text_width(percent(candidate.probability), numbers));
  }
  return needs;
}

constexpr double kChipInset = 6;  // of the text in a written token
constexpr int kFewestCandidates = 5;
constexpr double kLeastOnWall = 0.01;  // of a candidate that is shown there
constexpr double kDrawBar = 7;
// A bar, and a line that says how many tokens it is of.
double draw_height(double zoom) { return kDrawBar + std::ceil(QFontMetricsF(number_font(zoom)).height()); }

OutputLayout::Metrics metrics_for(QSizeF size, double zoom) {
  const QFontMetricsF token(theme().token_font(type::kTitle * zoom)), large(theme().token_font(type::kQuestion * zoom));
  OutputLayout::Metrics metrics;
  metrics.zoom = zoom;
  metrics.width = size.width();
  metrics.side = OutputLayout::side_of(size.width());
  metrics.height = std::max(0.0, size.height() - caption_height());
  metrics.chip_height = std::ceil(large.height() + 8);
  metrics.candidate_height = std::ceil(token.height() + 9);
  metrics.largest_candidate = std::ceil(2.2 * token.height());
  metrics.number_line = std::ceil(QFontMetricsF(number_font(zoom)).height() + 2);
  metrics.smallest_column = std::ceil(2.5 * token.horizontalAdvance('0'));
  metrics.largest_column *= theme().font_scale() * zoom;
  return metrics;
}

}  // namespace

OutputView::OutputView(Selection* selection, QWidget* parent)
    : PlaceCanvas(Layout::scrolled, parent), selection_(selection) {
  connect(selection_, &Selection::changed, this, [this](const SelectionState& state) {
    if (!state.step || *state.step >= layout_.steps)
      cursor_ = {};
    else if (cursor_.step != *state.step)
      reveal(cursor_ = {*state.step, -1});
    choice_changed();
  });
  connect(selection_, &Selection::hovered, this, [this] { viewport()->update(); });
  announce();
}

void OutputView::set_result(std::shared_ptr<const Result> result) {
  model_.set_result(std::move(result));
  draws_.clear();
  lay_out();
  const auto step = selection_->state().step;
  if (cursor_.step >= layout_.steps || !step) cursor_ = {};
  announce();
}

void OutputView::set_visible_steps(int count) {
  visible_steps_ = count;
  viewport()->update();
}

struct OutputView::Needs {
  std::shared_ptr<const Result> result;
  int candidates = -1;
  double font_scale = 0;
  std::vector<ColumnNeeds> columns;
};

OutputView::~OutputView() = default;

const OutputView::Needs& OutputView::needs(int candidates) const {
  const double font_scale = theme().font_scale();
  if (!needs_ || needs_->result.get() != model_.result() || needs_->candidates != candidates ||
      needs_->font_scale != font_scale) {
    needs_ = std::make_unique<Needs>(Needs{model_.shared_result(), candidates, font_scale, {}});
    for (const OutputStep& step : model_.result()->steps) needs_->columns.push_back(needs_of(step, candidates));
  }
  return *needs_;
}

OutputLayout OutputView::layout_for(QSizeF size) const {
  // Where there is more room than the picture needs, its type grows, and its cells with it.
  for (const double zoom : {1.6, 1.45, 1.3, 1.15}) {
    const OutputLayout large = layout_at(size, zoom);
    if (large.candidates == most_candidates() && large.width <= size.width() && large.height <= large.metrics.height)
      return large;
  }
  return layout_at(size, 1);
}

int OutputView::most_candidates() const {
  // A wall has no room for what next to nothing spoke for.
  const double least = theme().mode() == Theme::Mode::projector ? kLeastOnWall : 0;
  int candidates = 0;
  for (const OutputStep& step : model_.result() ? model_.result()->steps : std::vector<OutputStep>())
    candidates = std::max(candidates, static_cast<int>(std::ranges::count_if(step.top, [&](const Candidate& each) {
                            return each.id == step.id || each.probability >= least;
                          })));
  return std::min(candidates, OutputModel::kCandidates);
}

OutputLayout OutputView::layout_at(QSizeF size, double zoom) const {
  std::vector<double> widths;
  OutputLayout::Metrics metrics = metrics_for(size, zoom);
  const Result* result = model_.result();
  if (!result) return OutputLayout::of(widths, 0, metrics);
  if (!result->steps.empty() && draw_at(static_cast<int>(result->steps.size()) - 1))
    metrics.draw_height = draw_height(zoom);
  const int candidates = OutputLayout::fitting(most_candidates(), kFewestCandidates, metrics);
  for (const ColumnNeeds& column : needs(candidates).columns)
    widths.push_back(std::max(column.narrow(), column.written + 2 * kChipInset) * zoom);
  return OutputLayout::of(widths, candidates, metrics);
}

QSizeF OutputView::arrange(QSizeF view) {
  layout_ = layout_for(view);
  return {layout_.width, layout_.height};
}

const OutputStep* OutputView::step_at(int step) const {
  const Result* result = model_.result();
  return result && step >= 0 && step < static_cast<int>(result->steps.size()) ? &nth(result->steps, step) : nullptr;
}

const std::optional<OutputDraw>& OutputView::draw_at(int step) const {
  const auto known = draws_.find(step);
  return known != draws_.end() ? known->second : draws_[step] = output_draw(*model_.result(), step);
}

void OutputView::select_step(int step) {
  if (selection_->state().step == step) return;
  SelectionState state;
  state.source_token = selection_->state().source_token;
  state.step = step;
  selection_->set(state);
}

void OutputView::move_cursor(OutputHit place) {
  if (layout_.steps == 0) return;
  place.step = std::clamp(place.step, 0, layout_.steps - 1);
  place.rank = std::clamp(place.rank, -1, layout_.candidates - 1);
  cursor_ = place;
  select_step(place.step);
  reveal(place);
  choice_changed();
}

void OutputView::reveal(const OutputHit& place) {
  Canvas::reveal(place.rank < 0 ? layout_.chip_rect(place.step) : layout_.candidate_rect(place.step, place.rank));
}

QString OutputView::place_tooltip(const OutputHit& place) const {
  const OutputStep* step = step_at(place.step);
  if (!step) return {};
  if (!is_visible(place.step)) return tr("Step %1 has not been computed yet.").arg(counted(place.step));
  if (place.rank < 0) {
    QString text = tr("Step %1 wrote %2 with probability %3.\nThe stronger the colour, the surer the model was. "
                      "Below it are the most probable tokens of this step.")
                       .arg(counted(place.step), quoted(step->text), percent(step->probability));
    if (const auto& draw = draw_at(place.step))
      text += '\n' + tr("Tokens it could be drawn from: %1. They stand side by side in the bar, each as wide as its "
                        "probability; the number %2 fell on this one, which has %3 of it.")
                         .arg(draw->kept)
                         .arg(short_number(draw->u))
                         .arg(percent(draw->share));
    return text;
  }
  if (place.rank >= static_cast<int>(step->top.size())) return {};
  const Candidate& candidate = nth(step->top, place.rank);
  const QString what =
      tr("Choice %1 of step %2: %3, probability %4.")
          .arg(counted(place.rank), counted(place.step), quoted(candidate.text), percent(candidate.probability));
  return candidate.id == step->id ? what + '\n' + tr("This one was written.")
                                  : what + '\n' +
                                        tr("Click to write this token instead: the model goes on from there. "
                                           "Right-click to keep the rest as it was.");
}

QString OutputView::name() const {
  const Result* result = model_.result();
  return result ? tr("Output: %1").arg(shown_text(result->output)) : tr("Output, empty");
}

QString OutputView::description() const {
  return cursor_.step >= 0 ? place_tooltip(cursor_) : tr("No step selected. Arrow keys choose one.");
}

void OutputView::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  paint(painter, layout_, sight, marks);
}

void OutputView::paint(QPainter& painter, const OutputLayout& layout, const QRectF& sight, bool marks) const {
  painter.setRenderHint(QPainter::Antialiasing);
  if (layout.steps == 0) {
    QString text = tr("What the model writes appears here, with the most probable tokens of each step.");
    if (const Result* result = model_.result(); result && !result->vectors.empty())
      text = vectors_summary(*result) + QLatin1Char('\n') + first_numbers(result->vectors.front(), 12);
    return write(painter, sight.adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, text, theme().ui_font(),
                 theme().muted_text());
  }
  if (marks) paint_marks(painter, layout);
  const std::vector<ColumnNeeds>& columns = needs(layout.candidates).columns;
  bool wide = true;  // in all columns or in none
  for (int step = 0; step < layout.steps; ++step)
    wide = wide && nth(columns, step).wide() * layout.metrics.zoom <= layout.column_rect(step).width();
  for (int step = 0; step < layout.steps; ++step) {
    if (const QRectF column = layout.column_rect(step); column.right() < sight.left() || column.left() > sight.right())
      continue;
    paint_written(painter, layout, step);
    if (!is_visible(step)) continue;
    const OutputStep& shown = *step_at(step);
    if (layout.metrics.draw_height > 0 && draw_at(step))
      paint_draw(painter, layout.draw_rect(step), *draw_at(step), layout.metrics.zoom);
    const double inset = nth(columns, step).inset();
    for (int rank = 0; rank < std::min(layout.candidates, static_cast<int>(shown.top.size())); ++rank)
      paint_candidate(painter, layout.candidate_rect(step, rank).adjusted(inset, 0, -inset, 0), shown, rank,
                      {wide, layout.metrics.zoom});
  }
  if (marks && layout.candidates > 0) paint_caption(painter, layout, sight);
  if (marks && cursor_.step >= 0 && cursor_.rank >= 0) {
    draw_box(painter, layout.candidate_rect(cursor_.step, cursor_.rank).adjusted(0.5, 0.5, -0.5, -0.5), 4,
             QPen(theme().accent(), 1.2));
  }
}

void OutputView::paint_caption(QPainter& painter, const OutputLayout& layout, const QRectF& sight) const {
  const double room = sight.height() - layout.height;
  if (room < caption_height() - 1) return;
  write_line(
      painter,
      {layout.metrics.side + sight.left(), layout.height, sight.width() - 2 * layout.metrics.side, caption_height()},
      kLeft, tr("Probabilities in percent. Click a token to write it instead."), caption_font(), theme().muted_text());
}

void OutputView::paint_marks(QPainter& painter, const OutputLayout& layout) const {
  const auto mark = [&](int step, const QColor& colour, double width, float fill) {
    if (step < 0 || step >= layout.steps) return;
    QColor inside = colour;
    inside.setAlphaF(fill);
    draw_box(painter, layout.column_rect(step).adjusted(-1.5, -1.5, 1.5, 1.5), 5, QPen(colour, width), inside);
  };
  mark(selection_->state().step.value_or(-1), theme().accent(), 1.4, 0.07f);
  mark(selection_->hovered_step().value_or(-1), theme().hover(), 1.2, 0.09f);
}

void OutputView::paint_written(QPainter& painter, const OutputLayout& layout, int step) const {
  const OutputStep& shown = *step_at(step);
  const double zoom = layout.metrics.zoom;
  write(painter, layout.number_rect(step), kCentre, counted(step), number_font(zoom), theme().muted_text());
  const QRectF chip = layout.chip_rect(step).adjusted(1.5, 1.5, -1.5, -1.5);
  if (!is_visible(step)) {
    draw_box(painter, chip, 5, QPen(theme().grid(), 1, Qt::DashLine));
    return;
  }
  const QColor fill = theme().weight(shown.probability);
  draw_box(painter, chip, 5, QPen(theme().grid(), 1), fill);
  const TokenText token = token_text(shown.text);
  const QFont font = written_font(token, zoom);
  painter.setFont(font);
  painter.setPen(Theme::readable_on(fill));
  draw_text(painter, chip, kCentre, elided_text(token.text, font, Qt::ElideMiddle, chip.width() - kChipInset));
}

void OutputView::paint_draw(QPainter& painter, const QRectF& rect, const OutputDraw& draw, double zoom) const {
  const QRectF bar(rect.left() + 2, rect.top(), rect.width() - 4, kDrawBar);
  painter.setPen(Qt::NoPen);
  bool odd = false;
  for (const OutputDraw::Part& part : draw.parts) {
    odd = !odd;
    painter.setBrush(theme().weight(part.written ? 0.72 : odd ? 0.22 : 0.34));
    painter.drawRect(QRectF(bar.left() + part.from * bar.width(), bar.top(),
                            std::max(0.75, (part.to - part.from) * bar.width()), bar.height()));
  }
  const double x = bar.left() + draw.u * bar.width();
  draw_line(painter, QPointF(x, bar.top() - 2), QPointF(x, bar.bottom() + 1), QPen(theme().text(), 2));
  write_line(painter, {rect.left(), bar.bottom(), rect.width(), rect.height() - kDrawBar}, kCentre,
             tr("of %1").arg(draw.kept), number_font(zoom), theme().muted_text());
}

void OutputView::paint_candidate(QPainter& painter, const QRectF& rect, const OutputStep& step, int rank,
                                 CandidateLook look) const {
  const Candidate& candidate = nth(step.top, rank);
  const bool written = candidate.id == step.id;
  const double share = std::isnan(candidate.probability) ? 0 : std::clamp(candidate.probability, 0.0, 1.0);
  constexpr double kBar = 4;
  const QRectF track(rect.left(), rect.bottom() - kBar - 2, rect.width(), kBar);
  draw_box(painter, track, 2, Qt::NoPen, theme().grid());
  if (share > 0) {
    painter.setBrush(theme().weight(written ? 0.72 : 0.5));
    painter.drawRoundedRect(QRectF(track.topLeft(), QSizeF(std::max(2.0, track.width() * share), kBar)), 2, 2);
  }
  const QRectF line = rect.adjusted(0, 1, 0, -(kBar + 3));
  const QString number = look.percent_signs ? percent(candidate.probability) : bare_percent(candidate.probability);
  const QFont numbers = number_font(look.zoom);
  write(painter, line, kRight, number, numbers, theme().muted_text());
  const TokenText token = token_text(candidate.text);
  const double taken = std::floor(text_width(number, numbers) + 2);
  const bool faint = token.stand_in || token.special || (!written && share < 0.001);
  write_line(painter, line.adjusted(0, 0, -taken, 0), kLeft, token.text, candidate_font(token, written, look.zoom),
             faint ? theme().muted_text() : theme().text(), Qt::ElideMiddle);
}

void OutputView::hover_changed() {
  const int step = hovered().step;
  selection_->hover(std::nullopt, unless_none(step));
}

void OutputView::press_place(const OutputHit& place) {
  if (!is_visible(place.step)) return;
  move_cursor(place);
  activate();
}

QRectF OutputView::cursor_rect() const {
  if (layout_.steps == 0) return {};
  const int step = std::max(0, cursor_.step);
  return cursor_.rank < 0 ? layout_.chip_rect(step) : layout_.candidate_rect(step, cursor_.rank);
}

bool OutputView::go(int right, int down) {
  if (cursor_.step < 0)
    move_cursor({std::abs(right) == kEnd ? right : 0, -1});
  else
    move_cursor({cursor_.step + right, cursor_.rank + down});
  return true;
}

bool OutputView::activate() {
  const OutputStep* step = step_at(cursor_.step);
  if (!step || !is_visible(cursor_.step)) return false;
  if (cursor_.rank >= 0 && cursor_.rank < static_cast<int>(step->top.size()))
    emit candidateActivated(cursor_.step, static_cast<int>(nth(step->top, cursor_.rank).id));
  return true;
}

bool OutputView::menu(std::optional<QPointF> point, const QPoint& global) {
  const OutputHit place = point ? place_at(*point) : cursor_;
  const OutputStep* step = step_at(place.step);
  if (!step || !is_visible(place.step) || place.rank < 0 || place.rank >= static_cast<int>(step->top.size()))
    return false;
  move_cursor(place);
  const QPointF centre = viewport_point(layout_.candidate_rect(place.step, place.rank).center());
  emit menuRequested(place.step, static_cast<int>(nth(step->top, place.rank).id),
                     point ? global : viewport()->mapToGlobal(centre.toPoint()));
  return true;
}

Figure OutputView::figure() const {
  const OutputLayout layout = layout_for(QSizeF(viewport()->size()).expandedTo({320, 200}));
  const QSize size(static_cast<int>(std::ceil(layout.width)), static_cast<int>(std::ceil(layout.height)));
  return {size, [=, this](QPainter& painter) { paint(painter, layout, QRectF(QPointF(), size), true); },
          accessibleName(), &model_};
}

}  // namespace headlight
