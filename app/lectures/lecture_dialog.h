// The lecture list as a window of its own: which lessons and own steps, in which order, how long each, and when.
#pragma once

#include <QDialog>
#include <QPointer>
#include <functional>

#include "app/lectures/lecture_table.h"

class QLabel;
class QLineEdit;
class QMenu;
class QPushButton;
class QTableView;
class QTimeEdit;
class QVBoxLayout;

namespace headlight {

class LectureDialog : public QDialog {
  Q_OBJECT
 public:
  // What the window shows now, as a step of one's own (its title is asked for here); none: nothing is shown.
  using Shown = std::function<std::optional<LectureEntry>()>;
  LectureDialog(LectureTable* table, Shown shown, QWidget* parent);

  void open_file(const QString& path);  // asks before changes are lost
  bool save();                          // false: nobody chose where, or it could not be written
  QTableView* cells() const { return cells_; }

 signals:
  void present(int entry);  // from there on
  void openEntry(int entry);
  void failed(const QString& message);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void reject() override { close(); }
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void build_head(QVBoxLayout* rows);
  void build_cells();
  void build_foot(QVBoxLayout* rows);
  void show_texts();
  void show_lecture();
  void fill_lessons(QMenu* menu);
  void add_shown();
  void add_words();
  bool ask_for_words(LectureEntry& entry);
  void edit_own(int row);
  void move_row(int by);
  void select(int row);
  void after_changes(const std::function<void()>& then);  // saved or given up first
  int row() const;

  LectureTable* table_;
  Shown shown_;
  QLineEdit* title_;
  QLabel *file_, *about_, *begins_label_, *hint_, *sum_;
  QTimeEdit* begins_;
  QTableView* cells_;
  QPushButton *lesson_, *step_, *remove_, *up_, *down_, *open_, *save_, *present_;
  bool filling_ = false;
};

}  // namespace headlight
