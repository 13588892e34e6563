// The top bar: which model, which text, and (if wanted) which output is forced.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "app/document/model_list.h"
#include "model/io/model_folder.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QToolButton;

namespace headlight {

class SourceBar : public QWidget {
  Q_OBJECT
 public:
  explicit SourceBar(QWidget* parent = nullptr);

  // The title is that of the model card, the tooltip its description.
  void set_models(const std::vector<ListedModel>& models);
  void set_model(const ModelBundle& bundle);  // selects it, adding a row for a folder of the user's
  // Values of the document; a field that already says so keeps its cursor.
  void set_texts(const QString& source, const std::optional<QString>& target);
  // Whether the forced output is only the beginning.
  void set_prefix(bool prefix, bool possible);
  // What is wrong with the forced output; empty: nothing. Shown in place of the field's title.
  void set_target_problem(const QString& problem);
  // Of the forced output as a whole; nullopt: nothing is forced.
  void set_target_probability(std::optional<double> probability);
  QString target_title() const;  // whole, also where there is room for a part of it only
  void set_next_example_action(QAction* action);
  void set_below(QWidget* strip);  // shown under the fields
  void fit_below();                // its content changed: gives it as many lines as it needs
  void next_example();
  void focus_source();

  QLineEdit* source_field() const { return source_; }
  QLineEdit* target_field() const { return target_; }

 signals:
  void modelChosen(const QString& folder);
  void sourceEdited(const QString& text);
  void targetEdited(const std::optional<QString>& text);
  void prefixToggled(bool prefix);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void retranslate();
  void apply_fonts();
  void fill_examples();
  void title_target();
  void fit_titles();
  void set_model_row(int row, const QString& title, const QString& description);

  QLabel *model_label_, *source_label_, *target_label_;
  QComboBox* models_;
  QLineEdit *source_, *target_;
  QToolButton *examples_, *goes_on_;
  QMenu* example_menu_;
  QWidget* below_ = nullptr;
  QString target_problem_, target_title_;
  std::optional<double> target_probability_;
  std::vector<std::string> example_texts_;
};

}  // namespace headlight
