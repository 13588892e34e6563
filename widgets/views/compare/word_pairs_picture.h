// Which words made two texts similar: the cosine of their embeddings as a matrix of pairs of words that adds up to it
// (model/analysis/bench/word_pairs.h), and below it the arithmetic of one pair, unit by unit.
//
// A click or Enter on a square shows how it came about.
#pragma once

#include <QWidget>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/analysis/bench/word_pairs.h"
#include "model/decode/run.h"
#include "widgets/canvas/figure.h"
#include "widgets/tables/table.h"
#include "widgets/text/axis_label.h"

class QBoxLayout;
class QLabel;
class QTableView;

namespace headlight {

class Heatmap;

// Two embeddings as what their words brought.
struct WordsCompared {
  DoubleMatrix first, second;  // what each word brings [words + 1 x units]
  WordPairs pairs;
  std::vector<AxisLabel> rows, columns;
  bool one_vector = false;  // of a single token: no other word is in it by itself
  std::string formula;      // of the pooling
  double scale() const { return pairs.first.norm() * pairs.second.norm(); }
};

class WordPairsPicture : public QWidget {
  Q_OBJECT
 public:
  explicit WordPairsPicture(QWidget* parent = nullptr);

  // Whether both are embeddings of one model, and what their words brought is known.
  bool set_runs(const Result& a, const Result& b);
  const std::optional<WordsCompared>& compared() const { return compared_; }
  QString summary() const;  // the pairs that brought most, and the sum
  void choose(int row, int column);
  QString arithmetic() const;  // of the chosen pair
  void fill(ColumnTable* table) const;
  Heatmap* heatmap() const { return heatmap_; }
  QTableView* units() const { return units_view_; }
  Figure figure() const;
  void retranslate();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();
  std::optional<WordsCompared> words_of(const Result& a, const Result& b);
  const SentencePooling* pooling_of(const Result& run);
  void show_pair();

  std::map<std::string, std::optional<SentencePooling>> poolings_;  // by folder
  std::optional<WordsCompared> compared_;
  int row_ = -1, column_ = -1;
  std::vector<Index> order_;  // units, those that brought most first
  ColumnTable units_;
  QLabel *title_, *arithmetic_;
  QBoxLayout* parts_ = nullptr;  // the picture, and the pair
  QWidget* pair_ = nullptr;
  Heatmap* heatmap_;
  QTableView* units_view_;
};

}  // namespace headlight
