#include "widgets/views/influence/influence_canvas.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/influence/influence_words.h"

namespace headlight {

using Part = InfluenceHit::Part;

double InfluencePicture::number(int row, int lane) const {
  const LivingStation& at = station(row);
  const int s = nth(rows, row);
  if (!at.has(lane) || numbers.empty()) return std::numeric_limits<double>::quiet_NaN();
  return nth(nth(numbers, s), lane - at.first);
}

int InfluencePicture::steps(int row, int lane) const {
  const LivingStation& at = station(row);
  return at.has(lane) && !field.steps.empty() ? nth(nth(field.steps, nth(rows, row)), lane - at.first) : -1;
}

InfluenceCanvas::InfluenceCanvas(InfluenceMode mode, QWidget* parent)
    : PlaceCanvas(Layout::scrolled, parent), mode_(mode) {
  announce();
}

void InfluenceCanvas::set_picture(InfluenceMode mode, std::shared_ptr<const InfluencePicture> picture) {
  const bool first = !picture_;
  const bool same =
      picture_ && picture && mode == mode_ && picture_->map == picture->map && picture_->lanes == picture->lanes;
  mode_ = mode;
  picture_ = std::move(picture);
  largest_ = 0;
  hovered_lane_ = -1;
  // A state moves itself as it is: that is compared with nothing.
  for (int row = 0; row < rows(); ++row)
    for (int lane = 0; lane < lanes(); ++lane)
      if (const double found = picture_->number(row, lane);
          found > largest_ && picture_->of != StateAt{nth(picture_->rows, row), lane})
        largest_ = found;
  if (rows() > 0) {
    if (first) lane_ = picture_->of.lane;
    row_ = std::clamp(row_, 0, rows() - 1);
    const LivingStation& station = picture_->station(row_);
    lane_ = std::clamp(lane_, station.first, station.first + station.count - 1);
  }
  if (!same) lay_out();
  if (picture_ && picture_->of.station >= 0) set_cursor(picture_->of);
  choice_changed();
}

StateAt InfluenceCanvas::cursor() const { return rows() > 0 ? StateAt{nth(picture_->rows, row_), lane_} : StateAt{}; }

void InfluenceCanvas::set_cursor(StateAt state) {
  if (!picture_) return;
  const auto row = std::ranges::find(picture_->rows, state.station);
  if (row == picture_->rows.end() || !picture_->station(static_cast<int>(row - picture_->rows.begin())).has(state.lane))
    return;
  row_ = static_cast<int>(row - picture_->rows.begin());
  lane_ = state.lane;
  reveal(cursor_rect());
  choice_changed();
}

void InfluenceCanvas::set_hovered_lane(int lane) { move_mark(hovered_lane_, lane); }

QSizeF InfluenceCanvas::arrange(QSizeF view) {
  layout_ = {};
  if (!picture_) return {};
  const double scale = theme().font_scale();
  const QFont font = theme().ui_font(type::kSource);
  InfluenceLayout::Metrics m;
  m.view = view;
  m.shares = column_shares(picture_->lanes);
  m.rows = rows();
  m.plot = mode_ == InfluenceMode::lags;
  m.means = mode_ == InfluenceMode::layers;
  m.margin = view.width() < 500 * scale ? space::kSmall : space::kMargin;
  const double line = std::ceil(QFontMetricsF(font).height());
  double widest = m.plot ? text_width(short_number(1e-9, 1), font) : 0;
  for (int row = 0; row < rows(); ++row)
    widest = std::max(widest, m.plot ? 0 : text_width(layer_of_states(picture_->station(row)), font));
  m.name = std::ceil(std::min(m.margin + widest + space::kMedium, std::max(70.0, 0.35 * view.width())));
  m.side = std::ceil(170 * scale);
  m.axis = line + space::kTight;
  m.least_row = std::ceil(line + 2);
  m.most_row = 160 * scale;
  m.least_plot = 160 * scale;
  m.least_column = 9 * scale;
  m.most_column = 200 * scale;
  layout_ = InfluenceLayout::of(m);
  head_ = ColumnHead::of(layout_.columns, picture_->lanes, are_letters(picture_->lanes) ? type::kQuestion : 1.2,
                         96 * scale);
  m.head = std::ceil(head_.height + space::kSmall);
  layout_ = InfluenceLayout::of(m);
  return {layout_.width, layout_.height};
}

double InfluenceCanvas::shade(double number) const {
  constexpr double kDecades = 3;
  if (!(number > 0) || !(largest_ > 0)) return 0;
  return std::clamp(1 + std::log10(number / largest_) / kDecades, 0.06, 1.0);
}

// --- words

QString InfluenceCanvas::state_name(int row, int lane) const {
  return tr("%1 at %2").arg(layer_of_states(picture_->station(row)), in_quotes(nth(picture_->lanes, lane).words()));
}

QString InfluenceCanvas::asked_name() const {
  const StateAt& of = picture_->of;
  if (of.station >= 0) {
    const auto row = std::ranges::find(picture_->rows, of.station) - picture_->rows.begin();
    return state_name(static_cast<int>(row), of.lane);
  }
  const LivingLane& lane = nth(picture_->map->lanes, of.lane);
  return tr("the score of %1").arg(in_quotes(token_text(lane.written).name));
}

QString InfluenceCanvas::number_sentence(int row, int lane) const {
  const double found = picture_->number(row, lane);
  if (std::isnan(found)) return state_name(row, lane);
  return tr("%1 moves %2: length of the derivative %3")
      .arg(state_name(row, lane), asked_name(), short_number(found, 3));
}

QString InfluenceCanvas::sentence() const {
  if (!picture_) return {};
  const ReceptiveField& field = picture_->field;
  if (mode_ == InfluenceMode::cone) {
    const QString reached = tr("%1 is reached by %2 of %3 inputs").arg(asked_name()).arg(field.inputs).arg(field.of);
    return field.farthest == 0 ? tr("%1, without a step from token to token.").arg(reached)
           : field.farthest == 1
               ? tr("%1, each over one step from token to token at most.").arg(reached)
               : tr("%1, the farthest over %2 steps from token to token.").arg(reached).arg(field.farthest);
  }
  if (picture_->numbers.empty()) return {};
  return mode_ == InfluenceMode::lags
             ? tr("How much each token still moves %1, on a logarithmic scale.").arg(asked_name())
             : tr("How much each state moves %1: the length of its derivative.").arg(asked_name());
}

QString InfluenceCanvas::name() const {
  if (!picture_) return tr("Gradients, none");
  return mode_ == InfluenceMode::cone ? tr("Receptive field, %1 layers over %2 tokens").arg(rows()).arg(lanes())
                                      : tr("Gradients, %1 layers over %2 tokens").arg(rows()).arg(lanes());
}

QString InfluenceCanvas::description() const {
  if (!picture_ || rows() == 0) return {};
  return mode_ == InfluenceMode::layers ? number_sentence(row_, lane_) + '.' : sentence();
}

QString InfluenceCanvas::place_tooltip(const InfluenceHit& place) const {
  if (!picture_ || place.part == Part::none) return {};
  if (place.part == Part::token)
    return nth(picture_->lanes, place.lane).words() +
           (mode_ == InfluenceMode::layers && nth(picture_->map->lanes, place.lane).step >= 0
                ? '\n' + tr("Click it to ask about what was written here.")
                : QString());
  if (place.part == Part::mean)
    return with_colon(layer_of_states(picture_->station(place.row)),
                      short_number(nth(picture_->means, nth(picture_->rows, place.row)), 3)) +
           '\n' +
           tr("The mean over its tokens. A residual connection hands the gradient on as it is and adds what comes "
              "through the "
              "layer, so that lower layers get about as much as upper ones; without, each layer multiplies the "
              "gradient by "
              "its own derivative.");
  if (mode_ == InfluenceMode::lags) {
    QString text;
    for (const InfluencePicture::Curve& curve : picture_->curves)
      text += with_colon(layer_of_states(nth(picture_->map->stations, curve.station)),
                         short_number(nth(curve.values, place.lane), 3)) +
              '\n';
    return text +
           tr("On its way back through a recurrent layer the gradient is multiplied once for each token: below 1 "
              "it vanishes, above 1 it explodes. Training then clips it: where its norm is larger than c, it is "
              "multiplied by the clip factor c / norm.");
  }
  if (!picture_->station(place.row).has(place.lane)) return {};
  QString text = number_sentence(place.row, place.lane) + '.';
  if (const int steps = picture_->steps(place.row, place.lane); mode_ == InfluenceMode::cone)
    text = (steps < 0 ? tr("%1 cannot get there.").arg(state_name(place.row, place.lane))
                      : text + ' ' + tr("Steps from token to token: %1.").arg(steps));
  return text + '\n' + layer_of_states_help(picture_->station(place.row));
}

// --- mouse and keys

void InfluenceCanvas::choose(int row, int lane) {
  if (rows() == 0) return;
  row = std::clamp(row, 0, rows() - 1);
  const LivingStation& station = picture_->station(row);
  row_ = row;
  lane_ = std::clamp(lane, station.first, station.first + station.count - 1);
  reveal(cursor_rect());
  choice_changed();
  emit moved(cursor());
}

void InfluenceCanvas::press_place(const InfluenceHit& place) {
  if (place.part == Part::token && mode_ == InfluenceMode::layers) return emit lane_chosen(place.lane);
  if (place.part == Part::cell || place.part == Part::token) choose(place.row < 0 ? row_ : place.row, place.lane);
}

void InfluenceCanvas::open_place(const InfluenceHit& place) {
  if (place.part == Part::cell && rows() > 0) emit opened(cursor());
}

QRectF InfluenceCanvas::cursor_rect() const {
  if (rows() == 0 || layout_.columns.count() <= lane_) return {};
  if (mode_ != InfluenceMode::lags) return layout_.cell(row_, lane_);
  return layout_.columns.cell(lane_, layout_.metrics.head, layout_.row);
}

bool InfluenceCanvas::go(int right, int down) {
  if (rows() == 0) return false;
  const int row = std::clamp(row_ + down, 0, rows() - 1);
  const LivingStation& station = picture_->station(row);
  choose(row, std::clamp(lane_, station.first, station.first + station.count - 1) + right);
  return true;
}

bool InfluenceCanvas::go_to_other(int by) {
  if (!picture_ || mode_ != InfluenceMode::layers) return false;
  emit other_output_wanted(by);
  return true;
}

bool InfluenceCanvas::activate() {
  if (rows() == 0) return false;
  emit opened(cursor());
  return true;
}

}  // namespace headlight
