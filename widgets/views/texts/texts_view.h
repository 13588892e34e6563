// Many texts in one list: of a file, pasted, or stored with their attention. Search, sort, a number for each text, and
// one of them into the field of the text.
//
// The number is what a head looks at in that text (analysis.md 11), of all heads at once where *Run all* was pressed; or
// one that a person asked for with *Over my texts*.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/analysis/bench/listed_number.h"
#include "model/analysis/bench/listed_patterns.h"
#include "widgets/canvas/view_panel.h"
#include "widgets/views/texts/texts_model.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace headlight {

class TextsHistogram;

class TextsView : public ViewPanel {
  Q_OBJECT
 public:
  explicit TextsView(const ViewContext& context, QWidget* parent = nullptr);

  // A list of texts, under the name of its file; the list before it goes.
  void set_texts(const QString& name, std::vector<ListedText> texts);
  // As many as are stored with the attention that is open. Whether it is another list.
  bool set_stored(const QString& name, int count);
  void paste();  // the lines of the clipboard
  // What runWanted() asked for.
  void add_part(const ListedPart& part);
  void set_finished(double seconds);
  void set_failed(const QString& problem);
  // The chosen head of all views.
  void set_head(AttentionMap::Kind kind, Index layer, Index head);
  // The model is another one: its numbers are not those of the list any more.
  void forget_numbers();

  const TextsModel& list() const { return *model_; }
  QTableView* rows() const { return rows_; }
  QLineEdit* search() const { return search_; }
  QPushButton* run_button() const { return run_; }
  TextsHistogram* histogram() const { return histogram_; }
  QLabel* groups() const { return groups_; }
  bool is_running() const { return running_; }
  // Measures this number of every text; nothing: what heads look at.
  void ask(const std::optional<ListedNumber>& number);
  // "unlike the others", one of kPatternNames, or the number that was asked for.
  void set_measure(int measure);

 signals:
  void headChosen(headlight::Index layer, headlight::Index head);
  void openWanted();
  // There are other texts; of what was stored none that a model could read.
  void listChanged(const QString& name, const std::shared_ptr<const std::vector<headlight::ListedText>>& texts);
  void runWanted(const std::shared_ptr<const std::vector<headlight::ListedText>>& texts,
                 const std::optional<headlight::ListedNumber>& number);
  void stopWanted();
  // Into the field: of what was stored its number.
  void textWanted(const QString& text, const QString& second);

 protected:
  void refresh() override;
  void retranslate() override;
  Figure picture() override;
  QVariantMap own_choices() const override;
  void set_own_choices(const QVariantMap& choices) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* make_content();
  void connect_parts();
  void toggle_run();
  void clear_numbers();
  void show_heads();
  void show_numbers();
  void show_state();
  void show_table();
  std::string about() const;  // of its numbers
  void open_row(const QModelIndex& index);
  std::vector<double> numbers() const;
  QString measure_name(int measure) const;
  bool shows_asked() const { return asked_ && measure_ == asked_measure(); }
  static int asked_measure();
  void list_measures();
  bool has_numbers() const;
  QString head_name_shown() const;
  QString groups(const std::vector<double>& all) const;  // labels, the largest mean first

  TextsModel* model_;
  QString name_, problem_;
  bool stored_ = false, running_ = false;
  int done_ = 0, left_out_ = 0, measure_ = 0;
  double seconds_ = 0;
  Index layer_ = -1, head_ = 0;
  std::optional<ListedNumber> asked_;
  std::vector<double> asked_numbers_;  // of the texts; NaN: none
  PatternsOverTexts patterns_;
  std::vector<int> measured_;  // text of each of the patterns
  ColumnTable table_;

  QLineEdit* search_;
  QPushButton *open_, *run_;
  QComboBox *measures_, *heads_, *orders_;
  TextsHistogram* histogram_;
  QTableView* rows_;
  QLabel *title_, *groups_, *state_, *none_;
};

}  // namespace headlight
