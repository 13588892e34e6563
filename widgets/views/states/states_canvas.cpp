#include "widgets/views/states/states_canvas.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/base/theme.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

using Part = StatesHit::Part;

StatesCanvas::StatesCanvas(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) { announce(); }

void StatesCanvas::set_cell(std::shared_ptr<const StateCell> cell, Cone cone) {
  cell_ = std::move(cell);
  cone_ = std::move(cone);
  hover_place_ = -1;
  set_hovered({});
  labels_.clear();
  fed_.clear();
  if (cell_)
    for (const StatePlace& place : cell_->places) {
      labels_.push_back(place_label(place));
      fed_.push_back(fed_label(place));
    }
  sort_units();
  set_cursor(cursor_);
  forget();
  lay_out();
  announce();
}

void StatesCanvas::set_order(Order order) {
  if (order == order_) return;
  order_ = order;
  sort_units();
  forget();
  lay_out();
}

void StatesCanvas::sort_units() {
  units_.resize(cell_ ? static_cast<std::size_t>(cell_->units) : 0);
  std::iota(units_.begin(), units_.end(), Index{0});
  if (cell_ && order_ != Order::index) {
    const std::vector<double> key = order_ == Order::change ? cell_->changes() : cell_->openness();
    std::stable_sort(units_.begin(), units_.end(), [&](Index a, Index b) {
      return key[static_cast<std::size_t>(a)] > key[static_cast<std::size_t>(b)];
    });
  }
  rank_.resize(units_.size());
  for (std::size_t i = 0; i < units_.size(); ++i) rank_[static_cast<std::size_t>(units_[i])] = static_cast<int>(i);
}

void StatesCanvas::set_cursor(StatesCursor cursor) {
  if (cell_) {
    cursor.track = std::clamp(cursor.track, 0, static_cast<int>(cell_->tracks.size()) - 1);
    cursor.place = std::clamp(cursor.place, 0, cell_->place_count() - 1);
    cursor.unit = std::clamp<Index>(cursor.unit, 0, cell_->units - 1);
  }
  if (cursor == cursor_) return;
  cursor_ = cursor;
  announce();
  viewport()->update();
}

void StatesCanvas::set_hover_place(int place) {
  if (!cell_ || place >= cell_->place_count()) place = -1;
  if (place == hover_place_) return;
  hover_place_ = place;
  viewport()->update();
}

void StatesCanvas::choose(StatesCursor cursor) {
  if (!cell_) return;
  set_cursor(cursor);
  if (!layout_.panels.empty()) reveal(layout_.cell(cursor_.track, cursor_.place, row_of(cursor_.unit)), 20);
  emit moved(cursor_);
}

Index StatesCanvas::unit_shown(int track, int place, int row) const {
  const bool gate = cell_->tracks[static_cast<std::size_t>(track)].role == StateTrack::Role::gate;
  const std::size_t from = static_cast<std::size_t>(row * layout_.units_of_row);
  const std::size_t to = std::min(units_.size(), from + static_cast<std::size_t>(layout_.units_of_row));
  Index best = units_[from];
  double most = -1;
  for (std::size_t i = from; i < to; ++i) {
    const auto value = static_cast<double>(cell_->value(track, place, units_[i]));
    const double extreme = std::abs(gate ? value - 0.5 : value);
    if (extreme > most) {
      most = extreme;
      best = units_[i];
    }
  }
  return best;
}

StatesCanvas::Node StatesCanvas::cone_node() const {
  if (hovered().part == Part::cone) return {hovered().place, hovered().level - 1};
  return {cursor_.place, static_cast<int>(std::max<Index>(0, cell_->layer))};
}

ReceptiveCone StatesCanvas::cone() const {
  if (!cell_ || cone_.kernel == 0) return {};
  const Node node = cone_node();
  return receptive_cone(node.place, node.layer, cone_.kernel, cone_.causal, cell_->place_count());
}

QString StatesCanvas::cone_text() const {
  const ReceptiveCone seen = cone();
  if (seen.levels.empty()) return {};
  const Index count = seen.levels.front().count();
  const Node node = cone_node();
  const QString where = tr("position %1 of layer %2").arg(node.place).arg(node.layer + 1);
  const QString text = count == 1 ? tr("%1 sees 1 token").arg(where) : tr("%1 sees %2 tokens").arg(where).arg(count);
  return count < seen.reach ? tr("%1, up to %2 in a longer text").arg(text).arg(seen.reach) : text;
}

QString StatesCanvas::value_text(const StatesCursor& at) const {
  return tr("%1, unit %2, %3: %4")
      .arg(track_name(cell_->tracks[static_cast<std::size_t>(at.track)]), QString::number(at.unit),
           place_name(cell_->places[static_cast<std::size_t>(at.place)]),
           fixed_number(static_cast<double>(cell_->value(at.track, at.place, at.unit)), 4));
}

QStringList StatesCanvas::arithmetic() const {
  QStringList lines;
  if (cell_)
    for (const StateUpdate& update : cell_->updates(cursor_.place, cursor_.unit)) lines << update_text(update);
  return lines;
}

QString StatesCanvas::description() const {
  if (!cell_) return tr("This model has no recurrent cells and no gates.");
  QStringList parts{value_text(cursor_) + '.'};
  for (const QString& line : arithmetic()) parts << line + '.';
  if (cone_.kernel > 0) parts << cone_text() + '.';
  return parts.join(' ');
}

QString StatesCanvas::name() const {
  return cell_
             ? tr("States of the %1, %2 units at %3 steps").arg(cell_name(*cell_)).arg(cell_->units).arg(labels_.size())
             : tr("States, none");
}

// Room for the longest arithmetic that any unit may have, so that nothing jumps.
double StatesCanvas::arithmetic_height(double width) const {
  const QFontMetricsF metrics(Theme::instance().ui_font(0.95));
  const double digit = metrics.horizontalAdvance(QStringLiteral("(−0.000)"));
  int lines = 0;
  for (const StateUpdate& update : cell_->updates(0, 0)) {
    const double text = metrics.horizontalAdvance(QString::fromStdString(update.symbols + update.pattern) + " =  = ") +
                        static_cast<double>(update.values.size() + 2) * digit * 0.8;
    lines += std::max(1, static_cast<int>(std::ceil(text / std::max(40.0, width))));
  }
  return std::ceil(lines * metrics.height() + 6);
}

QSizeF StatesCanvas::arrange(QSizeF view) {
  forget();  // as many units share a row as there is room
  layout_ = {};
  if (cell_) {
    const Theme& theme = Theme::instance();
    const QFontMetricsF small(theme.token_font(0.85)), words(theme.ui_font(0.9));
    const double scale = theme.font_scale();
    StatesLayout::Metrics m;
    m.view = view;
    m.caption = std::ceil(words.height() + 3);
    m.line = std::ceil(small.height() + 1);
    m.mean = std::ceil(18 * scale);
    m.widest = std::max(widest_label(labels_, theme.token_font(0.85)), widest_label(fed_, theme.token_font(0.85)));
    m.most_tokens = std::ceil(48 * scale);
    m.level_name = std::ceil(words.horizontalAdvance(layer_name(9)) + 8);
    m.smallest_width = 150 * scale;
    m.smallest_chart = 90 * scale;
    m.arithmetic = arithmetic_height(std::max(m.view.width(), m.smallest_width) - 2 * m.margin);
    const int levels = cone_.kernel > 0 ? static_cast<int>(cone_.openness.size()) + 1 : 0;
    layout_ = StatesLayout::of(static_cast<int>(cell_->tracks.size()), cell_->place_count(),
                               static_cast<int>(cell_->units), levels, m);
  }
  emit arranged();
  return {layout_.width, layout_.height};
}

void StatesCanvas::press_place(const StatesHit& at) {
  if (at.part == Part::cone && at.level > 0 && at.level - 1 != cell_->layer) {
    emit layer_wanted(at.level - 1, at.place);
    return;
  }
  StatesCursor cursor = cursor_;
  if (at.place >= 0) cursor.place = at.place;
  if (at.track >= 0) cursor.track = at.track;
  if (at.part == Part::cells) cursor.unit = unit_shown(at.track, at.place, at.row);
  if (at.place >= 0) choose(cursor);
}

void StatesCanvas::open_place(const StatesHit& place) {
  if (place.part == Part::cells) emit opened(cursor_);
}

void StatesCanvas::hover_changed() {
  set_hover_place(hovered().place);
  emit placeHovered(hovered().place);
}

Qt::CursorShape StatesCanvas::pointer(const StatesHit& place) const {
  return place.place >= 0 ? Qt::CrossCursor : Qt::ArrowCursor;
}

bool StatesCanvas::go(int right, int down) {
  if (!cell_) return false;
  StatesCursor next = cursor_;
  next.place += right;
  const int rank = rank_[static_cast<std::size_t>(next.unit)] + down;
  next.unit = units_[static_cast<std::size_t>(std::clamp(rank, 0, static_cast<int>(units_.size()) - 1))];
  choose(next);
  return true;
}

// Layers are stacked upwards.
bool StatesCanvas::go_to_other(int by) {
  if (cell_) emit other_cell_wanted(-by);
  return cell_ != nullptr;
}

bool StatesCanvas::activate() {
  if (cell_) emit opened(cursor_);
  return cell_ != nullptr;
}

bool StatesCanvas::press_space() {
  if (!cell_) return false;
  StatesCursor next = cursor_;
  next.track = (next.track + 1) % static_cast<int>(cell_->tracks.size());
  choose(next);
  return true;
}

QString StatesCanvas::place_tooltip(const StatesHit& at) const {
  switch (at.part) {
    case Part::cells: {
      const StateTrack& track = cell_->tracks[static_cast<std::size_t>(at.track)];
      QString text = value_text({at.track, at.place, unit_shown(at.track, at.place, at.row)});
      if (layout_.units_of_row > 1)
        text += '\n' + tr("The most extreme of the %1 units of this row.").arg(layout_.units_of_row);
      return text + '\n' + site_help(*track.kind);
    }
    case Part::mean: {
      const QString mean = QString::number(cell_->mean(at.track, at.place), 'f', 3);
      const QString place = place_name(cell_->places[static_cast<std::size_t>(at.place)]);
      if (cell_->tracks[static_cast<std::size_t>(at.track)].role == StateTrack::Role::gate)
        return tr("%1: the gate is open to %2 on the average of all units (0 shut, 1 open).").arg(place, mean);
      return tr("%1: the numbers are %2 away from zero on the average of all units.").arg(place, mean);
    }
    case Part::tokens: {
      const StatePlace& place = cell_->places[static_cast<std::size_t>(at.place)];
      if (place.kind != StatePlace::Kind::output) return place_name(place);
      return place_name(place) + '\n' + tr("It was given ‘%1’.").arg(fed_label(place).name);
    }
    case Part::cone: {
      const double open = cone_.openness[static_cast<std::size_t>(at.level - 1)][static_cast<std::size_t>(at.place)];
      const QString help =
          cone_.causal ? tr("Each layer sees a few positions of the layer below, never a later one: the higher the "
                            "layer, the farther it looks back. Its attention, which sees the whole source, is not "
                            "part of the cone.")
                       : tr("Each layer sees a few positions of the layer below, so that the cone of what a position "
                            "knows of the text widens from layer to layer.");
      return tr("Layer %1, position %2: its gates are open to %3 on the average.")
                 .arg(at.level)
                 .arg(at.place)
                 .arg(open, 0, 'f', 3) +
             '\n' + help;
    }
    case Part::chart:
      return tr("The gates and states of unit %1 along the time.").arg(cursor_.unit);
    case Part::arithmetic:
      return tr(
          "How the new value of this unit is made, with the numbers of this step. A stroke (′) means: of the step "
          "before.");
    default:
      return {};
  }
}

}  // namespace headlight
