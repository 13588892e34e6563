#include "widgets/views/heads/heads_grid.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <utility>

#include "model/core/parallel.h"
#include "widgets/base/hatch.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/matrix/cells.h"
#include "widgets/matrix/folded_map.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

constexpr Index kPasses = 8;             // over the weights of a head: its picture, and its numbers
constexpr double kMostPoints = 1 << 24;  // of all heads in a file that can be enlarged
constexpr int kLeastRectangles = 256;
constexpr double kBracket = 12;                      // of heads that share their keys
constexpr double kWindowBar = 4;                     // that is as long as a window
constexpr double kSmallBeside = 22, kGapBeside = 5;  // of thumbnails beside a large head

// Shares up to 1, or to the largest of the picture; what was stored and is no share in a scale of its own.
CellScale scale_of(const AttentionMap& map, const Tensor& values, MapColours colours) {
  if (map.lowest < 0) return CellScale::around_zero(std::max(-map.lowest, map.highest));
  if (colours == MapColours::logarithmic) return CellScale::logarithmic_to(map.highest > 0 ? map.highest : 1);
  return CellScale::up_to(colours == MapColours::own ? std::max(1e-12, CellScale::of(values).high) : map.highest);
}

QImage image_of(const Tensor& values, const CellScale& scale, const CellColours& colours) {
  const auto rows = static_cast<int>(values.rows()), columns = static_cast<int>(values.columns());
  return cell_picture(columns, rows, scale, colours, [&](int column, int row) {
    return static_cast<double>(values[static_cast<Index>(row) * columns + column]);
  });
}

}  // namespace

HeadsGrid::HeadsGrid(const HeadsModel* model, QWidget* parent) : PlaceCanvas(Layout::scrolled, parent), model_(model) {
  connect(model, &QAbstractItemModel::modelReset, this, &HeadsGrid::reset);
  connect(model, &QAbstractItemModel::dataChanged, this, &HeadsGrid::reset);
  reset();
}

void HeadsGrid::forget() {
  for (QImage& image : thumbnails_) image = {};
}

void HeadsGrid::reset() {
  pictured_.clear();
  const bool fold = !show_padding_ && std::ranges::any_of(model_->maps(), folds);
  if (fold || std::ranges::any_of(model_->maps(), &AttentionMap::has_sink))
    for (const AttentionMap& each : model_->maps())
      pictured_.push_back(with_sink(fold && folds(each) ? without_padding(each) : each));
  lay_out();
  if (choice(cursor_).map < 0) cursor_ = choice({0, 0}).map < 0 ? HeadsHit{} : HeadsHit{0, 0};
  thumbnails_.assign(static_cast<std::size_t>(std::max(0, layout_.rows * layout_.columns)), {});
  choice_changed();
}

void HeadsGrid::set_show_padding(bool show) {
  if (std::exchange(show_padding_, show) != show) reset();
}

const AttentionMap& HeadsGrid::pictured(int map) const {
  return nth(pictured_.empty() ? model_->maps() : pictured_, map);
}

void HeadsGrid::set_colours(MapColours colours) {
  if (colours == colours_) return;
  colours_ = colours;
  forget();
  viewport()->update();
}

bool HeadsGrid::in_one_row() const {
  const auto& maps = model_->maps();
  return std::ranges::all_of(maps, [](const AttentionMap& map) { return map.heads == 1; });
}

HeadChoice HeadsGrid::choice(const HeadsHit& place) const {
  if (place.row < 0 || place.column < 0 || place.row >= layout_.rows || place.column >= layout_.columns) return {};
  if (in_one_row()) return {place.column, 0};
  const Index heads = nth(model_->maps(), place.row).heads;
  if (place.column == layout_.columns - 2) return {place.row, AttentionMap::kMean};
  if (place.column == layout_.columns - 1) return {place.row, AttentionMap::kMax};
  return place.column < heads ? HeadChoice{place.row, place.column} : HeadChoice{};
}

HeadsHit HeadsGrid::place_of(const HeadChoice& wanted) const {
  for (int row = 0; row < layout_.rows; ++row)
    for (int column = 0; column < layout_.columns; ++column)
      if (wanted.map >= 0 && choice({row, column}) == wanted) return {row, column};
  return {};
}

const AttentionMap& HeadsGrid::map(const HeadChoice& choice) const { return nth(model_->maps(), choice.map); }

bool HeadsGrid::has_windows() const {
  return !in_one_row() && std::ranges::any_of(model_->maps(), [](const AttentionMap& map) { return map.window > 0; });
}

QString HeadsGrid::row_name(int row) const {
  return in_one_row() ? QString() : layer_name(nth(model_->maps(), row).layer);
}

QString HeadsGrid::column_name(int column) const {
  if (in_one_row()) return layer_name(nth(model_->maps(), column).layer);
  return head_name(column == layout_.columns - 2   ? AttentionMap::kMean
                   : column == layout_.columns - 1 ? AttentionMap::kMax
                                                   : Index(column));
}

std::pair<int, int> HeadsGrid::rows_and_columns() const {
  const auto& maps = model_->maps();
  if (maps.empty()) return {0, 0};
  if (in_one_row()) return {1, static_cast<int>(maps.size())};
  Index heads = 1;
  for (const AttentionMap& each : maps) heads = std::max(heads, each.heads);
  return {static_cast<int>(maps.size()), static_cast<int>(heads) + 2};
}

HeadsLayout::Metrics HeadsGrid::metrics() const {
  const auto& maps = model_->maps();
  const QFont font = theme().ui_font(type::kSource);
  HeadsLayout::Metrics m;
  if (!maps.empty()) {
    if (!in_one_row()) m.apart = rows_and_columns().second - 2;
    for (const AttentionMap& each : maps)
      for (const QString& text : {layer_name(each.layer), has_windows() ? window_name(each.window) : QString()})
        if (!in_one_row()) m.row_label = std::max(m.row_label, text_width(text, font));
    if (const Index shared = maps.front().shared(); shared > 1) {
      m.shared = static_cast<int>(shared);
      m.groups = static_cast<int>(maps.front().key_heads);
      m.bracket = kBracket;
    }
    m.aspect = static_cast<double>(pictured(0).column_count()) / static_cast<double>(pictured(0).row_count());
  }
  m.row_label = std::ceil(m.row_label);
  m.header = QFontMetricsF(font).height() + 4;
  m.line = QFontMetricsF(theme().ui_font(type::kHead)).height();
  m.words = std::max(72.0, 5.4 * m.line);
  if (opened_.map >= 0) {
    m.smallest = kSmallBeside;
    m.gap = kGapBeside;
  }
  return m;
}

HeadsLayout HeadsGrid::layout_in(QSizeF view) const {
  HeadsLayout::Metrics m = metrics();
  m.view = QSizeF(view.width(), view.height() - below());
  const auto [rows, columns] = rows_and_columns();
  return HeadsLayout::of(rows, columns, m);
}

double HeadsGrid::below() const {
  return opened_.map >= 0 ? 4 * QFontMetricsF(theme().ui_font(type::kSource)).lineSpacing() : 0;
}

QRectF HeadsGrid::largest_in(const std::vector<QRectF>& rooms) const {
  HeadsLayout::Metrics m = metrics();
  const double words = below();
  const auto [rows, columns] = rows_and_columns();
  QRectF best;
  for (const QRectF& room : rooms) {
    m.view = QSizeF(room.width(), room.height() - words);
    const HeadsLayout layout = HeadsLayout::of(rows, columns, m);
    const double high = layout.height + words;
    if (layout.width <= room.width() && high <= room.height() && layout.width * high > best.width() * best.height())
      best = QRectF(room.right() - layout.width, room.top(), layout.width, high);
  }
  return best;
}

QSizeF HeadsGrid::arrange(QSizeF view) {
  const HeadsLayout before = std::exchange(layout_, layout_in(view));
  if (before.thumb_width != layout_.thumb_width || before.thumb_height != layout_.thumb_height) forget();
  emit arranged();
  return {layout_.width, layout_.height + below()};
}

// What the large one does.
void HeadsGrid::paint_opened(QPainter& painter) const {
  if (place_of(opened_).row < 0) return;
  const QString place = head_place(map(opened_), opened_.head);
  const bool off = model_->is_off(opened_.map, opened_.head);
  const QString text =
      opened_.head < 0 ? place
                       : with_colon(place, off ? head_off_name() : habit_name(model_->kind(opened_.map, opened_.head)));
  const QRectF rect(layout_.metrics.edge, layout_.height + space::kSmall,
                    viewport()->width() - layout_.metrics.edge - space::kSmall,
                    3 * QFontMetricsF(theme().ui_font()).lineSpacing());
  write(painter, rect, static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap, text, theme().ui_font(),
        off ? theme().edited() : theme().text());
}

QSize HeadsGrid::cells_of_point() const {
  if (model_->maps().empty() || layout_.thumb_width <= 0) return {1, 1};
  const AttentionMap& first = pictured(0);
  const double ratio = devicePixelRatioF();
  const auto each = [&](Index cells, double points) {
    return std::max(1, static_cast<int>(std::ceil(static_cast<double>(cells) / std::floor(points * ratio) - 1e-9)));
  };
  return {each(first.column_count(), layout_.thumb_width), each(first.row_count(), layout_.thumb_height)};
}

// What is in sight and not there yet, the numbers below too: on all threads where there are many weights to read.
void HeadsGrid::make_thumbnails(const QRectF& sight) const {
  std::vector<HeadsHit> missing;
  for (int row = 0; row < layout_.rows; ++row)
    for (int column = 0; column < layout_.columns; ++column)
      if (const HeadsHit place{row, column};
          choice(place).map >= 0 && image(place).isNull() && layout_.cell(row, column).intersects(sight))
        missing.push_back(place);
  if (missing.empty()) return;
  const double ratio = devicePixelRatioF();
  const auto height = static_cast<Index>(layout_.thumb_height * ratio);
  const auto width = static_cast<Index>(layout_.thumb_width * ratio);
  const CellColours shares(false), signs(true);
  const AttentionMap& first = map(choice(missing.front()));
  const Index cells = first.row_count() * first.column_count();
  const auto count = static_cast<Index>(missing.size());
  parallel_for(count, grain_for(count, kPasses * cells), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const HeadsHit& place = nth(missing, i);
      const HeadChoice head = choice(place);
      const AttentionMap& of = pictured(head.map);
      const Tensor values = pooled(of, head.head, height, width);
      const CellScale scale = scale_of(of, values, colours_);
      image(place) = image_of(values, scale, scale.is_signed ? signs : shares);
      if (head.head >= 0) model_->statistics(head.map, head.head);
    }
  });
}

QString HeadsGrid::place_tooltip(const HeadsHit& place) const {
  if (place.row == HeadsHit::kGroup)
    return tr("One key-value head is shared by %1 (grouped-query attention).\nClick to cut it for all of them.")
        .arg(heads_of_group(place.column, layout_.metrics.shared));
  const HeadChoice head = choice(place);
  if (head.map < 0) return {};
  const QString open = tr("Click or press Enter to see it large, with its tokens.");
  if (head.head == AttentionMap::kMean)
    return head_place(map(head), head.head) + '\n' +
           tr("For each pair of tokens the mean of the weights of all heads in this layer.") + '\n' + open;
  if (head.head == AttentionMap::kMax)
    return head_place(map(head), head.head) + '\n' +
           tr("For each pair of tokens the largest weight that any head in this layer gives it.") + '\n' + open;
  QString text = head_description(map(head), head.head, model_->statistics(head.map, head.head)) +
                 shared_note(map(head), head.head) + '\n';
  if (map(head).window > 0)
    text +=
        tr("It looks at the last %1 tokens, itself counted: what is hatched is not kept.").arg(map(head).window) + '\n';
  text += open;
  if (!model_->is_off(head.map, head.head)) return text;
  return tr("Switched off: what it looks at goes nowhere.") + '\n' + text;
}

QString HeadsGrid::name() const {
  const auto& maps = model_->maps();
  return maps.empty() ? tr("Attention heads, none")
                      : tr("Attention heads: %1; %2 layers, %3 heads each")
                            .arg(kind_name(maps.front().kind))
                            .arg(maps.size())
                            .arg(maps.front().heads);
}

void HeadsGrid::set_cursor(HeadsHit place) {
  place.row = std::clamp(place.row, 0, std::max(0, layout_.rows - 1));
  place.column = std::clamp(place.column, 0, std::max(0, layout_.columns - 1));
  if (choice(place).map < 0) return;
  cursor_ = place;
  QRectF cell = layout_.cell(place.row, place.column);  // of the first ones also their names
  if (place.column == 0) cell.setLeft(0);
  if (place.row == 0) cell.setTop(0);
  reveal(cell, 6);
  choice_changed();
}

void HeadsGrid::set_opened(HeadChoice choice) {
  if (choice == opened_) return;
  const bool other = (choice.map < 0) != (opened_.map < 0);
  opened_ = choice;
  if (other) lay_out();
  viewport()->update();
}

void HeadsGrid::set_chosen(HeadChoice choice) {
  if (std::exchange(chosen_, choice) != choice) viewport()->update();
}

int HeadsGrid::least_width() const {
  const HeadsLayout::Metrics& m = layout_.metrics;
  return static_cast<int>(m.edge + m.margin + m.row_label + m.gap +
                          (layout_.columns + 1) * (kSmallBeside + kGapBeside));
}

void HeadsGrid::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (layout_.rows == 0) return;
  make_thumbnails(sight);
  const QFont font = theme().ui_font(type::kSource);
  painter.setFont(font);
  painter.setPen(theme().muted_text());
  for (int column = 0; column < layout_.columns; ++column) {
    const QRectF rect = layout_.header(column);
    QString name = column_name(column);
    if (text_width(name, font) + space::kTight > rect.width())
      name = choice({0, column}).head == AttentionMap::kMean  ? tr("mean")
             : choice({0, column}).head == AttentionMap::kMax ? tr("max")
                                                              : counted(column);
    write_line(painter, rect, static_cast<int>(Qt::AlignHCenter | Qt::AlignTop | Qt::TextSingleLine), name);
  }
  for (int row = 0; row < layout_.rows; ++row) {
    paint_layer(painter, row);
    for (int column = 0; column < layout_.columns; ++column)
      if (choice({row, column}).map >= 0 && layout_.cell(row, column).intersects(sight))
        paint_head(painter, {row, column});
  }
  for (int group = 0; group < layout_.metrics.groups; ++group)
    paint_bracket(painter, group, marks && hovered() == HeadsHit{HeadsHit::kGroup, group});
  if (opened_.map >= 0) paint_opened(painter);
  if (!marks) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  const auto mark = [&](const HeadsHit& place, const QColor& colour, double width) {
    if (choice(place).map < 0) return;
    painter.setPen(QPen(colour, width));
    painter.drawRoundedRect(layout_.thumb(place.row, place.column).adjusted(-2, -2, 2, 2), 3, 3);
  };
  mark(hovered(), theme().hover(), 1.5);
  mark(place_of(opened_.map >= 0 ? opened_ : chosen_), theme().accent(), 1.5);
}

// Its name, and how much of the text its window is.
void HeadsGrid::paint_layer(QPainter& painter, int row) const {
  const QFont font = theme().ui_font(type::kSource);
  const QRectF rect = layout_.row_label(row);
  if (!has_windows()) return write(painter, rect, kLeft, row_name(row), font, theme().muted_text());
  const AttentionMap& map = nth(model_->maps(), row);
  const double line = QFontMetricsF(font).height(), high = 2 * line + kWindowBar + 2 * space::kTight;
  const bool words = rect.height() >= high;
  double y = rect.center().y() - (words ? high : line + kWindowBar) / 2;
  write(painter, QRectF(rect.left(), y, rect.width(), line), kLeft, row_name(row), font, theme().muted_text());
  y += line + (words ? space::kTight : 0);
  const double share = map.window == 0 ? 1
                                       : std::min(1.0, static_cast<double>(map.window) /
                                                           static_cast<double>(std::max<Index>(1, map.column_count())));
  draw_share_bar(painter, QRectF(rect.left(), y, rect.width(), kWindowBar), share, theme().muted_text());
  y += kWindowBar + space::kTight;
  if (words)
    write(painter, QRectF(rect.left(), y, rect.width(), line), kLeft, window_name(map.window), font,
          theme().muted_text());
}

void HeadsGrid::paint_bracket(QPainter& painter, int group, bool marked) const {
  const QRectF rect = layout_.bracket(group).adjusted(1, 3, -1, -3);
  const QPen pen(marked ? tokens().accent : tokens().ink2, marked ? 2 : 1);
  painter.setRenderHint(QPainter::Antialiasing);
  draw_line(painter, rect.topLeft(), rect.topRight(), pen);
  draw_line(painter, rect.topLeft(), rect.bottomLeft(), pen);
  draw_line(painter, rect.topRight(), rect.bottomRight(), pen);
}

// What is outside the window, as stairs over the whole picture: in front of it, and behind it where one looks ahead.
void HeadsGrid::paint_dropped(QPainter& painter, const QRectF& rect, const AttentionMap& map) {
  if (map.window == 0 || map.is_merged() || map.key_of_column.front() != 0) return;
  const double high = rect.height() / static_cast<double>(map.row_count()),
               wide = rect.width() / static_cast<double>(map.column_count());
  const auto step = std::max<Index>(1, static_cast<Index>(std::ceil(1 / std::max(1e-9, high))));  // rows in a pixel
  QPainterPath outside;
  const auto add = [&](Index row, Index from, Index to) {
    if (to <= from) return;
    const double x = rect.left() + static_cast<double>(from) * wide, y = rect.top() + static_cast<double>(row) * high;
    outside.addRect(QRectF(x, y, static_cast<double>(to - from) * wide, static_cast<double>(step) * high) & rect);
  };
  for (Index row = 0; row < map.row_count(); row += step) {
    const AttentionRow& source = map.source(row);
    if (source.column < 0) continue;
    const Index own = nth(map.key_of_column, source.column);
    add(row, 0, own - map.window + 1);
    // As AttentionMap::is_dropped: what lies ahead of a decoder's row is hidden, not dropped.
    if (map.kind != AttentionMap::Kind::decoder_self) add(row, own + map.window, source.keys);
  }
  draw_not_kept(painter, outside);
}

void HeadsGrid::paint_head(QPainter& painter, const HeadsHit& place) const {
  const QRectF rect = layout_.thumb(place.row, place.column);
  const HeadChoice head = choice(place);
  const int heads = layout_.rows * layout_.columns;
  if (is_vector(painter)) {  // all weights, not those of a thumbnail
    const auto side = static_cast<Index>(std::sqrt(kMostPoints / heads));
    const Tensor values = pooled(pictured(head.map), head.head, side, side);
    const CellScale scale = scale_of(pictured(head.map), values, colours_);
    paint_cells(painter, rect, image_of(values, scale, CellColours(scale.is_signed)),
                std::max(kLeastRectangles, kMostRectanglesOfAll / heads));
  } else {
    paint_cells(painter, rect, image(place));
  }
  paint_dropped(painter, rect, pictured(head.map));
  painter.setRenderHint(QPainter::Antialiasing, false);
  if (model_->is_off(head.map, head.head)) paint_off(painter, rect);
  draw_box(painter, rect.adjusted(-1, -1, 0, 0), 0, QPen(theme().grid(), 1));
  if (head.head >= 0) paint_words(painter, place);
}

void HeadsGrid::paint_words(QPainter& painter, const HeadsHit& place) const {
  const HeadChoice head = choice(place);
  const HeadStatistics& statistics = model_->statistics(head.map, head.head);
  const QRectF bar = layout_.bar(place.row, place.column);
  painter.setPen(Qt::NoPen);
  painter.fillRect(bar, theme().grid());
  const bool measured = !std::isnan(statistics.entropy);
  if (measured)
    painter.fillRect(
        QRectF(bar.topLeft(), QSizeF(bar.width() * std::clamp(statistics.entropy, 0.0, 1.0), bar.height())),
        theme().muted_text());
  if (!layout_.words) return;
  const QFont font = digit_font();
  const auto write = [&](int line, const QColor& colour, QString text, const QString& shorter) {
    const QRectF rect = layout_.text(place.row, place.column, line);
    if (text_width(text, font) > rect.width()) text = shorter;
    write_line(painter, rect, kCentre, text, font, colour);
  };
  const bool off = model_->is_off(head.map, head.head);
  const QString habit = off ? head_off_name() : habit_name(model_->kind(head.map, head.head));
  write(0, off ? theme().edited() : theme().text(), habit, habit);
  if (!measured) return;
  const QString entropy = QString::number(statistics.entropy, 'f', 2);
  const QString distance = QString::number(statistics.distance, 'f', map(head).is_self() ? 1 : 2);
  write(1, theme().muted_text(), tr("entropy %1, distance %2").arg(entropy, distance), {});
}

void HeadsGrid::press_place(const HeadsHit& place) {
  if (place.row == HeadsHit::kGroup)
    return emit groupRequested(
        place.column, viewport()->mapToGlobal(viewport_point(layout_.bracket(place.column).bottomLeft()).toPoint()));
  if (choice(place).map < 0) return;
  set_cursor(place);
  emit activated(choice(place));
}

QRectF HeadsGrid::cursor_rect() const {
  const HeadsHit place{std::max(0, cursor_.row), std::max(0, cursor_.column)};
  return choice(place).map < 0 ? QRectF() : layout_.thumb(place.row, place.column);
}

bool HeadsGrid::go(int right, int down) {
  set_cursor({cursor_.row + down, cursor_.column + right});
  return true;
}

bool HeadsGrid::activate() {
  if (choice(cursor_).map < 0) return false;
  emit activated(choice(cursor_));
  return true;
}

bool HeadsGrid::menu(std::optional<QPointF> point, const QPoint& global) {
  const HeadsHit place = point ? layout_.place_at(*point) : cursor_;
  if (place.row == HeadsHit::kGroup) press_place(place);
  if (choice(place).map < 0) return place.row == HeadsHit::kGroup;
  set_cursor(place);
  const QPointF centre = viewport_point(layout_.thumb(place.row, place.column).center());
  emit menuRequested(choice(place), point ? global : viewport()->mapToGlobal(centre.toPoint()));
  return true;
}

}  // namespace headlight
