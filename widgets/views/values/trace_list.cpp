#include "widgets/views/values/trace_list.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "widgets/base/controls.h"
#include "widgets/base/nothing_found.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"

namespace headlight {

TraceList::TraceList(QWidget* parent)
    : QWidget(parent),
      model_(new TraceModel(this)),
      filter_(new TraceFilter(this)),
      tree_(new QTreeView(this)),
      field_(new QLineEdit(this)),
      none_(nothing_found(this)) {
  filter_->setSourceModel(model_);
  tree_->setModel(filter_);
  tree_->setUniformRowHeights(true);
  tree_->setAllColumnsShowFocus(true);
  tree_->setFrameShape(QFrame::NoFrame);
  tree_->setTextElideMode(Qt::ElideMiddle);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionResizeMode(QHeaderView::Interactive);

  auto* layout = column_in(this, 6);
  layout->setContentsMargins(space::kMargin, space::kSmall, space::kMargin, space::kSmall);
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
  tree_->installEventFilter(this);
  tree_->viewport()->installEventFilter(this);
  connect(tree_, &QTreeView::doubleClicked, this, [this] {
    if (current_entry() >= 0) emit opened(current_entry());
  });
  connect(model_, &QAbstractItemModel::modelReset, this, &TraceList::measure);
  // A search starts where the list is.
  auto* find = new QShortcut(QKeySequence::Find, this);
  find->setContext(Qt::WidgetWithChildrenShortcut);
  connect(find, &QShortcut::activated, this, [this] {
    field_->setFocus();
    field_->selectAll();
  });
  theme().restyles(this, [this] { measure(); });
  retranslates(this, [this] { retranslate(); });
  measure();
  retranslate();
  apply_filter({});
}

void TraceList::measure() {
  longest_name_ = longest_title_ = 0;
  const QFont font = theme().ui_font();
  std::map<QString, int> widths;  // the same names stand in every layer and step
  const auto wide = [&](const QString& text) {
    const auto [found, is_new] = widths.try_emplace(text);
    if (is_new) found->second = qRound(text_width(text, font));
    return found->second;
  };
  const std::function<void(const QModelIndex&, int)> visit = [&](const QModelIndex& parent, int depth) {
    for (int row = 0; row < model_->rowCount(parent); ++row) {
      const QModelIndex name = model_->index(row, TraceModel::kSite, parent);
      longest_name_ = std::max(longest_name_, wide(name.data().toString()) + (depth + 1) * tree_->indentation());
      const QString title = name.siblingAtColumn(TraceModel::kTitle).data().toString();
      longest_title_ = std::max(longest_title_, wide(title));
      visit(name, depth + 1);
    }
  };
  visit({}, 0);
  size_columns();
}

// In letters, so that larger ones have their room. What these leave is for names and meanings: a name is cut only where
// there is no room for it; what does not fit into the window then is reached by scrolling.
void TraceList::size_columns() {
  const double letter = QFontMetricsF(theme().ui_font()).averageCharWidth();
  const auto letters = [&](double count) { return static_cast<int>(letter * count); };
  int room = tree_->viewport()->width();
  for (const auto& [column, count] :
       {std::pair(TraceModel::kOperation, 17), std::pair(TraceModel::kShape, 12), std::pair(TraceModel::kTime, 11)}) {
    tree_->header()->resizeSection(column, letters(count));
    room -= letters(count);
  }
  constexpr int kAround = 2 * space::kSmall;
  const int least_title = std::max(letters(12), std::min(longest_title_ + kAround, letters(26)));
  const int name = std::clamp(longest_name_ + kAround, letters(12), std::max(letters(27), room - least_title));
  tree_->header()->resizeSection(TraceModel::kSite, name);
  tree_->header()->resizeSection(TraceModel::kTitle, std::max(least_title, room - name));
}

// Enter opens a value, as a double click does, and a branch.
bool TraceList::eventFilter(QObject* watched, QEvent* event) {
  if (watched == tree_->viewport() && event->type() == QEvent::Resize) size_columns();
  const bool enter = event->type() == QEvent::KeyPress && (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Return ||
                                                           static_cast<QKeyEvent*>(event)->key() == Qt::Key_Enter);
  if (watched != tree_ || !enter || !tree_->currentIndex().isValid()) return QWidget::eventFilter(watched, event);
  if (current_entry() >= 0)
    emit opened(current_entry());
  else
    tree_->setExpanded(tree_->currentIndex(), !tree_->isExpanded(tree_->currentIndex()));
  return true;
}

void TraceList::retranslate() {
  field_->setPlaceholderText(tr("Filter: attention, step 3, weights …"));
  describe(field_, tr("Filter of the list of values"),
           tr("Shows only values whose name, meaning or step contains every word"));
  tree_->setAccessibleName(tr("All values of this run in the order of computation"));
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
  field_->setClearButtonEnabled(true);  // looks for its icon through the themes of the desktop: not at every start
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
