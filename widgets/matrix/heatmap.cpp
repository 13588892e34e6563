// The heatmap widget: state, mouse and keys. What it shows is painted by heatmap_painter.cpp.
#include "widgets/matrix/heatmap.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QPainter>

#include "widgets/base/theme.h"

namespace headlight {

namespace {

constexpr double kScrolled = 0.6;  // pixels of an eighth of a degree of the wheel

}  // namespace

Heatmap::Heatmap(QWidget* parent, Form form) : Canvas(Layout::camera, parent) {
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scene_.form = form;
  scene_.colour_bar = form == Form::figure;
  scene_.value_caption = tr("weight");
  announce();
}

void Heatmap::forget() {
  painter_.forget_colours();
  scene_.widest_row = scene_.widest_column = -1;
}

QSizeF Heatmap::arrange(QSizeF view) {
  layout_is_old_ = frame_is_old_ = true;
  return view;
}

void Heatmap::queue() {
  frame_is_old_ = true;
  viewport()->update();
}

void Heatmap::geometry_changed() {
  layout_is_old_ = true;
  queue();
}

void Heatmap::draw() {
  const double ratio = devicePixelRatioF();
  const QSize points = (QSizeF(maximumViewportSize()) * ratio).toSize();
  if (frame_.size() != points || frame_.devicePixelRatio() != ratio) {
    frame_ = QImage(points, QImage::Format_RGB32);
    frame_.setDevicePixelRatio(ratio);
    frame_is_old_ = true;
  }
  if (!std::exchange(frame_is_old_, false)) return;
  scene_.points = ratio;
  update_layout();
  if (!frame_.isNull()) {
    painter_.begin_screen(frame_, scene_, layout_);
    QPainter painter(&frame_);
    painter_.paint_frame(painter, scene_, layout_);
  }
  drawn_generation_ = scene_.generation;
}

void Heatmap::paintEvent(QPaintEvent* event) {
  draw();
  Canvas::paintEvent(event);
  emit painted(drawn_generation_);
}

void Heatmap::paint(QPainter& painter, const QRectF& sight, bool marks) const {
  if (!marks) return paint_picture(painter, sight.size().toSize());
  const double points = painter.deviceTransform().m11();
  if (qFuzzyCompare(points, frame_.devicePixelRatio())) {
    painter.drawImage(0, 0, frame_);
  } else {  // a picture of the window in more pixels than the screen has: with its own cells and letters
    HeatmapScene scene = scene_;
    scene.points = points;
    painter.fillRect(viewport()->rect(), theme().background());
    painter_.paint_screen(painter, scene, layout_);
    painter_.paint_frame(painter, scene, layout_);
  }
  painter_.paint_marks(painter, scene_, layout_);
}

void Heatmap::update_layout() const {
  if (std::exchange(layout_is_old_, false)) layout_ = painter_.layout(scene_, window_, maximumViewportSize());
}

void Heatmap::set_matrix(int rows, int columns, std::vector<float> values, quint64 generation) {
  glide();
  if (static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns) != values.size() || values.empty()) {
    rows = columns = 0;
    values.clear();
  }
  const bool resized = rows != scene_.rows || columns != scene_.columns;
  scene_.rows = rows;
  scene_.columns = columns;
  scene_.values = std::make_shared<const HeatmapValues>(rows, columns, std::move(values));
  scene_.generation = generation;
  scene_.set_hidden({}, {});
  if (std::exchange(scene_.stairs, false)) layout_is_old_ = true;
  if (resized) {
    window_ = HeatmapWindow::whole(rows, columns);
    if (rows > 0 && wanted_window_) window_ = std::exchange(wanted_window_, std::nullopt)->clamped(rows, columns);
    layout_is_old_ = true;
    if (!scene_.has(scene_.selected.row, scene_.selected.column)) scene_.selected = {};
    if (!scene_.has(scene_.hover.row, scene_.hover.column)) scene_.hover = {};
  }
  model_.share_matrix(rows, columns, scene_.values->all());
  announce();
  queue();
}

void Heatmap::set_matrix(const Tensor& matrix, quint64 generation) {
  if (!matrix.defined() || matrix.size() == 0) return set_matrix(0, 0, {}, generation);
  set_matrix(static_cast<int>(matrix.rows()), static_cast<int>(matrix.columns()),
             std::vector<float>(matrix.data(), matrix.data() + matrix.size()), generation);
}

void Heatmap::set_hidden(std::vector<bool> cells, std::vector<bool> dropped) {
  scene_.set_hidden(std::move(cells), std::move(dropped));
  model_.set_hidden(scene_.hidden);
  const bool stairs = scene_.has_stairs();
  if (stairs == scene_.stairs) return queue();
  scene_.stairs = stairs;
  geometry_changed();
}

float Heatmap::value(int row, int column) const {
  return scene_.has(row, column) ? scene_.value(row, column) : std::numeric_limits<float>::quiet_NaN();
}

void Heatmap::set_labels(std::vector<AxisLabel> rows, std::vector<AxisLabel> columns) {
  scene_.set_labels(std::move(rows), std::move(columns));
  model_.set_labels(scene_.row_labels, scene_.column_labels);
  announce();
  geometry_changed();
}

void Heatmap::set_captions(const QString& rows, const QString& columns, const QString& value) {
  scene_.row_caption = rows;
  scene_.column_caption = columns;
  scene_.value_caption = value;
  model_.set_corner(scene_.with_subject(rows));
  announce();
  geometry_changed();
}

void Heatmap::set_subject(const QString& subject) {
  scene_.subject = subject;
  model_.set_corner(scene_.with_subject(scene_.row_caption));
  announce();
  queue();
}

void Heatmap::set_range(Range range) {
  scene_.range = range;
  painter_.forget_colours();
  geometry_changed();
}

void Heatmap::set_limits(std::optional<std::pair<double, double>> limits) {
  if (!move_mark(scene_.fixed_limits, limits)) return;
  painter_.forget_colours();
  geometry_changed();
}

void Heatmap::set_colour_bar(bool shown) {
  if (std::exchange(scene_.colour_bar, shown) != shown) geometry_changed();
}

void Heatmap::set_bare(bool bare) {
  if (std::exchange(scene_.bare, bare) != bare) geometry_changed();
}

void Heatmap::set_off(bool off) {
  if (std::exchange(scene_.off, off) != off) queue();
}

void Heatmap::set_visible_rows(int count, bool from_end) {
  if (count == scene_.visible_rows && from_end == scene_.rows_from_end) return;
  scene_.visible_rows = count;
  scene_.rows_from_end = from_end;
  announce();
  queue();
}

void Heatmap::set_own_rows(int first) {
  if (std::exchange(scene_.own_rows, first) != first) queue();
}

void Heatmap::set_selected_cell(int row, int column) {
  const HeatmapCell cell = scene_.has(row, column) ? HeatmapCell{row, column} : HeatmapCell{};
  if (move_mark(scene_.selected, cell)) announce();
}

void Heatmap::set_highlighted_row(int row) { move_mark(scene_.highlighted_row, row); }

void Heatmap::set_highlighted_columns(std::vector<int> columns) {
  move_mark(scene_.highlighted_columns, std::move(columns));
}

void Heatmap::set_place(int row, int column) {
  set_highlighted_row(row);
  set_highlighted_columns(column < 0 ? std::vector<int>{} : std::vector<int>{column});
  const bool whole = row >= 0 && column >= 0;
  set_selected_cell(whole ? row : -1, whole ? column : -1);
}

void Heatmap::set_hover(int row, int column) { move_mark(scene_.hover, {row, column}); }

void Heatmap::set_edited_cells(std::vector<HeatmapCell> cells, bool all) {
  if (cells == scene_.edited && all == scene_.all_edited) return;
  scene_.edited = std::move(cells);
  scene_.all_edited = all;
  queue();
}

void Heatmap::set_closed(std::vector<int> rows, std::vector<int> columns) {
  const bool names = move_mark(scene_.closed_columns, std::move(columns));
  if (move_mark(scene_.closed_rows, std::move(rows)) || names) announce();
}

void Heatmap::set_moved_cells(std::vector<HeatmapCell> cells) {
  if (move_mark(scene_.moved, std::move(cells))) queue();
}

QList<QRectF> Heatmap::spots() const {
  constexpr double kMargin = 6;
  const HeatmapLayout& layout = heatmap_layout();
  const auto label = [](const std::vector<HeatmapLayout::Label>& labels, int index) {
    const auto found = std::ranges::find(labels, index, &HeatmapLayout::Label::index);
    return found == labels.end() ? QRectF() : found->rect;
  };
  QList<QRectF> found;
  const auto add = [&](const QRectF& rect, double margin) {
    if (!rect.isEmpty()) found << rect.adjusted(-margin, -margin, margin, margin);
  };
  const HeatmapCell cell = scene_.selected;
  if (scene_.has(cell.row, cell.column)) {
    const QRectF rect = layout.cell_rect(cell.row, cell.column) & layout.cells;
    add(rect, 0.5 * std::min(rect.width(), rect.height()));
    add(label(layout.row_labels, cell.row), kMargin);
    add(label(layout.column_labels, cell.column), kMargin);
  } else if (scene_.highlighted_row >= 0) {
    add(layout.row_band(scene_.highlighted_row), 0);
  } else {
    for (const int column : scene_.highlighted_columns) add(layout.column_band(column), 0);
  }
  return found;
}

void Heatmap::zoom_to_read() {
  const HeatmapLayout& layout = heatmap_layout();
  if (layout.rows == 0) return;
  const QPointF middle = layout.matrix_point(zoom_centre());
  const double across = layout.cells.width() / layout.numbered.width() / 2,
               down = layout.cells.height() / layout.numbered.height() / 2;
  set_window({middle.x() - across, middle.x() + across, middle.y() - down, middle.y() + down});
}

void Heatmap::set_window(const HeatmapWindow& window) {
  if (move_mark(window_, window.clamped(scene_.rows, scene_.columns))) geometry_changed();
}

const HeatmapLayout& Heatmap::heatmap_layout() const {
  update_layout();  // callers see the geometry of the next paint
  return layout_;
}

QString Heatmap::name() const {
  return scene_.rows == 0 ? tr("Heatmap, empty")
                          : tr("Heatmap of %1, %2 rows (%3), %4 columns (%5)")
                                .arg(scene_.with_subject(scene_.value_caption))
                                .arg(scene_.rows)
                                .arg(scene_.row_caption)
                                .arg(scene_.columns)
                                .arg(scene_.column_caption);
}

QString Heatmap::description() const {
  const HeatmapCell cell = scene_.selected;
  return scene_.has(cell.row, cell.column) ? tr("Selected: %1").arg(readout(cell.row, cell.column))
                                           : tr("No cell selected. Arrow keys choose one.");
}

void Heatmap::press(QPointF point, Qt::KeyboardModifiers) {
  pressed_ = dragged_from_ = point;
  dragging_ = false;
}

void Heatmap::drag(QPointF point) {
  if (!pressed_ || (!dragging_ && (point - *pressed_).manhattanLength() < 5)) return;
  dragging_ = true;
  viewport()->setCursor(Qt::ClosedHandCursor);
  pan(point - dragged_from_);
  dragged_from_ = point;
}

void Heatmap::pan(QPointF pixels) {
  const HeatmapLayout& layout = heatmap_layout();
  if (layout.rows == 0) return;
  const QPointF moved = layout.matrix_point({0, 0}) - layout.matrix_point(pixels);
  set_window(window_.moved(moved.x(), moved.y(), layout.rows, layout.columns));
}

// On stairs, names of columns stand where cells are hidden.
HeatmapCell Heatmap::place_at(QPointF point) const {
  const HeatmapLayout& layout = heatmap_layout();
  const int column = layout.column_label_at(point).value_or(-1);
  const auto cell = layout.cell_at(point);
  if (cell && (column < 0 || !scene_.is_hidden(cell->row, cell->column))) return *cell;
  return {layout.row_label_at(point).value_or(-1), column};
}

Qt::CursorShape Heatmap::hover(QPointF point) {
  const HeatmapCell place = place_at(point);
  const Qt::CursorShape shape = pointer_ && scene_.has(place.row, place.column) ? pointer_(place) : Qt::ArrowCursor;
  if (place == scene_.hover) return shape;
  set_hover(place.row, place.column);
  if (scene_.form == Form::strip) show_tooltip(viewport_point(point).toPoint());
  emit cellHovered(place.row, place.column);
  return shape;
}

void Heatmap::leave() {
  if (scene_.hover == HeatmapCell{}) return;
  set_hover(-1, -1);
  emit cellHovered(-1, -1);
}

void Heatmap::release(QPointF point) {
  if (!pressed_) return;
  pressed_.reset();
  if (std::exchange(dragging_, false)) return viewport()->setCursor(hover(point));
  if (const HeatmapCell cell = place_at(point); scene_.has(cell.row, cell.column)) {
    set_selected_cell(cell.row, cell.column);
    emit cellActivated(cell.row, cell.column);
  }
}

void Heatmap::zoom(double factor, QPointF point) {
  const HeatmapLayout& layout = heatmap_layout();
  if (layout.rows == 0) return;
  const HeatmapWindow zoomed = window_.zoomed(factor, layout.matrix_point(point), layout.rows, layout.columns);
  const HeatmapCell cell = scene_.selected;  // stays whole
  set_window(layout.cell_at(point) == cell ? zoomed.showing(cell.row, cell.column, layout.rows, layout.columns)
                                           : zoomed);
}

// The cell of the cursor, where it is seen.
QVariantMap Heatmap::sight_choice() const {
  if (window_ == HeatmapWindow::whole(scene_.rows, scene_.columns)) return {};
  return {{QStringLiteral("left"), window_.left},
          {QStringLiteral("right"), window_.right},
          {QStringLiteral("top"), window_.top},
          {QStringLiteral("bottom"), window_.bottom}};
}

void Heatmap::set_sight_choice(const QVariantMap& choice) {
  const auto side = [&](const char* name) { return choice.value(QLatin1String(name)).toDouble(); };
  const HeatmapWindow wanted{side("left"), side("right"), side("top"), side("bottom")};
  constexpr double kMost = 1e9;
  for (const double each : {wanted.left, wanted.right, wanted.top, wanted.bottom})
    if (!(each >= 0 && each < kMost)) return;
  if (!(wanted.right > wanted.left && wanted.bottom > wanted.top)) return;
  // Of what is shown, where it fits, and of what is shown next: that of a session is still to come.
  wanted_window_ = wanted;
  if (wanted.right <= scene_.columns && wanted.bottom <= scene_.rows) set_window(wanted);
}

QPointF Heatmap::zoom_centre() const {
  const HeatmapLayout& layout = heatmap_layout();
  const HeatmapCell cell = scene_.selected;
  const QPointF centre = layout.cell_rect(cell.row, cell.column).center();
  return scene_.has(cell.row, cell.column) && layout.cells.contains(centre) ? centre : layout.cells.center();
}

namespace {

// In its row; where a row cannot look, there is no number to go to.
int nearest_shown(const HeatmapScene& scene, HeatmapCell cell) {
  for (int away = 0; away < scene.columns; ++away)
    for (const int column : {cell.column - away, cell.column + away})
      if (column >= 0 && column < scene.columns && !scene.is_hidden(cell.row, column)) return column;
  return cell.column;
}

}  // namespace

QRectF Heatmap::cursor_rect() const {
  if (scene_.rows == 0) return {};
  HeatmapCell cell = scene_.selected;
  if (!scene_.has(cell.row, cell.column)) cell = {std::clamp(scene_.highlighted_row, 0, scene_.rows - 1), 0};
  const HeatmapLayout& layout = heatmap_layout();
  return layout.cell_rect(cell.row, nearest_shown(scene_, cell)) & layout.cells;
}

bool Heatmap::go(int right, int down) {
  if (scene_.rows == 0) return false;
  HeatmapCell cell = scene_.selected;
  if (scene_.has(cell.row, cell.column))
    cell = {std::clamp(cell.row + down, 0, scene_.rows - 1), std::clamp(cell.column + right, 0, scene_.columns - 1)};
  else
    cell = {std::clamp(scene_.highlighted_row, 0, scene_.rows - 1), right == kEnd ? scene_.columns - 1 : 0};
  cell.column = nearest_shown(scene_, cell);
  scene_.focused = true;
  set_selected_cell(cell.row, cell.column);
  set_window(window_.showing(cell.row, cell.column, scene_.rows, scene_.columns));
  emit cursorMoved(cell.row, cell.column);
  return true;
}

int Heatmap::page() const { return std::clamp(static_cast<int>(window_.height()) - 1, 1, kPage); }

bool Heatmap::activate() {
  const HeatmapCell cell = scene_.selected;
  if (!scene_.has(cell.row, cell.column)) return false;
  emit cellActivated(cell.row, cell.column);
  return true;
}

bool Heatmap::press_key(const QKeyEvent& event) {
  const HeatmapCell cell = scene_.selected;
  const bool chosen = scene_.has(cell.row, cell.column);
  if (chosen && event.matches(QKeySequence::Copy))
    QApplication::clipboard()->setText(readout(cell.row, cell.column));
  else if (event.key() == Qt::Key_1 && !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier)))
    zoom_to_read();
  else
    return false;
  return true;
}

// A strip scrolls what is seen of it, and leaves the wheel to the panel around where that is all.
void Heatmap::wheelEvent(QWheelEvent* event) {
  if (wheel_zooms() || event->modifiers() & Qt::ControlModifier) return Canvas::wheelEvent(event);
  const HeatmapWindow before = window_;
  const QPointF turned = QPointF(event->angleDelta()) * kScrolled;
  const bool down = before.height() < scene_.rows && !(event->modifiers() & Qt::ShiftModifier);
  pan(down ? turned : QPointF(turned.x() + turned.y(), 0));
  event->setAccepted(window_ != before);
}

void Heatmap::focusInEvent(QFocusEvent* event) {
  Canvas::focusInEvent(event);
  // A click shows where one is by itself; the keyboard needs the frame.
  scene_.focused = by_keyboard();
}

void Heatmap::focusOutEvent(QFocusEvent* event) {
  Canvas::focusOutEvent(event);
  scene_.focused = false;
}

bool Heatmap::menu(std::optional<QPointF> point, const QPoint& global) {
  HeatmapCell cell = point ? place_at(*point) : scene_.selected;
  if (!scene_.has(cell.row, cell.column)) cell = {};
  const bool by_key = !point && cell.row >= 0;
  const QPointF centre = heatmap_layout().cell_rect(cell.row, cell.column).center();
  emit contextMenuRequested(cell.row, cell.column, by_key ? viewport()->mapToGlobal(centre.toPoint()) : global);
  return true;
}

// Of labels that were shortened; cells have their readout.
QString Heatmap::tooltip(QPointF point) const {
  const HeatmapLayout& layout = heatmap_layout();
  const auto full = [](const std::vector<AxisLabel>& labels, std::optional<int> i) {
    return i && *i < static_cast<int>(labels.size()) ? nth(labels, *i).words() : QString();
  };
  const auto named = layout.row_label_at(point);
  const QString row = scene_.is_closed(named.value_or(-1)) ? QString() : full(scene_.row_labels, named);
  const auto above = layout.column_label_at(point);
  const QString column = scene_.is_closed_column(above.value_or(-1)) ? QString() : full(scene_.column_labels, above);
  const QString text = row.isEmpty() ? column : row;
  const auto cell = layout.cell_at(point);
  if (scene_.form == Form::strip && cell) return readout(cell->row, cell->column);
  return text.isEmpty() && cell ? QStringLiteral("") : text;
}

void Heatmap::paint_picture(QPainter& painter, QSize size) const {
  HeatmapScene scene = scene_;
  scene.focused = scene.bare = false;
  scene.points = 2;  // as finely as pictures are written
  const HeatmapLayout layout = painter_.layout(scene, window_, size);
  painter.fillRect(QRect(QPoint(), size), theme().background());
  painter_.paint_cells(painter, scene, layout);
  painter_.paint_frame(painter, scene, layout);
  painter_.paint_marks(painter, scene, layout);
}

Figure Heatmap::figure() const {
  const QSize shown = size().expandedTo(minimumSizeHint());
  return {shown, [this, shown](QPainter& painter) { paint_picture(painter, shown); }, accessibleName(), &model_};
}

}  // namespace headlight
