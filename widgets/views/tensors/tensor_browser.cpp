#include "widgets/views/tensors/tensor_browser.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QSplitter>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "model/io/file.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"
#include "widgets/matrix/tensor_view.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr int kIndexRole = Qt::UserRole + 1;
constexpr Index kLargestSpectrum = 1024;  // rows and columns of a matrix whose singular values are computed

QString number(double value) { return QLocale().toString(value, 'g', 5); }

QLabel* plain(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);  // names come from strangers
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

}  // namespace

// How often which numbers occur.
class TensorHistogram : public QWidget {
 public:
  using QWidget::QWidget;
  void set(const TensorStatistics& statistics) {
    statistics_ = statistics;
    setAccessibleDescription(QStringLiteral("%1 … %2").arg(number(statistics.least), number(statistics.largest)));
    update();
  }
  QSize sizeHint() const override { return {fontMetrics().averageCharWidth() * 40, fontMetrics().height() * 5}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    const Theme& theme = Theme::instance();
    painter.fillRect(rect(), theme.background());
    const auto most = *std::max_element(statistics_.histogram.begin(), statistics_.histogram.end());
    if (most == 0) return;
    const double line = fontMetrics().height(), floor = height() - line,
                 width_of_bin = static_cast<double>(width()) / TensorStatistics::kBins;
    for (int bin = 0; bin < TensorStatistics::kBins; ++bin) {
      const double share =
          static_cast<double>(statistics_.histogram[static_cast<std::size_t>(bin)]) / static_cast<double>(most);
      painter.fillRect(QRectF(bin * width_of_bin, floor * (1 - share), width_of_bin - 1, floor * share),
                       theme.weight(0.7));
    }
    painter.setPen(theme.muted_text());
    const QRectF axis(0, floor, width(), line);
    draw_text(painter, axis, Qt::AlignLeft, number(statistics_.least));
    draw_text(painter, axis, Qt::AlignRight, number(statistics_.largest));
  }

 private:
  TensorStatistics statistics_;
};

TensorBrowser::TensorBrowser(std::shared_ptr<const TensorFile> file, const QString& reason, QWidget* parent)
    : QWidget(parent),
      file_(std::move(file)),
      model_(new QStandardItemModel(this)),
      tree_(new QTreeView(this)),
      reason_(plain(this)),
      title_(plain(this)),
      figures_(plain(this)),
      spectrum_(new QPushButton(tr("Singular values"), this)),
      histogram_(new TensorHistogram(this)),
      picture_(new TensorView(this)) {
  reason_->setText(reason);
  reason_->setVisible(!reason.isEmpty());
  tree_->setObjectName(QStringLiteral("tensors"));
  tree_->setAccessibleName(tr("Tensors"));
  tree_->setUniformRowHeights(true);
  tree_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  histogram_->setAccessibleName(tr("How often which numbers occur"));
  fill();
  tree_->setModel(model_);
  for (int column = 0; column < model_->columnCount(); ++column) tree_->resizeColumnToContents(column);
  tree_->setColumnWidth(0, std::max(tree_->columnWidth(0), fontMetrics().averageCharWidth() * 36));
  auto* right = new QWidget(this);
  auto* column = new QVBoxLayout(right);
  column->addWidget(title_);
  column->addWidget(figures_);
  column->addWidget(histogram_);
  column->addWidget(picture_, 1);
  column->addWidget(spectrum_, 0, Qt::AlignLeft);
  auto* splitter = new QSplitter(this);
  splitter->addWidget(tree_);
  splitter->addWidget(right);
  splitter->setStretchFactor(0, 2);
  splitter->setStretchFactor(1, 3);
  auto* all = new QVBoxLayout(this);
  all->addWidget(reason_);
  all->addWidget(splitter, 1);
  spectrum_->setEnabled(false);
  connect(spectrum_, &QPushButton::clicked, this, [this] { emit wanted(chosen_, true); });
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this](const QModelIndex& index) { choose(index); });
  tree_->setFocus();
}

// "encoder.layer.0.weight" stands under "encoder", "layer" and "0".
void TensorBrowser::fill() {
  model_->setHorizontalHeaderLabels({tr("Name"), tr("Shape"), tr("Type"), tr("Size")});
  std::map<QString, QStandardItem*> folders;
  const auto folder = [&](const QString& path) {
    QStandardItem* at = model_->invisibleRootItem();
    QString so_far;
    const QStringList parts = path.split('.', Qt::SkipEmptyParts);
    for (const QString& part : parts.mid(0, std::min<qsizetype>(parts.size(), 24))) {
      so_far += part + '.';
      QStandardItem*& known = folders[so_far];
      if (!known) {
        known = new QStandardItem(part);
        at->appendRow({known, new QStandardItem, new QStandardItem, new QStandardItem});
      }
      at = known;
    }
    return at;
  };
  for (std::size_t i = 0; i < file_->tensors().size(); ++i) {
    const TensorEntry& entry = file_->tensors()[i];
    const QString name = shown_text(entry.name);
    const qsizetype point = name.lastIndexOf('.');
    auto* item = new QStandardItem(point < 0 ? name : name.mid(point + 1));
    item->setData(static_cast<int>(i), kIndexRole);
    item->setToolTip(plain_tooltip(
        entry.shares_with.empty() ? name : tr("%1, the same numbers as %2").arg(name, shown_text(entry.shares_with))));
    folder(point < 0 ? QString() : name.left(point))
        ->appendRow({item, new QStandardItem(from_utf8(shape_text(entry.shape))),
                     new QStandardItem(from_utf8(entry.dtype)), new QStandardItem(from_utf8(bytes_text(entry.bytes)))});
  }
}

void TensorBrowser::choose(const QModelIndex& index) {
  const QVariant tensor = index.siblingAtColumn(0).data(kIndexRole);
  if (!tensor.isValid()) return;
  chosen_ = tensor.toInt();
  const TensorEntry& entry = file_->tensors()[static_cast<std::size_t>(chosen_)];
  title_->setText(QStringLiteral("%1  %2  %3")
                      .arg(shown_text(entry.name), from_utf8(shape_text(entry.shape)), from_utf8(entry.dtype)));
  figures_->setText(tr("Reading…"));
  spectrum_->setEnabled(false);
  emit wanted(chosen_, false);
}

QString TensorBrowser::figures() const { return figures_->text(); }

void TensorBrowser::set_numbers(const TensorNumbers& numbers) {
  if (numbers.index != chosen_) return;
  const TensorStatistics& s = numbers.statistics;
  QStringList lines{tr("%L1 numbers from %2 to %3, mean %4, deviation %5")
                        .arg(s.count)
                        .arg(number(s.least), number(s.largest), number(s.mean), number(s.deviation))};
  if (s.nan > 0 || s.infinite > 0) lines << tr("%L1 NaN, %L2 infinite").arg(s.nan).arg(s.infinite);
  const bool whole = numbers.matrix.size() == static_cast<Index>(s.count);
  if (!whole) lines << tr("The picture shows of each part the number that is farthest from 0.");
  if (!numbers.singular.empty()) {
    QStringList first;
    for (std::size_t i = 0; i < std::min<std::size_t>(12, numbers.singular.size()); ++i)
      first << number(numbers.singular[i]);
    lines << tr("Singular values: %1%2")
                 .arg(first.join(QStringLiteral("  ")),
                      numbers.singular.size() > 12 ? QStringLiteral(" …") : QString());
  }
  figures_->setText(lines.join('\n'));
  histogram_->set(s);
  const std::size_t rank = file_->tensors()[static_cast<std::size_t>(chosen_)].shape.size();
  spectrum_->setEnabled(whole && rank == 2 && s.nan + s.infinite == 0 && numbers.matrix.rows() <= kLargestSpectrum &&
                        numbers.matrix.columns() <= kLargestSpectrum);
  TensorContent content;
  content.values = numbers.matrix;
  content.rows.name = tr("row");
  content.columns.name = tr("column");
  content.title = title_->text();
  picture_->set_content(std::move(content));
}

void TensorBrowser::set_problem(const QString& problem) { figures_->setText(problem); }

}  // namespace headlight
