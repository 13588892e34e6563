// The line on top: which model, which text, and what comes out. The output can be written by the person instead: a
// field for that opens below it.
#pragma once

#include <QTimer>
#include <QWidget>
#include <functional>
#include <optional>
#include <utility>

#include "app/text/changed_output.h"
#include "model/io/model_folder.h"
#include "model/models/description.h"

class QAction;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;
class QVBoxLayout;

namespace headlight {

class ModelButton;
class ModelPicker;
class OutputLine;
class ChatRows;
class PairRow;
class SourceField;
struct Result;

class SourceBar : public QWidget {
  Q_OBJECT
 public:
  explicit SourceBar(QWidget* parent = nullptr);

  void set_model(const ModelBundle& bundle);
  // What can be chosen instead; asked for when the list of models is opened for the first time.
  void set_models(std::function<std::vector<ModelDescription>()> models) { models_of_ = std::move(models); }
  void set_reads(std::function<QString()> reads) { reads_ = std::move(reads); }  // which text the model reads
  // Those, as far as they are known; who wants them all asks, and modelsKnown() follows where they were not.
  const std::vector<ModelDescription>& models() const { return models_; }
  void want_models();
  void take_models(const std::vector<ModelDescription>& models);
  void set_changes(int changes);  // of the person's in this run
  // Values of the document; a field that already says so keeps its cursor.
  void set_texts(const QString& source, const std::optional<QString>& target);
  // Whether the forced output is only the beginning.
  void set_prefix(bool prefix, bool possible);
  // What is wrong with the output that the person wrote; empty: nothing. Shown in place of the field's title.
  void set_target_problem(const QString& problem);
  // Of the forced output as a whole; nullopt: nothing is forced.
  void set_target_probability(std::optional<double> probability);
  QString target_title() const;  // whole, also where there is room for a part of it only
  void set_next_example_action(QAction* action);
  // What the model wrote.
  void set_output(const QString& output);
  void set_closed_output(const QString& closed);  // a lesson asks for it: what is told instead; null: itself
  // What it wrote without the changes of the person; equal to the output or empty: nothing is said of it.
  void set_unchanged_output(const QString& output, bool characters);
  // Marks what the model left out of the text of this run, and what it read as unknown.
  void show_unread(const Result& result);
  const std::vector<OutputPart>& output_parts() const;  // what was struck out and what came; empty: nothing
  QString output() const;
  // Opens the field in which the output is written by the person, with what the model wrote in it.
  void write_output();
  bool writes_output() const;  // the field is open
  void set_plain(bool plain);  // only the text and the output
  void next_example();
  void set_presenting(bool presenting);  // the line has room for the text only
  void focus_source();

  ModelPicker* picker() const { return picker_; }
  void open_picker();
  SourceField* source_field() const { return source_; }
  QLineEdit* target_field() const { return target_; }
  PairRow* pair() const { return pair_; }
  // Messages in place of the text, where the model takes them.
  void set_chat(const std::optional<SharedJson>& chat);
  ChatRows* chat() const { return chat_; }
  QToolButton* chat_switch() const { return chat_switch_; }

 signals:
  void modelChosen(const QString& folder);
  void modelLookedAt(const QString& folder);
  void modelLookedBack();
  void otherModelWanted();  // from a folder of the person's
  void modelsWanted();
  void modelsKnown();
  void sourceEdited(const QString& text);
  void targetEdited(const std::optional<QString>& text);
  void prefixToggled(bool prefix);
  void viewWanted(const QString& name);
  void chatEdited(const std::optional<headlight::SharedJson>& chat, const QString& gesture);  // nothing: the text

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void lay_out();
  void make_chat();
  void retranslate();
  void apply_fonts();
  void fill_examples();
  void take_example(const std::string& example);
  void title_target();
  void fit_line();
  void fit_title();
  void place_model();
  int least_height() const;  // of the field in one line
  int most_of_model() const;
  int model_width() const;  // beside the text; 0 where it is hidden
  int share_of_output(int model) const;
  void name_model();
  void fill_picker();
  void show_target_row(bool shown);
  void speak_output();
  void show_output_line();

  QHBoxLayout* line_ = nullptr;
  QVBoxLayout* rows_ = nullptr;
  ModelButton* model_;
  ModelPicker* picker_;
  std::function<std::vector<ModelDescription>()> models_of_;
  std::function<QString()> reads_;
  std::vector<ModelDescription> models_;
  QString folder_, title_, description_, source_of_model_;
  int changes_ = 0;
  SourceField* source_;
  QLineEdit* target_;
  QToolButton *examples_, *goes_on_, *dots_, *close_target_;
  QMenu *example_menu_, *output_menu_;
  QAction *write_, *copy_;
  OutputLine* output_;
  QTimer resting_;  // since the output became another one
  QString spoken_;  // of the output, to a screen reader
  QWidget *arrow_, *target_row_;
  PairRow* pair_;
  ChatRows* chat_;
  QToolButton* chat_switch_;
  QLabel* target_label_;
  bool target_wanted_ = false, presenting_ = false;
  QString target_problem_, target_title_;
  std::optional<double> target_probability_;
  std::vector<std::string> example_texts_;
};

}  // namespace headlight
