#include "widgets/views/texts/texts_model.h"

#include <QFont>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr int kLongestShown = 400;  // letters of a text in its row; all of it is read by Enter

std::string searched_form(const ListedText& text) {
  return from_utf8(text.text + '\n' + text.second + '\n' + text.label).toCaseFolded().toStdString();
}

}  // namespace

void TextsModel::set_texts(std::vector<ListedText> texts) {
  beginResetModel();
  texts_ = std::move(texts);
  searched_.clear();
  for (const ListedText& text : texts_) searched_.push_back(searched_form(text));
  labels_ = std::ranges::any_of(texts_, [](const ListedText& text) { return !text.label.empty(); });
  values_.clear();
  between_.reset();
  order_ = Order::as_listed;
  current_ = -1;
  show();
  endResetModel();
}

void TextsModel::set_text(int text, std::string words) {
  const auto at = static_cast<std::size_t>(text);
  texts_[at].text = std::move(words);
  searched_[at] = searched_form(texts_[at]);
}

void TextsModel::set_values(const QString& name, std::vector<double> values) {
  beginResetModel();
  name_ = name;
  values_ = std::move(values);
  show();
  endResetModel();
}

double TextsModel::value(int text) const {
  const auto at = static_cast<std::size_t>(text);
  return at < values_.size() ? values_[at] : std::numeric_limits<double>::quiet_NaN();
}

void TextsModel::set_order(Order order) {
  if (order == order_) return;
  beginResetModel();
  order_ = order;
  show();
  endResetModel();
}

void TextsModel::set_search(const QString& words) {
  std::vector<std::string> wanted;
  for (const QString& word : words.toCaseFolded().split(u' ', Qt::SkipEmptyParts)) wanted.push_back(word.toStdString());
  if (wanted == words_) return;
  beginResetModel();
  words_ = std::move(wanted);
  show();
  endResetModel();
}

void TextsModel::set_between(std::optional<std::pair<double, double>> between) {
  if (between == between_) return;
  beginResetModel();
  between_ = between;
  show();
  endResetModel();
}

int TextsModel::row_of(int text) const {
  const auto found = std::ranges::find(shown_, text);
  return found == shown_.end() ? -1 : static_cast<int>(found - shown_.begin());
}

void TextsModel::set_current(int text) {
  const int before = row_of(current_);
  current_ = text;
  for (const int row : {before, row_of(current_)})
    if (row >= 0) emit dataChanged(index(row, 0), index(row, kValue));
}

bool TextsModel::comes_before(int a, int b) const {
  const auto& first = texts_[static_cast<std::size_t>(a)];
  const auto& second = texts_[static_cast<std::size_t>(b)];
  if (order_ == Order::by_text) return first.text < second.text;
  if (order_ == Order::by_label) return first.label < second.label;
  const double x = value(a), y = value(b);
  if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);  // none comes last
  return order_ == Order::lowest ? x < y : x > y;
}

void TextsModel::show() {
  shown_.clear();
  for (int text = 0; text < static_cast<int>(texts_.size()); ++text) {
    const std::string& searched = searched_[static_cast<std::size_t>(text)];
    const bool found =
        std::ranges::all_of(words_, [&](const std::string& word) { return searched.find(word) != searched.npos; });
    const double number = value(text);
    if (found && (!between_ || (number >= between_->first && number <= between_->second))) shown_.push_back(text);
  }
  if (order_ != Order::as_listed) std::ranges::stable_sort(shown_, [this](int a, int b) { return comes_before(a, b); });
  if (order_ == Order::tenths) thin_out();
}

// Of each tenth those in its middle: what is usual, not the ends alone.
void TextsModel::thin_out() {
  constexpr std::size_t kTenths = 10;
  std::erase_if(shown_, [this](int text) { return std::isnan(value(text)); });
  std::vector<int> kept;
  for (std::size_t tenth = 0; tenth < kTenths; ++tenth) {
    const std::size_t first = tenth * shown_.size() / kTenths, end = (tenth + 1) * shown_.size() / kTenths;
    const std::size_t count = std::min<std::size_t>(kOfTenth, end - first), from = first + (end - first - count) / 2;
    for (std::size_t i = from; i < from + count; ++i) kept.push_back(shown_[i]);
  }
  shown_ = std::move(kept);
}

int TextsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant TextsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const int at = text_of(index.row());
  const ListedText& text = texts_[static_cast<std::size_t>(at)];
  if (role == Qt::ForegroundRole && at == current_) return theme().accent();
  if (role == Qt::FontRole && at == current_) {
    QFont bold = theme().ui_font();
    bold.setWeight(QFont::DemiBold);
    return bold;
  }
  if (role == Qt::TextAlignmentRole && (index.column() == kNumber || index.column() == kValue))
    return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  const bool whole = role == Qt::ToolTipRole || role == Qt::AccessibleTextRole;
  if (role != Qt::DisplayRole && !(whole && index.column() == kText)) return {};
  switch (index.column()) {
    case kNumber:
      return counted(at);
    case kText: {
      const std::string all = text.second.empty() ? text.text : text.text + " · " + text.second;
      QString shown = shown_text(all);
      if (!whole && shown.size() > kLongestShown) shown = shown.left(kLongestShown) + QChar(0x2026);
      return shown;
    }
    case kLabel:
      return shown_text(text.label);
    default:
      return std::isnan(value(at)) ? QVariant() : QVariant(plain_number(value(at), 3));
  }
}

QVariant TextsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((section == kNumber || section == kValue ? Qt::AlignRight : Qt::AlignLeft) |
                            Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == kValue) return name_;
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case kNumber:
      return tr("No.");
    case kText:
      return tr("Text");
    case kLabel:
      return tr("Label");
    default:
      return tr("Value");
  }
}

void TextsModel::sort(int column, Qt::SortOrder order) {
  switch (column) {
    case kText:
      return set_order(Order::by_text);
    case kLabel:
      return set_order(Order::by_label);
    case kValue:
      return set_order(order == Qt::AscendingOrder ? Order::lowest : Order::highest);
    default:
      return set_order(Order::as_listed);
  }
}

}  // namespace headlight
