// The heatmap widget: state, mouse and keys. What it shows is painted by heatmap_painter.cpp.
#include "widgets/matrix/heatmap.h"

#include <QKeyEvent>
#include <QPainter>
#include <cmath>

#include "widgets/base/theme.h"
#include "widgets/matrix/heatmap_scene.h"
#include "widgets/tables/matrix_model.h"
#include "widgets/text/token_text.h"

namespace headlight {

struct Heatmap::Private {
  HeatmapScene scene;
  HeatmapPainter painter;
  HeatmapWindow window;
  HeatmapLayout layout;
  QPixmap frame;  // everything but the marks, which follow the mouse
  MatrixModel* model = nullptr;
  quint64 drawn_generation = 0;
  bool geometry_changed = true, frame_changed = true;  // what the next paint must do again
  bool queued = false;
  std::optional<QPointF> pressed;  // where the mouse went down
  QPointF dragged_from;
  bool dragging = false;
};

Heatmap::Heatmap(QWidget* parent) : Canvas(Layout::camera, parent), d_(std::make_unique<Private>()) {
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
  d_->model = new MatrixModel(this);
  d_->scene.value_caption = tr("weight");
  announce();
}

void Heatmap::forget() {
  d_->painter.forget();
  d_->scene.widest_row = d_->scene.widest_column = -1;
}

QSizeF Heatmap::arrange(QSizeF view) {
  d_->geometry_changed = d_->frame_changed = true;
  return view;
}

Heatmap::~Heatmap() = default;

void Heatmap::queue() {
  d_->frame_changed = true;
  if (d_->queued) return;
  d_->queued = true;
  QMetaObject::invokeMethod(
      this,
      [this] {
        if (d_->queued) refresh();
      },
      Qt::QueuedConnection);
}

void Heatmap::refresh() {
  d_->queued = false;
  if (d_->frame_changed && isVisible()) viewport()->repaint();  // otherwise the paint that shows it draws it
}

void Heatmap::draw() {
  const double ratio = devicePixelRatioF();
  const QSize points = (QSizeF(size()) * ratio).toSize();
  if (d_->frame.size() != points || d_->frame.devicePixelRatio() != ratio) {
    d_->frame = QPixmap(points);
    d_->frame.setDevicePixelRatio(ratio);
    d_->frame_changed = true;
  }
  if (!d_->frame_changed) return;
  d_->frame_changed = false;
  HeatmapScene& scene = d_->scene;
  scene.points = ratio;
  update_layout();
  QPainter painter(&d_->frame);
  painter.fillRect(viewport()->rect(), Theme::instance().background());
  d_->painter.paint_screen(painter, scene, d_->layout);
  d_->painter.paint_frame(painter, scene, d_->layout);
  d_->drawn_generation = scene.generation;
}

void Heatmap::paintEvent(QPaintEvent* event) {
  draw();
  Canvas::paintEvent(event);
  emit painted(d_->drawn_generation);
}

void Heatmap::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (!marks) return paint_picture(painter, sight.size().toSize());
  painter.drawPixmap(0, 0, d_->frame);
  d_->painter.paint_marks(painter, d_->scene, d_->layout);
}

void Heatmap::update_layout() {
  if (!d_->geometry_changed) return;
  d_->geometry_changed = false;
  d_->layout = d_->painter.layout(d_->scene, d_->window, size());
}

void Heatmap::set_matrix(int rows, int columns, std::vector<float> values, quint64 generation) {
  HeatmapScene& scene = d_->scene;
  if (static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) != values.size() || values.empty()) {
    rows = columns = 0;
    values.clear();
  }
  const bool resized = rows != scene.rows || columns != scene.columns;
  scene.rows = rows;
  scene.columns = columns;
  scene.values = std::make_shared<const HeatmapValues>(rows, columns, std::move(values));
  scene.generation = generation;
  if (resized) {
    d_->window = HeatmapWindow::whole(rows, columns);
    d_->geometry_changed = true;
    if (!scene.has(scene.selected.row, scene.selected.column)) scene.selected = {};
    if (!scene.has(scene.hover.row, scene.hover.column)) scene.hover = {};
  }
  d_->model->share_matrix(rows, columns, scene.values->all());
  announce();
  queue();
}

void Heatmap::set_matrix(const Tensor& matrix, quint64 generation) {
  if (!matrix.defined() || matrix.size() == 0) return set_matrix(0, 0, {}, generation);
  set_matrix(static_cast<int>(matrix.rows()), static_cast<int>(matrix.columns()),
             std::vector<float>(matrix.data(), matrix.data() + matrix.size()), generation);
}

void Heatmap::clear() { set_matrix(0, 0, {}); }

int Heatmap::rows() const { return d_->scene.rows; }
int Heatmap::columns() const { return d_->scene.columns; }
quint64 Heatmap::generation() const { return d_->scene.generation; }
Heatmap::Range Heatmap::range() const { return d_->scene.range; }
int Heatmap::visible_rows() const { return d_->scene.visible_rows; }
HeatmapCell Heatmap::selected_cell() const { return d_->scene.selected; }
MatrixModel* Heatmap::table_model() const { return d_->model; }
QString Heatmap::readout(int row, int column) const { return d_->scene.readout(row, column); }

float Heatmap::value(int row, int column) const {
  return d_->scene.has(row, column) ? d_->scene.value(row, column) : std::numeric_limits<float>::quiet_NaN();
}

void Heatmap::set_labels(std::vector<AxisLabel> rows, std::vector<AxisLabel> columns) {
  d_->scene.row_labels = std::move(rows);
  d_->scene.column_labels = std::move(columns);
  d_->scene.widest_row = d_->scene.widest_column = -1;
  const auto names = [](const std::vector<AxisLabel>& labels) {
    QStringList list;
    for (const AxisLabel& label : labels) list.append(label.name.isEmpty() ? label.text : label.name);
    return list;
  };
  const auto texts = [](const std::vector<AxisLabel>& labels) {
    QStringList list;
    for (const AxisLabel& label : labels) list.append(label.text);
    return list;
  };
  d_->model->set_short_labels(texts(d_->scene.row_labels), texts(d_->scene.column_labels));
  d_->model->set_labels(names(d_->scene.row_labels), names(d_->scene.column_labels));
  d_->geometry_changed = true;
  announce();
  queue();
}

void Heatmap::set_captions(const QString& rows, const QString& columns, const QString& value) {
  d_->scene.row_caption = rows;
  d_->scene.column_caption = columns;
  d_->scene.value_caption = value;
  d_->model->set_corner(d_->scene.with_subject(rows));
  d_->geometry_changed = true;
  announce();
  queue();
}

void Heatmap::set_subject(const QString& subject) {
  d_->scene.subject = subject;
  d_->model->set_corner(d_->scene.with_subject(d_->scene.row_caption));
  announce();
  queue();
}

void Heatmap::set_range(Range range) {
  d_->scene.range = range;
  d_->painter.forget_colours();
  d_->geometry_changed = true;
  queue();
}

void Heatmap::set_limits(std::optional<std::pair<double, double>> limits) {
  if (limits == d_->scene.fixed_limits) return;
  d_->scene.fixed_limits = limits;
  d_->painter.forget_colours();
  d_->geometry_changed = true;
  queue();
}

void Heatmap::set_colour_bar(bool shown) {
  d_->scene.colour_bar = shown;
  d_->geometry_changed = true;
  queue();
}

void Heatmap::set_visible_rows(int count) {
  if (count == d_->scene.visible_rows) return;
  d_->scene.visible_rows = count;
  announce();
  queue();
}

void Heatmap::set_selected_cell(int row, int column) {
  const HeatmapCell cell = d_->scene.has(row, column) ? HeatmapCell{row, column} : HeatmapCell{};
  if (cell == d_->scene.selected) return;
  d_->scene.selected = cell;
  announce();
  viewport()->update();
}

void Heatmap::set_highlighted_row(int row) {
  if (row == d_->scene.highlighted_row) return;
  d_->scene.highlighted_row = row;
  viewport()->update();
}

void Heatmap::set_highlighted_columns(std::vector<int> columns) {
  if (columns == d_->scene.highlighted_columns) return;
  d_->scene.highlighted_columns = std::move(columns);
  viewport()->update();
}

void Heatmap::set_place(int row, int column) {
  set_highlighted_row(row);
  set_highlighted_columns(column < 0 ? std::vector<int>{} : std::vector<int>{column});
  const bool whole = row >= 0 && column >= 0;
  set_selected_cell(whole ? row : -1, whole ? column : -1);
}

void Heatmap::set_hover(int row, int column) {
  if (HeatmapCell{row, column} == d_->scene.hover) return;
  d_->scene.hover = {row, column};
  viewport()->update();
}

void Heatmap::set_edited_cells(std::vector<HeatmapCell> cells) {
  if (cells == d_->scene.edited) return;
  d_->scene.edited = std::move(cells);
  queue();
}

void Heatmap::reset_view() { set_window(HeatmapWindow::whole(d_->scene.rows, d_->scene.columns)); }

void Heatmap::set_window(const HeatmapWindow& window) {
  const HeatmapWindow clamped = window.clamped(d_->scene.rows, d_->scene.columns);
  if (clamped == d_->window) return;
  d_->window = clamped;
  d_->geometry_changed = true;
  queue();
}

QSize Heatmap::cells_of_point() const { return heatmap_layout().cells_of_point(devicePixelRatioF()); }

const HeatmapLayout& Heatmap::heatmap_layout() const {
  const_cast<Heatmap*>(this)->update_layout();  // a cache: callers see the geometry of the next paint
  return d_->layout;
}

QString Heatmap::name() const {
  const HeatmapScene& scene = d_->scene;
  return scene.rows == 0 ? tr("Heatmap, empty")
                         : tr("Heatmap of %1, %2 rows (%3), %4 columns (%5)")
                               .arg(scene.with_subject(scene.value_caption))
                               .arg(scene.rows)
                               .arg(scene.row_caption)
                               .arg(scene.columns)
                               .arg(scene.column_caption);
}

QString Heatmap::description() const {
  const HeatmapCell cell = d_->scene.selected;
  return d_->scene.has(cell.row, cell.column) ? tr("Selected: %1").arg(d_->scene.readout(cell.row, cell.column))
                                              : tr("No cell selected. Arrow keys choose one.");
}

void Heatmap::press(QPointF point, Qt::KeyboardModifiers) {
  d_->pressed = d_->dragged_from = point;
  d_->dragging = false;
}

void Heatmap::drag(QPointF point) {
  if (!d_->pressed || (!d_->dragging && (point - *d_->pressed).manhattanLength() < 5)) return;
  d_->dragging = true;
  viewport()->setCursor(Qt::ClosedHandCursor);
  pan(point - d_->dragged_from);
  d_->dragged_from = point;
}

void Heatmap::pan(QPointF pixels) {
  const HeatmapLayout& layout = heatmap_layout();
  if (layout.rows == 0) return;
  const QPointF moved = layout.matrix_point({0, 0}) - layout.matrix_point(pixels);
  set_window(d_->window.moved(moved.x(), moved.y(), layout.rows, layout.columns));
}

Qt::CursorShape Heatmap::hover(QPointF point) {
  const HeatmapLayout& layout = heatmap_layout();
  const HeatmapCell place = layout.cell_at(point).value_or(
      HeatmapCell{layout.row_label_at(point).value_or(-1), layout.column_label_at(point).value_or(-1)});
  if (place == d_->scene.hover) return Qt::ArrowCursor;
  set_hover(place.row, place.column);
  if (place == HeatmapCell{})
    emit hoverLeft();
  else
    emit cellHovered(place.row, place.column);
  return Qt::ArrowCursor;
}

void Heatmap::leave() {
  if (d_->scene.hover == HeatmapCell{}) return;
  set_hover(-1, -1);
  emit hoverLeft();
}

void Heatmap::release(QPointF point) {
  if (!d_->pressed) return;
  d_->pressed.reset();
  if (std::exchange(d_->dragging, false)) return viewport()->setCursor(hover(point));
  if (const auto cell = heatmap_layout().cell_at(point)) {
    set_selected_cell(cell->row, cell->column);
    emit cellActivated(cell->row, cell->column);
  }
}

void Heatmap::zoom(double factor, QPointF point) {
  const HeatmapLayout& layout = heatmap_layout();
  if (layout.rows == 0) return;
  const HeatmapWindow zoomed = d_->window.zoomed(factor, layout.matrix_point(point), layout.rows, layout.columns);
  const HeatmapCell cell = d_->scene.selected;  // stays whole
  set_window(layout.cell_at(point) == cell ? zoomed.showing(cell.row, cell.column, layout.rows, layout.columns)
                                           : zoomed);
}

// The cell of the cursor, where it is seen.
QPointF Heatmap::zoom_centre() const {
  const HeatmapLayout& layout = heatmap_layout();
  const HeatmapCell cell = d_->scene.selected;
  const QPointF centre = layout.cell_rect(cell.row, cell.column).center();
  return d_->scene.has(cell.row, cell.column) && layout.cells.contains(centre) ? centre : layout.cells.center();
}

bool Heatmap::go(int right, int down) {
  const HeatmapScene& scene = d_->scene;
  if (scene.rows == 0) return false;
  HeatmapCell cell = scene.selected;
  if (scene.has(cell.row, cell.column))
    cell = {std::clamp(cell.row + down, 0, scene.rows - 1), std::clamp(cell.column + right, 0, scene.columns - 1)};
  else
    cell = {std::clamp(scene.highlighted_row, 0, scene.rows - 1), right == kEnd ? scene.columns - 1 : 0};
  d_->scene.focused = true;
  set_selected_cell(cell.row, cell.column);
  set_window(d_->window.showing(cell.row, cell.column, scene.rows, scene.columns));
  emit cursorMoved(cell.row, cell.column);
  return true;
}

int Heatmap::page() const { return std::clamp(static_cast<int>(d_->window.height()) - 1, 1, kPage); }

bool Heatmap::activate() {
  const HeatmapCell cell = d_->scene.selected;
  if (!d_->scene.has(cell.row, cell.column)) return false;
  emit cellActivated(cell.row, cell.column);
  return true;
}

bool Heatmap::press_key(const QKeyEvent& event) {
  const HeatmapCell cell = d_->scene.selected;
  if (event.key() != Qt::Key_F2 || !d_->scene.has(cell.row, cell.column)) return false;
  emit editRequested(cell.row, cell.column);
  return true;
}

void Heatmap::focusInEvent(QFocusEvent* event) {
  Canvas::focusInEvent(event);
  // A click shows where one is by itself; the keyboard needs the frame.
  d_->scene.focused = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                      event->reason() == Qt::ShortcutFocusReason;
}

void Heatmap::focusOutEvent(QFocusEvent* event) {
  Canvas::focusOutEvent(event);
  d_->scene.focused = false;
}

bool Heatmap::menu(std::optional<QPointF> point, const QPoint& global) {
  HeatmapCell cell = d_->scene.selected;
  QPoint position = global;
  if (point)
    cell = heatmap_layout().cell_at(*point).value_or(HeatmapCell{});
  else if (d_->scene.has(cell.row, cell.column))
    position = viewport()->mapToGlobal(heatmap_layout().cell_rect(cell.row, cell.column).center().toPoint());
  emit contextMenuRequested(cell.row, cell.column, position);
  return true;
}

// Of labels that were shortened; cells have their readout.
QString Heatmap::tooltip(QPointF point) const {
  const HeatmapLayout& layout = heatmap_layout();
  const auto full = [](const std::vector<AxisLabel>& labels, std::optional<int> i) {
    if (!i || *i >= static_cast<int>(labels.size())) return QString();
    const AxisLabel& label = labels[static_cast<std::size_t>(*i)];
    return label.name.isEmpty() ? label.text : label.name;
  };
  const QString row = full(d_->scene.row_labels, layout.row_label_at(point));
  const QString text = row.isEmpty() ? full(d_->scene.column_labels, layout.column_label_at(point)) : row;
  return text.isEmpty() && layout.cell_at(point) ? QStringLiteral("") : text;
}

void Heatmap::paint_picture(QPainter& painter, QSize size) const {
  HeatmapScene scene = d_->scene;
  scene.focused = false;
  scene.points = 2;  // as finely as pictures are written
  const HeatmapLayout layout = d_->painter.layout(scene, d_->window, size);
  painter.fillRect(QRect(QPoint(), size), Theme::instance().background());
  d_->painter.paint_cells(painter, scene, layout);
  d_->painter.paint_frame(painter, scene, layout);
  d_->painter.paint_marks(painter, scene, layout);
}

Figure Heatmap::figure() const {
  const QSize shown = size().expandedTo(minimumSizeHint());
  return {shown, [this, shown](QPainter& painter) { paint_picture(painter, shown); }, accessibleName(), d_->model};
}

QSize Heatmap::sizeHint() const { return {640, 360}; }

QSize Heatmap::minimumSizeHint() const { return {260, 160}; }

}  // namespace headlight
