#include "widgets/views/explain/explain_canvas.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/matrix/cells.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/output_text.h"
#include "widgets/text/token_text.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

namespace {

using Kind = ExplainRows::Kind;

constexpr double kIndent = 50;  // of the cells, where nothing above says where they are
// Of a candidate with its bar and number.
constexpr double kCandidate = 130, kLongest = 320, kBar = 48, kShortBar = 20;

QFont number_font() { return theme().ui_font(type::kSource); }
QFont candidate_font(const TokenText& token, bool first) {
  QFont font = font_of(token, type::kTitle);
  font.setWeight(first ? QFont::DemiBold : QFont::Normal);
  return font;
}
double candidate_width(const TokenText& token, bool first) {
  return text_width(token.text, candidate_font(token, first));
}
double beside_candidate(double bar) { return bar + text_width(QStringLiteral("99.9"), number_font()) + 20; }

CellScale scale_of(const ExplainRows::Row& row) {
  if (row.kind == Kind::share || row.kind == Kind::choose) return CellScale::up_to(1);
  double largest = 0;
  for (const ExplainRows::Number& number : row.numbers)
    if (number.cell >= 0 && std::isfinite(number.value)) largest = std::max(largest, std::abs(number.value));
  return CellScale::around_zero(largest > 0 ? largest : 1);
}

}  // namespace

ExplainCanvas::ExplainCanvas(Selection* selection, QWidget* parent)
    : PlaceCanvas(Layout::scrolled, parent), selection_(selection) {
  const auto again = [this] { choice_changed(); };
  connect(selection_, &Selection::changed, this, again);
  connect(selection_, &Selection::hovered, this, [this] { viewport()->update(); });
  announce();
}

void ExplainCanvas::set_rows(std::optional<ExplainRows> rows) {
  rows_ = std::move(rows);
  labels_ = rows_ ? axis_labels(rows_->columns) : std::vector<AxisLabel>();
  lay_out();
  announce();
}

void ExplainCanvas::set_columns(std::vector<std::pair<double, double>> columns) {
  if (columns == columns_) return;
  const bool before = shows_tokens();
  columns_ = std::move(columns);
  if (before != shows_tokens()) lay_out();
  viewport()->update();
}

QSizeF ExplainCanvas::arrange(QSizeF view) {
  width_ = view.width();
  place_candidates();
  heading_ = std::ceil(QFontMetricsF(bold_font()).height()) + space::kTight;
  strip_ = std::ceil(1.75 * QFontMetricsF(number_font()).height());
  const double rows = rows_ ? static_cast<double>(rows_->rows.size()) : 1;
  const double least = heading_ + strip_ + space::kTight;
  top_ = space::kTight + (shows_tokens() ? std::ceil(tokens_height()) : 0);
  pitch_ = std::clamp((view.height() - top_) / std::max(1.0, rows), least, 1.5 * least);
  return {view.width(), top_ + rows * pitch_};
}

// Each candidate has room for its word, and where there is more, as much as the others. Where fewer than the usual
// would stand there, they are narrower; the least probable are left out.
void ExplainCanvas::place_candidates() {
  constexpr std::size_t kUsual = 4;
  const double scale = theme().font_scale();
  const std::size_t count = rows_ ? rows_->candidates.size() : 0;
  const auto place = [&](double least, double bar) {
    bar_ = bar;
    candidates_ = {columns_.empty() ? kIndent : std::min(kIndent, columns_.front().first)};
    for (std::size_t i = 0; i < count; ++i)
      candidates_.push_back(candidates_.back() + std::clamp(candidate_width(token_text(rows_->candidates[i]), i == 0) +
                                                                beside_candidate(bar_) + space::kMedium,
                                                            least, kLongest * scale));
    while (candidates_.size() > 2 && candidates_.back() > width_) candidates_.pop_back();
  };
  place(kCandidate * scale, kBar);
  if (candidates_.size() <= std::min(kUsual, count)) place(0, kShortBar);
}

int ExplainCanvas::shown(const ExplainRows::Row& row) const {
  return static_cast<int>(row.kind == Kind::choose ? std::min(candidates_.size() - 1, row.numbers.size())
                                                   : row.numbers.size());
}

QRectF ExplainCanvas::number_rect(const ExplainHit& place) const {
  const ExplainRows::Row& row = nth(rows_->rows, place.row);
  const double top = top_ + place.row * pitch_ + heading_;
  const auto count = static_cast<double>(row.numbers.size());
  if (row.kind == Kind::choose) {
    const auto at = static_cast<std::size_t>(place.number);
    return {candidates_[at], top, candidates_[at + 1] - candidates_[at], strip_};
  }
  const bool aligned = row.kind != Kind::mix && columns_.size() == row.numbers.size();
  if (aligned) {
    const auto& [left, right] = nth(columns_, place.number);
    return {left, top, right - left, strip_};
  }
  const double from = columns_.empty() ? kIndent : columns_.front().first;
  const double to = columns_.empty() ? width_ - space::kMargin : columns_.back().second;
  return {from + place.number * (to - from) / count, top, (to - from) / count, strip_};
}

ExplainHit ExplainCanvas::place_at(QPointF point) const {
  if (!rows_) return {};
  const int row = static_cast<int>(std::floor((point.y() - top_) / std::max(1.0, pitch_)));
  if (row < 0 || row >= static_cast<int>(rows_->rows.size())) return {};
  const int count = shown(nth(rows_->rows, row));
  for (int number = 0; number < count; ++number)
    if (number_rect({row, number}).contains(point)) return {row, number};
  return {};
}

int ExplainCanvas::row_of_tokens() const {
  for (int row = 0; rows_ && row < static_cast<int>(rows_->rows.size()); ++row)
    if (const Kind kind = nth(rows_->rows, row).kind; kind == Kind::compare || kind == Kind::share) return row;
  return -1;
}

TextColumns ExplainCanvas::token_columns() const {
  const int row = row_of_tokens();
  const auto count = static_cast<int>(labels_.size());
  TextColumns columns;
  columns.edges = {number_rect({row, 0}).left()};
  for (int i = 0; i < count; ++i) columns.edges.push_back(number_rect({row, i}).right());
  return columns;
}

// As the picture above has them: folded padding says how much of it there is.
std::vector<AxisLabel> ExplainCanvas::token_labels() const {
  std::vector<AxisLabel> labels = labels_;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (const AttentionToken& token = rows_->columns[i]; token.padding && token.tokens > 1)
      labels[i] = {padding_lines(token.tokens), true, padding_name(token.tokens)};
  return labels;
}

double ExplainCanvas::tokens_height() const {
  if (row_of_tokens() < 0 || labels_.empty()) return 0;
  return ColumnHead::of(token_columns(), token_labels(), type::kQuestion, 96).height + space::kTight;
}

void ExplainCanvas::paint_tokens(QPainter& painter) const {
  if (row_of_tokens() < 0 || labels_.empty()) return;
  painter.setRenderHint(QPainter::Antialiasing);
  const ColumnHead head = ColumnHead::of(token_columns(), token_labels(), type::kQuestion, 96);
  head.paint(painter, token_columns(), token_labels(), 0, -1, -1, width_);
}

QString ExplainCanvas::title(Kind kind) {
  switch (kind) {
    case Kind::compare:
      return tr("Compare");
    case Kind::share:
      return tr("Share out");
    case Kind::mix:
      return tr("Mix");
    case Kind::choose:
      return tr("Choose");
  }
  return {};
}

QString ExplainCanvas::sentence(const ExplainRows::Row& row) const {
  switch (row.kind) {
    case Kind::compare:
      return rows_->of_words ? tr("how well each token fits what this word needs: its score")
                             : tr("how well each token fits what is needed now: its score");
    case Kind::share: {
      double sum = 0;
      for (const ExplainRows::Number& number : row.numbers) sum += number.value;
      return std::abs(sum - 1) < 1e-3
                 ? tr("the scores become shares that add up to 1: the attention")
                 : tr("the scores become shares, which add up to %1: the attention").arg(short_number(sum));
    }
    case Kind::mix:
      return tr("what was read at the tokens, mixed in these shares: %1 numbers").arg(row.numbers.size());
    case Kind::choose:
      return rows_->of_classes ? tr("from all that, how probable each class is (%)")
             : rows_->of_words ? tr("from all that, how probable each word is here (%)")
                               : tr("from all that, how probable each next token is (%)");
  }
  return {};
}

QString ExplainCanvas::number_text(const ExplainRows::Row& row, double value) const {
  if (!std::isfinite(value)) return exact_number(value);
  if (row.kind == Kind::share) return short_share(value);
  return plain_number(value, 1);
}

void ExplainCanvas::paint_candidates(QPainter& painter, int at) const {
  const Tokens& t = tokens();
  const ExplainRows::Row& row = nth(rows_->rows, at);
  for (int i = 0; i < shown(row); ++i) {
    const QRectF rect = number_rect({at, i});
    const TokenText token = token_text(nth(rows_->candidates, i));
    const QFont font = candidate_font(token, i == 0);
    const QColor& ink = i == 0 ? t.ink : t.ink2;
    const double number = text_width(QStringLiteral("99.9"), number_font());
    const double room = rect.width() - beside_candidate(bar_);
    const QString text = elided_text(token.text, font, Qt::ElideMiddle, room);
    write(painter, QRectF(rect.left(), rect.top(), room, rect.height()), Qt::AlignLeft | Qt::AlignVCenter, text, font,
          ink);
    const double bar = rect.left() + std::min(room, text_width(text, font)) + 8;
    const double probability = nth(row.numbers, i).value, top = rect.center().y() - 2.5;
    draw_box(painter, QRectF(bar, top, bar_, 5), 2.5, Qt::NoPen, t.press);
    draw_box(painter, QRectF(bar, top, std::clamp(probability, 0.0, 1.0) * (bar_ - 3) + 3, 5), 2.5, Qt::NoPen,
             theme().weight(0.62));
    write(painter, QRectF(bar + bar_ + 6, rect.top(), number + 6, rect.height()), Qt::AlignLeft | Qt::AlignVCenter,
          bare_percent(probability), number_font(), ink);
  }
}

void ExplainCanvas::paint_row(QPainter& painter, int at, bool marks) const {
  const Tokens& t = tokens();
  const ExplainRows::Row& row = nth(rows_->rows, at);
  const auto picked = marks ? chosen() : std::nullopt;
  const bool here = picked && picked->row == at;
  const double top = top_ + at * pitch_, side = heading_ - 2;
  // Its number, its name, and what happens in it.
  const QRectF circle(space::kMargin, top, side, side);
  painter.setPen(Qt::NoPen);
  painter.setBrush(here ? t.ink : t.press);
  painter.drawEllipse(circle);
  write(painter, circle, Qt::AlignCenter, QString::number(at + 1), number_font(), here ? t.paper : t.ink);
  double x = circle.right() + space::kSmall;
  const QString name = title(row.kind);
  const double wide = text_width(name, bold_font());
  write(painter, QRectF(x, top, wide + 4, side), Qt::AlignLeft | Qt::AlignVCenter, name, bold_font(), t.ink);
  x += wide + space::kMedium;
  const QString words = sentence(row);
  painter.setFont(theme().ui_font());
  if (x + painter.fontMetrics().horizontalAdvance(words) <= width_)
    write(painter, QRectF(x, top, width_ - x, side), Qt::AlignLeft | Qt::AlignVCenter, words, theme().ui_font(),
          t.ink2);
  if (row.kind == Kind::choose) {
    paint_candidates(painter, at);
  } else {
    const CellScale scale = scale_of(row);
    for (int i = 0; i < static_cast<int>(row.numbers.size()); ++i) {
      const ExplainRows::Number& number = nth(row.numbers, i);
      if (number.cell < 0 && (row.kind != Kind::share || !(number.value > 0))) continue;
      const QRectF cell = number_rect({at, i});
      const double gap = cell.width() >= 14 ? 1 : 0;
      const QColor fill = scale.colour(number.value);
      painter.fillRect(cell.adjusted(gap, 0, -gap, 0), fill);
      if (row.kind == Kind::mix) continue;
      const QString text = number_text(row, number.value);
      if (text.isEmpty() || text_width(text, number_font()) > cell.width() - 2) continue;
      write(painter, cell, Qt::AlignCenter, text, number_font(), Theme::readable_on(fill));
    }
  }
  const auto outline = [&](const ExplainHit& place, const QColor& colour, double width) {
    const QRectF cell = number_rect(place);
    draw_box(painter, cell, radius::kCell, QPen(t.paper, width + 2.5));
    draw_box(painter, cell, radius::kCell, QPen(colour, width));
  };
  if (!marks) return;
  if (hovered().row == at) outline(hovered(), t.ink, 1.2);
  if (here) outline(*picked, t.accent, 2);
}

void ExplainCanvas::paint(QPainter& painter, const QRectF&, bool marks) const {
  if (!rows_) return;
  painter.setRenderHint(QPainter::Antialiasing);
  if (shows_tokens()) paint_tokens(painter);
  for (int row = 0; row < static_cast<int>(rows_->rows.size()); ++row) paint_row(painter, row, marks);
}

std::optional<ExplainHit> ExplainCanvas::chosen() const {
  const SelectionState& state = selection_->state();
  if (!rows_ || !state.entry || !state.cell) return std::nullopt;
  for (std::size_t row = 0; row < rows_->rows.size(); ++row)
    for (std::size_t i = 0; i < static_cast<std::size_t>(shown(rows_->rows[row])); ++i)
      if (rows_->rows[row].entry == *state.entry && rows_->rows[row].numbers[i].cell == *state.cell)
        return ExplainHit{static_cast<int>(row), static_cast<int>(i)};
  return std::nullopt;
}

void ExplainCanvas::choose(const ExplainHit& place) {
  const ExplainRows::Row& row = nth(rows_->rows, place.row);
  const ExplainRows::Number& number = nth(row.numbers, place.number);
  if (row.entry < 0 || number.cell < 0) return;
  SelectionState state = selection_->state();
  if (!rows_->only_read) state.step = rows_->step;
  state.entry = row.entry;
  state.cell = number.cell;
  if (row.kind == Kind::compare || row.kind == Kind::share) {
    const int token = nth(rows_->columns, place.number).token;
    state.source_token = unless_none(token);
  }
  selection_->set(state);
}

void ExplainCanvas::hover_changed() {
  std::optional<int> token;
  if (rows_ && hovered().row >= 0) {
    const Kind kind = nth(rows_->rows, hovered().row).kind;
    if (kind == Kind::compare || kind == Kind::share) {
      const int at = nth(rows_->columns, hovered().number).token;
      if (at >= 0) token = at;
    }
  }
  selection_->hover(token, std::nullopt);
}

QRectF ExplainCanvas::cursor_rect() const {
  return !rows_ || rows_->rows.empty() ? QRectF() : number_rect(chosen().value_or(ExplainHit{0, 0}));
}

bool ExplainCanvas::go(int right, int down) {
  if (!rows_ || rows_->rows.empty()) return false;
  ExplainHit place = chosen().value_or(ExplainHit{0, 0});
  place.row = std::clamp(place.row + down, 0, static_cast<int>(rows_->rows.size()) - 1);
  const int count = shown(nth(rows_->rows, place.row));
  place.number = std::clamp(place.number + right, 0, count - 1);
  choose(place);
  return true;
}

bool ExplainCanvas::activate() { return go(0, 0); }

QString ExplainCanvas::place_tooltip(const ExplainHit& place) const {
  if (!rows_ || place.row < 0) return {};
  const ExplainRows::Row& row = nth(rows_->rows, place.row);
  const double value = nth(row.numbers, place.number).value;
  const QString number = row.kind == Kind::choose ? percent(value) : short_number(value);
  switch (row.kind) {
    case Kind::compare:
      return tr("Score of ‘%1’: %2").arg(nth(labels_, place.number).words(), number);
    case Kind::share:
      return tr("Share of ‘%1’: %2").arg(nth(labels_, place.number).words(), number);
    case Kind::mix:
      return tr("Number %1 of the mix: %2").arg(counted(place.number), number);
    case Kind::choose:
      return tr("%1 has probability %2").arg(quoted(nth(rows_->candidates, place.number)), number);
  }
  return {};
}

QString ExplainCanvas::name() const {
  return rows_ ? (rows_->of_words ? tr("How word %1 of %2 is read, in %3 steps")
                                  : tr("How output %1 of %2 came about, in %3 steps"))
                     .arg(rows_->step + 1)
                     .arg(rows_->steps)
                     .arg(rows_->rows.size())
               : tr("How an output came about, nothing yet");
}

QString ExplainCanvas::description() const {
  const auto place = chosen();
  return place ? title(nth(rows_->rows, place->row).kind) + QStringLiteral(": ") + place_tooltip(*place)
               : tr("No number selected. Arrow keys choose one.");
}

QString ExplainCanvas::empty_text() const {
  return rows_ ? QString() : tr("Type a text: for each token of the output, its four steps stand here.");
}

}  // namespace headlight
