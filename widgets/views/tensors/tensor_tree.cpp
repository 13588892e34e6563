#include "widgets/views/tensors/tensor_tree.h"

#include <QLocale>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr qsizetype kDeepest = 24;  // folders: names come from strangers
constexpr int kCountRole = Qt::UserRole + 3, kTensorsRole = Qt::UserRole + 4, kChangeRole = Qt::UserRole + 5;

bool is_number(const QString& part) {
  return !part.isEmpty() && std::ranges::all_of(part, [](QChar c) { return c.isDigit(); });
}

std::uint64_t count_of(const std::vector<std::uint64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t each : shape) count *= each;  // as many bytes lie in the file: it cannot overflow
  return count;
}

QString count_text(std::uint64_t count) { return QLocale().toString(static_cast<qulonglong>(count)); }

QStandardItem* right(const QString& text) {
  auto* item = new QStandardItem(text);
  item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  return item;
}

}  // namespace

QString shape_words(const std::vector<std::uint64_t>& shape) {
  QStringList sides;
  for (const std::uint64_t side : shape) sides << QString::number(side);
  return sides.isEmpty() ? TensorTree::tr("a number") : sides.join(QStringLiteral(" × "));
}

QString tensors_text(int count) {
  return count == 1 ? TensorTree::tr("1 tensor") : TensorTree::tr("%1 tensors").arg(QLocale().toString(count));
}

QString difference_words(const TensorDifference& difference) {
  using State = TensorDifference::State;
  switch (difference.state) {
    case State::equal:
      return TensorTree::tr("the same");
    case State::different:
      return std::isfinite(difference.relative) ? TensorTree::tr("%1 %").arg(short_number(100 * difference.relative, 3))
                                                : TensorTree::tr("changed");
    case State::other_shape:
      return TensorTree::tr("other shape");
    case State::only_first:
      return TensorTree::tr("only here");
    case State::only_second:
      return TensorTree::tr("only there");
    case State::no_numbers:
      return TensorTree::tr("no numbers");
  }
  return {};
}

TensorPlace tensor_place(const QString& name) {
  const QStringList parts = name.split(QLatin1Char('.'), Qt::SkipEmptyParts);
  qsizetype last = -1;  // number
  for (qsizetype i = 0; i < parts.size(); ++i)
    if (is_number(parts[i])) last = i;
  // The last part is the tensor's own, whatever it is.
  const qsizetype folders = std::min(last < 0 ? 1 : last + 1, parts.size() - 1);
  TensorPlace place;
  for (qsizetype i = 0; i < folders; ++i) {
    if (is_number(parts[i]) && i > 0 && !is_number(parts[i - 1]))
      place.folders.last() += QLatin1Char(' ') + parts[i];
    else if (place.folders.size() < kDeepest)
      place.folders << parts[i];
  }
  place.leaf = folders < 0 ? name : parts.mid(folders).join(QLatin1Char('.'));
  return place;
}

void TensorTree::retranslate() { setHorizontalHeaderLabels({tr("Name"), tr("Shape"), tr("Numbers")}); }

TensorTree::TensorTree(const TensorFile& file, QObject* parent) : QStandardItemModel(parent) {
  retranslate();
  for (std::size_t i = 0; i < file.tensors().size(); ++i) {
    const TensorEntry& entry = file.tensors()[i];
    const QString name = shown_text(entry.name);
    add(name, entry.shape, from_utf8(file.stored(i).type), static_cast<int>(i));
    items_.back()->setToolTip(plain_tooltip(
        entry.shares_with.empty() ? name : tr("%1, the same numbers as %2").arg(name, shown_text(entry.shares_with))));
    numbers_ += count_of(entry.shape);
  }
  add_up(invisibleRootItem());
}

void TensorTree::add(const QString& name, const std::vector<std::uint64_t>& shape, const QString& what, int tensor) {
  const TensorPlace place = tensor_place(name);
  auto* item = new QStandardItem(place.leaf);
  auto* numbers = right(count_text(count_of(shape)));
  item->setData(static_cast<qulonglong>(count_of(shape)), kCountRole);
  item->setData(QString(name + QLatin1Char(' ') + shape_words(shape) + QLatin1Char(' ') + what), kTextRole);
  if (tensor >= 0) {
    item->setData(tensor, kIndexRole);
    items_.push_back(item);
  }
  folder(place.folders)->appendRow({item, right(shape_words(shape)), numbers});
}

QStandardItem* TensorTree::folder(const QStringList& path) {
  QStandardItem* at = invisibleRootItem();
  QString so_far;
  for (const QString& name : path) {
    so_far += name + QLatin1Char('\n');  // which no name has: they are shown in one line
    QStandardItem*& known = folders_[so_far];
    if (!known) {
      known = new QStandardItem(name);
      at->appendRow({known, right({}), right({})});
    }
    at = known;
  }
  return at;
}

// How many tensors and numbers a folder holds, and the largest change among them.
void TensorTree::add_up(QStandardItem* folder) {
  qulonglong count = 0;
  int tensors = 0;
  double change = -1;
  for (int row = 0; row < folder->rowCount(); ++row) {
    QStandardItem* item = folder->child(row);
    if (item->hasChildren()) add_up(item);
    count += item->data(kCountRole).toULongLong();
    tensors += item->hasChildren() ? item->data(kTensorsRole).toInt() : 1;
    if (const QVariant own = item->data(kChangeRole); own.isValid()) change = std::max(change, own.toDouble());
  }
  folder->setData(count, kCountRole);
  folder->setData(tensors, kTensorsRole);
  folder->setData(change >= 0 ? QVariant(change) : QVariant(), kChangeRole);  // none of an earlier comparison
  if (folder == invisibleRootItem()) return;
  QStandardItem* around = folder->parent() ? folder->parent() : invisibleRootItem();
  around->child(folder->row(), kShape)->setText(tensors_text(tensors));
  around->child(folder->row(), kNumbers)->setText(count_text(count));
  if (columnCount() <= kChange) return;
  const QString most = change < 0    ? QString()
                       : change == 0 ? tr("the same")
                                     : tr("up to %1 %").arg(short_number(100 * change, 3));
  around->setChild(folder->row(), kChange, right(std::isfinite(change) ? most : tr("changed")));
}

QModelIndex TensorTree::index_of(int tensor) const {
  return tensor >= 0 && static_cast<std::size_t>(tensor) < items_.size() ? nth(items_, tensor)->index() : QModelIndex();
}

QStandardItemModel* TensorTree::by_change(const std::vector<TensorDifference>& differences, QObject* parent) const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < std::min(differences.size(), items_.size()); ++i)
    if (differences[i].state == TensorDifference::State::different) order.push_back(i);
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) {
    return std::isnan(differences[i].relative) ? std::numeric_limits<double>::infinity() : differences[i].relative;
  });
  auto* list = new QStandardItemModel(parent);
  list->setHorizontalHeaderLabels({tr("Name"), tr("Shape"), tr("Numbers"), tr("Change")});
  for (const std::size_t i : order) {
    auto* item = new QStandardItem(shown_text(differences[i].name));
    for (const int role : {static_cast<int>(kIndexRole), static_cast<int>(kTextRole)})
      item->setData(items_[i]->data(role), role);
    item->setToolTip(items_[i]->toolTip());
    list->appendRow({item, right(shape_words(differences[i].shape)), right(count_text(count_of(differences[i].shape))),
                     right(difference_words(differences[i]))});
  }
  return list;
}

void TensorTree::set_differences(const std::vector<TensorDifference>& differences, const QString& other) {
  const QStringList only_other{tr("only in %1").arg(other)};
  if (other_) {
    removeRow(other_->row());
    folders_.remove(folders_.key(other_));
  }
  other_ = nullptr;
  setColumnCount(kChange + 1);
  setHorizontalHeaderItem(kChange, new QStandardItem(tr("Change")));
  using State = TensorDifference::State;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const TensorDifference& each = differences[i];
    if (each.state == State::only_second) {
      other_ = folder(only_other);
      auto* item = new QStandardItem(shown_text(each.name));
      const std::uint64_t count = count_of(each.shape);
      item->setData(static_cast<qulonglong>(count), kCountRole);
      item->setData(shown_text(each.name), kTextRole);
      other_->appendRow(
          {item, right(shape_words(each.shape)), right(count_text(count)), right(difference_words(each))});
      continue;
    }
    if (i >= items_.size()) continue;  // the first ones are those of this file, in its order
    QStandardItem* item = items_[i];
    item->setData(each.state == State::equal ? QVariant(0.0)
                  : each.state == State::different
                      ? QVariant(std::isnan(each.relative) ? std::numeric_limits<double>::infinity() : each.relative)
                      : QVariant(),
                  kChangeRole);
    QStandardItem* around = item->parent() ? item->parent() : invisibleRootItem();
    around->setChild(item->row(), kChange, right(difference_words(each)));
  }
  add_up(invisibleRootItem());
}

}  // namespace headlight
