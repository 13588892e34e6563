// The document: the model, the text, and what was changed in the run. Every change can be undone.
// It is all that a run depends on. A session file (session_file.h) is the document with the layout of the window.
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <memory>
#include <optional>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

struct Document : RunInputs {
  std::shared_ptr<const ModelBundle> model;  // as it was trained
  SharedJson settings;                       // of the model's configuration, where they are not as trained
  // A model that was opened with less of its adapter is a setting of the whole.
  void open(std::shared_ptr<const ModelBundle> opened);
  // Takes back all that changes the model's own run: settings, edits, decoding and a forced output.
  void leave_untouched();
  bool operator==(const Document&) const = default;
};

// The forced output as a text of the window.
std::optional<QString> target_text(const Document& document);

// A text for a single line: line breaks and tabs become spaces, one for each.
QString single_line(QString text);

class Session : public QObject {
  Q_OBJECT
 public:
  explicit Session(QObject* parent = nullptr);

  const Document& document() const { return document_; }
  // The model with the settings of the document: what runs.
  const std::shared_ptr<const ModelBundle>& running() const { return running_; }
  QUndoStack& undo_stack() { return undo_; }

  // Starts from this document; nothing to undo.
  void start(Document document);
  // Keeps the text (that which was set aside before, if there is one) if the model has learned texts of this kind, else
  // takes its first example; drops the edits, which belong to the other model's sites.
  void set_model(std::shared_ptr<const ModelBundle> model);
  // A text that a person typed and that an example of this model has taken the place of, while the example stands
  // there; null: none. set_source() brings it back.
  QString set_aside() const;
  // While models are looked at one after the other (an open list), each starts from the document as it was before, the
  // last one is one step of undo, and the one before brings everything back.
  void begin_looking();
  void end_looking();
  bool is_looking() const { return looking_.has_value(); }
  void look_back();  // to the document as it was; looking goes on
  void set_source(const QString& source);
  // Of models that take pairs; empty: there is no second text.
  void set_second(const QString& second);
  // The kinds of sentences that the tokens are said to be of; empty: as the tokenizer says.
  void set_type_ids(const std::vector<TokenId>& types);
  void set_target(const std::optional<QString>& target);
  void set_prefix(bool prefix);
  void set_beginning(const QString& text);  // of the output: the model goes on from it
  // Messages that are read instead of the text; nothing: the text. `what` is what a person does: what they type in one
  // message is one step of undo, for each word.
  void set_chat(const std::optional<SharedJson>& chat, const QString& what = {});
  // The value that the model was trained with takes the change back. A value that the model cannot run with is refused.
  void set_setting(const QString& key, const Json& value);
  void set_decoding(const DecodeSettings& settings, std::uint64_t seed);
  // A second edit of the same cells takes the place of the first; those withdrawn go by their cells.
  void change_interventions(const std::vector<Intervention>& added, const std::vector<Intervention>& withdrawn);
  void add_intervention(const Intervention& intervention);
  void remove_intervention(int index);
  // The model untouched, greedy, without a forced output; model and text stay.
  void clear_differences();
  bool has_differences() const;

  Request request() const;

 signals:
  void changed();
  void refused(const QString& message);
  void looked();  // at models: the one that is there stays

 private:
  friend class DocumentChange;
  // Of attention that was stored nothing can be changed: says so.
  bool refuses_changes();
  // What one gesture does (a word that is typed, a slider that is dragged) is one step of undo: changes of the same
  // gesture that follow each other; negative: each on its own.
  struct Gesture {
    int id = -1;
    QString subject;
  };
  void change(Document after, const QString& text);
  void change(Document after, const QString& text, const Gesture& gesture);
  void apply(const Document& document);

  Document document_;
  struct SetAside {
    std::string text;  // of the person's
    std::shared_ptr<const ModelBundle> model;
    std::string example;
  } set_aside_, aside_before_looking_;
  bool is_set_aside() const;
  std::optional<Document> looking_;  // as it was before
  int looks_ = 0;
  std::shared_ptr<const ModelBundle> running_;  // with the settings of the document
  QUndoStack undo_;
};

}  // namespace headlight
