#include "widgets/views/positions/positions_view.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>

#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"

namespace headlight {

using Part = PositionsHit::Part;

PositionsView::PositionsView(const ViewContext& context, QWidget* parent)
    : CanvasView(Layout::scrolled, context, parent) {
  set_table(&numbers_);
  choices_ = build_choices();
  announce();
}

bool PositionsView::offers(const AnalysedRun& run) {
  const Result& result = *run.result();
  return is_rotary(result) || !position_tables(result, 1).empty() || !distance_biases(result).empty();
}

// The tables are those of the model, whatever the text; what is turned are the text's own queries.
void PositionsView::refresh() {
  const auto model = run() ? result()->model : nullptr;
  const bool other = model != model_ || !model;
  model_ = model;
  biases_.clear();
  if (run() && is_rotary(*result())) return take_rotation();
  if (other) set_tables(run() ? position_tables(*result()) : std::vector<PositionTable>{});
  if (tables_.empty()) take_biases();
  find_places();
  lay_out();
  update_numbers();
}

void PositionsView::set_tables(std::vector<PositionTable> tables) {
  mark_fresh();
  rotation_.reset();
  show_choices();
  tables_ = std::move(tables);
  pictures_.assign(tables_.size(), {});
  table_ = 0;
  for (std::size_t i = 0; i < tables_.size(); ++i)
    if (tables_[i].used && !nth(tables_, table_).used) table_ = static_cast<int>(i);
  if (!tables_.empty()) {
    position_ = std::clamp(position_, 0, static_cast<int>(active().positions()) - 1);
    if (position_ == 0) position_ = std::min(5, static_cast<int>(active().positions()) - 1);
    if (pair_ == 0)  // a wave that turns once in about eight places
      while (pair_ + 1 < active().pairs() && tables_.front().turn(pair_) > 0.8) ++pair_;
    pair_ = std::clamp(pair_, 0, static_cast<int>(active().pairs()) - 1);
  }
  find_places();
  lay_out();
  update_numbers();
}

void PositionsView::choose(int table, int position, int pair) {
  if (is_empty()) return;
  const int before = table_;
  const bool of_bias = tables_.empty();
  table_ = std::clamp(table, 0, static_cast<int>(of_bias ? biases_.size() : tables_.size()) - 1);
  const DistanceBias* bias = of_bias ? &nth(biases_, table_) : nullptr;
  const int positions = of_bias     ? static_cast<int>(bias->distances.size())
                        : rotation_ ? static_cast<int>(active().positions())
                                    : count_;
  position = std::clamp(position, 0, positions - 1);
  pair = std::clamp(pair, 0,
                    static_cast<int>(of_bias     ? bias->heads()
                                     : rotation_ ? rotation_->pairs()
                                                 : active().pairs()) -
                        1);
  if (table_ == before && position == position_ && pair == pair_) return;
  position_ = position;
  pair_ = pair;
  update_numbers();
  emit chosen(table_, position_, pair_);
}

void PositionsView::update_numbers() {
  const auto show = [this](const Tensor& values) {
    numbers_.set_matrix(static_cast<int>(values.rows()), static_cast<int>(values.columns()),
                        std::vector<float>(values.data(), values.data() + values.size()));
  };
  if (tables_.empty() && !biases_.empty()) {
    const DistanceBias& bias = nth(biases_, table_);
    std::vector<AxisLabel> heads, distances;
    for (Index head = 0; head < bias.heads(); ++head) heads.push_back({head_name(head), false, {}});
    for (const double each : bias.distances) distances.push_back({QString::number(each), false, {}});
    show(bias.values);
    numbers_.set_labels(std::move(heads), std::move(distances));
    numbers_.set_corner(tr("head"));
  } else if (rotation_ && angles_shown_) {
    const RotaryAngles all = angles();
    const auto count = static_cast<int>(all.positions.size());
    std::vector<float> values;
    std::vector<AxisLabel> positions;
    for (std::size_t i = 0; i < all.positions.size(); ++i) {
      values.push_back(static_cast<float>(all.plain[i]));
      values.push_back(static_cast<float>(all.scaled[i]));
      positions.push_back({QString::number(all.positions[i]), false, {}});
    }
    numbers_.set_matrix(count, 2, std::move(values));
    numbers_.set_labels(std::move(positions), {{tr("angle without scaling"), false, {}}, {tr("angle"), false, {}}});
    numbers_.set_corner(tr("position"));
  } else if (tables_.empty()) {
    numbers_.set_matrix(0, 0, {});
  } else {
    show(active().values);
    numbers_.set_labels({}, {});
    numbers_.set_corner(tr("position"));
  }
  choice_changed();
}

QString PositionsView::table_name(const PositionTable& table) const {
  if (rotation_) return table.used ? tr("queries, turned") : tr("queries");
  if (!table.learned()) return table.used ? tr("the model's sinusoids") : tr("sinusoids, to compare");
  if (table.parameter.starts_with("encoder")) return tr("learned by the encoder");
  if (table.parameter.starts_with("decoder")) return tr("learned by the decoder");
  return tr("learned");
}

double PositionsView::value(Index position, bool second) const {
  const PositionTable& table = active();
  return static_cast<double>(
      table.values[position * table.size() + (second ? table.second(pair_) : table.first(pair_))]);
}

QString PositionsView::description() const {
  if (rotation_ || (run() && is_rotary(*result()))) return rotation_description();
  if (!biases_.empty()) return bias_description();
  if (tables_.empty()) return tr("This model does not add numbers for positions.");
  const PositionTable& table = active();
  QString text = tr("Place %1, numbers %2 and %3 of %4: %5 and %6.")
                     .arg(counted(position_))
                     .arg(table.first(pair_))
                     .arg(table.second(pair_))
                     .arg(table.size())
                     .arg(value(position_, false), 0, 'f', 3)
                     .arg(value(position_, true), 0, 'f', 3);
  if (!table.learned())
    text += ' ' + tr("The pair turns once in %1 positions.").arg(2 * M_PI / table.turn(pair_), 0, 'f', 1);
  return text;
}

QString PositionsView::name() const {
  if (tables_.empty() && !biases_.empty()) return tr("Positions: what is added to scores by distance");
  return tables_.empty() ? tr("Positions, none") : tr("Positions: %1").arg(table_name(active()));
}

void PositionsView::forget() {
  for (QImage& image : pictures_) image = {};
  show_choices();
}

QSizeF PositionsView::arrange(QSizeF view) {
  if (!biases_.empty()) return view.expandedTo(QSizeF(340, 260) * theme().font_scale());
  if (!rotation_) return arrange_places(view);
  const double line = QFontMetricsF(theme().ui_font(type::kSource)).height();
  const QFontMetricsF numbers(theme().ui_font(type::kHead));
  PositionsLayout::Metrics m;
  m.view = view;
  m.caption = std::ceil(line + 4);
  m.axis = std::ceil(numbers.height() + 2);
  m.axis_width = std::ceil(text_width(QStringLiteral("-0.55"), theme().ui_font(type::kHead)) + 4);
  m.distances = std::max(16, static_cast<int>(rotation_->rows()) - 1);
  m.smallest = QSizeF(340, 300) * theme().font_scale();
  std::vector<int> rows, columns;
  for (const PositionTable& table : tables_) {
    rows.push_back(static_cast<int>(table.positions()));
    columns.push_back(static_cast<int>(table.size()));
  }
  layout_ = PositionsLayout::of(rows, columns, m);
  return {layout_.width, layout_.height};
}

void PositionsView::drag_to(const PositionsHit& place, QPointF point) {
  switch (place.part) {
    case Part::table: {
      const PositionTable& table = nth(tables_, place.table);
      const int column = layout_.column_near(place.table, point);
      const auto pairs = static_cast<int>(rotation_->pairs());
      const int pair = table.halves ? column % std::max(1, pairs) : column / 2;
      return choose(place.table, layout_.position_near(Part::table, place.table, point), pair);
    }
    case Part::similarity:
      return choose_key(row_at_distance(layout_.position_near(place.part, -1, point) - layout_.metrics.distances));
    default:
      break;
  }
}

void PositionsView::press(QPointF point, Qt::KeyboardModifiers) {
  if (tables_.empty()) return;
  if (!rotation_) return press_places(point);
  dragged_ = layout_.place_at(point);
  drag_to(dragged_, point);
}

void PositionsView::drag(QPointF point) { rotation_ ? drag_to(dragged_, point) : press_places(point); }

QString PositionsView::tooltip(QPointF point) const {
  if (tables_.empty()) return {};
  return rotation_ ? rotation_tooltip(layout_.place_at(point)) : places_tooltip(places_.place_at(point));
}

Qt::CursorShape PositionsView::hover(QPointF point) {
  if (!rotation_)
    return places_.place_at(point).part == PlacesHit::Part::none ? Qt::ArrowCursor : Qt::PointingHandCursor;
  const Part part = layout_.place_at(point).part;
  return part == Part::none || part == Part::clock ? Qt::ArrowCursor : Qt::CrossCursor;
}

QRectF PositionsView::cursor_rect() const {
  if (tables_.empty()) return {};
  if (!rotation_) {
    const std::vector<int> shown = panels();
    const auto at = std::max<std::ptrdiff_t>(0, std::ranges::find(shown, table_) - shown.begin());
    if (at >= static_cast<std::ptrdiff_t>(places_.panels.size())) return {};
    const PlacesLayout::Panel& panel = nth(places_.panels, at);
    return panel.columns.cell(std::min(position_, panel.columns.count() - 1), panel.head.top(), panel.head.height());
  }
  const QRectF& rect = nth(layout_.tables, table_);
  const double down = rect.height() / static_cast<double>(nth(tables_, table_).positions());
  return {rect.left(), rect.top() + position_ * down, rect.width(), std::max(1.0, down)};
}

bool PositionsView::go(int right, int down) {
  if (rotation_) {
    choose(table_, position_ + down, pair_ + right);
    return true;
  }
  // Along the lines: their pairs, from fast to slow.
  choose(table_, position_ + right, pair_ + down);
  return true;
}

bool PositionsView::press_key(const QKeyEvent& event) {
  const bool up = event.key() == Qt::Key_Up, down = event.key() == Qt::Key_Down;
  if (rotation_ && (up || down) && event.modifiers() & Qt::ShiftModifier)
    choose_key(key() + (up ? -1 : 1));
  else if (rotation_ && event.key() == Qt::Key_A && event.modifiers() == Qt::NoModifier)
    show_angles(!angles_shown_);
  else if (event.key() == Qt::Key_Space && !is_empty())
    choose((table_ + 1) % static_cast<int>(tables_.empty() ? biases_.size() : tables_.size()), position_, pair_);
  else
    return false;
  return true;
}

ColourKey PositionsView::colour_key() const {
  if (rotation_ || table_ < 0 || table_ >= static_cast<int>(tables_.size())) return {};
  const Tensor& values = nth(tables_, table_).values;
  if (values.size() == 0) return {};
  return {ColourKey::Kind::signs, std::max(1e-9, static_cast<double>(values.array().abs().maxCoeff()))};
}

}  // namespace headlight
