#include "widgets/views/tensors/tensor_browser.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "model/io/file.h"
#include "widgets/base/controls.h"
#include "widgets/base/flow_layout.h"
#include "widgets/base/nothing_found.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/matrix/tensor_view.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/tensors/tensor_tree.h"

namespace headlight {

namespace {

constexpr Index kLargestSpectrum = 1024;  // rows and columns of a matrix whose singular values are computed
constexpr int kOpened = 40;               // rows of a tree that is shown open

// Rows with all words that were typed, in the name, the shape or the type.
class Found : public QSortFilterProxyModel {
 public:
  explicit Found(QObject* parent) : QSortFilterProxyModel(parent) { setRecursiveFilteringEnabled(true); }
  void set(const QString& text) {
    words_ = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
  }

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
    const QVariant text = sourceModel()->index(row, 0, parent).data(TensorTree::kTextRole);
    if (!text.isValid()) return words_.isEmpty();  // a folder is there for what is in it
    return std::ranges::all_of(
        words_, [all = text.toString()](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
  }

 private:
  QStringList words_;
};

// Rows with air between them.
class Airy : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return {size.width() + space::kSmall, size.height() * 3 / 2};
  }
};

}  // namespace

// How often which numbers occur, in their colours. The height is the square root, so that what is rare is seen.
class TensorHistogram : public QWidget {
 public:
  using QWidget::QWidget;
  void set(const TensorStatistics& statistics) {
    statistics_ = statistics;
    setAccessibleDescription(
        QStringLiteral("%1 … %2").arg(short_number(statistics.least), short_number(statistics.largest)));
    update();
  }
  QSize sizeHint() const override { return {fontMetrics().averageCharWidth() * 40, fontMetrics().height() * 5}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    const auto most = *std::ranges::max_element(statistics_.histogram);
    if (most == 0) return;
    const double line = fontMetrics().height(), floor = height() - line,
                 width_of_bin = static_cast<double>(width()) / TensorStatistics::kBins;
    const double span = statistics_.largest - statistics_.least,
                 farthest = std::max(std::abs(statistics_.least), std::abs(statistics_.largest));
    for (int bin = 0; bin < TensorStatistics::kBins; ++bin) {
      const double share = std::sqrt(static_cast<double>(nth(statistics_.histogram, bin)) / static_cast<double>(most));
      const double middle = statistics_.least + span * (bin + 0.5) / TensorStatistics::kBins;
      const QRectF bar(bin * width_of_bin, floor * (1 - share), width_of_bin - 1, floor * share);
      painter.fillRect(bar, theme().signed_value(farthest > 0 ? middle / farthest : 0));
      painter.fillRect(QRectF(bar.left(), bar.top(), bar.width(), share > 0 ? 1 : 0), tokens().edge);
    }
    painter.setPen(theme().muted_text());
    const QRectF axis(0, floor, width(), line);
    draw_text(painter, axis, Qt::AlignLeft, short_number(statistics_.least));
    draw_text(painter, axis, Qt::AlignRight, short_number(statistics_.largest));
  }

 private:
  TensorStatistics statistics_;
};

TensorBrowser::TensorBrowser(std::shared_ptr<const TensorFile> file, QWidget* parent)
    : QWidget(parent),
      file_(std::move(file)),
      model_(new TensorTree(*file_, this)),
      found_(new Found(this)),
      filter_(new QLineEdit(this)),
      tree_(new QTreeView(this)),
      none_(nothing_found(this)),
      title_(text_label(this)),
      source_(text_label(this)),
      note_(text_label(this)),
      histogram_title_(text_label(this)),
      figures_(new QWidget(this)),
      spectrum_(new QPushButton(this)),
      compare_(new QPushButton(this)),
      sorted_(new QPushButton(this)),
      changes_(new QPushButton(this)),
      histogram_(new TensorHistogram(this)),
      picture_(new TensorView(this)) {
  found_->setSourceModel(model_);
  build();
  retranslate();
  apply_fonts();
  const bool small = file_->tensors().size() <= static_cast<std::size_t>(kOpened);
  if (small)
    tree_->expandAll();
  else if (found_->rowCount() == 1)
    tree_->expandToDepth(0);
  connect(spectrum_, &QPushButton::clicked, this, [this] { ask(true); });
  connect(sorted_, &QPushButton::toggled, this, &TensorBrowser::set_sorted);
  connect(changes_, &QPushButton::toggled, this, [this] { choose(tree_->currentIndex()); });
  connect(compare_, &QPushButton::clicked, this, [this] {
    if (!comparing_) return emit compareWanted();
    emit stopWanted();
    stop_comparing();
  });
  connect(filter_, &QLineEdit::textChanged, this, &TensorBrowser::search);
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& index) { choose(index); });
  connect(&theme(), &Theme::changed, this, &TensorBrowser::apply_fonts);
}

void TensorBrowser::build() {
  filter_->setClearButtonEnabled(true);
  tree_->setObjectName(QStringLiteral("tensors"));
  tree_->setFrameShape(QFrame::NoFrame);
  tree_->setUniformRowHeights(true);
  tree_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  tree_->setTextElideMode(Qt::ElideMiddle);
  tree_->setItemDelegate(new Airy(tree_));
  tree_->setIndentation(space::kLarge);
  tree_->setModel(found_);
  QHeaderView* header = tree_->header();
  header->setStretchLastSection(false);
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  header->setSectionResizeMode(TensorTree::kName, QHeaderView::Stretch);
  tree_->viewport()->installEventFilter(this);
  stop_comparing();
  for (QPushButton* each : {spectrum_, compare_, sorted_, changes_}) each->setAutoDefault(false);
  for (QPushButton* each : {sorted_, changes_}) {
    each->setCheckable(true);
    each->hide();
  }
  spectrum_->setEnabled(false);

  auto* left = new QWidget(this);
  auto* names = new QVBoxLayout(left);
  names->setContentsMargins(0, 0, space::kLarge, 0);
  names->addWidget(filter_);
  names->addWidget(tree_, 1);
  names->addWidget(none_, 1);
  names->addWidget(sorted_, 0, Qt::AlignLeft);
  auto* right = new QWidget(this);
  auto* column = new QVBoxLayout(right);
  column->setContentsMargins(space::kLarge, 0, 0, 0);
  (new FlowLayout(figures_))->setContentsMargins(0, 0, 0, 0);
  column->addWidget(title_);
  column->addWidget(source_);
  column->addWidget(figures_);
  column->addWidget(picture_, 1);
  column->addWidget(note_);
  column->addWidget(histogram_title_);
  column->addWidget(histogram_);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(spectrum_);
  buttons->addWidget(compare_);
  buttons->addWidget(changes_);
  buttons->addStretch(1);
  column->addLayout(buttons);
  auto* splitter = new QSplitter(this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(left);
  splitter->addWidget(right);
  splitter->setSizes({500, 600});
  splitter->setStretchFactor(0, 0);
  splitter->setStretchFactor(1, 1);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(splitter, 1);
}

void TensorBrowser::retranslate() {
  model_->retranslate();
  filter_->setPlaceholderText(tr("Find a tensor by name, shape or type"));
  filter_->setAccessibleName(filter_->placeholderText());
  none_->setText(tr("No tensor has all these words in its name, shape or type."));
  tree_->setAccessibleName(tr("Tensors"));
  histogram_title_->setText(tr("Histogram (square-root scale)"));
  histogram_->setAccessibleName(histogram_title_->text());
  spectrum_->setText(tr("Singular values"));
  sorted_->setText(tr("Most changed &first"));
  sorted_->setToolTip(tr("What differs as one list, sorted by its change."));
  changes_->setText(tr("Show the &change"));
  changes_->setToolTip(tr("Of what the other file has less what this one has: picture, figures, singular values."));
  if (!comparing_) offer_comparison();
  choose(tree_->currentIndex());
}

std::uint64_t TensorBrowser::numbers() const { return model_->numbers(); }

void TensorBrowser::apply_fonts() {
  if (shown_) show_figures();
  QFont bold = theme().ui_font(type::kTitle);
  bold.setWeight(QFont::DemiBold);
  title_->setFont(bold);
  for (QLabel* each : {source_, note_, histogram_title_}) {
    each->setFont(theme().ui_font(type::kSource));
    each->setForegroundRole(QPalette::PlaceholderText);
  }
}

void TensorBrowser::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) apply_fonts();
  if (event->type() == QEvent::LanguageChange) retranslate();
}

bool TensorBrowser::eventFilter(QObject* watched, QEvent* event) {
  if (watched == tree_->viewport() && event->type() == QEvent::Resize) fit_columns();
  return QWidget::eventFilter(watched, event);
}

// Names come first: where there is no room for them the counts give way, then the shapes. Both are said of the tensor
// that is chosen.
void TensorBrowser::fit_columns() {
  constexpr int kLetters = 24;  // of a name with what it is indented by
  const auto width = [this](int column) {
    return std::max(static_cast<const QAbstractItemView*>(tree_)->sizeHintForColumn(column),
                    tree_->header()->sectionSizeHint(column));
  };
  int room = tree_->viewport()->width() - kLetters * tree_->fontMetrics().averageCharWidth();
  for (int column = TensorTree::kShape; column < model_->columnCount(); ++column) room -= width(column);
  for (const int column : {TensorTree::kNumbers, TensorTree::kShape}) {
    tree_->setColumnHidden(column, room < 0);
    if (room < 0) room += width(column);
  }
}

void TensorBrowser::choose_first() {
  const std::vector<TensorEntry>& all = file_->tensors();
  if (all.empty()) return show_notes();
  const auto matrix = std::ranges::find_if(all, [](const TensorEntry& entry) {
    return entry.shape.size() == 2 && entry.shape[0] > 1 && entry.shape[1] > 1;
  });
  const auto which = matrix == all.end() ? 0 : static_cast<int>(matrix - all.begin());
  tree_->setCurrentIndex(found_->mapFromSource(model_->index_of(which)));
  tree_->setFocus();
}

void TensorBrowser::search(const QString& text) {
  static_cast<Found*>(found_)->set(text);
  if (!text.trimmed().isEmpty()) tree_->expandAll();
  const bool none = found_->rowCount() == 0;
  none_->setVisible(none);
  tree_->setVisible(!none);
}

void TensorBrowser::choose(const QModelIndex& index) {
  const QVariant tensor = index.siblingAtColumn(0).data(TensorTree::kIndexRole);
  if (!tensor.isValid()) return;
  chosen_ = tensor.toInt();
  const TensorEntry& entry = nth(file_->tensors(), chosen_);
  const QString name = shown_text(entry.name);
  const TensorPlace place = tensor_place(name);
  title_->setText(place.folders.isEmpty() ? place.leaf : place.folders.last() + QStringLiteral(", ") + place.leaf);
  const TensorFile::Stored stored = file_->stored(static_cast<std::size_t>(chosen_));
  QStringList parts{name, shape_words(entry.shape), from_utf8(stored.type), from_utf8(bytes_text(stored.bytes))};
  if (!entry.shares_with.empty()) parts << tr("the same numbers as %1").arg(shown_text(entry.shares_with));
  source_->setText(parts.join(QStringLiteral(" · ")));
  of_picture_ = tr("Reading…");
  of_spectrum_.clear();
  shown_.reset();
  show_notes();
  spectrum_->setEnabled(false);
  changes_->setVisible(differs());
  ask(false);
}

bool TensorBrowser::differs() const {
  const auto i = static_cast<std::size_t>(chosen_);
  return chosen_ >= 0 && i < differences_.size() && differences_[i].state == TensorDifference::State::different;
}

void TensorBrowser::ask(bool singular) { emit wanted(chosen_, singular, differs() && changes_->isChecked()); }

void TensorBrowser::set_change_shown(bool shown) { changes_->setChecked(shown); }

std::string TensorBrowser::name_in_other(int i) const {
  const auto at = static_cast<std::size_t>(i);
  if (at >= differences_.size()) return {};
  return differences_[at].other_name.empty() ? differences_[at].name : differences_[at].other_name;
}

// What was chosen stays so, where it is there.
void TensorBrowser::set_sorted(bool sorted) {
  sorted_->setChecked(sorted);
  QAbstractItemModel* before = found_->sourceModel();
  found_->setSourceModel(sorted ? static_cast<QAbstractItemModel*>(model_->by_change(differences_, this)) : model_);
  if (before != model_) before->deleteLater();
  const QModelIndexList same =
      found_->match(found_->index(0, 0), TensorTree::kIndexRole, chosen_, 1, Qt::MatchExactly | Qt::MatchRecursive);
  const QModelIndex at = same.isEmpty() ? found_->index(0, 0) : same.front();
  tree_->setRootIsDecorated(!sorted);
  tree_->header()->setSectionResizeMode(TensorTree::kName, QHeaderView::Stretch);
  if (at.isValid()) tree_->setCurrentIndex(at);
  fit_columns();
}

QString TensorBrowser::figures() const { return figures_->accessibleDescription(); }
QString TensorBrowser::note() const { return note_->text(); }

// A word in small letters over each number.
void TensorBrowser::show_figures() {
  const TensorStatistics& s = *shown_;
  QLayout* row = figures_->layout();
  while (QLayoutItem* item = row->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  QStringList said;
  const auto add = [&](const QString& word, const QString& value) {
    auto* pair = new QWidget(figures_);
    auto* rows = column_in(pair, 0);
    rows->setContentsMargins(0, 0, space::kLarge, 0);
    auto *name = new QLabel(word, pair), *figure = new QLabel(value, pair);
    name->setFont(theme().ui_font(type::kSource));
    name->setForegroundRole(QPalette::PlaceholderText);
    QFont bold = theme().ui_font(type::kTitle);
    bold.setWeight(QFont::DemiBold);
    figure->setFont(bold);
    for (QLabel* each : {name, figure}) {
      each->setTextFormat(Qt::PlainText);
      rows->addWidget(each);
    }
    figure->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(pair);
    said << QStringLiteral("%1 %2").arg(word, value);
  };
  add(tr("numbers"), QLocale().toString(static_cast<qulonglong>(s.count)));
  add(tr("smallest"), short_number(s.least));
  add(tr("largest"), short_number(s.largest));
  add(tr("mean"), short_number(s.mean));
  add(tr("deviation"), short_number(s.deviation));
  add(tr("NaN, infinite"), s.nan + s.infinite == 0 ? tr("none") : tr("%L1, %L2").arg(s.nan).arg(s.infinite));
  if (const auto i = static_cast<std::size_t>(chosen_); i < differences_.size()) {
    add(tr("changed by"), difference_words(differences_[i]));
    if (const TensorDifference& each = differences_[i]; each.state == TensorDifference::State::different)
      add(tr("largest change"), each.whole.empty() ? short_number(each.largest) : QString::fromStdString(each.whole));
  }
  figures_->setAccessibleDescription(said.join(QStringLiteral(", ")));
}

void TensorBrowser::show_notes() {
  QStringList lines;
  for (const QString& each : {of_picture_, of_spectrum_, of_comparison_})
    if (!each.isEmpty()) lines << each;
  constexpr std::size_t kMostNamed = 4;
  const auto& unread = file_->unread();
  for (std::size_t i = 0; i < std::min(unread.size(), kMostNamed); ++i)
    lines << tr("%1 is not read: %2").arg(shown_text(unread[i].first), shown_text(unread[i].second));
  if (unread.size() > kMostNamed) lines << tr("%L1 more are not read.").arg(unread.size() - kMostNamed);
  if (!differences_.empty() && !comparing_) {
    using State = TensorDifference::State;
    const auto same = std::ranges::count(differences_, State::equal, &TensorDifference::state);
    const auto both = std::ranges::count_if(differences_, [](const TensorDifference& each) {
      return each.state != State::only_first && each.state != State::only_second;
    });
    lines << (same == static_cast<std::ptrdiff_t>(differences_.size())
                  ? tr("Beside %1: every tensor is the same.").arg(other_)
                  : tr("Beside %1: %2 of %3 tensors of the same name differ, %4 are in one of the files only.")
                        .arg(other_)
                        .arg(both - same)
                        .arg(both)
                        .arg(static_cast<std::ptrdiff_t>(differences_.size()) - both));
  }
  if (const auto i = static_cast<std::size_t>(chosen_); i < differences_.size() && !differences_[i].other_name.empty())
    lines << tr("In %1 it is called %2.").arg(other_, shown_text(differences_[i].other_name));
  note_->setText(lines.join(QLatin1Char('\n')));
  note_->setVisible(!lines.isEmpty());
}

void TensorBrowser::set_numbers(const TensorNumbers& numbers) {
  if (numbers.index != chosen_) return;
  const TensorStatistics& s = numbers.statistics;
  shown_ = s;
  if (numbers.change) title_->setText(tr("Change of %1").arg(shown_text(nth(file_->tensors(), chosen_).name)));
  show_figures();
  const bool whole = numbers.matrix.size() == static_cast<Index>(s.count);
  of_picture_ = whole ? QString() : tr("The picture shows of each part the number that is farthest from 0.");
  if (!numbers.singular.empty()) {
    QStringList first;
    for (std::size_t i = 0; i < std::min<std::size_t>(12, numbers.singular.size()); ++i)
      first << short_number(numbers.singular[i]);
    of_spectrum_ =
        tr("Singular values: %1%2")
            .arg(first.join(QStringLiteral("  ")), numbers.singular.size() > 12 ? QStringLiteral(" …") : QString());
  }
  show_notes();
  histogram_->set(s);
  const std::size_t rank = nth(file_->tensors(), chosen_).shape.size();
  spectrum_->setEnabled(whole && rank == 2 && s.nan + s.infinite == 0 && numbers.matrix.rows() <= kLargestSpectrum &&
                        numbers.matrix.columns() <= kLargestSpectrum);
  TensorContent content;
  content.values = numbers.matrix;
  content.rows.name = tr("row");
  content.columns.name = tr("column");
  content.title = source_->text();
  picture_->set_content(std::move(content));
}

void TensorBrowser::set_problem(const QString& problem) {
  of_picture_ = problem;
  show_notes();
}

void TensorBrowser::set_comparing(const QString& other, double share, double seconds_left) {
  comparing_ = true;
  compare_->setText(tr("Stop comparing"));
  compare_->setToolTip(tr("The file is read no further; what was compared before stays."));
  const QString percent = QLocale().toString(std::lround(100 * share));
  of_comparison_ = share < 0          ? tr("Comparing with %1…").arg(other)
                   : seconds_left < 0 ? tr("Comparing with %1: %2 %").arg(other, percent)
                                      : tr("Comparing with %1: %2 %, about %3 s left")
                                            .arg(other, percent, QLocale().toString(std::ceil(seconds_left)));
  show_notes();
}

void TensorBrowser::offer_comparison() {
  compare_->setText(tr("Compare with another file…"));
  compare_->setToolTip(
      tr("Another file with tensors of the same names, a later checkpoint say: by how much each changed."));
}

void TensorBrowser::stop_comparing(const QString& problem) {
  comparing_ = false;
  offer_comparison();
  of_comparison_ = problem;
  show_notes();
}

void TensorBrowser::set_differences(std::vector<TensorDifference> differences, const QString& other) {
  differences_ = std::move(differences);
  other_ = other;
  model_->set_differences(differences_, other);
  tree_->header()->setSectionResizeMode(TensorTree::kChange, QHeaderView::ResizeToContents);
  fit_columns();
  tree_->selectionModel()->select(tree_->currentIndex(),  // the new column of its row as well
                                  QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  stop_comparing();
  sorted_->setVisible(std::ranges::count(differences_, TensorDifference::State::different, &TensorDifference::state) >
                      0);
  if (sorted_->isChecked()) set_sorted(!sorted_->isHidden());
  changes_->setVisible(differs());
  if (shown_) show_figures();
}

}  // namespace headlight
