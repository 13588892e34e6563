#include "widgets/views/values/trace_list.h"

#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "widgets/base/controls.h"
#include "widgets/base/theme.h"

namespace headlight {

TraceList::TraceList(QWidget* parent)
    : QWidget(parent),
      model_(new TraceModel(this)),
      filter_(new TraceFilter(this)),
      tree_(new QTreeView(this)),
      field_(new QLineEdit(this)),
      none_(new QLabel(this)) {
  filter_->setSourceModel(model_);
  tree_->setModel(filter_);
  tree_->setUniformRowHeights(true);
  tree_->setAllColumnsShowFocus(true);
  tree_->setFrameShape(QFrame::NoFrame);
  tree_->setTextElideMode(Qt::ElideMiddle);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionResizeMode(QHeaderView::Interactive);
  field_->setClearButtonEnabled(true);
  none_->setTextFormat(Qt::PlainText);
  none_->setAlignment(Qt::AlignCenter);
  none_->setWordWrap(true);
  none_->hide();

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->setSpacing(6);
  layout->addWidget(field_);
  layout->addWidget(tree_, 1);
  layout->addWidget(none_, 1);

  connect(field_, &QLineEdit::textChanged, this, &TraceList::apply_filter);
  connect(field_, &QLineEdit::returnPressed, tree_, [this] { tree_->setFocus(); });
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
    const int entry = model_->entry_of(filter_->mapToSource(index));
    if (following_ || !selection_ || entry < 0) return;
    SelectionState state = selection_->state();
    if (state.entry != entry) state.cell.reset();
    state.entry = entry;
    selection_->set(state);
  });
  // A search starts where the list is.
  auto* find = new QShortcut(QKeySequence::Find, this);
  find->setContext(Qt::WidgetWithChildrenShortcut);
  connect(find, &QShortcut::activated, this, [this] {
    field_->setFocus();
    field_->selectAll();
  });
  Theme::instance().restyles(this, [this] { size_columns(); });
  size_columns();
  retranslate();
  apply_filter({});
}

// In letters, so that larger ones have their room; what does not fit into the window is reached by scrolling.
void TraceList::size_columns() {
  const double letter = QFontMetricsF(Theme::instance().ui_font()).averageCharWidth();
  for (const auto& [column, letters] : {std::pair(TraceModel::kSite, 27), std::pair(TraceModel::kOperation, 17),
                                        std::pair(TraceModel::kShape, 12), std::pair(TraceModel::kTime, 11)})
    tree_->header()->resizeSection(column, static_cast<int>(letter * letters));
  size_title();
}

// The title has what the others leave, and enough to be read.
void TraceList::size_title() {
  int others = 0;
  for (int column = 0; column < TraceModel::kColumns; ++column)
    if (column != TraceModel::kTitle) others += tree_->header()->sectionSize(column);
  const double least = 26 * QFontMetricsF(Theme::instance().ui_font()).averageCharWidth();
  tree_->header()->resizeSection(TraceModel::kTitle,
                                 std::max(static_cast<int>(least), tree_->viewport()->width() - others));
}

void TraceList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  size_title();
}

void TraceList::retranslate() {
  field_->setPlaceholderText(tr("Filter: attention, step 3, weights …"));
  describe(field_, tr("Filter of the list of values"),
           tr("Shows only values whose name, meaning or step contains every word"));
  tree_->setAccessibleName(tr("All values of this run in the order of computation"));
}

void TraceList::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::LanguageChange) retranslate();
}

void TraceList::set_selection(Selection* selection) {
  if (selection_) selection_->disconnect(this);
  selection_ = selection;
  if (!selection_) return;
  connect(selection_, &Selection::changed, this, [this](const SelectionState& state) { show_entry(state.entry); });
  show_entry(selection_->state().entry);
}

void TraceList::set_trace(std::shared_ptr<const Trace> trace, TraceLabels labels) {
  if (window()->isVisible() && !isVisible()) {
    waiting_.emplace(std::move(trace), std::move(labels));
    return;
  }
  waiting_.reset();
  take_trace(std::move(trace), std::move(labels));
}

void TraceList::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (!waiting_) return;
  auto [trace, labels] = *std::exchange(waiting_, std::nullopt);
  take_trace(std::move(trace), std::move(labels));
  if (selection_) show_entry(selection_->state().entry);
}

void TraceList::take_trace(std::shared_ptr<const Trace> trace, TraceLabels labels) {
  const auto& old = model_->trace();
  const int entry = current_entry();
  const std::string place = old && entry >= 0 ? (*old)[entry].site.text : std::string();
  // Branches that were open stay open, although another input makes another tree.
  std::vector<std::pair<int, int>> open;
  for (int phase = 0; phase < filter_->rowCount(); ++phase) {
    const QModelIndex branch = filter_->index(phase, 0);
    for (int row = 0; row < filter_->rowCount(branch); ++row)
      if (tree_->isExpanded(filter_->index(row, 0, branch))) open.emplace_back(phase, row);
  }
  following_ = true;
  model_->set_trace(std::move(trace), std::move(labels));
  following_ = false;
  apply_filter(field_->text());
  for (const auto& [phase, row] : open) tree_->expand(filter_->index(row, 0, filter_->index(phase, 0)));
  if (!place.empty() && model_->trace()) {
    const int found = model_->trace()->find(place);
    if (found >= 0) show_entry(found);
  }
}

int TraceList::current_entry() const { return model_->entry_of(filter_->mapToSource(tree_->currentIndex())); }

void TraceList::show_entry(std::optional<int> entry) {
  if (waiting_) return;  // it is of another run
  following_ = true;
  const QModelIndex index = entry ? filter_->mapFromSource(model_->index_of_entry(*entry)) : QModelIndex();
  if (index.isValid()) {
    tree_->setCurrentIndex(index);
    tree_->scrollTo(index);
  } else {
    tree_->selectionModel()->clear();
  }
  following_ = false;
}

void TraceList::apply_filter(const QString& text) {
  following_ = true;
  filter_->set_text(text);
  following_ = false;
  if (text.trimmed().isEmpty()) {
    for (int phase = 0; phase < filter_->rowCount(); ++phase) tree_->expand(filter_->index(phase, 0));
  } else {
    tree_->expandAll();
  }
  const bool empty = filter_->rowCount() == 0;
  none_->setText(model_->rowCount() == 0 ? tr("Type a source text: every value that is computed will be listed here.")
                                         : tr("No value has all these words in its name, meaning or step."));
  none_->setVisible(empty);
  tree_->setVisible(!empty);
}

}  // namespace headlight
