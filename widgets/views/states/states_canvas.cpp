#include "widgets/views/states/states_canvas.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"
#include "widgets/text/trace_labels.h"

namespace headlight {

using Part = StatesHit::Part;

StatesCanvas::StatesCanvas(QWidget* parent) : PlaceCanvas(Layout::scrolled, parent) { announce(); }

void StatesCanvas::set_cell(std::shared_ptr<const StateCell> cell, Cone cone) {
  cell_ = std::move(cell);
  cone_ = cone;
  hover_place_ = -1;
  set_hovered({});
  find_places();
  std::vector<int> read = places_;  // what stands for blanks tells nothing of the text
  if (folded_ >= 0) read.pop_back();
  telling_ = cell_ ? telling_units(*cell_, read) : TellingUnits{};
  story_ = cell_ ? story_rows(*cell_) : std::vector<StoryRow>{};
  const bool between = cell_ && cell_->kind != StateCell::Kind::glu;
  largest_ = cell_ && !between ? std::max(1e-9, cell_->largest(shown_track(*cell_))) : 1;
  if (!chosen_ && !telling_.order.empty()) cursor_.unit = telling_.order.front();
  if (!chosen_ && cell_) cursor_.track = shown_track(*cell_);
  cursor_ = nearest(cursor_);
  find_groups();
  forget();
  lay_out();
  announce();
}

// Paddings next to each other are one column: what the cell knows when it has read them.
void StatesCanvas::find_places() {
  places_.clear();
  labels_.clear();
  folded_ = -1;
  if (!cell_) return;
  const int count = cell_->place_count();
  int first = count;
  while (first > 0 && nth(cell_->places, first - 1).padding) --first;
  const bool fold = !unfolded_ && count - first >= 2 && first > 0;
  places_.resize(static_cast<std::size_t>(fold ? first : count));
  std::iota(places_.begin(), places_.end(), 0);
  for (const int place : places_) labels_.push_back(place_label(nth(cell_->places, place)));
  if (!fold) return;
  folded_ = first;
  places_.push_back(cell_->reads_backward() ? first : count - 1);
  labels_.push_back({tr("after\npadding (%1)").arg(count - first), true, tr("after padding (%1)").arg(count - first)});
}

void StatesCanvas::set_unfolded(bool unfolded) {
  if (std::exchange(unfolded_, unfolded) != unfolded) set_cell(cell_, cone_);
}

void StatesCanvas::find_groups() {
  groups_.clear();
  if (!cell_) return;
  const auto holds = [&](const std::vector<Index>& units) {
    return std::ranges::find(units, cursor_.unit) != units.end();
  };
  if (!holds(telling_.digits) && !holds(telling_.moving) && !holds(telling_.still))
    groups_.push_back({tr("chosen"), {cursor_.unit}});
  if (!telling_.digits.empty()) groups_.push_back({tr("tell digits from letters"), telling_.digits});
  if (!telling_.moving.empty()) groups_.push_back({tr("change most"), telling_.moving});
  if (!telling_.still.empty()) groups_.push_back({tr("hardly change"), telling_.still});
}

Index StatesCanvas::unit_at(int shown) const {
  for (const Group& group : groups_) {
    if (shown < static_cast<int>(group.units.size())) return nth(group.units, shown);
    shown -= static_cast<int>(group.units.size());
  }
  return cursor_.unit;
}

int StatesCanvas::column() const {
  const auto at = std::ranges::find(places_, cursor_.place);
  if (at != places_.end()) return static_cast<int>(at - places_.begin());
  return folded_;
}

StatesCursor StatesCanvas::nearest(StatesCursor cursor) const {
  if (!cell_) return cursor;
  cursor.track = std::clamp(cursor.track, 0, static_cast<int>(cell_->tracks.size()) - 1);
  cursor.place = std::clamp(cursor.place, 0, cell_->place_count() - 1);
  cursor.unit = std::clamp<Index>(cursor.unit, 0, cell_->units - 1);
  return cursor;
}

void StatesCanvas::set_cursor(StatesCursor cursor) {
  cursor = nearest(cursor);
  if (cursor == cursor_) return;
  const bool other_unit = cursor.unit != cursor_.unit;
  cursor_ = cursor;
  chosen_ = chosen_ || other_unit;
  if (other_unit && cell_) {
    find_groups();
    lay_out();
  }
  choice_changed();
}

void StatesCanvas::set_hover_place(int place) {
  if (!cell_ || place >= cell_->place_count()) place = -1;
  move_mark(hover_place_, place);
}

void StatesCanvas::choose(StatesCursor cursor) {
  if (!cell_) return;
  chosen_ = true;
  set_cursor(cursor);
  if (const int at = column(); at >= 0) {
    const double x = layout_.columns.left(at);
    reveal({x - layout_.metrics.name, layout_.opened.top(), layout_.metrics.name + layout_.columns.width(at),
            layout_.opened.height()});
  }
  emit moved(cursor_);
}

ReceptiveCone StatesCanvas::cone() const {
  if (!cell_ || cone_.kernel == 0) return {};
  return receptive_cone(cursor_.place, std::max<Index>(0, cell_->layer), cone_.kernel, cone_.causal,
                        cell_->place_count());
}

QString StatesCanvas::cone_text() const {
  const ReceptiveCone seen = cone();
  if (seen.levels.empty()) return {};
  const Index count = seen.levels.front().count();
  const QString where =
      tr("position %1 of layer %2").arg(counted(cursor_.place), counted(std::max<Index>(0, cell_->layer)));
  const QString text = count == 1 ? tr("%1 sees 1 token").arg(where) : tr("%1 sees %2 tokens").arg(where).arg(count);
  return count < seen.reach ? tr("%1, up to %2 in a longer text").arg(text).arg(seen.reach) : text;
}

QString StatesCanvas::value_text(const StatesCursor& at) const {
  return tr("%1, unit %2, %3: %4")
      .arg(track_name(nth(cell_->tracks, at.track)), counted(at.unit), place_name(nth(cell_->places, at.place)),
           plain_number(static_cast<double>(cell_->value(at.track, at.place, at.unit)), 4));
}

QString StatesCanvas::description() const {
  if (!cell_) return tr("This model has no recurrent cells and no gates.");
  QStringList parts{value_text(cursor_) + '.'};
  for (const StateUpdate& update : cell_->updates(cursor_.place, cursor_.unit)) parts << update_text(update) + '.';
  if (const QString sentence = story_sentence(*cell_, cursor_.place, cursor_.unit); !sentence.isEmpty())
    parts << sentence;
  if (cone_.kernel > 0) parts << cone_text() + '.';
  return parts.join(' ');
}

QString StatesCanvas::name() const {
  return cell_ ? tr("States of the %1, %2 units at %3 steps")
                     .arg(cell_name(*cell_))
                     .arg(cell_->units)
                     .arg(cell_->place_count())
               : tr("States, none");
}

QString StatesCanvas::direction_text() const {
  return is_folded() ? tr("it reads from the end, padding first") : tr("it reads from the end");
}

QSizeF StatesCanvas::arrange(QSizeF view) {
  layout_ = {};
  if (!cell_) return {};
  const QFontMetricsF words(theme().ui_font()), small(theme().ui_font(type::kSource)), title(bold_font(type::kTitle));
  const double scale = theme().font_scale();
  StatesLayout::Metrics m;
  m.view = view;
  m.shares = column_shares(labels_);
  m.margin = view.width() < 500 * scale ? space::kSmall : space::kMargin;
  double widest = QFontMetricsF(bold_font(type::kQuestion)).horizontalAdvance(tr("Unit %1").arg(cell_->units));
  for (const StoryRow& row : story_)
    widest = std::max(widest, words.horizontalAdvance(story_name(row.what)) + 7 +
                                  text_width(story_term(*cell_, row.what), theme().ui_font(type::kSource)));
  m.name = std::ceil(m.margin + widest + 12);
  double names = 0;
  for (const StoryLine& line : story_lines(*cell_, cursor_.place, cursor_.unit))
    names = std::max(names, text_width(line.name, theme().ui_font()));
  const QString longest = QStringLiteral("0.00 × tanh (−0.00) = −0.00");
  m.side = std::ceil(std::max(236 * scale, names + 16 + text_width(longest, bold_font())));
  m.title = std::ceil(small.height() + 5);
  m.row = std::ceil(words.height() * 1.9);
  m.bars = std::ceil(4.6 * words.height() + title.height());
  m.strip = std::ceil(words.height() * 1.75);
  m.line = std::ceil(words.height() + 7);
  m.gap = space::kMedium;
  m.units = static_cast<int>(cell_->units);
  m.story = static_cast<int>(story_.size());
  m.levels = cone_.kernel > 0 ? static_cast<int>(cone().levels.size()) : 0;
  m.lines = static_cast<int>(story_lines(*cell_, cursor_.place, cursor_.unit).size());
  m.about = std::ceil(QFontMetricsF(bold_font(type::kTitle)).height() + 2 * words.height() + 14);
  int shown = 0;
  for (const Group& group : groups_) {
    m.groups.push_back(static_cast<int>(group.units.size()));
    for (const Index unit : group.units) {
      if (unit == cursor_.unit) m.opened = shown;
      ++shown;
    }
  }
  m.least_column = 14 * scale;
  m.most_column = 110 * scale;
  layout_ = StatesLayout::of(m);  // its columns do not depend on what stands above them
  if (folded_ >= 0) {
    m.shares = column_shares(labels_, layout_.columns.width(folded_) / m.shares.back());
    layout_ = StatesLayout::of(m);
  }
  head_ = ColumnHead::of(layout_.columns, labels_, type::kQuestion, 96 * scale);
  if (cell_->reads_backward())
    head_.height = std::max(
        head_.height, words_height(direction_text(), theme().ui_font(type::kSource), m.name - m.margin - kArrow) + 4);
  m.head = head_.height + 4;
  const QString caption = story_caption(*cell_);
  m.sentence = story_.empty() ? 0
                              : words_height(caption, theme().ui_font(type::kSource),
                                             std::min(layout_.columns.right(), view.width()) - m.name) +
                                    6;
  layout_ = StatesLayout::of(m);
  return {layout_.width, layout_.height};
}

double StatesCanvas::held(const QRectF& sight) const { return std::max(0.0, sight.left()); }

void StatesCanvas::press_place(const StatesHit& at) {
  StatesCursor cursor = cursor_;
  if (at.part == Part::tokens && at.column == folded_ && folded_ >= 0) return set_unfolded(true);
  if (at.column >= 0) cursor.place = place_of(at.column);
  switch (at.part) {
    case Part::bars:
      cursor.unit = unit_at(at.unit);
      cursor.track = shown_track(*cell_);
      break;
    case Part::story:
      cursor.track = nth(story_, at.row).track;
      break;
    case Part::map:
      cursor.unit = nth(telling_.order, at.row);
      cursor.track = shown_track(*cell_);
      break;
    case Part::line:
      cursor.track = nth(story_lines(*cell_, cursor_.place, cursor_.unit), at.row).track;
      break;
    default:
      break;
  }
  choose(cursor);
}

void StatesCanvas::open_place(const StatesHit& place) {
  if (place.part != Part::tokens) emit opened(cursor_);
}

void StatesCanvas::drag(QPointF point) {
  const StatesHit at = place_at(point);
  if (at.part == Part::map || at.part == Part::bars || at.part == Part::story) press_place(at);
}

void StatesCanvas::hover_changed() {
  const int place = hovered().column >= 0 ? place_of(hovered().column) : -1;
  set_hover_place(place);
  emit placeHovered(place);
}

QRectF StatesCanvas::cursor_rect() const {
  if (!cell_ || layout_.columns.count() == 0) return {};
  return layout_.columns.cell(std::max(0, column()), layout_.bars.top(), layout_.bars.height());
}

bool StatesCanvas::go(int right, int down) {
  if (!cell_) return false;
  StatesCursor next = cursor_;
  const int last = static_cast<int>(places_.size()) - 1;
  next.place = place_of(std::clamp(std::max(0, column()) + right, 0, last));
  if (down != 0) {
    int shown = 0;
    for (const Group& group : groups_) shown += static_cast<int>(group.units.size());
    next.unit = unit_at(std::clamp(layout_.metrics.opened + down, 0, shown - 1));
  }
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

// The bars, then the rows of the opened unit.
bool StatesCanvas::press_space() {
  if (!cell_) return false;
  std::vector<int> tracks{shown_track(*cell_)};
  for (const StoryRow& row : story_)
    if (row.track != tracks.front()) tracks.push_back(row.track);
  const auto at = std::ranges::find(tracks, cursor_.track);
  StatesCursor next = cursor_;
  next.track = at == tracks.end() || at + 1 == tracks.end() ? tracks.front() : *(at + 1);
  choose(next);
  return true;
}

bool StatesCanvas::press_key(const QKeyEvent& event) {
  if (!cell_) return false;
  if (event.key() == Qt::Key_Escape && unfolded_) {
    set_unfolded(false);
    return true;
  }
  const bool up = event.key() == Qt::Key_Up, down = event.key() == Qt::Key_Down;
  if (!(event.modifiers() & Qt::ShiftModifier) || (!up && !down)) return false;
  const auto& order = telling_.order;
  const auto at = std::ranges::find(order, cursor_.unit) - order.begin() + (up ? -1 : 1);
  StatesCursor next = cursor_;
  next.unit = nth(order, std::clamp<std::ptrdiff_t>(at, 0, static_cast<std::ptrdiff_t>(order.size()) - 1));
  choose(next);
  return true;
}

QString StatesCanvas::place_tooltip(const StatesHit& at) const {
  const auto help = [&](int track) { return site_help(*nth(cell_->tracks, track).kind); };
  const int shown = cell_ ? shown_track(*cell_) : 0;
  switch (at.part) {
    case Part::bars: {
      if (at.column < 0)
        return tr("Click to see how the numbers of unit %1 come about.").arg(counted(unit_at(at.unit)));
      return value_text({shown, place_of(at.column), unit_at(at.unit)}) + '\n' + help(shown);
    }
    case Part::story: {
      const StoryRow& row = nth(story_, at.row);
      if (at.column < 0) return help(row.track);
      const int place = place_of(at.column);
      QStringList lines{value_text({row.track, place, cursor_.unit})};
      for (const StateUpdate& update : cell_->updates(place, cursor_.unit)) lines << update_text(update, 4);
      return lines.join('\n') + '\n' + help(row.track);
    }
    case Part::map: {
      const Index unit = nth(telling_.order, at.row);
      return value_text({shown, place_of(at.column), unit}) + '\n' + tr("Click to open this unit.");
    }
    case Part::line: {
      const auto lines = story_lines(*cell_, cursor_.place, cursor_.unit);
      return value_text({nth(lines, at.row).track, cursor_.place, cursor_.unit});
    }
    case Part::tokens: {
      if (at.column == folded_)
        return tr("%1: click to see each of them, Esc folds them again.").arg(nth(labels_, at.column).words());
      const StatePlace& place = nth(cell_->places, place_of(at.column));
      if (place.kind != StatePlace::Kind::output) return place_name(place);
      return place_name(place) + '\n' + tr("It was given ‘%1’.").arg(fed_label(place).name);
    }
    case Part::cone:
      return cone_text() + '\n' +
             (cone_.causal ? tr("Each layer sees a few positions of the layer below, never a later one: the higher the "
                                "layer, the farther it looks back. Its attention, which sees the whole source, is not "
                                "part of the cone.")
                           : tr("Each layer sees a few positions of the layer below, so that the cone of what a "
                                "position knows of the text widens from layer to layer."));
    case Part::none:
      break;
  }
  return {};
}

}  // namespace headlight
