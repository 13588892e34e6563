// What a view asks the window to do with the document. Views emit these signals; the session alone changes anything, so
// that every change can be undone.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <optional>

#include "model/analysis/attention_maps.h"
#include "model/analysis/bench/listed_number.h"

namespace headlight {

class ViewRequests : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;
  // A run is on its way: who has nothing to show yet says so.
  bool is_computing() const { return computing_; }
  void set_computing(bool computing) {
    if (computing == computing_) return;
    computing_ = computing;
    emit computingChanged();
  }

 signals:
  void computingChanged();
  // Adds an edit; it takes the place of an earlier one of the same cells.
  void edit(const headlight::Intervention& intervention);
  // Takes an edit back; nothing happens when there is no such edit.
  void withdraw(const headlight::Intervention& intervention);
  // Several edits, and several taken back, as one step of undo.
  void edits(const std::vector<headlight::Intervention>& added, const std::vector<headlight::Intervention>& withdrawn);
  // A setting of the model's configuration ("attention.score"); the value that it was trained with takes the change
  // back.
  void setting(const QString& key, const headlight::Json& value);
  void decoding(const headlight::DecodeSettings& settings, quint64 seed);
  // Forces this output; nothing: the model chooses.
  void target(const std::optional<QString>& text);
  // The output begins with this text, and the model goes on from it.
  void beginning(const QString& text);
  // Another text for the model to read.
  void source(const QString& text);
  // Asks for a weight, which is this now.
  void weight(double now, const std::function<void(double)>& done);
  // Ranks all heads by how much they look from one token at another: places on the axes of their maps.
  void rankHeads(headlight::AttentionMap::Kind kind, headlight::Index query, headlight::Index key);
  // Asks this number of every text of the list of texts; nothing: what the chosen head looks at.
  void overTexts(const std::optional<headlight::ListedNumber>& number);
  // Shows a number of the trace in the inspector.
  void open(int entry, qint64 cell);

 private:
  bool computing_ = false;
};

}  // namespace headlight
