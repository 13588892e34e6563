#include "app/lab/lab_picture.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/matrix/cells.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr float kNothing = std::numeric_limits<float>::quiet_NaN();
constexpr double kSure = 0.5, kMostNames = 0.3;  // a name of a row has at most this part of the width
constexpr std::size_t kMostTiles = 2500;         // more squares are painted as one image, without numbers

AxisLabel axis_label(const QString& text) {
  AxisLabel label;
  label.text = text;
  return label;
}

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

QFont picture_font(bool characters, bool bold, bool struck) {
  QFont font = theme().text_font(characters);
  if (bold) font.setWeight(QFont::DemiBold);
  font.setStrikeOut(struck);
  return font;
}

}  // namespace

// They stand in a fixed pitch.
bool are_single_characters(const std::vector<std::string>& tokens) {
  return !tokens.empty() &&
         std::ranges::all_of(tokens, [](const std::string& each) { return from_utf8(each).size() <= 1; });
}

std::vector<ProbeWord> probe_words(const Probe& probe, const ProbeRun& run, Index rows) {
  std::vector<ProbeWord> words;
  const std::vector<std::string> names = map_names(probe, run, rows, true);
  const auto written = static_cast<Index>(run.output.size());
  for (Index k = 0; k < rows; ++k) {
    const TokenText text = token_text(names[static_cast<std::size_t>(k)]);
    ProbeWord word{text.text, text.name, {}};
    if (const Index own = k - (rows - written); own >= 0) {
      const ProbeToken& token = run.output[static_cast<std::size_t>(own)];
      word.probability = token.probability;
      word.struck = !token.right;
      word.bold = token.right && token.probability >= kSure;
      if (own < static_cast<Index>(probe.target_tokens.size()))
        word.right = token_text(probe.target_tokens[static_cast<std::size_t>(own)]).text;
    }
    words.push_back(word);
  }
  return words;
}

LabPicture::LabPicture(LabShown* shown, int side, QWidget* parent)
    : PlaceCanvas(Layout::scrolled, parent), shown_(shown), side_(side), probe_(new LabProbe(shown, this)) {
  twin_.setSourceModel(&matrix_);
  connect(shown_, &LabShown::runsChanged, this, &LabPicture::measure);
  connect(shown_, &LabShown::chosenChanged, this, &LabPicture::measure);
  connect(shown_, &LabShown::moved, this, &LabPicture::show_moment);
  connect(probe_, &LabProbe::changed, this, &LabPicture::measure);
  measure();
}

void LabPicture::set_probe(LabProbe* probe) {
  if (probe_ == probe) return;
  if (probe_->parent() == this) probe_->deleteLater();
  probe_ = probe;
  connect(probe_, &LabProbe::changed, this, &LabPicture::measure);
  connect(probe_, &LabProbe::waitingChanged, this, &LabPicture::choice_changed);
  measure();
}

void LabPicture::set_outlined(const std::vector<ProbeDifference::Cell>& cells) {
  outlined_ = cells;
  viewport()->update();
}

// --- what is shown

void LabPicture::measure() {
  const bool there = side_ < static_cast<int>(shown_->runs().size()) &&
                     !shown_->runs()[static_cast<std::size_t>(side_)]->moments.empty();
  content_ = Content::nothing;
  names_ = 0;
  if (there) {
    const Recording& run = *shown_->runs()[static_cast<std::size_t>(side_)];
    content_ = !run.starts.empty() ? Content::written : run.maps.empty() ? Content::words : Content::attention;
    if (const Probe* asked = probe_->probe(side_)) characters_ = are_single_characters(asked->source_tokens);
    const QFont font = picture_font(characters_, true, false);
    const auto reckon = [&](const ProbeRun& of) {
      for (const ProbeToken& token : of.output)
        names_ = std::max(names_, text_width(token_text(token.text).text, font));
    };
    if (const ProbeRun* now = probe_->run(side_)) reckon(*now);
    for (const auto& moment : run.moments)
      if (const auto at = static_cast<std::size_t>(shown_->probe()); !probe_->is_typed() && at < moment->probes.size())
        reckon(moment->probes[at]);
  }
  show_moment();
  lay_out_at_once();
}

void LabPicture::read_attention(const ProbeRun& run) {
  const auto map = static_cast<std::size_t>(shown_->map());
  if (map >= run.attention.size() || run.attention[map].rank() != 2) return;
  const Tensor& weights = run.attention[map];
  const Probe* asked = probe_->probe(side_);
  if (!asked) return;
  words_ = probe_words(*asked, run, weights.dim(0));
  for (Index row = 0; row < std::min<Index>(weights.dim(0), grid_.rows); ++row)
    for (Index column = 0; column < std::min<Index>(weights.dim(1), grid_.columns); ++column)
      cells_[static_cast<std::size_t>(row * grid_.columns + column)] = weights[row * weights.dim(1) + column];
  for (const std::string& name : map_names(*asked, run, weights.dim(1), false))
    columns_.push_back(token_text(name).text);
}

void LabPicture::show_moment() {
  const LabProbe::Size size = probe_->size(content_ == Content::attention ? shown_->map() : -1, side_);
  const bool larger = grid_.rows != size.rows || grid_.columns != size.columns;
  grid_.rows = size.rows;
  grid_.columns = size.columns;
  const auto before = std::tuple(std::move(cells_), std::move(words_), std::move(columns_), std::move(written_));
  cells_.assign(static_cast<std::size_t>(std::max(0, grid_.rows * grid_.columns)), kNothing);
  words_.clear();
  columns_.clear();
  written_.clear();
  const ProbeRun* run = content_ == Content::nothing ? nullptr : probe_->run(side_);
  if (content_ == Content::written)
    for (const std::string& each : shown_->now(side_).written) written_.push_back(shown_text(each));
  else if (run && content_ == Content::attention)
    read_attention(*run);
  else if (const Probe* asked = probe_->probe(side_); run && asked)
    words_ = probe_words(*asked, *run, static_cast<Index>(run->output.size()));
  show_table();
  announce();
  if (larger) return lay_out_at_once();
  if (columns_ != std::get<2>(before) || content_ != Content::attention || cells_.size() != std::get<0>(before).size())
    return viewport()->update();
  // Only what is another one now: a training is gone through at the speed of the hand.
  QRegion changed;
  const auto add = [&](const QRectF& place) {
    changed += QRectF(viewport_point(place.topLeft()), place.size() * scale()).toAlignedRect().adjusted(-1, -1, 1, 1);
  };
  for (std::size_t k = 0; k < cells_.size(); ++k)
    if (!same(cells_[k], std::get<0>(before)[k]))
      add(grid_.cell(static_cast<int>(k) / grid_.columns, static_cast<int>(k) % grid_.columns));
  const std::vector<Word>& others = std::get<1>(before);
  for (std::size_t k = 0; k < std::max(words_.size(), others.size()); ++k)
    if (k >= words_.size() || k >= others.size() || words_[k] != others[k]) {
      add(grid_.row_name(static_cast<int>(k)));
      // A row that begins or ends has squares without numbers.
      if (k >= words_.size() || k >= others.size()) add(grid_.row(static_cast<int>(k)));
    }
  viewport()->update(changed);
}

double LabPicture::value(int row, int column) const {
  if (row < 0 || column < 0 || row >= grid_.rows || column >= grid_.columns) return kNothing;
  return static_cast<double>(cells_[static_cast<std::size_t>(row * grid_.columns + column)]);
}

QString LabPicture::written(int start) const {
  const std::vector<std::string>& starts = shown_->runs()[static_cast<std::size_t>(side_)]->starts;
  return static_cast<std::size_t>(start) < starts.size() ? shown_text(starts[static_cast<std::size_t>(start)])
                                                         : QString();
}

void LabPicture::show_table() {
  if (content_ == Content::attention) {
    std::vector<AxisLabel> rows, columns;
    const int count = std::min(grid_.rows, static_cast<int>(words_.size()));
    std::vector<float> values(cells_.begin(), cells_.begin() + static_cast<std::ptrdiff_t>(count) * grid_.columns);
    for (int k = 0; k < count; ++k) rows.push_back(axis_label(words_[static_cast<std::size_t>(k)].text));
    for (int k = 0; k < grid_.columns; ++k)
      columns.push_back(axis_label(static_cast<std::size_t>(k) < columns_.size() ? columns_[static_cast<std::size_t>(k)]
                                                                                 : QString()));
    matrix_.set_matrix(count, grid_.columns, std::move(values));
    matrix_.set_labels(std::move(rows), std::move(columns));
    matrix_.set_corner(tr("output"));
    if (twin_.sourceModel() != &matrix_) twin_.setSourceModel(&matrix_);
    return;
  }
  if (content_ == Content::written) {
    list_.set(static_cast<int>(written_.size()),
              {{tr("begins with"), [this](int row) -> QVariant { return written(row); }},
               {tr("goes on"), [this](int row) -> QVariant { return written_[static_cast<std::size_t>(row)]; }}});
  } else {
    const auto word = [this](int row) -> const Word& { return words_[static_cast<std::size_t>(row)]; };
    list_.set(static_cast<int>(words_.size()),
              {{tr("word"), [word](int row) -> QVariant { return word(row).text; }},
               {tr("probability"), [word](int row) -> QVariant { return word(row).probability; }},
               {tr("right would be"), [word](int row) -> QVariant { return word(row).right; }}});
  }
  if (twin_.sourceModel() != &list_) twin_.setSourceModel(&list_);
}

// --- places

double LabPicture::least_row() const { return Theme::line_height(theme().text_font(characters_)) + space::kTight; }

int LabPicture::whole_height() const {
  const bool squares = content_ == Content::attention;
  const LabGrid least = LabGrid::of(grid_.rows, squares ? grid_.columns : 0, 0, {}, least_row(), theme().font_scale());
  return static_cast<int>(std::ceil(least.size().height()));
}

QSizeF LabPicture::arrange(QSizeF view) {
  const double scale = theme().font_scale();
  const double line = least_row();
  const double names = std::min(names_, kMostNames * view.width());
  grid_ = LabGrid::of(grid_.rows, content_ == Content::attention ? grid_.columns : 0, names, view, line, scale);
  if (content_ == Content::attention) return grid_.size();
  return {view.width(), content_ == Content::words ? grid_.size().height() : view.height()};
}

void LabPicture::forget() { show_table(); }

bool LabPicture::go(int right, int down) {
  if (content_ != Content::attention || words_.empty()) return false;
  const int rows = std::min(grid_.rows, static_cast<int>(words_.size()));
  const auto within = [](int at, int by, int count) {
    return at < 0 && by == 0 ? 0 : std::clamp(at < 0 ? (by > 0 ? 0 : count - 1) : at + by, 0, std::max(0, count - 1));
  };
  cursor_ = {within(cursor_.row, std::clamp(down, -rows, rows), rows),
             within(cursor_.column, std::clamp(right, -grid_.columns, grid_.columns), grid_.columns)};
  reveal(grid_.rect(cursor_));
  choice_changed();
  return true;
}

void LabPicture::press_place(const LabPlace& place) {
  if (place.row < 0 || place.column < 0) return;
  cursor_ = place;
  choice_changed();
}

// The handle's keys stay the handle's.
bool LabPicture::press_key(const QKeyEvent& event) {
  if (event.modifiers() != Qt::NoModifier) return false;
  if (event.key() != Qt::Key_PageUp && event.key() != Qt::Key_PageDown) return false;
  shown_->go_to_mark(event.key() == Qt::Key_PageDown ? 1 : -1);
  return true;
}

// --- words

QString LabPicture::empty_text() const {
  if (content_ == Content::nothing) return tr("Nothing was trained yet: Start (Ctrl+Enter).");
  if (content_ == Content::written) return {};
  if (!probe_->problem().isEmpty()) return probe_->problem();
  // Until the answer to a typed text is there, its place is.
  return probe_->run(side_) || probe_->is_typed() ? QString() : tr("Nothing was asked at this moment.");
}

QString LabPicture::name() const {
  switch (content_) {
    case Content::attention:
      return tr("Where it looks");
    case Content::words:
      return tr("How sure it is of each word");
    default:
      return tr("What it writes");
  }
}

QString LabPicture::description() const {
  if (const QString text = empty_text(); !text.isEmpty()) return text;
  if (content_ == Content::written) return written_.empty() ? QString() : written(0) + written_[0];
  if (cursor_.row >= 0 && content_ == Content::attention) return place_tooltip(cursor_);
  QStringList all;
  for (const Word& word : words_) all << word.text;
  return all.join(QLatin1Char(' '));
}

QString LabPicture::place_tooltip(const LabPlace& place) const {
  const auto column = static_cast<std::size_t>(std::max(0, place.column));
  if (place.row < 0) return place.column >= 0 && column < columns_.size() ? in_quotes(columns_[column]) : QString();
  if (place.row >= static_cast<int>(words_.size())) return {};
  const Word& word = words_[static_cast<std::size_t>(place.row)];
  if (place.column >= 0 && column < columns_.size())
    return tr("%1 looks at %2: %3")
        .arg(in_quotes(word.text), in_quotes(columns_[column]), short_number(value(place.row, place.column)));
  QString said = tr("%1: probability %2").arg(in_quotes(word.text), percent(word.probability));
  if (word.struck && !word.right.isEmpty())
    said += QLatin1Char('\n') + tr("right would be %1").arg(in_quotes(word.right));
  return said;
}

Figure LabPicture::figure() {
  wake();
  return {picture_size(), [this](QPainter& painter) { paint(painter, QRectF(), false); }, name(), &twin_};
}

// --- painting

void LabPicture::paint_in(QPainter& painter, QSizeF size) {
  const LabGrid kept = grid_;
  arrange(size);
  paint(painter, QRectF(), false);
  grid_ = kept;
}

void LabPicture::paintEvent(QPaintEvent* event) {
  painted_ = event->region();
  PlaceCanvas::paintEvent(event);
  painted_ = {};
}

bool LabPicture::seen(const QRectF& place) const {
  if (painted_.isEmpty()) return true;
  return painted_.intersects(QRectF(viewport_point(place.topLeft()), place.size() * scale()).toAlignedRect());
}

void LabPicture::paint(QPainter& painter, const QRectF&, bool marks) const {
  painter.setRenderHint(QPainter::Antialiasing);
  if (content_ == Content::written) return paint_written(painter);
  for (int row = 0; row < static_cast<int>(words_.size()); ++row) paint_name(painter, row);
  if (content_ == Content::words) return paint_words(painter);
  const QFont font = theme().text_font(characters_);
  for (std::size_t k = 0; k < columns_.size(); ++k)
    if (const QRectF place = grid_.column_name(static_cast<int>(k)); seen(place))
      write_line(painter, place, kCentre, columns_[k], font, tokens().ink);
  paint_squares(painter);
  for (const ProbeDifference::Cell& each : outlined_)
    if (each.row < grid_.rows && each.column < grid_.columns)
      draw_box(painter, grid_.cell(each.row, each.column).adjusted(1.5, 1.5, -1.5, -1.5), radius::kCell,
               QPen(tokens().ink, theme().line(2)));
  if (marks && hovered().row >= 0 && hovered().column >= 0)
    draw_ring(painter, grid_.rect(hovered()), theme().hover(), 1.5);
}

void LabPicture::paint_squares(QPainter& painter) const {
  if (cells_.size() > kMostTiles) {
    const CellScale scale = CellScale::up_to(1);
    const QImage image =
        cell_picture(grid_.columns, grid_.rows, scale, [this](int x, int y) { return std::max(0.0, value(y, x)); });
    return paint_cells(painter,
                       QRectF(QPointF(grid_.left, grid_.head), grid_.cell(grid_.rows, grid_.columns).topLeft()), image);
  }
  for (int row = 0; row < grid_.rows; ++row) {
    if (!seen(grid_.row(row))) continue;
    for (int column = 0; column < grid_.columns; ++column) {
      const QRectF place = grid_.cell(row, column);
      if (!seen(place)) continue;
      const double weight = value(row, column);
      const bool there = !std::isnan(weight);
      draw_tile(painter, place, there ? theme().weight(weight) : tokens().bed, there ? short_share(weight) : QString(),
                weight >= kSure);
    }
  }
}

void LabPicture::paint_name(QPainter& painter, int row) const {
  const QRectF place = grid_.row_name(row).adjusted(0, 0, -space::kSmall, 0);
  if (!seen(place)) return;
  const Word& word = words_[static_cast<std::size_t>(row)];
  write_line(painter, place, kRight, word.text, picture_font(characters_, word.bold, word.struck),
             word.struck ? tokens().ink2 : tokens().ink);
}

// Without attention: how sure it is of each, and what would be right.
void LabPicture::paint_words(QPainter& painter) const {
  const QFont font = theme().ui_font();
  const double number = text_width(percent(0.999), font) + space::kMedium;
  const double room = std::max(0.0, static_cast<double>(picture_size().width()) - grid_.left);
  for (int row = 0; row < static_cast<int>(words_.size()); ++row) {
    const Word& word = words_[static_cast<std::size_t>(row)];
    QRectF place(grid_.left, grid_.row(row).top(), room, grid_.down);
    if (!seen(place)) continue;
    QRectF bar = place.adjusted(0, 0.3 * grid_.down, 0, -0.3 * grid_.down);
    bar.setWidth(0.5 * room);
    draw_share_bar(painter, bar, word.probability, theme().weight(0.75));
    place.setLeft(bar.right() + space::kSmall);
    write_line(painter, place, kLeft, percent(word.probability), font, tokens().ink);
    place.setLeft(place.left() + number);
    if (word.struck && !word.right.isEmpty())
      write_line(painter, place, kLeft, tr("right would be %1").arg(in_quotes(word.right)), font, tokens().ink2);
  }
}

void LabPicture::paint_written(QPainter& painter) const {
  const QSizeF whole = picture_size();
  const double line = Theme::line_height(theme().ui_font());
  const double each = whole.height() / std::max<double>(1, static_cast<double>(written_.size()));
  for (std::size_t k = 0; k < written_.size(); ++k) {
    const QRectF place(0, each * static_cast<double>(k), whole.width(), each);
    write_line(painter, QRectF(place.topLeft(), QSizeF(place.width(), line)), kLeft,
               tr("begins with %1").arg(in_quotes(written(static_cast<int>(k)))), theme().ui_font(type::kSource),
               tokens().ink2);
    write_words(painter, place.adjusted(0, line + space::kTight, 0, 0), written(static_cast<int>(k)) + written_[k],
                theme().text_font(true), tokens().ink);
  }
}

}  // namespace headlight
