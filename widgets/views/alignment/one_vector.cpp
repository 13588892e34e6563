#include "widgets/views/alignment/one_vector.h"

#include <QFontMetricsF>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "widgets/base/ink.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

namespace {

constexpr double kSmallestTile = 7, kLargestTile = 40;
constexpr double kLeastFlow = 36;  // height of what runs together, above and below

}  // namespace

OneVectorLayout OneVectorLayout::of(const Metrics& m) {
  OneVectorLayout at;
  at.metrics = m;
  const double right = m.view.width() - m.margin;
  at.source = TextColumns::of(m.source, m.margin, right, m.least_column, m.most_column);
  at.output = TextColumns::of(m.output, m.margin, right, m.least_column, m.most_column);
  at.across = std::max(1, static_cast<int>(std::ceil(std::sqrt(2.0 * m.numbers))));
  at.down = (m.numbers + at.across - 1) / at.across;
  const bool beside = m.view.width() >= 2 * (m.margin + m.words) + at.across * 2 * kSmallestTile;
  const double below = beside ? 0 : m.words / 2;
  const double room = m.view.height() - m.source_line - m.output_line - below - 2 * kLeastFlow;
  const double wide = beside ? right - m.margin - 2 * m.words : right - m.margin;
  const double tile =
      std::clamp(std::floor(std::min(wide / at.across, room / std::max(1, at.down))), kSmallestTile, kLargestTile);
  const QSizeF size(tile * at.across, tile * at.down);
  const double flow =
      std::max(kLeastFlow, (m.view.height() - m.source_line - m.output_line - below - size.height()) / 2);
  // The text stands over its vector, and the output under it.
  at.width = std::max(
      {m.view.width(), at.source.right() + m.margin, at.output.right() + m.margin, size.width() + 2 * m.margin});
  const auto centred = [&](TextColumns& columns) {
    const double move = (at.width - columns.left() - columns.right()) / 2;
    for (double& edge : columns.edges) edge += move;
  };
  centred(at.source);
  centred(at.output);
  at.vector = QRectF({(at.width - size.width()) / 2, m.source_line + flow}, size);
  at.said = beside ? QRectF(at.vector.right() + 24, at.vector.top(), at.width - at.vector.right() - 24 - m.margin,
                            size.height())
                   : QRectF(m.margin, at.vector.bottom() + 4, at.width - 2 * m.margin, below);
  at.output_top = at.vector.bottom() + below + flow;
  at.height = at.output_top + m.output_line;
  return at;
}

QRectF OneVectorLayout::tile(int number) const {
  const double side = vector.width() / across;
  return {vector.left() + (number % across) * side, vector.top() + (number / across) * side, side, side};
}

int OneVectorLayout::number_at(QPointF point) const {
  if (!vector.contains(point) || vector.isEmpty()) return -1;
  const double side = vector.width() / across;
  const int column = std::min(across - 1, static_cast<int>((point.x() - vector.left()) / side));
  const int number = static_cast<int>((point.y() - vector.top()) / side) * across + column;
  return number < metrics.numbers ? number : -1;
}

OneVectorCanvas::OneVectorCanvas(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) { announce(); }

int OneVectorCanvas::entry_of(const Result& result) {
  return result.trace ? result.trace->find("encoder.bottleneck") : -1;
}

void OneVectorCanvas::set_result(std::shared_ptr<const Result> result) {
  result_ = std::move(result);
  entry_ = result_ ? entry_of(*result_) : -1;
  source_.clear();
  output_.clear();
  at_each_step_ = false;
  largest_ = 1;
  set_hovered(0);
  if (entry_ >= 0) {
    const Trace& trace = *result_->trace;
    const Tensor& vector = trace[entry_].value;
    if (vector.size() > 0) largest_ = std::max(1e-9, static_cast<double>(vector.array().abs().maxCoeff()));
    for (int i = 0; i < trace.size() && !at_each_step_; ++i) {
      const Site& site = trace[i].site;
      if (site.kind->side != SiteKind::Side::decoder || site.step < 1) continue;
      at_each_step_ =
          std::ranges::any_of(trace.inputs(i), [&](int from) { return trace[from].value.data() == vector.data(); });
    }
    std::vector<AttentionToken> tokens;
    int blanks = 0;
    for (const TextToken& each : result_->tokens) {
      if (each.padding)
        ++blanks;
      else
        tokens.push_back({each.text, {}, static_cast<int>(tokens.size()), -1, false});
    }
    source_ = axis_labels(tokens);
    if (blanks > 0) source_.push_back({padding_lines(blanks), true, padding_name(blanks)});
    tokens.clear();
    for (const OutputStep& each : result_->steps)
      tokens.push_back({{}, each.text, -1, static_cast<int>(tokens.size()), false});
    output_ = axis_labels(tokens, true);
  }
  chosen_ = std::min(chosen_, numbers() - 1);
  show_table();
  lay_out();
  announce();
}

int OneVectorCanvas::numbers() const {
  return entry_ < 0 ? 0 : static_cast<int>((*result_->trace)[entry_].value.size());
}

double OneVectorCanvas::value(int number) const { return static_cast<double>((*result_->trace)[entry_].value[number]); }

void OneVectorCanvas::set_chosen(int number) {
  number = std::clamp(number, -1, numbers() - 1);
  if (number == chosen_) return;
  chosen_ = number;
  if (number >= 0) reveal(layout_.tile(number));
  choice_changed();
}

void OneVectorCanvas::show_table() {
  if (entry_ < 0) return table_.clear();
  table_.set(numbers(), {ColumnTable::counting(tr("number"), [](int row) { return row; }),
                         {tr("value"), [vector = (*result_->trace)[entry_].value](int row) {
                            return QVariant(static_cast<double>(vector[row]));
                          }}});
}

QSizeF OneVectorCanvas::arrange(QSizeF view) {
  layout_ = {};
  if (entry_ < 0) return {};
  const double scale = theme().font_scale();
  OneVectorLayout::Metrics m;
  m.view = view;
  m.source = column_shares(source_);
  m.output = column_shares(output_);
  m.numbers = numbers();
  m.words = 200 * scale;
  m.least_column = 9 * scale;
  m.most_column = 60 * scale;
  layout_ = OneVectorLayout::of(m);
  const auto head = [&](const TextColumns& columns, const std::vector<AxisLabel>& labels) {
    return ColumnHead::of(columns, labels, type::kQuestion, 90 * scale);
  };
  source_head_ = head(layout_.source, source_);
  output_head_ = head(layout_.output, output_);
  m.source_line = source_head_.height + 6;
  m.output_line = output_head_.height + 8;
  layout_ = OneVectorLayout::of(m);
  return {layout_.width, layout_.height};
}

// --- painting

// Every token runs into the vector; from there to the first token, or to each of them.
void OneVectorCanvas::paint_flow(QPainter& painter) const {
  const Tokens& t = tokens();
  const QRectF& vector = layout_.vector;
  const auto flow = [&](QPointF from, QPointF to) {
    const double middle = (from.y() + to.y()) / 2;
    QPainterPath path(from);
    path.cubicTo({from.x(), middle}, {to.x(), middle}, to);
    painter.drawPath(path);
  };
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(t.line, 2));
  const int sources = layout_.source.count(), outputs = layout_.output.count();
  for (int i = 0; i < sources; ++i)
    flow({layout_.source.centre(i), layout_.metrics.source_line},
         {vector.left() + (i + 0.5) * vector.width() / sources, vector.top() - 2});
  const double below = layout_.metrics.words / 2;
  const double start = layout_.said.top() > vector.bottom() ? vector.bottom() + below : vector.bottom();
  for (int i = 0; i < (at_each_step_ ? outputs : std::min(1, outputs)); ++i)
    flow({at_each_step_ ? vector.left() + (i + 0.5) * vector.width() / outputs : vector.center().x(), start + 2},
         {layout_.output.centre(i), layout_.output_top});
}

void OneVectorCanvas::paint(QPainter& painter, const QRectF&, bool marks) const {
  if (entry_ < 0) return;
  const Tokens& t = tokens();
  painter.setRenderHint(QPainter::Antialiasing);
  paint_flow(painter);
  source_head_.paint(painter, layout_.source, source_, 2);
  output_head_.paint(painter, layout_.output, output_, layout_.output_top + 4);
  const bool edited = (*result_->trace)[entry_].edited;
  for (int i = 0; i < numbers(); ++i) {
    const QRectF tile = layout_.tile(i);
    draw_tile(painter, tile, theme().signed_value(value(i) / largest_), fitting_signed(value(i), tile.width()));
    if (edited) draw_edited_dot(painter, tile);
  }
  if (marks && hovered() > 0) draw_ring(painter, layout_.tile(hovered() - 1), t.ink, 1.4);
  if (chosen_ >= 0) draw_ring(painter, layout_.tile(chosen_), t.accent);
  QRectF words = layout_.said;
  const QFont title = bold_font(type::kQuestion);
  const QString one = tr("One vector");
  write_words(painter, words, one, title, t.ink);
  words.setTop(words.top() + words_height(one, title, words.width()) + space::kTight);
  write_words(painter, words, said(), theme().ui_font(), t.ink2);
  words.setTop(words.top() + words_height(said(), theme().ui_font(), words.width()) + space::kSmall);
  if (chosen_ >= 0)
    write_words(painter, words, tr("number %1: %2").arg(counted(chosen_), short_number(value(chosen_))), bold_font(),
                t.accent);
}

// --- words

QString OneVectorCanvas::said() const {
  return at_each_step_
             ? tr("All that is known of the text stands in %1 numbers. Each output reads them again.").arg(numbers())
             : tr("All that is known of the text stands in %1 numbers. They are read once, before the first "
                  "output.")
                   .arg(numbers());
}

QString OneVectorCanvas::name() const {
  return entry_ < 0 ? tr("One vector, empty") : tr("One vector of %1 numbers").arg(numbers());
}

QString OneVectorCanvas::description() const {
  if (entry_ < 0) return {};
  const QString now = chosen_ < 0 ? tr("No number selected. Arrow keys choose one.")
                                  : tr("number %1: %2").arg(counted(chosen_), short_number(value(chosen_)));
  return said() + QLatin1Char(' ') + now;
}

QString OneVectorCanvas::place_tooltip(const int& number) const {
  return number <= 0 || number > numbers() ? QString()
                                           : tr("number %1: %2").arg(number).arg(short_number(value(number - 1)));
}

// --- mouse and keys

void OneVectorCanvas::press_place(const int& place) {
  set_chosen(place - 1);
  emit number_chosen(entry_, place - 1);
}

QRectF OneVectorCanvas::cursor_rect() const { return numbers() > 0 ? layout_.tile(std::max(0, chosen_)) : QRectF(); }

bool OneVectorCanvas::go(int right, int down) {
  if (entry_ < 0) return false;
  const int last = numbers() - 1;
  const qint64 to = chosen_ < 0 ? 0 : qint64{chosen_} + right + qint64{down} * layout_.across;
  const int number = static_cast<int>(std::clamp<qint64>(to, 0, last));
  set_chosen(number);
  emit number_chosen(entry_, number);
  return true;
}

bool OneVectorCanvas::activate() {
  if (chosen_ < 0) return false;
  emit number_chosen(entry_, chosen_);
  return true;
}

}  // namespace headlight
