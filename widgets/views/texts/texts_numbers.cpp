// The numbers beside the texts: what they are called, what each label has of them, and the table of all of them.
#include <QComboBox>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "model/core/json_library.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"
#include "widgets/views/texts/texts_histogram.h"
#include "widgets/views/texts/texts_view.h"

namespace headlight {

namespace {

constexpr int kMeasures = 1 + static_cast<int>(kPatternCount);  // unlike the others, then the shares
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// In the order of kPatternNames, behind what compares all of them.
constexpr const char* kMeasureWords[kMeasures] = {
    QT_TRANSLATE_NOOP("headlight::TextsView", "unlike the other texts"),
    QT_TRANSLATE_NOOP("headlight::TextsView", "share on the previous token"),
    QT_TRANSLATE_NOOP("headlight::TextsView", "share on the token itself"),
    QT_TRANSLATE_NOOP("headlight::TextsView", "share on the next token"),
    QT_TRANSLATE_NOOP("headlight::TextsView", "share on the first token"),
    QT_TRANSLATE_NOOP("headlight::TextsView", "share on separators"),
    QT_TRANSLATE_NOOP("headlight::TextsView", "share on the same word elsewhere"),
    QT_TRANSLATE_NOOP("headlight::TextsView", "share of the token that receives most"),
    QT_TRANSLATE_NOOP("headlight::TextsView", "entropy, of the largest possible"),
    QT_TRANSLATE_NOOP("headlight::TextsView", "distance, of the longest possible")};

}  // namespace

int TextsView::asked_measure() { return kMeasures; }

bool TextsView::has_numbers() const { return shows_asked() ? !asked_numbers_.empty() : patterns_.heads() > 0; }

std::vector<double> TextsView::numbers() const {
  if (shows_asked() && has_numbers()) return asked_numbers_;
  std::vector<double> all(model_->texts().size(), kNoNumber);
  if (shows_asked() || patterns_.heads() == 0 || layer_ < 0) return all;
  std::vector<double> unlike;
  if (measure_ == 0) unlike = patterns_.unlike(layer_, head_);
  for (std::size_t i = 0; i < measured_.size(); ++i) {
    const auto text = static_cast<std::size_t>(measured_[i]);
    if (measure_ == 0)
      all[text] = unlike[i] < 0 ? kNoNumber : unlike[i];
    else
      all[text] = patterns_.shares(static_cast<Index>(i), layer_, head_)[static_cast<std::size_t>(measure_ - 1)];
  }
  return all;
}

QString TextsView::measure_name(int measure) const {
  if (measure < kMeasures) return tr(kMeasureWords[measure]);
  if (asked_->site.empty()) return tr("log p of the output, mean of its tokens");
  const QString name = from_utf8(asked_->text());
  const bool is_largest = std::ranges::find(asked_->place, Index{-1}) != asked_->place.end();
  return is_largest ? tr("%1, largest of the tokens").arg(name) : name;
}

void TextsView::list_measures() {
  measures_->clear();
  for (int measure = 0; measure < kMeasures + (asked_ ? 1 : 0); ++measure) measures_->addItem(measure_name(measure));
  measures_->setCurrentIndex(measure_);
}

// "denial 0.17 ± 0.08 (12)": what each label has of the number.
QString TextsView::groups(const std::vector<double>& all) const {
  constexpr std::size_t kMost = 12;
  std::map<std::string, std::vector<double>> by_label;
  for (std::size_t i = 0; i < all.size() && model_->has_labels(); ++i)
    if (!std::isnan(all[i])) by_label[model_->texts()[i].label].push_back(all[i]);
  if (by_label.size() < 2 || by_label.size() > kMost) return {};
  std::vector<std::pair<double, QString>> said;
  for (const auto& [label, numbers] : by_label) {
    const TextsSpread spread = TextsSpread::of(numbers);
    said.emplace_back(spread.mean, QStringLiteral("%1 %2 ± %3 (%4)")
                                       .arg(label.empty() ? tr("no label") : shown_text(label),
                                            plain_number(spread.mean, 3), plain_number(spread.sd, 3))
                                       .arg(numbers.size()));
  }
  std::ranges::stable_sort(said, std::greater(), &std::pair<double, QString>::first);
  QStringList lines;
  for (const auto& [mean, words] : said) lines << words;
  return lines.join(QStringLiteral(" · "));
}

// For Ctrl+T and files: every number of the chosen head.
void TextsView::show_table() {
  const auto text = [this](std::string ListedText::*of) {
    return [this, of](int row) { return QVariant(from_utf8(model_->texts()[static_cast<std::size_t>(row)].*of)); };
  };
  std::vector<ColumnTable::Column> columns = {ColumnTable::counting(tr("No."), [](int row) { return row; }),
                                              {tr("Text"), text(&ListedText::text)},
                                              {tr("Second text"), text(&ListedText::second)},
                                              {tr("Label"), text(&ListedText::label)}};
  if (patterns_.heads() > 0 && layer_ >= 0) {
    auto unlike = std::make_shared<std::vector<double>>(model_->texts().size(), kNoNumber);
    auto places = std::make_shared<std::vector<int>>(model_->texts().size(), -1);
    const std::vector<double> found = patterns_.unlike(layer_, head_);
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      (*unlike)[static_cast<std::size_t>(measured_[i])] = found[i];
      (*places)[static_cast<std::size_t>(measured_[i])] = static_cast<int>(i);
    }
    for (int measure = 0; measure < kMeasures; ++measure)
      columns.push_back({measure_name(measure), [this, measure, unlike, places](int row) {
                           const int at = (*places)[static_cast<std::size_t>(row)];
                           if (at < 0 || at >= patterns_.texts()) return QVariant();
                           const double number =
                               measure == 0
                                   ? (*unlike)[static_cast<std::size_t>(row)]
                                   : patterns_.shares(at, layer_, head_)[static_cast<std::size_t>(measure - 1)];
                           return std::isnan(number) || number < 0 ? QVariant() : QVariant(number);
                         }});
  }
  if (!asked_numbers_.empty())
    columns.push_back({measure_name(asked_measure()), [this](int row) {
                         const bool known =
                             row < static_cast<int>(asked_numbers_.size()) && !std::isnan(nth(asked_numbers_, row));
                         return known ? QVariant(nth(asked_numbers_, row)) : QVariant();
                       }});
  table_.set(static_cast<int>(model_->texts().size()), std::move(columns));
}

std::string TextsView::about() const {
  if (!has_numbers() || (!shows_asked() && layer_ < 0)) return {};
  Json json{{"texts_of", name_.toStdString()}, {"texts_in_all", model_->texts().size()}, {"texts_done", done_}};
  if (shows_asked())
    json.update({{"method", "number"}, {"number", asked_->text()}});
  else
    json.update({{"method", "patterns"},
                 {"head", {{"layer", layer_ + first_number()}, {"head", head_ + first_number()}}},
                 {"counted_from", first_number()}});
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace headlight
