// The positions view of a model that turns its queries and keys: choosing a head, words, the clock, and products.
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "model/analysis/attention_maps.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/plot/curve_plot.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/positions/positions_view.h"

namespace headlight {

namespace {

using Part = PositionsHit::Part;

constexpr double kFarther = 10;  // positions: where the same two rows are put once more

QString layer_words(const RotaryLayer& layer) {
  using Kind = AttentionMap::Kind;
  return kind_name(layer.decoder ? Kind::decoder_self : Kind::encoder_self) + QStringLiteral(" · ") +
         layer_name(layer.layer);
}

}  // namespace

QWidget* PositionsView::build_choices() {
  auto* bar = new QWidget(this);
  bar->setAutoFillBackground(true);
  bar->setBackgroundRole(QPalette::Base);
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(space::kMargin, 4, space::kMargin, 2);
  for (QComboBox** box : {&layer_box_, &head_box_}) {
    *box = new QComboBox(bar);
    (*box)->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    (*box)->setMinimumContentsLength(box == &layer_box_ ? 14 : 6);
    row->addWidget(*box);
    connect(*box, &QComboBox::activated, this, [this] {
      choose_head(nth(layers_, std::max(0, layer_box_->currentIndex())), std::max(0, head_box_->currentIndex()));
    });
  }
  row->addWidget(picture_box_ = new QComboBox(bar));
  picture_box_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(picture_box_, &QComboBox::activated, this, [this](int chosen) { show_angles(chosen == 1); });
  row->addStretch(1);
  bar->hide();
  bar->installEventFilter(this);
  return bar;
}

void PositionsView::show_choices() {
  const bool wanted = rotation_ && !layers_.empty();
  if (wanted) {
    layer_box_->clear();
    head_box_->clear();
    for (const RotaryLayer& each : layers_) layer_box_->addItem(layer_words(each));
    for (Index head = 0; head < layer_.heads; ++head) head_box_->addItem(head_name(head));
    layer_box_->setCurrentIndex(static_cast<int>(std::ranges::find(layers_, layer_) - layers_.begin()));
    head_box_->setCurrentIndex(head_);
    layer_box_->setAccessibleName(tr("Layer"));
    head_box_->setAccessibleName(tr("Head"));
    picture_box_->clear();
    picture_box_->addItems({tr("products by distance"), tr("angles by position")});
    picture_box_->setCurrentIndex(angles_shown_ ? 1 : 0);
    picture_box_->setAccessibleName(tr("Picture at the right (A)"));
  }
  choices_->setVisible(wanted);
  place_choices();
}

void PositionsView::resizeEvent(QResizeEvent* event) {
  place_choices();
  Canvas::resizeEvent(event);
}

void PositionsView::place_choices() {
  const int height = choices_->sizeHint().height();
  choices_->setGeometry(0, 0, width(), height);
  setViewportMargins(0, choices_->isHidden() ? 0 : height, 0, 0);
}

// Larger letters need a higher bar.
bool PositionsView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == choices_ && event->type() == QEvent::FontChange) {
    choices_->layout()->invalidate();
    place_choices();
  }
  return Canvas::eventFilter(watched, event);
}

// The layer and head that were shown, where there still are such.
void PositionsView::take_rotation() {
  layers_ = rotary_layers(*result());
  if (layers_.empty()) return set_tables({});
  choose_head(layer_, head_);
}

void PositionsView::choose_head(const RotaryLayer& layer, int head) {
  const auto known = std::ranges::find(layers_, layer);
  layer_ = known == layers_.end() ? layers_.front() : *known;
  head_ = std::clamp(head, 0, static_cast<int>(layer_.heads) - 1);
  set_rotation(rotary_head(*result(), layer_, head_));
}

void PositionsView::set_rotation(RotaryHead head) {
  const bool fresh = !rotation_;
  const int table = table_, position = position_, pair = pair_;
  mark_fresh();
  rotation_ = std::move(head);
  show_choices();
  tables_.clear();
  pictures_.assign(2, {});
  if (rotation_->rows() > 0) {
    tables_.resize(2);
    tables_[0].values = rotation_->queries;
    tables_[1].values = rotation_->rotated_queries;
    tables_[0].used = false;  // the scores are made of the turned ones
    for (PositionTable& each : tables_) each.halves = !rotation_->neighbours;
    const int rows = static_cast<int>(rotation_->rows()), pairs = static_cast<int>(rotation_->pairs());
    table_ = fresh ? 1 : table;
    position_ = std::clamp(fresh ? 3 : position, 0, rows - 1);
    pair_ = std::clamp(fresh ? 0 : pair, 0, pairs - 1);
    key_ = std::clamp(fresh ? 1 : key_, 0, rows - 1);
  } else {
    rotation_.reset();
  }
  lay_out();
  update_numbers();
}

void PositionsView::choose_key(int row) {
  if (!rotation_) return;
  row = std::clamp(row, 0, static_cast<int>(rotation_->rows()) - 1);
  if (row == key()) return;
  key_ = row;
  choice_changed();
}

// A causal query has no later key.
int PositionsView::key() const {
  if (!rotation_) return -1;
  return rotation_->causal ? std::min(key_, position_) : key_;
}

int PositionsView::row_at_distance(int distance) const {
  const double wanted = row_position(position_) + distance;
  int nearest = 0;
  for (int row = 1; row < static_cast<int>(rotation_->rows()); ++row)
    if (std::abs(row_position(row) - wanted) < std::abs(row_position(nearest) - wanted)) nearest = row;
  return nearest;
}

QString PositionsView::row_name(int row) const { return token_text(nth(rotation_->tokens, row)).text; }

// "3 × 0.1 = 0.30 rad = 17°"
QString PositionsView::angle_words() const {
  const double position = row_position(position_), turn = rotation_->turn(pair_), angle = position * turn;
  return tr("%1 × %2 = %3 rad = %4°")
      .arg(position, 0, 'f', 0)
      .arg(short_number(turn, 3))
      .arg(angle, 0, 'f', angle < 0.095 && angle > 0 ? 4 : 2)
      .arg(angle * 180 / M_PI, 0, 'f', angle * 180 / M_PI < 9.5 && angle > 0 ? 2 : 0);
}

QString PositionsView::rotation_description() const {
  if (!rotation_ || tables_.empty())
    return tr("This model turns its queries and keys by their positions, but this run recorded none. Type a text.");
  const RotaryHead& head = *rotation_;
  const auto pair = [&](const Tensor& rows) {
    const RotaryHead::Pair numbers = head.pair(rows, position_, pair_);
    return tr("(%1, %2)").arg(plain_number(numbers.a, 3), plain_number(numbers.b, 3));
  };
  // All at once: a token may look like a place for another one.
  return tr("The query of %1 at position %2, numbers %3 and %4 of %5: %6, turned by %7, is %8.")
             .arg(row_name(position_), QString::number(row_position(position_)), counted(head.first(pair_)),
                  counted(head.second(pair_)), QString::number(head.size()), pair(head.queries), angle_words(),
                  pair(head.rotated_queries)) +
         ' ' +
         tr("With the key of %1, %2 positions away, the product is %3.")
             .arg(row_name(key()), QString::number(row_position(key()) - row_position(position_)),
                  short_number(head.product(position_, key())));
}

QString PositionsView::rotation_tooltip(const PositionsHit& place) const {
  switch (place.part) {
    case Part::table: {
      const PositionTable& table = nth(tables_, place.table);
      const Index cell = static_cast<Index>(place.position) * table.size() + place.column;
      return tr("%1 at position %2, number %3: %4")
                 .arg(row_name(place.position), QString::number(row_position(place.position)), counted(place.column),
                      short_number(static_cast<double>(table.values[cell]))) +
             '\n' +
             tr("Two numbers of a query belong together and are turned like the hand of a clock, by an angle that "
                "grows with the position. The first pairs turn fast, the last ones hardly at all. Drag to choose a "
                "position and a pair.");
    }
    case Part::clock:
      return tr("The pair before and after it is turned: its length stays. The angle is the position times the pair's "
                "own speed: %1.")
          .arg(angle_words());
    case Part::similarity:
      if (angles_shown_)
        return angles_caption() + '\n' +
               tr("How often the pair has gone round at a position. Dashed: without scaling. The level line is the "
                  "largest angle that it learned from: with scaling, longer texts stay below it, or pass it later. The "
                  "dots are the tokens of this text.");
      return tr(
          "The product of this query with this key, if the key stood at another distance; dashed what the chosen pair "
          "adds. The rings are the same two rows, both ten positions farther: they fall on the same line, for only the "
          "distance counts. The dots are the keys of this text, each with its own content: click one to choose it.");
    default:
      return {};
  }
}

void PositionsView::paint_rotation(QPainter& painter) const {
  const RotaryHead& head = *rotation_;
  write_line(
      painter, layout_.clock_caption, kTop,
      tr("%1: numbers %2 and %3").arg(row_name(position_), counted(head.first(pair_)), counted(head.second(pair_))),
      theme().ui_font(type::kSource), theme().text());
  double size = 1;  // all of it is seen where letters can be smaller
  while (size > type::kHead && text_width(angle_words(), theme().ui_font(size)) > layout_.clock_words.width())
    size -= 0.1;
  write_line(painter, layout_.clock_words, kTop, angle_words(), theme().ui_font(size), theme().text());
  const QRectF& rect = layout_.clock;
  const QPointF middle = rect.center();
  const double radius = rect.width() / 2 - 6;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().grid(), 1.4));
  painter.drawEllipse(middle, radius, radius);
  draw_line(painter, middle - QPointF(radius, 0), middle + QPointF(radius, 0), QPen(theme().grid(), 1));
  painter.drawLine(middle - QPointF(0, radius), middle + QPointF(0, radius));
  const auto at = [&](double angle, double length) {
    return middle + QPointF(std::cos(angle), -std::sin(angle)) * length;
  };
  // The way between the hands; what goes around more than once is a spiral.
  const RotaryHead::Pair before = head.pair(head.queries, position_, pair_);
  const RotaryHead::Pair after = head.pair(head.rotated_queries, position_, pair_);
  const double start = std::atan2(before.b, before.a);
  const double angle = row_position(position_) * head.turn(pair_), rounds = angle / (2 * M_PI);
  const int steps = std::clamp(static_cast<int>(angle * 12), 8, 4000);
  const double inner = 0.3 * radius, outer = inner + std::min(0.5, 0.08 * rounds) * radius;
  QPainterPath way(at(start, inner));
  for (int i = 1; i <= steps; ++i) way.lineTo(at(start + angle * i / steps, inner + (outer - inner) * i / steps));
  painter.setPen(QPen(theme().accent(), rounds > 12 ? 0.6 : 1.4));
  painter.drawPath(way);
  for (const bool turned : {false, true}) {
    const RotaryHead::Pair& pair = turned ? after : before;
    if (pair.a == 0 && pair.b == 0) continue;
    const QPointF tip = at(std::atan2(pair.b, pair.a), 0.94 * radius);
    draw_line(painter, middle, tip, QPen(table_colour(turned ? 1 : 0), turned ? 3 : 2, Qt::SolidLine, Qt::RoundCap));
    painter.setBrush(table_colour(turned ? 1 : 0));
    painter.drawEllipse(tip, turned ? 3 : 2.4, turned ? 3 : 2.4);
  }
}

// One line for all positions: of the distance alone. The rings were turned by positions far from those of the text.
void PositionsView::paint_products(QPainter& painter) const {
  const RotaryHead& head = *rotation_;
  const int most = layout_.metrics.distances, last = head.causal ? position_ : static_cast<int>(head.rows()) - 1;
  const int finer = std::clamp(200 / most, 1, 8);
  std::vector<double> line, part, scores;
  double top = 0;
  for (int i = -most * finer; i <= most * finer; ++i) {
    double sum = head.rest(position_, key());
    for (Index pair = 0; pair < head.pairs(); ++pair) {
      const double own = head.part(position_, key(), static_cast<double>(i) / finer, pair);
      if (pair == pair_) part.push_back(own);
      sum += own;
    }
    line.push_back(sum);
    top = std::max({top, std::abs(sum), std::abs(part.back())});
  }
  for (int row = 0; row <= last; ++row) {
    scores.push_back(head.product(position_, row));
    top = std::max(top, std::abs(scores.back()));
  }
  if (top <= 0) top = 1;
  paint_caption(painter, layout_.similarity_caption,
                tr("product with the key of %1, by distance").arg(row_name(key())));
  CurvePlot plot;
  plot.left = -most - 0.5;
  plot.right = most + 0.5;
  plot.top = top / 0.96;
  plot.bottom = -plot.top;
  plot.uprights = {{0, QPen(theme().grid(), 1)}};
  std::vector<double> distances;
  for (int i = -most * finer; i <= most * finer; ++i) distances.push_back(static_cast<double>(i) / finer);
  plot.curves = {{distances, part, QPen(theme().edited(), 1.2, Qt::DashLine)},
                 {distances, line, QPen(table_colour(1), 1.8)}};
  PlotCurve rings{{}, {}, QPen(table_colour(1), 1.2), 3};
  const double far = row_position(position_) + kFarther;
  for (int n = -most; n <= most; n += std::max(1, most / 8)) {
    rings.x.push_back(n);
    rings.y.push_back(head.product(position_, far, key(), far + n));
  }
  plot.curves.push_back(rings);
  for (int row = 0; row <= last; ++row) {
    const bool chosen = row == key();
    plot.curves.push_back({{row_position(row) - row_position(position_)},
                           {nth(scores, row)},
                           Qt::NoPen,
                           chosen ? 4 : 2.2,
                           chosen ? theme().accent() : theme().muted_text()});
  }
  paint_curve_plot(plot, painter, layout_.similarity);
}

}  // namespace headlight
