// A lecture list as a table that is written in: entries are moved, their minutes changed; each change can be undone.
#pragma once

#include <QAbstractTableModel>
#include <QUndoStack>
#include <filesystem>

#include "app/lessons/lecture.h"

namespace headlight {

class LectureTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { number, what, course, steps, questions, minutes, at, share, columns };
  explicit LectureTable(QObject* parent = nullptr);

  // What was read from `file`, or a new one where that is empty. Nothing to undo.
  void set_lecture(Lecture lecture, std::filesystem::path file);
  void set_file(std::filesystem::path file);  // it was written there
  const Lecture& lecture() const { return lecture_; }
  const std::filesystem::path& file() const { return file_; }
  QUndoStack* undo() { return &undo_; }

  // Each one step that can be undone. `text`: what was done.
  void change(Lecture lecture, const QString& text);
  void insert(int row, LectureEntry entry);
  void remove(int row);
  void move(int from, int to);  // `to`: the row that it has afterwards
  QString title(int row) const;
  int now() const { return row_of(now_); }  // the entry that is shown to the room; -1: none
  void set_now(int row);
  // Entries are known by keys: rows change while one walks through the list. -1: it was taken out.
  int row_of(int key) const;
  int key_of(int row) const;  // 0: there is no such row
  void retranslate();

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
  QStringList mimeTypes() const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                    const QModelIndex& parent) override;

 signals:
  void changed();
  void replaced();     // by another list
  void moved(int to);  // by dropping

 private:
  class Changed;
  // What the table says of an entry; read once.
  struct Known {
    QString title, course, problem;
    int steps = 0, questions = 0;
  };
  void take(Lecture lecture);
  Known know(const LectureEntry& entry) const;

  Lecture lecture_;
  std::filesystem::path file_;
  std::vector<Known> known_;
  int now_ = 0, keys_ = 0;  // the key of the entry that is shown, and the last one that was given
  QUndoStack undo_;
};

}  // namespace headlight
