// The document: the model, the text, and what was changed in the run. Every change can be undone.
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <memory>
#include <optional>
#include <vector>

#include "model/decode/run.h"

namespace headlight {

struct Document {
  std::shared_ptr<const ModelBundle> model;
  QString source;
  std::optional<QString> target;  // a forced output
  std::vector<Intervention> interventions;
  bool operator==(const Document&) const = default;
};

// A text for a single line: line breaks and tabs become spaces, one for each.
QString single_line(QString text);

class Session : public QObject {
  Q_OBJECT
 public:
  explicit Session(QObject* parent = nullptr);

  const Document& document() const { return document_; }
  QUndoStack& undo_stack() { return undo_; }

  // Starts from this document; nothing to undo.
  void start(Document document);
  // Keeps the text if the model can read it, else takes its first example; drops the edits, which belong to the other
  // model's sites.
  void set_model(std::shared_ptr<const ModelBundle> model);
  void set_source(const QString& source);
  void set_target(const std::optional<QString>& target);
  // A second edit of the same cell takes the place of the first.
  void add_intervention(const Intervention& intervention);
  void remove_intervention(int index);
  void clear_interventions();

  Request request() const;

 signals:
  void changed();

 private:
  friend class DocumentChange;
  // Changes with the same merge id that follow each other are one step of undo; negative: never.
  void change(Document after, const QString& text, int merge_id = -1);
  void apply(const Document& document);

  Document document_;
  QUndoStack undo_;
};

}  // namespace headlight
