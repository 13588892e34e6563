// A wizard for a state dict that nobody has described yet: it proposes which tensor is which from names and shapes,
// asks what no file says, shows what is missing, tries whether it runs, writes the mapping and opens the model.
#pragma once

#include <QDialog>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "app/jobs/latest.h"
#include "model/io/formats/mapping/mapping_guess.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QTimer;

namespace headlight {

class MappingDialog : public QDialog {
  Q_OBJECT
 public:
  // `answers`: what guessed_answers() says of these tensors.
  MappingDialog(const QString& file, std::shared_ptr<const TensorFile> tensors, MappingAnswers answers,
                QWidget* parent = nullptr);

  // Where the mapping is written: beside the weights.
  QString mapping_path() const;
  const MappingProposal& proposal() const { return proposal_; }
  // Whether what is said now has been run.
  bool runs() const { return runs_; }

 signals:
  void openWanted(const QString& mapping);
  void tried(bool runs);  // the newest answers

 private:
  void lay_out();
  void ask(QFormLayout* form, const char* text, QWidget* field);
  void retranslate();
  void show_answers();
  void listen();
  QComboBox* choice(const char* name, std::initializer_list<const char*> texts);
  QWidget* file_field(QLineEdit* field, const char* name);
  void answer();
  void propose();
  void show_questions();
  void show_state(const QString& problem);
  void try_it();
  void save();
  void write();

  struct Tried {
    QString source, output;
  };

  QString file_;
  std::shared_ptr<const TensorFile> tensors_;
  MappingAnswers answers_;
  MappingProposal proposal_;
  bool runs_ = false, filling_ = false;
  Tried tried_;
  QLabel* about_;
  std::vector<std::pair<QLabel*, const char*>> asked_;  // labels of the form, and what they say in English
  std::vector<QPushButton*> choosers_;
  QComboBox *kind_, *norms_, *activation_, *positions_;
  QSpinBox* heads_;
  QCheckBox *scaled_, *leave_;
  QLineEdit *source_, *target_, *start_, *end_;
  QWidget* questions_;
  QFormLayout* questions_form_;
  std::vector<QComboBox*> boxes_;  // one for each question
  QPlainTextEdit* state_;
  QPushButton *cancel_ = nullptr, *save_;
  QTimer* soon_;
  Latest<Tried> trying_;
};

}  // namespace headlight
