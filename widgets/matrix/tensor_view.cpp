#include "widgets/matrix/tensor_view.h"

#include <QComboBox>
#include <algorithm>
#include <cmath>

#include "widgets/base/controls.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

// Its rows and columns.
std::pair<qint64, qint64> grid_of(const Tensor& values) {
  if (!values.defined() || values.size() == 0) return {0, 0};
  return values.rank() < 2 ? std::pair<qint64, qint64>(1, values.size())
                           : std::pair<qint64, qint64>(values.dim(-2), values.dim(-1));
}

void drop_misfit(AxisLabels& axis, qint64 count) {
  const auto fits = [count](qint64 index) { return index >= 0 && index < count; };
  if (static_cast<qint64>(axis.order.size()) != count || !std::ranges::all_of(axis.order, fits)) axis.order.clear();
}

std::vector<AxisLabel> labels_of(const AxisLabels& axis, qint64 count) {
  std::vector<AxisLabel> labels;
  for (qint64 place = 0; place < count && !axis.labels.isEmpty(); ++place)
    labels.push_back({axis.label(axis.index_at(place)), true, {}});
  return labels;
}

qint64 place_of(const AxisLabels& axis, qint64 index) {
  const auto found = std::ranges::find(axis.order, index);
  return found == axis.order.end() ? index : found - axis.order.begin();
}

}  // namespace

TensorView::TensorView(QWidget* parent) : Heatmap(parent, Form::strip), selector_(new QComboBox(this)) {
  selector_->hide();
  selector_->move(2, 2);
  connect(selector_, &QComboBox::activated, this, [this](int i) { set_slice(i); });
  connect(this, &Heatmap::cellActivated, this, [this](int row, int column) {
    if (scene().row_is_shown(row)) emit numberActivated(index_of({row, column}));
  });
  TensorView::forget();
  announce();
}

void TensorView::forget() {
  describe(selector_, tr("Slice"), tr("Which slice of the tensor is shown"));
  Heatmap::forget();
}

void TensorView::set_content(TensorContent content) {
  const Tensor& before = content_.values;
  const bool same = before.defined() && content.values.defined() && before.shape() == content.values.shape();
  content_ = std::move(content);
  const auto [rows, columns] = grid_of(content_.values);
  drop_misfit(content_.rows, rows);
  drop_misfit(content_.columns, columns);
  if (!same) {
    set_selected_cell(-1, -1);
    slice_ = 0;
    update_selector();
  }
  double largest = 0;
  bool shares = true;
  for (Index i = 0; i < (content_.values.defined() ? content_.values.size() : 0); ++i) {
    const auto value = static_cast<double>(content_.values[i]);
    if (!std::isfinite(value)) continue;
    largest = std::max(largest, std::abs(value));
    shares = shares && value >= 0 && value <= 1;
  }
  set_range(shares ? Range::unit : Range::symmetric);
  set_limits(shares ? std::nullopt : std::optional(std::pair(-largest, largest)));
  set_labels(labels_of(content_.rows, rows), labels_of(content_.columns, columns));
  show_slice();
  if (!same) updateGeometry();
  announce();
}

void TensorView::show_slice() {
  const auto [rows, columns] = grid_of(content_.values);
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(rows * columns));
  std::vector<HeatmapCell> edited;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      values.push_back(static_cast<float>(content_.values[index_of({row, column})]));
  for (const qint64 index : content_.edited_cells)
    if (index / (rows * columns) == slice_) edited.push_back(cell_of(index));
  set_matrix(static_cast<int>(rows), static_cast<int>(columns), std::move(values));
  set_edited_cells(std::move(edited), content_.edited);
}

void TensorView::update_selector() {
  const qint64 n = slices();
  selector_->clear();
  selector_->setVisible(n > 1);
  for (qint64 i = 0; n > 1 && i < n; ++i) {
    const headlight::Shape& shape = content_.values.shape();
    QStringList places;
    qint64 rest = i;
    for (int axis = shape.rank() - 3; axis >= 0; --axis) {
      places.prepend(QString::number(rest % shape[axis]));
      rest /= shape[axis];
    }
    selector_->addItem(tr("slice [%1]").arg(places.join(QStringLiteral(", "))));
  }
  selector_->adjustSize();
  setViewportMargins(0, n > 1 ? selector_->sizeHint().height() + 4 : 0, 0, 0);
}

qint64 TensorView::slices() const {
  const auto [rows, columns] = grid_of(content_.values);
  return rows * columns == 0 ? 0 : content_.values.size() / (rows * columns);
}

void TensorView::set_slice(qint64 slice) {
  slice = std::clamp<qint64>(slice, 0, std::max<qint64>(0, slices() - 1));
  if (slice == slice_) return;
  slice_ = slice;
  selector_->setCurrentIndex(static_cast<int>(slice));
  show_slice();
}

void TensorView::show_rows(int count) {
  set_visible_rows(count, reversed_rows());
  set_highlighted_row(static_cast<int>(place_of(content_.rows, count - 1)));
}

qint64 TensorView::index_of(HeatmapCell cell) const {
  const auto [rows, columns] = grid_of(content_.values);
  if (cell.row < 0 || cell.column < 0 || cell.row >= rows || cell.column >= columns) return -1;
  return (slice_ * rows + content_.rows.index_at(cell.row)) * columns + content_.columns.index_at(cell.column);
}

HeatmapCell TensorView::cell_of(qint64 index) const {
  const auto [rows, columns] = grid_of(content_.values);
  if (index < 0 || rows * columns == 0 || index >= content_.values.size()) return {};
  return {static_cast<int>(place_of(content_.rows, index / columns % rows)),
          static_cast<int>(place_of(content_.columns, index % columns))};
}

void TensorView::set_current_cell(qint64 index) {
  const HeatmapCell cell = cell_of(index);
  if (cell.row >= 0) set_slice(index / (qint64{rows()} * columns()));
  set_selected_cell(cell.row, cell.column);
  if (cell.row >= 0) set_window(heatmap_layout().window.showing(cell.row, cell.column, rows(), columns()));
}

QString TensorView::name() const {
  const QString shape =
      content_.values.defined() ? QString::fromStdString(content_.values.shape().text()) : tr("empty");
  return content_.title.isEmpty() ? tr("Matrix %1").arg(shape) : content_.title + QLatin1Char(' ') + shape;
}

QString TensorView::cell_text(qint64 index, int digits) const {
  const HeatmapCell cell = cell_of(index);
  if (cell.row < 0) return {};
  QStringList places;
  const auto add = [&](const AxisLabels& axis, qint64 i) {
    const QString name = axis.name.isEmpty() ? QString() : axis.name + QLatin1Char(' ');
    places << (i < axis.labels.size() ? QStringLiteral("%1%2 (%3)").arg(name, in_quotes(axis.label(i)), counted(i))
               : name.isEmpty()       ? QStringLiteral("[%1]").arg(i)  // of a parameter: as its file has it
                                      : name + counted(i));
  };
  if (slices() > 1) places << selector_->itemText(static_cast<int>(slice_));
  if (content_.values.rank() >= 2) add(content_.rows, content_.rows.index_at(cell.row));
  add(content_.columns, content_.columns.index_at(cell.column));
  const QString value = scene().row_is_shown(cell.row)
                            ? short_number(static_cast<double>(content_.values[index]), digits)
                            : tr("not computed yet");
  const bool edited = std::ranges::find(content_.edited_cells, index) != content_.edited_cells.end();
  return QStringLiteral("%1 = %2").arg(places.join(QStringLiteral(", ")), value) +
         (edited ? tr(" (changed by you)") : QString());
}

QSize TensorView::sizeHint() const {
  const HeatmapLayout& layout = heatmap_layout();
  const double width = std::min(columns() * layout.numbered.width(), 420.0),
               height = std::clamp(rows() * 1.25 * layout.numbered.height(), 1.6 * layout.numbered.height(), 260.0);
  return {static_cast<int>(layout.cells.left() + width) + 4, static_cast<int>(layout.cells.top() + height) + 4};
}

QSize TensorView::minimumSizeHint() const {
  const HeatmapLayout& layout = heatmap_layout();
  return {80, static_cast<int>(layout.cells.top() + layout.numbered.height()) + viewportMargins().top() + 2};
}

}  // namespace headlight
