// Below the text, of models that read two texts as one: the second sentence, and what kind of sentence each token is
// said to be of. Models of sentences show the field at once, others when it is asked for or holds something.
#pragma once

#include <QWidget>
#include <vector>

#include "model/core/scalar.h"

class QAction;
class QLabel;
class QLineEdit;
class QToolButton;

namespace headlight {

struct ModelBundle;
struct Result;

// setText() moves the cursor to the end, also while somebody types in the middle: where the text is as long as before,
// it stays here.
template <class Field>
void set_text_only(Field* field, const QString& text) {
  if (field->text() == text) return;
  const int cursor = field->cursorPosition();
  const bool same_length = field->text().size() == text.size();
  field->setText(text);
  if (same_length) field->setCursorPosition(cursor);
}

class PairRow : public QWidget {
  Q_OBJECT
 public:
  explicit PairRow(QWidget* parent = nullptr);

  void set_model(const ModelBundle& model);
  // Values of the document; a field that already says so keeps its cursor.
  void set_texts(const QString& second, const std::vector<TokenId>& types);
  // Whose tokens the kinds are of: the field says what the tokenizer gave them.
  void set_result(const Result& result);
  // The fields begin where the text above does.
  void set_indent(int pixels);
  // Entries of a menu that open the fields: there where the model has a use for them.
  QAction* second_action() const { return open_second_; }
  QAction* types_action() const { return open_types_; }
  QLineEdit* second_field() const { return second_; }
  QLineEdit* types_field() const { return types_; }

 signals:
  void secondEdited(const QString& text);
  void typesEdited(const std::vector<headlight::TokenId>& types);  // empty: as the tokenizer says
  void shownChanged();                                             // it is higher or lower now

 private:
  void apply_fonts();
  void retranslate();
  void show_fields();
  void types_typed();
  void mark_types(bool wrong);

  QWidget *second_line_, *types_line_;
  QLabel *second_title_, *types_title_;
  QLineEdit *second_, *types_;
  QToolButton* close_types_;
  QAction *open_second_, *open_types_;
  bool takes_pairs_ = false, always_ = false, told_ = false;  // of kinds of sentences
  bool second_wanted_ = false, types_wanted_ = false;
};

}  // namespace headlight
