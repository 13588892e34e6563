// The lines of our sentences as a table that is written in: every change judges all lines anew and can be undone.
#pragma once

#include <QAbstractTableModel>
#include <QUndoStack>
#include <optional>
#include <vector>

#include "model/recording/recording.h"
#include "model/training/tasks/own/sentences.h"

namespace headlight {

class SentencesModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { number, source, target, made, remove, columns };
  enum Role {
    reason_role = Qt::UserRole + 1,  // what is said of the line, empty: nothing (of `source`)
    fault_role,                      // whether it is not used for a fault of its own
    used_role
  };
  explicit SentencesModel(QObject* parent = nullptr);

  const SentenceList& list() const { return list_; }
  const Probe& probe() const { return probe_; }
  QUndoStack* undo() { return &undo_; }
  // How the languages are called: titles of the columns, and "no German".
  void set_languages(const QString& from, const QString& to);
  const QString& source_language() const { return source_language_; }
  const QString& target_language() const { return target_language_; }

  // Each one step that can be undone.
  void add(std::vector<CutSentence> lines);  // at the end; what is beyond kMostSentences is left out
  void remove_rows(std::vector<int> rows);
  void replace(int row, const SentenceLine& line);
  void set_probe(const Probe& probe);  // an empty source: none
  // What was kept, or nothing: nothing to undo.
  void reset(std::vector<CutSentence> lines, const Probe& probe);

  QString reason(int row) const;  // translated; empty: the line is used and nothing is odd
  void retranslate();

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

 signals:
  void changed();

 private:
  class Insertion;
  class Removal;
  class Replacement;
  class ProbeChange;
  void insert_at(int row, const std::vector<CutSentence>& lines);
  void erase_at(int row, int count);
  void replace_at(int row, const CutSentence& line);
  void take_probe(const Probe& probe);
  void judged();
  CutSentence cut(int row) const { return cut_sentence(list_.line(static_cast<std::size_t>(row)), list_.options()); }

  SentenceList list_;
  Probe probe_;
  QString source_language_, target_language_;
  QUndoStack undo_;
};

}  // namespace headlight
