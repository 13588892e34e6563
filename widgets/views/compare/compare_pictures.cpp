#include "widgets/views/compare/compare_pictures.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/base/theme.h"

namespace headlight {

namespace {

constexpr int kSmallest = 24;  // a heatmap cannot be drawn in less
constexpr double kBar = 70;    // what a heatmap takes for its colour bar

std::vector<float> floats(const Tensor& values) { return {values.data(), values.data() + values.size()}; }

int place_of(const std::vector<int>& places, std::optional<int> wanted) {
  if (!wanted) return -1;
  const auto found = std::find(places.begin(), places.end(), *wanted);
  return found == places.end() ? -1 : static_cast<int>(found - places.begin());
}

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

}  // namespace

ComparePictures::ComparePictures(Selection* selection, QWidget* parent) : QWidget(parent), selection_(selection) {
  for (Heatmap*& map : maps_) {
    map = new Heatmap(this);
    map->hide();  // until it has its place
    connect(map, &Heatmap::cellActivated, this, &ComparePictures::select);
    connect(map, &Heatmap::cursorMoved, this, &ComparePictures::select);
    connect(map, &Heatmap::cellHovered, this, &ComparePictures::hover);
    connect(map, &Heatmap::hoverLeft, this, [this] { hover(-1, -1); });
  }
  maps_[2]->set_range(Heatmap::Range::symmetric);
  connect(selection_, &Selection::changed, this, &ComparePictures::follow_selection);
  connect(selection_, &Selection::hovered, this, &ComparePictures::follow_hover);
  connect(&Theme::instance(), &Theme::changed, this, &ComparePictures::arrange);
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

void ComparePictures::set_titles(const QString& a, const QString& b) {
  title_a_ = a;
  title_b_ = b;
  show_titles();
}

void ComparePictures::show_titles() {
  titles_ = {QStringLiteral("A · ") + title_a_, QStringLiteral("B · ") + title_b_, tr("B − A: what changed")};
  const QString help[] = {tr("The run that B is compared with."), tr("The newest run."),
                          tr("Orange: more in B than in A. Blue: less. Hatched: only one of the two runs has it.")};
  for (std::size_t i = 0; i < maps_.size(); ++i)
    maps_[i]->setToolTip(help[i] + '\n' +
                         tr("The cursor is the same in all three. Wheel: zoom, drag: move, 0: show everything."));
  update();
}

QString ComparePictures::change_text() const {
  if (compared_.empty()) return {};
  const SiteChange change = site_change({}, compared_.table);
  if (change.cells == 0) return tr("The runs have nothing in common here.");
  if (change.largest == 0) return tr("No number changed.");
  return tr("Largest change: %1.")
      .arg(maps_[2]->readout(static_cast<int>(change.row), static_cast<int>(change.column)));
}

void ComparePictures::select(int row, int column) {
  if (compared_.empty() || row < 0 || column < 0) return;
  const auto first = [](int a, int b) { return a >= 0 ? std::optional(a) : b >= 0 ? std::optional(b) : std::nullopt; };
  const auto r = static_cast<std::size_t>(row), c = static_cast<std::size_t>(column);
  SelectionState state;
  state.step = first(compared_.rows.step[r], -1);
  state.source_token = first(compared_.columns.token[c], compared_.rows.token[r]);
  if (const auto cell = compared_.cell(row, column)) {
    state.entry = cell->entry;
    state.cell = cell->cell;
  }
  selection_->set(state);
  for (Heatmap* map : maps_) map->set_selected_cell(row, column);  // also where B has nothing
}

void ComparePictures::hover(int row, int column) {
  if (compared_.empty()) return;
  const auto known = [](const std::vector<int>& places, int at) {
    return at < 0 || places[static_cast<std::size_t>(at)] < 0 ? std::nullopt
                                                              : std::optional(places[static_cast<std::size_t>(at)]);
  };
  const auto token = known(compared_.columns.token, column);
  selection_->hover(token ? token : known(compared_.rows.token, row), known(compared_.rows.step, row));
  for (Heatmap* map : maps_) map->set_hover(row, column);
}

void ComparePictures::follow_selection() {
  if (compared_.empty()) return;
  const SelectionState& state = selection_->state();
  HeatmapCell at;
  if (state.entry && state.cell) at = compared_.find(*state.entry, *state.cell);
  if (at.row < 0) at.row = place_of(compared_.rows.step, state.step);
  if (at.row < 0) at.row = place_of(compared_.rows.token, state.source_token);
  if (at.column < 0) at.column = place_of(compared_.columns.token, state.source_token);
  const bool whole = at.row >= 0 && at.column >= 0;
  for (Heatmap* map : maps_) {
    map->set_highlighted_row(at.row);
    map->set_highlighted_columns(at.column < 0 ? std::vector<int>{} : std::vector<int>{at.column});
    map->set_selected_cell(whole ? at.row : -1, whole ? at.column : -1);
  }
}

void ComparePictures::follow_hover() {
  if (compared_.empty()) return;
  const int row = place_of(compared_.rows.step, selection_->hovered_step());
  const int column = place_of(compared_.columns.token, selection_->hovered_token());
  for (Heatmap* map : maps_) map->set_hover(row, column);
}

ComparePicturesLayout ComparePictures::layout_for(QSizeF size, bool all) const {
  const Theme& theme = Theme::instance();
  const QSizeF smallest = all ? QSizeF(0, 0) : QSizeF(205, 180) * theme.font_scale();
  return ComparePicturesLayout::of(size, smallest, std::ceil(QFontMetricsF(theme.ui_font(0.92)).height() + 2), kBar);
}

void ComparePictures::arrange() {
  layout_ = layout_for(size(), false);
  maps_[0]->set_colour_bar(layout_.form != ComparePicturesLayout::Form::row);  // that of B stands beside it
  for (std::size_t i = 0; i < maps_.size(); ++i) {
    const QRect place = layout_.pictures[i].toRect();
    const bool room = std::min(place.width(), place.height()) >= kSmallest;
    if (room) maps_[i]->setGeometry(place);
    maps_[i]->setVisible(room);
  }
  update();
}

void ComparePictures::resizeEvent(QResizeEvent*) { arrange(); }

void ComparePictures::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) show_titles();
  QWidget::changeEvent(event);
}

void ComparePictures::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), Theme::instance().background());
  paint_titles(painter, layout_);
}

void ComparePictures::paint_titles(QPainter& painter, const ComparePicturesLayout& layout) const {
  const Theme& theme = Theme::instance();
  const QFont font = theme.ui_font(0.92);
  painter.setFont(font);
  painter.setPen(theme.text());
  for (std::size_t i = 0; i < titles_.size(); ++i)
    painter.drawText(layout.titles[i], static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine),
                     QFontMetricsF(font).elidedText(titles_[i], Qt::ElideRight, layout.titles[i].width()));
}

void ComparePictures::paint_picture(QPainter& painter, QSizeF size) const {
  const ComparePicturesLayout layout = layout_for(size, true);
  paint_titles(painter, layout);
  for (std::size_t i = 0; i < maps_.size(); ++i) {
    painter.save();
    painter.translate(layout.pictures[i].topLeft());
    maps_[i]->paint_picture(painter, layout.pictures[i].size().toSize());
    painter.restore();
  }
}

}  // namespace headlight
