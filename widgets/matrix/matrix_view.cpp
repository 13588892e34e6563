#include "widgets/matrix/matrix_view.h"

#include <QComboBox>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "widgets/base/theme.h"

namespace headlight {

namespace {

// The two last axes, as rows and columns of the grid.
std::pair<qint64, qint64> grid_of(const MatrixContent& content) {
  const Tensor& t = content.values;
  if (!t.defined() || t.size() == 0) return {0, 0};
  if (t.rank() < 2)
    return content.vertical ? std::pair<qint64, qint64>(t.size(), 1) : std::pair<qint64, qint64>(1, t.size());
  return {t.dim(-2), t.dim(-1)};
}

void drop_misfit(AxisLabels& axis, qint64 count) {
  if (static_cast<qint64>(axis.order.size()) != count) axis.order.clear();
  for (const qint64 index : axis.order)
    if (index < 0 || index >= count) return axis.order.clear();
}

}  // namespace

MatrixView::MatrixView(QWidget* parent) : Canvas(Layout::camera, parent), selector_(new QComboBox(this)) {
  selector_->hide();
  selector_->move(2, 2);
  connect(selector_, &QComboBox::activated, this, [this](int i) { set_slice(i); });
  forget();
  announce();
}

void MatrixView::forget() {
  selector_->setAccessibleName(tr("Slice"));
  selector_->setToolTip(tr("Which slice of the tensor is shown"));
  colours_ = CellColours(scale_.is_signed);
  measure();
}

void MatrixView::set_content(MatrixContent content) {
  const auto [rows, columns] = grid_of(content);
  const bool same = content_.values.defined() && content.values.defined() &&
                    content_.values.shape() == content.values.shape() && content_.vertical == content.vertical;
  content_ = std::move(content);
  drop_misfit(content_.rows, rows);
  drop_misfit(content_.columns, columns);
  std::sort(content_.edited_cells.begin(), content_.edited_cells.end());
  layout_.rows = rows;
  layout_.columns = columns;
  if (!same) {
    slice_ = 0;
    cursor_row_ = cursor_column_ = -1;
    layout_.scroll_x = layout_.scroll_y = 0;
    update_selector();
  }
  hover_ = -1;
  find_range();
  measure();
  if (!same) updateGeometry();
  lay_out();
  announce();
}

void MatrixView::update_selector() {
  const qint64 n = slices();
  selector_->clear();
  selector_->setVisible(n > 1);
  if (n > 1) {
    const headlight::Shape& shape = content_.values.shape();
    for (qint64 i = 0; i < n; ++i) {
      QStringList places;
      qint64 rest = i;
      for (int axis = shape.rank() - 3; axis >= 0; --axis) {
        places.prepend(QString::number(rest % shape[axis]));
        rest /= shape[axis];
      }
      selector_->addItem(tr("slice [%1]").arg(places.join(QStringLiteral(", "))));
    }
    selector_->adjustSize();
  }
  setViewportMargins(0, n > 1 ? selector_->sizeHint().height() + 4 : 0, 0, 0);
}

qint64 MatrixView::slices() const {
  const qint64 cells = layout_.rows * layout_.columns;
  return cells == 0 ? 0 : content_.values.size() / cells;
}

void MatrixView::set_slice(qint64 slice) {
  slice = std::clamp<qint64>(slice, 0, std::max<qint64>(0, slices() - 1));
  if (slice == slice_) return;
  slice_ = slice;
  selector_->setCurrentIndex(static_cast<int>(slice));
  viewport()->update();
}

// The range is of the whole tensor, so that slices can be compared.
void MatrixView::find_range() {
  double largest = 0;
  bool inside = true;
  integral_ = true;
  for (Index i = 0; i < (content_.values.defined() ? content_.values.size() : 0); ++i) {
    const auto value = static_cast<double>(content_.values[i]);
    if (!std::isfinite(value)) continue;
    largest = std::max(largest, std::abs(value));
    inside = inside && value >= 0 && value <= 1;
    integral_ = integral_ && value == std::floor(value) && std::abs(value) < 1e6;
  }
  integral_ = integral_ && largest > 1;
  const bool weights =
      content_.scale == MatrixContent::Scale::weights || (content_.scale == MatrixContent::Scale::automatic && inside);
  scale_ = weights ? CellScale::up_to(1) : CellScale::around_zero(largest);
  colours_ = CellColours(scale_.is_signed);
}

void MatrixView::set_visible_rows(qint64 rows) {
  if (rows == visible_rows_) return;
  visible_rows_ = rows;
  viewport()->update();
}

void MatrixView::set_marked_row(qint64 row) {
  if (row == marked_row_) return;
  marked_row_ = row;
  viewport()->update();
}

qint64 MatrixView::flat_index(qint64 row, qint64 column) const {
  if (row < 0 || column < 0) return -1;
  return (slice_ * layout_.rows + content_.rows.index_at(row)) * layout_.columns + content_.columns.index_at(column);
}

std::pair<qint64, qint64> MatrixView::place_of(qint64 index) const {
  const qint64 cells = layout_.rows * layout_.columns;
  if (index < 0 || cells == 0 || index >= content_.values.size()) return {-1, -1};
  const auto place = [](const AxisLabels& axis, qint64 i) -> qint64 {
    const auto found = std::find(axis.order.begin(), axis.order.end(), i);
    return found == axis.order.end() ? i : found - axis.order.begin();
  };
  return {place(content_.rows, index % cells / layout_.columns), place(content_.columns, index % layout_.columns)};
}

double MatrixView::value_at(qint64 row, qint64 column) const {
  return static_cast<double>(content_.values[flat_index(row, column)]);
}

bool MatrixView::hidden_row(qint64 row) const {
  if (visible_rows_ < 0 || content_.values.rank() < 2) return false;
  return content_.rows.index_at(row) >= visible_rows_;
}

bool MatrixView::is_edited(qint64 index) const {
  return std::binary_search(content_.edited_cells.begin(), content_.edited_cells.end(), index);
}

void MatrixView::set_current_cell(qint64 index) {
  if (index >= 0 && layout_.rows * layout_.columns > 0 && index < content_.values.size())
    set_slice(index / (layout_.rows * layout_.columns));
  const auto [row, column] = place_of(index);
  move_cursor(row, column);
}

qint64 MatrixView::current_cell() const { return flat_index(cursor_row_, cursor_column_); }

void MatrixView::move_cursor(qint64 row, qint64 column) {
  if (row == cursor_row_ && column == cursor_column_) return;
  cursor_row_ = row;
  cursor_column_ = column;
  if (row >= 0) {
    layout_.reveal(row, column);
    update_scroll_bars();
  }
  announce();
  viewport()->update();
}

QString MatrixView::name() const {
  const QString shape =
      content_.values.defined() ? QString::fromStdString(content_.values.shape().text()) : tr("empty");
  return content_.title.isEmpty() ? tr("Matrix %1").arg(shape) : content_.title + QLatin1Char(' ') + shape;
}

QString MatrixView::description() const {
  const qint64 cell = current_cell();
  return cell >= 0 ? cell_text(cell)
                   : tr("Arrow keys move, Enter opens a number, plus and minus zoom, 0 shows everything");
}

QString MatrixView::cell_text(qint64 index) const {
  const auto [row, column] = place_of(index);
  if (row < 0) return {};
  QStringList places;
  const auto add = [&](const AxisLabels& axis, qint64 i) {
    const QString name = axis.name.isEmpty() ? QString() : axis.name + QLatin1Char(' ');
    places << (i < axis.labels.size() ? QStringLiteral("%1'%2' [%3]").arg(name, axis.label(i), QString::number(i))
                                      : QStringLiteral("%1[%2]").arg(name, QString::number(i)));
  };
  if (slices() > 1) places << selector_->itemText(static_cast<int>(slice_));
  const bool vector = content_.values.rank() < 2;
  if (!vector || content_.vertical) add(content_.rows, content_.rows.index_at(row));
  if (!vector || !content_.vertical) add(content_.columns, content_.columns.index_at(column));
  const QString value =
      hidden_row(row) ? tr("not computed yet") : exact_number(static_cast<double>(content_.values[index]));
  return QStringLiteral("%1 = %2").arg(places.join(QStringLiteral(", ")), value) +
         (is_edited(index) ? tr(" (changed by you)") : QString());
}

// --- geometry

bool MatrixView::labels_rows() const {
  if (content_.bare && content_.rows.labels.isEmpty()) return false;
  return content_.vertical || (content_.values.defined() && content_.values.rank() >= 2);
}

bool MatrixView::labels_columns() const {
  if (content_.bare && content_.columns.labels.isEmpty()) return false;
  return !content_.vertical || (content_.values.defined() && content_.values.rank() >= 2);
}

void MatrixView::measure() {
  const QFontMetricsF numbers(Theme::instance().ui_font(0.8));
  number_width_ = std::ceil(numbers.horizontalAdvance(QStringLiteral("−0.0000"))) + 4;
  number_height_ = std::ceil(numbers.height()) + 4;
  const QFontMetricsF tokens(Theme::instance().token_font(0.9));
  const auto widest = [&](const AxisLabels& axis, qint64 count) {
    if (axis.labels.isEmpty()) return count == 0 ? 0.0 : tokens.horizontalAdvance(QString::number(count - 1));
    double width = 0;
    for (qint64 i = 0; i < std::min<qint64>(count, axis.labels.size()); ++i)
      width = std::max(width, tokens.horizontalAdvance(axis.label(i)));
    return width;
  };
  label_width_ = std::min(widest(content_.columns, layout_.columns), 90.0);
  layout_.left = labels_rows() ? std::ceil(std::min(widest(content_.rows, layout_.rows), 120.0)) + 12 : 2;
  layout_.top = labels_columns() ? std::ceil(tokens.height()) + 6 : 2;
}

void MatrixView::fit() {
  if (layout_.rows == 0 || layout_.columns == 0) return;
  const QSizeF room = layout_.room();
  const double tall = layout_.rows == 1 ? number_height_ * 1.6 : number_height_ * 1.25;
  const auto size = [](double extent, qint64 count, double most) {
    return std::clamp(extent / static_cast<double>(count), MatrixLayout::kSmallestCell, most);
  };
  layout_.cell_width = size(room.width(), layout_.columns, number_width_ * 1.5);
  layout_.cell_height = size(room.height(), layout_.rows, tall);
}

QSizeF MatrixView::arrange(QSizeF view) {
  layout_.viewport = view;
  layout_.bottom = 0;
  if (fitting_) fit();
  // The note about gathered values needs a line of its own, which changes the fit only slightly.
  if (layout_.aggregates()) layout_.bottom = number_height_;
  if (fitting_ && layout_.bottom > 0) fit();
  layout_.clamp_scroll();
  update_scroll_bars();
  return view;
}

void MatrixView::update_scroll_bars() {
  following_ = true;
  const auto set = [](QScrollBar* bar, double maximum, double room, double value, double single) {
    // A matrix that fits is not to be scrolled by what a division leaves over.
    bar->setRange(0, maximum < 0.01 ? 0 : static_cast<int>(std::ceil(maximum)));
    bar->setPageStep(std::max(1, static_cast<int>(room)));
    bar->setSingleStep(std::max(1, static_cast<int>(single)));
    bar->setValue(static_cast<int>(std::lround(value)));
  };
  const QSizeF room = layout_.room();
  set(horizontalScrollBar(), layout_.max_scroll_x(), room.width(), layout_.scroll_x, layout_.cell_width);
  set(verticalScrollBar(), layout_.max_scroll_y(), room.height(), layout_.scroll_y, layout_.cell_height);
  following_ = false;
}

void MatrixView::scrollContentsBy(int, int) {
  if (following_) return;
  layout_.scroll_x = horizontalScrollBar()->value();
  layout_.scroll_y = verticalScrollBar()->value();
  layout_.clamp_scroll();
  viewport()->update();
}

void MatrixView::zoom(double factor, QPointF point) {
  fitting_ = false;
  layout_.zoom(factor, point);
  lay_out();
}

QPointF MatrixView::zoom_centre() const {
  const QPointF cell = layout_.cell_rect(cursor_row_, cursor_column_).center();
  return cursor_row_ >= 0 && layout_.body().contains(cell) ? cell : layout_.body().center();
}

void MatrixView::show_all() {
  fitting_ = true;
  lay_out();
}

void MatrixView::zoom_to_read() {
  fitting_ = false;
  layout_.cell_width = number_width_;
  layout_.cell_height = number_height_ * (layout_.rows == 1 ? 1.6 : 1.25);
  layout_.clamp_scroll();
  if (cursor_row_ >= 0) layout_.reveal(cursor_row_, cursor_column_);
  lay_out();
}

QSize MatrixView::sizeHint() const {
  const double width = std::min<double>(static_cast<double>(layout_.columns) * number_width_, 420) + layout_.left;
  const double height = std::min<double>(static_cast<double>(layout_.rows) * number_height_ * 1.25, 260) + layout_.top;
  return {static_cast<int>(width) + 4, static_cast<int>(std::max(height, layout_.top + number_height_ * 1.6)) + 4};
}

QSize MatrixView::minimumSizeHint() const {
  return {80, static_cast<int>(layout_.top + number_height_) + viewportMargins().top() + 2};
}

}  // namespace headlight
