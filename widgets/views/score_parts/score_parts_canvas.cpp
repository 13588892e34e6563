#include "widgets/views/score_parts/score_parts_canvas.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/canvas/text_columns.h"
#include "widgets/matrix/cells.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

int ScorePartsCanvas::part_of(int map) {
  constexpr int kParts[] = {ScoreSplit::token_token,    ScoreSplit::token_position,    ScoreSplit::rest,
                            ScoreSplit::position_token, ScoreSplit::position_position, -1};
  return nth(kParts, map);
}

double SplitHead::value(int map, int row, int column) const {
  const int part = ScorePartsCanvas::part_of(map);
  const Tensor& values = part < 0 ? split.scores : nth(split.parts, part);
  return static_cast<double>(values[Index{row} * values.columns() + column]);
}

ScorePartsCanvas::ScorePartsCanvas(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) { announce(); }

void ScorePartsCanvas::set_head(std::shared_ptr<const SplitHead> head) {
  head_ = std::move(head);
  pictures_.clear();
  largest_ = 0;
  for (int map = 0; head_ && map < ScorePartsLayout::kMaps; ++map)
    for (int row = 0; row < head_->row_count() && shows(map); ++row)
      for (int column = 0; column < head_->column_count(); ++column)
        if (!head_->is_hidden(row, column)) largest_ = std::max(largest_, std::abs(head_->value(map, row, column)));
  row_ = std::clamp(row_, 0, std::max(0, head_ ? head_->row_count() - 1 : 0));
  column_ = std::clamp(column_, 0, std::max(0, head_ ? head_->column_count() - 1 : 0));
  lay_out();
  announce();
}

void ScorePartsCanvas::set_place(int row, int column) {
  if (!head_) return;
  if (row >= 0) row_ = std::min(row, head_->row_count() - 1);
  if (column >= 0) column_ = std::min(column, head_->column_count() - 1);
  choice_changed();
}

QSizeF ScorePartsCanvas::arrange(QSizeF view) {
  layout_ = {};
  if (!head_) return {};
  const double scale = theme().font_scale();
  const QFont font = theme().ui_font(type::kSource);
  ScorePartsLayout::Metrics m;
  m.view = view;
  m.rows = head_->row_count();
  m.columns = head_->column_count();
  m.margin = view.width() < 500 * scale ? space::kSmall : space::kMargin;
  m.title = std::ceil(QFontMetricsF(font).height() + space::kTight);
  m.name = std::ceil(std::min(widest_label(head_->rows, theme().ui_font(type::kHead)) + 6, 0.12 * view.width()));
  m.least_cell = 3 * scale;
  m.most_cell = 100 * scale;
  for (int pass = 0; pass < 3; ++pass) {  // names that are turned leave less height, so that cells are less wide
    layout_ = ScorePartsLayout::of(m);
    head_names_ = ColumnHead::of(columns_of(0), head_->columns, 1, 72 * scale);
    m.head = std::max(m.head, head_names_.height);
  }
  layout_ = ScorePartsLayout::of(m);
  return {layout_.width, layout_.height};
}

TextColumns ScorePartsCanvas::columns_of(int map) const {
  const QRectF at = layout_.map(map);
  const std::vector<double> shares(head_->columns.size(), 1.0);
  return TextColumns::of(shares, at.left(), at.right(), layout_.cell.width(), layout_.cell.width());
}

void ScorePartsCanvas::forget() { pictures_.clear(); }

const QImage& ScorePartsCanvas::picture(int map) const {
  pictures_.resize(ScorePartsLayout::kMaps);
  QImage& image = nth(pictures_, map);
  if (image.isNull())
    image = cell_picture(
        head_->column_count(), head_->row_count(), CellScale::around_zero(std::max(1e-9, largest_)),
        [&](int column, int row) { return head_->is_hidden(row, column) ? 0.0 : head_->value(map, row, column); });
  return image;
}

void ScorePartsCanvas::paint(QPainter& painter, const QRectF&, bool marks) const {
  if (!head_) return;
  const Tokens& t = tokens();
  const QFont font = theme().ui_font(type::kSource);
  for (int map = 0; map < ScorePartsLayout::kMaps; ++map) {
    if (!shows(map)) continue;
    const bool sum = map == kSum;
    write_line(painter, layout_.title(map), kLeft, sum ? tr("= %1").arg(part_name(map)) : part_name(map),
               sum ? bold_font(type::kSource) : font, sum ? t.ink : t.ink2);
    paint_map(painter, map);
    painter.setRenderHint(QPainter::Antialiasing);
    paint_names(painter, map, marks);
    draw_box(painter, layout_.map(map), 0, QPen(t.line, theme().line(1)));
    if (marks) draw_ring(painter, layout_.cell_rect(map, row_, column_), t.accent);
  }
}

// Of the columns over the upper maps, of the rows beside the left ones: each where it has room beside the one before,
// and the chosen one.
void ScorePartsCanvas::paint_names(QPainter& painter, int map, bool marks) const {
  const Tokens& t = tokens();
  if (layout_.is_upper(map))
    head_names_.paint(painter, columns_of(map), head_->columns, layout_.head_top(map), marks ? column_ : -1, -1,
                      layout_.width);
  if (!layout_.is_left(map)) return;
  const QFont font = theme().ui_font(type::kHead);
  const double line = QFontMetricsF(font).ascent();
  const QRectF chosen = layout_.row_name(map, row_);
  double free_from = -1e9;
  for (int row = 0; row < head_->row_count(); ++row) {
    const bool here = marks && row == row_;
    const QRectF at = layout_.row_name(map, row);
    if (!here && at.center().y() - line / 2 < free_from) continue;
    if (!here && marks && std::abs(at.center().y() - chosen.center().y()) < line) continue;
    free_from = at.center().y() + line / 2;
    write_line(painter, at.adjusted(0, -line, 0, line), kRight, nth(head_->rows, row).text, font,
               here ? t.accent : t.ink2);
  }
}

// Tiles with numbers where these have room, else a picture of cells.
void ScorePartsCanvas::paint_map(QPainter& painter, int map) const {
  const double room = layout_.cell.width();
  const QFontMetricsF number(theme().ui_font(type::kHead));
  if (layout_.cell.height() < number.height() ||
      room < number.horizontalAdvance(QStringLiteral("−.00")) + space::kSmall)
    return paint_cells(painter, layout_.map(map), picture(map));
  const CellScale scale = CellScale::around_zero(std::max(1e-9, largest_));
  painter.fillRect(layout_.map(map), scale.colour(0));
  for (int row = 0; row < head_->row_count(); ++row)
    for (int column = 0; column < head_->column_count(); ++column)
      if (const double value = head_->value(map, row, column); !head_->is_hidden(row, column))
        draw_tile(painter, layout_.cell_rect(map, row, column), scale.colour(value), fitting_signed(value, room));
}

// --- words

QString ScorePartsCanvas::part_name(int map) {
  switch (part_of(map)) {
    case ScoreSplit::token_token:
      return tr("token · token");
    case ScoreSplit::token_position:
      return tr("token · position");
    case ScoreSplit::position_token:
      return tr("position · token");
    case ScoreSplit::position_position:
      return tr("position · position");
    case ScoreSplit::rest:
      return tr("rest");
    default:
      return tr("score");
  }
}

QString ScorePartsCanvas::part_help(int map) {
  switch (part_of(map)) {
    case ScoreSplit::token_token:
      return tr("What the two tokens say to each other, wherever they stand.");
    case ScoreSplit::token_position:
      return tr("What the token of the query says to the place of the key: “this word looks there”.");
    case ScoreSplit::position_token:
      return tr("What the place of the query says to the token of the key: “from here, that word”.");
    case ScoreSplit::position_position:
      return tr("What the two places say to each other, whatever stands there.");
    case ScoreSplit::rest:
      return tr("What biases of the projections and norms and the kinds of sentences add.");
    default:
      return tr("The sum of the others: what the softmax reads.");
  }
}

QString ScorePartsCanvas::sentence() const {
  if (!head_ || head_->rows.empty() || head_->columns.empty()) return {};
  const QString pair =
      tr("%1 looks at %2")
          .arg(in_quotes(nth(head_->rows, row_).words()), in_quotes(nth(head_->columns, column_).words()));
  if (head_->is_hidden(row_, column_)) return tr("%1: it may not.").arg(pair);
  QStringList terms;
  for (int map = 0; map < kSum; ++map)
    if (shows(map)) terms << tr("%1 (%2)").arg(plain_number(head_->value(map, row_, column_)), part_name(map));
  return tr("%1: score %2 = %3.")
      .arg(pair, plain_number(head_->value(kSum, row_, column_)), terms.join(QStringLiteral(" + ")));
}

QString ScorePartsCanvas::name() const {
  return head_ ? tr("Scores split into tokens and positions, %1 queries over %2 keys")
                     .arg(head_->row_count())
                     .arg(head_->column_count())
               : tr("Scores split into tokens and positions, none");
}

QString ScorePartsCanvas::place_tooltip(const ScorePartsHit& place) const {
  if (!head_ || place.part < 0) return {};
  const QString pair =
      tr("%1 looks at %2")
          .arg(in_quotes(nth(head_->rows, place.row).words()), in_quotes(nth(head_->columns, place.column).words()));
  return with_colon(pair, head_->is_hidden(place.row, place.column)
                              ? tr("hidden by the mask")
                              : plain_number(head_->value(place.part, place.row, place.column), 3)) +
         '\n' + part_help(place.part) +
         (head_->split.norm
              ? '\n' + tr("Between embedding and projection stands a norm: its scale is held as it was in "
                          "this run, so that the parts add up exactly.")
              : QString());
}

// --- mouse and keys

void ScorePartsCanvas::choose(int row, int column) {
  if (!head_ || head_->rows.empty()) return;
  row_ = std::clamp(row, 0, head_->row_count() - 1);
  column_ = std::clamp(column, 0, head_->column_count() - 1);
  reveal(cursor_rect());
  choice_changed();
  emit moved(row_, column_);
}

QRectF ScorePartsCanvas::cursor_rect() const {
  return head_ && !head_->rows.empty() ? layout_.cell_rect(kSum, row_, column_) : QRectF();
}

bool ScorePartsCanvas::go(int right, int down) {
  choose(row_ + down, column_ + right);
  return head_ != nullptr;
}

bool ScorePartsCanvas::go_to_other(int by) {
  emit other_head_wanted(by);
  return head_ != nullptr;
}

bool ScorePartsCanvas::activate() {
  if (head_) emit opened(row_, column_);
  return head_ != nullptr;
}

}  // namespace headlight
