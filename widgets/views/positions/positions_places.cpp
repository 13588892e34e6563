// The positions view of a model that adds numbers for places: waves, the numbers that change most, and likeness.
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/matrix/cells.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/positions/positions_view.h"

namespace headlight {

namespace {

constexpr int kNumbers = 24;
constexpr int kLeastPlaces = 12;    // also of a short text: waves need some
constexpr double kTwoPanels = 860;  // narrower views show one table at a time

double at(const PositionTable& table, Index place, Index number) {
  return static_cast<double>(table.values[place * table.size() + number]);
}

// One number of each place, with the chosen place in a ring.
void paint_wave(QPainter& painter, const QRectF& rect, const TextColumns& columns, const PositionTable& table,
                int number, double largest, int chosen) {
  const int count = columns.count();
  painter.fillRect(QRectF(rect.left(), rect.center().y() - 0.5, rect.width(), 1), tokens().line);
  QPolygonF points;
  for (int place = 0; place < count; ++place)
    points << QPointF(columns.centre(place),
                      rect.center().y() - at(table, place, number) / largest * (rect.height() / 2 - 10));
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().weight(0.72), theme().line(2)));
  painter.drawPolyline(points);
  const double dot = std::clamp(columns.width(0) / 5, 1.5, 4.5);
  for (int place = 0; place < count; ++place) {
    painter.setPen(QPen(theme().weight(0.72), 1.2));
    painter.setBrush(theme().signed_value(at(table, place, number) / largest));
    painter.drawEllipse(points[place], dot, dot);
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(tokens().accent, theme().line(2.2)));
  painter.drawEllipse(points[chosen], dot + 3.5, dot + 3.5);
}

}  // namespace

// The places of the text, some more where it is short, as far as the tables go.
void PositionsView::find_places() {
  labels_.clear();
  order_.clear();
  trained_ = count_ = 0;
  if (rotation_ || tables_.empty()) return;
  if (run() && result()->model) trained_ = static_cast<int>(result()->model->text.longest_source);
  std::vector<std::vector<std::string>> texts;
  std::size_t longest = kLeastPlaces, most = static_cast<std::size_t>(tables_.front().positions());
  for (const PositionTable& table : tables_) {
    texts.push_back(run() ? tokens_at_places(*result(), table) : std::vector<std::string>());
    longest = std::max(longest, texts.back().size());
    most = std::min(most, static_cast<std::size_t>(table.positions()));
  }
  const std::size_t count = std::min(longest, most);
  count_ = static_cast<int>(count);
  for (std::vector<std::string>& each : texts) {
    each.resize(std::min(each.size(), count));
    std::vector<AxisLabel>& labels = labels_.emplace_back();
    for (const TokenText& shown : token_texts(each))
      labels.push_back({shown.text, shown.stand_in, shown.name, shown.special});
    labels.resize(count, {QStringLiteral("·"), true, tr("none")});
  }
  // Those that the rule changes most, sines before cosines.
  const PositionTable& rule = tables_.front();
  std::vector<double> spread;
  for (Index number = 0; number < rule.size(); ++number) {
    double sum = 0, squares = 0;
    for (std::size_t place = 0; place < count; ++place) {
      const double value = at(rule, static_cast<Index>(place), number);
      sum += value, squares += value * value;
    }
    const auto n = static_cast<double>(std::max<std::size_t>(1, count));
    spread.push_back(squares / n - sum / n * (sum / n));
  }
  order_.resize(spread.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::stable_sort(order_, [&](int a, int b) { return nth(spread, a) > nth(spread, b); });
  order_.resize(std::min<std::size_t>(order_.size(), kNumbers));
  const auto second = [&](int number) { return rule.halves ? number >= rule.pairs() : number % 2 == 1; };
  std::ranges::sort(order_, [&](int a, int b) { return std::pair(second(a), a) < std::pair(second(b), b); });
}

// A wave that turns once in about ten places, and one that takes several times as long as the text.
int PositionsView::slow_number() const {
  const PositionTable& rule = tables_.front();
  const double wanted = 5.0 * count_;
  Index best = 0;
  for (Index pair = 0; pair < rule.pairs(); ++pair)
    if (std::abs(std::log(2 * M_PI / rule.turn(pair) / wanted)) <
        std::abs(std::log(2 * M_PI / rule.turn(best) / wanted)))
      best = pair;
  return static_cast<int>(rule.first(best));
}

int PositionsView::wave_number(int wave) const {
  return wave == 0 ? static_cast<int>(tables_.front().first(pair_)) : slow_number();
}

QString PositionsView::wave_words(int wave) const {
  const PositionTable& rule = tables_.front();
  const int number = wave_number(wave);
  const Index pair = rule.halves ? number % rule.pairs() : number / 2;
  const double period = 2 * M_PI / rule.turn(pair);
  return period <= count_ ? tr("where the rule has a fast wave") : tr("where the rule has a slow wave");
}

// Which tables stand beside each other: the rule and what was learned, where there is room.
std::vector<int> PositionsView::panels() const {
  if (tables_.size() < 2 || maximumViewportSize().width() < kTwoPanels * theme().font_scale()) return {table_};
  return {0, std::max(1, table_)};
}

// A sentence below the title, only where it is so.
QString PositionsView::table_sentence(const PositionTable& table) const {
  const Index count = count_;
  if (!table.learned()) {
    double least = 1e30, most = -1e30;
    for (Index place = 0; place + 1 < count; ++place) {
      double product = 0;
      for (Index number = 0; number < table.size(); ++number)
        product += at(table, place, number) * at(table, place + 1, number);
      least = std::min(least, product), most = std::max(most, product);
    }
    return count > 2 && most - least < 1e-3 * most ? tr("neighbours are equally alike at every place") : QString();
  }
  if (trained_ <= 0 || trained_ >= count) return {};
  const auto size = [&](Index from, Index to) {
    double sum = 0;
    for (Index place = from; place < to; ++place)
      for (Index number = 0; number < table.size(); ++number) sum += std::abs(at(table, place, number));
    return sum / static_cast<double>(std::max<Index>(1, to - from));
  };
  return size(trained_, count) < 0.5 * size(0, trained_)
             ? tr("after place %1 hardly anything was learned").arg(trained_)
             : QString();
}

QString PositionsView::numbers_title() const { return tr("%1 of %2 numbers").arg(order_.size()).arg(active().size()); }
QString PositionsView::numbers_words() const {
  return tr("those that the rule changes most: sines, then cosines; outlined, the two above");
}
QString PositionsView::likeness_words() const {
  return tr("each place (row) is to each (column): the product of their numbers; stronger is more");
}

QSizeF PositionsView::arrange_places(QSizeF view) {
  places_ = {};
  if (tables_.empty() || labels_.size() != tables_.size()) return {};  // between a rotation and tables
  const QFontMetricsF words(theme().ui_font()), small(theme().ui_font(type::kSource));
  const double scale = theme().font_scale();
  PlacesLayout::Metrics m;
  m.view = view;
  m.shares.assign(static_cast<std::size_t>(count_), 1);
  m.panels = static_cast<int>(panels().size());
  m.numbers = static_cast<int>(order_.size());
  m.title = std::ceil(QFontMetricsF(bold_font(type::kTitle)).height() + words.height() + 8);
  m.margin = view.width() < 600 * scale ? space::kSmall : space::kMargin;
  const double names = std::max(120 * scale, text_width(numbers_title(), bold_font()));
  m.name = m.margin + std::ceil(names + 14);
  const QFont below = theme().ui_font(type::kSource);
  const double title = QFontMetricsF(bold_font()).height() + 4;
  m.words_of_numbers = title + words_height(numbers_words(), below, names);
  m.words_of_likeness = title + words_height(likeness_words(), below, names);
  m.wave = std::ceil(4.2 * words.height());
  m.gap = std::ceil(18 * scale);
  m.least_column = 9 * scale;
  m.most_column = 60 * scale;
  places_ = PlacesLayout::of(m);
  column_heads_.clear();
  for (const int table : panels())
    column_heads_.push_back(
        ColumnHead::of(places_.panels.front().columns, labels_of(table), type::kQuestion, 80 * scale));
  const auto highest = std::ranges::max_element(column_heads_, {}, &ColumnHead::height);
  m.head = highest->height + std::ceil(small.height()) + 6;
  for (ColumnHead& head : column_heads_) head.height = highest->height;
  places_ = PlacesLayout::of(m);
  return {places_.width, places_.height};
}

void PositionsView::paint_places(QPainter& painter) const {
  if (places_.panels.empty()) return;
  const Tokens& t = tokens();
  painter.setRenderHint(QPainter::Antialiasing);
  const std::vector<int> shown = panels();
  for (int i = 0; i < static_cast<int>(places_.panels.size()); ++i) paint_panel(painter, i, nth(shown, i));
  const PlacesLayout::Panel& first = places_.panels.front();
  const double left = places_.metrics.margin, wide = places_.metrics.name - left - 14;
  const QFont small = theme().ui_font(type::kSource);
  const auto part = [&](const QRectF& rect, const QString& title, const QString& text) {
    const double line = QFontMetricsF(bold_font()).height();
    write(painter, QRectF(left, rect.top(), wide, line), kLeft, title, bold_font(), t.ink);
    write_words(painter, QRectF(left, rect.top() + line + 2, wide, std::max(20.0, rect.height() - line)), text, small,
                t.ink2);
  };
  for (int wave = 0; wave < PlacesLayout::kWaves; ++wave)
    part(first.waves[wave].adjusted(0, 8, 0, 0), tr("Number %1").arg(counted(wave_number(wave))), wave_words(wave));
  part(first.numbers, numbers_title(), numbers_words());
  part(first.likeness, tr("How alike"), likeness_words());
  const QFont source = theme().ui_font(type::kSource);
  write(painter,
        QRectF(left, first.head.bottom() - QFontMetricsF(source).height() - 2, wide, QFontMetricsF(source).height()),
        kLeft, tr("place"), source, t.ink2);
}

void PositionsView::paint_panel(QPainter& painter, int index, int of) const {
  const Tokens& t = tokens();
  const PositionTable& table = nth(tables_, of);
  const PlacesLayout::Panel& panel = nth(places_.panels, index);
  const TextColumns& columns = panel.columns;
  const int count = columns.count(), chosen = std::min(position_, count - 1);
  const QFont small = theme().ui_font(type::kSource);
  painter.fillRect(columns.cell(chosen, panel.head.bottom(), panel.likeness.bottom() - panel.head.bottom()), t.wash);
  const double title = QFontMetricsF(bold_font(type::kTitle)).height();
  QString name = table_name(table);
  if (!name.isEmpty()) name[0] = name[0].toUpper();
  write_line(painter, QRectF(panel.title.left(), 0, panel.title.width(), title + 2), kLeft, name,
             bold_font(type::kTitle), t.ink);
  write_line(painter, QRectF(panel.title.left(), title + 2, panel.title.width(), panel.title.height() - title - 4),
             kLeft, table_sentence(table), theme().ui_font(type::kSource), t.ink2);
  nth(column_heads_, index).paint(painter, columns, labels_of(of), panel.head.top(), chosen);
  const double line = QFontMetricsF(small).height();
  for (int place = 0; place < count; ++place)
    if (place == 0 || (place + 1) % 10 == 0 || place == chosen) {
      if (place != chosen && std::abs(columns.centre(place) - columns.centre(chosen)) < 3 * line / 2) continue;
      write(painter, columns.cell(place, panel.head.bottom() - line - 2, line).adjusted(-12, 0, 12, 0), kCentre,
            QString::number(place + 1), place == chosen ? bold_font(type::kSource) : small,
            place == chosen ? t.accent : t.ink2);
    }
  const double largest = std::max(1e-9, static_cast<double>(table.values.array().abs().maxCoeff()));
  for (int wave = 0; wave < PlacesLayout::kWaves; ++wave)
    paint_wave(painter, panel.waves[wave], columns, table, wave_number(wave), largest, chosen);
  painter.setRenderHint(QPainter::Antialiasing, false);
  const double gap = columns.width(0) >= 8 ? 1 : 0;
  for (int row = 0; row < static_cast<int>(order_.size()); ++row)
    for (int place = 0; place < count; ++place) {
      const QRectF cell = columns.cell(place, places_.line(index, row).top(), places_.line(index, row).height());
      painter.fillRect(cell.adjusted(gap, 0, -gap, 0.3),
                       theme().signed_value(at(table, place, nth(order_, row)) / largest));
    }
  const std::vector<double> alike = likeness(table);
  const double most = *std::ranges::max_element(alike), least = std::max(0.0, *std::ranges::min_element(alike));
  for (int row = 0; row < count; ++row)
    for (int place = 0; place < count; ++place) {
      const QRectF cell = columns.cell(place, places_.row(index, row).top(), places_.row(index, row).height());
      const double value = nth(alike, Index{row} * count + place);
      painter.fillRect(cell.adjusted(gap, 0, -gap, -0.6),
                       theme().weight(most > least ? std::clamp((value - least) / (most - least), 0.0, 1.0) : 0));
    }
  painter.setRenderHint(QPainter::Antialiasing);
  for (int wave = 0; wave < PlacesLayout::kWaves; ++wave) {
    const auto row = std::ranges::find(order_, wave_number(wave)) - order_.begin();
    if (row < static_cast<std::ptrdiff_t>(order_.size()))
      draw_box(painter, places_.line(index, static_cast<int>(row)).adjusted(-2, -1, 2, 1), radius::kCell,
               QPen(t.ink, 1.6));
  }
  draw_box(painter, places_.row(index, chosen).adjusted(-3, -1.5, 3, 1.5), radius::kCell, QPen(t.accent, 2));
  if (trained_ > 0 && trained_ < count) {
    const double x = columns.left(trained_);
    draw_line(painter, {x, panel.head.top()}, {x, panel.likeness.bottom()}, QPen(t.ink2, 1.4, Qt::DashLine));
  }
}

std::vector<double> PositionsView::likeness(const PositionTable& table) const {
  return position_products(table, count_);
}

void PositionsView::press_places(QPointF point) {
  const PlacesHit hit = places_.place_at(point);
  if (hit.part == PlacesHit::Part::none) return;
  const int table = nth(panels(), hit.panel);
  int pair = pair_;
  if (hit.part == PlacesHit::Part::numbers) {
    const PositionTable& rule = tables_.front();
    const int number = nth(order_, hit.row);
    pair = static_cast<int>(rule.halves ? number % rule.pairs() : number / 2);
  }
  choose(table, hit.place, pair);
}

QString PositionsView::places_tooltip(const PlacesHit& hit) const {
  if (hit.part == PlacesHit::Part::none) return {};
  const int of = nth(panels(), hit.panel);
  const PositionTable& table = nth(tables_, of);
  const auto value_text = [&](int number) {
    return tr("Place %1, number %2: %3")
        .arg(counted(hit.place), counted(number), short_number(at(table, hit.place, number)));
  };
  switch (hit.part) {
    case PlacesHit::Part::wave:
      return value_text(wave_number(hit.row)) + '\n' +
             tr("One number of each place. By the rule it goes up and down like a wave; the numbers differ in how "
                "fast.");
    case PlacesHit::Part::numbers:
      return value_text(nth(order_, hit.row)) + '\n' +
             tr("The numbers of a place are added to its token, so that the model can tell the first word from the "
                "fifth. "
                "Click to choose a place and a number.");
    case PlacesHit::Part::likeness: {
      const std::vector<double> alike = likeness(table);
      return tr("Places %1 and %2: %3")
                 .arg(counted(hit.row), counted(hit.place),
                      short_number(nth(alike, Index{hit.row} * count_ + hit.place))) +
             '\n' +
             tr("How alike two places are: the product of their numbers, added up. By the rule it depends on the "
                "distance alone.");
    }
    default:
      return tr("Place %1: %2").arg(counted(hit.place)).arg(nth(labels_of(of), hit.place).words());
  }
}

}  // namespace headlight
