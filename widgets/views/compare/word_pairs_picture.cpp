#include "widgets/views/compare/word_pairs_picture.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/core/errors.h"
#include "model/io/formats/pretrained/pooling_modules.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "widgets/base/controls.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/matrix/heatmap.h"
#include "widgets/text/attention_words.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr int kPlaces = 4;                                 // of shares
constexpr double kWide = 860, kHigh = 420, kBeside = 330;  // pixels, of letters of the usual size
constexpr double kSame = 1e-4;                             // how closely pooled states are the embedding
constexpr std::size_t kTold = 3;                           // pairs in the sentence

// The last states, of which the embedding was pooled; −1: they were not recorded.
int states_of(const Result& run, const SentencePooling& pooling) {
  const int sentence = run.trace ? run.trace->find("encoder.sentence") : -1;
  if (sentence < 0) return -1;
  const Tensor& vector = (*run.trace)[sentence].value;
  for (int i = sentence - 1; i >= 0; --i) {
    const Tensor& value = (*run.trace)[i].value;
    if (value.rank() != 2 || value.rows() != static_cast<Index>(run.token_of_position.size())) continue;
    bool same = false;
    try {
      const Tensor pooled = pooling(value);
      same = pooled.size() == vector.size();
      for (Index d = 0; same && d < vector.size(); ++d) same = std::abs(pooled[d] - vector[d]) < kSame;
    } catch (const Error&) {  // of another width
    }
    if (same) return i;
  }
  return -1;
}

std::vector<AxisLabel> labels_of(const Result& run, Index parts, const Eigen::VectorXd& sums) {
  std::vector<AttentionToken> tokens;
  for (const int at : run.token_of_position) {
    AttentionToken token;
    if (at >= 0) token.text = run.tokens[static_cast<std::size_t>(at)].text;
    token.token = at;
    tokens.push_back(std::move(token));
  }
  std::vector<AxisLabel> labels = axis_labels(tokens);
  if (static_cast<Index>(labels.size()) < parts)
    labels.push_back({WordPairsPicture::tr("(bias)"), true, WordPairsPicture::tr("what no word brings")});
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i].name.isEmpty()) labels[i].name = labels[i].text;
    labels[i].text += QStringLiteral("  ") + plain_number(sums[static_cast<Index>(i)], kPlaces);
  }
  return labels;
}

// A word without its sum.
QString word_of(const std::vector<AxisLabel>& labels, Index at) {
  const QString& text = nth(labels, at).text;
  return text.left(text.lastIndexOf(QStringLiteral("  ")));
}

}  // namespace

WordPairsPicture::WordPairsPicture(QWidget* parent)
    : QWidget(parent),
      title_(plain_label(this)),
      arithmetic_(plain_label(this)),
      heatmap_(new Heatmap(this)),
      units_view_(new QTableView(this)) {
  auto* inside = column_in(this, 0);
  inside->addWidget(title_);
  inside->addLayout(parts_ = new QBoxLayout(QBoxLayout::LeftToRight), 1);
  parts_->addWidget(heatmap_, 1);
  parts_->addWidget(pair_ = new QWidget(this));
  auto* of_pair = column_in(pair_, 0);
  of_pair->addWidget(arithmetic_);
  of_pair->addWidget(units_view_, 1);
  for (QLabel* label : {title_, arithmetic_}) {
    label->setContentsMargins(space::kMargin, space::kTight, space::kMargin, space::kTight);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  }
  arithmetic_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  units_view_->setModel(&units_);
  units_view_->setFrameShape(QFrame::NoFrame);
  units_view_->setSelectionBehavior(QAbstractItemView::SelectRows);
  units_view_->setTabKeyNavigation(false);
  units_view_->verticalHeader()->hide();
  units_view_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  heatmap_->set_range(Heatmap::Range::symmetric);
  for (const auto chosen : {&Heatmap::cellActivated, &Heatmap::cursorMoved})
    connect(heatmap_, chosen, this, [this](int row, int column) {
      if (row >= 0 && column >= 0) choose(row, column);
    });
  theme().restyles(this, [this] { fit(); });
  fit();
  retranslate();
}

// The arithmetic stands beside the picture, or below it where there is room for both; the picture goes first.
void WordPairsPicture::fit() {
  const double scale = theme().font_scale();
  const bool beside = width() >= kWide * scale;
  const int line = QFontMetrics(theme().ui_font()).height() + space::kTight;
  parts_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  units_view_->verticalHeader()->setDefaultSectionSize(line);
  pair_->setVisible(beside || height() >= kHigh * scale);
  pair_->setMinimumWidth(beside ? static_cast<int>(kBeside * scale) : 0);
  pair_->setMaximumWidth(beside ? static_cast<int>(kBeside * scale) : QWIDGETSIZE_MAX);
  pair_->setMaximumHeight(beside ? QWIDGETSIZE_MAX : height() / 3);
}

void WordPairsPicture::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

const SentencePooling* WordPairsPicture::pooling_of(const Result& run) {
  if (!run.model || run.model->stored) return nullptr;
  const std::string folder = run.model->folder.string();
  auto found = poolings_.find(folder);
  if (found == poolings_.end()) {
    std::optional<SentencePooling> read;
    try {
      read = PoolingModules::of_folder(snapshot_of(folder));
    } catch (const Error&) {  // the model runs without: then there is no embedding
    }
    found = poolings_.emplace(folder, std::move(read)).first;
  }
  return found->second ? &*found->second : nullptr;
}

std::optional<WordsCompared> WordPairsPicture::words_of(const Result& a, const Result& b) {
  const auto embeds = [](const Result& run) {
    return std::ranges::any_of(run.vectors, [](const TextVector& v) { return v.kind == TextVector::Kind::sentence; });
  };
  if (!embeds(a) || !embeds(b)) return {};
  const SentencePooling *first = pooling_of(a), *second = pooling_of(b);
  if (!first || !second) return {};
  const int x = states_of(a, *first), y = states_of(b, *second);
  if (x < 0 || y < 0) return {};
  WordsCompared made;
  made.first = embedding_parts(*first, (*a.trace)[x].value);
  made.second = embedding_parts(*second, (*b.trace)[y].value);
  if (made.first.cols() != made.second.cols()) return {};
  made.pairs = word_pairs(made.first, made.second, has_own_part(*first) || has_own_part(*second));
  made.one_vector = is_one_vector(*first);
  made.formula = first->formula();
  made.rows = labels_of(a, made.pairs.shares.rows(), made.pairs.shares.rowwise().sum());
  made.columns = labels_of(b, made.pairs.shares.cols(), made.pairs.shares.colwise().sum().transpose());
  return made;
}

bool WordPairsPicture::set_runs(const Result& a, const Result& b) {
  compared_ = words_of(a, b);
  if (!compared_) {
    heatmap_->clear();
    return false;
  }
  const DoubleMatrix& shares = compared_->pairs.shares;
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(shares.size()));
  for (Index row = 0; row < shares.rows(); ++row)
    for (Index column = 0; column < shares.cols(); ++column) values.push_back(static_cast<float>(shares(row, column)));
  heatmap_->set_matrix(static_cast<int>(shares.rows()), static_cast<int>(shares.cols()), std::move(values), b.id);
  heatmap_->set_labels(compared_->rows, compared_->columns);
  if (row_ < 0 || row_ >= shares.rows() || column_ >= shares.cols()) {
    Index row = 0, column = 0;
    shares.cwiseAbs().maxCoeff(&row, &column);
    row_ = static_cast<int>(row);
    column_ = static_cast<int>(column);
  }
  heatmap_->set_selected_cell(row_, column_);
  retranslate();
  return true;
}

void WordPairsPicture::choose(int row, int column) {
  if (!compared_ || row >= compared_->pairs.shares.rows() || column >= compared_->pairs.shares.cols()) return;
  row_ = row;
  column_ = column;
  heatmap_->set_selected_cell(row, column);
  show_pair();
}

QString WordPairsPicture::summary() const {
  if (!compared_) return {};
  const DoubleMatrix& shares = compared_->pairs.shares;
  if (compared_->one_vector)
    return tr("One token makes the vector of each text: no other word is in it by itself. Cosine %1.")
        .arg(plain_number(compared_->pairs.cosine, kPlaces));
  std::vector<std::pair<Index, Index>> cells;
  for (Index row = 0; row < shares.rows(); ++row)
    for (Index column = 0; column < shares.cols(); ++column) cells.emplace_back(row, column);
  const std::size_t told = std::min(kTold, cells.size());
  std::partial_sort(
      cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(told), cells.end(),
      [&](const auto& a, const auto& b) { return shares(a.first, a.second) > shares(b.first, b.second); });
  QStringList most;
  for (std::size_t i = 0; i < told; ++i)
    most << tr("%1 and %2 %3")
                .arg(in_quotes(word_of(compared_->rows, cells[i].first)),
                     in_quotes(word_of(compared_->columns, cells[i].second)),
                     plain_number(shares(cells[i].first, cells[i].second), kPlaces));
  return tr("All pairs add up to the cosine, %1. Most: %2.")
      .arg(plain_number(compared_->pairs.sum, kPlaces), most.join(tr(", ")));
}

QString WordPairsPicture::arithmetic() const {
  if (!compared_ || row_ < 0) return {};
  const double dot = compared_->first.row(row_).dot(compared_->second.row(column_));
  return tr("%1 and %2: %3 products of units add up to %4; divided by the lengths of both vectors, %5 × %6, that is "
            "%7. "
            "A vector is %8; what a word brings to it is its own term.")
      .arg(in_quotes(word_of(compared_->rows, row_)), in_quotes(word_of(compared_->columns, column_)))
      .arg(compared_->first.cols())
      .arg(short_number(dot), short_number(compared_->pairs.first.norm()), short_number(compared_->pairs.second.norm()),
           short_number(compared_->pairs.shares(row_, column_)), QString::fromStdString(compared_->formula));
}

void WordPairsPicture::show_pair() {
  if (!compared_ || row_ < 0) return units_.clear();
  arithmetic_->setText(arithmetic());
  const Eigen::RowVectorXd products =
      compared_->first.row(row_).cwiseProduct(compared_->second.row(column_)) / compared_->scale();
  order_.resize(static_cast<std::size_t>(products.size()));
  std::iota(order_.begin(), order_.end(), Index(0));
  std::ranges::stable_sort(order_, [&](Index a, Index b) { return std::abs(products[a]) > std::abs(products[b]); });
  const auto unit = [this](int row) { return order_[static_cast<std::size_t>(row)]; };
  units_.set(
      static_cast<int>(order_.size()),
      {ColumnTable::counting(tr("unit"), [unit](int row) { return static_cast<int>(unit(row)); }),
       {word_of(compared_->rows, row_), [this, unit](int row) { return QVariant(compared_->first(row_, unit(row))); }},
       {word_of(compared_->columns, column_),
        [this, unit](int row) { return QVariant(compared_->second(column_, unit(row))); }},
       {tr("part"), [products, unit](int row) { return QVariant(products[unit(row)]); }}});
}

void WordPairsPicture::fill(ColumnTable* table) const {
  const auto columns = static_cast<int>(compared_->pairs.shares.cols());
  table->set(static_cast<int>(compared_->pairs.shares.size()),
             {{tr("word of A"), [=, this](int cell) { return QVariant(word_of(compared_->rows, cell / columns)); }},
              {tr("word of B"), [=, this](int cell) { return QVariant(word_of(compared_->columns, cell % columns)); }},
              {tr("part of the cosine"),
               [=, this](int cell) { return QVariant(compared_->pairs.shares(cell / columns, cell % columns)); }}});
}

Figure WordPairsPicture::figure() const {
  Figure figure = heatmap_->figure();
  figure.title = summary();
  return figure;
}

void WordPairsPicture::retranslate() {
  title_->setText(tr("Every pair of words has a part in the similarity; the parts add up to it."));
  heatmap_->set_captions(tr("words of A"), tr("words of B"), tr("part of the cosine"));
  heatmap_->setToolTip(tr("Click a square for its arithmetic."));
  units_view_->setAccessibleName(tr("The arithmetic of the chosen pair, unit by unit"));
  show_pair();
}

}  // namespace headlight
