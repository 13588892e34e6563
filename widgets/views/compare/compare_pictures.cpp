#include "widgets/views/compare/compare_pictures.h"

#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/base/controls.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/number_words.h"

namespace headlight {

namespace {

constexpr int kSmallest = 24;  // a heatmap cannot be drawn in less
constexpr double kBar = 70;    // what a heatmap takes for its colour bar

std::vector<float> floats(const Tensor& values) { return {values.data(), values.data() + values.size()}; }

// The ends of the colours that both runs share.
std::pair<double, double> common_limits(const TableDifference& table) {
  double low = 0, high = 0;
  for (const Tensor* values : {&table.before, &table.after})
    for (Index i = 0; i < values->size(); ++i) {
      const auto value = static_cast<double>((*values)[i]);
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  if (low < 0) high = std::max(high, -low);
  if (high <= 0) high = 1;
  return {low < 0 ? -high : 0, high};
}

QFont name_font() { return bold_font(type::kTitle); }
QFont written_font(bool characters) {
  QFont font = theme().text_font(characters, type::kTitle);
  font.setWeight(QFont::DemiBold);
  return font;
}

}  // namespace

ComparePictures::ComparePictures(Selection* selection, QWidget* parent) : QWidget(parent), selection_(selection) {
  for (Heatmap*& map : maps_) {
    map = new Heatmap(this);
    map->set_bare(true);  // what its axes and colours are, is said around it
    map->hide();          // until it has its place
    connect(map, &Heatmap::cellActivated, this, &ComparePictures::select);
    connect(map, &Heatmap::cursorMoved, this, &ComparePictures::select);
    connect(map, &Heatmap::cellHovered, this, &ComparePictures::hover);
  }
  maps_[2]->set_range(Heatmap::Range::symmetric);
  connect(selection_, &Selection::changed, this, &ComparePictures::follow_selection);
  connect(selection_, &Selection::hovered, this, &ComparePictures::follow_hover);
  theme().restyles(this, [this] { arrange(); });
  retranslates(this, [this] { show_titles(); });
  show_titles();
}

void ComparePictures::set_compared(Compared compared, quint64 generation) {
  compared_ = std::move(compared);
  const TableDifference& table = compared_.table;
  const auto rows = static_cast<int>(table.rows.size()), columns = static_cast<int>(table.columns.size());
  const Tensor* values[] = {&table.before, &table.after, &table.change};
  const auto limits = compared_.empty() ? std::pair(0.0, 1.0) : common_limits(table);
  // Many columns share the weight: up to 1, nothing could be seen.
  const bool unit = compared_.weights && columns <= 64;
  for (std::size_t i = 0; i < maps_.size(); ++i) {
    Heatmap& map = *maps_[i];
    if (compared_.empty()) {
      map.clear();
      continue;
    }
    if (i < 2) {
      map.set_range(unit               ? Heatmap::Range::unit
                    : limits.first < 0 ? Heatmap::Range::symmetric
                                       : Heatmap::Range::automatic);
      map.set_limits(unit ? std::nullopt : std::optional(limits));
    }
    map.set_matrix(rows, columns, floats(*values[i]), generation);
    const QString value = i == 2 ? tr("change of %1").arg(compared_.value) : compared_.value;
    map.set_captions(compared_.rows.caption, compared_.columns.caption,
                     i == 2 ? value : QStringLiteral("%1: %2").arg(i == 0 ? "A" : "B", value));
    map.set_subject(compared_.subject);
    map.set_labels(compared_.rows.labels, compared_.columns.labels);
  }
  show_titles();
  follow_selection();
}

void ComparePictures::set_titles(CompareTitle a, CompareTitle b) {
  title_a_ = std::move(a);
  title_b_ = std::move(b);
  show_titles();
}

void ComparePictures::set_difference_shown(bool shown) {
  if (std::exchange(difference_, shown) != shown) arrange();
}

void ComparePictures::show_titles() {
  titles_ = {QStringLiteral("A · ") + title_a_.name, QStringLiteral("B · ") + title_b_.name, tr("B − A: what changed")};
  const QString help[] = {tr("The run that B is compared with."), tr("The newest run."),
                          tr("Brown: more in B than in A. Blue: less. Hatched: only one of the two runs has it.")};
  for (std::size_t i = 0; i < maps_.size(); ++i)
    maps_[i]->setToolTip(help[i] + '\n' +
                         tr("The cursor is the same in all three. Wheel: zoom, drag: move, 0: show everything."));
  arrange();
}

QString ComparePictures::change_text() const {
  if (compared_.empty()) return {};
  const SiteChange change = site_change({}, compared_.table);
  if (change.cells == 0) return tr("The runs have nothing in common here.");
  if (change.largest == 0) return tr("No number changed.");
  return tr("Most changed: %1.").arg(maps_[2]->readout(static_cast<int>(change.row), static_cast<int>(change.column)));
}

void ComparePictures::select(int row, int column) {
  if (compared_.empty() || row < 0 || column < 0) return;
  selection_->set(compared_.selection_at({row, column}));
  for (Heatmap* map : maps_) map->set_selected_cell(row, column);  // also where B has nothing
}

void ComparePictures::hover(int row, int column) {
  if (compared_.empty()) return;
  compared_.axes().hover({row, column}, selection_);
  for (Heatmap* map : maps_) map->set_hover(row, column);
}

void ComparePictures::follow_selection() {
  if (compared_.empty()) return;
  const MapCell at = compared_.find(selection_->state());
  for (Heatmap* map : maps_) map->set_place(at.row, at.column);
}

void ComparePictures::follow_hover() {
  if (compared_.empty()) return;
  const MapCell at = compared_.axes().find_hovered(*selection_);
  for (Heatmap* map : maps_) map->set_hover(at.row, at.column);
}

ComparePicturesLayout ComparePictures::layout_for(QSizeF size, bool all) const {
  const QSizeF smallest = all ? QSizeF(0, 0) : QSizeF(205, 180) * theme().font_scale();
  const QSizeF room = size - QSizeF(space::kLarge, 0);  // a heatmap leaves the rest of the margin
  if (!difference_ && size.width() >= 2 * smallest.width()) {
    const double width = (room.width() - space::kMargin) / 2 - space::kMargin - space::kSmall;
    const bool one_line = std::max(title_width(title_a_, titles_[0]), title_width(title_b_, titles_[1])) <= width;
    return ComparePicturesLayout::pair(room, (one_line ? 1 : 2) * title_height() + space::kSmall, space::kMargin);
  }
  // In a file each picture explains itself.
  return ComparePicturesLayout::of(room, smallest, title_height() + space::kSmall, all ? kBar : 0);
}

void ComparePictures::arrange() {
  layout_ = layout_for(size(), false);
  maps_[0]->set_colour_bar(!difference_);  // in a file that of B stands beside it
  for (std::size_t i = 0; i < maps_.size(); ++i) {
    const QRect place = layout_.pictures[i].toRect();
    const bool room = std::min(place.width(), place.height()) >= kSmallest;
    if (room) maps_[i]->setGeometry(place);
    maps_[i]->setVisible(room);
  }
  update();
}

void ComparePictures::resizeEvent(QResizeEvent*) { arrange(); }

void ComparePictures::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().background());
  paint_titles(painter, layout_, true);
}

void ComparePictures::paint_titles(QPainter& painter, const ComparePicturesLayout& layout, bool keys) const {
  if (layout.form == ComparePicturesLayout::Form::pair) {
    paint_title(painter, title_a_, titles_[0], layout.titles[0]);
    return paint_title(painter, title_b_, titles_[1], layout.titles[1]);
  }
  for (std::size_t i = 0; i < titles_.size(); ++i) {
    if (layout.titles[i].isEmpty()) continue;  // not shown
    const QRectF line = layout.titles[i].adjusted(space::kMargin, 0, -space::kSmall, -space::kSmall);
    // What was written stands above; the line below the picture has the colours of shares, but not those of changes.
    const bool keyed = keys && !compared_.empty() && (i == 2 || !compared_.weights);
    const double key = keyed ? paint_key(painter, line, *maps_[i]) : 0;
    write_line(painter, line.adjusted(0, 0, -key, 0), kLeft, titles_[i], name_font(), tokens().ink);
  }
}

// What the colours of a picture are, at the right of its title; how wide that is.
double ComparePictures::paint_key(QPainter& painter, const QRectF& line, const Heatmap& map) {
  constexpr double kColours = 48, kHigh = 10;
  const CellScale scale = map.colour_scale();
  const QFont font = theme().ui_font(type::kHead);
  const QString low = short_number(scale.low, 3), high = short_number(scale.high, 3);
  const double before = std::ceil(text_width(low, font)), behind = std::ceil(text_width(high, font));
  const double wide = before + behind + kColours + 2 * space::kSmall;
  if (wide > line.width() / 2) return 0;  // its name is more
  const QRectF colours(line.right() - behind - space::kSmall - kColours, line.center().y() - kHigh / 2, kColours,
                       kHigh);
  QLinearGradient gradient(colours.topLeft(), colours.topRight());
  constexpr int kStops = 32;
  for (int i = 0; i <= kStops; ++i) {
    const double share = static_cast<double>(i) / kStops;
    gradient.setColorAt(share, scale.colour(scale.low + share * (scale.high - scale.low)));
  }
  painter.fillRect(colours.toAlignedRect(), gradient);
  const Tokens& t = tokens();
  write(painter, QRectF(line.right() - wide, line.top(), before, line.height()), kRight, low, font, t.ink2);
  write(painter, QRectF(line.right() - behind, line.top(), behind, line.height()), kRight, high, font, t.ink2);
  return wide + space::kMedium;
}

double ComparePictures::title_height() {
  return std::ceil(QFontMetricsF(theme().ui_font(type::kTitle)).height()) + space::kTight;
}

double ComparePictures::output_width(const CompareTitle& title) {
  const QFont font = written_font(!title.spaced);
  const double between = title.spaced ? text_width(QStringLiteral(" "), font) : 0;
  double width = 0;
  for (const CompareTitle::Token& token : title.output) width += text_width(token.text, font) + between;
  return width;
}

double ComparePictures::title_width(const CompareTitle& title, const QString& name) {
  return std::ceil(text_width(name, name_font())) + space::kMedium + output_width(title);
}

// The output stands at the right, or below where there is no room for both.
void ComparePictures::paint_title(QPainter& painter, const CompareTitle& title, const QString& name,
                                  const QRectF& rect) const {
  const Tokens& t = tokens();
  const QFont bold = name_font(), written = written_font(!title.spaced), small = theme().ui_font(type::kSource);
  QRectF line = rect.adjusted(space::kMargin, 0, -space::kSmall, -space::kSmall);
  const bool below = line.height() > 1.5 * title_height();
  if (below) line.setHeight(line.height() / 2);
  const double between = title.spaced ? text_width(QStringLiteral(" "), written) : 0;
  const double needed = std::ceil(text_width(name, bold));
  double x = below ? line.left()
                   : std::max(line.right() - output_width(title),
                              line.left() + std::min(needed, line.width() / 2) + space::kMedium);
  const double name_end = below ? line.right() : x - space::kMedium;
  write_line(painter, QRectF(line.left(), line.top(), name_end - line.left(), line.height()), kLeft, name, bold, t.ink);
  const double left = line.left() + needed + space::kMedium;
  if (left + text_width(title.detail, small) <= name_end)
    write_line(painter, QRectF(left, line.top(), name_end - left, line.height()), kLeft, title.detail, small, t.ink2);
  if (below) line.translate(0, line.height());
  for (const CompareTitle::Token& token : title.output) {
    const double wide = text_width(token.text, written);
    if (x + wide > line.right() + 1) {
      write(painter, QRectF(x, line.top(), line.right() - x + space::kSmall, line.height()), kLeft, QStringLiteral("…"),
            written, t.ink2);
      return;
    }
    const QRectF box(x, line.top(), wide + 1, line.height());
    write(painter, box, kLeft, token.text, written, token.same ? t.ink : t.edited);
    if (!token.same)
      draw_line(painter, box.bottomLeft() + QPointF(1, -1), box.bottomRight() + QPointF(-2, -1), QPen(t.edited, 2));
    x += wide + between;
  }
}

void ComparePictures::paint_picture(QPainter& painter, QSizeF size) const {
  const ComparePicturesLayout layout = layout_for(size, true);
  paint_titles(painter, layout, false);
  for (std::size_t i = 0; i < maps_.size(); ++i) {
    if (layout.pictures[i].isEmpty()) continue;  // not shown
    painter.save();
    painter.translate(layout.pictures[i].topLeft());
    maps_[i]->paint_picture(painter, layout.pictures[i].size().toSize());
    painter.restore();
  }
}

}  // namespace headlight
