#include "widgets/tables/table_pane.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/base/controls.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"

namespace headlight {

TablePane::TablePane(TableTwin* table, QWidget* parent)
    : QWidget(parent),
      table_(table),
      size_(new QLabel(this)),
      close_(sign_button(this, Sign::close)),
      cells_(new QTableView(this)) {
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  size_->setTextFormat(Qt::PlainText);
  size_->setForegroundRole(QPalette::PlaceholderText);
  size_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  cells_->setModel(table_);
  cells_->setFrameShape(QFrame::NoFrame);
  cells_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  cells_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  cells_->setProperty(kLook, QByteArray("twin"));
  cells_->setShowGrid(false);
  cells_->setTabKeyNavigation(false);  // Tab goes on to the next control
  cells_->setWordWrap(false);
  cells_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  cells_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  QHeaderView* titles = cells_->horizontalHeader();
  titles->setSortIndicatorClearable(true);
  titles->setSortIndicator(table_->sorted_column(), table_->sort_order());
  titles->setResizeContentsPrecision(30);  // rows that are measured
  titles->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  titles->setHighlightSections(false);
  cells_->verticalHeader()->setHighlightSections(false);
  cells_->setSortingEnabled(true);
  cells_->setContextMenuPolicy(Qt::CustomContextMenu);
  cells_->installEventFilter(this);
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(space::kMargin, space::kTight, space::kSmall, space::kTight);
  bar->addWidget(size_, 1);
  bar->addWidget(close_);
  // Words stand on the margin; the grounds of their cells hang out.
  auto* rows = new QHBoxLayout;
  rows->setContentsMargins(space::kMargin - space::kMedium, 0, 0, 0);
  rows->addWidget(cells_);
  auto* column = column_in(this, 0);
  column->addLayout(bar);
  column->addLayout(rows, 1);
  setFocusProxy(cells_);
  connect(close_, &QToolButton::clicked, this, &TablePane::closed);
  connect(cells_, &QWidget::customContextMenuRequested, this, &TablePane::open_menu);
  connect(table_, &QAbstractItemModel::modelReset, this, [this] {
    // Another table has its own order.
    cells_->horizontalHeader()->setSortIndicator(table_->sorted_column(), table_->sort_order());
    fit_columns();
    show_texts();
  });
  fit_columns();
  show_texts();
}

void TablePane::set_name(const QString& name) {
  name_ = name;
  show_texts();
}

void TablePane::show_texts() {
  size_->setText(tr("%1 rows × %2 columns").arg(table_->rowCount()).arg(table_->columnCount()));
  close_->setToolTip(tr("Close the table (Esc)"));
  close_->setAccessibleName(close_->toolTip());
  cells_->setAccessibleName(tr("%1 as a table").arg(name_));
  cells_->setAccessibleDescription(
      tr("%1. S sorts by the column of the cursor, Ctrl+C copies what is selected, Esc closes.").arg(size_->text()));
}

// Many columns are as wide as a number each: to measure them all would take long.
void TablePane::fit_columns() {
  constexpr int kMeasured = 40;
  cells_->horizontalHeader()->setFont(theme().ui_font(type::kSource));
  cells_->verticalHeader()->setMinimumSectionSize(control_height());
  cells_->verticalHeader()->setDefaultSectionSize(control_height());
  cells_->horizontalHeader()->setDefaultSectionSize(fontMetrics().horizontalAdvance(QStringLiteral("-0.123456e-05 ")) +
                                                    2 * space::kMedium);
  if (table_->columnCount() <= kMeasured) cells_->resizeColumnsToContents();
  show_first_columns();
}

// Where letters are large, long words leave room for the numbers beside them.
void TablePane::show_first_columns() {
  cells_->verticalHeader()->setMaximumWidth(std::max(1, width() / 3));
  const int columns = std::min(first_columns(), table_->columnCount());
  const int room =
      width() - (space::kMargin - space::kMedium) - std::min(cells_->verticalHeader()->sizeHint().width(), width() / 3);
  for (int column = 0; column < columns; ++column)
    if (cells_->columnWidth(column) > room / columns) cells_->setColumnWidth(column, room / columns);
}

// A name of the row, if it is none of the table's own, and two numbers.
int TablePane::first_columns() const { return has_names() ? 2 : 3; }

void TablePane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit_columns();
}

bool TablePane::has_names() const {
  bool number = false;
  table_->headerData(0, Qt::Vertical).toString().toInt(&number);
  return !number;
}

QSize TablePane::least_size() const {
  constexpr int kRows = 3;
  const QHeaderView* titles = cells_->horizontalHeader();
  int wide = cells_->verticalHeader()->isHidden() ? 0 : cells_->verticalHeader()->sizeHint().width();
  for (int column = 0; column < std::min(first_columns(), table_->columnCount()); ++column)
    wide += std::min(titles->sectionSize(column), titles->defaultSectionSize());
  const int row = cells_->verticalHeader()->defaultSectionSize();
  const int bar = std::max(size_->sizeHint().height(), close_->sizeHint().height());
  const int scroll_bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
  return {wide + space::kMargin - space::kMedium + scroll_bar,
          bar + titles->sizeHint().height() + kRows * row + scroll_bar};
}

void TablePane::copy() const {
  QModelIndexList chosen = cells_->selectionModel()->selectedIndexes();
  if (chosen.isEmpty() && cells_->currentIndex().isValid()) chosen << cells_->currentIndex();
  if (!chosen.isEmpty()) QApplication::clipboard()->setText(table_tsv(*table_, chosen));
}

void TablePane::sort_by_cursor() {
  const int column = cells_->currentIndex().column();
  if (column < 0) return;
  const bool same = column == table_->sorted_column();
  const bool down = same && table_->sort_order() == Qt::DescendingOrder;
  cells_->sortByColumn(down ? -1 : column, same ? Qt::DescendingOrder : Qt::AscendingOrder);
}

void TablePane::open_menu(const QPoint& position) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addAction(tr("&Copy"), QKeySequence(QKeySequence::Copy), this, &TablePane::copy);
  menu->addAction(tr("Select &all"), QKeySequence(QKeySequence::SelectAll), cells_, &QTableView::selectAll);
  menu->addAction(tr("&Sort by this column"), QKeySequence(Qt::Key_S), this, &TablePane::sort_by_cursor);
  menu->addSeparator();
  menu->addAction(tr("C&lose the table"), QKeySequence(Qt::Key_Escape), this, &TablePane::closed);
  menu->popup(cells_->viewport()->mapToGlobal(position));
}

bool TablePane::eventFilter(QObject* watched, QEvent* event) {
  if (watched == cells_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Copy)) {
      copy();
      return true;
    }
    if (key->key() == Qt::Key_Escape) {
      emit closed();
      return true;
    }
    if (key->key() == Qt::Key_S && key->modifiers() == Qt::NoModifier) {
      sort_by_cursor();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void TablePane::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) show_texts();
  if (event->type() == QEvent::FontChange) fit_columns();
  QWidget::changeEvent(event);
}

}  // namespace headlight
