#include "widgets/views/experts/experts_canvas.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/text_columns.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

ExpertsCanvas::ExpertsCanvas(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) { announce(); }

void ExpertsCanvas::set_layer(std::shared_ptr<const ExpertLayer> layer, std::vector<AxisLabel> names) {
  layer_ = std::move(layer);
  names_ = std::move(names);
  largest_ = 1;
  largest_logit_ = longest_ = 1e-9;
  if (layer_) {
    names_.resize(layer_->rows.size());
    for (const ExpertRow& row : layer_->rows) {
      for (const double share : row.shares) largest_ = std::max(largest_, share);
      for (const double z : row.logits)
        if (std::isfinite(z)) largest_logit_ = std::max(largest_logit_, std::abs(z));
      for (const double length : row.lengths) longest_ = std::max(longest_, length);
    }
    row_ = std::clamp(row_, 0, count() - 1);
    expert_ = std::clamp(expert_, 0, static_cast<int>(layer_->experts) - 1);
  }
  lay_out();
  announce();
}

void ExpertsCanvas::set_place(int row, int expert) {
  if (!layer_) return;
  const int before = row_;
  if (row >= 0) row_ = std::min(row, count() - 1);
  if (expert >= 0) expert_ = std::min(expert, static_cast<int>(layer_->experts) - 1);
  if (row_ != before) lay_out();
  choice_changed();
}

QSizeF ExpertsCanvas::arrange(QSizeF view) {
  layout_ = {};
  if (!layer_) return {};
  const double scale = theme().font_scale();
  const QFont font = theme().ui_font();
  const QFontMetricsF words(font);
  double widest = widest_label(names_, font);
  for (int line = 0; line < kLines; ++line)
    widest = std::max(widest, text_width(line_name(line), theme().ui_font(type::kSource)));
  ExpertsLayout::Metrics m;
  m.view = view;
  m.rows = count();
  m.experts = static_cast<int>(layer_->experts);
  m.opened = row_;
  m.lines = kLines;
  m.margin = view.width() < 500 * scale ? space::kSmall : space::kMargin;
  m.name = std::ceil(std::min(widest + 12, std::max(60.0, 0.34 * view.width())));
  m.head = std::ceil(words.height() + space::kSmall);
  m.line = std::ceil(words.height() + 4);
  m.least_cell = 6 * scale;
  m.most_cell = 64 * scale;
  m.least_row = std::ceil(words.height() + 2);
  m.most_row = 34 * scale;
  layout_ = ExpertsLayout::of(m);
  return {layout_.width, layout_.height};
}

// --- words. Experts are counted from 1, like everything that people read.

QString ExpertsCanvas::line_name(int line) const {
  switch (line) {
    case kLogits:
      return tr("router logit");
    case kShares:
      return tr("share");
    default:
      return tr("length of its output");
  }
}

QString ExpertsCanvas::sentence() const {
  if (!layer_) return {};
  const ExpertRow& row = at(row_);
  QStringList experts;
  for (std::size_t i = 0; i < row.experts.size(); ++i)
    experts << tr("%1 (share %2)").arg(counted(row.experts[i])).arg(short_number(row.shares[i], 3));
  const QString text = tr("%1 goes to %n of %2 experts: %3.", nullptr, static_cast<int>(row.experts.size()))
                           .arg(in_quotes(nth(names_, row_).words()))
                           .arg(layer_->experts)
                           .arg(experts.join(tr(", ")));
  return row.shared < 0 ? text : text + ' ' + tr("The shared expert has %1.").arg(short_number(row.shared, 3));
}

QString ExpertsCanvas::cell_sentence(int at_row, int expert) const {
  if (!layer_) return {};
  const ExpertRow& row = at(at_row);
  const auto found = std::ranges::find(row.experts, Index{expert});
  const QString logit = short_number(nth(row.logits, expert), 3);
  if (found == row.experts.end()) return tr("Expert %1: logit %2, not chosen.").arg(counted(expert)).arg(logit);
  const auto i = static_cast<std::size_t>(found - row.experts.begin());
  const QString text =
      tr("Expert %1: logit %2, share %3").arg(counted(expert)).arg(logit, short_number(row.shares[i], 3));
  if (i >= row.lengths.size()) return text + '.';
  return tr("%1; its output has the length %2, and adds %3.")
      .arg(text, short_number(row.lengths[i], 3), short_number(row.shares[i] * row.lengths[i], 3));
}

QString ExpertsCanvas::name() const {
  return layer_ ? tr("Experts of layer %1: %2 tokens, %3 experts")
                      .arg(counted(layer_->layer))
                      .arg(layer_->rows.size())
                      .arg(layer_->experts)
                : tr("Experts, none");
}

QString ExpertsCanvas::place_tooltip(const ExpertsHit& place) const {
  if (!layer_ || place.row < 0) return {};
  const QString token = in_quotes(nth(names_, place.row).words());
  return place.expert < 0 ? token : with_colon(token, cell_sentence(place.row, place.expert));
}

// --- mouse and keys

void ExpertsCanvas::choose(int row, int expert) {
  if (!layer_) return;
  const int before = row_;
  row_ = std::clamp(row, 0, count() - 1);
  expert_ = std::clamp(expert, 0, static_cast<int>(layer_->experts) - 1);
  if (row_ != before) lay_out();
  reveal(cursor_rect());
  choice_changed();
  emit moved(row_, expert_);
}

QRectF ExpertsCanvas::cursor_rect() const { return layer_ ? layout_.cell_rect(row_, expert_) : QRectF(); }

bool ExpertsCanvas::go(int right, int down) {
  if (!layer_) return false;
  choose(row_ + down, expert_ + right);
  return true;
}

bool ExpertsCanvas::go_to_other(int by) {
  emit other_layer_wanted(by);
  return layer_ != nullptr;
}

bool ExpertsCanvas::activate() {
  if (layer_) emit opened(row_, expert_);
  return layer_ != nullptr;
}

}  // namespace headlight
