// A chat in place of the text: a row for each message, with who says it; the model goes on with the answer. There where
// a model has a chat template.
//
// A chat is what the document keeps of it (RunInputs::chat, model/text/chat.h). What a row does not show of a message
// stays in it.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "model/decode/run.h"

class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace headlight {

class ChatField;
class VoiceBar;

class ChatRows : public QWidget {
  Q_OBJECT
 public:
  static constexpr int kMostMessages = 200;
  explicit ChatRows(QWidget* parent = nullptr);

  // The chat that a text becomes: it is what the user says.
  static Json chat_of_text(const QString& text);
  // What is shown; nothing: the rows are hidden.
  void set_chat(const std::optional<SharedJson>& chat);
  void set_model(const ModelBundle& model);
  bool has_templates() const { return has_templates_; }
  // Its answer can be kept as a message. And nothing is wrong with the messages.
  void set_result(const Result& result);
  void set_answer(const QString& answer);    // what the model writes, as far as it is there
  void set_writing(bool writing);            // it is not there whole: nothing moves up meanwhile
  void set_problem(const QString& problem);  // that the template tells; empty: none
  const QString& problem() const { return problem_; }
  QWidget* controls() const { return controls_; }  // of the chat as a whole, for whoever has room for them
  void focus_last();
  // The chat that was there last, also while the rows are hidden; nothing: none was.
  std::optional<SharedJson> kept() const { return chat_.empty() ? std::nullopt : std::optional(chat_); }

  int count() const { return static_cast<int>(rows_.size()); }
  ChatField* field(int row) const;
  QComboBox* role(int row) const;
  QPushButton* add_button() const { return add_; }
  QPushButton* keep_button() const { return keep_; }
  QToolButton* prompt_button() const { return prompt_; }
  QPushButton* why_button() const { return why_; }
  QPushButton* seen_button() const { return seen_; }
  ChatField* answer_field() const { return answer_row_.text; }
  QLabel* problem_label() const { return problem_label_; }

 signals:
  // `gesture`: which field somebody types in; empty: another kind of change.
  void edited(const headlight::SharedJson& chat, const QString& gesture);
  void shownChanged();  // it is higher or lower now
  void view_wanted(const QString& name);

 private:
  struct Row {
    QWidget* box = nullptr;
    VoiceBar* bar = nullptr;
    QLabel* name = nullptr;  // of the answer
    QComboBox* role = nullptr;
    ChatField* text = nullptr;
    QToolButton *up = nullptr, *down = nullptr, *remove = nullptr;
  };
  Row make_row();
  Row make_answer_row();
  void make_controls();
  void show_answer();
  void enter(int row);
  void show_rows();
  void change(Json messages, int focus);
  void set_key(const char* key, const Json& value);
  void add_below(int row);
  void move(int row, int by);
  void remove(int row);
  void say(int row, const QString& text);
  void give(int row, const QString& role);
  void keep_answer();
  void focus(int row);
  int row_of(const QObject* part) const;
  Json messages() const;
  void retranslate();
  void fit();
  void fit_soon();

  SharedJson chat_;
  std::vector<Row> rows_;
  Row answer_row_;  // without a role to choose, and buttons
  QString answer_, problem_;
  QScrollArea* scroll_;
  QWidget* content_;
  QVBoxLayout* column_;
  QComboBox* template_;
  QToolButton* prompt_;
  QPushButton *add_, *keep_, *why_, *seen_;
  QWidget* controls_;
  QLabel* problem_label_;
  bool showing_ = false, has_templates_ = false, fitting_ = false;
};

}  // namespace headlight
