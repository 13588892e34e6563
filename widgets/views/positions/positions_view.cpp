#include "widgets/views/positions/positions_view.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>

#include "widgets/base/theme.h"
#include "widgets/canvas/analysed_run.h"

namespace headlight {

using Part = PositionsHit::Part;

PositionsView::PositionsView(const ViewContext& context, QWidget* parent)
    : CanvasView(Layout::scrolled, context, parent) {
  set_table(&numbers_);
  choices_ = build_choices();
  announce();
}

bool PositionsView::offers(const AnalysedRun& run) {
  return is_rotary(*run.result()) || !position_tables(*run.result(), 1).empty();
}

// The tables are those of the model, whatever the text; what is turned are the text's own queries.
void PositionsView::refresh() {
  const auto model = run() ? result()->model : nullptr;
  const bool other = model != model_ || !model;
  model_ = model;
  if (run() && is_rotary(*result())) return take_rotation();
  if (other) set_tables(run() ? position_tables(*result()) : std::vector<PositionTable>{});
}

void PositionsView::set_tables(std::vector<PositionTable> tables) {
  mark_fresh();
  rotation_.reset();
  show_choices();
  tables_ = std::move(tables);
  pictures_.assign(tables_.size(), {});
  table_ = 0;
  for (std::size_t i = 0; i < tables_.size(); ++i)
    if (tables_[i].used && !tables_[static_cast<std::size_t>(table_)].used) table_ = static_cast<int>(i);
  if (!tables_.empty()) {
    position_ = std::clamp(position_, 0, static_cast<int>(active().positions()) - 1);
    if (position_ == 0) position_ = std::min(8, static_cast<int>(active().positions()) - 1);
    pair_ = std::clamp(pair_ == 0 ? static_cast<int>(active().pairs() / 8) : pair_, 0,
                       static_cast<int>(active().pairs()) - 1);
  }
  lay_out();
  update_numbers();
}

void PositionsView::choose(int table, int position, int pair) {
  if (tables_.empty()) return;
  const int before = table_;
  table_ = std::clamp(table, 0, static_cast<int>(tables_.size()) - 1);
  position = std::clamp(position, 0, static_cast<int>(active().positions()) - 1);
  pair = std::clamp(pair, 0, static_cast<int>(active().pairs()) - 1);
  if (table_ == before && position == position_ && pair == pair_) return;
  position_ = position;
  pair_ = pair;
  update_numbers();
  emit chosen(table_, position_, pair_);
}

void PositionsView::update_numbers() {
  similarities_.clear();
  for (const PositionTable& table : tables_)
    similarities_.push_back(position_similarity(table, std::min<Index>(position_, table.positions() - 1)));
  if (tables_.empty()) {
    numbers_.set_matrix(0, 0, {});
  } else {
    const Tensor& values = active().values;
    numbers_.set_matrix(static_cast<int>(values.rows()), static_cast<int>(values.columns()),
                        std::vector<float>(values.data(), values.data() + values.size()));
    numbers_.set_corner(tr("position"));
  }
  announce();
  viewport()->update();
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

double PositionsView::largest() const {
  double most = 0;
  for (Index p = 0; p < active().positions(); ++p)
    most = std::max({most, std::abs(value(p, false)), std::abs(value(p, true))});
  return most > 0 ? most : 1;
}

QString PositionsView::description() const {
  if (rotation_ || (run() && is_rotary(*result()))) return rotation_description();
  if (tables_.empty()) return tr("This model does not add numbers for positions.");
  const PositionTable& table = active();
  QString text = tr("Position %1, numbers %2 and %3 of %4: %5 and %6.")
                     .arg(position_)
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
  return tables_.empty() ? tr("Positions, none") : tr("Positions: %1").arg(table_name(active()));
}

void PositionsView::forget() {
  for (QImage& image : pictures_) image = {};
  show_choices();
}

QSizeF PositionsView::arrange(QSizeF view) {
  const double line = QFontMetricsF(Theme::instance().ui_font(0.9)).height();
  const QFontMetricsF numbers(Theme::instance().ui_font(0.82));
  PositionsLayout::Metrics m;
  m.view = view;
  m.caption = std::ceil(line + 4);
  m.axis = std::ceil(numbers.height() + 2);
  m.axis_width = std::ceil(numbers.horizontalAdvance(QStringLiteral("-0.55")) + 4);
  if (rotation_) m.distances = std::max(16, static_cast<int>(rotation_->rows()) - 1);
  m.smallest = (rotation_ ? QSizeF(340, 300) : QSizeF(400, 330)) * Theme::instance().font_scale();
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
      const PositionTable& table = tables_[static_cast<std::size_t>(place.table)];
      const int column = layout_.column_near(place.table, point);
      const auto pairs = static_cast<int>(table.pairs());
      const int pair = table.halves ? column % std::max(1, pairs) : column / 2;
      return choose(place.table, layout_.position_near(Part::table, place.table, point), pair);
    }
    case Part::similarity:
      if (rotation_)
        return choose_key(row_at_distance(layout_.position_near(place.part, -1, point) - layout_.metrics.distances));
      [[fallthrough]];
    case Part::curves:
      return choose(table_, layout_.position_near(place.part, -1, point), pair_);
    default:
      break;
  }
}

void PositionsView::press(QPointF point, Qt::KeyboardModifiers) {
  if (tables_.empty()) return;
  dragged_ = layout_.place_at(point);
  drag_to(dragged_, point);
}

Qt::CursorShape PositionsView::hover(QPointF point) {
  const Part part = layout_.place_at(point).part;
  return part == Part::none || part == Part::clock ? Qt::ArrowCursor : Qt::CrossCursor;
}

bool PositionsView::go(int right, int down) {
  choose(table_, position_ + down, pair_ + right);
  return true;
}

bool PositionsView::press_key(const QKeyEvent& event) {
  const bool up = event.key() == Qt::Key_Up, down = event.key() == Qt::Key_Down;
  if (rotation_ && (up || down) && event.modifiers() & Qt::ShiftModifier)
    choose_key(key() + (up ? -1 : 1));
  else if (event.key() == Qt::Key_Space && !tables_.empty())
    choose((table_ + 1) % static_cast<int>(tables_.size()), position_, pair_);
  else
    return false;
  return true;
}

QString PositionsView::place_tooltip(const PositionsHit& place) const {
  if (rotation_) return rotation_tooltip(place);
  switch (place.part) {
    case Part::table: {
      const PositionTable& table = tables_[static_cast<std::size_t>(place.table)];
      const double number =
          static_cast<double>(table.values[static_cast<Index>(place.position) * table.size() + place.column]);
      return tr("Position %1, number %2: %3").arg(place.position).arg(place.column).arg(number, 0, 'g', 4) + '\n' +
             tr("Each row is added to the token at that position, so that the model can tell the first word from the "
                "fifth. Drag to choose a position and a pair of numbers.");
    }
    case Part::curves:
      return tr(
          "Two numbers of the table along all positions. In the formula they are the sine and the cosine of one "
          "angle; pairs farther right turn more slowly. Drag to choose a position.");
    case Part::clock:
      return tr(
          "The pair as the hand of a clock: one position farther, it has turned by a fixed angle. That is how a "
          "distance between two positions can be read off. Learned numbers need not turn.");
    case Part::similarity:
      return tr(
          "How alike the chosen position is to each other one (the cosine of their rows). For sinusoids it "
          "depends on the distance alone, and falls with it.");
    default:
      return {};
  }
}

}  // namespace headlight
