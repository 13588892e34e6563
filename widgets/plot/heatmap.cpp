// The heatmap widget: state, mouse and keys. What it shows is painted by heatmap_painter.cpp.
#include "widgets/plot/heatmap.h"

#include <QFileInfo>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "widgets/base/export.h"
#include "widgets/base/theme.h"
#include "widgets/base/token_text.h"
#include "widgets/items/matrix_model.h"
#include "widgets/plot/heatmap_scene.h"

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

Heatmap::Heatmap(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>()) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  d_->model = new MatrixModel(this);
  d_->scene.value_caption = tr("weight");
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    d_->painter.forget();
    d_->scene.widest_row = d_->scene.widest_column = -1;
    d_->geometry_changed = true;
    queue();
  });
  announce();
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
  if (d_->frame_changed && isVisible()) repaint();  // otherwise the paint that shows it draws it
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
  painter.fillRect(rect(), Theme::instance().background());
  d_->painter.paint_screen(painter, scene, d_->layout);
  d_->painter.paint_frame(painter, scene, d_->layout);
  d_->drawn_generation = scene.generation;
}

void Heatmap::paintEvent(QPaintEvent*) {
  draw();
  QPainter painter(this);
  painter.drawPixmap(0, 0, d_->frame);
  d_->painter.paint_marks(painter, d_->scene, d_->layout);
  painter.end();
  emit painted(d_->drawn_generation);
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

void Heatmap::set_labels(std::vector<HeatmapLabel> rows, std::vector<HeatmapLabel> columns) {
  d_->scene.row_labels = std::move(rows);
  d_->scene.column_labels = std::move(columns);
  d_->scene.widest_row = d_->scene.widest_column = -1;
  const auto names = [](const std::vector<HeatmapLabel>& labels) {
    QStringList list;
    for (const HeatmapLabel& label : labels) list.append(label.name.isEmpty() ? label.text : label.name);
    return list;
  };
  d_->model->set_labels(names(d_->scene.row_labels), names(d_->scene.column_labels));
  d_->geometry_changed = true;
  announce();
  queue();
}

void Heatmap::set_captions(const QString& rows, const QString& columns, const QString& value) {
  d_->scene.row_caption = rows;
  d_->scene.column_caption = columns;
  d_->scene.value_caption = value;
  d_->geometry_changed = true;
  announce();
  queue();
}

void Heatmap::set_subject(const QString& subject) {
  d_->scene.subject = subject;
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
  update();
}

void Heatmap::set_highlighted_row(int row) {
  if (row == d_->scene.highlighted_row) return;
  d_->scene.highlighted_row = row;
  update();
}

void Heatmap::set_highlighted_columns(std::vector<int> columns) {
  if (columns == d_->scene.highlighted_columns) return;
  d_->scene.highlighted_columns = std::move(columns);
  update();
}

void Heatmap::set_hover(int row, int column) {
  if (HeatmapCell{row, column} == d_->scene.hover) return;
  d_->scene.hover = {row, column};
  update();
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

void Heatmap::announce() {
  const HeatmapScene& scene = d_->scene;
  const QString name = scene.rows == 0 ? tr("Heatmap, empty")
                                       : tr("Heatmap of %1, %2 rows (%3), %4 columns (%5)")
                                             .arg(scene.with_subject(scene.value_caption))
                                             .arg(scene.rows)
                                             .arg(scene.row_caption)
                                             .arg(scene.columns)
                                             .arg(scene.column_caption);
  const HeatmapCell cell = scene.selected;
  const QString description = scene.has(cell.row, cell.column)
                                  ? tr("Selected: %1").arg(scene.readout(cell.row, cell.column))
                                  : tr("No cell selected. Arrow keys choose one.");
  if (name != accessibleName()) setAccessibleName(name);
  if (description != accessibleDescription()) setAccessibleDescription(description);
}

void Heatmap::resizeEvent(QResizeEvent*) { d_->geometry_changed = d_->frame_changed = true; }

void Heatmap::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  d_->pressed = d_->dragged_from = event->position();
  d_->dragging = false;
}

void Heatmap::mouseMoveEvent(QMouseEvent* event) {
  const QPointF position = event->position();
  if (d_->pressed && (event->buttons() & Qt::LeftButton)) {
    if (!d_->dragging && (position - *d_->pressed).manhattanLength() < 5) return;
    d_->dragging = true;
    setCursor(Qt::ClosedHandCursor);
    const HeatmapLayout& layout = heatmap_layout();
    if (layout.rows == 0) return;
    const QPointF moved = layout.matrix_point(d_->dragged_from) - layout.matrix_point(position);
    d_->dragged_from = position;
    set_window(d_->window.moved(moved.x(), moved.y(), layout.rows, layout.columns));
    return;
  }
  hover_at(position);
}

void Heatmap::hover_at(QPointF position) {
  const HeatmapLayout& layout = heatmap_layout();
  const auto cell = layout.cell_at(position);
  HeatmapCell place = cell.value_or(
      HeatmapCell{layout.row_label_at(position).value_or(-1), layout.column_label_at(position).value_or(-1)});
  if (place == d_->scene.hover) return;
  set_hover(place.row, place.column);
  if (place == HeatmapCell{})
    emit hoverLeft();
  else
    emit cellHovered(place.row, place.column);
}

void Heatmap::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !d_->pressed) return;
  const bool was_dragging = d_->dragging;
  d_->pressed.reset();
  d_->dragging = false;
  unsetCursor();
  if (was_dragging) return hover_at(event->position());
  if (const auto cell = heatmap_layout().cell_at(event->position())) {
    set_selected_cell(cell->row, cell->column);
    emit cellActivated(cell->row, cell->column);
  }
}

void Heatmap::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) reset_view();
}

void Heatmap::leaveEvent(QEvent*) {
  if (d_->scene.hover == HeatmapCell{}) return;
  set_hover(-1, -1);
  emit hoverLeft();
}

void Heatmap::wheelEvent(QWheelEvent* event) {
  const HeatmapLayout& layout = heatmap_layout();
  if (layout.rows == 0 || event->angleDelta().y() == 0) return event->ignore();
  const double factor = std::pow(1.0015, event->angleDelta().y());
  set_window(d_->window.zoomed(factor, layout.matrix_point(event->position()), layout.rows, layout.columns));
  event->accept();
}

void Heatmap::move_cursor(int rows_down, int columns_right) {
  const HeatmapScene& scene = d_->scene;
  if (scene.rows == 0) return;
  HeatmapCell cell = scene.selected;
  if (scene.has(cell.row, cell.column))
    cell = {std::clamp(cell.row + rows_down, 0, scene.rows - 1),
            std::clamp(cell.column + columns_right, 0, scene.columns - 1)};
  else
    cell = {std::clamp(scene.highlighted_row, 0, scene.rows - 1), 0};
  d_->scene.focused = true;
  set_selected_cell(cell.row, cell.column);
  set_window(d_->window.showing(cell.row, cell.column, scene.rows, scene.columns));
  emit cursorMoved(cell.row, cell.column);
}

void Heatmap::zoom_around_cursor(double factor) {
  const HeatmapScene& scene = d_->scene;
  const QPointF middle((d_->window.left + d_->window.right) / 2, (d_->window.top + d_->window.bottom) / 2);
  const HeatmapCell cell = scene.selected;
  const QPointF around = scene.has(cell.row, cell.column) ? QPointF(cell.column + 0.5, cell.row + 0.5) : middle;
  const HeatmapWindow zoomed = d_->window.zoomed(factor, around, scene.rows, scene.columns);
  set_window(zoomed.showing(cell.row, cell.column, scene.rows, scene.columns));
}

void Heatmap::keyPressEvent(QKeyEvent* event) {
  const int page = std::max(1, static_cast<int>(d_->window.height()) - 1);
  const HeatmapCell cell = d_->scene.selected;
  const bool chosen = d_->scene.has(cell.row, cell.column);
  switch (event->key()) {
    case Qt::Key_Left:
      return move_cursor(0, -1);
    case Qt::Key_Right:
      return move_cursor(0, 1);
    case Qt::Key_Up:
      return move_cursor(-1, 0);
    case Qt::Key_Down:
      return move_cursor(1, 0);
    case Qt::Key_PageUp:
      return move_cursor(-page, 0);
    case Qt::Key_PageDown:
      return move_cursor(page, 0);
    case Qt::Key_Home:
      return reset_view();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom_around_cursor(1.5);
    case Qt::Key_Minus:
      return zoom_around_cursor(1 / 1.5);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      if (chosen) return emit cellActivated(cell.row, cell.column);
      break;
    case Qt::Key_F2:
      if (chosen) return emit editRequested(cell.row, cell.column);
      break;
    default:
      break;
  }
  QWidget::keyPressEvent(event);
}

void Heatmap::focusInEvent(QFocusEvent* event) {
  // A click shows where one is by itself; the keyboard needs the frame.
  d_->scene.focused = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                      event->reason() == Qt::ShortcutFocusReason;
  update();
}

void Heatmap::focusOutEvent(QFocusEvent*) {
  d_->scene.focused = false;
  update();
}

void Heatmap::contextMenuEvent(QContextMenuEvent* event) {
  HeatmapCell cell = d_->scene.selected;
  QPoint position = event->globalPos();
  if (event->reason() == QContextMenuEvent::Mouse)
    cell = heatmap_layout().cell_at(event->pos()).value_or(HeatmapCell{});
  else if (d_->scene.has(cell.row, cell.column))
    position = mapToGlobal(heatmap_layout().cell_rect(cell.row, cell.column).center().toPoint());
  emit contextMenuRequested(cell.row, cell.column, position);
}

void Heatmap::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) announce();
  QWidget::changeEvent(event);
}

bool Heatmap::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const HeatmapLayout& layout = heatmap_layout();
  const auto full = [](const std::vector<HeatmapLabel>& labels, std::optional<int> i) {
    if (!i || *i >= static_cast<int>(labels.size())) return QString();
    const HeatmapLabel& label = labels[static_cast<std::size_t>(*i)];
    return label.name.isEmpty() ? label.text : label.name;
  };
  QString text = full(d_->scene.row_labels, layout.row_label_at(help->pos()));
  if (text.isEmpty()) text = full(d_->scene.column_labels, layout.column_label_at(help->pos()));
  if (text.isEmpty() && !layout.cell_at(help->pos())) return QWidget::event(event);
  QToolTip::showText(help->globalPos(), plain_tooltip(text), this);  // cells have their readout
  return true;
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

void Heatmap::export_to(const QString& path) const {
  if (QFileInfo(path).suffix().compare("csv", Qt::CaseInsensitive) == 0) return export_bytes(path, csv());
  const QSize shown = size().expandedTo(minimumSizeHint());
  PictureOptions options;
  options.title = accessibleName();
  export_picture(
      path, shown, [this, shown](QPainter& painter) { paint_picture(painter, shown); }, options);
}

QByteArray Heatmap::csv() const {
  const HeatmapScene& scene = d_->scene;
  const auto label = [](const std::vector<HeatmapLabel>& labels, int i) {
    const bool known = i < static_cast<int>(labels.size());
    return csv_field(known ? labels[static_cast<std::size_t>(i)].text : QString::number(i));
  };
  QString text = csv_field(scene.with_subject(scene.row_caption));
  for (int column = 0; column < scene.columns; ++column) text += ',' + label(scene.column_labels, column);
  text += "\r\n";
  for (int row = 0; row < scene.rows; ++row) {
    text += label(scene.row_labels, row);
    for (int column = 0; column < scene.columns; ++column)
      text += ',' + csv_number(static_cast<double>(scene.value(row, column)));
    text += "\r\n";
  }
  return text.toUtf8();
}

QSize Heatmap::sizeHint() const { return {640, 360}; }

QSize Heatmap::minimumSizeHint() const { return {260, 160}; }

}  // namespace headlight
